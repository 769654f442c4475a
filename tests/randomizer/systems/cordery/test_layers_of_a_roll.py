"""The layers of one roll belong together: rolled in, thrown again, taken back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from randomizer.batches.counts import measures_of
from randomizer.batches.filters.parser import parse_filter
from randomizer.generator_run import run
from randomizer.model.edits.layer_edits import remove
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.rolled_layers import first_part, parts_from
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.roll_base import Base
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table_layers import initial_table
from tests.randomizer.batches.rolled import roll_batch
from tests.randomizer.systems.cordery.built_tables import base_of

CHOSEN: dict[str, object] = {"relief": "hilly", "lakes": True}


def layers(base: Base, number: int, **chosen: object) -> tuple[Layer, ...]:
    made = run(CorderyGenerator(), {**CHOSEN, **chosen}, DrawKey(3, number), base)
    assert made is not None
    return made.layers


def table() -> BattleMap:
    battlemap = BattleMap.new(SYSTEM, base_of("hex", 9, 8).grid, [Layer(1, "Table")])
    made = layers(Base.under(battlemap, 1), 0)
    put_layers(battlemap, 1, made, replaces=False).edit.apply(battlemap)
    return battlemap


def names(battlemap: BattleMap) -> list[str]:
    return [layer.name for layer in battlemap.layers]


def test_a_roll_of_several_layers_lies_above_the_active_one() -> None:
    battlemap = table()
    assert len({layer.id for layer in battlemap.layers}) == len(PARTS) + 1
    assert [layer.roll.part for layer in battlemap.layers if layer.roll] == list(PARTS)


def test_the_parts_of_a_roll_are_found_from_any_of_them() -> None:
    battlemap = table()
    roads = battlemap.layers[3]
    assert parts_from(battlemap, roads.id) == [3, 4, 5, 6, 7]
    assert first_part(battlemap, roads.id) == battlemap.layers[1].id
    assert parts_from(battlemap, 1) == [0]


def test_thrown_again_every_part_keeps_its_layer_and_undo_brings_all_back() -> None:
    battlemap = table()
    ids = [layer.id for layer in battlemap.layers]
    before = battlemap.snapshot()
    first = battlemap.layers[1].id
    base = Base.under(battlemap, 1, *parts_from(battlemap, first))
    step = put_layers(battlemap, first, layers(base, 1), replaces=True)
    step.edit.apply(battlemap)
    assert [layer.id for layer in battlemap.layers] == ids
    assert not battlemap.composite().same_as(before.composite())
    step.edit.inverse().apply(battlemap)
    assert battlemap.composite().same_as(before.composite())
    assert names(battlemap) == names(before)


def test_a_part_that_is_not_there_and_hand_work_come_with_ids_of_their_own() -> None:
    battlemap = table()
    remove(battlemap, battlemap.layers[-1].id).apply(battlemap)  # no fields any more
    first = battlemap.layers[1]
    edit = set_values(battlemap, first.id, "terrain", [0], SYSTEM.terrain_set.terrain_code("Lake"))
    assert edit is not None
    edit.apply(battlemap)
    base = Base.under(battlemap, 1, *parts_from(battlemap, first.id))
    put_layers(battlemap, first.id, layers(base, 1), replaces=True).edit.apply(battlemap)
    assert names(battlemap)[-2:] == ["Fields", TOUCH_UPS]
    assert len({layer.id for layer in battlemap.layers}) == len(battlemap.layers)


def test_one_part_and_what_follows_is_thrown_again_on_the_parts_before_it() -> None:
    battlemap = table()
    hills = {name: plane.copy() for name, plane in battlemap.layers[1].planes.items()}
    trees = next(layer for layer in battlemap.layers if layer.roll and layer.roll.part == "trees")
    base = Base.under(battlemap, battlemap.index_of(trees.id), *parts_from(battlemap, trees.id))
    made = layers(base, 0, first="trees", trees_again=1)
    put_layers(battlemap, trees.id, made, replaces=True).edit.apply(battlemap)
    assert [layer.roll.part for layer in battlemap.layers if layer.roll] == list(PARTS)
    for name, plane in battlemap.layers[1].planes.items():
        assert np.array_equal(plane, hills[name])


def test_a_part_alone_falls_as_it_did_with_the_whole_table() -> None:
    chosen = {"railways": 1, "detour": True, "planted": "orchard"}
    for number in range(6):
        battlemap = BattleMap.new(SYSTEM, base_of("square", 8, 8).grid, [Layer(1, "Table")])
        made = layers(Base.under(battlemap, 1), number, **chosen)
        put_layers(battlemap, 1, made, replaces=False).edit.apply(battlemap)
        whole = battlemap.composite()
        for place, kind in enumerate(PARTS, 1):
            layer = battlemap.layers[place]
            base = Base.under(battlemap, place, *parts_from(battlemap, layer.id))
            made = layers(base, number, **chosen, first=kind)
            put_layers(battlemap, layer.id, made, replaces=True).edit.apply(battlemap)
            assert battlemap.composite().same_as(whole), (number, kind)


TOUCHING = (
    "inhabited areas = 4; inhabited area 1 at = 0101; inhabited area 2 chain = 4; "
    "inhabited area 2 direction = 2; inhabited area 3 at = 0102; inhabited area 4 chain = 4; "
    "inhabited area 4 direction = 2; fields = 1"
)
ALONE: dict[str, object] = {"hills": False, "rivers": 0, "lakes": False, "roads": 0, "trees": False}


def touching_villages() -> BattleMap:
    """0101 and 0201 are a village, and below it 0102 and 0202 are another one; fields follow."""
    battlemap = BattleMap.new(SYSTEM, base_of("square", 8, 8).grid, [Layer(1, "Table")])
    made = layers(Base.under(battlemap, 1), 0, **ALONE, fixed=TOUCHING)
    put_layers(battlemap, 1, made, replaces=False).edit.apply(battlemap)
    return battlemap


def test_villages_that_touch_by_chance_are_two_when_the_fields_are_thrown_alone() -> None:
    battlemap = touching_villages()
    whole = battlemap.composite()
    fields = next(layer for layer in battlemap.layers if layer.roll and layer.roll.part == "fields")
    words = fields.roll.origins if fields.roll else ()
    base = Base.under(battlemap, 7, *parts_from(battlemap, fields.id))
    assert sorted(map(sorted, initial_table(base).places)) == [[0, 1], [8, 9]]
    (alone,) = layers(base, 0, **ALONE, fixed=TOUCHING, first="fields")
    assert alone.roll is not None
    assert any("The highest die first, fields go to " in line for line in words)
    assert list(alone.roll.origins) == [line for line in words if line.startswith("7")]
    put_layers(battlemap, fields.id, (alone,), replaces=True).edit.apply(battlemap)
    assert battlemap.composite().same_as(whole)


def test_what_a_hand_puts_beside_a_village_belongs_to_it_and_joins_no_two() -> None:
    battlemap = touching_villages()
    village = SYSTEM.terrain_set.terrain_code("Village")
    edit = set_values(battlemap, 1, "terrain", np.array([2, 10, 40]), village)
    assert edit is not None
    edit.apply(battlemap)
    places = initial_table(Base.under(battlemap, 6)).places
    assert sorted(map(sorted, places)) == [[0, 1, 2, 10], [8, 9], [40]]


def test_hand_work_in_any_part_moves_above_the_roll() -> None:
    battlemap = table()
    trees = next(layer for layer in battlemap.layers if layer.roll and layer.roll.part == "trees")
    edit = set_values(battlemap, trees.id, "terrain", np.array([5]), 3)
    assert edit is not None
    edit.apply(battlemap)
    assert TOUCHED + "terrain" in trees.planes
    first = battlemap.layers[1].id
    base = Base.under(battlemap, 1, *parts_from(battlemap, first))
    step = put_layers(battlemap, first, layers(base, 1), replaces=True)
    step.edit.apply(battlemap)
    assert names(battlemap)[-1] == TOUCH_UPS
    assert step.touch_ups == 1
    assert battlemap.composite().planes["terrain"].flat[5] == 3


def test_a_part_that_was_deleted_comes_back_with_the_next_throw() -> None:
    battlemap = table()
    del battlemap.layers[4]
    first = battlemap.layers[1].id
    base = Base.under(battlemap, 1, *parts_from(battlemap, first))
    put_layers(battlemap, first, layers(base, 1), replaces=True).edit.apply(battlemap)
    assert [layer.roll.part for layer in battlemap.layers if layer.roll] == list(PARTS)
    assert len({layer.id for layer in battlemap.layers}) == len(PARTS) + 1


def test_the_dice_go_round_what_a_locked_layer_holds() -> None:
    battlemap = table()
    hills = battlemap.layers[1]
    hills.locked = True
    before = {name: plane.copy() for name, plane in hills.planes.items() if name != "origin"}
    base = Base.under(battlemap, 1, *parts_from(battlemap, hills.id))
    put_layers(battlemap, hills.id, layers(base, 5), replaces=True).edit.apply(battlemap)
    again = battlemap.layers[1]
    assert again.locked
    for name, plane in before.items():
        there = plane != SYSTEM.plane(name).unset
        assert np.array_equal(again.planes[name][there], plane[there]), "every hill is still there"


def test_an_area_that_a_lock_keeps_empty_stays_empty_above_a_lake() -> None:
    battlemap = BattleMap.new(SYSTEM, base_of().grid, [Layer(1, "Table"), Layer(2, "Kept")])
    terrain = SYSTEM.terrain.allocate(battlemap.grid)
    lake = terrain.copy()
    lake.flat[20] = SYSTEM.terrain_set.terrain_code("Lake")
    battlemap.layers[0].planes["terrain"] = lake
    terrain.flat[20] = 0
    battlemap.layers[1].planes["terrain"] = terrain
    battlemap.locked_cells.flat[20] = True
    made = layers(Base.under(battlemap, 1, 1), 0)
    rolled = [layer.planes["terrain"] for layer in made if "terrain" in layer.planes]
    assert any(plane.flat[20] == 0 for plane in rolled)


def test_each_table_of_a_batch_is_the_one_that_its_number_makes() -> None:
    base = base_of("square", 8, 8)
    generator = CorderyGenerator()
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
    base = base_of("square", 8, 8)
    generator = CorderyGenerator()
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
