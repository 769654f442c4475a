"""The files of heights that scripts load: greyscale pictures, and terrains in the PMP format."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.terrain_file import PATCH, read_terrain

SIDE_LIMIT = 8192
"""The most pixels of a side."""

_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Channels of the colour types: grey, RGB, grey and alpha, RGBA."""


def grey_of_png(data: bytes) -> NDArray[np.uint8] | None:
    """Return the largest of red, green and blue of every pixel, (height, width); None for other
    files.
    """
    try:
        header, packed = _chunks(data)
        width, height, depth, colour, _method, _filter, interlaced = struct.unpack(
            ">IIBBBBB", header
        )
        channels = _CHANNELS.get(colour, 0)
        supported = depth in (8, 16) or (depth in (1, 2, 4) and colour == 0)
        in_limit = 0 < width <= SIDE_LIMIT and 0 < height <= SIDE_LIMIT
        if not (channels and supported and in_limit) or interlaced:
            return None
        stride = (width * channels * depth + 7) // 8
        raw = zlib.decompressobj().decompress(packed, height * (stride + 1))
        lines = np.frombuffer(raw, np.uint8).reshape(height, stride + 1)
        rows = _unfiltered(lines, max(1, channels * depth // 8))
    except (ValueError, KeyError, struct.error, zlib.error):
        return None
    if depth < 8:
        bits = np.unpackbits(rows, axis=1).reshape(height, -1, depth)
        values = (bits @ (1 << np.arange(depth)[::-1]))[:, :width] * (255 // ((1 << depth) - 1))
        return np.asarray(values, np.uint8)
    pixels = rows.reshape(height, width, channels, depth // 8)[..., 0]  # of 16 bits the higher ones
    if channels in (1, 3):
        coloured = pixels
    else:
        coloured = pixels[..., :-1]
    brightest: NDArray[np.uint8] = coloured.max(axis=2)
    return brightest


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    """Return the header and the packed pixels. Raises ValueError, KeyError or struct.error."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError("not a PNG file")
    chunks: dict[bytes, list[bytes]] = {}
    position = 8
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        chunks.setdefault(kind, []).append(data[position + 8 : position + 8 + length])
        position += length + 12
    return chunks[b"IHDR"][0], b"".join(chunks[b"IDAT"])


def _unfiltered(lines: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Return the bytes of all rows; ``lines`` have their filter's number first.

    ``step``: of a pixel.
    """
    above = np.zeros(lines.shape[1] - 1, np.uint8)
    rows = np.empty((len(lines), len(above)), np.uint8)
    for number, line in enumerate(lines):
        kind = line[0]
        row = line[1:]
        if kind == 0:
            above = row
        elif kind == 1:
            above = row.copy()
            for channel in range(step):
                above[channel::step] = np.add.accumulate(row[channel::step], dtype=np.uint8)
        elif kind == 2:
            above = row + above
        elif kind in (3, 4):
            above = _by_bytes(row.tolist(), above.tolist(), step, int(kind))
        else:
            raise ValueError("no such filter")
        rows[number] = above
    return rows


def _by_bytes(row: list[int], above: list[int], step: int, kind: int) -> NDArray[np.uint8]:
    """Return a row of the filters 3 (average) and 4 (Paeth), whose bytes depend on those before."""
    row_values = [0] * step + row
    upper = [0] * step + above
    for index in range(step, len(row_values)):
        left_value = row_values[index - step]
        up = upper[index]
        corner = upper[index - step]
        if kind == 3:
            guess = (left_value + up) // 2
        else:
            estimate = left_value + up - corner
            to_left = abs(estimate - left_value)
            to_up = abs(estimate - up)
            to_corner = abs(estimate - corner)
            if to_left <= min(to_up, to_corner):
                guess = left_value
            elif to_up <= to_corner:
                guess = up
            else:
                guess = corner
        row_values[index] = (row_values[index] + guess) & 255
    return np.array(row_values[step:], np.uint8)


def heights_of_picture(data: bytes) -> NDArray[np.uint16] | None:
    """Return what ``Engine.LoadHeightmapImage`` returns: (n + 1)^2 heights, row by row from the
    south.

    n is the shorter side rounded down to whole patches; a height is 256 times the brightness; the
    last row and column are there twice. None for a file that is no such picture.
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


def terrain_of_pmp(data: bytes) -> dict[str, list[int] | list[str]] | None:
    """Return what ``Engine.LoadMapTerrain`` returns: ``height``, ``textureNames`` and
    ``textureIDs``.

    Heights are (n + 1)^2, row by row; texture numbers n^2, column by column. None for a file that
    is no PMP file of version 7 or newer.
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
