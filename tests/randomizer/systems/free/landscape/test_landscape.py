"""What holds of every landscape: rivers, roads, shares, seams, locks, settings."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.catalog.generators import generator_named
from randomizer.generator_run import empty_map, run
from randomizer.geometry.flood import contiguous
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.landscape.drainage import drainage
from randomizer.systems.free.landscape.generator import packaged
from randomizer.systems.free.landscape.landscape import landscape
from randomizer.systems.free.landscape.settings import CHART, Choices
from randomizer.systems.free.landscape.terrain_names import SEAS
from randomizer.systems.free.misplaced import rivers_without_mouth
from randomizer.systems.free.packaged_sets import LANDSCAPE, packaged_set
from randomizer.systems.free.system import SYSTEM, free_map
from tests.daily import deep_but
from tests.randomizer.systems.free.landscape.rolled import (
    GENERATOR,
    Shown,
    empty_base,
    roll,
    size_settings,
)

FORM_WORDS = {
    "Peaks",
    "Mountains",
    "Range",
    "Heights",
    "Horns",
    "Lake",
    "Mere",
    "Water",
    "Sea",
    "of",
    "Deep",
}
"""The words that names of areas share."""

NAMES = [layout.name for layout in LAYOUTS]


def finished(steps):
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_the_catalogue_has_it_under_its_name():
    assert type(generator_named("landscape")) is type(GENERATOR)


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.integers(20, 90),
    st.sampled_from(["open", "sea"]),
    st.sampled_from(["west", "east", "north", "south"]),
)
def test_ways_answer_and_rivers_run_down_to_water_or_off_the_map(
    layout, wrap, seed, land, rim, wind
):
    chosen = {"width": 40, "height": 26, "layout": layout, "wrap": wrap, "land": land}
    _made, battlemap = roll({**chosen, "rim": rim, "wind": wind}, seed)
    shown = Shown(battlemap)
    grid = shown.grid
    for way in ("River", "Road", "Track"):
        for cell, side, other in shown.links(way):
            if other >= 0:
                assert shown.ways[way][other] >> grid.opposite(side) & 1, (way, cell, side)
            else:
                assert way == "River"
    for cell, _side, other in shown.links("River"):
        assert other < 0 or not (shown.water[cell] and shown.water[other])
    for way in ("Road", "Track"):
        assert not (shown.ways[way][shown.water] > 0).any()
    assert_rivers_end(shown)


def assert_rivers_end(shown):
    """From each cell of a river a link leads to water, off the map, or to land no higher."""
    ends = np.zeros(shown.grid.size, np.bool_)
    for cell, _side, other in shown.links("River"):
        down = other < 0 or shown.water[other]
        ends[cell] |= down or shown.elevation[other] <= shown.elevation[cell]
    assert ends[(shown.ways["River"] > 0) & ~shown.water].all()


@pytest.mark.parametrize("layout", NAMES)
def test_water_flows_down_and_gets_wider_until_it_is_in_water_or_off_the_map(layout):
    """Water flows on from each cell of a river, and down, until it is in water or off the map."""
    shown = Shown(roll({"width": 60, "height": 40, "layout": layout, "rivers": 20}, 3)[1])
    for start in np.flatnonzero((shown.ways["River"] > 0) & ~shown.water).tolist():
        cell = start
        steps = 0
        while cell >= 0 and (cell == start or not shown.water[cell]):
            side = int(shown.flow[cell]).bit_length() - 1
            assert shown.flow[cell] == 1 << side
            assert shown.ways["River"][cell] >> side & 1
            other = shown.grid.neighbour(cell, side)
            if other >= 0 and not shown.water[other]:
                assert shown.elevation[other] <= shown.elevation[cell]
                assert shown.width[other] >= shown.width[cell]
            cell = other
            steps = steps + 1
            assert steps < shown.grid.size


def test_rivers_rise_in_hills_and_apart_from_each_other():
    """No river rises in a desert, most do in hills, and few beside a river that they do not join.

    Without the joining of rivers a third of them do, like the teeth of a comb.
    """
    terrains = []
    source_count_beside = 0
    for seed in range(6):
        shown = Shown(roll({"width": 60, "height": 40, "towns": 0, "roads": False}, seed)[1])
        is_river = (shown.ways["River"] > 0) & ~shown.water
        for source in np.flatnonzero(is_river).tolist():
            if shown.ways["River"][source].bit_count() > 1:
                continue
            terrains.append(shown.terrain[source])
            side_below = int(shown.flow[source]).bit_length() - 1
            for side in range(shown.grid.degree):
                neighbour = shown.grid.neighbour(source, side)
                if side != side_below and neighbour >= 0 and is_river[neighbour]:
                    source_count_beside += 1
                    break
    assert len(terrains) > 80
    assert not {"Desert", "Badlands"} & set(terrains)
    hilly_count = sum(terrain in ("Hills", "Mountains", "High mountains") for terrain in terrains)
    assert hilly_count > len(terrains) / 2
    assert source_count_beside < len(terrains) / 8


@pytest.mark.parametrize("land", [10, 45, 80, 100])
def test_the_share_of_land_is_the_chosen_one(land):
    shown = Shown(roll({"width": 60, "height": 40, "land": land, "warmth": 70})[1])
    assert 100 * (~shown.water).mean() == pytest.approx(land, abs=4.5)


@pytest.mark.parametrize("seed", range(6))
def test_a_usual_map_has_many_terrains_towns_rivers_and_roads(seed):
    made, battlemap = roll({"width": 60, "height": 40}, seed)
    shown = Shown(battlemap)
    assert len(set(shown.terrain)) >= 8
    assert (shown.ways["River"] > 0).sum() > 40
    assert ((shown.ways["Road"] > 0) | (shown.ways["Track"] > 0)).sum() > 20
    kinds = Counter(thing.kind for thing in made.layers[0].things.values())
    assert kinds["town"] >= 5
    assert kinds["city"] >= 1
    assert set(kinds) <= {kind.name for kind in SYSTEM.thing_kinds(battlemap)}
    assert all(thing.label for thing in made.layers[0].things.values())


def test_towns_lie_where_towns_lie():
    shown = Shown(roll({"width": 120, "height": 90})[1])
    towns = np.flatnonzero(np.isin(shown.terrain, ["Built-up area", "Dense built-up area"]))
    assert len(towns) > 20
    at_water = [
        shown.ways["River"][cell] > 0 or any(shown.water[shown.grid.neighbours(cell)])
        for cell in towns.tolist()
    ]
    assert np.mean(at_water) > 0.7
    joined = (shown.ways["Road"][towns] > 0) | (shown.ways["Track"][towns] > 0)
    assert joined.mean() > 0.7


def test_mountains_are_high_and_deserts_dry_and_ice_is_in_the_north():
    shown = Shown(roll({"width": 120, "height": 90})[1])
    mean = {name: shown.elevation[shown.terrain == name].mean() for name in set(shown.terrain)}
    assert mean["High mountains"] > mean["Mountains"] > mean["Hills"] > mean["Grassland"]
    rows = np.arange(shown.grid.size) // shown.grid.width
    assert rows[shown.terrain == "Snow"].mean() < 40 < rows[shown.terrain == "Jungle"].mean()


@pytest.mark.parametrize("layout", [FLAT, POINTY, SQUARE])
def test_the_seam_of_a_round_world_is_no_rim(layout):
    grid = Grid(layout, 48, 30, wrap=True)
    base = empty_base(grid)
    choices = Choices.of({})
    key = DrawKey(3, 1)
    plain = finished(landscape(choices, key, base, grid)).layers[0].planes
    turned = finished(landscape(choices, key, base, grid, shift=14)).layers[0].planes
    for name in ("terrain", "elevation", "way1", "way2", "way4"):
        same = np.roll(plain[name], 14, axis=1) == turned[name]
        assert same.mean() > 0.99, name  # but for sums that are rounded otherwise


def test_the_seam_of_a_round_world_is_like_any_other_column():
    steps = []
    for seed in range(8):
        shown = Shown(roll({"width": 60, "height": 40, "wrap": True}, seed)[1])
        rows = shown.elevation.reshape(40, 60).astype(int)
        steps.append(np.abs(np.roll(rows, -1, axis=1) - rows).mean(axis=0))
    mean = np.mean(steps, axis=0)
    assert mean[-1] < mean.mean() * 1.6


def test_the_same_key_makes_the_same_map_and_another_number_another():
    first, again, other = (
        roll({"width": 30, "height": 20}, 9, number=n)[0].layers[0] for n in (4, 4, 5)
    )
    assert all(np.array_equal(first.planes[name], again.planes[name]) for name in first.planes)
    assert dict(first.things) == dict(again.things)
    assert not np.array_equal(first.planes["terrain"], other.planes["terrain"])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 999), st.sampled_from(NAMES), st.booleans())
def test_what_is_locked_stays_and_ways_beside_it_answer(seed, layout, wrap):
    _made, battlemap = roll({"width": 24, "height": 16, "layout": layout, "wrap": wrap}, 77)
    battlemap.locked_cells[4:11, 5:17] = True
    base = Base.under(battlemap, 0, 0)
    made, _map = roll({}, seed, base)
    assert made.notes[-1].code == "locked-kept"
    after = BattleMap.new(SYSTEM, battlemap.grid, made.layers, battlemap.terrain_set)
    before = Shown(battlemap)
    after = Shown(after)
    locked = battlemap.locked_cells.reshape(-1)
    assert (before.terrain[locked] == after.terrain[locked]).all()
    assert (before.elevation[locked] == after.elevation[locked]).all()
    for way in ("River", "Road", "Track"):
        assert (before.ways[way][locked] == after.ways[way][locked]).all()
        for _cell, side, other in after.links(way):
            assert other < 0 or after.ways[way][other] >> after.grid.opposite(side) & 1
    assert (before.terrain != after.terrain).any()


def _jumps(after: Shown, locked) -> tuple[float, int]:
    """Between kept and rolled land: the mean step, and how many times a range stands in water."""
    steps = []
    drowned = 0
    for cell in np.flatnonzero(locked).tolist():
        for side in range(after.grid.degree):
            other = after.grid.neighbour(cell, side)
            if other < 0 or locked[other]:
                continue
            if not after.water[cell] and not after.water[other]:
                steps.append(abs(int(after.elevation[cell]) - int(after.elevation[other])))
            mountains = after.terrain[cell] in ("Mountains", "High mountains")
            drowned += mountains and after.water[other]
    return float(np.mean(steps or [0])), drowned


def _free_of_blending(monkeypatch):
    # How it would be without, to compare.
    name = "randomizer.systems.free.landscape.landscape.locked_ground"
    monkeypatch.setattr(name, lambda *_: None)


@pytest.mark.parametrize("layout", deep_but(NAMES, "square"))
def test_the_land_around_kept_cells_leads_to_them(layout, monkeypatch):
    _made, battlemap = roll({"width": 40, "height": 28, "layout": layout, "relief": 80}, 77)
    high = Shown(battlemap).terrain == "Mountains"
    battlemap.locked_cells.reshape(-1)[high] = True
    base = Base.under(battlemap, 0, 0)

    def jumps() -> tuple[float, int]:
        steps = 0.0
        drowned = 0
        for seed in range(6):
            made, _map = roll({"relief": 80}, seed, base)
            after = BattleMap.new(SYSTEM, battlemap.grid, made.layers, battlemap.terrain_set)
            step, count = _jumps(Shown(after), high)
            steps += step / 6
            drowned += count
        return steps, drowned

    blended = jumps()
    _free_of_blending(monkeypatch)
    broken_off = jumps()
    assert blended[0] < 0.7 * broken_off[0]
    assert blended[1] < 0.3 * broken_off[1]


def test_masked_cells_are_no_part_of_it():
    mask = np.ones((20, 30), np.bool_)
    mask[:, :8] = mask[5:9, 12:20] = False
    made, battlemap = roll({}, 4, empty_base(Grid(FLAT, 30, 20, mask)))
    planes = made.layers[0].planes
    assert all((planes[name][~mask] == SYSTEM.plane(name).unset).all() for name in planes)
    assert (planes["terrain"][mask] != SYSTEM.terrain.unset).all()
    assert_rivers_end(Shown(battlemap))


def test_a_hollow_in_land_that_holes_part_from_all_water_becomes_the_end_of_its_rivers():
    # A row of cells: the sea and its shore, then a piece of its own whose middle is the lowest.
    table = np.full((5, 4), -1, np.int32)
    for cell, neighbour in ((0, 1), (2, 3), (3, 4)):
        table[cell, 1] = neighbour
        table[neighbour, 3] = cell
    sea = np.array([True, False, False, False, False])
    heights = np.array([0.0, 1.0, 2.0, 1.0, 2.0])
    flow = drainage(heights, sea, np.zeros(5, np.bool_), table)
    assert flow.receiver.tolist() == [0, 0, 3, 3, 3]
    assert flow.level.tolist() == heights.tolist()


def test_a_map_with_other_terrains_gets_those_of_landscapes():
    base = Base.under(BattleMap.new(SYSTEM, Grid(FLAT, 20, 14), [Layer(1, "")], COLOSSUS), 1)
    made, battlemap = roll({}, 1, base)
    assert made.terrain_set == battlemap.terrain_set
    assert made.terrain_set.name == "Landscape"


def test_a_map_that_has_all_terrains_keeps_its_own():
    known = packaged_set(LANDSCAPE)
    own = TerrainSet(
        "Mine", tuple(reversed(known.terrains)), (), known.elevations, known.ways[::-1]
    )
    base = Base.under(BattleMap.new(SYSTEM, Grid(FLAT, 20, 14), [Layer(1, "")], own), 1)
    made, battlemap = roll({}, 1, base)
    assert made.terrain_set is None
    usual = Shown(roll({"width": 20, "height": 14}, 1)[1])
    mine = Shown(battlemap)
    assert (usual.terrain == mine.terrain).all()
    assert (usual.ways["River"] == mine.ways["River"]).all()


def test_the_chart_decides_the_terrain():
    chart = '[{"terrain": "Heath", "low": 50}, {"terrain": "Swamp"}]'
    chosen = {"width": 40, "height": 30, "chart": chart, "towns": 0, "land": 80}
    shown = Shown(roll(chosen)[1])
    land = set(shown.terrain[~shown.water]) - {"Beach", "Volcano"}
    assert land == {"Heath", "Swamp"}
    mean = {name: shown.elevation[shown.terrain == name].mean() for name in land}
    assert mean["Heath"] > mean["Swamp"]


def test_a_chart_with_a_terrain_of_a_map_that_lacks_others_says_what_the_map_lacks():
    base = Base.under(BattleMap.new(SYSTEM, Grid(FLAT, 20, 14), [Layer(1, "")], COLOSSUS), 1)
    with pytest.raises(ProblemError, match="Plains is a terrain of the map, but the map has no"):
        roll({"chart": '[{"terrain": "Plains"}]'}, 1, base)


def test_none_of_what_is_switched_off():
    chosen = {"width": 40, "height": 30, "rivers": 0, "towns": 0, "names": False}
    made, battlemap = roll(chosen)
    shown = Shown(battlemap)
    assert not any(links.any() for links in shown.ways.values())
    assert not made.layers[0].things
    assert not {"Built-up area", "Dense built-up area"} & set(shown.terrain)


def test_a_river_longer_than_its_share_of_small_land_is_not_left_out():
    shown = Shown(roll({"width": 14, "height": 10, "towns": 0, "land": 40}, 7)[1])
    assert shown.ways["River"].any()


def test_so_many_towns_as_chosen():
    shown = Shown(roll({"width": 60, "height": 40, "towns": 7})[1])
    assert np.isin(shown.terrain, ["Built-up area", "Dense built-up area"]).sum() == 7


@pytest.mark.parametrize("setting", ["land", "pieces", "relief", "warmth", "rain", "rivers"])
@pytest.mark.parametrize("end", [0, 1])
def test_both_ends_of_a_setting_make_maps(setting, end):
    described = next(each for each in GENERATOR.settings if each.name == setting)
    value = (described.minimum, described.maximum)[end]
    shown = Shown(roll({"width": 24, "height": 18, setting: value})[1])
    assert len(set(shown.terrain)) > 1


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"width": "wide"}, "width is a whole number, not wide"),
        ({"width": 2000, "height": 2000}, "at most 1,000,000 cells"),
        ({"width": 3, "height": 9}, "width cannot be 3"),
        ({"width": 61, "height": 40, "wrap": True}, "even in number: 60 or 62"),
        ({"layout": "round"}, "layout cannot be round"),
        ({"land": 0}, "land cannot be 0"),
        ({"chart": '[{"terrain": "Cheese"}]'}, "no terrain Cheese"),
        ({"chart": '[{"low": 4}]'}, "line 1 names no terrain"),
    ],
)
def test_impossible_settings_are_refused_in_words(chosen, message):
    base = empty_base(Grid(FLAT, 10, 8))
    with pytest.raises(ProblemError, match=message):
        run(GENERATOR, chosen, DrawKey(1, 0), base)


def test_the_usual_chart_is_that_of_the_form():
    assert Choices.of({}).chart == CHART


def test_it_can_be_cancelled_and_says_how_far_it_is():
    seen = []
    base = empty_base(Grid(FLAT, 60, 40))
    assert run(GENERATOR, {}, DrawKey(1, 0), base, seen.append) is not None
    assert seen == sorted(seen)
    assert len(seen) > 8
    assert (seen[0] >= 1, seen[-1]) == (True, 100)
    assert run(GENERATOR, {}, DrawKey(1, 0), base, cancelled=lambda: True) is None


@pytest.mark.parametrize("generator", packaged(), ids=lambda generator: generator.name)
def test_each_kind_of_landscape_has_its_own_share_of_land_and_takes_any_setting(generator):
    usual = {setting.name: setting.default for setting in generator.settings}
    empty = free_map(FLAT, 40, 30)
    base = Base.under(empty, len(empty.layers))
    for chosen, land in (({}, usual["land"]), ({"land": 60}, 60)):
        generated = run(generator, chosen, DrawKey(3, 0), base)
        names = [terrain.name for terrain in empty.terrain_set.terrains]
        seas = [names.index(name) for name in SEAS]
        is_sea = np.isin(generated.layers[0].planes["terrain"], seas)
        assert 100 * (1 - is_sea.mean()) == pytest.approx(land, abs=8)


def _ends_beside(after: Shown, locked, way) -> list[int]:
    """The cells of land and no town beside locked ones in which a way ends.

    A river ends where its water does; a road where it has a single arm, which leads into the lock,
    and does not become a track.
    """
    ends = []
    for cell in np.flatnonzero(~locked & (after.ways[way] > 0) & ~after.water).tolist():
        if after.terrain[cell] in ("Built-up area", "Dense built-up area"):
            continue
        arms = []
        for side in range(after.grid.degree):
            if after.ways[way][cell] >> side & 1:
                arms.append(after.grid.neighbour(cell, side))
        leads_into_lock = any(arm >= 0 and locked[arm] for arm in arms)
        becomes_track = after.ways["Track"][cell] > 0
        if way == "River":
            is_end = not after.flow[cell]
        else:
            is_end = len(arms) == 1 and leads_into_lock and not becomes_track
        if is_end:
            ends.append(cell)
    return ends


def _is_river_dry(after: Shown, cell: int) -> bool:
    """Whether water from a cell comes to neither water nor the edge of the map."""
    for _step in range(after.grid.size):
        if after.water[cell]:
            return False
        (side,) = [side for side in range(after.grid.degree) if after.flow[cell] >> side & 1]
        cell = after.grid.neighbour(cell, side)
        if cell < 0:
            return False
    return True


@pytest.mark.parametrize("layout", deep_but(NAMES, "flat"))
def test_rivers_and_roads_go_on_from_the_border_of_a_lock(layout):
    _made, battlemap = roll({"width": 40, "height": 28, "layout": layout}, 77)
    battlemap.locked_cells[8:18, 10:26] = True
    locked = battlemap.locked_cells.reshape(-1)
    base = Base.under(battlemap, 0, 0)
    before = Shown(battlemap)
    crossings = 0
    for seed in range(8):
        made, _map = roll({}, seed, base)
        terrain_set = made.terrain_set or battlemap.terrain_set
        after = Shown(BattleMap.new(SYSTEM, battlemap.grid, made.layers, terrain_set))
        assert not _ends_beside(after, locked, "River")
        told_roads = [note for note in made.notes if note.code == "roads-end"]
        assert not _ends_beside(after, locked, "Road") or told_roads
        for cell, side, other in before.links("River"):
            flows_out = before.flow[cell] >> side & 1
            if locked[cell] and other >= 0 and not locked[other] and flows_out:
                crossings += 1
                assert not _is_river_dry(after, other)
    assert crossings or layout != "flat"


def test_a_lake_that_drains_into_a_lock_is_no_end_of_the_river_that_comes_from_it():
    """The river would flow in a circle; each of these rolls went on for ever."""
    inland = generator_named("Inland landscape")
    size = {"width": 12, "height": 24}
    empty = BattleMap.new(SYSTEM, inland.grid(size), [Layer(1, "")], packaged_set(LANDSCAPE))
    first_roll = run(inland, size, DrawKey(986431, 0), Base.under(empty, 1))
    battlemap = new_map(SYSTEM, empty.grid, empty.terrain_set, first_roll)
    battlemap.locked_cells[:, 6:9] = True
    base = Base.under(battlemap, 0, 0)
    for number in range(1, 4):
        made = run(inland, size, DrawKey(986431, number), base)
        assert made.layers


@pytest.mark.parametrize("kind", packaged(), ids=lambda generator: generator.name)
@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 25), marks=pytest.mark.deep)])
def test_rivers_beside_scattered_locks_never_flow_in_a_circle(kind, seeds):
    size = {"width": 20, "height": 15}
    empty = BattleMap.new(SYSTEM, kind.grid(size), [Layer(1, "")], packaged_set(LANDSCAPE))
    for seed in seeds:
        first_roll = run(kind, size, DrawKey(seed, 0), Base.under(empty, 1))
        battlemap = new_map(SYSTEM, empty.grid, empty.terrain_set, first_roll)
        dice = np.random.default_rng(seed)
        battlemap.locked_cells[:] = dice.random(battlemap.locked_cells.shape) < 0.2
        # ``drain_ends`` raises ValueError for a circle.
        assert run(kind, size, DrawKey(seed, 1), Base.under(battlemap, 0, 0))


@pytest.mark.parametrize(
    ("name", "size", "seed", "number", "lock"),
    [
        ("Inland landscape", "24x18", 617613, 1, (slice(15, 18), slice(7, 16))),
        ("Inland landscape", "24x18", 617613, 3, (slice(15, 18), slice(7, 16))),
        ("Northern landscape", "60x40", 348856, 1, (slice(32, 40), slice(59, 60))),
    ],
)
def test_a_river_out_of_the_lock_flows_neither_back_nor_ends_at_its_edge(
    name, size, seed, number, lock
):
    generator = generator_named(name)
    chosen = size_settings(size)
    empty = Base.under(empty_map(generator, chosen), 0)
    first = run(generator, chosen, DrawKey(seed, 0), empty)
    below = new_map(SYSTEM, empty.grid, empty.terrain_set, first)
    locked_cells = np.zeros_like(empty.locked_cells)
    locked_cells[lock] = True
    base = replace(empty, shown=below.composite(), locked_cells=locked_cells)
    made = run(generator, chosen, DrawKey(seed, number), base)
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, made)
    assert not rivers_without_mouth(battlemap, battlemap.composite())


@pytest.mark.parametrize("seed", [1, 3, 5, 8])
def test_the_name_of_a_lake_stands_on_water_alone(seed):
    made, battlemap = roll({"width": 40, "height": 30, "land": 90, "rain": 70}, seed)
    shown = Shown(battlemap)
    grid = battlemap.grid
    lakes = []
    for thing in made.layers[0].things.values():
        area = contiguous(grid, shown.water.copy(), grid.cell_at(thing.x, thing.y))
        if thing.kind == "water" and len(area) < 30:
            lakes.append(thing)
    assert lakes
    for lake in lakes:
        size = float(lake.state.get("size", 0.55)) * grid.layout.neighbour_distance
        letter_width = 0.9 if lake.state.get("spaced", True) else 0.6
        along = np.linspace(-0.5, 0.5, 25) * letter_width * len(lake.label) * size
        turn = math.radians(lake.angle)
        points = np.stack(
            [lake.x + along * math.cos(turn), lake.y + along * math.sin(turn)], axis=1
        )
        assert shown.water[grid.cells_at(points)].all(), lake.label


@pytest.mark.parametrize("seed", range(6))
def test_no_name_begins_like_another_or_like_a_kept_one(seed):
    empty = empty_base(GENERATOR.grid({}))
    for kept_names in ((), ("Cronequay", "Hazelbury")):
        made, _battlemap = roll(seed=seed, base=replace(empty, kept_names=kept_names))
        labels = [thing.label for thing in made.layers[0].things.values()]
        words = [word for label in [*labels, *kept_names] for word in label.split()]
        starts = [word[:4] for word in words if word not in FORM_WORDS]
        assert len(starts) > 5
        assert len(set(starts)) == len(starts)
