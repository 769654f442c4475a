"""The single values of a period, each addressed by a ``Slot``.

A word of the period language, such as ``speed``, holds one value, a row of values (one for each
unit type, say) or a table. A slot is one of these values::

    value_of(period, Slot("speed", 2))        # the number of the word speed for unit type 2
    value_of(period, Slot("moves", 2, 4))     # the number of the table moves for unit 2, terrain 4
    setter(period, Slot("speed", 2))          # the ``Assignment`` that set it

``value_edits`` changes slots in the text of a period.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import (
    Shape,
    Word,
    words,
)

Values = NDArray[Any]
"""All values of a word, with as many dimensions as the word has indices: the unit comes first."""


class Slot(NamedTuple):
    """One value of a period: a word and the numbers of its types."""

    word: str
    """The name of the word."""

    unit: int | None = None
    """The type of a row (also one of terrains), or the unit type of a table; else None."""

    inner: int | None = None
    """The type of the first index of a table; else None."""

    @property
    def type_numbers(self) -> tuple[int, ...]:
        """The types that it has, as indices of the word's ``Values``."""
        return tuple(index for index in (self.unit, self.inner) if index is not None)


def value_of(period: Period, slot: Slot) -> int | str | None:
    """Return the value of a slot; None for a text of a unit type that has none."""
    shape = words()[slot.word].shape
    if shape is Shape.NUMBER:
        return period.number(slot.word)
    if shape is Shape.TEXT:
        return period.text(slot.word)
    assert slot.unit is not None, f"“{slot.word}” has an index"
    if shape is Shape.TEXTS:
        return period.texts(slot.word)[slot.unit]
    if shape is Shape.ROW:
        return int(period.row(slot.word)[slot.unit])
    assert slot.inner is not None, f"“{slot.word}” has two indices"
    return int(period.table(slot.word)[slot.unit, slot.inner])


def names_of(period: Period, slot: Slot) -> tuple[str, ...]:
    """Return the names of the types of a slot, that of a table's first index first."""
    kinds = words()[slot.word].indices
    indices = (index for index in (slot.inner, slot.unit) if index is not None)
    return tuple(period.types(kind)[index].name for kind, index in zip(kinds, indices, strict=True))


def setter(period: Period, slot: Slot) -> Assignment | None:
    """Return what set a value last, None if it has its default."""
    return period.assigned(slot.word, slot.unit, slot.inner)


def values_of(period: Period, word: Word) -> Values:
    """Return all values of a word; texts, and what has no index, as arrays of objects."""
    if word.shape is Shape.ROW:
        return period.row(word.name)
    if word.shape is Shape.TABLE:
        return period.table(word.name)
    if word.shape is Shape.TEXTS:
        return np.array(period.texts(word.name), object)
    return np.array(value_of(period, Slot(word.name)), object)
