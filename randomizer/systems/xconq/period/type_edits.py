"""Types of a period as text: one more as a copy of another, and another definition of one.

The document advises it: "introduce a new type as a slight modification of an existing type, then
share most of the definitions". A copy is defined behind all types of its kind, so that the codes of
painted cells and the numbers of unit types stay; the text only gets more lines. Example::

    text = copy_type(text, UNITS, tanks, TypeTexts("T", "heavy", "slow"), {Slot("speed", new): 2})

``change_type`` replaces the name, the character and the third text of a type. Both read the new
text again and compare it with the old one, so that nothing else can change unnoticed. Where a text
cannot be changed they return a ``NotPlain`` with the reason.
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
from randomizer.systems.xconq.period.slots import Slot, Values, values_of
from randomizer.systems.xconq.period.spelling import is_symbol, text_fault, type_word, written_value
from randomizer.systems.xconq.period.text_splices import (
    NotPlain,
    Splice,
    end_of_section,
    line_splice,
    splice_text,
)
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.value_edits import UNCHANGED_FIELDS
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Word

DEFINERS = {UNITS: "utype", TERRAINS: "ttype"}
"""The word that defines a type of each kind that can be copied."""

LONGEST_VECTOR = 40
"""Longer vectors are written in parts: the stack holds 50 objects, one vector while it is made."""

LINE = 78
"""The most characters of a line with vectors."""

NO_VALUES: Mapping[Slot, int | str] = {}


class TypeTexts(NamedTuple):
    """The texts by which a type is defined."""

    char: str
    """Its character, one letter."""

    name: str

    third: str
    """The line of help of a unit type, the colour of a terrain."""


class _Insertion(NamedTuple):
    """Lines that are put into a text."""

    offset: int
    """The offset of the line before which they are put."""

    lines: tuple[str, ...]


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
    fault = _fault_in(texts)
    if fault is not None:
        return fault
    end = end_of_section(reading)
    if isinstance(end, NotPlain):
        return end

    # The values of all types, with those of the new one: the original's, but for the given ones.
    new_values = {
        word.name: _values_with_copy(reading.period, word, kind, original) for word in value_words()
    }
    for slot, value in values.items():
        new_values[slot.word][slot.type_numbers] = value
    copy = _Copy(reading, kind, original, texts, new_values, further)

    # Scattered behind what is there, if the text then reads right; else all at the end.
    last_definition = reading.types[kind][-1]
    if last_definition.file.name is None:
        offset = _next_line(last_definition.file.text, last_definition.token.end)
        result = copy.write(offset, is_scattered=True)
        if isinstance(result, str):
            return result
    return copy.write(end, is_scattered=False)


def _fault_in(texts: TypeTexts) -> NotPlain | None:
    """Return why no type can be defined by these texts, as far as the texts alone tell."""
    if not (texts.char and texts.name):
        return NotPlain("A type has a character and a name.")
    for text in texts:
        fault = text_fault(text)
        if fault is not None:
            return fault
    return None


@dataclass(frozen=True)
class _Copy:
    """One more type of a period, and how it is written into the text."""

    reading: Reading
    """The text as it is."""

    kind: str
    """UNITS or TERRAINS."""

    original: int
    """The number of the type that is copied."""

    texts: TypeTexts
    """The definition of the new type."""

    values: Mapping[str, Values]
    """The values of all words, by name, with those of the new type."""

    further: Mapping[str, str]
    """The texts of included files by name."""

    def write(self, offset: int, *, is_scattered: bool) -> str | NotPlain:
        """Return the text with the definition at an offset, or what stands against that.

        The values stand behind those of the original type where ``is_scattered``, else behind the
        definition. Only a reading of the text with the definition tells which values have to be set
        at all: the period may set some for all types that there are.
        """
        types = self.reading.period.types(self.kind)
        quoted = " ".join(f'"{text}"' for text in self.texts)
        lines = [f"{quoted} {DEFINERS[self.kind]}"]
        if not is_scattered:
            lines = ["", f"; {self.texts.name}: as {types[self.original].name}", *lines]
        insertions = [_Insertion(offset, tuple(lines))]
        reading_with_type = read_traced(self._insert(insertions), None, self.further)
        problem = _new_problem(self.reading, reading_with_type)
        if problem is not None:
            return problem

        for word in value_words():
            value_lines = tuple(_lines(reading_with_type, word, self.values[word.name], self.kind))
            value_offset = offset
            if is_scattered:
                # Not before the definition, whose words stand in the lines.
                value_offset = max(offset, self._behind_values(word))
            insertions.append(_Insertion(value_offset, value_lines))
        new_types = (*types, self.texts)
        text = self._insert(insertions)
        return _checked(text, self.reading, self.kind, new_types, self.values, self.further)

    def _behind_values(self, word: Word) -> int:
        """Return the offset of the line behind the last one that sets a value of the original type.

        0 if none does in the period's own text.
        """
        offset = 0
        for assignment in self.reading.period.assignments:
            if assignment.word != word.name or assignment.file.name is not None:
                continue
            # Without an optional index the others are the last ones of the word.
            kinds = word.indices[len(word.indices) - len(assignment.indices) :]
            for kind, item in zip(kinds, assignment.indices, strict=True):
                type_numbers: tuple[object, ...] = (item.value,)
                if isinstance(item.value, tuple):
                    type_numbers = item.value
                if kind == self.kind and self.original in type_numbers:
                    next_line = _next_line(assignment.file.text, assignment.token.end)
                    offset = max(offset, next_line)
        return offset

    def _insert(self, insertions: Sequence[_Insertion]) -> str:
        """Return the text with lines inserted, those at one offset in their order."""
        text = self.reading.period.files[-1].text
        lines_by_offset: dict[int, list[str]] = {}
        for insertion in insertions:
            lines_by_offset.setdefault(insertion.offset, []).extend(insertion.lines)
        splices = [line_splice(text, offset, lines) for offset, lines in lines_by_offset.items()]
        return splice_text(text, splices)


def _new_problem(old_reading: Reading, new_reading: Reading) -> NotPlain | None:
    """Return a refusal with the first problem of which the new text has more.

    A problem is told by its code. Unknown colours do not count: the terrain gets one of ours.
    """
    more_problems = Counter(problem.code for problem in new_reading.problems)
    more_problems.subtract(problem.code for problem in old_reading.problems)
    for problem in new_reading.problems:
        if more_problems[problem.code] > 0 and problem.code != "period-colour":
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
    """Return the text if its period is the old one with these types and values, or why not.

    ``types`` are those of ``kind``; a word that is not in ``values`` has its old ones.
    """
    new_reading = read_traced(text, None, further)
    problem = _new_problem(old_reading, new_reading)
    if problem is not None:
        return problem
    old = old_reading.period
    new = new_reading.period
    has_expected_types = tuple(new.types(kind)) == tuple(types)
    for other_kind in (UNITS, TERRAINS):
        if other_kind != kind:
            has_expected_types &= new.types(other_kind) == old.types(other_kind)
    has_same_fields = all(getattr(new, name) == getattr(old, name) for name in UNCHANGED_FIELDS)
    has_expected_values = True
    for word in value_words():
        expected_values = values.get(word.name)
        if expected_values is None:
            expected_values = values_of(old, word)
        has_expected_values &= np.array_equal(values_of(new, word), expected_values)
    if has_expected_types and has_same_fields and has_expected_values:
        return text
    return NotPlain("The period cannot be written so that only this changes.")


def _values_with_copy(period: Period, word: Word, kind: str, original: int) -> Values:
    """Return the values of a word with one more type of a kind, which has those of ``original``."""
    values = values_of(period, word)
    # The axes of ``Values`` are in the other order than the indices of the word.
    for axis, index_kind in enumerate(reversed(word.indices)):
        if index_kind == kind:
            values = np.concatenate((values, values.take([original], axis)), axis)
    return values.copy()


def _next_line(text: str, offset: int) -> int:
    """Return the offset of the line behind that of an offset, the end of the text for the last."""
    line_end = text.find("\n", offset)
    if line_end < 0:
        return len(text)
    return line_end + 1


# --- lines that set values --------------------------------------------------------------------


def _lines(reading: Reading, word: Word, values: Values, kind: str) -> Iterator[str]:
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


# --- definitions --------------------------------------------------------------------------------


def change_type(
    text: str, kind: str, index: int, texts: TypeTexts, further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text in which a type is defined by other texts, or why that cannot be.

    Where its name or character is used as a word the new one stands; all else stays.
    """
    trace = _TokensOfText()
    reading = read_traced(text, None, further, trace)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    definition = reading.types[kind][index]
    file = definition.file
    if file.name is not None:
        line = file.place(*definition.token.span).line
        return NotPlain(f"It is defined in {file.name}, line {line}.", line, file.name)
    fault = _fault_in(texts)
    if fault is not None:
        return fault
    splices = _splices_of_definition(reading, trace.tokens, kind, index, texts)
    if isinstance(splices, NotPlain):
        return splices
    splices_of_uses = _splices_of_uses(reading, trace.tokens, kind, index, texts)
    if isinstance(splices_of_uses, NotPlain):
        return splices_of_uses
    new_text = splice_text(file.text, [*splices, *splices_of_uses])
    types = list[object](reading.period.types(kind))
    types[index] = texts
    return _checked(new_text, reading, kind, types, {}, further)


