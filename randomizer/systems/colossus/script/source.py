"""A script's text for parser, lint and editor: places, edits, problems, labels; its bytes."""

from __future__ import annotations

import dataclasses
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, line_starts
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import Token, label_runs, statement_rows, tokens
from randomizer.systems.colossus.script.words import LIVE_LABELS

_SIGN = re.compile(r'[()\s,="]')
_IN_WORDS = re.compile("[A-Za-z0-9._]{2}")


@registered(count=1, bytes_each=100 * KB)
@cache
def messages() -> dict[str, dict[str, dict[str, str]]]:
    """Return all sentences about the language, from ``messages.json``.

    ``problems``: code -> severity, message, fix (title of its fix, if it can have one), help, and
    perhaps other (title of another fix). ``words``: keyword, function or predefined label -> help,
    example. ``expected``: token type of the parser -> words.
    """
    file = resources.files("randomizer.systems.colossus.script").joinpath("messages.json")
    loaded: dict[str, dict[str, dict[str, str]]] = json.loads(file.read_text("utf-8"))
    return loaded


def word_help(word: str) -> str | None:
    """Help on a keyword, function or predefined label, with an example; None for other words."""
    entry = messages()["words"].get(word)
    if entry is None:
        return None
    return f"{entry['help']} For instance: {entry['example']}"


def problem_help(code: str) -> str | None:
    """Return an explanation of a problem of the language in a sentence or two; None for other
    problems.
    """
    return messages()["problems"].get(code, {}).get("help")


class Source:
    """The text of a script and the file it came from; offsets count characters from 0."""

    def __init__(self, text: str, path: str | None = None) -> None:
        self.text = text
        self.path = path
        # By the invalid name of a label, the edits that rename it: for word_mistakes.rename.
        self.renamings: dict[str, tuple[TextEdit, ...]] = {}
        self._starts = line_starts(text)

    def span(self, start: int, end: int) -> Span:
        """Return the lines and columns of the text from ``start`` up to, not including, ``end``."""
        line = bisect_right(self._starts, start)
        end_line = bisect_right(self._starts, end)
        return Span(
            line,
            start - self._starts[line - 1] + 1,
            end_line,
            end - self._starts[end_line - 1] + 1,
        )

    def offsets(self, span: Span) -> tuple[int, int]:
        """Return where ``span`` starts and ends, as offsets."""
        return (
            self._starts[span.line - 1] + span.column - 1,
            self._starts[span.end_line - 1] + span.end_column - 1,
        )

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens of the text."""
        return tuple(tokens(self.text))

    @cached_property
    def statements(self) -> list[list[Token]]:
        """The tokens of each statement, valid or not, without comments."""
        rows = statement_rows(self.tokens)
        return [[token for token in row if token.type != "COMMENT"] for row in rows]

    @cached_property
    def labels(self) -> list[tuple[int, int]]:
        """The offsets of all labels (or what stands for one) where they are defined or used."""
        return [(run[0].start_pos, run[-1].end_pos) for run in label_runs(self.tokens)]

    @cached_property
    def label_places(self) -> dict[str, list[Span]]:
        """The places where each label (or what stands for one) is defined or used."""
        places: dict[str, list[Span]] = {}
        for start, end in self.labels:
            places.setdefault(self.text[start:end], []).append(self.span(start, end))
        return places

    def offset(self, line: int, column: int) -> int | None:
        """Return the offset of a position, that of the line's end for one behind; None for no
        line.
        """
        if not 1 <= line <= len(self._starts):
            return None
        if line < len(self._starts):
            following = self._starts[line]
        else:
            following = len(self.text) + 1
        start = self._starts[line - 1]
        end = start + len(self.text[start:following].rstrip("\r\n"))
        return min(start + column - 1, end)

    def word_at(self, line: int, column: int) -> Token | None:
        """Return the word or keyword around a position, also at its start or end; None for none."""
        offset = self.offset(line, column)
        if offset is None:
            return None
        at = bisect_right(self.tokens, offset, key=_start_of)
        touching = (each for each in self.tokens[max(at - 2, 0) : at] if offset <= each.end_pos)
        return next((token for token in touching if token.is_word), None)

    def text_at(self, span: Span) -> str:
        """Return the text of a span."""
        start, end = self.offsets(span)
        return self.text[start:end]

    def numbers(self, span: Span) -> list[tuple[Span, str]]:
        """Return the numbers (and ``*``) of the hazard, hexside or range at ``span``."""
        start, end = self.offsets(span)
        first, last = (bisect_left(self.tokens, at, key=_start_of) for at in (start, end))
        return [
            (self.span(token.start_pos, token.end_pos), str(token))
            for token in self.tokens[first:last]
            if token.is_number or token.type == "STAR"
        ]

    def edit(self, start: int, end: int, replacement: str) -> TextEdit:
        """Return the edit that replaces the text from ``start`` to ``end``."""
        return replace(self.span(start, end), replacement)

    @cached_property
    def newline(self) -> str:
        """The line end of the first line; LF if there is only one line."""
        match = re.search(r"\r\n|\r|\n", self.text)
        if match:
            return match[0]
        return "\n"

    def _kept_apart(self, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
        # A tuple is from ``renamings``: computed once for thousands of places, it joins no words.
        if isinstance(edits, tuple):
            return edits
        return tuple(map(self._apart, edits))

    def _apart(self, edit: TextEdit) -> TextEdit:
        """Return the edit, with blanks where it would join words that a sign separated."""
        place = Span(edit.line, edit.column, edit.end_line, edit.end_column)
        start, end = self.offsets(place)
        gone = self.text[start:end]
        put = edit.replacement
        before = self.text[start - 1 : start]
        after = self.text[end : end + 1]
        head = _SIGN.match(gone) and _glues(before, put[:1] or after)
        tail = _SIGN.match(gone[-1:]) and put and _glues(put[-1:], after)
        if not head and not tail:
            return edit
        text = f"{' ' if head else ''}{put}{' ' if tail else ''}"
        return dataclasses.replace(edit, replacement=text)

    def problem(
        self,
        code: str,
        span: Span,
        edits: Iterable[TextEdit] = (),
        other: Iterable[TextEdit] = (),
        **fields: Any,
    ) -> Problem:
        """Return a problem with the words of ``messages.json``; ``edits`` become its fix.

        ``other`` becomes another fix. ``fields`` fill the braces of its message and titles.
        """
        entry = messages()["problems"][code]
        edits_apart = self._kept_apart(edits)
        others = self._kept_apart(other)
        return Problem(
            Severity(entry["severity"]),
            code,
            entry["message"].format(**fields),
            self.path,
            span.line,
            span.column,
            span.end_line,
            span.end_column,
            Fix(entry["fix"].format(**fields), edits_apart) if edits_apart else None,
            other_fixes=(Fix(entry["other"].format(**fields), others),) if others else (),
        )


def _start_of(token: Token) -> int:
    return token.start_pos


def _glues(before: str, after: str) -> bool:
    """Return whether two characters would be read as parts of one word."""
    return _IN_WORDS.fullmatch(before + after) is not None


@registered(bytes_each=500 * KB)
@lru_cache(1)
def source_of(text: str) -> Source:
    """Return the source of a text, cached; it must not be changed."""
    return Source(text)


def replace(span: Span, replacement: str) -> TextEdit:
    """Return the edit that replaces ``span`` with ``replacement``."""
    return TextEdit(span.line, span.column, span.end_line, span.end_column, replacement)


def insert_before(span: Span, addition: str) -> TextEdit:
    """Return the edit that inserts ``addition`` just before ``span``."""
    return TextEdit(span.line, span.column, span.line, span.column, addition)


def insert_after(span: Span, addition: str) -> TextEdit:
    """Return the edit that inserts ``addition`` just after ``span``."""
    return TextEdit(span.end_line, span.end_column, span.end_line, span.end_column, addition)


def in_order_of_text(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems in the order of the text, those without a place first."""
    return tuple(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))


