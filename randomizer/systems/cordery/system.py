"""Wargame tables as a kind of map: the terrains, values, routes and sizes that they have.

A wargame table is a map of squares or hexes, its *areas*, with hills, rivers, roads, trees, houses
and fields. The desk and the formats of files ask the one ``CorderySystem``, ``SYSTEM``, what such
a map has::

    SYSTEM.terrain_set.terrains[0].name     # "Open"
    SYSTEM.elevation_text(2)                # "2 contours"
    SYSTEM.new_grid()                       # 9 x 8 hexes

``table.areas`` declares the contents of areas, as *planes*: arrays with a value for each area.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import POINTY, SQUARE
from randomizer.model.system.abilities import Ability
from randomizer.model.system.property import scale_property, text_property
from randomizer.model.system.system import System
from randomizer.systems.cordery.table.areas import (
    CROSSING_SPECS,
    ELEVATION,
    LOCKED_VALUES,
    ORIGIN,
    ROUTES,
    SHOWN,
    TERRAIN,
    TERRAINS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.planes import Plane

DICE_RECORD = "entered dice"
"""The name of the record with dice that were entered for a table (``entered_dice``)."""

MAX_AREAS_ALONG = 60
"""The longest edge of a table, in areas. Names of areas have two digits each way: 0304."""


def table_grid(kind: str, width: int, height: int) -> Grid:
    """Return the grid of a table; ``kind`` is "square" or "hex", width and height are in areas."""
    layout = POINTY
    if kind == "square":
        layout = SQUARE
    return Grid(layout, width, height)


class CorderySystem(System):
    """The kind of map of wargame tables; ``System`` documents the attributes and the methods."""

    name = "cordery"
    title = "Wargame table"
    terrain_noun = "terrain"
    abilities = frozenset({Ability.ROLLS})

    # What an area can hold.
    terrain_set = TERRAINS
    is_terrain_set_fixed = True  # all tables have this one
    planes = (*SHOWN, ORIGIN, *LOCKED_VALUES.values())
    terrain = TERRAIN
    height = ELEVATION
    routes = ROUTES
    crossings = CROSSING_SPECS
    # False: a link of a route to a neighbour need not have a counterpart there. A road to a town
    # leaves the last area before it, but runs through no area of the town.
    links_are_mutual = False

    # The grids: hexes or squares, and the sizes that *New map* offers first for them.
    layouts = (POINTY.name, SQUARE.name)
    usual_sizes = ((9, 8), (8, 8))
    max_along = MAX_AREAS_ALONG

    # The properties of a whole table.
    properties = (
        text_property("title", "Title", "The name of the table"),
        text_property("subtitle", "Subtitle", "The line below the title; may be empty"),
        scale_property(),
    )
    title_property = "title"

    undrawn_records = frozenset([DICE_RECORD])

    # The looks, which are named only: the main window imports them, this package must not.
    style = "app.systems.cordery.table.style:LANDSCAPE"
    plan_style = "app.systems.cordery.table.style:PLAN"

    def new_grid(self) -> Grid:
        """Return the grid of a new table, in the size of Cordery's hexed grid."""
        width, height = self.usual_sizes[0]
        return table_grid("hex", width, height)

    def elevation_text(self, elevation: int) -> str:
        """Return the words for the height of a hill; a height is told in contours."""
        if elevation == 0:
            return "no hill"
        if elevation == 1:
            return "1 contour"
        return f"{elevation} contours"

    # The next two import late what is not needed before the window is drawn first.

    def describe(self, battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
        """Return what lies in an area, such as "Village, road"; an empty one is called "Open"."""
        from randomizer.systems.cordery.table.table_words import area_words

        open_ground = TERRAINS.terrains[0]
        return area_words(battlemap.grid, planes, cell) or open_ground.name

    def pieces(self, grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
        """Return how many pieces of each kind a player needs to build a table."""
        from randomizer.systems.cordery.table.pieces import count_pieces

        return count_pieces(grid, planes)


SYSTEM = CorderySystem()
