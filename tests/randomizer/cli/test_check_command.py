"""``randomizer check``: every file, every problem, with its place, and the right exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.catalog.script_files import SCRIPT_LIMIT
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.map_format.map_schema import plain_data
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.randomizer.cli.conftest import Run

GOOD = "AREA D4 HAZARDS Bog\n"
MAP = '<battlemap terrain="X" tower="False">{}</battlemap>\n'


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.rnd"
    path.write_text(GOOD)
    return path


def test_of_a_good_script_and_a_good_map_it_says_that_they_are_good(
    randomizer: Run, good: Path, tmp_path: Path
) -> None:
    map_ = tmp_path / "good.xml"
    map_.write_text(MAP.format(""))
    said = randomizer("check", good, map_)
    assert (said.code, said.out) == (0, b"")
    assert said.err == f"{good}: no problems\n{map_}: no problems\n"


def test_errors_name_file_line_and_column_and_show_the_place(
    randomizer: Run, tmp_path: Path
) -> None:
    path = tmp_path / "bad.rnd"
    path.write_text("# a comment\nAREA D4 HAZARD Bog\n")
    said = randomizer("check", path)
    assert (said.code, said.err) == (1, "1 error\n"), "what is found can be piped"
    lines = said.text.splitlines()
    assert lines[0].startswith(f"{path}:2:9: error: ")
    assert lines[1] == "  AREA D4 HAZARD Bog"
    assert lines[2] == "          ^^^^^^"
    assert lines[3].startswith("  fix: ")


def test_warnings_alone_are_fine(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.rnd"
    path.write_text("AREA D4 HAZARDS Plains,50\n")
    said = randomizer("check", path)
    assert said.code == 0
    assert f"{path}:1:" in said.text
    assert ": warning: " in said.text
    assert said.err.endswith("1 warning\n")


def test_all_mistakes_of_a_script_are_told(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "four.rnd"
    path.write_text("AERA D4\nAREA D7 HAZARDS Bog\nLABEL =C3\nPAIR (Bog,0) HEXSIDES c\n")
    said = randomizer("check", path)
    assert said.code == 1
    places = [line.split(": error")[0] for line in said.text.splitlines() if ": error: " in line]
    assert [place.split(":")[-2] for place in places] == ["1", "2", "3", "4"]


def test_a_map_is_checked_for_what_the_builder_warns_of(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.xml"
    path.write_text(
        MAP.format(
            '<battlehex x="2" y="2" terrain="Lake" elevation="0">'
            '<border number="0" type="s"/></battlehex>'
        )
    )
    said = randomizer("check", path)
    assert said.code == 0
    assert f"{path}: warning: C4, north side: a slope stands on elevation 0\n" in said.text
    assert "a Lake has a slope at its side" in said.text
    assert said.err.endswith("2 warnings\n")


def test_a_map_that_its_game_cannot_load_is_bad(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.xml"
    path.write_text('<battlemap tower="False">\n  <battlehex x="9" y="0"/>\n</battlemap>\n')
    said = randomizer("check", path)
    assert said.code == 1
    assert f"{path}:2:" in said.text
    assert '  <battlehex x="9" y="0"/>\n' in said.text


def test_json_maps_are_checked_as_well(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text('{"hexes": {"Z1": ["Plains", 0, "      "]}, "startlist": null}\n')
    said = randomizer("check", path)
    assert said.code == 1
    assert f"{path}:1:1: error: " in said.text


def test_a_mistake_in_a_map_of_0ad_is_told_once(randomizer: Run, tmp_path: Path) -> None:
    data = plain_data(map_data_of(BattleMap.new(ZEROAD, Grid(SQUARE, 16, 16), [Layer(1, "Map")])))
    entity = {"templateName": "gaia/tree", "rotation": {"x": 0, "y": 0, "z": 0}}
    data["entities"] = [
        {"id": 150, "player": 9, "position": {"x": 4, "y": 0, "z": 4}, **entity},
        {"id": 151, "player": 0, "position": {"x": 900, "y": 0, "z": 4}, **entity},
    ]
    data["settings"] = {"PlayerData": [{"Civ": "athen"}]}
    path = tmp_path / "map.json"
    path.write_text(json.dumps(data), "utf-8")
    said = randomizer("check", path)
    warnings = [line for line in said.text.splitlines() if ": warning: " in line]
    assert len(warnings) == 2, said.text
    assert sum("entities[0].player is 9" in line for line in warnings) == 1
    assert sum("entities[1] is outside the map" in line for line in warnings) == 1


def test_a_file_that_cannot_be_read_does_not_keep_others_from_being_checked(
    randomizer: Run, good: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.rnd"
    odd.write_text("AREA D4 HAZARDS Plains,50\n")
    missing = tmp_path / "no.rnd"
    unknown = tmp_path / "notes.doc"
    unknown.write_text("hello")
    said = randomizer("check", missing, tmp_path, unknown, good, odd)
    assert said.code == 1
    assert f"{missing}: error: there is no such file\n" in said.text
    assert f"{tmp_path}: error: this is a folder, not a file\n" in said.text
    assert f"{unknown}: error: this file is of no kind that can be read here" in said.text
    assert f"{odd}:1:" in said.text
    assert said.err.endswith("3 errors, 1 warning\n")


def test_json_lists_every_problem_with_the_same_keys(
    randomizer: Run, good: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.rnd"
    missing = tmp_path / "no.rnd"
    bad.write_text("AREA D4 HAZARD Bog\nTITLE x y\n")
    said = randomizer("check", "--json", bad, good, missing)
    assert (said.code, said.err) == (1, "")
    listed = json.loads(said.out)
    keys = ["path", "line", "column", "severity", "code", "message", "fix"]
    assert all(list(entry) == keys for entry in listed)
    assert {entry["path"] for entry in listed} == {str(bad), str(missing)}
    first = listed[0]
    assert (first["line"], first["column"], first["severity"]) == (1, 9, "error")
    assert isinstance(first["fix"], str)
    last = listed[-1]
    assert (last["line"], last["column"], last["fix"]) == (None, None, None)


def test_json_is_an_empty_list_where_all_is_well(randomizer: Run, good: Path) -> None:
    said = randomizer("check", good, "--json")
    assert (said.code, json.loads(said.out)) == (0, [])


@pytest.mark.parametrize("settings", [{}, {"settings": None}])
def test_metadata_without_settings_are_told_so(
    randomizer: Run, tmp_path: Path, settings: dict[str, object]
) -> None:
    file = tmp_path / "bay.json"
    file.write_text(json.dumps({"Name": "Bay", "Script": "bay.js", **settings}))
    run = randomizer("check", str(file), "--json")
    assert [each["code"] for each in json.loads(run.out)] == ["metadata-settings"]


def test_a_file_given_twice_is_checked_once(randomizer: Run, tmp_path: Path) -> None:
    missing = tmp_path / "no.rnd"
    assert randomizer("check", missing, missing).text.count("no such file") == 1


def test_no_file_at_all_is_wrong_use(randomizer: Run) -> None:
    said = randomizer("check")
    assert said.code == 2
    assert said.err.startswith("usage: randomizer check")


# --- hostile files ------------------------------------------------------------------------------


def test_of_very_many_problems_the_errors_are_printed_first(
    randomizer: Run, tmp_path: Path
) -> None:
    path = tmp_path / "many.rnd"
    path.write_text("AREA D4 HAZARDS Plains,50\n" * 150 + "AREA D4 HAZARD Bog\n")
    said = randomizer("check", path)
    assert said.code == 1
    assert said.text.startswith(f"{path}:151:9: error: ")
    assert f"{path}: and " in said.text
    assert said.text.count("^^\n") <= 101


def test_long_lines_are_cut_round_the_place(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.rnd"
    path.write_text("AREA " + "D4 " * 20_000 + "HAZARD Bog " + "# x" * 10_000)
    said = randomizer("check", path)
    assert said.code == 1
    lines = said.text.splitlines()
    at = next(number for number, line in enumerate(lines) if ":1:60006: error" in line)
    assert all(len(line) < 200 for line in lines[at + 1 : at + 3])
    assert lines[at + 1].startswith("  …")
    assert lines[at + 1][lines[at + 2].index("^") :].startswith("HAZARD Bog")


def test_a_file_cannot_steer_the_terminal(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "evil.rnd"
    path.write_text("AREA D7 \x1b[2J\x07 HAZARDS \u202eBog\x9b31m\n")
    said = randomizer("check", path)
    assert said.code == 1
    assert not set(said.text) & set("\x1b\x07\x9b\u202e")


@pytest.mark.parametrize("suffix", [".rnd", ".xml", ".json", ".txt", ""])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 1000,
        bytes(range(256)),
        b"\xff\xfe<\0b\0",
        b"[" * 100_000,
        b"(" * 100_000,
        b"<a>" * 50_000,
        b'{"hexes": ' * 5_000,
        b"\xef\xbb\xbf",
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>',
        b"AREA " * 20_000,
        b"\r\r\n\n\r" * 1000,
    ],
    ids=lambda data: repr(data[:9]),
)
def test_no_file_brings_the_check_down(
    randomizer: Run, tmp_path: Path, suffix: str, data: bytes
) -> None:
    path = tmp_path / f"hostile{suffix}"
    path.write_bytes(data)
    said = randomizer("check", path)
    assert said.code in (0, 1)
    assert "must not happen" not in said.err
    if said.code:
        assert said.text.startswith(str(path))


def test_a_file_beyond_all_size_is_refused(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "large.rnd"
    path.write_text("#" * (SCRIPT_LIMIT + 1))
    said = randomizer("check", path)
    words = f"the file has more than {SCRIPT_LIMIT:,} bytes"
    assert (said.code, said.text) == (1, f"{path}: error: {words}\n")


def test_a_file_without_permission_is_refused(
    randomizer: Run, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root, who runs tests too, may read every file
    said = randomizer("check", good)
    assert said.code == 1
    assert said.text.startswith(f"{good}: error: the file cannot be read: permission is denied\n")


def test_what_a_game_would_warn_of_is_said_of_maps_in_any_format(randomizer: Run, tmp_path: Path):
    world = tmp_path / "world.map"
    made = randomizer(
        "roll", "Modern", "--seed", "7", "--set", "width=20", "--set", "height=12", "--out", world
    )
    assert made.code == 0
    assert randomizer("check", world).err == f"{world}: no problems\n"
    rows = world.read_text("latin-1").splitlines()
    poles = [row for row, line in enumerate(rows) if line == "20_"]
    rows[poles[0]] = "10_10."
    world.write_text("\n".join(rows) + "\n", "latin-1")
    assert "should have a terrain of their own" in randomizer("check", world).text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.xml", "<!DOCTYPE html>\n<html><body>Colossus</body></html>"),
        ("save.xml", '<ColossusSnapshot version="13"><Variant dir="x"/></ColossusSnapshot>'),
    ],
)
def test_an_xml_file_of_another_kind_is_no_battleland(
    randomizer: Run, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    for verb in ("check", "show"):
        said = randomizer(verb, path)
        assert said.code == 1
        assert "not a map: its root is <" in said.text + said.err
        assert "tower" not in said.text + said.err


def test_an_empty_name_names_no_file(randomizer: Run, tmp_path: Path) -> None:
    words = "randomizer: error: an empty name names no file\n"
    assert (randomizer("show", "").err, randomizer("check", "").text) == (words, words)
    assert randomizer("convert", "", tmp_path / "x.json").err == words
    assert randomizer("roll", "Swamp", "--seed", 1, "--onto", "").err == words


def test_a_map_of_xconq_without_a_period_and_with_its_included_map(
    randomizer: Run, tmp_path: Path
) -> None:
    """No line of the packaged period is given as the map's, no file is missed that is there."""
    small = tmp_path / "small.map"
    units = tmp_path / "units.scn"
    small.write_text("Xconq 0 --+--- A map\nMap 9 9 30 0 0\n" + "9.\n" * 9)
    units.write_text("Xconq 1 ---+-- Units\nsmall.map\nGlobals 3 60 1 0 0 0\n")
    said = randomizer("check", small, units)
    assert said.code == 0
    lines = said.text.splitlines()
    assert [line.split(" On ")[0] for line in lines if "apart" in line] == [
        f"{small}: hint:",
        f"{units}: hint:",
    ]
    assert "must be beside" not in said.text
