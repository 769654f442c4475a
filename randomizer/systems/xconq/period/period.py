"""``Period``: the rules of a game of Xconq, as they were read from a text.

A period defines *types* of units, resources and terrain, and gives values to *words* of its
language. A word can hold one value, a row (a value for each type of a kind) or a table (for each
unit type and each type of a kind)::

    period.units[0].name            # "infantry"
    period.number("country-size")   # 3
    period.row("speed")[0]          # 1: the speed of infantry
    period.table("moves")[0, 2]     # 0: what entering terrain type 2 costs infantry
    period.assigned("speed", 0)     # the ``Assignment`` in the text that set that speed

``read_period`` (reading.py) makes periods. While one is read its values are in a ``ValueStore``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.objects import Assignment, PeriodFile
from randomizer.systems.xconq.period.words import (
    NOTHING,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    Word,
    words,
)

Numbers = NDArray[np.int32]
"""The numbers of a row, (types,), or of a table, (units, types)."""

Value = int | str | Numbers | tuple[str | None, ...]
"""The value of a word: a number, a text, an array of numbers, or a text for each unit type."""


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
    """Its colour as written: "sky blue" or "#87ceeb"."""


@dataclass(frozen=True, eq=False)
class Period:
    """A period, immutable. Two periods are equal if they were read from the same texts."""

    digest: str
    """The SHA-256 of the texts, by which periods are compared."""

    units: tuple[UnitType, ...]
    """The unit types; the number of a type is its index."""

    resources: tuple[ResourceType, ...]
    """The types of resources."""

    terrains: tuple[TerrainType, ...]
    """The terrain types."""

    notes: tuple[str, ...]
    """The lines of text for players, from the notes."""

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
    """The number that a value has for no type at all (``words.NOTHING``), for users of periods."""

    def __eq__(self, other: object) -> bool:
        """Return whether the other period was read from the same texts."""
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

    def type_number_of(self, word: str) -> int | None:
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
        """Return the values of a word with one index, by the numbers of its types.

        int32, read-only.
        """
        value_word = _word_of_shape(word, Shape.ROW)
        type_count = len(self.types(value_word.indices[0]))
        return self._numbers(value_word, (type_count,))

    def table(self, word: str) -> Numbers:
        """Return the values of a word with two indices: [unit, inner], int32, read-only.

        *Inner* is the index that stands first in the text: in ``0 land infantry moves`` it is the
        terrain.
        """
        value_word = _word_of_shape(word, Shape.TABLE)
        inner_count = len(self.types(value_word.indices[0]))
        return self._numbers(value_word, (len(self.units), inner_count))

    def texts(self, word: str) -> tuple[str | None, ...]:
        """Return the texts of a word by the numbers of unit types; None where there is none."""
        value = self.values.get(word)
        if isinstance(value, tuple):
            return value
        default = _word_of_shape(word, Shape.TEXTS).default
        return (default or None,) * len(self.units)

    def assigned(
        self, word: str, unit: int | None = None, inner: int | None = None
    ) -> Assignment | None:
        """Return the assignment that set a value last, None if the value is the default.

        ``unit`` is the type of a row's only index (of any kind), or the unit type of a table;
        ``inner`` is the type of a table's first index.
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
    """Return the words that hold values, in the order in which a period is shown."""
    return (word for word in words().values() if word.shape is not Shape.COMMAND)
