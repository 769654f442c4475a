"""Learns the PAIRs: which hexsides stand between two kinds of hexes, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS

PAIR_BITS = 12.0
"""The length of a PAIR with one hexside; each further one is CHOICE_BITS more."""
CHOICE_BITS = 5.0
STAR = -1
POOLED_EDGES = 1.0
"""How many edges all steps of the same height count for beside those of the PAIR's own hexes."""
MOSTLY_MARKED = 0.5
"""Steps get a PAIR if this share of them has hexsides in the maps; more leaves more bare."""
MISSING_SHARE = 0.1
"""Steps get a PAIR if so many more have hexsides in the maps than the other PAIRs give them."""
RAREST_STEPS = {1: 0.03, 2: 0.005}
"""Steps of these heights that a rolled map has more rarely, on average, get no PAIR."""
_STATES = len(COLOSSUS.terrains) * ELEVATIONS
_EDGES = np.array(
    [(a, side, b) for a, row in enumerate(NEIGHBOURS) for side, b in enumerate(row) if b >= 0]
).T


@dataclass(frozen=True, slots=True)
class LearnedPair:
    """A PAIR: (terrain, elevation or STAR) of both hexes; ``choices`` are (letter, share of edges).

    ``edges`` is how many such edges the maps have, ``gain`` what it saves in bits a map. ``step``:
    the maps have too few such edges, so the choices are those of all their steps of this height.
    """

    high: tuple[int, int]
    low: tuple[int, int]
    choices: tuple[tuple[str, float], ...]
    edges: int
    gain: float
    step: int = 0


def learn_pairs(boards: Boards, caution: float) -> tuple[LearnedPair, ...]:
    """Return the PAIRs that save more bits than they take."""
    numbers = _edge_numbers(boards)
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


def _edge_numbers(boards: Boards) -> NDArray[np.intp]:
    """Return (states, states, 1 + hexsides): how often a hexside is on an edge from hex to hex."""
    owners, sides, others = _EDGES
    states = boards.terrain.astype(np.intp) * ELEVATIONS + boards.elevation
    codes = len(COLOSSUS.hexsides) + 1
    keys = (states[:, owners] * _STATES + states[:, others]) * codes
    keys += boards.hexside[:, owners, sides]
    numbers = np.bincount(keys.ravel(), minlength=_STATES * _STATES * codes)
    return numbers.reshape(_STATES, _STATES, codes)


def step_pairs(
    boards: Boards, pairs: Sequence[LearnedPair], rolled: NDArray[np.uint8]
) -> tuple[LearnedPair, ...]:
    """Return further PAIRs for steps down that rolled maps have and ``pairs`` leave bare.

    ``rolled`` (27, n) are states of maps of the script. It makes steps that the maps to learn from
    do not have, or once: they look like all steps of the same height in these maps. What stands
    bare in the maps stays so.
    """
    numbers = _edge_numbers(boards).astype(float)
    by_height = _hexsides_by_height(numbers)
    owners, _sides, others = _EDGES
    keys = rolled[owners].astype(np.intp) * _STATES + rolled[others]
    rates = np.bincount(keys.ravel(), minlength=_STATES * _STATES) / rolled.shape[1]
    chances = {(pair.high, pair.low): sum(share for _, share in pair.choices) for pair in pairs}
    result = []
    for key in np.flatnonzero(rates).tolist():
        high, low = divmod(key, _STATES)
        step = high % ELEVATIONS - low % ELEVATIONS
        if step not in by_height or rates[key] < RAREST_STEPS[step]:
            continue
        seen = numbers[high, low]
        total = seen + POOLED_EDGES * by_height[step] / by_height[step].sum()
        marked = 1 - total[0] / total.sum()
        exact = (divmod(high, ELEVATIONS), divmod(low, ELEVATIONS))
        any_height = ((high // ELEVATIONS, STAR), (low // ELEVATIONS, STAR))
        present = chances.get(exact, chances.get(any_height, 0.0))
        if exact in chances or marked < MOSTLY_MARKED or marked - present < MISSING_SHARE:
            continue
        choices = _choices(total)
        result.append(LearnedPair(*exact, choices, int(seen.sum()), 0.0, step))
    return tuple(result)


def steps_of_two(states: NDArray[np.uint8]) -> float:
    """Return how many steps of two elevations maps (27, n) of states have on average."""
    owners, _sides, others = _EDGES
    elevations = states.astype(np.intp) % ELEVATIONS
    return float((elevations[owners] - elevations[others] == 2).sum(0).mean())


def _hexsides_by_height(numbers: Floats) -> dict[int, Floats]:
    """Return how often each hexside stands on steps down, by their height.

    Where the maps have no steps of a height it is those of the other one.
    """
    elevations = np.arange(_STATES) % ELEVATIONS
    heights = elevations[:, None] - elevations
    sums = {step: numbers[heights == step].sum(0) for step in RAREST_STEPS}
    either = [each for each in sums.values() if each.any()]
    return {step: each if each.any() else either[0] for step, each in sums.items() if either}


def _choices(numbers: Floats) -> tuple[tuple[str, float], ...]:
    """Return letters and shares of the hexsides of edges, the most frequent one first."""
    shares = numbers / numbers.sum()
    order = sorted((-share, code) for code, share in enumerate(shares.tolist()) if code and share)
    return tuple((COLOSSUS.hexsides[code - 1].letter, -share) for share, code in order)


def _pair(
    numbers: Floats, high: tuple[int, int], low: tuple[int, int], rate: float, boards: Boards
) -> LearnedPair:
    total = numbers.sum()
    bits = -float(sum(n * np.log2(n / total) for n in numbers if n))
    kinds = len(COLOSSUS.hexsides)
    without = -float(numbers[0] * np.log2(1 - rate) + numbers[1:].sum() * np.log2(rate / kinds))
    return LearnedPair(high, low, _choices(numbers), int(total), (without - bits) / len(boards))


def _worth(pair: LearnedPair, maps: int, caution: float) -> float:
    return pair.gain * maps - caution * (PAIR_BITS + CHOICE_BITS * (len(pair.choices) - 1))
