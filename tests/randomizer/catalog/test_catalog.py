"""The catalogue: everything in it can be found by name, by content and by suffix.

What holds of every part of it is tested by ``randomizer.conformance``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.catalog.file_kinds import is_map, is_script
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generator_named, generators, generators_of
from randomizer.catalog.map_formats import format_named, formats
from randomizer.catalog.script_files import SCRIPT_LIMIT, read_script
from randomizer.catalog.scripts import generator_for_script, script_hosts
from randomizer.catalog.systems import fairness_model_of, game_host, systems
from randomizer.formats.held_systems import can_write
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.system.abilities import Ability
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.map_strategies import TOY

MAP = BattleMap.new(
    SYSTEM, layers=[Layer(1, "Ground", properties={"title": "Moor", "tower": False})]
)
XML, JSON = (format_named(name) for name in ("xml", "json"))
assert XML is not None
assert JSON is not None


# --- generators -----------------------------------------------------------------------------------


def test_a_name_of_several_words_can_be_typed_as_one() -> None:
    found = generator_named("River valley")
    assert found is not None
    assert {generator_named(name).name for name in ("river_valley", "River-Valley")} == {found.name}


def test_a_generator_is_found_in_any_case_of_letters() -> None:
    for generator in generators():
        for name in (generator.name, generator.name.lower(), generator.name.upper()):
            assert generator_named(name) is generator
    assert generator_named("Atlantis") is None
    assert generator_named("") is None


def test_a_script_of_ones_own_is_not_of_the_catalogue() -> None:
    generator = generator_for_script("TOWER\n", "My moor.RND", path="/moor/My moor.RND")
    assert (generator.name, generator.metadata.script) == ("", "My moor.RND")
    assert generator.text == "TOWER\n"


def test_a_script_without_a_host_is_said_of_its_path() -> None:
    with pytest.raises(ProblemError, match=r"no system has scripts that end in \.doc") as caught:
        generator_for_script("", "Moor.doc", path="/moor/Moor.doc")
    assert caught.value.problems[0].path == "/moor/Moor.doc"


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="there is no such file") as caught:
        read_script(tmp_path / "Moor.rnd")
    assert caught.value.problems[0].path == str(tmp_path / "Moor.rnd")


def test_a_file_that_is_too_large_for_a_script_is_not_read_in_part(tmp_path: Path) -> None:
    path = tmp_path / "Moor.rnd"
    path.write_bytes(b"TOWER\n" * (SCRIPT_LIMIT // 6 + 1))
    with pytest.raises(ProblemError, match="more than 4,000,000 bytes"):
        read_script(path)


# --- formats --------------------------------------------------------------------------------------


def test_a_format_is_found_by_its_word() -> None:
    assert formats()[0] is format_named("xml") is XML
    assert format_named("bmp") is None


def test_what_a_format_writes_it_recognises_and_reads() -> None:
    for known in formats():
        if known.readable and can_write(known, MAP):
            data = known.write(MAP)
            assert format_for(data, "no suffix") is known
            read = known.read(data).battlemap
            assert read is not None
            assert read.composite().same_as(MAP.composite())


def test_content_counts_before_the_suffix() -> None:
    for known in (XML, JSON):
        for path in ("map.xml", "map.json", "map.txt", "map"):
            assert format_for(known.write(MAP), path) is known


def test_whole_json_of_no_format_is_of_none() -> None:
    with pytest.raises(ProblemError) as caught:
        format_for(b"{}", "Map.json")
    assert caught.value.problems[0].code == "format-unknown"
    assert "Wargame table as JSON" in str(caught.value)


@pytest.mark.parametrize("data", [b"nothing known", b"\xff\xfe\x00", b"<html/>", b"{"])
def test_unknown_content_goes_by_the_suffix(data: bytes) -> None:
    assert format_for(data, "/moor/Map.XML") is XML
    assert format_for(data, "Map.json") is JSON
    for path in ("Map.doc", "Map", "xml"):
        with pytest.raises(ProblemError) as caught:
            format_for(data, path)
        (problem,) = caught.value.problems
        assert problem.path == path
        assert "of no kind that can be read here" in problem.message


# --- games ----------------------------------------------------------------------------------------


def test_a_system_may_have_a_game_that_plays_its_maps() -> None:
    host = game_host(SYSTEM)
    assert host is not None
    assert host.format is XML
    assert game_host(TOY) is None


@pytest.mark.parametrize("system", systems(), ids=lambda system: system.name)
def test_a_system_says_what_the_catalogue_has_for_its_maps(system):
    scripts = [
        host.generator(SourceText("", f"script{host.suffixes[0]}")).system
        for host in script_hosts()
    ]
    assert system.abilities == {
        ability
        for ability, there in (
            (Ability.ROLLS, bool(generators_of(system))),
            (Ability.SCRIPTS, system in scripts),
            (Ability.SETTINGS, system.name == "free"),
            (Ability.FAIRNESS, fairness_model_of(system) is not None),
        )
        if there
    }


@pytest.mark.parametrize("name", ["e.map", "e.scn", "e.xml"])
@pytest.mark.parametrize("data", [b"", b"\n\n", b"hello world"])
def test_a_file_of_unknown_content_with_the_suffix_of_maps_is_a_wrong_map(name, data):
    assert not is_script(name, data)
    assert is_map(name, data)
    assert is_script("e.per", data)
    assert is_script("e.js", data)
