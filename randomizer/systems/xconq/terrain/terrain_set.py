"""The terrain set that follows from a period: its terrain types in order, and which are water.

terrain_set = terrain_set_of(period)
terrain_set.terrains[0].name        # "sea": code 0 of a map is terrain type 0 of the period
terrain_set.terrains[0].water       # True: told by its name, or else by the moves of units
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.terrain.terrain_check import LONGEST_WORD
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.terrain.terrain_meaning import looks_of, place_of


@registered(bytes_each=30 * KB)
@lru_cache(maxsize=4)
def terrain_set_of(period: Period) -> TerrainSet:
    """Return the terrains of a period: code i of a map is its terrain type i."""
    names = distinct_names([terrain.name for terrain in period.terrains], "terrain")
    looks = looks_of(period.terrains)
    are_water = water_types(period)
    terrains = list[Terrain]()
    for index, terrain_type in enumerate(period.terrains):
        look = looks[index]
        letter = _letter(terrain_type.char)
        terrains.append(
            Terrain(
                name=names[index],
                colour=look.colour,
                letters=letter,
                picture=look.picture,
                water=are_water[index],
            )
        )
    return TerrainSet(_word(period.name) or "Period", tuple(terrains))


def terrain_set_of_text(text: str, texts: Mapping[str, str], path: str | None = None) -> TerrainSet:
    """Return the terrain set of a period's text, with the texts of what it includes.

    Raises ProblemError for a period with errors; they name the file ``path``.
    """
    reading = read_period(text, path, texts)
    if reading.period is None:
        raise ProblemError(reading.problems)
    return terrain_set_of(reading.period)


def distinct_names(names: list[str], kind: str) -> tuple[str, ...]:
    """Return the names of types, changed so that none is empty and no two are the same.

    An unnamed third type of the kind "terrain" becomes "terrain 3"; if the fifth type is called
    "sea" as an earlier one is, it becomes "sea (5)".
    """
    result: list[str] = []
    for number, name in enumerate(names, 1):
        word = _word(name) or f"{kind} {number}"
        unused_word = word
        while unused_word in result:
            unused_word = f"{word} ({number})"
            number += 1
        result.append(unused_word)
    return tuple(result)


def _word(text: str) -> str:
    """Return a text on one line, without characters that cannot be seen.

    It is cut shorter than a name may be, so that ``distinct_names`` can add a number.
    """
    printable = ""
    for letter in text:
        if letter.isprintable():
            printable += letter
        else:
            printable += " "
    return " ".join(printable.split())[: LONGEST_WORD - 10]


def _letter(char: str) -> str:
    """Return the character of a terrain type as the letter of a terrain, "" if it is invisible."""
    if char.isprintable() and char.strip():
        return char
    return ""


NO_LAND = {"water", "void"}
"""The values of ``Meaning.place`` of terrain that is no land."""


def water_types(period: Period) -> tuple[bool, ...]:
    """Return for each terrain type whether it is no land: water, or a void.

    A void counts as water since units on land cannot enter it either. The names of types tell that;
    if none is named like water, the moves of the units tell it.
    """
    surroundings = [place_of(terrain.name) for terrain in period.terrains]
    is_water = np.array([place in NO_LAND for place in surroundings], np.bool_)
    if "water" not in surroundings:
        is_water |= _water_by_moves(period)
    return tuple(is_water.tolist())


def _water_by_moves(period: Period) -> NDArray[np.bool_]:
    """Return for each terrain type whether it is water by the moves of units, (terrains,).

    The idea: some units walk and others swim. Water is terrain that only swimmers enter. Countries
    begin on land, so units that enter terrain on which countries begin walk.
    """
    can_move = period.row("speed") > 0
    can_enter = (period.table("moves") >= 0) & can_move[:, None]
    # Leave out units that enter nothing, and those that enter everything, as they fly.
    can_enter = can_enter[can_enter.any(axis=1) & ~can_enter.all(axis=1)]
    favored = period.table("favored") > 0
    first_unit = period.type_number_of("first-unit")
    if first_unit is None:
        is_settled = favored.any(axis=0)
    else:
        is_settled = favored[first_unit]
    walks = can_enter[:, is_settled].any(axis=1)
    if not walks.any():
        return np.zeros(len(period.terrains), np.bool_)
    is_walked = can_enter[walks].any(axis=0)
    is_swum = can_enter[~walks].any(axis=0)
    return np.asarray(is_swum & ~is_walked)
