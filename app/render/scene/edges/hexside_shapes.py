"""Draws hexsides: slopes, cliffs, dunes, walls, rivers, hedges, borders.

``draw_hexside`` draws a side of a cell with the function that ``SHAPES``, at the end, has for its
hexside. Slopes, cliffs and dunes have modules of their own, the others are here. The bare numbers
are distances ``out`` from the curve (``hexside_line``) and widths of lines, in map units, chosen
by eye so that a shape stays between ``INWARDS`` and ``OUTWARDS``, but for shadows of bushes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from app.render.scene.edges.cliffs import draw_cliff
from app.render.scene.edges.dunes import draw_dune
from app.render.scene.edges.hexside_inks import fill, fill_strip, jitter, stroke, tone
from app.render.scene.edges.hexside_line import ALONGS, HexsideLine
from app.render.scene.edges.slopes import GRASS, draw_slope
from randomizer.model.terrain.terrain import Hexside


def draw_hexside(painter: QPainter, hexside: Hexside, line: HexsideLine) -> None:
    """Draw a hexside by its name; one that ``SHAPES`` lacks is a strip in its colour."""
    shape = SHAPES.get(hexside.name)
    if shape is None:
        fill(painter, line.strip(-0.06, 0.06), QColor(hexside.colour))
    else:
        shape(painter, line)


STONE_JOINTS = 14
"""The joints between the stones of a wall along one side, of both courses."""

WALL_INNER = -0.185
"""Where the inner edge of a wall lies."""

WALL_MIDDLE = -0.125
"""Where the two courses of a wall meet."""

WALL_OUTER = -0.075
"""Where the merlons of a wall begin, and its outer course ends below them."""

MERLON_END = 0.02
"""Where the merlons of a wall end."""

MERLONS = 5
"""The merlons of a wall along one side."""


def _draw_wall(painter: QPainter, line: HexsideLine) -> None:
    """Draw masonry in the owner's cell, its merlons outwards."""
    line = line.without_tapers()  # a wall ends straight
    fill(painter, line.strip(-0.18, 0.075), QColor(27, 25, 24, 70))
    fill_strip(painter, line, (WALL_INNER, -0.06), "#bcb6ad", 0.25)

    # Two courses of stones, whose joints lie by turns in one and the other.
    stroke(painter, line.points_at_distance(WALL_INNER), QColor("#45413d"), 0.016)
    stroke(painter, line.points_at_distance(WALL_MIDDLE), QColor("#7a746c"), 0.010)
    for i in range(STONE_JOINTS):
        along = (i + 0.5) / STONE_JOINTS
        if i % 2 == 0:
            joint = [line.at(along, WALL_MIDDLE), line.at(along, -0.07)]  # of the outer course
        else:
            joint = [line.at(along, WALL_INNER), line.at(along, WALL_MIDDLE)]
        stroke(painter, joint, QColor("#7a746c"), 0.010)

    for i in range(MERLONS):
        _draw_merlon(painter, line, (i + 0.12) / MERLONS, (i + 0.88) / MERLONS)
    stroke(painter, line.points_at_distance(WALL_OUTER), QColor("#45413d"), 0.013)


def _draw_merlon(painter: QPainter, line: HexsideLine, start: float, end: float) -> None:
    """Draw a block on a wall, its inner half in the light, with an outline."""
    facing = line.curve.facing_at((start + end) / 2)
    block = line.quad(start, end, (WALL_OUTER, WALL_OUTER), (MERLON_END, MERLON_END))
    fill(painter, block, tone("#8b857d", facing, 0.3))
    lit_part = line.quad(start + 0.008, end - 0.008, (-0.068, -0.068), (-0.03, -0.03))
    fill(painter, lit_part, tone("#dcd7cf", facing, 0.3))
    outline = [line.at(start, WALL_OUTER), line.at(end, WALL_OUTER), line.at(end, MERLON_END)]
    outline += [line.at(start, MERLON_END), outline[0]]
    stroke(painter, outline, QColor("#45413d"), 0.013)


