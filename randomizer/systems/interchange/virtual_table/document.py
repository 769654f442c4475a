"""Checked access to the JSON file of a virtual table, and to our entry in it.

The codecs of Foundry and Universal VTT read a file by a ``Document``. Its methods check each value,
and their errors name the line of the file::

    document = Document(source)
    document.number("grid", "size", least=1, most=1000)    # value["grid"]["size"], checked
    document.items("walls")                                # its objects; [] without such a list
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any, TypeGuard

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, place_of
from randomizer.storage.files.project import read_project
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import Source

OUR_KEY = "battlelands"
"""The name of our entry in a file.

It is an object: "map" is the map as a project in base64, and "drew" is true if we drew the picture,
which is then drawn anew at each export.
"""

DEEPEST = 100
"""The largest depth of nested lists and objects in a file."""

FARTHEST = 1e7
"""The largest coordinate in pixels."""


class Document:
    """The JSON object of a file, and our entry in it.

    The constructor raises ProblemError for a file that holds no JSON object.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        """The file."""
        self._text = source.text
        try:
            value = parse_json(source.data, largest=len(source.data), deepest=DEEPEST)
        except (ValueError, RecursionError) as failed:
            line, column = place_of(self._text, getattr(failed, "pos", 0))
            message = f"this is no JSON that can be read: {reason_of(failed)}"
            raise fault(message, line, column) from failed
        if not isinstance(value, dict):
            raise fault("this is no JSON object", 1)
        self.value: dict[str, Any] = value
        """The JSON object."""
        # Foundry keeps the entries of others under "flags"; Universal VTT has no place for them.
        own_entries = self.at("flags", OUR_KEY) or self.at(OUR_KEY)
        if not isinstance(own_entries, dict):
            own_entries = {}
        self.own_entries: Mapping[str, Any] = own_entries
        """Our entries, {} in the file of another program."""
        self.has_our_picture = bool(self.own_entries.get("drew"))
        """True if the picture in the file, or beside it, was drawn by us from the map."""

    def at(self, *path: str) -> Any:
        """Return the value that a path of names leads to, None if there is none.

        ``document.at("grid", "size")`` is ``value["grid"]["size"]``.
        """
        value: Any = self.value
        for name in path:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def items(self, name: str) -> list[dict[str, Any]]:
        """Return the objects in the list ``value[name]``; [] if that is no list."""
        value = self.value.get(name)
        if isinstance(value, list):
            return [entry for entry in value if isinstance(entry, dict)]
        return []

    def number(self, *path: str, least: float, most: float, usual: float | None = None) -> float:
        """Return the number that a path of names leads to, ``usual`` if there is none.

        Raises ProblemError, with the line, for another value than a number from ``least`` to
        ``most``, and for a path to nothing without ``usual``.
        """
        value = self.at(*path)
        if value is None and usual is not None:
            return usual
        if not is_number(value) or not least <= value <= most:
            start, _end = place_in_json(self._text, path)
            line, column = place_of(self._text, start)
            message = f"“{path[-1]}” should be a number from {least:g} to {most:g}"
            raise fault(message, line, column)
        return float(value)

    def battlemap(self, problems: list[Problem]) -> BattleMap | None:
        """Return our map that is in the file, None if there is none; add its problems.

        Raises ProblemError for one that is damaged.
        """
        if "map" not in self.own_entries:
            return None
        try:
            result = read_project(b64decode(self.own_entries["map"], validate=True))
        except (ValueError, TypeError) as failed:
            raise fault("the map in this file is damaged", 1) from failed
        if result.battlemap is None:
            raise fault(f"the map in this file: {result.problems[0].message}", 1)
        # The project is written without a picture that the file has anyway: that is no loss.
        problems += (problem for problem in result.problems if problem.code != "assets-lost")
        return result.battlemap


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value of JSON is a number that a coordinate can be."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FARTHEST
