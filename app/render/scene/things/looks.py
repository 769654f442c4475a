"""Looks: the drawings of things, as pictograms or as discs.

A kind with an icon has a *pictogram*, a shape of ``pictograms``; one with light and dark areas is
*shaded*. Other kinds have a *disc* with a symbol and a tip that shows where the thing heads. What
is too small for its shape is a dot. All lie around (0, 0), and their sizes are logical pixels:

    Look.of(kind, kind.name, owner=2, angle=90.0).draw(painter, size=24.0)

``things`` makes the looks of the things of a map; begin with ``Look``.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from app.appearance.painting import painting, saved_state
from app.render.scene.icons import font
from app.render.scene.things.pictograms import icon
from randomizer.model.things.thing_kind import UNKNOWN_COLOUR, ThingKind, initial

OWNERS: tuple[str, ...] = (
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

# --- plain pictograms ---------------------------------------------------------------------------

SHAPED_FROM = 9.0
"""Plain pictograms of this width or more show their shape; smaller ones are dots."""

LETTERED_ICON_FROM = 14.0
"""Plain pictograms of this width or more have a symbol, and any a badge that can be read."""

PLAIN_LINES = 26
"""The outline of a plain pictogram is a so manyth of its width, at least ``MIN_PLAIN_LINE``."""

MIN_PLAIN_LINE = 0.8
"""The least width of this outline, in logical pixels."""

# --- shaded pictograms --------------------------------------------------------------------------

SHADED_SHAPED_FROM = 5.0
"""As ``SHAPED_FROM``, of shaded pictograms, which are told apart even as small as that."""

SHADES_FROM = 12.0
"""Shaded pictograms of this width or more show their light and dark areas."""

SHADED_LETTERED_FROM = 24.0
"""Shaded pictograms of this width or more have a small plate with their symbol.

Smaller ones are told apart by their shapes alone.
"""

SHADED_LINES = 34
"""The outline of a shaded pictogram is a so manyth of its width, at least ``MIN_SHADED_LINE``."""

MIN_SHADED_LINE = 0.7
"""The least width of this outline, in logical pixels."""

LIT = 122
"""How much lighter than its colour a pictogram is in the north-west (``QColor.lighter``)."""

SHADED = 135
"""How much darker it is in the south-east (``QColor.darker``)."""

SHADED_CREAM = 128
"""How much darker its light areas are there."""

PLATE_LETTER = 0.74
"""The type size of the symbol on the plate, as a share of the plate's side."""

PLATE_LINE = 0.8
"""The width of the line around the plate."""

PLATE = 0.36
"""The width and height of this plate, as a share of the pictogram's width."""

CREAM = QColor("#f6eedb")
"""The colour of light areas and of the plate."""

# --- discs --------------------------------------------------------------------------------------

LETTERED_FROM = 11.0
"""Discs of this diameter or more have a symbol on a screen, where ``things`` makes dots of smaller
ones; on paper all have."""

DOT_LINE = 0.6
"""The width of the line around a dot."""

TIP_BASE = (0.5, 0.8)
"""How far from the middle the two corners of the tip's base lie, to the side and forwards, in radii
of the disc: within the disc, which is drawn over them."""

# --- colours and letters ------------------------------------------------------------------------

RIM = QColor(255, 255, 255, 190)
"""The colour around pictograms, to be seen on dark ground."""

EDGE = QColor(20, 20, 20, 220)
"""The colour of outlines, to be seen on light ground."""

BLACK = QColor(0, 0, 0)
"""The colour of letters on a light ground."""

WHITE = QColor(255, 255, 255)
"""The colour of letters on a dark ground, and of badges."""

LIGHT_ABOVE = 100
"""Colours of a lightness above this (of 255) have black letters, the others white ones."""

RIM_PIXEL = 1.0
"""A pictogram leaves so many pixels of its square free at each side, for its rim."""

LETTER_SHARE = 0.62
"""The type size of a symbol of one letter, in diameters of its disc."""

TWO_LETTERS_SHARE = 0.48
"""The type size of a symbol of two letters: both have to find room on the disc."""

HEADINGS = 16
"""The number of directions in which a disc may point."""

TIP = 1.45
"""How far the tip of a disc reaches, in radii of the disc."""

PICTURE_MARGIN = 1
"""The empty rim of ``Look.picture``, in logical pixels."""


