"""Draws placed things: a disc or a pictogram in a colour, with a symbol; dots at small scales."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF, QTransform

from app.appearance.painting import painting, saved_state
from app.render.overlays.lettering import font
from app.render.overlays.thing_icons import icon
from app.render.overlays.thing_loads import KeptLoads
from app.render.raster.fragments import draw_parts
from randomizer.model.kinds_on_map import known_kinds
from randomizer.model.thing_index import ThingArrays
from randomizer.model.thing_kind import UNKNOWN_COLOUR, initial
from randomizer.model.things_at import shown_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from app.render.viewport import Viewport
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.thing_kind import ThingKind

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

LEAST_IN_CELL, LEAST_FREE = 5.0, 3.0
"""The least width of things that stand in cells, and of those that stand anywhere."""

SHAPED_FROM = 9.0
"""Pictograms of this width or more show their shape; smaller ones are dots."""

LETTERED_FROM = 11.0
"""Discs of this diameter (logical pixels) or more have a symbol."""

LETTERED_ICON_FROM = 14.0
"""Pictograms of this width or more have a symbol."""

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

MOST_SPRITES = 2000
MOST_ATLASES = 4
"""More sprites of one size, and more sizes, are not kept."""


def diameter(battlemap: BattleMap, scale: float) -> float:
    """The diameter of the things of a map in logical pixels; larger where they are pictograms."""
    room = scale * (0.9 if battlemap.grid.degree == 6 else 0.7)
    least = LEAST_IN_CELL if battlemap.system.thing_rules.in_cells else LEAST_FREE
    if any(kind.icon for kind in known_kinds(battlemap)):
        return min(LARGEST_ICON, max(least, room * ICON_SHARE))
    return min(LARGEST, max(least, room))


def largest_size(battlemap: BattleMap) -> float:
    """The size (``ThingKind.size``) of the largest kind of a map, at least 1."""
    return max([1.0, *(kind.size for kind in known_kinds(battlemap))])


def ring_radius(battlemap: BattleMap, scale: float) -> float:
    """The radius of the ring around a picked thing, in logical pixels: outside its tip."""
    size = diameter(battlemap, scale)
    share = max(largest_size(battlemap), TIP if size >= LETTERED_FROM else 1.0)
    return size / 2 * share + RING / 2


def thing_reach(battlemap: BattleMap, scale: float) -> float:
    """How far from its point a thing with its ring may be seen, in logical pixels."""
    return ring_radius(battlemap, scale) + RING / 2 + 1


class Look(NamedTuple):
    """What a thing looks like. ``heading``: clockwise from the top, in 1/``HEADINGS`` of a turn.

    ``icon`` and ``size`` are as in ``ThingKind``; pictograms do not show a heading.
    """

    symbol: str
    colour: str
    heading: int
    icon: str = ""
    size: float = 1.0

    @classmethod
    def of(cls, kind: ThingKind | None, name: str, owner: int, angle: float) -> Look:
        """The look of a thing whose kind is called ``name`` (``kind`` None: an unknown one)."""
        if kind is not None and kind.icon:
            return cls(kind.symbol, colour_of(kind, owner), 0, kind.icon, kind.size)
        symbol = (kind.symbol if kind is not None else "") or initial(name)
        heading = round(angle / (360 / HEADINGS)) % HEADINGS
        return cls(symbol, colour_of(kind, owner), heading)


def colour_of(kind: ThingKind | None, owner: int) -> str:
    """The colour of a thing: its owner's, that of its kind if it belongs to nobody."""
    if owner:
        colours = OWNERS if kind is None else kind.owner_colours or OWNERS
        return colours[(owner - 1) % len(colours)]
    return UNKNOWN_COLOUR if kind is None else kind.colour


