"""Learns the PAIRs: which hexsides stand between two kinds of hexes, and how often.

    PAIR (Plains,2)(Plains,1) HEXSIDES c,40. s      # cliffs on 40 % of such edges, else slopes

A hexside of a map belongs to an *edge*: it is seen from the hex that has it (the high one) towards
a neighbour (the low one). A *state* is the terrain and the elevation of a hex as one number
(``state_of``). Everything here follows from one table, ``_hexside_counts``: how many edges from
hexes of one state to hexes of another have each hexside. A PAIR is learned if the hexsides of its
edges take so many bits less with it that its own line is paid for.

``learner`` calls ``learn_pairs`` for what the maps show, and ``step_pairs`` for *steps* (edges from
a higher hex down to a lower one) that only the script's own maps have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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

POOLED_EDGES = 1.0
"""So many edges with the average hexsides of all steps of its height join a PAIR's own edges.

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

_STATES = len(COLOSSUS.terrains) * ELEVATIONS
"""The number of states that a hex can have."""

_RAREST_SHARE = 1e-6
"""Stands for a share of edges with hexsides of 0, so that its logarithm is finite."""


class PairHex(NamedTuple):
    """One of the two hexes of a PAIR: ``(Plains,2)``, or ``(Plains,*)`` of any elevation."""

    terrain: int
    """The code of the terrain."""

    elevation: int | None
    """None for any elevation."""


@dataclass(frozen=True, slots=True)
class LearnedPair:
    """A PAIR of the learned script."""

    high: PairHex
    """The hex that has the hexsides."""

    low: PairHex
    """The hex beyond them."""

    choices: tuple[tuple[str, float], ...]
    """The letters of hexsides, each with its share of the edges; the most frequent one first."""

    edges: int
    """The number of edges between such hexes in the maps to learn from."""

    gain: float
    """The bits a map that the PAIR saves; 0 for the PAIR of a rare step."""

    rare_step: int | None = None
    """The height of the steps of a PAIR of ``step_pairs``, 1 or 2; None for other PAIRs.

    The choices are then mostly those of all steps of this height.
    """


