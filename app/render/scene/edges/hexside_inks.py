"""Fills and lines of which hexsides consist, in colours that depend on the light.

The light comes from one side of the map (``relief.SUN``). The *facing* of a piece of a shape says
how it lies to it: 1 towards the light, -1 away from it, 0 across. ``tone`` makes the colours::

    fill(painter, line.strip(-0.06, 0.06), tone("#8a7160", facing=-1.0))    # a dark brown strip

``jitter`` makes their edges rough.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.appearance.painting import fill_together
from app.render.scene.edges.hexside_line import HexsideLine
from randomizer.model.basics.caches import KB, registered

LIGHT = QColor("#fff6dc")
"""The colour towards which a face in the light is tinted."""

SHADE = QColor("#140d08")
"""The colour towards which a face in the shade is tinted."""

LIGHT_CONTRAST = 0.8
"""How far a face in the light is tinted, as a multiple of how far one in the shade is."""


def fill(painter: QPainter, polygon: QPolygonF, colour: QColor) -> None:
    """Fill a polygon without an outline."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(polygon)


def fill_strip(
    painter: QPainter, line: HexsideLine, outs: tuple[float, float], colour: str, contrast: float
) -> None:
    """Fill the strip between two distances from the curve, lit by ``tone`` piece by piece."""
    quads = line.lit_pieces(*outs)
    fill_together(painter, ((quad, tone(colour, facing, contrast)) for quad, facing in quads))


def stroke(
    painter: QPainter, points: Sequence[QPointF], colour: QColor | str, width: float
) -> None:
    """Draw an open line with round ends and corners; ``width`` is in map units."""
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


@registered(bytes_each=500)
@lru_cache(1000)
def tone(colour: str, facing: float, contrast: float = 0.35, opacity: float = 1.0) -> QColor:
    """Return a colour in the light: ``facing`` is 1 towards it, -1 away from it.

    The colour goes the share ``contrast`` of the way to ``SHADE`` where it faces away, and
    ``LIGHT_CONTRAST`` times that to ``LIGHT`` where it faces the light. All callers get one object:
    it must not be changed.
    """
    base = QColor(colour)
    share = abs(facing) * contrast
    if facing > 0:
        target = LIGHT
        share *= LIGHT_CONTRAST
    else:
        target = SHADE
    return QColor.fromRgbF(
        base.redF() + (target.redF() - base.redF()) * share,
        base.greenF() + (target.greenF() - base.greenF()) * share,
        base.blueF() + (target.blueF() - base.blueF()) * share,
        opacity,
    )


@registered(bytes_each=2 * KB)
@lru_cache(64)
def jitter(seed: int, count: int) -> tuple[float, ...]:
    """Return ``count`` (at least 2) random numbers from -1 to 1, always the same ones for a seed.

    Which seed it is does not matter, as long as two edges of one shape have different ones. The
    first and the last are 0: there neighbouring sides join.
    """
    rng = random.Random(seed)
    return (0.0, *(rng.uniform(-1, 1) for _ in range(count - 2)), 0.0)
