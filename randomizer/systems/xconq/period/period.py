"""A period as it was read: types, values, names, notes, and the assignments that set the values.

A ``Period`` is asked for the value of a word by its shape: ``number``, ``text``, ``row``, ``table``
or ``texts``. While it is read the values are held by ``Values``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.words import (
    MOST_TYPES,
    NOTHING,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    Word,
    words,
)

Numbers = NDArray[np.int32]
Value = int | str | Numbers | tuple[str | None, ...]
"""What a word holds: a number, a text, an array of numbers, or a text for each unit type."""


class UnitType(NamedTuple):
    """A unit type."""

    char: str
    """Its character, one letter."""

    name: str

    help: str
    """A line for players."""


class ResourceType(NamedTuple):
    """A type of resource."""

    char: str
    """Its character, one letter."""

    name: str

    help: str
    """A line for players."""


class TerrainType(NamedTuple):
    """A terrain type."""

    char: str
    """Its character in the rows of maps."""

    name: str

    colour: str
    """Its colour as written."""


@dataclass(frozen=True, eq=False)
class Period:
    """A period, immutable. Two periods are equal if they were read from the same texts."""

    digest: str
    """The digest of the texts."""

    units: tuple[UnitType, ...]
    resources: tuple[ResourceType, ...]
    terrains: tuple[TerrainType, ...]

    notes: tuple[str, ...]
    """The lines of the notes."""

    side_names: tuple[str, ...]
    """The side names that the period adds."""

    unit_names: tuple[str, ...]
    """The names for units that the period adds."""

    clears_side_names: bool
    """True if the built-in side names are not used."""

    clears_unit_names: bool
    """True if the built-in names for units are not used."""

    values: Mapping[str, Value]
    """The values that were set, by word: words that are not in it have their default."""

    assignments: tuple[Assignment, ...] = field(repr=False)
    """Each execution of a word that sets a value, in order; of included files first."""

    files: tuple[PeriodFile, ...] = field(repr=False)
    """The texts that were read, in order; the last is the period's own."""

    NOTHING = NOTHING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Period) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def name(self) -> str:
        """The period's own name."""
        return self.text("period-name")

    @property
    def font(self) -> str:
        """The name of its font, "" for that of the texts."""
        return self.text("font-name")

    def types(self, kind: str) -> Sequence[UnitType | ResourceType | TerrainType]:
        """Return all types of a kind (``unit``, ``resource`` or ``terrain``), in order."""
        kinds: dict[str, Sequence[UnitType | ResourceType | TerrainType]] = {
            UNITS: self.units,
            RESOURCES: self.resources,
            TERRAINS: self.terrains,
        }
        return kinds[kind]

    def number(self, word: str) -> int:
        """Return the value of a word without an index."""
        default = _word_of_shape(word, Shape.NUMBER).default_number
        value = self.values.get(word)
        if isinstance(value, int):
            return value
        return default

    def named_type(self, word: str) -> int | None:
        """Return the number of the type that is the value of a word like ``first-unit``.

        None if it is no type.
        """
        number = self.number(word)
        kind = words()[word].arguments[0]
        if 0 <= number < len(self.types(kind)):
            return number
        return None

    def text(self, word: str) -> str:
        """Return the value of a word that takes one text."""
        default = _word_of_shape(word, Shape.TEXT).default
        value = self.values.get(word)
        if isinstance(value, str):
            return value
        return default

    def row(self, word: str) -> Numbers:
        """Return the values of a word with one index, over its types. int32, read-only."""
        value_word = _word_of_shape(word, Shape.ROW)
        type_count = len(self.types(value_word.indices[0]))
        return self._numbers(value_word, (type_count,))

    def table(self, word: str) -> Numbers:
        """Return the values of a word with two indices: [unit, inner]. int32, read-only."""
        value_word = _word_of_shape(word, Shape.TABLE)
        inner_count = len(self.types(value_word.indices[0]))
        return self._numbers(value_word, (len(self.units), inner_count))

    def texts(self, word: str) -> tuple[str | None, ...]:
        """Return the texts of a word over the unit types; None where there is none."""
        value = self.values.get(word)
        if isinstance(value, tuple):
            return value
        default = _word_of_shape(word, Shape.TEXTS).default
        return (default or None,) * len(self.units)

    def assigned(
        self, word: str, unit: int | None = None, inner: int | None = None
    ) -> Assignment | None:
        """Return what set a value last, None if it has its default.

        ``unit`` is the index of a row or the unit of a table, ``inner`` a table's first index.
        """
        for assignment in reversed(self._assigned.get(word, ())):
            if assignment.covers(unit, inner):
                return assignment
        return None

    @cached_property
    def _assigned(self) -> dict[str, list[Assignment]]:
        """The assignments by the names of their words, in order."""
        by_word: dict[str, list[Assignment]] = {}
        for assignment in self.assignments:
            by_word.setdefault(assignment.word, []).append(assignment)
        return by_word

    def _numbers(self, word: Word, shape: tuple[int, ...]) -> Numbers:
        """Return the array of a word; one full of the default, of this shape, if nothing set it."""
        value = self.values.get(word.name)
        if isinstance(value, np.ndarray):
            return value
        default = np.full(shape, word.default_number, np.int32)
        default.setflags(write=False)
        return default


