"""The tokens of ``.rnd`` scripts: for the parser, and for the editor's unfinished texts.

    [token.type for token in tokenize("LABEL hill = D4 # high")]
    # ["LABEL", "WORD", "EQUAL", "WORD", "COMMENT"]

Every text has tokens: what the language does not know is a token of the type STRANGE or BAD_QUOTE.
Only blanks, tabs and carriage returns are in none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from randomizer.systems.colossus.script.words import KEYWORDS, STATEMENTS, WORD

SUBTRACT = "SUBTRACT"
"""The right spelling of SUBSTRACT, which the game does not know."""

_TOKEN = re.compile(
    rf"""[ \t\r]+
    |(?P<WORD>{WORD})
    |(?P<FPNUMBER>[0-9]+\.[0-9]*)
    |(?P<NUMBER>[0-9]+)
    |(?P<COMMA>,)|(?P<LPAR>\()|(?P<RPAR>\))|(?P<EQUAL>=)|(?P<STAR>\*)|(?P<MINUS>-)
    |(?P<NEWLINE>\n)
    |(?P<COMMENT>\#[^\r\n]*)
    |(?P<QUOTED>"[A-Za-z0-9._\ !?;,:/+=]+")
    |(?P<BAD_QUOTE>"[^"\r\n]*"?)
    |(?P<BYTE_ORDER_MARK>\uFEFF)
    |(?P<STRANGE>[^A-Za-z0-9._"()\#*=,\- \t\r\n\uFEFF]+)""",
    re.VERBOSE,
)
"""Matches one token, whose type is the name of the group, or blanks, which have no group."""

_TYPES_ENDING_RUN = ("COMMA", "COMMENT", "NEWLINE")
"""The types of tokens where no label can stand: not even an invalid one contains them."""


class Token(str):
    """A token: a string of its text, with its type and its position in the script.

    Tokens of the same text are equal, wherever they stand: to find one token among others they are
    compared by identity.
    """

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    """The keyword itself for a keyword, else the name of a group of the pattern.

    A BAD_QUOTE is empty, has characters that quotes cannot hold, or does not end in its line.
    STRANGE are characters that the language does not have.
    """
    start_pos: int
    """The offset of its first character."""
    end_pos: int
    """The offset after its last character."""

    line = column = end_line = end_column = 0
    """Lark demands them; they are 0, because ``Source`` has the lines and columns."""

    def __new__(cls, text: str, type_: str, start_pos: int = 0) -> Token:
        token = super().__new__(cls, text)
        token.type = type_
        token.start_pos = start_pos
        token.end_pos = start_pos + len(text)
        return token

    def __lark_meta__(self) -> Token:
        """Return the token itself: lark takes the offsets of trees from it."""
        return self

    @property
    def is_word(self) -> bool:
        """True for a word or a keyword."""
        return self.type in ("WORD", SUBTRACT, *KEYWORDS)

    @property
    def is_number(self) -> bool:
        """True for a number with or without a dot."""
        return self.type in ("NUMBER", "FPNUMBER")

    @property
    def is_open_quote(self) -> bool:
        """True for a quote that does not end in its line."""
        return self.type == "BAD_QUOTE" and (len(self) == 1 or not self.endswith('"'))

    def touches(self, following: Token) -> bool:
        """Return whether nothing is between this token and ``following``, the next one."""
        return self.end_pos == following.start_pos


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, comments and line ends included."""
    for match in _TOKEN.finditer(text):
        token_text = match[0]
        token_type = match.lastgroup
        if token_type is None:
            continue  # blanks
        if token_type == "WORD" and (token_text in KEYWORDS or token_text == SUBTRACT):
            token_type = token_text
        yield Token(token_text, token_type, match.start())


def statement_rows(tokens_of_text: Iterable[Token]) -> list[list[Token]]:
    """Return the tokens of each statement, valid or not, with the comments in and after it.

    A statement ends with its line, or in front of the keyword of the next statement. Lines of
    comments alone are left out.
    """
    rows: list[list[Token]] = [[]]
    all_tokens = list(tokens_of_text)
    for token, following in zip_longest(all_tokens, all_tokens[1:]):
        if token.type == "NEWLINE":
            rows.append([])
            continue
        if _opens_statement(token, following):
            rows.append([])
        rows[-1].append(token)
    return [row for row in rows if any(token.type != "COMMENT" for token in row)]


def _opens_statement(token: Token, following: Token | None) -> bool:
    """Return whether a statement begins with ``token``."""
    if token.type not in STATEMENTS:
        return False
    # In front of these signs a keyword was meant as the name of a hazard or a label: ``(AREA)``.
    return following is None or following.type not in ("COMMA", "RPAR", "EQUAL")


def label_runs(tokens: Iterable[Token]) -> Iterator[tuple[Token, ...]]:
    """Yield the tokens of each label, or of what stands for one, where it is defined or used.

    That is after LABEL or ``(`` and before ``=`` or ``)``. A valid name is one token, an invalid
    one several that touch one another: ``(north-hill)`` gives "north", "-" and "hill".
    """
    run: list[Token] = []  # the tokens of the label so far
    can_be_label = False  # True after LABEL or "(", until something shows that no label stands here
    for token in tokens:
        touches_run = bool(run) and run[-1].touches(token)
        if token.type in ("RPAR", "EQUAL"):
            if run:
                yield tuple(run)
            run = []
            can_be_label = False
        elif token.type == "LPAR" or (token.type == "LABEL" and not touches_run):
            run = []
            can_be_label = True
        elif can_be_label and token.type not in _TYPES_ENDING_RUN and (touches_run or not run):
            run.append(token)
        else:
            # No label is here; or there is a blank, and these are the items of a list.
            run = []
            can_be_label = False
