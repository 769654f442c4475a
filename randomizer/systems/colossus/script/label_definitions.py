"""Definitions of labels of a script: LABEL statements, and AREAs for leftover and usedup.

    source = Source("LABEL hill = A1 A2\nAREA (hill) HAZARDS Plains,2\n")
    definition(source, line=2, column=7)     # (6, 10): the offsets of "hill" in the first line

A label means the list of the last definition before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.tokens import Token, label_runs
from randomizer.systems.colossus.script.words import LIVE_LABELS


class Definition(NamedTuple):
    """A LABEL statement."""

    name: str

    start: int
    """The offset of the name."""

    list_text: str


def definitions(source: Source, end: int | None = None) -> Iterator[Definition]:
    """Yield the LABEL statements that begin before offset ``end``, in the order of the text."""
    for row in source.statements:
        if end is not None and row[0].start_pos >= end:
            return
        if row[0].type != "LABEL":
            continue
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


def label_at(source: Source, line: int, column: int) -> tuple[str, int] | None:
    """Return the label at a position and the offset of its name; None if there is no label."""
    offset = source.offset(line, column)
    if offset is None:
        return None
    for start, end in source.labels:
        if start <= offset <= end:
            return source.text[start:end], start
    return None


def definition(source: Source, line: int, column: int) -> tuple[int, int] | None:
    """Return the start and end of the name in the LABEL that applies to the label at a position.

    For leftover and usedup, those of the keyword of the AREA that sets them. None if there is no
    label at the position, or if none is defined before it.
    """
    label = label_at(source, line, column)
    if label is None:
        return None
    name, start = label
    # The last statement that begins before the label is the one that it is in.
    *preceding_statements, statement = [
        row for row in source.statements if row[0].start_pos <= start
    ]
    if name in LIVE_LABELS:
        return _last_area(preceding_statements)
    is_defined_here = statement[0].type == "LABEL" and statement[1].start_pos == start
    if is_defined_here:
        return start, start + len(name)
    last_start = None
    for candidate in definitions(source, statement[0].start_pos):
        if candidate.name == name:
            last_start = candidate.start
    if last_start is None:
        return None
    return last_start, last_start + len(name)


def _last_area(statements: Sequence[Sequence[Token]]) -> tuple[int, int] | None:
    """Return the start and end of the keyword of the last AREA; None if there is none."""
    for statement in reversed(statements):
        keyword = statement[0]
        if keyword.type == "AREA":
            return keyword.start_pos, keyword.end_pos
    return None
