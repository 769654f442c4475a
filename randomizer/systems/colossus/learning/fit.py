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
by (states - 1) / (2 ln 2 * maps) bits a hex, which is the mean divergence of so many draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.map_chunk import MapChunk
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program
from randomizer.systems.colossus.rolling.program_analysis import needed_steps
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.terrain_set import COLOSSUS

Floats = NDArray[np.float64]
States = NDArray[np.uint8]
"""(27, n): ``state_of`` each hex in n maps."""

MAPS_TO_JUDGE = 10_000
"""The number of maps that are rolled to judge a script; with fewer, chance blurs the figures."""

_STATE_COUNT = 256
"""The number of values of a state, a byte."""

_MAPS_OF_UNSEEN_VALUE = 0.5
"""A value that no rolled map has counts as if so many maps had it: chance can have hidden it.

With a larger number, values that a script never makes would cost a map too few bits.
"""

_MIN_SHARE = 1e-12
"""Stands for a share of 0, of which no logarithm is taken."""


def _neighbour_pairs() -> NDArray[np.intp]:
    """Return (2, 66): the pairs of neighbours, the lower hex id first."""
    pairs = []
    for hex_id, neighbours in enumerate(NEIGHBOURS):
        pairs += [(hex_id, neighbour) for neighbour in neighbours if hex_id < neighbour]
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

    S is the number of states in ``codes`` plus one: the last takes all that are none of these.
    """

    maps: int
    """The number of maps."""

    codes: tuple[int, ...]
    """The states that are told apart, ascending."""

    hex_shares: Floats
    """(27, S): the state of each hex."""

    pair_shares: Floats
    """(66, S, S): the states of the first and the second hex of each pair of ``EDGES``."""

    count_shares: Floats
    """(12, 28): how often each terrain has 0, 1, ... 27 hexes on a map."""


def marginals_of(states: States, codes: tuple[int, ...]) -> Marginals:
    """Return the marginals of maps with these ``states`` (27, n); ``codes`` are told apart."""
    size = len(codes) + 1
    maps = states.shape[1]

    # The rank of a state is its index in ``codes``; all further states have the last rank.
    rank_of_state = np.full(_STATE_COUNT, size - 1, np.uint8)
    rank_of_state[list(codes)] = np.arange(size - 1)
    ranks = rank_of_state[states].astype(np.intp)
    hexes = _count_values(ranks, size)

    # The states of a pair are counted as one number: 3 and 5 of ten ranks are 35.
    first, second = EDGES
    pairs = _count_values(ranks[first] * size + ranks[second], size * size)
    pairs = pairs.reshape(-1, size, size)

    counts = np.zeros((len(COLOSSUS.terrains), HEX_COUNT + 1))
    for terrain in range(len(counts)):
        hexes_on_maps = (states // ELEVATIONS == terrain).sum(0)
        counts[terrain] = np.bincount(hexes_on_maps, minlength=HEX_COUNT + 1)
    return Marginals(
        maps=maps,
        codes=codes,
        hex_shares=hexes / maps,
        pair_shares=pairs / maps,
        count_shares=counts / maps,
    )


def _count_values(values: NDArray[np.intp], size: int) -> Floats:
    """Return how often each row of ``values`` has each value below ``size``.

    ``values`` are (rows, n), the result is (rows, size). One ``bincount`` counts all rows: each row
    is moved to a range of values of its own.
    """
    rows = len(values)
    values = values + np.arange(rows)[:, None] * size
    return np.bincount(values.ravel(), minlength=rows * size).reshape(rows, size).astype(float)


def rolled_states(program: Program, seed: int, maps: int = MAPS_TO_JUDGE) -> States:
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


def compare(given: Marginals, script: Marginals) -> Fit:
    """Return by how much given maps differ from a script's; both must have the same ``codes``."""
    return Fit(
        hex_bits=_divergence(given.hex_shares, script.hex_shares, script.maps).sum(-1),
        pair_bits=_divergence(given.pair_shares, script.pair_shares, script.maps).sum((-1, -2)),
        count_bits=_divergence(given.count_shares, script.count_shares, script.maps).sum(-1),
        count_distance=np.abs(given.count_shares - script.count_shares).sum(-1) / 2,
    )


def _divergence(given_shares: Floats, script_shares: Floats, rolled_maps: int) -> Floats:
    """Return the terms p * log2(p / q) for shares p of given maps and q of a script's.

    Their sum is the divergence, but for unseen values, whose shares q are raised without lowering
    the others. A value that none of the ``rolled_maps`` has is not impossible: see
    ``_MAPS_OF_UNSEEN_VALUE``. The term of p = 0 is 0.
    """
    script_shares = np.maximum(script_shares, _MAPS_OF_UNSEEN_VALUE / rolled_maps)
    positive_shares = np.maximum(given_shares, _MIN_SHARE)
    terms = given_shares * np.log2(positive_shares / script_shares)
    return np.where(given_shares > 0, terms, 0.0)
