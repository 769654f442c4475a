"""Cuts JavaScript into tokens, as far as rewriting scripts needs it.

    [token.text for token in tokens("let a = b / 2;")]      # let, a, =, b, /, 2, ;

``module_parser``, ``exported_variables`` and ``global_scripts`` rewrite scripts by the tokens. Two
things need more than a regular expression:

- A slash begins a regular expression, or divides. The token before it tells which
  (``_value_follows``).
- A template contains expressions, which contain templates. So the depth of their braces is counted
  (``_Nesting``). In "`x${ a }y`" the tokens "`x${" and "}y`" are TEXT, and "a" is a NAME.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SPACE = "space"
"""White space and comments, which are no tokens in the end."""

NAME = "name"
"""Names, keywords and numbers."""

TEXT = "text"
"""Quoted texts, and the fixed parts of templates."""

REGEX = "regex"
"""Regular expressions with their slashes and flags."""

OTHER = "other"
"""Operators, brackets and all other characters."""

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n\r\u2028\u2029]*|/\*.*?(?:\*/|\Z)|\A\#![^\n]*)
    |(?P<name>[\w$\u0080-\U0010ffff\\]+)
    |(?P<text>"(?:[^"\\\n]++|\\.)*+"?|'(?:[^'\\\n]++|\\.)*+'?)
    |(?P<other>=>|\+\+|--|\.\.\.|\?\.|&&|\|\||\?\?|.)""",
    re.DOTALL | re.VERBOSE,
)
"""One token. The possessive ``++`` and ``*+`` never go back, so that no text takes long."""

_REGEX = re.compile(r"/(?![*/])(?:[^\\/\[\n]++|\\[^\n]|\[(?:[^\]\\\n]++|\\[^\n])*+\])++/[\w$]*")
"""A regular expression within a line; a slash in its brackets does not end it."""

_TEMPLATE = re.compile(r"(?:[^`\\$]++|\\.?|\$(?!\{))*+(?P<end>`|\$\{|\Z)", re.DOTALL)
"""The rest of a fixed part of a template, up to its end, an expression, or the end of the text."""

MAX_MISSES = 100
"""The slashes of a line that may begin no regular expression before its others are not examined.

Each of them costs a search up to the end of the line; the others are read as divisions.
"""

_BEFORE_VALUE = frozenset(
    [
        "return",
        "typeof",
        "case",
        "do",
        "else",
        "in",
        "instanceof",
        "new",
        "void",
        "delete",
        "throw",
        "yield",
        "await",
        "of",
        "extends",
    ]
)
"""Words after which a slash begins a regular expression."""

_OPENING = frozenset("([{")
"""The brackets that begin a deeper level."""

_CLOSING = frozenset(")]}")
"""The brackets that end it."""

_BEFORE_CONDITION = frozenset(("if", "while", "for", "with"))
"""Words before a parenthesis after which a statement follows, not an operator."""


class Token(NamedTuple):
    """A piece of a script."""

    kind: str
    """SPACE, NAME, TEXT, REGEX or OTHER."""

    text: str
    """The characters of the piece, as in the script."""

    start: int
    """The offset of the first character."""

    depth: int
    """The number of brackets around it; a bracket is outside of itself."""

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)


_STATEMENT_END = Token(OTHER, ";", 0, 0)
"""Stands for the token before a statement; its position does not count."""

