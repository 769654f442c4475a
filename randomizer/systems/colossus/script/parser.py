"""Parser of randomizer scripts: text in, syntax tree and problems out.

    parsed = parse("AREA D4 HAZARDS Bog")
    parsed.script.statements[0].hazards[0].name      # "Bog"

A script is cut into statements, at line ends and in front of the keywords of statements. Each is
parsed by itself with the grammar in ``rnd.lark``. A bad statement is left out and costs one
problem; the others are kept. The game stops at the first bad statement; for good scripts both give
the same.

``_ScriptParser.run`` is the place to begin reading. The tokens of a statement, or of a part of a
statement that is broken over lines, are a *row*; ``StatementTokens`` holds one.
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
from randomizer.systems.colossus.script.parse_failure import ParseFailure, feed_token
from randomizer.systems.colossus.script.source import Source, in_order_of_text, replacement_edit
from randomizer.systems.colossus.script.statement_tokens import StatementTokens
from randomizer.systems.colossus.script.syntax import Area, Pair, Script, Statement
from randomizer.systems.colossus.script.tokens import Token, statement_rows
from randomizer.systems.colossus.script.tree_reader import TreeReader
from randomizer.systems.colossus.script.words import PREDEFINED_LABELS, STATEMENTS
from randomizer.systems.colossus.terrain_set import HEXSIDE_NAMES

if TYPE_CHECKING:
    from lark import Lark, Tree

LARGEST_DEPTH = 50
"""The largest number of open parentheses; no map needs five.

If it is a few hundred, the recursive functions that evaluate lists run out of stack.
"""

CONTINUATION_LINES = 6
"""The number of lines that are tried as the rest of a statement that is broken over lines.

If it is larger, files that are no scripts take longer: every prefix of the lines is parsed.
"""

CONTINUATION_TOKENS = 500
"""The number of tokens that a statement broken over lines can have; as for its lines."""

PROBLEM_LIMIT = 200
"""The number of problems after which parsing stops: it is another kind of file.

If it is larger, a file of another kind fills the list of problems with lines that say the same.
"""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed script and its problems."""

    script: Script
    """The statements that could be parsed."""

    problems: tuple[Problem, ...]
    """Errors and warnings in the order of the text."""


def parse(text: str, path: str | None = None) -> Parsed:
    """Parse a script; every text gives a result. Problems have the file ``path``."""
    return _ScriptParser(Source(text, path)).run()


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


