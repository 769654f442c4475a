"""Batches of wargame tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.batches.counts import measures_of
from randomizer.batches.filters.parser import parse_filter
from randomizer.generator import DrawKey, run
from randomizer.model.compositing import compose
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM
from tests.randomizer.batches.rolled import roll_batch
from tests.randomizer.systems.cordery.built_tables import base_of


def test_each_table_of_a_batch_is_the_one_that_its_number_makes() -> None:
    base, generator = base_of("square", 8, 8), CorderyGenerator()
    numbers = np.array([5, 0, 17], np.uint64)
    batch = roll_batch(generator, {"relief": "hilly"}, 9, numbers, base)
    for row, number in enumerate(numbers.tolist()):
        made = run(generator, {"relief": "hilly"}, DrawKey(9, number), base)
        assert made is not None
        shown = compose(SYSTEM, base.terrain_set, base.grid, [base.as_layer(), *made.layers]).planes
        planes = batch.planes(row)
        assert planes.keys() == shown.keys()
        assert all(np.array_equal(planes[name], shown[name]) for name in shown)
    assert not batch.failed.any()
    assert batch.keeps_locks().all()


def test_tables_can_be_filtered() -> None:
    base, generator = base_of("square", 8, 8), CorderyGenerator()
    batch = roll_batch(generator, {}, 9, np.arange(20, dtype=np.uint64), base)
    filter = parse_filter("count(Field) >= 5", SYSTEM, measures_of(generator), base.grid)
    fields = (batch.terrain == SYSTEM.terrain_set.terrain_code("Field")).sum(axis=1)
    assert filter.matches(batch).tolist() == (fields >= 5).tolist()


def test_locks_of_sides_bind_no_table_as_it_has_no_hexsides() -> None:
    base = base_of("square", 8, 8)
    locked = np.ones_like(base.locked_sides)
    numbers = np.arange(2, dtype=np.uint64)
    batch = roll_batch(CorderyGenerator(), {}, 1, numbers, replace(base, locked_sides=locked))
    assert batch.keeps_locks().tolist() == [True, True]
