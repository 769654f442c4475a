"""Draws the pictures of terrains quickly: from images, which are painted once.

A picture is an SVG, and to paint one takes milliseconds. After the user has zoomed, hundreds are
drawn in another size. So they are drawn from images of a few sizes, at most ``LARGEST_UNIT`` pixels
a map unit, each somewhat larger than what is drawn from it. ``PictureImages`` has the methods of
the ``Pictures`` that it paints the images with::

    images = PictureImages(Pictures())
    images.ground(painter, grass, phase)      # paints the image if need be, and draws it

Two ideas save images:

- A green wood and a blue one show one picture in two colours. Its image has the colour that the
  picture was drawn in, and is changed to that of the terrain, *tinted*, whenever it is drawn.
- A ground is a pattern that repeats, of which each cell shows another section (its ``Phase``). One
  image of the whole pattern serves all cells: it is drawn as tiles are laid.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QTransform

from app.appearance.painting import painting, saved_state
from app.render.pictures.ground_phase import Phase
from app.render.pictures.image_store import picture_name
from app.render.pictures.picture_library import terrain_of_ground
from app.render.pictures.terrain_pictures import FEATURE_BOX, Pictures
from app.render.pictures.terrain_tints import feature_tint, ground_tint
from randomizer.model.terrain.terrain import Terrain

# The first paint takes its sprites from a file, and reads no pictures.
if TYPE_CHECKING:
    from app.render.pictures.svg_picture import SvgPicture
    from app.render.pictures.svg_shapes import Tint

LARGEST_UNIT = 72.0
"""The pixels a map unit of the largest image of a picture.

At larger scales pictures are painted each time: larger images would take more memory.
"""

IMAGE_UNITS = (LARGEST_UNIT / 8, LARGEST_UNIT / 4, LARGEST_UNIT / 2, LARGEST_UNIT)
"""The pixels a map unit of the images that a picture can have, ascending."""

LARGEST_UNIT_TOLERANCE = 1.01
"""Scales up to this many times ``LARGEST_UNIT`` count as ``LARGEST_UNIT``, from which rounding
has moved them."""

UNIT_TOLERANCE = 1 + 1e-9
"""Scales up to this many times an image's unit count as that unit: an error of rounding."""


class ImageQuality(Enum):
    """Which image of a picture is good enough to draw from."""

    FINE = auto()
    """One that has at least the pixels of what is drawn; it is painted if it is missing."""

    ANY = auto()
    """The largest that exists, even if it is blurred; as ``FINE`` if there is none."""

    STORED = auto()
    """One as ``FINE`` that exists already; if it is missing, the picture itself is painted."""


