"""``randomizer roll cordery``: wargame tables from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run


def test_a_table_is_rolled_as_json_with_its_dice(randomizer: Run) -> None:
    asked = ("--set", "grid=hex", "--set", "size=9x8", "--set", "relief=hilly", "--seed", "7")
    said = randomizer("roll", "cordery", *asked, "--format", "json")
    record = json.loads(said.out)
    assert (record["table"], record["width"], record["height"]) == ("hex", 9, 8)
    assert record["dice"][0].startswith("1.1 Hilly country: D6 = ")
    assert randomizer("roll", "cordery", *asked, "--format", "json").out == said.out


def test_the_text_is_a_list_to_lay_the_table_out_from(randomizer: Run) -> None:
    said = randomizer("roll", "cordery", "--set", "grid=square", "--seed", "7", "--format", "text")
    assert said.code == 0
    assert said.out.startswith(b"Table of 8 x 8 squares\n\nRow 1\n")
    assert b"\nDice\n  1.1 Undulating country: " in said.out
    assert b"Rolled by Battlelands Builder: Cordery, seed 7, map 0, grid square" in said.out


def test_a_table_is_written_to_a_file_and_shown_again(randomizer: Run, tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    assert randomizer("roll", "cordery", "--seed", "3", "--out", str(out)).code == 0
    shown = randomizer("show", str(out))
    assert shown.code == 0
    assert shown.out.startswith(b"Table of 9 x 8 hexes")


def test_a_table_is_rolled_onto_another(randomizer: Run, tmp_path: Path) -> None:
    out = tmp_path / "hills.json"
    only_hills = [f"{name}=0" for name in ("rivers", "roads")]
    only_hills += [f"{name}=no" for name in ("trees", "habitation", "fields")]
    chosen = [part for text in only_hills for part in ("--set", text)]
    assert randomizer("roll", "cordery", *chosen, "--seed", "3", "--out", str(out)).code == 0
    asked = ("--set", "first=trees", "--seed", "3", "--format", "json")
    said = randomizer("roll", "cordery", "--onto", str(out), *asked)
    hills = json.loads(out.read_text())["areas"]
    areas = json.loads(said.out)["areas"]
    assert all(areas[name]["contours"] == area["contours"] for name, area in hills.items())
    assert any("trees" in area.get("ground", "") for area in areas.values())


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (("size=0x8",), "the size of a table is columns x rows"),
        (("relief=steep",), "relief cannot be steep"),
        (("fixed=hills",), "expected: name = value"),
        (("fixed=hills = many",), "hills is a whole number from 0"),
        ((f"fixed=hills = {'9' * 5000}",), "hills is a whole number from 0"),
        ((f"fixed=hills die = {'9' * 5000}",), "hills die is a score from 1 to 6"),
        (("fixed=hills die = -3",), "hills die is a score from 1 to 6"),
        ((f"box=hill = {'9' * 5000}",), "hill: a number from 0 to 999"),
        (("box=castle = 3",), "a box has no “castle”"),
        (("dice=typed",), "enter the score: hills die = 3"),
    ],
)
def test_what_cannot_be_is_said_in_words(
    randomizer: Run, texts: tuple[str, ...], words: str
) -> None:
    asked = [part for text in texts for part in ("--set", text)]
    said = randomizer("roll", "cordery", *asked, "--seed", "1")
    assert said.code in (1, 2)
    assert words in said.err
    assert said.out == b""


def test_a_table_is_no_battleland(randomizer: Run) -> None:
    said = randomizer("roll", "cordery", "--seed", "1", "--format", "xml")
    assert said.code == 1
    assert "cannot hold a Wargame table" in said.err


def test_a_table_in_a_project_can_be_opened_again(randomizer: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.battlemap"
    assert randomizer("roll", "cordery", "--seed", "7", "--out", str(path)).code == 0
    shown = randomizer("show", str(path))
    assert (shown.code, shown.err) == (0, "")
    assert shown.text.startswith("Table of 9 x 8 hexes")


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        ("0404=Lake/1000", "names no elevation; the elevations are 0, 1, 2"),
        ("0404:0=c", "a Wargame table has no hexside"),
        ("0404:0", "a Wargame table has no hexside"),
    ],
)
def test_a_lock_that_no_table_can_have_is_refused(randomizer: Run, lock: str, words: str) -> None:
    said = randomizer("roll", "cordery", "--seed", "1", "--lock", lock)
    assert said.code == 2
    assert words in said.err


def test_a_filter_names_the_areas_of_the_table_that_the_settings_ask_for(randomizer: Run) -> None:
    small = ("--set", "size=6x6", "--set", "lakes=yes", "--budget", "20")
    said = randomizer("find", "cordery", "--where", "0908 = Lake", *small)
    assert said.code == 2
    assert "--where:1:1: error: the board has no hex “0908”" in said.err
    large = ("--set", "size=20x20", "--set", "lakes=yes", "--budget", "20")
    assert randomizer("find", "cordery", "--where", "2020 != Lake", *large).code == 0
