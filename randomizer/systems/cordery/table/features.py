"""The table while it is built: what each area holds so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.cordery.table.table_edges import side_towards

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
    """A river, road or railway.

    ``links`` maps each of its areas to a bit mask of sides it leaves by.
    """

    links: dict[int, int] = field(default_factory=dict)

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

    def runs_along(self, grid: Grid, cell: int, other: int) -> bool:
        """Return whether the route has a link between ``cell`` and its neighbour ``other``."""
        side = side_towards(grid, cell, other)
        links = self.links.get(cell, 0) >> side | self.links.get(other, 0) >> grid.opposite(side)
        return bool(links & 1)


@dataclass
class Table:
    """The contents of a table's areas, by cell.

    ``ground`` is the terrain, ``contours`` the height of hills. ``places`` are the inhabited places
    as lists of cells, ``place_numbers`` the number of each cell's place. ``origins`` is, for each
    part of the page, the index of the log line that set each cell. ``locked`` cells are on the
    table before the first die and never change.
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
    origins: dict[str, dict[int, int]] = field(default_factory=dict)
    locked: frozenset[int] = frozenset()
    problems: list[Problem] = field(default_factory=list)

    def set_origin(self, kind: str, cells: Iterable[int], line: int) -> None:
        """Record the index of the log line by which ``part`` changed ``cells``."""
        lines = self.origins.setdefault(kind, {})
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
