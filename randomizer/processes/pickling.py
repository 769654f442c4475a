"""Bases and rolls as bytes, to and from a child process; a system travels by its name."""

from __future__ import annotations

import io
import pickle
from types import MappingProxyType
from typing import IO, Any

from randomizer.catalog import system_named
from randomizer.model.system import System


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        """The name of a system; every other value is written itself."""
        return value.name if isinstance(value, System) else None

    def reducer_override(self, value: Any) -> Any:
        """A read-only mapping as a dict; every other value as usual."""
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> System:
        """The system of this process with a name."""
        system = system_named(name)
        if system is None:
            raise pickle.UnpicklingError(f"there is no system {name}")
        return system


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def write(value: object, file: IO[bytes]) -> None:
    """Write one value and flush. Raises OSError if the other process has ended."""
    buffer = io.BytesIO()  # nothing is written if it cannot be pickled
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    file.write(buffer.getvalue())
    file.flush()


def read(file: IO[bytes]) -> Any:
    """The next value. Raises EOFError if the other process has ended."""
    try:
        return _Unpickler(file).load()
    except (pickle.UnpicklingError, OSError) as reason:  # it ended in the middle of a value
        raise EOFError from reason
