"""A child process that rolls maps: ``main`` runs in it, ``Worker`` is its other end.

It gets the recipe as a ``Roll`` and the base once for all maps of a seed, then numbers. Values
travel as bytes, a system by its name.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import IO, Any

from randomizer.batches.single_rolls import SingleRoll, roll_single
from randomizer.catalog.catalog import generator_for_script, generator_named, system_named
from randomizer.generator import DrawKey, MapGenerator
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.model.system.system import System
from randomizer.processes.children import start_child
from randomizer.roll_base import Base


@dataclass(frozen=True, eq=False)
class Setup:
    """All maps of one seed of a generator on ``base``; the number of ``roll`` means nothing."""

    roll: Roll
    base: Base

    def generator(self) -> MapGenerator:
        """Return the generator, made again. Raises ProblemError if that cannot be done."""
        roll = self.roll
        if roll.generator:
            named = generator_named(roll.generator)
        else:
            named = None
        if named is not None and (named.text, named.texts) == (roll.script, roll.texts):
            return named
        return generator_for_script(roll.script, roll.script_name, None, roll.texts)


def setup_of(
    generator: MapGenerator, settings: Mapping[str, object], seed: int, base: Base
) -> Setup | None:
    """Return what another process needs to roll a generator; None if it cannot be made again
    there.
    """
    roll = Roll(
        generator.name,
        generator.metadata.script,
        generator.text,
        dict(settings),
        seed,
        0,
        texts=generator.texts,
    )
    setup = Setup(roll, replace(base, assets={}))  # pictures are for maps, not for rolls
    try:
        return setup if type(setup.generator()) is type(generator) else None
    except ProblemError:  # no host knows its script
        return None


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        """Return the name of a system; every other value is written itself."""
        return value.name if isinstance(value, System) else None

    def reducer_override(self, value: Any) -> Any:
        """Return a read-only mapping as a dict, a data class by its fields, others as usual.

        What a data class caches beside its fields stays here: another thread may be adding to it
        meanwhile, and a dictionary that grows cannot be written.
        """
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        if is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
            return _with_fields, (
                type(value),
                {f.name: getattr(value, f.name) for f in fields(value)},
            )
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> System:
        """Return the system of this process with a name."""
        system = system_named(name)
        if system is None:
            raise pickle.UnpicklingError(f"there is no system {name}")
        return system


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def _with_fields(kind: type[Any], values: dict[str, Any]) -> Any:
    """Return a data class with these fields, which were checked when the original was made."""
    made = object.__new__(kind)
    vars(made).update(values)
    return made


def write(value: object, file: IO[bytes]) -> None:
    """Write one value and flush. Raises OSError if the other process has ended."""
    buffer = io.BytesIO()  # nothing is written if it cannot be pickled
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    file.write(buffer.getvalue())
    file.flush()


def read(file: IO[bytes]) -> Any:
    """Return the next value. Raises EOFError if the other process has ended."""
    try:
        return _Unpickler(file).load()
    except (pickle.UnpicklingError, OSError) as reason:  # it ended in the middle of a value
        raise EOFError from reason


NICENESS = 5
"""The window comes first where processors are few."""


class Worker:
    """One child process. It ends with this process, and when it is ``kill``ed.

    ``path`` is the one on which it looks for modules: that of this process when it was started.
    """

    def __init__(self) -> None:
        self.path = tuple(sys.path)
        self._child = start_child(__name__)
        self._setup: Setup | None = None

    @property
    def alive(self) -> bool:
        """True if the process has not ended."""
        return self._child.poll() is None

    def roll(self, setup: Setup, number: int) -> SingleRoll | None:
        """Return one map; None if the process ended before the map was made."""
        questions = self._child.stdin
        answers = self._child.stdout
        assert questions is not None, "it is a pipe"
        assert answers is not None, "it is a pipe"
        try:
            if setup is not self._setup:
                write(setup, questions)
                self._setup = setup
            write(number, questions)
            generated: SingleRoll = read(answers)
        except (OSError, EOFError):
            self.kill()
            return None
        except BaseException:  # it may wait for the rest of a setup
            self.kill()
            raise
        return generated

    def kill(self) -> None:
        """End the process now; may be called from any thread, and more than once."""
        self._child.kill()
        self._child.wait()

    def close(self) -> None:
        """End the process and close its pipes; nobody may be waiting for a map."""
        self.kill()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not written is not wanted any more
                    stream.close()


def main() -> None:
    """Roll what standard input asks for until it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a generator may print
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(EOFError):
        setup: Setup = read(sys.stdin.buffer)
        generator = setup.generator()
        while True:
            request = read(sys.stdin.buffer)
            if isinstance(request, Setup):
                setup = request
                generator = request.generator()
                continue
            key = DrawKey(setup.roll.seed, request)
            write(roll_single(generator, setup.roll.settings, key, setup.base), answers)
