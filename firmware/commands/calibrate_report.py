"""The report of a calibration: one HTML file with its pictures and plots in it."""

import base64
import html
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.facts import Calibration
from calibration.quality import row_brightness
from calibration.row import Row
from calibration.run import Result, doubts
from calibration.shape import border, mm_per_px
from calibration.trace import Outline
from calibration.words import sentences, unsure_words
from vision.lens import Lens

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

WIDTH = 960
"""Px across of a picture in the report."""
BANDS, BAND_CONTRAST = 120, 640.0
"""Frames in the picture of the lamp's flicker, and levels to a change of the brightness by one."""
STRONGEST_BAND = 0.5
"""Share by which the darkest or lightest band is drawn darker or lighter than the picture."""
GREEN, RED, YELLOW, BLUE, WHITE = (80, 220, 80), (60, 60, 240), (60, 220, 250), (250, 190, 80), (245, 245, 245)
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}"
    ".tray{width:100%;height:auto}.dice,.faces{display:flex;flex-wrap:wrap;gap:4px}.faces svg{width:4rem}"
    "figure{margin:0}figure svg{display:block;width:100%;height:7rem}figcaption{font-size:.85rem;color:#555}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}"
    ".pass{color:#17772c}.fail{color:#b3261e}"
)


def report(result: Result, source: str) -> str:
    """The HTML page."""
    verdict = "fail" if not result.ok else "pass with advice" if result.advice else "pass"
    told = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences(result))
    legend, drawn = _legend(result), _floor(result) is not None
    parts = [
        f"<h1>Calibration of {html.escape(source)}: <span class={verdict[:4]}>{verdict}</span></h1>",
        f"<ul>{told}</ul>",
        "<h2>The tray</h2>",
        _picture(_tray(result), legend, "tray"),
        f"<p>{html.escape(legend)}</p>",
        "<h2>The dice</h2><p>as they were read at rest; what is not sure has a question mark</p>"
        if result.dice
        else "",
        f"<div class=dice>{''.join(_dice(result))}</div>" if result.dice else "",
        f"<p>{html.escape(unsure_words(result))}</p>" if result.dice else "",
        _faces(result),
        "<h2>Measures</h2>",
        _table(result),
        "<h2>Brightness of the picture, frame by frame</h2>",
        _plot(row_brightness(result.recording).mean(1).tolist(), "of the usual", 0.1),
        *_flicker(result),
        "<h2>Time from frame to frame, ms</h2>",
        _plot((1000 * np.diff(result.recording.times)).tolist(), "ms", 10.0),
        "<h2>Distance of the floor's edge from its shape, round it, px</h2>" if drawn else "",
        _plot(result.outline.offsets.tolist(), "px", 2.0) if result.outline and drawn else "",
    ]
    body = "\n".join(part for part in parts if part)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
    head += f"<title>Fairtray calibration</title><style>{STYLE}</style>"
    return f'<!doctype html><html lang="en">{head}\n{body}\n</html>\n'


def _tray(result: Result) -> Image:
    """The empty tray with outline, scale, and a mark at every fault that has a place."""
    picture = result.empty.copy()
    width = max(1, round(picture.shape[1] / 480))
    found, floor = result.calibration, _floor(result)
    for edge in _rim(result):
        _line(picture, edge, WHITE, width)
    if floor is not None:
        asked = _is_asked(result, floor)
        _line(picture, floor, GREEN if result.ok else RED if asked else BLUE, width)
        if asked:
            _write(picture, "is this the floor?", _corner(floor), RED)
        _mark_cut(picture, floor, 3 * width)
    if result.elsewhere is not None:
        plain = _seen(result.elsewhere, result.recording.size)
        _line(picture, plain, RED, width)
        _write(picture, "or is this the floor?", _corner(plain), RED)
    if result.ok and found is not None and found.lens is not None:
        _draw_sizes(picture, found, found.lens, width)
    if result.other is not None:
        _line(picture, result.other, RED, 2 * width)
        x, y = result.other.mean(0).round().astype(int).tolist()
        _write(picture, "another tray", (x, y), RED, centred=True)
    for x, y, area in result.spots:
        radius = round(1.6 * float(np.sqrt(area / np.pi))) + 6
        cv2.circle(picture, (round(x), round(y)), radius, RED, 2 * width, cv2.LINE_AA)
        _write(picture, "lamp mirrored", (round(x) + radius, round(y)), RED)
    if result.light is not None and "uneven_light" in result.advice:
        x, y = (round(v) for v in result.light.darkest)
        _write(picture, "dark here", (x, y), YELLOW)
    return picture


