"""Reads the SVG files of our terrain pictures into shapes that QPainter draws.

Our files (``packaging/pictures/pen.py`` writes them) use little of SVG: groups of paths, ellipses
and ``use``, filled with colours and gradients. Reading them here and not with QtSvg lets us draw
only the shapes that lie in a box, change their colours, and repeat grounds over a map.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from xml.etree import ElementTree

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


class Tint(NamedTuple):
    """Colours of a picture that was drawn for a terrain of the colour ``own``, as if for ``shown``.

    Both are red, green and blue. Black and white stay, the others move with ``own``.
    """

    own: tuple[int, int, int]
    shown: tuple[int, int, int]

    @property
    def tables(self) -> tuple[NDArray[np.uint8], ...]:
        """Red, green and blue (256,) after the tint, by what they are before."""
        parts = np.arange(256)
        return tuple(
            np.interp(parts, (0, own, 255), (0, shown, 255)).round().astype(np.uint8)
            for own, shown in zip(self.own, self.shown, strict=True)
        )

    def of(self, colour: QColor) -> QColor:
        """Return the tinted colour."""
        parts = zip((colour.red(), colour.green(), colour.blue()), *self, strict=True)
        return QColor(*(_moved(part, own, shown) for part, own, shown in parts))


def _moved(part: int, own: int, shown: int) -> int:
    if part <= own:
        if own:
            return round(part * shown / own)
        return shown
    return 255 - round((255 - part) * (255 - shown) / (255 - own))


_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")


class Stop(NamedTuple):
    """A colour of a gradient at ``place`` (0 to 1)."""

    place: float
    colour: str
    opacity: float


class Paint(NamedTuple):
    """A plain colour, or a gradient: linear from (x, y) to (x2, y2), or round if ``radius``.

    ``boxed``: its coordinates are shares of the bounding box of the shape.
    """

    stops: tuple[Stop, ...]
    x: float = 0.0
    y: float = 0.0
    x2: float = 0.0
    y2: float = 0.0
    radius: float = 0.0
    boxed: bool = False

    def brush(self, tint: Tint | None) -> QBrush:
        """Return the brush with all colours tinted."""
        if len(self.stops) == 1:
            return QBrush(_colour(self.stops[0], tint))
        gradient: QGradient
        if self.radius:
            gradient = QRadialGradient(self.x, self.y, self.radius)
        else:
            gradient = QLinearGradient(self.x, self.y, self.x2, self.y2)
        if self.boxed:
            gradient.setCoordinateMode(QGradient.CoordinateMode.ObjectBoundingMode)
        for stop in self.stops:
            gradient.setColorAt(stop.place, _colour(stop, tint))
        return QBrush(gradient)


def _colour(stop: Stop, tint: Tint | None) -> QColor:
    colour = QColor(stop.colour)
    if tint is not None:
        colour = tint.of(colour)
    colour.setAlphaF(stop.opacity)
    return colour


class Shape(NamedTuple):
    """A path that is filled, or drawn along its line (``width`` > 0), or both."""

    path: QPainterPath
    box: QRectF
    fill: Paint | None
    line: Paint | None
    width: float

    def scaled(self, scale: float) -> Use:
        """Return the shape in another unit."""
        return Use(Drawing([self]), 0.0, 0.0, scale, False)

    def draw(self, painter: QPainter, tint: Tint | None) -> None:
        """Draw with the painter's unit as the unit of the file."""
        if self.fill is not None:
            painter.fillPath(self.path, self.fill.brush(tint))
        if self.line is not None:
            join = Qt.PenJoinStyle.RoundJoin
            cap = Qt.PenCapStyle.RoundCap
            pen = QPen(self.line.brush(tint), self.width, Qt.PenStyle.SolidLine, cap, join)
            painter.strokePath(self.path, pen)


class Use(NamedTuple):
    """Another drawing, scaled and moved to (x, y); ``flip`` mirrors left and right."""

    drawing: Drawing
    x: float
    y: float
    scale: float
    flip: bool

    def scaled(self, scale: float) -> Use:
        """Return the same in another unit."""
        return Use(self.drawing, self.x * scale, self.y * scale, self.scale * scale, self.flip)

    @property
    def box(self) -> QRectF:
        """The area that it may cover, in the unit of the file."""
        box = self.drawing.box
        left = -box.right() if self.flip else box.left()
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
            painter.scale(-self.scale if self.flip else self.scale, self.scale)
            self.drawing.draw(painter, tint)


