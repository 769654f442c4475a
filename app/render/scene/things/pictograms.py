"""The shapes of things that are drawn as pictograms (``ThingKind.icon``)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF, QTransform

from app.render.pictures.svg_picture import path_of
from randomizer.model.basics.caches import KB, registered


class Icon(NamedTuple):
    """A shape within -1 to 1 (y runs down), the middle of its letter, and the letter's height.

    ``light`` and ``dark`` are what is lighter and darker on it; empty where it has one colour.
    """

    shape: QPainterPath
    letter_at: QPointF
    letter_size: float
    light: QPainterPath
    dark: QPainterPath


ENLARGED = 256.0
"""Unions are made of paths so much larger: Qt makes polygons of curves, as fine as their size."""


@registered(count=1, bytes_each=20 * KB)
@cache
def symbols() -> dict[str, tuple[str, str]]:
    """Return the letter and the shapes of each pictogram, as ``resources/symbols.txt`` has them."""
    lines = files("app.resources").joinpath("symbols.txt").read_text("utf-8").splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    named = ((*head.partition(" "), shapes) for head, _colon, shapes in rows)
    return {name: (letter or "0,0,80", shapes) for name, _blank, letter, shapes in named}


@registered(count=80, bytes_each=8 * KB)
@cache
def icon(name: str) -> Icon:
    """Return pictogram ``name``, one of ``thing_kind.ICONS`` but "", or a symbol ("symbol-...").

    Raises KeyError for others.
    """
    letter, shapes = symbols()[name]
    x, y, size = (float(number) / 100 for number in letter.split(","))
    shape, light, dark = (*shapes.split(" | "), "", "")[:3]
    return Icon(_union(shape), QPointF(x, y), size, _union(light), _union(dark))


def _union(shapes: str) -> QPainterPath:
    """Return the union of shapes, without what is taken away; the file says how they are
    written.
    """
    enlarged = QTransform.fromScale(ENLARGED / 100, ENLARGED / 100)
    mirrored = QTransform.fromScale(-1, 1)
    whole = QPainterPath()
    for text in filter(None, shapes.split(";")):
        kind, *words = text.split()
        shape = _shape(kind[-1], words)
        for path in (shape, mirrored.map(shape)) if "&" in kind else (shape,):
            part = enlarged.map(path)
            if "-" in kind:
                whole = whole.subtracted(part)
            else:
                whole = whole.united(part)
    return QTransform.fromScale(1 / ENLARGED, 1 / ENLARGED).map(whole)


def _shape(kind: str, words: list[str]) -> QPainterPath:
    """Return one shape, in percent."""
    if kind == "D":
        return path_of(" ".join(words))
    width = float(words.pop(0)) if kind == "S" else 0.0
    numbers = [[float(number) for number in word.split(",")] for word in words]
    path = QPainterPath()
    if kind == "B":
        left, top, right, bottom = numbers[0]
        path.addRect(QRectF(left, top, right - left, bottom - top))
        return path
    if kind == "E":
        x, y, across, down = numbers[0]
        path.addEllipse(QPointF(x, y), across, down)
        return path
    points = [QPointF(x, y) for x, y in numbers]
    if kind == "Q":
        path.moveTo((points[-1] + points[0]) / 2)
        for point, following in zip(points, (*points[1:], points[0]), strict=True):
            path.quadTo(point, (point + following) / 2)
        return path
    path.addPolygon(QPolygonF(points))
    if kind == "P":
        path.closeSubpath()
        return path
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return stroker.createStroke(path).simplified()