class SpriteAtlas:
    """Things on one pixmap, drawn when they are first asked for.

    ``size`` is the diameter of usual ones in logical pixels, ``largest`` the size of the largest
    kind (``ThingKind.size``), ``side`` the width and height of a sprite in device pixels.
    """

    COLUMNS = 16

    def __init__(self, size: float, ratio: float, largest: float = 1.0) -> None:
        self.size = size
        self._ratio = ratio
        self._lettered = size >= LETTERED_FROM
        self.side = ceil((size * max(largest, TIP if self._lettered else 1.0) + 3) * ratio)
        self.pixmap = QPixmap()
        self._numbers: dict[Look, int] = {}

    def number(self, look: Look) -> int:
        """The number of a sprite on the pixmap."""
        if not self._lettered:
            look = Look("", look.colour, 0, look.icon, look.size)
        number = self._numbers.get(look)
        if number is None:
            number = self._numbers[look] = len(self._numbers)
            self._draw(number, look)
        return number

    def sources(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """The left top corners of sprites on the pixmap, shape (n, 2)."""
        rows, columns = np.divmod(numbers, self.COLUMNS)
        return np.stack([columns, rows], axis=1) * float(self.side)

    @property
    def is_full(self) -> bool:
        """Whether there are so many sprites that they are better drawn again."""
        return len(self._numbers) > MOST_SPRITES

    def _draw(self, number: int, look: Look) -> None:
        row, column = divmod(number, self.COLUMNS)
        if (row + 1) * self.side > self.pixmap.height():
            self._grow(max(1, 2 * row))
        with painting(self.pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate((column + 0.5) * self.side, (row + 0.5) * self.side)
            painter.scale(self._ratio, self._ratio)
            draw_thing(painter, look, self.size)

    def _grow(self, rows: int) -> None:
        before = self.pixmap
        self.pixmap = QPixmap(self.COLUMNS * self.side, rows * self.side)
        self.pixmap.fill(Qt.GlobalColor.transparent)
        if not before.isNull():
            with painting(self.pixmap) as painter:
                painter.drawPixmap(0, 0, before)


class ThingOverlay:
    """Draws things in the order of the layers, in a layer in the order of their ids.

    What is carried is not drawn: its carrier shows how much it carries.
    """

    def __init__(self) -> None:
        self._atlases: dict[tuple[float, float, float], SpriteAtlas] = {}
        self._loads = KeptLoads()

    def paint(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
        *,
        translucent: bool = False,
    ) -> None:
        """Draw the things in ``dirty`` (logical pixels); the painter's unit is a device pixel.

        ``translucent``: layers have their opacity.
        """
        layers = [layer for layer in battlemap.layers if layer.visible and layer.things]
        if not layers:
            return
        size = diameter(battlemap, viewport.scale)
        atlas = self._atlas(size, ratio, largest_size(battlemap))
        reach = atlas.side / ratio / 2 + 1
        near = dirty.adjusted(-reach, -reach, reach, reach)
        box = (*viewport.to_map(near.topLeft()), *viewport.to_map(near.bottomRight()))
        kinds = {kind.name: kind for kind in known_kinds(battlemap)}
        loads = self._loads.of(battlemap)
        for layer in layers:
            arrays = _without(shown_within(battlemap.grid, layer.things, *box), loads.carried)
            if len(arrays.ids):
                numbers = _numbers(atlas, arrays, kinds)
                offset = np.array((viewport.dx, viewport.dy)) * ratio
                at = arrays.points * (viewport.scale * ratio) + offset
                corners = np.floor(at - (atlas.side / 2 - 0.5))
                side = (atlas.side, atlas.side)
                with saved_state(painter):
                    painter.setOpacity(layer.opacity if translucent else 1.0)
                    draw_parts(painter, atlas.pixmap, side, atlas.sources(numbers), corners)
                    if loads.numbers and atlas.size >= LETTERED_ICON_FROM:
                        _paint_loads(painter, arrays.ids, at, loads.numbers, atlas.size, ratio)

    def _atlas(self, size: float, ratio: float, largest: float) -> SpriteAtlas:
        """The sprites of a size; those of the last few sizes are kept."""
        atlas = self._atlases.pop((size, ratio, largest), None)
        if atlas is None or atlas.is_full:
            atlas = SpriteAtlas(size, ratio, largest)
        self._atlases[size, ratio, largest] = atlas
        while len(self._atlases) > MOST_ATLASES:
            del self._atlases[next(iter(self._atlases))]
        return atlas


def _without(arrays: ThingArrays, carried: frozenset[int]) -> ThingArrays:
    """The things that nothing carries."""
    if not carried:
        return arrays
    shown = np.array([thing_id not in carried for thing_id in arrays.ids.tolist()], np.bool_)
    return arrays.some(shown)


def _paint_loads(
    painter: QPainter,
    ids: NDArray[np.int64],
    at: NDArray[np.float64],
    numbers: Mapping[int, int],
    size: float,
    ratio: float,
) -> None:
    """Draw the badges of things at places (n, 2) in device pixels, the painter's unit."""
    for thing_id, (x, y) in zip(ids.tolist(), at.tolist(), strict=True):
        if thing_id in numbers:
            with saved_state(painter):
                painter.translate(x, y)
                painter.scale(ratio, ratio)
                draw_load(painter, numbers[thing_id], size)


def _numbers(
    atlas: SpriteAtlas, arrays: ThingArrays, kinds: Mapping[str, ThingKind]
) -> NDArray[np.int64]:
    """The number of the sprite of each thing, shape (n,)."""
    headings = np.rint(arrays.angles / (360 / HEADINGS)).astype(np.int64) % HEADINGS
    owners = np.where(arrays.owners == 0, 0, (arrays.owners - 1) % len(OWNERS) + 1)
    keys = (arrays.kinds * HEADINGS + headings) * (len(OWNERS) + 1) + owners
    table = np.full(len(arrays.kind_names) * HEADINGS * (len(OWNERS) + 1), -1, np.int64)
    table[keys] = 0
    for key in np.flatnonzero(table == 0).tolist():
        rest, owner = divmod(key, len(OWNERS) + 1)
        code, heading = divmod(rest, HEADINGS)
        name = arrays.kind_names[code]
        angle = heading * 360 / HEADINGS
        table[key] = atlas.number(Look.of(kinds.get(name), name, owner, angle))
    numbers: NDArray[np.int64] = table[keys]
    return numbers


def draw_thing(painter: QPainter, look: Look, size: float) -> None:
    """Draw a thing around (0, 0): a pictogram in a square of ``size``, or a disc so wide.

    ``size`` is that of usual kinds. A disc with a symbol has a tip, which points.
    """
    size *= look.size
    if look.icon and size >= SHAPED_FROM:
        _draw_icon(painter, look, size)
    else:
        _draw_disc(painter, look, size)


def _draw_icon(painter: QPainter, look: Look, size: float) -> None:
    """Draw a pictogram: a light rim, a dark outline, the colour, the symbol."""
    half = size / 2 - 1
    shape, at, letter_size = icon(look.icon)
    outline = QTransform.fromScale(half, half).map(shape)
    colour = QColor(look.colour)
    line = max(0.8, size / 26)
    join = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(outline, QPen(RIM, (3 if size >= LETTERED_ICON_FROM else 2) * line, *join))
    painter.fillPath(outline, colour)
    painter.strokePath(outline, QPen(EDGE, line, *join))
    if look.symbol and size >= LETTERED_ICON_FROM:
        painter.setPen(_ink_on(colour))
        painter.setFont(font(letter_size * half, bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size).translated(at * half)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, look.symbol)


def draw_load(painter: QPainter, number: int, size: float) -> None:
    """Draw a badge on a thing of a ``size`` around (0, 0): how many others it carries."""
    radius = max(5.0, size * 0.2)
    painter.translate(size / 2 - radius * 0.8, radius * 0.8 - size / 2)
    painter.setPen(QPen(EDGE, max(0.8, size / 40)))
    painter.setBrush(QColor(255, 255, 255))
    painter.drawEllipse(QPointF(), radius, radius)
    painter.setPen(QColor(0, 0, 0))
    painter.setFont(font(radius * (1.5 if number < 10 else 1.1), bold=True))
    box = QRectF(-size, -size, 2 * size, 2 * size)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(min(number, 99)))


def _ink_on(colour: QColor) -> QColor:
    """Black or white, whichever can be read on a colour."""
    return QColor(0, 0, 0) if colour.lightness() > 100 else QColor(255, 255, 255)


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
