"""Draws the rivers and routes of an export of Azgaar's generator onto the hexes of a map.

    ways = WayReader(world).draw(planes)        # adds an array of hexes for each of the ways

A *way* is a kind of line on a map, such as roads. Each way has a plane, which says of every hex
whether the line runs through it, and through which of its sides.

In an export a river is a list of cells, and a route a list of points. Both become paths in pixels
(``_paths``). A path is followed in small steps (``_cells_on``), and the hexes that it meets are
linked one after the other; rivers also get a direction and a width (``_draw_flow``).
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
from randomizer.systems.interchange.nearest_points import Floats

MAX_STEPS = 1_000_000
"""The largest number of steps on all rivers and routes together: a sixth of a map unit each.

A file of a few kilobytes could otherwise ask for hours of work.
"""

HEXES_OF_WIDTH = 6
"""The number of hexes after which a river is wider by one quarter of the usual width."""

MAX_RIVER_WIDTH = 6
"""The largest width of a river, in quarters of the usual one."""

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
        """The number of points on rivers and routes so far (``MAX_STEPS``)."""

    def draw(self, planes: Planes) -> list[Way]:
        """Draw rivers and routes into planes, and return the ways of which the export has any.

        Raises ProblemError if they are too long.
        """
        paths_by_way = {name: paths for name, paths in self._paths().items() if paths}
        # The first way that a map has gets the first of the planes of free maps for ways, of which
        # there are more than are needed.
        for (name, paths), spec in zip(paths_by_way.items(), SYSTEM.ways, strict=False):
            plane = spec.allocate(self._world.grid)
            for path in paths:
                cells = self._cells_on(path)
                link_cells(self._world.grid, plane.reshape(-1), cells)  # changes the plane
                if name == "River":
                    self._draw_flow(planes, cells)
            planes[spec.name] = plane
        return [_WAYS[name] for name in paths_by_way]

    def _draw_flow(self, planes: Planes, cells: Sequence[int]) -> None:
        """Set the flow of a river through hexes in their order, and its width, which grows.

        A hex has one direction of flow: where two rivers meet, that of the first one stays. A river
        never flows back into the hex that flows into it.
        """
        for spec in (FLOW, FLOW_WIDTH):
            if spec.name not in planes:
                planes[spec.name] = np.full(self._world.shape, spec.default, spec.dtype)
        # Views with an element for each hex: what is set in them is set in the planes.
        flow = planes[FLOW.name].reshape(-1)
        widths = planes[FLOW_WIDTH.name].reshape(-1)
        grid = self._world.grid
        hexes = [cell for cell, _same in groupby(cells) if cell >= 0]  # -1 is off the map
        for hexes_behind, (cell, next_cell) in enumerate(pairwise(hexes)):
            neighbours = grid.neighbour_table[cell].tolist()
            if next_cell not in neighbours:
                continue  # the river has been off the map between them

            # A flow is ``PRESENT`` with the bit of the side through which the water leaves:
            # PRESENT | 0b001000 for side 3.
            side = neighbours.index(next_cell)
            side_back = grid.opposite(side)
            flows_back = flow[next_cell] & (1 << side_back)
            has_flow = flow[cell] != FLOW.default
            if not has_flow and not flows_back:
                flow[cell] = PRESENT | (1 << side)

            # Where two rivers meet, the wider one counts.
            width = min(1 + hexes_behind // HEXES_OF_WIDTH, MAX_RIVER_WIDTH)
            widths[cell] = max(int(widths[cell]), width)

    def _paths(self) -> dict[str, list[Floats]]:
        """Return the paths of each way by its name: points in pixels, (points, 2) each.

        A path of a single point is left out: it leads nowhere.
        """
        paths: dict[str, list[Floats]] = {name: [] for name in _WAYS}
        for _number, river in self._world.document.entries("pack", "rivers"):
            path = river_path(self._world, river)
            if len(path) > 1:
                paths["River"].append(path)
        for _number, route in self._world.document.entries("pack", "routes"):
            points = []
            for entry in list_of(route.get("points")):
                point = point_of(entry)
                if point is not None:
                    points.append(point)
            path = np.array(points).reshape(-1, 2)
            if len(path) > 1:
                name = _route_name(str(route.get("group", "")))
                paths[name].append(path)
        return paths

    def _cells_on(self, path: Floats) -> list[int]:
        """Return the hexes along a path (points, 2) in their order; -1 stands for off the map.

        A hex comes once for each step in it. Raises ProblemError if all paths together have more
        than ``MAX_STEPS``.
        """
        points = self._world.to_map_units(path)
        cells: list[int] = []
        for start, end in pairwise(points):
            steps = points_on_line(start, end, MAX_STEPS - self._step_count)
            self._step_count += len(steps)
            cells += self._world.grid.cells_at(steps).tolist()
        return cells


def river_path(world: World, river: Mapping[str, Any]) -> Floats:
    """Return the points of a river's cells in pixels, from its source on, (points, 2).

    Where the river is off the map it has no cells.
    """
    numbers = list[int]()
    for number in list_of(river.get("cells")):
        # ``type``, since True is an int for isinstance. A river that leaves the map has numbers
        # that are no cells.
        if type(number) is int and 0 <= number < len(world.points):
            numbers.append(number)
    return world.points[np.array(numbers, np.intp)]


def _route_name(group: str) -> str:
    """Return the name of the way for a group of routes.

    The generator calls its groups "roads", "trails" and "searoutes"; a person may add others.
    """
    words = group.lower()
    if "sea" in words or "water" in words:
        return "Sea route"
    if "trail" in words or "path" in words:
        return "Trail"
    return "Road"
