"""A period as it was read: types, values, names, notes, and where each value was set."""

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
    """A unit type: its character, name and line of help."""

    char: str
    name: str
    help: str


class ResourceType(NamedTuple):
    """A resource: its character, name and line of help."""

    char: str
    name: str
    help: str


class TerrainType(NamedTuple):
    """A terrain type: its character in map rows, its name, and its colour as written."""

    char: str
    name: str
    colour: str


@dataclass(frozen=True, eq=False)
class Period:
    """A period, immutable. Two periods are equal if they were read from the same texts.

    ``values`` holds what was set, by word: words that are not in it have their default.
    """

    digest: str
    units: tuple[UnitType, ...]
    resources: tuple[ResourceType, ...]
    terrains: tuple[TerrainType, ...]
    notes: tuple[str, ...]
    side_names: tuple[str, ...]
    """The side names that the period adds."""
    unit_names: tuple[str, ...]
    """The names for units that the period adds."""
    clears_side_names: bool
    """Whether the built-in side names are not used."""
    clears_unit_names: bool
    """Whether the built-in names for units are not used."""
    values: Mapping[str, Value]
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
        value = self.values.get(word)
        default = _known(word, Shape.NUMBER).default_number
        return value if isinstance(value, int) else default

    def named_type(self, word: str) -> int | None:
        """Return the index of the type that is a word's value, like ``first-unit``; None for
        none.
        """
        number = self.number(word)
        kind = words()[word].arguments[0]
        return number if 0 <= number < len(self.types(kind)) else None

    def text(self, word: str) -> str:
        """Return the value of a word that takes one text."""
        value = self.values.get(word)
        default = _known(word, Shape.TEXT).default
        return value if isinstance(value, str) else default

    def row(self, word: str) -> Numbers:
        """Return the values of a word with one index, over its types. int32, read-only."""
        value_word = _known(word, Shape.ROW)
        return self._numbers(value_word, (len(self.types(value_word.indices[0])),))

    def table(self, word: str) -> Numbers:
        """Return the values of a word with two indices: [unit, inner]. int32, read-only."""
        value_word = _known(word, Shape.TABLE)
        return self._numbers(value_word, (len(self.units), len(self.types(value_word.indices[0]))))

    def texts(self, word: str) -> tuple[str | None, ...]:
        """Return the texts of a word over the unit types; None where there is none."""
        value = self.values.get(word)
        if isinstance(value, tuple):
            return value
        default = _known(word, Shape.TEXTS).default
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
        by_word: dict[str, list[Assignment]] = {}
        for assignment in self.assignments:
            by_word.setdefault(assignment.word, []).append(assignment)
        return by_word

    def _numbers(self, word: Word, shape: tuple[int, ...]) -> Numbers:
        value = self.values.get(word.name)
        if isinstance(value, np.ndarray):
            return value
        default = np.full(shape, word.default_number, np.int32)
        default.setflags(write=False)
        return default


def _known(word: str, shape: Shape) -> Word:
    value_word = words()[word]
    if value_word.shape is not shape:
        raise KeyError(f"“{word}” holds a {value_word.shape.value}, not a {shape.value}")
    return value_word


def value_words() -> Iterator[Word]:
    """Return the words that a period has a value of, in the order in which it is shown."""
    return (word for word in words().values() if word.shape is not Shape.COMMAND)


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

    def set_numbers(self, word: Word, value: Numbers, index_vectors: Sequence[Numbers]) -> None:
        """Set numbers of a row or a table.

        ``value`` is one number, or a vector as long as the only vector of ``index_vectors``: for a
        row its index, for a table the inner index and the unit, or only the unit for whole rows.
        """
        array = self._arrays.get(word.name)
        if array is None:
            shape = (MOST_TYPES + 1,) * len(word.indices)
            array = self._arrays[word.name] = np.full(shape, word.default_number, np.int32)
        if len(index_vectors) == 1:
            array[index_vectors[0]] = value if array.ndim == 1 else value[..., None]
            return
        inner, unit = index_vectors
        if inner.ndim and unit.ndim:
            unit = unit[:, None]
        array[unit, inner] = value

    def of_types(self, counts: Mapping[str, int]) -> dict[str, Value]:
        """Return the values by word, arrays cut to the number of types of each kind; for a
        Period.
        """
        values: dict[str, Value] = dict(self._single)
        for word in value_words():
            if word.name in self._texts:
                texts = self._texts[word.name]
                default = word.default or None
                values[word.name] = tuple(texts.get(unit, default) for unit in range(counts[UNITS]))
            elif word.name in self._arrays:
                array = self._arrays[word.name]
                inner = counts[word.indices[0]]
                row = word.shape is Shape.ROW
                if row:
                    part = array[:inner].copy()
                else:
                    part = array[: counts[UNITS], :inner].copy()
                part.setflags(write=False)
                values[word.name] = part
        return values
