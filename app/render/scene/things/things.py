"""Placed things: a disc or a pictogram in a colour, with a symbol; dots at small scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPen,
    QPolygonF,
    QRadialGradient,
    QTransform,
)

from app.appearance.painting import saved_state
from app.render.scene.batch import CoveredBatch, IconBatch, TextBatch
from app.render.scene.icons import Covered, font, reach_of
from app.render.scene.things.pictograms import icon
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import shown_within
from randomizer.model.notes import numbered
from randomizer.model.things.thing_index import ThingArrays
from randomizer.model.things.thing_kind import UNKNOWN_COLOUR, ThingKind, initial
from randomizer.model.things.things import Things


class Loads(NamedTuple):
    """The things that others carry on the visible layers of a map."""

    carried: frozenset[int]
    """The ids of the things that something carries."""

    numbers: Mapping[int, int]
    """How many things each carrier holds, by its id, also in what it carries.

    Only of carriers that are not carried themselves.
    """


NO_LOADS = Loads(frozenset(), {})


def loads_of(battlemap: BattleMap) -> Loads:
    """Return what is carried on a map as it is now."""
    carrier = battlemap.system.thing_rules.carrier
    if not carrier:
        return NO_LOADS
    layers = [layer.things for layer in battlemap.layers if layer.visible]
    if not any(carrier in thing.state for things in layers for thing in things.values()):
        return NO_LOADS
    all_things = chain.from_iterable(things.values() for things in layers)
    carrier_of = carriers(battlemap.grid, carrier, all_things)
    numbers: Counter[int] = Counter()
    for outermost in carrier_of.values():
        while outermost in carrier_of:
            outermost = carrier_of[outermost]
        numbers[outermost] += 1
    return Loads(frozenset(carrier_of), numbers)


class KeptLoads:
    """``loads_of`` the map asked for last, worked out again when its things have changed."""

    def __init__(self) -> None:
        self._key: tuple[tuple[Things, int], ...] = ()
        """The things of each layer, and their revision, of which ``_loads`` were worked out."""
        self._loads = NO_LOADS

    def of(self, battlemap: BattleMap) -> Loads:
        """Return what is carried on a map as it is now."""
        if not battlemap.system.thing_rules.carrier:
            return NO_LOADS
        layers = (layer.things for layer in battlemap.layers if layer.visible and layer.things)
        key = tuple((things, things.revision) for things in layers)
        if not self._is_same(key):
            self._key = key
            self._loads = loads_of(battlemap)
        return self._loads

    def _is_same(self, key: tuple[tuple[Things, int], ...]) -> bool:
        """Return whether the key is that of the loads: the same objects at the same revisions."""
        if len(key) != len(self._key):
            return False
        for (things, revision), (former_things, former_revision) in zip(
            key, self._key, strict=True
        ):
            if things is not former_things or revision != former_revision:
                return False
        return True


OWNERS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#f0e442",
    "#332288",
    "#882255",
    "#117733",
)
"""The colours of owner 1, 2 ...: those of Okabe and Ito for the colour-blind, and three more."""

LARGEST = 26.0
"""The largest diameter of a disc, in logical pixels."""

LARGEST_ICON = 64.0
"""The largest width of a pictogram, in logical pixels."""

LEAST_IN_CELL = 5.0
"""The least width of things that stand in cells, in logical pixels."""

LEAST_FREE = 3.0
"""The least width of things that stand anywhere, in logical pixels."""

SHAPED_FROM = 9.0
"""Pictograms of this width or more show their shape; smaller ones are dots."""

SIGNS_FROM = 5.0
"""As ``SHAPED_FROM``, of signs: pictograms of more than one colour are told apart as small as that.
"""

DETAILED_FROM = 12.0
"""Signs of this width or more show what is light and dark on them."""

SIGN_LETTERED_FROM = 24.0
"""Signs of this width or more have a small plate with their symbol; smaller ones are told apart by
their shapes alone."""

PLATE = 0.36
"""The width and height of this plate, as a share of the sign's width."""

CREAM = QColor("#f6eedb")
"""What is light on signs."""

LETTERED_FROM = 11.0
"""Discs of this diameter (logical pixels) or more have a symbol."""

LETTERED_ICON_FROM = 14.0
"""Pictograms of this width or more have a symbol."""

ICON_ROOM = 1.1
"""An icon is shown on covered ground that is so many times as wide."""

