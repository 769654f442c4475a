"""Reads previews of random maps: PNG files, or textures as packaged games have them instead.

Generators and the list of scripts call ``preview_of``.

The textures are DDS files of square *blocks* of 4 x 4 pixels, which lie in the file row by row. A
block has a *palette* of four colours, of which two are written down, and for each pixel a *choice*:
the number of its colour in the palette, in two bits. The last 8 bytes of a block are::

    2 bytes    the first colour: 5 bits of red, 6 of green, 5 of blue
    2 bytes    the second colour
    4 bytes    16 choices, row by row; the lowest two bits are that of the upper left pixel

Source: Microsoft's description of the DDS file and of its block compression (BC1, BC2, BC3).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.mod_paths import PREVIEWS

SHOWN = (400, 300)
"""The width and height, in pixels, of the part that is shown: the upper left corner."""

SIDE_LIMIT = 2048
"""The most pixels of a side of a texture: a damaged file cannot ask for more memory."""

# The header of a DDS file.
_SIGNATURE = b"DDS "
_HEADER_BYTES = 128
_SIDES_AT = 12
"""The offset of the height and the width."""
_FORMAT_AT = slice(84, 88)
"""The position of the name of the compression."""

_BLOCK_SIDE = 4
"""The pixels along the side of a block."""

_PIXELS_OF_BLOCK = _BLOCK_SIDE * _BLOCK_SIDE

_COLOUR_BYTES = 8
"""The last bytes of a block, which hold its colours; opacity, which is not read, comes before."""

_BITS_OF_CHOICE = 2


@dataclass(frozen=True)
class _Compression:
    """A kind of block compression."""

    block_bytes: int
    """The size of a block."""

    can_have_black: bool
    """Whether black takes the place of a mixed colour in the palettes of some blocks."""


_COMPRESSIONS = {
    b"DXT1": _Compression(8, can_have_black=True),
    b"DXT3": _Compression(16, can_have_black=False),
    b"DXT5": _Compression(16, can_have_black=False),
}
"""The kinds of compression that are read, by their names in files."""


def preview_of(read: Callable[[str], bytes | None], name: str) -> bytes | None:
    """Return the preview of a metadata file's ``Preview`` as a PNG file, None if there is none.

    ``read`` returns the bytes of a file of the mods, None if no mod has it. A texture is cut to the
    part that is shown; a PNG file is returned as it is.
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
    shown_width, shown_height = SHOWN
    return colour_png(pixels[:shown_height, :shown_width])


@dataclass(frozen=True, eq=False)
class _Texture:
    """The blocks of a texture, still compressed."""

    height: int
    """In pixels, a multiple of the side of a block."""

    width: int
    """In pixels, a multiple of the side of a block."""

    compression: _Compression

    colours: NDArray[np.uint8]
    """The bytes of colours of each block, (blocks, _COLOUR_BYTES)."""


def pixels_of_dds(data: bytes) -> NDArray[np.uint8] | None:
    """Return the colours of a block-compressed texture, (height, width, 3).

    None for other files, and for those that are too large or cut off.
    """
    try:
        texture = _read_texture(data)
    except (struct.error, ValueError):
        return None

    # Put the colour of the palette for each choice: (blocks, 16, 3).
    block_numbers = np.arange(len(texture.colours))
    pixels = _palettes(texture)[block_numbers[:, None], _choices(texture)]

    # The axes are the row of the block, its column, the row and the column in the block.
    rows_of_blocks = texture.height // _BLOCK_SIDE
    columns_of_blocks = texture.width // _BLOCK_SIDE
    blocks = pixels.reshape(rows_of_blocks, columns_of_blocks, _BLOCK_SIDE, _BLOCK_SIDE, 3)
    picture: NDArray[np.uint8] = blocks.transpose(0, 2, 1, 3, 4)
    return picture.reshape(texture.height, texture.width, 3)


def _read_texture(data: bytes) -> _Texture:
    """Return the blocks of a DDS file. Raises ValueError or struct.error if it cannot be read."""
    height, width = struct.unpack_from("<II", data, _SIDES_AT)
    compression = _COMPRESSIONS.get(data[_FORMAT_AT])
    if not data.startswith(_SIGNATURE) or compression is None:
        raise ValueError("not a DDS file, or of another compression")
    if height % _BLOCK_SIDE or width % _BLOCK_SIDE:
        raise ValueError("there are parts of blocks")
    if not (0 < height <= SIDE_LIMIT and 0 < width <= SIDE_LIMIT):
        raise ValueError("a side is too long, or zero")
    count = height * width // _PIXELS_OF_BLOCK
    size = count * compression.block_bytes
    blocks = np.frombuffer(data, np.uint8, size, _HEADER_BYTES).reshape(count, -1)
    return _Texture(height, width, compression, colours=blocks[:, -_COLOUR_BYTES:])


def _choices(texture: _Texture) -> NDArray[np.uint32]:
    """Return the number (0 .. 3) of each pixel's colour in the palette of its block, (blocks, 16).

    Bits 0b...1101 are choice 1 for the first pixel and choice 3 for the second one.
    """
    all_choices = np.ascontiguousarray(texture.colours[:, 4:]).view("<u4")
    shifts = _BITS_OF_CHOICE * np.arange(_PIXELS_OF_BLOCK, dtype=np.uint32)
    return np.asarray((all_choices >> shifts) & 0b11, np.uint32)


def _palettes(texture: _Texture) -> NDArray[np.uint8]:
    """Return the four colours of each block, (blocks, 4, 3).

    Two colours are in the block. The others lie between them, at a third and two thirds; or, where
    the compression has black and the first colour is not greater as a number, they are the one in
    the middle, and black.
    """
    packed_colours = np.ascontiguousarray(texture.colours[:, :4]).view("<u2")
    packed_first = packed_colours[:, 0]
    packed_second = packed_colours[:, 1]
    first = _rgb(packed_first)
    second = _rgb(packed_second)
    third = (2 * first + second) // 3
    fourth = (first + 2 * second) // 3
    if texture.compression.can_have_black:
        has_black = (packed_first <= packed_second)[:, None]
        third = np.where(has_black, (first + second) // 2, third)
        fourth = np.where(has_black, 0, fourth)
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
    bits_of_channel = 8
    rgb = 2
    header = struct.pack(">IIBBBBB", width, height, bits_of_channel, rgb, 0, 0, 0)
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, -1)
    compressed_rows = zlib.compress(rows.tobytes(), 6)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _png_chunk(b"IHDR", header),
            _png_chunk(b"IDAT", compressed_rows),
            _png_chunk(b"IEND", b""),
        )
    )


def _png_chunk(kind: bytes, content: bytes) -> bytes:
    """Return a part of a PNG file: its length, its kind, its content, and a checksum of both."""
    length = struct.pack(">I", len(content))
    checksum = struct.pack(">I", zlib.crc32(kind + content))
    return length + kind + content + checksum
