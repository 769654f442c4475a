"""Xconq's worlds as a ``System``: slanting hexes that go round from east to west, and units.

The desk and the formats of files ask ``SYSTEM`` what a world has; ``System`` documents the
attributes and methods. Modules that are not needed before the window is drawn first are imported by
the methods that use them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.records.map_records import further_record
from randomizer.model.system.abilities import Ability
from randomizer.model.system.cell_width import CellWidth
from randomizer.model.system.system import LANDSCAPE, System
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.xconq.scenario.unit_rules import UNIT_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.problems import Problem
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.system.explanation import Explanation
    from randomizer.model.things.thing_kind import ThingKind

TERRAIN = PlaneSpec("terrain", "u1", Element.CELL, unset=0xFF, default=0)
"""The only plane of a world: the codes of its terrain, a byte for each hex; 255 is unset."""

MIN_ALONG = 9
"""The shortest edge of a world that is rolled, in hexes."""

MAX_ALONG = 1024
"""The longest edge of any world, in hexes."""

COUNTRIES = "countries"
"""The setting of the number of countries of a rolled world, each with a side."""

USUAL_SIZE = (60, 30)
"""Width and height of a new world, those of the real program."""

MODERN = TerrainSet(
    "Modern Times",
    (
        Terrain("sea", "#2f6ea5", ".", picture="Open sea", water=True),
        Terrain("shallows", "#72b4cf", ",", picture="Shallows", water=True),
        Terrain("swamp", "#7f9b66", "=", picture="Swamp"),
        Terrain("desert", "#e4cf8d", "~", picture="Desert"),
        Terrain("plains", "#a8c46c", "+", picture="Grassland"),
        Terrain("forest", "#3e7c46", "%", picture="Woods"),
        Terrain("mountains", "#98785a", "^", picture="Mountains"),
        Terrain("ice", "#eef4f8", "_", picture="Ice"),
        Terrain("void", "#17181f", ":", picture="Void", water=True),
    ),
)
"""The terrains of the packaged period of modern times.

They are written out here, as the desk starts without reading a period. A test compares both.
"""


class XconqSystem(System):
    """Xconq's worlds, whose terrain sets follow from their periods.

    Cells are called "x,y" as in mapfiles: y counts from the south, the edge rows are the first and
    the last.
    """

    name = "xconq"
    title = noun = "Xconq world"
    terrain_set = MODERN
    planes = (TERRAIN,)
    terrain = TERRAIN
    layouts = (OBLIQUE.name,)
    wraps = True
    usual_sizes = (USUAL_SIZE,)
    max_along = MAX_ALONG
    thing_rules = UNIT_RULES
    has_starts = True  # each side begins in a country
    style = LANDSCAPE
    # The names of these records are written out, as ``records`` is imported late.
    script_record = "period"
    script_noun = "period"
    records_of_file = frozenset({"header"})
    begins_rolled = True  # a new map is a rolled world, not an empty one
    abilities = frozenset({Ability.ROLLS, Ability.SCRIPTS})

    def new_grid(self) -> Grid:
        return Grid(OBLIQUE, *USUAL_SIZE, wrap=True)

    def cell_name(self, grid: Grid, cell: int) -> str:
        return ",".join(self.coordinates(grid, *grid.xy(cell)))

    def coordinates(self, _grid: Grid, x: int, y: int) -> tuple[str, str]:
        return str(x), str(y)

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        match = re.fullmatch(r"(\d{1,4}),(\d{1,4})", name, re.ASCII)
        if match is None:
            return None
        x = int(match[1])
        y = int(match[2])
        # The grid also finds the cell of a column beyond the seam, as columns go round. A cell has
        # one name only.
        if x >= grid.width or y >= grid.height:
            return None
        cell = grid.cell(x, y)
        if cell < 0:
            return None
        return cell

    def players_record(self, name: str, record: MapRecord) -> MapRecord | None:
        """Return a record as a file for players has it; None for one that is left out.

        The period stays, as it has the rules, which all players know.
        """
        from randomizer.systems.xconq.records import GLOBALS, HEADER, MAP, SIDES, UNITS

        beginning_of_included = further_record(self.script_record, "")
        is_period = name == self.script_record or name.startswith(beginning_of_included)
        if is_period or name in (GLOBALS, HEADER, MAP, SIDES, UNITS):
            return record
        return None

    def thing_kinds(self, battlemap: BattleMap) -> tuple[ThingKind, ...]:
        from randomizer.systems.xconq.units.unit_kinds import kinds_of

        return kinds_of(battlemap)

    def cell_width(self, battlemap: BattleMap, _properties: Mapping[str, Any]) -> CellWidth | None:
        from randomizer.systems.xconq.records import map_facts_of

        kilometres = map_facts_of(battlemap).scale
        if kilometres <= 0:
            return None  # the file does not say it
        return CellWidth(kilometres, "km")

    def countries(self, battlemap: BattleMap) -> Mapping[int, NDArray[np.intp]]:
        from randomizer.systems.xconq.scenario.territory import countries_of

        return countries_of(battlemap)

    def roll_settings_of(self, battlemap: BattleMap) -> Mapping[str, object]:
        from randomizer.systems.xconq.records import sides_of

        number_of_sides = len(sides_of(battlemap).sides)
        if number_of_sides == 0:
            return {}
        return {COUNTRIES: number_of_sides}

    def check(self, battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
        from randomizer.systems.xconq.advice.map_advice import map_advice

        return map_advice(battlemap, composite)

    def edit_to_keep_owners(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit that marks the sides as set by hand: a roll would make others."""
        from randomizer.model.edits.record_edits import set_record
        from randomizer.systems.xconq.records import SIDES

        sides = battlemap.records.get(SIDES)
        if sides is None or sides.touched:
            return None
        return set_record(battlemap, SIDES, replace(sides, touched=True))

    def script_file(self, battlemap: BattleMap) -> str:
        from randomizer.systems.xconq.records import PeriodPlace, header_of

        header = header_of(battlemap)
        can_be_saved_back = header.period_place in (PeriodPlace.BESIDE, PeriodPlace.GIVEN)
        if header.script_file or not can_be_saved_back:
            return header.script_file
        return PurePosixPath(header.period_file).name

    def name_script_file(self, battlemap: BattleMap, name: str) -> Edit | None:
        from randomizer.systems.xconq.records import HEADER, header_of
        from randomizer.systems.xconq.scenario.side_edits import change_value

        header = header_of(battlemap)
        if header.script_file == name:
            return None
        return change_value(battlemap, HEADER, replace(header, script_file=name))

    def explain(self, battlemap: BattleMap, cell: int, *, at_once: bool) -> Explanation | None:
        from randomizer.systems.xconq.terrain.terrain_explanation import explain_terrain

        return explain_terrain(battlemap, cell, at_once=at_once)


SYSTEM = XconqSystem()
