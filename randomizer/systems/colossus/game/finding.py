"""Finds the game when a folder or file near it was chosen instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import user_path
from randomizer.systems.colossus.game.directory import GameDirectory, is_file
from randomizer.systems.colossus.game.variant import DEFAULT

MAX_FOLDERS = 300
"""At most so many folders below the chosen one are looked into."""

LEVELS_UP = 3
"""A battleland lies so far below the game's directory."""

CHOOSE = (
    "Choose the directory that holds Colossus.jar, the jar itself, or a directory of variants "
    "(each a directory Name with a file NameVar.xml)"
)


def find_game(path: str | Path) -> Path:
    """Return the directory of the game at ``path``, or else below it or above it; ``path`` if a
    jar of it.

    Raises ProblemError, which says what to choose, if there is none, or if there are several below.
    """
    path = user_path(path).absolute()
    if is_game(path):
        return path
    if not path.exists():
        GameDirectory.open(path)  # raises with the reason
    folder = path.parent if is_file(path) else path
    if folder != path and is_game(folder):
        games = [folder]
    else:
        games = _below(folder)
    if not games:
        above = (
            found_game
            for parent in list(folder.parents)[:LEVELS_UP]
            for found_game in _in_sight(parent)
        )
        games = [found_game for found_game in above if is_game(found_game)][:1]
    if len(games) == 1:
        return games[0]
    message = f"This is not the game's directory. {CHOOSE}"
    if not games and holds_default(path):
        return path
    if games:
        names = ", ".join(str(game.relative_to(folder)) for game in games)
        message = f"Colossus is there several times: {names}. Choose one of them"
    raise problem_error("no-game", message, path=str(path))


def is_game(path: Path) -> bool:
    """Return whether there is a jar of the game, or a directory that holds one or variants."""
    try:
        game = GameDirectory.open(path)
    except ProblemError:
        return False
    return is_file(path) or bool(game.jars) or game.has_variants


def holds_default(path: Path) -> bool:
    """Return whether a directory could be the game's, as it has a folder for battlelands of
    Default.
    """
    return (path / DEFAULT).is_dir()


def _below(folder: Path) -> list[Path]:
    """Return the games in a folder: in its folders, or where none has one in the folders of
    these.
    """
    level = _folders(folder)
    for _ in range(2):
        games = [path for path in level if is_game(path)]
        if games:
            return games
        level = [inner for path in level for inner in _folders(path)][:MAX_FOLDERS]
    return []


def _in_sight(folder: Path) -> Iterator[Path]:
    yield folder
    yield folder / "variants"


def _folders(folder: Path) -> list[Path]:
    try:
        inside = sorted(folder.iterdir())[:MAX_FOLDERS]
    except OSError:
        return []  # what may not be read is passed over
    return [path for path in inside if not path.name.startswith(".") and path.is_dir()]
