"""Draws the pictures of terrains: our own, or those that a user has given to a terrain.

``Pictures`` and its subclasses (``PlainPictures``, ``GamePictures`` and others) draw a terrain in
two parts, in map units::

    pictures.ground(painter, terrain, phase)      # the ground, which covers a cell and repeats
    pictures.feature(painter, terrain, variant)   # what stands on it: trees, rocks, a tower

In landscapes pictures also have *groups*, single trees and rocks that stand over the edges of
cells (``standing``, ``group``). Which file shows a terrain is decided by ``picture_library``.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.pictures.ground_phase import MARGIN, Phase
from app.render.pictures.image_store import ImageStore
from app.render.pictures.own_pictures import own_picture
from app.render.pictures.picture_library import (
    FOLDERS,
    add_picture_folder,
    ground_of,
    picture_of,
)
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.svg_shapes import Tint
from app.render.pictures.terrain_patterns import PATTERNS, Pattern, draw_pattern, ink_on
from app.render.piece import closed_path
from randomizer.model.terrain.terrain import Terrain

HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)
"""The box of a terrain picture in map units around the hex's centre."""

GROUND_PERIOD = 6.5
"""The width and height of a ground in our files; layouts stretch it to their own period."""

GROUND_BOX = HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03)
"""What features may cover; a little more than the hexagon."""

PATTERN_OPACITY = 90
"""The opacity of a pattern that the user has chosen, of 255."""

VARIANT_BITS = 2
"""The bits of the number of a variant."""

VARIANTS = 1 << VARIANT_BITS
"""How many features the picture of a terrain has, so that not all woods are alike."""

RANGES = {"Hills": 1, "Snowy hills": 1, "Mountains": 2, "High mountains": 2, "Volcano": 2}
"""The pictures of heights that make ranges, with how high their land is.

At the edge of a cell of a range the land is lower if the picture beyond it has a lower number, or
is none of these.
"""


STRETCHED = 1.25
"""A picture of the user's own whose proportions differ by more from a cell's is not stretched."""


def _draw_own(painter: QPainter, terrain: Terrain, phase: Phase) -> None:
    """Draw the user's own picture of a terrain, or its pattern, into the box of a cell."""
    image = own_picture(terrain.asset)
    if image is None:
        if terrain.pattern in PATTERNS:
            painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
            ink = ink_on(QColor(terrain.colour), PATTERN_OPACITY)
            draw_pattern(painter, Pattern(terrain.pattern), ink)
        return
    # The box of the phase is a little larger than the cell, which the picture fills.
    box_of_phase = phase.box
    share = 1 / (1 + MARGIN)
    box = QRectF(0, 0, box_of_phase.width() * share, box_of_phase.height() * share)
    box.moveCenter(box_of_phase.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    # Both have the same proportions if these two are equal.
    across = image.width() * box.height()
    down = image.height() * box.width()
    is_shaped_like_box = max(across, down) <= STRETCHED * min(across, down)
    if not is_shaped_like_box:
        box = fitted_into(box, image)
    painter.drawImage(box, image)


def tint_of(terrain: Terrain, picture: SvgPicture, share: float = 1.0) -> Tint | None:
    """Return how the colours of a picture follow the colour of a terrain that names it.

    ``share`` is how much of the way they go, 0 to 1. None if they stay as they are.
    """
    if not terrain.picture:
        return None
    if terrain.ground and share < 1:
        return None  # its colour is that of the ground
    drawn_for = QColor(picture.colour)
    target = QColor(terrain.colour)
    red = drawn_for.red()
    green = drawn_for.green()
    blue = drawn_for.blue()
    tint = Tint(
        (red, green, blue),
        (
            round(red + (target.red() - red) * share),
            round(green + (target.green() - green) * share),
            round(blue + (target.blue() - blue) * share),
        ),
    )
    if tint.target == tint.drawn_for:
        return None
    return tint


FEATURE_SHARE = 0.35
"""How much of the way features go to the colour of a terrain."""


class Pictures:
    """Draws terrains by our own pictures (``resources/terrain``); subclasses draw by others.

    The painter's unit is the map unit. A terrain of which there is no picture is drawn in its
    colour; where a terrain names a picture, the picture takes the colour of the terrain.
    """

    images = ImageStore()
    """The images that ``PictureImages`` has painted of them.

    All canvases together have this one; a subclass whose pictures differ has a store of its own.
    """

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Fill the outline of ``phase`` around (0, 0) with the ground, which repeats."""
        terrain = ground_of(terrain)
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            fill_outline(painter, phase, QColor(terrain.colour))
            _draw_own(painter, terrain, phase)
            return
        fill_outline(painter, phase, self.ground_colour(terrain))

        # The pattern of the file is stretched to the period of the layout, and shifted so that the
        # section of the phase lies in the cell.
        across = phase.wide / GROUND_PERIOD
        down = phase.high / GROUND_PERIOD
        painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
        painter.translate(-phase.x, -phase.y)
        painter.scale(across, down)
        box = phase.box.translated(phase.x, phase.y)
        seen = QRectF(
            box.left() / across, box.top() / down, box.width() / across, box.height() / down
        )
        tint = tint_of(terrain, svg)
        marks = svg.drawing("ground").without_first_shape
        marks.draw_repeated(painter, seen, GROUND_PERIOD, tint)

    def ground_colour(self, terrain: Terrain) -> QColor:
        """Return the colour that most of the ground has: that of its first shape, which covers it.

        It is the colour of the terrain if there is no picture.
        """
        terrain = ground_of(terrain)
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            return QColor(terrain.colour)
        return svg.drawing("ground").first_colour(tint_of(terrain, svg))

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw what stands on the ground into the flat hexagon of radius 1 around (0, 0).

        ``variant`` is below ``VARIANTS``.
        """
        svg = picture_of(terrain)
        if svg is not None and svg.count("feature"):
            drawing = svg.drawing(f"feature-{variant % svg.count('feature') + 1}")
            painter.setClipRect(GROUND_BOX, Qt.ClipOperation.IntersectClip)
            drawing.draw(painter, tint_of(terrain, svg, FEATURE_SHARE))

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture whose groups stand in landscapes, over the edges of cells.

        None if the terrain has no such groups: then its ``feature`` stands in each cell.
        """
        return picture_of(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture of a terrain if other terrains may show it in other colours.

        None for a picture of this terrain alone, and for no picture.
        """
        return picture_of(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        """Draw a group of ``standing(terrain)`` around (0, 0)."""
        svg = self.standing(terrain)
        if svg is not None:
            svg.drawing(name).draw(painter, tint_of(terrain, svg, FEATURE_SHARE))


def add_folder(folder: Traversable) -> None:
    """Show the pictures of a folder, too; what was drawn before is to be drawn again."""
    add_picture_folder(folder)
    Pictures.images.clear()


def draws_own_pictures(pictures: Pictures) -> bool:
    """Return whether terrains are drawn by our pictures, not by those of a game or a package."""
    return type(pictures) is Pictures and len(FOLDERS) == 1


def fill_outline(painter: QPainter, phase: Phase, colour: QColor) -> None:
    """Fill what a ground has to fill with a colour."""
    painter.fillPath(closed_path(phase.outline), colour)


def fitted_into(box: QRectF, image: QImage) -> QRectF:
    """Return the largest box of the image's proportions inside ``box``, centred."""
    size = image.size().toSizeF().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
    inner = QRectF(0, 0, size.width(), size.height())
    inner.moveCenter(box.center())
    return inner
