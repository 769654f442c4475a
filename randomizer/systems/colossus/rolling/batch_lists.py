"""Lists of hexes in many maps at once: how often each hex is in the list, map by map.

``MapChunk`` rolls thousands of maps of a script together, and evaluates the script's lists with the
functions of this module. In each map a list can hold other hexes. For instance D4 (id 14) on the
first two of three maps, and B1 (id 6) twice on the last one:

    HexLists(hex_ids=[6, 14], counts=[[0, 0, 2],
                                      [1, 1, 0]])

A list that is known to be the same in all maps, such as ``(rim)``, is *constant*: its counts are a
single column, which numpy repeats wherever it meets counts of n maps.

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
from randomizer.systems.colossus.rolling.byte_masks import Row, Rows, as_bytes

ROW_LIMIT = 255
"""The most hexes, duplicates counted, of a list here: counts and positions in it are bytes."""

_BEYOND_BOARD = HEX_COUNT
"""Stands for the hex beyond a side at the rim, in tables with a row for it after the hexes."""

_NEIGHBOURS_BY_SIDE = np.where(np.array(NEIGHBOURS) < 0, _BEYOND_BOARD, NEIGHBOURS).T.copy()
"""(6, 27): the neighbours by side and hex."""


@dataclass(frozen=True, eq=False, slots=True)
class HexLists:
    """A list in n maps. Immutable: lists can share their arrays, which are never changed."""

    hex_ids: NDArray[np.intp]
    """(k,): the hexes that are in the list in any of the maps, ascending."""
    counts: Rows
    """How often each hex is in the list: (k, n), or (k, 1) of a constant list.

    The sum of a map's counts is at most ``ROW_LIMIT``: programs with longer lists are not rolled
    with these functions.
    """

    @property
    def is_constant(self) -> bool:
        """True if the list is known to be the same in all maps."""
        width: int = self.counts.shape[1]
        return width == 1


# A script has some dozens of constant lists, which every chunk of its maps needs again.
@registered(bytes_each=2 * KB)
@lru_cache(256)
def constant_list(hex_ids: tuple[int, ...]) -> HexLists:
    """Return the list that holds ``hex_ids``, of which some can be equal, in every map."""
    counts_by_id = sorted(Counter(hex_ids).items())
    ids = [hex_id for hex_id, _count in counts_by_id]
    counts = [[count] for _hex_id, count in counts_by_id]
    return HexLists(np.array(ids, np.intp), np.array(counts, np.uint8).reshape(-1, 1))


def join_lists(lists: Sequence[HexLists]) -> HexLists:
    """Return the concatenation of ``lists``, duplicates kept; constant if all of them are."""
    width = max(part.counts.shape[1] for part in lists)
    counts = np.zeros((HEX_COUNT, width), np.uint8)
    is_listed = np.zeros(HEX_COUNT, np.bool_)
    for part in lists:
        counts[part.hex_ids] += part.counts
        is_listed[part.hex_ids] = True
    hex_ids = np.flatnonzero(is_listed)
    return HexLists(hex_ids, counts[hex_ids])


def subtract_list(source: HexLists, excluded: HexLists) -> HexLists:
    """Return the hexes of ``source`` that are not in ``excluded``, duplicates kept.

    The result is constant if both are.
    """
    stays = np.ones((HEX_COUNT, excluded.counts.shape[1]), np.bool_)
    stays[excluded.hex_ids] = excluded.counts == 0
    stays_on_any_map = stays[source.hex_ids].any(1)
    hex_ids = source.hex_ids[stays_on_any_map]
    # The count of a hex that stays is multiplied by 1, that of another one by 0.
    counts = source.counts[stays_on_any_map] * as_bytes(stays[hex_ids])
    return HexLists(hex_ids, counts)


def list_neighbours(source: HexLists) -> HexLists:
    """Return the neighbours of the hexes of ``source``: each once, without these themselves.

    The result is constant if ``source`` is.
    """
    # Which hexes are in ``source``, (hexes, n). The last row is for _BEYOND_BOARD, where none is.
    is_member = np.zeros((HEX_COUNT + 1, source.counts.shape[1]), np.bool_)
    is_member[source.hex_ids] = source.counts != 0

    # Candidates are the hexes that have a neighbour in ``source`` on any of the maps.
    is_member_on_any_map = np.zeros(HEX_COUNT + 1, np.bool_)
    is_member_on_any_map[source.hex_ids] = True
    candidates = np.flatnonzero(is_member_on_any_map[_NEIGHBOURS_BY_SIDE].any(0))

    # A candidate is listed on the maps where the hex beyond any of its sides is in ``source``, but
    # not the candidate itself.
    neighbours_by_side = _NEIGHBOURS_BY_SIDE[:, candidates]
    is_neighbour = is_member[neighbours_by_side[0]]
    for neighbours in neighbours_by_side[1:]:
        is_neighbour |= is_member[neighbours]
    is_neighbour &= ~is_member[candidates]
    if source.is_constant:
        # The neighbours are the same in all maps: hexes that are not in it need no row.
        is_present = is_neighbour[:, 0]
        candidates = candidates[is_present]
        is_neighbour = is_neighbour[is_present]
    return HexLists(candidates, as_bytes(is_neighbour))


# --- drawing ------------------------------------------------------------------------------------

NO_POSITION = 255
"""A position behind every hex of a list: maps that draw there draw nothing."""


class DrawableList:
    """A list in n maps while hexes are drawn from it, which leave the list.

    In each map a draw is given as a position in the sorted list, 0 for the first hex. Each hex has
    an *end*, the position after its last copy. A draw lowers by one all ends that are greater than
    its position. Two maps with lists of the hexes a, b and c:

                                    map 0: a, b, b, c      map 1: a, a, b
        hexes                          a  b  c                a  b  c
        ends                        0  1  3  4             0  2  3  3
        positions                   2, the second b        NO_POSITION, nothing
        was_lowered                 0  0  1  1             0  0  0  0
        ends after the draw         0  1  2  3             0  2  3  3
        masks of the drawn hexes       0 255 0                0  0  0
    """

    def __init__(self, hexes: HexLists, n: int) -> None:
        """Begin with a list in ``n`` maps; ``hexes`` is not changed."""
        self._ends: Rows = np.empty((len(hexes.hex_ids) + 1, n), np.uint8)
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

    def draw(self, positions: Row) -> DrawnHexes:
        """Take the hex at ``positions`` (n,) out of the list, nothing where it is NO_POSITION."""
        was_lowered = as_bytes(positions < self._ends)
        self._ends -= was_lowered
        return DrawnHexes(was_lowered)

    def counts(self) -> Rows:
        """Return (k, n): how often each hex is still in the list."""
        return self._ends[1:] - self._ends[:-1]


@dataclass(frozen=True, eq=False, slots=True)
class DrawnHexes:
    """The hex that each of n maps has drawn from a list of k hexes."""

    was_lowered: Rows
    """(k + 1, n): 1 for each end of ``DrawableList`` that the draw has lowered, else 0."""

    def masks(self) -> Rows:
        """Return (k, n): the byte mask 255 for the hex that a map has drawn, else 0."""
        was_end_lowered = self.was_lowered[1:]
        was_end_before_lowered = self.was_lowered[:-1]
        # Of the drawn hex only its own end was lowered: as a byte 0 - 1 is 255. Of all other hexes
        # both ends were lowered or neither was, which gives 0.
        return was_end_before_lowered - was_end_lowered

    def has_drawn(self) -> Row:
        """Return (n,): 1 for the maps that have drawn a hex, else 0."""
        # The last end is after every hex.
        has_drawn: Row = self.was_lowered[-1]
        return has_drawn
