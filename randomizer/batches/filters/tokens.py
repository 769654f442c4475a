"""The tokens of a filter, and the problems of its mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple, NoReturn

from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit, place_of

_TOKENS = re.compile(
    r"""\s+
    | (?P<number> -?\d+(?:\.\d+)?(?!\w) )
    | (?P<word> \w+(?:-\w+)* )
    | "(?P<quoted> [^"]+ )"
    | (?P<sign> <=|>=|!=|==|=<|=>|<>|&&|\|\||[≤≥≠=<>():,/%&|!] )
    | (?P<other> . )""",
    re.VERBOSE,
)
_SAME_SIGN = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}
_MEANT = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not ",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
}
"""Signs of other languages and their equivalents here."""
_HELP = {
    "and": "both hold",
    "or": "one of both holds, or both do",
    "not": "the opposite holds",
    "in": "one of several",
    "(": "brackets hold together",
    ")": "the end of what is in brackets",
    ",": "one more",
    "=": "is",
    "!=": "is not",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "none": "no hexside",
}


class Token(NamedTuple):
    """A piece of the text: its kind (number, word, quoted, sign, other, end), its text (without
    quotation marks) and its character range.
    """

    kind: str
    text: str
    start: int
    end: int


KEYWORDS = ("and", "or", "not", "in")


def quoted(name: str) -> str:
    """Return a name as it is typed: in quotation marks if it would not be read as one name
    otherwise.
    """
    matches = list(_TOKENS.finditer(name))
    texts = [word[0] for word in matches if word.lastgroup]
    plain = (
        all(word.lastgroup in (None, "word") for word in matches)
        and " ".join(texts) == name
        and not {word.casefold() for word in texts} & {*KEYWORDS, "elevation"}
    )
    if plain:
        return name
    return f'"{name}"'


class Tokens:
    """A cursor over the tokens of a filter.

    ``lacking`` maps what could follow at the end of the text to its meaning, ``lacking_cells`` are
    the cells that could; completion uses them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lacking: dict[str, str] = {}
        self.lacking_cells: set[str] = set()
        self._tokens = [
            Token(str(match.lastgroup), match[match.lastgroup], match.start(), match.end())
            for match in _TOKENS.finditer(text)
            if match.lastgroup
        ]
        self._tokens.append(Token("end", "", len(text), len(text)))
        self._at = 0

    @property
    def next(self) -> Token:
        """The next token; at the end of the text an empty one."""
        return self._tokens[self._at]

    @property
    def before(self) -> Token:
        """The token taken last."""
        return self._tokens[max(self._at - 1, 0)]

    def take(self) -> Token:
        """Return the next token and move on."""
        token = self.next
        self._at += 1
        return token

    def is_next(self, text: str) -> bool:
        """Return whether ``text`` comes next, ignoring case."""
        result = self.next.text.casefold()
        return _SAME_SIGN.get(result, result) == text and self.next.kind != "quoted"

    def takes(self, text: str, *, offered: bool = True) -> bool:
        """Take ``text`` if it comes next; whether it did."""
        if offered:
            self.offer({text: _HELP.get(text, "")})
        if self.is_next(text):
            self._at += 1
            return True
        return False

    def calls(self, name: str) -> bool:
        """Take ``name`` and the opening bracket after it if they come next; whether they did."""
        if self.is_next(name) and self._tokens[self._at + 1].text == "(":
            self._at += 2
            return True
        return False

    def needs(self, text: str) -> None:
        """Take ``text``. Raises ProblemError if something else comes."""
        if not self.takes(text):
            self.fail(self.next, f"“{text}” is wanted here")

    def offer(self, words: Mapping[str, str]) -> None:
        """Note at the end of the text that one of ``words`` could come next."""
        if self.next.kind == "end":
            self.lacking.update(words)

    # --- mistakes -----------------------------------------------------------------------------

    def fail(
        self, start: Token, message: str, fix: Fix | None = None, end: Token | None = None
    ) -> NoReturn:
        """Raise the ProblemError for the tokens ``start`` to ``end``."""
        meant = _MEANT.get(start.text)
        if meant is not None and fix is None:
            message = f"“{start.text}” is no sign here; `{meant.strip()}` was probably meant"
            fix = self.replacing(start, start, meant)
        line, column = place_of(self.text, start.start)
        end_line, end_column = place_of(self.text, max((end or start).end, start.start))
        problem = Problem(
            Severity.ERROR,
            "filter",
            message,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            fix=fix,
        )
        raise ProblemError(problem)

    def fail_unknown(self, start: Token, noun: str, name: str, names: Iterable[str]) -> NoReturn:
        """Raise the ProblemError for an unknown ``name``, with the closest known one as its fix."""
        folded = {known_name.casefold(): known_name for known_name in names}
        close = get_close_matches(name.casefold(), folded, 1, 0.6)
        if close:
            fix = self.replacing(start, self.before, folded[close[0]])
        else:
            fix = None
        if close:
            advice = ""
        else:
            advice = f" (there are: {', '.join(folded.values())})"
        self.fail(start, f"{noun} “{name}”{advice}", fix, self.before)

    def replacing(self, start: Token, end: Token, text: str) -> Fix:
        """Return the fix that replaces the tokens ``start`` to ``end`` with ``text``."""
        span = (*place_of(self.text, start.start), *place_of(self.text, end.end))
        return Fix(f"Write `{text.strip()}`", (TextEdit(*span, text),))

    def inserting(self, token: Token, text: str) -> Fix:
        """Return the fix that inserts ``text`` after a token."""
        position = place_of(self.text, token.end)
        return Fix(f"Add `{text.strip()}`", (TextEdit(*position, *position, text),))
