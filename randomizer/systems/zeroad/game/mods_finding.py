"""Where the folder with the mods is."""

from __future__ import annotations

from pathlib import Path

from randomizer.file_reading import user_path
from randomizer.model.problems import ProblemError, error
from randomizer.systems.zeroad.game.mods import Mods
from randomizer.systems.zeroad.installation.installations import user_mod


def usual_place() -> Path:
    """The folder with the mods of this user."""
    return user_mod().parent


def find_game(path: str | Path) -> Path:
    """The folder of the mods where it, a mod in it, or the folder above it was chosen."""
    chosen = user_path(path).absolute()
    for place in (chosen, *chosen.parents):
        if place.name == usual_place().name or place == usual_place():
            return place
        if (place / usual_place().name).is_dir():
            return place / usual_place().name
    raise _no_mods(chosen)


def open_game(path: str | Path) -> Mods:
    """The mods at ``path``. Raises ProblemError if it is no folder of mods.

    The user's own need not be there: a game that was never started has none.
    """
    root = user_path(path).absolute()
    if root != usual_place() and not (root.is_dir() and root.name == usual_place().name):
        raise _no_mods(root)
    return Mods(root)


def _no_mods(path: Path) -> ProblemError:
    words = f"{path.name or path} is not the folder “mods” of 0 A.D., nor above or below one"
    return error("no-game", words, path=str(path))
