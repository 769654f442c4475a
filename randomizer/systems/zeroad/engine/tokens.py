"""Cuts JavaScript into tokens, as far as rewriting needs it.

Two things need more than a regular expression. A slash begins a regular expression or divides,
which the token before it tells. And a template contains expressions, which contain templates, so
the depth of their braces is kept. For instance "a / b" is NAME, OTHER, NAME, and in "`x${ a }y`"
the parts "`x${" and "}y`" are TEXT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SPACE = "space"
"""White space and comments, which are no tokens in the end."""

NAME = "name"
"""Names, keywords and numbers."""

TEXT = "text"
"""Quoted texts, and the fixed parts of templates."""

REGEX = "regex"
OTHER = "other"
"""Operators, brackets and all other characters."""

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
    """A piece of a script."""

    kind: str
    """SPACE, NAME, TEXT, REGEX or OTHER."""

    text: str

    start: int
    """The offset of the first character."""

    depth: int
    """The number of brackets around it; a bracket is outside of itself."""

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)


_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")

_BEFORE_CONDITION = frozenset(("if", "while", "for", "with"))
"""Words before a parenthesis after which a statement follows, not an operator."""

_STATEMENT_END = Token(OTHER, ";", 0, 0)
"""Stands for the token before a statement; its position does not count."""


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a script but white space and comments.

    Never raises: bad text is cut somehow.

    The fixed parts of a template are tokens of the kind TEXT, what stands in its braces is cut as
    usual.
    """
    position = 0
    depth = 0
    depths_of_templates: list[int] = []  # of those in whose braces the text is
    conditions: list[bool] = []  # for each open parenthesis whether it follows if, while ...
    regular_expressions = _RegexFinder(text)
    previous_token = _STATEMENT_END
    while position < len(text):
        character = text[position]

        # A part of a template: from its quote, or from the brace that ends an expression in it.
        ends_expression = False
        if character == "}" and depths_of_templates:
            ends_expression = depths_of_templates[-1] == depth - 1
        if character == "`" or ends_expression:
            if ends_expression:
                depth = depths_of_templates.pop()
            match = _TEMPLATE.match(text, position + 1)
            assert match is not None  # it matches at every position
            token = Token(TEXT, text[position : match.end()], position, depth)
            previous_token = token
            if match["end"] == "${":
                depths_of_templates.append(depth)
                depth += 1
                previous_token = Token(OTHER, "{", match.end() - 1, depth)  # a value follows
            position = token.end
            yield token
            continue

        # Any other piece.
        match = None
        kind = REGEX
        if character == "/" and _value_follows(previous_token):
            match = regular_expressions.match(position)
        if match is None:
            match = _TOKEN.match(text, position)
            assert match is not None  # any character is OTHER
            kind = match.lastgroup or OTHER
        start = position
        position = match.end()
        if kind == SPACE:
            continue
        piece = match.group()
        if kind != OTHER:
            previous_token = Token(kind, piece, start, depth)
            yield previous_token
            continue

        # Brackets change the depth, and what a parenthesis is for tells what follows it.
        if piece in _CLOSING:
            depth = max(0, depth - 1)
        token = Token(OTHER, piece, start, depth)
        if piece in _OPENING:
            depth += 1
        if piece == "(":
            conditions.append(previous_token.text in _BEFORE_CONDITION)
        previous_token = token
        if piece == ")" and conditions:
            is_condition = conditions.pop()
            if is_condition:
                previous_token = _STATEMENT_END  # in "if (a) /x/" a statement follows
        yield token


class _RegexFinder:
    """Finds regular expressions, in linear time even in a line of slashes that begin none.

    Each slash is looked at up to the end of its line, so after MISSES of them the others of that
    line are left alone.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._misses = 0
        """The number of slashes that began none, in the line of the last one."""
        self._line_end = 0
        """The offset behind that line."""

    def match(self, position: int) -> re.Match[str] | None:
        """Return the regular expression that begins at a slash, None if there is none."""
        is_in_line_of_misses = position < self._line_end
        if is_in_line_of_misses and self._misses >= MISSES:
            return None
        match = _REGEX.match(self._text, position)
        if match is None:
            if not is_in_line_of_misses:
                self._misses = 0
                self._line_end = self._text.find("\n", position) + 1
                if self._line_end == 0:  # it is the last line
                    self._line_end = len(self._text)
            self._misses += 1
        return match


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
