"""Learns the PAIRs of a script: which hexsides stand between two kinds of hexes, and how often.

    PAIR (Plains,2)(Plains,1) HEXSIDES c,40. s      # cliffs on 40 % of such edges, else slopes
    PAIR (Sand,*)(Plains,*) HEXSIDES d,60.          # dunes, whatever the elevations

The first hex of a PAIR is the *owner* of the hexsides, the second its *neighbour*: terms of
``edge_counts``, which counts the hexsides of the maps.

A PAIR is learned if it is worth its place. What it is worth is measured in bits, the length of a
description: to tell somebody what stands on an edge takes few bits if that was to be expected, and
many if not. A PAIR says what is to be expected, and so makes the maps shorter to describe; but its
own line has a length too. It is learned if it saves more bits than it takes.

``step_pairs`` later adds PAIRs for edges that only the script's own maps have.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.learning.edge_counts import Counts, hexside_counts
from randomizer.systems.colossus.terrain_set import COLOSSUS


class PairHex(NamedTuple):
    """One of the two hexes of a PAIR: ``(Plains,2)``, or ``(Plains,*)`` of any elevation."""

    terrain: int
    """The code of the terrain."""

    elevation: int | None
    """None for any elevation."""


class StepHeight(IntEnum):
    """By how many elevations an edge leads down; scripts have the elevations 0, 1 and 2."""

    ONE = 1
    TWO = 2


Choices = tuple[tuple[str, float], ...]
"""The hexsides of a PAIR: letter and share of the edges, the most frequent one first."""


@dataclass(frozen=True, slots=True)
class LearnedPair:
    """A PAIR of the learned script."""

    owner: PairHex
    """The hex that has the hexsides, named first."""

    neighbour: PairHex
    """The hex beyond them, named second."""

    choices: Choices
    """The hexsides. Their shares sum to less than 1 if some edges are bare."""

    edges: int
    """The number of edges between such hexes in the given maps."""

    gain: float
    """The bits a map that the PAIR saves; 0 for a PAIR of ``step_pairs``."""

    step_height: StepHeight | None = None
    """None if the choices are those of the PAIR's own edges, as ``learn_pairs`` has them.

    A PAIR of ``step_pairs`` has hardly any edges of its own. Its choices are mostly those of all
    steps of this height.
    """


def choices_of(counts: Counts | Floats) -> Choices:
    """Return the hexsides of edges, of which there are so many by their codes (6,)."""
    shares = (counts / counts.sum()).tolist()
    codes = [code for code, share in enumerate(shares) if code and share]  # 0 is a bare edge
    codes.sort(key=lambda code: (-shares[code], code))
    return tuple((COLOSSUS.hexsides[code - 1].letter, shares[code]) for code in codes)


# --- which PAIRs are learned ------------------------------------------------------------------


def learn_pairs(boards: Boards, caution: float) -> tuple[LearnedPair, ...]:
    """Return the PAIRs that save more bits than they take.

    ``caution`` is the number of bits that must be saved for each bit of the script. For each two
    terrains there are PAIRs of exact elevations, or one of any elevations, whichever save more.
    """
    counts = hexside_counts(boards)
    balance = _balance_of(counts, len(boards), caution)
    has_hexsides = counts[..., 1:].any((1, 3, 4))  # by the terrains of owner and neighbour
    pairs: list[LearnedPair] = []
    for owner, neighbour in np.argwhere(has_hexsides).tolist():
        counts_of_terrains = counts[owner, :, neighbour, :]
        pairs += _pairs_of_terrains(owner, neighbour, counts_of_terrains, balance)
    return tuple(pairs)


def _pairs_of_terrains(
    owner: int, neighbour: int, counts: Counts, balance: _BitBalance
) -> list[LearnedPair]:
    """Return the PAIRs from one terrain to another.

    ``counts`` (4, 4, 6) are those of their edges, by the elevation of the owner, the elevation of
    the neighbour, and the code.
    """
    # Either one PAIR for each two elevations, as far as it is worth its own line...
    exact_pairs = []
    bits_of_exact_pairs = 0.0
    elevations_with_hexsides = np.argwhere(counts[..., 1:].any(2))
    for owner_elevation, neighbour_elevation in elevations_with_hexsides.tolist():
        pair = balance.pair_of_edges(
            PairHex(owner, owner_elevation),
            PairHex(neighbour, neighbour_elevation),
            counts[owner_elevation, neighbour_elevation],
        )
        net_bits = balance.net_bits(pair)
        if net_bits > 0:
            exact_pairs.append(pair)
            bits_of_exact_pairs += net_bits

    # ... or one PAIR for all of them: a single line, but it expects the same of steps and level
    # edges. If it is worth nothing, and the exact ones neither, the exact ones are none: 0 bits.
    general_pair = balance.pair_of_edges(
        PairHex(owner, None), PairHex(neighbour, None), counts.sum((0, 1))
    )
    if balance.net_bits(general_pair) > bits_of_exact_pairs:
        return [general_pair]
    return exact_pairs


# --- what a PAIR is worth ---------------------------------------------------------------------

# An event of chance p takes -log2(p) bits: 1 bit if it is as likely as not, 7 bits if it happens
# once in a hundred times. The two lengths below are set by hand, beside those of
# ``script_lengths``, by which a PAIR is about as long as an AREA with one hazard.

PAIR_BITS = 12.0
"""The length of a PAIR with one hexside.

