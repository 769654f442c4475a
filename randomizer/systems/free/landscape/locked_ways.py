"""The rivers and roads of locked cells, and roads that go on from their border.

A landscape is rolled around the locked cells, whose ways stay. ``locked_ways`` reads them off the
map. A way leads out of the locked cells by an *opening*, a side of their border::

    . . . . . .
    . # # # . .      #  locked cells
    . # =======      =  a way, whose opening is the side between the last # and the next cell

``join_roads`` leads roads on from there to the next town or road; ``joined_rivers.py`` does so
for rivers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.cheapest_path import StepCosts, path_to_nearest
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import PRESENT, SIDES, has_side
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.drainage import Marks
from randomizer.systems.free.landscape.links import Links, add_links, bit_of_side
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.towns import Town
from randomizer.systems.free.system import SYSTEM, WAYS


class Opening(NamedTuple):
    """A side of the border of the locked cells by which a way leads out."""

    cell: int
    """The cell outside."""

    locked_cell: int
    """The cell inside."""

    side: int
    """The side of ``cell`` that leads to ``locked_cell``."""


@dataclass(frozen=True, eq=False)
class LockedWays:
    """The ways of the locked cells of a map. All arrays are (cells,)."""

    grid: Grid

    is_locked: Marks
    """The locked cells."""

    links: Mapping[str, Links]
    """What is visible in the locked cells, by name of way; a way that the map lacks is missing."""

    flow: Links
    """The bit of the side by which water leaves each locked cell, 0 if it has none."""

    width: NDArray[np.int64]
    """The width of the river in each locked cell, 0 if none is set."""

    def openings(self, name: str) -> Iterator[Opening]:
        """Yield the openings of a way, in the order of the sides."""
        if name not in self.links:
            return
        for side in range(self.grid.degree):
            neighbours = self.grid.neighbour_table[:, side]
            # A neighbour off the map is -1, the last cell: it is ruled out by the first condition.
            is_outside = (neighbours >= 0) & ~self.is_locked[neighbours]
            leads_out = self.is_locked & is_outside & has_side(self.links[name], side)
            for locked_cell in np.flatnonzero(leads_out).tolist():
                cell = int(neighbours[locked_cell])
                yield Opening(cell, locked_cell, self.grid.opposite(side))

    def is_inlet(self, opening: Opening) -> bool:
        """Return whether water is known to flow into the locked cells at an opening of a river."""
        flow = int(self.flow[opening.locked_cell])
        outward = bit_of_side(self.grid.opposite(opening.side))
        is_known = flow != 0
        # Water has one way out of a cell: if that is another side, it comes in by this one.
        return is_known and flow != outward


def locked_ways(base: Base, grid: Grid) -> LockedWays | None:
    """Return the ways of the locked cells of the map below a roll, None if none is locked."""
    if not grid.same_as(base.grid):
        return None
    is_locked = base.locked_mask(SYSTEM.terrain).reshape(-1)
    if not is_locked.any():
        return None
    planes = base.shown.planes
    links = {}
    for index, way in enumerate(base.terrain_set.ways):
        visible_links = planes[WAYS[index].name].reshape(-1)
        links[way.name] = np.where(is_locked, visible_links & SIDES, 0).astype(np.uint8)
    flow = np.where(is_locked, planes[SYSTEM.flow.name].reshape(-1) & SIDES, 0)
    width = np.where(is_locked, planes[SYSTEM.flow_width.name].reshape(-1), 0)
    return LockedWays(
        grid,
        is_locked,
        links,
        flow=flow.astype(np.uint8),
        width=width.astype(np.int64),
    )


def join_roads(
    ways: Mapping[str, Links], towns: list[Town], costs: Field, locked: LockedWays
) -> int:
    """Lead roads and tracks on, in place, from the border of the locked cells to a town or way.

    Returns how many end there, as no town or way is in reach. ``ways`` are the link planes of those
    that are laid, by name, and ``costs`` (cells,) what a road pays for each cell.
    """
    grid = locked.grid
    is_town = np.zeros(grid.size, np.bool_)
    is_town[[town.cell for town in towns]] = True
    has_any_way = np.zeros(grid.size, np.bool_)
    for links in ways.values():
        has_any_way |= links & SIDES > 0

    open_ends = 0
    for name, links in ways.items():
        for opening in locked.openings(name):
            # Goals are looked up before this way is drawn, which would be its own goal. If another
            # way has marked the cell already, the path is this one cell.
            is_goal = (has_any_way & ~locked.is_locked) | is_town
            path = _path_to_goal(grid, costs, opening.cell, is_goal)
            links[opening.cell] |= PRESENT | bit_of_side(opening.side)
            has_any_way[opening.cell] = True
            if path is None:
                open_ends += 1
                continue
            add_links(links, grid, path[:-1], path[1:])
            has_any_way[path] |= links[path] & SIDES > 0
    return open_ends


def _path_to_goal(grid: Grid, costs: Field, start: int, is_goal: Marks) -> NDArray[np.int32] | None:
    """Return the cells of the cheapest path to a goal, None if none is in reach."""
    goals = np.flatnonzero(is_goal).tolist()
    if not np.isfinite(costs[start]):
        return None
    path = path_to_nearest(grid, StepCosts(costs), start, goals)
    if not path:
        return None
    return np.array(path, np.int32)
