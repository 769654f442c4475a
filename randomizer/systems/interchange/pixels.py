"""Pictures of tiles as arrays of red, green, blue and alpha; the core has no Qt.

pixels = read_pixels(data)         # (height, width, 4) uint8; ValueError for what is none
write_png(pixels[:32, :32])
"""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from randomizer.model.assets import picture_size

Pixels = NDArray[np.uint8]

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
MOST_PIXELS = 2**24
"""Of a picture: more take too much memory."""


def read_pixels(data: bytes) -> Pixels:
    """Return the pixels of a PNG, JPEG or WebP. Raises ValueError for others and damaged ones."""
    size = picture_size(data)
    if size is None:
        raise ValueError("it is no picture (PNG, JPEG or WebP)")
    if not 0 < size[0] * size[1] <= MOST_PIXELS:
        raise ValueError(f"{size[0]:,} x {size[1]:,} pixels are not read")
    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as file:
            image: Image.Image = file
            if image.mode.startswith("I"):  # 16 bits, of which the lower are left out
                image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
            return np.array(image.convert("RGBA"))
    except Exception as failed:  # whatever the decoder of a format says of damaged bytes
        raise ValueError("it is damaged") from failed


def cut_pixels(pixels: Pixels, left: int, top: int, width: int, height: int) -> Pixels:
    """Return a box of a picture; what lies outside of the picture is clear."""
    return np.array(Image.fromarray(pixels).crop((left, top, left + width, top + height)))


def turn_pixels(pixels: Pixels, degrees: int) -> Pixels:
    """Return a picture turned clockwise around its middle, in its box."""
    return np.array(Image.fromarray(pixels).rotate(-degrees))


def write_png(pixels: Pixels) -> bytes:
    """Return the PNG of (height, width, 4) values of red, green, blue and alpha."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()
