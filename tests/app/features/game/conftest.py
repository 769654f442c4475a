"""A made-up game, and small windows that know it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.settings import Settings
from randomizer.storage.disk.backups import Backups
from tests.app.conftest import SmallWindow
from tests.app.made_up_game import make_game, settings_in, small_map


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return make_game(tmp_path / "game")


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("game", "files", "view", "script")


@pytest.fixture
def windows(qtbot, tmp_path: Path, features) -> Callable[[Settings], SmallWindow]:
    """Opens a window with a battleland for the place Plains."""

    def open_window(settings: Settings) -> SmallWindow:
        backups = Backups(tmp_path / "backups")
        window = SmallWindow(small_map("Plains"), settings, features, backups)
        qtbot.addWidget(window)
        window.show()
        return window

    return open_window


@pytest.fixture
def window(windows, tmp_path: Path, game: Path) -> SmallWindow:
    return windows(settings_in(tmp_path, game))
