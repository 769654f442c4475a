"""How much detail a picture of a map shows: how large its names are, what is left out of cells.

On the screen this follows from the scale of the view: seen from afar a map has no numbers, and one
colour for each cell. Pictures follow the same rules. So the detail of a picture is told as a *scale
of a screen*: 20 means that the picture shows what a screen shows on which a map unit is 20 logical
pixels long. (A map unit is the radius of a hex.)

The longer side of a map of 60 x 40 units, drawn with 100 pixels a unit, has 6,000 pixels::

    Detail.of_picture(box, unit=100.0)      # Detail(texts=20.0, cells=100.0)

Its cells are drawn as finely as its pixels allow. Its names are to be read when the picture is
looked at as a whole, made smaller until its 60 units have 1,200 pixels: 20 pixels a unit.
"""

from __future__ import annotations

from typing import NamedTuple

from app.paper.page_plan import Box

SCREEN_SIDE = 1200.0
"""The longer side of a picture that a screen shows as a whole, in pixels.

If it is larger, names are smaller beside the cells, and cannot be read on small screens.
"""

MIN_TEXT_SCALE = 12.0
"""The least scale for the names of a picture.

Of a very large map the whole is hardly looked at. With a smaller scale its names would be larger
beside the cells, and hide the map.
"""


class Detail(NamedTuple):
    """The detail of a picture: two scales of a screen, in logical pixels a map unit."""

    texts: float
    """The scale for names, signs, the legend and lines."""

    cells: float
    """The scale for cells and what lies on them."""

    @classmethod
    def of_picture(cls, box: Box, unit: float) -> Detail:
        """Return the detail of a picture of ``box`` with ``unit`` pixels a map unit."""
        return cls(texts=text_scale(box, unit), cells=unit)


def text_scale(box: Box, unit: float) -> float:
    """Return ``Detail.texts`` of a picture of ``box`` with ``unit`` pixels a map unit."""
    scale_as_a_whole = SCREEN_SIDE / max(box.width, box.height)
    # A small picture is looked at as it is, not enlarged.
    return min(unit, max(scale_as_a_whole, MIN_TEXT_SCALE))
