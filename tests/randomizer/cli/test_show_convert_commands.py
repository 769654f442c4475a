"""``randomizer show`` and ``convert``: maps from every format into every other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from randomizer.catalog.map_formats import formats_of
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import PROJECT
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import free_map
from tests.randomizer.cli.conftest import Run

MAP = """\
<battlemap terrain="Moor" tower="True" subtitle="Old &amp; wet">
  <battlehex x="3" y="2" terrain="Volcano" elevation="2"><border number="0" type="s"/></battlehex>
  <startlist><battlehexref label="F1"/><battlehexref label="F1"/><battlehexref label="Q9"/>
  </startlist>
</battlemap>
"""


@pytest.fixture
def moor(tmp_path: Path) -> Path:
    path = tmp_path / "moor.xml"
    path.write_text(MAP)
    return path


def shown(randomizer: Run, path: Path) -> Any:
    said = randomizer("show", path, "--format", "json")
    assert said.text.count("\n") == 1
    return json.loads(said.text)


# --- show ---------------------------------------------------------------------------------------


def test_a_map_is_shown_without_the_import_of_what_rolls(moor: Path) -> None:
    code = """
import sys
from randomizer.__main__ import main
main(["show", sys.argv[1]])
sys.exit("randomizer.systems.colossus.generator" in sys.modules)
"""
    process = subprocess.run([sys.executable, "-c", code, moor], capture_output=True, check=False)
    assert process.stderr == b""
    assert process.returncode == 0


def test_show_draws_the_board_as_text(randomizer: Run, moor: Path) -> None:
    said = randomizer("show", moor)
    assert (said.code, said.err) == (0, "")
    assert said.text.startswith("Moor - Old & wet\ntower: yes\n")
    assert "D4 Volcano 2" in said.text
    assert "D4: slope north" in said.text
    assert randomizer("show", moor, "--format", "text").out == said.out


def test_show_as_json_has_no_seed_and_no_number(randomizer: Run, moor: Path) -> None:
    record = shown(randomizer, moor)
    assert list(record) == ["seed", "number", "title", "subtitle", "tower", "startlist", "hexes"]
    assert (record["seed"], record["number"]) == (None, None)
    assert (record["title"], record["subtitle"], record["tower"]) == ("Moor", "Old & wet", True)
    assert record["startlist"] == ["F1", "F1", "Q9"]
    assert record["hexes"]["D4"] == ["Volcano", 2, "s     "]
    assert len(record["hexes"]) == 27


def test_what_a_map_does_not_say_is_null(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.xml"
    for inner in ("", "<startlist/>"):
        path.write_text(f'<battlemap tower="False">{inner}</battlemap>')
        record = shown(randomizer, path)
        assert (record["title"], record["subtitle"], record["startlist"]) == (None, None, None)


def test_show_as_xml_is_what_the_game_loads(randomizer: Run, moor: Path, tmp_path: Path) -> None:
    said = randomizer("show", moor, "--format", "xml")
    again = tmp_path / "again.xml"
    again.write_bytes(said.out)
    assert shown(randomizer, again) == shown(randomizer, moor)
    assert b"Rolled" not in said.out


def test_a_roll_shown_again_is_the_same_map(randomizer: Run, script: Path, tmp_path: Path) -> None:
    path = tmp_path / "rolled.xml"
    randomizer("roll", script, "--seed", 5, "--out", path)
    rolled = json.loads(randomizer("roll", script, "--seed", 5, "--format", "json").text)
    assert shown(randomizer, path) == {**rolled, "seed": None, "number": None}


def test_a_map_that_the_game_would_lose_is_shown_but_bad(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "doctype.xml"
    path.write_text('<!DOCTYPE battlemap SYSTEM "battlemap.dtd">\n' + MAP)
    said = randomizer("show", path)
    assert said.code == 1
    assert said.text.startswith("Moor")
    assert said.err.startswith(f"{path}:1:1: error: Because of this DOCTYPE")


def test_what_is_no_map_is_said(randomizer: Run, script: Path, tmp_path: Path) -> None:
    said = randomizer("show", script)
    assert (said.code, said.out) == (1, b"")
    assert "this is a script, not a map; roll it: randomizer roll " in said.err
    said = randomizer("show", tmp_path / "no.xml")
    assert (said.code, said.err) == (1, f"{tmp_path / 'no.xml'}: error: there is no such file\n")
    bad = tmp_path / "bad.xml"
    bad.write_text("<battlemap tower='False'>\n<battlehex</battlemap>")
    said = randomizer("show", bad)
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith(f"{bad}:2:")
    assert "  <battlehex</battlemap>\n" in said.err


def test_files_in_utf_16_show_their_lines(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "wide.xml"
    path.write_bytes('<battlemap tower="vielleicht">\n</battlemap>\n'.encode("utf-16"))
    said = randomizer("show", path)
    assert said.code == 1
    assert '  <battlemap tower="vielleicht">\n' in said.err


def test_show_refuses_formats_that_are_none(randomizer: Run, moor: Path) -> None:
    said = randomizer("show", moor, "--format", "png")
    assert said.code == 2
    assert "there is no format “png” to write (there are: " in said.err
    assert all(known.name in said.err for known in formats_of(COLOSSUS) if known.writable)
    assert randomizer("show").code == 2


# --- convert ------------------------------------------------------------------------------------


def test_the_suffix_says_the_format(randomizer: Run, moor: Path, tmp_path: Path) -> None:
    as_json = tmp_path / "moor.json"
    as_xml = tmp_path / "again.xml"
    assert randomizer("convert", moor, as_json).code == 0
    assert json.loads(as_json.read_text()) == shown(randomizer, moor)
    assert randomizer("convert", as_json, as_xml).code == 0
    assert as_xml.read_text().startswith("<?xml")
    assert shown(randomizer, as_xml) == shown(randomizer, moor)
    as_text = tmp_path / "moor.TXT"
    said = randomizer("convert", moor, as_text)
    assert (said.code, said.out) == (0, b"")
    assert as_text.read_text().startswith("Moor")


def test_from_and_to_say_it_against_the_suffix(randomizer: Run, moor: Path, tmp_path: Path) -> None:
    odd = tmp_path / "map.dat"
    assert randomizer("convert", moor, odd, "--to", "json").code == 0
    back = tmp_path / "back.json"
    assert randomizer("convert", odd, back, "--from", "json", "--to", "xml").code == 0
    assert back.read_text().startswith("<?xml")
    said = randomizer("convert", moor, back, "--from", "json")
    assert said.code == 1
    assert f"{moor}:1:1: error: This is not JSON" in said.err


def test_what_gets_lost_is_said(randomizer: Run, tmp_path: Path, script: Path) -> None:
    path = tmp_path / "empty.json"
    script.write_text("STARTLIST\n")
    randomizer("roll", script, "--seed", 1, "--out", path)
    out = tmp_path / "out.xml"
    said = randomizer("convert", path, out)
    assert said.code == 0
    assert said.err == (
        f"{out}: hint: An empty start list cannot be written; the file will have none\n"
    )


def test_what_cannot_be_written_leaves_the_file_as_it_was(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    out = tmp_path / "out.xml"
    path.write_text('{"title": "a\\u0001b", "startlist": null, "hexes": {}}')
    out.write_text("precious")
    said = randomizer("convert", path, out)
    assert said.code == 1
    assert "U+0001" in said.err
    assert out.read_text() == "precious"


def test_a_map_may_be_converted_in_place_and_is_mended(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "doctype.xml"
    path.write_text('<!DOCTYPE battlemap SYSTEM "battlemap.dtd">\n' + MAP)
    said = randomizer("convert", path, path)
    assert said.code == 0
    assert f"{path}:1:1: warning: Because of this DOCTYPE" in said.err
    assert "DOCTYPE" not in path.read_text()
    assert [each.name for each in tmp_path.iterdir()] == ["doctype.xml"]
    assert randomizer("show", path).code == 0


def test_show_and_convert_write_a_line_for_each_cell(
    randomizer: Run, moor: Path, tmp_path: Path
) -> None:
    said = randomizer("show", moor, "--format", "cells")
    assert (said.code, said.err) == (0, "")
    assert "D4\t3\t2\tVolcano\t2\t0=s\t\n" in said.text
    target = tmp_path / "moor.out"
    assert randomizer("convert", moor, target, "--to", "cells").code == 0
    assert target.read_bytes() == said.out
    again = randomizer("convert", target, tmp_path / "again.xml", "--from", "cells")
    assert (again.code, "no format “cells” to read" in again.err) == (2, True)


def test_a_suffix_that_says_nothing_is_wrong_use(
    randomizer: Run, moor: Path, tmp_path: Path
) -> None:
    said = randomizer("convert", moor, tmp_path / "map.dat")
    assert said.code == 2
    assert said.err.startswith("usage: randomizer convert ")
    assert (
        "(.xml, .json, .jsonl, .txt, .battlemap, .cells, .uvtt, .dd2vtt, .df2vtt); say --to FORMAT"
        in said.err
    )


@pytest.mark.parametrize("option", [("--from", "text"), ("--from", "x"), ("--to", "x")])
def test_formats_that_are_none_are_wrong_use(
    randomizer: Run, moor: Path, tmp_path: Path, option: tuple[str, str]
) -> None:
    said = randomizer("convert", moor, tmp_path / "out.json", *option)
    assert said.code == 2
    assert "there is no format" in said.err


def test_bad_places_are_said(randomizer: Run, moor: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder.xml"
    folder.mkdir()
    said = randomizer("convert", moor, folder)
    assert said.code == 1
    assert said.err.splitlines()[-1].startswith(f"{folder}: error: ")
    assert randomizer("convert", tmp_path / "no.xml", tmp_path / "out.xml").code == 1
    assert not (tmp_path / "out.xml").exists()


# --- project files --------------------------------------------------------------------------------


def test_a_project_keeps_what_a_battleland_file_cannot_and_goes_back_to_one(
    randomizer: Run, moor: Path, tmp_path: Path
) -> None:
    project = tmp_path / "moor.battlemap"
    back = tmp_path / "back.xml"
    assert randomizer("convert", moor, project).code == 0
    assert randomizer("check", project).code == 0
    assert randomizer("convert", project, back).code == 0
    assert shown(randomizer, back) == shown(randomizer, moor)
    assert randomizer("show", project).text == randomizer("show", moor).text


def test_a_roll_into_a_project_keeps_its_script(randomizer: Run, tmp_path: Path) -> None:
    project = tmp_path / "swamp.battlemap"
    said = randomizer("roll", "Swamp", "--seed", "5", "--out", project)
    assert said.code == 0
    read = PROJECT.read(project.read_bytes()).battlemap
    assert read is not None
    roll = read.layers[-1].roll
    assert roll is not None
    assert (roll.generator, roll.seed) == ("Swamp", 5)


@pytest.mark.parametrize("suffix", [".xml", ".json"])
def test_no_battleland_is_made_of_a_map_of_another_game(
    randomizer: Run, tmp_path: Path, suffix: str
) -> None:
    free = tmp_path / "free.battlemap"
    free.write_bytes(PROJECT.write(free_map(SQUARE, 4, 3)))
    target = tmp_path / f"free{suffix}"
    said = randomizer("convert", free, target)
    assert said.code == 1
    assert "cannot hold a Free map: nothing was written" in said.err
    assert not target.exists()
    assert randomizer("check", free).code == 0


def test_a_damaged_project_is_named(randomizer: Run, moor: Path, tmp_path: Path) -> None:
    project = tmp_path / "moor.battlemap"
    assert randomizer("convert", moor, project).code == 0
    project.write_bytes(project.read_bytes()[:-30])
    said = randomizer("check", project)
    assert said.code == 1
    assert f"{project}: error: this map file is damaged" in said.text


def test_things_are_counted_and_formats_without_them_say_so(
    randomizer: Run, tmp_path: Path
) -> None:
    layers = [Layer(1, "Camp"), Layer(2, "Secret", visible=False)]
    kinds = ("tent", "tent", "fire")
    layers[0].things = Things(Thing(number, kind, 0, 0) for number, kind in enumerate(kinds, 1))
    layers[1].things = Things([Thing(4, "spy", 0, 0)])
    path = tmp_path / "camp.battlemap"
    path.write_bytes(PROJECT.write(BattleMap.new(COLOSSUS, layers=layers)))
    assert "\nThings: 1 fire, 2 tent\n" in randomizer("show", path).text
    said = randomizer("convert", path, tmp_path / "camp.xml")
    assert "3 placed things" in said.err
    assert "placed thing" not in randomizer("check", path).err


@pytest.mark.parametrize("kind", ["symbolic", "hard", "itself"])
def test_a_map_is_not_replaced_by_another_format_through_a_link(
    randomizer: Run, moor: Path, tmp_path: Path, kind: str
) -> None:
    target = tmp_path / "link.battlemap"
    if kind == "symbolic":
        target.symlink_to(moor.name)
    elif kind == "hard":
        target.hardlink_to(moor)
    else:
        target = moor
    said = randomizer("convert", moor, target, "--to", "project")
    assert said.code == 1
    assert f"{target}: error: this is the file that is read" in said.err
    assert (moor.read_text(), target.read_text()) == (MAP, MAP)
    assert randomizer("convert", moor, target, "--to", "xml").code == 0, "the same format"
    assert target.read_text() == MAP, "in its own form"


def test_a_roll_does_not_replace_its_script_or_a_map_of_another_format(
    randomizer: Run, moor: Path, tmp_path: Path
) -> None:
    pond = tmp_path / "pond.rnd"
    script = "TITLE Pond\n"
    link = tmp_path / "link.json"
    pond.write_text(script)
    link.symlink_to(pond.name)
    assert randomizer("roll", pond, "--seed", "1", "--out", link).code == 1
    link.unlink()
    link.symlink_to(moor.name)
    assert randomizer("roll", pond, "--seed", "1", "--onto", moor, "--out", link).code == 1
    assert (pond.read_text(), moor.read_text()) == (script, MAP)
