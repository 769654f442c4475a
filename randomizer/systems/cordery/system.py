"""Wargame tables as a ``System``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from randomizer.model.grid import Grid
from randomizer.model.layouts import POINTY, SQUARE
from randomizer.model.planes import Plane
from randomizer.model.property import text_property
from randomizer.model.system import Ability, System
from randomizer.systems.cordery.areas import (
    CROSSING_SPECS,
    ELEVATION,
    LOCKED_VALUES,
    ORIGIN,
    ROUTES,
    SHOWN,
    TERRAIN,
    TERRAINS,
    cell_name,
    cell_of_name,
)

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap

# Not needed before the first paint: imported when called.


def _describe(battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
    from randomizer.systems.cordery.table_words import area_words

    return area_words(battlemap.grid, planes, cell) or TERRAINS.terrains[0].name


def _pieces(grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
    from randomizer.systems.cordery.pieces import count_pieces

    return count_pieces(grid, planes)


MOST_AREAS_ALONG = 60
"""The longest edge of a table, in areas; names have two digits."""


def new_grid(kind: str, width: int, height: int) -> Grid:
    """The grid of a table of ``square`` or ``hex`` areas."""
    return Grid(SQUARE if kind == "square" else POINTY, width, height)


SYSTEM = System(
    name="cordery",
    title="Wargame table",
    terrain_set=TERRAINS,
    planes=(*SHOWN, ORIGIN, *LOCKED_VALUES.values()),
    terrain=TERRAIN,
    height=ELEVATION,
    new_grid=lambda: new_grid("hex", 9, 8),
    cell_name=cell_name,
    cell_of_name=cell_of_name,
    fixed_terrain_set=True,
    properties=(
        text_property("title", "Title", "The name of the table"),
        text_property("subtitle", "Subtitle", "The line below the title; may be empty"),
    ),
    title_property="title",
    layouts=(POINTY.name, SQUARE.name),
    usual_sizes=((9, 8), (8, 8)),
    most_along=MOST_AREAS_ALONG,
    routes=ROUTES,
    crossings=CROSSING_SPECS,
    describe=_describe,
    pieces=_pieces,
    abilities=frozenset({Ability.ROLLS}),
)
