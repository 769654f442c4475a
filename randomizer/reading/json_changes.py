"""Changes a JSON text where its value changed: all else keeps its characters.

    changed_json('{ "a":1, "b":[1,  2] }', {"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]})
    # '{ "a":1, "b":[1,  3] }'

People keep maps under version control, so a changed file may differ only where the map does
(docs/adr/0028). There are three things: the *text* of the file, the *former* value, which the
program would have written of the map as it was read, and the new *value*. The text may say more or
less than the former value: members that the program does not understand, and no members that have
their defaults. The three are walked together::

    text                  former      value       becomes
    {"a": 1, "x": 9}      {"a": 1}    {"a": 2}    {"a": 2, "x": 9}     "x" was not understood
    {"a": 1}              {"a": 1,    {"a": 1,    {"a": 1}             "b" has its default, and
                           "b": 0}     "b": 0}                         the text need not say it
    {"a": 1}              {"a": 1}    {"a": 1,    {"a": 1, "b": 3}     a new member
                                       "b": 3}
    {"a": 1, "b": 3}      {"a": 1,    {"a": 1}    {"a": 1}             a removed one
                           "b": 3}

Values of one member keep their type: a number does not become true or false, which are equal to 1
and 0 for Python. Two entries of lists are the same object if they have the same ``ORIGIN``, so that
entries can move.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from randomizer.model.basics.json_places import Member, entries, members, value_in_json

ORIGIN = "#origin"
"""The key under which a reader notes the number of an object in its text; it is not written."""

_UNKNOWN = object()
"""The former value of a member that the text has and the former value lacks: equal to no value."""

_NUMBER = re.compile(r"[^\s,\[\]]+")
"""An entry of a list of numbers."""

_COLON_AT_END = re.compile(r"\s*:\s*$")
"""The colon between the name of a member and its value, with the blanks around it."""

_NUMBERS = re.compile(r"\[\n\s*-?[\d.]+(?:,\s*-?[\d.]+)*\s*\]")
"""A list of numbers as ``json.dumps`` indents it, a number a line; it is written in one line.

No text in quotes can match, since JSON writes a line end in a text as two characters.
"""


def changed_json(text: str, former: Any, value: Any) -> str:
    """Return ``text``, which stands for the value ``former``, changed to stand for ``value``."""
    start, end = value_in_json(text)
    changed = _Changes(text).changed(former, value, start, end)
    return f"{text[:start]}{changed}{text[end:]}"


def objects_of(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a value, always in the same order.

    Their position in that order is the ``ORIGIN`` that readers give them.
    """
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting += item.values()
        elif isinstance(item, list) and not is_list_of_numbers(item):  # numbers hold no objects
            waiting += item


def is_list_of_numbers(value: object) -> bool:
    """Return whether a value is a list that begins with a number, as long lists of cells do."""
    return isinstance(value, list) and bool(value) and type(value[0]) in (int, float)


def json_text(value: Any, indent: str | None = None) -> str:
    """Return a value as JSON text.

    ``indent`` is the indentation of the line in which it begins; None writes all in one line.
    """
    plain = _without_origins(value)
    if indent is None:
        return json.dumps(plain, ensure_ascii=False)
    text = json.dumps(plain, ensure_ascii=False, indent=1)
    text = _NUMBERS.sub(lambda match: " ".join(match[0].split()), text)
    return text.replace("\n", f"\n{indent}")


