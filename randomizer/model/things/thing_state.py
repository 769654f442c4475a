"""The state of a placed thing: a small immutable mapping of JSON values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from randomizer.model.basics.bounded_json import fault_in_data

LARGEST_STATE = 4096
"""The most bytes that a state takes as JSON."""


class State(Mapping[str, Any]):
    """The state of a thing besides its place: hit points, template, orders ...

    Values are None, bool, int, float, str, and tuples and states of these. Immutable and hashable;
    iterated in the order of the names, so that equal states have equal records. Raises ValueError
    for anything that JSON cannot hold (``bounded_json``), or more than ``LARGEST_STATE`` bytes.
    ``size`` is the number of bytes of its JSON, 0 for an empty state.
    """

    __slots__ = ("_hash", "_values", "size")

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        entries = {} if values is None else values
        fault = fault_in_data(entries) if isinstance(entries, Mapping) else "is no mapping"
        if fault:
            raise ValueError(f"the state of a thing {fault}")
        self._values: dict[str, Any] = _frozen_values(entries)
        self._hash: int | None = None
        self.size = len(json.dumps(self.plain())) if entries else 0
        if self.size > LARGEST_STATE:
            raise ValueError(f"the state of a thing takes more than {LARGEST_STATE:,} bytes")

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
        """Return the state as dicts and lists, for JSON."""
        return {name: _plain(value) for name, value in self._values.items()}


def _frozen_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _frozen(values[name]) for name in sorted(values)}


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        part = State.__new__(State)
        part._values = _frozen_values(value)
        part._hash = None
        part.size = 0
        return part
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, State):
        return value.plain()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


NO_STATE = State()
"""The state of a thing that has none."""
