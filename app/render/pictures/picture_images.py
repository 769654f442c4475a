"""Pictures painted once and kept as images of a few sizes.

Painting an SVG takes milliseconds. Sprites of a new scale are therefore made from these images,
made smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from itertools import product

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


class PictureImages(Pictures):
    """The same pictures as ``pictures``, drawn as images at scales up to ``BASE``.

    At larger scales they are painted each time, unless ``hurried``. A picture that terrains show in
    several colours is painted once.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._images = pictures.images
        self.hurried = False

    @property
    def bytes(self) -> int:
        """The memory that the images take, in bytes."""
        images = [image for sizes in list(self._images.values()) for image in list(sizes.values())]
        return sum(image.sizeInBytes() for image in images)

    def keep(self, terrains: Collection[Terrain]) -> None:
        """Let go of the images of pictures that none of these terrains shows."""
        shown = {terrain.picture or terrain.name for terrain in terrains}
        shown |= {terrain.ground for terrain in terrains}
        for key in list(self._images):  # other threads draw pictures, too
            if (key[1].picture or key[1].name) not in shown:
                self._images.pop(key, None)

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        terrain = ground_of(terrain)

        def paint(on: QPainter) -> None:
            self._pictures.ground(on, terrain, phase)

        own = self._pictures.shared(terrain)
        if own is None or not own.has("ground"):
            self._draw(painter, ("ground", terrain, phase), phase.box, phase.box, paint, paint)
            return
        wide = phase.wide
        high = phase.high
        across = (0.0, wide)
        down = (0.0, high)
        corners = tuple((x - wide / 2, y - high / 2) for x, y in product(across, down))
        period = Phase(wide / 2, high / 2, wide, high, (*corners[:2], corners[3], corners[2]))
        bare = Terrain(terrain.picture or terrain.name, own.colour)

        def lay(on: QPainter, image: QImage) -> None:
            brush = QBrush(image)
            at = QTransform().translate(-phase.x, -phase.y)
            brush.setTransform(at.scale(wide / image.width(), high / image.height()))
            on.fillRect(phase.box, brush)

        key = ("ground", bare, wide, high)
        tint = tint_of(terrain, own)
        paints = (lambda on: self._pictures.ground(on, bare, period), paint)
        self._draw(painter, key, period.box, phase.box, *paints, tint, lay)

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        self._draw_standing(
            painter,
            terrain,
            ("feature", variant),
            GROUND_BOX,
            lambda on, shown: self._pictures.feature(on, shown, variant),
        )

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.standing(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.shared(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        own = self._pictures.standing(terrain)
        if own is not None and not own.drawing(name).box.isEmpty():  # a cell may show nothing
            self._draw_standing(
                painter,
                terrain,
                ("group", name),
                own.drawing(name).box,
                lambda on, shown: self._pictures.group(on, shown, name),
            )

    def _draw_standing(
        self,
        painter: QPainter,
        terrain: Terrain,
        key: tuple[str, object],
        box: QRectF,
        paint: Callable[[QPainter, Terrain], None],
    ) -> None:
        """Draw what stands on the ground; ``paint`` does so for a terrain."""
        own = self._pictures.shared(terrain)
        shown = terrain
        tint = None
        if own is not None:
            shown = Terrain(terrain.picture or terrain.name, own.colour)
            tint = tint_of(terrain, own, FEATURE_SHARE)

        paints = (lambda on: paint(on, shown), lambda on: paint(on, terrain))
        self._draw(painter, (key[0], shown, key[1]), box, box, *paints, tint)

    def _draw(
        self,
        painter: QPainter,
        key: ImageKey,
        covered: QRectF,
        box: QRectF,
        paint: Callable[[QPainter], None],
        direct: Callable[[QPainter], None],
        tint: Tint | None = None,
        lay: Callable[[QPainter, QImage], None] | None = None,
    ) -> None:
        """Draw the image of a key, which covers ``covered``, in ``box``, both in map units.

        ``paint`` paints it in the picture's own colours, which are changed to those of ``tint``;
        ``direct`` draws the same without an image. ``lay``: it is not just put into the box.
        """
        matrix = painter.worldTransform()
        pixels = math.hypot(matrix.m11(), matrix.m12())
        if pixels > BASE * 1.01 and not (self.hurried and key in self._images):
            direct(painter)
            return
        if pixels < BASE:
            halvings = math.floor(math.log2(BASE / pixels) + 1e-9)
        else:
            halvings = 0
        halvings = min(halvings, HALVINGS)
        sizes = self._images.setdefault(key, {})
        if self.hurried and sizes:
            halvings = min(sizes)
        image = sizes.get(halvings)
        if image is None:
            if 0 in sizes:
                image = _smaller(sizes[0], halvings)
            else:  # larger ones are painted when they are seen: most of the time, never
                image = _image(covered, paint, BASE / (1 << halvings))
            sizes[halvings] = image

        def put(on: QPainter) -> None:
            on.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if lay is None:
                on.drawImage(box, image)
            else:
                lay(on, image)

        if tint is None or tint.own == tint.shown:
            put(painter)
            return
        area = matrix.mapRect(box).toAlignedRect()
        part = QImage(area.size(), QImage.Format.Format_ARGB32_Premultiplied)
        part.fill(Qt.GlobalColor.transparent)
        with painting(part) as on_part:
            on_part.translate(-area.topLeft())
            on_part.setTransform(matrix, True)
            put(on_part)
        with saved_state(painter):
            painter.resetTransform()
            painter.drawImage(area.topLeft(), tinted(part, tint))


def tinted(image: QImage, tint: Tint) -> QImage:
    """Return an image with its colours changed as the shapes of a picture are."""
    result = image.convertToFormat(QImage.Format.Format_ARGB32)
    channels = np.frombuffer(result.bits(), np.uint8).reshape(-1, 4)
    for channel, table in zip((2, 1, 0), tint.tables, strict=True):
        channels[:, channel] = table[channels[:, channel]]
    return result.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _image(box: QRectF, paint: Callable[[QPainter], None], unit: float) -> QImage:
    """Return the picture of ``unit`` pixels a map unit."""
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


def _smaller(image: QImage, halving: int) -> QImage:
    """Return an image of half the width and height, ``halving`` times."""
    return image.scaled(
        max(1, image.width() >> halving),
        max(1, image.height() >> halving),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
