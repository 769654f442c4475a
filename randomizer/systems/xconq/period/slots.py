"""The single values of a period, each addressed by a ``Slot``.

A word of the period language, such as ``speed``, holds one value, a row of values (one for each
unit type, say) or a table. A slot is one of these values::

    value_of(period, Slot("speed", 2))        # the number of the word speed for unit type 2
    value_of(period, Slot("moves", 2, 4))     # the number of the table moves for unit 2, terrain 4
    assignment_of(period, Slot("speed", 2))   # the ``Assignment`` that set it

The two types of a table stand in a period's text the other way round than here::

    3 plains infantry moves                   in a text: first the *inner* index, then the unit
    Slot("moves", infantry, plains)           a slot: first the unit
    period.table("moves")[infantry, plains]   an array: the unit is its first axis

``value_edits`` changes slots in the text of a period.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import Shape, Word, words

Values = NDArray[Any]
"""All values of a word, with as many dimensions as the word has indices: the unit comes first."""


class Slot(NamedTuple):
    """One value of a period: a word and the numbers of its types."""

    word: str
    """The name of the word."""

    unit: int | None = None
    """The number of the type in a row, or of the unit type in a table; None for a single value.

    A row can also be one for terrain types: for ``min-alt`` it is the number of a terrain type.
    """

    inner: int | None = None
    """The number of the other type in a table; None for a row or a single value."""

    @property
    def type_numbers(self) -> tuple[int, ...]:
        """Its position in the ``Values`` of the word: unit, then inner, as far as there are any."""
        numbers = []
        for number in (self.unit, self.inner):
            if number is not None:
                numbers.append(number)
        return tuple(numbers)


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
    """Return the names of the types of a slot, in the order in which a period's text has them."""
    type_kinds = words()[slot.word].indices
    numbers_in_text_order = reversed(slot.type_numbers)
    names = []
    for kind, number in zip(type_kinds, numbers_in_text_order, strict=True):
        names.append(period.types(kind)[number].name)
    return tuple(names)


def assignment_of(period: Period, slot: Slot) -> Assignment | None:
    """Return the assignment that set a value last, None if it has its default."""
    return period.assigned(slot.word, slot.unit, slot.inner)


def values_of(period: Period, word: Word) -> Values:
    """Return all values of a word.

    Rows and tables are arrays of numbers, texts an array of objects. A single value is an array of
    objects, too, with the shape (): so the values of two periods can be compared by ``!=``.
    """
    if word.shape is Shape.ROW:
        return period.row(word.name)
    if word.shape is Shape.TABLE:
        return period.table(word.name)
    if word.shape is Shape.TEXTS:
        return np.array(period.texts(word.name), object)
    return np.array(value_of(period, Slot(word.name)), object)
