"""What lies near the starts of players, and how fair that is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from randomizer.batches.counts import measures_of
from randomizer.batches.filters.parser import parse_filter
from randomizer.catalog.generators import generator_named
from randomizer.model.things.things import Thing, Things
from randomizer.systems.zeroad.generators import resource_amounts
from randomizer.systems.zeroad.generators.resource_amounts import template_amounts, usual_amounts
from randomizer.systems.zeroad.generators.resources import (
    measure_values,
    resource_measures,
    resources_near_starts,
)
from randomizer.systems.zeroad.installation.game_folders import VARIABLE
from randomizer.systems.zeroad.system import SYSTEM


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)  # and tests find no game elsewhere


def things(*rows):
    return Things(
        Thing(150 + n, kind, x, y, owner=owner) for n, (kind, x, y, owner) in enumerate(rows)
    )


CENTRE = "structures/athen/civil_centre"


def test_what_lies_within_40_tiles_of_a_civil_centre_counts(nothing_installed):
    found = measure_values(
        things(
            (CENTRE, 50, 50, 1),
            ("units/athen/cavalry_javelin_b", 90, 90, 1),
            ("gaia/tree/oak", 50, 90, 0),
            ("gaia/tree/oak", 50, 90.5, 0),
            ("gaia/ore/temperate_large", 60, 50, 0),
            ("gaia/fauna_chicken", 52, 50, 1),
            ("gaia/fauna_sheep", 52, 50, 2),
            (CENTRE, 150, 50, 2),
            ("gaia/fruit/berry_01", 150, 52, 0),
        )
    )
    assert (found["wood-1"], found["metal-1"], found["food-1"]) == (200, 5000, 40)
    assert (found["food-2"], found["food"], found["metal"]) == (200, 40, 0)
    assert found["balance"] == (200 + 5000 + 40) / 200
    assert "wood-3" not in found


def test_without_a_civil_centre_the_middle_of_all_that_is_owned_is_the_start(nothing_installed):
    rows = [("units/female", 10, 10, 1), ("units/female", 30, 10, 1), ("gaia/tree/oak", 60, 10, 0)]
    found = measure_values(things(*rows))
    assert found["wood-1"] == 200
    assert "balance" not in found, "one player has no rival"
    poor = things(*rows, ("units/female", 900, 900, 2))
    assert measure_values(poor)["balance"] == math.inf
    assert measure_values(Things()) == {}


def test_only_the_players_that_a_map_has_are_measured():
    generator = generator_named("Islands")
    assert generator is not None
    names = [each.name for each in measures_of(generator, None, {"Players": 3})]
    assert "wood-3" in names
    assert "wood-4" not in names
    assert "wood-3" not in [each.name for each in measures_of(generator)], "usually two play"


def test_templates_say_what_they_give():
    tree = {"ResourceSupply": {"Max": "350", "Type": "wood.tree"}}
    assert template_amounts(tree).tolist() == [350, 0, 0, 0]
    assert template_amounts({"ResourceSupply": {"Amount": "5", "Type": "stone.rock"}})[1] == 5
    field = {"ResourceSupply": {"Max": "Infinity", "Type": "food.grain"}}
    assert not template_amounts(field).any()
    barrel = {"Treasure": {"Resources": {"food": "100", "metal": "20"}}}
    assert template_amounts(barrel).tolist() == [0, 0, 20, 100]
    assert not template_amounts({"ResourceSupply": "", "Treasure": {"Resources": None}}).any()


@pytest.mark.parametrize(
    ("template", "amounts"),
    [
        ("gaia/tree/baobab", (600, 0, 0, 0)),
        ("gaia/flora_tree_oak", (200, 0, 0, 0)),
        ("gaia/fruit/berry_01", (0, 0, 0, 200)),
        ("gaia/rock/mediterranean_small", (0, 1000, 0, 0)),
        ("gaia/geology_stonemine_medit_quarry", (0, 5000, 0, 0)),
        ("gaia/geology_metal_temperate_slabs", (0, 0, 5000, 0)),
        ("gaia/treasure/metal_persian_big", (0, 0, 300, 0)),
        ("gaia/fish/tuna", (0, 0, 0, 1000)),
        ("actor|props/flora/grass_field.xml", (0, 0, 0, 0)),
        ("structures/athen/storehouse", (0, 0, 0, 0)),
    ],
)
def test_usual_amounts_follow_the_words_of_a_name(template, amounts):
    assert tuple(usual_amounts(template)) == amounts


def test_an_installed_game_says_more_than_names(tmp_path, monkeypatch):
    folder = tmp_path / "mods" / "public" / "simulation" / "templates" / "gaia" / "tree"
    folder.mkdir(parents=True)
    (tmp_path / "mods" / "public" / "mod.json").write_text("{}", "utf-8")
    (folder / "oak.xml").write_text(
        "<Entity><ResourceSupply><Max>777</Max><Type>wood.tree</Type></ResourceSupply></Entity>",
        "utf-8",
    )
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    given = resource_amounts.amounts_lookup()
    assert given("gaia/tree/oak")[0] == 777
    assert given("gaia/tree/elm")[0] == 200, "the game has no such template"


def test_filters_can_name_every_measure():
    known = resource_measures()
    for measure in known:
        wanted = parse_filter(f"{measure.name} < 1.3", SYSTEM, known)
        assert str(wanted) == f"{measure.name} < 1.3"


def test_amounts_of_ten_thousand_entities_are_added_kind_by_kind():
    asked = []

    def given(name):
        asked.append(name)
        return np.ones(4)

    rows = [("gaia/tree/oak", n % 100, n // 100, 0) for n in range(10_000)]
    found = resources_near_starts(things((CENTRE, 50, 50, 1), *rows), given)
    assert sorted(asked) == sorted(["gaia/tree/oak", CENTRE])
    assert found[1][0] > 4000
