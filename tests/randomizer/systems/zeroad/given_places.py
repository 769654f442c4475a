"""Folders that tests name as those where games of 0 A.D. may be installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from randomizer.scripts import script_folders
from randomizer.systems.zeroad.installation.game_folders import VARIABLE, GameFolders, look_in


class GivenPlaces(GameFolders):
    """The folders of games, and a user's own mod that need not exist."""

    def __init__(self, *games: Path, user_mod: Path) -> None:
        self._games = games
        self._user_mod = user_mod

    def games(self) -> Iterator[Path]:
        yield from self._games

    def user_mod(self) -> Path:
        return self._user_mod

    def program_folders(self) -> tuple[str, ...]:
        return ()


def find_games_only_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a game be found in ``folder/game`` only and the user's mod in ``folder/user``.

    This holds until the test ends (``tests/conftest.py``).
    """
    look_in(GivenPlaces(folder / "game", user_mod=folder / "user"))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv(script_folders.VARIABLE, "")
