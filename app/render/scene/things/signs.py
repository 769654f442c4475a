"""Signs that stand for things where a map is seen from afar: towns, mines, woods.

There a thing of its true size is a dot. A kind says how large its sign is (``ThingKind.sign``); of
signs that would lie over one another the largest is shown, so that a town has the sign of its main
building, which has the largest one. Many
things that cover an area, such as the trees of a wood, have one sign in their midst. As with names,
which signs are shown depends on the map and the scale, not on the part that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.cell_geometry import map_box
from app.render.scene.batch import IconBatch
from app.render.scene.things.looks import SHAPED_FROM, Look
from app.render.scene.things.thing_sizes import diameter
from app.render.scene.things.things_state import ThingsState
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.things.thing_index import ThingArrays
from randomizer.model.things.thing_kind import SCATTERED, ThingKind

FULL_SIZE_FROM = 500.0
"""Signs are smaller on a map that is less wide than so many logical pixels, as on a thumbnail: else
a few of them would hide it."""

CROWD_WIDTH = 40.0
"""Scattered things in a square of this width, in logical pixels, have one sign."""

MIN_CROWD = 8
"""Fewer scattered things in a square have none: a single tree is no wood."""

GAP = 2.0
"""The least room between two signs, in logical pixels."""

MAX_SIGNS = 2000
"""At most so many signs have a chance to be shown."""

NO_THING = 0
"""The id of the thing of a sign that stands for many: things are numbered from 1."""


class _Candidate(NamedTuple):
    """A sign that may find room or not."""

    size: float
    """Its width, in logical pixels."""

    thing_count: int
    """The number of things for which it stands."""

    x: float
    """How far its middle lies to the right, in map units."""

    y: float
    """How far its middle lies down, in map units."""

    look: Look
    """The shape and colours of the sign."""

    thing_id: int
    """The thing for which it stands, ``NO_THING`` for the sign of many."""


@dataclass
class _Crowd:
    """Scattered things with one icon, such as all trees of a map; filled layer by layer."""

    kind: ThingKind
    """The kind whose sign they have: that of the last layer, which lies over the others."""

    points: list[NDArray[np.float64]] = field(default_factory=list)
    """Where they stand, in map units: an array (n, 2) for each kind and layer."""


class Signs(NamedTuple):
    """The n signs that are shown at one scale."""

    looks: tuple[Look, ...]
    """The shape and colours of each sign."""

    points: NDArray[np.float64]
    """Their middles, (n, 2), in map units."""

    sizes: NDArray[np.float64]
    """Their widths, (n,), in logical pixels."""

    thing_ids: NDArray[np.int64]
    """The things for which they stand, (n,), ``NO_THING`` for signs of many, such as of a wood."""

    scale: float
    """The hex radius in logical pixels at which they are shown."""

    def same_as(self, other: Signs) -> bool:
        """Return whether other signs look the same, and stand for the same things."""
        return (
            self.looks == other.looks
            and self.scale == other.scale
            and np.array_equal(self.points, other.points)
            and np.array_equal(self.sizes, other.sizes)
            and np.array_equal(self.thing_ids, other.thing_ids)
        )

    def thing_at(self, x: float, y: float) -> int | None:
        """Return the id of the thing whose sign covers a point (map units), None if none does."""
        distances = np.hypot(*(self.points - (x, y)).T) * self.scale
        is_hit = (distances <= self.sizes / 2) & (self.thing_ids != NO_THING)
        if not is_hit.any():
            return None
        return int(self.thing_ids[is_hit][0])  # signs do not overlap

    def batches(self, area: QRectF) -> Iterator[IconBatch]:
        """Yield the signs that may reach into ``area`` (map units), the smallest first."""
        if not self.looks:
            return
        reach = self.sizes / self.scale  # more than half their widths, for their rims
        x = self.points[:, 0]
        y = self.points[:, 1]
        is_near = (x + reach >= area.left()) & (x - reach <= area.right())
        is_near &= (y + reach >= area.top()) & (y - reach <= area.bottom())
        # A batch has icons of one size.
        for size in np.unique(self.sizes[is_near]).tolist():
            rows = np.flatnonzero(is_near & (self.sizes == size))
            number_of_look: dict[Look, int] = {}
            look_of = []
            for row in rows.tolist():
                number = number_of_look.setdefault(self.looks[row], len(number_of_look))
                look_of.append(number)
            looks = list(number_of_look)
            points = self.points[rows]
            yield IconBatch(looks, np.array(look_of, np.intp), points, size / self.scale)


NO_SIGNS = Signs((), np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.int64), 1.0)
"""The signs of a map that shows none."""


def signs_of(battlemap: BattleMap, scale: float) -> Signs:
    """Return the signs that a map shows at a scale, the hex radius in logical pixels."""
    kinds = {name: kind for name, kind in kinds_by_name(battlemap).items() if kind.sign}
    if not kinds:
        return NO_SIGNS
    map_width = map_box(battlemap.grid).width()
    shrinking = min(1.0, map_width * scale / FULL_SIZE_FROM)
    thing_size = diameter(battlemap, scale)

    # Single things have a sign each; scattered ones are only collected here.
    candidates: list[_Candidate] = []
    crowds: dict[str, _Crowd] = {}  # by their icons
    for kind, things in _things_with_signs(battlemap, kinds):
        size = kind.sign * shrinking
        if size < SHAPED_FROM or size <= thing_size * kind.size:
            continue  # too small for a shape, or the thing itself is as large
        if kind.icon in SCATTERED:
            crowd = crowds.setdefault(kind.icon, _Crowd(kind))
            crowd.kind = kind
            crowd.points.append(things.points)
        else:
            candidates += _single_signs(things, kind, size)
    if thing_size < SHAPED_FROM:  # else each tree of a wood has a shape
        for crowd in crowds.values():
            kind = crowd.kind
            look = _look_of_sign(kind, owner=0)
            all_points = np.concatenate(crowd.points)
            candidates += _crowd_signs(all_points, scale, kind.sign * shrinking, look)

    # The largest first; the position decides between equals, so that the order is the same each
    # time.
    candidates.sort(key=lambda sign: (-sign.size, -sign.thing_count, sign.y, sign.x))
    return _with_room(candidates[:MAX_SIGNS], scale)


def _things_with_signs(
    battlemap: BattleMap, kinds: Mapping[str, ThingKind]
) -> Iterator[tuple[ThingKind, ThingArrays]]:
    """Yield the things of each of these kinds on each visible layer."""
    for layer in battlemap.layers:
        if not layer.visible or kinds.keys().isdisjoint(layer.things.kinds):
            continue
        arrays = layer.things.arrays()
        for code, name in enumerate(arrays.kind_names):
            if name in kinds:
                yield kinds[name], arrays.some(arrays.kinds == code)


def _look_of_sign(kind: ThingKind, owner: int) -> Look:
    """Return the look of a sign: its size is that of the sign, whatever the size of the kind."""
    return Look.of(kind, kind.name, owner, angle=0.0)._replace(size=1.0)


def _single_signs(things: ThingArrays, kind: ThingKind, size: float) -> Iterator[_Candidate]:
    """Yield a sign for each thing of a kind, in the colour of its owner."""
    looks: dict[int, Look] = {}
    for owner in np.unique(things.owners).tolist():
        looks[owner] = _look_of_sign(kind, owner)
    rows = zip(things.points.tolist(), things.owners.tolist(), things.ids.tolist(), strict=True)
    for (x, y), owner, thing_id in rows:
        yield _Candidate(size, thing_count=1, x=x, y=y, look=looks[owner], thing_id=thing_id)


def _crowd_signs(
    points: NDArray[np.float64], scale: float, size: float, look: Look
) -> Iterator[_Candidate]:
    """Yield a sign in the midst of the points (n, 2) of each square that has many of them."""
    # The column and the row of the square in which each point lies, and by that its square.
    squares = np.floor(points * scale / CROWD_WIDTH)
    _squares, square_of, counts = np.unique(
        squares, axis=0, return_inverse=True, return_counts=True
    )
    square_of = square_of.reshape(-1)
    xs = np.bincount(square_of, points[:, 0]) / counts
    ys = np.bincount(square_of, points[:, 1]) / counts
    for row in np.flatnonzero(counts >= MIN_CROWD).tolist():
        x = float(xs[row])
        y = float(ys[row])
        count = int(counts[row])
        yield _Candidate(size, thing_count=count, x=x, y=y, look=look, thing_id=NO_THING)


def _with_room(candidates: list[_Candidate], scale: float) -> Signs:
    """Return the signs that find room, one after another: they overlap none of those before."""
    count = len(candidates)
    points = np.array([(sign.x, sign.y) for sign in candidates]).reshape(-1, 2)
    sizes = np.array([sign.size for sign in candidates])
    chosen_rows = np.zeros(count, np.intp)  # filled from the front
    chosen_count = 0
    for row in range(count):  # from the largest sign to the smallest
        chosen = chosen_rows[:chosen_count]
        # Signs are squares: they overlap if they do in both directions.
        away = np.abs(points[chosen] - points[row]).max(axis=1) * scale
        if (away >= (sizes[chosen] + sizes[row]) / 2 + GAP).all():
            chosen_rows[chosen_count] = row
            chosen_count += 1
    rows = chosen_rows[:chosen_count]
    looks = tuple(candidates[row].look for row in rows.tolist())
    thing_ids = np.array([candidates[row].thing_id for row in rows.tolist()], np.int64)
    return Signs(looks, points[rows], sizes[rows], thing_ids, scale)


class SignsCache:
    """The signs of the map that was asked for last, kept until something of them changes."""

    def __init__(self) -> None:
        self._key: object = None
        """All on which ``_signs`` depend; None until they are first worked out."""
        self._signs = NO_SIGNS
        """The signs that were returned last."""

    def of(self, battlemap: BattleMap, scale: float) -> Signs:
        """Return the signs that are shown now: the same object as long as they look the same."""
        state = ThingsState(battlemap)
        if not state.has_things:
            return NO_SIGNS
        key = (state, battlemap.grid, scale, battlemap.system.thing_kinds(battlemap))
        if key != self._key:
            self._key = key
            signs = signs_of(battlemap, scale)
            if not signs.same_as(self._signs):
                self._signs = signs
        return self._signs
