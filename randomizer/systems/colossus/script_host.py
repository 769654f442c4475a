"""The script host of ``.rnd``: ``ScriptHost`` and all its optional protocols (``script_hosts``).

Each function imports what it needs when it is called, since parser and lint are slow to import.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from randomizer.generator import NamedCells
from randomizer.model.language import Completion, TextPlace, line_pieces
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Fix, Problem
from randomizer.systems.colossus.generator import from_text, packaged
from randomizer.systems.colossus.script.syntax import Span
from randomizer.systems.colossus.script.words import KEYWORDS

__all__ = [
    "KEYWORDS",
    "PIECES",
    "RAW_LINES",
    "SUFFIXES",
    "check",
    "completions",
    "decode",
    "definition",
    "from_text",
    "help_at",
    "named_cells",
    "packaged",
    "problem_help",
    "references",
    "rename",
    "shortest_list",
]

SUFFIXES = (".rnd",)
PIECES = line_pieces("#", r'"[^"]*"?', r"[^\W\d][\w.]*", r"\d+(?:\.\d*)?")
RAW_LINES: tuple[str, str] | None = None


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """The text of a script file's bytes, and problems of the bytes."""
    from randomizer.systems.colossus.script.script_file import decode_script

    return decode_script(data, path)


def check(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a script, in the order of the text."""
    from randomizer.systems.colossus.script.lint import check_script

    return check_script(text, path)


def named_cells(text: str) -> tuple[NamedCells, ...]:
    """The cells that places of a script refer to; the narrower of two places comes later."""
    from randomizer.systems.colossus.script.named_hexes import named_hexes

    return named_hexes(text)


def problem_help(code: str) -> str | None:
    """An explanation of a problem with a script, None for other problems."""
    from randomizer.systems.colossus.script.source import problem_help as sentence

    return sentence(code)


def completions(
    text: str, line: int, column: int, _texts: Mapping[str, str] = NO_TEXTS
) -> tuple[Completion, ...]:
    """The words that can stand before a place of a script, the best first."""
    from randomizer.systems.colossus.script.completions import completions as fitting

    return fitting(text, line, column)


def help_at(text: str, line: int, column: int, _texts: Mapping[str, str] = NO_TEXTS) -> str | None:
    """Help on the word at a place, None where there is none."""
    from randomizer.systems.colossus.script.completions import help_at as sentence

    return sentence(text, line, column)


def definition(text: str, line: int, column: int) -> TextPlace | None:
    """The place where the label at a place was set; None for other places and undefined labels."""
    from randomizer.systems.colossus.script.labels import definition as found
    from randomizer.systems.colossus.script.source import source_of

    source = source_of(text)
    place = found(source, line, column)
    return None if place is None else _place(source.span(*place))


def references(text: str, line: int, column: int) -> tuple[TextPlace, ...]:
    """The places that define or use the label at a place; none for other places."""
    from randomizer.systems.colossus.script.labels import references as found

    return tuple(_place(span) for span in found(text, line, column))


def rename(text: str, line: int, column: int, new_name: str) -> Fix:
    """The edits that rename the label at a place everywhere. Raises ProblemError: why not."""
    from randomizer.systems.colossus.script.labels import rename as fix

    return fix(text, line, column, new_name)


def shortest_list(cells: Iterable[int]) -> str:
    """The shortest list of the language for exactly these cells; "" for none."""
    from randomizer.systems.colossus.script.shortest_list import shortest_list as written

    return written(cells)


def _place(span: Span) -> TextPlace:
    return TextPlace(span.line, span.column, span.end_line, span.end_column)
