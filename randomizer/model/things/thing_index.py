"""``ThingIndex``: the things of a layer as arrays, which change with the things, for ``Things``.

Drawing and hit tests need the things in a box of a map that can hold a hundred thousand of them.
So there is a table of arrays, patched in place by each edit, in which each thing has a *row*. The
map is cut into squares, *buckets*, and each bucket knows the rows of the things in it::

    index = ThingIndex(things)
    index.replace([old_thing], [new_thing])
    index.within(Box(left=0, top=0, right=8, bottom=8)).ids
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.box import Box
from randomizer.model.grid.indices import is_ascending

BUCKET = 4.0
"""Width and height of a bucket in map units.

If larger, more things of a touched bucket lie outside the box; if smaller, more buckets are looked
up for the same box.
"""

MAX_BUCKETS = 256
"""If a box touches more buckets than this, it is compared with the points of all things at once."""


class PlacedThing(Protocol):
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
    """Things as arrays of shape (n,), each of them at the same index of all.

    Those of an index are written in place when things change; what callers get are copies.
    """

    ids: NDArray[np.int64]

    points: NDArray[np.float64]
    """Their positions (x, y) in map units: shape (n, 2)."""

    angles: NDArray[np.float64]
    """In degrees clockwise from north."""

    owners: NDArray[np.int64]

    kinds: NDArray[np.int64]
    """The index of the kind of each thing in ``kind_names``."""

    kind_names: tuple[str, ...]

    def some(self, selection: NDArray[np.bool_] | NDArray[np.intp]) -> ThingArrays:
        """Return the things for which a mask (n,) is True, or those at indices (m,), as copies."""
        return ThingArrays(
            ids=self.ids[selection],
            points=self.points[selection],
            angles=self.angles[selection],
            owners=self.owners[selection],
            kinds=self.kinds[selection],
            kind_names=self.kind_names,
        )


class ThingIndex:
    """The things of a layer by row and by position.

    Rows of removed things are free, and are used again. The cost of a change grows with the number
    of things that it changes.
    """

    def __init__(self, things: Collection[PlacedThing]) -> None:
        self._table = _free_rows(0)
        """All rows. The points of free ones are nan, their other values are of no meaning.

        ``kind_names`` never gets shorter: kinds of which all things are gone stay.
        """
        self._free: list[int] = []
        """The rows without a thing; the last is used next."""
        self._rows: dict[int, int] = {}
        """The row of each thing, by its id."""
        self._buckets: dict[tuple[int, int], set[int]] = {}
        """The rows whose points lie in a bucket, by its column and row; never empty."""
        self._kind_codes: dict[str, int] = {}
        """The index of each kind in ``kind_names`` of the table."""
        self.replace((), things)

    @property
    def row_count(self) -> int:
        """The number of rows of the table, free ones included."""
        return len(self._table.ids)

    def all(self) -> ThingArrays:
        """Return all things, in ascending order of their ids."""
        return self._things_at(np.fromiter(self._rows.values(), np.intp, len(self._rows)))

    def within(self, box: Box) -> ThingArrays:
        """Return the things whose points are in a box or on its edge, ascending by their ids."""
        if _touches_many_buckets(box):
            # Free rows are never inside: no comparison with nan is true.
            return self._things_at(np.flatnonzero(_is_inside(self._table.points, box)))
        rows = self._rows_in_buckets(box)
        return self._things_at(rows[_is_inside(self._table.points[rows], box)])

    def replace(
        self, old_things: Iterable[PlacedThing], new_things: Collection[PlacedThing]
    ) -> None:
        """Remove ``old_things``, which must be as they were added, and add ``new_things``."""
        for thing in old_things:
            row = self._rows.pop(thing.id)
            self._leave_bucket(row, thing)
            self._table.points[row] = np.nan
            self._free.append(row)

        if len(new_things) > len(self._free):
            self._add_free_rows(len(new_things))
        for kind in dict.fromkeys(thing.kind for thing in new_things):
            self._add_kind(kind)
        table = self._table
        for thing in new_things:
            row = self._free.pop()
            self._rows[thing.id] = row
            table.ids[row] = thing.id
            table.points[row] = thing.x, thing.y
            table.angles[row] = thing.angle
            table.owners[row] = thing.owner
            table.kinds[row] = self._kind_codes[thing.kind]
            self._buckets.setdefault(_bucket_at(thing.x, thing.y), set()).add(row)

    def _leave_bucket(self, row: int, thing: PlacedThing) -> None:
        """Remove the row of a thing from its bucket, and the bucket if it is empty then."""
        bucket = _bucket_at(thing.x, thing.y)
        rows = self._buckets[bucket]
        rows.remove(row)
        if not rows:
            del self._buckets[bucket]

    def _add_free_rows(self, min_count: int) -> None:
        """Add ``min_count`` free rows or more."""
        # The table becomes twice as large at least, so that each row is copied a few times only,
        # however many things are added one by one.
        old_count = self.row_count
        added_count = max(min_count, old_count)
        added = _free_rows(added_count)
        self._table = ThingArrays(
            ids=np.concatenate([self._table.ids, added.ids]),
            points=np.concatenate([self._table.points, added.points]),
            angles=np.concatenate([self._table.angles, added.angles]),
            owners=np.concatenate([self._table.owners, added.owners]),
            kinds=np.concatenate([self._table.kinds, added.kinds]),
            kind_names=self._table.kind_names,
        )
        # Downwards, as rows are taken from the end of the list: the first row first.
        self._free.extend(range(old_count + added_count - 1, old_count - 1, -1))

    def _add_kind(self, kind: str) -> None:
        """Give a kind an index, unless it has one."""
        if kind not in self._kind_codes:
            self._kind_codes[kind] = len(self._kind_codes)
            self._table = self._table._replace(kind_names=tuple(self._kind_codes))

    def _rows_in_buckets(self, box: Box) -> NDArray[np.intp]:
        """Return the rows of all buckets that a box touches, in any order."""
        first_column, first_row = _bucket_at(box.left, box.top)
        last_column, last_row = _bucket_at(box.right, box.bottom)
        rows: list[int] = []
        for bucket_column in range(first_column, last_column + 1):
            for bucket_row in range(first_row, last_row + 1):
                rows.extend(self._buckets.get((bucket_column, bucket_row), ()))
        return np.array(rows, np.intp)

    def _things_at(self, rows: NDArray[np.intp]) -> ThingArrays:
        """Return the things of rows, (n,), in ascending order of their ids."""
        ids = self._table.ids[rows]
        if not is_ascending(ids):
            rows = rows[np.argsort(ids, kind="stable")]
        return self._table.some(rows)


def _free_rows(count: int) -> ThingArrays:
    """Return so many rows without things."""
    return ThingArrays(
        ids=np.zeros(count, np.int64),
        points=np.full((count, 2), np.nan),
        angles=np.zeros(count, np.float64),
        owners=np.zeros(count, np.int64),
        kinds=np.zeros(count, np.int64),
        kind_names=(),
    )


def _bucket_at(x: float, y: float) -> tuple[int, int]:
    """Return the column and row of the bucket in which a point lies."""
    return math.floor(x / BUCKET), math.floor(y / BUCKET)


def _touches_many_buckets(box: Box) -> bool:
    """Return whether a box touches more than ``MAX_BUCKETS``; True also of boxes with nan."""
    # First by area, as infinite boxes and nan have no buckets.
    area = (box.right - box.left) * (box.bottom - box.top)
    if math.isnan(area) or area >= MAX_BUCKETS * BUCKET * BUCKET:
        return True
    # A narrow box touches more than its area tells.
    first_column, first_row = _bucket_at(box.left, box.top)
    last_column, last_row = _bucket_at(box.right, box.bottom)
    return (last_column - first_column + 1) * (last_row - first_row + 1) > MAX_BUCKETS


def _is_inside(points: NDArray[np.float64], box: Box) -> NDArray[np.bool_]:
    """Return which of the points (n, 2) are in a box or on its edge, (n,)."""
    x = points[:, 0]
    y = points[:, 1]
    return (x >= box.left) & (x <= box.right) & (y >= box.top) & (y <= box.bottom)
