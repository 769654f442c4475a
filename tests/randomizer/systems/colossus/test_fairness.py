"""Attacker against defender: who is first where, what hexes are worth, and the measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.batches.batch import Measure, batch_of
from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.distribution import Distribution, distribution_of
from randomizer.batches.map_stream import MapStream
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import fairness_model_of, system_named
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.roll_base import Base
from randomizer.systems.colossus.battle_terrain import OUTSIDE, Battleland
from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    GRID,
    HEX_COUNT,
    HEX_OF_LABEL,
    LABELS,
    NEIGHBOURS,
)
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.battles import battles, edge_gains, hex_worth
from randomizer.systems.colossus.fairness.fairness_model import FAIRNESS_MODEL
from randomizer.systems.colossus.fairness.measures import (
    MEASURES,
    analysis_of,
    entering_counts,
)
from randomizer.systems.colossus.fairness.movement import EVERYTHING, travel_costs
from randomizer.systems.colossus.generator import from_text, packaged
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.batches.rolled import roll_batch
from tests.randomizer.systems.colossus.battle_replay import needs_boards, shown_by_default
from tests.randomizer.systems.colossus.movement_strategies import (
    CREATURES,
    battlelands,
    maps_of,
    turned,
)

ROOT = Path(__file__).resolve().parents[4]

NON_NATIVE = Creature()
FLIER = Creature(flies=True)
D4 = HEX_OF_LABEL["D4"]
D3 = HEX_OF_LABEL["D3"]


class Ground:
    """A battleland that is built hex by hex."""

    def __init__(self):
        self.terrain = np.zeros(HEX_COUNT, int)
        self.elevation = np.zeros(HEX_COUNT, int)
        self.hexside = np.zeros((HEX_COUNT, 6), np.uint8)
        self.startlist: tuple[str, ...] | None = None

    def put(self, label, name="Plains", elevation=0, sides="") -> Ground:
        number = HEX_OF_LABEL[label]
        self.terrain[number] = COLOSSUS.terrain_code(name)
        self.elevation[number] = elevation
        if sides:
            self.hexside[number] = COLOSSUS.hexside_code(sides)
        return self

    @property
    def maps(self):
        return maps_of(self.terrain, self.elevation, self.hexside)

    def composite(self):
        layer = Layer(1, "Ground", properties={"startlist": self.startlist or ()})
        grid = SYSTEM.new_grid()
        for name, values in (("terrain", self.terrain), ("elevation", self.elevation)):
            layer.planes[name] = SYSTEM.plane(name).allocate(grid)
            layer.planes[name].flat[list(CELL_OF_HEX)] = values
        layer.planes["hexside"] = SYSTEM.plane("hexside").allocate(grid)
        layer.planes["hexside"].reshape(-1, 6)[list(CELL_OF_HEX)] = self.hexside
        return BattleMap.new(SYSTEM, layers=[layer]).composite()

    def measured(self) -> dict[str, float]:
        batch = batch_of(SYSTEM, SYSTEM.new_grid(), self.composite())
        return {measure.name: float(measure.of(batch)[0]) for measure in MEASURES}


def native(name: str) -> Creature:
    return Creature(native_to=frozenset({name}))


# --- what hexes are worth -----------------------------------------------------------------------


def worth(ground: Ground, creature: Creature, label: str = "D4") -> float:
    return float(hex_worth(ground.maps, creature)[HEX_OF_LABEL[label], 0])


def test_open_ground_is_worth_one_everywhere():
    assert (hex_worth(Ground().maps, NON_NATIVE) == 1).all()


@pytest.mark.parametrize(
    ("name", "stranger", "native_"),
    [
        ("Brambles", 0, 2),  # strikes out lose a point, strikes in at a native do
        ("Tree", 1, 2),
        ("Stone", 1, 2),
        ("Volcano", 1, 3),
        ("Drift", 0, 1),
        ("Spring", 2, 2),
        ("Sand", 1, 1),
        ("Bog", 1, 1),
    ],
)
def test_a_hazard_makes_a_hex_worth_more_or_less(name, stranger, native_):
    ground = Ground().put("D4", name)
    assert worth(ground, NON_NATIVE) == stranger
    assert worth(ground, native(name)) == native_


def test_water_dwellers_suffer_on_sand():
    assert worth(Ground().put("D4", "Sand"), native("Lake")) == 0


def test_it_is_good_to_stand_beside_brambles_and_bad_to_stand_below_a_slope():
    assert worth(Ground().put("D3", "Brambles"), NON_NATIVE) == pytest.approx(1 + 1 / 6)
    hill = Ground().put("D4", elevation=1, sides="s")
    assert worth(hill, NON_NATIVE) == 2
    assert worth(hill, NON_NATIVE, "D3") == pytest.approx(1 - 1 / 6)
    assert worth(hill, native("Slope")) == 3, "natives strike down with one more power"


@pytest.mark.parametrize(("letter", "stranger", "native_"), [("w", 2, 2), ("d", 2, 4)])
def test_walls_and_dunes_are_worth_holding(letter, stranger, native_):
    name = COLOSSUS.hexsides[COLOSSUS.hexside_code(letter) - 1].name
    ground = Ground().put("D4", elevation=1, sides=letter)
    assert (worth(ground, NON_NATIVE), worth(ground, native(name))) == (stranger, native_)


def test_slopes_on_level_ground_give_nothing_and_dunes_need_no_height():
    assert worth(Ground().put("D4", sides="s"), NON_NATIVE) == 1
    assert worth(Ground().put("D4", sides="d"), NON_NATIVE) == 2


def test_nothing_is_struck_across_a_cliff():
    ground = Ground().put("D4", "Brambles", elevation=1, sides="c")
    assert worth(ground, NON_NATIVE) == 1
    assert worth(ground, FLIER) == 1


@given(battlelands(starts=False))
def test_among_strangers_every_gain_is_the_others_loss(maps):
    gains = edge_gains(maps, NON_NATIVE)[:, :, 0]
    for number, around in enumerate(NEIGHBOURS):
        for side, other in enumerate(around):
            if other >= 0:
                assert gains[number, side] == -gains[other, (side + 3) % 6]


# --- attacker against defender ------------------------------------------------------------------


def advantages(maps, creature=NON_NATIVE) -> list[float]:
    found = battles(maps, creature, travel_costs(maps, creature))
    return [float(battle.advantage[0]) for battle in found]


@pytest.mark.parametrize("creature", CREATURES)
def test_open_ground_is_even(creature):
    assert advantages(Ground().maps, creature) == [0, 0, 0]


def test_on_open_ground_four_hexes_of_the_attacker_reach_more_than_three_of_the_defender():
    maps = Ground().maps
    for battle in battles(maps, NON_NATIVE, travel_costs(maps, NON_NATIVE)):
        assert (battle.share_of_hexes(1), battle.share_of_hexes(-1)) == (
            pytest.approx(15 / 27 * 100),
            pytest.approx(12 / 27 * 100),
        )


@given(battlelands(), st.booleans(), st.sampled_from(CREATURES))
def test_turned_or_mirrored_ground_gives_the_same_advantages_from_other_sides(
    maps, mirror, creature
):
    """The board has three corners: no half turn maps it onto itself, a third of a circle does."""
    if maps.start is not None:
        maps = maps_of(maps.terrain[:, 0], maps.elevation[:, 0], maps.hexside[:, :, 0])
    image = turned(maps, mirror=mirror)
    assert sorted(advantages(image, creature)) == pytest.approx(sorted(advantages(maps, creature)))


def test_every_motion_of_the_board_takes_attackers_sides_to_attackers_sides():
    sides = [frozenset(labels) for _, labels in ENTRY_SIDES]
    for mirror in (False, True):
        for i, labels in enumerate(sides):
            ground = Ground()
            for label in labels:
                ground.put(label, "Bog")
            image = turned(ground.maps, mirror=mirror).terrain[:, 0]
            there = frozenset(LABELS[number] for number in np.flatnonzero(image).tolist())
            assert sides.index(there) % 2 == i % 2


def test_a_bog_at_the_defenders_entry_helps_the_attacker():
    ground = Ground()
    for label in ("D6", "E5"):
        ground.put(label, "Bog")
    bottom, right, left = advantages(ground.maps)
    assert bottom > 10
    assert bottom > max(right, left)
    assert advantages(ground.maps, native("Bog")) == [0, 0, 0]


def test_an_army_that_cannot_enter_leaves_everything_to_the_other():
    ground = Ground()
    for label in ("D6", "E5", "F4"):
        ground.put(label, "Lake")
    battle = battles(ground.maps, NON_NATIVE, travel_costs(ground.maps, NON_NATIVE))[0]
    assert battle.share_of_hexes(1) == pytest.approx(24 / 27 * 100)
    assert battle.share_of_hexes(-1) == 0
    assert battle.advantage[0] == pytest.approx(100 - 3 / 27 * 100)


def test_a_board_that_nobody_can_enter_takes_away_what_open_ground_gives_the_attacker():
    ground = Ground()
    ground.terrain[:] = COLOSSUS.terrain_code("Stone")
    assert advantages(ground.maps) == pytest.approx([-3 / 27 * 100] * 3)


def test_a_start_list_puts_the_defender_there_and_the_attacker_at_the_bottom():
    ground = Ground()
    ground.startlist = ("D4", "D3")
    report = FAIRNESS_MODEL.assess(ground.composite(), "on foot", "nothing")
    (attack,) = report.attacks
    assert (attack.attacker.name, attack.defender.name) == ("Bottom", "Start list")
    assert attack.advantage == 0, "where one stands is not the ground's doing"
    assert attack.defender.values[0] < attack.attacker.values[0]
    start = report.travel_costs[-1]
    assert start.name == "Ways from Start list"
    assert start.values.flat[CELL_OF_HEX[D4]] == 0


# --- measures -----------------------------------------------------------------------------------


def test_measures_of_open_ground():
    assert Ground().measured() == {
        "fairness": 0,
        "advantage": 0,
        "height": 0,
        "cover": 0,
        "connected": 1,
        "unreachable": 0,
        "closed": 0,
        "entering": 7,
        "travel": pytest.approx(3.5),
        "flight": pytest.approx(3.5),
        "roughness": 0,
    }


def test_a_lake_across_the_board_separates_the_entries():
    ground = Ground()
    for label in LABELS:
        if label[0] == "C":
            ground.put(label, "Lake")
    found = ground.measured()
    assert (found["connected"], found["unreachable"], found["closed"]) == (0, 5, 0)
    assert found["travel"] > found["flight"] > 3.5, "fliers cross the lake but cannot land on it"


def test_a_volcano_behind_cliffs_is_closed_to_most():
    found = Ground().put("D4", "Volcano", 2, "c").measured()
    assert (found["closed"], found["unreachable"], found["connected"]) == (1, 1, 1)
    report = FAIRNESS_MODEL.assess(
        Ground().put("D4", "Volcano", 2, "c").composite(), "on foot", "nothing"
    )
    assert report.closed_cells == ("D4",)


ENTERING = {
    "Desert": (3, 6, 5, 6, 5, 6),
    "Jungle": (5, 5, 5, 8, 6, 6),
    "Mountains": (7, 9, 5, 9, 5, 9),
    "Plains": (7, 9, 7, 9, 7, 9),
    "Swamp": (5, 7, 4, 5, 6, 7),
    "Tundra": (5, 7, 6, 5, 5, 8),
}
"""The designers' measure on Default's boards, sides 0 .. 5, as the project's fact sheet has it."""


