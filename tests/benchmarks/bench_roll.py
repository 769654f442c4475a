"""Rolls of scripts: one by one, thousands at once, odds, locks. The worst of the scripts counts.

Single rolls are compared with the simple roller of the tests (as plain as can be), rolls at once
with the plain roller of the package, which is the reference.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Iterator
from time import process_time

import numpy as np

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.odds.tables import FIRST_TABLE_MAPS
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws, keyed_draws
from randomizer.systems.colossus.rolling.hex_locks import NO_LOCKS, Locks
from randomizer.systems.colossus.rolling.locks import search_with_locks
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, place_hexes, roll
from randomizer.systems.colossus.script.parser import parse
from tests.benchmarks.benchmark import ROOT, Row, benchmark, min_ms
from tests.benchmarks.colossus_scripts import compile_file, script_paths

# The simple roller imports its neighbours as the tests of its folder do.
sys.path.append(str(ROOT / "tests" / "randomizer" / "systems" / "colossus"))
from tests.randomizer.systems.colossus.simple_roller import SimpleRoller

PLAIN_MAPS = 300
SIMPLE_MAPS = 30
MANY_MAPS = 1 << 17
"""So many maps bound the standard error of a chance to 0.14 %."""

LOCKED_HEXES = 3


@benchmark("roll", full=100, tiny=1)
def measure_rolls(max_scripts: int) -> Iterator[Row]:
    parse_ms = []
    compile_ms = []
    single_ms = []
    single_ratios = []
    for path in script_paths(max_scripts):
        text = path.read_text("utf-8")
        script = parse(text).script
        parse_ms.append(min_ms(lambda text=text: parse(text)))
        compile_ms.append(min_ms(lambda script=script: compile_script(script)))
        roll_ms = plain_roll_ms(compile_script(script), hexsides=True)
        single_ms.append(roll_ms)
        single_ratios.append(simple_roll_ms(script) / roll_ms)
    yield Row("parse a script", max(parse_ms), "ms")
    yield Row("compile a script", max(compile_ms), "ms")
    yield Row("one map (x the simple roller)", max(single_ms), "ms", min(single_ratios))


@benchmark("roll-many", full=(100, 10_000), tiny=(1, 100))
def measure_many_rolls(size: tuple[int, int]) -> Iterator[Row]:
    max_scripts, maps = size
    programs = [compile_file(path) for path in script_paths(max_scripts)]
    for hexsides, title in ((False, "hexes only"), (True, "with hexsides")):
        rates = []
        ratios = []
        for program in programs:
            at_once_ms = many_rolls_ms(program, maps, hexsides=hexsides) / maps
            rates.append(1 / at_once_ms)
            ratios.append(plain_roll_ms(program, hexsides=hexsides) / at_once_ms)
        # Maps a millisecond are thousands a second.
        yield Row(f"maps a second, {title} (x plain)", min(rates), "thousand", min(ratios))


@benchmark("odds", full=(100, MANY_MAPS), tiny=(1, 500))
def measure_odds(size: tuple[int, int]) -> Iterator[Row]:
    max_scripts, maps = size
    programs = [compile_file(path) for path in script_paths(max_scripts)]
    first_ms = [odds_ms(program, FIRST_TABLE_MAPS, sides=False) for program in programs]
    first_sides_ms = [odds_ms(program, FIRST_TABLE_MAPS, sides=True) for program in programs]
    all_ms = [odds_ms(program, maps, sides=True) for program in programs]
    yield Row("first table", max(first_ms), "ms")
    yield Row("first table with hexsides", max(first_sides_ms), "ms")
    yield Row("table within 0.14 %", max(all_ms), "ms")


@benchmark("locks", full=(100, 40), tiny=(1, 2))
def measure_locks(size: tuple[int, int]) -> Iterator[Row]:
    max_scripts, maps = size
    medians_ms = []
    longest_ms = []
    for path in script_paths(max_scripts):
        searches_ms = lock_searches_ms(compile_file(path), maps)
        medians_ms.append(statistics.median(searches_ms))
        longest_ms.append(max(searches_ms))
    yield Row("re-roll with three locks, median", max(medians_ms), "ms")
    yield Row("re-roll with three locks, longest", max(longest_ms), "ms")


def plain_roll_ms(program: Program, *, hexsides: bool) -> float:
    """Return what one map costs the plain roller."""

    def roll_all() -> None:
        for draws in keyed_draws(program, 1, range(PLAIN_MAPS)):
            if hexsides:
                roll(program, draws)
            else:
                place_hexes(program, draws, PLAIN_HEXES)

    return min_ms(roll_all) / PLAIN_MAPS


def simple_roll_ms(script: object) -> float:
    """Return what one map of a parsed script costs the simple roller."""

    def roll_all() -> None:
        for _map in range(SIMPLE_MAPS):
            SimpleRoller(1, 5).roll(script)

    return min_ms(roll_all) / SIMPLE_MAPS


def many_rolls_ms(program: Program, maps: int, *, hexsides: bool) -> float:
    """Return what so many maps cost at once."""
    numbers = np.arange(maps, dtype=np.uint64)
    return min_ms(lambda: roll_many(program, PLAIN_HEXES, 1, numbers, hexsides=hexsides))


def odds_ms(program: Program, maps: int, *, sides: bool) -> float:
    """Return what a table of so many maps costs, with the statements responsible."""

    def count_maps() -> None:
        sample = Sample(program, PLAIN_HEXES, 0, NO_LOCKS, count_sides=sides, count_by_area=True)
        sample.roll_up_to(maps)

    return min_ms(count_maps, rounds=1)


def lock_searches_ms(program: Program, maps: int) -> list[float]:
    """Return how long the next map takes that keeps three hexes of a map, for so many maps.

    The estimate of how rare such maps are is part of it; a search may end without a map.
    """
    dice = random.Random(4)
    searches_ms = []
    for number in range(maps):
        original = roll(program, KeyedDraws(program, 1, number))
        placed_hexes = [place for place in original.placed_hexes if original.terrain[place]]
        locks = {}
        for place in dice.sample(placed_hexes, min(LOCKED_HEXES, len(placed_hexes))):
            locks[place] = (original.terrain[place], original.elevation[place])
        start_s = process_time()
        try:
            for _progress in search_with_locks(program, 1, number + 1, PLAIN_HEXES, Locks(locks)):
                pass
        except ProblemError:
            pass  # no map was found in time, and that time counts, too
        searches_ms.append((process_time() - start_s) * 1000)
    return searches_ms
