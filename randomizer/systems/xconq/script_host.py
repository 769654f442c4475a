"""The script host of ``.per``: periods, in files of Latin-1 text that can include others.

Each function imports what it needs when it is called: the language is not needed to offer it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from randomizer.model.terrain import TerrainSet
    from randomizer.systems.xconq.generator import PeriodGenerator

SUFFIXES = (".per",)


def packaged() -> Sequence[PeriodGenerator]:
    """The periods that come with the package."""
    from randomizer.systems.xconq.generator import packaged as periods

    return periods()


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """The text of a file's bytes with line feeds as line ends, and problems of the bytes."""
    from randomizer.systems.xconq.header import decode as decoded

    return decoded(data, path)


def check(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a period that includes no other file, in the order of the text."""
    return check_texts(text, "", NO_TEXTS, path)


def check_texts(
    text: str, _script: str, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """All problems of a period with the texts of the files that it includes."""
    from randomizer.systems.xconq.period.reading import read_period

    return read_period(text, path, texts).problems


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
