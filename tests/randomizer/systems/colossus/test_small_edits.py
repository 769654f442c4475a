"""The small edits of a battleland keep it legal and can be made by hand, alone and together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, HEX_OF_LABEL
from randomizer.systems.colossus.fairness.small_edits import painted, small_edits, with_edits
from randomizer.systems.colossus.map_checks import check_battleland
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS


def cell(label: str) -> int:
    return CELL_OF_HEX[HEX_OF_LABEL[label]]


def hill(*, height: int = 1, hexside: str = "") -> BattleMap:
    """D4 is so high, with the same hexside all around; B1 is a Tree."""
    planes = {spec.name: spec.allocate(GRID) for spec in SYSTEM.shown_planes}
    planes["terrain"].flat[cell("B1")] = COLOSSUS.terrain_code("Tree")
    planes["elevation"].flat[cell("D4")] = height
    code = COLOSSUS.hexside_code(hexside) if hexside else 0
    planes["hexside"].reshape(-1, 6)[cell("D4")] = code
    return BattleMap.new(SYSTEM, layers=[Layer(1, "Ground", planes=planes)])


def texts(battlemap: BattleMap) -> list[str]:
    return [small_edit.text for small_edit in small_edits(battlemap, 1)]


def test_what_the_map_has_can_come_and_go():
    offered = texts(hill())
    assert {"Tree at B1 removed", "Tree at C1 added", "height of D4 1 -> 0"} <= {*offered}
    assert not [each for each in offered if "Bog" in each or "slope" in each or " 2" in each]


def test_hexsides_follow_the_height():
    battlemap = hill(hexside="s")
    edits = {small_edit.text: small_edit for small_edit in small_edits(battlemap, 1)}
    lowered = with_edits(battlemap.composite(), [edits["height of D4 1 -> 0 with its hexsides"]])
    assert not lowered.planes["hexside"].any()
    raised = with_edits(battlemap.composite(), [edits["height of B4 0 -> 1 with its hexsides"]])
    assert (raised.planes["hexside"].reshape(-1, 6)[cell("B4")] > 0).sum() == 6 - 2, "rim"


def test_a_height_leaves_hexsides_that_do_not_follow_from_it():
    river = {small_edit.text: small_edit for small_edit in small_edits(hill(hexside="r"), 1)}
    assert len(river["height of D4 1 -> 0"].changes) == 1


def test_a_wall_is_not_left_on_the_ground():
    assert not [text for text in texts(hill(hexside="w")) if text.startswith("height of D4")]


@pytest.mark.parametrize("what", ["cell", "side", "layer"])
def test_nothing_that_is_locked_changes(what):
    battlemap = hill(hexside="s")
    if what == "cell":
        battlemap.locked_cells.flat[cell("D4")] = True
    elif what == "side":
        battlemap.locked_sides = np.zeros((*battlemap.locked_cells.shape, 6), np.bool_)
        battlemap.locked_sides.reshape(-1, 6)[cell("D4"), 0] = True
    else:
        above = Layer(2, "Above", planes={"terrain": SYSTEM.terrain.allocate(GRID)}, locked=True)
        above.planes["terrain"].flat[cell("D4")] = COLOSSUS.terrain_code("Sand")
        battlemap.layers.append(above)
    offered = texts(battlemap)
    assert "Tree at B1 removed" in offered
    assert not [text for text in offered if "D4" in text or text == "height of D5 0 -> 1"]


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_edits_are_legal_and_painted_as_they_are_shown(data: st.DataObject) -> None:
    battlemap = hill(hexside=data.draw(st.sampled_from("srcdw")))
    for label in data.draw(st.lists(st.sampled_from([*HEX_OF_LABEL]), max_size=8)):
        terrain = data.draw(st.sampled_from(["Sand", "Tower", "Lake", "Plains"]))
        battlemap.layers[0].planes["terrain"].flat[cell(label)] = COLOSSUS.terrain_code(terrain)
        battlemap.layers[0].planes["elevation"].flat[cell(label)] = data.draw(st.integers(0, 3))
    shown = battlemap.composite()
    edits = small_edits(battlemap, 1)
    one = data.draw(st.sampled_from(edits))
    other = data.draw(st.sampled_from(edits))
    both = [one, other] if one.touched.isdisjoint(other.touched) else [one]
    after = with_edits(shown, both)
    assert {*check_battleland(after)} <= {*check_battleland(shown)}
    new = (after.planes["hexside"] != shown.planes["hexside"]) & (after.planes["hexside"] > 0)
    for at, side in zip(*np.nonzero(new.reshape(-1, 6)), strict=True):
        assert GRID.twin(int(at), int(side)) is not None, "nothing comes to the rim"
    edit = painted(battlemap, 1, both)
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.composite().same_as(after)
    edit.inverse().apply(battlemap)
    assert battlemap.composite().same_as(shown)


def test_harmless_hazards_that_the_map_lacks_can_come():
    offered = [small_edit.text for small_edit in small_edits(hill(), 1, uses_new_hazards=True)]
    assert {"Bog at C1 added", "Tree at B1 becomes Lake"} <= {*offered}
    assert not [text for text in offered if "Tree at C1" in text or "height" in text]
    assert not [text for text in offered if "Volcano" in text or "Drift" in text]


def test_harmless_hazards_can_come_onto_a_board_where_nothing_is_painted():
    blank = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    assert texts(blank) == []
    offered = {
        small_edit.text: small_edit for small_edit in small_edits(blank, 1, uses_new_hazards=True)
    }
    shown = with_edits(blank.composite(), [offered["Bog at C1 added"]])
    assert shown.planes["terrain"].flat[cell("C1")] == COLOSSUS.terrain_code("Bog")
    assert not blank.composite().planes["terrain"].any()
