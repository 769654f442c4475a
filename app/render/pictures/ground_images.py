"""Grounds of terrains, painted once as images and then copied to all cells that show the same.

A *ground* is the background of a terrain's picture, such as grass: hundreds of small marks. Its
pattern repeats after a few cells, so that a cell shows one of at most 36 sections of it (its
``Phase``). A map shows the same section in many pieces: in cells of each elevation, below what
fades into them, and in transitions to other terrains. ``GroundImages`` paints each section of each
ground once, and copies the image wherever the result has the same pixels.

``VectorMap`` makes pictures for paper with it: one of 60 x 40 cells took 8.1 CPU seconds with these
images, 11.0 without. ``Sprites`` draw maps seen from afar with it, whose scales are few. For others
on the screen, where scales change, ``picture_images`` does it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.render.pictures.ground_phase import Phase
from app.render.pictures.picture_library import terrain_of_ground
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_pictures import Pictures
from randomizer.model.terrain.terrain import Terrain

ROUNDING = 1e-6
"""Numbers of a transform that differ by less are equal, but for rounding errors.

A deviation is visible from a 256th of a pixel on; errors of doubles are far smaller than this.
"""


class _PlacedImage(NamedTuple):
    """The image of a ground."""

    image: QImage
    """Its pixels."""

    corner: QPoint
    """Where its left top corner lies, in pixels from the centre of the cell."""


class GroundImages(Pictures):
    """Passes on to ``pictures``, but draws grounds as images of ``unit`` pixels a map unit.

    An image is used where a painter draws on an image in this scale, with the centre of the cell at
    a whole pixel; elsewhere its pixels would be shifted or scaled, and the ground is painted.
    """

    def __init__(self, pictures: Pictures, unit: float) -> None:
        self._pictures = pictures
        self._unit = unit
        self._images: dict[tuple[Terrain, Phase], _PlacedImage] = {}
        """The image of each ground and phase drawn so far, of the size of ``_box_px``.

        It is not bounded by a number, since it lives as long as the ``VectorMap`` of a picture or
        some ``Sprites``, and holds at most ``PHASES`` images a ground. With hexes of 60 pixels a
        unit an image has about 60 KB, all those of a ground 2 MB; of those of maps seen from afar
        all grounds of a landscape have 1 MB.
        """
        self.byte_count = 0
        """The memory that these take, in bytes: they are hundreds, and each frame asks for it."""

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Draw a ground; the origin of the painter is the centre of the cell, see ``Pictures``.

        All painters of one ``VectorMap`` have the same render hints, as the first one has.
        """
        if not self._can_copy_image_to(painter):
            self._pictures.ground(painter, terrain, phase)
            return
        key = (terrain_of_ground(terrain), phase)
        placed = self._images.get(key)
        if placed is None:
            placed = self._paint_image(terrain, phase, painter.renderHints())
            self._images[key] = placed
            self.byte_count += placed.image.sizeInBytes()
        matrix = painter.worldTransform()
        centre = QPoint(round(matrix.dx()), round(matrix.dy()))
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(centre + placed.corner, placed.image)

    def _paint_image(
        self, terrain: Terrain, phase: Phase, hints: QPainter.RenderHint
    ) -> _PlacedImage:
        """Return the image of a phase of a ground."""
        box_px = self._box_px(phase)
        image = QImage(box_px.size(), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with painting(image) as image_painter:
            image_painter.setRenderHints(hints)
            image_painter.translate(-box_px.left(), -box_px.top())
            image_painter.scale(self._unit, self._unit)
            self._pictures.ground(image_painter, terrain, phase)
        return _PlacedImage(image, box_px.topLeft())

    def _box_px(self, phase: Phase) -> QRect:
        """Return ``Phase.box`` in pixels from the centre of the cell, rounded outwards."""
        box = phase.box
        left = math.floor(box.left() * self._unit)
        top = math.floor(box.top() * self._unit)
        width = math.ceil(box.right() * self._unit) - left
        height = math.ceil(box.bottom() * self._unit) - top
        return QRect(left, top, width, height)

    def _can_copy_image_to(self, painter: QPainter) -> bool:
        """Return whether pixels can be copied to where a painter draws.

        It draws on an image of this scale, with its origin at a whole pixel, and is not turned.
        """
        if not isinstance(painter.device(), QImage):
            return False
        matrix = painter.worldTransform()
        # All of these are 0 if the transform scales by the unit, neither turns nor shears, and
        # moves by whole pixels.
        deviations = (
            matrix.m11() - self._unit,
            matrix.m22() - self._unit,
            matrix.m12(),
            matrix.m21(),
            matrix.dx() - round(matrix.dx()),
            matrix.dy() - round(matrix.dy()),
        )
        return all(abs(deviation) < ROUNDING for deviation in deviations)

    # --- passed on unchanged: see ``Pictures`` ----------------------------------------------

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        self._pictures.feature(painter, terrain, variant)

    def picture_of_groups(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.picture_of_groups(terrain)

    def recolourable_picture(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.recolourable_picture(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        self._pictures.group(painter, terrain, name)
