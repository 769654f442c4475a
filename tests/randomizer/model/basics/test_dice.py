"""Keyed draws: the same bits for ever, alone or a million at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.basics import dice

seeds = st.integers(0, dice.SEED_LIMIT - 1)
numbers = st.integers(0, dice.NUMBER_LIMIT - 1)
sites = st.integers(0, dice.MASK)


def test_the_mixing_function_is_splitmix() -> None:
    """The first outputs of SplitMix64 from state 0, as published with it."""
    assert [dice.mix64(step * dice.GOLDEN) for step in (1, 2, 3)] == [
        0xE220_A839_7B1D_CDAF,
        0x6E78_9E6A_A1B9_65F4,
        0x06C4_5D18_8009_454F,
    ]


def test_words_never_change() -> None:
    keys = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (42, 4711, 1 << 60)]
    assert [f"{dice.word(*key):016x}" for key in keys] == [
        "568a9b0b1a2c05ec",
        "6ec85f1f8547bc0c",
        "44e5b8b147ef718b",
        "238275bc38fcbe91",
        "83c31c25784ad13d",
    ]


@given(seeds, numbers, sites)
def test_many_maps_or_many_sites_at_once_draw_what_each_draws_alone(
    seed: int, number: int, site: int
) -> None:
    alone = dice.word(seed, number, site)
    following = np.array([number, 0, 7], np.uint64)
    start = np.uint64(dice.stream(seed, site))
    assert dice.words_at(start, dice.steps(following)).tolist() == [
        alone,
        dice.word(seed, 0, site),
        dice.word(seed, 7, site),
    ]
    starts = dice.streams(seed, np.array([site, 0], np.uint64))
    assert starts.tolist() == [dice.stream(seed, site), dice.stream(seed, 0)]
    assert dice.words_of_streams(starts, number).tolist() == [alone, dice.word(seed, number, 0)]
    assert following.tolist() == [number, 0, 7]


@given(sites)
def test_lanes_are_what_numpy_sees_in_a_word(bits: int) -> None:
    words = np.array([bits], "<u8")
    assert [dice.lane16(bits, lane) for lane in range(4)] == words.view("<u2").tolist()
    assert [dice.lane32(bits, lane) for lane in range(2)] == words.view("<u4").tolist()


@pytest.mark.parametrize("bits", [16, 32])
def test_only_never_and_always_are_certain(bits: int) -> None:
    full = 1 << bits
    for never in (-5, 0, -0.0):
        assert dice.threshold(never, bits) == 0
    for always in (100, 100.5, float("inf")):
        assert dice.threshold(always, bits) == full
    assert dice.threshold(1e-12, bits) == 1
    assert dice.threshold(100 - 1e-12, bits) == full - 1
    assert dice.threshold(50, bits) == full // 2
    assert dice.threshold(25, bits) == full // 4


def test_lanes_are_even() -> None:
    """No lane of 40,000 maps strays from a fair one by more than five standard errors."""
    steps = dice.steps(np.arange(40_000, dtype=np.uint64))
    words = dice.words_at(np.uint64(dice.stream(5, 3)), steps)
    lanes = words.view("<u2").reshape(-1, 4)
    for bit in range(16):
        share = (lanes >> bit & 1).mean(axis=0)
        assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(40_000)
    assert np.abs(np.corrcoef(lanes.T) - np.eye(4)).max() < 5 / np.sqrt(40_000)


def test_a_fresh_seed_is_a_seed() -> None:
    drawn = {dice.fresh_seed() for _ in range(8)}
    assert len(drawn) > 1
    assert all(0 <= seed < dice.SEED_LIMIT for seed in drawn)
