"""Learns the PAIRs: which hexsides stand between two kinds of hexes, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS

PAIR_BITS = 12.0
"""The length of a PAIR with one hexside; each further one is CHOICE_BITS more."""
CHOICE_BITS = 5.0
STAR = -1
_EDGES = np.array(
    [(a, side, b) for a, row in enumerate(NEIGHBOURS) for side, b in enumerate(row) if b >= 0]
).T


@dataclass(frozen=True, slots=True)
class LearnedPair:
    """A PAIR: (terrain, elevation or STAR) of both hexes; ``choices`` are (letter, share of edges).

    ``edges`` is how many such edges the maps have, ``gain`` what it saves in bits a map.
    """

    high: tuple[int, int]
    low: tuple[int, int]
    choices: tuple[tuple[str, float], ...]
    edges: int
    gain: float


def learn_pairs(boards: Boards, caution: float) -> tuple[LearnedPair, ...]:
    """Return the PAIRs that save more bits than they take."""
    owners, sides, others = _EDGES
    states = boards.terrain.astype(np.intp) * ELEVATIONS + boards.elevation
    size = len(COLOSSUS.terrains) * ELEVATIONS
    codes = len(COLOSSUS.hexsides) + 1
    keys = (states[:, owners] * size + states[:, others]) * codes + boards.hexside[:, owners, sides]
    numbers = np.bincount(keys.ravel(), minlength=size * size * codes).reshape(size, size, codes)
    # Without PAIRs a hexside costs as much as finding it among all edges.
    rate = max(numbers[:, :, 1:].sum() / max(numbers.sum(), 1), 1e-6)
    marked = np.argwhere(numbers[:, :, 1:].any(2))
    pairs: list[LearnedPair] = []
    terrains = sorted(
        ((int(high), int(low)) for high, low in marked),
        key=lambda each: (each[0] // ELEVATIONS, each[1] // ELEVATIONS, each),
    )
    for (high, low), group in groupby(
        terrains, key=lambda each: (each[0] // ELEVATIONS, each[1] // ELEVATIONS)
    ):
        exact = [
            _pair(numbers[a, b], (high, a % ELEVATIONS), (low, b % ELEVATIONS), rate, boards)
            for a, b in group
        ]
        block = numbers[
            high * ELEVATIONS : (high + 1) * ELEVATIONS, low * ELEVATIONS : (low + 1) * ELEVATIONS
        ]
        every = _pair(block.sum((0, 1)), (high, STAR), (low, STAR), rate, boards)
        good = [pair for pair in exact if _worth(pair, len(boards), caution) > 0]
        worth = sum(_worth(pair, len(boards), caution) for pair in good)
        pairs += good if worth >= _worth(every, len(boards), caution) else [every]
    return tuple(pairs)


def _pair(
    numbers: Floats, high: tuple[int, int], low: tuple[int, int], rate: float, boards: Boards
) -> LearnedPair:
    total = numbers.sum()
    shares = numbers / total
    bits = -float(sum(n * np.log2(n / total) for n in numbers if n))
    kinds = len(COLOSSUS.hexsides)
    without = -float(numbers[0] * np.log2(1 - rate) + numbers[1:].sum() * np.log2(rate / kinds))
    order = sorted((-share, code) for code, share in enumerate(shares.tolist()) if code and share)
    choices = tuple((COLOSSUS.hexsides[code - 1].letter, -share) for share, code in order)
    return LearnedPair(high, low, choices, int(total), (without - bits) / len(boards))


def _worth(pair: LearnedPair, maps: int, caution: float) -> float:
    return pair.gain * maps - caution * (PAIR_BITS + CHOICE_BITS * (len(pair.choices) - 1))
