"""Grounds painted once for all pieces of one scale, pixel by pixel as they would be painted again.

A ground has hundreds of marks, and a map shows the same phase of it in many pieces: in cells of
each elevation, below what fades into them, and in transitions to other terrains. Pictures of paper
are made with these images; ``picture_images`` serves the screen, where scales change.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.render.pictures.ground_phase import Phase
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_pictures import Pictures, ground_of
from randomizer.model.terrain.terrain import Terrain

WHOLE_PIXEL = 1e-6
"""Numbers of pixels that differ from whole ones by less are whole, but for rounding errors."""


class GroundImages(Pictures):
    """The same pictures as ``pictures``, with grounds as images of ``unit`` pixels a map unit.

    An image is used where the centre of a cell lies at a whole pixel of an image of this scale;
    elsewhere a ground is painted.
    """

    def __init__(self, pictures: Pictures, unit: float) -> None:
        self._pictures = pictures
        self._unit = unit
        self._grounds: dict[tuple[Terrain, Phase], QImage] = {}
        """The image of each phase of a ground: the pixels of ``Phase.box``, rounded outwards."""

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        if not self._is_at_whole_pixel(painter):
            self._pictures.ground(painter, terrain, phase)
            return
        box = phase.box
        left = math.floor(box.left() * self._unit)
        top = math.floor(box.top() * self._unit)
        key = (ground_of(terrain), phase)
        image = self._grounds.get(key)
        if image is None:
            width = math.ceil(box.right() * self._unit) - left
            height = math.ceil(box.bottom() * self._unit) - top
            image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
            image.fill(Qt.GlobalColor.transparent)
            with painting(image) as on_image:
                on_image.setRenderHints(painter.renderHints())
                on_image.translate(-left, -top)
                on_image.scale(self._unit, self._unit)
                self._pictures.ground(on_image, terrain, phase)
            self._grounds[key] = image
        matrix = painter.worldTransform()
        centre = QPoint(round(matrix.dx()), round(matrix.dy()))
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(centre + QPoint(left, top), image)

    def _is_at_whole_pixel(self, painter: QPainter) -> bool:
        """Return whether a painter draws on an image of this scale, its origin at a whole pixel."""
        if not isinstance(painter.device(), QImage):
            return False
        matrix = painter.worldTransform()
        numbers = (
            matrix.m11() - self._unit,
            matrix.m22() - self._unit,
            matrix.m12(),
            matrix.m21(),
            matrix.dx() - round(matrix.dx()),
            matrix.dy() - round(matrix.dy()),
        )
        return all(abs(number) < WHOLE_PIXEL for number in numbers)

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        self._pictures.feature(painter, terrain, variant)

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.standing(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.shared(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        self._pictures.group(painter, terrain, name)
