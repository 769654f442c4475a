"""Reads the files of heights that scripts load: PNG pictures, and terrains in the PMP format.

``script_data`` calls ``heights_of_picture`` and ``terrain_of_pmp`` for a running script. A picture
comes from a mod, so a damaged file gives None, and never takes more memory than its size allows.
Source of the PNG format: the W3C's specification.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.terrain_file import PATCH, read_terrain

SIDE_LIMIT = 8192
"""The most pixels of a side."""

_GREY = 0
_CHANNELS = {_GREY: 1, 2: 3, 4: 2, 6: 4}
"""Channels of the colour types of PNG: grey, RGB, grey and alpha, RGBA."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"

# How a row of pixels is packed: each byte is the difference from a prediction.
_FILTER_NONE = 0
_FILTER_LEFT = 1
_FILTER_ABOVE = 2
_FILTER_AVERAGE = 3
_FILTER_PAETH = 4


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
        width, height, depth, colour, _method, _filter, is_interlaced = struct.unpack(
            ">IIBBBBB", chunks.header
        )
        channels = _CHANNELS.get(colour, 0)
        is_depth_supported = depth in (8, 16) or (depth in (1, 2, 4) and colour == _GREY)
        is_in_limit = 0 < width <= SIDE_LIMIT and 0 < height <= SIDE_LIMIT
        if not channels or not is_depth_supported or not is_in_limit or is_interlaced:
            return None
        row_bytes = (width * channels * depth + 7) // 8
        line_bytes = 1 + row_bytes  # the number of its filter comes first
        unpacked = zlib.decompressobj().decompress(chunks.pixels, height * line_bytes)
        lines = np.frombuffer(unpacked, np.uint8).reshape(height, line_bytes)
        rows = _unfiltered(lines, pixel_bytes=max(1, channels * depth // 8))
    except (ValueError, KeyError, struct.error, zlib.error):
        return None

    if depth < 8:
        # Several pixels share a byte, the first in its highest bits; the result reaches 255.
        bits = np.unpackbits(rows, axis=1).reshape(height, -1, depth)
        values = (bits @ (1 << np.arange(depth)[::-1]))[:, :width] * (255 // ((1 << depth) - 1))
        return np.asarray(values, np.uint8)
    pixels = rows.reshape(height, width, channels, depth // 8)[..., 0]  # of 16 bits the higher ones
    has_alpha = channels in (2, 4)
    if has_alpha:
        pixels = pixels[..., :-1]
    brightest: NDArray[np.uint8] = pixels.max(axis=2)
    return brightest


class _Chunks(NamedTuple):
    """The chunks of a PNG file that are needed."""

    header: bytes
    pixels: bytes
    """All rows with their filters, compressed by zlib."""


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
        chunks.setdefault(kind, []).append(data[position + 8 : position + 8 + length])
        position += length + 12
    return _Chunks(chunks[b"IHDR"][0], b"".join(chunks[b"IDAT"]))


def _unfiltered(lines: NDArray[np.uint8], pixel_bytes: int) -> NDArray[np.uint8]:
    """Return the bytes of all rows (height, n) of ``lines`` (height, 1 + n).

    A line is the number of its filter, then differences. ``pixel_bytes`` is the size of a pixel: a
    byte is predicted from that of the same channel to the left. Raises ValueError for a filter that
    PNG does not know.
    """
    row_above = np.zeros(lines.shape[1] - 1, np.uint8)
    rows = np.empty((len(lines), len(row_above)), np.uint8)
    for number, line in enumerate(lines):
        kind = line[0]
        differences = line[1:]
        if kind == _FILTER_NONE:
            row = differences
        elif kind == _FILTER_LEFT:
            row = differences.copy()
            for channel in range(pixel_bytes):
                row[channel::pixel_bytes] = np.add.accumulate(
                    differences[channel::pixel_bytes], dtype=np.uint8
                )
        elif kind == _FILTER_ABOVE:
            row = differences + row_above
        elif kind in (_FILTER_AVERAGE, _FILTER_PAETH):
            row = _unfiltered_row(differences.tolist(), row_above.tolist(), pixel_bytes, int(kind))
        else:
            raise ValueError("no such filter")
        rows[number] = row
        row_above = row
    return rows


def _unfiltered_row(
    differences: list[int], row_above: list[int], pixel_bytes: int, kind: int
) -> NDArray[np.uint8]:
    """Return a row of the filters average and Paeth.

    Each byte is predicted from those to the left, above, and above to the left, so the bytes can
    only be worked out one after the other.
    """
    row = [0] * pixel_bytes + differences
    upper = [0] * pixel_bytes + row_above
    for index in range(pixel_bytes, len(row)):
        left = row[index - pixel_bytes]
        above = upper[index]
        above_left = upper[index - pixel_bytes]
        if kind == _FILTER_AVERAGE:
            prediction = (left + above) // 2
        else:
            # Paeth takes the one of the three that is nearest to left + above - above left.
            estimate = left + above - above_left
            to_left = abs(estimate - left)
            to_above = abs(estimate - above)
            to_above_left = abs(estimate - above_left)
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
