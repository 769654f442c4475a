"""Arrays of things that are patched in place, and a table of the things in each part of the map."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.indices import is_ascending

BUCKET = 4.0
"""Width and height of a bucket in map units."""

MOST_BUCKETS = 256
"""A box that touches more buckets is compared with all points at once."""


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
    """Things as arrays of shape (n,), in ascending order of their ids.

    ``kinds`` holds indices into ``kind_names``; ``points`` has shape (n, 2), in map units.
    """

    ids: NDArray[np.int64]
    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    owners: NDArray[np.int64]
    kinds: NDArray[np.int64]
    kind_names: tuple[str, ...]

    def some(self, which: NDArray[np.bool_]) -> ThingArrays:
        """Return the things for which the mask (n,) is True."""
        ids, points, angles, owners, kinds, names = self
        some = (angles[which], owners[which], kinds[which])
        return ThingArrays(ids[which], points[which], *some, names)


class ThingIndex:
    """The things of a layer by row and by place.

    Every thing has a row of the arrays; rows of removed things are free (their points are nan) and
    are used again. A bucket holds the rows whose points lie in a square of ``BUCKET`` map units.
    The cost of a change grows with the number of things that it changes.
    """

    def __init__(self, things: Collection[Placed]) -> None:
        self._rows: dict[int, int] = {}
        self._free: list[int] = []
        self._kind_codes: dict[str, int] = {}
        self._kind_names: tuple[str, ...] = ()
        self._buckets: dict[tuple[int, int], set[int]] = {}
        self._ids = np.empty(0, np.int64)
        self._points = np.empty((0, 2), np.float64)
        self._angles = np.empty(0, np.float64)
        self._owners = np.empty(0, np.int64)
        self._kinds = np.empty(0, np.int64)
        self.replace((), things)

    @property
    def row_count(self) -> int:
        """The number of things that the arrays have room for."""
        return len(self._ids)

    def _grow(self, more: int) -> None:
        """Make room for ``more`` things; the arrays are doubled at least."""
        rows = len(self._ids)
        more = max(more, rows)
        self._ids = np.concatenate([self._ids, np.zeros(more, np.int64)])
        self._points = np.concatenate([self._points, np.full((more, 2), np.nan)])
        self._angles = np.concatenate([self._angles, np.zeros(more)])
        self._owners = np.concatenate([self._owners, np.zeros(more, np.int64)])
        self._kinds = np.concatenate([self._kinds, np.zeros(more, np.int64)])
        self._free.extend(range(rows + more - 1, rows - 1, -1))

    def replace(self, before: Iterable[Placed], after: Collection[Placed]) -> None:
        """Replace things by others."""
        for thing in before:
            row = self._rows.pop(thing.id)
            self._leave_bucket(row, thing)
            self._points[row] = np.nan
            self._free.append(row)
        if len(after) > len(self._free):
            self._grow(len(after))
        for thing in after:
            row = self._rows[thing.id] = self._free.pop()
            self._ids[row] = thing.id
            self._points[row] = thing.x, thing.y
            self._angles[row] = thing.angle
            self._owners[row] = thing.owner
            self._kinds[row] = self._kind_code(thing.kind)
            self._buckets.setdefault(_bucket(thing.x, thing.y), set()).add(row)

    def _leave_bucket(self, row: int, thing: Placed) -> None:
        key = _bucket(thing.x, thing.y)
        bucket = self._buckets[key]
        bucket.remove(row)
        if not bucket:
            del self._buckets[key]

    def _kind_code(self, kind: str) -> int:
        code = self._kind_codes.get(kind)
        if code is None:
            code = self._kind_codes[kind] = len(self._kind_codes)
            self._kind_names = tuple(self._kind_codes)
        return code

    def all(self) -> ThingArrays:
        """Return all things."""
        return self._take(np.fromiter(self._rows.values(), np.intp, len(self._rows)))

    def within(self, left: float, top: float, right: float, bottom: float) -> ThingArrays:
        """Return the things whose points lie in a box (map units), its edges included."""
        rows = self._rows_near(left, top, right, bottom)
        if rows is None:
            points = self._points
        else:
            points = self._points[rows]
        x = points[:, 0]
        y = points[:, 1]
        inside = np.flatnonzero((x >= left) & (x <= right) & (y >= top) & (y <= bottom))
        return self._take(inside if rows is None else rows[inside])

    def _rows_near(
        self, left: float, top: float, right: float, bottom: float
    ) -> NDArray[np.intp] | None:
        """Return the rows of all buckets that a box touches; None if there are too many buckets."""
        if not (right - left) * (bottom - top) < MOST_BUCKETS * BUCKET * BUCKET:
            return None
        (first_x, first_y) = _bucket(left, top)
        (last_x, last_y) = _bucket(right, bottom)
        if (last_x - first_x + 1) * (last_y - first_y + 1) > MOST_BUCKETS:
            return None
        rows: list[int] = []
        for bucket_x in range(first_x, last_x + 1):
            for bucket_y in range(first_y, last_y + 1):
                rows.extend(self._buckets.get((bucket_x, bucket_y), ()))
        return np.array(rows, np.intp)

    def _take(self, rows: NDArray[np.intp]) -> ThingArrays:
        """Return the things of some rows."""
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
    """Return the bucket of a point."""
    return math.floor(x / BUCKET), math.floor(y / BUCKET)
