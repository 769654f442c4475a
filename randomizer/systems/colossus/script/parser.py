"""Parser of randomizer scripts: text in, syntax tree and problems out.

A script is cut into statements (at line ends, and where the next statement's keyword is), and each
is parsed by itself: a bad one is left out and costs one problem, the others are kept. The game
stops at the first bad statement; for good scripts both give the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.systems.colossus.script import statement_mistakes as mistakes
from randomizer.systems.colossus.script.parse_failure import ParseFailure, feed
from randomizer.systems.colossus.script.source import Source, in_order_of_text, replace
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, bounds
from randomizer.systems.colossus.script.syntax import Area, Pair, Script, Statement
from randomizer.systems.colossus.script.tokens import Token, statement_rows
from randomizer.systems.colossus.script.tree_reader import TreeReader
from randomizer.systems.colossus.script.words import PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import HEXSIDE_NAMES

if TYPE_CHECKING:
    from lark import Lark, Tree

DEEPEST = 50
"""The largest number of open parentheses; no map needs five."""

CONTINUATION_LINES = 6
CONTINUATION_TOKENS = 500
"""How many lines, and tokens of them, are tried as the rest of a broken statement."""

MOST_PROBLEMS = 200
"""The number of problems after which parsing stops: it is another kind of file."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed script and its problems, in the order of the text."""

    script: Script
    problems: tuple[Problem, ...]


def parse(text: str, path: str | None = None) -> Parsed:
    """Parse a script; every text gives a result. Problems have the file ``path``."""
    return _Parse(Source(text, path)).run()


@registered(count=1, bytes_each=300 * KB)
@cache
def grammar() -> Lark:
    """Return the grammar, built at first use: lark is not imported before the first paint.

    Building the tables takes 35 ms in every process. Lark could cache them in a file, but as a
    pickle, which could execute foreign code.
    """
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """The parser is fed with tokens."""

        def __init__(self, _conf: object) -> None:
            pass

        def lex(self, lexer_state: object, parser_state: object) -> Iterator[NoReturn]:
            raise NotImplementedError

    text = (
        resources.files("randomizer.systems.colossus.script")
        .joinpath("rnd.lark")
        .read_text("utf-8")
    )
    return Lark(
        text,
        parser="lalr",
        lexer=NoLexer,
        start="statement",
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
        tokens = self._without_byte_order_mark(self.source.tokens)
        self.labels |= {
            str(name)
            for word, name in pairwise(tokens)
            if word.type == "LABEL" and name.type == "WORD"
        }
        rows = map(self._without_comments, statement_rows(tokens))
        raws = [StatementTokens(self.source, row, self.labels) for row in rows]
        index = 0
        while index < len(raws):
            if len(self.problems) >= MOST_PROBLEMS:
                self.problems.append(raws[index].problem("too-many-problems", raws[index].tokens))
                break
            index += self._read(raws[index : index + 1 + CONTINUATION_LINES])
        script = Script(tuple(self.statements), self.source.text)
        return Parsed(script, in_order_of_text(self.problems))

    def _without_byte_order_mark(self, tokens: Sequence[Token]) -> Sequence[Token]:
        if tokens and tokens[0].type == "BYTE_ORDER_MARK":
            place = self.source.span(0, 1)
            self.problems.append(
                self.source.problem("byte-order-mark", place, [replace(place, "")])
            )
            return tokens[1:]
        return tokens

    def _without_comments(self, row: Sequence[Token]) -> Sequence[Token]:
        """Return the tokens of a statement; a comment inside, after which a CR ends a line, is
        told.
        """
        code = [token for token in row if token.type != "COMMENT"]
        for token in row:
            if token.type == "COMMENT" and code[0].start_pos < token.start_pos < code[-1].start_pos:
                place = self.source.span(*bounds(token))
                self.problems.append(self.source.problem("comment-inside-statement", place))
        return code

    def _read(self, raws: Sequence[StatementTokens]) -> int:
        """Parse the first statement, with those after it that continue it; returns their number."""
        statement, problems = parse_statement(raws[0])
        rest = 1
        while rest < len(raws) and not _is_statement(raws[rest]):
            rest += 1
        for count in range(rest, 1, -1) if _is_statement(raws[0]) else ():
            tokens = [token for raw in raws[:count] for token in raw.tokens]
            if len(tokens) > CONTINUATION_TOKENS:
                continue
            joined = StatementTokens(self.source, tokens, self.labels)
            whole, statement_problems = parse_statement(joined)
            if not has_errors(statement_problems) and not _is_other_text(whole):
                problems = [mistakes.broken_over_lines(raws[:count])]
                break
        else:
            count = 1
        if statement is not None:  # the first line alone can be a statement
            self.statements.append(statement)
        self.problems += problems
        return count


def parse_statement(raw: StatementTokens) -> tuple[Statement | None, list[Problem]]:
    """Return the parsed statement and warnings about it, or None and one error."""
    reader = TreeReader(raw)
    try:
        return reader.statement(_tree_of(raw)), reader.warnings
    except ProblemError as wrong:
        return None, list(wrong.problems)


def _tree_of(raw: StatementTokens) -> Tree[Token]:
    from lark import UnexpectedToken

    if not _is_statement(raw):
        raise ProblemError(mistakes.no_statement(raw))
    _check_depth(raw)
    state = grammar().parse_interactive(start="statement")
    end = Token("", "$END", raw.tokens[-1].end_pos)
    for index, token in enumerate([*raw.tokens, end]):
        try:
            tree = feed(state, token)
        except UnexpectedToken:
            # The rejected token can have reduced the stack already: use the state before it.
            before = grammar().parse_interactive(start="statement")
            for good in raw.tokens[:index]:
                feed(before, good)
            raise ProblemError(mistakes.explain(ParseFailure(raw, index, before))) from None
    result: Tree[Token] = tree
    return result


def _check_depth(raw: StatementTokens) -> None:
    depth = 0
    for token in raw.tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth > DEEPEST:
            raise ProblemError(raw.problem("nested-too-deep", token))


def _is_statement(raw: StatementTokens) -> bool:
    return raw.tokens[0].type in STATEMENTS


def _is_other_text(statement: Statement | None) -> bool:
    """Return whether words were taken for unknown hazards or hexsides, so that it is only text."""
    match statement:
        case Area(hazards=hazards):
            return not all(hazard.is_known for hazard in hazards)
        case Pair(choices=choices):
            return not all(choice.letter in HEXSIDE_NAMES for choice in choices)
    return False
