"""Runs a random map script of 0 A.D. within limits of time and memory.

    result = yield from run_script(script, settings, mods)     # passes the progress on
    result.data["height"]                                      # a numpy array

The script itself runs in a child process (``child``), which tells by messages (``messages.Kind``)
how far it is. This module sends the request, follows the messages, and ends a child whose script
takes too much.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from randomizer.model.basics.bounded_json import measure_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.log_line import LogLine
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.zeroad.engine.channel import PROGRESS
from randomizer.systems.zeroad.engine.child_process import (
    IDLE,
    START_S,
    ChildEndedError,
    ChildProcess,
    has_engine,
)
from randomizer.systems.zeroad.engine.faults import TOO_MUCH_MEMORY
from randomizer.systems.zeroad.engine.memory import memory_of
from randomizer.systems.zeroad.engine.messages import Kind, Message
from randomizer.systems.zeroad.engine.run_limits import LIMITS, Limits
from randomizer.systems.zeroad.engine.script import Script, problem_of
from randomizer.systems.zeroad.installation.mod_files import ModFiles

STEP_S = 0.02
"""The longest time between two yields, in seconds: how soon a run can be cancelled."""

MEMORY_STEP_S = 0.2
"""The time between two looks at the child's memory, in seconds; each takes a system call."""

DEEPEST = 200
"""How deep the lists and objects of a script's map can be nested to be read, and then checked."""

NEEDS_ENGINE = (  # as the end of a sentence
    "map scripts in JavaScript need the engine mini-racer, which is not installed: "
    "install it with “pip install mini-racer”, or Battlelands Builder with its extra “scripts”"
)

_TYPES: Mapping[str, str] = {
    "Int8Array": "i1",
    "Uint8Array": "u1",
    "Uint8ClampedArray": "u1",
    "Int16Array": "i2",
    "Uint16Array": "u2",
    "Int32Array": "i4",
    "Uint32Array": "u4",
    "Float16Array": "f2",
    "Float32Array": "f4",
    "Float64Array": "f8",
    "BigInt64Array": "i8",
    "BigUint64Array": "u8",
    "Array": "f8",
}
"""The numpy type of an array, by its class in JavaScript.

A plain array comes as doubles, in which a value that is no number is NaN.
"""


@dataclass(frozen=True, eq=False)
class ScriptResult:
    """The result of a run of a script."""

    data: Mapping[str, object]
    """The unchecked value that the script returned: JSON, with numpy arrays for its long lists."""

    log: tuple[LogLine, ...]
    """The lines that the script wrote."""

    odd_progress: str = ""
    """The first progress that is no whole number of 1 to 100, as text; "" if there was none.

    prelude.js tells the first one only.
    """


