"""Xconq's library as a game host: the names of ``games.GameHost``.

The period language is imported when something is exported: a desk for other games needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.games import ExportPlan, FileGroup, FileSlot, PlaceLevel
from randomizer.storage.export_receipts import BACKUPS, commit_export, receipts, take_back
from randomizer.systems.xconq.game.folder import Library, open_game
from randomizer.systems.xconq.mapfile.mapfile_format import LIBRARY_FORMAT as FORMAT

__all__ = ["BACKUPS", "FORMAT", "commit_export", "open_game", "receipts", "take_back"]

SYSTEM = "xconq"
TITLE = "Xconq"
PLACE = "the library directory of Xconq, with its periods and the menu “mapfiles”"
LEVELS = (PlaceLevel("mapfile", "world.scn", "A file of this name is made; a suffix is added"),)
MAP = "mapfile"
HAS_PICTURES = False


def origin(_group: FileGroup, slot: FileSlot) -> str:
    """Return the file of a mapfile."""
    return slot.file.path.name


def plan_exports(game: Library, maps: Mapping[str, bytes], group: str) -> ExportPlan:
    """Return the plan for mapfiles by their names, with their lines in the menu."""
    from randomizer.systems.xconq.game.export import plan_exports as planned

    return planned(game, maps, group)
