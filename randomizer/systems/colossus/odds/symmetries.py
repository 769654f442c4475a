"""Turns and reflections of the board under which a program's lists stay as they are.

Maps that are images of each other are then equally likely, so one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.odds.hex_sets import Const

Symmetry = tuple[int, ...]
"""Hex id h goes to ``symmetry[h]``."""


@lru_cache(1)
def board_symmetries() -> tuple[Symmetry, ...]:
    """All of them, the identity first: neighbours stay neighbours."""
    return tuple(
        sorted(
            image
            for step in range(6)
            for turn in (1, -1)
            for origin in range(HEX_COUNT)
            if (image := _image(origin, step, turn)) is not None
        )
    )


def _image(origin: int, step: int, turn: int) -> Symmetry | None:
    """Hex 0 goes to ``origin``, side s to side ``step + turn * s``; None if that is no symmetry."""
    image = {0: origin}
    new = [0]
    while new:
        number = new.pop()
        for side, other in enumerate(NEIGHBOURS[number]):
            to = NEIGHBOURS[image[number]][(step + turn * side) % 6]
            if (other < 0) != (to < 0) or image.get(other, to) != to:
                return None
            if other >= 0 and other not in image:
                image[other] = to
                new.append(other)
    return tuple(image[number] for number in range(HEX_COUNT))


def symmetries_of(known: Iterable[Const]) -> tuple[Symmetry, ...]:
    """The symmetries that map each of the known lists to itself, the identity first."""
    lists = {each.hexes for each in known}
    return tuple(
        image
        for image in board_symmetries()
        if all(tuple(sorted(image[number] for number in hexes)) == hexes for hexes in lists)
    )


def sources(symmetry: Symmetry) -> NDArray[np.intp]:
    """For each hex the one that goes there: ``values[sources(symmetry)]`` are the moved values."""
    return np.argsort(np.array(symmetry))


def byte_tables(symmetry: Symmetry) -> NDArray[np.uint32]:
    """(4, 256): where the bits of each byte of a mask go; the moved mask is the OR of all four."""
    tables = np.zeros((4, 256), np.uint32)
    for number, to in enumerate(symmetry):
        place, bit = divmod(number, 8)
        tables[place, np.arange(256) >> bit & 1 == 1] |= np.uint32(1 << to)
    return tables