@needs_boards
@pytest.mark.parametrize("name", ENTERING)
def test_as_many_can_come_in_as_the_sheet_says(name):
    shown = shown_by_default(name)
    counts = entering_counts(analysis_of(batch_of(SYSTEM, GRID, shown)))[:, 0].tolist()
    assert tuple(counts) == (*ENTERING[name], HEX_COUNT)
    report = FAIRNESS_MODEL.assess(shown, "on foot", "nothing")
    index = [measure.name for measure in MEASURES].index("entering")
    assert report.measured[index] == min(ENTERING[name])
    beginning = {
        "Desert": "Only 3 creatures of skill 2 can enter from Top defence in the first turn",
        "Swamp": "Only 4 creatures of skill 2 can enter from Right defence in the first turn",
    }.get(name, "")
    assert "".join(report.warnings).partition(",")[0] == beginning


@needs_boards
def test_on_the_tower_nine_come_in_from_the_bottom_and_seven_stand_on_the_list():
    counts = entering_counts(analysis_of(batch_of(SYSTEM, GRID, shown_by_default("Tower"))))[:, 0]
    assert counts.tolist() == [HEX_COUNT] * 3 + [9] + [HEX_COUNT] * 2 + [7]


@settings(max_examples=30, deadline=None)
@given(battlelands(starts=False))
def test_as_many_can_come_in_as_the_rules_of_battles_let_in(maps):
    ground = Ground()
    ground.terrain, ground.elevation, ground.hexside = (
        plane[..., 0] for plane in (maps.terrain, maps.elevation, maps.hexside)
    )
    shown = ground.composite()
    counts = entering_counts(analysis_of(batch_of(SYSTEM, GRID, shown)))[:, 0].tolist()
    land = Battleland.of(shown)
    creature = Creature("On foot", 6, 2)
    reached = [
        len(land.reachable_hexes(creature, OUTSIDE, side, creature.skill)) for side in range(6)
    ]
    assert counts[:6] == reached


