"""The typed codec: dataclasses and plain values as what JSON holds, and back.

    @dataclass(frozen=True)
    class Pin:
        script: Annotated[str, fault_in_line]
        seed: int = 0

    record = plain(Pin("hills.rnd", 7))    # {"script": "hills.rnd", "seed": 7}
    read(Pin, record, "a pin")             # Pin("hills.rnd", 7)
    read(Pin, {"script": 7}, "a pin")      # ValueError: a pin: script should be a text, not 7

A *kind* is what annotates a field: ``bool``, ``int`` (64 bits), ``float`` (finite), ``str``,
``object`` (any JSON), an enumeration, a dataclass (an object by the names of its fields), a named
tuple (a list), ``tuple[X, ...]``, ``tuple[X, Y]``, ``frozenset[X]`` (a list), ``Mapping[str, X]``,
``X | None`` (the only unions), or ``Annotated[X, fault]``, where ``fault(value)`` says, as the end
of a sentence, why a value that is an X cannot stand here, "" if it can.

Kinds that the caller writes or reads itself, such as arrays, have ``writers`` and ``readers``. How
deep and large a JSON text is has been bounded before (``model.bounded_json``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from randomizer.model.basics.caches import KB, registered

Record = dict[str, Any]
"""A JSON object."""

OwnWriters = Mapping[Any, Callable[[Any], Any]]
"""Functions of the caller, by kind: each returns what JSON holds for a value of that kind."""

OwnReaders = Mapping[Any, Callable[[object, str], Any]]
"""Functions of the caller, by kind: each returns the value for what JSON holds.

The text is ``where``, with which a message begins; they raise ValueError as ``read`` does.
"""


class Raw:
    """The kind of a value that the caller reads later: it stays what JSON holds, with lists.

    (``object`` is any JSON, too, but as a value of a map, in which lists become tuples.)
    """


_NOTHING: Mapping[Any, Any] = MappingProxyType({})

_EXPECTED = {
    bool: "true or false",
    int: "a whole number of 64 bits",
    float: "a number",
    str: "a text",
    NoneType: "null",
}


_UNIONS = (UnionType, Union)
"""The origins of ``X | None``.

Before Python 3.14 that is ``Union`` if X is ``Annotated``, and ``UnionType`` otherwise.
"""


@registered(count=100, bytes_each=3 * KB)
@cache
def kinds_of(cls: type) -> dict[str, Any]:
    """Return the kinds of a dataclass's fields by name, without fields that it computes itself."""
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


@registered(count=100, bytes_each=KB)
@cache
def _required(cls: type) -> tuple[str, ...]:
    """Return the fields of a dataclass without a default."""
    names = []
    for field in fields(cls):
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if field.init and not has_default:
            names.append(field.name)
    return tuple(names)


