"""Draws the pictures of terrains quickly: each is painted once, and kept as images of a few sizes.

A picture is an SVG, and to paint one takes milliseconds. After the user has zoomed, hundreds are
drawn in another size: so they are drawn from images that are somewhat larger, at most ``BASE``
pixels a map unit. Terrains that show one picture in several colours share its images, too: an image
has the picture's own colours, and is *tinted* when it is drawn. ``PictureImages`` wraps the
``Pictures`` that paint::

    images = PictureImages(Pictures())
    images.ground(painter, grass, phase)      # paints the image if need be, and draws it
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
from app.render.pictures.picture_library import ground_of
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.svg_shapes import Tint
from app.render.pictures.terrain_pictures import (
    FEATURE_SHARE,
    GROUND_BOX,
    ImageKey,
    Pictures,
    tint_of,
)
from randomizer.model.terrain.terrain import Terrain

BASE = 72.0
"""The pixels a map unit of the largest image of a picture.

At larger scales pictures are painted each time: larger images would take more memory.
"""

BASE_TOLERANCE = 1.01
"""Scales up to this many times ``BASE`` count as ``BASE``, from which rounding has moved them."""

HALVINGS = 3
"""How often ``BASE`` is halved: a picture has images of the whole, a half, a quarter, an eighth."""

LOG_TOLERANCE = 1e-9
"""An error of rounding: half of ``BASE`` is one halving, even if the logarithm is a bit less."""

Paint = Callable[[QPainter], None]
"""Paints something in map units, with the origin in the centre of a cell."""


class _Drawing(NamedTuple):
    """Something to be drawn in a cell, and the image that it can be drawn with."""

    key: ImageKey
    """The key of the image, which drawings in other colours share."""

    box: QRectF
    """The area into which it is drawn, in map units."""

    image_box: QRectF
    """The area that the image shows, in map units."""

    paint_image: Paint
    """Paints what the image shows, in the picture's own colours."""

    paint: Paint
    """Draws the same as the image and the tint, but without an image."""

    tint: Tint | None = None
    """Changes the picture's own colours into those of the terrain; None if they are the same."""

    draw_pattern: Callable[[QPainter, QImage], None] | None = None
    """Fills ``box`` with the image as a pattern that repeats; None if the image itself fills it."""

    def draw_image(self, painter: QPainter, image: QImage) -> None:
        """Draw the image in its own colours."""
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self.draw_pattern is None:
            painter.drawImage(self.box, image)
        else:
            self.draw_pattern(painter, image)


