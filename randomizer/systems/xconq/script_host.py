"""The script host of ``.per``: periods, in files of Latin-1 text that can include others.

Each function imports what it needs when it is called: the language is not needed to offer it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Problem, ProblemError
from randomizer.systems.xconq.header import PERIOD_ALONE, sections_of

if TYPE_CHECKING:
    from randomizer.model.terrain import TerrainSet
    from randomizer.systems.xconq.generator import PeriodGenerator

SUFFIXES = (".per", ".map", ".scn")
"""The usual one first; any mapfile with a period and nothing else is one."""


def recognises(data: bytes) -> bool:
    """Whether data begin as a mapfile that has a period and nothing else."""
    return sections_of(data) == PERIOD_ALONE


def packaged() -> Sequence[PeriodGenerator]:
    """The periods that come with the package."""
    from randomizer.systems.xconq.generator import packaged as periods

    return periods()


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """The text of a file's bytes with line feeds as line ends, and problems of the bytes."""
    from randomizer.systems.xconq.header import decode as decoded

    return decoded(data, path)


def encode(text: str) -> bytes:
    """The bytes of a file with this text."""
    return text.encode("latin-1", "replace")


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
    if period is None:
        return problems
    advice = (each if each.path else each.at_path(path) for each in period_advice(period))
    return tuple(sorted((*problems, *advice), key=_place))


def _place(problem: Problem) -> tuple[bool, int, int]:
    return problem.line is not None, problem.line or 0, problem.column or 0


def terrain_set(text: str, texts: Mapping[str, str]) -> TerrainSet:
    """The terrain set of a period. Raises ProblemError for a period with errors."""
    from randomizer.systems.xconq.period.reading import read_period
    from randomizer.systems.xconq.terrain_set import terrain_set_of

    found = read_period(text, further=texts)
    if found.period is None:
        raise ProblemError(found.problems)
    return terrain_set_of(found.period)


def from_text(text: str, script: str, path: str | None = None) -> PeriodGenerator:
    """The generator of a period of the user's own that includes no other file."""
    return from_texts(text, script, NO_TEXTS, path)


def further_names(text: str, _script: str) -> tuple[str, ...]:
    """The names of the files that a period includes."""
    from randomizer.systems.xconq.header import read_header

    header, _problems = read_header(text.splitlines())
    return () if header is None else header.includes


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> PeriodGenerator:
    """The generator of a period with the texts of the files that it includes."""
    from randomizer.systems.xconq.generator import from_texts as made

    return made(text, script, texts, path)
