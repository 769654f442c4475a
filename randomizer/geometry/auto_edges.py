"""Hexsides by the rules of a terrain set: the owners of edges, and hexsides that are missing.

Two cells share an *edge*, but a hexside stands on one side of it: that cell *owns* it. A cliff is
owned by the higher cell, a dune by the sand. The tool of hexsides asks ``owner_of_edge`` which cell
that is. Commands that fill edges ask ``fitting_edges`` which edges lack a hexside that the rules of
the terrain set give them (``Hexside.drops``, ``Hexside.beside``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet


class EdgePlanes(NamedTuple):
    """The shown planes on which the rules depend; None for those that the system lacks."""

    terrain: Plane | None
    """Codes of terrains, shape (h, w)."""

    elevation: Plane | None
    """Elevations, shape (h, w)."""

    hexside: Plane | None
    """Codes of hexsides, shape (h, w, degree)."""

    @classmethod
    def of(cls, system: System, composite: Composite) -> EdgePlanes:
        """Return the planes of what a map of ``system`` shows."""
        return cls(
            terrain=composite.plane(system.terrain),
            elevation=composite.plane(system.elevation),
            hexside=composite.plane(system.hexside),
        )


def owner_of_edge(
    planes: EdgePlanes,
    terrain_set: TerrainSet,
    grid: Grid,
    cell: int,
    side: int,
    code: int,
) -> tuple[int, int]:
    """Return the cell that owns a hexside at an edge by the game's rules, and the side from there.

    The terrain set decides: a dune belongs to the sand, a cliff to the higher cell. It is the given
    cell where the set has no rule, at the map edge, and for ``code`` 0, no hexside.
    """
    edge = (cell, side)
    twin = grid.twin(cell, side)
    if twin is None or code == 0:
        return edge
    neighbour = twin[0]
    hexside = terrain_set.hexsides[code - 1]
    belongs_to_neighbour = False
    if hexside.ground and planes.terrain is not None:
        ground = terrain_set.terrain_code(hexside.ground)
        terrain = planes.terrain.flat
        # Between two cells of that ground it stays where it was painted.
        belongs_to_neighbour = terrain[neighbour] == ground and terrain[cell] != ground
    elif hexside.higher and planes.elevation is not None:
        elevation = planes.elevation.flat
        belongs_to_neighbour = elevation[neighbour] > elevation[cell]
    if belongs_to_neighbour:
        return twin
    return edge


class FittingHexsides(NamedTuple):
    """Hexsides that edges lack; both arrays have shape (n,)."""

    sides: Cells
    """Flat indices of the hexside plane, each on the owner's side of an edge, ascending."""

    codes: Cells
    """The code of the hexside that belongs there."""


def fitting_edges(
    grid: Grid,
    planes: EdgePlanes,
    terrain_set: TerrainSet,
    cells: Cells,
    codes: Iterable[int] | None = None,
) -> FittingHexsides:
    """Return the hexsides that the edges of ``cells`` (inner and outline) should have and lack.

    An edge that has a hexside on either side is left alone. ``codes`` are the hexsides that are
    tried, in this order; None: all, in the order of the terrain set. Without a hexside plane there
    are none.
    """
    if planes.hexside is None:
        return FittingHexsides(np.empty(0, np.intp), np.empty(0, np.intp))
    if codes is None:
        codes_to_try = list(range(1, len(terrain_set.hexsides) + 1))
    else:
        codes_to_try = list(codes)
    hexside = planes.hexside.reshape(-1, grid.degree)
    fitting_sides = []
    fitting_codes = []
    for side in range(grid.degree):
        near_cells, far_cells = _cells_at_empty_edges(grid, hexside, cells, side)
        # Either cell could own the hexside: a cliff is the higher one's.
        for owners, neighbours_of_owners, side_of_owners in (
            (near_cells, far_cells, side),
            (far_cells, near_cells, grid.opposite(side)),
        ):
            chosen_codes = np.zeros(len(owners), np.intp)  # 0: none yet
            for code in codes_to_try:
                fits = _fits(planes, terrain_set, code, owners, neighbours_of_owners)
                chosen_codes[fits & (chosen_codes == 0)] = code  # the first that fits stays
            is_chosen = chosen_codes > 0
            fitting_sides.append((owners * grid.degree + side_of_owners)[is_chosen])
            fitting_codes.append(chosen_codes[is_chosen])
    # An edge between two of ``cells`` was met from both of them.
    sides, first_positions = np.unique(np.concatenate(fitting_sides), return_index=True)
    fitting_codes_of_sides = np.concatenate(fitting_codes)[first_positions]
    # Where rules fit from both cells, as for a drop of 0, the cell with the lower index owns it.
    is_owned_by_other = _twins(grid, sides) < sides
    is_owned_by_other &= np.isin(_twins(grid, sides), sides)
    return FittingHexsides(sides[~is_owned_by_other], fitting_codes_of_sides[~is_owned_by_other])


def _twins(grid: Grid, sides: Cells) -> Cells:
    """Return the sides of the cells beyond that are at the same edges; all are flat indices (n,).

    There is a cell beyond each of these sides.
    """
    cells, side_numbers = np.divmod(sides, grid.degree)
    neighbours = grid.neighbour_table[cells, side_numbers].astype(np.intp)
    opposites = np.array([grid.opposite(side) for side in range(grid.degree)])
    return np.asarray(neighbours * grid.degree + opposites[side_numbers])


def _cells_at_empty_edges(
    grid: Grid, hexside: Plane, cells: Cells, side: int
) -> tuple[Cells, Cells]:
    """Return those of ``cells`` with an empty edge at ``side``, and the cells beyond: (n,) each.

    ``hexside`` has shape (size, degree). What is at the rim of the map counts as no edge.
    """
    neighbours = grid.neighbours_of(cells, side)
    has_neighbour = neighbours >= 0
    near_cells = cells[has_neighbour]
    far_cells = neighbours[has_neighbour]
    is_empty = hexside[near_cells, side] == 0
    is_empty &= hexside[far_cells, grid.opposite(side)] == 0
    return near_cells[is_empty], far_cells[is_empty]


def _fits(
    planes: EdgePlanes, terrain_set: TerrainSet, code: int, owners: Cells, neighbours: Cells
) -> NDArray[np.bool_]:
    """Return whether a hexside should be between cells that would own it and neighbours.

    ``owners``, ``neighbours`` and the result have shape (n,). A rule of heights comes before one of
    grounds; it is left out on a map without elevations. False for a hexside without a rule.
    """
    hexside = terrain_set.hexsides[code - 1]
    if hexside.drops is not None and planes.elevation is not None:
        min_drop, greatest_drop = hexside.drops
        elevation = planes.elevation.reshape(-1)
        drops = elevation[owners].astype(np.int64) - elevation[neighbours]
        return np.asarray((drops >= min_drop) & (drops <= greatest_drop))
    if hexside.ground and hexside.beside and planes.terrain is not None:
        terrain = planes.terrain.reshape(-1)
        is_on_ground = terrain[owners] == terrain_set.terrain_code(hexside.ground)
        is_beside = terrain[neighbours] == terrain_set.terrain_code(hexside.beside)
        return np.asarray(is_on_ground & is_beside)
    return np.zeros(len(owners), np.bool_)
