"""Our own generators of 0 A.D. maps: the same map for a seed, fit to play, in every style."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.roll_base import Base
from randomizer.systems.zeroad.generators.packaged import packaged
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.map_format.map_schema import plain_data, read_map_data
from randomizer.systems.zeroad.system import SYSTEM

NAMES = [each.name for each in packaged()]
SEEN = [each.name for each in packaged() if "hidden" not in each.metadata.keywords]


def rolled(name: str, seed: int = 1, **chosen: object) -> Generated:
    generator = generator_named(name)
    assert generator is not None
    grid = generator.grid(chosen)
    base = Base.under(BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")]), 0)
    made = run(generator, chosen, DrawKey(seed, 0), base)
    assert made is not None
    return made


def as_map(made: Generated, size: int) -> BattleMap:
    (layer,) = made.layers
    layer.id = 1
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, size, size), [layer], made.terrain_set)
    battlemap.records = dict(made.records or {})
    return battlemap


@cache
def data_of(name: str, seed: int = 1, size: int = 128, players: int = 2) -> MapData:
    made = rolled(name, seed, Size=size, Players=players)
    return map_data_of(as_map(made, size))


def same(one: MapData, other: MapData) -> bool:
    arrays = ("heights", "textures", "priorities")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
        and one.texture_names == other.texture_names
        and one.entities == other.entities
        and one.environment == other.environment
    )


def test_there_are_five_to_choose_from_and_one_in_three_styles():
    assert SEEN == ["Open country", "Islands", "Hill country", "Lakeside", "River valley"]
    assert len(NAMES) == len(SEEN) + 2


@pytest.mark.parametrize("release", [26, 28])
def test_the_styles_of_all_releases_make_the_same_map(release):
    assert same(data_of("Hill country"), data_of(f"Hill country (release {release})"))


@pytest.mark.parametrize("name", SEEN)
def test_a_seed_makes_the_same_map_again_and_another_seed_another(name):
    again = map_data_of(as_map(rolled(name, Size=128, Players=2), 128))
    assert same(data_of(name), again)
    assert not same(data_of(name), data_of(name, 2))


@settings(max_examples=6, deadline=None)
@given(
    name=st.sampled_from(SEEN),
    seed=st.integers(0, 2**32 - 1),
    size=st.sampled_from([128, 192]),
    players=st.integers(1, 8),
    circular=st.booleans(),
)
def test_every_choice_makes_a_map_that_the_game_accepts(name, seed, size, players, circular):
    made = rolled(name, seed, Size=size, Players=players, CircularMap=circular)
    data = map_data_of(as_map(made, size))
    assert data.size == size
    assert {entity.player for entity in data.entities} == set(range(players + 1))
    for entity in data.entities:
        assert 0 <= entity.x <= size
        assert 0 <= entity.z <= size
        if circular:
            assert math.hypot(entity.x - size / 2, entity.z - size / 2) < size / 2 - 1


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("players", [2, 4])
def test_players_start_on_dry_level_ground_with_all_they_need(name, players):
    data = data_of(name, 3, 192, players)
    centres = [entity for entity in data.entities if entity.template.endswith("/civil_centre")]
    assert [each.player for each in centres] == list(range(1, players + 1))
    for centre in centres:
        x = int(centre.x)
        z = int(centre.z)
        around = data.heights[z - 4 : z + 6, x - 4 : x + 6].astype(int)
        assert around.min() > 20 * 92 + 46, "above the water"
        assert np.ptp(around) < 2 * 92, "level"
        near = [
            entity.template
            for entity in data.entities
            if math.hypot(entity.x - centre.x, entity.z - centre.z) < 40
        ]
        for words, least in (("/tree/", 40), ("/rock/", 1), ("/ore/", 1), ("/fruit/", 5)):
            assert sum(words in template for template in near) >= least, (name, words)


@pytest.mark.parametrize("name", SEEN)
def test_what_they_make_is_valid_without_a_word(name):
    made = rolled(name, 5, Size=128, Players=3)
    assert made.notes == ()
    data, problems = read_map_data(plain_data(data_of(name, 5, 128, 3)))
    assert data is not None
    assert problems == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_one_has_a_picture_for_the_catalogue(name):
    generator = generator_named(name)
    assert generator is not None
    picture = generator.preview()
    assert picture is not None
    assert picture.startswith(b"\x89PNG")


def reached_on_foot(data: MapData, x: float, z: float) -> NDArray[np.bool_]:
    """The tiles (z, x) that units reach from a point: slopes up to 45 degrees, water up to 2 m."""
    metres = data.heights / 92 - 20
    corners = np.stack([metres[:-1, :-1], metres[1:, :-1], metres[:-1, 1:], metres[1:, 1:]])
    along = (corners[2] + corners[3] - corners[0] - corners[1]) / 8
    across = (corners[1] + corners[3] - corners[0] - corners[2]) / 8
    free = (np.hypot(along, across) < 1) & (corners.mean(axis=0) > -2)
    found = np.zeros_like(free)
    found[int(z), int(x)] = True
    while True:
        wide = np.pad(found, 1)
        grown = found | wide[2:, 1:-1] | wide[:-2, 1:-1] | wide[1:-1, 2:] | wide[1:-1, :-2]
        grown &= free
        if (grown == found).all():
            return found
        found = grown


@pytest.mark.parametrize("name", ["Open country", "Hill country", "River valley"])
def test_armies_and_workers_walk_to_each_other_and_to_all_there_is(name):
    data = data_of(name, 3, 192, 4)
    first = next(entity for entity in data.entities if entity.template.endswith("/civil_centre"))
    reached = reached_on_foot(data, first.x, first.z)
    for entity in data.entities:
        if any(word in entity.template for word in ("/civil_centre", "/ore/", "/rock/", "/fruit/")):
            x = int(entity.x)
            z = int(entity.z)
            assert reached[z - 2 : z + 3, x - 2 : x + 3].any(), entity


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(2, 8))
def test_there_is_deep_water_between_the_islands_of_players(seed, players):
    made = rolled("Islands", seed, Size=128, Players=players)
    data = map_data_of(as_map(made, 128))
    centres = [entity for entity in data.entities if entity.template.endswith("/civil_centre")]
    reached = reached_on_foot(data, centres[0].x, centres[0].z)
    assert not any(reached[int(centre.z), int(centre.x)] for centre in centres[1:])


@pytest.mark.parametrize("biome", ["generic/temperate", "generic/aegean", "generic/sahara"])
def test_the_game_has_all_that_they_place_and_paint(biome):
    games = [each for each in find_installations() if "0.0.26" in each.name]
    if not games:
        pytest.skip("release 26 of the game is not installed")
    (mod, *_others) = games[0].mods
    textures = {path.rpartition("/")[2] for path in mod.list("art/terrains")}
    for name in SEEN:
        made = rolled(name, Size=128, Players=8, Biome=biome)
        data = map_data_of(as_map(made, 128))
        assert {f"{texture_name}.xml" for texture_name in data.texture_names} <= textures
        for template in {entity.template for entity in data.entities}:
            assert mod.exists(f"simulation/templates/{template}.xml"), template


@pytest.mark.parametrize("name", ["Islands", "Lakeside"])
def test_what_is_locked_is_kept_when_another_map_is_rolled(name):
    first = rolled(name, 1, Size=128, Players=2)
    battlemap = as_map(first, 128)
    battlemap.locked_cells[40:60, 50:80] = True
    generator = generator_named(name)
    assert generator is not None
    base = Base.under(battlemap, 0, 0)
    made = run(generator, {"Size": 128, "Players": 2}, DrawKey(2, 0), base)
    assert made is not None
    before = map_data_of(battlemap)
    after = map_data_of(as_map(made, 128))
    rows = slice(128 - 60, 128 - 40)
    columns = slice(50, 80)
    names = [np.array(each.texture_names)[each.textures[rows, columns]] for each in (before, after)]
    assert (names[0] == names[1]).all()
    assert not np.array_equal(before.heights, after.heights)


@pytest.mark.parametrize("name", SEEN)
def test_nomads_have_units_and_no_town(name) -> None:
    data = map_data_of(as_map(rolled(name, Size=128, Players=2, Nomad=True), 128))
    templates_of_players = {1: set[str](), 2: set[str]()}
    for entity in data.entities:
        if entity.player > 0:
            templates_of_players[entity.player].add(entity.template)
    for templates in templates_of_players.values():
        assert templates
        assert all(template.startswith("units/") for template in templates)
