"""Draws hexsides along a contour: slopes, cliffs, dunes, walls, rivers, hedges, borders.

A point of a shape is ``(along, out)``: the share of the way along the contour (0 to 1) and the
distance outside of it, in map units; the higher cell lies inside, where ``out`` is below 0.
``HexsideLine.at`` says where that is on the map. At both ends of a side a shape is the same, so
that neighbouring sides join; an end where nothing goes on is tapered.

``draw_hexside`` draws a side with the function that ``SHAPES``, at the end, has for its hexside.
Each of these lays translucent shadows first, then the body, then the lines on it. The bare numbers
in them are distances ``out`` and widths of lines, chosen by eye so that a shape stays between
``INWARDS`` and ``OUTWARDS``.
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
"""How far hexsides reach outside of their contour, in map units: the boxes of pieces have room for
it."""

INWARDS = 0.21
"""How far hexsides reach inside of their contour, in map units."""

PIECES_PER_SIDE = 16
"""The straight pieces of a line along a side: with fewer, corners show where the contour bends."""

ALONGS = tuple(i / PIECES_PER_SIDE for i in range(PIECES_PER_SIDE + 1))
"""The shares of the way at which a line along a side has points."""

LIGHT = QColor("#fff6dc")
"""The colour towards which a face in the light is tinted."""

SHADE = QColor("#140d08")
"""The colour towards which a face in the shade is tinted."""

LIGHT_CONTRAST = 0.8
"""How far a face in the light is tinted, as a multiple of how far one in the shade is."""


class HexsideLine(NamedTuple):
    """The line along which a hexside is drawn: one side of a cell."""

    contour: Contour
    open_start: bool = False
    """True if no hexside goes on at its start: the shape is tapered there."""
    open_end: bool = False
    """True if no hexside goes on at its end: the shape is tapered there."""

    def at(self, along: float, out: float, middle: float = -0.03) -> QPointF:
        """Return the point of the map at ``along`` and ``out``.

        Towards an open end all distances shrink to ``middle``, so that the shape ends in a point
        there.
        """
        width_share = 1.0
        if self.open_start:
            width_share = min(width_share, along / TAPER)
        if self.open_end:
            width_share = min(width_share, (1 - along) / TAPER)
        if width_share < 1:
            # By the sine the tip is round.
            width_share = math.sin(max(0.0, width_share) * math.pi / 2)
        return self.contour.at(along, middle + (out - middle) * width_share)

    def quad(
        self, start: float, end: float, inner: tuple[float, float], outer: tuple[float, float]
    ) -> QPolygonF:
        """Return the quadrangle from ``start`` to ``end`` along the contour.

        ``inner`` and ``outer`` are its two long sides: the distances ``out`` of both at the start
        and at the end.
        """
        return QPolygonF(
            [
                self.at(start, inner[0]),
                self.at(end, inner[1]),
                self.at(end, outer[1]),
                self.at(start, outer[0]),
            ]
        )

    def band(self, inner: Callable[[float], float], outer: Callable[[float], float]) -> QPolygonF:
        """Return the area between two lines along the contour.

        Both are functions that return the distance ``out`` at a share ``along``.
        """
        points = [self.at(along, inner(along)) for along in ALONGS]
        points += [self.at(along, outer(along)) for along in reversed(ALONGS)]
        return QPolygonF(points)

    def strip(self, inner: float, outer: float) -> QPolygonF:
        """Return the area between two lines parallel to the contour, by their distances ``out``."""
        return self.band(lambda _: inner, lambda _: outer)

    def quads(
        self, inner: float, outer: float, count: int = 8
    ) -> Iterable[tuple[QPolygonF, float]]:
        """Yield a strip in ``count`` pieces, each with its facing (``Knot.facing``).

        Each piece gets one colour by its facing, so that a strip that bends is lit as it turns.
        """
        for start, end in pairwise(i / count for i in range(count + 1)):
            quad = self.quad(start, end, (inner, inner), (outer, outer))
            yield quad, self.contour.facing((start + end) / 2)


def draw_hexside(painter: QPainter, hexside: Hexside, line: HexsideLine) -> None:
    """Draw a hexside by its name; one that ``SHAPES`` lacks is a strip in its colour."""
    shape = SHAPES.get(hexside.name)
    if shape is None:
        _fill(painter, line.strip(-0.06, 0.06), QColor(hexside.colour))
    else:
        shape(painter, line)


def _fill(painter: QPainter, polygon: QPolygonF, colour: QColor) -> None:
    """Fill a polygon without an outline."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(polygon)


