"""The objects of the period language on the stack, and the record of what was done with them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from randomizer.languages.language import TextPlace
from randomizer.model.problems import TextEdit, line_starts
from randomizer.systems.xconq.period.tokens import Token


class Item(NamedTuple):
    """An object: a number, a text, a vector of numbers, or None for the mark that ``[`` sets.

    ``first`` and ``last`` are the tokens that made it. ``kind`` is what its numbers count
    (``unit``, ``resource``, ``terrain``), "" for plain numbers. ``parts`` are the tokens of a
    vector's numbers, if it was written out between brackets here; ``plain`` whether a number is
    itself the token.
    """

    value: int | str | tuple[int, ...] | None
    first: Token
    last: Token
    kind: str = ""
    parts: tuple[Token, ...] | None = None
    plain: bool = False


@dataclass(frozen=True)
class PeriodFile:
    """A text with a period section: the period's own (``name`` None) or that of an include."""

    name: str | None
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
    """One execution of a word that sets a value.

    ``indices`` are the objects of its indices, the inner one first, the unit last.
    """

    word: str
    token: Token
    value: Item
    indices: tuple[Item, ...]
    file: PeriodFile

    @property
    def place(self) -> TextPlace:
        """The position of the word in its file."""
        return self.file.place(*self.token.span)

    def covers(self, unit: int | None, inner: int | None = None) -> bool:
        """Return whether it set the value of an index (of two indices: the last is ``unit``)."""
        types = [unit] if inner is None else [inner, unit]
        if len(types) > len(self.indices):  # the short form of a word with an optional index
            types = types[1:]
        return all(
            want is None
            or want == item.value
            or (isinstance(item.value, tuple) and want in item.value)
            for want, item in zip(types, self.indices[-len(types) :], strict=False)
        )

    def number_token(self, unit: int | None, inner: int | None = None) -> Token | None:
        """Return the token of the plain number that this assignment gave to one index.

        None where the number was not written out here, or is shared by several indices.
        """
        types = [unit] if inner is None else [inner, unit]
        vectors = [
            (item.value, want)
            for item, want in zip(self.indices, types, strict=False)
            if isinstance(item.value, tuple)
        ]
        if self.value.parts is not None and len(vectors) == 1:
            vector, want = vectors[0]
            positions = [at for at, index in enumerate(vector) if index == want]
            if positions:
                return self.value.parts[positions[-1]]
            return None
        return self.value.first if self.value.plain and not vectors else None

    def number_edit(
        self, number: int, unit: int | None = None, inner: int | None = None
    ) -> TextEdit | None:
        """Return the edit that gives one index another number; None unless its own is in the own
        text.
        """
        token = self.number_token(unit, inner)
        if token is None or self.file.name is not None:
            return None
        return TextEdit(*self.file.place(*token.span), str(number))
