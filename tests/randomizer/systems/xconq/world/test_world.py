"""Worlds: as the plain roller makes them, and as the original program recorded them."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.world.classification import Limits, classify
from randomizer.systems.xconq.world.random_numbers import (
    MODULUS,
    KeyedDraws,
    OriginalDraws,
    draws_of,
)
from randomizer.systems.xconq.world.relief import (
    CACHE_BYTES,
    Relief,
    WorldSettings,
    relief_of,
    relief_steps,
)
from randomizer.systems.xconq.world.relief_cache import ReliefCache
from tests.randomizer.systems.xconq.plain_world import original_rnd, plain_world

SIDES = st.integers(9, 26)
ROUGHNESS = st.integers(0, 100)
STANDARD = Limits(
    *(
        np.array(row)
        for row in (
            [0, 68, 69, 70, 70, 70, 93, 99, 0],
            [68, 69, 71, 93, 93, 93, 99, 100, 0],
            [0, 0, 50, 0, 20, 80, 0, 0, 0],
            [100, 100, 100, 20, 80, 100, 100, 100, 0],
        )
    )
)
NAMES = ["sea", "shallows", "swamp", "desert", "plains", "forest", "mountains", "ice", "vacuum"]
ICE = 7


@settings(max_examples=40, deadline=None)
@given(SIDES, SIDES, ROUGHNESS, ROUGHNESS, st.integers(0, MODULUS - 1))
@example(12, 12, 0, 0, 3)  # bumps that meet their first column twice, and the row past the map
@example(20, 12, 0, 100, 3)
@example(48, 40, 80, 95, 5)
def test_worlds_are_those_of_the_plain_roller(width, height, alt, wet, seed):
    chosen = WorldSettings(width, height, alt, wet)
    relief = relief_of(chosen, DrawKey(seed, 0))
    expected = plain_world(chosen, original_rnd(seed))
    made = (relief.altitude, relief.moisture, relief.alt_percent, relief.wet_percent)
    for layer, plain in zip(made, expected, strict=True):
        assert layer.tolist() == plain


def test_a_world_with_many_mountain_chains_is_that_of_the_plain_roller():
    chosen = WorldSettings(150, 60, 90, 100)
    relief = relief_of(chosen, DrawKey(1234, 0))
    altitude, moisture, *_percents = plain_world(chosen, original_rnd(1234))
    assert relief.altitude.tolist() == altitude
    assert relief.moisture.tolist() == moisture


@settings(max_examples=15, deadline=None)
@given(SIDES, SIDES, ROUGHNESS, st.integers(0, 2**32 - 1), st.integers(1, 2**53 - 1))
def test_other_numbers_take_keyed_dice(width, height, roughness, seed, number):
    chosen = WorldSettings(width, height, roughness, roughness)
    relief = relief_of(chosen, DrawKey(seed, number))
    expected = plain_world(chosen, KeyedDraws(DrawKey(seed, number)).below)
    assert relief.altitude.tolist() == expected[0]
    assert relief.moisture.tolist() == expected[1]


@given(st.sampled_from([DrawKey(5, 0), DrawKey(5, 1), DrawKey(134_456, 0)]), st.data())
@settings(max_examples=20, deadline=None)
def test_draws_are_the_same_one_by_one_and_many_at_once(key, data):
    singly = draws_of(key)
    at_once = draws_of(key)
    parts = st.tuples(st.integers(0, 5000), st.sampled_from([0, 1, 6000, MODULUS + 7]))
    for limit, count in data.draw(st.lists(parts, max_size=4)):
        one_by_one = [singly.below(limit) for _draw in range(count)]
        assert at_once.many_below(limit, count).tolist() == one_by_one
        rows = at_once.rows_below((limit, 7, 257), count // 9)
        assert rows.tolist() == [
            [singly.below(each) for each in (limit, 7, 257)] for _row in range(count // 9)
        ]
        assert at_once.below(10_000) == singly.below(10_000)


def test_only_number_0_of_the_first_seeds_is_the_originals():
    assert isinstance(draws_of(DrawKey(MODULUS - 1, 0)), OriginalDraws)
    assert isinstance(draws_of(DrawKey(MODULUS, 0)), KeyedDraws)
    assert isinstance(draws_of(DrawKey(0, 1)), KeyedDraws)


def test_the_dice_of_worlds_stay_for_ever():
    relief = relief_of(WorldSettings(9, 9, 80, 70), DrawKey(1, 1))
    assert relief.altitude[4].tolist() == GOLDEN_ROW


@pytest.mark.parametrize("name", ["60x30_seed1", "40x40_seed9_rough20", "40x40_seed9_rough90"])
def test_recorded_worlds(shared, name):
    text = (shared / f"reference/xconq/worlds/standard_{name}.txt").read_text()
    head, *rows = text.splitlines()
    seed, width, height = _numbers(r"seed=(\d+) size=(\d+)x(\d+)", head)
    rough = re.search(r"rough(\d+)", name)
    alt, wet = (int(rough[1]), int(rough[1])) if rough else (80, 70)
    relief = relief_of(WorldSettings(width, height, alt, wet), DrawKey(seed, 0))
    recorded = [
        [[int(part) for part in cell.split(",")] for cell in row.split()[1:]]
        for row in rows[:height]
    ]
    made = (relief.altitude, relief.moisture, relief.alt_percent, relief.wet_percent)
    assert np.stack(made, axis=-1)[::-1].tolist() == recorded
    classified = classify(relief, STANDARD, edge=ICE)
    assert [counts(classified.codes)] == [_recorded_counts(head)]
    drawn = [line for line in rows[height:] if line]
    characters = {
        drawn[height - 1 - y][x]: classified.codes[y, x]
        for y in range(height)
        for x in range(width)
    }
    assert len(set(characters.values())) == len(characters)
    assert classified.codes[::-1].tolist() == [[characters[each] for each in row] for row in drawn]


def test_recorded_histograms(shared):
    path = shared / "reference/xconq/worlds/standard_60x60_seeds1-200_histograms.txt"
    lines = [line for line in path.read_text().splitlines() if line.startswith("gen")]
    assert len(lines) == 200
    for line in lines:
        (seed,) = _numbers(r"seed=(\d+)", line)
        relief = relief_of(WorldSettings(60, 60, 80, 70), DrawKey(seed, 0))
        assert counts(classify(relief, STANDARD, edge=ICE).codes) == _recorded_counts(line)


def counts(codes) -> list[int]:
    return np.bincount(codes.ravel(), minlength=len(NAMES)).tolist()


def _numbers(pattern: str, line: str) -> list[int]:
    found = re.search(pattern, line)
    assert found
    return [int(number) for number in found.groups()]


def _recorded_counts(line: str) -> list[int]:
    return _numbers("".join(rf" {name}=(\d+)" for name in NAMES), line)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_each_cell_has_the_first_type_whose_rectangle_holds_it(data):
    bound = st.integers(-5, 120)
    types = data.draw(st.lists(st.tuples(bound, bound, bound, bound), min_size=1, max_size=6))
    edge = data.draw(st.none() | st.integers(0, len(types) - 1))
    default = data.draw(st.none() | st.integers(0, len(types) - 1))
    limits = Limits(*(np.array(column) for column in zip(*types, strict=True)))
    relief = relief_of(WorldSettings(11, 10, 60, 50), DrawKey(data.draw(st.integers(0, 99)), 0))
    classified = classify(relief, limits, edge=edge, default=default)
    unmatched = []
    for y in range(10):
        for x in range(11):
            alt = int(relief.alt_percent[y, x])
            wet = int(relief.wet_percent[y, x])
            fits = [
                number
                for number, (low, high, dry, damp) in enumerate(types)
                if low <= alt <= high and dry <= wet <= damp
            ]
            assert limits.types_holding(alt, wet) == tuple(fits)
            expected = fits[0] if fits else default or 0
            if edge is not None and y in (0, 9):
                expected = edge
            elif not fits:
                unmatched.append((alt, wet))
            assert classified.codes[y, x] == expected
    assert classified.unmatched == len(unmatched)
    assert classified.example == (unmatched[0] if unmatched else None)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 99), st.integers(0, 999))
def test_two_types_split_at_a_percentage_have_these_shares(percent, seed):
    bounds = ([0, percent + 1], [percent, 100], [0, 0], [100, 100])
    limits = Limits(*(np.array(row) for row in bounds))
    relief = relief_of(WorldSettings(40, 30, 80, 70), DrawKey(seed, 0))
    inner = classify(relief, limits).codes[1:-1]
    # 0 .. percent takes percent + 1 of the 101 percentiles: those that are cut to it, too
    assert percent <= 100 * (inner == 0).mean() <= percent + 1


def test_density_counts_the_cells_of_each_pair():
    relief = relief_of(WorldSettings(15, 12, 80, 70), DrawKey(7, 0))
    assert relief.density.sum() == 15 * 12
    alt = int(relief.alt_percent[3, 4])
    wet = int(relief.wet_percent[3, 4])
    same = (relief.alt_percent == alt) & (relief.wet_percent == wet)
    assert relief.density[alt, wet] == same.sum()


def test_a_relief_holds_no_more_than_it_says_when_it_was_classified():
    """The gallery keeps hundreds of small ones."""
    relief = relief_of(WorldSettings(15, 12, 80, 70), DrawKey(7, 0))
    assert classify(relief, Limits(*np.array([[0], [50], [0], [50]]))).unmatched
    assert relief.density.any()
    held = sum(each.nbytes for each in vars(relief).values())
    assert held <= relief.bytes


def test_progress_rises_to_100_and_kept_reliefs_come_at_once():
    chosen = WorldSettings(50, 40, 90, 90)
    key = DrawKey(4, 77)
    percents = list(relief_steps(chosen, key))
    assert percents == sorted(set(percents))
    assert percents[0] >= 1
    assert percents[-1] == 100
    assert list(relief_steps(chosen, key)) == [100]
    assert relief_of(chosen, key) is relief_of(chosen, key)


def test_what_is_closed_is_not_kept():
    chosen = WorldSettings(50, 40, 90, 90)
    key = DrawKey(4, 78)
    steps = relief_steps(chosen, key)
    next(steps)
    steps.close()
    assert len(list(relief_steps(chosen, key))) > 1


def test_kept_reliefs_are_bounded_in_bytes():
    chosen = WorldSettings(10, 10, 50, 50)
    relief = relief_of(chosen, DrawKey(1, 0))
    kept = ReliefCache[Relief](relief.bytes * 2)
    for seed in range(3):
        kept.put(chosen, DrawKey(seed, 0), relief)
    assert [kept.get(chosen, DrawKey(seed, 0)) is not None for seed in range(3)] == [
        False,
        True,
        True,
    ]
    small = ReliefCache[Relief](relief.bytes - 1)
    small.put(chosen, DrawKey(1, 0), relief)
    assert small.get(chosen, DrawKey(1, 0)) is None
    assert relief.bytes + 8 * 1024 * 1024 < CACHE_BYTES, "one of a million hexes is kept"


def test_reliefs_can_be_made_in_several_threads():
    chosen = WorldSettings(30, 30, 85, 75)
    found = {}

    def make(number: int) -> None:
        found[number] = [relief_of(chosen, DrawKey(seed, 900)) for seed in range(4)]

    threads = [threading.Thread(target=make, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(1, 4):
        for mine, first in zip(found[number], found[0], strict=True):
            assert np.array_equal(mine.pairs, first.pairs)


def test_values_that_are_kept_cannot_be_written_to():
    relief = relief_of(WorldSettings(10, 10, 50, 50), DrawKey(1, 0))
    with pytest.raises(ValueError):
        relief.altitude[0, 0] = 1
    with pytest.raises(ValueError):
        relief.pairs[0, 0] = 1


@pytest.mark.parametrize("wrong", [(8, 9, 50, 50), (9, 8, 50, 50), (9, 9, -1, 0), (9, 9, 0, 101)])
def test_other_settings_are_refused(wrong):
    with pytest.raises(ValueError):
        WorldSettings(*wrong)


GOLDEN_ROW = [10813, 9690, 8734, 7931, 7342, 7195, 8562, 9854, 10658]
