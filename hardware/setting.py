"""Setting text: the largest letters in which it has room, and its lines."""

from collections.abc import Sequence

from hardware.lettering import Typeface


def largest(text: str, width: int, *faces: Typeface) -> Typeface:
    """The first of the typefaces in which `text` fits `width`, else the last."""
    return next((face for face in faces if face.width(text) <= width), faces[-1])


def wrapped(text: str, width: int, height: int, *faces: Typeface) -> tuple[list[str], Typeface]:
    """`text` in lines in the first of the typefaces in which it fits; in the last one what does not fit is cut."""
    for face in faces:
        lines = face.wrap(text, width)
        room = (height + face.pitch - face.height) // face.pitch
        if len(lines) <= room and all(face.width(word) <= width for word in text.split()):
            return lines, face
    if len(lines) <= room:
        return lines, face
    return [*lines[: room - 1], face.shorten(" ".join(lines[room - 1 :]), width)], face


def ranked(totals: Sequence[tuple[str, int]], room: int) -> tuple[list[tuple[str, int]], int]:
    """The totals, best first, in so many lines, and how many have no room beside the line that says so."""
    best = sorted(totals, key=lambda total: -total[1])
    return (best, 0) if len(best) <= room else (best[: room - 1], len(best) - room + 1)


def pairs_width(pairs: Sequence[tuple[str, str]], names: Typeface, points: Typeface, gap: int) -> int:
    """Of lines with a name on the left and points on the right, the longest of each so far apart."""
    widths = [(names.width(name), points.width(worth)) for name, worth in pairs]
    return max((name for name, _ in widths), default=0) + gap + max((worth for _, worth in widths), default=0)


def pieces(text: str, width: int, face: Typeface) -> list[str]:
    """A text without spaces in lines, cut where it must be."""
    lines = [""]
    for char in text:
        if face.width(lines[-1] + char) > width:
            lines.append("")
        lines[-1] += char
    return lines
