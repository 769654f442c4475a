"""Lines of a period that give a new type its values.

A *word* such as ``speed`` has a value for each unit type; a *table* such as ``damage`` has one for
each pair of types. A line sets one value, or those of several types, given as a vector::

    3 tanks speed                           one value
    [ 10 20 ] [ infantry tanks ] new damage     two values of the row of the type ``new``
    0 u* new damage                         the same value for all unit types: ``u*`` is a vector
                                            of them all, as ``r*`` and ``t*`` for other kinds

In a line of a table the inner index comes first, the unit last; the arrays of values have the unit
as their first axis.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.systems.xconq.period.reading import Reading
from randomizer.systems.xconq.period.slots import Values, values_of
from randomizer.systems.xconq.period.spelling import own_type_word_or_number, value_in_new_line
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS, Word

LONGEST_VECTOR = 40
"""The most values of a vector that is written.

Longer ones are written in parts: the stack of Xconq holds 50 objects, those of a vector that is
being made among them.
"""

LINE = 78
"""The most characters of a line with vectors."""


_ALL_TYPES = {UNITS: "u*", RESOURCES: "r*", TERRAINS: "t*"}
"""The word for the vector of all types of a kind."""


def value_lines(reading: Reading, word: Word, values: Values, kind: str) -> Iterator[str]:
    """Yield the lines that give the last type of a kind the values that it does not have yet.

    ``reading`` is that of a text that defines the type. ``values`` are those that all types should
    have: they differ from those of the text only where the new type is one of the indices.
    """
    is_different = values_of(reading.period, word) != values
    if not is_different.any():
        return
    new_type = own_type_word_or_number(reading, kind, len(reading.types[kind]) - 1)
    if values.ndim == 1:
        yield f"{value_in_new_line(reading, word, values[-1])} {new_type} {word.name}"
        return

    # The new type as the unit of the table: its row.
    inner_kind, unit_kind = word.indices
    if unit_kind == kind and is_different[-1].any():
        yield from _lines_of_row(reading, word, new_type, values[-1], is_different[-1])
        is_different[-1] = False  # the column below must not set the value in the corner again

    # And as its inner index: its column.
    if inner_kind == kind:
        for setting in _settings(reading, word, unit_kind, values[:, -1], is_different[:, -1]):
            yield _wrapped(f"{setting.values} {new_type} {setting.types} {word.name}")


def _lines_of_row(
    reading: Reading, word: Word, new_type: str, row: Values, is_different: Values
) -> Iterator[str]:
    """Yield the lines that set the row of a table for the new type."""
    # An optional inner index can be left out if all values are the same. But if the period leaves
    # objects on the stack, the word would take the topmost for that index.
    has_one_value = len(set(row.tolist())) == 1
    if word.optional is not None and not reading.stack and has_one_value:
        yield f"{value_in_new_line(reading, word, row[0])} {new_type} {word.name}"
        return
    for setting in _settings(reading, word, word.indices[0], row, is_different):
        yield _wrapped(f"{setting.values} {setting.types} {new_type} {word.name}")


class _Setting(NamedTuple):
    """Values of a table that one line sets, as they are written."""

    values: str
    """One value, or a vector of them."""

    types: str
    """The types of one index that get them: a type, or a vector as long as the values."""


def _settings(
    reading: Reading, word: Word, kind: str, values: Values, is_different: Values
) -> Iterator[_Setting]:
    """Yield what sets the different values of a row or a column, over the types of a kind."""
    type_numbers = np.flatnonzero(is_different).tolist()
    names = [own_type_word_or_number(reading, kind, number) for number in type_numbers]
    # A type without a word of its own is written as its number.
    has_unnamed = any(name.isdecimal() for name in names)
    are_all_different = len(type_numbers) == len(values) > 1
    if len(values) <= LONGEST_VECTOR and (has_unnamed or are_all_different):
        # All values, also those that do not change: then one word names all types.
        texts = [value_in_new_line(reading, word, value) for value in values]
        yield _Setting(_value_or_vector(texts), _ALL_TYPES[kind])
        return

    # Only the values that change, with their types; several vectors, if one were too long.
    texts = [value_in_new_line(reading, word, values[number]) for number in type_numbers]
    for start in range(0, len(type_numbers), LONGEST_VECTOR):
        part = slice(start, start + LONGEST_VECTOR)
        yield _Setting(_value_or_vector(texts[part]), _type_or_vector(names[part]))


def _value_or_vector(texts: Sequence[str]) -> str:
    """Return values as they are written: one for all types if they are equal, else a vector."""
    if len(set(texts)) == 1:
        return texts[0]
    return _vector(texts)


def _type_or_vector(names: Sequence[str]) -> str:
    """Return types as they are written: one, or a vector."""
    if len(names) == 1:
        return names[0]
    return _vector(names)


def _vector(texts: Sequence[str]) -> str:
    """Return texts as the language writes a vector."""
    return f"[ {' '.join(texts)} ]"


def _wrapped(line: str) -> str:
    """Return a line, broken between words where it is too long."""
    return textwrap.fill(line, LINE, break_long_words=False, break_on_hyphens=False)
