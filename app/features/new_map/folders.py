"""The folders of scripts and games that the user added to the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.script_folders import choose_folders

if TYPE_CHECKING:
    from app.settings import Settings


def use_folders(settings: Settings) -> None:
    """Let the catalogue look into the folders that the user added."""
    folders = settings.script_folders
    choose_folders(lambda: folders)
