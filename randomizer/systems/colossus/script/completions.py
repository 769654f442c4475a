"""Completion of the words of a script, and help on the words in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter

from randomizer.languages.language import Completion, matching
from randomizer.model.problems import split_lines
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.script.caret import Wanted, caret_at
from randomizer.systems.colossus.script.labels import Definition, definition, definitions, label_at
from randomizer.systems.colossus.script.source import source_of, word_help
from randomizer.systems.colossus.script.words import FUNCTIONS, PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import (
    COLOSSUS,
    HAZARD_OF_ALIAS,
    HAZARD_OF_LETTER,
    HEXSIDE_NAMES,
)

_SHOWN = 60
"""The number of characters of a label's list that its help shows."""

Offer = tuple[str, str, str, str]
"""Word, kind, help, and the text to insert."""


def completions(text: str, line: int, column: int) -> tuple[Completion, ...]:
    """The words that can stand before ``column`` of ``line``, both from 1.

    Words that start with the word begun there come first, then words that contain it, ignoring
    case. Labels are those defined above; hexes come last.
    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        return ()
    row = lines[line - 1]
    wanted, fragment, start = caret_at(row, column)
    if wanted is None:
        return ()
    closed = row[column - 1 :].lstrip().startswith(")")
    source = source_of(text)
    # The statement being written defines nothing yet.
    labels = definitions(source, source.offset(line, start + 1))
    offers = _offers(wanted, labels, closed)
    return matching(fragment, (Completion(*offer, len(fragment)) for offer in offers))


def _offers(wanted: Wanted, labels: Iterable[Definition], closed: bool) -> Iterator[Offer]:
    match wanted:
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
            if wanted is Wanted.HEXES_OR_HAZARDS:
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
    """The script's own labels, the last defined first, then those of the language."""
    found: dict[str, str] = {}
    for name, _start, hexes in labels:
        found.pop(name, None)
        found[name] = f"LABEL {name} = {_short(hexes)}"
    for name in reversed(found):
        yield name, "label", found[name], written.format(name)
    for name in PREDEFINED_LABELS:
        if name not in found:
            yield name, "label", word_help(name) or "", written.format(name)


def _short(hexes: str) -> str:
    return hexes if len(hexes) <= _SHOWN else f"{hexes[:_SHOWN]}…"


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
    wanted = caret_at(row, source.span(word.start_pos, word.end_pos).column).wanted
    if wanted is Wanted.HAZARD:
        name = HAZARD_OF_ALIAS.get(word, HAZARD_OF_LETTER.get(word, word))
        for terrain in COLOSSUS.terrains:
            if terrain.name == name:
                return f"{name}: {terrain.description}"
        return None
    if wanted is Wanted.HEXSIDE:
        return HEXSIDE_NAMES.get(word)
    return word_help(word)
