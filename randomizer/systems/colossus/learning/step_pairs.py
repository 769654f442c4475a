"""Adds PAIRs to a script for steps that its own maps have, and the given maps hardly.

A *PAIR* statement says which hexsides stand between two kinds of hexes, on the side of the first
one, its *owner*, towards the second one, its *neighbour*. A *step* is an edge between two hexes
that leads from a higher owner down to a lower neighbour.

A script draws its terrains one after the other, so that hexes meet on its maps that do not meet on
the given ones: a peak stands beside a thicket. No PAIR was learned for that step, and the cliff
below the peak would have a gap there:

    given maps                 a map of the script
    peak | plain   cliff       peak | plain     cliff
    peak | bog     cliff       peak | thicket   bare!

Such a step gets what the steps of its height have in the given maps. Steps that are bare there stay
so. The *code* of an edge is 0 if it is bare, else that of its hexside (edge_counts.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
# (``test_no_step_is_bare_where_the_maps_mark_all_steps``). Only MIN_STEPS_PER_MAP is delicate. The
# same steps got PAIRs with
#
#     MIN_MARKED_SHARE     0.1  0.5  0.9
#     MIN_MISSING_SHARE    0.01 0.1  0.4
#     POOLED_EDGES         0.1  1    10

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

_BARE = 0
"""The code of an edge without a hexside."""


class _Step(NamedTuple):
    """A kind of steps: all edges down between two terrains at two elevations."""

    owner: PairHex
    """The higher hex."""

    neighbour: PairHex
    """The lower hex."""

    height: StepHeight

    count_per_map: float
    """The number of such steps on a map of the script, on average."""

    edge_codes: Counts
    """(6,): the number of such steps with each code in the given maps."""


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
    marked_shares = _marked_shares(pairs)
    further_pairs = []
    for step in _steps_of(rolled, counts):
        has_own_pair = (step.owner, step.neighbour) in marked_shares
        if has_own_pair or step.count_per_map < MIN_STEPS_PER_MAP[step.height]:
            continue
        pooled_counts = _pooled_counts(step.edge_codes, counts_by_height[step.height])
        if _has_too_few_hexsides(pooled_counts, _present_share(step, marked_shares)):
            further_pairs.append(_new_pair(step, pooled_counts))
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


def _marked_shares(pairs: Sequence[LearnedPair]) -> dict[tuple[PairHex, PairHex], float]:
    """Return, by owner and neighbour, to which share of their edges PAIRs give any hexside."""
    marked_shares = {}
    for pair in pairs:
        marked_shares[pair.owner, pair.neighbour] = sum(share for _letter, share in pair.choices)
    return marked_shares


def _steps_of(rolled: NDArray[np.uint8], counts: Counts) -> Iterator[_Step]:
    """Yield all kinds of steps that the maps of the script have.

    The parameters are those of ``step_pairs`` and ``_counts_by_height``.
    """
    heights = {height.value: height for height in StepHeight}
    edge_frequencies = edges_per_map(rolled)
    for edge in np.argwhere(edge_frequencies).tolist():
        owner_terrain, owner_elevation, neighbour_terrain, neighbour_elevation = edge
        height = heights.get(owner_elevation - neighbour_elevation)
        if height is None:
            continue  # the edge is level, or leads up
        yield _Step(
            owner=PairHex(owner_terrain, owner_elevation),
            neighbour=PairHex(neighbour_terrain, neighbour_elevation),
            height=height,
            count_per_map=float(edge_frequencies[tuple(edge)]),
            edge_codes=counts[tuple(edge)],
        )


def _pooled_counts(own_counts: Counts, counts_of_height: Counts) -> Floats:
    """Return counts of a step, to which those of all steps of its height add ``POOLED_EDGES``.

    So a step with few edges of its own is judged by all of them, and one with many hardly is. Each
    array is (6,), by the code.
    """
    shares_of_height = counts_of_height / counts_of_height.sum()
    pooled: Floats = own_counts + POOLED_EDGES * shares_of_height
    return pooled


def _present_share(step: _Step, marked_shares: dict[tuple[PairHex, PairHex], float]) -> float:
    """Return the share of such steps to which the PAIRs so far give a hexside.

    Without a PAIR of its own the one of any elevations holds for a step, if there is one.
    """
    owner = PairHex(step.owner.terrain, None)
    neighbour = PairHex(step.neighbour.terrain, None)
    return marked_shares.get((owner, neighbour), 0.0)


def _has_too_few_hexsides(pooled_counts: Floats, present_share: float) -> bool:
    """Return whether most such steps should have a hexside, and clearly more than now have one."""
    bare_share = pooled_counts[_BARE] / pooled_counts.sum()
    marked_share = 1 - bare_share
    has_mostly_hexsides = marked_share >= MIN_MARKED_SHARE
    is_missing_hexsides = marked_share - present_share >= MIN_MISSING_SHARE
    return bool(has_mostly_hexsides and is_missing_hexsides)


def _new_pair(step: _Step, pooled_counts: Floats) -> LearnedPair:
    """Return the PAIR of a step."""
    return LearnedPair(
        owner=step.owner,
        neighbour=step.neighbour,
        choices=choices_of(pooled_counts),
        edges=int(step.edge_codes.sum()),
        gain=0.0,  # it repairs the script's own maps: the given ones get no shorter to describe
        step_height=step.height,
    )
