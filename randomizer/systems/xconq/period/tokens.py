"""Splits the text of a period, in Xconq's language, into tokens: numbers, strings and symbols.

    tokens = Tokenizer('2 "Old town" speed ; how fast\\n')
    tokens.next().value         # 2, then "Old town", then "speed", then None instead of a token

The rules are those of the original program, and some are strange:

- White space is a blank, a tab or LF.
- A ``;`` begins a comment wherever it stands, in a string or in the middle of a token, too: the
  text up to and including the end of the line is as if it were not there.
- A number ends at the first character that is no digit, and *swallows* it: that character belongs
  to the number and is lost.
- A token that is not ended before the end of the text is lost.

So these texts, ended by a line end, have strange tokens::

    12th                    the number 12, which swallowed "t", and the symbol "h"
    spe;how fast            with "ed" in the next line: the symbol "speed", with a comment in it
    "Old town               a string that the end of the text cuts off: it is lost

Three forms follow the document (the manual for designers of periods) and not the program: ``+5``,
``5%%`` and signs behind the ``+`` of a number, as in ``+-5``.

So a text is first cleared of its comments, with a note of where each of them was; then one regular
expression finds its tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum, auto
from operator import attrgetter
from typing import NamedTuple

BEGIN_NOTES = "begin{notes}"
"""The word that begins notes: lines of text for players, which are not tokens."""

END_NOTES = "end{notes}"
"""The line that ends notes."""

_COMMENT = re.compile(r";[^\n]*\n?")
"""A comment with the end of its line, which the last line of a text may lack."""

_TOKEN = re.compile(
    r"""
    [ \t\n]*
    (?:
        "(?P<string> [^"]* )
        (?P<quote> "? )                              # none at the end of the text
      |
        (?P<number> (?> -[0-9]* | [0-9]+ | \+[+-]*[0-9]+ ) )
        (?P<after> %+ | [^%0-9] )?                   # what ends the number and is lost
      |
        (?P<symbol> [^ \t\n"0-9-] [^ \t\n]* )       # a + that begins no number, too
        (?P<blank> [ \t\n] )?
    )
    """,
    re.VERBOSE,
)
"""A token, with the white space before it, in a text without comments.

The last of its groups is missing, or empty, where the text ends before the token does.
"""

_NOTES_END = re.compile(rf"^{re.escape(END_NOTES)}$", re.MULTILINE)
"""The line that ends notes, wherever it stands."""

_MAX_DIGITS = 9
"""The most digits of a number that is read; no number that a period can hold has as many."""

_TOO_LARGE = 1 << 30
"""The value of numbers with more digits: too large for a period, as they are."""


class TokenKind(Enum):
    """The kinds of tokens."""

    NUMBER = auto()
    STRING = auto()
    SYMBOL = auto()


class Token(NamedTuple):
    """A token of a text."""

    kind: TokenKind
    """The kind, which decides the type of ``value``."""

    value: int | str
    """The number, the text of the string without its quotes, or the symbol."""

    start: int
    """The offset in the text at which it begins, quotes included."""

    end: int
    """The offset behind it, without a swallowed character."""

    swallowed: str = ""
    """The character that the number swallowed; "" for white space and percent signs."""

    comment: int | None = None
    """The offset of a comment after which the token goes on, None if there is none."""

    @property
    def span(self) -> tuple[int, int]:
        """The offsets of its start and end."""
        return self.start, self.end


class _Comment(NamedTuple):
    """A comment that was taken out of a text."""

    position: int
    """The offset in the text without comments at which it was: of the character behind it."""

    start: int
    """The offset of its ``;`` in the text itself."""

    end: int
    """The offset behind it in the text itself."""

    @property
    def shift(self) -> int:
        """What is added to an offset behind it, to get that in the text itself."""
        return self.end - self.position


class Tokenizer:
    """Reads the tokens of a text one after the other, with ``next`` or ``notes``."""

    def __init__(self, text: str, start: int = 0) -> None:
        """Begin at an offset in a text, which is not within a comment."""
        self.text = text
        self.lost: Token | None = None
        """The token that the end of the text cut off.

        It is set when ``next`` has returned None; None if there is no such token.
        """
        self._start = start
        self._clear_text, self._comments = _without_comments(text, start)
        """The text from ``start`` on without comments, and these, a last one behind all tokens."""
        self._next = 0
        """The offset in the clear text from which the next token is read."""
        self._has_ended = False
        """True once ``next`` has returned None."""

        # Between two comments all characters have moved by the same.
        self._shift = start
        """What is added to offsets in the clear text, up to the next comment."""
        self._next_comment_position = self._comments[0].position
        """The offset in the clear text at which that comment was."""

        self._has_no_notes_end = False
        """True if a search has found no end of notes in the rest of the text.

        Without it a text with many beginnings of notes would be searched once for each of them.
        """

    @property
    def at(self) -> int:
        """The offset in the text behind what was read: the last token and what ended it."""
        if self._has_ended:
            return len(self.text)
        if self._next == 0:
            return self._start
        # That of the last character that was read, and 1. A comment may follow.
        last = self._next - 1
        number = bisect_right(self._comments, last, key=attrgetter("position"))
        return last + self._shift_behind(number) + 1

    def _shift_behind(self, number: int) -> int:
        """Return what is added to an offset in the clear text behind so many comments."""
        if number == 0:
            return self._start
        return self._comments[number - 1].shift

    def next(self) -> Token | None:
        """Return the next token and go on behind it; None at the end of the text."""
        match = _TOKEN.match(self._clear_text, self._next)
        if match is None:  # there is only white space left
            self._has_ended = True
            return None
        self._next = match.end()

        # The last group of the match tells the kind of the token, and what ended it.
        last_group = match.lastgroup
        value: int | str
        swallowed = ""
        if last_group == "blank":
            kind = TokenKind.SYMBOL
            value = match["symbol"]
            start = match.start("symbol")
            end = match.end() - 1
        elif last_group == "after":
            kind = TokenKind.NUMBER
            value = _value(match["number"])
            start, end = match.span("number")
            after = match["after"]
            if after[0] == "%":
                end = match.end()  # percent signs are a part of the token
            else:
                swallowed = after.strip(" \t\n")
        elif match["quote"]:
            kind = TokenKind.STRING
            value = match["string"]
            start = match.start("string") - 1
            end = match.end()
        else:
            self._has_ended = True
            self.lost = self._lost_token(match)
            return None

        # Where it stands in the text with comments. Nearly always none is before its end.
        if end > self._next_comment_position:
            return self._token_among_comments(kind, value, start, end, swallowed)
        shift = self._shift
        return Token(kind, value, start + shift, end + shift, swallowed)

    def _lost_token(self, match: re.Match[str]) -> Token:
        """Return the token of a match that ends with the text, before the token does."""
        end = match.end()
        if match["string"] is not None:
            start = match.start("string") - 1
            return self._token_among_comments(TokenKind.STRING, match["string"], start, end)
        if match["number"] is not None:
            number = _value(match["number"])
            start = match.start("number")
            return self._token_among_comments(TokenKind.NUMBER, number, start, end)
        start = match.start("symbol")
        return self._token_among_comments(TokenKind.SYMBOL, match["symbol"], start, end)

    def _token_among_comments(
        self, kind: TokenKind, value: int | str, start: int, end: int, swallowed: str = ""
    ) -> Token:
        """Return the token between two offsets of the clear text.

        There may be comments before it, and between its characters.
        """
        # Comments before its first character.
        comments = self._comments
        number = bisect_right(comments, start, key=attrgetter("position"))
        self._shift = self._shift_behind(number)
        self._next_comment_position = comments[number].position
        start_in_text = start + self._shift

        # Comments between its characters.
        last_comment = None
        while comments[number].position < end:
            last_comment = comments[number]
            number += 1
        if last_comment is None:
            return Token(kind, value, start_in_text, end + self._shift, swallowed)
        end_in_text = end + last_comment.shift
        return Token(kind, value, start_in_text, end_in_text, swallowed, last_comment.start)

    def notes(self) -> list[str] | None:
        """Return the raw lines of notes up to ``end{notes}``, and go on behind that line.

        None if that line is missing: then nothing is read. In notes a ``;`` begins no comment.
        """
        start = self.at
        match = None
        if not self._has_no_notes_end:
            match = _NOTES_END.search(self.text, start)
        if match is None:
            self._has_no_notes_end = True
            return None
        lines = self.text[start : match.start()].split("\n")[:-1]
        self._go_to(min(match.end() + 1, len(self.text)))
        return lines

    def _go_to(self, offset: int) -> None:
        """Go on at the start of a line of the text, the offset of which is given."""
        # What looked like a comment within notes ends with its line, so none reaches beyond it.
        number = bisect_right(
            self._comments, offset, hi=len(self._comments) - 1, key=attrgetter("end")
        )
        self._next = offset - self._shift_behind(number)


def _without_comments(text: str, start: int) -> tuple[str, list[_Comment]]:
    """Return a text from an offset on without its comments, and these.

    Behind them stands one more, which is behind all characters: so there is a next one always.
    """
    pieces = []
    comments = []
    position = 0
    piece_start = start
    for match in _COMMENT.finditer(text, start):
        pieces.append(text[piece_start : match.start()])
        position += match.start() - piece_start
        comments.append(_Comment(position, match.start(), match.end()))
        piece_start = match.end()
    pieces.append(text[piece_start:])
    comments.append(_Comment(len(text) + 1, len(text), len(text)))
    return "".join(pieces), comments


def _value(digits: str) -> int:
    """Return the value of a number from its signs and digits: 3 for "--3", as each ``-`` turns it.

    It is ``_TOO_LARGE``, or the opposite, for more than ``_MAX_DIGITS`` digits.
    """
    number = digits.lstrip("+-")
    if not number:  # signs alone
        return 0
    size = _TOO_LARGE
    if len(number.lstrip("0")) <= _MAX_DIGITS:
        size = int(number[-_MAX_DIGITS:])  # Python refuses thousands of zeros, too
    signs = digits[: len(digits) - len(number)]
    if signs.count("-") % 2 == 1:
        return -size
    return size
