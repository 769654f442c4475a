"""Previews of random maps: PNG files, or textures as packaged games have them instead.

Source: Microsoft's description of the DDS file and of its block compression (BC1, BC2, BC3).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.mod_files import PREVIEWS

SHOWN = 400, 300
"""The part of a preview that is shown, in pixels: its left upper corner."""

SIDE_LIMIT = 2048
_HEADER = 128
_BLOCK_BYTES = {b"DXT1": 8, b"DXT3": 16, b"DXT5": 16}


def preview_of(read: Callable[[str], bytes | None], name: str) -> bytes | None:
    """Return the preview of a metadata file's ``Preview`` as a PNG file, None if there is none.

    ``read`` gives the files of the mods. Of a PNG file only the left upper ``SHOWN`` pixels mean
    something; a texture is cut to these.
    """
    data = read(f"{PREVIEWS}{name}")
    if data is not None and data.startswith(b"\x89PNG"):
        return data
    texture = read(f"{PREVIEWS}{name}.cached.dds")
    pixels = None if texture is None else pixels_of_dds(texture)
    if pixels is None:
        return None
    return colour_png(pixels[: SHOWN[1], : SHOWN[0]])


def pixels_of_dds(data: bytes) -> NDArray[np.uint8] | None:
    """Return the colours of a block-compressed texture, (height, width, 3); None for other
    files.
    """
    try:
        height, width = struct.unpack_from("<II", data, 12)
        size = _BLOCK_BYTES.get(data[84:88], 0)
        if data[:4] != b"DDS " or not size or height % 4 or width % 4:
            return None
        if not (0 < height <= SIDE_LIMIT and 0 < width <= SIDE_LIMIT):
            return None
        count = height * width // 16
        blocks = np.frombuffer(data, np.uint8, count * size, _HEADER).reshape(count, size)[:, -8:]
    except (struct.error, ValueError):
        return None
    ends = np.ascontiguousarray(blocks[:, :4]).view("<u2")
    first = _rgb(ends[:, 0])
    second = _rgb(ends[:, 1])
    three = (ends[:, 0] <= ends[:, 1])[:, None] & (size == 8)  # a middle colour, and black
    between = np.where(three, (first + second) // 2, (2 * first + second) // 3)
    last = np.where(three, 0, (first + 2 * second) // 3)
    palettes = np.stack([first, second, between, last], axis=1).astype(np.uint8)
    codes = np.ascontiguousarray(blocks[:, 4:]).view("<u4")
    chosen = (codes >> (2 * np.arange(16, dtype=np.uint32))) & 3
    texels: NDArray[np.uint8] = palettes[np.arange(count)[:, None], chosen]
    squares = texels.reshape(height // 4, width // 4, 4, 4, 3)
    return squares.transpose(0, 2, 1, 3, 4).reshape(height, width, 3)


def _rgb(packed: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Colours of 5, 6 and 5 bits as (n, 3) values up to 255."""
    parts = [(packed >> 11) & 31, (packed >> 5) & 63, packed & 31]
    scaled = [
        part.astype(np.int64) * 255 // most for part, most in zip(parts, (31, 63, 31), strict=True)
    ]
    return np.stack(scaled, axis=1)


def colour_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return the PNG file of (height, width, 3) values of red, green and blue."""
    height, width, _three = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"\x89PNG\r\n\x1a\n"
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    for kind, data in chunks:
        chunk += struct.pack(">I", len(data)) + kind + data
        chunk += struct.pack(">I", zlib.crc32(kind + data))
    return chunk