def run_script(
    script: Script,
    settings: Mapping[str, object],
    mods: Sequence[ModFiles],
    extra: Mapping[str, str] | None = None,
    limits: Limits = LIMITS,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[int, None, ScriptResult]:
    """Run a script in a child process; yields its progress, 1 to 99, or 0 while it told none.

    It yields at least every ``STEP_S`` seconds. A caller who closes the generator ends the run: the
    child is killed. ``extra`` are texts by path from the mod root. Of files with one path, that of
    a later mod is used rather than that of an earlier one, and a text of ``extra`` rather than
    both. ``clock`` returns the time in seconds. Raises ProblemError.
    """
    if not has_engine():
        raise ProblemError(Problem(Severity.ERROR, "script-engine", NEEDS_ENGINE))
    request = {
        "path": script.path,
        "text": script.text,
        "settings": settings,
        "mods": [mod.spec for mod in mods],
        "extra": dict(extra or {}),
        "heap": limits.heap,
        "memory": limits.memory,
        "cpu_s": limits.cpu_s,
    }
    run = _Run(script, limits, clock)
    child = IDLE.pop_or_start()
    # Until the script has ended, the child cannot run another one: it is killed if the caller
    # closes this generator at a ``yield``.
    is_reusable = False
    try:
        result = yield from run.steps(child, request)
        is_reusable = True
        return result
    except _RunFailedError as failed:
        is_reusable = failed.is_reusable
        raise ProblemError(failed.problem, run.log) from None
    finally:
        # The memory of a child is limited for all its scripts: the next one needs half of it.
        if is_reusable and memory_of(child.pid) < limits.memory // 2:
            IDLE.keep_for_next(child)
        else:
            child.close()


class _RunFailedError(Exception):
    """Raised if the script failed or took too much."""

    def __init__(self, problem: Problem, *, is_reusable: bool = False) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.is_reusable = is_reusable
        """True if the child can run another script."""


class _Run:
    """One run of a script: its limits, and what the child has told of it so far."""

    def __init__(self, script: Script, limits: Limits, clock: Callable[[], float]) -> None:
        self._script = script
        self._limits = limits
        self._clock = clock

        # What the child has told.
        self._has_started = False
        """True once the script itself runs."""
        self._percent = 0
        """The progress of the script, 0 to 99. It never falls, even if the script says so."""
        self.log: list[LogLine] = []
        """The lines that the script wrote."""
        self._odd_progress = ""
        """As in ``ScriptResult``."""

        # When something has to be done, by the clock.
        self._end_s = clock() + START_S
        """When the run is stopped. First the child has to start, then the script to end."""
        self._next_memory_check_s = 0.0
        """When the memory of the child is looked at again."""

    def steps(
        self, child: ChildProcess, request: Mapping[str, object]
    ) -> Generator[int, None, ScriptResult]:
        """Send the request and follow the script to its end; yields its progress.

        Raises _RunFailedError.
        """
        try:
            child.send(Message(request))
            while True:
                message = child.receive(STEP_S)
                if message is not None:
                    if message.fields.get("kind") == Kind.DONE:
                        return self._result(message)
                    try:
                        self._handle(message.fields)
                    except (LookupError, TypeError, ValueError):
                        raise ChildEndedError from None  # it is no message of our child
                self._check_limits(child)
                yield self._percent
        except ChildEndedError:
            raise self._error(
                "script-engine-ended",
                "the JavaScript engine gave up on the script; it may need too much memory",
            ) from None

    def _handle(self, fields: Mapping[str, Any]) -> None:
        """Handle what the child tells before the script is done.

        Raises _RunFailedError if it tells that the script failed or used all its processor time,
        and LookupError, TypeError or ValueError for fields that no child of ours sends.
        """
        kind = fields.get("kind")
        if kind == Kind.STARTED:
            if not self._has_started:  # a second message must not give the script more time
                self._has_started = True
                self._end_s = self._clock() + self._limits.time_s
        elif kind == Kind.PROGRESS:
            self._percent = max(self._percent, min(99, int(fields["percent"])))
        elif kind == Kind.LOG:
            for level, text in fields["lines"]:
                if level == PROGRESS:
                    self._odd_progress = str(text)
                else:
                    self.log.append(LogLine(str(level), str(text)))
        elif kind == Kind.FAILED:
            problem = problem_of(fields, self._script)
            # Another script can follow one that has thrown, but none after other faults.
            is_reusable = problem.code == "script-error"
            raise _RunFailedError(problem, is_reusable=is_reusable)
        elif kind == Kind.CPU_TIME:
            message = (
                f"the script was stopped: it used {self._limits.cpu_s:g} s of processor time "
                f"(at {self._percent} %); {self._limits.time_option} SECONDS gives it more"
            )
            raise self._error("script-time", message)

    def _check_limits(self, child: ChildProcess) -> None:
        """Raise _RunFailedError if the time is over, or the child uses too much memory."""
        now_s = self._clock()
        if now_s > self._end_s and not self._has_started:
            raise self._error("script-start", "the JavaScript engine did not start")
        if now_s > self._end_s:
            message = (
                f"the script was stopped: it did not end within {self._limits.time_s:g} s "
                f"(at {self._percent} %)"
            )
            raise self._error("script-time", message)

        if now_s > self._next_memory_check_s:
            self._next_memory_check_s = now_s + MEMORY_STEP_S
            if memory_of(child.pid) > self._limits.memory:
                raise self._error("script-memory", TOO_MUCH_MEMORY)

    def _result(self, message: Message) -> ScriptResult:
        """Return the script's map from the message DONE. Raises _RunFailedError if it is no map."""
        try:
            text, *blocks = message.blocks
            measure_json(text, DEEPEST)
            data = json.loads(text)  # with NaN, whose place is told later
        except ValueError as reason:
            words = f"the map that the script returned cannot be read: {reason_of(reason)}"
            raise self._error("script-error", words) from None
        try:
            _insert_arrays(data, message.fields["arrays"], blocks)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._error("script-error", "the script returned no map") from None
        return ScriptResult(data, tuple(self.log), self._odd_progress)

    def _error(self, code: str, message: str) -> _RunFailedError:
        """Return the error with a problem of the script as a whole, at none of its lines."""
        return _RunFailedError(Problem(Severity.ERROR, code, message, path=self._script.path))


def _insert_arrays(data: Any, arrays: object, blocks: Sequence[bytes]) -> None:
    """Put the arrays of a map into its JSON, in place.

    ``arrays`` is, for each block, the path in the JSON and the class in JavaScript, for instance
    ("tileData.index", "Uint16Array"). All of it comes from a script: raises ValueError,
    LookupError, TypeError or AttributeError where it does not fit.
    """
    if not isinstance(arrays, list):
        raise TypeError("the arrays are no list")
    for (path, class_name), block in zip(arrays, blocks, strict=True):
        *outer_names, name = path.split(".")
        holder = data
        for outer_name in outer_names:
            holder = holder[outer_name]
        dtype = np.dtype(_TYPES[class_name]).newbyteorder("<")
        holder[name] = np.frombuffer(block, dtype)
