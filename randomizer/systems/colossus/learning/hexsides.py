"""Learns the PAIRs: which hexsides stand between two kinds of hexes, and how often.

``learner`` calls ``learn_pairs`` for what the maps show, and ``step_pairs`` for steps (edges from a
higher hex down to a lower one) that only the script's own maps have. Everything follows from one
table: how many edges from hexes of one state to hexes of another have each hexside. A PAIR is
learned if the hexsides of its edges take so many bits less with it that its own line is paid for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS

PAIR_BITS = 12.0
"""The length of a PAIR with one hexside. If it is larger, fewer PAIRs are learned."""

CHOICE_BITS = 5.0
"""The length of each further hexside. If it is larger, PAIRs with one hexside are preferred."""

STAR = -1
"""Any elevation."""

POOLED_EDGES = 1.0
"""The weight, in edges, of all steps of the same height beside the edges of a PAIR's own hexes.

If it is larger, PAIRs of rare hexes resemble those of others more.
"""

SMALLEST_MARKED_SHARE = 0.5
"""Steps get a PAIR if this share of them has hexsides in the maps.

If it is larger, more steps stay bare.
"""

SMALLEST_MISSING_SHARE = 0.1
"""Steps get a PAIR if so many more have hexsides in the maps than the other PAIRs give them.

If it is larger, more steps are left to the PAIRs of any elevation.
"""

RAREST_STEPS = {1: 0.03, 2: 0.005}
"""By the height of steps the number on a rolled map, on average, from which they get a PAIR.

