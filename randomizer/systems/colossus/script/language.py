"""The language of ``.rnd`` scripts, as the script editor asks about it.

    LABEL shore = SURROUNDINGSOF((usedup))
    AREA (shore) HAZARDS Bog Tree,75.

``Language`` documents the methods; each passes its question on to a module of this folder. Modules
that need the parser are imported when a method needs them, because they are slow to import. Lines
and columns are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from randomizer.languages.language import (
    Completion,
    Language,
    NamedCells,
    SourceText,
    TextPlace,
    TextToken,
    TokenKind,
)
from randomizer.model.problems import Problem
from randomizer.systems.colossus.script import completions as completions_of_text
from randomizer.systems.colossus.script import message_texts
from randomizer.systems.colossus.script.label_definitions import definition, label_at
from randomizer.systems.colossus.script.source import source_of
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.tokens import tokenize
from randomizer.systems.colossus.script.words import (
    KEYWORDS,
    PREDEFINED_LABELS,
    WordKind,
    is_word,
    kind_of,
)

_KINDS: dict[str, TokenKind] = {
    **dict.fromkeys(KEYWORDS, TokenKind.KEYWORD),
    "COMMENT": TokenKind.COMMENT,
    **dict.fromkeys(("QUOTED", "BAD_QUOTE"), TokenKind.QUOTED),
    **dict.fromkeys(("NUMBER", "FPNUMBER"), TokenKind.NUMBER),
}
"""The kinds of tokens that the editor highlights, by the types of ``tokenize``."""

_WHY_NO_LABEL = {
    WordKind.HEX: "is a hex",
    WordKind.KEYWORD: "is a keyword",
    WordKind.LIVE_LABEL: "is set by every AREA",
    WordKind.SMALL_LETTER: "is too short: a name has at least two characters",
    WordKind.CAPITAL: "is too short: a name has at least two characters",
}
"""The reason why words of a kind cannot be the name of a label, as the end of a sentence."""


class RndLanguage(Language):
    """Statements of one line each, which name hexes by labels."""

    manual_page = "language.md"
    keywords = KEYWORDS

    def tokens(self, line: str) -> Iterator[TextToken]:
        for token in tokenize(line):
            kind = _KINDS.get(token.type)
            if kind is not None:
                yield TextToken(kind, token.start_pos, token.end_pos)

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        from randomizer.systems.colossus.script.lint import check_script

        return check_script(source.text, source.path)

    def problem_help(self, code: str) -> str | None:
        return message_texts.problem_help(code)

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        return completions_of_text.completions(source.text, line, column)

    def help_at(self, source: SourceText, line: int, column: int) -> str | None:
        return completions_of_text.help_at(source.text, line, column)

    def definition(self, source: SourceText, line: int, column: int) -> TextPlace | None:
        script = source_of(source.text)
        offsets = definition(script, line, column)
        if offsets is None:
            return None
        return _text_place(script.span(*offsets))

    def references(self, source: SourceText, line: int, column: int) -> tuple[TextPlace, ...]:
        script = source_of(source.text)
        label = label_at(script, line, column)
        if label is None:
            return ()
        return tuple(_text_place(span) for span in script.label_places[label.name])

    def name_fault(self, source: SourceText, name: str, new_name: str) -> str:
        if name in PREDEFINED_LABELS:
            return f"{name} is a label of the language and keeps its name"
        if not is_word(new_name):
            return "a name is letters, digits, dots and underlines, and no digit first"
        kind = kind_of(new_name)
        if kind in _WHY_NO_LABEL:
            return f"{new_name} {_WHY_NO_LABEL[kind]}"
        labels = (*source_of(source.text).label_places, *PREDEFINED_LABELS)
        is_taken = new_name in labels and new_name != name
        if is_taken:
            return f"there is a label {new_name} already"
        return ""

    def named_cells(self, source: SourceText) -> tuple[NamedCells, ...]:
        from randomizer.systems.colossus.script.named_lists import named_hexes

        return named_hexes(source.text)

    def cell_list(self, cells: Iterable[int]) -> str:
        from randomizer.systems.colossus.script.shortest_list import shortest_list

        return shortest_list(cells)


def _text_place(span: Span) -> TextPlace:
    """Return the span of a script in the form that languages share."""
    return TextPlace(span.line, span.column, span.end_line, span.end_column)