class PictureImages(Pictures):
    """Draws the same pictures as ``pictures``, from images at scales up to ``LARGEST_UNIT``.

    Several objects of this class for the same ``pictures`` share the images (``Pictures.images``),
    also those of other threads. One object belongs to one thread. As with ``Pictures``, callers
    save the state of the painter.
    """

    def __init__(self, pictures: Pictures) -> None:
        self.images = pictures.images
        self._pictures = pictures
        """Paints the images, and what is too large for them."""
        self._quality = ImageQuality.FINE
        """``ANY`` inside ``with_any_image``, ``STORED`` inside ``with_stored_images``."""

    @property
    def byte_count(self) -> int:
        """The memory that the images take, in bytes."""
        return self.images.byte_count

    def drop_all_but(self, terrains: Collection[Terrain]) -> None:
        """Let go of the images of all pictures that none of these terrains shows."""
        names = {picture_name(terrain) for terrain in terrains}
        names |= {terrain.ground for terrain in terrains}
        self.images.keep_only(names)

    @contextmanager
    def with_any_image(self) -> Iterator[None]:
        """Draw from any image that exists, at any scale: inside, there is no time to paint."""
        self._quality = ImageQuality.ANY
        try:
            yield
        finally:
            self._quality = ImageQuality.FINE

    @contextmanager
    def with_stored_images(self) -> Iterator[None]:
        """Paint no images: inside, each picture is drawn for one cell.

        To paint what lies in a cell is much quicker than the whole pattern of a ground.
        """
        self._quality = ImageQuality.STORED
        try:
            yield
        finally:
            self._quality = ImageQuality.FINE

    # --- what needs no image --------------------------------------------------------------------

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._pictures.ground_colour(terrain)

    def picture_of_groups(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.picture_of_groups(terrain)

    def recolourable_picture(self, terrain: Terrain) -> SvgPicture | None:
        return self._pictures.recolourable_picture(terrain)

    # --- drawing from images --------------------------------------------------------------------

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Fill the box of ``phase``, of which the outline is a part, with the ground."""
        terrain = terrain_of_ground(terrain)
        picture = self._pictures.recolourable_picture(terrain)
        if picture is None or not picture.has("ground"):
            self._draw_ground_of_cell(painter, terrain, phase)
        else:
            self._draw_ground_that_repeats(painter, terrain, phase, picture)

    def _draw_ground_of_cell(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Draw the user's own picture, or a plain colour, from an image for each phase."""
        subject = _GroundOfCell(terrain, phase)
        image = self._image_for(painter, subject)
        if image is None:
            subject.paint(painter, self._pictures)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(subject.box, image)

    def _draw_ground_that_repeats(
        self, painter: QPainter, terrain: Terrain, phase: Phase, picture: SvgPicture
    ) -> None:
        """Draw a pattern of ours from one image, which serves all phases and all colours."""
        subject = _GroundPattern(
            _in_own_colour(terrain, picture), phase.pattern_width, phase.pattern_height
        )
        image = self._image_for(painter, subject)
        if image is None:
            self._pictures.ground(painter, terrain, phase)
            return

        # A brush repeats the image over the box. The pattern begins at (-phase.x, -phase.y), seen
        # from the centre of the cell.
        brush = QBrush(image)
        to_map_units = QTransform().translate(-phase.x, -phase.y)
        to_map_units.scale(
            phase.pattern_width / image.width(), phase.pattern_height / image.height()
        )
        brush.setTransform(to_map_units)
        box = phase.box
        with _tinting(painter, box, ground_tint(terrain, picture)) as tinted_painter:
            tinted_painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            tinted_painter.fillRect(box, brush)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        self._draw_standing(painter, _Feature(terrain, variant))

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        picture = self._pictures.picture_of_groups(terrain)
        if picture is None:
            return
        box = picture.drawing(name).box
        if not box.isEmpty():  # a group may show nothing
            self._draw_standing(painter, _Group(terrain, name, box))

    def _draw_standing(self, painter: QPainter, wanted: _Feature | _Group) -> None:
        """Draw something that stands on the ground, from an image that serves all colours."""
        terrain = wanted.terrain
        tint = None
        untinted_subject = wanted
        picture = self._pictures.recolourable_picture(terrain)
        if picture is not None:
            tint = feature_tint(terrain, picture)
            untinted_subject = replace(wanted, terrain=_in_own_colour(terrain, picture))
        image = self._image_for(painter, untinted_subject)
        if image is None:
            wanted.paint(painter, self._pictures)
            return
        with _tinting(painter, wanted.box, tint) as tinted_painter:
            tinted_painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            tinted_painter.drawImage(wanted.box, image)

    # --- finding images -------------------------------------------------------------------------

    def _image_for(self, painter: QPainter, subject: _Subject) -> QImage | None:
        """Return the image to draw from, at the scale of the painter; painted if need be.

        None if the scale is too large for images, and for one that is not ``STORED``: then the
        picture itself is to be painted.
        """
        if self._quality is ImageQuality.ANY:
            image = self.images.largest(subject)
            if image is not None:
                return image
        matrix = painter.worldTransform()
        pixels_per_unit = math.hypot(matrix.m11(), matrix.m12())
        if pixels_per_unit > LARGEST_UNIT * LARGEST_UNIT_TOLERANCE:
            return None

        # The smallest image that is fine enough, so that few pixels are read.
        unit = _unit_for(pixels_per_unit)
        image = self.images.get(subject, unit)
        if image is None and self._quality is not ImageQuality.STORED:
            image = self._new_image(subject, unit)
            self.images.add(subject, unit, image)
        return image

    def _new_image(self, subject: _Subject, unit: float) -> QImage:
        """Return a new image of a subject, with ``unit`` pixels a map unit."""
        # To make the largest image smaller is quicker than to paint. But where there is none it is
        # not painted for this: it is mostly never seen.
        largest = self.images.get(subject, LARGEST_UNIT)
        if largest is not None:
            return _smaller(largest, divisor=round(LARGEST_UNIT / unit))
        return _painted(subject, self._pictures, unit)


# --- what images show: the keys of ``ImageStore`` -----------------------------------------------


@dataclass(frozen=True)
class _GroundOfCell:
    """The ground in the box of one cell."""

    terrain: Terrain
    phase: Phase

    @property
    def box(self) -> QRectF:
        """The area that the image shows, in map units around the centre of the cell."""
        return self.phase.box

    def paint(self, painter: QPainter, pictures: Pictures) -> None:
        """Paint it in map units; (0, 0) is the centre of the cell."""
        pictures.ground(painter, self.terrain, self.phase)


@dataclass(frozen=True)
class _GroundPattern:
    """The whole pattern of a ground, once; width and height are in map units."""

    terrain: Terrain
    width: float
    height: float

    @property
    def box(self) -> QRectF:
        """The area of the pattern, with (0, 0) in its middle."""
        return QRectF(-self.width / 2, -self.height / 2, self.width, self.height)

    def paint(self, painter: QPainter, pictures: Pictures) -> None:
        """Paint it as a cell that is as large as the pattern, and lies in its middle."""
        right = self.width / 2
        bottom = self.height / 2
        corners = ((-right, -bottom), (-right, bottom), (right, bottom), (right, -bottom))
        whole = Phase(right, bottom, self.width, self.height, corners)
        pictures.ground(painter, self.terrain, whole)


@dataclass(frozen=True)
class _Feature:
    """What stands in a cell of a board; ``variant`` is that of ``Pictures.feature``."""

    terrain: Terrain
    variant: int

    @property
    def box(self) -> QRectF:
        """The area that the image shows, in map units around the centre of the cell."""
        return FEATURE_BOX

    def paint(self, painter: QPainter, pictures: Pictures) -> None:
        """Paint it in map units; (0, 0) is the centre of the cell."""
        pictures.feature(painter, self.terrain, self.variant)


@dataclass(frozen=True)
class _Group:
    """A tree or a rock that stands in a landscape, by its ``name`` in the picture."""

    terrain: Terrain
    name: str
    box: QRectF = field(compare=False)
    """The area that the image shows, in map units; it follows from the other two."""

    def paint(self, painter: QPainter, pictures: Pictures) -> None:
        """Paint it in map units around (0, 0)."""
        pictures.group(painter, self.terrain, self.name)


_Subject = _GroundOfCell | _GroundPattern | _Feature | _Group


def _in_own_colour(terrain: Terrain, picture: SvgPicture) -> Terrain:
    """Return a terrain that shows the picture of ``terrain`` in the colour it was drawn in.

    It is the same one for all terrains with this picture, and so are their subjects.
    """
    return Terrain(picture_name(terrain), picture.colour)


# --- sizes of images ----------------------------------------------------------------------------


def _unit_for(pixels_per_unit: float) -> float:
    """Return the smallest of ``IMAGE_UNITS`` that is fine enough, else the largest: 36 for 20."""
    for unit in IMAGE_UNITS:
        if pixels_per_unit <= unit * UNIT_TOLERANCE:
            return unit
    return LARGEST_UNIT


def _painted(subject: _Subject, pictures: Pictures, unit: float) -> QImage:
    """Return an image of a subject with ``unit`` pixels a map unit."""
    box = subject.box
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
        subject.paint(painter, pictures)
    return image


def _smaller(image: QImage, *, divisor: int) -> QImage:
    """Return an image whose width and height are divided by ``divisor``."""
    return image.scaled(
        max(1, image.width() // divisor),
        max(1, image.height() // divisor),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )


# --- tinting ------------------------------------------------------------------------------------


@contextmanager
def _tinting(painter: QPainter, box: QRectF, tint: Tint | None) -> Iterator[QPainter]:
    """Yield a painter on a separate image of ``box`` (map units); draw that, tinted, on exit.

    Without a tint ``painter`` itself is yielded.
    """
    if tint is None:
        yield painter
        return

    # What is drawn is tinted, not the image that it is drawn from: it has mostly fewer pixels.
    matrix = painter.worldTransform()
    area = matrix.mapRect(box).toAlignedRect()
    untinted = QImage(area.size(), QImage.Format.Format_ARGB32_Premultiplied)
    untinted.fill(Qt.GlobalColor.transparent)
    with painting(untinted) as untinted_painter:
        untinted_painter.translate(-area.topLeft())
        untinted_painter.setTransform(matrix, True)
        yield untinted_painter
    with saved_state(painter):
        painter.resetTransform()
        painter.drawImage(area.topLeft(), tinted(untinted, tint))


RED_GREEN_BLUE = (2, 1, 0)
"""The bytes of red, green and blue in a pixel of ``Format_ARGB32``; byte 3 is the opacity.

That is so on little-endian machines, on which alone the program runs.
"""


def tinted(image: QImage, tint: Tint) -> QImage:
    """Return an image with its colours changed as the shapes of a picture are."""
    result = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = np.frombuffer(result.bits(), np.uint8).reshape(-1, 4)  # a view: it changes the result
    for byte, table in zip(RED_GREEN_BLUE, tint.tables, strict=True):
        pixels[:, byte] = table[pixels[:, byte]]
    return result.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
