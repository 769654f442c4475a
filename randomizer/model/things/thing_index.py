"""``ThingIndex``: the things of a layer as arrays, which change with the things, for ``Things``.

Drawing and hit tests need the things in a box of a map that can hold a hundred thousand of them.
So points are kept as arrays, patched in place by each edit, and the map is cut into squares
(*buckets*), each with the rows of the arrays whose points lie in it::

    index = ThingIndex(things)
    index.replace([old_thing], [new_thing])
    index.within(left=0, top=0, right=8, bottom=8).ids
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.indices import is_ascending

BUCKET = 4.0
"""Width and height of a bucket in map units.

If larger, more things of a touched bucket lie outside the box; if smaller, more buckets are looked
up for the same box.
"""

MOST_BUCKETS = 256
"""If a box touches more buckets than this, it is compared with the points of all things at once."""


class Placed(Protocol):
    """The values of a ``Thing`` that the arrays hold."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def angle(self) -> float: ...
    @property
    def owner(self) -> int: ...


class ThingArrays(NamedTuple):
    """Things as arrays of shape (n,), in ascending order of their ids."""

    ids: NDArray[np.int64]
    points: NDArray[np.float64]
    """Their positions (x, y) in map units: shape (n, 2)."""
    angles: NDArray[np.float64]
    """In degrees clockwise from north."""
    owners: NDArray[np.int64]
    kinds: NDArray[np.int64]
    """The index of the kind of each thing in ``kind_names``."""
    kind_names: tuple[str, ...]

    def some(self, mask: NDArray[np.bool_]) -> ThingArrays:
        """Return the things for which the mask (n,) is True."""
        return ThingArrays(
            ids=self.ids[mask],
            points=self.points[mask],
            angles=self.angles[mask],
            owners=self.owners[mask],
            kinds=self.kinds[mask],
            kind_names=self.kind_names,
        )


class ThingIndex:
    """The things of a layer by row and by position.

    Every thing has a row of the arrays; rows of removed things are free (their points are nan) and
    are used again. The cost of a change grows with the number of things that it changes.
    """

    def __init__(self, things: Collection[Placed]) -> None:
        self._rows: dict[int, int] = {}
        """The row of each thing, by its id."""
        self._free: list[int] = []
        """The rows without a thing; the last is used next."""
        self._kind_codes: dict[str, int] = {}
        """The index of each kind in ``_kind_names``; kinds whose last thing is gone stay."""
        self._kind_names: tuple[str, ...] = ()
        self._buckets: dict[tuple[int, int], set[int]] = {}
        """The rows whose points lie in a bucket, by its column and row; never empty."""
        # The values of the things by row, as in ``ThingArrays`` but with free rows.
        self._ids = np.empty(0, np.int64)
        self._points = np.empty((0, 2), np.float64)
        self._angles = np.empty(0, np.float64)
        self._owners = np.empty(0, np.int64)
        self._kinds = np.empty(0, np.int64)
        self.replace((), things)

    @property
    def row_count(self) -> int:
        """The number of rows of the arrays, free ones included."""
        return len(self._ids)

    def _add_rows(self, count: int) -> None:
        """Add ``count`` free rows, or as many as there are: so each row is copied a few times."""
        old_count = len(self._ids)
        count = max(count, old_count)
        self._ids = np.concatenate([self._ids, np.zeros(count, np.int64)])
        self._points = np.concatenate([self._points, np.full((count, 2), np.nan)])
        self._angles = np.concatenate([self._angles, np.zeros(count)])
        self._owners = np.concatenate([self._owners, np.zeros(count, np.int64)])
        self._kinds = np.concatenate([self._kinds, np.zeros(count, np.int64)])
        # Downwards, as rows are taken from the end of the list: the first row first.
        self._free.extend(range(old_count + count - 1, old_count - 1, -1))

    def replace(self, old_things: Iterable[Placed], new_things: Collection[Placed]) -> None:
        """Remove ``old_things``, which must be as they were added, and add ``new_things``."""
        for thing in old_things:
            row = self._rows.pop(thing.id)
            self._leave_bucket(row, thing)
            self._points[row] = np.nan
            self._free.append(row)
        if len(new_things) > len(self._free):
            self._add_rows(len(new_things))
        for thing in new_things:
            row = self._free.pop()
            self._rows[thing.id] = row
            self._ids[row] = thing.id
            self._points[row] = thing.x, thing.y
            self._angles[row] = thing.angle
            self._owners[row] = thing.owner
            self._kinds[row] = self._kind_code(thing.kind)
            self._buckets.setdefault(_bucket(thing.x, thing.y), set()).add(row)

    def _leave_bucket(self, row: int, thing: Placed) -> None:
        """Remove the row of a thing from its bucket, and the bucket if it is empty then."""
        position = _bucket(thing.x, thing.y)
        rows = self._buckets[position]
        rows.remove(row)
        if not rows:
            del self._buckets[position]

    def _kind_code(self, kind: str) -> int:
        """Return the index of a kind in ``_kind_names``, to which it is added if it is new."""
        if kind not in self._kind_codes:
            self._kind_codes[kind] = len(self._kind_codes)
            self._kind_names = tuple(self._kind_codes)
        return self._kind_codes[kind]

    def all(self) -> ThingArrays:
        """Return all things."""
        return self._take(np.fromiter(self._rows.values(), np.intp, len(self._rows)))

    def within(self, left: float, top: float, right: float, bottom: float) -> ThingArrays:
        """Return the things whose points lie in a box (map units), its edges included."""
        rows = self._rows_near(left, top, right, bottom)
        points = self._points if rows is None else self._points[rows]
        x = points[:, 0]
        y = points[:, 1]
        # Free rows are never inside: nothing is true of nan.
        inside = np.flatnonzero((x >= left) & (x <= right) & (y >= top) & (y <= bottom))
        if rows is None:
            return self._take(inside)
        return self._take(rows[inside])

    def _rows_near(
        self, left: float, top: float, right: float, bottom: float
    ) -> NDArray[np.intp] | None:
        """Return the rows of all buckets that a box touches; None if these are too many."""
        # First by area, as infinite boxes and nan have no buckets. "not <" is true of nan, ">=" is
        # not.
        if not (right - left) * (bottom - top) < MOST_BUCKETS * BUCKET * BUCKET:
            return None
        first_x, first_y = _bucket(left, top)
        last_x, last_y = _bucket(right, bottom)
        # A narrow box touches more than its area tells.
        if (last_x - first_x + 1) * (last_y - first_y + 1) > MOST_BUCKETS:
            return None
        rows: list[int] = []
        for bucket_x in range(first_x, last_x + 1):
            for bucket_y in range(first_y, last_y + 1):
                rows.extend(self._buckets.get((bucket_x, bucket_y), ()))
        return np.array(rows, np.intp)

    def _take(self, rows: NDArray[np.intp]) -> ThingArrays:
        """Return the things of ``rows``, sorted by their ids."""
        ids = self._ids[rows]
        if not is_ascending(ids):
            rows = rows[np.argsort(ids, kind="stable")]
        return ThingArrays(
            self._ids[rows],
            self._points[rows],
            self._angles[rows],
            self._owners[rows],
            self._kinds[rows],
            self._kind_names,
        )


def _bucket(x: float, y: float) -> tuple[int, int]:
    """Return the column and row of the bucket in which a point lies."""
    return math.floor(x / BUCKET), math.floor(y / BUCKET)
