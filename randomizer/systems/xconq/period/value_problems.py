"""Problems of a period at the word that set a value, and fixes that change one number.

The advice about periods and maps is made with these functions. A value can be set in many ways, so
``number_fix`` has a fix only where one number in the text is the value and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period

MOST_NAMED = 4
"""The most names that a message lists; of more it lists one less, and counts the others."""


def problem_at(
    severity: Severity,
    code: str,
    message: str,
    assignment: Assignment | None,
    fix: Fix | None = None,
) -> Problem:
    """Return a problem at the word of an assignment; without a position if that is None."""
    if assignment is None:
        return Problem(severity, code, message, fix=fix)
    return Problem(severity, code, message, assignment.file.name, *assignment.place, fix=fix)


def number_fix(
    period: Period, word: str, value: int, unit: int | None = None, inner: int | None = None
) -> Fix | None:
    """Return the fix that writes another number for a value.

    None unless a number in the period's own text sets it alone. ``unit`` and ``inner`` are as for
    ``Period.assigned``.
    """
    assignment = period.assigned(word, unit, inner)
    if assignment is None:
        return None
    edit = assignment.number_edit(value, unit, inner)
    if edit is None:
        return None
    return Fix(f"Write {value} for {word}", (edit,))


def swap_fix(
    period: Period, words: tuple[str, str], values: tuple[int, int], index: int
) -> Fix | None:
    """Return the fix that gives each of two words the value of the other.

    ``values`` are those of the words now, at the same index of both. None unless a number in the
    period's own text sets each of them alone.
    """
    edits: list[TextEdit] = []
    for word, value in zip(words, reversed(values), strict=True):
        fix = number_fix(period, word, value, index)
        if fix is None:
            return None
        edits += fix.edits
    return Fix(f"Swap {words[0]} and {words[1]}", tuple(edits))


def list_names(names: Sequence[str]) -> str:
    """Return names for a sentence; of many the first ones, and the number of the others."""
    if len(names) > MOST_NAMED:
        unnamed_count = len(names) - MOST_NAMED + 1
        return listed([*names[: MOST_NAMED - 1], f"{unnamed_count} more"])
    return listed(names)
