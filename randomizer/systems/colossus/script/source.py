"""The text of a script for parser, lint and editor: its spans, edits, problems and labels.

    source = Source("TOWER\nTITLE Hill", "hill.rnd")
    span = source.span(6, 11)                          # of TITLE: line 2, columns 1 to 5
    problem = source.problem("set-again", span, [replace(span, "")], keyword="TITLE", line=9)

``decode_script`` reads the text from the bytes of a file.
"""

from __future__ import annotations

import dataclasses
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, line_starts
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import Token, label_runs, statement_rows, tokens
from randomizer.systems.colossus.script.words import LIVE_LABELS

_SEPARATOR = re.compile(r'[()\s,="]')
_TWO_WORD_CHARACTERS = re.compile("[A-Za-z0-9._]{2}")


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
    """Return help on a keyword, function or predefined label, with an example.

    None for other words.
    """
    entry = messages()["words"].get(word)
    if entry is None:
        return None
    return f"{entry['help']} For instance: {entry['example']}"


def problem_help(code: str) -> str | None:
    """Return a sentence or two about a problem of the language; None for other problems."""
    return messages()["problems"].get(code, {}).get("help")


class Source:
    """The text of a script and the file it came from; offsets count characters from 0."""

    def __init__(self, text: str, path: str | None = None) -> None:
        self.text = text
        self.path = path
        # By the invalid name of a label the edits that rename it: ``word_mistakes.rename`` keeps
        # them here.
        self.renamings: dict[str, tuple[TextEdit, ...]] = {}
        self._starts = line_starts(text)

    def span(self, start: int, end: int) -> Span:
        """Return the lines and columns of the text from ``start`` up to, not including, ``end``."""
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        end_line = bisect_right(self._starts, end)
        end_column = end - self._starts[end_line - 1] + 1
        return Span(line, column, end_line, end_column)

    def offsets(self, span: Span) -> tuple[int, int]:
        """Return the offsets of the start and of the end of ``span``."""
        start = self._starts[span.line - 1] + span.column - 1
        end = self._starts[span.end_line - 1] + span.end_column - 1
        return start, end

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
        """The start and end of every label where it is defined or used, also of an invalid one."""
        return [(run[0].start_pos, run[-1].end_pos) for run in label_runs(self.tokens)]

    @cached_property
    def label_places(self) -> dict[str, list[Span]]:
        """By its text the spans where each label, also an invalid one, is defined or used."""
        spans: dict[str, list[Span]] = {}
        for start, end in self.labels:
            spans.setdefault(self.text[start:end], []).append(self.span(start, end))
        return spans

    def offset(self, line: int, column: int) -> int | None:
        """Return the offset of a position; None if the text has no such line.

        Columns after the end of the line give the offset of its end.
        """
        if not 1 <= line <= len(self._starts):
            return None
        start = self._starts[line - 1]
        start_of_next_line = None
        if line < len(self._starts):
            start_of_next_line = self._starts[line]
        text_of_line = self.text[start:start_of_next_line].rstrip("\r\n")
        return start + min(column - 1, len(text_of_line))

    def word_at(self, line: int, column: int) -> Token | None:
        """Return the word or keyword around a position, or that starts or ends there.

        None if there is none. Of two words that touch there, the first is returned.
        """
        offset = self.offset(line, column)
        if offset is None:
            return None
        # At most two tokens can touch a position: one that ends and one that starts there.
        count = bisect_right(self.tokens, offset, key=_start_of)
        for token in self.tokens[max(count - 2, 0) : count]:
            if token.is_word and offset <= token.end_pos:
                return token
        return None

    def text_at(self, span: Span) -> str:
        """Return the text of a span."""
        start, end = self.offsets(span)
        return self.text[start:end]

    def numbers(self, span: Span) -> list[tuple[Span, str]]:
        """Return the numbers (and ``*``) in ``span``, each with its own span."""
        start, end = self.offsets(span)
        first = bisect_left(self.tokens, start, key=_start_of)
        behind_last = bisect_left(self.tokens, end, key=_start_of)
        numbers = []
        for token in self.tokens[first:behind_last]:
            if token.is_number or token.type == "STAR":
                numbers.append((self.span(token.start_pos, token.end_pos), str(token)))
        return numbers

    def edit(self, start: int, end: int, replacement: str) -> TextEdit:
        """Return the edit that replaces the text from ``start`` to ``end``."""
        return replace(self.span(start, end), replacement)

    @cached_property
    def newline(self) -> str:
        """The line end of the first line; LF if there is only one line."""
        line_end = re.search(r"\r\n|\r|\n", self.text)
        if line_end is None:
            return "\n"
        return line_end[0]

    def problem(
        self,
        code: str,
        span: Span,
        edits: Iterable[TextEdit] = (),
        other_edits: Iterable[TextEdit] = (),
        **fields: Any,
    ) -> Problem:
        """Return a problem with the words of ``messages.json``.

        ``edits`` become its fix, ``other_edits`` another one; without edits there is none.
        ``fields`` fill the braces of its message and of the titles of its fixes.
        """
        entry = messages()["problems"][code]
        fix = None
        separated_edits = self._separated_edits(edits)
        if separated_edits:
            fix = Fix(entry["fix"].format(**fields), separated_edits)
        other_fixes: tuple[Fix, ...] = ()
        separated_other_edits = self._separated_edits(other_edits)
        if separated_other_edits:
            other_fixes = (Fix(entry["other"].format(**fields), separated_other_edits),)
        return Problem(
            Severity(entry["severity"]),
            code,
            entry["message"].format(**fields),
            self.path,
            span.line,
            span.column,
            span.end_line,
            span.end_column,
            fix,
            other_fixes=other_fixes,
        )

    def _separated_edits(self, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
        """Return the edits with blanks where they would join words."""
        # A tuple is one of ``renamings``. These join no words, and one of them can be the fix of
        # thousands of problems.
        if isinstance(edits, tuple):
            return edits
        return tuple(map(self._separated, edits))

    def _separated(self, edit: TextEdit) -> TextEdit:
        """Return the edit, with blanks where it would join words that a sign separated."""
        start, end = self.offsets(Span(edit.line, edit.column, edit.end_line, edit.end_column))
        old_text = self.text[start:end]
        new_text = edit.replacement
        preceding = self.text[start - 1 : start]
        following = self.text[end : end + 1]
        first_character = new_text[:1] or following
        if _SEPARATOR.match(old_text) and _form_one_word(preceding, first_character):
            new_text = f" {new_text}"
        last_character = edit.replacement[-1:]
        if _SEPARATOR.match(old_text[-1:]) and _form_one_word(last_character, following):
            new_text = f"{new_text} "
        if new_text == edit.replacement:
            return edit
        return dataclasses.replace(edit, replacement=new_text)


def _start_of(token: Token) -> int:
    return token.start_pos


def _form_one_word(character: str, next_character: str) -> bool:
    """Return whether two characters would be read as parts of one word; "" is none."""
    return _TWO_WORD_CHARACTERS.fullmatch(character + next_character) is not None


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
    """Return the problems in the order of the text, those without a line first."""
    return tuple(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))


LARGEST_FILE = 256 * 1024
"""The largest file that is read, in bytes. The largest script that we have met has 3,000.

If it is larger, a file of another kind takes longer to be refused.
"""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TOP = Span(1, 1, 1, 1)


def decode_script(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a script file, with its line ends as they are, and problems of its bytes.

    The data are read as UTF-8, with or without a byte order mark, else as Latin-1. Data that cannot
    be a script give "" and an error.
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
