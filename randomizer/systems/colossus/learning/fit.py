"""How far the maps of a script are from given maps, in bits: hexes, pairs of neighbours, counts.

The learner judges its scripts by it: ``compare(marginals_of(states, codes), ...)``. A *marginal* is
how often one thing alone has each value: a hex each state, a terrain each number of hexes. All
three figures are Kullback-Leibler divergences of marginals, those of the given maps against those
of the script's. A few given maps differ from any script by chance: (states - 1) / (1.4 * maps) bits
a hex even if they are the script's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.batch_roller import Rows
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Program, needed_steps
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES
from randomizer.systems.colossus.terrain_set import COLOSSUS

Floats = NDArray[np.float64]
States = NDArray[np.uint8]
"""(27, n): ``state_of`` each hex in n maps."""

MAPS = 10_000
"""The maps rolled to judge a script."""


def _neighbour_pairs() -> NDArray[np.intp]:
    """Return (2, 66): the pairs of neighbours, the lower hex id first."""
    pairs = []
    for number, neighbours in enumerate(NEIGHBOURS):
        pairs += [(number, neighbour) for neighbour in neighbours if number < neighbour]
    return np.array(pairs, np.intp).T.copy()


EDGES = _neighbour_pairs()
"""(2, 66): the pairs of neighbours."""

PAIR_WEIGHT = HEX_COUNT / (2 * EDGES.shape[1])
"""A pair's share in a map's bits: one hex is in 4.9 pairs."""


@dataclass(frozen=True, eq=False)
class Marginals:
    """How often hexes, pairs of neighbours and terrains have each value, as shares of maps.

    S is the number of ``codes`` plus one: the last one takes all states that are none of these.
    """

    maps: int
    """The number of maps."""

    codes: tuple[int, ...]
    """The states that are told apart."""

    hexes: Floats
    """(27, S): the state of each hex."""

    pairs: Floats
    """(66, S, S): the states of both hexes of each pair of ``EDGES``."""

    counts: Floats
    """(12, 28): the number of hexes of each terrain."""


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
    """Return (rows, size): how often each row has each value below ``size``."""
    rows = len(values)
    values = values + np.arange(rows)[:, None] * size
    return np.bincount(values.ravel(), minlength=rows * size).reshape(rows, size).astype(float)


def rolled_states(program: Program, seed: int, maps: int = MAPS) -> States:
    """Roll maps 0 to ``maps`` - 1 of ``seed``, without hexsides."""
    rows = Rows(program, PLAIN_HEXES, seed, np.arange(maps, dtype=np.uint64))
    for needed in needed_steps(program):
        rows.take(needed.step, needed.labels_read)
    return rows.states


@dataclass(frozen=True, eq=False)
class Fit:
    """By how much maps differ from those of a script."""

    hex_bits: Floats
    """(27,): the bits of each hex."""

    pair_bits: Floats
    """(66,): the bits of each pair of neighbours."""

    count_bits: Floats
    """(12,): the bits of the number of hexes of each terrain."""

    count_distance: Floats
    """(12,): the total variation of that number, from 0 to 1."""

    @property
    def total(self) -> float:
        """The bits a map: of hexes, counts, and pairs by their weight."""
        pairs = PAIR_WEIGHT * self.pair_bits.sum()
        return float(self.hex_bits.sum() + pairs + self.count_bits.sum())


def compare(of_maps: Marginals, script: Marginals) -> Fit:
    """Return by how much maps differ from those of a script, which have the same states."""
    return Fit(
        _divergence(of_maps.hexes, script.hexes, script.maps).sum(-1),
        _divergence(of_maps.pairs, script.pairs, script.maps).sum((-1, -2)),
        _divergence(of_maps.counts, script.counts, script.maps).sum(-1),
        np.abs(of_maps.counts - script.counts).sum(-1) / 2,
    )


def _divergence(of_maps: Floats, of_script: Floats, maps: int) -> Floats:
    """Return the terms p log2 p/q; a value that no rolled map has counts as half a map's."""
    of_script = np.maximum(of_script, 0.5 / maps)
    return np.where(of_maps > 0, of_maps * np.log2(np.maximum(of_maps, 1e-12) / of_script), 0.0)


# --- maps that were not seen -------------------------------------------------------------


def held_out_bits(
    program: Program, states: States, learned_from: States, seed: int, *, pairs: bool = True
) -> float:
    """Return the bits of a map that the script was not learned from, by the script's odds.

    ``states`` (27,) are that map's, ``learned_from`` (27, n) those of the maps that the script was
    learned from. Added are the bits of the hexes and, with ``pairs``, of pairs by their weight.
    """
    codes = _codes(states, learned_from)
    rolled = marginals_of(rolled_states(program, seed, MAPS), codes)
    bits = hex_bits_unseen(rolled.hexes, states, learned_from)
    if not pairs:
        return bits
    hexes = smoothed(rolled.hexes, states, learned_from)

    # Pairs are smoothed as hexes are: one map of n + 1 has pairs of independent hexes.
    first, second = EDGES
    independent = hexes[first][:, :, None] * hexes[second][:, None, :]
    maps = learned_from.shape[1]
    odds = (maps * rolled.pairs + independent) / (maps + 1)
    ranks = np.searchsorted(codes, states)
    pair_bits = -np.log2(odds[np.arange(len(first)), ranks[first], ranks[second]]).sum()
    return float(bits + PAIR_WEIGHT * pair_bits)


def hex_bits_unseen(hexes: Floats | None, states: States, learned_from: States) -> float:
    """Return the bits of a map's hexes by odds (27, S); None: as often as in ``learned_from``."""
    codes = _codes(states, learned_from)
    if hexes is None:
        hexes = marginals_of(learned_from, codes).hexes
    odds = smoothed(hexes, states, learned_from)
    ranks = np.searchsorted(codes, states)
    return -float(np.log2(odds[np.arange(len(ranks)), ranks]).sum())


def smoothed(hexes: Floats, states: States, learned_from: States) -> Floats:
    """Return odds by which nothing is impossible: one map of n + 1 is as any hex of any map."""
    codes = (*_codes(states, learned_from), 255)  # the last one stands for all other states
    numbers = np.array([(learned_from == code).sum() + 0.5 for code in codes])
    odds_anywhere = numbers / numbers.sum()
    maps = learned_from.shape[1]
    odds: Floats = (maps * hexes + odds_anywhere) / (maps + 1)
    return odds


def _codes(states: States, learned_from: States) -> tuple[int, ...]:
    """Return the states of all these maps, ascending."""
    return tuple(int(code) for code in np.unique(np.append(learned_from, states)))
