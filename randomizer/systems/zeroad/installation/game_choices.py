"""The choices that a game offers before a map is made, and those where no game is installed.

    USUAL.sizes                      # ((128, "Tiny"), (192, "Small"), ...)
    civ_title("athen")               # "Athenians"

``game_data`` reads the ``GameData`` of an installed game; ``USUAL`` has the same for users without
one. ``map_settings`` makes the settings of a form of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from randomizer.model.settings.setting import COLOUR

GAIA = "gaia"
"""The civilisation of the player 0, who owns what nobody owns."""

LabelledName = tuple[str, str]
"""A name as scripts know it, such as "athen", and its label in a form: "Athenians"."""


@dataclass(frozen=True)
class GameData:
    """The choices that a game offers before a map is made."""

    sizes: tuple[tuple[int, str], ...]
    """The sizes of maps in tiles, each with its label."""
    size: int
    """The size by default, in tiles."""
    players: tuple[Mapping[str, Any], ...]
    """The usual values of each player, Gaia first, as in the setting "PlayerData" of scripts."""
    civs: tuple[LabelledName, ...]
    """The civilisations, sorted by their codes."""
    biomes: tuple[LabelledName, ...]
    """The biomes, whose names are paths such as "generic/alpine"."""
    resources: int = 300
    """The amount of each resource that a player starts with."""


def civ_choices(civs: Sequence[LabelledName]) -> tuple[LabelledName, ...]:
    """Return civilisations as a form offers them, with their codes: ``Athenians (athen)``."""
    choices = []
    for code, name in civs:
        label = code
        if name != code:
            label = f"{name} ({code})"
        choices.append((code, label))
    return tuple(choices)


def civ_title(code: str) -> str:
    """Return the game's name of a civilisation; the code itself if it is not known."""
    return _USUAL_CIVS.get(code) or _LATER_CIVS.get(code, code)


def biome_title(biome_id: str) -> str:
    """Return a title for a biome that the game does not name: "Dry" for "fields_of_meroe/dry"."""
    words = biome_id.rsplit("/", 1)[-1].replace("_", " ").replace("-", " ")
    return words.capitalize()


def colour_of(text: str) -> dict[str, int]:
    """Return the game's form of a colour ``#rrggbb``. Raises ValueError for other texts."""
    if not re.fullmatch(COLOUR, text):
        raise ValueError(f"“{text}” is no colour like #1560d0")
    red, green, blue = bytes.fromhex(text[1:])
    return {"r": red, "g": green, "b": blue}


# --- where no game is installed -------------------------------------------------------------------

_USUAL_CIVS = {
    "athen": "Athenians",
    "brit": "Britons",
    "cart": "Carthaginians",
    "gaul": "Gauls",
    "han": "Han Chinese",
    "iber": "Iberians",
    "kush": "Kushites",
    "mace": "Macedonians",
    "maur": "Mauryas",
    "pers": "Persians",
    "ptol": "Ptolemies",
    "rome": "Romans",
    "sele": "Seleucids",
    "spart": "Spartans",
}
"""The game's names of the civilisations that all its supported releases have, by their codes."""

_LATER_CIVS = {"germ": "Germans"}
"""The names of civilisations that only later releases have.

They are named if a map has them; without a game a form does not offer them.
"""

_CIVS_AND_COLOURS = (
    ("athen", "#154bc8"),
    ("brit", "#b01818"),
    ("cart", "#4fae2a"),
    ("gaul", "#e0c415"),
    ("iber", "#35a8a8"),
    ("kush", "#8f4fc0"),
    ("mace", "#d8741b"),
    ("maur", "#5a5a5a"),
)
"""The civilisation and the colour that each player has by default, from the first one on."""


def _usual_players() -> tuple[Mapping[str, Any], ...]:
    """Return the defaults of Gaia and of eight players."""
    players: list[Mapping[str, Any]] = [_player("Gaia", GAIA, "#ffffff", "")]
    for number, (civ, colour) in enumerate(_CIVS_AND_COLOURS, start=1):
        players.append(_player(f"Player {number}", civ, colour, "petra"))
    return tuple(players)


def _player(name: str, civ: str, colour: str, ai: str) -> Mapping[str, Any]:
    """Return the data of a player; ``ai`` names the computer player, "" for none."""
    return {"Name": name, "Civ": civ, "Color": colour_of(colour), "AI": ai}


_USUAL_BIOMES = (
    "aegean",
    "alpine",
    "arctic",
    "autumn",
    "india",
    "nubia",
    "sahara",
    "savanna",
    "steppe",
    "temperate",
)
"""The generic biomes that all supported releases have; their titles are these, with a capital."""

USUAL = GameData(
    sizes=(
        (128, "Tiny"),
        (192, "Small"),
        (256, "Normal"),
        (320, "Medium"),
        (384, "Large"),
        (448, "Very large"),
        (512, "Giant"),
    ),
    size=256,
    players=_usual_players(),
    civs=tuple(_USUAL_CIVS.items()),
    biomes=tuple((f"generic/{biome}", biome_title(biome)) for biome in _USUAL_BIOMES),
)
"""The choices where no game is installed: those of all supported releases.

The sizes are those of the game's file simulation/data/settings/map_sizes.json.
"""
