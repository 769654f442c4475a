"""The shapes of things that are drawn as pictograms (``ThingKind.icon``)."""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF, QTransform


class Icon(NamedTuple):
    """A shape within -1 to 1 (y runs down), the middle of its letter, and the letter's height."""

    shape: QPainterPath
    letter_at: QPointF
    letter_size: float


SYMBOL = "symbol-"
"""The names of symbols in ``resources/symbols.txt`` begin so."""


@cache
def icon(name: str) -> Icon:
    """Return pictogram ``name``, one of ``thing_kind.ICONS`` but "", or a symbol ("symbol-...").

    Raises KeyError for others.
    """
    if name.startswith(SYMBOL):
        return Icon(_symbol(symbols()[name.removeprefix(SYMBOL)]), QPointF(), 0.8)
    draw, x, y, size = {
        "foot": (_foot, 0.0, 0.34, 0.88),
        "vehicle": (_vehicle, 0.0, 0.13, 0.82),
        "ship": (_ship, 0.0, 0.06, 0.82),
        "aircraft": (_aircraft, 0.0, 0.08, 0.8),
        "town": (_town, 0.0, 0.36, 0.88),
        "base": (_base, 0.0, 0.26, 0.9),
        "tree": (_tree, 0.0, -0.24, 0.8),
        "stone": (_stone, -0.2, 0.3, 0.8),
        "metal": (_metal, 0.0, 0.3, 0.8),
        "hunt": (_hunt, 0.12, 0.06, 0.56),
        "fish": (_fish, -0.26, 0.0, 0.7),
        "berries": (_berries, -0.06, 0.56, 0.6),
        "unit": (_unit, 0.0, 0.34, 0.88),
        "building": (_building, 0.0, -0.1, 0.8),
        "treasure": (_treasure, 0.0, 0.32, 0.8),
        "pin": (_pin, 0.0, -0.3, 0.8),
        "tuft": (_tuft, 0.0, 0.5, 0.6),
        "centre": (_centre, 0.0, 0.1, 0.3),
        "tower": (_tower, 0.0, 0.0, 0.3),
        "wall": (_wall, 0.0, 0.3, 0.3),
        "gate": (_gate, 0.0, -0.3, 0.3),
        "dock": (_dock, 0.0, 0.0, 0.3),
        "field": (_field, 0.0, 0.0, 0.3),
        "farmstead": (_farmstead, 0.0, -0.2, 0.3),
        "storehouse": (_storehouse, -0.2, -0.1, 0.3),
        "barracks": (_barracks, 0.0, 0.0, 0.3),
        "temple": (_temple, 0.0, -0.5, 0.3),
        "market": (_market, 0.0, -0.5, 0.3),
        "wonder": (_wonder, 0.0, 0.0, 0.3),
    }[name]
    return Icon(draw(), QPointF(x, y), size)


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


ENLARGED = 256.0
"""Unions are made of paths so much larger: Qt makes polygons of curves, as fine as their size."""


def _union(*parts: QPainterPath) -> QPainterPath:
    """The union of shapes, smooth at every size of a pictogram."""
    path, larger = QPainterPath(), QTransform.fromScale(ENLARGED, ENLARGED)
    for part in parts:
        path = path.united(larger.map(part))
    return larger.inverted()[0].map(path)


def _ellipse(x: float, y: float, across: float, down: float) -> QPainterPath:
    """An ellipse with its centre and its two radii."""
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), across, down)
    return path


def _box(left: float, top: float, right: float, bottom: float) -> QPainterPath:
    return _polygon((left, top), (right, top), (right, bottom), (left, bottom))


@cache
def symbols() -> dict[str, str]:
    """Return the shapes of the symbols by name, as ``resources/symbols.txt`` has them."""
    lines = files("app.resources").joinpath("symbols.txt").read_text("utf-8").splitlines()
    named = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: shapes for name, _colon, shapes in named}


def _symbol(shapes: str) -> QPainterPath:
    """The union of shapes, without what is taken away; the file says how they are written."""
    enlarged = QTransform.fromScale(ENLARGED / 100, ENLARGED / 100)
    mirrored = QTransform.fromScale(-1, 1)
    whole = QPainterPath()
    for text in shapes.split(";"):
        kind, *words = text.split()
        width = float(words.pop(0)) if kind[-1] == "S" else 0.0
        numbers = [[float(each) for each in word.split(",")] for word in words]
        shape = _shape(kind[-1], numbers, width)
        for path in (shape, mirrored.map(shape)) if "&" in kind else (shape,):
            part = enlarged.map(path)
            whole = whole.subtracted(part) if "-" in kind else whole.united(part)
    return QTransform.fromScale(1 / ENLARGED, 1 / ENLARGED).map(whole)


