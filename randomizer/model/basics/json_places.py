"""Finds the values in a JSON text, for problems that name them and for texts that change.

    text = '{"grid": {"size": 0}}'
    start, end = place_in_json(text, ["grid", "size"])
    text[start:end]                                       # '"size"': the name of the value

``json`` parses a text but does not tell where its values stand. So these functions walk the text
again, from value to value, with the decoder of ``json`` for each. The text must be valid JSON. All
positions are offsets; an end is just behind the last character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
"""The white space that JSON permits between values; there may be none."""

_DECODER = json.JSONDecoder()
"""Parses one value at an offset of a text, and tells where it ends (``raw_decode``)."""

JsonPath = Sequence[str | int]
"""The names and indices that lead from the whole text to a value."""


class Span(NamedTuple):
    """A piece of a text."""

    start: int
    """The offset of its first character."""

    end: int
    """The offset behind its last character."""


def place_in_json(text: str, path: JsonPath) -> Span:
    """Return what a path leads to: a name with its quotes, or a list's entry.

    A problem is marked there. If the whole path is not in the text, it is the deepest part of it
    that is. For an empty path it is the first bracket, or the value if that has none. Of equal
    names in an object the last counts, as for ``json``.
    """
    # ``start`` and ``end`` are what is marked for the steps so far, ``value_start`` is the value
    # into which the next step goes: behind the name of a member.
    start = _after_space(text, 0)
    value_start = start
    end = start + 1
    if text[start] not in "{[":
        end = _end(text, start)
    for step in path:
        if isinstance(step, str):
            matching_members = [
                member for member in members(text, value_start) if member.name == step
            ]
            if not matching_members:
                break
            start = matching_members[-1].name_start
            end = _end(text, start)
            value_start = matching_members[-1].start
        else:
            spans = entries(text, value_start, step)
            if not 0 <= step < len(spans):
                break
            start, end = spans[step]
            value_start = start
    return Span(start, end)


class Member(NamedTuple):
    """A member of an object."""

    name: str
    name_start: int
    """The offset of its name, at the quote."""

    start: int
    """The offset of its value."""

    end: int
    """The offset behind its value."""


def members(text: str, start: int) -> list[Member]:
    """Return the members of the object that begins at ``start``; [] for another value."""
    object_members: list[Member] = []
    if text[start] != "{":
        return object_members
    position = _after_space(text, start + 1)
    while text[position] == '"':
        name, name_end = _DECODER.raw_decode(text, position)
        colon = _after_space(text, name_end)
        value_start = _after_space(text, colon + 1)
        value_end = _end(text, value_start)
        object_members.append(Member(name, position, value_start, value_end))
        position = _after_comma(text, value_end)
    return object_members


def entries(text: str, start: int, last_index: int | None = None) -> list[Span]:
    """Return the entries of the list that begins at ``start``.

    With ``last_index`` the entries behind that one are left out, which saves the time to find them.
    [] for another value than a list.
    """
    spans: list[Span] = []
    if text[start] != "[":
        return spans
    position = _after_space(text, start + 1)
    while text[position] != "]" and (last_index is None or len(spans) <= last_index):
        end = _end(text, position)
        spans.append(Span(position, end))
        position = _after_comma(text, end)
    return spans


def value_in_json(text: str) -> Span:
    """Return the value that a text consists of, without the blanks around it."""
    start = _after_space(text, 0)
    return Span(start, _end(text, start))


def _end(text: str, start: int) -> int:
    """Return the offset behind the value that begins at ``start``."""
    _value, end = _DECODER.raw_decode(text, start)
    return end


def _after_space(text: str, position: int) -> int:
    """Return the offset of the first character from ``position`` on that is no blank."""
    match = _SPACE.match(text, position)
    assert match is not None, "space can be nothing"
    return match.end()


def _after_comma(text: str, position: int) -> int:
    """Return the offset of the next name or entry, or of the bracket that ends the list."""
    position = _after_space(text, position)
    if text[position] == ",":
        return _after_space(text, position + 1)
    return position
