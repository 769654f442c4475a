"""The pictures that a game has of its own: the work of jobs, without a window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QImage

from app.features.game.game_pictures import load_pictures
from app.render.pictures.picture_files import SHOWN_SIDE, png_of
from tests.app.made_up_game import host, png
from tests.randomizer.systems.colossus.game_on_disk import make_files


def load(game: Path, *names: str, cancelled: bool = False):
    return load_pictures(host(), game, names, None, lambda: cancelled)


def test_pictures_that_cannot_be_shown_are_told(game: Path) -> None:
    make_files(
        game,
        {"Default/images/Tree_Hazard.png": png("green"), "Default/images/Sand_Hazard.png": b"no"},
    )
    loaded = load(game, "Tree", "Sand", "Stone")
    assert list(loaded.images) == ["Tree"]
    assert [problem.code for problem in loaded.problems] == ["bad-picture"]
    assert load(game, "Tree", cancelled=True).images == {}


def test_a_picture_that_is_too_large_is_told(game: Path) -> None:
    make_files(game, {"Default/images/Tree_Hazard.png": b"x" * 5_000_001})
    loaded = load(game, "Tree")
    assert loaded.images == {}
    assert loaded.problems[0].code == "too-large"


def test_huge_pictures_are_kept_small_since_all_of_them_are_kept(game: Path) -> None:
    image = QImage(3000, 1500, QImage.Format.Format_Mono)
    image.fill(1)
    make_files(game, {"Default/images/Tree_Hazard.png": png_of(image)})
    picture = load(game, "Tree").images["Tree"]
    assert (picture.width(), picture.height()) == (SHOWN_SIDE, SHOWN_SIDE // 2)
