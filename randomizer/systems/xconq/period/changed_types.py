"""The texts of a type that is changed or new, and the check that nothing else changes with it.

A text of a period is changed by replacing pieces of it. So that nothing can change unnoticed, the
new text is read again and compared with the old one (``checked_text``). A ``NotPlain`` says why a
text cannot be changed, for the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.slots import Values, values_of
from randomizer.systems.xconq.period.spelling import text_fault
from randomizer.systems.xconq.period.text_splices import NotPlain
from randomizer.systems.xconq.period.value_edits import UNCHANGED_FIELDS
from randomizer.systems.xconq.period.words import TERRAINS, UNITS


class TypeTexts(NamedTuple):
    """The texts by which a type is defined."""

    char: str
    """Its character, one letter."""

    name: str

    third: str
    """The line of help of a unit type, the colour of a terrain type."""


def fault_in(texts: TypeTexts) -> NotPlain | None:
    """Return why no type can be defined by these texts, as far as the texts alone tell."""
    if not (texts.char and texts.name):
        return NotPlain("A type has a character and a name.")
    for text in texts:
        fault = text_fault(text)
        if fault is not None:
            return fault
    return None


def checked_text(
    text: str,
    old_reading: Reading,
    kind: str,
    types: Sequence[object],
    values: Mapping[str, Values],
    further: Mapping[str, str],
) -> str | NotPlain:
    """Return the text if its period is the old one with these types and values, or why not.

    ``kind`` is UNITS or TERRAINS and ``types`` are all of that kind. ``values`` are those of words
    by name; a word that is not in ``values`` has its old ones. ``further`` are the texts of
    included files by name.
    """
    new_reading = read_traced(text, None, further)
    problem = new_problem(old_reading, new_reading)
    if problem is not None:
        return problem
    old = old_reading.period
    new = new_reading.period

    other_kind = UNITS
    if kind == UNITS:
        other_kind = TERRAINS
    has_expected_types = (
        tuple(new.types(kind)) == tuple(types)
        and new.types(other_kind) == old.types(other_kind)
        # The resource types are among these fields.
        and all(getattr(new, name) == getattr(old, name) for name in UNCHANGED_FIELDS)
    )
    if has_expected_types and _has_values(new, old, values):
        return text
    return NotPlain("The period cannot be written so that only this changes.")


def _has_values(new: Period, old: Period, changed_values: Mapping[str, Values]) -> bool:
    """Return whether a period has these values, by word, and those of the old one for the rest."""
    for word in value_words():
        expected_values = changed_values.get(word.name)
        if expected_values is None:
            expected_values = values_of(old, word)
        if not np.array_equal(values_of(new, word), expected_values):
            return False
    return True


def new_problem(old_reading: Reading, new_reading: Reading) -> NotPlain | None:
    """Return a refusal with the first problem of which the new text has more.

    A problem is told by its code: the new text may have an older problem of that code before the
    new one, which is then the one told. Unknown colours do not count: the terrain gets one of ours.
    """
    more_problems = Counter(problem.code for problem in new_reading.problems)
    more_problems.subtract(problem.code for problem in old_reading.problems)
    for problem in new_reading.problems:
        if more_problems[problem.code] > 0 and problem.code != "period-colour":
            return NotPlain(f"That is refused: {problem.message.rstrip('.')}.")
    return None
