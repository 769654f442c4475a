"""Completion of the words of a script, and help on the words in it.

    completions("AREA in", line=1, column=8)       # (inside), ...
    help_at("AREA (inside)", line=1, column=8)     # what the label means

``RndLanguage`` passes the editor's questions on. ``caret_at`` tells which kind of word is expected
at the cursor; this module knows the words of each kind, with a sentence of help for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

from randomizer.languages.language import Completion, matching_completions
from randomizer.model.problems import split_lines
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.script.caret import Expected, caret_at
from randomizer.systems.colossus.script.label_definitions import (
    Definition,
    definitions,
    label_at,
    statement_of_label,
)
from randomizer.systems.colossus.script.message_texts import word_help
from randomizer.systems.colossus.script.source import source_of
from randomizer.systems.colossus.script.words import FUNCTIONS, PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import (
    COLOSSUS,
    HAZARD_OF_ALIAS,
    HAZARD_OF_LETTER,
    HEXSIDE_NAMES,
)

LONGEST_LIST = 60
"""The number of characters of a label's list that its help shows.

If it were larger, the list of completions would become wider than the editor.
"""


class Offer(NamedTuple):
    """A word that can be completed."""

    word: str
    """The word as the list of completions shows it."""

    kind: str
    """The kind of word, as the list shows it: "keyword", "label"."""

    help: str
    """The sentence that explains it, "" for none."""

    inserted_text: str
    """The text that replaces the fragment in front of the cursor."""


def completions(text: str, line: int, column: int) -> tuple[Completion, ...]:
    """Return the words that can stand before ``column`` of ``line``, both from 1.

    Words that start with the fragment in front of the cursor come first, then words that contain
    it, ignoring case. Labels are those defined above; hexes come last.
    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines):
        return ()
    line_text = lines[line - 1]
    caret = caret_at(line_text, column)
    if caret.expected is None or caret.start is None:
        return ()
    is_closed_already = line_text[column - 1 :].lstrip().startswith(")")
    source = source_of(text)
    # The statement being written defines nothing yet.
    labels = definitions(source, source.offset_at(line, caret.start + 1))
    candidates = []
    for offer in _offers(caret.expected, labels, is_closed_already=is_closed_already):
        candidate = Completion(
            word=offer.word,
            kind=offer.kind,
            help=offer.help,
            text=offer.inserted_text,
            replaces=len(caret.fragment),
        )
        candidates.append(candidate)
    return matching_completions(caret.fragment, candidates)


def _offers(
    expected: Expected, labels: Iterable[Definition], *, is_closed_already: bool
) -> Iterator[Offer]:
    """Yield all words of the expected kind.

    ``is_closed_already``: the parenthesis that closes a label stands after the cursor.
    """
    match expected:
        case Expected.STATEMENT:
            yield from _keyword_offers(STATEMENTS)
        case Expected.HAZARD:
            for terrain in COLOSSUS.terrains:
                yield Offer(terrain.name, "hazard", terrain.description, terrain.name)
        case Expected.HEXSIDE:
            for letter, name in HEXSIDE_NAMES.items():
                yield Offer(letter, "hexside", name, letter)
        case Expected.HEXSIDES_WORD:
            yield from _keyword_offers(("HEXSIDES",))
        case Expected.LABEL_NAME:
            # The opening parenthesis is written already.
            if is_closed_already:
                yield from _label_offers(labels)
            else:
                yield from _label_offers(labels, suffix=")")
        case Expected.HEXES | Expected.HEXES_OR_HAZARDS:
            if expected is Expected.HEXES_OR_HAZARDS:
                yield from _keyword_offers(("HAZARDS",))
            yield from _label_offers(labels, prefix="(", suffix=")")
            for function in FUNCTIONS:
                yield Offer(function, "function", word_help(function) or "", f"{function}(")
            for (x, y), label in sorted(zip(HEXES, LABELS, strict=True), key=itemgetter(1)):
                yield Offer(label, "hex", f"Also ({x},{y})", label)


def _keyword_offers(words: Iterable[str]) -> Iterator[Offer]:
    """Yield keywords, each with a blank after it."""
    for word in words:
        yield Offer(word, "keyword", word_help(word) or "", f"{word} ")


def _label_offers(
    labels: Iterable[Definition], *, prefix: str = "", suffix: str = ""
) -> Iterator[Offer]:
    """Yield the labels of the script, then those of the language.

    The last defined comes first, as it is the one most likely meant. ``prefix`` and ``suffix`` are
    inserted around the name.
    """
    help_texts: dict[str, str] = {}
    for label in labels:
        help_texts.pop(label.name, None)  # defined again, it moves to the end
        help_texts[label.name] = _help_on_label(label)
    for name in reversed(help_texts):
        yield Offer(name, "label", help_texts[name], f"{prefix}{name}{suffix}")
    for name in PREDEFINED_LABELS:
        if name not in help_texts:
            yield Offer(name, "label", word_help(name) or "", f"{prefix}{name}{suffix}")


def _help_on_label(label: Definition) -> str:
    """Return the statement that sets a label, shortened if its list is long."""
    list_text = label.list_text
    if len(list_text) > LONGEST_LIST:
        list_text = f"{list_text[:LONGEST_LIST]}…"
    return f"LABEL {label.name} = {list_text}"


def help_at(text: str, line: int, column: int) -> str | None:
    """Return help on the word at a position; None if there is nothing to say about it.

    The word can be one of the language, a label, a hazard or a hexside. Hazards and hexsides are
    recognised by their position.
    """
    source = source_of(text)
    word = source.word_at(line, column)
    if word is None:
        return None
    label = label_at(source, line, column)
    if label is not None:
        label_statement = statement_of_label(source, label)
        if label_statement is None:
            return word_help(label.name)
        label_line = source.span(*label_statement.offsets).line
        return f"{_help_on_label(label_statement)}, line {label_line}"
    line_text = split_lines(text)[line - 1]
    start_column = source.span(word.start_pos, word.end_pos).column
    expected = caret_at(line_text, start_column).expected
    if expected is Expected.HAZARD:
        return _help_on_hazard(word)
    if expected is Expected.HEXSIDE:
        return HEXSIDE_NAMES.get(word)
    return word_help(word)


def _help_on_hazard(word: str) -> str | None:
    """Return the description of a hazard by its name, letter or alias; None if there is none."""
    name = HAZARD_OF_ALIAS.get(word, HAZARD_OF_LETTER.get(word, word))
    for terrain in COLOSSUS.terrains:
        if terrain.name == name:
            return f"{name}: {terrain.description}"
    return None
