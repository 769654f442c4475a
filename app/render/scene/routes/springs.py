r"""Draws the spring of a river: wet ground, runlets that gather in a pool, and stones around it::

      \  |  /         runlets, which come out of the ground
    o  `-.-'   o
     o (   )  o       the pool between its stones
        | |
        | |           the river, drawn by rivers.py

Wet ground is drawn before the river and all else after it. Angles are measured at the middle of the
pool, in degrees clockwise from the direction in which the river leaves it; distances from the
middle are counted in radii of the pool.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF, QRadialGradient

from app.appearance.painting import faint, saved_state
from app.render.piece import closed_path
from app.render.scene.routes.ribbons import joined_path, points_along, ribbon
from app.render.scene.routes.river_courses import QUARTERS, Reach
from app.render.scene.routes.river_looks import BANK, BANKS, RiverScale, shallow_water

POOL = 1.1
"""The radius of a pool, as a share of the mean width of the river's first reach."""

MIN_POOL = 0.115
"""The least radius of a pool, as a share of the unit. A smaller one is hidden by its stones."""

FLATNESS = 0.72
"""The height of a pool or a stone as a share of its width: both are seen at a slant."""

POOL_CORNERS = 24
"""The number of corners of the outline of a pool: with fewer they show in large prints."""


class Wave(NamedTuple):
    """A wave around the outline of a pool, by which it differs from an ellipse."""

    waves: int
    """How often it rises on the way around."""

    height: float
    """Its height, as a share of the radius."""


POOL_WAVES = (Wave(2, 0.12), Wave(3, 0.1), Wave(5, 0.04))


class PoolLayer(NamedTuple):
    """One of the areas that are laid over each other as a pool."""

    radius: float
    """Its radius, in radii of the pool."""

    downstream: float
    """How far down the river its middle lies, in radii of the pool."""


BANK_LAYER = PoolLayer(1.3, -0.05)
SHALLOW_LAYER = PoolLayer(1.0, 0.0)
DEEP_LAYER = PoolLayer(0.68, 0.12)


class Runlet(NamedTuple):
    """A trickle that comes out of the ground and runs into the pool from behind."""

    angle_deg: float
    """The angle at which it begins, measured from the side away from the river."""

    distance: float
    """How far from the middle it begins."""


RUNLETS = (Runlet(-38.0, 2.6), Runlet(6.0, 3.4), Runlet(48.0, 2.8))

RUNLET_WIDTH = 0.6
"""The width of a runlet at the pool, in radii of the pool; it begins as a point."""

RUNLET_OPACITY = 0.75

RUNLET_BEND_ANGLE = 0.4
"""The angle of the bend of a runlet, as a share of that at which it begins. With 1 it is straight.
"""

RUNLET_BEND_DISTANCE = 0.6
"""The distance of its bend from the middle, as a share of that at which it begins."""

DAMP = QColor(38, 66, 50)
"""The colour of wet ground."""

DAMP_OPACITY = 0.4
"""The opacity of wet ground at the middle of a spring. With more it looks like a hole."""

DAMP_RADIUS = 3.0
"""How far wet ground reaches from the middle, in radii of the pool."""

DAMP_FADING = ((0.0, 1.0), (0.4, 0.6), (1.0, 0.0))
"""How wet ground gets dry: shares of its radius, and the share of the opacity that is left there.
"""

STILL_BANK = 0.05
"""How far the bank reaches around a spring from which nothing flows, as a share of the unit."""


class Stone(NamedTuple):
    """A stone at a spring."""

    angle_deg: float

    distance: float
    """How far its middle lies from that of the pool."""

    radius: float
    """Its radius, as a share of the unit."""


STONES = (
    Stone(206, 1.25, 0.058),
    Stone(238, 1.4, 0.036),
    Stone(152, 1.35, 0.045),
    Stone(84, 1.3, 0.05),
    Stone(62, 1.6, 0.034),
    Stone(-82, 1.35, 0.044),
)


class StoneLayer(NamedTuple):
    """A disc of a stone."""

    shift: float
    """How far it lies to the south-east, as a share of the unit."""

    radius: float
    """Its radius, as a share of the stone's."""

    colour: QColor


STONE_LAYERS = (
    StoneLayer(0.03, 1.12, QColor(40, 48, 40, 90)),
    StoneLayer(0.0, 1.0, QColor("#7b7a70")),
    StoneLayer(-0.015, 0.72, QColor("#a9a698")),
    StoneLayer(-0.023, 0.36, QColor("#d2cfc0")),
)
"""The discs of a stone in the light from the north-west: its shadow first, its top last."""


