"""The picture of each terrain at each elevation, painted once and kept in a few sizes.

Painting a terrain's SVG takes milliseconds. Sprites of a new scale are therefore made from these
pictures, made smaller (or larger, until the larger one is painted).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from app.appearance.painting import painting, saved_state
from app.render.cell_geometry import cell_box, cell_outline
from app.render.picture_source import OwnPictures, pictures_in

if TYPE_CHECKING:
    from app.render.picture_source import Pictures
    from app.render.table.features import TableFeatures
    from app.render.theme import Theme
    from randomizer.model.layouts import Layout
    from randomizer.model.terrain import TerrainSet

BASE = 64.0
"""The hex radius, in pixels, of the largest picture that is kept."""

SMALLEST = 8.0
"""The hex radius, in pixels, of the smallest."""

MARGIN = 0.1
"""A picture reaches over the cell's edge by this much (map units), since sprites are larger."""

TERRACE = QColor(70, 48, 24, 120)
TERRACE_SHADE = QColor(40, 26, 10, 110)


CellKey = tuple[int, int, int]
"""Terrain index, elevation and variant of a cell: what its picture shows."""


class TerrainPictures:
    """The terrain pictures, and table features, of one layout, terrain set and theme."""

    def __init__(
        self, layout: Layout, terrain_set: TerrainSet, pictures: Pictures, theme: Theme
    ) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        # The features of tables differ in shape: no colour set replaces them by letters.
        self.pictures = OwnPictures() if terrain_set.contours else pictures_in(theme, pictures)
        self._theme = theme
        self.box = cell_box(layout, MARGIN)
        """The box of a picture around the cell's centre, in map units."""
        # Pictures are made for flat hexes: the ground must cover the cell, the feature fit in it.
        self._ground_size = (1 + MARGIN) * max(_flat_radius(x, y) for x, y in layout.corners)
        self._feature_size = max(x for x, _ in layout.corners) if layout.degree == 6 else 0.56
        self._cached: dict[CellKey, list[QImage]] = {}

    @cached_property
    def table_features(self) -> TableFeatures:
        """What lies on the ground of wargame tables; other maps do without its code."""
        from app.render.table.features import TableFeatures

        return TableFeatures(
            self._layout, self._terrain_set, self.pictures, self._theme, self._feature_size
        )

    def has(self, key: CellKey) -> bool:
        """Whether this picture is painted already."""
        return key in self._cached

    def scaled(self, key: CellKey, pixels: float) -> QImage:
        """The smallest kept picture with a hex radius of at least ``pixels``, or the largest."""
        sizes = self._cached.get(key)
        if sizes is None:
            sizes = self._cached[key] = self._sizes(key)
        halvings = math.floor(math.log2(BASE / pixels) + 1e-9) if pixels < BASE else 0
        return sizes[min(halvings, len(sizes) - 1)]

    def _sizes(self, key: CellKey) -> list[QImage]:
        """The picture with a hex radius of ``BASE`` pixels, half of that, ... ``SMALLEST``."""
        image = self.paint(key, BASE)
        sizes = [image]
        for halving in range(1, round(math.log2(BASE / SMALLEST)) + 1):
            sizes.append(
                image.scaled(
                    max(1, image.width() >> halving),
                    max(1, image.height() >> halving),
                    Qt.AspectRatioMode.IgnoreAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
            )
        return sizes

    def paint(self, key: CellKey, pixels: float) -> QImage:
        """A new picture that fills ``box``, with a hex radius of ``pixels``; it is not kept."""
        image = QImage(
            max(1, math.ceil(self.box.width() * pixels)),
            max(1, math.ceil(self.box.height() * pixels)),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.fill(Qt.GlobalColor.transparent)
        with painting(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(image.width() / self.box.width(), image.height() / self.box.height())
            painter.translate(-self.box.topLeft())
            self.draw(painter, key)
        return image

    def draw(self, painter: QPainter, key: CellKey) -> None:
        """Draw ground, terraces and feature around (0, 0), in map units.

        On tables only the ground: ``table_features`` draws the rest.
        """
        terrain, elevation, variant = key
        terrains = self._terrain_set.terrains
        if self._terrain_set.contours:
            painter.fillRect(self.box, self._theme.terrain_colour(terrains[0]))
            return
        kind = terrains[terrain]
        with saved_state(painter):
            painter.scale(self._ground_size, self._ground_size)
            self.pictures.ground(painter, kind)
        self._draw_terraces(painter, elevation)
        with saved_state(painter):
            painter.scale(self._feature_size, self._feature_size)
            self.pictures.feature(painter, kind, variant)

    def _draw_terraces(self, painter: QPainter, elevation: int) -> None:
        """Draw one outline within the other, as many as the elevation, at most six."""
        pen = QPen(TERRACE, 0.022)
        for level in range(1, min(elevation, 6) + 1):
            size = 1.0 - 0.085 * level
            step, shade = QPainterPath(), QPainterPath()
            step.addPolygon(cell_outline(self._layout, size))
            step.closeSubpath()
            shade.addPolygon(cell_outline(self._layout, size).translated(0.03, 0.045))
            shade.closeSubpath()
            painter.fillPath(shade.subtracted(step), TERRACE_SHADE)
            painter.fillPath(step, self._theme.elevation_tint(level))
            painter.strokePath(step, pen)
        for level in range(1, min(-elevation, 6) + 1):
            painter.setPen(pen)
            painter.setBrush(TERRACE_SHADE)
            painter.drawPolygon(cell_outline(self._layout, 1.0 - 0.085 * level))


def _flat_radius(x: float, y: float) -> float:
    """The radius of the flat hexagon around (0, 0) on whose outline a point lies."""
    return max(abs(y) * 2 / math.sqrt(3), abs(x) + abs(y) / math.sqrt(3))
