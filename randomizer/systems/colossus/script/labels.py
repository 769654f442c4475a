"""Labels for an editor: where they are defined.

It reads the text without the grammar, so it works on unfinished scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from randomizer.systems.colossus.script.source import Source
from randomizer.systems.colossus.script.tokens import label_runs
from randomizer.systems.colossus.script.words import LIVE_LABELS


class Definition(NamedTuple):
    """A LABEL statement: its name, the offset of the name, and the text of its list."""

    name: str
    start: int
    written: str


def definitions(source: Source, end: int | None = None) -> Iterator[Definition]:
    """The LABEL statements that begin before offset ``end``, in the order of the text."""
    for row in source.statements:
        if end is not None and row[0].start_pos >= end:
            return
        name = next(label_runs(row), None) if row[0].type == "LABEL" else None
        if name is None or name[0] is not row[1]:
            continue
        start, end_of_name = name[0].start_pos, name[-1].end_pos
        equal = row[1 + len(name)]
        if equal.type == "EQUAL":
            hexes = source.text[equal.end_pos : row[-1].end_pos]
            yield Definition(source.text[start:end_of_name], start, hexes.strip())


def label_at(source: Source, line: int, column: int) -> tuple[str, int] | None:
    """The label at a cursor and the offset of its name; None where there is none."""
    offset = source.offset(line, column)
    for start, end in source.labels:
        if offset is not None and start <= offset <= end:
            return source.text[start:end], start
    return None


def definition(source: Source, line: int, column: int) -> tuple[int, int] | None:
    """The start and end of the name in the LABEL that applies where a label is used.

    For leftover and usedup, of the AREA that sets them. None if there is no label at the place, or
    none is defined before it.
    """
    found = label_at(source, line, column)
    if found is None:
        return None
    name, start = found
    above = [row for row in source.statements if row[0].start_pos <= start]
    own = above.pop()
    if name in LIVE_LABELS:
        areas = [row[0] for row in above if row[0].type == "AREA"]
        return (areas[-1].start_pos, areas[-1].end_pos) if areas else None
    if own[0].type == "LABEL" and own[1].start_pos == start:
        return start, start + len(name)
    last = None
    for label in definitions(source, own[0].start_pos):
        if label.name == name:
            last = label.start
    return None if last is None else (last, last + len(name))
