"""Reads the SVG files of our terrain pictures into shapes that QPainter draws.

Our files (``packaging/pictures/pen.py`` writes them) use little of SVG: groups of paths, ellipses
and ``use``, filled with colours and gradients. Reading them here and not with QtSvg lets us draw
only the shapes that lie in a box, change their colours, and repeat grounds over a map:

    tint = Tint(drawn_for=(80, 120, 60), target=(120, 110, 60))
    SvgPicture(data).drawing("hill-1").draw(painter, tint)

``terrain_pictures`` reads files and chooses groups. Begin with ``SvgPicture`` below: it makes a
``Drawing`` of a group, which has a ``Shape`` or ``Use`` for each element, filled with a ``Paint``.
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
            _tinted(colour.red(), drawn_for=self.drawn_for[0], target=self.target[0]),
            _tinted(colour.green(), drawn_for=self.drawn_for[1], target=self.target[1]),
            _tinted(colour.blue(), drawn_for=self.drawn_for[2], target=self.target[2]),
        )


def _tinted(value: int, *, drawn_for: int, target: int) -> int:
    """Return a value of red, green or blue, 0 to 255, after a tint.

    The tint makes ``target`` of ``drawn_for``, leaves 0 and 255 as they are, and is linear between.
    """
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
        return Use(Drawing([self]), x=0.0, y=0.0, scale=scale, is_mirrored=False)

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
    """A drawing of another group, scaled and then moved to (x, y)."""

    drawing: Drawing
    x: float
    y: float
    scale: float

    is_mirrored: bool
    """True if it is mirrored, left to right, before it is moved."""

    def scaled(self, scale: float) -> Use:
        """Return the same in another unit."""
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
        """Return the colour in which the first shape is filled; black if it is not."""
        first = self.shapes[0]
        while isinstance(first, Use):
            first = first.drawing.shapes[0]
        if first.fill is None:
            return QColor()
        return _colour(first.fill.stops[0], tint)

    def draw(self, painter: QPainter, tint: Tint | None = None) -> None:
        """Draw all shapes with the painter's unit as the unit of the file."""
        for shape in self.shapes:
            shape.draw(painter, tint)

    @cached_property
    def _extents(self) -> tuple[tuple[float, float, float, float], ...]:
        """The left, right, top and bottom end of each shape, stored for ``draw_repeated``, which
        asks for them each time."""
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
            for dx in _shifts_into(box.left(), box.right(), left, right, period):
                for dy in _shifts_into(box.top(), box.bottom(), top, bottom, period):
                    painter.translate(dx, dy)
                    shape.draw(painter, tint)
                    painter.translate(-dx, -dy)


def _shifts_into(
    start: float, end: float, low: float, high: float, period: float
) -> Iterator[float]:
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
            result = Drawing([self._shape(child) for child in element])
            # The only transform of a group in our files is ``scale(number)``.
            scale = element.get("transform", "").removeprefix("scale(").removesuffix(")")
            if scale:
                result = Drawing([shape.scaled(float(scale)) for shape in result.shapes])
            self._drawings[group] = result
            self._elements.pop(group, None)
        return result

    def _shape(self, element: ElementTree.Element) -> Shape | Use:
        """Return the shape of an element of a group: a path, an ellipse or a ``use``."""
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

        A transform is ``translate(x y)scale(size)``, mirrored ``translate(x y)scale(-size size)``:
        the third number is negative then, and the last one is the size in any case.
        """
        drawing = self.drawing(element.attrib[_LINK].removeprefix("#"))
        transform = element.get("transform", "")
        if not transform:
            x = _number(element, "x")
            y = _number(element, "y")
            return Use(drawing, x, y, scale=1.0, is_mirrored=False)
        tokens = _TOKEN.findall(transform)
        numbers = [float(token) for token in tokens if not token.isalpha()]
        is_mirrored = numbers[2] < 0
        return Use(drawing, numbers[0], numbers[1], scale=numbers[-1], is_mirrored=is_mirrored)

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
    builder = _PathBuilder()
    for command, numbers in _path_commands(d):
        builder.add(command, numbers)
    return builder.path


class _PathBuilder:
    """Adds the commands of a path one after another, each of which goes on where the last ended."""

    def __init__(self) -> None:
        self.path = QPainterPath()
        self._x = 0.0
        """With ``_y`` the point at which the last command ended."""
        self._y = 0.0
        self._control_x = 0.0
        """With ``_control_y`` the control point of the last curve of Q or T. T continues such a
        curve smoothly: its own control point is this one, mirrored at the point between them."""
        self._control_y = 0.0

    def add(self, command: str, numbers: Sequence[float]) -> None:
        """Add a command with its own numbers."""
        kind = command.upper()
        if kind == "Z":
            self._close()
            return
        origin_x = 0.0
        origin_y = 0.0
        if kind != command:  # lower case: relative
            origin_x = self._x
            origin_y = self._y

        if kind == "H":
            self._line_to(numbers[0] + origin_x, self._y)
            return
        if kind == "V":
            self._line_to(self._x, numbers[0] + origin_y)
            return

        # The last two numbers are the point to which all other commands go.
        x = numbers[-2] + origin_x
        y = numbers[-1] + origin_y
        if kind == "L":
            self._line_to(x, y)
        elif kind == "M":
            self.path.moveTo(x, y)
            self._move_to(x, y)
        elif kind == "C":
            x1, y1, x2, y2 = numbers[:4]
            self.path.cubicTo(x1 + origin_x, y1 + origin_y, x2 + origin_x, y2 + origin_y, x, y)
            self._move_to(x, y)
        elif kind == "Q":
            self._quadratic_to(numbers[0] + origin_x, numbers[1] + origin_y, x, y)
        else:
            assert kind == "T"
            control_x = 2 * self._x - self._control_x
            control_y = 2 * self._y - self._control_y
            self._quadratic_to(control_x, control_y, x, y)

    def _close(self) -> None:
        """Draw a line back to the point where the current outline began."""
        self.path.closeSubpath()
        position = self.path.currentPosition()
        self._move_to(position.x(), position.y())

    def _line_to(self, x: float, y: float) -> None:
        self.path.lineTo(x, y)
        self._move_to(x, y)

    def _quadratic_to(self, control_x: float, control_y: float, x: float, y: float) -> None:
        self.path.quadTo(control_x, control_y, x, y)
        self._control_x = control_x
        self._control_y = control_y
        self._move_to(x, y)

    def _move_to(self, x: float, y: float) -> None:
        """Note where the next command begins."""
        self._x = x
        self._y = y


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
        yield command, [float(token) for token in tokens[index:end]]
        index = end
        # Without a letter the command is repeated, but more points after M are lines.
        if command == "M":
            command = "L"
        elif command == "m":
            command = "l"
