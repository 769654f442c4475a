"""Completion of the words of a script, and help on the words in it.

    completions("AREA in", line=1, column=8)       # (inside), ...
    help_at("AREA (inside)", line=1, column=8)     # what the label means

``RndLanguage`` passes the editor's questions on. The cursor stands in a statement that is being
written, which no parser accepts yet. ``caret_at`` therefore looks only at the tokens in front of
the cursor and tells which kind of word is expected next; ``completions`` lists the words of that
kind. Hexes and labels form lists: ``AREA D4 (inside) SOMEOF(2,(rim)) HAZARDS Bog``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from operator import itemgetter
from typing import NamedTuple

from randomizer.languages.language import Completion, matching_completions
from randomizer.model.problems import split_lines
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.script.label_definitions import (
    Definition,
    definition,
    definitions,
    label_at,
)
from randomizer.systems.colossus.script.message_texts import word_help
from randomizer.systems.colossus.script.source import Source, source_of
from randomizer.systems.colossus.script.tokens import SUBTRACT, statement_rows, tokens
from randomizer.systems.colossus.script.words import FUNCTIONS, PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import (
    COLOSSUS,
    HAZARD_OF_ALIAS,
    HAZARD_OF_LETTER,
    HEXSIDE_NAMES,
)


class Expected(Enum):
    """The kind of word that a statement expects next."""

    STATEMENT = auto()
    """The keyword of a statement."""

    HEXES = auto()
    """A hex, a label or a function."""

    HEXES_OR_HAZARDS = auto()
    """A hex, a label or a function, or HAZARDS, the keyword after the list of an AREA."""

    LABEL_NAME = auto()
    """The name between the parentheses of a label's use."""

    HAZARD = auto()
    """The name of a hazard: ``Bog``."""

    HEXSIDES_WORD = auto()
    """The keyword HEXSIDES."""

    HEXSIDE = auto()
    """The letter of a hexside: ``d``."""


class Caret(NamedTuple):
    """The cursor in the middle of a statement that is being written."""

    expected: Expected | None
    """None where nothing can be completed, as in numbers and comments."""

    fragment: str
    """The beginning of a word in front of the cursor, "" for none."""

    start: int = 0
    """The offset in the line at which the statement begins."""


def caret_at(line: str, column: int) -> Caret:
    """Return the caret before ``column`` (from 1) of ``line``; no statement spans lines."""
    written = line[: column - 1]
    # The statement that is being written, the last one before the cursor.
    rows = statement_rows(tokens(written))
    statement = []
    start = len(written)
    if rows and rows[-1]:
        statement = rows[-1]
        start = statement[0].start_pos

    # The token that the cursor touches, if any.
    last = next(reversed(list(tokens(written))), None)
    if last is None or last.end_pos < len(written):
        return Caret(_expected_after(statement), "", start)
    if last.type == "COMMENT" or last.is_open_quote or last.is_number:
        return Caret(None, "")
    if not last.is_word:
        return Caret(_expected_after(statement), "", start)
    statement.pop()
    # ``12ab`` is no word but a number with a mistake.
    if statement and statement[-1].is_number and statement[-1].touches(last):
        return Caret(None, "")
    return Caret(_expected_after(statement), str(last), start)


def _expected_after(statement: Sequence[str]) -> Expected | None:
    """Return what is expected after the tokens of an unfinished statement."""
    if not statement:
        return Expected.STATEMENT
    match statement[0]:
        case "AREA":
            return _expected_in_area(statement)
        case "STARTLIST":
            return _expected_in_list(statement[1:])
        case "LABEL" if "=" in statement:
            return _expected_in_list(statement[statement.index("=") + 1 :])
        case "PAIR":
            return _expected_in_pair(statement)
    return None


def _expected_in_area(statement: Sequence[str]) -> Expected | None:
    """Return what is expected after the beginning of an AREA: its list, HAZARDS, and hazards."""
    if "HAZARDS" in statement:
        if statement[-1] == ",":  # a number follows
            return None
        return Expected.HAZARD
    expected = _expected_in_list(statement[1:])
    is_complete = statement.count("(") == statement.count(")")
    if expected is Expected.HEXES and is_complete:
        return Expected.HEXES_OR_HAZARDS
    return expected


def _expected_in_pair(statement: Sequence[str]) -> Expected | None:
    """Return what is expected after the beginning of a PAIR: hazards, HEXSIDES, and hexsides."""
    if "HEXSIDES" in statement:
        if statement[-1] == ",":  # a number follows
            return None
        return Expected.HEXSIDE
    if statement[-1] == "(":
        return Expected.HAZARD
    has_both_ends = statement.count(")") == 2  # PAIR (Sand,0)(Plains,0)
    if statement[-1] == ")" and has_both_ends:
        return Expected.HEXSIDES_WORD
    return None


def _expected_in_list(tokens: Sequence[str]) -> Expected | None:
    """Return what is expected after ``tokens``, the beginning of a list."""
    parenthesis = _innermost_parenthesis(tokens)
    if parenthesis is None:
        return Expected.HEXES
    word_before_parenthesis = ""
    if parenthesis > 0:
        word_before_parenthesis = tokens[parenthesis - 1]
    tokens_inside = tokens[parenthesis + 1 :]
    if word_before_parenthesis not in (*FUNCTIONS, SUBTRACT):
        # The parenthesis is that of a label or of coordinates.
        if tokens_inside:
            return None
        return Expected.LABEL_NAME
    # SOMEOF begins with a number.
    is_count = word_before_parenthesis == "SOMEOF" and "," not in tokens_inside
    if is_count:
        return None
    return Expected.HEXES


