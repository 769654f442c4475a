"""Completion of the words of a script, and help on the words in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from operator import itemgetter
from typing import NamedTuple

from randomizer.languages.language import Completion, matching_completions
from randomizer.model.problems import split_lines
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.script.source import (
    Definition,
    definition,
    definitions,
    label_at,
    source_of,
    word_help,
)
from randomizer.systems.colossus.script.tokens import SUBTRACT, statement_rows, tokens
from randomizer.systems.colossus.script.words import FUNCTIONS, PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import (
    COLOSSUS,
    HAZARD_OF_ALIAS,
    HAZARD_OF_LETTER,
    HEXSIDE_NAMES,
)


class Wanted(Enum):
    """What is expected at a place."""

    STATEMENT = auto()
    HEXES = auto()
    HEXES_OR_HAZARDS = auto()  # in the list of an AREA, which could end here
    LABEL_NAME = auto()  # between the parentheses of a label's use
    HAZARD = auto()
    HEXSIDES_WORD = auto()
    HEXSIDE = auto()


class Caret(NamedTuple):
    """What is expected at the cursor (None: unknown), and the word begun there.

    ``start`` is the offset in the line at which the statement begins.
    """

    expected: Wanted | None
    fragment: str
    start: int = 0


def caret_at(line: str, column: int) -> Caret:
    """Return the caret before ``column`` (from 1) of ``line``; no statement spans lines."""
    before = line[: column - 1]
    row = (statement_rows(tokens(before)) or [[]])[-1]
    start = row[0].start_pos if row else len(before)
    last = next(reversed(list(tokens(before))), None)
    fragment = ""
    if last is not None and last.end_pos == len(before):
        if last.type == "COMMENT" or last.is_open_quote or last.is_number:
            return Caret(None, "")
        if last.is_word:
            fragment = str(row.pop())
            if row and row[-1].is_number and row[-1].touches(last):
                return Caret(None, "")
    return Caret(_wanted(row), fragment, start)


def _wanted(row: Sequence[str]) -> Wanted | None:
    match row[0] if row else "":
        case "":
            return Wanted.STATEMENT
        case "AREA" if "HAZARDS" in row:
            return None if row[-1] == "," else Wanted.HAZARD
        case "AREA":
            expected = _in_list(row[1:])
            if expected is Wanted.HEXES and _flat(row):
                return Wanted.HEXES_OR_HAZARDS
            return expected
        case "STARTLIST":
            return _in_list(row[1:])
        case "LABEL" if "=" in row:
            return _in_list(row[row.index("=") + 1 :])
        case "PAIR":
            return _in_pair(row)
    return None


def _in_pair(row: Sequence[str]) -> Wanted | None:
    if "HEXSIDES" in row:
        return None if row[-1] == "," else Wanted.HEXSIDE
    if row[-1] == "(":
        return Wanted.HAZARD
    if row[-1] == ")" and row.count(")") == 2:
        return Wanted.HEXSIDES_WORD
    return None


def _flat(row: Sequence[str]) -> bool:
    return row.count("(") == row.count(")")


def _in_list(tokens: Sequence[str]) -> Wanted | None:
    """Return what is expected after ``tokens``, the beginning of a list."""
    open_by = list(_open_parentheses(tokens))
    function, inside = open_by[-1] if open_by else ("list", [])
    if not function:  # of a label or of coordinates
        return None if inside else Wanted.LABEL_NAME
    if function == "SOMEOF" and "," not in inside:
        return None  # the count of SOMEOF
    return Wanted.HEXES


def _open_parentheses(tokens: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """For every open parenthesis: the function before it, else "", and the tokens inside."""
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token == "(":
            opened.append(at)
        elif token == ")" and opened:
            opened.pop()
    for at in opened:
        before = tokens[at - 1] if at else ""
        yield before if before in (*FUNCTIONS, SUBTRACT) else "", tokens[at + 1 :]


_SHOWN = 60
"""The number of characters of a label's list that its help shows."""

