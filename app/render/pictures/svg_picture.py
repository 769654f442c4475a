"""Reads the SVG files of our terrain pictures into shapes that QPainter draws.

Our files (``packaging/pictures/pen.py`` writes them) use little of SVG: groups of paths, ellipses
and ``use``, filled with colours and gradients. Reading them here and not with QtSvg lets us draw
only the shapes that lie in a box, change their colours, and repeat grounds over a map.
"""

from __future__ import annotations

import re
from collections import Counter
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
    """A change of colours: a picture that was drawn for one colour is shown for another one.

    Of each of red, green and blue 0 and 255 stay, so that black and white do, and what lies between
    moves with the colour of the picture.
    """

    drawn_for: tuple[int, int, int]
    """Red, green and blue of the colour for which the picture was drawn."""

    target: tuple[int, int, int]
    """What that colour becomes."""

    @property
    def tables(self) -> tuple[NDArray[np.uint8], ...]:
        """The tinted values of red, green and blue, by the untinted ones: three of shape (256,)."""
        values = np.arange(256)
        return tuple(
            np.interp(values, (0, drawn_for, 255), (0, target, 255)).round().astype(np.uint8)
            for drawn_for, target in zip(self.drawn_for, self.target, strict=True)
        )

    def of(self, colour: QColor) -> QColor:
        """Return the tinted colour."""
        return QColor(
            _moved(colour.red(), self.drawn_for[0], self.target[0]),
            _moved(colour.green(), self.drawn_for[1], self.target[1]),
            _moved(colour.blue(), self.drawn_for[2], self.target[2]),
        )


def _moved(value: int, drawn_for: int, target: int) -> int:
    """Return a value of red, green or blue after a tint that makes ``target`` of ``drawn_for``."""
    if value > drawn_for:
        return 255 - round((255 - value) * (255 - target) / (255 - drawn_for))
    if drawn_for == 0:
        return target
    return round(value * target / drawn_for)


_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
"""A command or a number of a path or a transform; our files have no exponents."""

_NUMBERS_OF_COMMAND = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "T": 2, "Z": 0}
"""How many numbers the commands of a path take."""


class Stop(NamedTuple):
    """A colour of a gradient."""

    position: float
    """Where it lies on the gradient, from 0 to 1."""

    colour: str
    opacity: float


class Paint(NamedTuple):
    """A plain colour (one stop), or a gradient."""

    stops: tuple[Stop, ...]

    x: float = 0.0
    """With ``y`` the start of a linear gradient, or the centre of a round one."""

    y: float = 0.0

    x2: float = 0.0
    """With ``y2`` the end of a linear gradient."""

    y2: float = 0.0

    radius: float = 0.0
    """The radius of a round gradient, 0 for a linear one."""

    boxed: bool = False
    """True if the coordinates are shares of the bounding box of the shape."""

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
            gradient.setColorAt(stop.position, _colour(stop, tint))
        return QBrush(gradient)


def _colour(stop: Stop, tint: Tint | None) -> QColor:
    colour = QColor(stop.colour)
    if tint is not None:
        colour = tint.of(colour)
    colour.setAlphaF(stop.opacity)
    return colour


