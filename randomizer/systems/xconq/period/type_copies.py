"""One more type in the text of a period, as a copy of another.

The document advises it: "introduce a new type as a slight modification of an existing type, then
share most of the definitions". A copy is defined behind all types of its kind, so that the codes of
painted cells and the numbers of unit types stay; the text only gets more lines. Example::

    text = copy_type(text, UNITS, tanks, TypeTexts("T", "heavy", "slow"), {Slot("speed", new): 2})

Where a text cannot be changed so, a ``NotPlain`` with the reason is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.changed_types import (
    TypeTexts,
    checked_text,
    fault_in,
    new_problem,
)
from randomizer.systems.xconq.period.period import Period, value_words
from randomizer.systems.xconq.period.reading import Reading, read_traced, reading_of
from randomizer.systems.xconq.period.slots import Slot, Values, values_of
from randomizer.systems.xconq.period.text_splices import (
    NotPlain,
    end_of_section,
    line_splice,
    splice_text,
)
from randomizer.systems.xconq.period.value_lines import value_lines
from randomizer.systems.xconq.period.words import TERRAINS, UNITS, Word

DEFINERS = {UNITS: "utype", TERRAINS: "ttype"}
"""The word that defines a type of each kind that can be copied."""

NO_VALUES: Mapping[Slot, int | str] = {}


def copy_type(
    text: str,
    kind: str,
    original: int,
    texts: TypeTexts,
    values: Mapping[Slot, int | str] = NO_VALUES,
    further: Mapping[str, str] = NO_TEXTS,
) -> str | NotPlain:
    """Return the text with one more type, like ``original`` of its kind, or why that cannot be.

    ``kind`` is UNITS or TERRAINS. ``values`` are those in which the new type differs from the
    original; their slots have the number of the new type, which is the present number of types. The
    definition stands behind the last of its kind and each value behind those of the original, if
    the text then reads as it did; else all stands together at the end of the period.
    """
    reading = reading_of(text, None, further)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    fault = fault_in(texts)
    if fault is not None:
        return fault
    end = end_of_section(reading)
    if isinstance(end, NotPlain):
        return end

    # The values of all types, with those of the new one: the original's, but for the given ones.
    new_values = {}
    for word in value_words():
        new_values[word.name] = _values_with_copy(reading.period, word, kind, original)
    for slot, value in values.items():
        new_values[slot.word][slot.type_numbers] = value
    copy = _Copy(
        reading=reading,
        kind=kind,
        original=original,
        texts=texts,
        values=new_values,
        further=further,
    )

    # Scattered behind what is there, if the text then reads right; else all at the end.
    last_definition = reading.types[kind][-1]
    if last_definition.file.name is None:
        offset = _next_line(last_definition.file.text, last_definition.token.end)
        result = copy.write(offset, _Placement.SCATTERED)
        if isinstance(result, str):
            return result
    return copy.write(end, _Placement.TOGETHER)


def _values_with_copy(period: Period, word: Word, kind: str, original: int) -> Values:
    """Return the values of a word with one more type of a kind, which has those of ``original``."""
    values = values_of(period, word)
    # ``3 plains infantry moves``: the unit is the last index in a text, but the first axis.
    for axis, index_kind in enumerate(reversed(word.indices)):
        if index_kind == kind:
            values = np.concatenate((values, values.take([original], axis)), axis)
    return values.copy()


class _Placement(Enum):
    """Where the lines of a new type stand."""

    SCATTERED = auto()
    """The definition behind the last of its kind, each value behind those of the original type."""

    TOGETHER = auto()
    """All at the end of the period, under a comment."""


class _Insertion(NamedTuple):
    """Lines that are put into a text."""

    offset: int
    """The offset of the line before which they are put."""

    lines: tuple[str, ...]


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

    def write(self, offset: int, placement: _Placement) -> str | NotPlain:
        """Return the text with the definition at an offset, or what stands against that."""
        definition = _Insertion(offset, self._definition_lines(placement))
        # Only a reading of the text with the definition tells which values have to be set at all:
        # the period may set some for all types that there are.
        reading_with_type = read_traced(self._insert([definition]), None, self.further)
        problem = new_problem(self.reading, reading_with_type)
        if problem is not None:
            return problem

        values = self._value_insertions(reading_with_type, offset, placement)
        new_types = (*self.reading.period.types(self.kind), self.texts)
        text = self._insert([definition, *values])
        return checked_text(text, self.reading, self.kind, new_types, self.values, self.further)

    def _definition_lines(self, placement: _Placement) -> tuple[str, ...]:
        """Return the lines of the definition, with a comment if all stands together."""
        quoted = " ".join(f'"{text}"' for text in self.texts)
        definition = f"{quoted} {DEFINERS[self.kind]}"
        if placement is _Placement.SCATTERED:
            return (definition,)
        original_name = self.reading.period.types(self.kind)[self.original].name
        return ("", f"; {self.texts.name}: as {original_name}", definition)

    def _value_insertions(
        self, reading_with_type: Reading, offset: int, placement: _Placement
    ) -> list[_Insertion]:
        """Return the lines that set the values of the new type, which is defined at ``offset``."""
        insertions = []
        for word in value_words():
            lines = value_lines(reading_with_type, word, self.values[word.name], self.kind)
            value_offset = offset
            if placement is _Placement.SCATTERED:
                # Not before the definition, whose words stand in the lines.
                value_offset = max(offset, self._offset_behind_values(word))
            insertions.append(_Insertion(value_offset, tuple(lines)))
        return insertions

    def _offset_behind_values(self, word: Word) -> int:
        """Return the offset of the line behind the last one that sets a value of the original type.

        0, the start of the text, if none does in the period's own text.
        """
        offset = 0
        for assignment in self.reading.period.assignments:
            if assignment.word != word.name or assignment.file.name is not None:
                continue
            kinds = word.last_indices(len(assignment.indices))
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


def _next_line(text: str, offset: int) -> int:
    """Return the offset of the line behind that of an offset, the end of the text for the last."""
    line_end = text.find("\n", offset)
    if line_end < 0:
        return len(text)
    return line_end + 1
