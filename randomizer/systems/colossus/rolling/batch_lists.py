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

Row = NDArray[np.uint8]
"""A value of each of n maps, (n,)."""

Rows = NDArray[np.uint8]
"""A value of each of some hexes in n maps: a row (n,) for each hex.

For the type checker it is the same as a ``Row``: arrays are checked by their numbers only.
"""

ROW_LIMIT = 255
"""The most hexes, duplicates counted, of a list here: counts and positions in it are bytes."""

_NEIGHBOURS_BY_SIDE = np.array(NEIGHBOURS).T.copy()
"""(6, 27): the neighbours by side and hex; -1 beyond the board."""


@dataclass(frozen=True, eq=False, slots=True)
class Hexes:
    """A list in n maps. Immutable: lists can share their arrays, which are never changed."""

    numbers: NDArray[np.intp]
    """(k,): the ids of the hexes that are in the list in any of the maps, ascending."""
    counts: Rows
    """(k, n): how often each hex is in the list; (k, 1) if it ``is_constant``.

    The sum of a map's counts is at most ``ROW_LIMIT``: programs with longer lists are not rolled
    with these functions.
    """

    @property
    def is_constant(self) -> bool:
        """True if the list is known to be the same in all maps, whose counts are one column."""
        width: int = self.counts.shape[1]
        return width == 1


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
    # As bytes a hex that stays is 1, one that does not is 0: the product keeps or drops a count.
    is_kept = stays[numbers].view(np.uint8)
    return Hexes(numbers, source.counts[stays_on_any_map] * is_kept)


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
    if source.is_constant:
        # The neighbours are the same in all maps: hexes that are not in it need no row.
        is_present = is_neighbour[:, 0]
        numbers = numbers[is_present]
        is_neighbour = is_neighbour[is_present]
    return Hexes(numbers, is_neighbour.view(np.uint8))


# --- drawing ------------------------------------------------------------------------------------

NO_POSITION = 255
"""A position behind every hex of a list: maps that draw there draw nothing."""


class DrawableList:
    """A list in n maps while hexes are drawn from it, which leave the list.

    In each map a draw is given as a position in the sorted list, 0 for the first hex. Example of
    one map: the hexes a, b, b, c. Each hex has an *end*, the position after its last copy:

        hex                           a  b  c
        ends                       0  1  3  4
        after drawing position 2   0  1  2  3      # a, b and c remain: one b is gone
        lowered                    0  0  1  1      # the ends that changed
        masks                         0 255 0      # of the drawn hex, b

    So a draw lowers by one all ends that are greater than its position.
    """

    def __init__(self, hexes: Hexes, n: int) -> None:
        """Begin with a list in ``n`` maps; ``hexes`` is not changed."""
        self._ends: Rows = np.empty((len(hexes.numbers) + 1, n), np.uint8)
        """(k + 1, n): 0, then the end of each hex; the last row is the size of the list."""
        self._ends[0] = 0
        if hexes.is_constant:
            self._ends[1:] = np.cumsum(hexes.counts, 0)
        else:
            # Row by row, which is many times as fast as ``cumsum`` across rows.
            for row, count in enumerate(hexes.counts):
                np.add(self._ends[row], count, out=self._ends[row + 1])

    @property
    def live_sizes(self) -> Row:
        """(n,): how many hexes each map still has. To be read only: each draw changes the array."""
        live_sizes: Row = self._ends[-1]
        return live_sizes

    def draw(self, position: Row) -> DrawnHexes:
        """Take the hex at ``position`` (n,) out of the list, nothing where it is NO_POSITION."""
        lowered = np.less(position, self._ends).view(np.uint8)
        self._ends -= lowered
        return DrawnHexes(lowered)

    def counts(self) -> Rows:
        """Return (k, n): how often each hex is still in the list."""
        return self._ends[1:] - self._ends[:-1]


@dataclass(frozen=True, eq=False, slots=True)
class DrawnHexes:
    """The hex that each of n maps has drawn from a list of k hexes."""

    lowered: Rows
    """(k + 1, n): 1 for each end of ``DrawableList`` that was lowered, those after the hex."""

    def masks(self) -> Rows:
        """Return (k, n): 255 (all bits set) for the hex that a map has drawn, else 0."""
        # Of the drawn hex the end before it was not lowered, but its own was: as a byte 0 - 1 is
        # 255. Of all other hexes both were or both were not, which gives 0.
        return self.lowered[:-1] - self.lowered[1:]

    def has_drawn(self) -> Row:
        """Return (n,): 1 for the maps that have drawn a hex, else 0."""
        # The last end is after every hex.
        has_drawn: Row = self.lowered[-1]
        return has_drawn