ICON_SHARE = 1.75
"""How much larger pictograms are than discs."""

RIM = QColor(255, 255, 255, 190)
EDGE = QColor(20, 20, 20, 220)
"""The colours around things, to be seen on every ground."""

HEADINGS = 16
"""The number of directions in which a disc may point."""

TIP = 1.45
"""How far the tip of a disc reaches, in radii of the disc."""

RING = 4.0
"""The width of the ring around a picked thing, in logical pixels."""


def diameter(battlemap: BattleMap, scale: float) -> float:
    """Return the diameter of the things of a map in logical pixels; larger where they are
    pictograms.
    """
    room = scale * (0.9 if battlemap.grid.degree == 6 else 0.7)
    if battlemap.system.thing_rules.in_cells:
        least_size = LEAST_IN_CELL
    else:
        least_size = LEAST_FREE
    if any(kind.icon for kind in battlemap.system.thing_kinds(battlemap)):
        return min(LARGEST_ICON, max(least_size, room * ICON_SHARE))
    return min(LARGEST, max(least_size, room))


def largest_size(battlemap: BattleMap) -> float:
    """Return the size (``ThingKind.size``) of the largest kind of a map, at least 1."""
    return max([1.0, *(kind.size for kind in battlemap.system.thing_kinds(battlemap))])


def ring_radius(battlemap: BattleMap, scale: float) -> float:
    """Return the radius of the ring around a picked thing, in logical pixels: outside its tip."""
    size = diameter(battlemap, scale)
    share = max(largest_size(battlemap), TIP if size >= LETTERED_FROM else 1.0)
    return size / 2 * share + RING / 2


def thing_reach(battlemap: BattleMap, scale: float) -> float:
    """Return how far from its point a thing with its ring may be seen, in logical pixels."""
    covered = reach_of(battlemap.system.thing_kinds(battlemap)) * scale + RING
    return max(_icon_reach(battlemap, scale), covered)


def _icon_reach(battlemap: BattleMap, scale: float) -> float:
    """Return how far from its point the icon of a thing with its ring may be seen."""
    reach = ring_radius(battlemap, scale) + RING / 2
    if any(kind.icon == "tree" for kind in battlemap.system.thing_kinds(battlemap)):
        reach = max(reach, CANOPY / 2 * scale)
    return reach + 1


CANOPY = 2.6
"""How wide the shade of the leaves around a tree is, in map units: those of a wood run together."""

PIN_HEAD = 0.16
PIN_TYPE = 0.34
"""How far above a note the middle of its pin's head is, and the type size of its number there, as
shares of the pin's width."""

CANOPY_COLOUR = "#1d3a17"

CANOPY_OPACITY = (0.55, 0.15)
"""The opacity of a canopy in its middle where trees are dots, and where all of a tree is seen."""


