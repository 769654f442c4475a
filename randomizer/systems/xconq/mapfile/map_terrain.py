"""The terrain of a mapfile: the characters of its rows become codes of a terrain set.

What a character means is said by the period. A character that no terrain of it has becomes the
period's default terrain; where there is none, it is an error, and a terrain of its own, so that the
map can be shown all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, many
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.xconq.mapfile.file_period import FilePeriod, PeriodState
from randomizer.systems.xconq.mapfile.map_section import MapSection
from randomizer.systems.xconq.mapfile.parsing import Mapfile
from randomizer.systems.xconq.mapfile.placeholder_types import GREY, type_name
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.system import TERRAIN
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of

_CHARACTER_COUNT = 256
"""The number of characters that a row can have: mapfiles are bytes."""


class FileTerrain(NamedTuple):
    """The terrain of a map that was read."""

    terrain_set: TerrainSet

    plane: Plane
    """The terrain code of each cell, (height, width)."""

    problems: tuple[Problem, ...]


def terrain_of_section(section: MapSection, file: Mapfile, file_period: FilePeriod) -> FileTerrain:
    """Return the terrain of the map section of ``file``."""
    terrain_set = terrain_set_of(file_period.period)
    codes = _codes_of_characters(file_period.period)
    characters: list[int] = np.unique(section.characters).tolist()
    unknown = [character for character in characters if codes[character] == TERRAIN.unset]
    substitute = _default_terrain(file_period)
    substitute_name = None
    if substitute is not None:
        codes[unknown] = substitute
        substitute_name = file_period.period.terrains[substitute].name
    else:
        terrains = list(terrain_set.terrains)
        # A period with many terrains has no codes left for all characters: the cells of the last
        # ones are unset.
        for character in unknown[: TERRAIN.unset - len(terrains)]:
            codes[character] = len(terrains)
            name = type_name("terrain", chr(character))
            terrains.append(Terrain(name, GREY, missing=True))
        terrain_set = replace(terrain_set, terrains=tuple(terrains))
    plane = codes[section.characters].astype(TERRAIN.dtype)
    problems = _unknown_terrains(section, file, file_period.state, unknown, substitute_name)
    return FileTerrain(terrain_set, plane, tuple(problems))


def _codes_of_characters(period: Period) -> NDArray[np.int64]:
    """Return the terrain code of each character, (256,), unset for those without a terrain.

    The first of several terrains with one character counts.
    """
    codes = np.full(_CHARACTER_COUNT, TERRAIN.unset, np.int64)
    for code, terrain_type in enumerate(period.terrains):
        if len(terrain_type.char) == 1 and codes[ord(terrain_type.char)] == TERRAIN.unset:
            codes[ord(terrain_type.char)] = code
    return codes


def _default_terrain(file_period: FilePeriod) -> int | None:
    """Return the number of the terrain that stands in for unknown ones, None if none does."""
    # A period that no file names is only assumed, and one with errors may define more than can be
    # read: nothing is substituted for what it lacks.
    if file_period.state in (PeriodState.ASSUMED, PeriodState.PARTIAL):
        return None
    default = file_period.period.number("default-terrain")
    if 0 <= default < len(file_period.period.terrains):
        return default
    return None


def _unknown_terrains(
    section: MapSection,
    file: Mapfile,
    state: PeriodState,
    characters: list[int],
    substitute: str | None,
) -> Iterator[Problem]:
    """Yield a problem for each character that no terrain has, at the first row with it.

    ``substitute`` is the name of the terrain that stands in for them, None if none does.
    """
    lines = file.text.split("\n")
    for character in characters:
        letter = chr(character)
        # Rows of the file go from north to south, those of the array from south to north.
        is_unknown: NDArray[np.bool_] = section.characters[::-1] == character
        row = int(is_unknown.any(axis=1).argmax())
        count = int(np.count_nonzero(is_unknown))
        severity = Severity.WARNING
        if substitute is None:
            severity = Severity.ERROR
        line = section.first_line + row
        column = 1
        # Blank lines among the rows put the row further down: then this line may lack it.
        if letter in lines[line - 1]:
            column = lines[line - 1].index(letter) + 1
        message = _message_of_unknown(letter, count, state, substitute)
        yield Problem(severity, "unknown-terrain", message, file.path, line, column)


def _message_of_unknown(letter: str, count: int, state: PeriodState, substitute: str | None) -> str:
    """Return the message about a character of so many cells, see ``_unknown_terrains``."""
    cells = counted(count, "cell")
    if substitute is not None:
        verb = many(count, "becomes", "become")
        return f"{letter!r} is no terrain of the period: {cells} {verb} {substitute}"
    if state is PeriodState.ASSUMED:
        period = "the standard period, which is assumed since the file names none"
    else:
        period = "the period, which sets no default-terrain"
    verb = many(count, "has", "have")
    return f"{letter!r} is no terrain of {period}: {cells} {verb} it"
