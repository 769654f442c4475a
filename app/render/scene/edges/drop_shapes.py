"""The shapes of hexsides along which land drops: slopes, cliffs and dunes.

Each function lays translucent shadows first, then the face of the drop, then the lines on it. The
bare numbers are distances ``out`` from the contour (``hexside_line``) and widths of lines, in map
units, chosen by eye. For instance those of a slope::

    -0.188 .. -0.163    a light rim on the higher land
    -0.163 .. -0.14     a dark line, the edge
    -0.15  ..  0.10     hachures, which run out to a point downhill
"""

from __future__ import annotations

import math
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

HACHURES = 15
"""The hachures of a slope along one side."""


def draw_slope(painter: QPainter, line: HexsideLine, colours: SlopeColours = EARTH) -> None:
    """Draw hachures, as on a map: thick on the high side, running out to a point downhill."""
    # The face of the slope fades downhill: four strips, each wider than the one before it.
    for step in range(4):
        foot = -0.02 + 0.03 * step
        strip = []
        for quad, facing in line.quads(-0.15, foot):
            colour = colours.shaded_face
            if facing > 0:
                colour = colours.lit_face
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
        hachures.append((QPolygonF(points), tone(colours.ink, facing, 0.22)))
    fill_together(painter, hachures)

    fill_strip(painter, line, (-0.163, -0.14), colours.ink, 0.3)
    fill_strip(painter, line, (-0.188, -0.163), colours.rim, 0.3)


def draw_cliff(painter: QPainter, line: HexsideLine) -> None:
    """Draw a rock face: a light rim above, jagged teeth falling outwards."""
    fill(painter, line.strip(-0.02, 0.095), QColor(24, 16, 12, 60))
    fill(painter, line.strip(-0.02, 0.055), QColor(24, 16, 12, 70))
    _draw_rock_teeth(painter, line)
    _draw_rock_rim(painter, line)


def _draw_rock_teeth(painter: QPainter, line: HexsideLine) -> None:
    """Draw the face of a cliff: teeth whose sides are light and dark by turns."""
    half_teeth = 16  # the sides of teeth, two for each tooth
    rough = jitter(12, half_teeth + 1)
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
        stroke(painter, cleft, QColor(30, 20, 14, 170), 0.012)

    outline = [line.at(along, foot) for along, foot in zip(alongs, feet, strict=True)]
    stroke(painter, outline, QColor("#2a1d16"), 0.014)


def _draw_rock_rim(painter: QPainter, line: HexsideLine) -> None:
    """Draw the light rim above a cliff, between two rough lines."""
    inner_rough = jitter(5, PIECES_PER_SIDE + 1)
    outer_rough = jitter(7, PIECES_PER_SIDE + 1)

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
    stroke(painter, line.points_along(inner), QColor("#3a2a20"), 0.011)
    stroke(painter, line.points_along(outer), QColor("#2a1d16"), 0.013)


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


def draw_dune(painter: QPainter, line: HexsideLine) -> None:
    """Draw a ridge of sand: it rises gently in the sand cell and slips steeply outwards."""
    for step in range(5):  # bands one in the other, so that the light grows towards the crest
        rise = -0.21 + 0.026 * step

        def start_of_rise(along: float, rise: float = rise) -> float:
            # It follows the waves of the crest, weaker.
            return rise + 0.3 * (_crest(along) - CREST_AT_ENDS)

        fill(painter, line.band(start_of_rise, _crest), QColor(255, 243, 200, 62))

    shadow = line.band(_crest, lambda along: _dune_foot(along) + 0.025)
    fill(painter, shadow, QColor(59, 42, 12, 60))

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

    stroke(painter, line.points_along(_dune_foot), QColor(118, 83, 29, 200), 0.010)
    stroke(painter, line.points_along(_crest), QColor("#fff6d8"), 0.022)
