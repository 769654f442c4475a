"""``randomizer roll``: which maps, from which script, in which form, to which place."""

from __future__ import annotations

import contextlib
import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from randomizer.batches.map_stream import FIRST_BLOCK
from randomizer.catalog.generators import generators
from randomizer.systems.colossus.battleland.xml_reader import read_battleland
from randomizer.systems.colossus.board import LABELS
from tests.daily import deep_but
from tests.randomizer.cli import ponds
from tests.randomizer.cli.conftest import Run, Terminal
from tests.test_system.installing import package_with

HAS_PACKAGED = bool(generators())
packaged = pytest.mark.skipif(not HAS_PACKAGED, reason="no packaged script is there yet")


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# --- one map ------------------------------------------------------------------------------------


def test_without_more_one_battleland_file_goes_to_standard_output(
    randomizer: Run, script: Path
) -> None:
    said = randomizer("roll", script, "--seed", 17)
    assert (said.code, said.err) == (0, "")
    assert said.text.count("<battlemap ") == 1
    shown = read_battleland(said.out).battlemap
    assert shown is not None
    assert shown.composite().properties.get("title") == "Pond"


def test_the_file_says_in_a_comment_where_it_comes_from(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 17, "--number", 4)
    assert "<!-- Rolled by Battlelands Builder: Pond.rnd, seed 17, map 4 -->" in said.text
    assert str(script.parent) not in said.text


def test_the_same_seed_and_number_give_the_same_bytes(randomizer: Run, script: Path) -> None:
    first = randomizer("roll", script, "--seed", 99, "--number", 12).out
    assert randomizer("roll", script, "--seed", 99, "--number", 12).out == first
    assert randomizer("roll", script, "--seed", 99, "--number", 13).out != first
    assert randomizer("roll", script, "--seed", 98, "--number", 12).out != first


def test_without_a_seed_one_is_chosen_and_said(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script)
    assert said.code == 0
    chosen = re.fullmatch(r"seed (\d+), chosen by the program\n", said.err)
    assert chosen is not None
    assert f"Pond.rnd, seed {chosen[1]} (chosen by the program), map 0" in said.text
    again = randomizer("roll", script, "--seed", chosen[1]).text
    assert again == said.text.replace(" (chosen by the program)", "")


def test_two_commands_choose_two_seeds(randomizer: Run, script: Path) -> None:
    assert randomizer("roll", script).err != randomizer("roll", script).err


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (4294967295, 2**53 - 1)])
def test_the_outermost_seeds_and_numbers_are_fine(
    randomizer: Run, script: Path, seed: int, number: int
) -> None:
    said = randomizer("roll", script, "--seed", seed, "--number", number, "--format", "json")
    assert (said.code, said.err) == (0, "")
    assert (records(said.text)[0]["seed"], records(said.text)[0]["number"]) == (seed, number)


def test_json_is_one_object_a_line_with_all_27_hexes(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 5, "--format", "json")
    assert said.text.count("\n") == 1
    (record,) = records(said.text)
    keys = ["seed", "number", "title", "subtitle", "tower", "startlist", "hexes"]
    assert list(record) == keys
    assert (record["seed"], record["number"]) == (5, 0)
    assert (record["title"], record["subtitle"], record["tower"]) == ("Pond", "Under test", False)
    assert record["startlist"] == ["D4", "A1"]
    assert set(record["hexes"]) == set(LABELS)
    assert record["hexes"]["D4"][:2] == ["Lake", 0]
    assert record["hexes"]["D6"][:2] == ["Volcano", 2]
    assert all(len(letters) == 6 for _, _, letters in record["hexes"].values())


def test_text_ends_with_where_the_map_comes_from(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 5, "--format", "text")
    assert said.text.startswith("Pond - Under test\n")
    assert said.text.endswith("\nRolled by Battlelands Builder: Pond.rnd, seed 5, map 0\n")


