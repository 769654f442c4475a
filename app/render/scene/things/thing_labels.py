"""Chooses which labels of things are shown as names: where there is room, the important ones first.

A kind says how important its labels are (``ThingKind.naming``), and how they are written; a thing's
state may say otherwise. They stand below the thing, or else above or beside it; those of an
*inscription*, a thing that is but a text, where it stands. Which are shown depends on the map and
the scale, not on the part that is drawn, so that parts fit together. Begin with ``names_of``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.things.loads import Loads
from app.render.scene.things.names import NO_NAMES, Box, Name, Names
from app.render.scene.things.things import diameter
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import ThingKind
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
"""Letters of a size of their own are shown from this size on, in logical pixels."""

MOST_PIXELS = 160
"""Letters are never larger than this, in logical pixels."""

NAMES_FROM = 6.0
"""Names are shown from this scale on: the hex radius in logical pixels."""

FROM_AFAR = 8
"""Names so important (``ThingKind.naming``) are shown at every scale."""

MOST_NAMES = 3000
"""At most so many names have a chance to be shown."""

MARGIN = 3.0
"""The least room between two names side by side, in logical pixels."""

DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Where a label stands beside its thing, the first that has room.

Below, above, right or left; then at the corners, which are farther from the thing.
"""

BUCKET = 128.0
"""The size of the squares, in logical pixels, by which names are compared with those beside."""

SPACE = "\u00a0"
"""What stands between the letters of a spaced label: every font has it, and no file drops it."""


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
    radius = diameter(battlemap, scale) / 2

    # All labels that can be read, and where they would stand.
    candidates = _candidates(named_things, battlemap.grid.layout.neighbour_distance * scale, scale)
    halves = np.array([candidate.name.half for candidate in candidates]).reshape(-1, 2)
    positions = []
    for direction in DIRECTIONS:
        middles = _middles(candidates, halves, radius, battlemap.grid, scale, direction)
        positions.append(middles)
    middles_by_direction = np.array(positions)

    # The shapes of named things, on which no less important label may lie.
    named_symbols = _symbols(named_things)
    symbol_points = _shown_points([thing for thing, _kind in named_symbols], battlemap.grid)
    symbol_halves = np.array([_symbol_half(kind, radius) for _thing, kind in named_symbols])
    boxes = np.hstack([symbol_points, symbol_points]) * scale
    boxes += np.outer(symbol_halves, (-1, -1, 1, 1))
    symbols = []
    for (thing, kind), (left, top, right, bottom) in zip(
        named_symbols, boxes.tolist(), strict=True
    ):
        symbols.append(_Symbol(thing.id, kind.naming, (left, top, right, bottom)))
    places = _places_with_room(candidates, middles_by_direction * scale, symbols)
    rows = [row for row, _direction in places]
    directions = [direction for _row, direction in places]
    has_room = set(rows)
    left_out = []
    for row, candidate in enumerate(candidates):
        if row not in has_room:
            left_out.append(candidate.thing.label)
    return Names(
        tuple(candidates[row].name for row in rows),
        middles_by_direction[directions, rows],
        halves[rows],
        symbol_points,
        symbol_halves,
        thing_ids=frozenset(candidates[row].thing.id for row in rows),
        left_out=tuple(left_out),
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


def _candidates(
    named_things: Sequence[tuple[Thing, ThingKind]], cell_pixels: float, scale: float
) -> list[_Candidate]:
    """Return the labels that can be read at this scale, the most important first.

    ``cell_pixels`` is the distance of the centres of neighbouring cells, in logical pixels.
    """
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
    direction: tuple[int, int],
) -> NDArray[np.float64]:
    """Return the middles of labels (n, 2) in map units.

    A label stands in a ``direction`` from its thing, which has this ``radius`` in logical pixels;
    an inscription is all there is of its thing, and takes its place.
    """
    points = _shown_points([candidate.thing for candidate in candidates], grid)
    for row, candidate in enumerate(candidates):
        if not candidate.kind.inscription:
            distances = _symbol_half(candidate.kind, radius) + halves[row]
            points[row] += direction * distances / scale
    return shifted_inward(points, halves / scale, grid)


def _symbol_half(kind: ThingKind, radius: float) -> float:
    """Return half the width of the symbol of a kind that is to stay free, in logical pixels.

    ``radius`` is that of a symbol of the usual size. Labels stand as near to larger ones.
    """
    return radius * min(kind.size, 1.0)


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
    text = thing.label
    if not text and kind.inscription:  # else nobody would see it
        text = kind.title
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
    pixels = min(pixels, MOST_PIXELS)
    if kind.inscription:
        return Name(text, pixels, lettering, angle=thing.angle % 360, inscription=thing.id)
    return Name(text, pixels, lettering)


def usual_pixels(kind: ThingKind, scale: float) -> float:
    """Return the type size of names of a kind that have no size of their own, in logical pixels."""
    pixels = NAME_PIXELS * min(max(1.0, math.sqrt(scale / GROWS_FROM)), MOST_GROWTH)
    if kind.naming >= FROM_AFAR:
        pixels *= IMPORTANCE
    return float(round(pixels))