class Shape(NamedTuple):
    """A path that is filled, or drawn along its line, or both."""

    path: QPainterPath

    box: QRectF
    """The area that it may cover, in the unit of the file."""

    fill: Paint | None
    line: Paint | None

    width: float
    """The width of the line, 0 without a line."""

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
    """Another drawing, scaled and then moved to (x, y)."""

    drawing: Drawing
    x: float
    y: float
    scale: float

    flip: bool
    """True if it is mirrored, left to right."""

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
    """Yield the multiples of ``period`` by which [low, high] moves so that it meets [start, end].

    A shape from 1 to 2 that is repeated with a period of 10 meets [20, 40] moved by 20 and by 30.
    """
    shift = -((high - start) // period) * period
    while low + shift < end:
        yield shift
        shift += period


class SvgPicture:
    """One file; its groups are read when they are first asked for."""

    def __init__(self, data: bytes) -> None:
        root = ElementTree.fromstring(data)
        self.colour = root.get("color", "#808080")
        """The colour of the terrain for which the picture was drawn."""
        self._elements = {group.attrib["id"]: group for group in root.iter(f"{_SVG}g")}
        """The groups that are not yet read, by their names."""
        self._drawings: dict[str, Drawing] = {}
        """The groups that are read."""
        self._gradients: dict[str, Paint] = {}
        for kind in ("linearGradient", "radialGradient"):
            for gradient in root.iter(_SVG + kind):
                self._gradients[gradient.attrib["id"]] = _gradient(gradient)
        # The groups of a kind are numbered: hill-1, hill-2 ...
        self._numbers = Counter(name.rpartition("-")[0] for name in self._elements)

    def has(self, group: str) -> bool:
        """Return whether there is a group of this name."""
        return group in self._elements or group in self._drawings

    def count(self, kind: str) -> int:
        """Return how many groups ``kind-1``, ``kind-2`` ... there are."""
        return self._numbers[kind]

    def unread_groups(self, prefix: str) -> list[str]:
        """Return the names of the groups that begin with ``prefix`` and are not yet read."""
        return [name for name in self._elements if name.startswith(prefix)]

    def drawing(self, group: str) -> Drawing:
        """Return the shapes of a group. Raises KeyError if there is none of this name."""
        result = self._drawings.get(group)
        if result is None:
            element = self._elements.get(group)
            if element is None:  # another thread has read it
                return self._drawings[group]
            result = Drawing([self._part(child) for child in element])
            # A group has no other transform.
            scale = element.get("transform", "").removeprefix("scale(").removesuffix(")")
            if scale:
                result = Drawing([part.scaled(float(scale)) for part in result.parts])
            self._drawings[group] = result
            self._elements.pop(group, None)
        return result

    def _part(self, element: ElementTree.Element) -> Shape | Use:
        """Return what an element of a group draws: a path, an ellipse or a ``use``."""
        tag = element.tag.removeprefix(_SVG)
        if tag == "use":
            return self._use(element)
        if tag == "ellipse":
            path = QPainterPath()
            centre = QPointF(_number(element, "cx"), _number(element, "cy"))
            path.addEllipse(centre, _number(element, "rx"), _number(element, "ry"))
        else:
            path = path_of(element.attrib["d"])
        opacity = float(element.get("opacity", "1"))
        fill = self._paint(element.get("fill", "none"), opacity)
        line = self._paint(element.get("stroke", "none"), opacity)
        width = 0.0
        if line is not None:
            width = _number(element, "stroke-width")
        box = path.boundingRect().adjusted(-width / 2, -width / 2, width / 2, width / 2)
        return Shape(path, box, fill, line, width)

    def _use(self, element: ElementTree.Element) -> Use:
        """Return what a ``use`` draws: another group, moved by attributes or by its transform.

        A transform is ``translate(x y)scale(size)``, mirrored ``translate(x y)scale(-size size)``.
        """
        drawing = self.drawing(element.attrib[_LINK].removeprefix("#"))
        transform = element.get("transform", "")
        if not transform:
            return Use(drawing, _number(element, "x"), _number(element, "y"), 1.0, False)
        tokens = _TOKEN.findall(transform)
        numbers = [float(token) for token in tokens if not token.isalpha()]
        return Use(drawing, numbers[0], numbers[1], numbers[-1], numbers[2] < 0)

    def _paint(self, value: str, opacity: float) -> Paint | None:
        """Return the paint of a fill or stroke: ``none``, a colour, or ``url(#gradient)``."""
        if value == "none":
            return None
        if not value.startswith("url"):
            return Paint((Stop(0.0, value, opacity),))
        paint = self._gradients[value.removeprefix("url(#").removesuffix(")")]
        if opacity == 1:
            return paint
        stops = [stop._replace(opacity=stop.opacity * opacity) for stop in paint.stops]
        return paint._replace(stops=tuple(stops))


def _number(element: ElementTree.Element, name: str) -> float:
    """Return a number of an element, 0 if it is not given, as in SVG."""
    return float(element.get(name, "0"))


def _gradient(element: ElementTree.Element) -> Paint:
    """Return the paint of a ``linearGradient`` or ``radialGradient``."""
    stops = []
    for stop in element:
        offset = float(stop.attrib["offset"])
        opacity = float(stop.get("stop-opacity", "1"))
        stops.append(Stop(offset, stop.attrib["stop-color"], opacity))
    is_boxed = element.get("gradientUnits") != "userSpaceOnUse"
    if element.tag.endswith("radialGradient"):
        return Paint(
            tuple(stops),
            _number(element, "cx"),
            _number(element, "cy"),
            radius=_number(element, "r"),
            boxed=is_boxed,
        )
    return Paint(
        tuple(stops),
        _number(element, "x1"),
        _number(element, "y1"),
        _number(element, "x2"),
        _number(element, "y2"),
        boxed=is_boxed,
    )


def path_of(d: str) -> QPainterPath:
    """Return the path that an attribute ``d`` describes, of M, L, H, V, C, Q, T and Z.

    In lower case their coordinates are relative to the last point: ``M1 2l3 4`` is a line from
    (1, 2) to (4, 6). A command may be followed by several sets of numbers, each of which is the
    command again, but for M: more points after that are lines.
    """
    path = QPainterPath()
    x = 0.0
    y = 0.0
    # The control point of the last curve of Q or T, which T mirrors at the point between them.
    control_x = 0.0
    control_y = 0.0
    for command, numbers in _path_commands(d):
        kind = command.upper()
        is_relative = kind != command
        origin_x = x if is_relative else 0.0
        origin_y = y if is_relative else 0.0
        if kind == "T":
            control_x = 2 * x - control_x
            control_y = 2 * y - control_y
        elif kind == "Q":
            control_x = numbers[0] + origin_x
            control_y = numbers[1] + origin_y

        if kind == "H":
            x = numbers[0] + origin_x
        elif kind == "V":
            y = numbers[0] + origin_y
        elif kind == "Z":
            path.closeSubpath()
            x = path.currentPosition().x()
            y = path.currentPosition().y()
            continue
        else:  # the last numbers are the point to which the command goes
            x = numbers[-2] + origin_x
            y = numbers[-1] + origin_y

        if kind in ("Q", "T"):
            path.quadTo(control_x, control_y, x, y)
        elif kind == "C":
            x1, y1, x2, y2 = numbers[:4]
            path.cubicTo(x1 + origin_x, y1 + origin_y, x2 + origin_x, y2 + origin_y, x, y)
        elif kind == "M":
            path.moveTo(x, y)
        else:
            path.lineTo(x, y)
    return path


def _path_commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command of a path with its own numbers: ``M1 2 3 4z`` as M, L and z."""
    tokens = _TOKEN.findall(d)
    index = 0
    command = ""
    while index < len(tokens):
        if tokens[index].isalpha():
            command = tokens[index]
            index += 1
        end = index + _NUMBERS_OF_COMMAND[command.upper()]
        yield command, list(map(float, tokens[index:end]))
        index = end
        if command == "M":
            command = "L"
        elif command == "m":
            command = "l"
