"""The distance of a script's maps from given maps, in bits: hexes, pairs of neighbours, counts.

    codes = tuple(np.unique(states).tolist())
    script = marginals_of(rolled_states(program, seed), codes)
    compare(marginals_of(states, codes), script).total     # 0 is a perfect fit

The learner judges its scripts by this. The *state* of a hex is its terrain and elevation as one
number (``program.state_of``). A *marginal* is how often one thing alone has each value: a hex each
state, a pair of neighbours each pair of states, a terrain each number of hexes on a map. The
figures are Kullback-Leibler divergences: the bits that are wasted if the given maps are described
with the marginals of the script's maps.

Even maps that the script itself rolled differ from it by chance, and the more the fewer they are:
by (states - 1) / (1.4 * maps) bits a hex.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.batch_roller import MapChunk
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.rolling.program_analysis import needed_steps
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.terrain_set import COLOSSUS

Floats = NDArray[np.float64]
States = NDArray[np.uint8]
"""(27, n): ``state_of`` each hex in n maps."""

MAPS = 10_000
"""The number of maps that are rolled to judge a script; with fewer, chance blurs the figures."""


def _neighbour_pairs() -> NDArray[np.intp]:
    """Return (2, 66): the pairs of neighbours, the lower hex id first."""
    pairs = []
    for number, neighbours in enumerate(NEIGHBOURS):
        pairs += [(number, neighbour) for neighbour in neighbours if number < neighbour]
    return np.array(pairs, np.intp).T.copy()


EDGES = _neighbour_pairs()
"""(2, 66): the pairs of neighbours."""

PAIR_WEIGHT = HEX_COUNT / (2 * EDGES.shape[1])
"""The weight of the bits of a pair.

A hex is in 4.9 pairs on average, so that without it the pairs would count that often.
"""


@dataclass(frozen=True, eq=False)
class Marginals:
    """The frequencies of values of hexes, pairs of neighbours and terrains, as shares of maps.

    S is the number of ``codes`` plus one: the last one takes all states that are none of these.
    """

    maps: int
    """The number of maps."""

    codes: tuple[int, ...]
    """The states that are told apart, ascending."""

    hexes: Floats
    """(27, S): the state of each hex."""

    pairs: Floats
    """(66, S, S): the states of the first and the second hex of each pair of ``EDGES``."""

    counts: Floats
    """(12, 28): how often each terrain has 0, 1, ... 27 hexes on a map."""


def marginals_of(states: States, codes: tuple[int, ...]) -> Marginals:
    """Return the marginals of maps with these ``states`` (27, n); ``codes`` are told apart."""
    size = len(codes) + 1
    maps = states.shape[1]
    rank_of_state = np.full(256, size - 1, np.uint8)
    rank_of_state[list(codes)] = np.arange(size - 1)
    ranks = rank_of_state[states].astype(np.intp)
    hexes = _count_values(ranks, size)
    pairs = _count_values(ranks[EDGES[0]] * size + ranks[EDGES[1]], size * size)
    counts = np.zeros((len(COLOSSUS.terrains), HEX_COUNT + 1))
    for terrain in range(len(counts)):
        number = (states // ELEVATIONS == terrain).sum(0)
        counts[terrain] = np.bincount(number, minlength=HEX_COUNT + 1)
    pairs = pairs.reshape(-1, size, size)
    return Marginals(maps, codes, hexes / maps, pairs / maps, counts / maps)


def _count_values(values: NDArray[np.intp], size: int) -> Floats:
    """Return how often each row of ``values`` has each value below ``size``.

    ``values`` are (rows, n), the result is (rows, size). One ``bincount`` counts all rows: each row
    is moved to a range of values of its own.
    """
    rows = len(values)
    values = values + np.arange(rows)[:, None] * size
    return np.bincount(values.ravel(), minlength=rows * size).reshape(rows, size).astype(float)


def rolled_states(program: Program, seed: int, maps: int = MAPS) -> States:
    """Roll maps 0 to ``maps`` - 1 of ``seed``, without hexsides."""
    chunk = MapChunk(program, PLAIN_HEXES, seed, np.arange(maps, dtype=np.uint64))
    for needed in needed_steps(program):
        chunk.run(needed.step, needed.labels_read)
    return chunk.states


@dataclass(frozen=True, eq=False)
class Fit:
    """By how much given maps differ from those of a script."""

    hex_bits: Floats
    """(27,): the bits of each hex."""

    pair_bits: Floats
    """(66,): the bits of each pair of neighbours."""

    count_bits: Floats
    """(12,): the bits of the number of hexes of each terrain."""

    count_distance: Floats
    """(12,): the total variation distance of the number of hexes of each terrain, 0 to 1.

    It is the share of maps whose number would have to change for both to be alike.
    """

    @property
    def total(self) -> float:
        """The bits a map: of its hexes, its counts, and its pairs times ``PAIR_WEIGHT``."""
        pairs = PAIR_WEIGHT * self.pair_bits.sum()
        return float(self.hex_bits.sum() + pairs + self.count_bits.sum())


def compare(of_maps: Marginals, script: Marginals) -> Fit:
    """Return by how much given maps differ from a script's; both must have the same ``codes``."""
    return Fit(
        hex_bits=_divergence(of_maps.hexes, script.hexes, script.maps).sum(-1),
        pair_bits=_divergence(of_maps.pairs, script.pairs, script.maps).sum((-1, -2)),
        count_bits=_divergence(of_maps.counts, script.counts, script.maps).sum(-1),
        count_distance=np.abs(of_maps.counts - script.counts).sum(-1) / 2,
    )


