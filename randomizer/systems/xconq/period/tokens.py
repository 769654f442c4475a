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
``5%%`` and signs before a ``+`` number.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

BEGIN_NOTES = "begin{notes}"
"""The word that begins notes: lines of text for players, which are not tokens."""

END_NOTES = "end{notes}"
"""The line that ends notes."""

_SKIP = r"(?>[ \t\n]*(?:;[^\n]*\n?[ \t\n]*)*)"
"""The pattern of white space and comments before a token; there may be none."""

_TOKEN = re.compile(
    rf"""
    {_SKIP}
    (?:
        "(?P<string> [^";]* )"
      |
        (?P<number> (?> -[0-9]* | [0-9]+ | \+[+-]*[0-9]+ ) )
        (?P<after> (?> %+ | [^;%0-9] ) )             # what ends the number and is lost
      |
        (?P<symbol> (?>
            (?! \+[+-]*[0-9] )                       # that is a number
            [^ \t\n;"0-9-] [^ \t\n;]*
        ) )
        (?= [ \t\n] )
    )
    """,
    re.VERBOSE,
)
"""A token that no comment touches and that the end of the text does not cut off: nearly all."""

_SPACE = re.compile(_SKIP)
_STRING = re.compile('[^";]*')
_DIGITS = re.compile("[0-9]*")
_SYMBOL = re.compile(r"[^ \t\n;]*")
"""The characters of each kind of token up to its end or to a comment, without the first one."""

_SIGNS = re.compile("[+-]*")
"""The signs of a number that begins with a ``+``, which Xconq itself takes for a symbol."""

_NOTES_END = re.compile(rf"^{re.escape(END_NOTES)}$", re.MULTILINE)
"""The line that ends notes, wherever it stands."""

_MOST_DIGITS = 9
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