class Look(NamedTuple):
    """The look of a thing; equal looks are drawn once and shown at many points."""

    symbol: str
    """One or two letters; "" for none."""

    colour: str
    """The colour, as #rrggbb: that of the owner or of the kind."""

    heading: int
    """The direction of the tip, clockwise from the top, in 1/``HEADINGS`` of a turn. Pictograms do
    not show it."""

    icon: str = ""
    """The name of the pictogram (``ThingKind.icon``); "" for a disc."""

    size: float = 1.0
    """The thing's width, in widths of usual kinds (``ThingKind.size``)."""

    @classmethod
    def of(cls, kind: ThingKind | None, name: str, owner: int, angle: float) -> Look:
        """Return the look of a thing whose kind is called ``name``; ``kind`` is None if unknown.

        ``owner`` is 0 for nobody, ``angle`` is in degrees clockwise from the top.
        """
        colour = colour_of(kind, owner)
        if kind is not None and kind.icon:
            return cls(kind.symbol, colour, heading=0, icon=kind.icon, size=kind.size)
        symbol = ""
        if kind is not None:
            symbol = kind.symbol
        heading = round(angle / (360 / HEADINGS)) % HEADINGS
        return cls(symbol or initial(name), colour, heading)

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the look of a thing of which usual kinds are ``size`` wide.

        A pictogram fills a square; a disc that has a symbol reaches out of it with its tip.
        """
        width = size * self.size
        if self._shows_shape(width):
            _draw_pictogram(painter, self, width)
        elif self.icon:
            _draw_dot(painter, self, width)
        elif self.symbol:
            _draw_disc(painter, self, width)
        else:
            _draw_dot(painter, self, width)

    def picture(self, side: int, ratio: float) -> QPixmap:
        """Return a picture of the look for a list or a tool bar, ``side`` logical pixels wide.

        All looks fill it, whatever the size of the kind. ``ratio`` is that of physical to logical
        pixels.
        """
        picture = QPixmap(QSize(side, side) * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        size = side - 2.0 * PICTURE_MARGIN
        if not self.icon:
            size /= TIP  # the tip reaches out of the disc
        with painting(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(side / 2, side / 2)
            self._replace(size=1.0).draw(painter, size)
        return picture

    def _shows_shape(self, width: float) -> bool:
        """Return whether the shape of the pictogram can be made out at this width."""
        if not self.icon:
            return False
        if is_shaded(self.icon):
            return width >= SHADED_SHAPED_FROM
        return width >= SHAPED_FROM


def colour_of(kind: ThingKind | None, owner: int) -> str:
    """Return the colour of a thing: its owner's, that of its kind if ``owner`` is 0 (nobody).

    Owners beyond the last colour have those of the first ones again.
    """
    if owner == 0:
        if kind is None:
            return UNKNOWN_COLOUR
        return kind.colour
    colours = OWNERS
    if kind is not None and kind.owner_colours:
        colours = kind.owner_colours
    return colours[(owner - 1) % len(colours)]


def is_shaded(name: str) -> bool:
    """Return whether a pictogram has light and dark areas."""
    return not icon(name).light.isEmpty()


def _draw_pictogram(painter: QPainter, look: Look, width: float) -> None:
    """Draw the pictogram of a look in a square of this width."""
    if is_shaded(look.icon):
        _draw_shaded_pictogram(painter, look, width)
    else:
        _draw_plain_pictogram(painter, look, width)


def _draw_plain_pictogram(painter: QPainter, look: Look, width: float) -> None:
    """Draw a pictogram of one colour: a light rim, the colour, a dark outline, the symbol."""
    half = width / 2 - RIM_PIXEL
    shapes = icon(look.icon)
    outline = QTransform.fromScale(half, half).map(shapes.shape)
    colour = QColor(look.colour)
    line_width = max(MIN_PLAIN_LINE, width / PLAIN_LINES)
    is_lettered = width >= LETTERED_ICON_FROM

    rim_lines = 2  # half of the rim lies below the shape
    if is_lettered:
        rim_lines = 3
    _draw_outline(painter, outline, RIM, rim_lines * line_width)
    painter.fillPath(outline, colour)
    _draw_outline(painter, outline, EDGE, line_width)
    if look.symbol and is_lettered:
        box = box_around(shapes.letter_at * half, width)
        draw_letters(painter, look.symbol, box, shapes.letter_size * half, _ink_on(colour))


def _draw_shaded_pictogram(painter: QPainter, look: Look, width: float) -> None:
    """Draw a pictogram with light and dark areas, lit from the north-west.

    It has a light rim, a dark outline, and its symbol on a plate at the lower right.
    """
    half = width / 2 - RIM_PIXEL
    shapes = icon(look.icon)
    enlarged = QTransform.fromScale(half, half)
    outline = enlarged.map(shapes.shape)
    colour = QColor(look.colour)
    line_width = max(MIN_SHADED_LINE, width / SHADED_LINES)

    _draw_outline(painter, outline, RIM, 3 * line_width)
    lit = _diagonal_gradient(half)
    lit.setColorAt(0.0, colour.lighter(LIT))
    lit.setColorAt(0.5, colour)
    lit.setColorAt(1.0, colour.darker(SHADED))
    painter.fillPath(outline, lit)

    if width >= SHADES_FROM:
        light = _diagonal_gradient(half)
        light.setColorAt(0.0, CREAM)
        light.setColorAt(1.0, CREAM.darker(SHADED_CREAM))
        painter.fillPath(enlarged.map(shapes.light), light)
        painter.fillPath(enlarged.map(shapes.dark), EDGE)
    _draw_outline(painter, outline, EDGE, line_width)

    if look.symbol and width >= SHADED_LETTERED_FROM:
        side = PLATE * width
        plate = QRectF(0, 0, side, side)
        plate.moveBottomRight(QPointF(half + line_width, half + line_width))
        painter.setPen(QPen(EDGE, PLATE_LINE))
        painter.setBrush(CREAM)
        painter.drawRoundedRect(plate, side / 5, side / 5)
        draw_letters(painter, look.symbol, plate, side * PLATE_LETTER, BLACK)


def _diagonal_gradient(half: float) -> QLinearGradient:
    """Return a gradient without colours, from the north-west to the south-east of a square."""
    return QLinearGradient(QPointF(-half, -half), QPointF(half, half))


def _draw_outline(painter: QPainter, outline: QPainterPath, colour: QColor, width: float) -> None:
    """Draw a line of this width, with round corners, along an outline."""
    pen = QPen(
        colour,
        width,
        Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap,
        Qt.PenJoinStyle.RoundJoin,
    )
    painter.strokePath(outline, pen)


def _draw_dot(painter: QPainter, look: Look, width: float) -> None:
    """Draw a dot, which says no more than that there is something."""
    radius = width / 2 - 0.5
    painter.setBrush(QColor(look.colour))
    painter.setPen(QPen(EDGE, DOT_LINE))
    painter.drawEllipse(QPointF(), radius, radius)


def _draw_disc(painter: QPainter, look: Look, width: float) -> None:
    """Draw a disc with a symbol, and a tip that points where the thing heads."""
    colour = QColor(look.colour)
    half = width / 2
    painter.setBrush(colour)
    painter.setPen(QPen(EDGE, 1.0))
    with saved_state(painter):
        painter.rotate(look.heading * 360 / HEADINGS)
        # A triangle; the disc is drawn over its base.
        to_side = half * TIP_BASE[0]
        forwards = half * TIP_BASE[1]
        tip = ((0, -half * TIP), (to_side, -forwards), (-to_side, -forwards))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in tip]))
    painter.drawEllipse(QPointF(), half - 0.5, half - 0.5)
    type_size = width * LETTER_SHARE
    if len(look.symbol) > 1:
        type_size = width * TWO_LETTERS_SHARE
    draw_letters(painter, look.symbol, box_around(QPointF(), width), type_size, _ink_on(colour))


def box_around(point: QPointF, width: float) -> QRectF:
    """Return a box around a point of a thing that has room for any of its texts."""
    return QRectF(-width, -width, 2 * width, 2 * width).translated(point)


def draw_letters(painter: QPainter, text: str, box: QRectF, type_size: float, ink: QColor) -> None:
    """Draw bold letters in the middle of a box, which may be larger than the text."""
    painter.setPen(ink)
    painter.setFont(font(type_size, bold=True))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _ink_on(colour: QColor) -> QColor:
    """Return black or white, whichever can be read on a colour."""
    if colour.lightness() > LIGHT_ABOVE:
        return BLACK
    return WHITE
