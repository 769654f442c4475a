"""The labels of things as texts, where there is room, the most important ones first.

A kind says how important its labels are (``ThingKind.naming``), and how they are written; a thing's
state may say otherwise. They stand below the thing; those of an inscription in its place. Which are
shown depends on the map and the scale, not on the part that is drawn, so that parts fit together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF

from app.render.scene.batch import TextBatch
from app.render.scene.icons import font
from app.render.scene.text_boxes import TextBoxes
from app.render.scene.things.loads import Loads
from app.render.scene.things.things import diameter
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
    """A label that is shown."""

    text: str
    pixels: float
    """The type size, in logical pixels."""
    lettering: Lettering
    angle: float = 0.0
    """Degrees clockwise."""
    inscription: int = 0
    """The id of the thing whose place it takes, 0 for a name below a thing."""

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
        """Yield boxes around its middle that cover it.

        Turned letters are covered by several small boxes along them: one around all of them would
        keep much room free that they do not need.
        """
        half_width, half_height = self._half
        if not self.angle:
            yield -half_width, -half_height, half_width, half_height
            return
        count = math.ceil(half_width / (2 * half_height)) or 1
        cos = math.cos(math.radians(self.angle))
        sin = math.sin(math.radians(self.angle))
        half_part = half_width / count
        half_x = abs(half_part * cos) + abs(half_height * sin)
        half_y = abs(half_part * sin) + abs(half_height * cos)
        for number in range(count):
            parts_from_middle = number - (count - 1) / 2
            x = 2 * half_part * cos * parts_from_middle
            y = 2 * half_part * sin * parts_from_middle
            yield x - half_x, y - half_y, x + half_x, y + half_y

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
        if self.lettering.halo:
            halo = QColor(self.lettering.halo)
        return ink, halo


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
        """Yield the names that may reach into ``area`` (map units), a batch for each look."""
        reach = self.halves / scale
        first = np.array(area.topLeft().toTuple())
        last = np.array(area.bottomRight().toTuple())
        is_near = ((self.points + reach >= first) & (self.points - reach <= last)).all(axis=1)
        rows_by_look: dict[object, list[int]] = defaultdict(list)
        for row in np.flatnonzero(is_near).tolist():
            name = self.names[row]
            # Size and spacing are in ``pixels`` and in the text already.
            lettering = name.lettering._replace(size=0.0, spaced=False)
            rows_by_look[(name.pixels, lettering, bool(name.angle))].append(row)
        for rows in rows_by_look.values():
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


class _Candidate(NamedTuple):
    """A label that is shown if there is room for it."""

    thing: Thing
    kind: ThingKind
    name: Name

    @property
    def rank(self) -> tuple[object, ...]:
        """The least comes first.

        Of equally important labels the largest come first, then those of somebody, then those that
        were placed first.
        """
        thing = self.thing
        return -self.kind.naming, -self.name.lettering.size, not thing.owner, thing.id


def names_of(battlemap: BattleMap, scale: float, loads: Loads) -> Names:
    """Return the names that are shown; what is carried (``loads``) has none."""
    kinds = _named_kinds(battlemap)
    is_seen_afar = any(kind.naming >= FROM_AFAR for kind in kinds.values())
    if not kinds or (scale < NAMES_FROM and not is_seen_afar):
        return NO_NAMES
    named_things = _named_things(battlemap, kinds, loads)
    candidates = _candidates(named_things, _cell_pixels(battlemap.grid, scale), scale)
    halves = np.array([candidate.name.half for candidate in candidates]).reshape(-1, 2)
    radius = diameter(battlemap, scale) / 2
    middles = _middles(candidates, halves, radius, battlemap.grid, scale)
    symbols = _symbols(named_things)
    symbol_points = _shown_points([thing for thing, _kind in symbols], battlemap.grid)
    symbol_boxes = [
        (kind.naming, (x - radius, y - radius, x + radius, y + radius))
        for (_thing, kind), (x, y) in zip(symbols, (symbol_points * scale).tolist(), strict=True)
    ]
    rows = _apart(
        [candidate.name for candidate in candidates],
        middles * scale,
        [candidate.kind.naming for candidate in candidates],
        symbol_boxes,
    )
    return Names(
        tuple(candidates[row].name for row in rows),
        middles[rows],
        halves[rows],
        symbol_points,
        radius,
    )


def _named_things(
    battlemap: BattleMap, kinds: Mapping[str, ThingKind], loads: Loads
) -> list[tuple[Thing, ThingKind]]:
    """Return the things of these kinds on visible layers, without what is carried."""
    named_things = []
    for layer in battlemap.layers:
        # A wood of a million trees without names costs nothing.
        if not layer.visible or kinds.keys().isdisjoint(layer.things.kinds):
            continue
        for thing in layer.things.values():
            if thing.kind in kinds and thing.id not in loads.carried:
                named_things.append((thing, kinds[thing.kind]))
    return named_things


def _cell_pixels(grid: Grid, scale: float) -> float:
    """Return how far the middles of neighbouring cells are apart, in logical pixels."""
    (qx, qy), (rx, ry) = grid.layout.basis
    q, r = grid.layout.steps[0]
    return math.hypot(q * qx + r * rx, q * qy + r * ry) * scale


def _candidates(
    named_things: Sequence[tuple[Thing, ThingKind]], cell_pixels: float, scale: float
) -> list[_Candidate]:
    """Return the labels that can be read at this scale, the most important first."""
    candidates = []
    for thing, kind in named_things:
        name = _name(thing, kind, cell_pixels, scale)
        if name is not None:
            candidates.append(_Candidate(thing, kind, name))
    candidates.sort(key=lambda candidate: candidate.rank)
    return candidates[:MOST_NAMES]


def _middles(
    candidates: Sequence[_Candidate],
    halves: NDArray[np.float64],
    radius: float,
    grid: Grid,
    scale: float,
) -> NDArray[np.float64]:
    """Return the middles of labels (n, 2) in map units.

    A label stands below its thing, which has this ``radius`` in logical pixels; an inscription is
    all there is of its thing, and takes its place.
    """
    points = _shown_points([candidate.thing for candidate in candidates], grid)
    for row, candidate in enumerate(candidates):
        if not candidate.kind.inscription:
            lowered_pixels = radius * min(candidate.kind.size, 1.0) + halves[row, 1]
            points[row, 1] += lowered_pixels / scale
    return shifted_inward(points, halves / scale, grid)


def _symbols(
    named_things: Sequence[tuple[Thing, ThingKind]],
) -> list[tuple[Thing, ThingKind]]:
    """Return the things that have a shape to keep free, the most important first."""
    symbols = [(thing, kind) for thing, kind in named_things if not kind.inscription]
    # Those that were placed first, not the most important: sorting a million is slow.
    symbols = symbols[:MOST_NAMES]
    symbols.sort(key=lambda symbol: -symbol[1].naming)
    return symbols


def _shown_points(things: Sequence[Thing], grid: Grid) -> NDArray[np.float64]:
    """Return where things are seen, shape (n, 2), in map units."""
    points = np.array([(thing.x, thing.y) for thing in things], float).reshape(-1, 2)
    return np.array(grid.shown_points(points))


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


def _name(thing: Thing, kind: ThingKind, cell_pixels: float, scale: float) -> Name | None:
    """Return the label of a thing; None if it has none, or one that is too small to be read."""
    text = thing.label or (kind.title if kind.inscription else "")
    lettering = kind.lettering_of(thing)
    pixels = usual_pixels(kind, scale)
    if lettering.size:
        pixels = float(round(lettering.size * cell_pixels))
        is_read = pixels >= LEAST_PIXELS
    else:
        is_read = scale >= NAMES_FROM or kind.naming >= FROM_AFAR
    if not (text and is_read):
        return None
    if lettering.spaced:
        text = SPACE.join(text)
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
    left, top, right, bottom = (int(edge // BUCKET) for edge in box)
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


class NamesCache:
    """``names_of`` the map asked for last, worked out again when something of it has changed."""

    def __init__(self) -> None:
        self._key: object = ()
        self._layers: tuple[Things, ...] = ()
        self._names = NO_NAMES

    def of(self, battlemap: BattleMap, scale: float, loads: Loads) -> Names:
        """Return the names that are shown now."""
        layers = tuple(layer.things for layer in battlemap.layers if layer.visible and layer.things)
        if not layers:
            return NO_NAMES
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
            self._key = key
            # The key has the ids of these objects: while they are kept nobody else gets the ids.
            self._layers = layers
            self._names = names_of(battlemap, scale, loads)
        return self._names
