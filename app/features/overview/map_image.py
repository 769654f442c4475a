"""The picture of a whole map that the overview shows: the colour of the cell under each pixel.

``Minimap`` in ``panel.py`` makes a ``MapImage`` when it has another size or another map, and brings
it up to date after an edit::

    image = MapImage(canvas, minimap.size())
    painter.drawImage(image.box, image.image)
    ...
    minimap.update(image.recolour(changed_cells))

Three units of length are in use: map units, in which the radius of a hex is 1; pixels of the image;
and the logical pixels of the overview. In a large overview the image is stretched: one of its
pixels covers ``pixel_size`` x ``pixel_size`` logical pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage

from app.render.cell_values.cell_colours import CellColours
from app.render.cell_values.opacity_passes import opacity_passes
from app.render.thumbnails.sampler import Sampler
from app.render.viewport import Viewport

if TYPE_CHECKING:
    from app.canvas.canvas import MapCanvas

MAX_PIXELS = 60_000
"""An image has so many pixels at most. With more it takes longer to look up their cells."""

BYTES_PER_PIXEL = 4
"""The size of a colour 0xffRRGGBB."""

NO_LISTED_CELLS = np.empty(0, np.intp)
"""Stands for an empty list of marked cells.

Some games have a list of cells, such as those where players start (``System.cell_list``): the
canvas marks them, the overview does not.
"""


class MapImage:
    """The colours of a map's cells as an image, and where it lies in the overview.

    The map, the theme and the overlays are those of the canvas when it was made; later only the
    colours of cells are brought up to date.
    """

    def __init__(self, canvas: MapCanvas, size: QSize) -> None:
        """Draw the map as large as it fits into ``size``, in logical pixels."""
        self._canvas = canvas
        battlemap = canvas.document.battlemap
        pixel_count = size.width() * size.height()
        self.pixel_size = max(1.0, (pixel_count / MAX_PIXELS) ** 0.5)
        """The width and height of a pixel of the image in the overview, in logical pixels."""

        self.sampler = _sampler(canvas, QSizeF(size) / self.pixel_size)
        """Tells the cell under each pixel of the image."""

        renderer = canvas.renderer
        self._colours = CellColours(
            battlemap, opacity_passes(battlemap), renderer.theme, renderer.overlays, heat=None
        )
        width = self.sampler.width
        height = self.sampler.height
        self.pixels = np.empty((height, width), np.uint32)
        """The colours of the image, 0xffRRGGBB, of shape (height, width)."""

        # The image shows the memory of ``pixels``: what is written there needs no copy.
        self.image = QImage(
            self.pixels.data, width, height, width * BYTES_PER_PIXEL, QImage.Format.Format_RGB32
        )
        self.recolour_all()

        size_in_overview = QSizeF(width, height) * self.pixel_size
        self.viewport = _centred_viewport(self.sampler, self.pixel_size, size_in_overview, size)
        """The transform from the map to the overview."""

        upper_left = self.viewport.to_screen(self.sampler.left, self.sampler.top)
        self.box = QRectF(upper_left, size_in_overview)
        """The rectangle of the image in the overview, in logical pixels."""

    def recolour_all(self) -> None:
        """Give every pixel the colour that its cell has on the map now."""
        self._write_colours(slice(None), slice(None))

    def recolour(self, cells: NDArray[np.intp]) -> QRect:
        """Give the pixels in a box around some cells the colours that these have now.

        ``cells`` has the shape (n,), n > 0. Return the part of the overview that has to be painted
        again, in logical pixels.
        """
        grid = self.sampler.grid
        height, width = self.pixels.shape
        centres = self.sampler.pixels_at(grid.centres_of(cells))
        # The outline of a cell is at most a radius (1 map unit) from its centre; 1 pixel more is
        # for rounding.
        reach = self.sampler.scale + 1
        left, top = np.floor(centres.min(axis=0) - reach).clip(0).astype(int).tolist()
        right, bottom = np.ceil(centres.max(axis=0) + reach).astype(int).tolist()
        if grid.wrap:  # a cell at the seam is shown at both ends
            left = 0
            right = width
        self._write_colours(slice(top, min(bottom, height)), slice(left, min(right, width)))

        changed = QRectF(
            left * self.pixel_size,
            top * self.pixel_size,
            (right - left) * self.pixel_size,
            (bottom - top) * self.pixel_size,
        )
        changed.translate(self.box.topLeft())
        # One logical pixel more at each side: where stretched pixels end is rounded.
        return changed.toAlignedRect().adjusted(-1, -1, 1, 1)

    def _write_colours(self, rows: slice, columns: slice) -> None:
        """Write the present colours of the cells into a box of ``pixels``."""
        cells = self.sampler.cells[rows, columns]
        composite = self._canvas.document.composite
        colours = self._colours.of(composite, cells.ravel(), NO_LISTED_CELLS)
        background = self._canvas.renderer.theme.background.rgb()
        # Off the map the cell is -1: the colour that was looked up for it, of the last cell, is
        # replaced.
        self.pixels[rows, columns] = np.where(cells < 0, background, colours.reshape(cells.shape))


def _sampler(canvas: MapCanvas, size: QSizeF) -> Sampler:
    """Return the sampler of the whole map in an image of at most ``size``, in its pixels."""
    return Sampler.around(canvas.document.battlemap.grid, size.width(), size.height())


def _centred_viewport(
    sampler: Sampler, pixel_size: float, image_size: QSizeF, overview_size: QSize
) -> Viewport:
    """Return the transform that puts the stretched image into the middle of the overview."""
    scale = sampler.scale * pixel_size
    margin_left = (overview_size.width() - image_size.width()) / 2
    margin_top = (overview_size.height() - image_size.height()) / 2
    return Viewport(scale, margin_left - sampler.left * scale, margin_top - sampler.top * scale)
