"""Symmetry as a setting of a roll: of every generator whose maps hold no starts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.batches.map_stream import MapStream
from randomizer.catalog.generators import generator_named, generators
from randomizer.forced_roll import can_be_forced, force
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.geometry.symmetric_sources import Sources
from randomizer.geometry.symmetry import best_centre, kinds
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import SYMMETRY, settings_for, without_symmetry
from randomizer.systems.cordery.dice_log import log_entries, table_rolls
from tests.daily import deep_but

OFFERED = [each for each in generators() if not each.system.has_starts]
KEY = DrawKey(7, 3)


def generator(name: str) -> MapGenerator:
    found = generator_named(name)
    assert found is not None
    return found


def rolled(name: str, base: Base, key: DrawKey = KEY, **chosen: object) -> Generated:
    made = run(generator(name), chosen, key, base)
    assert made is not None
    return made


def empty(name: str, grid: Grid | None = None) -> Base:
    system = generator(name).system
    return Base.under(BattleMap.new(system, grid or system.new_grid()), 0)


def shown(base: Base, made: Generated) -> Composite:
    known = made.terrain_set or base.terrain_set
    grid = made.grid or base.grid
    return compose(base.system, known, grid, made.layers)


def check_symmetric(base: Base, made: Generated, kind: str) -> None:
    """Every plane of every layer, and its things, are what one sector of it makes of them."""
    grid = made.grid or base.grid
    sources = Sources(base.system, grid, best_centre(grid, kind), 0.0)
    for layer in made.layers:
        specs = [base.system.plane(name) for name in layer.planes]
        for name, plane in sources.symmetric_planes(layer.planes, specs).items():
            assert (plane == layer.planes[name]).all(), (layer.name, name)
        stay, twins = sources.split_things(layer.things.values())
        points = {
            (round(thing.x, 3), round(thing.y, 3), thing.kind) for thing in layer.things.values()
        }
        assert len(stay) + len(twins) == len(layer.things)
        assert {(round(twin.x, 3), round(twin.y, 3), twin.kind) for twin in twins} <= points
        assert not any(name.startswith(TOUCHED) for name in layer.planes)


@pytest.mark.parametrize("own", OFFERED, ids=lambda each: each.name)
@settings(max_examples=3)
@given(data=st.data())
def test_the_rolls_of_every_generator_are_symmetric_where_asked_for(
    own: MapGenerator, data: st.DataObject
) -> None:
    base = empty(own.name)
    kind = data.draw(st.sampled_from([name for name, _words in kinds(base.grid)[1:]]))
    key = DrawKey(data.draw(st.integers(0, 999)), 0)
    made = rolled(own.name, base, key, symmetry=kind)
    check_symmetric(base, made, kind)
    again = rolled(own.name, base, key, symmetry=kind)
    assert shown(base, again).same_as(shown(base, made))
    assert {layer.roll.settings[SYMMETRY] for layer in made.layers if layer.roll} == {kind}


@pytest.mark.parametrize("layout", deep_but(LAYOUTS, FLAT), ids=lambda layout: layout.name)
def test_landscapes_are_symmetric_on_every_layout(layout) -> None:
    grid = Grid(layout, 30, 24)
    base = empty("Landscape", grid)
    twins = 0
    for kind, _words in kinds(grid)[1:]:
        made = rolled("Landscape", base, symmetry=kind)
        check_symmetric(base, made, kind)
        things = [thing for layer in made.layers for thing in layer.things.values()]
        assert len({thing.id for thing in things}) == len(things)
        twins += len(things)
    assert twins


@pytest.mark.parametrize("own", OFFERED, ids=lambda each: each.name)
def test_without_symmetry_a_roll_is_what_it_was(own: MapGenerator) -> None:
    base = empty(own.name)
    usual = rolled(own.name, base)
    off = rolled(own.name, base, symmetry="none")
    assert shown(base, usual).same_as(shown(base, off))
    assert not any(SYMMETRY in layer.roll.settings for layer in off.layers if layer.roll)


def test_where_the_values_come_from_is_turned_with_them() -> None:
    base = empty("Mountains")
    before, after = (
        rolled("Mountains", base, symmetry=kind).layers[0] for kind in ("none", "turn2")
    )
    hidden = [spec.name for spec in base.system.planes if not spec.shown]
    hidden = [name for name in hidden if name in after.planes]
    assert any((after.planes[name] != before.planes[name]).any() for name in hidden)
    assert after.roll is not None
    assert before.roll is not None
    assert after.roll.origins == before.roll.origins


def test_an_unknown_symmetry_and_one_that_the_grid_has_not_are_refused_in_words() -> None:
    base = empty("Landscape", Grid(FLAT, 8, 6))
    with pytest.raises(ProblemError, match="symmetry cannot be round"):
        rolled("Landscape", base, symmetry="round")
    with pytest.raises(ProblemError, match=r"cannot have the symmetry turn4 \(there are: none, "):
        rolled("Landscape", base, symmetry="turn4")


def test_locks_and_symmetry_exclude_each_other() -> None:
    base = empty("Mountains")
    base = replace(base, locked_cells=np.ones_like(base.locked_cells))
    with pytest.raises(ProblemError, match="cannot keep what is locked") as refused:
        rolled("Mountains", base, symmetry="turn2")
    assert not can_be_forced(refused.value.problems)
    with pytest.raises(ProblemError, match="cannot keep what is locked"):
        force(generator("Mountains"), {SYMMETRY: "turn2"}, KEY, base)


def test_maps_with_starts_are_not_offered_it() -> None:
    for own in generators():
        names = [each.name for each in settings_for(own)]
        assert (SYMMETRY in names) is not own.system.has_starts
    assert without_symmetry(generator("Fantasy").system, {SYMMETRY: 1}) == {SYMMETRY: 1}
    with pytest.raises(ProblemError, match="there is no setting symmetry"):
        checked_settings(settings_for(generator("Fantasy")), {SYMMETRY: "turn2"})


def test_many_maps_at_once_are_those_before_it() -> None:
    base = empty("Mountains")
    many = [MapStream(generator("Mountains"), each, base, 7) for each in ({}, {SYMMETRY: "turn2"})]
    first, second = ([*stream.blocks(range(20))] for stream in many)
    assert [(a.terrain == b.terrain).all() for a, b in zip(first, second, strict=True)] == [True]


def test_a_table_by_dice_has_its_log_all_the_same() -> None:
    base = empty("Cordery")
    made = rolled("Cordery", base, symmetry="turn2")
    layers = [replace(layer, id=number) for number, layer in enumerate(made.layers, 1)]
    battlemap = BattleMap.new(base.system, base.grid, layers)
    log = log_entries(table_rolls(battlemap, 1))
    assert len(log) > 5
    assert log[0].planes is not None
