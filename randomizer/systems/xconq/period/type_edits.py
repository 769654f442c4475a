"""Types of a period as text: one more as a copy of another, and another definition of one.

The document advises it: "introduce a new type as a slight modification of an existing type, then
share most of the definitions". A copy is defined behind all types of its kind, so that the codes of
painted cells and the numbers of unit types stay; the text only gets more lines. Example::

    text = copy_type(text, UNITS, tanks, TypeTexts("T", "heavy", "slow"), {Slot("speed", new): 2})
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_traced, reading_of
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.value_edits import (
    KEPT,
    NotPlain,
    Slot,
    Values,
    end_of_section,
    is_symbol,
    text_fault,
    type_word,
    values_of,
    written_value,
)
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Word

Insertion = tuple[int, tuple[str, ...]]
"""Lines, and the offset of the line before which they are put."""

DEFINERS = {UNITS: "utype", TERRAINS: "ttype"}
"""The word that defines a type of each kind that can be copied."""

LONGEST_VECTOR = 40
"""Longer vectors are written in parts: with both of a line they fit on the stack."""

LINE = 78
"""The length of the lines of vectors that are written, in characters."""

NO_VALUES: Mapping[Slot, int | str] = {}


class TypeTexts(NamedTuple):
    """The definition of a type: its character, its name, and its line of help or its colour."""

    char: str
    name: str
    third: str


# --- copies -----------------------------------------------------------------------------------


def copy_type(
    text: str,
    kind: str,
    original: int,
    texts: TypeTexts,
    values: Mapping[Slot, int | str] = NO_VALUES,
    further: Mapping[str, str] = NO_TEXTS,
) -> str | NotPlain:
    """Return the text with one more type, like ``original`` of its kind, or why that cannot be.

    ``kind`` is UNITS or TERRAINS. ``values`` are those that are not as the other type's, by slots
    with the number of the new type: how many types there are now. The definition stands behind the
    last of its kind and each value behind those of the other type, if the text then reads as it
    did; else all stands together at the end of the period.
    """
    reading = reading_of(text, None, further)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    end = end_of_section(reading)
    for refusal in (_fault_in(texts), end):
        if isinstance(refusal, NotPlain):
            return refusal
    values_of_copy = {
        word.name: _extended(reading.period, word, kind, original) for word in value_words()
    }
    for slot, value in values.items():
        values_of_copy[slot.word][
            tuple(type_number for type_number in slot[1:] if type_number is not None)
        ] = value
    copy = _Copy(reading, kind, original, texts, values_of_copy, further)
    file, token = reading.types[kind][-1]
    if file.name is None:
        result = copy.write(_next_line(file.text, token.end), scattered=True)
        if isinstance(result, str):
            return result
    return copy.write(int(str(end)), scattered=False)


def _fault_in(texts: TypeTexts) -> NotPlain | None:
    """Return why no type can be defined by these texts, as far as the texts alone tell."""
    if not (texts.char and texts.name):
        return NotPlain("A type has a character and a name.")
    return next(filter(None, map(text_fault, texts)), None)


@dataclass(frozen=True)
class _Copy:
    """One type more of a period: like which one it is, and the values that there are then."""

    reading: Reading
    kind: str
    like: int
    texts: TypeTexts
    values: Mapping[str, Values]
    further: Mapping[str, str]

    def write(self, at: int, *, scattered: bool) -> str | NotPlain:
        """Return the text with the definition at an offset, or what stands against that.

        ``scattered``: values stand behind those of the other type, else behind the definition.
        """
        types = self.reading.period.types(self.kind)
        quoted = " ".join(f'"{text}"' for text in self.texts)
        lines = [f"{quoted} {DEFINERS[self.kind]}"]
        if not scattered:
            lines = ["", f"; {self.texts.name}: as {types[self.like].name}", *lines]
        insertions = [(at, tuple(lines))]
        defined = read_traced(self._insert(insertions), None, self.further)
        problem = _new_problem(self.reading, defined)
        if problem is not None:
            return problem
        for word in value_words():
            more = tuple(_lines(defined, word, self.values[word.name], self.kind))
            insertions.append((max(at, self._behind_values(word) if scattered else 0), more))
        new_types = (*types, self.texts)
        text = self._insert(insertions)
        return _checked(text, self.reading, self.kind, new_types, self.values, self.further)

    def _behind_values(self, word: Word) -> int:
        """Return the offset of the line behind the last that sets a value of the other type, else
        0.
        """
        ends = [0]
        for assignment in self.reading.period.assignments:
            if assignment.word == word.name and assignment.file.name is None:
                indices = assignment.indices
                kinds = word.indices[len(word.indices) - len(indices) :]
                for kind, item in zip(kinds, indices, strict=True):
                    if kind == self.kind and self.like in np.atleast_1d(np.array(item.value)):
                        ends.append(_next_line(assignment.file.text, assignment.token.end))
        return max(ends)

    def _insert(self, insertions: Sequence[Insertion]) -> str:
        """Return the text with lines inserted, of those at one place in their order."""
        text = self.reading.period.files[-1].text
        for at, lines in sorted(insertions, key=lambda insertion: insertion[0])[::-1]:
            line_break = "\n" if lines and at and text[at - 1] != "\n" else ""
            text = text[:at] + line_break + "".join(f"{line}\n" for line in lines) + text[at:]
        return text


def _new_problem(old_reading: Reading, new_reading: Reading) -> NotPlain | None:
    """Return the first problem of a text of which it had fewer before; unknown colours are none."""
    codes = Counter(problem.code for problem in new_reading.problems)
    codes.subtract(problem.code for problem in old_reading.problems)
    for problem in new_reading.problems:
        if codes[problem.code] > 0 and problem.code != "period-colour":
            return NotPlain(f"That is refused: {problem.message.rstrip('.')}.")
    return None


def _checked(
    text: str,
    old_reading: Reading,
    kind: str,
    types: Sequence[object],
    values: Mapping[str, Values],
    further: Mapping[str, str],
) -> str | NotPlain:
    """Return the text, if it differs from the one before in these types and values alone, or why
    not.
    """
    new_reading = read_traced(text, None, further)
    old = old_reading.period
    new = new_reading.period
    other_kind = TERRAINS if kind == UNITS else UNITS
    same = tuple(new.types(kind)) == tuple(types) and new.types(other_kind) == old.types(other_kind)
    same &= all(getattr(new, field) == getattr(old, field) for field in KEPT)
    for word in value_words():
        if word.name in values:
            to_be = values[word.name]
        else:
            to_be = values_of(old, word)
        same &= np.array_equal(values_of(new, word), to_be)
    return _new_problem(old_reading, new_reading) or (
        text if same else NotPlain("The period cannot be written so that only this changes.")
    )


def _extended(period: Period, word: Word, kind: str, original: int) -> Values:
    """Return the values of a word with one more type of a kind, which has those of type
    ``original``.
    """
    values = values_of(period, word)
    for axis, index in enumerate(reversed(word.indices)):
        if index == kind:
            values = np.concatenate((values, values.take([original], axis)), axis)
    return values.copy()


def _next_line(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


# --- lines that set values --------------------------------------------------------------------


def _lines(reading: Reading, word: Word, values: Values, kind: str) -> Iterator[str]:
    """Yield the lines that give the last type of a kind these values, where the period has
    others.
    """
    different = values_of(reading.period, word) != values
    if not different.any():
        return
    new = type_word(reading, kind, len(reading.types[kind]) - 1)
    if values.ndim == 1:
        yield f"{written_value(reading, word, values[-1])} {new} {word.name}"
        return
    if word.indices[1] == kind and different[-1].any():
        if word.optional is not None and not reading.stack and len({*values[-1].tolist()}) == 1:
            yield f"{written_value(reading, word, values[-1, 0])} {new} {word.name}"
        else:
            for value, inner in _vectors(reading, word, 0, values[-1], different[-1]):
                yield _wrapped(f"{value} {inner} {new} {word.name}")
        different[-1] = False
    if word.indices[0] == kind:
        for value, unit in _vectors(reading, word, 1, values[:, -1], different[:, -1]):
            yield _wrapped(f"{value} {new} {unit} {word.name}")


def _vectors(
    reading: Reading, word: Word, index: int, values: Values, different: Values
) -> Iterator[tuple[str, str]]:
    """Values that are to be set and the types that get them: an index of a word of two."""
    kind = word.indices[index]
    type_numbers = np.flatnonzero(different).tolist()
    unnamed = any(type_word(reading, kind, type_number).isdecimal() for type_number in type_numbers)
    if len(values) <= LONGEST_VECTOR and (unnamed or len(type_numbers) == len(values) > 1):
        texts = [written_value(reading, word, value) for value in values]
        yield _vector(texts), f"{kind[0]}*"
        return
    for first in range(0, len(type_numbers), LONGEST_VECTOR):
        part = type_numbers[first : first + LONGEST_VECTOR]
        texts = [written_value(reading, word, values[type_number]) for type_number in part]
        yield (
            _vector(texts),
            _vector([type_word(reading, kind, type_number) for type_number in part]),
        )


def _vector(texts: Sequence[str]) -> str:
    """Return one text, or all of them between brackets; equal values are written once."""
    if len({*texts}) == 1:
        return texts[0]
    return f"[ {' '.join(texts)} ]"


def _wrapped(line: str) -> str:
    return textwrap.fill(line, LINE, break_long_words=False, break_on_hyphens=False)


# --- definitions --------------------------------------------------------------------------------


def change_type(
    text: str, kind: str, index: int, texts: TypeTexts, further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text in which a type is defined by other texts, or why that cannot be.

    Where its name or character is used as a word the new one stands; all else stays.
    """
    tokens: list[Token] = []

    def trace(file: PeriodFile, token: Token) -> None:
        if file.name is None:
            tokens.append(token)

    reading = read_traced(text, None, further, trace)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    period = reading.period
    (file, name) = reading.types[kind][index]
    if file.name is not None:
        line = file.place(*name.span).line
        return NotPlain(f"It is defined in {file.name}, line {line}.", line, file.name)
    fault = _fault_in(texts)
    if fault is not None:
        return fault
    at = tokens.index(name)
    old_type = period.types(kind)[index]
    splices: dict[Token, str] = {}
    for token, old, new in zip(tokens[at - 1 : at + 2], old_type, texts, strict=False):
        if token.kind is not TokenKind.STRING or token.value != old or token.comment >= 0:
            line = file.place(*name.span).line
            return NotPlain(f"Line {line} defines it, by names or with comments.", line)
        if new != old:
            splices[token] = f'"{new}"'
    for old, new in zip(old_type[:2], texts[:2], strict=True):
        item = reading.names.get(old)
        if old != new and item is not None and item[1].kind == kind and item[1].value == index:
            word = new if is_symbol(new) else texts.char
            uses = (each for each in tokens if each.value == old)
            splices |= {each: word for each in uses if each.kind is TokenKind.SYMBOL}
            if kind == TERRAINS and word != new and any(splice.value == old for splice in splices):
                return NotPlain(
                    f"The text says “{old}”: a name of several words cannot stand there."
                )
    written = file.text
    for token in sorted(splices, key=lambda each: each.start, reverse=True):
        written = written[: token.start] + splices[token] + written[token.end :]
    types = list[object](period.types(kind))
    types[index] = texts
    return _checked(written, reading, kind, types, {}, further)