def test_heights_belong_to_whom_they_are_nearer():
    near_defender = Ground().put("D6", elevation=1, sides="w")
    assert near_defender.measured()["height"] == (-3 + 3 + 3) / 3, "top, left and right"
    bottom = FAIRNESS_MODEL.assess(near_defender.composite(), "on foot", "nothing").attacks[0]
    assert bottom.defender.values[2] == 3, "the three edges that D6 has on the board"
    assert bottom.attacker.values[2] == 0


def test_cover_counts_what_shelters_natives_or_hinders_rangestrikes():
    ground = Ground()
    for label, name in zip(
        ("A1", "B2", "C3", "D4", "E4"),
        ("Brambles", "Tree", "Stone", "Bog", "Sand"),
        strict=True,
    ):
        ground.put(label, name)
    assert ground.measured()["cover"] == 3


def test_roughness_is_the_part_of_the_steps_that_are_slow_or_barred():
    ground = Ground()
    ground.terrain[:] = COLOSSUS.terrain_code("Brambles")
    assert ground.measured()["roughness"] == 100


def base_of(*layers: Layer) -> Base:
    battlemap = BattleMap.new(SYSTEM, layers=layers or [Layer(1, "Ground")])
    return Base.under(battlemap, len(battlemap.layers))


@pytest.mark.parametrize("name", [generator.name for generator in packaged()])
def test_a_thousand_maps_measure_what_each_of_them_does(name):
    generator = generator_named(name)
    base = base_of()
    assert isinstance(generator, BatchGenerator)
    batch = roll_batch(generator, {}, 5, np.arange(40, dtype=np.uint64), base)
    measures = [measure for measure in generator.measures() if not measure.cost]
    many = {measure.name: measure.of(batch) for measure in measures}
    for row in (0, 39):
        one = roll_batch(generator, {}, 5, batch.numbers[row : row + 1], base)
        for measure in measures:
            assert measure.of(one)[0] == pytest.approx(many[measure.name][row]), measure.name


