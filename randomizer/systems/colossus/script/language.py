"""The language of ``.rnd`` scripts. What needs the parser is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from randomizer.languages.language import (
    Completion,
    Language,
    NamedCells,
    TextPlace,
    TextToken,
    TokenKind,
)
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Fix, Problem
from randomizer.systems.colossus.script import completions, labels
from randomizer.systems.colossus.script.source import problem_help, source_of
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import tokens
from randomizer.systems.colossus.script.words import KEYWORDS

_KINDS = {
    **dict.fromkeys(KEYWORDS, TokenKind.KEYWORD),
    "COMMENT": TokenKind.COMMENT,
    **dict.fromkeys(("QUOTED", "BAD_QUOTE"), TokenKind.QUOTED),
    **dict.fromkeys(("NUMBER", "FPNUMBER"), TokenKind.NUMBER),
}


class RndLanguage(Language):
    """Statements of one line each, which name hexes by labels."""

    keywords = KEYWORDS

    def tokens(self, line: str) -> Iterator[TextToken]:
        for token in tokens(line):
            kind = _KINDS.get(token.type)
            if kind is not None:
                yield TextToken(kind, token.start_pos, token.end_pos)

    def check(
        self,
        text: str,
        script: str = "",
        texts: Mapping[str, str] = NO_TEXTS,
        path: str | None = None,
    ) -> tuple[Problem, ...]:
        from randomizer.systems.colossus.script.lint import check_script

        return check_script(text, path)

    def problem_help(self, code: str) -> str | None:
        return problem_help(code)

    def completions(
        self, text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS
    ) -> tuple[Completion, ...]:
        return completions.completions(text, line, column)

    def help_at(
        self, text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS
    ) -> str | None:
        return completions.help_at(text, line, column)

    def definition(self, text: str, line: int, column: int) -> TextPlace | None:
        source = source_of(text)
        place = labels.definition(source, line, column)
        return None if place is None else _text_place(source.span(*place))

    def references(self, text: str, line: int, column: int) -> tuple[TextPlace, ...]:
        return tuple(map(_text_place, labels.references(text, line, column)))

    def rename(self, text: str, line: int, column: int, new_name: str) -> Fix:
        return labels.rename(text, line, column, new_name)

    def named_cells(self, text: str) -> tuple[NamedCells, ...]:
        from randomizer.systems.colossus.script.named_hexes import named_hexes

        return named_hexes(text)

    def cell_list(self, cells: Iterable[int]) -> str:
        from randomizer.systems.colossus.script.shortest_list import shortest_list

        return shortest_list(cells)


def _text_place(span: Span) -> TextPlace:
    return TextPlace(span.line, span.column, span.end_line, span.end_column)
