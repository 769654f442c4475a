"""Large areas show different variants of a picture; other pictures have none."""

from __future__ import annotations

import numpy as np

from app.render.variants import MOST_VARIANTS, variants_at
from randomizer.model.terrain import Terrain, TerrainSet

LAND = TerrainSet("Land", (Terrain("wood", "#3e7c46", picture="Woods"), Terrain("Ash", "#555555")))


def test_variants_are_mixed_evenly_and_follow_from_the_cell() -> None:
    cells = np.arange(4000)
    drawn = variants_at(LAND, np.zeros(4000, np.intp), cells)
    assert np.bincount(drawn, minlength=MOST_VARIANTS).min() > 900
    grid = drawn.reshape(50, 80)
    for other in (grid[:, 1:] == grid[:, :-1], grid[1:] == grid[:-1]):
        assert 0.15 < other.mean() < 0.35, "neighbours are no more alike than any two cells"
    some = np.array([3, 1700, 44])
    assert variants_at(LAND, np.zeros(3, np.intp), some).tolist() == drawn[some].tolist()


def test_pictures_without_variants_have_the_first() -> None:
    cells = np.arange(100)
    assert not variants_at(LAND, np.ones(100, np.intp), cells).any()
