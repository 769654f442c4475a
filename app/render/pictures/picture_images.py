"""Pictures painted once and kept as images of a few sizes.

Painting an SVG takes milliseconds. Sprites of a new scale are therefore made from these images,
made smaller. Terrains that show one picture in several colours share its images, too: the image has
the picture's own colours, and is tinted where it is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QTransform

from app.appearance.painting import painting, saved_state
from app.render.pictures.ground_phase import Phase
from app.render.pictures.svg_picture import SvgPicture, Tint
from app.render.pictures.terrain_pictures import (
    FEATURE_SHARE,
    GROUND_BOX,
    ImageKey,
    Pictures,
    ground_of,
    tint_of,
)
from randomizer.model.terrain.terrain import Terrain

BASE = 72.0
"""The pixels a map unit of the largest image that is kept."""

HALVINGS = 3
"""How often it is halved for smaller scales, when these are first drawn."""

Paint = Callable[[QPainter], None]
"""Paints something in map units, with the origin in the centre of a cell."""


class _Drawing(NamedTuple):
    """Something to be drawn, and the image that it can be drawn with."""

    key: ImageKey
    """That of the image, which drawings in other colours share."""

    box: QRectF
    """The area into which it is drawn, in map units."""

    image_box: QRectF
    """The area that the image shows, in map units."""

    paint_image: Paint
    """Paints what the image shows, in the picture's own colours."""

    paint: Paint
    """Draws the same as the image and the tint, but without an image."""

    tint: Tint | None = None
    """Changes the picture's own colours; None: they are not changed."""

    lay: Callable[[QPainter, QImage], None] | None = None
    """Draws the image where it is not just put into the box."""

    def put(self, painter: QPainter, image: QImage) -> None:
        """Draw the image as it is."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.lay is None:
            painter.drawImage(self.box, image)
        else:
            self.lay(painter, image)


class PictureImages(Pictures):
    """The same pictures as ``pictures``, drawn as images at scales up to ``BASE``.

    At larger scales they are painted each time, unless ``hurried``. A picture that terrains show in
    several colours is painted once.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._images = pictures.images
        """The images of each key, by how often they are halved (0 to ``HALVINGS``)."""
        self.hurried = False
        """True: whichever image there is is drawn at any scale, so that nothing is painted."""

    @property
    def bytes(self) -> int:
        """The memory that the images take, in bytes."""
        total = 0
        for sizes in list(self._images.values()):  # other threads draw pictures, too
            total += sum(image.sizeInBytes() for image in list(sizes.values()))
        return total

    def keep(self, terrains: Collection[Terrain]) -> None:
        """Let go of the images of pictures that none of these terrains shows."""
        picture_names = {terrain.picture or terrain.name for terrain in terrains}
        picture_names |= {terrain.ground for terrain in terrains}
        for key in list(self._images):  # other threads draw pictures, too
            if (key[1].picture or key[1].name) not in picture_names:
                self._images.pop(key, None)

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        terrain = ground_of(terrain)

        def paint(on: QPainter) -> None:
            self._pictures.ground(on, terrain, phase)

        picture = self._pictures.shared(terrain)
        if picture is None or not picture.has("ground"):
            # The user's own picture, or a plain colour: an image for each phase.
            key_of_phase = ("ground", terrain, phase)
            self._draw(painter, _Drawing(key_of_phase, phase.box, phase.box, paint, paint))
            return

        # One image of a whole period serves all phases: a brush repeats it over the cell's box.
        right = phase.wide / 2
        bottom = phase.high / 2
        corners = ((-right, -bottom), (-right, bottom), (right, bottom), (right, -bottom))
        period = Phase(right, bottom, phase.wide, phase.high, corners)
        in_own_colour = Terrain(terrain.picture or terrain.name, picture.colour)

        def paint_period(on: QPainter) -> None:
            self._pictures.ground(on, in_own_colour, period)

        def lay(on: QPainter, image: QImage) -> None:
            brush = QBrush(image)
            to_map_units = QTransform().translate(-phase.x, -phase.y)
            to_map_units.scale(phase.wide / image.width(), phase.high / image.height())
            brush.setTransform(to_map_units)
            on.fillRect(phase.box, brush)

        key = ("ground", in_own_colour, phase.wide, phase.high)
        tint = tint_of(terrain, picture)
        self._draw(painter, _Drawing(key, phase.box, period.box, paint_period, paint, tint, lay))

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        def paint(on: QPainter, painted: Terrain) -> None:
            self._pictures.feature(on, painted, variant)

        self._draw_standing(painter, terrain, ("feature", variant), GROUND_BOX, paint)

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.standing(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.shared(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        picture = self._pictures.standing(terrain)
        if picture is None:
            return
        box = picture.drawing(name).box
        if box.isEmpty():  # a cell may show nothing
            return

        def paint(on: QPainter, painted: Terrain) -> None:
            self._pictures.group(on, painted, name)

        self._draw_standing(painter, terrain, ("group", name), box, paint)

    def _draw_standing(
        self,
        painter: QPainter,
        terrain: Terrain,
        key: tuple[str, object],
        box: QRectF,
        paint_terrain: Callable[[QPainter, Terrain], None],
    ) -> None:
        """Draw what stands on the ground of a cell, in ``box`` (map units).

        ``key`` tells it from all else that stands on cells of this terrain.
        """
        picture = self._pictures.shared(terrain)
        in_own_colour = terrain
        tint = None
        if picture is not None:
            in_own_colour = Terrain(terrain.picture or terrain.name, picture.colour)
            tint = tint_of(terrain, picture, FEATURE_SHARE)

        def paint_image(on: QPainter) -> None:
            paint_terrain(on, in_own_colour)

        def paint(on: QPainter) -> None:
            paint_terrain(on, terrain)

        image_key = (key[0], in_own_colour, key[1])
        self._draw(painter, _Drawing(image_key, box, box, paint_image, paint, tint))

    def _draw(self, painter: QPainter, drawing: _Drawing) -> None:
        """Draw with the smallest image that is fine enough, or without one at larger scales."""
        matrix = painter.worldTransform()
        unit = math.hypot(matrix.m11(), matrix.m12())  # pixels a map unit
        has_image = drawing.key in self._images
        # A little more than BASE: scales that are rounded to it are drawn with the image.
        if unit > BASE * 1.01 and not (self.hurried and has_image):
            drawing.paint(painter)
            return
        image = self._image(drawing, unit)
        tint = drawing.tint
        if tint is None or tint.drawn_for == tint.target:
            drawing.put(painter, image)
            return

        # Tinted are the pixels that are shown: mostly fewer than those of the image.
        area = matrix.mapRect(drawing.box).toAlignedRect()
        untinted = QImage(area.size(), QImage.Format.Format_ARGB32_Premultiplied)
        untinted.fill(Qt.GlobalColor.transparent)
        with painting(untinted) as on_untinted:
            on_untinted.translate(-area.topLeft())
            on_untinted.setTransform(matrix, True)
            drawing.put(on_untinted, image)
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(area.topLeft(), tinted(untinted, tint))

    def _image(self, drawing: _Drawing, unit: float) -> QImage:
        """Return the image for a scale of ``unit`` pixels a map unit; it is made if it is missing.

        Hurried, that is the largest one that there is.
        """
        halvings = 0
        if unit < BASE:
            # A bit more than the exact number: half the base scale is one halving, not none.
            halvings = math.floor(math.log2(BASE / unit) + 1e-9)
        halvings = min(halvings, HALVINGS)
        sizes = self._images.setdefault(drawing.key, {})
        if self.hurried and sizes:
            halvings = min(sizes)
        image = sizes.get(halvings)
        if image is None:
            if 0 in sizes:
                image = _smaller(sizes[0], halvings)
            else:
                # The largest image is painted when it is seen: most of the time, never.
                image = _painted(drawing.image_box, drawing.paint_image, BASE / (1 << halvings))
            sizes[halvings] = image
        return image


def tinted(image: QImage, tint: Tint) -> QImage:
    """Return an image with its colours changed as the shapes of a picture are."""
    result = image.convertToFormat(QImage.Format.Format_ARGB32)
    channels = np.frombuffer(result.bits(), np.uint8).reshape(-1, 4)  # blue, green, red, alpha
    for channel, table in zip((2, 1, 0), tint.tables, strict=True):
        channels[:, channel] = table[channels[:, channel]]
    return result.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _painted(box: QRectF, paint: Paint, unit: float) -> QImage:
    """Return an image of what ``paint`` paints in a box, of ``unit`` pixels a map unit."""
    image = QImage(
        math.ceil(box.width() * unit),
        math.ceil(box.height() * unit),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(image.width() / box.width(), image.height() / box.height())
        painter.translate(-box.topLeft())
        paint(painter)
    return image


def _smaller(image: QImage, halvings: int) -> QImage:
    """Return an image whose width and height are halved so many times."""
    return image.scaled(
        max(1, image.width() >> halvings),
        max(1, image.height() >> halvings),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
