"""What variations of a map keep, and how much they differ; checked cell by cell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.batches.batch import batch_of
from randomizer.catalog.generators import generator_named
from randomizer.generator import NO_MORE_MAPS
from randomizer.generator_run import run
from randomizer.geometry.auto_edges import EdgePlanes, fitting_edges
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import put_roll
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.colossus.fairness.measures import MEASURES
from randomizer.systems.colossus.system import GRID, SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import free_map
from randomizer.variations import annealing
from randomizer.variations.discs import LARGEST, discs_of
from randomizer.variations.generator import (
    VariationGenerator,
    setting_to_keep_things,
    variations_of,
)
from randomizer.variations.original import Original
from randomizer.variations.relief import Relief
from tests.randomizer.variations.few_moves import make_few_moves

PLAINS, TREE, BRAMBLES, LAKE = map(COLOSSUS.terrain_code, ("Plains", "Tree", "Brambles", "Lake"))
CLOSED = {TREE, LAKE}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    make_few_moves(monkeypatch, at_once=6)


def painted(battlemap: BattleMap, **planes: np.ndarray) -> BattleMap:
    """The map with these planes in its first layer."""
    for name, values in planes.items():
        spec = battlemap.system.plane(name)
        values = np.asarray(values).astype(spec.dtype).reshape(spec.shape(battlemap.grid))
        battlemap.layers[0].planes[name] = values
    return battlemap


def battleland(terrain: np.ndarray, elevation: np.ndarray, **planes: np.ndarray) -> BattleMap:
    empty = BattleMap.new(SYSTEM, GRID, [Layer(1, "Ground")])
    return painted(empty, terrain=terrain, elevation=elevation, **planes)


def base_of(battlemap: BattleMap) -> Base:
    return Base.under(battlemap, len(battlemap.layers))


def variations(battlemap: BattleMap, count: int = 2, seed: int = 5, **chosen: object) -> list:
    """The composites of the variations that there are, at most ``count``."""
    made = []
    base = base_of(battlemap)
    chosen = {"number": count, **setting_to_keep_things(battlemap), **chosen}
    for number in range(count):
        try:
            roll = run(VariationGenerator(battlemap.system), chosen, DrawKey(seed, number), base)
        except ProblemError as end:
            if end.problems[0].code != NO_MORE_MAPS:
                raise
            break
        layers = [base.as_layer(), *roll.layers]
        made.append(compose(base.system, base.terrain_set, base.grid, layers))
    return made


def looks(shown) -> list[tuple[int, int]]:
    """Terrain and elevation of each cell."""
    planes = (shown.planes[name].ravel().tolist() for name in ("terrain", "elevation"))
    return list(zip(*planes, strict=True))


def reach(battlemap: BattleMap, shown, start: list[int]) -> int:
    """How many open cells one comes to from these, step by step."""
    terrain = shown.planes["terrain"].ravel()
    seen = ahead = {cell for cell in start if terrain[cell] not in CLOSED}
    while ahead:
        near = {neighbour for cell in ahead for neighbour in battlemap.grid.neighbours(cell)}
        ahead = {cell for cell in near - seen if terrain[cell] not in CLOSED}
        seen = seen | ahead
    return len(seen)


def drops(battlemap: BattleMap, shown) -> list[int]:
    """The height of every edge between two cells, of those of two and more."""
    grid = battlemap.grid
    height = shown.planes["elevation"].ravel().tolist()
    pairs = (
        (cell, neighbour) for cell in grid.cells.tolist() for neighbour in grid.neighbours(cell)
    )
    return [abs(height[a] - height[b]) for a, b in pairs if abs(height[a] - height[b]) > 1]


@st.composite
def maps(draw: st.DrawFn) -> BattleMap:
    """Small maps of all layouts in four terrains and three elevations, some cells locked."""
    layout = draw(st.sampled_from(LAYOUTS))
    width = draw(st.integers(4, 6))
    height = draw(st.integers(4, 6))
    battlemap = free_map(layout, width, height, terrain_set=packaged_set(TITAN_HAZARDS))
    known = [battlemap.terrain_set.terrain_code(COLOSSUS.terrains[c].name) for c in (0, 1, 2, 8)]
    size = width * height
    cells = st.lists(st.sampled_from(known), min_size=size, max_size=size)
    heights = st.lists(st.sampled_from((0, 0, 1, 2)), min_size=size, max_size=size)
    battlemap = painted(battlemap, terrain=draw(cells), elevation=draw(heights))
    locked = draw(st.sets(st.integers(0, size - 1), max_size=4))
    edit = set_locks(battlemap, np.array(sorted(locked), np.intp), True)
    if edit is not None:
        edit.apply(battlemap)
    return battlemap


@settings(max_examples=5, deadline=None)
@given(maps(), st.integers(5, 30), st.integers(0, 99))
def test_locks_counts_ways_and_steps_stay_and_all_differ(battlemap, share, seed):
    shown = battlemap.composite(1)
    grid = battlemap.grid
    made = variations(battlemap, seed=seed, share=share)
    edges = [
        [cell for cell in range(grid.size) if grid.xy(cell)[axis] == end]
        for axis, end in ((0, 0), (1, 0), (0, grid.width - 1), (1, grid.height - 1))
    ]
    original = looks(shown)
    for one in made:
        locked = battlemap.locked_cells.ravel()
        assert all(a == b for a, b, kept in zip(looks(one), original, locked, strict=True) if kept)
        assert Counter(looks(one)) == Counter(original)
        assert len(drops(battlemap, one)) <= len(drops(battlemap, shown))
        assert max(drops(battlemap, one), default=0) <= max(drops(battlemap, shown), default=0)
        for edge in edges:
            assert reach(battlemap, one, edge) >= reach(battlemap, shown, edge)
    every = [original, *map(looks, made)]
    for number, one in enumerate(every):
        for other in every[:number]:
            different = sum(a != b for a, b in zip(one, other, strict=True))
            assert 100 * different >= share * grid.size
    again = variations(battlemap, seed=seed, share=share)
    assert [*map(looks, again)] == [*map(looks, made)]


HILL = np.zeros((6, 6), int)
HILL[2:4, 1:4] = 1


def test_hexsides_follow_from_heights_as_on_the_original():
    terrain = np.zeros((6, 6), int)
    terrain[1, 2] = terrain[4, 3] = BRAMBLES
    battlemap = battleland(terrain, HILL, hexside=np.zeros((6, 6, 6)))
    planes = EdgePlanes.of(SYSTEM, battlemap.composite(1))
    slopes, codes = fitting_edges(GRID, planes, COLOSSUS, GRID.cells)
    battlemap.layers[0].planes["hexside"].flat[slopes] = codes
    made = variations(battlemap)
    assert len(made) == 2
    for one in made:
        bare = EdgePlanes.of(SYSTEM, one)._replace(hexside=np.zeros((6, 6, 6), np.uint8))
        places, _codes = fitting_edges(GRID, bare, COLOSSUS, GRID.cells)
        assert np.array_equal(np.flatnonzero(one.planes["hexside"]), places)


def test_battlelands_are_as_fair_as_is_set_or_as_the_original():
    terrain = np.zeros((6, 6), int)
    terrain[2:4, 1:5] = BRAMBLES
    battlemap = battleland(terrain, HILL)
    fairness = next(each for each in MEASURES if each.name == "fairness")
    before = fairness.of(batch_of(SYSTEM, GRID, battlemap.composite(1)))[0]
    made = variations(battlemap, fairness=4, share=10)
    assert made
    for one in made:
        assert fairness.of(batch_of(SYSTEM, GRID, one))[0] <= max(4, before) + 1e-9


def test_ways_rivers_things_and_lone_hexsides_keep_their_cells():
    battlemap = free_map(FLAT, 8, 6, terrain_set=packaged_set(TITAN_HAZARDS))
    rng = np.random.default_rng(3)
    ways = battlemap.system.plane("way1").allocate(battlemap.grid)
    ways[2, 1] = 0b001000
    ways[3, 1] = 0b000001
    sides = np.zeros((6, 8, 6))
    sides[0, 5, 3] = 1
    terrain = rng.choice([PLAINS, PLAINS, BRAMBLES], (6, 8))
    terrain[0:2, 5] = PLAINS
    battlemap = painted(battlemap, terrain=terrain, elevation=np.zeros((6, 8)), way1=ways)
    battlemap = painted(battlemap, hexside=sides)
    x, y = battlemap.grid.centre(4 * 8 + 6)
    battlemap.layers[0].things = Things([Thing(1, "castle", x, y)])
    made = variations(battlemap)
    assert len(made) == 2
    kept = [2 * 8 + 1, 3 * 8 + 1, 4 * 8 + 6, 5, 8 + 5]
    for one in made:
        assert np.array_equal(one.planes["terrain"].ravel()[kept], terrain.ravel()[kept])
        assert np.array_equal(one.planes["hexside"], sides)
        assert np.array_equal(one.planes["way1"], battlemap.composite(1).planes["way1"])


def test_a_large_map_is_twirled_and_keeps_its_counts(monkeypatch):
    rng = np.random.default_rng(1)
    rough = rng.random((6, 6)).repeat(4, axis=0).repeat(4, axis=1)
    battlemap = free_map(FLAT, 24, 24, terrain_set=packaged_set(TITAN_HAZARDS))
    battlemap = painted(battlemap, terrain=np.where(rough > 0.5, BRAMBLES, PLAINS))
    made = variations(battlemap, 2)
    original = looks(battlemap.composite(1))
    assert made
    for one in made:
        assert Counter(looks(one)) == Counter(original)
        assert sum(a != b for a, b in zip(looks(one), original, strict=True)) >= 0.2 * 24 * 24


def test_no_move_on_a_hilly_map_makes_a_deeper_cliff():
    distance = np.abs(np.arange(24) - 12)
    heights = 2 * (12 - np.maximum.outer(distance, distance))
    battlemap = painted(free_map(FLAT, 24, 24), elevation=heights)
    original = Original(base_of(battlemap))
    chains = annealing.Annealing(original, 100, 1, annealing.Pace(2, 96, 8, 8))
    work = chains.run(range(8), original.looks[None])
    while True:
        try:
            next(work)
        except StopIteration as end:
            sources = end.value.sources
            break
    assert (original.looks[sources] != original.looks).any()
    relief = Relief(original)
    assert relief.drops(sources).deepest.max() <= relief.drops_of_original.deepest


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_motion_is_a_permutation(layout):
    battlemap = free_map(layout, 20, 20)
    original = Original(base_of(battlemap))
    all_discs = discs_of(original)
    for discs in all_discs:
        for motion in discs.motions:
            assert sorted(motion.tolist()) == list(range(discs.cells.shape[1]))
    assert len(all_discs) == LARGEST + 1


def refused(battlemap: BattleMap, **chosen: object) -> ProblemError:
    with pytest.raises(ProblemError) as refusal:
        run(variations_of(battlemap.system), chosen, DrawKey(1, 0), base_of(battlemap))
    return refusal.value


def test_what_cannot_be_met_is_said():
    terrain = np.zeros((6, 6), int)
    terrain[2, 2] = TREE
    text = str(refused(battleland(terrain, terrain * 0)))
    assert "20 % are 6 hexes" in text
    assert "27 are free" in text
    assert "2 can come to look different" in text


def test_cells_to_keep_that_are_not_there_are_told():
    assert "Z9" in str(refused(battleland(HILL, HILL), keep="C3, Z9"))


def test_a_very_large_map_is_refused():
    battlemap = free_map(FLAT, 200, 101)
    assert "20,000 hexes; this one has 20,200" in str(refused(battlemap))


def test_the_generator_is_found_by_its_name_and_needs_no_list():
    own = variations_of(SYSTEM)
    assert own is not None
    assert generator_named(own.name) is own


def test_a_variation_is_one_layer_above_the_original():
    battlemap = battleland(HILL * BRAMBLES, HILL)
    base = base_of(battlemap)
    roll = run(variations_of(SYSTEM), {"number": 1}, DrawKey(4, 0), base)
    put_roll(battlemap, 1, roll, replaces=False).edit.apply(battlemap)
    assert [layer.name for layer in battlemap.layers] == ["Ground", roll.layers[0].name]


def test_variations_are_made_anew_after_the_start_cells_have_changed():
    battlemap = battleland(np.zeros((6, 6), int), HILL)
    original = Original(base_of(battlemap), frozenset())
    battlemap.layers[0].properties[SYSTEM.cell_list.name] = ("A1",)
    with_start = Original(base_of(battlemap), frozenset())
    assert original.digest(b"") != with_start.digest(b"")
