"""What is locked stays as it was when a map is rolled again, and no cliffs arise around it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.generator import Generating, MapGenerator
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import new_map, put_roll
from randomizer.model.settings.metadata import Metadata
from randomizer.model.things.things import Thing
from randomizer.roll_base import Base
from randomizer.systems.zeroad.map.locked_tiles import RING, blend_heights
from randomizer.systems.zeroad.map.map_data import Entity, MapData
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map_format.map_conversion import roll_result
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.zeroad.map_strategies import map_data

OAK = "gaia/tree/oak"
PINE = "gaia/tree/pine"


class _Fixed(MapGenerator):
    """A generator that returns these map data."""

    name = "Fixed"
    text = "fixed"
    system = SYSTEM
    settings = ()

    def __init__(self, data: MapData) -> None:
        self.metadata = Metadata("Fixed", "fixed.js", "")
        self._data = data

    def generate(self, _settings: object, key: DrawKey, base: Base) -> Generating:
        yield 50
        return roll_result(self._data, key, base)


def _rolled(data: MapData, base: Base) -> Generated:
    made = run(_Fixed(data), {}, DrawKey(1, 0), base)
    assert made is not None
    return made


def _first_map(data: MapData) -> BattleMap:
    base = Base.under(BattleMap.new(SYSTEM), 0)
    made = _rolled(data, base)
    return new_map(SYSTEM, base.grid, base.terrain_set, made)


def _roll_again(battlemap: BattleMap, data: MapData) -> None:
    made = _rolled(data, Base.under(battlemap, 0, 0))
    layer_id = battlemap.layers[0].id
    step = put_roll(battlemap, layer_id, made, replaces=True)
    step.edit.apply(battlemap)


def _looks(battlemap: BattleMap, cells: np.ndarray) -> list[object]:
    """Names of textures, priorities and the corners of cells."""
    planes = battlemap.composite().planes
    terrains = battlemap.terrain_set.terrains
    corners = corners_of(battlemap.grid, cells)
    return [
        [terrains[code].name for code in planes[TEXTURE.name].flat[cells]],
        planes[PRIORITY.name].flat[cells].tolist(),
        planes[HEIGHT.name].flat[corners.ravel()].tolist(),
    ]


def _trees(template: str, *places: tuple[float, float]) -> tuple[Entity, ...]:
    return tuple(Entity(150 + at, template, 0, x, z, 0.0) for at, (x, z) in enumerate(places))


@settings(max_examples=25, deadline=None)
@given(
    locked=st.sets(st.integers(0, 255), min_size=1, max_size=40),
    names=st.permutations(["medit_grass_field_a", "alpine_cliff_a", "moss", "temp_road", "sand"]),
    seed=st.integers(0, 99),
)
def test_locked_tiles_look_exactly_as_before(locked, names, seed):
    battlemap = _first_map(map_data(seed=seed))
    cells = np.array(sorted(locked))
    battlemap.locked_cells.flat[cells] = True
    before = _looks(battlemap, cells)
    second = map_data(seed=seed + 1000)
    second = MapData(16, second.heights, tuple(names), second.textures, second.priorities, ())
    _roll_again(battlemap, second)
    assert _looks(battlemap, cells) == before
    assert not any(terrain.missing for terrain in battlemap.terrain_set.terrains)
    assert [terrain.name for terrain in battlemap.terrain_set.terrains[:5]] == list(names)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), visible=st.booleans())
def test_locked_tiles_look_as_before_under_and_over_other_layers(seed, visible):
    draw = np.random.default_rng(seed)
    battlemap = _first_map(map_data(seed=seed))
    above = Layer(7, "Above", visible=visible)
    for spec, most in ((TEXTURE, 5), (PRIORITY, 9), (HEIGHT, 65536)):
        values = draw.integers(0, most, spec.shape(battlemap.grid))
        is_set = draw.random(values.shape) < 0.4
        above.planes[spec.name] = np.where(is_set, values, spec.unset).astype(spec.dtype)
    battlemap.layers.append(above)
    battlemap.locked_cells[:] = draw.random((16, 16)) < 0.3
    cells = np.flatnonzero(battlemap.locked_cells)
    before = _looks(battlemap, cells)
    _roll_again(battlemap, map_data(seed=seed + 1))
    assert _looks(battlemap, cells) == before


def test_what_stands_on_locked_tiles_stays_and_nothing_new_comes_there():
    battlemap = _first_map(map_data(entities=_trees(OAK, (2.5, 13.5), (8.5, 8.5))))
    battlemap.locked_cells[2, 2] = True
    _roll_again(battlemap, map_data(seed=5, entities=_trees(PINE, (2.2, 13.7), (12.5, 3.5))))
    placed = {(thing.kind, thing.x, thing.y) for thing in battlemap.visible_things()}
    assert placed == {(OAK, 2.0, 2.0), (PINE, 12.0, 12.0)}


def test_a_thing_that_a_hand_moved_onto_a_locked_tile_stays_too():
    battlemap = _first_map(map_data(entities=_trees(OAK, (8.5, 8.5))))
    (oak,) = battlemap.layers[0].things.values()
    moved = Thing(oak.id, OAK, 2.25, 2.0, touched=True)
    battlemap.layers[0].things.exchange([oak], [moved])
    battlemap.locked_cells[2, 2] = True
    _roll_again(battlemap, map_data(seed=5, entities=_trees(PINE, (12.5, 3.5))))
    placed = {(thing.kind, thing.x, thing.y) for thing in battlemap.visible_things()}
    assert placed == {(OAK, 2.25, 2.0), (PINE, 12.0, 12.0)}


def test_a_map_of_another_size_is_as_rolled():
    battlemap = _first_map(map_data())
    battlemap.locked_cells[2, 2] = True
    data = map_data(32)
    made = _rolled(data, Base.under(battlemap, 0, 0))
    assert made.grid is not None
    assert not made.notes
    assert (made.layers[0].planes[HEIGHT.name][0] == data.heights[-1]).all()


@settings(max_examples=30)
@given(data=st.data())
def test_around_kept_corners_heights_run_over_without_cliffs(data):
    draw = np.random.default_rng(data.draw(st.integers(0, 999)))
    rolled = draw.integers(20_000, 20_100, (25, 25)).astype("u4")
    lift = data.draw(st.integers(-20_000, 20_000))
    before = (rolled.astype("i8") + lift).astype("u4")
    kept = np.zeros(rolled.shape, bool)
    top = data.draw(st.integers(0, 20))
    left = data.draw(st.integers(0, 20))
    kept[top : top + data.draw(st.integers(2, 5)), left : left + data.draw(st.integers(2, 5))] = (
        True
    )
    made = blend_heights(rolled, before, kept)
    assert (made[kept] == before[kept]).all()
    # The rolled relief has steps below 100; the difference is shared by RING + 1 steps.
    most = 100 + abs(lift) / (RING + 1) + 1
    for axis in (0, 1):
        assert np.abs(np.diff(made.astype("i8"), axis=axis)).max() <= most
    rows, columns = np.nonzero(kept)
    near = np.zeros_like(kept)
    near[
        max(0, rows.min() - RING) : rows.max() + RING + 1,
        max(0, columns.min() - RING) : columns.max() + RING + 1,
    ] = True
    assert (made[~near] == rolled[~near]).all()


@settings(max_examples=30)
@given(seed=st.integers(0, 999))
def test_blended_heights_are_never_farther_from_the_roll_than_what_is_kept(seed):
    draw = np.random.default_rng(seed)
    rolled, before = draw.integers(0, 65536, (2, 17, 17)).astype("u4")
    kept = draw.random((17, 17)) < 0.1
    kept[0, 0] = True
    made = blend_heights(rolled, before, kept)
    change = made.astype("i8") - rolled
    above = (before.astype("i8") - rolled)[kept]
    assert (made[kept] == before[kept]).all()
    assert min(0, above.min()) <= change.min() <= change.max() <= max(0, above.max())
    assert made.max() <= 65535