def test_an_untitled_script_gives_randomized_and_an_empty_start_list(
    randomizer: Run, tmp_path: Path
) -> None:
    path = tmp_path / "bare.rnd"
    path.write_text("STARTLIST\n")
    (record,) = records(randomizer("roll", path, "--seed", 1, "--format", "json").text)
    assert (record["title"], record["subtitle"]) == ("Randomized!", "Randomized!")
    assert record["startlist"] == []


# --- many maps ----------------------------------------------------------------------------------


def test_count_gives_the_numbers_from_k_on(randomizer: Run, script: Path) -> None:
    many = randomizer("roll", script, "--seed", 3, "--number", 7, "--count", 5, "--format", "json")
    assert [record["number"] for record in records(many.text)] == [7, 8, 9, 10, 11]
    single = randomizer("roll", script, "--seed", 3, "--number", 9, "--format", "json")
    assert single.text == many.text.splitlines(keepends=True)[2]


def test_many_texts_are_parted_by_a_blank_line(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 3, "--count", 2, "--format", "text")
    assert "map 0\n\nPond - " in said.text
    assert said.text.endswith("map 1\n")


def test_each_map_as_xml_needs_a_file(randomizer: Run, script: Path, tmp_path: Path) -> None:
    said = randomizer("roll", script, "--seed", 3, "--count", 2)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer roll ")
    assert "roll: error: --count 2: as xml, each map needs a file: --out DIR/\n" in said.err
    folder = tmp_path / "new" / "maps"
    said = randomizer("roll", script, "--seed", 3, "--count", 2, "--number", 8, "--out", folder)
    assert (said.code, said.out, said.err) == (0, b"", "")
    assert sorted(path.name for path in folder.iterdir()) == ["Pond-3-8.xml", "Pond-3-9.xml"]
    alone = randomizer("roll", script, "--seed", 3, "--number", 9).out
    assert (folder / "Pond-3-9.xml").read_bytes() == alone


def test_many_maps_as_json_go_into_one_file(randomizer: Run, script: Path, tmp_path: Path) -> None:
    path = tmp_path / "maps.jsonl"
    said = randomizer("roll", script, "--seed", 3, "--count", 3, "--out", path)
    assert (said.code, said.out) == (0, b"")
    assert [record["number"] for record in records(path.read_text())] == [0, 1, 2]


@pytest.mark.parametrize(
    "words", deep_but(["", "STARTLIST SOMEOF(2,A1 A2 A3)\n"], "STARTLIST SOMEOF(2,A1 A2 A3)\n")
)
def test_maps_made_at_once_are_those_made_one_after_the_other(
    randomizer: Run, script: Path, tmp_path: Path, words: str
) -> None:
    script.write_text(script.read_text() + words)
    asked = ("roll", script, "--seed", 3, "--number", 4)
    count = FIRST_BLOCK + 20
    many = (*asked, "--count", count, "--format", "json")
    said = randomizer(*many)
    lines = said.out.splitlines(keepends=True)
    assert len(lines) == count
    for at in (*range(12), *range(count - 24, count)):  # those of the first block, of the second
        one = ("roll", script, "--seed", 3, "--number", 4 + at, "--format", "json")
        assert randomizer(*one).out == lines[at]
    assert randomizer(*many, "--out", tmp_path / "maps.json").code == 0
    assert (tmp_path / "maps.json").read_bytes() == said.out


