"""Reads the choices that an installed game offers: sizes, players, civilisations, biomes.

    data = game_data(game.mods)
    data.sizes           # ((128, "Tiny"), (192, "Small"), ...)

They stand in JSON files of the mods, which can be missing or damaged::

    simulation/data/settings/map_sizes.json       {"Data": [{"Tiles": 128, "Name": "Tiny"}, ...]}
    simulation/data/settings/player_defaults.json {"PlayerData": [{"Name": "Gaia", ...}, ...]}
    simulation/data/civs/athen.json               {"Code": "athen", ...}
    maps/random/rmbiome/generic/alpine.json       {"Description": {"Title": "Alpine"}, ...}

What the mods do not say is as in ``game_choices.USUAL``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.settings.metadata import LARGEST_METADATA
from randomizer.systems.zeroad.installation.game_choices import (
    GAIA,
    USUAL,
    GameData,
    LabelledName,
    biome_title,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData

SETTINGS = "simulation/data/settings/"
"""The folder, from the root of a mod, with sizes, players and starting resources."""

BIOMES = "maps/random/rmbiome/"
"""The folder with the biomes."""

CIVS = "simulation/data/civs/"
"""The folder with the civilisations."""


def game_data(mods: Sequence[ModFiles]) -> GameData:
    """Return the choices that some mods offer; what they do not say is as in ``USUAL``.

    The result is cached until a file of the mods changes.
    """
    return _game_data(tuple((mod.spec, mod.stamp()) for mod in mods))


@registered(bytes_each=100 * KB)
@lru_cache(maxsize=4)
def _game_data(stamped_mods: tuple[tuple[str, str], ...]) -> GameData:
    """Return the choices of mods, each given by its spec and its stamp."""
    data = ScriptData([ModFiles.from_spec(spec) for spec, _stamp in stamped_mods])
    size_entries = _size_entries(data)
    sizes = tuple(_labelled_size(entry) for entry in size_entries)
    # A size of mods, or without one the usual one, which the list of sizes may then lack.
    default_sizes = [entry["Tiles"] for entry in size_entries if entry.get("Default")]
    players = tuple(_entries(_json(data, f"{SETTINGS}player_defaults.json"), "PlayerData"))
    if len(players) < 2:  # none, or Gaia alone
        players = USUAL.players
    return GameData(
        sizes=sizes or USUAL.sizes,
        size=next(iter(default_sizes), USUAL.size),
        players=players,
        civs=_civs(data) or USUAL.civs,
        biomes=_biomes(data) or USUAL.biomes,
        resources=_resources(data),
    )


def _size_entries(data: ScriptData) -> list[Mapping[str, Any]]:
    """Return the sizes of maps as objects with ``Tiles``, ``Name`` and ``Default``."""
    entries = _entries(_json(data, f"{SETTINGS}map_sizes.json"), "Data")
    return [entry for entry in entries if type(entry.get("Tiles")) is int and entry["Tiles"] > 0]


def _labelled_size(entry: Mapping[str, Any]) -> tuple[int, str]:
    """Return the tiles and the label of a size; one without a name is labelled by its tiles."""
    tiles = entry["Tiles"]
    return tiles, str(entry.get("Name", tiles))


def _resources(data: ScriptData) -> int:
    """Return the resources that a player starts with by default."""
    for entry in _entries(_json(data, f"{SETTINGS}starting_resources.json"), "Data"):
        resources = entry.get("Resources")
        if entry.get("Default") and type(resources) is int:
            return resources
    return USUAL.resources


def _civs(data: ScriptData) -> tuple[LabelledName, ...]:
    """Return the civilisations that a player can choose, sorted by their codes."""
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
    """Return the name of a civilisation; its code if the mods have no name.

    The name stands in the template of the players of the civilisation.
    """
    template = _object(data.template(f"special/players/{code}"))
    identity = _object(template.get("Identity"))
    return str(identity.get("GenericName") or code)


def _biomes(data: ScriptData) -> tuple[LabelledName, ...]:
    """Return the biomes. Their ids are their files' paths below ``BIOMES`` without the suffix."""
    biomes = []
    for path in data.list(BIOMES, recurse=True):
        if not path.endswith(".json"):
            continue
        biome_id = path.removeprefix(BIOMES).removesuffix(".json")
        # Files that are in no folder of their own are no biomes.
        if "/" in biome_id:
            biome = _object(_json(data, path))
            description = _object(biome.get("Description"))
            title = str(description.get("Title", biome_title(biome_id)))
            biomes.append((biome_id, title))
    return tuple(biomes)


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


def _entries(value: object, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in the list ``value[name]``; [] if there is no such list."""
    entries = _object(value).get(name)
    if isinstance(entries, list):
        return [entry for entry in entries if isinstance(entry, dict)]
    return []
