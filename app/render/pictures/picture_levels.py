"""The user's picture under or over a map, such as a scan, decoded once and kept at several sizes.

    levels = PictureLevels.of(digest, data)        # on any thread
    levels.paint(painter, picture, viewport, ratio)

Each size, or *level*, has half the width and height of the one before. A frame is drawn from the
smallest level that has enough pixels for it, so that a large scan seen from afar costs no more than
the pixels of the screen. Where the picture lies on the map is told by a ``MapPicture``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QTransform

from app.appearance.painting import saved_state
from app.render.pictures.picture_files import decoded
from app.render.viewport import Viewport
from randomizer.model.map_picture import MapPicture
from randomizer.model.problems import error
from randomizer.model.records.assets import picture_size

LARGEST_LEVEL_SIDE = 4096
"""Larger pictures are kept with this width or height, in pixels: 64 MB, all levels 86 MB."""

MIN_SIDE = 64
"""No level is less wide or high than this, in pixels, except the first one of a small picture."""


@dataclass(frozen=True, eq=False)
class PictureLevels:
    """The levels of one picture."""

    digest: str
    """The digest of the picture's file."""

    width: int
    """The width of the picture in the file as it is seen, in pixels."""

    height: int
    """Its height."""

    images: tuple[QImage, ...]
    """The levels, the largest first."""

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the picture in the file as it is seen, in pixels."""
        return self.width, self.height

    @classmethod
    def of(cls, digest: str, data: bytes) -> PictureLevels:
        """Decode the file of a picture. Raises ProblemError if it is damaged, or no picture."""
        size = picture_size(data)
        if size is None:  # a record can name any asset
            raise error("no-picture", "this is no picture (PNG, JPEG or WebP)")
        image = decoded(data, LARGEST_LEVEL_SIDE)
        width, height = size
        # A photograph that says how the camera was held is turned when it is decoded: then what was
        # wide is high. (Of one that is nearly square it does not matter.)
        was_turned = (width > height) != (image.width() > image.height())
        if was_turned:
            width, height = height, width
        images = [image]
        while min(image.width(), image.height()) >= 2 * MIN_SIDE:
            image = image.scaled(
                image.width() // 2,
                image.height() // 2,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            images.append(image)
        return cls(digest, width, height, tuple(images))

    def paint(
        self, painter: QPainter, picture: MapPicture, viewport: Viewport, ratio: float
    ) -> None:
        """Draw the picture where it lies on the map, as opaque as ``picture`` says.

        The painter's unit is the device pixel, of which a logical one has ``ratio``.
        """
        # The placement takes points of the map to pixels of the picture; a painter needs the
        # inverse.
        picture_to_map, is_invertible = QTransform(*picture.placement).inverted()
        if not is_invertible:
            return  # the picture is so narrow that it is a line

        # The pixels of the first level, in each direction, that become one pixel of the screen.
        # Each further level halves that; it must not fall below 1.
        scale = viewport.scale * ratio
        file_pixels_per_screen_pixel = picture.pixels_per_unit / scale
        level_share = self.images[0].width() / self.width
        level_pixels_per_screen_pixel = file_pixels_per_screen_pixel * level_share
        halvings = math.floor(math.log2(level_pixels_per_screen_pixel))
        level = min(max(0, halvings), len(self.images) - 1)
        image = self.images[level]
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setOpacity(picture.opacity / 100)
            painter.translate(viewport.dx * ratio, viewport.dy * ratio)
            painter.scale(scale, scale)
            painter.setTransform(picture_to_map, combine=True)
            painter.scale(self.width / image.width(), self.height / image.height())
            painter.drawImage(0, 0, image)
