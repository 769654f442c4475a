"""The terrains of a foreign map, made from the codes of its cells.

A code is what a file writes for the terrain of a cell, such as "Gg^Fp" or "woods:2". Each
becomes a terrain with that ``code``; begin at ``Codes``, which every reader uses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.records.assets import asset_digest
from randomizer.model.terrain.terrain import Terrain
from randomizer.model.terrain.terrain_check import LONGEST_CODE, LONGEST_WORD, MOST_TERRAINS
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.pictures import nearest_picture


def _no_terrain(_code: str) -> Terrain | None:
    """Return None, so that a code gets its picture by its words."""
    return None


class Codes:
    """The codes of a foreign map, numbered in the order in which they come.

    A reader collects them while it reads cells, and then has terrains made of them:

        codes = Codes()
        numbers = np.array([codes.number(word) for word in words])
        terrains, terrain_plane = codes.terrains(str.split, numbers)
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """The number of each code that has come."""

    def number(self, code: str, line: int = 1, column: int = 1) -> int:
        """Return the number of a code, a new one if it has none yet.

        Raises ProblemError, with ``line`` and ``column`` of the file, for a text that cannot be the
        code of a terrain, and for more codes than a map can have terrains.
        """
        number = self.numbers.get(code)
        if number is None:
            if not is_code(code):
                raise fault(f"{code!r:.60} cannot be a terrain", line, column)
            number = len(self.numbers)
            if number >= MOST_TERRAINS:
                raise fault(f"a map has at most {MOST_TERRAINS:,} terrains", line, column)
            self.numbers[code] = number
        return number

    def terrains(
        self,
        words_of: WordsOf,
        cells: NDArray[Any],
        look_of: Callable[[str], Terrain | None] = _no_terrain,
    ) -> tuple[tuple[Terrain, ...], NDArray[np.uint16]]:
        """Return the terrains, the most frequent first, and ``cells`` as indices of them.

        ``cells`` are numbers of codes, in any shape. ``look_of(code)`` is the terrain that a code
        is; a code for which it is None gets a picture by ``words_of(code)``.
        """
        counts = np.bincount(cells.ravel(), minlength=len(self.numbers))
        codes = list(self.numbers)
        numbers_in_order = sorted(
            range(len(codes)), key=lambda number: (-counts[number], codes[number])
        )
        # argsort turns "the number at each position" into "the position of each number".
        positions = np.argsort(np.array(numbers_in_order, np.int64), kind="stable")
        terrains = list[Terrain]()
        names = set[str]()
        for position, number in enumerate(numbers_in_order):
            code = codes[number]
            terrain = look_of(code)
            if terrain is None:
                terrain = _terrain_by_words(code, position, words_of, names)
            else:
                name = _distinct_name(terrain.name, code, position, names)
                terrain = replace(terrain, name=name, code=code, order=position)
            names.add(terrain.name)
            terrains.append(terrain)
        return tuple(terrains), positions.astype(np.uint16)[cells]


WordsOf = Callable[[str], list[str]]
"""Returns the words of a code by which it gets its picture."""


def is_code(code: str) -> bool:
    """Return whether a terrain can have a code."""
    return code.isprintable() and code == code.strip() and 0 < len(code) <= LONGEST_CODE


def _distinct_name(name: str, code: str, number: int, names: Collection[str]) -> str:
    """Return ``name``, with something behind it if it is one of ``names`` or too long.

    That is the code, or the ``number`` of the terrain, which no other one has.
    """
    for candidate in (name, f"{name} ({code})"):
        if candidate not in names and len(candidate) <= LONGEST_WORD:
            return candidate
    end = f"… {number}"
    return f"{name[: LONGEST_WORD - len(end)]}{end}"


def _terrain_by_words(code: str, number: int, words_of: WordsOf, names: Collection[str]) -> Terrain:
    """Return the terrain of a code, with the picture that its words are nearest to.

    It is called as the code, but unlike the terrains called ``names``.
    """
    name = _distinct_name(code, code, number, names)
    picture = nearest_picture(words_of(code))
    if picture is None:
        return Terrain(name, colour_for(code), code=code, order=number)
    return Terrain(
        name,
        picture.colour,
        code=code,
        order=number,
        picture=picture.name,
        water=picture.water,
        body=picture.water,
    )


def colour_for(name: str) -> str:
    """Return a light colour, always the same for a name."""
    digits = asset_digest(name.encode())[:6]
    return f"#{int(digits, 16) | 0x606060:06x}"  # red, green and blue are 0x60 at least
