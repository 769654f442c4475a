"""The edit that gives a map another grid, and with it all that depends on the grid (``Shape``).

Turning, resizing and shifting a map (geometry/) make a new shape out of the one that the map has::

    edit = Reshape(Shape.of(battlemap), new_shape)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Region
    from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class Shape:
    """Everything of a map that depends on its grid."""

    grid: Grid
    layers: tuple[Layer, ...]
    """The map's own objects, not copies: what changes them while the edit can be undone is an edit
    as well, which is undone before."""
    locked_cells: NDArray[np.bool_]
    """The locks of cells, an array (height, width)."""
    locked_sides: NDArray[np.bool_]
    """The locks of sides, an array (height, width, degree)."""

    @classmethod
    def of(cls, battlemap: BattleMap) -> Shape:
        """Return the present shape of a map."""
        return cls(
            battlemap.grid,
            tuple(battlemap.layers),
            battlemap.locked_cells,
            battlemap.locked_sides,
        )


@dataclass(frozen=True, eq=False)
class Reshape:
    """The whole map gets another shape: it is turned, flipped, resized or shifted."""

    old_shape: Shape
    """The shape of the map now."""
    new_shape: Shape
    """The shape that it gets."""

    def apply(self, battlemap: BattleMap) -> None:
        """Replace grid, layers and locks, whatever the map has now."""
        for layer in self.new_shape.layers:
            battlemap.note_ids(layer.things)
        battlemap.grid = self.new_shape.grid
        battlemap.layers[:] = self.new_shape.layers
        battlemap.locked_cells = self.new_shape.locked_cells
        battlemap.locked_sides = self.new_shape.locked_sides

    def inverse(self) -> Reshape:
        """Return the edit with ``old_shape`` and ``new_shape`` exchanged."""
        return Reshape(self.new_shape, self.old_shape)

    def region(self, battlemap: BattleMap) -> Region:
        """Return the region of the whole map."""
        # Imported here: a command that reads a map takes ``Shape`` from here, but makes no edits.
        from randomizer.model.edits.edit import Region

        return Region(everything=True, structure=True, locks=True, things=True, reshaped=True)

    def refresh(self, battlemap: BattleMap, composite: Composite) -> bool:
        """Return False: another grid has to be composed again."""
        return False
