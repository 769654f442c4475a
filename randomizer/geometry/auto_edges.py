"""Hexsides by the rules of a terrain set: owners of edges, missing hexsides, edges along a drag.

The tool of hexsides asks ``along_path`` which edges a drag means, and ``owner_of_edge`` on which of
the two cells at an edge a hexside belongs. Commands that fill edges ask ``fitting_edges`` which
edges lack a hexside that the rules of the terrain set give them (``Hexside.drops``, ``beside``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet

Edge = tuple[int, int]
"""A cell and the number of one of its sides."""

Corner = tuple[int, int]
"""A cell and the number of one of its corners: the one where the side of that number begins."""

_SAME_POINT = 0.01
"""Corners nearer to each other, in map units, are one.

Larger than 1, the side of a cell, it would end each path at its start.
"""


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

    The terrain set decides (a dune belongs to the sand, a cliff to the higher cell); where it does
    not, at the map edge, and for ``code`` 0 (none), it is the given cell.
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


# --- what edges should have -----------------------------------------------------------------------


def fitting_edges(
    grid: Grid,
    planes: EdgePlanes,
    terrain_set: TerrainSet,
    cells: Cells,
    codes: Iterable[int] | None = None,
) -> tuple[Cells, Cells]:
    """Return the hexsides that the edges of ``cells`` (inner and outline) should have and lack.

    Returns flat indices of the hexside plane (on the owner's side), ascending, and the code of the
    hexside of each, both (n,). An edge that has a hexside on either side is left alone. ``codes``
    are the hexsides that are tried, in this order; None: all, in the order of the terrain set.
    Without a hexside plane there are none.
    """
    if planes.hexside is None:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    if codes is None:
        codes_to_try = list(range(1, len(terrain_set.hexsides) + 1))
    else:
        codes_to_try = list(codes)
    hexside = planes.hexside.reshape(-1, grid.degree)
    fitting_sides = []
    fitting_codes = []
    for side in range(grid.degree):
        opposite_side = grid.opposite(side)
        neighbours = grid.neighbours_of(cells, side)
        has_neighbour = neighbours >= 0
        near_cells = cells[has_neighbour]
        far_cells = neighbours[has_neighbour]
        is_empty = hexside[near_cells, side] == 0
        is_empty &= hexside[far_cells, opposite_side] == 0
        near_cells = near_cells[is_empty]
        far_cells = far_cells[is_empty]
        # Either cell could own the hexside: a cliff is the higher one's.
        for owners, neighbours_of_owners, side_of_owners in (
            (near_cells, far_cells, side),
            (far_cells, near_cells, opposite_side),
        ):
            code_of_owners = np.zeros(len(owners), np.intp)
            for code in codes_to_try:
                fits = _fits(planes, terrain_set, code, owners, neighbours_of_owners)
                code_of_owners[fits & (code_of_owners == 0)] = code
            has_code = code_of_owners > 0
            fitting_sides.append((owners * grid.degree + side_of_owners)[has_code])
            fitting_codes.append(code_of_owners[has_code])
    # An edge between two of ``cells`` was met from both of them.
    sides, first_positions = np.unique(np.concatenate(fitting_sides), return_index=True)
    return sides, np.concatenate(fitting_codes)[first_positions]


def _fits(
    planes: EdgePlanes, terrain_set: TerrainSet, code: int, owners: Cells, neighbours: Cells
) -> NDArray[np.bool_]:
    """Return whether a hexside should be between cells that would own it and neighbours.

    ``owners``, ``neighbours`` and the result have shape (n,). False for a hexside without a rule.
    """
    hexside = terrain_set.hexsides[code - 1]
    if hexside.drops is not None and planes.elevation is not None:
        least_drop, greatest_drop = hexside.drops
        elevation = planes.elevation.reshape(-1)
        drops = elevation[owners].astype(np.int64) - elevation[neighbours]
        return np.asarray((drops >= least_drop) & (drops <= greatest_drop))
    if hexside.ground and hexside.beside and planes.terrain is not None:
        terrain = planes.terrain.reshape(-1)
        is_on_ground = terrain[owners] == terrain_set.terrain_code(hexside.ground)
        is_beside = terrain[neighbours] == terrain_set.terrain_code(hexside.beside)
        return np.asarray(is_on_ground & is_beside)
    return np.zeros(len(owners), np.bool_)


# --- which edges a drag means ---------------------------------------------------------------------


def along_path(grid: Grid, points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return edges along a dragged path (map units), as an unbroken chain from corner to corner.

    Every edge occurs once, as (cell, side) of one of its two cells, in the order of the path; edges
    of the map edge are passed but left out. A new chain starts where the path re-enters the map.
    """
    edges: dict[Edge, None] = {}
    chain_end: Corner | None = None
    for x, y in points:
        corner = _nearest_corner(grid, x, y)
        if corner is None:
            chain_end = None
            continue
        if chain_end is not None:
            for edge in _walk(grid, chain_end, corner):
                twin = grid.twin(*edge)
                if twin is not None:
                    edges.setdefault(min(edge, twin))
        chain_end = corner
    return list(edges)


def _nearest_corner(grid: Grid, x: float, y: float) -> Corner | None:
    """Return the corner nearest to a point, None outside the map."""
    cell = grid.cell_at(x, y)
    if cell < 0:
        return None
    centre_x, centre_y = grid.centre(cell)
    if grid.wrap:
        centre_x += round((x - centre_x) / grid.period) * grid.period
    distances = [math.hypot(centre_x + dx - x, centre_y + dy - y) for dx, dy in grid.layout.corners]
    return cell, distances.index(min(distances))


def _walk(grid: Grid, start: Corner, goal: Corner) -> list[Edge]:
    """Return the edges of a shortest path from corner to corner.

    Where the mask leaves no way nearer to the goal, the path ends.
    """
    # Greedy: of the two to four edges at a corner the one that ends nearest to the goal is taken.
    # On a lattice without holes that one is always on a shortest path.
    path: list[Edge] = []
    offsets = grid.layout.corners
    x, y = grid.corner(*start)
    goal_x, goal_y = grid.corner(*goal)
    if grid.wrap:
        goal_x -= round((goal_x - x) / grid.period) * grid.period
    corner = start
    distance = math.hypot(goal_x - x, goal_y - y)
    while distance > _SAME_POINT:
        steps = []
        for edge, near_number, far_number in _edges_from(grid, corner):
            # Both corners are of one cell, so the positions of both are seen from its centre.
            near_x, near_y = offsets[near_number]
            far_x, far_y = offsets[far_number]
            next_x = x + far_x - near_x
            next_y = y + far_y - near_y
            distance_left = math.hypot(goal_x - next_x, goal_y - next_y)
            steps.append(_Step(distance_left, edge, far_number, next_x, next_y))
        best_step = min(steps)
        if best_step.distance_left > distance - _SAME_POINT:
            break
        path.append(best_step.edge)
        distance = best_step.distance_left
        cell, _side = best_step.edge
        corner = (cell, best_step.end)
        x = best_step.x
        y = best_step.y
    return path


class _Step(NamedTuple):
    """A step along an edge to its other end. The least of several leads nearest to the goal."""

    distance_left: float
    """The distance from the end of the step to the goal, in map units."""

    edge: Edge
    """The edge; of steps that lead equally near the one of the lower cell is taken."""

    end: int
    """The corner at which the step ends, as the edge's cell numbers it."""

    x: float
    """The position of that corner, in map units."""

    y: float


class _EdgeFrom(NamedTuple):
    """An edge at a corner, with its two ends as the edge's cell numbers its corners."""

    edge: Edge
    """The edge."""

    near_number: int
    """The end at the corner from which one asks."""

    far_number: int
    """The other end."""


def _edges_from(grid: Grid, corner: Corner) -> list[_EdgeFrom]:
    """Return every edge at a corner; where hexes meet one can be there twice."""
    cell, number = corner
    degree = grid.degree
    # Side i of a cell goes from its corner i to its corner i + 1, so two of its sides meet here.
    next_number = (number + 1) % degree
    previous_number = (number - 1) % degree
    edges = [
        _EdgeFrom((cell, number), number, next_number),
        _EdgeFrom((cell, previous_number), number, previous_number),
    ]
    # A third edge leads away between two neighbours: it is a side of the neighbour across side
    # ``number``. Seen from there the shared side runs the other way, and ends in this corner.
    twin = grid.twin(cell, number)
    if twin is not None:
        neighbour, shared_side = twin
        near = (shared_side + 1) % degree
        far = (near + 1) % degree
        edges.append(_EdgeFrom((neighbour, near), near, far))
    # The same from the other neighbour: the fourth edge where squares meet, the third one again
    # where hexes do (the path needs it at the map edge, where one of the neighbours is missing).
    twin = grid.twin(cell, previous_number)
    if twin is not None:
        neighbour, shared_side = twin
        far = (shared_side - 1) % degree
        edges.append(_EdgeFrom((neighbour, far), shared_side, far))
    return edges
