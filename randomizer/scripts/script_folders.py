"""The folders with scripts that the user added: of own scripts, of games and of mods."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from randomizer.reading.files import user_path

VARIABLE = "BATTLELANDS_SCRIPTS"
"""The variable of the environment that names such folders, parted as those of PATH."""

YOURS = "Your scripts"
"""The origin of scripts in folders that the user added."""

Choice = Callable[[], Iterable[Path]]
"""Gives the folders that the user added in a program."""

_NO_CHOICE: Choice = lambda: ()  # noqa: E731


class _Chosen:
    choice: Choice = staticmethod(_NO_CHOICE)
    mods: tuple[Path, ...] = ()


def choose_folders(choice: Choice = _NO_CHOICE) -> None:
    """Ask ``choice`` for the folders from now on; those of the environment come after them."""
    _Chosen.choice = staticmethod(choice)


def folders() -> tuple[Path, ...]:
    """Return the folders, each once; one need not exist."""
    named = (name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name)
    return tuple(dict.fromkeys((*_Chosen.choice(), *(user_path(name) for name in named))))


def use_mods(mods: Iterable[Path] = ()) -> None:
    """Let the scripts of games see these mods from now on, each going over those before it."""
    _Chosen.mods = tuple(mods)


def mods() -> tuple[Path, ...]:
    """Return the mods of ``use_mods``."""
    return _Chosen.mods
