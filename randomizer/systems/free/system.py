"""Free maps as a ``System``: any layout, any size, the terrain set of Colossus."""

from __future__ import annotations

from randomizer.model.battlemap import BattleMap
from randomizer.model.grid import Grid
from randomizer.model.layer import Layer
from randomizer.model.layouts import FLAT, Layout
from randomizer.model.property import text_property
from randomizer.model.system import LANDSCAPE, System
from randomizer.systems.colossus.system import EDGE_FILLS, ELEVATION, HEXSIDE, TERRAIN
from randomizer.systems.colossus.terrain_set import COLOSSUS

GROUND = "Ground"
"""The name of a new map's first layer."""

MOST_CELLS = 1_000_000


def _cell_name(grid: Grid, cell: int) -> str:
    x, y = grid.xy(cell)
    digits = max(2, len(str(max(grid.width, grid.height))))
    return f"{x + 1:0{digits}}{y + 1:0{digits}}"


def _cell_of_name(grid: Grid, name: str) -> int | None:
    if not (name.isascii() and name.isdigit() and len(name) % 2 == 0):
        return None
    half = len(name) // 2
    x, y = int(name[:half]) - 1, int(name[half:]) - 1
    if not (0 <= x < grid.width):  # columns beyond the seam of a wrapped map have no names
        return None
    cell = grid.cell(x, y)
    return cell if cell >= 0 and _cell_name(grid, cell) == name else None


SYSTEM = System(
    name="free",
    title="Free map",
    terrain_set=COLOSSUS,
    planes=(TERRAIN, ELEVATION, HEXSIDE),
    terrain=TERRAIN,
    height=ELEVATION,
    hexside=HEXSIDE,
    picture_style=LANDSCAPE,
    new_grid=lambda: Grid(FLAT, 24, 18),
    cell_name=_cell_name,
    cell_of_name=_cell_of_name,
    properties=(
        text_property("title", "Title", "The name of the map"),
        text_property("subtitle", "Subtitle", "The line below the title; may be empty"),
    ),
    title_property="title",
    edge_fills=EDGE_FILLS,
)
"""Cells are named by column and row from 1 on, as wargames print them: 0304."""


def free_map(layout: Layout, width: int, height: int, *, wrap: bool = False) -> BattleMap:
    """An empty map of ``width`` x ``height`` cells with one layer.

    Raises ValueError for more than ``MOST_CELLS`` cells, and as ``Grid`` does.
    """
    if width * height > MOST_CELLS:
        raise ValueError(f"a map has at most {MOST_CELLS:,} cells, not {width} x {height}")
    return BattleMap.new(SYSTEM, Grid(layout, width, height, wrap=wrap), [Layer(1, GROUND)])
