"""Records: texts and JSON beside the layers, changed by splices."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.edits.record_edits import RecordEdit, RecordSet, change_record, set_record
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MAX_RECORDS, MapRecord, check_records
from tests.randomizer.map_strategies import TOY


def map_with(**records: MapRecord) -> BattleMap:
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 2, 2), [Layer(1, "Ground")])
    battlemap.records.update(records)
    return battlemap


texts = st.text(st.sampled_from("ab\né"), max_size=9)


@settings(max_examples=40)
@given(texts, texts)
def test_a_change_holds_only_what_differs(before: str, after: str) -> None:
    battlemap = map_with(notes=MapRecord(before))
    edit = change_record(battlemap, "notes", after)
    if before == after:
        assert edit is None
        return
    assert isinstance(edit, RecordEdit)
    assert edit.old_text[:1] != edit.new_text[:1] or "" in (edit.old_text, edit.new_text)
    assert edit.old_text[-1:] != edit.new_text[-1:] or "" in (edit.old_text, edit.new_text)
    edit.apply(battlemap)
    assert battlemap.records["notes"] == MapRecord(after, touched=True)
    assert edit.region(battlemap).records == {"notes"}
    edit.inverse().apply(battlemap)
    assert battlemap.records["notes"] == MapRecord(before)


def test_typing_a_letter_into_a_long_text_costs_a_letter() -> None:
    battlemap = map_with(notes=MapRecord("x" * 900_000))
    edit = change_record(battlemap, "notes", "x" * 400_000 + "y" + "x" * 500_000)
    assert edit is not None
    assert (edit.old_text, edit.new_text) == ("", "y")


def test_a_splice_into_another_text_is_refused() -> None:
    battlemap = map_with(notes=MapRecord("abc"))
    for edit in (
        RecordEdit("notes", 1, "x", "y", was_touched=False, is_touched=True),
        RecordEdit("notes", -1, "c", "y", was_touched=False, is_touched=True),
        RecordEdit("notes", 9, "c", "y", was_touched=False, is_touched=True),
        RecordEdit("notes", 9, "", "y", was_touched=False, is_touched=True),
    ):
        with pytest.raises(ValueError, match="another text"):
            edit.apply(battlemap)
    with pytest.raises(KeyError):
        RecordEdit("other", 0, "", "y", was_touched=False, is_touched=True).apply(battlemap)
    with pytest.raises(KeyError):
        RecordSet("notes", None, MapRecord("x")).apply(battlemap)
    assert battlemap.records == {"notes": MapRecord("abc")}


def test_records_are_added_and_removed() -> None:
    battlemap = map_with()
    added = set_record(battlemap, "players", MapRecord("[1]", is_json=True))
    assert added is not None
    added.apply(battlemap)
    assert set_record(battlemap, "players", MapRecord("[1]", is_json=True)) is None
    removed = set_record(battlemap, "players", None)
    assert removed is not None
    removed.apply(battlemap)
    assert battlemap.records == {}
    removed.inverse().apply(battlemap)
    assert list(battlemap.records) == ["players"]


@pytest.mark.parametrize(
    ("name", "record", "words"),
    [
        ("", MapRecord("x"), "can be called"),
        ("a\nb", MapRecord("x"), "can be called"),
        ("notes", MapRecord("x" * (LARGEST_DATA + 1)), "are the most"),
        ("notes", MapRecord("é" * (LARGEST_DATA // 2 + 1)), "are the most"),
        ("notes", MapRecord("\ud800"), "half a character"),
        ("notes", MapRecord("{", is_json=True), "not JSON"),
        ("notes", MapRecord("[" * 21 + "]" * 21, is_json=True), "more than 20 deep"),
        ("notes", MapRecord('{"a":' * 100_000, is_json=True), "more than 20 deep"),
    ],
)
def test_records_that_no_map_can_hold_are_refused(name: str, record: MapRecord, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        set_record(map_with(), name, record)


def test_brackets_in_texts_are_not_nesting() -> None:
    check_records({"notes": MapRecord('["' + "[" * 50 + '\\""]', is_json=True)})


def test_a_map_holds_so_many_records_and_no_more() -> None:
    with pytest.raises(ValueError, match="at most"):
        check_records({str(n): MapRecord("") for n in range(MAX_RECORDS + 1)})
    with pytest.raises(ValueError, match="together"):
        check_records({str(n): MapRecord("x" * LARGEST_DATA) for n in range(9)})


def test_a_json_record_stays_json() -> None:
    battlemap = map_with(players=MapRecord("[1]", is_json=True))
    with pytest.raises(ValueError, match="not JSON"):
        change_record(battlemap, "players", "[1")
    with pytest.raises(ValueError, match="not JSON"):
        RecordEdit("players", 2, "]", "", was_touched=False, is_touched=True).apply(battlemap)


def test_a_record_that_is_replaced_or_set_back_keeps_its_position() -> None:
    names = ["period", "sides", "notes"]
    battlemap = map_with(**{name: MapRecord(name) for name in names})
    edit = RecordSet("period", MapRecord("period"), MapRecord("another"))
    edit.apply(battlemap)
    assert list(battlemap.records) == names
    edit.inverse().apply(battlemap)
    assert list(battlemap.records) == names
    with pytest.raises(ValueError, match="half a character"):
        RecordSet("sides", MapRecord("sides"), MapRecord("\ud800")).apply(battlemap)
    assert battlemap.records["sides"] == MapRecord("sides")
