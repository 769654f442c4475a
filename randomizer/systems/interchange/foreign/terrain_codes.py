"""Makes the terrains of a map from the codes that another program's file has for its cells.

A *code* is the text of a file for the terrain of a cell, such as "Gg^Fp" or "woods:2". Every code
becomes a terrain of our map, with that code, so that it can be written again. Its picture is chosen
by words that the reader finds in the code. A reader collects the codes in a ``Codes`` while it
reads cells, and then has terrains made of them:

    codes = Codes()
    cells = np.array([codes.number(word) for word in "Gg Ww Gg".split()])    # [0, 1, 0]
    terrains, terrain_plane = codes.terrains(words_of, cells)
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.records.assets import asset_digest
from randomizer.model.terrain.terrain import Terrain
from randomizer.model.terrain.terrain_check import LONGEST_CODE, LONGEST_WORD, MAX_TERRAINS
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.pictures import first_picture_with_word


def _no_terrain(_code: str) -> Terrain | None:
    """Return None for every code: then each gets its look by its words."""
    return None


class Codes:
    """The codes of a foreign map, numbered in the order of their first cells."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """The number of each code so far."""

    def number(self, code: str, line: int = 1, column: int = 1) -> int:
        """Return the number of a code, which is registered with a new one if it has none yet.

        Raises ProblemError, with ``line`` and ``column`` of the file, for a text that cannot be the
        code of a terrain, and for more codes than a map can have terrains.
        """
        number = self.numbers.get(code)
        if number is None:
            check_code(code, line, column)
            number = len(self.numbers)
            if number >= MAX_TERRAINS:
                raise fault(f"a map has at most {MAX_TERRAINS:,} terrains", line, column)
            self.numbers[code] = number
        return number

    def terrains(
        self,
        words_of: WordsOf,
        cells: NDArray[Any],
        look_of: Callable[[str], Terrain | None] = _no_terrain,
    ) -> tuple[tuple[Terrain, ...], NDArray[np.uint16]]:
        """Return the terrains, the most frequent first, and the cells as indices of these.

        ``cells`` are the numbers of the codes of all cells, in any shape; the indices have the same
        shape. Afterwards the numbers of codes mean nothing any more. ``look_of(code)`` returns a
        terrain with the look of a code, or None; then the picture is chosen by ``words_of(code)``.
        """
        # The numbers of the codes in the order of their terrains: the most frequent first, equally
        # frequent ones by their codes.
        counts = np.bincount(cells.ravel(), minlength=len(self.numbers))
        codes = list(self.numbers)
        numbers_in_order = sorted(
            range(len(codes)), key=lambda number: (-counts[number], codes[number])
        )

        # The position of each number in that order: for [2, 0, 1], in which number 2 comes first,
        # [1, 2, 0], since number 0 has the position 1.
        positions = np.zeros(len(codes), np.int64)
        positions[numbers_in_order] = np.arange(len(codes))

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


def check_code(code: str, line: int, column: int = 1) -> None:
    """Raise ProblemError, with its place in the file, for a text that cannot be a code."""
    if not is_code(code):
        raise fault(f"{code!r:.60} cannot be a terrain", line, column)


def is_code(code: str) -> bool:
    """Return whether a terrain can have a code."""
    return code.isprintable() and code == code.strip() and 0 < len(code) <= LONGEST_CODE


def _distinct_name(name: str, code: str, number: int, names: Collection[str]) -> str:
    """Return a name for a terrain that is not among ``names`` and not too long.

    It is ``name`` itself if possible, else with the code behind it, else with the ``number`` of the
    terrain, which no other terrain has.
    """
    for candidate in (name, f"{name} ({code})"):
        if candidate not in names and len(candidate) <= LONGEST_WORD:
            return candidate
    end = f"… {number}"
    return f"{name[: LONGEST_WORD - len(end)]}{end}"


def _terrain_by_words(code: str, number: int, words_of: WordsOf, names: Collection[str]) -> Terrain:
    """Return the terrain of a code, with the picture that fits the words of the code best.

    Without such a picture it has a colour alone. Its name is the code, changed if ``names``, those
    of the terrains so far, have it already.
    """
    name = _distinct_name(code, code, number, names)
    picture = first_picture_with_word(words_of(code))
    if picture is None:
        return Terrain(name, colour_for(code), code=code, order=number)
    return Terrain(
        name,
        picture.colour,
        code=code,
        order=number,
        picture=picture.name,
        water=picture.water,
        body=picture.water,  # neighbouring cells of water are drawn as one
    )


def colour_for(name: str) -> str:
    """Return a light colour for a name, which is always the same for that name."""
    rgb = int(asset_digest(name.encode())[:6], 16)
    light_rgb = rgb | 0x606060  # red, green and blue are 0x60 at least
    return f"#{light_rgb:06x}"
