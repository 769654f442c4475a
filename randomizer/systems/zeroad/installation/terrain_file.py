"""Terrain files of 0 A.D. (PMP, from version 7 on), and back. Rows run from south to north."""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MARK = b"PSMP"
PATCH = 16
"""The tiles along a patch; a map has whole patches."""

NO_TEXTURE = 0xFFFF
"""The second texture of a tile that has one."""

_VERSION = 7
_MOST_PATCHES = 128
_TILE = np.dtype([("texture", "<u2"), ("second", "<u2"), ("priority", "<u4")])


class TerrainFile(NamedTuple):
    """Heights (n + 1, n + 1), names of textures, and tiles (n, n): all by [z, x].

    A tile is a record: ``texture`` and ``second`` (indices of names), ``priority``.
    """

    heights: NDArray[np.uint16]
    names: tuple[str, ...]
    tiles: NDArray[Any]


def new_tiles(textures: NDArray[np.uint16], priorities: NDArray[np.uint16]) -> NDArray[Any]:
    """Return tiles (n, n) with one texture each."""
    tiles = np.full(textures.shape, NO_TEXTURE, _TILE)
    tiles["texture"] = textures
    tiles["priority"] = priorities
    return tiles


def read_terrain(data: bytes) -> TerrainFile:
    """Return what a terrain file holds. Raises ValueError with what is wrong, and where."""
    at = 0

    def take(dtype: Any, shape: tuple[int, ...], noun: str) -> NDArray[Any]:
        nonlocal at
        kind = np.dtype(dtype)
        count = math.prod(shape)
        start = at
        at = at + kind.itemsize * count
        if at > len(data):
            raise ValueError(f"byte {len(data)}: the file ends before the {noun} do")
        return np.frombuffer(data, kind, count, start).reshape(shape)

    if not data.startswith(MARK):
        raise ValueError(f"this is no terrain of 0 A.D.: it does not begin with {MARK.decode()}")
    _mark, version, _length, patches = map(int, take("<u4", (4,), "numbers at its start"))
    if version < _VERSION:
        raise ValueError(f"byte 4: the version is {version}, the least is {_VERSION}")
    if not 0 < patches <= _MOST_PATCHES:
        raise ValueError(f"byte 12: {patches} patches along a side, expected 1 to {_MOST_PATCHES}")
    side = patches * PATCH
    heights = take("<u2", (side + 1, side + 1), "heights")
    names = list[str]()
    noun = "names of textures"
    count = int(take("<u4", (), noun))
    if count > NO_TEXTURE:
        raise ValueError(f"byte {at - 4}: {count:,} textures, a tile can name {NO_TEXTURE:,}")
    for _each in range(count):
        length = int(take("<u4", (), noun))
        try:
            names.append(take("u1", (length,), noun).tobytes().decode())
        except UnicodeDecodeError:
            raise ValueError(f"byte {at - length}: this name of a texture is no UTF-8") from None
    by_patch = take(_TILE, (patches, patches, PATCH, PATCH), "tiles")
    return TerrainFile(heights, tuple(names), by_patch.transpose(0, 2, 1, 3).reshape(side, side))


def write_terrain(terrain: TerrainFile) -> bytes:
    """Return a terrain file, which ``read_terrain`` reads."""
    patches = len(terrain.tiles) // PATCH
    by_patch = terrain.tiles.reshape(patches, PATCH, patches, PATCH).transpose(0, 2, 1, 3)
    names = [name.encode() for name in terrain.names]
    parts = (
        terrain.heights.astype("<u2").tobytes(),
        struct.pack("<I", len(names)),
        *(struct.pack("<I", len(name)) + name for name in names),
        by_patch.tobytes(),
    )
    data = struct.pack("<I", patches) + b"".join(parts)
    return MARK + struct.pack("<II", _VERSION, len(data)) + data
