"""Reads the SVG files of our terrain pictures into shapes that QPainter draws.

Our files (``packaging/pictures/pen.py`` writes them) use little of SVG: groups of paths, ellipses
and ``use``, filled with colours and gradients. Reading them here and not with QtSvg lets us draw
only the shapes that lie in a box, change their colours, and repeat grounds over a map:

    tint = Tint(drawn_for=(80, 120, 60), target=(120, 110, 60))
    SvgPicture(data).drawing("hill-1").draw(painter, tint)

The file of a terrain looks like this::

    <svg color="#507a3c">                                      the colour it was drawn for
      <g id="ground">  <path fill="#507a3c" d="M0 0h6v6h-6z"/> ...  </g>
      <g id="hill-1">  <use href="#tree" x="1" y="2"/> ...          </g>
    </svg>

``svg_shapes`` has the shapes, ``svg_paths`` reads the outlines (``d``), ``picture_library`` finds
the file of a terrain, and ``terrain_pictures`` chooses groups.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from app.render.pictures.svg_paths import TOKEN, path_of
from app.render.pictures.svg_shapes import (
    Circle,
    Drawing,
    Gradient,
    Line,
    Paint,
    PlainPaint,
    Shape,
    Stop,
    Stroke,
    Use,
)

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"


class SvgPicture:
    """One file; its groups are read when they are first asked for.

    Threads share it without a lock: a group that two of them ask for at once may be read twice.
    """

    def __init__(self, data: bytes) -> None:
        root = ElementTree.fromstring(data)
        self.colour = root.get("color", "#808080")
        """The colour of the terrain for which the picture was drawn."""
        self._elements = {group.attrib["id"]: group for group in root.iter(f"{_SVG}g")}
        """The groups that are not yet read, by their names."""
        self._drawings: dict[str, Drawing] = {}
        """The groups that are read."""
        self._gradients: dict[str, Gradient] = {}
        """The gradients of the file, by their ids."""
        for kind in ("linearGradient", "radialGradient"):
            for gradient in root.iter(_SVG + kind):
                self._gradients[gradient.attrib["id"]] = _gradient(gradient)
        kinds = [name.rpartition("-")[0] for name in self._elements]
        self._count_of_kind = Counter(kinds)
        """How many groups there are of each kind: hill-1 and hill-2 are two of the kind "hill"."""

    def has(self, group: str) -> bool:
        """Return whether there is a group of this name."""
        return group in self._elements or group in self._drawings

    def count(self, kind: str) -> int:
        """Return how many groups ``kind-1``, ``kind-2`` ... there are."""
        return self._count_of_kind[kind]

    def unread_groups(self, prefix: str) -> list[str]:
        """Return the names of the groups that begin with ``prefix`` and are not yet read."""
        unread_names = list(self._elements)  # a copy: another thread may read a group meanwhile
        return [name for name in unread_names if name.startswith(prefix)]

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
                result = Drawing([shape.scaled_use(float(scale)) for shape in result.shapes])
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
        elif tag == "path":
            path = path_of(element.attrib["d"])
        else:
            raise ValueError(f"a group has the unknown element {tag}")
        opacity = float(element.get("opacity", "1"))
        fill = self._paint(element.get("fill", "none"), opacity)
        stroke = None
        line_paint = self._paint(element.get("stroke", "none"), opacity)
        if line_paint is not None:
            stroke = Stroke(line_paint, width=_number(element, "stroke-width"))
        return Shape.of_path(path, fill, stroke)

    def _use(self, element: ElementTree.Element) -> Use:
        """Return what a ``use`` draws: another group, moved by attributes or by its transform.

        A transform is ``translate(x y)scale(size)``, mirrored ``translate(x y)scale(-size size)``.
        """
        drawing = self.drawing(element.attrib[_LINK].removeprefix("#"))
        transform = element.get("transform", "")
        if not transform:
            x = _number(element, "x")
            y = _number(element, "y")
            return Use(drawing, x, y, scale=1.0, is_mirrored=False)
        tokens = TOKEN.findall(transform)
        numbers = [float(token) for token in tokens if not token.isalpha()]
        x, y, *scales = numbers  # one scale, or one to the right and one down
        return Use(drawing, x, y, scale=scales[-1], is_mirrored=scales[0] < 0)

    def _paint(self, value: str, opacity: float) -> Paint | None:
        """Return the paint of a fill or stroke: ``none``, a colour, or ``url(#gradient)``."""
        if value == "none":
            return None
        if not value.startswith("url"):
            return PlainPaint(value, opacity)
        gradient = self._gradients[value.removeprefix("url(#").removesuffix(")")]
        if opacity == 1:
            return gradient
        return gradient.faded(opacity)


def _number(element: ElementTree.Element, name: str) -> float:
    """Return a number of an element, 0 if it is not given, as in SVG."""
    return float(element.get(name, "0"))


def _gradient(element: ElementTree.Element) -> Gradient:
    """Return the paint of a ``linearGradient`` or ``radialGradient``."""
    stops = []
    for stop in element:
        opacity = float(stop.get("stop-opacity", "1"))
        paint = PlainPaint(stop.attrib["stop-color"], opacity)
        stops.append(Stop(float(stop.attrib["offset"]), paint))
    extent: Line | Circle
    if element.tag.endswith("radialGradient"):
        centre = (_number(element, "cx"), _number(element, "cy"))
        extent = Circle(centre, _number(element, "r"))
    else:
        start = (_number(element, "x1"), _number(element, "y1"))
        end = (_number(element, "x2"), _number(element, "y2"))
        extent = Line(start, end)
    is_in_box = element.get("gradientUnits") != "userSpaceOnUse"
    return Gradient(tuple(stops), extent, is_in_box)
