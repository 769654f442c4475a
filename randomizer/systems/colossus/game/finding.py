"""Finds the game when a folder or file near it was chosen instead.

A user may choose the game's directory or jar, a directory of variants, a folder above these, or a
battleland inside. ``find_game`` looks at the path itself, then below it, then above it. If there is
no game, it looks for a *begun game*: a directory into which battlelands were exported although the
game itself is elsewhere (``holds_default``).
"""

from __future__ import annotations

from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import user_path
from randomizer.systems.colossus.game.directory import GameDirectory, is_file
from randomizer.systems.colossus.game.variant import DEFAULT

MAX_FOLDERS = 300
"""The largest number of folders that are looked into on each level below the chosen one."""

LEVELS_UP = 3
"""The number of folders between a battleland and the game's directory."""

WHAT_TO_CHOOSE = (
    "Choose the directory that holds Colossus.jar, the jar itself, or a directory of variants "
    "(each a directory Name with a file NameVar.xml)"
)
"""The end of messages for paths near which there is no game."""


def find_game(path: str | Path) -> Path:
    """Return the directory of the game at ``path``, else one below it, else one above it.

    If ``path`` is a jar of the game, it is returned itself. Raises ProblemError, which says what to
    choose, if there is no game, or if there are several below.
    """
    path = user_path(path).absolute()
    if is_game(path):
        return path
    if not path.exists():
        GameDirectory.open(path)  # raises ProblemError, which says why

    # The folder of a file, such as a battleland in a directory of variants.
    folder = path
    if is_file(path):
        folder = path.parent
        if is_game(folder):
            return folder

    # The game may be below this folder, or above it.
    games = _games_below(folder)
    if len(games) == 1:
        return games[0]
    if games:
        names = ", ".join(str(game.relative_to(folder)) for game in games)
        message = f"Colossus is there several times: {names}. Choose one of them"
        raise problem_error("no-game", message, path=str(path))

    game_above = _game_above(folder)
    if game_above is not None:
        return game_above

    # Without a game itself, battlelands may have been exported somewhere near.
    begun_game = _begun_game_near(folder)
    if begun_game is not None:
        return begun_game
    message = f"This is not the game's directory. {WHAT_TO_CHOOSE}"
    raise problem_error("no-game", message, path=str(path))


def is_game(path: Path) -> bool:
    """Return whether there is a jar of the game, or a directory that holds one or variants.

    ``GameDirectory.open`` also takes a directory with nothing but a folder Default, which is no
    game but a begun one.
    """
    try:
        game = GameDirectory.open(path)
    except ProblemError:
        return False
    return is_file(path) or bool(game.jars) or game.has_variants


def holds_default(path: Path) -> bool:
    """Return whether a directory has a folder of the variant Default, as the game's has.

    Battlelands of Default are exported there; its other files are in the jar. So the folder may
    have no Var file, or an empty one, and is no variant then.
    """
    return (path / DEFAULT).is_dir()


def _games_below(folder: Path) -> list[Path]:
    """Return the games among the folders in a folder; without any, those one level further down."""
    folders = _folders(folder)
    games = [path for path in folders if is_game(path)]
    if games:
        return games
    inner_folders = list[Path]()
    for path in folders:
        inner_folders += _folders(path)
    return [path for path in inner_folders[:MAX_FOLDERS] if is_game(path)]


def _game_above(folder: Path) -> Path | None:
    """Return the nearest game above a folder, or in a folder ``variants`` above it.

    None if there is none.
    """
    for parent in _near_parents(folder):
        for path in (parent, parent / "variants"):
            if is_game(path):
                return path
    return None


def _begun_game_near(folder: Path) -> Path | None:
    """Return a directory that ``holds_default``; None if there is none.

    It is the folder itself, or the only such folder in it, or a parent whose folder Default
    contains the folder.
    """
    if holds_default(folder):
        return folder
    begun_games_below = [path for path in _folders(folder) if holds_default(path)]
    if len(begun_games_below) == 1:
        return begun_games_below[0]
    for parent in _near_parents(folder):
        if folder.is_relative_to(parent / DEFAULT):
            return parent
    return None


def _near_parents(folder: Path) -> list[Path]:
    """Return the folders above a folder, the nearest first, up to ``LEVELS_UP`` of them."""
    return list(folder.parents)[:LEVELS_UP]


def _folders(folder: Path) -> list[Path]:
    """Return the first ``MAX_FOLDERS`` folders in a folder, sorted, without hidden ones.

    If it cannot be read there are none.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    folders = [path for path in entries if not path.name.startswith(".") and path.is_dir()]
    return folders[:MAX_FOLDERS]
