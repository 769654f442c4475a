"""The map that is varied, as arrays over its existing cells.

A *variation* of a map has the same cells in another arrangement, so that all counts stay. It is
told by its *sources*: the cell of the original from which the content of each cell came. Cells are
numbered from 0 to m - 1 in the order of ``Grid.cells``; the number m, and the last of the m + 1
sources, stand for everything off the map. A map of 2 x 2 cells, of which one does not exist (m is
3), with its variations::

    0 1      [0, 1, 2, 3]      the original itself
    . 2      [2, 1, 0, 3]      the contents of cells 0 and 2 are exchanged

Many variations are worked on at once: then sources have the shape (n, m + 1). What else must stay
as it is on the original is in modules of its own: ``walking``, ``relief`` and ``hexside_rules``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.planes.planes import Element, Plane, PlaneSpec
from randomizer.variations.hexside_rules import HexsideRules

if TYPE_CHECKING:
    from randomizer.model.terrain.terrain import Terrain
    from randomizer.roll_base import Base

Ints = NDArray[np.intp]
"""Numbers of cells, looks or features; the shape stands where it is used."""

Marks = NDArray[np.bool_]
"""A boolean for each cell; the shape stands where it is used."""


class Ranks(NamedTuple):
    """The distinct values of a plane, and the index of the value that each cell has."""

    values: Ints
    """The distinct values, ascending, (k,)."""

    of_cells: Ints
    """The index in ``values`` of each cell, (m + 1,); k for everything off the map."""


@dataclass(frozen=True, eq=False)
class Original:
    """The map that is varied: what lies below the roll, with the locked values put in."""

    base: Base

    kept_cells: frozenset[int] = frozenset()
    """Further cells of the grid that stay as they are."""

    # --- cells ------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> Ints:
        """The cells of the grid by their numbers, (m,)."""
        return self.base.grid.cells

    @property
    def off_map(self) -> int:
        """The number that stands for everything off the map: m."""
        return len(self.cells)

    @cached_property
    def number_of_grid_cell(self) -> Ints:
        """The number of each cell of the grid, (grid.size + 1,); m for those that do not exist.

        Its last element is m, so that index -1, no cell, is off the map too.
        """
        numbers = np.full(self.base.grid.size + 1, len(self.cells))
        numbers[self.cells] = np.arange(len(self.cells))
        return numbers

    @cached_property
    def neighbours(self) -> Ints:
        """The neighbours of each cell, (m + 1, degree); m where there is none."""
        neighbours = self.number_of_grid_cell[self.base.grid.neighbour_table[self.cells]]
        neighbours_off_map = np.full((1, neighbours.shape[1]), len(self.cells))
        return np.vstack([neighbours, neighbours_off_map])

    @cached_property
    def itself(self) -> Ints:
        """The sources of the original as a variation of itself, (1, m + 1)."""
        return np.arange(len(self.cells) + 1)[None]

    # --- the look of cells ------------------------------------------------------------------

    @cached_property
    def terrains(self) -> Ranks:
        """The codes of the terrains on the map, and the terrain of each cell."""
        return _ranks(self.cell_values(self.base.system.terrain))

    @cached_property
    def levels(self) -> Ranks:
        """The elevations on the map, and the elevation of each cell."""
        return _ranks(self.cell_values(self.base.system.elevation))

    @cached_property
    def looks(self) -> Ints:
        """The *look* of each cell: its terrain and elevation as one number, (m + 1,)."""
        return self.terrains.of_cells * (len(self.levels.values) + 1) + self.levels.of_cells

    @cached_property
    def is_open(self) -> Marks:
        """The cells that strangers enter on foot, (m + 1,)."""
        terrains = self.base.terrain_set.terrains
        is_terrain_open = [_is_open(terrains[code]) for code in self.terrains.values.tolist()]
        is_terrain_open.append(False)  # off the map
        return np.array(is_terrain_open)[self.terrains.of_cells]

    @cached_property
    def hexsides(self) -> HexsideRules | None:
        """The hexsides, and those of variations; None if there are none on the map."""
        spec = self.base.system.hexside
        if spec is None:
            return None
        grid = self.base.grid
        hexsides = self._plane(spec).reshape(grid.size, grid.degree)[self.cells]
        if not hexsides.any():
            return None
        return HexsideRules(
            hexsides=hexsides,
            neighbours=self.neighbours,
            looks=self.looks,
            levels=self.levels.of_cells,
        )

    def cell_values(self, spec: PlaneSpec | None) -> Ints:
        """Return the values of a plane of cells, (m,); zeros where the system has none."""
        if spec is None:
            return np.zeros(len(self.cells), np.intp)
        return self._plane(spec).ravel()[self.cells]

    def _plane(self, spec: PlaneSpec) -> Ints:
        """Return a plane of the grid: what lies below the roll, locked values where locked."""
        values = self.base.composite.planes[spec.name]
        visible_values = self.base.shown.planes[spec.name]
        return np.where(self.base.locked_mask(spec), visible_values, values).astype(np.intp)

    # --- what may change --------------------------------------------------------------------

    @cached_property
    def is_free(self) -> Marks:
        """The cells whose content may move, (m + 1,)."""
        base = self.base
        grid = base.grid

        # Cells with a lock, a way or a river, and ``kept_cells``, stay.
        is_fixed = np.zeros(grid.size, np.bool_)
        is_fixed[list(self.kept_cells)] = True
        for spec in base.system.shown_planes:
            if spec.element is Element.CELL:
                is_fixed |= base.locked_mask(spec).ravel()
            if spec.links:
                links = base.composite.planes[spec.name].ravel()
                is_fixed |= (links != spec.unset) & (links != spec.default)
        is_free = np.append(~is_fixed[self.cells], False)

        # So do both cells of a side that no variation can make again: a locked one, and one with a
        # hexside that does not follow from its cells, which a hand has set.
        is_fixed_side = base.locked_sides.reshape(grid.size, grid.degree)[self.cells]
        if self.hexsides is not None:
            is_fixed_side = is_fixed_side | self.hexsides.is_unusual
        is_free[:-1] &= ~is_fixed_side.any(axis=1)
        is_free[self.neighbours[:-1][is_fixed_side]] = False
        return is_free

    @cached_property
    def most_changed(self) -> int:
        """The most cells that can look different in any exchange of the free ones."""
        # The contents of the commonest look can only be exchanged with others: if it has more than
        # half of the free cells, the others decide, and each exchange changes two cells.
        looks = self.looks[self.is_free]
        if not len(looks):
            return 0
        commonest = int(np.bincount(looks).max())
        return min(len(looks), 2 * (len(looks) - commonest))

    # --- variations of it -------------------------------------------------------------------

    def layer_planes(self, source: Ints) -> dict[str, Plane]:
        """Return the planes of one variation, by its sources (m + 1,), as a layer has them."""
        system = self.base.system
        grid = self.base.grid
        planes = {}
        for spec in (system.terrain, system.elevation):
            if spec is not None:
                planes[spec.name] = spec.allocate(grid)
                planes[spec.name].flat[self.cells] = self.cell_values(spec)[source[:-1]]
        if system.hexside is not None:
            planes[system.hexside.name] = system.hexside.allocate(grid)
            hexsides = planes[system.hexside.name].reshape(grid.size, grid.degree)
            if self.hexsides is None:
                hexsides[self.cells] = 0
            else:
                hexsides[self.cells] = self.hexsides.for_variations(source[None])[0]
        return planes

    def digest(self, further_key: bytes) -> bytes:
        """Return a digest of all that variations of it depend on, and of ``further_key``."""
        grid = self.base.grid
        # The start list decides how unfair a map is.
        start_list = self.base.system.listed_cells(self.base.composite.properties)
        properties = (
            (grid.layout.name, grid.width, grid.height, grid.wrap),
            self.base.terrain_set,
            start_list,
        )
        digest = hashlib.blake2b(further_key + repr(properties).encode(), digest_size=16)
        terrains = self.cell_values(self.base.system.terrain)
        for array in (self.cells, terrains, self.levels.values, self.looks, self.is_free):
            digest.update(array.tobytes())
        if self.hexsides is not None:
            digest.update(self.hexsides.hexsides_of_original.tobytes())
        return digest.digest()


def _ranks(values: Ints) -> Ranks:
    """Return the distinct values of a plane (m,), and the index of that of each cell."""
    distinct_values, indices = np.unique(values, return_inverse=True)
    return Ranks(distinct_values, np.append(indices, len(distinct_values)))


def _is_open(terrain: Terrain) -> bool:
    """Return whether strangers on foot enter a terrain."""
    if terrain.water or terrain.cost is None:
        return False
    return terrain.hinders not in ("ground", "all")
