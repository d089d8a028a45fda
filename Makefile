# Fairtray: `make run` plays the main job, `make test` passes the tests. Both install what they need into .venv.

SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# On a Pi the camera's Python package comes with the system and cannot come from PyPI.
VENV_FLAGS := $(shell $(PYTHON) -c 'import picamera2' 2>/dev/null && echo --system-site-packages)
# Beside it a part of it must be ours, which the tests' lock has not: Debian 12's simplejpeg refuses our numpy.
LOCKED := requirements$(if $(VENV_FLAGS),-pi).lock
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet
PHOTOS ?= ../shared/real
LOOKS ?= 100000
PEERS ?= ../shared/peers
TURNS ?= 500
SCENARIOS ?= all
FAMILIES ?= all
SEEDS ?= 1000-1004
LEAN_SEEDS ?= 1000-1039
NUMBERS ?= 1000-1099
JOBS ?= 1
EXAMPLES ?= 300
SPECTATORS ?= 50
HOURS ?= 10
MINUTES ?= 60

.DEFAULT_GOAL := help
.PHONY: help run test test-long test-kill test-tamper test-service test-hw test-arm64 test-faults test-hours drawings \
  bench-run fuzz-console bench-console check browser install install-dev install-train install-pi bench eval eval-real eval-peers \
  eval-perturbed eval-tray eval-lean eval-calibration eval-outlines eval-rows eval-uncalibrated endure model model-gauge model-lean model-smoke sample lock clean

help:  ## say what each target does
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/' | column -t -s: 2>/dev/null || grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST)

run: install  ## install what it needs and play: the camera if there is one, else the sample match
	@$(BIN)/fairtray run

# What the types and imports are checked by is there before torch is, and a check takes one core: so both at once. Then
# each core has tests of its own, and threads beside them would but wait for each other.
test:  ## install what it needs and pass every test
	@$(MAKE) --no-print-directory --jobs=2 install-train check browser
	@OMP_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1 \
	  $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

test-long: install-dev  ## rule on a hundred thousand random matches (about half an hour)
	@FAIRTRAY_MATCHES=100000 $(BIN)/python -m pytest tests/scorer/test_umpire_matches.py

test-tamper: install-dev  ## tamper with a match ten thousand times: is each one named? (about ten minutes)
	@FAIRTRAY_TAMPERINGS=10000 $(BIN)/python -m pytest tests/firmware/evidence/test_verify.py

test-kill: install-dev  ## kill a running match 300 times, tear its files 500 times: is a ruling lost? (about five minutes)
	@FAIRTRAY_KILLS=300 FAIRTRAY_TEARS=500 $(BIN)/python -m pytest -s tests/firmware/evidence/test_killing.py

test-service:  ## the service under a booted systemd: ready, killed, hung, stopped (root, mmdebstrap, systemd-container)
	@sh tests/service/run.sh

# The console's pages are tried in a browser where there is one: brought where that may be, never a reason to stop; not
# at once with what the tests need, which apt may bring too.
browser: install-dev
	@command -v chromium >/dev/null || command -v chromium-headless-shell >/dev/null \
	  || { ( $(call apt,chromium-headless-shell) ) || echo "no Chromium: the console is not tried in a browser"; }

fuzz-console: install-dev  ## send the console whatever its description allows, and what it does not (EXAMPLES=number)
	@FAIRTRAY_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest tests/firmware/console/test_described.py

bench-run: install  ## what the appliance takes to get ready and to watch, in time and memory
	@$(BIN)/python -m firmware.play.bench

bench-console: install-dev  ## what fifty spectators cost the watching (SPECTATORS=number)
	@$(BIN)/python -m firmware.console.bench --spectators $(SPECTATORS)

test-hw:  ## pins, buses and cameras of a kernel in a virtual machine (root; without KVM about ten minutes)
	@sh tests/pi/run.sh

test-arm64:  ## the tests on emulated arm64 Debian, Python 3.11 and 3.13 (root; mmdebstrap, qemu-user-static)
	@sh tests/arm64/run.sh

test-faults: install-dev  ## inject faults into the whole appliance one by one; print what was shown and lost, and for how long
	@$(BIN)/python -m tests.firmware.play.faults

test-hours: install-dev  ## play for hours: HOURS=10 on events, then MINUTES=60 on frames, as a camera gives them
	@$(BIN)/python -m tests.firmware.play.hours --hours $(HOURS) --minutes $(MINUTES)

drawings: install-dev  ## the mount's parts as STL, its assembly and the wiring as pictures
	@$(BIN)/python -c 'import manifold3d, schemdraw, trimesh' 2>/dev/null || $(PIP) --no-build-isolation --editable '.[drawings]'
	@$(BIN)/python -m hardware.drawings.wiring
	@$(BIN)/python -m hardware.drawings.pictures

check: install-dev  ## lint, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo || { echo "an import runs the wrong way: see above"; exit 1; }

install: $(VENV)/.installed  ## make .venv with the fairtray command

install-dev: $(VENV)/.installed-dev  ## the same with the simulator and what the tests need

install-train: $(VENV)/.installed-train  ## the same with torch, to train

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Fairtray needs Python 3.11 or newer as '$(PYTHON)': name another with make PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { $(call apt,python3-venv); }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV_FLAGS) $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(LOCKED) pyproject.toml
	@echo "installing the locked packages into $(VENV)"
	@$(PIP) --require-hashes -r $(LOCKED)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# What is tested and trained with is compiled as it is imported, which is little of it; where only played is, all of it is.
$(VENV)/.installed-dev: $(VENV)/bin/python requirements-dev.lock pyproject.toml
	@command -v g++ >/dev/null 2>&1 || { $(call apt,g++); }
	@echo "installing the locked packages for the tests into $(VENV)"
	@$(PIP) --no-compile --require-hashes -r requirements-dev.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(if $(VENV_FLAGS),,$(VENV)/.installed)