def _fill_strip(
    painter: QPainter, line: HexsideLine, outs: tuple[float, float], colour: str, contrast: float
) -> None:
    """Fill the strip between two distances from the contour, lit by ``tone`` piece by piece."""
    quads = line.quads(*outs)
    fill_together(painter, ((quad, tone(colour, facing, contrast)) for quad, facing in quads))


def _stroke(
    painter: QPainter, points: Sequence[QPointF], colour: QColor | str, width: float
) -> None:
    """Draw an open line with round ends and corners; ``width`` is in map units."""
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))


def _points_along(line: HexsideLine, out: Callable[[float], float]) -> list[QPointF]:
    """Return the points, at ``ALONGS``, of a line that is ``out(along)`` outside of the contour."""
    return [line.at(along, out(along)) for along in ALONGS]


def _points_beside(line: HexsideLine, out: float) -> list[QPointF]:
    """Return the points, at ``ALONGS``, of a line parallel to the contour."""
    return _points_along(line, lambda _: out)


@registered(bytes_each=500)
@lru_cache(1000)
def tone(colour: str, facing: float, contrast: float = 0.35, opacity: float = 1.0) -> QColor:
    """Return a colour in the light: ``facing`` is 1 towards it, -1 away from it.

    The colour goes the share ``contrast`` of the way to ``SHADE`` where it faces away, and
    ``LIGHT_CONTRAST`` times that to ``LIGHT`` where it faces the light.
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
def _jitter(seed: int, count: int) -> tuple[float, ...]:
    """Return ``count`` random numbers from -1 to 1, the same ones for a seed each time.

    The first and the last are 0: there neighbouring sides join.
    """
    rng = random.Random(seed)
    return (0.0, *(rng.uniform(-1, 1) for _ in range(count - 2)), 0.0)


HACHURES = 15
"""The hachures of a slope along one side."""


def _slope(
    painter: QPainter,
    line: HexsideLine,
    ink: str = "#6b4824",
    rim: str = "#f2e2bf",
    face: tuple[str, str] = ("#9a7a48", "#5d3f1d"),
) -> None:
    """Draw hachures, as on a map: thick on the high side, running out to a point downhill.

    ``ink`` is their colour, ``rim`` that of the line above them. ``face`` are the colours of the
    slope below them in the light and in the shade.
    """
    lit_colour, shaded_colour = face
    # The face of the slope fades downhill: four strips, each wider than the one before it.
    for step in range(4):
        foot = -0.02 + 0.03 * step
        strip = []
        for quad, facing in line.quads(-0.15, foot):
            colour = shaded_colour
            if facing > 0:
                colour = lit_colour
            strip.append((quad, tone(colour, facing, 0.3, 0.20)))
        fill_together(painter, strip)

    hachures = []
    for i in range(HACHURES):
        along = (i + 0.5) / HACHURES
        facing = line.contour.facing(along)
        # Long and short hachures by turns, which are thinner in the light.
        foot = 0.0
        if i % 2 == 0:
            foot = 0.10
        half_width = 0.021
        if facing > 0:
            half_width = 0.017
        points = [
            line.at(along - half_width, -0.15),
            line.at(along + half_width, -0.15),
            line.at(along + 0.004, foot),
            line.at(along - 0.004, foot),
        ]
        hachures.append((QPolygonF(points), tone(ink, facing, 0.22)))
    fill_together(painter, hachures)

    _fill_strip(painter, line, (-0.163, -0.14), ink, 0.3)
    _fill_strip(painter, line, (-0.188, -0.163), rim, 0.3)


def _cliff(painter: QPainter, line: HexsideLine) -> None:
    """Draw a rock face: a light rim above, jagged teeth falling outwards."""
    _fill(painter, line.strip(-0.02, 0.095), QColor(24, 16, 12, 60))
    _fill(painter, line.strip(-0.02, 0.055), QColor(24, 16, 12, 70))
    _draw_rock_teeth(painter, line)
    _draw_rock_rim(painter, line)


def _draw_rock_teeth(painter: QPainter, line: HexsideLine) -> None:
    """Draw the face of a cliff: teeth whose sides are light and dark by turns."""
    half_teeth = 16  # the sides of teeth, two for each tooth
    rough = _jitter(12, half_teeth + 1)
    alongs = [i / half_teeth for i in range(half_teeth + 1)]
    feet = []
    for i in range(half_teeth + 1):
        foot = -0.015  # the gap between two teeth
        if i % 2 == 1:
            foot = 0.055  # the tip of a tooth
        feet.append(foot + 0.018 * rough[i])
    # Where sides join.
    feet[0] = 0.0
    feet[-1] = 0.0

    faces = []
    for i in range(half_teeth):
        start = alongs[i]
        end = alongs[i + 1]
        face = line.quad(start, end, (-0.15, -0.15), (feet[i], feet[i + 1]))
        colour = "#4c3a2f"
        if i % 2 == 0:
            colour = "#8a7160"
        faces.append((face, tone(colour, line.contour.facing((start + end) / 2), 0.36)))
    fill_together(painter, faces)

    for i in range(1, half_teeth, 2):  # a cleft down the middle of each tooth
        top = -0.10 + 0.03 * rough[i]
        cleft = [line.at(alongs[i], top), line.at(alongs[i], feet[i])]
        _stroke(painter, cleft, QColor(30, 20, 14, 170), 0.012)

    outline = [line.at(along, foot) for along, foot in zip(alongs, feet, strict=True)]
    _stroke(painter, outline, QColor("#2a1d16"), 0.014)


def _draw_rock_rim(painter: QPainter, line: HexsideLine) -> None:
    """Draw the light rim above a cliff, between two rough lines."""
    inner_rough = _jitter(5, PIECES_PER_SIDE + 1)
    outer_rough = _jitter(7, PIECES_PER_SIDE + 1)

    def inner(along: float) -> float:
        return -0.188 + 0.014 * inner_rough[round(along * PIECES_PER_SIDE)]

    def outer(along: float) -> float:
        return -0.142 + 0.016 * outer_rough[round(along * PIECES_PER_SIDE)]

    rim = []
    for start, end in pairwise(ALONGS):
        quad = line.quad(start, end, (inner(start), inner(end)), (outer(start), outer(end)))
        facing = line.contour.facing((start + end) / 2)
        rim.append((quad, tone("#d9c6a8", facing, 0.35)))
    fill_together(painter, rim)
    _stroke(painter, _points_along(line, inner), QColor("#3a2a20"), 0.011)
    _stroke(painter, _points_along(line, outer), QColor("#2a1d16"), 0.013)


CREST_AT_ENDS = -0.075
"""The distance ``out`` of the crest of a dune at both ends of a side."""


def _crest(along: float) -> float:
    """Return the distance ``out`` of the crest of a dune: waves that end at -0.075.

    All sines are 0 at both ends, so that neighbouring sides join.
    """
    return (
        CREST_AT_ENDS
        - 0.028 * math.sin(2 * math.pi * along) * math.sin(math.pi * along)
        - 0.012 * math.sin(6 * math.pi * along)
    )


def _dune_foot(along: float) -> float:
    """Return the distance ``out`` of the foot of a dune: waves that end at 0.045."""
    wave = math.sin(4 * math.pi * along + 0.6)
    return 0.045 + 0.022 * wave * math.sin(math.pi * along)


def _dune(painter: QPainter, line: HexsideLine) -> None:
    """Draw a ridge of sand: it rises gently in the sand cell and slips steeply outwards."""
    for step in range(5):  # bands one in the other, so that the light grows towards the crest
        rise = -0.21 + 0.026 * step

        def start_of_rise(along: float, rise: float = rise) -> float:
            # It follows the waves of the crest, weaker.
            return rise + 0.3 * (_crest(along) - CREST_AT_ENDS)

        _fill(painter, line.band(start_of_rise, _crest), QColor(255, 243, 200, 62))

    shadow = line.band(_crest, lambda along: _dune_foot(along) + 0.025)
    _fill(painter, shadow, QColor(59, 42, 12, 60))

    # The steep side, darkest below the crest: over all of it, then over less and less.
    for share, colour in ((1.0, "#c9a052"), (0.66, "#b58a40"), (0.33, "#9c7430")):
        slips = []
        for start, end in pairwise(ALONGS):
            crests = (_crest(start), _crest(end))
            feet = (
                crests[0] + (_dune_foot(start) - crests[0]) * share,
                crests[1] + (_dune_foot(end) - crests[1]) * share,
            )
            facing = line.contour.facing((start + end) / 2)
            slips.append((line.quad(start, end, crests, feet), tone(colour, facing, 0.42)))
        fill_together(painter, slips)

    _stroke(painter, _points_along(line, _dune_foot), QColor(118, 83, 29, 200), 0.010)
    _stroke(painter, _points_along(line, _crest), QColor("#fff6d8"), 0.022)


STONE_JOINTS = 14
"""The joints between the stones of a wall along one side, of both courses."""

MERLONS = 5
"""The merlons of a wall along one side."""


def _wall(painter: QPainter, line: HexsideLine) -> None:
    """Draw masonry in the owner's cell, its merlons outwards."""
    line = HexsideLine(line.contour)  # without tapered ends: a wall ends straight
    _fill(painter, line.strip(-0.18, 0.075), QColor(27, 25, 24, 70))
    _fill_strip(painter, line, (-0.185, -0.06), "#bcb6ad", 0.25)

    # Two courses of stones, whose joints lie by turns in one and the other.
    _stroke(painter, _points_beside(line, -0.185), QColor("#45413d"), 0.016)
    _stroke(painter, _points_beside(line, -0.125), QColor("#7a746c"), 0.010)
    for i in range(STONE_JOINTS):
        along = (i + 0.5) / STONE_JOINTS
        if i % 2 == 0:
            joint = [line.at(along, -0.125), line.at(along, -0.07)]  # of the outer course
        else:
            joint = [line.at(along, -0.185), line.at(along, -0.125)]
        _stroke(painter, joint, QColor("#7a746c"), 0.010)

    for i in range(MERLONS):
        _draw_merlon(painter, line, (i + 0.12) / MERLONS, (i + 0.88) / MERLONS)
    _stroke(painter, _points_beside(line, -0.075), QColor("#45413d"), 0.013)