def _shape(kind: str, numbers: list[list[float]], width: float) -> QPainterPath:
    """One shape of a symbol, in percent."""
    if kind == "B":
        return _box(*numbers[0])
    if kind == "E":
        return _ellipse(*numbers[0])
    points = [QPointF(x, y) for x, y in numbers]
    path = QPainterPath()
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


def _foot() -> QPainterPath:
    """A head on broad shoulders."""
    head, body = QPainterPath(), QPainterPath()
    head.addEllipse(QPointF(0, -0.66), 0.31, 0.31)
    body.moveTo(-0.62, 0.96)
    body.lineTo(-0.62, 0.1)
    body.cubicTo(-0.62, -0.28, -0.34, -0.4, 0, -0.4)
    body.cubicTo(0.34, -0.4, 0.62, -0.28, 0.62, 0.1)
    body.lineTo(0.62, 0.96)
    body.closeSubpath()
    return _union(head, body)


def _vehicle() -> QPainterPath:
    """A hull with a turret and its gun, on three wheels."""
    hull = QPainterPath()
    hull.addRoundedRect(QRectF(-0.92, -0.34, 1.84, 0.92), 0.16, 0.16)
    turret = _polygon((-0.5, -0.3), (-0.36, -0.72), (0.3, -0.72), (0.42, -0.3))
    gun = _polygon((0.2, -0.66), (0.96, -0.66), (0.96, -0.48), (0.2, -0.48))
    wheels = (_ellipse(x, 0.58, 0.26, 0.26) for x in (-0.58, 0.0, 0.58))
    return _union(hull, turret, gun, *wheels)


def _ship() -> QPainterPath:
    """A hull with a bridge and a funnel."""
    hull = _polygon((-1.0, 0.16), (1.0, 0.16), (0.68, 0.74), (-0.62, 0.74))
    bridge = _polygon((-0.52, 0.2), (-0.52, -0.38), (0.5, -0.38), (0.5, 0.2))
    mast = _polygon((-0.08, -0.3), (-0.08, -0.86), (0.28, -0.86), (0.28, -0.3))
    return _union(hull, bridge, mast)


def _aircraft() -> QPainterPath:
    """From above, the nose up."""
    right = [(0.0, -1.0), (0.2, -0.78), (0.28, -0.34), (0.98, 0.16), (0.98, 0.42), (0.34, 0.36)]
    right += [(0.24, 0.62), (0.5, 0.82), (0.5, 0.98), (0.0, 0.88)]
    return _polygon(*right, *((-x, y) for x, y in reversed(right[1:-1])))


def _town() -> QPainterPath:
    """Gables of different heights, close together."""
    return _polygon(
        (-0.92, 0.9),
        (-0.92, -0.08),
        (-0.58, -0.46),
        (-0.26, -0.1),
        (-0.26, -0.5),
        (0.1, -0.94),
        (0.46, -0.5),
        (0.46, 0.02),
        (0.92, 0.02),
        (0.92, 0.9),
    )


def _base() -> QPainterPath:
    """A wall with battlements."""
    teeth = [(-0.86, 0.86)]
    for left in (-0.86, -0.22, 0.42):
        teeth += [(left, -0.66), (left + 0.44, -0.66)]
        if left < 0.4:
            teeth += [(left + 0.44, -0.34), (left + 0.64, -0.34)]
    return _polygon(*teeth, (0.86, 0.86))


def _tree() -> QPainterPath:
    """A crown of three bulges on a trunk."""
    top, left = _ellipse(0, -0.48, 0.5, 0.46), _ellipse(-0.36, 0.0, 0.46, 0.42)
    trunk = _polygon((-0.14, 0.2), (0.14, 0.2), (0.2, 0.96), (-0.2, 0.96))
    return _union(top, left, _ellipse(0.36, 0.0, 0.46, 0.42), trunk)


def _stone() -> QPainterPath:
    """Two boulders that lean on each other."""
    large = _polygon(
        (-0.95, 0.8), (-0.8, 0.05), (-0.4, -0.5), (0.12, -0.55), (0.42, 0.0), (0.5, 0.8)
    )
    small = _polygon((0.1, 0.8), (0.28, 0.2), (0.62, -0.02), (0.9, 0.3), (0.98, 0.8))
    return _union(large, small)


