"""The single values of a period, each addressed by a ``Slot``.

A word of the period language, such as ``speed``, holds one value, a row of values (one for each
unit type, say) or a table. A slot is one of these values::

    value_of(period, Slot("speed", 2))        # the number of the word speed for unit type 2
    value_of(period, Slot("moves", 2, 4))     # the number of the table moves for unit 2, terrain 4
    assignment_of(period, Slot("speed", 2))   # the ``Assignment`` that set it

The two types of a table stand in a period's text the other way round than here::

    3 plains infantry moves                   in a text: first the *inner* type, then the owner
    Slot("moves", infantry, plains)           a slot: first the *owner*, the unit type
    period.table("moves")[infantry, plains]   an array: the owner is its first axis

``Slot.array_index`` has the order of the arrays, ``Slot.numbers_in_text`` that of the texts.
``value_edits`` changes slots in the text of a period.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import Shape, words

Values = NDArray[Any]
"""All values of a word, by ``Slot.array_index``: int numbers, or objects where there are texts.

    Shape.ROW      numbers (types,)
    Shape.TABLE    numbers (unit types, other types)
    Shape.TEXTS    objects (unit types,), each a str or None
    Shape.NUMBER   an object with the shape (): the number
    Shape.TEXT     an object with the shape (): the text
"""


class Slot(NamedTuple):
    """One value of a period: a word and the numbers of its types."""

    word: str
    """The name of the word."""

    owner: int | None = None
    """The number of the type that has the value; None for a value of the whole period.

    It is a unit type for ``speed`` and for all tables, a terrain type for ``min-alt``.
    """

    inner: int | None = None
    """The number of the other type in a table; None for a row or a single value."""

    @property
    def array_index(self) -> tuple[int, ...]:
        """The index in the ``Values`` of the word: (owner, inner), (owner,) or ()."""
        if self.owner is None:
            return ()
        if self.inner is None:
            return (self.owner,)
        return (self.owner, self.inner)

    @property
    def numbers_in_text(self) -> tuple[int, ...]:
        """The numbers in the order of ``Word.indices``: (inner, owner), (owner,) or ()."""
        return self.array_index[::-1]


def value_of(period: Period, slot: Slot) -> int | str | None:
    """Return the value of a slot; None for a text of a unit type that has none."""
    shape = words()[slot.word].shape
    if shape is Shape.NUMBER:
        return period.number(slot.word)
    if shape is Shape.TEXT:
        return period.text(slot.word)
    assert slot.owner is not None, f"“{slot.word}” has an index"
    if shape is Shape.TEXTS:
        return period.texts(slot.word)[slot.owner]
    if shape is Shape.ROW:
        return int(period.row(slot.word)[slot.owner])
    assert slot.inner is not None, f"“{slot.word}” has two indices"
    return int(period.table(slot.word)[slot.owner, slot.inner])


def names_of(period: Period, slot: Slot) -> tuple[str, ...]:
    """Return the names of the types of a slot, in the order in which a period's text has them."""
    type_kinds = words()[slot.word].indices
    names = []
    for kind, number in zip(type_kinds, slot.numbers_in_text, strict=True):
        names.append(period.types(kind)[number].name)
    return tuple(names)


def assignment_of(period: Period, slot: Slot) -> Assignment | None:
    """Return the assignment that set a value last, None if it has its default."""
    return period.assigned(slot.word, slot.owner, slot.inner)


def values_of(period: Period, word: str) -> Values:
    """Return all values of the word of this name.

    ``values_of(old, "moves") != values_of(new, "moves")`` is True for each value that differs,
    if both periods have the same types; so for words of every shape.
    """
    shape = words()[word].shape
    if shape is Shape.ROW:
        return period.row(word)
    if shape is Shape.TABLE:
        return period.table(word)
    if shape is Shape.TEXTS:
        return np.array(period.texts(word), object)
    # An array, too: a caller compares and copies the values of all words without a case for these.
    return np.array(value_of(period, Slot(word)), object)
