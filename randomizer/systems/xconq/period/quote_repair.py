"""Finds the place where the missing quote of a line most likely stood.

The idea: a quote is tried at each place of the line at which a text can begin or end. A line that
can be read then is a *candidate*. The likeliest is the one with the fewest unknown words outside of
the texts, and of these the one with the shortest texts::

    "i" "infantry" walks and takes towns" utype
                   ^ here: anywhere else a word such as ``walks`` would stand alone
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from randomizer.systems.xconq.period.words import TEXTS_OF_TYPE, words

_DEFINERS = ("utype", "rtype", "ttype")
"""The words that define a type, after three texts."""

_PIECE = re.compile(r'"[^"]*"|[^\s"]+')
"""A text in quotes, or a word."""

_LINE = re.compile(r'\s*(?:(?:"[^"]*"|[^\s"]+)(?:\s+|$))*')
"""A line of texts and words, each with white space behind it."""

_NUMBER = re.compile(r"[+-]?[0-9]+%*")

_QUOTED_WORD = re.compile(r'"([^"\s]+)"')


class QuotedText(NamedTuple):
    """A text that lacks a quote: its part of the line, and the text with both quotes."""

    start: int
    """The index at which it begins in the line as it is, with one quote."""

    end: int
    """The index behind it in that line."""

    text: str
    """The text with both quotes."""


class _Candidate(NamedTuple):
    """A line with one quote more.

    Candidates are compared field by field: the least one is the likeliest.
    """

    unknown_count: int
    """The number of words outside of the texts that mean nothing."""

    text_length: int
    """The number of characters in all texts."""

    position: int
    """The index in the line at which the quote is inserted."""

    line: str
    """The line with that quote."""


def names_in(text: str) -> set[str]:
    """Return the words in quotes of a period's text, which may be names that it defines."""
    return set(_QUOTED_WORD.findall(text))


def likely_text(line: str, names: Collection[str]) -> QuotedText | None:
    """Return the text of a line that most likely lacks one of its quotes, None if none reads well.

    ``line`` is a line of a period without its comment; ``names`` are those that the period defines.
    """
    candidates: list[_Candidate] = []
    for position in _positions(line):
        new_line = f'{line[:position]}"{line[position:]}'
        candidate = _candidate(new_line, position, names)
        if candidate is not None:
            candidates.append(candidate)
    if not candidates:
        return None
    best = min(candidates)
    if best.unknown_count > 0:
        return None
    for piece in _PIECE.finditer(best.line):
        if piece.start() == best.position or piece.end() == best.position + 1:
            return QuotedText(piece.start(), piece.end() - 1, piece[0])
    return None


def _positions(line: str) -> Iterator[int]:
    """Yield the indices at which a text can begin or end: those of the words between blanks."""
    for piece in re.finditer(r"\S+", line):
        if line[piece.start()] != '"':
            yield piece.start()
        if line[piece.end() - 1] != '"':
            yield piece.end()


def _candidate(line: str, position: int, names: Collection[str]) -> _Candidate | None:
    """Return the candidate of a line that has got a quote at a position; None if it reads badly."""
    if not _LINE.fullmatch(line):
        return None
    names_of_line = names_in(line)
    unknown_count = 0
    text_length = 0
    texts_together = 0  # the texts directly before a piece
    for piece in _PIECE.findall(line):
        if piece.startswith('"'):
            text = piece[1:-1]
            if not text or text != text.strip():
                return None
            text_length += len(text)
            texts_together += 1
            continue
        if piece in _DEFINERS and texts_together != TEXTS_OF_TYPE:
            return None
        texts_together = 0
        if piece not in words() and not _NUMBER.fullmatch(piece):
            is_name = piece in names or piece in names_of_line
            if not is_name:
                unknown_count += 1
    return _Candidate(unknown_count, text_length, position, line)
