"""Encoded edits and maps are decoded bit for bit, with the same layer objects; damage is found."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.systems import systems
from randomizer.model.basics.limits import MAX_THINGS
from randomizer.model.edits.edit import Compound, Edit, PlaneEdit, ThingsEdit
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.reshape import Reshape, Shape
from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, OBLIQUE, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import is_blank
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.storage.records.block import MAGIC
from randomizer.storage.records.encoding import (
    decode_edit,
    decode_map,
    encode_edit,
    encode_edit_for_journal,
    encode_map,
)
from randomizer.storage.records.npy import npy_bytes
from randomizer.systems.free.system import free_map
from tests.counting import calls_of, peak_of
from tests.randomizer.map_strategies import TOY, TOY_HEXES, battlemaps, contents, edits

Opened = tuple[dict[str, Any], bytes]


pytestmark = pytest.mark.usefixtures("toys_are_known")


def toy_map() -> BattleMap:
    return BattleMap.new(TOY, Grid(SQUARE, 3, 2), [Layer(1, "Ground")])


def opened(data: bytes) -> Opened:
    content = zlib.decompress(data[8:])
    (length,) = struct.unpack("<I", content[:4])
    return json.loads(content[4 : 4 + length])["record"], content[4 + length :]


def sealed(record: object, arrays: bytes) -> bytes:
    text = json.dumps({"record": record, "texts": {}}).encode()
    packed = zlib.compress(struct.pack("<I", len(text)) + text + arrays)
    return MAGIC + struct.pack("<I", zlib.crc32(packed)) + packed


# --- there and back -------------------------------------------------------------------------------


@given(battlemaps())
def test_a_map_comes_back_bit_for_bit(battlemap: BattleMap) -> None:
    data = encode_map(battlemap)
    again = decode_map(data)
    assert contents(again) == contents(battlemap)
    assert [list(layer.planes) for layer in again.layers] == [
        list(layer.planes) for layer in battlemap.layers
    ]
    grid = battlemap.grid
    other = again.grid
    assert (other.layout, other.width, other.height, other.wrap, other.lean) == (
        (grid.layout, grid.width, grid.height, grid.wrap, grid.lean)
    )
    assert np.array_equal(np.asarray(other.mask), np.asarray(grid.mask))
    assert encode_map(again) == data


def test_a_roll_keeps_its_script_its_seed_and_its_settings() -> None:
    settings = {"BaseTerrain": "Plains", "BaseHeight": -1, "Share": 0.1, "Fog": True, "None": None}
    roll = Roll("", "Bog.rnd", "AREA «Bog»\r\n", settings, 2**32 - 1, 41, ("line 1",))
    battlemap = toy_map()
    battlemap.layers.append(Layer(2, "Rolled", roll=roll, extras={"xml root @x": "\u20ac"}))
    again = decode_map(encode_map(battlemap)).layers[1]
    assert again.roll == roll
    assert again.extras == {"xml root @x": "\u20ac"}


def test_locks_that_were_never_set_take_no_memory_afterwards() -> None:
    assert is_blank(decode_map(encode_map(toy_map())).locked_sides)


def test_an_oblique_world_keeps_its_seam_and_its_lean() -> None:
    battlemap = BattleMap.new(
        TOY_HEXES, Grid(OBLIQUE, 6, 4, wrap=True, lean=True), [Layer(1, "World")]
    )
    again = decode_map(encode_map(battlemap)).grid
    assert (again.wrap, again.lean) == (True, True)


def test_a_map_of_a_game_with_one_board_comes_back_on_that_board() -> None:
    colossus = systems()[0]
    battlemap = BattleMap.new(colossus, layers=[Layer(1, "Ground")])
    assert decode_map(encode_map(battlemap)).grid is colossus.new_grid()


@given(battlemaps(), st.data())
def test_edits_out_of_bytes_do_and_undo_what_the_edits_did(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    replayed = decode_map(encode_map(battlemap))
    blocks = []
    states = [contents(battlemap)]
    for _ in range(6):
        edit = data.draw(edits(battlemap))
        if edit is not None:
            edit.apply(battlemap)
            blocks.append(encode_edit(edit))
            states.append(contents(battlemap))
    # As a start after a crash does: first all of it, each block becoming one edit, then undo.
    steps: list[Edit] = []
    for block, state in zip(blocks, states[1:], strict=True):
        steps.append(decode_edit(block, replayed))
        steps[-1].apply(replayed)
        assert contents(replayed) == state
    for _ in range(2):
        for edit, state in zip(reversed(steps), reversed(states[:-1]), strict=True):
            edit.inverse().apply(replayed)
            assert contents(replayed) == state
        for edit, state in zip(steps, states[1:], strict=True):
            edit.apply(replayed)
            assert contents(replayed) == state


@given(battlemaps(), st.data())
def test_edits_fetched_only_when_they_are_undone_work_as_well(
    battlemap: BattleMap, data: st.DataObject
) -> None:
    blocks = []
    states = [contents(battlemap)]
    for _ in range(6):
        edit = data.draw(edits(battlemap))
        if edit is not None:
            edit.apply(battlemap)
            blocks.append(encode_edit(edit))
            states.append(contents(battlemap))
    end = decode_map(encode_map(battlemap))
    steps: list[Edit] = []
    for block, state in zip(reversed(blocks), reversed(states[:-1]), strict=True):
        steps.append(decode_edit(block, end, done=True))
        steps[-1].inverse().apply(end)
        assert contents(end) == state
    for edit, state in zip(reversed(steps), states[1:], strict=True):
        edit.apply(end)
        assert contents(end) == state


def test_a_layer_that_is_taken_out_is_the_one_in_the_map() -> None:
    battlemap = toy_map()
    ground = battlemap.layers[0]
    removed = decode_edit(encode_edit(LayerRemove(0, ground)), battlemap)
    assert isinstance(removed, LayerRemove)
    assert removed.layer is ground
    inserted = decode_edit(encode_edit(LayerInsert(0, ground)), battlemap, done=True)
    assert isinstance(inserted, LayerInsert)
    assert inserted.layer is ground


@pytest.mark.parametrize("done", [False, True])
def test_a_map_that_gets_another_shape_keeps_what_it_has(done: bool) -> None:
    battlemap = toy_map()
    battlemap.layers[0].things.exchange((), (Thing(7, "town", 0.5, 0.25, label="Ur"),))
    before = Shape.of(battlemap)
    larger = BattleMap.new(TOY, Grid(SQUARE, 4, 4), [Layer(1, "Ground"), Layer(2, "More")])
    edit = Reshape(before, Shape.of(larger))
    block = encode_edit(edit)
    states = [contents(battlemap), contents(larger)]
    if done:
        edit.apply(battlemap)
    again = decode_edit(block, battlemap, done=done)
    assert isinstance(again, Reshape)
    now = again.new_shape if done else again.old_shape
    assert now.layers[0] is battlemap.layers[0]
    for step in (again.inverse(), again) if done else (again, again.inverse()):
        step.apply(battlemap)
        assert contents(battlemap) in states
    assert contents(battlemap) == states[done]


@pytest.mark.parametrize("index", [[0, 2, 1, 3], [5, 0, 3], [4, 4]])
def test_places_out_of_order_are_refused(index: list[int]) -> None:
    values = np.arange(1, len(index) + 1, dtype="u2")
    edit = PlaneEdit(1, "terrain", np.array(index), values, values[::-1])
    with pytest.raises(ProblemError, match="not in ascending order"):
        decode_edit(encode_edit(edit), toy_map())


def test_values_of_numpy_are_numbers_like_others() -> None:
    edit = Compound((LayerInsert(np.int64(1), Layer(np.int32(7), "More")),))  # type: ignore[arg-type]
    again = decode_edit(encode_edit(edit), toy_map())
    assert isinstance(again, Compound)
    (inserted,) = again.edits
    assert isinstance(inserted, LayerInsert)
    assert (inserted.index, inserted.layer.id) == (1, 7)


# --- fast and small -------------------------------------------------------------------------------


def test_a_stroke_of_one_cell_is_small_and_fast_on_a_map_of_any_size() -> None:
    battlemap = free_map(FLAT, 1000, 1000)
    edit = set_values(battlemap, 1, "terrain", [777_777], 3)
    assert edit is not None
    assert len(encode_edit(edit)) < 500
    assert calls_of(lambda: encode_edit(edit)) < 500
    assert peak_of(lambda: encode_edit(edit)) < 500_000


# --- damage ---------------------------------------------------------------------------------------


@given(battlemaps(), st.data())
def test_flipped_and_missing_bytes_are_told(battlemap: BattleMap, data: st.DataObject) -> None:
    block = bytearray(encode_map(battlemap))
    if data.draw(st.booleans()):
        block = block[: data.draw(st.integers(0, len(block) - 1))]
    else:
        block[data.draw(st.integers(0, len(block) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ProblemError):
        decode_map(bytes(block))
    with pytest.raises(ProblemError):
        decode_edit(bytes(block), battlemap)


junk = st.sampled_from([None, True, -1, 0, 7, 2**70, 1e999, "", "flat", [], [[]], {}, {"id": 1}])


def replaced_somewhere(data: st.DataObject, value: Any) -> Any:
    """The record with one part, anywhere in it, replaced, dropped or renamed."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(value)))
        rest = {key: each for key, each in value.items() if key != name}
        match data.draw(st.integers(0, 3)):
            case 0:
                return rest
            case 1:
                return {**rest, "more": value[name]}
        return {**value, name: replaced_somewhere(data, value[name])}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], replaced_somewhere(data, value[at]), *value[at + 1 :]]
    return data.draw(junk)


