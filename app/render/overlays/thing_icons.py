"""The shapes of things that are drawn as pictograms (``ThingKind.icon``)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF


class Icon(NamedTuple):
    """A shape within -1 to 1 (y runs down), the middle of its letter, and the letter's height."""

    shape: QPainterPath
    letter_at: QPointF
    letter_size: float


@cache
def icon(name: str) -> Icon:
    """The pictogram ``name``, one of ``thing_kind.ICONS`` but "". Raises KeyError for others."""
    draw, x, y, size = {
        "foot": (_foot, 0.0, 0.34, 0.88),
        "vehicle": (_vehicle, 0.0, 0.13, 0.82),
        "ship": (_ship, 0.0, 0.06, 0.82),
        "aircraft": (_aircraft, 0.0, 0.08, 0.8),
        "town": (_town, 0.0, 0.36, 0.88),
        "base": (_base, 0.0, 0.26, 0.9),
    }[name]
    return Icon(draw(), QPointF(x, y), size)


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


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
    return head.united(body)


def _vehicle() -> QPainterPath:
    """A hull with a turret and its gun, on three wheels."""
    hull = QPainterPath()
    hull.addRoundedRect(QRectF(-0.92, -0.34, 1.84, 0.92), 0.16, 0.16)
    turret = _polygon((-0.5, -0.3), (-0.36, -0.72), (0.3, -0.72), (0.42, -0.3))
    gun = _polygon((0.2, -0.66), (0.96, -0.66), (0.96, -0.48), (0.2, -0.48))
    path = hull.united(turret).united(gun)
    for x in (-0.58, 0.0, 0.58):
        wheel = QPainterPath()
        wheel.addEllipse(QPointF(x, 0.58), 0.26, 0.26)
        path = path.united(wheel)
    return path


def _ship() -> QPainterPath:
    """A hull with a bridge and a funnel."""
    hull = _polygon((-1.0, 0.16), (1.0, 0.16), (0.68, 0.74), (-0.62, 0.74))
    bridge = _polygon((-0.52, 0.2), (-0.52, -0.38), (0.5, -0.38), (0.5, 0.2))
    mast = _polygon((-0.08, -0.3), (-0.08, -0.86), (0.28, -0.86), (0.28, -0.3))
    return hull.united(bridge).united(mast)


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
