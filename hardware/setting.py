"""Setting text: the largest letters in which it has room, and its lines."""

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


def pieces(text: str, width: int, face: Typeface) -> list[str]:
    """A text without spaces in lines, cut where it must be."""
    lines = [""]
    for char in text:
        if face.width(lines[-1] + char) > width:
            lines.append("")
        lines[-1] += char
    return lines