RIVER_WAVES = ((0.12, -0.02), (0.38, 0.025), (0.62, -0.028), (0.8, 0.015))
"""The white waves on a river: the share of the side at which each begins, and its distance."""


def _draw_river(painter: QPainter, line: HexsideLine, size: float = 1.0) -> None:
    """Draw water along the edge itself, alike on both sides; ``size`` 1 is a river's width."""
    # Bank, water and current, each narrower than the one below it.
    for half_width, colour in ((0.093, "#235382"), (0.075, "#4b8fcb"), (0.032, "#6fb0e0")):
        fill(painter, line.middle_strip(ALONGS, half_width * size), QColor(colour))

    # Short white waves, on one side of the middle and on the other by turns.
    for start, out in RIVER_WAVES:
        wave = []
        for i in range(5):
            wave_out = (out + 0.012 * math.sin(i * 1.6)) * size
            wave.append(line.at(start + 0.025 * i, wave_out, tip=0.0))
        stroke(painter, wave, QColor("#eef8fe"), 0.013 * size)


class _Bush(NamedTuple):
    """A bush of a hedge."""

    middle: QPointF
    """Where it stands, in map units from the centre of the cell."""
    half_width: float
    """Half its width, in map units."""


class _BushLayer(NamedTuple):
    """Ellipses of one colour, one for each bush of a hedge."""

    dx: float
    """How far they lie beside the middle of their bush, to the right, in map units."""
    dy: float
    """How far they lie below it, in map units."""
    size: float
    """How wide they are, in widths of their bush."""
    colour: QColor
    """Their colour."""


BUSH_LAYERS = (
    _BushLayer(0.022, 0.03, 1.15, QColor(20, 28, 12, 90)),
    _BushLayer(0.0, 0.0, 1.0, QColor("#2f4a22")),
    _BushLayer(-0.012, -0.016, 0.74, QColor("#4c6f33")),
    _BushLayer(-0.024, -0.03, 0.38, QColor("#86a653")),
)
"""The shadow of bushes, then their leaves: smaller, lighter and nearer to the light each time."""

BUSHES = 12
"""The bushes of a hedge along one side, the first and the last at its ends."""


def _draw_hedge(painter: QPainter, line: HexsideLine) -> None:
    """Draw bushes along the edge, dark below and light above."""
    line = line.without_tapers()  # a hedge ends with a whole bush
    rough = jitter(17, BUSHES)
    bushes = []
    for i in range(BUSHES):
        # The same numbers from behind, so that position and width of a bush differ.
        half_width = 0.07 + 0.014 * rough[-1 - i]
        middle = line.at(i / (BUSHES - 1), 0.016 * rough[i], tip=0.0)
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


def _draw_border(painter: QPainter, line: HexsideLine) -> None:
    """Draw dashes of a broad band along the edge, as maps show the borders of realms."""
    line = line.without_tapers()  # dashes end straight
    for half_width, colour in ((0.062, "#fff3e2"), (0.042, "#a8322d")):  # a light rim below
        for dash in range(BORDER_DASHES):
            start = (dash + (1 - DASH_SHARE) / 2) / BORDER_DASHES
            length = DASH_SHARE / BORDER_DASHES
            alongs = [start + length * i / 4 for i in range(5)]  # four pieces follow the curve
            fill(painter, line.middle_strip(alongs, half_width), QColor(colour))


SHAPES: dict[str, Callable[[QPainter, HexsideLine], None]] = {
    "Slope": draw_slope,
    "Cliff": draw_cliff,
    "Dune": draw_dune,
    "Wall": _draw_wall,
    "River": _draw_river,
    "Stream": partial(_draw_river, size=0.55),
    "Hedge": _draw_hedge,
    "Bank": partial(draw_slope, colours=GRASS),
    "Border": _draw_border,
}
"""The functions that draw the hexsides that have a shape, by the name of the hexside.

Systems name theirs so in their terrain sets; one of another name is a strip (``draw_hexside``).
"""
