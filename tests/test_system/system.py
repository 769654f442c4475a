"""Test land as a ``System``: squares with terrain, and a height at every corner."""

from __future__ import annotations

from functools import cache

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.settings.setting import Setting
from randomizer.model.system.abilities import Ability
from randomizer.model.system.property import text_property
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.thing_kind import ThingKind

TERRAIN = PlaneSpec("soil", "u2", Element.CELL, 0xFFFF, 0)
HEIGHT = PlaneSpec("rise", "u2", Element.CORNER, 0xFFFF, 0)
NAME = text_property("called", "&Name", "What the land is called")
"""Planes and properties have names of their own: nobody may know them by name."""

LAND = TerrainSet(
    "Test land",
    (
        Terrain("Meadow", "#8fbc6a", letters="m"),
        Terrain("Pond", "#4a7fb0", letters="p", body=True, water=True),
        Terrain("Scree", "#9a948c", letters="s"),
    ),
)
"""The terrain set of a new map."""


OWNERS = ((0, "Nobody"), (1, "Ann"), (2, "Ben"))

KINDS = (
    ThingKind(
        "shepherd",
        "Shepherd",
        "#c9b458",
        "Sh",
        (
            Setting("strength", int, "What is left", 10, minimum=0, maximum=99, title="Strength"),
            Setting(
                "order",
                str,
                "What to do",
                "stay",
                choices=(("stay", "Stay"), ("walk", "Walk"), ("guard", "Guard")),
                title="Order",
            ),
            Setting("asleep", bool, "Whether it sleeps", False, title="Asleep"),
        ),
        OWNERS,
    ),
    ThingKind("sheep", "Sheep", "#f4f1ea", "S", owners=OWNERS),
    ThingKind("cairn", "Cairn", "#8d8a86", "C"),
)
"""What can be placed on a map."""


BREEDS = "breeds"
"""The record of further kinds, a line each: a name and a colour."""


@cache
def _kinds(breeds: str) -> tuple[ThingKind, ...]:
    lines = (line.split() for line in breeds.splitlines())
    return (*KINDS, *(ThingKind(line[0], line[0].title(), line[1]) for line in lines if line[1:]))


WATER = "water"
"""The record of the level of the water, a whole number."""


class LandSystem(System):
    """Test land, whose cells are called by column and row from 1 on: 3/4."""

    name = "testsys"
    title = "Test land"
    terrain_set = LAND
    planes = (TERRAIN, HEIGHT)
    terrain = TERRAIN
    height = HEIGHT
    properties = (NAME,)
    title_property = NAME.name
    layouts = (SQUARE.name,)
    usual_sizes = ((12, 10),)
    max_along = 128
    steep_rise = 10.0
    abilities = frozenset({Ability.ROLLS, Ability.SCRIPTS})

    def new_grid(self) -> Grid:
        return Grid(SQUARE, 12, 10)

    def cell_name(self, grid: Grid, cell: int) -> str:
        x, y = grid.xy(cell)
        return f"{x + 1}/{y + 1}"

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        x, slash, y = name.partition("/")
        if not (slash and x.isdecimal() and y.isdecimal()):
            return None
        cell = grid.cell(int(x) - 1, int(y) - 1)
        return cell if cell >= 0 else None

    def thing_kinds(self, battlemap: BattleMap) -> tuple[ThingKind, ...]:
        record = battlemap.records.get(BREEDS)
        return _kinds("" if record is None else record.text)

    def water_level(self, battlemap: BattleMap) -> float | None:
        record = battlemap.records.get(WATER)
        return float(record.text) if record is not None and record.text.isdecimal() else None


SYSTEM = LandSystem()