def _innermost_parenthesis(tokens: Sequence[str]) -> int | None:
    """Return the index of the last parenthesis that is still open; None if there is none."""
    open_parentheses: list[int] = []
    for index, token in enumerate(tokens):
        if token == "(":
            open_parentheses.append(index)
        elif token == ")" and open_parentheses:
            open_parentheses.pop()
    if not open_parentheses:
        return None
    return open_parentheses[-1]


LONGEST_LIST = 60
"""The number of characters of a label's list that its help shows.

If it is larger, the list of completions becomes wider than the editor.
"""


class Offer(NamedTuple):
    """A word that can be completed."""

    word: str
    """The word as the list of completions shows it."""

    kind: str
    """What it is, as the list shows it: "keyword", "label"."""

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
    if caret.expected is None:
        return ()
    has_parenthesis = line_text[column - 1 :].lstrip().startswith(")")
    source = source_of(text)
    # The statement being written defines nothing yet.
    labels = definitions(source, source.offset(line, caret.start + 1))
    candidates = []
    for offer in _offers(caret.expected, labels, has_parenthesis=has_parenthesis):
        candidates.append(Completion(*offer, len(caret.fragment)))
    return matching_completions(caret.fragment, candidates)


def _offers(
    expected: Expected, labels: Iterable[Definition], *, has_parenthesis: bool
) -> Iterator[Offer]:
    """Yield all words of the expected kind.

    ``has_parenthesis``: the parenthesis that closes a label stands after the cursor already.
    """
    match expected:
        case Expected.STATEMENT:
            yield from _keywords(STATEMENTS)
        case Expected.HAZARD:
            for terrain in COLOSSUS.terrains:
                yield Offer(terrain.name, "hazard", terrain.description, terrain.name)
        case Expected.HEXSIDE:
            for letter, name in HEXSIDE_NAMES.items():
                yield Offer(letter, "hexside", name, letter)
        case Expected.HEXSIDES_WORD:
            yield from _keywords(("HEXSIDES",))
        case Expected.LABEL_NAME:
            # The opening parenthesis is written already.
            form = "{})"
            if has_parenthesis:
                form = "{}"
            yield from _labels(labels, form)
        case _:
            # Members of lists.
            if expected is Expected.HEXES_OR_HAZARDS:
                yield from _keywords(("HAZARDS",))
            yield from _labels(labels, "({})")
            for function in FUNCTIONS:
                yield Offer(function, "function", word_help(function) or "", f"{function}(")
            for (x, y), label in sorted(zip(HEXES, LABELS, strict=True), key=itemgetter(1)):
                yield Offer(label, "hex", f"Also ({x},{y})", label)


def _keywords(words: Iterable[str]) -> Iterator[Offer]:
    """Yield keywords, each with a blank after it."""
    for word in words:
        yield Offer(word, "keyword", word_help(word) or "", f"{word} ")


def _labels(labels: Iterable[Definition], form: str) -> Iterator[Offer]:
    """Yield the labels of the script, the last defined first, then those of the language.

    ``form`` is the text that is inserted, with ``{}`` for the name.
    """
    help_texts: dict[str, str] = {}
    for label in labels:
        help_texts.pop(label.name, None)  # defined again, it moves to the end
        help_texts[label.name] = _help_on_label(label)
    for name in reversed(help_texts):
        yield Offer(name, "label", help_texts[name], form.format(name))
    for name in PREDEFINED_LABELS:
        if name not in help_texts:
            yield Offer(name, "label", word_help(name) or "", form.format(name))


def _help_on_label(label: Definition) -> str:
    """Return the statement that sets a label, shortened if its list is long."""
    list_text = label.list_text
    if len(list_text) > LONGEST_LIST:
        list_text = f"{list_text[:LONGEST_LIST]}…"
    return f"LABEL {label.name} = {list_text}"


def help_at(text: str, line: int, column: int) -> str | None:
    """Return help on the word at a position; None if there is nothing to say about it.

    It can be a word of the language, a label, a hazard or a hexside.
    """
    source = source_of(text)
    word = source.word_at(line, column)
    if word is None:
        return None
    label = label_at(source, line, column)
    if label is not None:
        name, _start = label
        return _help_on_definition(source, line, column) or word_help(name)
    line_text = split_lines(text)[line - 1]
    start_column = source.span(word.start_pos, word.end_pos).column
    expected = caret_at(line_text, start_column).expected
    if expected is Expected.HAZARD:
        return _help_on_hazard(word)
    if expected is Expected.HEXSIDE:
        return HEXSIDE_NAMES.get(word)
    return word_help(word)


def _help_on_definition(source: Source, line: int, column: int) -> str | None:
    """Return the LABEL that applies to the label at a position, with its line; None for none."""
    offsets = definition(source, line, column)
    if offsets is None:
        return None
    for label in definitions(source):
        if (label.start, label.start + len(label.name)) == offsets:
            return f"{_help_on_label(label)}, line {source.span(*offsets).line}"
    return None


def _help_on_hazard(word: str) -> str | None:
    """Return the description of a hazard by its name, letter or alias; None if there is none."""
    name = HAZARD_OF_ALIAS.get(word, HAZARD_OF_LETTER.get(word, word))
    for terrain in COLOSSUS.terrains:
        if terrain.name == name:
            return f"{name}: {terrain.description}"
    return None
