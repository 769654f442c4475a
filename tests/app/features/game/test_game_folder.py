"""The model of a game's places: what is read, what stays known, what all its views are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QThreadPool

from app.features.game.game_folder import GameFolder
from app.features.game.game_maps import read_slot_maps
from tests.app.made_up_game import host, make_game, places, settings_in
from tests.randomizer.systems.colossus.game_on_disk import make_files


@pytest.fixture
def opened(qtbot, tmp_path: Path, game: Path) -> GameFolder:
    found = places(tmp_path, game)
    with qtbot.waitSignal(found.scripts_found):
        found.refresh()
    return found


def test_the_remembered_directory_is_read(opened: GameFolder, game: Path) -> None:
    assert opened.path == game
    assert [group.name for group in opened.groups] == ["Default", "Badlands", "BadlandsJDG"]
    assert opened.group("Badlands").name == "Badlands"
    assert opened.group("Nowhere") is None


def test_a_directory_without_a_game_says_why_and_is_not_remembered(
    qtbot, tmp_path: Path, opened: GameFolder, game: Path
) -> None:
    told = []
    opened.lost.connect(lambda: told.append((opened.busy, opened.problems)))
    (tmp_path / "elsewhere").mkdir()
    opened.choose(tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: len(told) == 2)
    assert [busy for busy, _ in told] == [True, False]
    assert told[1][1][0].code == "no-game"
    assert opened.game is None
    assert opened.groups == ()
    with qtbot.waitSignal(opened.opened):
        opened.refresh()
    assert opened.path == game


def test_a_folder_near_the_game_leads_to_it_and_the_game_is_remembered(
    qtbot, tmp_path: Path, game: Path
) -> None:
    found = places(tmp_path, None)
    with qtbot.waitSignal(found.opened):
        found.choose(game / "Default" / "Battlelands")
    assert found.path == game
    with qtbot.waitSignal(found.opened):
        found.refresh()
    assert found.path == game


def test_only_the_directory_chosen_last_is_opened(qtbot, tmp_path: Path, game: Path) -> None:
    other = make_game(tmp_path / "other")
    found = places(tmp_path, None)
    paths = []
    found.opened.connect(lambda: paths.append(found.path))
    found.choose(game)
    QThreadPool.globalInstance().waitForDone()  # read, but not told yet
    found.choose(other)
    qtbot.waitUntil(lambda: not found.busy)
    assert paths == [other]


def test_without_a_directory_there_is_nothing(qtbot, tmp_path: Path) -> None:
    found = places(tmp_path, None)
    with qtbot.waitSignal(found.lost):
        found.refresh()
    assert not found.busy
    assert found.path is None


def test_the_maps_of_a_variant_are_read_once_for_all_that_ask(qtbot, opened: GameFolder) -> None:
    told = []
    opened.maps_read.connect(told.append)
    default = opened.group("Default")
    assert opened.maps("Default") is None
    opened.read_maps(default)
    opened.read_maps(default)
    qtbot.waitUntil(lambda: opened.maps("Default") is not None)
    assert told == ["Default"]
    maps = opened.maps("Default")
    assert maps["Plains"].battlemap.composite().properties.get("subtitle") == "with a volcano"
    opened.read_maps(default)
    assert told == ["Default", "Default"]
    assert opened.maps("Default") is maps


def test_a_refresh_keeps_what_is_known_until_it_has_read_it_again(
    qtbot, opened: GameFolder, game: Path
) -> None:
    with qtbot.waitSignal(opened.maps_read):
        opened.read_maps(opened.group("Default"))
    opened.refresh()
    assert opened.game is not None
    assert opened.maps("Default") is not None
    qtbot.waitUntil(lambda: not opened.busy)
    assert opened.maps("Default") is None


def test_maps_of_a_game_that_is_left_are_not_told(qtbot, opened: GameFolder, tmp_path) -> None:
    told = []
    opened.maps_read.connect(told.append)
    opened.read_maps(opened.group("Badlands"))
    QThreadPool.globalInstance().waitForDone()
    opened.choose(make_game(tmp_path / "other"))
    qtbot.waitUntil(lambda: not opened.busy)
    assert told == []
    assert opened.maps("Badlands") is None


def test_a_fault_while_maps_are_read_is_a_problem_of_each(
    qtbot, opened: GameFolder, monkeypatch, capsys
) -> None:
    def fail(_group: str, _terrain: str) -> None:
        raise ValueError("broken")

    # A fault of the program's own: no game is known that brings one.
    monkeypatch.setattr(opened.game, "read_map", fail)
    with qtbot.waitSignal(opened.maps_read):
        opened.read_maps(opened.group("Default"))
    found = opened.maps("Default")
    assert list(found) == ["Brush", "Plains", "Tower"]
    assert all(each.problems[0].code == "program-fault" for each in found.values())
    assert "broken" in capsys.readouterr().err


def test_scripts_are_found_below_the_directory_and_are_gone_with_it(
    qtbot, opened: GameFolder, game: Path, tmp_path: Path
) -> None:
    assert opened.scripts == ()
    make_files(game, {"scripts/Dunes.rnd": ""})
    with qtbot.waitSignal(opened.scripts_found):
        opened.find_scripts_or_game()
    assert opened.scripts == (game / "scripts" / "Dunes.rnd",)
    opened.choose(tmp_path)
    assert opened.scripts == ()


def test_a_directory_that_was_out_of_reach_is_looked_for_when_scripts_are(
    qtbot, tmp_path: Path
) -> None:
    found = GameFolder(host(), settings_in(tmp_path, tmp_path / "game"))
    found.refresh()
    qtbot.waitUntil(lambda: not found.busy)
    assert found.problems
    game = make_files(make_game(tmp_path / "game"), {"Dunes.rnd": ""})
    with qtbot.waitSignal(found.scripts_found):
        found.find_scripts_or_game()
    assert found.scripts == (game / "Dunes.rnd",)


def test_a_view_shows_what_is_known_at_once_and_again_when_it_was_read(
    qtbot, opened: GameFolder
) -> None:
    told = []
    opened.follow(lambda: told.append("opened"), lambda: told.append("lost"))
    assert told == ["opened"]
    qtbot.waitUntil(lambda: told == ["opened", "opened"])


def test_all_terrains_are_read_and_one_bad_file_does_not_spoil_the_others(game: Path) -> None:
    make_files(game, {"Default/Battlelands/Brush.xml": "<battlemap"})
    directory = host().open_game(game)
    variant = directory.variant("Default")
    maps = read_slot_maps(host(), directory, variant, None, lambda: False)
    assert maps["Plains"].battlemap is not None
    assert maps["Brush"].battlemap is None
    assert maps["Brush"].problems
    assert maps["Tower"].problems[0].code == "no-battleland"
    assert read_slot_maps(host(), directory, variant, None, lambda: True) == {}
