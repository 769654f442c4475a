"""Where the values of a JSON text stand, for problems that name them and for texts that change."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()

Path = Sequence[str | int]
"""The names and indices that lead from the whole text to a value."""


def place_in_json(text: str, path: Path) -> tuple[int, int]:
    """Return the start and end of what a path leads to: of a name with its quotes, or of a list's
    entry.

    The end is just after the last character. Of a path whose last steps are not there, the part
    that is. Of names that are there twice the last counts, as for ``json``. ``text`` is valid JSON.
    """
    start = value = _after_space(text, 0)
    if text[value] in "{[":
        found_end = value + 1
    else:
        found_end = _end(text, value)
    for step in path:
        if isinstance(step, str):
            entries = _names(text, value)
        else:
            entries = _entries(text, value, step)
        fitting = [entry for entry in entries if entry[0] == step]
        if not fitting:
            break
        _step, start, found_end, value = fitting[-1]
    return start, found_end


class Member(NamedTuple):
    """A name of an object and its value: where the name begins, and where the value is."""

    name: str
    name_start: int
    start: int
    end: int


def members(text: str, start: int) -> list[Member]:
    """Return the members of the object that begins at ``start``; [] for another value."""
    return [
        Member(str(name), name_start, value_start, _end(text, value_start))
        for name, name_start, _name_end, value_start in _names(text, start)
    ]


def entries(text: str, start: int) -> list[tuple[int, int]]:
    """Return start and end of the entries of the list that begins at ``start``."""
    every_entry = _entries(text, start, len(text))
    return [(entry_start, entry_end) for _number, entry_start, entry_end, _value in every_entry]


def value_in_json(text: str) -> tuple[int, int]:
    """Return start and end of the value that a text consists of, without the blanks around it."""
    start = _after_space(text, 0)
    return start, _end(text, start)


def _names(text: str, value: int) -> list[tuple[str | int, int, int, int]]:
    """Return the names of an object, each with its start and end and the start of its value."""
    result: list[tuple[str | int, int, int, int]] = []
    position = _after_space(text, value + 1)
    while text[value] == "{" and text[position] == '"':
        name, end = _DECODER.raw_decode(text, position)
        start = _after_space(text, _after_space(text, end) + 1)
        result.append((name, position, end, start))
        position = _after_comma(text, _end(text, start))
    return result


def _entries(text: str, value: int, last: int) -> list[tuple[str | int, int, int, int]]:
    """Return the entries of a list: the number, start and end of each, and its start again.

    Entries behind the number ``last`` are left out.
    """
    result: list[tuple[str | int, int, int, int]] = []
    position = _after_space(text, value + 1)
    while text[value] == "[" and text[position] != "]" and len(result) <= last:
        end = _end(text, position)
        result.append((len(result), position, end, position))
        position = _after_comma(text, end)
    return result


def _end(text: str, value: int) -> int:
    _value, end = _DECODER.raw_decode(text, value)
    return end


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    assert match is not None, "space can be nothing"
    return match.end()


def _after_comma(text: str, position: int) -> int:
    """Return the next name or entry, or the end of the object or list."""
    position = _after_space(text, position)
    if text[position] == ",":
        return _after_space(text, position + 1)
    return position