def _draw_merlon(painter: QPainter, line: HexsideLine, start: float, end: float) -> None:
    """Draw a block on a wall, its inner half in the light, with an outline."""
    facing = line.contour.facing((start + end) / 2)
    block = line.quad(start, end, (-0.075, -0.075), (0.02, 0.02))
    _fill(painter, block, tone("#8b857d", facing, 0.3))
    lit_part = line.quad(start + 0.008, end - 0.008, (-0.068, -0.068), (-0.03, -0.03))
    _fill(painter, lit_part, tone("#dcd7cf", facing, 0.3))
    outline = [line.at(start, -0.075), line.at(end, -0.075), line.at(end, 0.02)]
    outline += [line.at(start, 0.02), outline[0]]
    _stroke(painter, outline, QColor("#45413d"), 0.013)


def _middle_strip(line: HexsideLine, alongs: Sequence[float], half: float) -> QPolygonF:
    """Return a strip that reaches ``half`` to both sides of the contour.

    ``alongs`` are the shares of the way at which it has points. At open ends it is tapered towards
    the contour itself.
    """
    points = [line.at(along, -half, 0.0) for along in alongs]
    points += [line.at(along, half, 0.0) for along in reversed(alongs)]
    return QPolygonF(points)


def _river(painter: QPainter, line: HexsideLine, size: float = 1.0) -> None:
    """Draw water along the edge itself, alike on both sides; ``size`` 1 is a river's width."""
    # Bank, water and current, each narrower than the one below it.
    for half_width, colour in ((0.093, "#235382"), (0.075, "#4b8fcb"), (0.032, "#6fb0e0")):
        _fill(painter, _middle_strip(line, ALONGS, half_width * size), QColor(colour))

    # Short white waves, on one side of the middle and on the other by turns.
    for start, out in ((0.12, -0.02), (0.38, 0.025), (0.62, -0.028), (0.8, 0.015)):
        wave = []
        for i in range(5):
            wave_out = (out + 0.012 * math.sin(i * 1.6)) * size
            wave.append(line.at(start + 0.025 * i, wave_out, 0.0))
        _stroke(painter, wave, QColor("#eef8fe"), 0.013 * size)


