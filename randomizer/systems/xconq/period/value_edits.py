"""The least change of a period's text that gives values other values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.header import is_mapfile, sections_of
from randomizer.systems.xconq.period.objects import Assignment
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_period, reading_of
from randomizer.systems.xconq.period.tokens import Token, Tokenizer, TokenKind
from randomizer.systems.xconq.period.words import NOTHING, TERRAINS, UNITS, Shape, Word, words

LEAST = -32768
MOST = 32767
"""The numbers that a period can hold."""


Values = NDArray[Any]
"""All values of a word, with as many dimensions as the word has indices: the unit comes first."""


class Slot(NamedTuple):
    """One value of a period: a word and the indices of its types.

    ``unit`` is the index of a row or the last one of a table, ``inner`` a table's first index; None
    for words without these.
    """

    word: str
    unit: int | None = None
    inner: int | None = None


@dataclass(frozen=True)
class Change:
    """A slot and the value that it is to have: a number (of a type its index), or a text.

    ``append``: a new line sets it, whatever sets it now.
    """

    slot: Slot
    value: int | str
    append: bool = False


@dataclass(frozen=True)
class NotPlain:
    """The reason, in words, that a value cannot be changed where it is set.

    ``line`` of ``file`` sets it; ``file`` is the name of an include, None for the period's own
    text. ``line`` None: nothing sets it.
    """

    why: str
    line: int | None = None
    file: str | None = None


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
    """Return why a value cannot be changed in its place; None if it can, or if nothing sets it
    yet.
    """
    assignment = setter(period, slot)
    if assignment is None or isinstance(fault := _plain_token(period, assignment, slot), Token):
        return None
    return fault


def _plain_token(period: Period, assignment: Assignment, slot: Slot) -> Token | NotPlain:
    """Return the token that is the value of one slot and of no other."""
    file = assignment.file
    place = assignment.token
    line = file.place(place.start, place.end).line
    if file is not period.files[-1]:
        return NotPlain(f"It is set in {file.name}, line {line}.", line, file.name)
    token = assignment.number_token(slot.unit, slot.inner)
    value = assignment.value
    single = not any(isinstance(index.value, tuple) for index in assignment.indices)
    if token is None and single and value.first is value.last:
        if _says_itself(period, value.value, value.kind, value.first):
            token = value.first
        else:
            token = None
    if token is None or token.comment >= 0:
        why = f"It has no value of its own: line {line} sets it, with others or by a name."
        return NotPlain(why, line)
    if len(assignment.indices) < len(words()[slot.word].indices):
        return NotPlain(f"Line {line} sets it for all types at once.", line)
    return token


def _says_itself(period: Period, value: object, kind: str, token: Token) -> bool:
    """Return whether a token is a text, or the name or character of the type that is the value."""
    if token.kind is TokenKind.STRING:
        return isinstance(value, str)
    if not isinstance(value, int) or kind not in (UNITS, TERRAINS) or value == NOTHING:
        return token.value == "nothing"
    types = period.types(kind)
    return 0 <= value < len(types) and token.value in types[value][:2]


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
    splices: list[tuple[int, int, str]] = []
    lines: list[str] = []
    for change in changes:
        done = _splice(period, change)
        if isinstance(done, NotPlain):
            return done
        if isinstance(done, str):
            lines.append(done)
        else:
            splices.append(done)
    if lines:
        appended = _appended(reading, lines)
        if isinstance(appended, NotPlain):
            return appended
        splices.append(appended)
    new_text = period.files[-1].text
    for start, end, written in sorted(splices, reverse=True):
        new_text = new_text[:start] + written + new_text[end:]
    new_period, problems = read_period(new_text, None, further)
    if new_period is None:
        error = next(problem for problem in problems if has_errors([problem]))
        return NotPlain(f"That is refused: {error.message.rstrip('.')}.")
    if not _only_differ(period, new_period, changes):
        return NotPlain("The period cannot be written so that only this changes.")
    return new_text


def _splice(period: Period, change: Change) -> tuple[int, int, str] | str | NotPlain:
    """Return where to put which text; or the line to append."""
    slot = change.slot
    value = change.value
    word = words()[slot.word]
    if isinstance(value, int) and not LEAST <= value <= MOST:
        return NotPlain(f"A period holds numbers from {LEAST} to {MOST}.")
    if isinstance(value, str) and (fault := text_fault(value)):
        return fault
    assignment = None if change.append else setter(period, slot)
    if assignment is None:
        return _line(period, word, slot, value)
    token = _plain_token(period, assignment, slot)
    if isinstance(token, NotPlain):
        return token
    written = _written(period, word, value, token)
    if isinstance(written, NotPlain):
        return written
    if token.kind is TokenKind.NUMBER and assignment.file.text[token.end - 1] == "%":
        written += "%"
    return token.start, token.end, written


def text_fault(text: str) -> NotPlain | None:
    """Return why a period cannot hold a text, None if it can."""
    if '"' in text or ";" in text:
        return NotPlain("A text of a period can have no quote and no semicolon.")
    return None


def written_value(reading: Reading, word: Word, value: int | str) -> str:
    """Return a value as a new line has it; a type that no own word stands for is its number."""
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS) and 0 <= int(value) < len(reading.types[kind]):
        return type_word(reading, kind, int(value))
    written = _written(reading.period, word, value if isinstance(value, str) else int(value), None)
    if isinstance(written, str):
        return written
    return str(value)


def type_word(reading: Reading, kind: str, index: int) -> str:
    """Return a word of a period's own section that stands for a type, else its number."""
    file, _token = reading.types[kind][index]
    word = _reference(reading.period, kind, index)
    if file.name is None and isinstance(word, str):
        return word
    return str(index)


