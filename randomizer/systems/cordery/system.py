"""Cordery's table as a system of the desk."""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.battlemap import Plane, System
from randomizer.model.grid import Grid
from randomizer.model.layouts import POINTY, SQUARE
from randomizer.systems.cordery.areas import (
    CROSSING_SPECS,
    ORIGIN,
    ROUTES,
    SHOWN,
    STOOD,
    TERRAINS,
    cell_name,
    cell_of_name,
)

# The desk shows its first picture before it needs these two: they are loaded when asked for.


def _describe(grid: Grid, planes: Mapping[str, Plane], cell: int) -> str:
    from randomizer.systems.cordery.table_words import area_words

    return area_words(grid, planes, cell)


def _parts(grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
    from randomizer.systems.cordery.pieces import parts_of

    return parts_of(grid, planes)


MOST_AREAS_ALONG = 60
"""The longest edge of a table: more than any room holds, and names have two digits."""


def new_grid(kind: str, width: int, height: int) -> Grid:
    """A table of ``square`` or ``hex`` areas."""
    return Grid(SQUARE if kind == "square" else POINTY, width, height)


SYSTEM = System(
    name="cordery",
    title="Wargame table",
    terrain_set=TERRAINS,
    planes=(*SHOWN, ORIGIN, *STOOD.values()),
    new_grid=lambda: new_grid("hex", 9, 8),
    cell_name=cell_name,
    cell_of_name=cell_of_name,
    layouts=(POINTY.name, SQUARE.name),
    usual_sizes=((9, 8), (8, 8)),
    most_along=MOST_AREAS_ALONG,
    routes=ROUTES,
    crossings=CROSSING_SPECS,
    describe=_describe,
    parts=_parts,
)
