"""The labels of things as texts, where there is room, the most important ones first.

A kind says how important its labels are (``ThingKind.naming``), and how they are written; a thing's
state may say otherwise. They stand below the thing; those of an inscription in its place. Which are
shown depends on the map and the scale, not on the part that is drawn, so that parts fit together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF

from app.render.scene.batch import TextBatch
from app.render.scene.icons import font
from app.render.scene.text_boxes import TextBoxes
from app.render.scene.things.things import Loads, diameter
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import Lettering, ThingKind
from randomizer.model.things.things import Thing, Things

NAME_PIXELS = 11.0
"""The usual type size of names, in logical pixels, up to the scale ``GROWS_FROM``."""

GROWS_FROM = 40.0
"""From this scale on (the hex radius in logical pixels) names grow, with the root of the scale."""

MOST_GROWTH = 1.8
"""Names become at most so many times as large: near by they would hide what they name."""

IMPORTANCE = 1.2
"""By so much the names of important things are larger than others."""

LEAST_PIXELS = 8
MOST_PIXELS = 160
"""Letters of a size of their own are shown from the first size on, and never larger."""

NAMES_FROM = 6.0
"""Names are shown from this scale on: the hex radius in logical pixels."""

FROM_AFAR = 8
"""Names so important (``ThingKind.naming``) are shown at every scale."""

MOST_NAMES = 3000
"""At most so many names have a chance to be shown."""

MARGIN = 3.0
"""The least room between two names side by side, in logical pixels."""

BUCKET = 128.0
"""The size of the squares, in logical pixels, by which names are compared with those beside."""

SPACE = "\u00a0"
"""What stands between the letters of a spaced label: every font has it, and no file drops it."""

LIGHT_HALO = "#e0ffffff"
DARK_HALO = "#c0000000"
"""The halo of light and dark letters that have a colour of their own."""


Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in logical pixels."""


class Name(NamedTuple):
    """A label that is shown; ``pixels`` is its type size, ``angle`` degrees clockwise.

    ``inscription`` is the id of the thing whose place it takes, 0 for a name below a thing.
    """

    text: str
    pixels: float
    lettering: Lettering
    angle: float = 0.0
    inscription: int = 0

    @property
    def half(self) -> tuple[float, float]:
        """Half the width and height of the box around it, in logical pixels."""
        wide, high = self._half
        if not self.angle:
            return wide, high
        cos, sin = (abs(f(math.radians(self.angle))) for f in (math.cos, math.sin))
        return wide * cos + high * sin, wide * sin + high * cos

    @property
    def _half(self) -> tuple[float, float]:
        """Half its width and height as if it were not turned."""
        return _half_extent(self.text, self.pixels, self.lettering.italic)

    def boxes(self) -> Iterator[Box]:
        """Yield boxes around its middle that cover it: one, or several along turned letters."""
        if not self.angle:
            (wide, high) = self._half
            steps = 1
            along = (0.0, 0.0)
        else:
            whole, half = self._half
            steps = math.ceil(whole / (2 * half)) or 1
            cos = math.cos(math.radians(self.angle))
            sin = math.sin(math.radians(self.angle))
            part = whole / steps
            wide = abs(part * cos) + abs(half * sin)
            high = abs(part * sin) + abs(half * cos)
            along = (2 * part * cos, 2 * part * sin)
        for step in range(steps):
            x, y = (each * (step - (steps - 1) / 2) for each in along)
            yield x - wide, y - high, x + wide, y + high

    def covers(self, x: float, y: float) -> bool:
        """Return whether it covers a point, in logical pixels from its middle."""
        (wide, high) = self._half
        turn = math.radians(self.angle)
        cos = math.cos(turn)
        sin = math.sin(turn)
        return abs(x * cos + y * sin) <= wide and abs(y * cos - x * sin) <= high

    def inks(self, theme: Theme) -> tuple[QColor, QColor]:
        """Return the colours of letters and halo."""
        ink = theme.label_text
        halo = theme.label_halo
        if self.lettering.colour:
            ink = QColor(self.lettering.colour)
            halo = QColor(DARK_HALO if ink.lightness() > 128 else LIGHT_HALO)
        return ink, QColor(self.lettering.halo) if self.lettering.halo else halo


