"""What an installed game says of the choices before a map: sizes, players, civilisations, biomes.

Without a game the usual ones stand in. Source of the usual sizes: the project's facts on 0 A.D.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.settings.metadata import LARGEST_METADATA
from randomizer.model.settings.setting import COLOUR
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData

GAIA = "gaia"
"""The civilisation of the player 0, who owns what nobody owns."""

SETTINGS = "simulation/data/settings/"
BIOMES = "maps/random/rmbiome/"
CIVS = "simulation/data/civs/"

_COLOURS = ("#154bc8", "#b01818", "#4fae2a", "#e0c415", "#35a8a8", "#8f4fc0", "#d8741b", "#5a5a5a")


@dataclass(frozen=True)
class GameData:
    """``sizes``, ``civs`` and ``biomes`` are values with their labels, sorted.

    ``players`` are the defaults of PlayerData, Gaia first. ``resources`` are those a player starts
    with.
    """

    sizes: tuple[tuple[int, str], ...]
    size: int
    players: tuple[Mapping[str, Any], ...]
    civs: tuple[tuple[str, str], ...]
    biomes: tuple[tuple[str, str], ...]
    resources: int = 300


def colour_of(text: str) -> dict[str, int]:
    """Return the game's form of a colour ``#rrggbb``. Raises ValueError for other texts."""
    if not re.fullmatch(COLOUR, text):
        raise ValueError(f"“{text}” is no colour like #1560d0")
    red, green, blue = bytes.fromhex(text[1:])
    return {"r": red, "g": green, "b": blue}


def civ_choices(civs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return civilisations as a form offers them, with their codes: ``Athenians (athen)``."""
    return tuple((code, f"{name} ({code})" if name != code else code) for code, name in civs)


def _usual_players(civs: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    players: list[Mapping[str, Any]] = [_player("Gaia", GAIA, "#ffffff", "")]
    for number, colour in enumerate(_COLOURS):
        players.append(_player(f"Player {number + 1}", civs[number % len(civs)], colour, "petra"))
    return tuple(players)


def _player(name: str, civ: str, colour: str, ai: str) -> Mapping[str, Any]:
    return {"Name": name, "Civ": civ, "Color": colour_of(colour), "AI": ai}


_USUAL_CIVS = {
    "athen": "Athenians",
    "brit": "Britons",
    "cart": "Carthaginians",
    "gaul": "Gauls",
    "iber": "Iberians",
    "kush": "Kushites",
    "mace": "Macedonians",
    "maur": "Mauryas",
    "pers": "Persians",
    "ptol": "Ptolemies",
}
"""The game's names of civilisations by their codes."""

_USUAL_BIOMES = ("aegean", "alpine", "arctic", "autumn", "india", "nubia", "sahara", "savanna")

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
    players=_usual_players(tuple(_USUAL_CIVS)),
    civs=tuple(_USUAL_CIVS.items()),
    biomes=tuple((f"generic/{biome}", biome.title()) for biome in _USUAL_BIOMES),
)
"""The choices where no game is installed."""


def game_data(mods: Sequence[ModFiles]) -> GameData:
    """Return the choices that some mods offer; what they do not say is as in ``USUAL``.

    Kept while the mods do not change.
    """
    return _game_data(tuple((mod.spec, mod.stamp()) for mod in mods))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=4)
def _game_data(stamped: tuple[tuple[str, str], ...]) -> GameData:
    data = ScriptData([ModFiles(spec) for spec, _stamp in stamped])
    listed = _rows(_json(data, f"{SETTINGS}map_sizes.json"), "Data")
    sizes = [each for each in listed if type(each.get("Tiles")) is int and each["Tiles"] > 0]
    resources = _rows(_json(data, f"{SETTINGS}starting_resources.json"), "Data")
    civs = {
        str(each["Code"]): _civ_name(data, str(each["Code"]))
        for path in data.list(CIVS, recurse=False)
        if path.endswith(".json") and "Code" in (each := _object(_json(data, path)))
        if each.get("SelectableInGameSetup") is not False and each["Code"] != GAIA
    }
    players = _rows(_json(data, f"{SETTINGS}player_defaults.json"), "PlayerData")
    return GameData(
        sizes=tuple((size["Tiles"], str(size.get("Name", size["Tiles"]))) for size in sizes)
        or USUAL.sizes,
        size=next((size["Tiles"] for size in sizes if size.get("Default")), USUAL.size),
        players=tuple(players) if len(players) > 1 else USUAL.players,
        civs=tuple(sorted(civs.items())) or USUAL.civs,
        biomes=_biomes(data) or USUAL.biomes,
        resources=next(
            (
                resource["Resources"]
                for resource in resources
                if resource.get("Default") and type(resource.get("Resources")) is int
            ),
            USUAL.resources,
        ),
    )


def _civ_name(data: ScriptData, code: str) -> str:
    identity = _object(_object(data.template(f"special/players/{code}")).get("Identity"))
    return str(identity.get("GenericName") or code)


def _biomes(data: ScriptData) -> tuple[tuple[str, str], ...]:
    """Return the biomes by their ids: their files' paths below rmbiome, without the suffix."""
    result = []
    for path in data.list(BIOMES, recurse=True):
        name = path[len(BIOMES) : -len(".json")]
        if path.endswith(".json") and "/" in name:
            described = _object(_object(_json(data, path)).get("Description"))
            result.append((name, str(described.get("Title", name))))
    return tuple(result)


def _json(data: ScriptData, path: str) -> object:
    try:
        return parse_json((data.text(path) or "null").encode(), largest=LARGEST_METADATA)
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: object, name: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list in an object."""
    rows = _object(value).get(name)
    if isinstance(rows, list):
        return [row for row in rows if isinstance(row, dict)]
    return []
