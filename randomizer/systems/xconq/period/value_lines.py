"""Lines of a period that give a new type its values.

A *word* such as ``speed`` has a value for each unit type; a *table* such as ``damage`` has one for
each pair of types. A line sets one value, or those of several types, given as a vector::

    3 tanks speed                           one value
    [ 10 20 ] [ infantry tanks ] new damage     two values of the row of the type ``new``
    0 u* new damage                         the same value for all unit types
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.systems.xconq.period.reading import Reading
from randomizer.systems.xconq.period.slots import Values, values_of
from randomizer.systems.xconq.period.spelling import type_word, written_value
from randomizer.systems.xconq.period.words import Word

LONGEST_VECTOR = 40
"""The most values of a vector that is written.

Longer ones are written in parts: the stack of Xconq holds 50 objects, those of a vector that is
being made among them.
"""

LINE = 78
"""The most characters of a line with vectors."""


def value_lines(reading: Reading, word: Word, values: Values, kind: str) -> Iterator[str]:
    """Yield the lines that give the last type of a kind the values that it does not have yet.

    ``values`` are those of all types. Other types have theirs already, but in the values that they
    have together with the new one.
    """
    is_different = values_of(reading.period, word) != values
    if not is_different.any():
        return
    new = type_word(reading, kind, len(reading.types[kind]) - 1)
    if values.ndim == 1:
        yield f"{written_value(reading, word, values[-1])} {new} {word.name}"
        return
    inner_kind, unit_kind = word.indices
    if unit_kind == kind and is_different[-1].any():
        # The new type is the unit of the table: its row. An optional inner index can be left out if
        # all values are the same; but not above a stack, where something could be taken for it.
        has_one_value = len(set(values[-1].tolist())) == 1
        if word.optional is not None and not reading.stack and has_one_value:
            yield f"{written_value(reading, word, values[-1, 0])} {new} {word.name}"
        else:
            for setting in _settings(reading, word, inner_kind, values[-1], is_different[-1]):
                yield _wrapped(f"{setting.values} {setting.types} {new} {word.name}")
        is_different[-1] = False
    if inner_kind == kind:
        # And its column, where it is the inner index.
        for setting in _settings(reading, word, unit_kind, values[:, -1], is_different[:, -1]):
            yield _wrapped(f"{setting.values} {new} {setting.types} {word.name}")


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
    has_unnamed = False
    for type_number in type_numbers:
        if type_word(reading, kind, type_number).isdecimal():
            has_unnamed = True
    is_whole = len(type_numbers) == len(values) > 1
    if len(values) <= LONGEST_VECTOR and (has_unnamed or is_whole):
        # All values, also those that do not change: then a word like ``u*`` names the types.
        texts = [written_value(reading, word, value) for value in values]
        yield _Setting(_vector(texts), f"{kind[0]}*")
        return
    for start in range(0, len(type_numbers), LONGEST_VECTOR):
        numbers_of_line = type_numbers[start : start + LONGEST_VECTOR]
        texts = [written_value(reading, word, values[number]) for number in numbers_of_line]
        names = [type_word(reading, kind, number) for number in numbers_of_line]
        yield _Setting(_vector(texts), _vector(names))


def _vector(texts: Sequence[str]) -> str:
    """Return one text, or all of them between brackets; equal values are written once."""
    if len(set(texts)) == 1:
        return texts[0]
    return f"[ {' '.join(texts)} ]"


def _wrapped(line: str) -> str:
    """Return a line, broken between words where it is too long."""
    return textwrap.fill(line, LINE, break_long_words=False, break_on_hyphens=False)