class _ScriptParser:
    """Parses one script and collects its statements and problems."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        """The problems so far."""
        self.statements: list[Statement] = []
        """The valid statements so far."""
        self.labels = frozenset({*PREDEFINED_LABELS, *_defined_labels(source.tokens)})
        """The names that the script can use as labels."""

    def run(self) -> Parsed:
        """Parse the whole script."""
        tokens = self._without_byte_order_mark(self.source.tokens)
        rows = []
        for tokens_with_comments in statement_rows(tokens):
            tokens_of_row = self._report_and_drop_comments(tokens_with_comments)
            rows.append(StatementTokens(self.source, tokens_of_row, self.labels))
        index = 0
        while index < len(rows):
            if len(self.problems) >= PROBLEM_LIMIT:
                self.problems.append(rows[index].problem("too-many-problems", rows[index].tokens))
                break
            # Most statements are one row; the rows behind it can be the rest of a broken one.
            next_rows = rows[index : index + 1 + CONTINUATION_LINES]
            row_count = self._row_count_of_statement(next_rows)
            self._add_statement(next_rows[:row_count])
            index += row_count
        script = Script(tuple(self.statements), self.source.text)
        return Parsed(script, in_order_of_text(self.problems))

    def _without_byte_order_mark(self, tokens: Sequence[Token]) -> Sequence[Token]:
        """Return the tokens without a byte order mark at the start, and report such a mark."""
        if not tokens or tokens[0].type != "BYTE_ORDER_MARK":
            return tokens
        span = self.source.span(0, 1)
        problem = self.source.problem("byte-order-mark", span, [replacement_edit(span, "")])
        self.problems.append(problem)
        return tokens[1:]

    def _report_and_drop_comments(self, tokens: Sequence[Token]) -> Sequence[Token]:
        """Return the tokens of a statement without comments, and report a comment inside it.

        There can be one in files whose lines end with CR alone: a comment ends there, but a
        statement does not.
        """
        others = [token for token in tokens if token.type != "COMMENT"]
        first = others[0].start_pos
        last = others[-1].start_pos
        for token in tokens:
            if token.type == "COMMENT" and first < token.start_pos < last:
                span = self.source.span(token.start_pos, token.end_pos)
                self.problems.append(self.source.problem("comment-inside-statement", span))
        return others

    def _add_statement(self, rows: Sequence[StatementTokens]) -> None:
        """Parse the first of these rows, and add its statement and its problems.

        Further rows continue the statement. Breaking a statement over lines is a problem; but if
        the first row alone is valid, its statement is kept.
        """
        statement, problems = parse_statement(rows[0])
        if len(rows) > 1:
            problems = [mistakes.broken_over_lines(rows)]
        if statement is not None:
            self.statements.append(statement)
        self.problems += problems

    def _row_count_of_statement(self, rows: Sequence[StatementTokens]) -> int:
        """Return the largest number of rows, from the first on, that are one valid statement.

        It is 1 if no rows together are valid.
        """
        if not _begins_with_keyword(rows[0]):
            return 1
        row_limit = 1
        while row_limit < len(rows) and not _begins_with_keyword(rows[row_limit]):
            row_limit += 1
        for row_count in range(row_limit, 1, -1):
            tokens: list[Token] = []
            for row in rows[:row_count]:
                tokens += row.tokens
            if len(tokens) > CONTINUATION_TOKENS:
                continue
            joined = StatementTokens(self.source, tokens, self.labels)
            statement, problems = parse_statement(joined)
            if not has_errors(problems) and not _has_unknown_words(statement):
                return row_count
        return 1


def _defined_labels(tokens: Sequence[Token]) -> set[str]:
    """Return the names after the keyword LABEL."""
    return {
        str(name)
        for keyword, name in pairwise(tokens)
        if keyword.type == "LABEL" and name.type == "WORD"
    }


def parse_statement(row: StatementTokens) -> tuple[Statement | None, list[Problem]]:
    """Return the parsed statement and warnings about it, or None and one error."""
    reader = TreeReader(row)
    try:
        return reader.statement(_tree_of(row)), reader.warnings
    except ProblemError as error:
        return None, list(error.problems)


def _tree_of(row: StatementTokens) -> Tree[Token]:
    """Return the tree that the grammar gives. Raises ProblemError with one error."""
    from lark import UnexpectedToken

    if not _begins_with_keyword(row):
        raise ProblemError(mistakes.no_statement(row))
    _check_depth(row)
    parser = grammar().parse_interactive(start="statement")
    end = Token("", "$END", row.tokens[-1].end_pos)
    for index, token in enumerate([*row.tokens, end]):
        try:
            tree = feed_token(parser, token)
        except UnexpectedToken:
            # ``parser`` may have changed before it rejected the token (an LALR parser reduces its
            # stack first). So another parser is fed with the tokens before it.
            parser_before = grammar().parse_interactive(start="statement")
            for accepted_token in row.tokens[:index]:
                feed_token(parser_before, accepted_token)
            raise ProblemError(mistakes.explain(ParseFailure(row, index, parser_before))) from None
    # The last token is $END, for which the tree is returned. (The type is for the type checker.)
    tree_of_statement: Tree[Token] = tree
    return tree_of_statement


def _check_depth(row: StatementTokens) -> None:
    """Raise ProblemError if more than ``LARGEST_DEPTH`` parentheses are open at some token."""
    depth = 0
    for token in row.tokens:
        if token.type == "LPAR":
            depth += 1
        elif token.type == "RPAR":
            depth -= 1
        if depth > LARGEST_DEPTH:
            raise ProblemError(row.problem("nested-too-deep", token))


def _begins_with_keyword(row: StatementTokens) -> bool:
    """Return whether the tokens begin with the keyword of a statement."""
    return row.tokens[0].type in STATEMENTS


def _has_unknown_words(statement: Statement | None) -> bool:
    """Return whether a statement has hazards or hexsides that the game does not have.

    The grammar takes any word for one. Without this test any text after an AREA or a PAIR would
    continue it.
    """
    match statement:
        case Area(hazards=hazards):
            return not all(hazard.is_known for hazard in hazards)
        case Pair(choices=choices):
            return not all(choice.letter in HEXSIDE_NAMES for choice in choices)
    return False
