"""The parts of the gate: JSON is bounded before it is parsed, planes are checked place by place."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.basics.bounded_json import fault_in_data, measure_json, parse_json
from randomizer.model.basics.texts import clean_line, fault_in_line
from randomizer.model.gate.plane_values import MapFrame, ValueRange, values_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.planes.planes import TOUCHED, blank
from randomizer.systems.cordery.system import SYSTEM as TABLE
from tests.counting import peak_of
from tests.randomizer.map_strategies import TOY, planes

DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text('[]{},"\\x', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


def depth_of(value: Any) -> int:
    """How deep lists and objects are nested."""
    if not isinstance(value, list | dict):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth_of, inner), default=0)


@settings(max_examples=40)
@given(DATA, st.integers(0, 5))
def test_json_is_parsed_up_to_its_depth_and_no_deeper(value: Any, deepest: int) -> None:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    if depth_of(value) > deepest:
        with pytest.raises(ValueError, match="nested more than"):
            parse_json(text, largest=len(text), deepest=deepest)
    else:
        assert parse_json(text, largest=len(text), deepest=deepest) == json.loads(text)
    with pytest.raises(ValueError, match="bytes"):
        parse_json(text, largest=len(text) - 1)


@pytest.mark.parametrize(
    "text",
    [b'"' + b'\\"' * 2_000_000, b"[" * 2_000_000, b'["' * 2_000_000, b"[0" + b",0" * 2_000_000],
)
def test_texts_made_to_take_long_or_much_are_refused(text: bytes) -> None:
    with pytest.raises(ValueError):
        parse_json(text, largest=len(text))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": float("nan")}, "no number"),
        ([2**63], "more than 64 bits"),
        ({1: 2}, "a name that is no text"),
        (["\udc00"], "half a character"),
        ([{1, 2}], "of the type set"),
        ("x" * 2**20, "larger than"),
    ],
)
def test_what_no_file_keeps_is_told(value: object, words: str) -> None:
    assert words in fault_in_data(value)


@settings(max_examples=40)
@given(st.data())
def test_the_first_value_out_of_range_is_found(data: st.DataObject) -> None:
    grid = Grid(SQUARE, data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5)))
    spec = data.draw(st.sampled_from(TOY.planes))
    plane = data.draw(planes(spec, grid))
    known = values_of(MapFrame(TOY, TOY.terrain_set, grid), spec)
    assert isinstance(known, ValueRange)
    plane.flat[data.draw(st.integers(0, plane.size - 1))] = data.draw(st.integers(0, 127))
    wrong = [
        at
        for at, value in enumerate(plane.flat)
        if value != spec.unset and not known.lowest <= value <= known.highest
    ]
    assert known.first_fault(plane) == (wrong[0] if wrong else None)


@pytest.mark.parametrize("layout", [FLAT, SQUARE])
def test_routes_leave_by_sides_that_are_there_and_are_of_their_planes_kinds(layout: Any) -> None:
    grid = Grid(layout, 1, 1)
    sides = range(1 << grid.degree)
    for name, marks in (("rail", (0x40,)), ("road", (0x40, 0xC0)), ("river", (0x40,))):
        for spec in (TABLE.plane(name), TABLE.plane(f"locked:{name}")):
            known = values_of(MapFrame(TABLE, TABLE.terrain_set, grid), spec)
            allowed = {0, spec.unset} | {mark | side for mark in marks for side in sides}
            found = {n for n in range(256) if known.first_fault(np.array([n], "u1")) is None}
            assert found == allowed


def test_marks_of_touched_places_are_0_or_1_and_blank_planes_cost_nothing() -> None:
    grid = Grid(SQUARE, 3, 2)
    known = values_of(MapFrame(TABLE, TABLE.terrain_set, grid), TABLE.plane(TOUCHED + "rail"))
    assert known.first_fault(np.array([0, 1, 0, 2], "u1")) == 3
    assert known.first_fault(blank((10**9,), 2, "u1")) == 0


@given(st.text(max_size=30))
def test_a_cleaned_name_is_one(text: str) -> None:
    assert fault_in_line(clean_line(text + "\0\ud800")) == ""
    if not fault_in_line(text):
        assert clean_line(text) == text


def test_measuring_json_takes_little_memory_however_many_texts_it_has() -> None:
    data = json.dumps([f'{number}\\"[' for number in range(100_000)]).encode()
    assert peak_of(lambda: measure_json(data, 2)) < 5_000_000
    with pytest.raises(ValueError, match="nested"):
        measure_json(data, 0)
    with pytest.raises(ValueError, match="values"):
        measure_json(b"[" + b'"a",' * 1_000_000 + b"1]", 2)
