"""Records of a map of Xconq: values to JSON and back, and what cannot be read."""

from __future__ import annotations

import json

import pytest

from randomizer.systems.xconq.records import (
    Condition,
    ConditionKind,
    Globals,
    Header,
    MapFacts,
    Side,
    Sides,
    UnitsFacts,
)

VALUES = [
    Header("Towns", 1, ("by hand", ""), ("a.per",), included={"p": "1f"}),
    MapFacts(30, 0, 0),
    Globals(3, 60, conditions=(Condition(True, ConditionKind.PLACE, 1, 9, -1, (2, 3, -1)),)),
    Sides((Side("Red Army", 0, (0, -100), (1, 1), (".6", "?6"), "0 * 0 0", ("0", "1")),), 9),
    UnitsFacts(2, 0, 31),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_read_as_it_was_written(value):
    assert type(value).from_record(value.to_record()) == value


@pytest.mark.parametrize("kind", [type(value) for value in VALUES])
def test_what_a_record_does_not_say_has_its_default(kind):
    assert kind.from_record("{}") == kind()


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (MapFacts, []),
        (MapFacts, {"scale": "30"}),
        (MapFacts, {"scale": True}),
        (MapFacts, {"scale": 2**31}),
        (MapFacts, {"sclae": 30}),
        (Header, {"notes": ["two\nlines"]}),
        (Header, {"included": [1]}),
        (Header, {"notes": ["."]}),
        (Header, {"description": "half a character \ud800"}),
        (Header, {"description": "two\rlines"}),
        (Header, {"blanks": 2**31 - 1}),
        (Header, {"blanks": -1}),
        (Sides, {"sides": [{"name": "Red"}] * 32}),
        (Sides, {"sides": [{}]}),
        (Globals, {"conditions": [{"wins": 1}]}),
        (
            Globals,
            {
                "conditions": [
                    {"wins": True, "kind": 7, "start": 0, "end": 1, "side": 0, "numbers": []}
                ]
            },
        ),
    ],
)
def test_other_values_are_refused(kind, record):
    with pytest.raises(ValueError):
        kind.from_record(json.dumps(record))


def test_deep_nesting_is_refused():
    with pytest.raises(ValueError):
        MapFacts.from_record("[" * 100_000)