def test_maps_of_a_script_with_a_start_list_are_measured_with_it():
    generator = from_text(
        "AREA (anywhere) HAZARDS Bog Bog\nSTARTLIST SOMEOF(2,(inside))\n", "s.rnd"
    )
    base = base_of(Layer(1, "Ground", properties={"startlist": ("A1",)}))
    batch = roll_batch(generator, {}, 1, np.arange(6, dtype=np.uint64), base)
    assert batch.start is not None
    assert (batch.start.sum(axis=1) == 2).all()
    free = from_text("AREA (anywhere) HAZARDS Bog Bog\n", "s.rnd")
    kept = roll_batch(free, {}, 1, np.arange(6, dtype=np.uint64), base)
    assert kept.start is not None, "the map below has one"
    assert (kept.start[:, HEX_OF_LABEL["A1"]] == 1).all()
    for row in range(6):
        one = roll_batch(generator, {}, 1, batch.numbers[row : row + 1], base)
        for measure in MEASURES:
            assert measure.of(one)[0] == pytest.approx(measure.of(batch)[row])


def test_measures_that_need_no_hexsides_come_without():
    generator = generator_named("Hills")
    base = base_of()
    numbers = np.arange(20, dtype=np.uint64)
    without = roll_batch(generator, {}, 3, numbers, base, hexsides=False)
    whole = roll_batch(generator, {}, 3, numbers, base)
    for measure in MEASURES:
        if not measure.needs_hexsides:
            assert np.array_equal(measure.of(without), measure.of(whole))


def test_filters_can_speak_of_every_measure():
    names = [measure.name for measure in MEASURES]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and name.islower() for name in names)
    assert all(measure.title and measure.help for measure in MEASURES)


def test_the_manual_explains_every_measure():
    page = (ROOT / "docs" / "manual" / "fairness.md").read_text("utf-8")
    for measure in MEASURES:
        assert f"| `{measure.name}` | {measure.title}: " in page


# --- the model and the distribution -------------------------------------------------------------


