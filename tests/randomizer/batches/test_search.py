"""Search: the maps found do not depend on the block size; locks; rarity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.counts import as_measure
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.batches.map_stream import MapStream
from randomizer.batches.search import SearchResult, search_maps
from randomizer.generator import Generating, MapGenerator
from randomizer.model.basics.rarity import Rarity
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS
from randomizer.systems.colossus.generator import RndGenerator, from_text, packaged
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.batches.filters.plain_filters import PlainMap
from tests.randomizer.batches.rolled import roll_batch
from tests.randomizer.systems.colossus.recorded import exact_chances

SCRIPT = """\
AREA D4 HAZARDS Lake,50.
AREA A1 B2 C3 E1 F2 HAZARDS Bog,50. Tree,50. Volcano,80.,20.,40.,40.
PAIR (Volcano,2) (Plains,0) HEXSIDES c,50.
PAIR (Volcano,1) (Plains,0) HEXSIDES s,50.
"""
GENERATOR = from_text(SCRIPT, "Pond.rnd")
FAILS_AT_TIMES = from_text("AREA D4 HAZARDS Nonsense,50.\nAREA C4 HAZARDS Bog,50.\n", "Half.rnd")
PLAIN = Base.under(BattleMap.new(SYSTEM), 0)
SEED = 11


def found_by(
    text: str, generator: Any = GENERATOR, base: Base = PLAIN, **limits: Any
) -> SearchResult:
    return found_in(MapStream(generator, {}, base, SEED), text, **limits)


def found_in(stream: MapStream, text: str, **limits: Any) -> SearchResult:
    search = search_maps(stream, parse_filter(text, SYSTEM), **limits)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: SearchResult = end.value
            return found


def locked(*, cells: Mapping[str, str], sides: Mapping[tuple[str, int], str]) -> Base:
    """An empty board with locked hexes (elevation 0) and hexsides."""
    planes = {name: np.array(plane) for name, plane in PLAIN.shown.planes.items()}
    locks = np.zeros((6, 6), np.bool_)
    side_locks = np.zeros((6, 6, 6), np.bool_)
    for label, name in cells.items():
        cell = CELL_OF_HEX[LABELS.index(label)]
        locks.flat[cell] = True
        planes["terrain"].flat[cell] = COLOSSUS.terrain_code(name)
    for (label, side), letter in sides.items():
        place = CELL_OF_HEX[LABELS.index(label)] * 6 + side
        side_locks.flat[place] = True
        planes["hexside"].flat[place] = COLOSSUS.hexside_code(letter)
    shown = replace(PLAIN.shown, planes=planes)
    return replace(PLAIN, shown=shown, locked_cells=locks, locked_sides=side_locks)


def one_after_the_other(
    text: str, base: Base, first: int, count: int, generator: RndGenerator = GENERATOR
) -> tuple[list[int], int]:
    """The numbers of the maps that keep the locks and pass a filter; how many keep the locks."""
    numbers = np.arange(first, first + count, dtype=np.uint64)
    batch = generator.roll_batch({}, SEED, numbers, base)
    filter = parse_filter(text, SYSTEM)
    kept = np.flatnonzero(batch.keeps_locks()).tolist()
    fulfilling = [first + row for row in kept if PlainMap(batch, row).passes(filter)]
    return fulfilling, len(kept)


FILTERS = (
    "count(Bog) >= 2",
    "D4 = Lake and count(Tree) = 1",
    "count(Cliff) >= 1",
    "count(Volcano/2) = 1 and count(Cliff) >= 2 and not C3 = Bog",
    "count(Slope) > count(Cliff) or count(Bog) = 3",
    "",
)
BASES = {
    "free": PLAIN,
    "a hex": locked(cells={"C3": "Bog"}, sides={}),
    "hexsides": locked(cells={}, sides={("B2", 0): " ", ("B2", 1): " "}),
    "both": locked(cells={"D4": "Lake"}, sides={("C3", 0): "c"}),
}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES)
@pytest.mark.parametrize("text", FILTERS)
def test_the_maps_found_are_those_that_fulfil_the_filter(text: str, base: Base) -> None:
    expected, kept = one_after_the_other(text, base, 500, 1500)
    found = found_by(text, base=base, first=500, budget=1500, limit=2000)
    assert list(found.numbers) == expected
    assert (found.tried, found.eligible, found.matching) == (1500, kept, len(expected))
    assert found.locked == base.locked


@pytest.mark.parametrize("text", FILTERS)
@pytest.mark.parametrize("limit", [1, 7, 300])
def test_how_many_are_tried_at_once_makes_no_difference(text: str, limit: int) -> None:
    found = found_by(text, limit=limit, budget=5000)
    assert len(found.numbers) <= limit
    for first in (1, 100, 700, 5000):
        stream = MapStream(GENERATOR, {}, PLAIN, SEED, first_at_once=first, block_s=9.0)
        assert found_in(stream, text, limit=limit, budget=5000) == found


def test_blocks_are_counted_to_their_end() -> None:
    found = found_by("count(Bog) >= 1", limit=1)
    assert (found.tried, len(found.numbers)) == (1024, 1)
    assert found.matching == len(one_after_the_other("count(Bog) >= 1", PLAIN, 0, 1024)[0])


@dataclass
class Watched(BatchGenerator):
    """A generator that notes how many maps are rolled, and with what."""

    rolled: list[tuple[int, bool]] = field(default_factory=list)
    system = SYSTEM
    rolls_many = True

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[np.uint64],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        self.rolled.append((len(numbers), hexsides))
        return GENERATOR.roll_batch(settings, seed, numbers, base, hexsides=hexsides)


def test_hexsides_are_rolled_only_where_they_decide() -> None:
    watched = Watched()
    found_by("count(Bog) >= 2", watched, budget=3000, limit=3000)
    assert not any(hexsides for _count, hexsides in watched.rolled)
    watched = Watched()
    found_by("count(Bog) >= 1 and D4 = Lake and count(Cliff) > 0", watched, budget=3000, limit=3000)
    with_sides = sum(count for count, hexsides in watched.rolled if hexsides)
    hopeful = one_after_the_other("count(Bog) >= 1 and D4 = Lake", PLAIN, 0, 3000)[0]
    assert with_sides == len(hopeful) < 2000


@dataclass
class OneByOne(MapGenerator):
    """The same maps from a generator that has no way to make many."""

    generator: RndGenerator = GENERATOR
    name = ""
    text = SCRIPT
    system = SYSTEM
    settings = ()
    metadata = GENERATOR.metadata

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        return self.generator.generate(settings, key, base)


@pytest.mark.parametrize("text", ["count(Bog) >= 1", "count(Cliff) >= 1 and D4 = Lake"])
def test_a_generator_that_makes_single_maps_finds_the_same_and_stops_at_once(text: str) -> None:
    found = found_by(text, OneByOne(), limit=5)
    assert found.numbers == found_by(text, limit=5).numbers
    assert found.tried == found.numbers[-1] + 1


@pytest.mark.parametrize("generator", [FAILS_AT_TIMES, OneByOne(FAILS_AT_TIMES)])
def test_maps_that_cannot_be_made_are_passed_over(generator: Any) -> None:
    expected, kept = one_after_the_other("C4 = Bog", PLAIN, 1, 300, FAILS_AT_TIMES)
    assert 100 < kept < 200
    found = found_by("C4 = Bog", generator, first=1, budget=300, limit=300)
    assert (list(found.numbers), found.eligible) == (expected, kept)


def test_why_no_map_at_all_can_be_made_is_said() -> None:
    fails = from_text("AREA D4 HAZARDS Nonsense\n", "None.rnd")
    for generator in (fails, OneByOne(fails)):
        with pytest.raises(ProblemError, match="Nonsense"):
            found_by("", generator, budget=50)
    with pytest.raises(ProblemError):
        found_by("", from_text("AREA D4 HAZARD Bog\n", "Broken.rnd"), budget=50)


def test_locks_that_are_seen_to_be_impossible_are_refused_at_once() -> None:
    base = locked(cells={"A1": "Bog", "A2": "Lake"}, sides={})
    search = search_maps(MapStream(GENERATOR, {}, base, SEED), parse_filter("", SYSTEM))
    with pytest.raises(ProblemError, match="never makes A2 Lake"):
        next(search)


def test_a_search_says_what_it_has_found_so_far_and_can_be_left() -> None:
    search = search_maps(
        MapStream(GENERATOR, {}, PLAIN, SEED), parse_filter("count(Tree) = 99", SYSTEM)
    )
    so_far = [next(search) for _ in range(3)]
    assert 0 < so_far[0].tried < so_far[1].tried < so_far[2].tried < 1_000_000
    search.close()


def test_the_best_are_the_same_however_many_are_tried_at_once() -> None:
    trees = as_measure(parse_quantity("count(Tree)", SYSTEM))
    most = replace(trees, of=lambda batch: -trees.of(batch))

    def best(stream: MapStream) -> SearchResult:
        return found_in(stream, "count(Tree) >= 1", first=3, budget=900, limit=7, order_by=most)

    found = best(MapStream(GENERATOR, {}, PLAIN, SEED))
    assert (found.tried, len(found.numbers)) == (900, 7)
    batch = roll_batch(GENERATOR, {}, SEED, np.arange(3, 903, dtype=np.uint64), PLAIN)
    counted = dict(zip(range(3, 903), trees.of(batch).tolist(), strict=True))
    some = [number for number, count in counted.items() if count]
    assert list(found.numbers) == sorted(some, key=lambda number: -counted[number])[:7]
    assert best(MapStream(GENERATOR, {}, PLAIN, SEED, first_at_once=11)) == found


# --- how rare -----------------------------------------------------------------------------------


def test_the_interval_holds_the_exact_odds() -> None:
    is_inside = []
    for generator in packaged():
        if generator.name not in ("Brush", "Marsh", "Mountains", "Swamp"):
            continue
        for label, row in exact_chances(generator.name)["hex"].items():
            for terrain in ("Bog", "Tree", "Volcano", "Brambles"):
                states = [state for state in row if state.split("/")[0] == terrain]
                chance = sum(row[state] for state in states)
                if 0 < chance < 1 - 1e-9:
                    text = f"{label} = {terrain}"
                    result = found_by(text, generator, budget=4096, limit=10**6)
                    low, high = result.rarity.interval
                    is_inside.append(low <= chance <= high)
    assert len(is_inside) > 50
    # The hexes of one map depend on each other, so more than 1 in 20 may be off at a time.
    assert sum(is_inside) >= 0.85 * len(is_inside)


@pytest.mark.parametrize(
    ("counted", "low", "high"),
    [
        ((1, 10), 0.0179, 0.4042),
        ((5, 10), 0.2366, 0.7634),
        ((0, 100), 0.0, 0.0370),
        ((10, 10), 0.7225, 1.0),
    ],
)
def test_intervals_are_those_of_the_tables(
    counted: tuple[int, int], low: float, high: float
) -> None:
    assert Rarity(*counted).interval == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        ((18, 1024), "18 of 1,024 maps: about 1 map in 57 (± 24 %)"),
        ((400, 1000), "400 of 1,000 maps: about 1 map in 2.5 (± 4 %)"),
        ((100, 34_000), "100 of 34,000 maps: about 1 map in 340 (± 10 %)"),
        ((3, 1_000_000), "3 of 1,000,000 maps: roughly 1 map in 330,000"),
        ((596, 1024), "596 of 1,024 maps: about 1 map in 1.7 (± 3 %)"),
        ((1004, 1024), "1,004 of 1,024 maps: all but about 1 map in 51 (± 23 %)"),
        ((1023, 1024), "1,023 of 1,024 maps: all but roughly 1 map in 1,000"),
        ((1024, 1024), "all of 1,024 maps"),
        ((0, 1_000_000), "none of 1,000,000 maps: less than 1 map in 330,000"),
        ((0, 1), "none of 1 map: less than 1 map in 1.1"),
        ((1, 1), "1 of 1 map"),
        ((0, 0), "no maps"),
    ],
)
def test_rarity_is_said_in_words(counted: tuple[int, int], words: str) -> None:
    assert Rarity(*counted).words() == words


def test_under_locks_it_is_said_how_rare_they_are_too() -> None:
    found = SearchResult(1, (4,), 1000, 100, 50, locked=True)
    assert found.summary == (
        "100 of 1,000 maps keep the locks, 50 of them pass the filter: about 1 map in 20 (± 14 %)"
    )
    nearly_all = replace(found, tried=51, eligible=51, matching=48)
    assert nearly_all.summary == "all of 51 maps keep the locks, 48 of them pass the filter"
    none = replace(found, eligible=0, matching=0)
    assert none.summary == "the locks are kept by none of 1,000 maps: less than 1 map in 330"
