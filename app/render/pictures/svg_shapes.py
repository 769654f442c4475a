"""The parts of a picture of a terrain: shapes that QPainter draws, and their colours.

A ``Drawing`` has shapes from the bottom up. Each is a ``Shape``, an outline that is filled with a
*paint* (a colour or a gradient), or the ``Use`` of another drawing, moved and scaled. All are drawn
in the colours of a ``Tint``, or in their own. ``svg_picture`` reads drawings from files.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QGradient,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QRadialGradient,
)

from app.appearance.painting import saved_state
from randomizer.model.basics.caches import KB, registered


class Tint(NamedTuple):
    """A change of colours: a picture that was drawn for one colour is shown for another one.

    Of each of red, green and blue 0 and 255 stay, so that black and white do, and what lies between
    moves with the colour of the picture. Only where the picture was drawn for 0 or 255 itself does
    that value become the target, too.
    """

    drawn_for: tuple[int, int, int]
    """Red, green and blue of the colour for which the picture was drawn."""

    target: tuple[int, int, int]
    """What that colour becomes."""

    @property
    def tables(self) -> tuple[NDArray[np.uint8], ...]:
        """The tinted values of red, green and blue, by the untinted ones: three of shape (256,)."""
        return tuple(
            _table(drawn_for, target)
            for drawn_for, target in zip(self.drawn_for, self.target, strict=True)
        )

    def of(self, colour: QColor) -> QColor:
        """Return the tinted colour."""
        return QColor(
            _tinted(colour.red(), drawn_for=self.drawn_for[0], target=self.target[0]),
            _tinted(colour.green(), drawn_for=self.drawn_for[1], target=self.target[1]),
            _tinted(colour.blue(), drawn_for=self.drawn_for[2], target=self.target[2]),
        )


def _table(drawn_for: int, target: int) -> NDArray[np.uint8]:
    """Return the tinted values of red, green or blue by the untinted ones, shape (256,)."""
    tinted_values = {0: 0, 255: 255}
    tinted_values[drawn_for] = target  # in place of 0 or 255 for a picture in such a colour
    points = sorted(tinted_values.items())
    untinted = [value for value, _tinted_value in points]
    tinted = [tinted_value for _value, tinted_value in points]
    return np.interp(np.arange(256), untinted, tinted).round().astype(np.uint8)


def _tinted(value: int, *, drawn_for: int, target: int) -> int:
    """Return a value of red, green or blue, 0 to 255, after a tint; as ``_table`` has it.

    The tint makes ``target`` of ``drawn_for``, leaves 0 and 255 as they are unless it was drawn for
    one of them, and is linear between.
    """
    if value > drawn_for:
        return 255 - round((255 - value) * (255 - target) / (255 - drawn_for))
    if drawn_for == 0:
        return target
    return round(value * target / drawn_for)


class PlainPaint(NamedTuple):
    """One colour."""

    colour: str
    """Its name or ``#rrggbb``, as QColor reads it."""

    opacity: float
    """From 0 for invisible to 1."""

    def first_colour(self, tint: Tint | None) -> QColor:
        """Return the tinted colour."""
        colour = QColor(self.colour)
        if tint is not None:
            colour = tint.of(colour)
        colour.setAlphaF(self.opacity)
        return colour

    def faded(self, opacity: float) -> PlainPaint:
        """Return the paint with its opacity multiplied."""
        return self._replace(opacity=self.opacity * opacity)

    def brush(self, tint: Tint | None) -> QBrush:
        """Return the brush of the tinted colour."""
        return QBrush(self.first_colour(tint))


class Stop(NamedTuple):
    """A colour of a gradient."""

    position: float
    """Where it lies on the gradient, from 0 to 1."""

    paint: PlainPaint
    """The colour and its opacity."""


class Line(NamedTuple):
    """From where to where the colours of a gradient change, in a straight line."""

    start: tuple[float, float]
    """The point (x, y) of the first colour."""

    end: tuple[float, float]
    """The point of the last colour."""


