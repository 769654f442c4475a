"""Maps of a batch with what lies above the roll: each looks as the map will after its roll."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from randomizer.batches.batch import measure_of_map
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.counts import as_measure
from randomizer.batches.distribution import distribution_of
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.batches.map_stream import MapStream
from randomizer.batches.odds_table import odds_as_seen
from randomizer.batches.search import search_maps
from randomizer.batches.single_rolls import measured_values
from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.hand.targets import paint
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, LABELS
from randomizer.systems.colossus.generator import from_text
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from tests.randomizer.batches.rolled import roll_batch

SCRIPT = """\
AREA (anywhere) HAZARDS Bog,70. Tree,40.
AREA (anywhere) HAZARDS Plains,40.,60.,30. Lake,30.
PAIR (Plains,1) (Plains,0) HEXSIDES s,70.
"""
GENERATOR = from_text(SCRIPT, "Fen.rnd")
VOLCANO, TREE = map(SYSTEM.terrain_set.terrain_code, ("Volcano", "Tree"))
NUMBERS = np.arange(12, dtype=np.uint64)


def cells(*labels: str) -> np.ndarray:
    return np.sort(np.array([CELL_OF_HEX[LABELS.index(label)] for label in labels], np.intp))


def do(battlemap: BattleMap, edit) -> None:
    if edit is not None:
        edit.apply(battlemap)


def rolled_map(system=SYSTEM, generator=GENERATOR, grid=None) -> BattleMap:
    """A map with a layer of the hand, a roll on it, and an empty layer above."""
    battlemap = BattleMap.new(system, grid, layers=[Layer(1, "Ground"), Layer(2, "Signs")])
    made = run(generator, {}, DrawKey(3, 0), Base.under(battlemap, 1))
    do(battlemap, put_layers(battlemap, 1, made.layers, replaces=False).edit)
    return battlemap


def roll_id(battlemap: BattleMap) -> int:
    return next(layer.id for layer in battlemap.layers if layer.roll)


def base_of(battlemap: BattleMap) -> Base:
    places = parts_from(battlemap, roll_id(battlemap))
    return Base.under(battlemap, places[0], *places)


def after(battlemap: BattleMap, key: DrawKey, generator=GENERATOR):
    """What the map shows when its roll is replaced by another one."""
    result = battlemap.snapshot()
    made = run(generator, {}, key, base_of(battlemap).unlocked())
    do(result, put_layers(result, roll_id(result), made.layers, replaces=True).edit)
    return result.composite()


def touch(battlemap: BattleMap, plane: str, where, value: int) -> None:
    """Paint with the rolled layer active."""
    do(battlemap, paint(battlemap, roll_id(battlemap), plane, where, value))


def crowded_map() -> BattleMap:
    """Touched and erased values, a touched property, a layer above, a hidden one and one below."""
    battlemap = rolled_map()
    do(battlemap, set_values(battlemap, 1, "terrain", cells("A1", "B2", "C3"), TREE))
    touch(battlemap, "terrain", cells("A2", "B3", "D4"), VOLCANO)
    touch(battlemap, "elevation", cells("B3", "E1"), 2)
    touch(battlemap, "hexside", cells("C3") * 6, 3)
    unset = SYSTEM.plane("terrain").unset
    touch(battlemap, "terrain", cells("C3", "E2"), unset)
    do(battlemap, set_values(battlemap, 2, "terrain", cells("D4", "D5", "F1"), TREE))
    do(battlemap, set_values(battlemap, 2, "hexside", cells("D3") * 6, 1))
    do(battlemap, set_property(battlemap, roll_id(battlemap), "startlist", ("A1", "C3")))
    hidden = Layer(9, "Hidden", visible=False)
    battlemap.layers.append(hidden)
    do(battlemap, set_values(battlemap, 9, "terrain", cells("A3", "D2"), VOLCANO))
    return battlemap


def test_rows_look_as_the_map_will_after_that_roll():
    battlemap = crowded_map()
    base = base_of(battlemap)
    batch = roll_batch(GENERATOR, {}, 3, NUMBERS, base).as_seen(base)
    for row, number in enumerate(NUMBERS.tolist()):
        shown = after(battlemap, DrawKey(3, number))
        planes = batch.planes(row)
        for spec in SYSTEM.shown_planes:
            inside = cells(*LABELS)
            rows = shown.planes[spec.name].reshape(base.grid.size, -1)[inside]
            assert np.array_equal(planes[spec.name].reshape(base.grid.size, -1)[inside], rows)
    assert batch.start is not None
    listed = {tuple(np.sort(batch.cells[np.flatnonzero(row)])) for row in batch.start}
    assert listed == {tuple(cells("A1", "C3"))}


def test_batches_without_hexsides_and_maps_with_nothing_above_stay_as_they_are():
    base = base_of(crowded_map())
    plain = roll_batch(GENERATOR, {}, 3, NUMBERS, base, hexsides=False)
    assert plain.as_seen(base).hexside is None
    assert plain.as_seen(base.without_layers_above()) is plain
    bare = Base.under(BattleMap.new(SYSTEM), 0)
    assert bare.above is None


def test_tables_made_one_by_one_are_seen_with_what_lies_above():
    generator = generator_named("Cordery")
    battlemap = rolled_map(TABLE, generator, table_grid("hex", 4, 3))
    top = battlemap.layers[-1].id
    marsh = TABLE.terrain_set.terrain_code("Marsh")
    do(battlemap, set_values(battlemap, top, "terrain", np.array([0, 5], np.intp), marsh))
    touch(battlemap, "terrain", np.array([7], np.intp), marsh)
    base = base_of(battlemap)
    batch = roll_batch(generator, {}, 3, NUMBERS[:3], base).as_seen(base)
    for row, number in enumerate(NUMBERS[:3].tolist()):
        shown = after(battlemap, DrawKey(3, number), generator)
        planes = batch.planes(row)
        for name, values in shown.planes.items():
            assert np.array_equal(planes[name], values), name


def numbers_of(base: Base, text: str) -> tuple[int, ...]:
    search = search_maps(
        MapStream(GENERATOR, {}, base, 3), parse_filter(text, SYSTEM), budget=200, limit=200
    )
    while True:
        try:
            next(search)
        except StopIteration as end:
            return end.value.numbers


def test_a_search_filters_what_will_be_seen_and_conditions_on_what_is_rolled():
    battlemap = crowded_map()
    assert len(numbers_of(base_of(battlemap), "D4 = Tree and B3 = Volcano")) == 200
    # A layer above counts for the locks of the cells that it leaves free only.
    terrain = after(battlemap, DrawKey(3, 4)).planes["terrain"]
    free = next(label for label in LABELS if terrain.flat[cells(label)[0]] == TREE)
    lock = cells(free)
    value = int(terrain.flat[lock[0]])
    touch(battlemap, "terrain", lock, value)
    do(battlemap, set_locks(battlemap, lock, True))
    base = base_of(battlemap)
    batch = roll_batch(GENERATOR, {}, 3, np.arange(200, dtype=np.uint64), base)
    assert numbers_of(base, "count(Tree) >= 0") == tuple(np.flatnonzero(batch.keeps_locks()))
    assert 0 < batch.keeps_locks().sum() < 200


def test_distributions_measure_what_will_be_seen():
    base = base_of(crowded_map())
    volcanoes = as_measure(parse_quantity("count(Volcano)", SYSTEM))
    seen = distribution_of(MapStream(GENERATOR, {}, base, 0), [volcanoes], 50)
    alone = distribution_of(
        MapStream(GENERATOR, {}, base.without_layers_above(), 0), [volcanoes], 50
    )
    assert set(seen.values[0]) == {2.0}  # D4 is covered by a tree
    assert set(alone.values[0]) == {0.0}


def test_a_distribution_of_no_measures_counts_the_maps_all_the_same():
    distribution = distribution_of(MapStream(GENERATOR, {}, base_of(crowded_map()), 0), [], 50)
    assert distribution.values == ()
    assert distribution.count == distribution.tried == 50


@pytest.mark.parametrize("sides", [False, True])
def test_odds_as_seen_are_those_of_the_maps_as_seen(sides):
    base = base_of(crowded_map())
    table = GENERATOR.odds_of_maps({}, base, 4_000, sides=sides, sources=True)
    seen = odds_as_seen(table, base)
    for label, code in (("D4", TREE), ("A2", VOLCANO)):
        assert sum(c for (t, _e), c in seen.of(cells(label)[0]).items() if t == code) == (
            pytest.approx(1)
        )
        assert not all(t == code for t, _e in table.of(cells(label)[0]))
    inside = cells(*LABELS)
    assert seen.chances[inside].sum(axis=1) == pytest.approx(1)
    heights = {e for (_t, e) in seen.of(cells("E1")[0])}
    assert heights == {2}
    assert [stage.chances.shape[1] for stage in seen.stages] == [len(seen.states)] * len(
        table.stages
    )
    assert seen.sources.shape[:2] == seen.chances.shape
    full = cells("B3")[0]  # both planes come from above: no line of the script made them
    assert not seen.sources[full].any()
    if sides:
        assert seen.sides[int(cells("D3")[0]), 0] == {1: 1.0}
    assert odds_as_seen(table, base.without_layers_above()) is table


class _Counts(BatchGenerator):
    """Counts the things of a map."""

    def measures(self, _settings=None):
        return (measure_of_map("things", "Things", ""),)

    def measure_map(self, made, _base):
        return {"things": float(len(made.layers[0].things))}


def test_things_above_are_measured_with_those_of_the_roll_and_replace_those_with_their_key():
    battlemap = rolled_map()
    battlemap.layers[-1].things = Things(
        [Thing(1, "unit", 0, 0), Thing(2, "unit", 1, 1, key="first")]
    )
    base = base_of(battlemap)
    made = run(GENERATOR, {}, DrawKey(3, 1), base)
    first = made.layers[0].copy(
        things=Things([Thing(1, "unit", 2, 2, key="first"), Thing(2, "unit", 3, 3)])
    )
    made = replace(made, layers=(first, *made.layers[1:]))
    counting = _Counts()
    assert isinstance(counting, BatchGenerator)
    assert measured_values(counting, made, base) == {"things": 3.0}
    assert measured_values(counting, made, base.without_layers_above()) == {"things": 2.0}


def test_bases_are_seen_alike_only_with_the_same_above():
    battlemap = crowded_map()
    base = base_of(battlemap)
    assert base.has_same_rolls(base_of(battlemap))
    assert base.has_same_layers_above(base_of(battlemap))
    do(battlemap, set_values(battlemap, 2, "terrain", cells("F1"), VOLCANO))
    assert base.has_same_rolls(base_of(battlemap))  # the rolls are the same
    assert not base.has_same_layers_above(base_of(battlemap))
    battlemap.layer(2).things = Things([Thing(77, "unit", 0, 0)])
    assert not base.has_same_rolls(base_of(battlemap))  # they are measured among other things
