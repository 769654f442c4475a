"""Grounds painted once in one scale, pixel for pixel, and kept as images.

    request = PictureRequest(pictures=GroundImages())

For who draws many maps of one scale: a ground has dozens of shapes, and is wanted in every tint of
the elevations. ``PictureImages`` keeps images for many scales, whose pixels are not quite the same.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.render.pictures.ground_phase import Phase
from app.render.pictures.terrain_pictures import Pictures, ground_of
from randomizer.model.terrain.terrain import Terrain


class GroundImages(Pictures):
    """Our own pictures, with an image of each ground in each phase, transformation and colour."""

    def __init__(self) -> None:
        self._images_of_grounds: dict[object, QImage] = {}

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Draw the ground as an image, which is painted when it is first wanted."""
        matrix = painter.worldTransform()
        area = matrix.mapRect(phase.box).toAlignedRect()
        numbers = (matrix.m11(), matrix.m12(), matrix.m21(), matrix.m22(), matrix.dx(), matrix.dy())
        key = (ground_of(terrain), phase, numbers)
        image = self._images_of_grounds.get(key)
        if image is None:
            image = QImage(area.size(), QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
            with painting(image) as on_image:
                on_image.setRenderHints(painter.renderHints())
                on_image.translate(-area.topLeft())
                on_image.setTransform(matrix, True)
                super().ground(on_image, terrain, phase)
            self._images_of_grounds[key] = image
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(area.topLeft(), image)
