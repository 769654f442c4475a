"""The shapes of things that are drawn as pictograms (``ThingKind.icon``).

They are described in ``resources/symbols.txt``, one in a line; ``icon`` reads one, and ``looks``
draws it in the colours of things. Numbers are percent from the middle, y runs down. A line has the
name, the place and size of the letter, and the shapes; after bars follow the light areas and the
dark ones::

    dock 0,0,30: E 0,16,86,80; -E 0,0,66,66 | B -20,-50,20,90

is a ring, an ellipse from which (``-``) another one is taken away, with a light box on it, and room
in the middle for a letter 30 percent high. A shape is a kind and its numbers::

    D path of an SVG          S width x,y x,y ...   a stroke through points
    B left,top,right,bottom   Q x,y x,y ...         a closed curve around points
    E x,y,across,down         P x,y x,y ...         a polygon
    -B ...  takes the shape away from all before it;  &E ...  is the shape and its mirror image
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF, QTransform

from app.render.pictures.svg_paths import path_of
from randomizer.model.basics.caches import KB, registered


class Icon(NamedTuple):
    """A shape, with room for a letter. All is within -1 to 1; y runs down."""

    shape: QPainterPath
    """The outline."""

    letter_at: QPointF
    """The middle of the letter."""

    letter_size: float
    """The type size of the letter."""

    light: QPainterPath
    """The areas that are lighter; empty where it has one colour."""

    dark: QPainterPath
    """The areas that are darker; empty where it has one colour."""


ENLARGED = 256.0
"""Unions are made of paths so much larger: Qt makes polygons of curves, as fine as their size."""

DEFAULT_LETTER = "0,0,80"
"""The place and size of the letter where the file has none: in the middle, 80 percent high."""


class IconDescription(NamedTuple):
    """A line of ``resources/symbols.txt`` without the name."""

    letter: str
    """The place and size of the letter, as ``x,y,height``."""

    shapes: str
    """The shapes, as ``E 0,16,86,80; -E 0,0,66,66 | B -20,-50,20,90``."""


@registered(count=1, bytes_each=20 * KB)
@cache
def descriptions() -> dict[str, IconDescription]:
    """Return what ``resources/symbols.txt`` says of each pictogram, by its name."""
    lines = files("app.resources").joinpath("symbols.txt").read_text("utf-8").splitlines()
    result = {}
    for line in lines:
        if line.startswith("#") or not line.strip():
            continue
        # ``name letter: shapes``, in which the letter may be missing
        head, _colon, shapes = line.partition(":")
        name, _blank, letter = head.partition(" ")
        result[name] = IconDescription(letter or DEFAULT_LETTER, shapes)
    return result


@registered(count=80, bytes_each=8 * KB)
@cache
def icon(name: str) -> Icon:
    """Return the pictogram of a name: one of ``thing_kind.ICONS`` or a symbol ("symbol-...").

    Raises KeyError for others, also for "".
    """
    description = descriptions()[name]
    x, y, size = _numbers(description.letter)
    shape, _bar, shades = description.shapes.partition(" | ")
    light, _bar, dark = shades.partition(" | ")  # both "" for a shape of one colour
    return Icon(
        shape=_union(shape),
        letter_at=QPointF(x, y) / 100,
        letter_size=size / 100,
        light=_union(light),
        dark=_union(dark),
    )


def _union(shapes: str) -> QPainterPath:
    """Return the union of shapes, within -1 to 1, without those that are taken away; empty for "".

    Shapes are separated by semicolons, and each begins with its kind.
    """
    enlarged = QTransform.fromScale(ENLARGED / 100, ENLARGED / 100)
    mirrored = QTransform.fromScale(-1, 1)
    union = QPainterPath()
    for text in shapes.split(";"):
        if not text.strip():
            continue
        kind, *words = text.split()
        shape = _shape(kind[-1], words)
        paths = [shape]
        if "&" in kind:
            paths.append(mirrored.map(shape))
        for path in paths:
            if "-" in kind:
                union = union.subtracted(enlarged.map(path))
            else:
                union = union.united(enlarged.map(path))
    return QTransform.fromScale(1 / ENLARGED, 1 / ENLARGED).map(union)


def _shape(kind: str, words: list[str]) -> QPainterPath:
    """Return one shape, in percent: from -100 to 100; the kinds are those of the module's text.

    Raises ValueError for another kind.
    """
    if kind == "D":
        return path_of(" ".join(words))
    if kind == "S":
        width, *words = words
        return _stroke(_points(words), float(width))
    path = QPainterPath()
    if kind == "B":
        left, top, right, bottom = _numbers(words[0])
        path.addRect(QRectF(left, top, right - left, bottom - top))
    elif kind == "E":
        x, y, across, down = _numbers(words[0])
        path.addEllipse(QPointF(x, y), across, down)
    elif kind == "Q":
        # The points are the control points; the curve passes halfway between them.
        points = _points(words)
        path.moveTo((points[-1] + points[0]) / 2)
        for point, next_point in zip(points, (*points[1:], points[0]), strict=True):
            path.quadTo(point, (point + next_point) / 2)
    elif kind == "P":
        path.addPolygon(QPolygonF(_points(words)))
        path.closeSubpath()
    else:
        raise ValueError(f"a pictogram has a shape of the unknown kind {kind}")
    return path


def _numbers(word: str) -> list[float]:
    """Return the numbers of a word such as ``-20,35``."""
    return [float(number) for number in word.split(",")]


def _points(words: list[str]) -> list[QPointF]:
    """Return the points of words such as ``-20,35``."""
    return [QPointF(*_numbers(word)) for word in words]


def _stroke(points: list[QPointF], width: float) -> QPainterPath:
    """Return the outline of a line through points, with round ends."""
    line = QPainterPath()
    line.addPolygon(QPolygonF(points))
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return stroker.createStroke(line).simplified()
