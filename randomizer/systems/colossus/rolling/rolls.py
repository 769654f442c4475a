"""Many rolled maps as arrays: what ``roll_many`` returns, and ``MapChunk`` writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, SIDES
from randomizer.systems.colossus.rolling.program import Program, StartStep


@dataclass(frozen=True, eq=False)
class Rolls:
    """The maps ``numbers`` of ``seed``, one a row, with the values of ``RolledMap``.

    In memory the arrays are ordered hex by hex.
    """

    seed: int

    numbers: NDArray[np.uint64]

    terrain: NDArray[np.uint8]
    """(n, 27)."""

    elevation: NDArray[np.int16]
    """(n, 27)."""

    hexside: NDArray[np.uint8] | None
    """(n, 27, 6), None if it was not requested."""

    start: NDArray[np.uint16] | None
    """(n, 27): how often each hex is in the start list, None if the script has none."""

    failed: NDArray[np.bool_]
    """(n,): the maps for which ``roll`` raises; they show the base and an empty start list."""


def new_rolls(program: Program, seed: int, numbers: NDArray[np.uint64], *, hexsides: bool) -> Rolls:
    """Return ``Rolls`` whose maps are uninitialised.

    The arrays are made hex by hex and turned: all maps' values of one hex lie side by side, since
    the rollers write them so.
    """
    n = numbers.size
    hexside = None
    if hexsides:
        hexside = np.moveaxis(np.empty((HEX_COUNT, SIDES, n), np.uint8), 2, 0)
    start = None
    if any(isinstance(step, StartStep) for step in program.steps):
        start = np.zeros((HEX_COUNT, n), np.uint16).T
    return Rolls(
        seed=seed,
        numbers=numbers,
        terrain=np.empty((HEX_COUNT, n), np.uint8).T,
        elevation=np.empty((HEX_COUNT, n), np.int16).T,
        hexside=hexside,
        start=start,
        failed=np.zeros(n, np.bool_),
    )
