"""The script host of ``.per``: periods, in files of Latin-1 text that can include others.

Each function imports what it needs when it is called: the language is not needed to offer it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.model.language import Completion, TextPlace, line_pieces
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Fix, Problem, Severity
from randomizer.systems.xconq.header import PERIOD_ALONE, PERIOD_SUFFIX, read_header, sections_of
from randomizer.systems.xconq.header import decode as decode  # part of every host
from randomizer.systems.xconq.header import encode as encode

if TYPE_CHECKING:
    from randomizer.systems.xconq.generator import PeriodGenerator

SUFFIXES = (PERIOD_SUFFIX, ".map", ".scn")
"""The usual one first; any mapfile with a period and nothing else is one."""

PIECES = line_pieces(";", r'"[^";]*"?', r'[^\s;"0-9+-][^\s;]*', r"[+-]?[0-9]+%*")
RAW_LINES: tuple[str, str] | None = ("begin{notes}", "end{notes}")

if TYPE_CHECKING:
    KEYWORDS: tuple[str, ...]


def __getattr__(name: str) -> object:
    """``KEYWORDS``: the words of the language. Their table is read when they are asked for."""
    if name != "KEYWORDS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from randomizer.systems.xconq.period.words import words

    return tuple(words())


def recognises(data: bytes) -> bool:
    """Whether data begin as a mapfile that has a period and nothing else."""
    return sections_of(data) == PERIOD_ALONE


def packaged() -> Sequence[PeriodGenerator]:
    """The periods that come with the package."""
    from randomizer.systems.xconq.generator import packaged as periods

    return periods()


def check(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a period that includes no other file, in the order of the text."""
    return check_texts(text, "", NO_TEXTS, path)


def check_texts(
    text: str, _script: str, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """All problems of a period with the texts of the files that it includes, in their order.

    One without errors is checked against the document's advice, too.
    """
    from randomizer.systems.xconq.advice.period_advice import period_advice
    from randomizer.systems.xconq.period.reading import read_period

    period, problems = read_period(text, path, texts)
    if period is not None:
        advice = (each if each.path else each.at_path(path) for each in period_advice(period))
        problems = (*problems, *advice)
    own = (each for problem in problems if (each := _in_text(problem, text, texts, path)))
    return tuple(sorted(own, key=_place))


def _in_text(
    problem: Problem, text: str, texts: Mapping[str, str], path: str | None
) -> Problem | None:
    """A problem with a place in the text itself.

    An error of an included file stands where the file is included, anything less is that file's own
    matter.
    """
    if problem.path == path or problem.path not in texts:
        return problem
    if problem.severity is not Severity.ERROR:
        return None
    header, _problems = read_header(text.split("\n"))
    assert header is not None, "the header was read before the included files"
    names = header.includes
    at = names.index(problem.path) if problem.path in names else 0
    line = header.next_line - len(names) + at + 1
    message = f"{problem.path}, line {problem.line}: {problem.message}"
    place = (path, line, 1, line, len(names[at]) + 1)
    return Problem(Severity.ERROR, problem.code, message, *place)


def _place(problem: Problem) -> tuple[bool, int, int]:
    return problem.line is not None, problem.line or 0, problem.column or 0


def in_library(path: Path) -> bool:
    """Whether a file is in the library directory of Xconq."""
    from randomizer.systems.xconq.library import library_folder

    library = library_folder()
    return library is not None and path.resolve().is_relative_to(library.resolve())


def from_text(text: str, script: str, path: str | None = None) -> PeriodGenerator:
    """The generator of a period of the user's own that includes no other file."""
    return from_texts(text, script, NO_TEXTS, path)


def further_names(text: str, _script: str) -> tuple[str, ...]:
    """The names of the files that a period includes."""
    header, _problems = read_header(text.split("\n"))
    return () if header is None else header.includes


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> PeriodGenerator:
    """The generator of a period with the texts of the files that it includes."""
    from randomizer.systems.xconq.generator import from_texts as made

    return made(text, script, texts, path)


def problem_help(code: str) -> str | None:
    """An explanation of a problem with a period, None for other problems."""
    from randomizer.systems.xconq.period.faults import problem_help as sentence

    return sentence(code)


def completions(
    text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS
) -> tuple[Completion, ...]:
    """The words that can stand before a place of a period, the best first."""
    from randomizer.systems.xconq.period.completions import completions as fitting

    return fitting(text, line, column, texts)


def help_at(text: str, line: int, column: int, texts: Mapping[str, str] = NO_TEXTS) -> str | None:
    """Help on the word at a place and what it sets there, None where there is none."""
    from randomizer.systems.xconq.period.hover import help_at as sentence

    return sentence(text, line, column, texts)


def definition(text: str, line: int, column: int) -> TextPlace | None:
    """Where the name at a place is defined in the text; None for other places and names."""
    from randomizer.systems.xconq.period.names import definition as found

    return found(text, line, column)


def references(text: str, line: int, column: int) -> tuple[TextPlace, ...]:
    """The places that define or use the name at a place; none for other places."""
    from randomizer.systems.xconq.period.names import references as found

    return found(text, line, column)


def rename(text: str, line: int, column: int, new_name: str) -> Fix:
    """The edits that rename the name at a place everywhere. Raises ProblemError: why not."""
    from randomizer.systems.xconq.period.names import rename as fix

    return fix(text, line, column, new_name)


def shown(text: str, _script: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """What a period prints, then every value that it has, a word a line."""
    from randomizer.systems.xconq.period.dump import dump_lines
    from randomizer.systems.xconq.period.reading import reading_of

    reading = reading_of(text, None, texts)
    return (*reading.console, *dump_lines(reading.period))


def traced(text: str, _script: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The tokens of a period in the order in which they are executed, a line each."""
    from randomizer.systems.xconq.period.dump import trace_lines

    return tuple(trace_lines(text, None, texts))
