"""Chooses which labels of things are shown as names: where there is room, the important ones first.

A *label* is the text of a thing, a *name* a label as it is drawn. A kind says how important its
labels are (``ThingKind.naming``), and how they are written; a thing's state may say otherwise. They
stand below the thing, or else above or beside it (``DIRECTIONS``); those of an *inscription*, a
thing that is but a text, where it stands. Which are shown depends on the map and the scale, not on
the part that is drawn, so that parts fit together. A thing goes through these types::

    _NamedThing     its kind has labels
    _Label          it has a label that can be read at this scale
    LabelToPlace    the boxes of the label, and where it could stand (``label_room``)
    Name            the label is drawn (``names``)
    _Symbols        the symbols of all named things, on which no less important label lies

Begin with ``names_of``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.text_boxes import shifted_inward
from app.render.scene.things.label_room import LabelToPlace, Symbol, places_with_room
from app.render.scene.things.loads import Loads
from app.render.scene.things.names import NO_NAMES, Box, Name, Names
from app.render.scene.things.thing_sizes import diameter
from app.render.scene.things.things_state import ThingsState
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing

NAME_PIXELS = 11.0
"""The usual type size of names, in logical pixels, up to the scale ``GROWS_FROM``."""

GROWS_FROM = 40.0
"""From this scale on (the hex radius in logical pixels) names grow, with the root of the scale."""

MAX_GROWTH = 1.8
"""Names become at most so many times as large: near by they would hide what they name."""

IMPORTANT_GROWTH = 1.2
"""By so much the names of important things are larger than others."""

MIN_PIXELS = 8
"""Letters of a size of their own are shown from this size on, in logical pixels."""

MAX_PIXELS = 160
"""Letters are never larger than this, in logical pixels."""

NAMES_FROM = 6.0
"""Names are shown from this scale on: the hex radius in logical pixels."""

IMPORTANT_NAMING = 8
"""Names so important (``ThingKind.naming``) are shown at every scale."""

MAX_NAMES = 3000
"""At most so many names have a chance to be shown."""

MARGIN = 3.0
"""The least room between two names side by side, in logical pixels."""

DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Where a label stands beside its thing, the first that has room.

Below, above, right or left; then at the corners, which are farther from the thing.
"""

SPACE = "\u00a0"
"""What stands between the letters of a spaced label: every font has it, and no file drops it."""


class _NamedThing(NamedTuple):
    """A thing of a kind whose labels are shown; it may have none itself."""

    thing: Thing
    kind: ThingKind


class _Label(NamedTuple):
    """A label that is shown if there is room for it."""

    thing: Thing
    kind: ThingKind

    name: Name
    """The label as it would be drawn."""

    @property
    def text(self) -> str:
        """The label as it is told in messages, without the spaces of its lettering."""
        return _text(self.thing, self.kind)

    @property
    def rank(self) -> tuple[object, ...]:
        """The position in which it gets room: the least rank comes first."""
        return (
            -self.kind.naming,  # the most important kind first,
            -self.name.lettering.size,  # then the largest letters,
            self.thing.owner == 0,  # then the things of somebody,
            self.thing.id,  # then those that were placed first
        )

    @property
    def direction_count(self) -> int:
        """The number of ``DIRECTIONS`` that are tried: an inscription has only its own place."""
        if self.kind.inscription:
            return 1
        return len(DIRECTIONS)


class _Symbols(NamedTuple):
    """The symbols of n named things, on which no less important label may lie."""

    things: list[_NamedThing]
    """The things, the most important first."""

    points: NDArray[np.float64]
    """Their middles, (n, 2), in map units."""

    halves: NDArray[np.float64]
    """Half their widths and heights, (n,), in logical pixels."""

    def boxes_at(self, scale: float) -> list[Symbol]:
        """Return the symbols with their boxes at a scale, in logical pixels."""
        boxes = np.hstack([self.points, self.points]) * scale
        boxes += np.outer(self.halves, (-1, -1, 1, 1))
        result = []
        for named_thing, box in zip(self.things, boxes.tolist(), strict=True):
            thing, kind = named_thing
            left, top, right, bottom = box
            result.append(Symbol(thing.id, kind.naming, (left, top, right, bottom)))
        return result


