"""Draws hexsides along a contour: slopes, cliffs, dunes, walls, rivers, hedges, borders.

Places are ``(along, out)``: the share of the way along the contour and the distance outside of it,
in map units; the higher cell lies inside. What two sides have at their common end is the same, so
that they join there. An end where nothing goes on is tapered.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.appearance.painting import fill_together
from app.render.scene.edges.drop_lines import Contour
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Hexside

TAPER = 0.16
"""The share of a side along which an open end is tapered."""

OUTWARDS = 0.115
"""How far hexsides reach outside of their contour."""

INWARDS = 0.21
"""How far they reach into their cell."""

FINE = 16
"""Long edges are drawn in this many pieces along a side."""


class HexsideLine(NamedTuple):
    """The line along which a hexside is drawn: a contour, and which of its ends are ``open``."""

    contour: Contour
    open_start: bool = False
    open_end: bool = False

    def at(self, along: float, out: float, middle: float = -0.03) -> QPointF:
        """Return a place on the map; at open ends all comes together at ``middle`` outside."""
        share = 1.0
        if self.open_start:
            share = min(share, along / TAPER)
        if self.open_end:
            share = min(share, (1 - along) / TAPER)
        if share < 1:
            share = math.sin(max(0.0, share) * math.pi / 2)
        else:
            share = 1.0
        return self.contour.at(along, middle + (out - middle) * share)

    def band(self, inner: Callable[[float], float], outer: Callable[[float], float]) -> QPolygonF:
        """Return what lies between two lines that are given by how far they are outside."""
        places = [i / FINE for i in range(FINE + 1)]
        points = [self.at(u, inner(u)) for u in places]
        return QPolygonF([*points, *(self.at(u, outer(u)) for u in reversed(places))])

    def strip(self, inner: float, outer: float) -> QPolygonF:
        """Return a band of constant width."""
        return self.band(lambda _: inner, lambda _: outer)

    def quads(
        self, inner: float, outer: float, count: int = 8
    ) -> Iterable[tuple[QPolygonF, float]]:
        """Yield a strip in ``count`` pieces, each with its facing (``Knot.facing``)."""
        places = [i / count for i in range(count + 1)]
        above = pairwise([self.at(u, inner) for u in places])
        below = pairwise([self.at(u, outer) for u in places])
        for (a, b), (c, d), (e, f) in zip(pairwise(places), above, below, strict=True):
            yield QPolygonF((c, d, f, e)), self.contour.facing((a + b) / 2)


def draw_hexside(painter: QPainter, hexside: Hexside, line: HexsideLine) -> None:
    """Draw a hexside; one without a shape of its own is a strip in its colour."""
    shape = SHAPES.get(hexside.name)
    if shape is None:
        _fill(painter, line.band(lambda _: -0.06, lambda _: 0.06), QColor(hexside.colour))
    else:
        shape(painter, line)


def _fill(painter: QPainter, polygon: QPolygonF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(polygon)


def _fill_strip(
    painter: QPainter, line: HexsideLine, outs: tuple[float, float], colour: str, contrast: float
) -> None:
    """Fill the strip between two distances from the contour, in the light."""
    quads = line.quads(*outs)
    fill_together(painter, ((quad, tone(colour, facing, contrast)) for quad, facing in quads))


def _stroke(
    painter: QPainter, points: Sequence[QPointF], colour: QColor | str, width: float
) -> None:
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


def _along(line: HexsideLine, out: Callable[[float], float]) -> list[QPointF]:
    return [line.at(i / FINE, out(i / FINE)) for i in range(FINE + 1)]


@registered(bytes_each=500)
@lru_cache(1000)
def tone(colour: str, facing: float, contrast: float = 0.35, opacity: float = 1.0) -> QColor:
    """Return a colour in the light: ``facing`` is 1 towards it, -1 away from it."""
    base = QColor(colour)
    target = QColor("#fff6dc") if facing > 0 else QColor("#140d08")
    share = abs(facing) * contrast * (0.8 if facing > 0 else 1.0)
    return QColor.fromRgbF(
        base.redF() + (target.redF() - base.redF()) * share,
        base.greenF() + (target.greenF() - base.greenF()) * share,
        base.blueF() + (target.blueF() - base.blueF()) * share,
        opacity,
    )


@registered(bytes_each=2 * KB)
@lru_cache(64)
def _jitter(seed: int, count: int) -> tuple[float, ...]:
    """``count`` numbers from -1 to 1; the first and the last are 0, where sides join."""
    rng = random.Random(seed)
    return (0.0, *(rng.uniform(-1, 1) for _ in range(count - 2)), 0.0)


def _slope(
    painter: QPainter,
    line: HexsideLine,
    ink: str = "#6b4824",
    rim: str = "#f2e2bf",
    face: tuple[str, str] = ("#9a7a48", "#5d3f1d"),
) -> None:
    """Hachures, as on a map: thick on the high side, running out to a point downhill.

    ``face`` are the colours of the slope in the light and in the shade.
    """
    for step in range(4):
        foot = -0.02 + 0.03 * step
        quads = line.quads(-0.15, foot)
        shades = [(quad, facing, face[facing <= 0]) for quad, facing in quads]
        fill_together(painter, ((quad, tone(by, facing, 0.3, 0.20)) for quad, facing, by in shades))
    count = 15
    hachures = []
    for i in range(count):
        u = (i + 0.5) / count
        facing = line.contour.facing(u)
        foot = 0.10 if i % 2 == 0 else 0.0
        half = 0.017 if facing > 0 else 0.021
        corners = ((u - half, -0.15), (u + half, -0.15), (u + 0.004, foot), (u - 0.004, foot))
        hachure = QPolygonF([line.at(*corner) for corner in corners])
        hachures.append((hachure, tone(ink, facing, 0.22)))
    fill_together(painter, hachures)
    for inner, outer, colour in ((-0.163, -0.14, ink), (-0.188, -0.163, rim)):
        _fill_strip(painter, line, (inner, outer), colour, 0.3)


def _cliff(painter: QPainter, line: HexsideLine) -> None:
    """A rock face: a light rim above, jagged teeth falling outwards."""
    teeth = 8
    rough = _jitter(12, 2 * teeth + 1)
    _fill(painter, line.strip(-0.02, 0.095), QColor(24, 16, 12, 60))
    _fill(painter, line.strip(-0.02, 0.055), QColor(24, 16, 12, 70))
    feet = [
        (i / (2 * teeth), (0.055 if i % 2 else -0.015) + 0.018 * rough[i])
        for i in range(2 * teeth + 1)
    ]
    feet[0] = (0.0, 0.0)
    feet[-1] = (1.0, 0.0)
    faces = []
    for i, ((u, a), (w, b)) in enumerate(pairwise(feet)):
        corners = ((u, -0.15), (w, -0.15), (w, b), (u, a))
        face = QPolygonF([line.at(*corner) for corner in corners])
        facing = line.contour.facing((u + w) / 2)
        faces.append((face, tone("#8a7160" if i % 2 == 0 else "#4c3a2f", facing, 0.36)))
    fill_together(painter, faces)
    for i in range(1, 2 * teeth, 2):  # clefts
        u = i / (2 * teeth)
        top = -0.10 + 0.03 * rough[i]
        _stroke(painter, [line.at(u, top), line.at(u, feet[i][1])], QColor(30, 20, 14, 170), 0.012)
    _stroke(painter, [line.at(u, out) for u, out in feet], QColor("#2a1d16"), 0.014)
    inner = _jitter(5, FINE + 1)
    outer = _jitter(7, FINE + 1)

    def above(u: float) -> float:
        return -0.188 + 0.014 * inner[round(u * FINE)]

    def below(u: float) -> float:
        return -0.142 + 0.016 * outer[round(u * FINE)]

    rim = []
    for a, b in pairwise(i / FINE for i in range(FINE + 1)):
        corners = ((a, above(a)), (b, above(b)), (b, below(b)), (a, below(a)))
        edge = QPolygonF([line.at(*corner) for corner in corners])
        rim.append((edge, tone("#d9c6a8", line.contour.facing(a + 0.5 / FINE), 0.35)))
    fill_together(painter, rim)
    _stroke(painter, _along(line, above), QColor("#3a2a20"), 0.011)
    _stroke(painter, _along(line, below), QColor("#2a1d16"), 0.013)


def _dune(painter: QPainter, line: HexsideLine) -> None:
    """A ridge of sand: it rises gently in the sand cell and slips steeply outwards."""

    def crest(u: float) -> float:
        return (
            -0.075
            - 0.028 * math.sin(2 * math.pi * u) * math.sin(math.pi * u)
            - 0.012 * math.sin(6 * math.pi * u)
        )

    def foot(u: float) -> float:
        return 0.045 + 0.022 * math.sin(4 * math.pi * u + 0.6) * math.sin(math.pi * u)

    for step in range(5):
        rise = -0.21 + 0.026 * step

        def start(u: float, rise: float = rise) -> float:
            return rise + 0.3 * (crest(u) + 0.075)

        _fill(painter, line.band(start, crest), QColor(255, 243, 200, 62))
    _fill(painter, line.band(crest, lambda u: foot(u) + 0.025), QColor(59, 42, 12, 60))
    places = [i / FINE for i in range(FINE + 1)]
    for share, colour in ((1.0, "#c9a052"), (0.66, "#b58a40"), (0.33, "#9c7430")):
        slips = []
        for a, b in pairwise(places):
            points = (
                line.at(a, crest(a)),
                line.at(b, crest(b)),
                line.at(b, crest(b) + (foot(b) - crest(b)) * share),
                line.at(a, crest(a) + (foot(a) - crest(a)) * share),
            )
            facing = line.contour.facing((a + b) / 2)
            slips.append((QPolygonF(points), tone(colour, facing, 0.42)))
        fill_together(painter, slips)
    _stroke(painter, _along(line, foot), QColor(118, 83, 29, 200), 0.010)
    _stroke(painter, _along(line, crest), QColor("#fff6d8"), 0.022)


MERLONS = 5
LIT_MERLON = (0.008, -0.068, -0.03, "#dcd7cf")


def _wall(painter: QPainter, line: HexsideLine) -> None:
    """Masonry in the owner's cell, its merlons outwards; it ends straight."""
    line = HexsideLine(line.contour)
    _fill(painter, line.strip(-0.18, 0.075), QColor(27, 25, 24, 70))
    _fill_strip(painter, line, (-0.185, -0.06), "#bcb6ad", 0.25)
    _stroke(painter, _along(line, lambda _: -0.185), QColor("#45413d"), 0.016)
    _stroke(painter, _along(line, lambda _: -0.125), QColor("#7a746c"), 0.010)
    for i in range(14):
        joint = (-0.185, -0.125) if i % 2 else (-0.125, -0.07)
        points = [line.at((i + 0.5) / 14, out) for out in joint]
        _stroke(painter, points, QColor("#7a746c"), 0.010)
    for i in range(MERLONS):
        a = (i + 0.12) / MERLONS
        b = (i + 0.88) / MERLONS
        facing = line.contour.facing((a + b) / 2)
        for inset, inner, outer, colour in ((0, -0.075, 0.02, "#8b857d"), LIT_MERLON):
            places = (
                (a + inset, inner),
                (b - inset, inner),
                (b - inset, outer),
                (a + inset, outer),
            )
            face = QPolygonF([line.at(*place) for place in places])
            _fill(painter, face, tone(colour, facing, 0.3))
        edge = [line.at(*each) for each in ((a, -0.075), (b, -0.075), (b, 0.02), (a, 0.02))]
        _stroke(painter, [*edge, edge[0]], QColor("#45413d"), 0.013)
    _stroke(painter, _along(line, lambda _: -0.075), QColor("#45413d"), 0.013)