class PictureImages(Pictures):
    """Draws the same pictures as ``pictures``, from images at scales up to ``BASE``.

    The images are those of ``pictures``, so that several objects of this class share them.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._images = pictures.images
        """The images by their key, and then by how often they are halved (0 to ``HALVINGS``)."""
        self.hurried = False
        """True while there is no time to paint: any image of a picture is used at any scale."""

    @property
    def bytes(self) -> int:
        """The memory that the images take, in bytes."""
        total = 0
        for sizes in list(self._images.values()):  # other threads draw pictures, too
            total += sum(image.sizeInBytes() for image in list(sizes.values()))
        return total

    def drop_all_but(self, terrains: Collection[Terrain]) -> None:
        """Let go of the images of all pictures that none of these terrains shows."""
        names = {_picture_name(terrain) for terrain in terrains}
        names |= {terrain.ground for terrain in terrains}
        for key in list(self._images):  # other threads draw pictures, too
            _kind, terrain, *_rest = key
            if _picture_name(terrain) not in names:
                self._images.pop(key, None)

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        terrain = ground_of(terrain)
        box = phase.box

        def paint(on: QPainter) -> None:
            self._pictures.ground(on, terrain, phase)

        picture = self._pictures.shared(terrain)
        if picture is None or not picture.has("ground"):
            # The user's own picture, or a plain colour: an image for each phase.
            key_of_phase = ("ground", terrain, phase)
            self._draw(painter, _Drawing(key_of_phase, box, box, paint, paint))
            return

        # Our picture is a pattern that repeats. One image of the whole pattern, a *period*, serves
        # all phases: a brush repeats it over the cell's box.
        period = _whole_period(phase)
        in_own_colour = Terrain(_picture_name(terrain), picture.colour)

        def paint_period(on: QPainter) -> None:
            self._pictures.ground(on, in_own_colour, period)

        def draw_pattern(on: QPainter, image: QImage) -> None:
            # The pattern begins at (-phase.x, -phase.y), seen from the centre of the cell.
            brush = QBrush(image)
            to_map_units = QTransform().translate(-phase.x, -phase.y)
            to_map_units.scale(phase.wide / image.width(), phase.high / image.height())
            brush.setTransform(to_map_units)
            on.fillRect(box, brush)

        key = ("ground", in_own_colour, phase.wide, phase.high)
        drawing = _Drawing(
            key,
            box=box,
            image_box=QRectF(-period.x, -period.y, period.wide, period.high),
            paint_image=paint_period,
            paint=paint,
            tint=tint_of(terrain, picture),
            draw_pattern=draw_pattern,
        )
        self._draw(painter, drawing)

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
        """Draw something that stands on the ground of a cell, in ``box`` (map units).

        ``key`` distinguishes it from all else that stands on cells of this terrain.
        ``paint_terrain`` paints it as a terrain shows it.
        """
        picture = self._pictures.shared(terrain)
        in_own_colour = terrain
        tint = None
        if picture is not None:
            in_own_colour = Terrain(_picture_name(terrain), picture.colour)
            tint = tint_of(terrain, picture, FEATURE_SHARE)

        def paint_image(on: QPainter) -> None:
            paint_terrain(on, in_own_colour)

        def paint(on: QPainter) -> None:
            paint_terrain(on, terrain)

        kind, variant = key
        image_key = (kind, in_own_colour, variant)
        drawing = _Drawing(
            image_key, box=box, image_box=box, paint_image=paint_image, paint=paint, tint=tint
        )
        self._draw(painter, drawing)

    def _draw(self, painter: QPainter, drawing: _Drawing) -> None:
        """Draw with the smallest image that is fine enough.

        At scales for which no image is, the picture itself is painted, unless there is no time.
        """
        matrix = painter.worldTransform()
        pixels_a_unit = math.hypot(matrix.m11(), matrix.m12())
        is_fine_enough = pixels_a_unit <= BASE * BASE_TOLERANCE
        has_image = drawing.key in self._images
        if not is_fine_enough and not (self.hurried and has_image):
            drawing.paint(painter)
            return
        image = self._image(drawing, pixels_a_unit)
        tint = drawing.tint
        if tint is None or tint.drawn_for == tint.target:
            drawing.draw_image(painter, image)
            return

        # Only the pixels that are seen are tinted: they are mostly fewer than those of the image.
        area = matrix.mapRect(drawing.box).toAlignedRect()
        untinted = QImage(area.size(), QImage.Format.Format_ARGB32_Premultiplied)
        untinted.fill(Qt.GlobalColor.transparent)
        with painting(untinted) as on_untinted:
            on_untinted.translate(-area.topLeft())
            on_untinted.setTransform(matrix, True)
            drawing.draw_image(on_untinted, image)
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(area.topLeft(), tinted(untinted, tint))

    def _image(self, drawing: _Drawing, pixels_a_unit: float) -> QImage:
        """Return the image for a scale; it is made if it is missing.

        If there is no time (``hurried``), that is the largest image that exists, if one does.
        """
        halvings = 0
        if pixels_a_unit < BASE:
            halvings = math.floor(math.log2(BASE / pixels_a_unit) + LOG_TOLERANCE)
        halvings = min(halvings, HALVINGS)
        sizes = self._images.setdefault(drawing.key, {})
        if self.hurried and sizes:
            halvings = min(sizes)
        image = sizes.get(halvings)
        if image is None:
            if 0 in sizes:
                image = _smaller(sizes[0], halvings)
            else:
                # The largest image is not painted for this: it is mostly never seen.
                unit_of_image = BASE / (1 << halvings)
                image = _painted(drawing.image_box, drawing.paint_image, unit_of_image)
            sizes[halvings] = image
        return image


def _whole_period(phase: Phase) -> Phase:
    """Return a phase whose outline is a rectangle that shows the whole pattern once."""
    half_width = phase.wide / 2
    half_height = phase.high / 2
    corners = (
        (-half_width, -half_height),
        (-half_width, half_height),
        (half_width, half_height),
        (half_width, -half_height),
    )
    return Phase(half_width, half_height, phase.wide, phase.high, corners)


def _picture_name(terrain: Terrain) -> str:
    """Return the name of the picture of a terrain: its own name unless it shows another one."""
    return terrain.picture or terrain.name


RED_GREEN_BLUE = (2, 1, 0)
"""The bytes of red, green and blue in a pixel of ``Format_ARGB32``; byte 3 is the opacity."""


def tinted(image: QImage, tint: Tint) -> QImage:
    """Return an image with its colours changed as the shapes of a picture are."""
    result = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(result.bits(), np.uint8).reshape(-1, 4)  # a view: it changes the result
    for byte, table in zip(RED_GREEN_BLUE, tint.tables, strict=True):
        pixels[:, byte] = table[pixels[:, byte]]
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