class Circle(NamedTuple):
    """From where to where the colours of a gradient change, from inside to outside."""

    centre: tuple[float, float]
    """The point (x, y) of the first colour."""

    radius: float
    """How far from it the last colour lies."""


class Gradient(NamedTuple):
    """Colours that pass into one another."""

    stops: tuple[Stop, ...]
    """The colours, in the order of their positions."""

    extent: Line | Circle
    """Where they lie."""

    is_in_box: bool
    """True if coordinates are shares of the bounding box of the shape, not units of the file."""

    def first_colour(self, tint: Tint | None) -> QColor:
        """Return the colour at the start of the gradient, tinted."""
        return self.stops[0].paint.first_colour(tint)

    def faded(self, opacity: float) -> Gradient:
        """Return the paint with all opacities multiplied."""
        stops = [stop._replace(paint=stop.paint.faded(opacity)) for stop in self.stops]
        return self._replace(stops=tuple(stops))

    def brush(self, tint: Tint | None) -> QBrush:
        """Return the brush with all colours tinted."""
        gradient: QGradient
        if isinstance(self.extent, Circle):
            gradient = QRadialGradient(QPointF(*self.extent.centre), self.extent.radius)
        else:
            start = QPointF(*self.extent.start)
            gradient = QLinearGradient(start, QPointF(*self.extent.end))
        if self.is_in_box:
            gradient.setCoordinateMode(QGradient.CoordinateMode.ObjectBoundingMode)
        for stop in self.stops:
            gradient.setColorAt(stop.position, stop.paint.first_colour(tint))
        return QBrush(gradient)


Paint = PlainPaint | Gradient
"""What a shape is filled or drawn with."""


@registered(bytes_each=1 * KB)
@lru_cache(1000)
def _brush(paint: Paint, tint: Tint | None) -> QBrush:
    """Return the brush of a paint, with all colours tinted.

    Pictures consist of thousands of shapes in the same few hundred paints.
    """
    return paint.brush(tint)


class Stroke(NamedTuple):
    """A line along an outline."""

    paint: Paint
    """The colour of the line, or the gradient along it."""

    width: float
    """Its width, in the unit of the file."""


class Shape(NamedTuple):
    """A path that is filled, or drawn along its line, or both."""

    path: QPainterPath
    """The outline, in the unit of the file."""

    fill: Paint | None
    """What it is filled with; None if it is not."""

    stroke: Stroke | None
    """The line along it; None if there is none."""

    box: QRectF
    """The area that it may cover, in the unit of the file."""

    @classmethod
    def of_path(cls, path: QPainterPath, fill: Paint | None, stroke: Stroke | None) -> Shape:
        """Return the shape of a path, with its box."""
        box = path.boundingRect()
        if stroke is not None:
            reach = stroke.width / 2
            box = box.adjusted(-reach, -reach, reach, reach)
        return cls(path, fill, stroke, box)

    def scaled_use(self, scale: float) -> Use:
        """Return what draws the shape ``scale`` times as large."""
        return Use(Drawing([self]), x=0.0, y=0.0, scale=scale, is_mirrored=False)

    def draw(self, painter: QPainter, tint: Tint | None) -> None:
        """Draw with the painter's unit as the unit of the file."""
        if self.fill is not None:
            painter.fillPath(self.path, _brush(self.fill, tint))
        if self.stroke is not None:
            join = Qt.PenJoinStyle.RoundJoin
            cap = Qt.PenCapStyle.RoundCap
            brush = _brush(self.stroke.paint, tint)
            pen = QPen(brush, self.stroke.width, Qt.PenStyle.SolidLine, cap, join)
            painter.strokePath(self.path, pen)


