"""What jobs read from the game's directory: each piece of work by itself, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.features.game.game_reading import (
    committing,
    finding_scripts,
    listing_exports,
    loading_pictures,
    opening,
    planning,
    reading,
    reading_all,
    taking_back,
)
from randomizer.model.problems import ProblemError
from tests.app.made_up_game import host, make_game, png
from tests.randomizer.systems.colossus.game_on_disk import battleland, make_files

MINE = battleland("mine").encode()


def run(work, *, cancelled: bool = False):
    return work(lambda _percent: None, lambda: cancelled)


@pytest.fixture
def game(tmp_path: Path):
    return run(opening(host(), make_game(tmp_path / "game")))


def test_a_game_opens_with_its_variants(game) -> None:
    assert [variant.name for variant in game.variants] == ["Default", "Badlands", "BadlandsJDG"]
    assert game.variant("Badlands").name == "Badlands"
    assert game.variant("Nowhere") is None


def test_a_terrain_is_read_as_the_game_finds_it(game) -> None:
    result = run(reading(host(), game.game, "BadlandsJDG", "Fort"))
    assert result.battlemap.composite().subtitle == "jar Badlands"
    with pytest.raises(ProblemError):
        run(reading(host(), game.game, "Default", "Tower"))


def test_all_terrains_are_read_and_one_bad_file_does_not_spoil_the_others(game) -> None:
    make_files(game.game.root, {"Default/Battlelands/Brush.xml": "<battlemap"})
    maps = {each.terrain: each for each in run(reading_all(host(), game.game, game.variants[0]))}
    assert maps["Plains"].battlemap is not None
    assert maps["Brush"].battlemap is None
    assert maps["Brush"].problems
    assert maps["Tower"].problems[0].code == "no-battleland"
    assert run(reading_all(host(), game.game, game.variants[0]), cancelled=True) == ()


def test_a_preview_has_the_plan_and_the_map_that_is_there_now(game) -> None:
    over = run(planning(host(), game, MINE, "Default", "Plains"))
    assert over.plan.files[0].overwrites
    assert over.now.battlemap.composite().subtitle == "with a volcano"
    new = run(planning(host(), game, MINE, "MyLands", "Brush"))
    assert new.plan.new_variant
    assert new.now.battlemap.composite().subtitle == "jar Default"


def test_an_export_is_listed_and_taken_back(game) -> None:
    plan = run(planning(host(), game, MINE, "MyLands", "Brush")).plan
    receipt = run(committing(host(), plan))
    assert [each.path for each in run(listing_exports(host(), game.game))] == [receipt.path]
    assert run(taking_back(host(), receipt.path)).taken_back
    assert not (game.game.root / "MyLands").exists()


def test_scripts_are_found_below_the_directory(game) -> None:
    make_files(game.game.root, {"scripts/Dunes.rnd": ""})
    assert run(finding_scripts(host(), game.path)) == [game.path / "scripts" / "Dunes.rnd"]


def test_pictures_that_cannot_be_shown_are_told(game) -> None:
    make_files(
        game.path,
        {"Default/images/Tree_Hazard.png": png("green"), "Default/images/Sand_Hazard.png": b"no"},
    )
    loaded = run(loading_pictures(host(), game.path, ["Tree", "Sand", "Stone"]))
    assert list(loaded.images) == ["Tree"]
    assert [problem.code for problem in loaded.problems] == ["bad-picture"]
    assert run(loading_pictures(host(), game.path, ["Tree"]), cancelled=True).images == {}


def test_a_picture_that_is_too_large_is_told(game) -> None:
    make_files(game.path, {"Default/images/Tree_Hazard.png": b"x" * 5_000_001})
    loaded = run(loading_pictures(host(), game.path, ["Tree"]))
    assert loaded.images == {}
    assert loaded.problems[0].code == "too-large"
