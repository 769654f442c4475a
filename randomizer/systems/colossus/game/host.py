"""Colossus as a game host: the names of ``games.GameHost``."""

from __future__ import annotations

from randomizer.games import PlaceLevel
from randomizer.storage.export_receipts import BACKUPS, commit_export, receipts, take_back
from randomizer.systems.colossus.battleland.xml_reader import XML as FORMAT
from randomizer.systems.colossus.game.directory import GameDirectory, Variant, VariantTerrain
from randomizer.systems.colossus.game.export import plan_exports
from randomizer.systems.colossus.game.finding import find_game

__all__ = [
    "BACKUPS",
    "FORMAT",
    "commit_export",
    "find_game",
    "plan_exports",
    "receipts",
    "take_back",
]

SYSTEM = "colossus"
TITLE = "Colossus"
PLACE = "the directory that Colossus is started from, or its jar"
LEVELS = (
    PlaceLevel("variant", "MyLands", "A folder of this name is made; it must not have blanks"),
    PlaceLevel("terrain"),
)
MAP = "battleland"
HAS_PICTURES = True

open_game = GameDirectory.open


def origin(variant: Variant, terrain: VariantTerrain) -> str:
    """Where the battleland of a terrain comes from: ``own file``, ``from Default, in the jar``."""
    found = terrain.file
    if found is None:
        return "no battleland"
    if found.inside is None:
        folder = found.path.parent.parent.name
        return "own file" if folder == variant.name else f"file of {folder}"
    folder = found.inside.partition("/")[0]
    return "in the jar" if folder == variant.name else f"from {folder}, in the jar"
