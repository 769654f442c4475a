"""The section of a map that a picture, a page or a strip of a picture shows, and in which detail.

Two measures tell how large a map unit (the radius of a hex) is drawn. They are not to be confused:

- A *unit* is a number of pixels of an image. It decides how sharp the image is.
- A *scale* decides what is drawn at all and how large names are, by the rules of the screen
  (``level_of_detail``). It is the number of logical pixels that a map unit would have on a screen
  where the map is as large as in the picture.

For a page of a PDF on which a map unit is 3 mm long::

    unit          35.4    its images have 300 dots an inch
    text_scale    11.3    its names are as large as on a screen of 96 dots an inch
    cell_scale    18.1    its cells have more details than there: print is finer
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from app.render.cell_geometry import STANDING_REACH
from app.render.level_of_detail import LABELS_FROM, cell_size
from app.render.scene.relief_light import PATCH_REACH
from randomizer.model.grid.grid import Grid


@dataclass(frozen=True)
class Section:
    """A section of a map."""

    area: QRectF
    """What is drawn, in map units."""

    text_scale: float
    """The scale of names, things, the legend and what else is larger than a cell."""

    cell_scale: float
    """The scale of cells and of what is drawn on each of them."""

    cell_size: float
    """``cell_scale`` as it is compared with the limits of ``level_of_detail``.

    Squares have less room than hexes of the same scale, and count as smaller.
    """

    reach: float
    """How far around ``area`` cells lie of which something may reach into it, in map units."""

    @classmethod
    def of(
        cls, grid: Grid, area: QRectF, text_scale: float, cell_scale: float, *, is_landscape: bool
    ) -> Section:
        """Return a section of a map; ``is_landscape`` if what stands on its cells may be tall."""
        # The light of the relief passes into neighbours.
        reach = PATCH_REACH
        if is_landscape:
            reach = max(reach, STANDING_REACH)
        # These are measured from the rim of a cell, the reach from its centre. Lines at the rim
        # are some two pixels wide.
        reach += 1 + 2 / cell_scale
        return cls(area, text_scale, cell_scale, cell_size(grid, cell_scale), reach)

    @property
    def near(self) -> QRectF:
        """The area with the centres of all cells from which something reaches into it."""
        return self.area.adjusted(-self.reach, -self.reach, self.reach, self.reach)

    @property
    def has_cell_texts(self) -> bool:
        """True if cells are large enough for texts."""
        return self.cell_size >= LABELS_FROM
