"""Pictures of tilesets are read in the usual formats; what is damaged or too large is refused."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from randomizer.systems.interchange.tile_pictures import read_pixels
from randomizer.systems.interchange.tiled.tiled_pictures import write_png

PIXELS = np.random.default_rng(1).integers(0, 256, (7, 5, 4), np.uint8)


def saved(kind: str, mode: str, **options: object) -> bytes:
    file = BytesIO()
    Image.fromarray(PIXELS).convert(mode).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("mode", ["RGBA", "RGB", "L", "LA", "P", "1"])
def test_pngs_of_every_kind_of_colours_are_read(mode: str) -> None:
    expected = np.array(Image.fromarray(PIXELS).convert(mode).convert("RGBA"))
    assert (read_pixels(saved("PNG", mode)) == expected).all()


def test_16_bits_of_grey_lose_the_lower_ones() -> None:
    file = BytesIO()
    Image.fromarray(np.array([[0, 255, 256, 65535]], np.uint16)).save(file, "PNG")
    assert read_pixels(file.getvalue())[0, :, 0].tolist() == [0, 0, 1, 255]


def test_jpeg_and_lossless_webp_are_read_and_png_is_written() -> None:
    assert (read_pixels(saved("WEBP", "RGBA", lossless=True, exact=True)) == PIXELS).all()
    assert read_pixels(saved("JPEG", "RGB")).shape == (7, 5, 4)
    assert (read_pixels(write_png(PIXELS)) == PIXELS).all()


def huge(width: int, height: int) -> bytes:
    """A PNG that says that it is large."""
    data = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + data + struct.pack(">I", zlib.crc32(data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (saved("GIF", "P"), "no picture"),
        (b"", "no picture"),
        (saved("PNG", "RGB")[:60], "damaged"),
        (saved("JPEG", "RGB")[:-200], "damaged"),
        (huge(4, 4), "damaged"),
        (huge(2**20, 2**20), "are not read"),
        (huge(0, 4), "are not read"),
    ],
)
def test_others_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_pixels(data)
