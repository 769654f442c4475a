"""The maps of 0 A.D.'s random map scripts as a ``System``: square tiles with heights at corners."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from randomizer.model.grid import Grid
from randomizer.model.height_scale import HeightScale
from randomizer.model.layouts import SQUARE
from randomizer.model.system import LANDSCAPE, Ability, System
from randomizer.model.thing_rules import ThingRules
from randomizer.systems.zeroad.map.coordinates import FILE_ENTRY, SEA_LEVEL, UNITS_PER_METRE, row_of
from randomizer.systems.zeroad.map.planes import (
    HEIGHT,
    MOST_ALONG,
    PRIORITY,
    TEXTURE,
    USUAL_SIZE,
    why_not_size,
)
from randomizer.systems.zeroad.map.terrain_set import NEW_MAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite
    from randomizer.model.edit import Edit
    from randomizer.model.planes import Plane
    from randomizer.model.problems import Problem
    from randomizer.model.thing_kind import ThingKind


def _cell_name(grid: Grid, cell: int) -> str:
    x, y = grid.xy(cell)
    return f"{x},{row_of(grid.height, y)}"


def _corner_name(grid: Grid, corner: int) -> str:
    y, x = divmod(corner, grid.width + 1)
    return f"corner {x},{grid.height - y}"


def _cell_of_name(grid: Grid, name: str) -> int | None:
    found = re.fullmatch(r"(\d{1,4}),(\d{1,4})", name, re.ASCII)
    if found is None:
        return None
    x, y = int(found[1]), row_of(grid.height, int(found[2]))
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return None
    cell = grid.cell(x, y)
    return cell if cell >= 0 else None


# Not needed before the first paint: imported when called.


def _water_level(battlemap: BattleMap) -> float | None:
    from randomizer.systems.zeroad.map.records import water_level

    return water_level(battlemap)


def _thing_kinds(battlemap: BattleMap) -> tuple[ThingKind, ...]:
    from randomizer.systems.zeroad.map.entity_kinds import kinds_of

    return kinds_of(battlemap)


def _check(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    from randomizer.systems.zeroad.map.map_check import check_map

    return check_map(battlemap, composite)


def _set_water(battlemap: BattleMap, level: float) -> Edit | None:
    from randomizer.systems.zeroad.map.records import set_water

    return set_water(battlemap, level)


def _describe(battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
    from randomizer.systems.zeroad.map.tiles import tile_words

    return tile_words(battlemap, planes, cell)


def _painted_with(shown: Composite, plane: str, values: Plane) -> Mapping[str, Plane]:
    from randomizer.systems.zeroad.map.tiles import priorities_of

    return priorities_of(shown, plane, values)


def _round_edge(battlemap: BattleMap) -> tuple[float, float] | None:
    from randomizer.systems.zeroad.map.records import round_edge

    return round_edge(battlemap)


SYSTEM = System(
    name="zeroad",
    title="0 A.D. map",
    named=True,
    terrain_set=NEW_MAP,
    planes=(TEXTURE, PRIORITY, HEIGHT),
    terrain=TEXTURE,
    height=HEIGHT,
    picture_style=LANDSCAPE,
    begins_rolled=True,
    abilities=frozenset({Ability.ROLLS, Ability.SCRIPTS}),
    script_prefix="0ad",
    new_grid=lambda: Grid(SQUARE, USUAL_SIZE, USUAL_SIZE),
    cell_name=_cell_name,
    cell_of_name=_cell_of_name,
    corner_name=_corner_name,
    open_terrain_set=True,
    layouts=(SQUARE.name,),
    usual_sizes=((USUAL_SIZE, USUAL_SIZE),),
    most_along=MOST_ALONG,
    why_not_size=why_not_size,
    thing_rules=ThingRules(file_entry=FILE_ENTRY),
    thing_kinds=_thing_kinds,
    check=_check,
    describe=_describe,
    painted_with=_painted_with,
    water_level=_water_level,
    set_water=_set_water,
    round_edge=_round_edge,
    height_scale=HeightScale(UNITS_PER_METRE, SEA_LEVEL),
    steep_rise=4.0 * UNITS_PER_METRE,
)
"""Cells and corners are called "x,z" as scripts count them: from 0 on, z from the lower edge."""
