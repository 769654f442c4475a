"""The bound of odds: what it covers, and that it holds far more often than it promises."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.batches.odds_table import OddsTable

TRUE = np.array([[0.5, 0.3, 0.2], [0.01, 0.98, 0.01]])


def table(chances: np.ndarray, samples: int) -> OddsTable:
    return OddsTable(samples, samples, ((0, 0), (1, 0), (2, 0)), chances)


def test_no_maps_tell_nothing() -> None:
    assert table(TRUE, 0).bound == 1


def test_the_bound_shrinks_with_the_root_of_the_number_of_maps() -> None:
    assert table(TRUE, 400).bound == pytest.approx(2 * table(TRUE, 1600).bound)
    words = table(TRUE, 100_000).bound_text
    assert words == "each chance is within 0.6 points (99 % sure)"


def test_a_handful_of_maps_gives_no_bound_of_use() -> None:
    assert table(TRUE, 1).bound_text == "these are too few maps to tell chances by"


def test_hexsides_are_covered_too() -> None:
    with_sides = OddsTable(400, 400, ((0, 0),), TRUE, {(0, 1): {1: 0.2, 2: 0.3}})
    without = OddsTable(400, 400, ((0, 0),), TRUE)
    assert with_sides.bound > without.bound


def test_samples_lie_within_the_bound() -> None:
    random = np.random.default_rng(4)
    maps = 200
    broken = 0
    for _ in range(300):
        counts = np.array([random.multinomial(maps, row) for row in TRUE])
        found = table(counts / maps, maps)
        broken += np.abs(found.chances - TRUE).max() > found.bound
    assert broken <= 3
