"""The JSON record of a map, both ways, and the text for people."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import has_errors
from randomizer.systems.colossus.battleland.record import JSON, MAX_BYTES, map_of_record
from randomizer.systems.colossus.battleland.record_line import record_line, record_of
from randomizer.systems.colossus.battleland.text import TEXT, text_of
from tests.randomizer.systems.colossus.battleland_strategies import battlelands, plain_map, set_hex


def test_a_record_has_all_27_hexes_and_the_roll() -> None:
    once = plain_map(title="Swamp")
    set_hex(once, "D4", "Bog", 1, "s   w")
    record = record_of(once.composite(), seed=17, number=3)
    assert list(record) == ["seed", "number", "title", "subtitle", "tower", "startlist", "hexes"]
    assert (record["seed"], record["number"], record["title"]) == (17, 3, "Swamp")
    assert (record["subtitle"], record["tower"], record["startlist"]) == (None, False, None)
    assert len(record["hexes"]) == 27
    assert record["hexes"]["D4"] == ["Bog", 1, "s   w "]
    assert record["hexes"]["A1"] == ["Plains", 0, "      "]
    assert "\n" not in record_line(record)
    assert json.loads(record_line(record)) == record


def test_an_empty_start_list_stays_empty() -> None:
    assert record_of(plain_map(startlist=()).composite())["startlist"] == []


@given(battlelands())
def test_a_written_record_reads_back_equal(once: BattleMap) -> None:
    data = JSON.write(once)
    assert data.count(b"\n") == 1
    assert JSON.recognises(data)
    result = JSON.read(data)
    assert result.problems == ()
    assert result.battlemap is not None
    assert result.battlemap.composite().same_as(once.composite())


def test_hexes_that_a_record_leaves_out_are_not_set() -> None:
    result = map_of_record({"hexes": {"D4": ["Bog", 2, "      "]}}, "Swamp.json")
    assert result.battlemap is not None
    (layer,) = result.battlemap.layers
    assert layer.name == "Swamp"
    assert (layer.planes["terrain"] != 0xFFFF).sum() == 1


@pytest.mark.parametrize(
    "data",
    [
        "",
        "{",
        "[]",
        "7",
        "{}",
        '{"hexes": []}',
        '{"hexes": {"Z9": ["Bog", 1, "      "]}}',
        '{"hexes": {"D4": ["Abyss", 1, "      "]}}',
        '{"hexes": {"D4": ["Bog", true, "      "]}}',
        '{"hexes": {"D4": ["Bog", 1.0, "      "]}}',
        '{"hexes": {"D4": ["Bog", 99999, "      "]}}',
        '{"hexes": {"D4": ["Bog", 1, "x     "]}}',
        '{"hexes": {"D4": ["Bog", 1, ""]}}',
        '{"hexes": {"D4": "Bog"}}',
        '{"hexes": {}, "title": 7}',
        '{"hexes": {}, "tower": "yes"}',
        '{"hexes": {}, "startlist": "D4"}',
        '{"hexes": {}, "startlist": [4]}',
        '{"hexes": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_broken_records_give_problems(data: str) -> None:
    result = JSON.read(data.encode(), "a.json")
    assert result.battlemap is None
    assert has_errors(result.problems)
    assert all(problem.path == "a.json" for problem in result.problems)


def test_a_record_tells_all_its_mistakes() -> None:
    record = {"title": 1, "hexes": {"D9": None, "D4": ["Nowhere", 0, "      "]}}
    assert len(map_of_record(record).problems) == 3


def test_a_record_behind_a_byte_order_mark_is_recognised() -> None:
    data = JSON.write(plain_map())
    assert JSON.recognises(data)
    assert JSON.recognises(b"\xef\xbb\xbf" + data)


def test_a_huge_file_is_refused() -> None:
    (problem,) = JSON.read(bytes(MAX_BYTES + 1)).problems
    assert problem.message == f"The file has {MAX_BYTES + 1:,} bytes, too many"


def test_of_several_maps_the_first_is_read_with_a_warning() -> None:
    line = JSON.write(plain_map(title="Größe"))
    result = JSON.read(b"\xef\xbb\xbf\n" + line + line)
    assert result.battlemap is not None
    (problem,) = result.problems
    assert (problem.code, problem.line, problem.column) == ("further-maps", 3, 1)


@given(st.binary(max_size=100))
def test_random_bytes_never_raise(data: bytes) -> None:
    assert has_errors(JSON.read(data).problems)
    assert not JSON.recognises(data)


def test_a_map_as_text() -> None:
    once = plain_map(title="Swamp", subtitle="Deep", startlist=("D4", "Z9"), tower=True)
    set_hex(once, "D4", "Bog", 1, "s")
    rows = text_of(once.composite()).splitlines()
    assert rows[0] == "Swamp - Deep"
    assert rows[1] == "tower: yes"
    assert rows[3].strip() == "D6 Plains"
    assert [row.split() for row in rows[4:6]] == [
        ["C5", "Plains", "E5", "Plains"],
        ["B4", "Plains", "D5", "Plains", "F4", "Plains"],
    ]
    assert any("*D4 Bog 1" in row for row in rows)
    assert "  D4: slope north" in rows
    assert rows[-1] == "Start list (*): D4 Z9"


def test_text_is_for_people_only() -> None:
    data = TEXT.write(plain_map(startlist=()))
    assert b"  none" in data
    assert data.endswith(b"empty\n")
    assert not TEXT.recognises(data)
    assert TEXT.read(data).battlemap is None
    assert TEXT.check(plain_map()) == JSON.check(plain_map()) == ()