def _river(painter: QPainter, line: HexsideLine, size: float = 1.0) -> None:
    """Water along the edge itself, alike on both sides; ``size`` 1 is a river's width."""
    for half, colour in ((0.093, "#235382"), (0.075, "#4b8fcb"), (0.032, "#6fb0e0")):
        places = [i / FINE for i in range(FINE + 1)]
        banks = [line.at(u, -half * size, 0.0) for u in places]
        banks += [line.at(u, half * size, 0.0) for u in reversed(places)]
        _fill(painter, QPolygonF(banks), QColor(colour))
    for start, out in ((0.12, -0.02), (0.38, 0.025), (0.62, -0.028), (0.8, 0.015)):
        wave = [(start + 0.025 * i, (out + 0.012 * math.sin(i * 1.6)) * size) for i in range(5)]
        points = [line.at(u, v, 0.0) for u, v in wave]
        _stroke(painter, points, QColor("#eef8fe"), 0.013 * size)


def _hedge(painter: QPainter, line: HexsideLine) -> None:
    """Bushes along the edge, dark below and light above; it ends with a bush."""
    count = 11
    rough = _jitter(17, count + 1)
    bushes = [
        (
            HexsideLine(line.contour).at(i / count, 0.016 * rough[i], 0.0),
            0.07 + 0.014 * rough[-1 - i],
        )
        for i in range(count + 1)
    ]
    for dx, dy, size, colour in (
        (0.022, 0.03, 1.15, QColor(20, 28, 12, 90)),
        (0.0, 0.0, 1.0, QColor("#2f4a22")),
        (-0.012, -0.016, 0.74, QColor("#4c6f33")),
        (-0.024, -0.03, 0.38, QColor("#86a653")),
    ):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for middle, half in bushes:
            painter.drawEllipse(middle + QPointF(dx, dy), half * size, half * size * 0.9)


def _border(painter: QPainter, line: HexsideLine) -> None:
    """Dashes of a broad band along the edge, as maps show the borders of realms."""
    line = HexsideLine(line.contour)
    for half, colour in ((0.062, "#fff3e2"), (0.042, "#a8322d")):
        for i in range(3):
            places = [(i + 0.14 + 0.72 * j / 4) / 3 for j in range(5)]
            dash = [line.at(u, -half, 0.0) for u in places]
            dash += [line.at(u, half, 0.0) for u in reversed(places)]
            _fill(painter, QPolygonF(dash), QColor(colour))


SHAPES: dict[str, Callable[[QPainter, HexsideLine], None]] = {
    "Slope": _slope,
    "Cliff": _cliff,
    "Dune": _dune,
    "Wall": _wall,
    "River": _river,
    "Stream": partial(_river, size=0.55),
    "Hedge": _hedge,
    "Bank": partial(_slope, ink="#566327", rim="#dbe2a4", face=("#93a153", "#4c5a27")),
    "Border": _border,
}
"""The hexsides that have a shape, by name."""
