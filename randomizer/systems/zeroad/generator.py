"""The generators of the catalogue: islands, in Python, and random map scripts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from randomizer.generator import Base, DrawKey, Generating
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.grid import Grid
from randomizer.model.layouts import SQUARE
from randomizer.model.metadata import Metadata, read_metadata
from randomizer.model.setting import Setting
from randomizer.model.system import System
from randomizer.systems.zeroad.system import SYSTEM

MOD = files("randomizer.systems.zeroad") / "mod"
"""The mod with our own scripts, in the form of the game's mods."""

SCRIPTS = MOD / "maps" / "random"


class IslandsGenerator:
    """Islands, made in Python: needs no JavaScript and no game."""

    system: System = SYSTEM
    text = ""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata, self.name = metadata, metadata.name

    settings: tuple[Setting, ...] = (
        Setting(
            "Size",
            int,
            "Tiles along each edge of a new map.",
            256,
            (
                (128, "Tiny, 128"),
                (192, "Small, 192"),
                (256, "Normal, 256"),
                (320, "Medium, 320"),
                (384, "Large, 384"),
                (448, "Very large, 448"),
                (512, "Giant, 512"),
            ),
            title="Size",
        ),
        Setting("Players", int, "Players on the map.", 2, least=1, most=8, title="Players"),
    )

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """The grid of a new map."""
        size = int(str(settings.get("Size", 256)))
        return Grid(SQUARE, size, size)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """One layer, the records, terrain set and grid of the map."""
        from randomizer.systems.zeroad.generated import generated
        from randomizer.systems.zeroad.islands import islands

        given = _map_settings(self.metadata, settings, key)
        data = yield from islands(given, key)
        yield 99
        return generated(data, given, key, base)


def _map_settings(
    metadata: Metadata, chosen: Mapping[str, object], key: DrawKey
) -> dict[str, Any]:
    players = int(str(chosen.get("Players", 2)))
    return {
        "Name": metadata.name,
        "Script": metadata.script,
        "Size": int(str(chosen.get("Size", 256))),
        "Seed": (key.seed + key.number) % SEED_LIMIT,
        "CircularMap": metadata.circular_map,
        "Biome": "generic/aegean",
        "PlayerData": [None, *({"Civ": "athen"} for _player in range(players))],
    }


@cache
def _metadata(name: str) -> Metadata:
    return read_metadata((SCRIPTS / name).read_text("utf-8"), name)


def packaged() -> tuple[IslandsGenerator, ...]:
    """The generators that come with the package, the one of new maps first."""
    return (IslandsGenerator(_metadata("islands.json")),)
