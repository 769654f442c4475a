"""All that an installed game can place is listed, with what its templates say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.thing_kind import Footprint
from randomizer.model.things.things import Thing, Things
from randomizer.reading.archives import archive_entries
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.template_catalog import (
    forget_catalog,
    latest_catalog,
    read_catalog,
)
from randomizer.systems.zeroad.map.entity_kinds import UNKNOWN
from randomizer.systems.zeroad.system import SYSTEM
from tests.counting import watched_calls
from tests.randomizer.reading.zip_directories import write_directory
from tests.randomizer.systems.zeroad.made_game import install


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install(tmp_path, monkeypatch)


def test_templates_say_their_names_civilisation_and_footprint_with_those_of_their_parents(
    game: Path,
) -> None:
    catalog = read_catalog()
    assert catalog is latest_catalog()
    assert catalog is not None
    fortress = catalog.templates["structures/athen/fortress"]
    assert fortress.civ == "Athenians"
    assert fortress.search_text == "Fortress Teichisma Structure"
    assert fortress.footprint == Footprint(9.0, 3.0), "36 x 12 m; the depth is the parent's"
    assert catalog.templates["structures/athen/theater"].footprint == Footprint(12.5, 12.5, True)
    assert catalog.templates["structures/athen/odd"].footprint is None
    assert catalog.templates["structures/athen/broken"].footprint is None
    assert catalog.actors == {"actor|props/flora/grass.xml"}
    assert catalog.textures == ("medit_cliff_odd", "medit_sand")
    assert catalog.civs == (("athen", "Athenians"), ("rome", "rome"))
    assert not any("template_" in name or "special" in name for name in catalog.templates)


def test_a_game_is_read_again_only_if_it_has_changed(game: Path) -> None:
    first = read_catalog()
    assert read_catalog() is first
    (game / "simulation" / "templates" / "gaia" / "tree" / "elm.xml").write_text("<Entity/>")
    second = read_catalog()
    assert second is not None
    assert second is not first
    assert second.has("gaia/tree/elm")
    (game / "simulation" / "templates" / "gaia" / "tree" / "ash.xml").write_text("<Entity/>")
    assert read_catalog(lambda: True) is None, "cancelled"
    assert latest_catalog() is second
    bounded = read_catalog(max_names=3)
    assert bounded is not None
    assert len(bounded.templates) == 3


def test_placed_templates_have_the_size_that_the_game_gives_them(game: Path) -> None:
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    names = ("structures/athen/fortress", "structures/athen/castle", "gaia/tree/oak")
    battlemap.layers[0].things = Things(Thing(n, name, 1, 1) for n, name in enumerate(names, 1))
    before = {kind.name: kind for kind in SYSTEM.thing_kinds(battlemap)}
    assert before[names[0]].footprint == Footprint(7.5, 7.5), "the usual one of a fortress"
    read_catalog()
    kinds = {kind.name: kind for kind in SYSTEM.thing_kinds(battlemap)}
    assert kinds[names[0]].footprint == Footprint(9.0, 3.0)
    assert (kinds[names[0]].icon, kinds[names[0]].group) == ("base", "Buildings")
    unknown = kinds[names[1]]
    assert (unknown.symbol, unknown.icon, unknown.group) == ("?", "", UNKNOWN)
    assert unknown.footprint is None
    assert kinds[names[2]].footprint is None


def test_all_kinds_of_a_game_are_found_by_group_and_civilisation(game: Path) -> None:
    kinds = {kind.name: kind for kind in SYSTEM.read_further_kinds(lambda: False)}
    assert kinds["structures/athen/fortress"].family == "Athenians"
    assert "Teichisma" in kinds["structures/athen/fortress"].keywords
    assert kinds["actor|props/flora/grass.xml"].group == "Decoration"
    assert kinds["units/athen/hero_pericles"].group == "Units"
    terrains = SYSTEM.further_terrains()
    assert [terrain.name for terrain in terrains] == ["medit_cliff_odd", "medit_sand"]
    assert terrains[0].picture == "Mountains"


def test_without_a_game_the_usual_templates_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZEROAD_DATA", raising=False)
    forget_catalog()
    kinds = {kind.name: kind for kind in SYSTEM.read_further_kinds(lambda: False)}
    assert SYSTEM.lacks_game()
    assert kinds["structures/spart/fortress"].title == "Fortress (Spartans)"
    assert kinds["units/maur/infantry_archer_b"].group == "Units"
    assert {name.split("/")[0] for name in kinds} == {"gaia", "structures", "units"}
    textures = {terrain.name for terrain in SYSTEM.further_terrains()}
    assert {"medit_sand_wet", "temperate_grass_04", "temperate_paving_03"} < textures


def test_two_mods_do_not_forget_each_others_packed_files(tmp_path: Path) -> None:
    """As many entries as release 26 has, and a second mod: each zip file is listed once."""
    mods = [tmp_path / "one.zip", tmp_path / "other.zip"]
    for path in mods:
        write_directory(path, 16_769, name="simulation/{}.json")
    with watched_calls(archive_entries) as calls:
        for _ in range(3):
            assert all(ModFiles(path).exists("simulation/00007.json") for path in mods)
    assert sorted(call["path"] for call in calls) == sorted(map(str, mods))


@pytest.mark.skipif(not os.environ.get("ZEROAD_DATA"), reason="needs 0 A.D. in ZEROAD_DATA")
def test_all_of_a_real_game(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_catalog()
    catalog = read_catalog()
    assert catalog is not None
    assert len(catalog.templates) > 1000
    assert len(catalog.actors) > 3000
    assert len(catalog.textures) > 500
    structures = [name for name in catalog.templates if name.startswith("structures/")]
    lacking = [name for name in structures if catalog.templates[name].footprint is None]
    assert all("wallset" in name or "palisade" in name for name in lacking), lacking
    kinds = SYSTEM.read_further_kinds(lambda: False)
    found = [kind for kind in kinds if "fortress" in kind.title.casefold()]
    assert len({kind.family for kind in found}) > 10
