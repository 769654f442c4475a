"""Changes values in the text of a period, and as little else of the text as possible.

The inspector of the desk shows the values of a period; when a person changes one, ``change_values``
returns the new text, or a ``NotPlain`` with the reason why there is none. A ``Slot`` is one value:
a word, such as ``speed``, and the type for which it is. It is changed where it stands, if one
number or word stands there for this slot alone::

    2 i speed                   the slot ("speed", infantry) has a number of its own
    [ 1 4 ] [ i T ] speed       here each of two slots has one
    fast u* speed               here none has: all types share what a name stands for

A slot that nothing sets yet gets a line of its own at the end of the period. The new text is read
again and compared with the old one, so that nothing else can change unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.objects import Assignment, Item
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_period, reading_of
from randomizer.systems.xconq.period.slots import Slot, assignment_of, value_of, values_of
from randomizer.systems.xconq.period.spelling import (
    text_fault,
    unambiguous_type_word,
    value_as_word,
    value_in_place_of,
)
from randomizer.systems.xconq.period.text_splices import (
    NotPlain,
    Splice,
    end_of_section,
    line_splice,
    splice_text,
)
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import (
    MAX_NUMBER,
    MIN_NUMBER,
    NOTHING,
    TERRAINS,
    UNITS,
    Word,
    words,
)


@dataclass(frozen=True)
class NewLine:
    """A line that is put at the end of the period, to set a value."""

    text: str


@dataclass(frozen=True)
class Change:
    """A value that is to be changed."""

    slot: Slot

    value: int | str
    """The new value: a text, or a number; for a value that is a type, the number of the type."""

    append: bool = False
    """True to set the value by a new line at the end of the period, even if a line sets it now."""


UNCHANGED_FIELDS = (
    "resources",
    "notes",
    "side_names",
    "unit_names",
    "clears_side_names",
    "clears_unit_names",
)
"""The fields of a period that no edit of values or types may change."""


def change_values(
    text: str, changes: Sequence[Change], further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text with these slots changed and all else as it was; or why that cannot be.

    ``text`` and ``further`` (the texts of includes) are those of ``read_period``. A slot that one
    plain value sets is changed there. One that nothing sets yet, and one with ``append``, is set by
    a new line at the end of the period.
    """
    reading = reading_of(text, None, further)
    period = reading.period
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")

    # Write the new text.
    splices: list[Splice] = []
    new_lines: list[str] = []
    for change in changes:
        splice_or_line = _splice_or_line(period, change)
        if isinstance(splice_or_line, NotPlain):
            return splice_or_line
        if isinstance(splice_or_line, Splice):
            splices.append(splice_or_line)
        else:
            new_lines.append(splice_or_line.text)
    if new_lines:
        appended = _append_lines(reading, new_lines)
        if isinstance(appended, NotPlain):
            return appended
        splices.append(appended)
    new_text = splice_text(period.files[-1].text, splices)

    # Read the new text, and refuse it unless it differs in these slots alone.
    new_period, problems = read_period(new_text, None, further)
    if new_period is None:
        error = next(problem for problem in problems if has_errors([problem]))
        return NotPlain(f"That is refused: {error.message.rstrip('.')}.")
    if not _differ_only_in(period, new_period, changes):
        return NotPlain("The period cannot be written so that only this changes.")
    return new_text


def why_not_plain(period: Period, slot: Slot) -> NotPlain | None:
    """Return the reason why a value cannot be changed in the line that sets it.

    None if it can, or if no line sets it yet.
    """
    assignment = assignment_of(period, slot)
    if assignment is None:
        return None
    token = _plain_token(period, assignment, slot)
    if isinstance(token, NotPlain):
        return token
    return None


