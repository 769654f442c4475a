"""Reading the pictures of a game: the work of a job, without widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage

from randomizer.games import GameHost
from randomizer.model.problems import Problem, ProblemError, Severity


@dataclass(frozen=True, slots=True)
class LoadedPictures:
    """A game's pictures by the terrain's name, and those that could not be read."""

    images: dict[str, QImage]
    problems: tuple[Problem, ...]


def loading_pictures(
    host: GameHost, path: Path, names: Iterable[str]
) -> Callable[..., LoadedPictures]:
    """The game's own pictures of the terrains ``names``, as ``LoadedPictures``."""
    names = tuple(names)

    def work(_progress: object, cancelled: Callable[[], bool]) -> LoadedPictures:
        game = host.open_game(path)
        images: dict[str, QImage] = {}
        problems: list[Problem] = []
        for name in names:
            if cancelled():
                break
            try:
                data = game.picture(name)
            except ProblemError as reason:
                problems += reason.problems
                continue
            if data is None:
                continue
            image = QImage.fromData(data)
            if image.isNull():
                problems.append(_no_picture(name))
            else:
                images[name] = image
        return LoadedPictures(images, tuple(problems))

    return work


def _no_picture(name: str) -> Problem:
    text = f"The game's picture of {name} is of no kind that can be shown; ours is used"
    return Problem(Severity.WARNING, "bad-picture", text)
