"""Makes walls for a virtual table where terrains and hexsides of a map block sight.

    for line in sight_lines(battlemap, composite, frame):      # [(x, y), (x, y), ...] in pixels
        ...

A table computes what tokens see from walls, which are lines. They run along sides of cells: around
a wood, for instance, and along a hexside that is a wall. ``sight_sides`` marks these sides, and
``_join_sides`` makes lines of them that are as long as possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.terrain.sight import blocks_sight
from randomizer.systems.interchange.foreign.ways import Node, chains
from randomizer.systems.interchange.virtual_table.frame import Frame

MAX_WALLS = 50_000
"""The largest number of sides that become walls: tables compute sight from each of them."""

_NODES_PER_UNIT = 1024
"""Corners of cells become nodes in steps of a map unit divided by this.

With too small a number corners fall together; with too large a one a corner that two cells compute
with different roundings becomes two.
"""

_LARGEST_CROSS_PRODUCT = 1e-6
"""Two directions are the same if their cross product is at most this, which is rounding."""

Line = list[tuple[float, float]]
"""The points of a line, in map units or pixels."""


def sight_sides(battlemap: BattleMap, composite: Composite) -> NDArray[np.bool_]:
    """Return a mask of the sides that block sight, with the shape (cells, degree).

    A side blocks sight between a terrain that does and one that does not, so that a wood is walled
    around and not within; and where it has a hexside that blocks sight.
    """
    system = battlemap.system
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    neighbours = grid.neighbour_table
    blocking_sides = np.zeros(neighbours.shape, np.bool_)
    terrain_plane = composite.plane(system.terrain)
    hexsides = composite.plane(system.hexside)
    if terrain_plane is not None:
        is_opaque = np.array([blocks_sight(terrain) for terrain in terrain_set.terrains])
        cell_blocks = is_opaque[terrain_plane.reshape(-1)]
        differs_from_neighbour = cell_blocks[:, None] != cell_blocks[neighbours]
        # Without a neighbour the index is -1, so that the last cell was compared.
        blocking_sides |= differs_from_neighbour & (neighbours >= 0)
    if hexsides is not None:
        barriers = np.array([False, *(blocks_sight(hexside) for hexside in terrain_set.hexsides)])
        blocking_sides |= barriers[hexsides.reshape(blocking_sides.shape)]
    if grid.mask is not None:
        blocking_sides[~grid.mask.ravel()] = False
    return blocking_sides


def side_count(grid: Grid, sides: NDArray[np.bool_]) -> int:
    """Return the number of sides in a mask (cells, degree).

    A side that both of its cells have in the mask is one side.
    """
    count_of_both_cells = 0
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[:, side]
        is_of_neighbour = (neighbours >= 0) & sides[neighbours, grid.opposite(side)]
        count_of_both_cells += int(np.count_nonzero(sides[:, side] & is_of_neighbour))
    return int(np.count_nonzero(sides)) - count_of_both_cells // 2


def sight_lines(battlemap: BattleMap, composite: Composite, frame: Frame) -> list[Line]:
    """Return the lines that block sight, in pixels.

    There are none if more than ``MAX_WALLS`` sides block sight: a table would become too slow.
    """
    walls = sight_sides(battlemap, composite)
    if side_count(battlemap.grid, walls) > MAX_WALLS:
        return []
    lines = list[Line]()
    for line in _join_sides(battlemap.grid, walls):
        lines.append([frame.pixel(x, y) for x, y in line])
    return lines


def _join_sides(grid: Grid, walls: NDArray[np.bool_]) -> Iterator[Line]:
    """Yield lines in map units along all sides of a mask (cells, degree), each side once.

    Most sides are in the mask twice, once for each of their cells, and the two cells compute the
    corners with different roundings. So a corner is made a *node* of whole numbers, in which both
    agree. The edges between nodes are joined to lines, whose nodes then become corners again.
    """
    corners = dict[Node, tuple[float, float]]()
    edges = set[tuple[Node, Node]]()
    for cell, side in np.argwhere(walls).tolist():
        nodes = list[Node]()
        for x, y in (grid.corner(cell, side), grid.corner(cell, side + 1)):
            node = (round(x * _NODES_PER_UNIT), round(y * _NODES_PER_UNIT))
            corners[node] = (x, y)
            nodes.append(node)
        start, end = sorted(nodes)
        edges.add((start, end))
    for chain in chains(edges):
        yield _without_straight_corners([corners[node] for node in chain])


def _without_straight_corners(points: Line) -> Line:
    """Return a line without the points at which it goes straight on; the first and last stay."""
    line = points[:1]  # always ends in the last point that stays
    for (x, y), (next_x, next_y) in pairwise(points[1:]):
        previous_x, previous_y = line[-1]
        # The cross product of the two directions: 0 if they are the same.
        turn = (x - previous_x) * (next_y - previous_y) - (y - previous_y) * (next_x - previous_x)
        if abs(turn) > _LARGEST_CROSS_PRODUCT:
            line.append((x, y))
    return [*line, points[-1]]
