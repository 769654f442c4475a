"""Values as JSON: dataclasses of whole numbers, lines of text, flags, and tuples of them."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from typing import Any, Self, get_args, get_origin, get_type_hints

_NOT_IN_LINE = re.compile("[\\0\\n\\r\\ud800-\\udfff]")
"""What no line of a file has: ends of lines, null characters and halves of UTF-16 pairs."""


class Record:
    """The base of the dataclasses that are a record of a map, a field for each entry."""

    __slots__ = ()

    @classmethod
    def from_record(cls, text: str) -> Self:
        """The value of a record's text; entries that are not there have their default.

        Raises ValueError for a text that is not such a record.
        """
        try:
            value: Self = _dataclass(cls, json.loads(text))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        fault = value.fault()
        if fault:
            raise ValueError(fault)
        return value

    def fault(self) -> str:
        """Why no map can have this value although its entries are of the right kinds; "": none."""
        return ""

    def to_record(self) -> str:
        """The text of the record, a line for each entry, so that edits change few of them."""
        return json.dumps(_plain(self), ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    """A value as dicts and lists."""
    if dataclasses.is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


_types = cache(get_type_hints)


def _dataclass(kind: type, found: object) -> Any:
    """A dataclass from decoded JSON. Raises ValueError."""
    if not isinstance(found, dict):
        raise ValueError(f"here stands {kind.__name__.lower()}, not {found!r:.40}")
    fields = {each.name: each for each in dataclasses.fields(kind)}
    values = {}
    for name, value in found.items():
        if name not in fields:
            raise ValueError(f"there is no “{name:.40}”")
        try:
            values[name] = _value(_types(kind)[name], value)
        except ValueError as fault:
            raise ValueError(f"{name}: {fault}") from None
    none = dataclasses.MISSING
    for name, each in fields.items():
        if name not in values and each.default is none and each.default_factory is none:
            raise ValueError(f"“{name}” is missing")
    return kind(**values)


def _value(kind: Any, found: object) -> Any:
    """The value of an entry whose type is ``kind``. Raises ValueError."""
    origin = get_origin(kind)
    if origin is tuple:
        if not isinstance(found, list):
            raise ValueError(f"here stands a list, not {found!r:.40}")
        return tuple(_value(get_args(kind)[0], each) for each in found)
    if origin is Mapping:
        if not isinstance(found, dict):
            raise ValueError(f"here stand texts by name, not {found!r:.40}")
        return {name: _value(str, text) for name, text in found.items()}
    if dataclasses.is_dataclass(kind):
        assert isinstance(kind, type)
        return _dataclass(kind, found)
    if kind is bool:
        if not isinstance(found, bool):
            raise ValueError(f"here stands true or false, not {found!r:.40}")
        return found
    if kind is str:
        if not isinstance(found, str) or _NOT_IN_LINE.search(found):
            raise ValueError(f"here stands one line of text, not {found!r:.40}")
        return found
    if type(found) is not int or not -(2**31) <= found < 2**31:
        raise ValueError(f"here stands a whole number of 32 bits, not {found!r:.40}")
    if issubclass(kind, IntEnum) and found not in tuple(kind):
        raise ValueError(f"here stands one of {', '.join(map(str, map(int, kind)))}, not {found}")
    return kind(found)
