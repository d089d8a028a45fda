"""A disputed turn of the sample match in a real browser: roll, dispute, frames, ruling, score, verify."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from firmware.console.pin import set_pin
from firmware.evidence.history import History
from firmware.sample import SAMPLE
from scorer.events import BoxEntered, RefereeRuled, RollCounted
from tests.firmware.command import fairtray
from tests.firmware.console.audit import faults
from tests.firmware.console.table import PIN, Visitor, until
from tests.firmware.play.test_health import free_port
from vision.source import open_source

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

FRAMES, STILL = 105, 18_000
"""The sample's first throw, and then ten minutes in which nothing moves."""
PATIENCE_MS = 240_000
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "google-chrome"))), None)
PHONE: "ViewportSize" = {"width": 390, "height": 844}
DESK: "ViewportSize" = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt install chromium-headless-shell (make test does where it may)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Appliance:
    """`fairtray run` on the beginning of the sample match, with its console."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.match, self.pages, self.referee = folder / "match", free_port(), free_port()
        set_pin(folder / "console", PIN)
        (folder / "fairtray.toml").write_text(
            f'[console]\nenabled = true\nhost = "127.0.0.1"\nport = {self.pages}\nreferee_port = {self.referee}\n'
            f'folder = "{folder / "console"}"\n[status]\nport = {free_port()}\n[match]\nagree = ["marker=yes"]\n'
        )
        given = ("--calibration", SAMPLE / "calibration.toml", "--players", "Ann,Ben", "--match", self.match)
        command = (
            sys.executable,
            "-m",
            "firmware",
            "run",
            "--config",
            folder / "fairtray.toml",
            "--source",
            _film(folder),
        )
        self.out = folder / "out.txt"
        out = stack.enter_context(self.out.open("wb"))
        self.process = subprocess.Popen(list(map(str, (*command, *given))), stdout=out, stderr=out)
        stack.callback(self.process.kill)

    def code(self, earlier: int) -> str:
        """The code of the seats that was shown, after so many."""
        found = re.compile(r"Your seat: \S+ (\d{6})")
        return str(until(lambda: found.findall(self.out.read_text())[earlier:])[0])

    def stopped(self) -> int:
        """Stop it; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def _film(folder: Path) -> Path:
    film = folder / "film"
    film.mkdir()
    with open_source(str(SAMPLE / "video.mp4")) as source:
        for frame in islice(source, FRAMES):
            cv2.imwrite(str(film / f"{frame.index:05}.jpg"), frame.image)
    for number in range(FRAMES, FRAMES + STILL):
        os.link(film / f"{FRAMES - 1:05}.jpg", film / f"{number:05}.jpg")
    return film


