"""The terrain set that follows from a period: its terrain types in their order, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from randomizer.model.problems import ProblemError
from randomizer.model.terrain import Terrain, TerrainSet
from randomizer.model.terrain_check import LONGEST_WORD
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.terrain.terrain_meaning import looks_of
from randomizer.systems.xconq.terrain.water import water_types


@lru_cache(maxsize=4)
def terrain_set_of(period: Period) -> TerrainSet:
    """The terrains of a period: code i of a map is its terrain type i."""
    names = distinct_names([terrain.name for terrain in period.terrains], "terrain")
    looks = looks_of(period.terrains)
    terrains = tuple(
        Terrain(
            name,
            look.colour,
            _letter(known.char),
            picture=look.picture,
            water=water,
        )
        for name, known, look, water in zip(
            names, period.terrains, looks, water_types(period), strict=True
        )
    )
    return TerrainSet(_word(period.name) or "Period", terrains)


def terrain_set_of_text(text: str, texts: Mapping[str, str], path: str | None = None) -> TerrainSet:
    """The terrain set of a period's text, with the texts of what it includes.

    Raises ProblemError for a period with errors; they name the file ``path``.
    """
    found = read_period(text, path, texts)
    if found.period is None:
        raise ProblemError(found.problems)
    return terrain_set_of(found.period)


def distinct_names(names: list[str], kind: str) -> tuple[str, ...]:
    """The names of types as lists and files can hold them: none empty, no two the same."""
    made: list[str] = []
    for number, name in enumerate(names, 1):
        word = _word(name) or f"{kind} {number}"
        made.append(word if word not in made else f"{word} ({number})")
    return tuple(made)


def _word(text: str) -> str:
    """A text without what cannot be seen, on one line."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())[: LONGEST_WORD - 10]


def _letter(char: str) -> str:
    return char if char.isprintable() and char.strip() else ""