$(VENV)/.installed-train: $(VENV)/.installed-dev
	@echo "installing torch into $(VENV)"
	@$(PIP) --no-compile --no-build-isolation --editable '.[train]'
	@touch $@

# Install a Debian package where we may, saying so; else name it in one line.
define apt
if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then sudo=; \
elif command -v apt-get >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo=sudo; \
else echo "Fairtray needs $(1): install it (Debian, Pi OS: sudo apt install $(1)) and run make again" >&2; exit 2; fi; \
echo "installing $(1) with apt"; \
$$sudo apt-get update -qq && $$sudo apt-get install -y -qq $(1) >/dev/null
endef

# `make install-pi --dry-run` runs it too, to have it print what it would do.
install-pi:  ## set this Raspberry Pi up, as root: packages, user, service (--dry-run prints it; UNINSTALL=1)
	+@$(PYTHON) -m hardware.install $(if $(findstring n,$(firstword -$(MAKEFLAGS))),--dry-run) $(if $(filter 1,$(UNINSTALL)),--uninstall)

bench: install-dev  ## time the scorer beside another engine, the reader beside a YOLO11n network (PEERS=folder)
	@$(BIN)/python -m scorer.analysis.bench
	@$(BIN)/python -m models.bench --peers $(PEERS)

eval-real: install  ## the reader on real photographs, by source (PHOTOS=folder; resumes)
	@$(BIN)/python -m models.training evaluate --photos $(PHOTOS) --out out/eval-real

eval-peers: install  ## other readers beside ours on the same photographs (PHOTOS=folder, PEERS=folder)
	@$(BIN)/python -c 'import sklearn' 2>/dev/null || $(PIP) --no-build-isolation --editable '.[peers]'
	@$(BIN)/python -m models.training peers --photos $(PHOTOS) --peers $(PEERS)

eval: install-dev  ## the reader on a simulated test set that training never sees
	@$(BIN)/python -m models.training simulated --out out/eval

eval-perturbed: install  ## the reader on perturbed dice of real photographs (PHOTOS=folder, LOOKS=number; resumes)
	@$(BIN)/python -m models.training perturbed --photos $(PHOTOS) --count $(LOOKS) --out out/eval-perturbed

eval-tray: install-dev  ## the events and rulings on simulated films (SCENARIOS=throw,keep SEEDS=1000-1004 JOBS=number FILMS=folder; resumes)
	@$(BIN)/python -m models.tray sweep --scenarios $(SCENARIOS) --seeds $(SEEDS) --jobs $(JOBS) --clips $(PHOTOS) \
	  $(if $(FILMS),--films $(FILMS)) --out out/eval-tray

eval-lean: install-dev  ## flat, leaning and stacked dice told apart on single pictures (LEAN_SEEDS=1000-1039; resumes)
	@$(BIN)/python -m models.lean measure --seeds $(LEAN_SEEDS) --out out/eval-lean

eval-calibration: install-dev  ## calibration on simulated set-ups (FAMILIES=square_tray,glare SEEDS=1000-1004 JOBS=number FILMS=folder; resumes)
	@$(BIN)/python -m models.calibration sweep --families $(FAMILIES) --seeds $(SEEDS) --jobs $(JOBS) \
	  $(if $(FILMS),--films $(FILMS)) --out out/eval-calibration

eval-outlines: install-dev  ## the floor's outline on empty trays drawn without filming, many in little time (NUMBERS=1000-1099; resumes)
	@$(BIN)/python -m models.calibration outlines --numbers $(NUMBERS) --out out/eval-outlines

eval-rows: install-dev  ## what rows of dice tell of their size, pushed together and carelessly (NUMBERS=1000-1099)
	@$(BIN)/python -m models.calibration rows --numbers $(NUMBERS)

eval-uncalibrated: install-dev  ## dice read in films of play with their calibration and without (FILMS=folder of eval-tray)
	@$(BIN)/python -m models.calibration readings --films $(FILMS) --jobs $(JOBS)

model-gauge: install-train  ## train the gauge, which tells how large dice are, on drawn sets of dice (hours; resumes)
	@$(BIN)/python -u -m models.calibration gauge --out out/gauge

model-lean: install-train  ## train the network that sees whether dice lean, on drawn ones (an hour; resumes)
	@$(BIN)/python -m models.lean train

endure: install-dev  ## play on for hours in one run and look for a wrong ruling or a leak (TURNS=500 FILMS=folder)
	@$(BIN)/python -m models.tray endure --turns $(TURNS) $(if $(FILMS),--films $(FILMS))

model: install-train  ## train the networks again from nothing (resumes; PHOTOS=folder)
	@$(BIN)/python -u -m models.training all --photos $(PHOTOS)

model-smoke: install-train  ## the same in miniature (minutes, no photographs), and check that it learns
	@$(BIN)/python -u -m models.training smoke

sample: install-dev  ## film the sample match again
	@rm -rf out/sample && $(BIN)/fairtray simulate --scenario sample --seed 1 -o out/sample
	@cp out/sample/video.mp4 out/sample/choices.jsonl out/sample/calibration.toml out/sample/truth.jsonl firmware/sample/

lock:  ## choose the newest versions of all packages and lock them with their hashes (needs uv)
	@$(LOCK) --upgrade --extra build -o requirements.lock
	@$(LOCK) --upgrade --extra build --extra console --extra pi -o requirements-pi.lock
	@$(LOCK) --upgrade --extra build --extra console --extra sim --extra emulator --extra dev -o requirements-dev.lock

clean:  ## remove what was made here
	@rm -rf $(VENV) out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