def _floor(result: Result) -> Points | None:
    """The outline (n, 2), px, that was taken for the floor's; None where none is likely."""
    outline = result.outline
    if result.calibration is not None:
        return np.array(result.calibration.floor)
    if outline is None or not outline.likely:
        return None
    return _seen(outline, result.recording.size)


def _rim(result: Result) -> tuple[Points, ...]:
    """The rim's edges (n, 2), px, of a tray that passes, if they are seen."""
    return () if not result.ok or result.outline is None or result.outline.rim is None else result.outline.rim


def _seen(outline: Outline, size: tuple[int, int]) -> Points:
    """An outline (n, 2) in pictures of this size, px."""
    return outline.view.lens(size).project(border(outline.kind, outline.view.ratio, 64))


def _is_asked(result: Result, floor: Points) -> bool:
    """Whether people are asked if this is the floor: not where it is plain that it cannot be seen whole."""
    return result.calibration is None and not _beyond(result.empty, floor).any()


def _legend(result: Result) -> str:
    """What the lines in the tray's picture mean: green only where the floor can be trusted."""
    floor = _floor(result)
    if floor is None:
        return "Nothing here could be told to be a tray's floor."
    asked = not result.ok and _is_asked(result, floor)
    placed = bool(result.spots) or result.other is not None or bool(_beyond(result.empty, floor).any())
    told = {
        "green is the tray's floor": result.ok,
        "white is where its wall ends, and the rim's outer edge": bool(_rim(result)),
        "the yellow square is as large as a die": result.ok,
        "blue is what was taken for the floor": not result.ok and not asked,
        "red is what may be the floor, but is not sure": asked,
        "red is what is wrong": not asked and placed,
        "red is a plain edge that may be the floor's instead": result.elsewhere is not None,
    }
    words = "; ".join(name for name, holds in told.items() if holds)
    return f"{words[:1].upper()}{words[1:]}."


def _draw_sizes(picture: Image, found: Calibration, lens: Lens, width: int) -> None:
    """A die in the middle of the floor, and 50 mm where anything told how long they are."""
    ends = lens.project([(-25.0, 0.0), (25.0, 0.0)]).round().astype(int).tolist()
    if found.scale != "assumed":
        cv2.line(picture, ends[0], ends[1], YELLOW, 2 * width, cv2.LINE_AA)
        _write(picture, "50 mm", (ends[1][0] + 6, ends[1][1]), YELLOW)
    half, y = found.die_mm / 2, 2 * found.die_mm
    square = np.array([(-half, y - half), (half, y - half), (half, y + half), (-half, y + half)])
    _line(picture, lens.project(square, found.die_mm), YELLOW, width)


def _mark_cut(picture: Image, outline: Points, width: int) -> None:
    """A bar along the picture's border where the floor reaches beyond it."""
    limits = np.array(picture.shape[1::-1]) - 1
    beyond = _beyond(picture, outline)
    kept = np.clip(outline, width, limits - width).round().astype(int)
    for k in np.nonzero(beyond)[0]:
        for other in (k - 1, (k + 1) % len(kept)):
            cv2.line(picture, kept[k].tolist(), kept[other].tolist(), RED, 2 * width)
    if beyond.any():
        x, y = kept[beyond].mean(0).astype(int).tolist()
        _write(picture, "cut off here", (x + width, min(max(y, 12 * width), int(limits[1]) - 4 * width)), RED)


def _beyond(picture: Image, outline: Points) -> npt.NDArray[np.bool_]:
    """(n,) which points of an outline lie outside the picture."""
    return np.asarray(((outline < -1) | (outline > picture.shape[1::-1])).any(1), np.bool_)