class Drawing:
    """The shapes of one group, from the bottom up."""

    def __init__(self, parts: Sequence[Shape | Use]) -> None:
        self.parts = tuple(parts)

    @cached_property
    def box(self) -> QRectF:
        """The box around all shapes, in the unit of the file."""
        box = QRectF()
        for part in self.parts:
            box = box.united(part.box)
        return box

    @cached_property
    def rest(self) -> Drawing:
        """All but the first shape."""
        return Drawing(self.parts[1:])

    def first_colour(self, tint: Tint | None) -> QColor:
        """Return the colour in which the first shape is filled; black if it is not."""
        first = self.parts[0]
        while isinstance(first, Use):
            first = first.drawing.parts[0]
        if first.fill is None:
            return QColor()
        return _colour(first.fill.stops[0], tint)

    def draw(self, painter: QPainter, tint: Tint | None = None) -> None:
        """Draw all shapes with the painter's unit as the unit of the file."""
        for part in self.parts:
            part.draw(painter, tint)

    @cached_property
    def _ends(self) -> tuple[tuple[float, float, float, float], ...]:
        """The left, right, top and bottom end of each part."""
        boxes = (part.box for part in self.parts)
        return tuple((box.left(), box.right(), box.top(), box.bottom()) for box in boxes)

    def draw_repeated(
        self, painter: QPainter, box: QRectF, period: float, tint: Tint | None
    ) -> None:
        """Draw what lies in ``box`` of the plane that this drawing covers again and again.

        ``period`` is the distance to the right and downwards of its copies. The order of shapes is
        that of the drawing everywhere, so that any two boxes agree where they meet.
        """
        left = box.left()
        right = box.right()
        top = box.top()
        bottom = box.bottom()
        for part, ends in zip(self.parts, self._ends, strict=True):
            for x in _copies(ends[0], ends[1], left, right, period):
                for y in _copies(ends[2], ends[3], top, bottom, period):
                    painter.translate(x, y)
                    part.draw(painter, tint)
                    painter.translate(-x, -y)


