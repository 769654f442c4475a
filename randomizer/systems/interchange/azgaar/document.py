"""Checked access to the JSON of an export of Azgaar's generator.

    document = Document(source)                         # ProblemError if it is no JSON
    document.at("info", "mapName")                      # a value, None if there is none
    for number, burg in document.entries("pack", "burgs"):
        point_of([burg.get("x"), burg.get("y")])        # (x, y), None if these are no coordinates

A value of an export may be of any type, whatever its name says. So the modules of this folder read
the JSON by ``Document`` only, and use no value before a function of this module has checked it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.texts import clean_line
from randomizer.model.problems import ProblemError, place_of
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import Source

MAX_VALUES = 6_000_000
"""The largest number of values in the JSON: those of a world of 40,000 cells.

Each value takes some 100 bytes of memory.
"""

DEEPEST = 40
"""The largest depth of nested lists and objects in the JSON."""

FARTHEST = 1e6
"""The largest coordinate in pixels."""

_LONGEST_LABEL = 40
"""The most characters that ``word_of`` returns; the codes of terrains are limited."""


class Document:
    """The JSON object of an export. The constructor raises ProblemError if it is no JSON."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._value = self._parse(source.data)

    def _parse(self, data: bytes) -> Any:
        """Return the value of the JSON. Raises ProblemError."""
        try:
            return parse_json(data, largest=len(data), deepest=DEEPEST, max_values=MAX_VALUES)
        except (ValueError, RecursionError) as failed:
            place = place_of(self._text, getattr(failed, "pos", 0))
            message = f"this is no JSON that can be read: {reason_of(failed)}"
            raise fault(message, *place) from failed

    def at(self, *path: str) -> Any:
        """Return the value that a path of names leads to, None where there is nothing.

        The value may be of any type.
        """
        value = self._value
        for name in path:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def list_at(self, *path: str) -> Sequence[Any]:
        """Return the list at a path of names; [] where there is none."""
        value = self.at(*path)
        if isinstance(value, list):
            return value
        return []

    def entries(self, *path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects in the list at a path of names, each with its index in the list.

        Entries that are no objects, are empty or are marked as ``removed`` are left out. In most
        lists of an export the entry 0 stands for "none", as for "no state".
        """
        for index, entry in enumerate(self.list_at(*path)):
            if isinstance(entry, dict) and entry and not entry.get("removed"):
                yield index, entry

    def fault(self, message: str, *path: str | int) -> ProblemError:
        """Return the error about the value at a path of names and indices, with its line.

        For the height of the third cell the path is "pack", "cells", 2, "h".
        """
        start, _end = place_in_json(self._text, path)
        return fault(message, *place_of(self._text, start))


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def point_of(value: object) -> tuple[float, float] | None:
    """Return the first two entries of a list as coordinates in pixels.

    None for a value that is no such list, and for coordinates beyond ``FARTHEST``.
    """
    if not isinstance(value, list) or len(value) < 2:
        return None
    x, y = value[:2]
    if not is_number(x) or not is_number(y):
        return None
    # All numbers are finite: ``parse_json`` refuses others.
    is_in_range = max(abs(x), abs(y)) <= FARTHEST
    if not is_in_range:
        return None
    return float(x), float(y)


def word_of(value: object) -> str:
    """Return a value as a short text in one line; "" for an empty value, such as None or 0."""
    return clean_line(str(value or ""))[:_LONGEST_LABEL].strip()


def list_of(value: object) -> list[Any]:
    """Return a list as it is, [] for another value."""
    if isinstance(value, list):
        return value
    return []
