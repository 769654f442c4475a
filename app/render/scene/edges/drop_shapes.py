"""The shapes of hexsides along which land drops: slopes, cliffs and dunes.

Each function draws from the bottom up: shadows if there are any, the face of the drop, then the
lines on it. The numbers are distances ``out`` from the contour (``hexside_line``) and widths of
lines, in map units, chosen by eye. For instance those of a slope::

    RIM_TOP  .. EDGE_TOP     a light rim on the higher land
    EDGE_TOP .. EDGE_FOOT    a dark line, the edge
    FACE_TOP .. LONG_FOOT    hachures, which run out to a point downhill
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.appearance.painting import fill_together
from app.render.scene.edges.hexside_inks import fill, fill_strip, jitter, stroke, tone
from app.render.scene.edges.hexside_line import ALONGS, PIECES_PER_SIDE, HexsideLine


class SlopeColours(NamedTuple):
    """The colours of a slope, as #rrggbb."""

    ink: str
    """Of the hachures, and of the line along their upper ends."""

    rim: str
    """Of the rim above that line."""

    lit_face: str
    """Of the slope below the hachures where it faces the light."""

    shaded_face: str
    """Of the slope where it faces away."""


EARTH = SlopeColours(ink="#6b4824", rim="#f2e2bf", lit_face="#9a7a48", shaded_face="#5d3f1d")
"""A slope of bare earth."""

GRASS = SlopeColours(ink="#566327", rim="#dbe2a4", lit_face="#93a153", shaded_face="#4c5a27")
"""A slope with grass, such as the bank of a river."""

RIM_TOP = -0.188
"""Where the light rim above a slope or a cliff begins."""

EDGE_TOP = -0.163
"""Where that of a slope ends, and the dark line along its edge begins."""

EDGE_FOOT = -0.14
"""Where that line ends."""

FACE_TOP = -0.15
"""Where the face of a slope or a cliff begins."""

LONG_FOOT = 0.10
"""Where long hachures end."""

HALF_HACHURE = 0.021
"""Half the width of a hachure at its upper end, as a share of the side."""

HALF_HACHURE_IN_LIGHT = 0.017
"""The same of a hachure that faces the light."""

HALF_TIP = 0.004
"""Half the width of a hachure at its foot, as a share of the side."""

HACHURES = 15
"""The hachures of a slope along one side."""


def draw_slope(painter: QPainter, line: HexsideLine, colours: SlopeColours = EARTH) -> None:
    """Draw hachures, as on a map: thick on the high side, running out to a point downhill."""
    _draw_slope_face(painter, line, colours)
    _draw_hachures(painter, line, colours)
    fill_strip(painter, line, (EDGE_TOP, EDGE_FOOT), colours.ink, 0.3)
    fill_strip(painter, line, (RIM_TOP, EDGE_TOP), colours.rim, 0.3)


def _draw_slope_face(painter: QPainter, line: HexsideLine, colours: SlopeColours) -> None:
    """Draw the face of a slope, which fades downhill: strips, each wider than the one before."""
    for step in range(4):
        foot = -0.02 + 0.03 * step
        strip = []
        for quad, facing in line.lit_pieces(FACE_TOP, foot):
            colour = colours.shaded_face
            if facing > 0:
                colour = colours.lit_face
            strip.append((quad, tone(colour, facing, 0.3, 0.20)))
        fill_together(painter, strip)


def _draw_hachures(painter: QPainter, line: HexsideLine, colours: SlopeColours) -> None:
    """Draw long and short hachures by turns, which are thinner in the light."""
    hachures = []
    for i in range(HACHURES):
        along = (i + 0.5) / HACHURES
        facing = line.contour.facing(along)
        foot = 0.0
        if i % 2 == 0:
            foot = LONG_FOOT
        half_width = HALF_HACHURE
        if facing > 0:
            half_width = HALF_HACHURE_IN_LIGHT
        points = [
            line.at(along - half_width, FACE_TOP),
            line.at(along + half_width, FACE_TOP),
            line.at(along + HALF_TIP, foot),
            line.at(along - HALF_TIP, foot),
        ]
        hachures.append((QPolygonF(points), tone(colours.ink, facing, 0.22)))
    fill_together(painter, hachures)


TEETH_SEED = 12
"""The seed of the rough feet of teeth; any other would do (``jitter``)."""

INNER_RIM_SEED = 5
"""The seed of the rough inner line of a rim; any other would do."""

OUTER_RIM_SEED = 7
"""The seed of the rough outer line of a rim; any other would do."""


def draw_cliff(painter: QPainter, line: HexsideLine) -> None:
    """Draw a rock face: a light rim above, jagged teeth falling outwards."""
    fill(painter, line.strip(-0.02, 0.095), QColor(24, 16, 12, 60))
    fill(painter, line.strip(-0.02, 0.055), QColor(24, 16, 12, 70))
    _draw_rock_teeth(painter, line)
    _draw_rock_rim(painter, line)


