r"""Definitions of labels of a script: LABEL statements, and AREAs for leftover and usedup.

    source = Source("LABEL hill = A1 A2\nAREA (hill) HAZARDS Plains,2\n")
    definition(source, line=2, column=7)     # (6, 10): the offsets of "hill" in the first line

A label means the list of the last definition before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from randomizer.systems.colossus.script.source import Source, TextSpan
from randomizer.systems.colossus.script.tokens import Token, label_runs
from randomizer.systems.colossus.script.words import LIVE_LABELS


class Definition(NamedTuple):
    """A LABEL statement."""

    name: str

    start: int
    """The offset of the name."""

    list_text: str

    @property
    def offsets(self) -> TextSpan:
        """The offsets of the name."""
        return TextSpan(self.start, self.start + len(self.name))


def definitions(source: Source, end: int | None = None) -> Iterator[Definition]:
    """Yield the LABEL statements that begin before offset ``end``, in the order of the text."""
    for row in source.statements:
        if end is not None and row[0].start_pos >= end:
            return
        if row[0].type != "LABEL":
            continue
        # A row is for instance LABEL, north, -, hill, =, A1, A2: a name of three tokens.
        name_tokens = next(label_runs(row), None)
        if name_tokens is None or name_tokens[0] is not row[1]:
            continue  # the first label is in the list: the name is missing
        # Behind a name that has no equal sign nothing is a run of labels, so there is this token.
        equal_sign = row[1 + len(name_tokens)]
        if equal_sign.type != "EQUAL":
            continue
        start = name_tokens[0].start_pos
        name = source.text[start : name_tokens[-1].end_pos]
        list_text = source.text[equal_sign.end_pos : row[-1].end_pos]
        yield Definition(name, start, list_text.strip())


class LabelPlace(NamedTuple):
    """A label where it is defined or used."""

    name: str

    offsets: TextSpan


def label_at(source: Source, line: int, column: int) -> LabelPlace | None:
    """Return the label at a position; None if there is none."""
    offset = source.offset_at(line, column)
    if offset is None:
        return None
    for offsets in source.label_offsets:
        if offsets.start <= offset <= offsets.end:
            return LabelPlace(source.text[offsets.start : offsets.end], offsets)
    return None


def definition(source: Source, line: int, column: int) -> TextSpan | None:
    """Return the offsets of the name in the LABEL that applies to the label at a position.

    For leftover and usedup, those of the keyword of the AREA that sets them. None if there is no
    label at the position, or if none is defined before it.
    """
    label = label_at(source, line, column)
    if label is None:
        return None
    if label.name in LIVE_LABELS:
        return _last_area(_statements_up_to(source, label)[:-1])
    if _is_defined_by_its_statement(source, label):
        return label.offsets
    label_statement = statement_of_label(source, label)
    if label_statement is None:
        return None
    return label_statement.offsets


def statement_of_label(source: Source, label: LabelPlace) -> Definition | None:
    """Return the LABEL that applies to a label; of its own name the one that it stands in.

    None if there is none before it, as for leftover and usedup, which AREAs set.
    """
    own_statement = _statements_up_to(source, label)[-1]
    end = own_statement[0].start_pos
    if _is_defined_by_its_statement(source, label):
        end = label.offsets.end
    found = None
    for candidate in definitions(source, end):
        if candidate.name == label.name:
            found = candidate
    return found


def _is_defined_by_its_statement(source: Source, label: LabelPlace) -> bool:
    """Return whether a label is the name in a LABEL statement."""
    statement = _statements_up_to(source, label)[-1]
    return statement[0].type == "LABEL" and statement[1].start_pos == label.offsets.start


def _statements_up_to(source: Source, label: LabelPlace) -> Sequence[Sequence[Token]]:
    """Return the statements that begin before a label: at least the one that it is in, the last."""
    return [row for row in source.statements if row[0].start_pos <= label.offsets.start]


def _last_area(statements: Sequence[Sequence[Token]]) -> TextSpan | None:
    """Return the offsets of the keyword of the last AREA; None if there is none."""
    for statement in reversed(statements):
        keyword = statement[0]
        if keyword.type == "AREA":
            return TextSpan(keyword.start_pos, keyword.end_pos)
    return None
