"""The features that an area can hold, and the table on which the parts of the page set them.

    table.ground[cell] = LAKE
    table.routes[ROAD].join(grid, [cell, next_cell])       # a road through two areas

An area is a cell of the table, here by its index in the grid; the *page* is Cordery's list of
steps, in parts such as "hills" and "roads".

``Table`` holds the contents of all areas while the dice are thrown. The modules of ``parts`` change
it through a ``TableBuilder``; ``table_layers`` makes the layers of a map of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, Severity
from randomizer.systems.cordery.table.counting_order import side_towards

# Terrains: their names in ``areas.TERRAINS``.
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

# Kinds of routes: also the names of their planes.
RIVER = "river"
ROAD = "road"
RAIL = "rail"

# How a road crosses a river.
FORD = "ford"
BRIDGE = "bridge"


@dataclass
class Route:
    """The network of all rivers, or of all roads, or of all railways of a table."""

    links: dict[int, int] = field(default_factory=dict)
    """For each area that the route runs through, the sides by which it leaves: bit i for side i.

    0b001001 runs from side 0 to side 3.
    """

    def join(self, grid: Grid, cells: Iterable[int]) -> None:
        """Add a stretch through ``cells``, each of them a neighbour of the one before."""
        stretch = list(cells)
        for cell in stretch:
            self.links.setdefault(cell, 0)  # a stretch of one cell has no sides
        for cell, next_cell in pairwise(stretch):
            side = side_towards(grid, cell, next_cell)
            self.add_exit(cell, side)
            self.add_exit(next_cell, grid.opposite(side))

    def add_exit(self, cell: int, side: int) -> None:
        """Let the route leave ``cell`` by a side, whatever is there.

        Beyond the side may be a neighbour on the route, the outside of the table, or the houses of
        a village.
        """
        self.links[cell] = self.links.get(cell, 0) | 1 << side

    def has_exit(self, cell: int, side: int) -> bool:
        """Return whether the route leaves ``cell`` by a side."""
        return bool(self.links.get(cell, 0) >> side & 1)

    def runs_along(self, grid: Grid, cell: int, neighbour: int) -> bool:
        """Return whether the route leads from one of two neighbouring areas to the other.

        A bit in one of the two areas is enough: a link that was drawn by hand may have only one.
        """
        side = side_towards(grid, cell, neighbour)
        return self.has_exit(cell, side) or self.has_exit(neighbour, grid.opposite(side))


@dataclass
class Table:
    """The contents of a table's areas, by cell; it belongs to one ``TableBuilder``."""

    grid: Grid

    contours: dict[int, int] = field(default_factory=dict)
    """The heights of hills, in contours (1 or 2); areas without a hill are left out."""

    ground: dict[int, str] = field(default_factory=dict)
    """The terrains of areas, by name ("Lake"); areas of open ground are left out."""

    routes: dict[str, Route] = field(
        default_factory=lambda: {RIVER: Route(), ROAD: Route(), RAIL: Route()}
    )
    """All rivers, roads and railways, by the kind of route."""

    crossings: dict[int, str] = field(default_factory=dict)
    """FORD or BRIDGE, for the areas in which a road crosses a river."""

    places: list[list[int]] = field(default_factory=list)
    """The inhabited places, each as the list of its areas."""

    place_numbers: dict[int, int] = field(default_factory=dict)
    """The number of the inhabited place to which an area belongs.

    It tells apart two places that touch each other.
    """

    origins: dict[str, dict[int, int]] = field(default_factory=dict)
    """For each part of the page the index of the log line that set each area."""

    locked: frozenset[int] = frozenset()
    """The areas whose content was locked before the first die, and never changes."""

    problems: list[Problem] = field(default_factory=list)
    """The warnings so far, in the order in which they were added."""

    def set_origin(self, part: str, cells: Iterable[int], line: int) -> None:
        """Record the index of the log line by which a part of the page changed ``cells``.

        Locked areas get none, as no part changes them.
        """
        lines = self.origins.setdefault(part, {})
        for cell in cells:
            if cell not in self.locked:
                lines[cell] = line

    def is_high(self, cell: int) -> bool:
        """Return whether an area holds a hill or a mountain."""
        return cell in self.contours or self.ground.get(cell) == MOUNTAIN

    def has_route(self, cell: int) -> bool:
        """Return whether a river, a road or a railway runs through an area."""
        return any(cell in route.links for route in self.routes.values())

    def is_empty(self, cell: int) -> bool:
        """Return whether an area is not locked and holds nothing at all."""
        return self.is_bare_or_hill(cell) and cell not in self.contours

    def is_bare_or_hill(self, cell: int) -> bool:
        """Return whether an area is not locked and holds nothing, or nothing but a hill."""
        return not (cell in self.ground or cell in self.locked or self.has_route(cell))

    def warn(self, code: str, message: str) -> None:
        """Add a warning; the build continues."""
        self.problems.append(Problem(Severity.WARNING, code, message))
