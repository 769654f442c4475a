"""``--lock``: places whose names have commas of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from randomizer.cli.locks import with_locks
from randomizer.cli.output import UsageError
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Hexside
from randomizer.roll_base import Base
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import free_map
from tests.systems import TILES


def test_cells_may_be_called_by_two_numbers_with_a_comma() -> None:
    base = Base.under(BattleMap.new(TILES), 0)
    locked = with_locks(base, ["3,4=Bog,5,6 , 7,8=Tree"])
    for name, code in (("3,4", "Bog"), ("5,6", "Plains"), ("7,8", "Tree")):
        cell = TILES.cell_of_name(base.grid, name)
        assert locked.locked_cells.flat[cell]
        shown = locked.shown.planes["terrain"].flat[cell]
        assert base.terrain_set.terrains[shown].name == code
    assert locked.locked_cells.sum() == 3
    with pytest.raises(UsageError, match="the map has no square “99”"):
        with_locks(base, ["99,4=Bog"])


def test_hexsides_are_named_by_their_letter_in_either_case() -> None:
    fence = replace(COLOSSUS, hexsides=(Hexside("Fence", "F", "#808080"),))
    base = Base.under(free_map(FLAT, 5, 5, terrain_set=fence), 0)
    for letter in "fF":
        locked = with_locks(base, [f"0101:0={letter}"])
        assert locked.shown.planes["hexside"].max() == 1
