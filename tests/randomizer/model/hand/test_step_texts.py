"""Undo steps say what was painted, how much and where."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.edits.edit import PropertyEdit
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.hand.step_texts import step_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.system import SYSTEM

TREE = SYSTEM.terrain_set.terrain_code("Tree")
BOG = SYSTEM.terrain_set.terrain_code("Bog")
CLIFF = 1 + [hexside.name for hexside in SYSTEM.terrain_set.hexsides].index("Cliff")


@pytest.fixture
def battlemap() -> BattleMap:
    return BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])


def cells(*labels: str) -> list[int]:
    return [CELL_OF_HEX[HEX_OF_LABEL[label]] for label in labels]


def paint(battlemap: BattleMap, plane: str, places: list[int], value: int):
    edit = set_values(battlemap, 1, plane, places, value)
    assert edit is not None
    return edit


def test_a_stroke_names_its_terrain_its_size_and_where_it_began(battlemap):
    edits = [paint(battlemap, "terrain", cells(label), TREE) for label in ("C3", "B2", "B3", "A1")]
    assert step_text("Paint terrain", battlemap, edits) == "Tree, 4 hexes by C3"
    assert step_text("Paint terrain", battlemap, edits[:1]) == "Tree, 1 hex, C3"
    assert step_text("Paint terrain", battlemap, [*edits, *edits]) == "Tree, 4 hexes by C3"


def test_other_tools_name_themselves_too(battlemap):
    edit = paint(battlemap, "terrain", cells("C3", "C4"), BOG)
    assert step_text("Fill", battlemap, [edit]).startswith("Fill: Bog, 2 hexes by ")


def test_elevations_sides_and_locks_have_their_words(battlemap):
    height = paint(battlemap, "elevation", cells("D4"), 2)
    assert step_text("Paint elevation", battlemap, [height]) == "Elevation 2, 1 hex, D4"
    (d4,) = cells("D4")
    sides = paint(battlemap, "hexside", [6 * d4, 6 * d4 + 1], CLIFF)
    assert step_text("Paint hexside", battlemap, [sides]) == "Cliff, 2 hexsides by D4"
    locks = set_locks(battlemap, cells("D4"), True)
    assert locks is not None
    assert step_text("Lock", battlemap, [locks]) == "Lock, 1 hex, D4"


def test_several_values_are_not_named(battlemap):
    edits = [
        paint(battlemap, "terrain", cells("C3"), TREE),
        paint(battlemap, "terrain", cells("C4"), BOG),
    ]
    assert step_text("Paint mixture", battlemap, edits) == "Paint mixture, 2 hexes by C3"
    edits.append(paint(battlemap, "elevation", cells("C4", "C5"), 1))
    assert step_text("Stamp", battlemap, edits) == "Stamp, 3 hexes by C3"


def test_erased_values_are_not_named(battlemap):
    paint(battlemap, "terrain", cells("C3"), TREE).apply(battlemap)
    unset = SYSTEM.plane("terrain").unset
    edit = paint(battlemap, "terrain", cells("C3"), unset)
    assert step_text("Erase", battlemap, [edit]) == "Erase, 1 hex, C3"


def test_what_is_no_value_keeps_the_name_of_the_tool(battlemap):
    edit = set_property(battlemap, 1, "title", "Moor")
    assert isinstance(edit, PropertyEdit)
    assert step_text("Change title", battlemap, [edit]) == "Change title"
    assert step_text("Nothing", battlemap, []) == "Nothing"


def test_a_whole_board_is_counted(battlemap):
    edit = paint(battlemap, "terrain", list(np.flatnonzero(battlemap.grid.mask)), TREE)
    assert step_text("Fill", battlemap, [edit]).startswith("Fill: Tree, 27 hexes by ")