LARGEST_FILE = 256 * 1024
"""In bytes. The largest script known has 3,000."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOP = Span(1, 1, 1, 1)


def decode_script(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a script file, with its line ends, and problems of its bytes.

    UTF-8, with or without a byte order mark, else Latin-1. Data that cannot be a script give "" and
    an error.
    """
    source = Source("", path)
    if len(data) > LARGEST_FILE:
        return "", (source.problem("file-too-large", _TOP, size=len(data), most=LARGEST_FILE),)
    if b"\0" in data:
        return "", (source.problem("file-is-binary", _TOP),)
    problems = []
    if data.startswith(_BYTE_ORDER_MARK):
        problems.append(source.problem("byte-order-mark", _TOP))
        data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        problems.append(source.problem("file-is-latin-1", _TOP))
        text = data.decode("latin-1")
    return text, tuple(problems)


class Definition(NamedTuple):
    """A LABEL statement: its name, the offset of the name, and the text of its list."""

    name: str
    start: int
    written: str


def definitions(source: Source, end: int | None = None) -> Iterator[Definition]:
    """Yield the LABEL statements that begin before offset ``end``, in the order of the text."""
    for row in source.statements:
        if end is not None and row[0].start_pos >= end:
            return
        if row[0].type == "LABEL":
            name = next(label_runs(row), None)
        else:
            name = None
        if name is None or name[0] is not row[1]:
            continue
        start = name[0].start_pos
        end_of_name = name[-1].end_pos
        equal = row[1 + len(name)]
        if equal.type == "EQUAL":
            hexes = source.text[equal.end_pos : row[-1].end_pos]
            yield Definition(source.text[start:end_of_name], start, hexes.strip())


def label_at(source: Source, line: int, column: int) -> tuple[str, int] | None:
    """Return the label at a cursor and the offset of its name; None where there is none."""
    offset = source.offset(line, column)
    for start, end in source.labels:
        if offset is not None and start <= offset <= end:
            return source.text[start:end], start
    return None


def definition(source: Source, line: int, column: int) -> tuple[int, int] | None:
    """Return the start and end of the name in the LABEL that applies where a label is used.

    For leftover and usedup, of the AREA that sets them. None if there is no label at the place, or
    none is defined before it.
    """
    label_place = label_at(source, line, column)
    if label_place is None:
        return None
    name, start = label_place
    above = [row for row in source.statements if row[0].start_pos <= start]
    own = above.pop()
    if name in LIVE_LABELS:
        areas = [row[0] for row in above if row[0].type == "AREA"]
        if areas:
            return (areas[-1].start_pos, areas[-1].end_pos)
        return None
    if own[0].type == "LABEL" and own[1].start_pos == start:
        return start, start + len(name)
    last = None
    for label in definitions(source, own[0].start_pos):
        if label.name == name:
            last = label.start
    if last is None:
        return None
    return (last, last + len(name))