def _metal() -> QPainterPath:
    """Three crystals that grow from one root."""
    middle = _polygon((-0.3, 0.85), (-0.34, -0.5), (0.0, -0.98), (0.34, -0.5), (0.3, 0.85))
    left = _polygon((-0.2, 0.85), (-0.95, 0.1), (-0.88, -0.32), (-0.5, -0.2), (-0.1, 0.5))
    right = _polygon((0.2, 0.85), (0.95, 0.1), (0.88, -0.32), (0.5, -0.2), (0.1, 0.5))
    return _union(middle, left, right)


def _hunt() -> QPainterPath:
    """A deer that looks to the left."""
    body = _ellipse(0.12, 0.06, 0.62, 0.3)
    neck = _polygon((-0.55, 0.1), (-0.72, -0.55), (-0.42, -0.6), (-0.15, -0.1))
    head = _polygon((-0.98, -0.34), (-0.72, -0.66), (-0.4, -0.62), (-0.5, -0.34))
    antlers = _polygon((-0.55, -0.6), (-0.68, -0.98), (-0.48, -0.8), (-0.28, -0.98), (-0.38, -0.58))
    legs = (_box(x - 0.07, 0.1, x + 0.08, 0.96) for x in (-0.4, -0.12, 0.36, 0.6))
    return _union(body, neck, head, antlers, *legs)


def _fish() -> QPainterPath:
    """A body with a tail, the head to the left."""
    tail = _polygon((0.36, 0.0), (0.98, -0.5), (0.82, 0.0), (0.98, 0.5))
    fin = _polygon((-0.2, -0.3), (0.22, -0.66), (0.3, -0.2))
    return _union(_ellipse(-0.26, 0.0, 0.72, 0.44), tail, fin)


def _berries() -> QPainterPath:
    """Three berries below a leaf."""
    leaf = QPainterPath()
    leaf.moveTo(-0.1, -0.3)
    leaf.cubicTo(0.0, -0.9, 0.5, -1.0, 0.86, -0.86)
    leaf.cubicTo(0.86, -0.4, 0.4, -0.1, -0.1, -0.3)
    leaf.closeSubpath()
    centres = ((-0.46, -0.02), (0.32, 0.08), (-0.06, 0.56))
    return _union(leaf, *(_ellipse(x, y, 0.4, 0.4) for x, y in centres))


def _unit() -> QPainterPath:
    """A person with a spear."""
    head = _polygon((0.6, -0.6), (0.8, -1.0), (1.0, -0.6))
    return _union(_foot(), _box(0.72, -0.62, 0.88, 0.96), head)


def _building() -> QPainterPath:
    """A house with a gabled roof, eaves and a door."""
    roof = _polygon((-1.0, -0.1), (0.0, -0.9), (1.0, -0.1))
    house = _union(roof, _box(-0.78, -0.12, 0.78, 0.86))
    return house.subtracted(_box(-0.2, 0.36, 0.2, 0.9))


def _treasure() -> QPainterPath:
    """A chest below its vaulted lid."""
    lid = QPainterPath()
    lid.moveTo(-0.92, -0.22)
    lid.cubicTo(-0.92, -0.9, 0.92, -0.9, 0.92, -0.22)
    lid.closeSubpath()
    chest = _box(-0.92, -0.06, 0.92, 0.82)
    return _union(lid, chest, _box(-0.2, -0.3, 0.2, 0.0))


def _pin() -> QPainterPath:
    """A round head that runs out into a point below."""
    point = _polygon((-0.56, 0.06), (0.56, 0.06), (0.0, 0.98))
    return _union(_ellipse(0.0, -0.3, 0.68, 0.68), point)


def _tuft() -> QPainterPath:
    """Blades of grass from one root."""
    blades = [(-0.9, -0.3, -0.5), (-0.42, -0.8, -0.2), (0.1, -1.0, 0.06), (0.5, -0.7, 0.3)]
    blades.append((0.94, -0.2, 0.56))
    shapes = (_polygon((root - 0.26, 0.86), (x, y), (root + 0.26, 0.86)) for x, y, root in blades)
    return _union(_box(-0.6, 0.2, 0.6, 0.88), *shapes)


def _centre() -> QPainterPath:
    """A broad hall under a flag."""
    flag = _polygon((0.0, -1.0), (0.62, -0.8), (0.0, -0.6))
    roof = _polygon((-0.7, -0.06), (-0.4, -0.44), (0.4, -0.44), (0.7, -0.06))
    halls = _union(_box(-0.6, -0.1, 0.6, 0.86), _box(-1.0, 0.22, 1.0, 0.86))
    hall = _union(halls, roof, _box(-0.07, -1.0, 0.07, -0.3), flag)
    return hall.subtracted(_box(-0.18, 0.4, 0.18, 0.9))


