"""A child process that rolls maps: ``main`` runs in it, ``Worker`` is its end in this process.

The conversation, by pipes from and to the process::

    Worker -> main      Setup           the recipe of all maps of a seed
    Worker -> main      17              the number of a map
    main -> Worker      SingleRoll      the map
    ...                                 further numbers, or another Setup

Values are pickled (``write_message`` and ``read_message``), but for systems, of which only the
names are sent: each process has its own objects.
"""

from __future__ import annotations

import io
import os
import pickle
import queue
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import IO, Any

from randomizer.batches.single_rolls import SingleRoll, roll_single
from randomizer.catalog.generators import generator_named
from randomizer.catalog.scripts import generator_for_script
from randomizer.catalog.systems import system_named
from randomizer.generator import MapGenerator
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.processes.children import start_child
from randomizer.roll_base import Base


@dataclass(frozen=True, eq=False)
class Setup:
    """The recipe of all maps of one seed."""

    roll: Roll
    """The generator, its settings and the seed. Its number is not used: each request has one."""

    base: Base
    """What the maps are rolled onto, without assets."""

    def generator(self) -> MapGenerator:
        """Return the generator, made again. Raises ProblemError if that cannot be done."""
        roll = self.roll
        if roll.generator:
            named_generator = generator_named(roll.generator)
            if named_generator is not None:
                # A packaged script that a person has edited still has the name, but another text,
                # or another one of the files that it includes.
                has_same_text = named_generator.text == roll.script
                if has_same_text and named_generator.texts == roll.texts:
                    return named_generator
        return generator_for_script(roll.script, roll.script_name, texts=roll.texts)


def setup_of(
    generator: MapGenerator, settings: Mapping[str, object], seed: int, base: Base
) -> Setup | None:
    """Return what another process needs to roll maps of a generator.

    None if the generator cannot be made again there.
    """
    roll = Roll(
        generator=generator.name,
        script_name=generator.metadata.script,
        script=generator.text,
        settings=dict(settings),
        seed=seed,
        number=0,
        texts=generator.texts,
    )
    setup = Setup(roll, replace(base, assets={}))  # pictures are for maps, not for rolls
    try:
        can_be_made_again = type(setup.generator()) is type(generator)
    except ProblemError:  # no host knows its script
        return None
    if not can_be_made_again:
        return None
    return setup


class _Pickler(pickle.Pickler):
    """Writes values of this program: systems by name, data classes without their caches."""

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of a system; None for all other values, which are written themselves."""
        if isinstance(value, System):
            return value.name
        return None

    def reducer_override(self, value: Any) -> Any:
        """Return a read-only mapping as a dict, a data class by its fields, others as usual.

        What a data class caches beside its fields stays here: another thread may be adding to it
        meanwhile, and a dictionary that grows cannot be written.
        """
        if isinstance(value, MappingProxyType):
            return _read_only, (dict(value),)
        if is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
            values = {field.name: getattr(value, field.name) for field in fields(value)}
            return _with_fields, (type(value), values)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    """Reads what ``_Pickler`` has written."""

    def persistent_load(self, name: str) -> System:
        """Return the system of this process with a name."""
        system = system_named(name)
        if system is None:
            raise pickle.UnpicklingError(f"there is no system {name}")
        return system


def _read_only(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a read-only mapping: pickle writes the name of this function, the type has none."""
    return MappingProxyType(values)


def _with_fields(kind: type[Any], values: dict[str, Any]) -> Any:
    """Return a data class with these fields, which were checked when the original was made."""
    instance = object.__new__(kind)
    vars(instance).update(values)
    if isinstance(instance, TerrainSet):
        instance.__post_init__()  # the hash of a text is another one in each process
    return instance


def write_message(value: object, file: IO[bytes]) -> None:
    """Write one value and flush. Raises OSError if the other process has ended."""
    # Into a buffer first, so that nothing is written of a value that cannot be pickled.
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    file.write(buffer.getvalue())
    file.flush()


def read_message(file: IO[bytes]) -> Any:
    """Return the next value. Raises EOFError if the other process has ended."""
    try:
        return _Unpickler(file).load()
    except (pickle.UnpicklingError, OSError) as reason:  # it ended in the middle of a value
        raise EOFError from reason


NICENESS = 5
"""The number that is added to Unix's niceness of the process, so that the window comes first.

With more, rolls would be slow while other programs of the user are busy.
"""


class Worker:
    """One child process. It ends with this process, and when it is ``kill``ed."""

    def __init__(self) -> None:
        self.path = tuple(sys.path)
        """The path on which the process looks for modules: that of this one when it was started."""
        self._child = start_child(__name__)  # it runs ``main``
        self._setup: Setup | None = None
        """The setup that was sent last."""

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
                write_message(setup, questions)
                self._setup = setup
            write_message(number, questions)
            single_roll: SingleRoll = read_message(answers)
        except (OSError, EOFError):
            self.kill()
            return None
        except BaseException:
            # A part of the question may have been written, so the process cannot be used again.
            self.kill()
            raise
        return single_roll

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


Requests = queue.SimpleQueue[Any]
"""Setups and numbers of maps that were read and wait for their turn."""


def main() -> None:
    """Roll what standard input asks for until it ends: the program of the child process."""
    # Answers go to the true standard output. Standard output is then redirected to the errors, so
    # that what a generator prints does not get among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(requests,), daemon=True).start()
    setup: Setup = requests.get()  # the first request is always one
    generator = setup.generator()
    while True:
        request = requests.get()
        if isinstance(request, Setup):
            setup = request
            generator = request.generator()
            continue
        key = DrawKey(setup.roll.seed, request)
        write_message(roll_single(generator, setup.roll.settings, key, setup.base), answers)


def _read_requests(requests: Requests) -> None:
    """Put what standard input asks for into a queue; when that ends, end the process.

    It runs on a thread of its own, so that the process ends with the program even while it rolls a
    map that takes for ever. (``sys.exit`` would end this thread only.)
    """
    try:
        while True:
            requests.put(read_message(sys.stdin.buffer))
    except EOFError:
        os._exit(0)
    except Exception:  # noqa: BLE001 - reading a setup imports modules, which may raise anything
        # Without the setup no map is rolled, and the parent would wait for ever.
        traceback.print_exc()
        os._exit(1)