def names_of(battlemap: BattleMap, scale: float, loads: Loads) -> Names:
    """Return the names that are shown; what is carried (``loads``) has none."""
    kinds = _named_kinds(battlemap)
    is_seen_afar = any(_may_be_seen_afar(kind) for kind in kinds.values())
    if not kinds or (scale < NAMES_FROM and not is_seen_afar):
        return NO_NAMES
    grid = battlemap.grid
    named_things = _named_things(battlemap, kinds, loads)
    radius = diameter(battlemap, scale) / 2

    # All labels that can be read, and where they would stand in each direction.
    labels = _labels(named_things, grid.layout.neighbour_distance * scale, scale)
    halves = np.array([label.name.half for label in labels]).reshape(-1, 2)
    middles = _middles(labels, halves, radius, grid, scale)  # (directions, labels, 2)

    symbols = _symbols(named_things, radius, grid)
    labels_to_place = []
    for row, label in enumerate(labels):
        labels_to_place.append(_to_place(label, middles[:, row] * scale))
    places = places_with_room(labels_to_place, symbols.boxes_at(scale))

    rows = [place.label for place in places]
    directions = [place.position for place in places]
    has_room = set(rows)
    left_out = [label.text for row, label in enumerate(labels) if row not in has_room]
    return Names(
        tuple(labels[row].name for row in rows),
        middles[directions, rows],
        halves[rows],
        symbols.points,
        symbols.halves,
        thing_ids=frozenset(labels[row].thing.id for row in rows),
        left_out=tuple(left_out),
    )


def _named_kinds(battlemap: BattleMap) -> dict[str, ThingKind]:
    """Return the kinds of a map by name, without those whose labels are never shown."""
    kinds: Sequence[ThingKind] = battlemap.system.thing_kinds(battlemap)
    return {kind.name: kind for kind in kinds if kind.naming}


def _may_be_seen_afar(kind: ThingKind) -> bool:
    """Return whether labels of a kind can be read at scales below ``NAMES_FROM``.

    They are important, or their letters may have a size that grows with the map.
    """
    return kind.naming >= IMPORTANT_NAMING or kind.lettering.size > 0 or kind.inscription


def _named_things(
    battlemap: BattleMap, kinds: Mapping[str, ThingKind], loads: Loads
) -> list[_NamedThing]:
    """Return the things of these kinds on visible layers, without what is carried."""
    named_things = []
    for layer in battlemap.layers:
        # A wood of a million trees without names costs nothing.
        if not layer.visible or kinds.keys().isdisjoint(layer.things.kinds):
            continue
        for thing in layer.things.values():
            if thing.kind in kinds and thing.id not in loads.carried:
                named_things.append(_NamedThing(thing, kinds[thing.kind]))
    return named_things


# --- labels ---------------------------------------------------------------------------------------


def _labels(named_things: Sequence[_NamedThing], cell_pixels: float, scale: float) -> list[_Label]:
    """Return the labels that can be read at this scale, the most important first.

    ``cell_pixels`` is the distance of the centres of neighbouring cells, in logical pixels.
    """
    labels = []
    for thing, kind in named_things:
        name = _name(thing, kind, cell_pixels, scale)
        if name is not None:
            labels.append(_Label(thing, kind, name))
    labels.sort(key=lambda label: label.rank)
    return labels[:MAX_NAMES]


def _name(thing: Thing, kind: ThingKind, cell_pixels: float, scale: float) -> Name | None:
    """Return the label of a thing; None if it has none, or one that is too small to be read."""
    text = _text(thing, kind)
    lettering = kind.lettering_of(thing)
    pixels = usual_pixels(kind, scale)
    if lettering.size:
        pixels = float(round(lettering.size * cell_pixels))
        is_legible = pixels >= MIN_PIXELS
    else:
        is_legible = scale >= NAMES_FROM or kind.naming >= IMPORTANT_NAMING
    if not (text and is_legible):
        return None
    if lettering.spaced:
        text = SPACE.join(text)
    pixels = min(pixels, MAX_PIXELS)
    if kind.inscription:
        return Name(text, pixels, lettering, angle=thing.angle % 360, inscription_id=thing.id)
    return Name(text, pixels, lettering)


