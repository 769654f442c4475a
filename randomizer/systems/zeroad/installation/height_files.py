"""Reads the files of heights that scripts load: PNG pictures, and terrains in the PMP format.

``script_data`` calls ``heights_of_picture`` and ``terrain_of_pmp`` for a running script. A picture
comes from a mod, so a damaged file gives None, and never takes more memory than its size allows.

A PNG file is a signature and then *chunks*, of which two kinds are needed: the header, and the
pixels, which are compressed by zlib. Unpacked they are *lines*, one for each row of pixels from the
top: the number of a *filter*, then one byte for each byte of the row. That byte is the difference
from a prediction, and the filter says from which of the bytes around it is predicted. For a picture
of 3 x 2 grey pixels::

    1   10  2  0     filter 1, from the left:    the row is 10 12 12
    2    5  0  1     filter 2, from above:       the row is 15 12 13

Source: the W3C's specification of PNG.
"""

from __future__ import annotations

import struct
import zlib
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.terrain_file import PATCH, read_terrain

SIDE_LIMIT = 8192
"""The most pixels of a side."""

_GREY = 0
_RGB = 2
_GREY_ALPHA = 4
_RGB_ALPHA = 6

_CHANNELS = {_GREY: 1, _RGB: 3, _GREY_ALPHA: 2, _RGB_ALPHA: 4}
"""The number of channels by the colour type of a PNG file. Pictures with a palette are not read."""

_HAS_ALPHA = (_GREY_ALPHA, _RGB_ALPHA)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class _Filter(IntEnum):
    """The number at the start of a line: from which bytes each of its bytes is predicted.

    ``left`` is the byte of the same channel one pixel before, ``above`` the byte in the row above.
    """

    NONE = 0
    LEFT = 1
    ABOVE = 2
    AVERAGE = 3
    """From the mean of left and above."""
    PAETH = 4
    """From left, above, or above left, whichever is nearest to left + above - above left."""


def heights_of_picture(data: bytes) -> NDArray[np.uint16] | None:
    """Return the heights that ``Engine.LoadHeightmapImage`` returns for a PNG file.

    They are (n + 1)^2, row by row from the south. n is the shorter side rounded down to whole
    patches; a height is 256 times the brightness; the last row and column are there twice. None for
    a file that is no such picture.
    """
    grey = grey_of_png(data)
    if grey is None:
        return None
    side = min(grey.shape) // PATCH * PATCH
    if not side:
        return None
    rows_of_corners = np.minimum(np.arange(side + 1), side - 1)
    square = grey[np.ix_(rows_of_corners, rows_of_corners)].astype(np.uint16) * 256
    return np.ascontiguousarray(square[::-1]).ravel()