class Tokenizer:
    """Reads the tokens of a text one after the other, with ``next`` or ``notes``.

    ``_next_of_runs`` knows all rules: it puts a token together from the characters between comments
    (a ``_Run``). Nearly all tokens have no comment within, and are not cut off by the end of the
    text. Those are found by one regular expression, which is a shortcut: it is fast, and must find
    the same tokens. A test reads texts with and without comments and compares.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        """Begin at an offset in a text."""
        self.text = text
        self.at = at
        """The offset from which the next token is read."""
        self.lost: Token | None = None
        """The token that the end of the text cut off.

        It is set when ``next`` has returned None; None if there is no such token.
        """
        self._has_no_notes_end = False
        """True if a search has found no end of notes in the rest of the text.

        Without it a text with many beginnings of notes would be searched once for each of them.
        """

    def next(self) -> Token | None:
        """Return the next token and go on behind it; None at the end of the text."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            return self._next_of_runs()
        end = match.end()
        kind = match.lastgroup
        if kind == "symbol":
            # The white space behind it is no part of the match.
            self.at = end + 1
            return Token(TokenKind.SYMBOL, match["symbol"], match.start("symbol"), end)
        self.at = end
        if kind == "string":
            return Token(TokenKind.STRING, match["string"], match.start("string") - 1, end)
        # It is a number.
        after = match["after"]
        swallowed = ""
        if not after.startswith("%"):
            swallowed = after.strip(" \t\n")
            end -= 1  # percent signs are a part of the token, what it swallows is none
        number = match["number"]
        return Token(TokenKind.NUMBER, _value(number), match.start("number"), end, swallowed)

    def notes(self) -> list[str] | None:
        """Return the raw lines of notes up to ``end{notes}``, and go on behind that line.

        None if that line is missing: then nothing is read.
        """
        match = None
        if not self._has_no_notes_end:
            match = _NOTES_END.search(self.text, self.at)
        if match is None:
            self._has_no_notes_end = True
            return None
        lines = self.text[self.at : match.start()].split("\n")[:-1]
        self.at = min(match.end() + 1, len(self.text))
        return lines

    def _next_of_runs(self) -> Token | None:
        """Return the next token and go on behind it; None at the end of the text.

        A token that the end of the text cuts off is not returned, but becomes ``lost``.
        """
        space = _SPACE.match(self.text, self.at)
        assert space is not None, "no space matches, too"
        start = space.end()
        self.at = len(self.text)
        if start == len(self.text):
            return None

        # The first character tells the kind; the run is the rest of the token.
        first = self.text[start]
        if first == '"':
            run = self._run(start + 1, _STRING)
            token = self._string(start, run)
        elif first in "-0123456789":
            run = self._run(start + 1, _DIGITS)
            token = self._number(start, run)
        else:
            signed_number = None
            if first == "+":
                signed_number = self._run_of_signed_number(start + 1)
            if signed_number is not None:
                run = signed_number
                token = self._number(start, run)
            else:
                run = self._run(start + 1, _SYMBOL)
                symbol = first + run.text
                token = Token(
                    TokenKind.SYMBOL, symbol, start, run.text_end, comment=run.inner_comment
                )
        if run.stop == len(self.text):
            self.lost = token
            return None

        # Go on behind the character that ended the token, and behind further percent signs.
        self.at = run.stop + 1
        if token.kind is TokenKind.NUMBER and self.text[run.stop] == "%":
            while self.text[self.at : self.at + 1] == "%":
                self.at += 1
        return token

    def _string(self, start: int, run: _Run) -> Token:
        """Return the string of a run; it includes a comment before its closing quote."""
        end = min(run.stop + 1, len(self.text))
        return Token(TokenKind.STRING, run.text, start, end, "", run.last_comment)

    def _number(self, start: int, run: _Run) -> Token:
        """Return the number of a run, which swallows the character that stops it."""
        value = _value(self.text[start] + run.text)
        swallowed = self.text[run.stop : run.stop + 1].strip("% \t\n")
        return Token(TokenKind.NUMBER, value, start, run.text_end, swallowed, run.inner_comment)

    def _run_of_signed_number(self, at: int) -> _Run | None:
        """Return the signs and digits behind a ``+``, from ``at`` on; None if no digit follows."""
        signs = self._run(at, _SIGNS)
        digits = self._run(signs.stop, _DIGITS)
        if not digits.text:
            return None
        inner_comment = digits.inner_comment
        if inner_comment is None:
            inner_comment = signs.last_comment  # the digits follow it
        return digits._replace(text=signs.text + digits.text, inner_comment=inner_comment)

    def _run(self, at: int, pattern: re.Pattern[str]) -> _Run:
        """Return the characters from ``at`` on that ``pattern`` matches, comments left out.

        So ``pattern`` is matched again behind each comment.
        """
        pieces = []
        last_comment: int | None = None
        inner_comment: int | None = None
        text_end = at
        while True:
            match = pattern.match(self.text, at)
            assert match is not None, "no character matches, too"
            if match[0]:
                pieces.append(match[0])
                inner_comment = last_comment
                text_end = match.end()
            at = match.end()
            if self.text[at : at + 1] != ";":
                return _Run("".join(pieces), text_end, inner_comment, last_comment, at)
            last_comment = at
            line_end = self.text.find("\n", at)
            if line_end < 0:
                at = len(self.text)
            else:
                at = line_end + 1


class _Run(NamedTuple):
    """The characters of a token behind its first one, without the comments among them.

    For ``spe;how`` with ``ed;fast`` and a blank in the next lines::

        spe;how         inner_comment: the offset of ";how"
        ed;fast         text: "peed", text_end: behind "ed"; last_comment: the offset of ";fast"
                        stop: the offset of the blank at the start of this line
    """

    text: str
    """The characters, without comments."""

    text_end: int
    """The offset behind the last of them."""

    inner_comment: int | None
    """The offset of the last comment that characters follow, None if there is none."""

    last_comment: int | None
    """The offset of the last comment, also of one behind all characters; None if there is none."""

    stop: int
    """The offset of the character that ends the token, the length of the text if none does."""


def _value(digits: str) -> int:
    """Return the value of a number from its signs and digits: 3 for "--3", as each ``-`` turns it.

    It is ``_TOO_LARGE``, or the opposite, for more than ``_MOST_DIGITS`` digits.
    """
    number = digits.lstrip("+-")
    if not number:  # signs alone
        return 0
    size = _TOO_LARGE
    if len(number.lstrip("0")) <= _MOST_DIGITS:
        size = int(number[-_MOST_DIGITS:])  # Python refuses thousands of zeros, too
    signs = digits[: len(digits) - len(number)]
    if signs.count("-") % 2 == 1:
        return -size
    return size
