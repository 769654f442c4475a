"""Signs that stand for things where a map is seen from afar: towns, mines, woods.

There a thing of its true size is a dot. A kind says how large its sign is (``ThingKind.sign``); of
signs that would lie over one another the largest is shown, so that a town is its civil centre. Many
things that cover an area, such as the trees of a wood, have one sign in their midst. As with names,
which signs are shown depends on the map and the scale, not on the part that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.scene.batch import IconBatch
from app.render.scene.things.looks import SHAPED_FROM, Look
from app.render.scene.things.things import diameter
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.things.thing_index import ThingArrays
from randomizer.model.things.thing_kind import SCATTERED, ThingKind
from randomizer.model.things.things import Things

FULL_SIZE_FROM = 500.0
"""Signs are smaller on a map that is less wide than so many logical pixels, as on a thumbnail: else
a few of them would hide it."""

CROWD_WIDTH = 40.0
"""Scattered things in a square of this width, in logical pixels, have one sign."""

LEAST_CROWD = 8
"""Fewer scattered things in a square have none: a single tree is no wood."""

GAP = 2.0
"""The least room between two signs, in logical pixels."""

MOST_SIGNS = 2000
"""At most so many signs have a chance to be shown."""


class _Candidate(NamedTuple):
    """A sign that may find room or not: it stands for ``thing_count`` things.

    ``size`` is in logical pixels, the point ``x``, ``y`` in map units.
    """

    size: float
    thing_count: int
    x: float
    y: float
    look: Look


class Signs(NamedTuple):
    """The signs that are shown at one scale: their looks, middles (n, 2) in map units, and widths
    (n,) in logical pixels.
    """

    looks: tuple[Look, ...]
    points: NDArray[np.float64]
    sizes: NDArray[np.float64]
    scale: float

    def same_as(self, other: Signs) -> bool:
        """Return whether the other signs look the same."""
        return (
            self.looks == other.looks
            and self.scale == other.scale
            and np.array_equal(self.points, other.points)
            and np.array_equal(self.sizes, other.sizes)
        )

    def batches(self, area: QRectF) -> Iterator[IconBatch]:
        """Yield those that may reach into ``area`` (map units), the smallest first."""
        if not self.looks:
            return
        reach = self.sizes / self.scale
        x = self.points[:, 0]
        y = self.points[:, 1]
        near = (x + reach >= area.left()) & (x - reach <= area.right())
        near &= (y + reach >= area.top()) & (y - reach <= area.bottom())
        for size in np.unique(self.sizes[near]).tolist():
            rows = np.flatnonzero(near & (self.sizes == size))
            looks = [self.looks[row] for row in rows.tolist()]
            different = list(dict.fromkeys(looks))
            numbers = {look: number for number, look in enumerate(different)}
            look_of = np.array([numbers[look] for look in looks], np.intp)
            yield IconBatch(different, look_of, self.points[rows], size / self.scale)


NO_SIGNS = Signs((), np.zeros((0, 2)), np.zeros(0), 1.0)


def signs_of(battlemap: BattleMap, scale: float) -> Signs:
    """Return the signs that a map shows at a scale, the hex radius in logical pixels."""
    kinds = {name: kind for name, kind in kinds_by_name(battlemap).items() if kind.sign}
    if not kinds:
        return NO_SIGNS
    left, _top, right, _bottom = battlemap.grid.bounds
    shrinking = min(1.0, (right - left) * scale / FULL_SIZE_FROM)
    thing_size = diameter(battlemap, scale)
    candidates: list[_Candidate] = []
    crowds: dict[str, list[NDArray[np.float64]]] = {}
    """The points of scattered things, by their icons."""
    crowd_kinds: dict[str, ThingKind] = {}
    for layer in battlemap.layers:
        if not layer.visible or kinds.keys().isdisjoint(layer.things.kinds):
            continue
        arrays = layer.things.arrays()
        for code, name in enumerate(arrays.kind_names):
            kind = kinds.get(name)
            if kind is None:
                continue
            size = kind.sign * shrinking
            if size < SHAPED_FROM or size <= thing_size * kind.size:
                continue  # too small for a shape; the thing itself is as large
            things = arrays.some(arrays.kinds == code)
            if kind.icon in SCATTERED:
                crowds.setdefault(kind.icon, []).append(things.points)
                crowd_kinds[kind.icon] = kind
            else:
                candidates += _single_signs(things, kind, size)
    if thing_size < SHAPED_FROM:  # else each tree of a wood has a shape
        for icon, points in crowds.items():
            kind = crowd_kinds[icon]
            look = Look.of(kind, kind.name, 0, 0.0)._replace(size=1.0)
            candidates += _crowd_signs(np.concatenate(points), scale, kind.sign * shrinking, look)
    candidates.sort(key=lambda sign: (-sign.size, -sign.thing_count, sign.y, sign.x))
    return _with_room(candidates[:MOST_SIGNS], scale)


def _single_signs(things: ThingArrays, kind: ThingKind, size: float) -> Iterator[_Candidate]:
    """Yield a sign for each thing of a kind, in the colour of its owner."""
    looks: Mapping[int, Look] = {
        owner: Look.of(kind, kind.name, owner, 0.0)._replace(size=1.0)
        for owner in np.unique(things.owners).tolist()
    }
    for (x, y), owner in zip(things.points.tolist(), things.owners.tolist(), strict=True):
        yield _Candidate(size, 1, x, y, looks[owner])


def _crowd_signs(
    points: NDArray[np.float64], scale: float, size: float, look: Look
) -> Iterator[_Candidate]:
    """Yield a sign in the midst of the points (n, 2) of each square that has many of them."""
    squares = np.floor(points * scale / CROWD_WIDTH)
    _squares, square_of, counts = np.unique(
        squares, axis=0, return_inverse=True, return_counts=True
    )
    square_of = square_of.reshape(-1)
    xs = np.bincount(square_of, points[:, 0]) / counts
    ys = np.bincount(square_of, points[:, 1]) / counts
    for row in np.flatnonzero(counts >= LEAST_CROWD).tolist():
        yield _Candidate(size, int(counts[row]), float(xs[row]), float(ys[row]), look)


def _with_room(candidates: list[_Candidate], scale: float) -> Signs:
    """Return the signs that overlap none that comes before them and is returned, too."""
    count = len(candidates)
    points = np.array([(sign.x, sign.y) for sign in candidates]).reshape(-1, 2)
    sizes = np.array([sign.size for sign in candidates])
    chosen_rows = np.zeros(count, np.intp)
    chosen_count = 0
    for row in range(count):
        chosen = chosen_rows[:chosen_count]
        away = np.abs(points[chosen] - points[row]).max(axis=1) * scale
        if (away >= (sizes[chosen] + sizes[row]) / 2 + GAP).all():
            chosen_rows[chosen_count] = row
            chosen_count += 1
    rows = chosen_rows[:chosen_count]
    looks = tuple(candidates[row].look for row in rows.tolist())
    return Signs(looks, points[rows], sizes[rows], scale)


class SignsCache:
    """``signs_of`` the map asked for last; one object as long as the same signs are shown."""

    def __init__(self) -> None:
        self._key: object = None
        self._layers: tuple[Things, ...] = ()
        self._signs = NO_SIGNS

    def of(self, battlemap: BattleMap, scale: float) -> Signs:
        """Return the signs that are shown now."""
        layers = tuple(layer.things for layer in battlemap.layers if layer.visible and layer.things)
        kinds = battlemap.system.thing_kinds(battlemap)
        revisions = tuple((id(layer), layer.revision) for layer in layers)
        key = (revisions, id(battlemap.grid), scale, kinds)
        if key != self._key:
            self._key = key
            self._layers = layers  # so that no other things get their ids
            signs = signs_of(battlemap, scale)
            if not signs.same_as(self._signs):
                self._signs = signs
        return self._signs