def _text(thing: Thing, kind: ThingKind) -> str:
    """Return the label of a thing, "" for none; an inscription without one has that of its kind."""
    if not thing.label and kind.inscription:  # else nobody would see it
        return kind.title
    return thing.label


def usual_pixels(kind: ThingKind, scale: float) -> float:
    """Return the type size of names of a kind that have no size of their own, in logical pixels."""
    pixels = NAME_PIXELS * min(max(1.0, math.sqrt(scale / GROWS_FROM)), MAX_GROWTH)
    if kind.naming >= IMPORTANT_NAMING:
        pixels *= IMPORTANT_GROWTH
    return float(round(pixels))


def _middles(
    labels: Sequence[_Label],
    halves: NDArray[np.float64],
    radius: float,
    grid: Grid,
    scale: float,
) -> NDArray[np.float64]:
    """Return the middles of n labels in each of ``DIRECTIONS``, (directions, n, 2), in map units.

    ``halves`` (n, 2) are half the extents of the labels, ``radius`` that of a symbol of the usual
    size, in logical pixels. An inscription is all there is of its thing, and takes its place.
    """
    points = _shown_points([label.thing for label in labels], grid)
    distances = np.zeros((len(labels), 2))
    for row, label in enumerate(labels):
        if not label.kind.inscription:
            distances[row] = _symbol_half(label.kind, radius) + halves[row]
    middles = []
    for direction in DIRECTIONS:
        middles_there = points + np.array(direction) * distances / scale
        middles.append(shifted_inward(middles_there, halves / scale, grid))
    return np.array(middles)


def _to_place(label: _Label, middles: NDArray[np.float64]) -> LabelToPlace:
    """Return the boxes of a label and its ``middles`` (directions, 2), in logical pixels."""
    boxes: list[Box] = []
    for left, top, right, bottom in label.name.boxes():
        boxes.append((left - MARGIN / 2, top, right + MARGIN / 2, bottom))
    positions = [(x, y) for x, y in middles[: label.direction_count].tolist()]
    return LabelToPlace(label.thing.id, label.kind.naming, boxes, positions)


# --- symbols --------------------------------------------------------------------------------------


def _symbols(named_things: Sequence[_NamedThing], radius: float, grid: Grid) -> _Symbols:
    """Return the symbols of named things; inscriptions have none.

    ``radius`` is as in ``_symbol_half``.
    """
    things = [named_thing for named_thing in named_things if not named_thing.kind.inscription]
    # Those that were placed first, not the most important: sorting a million is slow.
    things = things[:MAX_NAMES]
    things.sort(key=lambda named_thing: -named_thing.kind.naming)
    points = _shown_points([named_thing.thing for named_thing in things], grid)
    halves = np.array([_symbol_half(named_thing.kind, radius) for named_thing in things])
    return _Symbols(things, points, halves)


def _symbol_half(kind: ThingKind, radius: float) -> float:
    """Return half the width of the symbol of a kind that is to stay free, in logical pixels.

    ``radius`` is that of a symbol of the usual size. Labels stand as near to larger ones.
    """
    return radius * min(kind.size, 1.0)


def _shown_points(things: Sequence[Thing], grid: Grid) -> NDArray[np.float64]:
    """Return where things are seen, shape (n, 2), in map units."""
    points = np.array([(thing.x, thing.y) for thing in things], float).reshape(-1, 2)
    return np.array(grid.shown_points(points))


# --- kept names -----------------------------------------------------------------------------------


class NamesCache:
    """The names of the map that was asked for last, kept until something of them changes."""

    def __init__(self) -> None:
        self._key: object = None
        """All on which ``_names`` depend; None until they are first worked out."""
        self._names = NO_NAMES
        """The names that were worked out last."""

    def of(self, battlemap: BattleMap, scale: float, loads: Loads) -> Names:
        """Return the names that are shown now; ``loads`` are those of the map now."""
        state = ThingsState(battlemap)
        kinds = tuple(_named_kinds(battlemap).values())
        if not state.has_things or not kinds:
            return NO_NAMES
        # The loads are not in the key: they follow from the things.
        key = (state, battlemap.grid, scale, kinds)
        if key != self._key:
            self._key = key
            self._names = names_of(battlemap, scale, loads)
        return self._names
