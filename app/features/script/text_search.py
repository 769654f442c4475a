"""Finds text in a script, by letters or by a regular expression, and what replaces it.

    for hit in find_hits(document, Query("wood", whole_words=True)):
        print(hit.start, hit.end, hit.replacement("forest", regular=False))

    found = search(document, query, document.toPlainText())   # for a bar that goes from hit to hit
    hit = found.first_from(120) or found.message

Positions count UTF-16 code units, as Qt does. Used by the find bar.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from PySide6.QtCore import QRegularExpression
from PySide6.QtGui import QTextBlock, QTextDocument

from randomizer.model.problems import ProblemError, error

MAX_HITS = 10_000
"""A text with more hits is not searched to its end."""

_MAX_ATTEMPTS = 100_000
"""How often the engine may try to match one line: for 0.3 ms.

Its own limit would let one line take 25 ms, and a script has thousands of lines.
"""

_START = attrgetter("start")
"""The key to bisect hits by their starts; they are in the order of the text."""

_END = attrgetter("end")
"""The key to bisect hits by their ends."""

_ESCAPE = re.compile(r"\\([0-9nt\\])")
"""The escapes of a replacement, see ``Hit.replacement``."""


class Query(NamedTuple):
    """A text or an expression that is searched for."""

    pattern: str
    match_case: bool = False
    whole_words: bool = False
    is_regex: bool = False
    """True if ``pattern`` is a regular expression (PCRE), not a text."""


class Hit(NamedTuple):
    """A range in which a text was found, from one position of Qt's document to another."""

    start: int
    """The position of its first character."""

    end: int
    """The position behind its last character."""

    groups: tuple[str, ...]
    """The text itself, then what the groups of a regular expression have matched."""

    def replacement(self, template: str, *, is_regex: bool) -> str:
        r"""Return what replaces the hit: ``template``, with its escapes replaced if ``is_regex``.

        These are ``\0`` (the hit) and ``\1`` to ``\9`` (a group), ``\n``, ``\t``, ``\\``.
        """
        if is_regex:
            return _ESCAPE.sub(self._escaped, template)
        return template

    def _escaped(self, escape: re.Match[str]) -> str:
        """Return what one escape stands for; a group that the expression lacks is empty."""
        letter = escape[1]
        if letter.isdigit():
            number = int(letter)
            if number < len(self.groups):
                return self.groups[number]
            return ""
        return {"n": "\n", "t": "\t"}.get(letter, letter)  # a backslash stands for itself


@dataclass(frozen=True, slots=True)
class Search:
    """A query, the text that was searched, and what was found."""

    query: Query

    text: str
    """The whole text: for another one the hits have to be found again."""

    hits: tuple[Hit, ...] = ()
    """In the order of the text; they do not overlap."""

    message: str = ""
    """Why there are no hits to go to, such as a wrong expression; "" if there is nothing wrong."""

    def index_of(self, start: int, end: int) -> int | None:
        """Return the index of the hit from ``start`` to ``end``, None if there is none."""
        index = bisect_left(self.hits, start, key=_START)
        if index == len(self.hits):
            return None
        hit = self.hits[index]
        if (hit.start, hit.end) != (start, end):
            return None
        return index

    def first_from(self, position: int) -> Hit | None:
        """Return the first hit that starts at a position or behind it, else the first of all.

        None if there are no hits.
        """
        if not self.hits:
            return None
        index = bisect_left(self.hits, position, key=_START)
        return self.hits[index % len(self.hits)]

    def last_up_to(self, position: int) -> Hit | None:
        """Return the last hit that ends at a position or before it, else the last of all.

        None if there are no hits.
        """
        if not self.hits:
            return None
        index = bisect_right(self.hits, position, key=_END) - 1
        return self.hits[index]  # -1 is the last one


def search(document: QTextDocument, query: Query, text: str) -> Search:
    """Find a query in a document; what is wrong is in the message.

    ``text`` must be the text of the document: it tells later whether that is another one.
    """
    try:
        hits = find_hits(document, query)
    except ProblemError as reason:
        return Search(query, text, message=reason.problems[0].message)
    return Search(query, text, tuple(hits))


def find_hits(document: QTextDocument, query: Query) -> list[Hit]:
    """Return the hits in the order of the text; each lies in one line and is not empty.

    Raises ProblemError for an expression that is wrong or takes too long, and for too many hits.
    """
    hits: list[Hit] = []
    if not query.pattern:
        return hits
    expression = _expression(query)
    block = document.begin()
    while block.isValid():
        hits += _hits_in_line(block, expression)
        if len(hits) > MAX_HITS:
            raise error("too-many-hits", f"More than {MAX_HITS:,} hits: search for more letters")
        block = block.next()
    return hits


def _hits_in_line(block: QTextBlock, expression: QRegularExpression) -> Iterator[Hit]:
    """Yield the hits in one line. Raises ProblemError if the expression takes too long."""
    line_start = block.position()
    text = block.text()
    offset = 0
    while offset < block.length():
        match = expression.match(text, offset)
        if not match.isValid():
            line = block.blockNumber() + 1
            raise error(
                "search-too-slow",
                f"This expression takes too long in line {line}: make it simpler",
            )
        if not match.hasMatch():
            return
        offset = match.capturedEnd()
        if match.capturedLength() > 0:
            groups = tuple(match.capturedTexts())
            yield Hit(line_start + match.capturedStart(), line_start + offset, groups)
        else:
            # An empty match, as of "x*", is no hit, and would be found here for ever.
            offset = _next_letter(text, offset)


def _next_letter(text: str, offset: int) -> int:
    """Return the offset in UTF-16 units, Qt's, behind the letter at ``offset``."""
    if text.isascii():
        return offset + 1
    if _is_high_surrogate(text, offset):  # the first unit of a letter that takes two
        return offset + 2
    return offset + 1


def _is_high_surrogate(text: str, offset: int) -> bool:
    """Return whether the UTF-16 unit at an offset is the first of two that make a letter."""
    high_byte = text.encode("utf-16-le", "surrogatepass")[2 * offset + 1 : 2 * offset + 2]
    return b"\xd8" <= high_byte <= b"\xdb"


def _expression(query: Query) -> QRegularExpression:
    """Return the expression that finds a query. Raises ProblemError for a wrong one."""
    pattern = query.pattern
    options = QRegularExpression.PatternOption.UseUnicodePropertiesOption
    if not query.match_case:
        options |= QRegularExpression.PatternOption.CaseInsensitiveOption
    if query.is_regex:
        # Checked alone first, so that the error counts letters of what was typed.
        typed_expression = QRegularExpression(pattern, options)
        if not typed_expression.isValid():
            raise error(
                "wrong-expression",
                f"Not a regular expression: {typed_expression.errorString()}, "
                f"at letter {typed_expression.patternErrorOffset() + 1}",
            )
    else:
        pattern = QRegularExpression.escape(pattern)
    if query.whole_words:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    expression = QRegularExpression(f"(*LIMIT_MATCH={_MAX_ATTEMPTS}){pattern}", options)
    if not expression.isValid():  # (*UTF) and its like are right only at the very beginning
        raise error("wrong-expression", f"Not a regular expression: {expression.errorString()}")
    return expression
