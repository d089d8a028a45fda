#!/bin/sh
# The tests on arm64 Debian, as a Pi runs it, emulated: `make test-arm64`, as root. Bookworm with Python 3.11 and trixie
# with 3.13, each with the wheels that PyPI has for them. Emulated networks are over a hundred times slower than real
# ones: so every test that needs none, and one reading.
set -eu
out=$(realpath -m "${OUT:-out}")
here=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "test-arm64: needs root" >&2; exit 2; }
for tool in mmdebstrap qemu-aarch64-static update-binfmts; do
  command -v $tool >/dev/null || { echo "test-arm64: apt install mmdebstrap qemu-user-static binfmt-support" >&2; exit 2; }
done
[ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
update-binfmts --import >/dev/null 2>&1 || true
update-binfmts --enable qemu-aarch64 >/dev/null 2>&1 || true

one() {  # suite, Python's version
  suite=$1 version=$2 number=$(echo "$2" | tr -d .)
  root=$out/arm64-$suite
  lock=$(sha256sum "$here/requirements-dev.lock" | cut -c1-16)
  if [ ! -e "$root/.made-$lock" ]; then
    rm -rf "$root" && mkdir -p "$root"
    # `extract` runs nothing of the packages, and so needs no emulation.
    mmdebstrap --quiet --variant=extract --arch=arm64 \
      --include="python$version,libstdc++6,libgomp1,libexpat1,zlib1g,libgl1,libffi8,libsqlite3-0,coreutils,bash,dash" \
      "$suite" "$root"
    [ -e "$root/bin" ] || ln -s usr/bin "$root/bin"
    [ -e "$root/lib" ] || ln -s usr/lib "$root/lib"
    sed -n 's/^\([a-z0-9-]*==[^ ]*\).*/\1/p' "$here/requirements.lock" > "$root/packages.txt"
    grep -oE '^(pytest|hypothesis|pluggy|iniconfig|sortedcontainers|pygments|packaging)==[^ ]*' \
      "$here/requirements-dev.lock" >> "$root/packages.txt"
    sort -u -t= -k1,1 -o "$root/packages.txt" "$root/packages.txt"
    python3 -m pip install --quiet --disable-pip-version-check --no-compile --target "$root/opt/site" --no-deps \
      --only-binary=:all: --python-version "$number" --implementation cp --abi "cp$number" --abi abi3 --abi none \
      --platform manylinux_2_34_aarch64 --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 \
      --platform manylinux_2_26_aarch64 --platform manylinux_2_24_aarch64 --platform manylinux_2_17_aarch64 \
      --platform manylinux2014_aarch64 -r "$root/packages.txt"
    touch "$root/.made-$lock"
  fi
  rm -rf "$root/opt/checkout" && mkdir -p "$root/opt/checkout" "$root/tmp" "$root/dev"
  git -C "$here" ls-files -z | tar -C "$here" --null -T - -c | tar -C "$root/opt/checkout" -x
  for node in null zero random urandom; do
    [ -e "$root/dev/$node" ] || cp -a "/dev/$node" "$root/dev/"
  done
  # What a Pi 4 says of its processor, or the networks' library complains of every start.
  mkdir -p "$root/sys/devices/system/cpu" "$root/proc"
  for list in possible present; do echo 0-3 > "$root/sys/devices/system/cpu/$list"; done
  for processor in 0 1 2 3; do
    printf 'processor\t: %s\nFeatures\t: fp asimd evtstrm crc32 cpuid\n' $processor
    printf 'CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd08\nCPU revision\t: 3\n\n'
  done > "$root/proc/cpuinfo"
  begun=$(date +%s)
  # CI is for hypothesis: no test has to be fast.
  chroot "$root" /usr/bin/env -C /opt/checkout PYTHONPATH=/opt/site:/opt/checkout QEMU_CPU=cortex-a72 HOME=/tmp CI=1 \
    LC_ALL=C.UTF-8 "/usr/bin/python$version" -m pytest -q -p no:cacheprovider -p no:warnings \
    --ignore=tests/hardware/test_install.py --ignore=tests/hardware/test_keyboard.py ${TESTS:-tests/scorer/test_umpire.py \
    tests/scorer/test_referee.py tests/scorer/test_throw.py tests/scorer/test_kept.py tests/firmware/test_ledger.py \
    tests/firmware/test_config.py tests/firmware/test_show.py tests/hardware tests/vision/test_geometry.py tests/arm64} \
    || failed="$failed $suite"
  echo "test-arm64: $suite, Python $version: $(($(date +%s) - begun)) s"
}

failed=
one bookworm 3.11
one trixie 3.13
[ -z "$failed" ] || { echo "test-arm64: failed on$failed" >&2; exit 1; }