Offer = tuple[str, str, str, str]
"""Word, kind, help, and the text to insert."""


def completions(text: str, line: int, column: int) -> tuple[Completion, ...]:
    """Return the words that can stand before ``column`` of ``line``, both from 1.

    Words that start with the word begun there come first, then words that contain it, ignoring
    case. Labels are those defined above; hexes come last.
    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        return ()
    row = lines[line - 1]
    expected, fragment, start = caret_at(row, column)
    if expected is None:
        return ()
    closed = row[column - 1 :].lstrip().startswith(")")
    source = source_of(text)
    # The statement being written defines nothing yet.
    labels = definitions(source, source.offset(line, start + 1))
    offers = _offers(expected, labels, closed)
    return matching_completions(fragment, (Completion(*offer, len(fragment)) for offer in offers))


def _offers(expected: Wanted, labels: Iterable[Definition], closed: bool) -> Iterator[Offer]:
    match expected:
        case Wanted.STATEMENT:
            yield from _keywords(STATEMENTS)
        case Wanted.HAZARD:
            for terrain in COLOSSUS.terrains:
                yield terrain.name, "hazard", terrain.description, terrain.name
        case Wanted.HEXSIDE:
            for letter, name in HEXSIDE_NAMES.items():
                yield letter, "hexside", name, letter
        case Wanted.HEXSIDES_WORD:
            yield from _keywords(("HEXSIDES",))
        case Wanted.LABEL_NAME:
            yield from _labels(labels, "{}" if closed else "{})")
        case _:
            if expected is Wanted.HEXES_OR_HAZARDS:
                yield from _keywords(("HAZARDS",))
            yield from _labels(labels, "({})")
            for function in FUNCTIONS:
                yield function, "function", word_help(function) or "", f"{function}("
            for (x, y), label in sorted(zip(HEXES, LABELS, strict=True), key=itemgetter(1)):
                yield label, "hex", f"Also ({x},{y})", label


def _keywords(words: Iterable[str]) -> Iterator[Offer]:
    for word in words:
        yield word, "keyword", word_help(word) or "", f"{word} "


def _labels(labels: Iterable[Definition], written: str) -> Iterator[Offer]:
    """Yield the script's own labels, the last defined first, then those of the language."""
    labels_before: dict[str, str] = {}
    for name, _start, hexes in labels:
        labels_before.pop(name, None)
        labels_before[name] = f"LABEL {name} = {_short(hexes)}"
    for name in reversed(labels_before):
        yield name, "label", labels_before[name], written.format(name)
    for name in PREDEFINED_LABELS:
        if name not in labels_before:
            yield name, "label", word_help(name) or "", written.format(name)


def _short(hexes: str) -> str:
    if len(hexes) <= _SHOWN:
        return hexes
    return f"{hexes[:_SHOWN]}…"


def help_at(text: str, line: int, column: int) -> str | None:
    """Help on the word at a place: a word of the language, a label, a hazard or a hexside."""
    source = source_of(text)
    word = source.word_at(line, column)
    if word is None:
        return None
    label = label_at(source, line, column)
    if label is not None:
        place = definition(source, line, column)
        for name, start, hexes in definitions(source) if place is not None else ():
            if (start, start + len(name)) == place:
                return f"LABEL {name} = {_short(hexes)}, line {source.span(*place).line}"
        return word_help(label[0])
    row = split_lines(text)[line - 1]
    expected = caret_at(row, source.span(word.start_pos, word.end_pos).column).expected
    if expected is Wanted.HAZARD:
        name = HAZARD_OF_ALIAS.get(word, HAZARD_OF_LETTER.get(word, word))
        for terrain in COLOSSUS.terrains:
            if terrain.name == name:
                return f"{name}: {terrain.description}"
        return None
    if expected is Wanted.HEXSIDE:
        return HEXSIDE_NAMES.get(word)
    return word_help(word)
