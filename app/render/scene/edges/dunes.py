r"""Dunes: hexsides of sand, ridges that rise gently and slip steeply outwards.

From the bottom up: light bands on the gentle side, the shadow in front of the dune, its steep side,
and lines along its foot and its crest. In cross-section::

                          crest
          band  band  .-'' \
    ___....----'''''        \_____     the foot
       gentle side        steep side

Crest and foot are waves along the hexside's line. Distances ``out`` from it (``hexside_line``) are
positive outside of the cell of sand and negative in it. They and widths are in map units, chosen by
eye.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import fill_together
from app.render.scene.edges.hexside_inks import fill, stroke, tone
from app.render.scene.edges.hexside_line import ALONGS, HexsideLine

CREST_AT_ENDS = -0.075
"""The distance ``out`` of the crest at both ends of a side."""

CREST_LONG_WAVE = 0.028
"""How far a long wave moves the crest: inwards in the first half of a side, then outwards."""

CREST_SHORT_WAVE = 0.012
"""How far a short wave moves the crest inwards and outwards, three times a side."""

CREST_COLOUR = QColor("#fff6d8")
CREST_WIDTH = 0.022

FOOT_AT_ENDS = 0.045
"""The distance ``out`` of the foot at both ends of a side."""

FOOT_WAVE = 0.022
"""How far a wave moves the foot outwards and inwards, twice a side."""

FOOT_PHASE = 0.6
"""The phase of this wave, in radians: without it the foot would be in step with the crest."""

FOOT_COLOUR = QColor(118, 83, 29, 200)
FOOT_WIDTH = 0.010

BANDS = 5
"""The gentle side has so many light bands, one in the other: the light grows towards the crest."""

WIDEST_BAND_AT_ENDS = -0.21
"""The distance ``out`` at which the widest band begins at both ends of a side."""

BAND_STEP = 0.026
"""By how much farther out each band begins than the one before."""

BAND_WAVES = 0.3
"""How far the waves of the crest move the bands, as a share of what they move the crest."""

BAND_COLOUR = QColor(255, 243, 200, 62)

SHADOW_WIDTH = 0.025
"""How far the shadow reaches beyond the foot."""

SHADOW_COLOUR = QColor(59, 42, 12, 60)


class SteepBand(NamedTuple):
    """A band of the steep side of a dune, from the crest down."""

    share: float
    """The share of the way from the crest to the foot that it covers."""

    colour: str


STEEP_BANDS = (
    SteepBand(1.0, "#c9a052"),
    SteepBand(0.66, "#b58a40"),
    SteepBand(0.33, "#9c7430"),
)
"""The bands of the steep side, each over those before it: it is darkest below the crest."""

STEEP_CONTRAST = 0.42
"""By how much the light changes the colours of the steep side (``tone``)."""


def draw_dune(painter: QPainter, line: HexsideLine) -> None:
    """Draw a ridge of sand: it rises gently in the sand cell and slips steeply outwards."""
    for band in range(BANDS):
        band_start = partial(_band_start, band)
        fill(painter, line.area_between(band_start, _crest), BAND_COLOUR)
    shadow = line.area_between(_crest, lambda along: _foot(along) + SHADOW_WIDTH)
    fill(painter, shadow, SHADOW_COLOUR)

    _draw_steep_side(painter, line)
    stroke(painter, line.points_along(_foot), FOOT_COLOUR, FOOT_WIDTH)
    stroke(painter, line.points_along(_crest), CREST_COLOUR, CREST_WIDTH)


def _draw_steep_side(painter: QPainter, line: HexsideLine) -> None:
    """Draw the steep side of a dune: all of it, then less and less."""
    for band in STEEP_BANDS:
        quads = []
        for start, end in pairwise(ALONGS):
            crests = (_crest(start), _crest(end))
            feet = (
                crests[0] + (_foot(start) - crests[0]) * band.share,
                crests[1] + (_foot(end) - crests[1]) * band.share,
            )
            facing = line.curve.facing_at((start + end) / 2)
            ink = tone(band.colour, facing, contrast=STEEP_CONTRAST)
            quads.append((line.quad(start, end, crests, feet), ink))
        fill_together(painter, quads)


# --- the waves of a dune --------------------------------------------------------------------------

# Each returns a distance ``out`` for a share ``along`` of the side (0 to 1). All sines that are
# added are 0 at both ends, so that neighbouring sides join.


def _crest(along: float) -> float:
    """Return where the crest is: a long wave and a short one, added to its place at the ends."""
    long_wave = math.sin(2 * math.pi * along) * math.sin(math.pi * along)
    short_wave = math.sin(6 * math.pi * along)
    return CREST_AT_ENDS - CREST_LONG_WAVE * long_wave - CREST_SHORT_WAVE * short_wave


def _foot(along: float) -> float:
    """Return where the foot is: a wave that is not in step with those of the crest."""
    wave = math.sin(4 * math.pi * along + FOOT_PHASE) * math.sin(math.pi * along)
    return FOOT_AT_ENDS + FOOT_WAVE * wave


def _band_start(band: int, along: float) -> float:
    """Return where a light band of the gentle side begins, by its number from 0: the widest."""
    at_ends = WIDEST_BAND_AT_ENDS + BAND_STEP * band
    return at_ends + BAND_WAVES * (_crest(along) - CREST_AT_ENDS)
