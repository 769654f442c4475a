"""Things on a map as a *record*, that is, as values that JSON can hold, for files and journals.

``things_record`` makes the record, ``read_things`` reads it.

The record has a column for each field of a thing, so that ten thousand things are a dozen JSON
values. A tree and a house::

    {"id": "1 2", "kind": ["tree", "house"], "x": "3.5 8.0", "y": "1.0 2.5"}

A column of numbers is one text, a column of texts a list. A column is left out if all things have
the field's default; without things the record is {}. The column ``state`` has a JSON text for each
thing, "" for no state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from typing import Any

from randomizer.model.basics.limits import MAX_THINGS
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
"""The fields of a thing that are numbers, and their types; "touched" is a bool, written 0 or 1."""


def _column_types() -> dict[str, Any]:
    """Return the columns of a record by name, with the types that the codec expects of them."""
    types: dict[str, Any] = {}
    for name in kinds_of(Thing):
        if name in _NUMBERS:
            types[name] = str
        else:
            types[name] = tuple[str, ...]
    return types


_COLUMNS = _column_types()

_DEFAULTS = {field.name: field.default for field in fields(Thing)}
"""The default of each field of a thing, in the order of the fields."""

_REQUIRED = ("id", "kind", "x", "y")
"""The columns that are never left out: fields without a default."""

_LONGEST_NUMBER = 26
"""The most characters of a number and the blank behind it: ``-1.2345678901234567e-300``."""


def things_record(things: Collection[Thing]) -> Record:
    """Return the record of things, in their order; empty for none."""
    if not things:
        return {}
    record: Record = {}
    for name in _COLUMNS:
        values = [getattr(thing, name) for thing in things]
        if name not in _REQUIRED and all(value == _DEFAULTS[name] for value in values):
            continue
        if name in _NUMBERS:
            # ``repr`` of a float reads back as the same number.
            record[name] = " ".join(repr(_NUMBERS[name](value)) for value in values)
        elif name == "state":
            record[name] = [json.dumps(state.plain()) if state else "" for state in values]
        else:
            record[name] = values
    return record


def read_things(record: object, where: str) -> tuple[Thing, ...]:
    """Return the things of a record; ``where`` begins the messages.

    Raises ValueError, or ProblemError for values that no thing has.
    """
    if record == {}:
        return ()
    columns = read_fields(_COLUMNS, record, where, required=_REQUIRED)
    ids = _numbers(columns.pop("id"), "id", where)
    count = len(ids)
    check_counts(things=count)  # before the others take memory
    values_of_fields: dict[str, Sequence[Any]] = {"id": ids}
    for name, column in columns.items():
        if name in _NUMBERS:
            values_of_fields[name] = _numbers(column, name, where)
        elif name == "state":
            values_of_fields[name] = _states(column, where)
        else:
            values_of_fields[name] = column
    for name, values in values_of_fields.items():
        if len(values) != count:
            raise ValueError(f"{where}: {count:,} ids, but {len(values):,} values of {name}")

    # A thing takes its values by position: the columns are brought into the order of its fields,
    # and one that was left out has the default for each thing.
    ordered_values = []
    for name, default in _DEFAULTS.items():
        ordered_values.append(values_of_fields.get(name, [default] * count))
    things = tuple(Thing(*values) for values in zip(*ordered_values, strict=True))
    check_things(things)
    return things


def _numbers(column: str, name: str, where: str) -> list[Any]:
    """Return the numbers of a column, of "touched" as bools. Raises ValueError."""
    if len(column) > MAX_THINGS * _LONGEST_NUMBER:  # before its words take memory
        raise ValueError(f"{where}: “{name}” is too long")
    try:
        values = [_NUMBERS[name](word) for word in column.split()]
    except ValueError as fault:
        raise ValueError(f"{where}: {name}: {fault}") from fault
    if name != "touched":
        return values
    if not set(values) <= {0, 1}:
        raise ValueError(f"{where}: “touched” has other numbers than 0 and 1")
    return [bool(value) for value in values]


def _states(column: tuple[str, ...], where: str) -> list[State]:
    """Return the states of a column; many things share one. Raises ValueError."""
    states = {"": NO_STATE}
    for text in set(column) - {""}:
        states[text] = _state(text, where)
    return [states[text] for text in column]


def _state(text: str, where: str) -> State:
    """Return the state of a JSON text. Raises ValueError."""
    if len(text) > LARGEST_STATE:
        raise ValueError(f"{where}: a state has more than {LARGEST_STATE:,} characters")
    try:
        return State(json.loads(text))
    except RecursionError:
        raise ValueError(f"{where}: a state is nested too deeply") from None
