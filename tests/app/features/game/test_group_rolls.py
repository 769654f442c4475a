"""What slots of a group get: scripts that fit by name, rolls, files, what is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.features.game.group.rolls import (
    CATALOGUE,
    FILE,
    Choice,
    choices_of_text,
    fitting_source,
    make_maps,
    scripts_for,
    text_of_choices,
)
from randomizer.catalog.map_formats import format_named
from randomizer.games.slots import MapSlot
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.files.project import PROJECT
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import SYSTEM as FREE
from tests.app.conftest import cell
from tests.randomizer.systems.colossus.game_on_disk import battleland

XML = format_named("xml")
assert XML is not None


def make(choice: Choice):
    maps = make_maps(SYSTEM, {"Plains": choice}, lambda _percent: None, lambda: False)
    return maps["Plains"]


@pytest.mark.parametrize(
    ("name", "shown", "wanted"),
    [
        ("Brush", "Brush", "Brush"),
        ("Dry Hills", "Dry Hills", "Hills"),
        ("Ash", "Swamp", "Swamp"),
        ("Fort", "Fort", ""),
    ],
)
def test_a_terrain_is_rolled_by_the_script_of_its_name(name, shown, wanted):
    slot = MapSlot(name, shown, None)
    scripts = scripts_for(slot, SYSTEM, ())
    assert fitting_source(slot, scripts) == (CATALOGUE + wanted if wanted else "")


def test_a_script_in_the_game_s_directory_fits_by_its_name_too(tmp_path: Path):
    slot = MapSlot("Fort", "Fort", None)
    scripts = scripts_for(slot, SYSTEM, (tmp_path / "Moor.rnd", tmp_path / "Fort.rnd"))
    assert scripts[0] == ("Fort (file)", FILE + str(tmp_path / "Fort.rnd"))
    assert fitting_source(slot, scripts) == scripts[0][1]


def test_the_same_choice_makes_the_same_map_and_another_number_another():
    one, again, other = (
        XML.write(make(Choice(CATALOGUE + "Swamp", 17, number)).battlemap) for number in (3, 3, 4)
    )
    assert one == again != other


def test_a_script_or_a_map_in_a_file(tmp_path: Path):
    (tmp_path / "one.rnd").write_text("AREA D4 HAZARDS Bog\n")
    (tmp_path / "two.xml").write_text(battleland("two"))
    rolled = make(Choice(f"{FILE}{tmp_path}/one.rnd", 1)).battlemap.composite()
    bog = SYSTEM.terrain_set.terrain_code("Bog")
    assert rolled.planes["terrain"].flat[cell("D4")] == bog
    assert (
        make(Choice(f"{FILE}{tmp_path}/two.xml")).battlemap.composite().properties.get("subtitle")
        == "two"
    )


def test_what_cannot_be_made_says_why_and_the_others_are_made(tmp_path: Path):
    (tmp_path / "bad.rnd").write_text("AREA D4 HAZARD Bog\n")
    free = BattleMap.new(FREE, layers=[Layer(1, "Ground")])
    (tmp_path / "free.battlemap").write_bytes(PROJECT.write(free))
    choices = {
        "script": Choice(f"{FILE}{tmp_path}/bad.rnd"),
        "gone": Choice(f"{FILE}{tmp_path}/gone.rnd"),
        "other": Choice(f"{FILE}{tmp_path}/free.battlemap"),
        "unknown": Choice(CATALOGUE + "Moon"),
        "fine": Choice(CATALOGUE + "Plains"),
    }
    percents: list[int] = []
    made = make_maps(SYSTEM, choices, percents.append, lambda: False)
    assert {name: bool(each.problems) for name, each in made.items()} == {
        "script": True,
        "gone": True,
        "other": True,
        "unknown": True,
        "fine": False,
    }
    assert made["script"].problems[0].line == 1
    assert percents == [20, 40, 60, 80, 100]


def test_a_cancelled_job_ends_at_once():
    choices = dict.fromkeys("abc", Choice(CATALOGUE + "Plains"))
    assert len(make_maps(SYSTEM, choices, lambda _percent: None, lambda: True)) == 1


def test_choices_are_remembered_and_damage_is_passed_over():
    choices = {"Plains": Choice(CATALOGUE + "Plains", SEED_LIMIT - 1, 5, True), "Fort": Choice()}
    assert choices_of_text(text_of_choices(choices)) == choices
    for text in ("", "{", "[]", '{"Fort": 1}', '{"Fort": ["", -1, 0, false]}'):
        assert choices_of_text(text) == {}
    assert choices_of_text(text_of_choices({"Fort": Choice("", 0, NUMBER_LIMIT)})) == {}