def _line(picture: Image, outline: Points, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(picture, [np.round(outline * 8).astype(np.int32)], True, colour, width, cv2.LINE_AA, 3)


def _corner(outline: Points) -> tuple[int, int]:
    """Where to write about an outline: at its upper left, in the picture."""
    x, y = np.maximum(outline.min(0), (4, 24)).round().astype(int).tolist()
    return x, y


def _dice(result: Result) -> Iterator[str]:
    """Every die seen at rest, cut out, with its value."""
    for die in result.dice[:24]:
        at, face = die.lying, die.lying.face_px
        scale = 96 / (2.2 * face)
        warp = np.array([[scale, 0, 48 - scale * at.x], [0, scale, 48 - scale * at.y]])
        tile = np.asarray(cv2.warpAffine(at.picture, warp, (96, 96), flags=cv2.INTER_LINEAR), np.uint8)
        value = "?" if die.value is None else str(die.value)
        _write(tile, value, (4, 22), YELLOW if die.value is None else GREEN)
        yield _picture(tile, f"a die read as {value}")


def _faces(result: Result) -> str:
    """The six faces as they were registered, drawn; those that were not seen are empty. Pips of several colours are
    drawn in none, and the colours beside them: it is not registered which pip has which."""
    known = result.calibration.dice if result.calibration is not None else None
    if known is None or not known.pips:
        return ""
    body = _hex(known.colours[0] if known.colours else (255.0, 128.0, 128.0))
    inks = [_hex(colour) for colour in known.pip_colours or [(0.0, 128.0, 128.0)]]
    ink = f'fill="{inks[0]}"' if len(inks) == 1 else 'fill="none" stroke="#777" stroke-width="3"'
    faces = []
    for value in range(1, 7):
        pips = [(x, y) for of, x, y in known.pips if of == value]
        drawn = "".join(f'<circle cx="{50 + 88 * x:.1f}" cy="{50 + 88 * y:.1f}" r="8" {ink}/>' for x, y in pips)
        fill = body if pips else "none"
        edge = f'<rect x="6" y="6" width="88" height="88" rx="12" fill="{fill}" stroke="#999"/>'
        about = f"a {value}" if pips else f"no {value} was seen"
        faces.append(f'<svg viewBox="0 0 100 100" role="img" aria-label="{about}">{edge}{drawn}</svg>')
    missing = [str(value) for value in range(1, 7) if not any(of == value for of, _, _ in known.pips)]
    told = f"; not seen: {', '.join(missing)}" if missing else ""
    if len(inks) > 1:
        shown = " ".join(f'<span style="color:{one}" aria-label="{one}">&#9679;</span>' for one in inks)
        told += f"; its pips have these colours: {shown}"
    return f"<p>the set as it was registered{told}</p><div class=faces>{''.join(faces)}</div>"


def _hex(lab: Sequence[float]) -> str:
    colour = np.clip(np.round([[lab]]), 0, 255).astype(np.uint8)
    blue, green, red = cv2.cvtColor(colour, cv2.COLOR_LAB2BGR)[0, 0].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _flicker(result: Result) -> list[str]:
    """The bands of a flickering lamp: in the frame that shows them best, and leaning from frame to frame."""
    if "flicker" not in result.reasons:
        return []
    rows = row_brightness(result.recording)
    worst = rows[int(np.median(np.abs(rows - 1), axis=1).argmax())] - 1
    strong = max(float(np.quantile(np.abs(worst), 0.9)), 1e-6)  # a hand may change single rows much more
    plainer = 1 + STRONGEST_BAND * np.clip(worst / strong, -1, 1)
    light = cv2.resize(plainer.astype(np.float32)[:, None], (1, len(result.empty)))[..., None]
    banded = np.clip(result.empty * light, 0, 255).astype(np.uint8)
    shades = np.clip(128 + BAND_CONTRAST * (rows[:BANDS].T - 1), 0, 255).astype(np.uint8)
    drawn = cv2.resize(cv2.cvtColor(shades, cv2.COLOR_GRAY2BGR), (WIDTH, 240), interpolation=cv2.INTER_NEAREST)
    one = "the lamp lights the rows of a picture unlike: its dark and light bands, drawn stronger than they are"
    all_ = "how the bands wander: every column is a frame, every row one of the picture's"
    return [
        *("<h2>Flicker</h2>", f"<p>{one}</p>", _picture(banded, one, "tray")),
        *(f"<p>{all_}</p>", _picture(np.asarray(drawn, np.uint8), all_, "tray")),
    ]


def _write(picture: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], centred: bool = False) -> None:
    """Write, from a place on or about it, so that it can be read on anything, and stays in the picture."""
    size, font = max(0.6, picture.shape[1] / 900), cv2.FONT_HERSHEY_SIMPLEX
    thick = max(1, round(size))
    width = cv2.getTextSize(text, font, size, thick)[0][0]
    x, y = max(2, min(at[0] - centred * width // 2, picture.shape[1] - width - 2)), at[1]
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        cv2.putText(picture, text, (x + thick * dx, y + thick * dy), font, size, (0, 0, 0), thick, cv2.LINE_AA)
    cv2.putText(picture, text, (x, y), font, size, colour, thick, cv2.LINE_AA)


def _picture(picture: Image, about: str, kind: str = "") -> str:
    """An image element, of a class of its own where it has one, that holds the picture."""
    if picture.shape[1] > WIDTH:
        factor = WIDTH / picture.shape[1]
        picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    source = f"data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}"
    return f'<img class="{kind}" alt="{html.escape(about)}" src="{source}">'


def _table(result: Result) -> str:
    quality, recording, found = result.quality, result.recording, result.calibration
    light = result.light
    rows = [
        ("frames a second", f"{recording.fps:.1f}, {recording.jitter_ms:.1f} ms of jitter"),
        ("brightness", f"middle {quality.level:.0f}, brightest {quality.brightest:.0f} of 255"),
        ("noise", f"{quality.noise:.1f} levels"),
        ("blur", f"{quality.blur_px:.1f} px"),
        ("flicker", f"{100 * quality.flicker:.1f} %" + (f", mains of {quality.mains} Hz" if quality.mains else "")),
        ("camera's movement", f"{quality.shift_px:.1f} px"),
    ]
    if light is not None:
        blue, green, red = light.colour
        rows += [
            ("light on the floor", f"its darkest part is {100 * light.even:.0f} % as bright as its brightest"),
            ("overexposed", f"{100 * light.clipped:.0f} % of the floor"),
            ("floor's colour", f"red {red:.0f}, green {green:.0f}, blue {blue:.0f}"),
            (
                "change while filming",
                f"brightness {100 * light.brightness_drift:.0f} %, white balance {100 * light.colour_drift:.0f} %",
            ),
        ]
    if found is not None and found.lens is not None:
        known, mm = found.scale != "assumed", mm_per_px(found.lens)
        mm_doubt, die_doubt = doubts(result, mm)
        height = f", {found.lens.place[2]:.0f} mm above the floor" if known else ""
        rows += [
            ("tray", found.shape),
            ("scale", f"{mm:.4f}{_plus_minus(mm_doubt, 4)} mm a px, by the {found.scale}" if known else "not known"),
            (
                "dice",
                f"{found.die_px:.1f} px" + (f", {found.die_mm:.2f}{_plus_minus(die_doubt, 2)} mm" if known else ""),
            ),
            *([("row", _row(result.row, result.row_odd))] if result.row is not None else []),
            ("camera", f"{57.29578 * found.lens.tilt:.1f} degrees off the vertical{height}"),
        ]
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


def _row(row: Row, odd: bool) -> str:
    """What dice pushed together told."""
    return f"{row.count} dice pushed together" + (", left out, as their looks contradict it" if odd else "")


def _plus_minus(doubt: float | None, digits: int) -> str:
    return "" if doubt is None else f" ± {doubt:.{digits}f}"


def _plot(values: Sequence[float], unit: str, least: float) -> str:
    """A line plot; its height is a range of `least` at the least, or noise would look like a fault."""
    if len(values) < 2:
        return "<p>too few frames</p>"
    low, high = min(values), max(values)
    wider = max(0.0, least - (high - low)) / 2
    bottom, top = low - wider, high + wider
    points = " ".join(
        f"{100 * k / (len(values) - 1):.2f},{100 * (top - value) / (top - bottom):.2f}"
        for k, value in enumerate(values)
    )
    line = (
        f'<polyline points="{points}" fill="none" stroke="#2a6fb0" stroke-width="1.5" '
        'vector-effect="non-scaling-stroke"/>'
    )
    told = f"{low:.3g} to {high:.3g} {html.escape(unit)}"
    plot = f'<svg viewBox="0 -2 100 104" preserveAspectRatio="none" role="img" aria-label="{told}">{line}</svg>'
    return f"<figure>{plot}<figcaption>{told}</figcaption></figure>"