def test_the_first_map_that_cannot_be_made_ends_it(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "half.rnd"
    path.write_text("AREA D4 HAZARDS Fog,50.\n")
    said = randomizer("roll", path, "--seed", 1, "--count", 40, "--format", "json")
    assert said.code == 1
    assert 0 < len(records(said.text)) < 40
    assert f"{path}:1:17: error: " in said.err
    out = tmp_path / "maps.json"
    said = randomizer("roll", path, "--seed", 1, "--count", 40, "--out", out)
    assert said.code == 1
    assert not out.exists(), "a file is written whole or not at all"


# --- where it goes ------------------------------------------------------------------------------


def test_out_writes_a_file_and_nothing_else(randomizer: Run, script: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.xml"
    path.write_text("old")
    path.chmod(0o640)
    said = randomizer("roll", script, "--seed", 3, "--out", path)
    assert (said.code, said.out, said.err) == (0, b"", "")
    assert path.read_bytes() == randomizer("roll", script, "--seed", 3).out
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["Pond.rnd", "map.xml"]


def test_the_suffix_of_out_says_the_format_unless_the_command_does(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    path = tmp_path / "map.txt"
    assert randomizer("roll", script, "--seed", 3, "--out", path).code == 0
    assert path.read_text().startswith("Pond - ")
    assert randomizer("roll", script, "--seed", 3, "--out", path, "--format", "json").code == 0
    assert records(path.read_text())[0]["title"] == "Pond"


@pytest.mark.parametrize("name", ["map.pdf", "map.xyz", "map"])
def test_a_file_whose_suffix_says_no_format_is_not_written(
    randomizer: Run, script: Path, tmp_path: Path, name: str
) -> None:
    odd = tmp_path / name
    said = randomizer("roll", script, "--seed", 3, "--out", odd)
    assert said.code == 2
    assert f"what “{odd}” is to be cannot be told from its suffix (.xml, .json, " in said.err
    assert not odd.exists()
    assert randomizer("roll", script, "--seed", 3, "--out", odd, "--format", "xml").code == 0
    assert odd.read_bytes().startswith(b"<?xml")


def test_a_file_for_many_maps_gets_seed_and_number_for_each(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    for out, options in (("maps.xml", ()), ("my.maps.json", ("--format", "xml"))):
        path = tmp_path / out
        said = randomizer("roll", script, "--seed", 3, "--count", 2, "--out", path, *options)
        assert (said.code, said.err) == (0, "")
        for number in (0, 1):
            alone = randomizer("roll", script, "--seed", 3, "--number", number).out
            assert path.with_stem(f"{path.stem}-3-{number}").read_bytes() == alone
        assert not path.exists()


def test_a_folder_takes_one_map_as_well(randomizer: Run, script: Path, tmp_path: Path) -> None:
    assert randomizer("roll", script, "--seed", 3, "--out", tmp_path).code == 0
    assert (tmp_path / "Pond-3-0.xml").is_file()
    assert randomizer("roll", script, "--seed", 3, "--out", f"{tmp_path}/fresh/").code == 0
    assert (tmp_path / "fresh" / "Pond-3-0.xml").is_file()


def test_places_that_cannot_be_written_are_said(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    nowhere = tmp_path / "no" / "map.xml"
    said = randomizer("roll", script, "--seed", 3, "--out", nowhere)
    assert said.code == 1
    assert said.err.startswith(f"{nowhere}: error: ")
    script.rename(script.with_suffix(""))
    file = script.with_suffix("")
    said = randomizer("roll", "Swamp", "--seed", 3, "--count", 2, "--out", file)
    assert (said.code, said.err) == (1, f"{file}: error: this is a file; a folder is needed\n")
    file.rename(script)
    said = randomizer("roll", script, "--seed", 3, "--out", "")
    assert said.code == 2
    assert (
        randomizer("roll", script, "--seed", 3, "--out", tmp_path / ("x" * 300 + ".xml")).code == 1
    )
    assert randomizer("roll", script, "--seed", 3, "--out", "a\0b.xml").code == 1


def test_a_device_is_written_to_and_not_replaced(randomizer: Run, script: Path) -> None:
    null = Path("/dev/null")
    if not null.is_char_device():
        pytest.skip("this system has no /dev/null")
    assert randomizer("roll", script, "--seed", 3, "--out", null).code == 0
    assert null.is_char_device()
    full = Path("/dev/full")
    if full.is_char_device():
        said = randomizer("roll", script, "--seed", 3, "--out", full)
        assert said.code == 1
        assert "the disk is full" in said.err


# --- which script -------------------------------------------------------------------------------


@packaged
def test_a_packaged_name_is_found_in_any_case(
    randomizer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = generators()[0].name
    said = randomizer("roll", name, "--seed", 1)
    assert (said.code, said.err) == (0, "")
    assert randomizer("roll", name.upper(), "--seed", 1).out == said.out
    assert randomizer("roll", name.lower(), "--seed", 1).out == said.out


@pytest.mark.deep  # each of them is rolled daily by the tests of its system, without the command
@packaged
def test_every_packaged_script_rolls(randomizer: Run) -> None:
    for generator in generators():
        assert randomizer("roll", generator.name, "--seed", 1).code == 0, generator.name


@packaged
def test_a_file_goes_before_a_name_and_a_folder_does_not(
    randomizer: Run, script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = generators()[0].name
    ours = randomizer("roll", name, "--seed", 1).out
    (tmp_path / name).mkdir()
    assert randomizer("roll", name, "--seed", 1).out == ours
    (tmp_path / name).rmdir()
    (tmp_path / name).write_bytes(script.read_bytes())
    said = randomizer("roll", name, "--seed", 1)
    assert said.code == 1
    assert said.err.startswith(f"{name}: error: no system has scripts that end in nothing")


@packaged
def test_a_misspelt_name_gets_advice(randomizer: Run) -> None:
    name = generators()[0].name
    said = randomizer("roll", name + "x", "--seed", 1)
    assert said.code == 1
    assert said.err == (
        f"randomizer: error: there is no script and no generator “{name}x” (did you mean {name}?)\n"
    )
    assert name in randomizer("roll", "zzzzzz", "--seed", 1).err


def test_files_that_are_no_script_are_refused_in_words(randomizer: Run, tmp_path: Path) -> None:
    missing = tmp_path / "no.rnd"
    said = randomizer("roll", missing, "--seed", 1)
    assert (said.code, said.err) == (1, f"{missing}: error: there is no such file\n")
    said = randomizer("roll", tmp_path, "--seed", 1)
    assert (said.code, said.err) == (1, f"{tmp_path}: error: this is a folder, not a script\n")
    binary = tmp_path / "binary.rnd"
    binary.write_bytes(bytes(range(256)) * 9)
    said = randomizer("roll", binary, "--seed", 1)
    assert said.code == 1
    assert said.err.startswith(f"{binary}:1:1: error: ")
    other = tmp_path / "script.exe"
    other.write_text("AREA\n")
    assert "(known: .rnd" in randomizer("roll", other, "--seed", 1).err
    assert randomizer("roll", "a\0b", "--seed", 1).code == 1
    said = randomizer("roll", "", "--seed", 1)
    assert (said.code, said.err) == (1, "randomizer: error: an empty name names no script\n")


def test_a_map_is_not_rolled_but_shown(randomizer: Run, script: Path, tmp_path: Path) -> None:
    for suffix in ("xml", "json", "battlemap"):
        path = tmp_path / f"map.{suffix}"
        assert randomizer("roll", script, "--seed", 1, "--out", path).code == 0
        said = randomizer("roll", path)
        words = f"this is a map, not a script; show it: randomizer show {path}"
        assert (said.code, said.err) == (1, f"{path}: error: {words}\n")


def test_a_place_that_takes_no_files_is_said(randomizer: Run, script: Path) -> None:
    if not Path("/proc/self").is_dir():
        pytest.skip("this system has no /proc")
    for count in (1, 2):
        said = randomizer("roll", script, "--seed", 1, "--count", count, "--out", "/proc/x.json")
        words = "x.json could not be written: this folder takes no new files"
        assert (said.code, said.err) == (1, f"/proc/x.json: error: {words}\n")


def test_many_maps_are_written_while_they_are_made(randomizer: Run, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    path = folder / "maps.json"
    path.write_text("old")

    def look_at_folder_and_interrupt() -> None:
        beside = [each for each in folder.iterdir() if each.suffix == ".tmp"]
        assert sum(each.stat().st_size for each in beside) > 20_000, "it is on the disk"
        assert path.read_text() == "old"
        raise KeyboardInterrupt

    ponds.FIRST_ROLLS[40] = look_at_folder_and_interrupt
    words = ("--lock", "A3", "--count", 99, "--seed", 3, "--out", path)
    with package_with(tmp_path, GENERATORS=("tests.randomizer.cli.ponds",)):
        said = randomizer("roll", "Watched pond", *words)
    assert said.code == 130
    assert said.err.endswith(f"interrupted: {path} has 40 maps\n")
    assert len(records(path.read_text())) == 40
    assert [each.name for each in folder.iterdir()] == ["maps.json"]


def test_a_script_is_named(randomizer: Run) -> None:
    assert randomizer("roll", "", "--seed", 1).code == 1
    assert randomizer("roll", "x" * 5000, "--seed", 1).code == 1


def test_errors_of_a_script_come_with_place_and_picture(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.rnd"
    path.write_text("AREA D4 HAZARDS Bog\n\tLABEL D4=C3\nAREA (1-2 HAZARDS Tree\n")
    said = randomizer("roll", path, "--seed", 1)
    assert (said.code, said.out) == (1, b"")
    lines = said.err.splitlines()
    assert lines[0].startswith(f"{path}:2:8: error: ")
    assert lines[1:3] == ["  \tLABEL D4=C3", "  \t      ^^"]
    assert f"{path}:3:" in said.err


def test_scripts_in_latin_1_show_their_own_letters(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "latin.rnd"
    path.write_bytes(b"# \xdcber\nAREA D7 HAZARDS Bog # Gr\xf6\xdfe\n")
    said = randomizer("roll", path, "--seed", 1)
    assert said.code == 1
    assert "  AREA D7 HAZARDS Bog # Größe\n" in said.err


def test_notes_of_a_roll_are_said_once(randomizer: Run, tmp_path: Path) -> None:
    words = ("--seed", 1, "--count", 3, "--lock", "A3", "--format", "json")
    with package_with(tmp_path, GENERATORS=("tests.randomizer.cli.ponds",)):
        said = randomizer("roll", "Noted pond", *words)
    assert said.code == 0
    assert said.err.count("Pond.rnd: warning: this is odd\n") == 1


# --- settings -----------------------------------------------------------------------------------


def test_a_setting_changes_the_map_and_is_in_the_comment(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 1, "--set", "BaseTerrain=Sand", "--format", "json")
    assert records(said.text)[0]["hexes"]["F4"][0] == "Sand"
    said = randomizer(
        "roll", script, "--seed", 1, "--set", "BaseTerrain=Sand", "--set", "BaseHeight = 1"
    )
    assert "seed 1, map 0, BaseTerrain Sand, BaseHeight 1 -->" in said.text


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (
            "Nothing=1",
            "there is no setting Nothing here (there are: BaseTerrain, BaseHeight, symmetry)",
        ),
        ("BaseTerrain", "“BaseTerrain” is not KEY=VALUE"),
        ("BaseTerrain=Fog", "BaseTerrain cannot be Fog"),
        ("BaseHeight=high", "BaseHeight is a whole number"),
    ],
)
def test_settings_that_are_none_are_wrong_use(
    randomizer: Run, script: Path, setting: str, words: str
) -> None:
    said = randomizer("roll", script, "--seed", 1, "--set", setting)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer roll ")
    assert f"randomizer roll: error: --set: {words}" in said.err


# --- onto ---------------------------------------------------------------------------------------


@pytest.fixture
def moor(tmp_path: Path) -> Path:
    """A map of bogs with a cliff and titles of its own."""
    path = tmp_path / "moor.xml"
    hexes = "".join(
        f'<battlehex x="{x}" y="{y}" terrain="Bog" elevation="1"/>' for x in (1, 5) for y in (2, 3)
    )
    path.write_text(
        '<battlemap terrain="Moor" tower="True" subtitle="Old">'
        f'{hexes}<battlehex x="0" y="2" terrain="Tree" elevation="0"><border number="2" type="c"/>'
        '</battlehex><startlist><battlehexref label="F1"/></startlist></battlemap>'
    )
    return path


def test_rolling_onto_a_map_changes_only_what_is_placed(
    randomizer: Run, tmp_path: Path, moor: Path
) -> None:
    path = tmp_path / "one.rnd"
    path.write_text("AREA D4 HAZARDS Lake\n")
    before = json.loads(randomizer("show", moor, "--format", "json").text)
    said = randomizer("roll", path, "--seed", 1, "--onto", moor, "--format", "json")
    after = records(said.text)[0]
    assert after["hexes"].pop("D4") == ["Lake", 0, "      "]
    del before["hexes"]["D4"]
    assert after["hexes"] == before["hexes"]
    for name in ("title", "subtitle", "tower", "startlist"):
        assert after[name] == before[name]
    said = randomizer("roll", path, "--seed", 1, "--onto", moor)
    assert "Pond" not in said.text
    assert "one.rnd, seed 1, map 0, onto moor.xml -->" in said.text


def test_the_map_below_may_be_of_any_format(
    randomizer: Run, script: Path, moor: Path, tmp_path: Path
) -> None:
    as_json = tmp_path / "moor.json"
    assert randomizer("convert", moor, as_json).code == 0
    arguments = ("--seed", 1, "--format", "json")
    from_xml = randomizer("roll", script, *arguments, "--onto", moor)
    assert randomizer("roll", script, *arguments, "--onto", as_json).out == from_xml.out


def test_a_map_below_that_cannot_be_read_stops_the_roll(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text('<battlemap tower="maybe">\n</battlemap>\n')
    said = randomizer("roll", script, "--seed", 1, "--onto", bad)
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith(f"{bad}:1:")
    assert '  <battlemap tower="maybe">\n' in said.err
    said = randomizer("roll", script, "--seed", 1, "--onto", tmp_path / "none.xml")
    assert (said.code, said.err) == (1, f"{tmp_path / 'none.xml'}: error: there is no such file\n")
    said = randomizer("roll", script, "--seed", 1, "--onto", script)
    assert said.code == 1
    assert "this is a script, not a map" in said.err


# --- locks --------------------------------------------------------------------------------------


def test_a_locked_roll_is_the_ordinary_roll_of_the_number_found(
    randomizer: Run, script: Path
) -> None:
    said = randomizer("roll", script, "--seed", 17, "--lock", "A1=Tree,F2=Bog", "--format", "json")
    assert said.code == 0
    (record,) = records(said.text)
    assert record["hexes"]["A1"][:2] == ["Tree", 0]
    assert record["hexes"]["F2"][:2] == ["Bog", 0]
    number = record["number"]
    rarity = r"(about|roughly) 1 map in [\d.,]+( \(± \d+ %\))?"
    words = rf"map {number} of seed 17 keeps the locks: {rarity}\n"
    assert re.fullmatch(words, said.err)
    plain = randomizer("roll", script, "--seed", 17, "--number", number, "--format", "json")
    assert plain.out == said.out


def test_with_count_the_search_goes_on_behind_the_map_found(randomizer: Run, script: Path) -> None:
    said = randomizer(
        "roll", script, "--seed", 17, "--lock", "A1=Tree", "--count", 4, "--format", "json"
    )
    found = [record["number"] for record in records(said.text)]
    everything = randomizer("roll", script, "--seed", 17, "--count", 200, "--format", "json")
    expected = [r["number"] for r in records(everything.text) if r["hexes"]["A1"][0] == "Tree"]
    assert found == expected[:4]
    assert len(said.err.splitlines()) == 4


def test_a_locked_hexside_is_kept(randomizer: Run, script: Path) -> None:
    for value, letter in (("s", "s"), ("Slope", "s"), ("none", " "), ("-", " ")):
        said = randomizer(
            "roll", script, "--seed", 17, "--lock", f"D6:3={value}", "--format", "json"
        )
        assert records(said.text)[0]["hexes"]["D6"][2][3] == letter


@pytest.mark.parametrize("word", ["Sand/1", "sand/1", "SAND/1", "s/1", "S/1", " sand / 1 "])
def test_terrains_may_be_given_by_letter_and_in_any_case(
    randomizer: Run, script: Path, word: str
) -> None:
    said = randomizer("roll", script, "--seed", 2, "--lock", f"e3={word}", "--format", "json")
    assert records(said.text)[0]["hexes"]["E3"][:2] == ["Sand", 1]


def test_an_alias_is_the_terrain_it_stands_for(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "brush.rnd"
    path.write_text("AREA D4 HAZARDS Brambles,50.\n")
    said = randomizer("roll", path, "--seed", 2, "--lock", "D4=brush", "--format", "json")
    assert records(said.text)[0]["hexes"]["D4"][0] == "Brambles"


def test_a_lock_without_a_value_takes_that_of_the_map_below(
    randomizer: Run, script: Path, moor: Path
) -> None:
    moor.write_text(
        moor.read_text().replace(
            'x="1" y="3" terrain="Bog" elevation="1"', 'x="1" y="3" terrain="Bog" elevation="0"'
        )
    )
    said = randomizer(
        "roll", script, "--seed", 3, "--onto", moor, "--lock", "B2, A3:2", "--format", "json"
    )
    (record,) = records(said.text)
    assert record["hexes"]["B2"][:2] == ["Bog", 0]
    assert record["hexes"]["A3"] == ["Tree", 0, "  c   "]
    assert "keeps the locks" in said.err


def test_without_an_elevation_that_of_the_map_below_counts_else_0(
    randomizer: Run, script: Path, moor: Path
) -> None:
    path = script.with_name("hill.rnd")
    path.write_text("AREA B2 HAZARDS Tree,100.,50.,50.,0.\n")
    arguments = ("roll", path, "--seed", 3, "--lock", "B2=Tree", "--format", "json")
    assert records(randomizer(*arguments).text)[0]["hexes"]["B2"][:2] == ["Tree", 0]
    onto = randomizer(*arguments, "--onto", moor)
    assert records(onto.text)[0]["hexes"]["B2"][:2] == ["Tree", 1]


def test_without_a_map_below_a_bare_lock_means_empty_plains(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 3, "--lock", "A1", "--format", "json")
    assert records(said.text)[0]["hexes"]["A1"][:2] == ["Plains", 0]


def test_a_long_search_for_locks_says_how_far_it_is_and_can_be_broken_off(
    talkative: Run, tmp_path: Path
) -> None:
    rare = tmp_path / "Rare.rnd"
    rare.write_text("AREA D4 HAZARDS Bog,0.0001\n")
    seen = Terminal()
    seen.presses = "tried for the locks"
    with contextlib.redirect_stderr(seen):
        said = talkative("roll", rare, "--seed", 3, "--number", 5, "--lock", "D4=Bog")
    assert (said.code, said.out) == (130, b"")
    lines = seen.getvalue().split("\r")
    assert any("maps from number 5 on tried for the locks (Ctrl-C ends it)" in it for it in lines)
    assert lines[-1] == (
        "interrupted; seed 3: no map from number 5 on was found that keeps the locks\n"
    )


def test_a_search_for_locks_says_nothing_on_the_way_where_nobody_sits(
    talkative: Run, script: Path
) -> None:
    said = talkative("roll", script, "--seed", 3, "--lock", "A1=Tree")
    assert "tried" not in said.err


def test_locks_that_no_map_keeps_are_bad_input(randomizer: Run, script: Path) -> None:
    said = randomizer("roll", script, "--seed", 3, "--lock", "D4=Volcano/2")
    assert (said.code, said.out) == (1, b"")
    assert said.err == f"{script}: error: This script never makes D4 Volcano, elevation 2.\n"


def test_force_puts_back_what_no_map_keeps_and_says_what_breaks(
    randomizer: Run, script: Path
) -> None:
    asked = ("roll", script, "--seed", 3, "--number", 2, "--lock", "D4=Volcano/2", "--force")
    said = randomizer(*asked, "--format", "json")
    assert said.code == 0
    (record,) = records(said.text)
    assert record["hexes"]["D4"][:2] == ["Volcano", 2]
    assert (record["seed"], record["number"]) == (3, None)  # no number makes this map again
    lines = said.err.splitlines()
    assert lines[0] == f"{script}: warning: This script never makes D4 Volcano, elevation 2."
    assert lines[-1] == "map 2 of seed 3, D4 put back by force"
    assert ", map 2, D4 put back by force -->" in randomizer(*asked).text


def test_force_leaves_locks_alone_that_a_map_keeps(randomizer: Run, script: Path) -> None:
    asked = ("roll", script, "--seed", 17, "--lock", "A1=Tree")
    assert randomizer(*asked, "--force").out == randomizer(*asked).out


def test_force_is_no_way_out_of_a_script_with_errors(randomizer: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.rnd"
    broken.write_text("AREA D9 HAZARDS Bog\n")
    said = randomizer("roll", broken, "--seed", 3, "--lock", "D4=Bog", "--force")
    assert said.code == 1


def test_locks_may_come_in_several_options(randomizer: Run, script: Path) -> None:
    together = randomizer("roll", script, "--seed", 17, "--lock", "A1=Tree,F2=Bog")
    apart = randomizer("roll", script, "--seed", 17, "--lock", "A1=Tree", "--lock", "F2=Bog")
    assert apart.out == together.out


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        ("", "“” is no lock"),
        ("D4,", "“” is no lock"),
        ("D4=", "“D4=” is no lock"),
        ("=Bog", "“=Bog” is no lock"),
        ("D7", "the map has no hex “D7”"),
        ("Z9=Bog", "the map has no hex “Z9”"),
        ("D4=Fog", "“D4=Fog” names no terrain; the terrains are Plains p, Tree t"),
        ("D4=/2", "“D4=/2” names no terrain"),
        ("D4=Bog/", "“D4=Bog/” names no elevation"),
        ("D4=Bog/high", "names no elevation; the elevations are 0, 1, 2, 3"),
        ("D4=Bog/99999", "names no elevation"),
        ("D4=Bog/-99999999999", "names no elevation"),
        ("D4:6=c", "“D4:6=c” names no side; the sides are 0 north, 1 north-east"),
        ("D4:=c", "names no side"),
        ("D4:north=c", "names no side"),
        ("D4:0=x", "“D4:0=x” names no hexside; they are d dune, c cliff"),
        ("D4=Bog,D4=Lake", "“D4=Lake” contradicts another lock"),
        ("D4:0=c,D4:0=none", "“D4:0=none” contradicts another lock"),
    ],
)
def test_locks_that_cannot_be_understood_are_wrong_use(
    randomizer: Run, script: Path, lock: str, words: str
) -> None:
    said = randomizer("roll", script, "--seed", 3, "--lock", lock)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer roll ")
    assert words in said.err


# --- wrong use ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("--seed", "4294967296"),
        ("--seed", "-1"),
        ("--seed", "1.5"),
        ("--seed", "x"),
        ("--seed", "9" * 5000),
        ("--seed", "１"),
        ("--number", "9007199254740992"),
        ("--number", "9007199254740991", "--count", "2", "--format", "json"),
        ("--number", "-1"),
        ("--count", "0"),
        ("--count", "-2"),
        ("--format", "png"),
        ("--format", ""),
        ("--see", "1"),
        ("--unknown",),
        ("one", "too", "many"),
        ("--lock",),
    ],
)
def test_wrong_use_ends_with_2_and_a_usage_line(
    randomizer: Run, script: Path, arguments: tuple[str, ...]
) -> None:
    said = randomizer("roll", script, *arguments)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer")
    assert "error: " in said.err
    assert "Traceback" not in said.err
