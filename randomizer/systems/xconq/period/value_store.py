"""The values of a period while its text is read, before all types are known.

A text may set values before it defines all types, so rows and tables have room for as many types as
a period can have, ``MAX_TYPES``; in the end ``of_types`` cuts them to those that were defined::

    store = ValueStore()
    store.set_numbers(words()["speed"], np.int32(4), [np.array([0, 2])])    # 4 [ i t ] speed
    store.of_types({"unit": 3, ...})["speed"]                               # array([4, 0, 4])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from randomizer.systems.xconq.period.period import Numbers, Value, value_words
from randomizer.systems.xconq.period.words import MAX_TYPES, UNITS, Shape, Word

OUTSIDE = MAX_TYPES
"""The last index of every array of a ``ValueStore``, which belongs to no type.

``assign`` (assigning.py) stores there what a text sets for types that do not exist; it is never
read.
"""


class ValueStore:
    """The values that were set so far, by word. Words that nothing has set are not in it."""

    def __init__(self) -> None:
        self._single: dict[str, int | str] = {}
        """The values of words without an index."""
        self._arrays: dict[str, Numbers] = {}
        """The values of rows, (MAX_TYPES + 1,), and of tables, (MAX_TYPES + 1, MAX_TYPES + 1).

        The axes of a table are the unit type and the inner type.
        """
        self._texts: dict[str, dict[int, str]] = {}
        """The texts of words that have one for each unit type, by the numbers of the types."""

    def set_single(self, word: Word, value: int | str) -> None:
        """Set the value of a word without an index."""
        self._single[word.name] = value

    def set_texts(self, word: Word, units: Iterable[int], text: str) -> None:
        """Set the text of a word for the unit types with these numbers."""
        self._texts.setdefault(word.name, {}).update(dict.fromkeys(units, text))

    def set_numbers(self, word: Word, value: Numbers, index_vectors: Sequence[Numbers]) -> None:
        """Set numbers of a row or a table.

        ``index_vectors`` are the numbers of types: for a row those of its index; for a table those
        of the inner index and of the unit, or of the unit alone to set whole rows of it. ``value``
        is one number for all of them, or a vector as long as the only vector among them.
        """
        array = self._arrays.get(word.name)
        if array is None:
            shape = (MAX_TYPES + 1,) * len(word.indices)
            array = np.full(shape, word.default_number, np.int32)
            self._arrays[word.name] = array

        if len(index_vectors) == 1:
            if array.ndim == 2:
                # Whole rows: each value fills the row of its unit. (A number becomes an array of
                # one.)
                value = value[..., None]
            array[index_vectors[0]] = value
            return

        inner, unit = index_vectors  # as in a text; in the array the unit comes first
        if inner.ndim == 1 and unit.ndim == 1:
            # All pairs of both vectors; numpy alone would pair the first with the first and so on.
            unit = unit[:, None]
        array[unit, inner] = value

    def of_types(self, counts: Mapping[str, int]) -> dict[str, Value]:
        """Return the values of a period that has so many types of each kind, by word.

        Arrays are read-only copies; of texts there is one for each unit type, None for none.
        """
        values: dict[str, Value] = dict(self._single)
        for word in value_words():
            if word.name in self._texts:
                texts = self._texts[word.name]
                default = word.default or None  # a period has no text for ""
                values[word.name] = tuple(texts.get(unit, default) for unit in range(counts[UNITS]))
            elif word.name in self._arrays:
                values[word.name] = self._cut_array(word, counts)
        return values

    def _cut_array(self, word: Word, counts: Mapping[str, int]) -> Numbers:
        """Return the row or the table of a word, read-only, without room for further types."""
        array = self._arrays[word.name]
        inner_count = counts[word.indices[0]]
        if word.shape is Shape.ROW:
            cut_array = array[:inner_count].copy()
        else:
            cut_array = array[: counts[UNITS], :inner_count].copy()
        cut_array.setflags(write=False)
        return cut_array