def _draw_rock_teeth(painter: QPainter, line: HexsideLine) -> None:
    """Draw the face of a cliff: teeth whose sides are light and dark by turns."""
    half_teeth = 16  # the sides of teeth, two for each tooth
    rough = jitter(TEETH_SEED, half_teeth + 1)
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
        face = line.quad(start, end, (FACE_TOP, FACE_TOP), (feet[i], feet[i + 1]))
        colour = "#4c3a2f"
        if i % 2 == 0:
            colour = "#8a7160"
        faces.append((face, tone(colour, line.contour.facing((start + end) / 2), 0.36)))
    fill_together(painter, faces)

    for i in range(1, half_teeth, 2):  # a cleft down the middle of each tooth
        top = -0.10 + 0.03 * rough[i]
        cleft = [line.at(alongs[i], top), line.at(alongs[i], feet[i])]
        stroke(painter, cleft, QColor(30, 20, 14, 170), 0.012)

    outline = [line.at(along, foot) for along, foot in zip(alongs, feet, strict=True)]
    stroke(painter, outline, QColor("#2a1d16"), 0.014)


def _draw_rock_rim(painter: QPainter, line: HexsideLine) -> None:
    """Draw the light rim above a cliff, between two rough lines."""
    inner_rough = jitter(INNER_RIM_SEED, PIECES_PER_SIDE + 1)
    outer_rough = jitter(OUTER_RIM_SEED, PIECES_PER_SIDE + 1)

    def inner(along: float) -> float:
        return RIM_TOP + 0.014 * inner_rough[round(along * PIECES_PER_SIDE)]

    def outer(along: float) -> float:
        return -0.142 + 0.016 * outer_rough[round(along * PIECES_PER_SIDE)]

    rim = []
    for start, end in pairwise(ALONGS):
        quad = line.quad(start, end, (inner(start), inner(end)), (outer(start), outer(end)))
        facing = line.contour.facing((start + end) / 2)
        rim.append((quad, tone("#d9c6a8", facing, 0.35)))
    fill_together(painter, rim)
    stroke(painter, line.points_along(inner), QColor("#3a2a20"), 0.011)
    stroke(painter, line.points_along(outer), QColor("#2a1d16"), 0.013)


CREST_AT_ENDS = -0.075
"""The distance ``out`` of the crest of a dune at both ends of a side."""

DUNE_FOOT_AT_ENDS = 0.045
"""The distance ``out`` of the foot of a dune at both ends of a side."""

DUNE_BANDS = 5
"""The gentle side of a dune has so many light bands, one in the other."""


def _crest(along: float) -> float:
    """Return the distance ``out`` of the crest of a dune: waves that end at ``CREST_AT_ENDS``.

    All sines are 0 at both ends, so that neighbouring sides join.
    """
    return (
        CREST_AT_ENDS
        - 0.028 * math.sin(2 * math.pi * along) * math.sin(math.pi * along)
        - 0.012 * math.sin(6 * math.pi * along)
    )


def _dune_foot(along: float) -> float:
    """Return the distance ``out`` of the foot of a dune: waves around ``DUNE_FOOT_AT_ENDS``."""
    wave = math.sin(4 * math.pi * along + 0.6)
    return DUNE_FOOT_AT_ENDS + 0.022 * wave * math.sin(math.pi * along)


def _start_of_rise(band: int, along: float) -> float:
    """Return the distance ``out`` at which a light band begins: the waves of the crest, weaker."""
    at_ends = -0.21 + 0.026 * band
    return at_ends + 0.3 * (_crest(along) - CREST_AT_ENDS)


def draw_dune(painter: QPainter, line: HexsideLine) -> None:
    """Draw a ridge of sand: it rises gently in the sand cell and slips steeply outwards."""
    for band in range(DUNE_BANDS):  # one in the other: the light grows towards the crest
        start_of_rise = partial(_start_of_rise, band)
        fill(painter, line.area_between(start_of_rise, _crest), QColor(255, 243, 200, 62))
    shadow = line.area_between(_crest, lambda along: _dune_foot(along) + 0.025)
    fill(painter, shadow, QColor(59, 42, 12, 60))

    _draw_steep_side(painter, line)
    stroke(painter, line.points_along(_dune_foot), QColor(118, 83, 29, 200), 0.010)
    stroke(painter, line.points_along(_crest), QColor("#fff6d8"), 0.022)


def _draw_steep_side(painter: QPainter, line: HexsideLine) -> None:
    """Draw the steep side of a dune, darkest below the crest: all of it, then less and less."""
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
