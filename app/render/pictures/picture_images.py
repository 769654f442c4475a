"""Pictures painted once and kept as images of a few sizes.

Painting an SVG takes milliseconds. Sprites of a new scale are therefore made from these images,
made smaller.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.pictures.terrain_pictures import GROUND_BOX, Pictures

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.render.pictures.ground_phase import Phase
    from app.render.pictures.svg_picture import SvgPicture
    from randomizer.model.terrain import Terrain

BASE = 72.0
"""The pixels a map unit of the largest image that is kept."""

HALVINGS = 3
"""How often it is halved for smaller scales, when these are first drawn."""


class PictureImages(Pictures):
    """The same pictures as ``pictures``, drawn as images at scales up to ``BASE``.

    At larger scales they are painted each time, unless ``hurried``.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._images: dict[object, list[QImage]] = {}
        self.hurried = False

    @property
    def bytes(self) -> int:
        """How much memory the images take."""
        return sum(image.sizeInBytes() for sizes in self._images.values() for image in sizes)

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        self._draw(
            painter,
            ("ground", terrain, phase),
            phase.box,
            lambda on: self._pictures.ground(on, terrain, phase),
        )

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        self._draw(
            painter,
            ("feature", terrain, variant),
            GROUND_BOX,
            lambda on: self._pictures.feature(on, terrain, variant),
        )

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.standing(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        own = self._pictures.standing(terrain)
        if own is not None:
            self._draw(
                painter,
                ("group", terrain, name),
                own.drawing(name).box,
                lambda on: self._pictures.group(on, terrain, name),
            )

    def _draw(
        self, painter: QPainter, key: object, box: QRectF, paint: Callable[[QPainter], None]
    ) -> None:
        matrix = painter.worldTransform()
        pixels = math.hypot(matrix.m11(), matrix.m12())
        if pixels > BASE * 1.01 and not (self.hurried and key in self._images):
            paint(painter)
            return
        sizes = self._images.get(key)
        if sizes is None:
            sizes = self._images[key] = [_image(box, paint)]
        halvings = math.floor(math.log2(BASE / pixels) + 1e-9) if pixels < BASE else 0
        for halving in range(len(sizes), min(halvings, HALVINGS) + 1):
            sizes.append(_smaller(sizes[0], halving))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, sizes[min(halvings, HALVINGS)])


def _image(box: QRectF, paint: Callable[[QPainter], None]) -> QImage:
    """The picture of ``BASE`` pixels a map unit."""
    image = QImage(
        math.ceil(box.width() * BASE),
        math.ceil(box.height() * BASE),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(image.width() / box.width(), image.height() / box.height())
        painter.translate(-box.topLeft())
        paint(painter)
    return image


def _smaller(image: QImage, halving: int) -> QImage:
    """An image of half the width and height, ``halving`` times."""
    return image.scaled(
        max(1, image.width() >> halving),
        max(1, image.height() >> halving),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
