"""The faults of this session: exceptions that the program did not foresee.

A fault is an exception that left a slot or an overridden event handler of Qt, a job, or one part of
the drawing, and so has ended it. ``LOG`` has each of them once, with its count; faults of one type
and position in the code are the same one, whatever their messages. Dialogs of faults, and the
report of a fault, read it.

Only text is stored, not the exception: that would keep alive the frames through which it passed,
and in them painters of Qt, which have to be deleted before the widget that they paint on.
"""

from __future__ import annotations

import sys
import threading
import traceback
from dataclasses import dataclass

from randomizer.installed import PROGRAM, culprit_of
from randomizer.model.problems import Problem, Severity

MAX_FAULTS = 50
"""The largest number of faults in the log; further ones are not added."""


@dataclass(eq=False)
class Fault:
    """A fault, which may have occurred several times."""

    problem: Problem
    """What was being done, and what went wrong, as a sentence."""

    details: str
    """The traceback."""

    culprit: str = PROGRAM
    """The program, or the installed package whose fault it is (``culprit_of``)."""

    count: int = 1
    """How many times it has occurred."""


class FaultLog:
    """The faults of a session; may be used on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: dict[tuple[object, ...], Fault] = {}
        """The faults by ``_key``, the first one first; used with the lock only."""

    def add(self, exception: BaseException) -> Fault | None:
        """Add a fault, or count it once more, and return it; None if the log is full.

        A note of the exception (``add_note``) says what was being done.
        """
        key = _key(exception)
        with self._lock:
            fault = self._faults.get(key)
            if fault is not None:
                fault.count += 1
                return fault
            if len(self._faults) == MAX_FAULTS:
                return None
            details = "".join(traceback.format_exception(exception))
            fault = Fault(problem_of(exception), details, culprit_of(exception))
            self._faults[key] = fault
            return fault

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the log, the first one first."""
        with self._lock:
            return tuple(self._faults.values())

    def clear(self) -> None:
        """Empty the log."""
        with self._lock:
            self._faults.clear()

    def details(self) -> str:
        """Return all faults with their tracebacks, and the versions, for a report."""
        rows = [_versions()]
        for fault in self.faults:
            times = ""
            if fault.count > 1:
                times = f" ({fault.count} times)"
            rows.append(f"{fault.problem.message}{times}\n\n{fault.details}")
        return "\n\n".join(rows)


LOG = FaultLog()
"""The log of this process."""


def problem_of(reason: BaseException) -> Problem:
    """Return the problem of a fault::

        The map could not be drawn: ValueError: no such cell (paint, line 17)

    It says what was being done (the first note of the exception), whose fault it is if that is an
    installed package, what went wrong, and in which function and line.
    """
    notes = getattr(reason, "__notes__", [])
    culprit = culprit_of(reason)
    message = f"There is a fault in {culprit}"
    notes_name_culprit = bool(notes) and culprit in notes[0]
    if notes and (culprit == PROGRAM or notes_name_culprit):
        message = notes[0]
    elif notes:
        message = f"{notes[0]}, by a fault in {culprit}"
    frames = traceback.extract_tb(reason.__traceback__)
    text = f"{message}: {type(reason).__name__}"
    reason_text = str(reason).strip()
    if reason_text:
        text += f": {reason_text}"
    if frames:
        text += f" ({frames[-1].name}, line {frames[-1].lineno})"
    return Problem(Severity.ERROR, "program-fault", text)


def _key(reason: BaseException) -> tuple[object, ...]:
    """Return a key that is equal for two exceptions if they are the same fault.

    It has the type, the notes, the functions by which Qt came in, and the line that failed.
    """
    frames = traceback.extract_tb(reason.__traceback__)
    # In a slot the first frame is the guard (``qt_guard``), the second the function that Qt has
    # called; in a job, or in drawing, they are those of the code that catches its faults.
    entries = [(frame.filename, frame.name) for frame in frames[:2]]
    last_frames = [(frame.filename, frame.lineno) for frame in frames[-1:]]
    return (type(reason), *getattr(reason, "__notes__", ()), *entries, *last_frames)


def _versions() -> str:
    """Return the versions of the program, its main packages, Python and the system, as a line."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def version_of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    names = ("battlelands-builder", "PySide6-Essentials", "numpy")
    packages = ", ".join(f"{name} {version_of(name)}" for name in names)
    return f"{packages}, Python {sys.version.split()[0]}, {platform.platform()}"