def _splice_or_line(period: Period, change: Change) -> Splice | NewLine | NotPlain:
    """Return the splice that changes a value in its line, or the line to append for it."""
    slot = change.slot
    value = change.value
    word = words()[slot.word]
    if isinstance(value, int) and not MIN_NUMBER <= value <= MAX_NUMBER:
        return NotPlain(f"A period holds numbers from {MIN_NUMBER} to {MAX_NUMBER}.")
    if isinstance(value, str) and (fault := text_fault(value)):
        return fault
    assignment = assignment_of(period, slot)
    if change.append or assignment is None:
        return _line(period, word, slot, value)
    token = _plain_token(period, assignment, slot)
    if isinstance(token, NotPlain):
        return token
    spelled = value_in_place_of(token, period, word, value)
    if isinstance(spelled, NotPlain):
        return spelled
    # ``5%`` is a number, too: it keeps its percent sign.
    if token.kind is TokenKind.NUMBER and assignment.file.text[token.end - 1] == "%":
        spelled += "%"
    return Splice(token.start, token.end, spelled)


def _plain_token(period: Period, assignment: Assignment, slot: Slot) -> Token | NotPlain:
    """Return the token that is the value of one slot and of no other, or why there is none.

    ``assignment`` sets the slot. There is such a token if the value is written out in it, as a
    number (also one in a vector), as a text or as a type, and if no other slot shares it.
    """
    file = assignment.file
    line = assignment.place.line
    if file.name is not None:
        return NotPlain(f"It is set in {file.name}, line {line}.", line, file.name)
    token = assignment.number_token(slot.owner, slot.inner)
    if token is None:
        # No number is written out. A text or type is that of one slot alone if no index is a
        # vector.
        value = assignment.value
        has_vectors = any(isinstance(index.value, tuple) for index in assignment.indices)
        is_one_token = value.first is value.last
        if not has_vectors and is_one_token and _means_value(period, value.first, value):
            token = value.first
    # A token with a comment inside cannot be replaced without losing the comment.
    if token is None or token.comment is not None:
        why = f"Line {line} sets it, with others or by a name."
        return NotPlain(why, line)
    # Without the optional index of a table even a number of its own is that of a whole row.
    if len(assignment.indices) < len(words()[slot.word].indices):
        return NotPlain(f"Line {line} sets it for all types at once.", line)
    return token


def _means_value(period: Period, token: Token, item: Item) -> bool:
    """Return whether a token is the value itself: a text, or the name or character of a type.

    ``item`` is the value that the token gave. All other tokens are names that the text defines for
    a value: they can stand elsewhere, too.
    """
    if token.kind is TokenKind.STRING:
        return isinstance(item.value, str)
    if token.value == "nothing":
        return item.value == NOTHING
    if item.kind in (UNITS, TERRAINS) and isinstance(item.value, int):
        types = period.types(item.kind)
        if 0 <= item.value < len(types):
            return token.value in (types[item.value].char, types[item.value].name)
    return False


def _line(period: Period, word: Word, slot: Slot, value: int | str) -> NewLine | NotPlain:
    """Return the line that sets a slot: value, indices and word, such as ``2 i speed``."""
    parts = [value_as_word(period, word, value)]
    if slot.inner is not None:
        parts.append(unambiguous_type_word(period, word.indices[0], slot.inner))
    if slot.owner is not None:
        parts.append(unambiguous_type_word(period, word.indices[-1], slot.owner))
    texts: list[str] = []
    for part in parts:
        if isinstance(part, NotPlain):
            return part
        texts.append(part)
    return NewLine(" ".join([*texts, word.name]))


def _append_lines(reading: Reading, lines: Sequence[str]) -> Splice | NotPlain:
    """Return the splice that puts lines at the end of the period section."""
    end = end_of_section(reading)
    if isinstance(end, NotPlain):
        return end
    return line_splice(reading.period.files[-1].text, end, lines)


def _differ_only_in(old_period: Period, new_period: Period, changes: Sequence[Change]) -> bool:
    """Return whether two periods are equal but for these slots, and those have their new values."""
    for field in ("units", "terrains", *UNCHANGED_FIELDS):
        if getattr(old_period, field) != getattr(new_period, field):
            return False
    changed_slots: dict[str, set[tuple[int, ...]]] = {}
    for change in changes:
        if value_of(new_period, change.slot) != change.value:
            return False
        changed_slots.setdefault(change.slot.word, set()).add(change.slot.array_index)
    for word in value_words():
        is_different = values_of(old_period, word.name) != values_of(new_period, word.name)
        different_slots = {tuple(index) for index in np.argwhere(is_different).tolist()}
        if not different_slots <= changed_slots.get(word.name, set()):
            return False
    return True
