r"""The text of a script for parser, lint and editor: its spans, edits and problems.

    source = Source("TOWER\nTITLE Hill", "hill.rnd")
    span = source.span(6, 11)                          # of TITLE: line 2, columns 1 to 5
    deletion = replacement_edit(span, "")
    problem = source.problem("set-again", span, [deletion], keyword="TITLE", line=9)

Positions are told in two ways: an *offset* counts characters from 0 at the beginning of the text, a
``Span`` has lines and columns from 1. An edit replaces a span, and becomes the fix of a problem.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, line_starts
from randomizer.systems.colossus.script.message_texts import messages
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import Token, label_runs, statement_rows, tokenize

_SEPARATOR = re.compile(r'[()\s,="]')
"""The signs that separate two words."""

_TWO_WORD_CHARACTERS = re.compile("[A-Za-z0-9._]{2}")
"""Two characters that are read as parts of one word."""


class TextSpan(NamedTuple):
    """A piece of the text by its offsets."""

    start: int
    end: int
    """The offset after its last character."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """The edits that rename a label wherever a script has it.

    They replace whole words, so they can never join two words to one, and ``Source.problem`` needs
    not look at them. A renaming can be the fix of thousands of problems: it is made once and shared
    by them.
    """

    edits: tuple[TextEdit, ...]


class Source:
    """The text of a script and the file it came from."""

    def __init__(self, text: str, path: str | None = None) -> None:
        self.text = text
        self.path = path
        """The file that problems name; None if they name none."""
        self.renamings: dict[str, Renaming] = {}
        """A cache of ``word_mistakes.renaming_of``, by the invalid name of a label."""
        self._starts = line_starts(text)
        """The offsets at which the lines begin."""

    def span(self, start: int, end: int) -> Span:
        """Return the lines and columns of the text from ``start`` up to, not including, ``end``."""
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        end_line = bisect_right(self._starts, end)
        end_column = end - self._starts[end_line - 1] + 1
        return Span(line, column, end_line, end_column)

    def offsets(self, span: Span) -> TextSpan:
        """Return the offsets of ``span``."""
        start = self._starts[span.line - 1] + span.column - 1
        end = self._starts[span.end_line - 1] + span.end_column - 1
        return TextSpan(start, end)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens of the text."""
        return tuple(tokenize(self.text))

    @cached_property
    def statements(self) -> list[list[Token]]:
        """The tokens of each statement, valid or not, without comments."""
        rows = statement_rows(self.tokens)
        return [[token for token in row if token.type != "COMMENT"] for row in rows]

    @cached_property
    def label_offsets(self) -> list[TextSpan]:
        """The offsets of every label where it is defined or used, also of an invalid one."""
        return [TextSpan(run[0].start_pos, run[-1].end_pos) for run in label_runs(self.tokens)]

    @cached_property
    def label_places(self) -> dict[str, list[Span]]:
        """By its text the spans where each label, also an invalid one, is defined or used."""
        spans: dict[str, list[Span]] = {}
        for start, end in self.label_offsets:
            spans.setdefault(self.text[start:end], []).append(self.span(start, end))
        return spans

    def offset_at(self, line: int, column: int) -> int | None:
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
        offset = self.offset_at(line, column)
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
        return replacement_edit(self.span(start, end), replacement)

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
        edits: Iterable[TextEdit] | Renaming = (),
        other_edits: Iterable[TextEdit] | Renaming = (),
        **fields: Any,
    ) -> Problem:
        """Return a problem with the words of ``messages.json``.

        ``edits`` become its fix, ``other_edits`` another one; without edits there is none.
        ``fields`` fill the braces of its message and of the titles of its fixes.
        """
        entry = messages()["problems"][code]
        fix = None
        edits_of_fix = self._edits_of_fix(edits)
        if edits_of_fix:
            fix = Fix(entry["fix"].format(**fields), edits_of_fix)
        other_fixes: tuple[Fix, ...] = ()
        edits_of_other_fix = self._edits_of_fix(other_edits)
        if edits_of_other_fix:
            other_fixes = (Fix(entry["other"].format(**fields), edits_of_other_fix),)
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

    def _edits_of_fix(self, edits: Iterable[TextEdit] | Renaming) -> tuple[TextEdit, ...]:
        """Return the edits with blanks where they would join words; () without edits."""
        if isinstance(edits, Renaming):
            return edits.edits
        return tuple(map(self._separated, edits))

    def _separated(self, edit: TextEdit) -> TextEdit:
        """Return the edit, with blanks where it would join words that a sign separated."""
        start, end = self.offsets(Span(edit.line, edit.column, edit.end_line, edit.end_column))
        old_text = self.text[start:end]
        new_text = edit.replacement
        preceding = self.text[start - 1 : start]
        following = self.text[end : end + 1]
        began_with_separator = _SEPARATOR.match(old_text[:1]) is not None
        ended_with_separator = _SEPARATOR.match(old_text[-1:]) is not None
        # Without a new text the edit is a deletion: what follows comes next to what precedes.
        first_character = new_text[:1] or following
        if began_with_separator and _form_one_word(preceding, first_character):
            new_text = f" {new_text}"
        # A deletion has no last character; one blank, put in above, is enough for it.
        last_character = edit.replacement[-1:]
        if ended_with_separator and _form_one_word(last_character, following):
            new_text = f"{new_text} "
        if new_text == edit.replacement:
            return edit
        return dataclasses.replace(edit, replacement=new_text)


def _start_of(token: Token) -> int:
    """Return the offset by which tokens are searched."""
    return token.start_pos


def _form_one_word(character: str, next_character: str) -> bool:
    """Return whether two characters would be read as parts of one word; "" is none."""
    return _TWO_WORD_CHARACTERS.fullmatch(character + next_character) is not None


@registered(bytes_each=500 * KB)
@lru_cache(1)
def source_of(text: str) -> Source:
    """Return the source of a text, cached: its text and path must not be changed."""
    return Source(text)


def replacement_edit(span: Span, replacement: str) -> TextEdit:
    """Return the edit that replaces ``span`` with ``replacement``."""
    return TextEdit(span.line, span.column, span.end_line, span.end_column, replacement)


def insert_before(span: Span, addition: str) -> TextEdit:
    """Return the edit that inserts ``addition`` just before ``span``."""
    return TextEdit(span.line, span.column, span.line, span.column, addition)


def insert_after(span: Span, addition: str) -> TextEdit:
    """Return the edit that inserts ``addition`` just after ``span``."""
    return TextEdit(span.end_line, span.end_column, span.end_line, span.end_column, addition)


def span_between(first: Span, last: Span) -> Span:
    """Return the span from the start of one span to the end of a later one."""
    return Span(first.line, first.column, last.end_line, last.end_column)


def in_order_of_text(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems in the order of the text, those without a line first."""
    return tuple(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
