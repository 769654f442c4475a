"""Runs a random map script of 0 A.D. within limits, or only asks for its syntax.

    result = yield from run_script(script, settings, mods)     # passes the progress on

Generators of maps call ``run_script``, the check of a script's text ``syntax_problem``. This is the
side of the program; the script itself runs in a child process (``child``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from randomizer.model.basics.bounded_json import measure_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.log_line import LogLine
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.scripts.script_time import script_time_limit
from randomizer.systems.zeroad.engine.channel import PROGRESS
from randomizer.systems.zeroad.engine.child_process import (
    IDLE,
    ChildEndedError,
    ChildProcess,
    has_engine,
)
from randomizer.systems.zeroad.engine.faults import TOO_MUCH_MEMORY
from randomizer.systems.zeroad.engine.memory import memory_of
from randomizer.systems.zeroad.engine.messages import Message
from randomizer.systems.zeroad.installation.mod_files import ModFiles

MEBIBYTE = 1 << 20

TIME_OF_CPU_TIME = 10
"""How many times as long as its processor time a run can last: other programs run as well."""


@dataclass(frozen=True)
class Limits:
    """The limits of one run of a script."""

    time_s: float = 600.0
    """The time from the first line of the script on, in seconds.

    Real scripts need half a minute for maps of 512 tiles, and four times that for the largest, on a
    quick machine.
    """

    heap: int = 1024 * MEBIBYTE
    """V8's heap in bytes; typed arrays do not count."""

    memory: int = 2048 * MEBIBYTE
    """The memory in bytes that the whole child may use.

    Real scripts use up to 700 MiB; below 640 MiB of RLIMIT_DATA V8 does not start.
    """

    cpu_s: float | None = None
    """The processor time of the child, in seconds from the first line on; None: not counted."""

    time_option: str = ""
    """The option of the command line that gives it more processor time."""


LIMITS = Limits()


def current_limits() -> Limits:
    """Return the limits with the processor time that the program lets scripts have."""
    limit = script_time_limit()
    if limit is None:
        return LIMITS
    time_s = max(LIMITS.time_s, TIME_OF_CPU_TIME * limit.seconds)
    return replace(LIMITS, time_s=time_s, cpu_s=limit.seconds, time_option=limit.option)


STEP_S = 0.02
"""The longest time between two yields: how soon a run can be cancelled."""

MEMORY_STEP_S = 0.2
"""The time between two looks at the child's memory, each of which takes a system call."""

START_S = 60.0
"""How long a child may need to start and to find the mods' files."""

DEEPEST = 200
"""How deep the lists and objects of a script's map can be nested to be read, and then checked."""

