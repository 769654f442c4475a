"""Countries and units of new worlds: the rules hold, and where they cannot, it is said why."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.problems import apply_fix
from randomizer.model.rolls.generated import Generated
from randomizer.systems.xconq.countries.naming import place_names, side_names
from randomizer.systems.xconq.world.hexes import disc, distances, hex_length
from tests.randomizer.systems.xconq.worlds import ISLANDS, period, place_of, rolled, units_of

SEEDS = st.integers(0, 300_000)


def distance(width: int, first: tuple[int, int], second: tuple[int, int]) -> int:
    """The plain definition: the shorter of all ways round."""
    ways = []
    for turned in (-width, 0, width):
        u = second[0] + turned - first[0]
        v = second[1] - first[1]
        ways.append(abs(u) + abs(v) if u * v >= 0 else max(abs(u), abs(v)))
    return min(ways)


def cities(made: Generated) -> list[tuple[int, int]]:
    found = [unit for unit in units_of(made) if unit.kind == "city"]
    return [place_of(made, unit) for unit in sorted(found, key=lambda unit: unit.owner)]


@given(st.integers(-30, 30), st.integers(-30, 30))
def test_lengths_are_those_of_hexes(u: int, v: int):
    plain = abs(u) + abs(v) if u * v >= 0 else max(abs(u), abs(v))
    assert int(hex_length(np.array(u), np.array(v))) == plain


@pytest.mark.parametrize("radius", [0, 1, 3, 6])
def test_a_disc_has_all_hexes_of_its_radius(radius: int):
    steps = disc(radius)
    assert len(steps) == 3 * radius * (radius + 1) + 1
    assert int(hex_length(steps[:, 0], steps[:, 1]).max()) == radius


def test_the_way_round_counts():
    x = np.array([1, 39, 20])
    y = np.array([5, 5, 5])
    assert distances(40, x, y, 0, 5).tolist() == [1, 1, 20]


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_any_number_of_countries_leaves_the_terrain_and_the_first_ones_the_same(seed, count):
    fewer, more = (rolled(period(), seed, countries=each) for each in (count, count + 1))
    assert (fewer.layers[0].planes["terrain"] == more.layers[0].planes["terrain"]).all()
    if len(cities(more)) == count + 1:
        assert cities(more)[:count] == cities(fewer)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_countries_keep_their_distances_and_begin_with_their_units(seed: int):
    made = rolled(period(), seed, countries=3)
    places = cities(made)
    if not places:
        assert made.notes
        return
    for first, second in itertools.combinations(places, 2):
        assert distance(40, first, second) >= 8
    for number, place in enumerate(places[1:], 1):
        assert min(distance(40, place, earlier) for earlier in places[:number]) < 40
    of_countries = [unit for unit in units_of(made) if unit.key[0] != "-"]
    assert Counter(unit.kind for unit in of_countries) == {"city": 3, "town": 9, "infantry": 6}
    assert all(3 <= y <= 24 - 3 - 2 for _, y in places)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_units_stand_on_favored_terrain_alone_or_inside_another_and_never_on_an_edge(seed: int):
    made = rolled(period(), seed)
    codes = made.layers[0].planes["terrain"]
    standing: dict[tuple[int, int], int] = {}
    for unit in units_of(made):
        x, y = place_of(made, unit)
        assert 0 < y < 23
        if "transport" in unit.state:
            assert standing[x, y] == unit.state["transport"]
            continue
        assert (x, y) not in standing
        standing[x, y] = unit.id
        assert codes[y, x] in ((1, 2) if unit.kind == "town" else (1,))


def test_only_the_first_unit_and_what_it_carries_are_the_sides():
    for unit in units_of(rolled(period())):
        if unit.kind == "city":
            assert unit.owner in (1, 2)
        elif "transport" not in unit.state:
            assert unit.owner == 0, unit


def test_without_a_first_unit_all_of_a_country_are_its_sides():
    units = units_of(rolled(period("nothing first-unit")))
    assert {unit.owner for unit in units if unit.key[0] == "0"} == {1}
    assert {unit.owner for unit in units if unit.key[0] == "1"} == {2}
    assert {unit.owner for unit in units if unit.key[0] == "-"} <= {0}


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.sampled_from(["0 country-min-distance", "2 country-min-distance"]))
def test_first_units_of_countries_that_overlap_stand_each_on_a_hex_of_its_own(seed, distance):
    made = rolled(period(f"{distance} 9 country-max-distance 6 * in-country"), seed, countries=6)
    found = cities(made)
    assert len(set(found)) == len(found) in (0, 6)
    assert all("transport" not in unit.state for unit in units_of(made) if unit.kind == "city")


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_no_unit_begins_inside_one_of_another_side(seed: int):
    overlap = "nothing first-unit 2 country-min-distance 9 country-max-distance 0 t* i favored"
    made = rolled(period(overlap), seed, countries=4)
    for unit in units_of(made):
        if unit.key[0] != "-":
            assert unit.owner == int(unit.key[0]) + 1


def test_a_unit_without_favored_terrain_begins_inside_another():
    made = rolled(period("0 t* i favored"))
    units = {unit.id: unit for unit in units_of(made)}
    infantry = [unit for unit in units.values() if unit.kind == "infantry"]
    assert len(infantry) == 4
    for unit in infantry:
        carrier = units[unit.state["transport"]]
        assert (carrier.kind, carrier.x, carrier.y) == ("city", unit.x, unit.y)
        assert unit.owner == carrier.owner > 0


def test_what_finds_no_room_is_left_out_and_said():
    made = rolled(period("0 t* i favored 1 i @ capacity"))
    assert sum(unit.kind == "infantry" for unit in units_of(made)) == 2
    assert [note.message for note in made.notes] == ["2 x infantry found no hex and no carrier"]


def test_a_hold_takes_no_more_than_its_volume():
    made = rolled(period("0 t* i favored 2 i volume 3 @ hold-volume"))
    assert sum(unit.kind == "infantry" for unit in units_of(made)) == 2


def test_density_counts_all_units_of_the_map_and_one_at_least():
    towns = [unit for unit in units_of(rolled(period())) if unit.kind == "town"]
    assert len(towns) == 200 * 40 * 24 // 10_000  # those of countries are among them
    few = units_of(rolled(period("1 s density")))
    assert sum(unit.kind == "ship" for unit in few) == 1


def test_a_map_is_not_filled_with_more_units_than_it_can_hold():
    made = rolled(period("9000 * density"), width=300, height=300)
    assert len(units_of(made)) <= 40_000
    assert any("left out" in note.message for note in made.notes)


def test_named_units_have_different_names_from_the_lists():
    units = units_of(rolled(period('"Old Testham" uname')))
    named = [unit.label for unit in units if unit.kind in ("town", "city")]
    assert all(named)
    assert len(set(named)) == len(named)
    assert set(named) <= {*place_names(), "Old Testham"}
    assert {unit.label for unit in units if unit.kind == "infantry"} == {""}


def test_a_period_can_have_its_own_names_alone():
    made = rolled(period('clear-unit-names "A" uname "B C" uname clear-side-names "Red" sname'))
    assert {unit.label for unit in units_of(made)} == {"", "A", "B C"}
    assert made.records is not None
    assert '"Red"' in made.records["sides"].text
    assert '"Side 2"' in made.records["sides"].text, "there are not enough names"
    assert not set(side_names()) & set(made.records["sides"].text.split('"'))


def test_supplies_at_the_beginning_are_full_unless_the_period_says_less():
    for unit in units_of(rolled(period())):
        supply = {name: value for name, value in unit.state.items() if name[:6] == "supply"}
        assert supply == ({"supply fuel": 5} if unit.kind == "infantry" else {})


def test_the_first_unit_begins_with_the_first_product():
    for unit in units_of(rolled(period("i first-product"))):
        first = unit.kind == "city"
        assert ("more" in unit.state) is first
        if first:
            assert unit.state["more"]["product"] == 0 + 256 * 71  # infantry, then nothing


def test_keys_are_the_same_in_every_roll_and_no_two_are():
    keys = [[unit.key for unit in units_of(rolled(period(), seed))] for seed in (7, 8)]
    assert all(len(set(key)) == len(key) for key in keys)
    assert "0.3.0" in set(keys[0]) & set(keys[1])


# --- where countries find no place ------------------------------------------------------------


def test_where_countries_find_no_place_the_terrain_stays_and_the_rule_is_named():
    free = rolled(period(), countries=0)
    made = rolled(period(), countries=25)
    assert (made.layers[0].planes["terrain"] == free.layers[0].planes["terrain"]).all()
    assert not units_of(made)
    warning, fewer, larger, closer = made.notes
    assert "are nearer than 8 hexes to another (country-min-distance)" in warning.message
    assert warning.severity == "warning"
    assert fewer.message == "Begin with fewer sides"
    assert larger.message == "Make the world larger"
    assert "closer together" in closer.message


def test_the_ways_out_work():
    made = rolled(period(), countries=14)
    _, fewer, larger, closer = made.notes
    assert fewer.fix is not None
    assert larger.fix is not None
    assert closer.fix is not None
    assert units_of(rolled(period(), **dict(fewer.fix.settings)))
    assert units_of(rolled(period(), countries=14, **dict(larger.fix.settings)))
    text = apply_fix(f"{ISLANDS}\nend\n", closer.fix)
    assert units_of(rolled(period(text=text), countries=14))


def test_no_world_is_offered_that_is_too_large():
    distances = "40 country-min-distance 90 country-max-distance"
    made = rolled(period(distances), width=1000, height=9, countries=30)
    assert made.notes[2].message == "Make the world larger"
    assert made.notes[2].fix is None


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("9 country-max-distance 20 country-min-distance", "nearer than 20 hexes"),
        ("8 country-max-distance", "8 hexes or more from all others (country-max-distance)"),
        ("0 t* @ favored", "no terrain for the first unit, city"),
        ("40 * in-country", "terrain for fewer than 40 town within 3 hexes"),
        ("40 s in-country", "terrain for fewer than 40 ship within 3 hexes"),
        ("12 country-size", "with 12 country-size the world needs 26 rows, it has 24"),
    ],
)
def test_the_rule_that_refused_most_places_is_named(more: str, words: str):
    made = rolled(period(more))
    assert not units_of(made)
    assert words in made.notes[0].message
    assert len(made.notes) == 4
