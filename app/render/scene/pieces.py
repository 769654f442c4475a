"""The means that pieces of a scene are drawn with: shapes of cells, pictures, and colours.

A *piece* is a small drawing, such as the ground of a cell or a wood on it, that many cells show.
The modules of ``scene`` make pieces; each takes what it draws with from the one ``Pieces`` of the
scene, which also stores and numbers all that were made (``PieceStore``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_outline
from app.render.cell_values.cell_colours import FULL_SHARE, mix_colours
from app.render.pictures.ground_phase import MARGIN, phases
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.piece_store import PieceStore
from app.render.style import Style
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

# What the first paint does not need is imported where it is used.
if TYPE_CHECKING:
    from app.render.drawn_cells import GroundFeatures, RouteDrawing

SQUARE_FEATURE_SIZE = 0.56
"""The size of features in squares, whose sides are 1 map unit long.

Features are made for a flat hexagon of radius 1, which is then 0.97 high, as a square nearly is.
"""


@dataclass(eq=False)
class Pieces(PieceStore):
    """The pieces of one scene, and what they are drawn with."""

    layout: Layout
    """The shape of the cells."""

    terrain_set: TerrainSet
    """The terrains: given as they are, they have the pictures that the style draws afterwards."""

    style: Style
    """The style in which the map is drawn."""

    pictures: Pictures
    """The pictures of terrains, in the colours of ``theme``."""

    theme: Theme
    """The colours in which it is drawn."""

    pixel: float
    """The width of a pixel of the picture, and so of the thinnest line, in map units."""

    overlap: float
    """How much larger cells are drawn, in map units, so that no gap shows between them."""

    coarse: bool = False
    """True if the pieces are seen from afar, so that fewer variants of them will do.

    It has nothing to do with ``fine``.
    """

    def __post_init__(self) -> None:
        super().__init__()
        self.terrain_set = self.style.terrain_set_as_drawn(self.terrain_set)
        self.outline = cell_outline(self.layout, 1 + self.overlap)
        """The polygon within which the picture of a cell is seen."""
        self.feature_size = _feature_size(self.layout)
        """The factor by which features are scaled, to fit into a cell."""
        self._colours: dict[tuple[int, int], QColor] = {}
        """The results of ``ground_colour``, by terrain and elevation."""

    @property
    def is_landscape(self) -> bool:
        """True if terrains pass into one another, False if each cell is a picture in an outline.

        Without pictures a map in the style of landscapes is drawn as a board.
        """
        return self.style.landscape and self.theme.has_pictures

    @property
    def fine(self) -> bool:
        """True if cells and edges are ``Batch.fine``: on boards, which are small."""
        return not self.style.landscape

    @cached_property
    def features(self) -> GroundFeatures | None:
        """The drawings on bare ground in place of terrain pictures; None for most styles."""
        if self.style.features is None:
            return None
        return self.style.features(
            self.layout, self.terrain_set, self.pictures, self.theme, self.feature_size
        )

    @cached_property
    def routes(self) -> RouteDrawing:
        """The object that draws routes: that of the style if it has one, else the usual one."""
        make = self.style.routes
        if make is None:
            from app.render.scene.routes.route_pieces import RoutePieces  # many maps have no routes

            make = RoutePieces
        return make(self.layout, self.terrain_set, self.theme, self.pixel)

    # --- what is drawn around (0, 0), in map units --------------------------------------------

    def draw_ground(self, painter: QPainter, terrain: int, phase: int = 0) -> None:
        """Draw the ground of a terrain, such as grass, over the whole cell and a little more.

        ``phase`` is the number of the section of the ground's pattern (``ground_phase``).
        """
        with saved_state(painter):
            section = phases(self.layout)[phase]
            self.pictures.ground(painter, self.terrain_set.terrains[terrain], section)

    def draw_feature(self, painter: QPainter, terrain: int, variant: int) -> None:
        """Draw what stands on the ground of a terrain, such as a wood."""
        with saved_state(painter):
            painter.scale(self.feature_size, self.feature_size)
            self.pictures.feature(painter, self.terrain_set.terrains[terrain], variant)

    def draw_tint(self, painter: QPainter, elevation: int) -> None:
        """Draw the tint of an elevation over the whole cell and a little more."""
        tints = self.theme.tints_of(elevation)
        if not tints:
            return
        with saved_state(painter):
            painter.setPen(Qt.PenStyle.NoPen)
            for tint in tints:
                painter.setBrush(tint)
                painter.drawPolygon(cell_outline(self.layout, 1 + MARGIN))

    def ground_colour(self, terrain: int, elevation: int) -> QColor:
        """Return the colour that most of the ground of a terrain has at an elevation."""
        colour = self._colours.get((terrain, elevation))
        if colour is None:
            ground = self.pictures.ground_colour(self.terrain_set.terrains[terrain]).rgb()
            pixel = np.array([ground], np.uint32)  # of one, as ``mix_colours`` takes arrays
            for tint in self.theme.tints_of(elevation):
                pixel = mix_colours(pixel, tint.rgb(), round(tint.alphaF() * FULL_SHARE))
            colour = QColor(int(pixel[0]))
            self._colours[terrain, elevation] = colour
        return colour


def _feature_size(layout: Layout) -> float:
    """Return the factor by which features are scaled, to fit into a cell of a layout."""
    if layout.degree == 4:
        return SQUARE_FEATURE_SIZE
    # Half the width of the hexagon: pointy ones are narrower than flat ones.
    return max(x for x, _y in layout.corners)
