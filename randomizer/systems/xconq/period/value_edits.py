"""The least change of a period's text that gives values other values.

``change_values`` returns the changed text, or a ``NotPlain`` with the reason why there is none. A
value is changed where it stands, if it stands there for one ``Slot`` alone::

    2 i speed                   the slot ("speed", infantry) has a value of its own
    [ 1 4 ] [ i T ] speed       here each of two slots has one
    fast u* speed               here none has: all types share what a name stands for

What nothing sets yet gets a line of its own at the end. The new text is read again and compared
with the old one, so that nothing else can change unnoticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.header import is_mapfile, sections_of
from randomizer.systems.xconq.period.objects import Assignment, Item
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_period, reading_of
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import (
    NOTHING,
    RESOURCES,
    TERRAINS,
    UNITS,
    Shape,
    Word,
    words,
)

LEAST = -32768
"""The least number that a period can hold."""

MOST = 32767
"""The greatest number that a period can hold."""

Values = NDArray[Any]
"""All values of a word, with as many dimensions as the word has indices: the unit comes first."""


class Slot(NamedTuple):
    """One value of a period: a word and the numbers of its types."""

    word: str
    """The name of the word."""

    unit: int | None = None
    """The type of a row (also one of terrains), or the unit type of a table; else None."""

    inner: int | None = None
    """The type of the first index of a table; else None."""

    @property
    def type_numbers(self) -> tuple[int, ...]:
        """The types that it has, as indices of the word's ``Values``."""
        return tuple(index for index in (self.unit, self.inner) if index is not None)


@dataclass(frozen=True)
class Change:
    """A value that is to be changed."""

    slot: Slot

    value: int | str
    """The new value: a text, or a number, which for a type is its number."""

    append: bool = False
    """True to set it by a new line, whatever sets it now."""


@dataclass(frozen=True)
class NotPlain:
    """The reason that a value cannot be changed, or not where it is set."""

    why: str
    """The reason, as a sentence."""

    line: int | None = None
    """The line that sets it, from 1; None if nothing does."""

    file: str | None = None
    """The name of the included file with that line, None for the period's own text."""


class Splice(NamedTuple):
    """A piece of a text that is replaced."""

    start: int
    """The offset at which it begins."""

    end: int
    """The offset behind it."""

    text: str
    """What stands there then."""


def value_of(period: Period, slot: Slot) -> int | str | None:
    """Return the value of a slot."""
    shape = words()[slot.word].shape
    if shape is Shape.NUMBER:
        return period.number(slot.word)
    if shape is Shape.TEXT:
        return period.text(slot.word)
    assert slot.unit is not None
    if shape is Shape.TEXTS:
        return period.texts(slot.word)[slot.unit]
    if shape is Shape.ROW:
        return int(period.row(slot.word)[slot.unit])
    assert slot.inner is not None
    return int(period.table(slot.word)[slot.unit, slot.inner])


def names_of(period: Period, slot: Slot) -> tuple[str, ...]:
    """Return the names of the types of a slot, that of a table's first index first."""
    kinds = words()[slot.word].indices
    indices = (index for index in (slot.inner, slot.unit) if index is not None)
    return tuple(period.types(kind)[index].name for kind, index in zip(kinds, indices, strict=True))


def setter(period: Period, slot: Slot) -> Assignment | None:
    """Return what set a value last, None if it has its default."""
    return period.assigned(slot.word, slot.unit, slot.inner)


def why_not_plain(period: Period, slot: Slot) -> NotPlain | None:
    """Return why a value cannot be changed where it is set.

    None if it can, or if nothing sets it yet.
    """
    assignment = setter(period, slot)
    if assignment is None:
        return None
    token = _plain_token(period, assignment, slot)
    if isinstance(token, NotPlain):
        return token
    return None


def _plain_token(period: Period, assignment: Assignment, slot: Slot) -> Token | NotPlain:
    """Return the token that is the value of one slot and of no other, or why there is none."""
    file = assignment.file
    line = assignment.place.line
    if file is not period.files[-1]:
        return NotPlain(f"It is set in {file.name}, line {line}.", line, file.name)
    token = assignment.number_token(slot.unit, slot.inner)
    if token is None:
        # A text, or a type, stands for one slot alone if no index is a vector.
        value = assignment.value
        has_vectors = any(isinstance(index.value, tuple) for index in assignment.indices)
        is_one_token = value.first is value.last
        if not has_vectors and is_one_token and _means_value(period, value.first, value):
            token = value.first
    if token is None or token.comment >= 0:
        why = f"It has no value of its own: line {line} sets it, with others or by a name."
        return NotPlain(why, line)
    if len(assignment.indices) < len(words()[slot.word].indices):
        return NotPlain(f"Line {line} sets it for all types at once.", line)
    return token


