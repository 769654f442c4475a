"""An edit that fails, at whatever call, leaves the map as it was."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.thing_edits import change_things, remove_things
from randomizer.model.grid.box import Box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import put_roll
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Thing, Things
from tests.randomizer.map_strategies import TOY, battlemaps, contents, edits

LAND = TerrainSet("Land", (Terrain("Heath", "#887788"), Terrain("Rock", "#808080")))


TAKING_BACK = ("take_back", "__exit__", "<genexpr>")
"""The functions that take edits back, and their loops; ``__exit__`` is that of ``EditSequence``."""


class _FaultError(Exception):
    """Raised at a call of the model."""


def fails_at(number: int, action: Callable[[], object]) -> bool:
    """Whether ``action`` has so many calls; the last of them raises. Taking back does not count."""
    count = 0

    def note(frame: FrameType, event: str, _value: object) -> None:
        nonlocal count
        if event == "call" and "randomizer/model" in frame.f_code.co_filename.replace("\\", "/"):
            outer: FrameType | None = frame
            while outer is not None and outer.f_code.co_name not in TAKING_BACK:
                outer = outer.f_back
            count += outer is None
            if outer is None and count == number:
                sys.setprofile(None)
                raise _FaultError

    sys.setprofile(note)
    try:
        action()
    except _FaultError:
        return True
    finally:
        sys.setprofile(None)
    return False


def toy_map() -> BattleMap:
    """A layer with a terrain and two things, whose index is in use."""
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 3, 2), [Layer(1, "Ground")])
    layer = battlemap.layers[0]
    layer.planes["terrain"] = np.full((2, 3), 0, "u2")
    layer.things = Things([Thing(1, "a", 1.0, 1.0), Thing(2, "b", 1.5, 1.0)])
    layer.things.arrays()
    battlemap.note_ids([1, 2])
    return battlemap


def test_a_roll_that_cannot_be_put_into_the_map_leaves_it_as_it_was() -> None:
    planes = {"terrain": np.full((2, 3), 1, "u2")}
    layer = Layer(0, "Rolled", planes=planes, roll=Roll("", "Toy.rnd", "", {}, 1, 0))
    records = {"period": MapRecord("one")}
    roll = Generated((layer,), 0, records=records, terrain_set=LAND)
    battlemap = toy_map()
    number = 1
    before = contents(battlemap)
    while fails_at(number, lambda: put_roll(battlemap, 1, roll, replaces=False)):
        assert contents(battlemap) == before, number
        number += 1
    assert number > 50


@pytest.mark.parametrize("what", ["changed", "removed"])
def test_things_that_cannot_be_exchanged_are_as_they_were(what: str) -> None:
    number = 1
    go_on = True
    while go_on:
        battlemap = toy_map()
        layer = battlemap.layers[0]
        moved = replace(layer.things[1], x=2.0, kind="c")
        edit = (
            change_things(battlemap, [moved])
            if what == "changed"
            else remove_things(battlemap, [1])
        )
        assert edit is not None
        before = contents(battlemap)
        go_on = fails_at(number, lambda edit=edit, battlemap=battlemap: edit.apply(battlemap))
        if go_on:
            assert contents(battlemap) == before, number
            assert layer.things.within(Box(0.9, 0.9, 1.1, 1.1)).ids.tolist() == [1]
            assert layer.things.kinds == {"a": 1, "b": 1}
            edit.apply(battlemap)
            assert layer.things.within(Box(0.9, 0.9, 1.1, 1.1)).ids.tolist() == []
        number += 1
    assert number > 5


@settings(max_examples=30)
@given(battlemaps(), st.data())
def test_an_edit_that_fails_leaves_the_map_as_it_was(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    edit = data.draw(edits(battlemap))
    before = contents(battlemap)
    number = 1
    while edit is not None and fails_at(number, lambda: edit.apply(battlemap)):
        assert contents(battlemap) == before, number
        number += 1
