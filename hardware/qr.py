"""A text as a QR code, for phones."""

from functools import lru_cache

from PIL import Image

QUIET = 2
"""Light modules around the code: the standard asks for four, which small displays have no room for; phones read two."""


@lru_cache(maxsize=4)
def qr_code(text: str, side: int) -> Image.Image:
    """The code of `text` as a picture of mode "1", dark on light: as large as whole modules fit into `side` dots."""
    import cv2  # here: whoever only names the displays, as the configuration does, needs none of it

    found = cv2.QRCodeEncoder.create().encode(text)  # with a quiet zone of its own, and of one dot to a module
    dark = (found < 128).nonzero()
    code = found[dark[0].min() : dark[0].max() + 1, dark[1].min() : dark[1].max() + 1]
    modules = Image.fromarray(code).convert("1")
    times = max(1, side // (modules.width + 2 * QUIET))
    large = modules.resize((modules.width * times, modules.height * times), Image.Resampling.NEAREST)
    picture = Image.new("1", (large.width + 2 * QUIET * times, large.height + 2 * QUIET * times), 1)
    picture.paste(large, (QUIET * times, QUIET * times))
    return picture