def grey_of_png(data: bytes) -> NDArray[np.uint8] | None:
    """Return the brightness of each pixel, (height, width): the largest of red, green and blue.

    None for files that are damaged, interlaced, too large, or have a palette.
    """
    try:
        chunks = _read_chunks(data)
        header = _read_header(chunks.header)
        rows = _unpacked_rows(header, chunks.pixels)
    except (ValueError, KeyError, struct.error, zlib.error):
        return None
    if header.depth < 8:
        return _small_depth_grey(header, rows)

    # Of channels with 16 bits the first byte, which is the higher one, is enough.
    pixels = rows.reshape(header.height, header.width, header.channels, header.depth // 8)[..., 0]
    if header.colour_type in _HAS_ALPHA:
        pixels = pixels[..., :-1]
    brightest: NDArray[np.uint8] = pixels.max(axis=2)
    return brightest


class _Chunks(NamedTuple):
    """The chunks of a PNG file that are needed."""

    header: bytes

    pixels: bytes
    """All lines, compressed by zlib."""


def _read_chunks(data: bytes) -> _Chunks:
    """Return the chunks of a PNG file. Raises ValueError, KeyError or struct.error.

    A chunk is its length, its kind, its bytes and a checksum, which is not looked at.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError("not a PNG file")
    chunks: dict[bytes, list[bytes]] = {}
    position = len(_SIGNATURE)
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        content_at = position + 8
        chunks.setdefault(kind, []).append(data[content_at : content_at + length])
        position = content_at + length + 4
    return _Chunks(chunks[b"IHDR"][0], b"".join(chunks[b"IDAT"]))


class _Header(NamedTuple):
    """The header of a PNG file that can be read."""

    width: int
    """In pixels."""

    height: int
    """In pixels."""

    depth: int
    """The bits of a channel: 8 or 16, for grey pictures also 1, 2 or 4."""

    colour_type: int
    """A key of ``_CHANNELS``."""

    @property
    def channels(self) -> int:
        """The number of channels of a pixel."""
        return _CHANNELS[self.colour_type]

    @property
    def row_bytes(self) -> int:
        """The size of a row. Pixels of few bits share bytes; the last one may be part empty."""
        return (self.width * self.channels * self.depth + 7) // 8

    @property
    def pixel_bytes(self) -> int:
        """How many bytes before a byte the one that predicts it stands: a pixel's, at least 1."""
        return max(1, self.channels * self.depth // 8)


def _read_header(data: bytes) -> _Header:
    """Return a header. Raises struct.error or ValueError if it, or such a picture, is not read."""
    width, height, depth, colour_type, _method, _filter, is_interlaced = struct.unpack(
        ">IIBBBBB", data
    )
    is_depth_supported = depth in (8, 16) or (depth in (1, 2, 4) and colour_type == _GREY)
    is_in_limit = 0 < width <= SIDE_LIMIT and 0 < height <= SIDE_LIMIT
    if colour_type not in _CHANNELS or not is_depth_supported or not is_in_limit or is_interlaced:
        raise ValueError("pictures like this are not read")
    return _Header(width, height, depth, colour_type)


def _unpacked_rows(header: _Header, pixels: bytes) -> NDArray[np.uint8]:
    """Return the bytes of all rows, (height, row_bytes). Raises ValueError or zlib.error."""
    line_bytes = 1 + header.row_bytes  # the number of its filter comes first
    # The limit keeps a small damaged file from being unpacked to any size.
    unpacked = zlib.decompressobj().decompress(pixels, header.height * line_bytes)
    lines = np.frombuffer(unpacked, np.uint8).reshape(header.height, line_bytes)
    return _unfiltered(lines, header.pixel_bytes)


def _small_depth_grey(header: _Header, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the brightness of grey pixels of 1, 2 or 4 bits, (height, width).

    Several pixels share a byte, the first in its highest bits: with 2 bits 0b11_00_01_00 are the
    values 3, 0, 1 and 0. They are scaled, so that the largest one becomes 255.
    """
    depth = header.depth
    bits = np.unpackbits(rows, axis=1).reshape(header.height, -1, depth)
    value_of_bit = 1 << np.arange(depth)[::-1]
    values = (bits @ value_of_bit)[:, : header.width]
    largest = (1 << depth) - 1
    return np.asarray(values * (255 // largest), np.uint8)


def _unfiltered(lines: NDArray[np.uint8], pixel_bytes: int) -> NDArray[np.uint8]:
    """Return the bytes of all rows (height, n) of ``lines`` (height, 1 + n).

    Sums are taken modulo 256, as uint8 does. Raises ValueError for a filter that PNG does not know.
    """
    row_above = np.zeros(lines.shape[1] - 1, np.uint8)  # above the first row
    rows = np.empty((len(lines), len(row_above)), np.uint8)
    for index, line in enumerate(lines):
        line_filter = _Filter(int(line[0]))
        differences = line[1:]
        if line_filter is _Filter.NONE:
            row = differences
        elif line_filter is _Filter.LEFT:
            row = differences.copy()
            for channel in range(pixel_bytes):
                row[channel::pixel_bytes] = np.add.accumulate(
                    differences[channel::pixel_bytes], dtype=np.uint8
                )
        elif line_filter is _Filter.ABOVE:
            row = differences + row_above
        elif line_filter is _Filter.AVERAGE:
            row = _unfiltered_average(differences.tolist(), row_above.tolist(), pixel_bytes)
        else:
            row = _unfiltered_paeth(differences.tolist(), row_above.tolist(), pixel_bytes)
        rows[index] = row
        row_above = row
    return rows


# The filters below predict a byte from the one to the left, too, so bytes can only be worked out
# one after the other. A pixel of zeros is put before both rows, since a row begins as if it had one
# to its left.


def _unfiltered_average(
    differences: list[int], row_above: list[int], pixel_bytes: int
) -> NDArray[np.uint8]:
    """Return a row of the filter ``AVERAGE``."""
    row = [0] * pixel_bytes + differences
    upper = [0] * pixel_bytes + row_above
    for index in range(pixel_bytes, len(row)):
        prediction = (row[index - pixel_bytes] + upper[index]) // 2
        row[index] = (row[index] + prediction) & 255
    return np.array(row[pixel_bytes:], np.uint8)


def _unfiltered_paeth(
    differences: list[int], row_above: list[int], pixel_bytes: int
) -> NDArray[np.uint8]:
    """Return a row of the filter ``PAETH``."""
    row = [0] * pixel_bytes + differences
    upper = [0] * pixel_bytes + row_above
    for index in range(pixel_bytes, len(row)):
        left = row[index - pixel_bytes]
        above = upper[index]
        above_left = upper[index - pixel_bytes]
        estimate = left + above - above_left
        to_left = abs(estimate - left)
        to_above = abs(estimate - above)
        to_above_left = abs(estimate - above_left)
        # Of equal distances the first counts, in this order.
        if to_left <= min(to_above, to_above_left):
            prediction = left
        elif to_above <= to_above_left:
            prediction = above
        else:
            prediction = above_left
        row[index] = (row[index] + prediction) & 255
    return np.array(row[pixel_bytes:], np.uint8)


def terrain_of_pmp(data: bytes) -> dict[str, list[int] | list[str]] | None:
    """Return the object that ``Engine.LoadMapTerrain`` returns for a PMP file.

    Its keys are ``height``, ``textureNames`` and ``textureIDs``. Heights are (n + 1)^2, row by row;
    texture numbers n^2, column by column. None for a file that is no PMP file of version 7 or
    newer.
    """
    try:
        terrain = read_terrain(data)
    except ValueError:
        return None
    return {
        "height": terrain.heights.ravel().tolist(),
        "textureNames": list(terrain.names),
        "textureIDs": terrain.tiles["texture"].T.ravel().tolist(),
    }
