"""Problems of a period at the word that set a value, and fixes that change one number.

The advice about periods and maps is made with these functions. A value can be set in many ways, so
``number_fix`` has a fix only where one number in the text is the value and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period

MAX_NAMED = 4
"""The most names that a message lists. Of more, the last place says how many are left."""


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
    place = assignment.place
    return Problem(
        severity,
        code,
        message,
        path=assignment.file.name,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        fix=fix,
    )


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
    first_word, second_word = words
    first_value, second_value = values
    first_fix = number_fix(period, first_word, second_value, index)
    second_fix = number_fix(period, second_word, first_value, index)
    if first_fix is None or second_fix is None:
        return None
    return Fix(f"Swap {first_word} and {second_word}", (*first_fix.edits, *second_fix.edits))


def list_names(names: Sequence[str]) -> str:
    """Return names for a sentence; of many the first ones, and the number of the others."""
    if len(names) > MAX_NAMED:
        unnamed_count = len(names) - MAX_NAMED + 1
        return listed([*names[: MAX_NAMED - 1], f"{unnamed_count} more"])
    return listed(names)
