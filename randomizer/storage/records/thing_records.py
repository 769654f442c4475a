"""Placed things as a record: a column for each field, so that many things are few JSON values.

Numbers are one text each column ("1 2 3"), texts a list. A column in which every thing has the
default is left out. States are JSON texts of their own, "" for none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import fields
from typing import Any

from randomizer.model.basics.limits import MOST_THINGS
from randomizer.model.gate.gate import check_counts, check_things
from randomizer.model.things.thing_state import LARGEST_STATE, NO_STATE, State
from randomizer.model.things.things import Thing
from randomizer.storage.records.codec import Record, kinds_of, read_fields

_NUMBERS: dict[str, Callable[[Any], Any]] = {
    "id": int,
    "x": float,
    "y": float,
    "angle": float,
    "owner": int,
    "touched": int,
}
_COLUMNS = {name: str if name in _NUMBERS else tuple[str, ...] for name in kinds_of(Thing)}
_DEFAULTS = {field.name: field.default for field in fields(Thing)}
_REQUIRED = ("id", "kind", "x", "y")

_LONGEST_NUMBER = 26
"""In characters, of a number of a column and the blank after it: ``-1.2345678901234567e-300``."""


def things_record(things: Collection[Thing]) -> Record:
    """Return the record of things, in their order; empty for none."""
    record: Record = {}
    for name in _COLUMNS:
        values = [getattr(thing, name) for thing in things]
        if name not in _REQUIRED and all(value == _DEFAULTS[name] for value in values):
            continue
        if name in _NUMBERS:
            record[name] = " ".join(repr(_NUMBERS[name](value)) for value in values)
        elif name == "state":
            record[name] = [json.dumps(state.plain()) if state else "" for state in values]
        else:
            record[name] = values
    return record if things else {}


def read_things(record: object, where: str) -> tuple[Thing, ...]:
    """Return the things of a record. Raises ValueError, or ProblemError for values that none
    has.
    """
    if record == {}:
        return ()
    columns = read_fields(_COLUMNS, record, where, required=_REQUIRED)
    columns["id"] = _numbers(columns["id"], "id", where)
    number = len(columns["id"])
    check_counts(things=number)  # before the others take memory
    for name in (columns.keys() & _NUMBERS.keys()) - {"id"}:
        columns[name] = _numbers(columns[name], name, where)
    if "state" in columns:
        columns["state"] = _states(columns["state"], where)
    for name, values in columns.items():
        if len(values) != number:
            raise ValueError(f"{where}: {number:,} ids, but {len(values):,} values of {name}")
    every = [columns.get(name, [default] * number) for name, default in _DEFAULTS.items()]
    things = tuple(Thing(*values) for values in zip(*every, strict=True))
    check_things(things)
    return things


def _numbers(column: str, name: str, where: str) -> list[Any]:
    if len(column) > MOST_THINGS * _LONGEST_NUMBER:  # before its words take memory
        raise ValueError(f"{where}: “{name}” is too long")
    values = [_NUMBERS[name](word) for word in column.split()]
    if name != "touched":
        return values
    if not set(values) <= {0, 1}:
        raise ValueError(f"{where}: “touched” has other numbers than 0 and 1")
    return [bool(value) for value in values]


def _states(column: tuple[str, ...], where: str) -> list[State]:
    states = {text: _state(text, where) if text else NO_STATE for text in set(column)}
    return [states[text] for text in column]


def _state(text: str, where: str) -> State:
    if len(text) > LARGEST_STATE:
        raise ValueError(f"{where}: a state has more than {LARGEST_STATE:,} bytes")
    try:
        return State(json.loads(text))
    except RecursionError:
        raise ValueError(f"{where}: a state is nested too deeply") from None
