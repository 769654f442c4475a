"""The problems that readers of other programs' files report: an error and a warning.

All of them have the code "foreign-map". A reader raises ``fault`` where it cannot go on, and
appends ``warning`` to the problems of its file where it can.
"""

from __future__ import annotations

from randomizer.model.problems import Problem, ProblemError, Severity


def fault(message: str, line: int, column: int = 1) -> ProblemError:
    """Return the error that a file cannot be read for what stands at a line and column."""
    return ProblemError(Problem(Severity.ERROR, "foreign-map", message, None, line, column))


def warning(message: str, line: int | None = None) -> Problem:
    """Return the warning of a reader about a file that it reads nevertheless."""
    return Problem(Severity.WARNING, "foreign-map", message, None, line, line and 1)
