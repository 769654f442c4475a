"""What is known of the settings in a metadata file that are kept as they stand.

Source: the project's copy of 0 A.D.'s page on the internals of random maps, and real files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from randomizer.model.basics.json_places import Path
from randomizer.model.problems import Severity


class Fault(NamedTuple):
    """A fault of a setting; ``path`` leads to it from the settings."""

    path: Path
    message: str
    code: str = "metadata-kind"
    severity: Severity = Severity.WARNING


Kind = tuple[str, Callable[[object], bool]]
"""A kind of values: in words, and whether a value is one."""


def _is_whole(value: object) -> bool:
    return type(value) is int  # bool is a subclass of int


def _is_list_of(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(type(item) is kind for item in value)


def _is_colour(value: object) -> bool:
    if not isinstance(value, dict) or set(value) != {"r", "g", "b"}:
        return False
    return all(_is_whole(channel) and 0 <= channel <= 255 for channel in value.values())


_WHOLE: Kind = ("a whole number", _is_whole)
_TEXT: Kind = ("a text", lambda value: isinstance(value, str))
_SWITCH: Kind = ("true or false", lambda value: isinstance(value, bool))
_NAMES: Kind = ("a list of names", _is_list_of(str))
_OBJECTS: Kind = ("a list of objects", _is_list_of(dict))
_COLOUR: Kind = ('an object like {"r": 21, "g": 55, "b": 149}', _is_colour)

_KINDS: Mapping[str, Kind] = {
    "RevealMap": _SWITCH,
    "LockTeams": _SWITCH,
    "VictoryConditions": _NAMES,
    "Size": _WHOLE,
    "SupportedBiomes": (
        "a list of names, or the start of them",
        lambda value: isinstance(value, str) or _is_list_of(str)(value),
    ),
    "TriggerScripts": _NAMES,
    "PlayerPlacements": _NAMES,
    "TeamPlacements": _NAMES,
    "Landscapes": _OBJECTS,
    "WaterLevels": _OBJECTS,
    "PlayerData": (
        "a list of objects",
        lambda value: (
            isinstance(value, list) and all(isinstance(each, dict | None) for each in value)
        ),
    ),
}
_PLAYER_KINDS: Mapping[str, Kind] = {
    "AI": ("a text", lambda value: isinstance(value, str) or value is False),
    "Civ": _TEXT,
    "Name": _TEXT,
    "Color": _COLOUR,
    "Colour": _COLOUR,
    "Team": _WHOLE,
    "Diplomacy": ("a list of whole numbers", _is_list_of(int)),
}
_READ = ("Name", "Script", "Description", "BaseTerrain", "BaseHeight", "Preview", "CircularMap")
_SPELLED = {name.lower(): name for name in (*_KINDS, *_READ, "Keywords")}


def short_json(value: object) -> str:
    """Return a value of a JSON file for a message: the first 40 characters of its JSON."""
    text = json.dumps(value)
    if len(text) <= 40:
        return text
    return f"{text[:40]}..."


def is_player_value(name: str, value: object) -> bool:
    """Return whether a value of a player in ``PlayerData`` is of its kind; those of unknown names
    are.
    """
    kind = _PLAYER_KINDS.get(name)
    return kind is None or value is None or kind[1](value)


def faults_of_others(others: Mapping[str, object]) -> Iterator[Fault]:
    """Yield all that is wrong with the settings that are kept as they stand.

    Unknown ones are right.
    """
    for name in others:
        right = _SPELLED.get(name.lower(), name)
        if right != name:
            message = f'"{name}" is written "{right}"'
            yield Fault([name], message, "metadata-name")
    yield from _faults(_KINDS, others, [])
    players = others.get("PlayerData")
    for number, player in enumerate(players if isinstance(players, list) else ()):
        if isinstance(player, dict):
            yield from _faults(_PLAYER_KINDS, player, ["PlayerData", number])
            if "Colour" in player:
                message = 'scripts and the game read "Color"; "Colour" is the document\'s word'
                path: Path = ["PlayerData", number, "Colour"]
                yield Fault(path, message, "metadata-colour", Severity.HINT)


def _faults(
    kinds: Mapping[str, Kind], values: Mapping[str, object], path: list[str | int]
) -> Iterator[Fault]:
    for name, (words, fits) in kinds.items():
        if values.get(name) is not None and not fits(values[name]):
            message = f'"{name}" is {words}, not {short_json(values[name])}'
            yield Fault([*path, name], message)
