"""Rolls a script thousands of times at once; each map equals the one that ``roll`` makes.

    rolls = roll_many(program, base, seed=17, numbers=np.arange(10_000, dtype=np.uint64))
    rolls.terrain[4711]           # (27,): the terrain of map 4711 of the seed

Galleries, locks and the learner need many maps. ``roll_many`` rolls a chunk of maps at once
(``map_chunk``). Draws are keyed (docs/adr/0003), so a map does not depend on the others of its
chunk.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import HEX_OF_LABEL
from randomizer.systems.colossus.rolling.batch_lists import ROW_LIMIT
from randomizer.systems.colossus.rolling.draws import check_key, keyed_draws
from randomizer.systems.colossus.rolling.map_chunk import CHUNK, MapChunk
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.program_analysis import longest_list, needed_steps
from randomizer.systems.colossus.rolling.roller import HexBase, mark_hexsides, place_hexes
from randomizer.systems.colossus.rolling.rolls import Rolls, new_rolls


def roll_many(
    program: Program,
    base: HexBase,
    seed: int,
    numbers: NDArray[np.uint64],
    *,
    hexsides: bool = True,
    chunk: int = CHUNK,
) -> Rolls:
    """Roll the maps ``numbers`` (n, in any order) of ``seed`` onto ``base``.

    The result does not depend on ``chunk``. A script with a list that can grow beyond ROW_LIMIT
    hexes is rolled map by map, at the speed of ``roll``. Raises ValueError for a seed or a number
    out of range (randomizer/model/basics/dice.py).
    """
    numbers = np.asarray(numbers, np.uint64)
    if numbers.size:
        check_key(seed, int(numbers.max()))
    rolls = new_rolls(program, seed, numbers, hexsides=hexsides)
    if longest_list(program) > ROW_LIMIT:
        _roll_one_by_one(program, base, rolls)
        return rolls
    for first in range(0, numbers.size, chunk):
        rows_of_chunk = slice(first, first + chunk)
        maps = MapChunk(program, base, seed, numbers[rows_of_chunk])
        for step, labels_read in needed_steps(program):
            maps.run(step, labels_read)
        maps.write(rolls, rows_of_chunk)
    return rolls


def _roll_one_by_one(program: Program, base: HexBase, rolls: Rolls) -> None:
    """Fill ``rolls`` by the roller of single maps."""
    all_draws = keyed_draws(program, rolls.seed, rolls.numbers.tolist())
    for row, draws in enumerate(all_draws):
        try:
            rolled = place_hexes(program, draws, base)
        except ProblemError:  # only noted here: ``roll`` of that number raises it again
            rolls.failed[row] = True
            rolls.terrain[row] = base.terrain
            rolls.elevation[row] = base.elevation
            if rolls.hexside is not None:
                rolls.hexside[row] = base.hexside
            continue
        rolls.terrain[row] = rolled.terrain
        rolls.elevation[row] = rolled.elevation
        if rolls.hexside is not None:
            mark_hexsides(program, draws, rolled)
            rolls.hexside[row] = rolled.hexside
        if rolls.start is not None:
            for label, count in Counter(rolled.startlist).items():
                rolls.start[row, HEX_OF_LABEL[label]] = count