@registered(count=200, bytes_each=KB)
@cache
def _parts_of(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the origin of a kind and what is in its brackets: (int, str) of tuple[int, str]."""
    return get_origin(kind), get_args(kind)


# --- writing ------------------------------------------------------------------------------------


def plain(value: Any, writers: OwnWriters = _NOTHING, kind: Any = Any) -> Any:
    """Return a value as what JSON holds. Raises TypeError for a value of an unsupported type.

    ``kind`` is what annotates the value. It is only needed to find those of ``writers`` in fields,
    mappings and tuples, though not in the fields of a named tuple; all else is told by the value's
    type.
    """
    # Single values. Enumerations of texts are texts as well, so they come before these.
    if value is None or type(value) in (bool, int, float):
        return value
    if writers and kind in writers:
        return writers[kind](value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value

    # Values of several values; the kinds of these are in the brackets of ``kind``.
    origin, inner = _parts_of(kind)
    if origin is Annotated:
        return plain(value, writers, inner[0])
    if origin in _UNIONS:
        return plain(value, writers, _kind_unless_none(inner))
    if isinstance(value, tuple | list):
        entry_kinds = _kinds_of_entries(inner, len(value))
        entries = []
        for entry, entry_kind in zip(value, entry_kinds, strict=True):
            entries.append(plain(entry, writers, entry_kind))
        return entries
    if isinstance(value, frozenset):
        entry_kind = inner[0] if inner else Any
        return [plain(entry, writers, entry_kind) for entry in sorted(value)]
    if is_dataclass(value):
        return plain_fields(value, writers)
    if isinstance(value, Mapping):
        value_kind = Any
        if inner:
            _name_kind, value_kind = inner
        return {name: plain(entry, writers, value_kind) for name, entry in value.items()}
    raise TypeError(f"no record holds {value!r}")


def _kinds_of_entries(inner: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """Return the kinds of the entries of a tuple, by what is in the brackets of its own kind."""
    if not inner:  # a tuple of any kind
        return (Any,) * count
    if inner[-1] is Ellipsis:  # tuple[X, ...]
        return (inner[0],) * count
    return inner


def _kind_unless_none(inner: tuple[Any, ...]) -> Any:
    """Return X of the kind ``X | None``, by what it is a union of. Raises TypeError for others."""
    if len(inner) != 2 or inner[1] is not NoneType:
        raise TypeError(f"no record holds a union of {inner!r}")
    return inner[0]


def plain_fields(
    value: Any, writers: OwnWriters = _NOTHING, names: Iterable[str] | None = None
) -> Record:
    """Return the fields of a dataclass as a JSON object; only those with ``names`` (None: all)."""
    cls: type = type(value)
    kinds = kinds_of(cls)
    if names is None:
        names = kinds
    return {name: plain(getattr(value, name), writers, kinds[name]) for name in names}


def short_fields(value: Any, writers: OwnWriters = _NOTHING) -> Record:
    """Return ``plain_fields`` without those at their default value: ``read`` fills them in."""
    names = []
    for field in fields(value):
        has_default = field.default is not MISSING
        if field.init and not (has_default and getattr(value, field.name) == field.default):
            names.append(field.name)
    return plain_fields(value, writers, names)


# --- reading ------------------------------------------------------------------------------------


def read(kind: Any, value: object, where: str, readers: OwnReaders = _NOTHING) -> Any:
    """Return the value of a kind from what JSON holds, or raise ValueError.

    ``where`` says in its message what ``value`` is, such as "a pin: script".
    """
    # Kinds that are types themselves.
    if readers and kind in readers:
        return readers[kind](value, where)
    if kind in _EXPECTED:
        return _read_scalar(kind, value, where)
    if kind is Raw:
        return value
    if kind in (object, Any):
        return _read_any(value)

    # Kinds with others in brackets.
    origin, inner = _parts_of(kind)
    if origin is Annotated:
        annotated_kind, *checks = inner
        return _checked(read(annotated_kind, value, where, readers), checks, where)
    if origin in _UNIONS:
        if value is None:
            return None
        return read(_kind_unless_none(inner), value, where, readers)
    if origin is tuple:
        return _read_list(inner, value, where, readers)
    if origin is frozenset:
        (entry_kind,) = inner
        return frozenset(_read_list((entry_kind, ...), value, where, readers))
    if origin is Mapping:
        _name_kind, value_kind = inner
        entries = {}
        for name, entry in _as_object(value, where).items():
            entries[name] = read(value_kind, entry, where, readers)
        return MappingProxyType(entries)

    # Classes: a dataclass is an object, a named tuple a list.
    if is_dataclass(kind):
        cls = cast(type, kind)
        return cls(**read_fields(kinds_of(cls), value, where, readers, _required(cls)))
    if issubclass(kind, Enum):
        return _read_choice(kind, value, where)
    kinds_of_named_tuple = get_type_hints(kind, include_extras=True)
    return kind(*_read_list(tuple(kinds_of_named_tuple.values()), value, where, readers))


def read_fields(
    kinds: Mapping[str, Any],
    value: object,
    where: str,
    readers: OwnReaders = _NOTHING,
    required: Iterable[str] | None = None,
) -> Record:
    """Return the values of a JSON object by name, each of its kind. Raises ValueError.

    All ``required`` names (None: all of ``kinds``) have to be there, and no others than ``kinds``.
    """
    record = _as_object(value, where)
    if required is None:
        required = kinds
    for name in required:
        if name not in record:
            raise ValueError(f"{where} has no “{name}”")
    for name in record:
        if name not in kinds:
            raise ValueError(f"{where} has {name!r:.40}, which is not known here")
    return {
        name: read(kinds[name], field_value, f"{where}: {name}", readers)
        for name, field_value in record.items()
    }


def _as_object(value: object, where: str) -> Record:
    """Return a JSON object. Raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError(f"{where} should be an object, not {value!r:.60}")
    return value


def _read_any(value: object) -> Any:
    """Return any JSON, with tuples instead of lists."""
    if isinstance(value, list):
        return tuple(_read_any(entry) for entry in value)
    if isinstance(value, dict):
        return {name: _read_any(entry) for name, entry in value.items()}
    return value


def _read_scalar(kind: type, value: object, where: str) -> Any:
    """Return a value of one of the kinds in ``_EXPECTED``. Raises ValueError."""
    # JSON can write 1.0 as 1. No number of a map is as large as 2**64, and float() fails for
    # whole numbers of more than 308 digits.
    if kind is float and type(value) is int and abs(value) < 2**64:
        value = float(value)
    if type(value) is kind and _is_in_range(value):  # bool is a subclass of int
        return value
    raise ValueError(f"{where} should be {_EXPECTED[kind]}, not {value!r:.60}")


def _is_in_range(value: object) -> bool:
    """Return whether a number is one that arrays of 64 bits hold; True for other values."""
    if type(value) is int:
        return -(2**63) <= value < 2**64  # from the lowest int64 to the highest uint64
    return type(value) is not float or math.isfinite(value)


def _read_choice(kind: type[Enum], value: object, where: str) -> Enum:
    """Return the member of an enumeration with a value. Raises ValueError."""
    for choice in kind:
        if type(choice.value) is type(value) and choice.value == value:
            return choice
    choices = ", ".join(str(choice.value) for choice in kind)
    raise ValueError(f"{where} should be one of {choices}, not {value!r:.60}")


def _read_list(
    inner: tuple[Any, ...], value: object, where: str, readers: OwnReaders
) -> tuple[Any, ...]:
    """Return the entries of a list; ``inner`` are their kinds, or one and an ellipsis for all."""
    if not isinstance(value, list):
        raise ValueError(f"{where} should be a list, not {value!r:.60}")
    if inner[-1] is Ellipsis:
        return tuple(read(inner[0], entry, where, readers) for entry in value)
    if len(value) != len(inner):
        raise ValueError(f"{where} should be a list of {len(inner)}, not {value!r:.60}")
    entries = []
    for kind, entry in zip(inner, value, strict=True):
        entries.append(read(kind, entry, where, readers))
    return tuple(entries)


def _checked(value: Any, checks: Iterable[Any], where: str) -> Any:
    """Return a value in which the functions among the annotations find no fault.

    Raises ValueError. What is no function is an annotation for others.
    """
    for check in checks:
        if not callable(check):
            continue
        fault = check(value)
        if fault:
            raise ValueError(f"{where} {fault}")
    return value
