"""The errors of vision: one root, so that a caller can catch all of them, and one leaf per concern."""


class VisionError(ValueError):
    """Something vision was given cannot be used; the message is one line: what is wrong and what to do."""


class ModelError(VisionError):
    """A network file or the model card is missing, damaged, or not the one that belongs here."""


class PictureError(VisionError):
    """A picture or a die size cannot be read as one."""


class SourceError(VisionError):
    """A video, a folder of frames or a camera cannot be opened, or has no usable picture."""


class GeometryError(VisionError):
    """A tray's outline, die size or homography cannot belong to any tray."""