class Spring(NamedTuple):
    """The place where a river wells up."""

    middle: QPointF
    """The middle of its pool, in map units."""

    direction: float
    """The angle in radians at which the river leaves the pool, clockwise from the right."""

    radius: float
    """The radius of the pool, in map units."""

    def at(self, angle_deg: float, distance: float) -> QPointF:
        """Return the point at an angle to the river, ``distance`` radii from the middle."""
        angle = self.direction + math.radians(angle_deg)
        step = QPointF(math.cos(angle), math.sin(angle) * FLATNESS)
        return self.middle + step * (distance * self.radius)


def spring_of(reach: Reach, scale: RiverScale) -> Spring:
    """Return the spring of a river whose first reach begins within the cell."""
    points = points_along(reach.line)
    first_step = points[1] - points[0]
    mean_quarters = (reach.first_width + reach.last_width) / 2
    width = mean_quarters * scale.quarter
    return Spring(
        middle=points[0],
        direction=math.atan2(first_step.y(), first_step.x()),
        radius=max(width * POOL, scale.min_width * POOL, MIN_POOL * scale.unit),
    )


def draw_damp_ground(painter: QPainter, spring: Spring) -> None:
    """Darken the ground around a spring, which is wet there: before the river is drawn."""
    radius = spring.radius * DAMP_RADIUS
    gradient = QRadialGradient(QPointF(), radius)
    for distance, share in DAMP_FADING:
        gradient.setColorAt(distance, faint(DAMP, DAMP_OPACITY * share))
    with saved_state(painter):
        # A gradient is round: the painter is made flat for it, as the pool is.
        painter.translate(spring.middle)
        painter.scale(1.0, FLATNESS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawEllipse(QPointF(), radius, radius)


def draw_spring(painter: QPainter, colour: QColor, spring: Spring, scale: RiverScale) -> None:
    """Draw runlets, pool and stones, after the river; the painter has another pen and brush then.

    ``colour`` is that of the river's water.
    """
    painter.setPen(Qt.PenStyle.NoPen)
    shallow = shallow_water(colour)
    runlets = joined_path([_runlet_area(spring, runlet) for runlet in RUNLETS])
    painter.fillPath(runlets, faint(shallow, RUNLET_OPACITY))

    _widest, (_reach, bank_opacity) = BANKS
    painter.fillPath(_pool_area(spring, BANK_LAYER), faint(BANK, bank_opacity))
    painter.fillPath(_pool_area(spring, SHALLOW_LAYER), shallow)
    painter.fillPath(_pool_area(spring, DEEP_LAYER), colour)

    for stone in STONES:
        _draw_stone(painter, spring.at(stone.angle_deg, stone.distance), stone.radius, scale.unit)


def draw_still_spring(painter: QPainter, colour: QColor, scale: RiverScale) -> None:
    """Draw a spring from which nothing flows: a disc of water with a bank around it.

    It is round, not flat as pools are: so is the dot of any route without sides.
    """
    usual_width = QUARTERS * scale.quarter
    water_radius = usual_width / 2
    bank_radius = water_radius + STILL_BANK * scale.unit
    for radius, paint in ((bank_radius, BANK), (water_radius, colour)):
        disc = QPainterPath()
        disc.addEllipse(QPointF(), radius, radius)
        painter.fillPath(disc, paint)


def _runlet_area(spring: Spring, runlet: Runlet) -> QPainterPath:
    """Return the area of a runlet, which leads in a bend to the middle of the pool."""
    bend_angle = runlet.angle_deg * RUNLET_BEND_ANGLE
    line = QPainterPath(spring.at(180 + runlet.angle_deg, runlet.distance))
    line.quadTo(spring.at(180 + bend_angle, runlet.distance * RUNLET_BEND_DISTANCE), spring.middle)
    return ribbon(points_along(line), 0.0, RUNLET_WIDTH * spring.radius)


def _pool_area(spring: Spring, layer: PoolLayer) -> QPainterPath:
    """Return the area of a layer of the pool.

    Its waves depend on the direction of the river, so that springs are not all alike.
    """
    middle = spring.at(0, layer.downstream)
    corners = []
    for corner in range(POOL_CORNERS):
        angle = corner * 2 * math.pi / POOL_CORNERS
        radius = spring.radius * layer.radius
        for wave in POOL_WAVES:
            radius *= 1 + wave.height * math.sin(wave.waves * (angle + spring.direction))
        corners.append(middle + QPointF(math.cos(angle), math.sin(angle) * FLATNESS) * radius)
    return closed_path(QPolygonF(corners))


def _draw_stone(painter: QPainter, middle: QPointF, radius: float, unit: float) -> None:
    """Draw a stone; ``radius`` is a share of the ``unit``, which is in map units."""
    for layer in STONE_LAYERS:
        painter.setBrush(layer.colour)
        disc_radius = radius * layer.radius * unit
        disc_middle = middle + QPointF(layer.shift, layer.shift) * unit
        painter.drawEllipse(disc_middle, disc_radius, disc_radius * FLATNESS)
