r"""Cliffs: hexsides of rock, whose face falls outwards in jagged teeth.

From the bottom up: the shadow of the cliff, the teeth, and a light rim on the higher land. Seen
from above, with the higher land at the top::

    ~~~~~~~~~~~~~~~~~~~~~    the rim, between two rough lines
    | /\ | /\ | /\ | /\ |    the sides of teeth, light and dark by turns, each with a cleft
    V    V    V    V    V    the feet of the teeth, also rough

Distances ``out`` from the hexside's line (``hexside_line``) are negative on the higher land and
positive below the cliff. They and widths are in map units, chosen by eye.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import fill_together
from app.render.scene.edges.hexside_inks import fill, jitter, stroke, tone
from app.render.scene.edges.hexside_line import ALONGS, HexsideLine

# The shadow below a cliff, in two steps.
SHADOW_TOP = -0.02
WIDE_SHADOW_FOOT = 0.095
WIDE_SHADOW_COLOUR = QColor(24, 16, 12, 60)
NARROW_SHADOW_FOOT = 0.055
NARROW_SHADOW_COLOUR = QColor(24, 16, 12, 70)

# The teeth.
TOOTH_SIDES = 16
"""The sides of teeth along one side of a cell, two for each tooth."""

TEETH_TOP = -0.15
"""Where the teeth begin, below the rim."""

GAP_FOOT = -0.015
"""Where the gaps between two teeth end."""

TOOTH_FOOT = 0.055
"""Where the tips of teeth end."""

FOOT_ROUGHNESS = 0.018
"""By how much gaps and tips lie farther out or in, at random, at most."""

FOOT_AT_CORNERS = 0.0
"""Where the teeth end at the corners of the cell: there the neighbouring side goes on."""

LIT_TOOTH_COLOUR = "#8a7160"
DARK_TOOTH_COLOUR = "#4c3a2f"

TOOTH_CONTRAST = 0.36
"""By how much the light changes the colours of teeth (``tone``)."""

CLEFT_TOP = -0.10
CLEFT_ROUGHNESS = 0.03
CLEFT_COLOUR = QColor(30, 20, 14, 170)
CLEFT_WIDTH = 0.012
OUTLINE_COLOUR = QColor("#2a1d16")
OUTLINE_WIDTH = 0.014

# The rim above them.
RIM_TOP = -0.188
RIM_TOP_ROUGHNESS = 0.014
RIM_TOP_COLOUR = QColor("#3a2a20")
RIM_TOP_WIDTH = 0.011
RIM_FOOT = -0.142
RIM_FOOT_ROUGHNESS = 0.016
RIM_FOOT_WIDTH = 0.013
RIM_COLOUR = "#d9c6a8"
RIM_CONTRAST = 0.35

# The seeds of rough lines (``jitter``): any others would do.
TEETH_SEED = 12
RIM_TOP_SEED = 5
RIM_FOOT_SEED = 7


def draw_cliff(painter: QPainter, line: HexsideLine) -> None:
    """Draw a rock face: a light rim above, jagged teeth falling outwards."""
    fill(painter, line.strip(SHADOW_TOP, WIDE_SHADOW_FOOT), WIDE_SHADOW_COLOUR)
    fill(painter, line.strip(SHADOW_TOP, NARROW_SHADOW_FOOT), NARROW_SHADOW_COLOUR)
    _draw_teeth(painter, line)
    _draw_rim(painter, line)


def _draw_teeth(painter: QPainter, line: HexsideLine) -> None:
    """Draw the face of a cliff: teeth whose sides are light and dark by turns."""
    # Where the sides of teeth meet: at a gap (even) or at the tip of a tooth (odd).
    rough = jitter(TEETH_SEED, TOOTH_SIDES + 1)
    alongs = [i / TOOTH_SIDES for i in range(TOOTH_SIDES + 1)]
    feet = []
    for i in range(TOOTH_SIDES + 1):
        foot = GAP_FOOT
        if i % 2 == 1:
            foot = TOOTH_FOOT
        feet.append(foot + FOOT_ROUGHNESS * rough[i])
    feet[0] = FOOT_AT_CORNERS
    feet[-1] = FOOT_AT_CORNERS

    faces = []
    for i in range(TOOTH_SIDES):
        start = alongs[i]
        end = alongs[i + 1]
        face = line.quad(start, end, (TEETH_TOP, TEETH_TOP), (feet[i], feet[i + 1]))
        colour = DARK_TOOTH_COLOUR
        if i % 2 == 0:
            colour = LIT_TOOTH_COLOUR
        facing = line.curve.facing_at((start + end) / 2)
        faces.append((face, tone(colour, facing, contrast=TOOTH_CONTRAST)))
    fill_together(painter, faces)

    # A cleft down the middle of each tooth; it begins the lower, the farther its tip reaches.
    for i in range(1, TOOTH_SIDES, 2):
        top = CLEFT_TOP + CLEFT_ROUGHNESS * rough[i]
        cleft = [line.at(alongs[i], top), line.at(alongs[i], feet[i])]
        stroke(painter, cleft, CLEFT_COLOUR, CLEFT_WIDTH)

    outline = [line.at(along, foot) for along, foot in zip(alongs, feet, strict=True)]
    stroke(painter, outline, OUTLINE_COLOUR, OUTLINE_WIDTH)


def _draw_rim(painter: QPainter, line: HexsideLine) -> None:
    """Draw the light rim above a cliff, between two rough lines."""
    tops = [RIM_TOP + RIM_TOP_ROUGHNESS * rough for rough in jitter(RIM_TOP_SEED, len(ALONGS))]
    feet = [RIM_FOOT + RIM_FOOT_ROUGHNESS * rough for rough in jitter(RIM_FOOT_SEED, len(ALONGS))]

    quads = []
    for i, (start, end) in enumerate(pairwise(ALONGS)):
        quad = line.quad(start, end, (tops[i], tops[i + 1]), (feet[i], feet[i + 1]))
        facing = line.curve.facing_at((start + end) / 2)
        quads.append((quad, tone(RIM_COLOUR, facing, contrast=RIM_CONTRAST)))
    fill_together(painter, quads)

    top_points = [line.at(along, top) for along, top in zip(ALONGS, tops, strict=True)]
    stroke(painter, top_points, RIM_TOP_COLOUR, RIM_TOP_WIDTH)
    foot_points = [line.at(along, foot) for along, foot in zip(ALONGS, feet, strict=True)]
    stroke(painter, foot_points, OUTLINE_COLOUR, RIM_FOOT_WIDTH)
