"""The picture under or over a map (``model.map_picture``), decoded once, at several sizes.

    levels = PictureLevels.of(digest, data)        # on any thread
    levels.paint(painter, picture, viewport, ratio)

A frame draws from the smallest size that has enough pixels for it, so that it costs what is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QTransform

from app.appearance.painting import saved_state
from app.render.pictures.own_pictures import decoded
from app.render.viewport import Viewport
from randomizer.model.map_picture import MapPicture
from randomizer.model.problems import error
from randomizer.model.records.assets import picture_size

SHOWN_SIDE = 4096
"""Larger pictures are kept at this size, in pixels: 64 MB, all sizes together 86 MB."""

LEAST_SIDE = 64
"""In pixels: smaller ones are not kept."""


@dataclass(frozen=True, eq=False)
class PictureLevels:
    """The picture with a ``digest``: of ``size`` (width, height) as it is seen, in pixels.

    Each of ``images`` has half the width and height of the one before.
    """

    digest: str
    size: tuple[int, int]
    images: tuple[QImage, ...]

    @classmethod
    def of(cls, digest: str, data: bytes) -> PictureLevels:
        """Decode a picture. Raises ProblemError if it is damaged, or none."""
        size = picture_size(data)
        if size is None:  # a record can name any asset
            raise error("no-picture", "this is no picture (PNG, JPEG or WebP)")
        image = decoded(data, SHOWN_SIDE)
        if (size[0] > size[1]) != (image.width() > image.height()):
            size = size[1], size[0]  # a photograph that says how it was held
        images = [image]
        while min(image.width(), image.height()) >= 2 * LEAST_SIDE:
            image = image.scaled(
                image.width() // 2,
                image.height() // 2,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            images.append(image)
        return cls(digest, size, tuple(images))

    def paint(
        self, painter: QPainter, picture: MapPicture, viewport: Viewport, ratio: float
    ) -> None:
        """Draw it where it lies on the map; the painter's unit is a device pixel."""
        to_map, regular = QTransform(*picture.placement).inverted()
        if not regular:
            return  # nothing but a line
        scale = viewport.scale * ratio
        shrinks = picture.pixels_a_unit / scale * self.images[0].width() / self.size[0]
        level = min(max(0, math.floor(math.log2(shrinks))), len(self.images) - 1)
        image = self.images[level]
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setOpacity(picture.opacity / 100)
            painter.translate(viewport.dx * ratio, viewport.dy * ratio)
            painter.scale(scale, scale)
            painter.setTransform(to_map, combine=True)
            painter.scale(self.size[0] / image.width(), self.size[1] / image.height())
            painter.drawImage(0, 0, image)
