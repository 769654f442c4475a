"""The planes of a 0 A.D. map, and the sizes of maps that the game has."""

from __future__ import annotations

from randomizer.model.planes.planes import Element, PlaneSpec

GROUND = 2116
"""The height of a new map: 3 in a script's own scale."""

MOST = 65535
"""The largest value of each plane, and the largest id of an entity: those of 16 bits in files."""

TEXTURE = PlaneSpec("texture", "u2", Element.CELL, 0xFFFF, 0)
"""Indices into the terrain set of the map."""

PRIORITY = PlaneSpec("priority", "u4", Element.CELL, 0xFFFFFFFF, 0, maximum=MOST)
"""Of two neighbouring tiles the texture with the higher priority is drawn over their edge."""

HEIGHT = PlaneSpec("height", "u4", Element.CORNER, 0xFFFFFFFF, GROUND, maximum=MOST)
"""The heights of the corners of tiles, in units of 1/92 m."""

USUAL_SIZE = 128
"""The edge of a new map in tiles."""

MAX_ALONG = 1024
"""The edge of the largest map in tiles."""

STEP = 16
"""The edge of every map is a multiple of this many tiles."""


def is_edge(tiles: object) -> bool:
    """Return whether a value is the length of a map's edge, in tiles, that the game has."""
    return type(tiles) is int and STEP <= tiles <= MAX_ALONG and tiles % STEP == 0


def why_not_size(width: int, height: int) -> str:
    """Return why the game has no map of this size, in words; "" if it can."""
    if width == height and is_edge(width):
        return ""
    return (
        f"a map of 0 A.D. is square, its edge a multiple of {STEP} tiles up to {MAX_ALONG:,}: "
        f"{width} x {height} is not possible"
    )
