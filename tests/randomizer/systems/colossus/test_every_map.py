"""Sampled odds lie around those of all maps of a script, weighed one by one with fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.rolling.hex_locks import NO_LOCKS
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase
from tests.randomizer.systems.colossus.every_map import TooManyError, chances_of
from tests.randomizer.systems.colossus.recorded import program_of
from tests.randomizer.systems.colossus.script_strategies import bases

MAPS = 4_000
"""So many maps of each script are counted."""

NEAR = ["D3", "D4", "C3", "D6", "(one)", "(two)", "(usedup)", "(leftover)"]
"""Three hexes that touch, one far away, and what other statements leave."""

EVEN = ["(mid)", "SOMEOF(1,(mid))", "SOMEOF(2,(mid))", "(one)", "(two)", "(usedup)", "(leftover)"]
"""Only lists that all turns of the board leave as they are."""

hazards = st.sampled_from(["Bog", "Bog,50.", "Tree,25.,1", "Plains,75.", "Lake,60.,50.,25.,25."])


def _scripts(leaves: list[str]) -> st.SearchStrategy[str]:
    lists = st.recursive(
        st.lists(st.sampled_from(leaves), min_size=1, max_size=3).map(" ".join),
        lambda inner: st.one_of(
            st.builds("SOMEOF({},{})".format, st.integers(1, 2), inner),
            st.builds("SUBSTRACT({},{})".format, inner, inner),
            st.builds("SUBSTRACT({},{})".format, inner, inner),
            st.builds("SUBSTRACT((mid) {},SURROUNDINGSOF({}))".format, inner, inner),
            st.builds("SUBSTRACT(SURROUNDINGSOF({}),(rim) {})".format, inner, inner),
            st.builds("{} {}".format, inner, inner),
        ),
        max_leaves=4,
    )
    statements = st.one_of(
        st.builds("LABEL {}={}".format, st.sampled_from(["one", "two"]), lists),
        st.builds(
            "AREA {} HAZARDS {}".format,
            lists,
            st.lists(hazards, min_size=1, max_size=3).map(" ".join),
        ),
    )
    return st.lists(statements, min_size=2, max_size=5).map(
        lambda lines: "\n".join([
            "LABEL mid=C3 D3 D4",
            "LABEL rim=SUBSTRACT((anywhere),(mid))",
            *lines,
            "PAIR (Bog,0)(Plains,0) HEXSIDES c,20. d",
            "PAIR (Tree,1)(Bog,0) HEXSIDES s,50.",
            "",
        ])
    )  # fmt: skip


def assert_every_map(text: str, base: HexBase = PLAIN_HEXES) -> None:
    """The shares of many maps lie near the probabilities of all maps, one by one.

    By Hoeffding's inequality a right sampler strays from ``tolerance`` in one of a billion chances.
    """
    program = program_of(text)
    try:
        hexes, sides = chances_of(program, base)
    except TooManyError:
        assume(False)
    sample = Sample(program, base, 3, NO_LOCKS, count_sides=True, count_by_area=True)
    sample.roll_up_to(MAPS)
    tolerance = math.sqrt(math.log(2e9) / (2 * MAPS))
    assert sample.counts.by_area is not None
    placed_by = [*sample.areas, -1]
    shares: dict[tuple[int, ...], float] = {}
    for number, column, origin in np.argwhere(sample.counts.by_area).tolist():
        key = (number, *sample.states[column], placed_by[origin])
        shares[key] = sample.counts.by_area[number, column, origin] / MAPS
    assert shares.keys() <= hexes.keys()
    for key, chance in hexes.items():
        assert abs(shares.get(key, 0.0) - float(chance)) <= tolerance, key
        assert sample.possible[key[0], sample.states.index(key[1:3])]
    assert sample.counts.sides is not None
    for (*side, code), chance in sides.items():
        share = sample.counts.sides.get((side[0], side[1]), {}).get(code, 0) / MAPS
        assert abs(share - float(chance)) <= tolerance, (side, code)
    for (number, side_number), counts in sample.counts.sides.items():
        for code, count in counts.items():
            assert not count or (number, side_number, code) in sides


@pytest.mark.deep
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(_scripts(NEAR), st.one_of(st.just(PLAIN_HEXES), bases))
def test_small_scripts(text: str, base: HexBase) -> None:
    assert_every_map(text, base)


@pytest.mark.deep
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(_scripts(EVEN), st.one_of(st.just(PLAIN_HEXES), bases))
def test_small_scripts_that_are_alike_on_all_sides(text: str, base: HexBase) -> None:
    assert_every_map(text, base)


def test_what_is_counted_only_and_what_is_not() -> None:
    """Equally many hexes of each part are one class, until a hex is in a list twice."""
    counted = "AREA D4 D3 D2 C3 HAZARDS Bog Bog,50.\nAREA (leftover) HAZARDS Tree,25.,1 Lake,60.\n"
    assert_every_map(counted + "AREA SUBSTRACT((leftover),C3) HAZARDS Bog,50.\n")
    twice = "LABEL one=SOMEOF(2,D4 D3 D2 C3)\nLABEL two=(one) SOMEOF(1,D4 D3)\n"
    assert_every_map(twice + "AREA (two) HAZARDS Bog Tree,25.,1\nAREA (leftover) HAZARDS Lake\n")


def test_images_of_each_other_are_one_class() -> None:
    text = "LABEL one=SOMEOF(1,D4 D3 C3)\nLABEL two=SOMEOF(1,SURROUNDINGSOF((one)))\n"
    text += "AREA (one) (two) HAZARDS Bog Tree,25.,1\nPAIR (Bog,0)(Tree,1) HEXSIDES s,50.\n"
    assert_every_map(text)


def test_the_probabilities_of_all_maps_add_up_to_one() -> None:
    hexes, _sides = chances_of(program_of("AREA D4 D4 D3 HAZARDS Bog,50. Tree\n"), PLAIN_HEXES)
    assert sum(p for key, p in hexes.items() if key[0] == 0) == 1
    assert all(isinstance(p, Fraction) for p in hexes.values())
