"""Lists of hexes in many maps at once: how often each hex is in the list, map by map.

Whole tables are added and compared instead of single rows: a call of numpy costs as much as
processing thousands of maps. The *order* of a list is not kept: only the start list needs it, and
that is taken from the map's own ``roll``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

Rows = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Hexes:
    """A list in n maps. Immutable; lists share their arrays.

    ``numbers`` (k) are the hex ids that can be in it, ascending; ``counts`` (k, n), or (k, 1) where
    it is the same list in all maps, how often each is. Sums of counts must fit into bytes.
    """

    numbers: NDArray[np.intp]
    counts: Rows


@registered(bytes_each=2 * KB)
@lru_cache(256)
def constant_list(hexes: tuple[int, ...]) -> Hexes:
    """Return the list that holds ``hexes`` in every map."""
    counts = sorted(Counter(hexes).items())
    table = np.array(counts, np.intp).reshape(-1, 2)
    return Hexes(table[:, 0].copy(), table[:, 1:].astype(np.uint8))


def join_lists(lists: Sequence[Hexes]) -> Hexes:
    """Return the concatenation of ``lists``, duplicates kept."""
    width = max(part.counts.shape[1] for part in lists)
    counts = np.zeros((HEX_COUNT, width), np.uint8)
    listed = np.zeros(HEX_COUNT, np.bool_)
    for part in lists:
        counts[part.numbers] += part.counts
        listed[part.numbers] = True
    numbers = np.flatnonzero(listed)
    return Hexes(numbers, counts[numbers])


def subtract_list(source: Hexes, left_out: Hexes) -> Hexes:
    """Return the hexes of ``source`` that are not in ``left_out``, duplicates kept."""
    stays = np.ones((HEX_COUNT, left_out.counts.shape[1]), np.bool_)
    stays[left_out.numbers] = left_out.counts == 0
    possible = stays[source.numbers].any(1)
    numbers = source.numbers[possible]
    return Hexes(numbers, source.counts[possible] * stays[numbers].view(np.uint8))


def list_neighbours(source: Hexes) -> Hexes:
    """Return the neighbours of the hexes of ``source``: each once, members left out."""
    members = np.zeros(
        (HEX_COUNT + 1, source.counts.shape[1]), np.bool_
    )  # the last row: beyond the board
    members[source.numbers] = source.counts != 0
    reach = np.zeros(HEX_COUNT + 1, np.bool_)
    reach[source.numbers] = True
    numbers = np.flatnonzero(reach[_AROUND].any(0))
    sides = _AROUND[:, numbers]
    near = members[sides[0]]
    for side_table in sides[1:]:
        near |= members[side_table]
    np.greater(near, members[numbers], out=near)
    if near.shape[1] == 1:
        present = near[:, 0]
        numbers = numbers[present]
        near = near[present]
    return Hexes(numbers, near.view(np.uint8))


_AROUND = np.array(NEIGHBOURS).T.copy()
"""(6, 27): the neighbours by side; -1, the row after the last hex, beyond the board."""


# --- drawing ------------------------------------------------------------------------------------
# A list to draw from is stored as ``ends`` (k + 1, n): 0, then for each hex the
# position after its last copy; the last row is the number of hexes. To draw from a list is
# to find the ends that are after a position, and to lower them by one.


def ends_of(hexes: Hexes, n: int) -> Rows:
    """Return the ``ends`` (k + 1, n) of a list in ``n`` maps, to draw from."""
    ends = np.empty((len(hexes.numbers) + 1, n), np.uint8)
    ends[0] = 0
    if hexes.counts.shape[1] == 1:
        ends[1:] = np.cumsum(hexes.counts, 0)
        return ends
    for end, count, following in zip(ends, hexes.counts, ends[1:], strict=False):
        np.add(end, count, out=following)  # many times as fast as cumsum across rows
    return ends


def draw(ends: Rows, position: Rows) -> Rows:
    """Take the hex at ``position`` (n) out of ``ends``, in place; 255 takes none.

    Returns (k + 1, n): 1 for every end that was lowered, which are those after the hex.
    """
    lowered = np.less(position, ends).view(np.uint8)
    ends -= lowered
    return lowered


def counts_of(ends: Rows) -> Rows:
    """Return the counts of a list with these ends."""
    return ends[1:] - ends[:-1]
