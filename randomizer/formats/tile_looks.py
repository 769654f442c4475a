"""The values of a map that tiles show, and the painter of the pictures of these tiles.

Formats whose files refer to a picture of tiles (``Format.write_painted``) name the tiles as looks::

    Look("terrain", 0, 3)   # the tile that shows terrain 3
    Look("hexside", 2, 1)   # the tile that shows hexside 1 on side 2 of a cell
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from randomizer.model.map.battlemap import BattleMap


class Look(NamedTuple):
    """A value of a plane of a map, which a tile shows."""

    plane: str
    """The name of the plane."""
    side: int
    """The side of the cell that has the value, if the plane has sides."""
    value: int


TilePainter = Callable[[BattleMap, Sequence[Look | None], int, int], bytes]
"""Returns a PNG of what cells show, in pictures of ``width`` x ``height`` pixels; None is clear.

Rows have ``interchange.tile_pictures.COLUMNS`` pictures.
"""