def _tower() -> QPainterPath:
    """A shaft below battlements that stand out."""
    teeth = [_box(x, -0.96, x + 0.3, -0.6) for x in (-0.62, -0.15, 0.32)]
    shaft = _polygon((-0.38, -0.3), (0.38, -0.3), (0.5, 0.94), (-0.5, 0.94))
    tower = _union(_box(-0.62, -0.7, 0.62, -0.28), shaft, *teeth)
    return tower.subtracted(_box(-0.09, 0.3, 0.09, 0.66))


def _wall() -> QPainterPath:
    """A low wall with battlements."""
    teeth = [_box(x, -0.44, x + 0.32, 0.0) for x in (-1.0, -0.44, 0.12, 0.68)]
    return _union(_box(-1.0, -0.1, 1.0, 0.6), *teeth)


def _gate() -> QPainterPath:
    """An arch between two towers."""
    towers = _union(_box(-1.0, -0.8, -0.46, 0.86), _box(0.46, -0.8, 1.0, 0.86))
    arch = _union(_box(-0.36, 0.7, 0.36, 0.9), _ellipse(0, 0.7, 0.36, 0.42))
    return _union(towers, _box(-0.6, -0.5, 0.6, 0.86)).subtracted(arch)


def _dock() -> QPainterPath:
    """An anchor."""
    ring = _ellipse(0, -0.7, 0.28, 0.28).subtracted(_ellipse(0, -0.7, 0.12, 0.12))
    arms = _ellipse(0, 0.16, 0.86, 0.8).subtracted(_ellipse(0, 0.0, 0.66, 0.66))
    arms = arms.subtracted(_box(-1.0, -1.0, 1.0, 0.16))
    return _union(ring, _box(-0.2, -0.5, 0.2, 0.9), _box(-0.56, -0.36, 0.56, -0.1), arms)


def _field() -> QPainterPath:
    """Furrows side by side."""
    furrows = _union(*(_box(-0.68, y, 0.68, y + 0.18) for y in (-0.52, 0.34)))
    return _box(-0.9, -0.86, 0.9, 0.86).subtracted(furrows)


def _farmstead() -> QPainterPath:
    """A barn with a mansard roof and a wide door."""
    roof = _polygon((-0.96, -0.1), (-0.66, -0.62), (0, -0.9), (0.66, -0.62), (0.96, -0.1))
    barn = _union(roof, _box(-0.8, -0.12, 0.8, 0.86))
    return barn.subtracted(_polygon((-0.4, 0.9), (-0.4, 0.34), (0.4, 0.34), (0.4, 0.9)))


def _storehouse() -> QPainterPath:
    """A shed with a lean-to roof, and logs beside it."""
    shed = _polygon((-0.96, -0.2), (0.3, -0.84), (0.3, 0.86), (-0.8, 0.86), (-0.8, -0.2))
    logs = [_ellipse(x, y, 0.24, 0.24) for x, y in ((0.5, 0.62), (0.84, 0.62), (0.66, 0.24))]
    return _union(shed, *logs).subtracted(_box(-0.5, 0.2, -0.06, 0.9))


def _barracks() -> QPainterPath:
    """Two crossed swords."""
    blade = _union(_box(-0.15, -1.1, 0.15, 0.9), _box(-0.4, 0.3, 0.4, 0.52))
    return _union(*(QTransform().rotate(angle).map(blade) for angle in (-40, 40)))


def _temple() -> QPainterPath:
    """Columns below a pediment."""
    columns = [
        _box(*each, 0.7) for each in ((-0.88, -0.3, -0.58), (-0.3, -0.3, 0.3), (0.58, -0.3, 0.88))
    ]
    pediment = _polygon((-1.0, -0.3), (0.0, -0.92), (1.0, -0.3))
    return _union(pediment, _box(-1.0, 0.64, 1.0, 0.9), *columns)


def _market() -> QPainterPath:
    """A stall below a scalloped awning."""
    awning = _polygon((-0.96, -0.2), (-0.76, -0.84), (0.76, -0.84), (0.96, -0.2))
    scallops = [_ellipse(x, -0.2, 0.24, 0.22) for x in (-0.72, -0.24, 0.24, 0.72)]
    posts = [_box(x, -0.1, x + 0.14, 0.9) for x in (-0.84, 0.7)]
    stall = _union(awning, *scallops, *posts, _box(-0.84, -0.2, 0.84, 0.6))
    return stall.subtracted(_box(-0.66, 0.3, 0.66, 0.46))


def _wonder() -> QPainterPath:
    """A star."""
    star = []
    for number in range(10):
        angle, radius = math.pi * number / 5, 0.42 if number % 2 else 1.0
        star.append((radius * math.sin(angle), -radius * math.cos(angle)))
    return _polygon(*star)
