"""The scales of tiles of a map seen from afar, and boxes of pixels in them.

A *level* is a scale at which all of a map is a large picture. It is cut into *tiles*, squares of
``TILE`` pixels, of which only those that are seen are drawn (``far_tiles``). Each is drawn larger
than it will be, *block* by block, and made smaller::

    +-------+-------+-------+      the tiles of a level; its left top corner is that of the map
    |       |   :   |       |
    |       |.......|       |      tile (1, 0): column 1, row 0, with 2 x 2 blocks
    |       |   :   |       |
    +-------+-------+-------+
"""

from __future__ import annotations

from typing import NamedTuple

TILE = 256
"""The width and height of a tile, in pixels."""


class Level(NamedTuple):
    """A scale of which there are tiles."""

    unit: int
    """Pixels per map unit in a tile."""

    halvings: int
    """How often a drawing is made smaller by half to become a part of the tile."""

    blocks: int
    """How many blocks a tile has along a side; each is drawn on its own."""

    @property
    def shrink_factor(self) -> int:
        """The number of pixels of a drawing, along each side, that become one pixel of a tile."""
        return 1 << self.halvings

    @property
    def drawn_unit(self) -> int:
        """Pixels per map unit in the drawing of a block, before it is made smaller."""
        return self.unit * self.shrink_factor

    @property
    def block_side(self) -> int:
        """The width and height of a block, in pixels of the tile."""
        return TILE // self.blocks


LEVELS = (
    Level(unit=8, halvings=1, blocks=1),
    Level(unit=4, halvings=1, blocks=1),
    Level(unit=2, halvings=2, blocks=2),
    Level(unit=1, halvings=3, blocks=4),
)
"""All levels, the finest first. A tile of a coarser one shows more cells, and has more blocks."""


class LevelBox(NamedTuple):
    """A box of pixels of a level or of one of its tiles.

    ``right`` and ``bottom`` are exclusive, as in slices; a ``DeviceBox`` has a width and a height.
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def is_empty(self) -> bool:
        """True if there is no pixel in it."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns, as the index of an array of pixels."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def moved(self, right: int, down: int) -> LevelBox:
        """Return the box, moved by some pixels."""
        return LevelBox(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def within(self, box: LevelBox) -> LevelBox:
        """Return the part of it that lies in another box; it may be empty."""
        return LevelBox(
            max(self.left, box.left),
            max(self.top, box.top),
            min(self.right, box.right),
            min(self.bottom, box.bottom),
        )

    def united(self, box: LevelBox) -> LevelBox:
        """Return the smallest box around it and another one."""
        return LevelBox(
            min(self.left, box.left),
            min(self.top, box.top),
            max(self.right, box.right),
            max(self.bottom, box.bottom),
        )


WHOLE_TILE = LevelBox(0, 0, TILE, TILE)
"""The box of a tile in itself."""


class TileKey(NamedTuple):
    """The position of a tile."""

    level: Level
    """Its scale."""

    column: int
    """How many tiles of the level are left of it."""

    row: int
    """How many are above it."""

    @property
    def box(self) -> LevelBox:
        """The box of the tile in its level."""
        return WHOLE_TILE.moved(self.column * TILE, self.row * TILE)