class Look(NamedTuple):
    """The look of a thing. ``heading`` is clockwise from the top, in 1/``HEADINGS`` of a turn.

    ``icon`` and ``size`` are as in ``ThingKind``; pictograms do not show a heading.
    """

    symbol: str
    colour: str
    heading: int
    icon: str = ""
    size: float = 1.0

    @classmethod
    def of(cls, kind: ThingKind | None, name: str, owner: int, angle: float) -> Look:
        """Return the look of a thing whose kind is called ``name`` (``kind`` None: unknown)."""
        if kind is not None and kind.icon:
            return cls(kind.symbol, colour_of(kind, owner), 0, kind.icon, kind.size)
        symbol = (kind.symbol if kind is not None else "") or initial(name)
        heading = round(angle / (360 / HEADINGS)) % HEADINGS
        return cls(symbol, colour_of(kind, owner), heading)

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw a pictogram in the square, or a disc so wide; a disc with a symbol has a tip.

        ``size`` is that of usual kinds.
        """
        scaled_size = size * self.size
        if self.icon and scaled_size >= (SIGNS_FROM if is_sign(self.icon) else SHAPED_FROM):
            _draw_icon(painter, self, scaled_size)
        else:
            _draw_disc(painter, self, scaled_size)


class Load(NamedTuple):
    """A badge at the upper right of a thing: the ``number`` of others that it carries."""

    number: int

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the badge of a thing of this size, if it can be read."""
        if size < LETTERED_ICON_FROM:
            return
        radius = max(5.0, size * 0.2)
        painter.translate(size / 2 - radius * 0.8, radius * 0.8 - size / 2)
        painter.setPen(QPen(EDGE, max(0.8, size / 40)))
        painter.setBrush(QColor(255, 255, 255))
        painter.drawEllipse(QPointF(), radius, radius)
        painter.setPen(QColor(0, 0, 0))
        painter.setFont(font(radius * (1.5 if self.number < 10 else 1.1), bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(min(self.number, 99)))


class Canopy(NamedTuple):
    """The leaves of a tree from above: from afar a wood is one dark green. ``percent``: opacity."""

    percent: int

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw a disc that fades out towards its edge."""
        gradient = QRadialGradient(QPointF(), size / 2)
        for stop, share in ((0.0, 1.0), (0.5, 0.7), (1.0, 0.0)):
            colour = QColor(CANOPY_COLOUR)
            colour.setAlphaF(self.percent / 100 * share)
            gradient.setColorAt(stop, colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawEllipse(QPointF(), size / 2, size / 2)


def colour_of(kind: ThingKind | None, owner: int) -> str:
    """Return the colour of a thing: its owner's, that of its kind if it belongs to nobody."""
    if owner:
        colours = OWNERS if kind is None else kind.owner_colours or OWNERS
        return colours[(owner - 1) % len(colours)]
    return UNKNOWN_COLOUR if kind is None else kind.colour


def batches(
    battlemap: BattleMap,
    scale: float,
    area: QRectF,
    loads: Loads,
    *,
    screen: bool = False,
    translucent: bool = False,
) -> Iterator[IconBatch | TextBatch | CoveredBatch]:
    """Yield the things in ``area`` (map units) in the order of the layers and of their ids.

    Of each layer the ground that things cover comes first. What is carried (``loads``) is left out:
    its carrier shows how much it carries; so is an inscription, which is but a name. ``scale`` is
    the hex radius in the logical pixels of a screen. ``screen``: nobody will look closer, so that
    looks which are too small to be told apart are one. ``translucent``: layers have their opacity.
    """
    layers = [layer for layer in battlemap.layers if layer.visible and layer.things]
    if not layers:
        return
    kinds = kinds_by_name(battlemap)
    covering_kinds = {name for name, kind in kinds.items() if kind.footprint is not None}
    covered_reach = reach_of(battlemap.system.thing_kinds(battlemap)) + RING / scale
    icon_reach = _icon_reach(battlemap, scale) / scale
    size = diameter(battlemap, scale)
    notes = {thing.id: (number, kinds[thing.kind]) for number, thing in numbered(battlemap)}
    for layer in layers:
        opacity = layer.opacity if translucent else 1.0
        if not covering_kinds.isdisjoint(layer.things.kinds):
            arrays = _near(battlemap, layer.things, area, covered_reach, loads)
            covered = _covered(arrays, kinds)
            if covered is not None:
                yield covered._replace(opacity=opacity)
        arrays = _near(battlemap, layer.things, area, icon_reach, loads)
        has_icon = [shows_icon(kinds.get(name), scale, size) for name in arrays.kind_names]
        if not all(has_icon):
            arrays = arrays.some(np.array(has_icon, np.bool_)[arrays.kinds])
        if not len(arrays.ids):
            continue
        yield from _canopies(arrays, kinds, size, opacity)
        looks, look_of = _looks(arrays, kinds, dots=screen and size < LETTERED_FROM)
        widest = max(largest_size(battlemap), TIP if size >= LETTERED_FROM else 1.0)
        icons = IconBatch(looks, look_of, arrays.points, size / scale, widest, opacity=opacity)
        yield icons
        if size >= LETTERED_ICON_FROM:
            yield from _numbers_of_notes(arrays, notes, size / scale)
        yield from _badges(arrays, icons, loads)


def _canopies(
    arrays: ThingArrays, kinds: Mapping[str, ThingKind], size: float, opacity: float
) -> Iterator[IconBatch]:
    """Yield the shade of the leaves of trees, which lies below all icons of the layer."""
    is_tree_kind = [name in kinds and kinds[name].icon == "tree" for name in arrays.kind_names]
    is_tree = np.array(is_tree_kind)[arrays.kinds]
    if is_tree.any():
        canopy_of = np.zeros(int(is_tree.sum()), np.intp)
        yield IconBatch([_canopy(size)], canopy_of, arrays.points[is_tree], CANOPY, opacity=opacity)


def _numbers_of_notes(
    arrays: ThingArrays, notes: Mapping[int, tuple[int, ThingKind]], diameter_units: float
) -> Iterator[TextBatch]:
    """Yield the numbers in the heads of the pins of notes; a usual icon is so many map units wide.

    ``notes`` has the number and the kind of each note by its id.
    """
    ids = arrays.ids.tolist()
    rows = [row for row, thing_id in enumerate(ids) if thing_id in notes]
    if not rows:
        return
    texts = [str(notes[ids[row]][0]) for row in rows]
    kind = notes[ids[rows[0]]][1]  # a system has one kind of notes
    pin = diameter_units * kind.size
    points = arrays.points[rows] - np.array((0.0, PIN_HEAD * pin))
    yield TextBatch(texts, points, PIN_TYPE * pin, QColor(0, 0, 0), QColor(kind.colour), bold=True)


def _badges(arrays: ThingArrays, icons: IconBatch, loads: Loads) -> Iterator[IconBatch]:
    """Yield the badges of carriers: how many others each of them carries."""
    ids = arrays.ids.tolist()
    rows = [row for row, thing_id in enumerate(ids) if thing_id in loads.numbers]
    if rows:
        badges = [Load(loads.numbers[ids[row]]) for row in rows]
        badge_of = np.arange(len(badges))
        yield icons._replace(icons=badges, icon_of=badge_of, points=arrays.points[rows])


def _canopy(size: float) -> Canopy:
    """Return the canopy of trees that are ``size`` logical pixels wide."""
    dot_opacity, tree_opacity = CANOPY_OPACITY
    share = (size - SHAPED_FROM) / (LARGEST - SHAPED_FROM)  # from a dot (0) to a whole tree (1)
    share = min(max(share, 0.0), 1.0)
    return Canopy(round(100 * (dot_opacity + (tree_opacity - dot_opacity) * share)))


def _near(
    battlemap: BattleMap, things: Things, area: QRectF, reach: float, loads: Loads
) -> ThingArrays:
    """Return the things of a layer in an area and around it (map units), not what is carried."""
    near = area.adjusted(-reach, -reach, reach, reach)
    box = (near.left(), near.top(), near.right(), near.bottom())
    arrays = shown_within(battlemap.grid, things, *box)
    if not loads.carried:
        return arrays
    return arrays.some(
        np.array([thing_id not in loads.carried for thing_id in arrays.ids.tolist()], np.bool_)
    )


def shows_icon(kind: ThingKind | None, scale: float, size: float) -> bool:
    """Return whether a kind shows its icon: one that covers ground does where that has room.

    It shows no dot: the ground shows that something is there.
    """
    if kind is None or kind.footprint is None:
        return kind is None or not kind.inscription
    scaled_size = size * kind.size
    return scaled_size >= SHAPED_FROM and min(kind.footprint[:2]) * scale >= scaled_size * ICON_ROOM


def _covered(arrays: ThingArrays, kinds: Mapping[str, ThingKind]) -> CoveredBatch | None:
    """Return the ground that things cover, None if none of them covers any."""
    by_code = [kinds.get(name) for name in arrays.kind_names]
    covers = np.array([kind is not None and kind.footprint is not None for kind in by_code])
    if not covers[arrays.kinds].any():
        return None
    some = arrays.some(covers[arrays.kinds])
    numbers: dict[Covered, int] = {}
    covered_of = []
    for code, owner in zip(some.kinds.tolist(), some.owners.tolist(), strict=True):
        kind = by_code[code]
        assert kind is not None
        assert kind.footprint is not None
        covered = Covered(kind.footprint, colour_of(kind, owner))
        covered_of.append(numbers.setdefault(covered, len(numbers)))
    return CoveredBatch(tuple(numbers), np.array(covered_of), some.points, some.angles)


def _looks(
    arrays: ThingArrays, kinds: Mapping[str, ThingKind], *, dots: bool
) -> tuple[list[Look], NDArray[np.intp]]:
    """Return the looks of things, and which of them each has, shape (n,).

    ``dots``: without symbols and headings.
    """
    headings = np.rint(arrays.angles / (360 / HEADINGS)).astype(np.int64) % HEADINGS
    if dots:
        headings[:] = 0
    owners = np.where(arrays.owners == 0, 0, (arrays.owners - 1) % len(OWNERS) + 1)
    keys = (arrays.kinds * HEADINGS + headings) * (len(OWNERS) + 1) + owners
    table = np.zeros(len(arrays.kind_names) * HEADINGS * (len(OWNERS) + 1), np.intp)
    table[keys] = 1
    used = np.flatnonzero(table)
    table[used] = np.arange(len(used))
    looks = []
    for key in used.tolist():
        kind_and_heading, owner = divmod(key, len(OWNERS) + 1)
        code, heading = divmod(kind_and_heading, HEADINGS)
        name = arrays.kind_names[code]
        look = Look.of(kinds.get(name), name, owner, heading * 360 / HEADINGS)
        looks.append(look._replace(symbol="", heading=0) if dots else look)
    return looks, table[keys]


def _draw_icon(painter: QPainter, look: Look, size: float) -> None:
    """Draw a pictogram: a light rim, a dark outline, the colour, the symbol."""
    half = size / 2 - 1
    drawn = icon(look.icon)
    enlarged = QTransform.fromScale(half, half)
    outline = enlarged.map(drawn.shape)
    colour = QColor(look.colour)
    line = max(0.8, size / 26)
    if is_sign(look.icon):
        _draw_sign(painter, look, size)
        return
    join = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(outline, QPen(RIM, (3 if size >= LETTERED_ICON_FROM else 2) * line, *join))
    painter.fillPath(outline, colour)
    painter.strokePath(outline, QPen(EDGE, line, *join))
    if look.symbol and size >= LETTERED_ICON_FROM:
        painter.setPen(_ink_on(colour))
        painter.setFont(font(drawn.letter_size * half, bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size).translated(drawn.letter_at * half)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, look.symbol)


def is_sign(name: str) -> bool:
    """Return whether a pictogram has more than one colour."""
    return not icon(name).light.isEmpty()


def _draw_sign(painter: QPainter, look: Look, size: float) -> None:
    """Draw a pictogram of several colours, lit from the north-west; its symbol is on a plate."""
    half = size / 2 - 1
    drawn = icon(look.icon)
    enlarged = QTransform.fromScale(half, half)
    outline = enlarged.map(drawn.shape)
    colour = QColor(look.colour)
    line = max(0.7, size / 34)
    join = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(outline, QPen(RIM, 3 * line, *join))
    lit = QLinearGradient(QPointF(-half, -half), QPointF(half, half))
    lit.setColorAt(0.0, colour.lighter(122))
    lit.setColorAt(0.5, colour)
    lit.setColorAt(1.0, colour.darker(135))
    painter.fillPath(outline, lit)
    if size >= DETAILED_FROM:
        walls = QLinearGradient(QPointF(-half, -half), QPointF(half, half))
        walls.setColorAt(0.0, CREAM)
        walls.setColorAt(1.0, CREAM.darker(128))
        painter.fillPath(enlarged.map(drawn.light), walls)
        painter.fillPath(enlarged.map(drawn.dark), EDGE)
    painter.strokePath(outline, QPen(EDGE, line, *join))
    if look.symbol and size >= SIGN_LETTERED_FROM:
        side = PLATE * size
        plate = QRectF(0, 0, side, side)
        plate.moveBottomRight(QPointF(half + line, half + line))
        painter.setPen(QPen(EDGE, 0.8))
        painter.setBrush(CREAM)
        painter.drawRoundedRect(plate, side / 5, side / 5)
        painter.setPen(QColor(0, 0, 0))
        painter.setFont(font(side * 0.74, bold=True))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, look.symbol)


def _ink_on(colour: QColor) -> QColor:
    """Black or white, whichever can be read on a colour."""
    if colour.lightness() > 100:
        return QColor(0, 0, 0)
    return QColor(255, 255, 255)


def _draw_disc(painter: QPainter, look: Look, size: float) -> None:
    colour = QColor(look.colour)
    ink = _ink_on(colour)
    painter.setBrush(colour)
    painter.setPen(QPen(EDGE, 1.0 if look.symbol else 0.6))
    half = size / 2
    if look.symbol:
        with saved_state(painter):
            painter.rotate(look.heading * 360 / HEADINGS)
            tip = ((0, -half * TIP), (half * 0.5, -half * 0.8), (-half * 0.5, -half * 0.8))
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in tip]))
    painter.drawEllipse(QPointF(), half - 0.5, half - 0.5)
    if look.symbol:
        painter.setPen(ink)
        painter.setFont(font(size * (0.62 if len(look.symbol) == 1 else 0.48), bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, look.symbol)