def read_or_told(read: Callable[[], object]) -> None:
    with suppress(ProblemError):
        read()


@given(battlemaps(), st.data())
def test_a_forged_map_is_read_or_told(battlemap: BattleMap, data: st.DataObject) -> None:
    record, arrays = opened(encode_map(battlemap))
    forged = sealed(replaced_somewhere(data, record), arrays[: data.draw(st.integers(0, 400))])
    read_or_told(lambda: decode_map(forged))


@given(battlemaps(), st.data())
def test_a_forged_edit_is_read_or_told(battlemap: BattleMap, data: st.DataObject) -> None:
    edit = data.draw(edits(battlemap))
    if edit is None:
        return
    record, arrays = opened(encode_edit(edit))
    forged = sealed(replaced_somewhere(data, record), arrays)
    read_or_told(lambda: decode_edit(forged, battlemap))


def changed(data: bytes, **parts: object) -> bytes:
    record, arrays = opened(data)
    return sealed(record | parts, arrays)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"system": "chess"}, "maps of 'chess' are not known here"),
        ({"layers": []}, "the map has no layers"),
        ({"colour": 1}, "has 'colour', which is not known here"),
        ({"grid": None}, "the grid should be an object"),
    ],
)
def test_what_is_wrong_is_said(parts: dict[str, object], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        decode_map(changed(encode_map(toy_map()), **parts))


def test_a_grid_beyond_all_size_takes_no_memory() -> None:
    record, arrays = opened(encode_map(toy_map()))
    record["grid"] |= {"width": 2**20, "height": 2**20}
    with pytest.raises(ProblemError, match="the map has 1048576 x 1048576 cells"):
        decode_map(sealed(record, arrays))


def test_a_terrain_that_the_game_has_not_is_told() -> None:
    battlemap = toy_map()
    battlemap.layers[0].planes["terrain"] = np.full((2, 3), 99, "u2")
    with pytest.raises(ProblemError, match="plane terrain has the value 99"):
        decode_map(encode_map(battlemap))


def test_two_layers_with_one_id_are_told() -> None:
    battlemap = toy_map()
    battlemap.layers.append(Layer(1, "Again"))
    with pytest.raises(ProblemError, match="two layers have the id 1"):
        decode_map(encode_map(battlemap))


def test_places_off_the_map_are_told() -> None:
    values = np.array([1], "u2")
    edit = PlaneEdit(1, "terrain", np.array([6]), values, values)
    with pytest.raises(ProblemError, match="places off the map"):
        decode_edit(encode_edit(edit), toy_map())


@pytest.mark.parametrize(("old_value", "new_value"), [(1, 99), (99, 1)])
def test_a_terrain_that_the_game_has_not_comes_out_of_no_edit(
    old_value: int, new_value: int
) -> None:
    values = (np.array([value], "u2") for value in (old_value, new_value))
    edit = PlaneEdit(1, "terrain", np.array([4]), *values)
    with pytest.raises(ProblemError, match="plane terrain has the value 99"):
        decode_edit(encode_edit(edit), toy_map())


def test_an_array_of_objects_is_never_unpickled() -> None:
    record, _ = opened(encode_map(toy_map()))
    record["layers"][0]["planes"] = {"terrain": 0}
    header = npy_bytes(np.zeros((2, 3), "u2")).replace(b"'<u2'", b"'|O' ")
    with pytest.raises(ProblemError, match="not of whole numbers"):
        decode_map(sealed(record, header))


def test_data_that_swell_beyond_what_they_can_be_are_refused() -> None:
    packed = zlib.compress(bytes(4)) + b"x" * 40
    data = MAGIC + struct.pack("<I", zlib.crc32(packed)) + packed
    with pytest.raises(ProblemError):
        decode_map(data)


@pytest.mark.deep
def test_an_edit_of_the_most_things_comes_back() -> None:
    state = State({"hp": 5})
    before = tuple(
        Thing(number, "gaia/tree", number / 7, number / 3, 90.0, 1, "Oak", state)
        for number in range(MAX_THINGS)
    )
    after = tuple(replace(thing, x=thing.x + 0.1) for thing in before)
    edit = ThingsEdit(1, before, after)
    assert decode_edit(encode_edit(edit), toy_map()) == edit


def test_an_edit_of_a_record_or_of_things_is_encoded_for_the_journal():
    battlemap = free_map(FLAT, 4, 4)
    record_edit = set_record(battlemap, "notes", MapRecord("[]", is_json=True))
    things_edit = add_things(battlemap, 1, [Thing(0, "city", 1.0, 1.0)])
    for edit in (record_edit, things_edit):
        assert encode_edit_for_journal(edit).data
