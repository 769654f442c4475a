"""Problems of a period at the place where a value was set, and fixes that change one number."""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period

MOST_NAMED = 4
"""So many names are written out, the others counted."""


def at(
    severity: Severity,
    code: str,
    message: str,
    place: Assignment | None,
    fix: Fix | None = None,
) -> Problem:
    """A problem at the word that was executed; without a place if that is None."""
    if place is None:
        return Problem(severity, code, message, fix=fix)
    token, file = place.token, place.file
    return Problem(severity, code, message, file.name, *file.place(token.start, token.end), fix=fix)


def changing(
    period: Period, word: str, value: int, unit: int | None = None, inner: int | None = None
) -> Fix | None:
    """The fix that writes another number; None unless one number of the own text set the value.

    ``unit`` and ``inner`` as in ``Period.assigned``.
    """
    edit = _edit(period.assigned(word, unit, inner), value, unit, inner)
    return None if edit is None else Fix(f"Write {value} for {word}", (edit,))


def swapping(
    period: Period, words: tuple[str, str], values: tuple[int, int], index: int
) -> Fix | None:
    """The fix that gives each of two words the value of the other, at one index of both."""
    edits = [
        _edit(period.assigned(word, index), value, index, None)
        for word, value in zip(words, reversed(values), strict=True)
    ]
    first, second = edits
    if first is None or second is None:
        return None
    return Fix(f"Swap {words[0]} and {words[1]}", (first, second))


def _edit(
    place: Assignment | None, value: int, unit: int | None, inner: int | None
) -> TextEdit | None:
    token = None if place is None else place.number_token(unit, inner)
    if place is None or token is None or place.file.name is not None:
        return None
    return TextEdit(*place.file.place(token.start, token.end), str(value))


def named(names: Sequence[str]) -> str:
    """Names in a sentence; many are counted."""
    if len(names) > MOST_NAMED:
        rest = len(names) - MOST_NAMED + 1
        return f"{', '.join(names[: MOST_NAMED - 1])} and {rest} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
