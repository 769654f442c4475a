"""``randomizer roll`` of periods: worlds of Xconq from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from randomizer.storage.files.project import PROJECT
from tests.randomizer.cli.conftest import Run
from tests.randomizer.systems.xconq.worlds import ISLANDS

SMALL = ("--set", "width=24", "--set", "height=16", "--format", "project")


@pytest.fixture
def islands(tmp_path: Path) -> Path:
    path = tmp_path / "islands.per"
    path.write_text(f"{ISLANDS}\nend\n", "latin-1")
    return path


def test_a_period_file_is_rolled_with_its_settings(randomizer: Run, islands: Path) -> None:
    out = islands.with_name("world.battlemap")
    asked = (
        "--seed",
        "7",
        "--set",
        "width=40",
        "--set",
        "height=24",
        "--set",
        "countries=1",
        "--set",
        "alt-roughness=60",
    )
    assert randomizer("roll", str(islands), *asked, "--out", str(out)).code == 0
    battlemap = PROJECT.read(out.read_bytes()).battlemap
    assert battlemap is not None
    assert (battlemap.grid.width, battlemap.grid.height) == (40, 24)
    things = [thing for layer in battlemap.layers for thing in layer.things.values()]
    assert {thing.owner for thing in things} == {0, 1}
    assert battlemap.records["period"].text.startswith(ISLANDS)


def test_without_a_seed_one_of_the_real_program_is_chosen_and_said(randomizer: Run) -> None:
    said = randomizer("roll", "modern", *SMALL)
    assert said.code == 0
    found = re.search(r"seed (\d+), chosen by the program", said.err)
    assert found is not None
    assert int(found[1]) < 134_456


def test_a_world_is_written_as_a_mapfile_that_is_read_again(randomizer: Run, islands: Path) -> None:
    out = islands.with_name("world.map")
    assert randomizer("roll", str(islands), "--seed", "7", "--out", str(out)).code == 0
    assert out.read_bytes().startswith(b"Xconq ")
    checked = randomizer("check", str(out))
    assert checked.code == 0, checked.err


def test_both_packaged_periods_are_listed(randomizer: Run) -> None:
    listed = randomizer("list").out
    assert b"  Modern " in listed
    assert b"  Fantasy " in listed
    assert b"countries " in listed


def test_a_period_is_checked_with_the_files_that_it_includes(
    randomizer: Run, islands: Path
) -> None:
    assert randomizer("check", str(islands)).code == 0
    more = islands.with_name("more.per")
    more.write_text(
        "Xconq 1 -+---- More\nislands.per\nPeriod 1\n5 land @ favored\nend\n", "latin-1"
    )
    assert randomizer("check", str(more)).code == 0
    islands.unlink()
    assert randomizer("check", str(more)).code != 0


def test_where_countries_find_no_place_the_world_is_written_and_that_is_said(
    randomizer: Run, islands: Path
) -> None:
    said = randomizer("roll", str(islands), "--seed", "7", *SMALL, "--set", "countries=20")
    assert said.code == 0
    assert "countries finds no place" in said.err
    assert "fix: set countries to " in said.err


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("width=5", "width cannot be 5 (expected: 9 to 1024)"),
        ("height=wide", "height is a whole number, not wide"),
        ("countries=31", "countries cannot be 31 (expected: 0 to 30)"),
        ("wet-roughness=101", "wet-roughness cannot be 101 (expected: 0 to 100)"),
    ],
)
def test_what_cannot_be_is_said_in_words(randomizer: Run, setting: str, words: str) -> None:
    said = randomizer("roll", "modern", "--seed", "1", "--set", setting)
    assert said.code != 0
    assert words in said.err


def test_a_world_of_another_size_does_not_fit_onto_a_map(randomizer: Run, tmp_path: Path) -> None:
    out = tmp_path / "world.battlemap"
    assert randomizer("roll", "modern", "--seed", "1", "--out", str(out)).code == 0
    onto = ("--onto", str(out), "--seed", "2")
    assert randomizer("roll", "fantasy", *onto, "--format", "project").code == 0
    said = randomizer(
        "roll", "fantasy", *onto, "--set", "width=61", "--set", "height=30", "--format", "project"
    )
    assert said.code != 0
    assert "another grid" in said.err


def test_worlds_are_searched_by_shares(randomizer: Run) -> None:
    said = randomizer(
        "find", "modern", "--seed", "7", "--where", "share(sea) < 64%", "--budget", "9"
    )
    assert said.code == 0, said.err


def test_an_own_period_called_like_one_of_the_library_gets_another_name(
    randomizer: Run, islands: Path
) -> None:
    own = islands.rename(islands.with_name("fantasy.per"))
    out = islands.with_name("new") / "world.map"
    out.parent.mkdir()
    assert randomizer("roll", str(own), "--seed", "7", "--out", str(out)).code == 0
    assert sorted(path.name for path in out.parent.iterdir()) == ["fantasy-2.per", "world.map"]
    assert (out.parent / "fantasy-2.per").read_bytes() == own.read_bytes()
    assert b"\nfantasy-2.per\n" in out.read_bytes()
    assert randomizer("check", str(out)).code == 0
