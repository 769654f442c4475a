"""Reads what an installed game offers before a map is made: sizes, players, civilisations, biomes.

    data = game_data(game.mods)
    data.sizes           # ((128, "Tiny"), (192, "Small"), ...)

``map_settings`` makes the settings of a form of it. ``USUAL`` has the same for users without a
game; the source of its sizes is the project's facts on 0 A.D.
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
"""The folder, from the root of a mod, with sizes, players and starting resources."""

BIOMES = "maps/random/rmbiome/"
"""The folder with the biomes."""

CIVS = "simulation/data/civs/"
"""The folder with the civilisations."""

LabelledName = tuple[str, str]
"""A name as scripts know it, and its label in a form."""

# The colours of the players from the first on, where no game is installed.
_COLOURS = ("#154bc8", "#b01818", "#4fae2a", "#e0c415", "#35a8a8", "#8f4fc0", "#d8741b", "#5a5a5a")


@dataclass(frozen=True)
class GameData:
    """The choices that a game offers before a map is made."""

    sizes: tuple[tuple[int, str], ...]
    """The sizes of maps in tiles, each with its label."""
    size: int
    """The size by default."""
    players: tuple[Mapping[str, Any], ...]
    """The usual values of each player, Gaia first, as in the setting "PlayerData" of scripts."""
    civs: tuple[LabelledName, ...]
    """The civilisations, sorted by their codes."""
    biomes: tuple[LabelledName, ...]
    """The biomes, whose names are paths such as "generic/alpine"."""
    resources: int = 300
    """The amount of each resource that a player starts with."""


def colour_of(text: str) -> dict[str, int]:
    """Return the game's form of a colour ``#rrggbb``. Raises ValueError for other texts."""
    if not re.fullmatch(COLOUR, text):
        raise ValueError(f"“{text}” is no colour like #1560d0")
    red, green, blue = bytes.fromhex(text[1:])
    return {"r": red, "g": green, "b": blue}


def civ_choices(civs: Sequence[LabelledName]) -> tuple[LabelledName, ...]:
    """Return civilisations as a form offers them, with their codes: ``Athenians (athen)``."""
    choices = []
    for code, name in civs:
        label = code
        if name != code:
            label = f"{name} ({code})"
        choices.append((code, label))
    return tuple(choices)


def _usual_players() -> tuple[Mapping[str, Any], ...]:
    """Return the defaults of Gaia and of eight players."""
    players: list[Mapping[str, Any]] = [_player("Gaia", GAIA, "#ffffff", "")]
    for number, (civ, colour) in enumerate(zip(_CIVS_OF_PLAYERS, _COLOURS, strict=True), start=1):
        players.append(_player(f"Player {number}", civ, colour, "petra"))
    return tuple(players)


def _player(name: str, civ: str, colour: str, ai: str) -> Mapping[str, Any]:
    """Return the data of a player; ``ai`` names the computer player, "" for none."""
    return {"Name": name, "Civ": civ, "Color": colour_of(colour), "AI": ai}


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
"""The names of civilisations that only later releases have: known, but not offered."""

_CIVS_OF_PLAYERS = ("athen", "brit", "cart", "gaul", "iber", "kush", "mace", "maur")
"""The civilisations that the players have by default where no game is installed."""


def civ_title(code: str) -> str:
    """Return the game's name of a civilisation; the code itself if it is not known."""
    return _USUAL_CIVS.get(code) or _LATER_CIVS.get(code, code)


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
"""The generic biomes of the game; its names of them are these, with a capital."""

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
    biomes=tuple((f"generic/{biome}", biome.title()) for biome in _USUAL_BIOMES),
)
"""The choices where no game is installed."""


def game_data(mods: Sequence[ModFiles]) -> GameData:
    """Return the choices that some mods offer; what they do not say is as in ``USUAL``.

    The result is cached until a file of the mods changes.
    """
    return _game_data(tuple((mod.spec, mod.stamp()) for mod in mods))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=4)