def _copies(low: float, high: float, start: float, end: float, period: float) -> Iterator[float]:
    """Yield the multiples of ``period`` by which [low, high] moves so that it meets [start,
    end].
    """
    at = -((high - start) // period) * period
    while low + at < end:
        yield at
        at += period


class SvgPicture:
    """One file; its groups are read when they are first asked for."""

    def __init__(self, data: bytes) -> None:
        root = ElementTree.fromstring(data)
        self.colour = root.get("color", "#808080")
        """The colour of the terrain for which the picture was drawn."""
        self._elements = {each.attrib["id"]: each for each in root.iter(f"{_SVG}g")}
        self._gradients = {
            each.attrib["id"]: _gradient(each)
            for kind in ("linearGradient", "radialGradient")
            for each in root.iter(_SVG + kind)
        }
        self._drawings: dict[str, Drawing] = {}
        self._numbers: defaultdict[str, int] = defaultdict(int)
        for name in self._elements:
            self._numbers[name.rpartition("-")[0]] += 1

    def has(self, group: str) -> bool:
        """Return whether there is a group of this name."""
        return group in self._elements or group in self._drawings

    def count(self, kind: str) -> int:
        """Return how many groups ``kind-1``, ``kind-2`` ... there are."""
        return self._numbers.get(kind, 0)

    def drawing(self, group: str) -> Drawing:
        """Return the shapes of a group. Raises KeyError if there is none of this name."""
        result = self._drawings.get(group)
        if result is None:
            element = self._elements.get(group)
            if element is None:  # another thread has read it
                return self._drawings[group]
            result = Drawing([self._part(each) for each in element])
            scale = element.get("transform", "").removeprefix("scale(").removesuffix(")")
            if scale:
                result = Drawing([part.scaled(float(scale)) for part in result.parts])
            self._drawings[group] = result
            self._elements.pop(group, None)
        return result

    def _part(self, element: ElementTree.Element) -> Shape | Use:
        tag = element.tag.removeprefix(_SVG)
        get = element.get
        if tag == "use":
            scale = 1.0
            flip = False
            x = float(get("x", "0"))
            y = float(get("y", "0"))
            transform = get("transform", "")
            if transform:  # "translate(x y)scale(size)", mirrored "scale(-size size)"
                numbers = [float(each) for each in _TOKEN.findall(transform) if each[-1].isdigit()]
                x = numbers[0]
                y = numbers[1]
                scale = numbers[-1]
                flip = numbers[2] < 0
            return Use(self.drawing(element.attrib[_LINK][1:]), x, y, scale, flip)
        if tag == "ellipse":
            path = QPainterPath()
            centre = QPointF(float(get("cx", "0")), float(get("cy", "0")))
            path.addEllipse(centre, float(get("rx", "0")), float(get("ry", "0")))
        else:
            path = path_of(element.attrib["d"])
        opacity = float(get("opacity", "1"))
        fill = self._paint(get("fill", "none"), opacity)
        line = self._paint(get("stroke", "none"), opacity)
        if line is not None:
            width = float(get("stroke-width", "0"))
        else:
            width = 0.0
        box = path.boundingRect().adjusted(-width / 2, -width / 2, width / 2, width / 2)
        return Shape(path, box, fill, line, width)

    def _paint(self, value: str, opacity: float) -> Paint | None:
        if value == "none":
            return None
        if not value.startswith("url"):
            return Paint((Stop(0.0, value, opacity),))
        paint = self._gradients[value[5:-1]]
        if opacity == 1:
            return paint
        return paint._replace(
            stops=tuple(stop._replace(opacity=stop.opacity * opacity) for stop in paint.stops)
        )


def _gradient(element: ElementTree.Element) -> Paint:
    def number(name: str) -> float:
        return float(element.get(name, "0"))

    stops = tuple(
        Stop(
            float(stop.attrib["offset"]),
            stop.attrib["stop-color"],
            float(stop.get("stop-opacity", "1")),
        )
        for stop in element
    )
    boxed = element.get("gradientUnits") != "userSpaceOnUse"
    if element.tag.endswith("radialGradient"):
        return Paint(stops, number("cx"), number("cy"), radius=number("r"), boxed=boxed)
    return Paint(stops, number("x1"), number("y1"), number("x2"), number("y2"), boxed=boxed)


def path_of(d: str) -> QPainterPath:
    """Return the path that the attribute ``d`` describes, of M, L, H, V, C, Q, T and Z in either
    case.
    """
    path = QPainterPath()
    tokens = _TOKEN.findall(d)
    at = 0
    end = len(tokens)
    command = ""
    x = y = control_x = control_y = 0.0

    def numbers(count: int) -> list[float]:
        nonlocal at
        at += count
        return [float(token) for token in tokens[at - count : at]]

    while at < end:
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
        from_x, from_y = (x, y) if command.islower() else (0.0, 0.0)
        kind = command.upper()
        if kind == "Z":
            path.closeSubpath()
            here = path.currentPosition()
            x = here.x()
            y = here.y()
            continue
        if kind == "H":
            x = numbers(1)[0] + from_x
        elif kind == "V":
            y = numbers(1)[0] + from_y
        elif kind == "C":
            ax, ay, bx, by, x, y = numbers(6)
            x = x + from_x
            y = y + from_y
            path.cubicTo(ax + from_x, ay + from_y, bx + from_x, by + from_y, x, y)
            continue
        elif kind in "QT":
            if kind == "Q":
                control_x, control_y = numbers(2)
                control_x = control_x + from_x
                control_y = control_y + from_y
            else:
                control_x = 2 * x - control_x
                control_y = 2 * y - control_y
            x, y = numbers(2)
            x = x + from_x
            y = y + from_y
            path.quadTo(control_x, control_y, x, y)
            continue
        else:
            x, y = numbers(2)
            x = x + from_x
            y = y + from_y
        if kind == "M":
            path.moveTo(x, y)
            command = "l" if command == "m" else "L"
        else:
            path.lineTo(x, y)
    return path
