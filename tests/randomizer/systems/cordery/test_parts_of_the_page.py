"""Parts of the page as layers: thrown again alone, locked, on top of painted cells."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.roll_base import Base
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM
from tests.randomizer.systems.cordery.built_tables import base_of, built

CHOSEN = {"relief": "hilly", "railways": 1, "lakes": True, "planted": "orchard"}


def rolled(base: Base, **chosen: object) -> Generated:
    made = run(CorderyGenerator(), {**CHOSEN, **chosen}, DrawKey(4, 0), base)
    assert made is not None
    return made


def planes_of(base: Base, layers: tuple[Layer, ...]) -> dict[str, list[int]]:
    shown = compose(SYSTEM, base.terrain_set, base.grid, [base.as_layer(), *layers]).planes
    return {name: plane.ravel().tolist() for name, plane in shown.items()}


@pytest.mark.parametrize("first", PARTS)
def test_a_part_rolled_again_on_what_the_parts_before_it_laid_gives_the_same(first: str) -> None:
    base = base_of("hex", 12, 10)
    whole = rolled(base)
    below = list(whole.layers[: PARTS.index(first)])
    beneath = Base.under(
        BattleMap.new(SYSTEM, base.grid, [Layer(99, "Table"), *below]), len(below) + 1
    )
    again = rolled(beneath, first=first)
    assert [layer.roll.part for layer in again.layers if layer.roll] == list(PARTS)[len(below) :]
    if first not in ("railways", "fields"):  # those ask which places touch by chance
        assert planes_of(beneath, again.layers) == planes_of(base, whole.layers)


def test_hand_work_below_stands_before_the_dice_are_thrown() -> None:
    base = base_of("square", 8, 8)
    ground = Layer(99, "Table")
    ground.planes["elevation"] = SYSTEM.plane("elevation").allocate(base.grid)
    ground.planes["elevation"].flat[[9, 10, 11]] = 2
    beneath = Base.under(BattleMap.new(SYSTEM, base.grid, [ground]), 1)
    made = rolled(beneath, fixed="hills = 5")
    elevation = np.array(planes_of(beneath, made.layers)["elevation"])
    assert (elevation > 0).sum() == 5, "three by hand, two by dice"
    assert elevation[[9, 10, 11]].tolist() == [2, 2, 2]


def test_the_dice_go_round_what_is_locked() -> None:
    base = base_of("hex", 9, 8)
    lake = SYSTEM.cell_of_name(base.grid, "0505")
    assert lake is not None
    shown = Layer(98, "Lake")
    shown.planes["terrain"] = SYSTEM.plane("terrain").allocate(base.grid)
    shown.planes["terrain"].flat[lake] = SYSTEM.terrain_set.terrain_code("Lake")
    battlemap = BattleMap.new(SYSTEM, base.grid, [Layer(99, "Table"), shown])
    battlemap.locked_cells.flat[lake] = True
    locked = Base.under(battlemap, 1, 1)
    for number in range(30):
        made = run(CorderyGenerator(), CHOSEN, DrawKey(4, number), locked)
        assert made is not None
        planes = planes_of(locked, made.layers)
        assert planes["terrain"][lake] == SYSTEM.terrain_set.terrain_code("Lake")
        assert not any(planes[name][lake] for name in ("elevation", "river", "road", "rail"))


def test_a_table_laid_over_itself_adds_only_what_the_dice_still_want() -> None:
    base = base_of("square", 8, 8)
    once = rolled(base, rivers=0, roads=0, railways=0)
    battlemap = BattleMap.new(SYSTEM, base.grid, [Layer(99, "Table"), *once.layers])
    twice = rolled(Base.under(battlemap, len(battlemap.layers)), rivers=0, roads=0, railways=0)
    hills = twice.layers[0]
    assert "elevation" not in hills.planes, "as many hills as the same dice say are there"


@pytest.mark.parametrize(
    "decision", ["hills = 7", "hill 1 at = 0505", "river 1 width = 2", "lakes = 2", "trees = 4"]
)
def test_what_a_hand_decides_leaves_the_other_dice_as_they_fell(decision: str) -> None:
    chosen = {**CHOSEN, "relief": "hilly"}
    as_they_fell = built(base_of("hex"), 5, **chosen).throws.scores
    decided = built(base_of("hex"), 5, **chosen, fixed=decision).throws.scores
    both = as_they_fell.keys() & decided.keys()
    assert len(both) > len(as_they_fell) / 2
    assert all(as_they_fell[name] == decided[name] for name in both)


def test_what_is_locked_lies_in_the_layer_of_its_kind() -> None:
    base = base_of("hex", 9, 8)
    whole = rolled(base)
    battlemap = BattleMap.new(SYSTEM, base.grid, [Layer(99, "Table"), *whole.layers])
    battlemap.locked_cells[:] = True
    locked = Base.under(battlemap, 1, *range(1, len(battlemap.layers)))
    again = run(CorderyGenerator(), CHOSEN, DrawKey(4, 77), locked)
    assert again is not None
    assert planes_of(locked, again.layers) == planes_of(base, whole.layers)
    for old, new in zip(whole.layers, again.layers, strict=True):
        for name in ("elevation", "rail", "terrain"):
            if name in old.planes:
                assert np.array_equal(new.planes[name], old.planes[name]), (old.name, name)
