"""Compares a period with one from which a type was to be removed: does all else stay the same?

    is_period_without_type(new_period, old_period, UNITS, tank_number)

A type is known by its number. So in the new period the values of a word are expected thus, if type
1 was removed::

    hp             [4, 9, 5, 2]    becomes    [4, 5, 2]      the value of type 1 is gone
    first-unit     3               becomes    2              type 3 has the number 2 now
    first-unit     1               becomes    anything       the default of the word
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.slots import Values, values_of
from randomizer.systems.xconq.period.value_edits import UNCHANGED_FIELDS
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Word


def is_period_without_type(new: Period, old: Period, kind: str, index: int) -> bool:
    """Return whether a period is an old one without the type of a number.

    ``kind`` is that of the type: UNITS or TERRAINS.
    """
    for kind_of_types in (UNITS, TERRAINS):
        expected_types = list(old.types(kind_of_types))
        if kind_of_types == kind:
            del expected_types[index]
        if list(new.types(kind_of_types)) != expected_types:
            return False
    if any(getattr(new, field) != getattr(old, field) for field in UNCHANGED_FIELDS):
        return False
    for word in value_words():
        expected = _expected_values(old, word, kind, index)
        new_values = values_of(new, word.name)
        if new_values.shape != expected.values.shape:
            return False
        if not np.all((new_values == expected.values) | expected.was_type):
            return False
    return True


class _ExpectedValues(NamedTuple):
    """The values that a word has without the type."""

    values: Values

    was_type: NDArray[np.bool_]
    """True for each value that was the type itself: it has a default now, whatever that is."""


def _expected_values(period: Period, word: Word, kind: str, index: int) -> _ExpectedValues:
    """Return the values of a word in a period that are expected without a type."""
    # The values that belong to the type are gone. In a text the unit is the last index (``3 plains
    # infantry moves``), in an array it is the first axis.
    values = values_of(period, word.name)
    for axis, index_kind in enumerate(reversed(word.indices)):
        if index_kind == kind:
            values = np.delete(values, index, axis)
    if word.arguments[0] != kind:
        return _ExpectedValues(values, np.zeros(values.shape, np.bool_))

    # The values are types themselves. Those that are none, such as -1, stay.
    is_above = (values > index) & (values < len(period.types(kind)))
    return _ExpectedValues(np.where(is_above, values - 1, values), np.asarray(values == index))
