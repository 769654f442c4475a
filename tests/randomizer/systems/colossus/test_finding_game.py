"""The game is found where a folder or file near it was chosen, or it is said what to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.finding import find_game
from tests.randomizer.systems.colossus.game_on_disk import (
    DISK,
    JAR,
    make_files,
    make_game,
    make_jar,
    var,
)


@pytest.mark.parametrize(
    "chosen",
    [
        ".",
        "Colossus.jar",
        "Default",
        "Default/Battlelands",
        "Default/Battlelands/Plains.xml",
        "docs",
        "docs/tools.jar",
        "..",
    ],
)
def test_what_lies_near_the_game_finds_it(tmp_path: Path, chosen: str) -> None:
    root = make_game(tmp_path / "games" / "Colossus")
    make_files(root, {"docs/readme.txt": "", "Default/Battlelands/Plains.xml": ""})
    make_jar(root / "docs/tools.jar", {"a/b.class": "x"})
    found = find_game((root / chosen).resolve())
    assert found == (root / chosen if chosen == "Colossus.jar" else root)
    assert "Badlands" in [each.name for each in GameDirectory.open(found).variants()]


@pytest.mark.parametrize("chosen", [".", "core", "variants", "variants/Mine", "core/src/main"])
def test_a_folder_with_variants_below_or_beside_is_found(tmp_path: Path, chosen: str) -> None:
    make_files(tmp_path, {"core/src/main/Titan.java": "", "variants/Mine/MineVar.xml": var("Mine")})
    make_jar(tmp_path / "other.jar", {"a/b.class": "x"})
    found = find_game(tmp_path / chosen)
    assert found == tmp_path / "variants"
    assert [each.name for each in GameDirectory.open(found).variants()] == ["Default", "Mine"]


def test_the_jar_may_lie_in_a_folder_of_jars(tmp_path: Path) -> None:
    make_files(tmp_path, {"libs/readme.txt": ""})
    make_jar(tmp_path / "libs/core.jar", JAR)
    assert find_game(tmp_path) == tmp_path, "what is exported is read from where the game starts"
    game = GameDirectory.open(tmp_path)
    assert (game.root, [jar.path.name for jar in game.jars]) == (tmp_path, ["core.jar"])


def test_a_folder_with_battlelands_of_default_alone_is_taken_as_before(tmp_path: Path) -> None:
    make_files(tmp_path, {"Default/Battlelands/Plains.xml": ""})
    assert find_game(tmp_path) == tmp_path


def test_several_games_are_named(tmp_path: Path) -> None:
    for name in ("Colossus-13", "Colossus-14"):
        make_files(tmp_path / name, DISK)
        make_jar(tmp_path / name / "Colossus.jar", JAR)
    with pytest.raises(ProblemError, match="Colossus-13, Colossus-14"):
        find_game(tmp_path)


@pytest.mark.parametrize("what", ["empty", "text", "other jar", "deep"])
def test_where_no_game_is_near_it_is_said_what_to_choose(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a" / "b" / "c" / "d"
    path.mkdir(parents=True)
    if what == "text":
        path = path / "notes.txt"
        path.write_text("hello")
    elif what == "other jar":
        path = make_jar(path / "other.jar", {"a/b.class": "x"})
    elif what == "deep":
        make_game(path / "1" / "2" / "3" / "Colossus")
    with pytest.raises(ProblemError, match=r"holds Colossus\.jar, the jar itself, or") as caught:
        find_game(path)
    assert caught.value.problems[0].code == "no-game"


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    make_game(tmp_path / "game")
    with pytest.raises(ProblemError, match="cannot be opened"):
        find_game(tmp_path / "game" / "gone")
