"""The features of a table, and the table while it is built: what each area holds so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.cordery.table.counting_order import side_towards

MOUNTAIN = "Mountain"
LAKE = "Lake"
MARSH = "Marsh"
TREES = ("Deciduous trees", "Coniferous trees", "Palm trees")
SETTLEMENT = "Settlement"
VILLAGE = "Village"
TOWN = "Town"
CITY = "City"
FIELD = "Field"
PLANTED = ("Orchard", "Olive grove", "Vineyard")
WATERS = (LAKE, MARSH)
HABITATION = (SETTLEMENT, VILLAGE, TOWN, CITY)

RIVER = "river"
ROAD = "road"
RAIL = "rail"
FORD = "ford"
BRIDGE = "bridge"


@dataclass
class Route:
    """All rivers, roads or railways of a table."""

    links: dict[int, int] = field(default_factory=dict)
    """For each of its areas the sides by which it leaves the area, as a bit mask."""

    def join(self, grid: Grid, cells: Iterable[int]) -> None:
        """Add ``cells``, each a neighbour of the one before."""
        last_cell = -1
        for cell in cells:
            self.links.setdefault(cell, 0)
            if last_cell >= 0:
                side = side_towards(grid, last_cell, cell)
                self.links[last_cell] |= 1 << side
                self.links[cell] |= 1 << grid.opposite(side)
            last_cell = cell

    def leave(self, cell: int, side: int) -> None:
        """Let the route leave the table by a side of ``cell``."""
        self.links[cell] = self.links.get(cell, 0) | 1 << side

    def runs_along(self, grid: Grid, cell: int, neighbour: int) -> bool:
        """Return whether the route has a link between two neighbours, named by either of them."""
        side = side_towards(grid, cell, neighbour)
        link_from_here = self.links.get(cell, 0) >> side & 1
        link_from_there = self.links.get(neighbour, 0) >> grid.opposite(side) & 1
        return bool(link_from_here or link_from_there)


@dataclass
class Table:
    """The contents of a table's areas, by cell. It belongs to one ``TableBuilder``."""

    grid: Grid

    contours: dict[int, int] = field(default_factory=dict)
    """The height of hills, in contours; areas without a hill are not in it."""

    ground: dict[int, str] = field(default_factory=dict)
    """The feature that stands in an area ("Lake"); areas of open ground are not in it."""

    routes: dict[str, Route] = field(
        default_factory=lambda: {RIVER: Route(), ROAD: Route(), RAIL: Route()}
    )

    crossings: dict[int, str] = field(default_factory=dict)
    """FORD or BRIDGE where a road crosses a river."""

    places: list[list[int]] = field(default_factory=list)
    """The inhabited places, each as the list of its areas."""

    place_numbers: dict[int, int] = field(default_factory=dict)
    """The number of the place to which an area belongs: it parts places that only touch."""

    origins: dict[str, dict[int, int]] = field(default_factory=dict)
    """For each part of the page the index of the log line that set each area."""

    locked: frozenset[int] = frozenset()
    """The areas that are on the table before the first die and never change."""

    problems: list[Problem] = field(default_factory=list)

    def set_origin(self, part: str, cells: Iterable[int], line: int) -> None:
        """Record the index of the log line by which a part of the page changed ``cells``."""
        lines = self.origins.setdefault(part, {})
        for cell in cells:
            if cell not in self.locked:
                lines[cell] = line

    def high(self, cell: int) -> bool:
        """Return whether there is a hill or mountain."""
        return cell in self.contours or self.ground.get(cell) == MOUNTAIN

    def routed(self, cell: int) -> bool:
        """Return whether a river, road or railway runs there."""
        return any(cell in route.links for route in self.routes.values())

    def empty(self, cell: int) -> bool:
        """Return whether there is nothing at all."""
        return not (
            cell in self.contours or cell in self.ground or cell in self.locked or self.routed(cell)
        )

    def bare(self, cell: int) -> bool:
        """Return whether there is nothing except, perhaps, a hill."""
        return not (cell in self.ground or cell in self.locked or self.routed(cell))

    def warn(self, code: str, message: str) -> None:
        """Add a warning; the build continues."""
        self.problems.append(Problem(Severity.WARNING, code, message))