def _divergence(of_maps: Floats, of_script: Floats, rolled_maps: int) -> Floats:
    """Return the terms p * log2(p / q) for shares p ``of_maps`` and q ``of_script``.

    Their sum is the divergence. A value that none of the ``rolled_maps`` has is not impossible: it
    counts as if half a map had it. The term of p = 0 is 0.
    """
    of_script = np.maximum(of_script, 0.5 / rolled_maps)
    positive = np.maximum(of_maps, 1e-12)  # keeps log2 from a warning where p is 0
    return np.where(of_maps > 0, of_maps * np.log2(positive / of_script), 0.0)


# --- maps that were not seen -------------------------------------------------------------


def held_out_bits(
    program: Program, states: States, learned_from: States, seed: int, *, pairs: bool = True
) -> float:
    """Return the bits of a map that the script was not learned from, by the script's odds.

    ``states`` (27,) are that map's, ``learned_from`` (27, n) those of the maps that the script was
    learned from. The result is the bits of the hexes and, with ``pairs``, those of the pairs times
    ``PAIR_WEIGHT``.
    """
    codes = _codes(states, learned_from)
    rolled = marginals_of(rolled_states(program, seed, MAPS), codes)
    bits = hex_bits_unseen(rolled.hexes, states, learned_from)
    if not pairs:
        return bits
    hexes = smoothed(rolled.hexes, states, learned_from)

    # Pairs are smoothed like hexes (see ``smoothed``): to the n maps that the script was learned
    # from, one is added in which the two hexes of a pair are independent.
    first, second = EDGES
    independent = hexes[first][:, :, None] * hexes[second][:, None, :]
    maps = learned_from.shape[1]
    odds = (maps * rolled.pairs + independent) / (maps + 1)
    ranks = np.searchsorted(codes, states)
    pair_bits = -np.log2(odds[np.arange(len(first)), ranks[first], ranks[second]]).sum()
    return float(bits + PAIR_WEIGHT * pair_bits)


def hex_bits_unseen(hexes: Floats | None, states: States, learned_from: States) -> float:
    """Return the bits of a map's hexes by the odds ``hexes`` (27, S).

    If ``hexes`` is None, the odds are the shares in ``learned_from``.
    """
    codes = _codes(states, learned_from)
    if hexes is None:
        hexes = marginals_of(learned_from, codes).hexes
    odds = smoothed(hexes, states, learned_from)
    ranks = np.searchsorted(codes, states)
    return -float(np.log2(odds[np.arange(len(ranks)), ranks]).sum())


def smoothed(hexes: Floats, states: States, learned_from: States) -> Floats:
    """Return the odds ``hexes`` (27, S) changed so that no state is impossible.

    To the n maps that the script was learned from, one is added whose hexes are drawn from all
    hexes of these maps, wherever they lie.
    """
    codes = (*_codes(states, learned_from), 255)  # 255 is no state: it stands for all others
    # Half a hex more for each state, so that those have odds, too, which no hex has.
    numbers = np.array([(learned_from == code).sum() + 0.5 for code in codes])
    odds_anywhere = numbers / numbers.sum()
    maps = learned_from.shape[1]
    odds: Floats = (maps * hexes + odds_anywhere) / (maps + 1)
    return odds


def _codes(states: States, learned_from: States) -> tuple[int, ...]:
    """Return the states of all these maps, ascending."""
    return tuple(int(code) for code in np.unique(np.append(learned_from, states)))
