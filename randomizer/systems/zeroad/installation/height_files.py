"""The files of heights that scripts load: greyscale pictures, and terrains in the PMP format."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.installation.grey_png import grey_of_png

PATCH = 16
"""The tiles along a patch; a map has whole patches."""


def heights_of_picture(data: bytes) -> NDArray[np.uint16] | None:
    """What ``Engine.LoadHeightmapImage`` returns: (n + 1)^2 heights, row by row from the south.

    n is the shorter side rounded down to whole patches; a height is 256 times the brightness; the
    last row and column are there twice. None for a file that is no such picture.
    """
    grey = grey_of_png(data)
    if grey is None:
        return None
    side = min(grey.shape) // PATCH * PATCH
    if not side:
        return None
    places = np.minimum(np.arange(side + 1), side - 1)
    square = grey[np.ix_(places, places)].astype(np.uint16) * 256
    return np.ascontiguousarray(square[::-1]).ravel()


def terrain_of_pmp(data: bytes) -> dict[str, list[int] | list[str]] | None:
    """What ``Engine.LoadMapTerrain`` returns: ``height``, ``textureNames`` and ``textureIDs``.

    Heights are (n + 1)^2, row by row; texture numbers n^2, column by column. None for a file that
    is no PMP file of version 7 or newer.
    """
    try:
        mark, version, _length, patches = struct.unpack_from("<4sIII", data)
        if mark != b"PSMP" or version < 7 or not 0 < patches <= 128:
            return None
        side = patches * PATCH
        height = np.frombuffer(data, "<u2", (side + 1) ** 2, 16)
        place = 16 + height.nbytes
        (count,) = struct.unpack_from("<I", data, place)
        place += 4
        names = []
        for _each in range(count):
            (length,) = struct.unpack_from("<I", data, place)
            names.append(data[place + 4 : place + 4 + length].decode())
            place += 4 + length
        tile = np.dtype([("texture", "<u2"), ("second", "<u2"), ("priority", "<u4")])
        tiles = np.frombuffer(data, tile, side * side, place)["texture"]
    except (ValueError, struct.error):
        return None
    by_patch = tiles.reshape(patches, patches, PATCH, PATCH)  # z and x of the patch, of the tile
    rows = by_patch.transpose(0, 2, 1, 3).reshape(side, side)
    return {
        "height": height.tolist(),
        "textureNames": names,
        "textureIDs": rows.T.ravel().tolist(),
    }