class Names(NamedTuple):
    """The names that are shown at one scale: ``points`` (n, 2) are their middles, in map units."""

    names: tuple[Name, ...]
    points: NDArray[np.float64]
    halves: NDArray[np.float64]
    """Half their widths and heights (n, 2), in logical pixels."""
    symbols: NDArray[np.float64] = np.zeros((0, 2))
    """The middles (m, 2) of the things of named kinds that have a shape, in map units."""
    symbol_half: float = 0.0
    """Half the size of these shapes, in logical pixels."""

    def boxes(self, scale: float) -> TextBoxes:
        """Return the boxes of all names and shapes: no other text should lie on them."""
        shape_halves = np.full(self.symbols.shape, self.symbol_half)
        points = np.concatenate([self.points, self.symbols])
        return TextBoxes(points, np.concatenate([self.halves, shape_halves]) / scale)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the names."""
        return tuple(name.text for name in self.names)

    def inscription_at(self, x: float, y: float, scale: float) -> int:
        """Return the id of the inscription that covers a point (map units), 0 if none does."""
        away = (np.array((x, y)) - self.points) * scale
        for row in np.flatnonzero((np.abs(away) <= self.halves).all(axis=1)).tolist():
            name = self.names[row]
            if name.inscription and name.covers(*away[row].tolist()):
                return name.inscription
        return 0

    def batch(self, scale: float, area: QRectF, theme: Theme) -> Iterator[TextBatch]:
        """Yield those that may reach into ``area`` (map units), by their looks."""
        reach = self.halves / scale
        first, last = (np.array(each.toTuple()) for each in (area.topLeft(), area.bottomRight()))
        near = ((self.points + reach >= first) & (self.points - reach <= last)).all(axis=1)
        alike: dict[object, list[int]] = defaultdict(list)
        for row in np.flatnonzero(near).tolist():
            name = self.names[row]
            look = name.lettering._replace(size=0.0, spaced=False)
            alike[(name.pixels, look, bool(name.angle))].append(row)
        for rows in alike.values():
            name = self.names[rows[0]]
            texts = [self.names[row].text for row in rows]
            italic = name.lettering.italic
            yield TextBatch(
                texts,
                self.points[rows],
                name.pixels / scale,
                *name.inks(theme),
                text_of=np.arange(len(rows)) if italic else None,
                bold=not italic,
                angles=np.array([self.names[row].angle for row in rows]) if name.angle else None,
                italic=italic,
            )


NO_NAMES = Names((), np.zeros((0, 2)), np.zeros((0, 2)))


def names_of(battlemap: BattleMap, scale: float, loads: Loads) -> Names:
    """Return the names that are shown; what is carried (``loads``) has none.

    Of equally important ones the largest come first, then those of somebody, then those that were
    placed first.
    """
    kinds = _named_kinds(battlemap)
    afar = max((kind.naming for kind in kinds.values()), default=0) >= FROM_AFAR
    if not kinds or (scale < NAMES_FROM and not afar):
        return NO_NAMES
    (qx, qy), (rx, ry) = battlemap.grid.layout.basis
    q, r = battlemap.grid.layout.steps[0]
    cell = math.hypot(q * qx + r * rx, q * qy + r * ry) * scale
    ranked: list[tuple[tuple[float, ...], Thing, Name]] = []
    symbols: list[tuple[int, float, float]] = []
    for layer in battlemap.layers:
        if not layer.visible or kinds.keys().isdisjoint(layer.things.kinds):
            continue
        for thing in layer.things.values():
            kind = kinds.get(thing.kind)
            if kind is None or thing.id in loads.carried:
                continue
            if not kind.inscription and len(symbols) < MOST_NAMES:
                symbols.append((kind.naming, thing.x, thing.y))
            name = _name(thing, kind, cell, scale)
            if name is not None:
                rank = (-kind.naming, -name.lettering.size, not thing.owner, thing.id)
                ranked.append((rank, thing, name))
    ranked = sorted(ranked, key=lambda each: each[0])[:MOST_NAMES]
    points = battlemap.grid.shown_points(
        np.array([(thing.x, thing.y) for _rank, thing, _name in ranked], float).reshape(-1, 2)
    )
    names = [name for _rank, _thing, name in ranked]
    halves = np.array([name.half for name in names]).reshape(-1, 2)
    radius = diameter(battlemap, scale) / 2
    lowered = [
        0.0 if kind.inscription else radius * min(kind.size, 1.0) + half
        for (_, thing, _), half in zip(ranked, halves[:, 1].tolist(), strict=True)
        for kind in [kinds[thing.kind]]
    ]
    points = points + np.array((0.0, 1 / scale)) * np.array(lowered).reshape(-1, 1)
    points = shifted_inward(points, halves / scale, battlemap.grid)
    symbols.sort(key=lambda symbol: -symbol[0])
    symbol_points = np.array([(x, y) for _naming, x, y in symbols], float).reshape(-1, 2)
    symbol_points = battlemap.grid.shown_points(symbol_points)
    boxes = [
        (x - radius, y - radius, x + radius, y + radius)
        for x, y in (symbol_points * scale).tolist()
    ]
    levels = [naming for naming, _x, _y in symbols]
    importances = [int(-rank[0]) for rank, _thing, _name in ranked]
    shown = _apart(names, points * scale, importances, list(zip(levels, boxes, strict=True)))
    return Names(
        tuple(names[row] for row in shown), points[shown], halves[shown], symbol_points, radius
    )


def shifted_inward(
    points: NDArray[np.float64], halves: NDArray[np.float64], grid: Grid
) -> NDArray[np.float64]:
    """Return the middles (n, 2) of texts moved so that none reaches out of the map, if it has room.

    ``halves`` (n, 2) are half their extents. Both are in map units. A text that is wider than the
    map is centred on it.
    """
    left, top, right, bottom = grid.bounds
    middle = np.array(((left + right) / 2, (top + bottom) / 2))
    room = np.array(((right - left) / 2, (bottom - top) / 2)) - halves
    away = np.maximum(room, 0.0)
    return np.clip(points, middle - away, middle + away)


def _name(thing: Thing, kind: ThingKind, cell: float, scale: float) -> Name | None:
    """Return the label of a thing where cells are ``cell`` pixels wide; None where none is read."""
    text = thing.label or (kind.title if kind.inscription else "")
    lettering = kind.lettering_of(thing)
    pixels = usual_pixels(kind, scale)
    if lettering.size:
        pixels = float(round(lettering.size * cell))
        is_read = pixels >= LEAST_PIXELS
    else:
        is_read = scale >= NAMES_FROM or kind.naming >= FROM_AFAR
    if not (text and is_read):
        return None
    text = SPACE.join(text) if lettering.spaced else text
    angle = thing.angle % 360 if kind.inscription else 0.0
    inscription = thing.id if kind.inscription else 0
    return Name(text, min(pixels, MOST_PIXELS), lettering, angle, inscription)


def usual_pixels(kind: ThingKind, scale: float) -> float:
    """Return the type size of names of a kind that have no size of their own, in logical pixels."""
    pixels = NAME_PIXELS * min(max(1.0, math.sqrt(scale / GROWS_FROM)), MOST_GROWTH)
    if kind.naming >= FROM_AFAR:
        pixels *= IMPORTANCE
    return float(round(pixels))


def _apart(
    names: Sequence[Name],
    middles: NDArray[np.float64],
    importances: Sequence[int],
    symbols: Sequence[tuple[int, Box]],
) -> list[int]:
    """Return which names overlap none that comes before them and is returned, too.

    Neither do they overlap the symbol of a more important thing. The ``middles`` of names are
    (n, 2), in logical pixels; names and ``symbols`` are in the order of their importance, the
    largest first.
    """
    buckets: dict[tuple[int, int], list[Box]] = defaultdict(list)
    result = []
    placed_symbols = 0
    for row, (name, (x, y)) in enumerate(zip(names, middles.tolist(), strict=True)):
        while placed_symbols < len(symbols) and symbols[placed_symbols][0] > importances[row]:
            symbol_box = symbols[placed_symbols][1]
            for key in _keys(symbol_box):
                buckets[key].append(symbol_box)
            placed_symbols += 1
        boxes = [
            (x + left - MARGIN / 2, y + top, x + right + MARGIN / 2, y + bottom)
            for left, top, right, bottom in name.boxes()
        ]
        if not any(_overlaps(box, buckets[key]) for box in boxes for key in _keys(box)):
            result.append(row)
            for box in boxes:
                for key in _keys(box):
                    buckets[key].append(box)
    return result


def _overlaps(box: Box, others: Iterable[Box]) -> bool:
    left, top, right, bottom = box
    return any(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in others
    )


def _keys(box: Box) -> Iterator[tuple[int, int]]:
    """Yield the squares of the index that a box touches."""
    left, top, right, bottom = (int(each // BUCKET) for each in box)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


@registered(bytes_each=2 * KB)
@lru_cache(64)
def _metrics(pixels: float, italic: bool) -> QFontMetricsF:
    return QFontMetricsF(font(pixels, bold=not italic, italic=italic))


@registered(bytes_each=400)
@lru_cache(4000)
def _half_extent(text: str, pixels: float, italic: bool) -> tuple[float, float]:
    """Half the width and height of a text."""
    metrics = _metrics(pixels, italic)
    return metrics.horizontalAdvance(text) / 2, metrics.height() / 2


def _named_kinds(battlemap: BattleMap) -> dict[str, ThingKind]:
    """Return the kinds of a map by name, without those whose labels are never shown."""
    kinds: Sequence[ThingKind] = battlemap.system.thing_kinds(battlemap)
    return {kind.name: kind for kind in kinds if kind.naming}


class KeptNames:
    """``names_of`` the map asked for last, worked out again when something of it has changed."""

    def __init__(self) -> None:
        self._key: object = ()
        self._layers: tuple[Things, ...] = ()
        self._names = NO_NAMES

    def of(self, battlemap: BattleMap, scale: float, loads: Loads) -> Names:
        """Return the names that are shown now."""
        layers = tuple(layer.things for layer in battlemap.layers if layer.visible and layer.things)
        revisions = tuple((id(layer), layer.revision) for layer in layers)
        kinds = tuple(
            (named_kind.name, named_kind.naming) for named_kind in _named_kinds(battlemap).values()
        )
        grid = battlemap.grid
        if kinds:
            key = (revisions, id(grid), grid.lean, scale, kinds)
        else:
            key = None
        if key != self._key:
            # so that no other thing gets their ids
            self._key = key
            self._layers = layers
            self._names = names_of(battlemap, scale, loads)
        return self._names