def shot(page: "Page", name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    if folder := os.environ.get("FAIRTRAY_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


def looked_at(page: "Page", name: str) -> None:
    """Everybody can use the page as it stands now, with its style; keep a picture of it."""
    page.wait_for_load_state("load")
    shot(page, name)
    assert not faults(page), name


def take_seat(page: "Page", player: str, appliance: Appliance, earlier: int) -> None:
    page.goto(f"http://127.0.0.1:{appliance.pages}/")
    page.get_by_text("I play: take my seat").click()
    page.get_by_role("button", name="Show the code on the tray's display").click()
    page.get_by_label(player).check()
    page.get_by_label("Code").fill(appliance.code(earlier))
    page.get_by_role("button", name="Take the seat").click()
    page.get_by_text(f"{player}: your seat").wait_for()


def test_a_disputed_turn_is_settled_in_the_browser_and_the_record_is_whole(browser: "Browser", tmp_path: Path) -> None:
    with ExitStack() as stack:
        appliance = Appliance(tmp_path, stack)
        errors: list[str] = []

        def opened(size: "ViewportSize", **more: Any) -> "Page":
            page = stack.enter_context(browser.new_context(viewport=size, **more)).new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
            return page

        until(lambda: Visitor("127.0.0.1", appliance.pages).get("/api/match").status == 200)
        ann, ben = opened(PHONE, color_scheme="dark"), opened(PHONE, has_touch=True)
        referee = opened(DESK, ignore_https_errors=True)
        take_seat(ann, "Ann", appliance, 0)
        take_seat(ben, "Ben", appliance, 1)
        ann.locator("#board h1").get_by_text("Ann is to throw roll 2 of 3").wait_for()
        ann.locator("#tray .overlay .sure text").nth(4).wait_for()
        looked_at(ann, "roll-phone")
        (roll,) = (one.ruling for one in History(appliance.match).rolls if isinstance(one.ruling, RollCounted))
        read = roll.values[-1]
        ann.get_by_role("button", name="Chance").click()
        ben.get_by_role("button", name="No: the referee decides").click()
        ben.locator("#board h1").get_by_text("Play waits for the referee").wait_for()

        referee.goto(f"https://127.0.0.1:{appliance.referee}/")
        looked_at(referee, "login-desk")
        referee.get_by_label("PIN").fill(PIN)
        referee.get_by_role("button", name="Sign in").click()
        referee.get_by_role("heading", name="1 open").wait_for()
        looked_at(referee, "cases-desk")
        until(lambda: any(piece.what == "clip" for piece in History(appliance.match).pieces))
        referee.get_by_role("link", name="Dispute").click()
        viewer = referee.locator(".viewer").first
        viewer.get_by_role("button", name="Zoom in").wait_for()
        image = viewer.locator(".now image")
        last = image.get_attribute("href")
        viewer.locator(".now svg").focus()
        viewer.locator(".now svg").press("ArrowLeft")
        assert image.get_attribute("href") != last
        viewer.get_by_role("button", name="Compare with this").click()
        viewer.get_by_role("button", name="Last frame").click()
        assert viewer.locator(".before image").get_attribute("href") != image.get_attribute("href") == last
        looked_at(referee, "case-desk")
        viewer.get_by_role("button", name="Zoom in").click()
        part = viewer.locator(".now svg").get_attribute("viewBox")
        assert part is not None and part.split()[:2] != ["0", "0"]
        viewer.get_by_role("button", name="Readings").click()
        assert not viewer.locator(".now .overlay").is_visible()
        shot(referee, "zoomed-desk")

        other = read % 6 + 1
        referee.locator("summary").get_by_text(f"Correct a reading of ruling {roll.entry}").click()
        form = referee.locator("details[open] form", has=referee.get_by_role("button", name="Correct"))
        form.locator(f"input[name=before][value='{read}']").check()
        form.locator(f"input[name=after][value='{other}']").check()
        form.get_by_label("Reason").fill("On the frames before it is another one.")
        looked_at(referee, "ruling-desk")
        form.get_by_role("button", name="Correct").click()
        for page in (ann, ben):
            page.get_by_text("On the frames before it is another one.").first.wait_for()
        shot(ben, "ruled-phone")
        ann.get_by_role("button", name="Chance").click()
        ben.get_by_role("button", name="Agreed").click()
        ann.locator("#board h1").get_by_text("Ben is to throw roll 1 of 3").wait_for()
        total = sum(roll.values) - read + other
        assert ann.locator("tr", has_text="Chance").last.locator("td").first.inner_text() == str(total)
        looked_at(ann, "scored-phone")
        ann.get_by_role("link", name="Rolls").click()
        ann.locator("img").first.wait_for()
        looked_at(ann, "rolls-phone")
        referee.set_viewport_size(PHONE)
        shot(referee, "case-phone")
        plain = opened(PHONE, ignore_https_errors=True, java_script_enabled=False)
        plain.goto(f"https://127.0.0.1:{appliance.referee}/login")
        plain.get_by_label("PIN").fill(PIN)
        plain.get_by_role("button", name="Sign in").click()
        plain.get_by_role("heading", name="Nothing is open").wait_for()
        plain.get_by_role("button", name="Sign out").click()
        plain.get_by_label("PIN").wait_for()
        assert not errors
        assert appliance.stopped() == 0
    rulings = [one.ruling for one in History(appliance.match).rulings]
    (ruled,) = (ruling for ruling in rulings if isinstance(ruling, RefereeRuled))
    assert (ruled.before, ruled.after, ruled.replaces) == (read, other, roll.entry)
    assert [ruling.points for ruling in rulings if isinstance(ruling, BoxEntered)] == [total]
    verified = fairtray("match", "verify", appliance.match, "--json")
    assert verified.returncode == 0 and json.loads(verified.stdout)["ok"], verified.stdout + verified.stderr