class _Bush(NamedTuple):
    """A bush of a hedge."""

    middle: QPointF
    """Its position on the map."""
    half_width: float
    """In map units."""


class _BushLayer(NamedTuple):
    """Ellipses of one colour, one for each bush of a hedge."""

    dx: float
    """How far they lie beside the middle of their bush, to the right, in map units."""
    dy: float
    """How far they lie below it, in map units."""
    size: float
    """Their width beside that of their bush."""
    colour: QColor


BUSH_LAYERS = (
    _BushLayer(0.022, 0.03, 1.15, QColor(20, 28, 12, 90)),
    _BushLayer(0.0, 0.0, 1.0, QColor("#2f4a22")),
    _BushLayer(-0.012, -0.016, 0.74, QColor("#4c6f33")),
    _BushLayer(-0.024, -0.03, 0.38, QColor("#86a653")),
)
"""The shadow of bushes, then their leaves: smaller, lighter and nearer to the light each time."""

BUSHES = 12
"""The bushes of a hedge along one side, the first and the last at its ends."""


def _hedge(painter: QPainter, line: HexsideLine) -> None:
    """Draw bushes along the edge, dark below and light above."""
    line = HexsideLine(line.contour)  # without tapered ends: a hedge ends with a whole bush
    rough = _jitter(17, BUSHES)
    bushes = []
    for i in range(BUSHES):
        # The same numbers from behind, so that position and width of a bush differ.
        half_width = 0.07 + 0.014 * rough[-1 - i]
        middle = line.at(i / (BUSHES - 1), 0.016 * rough[i], 0.0)
        bushes.append(_Bush(middle, half_width))

    painter.setPen(Qt.PenStyle.NoPen)
    for layer in BUSH_LAYERS:
        painter.setBrush(layer.colour)
        for bush in bushes:
            half_width = bush.half_width * layer.size
            middle = bush.middle + QPointF(layer.dx, layer.dy)
            painter.drawEllipse(middle, half_width, half_width * 0.9)


BORDER_DASHES = 3
"""The dashes of a border along one side."""

DASH_SHARE = 0.72
"""The share of a dash in the length of dash and gap."""


def _border(painter: QPainter, line: HexsideLine) -> None:
    """Draw dashes of a broad band along the edge, as maps show the borders of realms."""
    line = HexsideLine(line.contour)  # without tapered ends: dashes end straight
    for half_width, colour in ((0.062, "#fff3e2"), (0.042, "#a8322d")):  # a light rim below
        for dash in range(BORDER_DASHES):
            start = (dash + (1 - DASH_SHARE) / 2) / BORDER_DASHES
            length = DASH_SHARE / BORDER_DASHES
            alongs = [start + length * i / 4 for i in range(5)]  # four pieces follow the contour
            _fill(painter, _middle_strip(line, alongs, half_width), QColor(colour))


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
