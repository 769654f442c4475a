"""Records of a map of Xconq: values to JSON and back, and what cannot be read."""

from __future__ import annotations

import json

import pytest

from randomizer.systems.xconq.records import (
    GLOBALS,
    HEADER,
    MAP,
    SIDES,
    UNITS,
    Condition,
    ConditionKind,
    Globals,
    Header,
    MapFacts,
    Side,
    Sides,
    UnitsFacts,
    read_record,
    record_text,
)

VALUES = {
    HEADER: Header("Towns", 1, ("by hand", ""), ("a.per",), included={"p": "1f"}),
    MAP: MapFacts(30, 0, 0),
    GLOBALS: Globals(3, 60, conditions=(Condition(True, ConditionKind.PLACE, 1, 9, -1, (2, -1)),)),
    SIDES: Sides((Side("Red Army", 0, (0, -100), (1, 1), (".6", "?6"), "0 * 0", ("0", "1")),), 9),
    UNITS: UnitsFacts(2, 0, 31),
}


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_a_value_is_read_as_it_was_written(name, value):
    assert read_record(name, record_text(value)) == value


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_what_a_record_does_not_say_has_its_default(name, value):
    assert read_record(name, "{}") == type(value)()


@pytest.mark.parametrize(
    ("name", "record"),
    [
        (MAP, []),
        (MAP, {"scale": "30"}),
        (MAP, {"scale": True}),
        (MAP, {"scale": 2**31}),
        (MAP, {"sclae": 30}),
        (HEADER, {"notes": ["two\nlines"]}),
        (HEADER, {"included": [1]}),
        (HEADER, {"notes": ["."]}),
        (HEADER, {"description": "half a character \ud800"}),
        (HEADER, {"description": "two\rlines"}),
        (HEADER, {"blanks": 2**31 - 1}),
        (HEADER, {"blanks": -1}),
        (SIDES, {"sides": [{"name": "Red"}] * 32}),
        (SIDES, {"sides": [{}]}),
        (GLOBALS, {"conditions": [{"wins": 1}]}),
        (
            GLOBALS,
            {
                "conditions": [
                    {"wins": True, "kind": 7, "start": 0, "end": 1, "side": 0, "numbers": []}
                ]
            },
        ),
    ],
)
def test_other_values_are_refused(name, record):
    with pytest.raises(ValueError):
        read_record(name, json.dumps(record))


def test_deep_nesting_is_refused():
    with pytest.raises(ValueError):
        read_record(MAP, "[" * 100_000)
