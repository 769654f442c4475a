"""How the ground, its tint and the feature of a cell are drawn, in one layout and theme."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_box, cell_outline
from app.render.cell_values.cell_colours import mix_colours
from app.render.pictures.ground_phase import MARGIN, phases
from app.render.pictures.terrain_pictures import Pictures
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain import TerrainSet


class CellDrawing:
    """Draws around (0, 0), in map units."""

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, pictures: Pictures, theme: Theme
    ) -> None:
        self.layout = layout
        self.terrain_set = terrain_set
        self.pictures = pictures
        self.theme = theme
        self._colours: dict[tuple[int, int], QColor] = {}
        # Features are made for flat hexes and must fit in the cell.
        self.feature_size = max(x for x, _ in layout.corners) if layout.degree == 6 else 0.56

    def ground(self, painter: QPainter, terrain: int, phase: int = 0) -> None:
        """Draw the ground of a terrain, over the whole cell and a little more."""
        with saved_state(painter):
            place = phases(self.layout)[phase]
            self.pictures.ground(painter, self.terrain_set.terrains[terrain], place)

    def feature(self, painter: QPainter, terrain: int, variant: int) -> None:
        """Draw what stands on the ground of a terrain."""
        with saved_state(painter):
            painter.scale(self.feature_size, self.feature_size)
            self.pictures.feature(painter, self.terrain_set.terrains[terrain], variant)

    def plain_ground(self, painter: QPainter) -> None:
        """Draw the colour of the first terrain."""
        colour = self.theme.terrain_colour(self.terrain_set.terrains[0])
        painter.fillRect(cell_box(self.layout, MARGIN), colour)

    def colour(self, terrain: int, elevation: int) -> QColor:
        """Return the colour of the ground of a terrain with the tint of an elevation."""
        result = self._colours.get((terrain, elevation))
        if result is None:
            result = self._colours[terrain, elevation] = self._mixed_colour(terrain, elevation)
        return result

    def _mixed_colour(self, terrain: int, elevation: int) -> QColor:
        ground = self.pictures.ground_colour(self.terrain_set.terrains[terrain]).rgb()
        colours = np.array([ground], np.uint32)
        for level in range(1, abs(elevation) + 1):
            tint = self.theme.elevation_tint(level if elevation > 0 else -level)
            colours = mix_colours(colours, tint.rgb(), tint.alpha())
        return QColor(int(colours[0]))

    def tint(self, painter: QPainter, elevation: int) -> None:
        """Draw the tint of an elevation over the ground."""
        for level in range(1, abs(elevation) + 1):
            tint = self.theme.elevation_tint(level if elevation > 0 else -level)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            painter.drawPolygon(cell_outline(self.layout, 1 + MARGIN))