_EXPRESSION_START = Token(OTHER, "{", 0, 0)
"""Stands for the token before an expression in a template; its position does not count."""


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens of a script but white space and comments.

    Never raises: bad text is cut somehow. The fixed parts of a template are tokens of the kind
    TEXT; what stands in its braces is cut as usual.
    """
    nesting = _Nesting()
    regular_expressions = _RegexFinder(text)
    position = 0
    previous_token = _STATEMENT_END  # tells whether a slash begins a regular expression
    while position < len(text):
        character = text[position]

        if character == "`" or (character == "}" and nesting.ends_expression()):
            token = _template_part(text, position, nesting)
            position = token.end
            previous_token = token
            if token.text.endswith("${"):
                previous_token = _EXPRESSION_START
            yield token
            continue

        # A regular expression, or any other token.
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

        # A bracket has the depth of the text around it: a closing one is counted before the token
        # is made, an opening one after that.
        ends_condition = False
        if kind == OTHER and piece in _CLOSING:
            ends_condition = nesting.close_bracket(piece)
        token = Token(kind, piece, start, nesting.depth)
        if kind == OTHER and piece in _OPENING:
            nesting.open_bracket(piece, previous_token)
        previous_token = token
        if ends_condition:
            previous_token = _STATEMENT_END  # in "if (a) /x/" a statement follows
        yield token


def _template_part(text: str, position: int, nesting: _Nesting) -> Token:
    """Return a fixed part of a template: from "`" or the "}" of an expression to "${" or "`"."""
    match = _TEMPLATE.match(text, position + 1)
    assert match is not None  # it matches at every position
    depth = nesting.enter_template_part(text[position])
    if match["end"] == "${":
        nesting.begin_expression()
    return Token(TEXT, text[position : match.end()], position, depth)


class _Nesting:
    """The brackets and templates around a position of a script."""

    __slots__ = ("_are_conditions", "_template_depths", "depth")

    def __init__(self) -> None:
        self.depth = 0
        """The number of open brackets; the braces in a template count as well."""
        self._template_depths: list[int] = []
        """The depth of each template in whose braces the position is, the outermost first."""
        self._are_conditions: list[bool] = []
        """For each open parenthesis True if it holds a condition, as behind ``if`` or ``while``."""

    def ends_expression(self) -> bool:
        """Return whether a closing brace here ends an expression in a template."""
        return bool(self._template_depths) and self._template_depths[-1] == self.depth - 1

    def enter_template_part(self, character: str) -> int:
        """Return the depth of the part of a template that begins with a quote or a brace.

        A brace ends an expression, so that the template around it goes on.
        """
        if character == "}":
            self.depth = self._template_depths.pop()
        return self.depth

    def begin_expression(self) -> None:
        """Pass the ``${`` at the end of a part of a template."""
        self._template_depths.append(self.depth)
        self.depth += 1

    def open_bracket(self, bracket: str, previous_token: Token) -> None:
        """Pass an opening bracket, which stands behind ``previous_token``."""
        self.depth += 1
        if bracket == "(":
            self._are_conditions.append(previous_token.text in _BEFORE_CONDITION)

    def close_bracket(self, bracket: str) -> bool:
        """Pass a closing bracket; return whether it ends a condition, such as that of ``if``."""
        self.depth = max(0, self.depth - 1)  # there can be too many in a bad text
        if bracket == ")" and self._are_conditions:
            return self._are_conditions.pop()
        return False


class _RegexFinder:
    """Finds regular expressions, in linear time even in a line of slashes that begin none.

    Each slash is examined up to the end of its line. So after ``MAX_MISSES`` that begin none, the
    others of that line are not examined.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._misses = 0
        """The number of slashes that began none, in the line of the last such slash."""
        self._line_end = 0
        """The offset behind that line; 0 before the first one."""

    def match(self, position: int) -> re.Match[str] | None:
        """Return the regular expression that begins at a slash, None if there is none."""
        is_in_line_of_misses = position < self._line_end
        if is_in_line_of_misses and self._misses >= MAX_MISSES:
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
    """Return whether a value, not an operator, follows a token.

    A } is taken for the end of a block, behind which a statement can begin with a value. It could
    also be the end of an object, which is hardly ever divided.
    """
    return not ends_value(last_token) and last_token.text not in ("++", "--")


def ends_value(token: Token) -> bool:
    """Return whether a token can be the last one of a value, such as a name or a bracket.

    A } is taken for the end of a block.
    """
    if token.kind == NAME:
        return token.text not in _BEFORE_VALUE
    return token.kind != OTHER or token.text in (")", "]")


def text_at(token_list: Sequence[Token], index: int) -> str:
    """Return the text of a token; "" before the first and behind the last one."""
    if 0 <= index < len(token_list):
        return token_list[index].text
    return ""
