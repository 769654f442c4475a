"""The faults of this session: what the program did not foresee, each kept once with its count.

A fault is an exception that ended an override, a slot, a job or a part of the picture. It is told
apart from others by its type and place, not by its message. Only text is kept: an exception holds
the frames it passed through, and with them painters that have to end.
"""

from __future__ import annotations

import sys
import threading
import traceback
from dataclasses import dataclass

from randomizer.installed import PROGRAM, culprit_of
from randomizer.model.problems import Problem, Severity

MOST_FAULTS = 50
"""Faults of more places are not kept."""


@dataclass(eq=False)
class Fault:
    """One fault: ``problem`` says it in a sentence, ``details`` is the traceback.

    ``culprit`` is the program or the installed package whose fault it is (``culprit_of``).
    """

    problem: Problem
    details: str
    culprit: str = PROGRAM
    count: int = 1


class FaultLog:
    """The faults of a session; may be used on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: dict[tuple[object, ...], Fault] = {}

    def add(self, reason: BaseException) -> Fault | None:
        """Count a fault; None if more faults than are kept have come up already.

        A note of the exception (``add_note``) says what was being done.
        """
        key = _key(reason)
        with self._lock:
            fault = self._faults.get(key)
            if fault is not None:
                fault.count += 1
                return fault
            if len(self._faults) == MOST_FAULTS:
                return None
            details = "".join(traceback.format_exception(reason))
            fault = self._faults[key] = Fault(problem_of(reason), details, culprit_of(reason))
            return fault

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All that are kept, the first one first."""
        with self._lock:
            return tuple(self._faults.values())

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._faults.clear()

    def details(self) -> str:
        """Return all faults with their tracebacks, and the versions, for a report."""
        rows = [_versions()]
        for fault in self.faults:
            times = f" ({fault.count} times)" if fault.count > 1 else ""
            rows.append(f"{fault.problem.message}{times}\n\n{fault.details}")
        return "\n\n".join(rows)


LOG = FaultLog()
"""The log of this process."""


def problem_of(reason: BaseException) -> Problem:
    """Return a fault as a Problem.

    What was being done, whose fault it is, what went wrong, and where.
    """
    notes = getattr(reason, "__notes__", [])
    culprit = culprit_of(reason)
    message = f"There is a fault in {culprit}"
    if notes and (culprit == PROGRAM or culprit in notes[0]):
        message = notes[0]
    elif notes:
        message = f"{notes[0]}, by a fault in {culprit}"
    frames = traceback.extract_tb(reason.__traceback__)
    if frames:
        function_and_line = f" ({frames[-1].name}, line {frames[-1].lineno})"
    else:
        function_and_line = ""
    reason_text = str(reason).strip()
    name = type(reason).__name__
    if not reason_text:
        text = f"{message}: {name}{function_and_line}"
    else:
        text = f"{message}: {name}: {reason_text}{function_and_line}"
    return Problem(Severity.ERROR, "program-fault", text)


def _key(reason: BaseException) -> tuple[object, ...]:
    """Return what two exceptions share that are the same fault: how Qt came in, where it went
    wrong.
    """
    frames = traceback.extract_tb(reason.__traceback__)
    entries = [(frame.filename, frame.name) for frame in frames[:2]]
    last_frames = [(frame.filename, frame.lineno) for frame in frames[-1:]]
    return (type(reason), *getattr(reason, "__notes__", ()), *entries, *last_frames)


def _versions() -> str:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    names = ("battlelands-builder", "PySide6-Essentials", "numpy")
    packages = ", ".join(f"{name} {of(name)}" for name in names)
    return f"{packages}, Python {sys.version.split()[0]}, {platform.platform()}"
