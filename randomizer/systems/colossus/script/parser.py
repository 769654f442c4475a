"""Reading a randomizer script: text in, syntax tree and problems out.

A script is cut into statements (at line ends, and where the next statement's keyword stands), and
each is parsed by itself: a bad one is left out and costs one problem, the others are kept. The game
gives up at the first bad statement; what is good means the same to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.systems.colossus.script import statement_mistakes as mistakes
from randomizer.systems.colossus.script.parse_failure import Refusal
from randomizer.systems.colossus.script.source import Source, in_order_of_text, replace
from randomizer.systems.colossus.script.statement_tokens import Chunk, bounds
from randomizer.systems.colossus.script.syntax import Area, Pair, Script, Statement
from randomizer.systems.colossus.script.tree_reader import TreeReader
from randomizer.systems.colossus.script.words import PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import HEXSIDE_NAMES

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

DEEPEST = 50
"""How many parentheses may be open at once; no map needs five."""

CONTINUATION_LINES = 6
CONTINUATION_TOKENS = 500
"""How many lines, and how much of them, are tried as the rest of a statement that was broken."""

MOST_PROBLEMS = 200
"""Where reading stops: this is another kind of file."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a script says, and what is wrong with how it says it, in the order of the text."""

    script: Script
    problems: tuple[Problem, ...]


def parse(text: str, path: str | None = None) -> Parsed:
    """Read a script; every text gives a result. Problems are said of the file ``path``."""
    return _Parse(Source(text, path)).run()


@cache
def grammar() -> Lark:
    """The grammar, built at first use: lark is not imported before (facts: first paint).

    Its tables are made again by every process, in 35 ms. Lark would keep them in a file, but as a
    pickle, which runs what a stranger wrote there.
    """
    from lark import Lark

    text = (
        resources.files("randomizer.systems.colossus.script")
        .joinpath("rnd.lark")
        .read_text("utf-8")
    )
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=["statement", "between"],
        propagate_positions=True,
        maybe_placeholders=False,
    )


class _Parse:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.statements: list[Statement] = []
        self.labels = frozenset(PREDEFINED_LABELS)

    def run(self) -> Parsed:
        tokens = self._without_byte_order_mark(list(grammar().lex(self.source.text)))
        self.labels |= {
            str(name)
            for word, name in pairwise(tokens)
            if word.type == "LABEL" and name.type == "WORD"
        }
        chunks = [Chunk(self.source, row, self.labels) for row in self._cut(tokens)]
        index = 0
        while index < len(chunks):
            if len(self.problems) >= MOST_PROBLEMS:
                self.problems.append(
                    chunks[index].problem("too-many-problems", chunks[index].tokens)
                )
                break
            index += self._read(chunks[index : index + 1 + CONTINUATION_LINES])
        return Parsed(Script(tuple(self.statements)), in_order_of_text(self.problems))

    def _without_byte_order_mark(self, tokens: list[Token]) -> list[Token]:
        if tokens and tokens[0].type == "BYTE_ORDER_MARK":
            place = self.source.span(0, 1)
            self.problems.append(
                self.source.problem("byte-order-mark", place, [replace(place, "")])
            )
            return tokens[1:]
        return tokens

    def _cut(self, tokens: list[Token]) -> list[list[Token]]:
        """The rows of tokens that are statements, or should be."""
        rows: list[list[Token]] = []
        row: list[Token] = []
        comment: Token | None = None
        for index, token in enumerate(tokens):
            following = tokens[index + 1].type if index + 1 < len(tokens) else ""
            if token.type == "COMMENT":
                comment = token
                continue
            if row and (token.type == "NEWLINE" or _opens_statement(token, following)):
                rows.append(row)
                row = []
            if token.type != "NEWLINE":
                if row and comment is not None:
                    place = self.source.span(*bounds(comment))
                    self.problems.append(self.source.problem("comment-inside-statement", place))
                row.append(token)
            comment = None
        return [*rows, row] if row else rows

    def _read(self, chunks: Sequence[Chunk]) -> int:
        """Read the first chunk, and those behind it that belong to it; gives how many they were."""
        statement, problems = read_chunk(chunks[0])
        rest = 1
        while rest < len(chunks) and not _is_statement(chunks[rest]):
            rest += 1
        for count in range(rest, 1, -1) if _is_statement(chunks[0]) else ():
            tokens = [token for chunk in chunks[:count] for token in chunk.tokens]
            if len(tokens) > CONTINUATION_TOKENS:
                continue
            joined = Chunk(self.source, tokens, self.labels)
            whole, found = read_chunk(joined)
            if not has_errors(found) and not _is_other_text(whole):
                problems = [mistakes.broken_over_lines(chunks[:count])]
                break
        else:
            count = 1
        if statement is not None:  # the first line alone may be one
            self.statements.append(statement)
        self.problems += problems
        return count


def read_chunk(chunk: Chunk) -> tuple[Statement | None, list[Problem]]:
    """The statement that ``chunk`` is and warnings about it, or None and one error."""
    reader = TreeReader(chunk)
    try:
        return reader.statement(_tree_of(chunk)), reader.warnings
    except ProblemError as wrong:
        return None, list(wrong.problems)


def _tree_of(chunk: Chunk) -> Tree[Token]:
    from lark import Token, UnexpectedToken

    if not _is_statement(chunk):
        raise ProblemError(mistakes.no_statement(chunk))
    _check_depth(chunk)
    state = grammar().parse_interactive(start="statement")
    end = Token.new_borrow_pos("$END", "", chunk.tokens[-1])
    for index, token in enumerate([*chunk.tokens, end]):
        try:
            tree = state.feed_token(token)
        except UnexpectedToken:
            # The refused token may have reduced the stack already: ask the state before it.
            before = grammar().parse_interactive(start="statement")
            for good in chunk.tokens[:index]:
                before.feed_token(good)
            raise ProblemError(mistakes.explain(Refusal(chunk, index, before))) from None
    result: Tree[Token] = tree
    return result


def _check_depth(chunk: Chunk) -> None:
    depth = 0
    for token in chunk.tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth > DEEPEST:
            raise ProblemError(chunk.problem("nested-too-deep", token))


def _is_statement(chunk: Chunk) -> bool:
    return chunk.tokens[0].type in STATEMENTS


def _is_other_text(statement: Statement | None) -> bool:
    """Whether words were taken for hazards or hexsides that are none, so that it is just text."""
    match statement:
        case Area(hazards=hazards):
            return not all(hazard.known for hazard in hazards)
        case Pair(choices=choices):
            return not all(choice.letter in HEXSIDE_NAMES for choice in choices)
    return False


def _opens_statement(token: Token, following: str) -> bool:
    """Whether a statement begins here. No statement goes on with ``,``, ``)`` or ``=``.

    (Where one of those follows, the keyword was meant as the name of a hazard or a label.)
    """
    return token.type in STATEMENTS and following not in ("COMMA", "RPAR", "EQUAL")
