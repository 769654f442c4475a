"""Slopes: hexsides along which land falls, drawn with hachures as on a map.

From the bottom up: the face of the slope, the hachures, a dark line along its edge, and a light rim
on the higher land. Seen in cross-section, by the distances ``out`` from the hexside's line
(``hexside_line``)::

    higher land  |  rim  |  edge  |  hachures, which run out downhill        lower land
              RIM_TOP EDGE_TOP EDGE_FOOT                       LONG_FOOT

Distances and widths are in map units, chosen by eye.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QPainter, QPolygonF

from app.appearance.painting import fill_together
from app.render.scene.edges.hexside_inks import fill_strip, tone
from app.render.scene.edges.hexside_line import HexsideLine


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
"""Where the light rim above a slope begins."""

EDGE_TOP = -0.163
"""Where the rim ends, and the dark line along the edge begins."""

EDGE_FOOT = -0.14
"""Where that line ends."""

EDGE_CONTRAST = 0.3
"""By how much the light changes the colours of rim and edge (``tone``)."""

FACE_TOP = -0.15
"""Where the face begins, below the line of the edge; the hachures begin there, too."""

FACE_FEET = (-0.02, 0.01, 0.04, 0.07)
"""Where the face ends: strips one over the other, each wider than the one before, so that it fades
downhill."""

FACE_CONTRAST = 0.3
"""By how much the light changes the colour of the face."""

FACE_OPACITY = 0.20
"""The opacity of each strip. With more, the steps between them show."""

HACHURES = 15
"""The hachures of a slope along one side; every other one is long."""

LONG_FOOT = 0.10
"""Where long hachures end."""

SHORT_FOOT = 0.0
"""Where short hachures end."""

HALF_HACHURE = 0.021
"""Half the width of a hachure at its upper end, as a share of the side."""

HALF_HACHURE_IN_LIGHT = 0.017
"""The same of a hachure that faces the light: thinner, as the land is lighter there."""

HALF_TIP = 0.004
"""Half the width of a hachure at its foot, as a share of the side."""

HACHURE_CONTRAST = 0.22
"""By how much the light changes the colour of hachures."""


def draw_slope(painter: QPainter, line: HexsideLine, colours: SlopeColours = EARTH) -> None:
    """Draw hachures, as on a map: thick on the high side, running out to a point downhill."""
    _draw_face(painter, line, colours)
    _draw_hachures(painter, line, colours)
    fill_strip(painter, line, (EDGE_TOP, EDGE_FOOT), colours.ink, contrast=EDGE_CONTRAST)
    fill_strip(painter, line, (RIM_TOP, EDGE_TOP), colours.rim, contrast=EDGE_CONTRAST)


def _draw_face(painter: QPainter, line: HexsideLine, colours: SlopeColours) -> None:
    """Draw the face of a slope, which fades downhill."""
    for foot in FACE_FEET:
        strip = []
        for quad, facing in line.lit_pieces(FACE_TOP, foot):
            colour = colours.shaded_face
            if facing > 0:
                colour = colours.lit_face
            ink = tone(colour, facing, contrast=FACE_CONTRAST, opacity=FACE_OPACITY)
            strip.append((quad, ink))
        fill_together(painter, strip)


def _draw_hachures(painter: QPainter, line: HexsideLine, colours: SlopeColours) -> None:
    """Draw long and short hachures by turns, which are thinner in the light."""
    hachures = []
    for i in range(HACHURES):
        along = (i + 0.5) / HACHURES
        facing = line.curve.facing_at(along)
        foot = SHORT_FOOT
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
        ink = tone(colours.ink, facing, contrast=HACHURE_CONTRAST)
        hachures.append((QPolygonF(points), ink))
    fill_together(painter, hachures)
