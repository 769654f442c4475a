"""``convert`` with maps of other programs: what is lost is said, codes keep their saved looks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from randomizer.storage.files.combined_terrains import with_looks
from randomizer.storage.files.project import read_project
from randomizer.storage.files.terrain_files import read_terrains, write_terrains
from tests.randomizer.own_terrains import PICTURES
from tests.randomizer.systems.interchange.samples import BOARD, WESNOTH
from tests.randomizer.systems.interchange.scenario_files import SCENARIO, terrain

DIGEST = next(iter(PICTURES))


def test_what_is_lost_is_said_and_a_dry_run_writes_nothing(randomizer, tmp_path: Path) -> None:
    source = tmp_path / "a.board"
    target = tmp_path / "b.map"
    source.write_bytes(BOARD)
    dry = randomizer("convert", str(source), str(target), "--to", "wesnoth", "--dry-run")
    assert (dry.code, target.exists()) == (0, False)
    assert "4 elevations: Wesnoth has none" in dry.err
    assert "2 hexsides or exits: Wesnoth has none" in dry.err
    assert "12 terrains: Wesnoth has no such, the nearest is written" in dry.err
    run = randomizer("convert", str(source), str(target))
    assert run.code == 0
    assert "4 elevations: Wesnoth has none" in run.err
    assert format_named("wesnoth").recognises(target.read_bytes())


def test_an_unchanged_map_is_converted_to_the_same_bytes(randomizer, tmp_path: Path) -> None:
    source, project, target = (tmp_path / name for name in ("a.map", "a.battlemap", "b.map"))
    source.write_bytes(WESNOTH)
    assert randomizer("convert", str(source), str(project)).code == 0
    assert randomizer("convert", str(project), str(target)).code == 0
    assert target.read_bytes() == WESNOTH


def test_codes_have_the_names_and_pictures_of_a_saved_table(randomizer, tmp_path: Path) -> None:
    known = read_checked(format_named("wesnoth"), WESNOTH).battlemap.terrain_set
    terrains = tuple(
        replace(each, name="Donjon", asset=DIGEST) if each.code == "Ke" else each
        for each in known.terrains
        if each.code != "Wo"
    )
    saved, source, target = (tmp_path / name for name in ("w.terrains", "a.map", "a.battlemap"))
    saved.write_bytes(write_terrains(replace(known, terrains=terrains), PICTURES))
    source.write_bytes(b"Wo, Wo\nWo, 1 Ke\n")
    assert randomizer("convert", str(source), str(target), "--terrains", str(saved)).code == 0
    battlemap = read_project(target.read_bytes()).battlemap
    names = [each.name for each in battlemap.terrain_set.terrains]
    assert names[:2] == ["Deep water", "Donjon"]
    assert set(names) == {"Deep water", "Donjon", *(each.name for each in terrains)}
    assert battlemap.values("terrain")[:, 1:].tolist() == [[0, 0], [0, 1]]
    assert battlemap.named_assets[DIGEST] == PICTURES[DIGEST]
    assert format_named("wesnoth").write(battlemap) == source.read_bytes()
    again = with_looks(battlemap.terrain_set, read_terrains(saved.read_bytes()))
    assert again.terrain_set == battlemap.terrain_set


def test_many_maps_are_converted_each_by_itself(randomizer, tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    out = tmp_path / "new" / "out"
    maps.mkdir()
    bad = BOARD.replace(b"size 4 3", b"size 4000 3000")
    for name, data in (("a.map", WESNOTH), ("b.board", BOARD), ("bad.board", bad), ("n.txt", b"")):
        (maps / name).write_bytes(data)
    (tmp_path / "c.board").write_bytes(BOARD)
    command = ("convert", "--folder", str(out), "--to", "textmapper", str(maps))
    dry = randomizer(*command, "--dry-run")
    assert (dry.code, out.exists()) == (1, False)
    run = randomizer(*command, str(tmp_path / "c.board"), str(tmp_path / "none.map"))
    assert run.code == 1
    assert run.out.decode().splitlines() == [
        f"{maps / 'a.map'}: written to {out / 'a.txt'}",
        f"{maps / 'b.board'}: written to {out / 'b.txt'}",
        f"{maps / 'bad.board'}: not converted",
        f"{tmp_path / 'c.board'}: written to {out / 'c.txt'}",
        f"{tmp_path / 'none.map'}: not converted",
    ]
    assert "a map has 1 to" in run.err
    assert "4 elevations: Text Mapper has none" in run.err
    assert sorted(each.name for each in out.iterdir()) == ["a.txt", "b.txt", "c.txt"]


def test_a_file_in_the_folder_is_replaced_only_if_that_is_asked(randomizer, tmp_path: Path) -> None:
    source = tmp_path / "a.map"
    out = tmp_path / "out"
    source.write_bytes(WESNOTH)
    (tmp_path / "a.mask").write_bytes(WESNOTH)
    out.mkdir()
    (out / "a.board").write_text("mine")
    command = ("convert", "--folder", str(out), "--to", "board", str(source))
    refused = randomizer(*command)
    assert refused.code == 1
    assert "is there already (--overwrite)" in refused.err
    assert (out / "a.board").read_text() == "mine"
    assert randomizer(*command, "--overwrite").code == 0
    assert format_named("board").recognises((out / "a.board").read_bytes())
    twice = randomizer(*command, str(tmp_path / "a.mask"), "--overwrite")
    assert twice.code == 1
    assert "another map was written to" in twice.err


def test_a_map_that_cannot_be_written_leaves_its_name_to_the_next(
    randomizer, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    first = out / "a.board"  # a map of Wesnoth all the same: it would replace itself
    second = tmp_path / "a.mask"
    for source in (first, second):
        source.write_bytes(WESNOTH)
    command = ("convert", "--folder", str(out), "--to", "board", "--overwrite")
    run = randomizer(*command, str(first), str(second))
    assert run.code == 1
    assert run.out.decode().splitlines() == [
        f"{first}: not converted",
        f"{second}: written to {first}",
    ]


def test_a_folder_needs_a_format_and_one_map_two_names(randomizer, tmp_path: Path) -> None:
    assert randomizer("convert", "--folder", str(tmp_path), "a.map").code == 2
    run = randomizer("convert", "a.map")
    assert (run.code, "--folder" in run.err) == (2, True)


def test_show_names_codes_by_a_saved_table_and_says_what_a_format_loses(
    randomizer, tmp_path: Path
) -> None:
    known = read_checked(format_named("board"), BOARD).battlemap.terrain_set
    first = replace(known.terrains[0], name="Heath")
    saved = tmp_path / "m.terrains"
    source = tmp_path / "a.board"
    saved.write_bytes(write_terrains(replace(known, terrains=(first, *known.terrains[1:]))))
    source.write_bytes(BOARD)
    shown = randomizer("show", str(source), "--terrains", str(saved))
    assert b" Heath" in shown.out
    run = randomizer("show", str(source), "--format", "wesnoth")
    assert "4 elevations: Wesnoth has none" in run.err


def test_a_scenario_is_written_with_both_its_files(randomizer, tmp_path: Path) -> None:
    source, project, target = (tmp_path / name for name in ("a.xml", "a.battlemap", "b.pmp"))
    source.write_bytes(SCENARIO)
    alone = randomizer("convert", str(source), str(project))
    assert (alone.code, project.exists()) == (1, False)
    message = "its terrain is missing: a.pmp is not beside this scenario"
    assert f"a.xml:1:1: error: {message}" in alone.err
    source.with_suffix(".pmp").write_bytes(terrain())
    assert randomizer("convert", str(source), str(project)).code == 0
    run = randomizer("convert", str(project), str(target), "--to", "pmp")
    assert run.code == 0
    assert "b.xml was written beside it" in run.err
    assert (target.read_bytes(), (tmp_path / "b.xml").read_bytes()) == (terrain(), SCENARIO)


def test_a_rolled_map_is_written_for_atlas(randomizer, tmp_path: Path) -> None:
    target = tmp_path / "green_isles.pmp"
    run = randomizer("roll", "Islands", "--seed", "3", "--set", "Size=128", "--out", str(target))
    assert run.code == 0
    assert b'"Name": "Green isles"' in target.with_suffix(".xml").read_bytes()
    assert read_checked(format_named("pmp"), target.read_bytes(), str(target)).problems == ()


def test_a_scenario_stands_for_the_map_that_it_names(randomizer, tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.map").write_bytes(WESNOTH)
    (tmp_path / "1.cfg").write_text("map_file=a.map\n")
    of_scenario = randomizer("show", tmp_path / "1.cfg")
    assert of_scenario.code == 0
    assert of_scenario.out == randomizer("show", tmp_path / "maps" / "a.map").out


def test_a_world_of_several_maps_is_refused_with_their_names(randomizer, tmp_path: Path) -> None:
    for name in ("a.tmx", "b.tmx"):
        (tmp_path / name).write_bytes(b"<map/>")
    (tmp_path / "w.world").write_text('{"maps": [{"fileName": "a.tmx"}, {"fileName": "b.tmx"}]}')
    shown = randomizer("show", tmp_path / "w.world")
    assert shown.code != 0
    assert "read one of them (a.tmx, b.tmx)" in shown.err
