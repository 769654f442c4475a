"""Tokens of the period language: numbers, strings and symbols.

White space is a blank, a tab or LF. A ``;`` begins a comment wherever it stands, in a string or in
the middle of a token, too: the text up to and including the end of the line is as if it were not
there. A number ends at the first character that is no digit, and that character belongs to it. A
token that is not ended before the end of the text is lost. Three forms follow the document and not
the original program: ``+5``, ``5%%`` and signs before a ``+`` number.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

BEGIN_NOTES = "begin{notes}"
END_NOTES = "end{notes}"

_SKIP = r"(?>[ \t\n]*(?:;[^\n]*\n?[ \t\n]*)*)"
_TOKEN = re.compile(
    _SKIP + r'(?:"(?P<string>[^";]*)"'
    r"|(?P<number>(?>-[0-9]*|[0-9]+|\+[+-]*[0-9]+))(?P<after>(?>%+|[^;%0-9]))"
    r'|(?P<symbol>(?>(?!\+[+-]*[0-9])[^ \t\n;"0-9-][^ \t\n;]*))(?=[ \t\n]))'
)
_SPACE = re.compile(_SKIP)
_STRING, _DIGITS, _SYMBOL = map(re.compile, ('[^";]*', "[0-9]*", r"[^ \t\n;]*"))
_NOTES_END = re.compile(rf"^{re.escape(END_NOTES)}$", re.MULTILINE)
_PLUS = re.compile(r"\+[+-]*[0-9]+%*")
_TOO_LARGE = 1 << 30
"""The value of numbers of more digits than any that a period can hold."""


class TokenKind(Enum):
    """The kinds of tokens."""

    NUMBER = auto()
    STRING = auto()
    SYMBOL = auto()


class Token(NamedTuple):
    """A token; ``text[start:end]`` is what stands there, without a swallowed character.

    ``swallowed`` is the character after a number that is lost, "" where that is white space or a
    percent sign. ``comment`` is the offset of a comment that the token goes on after, -1 if none.
    """

    kind: TokenKind
    value: int | str
    start: int
    end: int
    swallowed: str = ""
    comment: int = -1

    @property
    def span(self) -> tuple[int, int]:
        """Its offsets."""
        return self.start, self.end


class Tokenizer:
    """Takes tokens from a text, from ``at`` on. ``lost`` is the token that the end cut off."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.lost: Token | None = None
        self._no_notes_end = False

    def next(self) -> Token | None:
        """Return the next token; None at the end of the text."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            return self._joined()
        end = match.end()
        kind = match.lastgroup
        if kind == "symbol":
            self.at = end + 1
            return Token(TokenKind.SYMBOL, match["symbol"], match.start("symbol"), end)
        self.at = end
        if kind == "string":
            return Token(TokenKind.STRING, match["string"], match.start("string") - 1, end)
        after = match["after"]
        percent = after[0] == "%"
        return Token(
            TokenKind.NUMBER,
            _value(match["number"]),
            match.start("number"),
            end if percent else end - 1,
            "" if percent or after in " \t\n" else after,
        )

    def notes(self) -> list[str] | None:
        """Return the raw lines up to ``end{notes}``; None if that is missing (then nothing is
        taken).
        """
        if self._no_notes_end:
            match = None
        else:
            match = _NOTES_END.search(self.text, self.at)
        if match is None:
            self._no_notes_end = True  # nor is there one farther on
            return None
        lines = self.text[self.at : match.start()].split("\n")[:-1]
        self.at = min(match.end() + 1, len(self.text))
        return lines

    def _joined(self) -> Token | None:
        """Return the next token where a comment touches it, or the end of the text: then it is
        lost.
        """
        skipped = _SPACE.match(self.text, self.at)
        start = self.at if skipped is None else skipped.end()
        self.at = len(self.text)
        if start == len(self.text):
            return None
        first = self.text[start]
        kind = TokenKind.SYMBOL
        pattern = _SYMBOL
        if first == '"':
            kind = TokenKind.STRING
            pattern = _STRING
        elif first in "-0123456789":
            kind = TokenKind.NUMBER
            pattern = _DIGITS
        run = self._run(start + 1, pattern)
        end = run.end
        swallowed = ""
        comment = run.comment
        stop = self.text[run.stop : run.stop + 1]
        value: int | str = run.text
        if kind is TokenKind.STRING:
            end = run.stop + 1 if stop else run.stop
            comment = run.last_comment
        elif kind is TokenKind.NUMBER or _PLUS.fullmatch(first + run.text):
            kind = TokenKind.NUMBER
            value = _value((first + run.text).rstrip("%"))
            swallowed = "" if stop in ("", "%") else stop.strip(" \t\n")
        else:
            value = first + run.text
        token = Token(kind, value, start, end, swallowed, comment)
        if not stop:
            self.lost = token
            return None
        self.at = run.stop + 1
        while stop == "%" and self.text[self.at : self.at + 1] == "%":
            self.at += 1
        return token

    def _run(self, at: int, pattern: re.Pattern[str]) -> _Run:
        """Return the characters from ``at`` on that ``pattern`` takes, comments left out."""
        pieces = []
        comment = -1
        inside = -1
        end = at
        while True:
            match = pattern.match(self.text, at)
            piece = "" if match is None else match[0]
            if piece:
                pieces.append(piece)
                inside = comment
                end = at + len(piece)
            at += len(piece)
            if self.text[at : at + 1] != ";":
                return _Run("".join(pieces), end, inside, comment, at)
            comment = at
            line_end = self.text.find("\n", at)
            at = len(self.text) if line_end < 0 else line_end + 1


class _Run(NamedTuple):
    """Characters of a token: the end of the last one, a comment among them, the last comment (-1:
    none), and the offset of what stops them."""

    text: str
    end: int
    comment: int
    last_comment: int
    stop: int


def _value(digits: str) -> int:
    """Return the value of a number token without what ends it; a large one for more than nine
    digits.
    """
    number = digits.lstrip("+-")
    if not number:
        return 0
    if len(number.lstrip("0")) <= 9:
        size = int(number[-9:])
    else:
        size = _TOO_LARGE
    if digits.count("-", 0, len(digits) - len(number)) % 2:
        return -size
    return size