def _written(period: Period, word: Word, value: int | str, old: Token | None) -> str | NotPlain:
    """Return how a value is written, in the manner of the token that stands there now."""
    if isinstance(value, str):
        return f'"{value}"'
    kind = word.arguments[0]
    if kind in (UNITS, TERRAINS) and (old is None or old.kind is TokenKind.SYMBOL):
        if value == NOTHING:
            return "nothing"
        return _reference(period, kind, value)
    as_word = old is None or old.kind is TokenKind.SYMBOL
    if kind == "bool" and value in (0, 1) and as_word:
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
    """Return a word of the period that stands for a type, its name if that is one."""
    types = period.types(kind)
    if not 0 <= index < len(types):
        return NotPlain(f"There is no {kind} type {index}.")
    one = types[index]
    name_counts = Counter(
        name for type_names in (*period.units, *period.resources) for name in set(type_names[:2])
    )
    name_counts.update(terrain.name for terrain in period.terrains)
    for name in (one.name,) if kind == TERRAINS else (one.name, one.char):
        if name_counts[name] == 1 and name not in words() and is_symbol(name):
            return name
    return NotPlain(f"No word of the period stands for “{one.name}” alone.")


def is_symbol(name: str) -> bool:
    """Return whether a name, standing in a text, is one symbol."""
    tokens = Tokenizer(f"{name}\n")
    token = tokens.next()
    return token is not None and token[:2] == (TokenKind.SYMBOL, name) and tokens.next() is None


def _appended(reading: Reading, lines: Sequence[str]) -> tuple[int, int, str] | NotPlain:
    """Return where lines go at the end of the period section, and what is written there."""
    at = end_of_section(reading)
    text = reading.period.files[-1].text
    if isinstance(at, NotPlain):
        return at
    line_break = "\n" if at and text[at - 1] != "\n" else ""
    return at, at, line_break + "".join(f"{line}\n" for line in lines)


def end_of_section(reading: Reading) -> int | NotPlain:
    """Return the offset at which lines go at the end of the period section."""
    text = reading.period.files[-1].text
    if is_mapfile(text) and "p" not in (sections_of(text) or ""):
        return NotPlain("The file has no period section of its own, it only includes others.")
    at = reading.end
    end = "end"
    if text[at - len(end) - 1 : at - 1] == end:  # and not the end of the text
        at -= len(end) + 1
    begin_of_line = text.rfind("\n", 0, at) + 1
    return at if text[begin_of_line:at].strip(" \t") else begin_of_line


KEPT = ("resources", "notes", "side_names", "unit_names", "clears_side_names", "clears_unit_names")
"""What a period has besides values, units and terrains."""


def values_of(period: Period, word: Word) -> Values:
    """Return all values of a word."""
    if word.shape is Shape.ROW:
        return period.row(word.name)
    if word.shape is Shape.TABLE:
        return period.table(word.name)
    texts = word.shape is Shape.TEXTS
    return np.array(period.texts(word.name) if texts else value_of(period, Slot(word.name)), object)


def _only_differ(old_period: Period, new_period: Period, changes: Sequence[Change]) -> bool:
    """Return whether two periods are equal but for these slots, and those have their new values."""
    if any(
        getattr(old_period, part) != getattr(new_period, part)
        for part in ("units", "terrains", *KEPT)
    ):
        return False
    if any(value_of(new_period, change.slot) != change.value for change in changes):
        return False
    changed: dict[str, set[tuple[int, ...]]] = {}
    for change in changes:
        indices = (change.slot.unit, change.slot.inner)
        type_numbers = tuple(index for index in indices if index is not None)
        changed.setdefault(change.slot.word, set()).add(type_numbers)
    for word in value_words():
        different = np.argwhere(values_of(old_period, word) != values_of(new_period, word))
        if not set(map(tuple, different.tolist())) <= changed.get(word.name, set()):
            return False
    return True
