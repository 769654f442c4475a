"""0 A.D. as a game host: the names of ``games.GameHost``."""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.games import ExportPlan, FileGroup, FileSlot, PlaceLevel
from randomizer.storage.export_receipts import BACKUPS, commit_export, receipts, take_back
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_for_version
from randomizer.systems.zeroad.game.mods import Mods, find_game, open_game, usual_place

__all__ = [
    "BACKUPS",
    "FORMAT",
    "commit_export",
    "find_game",
    "open_game",
    "plan_for_version",
    "receipts",
    "take_back",
    "usual_place",
    "versions",
]

SYSTEM = "zeroad"
TITLE = "0 A.D."
PLACE = "the folder “mods” with your own mods of 0 A.D."
LEVELS = (
    PlaceLevel("mod"),
    PlaceLevel("script", "my_map", "Letters without accents, digits, _ and -"),
)
MAP = "map"
HAS_PICTURES = False


def origin(mod: FileGroup, script: FileSlot) -> str:
    """Return the mod and the file of a map."""
    return f"{script.file.path.name} of the mod {mod.name}"


def plan_exports(game: Mods, maps: Mapping[str, bytes], group: str) -> ExportPlan:
    """Return the plan for scripts by their names, for the game that is installed."""
    return plan_for_version(game, maps, group, versions()[0])
