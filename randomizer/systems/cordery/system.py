"""Wargame tables as a ``System``: the terrains, planes, routes and sizes that their maps have.

A wargame table is a map of squares or hexes, its *areas*, with hills, rivers, roads, trees, houses
and fields. The desk and the formats ask ``SYSTEM`` what such a map has; ``System`` documents the
attributes and methods. ``table.areas`` declares the contents of areas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import POINTY, SQUARE
from randomizer.model.system.property import scale_property, text_property
from randomizer.model.system.system import Ability, System
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

MOST_AREAS_ALONG = 60
"""The longest edge of a table, in areas. Names of areas have two digits each way: 0304."""


def new_grid(kind: str, width: int, height: int) -> Grid:
    """Return the grid of a table; ``kind`` is "square" or "hex", width and height are in areas."""
    layout = POINTY
    if kind == "square":
        layout = SQUARE
    return Grid(layout, width, height)


class CorderySystem(System):
    """The system of wargame tables."""

    name = "cordery"
    title = "Wargame table"
    terrain_set = TERRAINS
    fixed_terrain_set = True
    planes = (*SHOWN, ORIGIN, *LOCKED_VALUES.values())
    terrain = TERRAIN
    height = ELEVATION
    routes = ROUTES
    crossings = CROSSING_SPECS
    links_answer = False  # a road may leave an area towards houses that no road runs through
    layouts = (POINTY.name, SQUARE.name)
    usual_sizes = ((9, 8), (8, 8))
    most_along = MOST_AREAS_ALONG
    properties = (
        text_property("title", "Title", "The name of the table"),
        text_property("subtitle", "Subtitle", "The line below the title; may be empty"),
        scale_property(),
    )
    title_property = "title"
    style = "app.systems.cordery.table.style:LANDSCAPE"
    plan_style = "app.systems.cordery.table.style:PLAN"
    terrain_noun = "terrain"
    abilities = frozenset({Ability.ROLLS})

    def new_grid(self) -> Grid:
        return new_grid("hex", 9, 8)

    def elevation_text(self, elevation: int) -> str:
        return {0: "no hill", 1: "1 contour"}.get(elevation, f"{elevation} contours")

    # These two import late what is not needed before the first paint.

    def describe(self, battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
        from randomizer.systems.cordery.table.table_words import area_words

        return area_words(battlemap.grid, planes, cell) or TERRAINS.terrains[0].name

    def pieces(self, grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
        from randomizer.systems.cordery.table.pieces import count_pieces

        return count_pieces(grid, planes)


SYSTEM = CorderySystem()
