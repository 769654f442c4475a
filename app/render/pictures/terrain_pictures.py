"""Draws the pictures of terrains: those that come with the program, or that a user has given.

``Pictures`` and its subclasses (``PlainPictures``, ``GamePictures`` and others) draw a terrain in
two parts, in map units::

    pictures.ground(painter, terrain, phase)      # the ground, which covers a cell and repeats
    pictures.feature(painter, terrain, variant)   # what stands on it: trees, rocks, a tower

In landscapes pictures also have *groups*, single trees and rocks that stand over the edges of
cells (``picture_of_groups``, ``group``). ``picture_library`` decides which file shows a terrain.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.render.pictures.ground_phase import Phase
from app.render.pictures.image_store import ImageStore
from app.render.pictures.own_picture_drawing import draw_users_picture
from app.render.pictures.picture_library import (
    add_picture_folder,
    has_foreign_folders,
    picture_of,
    terrain_of_ground,
)
from app.render.pictures.terrain_tints import feature_tint, ground_tint
from app.render.piece import closed_path
from randomizer.model.terrain.terrain import Terrain

# The first paint takes its sprites from a file, and reads no pictures.
if TYPE_CHECKING:
    from app.render.pictures.svg_picture import SvgPicture
    from app.render.pictures.svg_shapes import Tint

# --- where pictures are drawn ------------------------------------------------------------------

HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)
"""The box of a terrain picture in map units around the hex's centre."""

GROUND_PERIOD = 6.5
"""The width and height of a ground in our files; layouts stretch it to their own period."""

FEATURE_BOX = HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03)
"""What features may cover; a little more than the hexagon."""

# --- which pictures there are -------------------------------------------------------------------

VARIANT_BITS = 2
"""The bits of the number of a variant."""

VARIANTS = 1 << VARIANT_BITS
"""How many features the picture of a terrain has, so that not all woods are alike."""


class Pictures:
    """Draws terrains by our own pictures (``resources/terrain``); subclasses draw by others.

    The painter's unit is the map unit. All methods that draw leave the painter with another clip
    and transform: callers save its state. A terrain of which there is no picture is drawn in its
    colour; where a terrain names a picture, the picture takes the colour of the terrain.
    """

    images = ImageStore()
    """The images that ``PictureImages`` has painted of them.

    All canvases together have this one; a subclass whose pictures differ has a store of its own.
    """

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Fill the outline of ``phase`` around (0, 0) with the ground, which repeats.

        The phase is the section of the repeated ground that the cell shows.
        """
        terrain = terrain_of_ground(terrain)
        fill_outline(painter, phase, self.ground_colour(terrain))
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            draw_users_picture(painter, terrain, phase)
        else:
            _draw_repeated_ground(painter, svg, ground_tint(terrain, svg), phase)

    def ground_colour(self, terrain: Terrain) -> QColor:
        """Return the colour that most of the ground has: that of its first shape, which covers it.

        It is the colour of the terrain if there is no picture.
        """
        terrain = terrain_of_ground(terrain)
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            return QColor(terrain.colour)
        return svg.drawing("ground").first_colour(ground_tint(terrain, svg))

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw what stands on the ground into the flat hexagon of radius 1 around (0, 0).

        ``variant`` is below ``VARIANTS``.
        """
        svg = picture_of(terrain)
        if svg is not None and svg.count("feature"):
            drawing = svg.drawing(f"feature-{variant % svg.count('feature') + 1}")
            painter.setClipRect(FEATURE_BOX, Qt.ClipOperation.IntersectClip)
            drawing.draw(painter, feature_tint(terrain, svg))

    def picture_of_groups(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture whose groups stand in landscapes, over the edges of cells.

        None if the terrain has no such groups: then its ``feature`` stands in each cell.
        """
        return picture_of(terrain)

    def recolourable_picture(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture of a terrain if other terrains may show it in other colours.

        None for a picture of this terrain alone, and for no picture.
        """
        return picture_of(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        """Draw a group of ``picture_of_groups(terrain)`` around (0, 0)."""
        svg = self.picture_of_groups(terrain)
        if svg is not None:
            svg.drawing(name).draw(painter, feature_tint(terrain, svg))


def add_folder(folder: Traversable, pictures: Pictures) -> None:
    """Show the pictures of a folder, too; what was drawn before is to be drawn again.

    ``pictures`` are those that are shown now: subclasses with a store of their own draw terrains by
    pictures of folders, too.
    """
    add_picture_folder(folder)
    Pictures.images.clear()
    pictures.images.clear()


def draws_bundled_pictures(pictures: Pictures) -> bool:
    """Return whether terrains are drawn by the program's pictures alone.

    A game or a package can bring others. A subclass draws others, even one that passes on to
    ``Pictures``.
    """
    return type(pictures) is Pictures and not has_foreign_folders()


def _draw_repeated_ground(
    painter: QPainter, svg: SvgPicture, tint: Tint | None, phase: Phase
) -> None:
    """Draw the marks of a ground, such as blades of grass, over its plain colour.

    The first shape of a ground is a rectangle in that colour, which has been filled already.
    """
    # The pattern of the file is stretched to the period of the layout, and shifted so that the
    # section of the phase lies in the cell.
    across = phase.pattern_width / GROUND_PERIOD
    down = phase.pattern_height / GROUND_PERIOD
    painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
    painter.translate(-phase.x, -phase.y)
    painter.scale(across, down)
    box = phase.box.translated(phase.x, phase.y)
    seen = QRectF(box.left() / across, box.top() / down, box.width() / across, box.height() / down)
    marks = svg.drawing("ground").without_first_shape
    marks.draw_repeated(painter, seen, GROUND_PERIOD, tint)


def fill_outline(painter: QPainter, phase: Phase, colour: QColor) -> None:
    """Fill what a ground has to fill with a colour."""
    painter.fillPath(closed_path(phase.outline), colour)
