"""Writes the metadata file beside the script of a finished map, which the game's list shows.

    pair_metadata("my_map", settings, preview="my_map.png")      # the bytes of my_map.json

The game's list of random maps has a pair of files for each map: a script and, with the same name,
its metadata::

    {"settings": {"Name": "My map", "Script": "my_map.js", "Description": "...",
                  "Preview": "my_map.png", "PlayerData": [{"Civ": "athen"}, ...],
                  "FixedMap": true}}

``fixed_script`` writes the script. An export replaces a pair only if it is one of ours:
``is_pair_metadata`` tells that by the key ``FIXED_MAP_KEY``, which the game ignores.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.settings.metadata import DEEPEST, LARGEST_METADATA
from randomizer.systems.zeroad.map.records import BY_HAND

FIXED_MAP_KEY = "FixedMap"
"""A key of our own: the metadata belong to a script of a finished map."""

_SETTINGS_OF_GAME = {
    "RevealMap": bool,
    "LockTeams": bool,
    "TriggerScripts": list,
    "VictoryConditions": list,
}
"""The settings that the game reads from metadata files, and their types.

They are taken from the settings that the script of the map was given.
"""

_CHANGEABLE = frozenset(("Name", "Color", "Team", "StartingCamera"))
"""The entries of a player that a user can change here, and that the game's setup of a match reads.

A value that the user did not change is not written: it is left to that setup.
"""

_GAIA = "gaia"
"""The civilisation of nature, which is no player's."""

_RANDOM = "random"
"""The civilisation that the game draws."""

HIDDEN = "hidden"
"""The keyword of maps that the game's list does not show."""


def pair_metadata(name: str, settings: Mapping[str, Any], preview: str) -> bytes:
    """Return the metadata for the script ``name``.js as the bytes of a JSON file.

    ``settings`` are those of the map, ``preview`` is the file name of its picture, "" for none. The
    civilisations of the players are those of the map: the game then offers no others.
    """
    keywords: list[str] = []
    for keyword in _list(settings.get("Keywords")):
        if isinstance(keyword, str) and keyword != HIDDEN:
            keywords.append(keyword)
    settings_record: dict[str, Any] = {
        "Name": shown_name(name),
        "Script": f"{name}.js",
        "Description": _description(settings),
        "Keywords": keywords,
    }
    if preview:
        settings_record["Preview"] = preview
    settings_record["CircularMap"] = settings.get("CircularMap") is True
    for key, kind in _SETTINGS_OF_GAME.items():
        if isinstance(settings.get(key), kind):
            settings_record[key] = settings[key]
    players = _players(settings)
    if any(players):
        settings_record["PlayerData"] = players  # without Gaia
    settings_record[FIXED_MAP_KEY] = True
    return (json.dumps({"settings": settings_record}, indent="\t") + "\n").encode()


def shown_name(name: str) -> str:
    """Return the name of the map of the script ``name``.js in the game's list: "My map"."""
    words = name.replace("_", " ").strip() or name
    return words[:1].upper() + words[1:]


def is_pair_metadata(data: bytes) -> bool:
    """Return whether this is a file of ``pair_metadata``."""
    try:
        document = parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
        return document["settings"][FIXED_MAP_KEY] is True
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


def _description(settings: Mapping[str, Any]) -> str:
    """Return the text that the game's list shows below the name of the map."""
    origin = settings.get("Name")
    seed = settings.get("Seed")
    words = "A finished map, made with Battlelands Builder"
    if isinstance(origin, str) and origin:
        words += f" from {origin}"
        if isinstance(seed, int):
            words += f", seed {seed}"
    return f"{words}. It is the same for every size and seed."


def _players(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return an object for each player, without Gaia, for the game's setup of a match.

    It has the civilisation, and the entries that a user changed; {} for a player without either.
    """
    players: list[dict[str, Any]] = []
    for row in _list(settings.get("PlayerData"))[1:]:  # the first row is Gaia
        values: dict[str, Any] = {}
        if isinstance(row, dict):
            keys_by_hand = _list(row.get(BY_HAND))  # those that the user changed
            for key, value in row.items():
                if key in keys_by_hand and key in _CHANGEABLE:
                    values[key] = value
            civ = row.get("Civ")
            if isinstance(civ, str) and civ and civ not in (_GAIA, _RANDOM):
                values["Civ"] = civ
        players.append(values)
    return players


def _list(value: Any) -> list[Any]:
    """Return a list as it is, [] for another value."""
    if isinstance(value, list):
        return value
    return []