NEEDS_ENGINE = (
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
"""The numpy type of a typed array's class; plain arrays come as doubles, what is no number NaN."""


@dataclass(frozen=True)
class Script:
    """A random map script."""

    path: str
    """The path from the mod root, by which errors name it."""

    text: str


@dataclass(frozen=True, eq=False)
class ScriptResult:
    """The result of a run of a script."""

    data: Mapping[str, object]
    """The unchecked value that the script returned: JSON, with numpy arrays for its long lists."""

    log: tuple[LogLine, ...]

    odd_progress: str = ""
    """The first progress that is no whole number of 1 to 100, as text."""


def run_script(
    script: Script,
    settings: Mapping[str, object],
    mods: Sequence[ModFiles],
    extra: Mapping[str, str] | None = None,
    limits: Limits = LIMITS,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[int, None, ScriptResult]:
    """Run a script in a child process; yields its progress, 1 to 99, or 0 while it told none.

    It yields at least every ``STEP_S``; closing it kills the child. Later mods go over earlier
    ones, the texts of ``extra``, by path from the mod root, over all. The limits of time are those
    of ``clock``, in seconds. Raises ProblemError.
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
    child = IDLE.take()
    is_reusable = False  # if the caller closes this generator, the script is still running
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
            IDLE.give_back(child)
        else:
            child.close()


def problem_of(fields: Mapping[str, Any], script: Script) -> Problem:
    """Return the problem that a child tells."""
    path, line, column = fields["position"] or (script.path, None, None)
    code = str(fields["code"])
    return Problem(Severity.ERROR, code, str(fields["message"]), path, line, column)


class _RunFailedError(Exception):
    """Raised if the script failed; ``is_reusable``: its child can run another one."""

    def __init__(self, problem: Problem, *, is_reusable: bool = False) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.is_reusable = is_reusable


class _Run:
    """One run as the parent sees it."""

    def __init__(self, script: Script, limits: Limits, clock: Callable[[], float]) -> None:
        self._script = script
        self._limits = limits
        self._clock = clock
        self._percent = 0
        """The progress so far: it never falls."""
        self.log: list[LogLine] = []
        """The lines that the script wrote so far."""
        self._odd_progress = ""
        """As in ``ScriptResult``."""

    def steps(
        self, child: ChildProcess, request: Mapping[str, object]
    ) -> Generator[int, None, ScriptResult]:
        """Send the request and follow the script to its end. Raises _RunFailedError."""
        try:
            child.send(Message(request))
            has_started = False
            end_s = self._clock() + START_S
            next_memory_check_s = 0.0
            while True:
                message = child.receive(STEP_S)
                now_s = self._clock()
                if message is not None:
                    kind = message.fields.get("kind")
                    if kind == "done":
                        return self._result(message)
                    if kind == "started" and not has_started:
                        has_started = True
                        end_s = now_s + self._limits.time_s
                    self._note(message.fields)
                if now_s > end_s:
                    raise self._too_slow(has_started)
                if now_s > next_memory_check_s:
                    next_memory_check_s = now_s + MEMORY_STEP_S
                    if memory_of(child.pid) > self._limits.memory:
                        raise self._failed("script-memory", TOO_MUCH_MEMORY)
                yield self._percent
        except ChildEndedError:
            raise self._failed(
                "script-engine-ended",
                "the JavaScript engine gave up on the script; it may need too much memory",
            ) from None

    def _note(self, fields: Mapping[str, Any]) -> None:
        """Take in what the child tells while the script runs."""
        kind = fields.get("kind")
        if kind == "progress":
            self._percent = max(self._percent, min(99, int(fields["percent"])))
        elif kind == "log":
            for level, text in fields["lines"]:
                if level == PROGRESS:
                    self._odd_progress = str(text)
                else:
                    self.log.append(LogLine(str(level), str(text)))
        elif kind == "failed":
            problem = problem_of(fields, self._script)
            # Another script can follow one that has thrown, but none after other faults.
            is_reusable = problem.code == "script-error"
            raise _RunFailedError(problem, is_reusable=is_reusable)
        elif kind == "cpu-time":
            message = (
                f"the script was stopped: it used {self._limits.cpu_s:g} s of processor time "
                f"(at {self._percent} %); {self._limits.time_option} SECONDS gives it more"
            )
            raise self._failed("script-time", message)

    def _result(self, message: Message) -> ScriptResult:
        """Return the script's map from the last message of its child. Raises _RunFailedError.

        The first block of the message is the map's JSON, the others are its arrays.
        """
        try:
            text, *blocks = message.blocks
            measure_json(text, DEEPEST)
            data = json.loads(text)  # with NaN, whose place is told later
        except ValueError as reason:
            words = f"the map that the script returned cannot be read: {reason_of(reason)}"
            raise self._failed("script-error", words) from None
        try:
            _insert_arrays(data, message.fields["arrays"], blocks)
        except (ValueError, KeyError, TypeError, RecursionError, AssertionError):
            raise self._failed("script-error", "the script returned no map") from None
        return ScriptResult(data, tuple(self.log), self._odd_progress)

    def _too_slow(self, has_started: bool) -> _RunFailedError:
        """Return the error that the time is over: for the script, or for its child to start."""
        if not has_started:
            return self._failed("script-start", "the JavaScript engine did not start")
        seconds = f"{self._limits.time_s:g} s"
        return self._failed(
            "script-time",
            f"the script was stopped: it did not end within {seconds} (at {self._percent} %)",
        )

    def _failed(self, code: str, message: str) -> _RunFailedError:
        """Return the error with a problem of the script as a whole."""
        return _RunFailedError(Problem(Severity.ERROR, code, message, path=self._script.path))


def _insert_arrays(data: Any, arrays: object, blocks: Sequence[bytes]) -> None:
    """Put the arrays of a map into its JSON, in place.

    ``arrays`` is, for each block, the path in the JSON ("tileData.index") and the array's class in
    JavaScript. All of it comes from a script: raises ValueError, KeyError, TypeError or
    AssertionError where it does not fit.
    """
    assert isinstance(arrays, list)
    for (path, class_name), block in zip(arrays, blocks, strict=True):
        *outer_names, name = path.split(".")
        holder = data
        for outer_name in outer_names:
            holder = holder[outer_name]
        dtype = np.dtype(_TYPES[class_name]).newbyteorder("<")
        holder[name] = np.frombuffer(block, dtype)


def syntax_problem(script: Script) -> Problem | None:
    """Return the first syntax error of a script; None if there is none, or no engine to ask.

    It waits for the child process: some 10 ms, and the first time until the child has started.
    """
    if not has_engine():
        return None
    answer = _answer_about_syntax(script)
    if answer is None or answer["kind"] == "done":
        return None
    problem = problem_of(answer, script)
    end_column = None
    if problem.column is not None:
        end_column = problem.column + 1
    return replace(problem, code="script-syntax", end_line=problem.line, end_column=end_column)


def _answer_about_syntax(script: Script) -> Mapping[str, Any] | None:
    """Return the last message of a child that parses a script: of the kind "done" or "failed".

    None if the child ends or takes too long.
    """
    child = IDLE.take()
    is_reusable = False
    try:
        request = {"path": script.path, "text": script.text, "memory": LIMITS.memory}
        child.send(Message(request))
        while (message := child.receive(START_S)) is not None:
            if message.fields["kind"] in ("done", "failed"):
                is_reusable = True
                return message.fields
    except ChildEndedError:
        pass
    finally:
        if is_reusable:
            IDLE.give_back(child)
        else:
            child.close()
    return None
