"""The rivers and routes of an export, drawn into the planes of a map.

    ways = WayReader(world).draw(planes)        # the planes get one for each of the ways

A river is a list of cells, a route a list of points. Both are followed point by point, and become
ways through the hexes in which these points lie; rivers also get a direction of flow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from randomizer.model.map.layer import Planes
from randomizer.model.planes.routes import PRESENT
from randomizer.model.terrain.terrain import Way
from randomizer.systems.free.system import FLOW, FLOW_WIDTH, SYSTEM
from randomizer.systems.interchange.azgaar.document import (
    list_of,
    point_of,
)
from randomizer.systems.interchange.azgaar.world import World
from randomizer.systems.interchange.foreign.ways import link_cells, points_on_line
from randomizer.systems.interchange.nearest_points import Numbers

MOST_STEPS = 1_000_000
"""The largest number of points (``LINE_STEP`` apart) on all rivers and routes together."""

HEXES_OF_WIDTH = 6
"""The number of hexes after which a river is wider by one."""

MOST_RIVER_WIDTH = 6
"""The largest width of a river."""

_WAYS = {
    "River": Way("River", "water", "#3f86bd"),
    "Road": Way("Road", "road", "#8d7a5c"),
    "Trail": Way("Trail", "track", "#8a6d45"),
    "Sea route": Way("Sea route", "track", "#eef4f8"),
}
"""The ways that a map can get, by their names."""


class WayReader:
    """Draws the rivers and routes of a world; ``draw`` is called once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._step_count = 0
        """The number of points on rivers and routes so far (``MOST_STEPS``)."""

    def draw(self, planes: Planes) -> list[Way]:
        """Draw rivers and routes into planes, and return the ways of which the export has any.

        Raises ProblemError if they are too long.
        """
        ways: list[Way] = []
        for name, paths in self._paths().items():
            if not paths:
                continue
            spec = SYSTEM.ways[len(ways)]
            plane = spec.allocate(self._world.grid)
            flat = plane.reshape(-1)
            for path in paths:
                cells = self._cells_on(path)
                link_cells(self._world.grid, flat, cells)
                if name == "River":
                    self._let_flow(planes, cells)
            planes[spec.name] = plane
            ways.append(_WAYS[name])
        return ways

    def _let_flow(self, planes: Planes, cells: Sequence[int]) -> None:
        """Let a river flow through hexes in their order, wider and wider.

        A hex has one direction of flow: where two rivers meet, that of the first one stays. A river
        never flows back into the hex that flows into it.
        """
        for spec in (FLOW, FLOW_WIDTH):
            if spec.name not in planes:
                planes[spec.name] = np.full(self._world.shape, spec.default, spec.dtype)
        flow = planes[FLOW.name].reshape(-1)
        widths = planes[FLOW_WIDTH.name].reshape(-1)
        hexes = [cell for cell, _same in groupby(cells) if cell >= 0]
        for number, (cell, next_cell) in enumerate(pairwise(hexes)):
            neighbours = self._world.grid.neighbour_table[cell].tolist()
            if next_cell not in neighbours:
                continue
            side = neighbours.index(next_cell)
            flows_back = flow[next_cell] & 1 << self._world.grid.opposite(side)
            width = 1 + number // HEXES_OF_WIDTH
            if flow[cell] == FLOW.default and not flows_back:
                flow[cell] = PRESENT | 1 << side
            widths[cell] = max(int(widths[cell]), min(width, MOST_RIVER_WIDTH))

    def _paths(self) -> dict[str, list[Numbers]]:
        """Return the lines of each way by its name, (points, 2) each, in pixels."""
        paths: dict[str, list[Numbers]] = {name: [] for name in _WAYS}
        for _number, river in self._world.document.entries("pack", "rivers"):
            path = river_path(self._world, river)
            if len(path) > 1:
                paths["River"].append(path)
        for _number, route in self._world.document.entries("pack", "routes"):
            points = [point_of(point) for point in list_of(route.get("points"))]
            path = np.array([point for point in points if point is not None]).reshape(-1, 2)
            if len(path) > 1:
                paths[_route_name(str(route.get("group", "")))].append(path)
        return paths

    def _cells_on(self, path: Numbers) -> list[int]:
        """Return the hexes along a line, in their order, each as often as it is met."""
        points = self._world.on_map(path)
        cells: list[int] = []
        for start, end in pairwise(points):
            steps = points_on_line(start, end, MOST_STEPS - self._step_count)
            self._step_count += len(steps)
            cells += self._world.grid.cells_at(steps).tolist()
        return cells


def river_path(world: World, river: Mapping[str, Any]) -> Numbers:
    """Return the points of a river's cells from its source on; off the map it has none."""
    numbers = list[int]()
    for number in list_of(river.get("cells")):
        # True is an int for isinstance; a river off the map has numbers that are no cells.
        if type(number) is int and 0 <= number < len(world.points):
            numbers.append(number)
    return world.points[np.array(numbers, np.intp)]


def _route_name(group: str) -> str:
    """Return the way of a group of routes, as the generator or a person calls it."""
    words = group.lower()
    if "sea" in words or "water" in words:
        return "Sea route"
    if "trail" in words or "path" in words:
        return "Trail"
    return "Road"