def _game_data(stamped_mods: tuple[tuple[str, str], ...]) -> GameData:
    """Return the choices of mods, each given by its spec and its stamp."""
    data = ScriptData([ModFiles(spec) for spec, _stamp in stamped_mods])
    sizes = _sizes(data)
    tiles_of_sizes = tuple((size["Tiles"], str(size.get("Name", size["Tiles"]))) for size in sizes)
    default_sizes = [size["Tiles"] for size in sizes if size.get("Default")]
    players = _rows(_json(data, f"{SETTINGS}player_defaults.json"), "PlayerData")
    default_players = tuple(players)
    if len(players) < 2:  # none, or Gaia alone
        default_players = USUAL.players
    return GameData(
        sizes=tiles_of_sizes or USUAL.sizes,
        size=next(iter(default_sizes), USUAL.size),
        players=default_players,
        civs=_civs(data) or USUAL.civs,
        biomes=_biomes(data) or USUAL.biomes,
        resources=_resources(data),
    )


def _sizes(data: ScriptData) -> list[Mapping[str, Any]]:
    """Return the entries of the sizes of maps, with ``Tiles``, ``Name`` and ``Default``."""
    entries = _rows(_json(data, f"{SETTINGS}map_sizes.json"), "Data")
    return [entry for entry in entries if type(entry.get("Tiles")) is int and entry["Tiles"] > 0]


def _resources(data: ScriptData) -> int:
    """Return the resources that a player starts with by default."""
    for entry in _rows(_json(data, f"{SETTINGS}starting_resources.json"), "Data"):
        resources = entry.get("Resources")
        if entry.get("Default") and type(resources) is int:
            return resources
    return USUAL.resources


def _civs(data: ScriptData) -> tuple[LabelledName, ...]:
    """Return the civilisations that can be chosen, which Gaia's cannot, sorted by their codes."""
    names: dict[str, str] = {}
    for path in data.list(CIVS, recurse=False):
        if not path.endswith(".json"):
            continue
        civ = _object(_json(data, path))
        is_selectable = civ.get("SelectableInGameSetup") is not False
        if "Code" in civ and civ["Code"] != GAIA and is_selectable:
            code = str(civ["Code"])
            names[code] = _civ_name(data, code)
    return tuple(sorted(names.items()))


def _civ_name(data: ScriptData, code: str) -> str:
    """Return the name of a civilisation, which the template of its players has; else its code."""
    identity = _object(_object(data.template(f"special/players/{code}")).get("Identity"))
    return str(identity.get("GenericName") or code)


def _biomes(data: ScriptData) -> tuple[LabelledName, ...]:
    """Return the biomes by their ids: their files' paths below rmbiome, without the suffix."""
    biomes = []
    for path in data.list(BIOMES, recurse=True):
        biome_id = path[len(BIOMES) : -len(".json")]
        # Files that are in no folder of their own are no biomes.
        if path.endswith(".json") and "/" in biome_id:
            description = _object(_object(_json(data, path)).get("Description"))
            biomes.append((biome_id, str(description.get("Title", title_of_biome(biome_id)))))
    return tuple(biomes)


def title_of_biome(biome_id: str) -> str:
    """Return a title for a biome that the game does not name: "Dry" for "fields_of_meroe/dry"."""
    words = biome_id.rsplit("/", 1)[-1].replace("_", " ").replace("-", " ")
    return words.capitalize()


def _json(data: ScriptData, path: str) -> object:
    """Return the value in a JSON file, None for a file that is missing or damaged."""
    try:
        return parse_json((data.text(path) or "null").encode(), largest=LARGEST_METADATA)
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Mapping[str, Any]:
    """Return a value that is an object, {} for another value."""
    if isinstance(value, dict):
        return value
    return {}


def _rows(value: object, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in a list that is an entry of an object; [] if there is no such list."""
    rows = _object(value).get(name)
    if isinstance(rows, list):
        return [row for row in rows if isinstance(row, dict)]
    return []
