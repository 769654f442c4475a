"""The metadata file beside the script of a finished map: what the game's list shows of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.settings.metadata import DEEPEST, LARGEST_METADATA
from randomizer.systems.zeroad.map.records import BY_HAND

FIXED = "FixedMap"
"""A key of our own: the metadata belong to a script of a finished map."""

_KEPT = {
    "RevealMap": bool,
    "LockTeams": bool,
    "TriggerScripts": list,
    "VictoryConditions": list,
}
"""The settings of the map's own script that the game reads from metadata, and their types."""

_CHANGEABLE = frozenset(("Name", "Color", "Team", "StartingCamera"))
"""What the game's setup reads of a player; it asks itself for the teams of random maps."""

_HIDDEN = "hidden"


def pair_metadata(name: str, settings: Mapping[str, Any], preview: str) -> bytes:
    """Return the file for the script ``name``.js; ``preview`` is the name of the picture, "" for
    none.

    The civilisations of the players are those of the map: the game then offers no others.
    """
    settings_record: dict[str, Any] = {
        "Name": shown_name(name),
        "Script": f"{name}.js",
        "Description": _description(settings),
        "Keywords": [
            keyword
            for keyword in _list(settings.get("Keywords"))
            if isinstance(keyword, str) and keyword != _HIDDEN
        ],
    }
    if preview:
        settings_record["Preview"] = preview
    settings_record["CircularMap"] = settings.get("CircularMap") is True
    for key, kind in _KEPT.items():
        if isinstance(settings.get(key), kind):
            settings_record[key] = settings[key]
    players = _players(settings)
    if any(players):
        settings_record["PlayerData"] = players  # without Gaia
    settings_record[FIXED] = True
    return (json.dumps({"settings": settings_record}, indent="\t") + "\n").encode()


def shown_name(name: str) -> str:
    """Return what the game's list calls the map of the script ``name``.js."""
    words = name.replace("_", " ").strip() or name
    return words[:1].upper() + words[1:]


def is_pair_metadata(data: bytes) -> bool:
    """Return whether this is a file of ``pair_metadata``."""
    try:
        document = parse_json(data, largest=LARGEST_METADATA, deepest=DEEPEST)
        return document["settings"][FIXED] is True
    except (ValueError, LookupError, TypeError, RecursionError):
        return False


def _description(settings: Mapping[str, Any]) -> str:
    origin = settings.get("Name")
    seed = settings.get("Seed")
    words = "A finished map, made with Battlelands Builder"
    if isinstance(origin, str) and origin:
        words += f" from {origin}"
        words += f", seed {seed}" if isinstance(seed, int) else ""
    return f"{words}. It is the same for every size and seed."


def _players(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is fixed of each player from player 1 on: the civilisation, and what a hand
    changed.
    """
    rows = []
    for row in _list(settings.get("PlayerData"))[1:]:
        player = row if isinstance(row, dict) else {}
        by_hand = _list(player.get(BY_HAND))
        fixed = {key: player[key] for key in player if key in by_hand and key in _CHANGEABLE}
        civ = player.get("Civ")
        if isinstance(civ, str) and civ and civ not in ("gaia", "random"):
            fixed["Civ"] = civ
        rows.append(fixed)
    return rows


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