Where a tenth of the edges have hexsides, one that comes for certain saves almost 6 bits an edge, so
that three such edges pay for the PAIR. If the length is larger, PAIRs of rare hexes are not
learned: of forty maps of a mountain 4 PAIRs at 40 bits, 8 at 12, 10 at 4.
"""

CHOICE_BITS = 5.0
"""The length of each further hexside of a PAIR, its chance included.

If it is larger, PAIRs with several hexsides are learned only for more edges: of the same maps
7 PAIRs at 20 bits, 8 at 5.
"""

_TINY_SHARE = 1e-6
"""Stands for a share of 0, and as its complement for one of 1, so that logarithms are finite.

It changes no PAIR: maps without hexsides get none, and if all edges have hexsides, none is bare.
"""


@dataclass(frozen=True, slots=True)
class _BitBalance:
    """What a PAIR saves in the description of the maps, against what it takes in the script."""

    bits_of_bare_edge: float
    """To tell, where no PAIR helps, that an edge has no hexside."""

    bits_of_hexside: float
    """To tell, where no PAIR helps, that an edge has a hexside, and which one."""

    maps: int
    """The number of maps that are described."""

    caution: float
    """That of ``learn_pairs``."""

    def pair_of_edges(self, owner: PairHex, neighbour: PairHex, counts: Counts) -> LearnedPair:
        """Return the PAIR for edges, of which there are so many by their codes (6,)."""
        edges = counts.sum()
        bare_edges = counts[0]
        edges_with_hexside = counts[1:].sum()
        bits_without_pair = (
            bare_edges * self.bits_of_bare_edge + edges_with_hexside * self.bits_of_hexside
        )
        # With the PAIR each code has the chance that it has on these very edges.
        bits_with_pair = -sum(count * np.log2(count / edges) for count in counts if count)
        gain = float(bits_without_pair - bits_with_pair) / self.maps
        return LearnedPair(owner, neighbour, choices_of(counts), int(edges), gain)

    def net_bits(self, pair: LearnedPair) -> float:
        """Return the bits that a PAIR saves on all maps, less those that it takes in the script."""
        further_hexsides = len(pair.choices) - 1
        length = PAIR_BITS + CHOICE_BITS * further_hexsides
        return pair.gain * self.maps - self.caution * length


def _balance_of(counts: Counts, maps: int, caution: float) -> _BitBalance:
    """Return the balance for maps with these ``hexside_counts``."""
    # Where no PAIR helps, one knows only how many edges of the maps have hexsides, not where and
    # not which: all letters are alike.
    share_with_hexside = counts[..., 1:].sum() / max(counts.sum(), 1)
    share_with_hexside = min(max(share_with_hexside, _TINY_SHARE), 1 - _TINY_SHARE)
    chance_of_letter = share_with_hexside / len(COLOSSUS.hexsides)
    return _BitBalance(
        bits_of_bare_edge=float(-np.log2(1 - share_with_hexside)),
        bits_of_hexside=float(-np.log2(chance_of_letter)),
        maps=maps,
        caution=caution,
    )
