"""The values that the words of a period have set, while it is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from randomizer.systems.xconq.period.period import Numbers, Value, value_words
from randomizer.systems.xconq.period.words import MOST_TYPES, UNITS, Shape, Word

OUTSIDE = MOST_TYPES
"""A place of every array that belongs to no type: what is stored there is never read."""


class Values:
    """Values by word. Arrays have room for all types that there can be: some may come later."""

    def __init__(self) -> None:
        self._single: dict[str, int | str] = {}
        self._arrays: dict[str, Numbers] = {}
        self._texts: dict[str, dict[int, str]] = {}

    def set_single(self, word: Word, value: int | str) -> None:
        """Set the value of a word without an index."""
        self._single[word.name] = value

    def set_texts(self, word: Word, units: Iterable[int], text: str) -> None:
        """Set the text of a word for units."""
        self._texts.setdefault(word.name, {}).update(dict.fromkeys(units, text))

    def set_numbers(self, word: Word, value: Numbers, places: Sequence[Numbers]) -> None:
        """Set numbers of a row or a table.

        ``value`` is one number, or a vector as long as the only vector of ``places``: for a row its
        index, for a table the inner index and the unit, or only the unit for whole rows.
        """
        array = self._arrays.get(word.name)
        if array is None:
            shape = (MOST_TYPES + 1,) * len(word.indices)
            array = self._arrays[word.name] = np.full(shape, word.default_number, np.int32)
        if len(places) == 1:
            array[places[0]] = value if array.ndim == 1 else value[..., None]
            return
        inner, unit = places
        if inner.ndim and unit.ndim:
            unit = unit[:, None]
        array[unit, inner] = value

    def of_types(self, counts: Mapping[str, int]) -> dict[str, Value]:
        """The values by word, arrays cut to the number of types of each kind; for a Period."""
        found: dict[str, Value] = dict(self._single)
        for word in value_words():
            if word.name in self._texts:
                texts, default = self._texts[word.name], word.default or None
                found[word.name] = tuple(texts.get(unit, default) for unit in range(counts[UNITS]))
            elif word.name in self._arrays:
                array, inner = self._arrays[word.name], counts[word.indices[0]]
                row = word.shape is Shape.ROW
                part = array[:inner].copy() if row else array[: counts[UNITS], :inner].copy()
                part.setflags(write=False)
                found[word.name] = part
        return found