def _word_of_shape(word: str, shape: Shape) -> Word:
    """Return a word by its name. Raises KeyError for one of another shape."""
    value_word = words()[word]
    if value_word.shape is not shape:
        raise KeyError(f"“{word}” holds a {value_word.shape.value}, not a {shape.value}")
    return value_word


def value_words() -> Iterator[Word]:
    """Return the words that a period has a value of, in the order in which it is shown."""
    return (word for word in words().values() if word.shape is not Shape.COMMAND)


OUTSIDE = MOST_TYPES
"""The last index of every array, which belongs to no type: what is stored there is never read."""


class Values:
    """The values of a period while it is read, by word.

    Arrays have room for all types that there can be: some may be defined later.
    """

    def __init__(self) -> None:
        self._single: dict[str, int | str] = {}
        """The values of words without an index."""
        self._arrays: dict[str, Numbers] = {}
        """The values of rows and tables."""
        self._texts: dict[str, dict[int, str]] = {}
        """The texts of units, by the units' numbers."""

    def set_single(self, word: Word, value: int | str) -> None:
        """Set the value of a word without an index."""
        self._single[word.name] = value

    def set_texts(self, word: Word, units: Iterable[int], text: str) -> None:
        """Set the text of a word for units."""
        self._texts.setdefault(word.name, {}).update(dict.fromkeys(units, text))

    def set_numbers(self, word: Word, value: Numbers, index_vectors: Sequence[Numbers]) -> None:
        """Set numbers of a row or a table.

        ``value`` is one number, or a vector as long as the only vector of ``index_vectors``: for a
        row its index, for a table the inner index and the unit, or only the unit for whole rows.
        """
        array = self._arrays.get(word.name)
        if array is None:
            shape = (MOST_TYPES + 1,) * len(word.indices)
            array = np.full(shape, word.default_number, np.int32)
            self._arrays[word.name] = array
        if len(index_vectors) == 1:
            if array.ndim == 2:
                # Whole rows: each value fills the row of its unit.
                value = value[..., None]
            array[index_vectors[0]] = value
            return
        inner, unit = index_vectors
        if inner.ndim == 1 and unit.ndim == 1:
            # All pairs of both, where numpy would take one pair after the other.
            unit = unit[:, None]
        array[unit, inner] = value

    def of_types(self, counts: Mapping[str, int]) -> dict[str, Value]:
        """Return the values of a period that has so many types of each kind, by word."""
        values: dict[str, Value] = dict(self._single)
        for word in value_words():
            if word.name in self._texts:
                texts = self._texts[word.name]
                default = word.default or None
                values[word.name] = tuple(texts.get(unit, default) for unit in range(counts[UNITS]))
            elif word.name in self._arrays:
                array = self._arrays[word.name]
                inner_count = counts[word.indices[0]]
                if word.shape is Shape.ROW:
                    cut_array = array[:inner_count].copy()
                else:
                    cut_array = array[: counts[UNITS], :inner_count].copy()
                cut_array.setflags(write=False)
                values[word.name] = cut_array
        return values
