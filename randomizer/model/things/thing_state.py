"""The state of a placed thing: a small immutable mapping of JSON values::

state = State({"hp": 7, "orders": ["march", {"to": 3}]})
state["orders"]            # ("march", State({"to": 3})): lists are tuples, mappings are states
state.plain()              # the values as they were given, for JSON
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from randomizer.model.basics.bounded_json import fault_in_data

LARGEST_STATE = 32 * 1024
"""The most bytes that a state takes as JSON, which is ASCII.

The longest text of a note fits in any alphabet: JSON has twelve bytes for a letter outside of the
16 bits of Unicode. Larger states would take memory for each thing of a hostile file.
"""


class State(Mapping[str, Any]):
    """The state of a thing besides its position: hit points, template, orders ...

    Values are None, bool, int, float, str, and tuples and states of these. Immutable and hashable;
    iterated in the order of the names, so that equal states have equal records.
    """

    __slots__ = ("_hash", "_values", "size")

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        """Copy the values, which can hold lists and dicts; None for no values.

        Raises ValueError for anything that JSON cannot hold (``bounded_json``), or for more than
        ``LARGEST_STATE`` bytes of it.
        """
        entries: Mapping[str, Any] = {}
        if values is not None:
            entries = values
        if not isinstance(entries, Mapping):  # it can come from a file
            raise ValueError("the state of a thing is no mapping")
        fault = fault_in_data(entries)
        if fault:
            raise ValueError(f"the state of a thing {fault}")
        self._initialise(_frozen_values(entries))
        if entries:
            self.size = len(json.dumps(self.plain()))
        if self.size > LARGEST_STATE:
            raise ValueError(f"the state of a thing takes more than {LARGEST_STATE:,} bytes")

    @classmethod
    def _within_state(cls, values: Mapping[str, Any]) -> State:
        """Return the state for a mapping within a state; that state has been checked as a whole."""
        state = cls.__new__(cls)
        state._initialise(_frozen_values(values))
        return state

    def _initialise(self, frozen_values: dict[str, Any]) -> None:
        """Set all fields, those that are not worked out yet to None and 0."""
        self._values: dict[str, Any] = frozen_values
        """The values by name, sorted; mappings among them are states, lists are tuples."""
        self._hash: int | None = None
        """The hash; None until it is asked for."""
        self.size = 0
        """The number of bytes of its JSON; 0 for an empty state, and for one within a state, whose
        bytes are among those of the outer one."""

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
    """Return the values frozen, by name in the order of the names."""
    return {name: _frozen(values[name]) for name in sorted(values)}


def _frozen(value: Any) -> Any:
    """Return a value of JSON that cannot change: mappings become states, lists tuples."""
    if isinstance(value, Mapping):
        return State._within_state(value)
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return value


def _plain(value: Any) -> Any:
    """Return a frozen value as dicts and lists."""
    if isinstance(value, State):
        return value.plain()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


NO_STATE = State()
"""The state of a thing that has none."""