def _means_value(period: Period, token: Token, item: Item) -> bool:
    """Return whether a token is a text, or the name or character of the type that is the value.

    Other tokens are names that the text defines: they can stand for the value elsewhere, too.
    """
    if token.kind is TokenKind.STRING:
        return isinstance(item.value, str)
    is_type = item.kind in (UNITS, TERRAINS)
    if not isinstance(item.value, int) or not is_type or item.value == NOTHING:
        return token.value == "nothing"
    types = period.types(item.kind)
    if not 0 <= item.value < len(types):
        return False
    char, name, _third = types[item.value]
    return token.value in (char, name)


# --- changed texts ----------------------------------------------------------------------------


def change_values(
    text: str, changes: Sequence[Change], further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text with these slots changed and all else as it was; or why that cannot be.

    ``text`` and ``further`` (the texts of includes) are those of ``read_period``. A slot that one
    plain value sets is changed there. One that nothing sets yet, and one with ``append``, is set by
    a new line at the end of the period. What was written is read again before it is returned.
    """
    reading = reading_of(text, None, further)
    period = reading.period
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    splices: list[Splice] = []
    new_lines: list[str] = []
    for change in changes:
        written = _splice_or_line(period, change)
        if isinstance(written, NotPlain):
            return written
        if isinstance(written, Splice):
            splices.append(written)
        else:
            new_lines.append(written)
    if new_lines:
        appended = _append_lines(reading, new_lines)
        if isinstance(appended, NotPlain):
            return appended
        splices.append(appended)
    new_text = splice_text(period.files[-1].text, splices)

    new_period, problems = read_period(new_text, None, further)
    if new_period is None:
        error = next(problem for problem in problems if has_errors([problem]))
        return NotPlain(f"That is refused: {error.message.rstrip('.')}.")
    if not _only_differ(period, new_period, changes):
        return NotPlain("The period cannot be written so that only this changes.")
    return new_text


def splice_text(text: str, splices: Iterable[Splice]) -> str:
    """Return the text with pieces replaced. From the last one on, so that offsets stay right."""
    for start, end, new_text in sorted(splices, reverse=True):
        text = text[:start] + new_text + text[end:]
    return text


def _splice_or_line(period: Period, change: Change) -> Splice | str | NotPlain:
    """Return the splice that changes a value where it stands, or the line to append for it."""
    slot = change.slot
    value = change.value
    word = words()[slot.word]
    if isinstance(value, int) and not LEAST <= value <= MOST:
        return NotPlain(f"A period holds numbers from {LEAST} to {MOST}.")
    if isinstance(value, str) and (fault := text_fault(value)):
        return fault
    assignment = setter(period, slot)
    if change.append or assignment is None:
        return _line(period, word, slot, value)
    token = _plain_token(period, assignment, slot)
    if isinstance(token, NotPlain):
        return token
    written = _written(period, word, value, token)
    if isinstance(written, NotPlain):
        return written
    if token.kind is TokenKind.NUMBER and assignment.file.text[token.end - 1] == "%":
        written += "%"
    return Splice(token.start, token.end, written)


def text_fault(text: str) -> NotPlain | None:
    """Return why a period cannot hold a text, None if it can."""
    if '"' in text or ";" in text:
        return NotPlain("A text of a period can have no quote and no semicolon.")
    return None


def written_value(reading: Reading, word: Word, value: int | str) -> str:
    """Return a value as a new line has it.

    A type is one of the text's own words for it, or its number if there is none. ``value`` may be
    a number of numpy.
    """
    if not isinstance(value, str):
        value = int(value)
        kind = word.arguments[0]
        if kind in (UNITS, TERRAINS) and 0 <= value < len(reading.types[kind]):
            return type_word(reading, kind, value)
    written = _written(reading.period, word, value, None)
    if isinstance(written, NotPlain):
        return str(value)
    return written


def type_word(reading: Reading, kind: str, index: int) -> str:
    """Return a word of a period's own section that stands for a type, else its number.

    The words of included files do not count: Xconq itself forgets them, see ADR 23.
    """
    word = _reference(reading.period, kind, index)
    if reading.types[kind][index].file.name is None and isinstance(word, str):
        return word
    return str(index)


def _written(
    period: Period, word: Word, value: int | str, old_token: Token | None
) -> str | NotPlain:
    """Return how a value is written: as a number where ``old_token`` is one, else as a word."""
    if isinstance(value, str):
        return f'"{value}"'
    if old_token is not None and old_token.kind is not TokenKind.SYMBOL:
        return str(value)
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS):
        if value == NOTHING:
            return "nothing"
        return _reference(period, kind, value)
    if kind == "bool" and value in (0, 1):
        return "true" if value else "false"
    return str(value)


def _line(period: Period, word: Word, slot: Slot, value: int | str) -> str | NotPlain:
    """Return the line that sets a slot."""
    parts = [_written(period, word, value, None)]
    if slot.inner is not None:
        parts.append(_reference(period, word.indices[0], slot.inner))
    if slot.unit is not None:
        parts.append(_reference(period, word.indices[-1], slot.unit))
    for part in parts:
        if isinstance(part, NotPlain):
            return part
    return " ".join([*map(str, parts), word.name])


def _reference(period: Period, kind: str, index: int) -> str | NotPlain:
    """Return a word of the period that stands for a type and nothing else.

    Its name if that is a word, else its character, but of terrain, which has no word for it.
    """
    types = period.types(kind)
    if not 0 <= index < len(types):
        return NotPlain(f"There is no {kind} type {index}.")
    type_counts: Counter[str] = Counter()
    for kind_with_words in (UNITS, RESOURCES):
        for other_type in period.types(kind_with_words):
            # A set: a type whose character is its name counts once.
            type_counts.update({other_type.char, other_type.name})
    type_counts.update(terrain.name for terrain in period.terrains)
    candidates = [types[index].name]
    if kind != TERRAINS:
        candidates.append(types[index].char)
    for name in candidates:
        if type_counts[name] == 1 and name not in words() and is_symbol(name):
            return name
    return NotPlain(f"No word of the period stands for “{types[index].name}” alone.")


def is_symbol(name: str) -> bool:
    """Return whether a name, standing in a text, is one symbol."""
    tokens = Tokenizer(f"{name}\n")
    token = tokens.next()
    return token is not None and token[:2] == (TokenKind.SYMBOL, name) and tokens.next() is None


def _append_lines(reading: Reading, lines: Sequence[str]) -> Splice | NotPlain:
    """Return the splice that puts lines at the end of the period section."""
    end = end_of_section(reading)
    if isinstance(end, NotPlain):
        return end
    return line_splice(reading.period.files[-1].text, end, lines)


def line_splice(text: str, offset: int, lines: Sequence[str]) -> Splice:
    """Return the splice that puts lines before an offset, which is at the start of a line.

    At the end of a text without a last line end it adds that, too.
    """
    line_break = ""
    if lines and offset > 0 and text[offset - 1] != "\n":
        line_break = "\n"
    return Splice(offset, offset, line_break + "".join(f"{line}\n" for line in lines))


def end_of_section(reading: Reading) -> int | NotPlain:
    """Return the offset at which lines go at the end of the period section, before ``end``.

    That is the start of the line with ``end``, unless something else stands before it there.
    """
    text = reading.period.files[-1].text
    if is_mapfile(text) and "p" not in (sections_of(text) or ""):
        return NotPlain("The file has no period section of its own, it only includes others.")
    end = reading.end
    # The section ends behind the word and the white space after it; or with the text.
    last_word = "end"
    start_of_last_word = end - 1 - len(last_word)
    if text[start_of_last_word : end - 1] == last_word:
        end = start_of_last_word
    start_of_line = text.rfind("\n", 0, end) + 1
    if text[start_of_line:end].strip(" \t"):
        return end
    return start_of_line


UNCHANGED_FIELDS = (
    "resources",
    "notes",
    "side_names",
    "unit_names",
    "clears_side_names",
    "clears_unit_names",
)
"""The fields of a period that no edit changes: all but values, units and terrains."""


def values_of(period: Period, word: Word) -> Values:
    """Return all values of a word; texts, and what has no index, as arrays of objects."""
    if word.shape is Shape.ROW:
        return period.row(word.name)
    if word.shape is Shape.TABLE:
        return period.table(word.name)
    if word.shape is Shape.TEXTS:
        return np.array(period.texts(word.name), object)
    return np.array(value_of(period, Slot(word.name)), object)


def _only_differ(old_period: Period, new_period: Period, changes: Sequence[Change]) -> bool:
    """Return whether two periods are equal but for these slots, and those have their new values."""
    for field in ("units", "terrains", *UNCHANGED_FIELDS):
        if getattr(old_period, field) != getattr(new_period, field):
            return False
    changed_slots: dict[str, set[tuple[int, ...]]] = {}
    for change in changes:
        if value_of(new_period, change.slot) != change.value:
            return False
        changed_slots.setdefault(change.slot.word, set()).add(change.slot.type_numbers)
    for word in value_words():
        different = np.argwhere(values_of(old_period, word) != values_of(new_period, word))
        different_slots = {tuple(type_numbers) for type_numbers in different.tolist()}
        if not different_slots <= changed_slots.get(word.name, set()):
            return False
    return True
