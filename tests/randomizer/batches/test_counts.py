"""Counts as measures of any map."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from randomizer.batches.batch import batch_of
from randomizer.batches.counts import counts, measures_of
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.catalog.generators import generator_named
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.cordery.system import SYSTEM as TABLE
from tests.randomizer.batches.filters.filter_strategies import made_up_batch
from tests.test_system.system import HEIGHT
from tests.test_system.system import SYSTEM as LAND

BATCH = made_up_batch(3)


def values_of(name: str) -> list[float]:
    measure = next(count for count in counts(SYSTEM) if count.name == name)
    values = measure.of(BATCH)
    assert values.dtype == np.float64
    return values.tolist()


def test_every_terrain_elevation_and_hexside_is_counted() -> None:
    for code, terrain in enumerate(COLOSSUS.terrains):
        expected = [Counter(row)[code] for row in BATCH.terrain.tolist()]
        assert values_of(f"count({terrain.name})") == expected
    for height in COLOSSUS.elevations:
        expected = [Counter(row)[height] for row in BATCH.elevation.tolist()]
        assert values_of(f"count(elevation {height})") == expected
    assert BATCH.hexside is not None
    for code, hexside in enumerate(COLOSSUS.hexsides, 1):
        expected = [np.count_nonzero(row == code) for row in BATCH.hexside]
        assert values_of(f"count({hexside.name})") == expected
    expected = [sum(height > 0 for height in row) for row in BATCH.elevation.tolist()]
    assert values_of("count(elevation > 0)") == expected


@pytest.mark.parametrize("system", [SYSTEM, TABLE], ids=lambda system: system.name)
def test_the_name_of_a_count_is_how_filters_ask_for_it(system) -> None:
    found = counts(system)
    assert len({measure.name for measure in found}) == len(found)
    for measure in found:
        assert str(parse_quantity(measure.name, system)) == measure.name
        assert measure.needs_hexsides == any(
            measure.title == hexside.name for hexside in system.terrain_set.hexsides
        )


def test_a_generators_own_measures_come_first() -> None:
    generator = generator_named("Swamp")
    assert generator is not None
    names = [measure.name for measure in measures_of(generator)]
    assert names[0] == "fairness"
    assert names[-len(counts(SYSTEM)) :] == [measure.name for measure in counts(SYSTEM)]


def test_heights_of_corners_are_measured() -> None:
    mask = np.array([[True, True, False], [True, True, False]])
    land = BattleMap.new(LAND, Grid(SQUARE, 3, 2, mask), [Layer(1, "Ground")])
    heights = np.arange(12, dtype="u2").reshape(3, 4) * 10
    land.layers[0].planes[HEIGHT.name] = heights
    batch = batch_of(LAND, land.grid, land.composite())
    found = {measure.name: measure for measure in counts(LAND)}
    values = {name: found[name].of(batch).tolist() for name in ("lowest", "highest", "average")}
    assert values == {"lowest": [0.0], "highest": [100.0], "average": [50.0]}
    wanted = parse_filter("lowest >= 0 and average < 51", LAND, tuple(found.values()))
    assert wanted.matches(batch).tolist() == [True]
    assert "lowest" not in {measure.name for measure in counts(SYSTEM)}
