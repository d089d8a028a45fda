"""The wiring as a diagram: the Pi's header, and what hangs on each pin by the default configuration."""

import re
from pathlib import Path

import schemdraw
from schemdraw import elements

PAGE = Path(__file__).parent.parent / "WIRING.md"
PICTURE = Path(__file__).parent.parent / "wiring.svg"
ROWS = 20
SUPPLY = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
NAME, WIRE = 1.4, 0.6
"""Room for the pin's name beside it, and the length of a wire drawn, in units of the drawing."""
_INKS = {"button": "#00649a", "lamp": "#b05a00", "buzzer": "#7a3080", "display": "#006b4a", "colour": "#006b4a"}


def table(page: Path = PAGE) -> dict[int, tuple[str, int]]:
    """The pin table of the wiring: what hangs on each place of the header, and the pin's BCM number."""
    rows = re.findall(r"^\| ([^|]+?) \| [^|]*\| (\d+) \| (\d+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {int(place): (what, int(number)) for what, number, place in rows}


def diagram() -> bytes:
    """The diagram as SVG."""
    schemdraw.use("svg")
    wired = table()
    names = {place: f"GPIO{number}" for place, (_, number) in wired.items()}
    names |= SUPPLY | dict.fromkeys(GROUND, "ground")
    drawing = schemdraw.Drawing(show=False, fontsize=11)
    header = drawing.add(
        elements.Header(
            rows=ROWS, cols=2, numbering="lr", pinfontsize=9,
            pinsleft=[names.get(2 * row + 1, "") for row in range(ROWS)], pinalignleft="center",
            pinsright=[names.get(2 * row + 2, "") for row in range(ROWS)], pinalignright="center",
        )
    )  # fmt: skip
    for place, (what, _) in wired.items():
        x, y = getattr(header, f"pin{place}")
        side = -1 if place % 2 else 1
        ink = next(ink for name, ink in _INKS.items() if what.startswith(name))
        drawing.add(elements.Line().at((x + side * NAME, y)).to((x + side * (NAME + WIRE), y)).color(ink))
        end = elements.Dot().at((x + side * (NAME + WIRE), y)).color(ink)
        drawing.add(end.label(what.replace("`", ""), loc="left" if side < 0 else "right"))
    return bytes(drawing.get_imagedata("svg"))


def main() -> None:
    """Write the diagram."""
    PICTURE.write_bytes(diagram())


if __name__ == "__main__":
    main()
