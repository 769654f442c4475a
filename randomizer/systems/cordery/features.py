"""The table while it is laid out: what stands in every area so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from randomizer.model.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.cordery.routes import side_towards

MOUNTAIN, LAKE, MARSH = "Mountain", "Lake", "Marsh"
TREES = ("Deciduous trees", "Coniferous trees", "Palm trees")
SETTLEMENT, VILLAGE, TOWN, CITY = "Settlement", "Village", "Town", "City"
FIELD, PLANTED = "Field", ("Orchard", "Olive grove", "Vineyard")
WATERS = (LAKE, MARSH)
HABITATION = (SETTLEMENT, VILLAGE, TOWN, CITY)

RIVER, ROAD, RAIL = "river", "road", "rail"
FORD, BRIDGE = "ford", "bridge"


@dataclass
class Route:
    """A river, road or railway: the areas it runs through and the sides by which it leaves them.

    ``links`` maps an area to a bit mask of its sides.
    """

    links: dict[int, int] = field(default_factory=dict)

    def join(self, grid: Grid, cells: Iterable[int]) -> None:
        """Run through ``cells``, each beside the one before."""
        before = -1
        for cell in cells:
            self.links.setdefault(cell, 0)
            if before >= 0:
                side = side_towards(grid, before, cell)
                self.links[before] |= 1 << side
                self.links[cell] |= 1 << grid.opposite(side)
            before = cell

    def leave(self, cell: int, side: int) -> None:
        """Run off the table."""
        self.links[cell] = self.links.get(cell, 0) | 1 << side

    def runs_along(self, grid: Grid, cell: int, other: int) -> bool:
        """Whether it goes from ``cell`` straight to ``other``, or (a road to a town) ends there."""
        side = side_towards(grid, cell, other)
        links = self.links.get(cell, 0) >> side | self.links.get(other, 0) >> grid.opposite(side)
        return bool(links & 1)


@dataclass
class Table:
    """What stands where. ``ground`` holds what fills an area, ``contours`` the hills.

    ``places`` are the inhabited ones, ``place_numbers`` says which areas were laid as one of them.
    ``placed`` tells which log line put something of a kind ("hills", "river" ...) into an area.
    ``locked`` areas are on the table before any die is thrown and stay as they are.
    """

    grid: Grid
    contours: dict[int, int] = field(default_factory=dict)
    ground: dict[int, str] = field(default_factory=dict)
    routes: dict[str, Route] = field(
        default_factory=lambda: {RIVER: Route(), ROAD: Route(), RAIL: Route()}
    )
    crossings: dict[int, str] = field(default_factory=dict)
    places: list[list[int]] = field(default_factory=list)
    place_numbers: dict[int, int] = field(default_factory=dict)
    placed: dict[str, dict[int, int]] = field(default_factory=dict)
    locked: frozenset[int] = frozenset()
    problems: list[Problem] = field(default_factory=list)

    def put(self, kind: str, cells: Iterable[int], line: int) -> None:
        """Remember which log line put something of ``kind`` into areas."""
        lines = self.placed.setdefault(kind, {})
        for cell in cells:
            if cell not in self.locked:
                lines[cell] = line

    def high(self, cell: int) -> bool:
        """Whether a hill or mountain stands there."""
        return cell in self.contours or self.ground.get(cell) == MOUNTAIN

    def routed(self, cell: int) -> bool:
        """Whether a river, road or railway runs there."""
        return any(cell in route.links for route in self.routes.values())

    def empty(self, cell: int) -> bool:
        """Whether nothing at all is there."""
        return not (
            cell in self.contours or cell in self.ground or cell in self.locked or self.routed(cell)
        )

    def bare(self, cell: int) -> bool:
        """Whether nothing is there but, perhaps, a hill."""
        return not (cell in self.ground or cell in self.locked or self.routed(cell))

    def warn(self, code: str, message: str) -> None:
        """Say that something could not be done; the map goes on."""
        self.problems.append(Problem(Severity.WARNING, code, message))
