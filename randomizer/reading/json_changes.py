"""Changes a JSON text where its value changed: all else keeps its characters.

    changed_json('{ "a":1, "b":[1,  2] }', {"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]})
    # '{ "a":1, "b":[1,  3] }'

Former and new value need not be what ``json`` reads: what both say alike stays as it is, such as a
value that both have and the text has not, or that the text has and neither says. Entries of lists
are the same objects where they have the same ``ORIGIN``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from randomizer.model.basics.json_places import entries, members, value_in_json

ORIGIN = "#origin"
"""The key with the number of an object in its text; it is not written."""

_SCALAR = re.compile(r"[^\s,\[\]]+")
_NUMBERS = re.compile(r"\[\n\s*-?[\d.]+(?:,\s*-?[\d.]+)*\s*\]")
"""A list of numbers, which is written in one line; no text has such a line end."""


def changed_json(text: str, former: Any, value: Any) -> str:
    """Return a text that says ``value``, where it was taken to say ``former``."""
    start, end = value_in_json(text)
    changed = _Changes(text).changed(former, value, start, end)
    return f"{text[:start]}{changed}{text[end:]}"


def objects_of(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a value, always in the same order."""
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list) and not is_list_of_numbers(part):
            waiting += part


def is_list_of_numbers(value: object) -> bool:
    """Return whether a value is a list that begins with a number, as long lists of cells do."""
    return isinstance(value, list) and bool(value) and type(value[0]) in (int, float)


def json_text(value: Any, indent: str | None = None) -> str:
    """Return a value as JSON.

    ``indent`` are the blanks before the line in which it stands; None for all in one line.
    """
    plain = _without_origins(value)
    if indent is None:
        return json.dumps(plain, ensure_ascii=False)
    text = json.dumps(plain, ensure_ascii=False, indent=1)
    text = _NUMBERS.sub(lambda match: " ".join(match[0].split()), text)
    return text.replace("\n", f"\n{indent}")


class _Changes:
    """Makes the changes in one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def changed(self, former: Any, value: Any, start: int, end: int) -> str:
        """Return what stands from ``start`` to ``end`` with another value."""
        text = self._text
        if former == value:
            return text[start:end]
        if isinstance(former, dict) and isinstance(value, dict) and text[start] == "{":
            return self._changed_object(former, value, start, end)
        if isinstance(former, list) and isinstance(value, list) and text[start] == "[":
            if is_list_of_numbers(former):
                return self._changed_numbers(former, value, start, end)
            return self._changed_list(former, value, start, end)
        if "\n" not in text[start:end]:
            return json_text(value)
        line = text[text.rfind("\n", 0, start) + 1 : start]
        return json_text(value, line[: len(line) - len(line.lstrip())])

    def _changed_object(
        self, former: dict[str, Any], value: dict[str, Any], start: int, end: int
    ) -> str:
        text = self._text
        present = members(text, start)
        last_of_name = {member.name: member for member in present}
        pieces = _Pieces(text, start, end, present[-1].end if present else 0)
        for member in present:
            name = member.name
            is_known = last_of_name[name] is member and (name in former or name in value)
            if is_known and name not in value:
                continue
            body = text[member.start : member.end]
            if is_known:
                body = self.changed(former.get(name), value[name], member.start, member.end)
            pieces.put(member.name_start, member.end, text[member.name_start : member.start] + body)
        colon = ": "
        if present:
            first = present[0]
            name_end = value_in_json(text[first.name_start : first.start].rstrip().rstrip(":"))[1]
            colon = text[first.name_start + name_end : first.start]
        for name, new_value in value.items():
            is_usual = name in former and former[name] == new_value
            if name == ORIGIN or name in last_of_name or is_usual:
                continue
            pieces.add(f"{json.dumps(name, ensure_ascii=False)}{colon}", new_value)
        return pieces.joined()

    def _changed_list(self, former: list[Any], value: list[Any], start: int, end: int) -> str:
        spans = entries(self._text, start)
        if len(spans) != len(former):
            return json_text(value)
        number_by_origin = {
            entry[ORIGIN]: number
            for number, entry in enumerate(former)
            if isinstance(entry, dict) and ORIGIN in entry
        }
        pieces = _Pieces(self._text, start, end, spans[-1][1] if spans else 0)
        numbers = set[int]()
        for at, entry in enumerate(value):
            if isinstance(entry, dict):
                origin = entry.get(ORIGIN)
            else:
                origin = None
            number = number_by_origin.get(origin, -1)
            if origin is None and at < len(former) and former[at] == entry:
                number = at
            if number < 0 or number in numbers:
                pieces.add("", entry)
                continue
            numbers.add(number)
            entry_start, entry_end = spans[number]
            body = self.changed(former[number], entry, entry_start, entry_end)
            pieces.put(entry_start, entry_end, body)
        return pieces.joined()

    def _changed_numbers(self, former: list[Any], value: list[Any], start: int, end: int) -> str:
        """Return a list of numbers, of which only those that differ are written anew."""
        text = self._text
        matches = list(_SCALAR.finditer(text, start, end))
        if len(matches) != len(former) or len(former) != len(value):
            return json_text(value)
        parts = list[str]()
        position = start
        for match, former_number, number in zip(matches, former, value, strict=True):
            if former_number != number:
                parts += [text[position : match.start()], json_text(number)]
                position = match.end()
        return "".join([*parts, text[position:end]])


class _Pieces:
    """The members or entries of an object or list in a text, with what stands between them.

    ``start`` and ``end`` are those of the object or list, ``last_end`` is where its last piece
    ends, 0 where it has none.
    """

    def __init__(self, text: str, start: int, end: int, last_end: int) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._last_end = last_end
        self._parts = [text[start]]
        self._end_of_former = start + 1
        """Where the piece before the next one ends in the text, -1 for a new one."""
        inside = text[start + 1 : end - 1]
        if last_end:
            self._first_blanks = inside[: len(inside) - len(inside.lstrip())]
        else:
            self._first_blanks = ""

    def put(self, start: int, end: int, body: str) -> None:
        """Put what the piece from ``start`` to ``end`` is now."""
        if self._end_of_former >= 0:
            between = self._text[self._end_of_former : start]
        else:
            between = ""
        is_first = len(self._parts) == 1
        if between.strip() != ("" if is_first else ",") or not 0 <= self._end_of_former <= start:
            before = self._text[self._start + 1 : start]
            between = ("" if is_first else ",") + before[len(before.rstrip()) :]
        self._parts += [between, body]
        self._end_of_former = end

    def add(self, head: str, value: Any) -> None:
        """Add a new piece: ``head`` is its name and the colon, "" in a list."""
        blanks = self._first_blanks
        if "\n" in blanks:
            indent = blanks.rpartition("\n")[2]
        else:
            indent = None
        comma = "," if len(self._parts) > 1 else ""
        self._parts += [comma, blanks, head, json_text(value, indent)]
        self._end_of_former = -1

    def joined(self) -> str:
        """Return all pieces as an object or list."""
        tail = self._text[self._last_end or self._end - 1 : self._end]
        if len(self._parts) == 1:
            tail = tail.lstrip()
        return "".join([*self._parts, tail])


def _without_origins(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_origins(part) for key, part in value.items() if key != ORIGIN}
    if isinstance(value, list) and not is_list_of_numbers(value):
        return [_without_origins(part) for part in value]
    return value
