"""Locked corners: forced rolls put their heights back, searches pass over maps that change them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.forced_roll import force
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from tests.randomizer.batches.rolled import roll_batch
from tests.test_system.generator import generator_of
from tests.test_system.system import HEIGHT, SYSTEM

GRID = Grid(SQUARE, 4, 3)


def land() -> BattleMap:
    """Squares of height 7; the two in the top left corner of the map are locked."""
    layer = Layer(1, "Ground", planes={HEIGHT.name: np.full((4, 5), 7, HEIGHT.dtype)})
    battlemap = BattleMap.new(SYSTEM, GRID, [layer])
    locks = set_locks(battlemap, [0, 1], True)
    assert locks is not None
    locks.apply(battlemap)
    return battlemap


def test_a_forced_roll_keeps_the_heights_of_locked_corners() -> None:
    generator = generator_of("Hills", "ground Meadow\nhills 5000\n", "hills.tll", {})
    made = force(generator, {}, DrawKey(1, 2), Base.under(land(), 1))
    assert made is not None
    (layer,) = made.layers
    heights = layer.planes[HEIGHT.name]
    marks = layer.planes[TOUCHED + HEIGHT.name]
    locked = [(0, 0), (0, 1)]  # the only corners all of whose cells are locked
    assert [tuple(at) for at in np.argwhere(marks).tolist()] == locked
    assert all(heights[at] == 7 for at in locked)
    assert (heights != 7).sum() > 10
    assert made.forced_elements == ("corner 0, 0", "corner 1, 0")


def test_bases_differ_by_the_heights_of_locked_corners_only() -> None:
    def base(heights: dict[tuple[int, int], int]) -> Base:
        battlemap = land()
        rolled = Layer(2, "Rolled", planes={HEIGHT.name: np.full((4, 5), 9, HEIGHT.dtype)})
        for at, height in heights.items():
            rolled.planes[HEIGHT.name][at] = height
        battlemap.layers.append(rolled)
        return Base.under(battlemap, 1, 1)

    assert base({}).has_same_rolls(base({(2, 2): 4}))
    assert not base({}).has_same_rolls(base({(0, 1): 4}))


def test_a_batch_knows_which_maps_keep_the_heights_of_locked_corners() -> None:
    generator = generator_of("Hills", "ground Meadow\nhills 2\n", "hills.tll", {})
    base = replace(Base.under(land(), 1), shown=land().composite())
    base.shown.planes[HEIGHT.name] = np.ones((4, 5), HEIGHT.dtype)
    free = roll_batch(generator, {}, 3, np.arange(40, dtype=np.uint64), base.unlocked())
    batch = replace(free, base=base)
    heights = batch.others[HEIGHT.name]
    wanted = (heights[:, 0, 0] == 1) & (heights[:, 0, 1] == 1)
    assert batch.keeps_locks().tolist() == wanted.tolist()
    assert 0 < wanted.sum() < 40
