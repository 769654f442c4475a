"""Battlelands of Colossus as a kind of map: their planes, their board, the names of their hexes.

    SYSTEM.cell_name(SYSTEM.new_grid(), 15)        # "D4"
    new_planes()["terrain"][2, 3] = COLOSSUS.terrain_code("Bog")

The desk and the formats of files ask a ``System`` which planes a map has and how its cells are
named. A *plane* is an array with a value for each hex or each hexside. Battlelands have a board of
fixed size, with hazards (the terrains), elevations and hexsides.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from randomizer.model.basics.texts import clean_line
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.system.abilities import Ability
from randomizer.model.system.edges import EdgeFill, EntrySide
from randomizer.model.system.system import System
from randomizer.systems.colossus import board
from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    GRID,
    HEX_OF_LABEL,
)
from randomizer.systems.colossus.properties import PROPERTIES, TITLE
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.problems import Problem

TERRAIN = PlaneSpec("terrain", "u2", Element.CELL, unset=0xFFFF, default=0)
"""The hazard of each hex, as an index of ``COLOSSUS.terrains``."""

ELEVATION = PlaneSpec("elevation", "i2", Element.CELL, unset=-0x8000, default=0)
"""The elevation of each hex."""

HEXSIDE = PlaneSpec("hexside", "u1", Element.SIDE, unset=0xFF, default=0)
"""The hexside of each side of each hex: an index of ``COLOSSUS.hexsides`` plus 1, 0 for none."""

ORIGIN = PlaneSpec("origin", "i4", Element.CELL, unset=-1, default=-1, shown=False)
"""The index of the statement of a script that filled each hex, -1 for none."""

SIDE_ORIGIN = PlaneSpec("side_origin", "i4", Element.SIDE, unset=-1, default=-1, shown=False)
"""The index of the PAIR of a script that gave each side its hexside, -1 for none."""

EDGE_FILLS = (
    EdgeFill(title="Fill low edges with slope", icon="fill-slope", letter="s"),
    EdgeFill(title="Fill high edges with cliff", icon="fill-cliff", letter="c"),
    EdgeFill(title="Fill sand edges with dune", icon="fill-dune", letter="d"),
)
"""The commands that give every suitable edge of a map a hexside.

Low edges drop by one level, high ones by more (``terrain_set`` has the rule of each hexside).
"""


class ColossusSystem(System):
    """The system of battlelands: one board, one set of terrains, rolls, scripts and fairness."""

    name = "colossus"
    title = "Colossus battleland"
    noun = "Colossus battleland"
    loading_game = "Colossus"
    abilities = frozenset({Ability.ROLLS, Ability.SCRIPTS, Ability.FAIRNESS})

    # The board and what a hex can hold; the terrains are those of the game, and cannot be edited.
    fixed_grid = True
    terrain_set = COLOSSUS
    is_terrain_set_fixed = True
    planes = (TERRAIN, ELEVATION, HEXSIDE, ORIGIN, SIDE_ORIGIN)
    terrain = TERRAIN
    height = ELEVATION
    hexside = HEXSIDE

    # What a whole battleland has.
    properties = PROPERTIES
    title_property = TITLE.name

    # The sides on which armies enter, each with the cells beside it, and commands for hexsides.
    entry_sides = tuple(
        EntrySide(name, tuple(CELL_OF_HEX[HEX_OF_LABEL[label]] for label in labels))
        for name, labels in ENTRY_SIDES
    )
    edge_fills = EDGE_FILLS

    def new_grid(self) -> Grid:
        """Return the board, which all battlelands share."""
        return GRID

    def cell_name(self, _grid: Grid, cell: int) -> str:
        """Return the label of a hex, such as "D4"."""
        return board.cell_name(cell)

    def cell_of_name(self, _grid: Grid, name: str) -> int | None:
        """Return the cell of the hex with a label, None if there is none."""
        return board.cell_of_label(name)

    def check(self, _battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
        """Return warnings and hints: unusual hexsides, wrong start lists, and shut entry sides."""
        # Imported here, at the first check, so that they do not delay the start of the desk.
        from randomizer.systems.colossus.entry_checks import check_entries
        from randomizer.systems.colossus.map_checks import check_battleland

        return (*check_battleland(composite), *check_entries(composite))


SYSTEM = ColossusSystem()
"""The only instance: maps of battlelands refer to it."""


def new_planes() -> dict[str, Plane]:
    """Return the shown planes of a battleland on which nothing is set."""
    return {spec.name: spec.allocate(GRID) for spec in SYSTEM.shown_planes}


def layer_name(title: str | None, path: str | None) -> str:
    """Return the name of the layer of a file: its title, else the file's name without suffix.

    "Battleland" if there is neither.
    """
    if not title and path:
        title = PurePath(path).stem
    return clean_line(title or "Battleland")
