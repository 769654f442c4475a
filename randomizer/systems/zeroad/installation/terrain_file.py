"""Reads and writes terrain files of 0 A.D. (.pmp, from version 7 on).

    terrain = read_terrain(data)          # ValueError that names the byte of a fault
    terrain.heights[z, x]                 # of a corner; rows run from south to north
    data = write_terrain(terrain)

A file consists of these values one after the other, all numbers little-endian::

    bytes                           value
    4                               the mark "PSMP"
    4                               the version
    4                               the length of all that follows
    4                               p: the patches along the map
    2 x (16 p + 1) x (16 p + 1)     the heights of the corners
    4                               the number of names of textures
    4 + length, for each name       the length of a name in bytes, and the name
    8 x 16 p x 16 p                 the tiles

A *patch* is a square of ``PATCH`` x ``PATCH`` tiles. The tiles are stored patch by patch.
"""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MARK = b"PSMP"
"""The first bytes of a file."""

PATCH = 16
"""The tiles along a patch; a map has whole patches."""

NO_TEXTURE = 0xFFFF
"""Stands for the second texture of a tile that has only one."""

_VERSION = 7
"""The version that is written, and the least that is read."""

_MAX_PATCHES = 128
"""The most patches along a map: 2,048 tiles."""

_TILE = np.dtype([("texture", "<u2"), ("second", "<u2"), ("priority", "<u4")])
"""A tile in a file: two textures, as indices of the names, and its priority."""

_NAMES = "names of textures"
"""The noun for the names of textures in messages."""


class TerrainFile(NamedTuple):
    """The content of a terrain file; arrays are indexed by [z, x]."""

    heights: NDArray[np.uint16]
    """(n + 1, n + 1): the heights of the corners, in units of 1/92 m."""

    names: tuple[str, ...]
    """The names of the textures."""

    tiles: NDArray[Any]
    """(n, n): the tiles, with the fields ``texture``, ``second`` and ``priority``.

    The second texture is ``NO_TEXTURE`` for most tiles.
    """


def new_tiles(textures: NDArray[np.uint16], priorities: NDArray[np.uint16]) -> NDArray[Any]:
    """Return tiles (n, n) with one texture each."""
    tiles = np.full(textures.shape, NO_TEXTURE, _TILE)
    tiles["texture"] = textures
    tiles["priority"] = priorities
    return tiles


def read_terrain(data: bytes) -> TerrainFile:
    """Return the content of a terrain file. Raises ValueError that names a fault and its byte."""
    if not data.startswith(MARK):
        raise ValueError(f"this is no terrain of 0 A.D.: it does not begin with {MARK.decode()}")
    reader = _Reader(data)
    numbers = reader.read_array("<u4", (4,), "numbers at its start")
    _mark, version, _length, patches = numbers.tolist()
    if version < _VERSION:
        raise ValueError(f"byte 4: the version is {version}, the least is {_VERSION}")
    if not 0 < patches <= _MAX_PATCHES:
        raise ValueError(f"byte 12: {patches} patches along a side, expected 1 to {_MAX_PATCHES}")
    side = patches * PATCH
    heights = reader.read_array("<u2", (side + 1, side + 1), "heights")
    names = _read_names(reader)
    # The file has the tiles patch by patch, each patch row by row: by (row of patches, patch, row,
    # column). A row of the map goes through all patches of a row, so the rows come before them.
    tiles_of_patches = reader.read_array(_TILE, (patches, patches, PATCH, PATCH), "tiles")
    tiles = tiles_of_patches.transpose(0, 2, 1, 3).reshape(side, side)
    return TerrainFile(heights, names, tiles)


def _read_names(reader: _Reader) -> tuple[str, ...]:
    """Return the names of the textures, which are next in the file. Raises ValueError."""
    count = reader.read_number(_NAMES)
    if count > NO_TEXTURE:
        message = f"{count:,} textures, a tile can name {NO_TEXTURE:,}"
        raise ValueError(f"byte {reader.position - 4}: {message}")
    names = []
    for _number in range(count):
        length = reader.read_number(_NAMES)
        name = reader.read_array("u1", (length,), _NAMES).tobytes()
        try:
            names.append(name.decode())
        except UnicodeDecodeError:
            start = reader.position - length
            raise ValueError(f"byte {start}: this name of a texture is no UTF-8") from None
    return tuple(names)


class _Reader:
    """Reads the values of a file one after the other; each call moves on behind them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0
        """The offset of the next byte."""

    def read_number(self, noun: str) -> int:
        """Return the next whole number, of four bytes; ``noun`` names what it belongs to."""
        return int(self.read_array("<u4", (), noun))

    def read_array(self, dtype: Any, shape: tuple[int, ...], noun: str) -> NDArray[Any]:
        """Return the next values as a read-only array of a shape.

        Raises ValueError if the file ends before; ``noun`` names the values in its message.
        """
        value_type = np.dtype(dtype)
        count = math.prod(shape)
        start = self.position
        self.position += value_type.itemsize * count
        if self.position > len(self._data):
            end = len(self._data)
            raise ValueError(f"byte {end}: the file ends before the {noun} do")
        return np.frombuffer(self._data, value_type, count, start).reshape(shape)


def write_terrain(terrain: TerrainFile) -> bytes:
    """Return a terrain file, which ``read_terrain`` reads."""
    patches = len(terrain.tiles) // PATCH
    tiles_of_patches = terrain.tiles.reshape(patches, PATCH, patches, PATCH).transpose(0, 2, 1, 3)
    content = bytearray()  # all that follows the length
    content += struct.pack("<I", patches)
    content += terrain.heights.astype("<u2").tobytes()
    content += struct.pack("<I", len(terrain.names))
    for name in terrain.names:
        name_bytes = name.encode()
        content += struct.pack("<I", len(name_bytes)) + name_bytes
    content += tiles_of_patches.tobytes()
    return MARK + struct.pack("<II", _VERSION, len(content)) + content
