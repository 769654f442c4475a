"""Adds PAIRs to a script for steps that its own maps have, and the given maps hardly.

A script draws its terrains one after the other, so that hexes meet on its maps that do not meet on
the given ones: a peak stands beside a thicket. No PAIR was learned for that *step* (an edge that
leads down), and the cliff below the peak would have a gap there:

    given maps                 a map of the script
    peak | plain   cliff       peak | plain     cliff
    peak | bog     cliff       peak | thicket   bare!

Such a step gets what the steps of its height have in the given maps. Steps that are bare there stay
so. In the terms of ``edge_counts``, a step leads from its *owner* down to its *neighbour*.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.learning.edge_counts import (
    Counts,
    edges_per_map,
    hexside_counts,
)
from randomizer.systems.colossus.learning.hexsides import (
    LearnedPair,
    PairHex,
    StepHeight,
    choices_of,
)
from randomizer.systems.colossus.rolling.program import ELEVATIONS

# The numbers below were set by hand and tried on mountains, of which six maps were given: the
# learned script leaves no step of two bare, and a step of one on a tenth of its maps at most
# (``test_no_step_is_bare_where_the_maps_mark_all_steps``). Only the first of them is delicate: with
# shares of 0.1 and 0.9 for 0.5, 0.01 and 0.4 for 0.1, or 0.1 and 10 edges the same steps got PAIRs.

MIN_STEPS_PER_MAP = {StepHeight.ONE: 0.03, StepHeight.TWO: 0.005}
"""By their height: steps that a map of the script has less often, on average, get no PAIR.

Without a limit a script would end with a PAIR for everything that can ever meet. It is lower for
steps of two, of which a map has fewer. If it is larger, a script has fewer PAIRs and more bare
steps: ten times as large it left a bare step of one on every third of the mountains.
"""

MIN_MARKED_SHARE = 0.5
"""Steps get a PAIR if at least this share of them has hexsides in the given maps.

Below a half, to be bare is what most of such steps do. If it is larger, more steps stay bare.
"""

MIN_MISSING_SHARE = 0.1
"""Steps get a PAIR if the PAIR that holds for them now leaves at least this share too many bare.

If it is larger, more steps are left to PAIRs of any elevation, which expect level edges too.
"""

POOLED_EDGES = 1.0
"""For so many edges the average of all steps of a height counts beside a step's own edges.

At 1 the average decides for steps without edges of their own, and half for those with one edge. If
it is larger, PAIRs of rare steps resemble one another more.
"""


def step_pairs(
    boards: Boards, pairs: Sequence[LearnedPair], rolled: NDArray[np.uint8]
) -> tuple[LearnedPair, ...]:
    """Return further PAIRs for the steps that ``pairs`` leave bare.

    ``boards`` are the given maps, from which ``pairs`` were learned. ``rolled`` (27, maps) are maps
    of the script with these PAIRs: terrain and elevation of each hex as one number (``state_of``).
    """
    counts = hexside_counts(boards)
    counts_by_height = _counts_by_height(counts)
    if not counts_by_height:
        return ()

    # How often the PAIRs so far give an edge any hexside.
    marked_shares: dict[tuple[PairHex, PairHex], float] = {}
    for pair in pairs:
        marked_shares[pair.owner, pair.neighbour] = sum(share for _letter, share in pair.choices)

    frequencies = edges_per_map(rolled)
    further_pairs = []
    for kind_of_edge in np.argwhere(frequencies).tolist():
        owner_terrain, owner_elevation, neighbour_terrain, neighbour_elevation = kind_of_edge
        owner = PairHex(owner_terrain, owner_elevation)
        neighbour = PairHex(neighbour_terrain, neighbour_elevation)
        if (owner, neighbour) in marked_shares:
            continue  # it has its own PAIR

        difference = owner_elevation - neighbour_elevation
        if difference not in counts_by_height:
            continue  # level, or leads up
        height = StepHeight(difference)
        if frequencies[tuple(kind_of_edge)] < MIN_STEPS_PER_MAP[height]:
            continue

        own_counts = counts[tuple(kind_of_edge)]
        pooled_counts = _pooled_counts(own_counts, counts_by_height[height])
        # Without a PAIR of its own the one of any elevations holds for the step, if there is one.
        any_elevations = (PairHex(owner_terrain, None), PairHex(neighbour_terrain, None))
        present_share = marked_shares.get(any_elevations, 0.0)
        if _has_too_few_hexsides(pooled_counts, present_share):
            further_pairs.append(
                LearnedPair(
                    owner=owner,
                    neighbour=neighbour,
                    choices=choices_of(pooled_counts),
                    edges=int(own_counts.sum()),
                    gain=0.0,
                    step_height=height,
                )
            )
    return tuple(further_pairs)


def _counts_by_height(counts: Counts) -> dict[StepHeight, Counts]:
    """Return how many steps have each code, (6,), by the height of the steps.

    ``counts`` are the ``hexside_counts`` of the given maps. If these have steps of one height only,
    those of the other height are taken to have the same hexsides: a script can make them all the
    same. The result is empty if the maps have no steps.
    """
    sums: dict[StepHeight, Counts] = {}
    for height in StepHeight:
        sum_of_height = np.zeros(counts.shape[-1], np.intp)
        for neighbour_elevation in range(ELEVATIONS - height):
            owner_elevation = neighbour_elevation + height
            counts_of_elevations = counts[:, owner_elevation, :, neighbour_elevation]
            sum_of_height += counts_of_elevations.sum((0, 1))  # of all terrains
        if sum_of_height.any():
            sums[height] = sum_of_height
    if len(sums) == 1:
        (only_sum,) = sums.values()
        return dict.fromkeys(StepHeight, only_sum)
    return sums


def _pooled_counts(own_counts: Counts, counts_of_height: Counts) -> Floats:
    """Return counts of a step, to which those of all steps of its height add ``POOLED_EDGES``.

    So a step with few edges of its own is judged by all of them, and one with many hardly is. Each
    array is (6,), by the code.
    """
    shares_of_height = counts_of_height / counts_of_height.sum()
    pooled: Floats = own_counts + POOLED_EDGES * shares_of_height
    return pooled


def _has_too_few_hexsides(pooled_counts: Floats, present_share: float) -> bool:
    """Return whether most such steps should have a hexside, and clearly more than now have one.

    ``present_share`` is the share of them to which the PAIRs so far give a hexside.
    """
    bare_share = pooled_counts[0] / pooled_counts.sum()
    marked_share = 1 - bare_share
    has_mostly_hexsides = marked_share >= MIN_MARKED_SHARE
    is_missing_hexsides = marked_share - present_share >= MIN_MISSING_SHARE
    return bool(has_mostly_hexsides and is_missing_hexsides)