class _Symbol(NamedTuple):
    """The shape of a named thing, which is to stay free."""

    thing_id: int

    importance: int
    """As ``ThingKind.naming``."""

    box: Box


class _TakenBox(NamedTuple):
    """A box that is taken, and the thing whose symbol or label it is."""

    box: Box
    thing_id: int


class _TakenBoxes:
    """The boxes that are taken, found by the squares of ``BUCKET`` pixels that they touch."""

    def __init__(self) -> None:
        self._boxes_of_square: dict[tuple[int, int], list[_TakenBox]] = defaultdict(list)

    def take(self, box: Box, thing_id: int) -> None:
        """Let the label of no other thing lie here from now on."""
        for square in _squares(box):
            self._boxes_of_square[square].append(_TakenBox(box, thing_id))

    def is_free(self, box: Box, thing_id: int) -> bool:
        """Return whether a box of the label of a thing overlaps none that another thing took."""
        for square in _squares(box):
            for taken in self._boxes_of_square.get(square, ()):
                if taken.thing_id != thing_id and _overlap(box, taken.box):
                    return False
        return True


def _places_with_room(
    candidates: Sequence[_Candidate], middles: NDArray[np.float64], symbols: Sequence[_Symbol]
) -> list[tuple[int, int]]:
    """Return the rows of the labels that have room, one after another, each with its direction.

    A label overlaps none before it that has room, and no symbol of a more important thing; one that
    is not at its usual place overlaps no symbol of another thing, so that nobody takes it for that
    thing's.
    ``middles`` (d, n, 2) are those of the labels in each of ``DIRECTIONS``, in logical pixels;
    labels and symbols are in the order of their importance, the largest first.
    """
    all_symbols = _TakenBoxes()
    for symbol in symbols:
        all_symbols.take(symbol.box, symbol.thing_id)
    taken_boxes = _TakenBoxes()
    places = []
    placed_symbols = 0
    for row, candidate in enumerate(candidates):
        thing_id = candidate.thing.id
        importance = candidate.kind.naming
        while placed_symbols < len(symbols) and symbols[placed_symbols].importance > importance:
            symbol = symbols[placed_symbols]
            taken_boxes.take(symbol.box, symbol.thing_id)
            placed_symbols += 1
        directions = range(len(DIRECTIONS))
        if candidate.kind.inscription:
            directions = range(1)  # it stands where it is written
        for direction in directions:
            boxes = _boxes_at(candidate.name, middles[direction, row])
            has_room = all(taken_boxes.is_free(box, thing_id) for box in boxes)
            if has_room and direction:
                has_room = all(all_symbols.is_free(box, thing_id) for box in boxes)
            if has_room:
                places.append((row, direction))
                for box in boxes:
                    taken_boxes.take(box, thing_id)
                break
    return places


def _boxes_at(name: Name, middle: NDArray[np.float64]) -> list[Box]:
    """Return the boxes that a label takes around its middle, in logical pixels."""
    x, y = middle.tolist()
    boxes = []
    for left, top, right, bottom in name.boxes():
        boxes.append((x + left - MARGIN / 2, y + top, x + right + MARGIN / 2, y + bottom))
    return boxes


def _overlap(first: Box, second: Box) -> bool:
    left, top, right, bottom = first
    second_left, second_top, second_right, second_bottom = second
    is_beside = right <= second_left or second_right <= left
    is_above_or_below = bottom <= second_top or second_bottom <= top
    return not (is_beside or is_above_or_below)


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    """Yield the squares that a box touches, by column and row."""
    left, top, right, bottom = (int(edge // BUCKET) for edge in box)
    for column in range(left, right + 1):
        for row in range(top, bottom + 1):
            yield column, row


def _named_kinds(battlemap: BattleMap) -> dict[str, ThingKind]:
    """Return the kinds of a map by name, without those whose labels are never shown."""
    kinds: Sequence[ThingKind] = battlemap.system.thing_kinds(battlemap)
    return {kind.name: kind for kind in kinds if kind.naming}


class NamesCache:
    """Keeps the names of the map that was asked for last until something of them changes."""

    def __init__(self) -> None:
        self._key: object = ()
        """All on which ``_names`` depend, None for a map without named kinds."""
        self._layers: tuple[Things, ...] = ()
        """The things whose ids are in the key."""
        self._names = NO_NAMES

    def of(self, battlemap: BattleMap, scale: float, loads: Loads) -> Names:
        """Return the names that are shown now."""
        layers = tuple(layer.things for layer in battlemap.layers if layer.visible and layer.things)
        if not layers:
            return NO_NAMES
        revisions = tuple((id(layer), layer.revision) for layer in layers)
        kinds = tuple((kind.name, kind.naming) for kind in _named_kinds(battlemap).values())
        grid = battlemap.grid
        key: object = None
        if kinds:
            key = (revisions, id(grid), grid.lean, scale, kinds)
        if key != self._key:
            self._key = key
            # The key has the ids of these objects: while they are kept nobody else gets the ids.
            self._layers = layers
            self._names = names_of(battlemap, scale, loads)
        return self._names
