"""Odds counted on rolled maps, for generators without exact odds."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.sampled_odds import SampledOdds, odds_of
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import TERRAINS
from randomizer.systems.zeroad.generators.packaged import packaged
from randomizer.systems.zeroad.system import SYSTEM as SQUARES
from tests.randomizer.systems.cordery.built_tables import base_of

LAKE = TERRAINS.terrain_code("Lake")
BARE = {"hills": False, "rivers": 0, "roads": 0, "trees": False, "habitation": False}
LAKES: dict[str, object] = {**BARE, "fields": False, "lakes": True}


def test_a_table_counts_the_very_maps_that_are_rolled():
    base = base_of()
    generator = CorderyGenerator()
    table = SampledOdds(generator).odds_of_maps({"relief": "hilly"}, base, 20, seed=9)
    assert (table.samples, table.tried) == (20, 20)
    high = np.zeros(64)
    for number in range(20):
        made = run(generator, {"relief": "hilly"}, DrawKey(9, number), base)
        assert made is not None
        own = made.layers[0].planes
        hills = np.where(own["elevation"] > 0, own["elevation"], 0).ravel() > 0
        high += hills
    columns = [place for place, (_terrain, height) in enumerate(table.states) if height > 0]
    assert table.chances[:, columns].sum(axis=1) * 20 == pytest.approx(high)
    assert table.chances.sum(axis=1) == pytest.approx(np.ones(64))


def test_2_3_one_lake_comes_where_row_and_3d6_say():
    fixed = {**LAKES, "fixed": "lakes = 1; lake 1 row = 1"}
    table = odds_of(CorderyGenerator()).odds_of_maps(fixed, base_of(), 120)
    chances = table.chances[:, table.states.index((LAKE, 0))]
    assert chances.sum() == pytest.approx(1)
    likely = {"0302": 27 / 216, "0202": 27 / 216, "0301": 1 / 216}  # 3D6 = 11, 10, 3
    for name, chance in likely.items():
        found = chances[SYSTEM.cell_of_name(base_of().grid, name)]
        assert abs(found - chance) < 4 * table.error(chance)
    assert not chances[:2].any(), "3D6 are 3 at least"


def test_tables_come_soon_and_become_better():
    tables = list(SampledOdds(CorderyGenerator(), map_count=48).odds(LAKES, base_of()))
    assert [table.samples for table in tables] == [1, 2, 4, 8, 16, 32, 48]


def test_who_can_tell_the_odds_does():
    class Exact(CorderyGenerator, BatchGenerator):
        tells_odds = True

        def odds(self, *_what, **_more):
            """As ``BatchGenerator.odds``."""

    own = Exact()
    assert isinstance(own, BatchGenerator)
    assert odds_of(own) is own


def test_what_no_map_can_be_made_of_has_no_odds():
    with pytest.raises(ProblemError, match="there is no such area"):
        next(odds_of(CorderyGenerator()).odds({"fixed": "hill 1 at = 9999"}, base_of()))


def test_the_first_map_that_can_be_made_brings_the_grid():
    islands = packaged()[0]
    small = Base.under(BattleMap.new(SQUARES, Grid(SQUARE, 8, 8)), 0)

    class FailsAtFirst(type(islands)):
        def generate(self, settings, key, base):
            if key.number == 0:
                raise error("no-map", "not this one")
            return (yield from super().generate(settings, key, base))

    generator = copy(islands)
    generator.__class__ = FailsAtFirst
    table = SampledOdds(generator).odds_of_maps({}, small, 2)
    assert (table.samples, table.tried) == (1, 2)
    assert table.chances.shape[0] > small.grid.size


def test_a_script_that_brings_a_larger_grid_has_the_odds_of_that_grid():
    islands = packaged()[0]
    small = Base.under(BattleMap.new(SQUARES, Grid(SQUARE, 8, 8)), 0)
    table = SampledOdds(islands).odds_of_maps({}, small, 2)
    made = run(islands, {}, DrawKey(0, 0), small)
    assert made.grid.size > small.grid.size
    assert table.chances.shape[0] == made.grid.size
    assert np.allclose(table.chances.sum(axis=1), 1)
