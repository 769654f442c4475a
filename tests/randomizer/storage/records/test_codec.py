"""The typed codec: every kind is read as it was written, and other values are refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated, Any, NamedTuple

import pytest

from randomizer.storage.records.codec import plain, read


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    LARGE = 2


class Point(NamedTuple):
    x: int
    name: str


def _fault_in_even(number: int) -> str:
    return "should be even" if number % 2 else ""


@dataclass(frozen=True)
class Part:
    even: Annotated[int, _fault_in_even]
    at: tuple[int, bool] | None = None


@dataclass(frozen=True)
class Whole:
    parts: tuple[Part, ...]
    by_name: Mapping[str, Part]
    points: tuple[Point, ...]
    words: frozenset[str]
    size: Size
    colour: Colour
    share: float
    data: object


JSON: dict[str, Any] = {
    "parts": [{"even": 2, "at": [1, True]}, {"even": 0, "at": None}],
    "by_name": {"a": {"even": 4, "at": None}},
    "points": [[1, "x"]],
    "words": ["a", "b"],
    "size": 2,
    "colour": "red",
    "share": 0.5,
    "data": {"a": [1, None]},
}


def test_values_are_read_as_they_were_written() -> None:
    value = read(Whole, JSON, "it")
    assert value.parts == (Part(2, (1, True)), Part(0))
    assert value.points == (Point(1, "x"),)
    assert (value.size, value.colour) == (Size.LARGE, Colour.RED)
    assert plain(value) == JSON
    assert read(Whole, plain(value), "it") == value


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("parts", {}, "it: parts should be a list"),
        ("parts", [{"even": True}], "it: parts: even should be a whole number"),
        ("parts", [{"even": 2**64}], "it: parts: even should be a whole number of 64 bits"),
        ("parts", [{"even": 3}], "it: parts: even should be even"),
        ("parts", [{"even": 2, "at": [1]}], "it: parts: at should be a list of 2"),
        ("parts", [{"even": 2, "at": [1, 0]}], "it: parts: at should be true or false"),
        ("parts", [{}], "it: parts has no “even”"),
        ("parts", [{"even": 2, "odd": 1}], "it: parts has 'odd'"),
        ("by_name", {"a": 1}, "it: by_name should be an object"),
        ("by_name", [], "it: by_name should be an object"),
        ("points", [[1, 2]], "it: points should be a text"),
        ("words", [1], "it: words should be a text"),
        ("size", True, "it: size should be one of 2"),
        ("size", 3, "it: size should be one of 2"),
        ("colour", "blue", "it: colour should be one of red"),
        ("share", float("nan"), "it: share should be a number"),
        ("share", 10**400, "it: share should be a number"),
    ],
)
def test_other_values_are_refused_by_name(name: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(Whole, {**JSON, name: value}, "it")


def test_a_checked_value_may_be_none() -> None:
    kind = Annotated[int, _fault_in_even] | None
    assert read(kind, 2, "it") == 2
    assert read(kind, None, "it") is None
    with pytest.raises(ValueError, match="it should be even"):
        read(kind, 3, "it")
    own_kind = Annotated[Point, "a note"] | None
    assert plain(Point(1, "x"), {Point: str}, own_kind) == str(Point(1, "x"))