@settings(max_examples=30)
@given(
    battlelands(starts=False),
    st.sampled_from(FAIRNESS_MODEL.native_terrains),
    st.sampled_from(FAIRNESS_MODEL.movement_types),
)
def test_a_report_holds_what_the_measures_and_ways_say(maps, home, way):
    ground = Ground()
    ground.terrain = maps.terrain[:, 0]
    ground.elevation = maps.elevation[:, 0]
    ground.hexside = maps.hexside[:, :, 0]
    report = FAIRNESS_MODEL.assess(ground.composite(), way, home)
    natives = EVERYTHING if home == "everything" else frozenset({home} - {"nothing"})
    costs = travel_costs(maps, Creature(flies=way == "flying", native_to=natives))[:6, :, 0].astype(
        float
    )
    costs[costs == 100] = np.nan
    sides = {f"Ways from {name}": side for side, (name, _hexes) in enumerate(ENTRY_SIDES)}
    assert len(report.travel_costs) == len(sides)
    for picture in report.travel_costs:
        side = sides[picture.name]
        found = picture.values.ravel()[list(CELL_OF_HEX)]
        assert np.array_equal(found, costs[side], equal_nan=True)
    lead = np.fmin(np.nan_to_num(costs[0], nan=12), 12) - np.fmin(
        np.nan_to_num(costs[3], nan=12), 12
    )
    lead[np.isnan(costs[0]) & np.isnan(costs[3])] = np.nan
    found = report.leads[0].values.ravel()[list(CELL_OF_HEX)]
    assert np.array_equal(found, lead, equal_nan=True)
    assert dict(zip((m.name for m in FAIRNESS_MODEL.measures), report.measured, strict=True)) == (
        pytest.approx(ground.measured())
    )


def test_only_battlelands_have_a_judge():
    assert fairness_model_of(SYSTEM) is FAIRNESS_MODEL
    free = system_named("free")
    assert free is not None
    assert fairness_model_of(free) is None


def test_a_map_is_placed_among_those_of_a_script():
    generator = generator_named("Marsh")
    base = base_of()
    found = distribution_of(MapStream(generator, {}, base, 0), MEASURES, 700)
    assert found is not None
    assert found.count == 700
    batch = roll_batch(generator, {}, 0, np.arange(700, dtype=np.uint64), base)
    for i, measure in enumerate(MEASURES):
        values = measure.of(batch)
        assert found.percent_below(i, float(values[0])) == pytest.approx(
            (values < values[0]).mean() * 100
        )
        heights, low, high = found.histograms[i]
        assert sum(heights) == 700
        fraction_of = found.histograms[i].fraction_of_range
        assert (fraction_of(low), fraction_of(high + 1)) == (0, 1)
        assert low <= values.min() <= values.max() <= high
    cancelled = MapStream(generator, {}, base, 0, lambda: True)
    assert distribution_of(cancelled, MEASURES, 700) is None


def test_values_that_differ_by_rounding_errors_are_equal():
    values = (np.sort(np.array([0.3, 0.1 + 0.2, 0.3])), np.array([-2.0, -2.0, -2.0]))
    found = Distribution.of_values(values, count=3, tried=3)
    for histogram, value in zip(found.histograms, (0.3, -2.0), strict=True):
        assert sum(histogram.heights) == max(histogram.heights) == 3
        assert histogram.fraction_of_range(value) == pytest.approx(0.5)
    assert found.percent_below(0, 0.3) == found.percent_below(0, 0.1 + 0.2) == 0


def test_maps_without_a_value_are_left_out_of_its_distribution():
    lengths = [1.0, np.nan, 3.0, np.inf]
    batch_values = Measure("length", "Length", "", lambda batch: np.array(lengths[: len(batch)]))
    never = Measure("never", "Never", "", lambda batch: np.full(len(batch), np.nan))
    stream = MapStream(generator_named("Marsh"), {}, base_of(), 0, first_at_once=4)
    found = distribution_of(stream, [batch_values, never], 4)
    assert [values.tolist() for values in found.values] == [[1, 3], []]
    assert found.count == 4
    assert found.percent_below(0, 3) == 50
    assert found.percent_below(1, 3) is found.percent_below(0, np.nan) is None
    assert [sum(histogram.heights) for histogram in found.histograms] == [2, 0]


def test_a_script_without_any_map_has_no_spread():
    never = from_text("AREA (anywhere) HAZARDS Bogg\n", "never.rnd")
    with pytest.raises(ProblemError, match="Bogg"):
        distribution_of(MapStream(never, {}, base_of(), 0), MEASURES, 10)
