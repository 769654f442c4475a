"""Cuts JavaScript into tokens, as far as rewriting needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SPACE = "space"
NAME = "name"
TEXT = "text"
REGEX = "regex"
OTHER = "other"

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n\r\u2028\u2029]*|/\*.*?(?:\*/|\Z)|\A\#![^\n]*)
    |(?P<name>[\w$\u0080-\U0010ffff\\][\w$\u0080-\U0010ffff\\]*)
    |(?P<text>"(?:[^"\\\n]++|\\.)*+"?|'(?:[^'\\\n]++|\\.)*+'?)
    |(?P<other>=>|\+\+|--|\.\.\.|\?\.|&&|\|\||\?\?|.)""",
    re.DOTALL | re.VERBOSE,
)
_REGEX = re.compile(r"/(?![*/])(?:[^\\/\[\n]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\])++/[\w$]*")
_TEMPLATE = re.compile(r"(?:[^`\\$]++|\\.?|\$(?!\{))*+(?P<end>`|\$\{|\Z)", re.DOTALL)

MISSES = 100
"""After so many slashes of a line that begin no regular expression, though they could, none does.

Each is looked for up to the end of the line.
"""

_BEFORE_VALUE = frozenset(
    (
        *("return", "typeof", "case", "do", "else", "in", "instanceof", "new", "void", "delete"),
        *("throw", "yield", "await", "of", "extends"),
    )
)
"""Words after which a slash begins a regular expression."""


class Token(NamedTuple):
    """A piece of a script; ``depth`` counts the brackets around it (an opening one: outside)."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a script but white space and comments.

    Never raises: bad text is cut somehow.

    The fixed parts of a template are tokens of the kind TEXT, what stands in its braces is cut as
    usual.
    """
    at = 0
    depth = 0
    templates: list[int] = []  # depths of the braces of templates
    parentheses: list[bool] = []  # whether each open one follows if, while, for, with
    last_token = Token(OTHER, ";", 0, 0)
    # of regular expressions, in the line that ends there
    misses = 0
    line_end = 0
    while at < len(text):
        if text[at] == "`" or (text[at] == "}" and templates and templates[-1] == depth - 1):
            if text[at] == "}":
                depth = templates.pop()
            match = _TEMPLATE.match(text, at + 1)
            assert match is not None  # it matches at every place
            token = Token(TEXT, text[at : match.end()], at, depth)
            if match["end"] == "${":
                templates.append(depth)
                depth += 1
                last_token = Token(OTHER, "{", match.end() - 1, depth)
            else:
                last_token = token
            yield token
            at = token.end
            continue
        hit = None
        kind = REGEX
        if text[at] == "/" and _value_follows(last_token) and (misses < MISSES or at >= line_end):
            hit = _REGEX.match(text, at)
            if hit is None and at >= line_end:
                misses = 0
                line_end = (text.find("\n", at) + 1) or len(text)
            misses += hit is None
        if hit is None:
            hit = _TOKEN.match(text, at)
            assert hit is not None  # any character is OTHER
            kind = hit.lastgroup or OTHER
        piece = hit.group()
        start = at
        at = hit.end()
        if kind == SPACE:
            continue
        if piece in (")", "]", "}") and kind == OTHER:
            depth = max(0, depth - 1)
        token = Token(kind, piece, start, depth)
        if piece in ("(", "[", "{") and kind == OTHER:
            depth += 1
        if piece == "(" and kind == OTHER:
            parentheses.append(last_token.text in ("if", "while", "for", "with"))
        elif piece == ")" and kind == OTHER and parentheses and parentheses.pop():
            last_token = Token(
                OTHER, ";", start, depth
            )  # a statement follows: /x/ is an expression
            yield token
            continue
        last_token = token
        yield token


def _value_follows(last_token: Token) -> bool:
    """Return whether a value, not an operator, can follow a token.

    After } it is taken for a statement.
    """
    return not ends_value(last_token) and last_token.text not in ("++", "--")


def ends_value(token: Token) -> bool:
    """Return whether a value can end with a token. A } is taken for the end of a statement."""
    if token.kind == NAME:
        return token.text not in _BEFORE_VALUE
    return token.kind != OTHER or token.text in (")", "]")
