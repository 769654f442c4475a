"""Labels for an editor: definition, references and renaming.

It reads the text without the grammar, so it works on unfinished scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from randomizer.model.problems import Fix, error
from randomizer.systems.colossus.script.source import Source, replace, source_of
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import label_runs
from randomizer.systems.colossus.script.words import (
    LIVE_LABELS,
    PREDEFINED_LABELS,
    Position,
    WordKind,
    fits,
    is_word,
    kind_of,
)


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
            hexes = source.code[equal.end_pos : row[-1].end_pos]
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


def references(text: str, line: int, column: int) -> tuple[Span, ...]:
    """The places that define or use the label at a cursor, in the order of the text."""
    source = source_of(text)
    found = label_at(source, line, column)
    return () if found is None else tuple(source.label_places[found[0]])


def rename(text: str, line: int, column: int, new_name: str) -> Fix:
    """The edits that rename the label at a cursor everywhere; the maps stay the same.

    Raises ProblemError if there is no label, for labels of the language, and for names that are
    invalid or in use.
    """
    source = source_of(text)
    found = label_at(source, line, column)
    if found is None:
        raise error("rename-no-label", "no label stands here")
    name = found[0]
    if name in PREDEFINED_LABELS:
        raise error("rename-predefined", f"{name} is a label of the language and keeps its name")
    if not is_word(new_name):
        words = "a name is letters, digits, dots and underlines, and no digit first"
        raise error("rename-illegal", words)
    if not fits(new_name, Position.LABEL) or kind_of(new_name) is WordKind.SMALL_LETTER:
        why = {
            WordKind.HEX: "is a hex",
            WordKind.KEYWORD: "is a keyword",
            WordKind.LIVE_LABEL: "is set by every AREA",
        }.get(kind_of(new_name), "is too short: a name has at least two characters")
        raise error("rename-illegal", f"{new_name} {why}")
    if new_name != name and (new_name in source.label_places or new_name in PREDEFINED_LABELS):
        raise error("rename-taken", f"there is a label {new_name} already")
    edits = tuple(replace(place, new_name) for place in source.label_places[name])
    return Fix(f"Rename {name} to {new_name}", edits)
