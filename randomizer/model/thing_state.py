"""The state of a placed thing: a small immutable mapping of JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

LARGEST_STATE = 4096
"""The most bytes that a state takes as JSON."""

_DEEPEST = 20


class State(Mapping[str, Any]):
    """What a thing has besides its place: hit points, template, orders ...

    Values are None, bool, int, float, str, and tuples and states of these. Immutable and hashable;
    iterated in the order of the names, so that equal states have equal records. Raises ValueError
    for anything that JSON cannot hold, a float that is not finite, text that is not Unicode, more
    than 20 levels, or more than ``LARGEST_STATE`` bytes.
    """

    __slots__ = ("_hash", "_values")

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self._values: dict[str, Any] = _frozen_values({} if values is None else values, _DEEPEST)
        self._hash: int | None = None
        text = json.dumps(self.plain(), ensure_ascii=False, allow_nan=False) if values else ""
        if len(text.encode()) > LARGEST_STATE:
            raise ValueError(f"a thing's state takes more than {LARGEST_STATE:,} bytes")

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._values.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"State({self._values!r})"

    def plain(self) -> dict[str, Any]:
        """The state as dicts and lists, for JSON."""
        return {name: _plain(value) for name, value in self._values.items()}


def _frozen_values(values: Mapping[str, Any], deeper: int) -> dict[str, Any]:
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise ValueError("a thing's state is a mapping of names to values")
    return {name: _frozen(values[name], deeper) for name in sorted(values)}


def _frozen(value: Any, deeper: int) -> Any:
    if not deeper:
        raise ValueError(f"a thing's state has more than {_DEEPEST} levels")
    if isinstance(value, State):
        return _part(value._values, deeper)
    if isinstance(value, Mapping):
        return _part(value, deeper)
    if isinstance(value, list | tuple):
        return tuple(_frozen(each, deeper - 1) for each in value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("a whole number in a thing's state needs more than 64 bits")
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise ValueError(f"a thing's state cannot hold {value!r:.60}")


def _part(values: Mapping[str, Any], deeper: int) -> State:
    part = State.__new__(State)
    part._values = _frozen_values(values, deeper - 1)
    part._hash = None
    return part


def _plain(value: Any) -> Any:
    if isinstance(value, State):
        return value.plain()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


NO_STATE = State()
"""The state of a thing that has none."""