def learn_pairs(boards: Boards, caution: float) -> tuple[LearnedPair, ...]:
    """Return the PAIRs that save more bits than they take.

    ``caution`` is the number of bits that must be saved for each bit of the script. For each two
    terrains there are PAIRs of exact elevations or one of any elevations, whichever saves more.
    """
    counts = _hexside_counts(boards)
    counts_with_hexside = counts[:, :, 1:]
    share = counts_with_hexside.sum() / max(counts.sum(), 1)
    share = min(max(share, _RAREST_SHARE), 1 - _RAREST_SHARE)  # its logarithms are finite
    lengths = _PairLengths(share_with_hexside=share, maps=len(boards), caution=caution)

    # The two states of all edges that have a hexside, by the terrains of the two.
    states_by_terrains: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for high_state, low_state in np.argwhere(counts_with_hexside.any(2)).tolist():
        terrains = (high_state // ELEVATIONS, low_state // ELEVATIONS)
        states_by_terrains.setdefault(terrains, []).append((high_state, low_state))
    pairs: list[LearnedPair] = []
    for terrains, states in sorted(states_by_terrains.items()):
        pairs += _pairs_of_terrains(counts, terrains, states, lengths)
    return tuple(pairs)


def _pairs_of_terrains(
    counts: NDArray[np.intp],
    terrains: tuple[int, int],
    states: Sequence[tuple[int, int]],
    lengths: _PairLengths,
) -> list[LearnedPair]:
    """Return the PAIRs from one terrain to another: of exact elevations, or one of any.

    ``states`` are the two states of all edges from the one to the other that have hexsides.
    """
    exact_pairs = []
    bits_of_exact_pairs = 0.0
    for high_state, low_state in states:
        counts_of_states = counts[high_state, low_state]
        pair = lengths.pair_of_edges(
            counts_of_states, _exact_hex(high_state), _exact_hex(low_state)
        )
        bits = lengths.saved_bits(pair)
        if bits > 0:
            exact_pairs.append(pair)
            bits_of_exact_pairs += bits

    high_terrain, low_terrain = terrains
    high_states = slice(high_terrain * ELEVATIONS, (high_terrain + 1) * ELEVATIONS)
    low_states = slice(low_terrain * ELEVATIONS, (low_terrain + 1) * ELEVATIONS)
    counts_of_terrains = counts[high_states, low_states].sum((0, 1))
    general_pair = lengths.pair_of_edges(
        counts_of_terrains, PairHex(high_terrain, None), PairHex(low_terrain, None)
    )
    if bits_of_exact_pairs >= lengths.saved_bits(general_pair):
        return exact_pairs
    return [general_pair]


def _exact_hex(state: int) -> PairHex:
    """Return a hex of a PAIR that stands for hexes of one state only."""
    terrain, elevation = divmod(state, ELEVATIONS)
    return PairHex(terrain, elevation)


class _PairLengths(NamedTuple):
    """The bits that PAIRs save, and those that they take."""

    share_with_hexside: float
    """The share of all edges that have a hexside: the chance of one where no PAIR tells more."""

    maps: int
    """The number of maps."""

    caution: float
    """The number of bits that must be saved for each bit of the script."""

    def pair_of_edges(self, counts: NDArray[np.intp], high: PairHex, low: PairHex) -> LearnedPair:
        """Return the PAIR for edges with these ``counts`` (1 + hexsides): bare ones first.

        Its gain is how much shorter the hexsides of the maps are told with it. An event of chance p
        takes -log2(p) bits: 1 bit for one that is as likely as not, 7 for one in a hundred.
        """
        # With the PAIR each hexside has the chance that it has on these edges.
        edges = counts.sum()
        bits = -float(sum(count * np.log2(count / edges) for count in counts if count))
        # Without it an edge has a hexside by the same chance as all edges, and all letters are
        # alike.
        chance_of_letter = self.share_with_hexside / len(COLOSSUS.hexsides)
        bare_edges = counts[0]
        edges_with_hexside = counts[1:].sum()
        bits_of_bare_edges = bare_edges * np.log2(1 - self.share_with_hexside)
        bits_of_hexsides = edges_with_hexside * np.log2(chance_of_letter)
        bits_without_pair = -float(bits_of_bare_edges + bits_of_hexsides)
        gain = (bits_without_pair - bits) / self.maps
        return LearnedPair(high, low, _choices(counts), int(edges), gain)

    def saved_bits(self, pair: LearnedPair) -> float:
        """Return the bits that a PAIR saves on all maps, less those that it takes in the script."""
        length = PAIR_BITS + CHOICE_BITS * (len(pair.choices) - 1)
        return pair.gain * self.maps - self.caution * length


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
    chances: dict[tuple[PairHex, PairHex], float] = {}
    for pair in pairs:
        chances[pair.high, pair.low] = sum(share for _letter, share in pair.choices)

    further_pairs = []
    for high_state, low_state in np.argwhere(steps_a_map).tolist():
        high = _exact_hex(high_state)
        low = _exact_hex(low_state)
        height = high_state % ELEVATIONS - low_state % ELEVATIONS
        is_step = height in counts_by_height
        if not is_step or (high, low) in chances:
            continue
        if steps_a_map[high_state, low_state] < RAREST_STEPS[height]:
            continue
        counts_of_step = counts[high_state, low_state]
        pooled_counts = _pooled_counts(counts_of_step, counts_by_height[height])
        terrains_of_any_elevation = (PairHex(high.terrain, None), PairHex(low.terrain, None))
        present_share = chances.get(terrains_of_any_elevation, 0.0)
        if not _has_too_few_hexsides(pooled_counts, present_share):
            continue
        pair = LearnedPair(
            high=high,
            low=low,
            choices=_choices(pooled_counts),
            edges=int(counts_of_step.sum()),
            gain=0.0,
            rare_step=height,
        )
        further_pairs.append(pair)
    return tuple(further_pairs)


def _pooled_counts(counts_of_step: Floats, counts_of_height: Floats) -> Floats:
    """Return counts of hexsides for a step, to which those of all steps of its height add a little.

    A step with few edges of its own is so judged by all of them; one with many hardly is. All are
    (1 + hexsides), the bare edges first.
    """
    shares_of_height = counts_of_height / counts_of_height.sum()
    pooled: Floats = counts_of_step + POOLED_EDGES * shares_of_height
    return pooled


def _has_too_few_hexsides(pooled_counts: Floats, present_share: float) -> bool:
    """Return whether steps have many hexsides in the maps, and many more than by the other PAIRs.

    ``present_share`` is the share of the steps that these PAIRs give a hexside.
    """
    marked_share = 1 - pooled_counts[0] / pooled_counts.sum()
    has_many = marked_share >= SMALLEST_MARKED_SHARE
    return bool(has_many and marked_share - present_share >= SMALLEST_MISSING_SHARE)


# --- counting edges ---------------------------------------------------------------------------


def _edges() -> NDArray[np.intp]:
    """Return (3, 132): hex, side and neighbour of all edges, each seen from both its hexes."""
    edges = []
    for index, neighbours in enumerate(NEIGHBOURS):
        for side, neighbour in enumerate(neighbours):
            if neighbour >= 0:
                edges.append((index, side, neighbour))
    return np.array(edges).T


_HEXES, _SIDES, _NEIGHBOURS = _edges()
"""By edge, (132,) each: the hex that has it, the side of that hex, and the neighbour beyond."""


def steps_of_two(states: NDArray[np.uint8]) -> float:
    """Return how many steps of two elevations maps (27, n) of states have on average."""
    elevations = states.astype(np.intp) % ELEVATIONS
    is_step_of_two = elevations[_HEXES] - elevations[_NEIGHBOURS] == 2
    return float(is_step_of_two.sum(0).mean())


def _hexside_counts(boards: Boards) -> NDArray[np.intp]:
    """Return the number of edges, (states, states, 1 + hexsides).

    It is by the state of the hex that has the edge, the state of the hex beyond, and the code of
    the hexside: 0 for a bare edge, which has none.
    """
    states = boards.terrain.astype(np.intp) * ELEVATIONS + boards.elevation
    codes = len(COLOSSUS.hexsides) + 1
    # Both states and the hexside become one number, so that all are counted in one go:
    # (high state x states + low state) x codes + code, as the digits of a number.
    keys = _keys_of_edges(states[:, _HEXES], states[:, _NEIGHBOURS]) * codes
    keys += boards.hexside[:, _HEXES, _SIDES]
    counts = np.bincount(keys.ravel(), minlength=_STATES * _STATES * codes)
    return counts.reshape(_STATES, _STATES, codes)


def _keys_of_edges(
    high_states: NDArray[np.intp], low_states: NDArray[np.integer]
) -> NDArray[np.intp]:
    """Return the states of both hexes of edges as one number each, 0 .. ``_STATES`` ** 2 - 1."""
    return high_states * _STATES + low_states


def _edges_a_map(states: NDArray[np.uint8]) -> Floats:
    """Return (states, states): the edges from hex to hex that maps (27, n) have on average."""
    keys = _keys_of_edges(states[_HEXES].astype(np.intp), states[_NEIGHBOURS])
    counts = np.bincount(keys.ravel(), minlength=_STATES * _STATES)
    averages: Floats = counts.reshape(_STATES, _STATES) / states.shape[1]
    return averages


def _hexside_counts_by_height(counts: Floats) -> dict[int, Floats]:
    """Return how many steps have each hexside, (1 + hexsides), by the height of the steps: 1, 2.

    ``counts`` are those of ``_hexside_counts``. If the maps have steps of one height only, those of
    the other, which a script can make all the same, are taken to have the same hexsides. The result
    is empty if the maps have no steps.
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