class Use(NamedTuple):
    """A drawing of another group, scaled and then moved to (x, y)."""

    drawing: Drawing
    """What is drawn."""

    x: float
    """Where the origin of the other group lies, in the unit of the file."""

    y: float
    """How far down it lies."""

    scale: float
    """How many times as large it is drawn."""

    is_mirrored: bool
    """True if it is mirrored, left to right, before it is moved."""

    def scaled_use(self, scale: float) -> Use:
        """Return the same use, ``scale`` times as large and as far from the origin."""
        return self._replace(x=self.x * scale, y=self.y * scale, scale=self.scale * scale)

    @property
    def box(self) -> QRectF:
        """The area that it may cover, in the unit of the file."""
        box = self.drawing.box
        left = box.left()
        if self.is_mirrored:
            left = -box.right()
        return QRectF(
            left * self.scale + self.x,
            box.top() * self.scale + self.y,
            box.width() * self.scale,
            box.height() * self.scale,
        )

    def draw(self, painter: QPainter, tint: Tint | None) -> None:
        """Draw with the painter's unit as the unit of the file."""
        with saved_state(painter):
            painter.translate(self.x, self.y)
            if self.is_mirrored:
                painter.scale(-1.0, 1.0)
            painter.scale(self.scale, self.scale)
            self.drawing.draw(painter, tint)


class Drawing:
    """The shapes of one group, from the bottom up."""

    def __init__(self, shapes: Sequence[Shape | Use]) -> None:
        self.shapes = tuple(shapes)
        """What is drawn, from the bottom up."""

    @cached_property
    def box(self) -> QRectF:
        """The box around all shapes, in the unit of the file."""
        box = QRectF()
        for shape in self.shapes:
            box = box.united(shape.box)
        return box

    @cached_property
    def without_first_shape(self) -> Drawing:
        """The same without its lowest shape, which in some groups is a plain background."""
        return Drawing(self.shapes[1:])

    def first_colour(self, tint: Tint | None) -> QColor:
        """Return the colour in which the first shape is filled; black if it is not.

        There must be a shape.
        """
        first = self.shapes[0]
        while isinstance(first, Use):
            first = first.drawing.shapes[0]
        if first.fill is None:
            return QColor()
        return first.fill.first_colour(tint)

    def draw(self, painter: QPainter, tint: Tint | None = None) -> None:
        """Draw all shapes with the painter's unit as the unit of the file."""
        for shape in self.shapes:
            shape.draw(painter, tint)

    @cached_property
    def _extents(self) -> tuple[tuple[float, float, float, float], ...]:
        """The left, right, top and bottom end of each shape.

        They are stored because ``draw_repeated`` asks for them each time.
        """
        boxes = (shape.box for shape in self.shapes)
        return tuple((box.left(), box.right(), box.top(), box.bottom()) for box in boxes)

    def draw_repeated(
        self, painter: QPainter, box: QRectF, period: float, tint: Tint | None
    ) -> None:
        """Draw what lies in ``box`` of the plane that this drawing covers again and again.

        ``period`` is the distance to the right and downwards of its copies. The order of shapes is
        that of the drawing everywhere, so that any two boxes agree where they meet.
        """
        for shape, extent in zip(self.shapes, self._extents, strict=True):
            left, right, top, bottom = extent
            shifts_down = _shifts_into(box.top(), box.bottom(), top, bottom, period)
            for dx in _shifts_into(box.left(), box.right(), left, right, period):
                for dy in shifts_down:
                    if dx or dy:
                        painter.translate(dx, dy)
                        shape.draw(painter, tint)
                        painter.translate(-dx, -dy)
                    else:  # most shapes are not moved, and the two calls would take time
                        shape.draw(painter, tint)


def _shifts_into(start: float, end: float, low: float, high: float, period: float) -> list[float]:
    """Return the multiples of ``period`` by which [low, high] moves so that it meets [start, end].

    A shape from 1 to 2 that is repeated with a period of 10 meets [20, 40] moved by 20 and by 30.
    """
    shifts = []
    shift = -((high - start) // period) * period  # the first that brings its end past the start
    while low + shift < end:
        shifts.append(shift)
        shift += period
    return shifts
