"""Lists of hexes in many maps at once: how often each hex is in the list, map by map.

``batch_roller`` rolls thousands of maps of a script together, and evaluates its lists with these
functions; AREAs and SOMEOFs draw hexes from them. In each map a list can hold other hexes. For
instance D4 (id 14) on the first two of three maps, and B1 (id 6) twice on the last one:

    Hexes(numbers=[6, 14], counts=[[0, 0, 2],
                                   [1, 1, 0]])

Whole tables are added and compared instead of single rows, because a call of numpy costs as much as
processing thousands of maps. The order of the hexes in a list is not stored: only the start list
needs it, and that is taken from the map's own ``roll``.
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

_NEIGHBOURS_BY_SIDE = np.array(NEIGHBOURS).T.copy()
"""(6, 27): the neighbours by side and hex; -1 beyond the board."""


@dataclass(frozen=True, eq=False, slots=True)
class Hexes:
    """A list in n maps. Immutable: lists can share their arrays, which are never changed."""

    numbers: NDArray[np.intp]
    """(k,): the ids of the hexes that are in the list in any of the maps, ascending."""
    counts: Rows
    """(k, n): how often each hex is in the list; (k, 1) if it is the same list in all maps.

    The sum of a map's counts must fit into a byte.
    """


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
    is_listed = np.zeros(HEX_COUNT, np.bool_)
    for part in lists:
        counts[part.numbers] += part.counts
        is_listed[part.numbers] = True
    numbers = np.flatnonzero(is_listed)
    return Hexes(numbers, counts[numbers])


def subtract_list(source: Hexes, excluded: Hexes) -> Hexes:
    """Return the hexes of ``source`` that are not in ``excluded``, duplicates kept."""
    stays = np.ones((HEX_COUNT, excluded.counts.shape[1]), np.bool_)
    stays[excluded.numbers] = excluded.counts == 0
    stays_on_any_map = stays[source.numbers].any(1)
    numbers = source.numbers[stays_on_any_map]
    return Hexes(numbers, source.counts[stays_on_any_map] * stays[numbers].view(np.uint8))


def list_neighbours(source: Hexes) -> Hexes:
    """Return the neighbours of the hexes of ``source``: each once, without these themselves."""
    # Which hexes are in ``source``, (hexes, n). The row after them is for the neighbours beyond the
    # board, which ``_NEIGHBOURS_BY_SIDE`` has as -1: no hex is there.
    is_member = np.zeros((HEX_COUNT + 1, source.counts.shape[1]), np.bool_)
    is_member[source.numbers] = source.counts != 0

    # Candidates are the hexes that have a neighbour in ``source`` on any of the maps.
    is_member_on_any_map = np.zeros(HEX_COUNT + 1, np.bool_)
    is_member_on_any_map[source.numbers] = True
    numbers = np.flatnonzero(is_member_on_any_map[_NEIGHBOURS_BY_SIDE].any(0))

    # A candidate is listed on the maps where the hex beyond any of its sides is in ``source``, but
    # not the candidate itself.
    neighbours_by_side = _NEIGHBOURS_BY_SIDE[:, numbers]
    is_neighbour = is_member[neighbours_by_side[0]]
    for neighbours in neighbours_by_side[1:]:
        is_neighbour |= is_member[neighbours]
    is_neighbour &= ~is_member[numbers]
    if is_neighbour.shape[1] == 1:
        # The list is the same in all maps: hexes that are not in it need no row.
        is_present = is_neighbour[:, 0]
        numbers = numbers[is_present]
        is_neighbour = is_neighbour[is_present]
    return Hexes(numbers, is_neighbour.view(np.uint8))


# --- drawing ------------------------------------------------------------------------------------
# A list to draw from is stored as ``ends`` (k + 1, n): 0, then for each hex the position after its
# last copy; the last row is the number of hexes. To draw from a list is to find the ends that are
# after a position, and to lower them by one. Example: hexes a, b, b, c have the ends 0, 1, 3, 4.
# Position 2 is a b; taking it out lowers the ends 3 and 4, so that a, b, c remain: 0, 1, 2, 3.


def ends_of(hexes: Hexes, n: int) -> Rows:
    """Return the ``ends`` (k + 1, n) of a list in ``n`` maps, to draw from."""
    ends = np.empty((len(hexes.numbers) + 1, n), np.uint8)
    ends[0] = 0
    if hexes.counts.shape[1] == 1:
        ends[1:] = np.cumsum(hexes.counts, 0)
        return ends
    # Row by row, which is many times as fast as ``cumsum`` across rows.
    for row, count in enumerate(hexes.counts):
        np.add(ends[row], count, out=ends[row + 1])
    return ends


def draw(ends: Rows, position: Rows) -> Rows:
    """Take the hex at ``position`` (n,) out of a list, by changing its ``ends`` in place.

    The result (k + 1, n) is 1 for each end that was lowered, which are those after the hex, and 0
    for the others. A position of 255 takes none, since no end is after it: so callers draw on some
    of the maps only.
    """
    lowered = np.less(position, ends).view(np.uint8)
    ends -= lowered
    return lowered


def counts_of(ends: Rows) -> Rows:
    """Return the counts of a list with these ends."""
    return ends[1:] - ends[:-1]
