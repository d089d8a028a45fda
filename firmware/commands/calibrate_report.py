"""The report of a calibration: one HTML file with its pictures and plots in it."""

import base64
import html
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.quality import row_brightness
from calibration.run import Result
from calibration.words import sentences

Image = npt.NDArray[np.uint8]

WIDTH = 960
"""Px across of a picture in the report."""
GREEN, RED, YELLOW, WHITE = (80, 220, 80), (60, 60, 240), (60, 220, 250), (255, 255, 255)
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "img,svg{width:100%;height:auto}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}"
    ".pass{color:#17772c}.fail{color:#b3261e}"
)


def report(result: Result, source: str) -> str:
    """The HTML page."""
    verdict = "fail" if not result.ok else "pass with advice" if result.advice else "pass"
    told = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences(result))
    parts = [
        f"<h1>Calibration of {html.escape(source)}: <span class={verdict[:4]}>{verdict}</span></h1>",
        f"<ul>{told}</ul>",
        "<h2>The tray</h2>",
        _picture(_tray(result), "the floor's outline, with 50 mm and a die in its middle"),
        "<h2>The dice</h2>",
        _picture(_dice(result), "dice as they were read at rest; a question mark is not sure") if result.dice else "",
        "<h2>Measures</h2>",
        _table(result),
        "<h2>Brightness of the picture, frame by frame</h2>",
        _plot(row_brightness(result.recording).mean(1).tolist(), "share of the usual"),
        "<h2>Time from frame to frame, ms</h2>",
        _plot((1000 * np.diff(result.recording.times)).tolist(), "ms"),
        "<h2>Distance of the floor's edge from its shape, round it, px</h2>" if result.outline else "",
        _plot(result.outline.offsets.tolist(), "px") if result.outline else "",
    ]
    body = "\n".join(part for part in parts if part)
    head = f'<meta charset="utf-8"><title>Fairtray calibration</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en">{head}\n{body}\n</html>\n'


def _tray(result: Result) -> Image:
    """The empty tray with outline, scale, and a ring round every fault that has a place."""
    picture = result.empty.copy()
    width = max(1, round(picture.shape[1] / 480))
    found = result.calibration
    if found is not None and found.lens is not None:
        outline = np.array(found.floor)
        cv2.polylines(picture, [np.round(outline * 8).astype(np.int32)], True, GREEN, width, cv2.LINE_AA, 3)
        known = found.scale != "assumed"
        ends = found.lens.project([(-25.0, 0.0), (25.0, 0.0)]).round().astype(int).tolist()
        if known:
            cv2.line(picture, ends[0], ends[1], YELLOW, 2 * width, cv2.LINE_AA)
            _write(picture, "50 mm", (ends[1][0] + 6, ends[1][1]), YELLOW)
        half = found.die_mm / 2
        y = 2 * found.die_mm
        square = np.array([(-half, y - half), (half, y - half), (half, y + half), (-half, y + half)])
        drawn = found.lens.project(square, found.die_mm)
        cv2.polylines(picture, [np.round(drawn * 8).astype(np.int32)], True, YELLOW, width, cv2.LINE_AA, 3)
    elif result.outline is not None:
        for x, y in result.outline.points:
            cv2.circle(picture, (round(float(x)), round(float(y))), width, RED, -1)
    for x, y, area in result.spots:
        radius = round(1.6 * float(np.sqrt(area / np.pi))) + 6
        cv2.circle(picture, (round(x), round(y)), radius, RED, 2 * width, cv2.LINE_AA)
        _write(picture, "lamp mirrored", (round(x) + radius, round(y)), RED)
    return picture


def _dice(result: Result) -> Image:
    """Every die seen at rest, cut out, with its value."""
    tiles = []
    for die in result.dice[:24]:
        at, face = die.lying, die.lying.face_px
        scale = 96 / (2.2 * face)
        warp = np.array([[scale, 0, 48 - scale * at.x], [0, scale, 48 - scale * at.y]])
        tile = np.asarray(cv2.warpAffine(at.picture, warp, (96, 96), flags=cv2.INTER_LINEAR), np.uint8)
        _write(tile, "?" if die.value is None else str(die.value), (4, 22), YELLOW if die.value is None else GREEN)
        tiles.append(tile)
    blank = np.full((96, 96, 3), 255, np.uint8)
    tiles += [blank] * (-len(tiles) % 8)
    return np.vstack([np.hstack(tiles[row : row + 8]) for row in range(0, len(tiles), 8)])


def _write(picture: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    size = max(0.5, picture.shape[1] / 1200)
    for shade, thick in (((0, 0, 0), 4), (colour, 1)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, shade, thick, cv2.LINE_AA)


def _picture(picture: Image, about: str) -> str:
    """An image element that holds the picture."""
    if picture.shape[1] > WIDTH:
        factor = WIDTH / picture.shape[1]
        picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return f'<img alt="{html.escape(about)}" src="data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}">'


def _table(result: Result) -> str:
    quality, recording, found = result.quality, result.recording, result.calibration
    rows = [
        ("frames a second", f"{recording.fps:.1f}, {recording.jitter_ms:.1f} ms of jitter"),
        ("brightness", f"middle {quality.level:.0f}, brightest {quality.brightest:.0f} of 255"),
        ("noise", f"{quality.noise:.1f} levels"),
        ("blur", f"{quality.blur_px:.1f} px"),
        ("flicker", f"{100 * quality.flicker:.1f} %" + (f", mains of {quality.mains} Hz" if quality.mains else "")),
        ("camera's movement", f"{quality.shift_px:.1f} px"),
    ]
    if found is not None and found.lens is not None:
        known = found.scale != "assumed"
        mm = 1 / float(found.lens.px_per_mm(found.lens.project([(0.0, 0.0)]))[0])
        height = f", {found.lens.place[2]:.0f} mm above the floor" if known else ""
        rows += [
            ("tray", found.shape),
            ("scale", f"{mm:.4f} mm a px, by {found.scale}" if known else "not known"),
            ("dice", f"{found.die_px:.1f} px" + (f", {found.die_mm:.2f} mm" if known else "")),
            ("camera", f"{57.29578 * found.lens.tilt:.1f} degrees off the vertical{height}"),
        ]
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


def _plot(values: Sequence[float], unit: str) -> str:
    """A line plot as SVG."""
    if len(values) < 2:
        return "<p>too few frames</p>"
    low, high = min(values), max(values)
    if high - low < 1e-6:
        low, high = low - 1, high + 1
    points = " ".join(
        f"{40 + 900 * k / (len(values) - 1):.1f},{130 - 120 * (value - low) / (high - low):.1f}"
        for k, value in enumerate(values)
    )
    labels = (
        f'<text x="2" y="14" font-size="11">{high:.3g}</text><text x="2" y="132" font-size="11">{low:.3g} {unit}</text>'
    )
    line = f'<polyline points="{points}" fill="none" stroke="#2a6fb0" stroke-width="1.2"/>'
    return f'<svg viewBox="0 0 950 140" role="img" aria-label="{unit}">{labels}{line}</svg>'