class _Changes:
    """Makes the changed texts of the values in one text.

    In all methods ``former`` is the value as it was read and ``value`` as it is now; ``start`` and
    ``end`` are the offsets of the text of the former one.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        """The text as it was read."""

    def changed(self, former: Any, value: Any, start: int, end: int) -> str:
        """Return the text from ``start`` to ``end`` changed from the former to the new value."""
        text = self._text
        if former == value:
            return text[start:end]

        # Values of one kind are compared member by member, if the text has that kind, too.
        if isinstance(former, dict) and isinstance(value, dict) and text[start] == "{":
            return self._changed_object(former, value, start, end)
        if isinstance(former, list) and isinstance(value, list) and text[start] == "[":
            if is_list_of_numbers(former):
                return self._changed_numbers(former, value, start, end)
            return self._changed_list(former, value, start, end)

        # Others are written anew: in several lines only if the text had several.
        if "\n" not in text[start:end]:
            return json_text(value)
        line_start = text.rfind("\n", 0, start) + 1
        text_before = text[line_start:start]
        indent = text_before[: len(text_before) - len(text_before.lstrip())]
        return json_text(value, indent)

    def _changed_object(
        self, former: dict[str, Any], value: dict[str, Any], start: int, end: int
    ) -> str:
        """Return the text of an object: first the members of the text, then those that are new."""
        text = self._text
        members_in_text = members(text, start)
        # JSON may have a name twice; readers take the last one, so only that one is changed.
        last_of_name = {member.name: member for member in members_in_text}
        last_end = 0
        if members_in_text:
            last_end = members_in_text[-1].end
        pieces = _Pieces(text, start, end, last_end)
        for member in members_in_text:
            name = member.name
            head = text[member.name_start : member.start]
            body = text[member.start : member.end]
            is_understood = name in former or name in value
            is_the_one_that_counts = last_of_name[name] is member
            if is_understood and is_the_one_that_counts:
                if name not in value:
                    continue  # the member is removed
                former_value = former.get(name, _UNKNOWN)
                body = self.changed(former_value, value[name], member.start, member.end)
            pieces.add_former(member.name_start, member.end, head + body)

        colon = _colon_of(text, members_in_text)
        for name, new_value in value.items():
            if name == ORIGIN or name in last_of_name:
                continue
            if name in former and former[name] == new_value:
                continue  # both values have it and the text does not: a default of its program
            pieces.add_new(f"{json.dumps(name, ensure_ascii=False)}{colon}", new_value)
        return pieces.joined()

    def _changed_list(self, former: list[Any], value: list[Any], start: int, end: int) -> str:
        """Return the text of a list whose entries may have moved: ``ORIGIN`` tells the objects."""
        spans = entries(self._text, start)
        if len(spans) != len(former):
            return json_text(value)
        index_by_origin = {}
        for index, entry in enumerate(former):
            if isinstance(entry, dict) and ORIGIN in entry:
                index_by_origin[entry[ORIGIN]] = index
        last_end = 0
        if spans:
            _last_start, last_end = spans[-1]
        pieces = _Pieces(self._text, start, end, last_end)
        used_indices = set[int]()
        for index, entry in enumerate(value):
            former_index = None
            if isinstance(entry, dict) and ORIGIN in entry:  # an object that was read
                former_index = index_by_origin.get(entry[ORIGIN])
            elif index < len(former) and former[index] == entry:
                former_index = index  # a value that is no object is recognised by its position
            if former_index is None or former_index in used_indices:
                # A copy of an object has the origin of its model, and is written as a new one.
                pieces.add_new("", entry)
                continue
            used_indices.add(former_index)
            entry_start, entry_end = spans[former_index]
            body = self.changed(former[former_index], entry, entry_start, entry_end)
            pieces.add_former(entry_start, entry_end, body)
        return pieces.joined()

    def _changed_numbers(self, former: list[Any], value: list[Any], start: int, end: int) -> str:
        """Return the text of a list of numbers, of which only those that differ are written anew.

        Layers of tiles are such lists: hundreds of thousands of numbers with a few changes.
        """
        text = self._text
        matches = list(_NUMBER.finditer(text, start, end))
        if len(matches) != len(former) or len(former) != len(value):
            return json_text(value)
        pieces = list[str]()
        copied_end = start
        for match, former_number, number in zip(matches, former, value, strict=True):
            if former_number != number:
                pieces += [text[copied_end : match.start()], json_text(number)]
                copied_end = match.end()
        return "".join([*pieces, text[copied_end:end]])


class _Pieces:
    """Joins the members of an object, or the entries of a list, in their new order.

    A *piece* is one member or entry. Where two pieces follow each other as in the text, the comma
    and the blanks between them are those of the text. Of ``[1,  2, 3]`` without the 2 and with a
    new 4, the pieces are a former 1, a former 3 and a new 4: ``[1, 3,4]``, as there are no blanks
    before the first entry.
    """

    def __init__(self, text: str, start: int, end: int, last_end: int) -> None:
        self._text = text
        self._start = start
        """The offset of the object or list in the text."""
        self._end = end
        """The offset behind it."""
        self._last_end = last_end
        """The offset behind its last piece in the text; 0 if it is empty there."""
        self._parts = [text[start]]
        """The new text so far: the bracket, then for each piece what is before it, and itself."""
        self._end_of_previous: int | None = start + 1
        """The offset where the piece that was added last ends in the text; None if it is new.

        Before the first piece it is the offset behind the bracket.
        """
        self._first_blanks = ""
        """The blanks before the first piece, which stand before new ones, too."""
        if last_end:
            inside = text[start + 1 : end - 1]
            self._first_blanks = inside[: len(inside) - len(inside.lstrip())]

    def add_former(self, start: int, end: int, body: str) -> None:
        """Add the piece that stood from ``start`` to ``end`` in the text, now as ``body``."""
        comma = self._comma()
        between = None
        if self._end_of_previous is not None and self._end_of_previous <= start:
            between = self._text[self._end_of_previous : start]
        if between is None or between.strip() != comma:
            # Another piece stood before this one in the text, or it has moved up: only the blanks
            # directly before it go with it.
            text_before = self._text[self._start + 1 : start]
            between = comma + text_before[len(text_before.rstrip()) :]
        self._parts += [between, body]
        self._end_of_previous = end

    def add_new(self, head: str, value: Any) -> None:
        """Add a new piece: ``head`` is its name and the colon, "" in a list."""
        blanks = self._first_blanks
        indent = None
        if "\n" in blanks:
            indent = blanks.rpartition("\n")[2]
        self._parts += [self._comma(), blanks, head, json_text(value, indent)]
        self._end_of_previous = None

    def _comma(self) -> str:
        """Return the comma before the next piece; "" before the first one."""
        if self._has_pieces():
            return ","
        return ""

    def _has_pieces(self) -> bool:
        """Return whether any piece was added: the bracket is the only part before."""
        return len(self._parts) > 1

    def joined(self) -> str:
        """Return all pieces as an object or list."""
        tail_start = self._last_end or self._end - 1  # of an empty one the tail is the bracket
        tail = self._text[tail_start : self._end]
        if not self._has_pieces():
            tail = tail.lstrip()
        return "".join([*self._parts, tail])


def _colon_of(text: str, members_in_text: Sequence[Member]) -> str:
    """Return the colon of an object's first member with the blanks around it, ``: `` by default."""
    if not members_in_text:
        return ": "
    first = members_in_text[0]
    head = text[first.name_start : first.start]  # the name in quotes, the colon, and blanks
    colon = _COLON_AT_END.search(head)
    assert colon is not None, "a member has a colon"
    return colon[0]


def _without_origins(value: Any) -> Any:
    """Return a value whose objects have no ``ORIGIN``."""
    if isinstance(value, dict):
        return {name: _without_origins(item) for name, item in value.items() if name != ORIGIN}
    if isinstance(value, list) and not is_list_of_numbers(value):
        return [_without_origins(item) for item in value]
    return value
