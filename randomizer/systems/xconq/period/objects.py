"""The data of the interpreter of periods: objects on its stack, files, and what was assigned.

A period is a text in a stack language: objects are put on a stack, and a word takes them off::

    2 infantry speed            puts 2 and a unit type on the stack; ``speed`` sets the value

Each object (``Item``) remembers its tokens, and each execution of a word that sets a value becomes
an ``Assignment``. So the editor can tell what set a value, and change it in the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from randomizer.languages.language import TextPlace
from randomizer.model.problems import TextEdit, line_starts
from randomizer.systems.xconq.period.tokens import Token


class Item(NamedTuple):
    """An object on the stack."""

    value: int | str | tuple[int, ...] | None
    """A number, a text, a vector of numbers, or None for the mark that ``[`` sets."""

    first: Token
    """The first token that made it."""

    last: Token
    """The last token that made it: the same but for a vector between brackets."""

    kind: str = ""
    """The kind of types that its numbers are (``unit`` ...), "" for plain numbers."""

    number_tokens: tuple[Token, ...] | None = None
    """The tokens of a vector's numbers; None for a vector by its name, and for other objects."""

    is_literal: bool = False
    """True for a number that is written as such, not by a name that stands for it."""

    @property
    def is_mark(self) -> bool:
        """True for the mark that an open bracket sets."""
        return self.value is None


class Definition(NamedTuple):
    """A name that a text defines for an object, as ``fast`` by ``4 "fast" define``."""

    file: PeriodFile
    """The text with the definition."""

    item: Item
    """The object that the name stands for; its tokens are the one token of the name."""


class TypeDefinition(NamedTuple):
    """The definition of a unit, resource or terrain type."""

    file: PeriodFile
    """The text with the definition."""

    token: Token
    """The token of the type's name."""


@dataclass(frozen=True)
class PeriodFile:
    """A text with a period section."""

    name: str | None
    """The name of an included file, None for the period's own text."""

    text: str

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        return line_starts(self.text)

    def place(self, start: int, end: int) -> TextPlace:
        """Return the lines and columns of the text from ``start`` up to, not including, ``end``."""
        line = bisect_right(self.starts, start)
        end_line = bisect_right(self.starts, end)
        return TextPlace(
            line, start - self.starts[line - 1] + 1, end_line, end - self.starts[end_line - 1] + 1
        )


@dataclass(frozen=True, slots=True)
class Assignment:
    """One execution of a word that sets a value."""

    word: str
    """The name of the word."""

    token: Token
    """The token of the word."""

    value: Item

    indices: tuple[Item, ...]
    """The objects that are its indices; in a table the inner one comes first, the unit last."""

    file: PeriodFile
    """The text in which it stands."""

    @property
    def place(self) -> TextPlace:
        """The position of the word in its file."""
        return self.file.place(*self.token.span)

    @property
    def missing_values(self) -> int:
        """The number of values that a vector lacks: 1 for ``[ 2 4 ] [ i a s ] speed``.

        0 if there is a value for each type, or one for all; below 0 for too many values.
        """
        lengths = [len(item.value) for item in self.indices if isinstance(item.value, tuple)]
        if isinstance(self.value.value, tuple) and len(lengths) == 1:
            return lengths[0] - len(self.value.value)
        return 0

    def covers(self, unit: int | None, inner: int | None = None) -> bool:
        """Return whether it set the value of the types with these numbers.

        ``unit`` is the unit type of a table, or the only type of a row, of whatever kind; ``inner``
        is the other type of a table. None stands for any.
        """
        for type_number, index in self._types_and_indices(unit, inner):
            is_type = type_number is None or index.value == type_number
            is_in_vector = isinstance(index.value, tuple) and type_number in index.value
            if not is_type and not is_in_vector:
                return False
        return True

    def _types_and_indices(
        self, unit: int | None, inner: int | None
    ) -> Iterator[tuple[int | None, Item]]:
        """Yield the types of a value, each with the object that is the index for it."""
        type_numbers = [unit]
        if inner is not None and len(self.indices) > 1:
            type_numbers = [inner, unit]
        # The unit is the last index. There may be fewer indices than types: a word of the period
        # has none, and one whose inner index is optional may have the unit alone.
        first = max(0, len(self.indices) - len(type_numbers))
        return zip(type_numbers, self.indices[first:], strict=False)

    def number_token(self, unit: int | None, inner: int | None = None) -> Token | None:
        """Return the token of the number that this assignment gave to the value of these types.

        None where the number was not written out here, or is shared by several values.
        """
        # The indices that are vectors, each with the type whose value is looked for. A vector that
        # belongs to none of these types means that other values share the number.
        types_and_indices = list(self._types_and_indices(unit, inner))
        vectors: list[tuple[int | None, tuple[int, ...]]] = []
        for type_number, item in types_and_indices:
            if isinstance(item.value, tuple):
                vectors.append((type_number, item.value))
        other_indices = self.indices[: len(self.indices) - len(types_and_indices)]
        if any(isinstance(index.value, tuple) for index in other_indices):
            return None

        # ``[ 2 4 ] [ i a ] speed``: the number at the position of the type in the only vector. A
        # type that stands there twice has the last of its values.
        if self.value.number_tokens is not None and len(vectors) == 1:
            type_number, vector = vectors[0]
            positions = [position for position, index in enumerate(vector) if index == type_number]
            if positions:
                return self.value.number_tokens[positions[-1]]
            return None
        # ``2 i speed``: one number for one type.
        if self.value.is_literal and not vectors:
            return self.value.first
        return None

    def number_edit(
        self, number: int, unit: int | None = None, inner: int | None = None
    ) -> TextEdit | None:
        """Return the edit that gives the value of these types another number.

        None unless its number is written out in the period's own text, and for it alone.
        """
        token = self.number_token(unit, inner)
        if token is None or self.file.name is not None:
            return None
        return TextEdit(*self.file.place(*token.span), str(number))
