"""Reads previews of random maps: PNG files, or textures as packaged games have them instead.

Generators and the list of scripts call ``preview_of``. Source: Microsoft's description of the DDS
file and of its block compression (BC1, BC2, BC3).
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
"""The most pixels of a side of a texture."""

# The header of a DDS file.
_HEADER_BYTES = 128
_SIDES_AT = 12
"""The offset of the height and the width."""
_FORMAT_AT = slice(84, 88)
"""The position of the name of the compression."""

_BLOCK = 4
"""The pixels along the side of a block, which are compressed together."""
_BLOCK_BYTES = {b"DXT1": 8, b"DXT3": 16, b"DXT5": 16}
"""The size of a block by the compression. The last 8 bytes are the colours."""
_COLOUR_BYTES = 8


def preview_of(read: Callable[[str], bytes | None], name: str) -> bytes | None:
    """Return the preview of a metadata file's ``Preview`` as a PNG file, None if there is none.

    ``read`` gives the files of the mods. Of a PNG file only the left upper ``SHOWN`` pixels mean
    something; a texture is cut to these.
    """
    data = read(f"{PREVIEWS}{name}")
    if data is not None and data.startswith(b"\x89PNG"):
        return data
    texture = read(f"{PREVIEWS}{name}.cached.dds")
    if texture is None:
        return None
    pixels = pixels_of_dds(texture)
    if pixels is None:
        return None
    return colour_png(pixels[: SHOWN[1], : SHOWN[0]])


def pixels_of_dds(data: bytes) -> NDArray[np.uint8] | None:
    """Return the colours of a block-compressed texture, (height, width, 3).

    None for other files. A block of 4 x 4 pixels has a palette of four colours, and for each pixel
    two bits that choose one of them.
    """
    try:
        height, width = struct.unpack_from("<II", data, _SIDES_AT)
        block_bytes = _BLOCK_BYTES.get(data[_FORMAT_AT], 0)
        if data[:4] != b"DDS " or not block_bytes or height % _BLOCK or width % _BLOCK:
            return None
        if not (0 < height <= SIDE_LIMIT and 0 < width <= SIDE_LIMIT):
            return None
        count = height * width // (_BLOCK * _BLOCK)
        file_blocks = np.frombuffer(data, np.uint8, count * block_bytes, _HEADER_BYTES)
    except (struct.error, ValueError):
        return None
    blocks = file_blocks.reshape(count, block_bytes)[:, -_COLOUR_BYTES:]
    palettes = _palettes(blocks, can_have_black=block_bytes == _COLOUR_BYTES)

    bits = np.ascontiguousarray(blocks[:, 4:]).view("<u4")
    choices = (bits >> (2 * np.arange(_BLOCK * _BLOCK, dtype=np.uint32))) & 3
    pixels: NDArray[np.uint8] = palettes[np.arange(count)[:, None], choices]
    squares = pixels.reshape(height // _BLOCK, width // _BLOCK, _BLOCK, _BLOCK, 3)
    return squares.transpose(0, 2, 1, 3, 4).reshape(height, width, 3)


def _palettes(blocks: NDArray[np.uint8], *, can_have_black: bool) -> NDArray[np.uint8]:
    """Return the four colours of each block, (blocks, 4, 3).

    Two colours are in the block, the others lie between them: at a third and two thirds; or, if the
    first is not greater as a number (in DXT1 only), one in the middle, and black.
    """
    packed_colours = np.ascontiguousarray(blocks[:, :4]).view("<u2")
    first = _rgb(packed_colours[:, 0])
    second = _rgb(packed_colours[:, 1])
    has_black = (packed_colours[:, 0] <= packed_colours[:, 1])[:, None] & can_have_black
    third = np.where(has_black, (first + second) // 2, (2 * first + second) // 3)
    fourth = np.where(has_black, 0, (first + 2 * second) // 3)
    return np.stack([first, second, third, fourth], axis=1).astype(np.uint8)


def _rgb(packed: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return colours (n,) of 5, 6 and 5 bits as (n, 3) values up to 255."""
    red = ((packed >> 11) & 31).astype(np.int64) * 255 // 31
    green = ((packed >> 5) & 63).astype(np.int64) * 255 // 63
    blue = (packed & 31).astype(np.int64) * 255 // 31
    return np.stack([red, green, blue], axis=1)


def colour_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return the PNG file of (height, width, 3) values of red, green and blue."""
    height, width, _three = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    bits_of_channel = 8
    rgb = 2
    header = struct.pack(">IIBBBBB", width, height, bits_of_channel, rgb, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n"
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    for kind, data in chunks:
        file += struct.pack(">I", len(data)) + kind + data
        file += struct.pack(">I", zlib.crc32(kind + data))
    return file
