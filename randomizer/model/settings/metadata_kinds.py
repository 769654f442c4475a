"""Checks those settings of a metadata file that only the game knows (``Metadata.others``).

``check_metadata`` warns of what ``faults_of_others`` yields: a value of the wrong kind, or a known
name in another spelling. Settings of unknown names are never wrong: mods have their own::

    faults_of_others({"Size": "large", "lockteams": True})
    # "lockteams" is written "LockTeams"; "Size" is a whole number, not "large"

Source: the project's copy of 0 A.D.'s page on the internals of random maps, and real files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from randomizer.model.basics.json_places import JsonPath
from randomizer.model.problems import Severity


class Fault(NamedTuple):
    """A fault of a setting."""

    path: JsonPath
    """The names and indices that lead to it from the settings: ``["PlayerData", 2, "Team"]``."""
    message: str
    code: str = "metadata-kind"
    """The ``Problem.code`` of the fault."""
    severity: Severity = Severity.WARNING


class Kind(NamedTuple):
    """A kind of values."""

    description: str
    """The kind in words, to follow "is"."""
    fits: Callable[[object], bool]
    """Returns whether a value is of the kind."""


SHORT_JSON = 40
"""The most characters of a value that a message shows."""


def _is_whole(value: object) -> bool:
    """Return whether a value is a whole number. Not by isinstance: bool is a subclass of int."""
    return type(value) is int


def _is_text(value: object) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def _is_switch(value: object) -> bool:
    """Return whether a value is true or false."""
    return isinstance(value, bool)


def _is_list_of(kind: type, value: object) -> bool:
    """Return whether a value is a list of values of exactly this type."""
    if not isinstance(value, list):
        return False
    return all(type(item) is kind for item in value)


def _is_biome_list(value: object) -> bool:
    """Return whether a value is a list of biomes, or the beginning of their names."""
    return _is_text(value) or _is_list_of(str, value)


def _is_player_list(value: object) -> bool:
    """Return whether a value is a list of players; null is one for which nothing is set."""
    if not isinstance(value, list):
        return False
    return all(isinstance(player, dict | None) for player in value)


def _is_ai(value: object) -> bool:
    """Return whether a value is the AI of a player; False means none."""
    return isinstance(value, str) or value is False


def _is_colour(value: object) -> bool:
    """Return whether a value is a colour: an object with red, green and blue, 0 to 255."""
    if not isinstance(value, dict) or set(value) != {"r", "g", "b"}:
        return False
    return all(_is_whole(channel) and 0 <= channel <= 255 for channel in value.values())


_WHOLE = Kind("a whole number", _is_whole)
_TEXT = Kind("a text", _is_text)
_SWITCH = Kind("true or false", _is_switch)
_NAMES = Kind("a list of names", partial(_is_list_of, str))
_OBJECTS = Kind("a list of objects", partial(_is_list_of, dict))
_COLOUR = Kind('an object like {"r": 21, "g": 55, "b": 149}', _is_colour)

_KINDS: Mapping[str, Kind] = {
    "RevealMap": _SWITCH,
    "LockTeams": _SWITCH,
    "VictoryConditions": _NAMES,
    "Size": _WHOLE,
    "SupportedBiomes": Kind("a list of names, or a text with which names begin", _is_biome_list),
    "TriggerScripts": _NAMES,
    "PlayerPlacements": _NAMES,
    "TeamPlacements": _NAMES,
    "Landscapes": _OBJECTS,
    "WaterLevels": _OBJECTS,
    "PlayerData": Kind("a list of objects", _is_player_list),
}
"""The kinds of the known settings, by 0 A.D.'s names."""

_PLAYER_KINDS: Mapping[str, Kind] = {
    "AI": Kind("a text", _is_ai),
    "Civ": _TEXT,
    "Name": _TEXT,
    "Color": _COLOUR,
    "Colour": _COLOUR,
    "Team": _WHOLE,
    "Diplomacy": Kind("a list of whole numbers", partial(_is_list_of, int)),
}
"""The kinds of the known values of a player in ``PlayerData``."""

_FIELDS_OF_METADATA = (
    "Name",
    "Script",
    "Description",
    "BaseTerrain",
    "BaseHeight",
    "Preview",
    "CircularMap",
    "Keywords",
)
"""The settings that are fields of ``Metadata``: only their spelling is checked here."""

_SPELLINGS = {name.lower(): name for name in (*_KINDS, *_FIELDS_OF_METADATA)}
"""The right spelling of each known setting, by its name in lower case."""


def short_json(value: object) -> str:
    """Return a value of a JSON file for a message: the beginning of its JSON."""
    text = json.dumps(value)
    if len(text) <= SHORT_JSON:
        return text
    return f"{text[:SHORT_JSON]}..."


def is_player_value(name: str, value: object) -> bool:
    """Return whether a value of a player in ``PlayerData`` is of its kind.

    Values of unknown names are, and so is None, which counts as absent.
    """
    kind = _PLAYER_KINDS.get(name)
    if kind is None or value is None:
        return True
    return kind.fits(value)


def faults_of_others(settings: Mapping[str, object]) -> Iterator[Fault]:
    """Yield the faults of ``Metadata.others``.

    First come names in a wrong spelling, then values of a wrong kind, then those of players.
    """
    for name in settings:
        right_name = _SPELLINGS.get(name.lower(), name)
        if right_name != name:
            message = f'"{name}" is written "{right_name}"'
            yield Fault([name], message, "metadata-name")
    yield from _faults_of_kinds(_KINDS, settings, [])
    players = settings.get("PlayerData")
    if isinstance(players, list):
        for index, player in enumerate(players):
            if isinstance(player, dict):
                yield from _player_faults(player, ["PlayerData", index])


def _player_faults(player: Mapping[str, object], path: list[str | int]) -> Iterator[Fault]:
    """Yield the faults of the player to whom ``path`` leads."""
    yield from _faults_of_kinds(_PLAYER_KINDS, player, path)
    if "Colour" in player:
        message = 'scripts and the game read "Color"; "Colour" is the document\'s word'
        yield Fault([*path, "Colour"], message, "metadata-colour", Severity.HINT)


def _faults_of_kinds(
    kinds: Mapping[str, Kind], values: Mapping[str, object], path: list[str | int]
) -> Iterator[Fault]:
    """Yield a fault for each of ``values`` that is not of its kind.

    ``path`` leads to the object that has the values.
    """
    for name, kind in kinds.items():
        value = values.get(name)
        if value is not None and not kind.fits(value):
            message = f'"{name}" is {kind.description}, not {short_json(value)}'
            yield Fault([*path, name], message)
