"""How often the dice decide what, against the chances worked out by hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.parts.habitation import add_habitation
from randomizer.systems.cordery.parts.hills import add_hills
from randomizer.systems.cordery.parts.roads import add_roads
from randomizer.systems.cordery.parts.vegetation import add_fields, add_trees
from randomizer.systems.cordery.parts.water import add_water
from randomizer.systems.cordery.table.features import MOUNTAIN, RIVER, Table
from randomizer.systems.cordery.table.table_builder import TableBuilder
from tests.randomizer.systems.cordery.built_tables import Part, add_part, base_of, started

ROLLS = 8_000
FEW = 1_000
"""For steps that lay a whole route."""
SIGMAS = 4.5

THREE_DICE = Counter(a + b + c for a in range(1, 7) for b in range(1, 7) for c in range(1, 7))


def many(rolls: int = ROLLS, **chosen: Any) -> Iterator[TableBuilder]:
    """Bare tables, each with the dice of the next number."""
    first = started(base_of("square", 8, 8), **chosen)
    for number in range(rolls):
        throws = Throws(20, number, first.throws.fixed)
        yield replace(first, table=Table(first.table.grid), throws=throws)


def tables(part: Part, kind: int, rolls: int = ROLLS, **chosen: Any) -> list[TableBuilder]:
    return [add_part(part, builder, kind) for builder in many(rolls, **chosen)]


def numbers(part: Part, kind: int, **chosen: Any) -> Counter[int]:
    """What the first step of a part says of how many there are."""
    found: Counter[int] = Counter()
    for builder in many(**chosen):
        builder.throws.begin_part(kind, part.__name__.removeprefix("add_"))
        next(part(builder))
        found[int(builder.throws.log[-1].words.rsplit(": ", 1)[1].split()[0])] += 1
    return found


def from_die(more: int) -> dict[int, float]:
    ways = Counter(max(0, score + more) for score in range(1, 7))
    return {number: count / 6 for number, count in ways.items()}


def as_expected(found: Mapping[Any, int], chances: Mapping[Any, float]) -> None:
    rolls = sum(found.values())
    assert math.isclose(sum(chances.values()), 1)
    for what in {*found, *chances}:
        chance = chances.get(what, 0.0)
        error = math.sqrt(chance * (1 - chance) * rolls)
        assert abs(found.get(what, 0) - chance * rolls) <= SIGMAS * error, what


def test_1_1_and_1_2_numbers_and_places_of_hills() -> None:
    built = tables(add_hills, 1, relief="open")
    as_expected(Counter(len(t.table.contours) for t in built), dict.fromkeys(range(1, 7), 1 / 6))
    chances: dict[int, float] = {}
    for row in range(6):
        for total, ways in THREE_DICE.items():
            cell = (row * 8 + total - 1) % 64
            chances[cell] = chances.get(cell, 0) + ways / 216 / 6
    as_expected(Counter(next(iter(t.table.contours)) for t in built), chances)


@pytest.mark.deep
def test_1_1_two_contours_and_mountains() -> None:
    for relief, chances in (
        ("undulating", {1: 2 / 3, 2: 1 / 3}),
        ("mountainous", {1: 1 / 3, 2: 1 / 3, MOUNTAIN: 1 / 3}),
    ):
        built = tables(add_hills, 1, relief=relief, fixed={"hills": 1})
        found: Counter[object] = Counter()
        for builder in built:
            found.update(builder.table.contours.values())
            found.update(builder.table.ground.values())
        as_expected(found, chances)


@pytest.mark.deep
def test_1_3_every_second_hill_is_beside_the_one_before_in_any_direction() -> None:
    built = tables(add_hills, 1, relief="open", fixed={"hills": 2, "hill 1 at": "0404"})
    found: Counter[str] = Counter()
    for builder in built:
        words = builder.throws.log[-1].words
        chained = "3D6" not in words
        found[words.split(" of ")[0].split(", ")[-1] if chained else "counted"] += 1
    eighth = 1 / 8
    as_expected(
        found,
        {"counted": 1 / 2, **dict.fromkeys(("north", "east", "south", "west"), eighth)},
    )


def test_1_3_chains_have_the_lengths_of_coins() -> None:
    built = tables(
        add_hills, 1, rolls=FEW * 2, relief="open", fixed={"hills": 4, "hill 1 at": "0404"}
    )
    first_break: Counter[int] = Counter()
    for builder in built:
        hills = [line.words for line in builder.throws.log if line.words.startswith("Hill")]
        length = next((i for i, words in enumerate(hills[1:], 1) if "3D6" in words), 4)
        first_break[length] += 1
    as_expected(first_break, {1: 1 / 2, 2: 1 / 4, 3: 1 / 8, 4: 1 / 8})


def test_2_1_and_2_2_quarters_width_and_bank() -> None:
    built = tables(add_water, 2, rolls=FEW)
    entries: Counter[int] = Counter()
    exits: Counter[int] = Counter()
    widths: Counter[str] = Counter()
    banks: Counter[str] = Counter()
    for builder in built:
        words = [line.words for line in builder.throws.log]
        quarter = [int(w.split("quarter ")[1].split(" of 16")[0]) for w in words[:2]]
        entries[quarter[0]] += 1
        exits[quarter[1] - quarter[0]] += 1
        text = " ".join(words)
        widths["two" if "two areas wide" in text else "one"] += 1
        if "bank" in text:
            banks["left" if "left bank" in text else "right"] += 1
    sixth = dict.fromkeys(range(1, 7), 1 / 6)
    as_expected(entries, sixth)
    as_expected(exits, sixth)
    as_expected(widths, {"one": 2 / 3, "two": 1 / 3})
    as_expected(banks, {"left": 1 / 2, "right": 1 / 2})


@pytest.mark.parametrize(("kind", "chosen"), [("lakes", "lakes"), ("marshes", "marshes")])
def test_2_3_and_2_4_numbers_of_lakes_and_marshes(kind: str, chosen: str) -> None:
    built = tables(add_water, 2, rolls=FEW, rivers=0, **{chosen: True})
    found = Counter(len(t.table.ground) for t in built)
    as_expected(found, dict.fromkeys(range(1, 7), 1 / 6))


@pytest.mark.deep
def test_3_3_fords_and_bridges() -> None:
    found: Counter[str] = Counter()
    base = base_of()
    decided = {"road 1 entry at": "0501", "road 1 exit at": "0508"}
    for number in range(FEW):
        builder = started(base, 21, number, fixed=decided)
        builder.table.routes[RIVER].join(base.grid, range(32, 40))
        add_part(add_roads, builder, 3)
        (kind,) = builder.table.crossings.values()
        found[kind] += 1
    as_expected(found, {"ford": 2 / 3, "bridge": 1 / 3})


@pytest.mark.deep
@pytest.mark.parametrize(
    ("chosen", "more"),
    [
        ({"cover": "desert"}, -2),
        ({"relief": "open"}, 0),
        ({"relief": "undulating"}, 0),
        ({"relief": "hilly"}, 2),
        ({"relief": "mountainous"}, 3),
        ({"cover": "forested", "relief": "hilly"}, 4),
    ],
)
def test_4_1_numbers_of_trees(chosen: dict[str, str], more: int) -> None:
    as_expected(numbers(add_trees, 4, **chosen), from_die(more))


@pytest.mark.parametrize(("area", "more"), [("wild", -3), ("cultivated", 0), ("urban", 2)])
def test_5_1_numbers_of_inhabited_areas(area: str, more: int) -> None:
    as_expected(numbers(add_habitation, 5, area=area), from_die(more))


@pytest.mark.parametrize(("area", "more"), [("cultivated", 2), ("urban", -2)])
def test_7_1_numbers_of_fields(area: str, more: int) -> None:
    as_expected(numbers(add_fields, 7, area=area), from_die(more))


def test_7_3_half_of_the_fields_are_planted() -> None:
    built = tables(add_fields, 7, rolls=FEW, planted="vineyard", fixed={"fields": 1})
    found = Counter(what for builder in built for what in builder.table.ground.values())
    as_expected(found, {"Field": 1 / 2, "Vineyard": 1 / 2})