If it is larger, the script has fewer PAIRs, and more maps with a step that is bare.
"""

Hex = tuple[int, int]
"""The terrain and the elevation of a hex of a PAIR, STAR for any elevation."""

_STATES = len(COLOSSUS.terrains) * ELEVATIONS
"""The number of states (``state_of``) that a hex can have."""

_RAREST_SHARE = 1e-6
"""Stands for a share of edges with hexsides of 0, so that its logarithm is finite."""


def _edges() -> NDArray[np.intp]:
    """Return (3, 132): hex, side and neighbour of all edges, each seen from both its hexes."""
    edges = []
    for number, neighbours in enumerate(NEIGHBOURS):
        for side, neighbour in enumerate(neighbours):
            if neighbour >= 0:
                edges.append((number, side, neighbour))
    return np.array(edges).T


_HEXES, _SIDES, _NEIGHBOURS = _edges()


@dataclass(frozen=True, slots=True)
class LearnedPair:
    """A PAIR of the learned script."""

    high: Hex
    low: Hex

    choices: tuple[tuple[str, float], ...]
    """The letters of hexsides, each with its share of the edges; the most frequent one first."""

    edges: int
    """The number of edges between such hexes in the maps to learn from."""

    gain: float
    """The bits a map that the PAIR saves."""

    step: int = 0
    """The height of a step of which the maps have too few edges, else 0.

    The choices are then those of all their steps of this height.
    """


def learn_pairs(boards: Boards, caution: float) -> tuple[LearnedPair, ...]:
    """Return the PAIRs that save more bits than they take.

    ``caution`` is the number of bits that must be saved for each bit of the script. For each two
    terrains there are PAIRs of exact elevations or one of any elevations, whichever saves more.
    """
    counts = _hexside_counts(boards)
    marked_counts = counts[:, :, 1:]
    # Without PAIRs a hexside costs as much as finding it among all edges.
    rate = max(marked_counts.sum() / max(counts.sum(), 1), _RAREST_SHARE)
    states_by_terrains: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for high_state, low_state in np.argwhere(marked_counts.any(2)).tolist():
        terrains = (high_state // ELEVATIONS, low_state // ELEVATIONS)
        states_by_terrains.setdefault(terrains, []).append((high_state, low_state))
    pairs: list[LearnedPair] = []
    for _terrains, states in sorted(states_by_terrains.items()):
        pairs += _pairs_of_terrains(counts, states, rate, len(boards), caution)
    return tuple(pairs)


def _pairs_of_terrains(
    counts: NDArray[np.intp],
    states: Sequence[tuple[int, int]],
    rate: float,
    maps: int,
    caution: float,
) -> list[LearnedPair]:
    """Return the PAIRs from one terrain to another: of exact elevations, or one of any.

    ``states`` are the two states of all edges from the one to the other that have hexsides.
    """
    exact_pairs = []
    worth_of_exact_pairs = 0.0
    for high_state, low_state in states:
        high_hex = divmod(high_state, ELEVATIONS)
        low_hex = divmod(low_state, ELEVATIONS)
        pair = _pair(counts[high_state, low_state], high_hex, low_hex, rate, maps)
        worth = _worth(pair, maps, caution)
        if worth > 0:
            exact_pairs.append(pair)
            worth_of_exact_pairs += worth

    high, low = (state // ELEVATIONS for state in states[0])
    high_states = slice(high * ELEVATIONS, (high + 1) * ELEVATIONS)
    low_states = slice(low * ELEVATIONS, (low + 1) * ELEVATIONS)
    counts_of_terrains = counts[high_states, low_states].sum((0, 1))
    general_pair = _pair(counts_of_terrains, (high, STAR), (low, STAR), rate, maps)
    if worth_of_exact_pairs >= _worth(general_pair, maps, caution):
        return exact_pairs
    return [general_pair]


def step_pairs(
    boards: Boards, pairs: Sequence[LearnedPair], rolled: NDArray[np.uint8]
) -> tuple[LearnedPair, ...]:
    """Return further PAIRs for steps down that rolled maps have and ``pairs`` leave bare.

    ``rolled`` (27, n) are states of maps of the script. It makes steps that the maps to learn from
    do not have, or have once: these get the hexsides that all steps of the same height have in the
    maps. Steps that are bare there stay so.
    """
    counts = _hexside_counts(boards).astype(float)
    counts_by_height = _hexside_counts_by_height(counts)
    steps_a_map = _edges_a_map(rolled)
    # The chance of any hexside on the edges of each PAIR.
    chances: dict[tuple[Hex, Hex], float] = {}
    for pair in pairs:
        chances[pair.high, pair.low] = sum(share for _letter, share in pair.choices)

    further_pairs = []
    for high_state, low_state in np.argwhere(steps_a_map).tolist():
        high = divmod(high_state, ELEVATIONS)
        low = divmod(low_state, ELEVATIONS)
        height = high[1] - low[1]
        if height not in counts_by_height or (high, low) in chances:
            continue
        if steps_a_map[high_state, low_state] < RAREST_STEPS[height]:
            continue

        # A step with few edges of its own is judged by all steps of its height as well.
        counts_of_step = counts[high_state, low_state]
        counts_of_height = counts_by_height[height]
        pooled_counts = counts_of_step + POOLED_EDGES * counts_of_height / counts_of_height.sum()
        marked_share = 1 - pooled_counts[0] / pooled_counts.sum()
        present_share = chances.get(((high[0], STAR), (low[0], STAR)), 0.0)
        if marked_share < SMALLEST_MARKED_SHARE:
            continue
        if marked_share - present_share < SMALLEST_MISSING_SHARE:
            continue
        pair = LearnedPair(
            high=high,
            low=low,
            choices=_choices(pooled_counts),
            edges=int(counts_of_step.sum()),
            gain=0.0,
            step=height,
        )
        further_pairs.append(pair)
    return tuple(further_pairs)


def steps_of_two(states: NDArray[np.uint8]) -> float:
    """Return how many steps of two elevations maps (27, n) of states have on average."""
    elevations = states.astype(np.intp) % ELEVATIONS
    is_step_of_two = elevations[_HEXES] - elevations[_NEIGHBOURS] == 2
    return float(is_step_of_two.sum(0).mean())


def _hexside_counts(boards: Boards) -> NDArray[np.intp]:
    """Return (states, states, 1 + hexsides): the edges from hex to hex with each hexside.

    The first of each row are the edges without a hexside.
    """
    states = boards.terrain.astype(np.intp) * ELEVATIONS + boards.elevation
    codes = len(COLOSSUS.hexsides) + 1
    # Both states and the hexside become one number, so that all are counted in one go.
    keys = (states[:, _HEXES] * _STATES + states[:, _NEIGHBOURS]) * codes
    keys += boards.hexside[:, _HEXES, _SIDES]
    counts = np.bincount(keys.ravel(), minlength=_STATES * _STATES * codes)
    return counts.reshape(_STATES, _STATES, codes)


def _edges_a_map(states: NDArray[np.uint8]) -> Floats:
    """Return (states, states): the edges from hex to hex that maps (27, n) have on average."""
    keys = states[_HEXES].astype(np.intp) * _STATES + states[_NEIGHBOURS]
    counts = np.bincount(keys.ravel(), minlength=_STATES * _STATES)
    averages: Floats = counts.reshape(_STATES, _STATES) / states.shape[1]
    return averages


def _hexside_counts_by_height(counts: Floats) -> dict[int, Floats]:
    """Return (1 + hexsides) for steps down, by their height, from ``_hexside_counts``.

    Heights of which the maps have no steps get the counts of the other height. The result is empty
    if the maps have no steps.
    """
    elevations = np.arange(_STATES) % ELEVATIONS
    heights = elevations[:, None] - elevations
    sums = {height: counts[heights == height].sum(0) for height in RAREST_STEPS}
    sums_of_steps = [sums_of_height for sums_of_height in sums.values() if sums_of_height.any()]
    if not sums_of_steps:
        return {}
    for height, sums_of_height in sums.items():
        if not sums_of_height.any():
            sums[height] = sums_of_steps[0]
    return sums


def _choices(counts: Floats | NDArray[np.intp]) -> tuple[tuple[str, float], ...]:
    """Return letters and shares of the hexsides of edges, the most frequent one first."""
    shares = (counts / counts.sum()).tolist()
    codes = [code for code, share in enumerate(shares) if code and share]
    codes.sort(key=lambda code: (-shares[code], code))
    return tuple((COLOSSUS.hexsides[code - 1].letter, shares[code]) for code in codes)


def _pair(counts: NDArray[np.intp], high: Hex, low: Hex, rate: float, maps: int) -> LearnedPair:
    """Return the PAIR for edges with these counts (1 + hexsides) on so many maps.

    ``rate`` is the share of all edges that have a hexside: the chance of one without the PAIR, when
    all letters are alike.
    """
    edges = counts.sum()
    bits = -float(sum(count * np.log2(count / edges) for count in counts if count))
    bits_of_bare_edges = counts[0] * np.log2(1 - rate)
    bits_of_hexsides = counts[1:].sum() * np.log2(rate / len(COLOSSUS.hexsides))
    bits_without_pair = -float(bits_of_bare_edges + bits_of_hexsides)
    gain = (bits_without_pair - bits) / maps
    return LearnedPair(high, low, _choices(counts), int(edges), gain)


def _worth(pair: LearnedPair, maps: int, caution: float) -> float:
    """Return the bits that a PAIR saves on all maps, less those that it takes in the script."""
    length = PAIR_BITS + CHOICE_BITS * (len(pair.choices) - 1)
    return pair.gain * maps - caution * length
