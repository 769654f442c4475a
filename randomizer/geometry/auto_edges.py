"""Hexsides by the rules of a terrain set: owners of edges, missing hexsides, edges along a drag."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.shapes import Cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import Hexside, TerrainSet


class EdgePlanes(NamedTuple):
    """The shown planes on which the rules depend, None for those that the system lacks.

    ``terrain`` and ``elevation`` have shape (h, w), ``hexside`` (h, w, degree).
    """

    terrain: Plane | None
    elevation: Plane | None
    hexside: Plane | None

    @classmethod
    def of(cls, system: System, composite: Composite) -> EdgePlanes:
        """Return those of what a map of ``system`` shows."""
        return cls(*map(composite.plane, (system.terrain, system.elevation, system.hexside)))


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
    if twin is None or not code:
        return edge
    hexside = terrain_set.hexsides[code - 1]
    if hexside.ground and planes.terrain is not None:
        ground = terrain_set.terrain_code(hexside.ground)
        terrain = planes.terrain.flat
        return twin if terrain[twin[0]] == ground != terrain[cell] else edge
    if hexside.higher and planes.elevation is not None:
        elevation = planes.elevation.flat
        return twin if elevation[twin[0]] > elevation[cell] else edge
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

    Returns flat indices of the hexside plane (on the owner's side), ascending, and a code for each.
    An edge that has a hexside on either side is left alone. ``codes``: only these hexsides (else
    all that have a rule); the first that matches is taken. Without a hexside plane there are none.
    """
    if planes.hexside is None:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    numbers = range(1, len(terrain_set.hexsides) + 1) if codes is None else codes
    terrain, elevation = (
        None if plane is None else plane.reshape(-1) for plane in (planes.terrain, planes.elevation)
    )
    hexside = planes.hexside.reshape(-1, grid.degree)
    owners = []
    chosen = []
    for side in range(grid.degree):
        across = grid.neighbours_of(cells, side)
        inner = across >= 0
        one = cells[inner]
        cells_across = across[inner]
        back = grid.opposite(side)
        empty = (hexside[one, side] == 0) & (hexside[cells_across, back] == 0)
        one = one[empty]
        cells_across = cells_across[empty]
        for owner, foe, its_side in ((one, cells_across, side), (cells_across, one, back)):
            code = np.zeros(len(owner), np.intp)
            for number in numbers:
                fits = _fits(
                    terrain_set.hexsides[number - 1], terrain_set, terrain, elevation, owner, foe
                )
                code[fits & (code == 0)] = number
            owners.append((owner * grid.degree + its_side)[code > 0])
            chosen.append(code[code > 0])
    index, first = np.unique(np.concatenate(owners), return_index=True)
    return index, np.concatenate(chosen)[first]


def _fits(
    hexside: Hexside,
    terrain_set: TerrainSet,
    terrain: Plane | None,
    elevation: Plane | None,
    owner: Cells,
    other: Cells,
) -> Plane:
    """Return whether the hexside should be between ``owner``, which would own it, and ``other``."""
    if hexside.drops is not None and elevation is not None:
        least, most = hexside.drops
        drop = elevation[owner].astype(np.int64) - elevation[other]
        return np.asarray((drop >= least) & (drop <= most))
    if hexside.ground and hexside.beside and terrain is not None:
        ground = terrain_set.terrain_code(hexside.ground)
        beside = terrain_set.terrain_code(hexside.beside)
        return np.asarray((terrain[owner] == ground) & (terrain[other] == beside))
    return np.zeros(len(owner), np.bool_)


# --- which edges a drag means ---------------------------------------------------------------------


def along_path(grid: Grid, points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """Return edges along a dragged path (map units), as an unbroken chain from corner to corner.

    Every edge occurs once, as (cell, side) of one of its two cells, in the order of the path; edges
    of the map edge are passed but left out. A new chain starts where the path re-enters the map.
    """
    edges: dict[tuple[int, int], None] = {}
    corner: tuple[int, int] | None = None
    for x, y in points:
        goal = _nearest_corner(grid, x, y)
        if goal is None:
            corner = None
            continue
        if corner is not None:
            for edge in _walk(grid, corner, goal):
                twin = grid.twin(*edge)
                if twin is not None:
                    edges.setdefault(min(edge, twin))
        corner = goal
    return list(edges)


def _nearest_corner(grid: Grid, x: float, y: float) -> tuple[int, int] | None:
    """Return the corner nearest to a point as (cell, corner), None outside the map."""
    cell = grid.cell_at(x, y)
    if cell < 0:
        return None
    cx, cy = grid.centre(cell)
    if grid.wrap:
        cx += round((x - cx) / grid.period) * grid.period
    distances = [math.hypot(cx + dx - x, cy + dy - y) for dx, dy in grid.layout.corners]
    return cell, distances.index(min(distances))


def _walk(grid: Grid, start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the edges of a shortest path from corner to corner; as far as it gets if there is a
    hole.

    On a lattice without holes the edge that ends nearest to the goal is always right.
    """
    way: list[tuple[int, int]] = []
    (x, y) = grid.corner(*start)
    (goal_x, goal_y) = grid.corner(*goal)
    if grid.wrap:
        goal_x -= round((goal_x - x) / grid.period) * grid.period
    here = start
    left = math.hypot(goal_x - x, goal_y - y)
    while left > 0.01:
        ways = []
        for edge, (cell, corner), (from_dx, from_dy) in _edges_from(grid, here):
            to_dx, to_dy = grid.layout.corners[corner]
            to_x = x + to_dx - from_dx
            to_y = y + to_dy - from_dy
            ways.append(
                (math.hypot(goal_x - to_x, goal_y - to_y), edge, (cell, corner), to_x, to_y)
            )
        best = min(ways)
        if best[0] > left - 0.01:
            break
        left, edge, here, x, y = best
        way.append(edge)
    return way


def _edges_from(
    grid: Grid, place: tuple[int, int]
) -> list[tuple[tuple[int, int], tuple[int, int], tuple[float, float]]]:
    """Return every edge at a corner (cell, corner): the edge, its other end, and its start.

    The start is the position of this corner, seen from the centre of the edge's cell.
    """
    cell, corner = place
    degree = grid.degree
    corners = grid.layout.corners
    corner_before = (corner - 1) % degree
    result = [
        ((cell, corner), (cell, (corner + 1) % degree), corners[corner]),
        ((cell, corner_before), (cell, corner_before), corners[corner]),
    ]
    twin = grid.twin(cell, corner)
    if twin is not None:  # seen from there, the shared edge ends where the next one starts
        other, side = twin
        start = (side + 1) % degree
        result.append(((other, start), (other, (start + 1) % degree), corners[start]))
    twin = grid.twin(cell, corner_before)
    if twin is not None:
        other, start = twin
        side = (start - 1) % degree
        result.append(((other, side), (other, side), corners[start]))
    return result
