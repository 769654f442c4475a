"""Values of a JSON text are found by the path that leads to them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.basics.json_places import place_in_json


@pytest.mark.parametrize(
    ("text", "path", "marked"),
    [
        ('{"a": 1}', ["a"], '"a"'),
        (' { "a" : [ 1 , {"b": 2} ] } ', ["a", 1, "b"], '"b"'),
        ('{"a": [1, 22]}', ["a", 1], "22"),
        ('{"a": 1, "a": [7]}', ["a", 0], "7"),
        ('{"a": {}}', ["a", "b", "c"], '"a"'),
        ('{"a": []}', ["a", 0], '"a"'),
        ('{"a": [1]}', ["a", "b"], '"a"'),
        ("[]", ["a"], "["),
        (" 17 ", [], "17"),
        ('{"a\\u0041\\"": 1}', ['aA"'], '"a\\u0041\\""'),
    ],
)
def test_a_path_leads_to_a_name_or_an_entry(text: str, path: list[str | int], marked: str) -> None:
    start, end = place_in_json(text, path)
    assert text[start:end] == marked


VALUES = st.recursive(
    st.none() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


def entries(
    value: object, path: tuple[str | int, ...] = ()
) -> list[tuple[tuple[str | int, ...], object]]:
    found: list[tuple[tuple[str | int, ...], object]] = [(path, value)]
    if isinstance(value, dict):
        for name, inner in value.items():
            found += entries(inner, (*path, name))
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += entries(inner, (*path, number))
    return found


@given(value=VALUES, indent=st.sampled_from([None, 0, 1]))
@settings(max_examples=40, deadline=None)
def test_every_name_and_entry_is_found(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    for path, inner in entries(value)[1:]:
        start, end = place_in_json(text, path)
        assert json.loads(text[start:end]) == (path[-1] if isinstance(path[-1], str) else inner)