class _TokensOfText:
    """Collects the tokens of a period's own text while it is read."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        """The tokens in their order, without those of included files."""

    def __call__(self, file: PeriodFile, token: Token) -> None:
        """Take a token that was read from a file."""
        if file.name is None:
            self.tokens.append(token)


def _splices_of_definition(
    reading: Reading, tokens: Sequence[Token], kind: str, index: int, texts: TypeTexts
) -> list[Splice] | NotPlain:
    """Return what changes the three texts of a definition; they have to stand there as texts."""
    definition = reading.types[kind][index]
    name_position = tokens.index(definition.token)
    char_token, name_token, third_token = tokens[name_position - 1 : name_position + 2]
    old_char, old_name, old_third = reading.period.types(kind)[index]
    splices = []
    for token, old_text, new_text in (
        (char_token, old_char, texts.char),
        (name_token, old_name, texts.name),
        (third_token, old_third, texts.third),
    ):
        is_plain = token.kind is TokenKind.STRING and token.comment < 0
        if not is_plain or token.value != old_text:
            line = definition.file.place(*definition.token.span).line
            return NotPlain(f"Line {line} defines it, by names or with comments.", line)
        if new_text != old_text:
            splices.append(Splice(token.start, token.end, f'"{new_text}"'))
    return splices


def _splices_of_uses(
    reading: Reading, tokens: Sequence[Token], kind: str, index: int, texts: TypeTexts
) -> list[Splice] | NotPlain:
    """Return what changes the words that stand for a type, where its texts define them.

    A name of several words is no word: the character stands there then, which terrain does not
    have.
    """
    old_char, old_name, _old_third = reading.period.types(kind)[index]
    # By tokens, since one word may be both the character and the name: then the new name counts.
    new_words: dict[Token, str] = {}
    for old_text, new_text in ((old_char, texts.char), (old_name, texts.name)):
        definition = reading.names.get(old_text)
        if old_text == new_text or definition is None:
            continue
        if definition.item.kind != kind or definition.item.value != index:
            continue
        uses = [token for token in tokens if _is_word(token, old_text)]
        new_word = texts.char
        if is_symbol(new_text):
            new_word = new_text
        if uses and kind == TERRAINS and new_word != new_text:
            return NotPlain(
                f"The text says “{old_text}”: a name of several words cannot stand there."
            )
        new_words.update(dict.fromkeys(uses, new_word))
    return [Splice(token.start, token.end, new_word) for token, new_word in new_words.items()]


def _is_word(token: Token, text: str) -> bool:
    """Return whether a token is a word of the language with this text, not a quoted text."""
    return token.kind is TokenKind.SYMBOL and token.value == text
