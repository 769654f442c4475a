"""The legend of a map: where it lies, and how large it is.

On a screen it lies in the lower left corner of the map, as one icon: its text has the same size at
every scale (``batches``). In pictures it lies outside the map, below it or beside it, and belongs
to the map: its size depends on nothing but the size of the map, so that pictures of every scale are
alike (``legend_of_picture``). ``legend_content`` tells what it says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.appearance.painting import saved_state
from app.render.level_of_detail import MARGIN
from app.render.overlay_options import Overlays
from app.render.scene.batch import IconBatch
from app.render.scene.legend_content import PADDING, Content, LeastSize, bar_of
from app.render.scene.legend_rows import GAP, ROW_HEIGHT, TYPE_SIZE, rows_of
from app.render.scene.pieces import Pieces
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MAX_ROWS_IN_COLUMN = 12
"""The most rows in a column on a screen: with more there is another column beside it."""

LARGEST_SHARE_OF_MAP = 0.45
"""The greatest share of the map's width and height that a legend covers on a screen."""

SMALLEST_SHRINK = 0.4
"""No legend is shown on a screen where it would have to be smaller than this part of its size."""

MIN_TYPE_SIZE = 0.2
"""The least type size in pictures, in map units: that of the names of cells."""

LINES_IN_MAP = 80.0
"""The usual type size in pictures: so many lines of it are as high as the root of the map's width
times its height. If it is larger, the type is smaller."""


class Legend(NamedTuple):
    """The legend on a screen, as an icon."""

    pieces: Pieces
    """What its swatches are drawn with."""

    content: Content
    """What it says."""

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw the legend in the middle of a square of ``size``, as large as fits."""
        width, height = self.content.extent
        scale = size / max(width, height)
        painter.scale(scale, scale)
        painter.translate(-width / 2, -height / 2)
        self.content.draw(painter, self.pieces)


class LegendOfPicture(NamedTuple):
    """The legend outside the map, in pictures of all of it."""

    content: Content
    """What it says."""

    left: float
    """Where its left end lies, in map units."""

    top: float
    """Where its upper end lies, in map units."""

    units_per_pixel: float
    """The length of one of its logical pixels, in map units."""

    @property
    def box(self) -> QRectF:
        """The room that it takes, in map units."""
        width, height = self.content.extent
        return QRectF(
            self.left, self.top, width * self.units_per_pixel, height * self.units_per_pixel
        )

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw the legend with a painter whose unit is the map unit."""
        with saved_state(painter):
            painter.translate(self.left, self.top)
            painter.scale(self.units_per_pixel, self.units_per_pixel)
            self.content.draw(painter, pieces)


def batches(
    pieces: Pieces, battlemap: BattleMap, composite: Composite, overlays: Overlays, scale: float
) -> Iterator[IconBatch]:
    """Yield the legend of what a map shows, in the corner of the map on a screen.

    It is called only if the overlay is shown. ``scale`` is the length of a map unit in logical
    pixels.
    """
    left, top, right, bottom = battlemap.grid.bounds
    content = _content(battlemap, composite, overlays)
    # The bar counts for the size of the legend, by which all of it may be drawn smaller. But the
    # bar must be true then, so that it is made anew for the scale at which it is drawn.
    content = content._replace(bar=bar_of(battlemap, composite, scale))
    width, height = content.extent
    shrink_to_width = LARGEST_SHARE_OF_MAP * (right - left) * scale / width
    shrink_to_height = LARGEST_SHARE_OF_MAP * (bottom - top) * scale / height
    shrink = min(1.0, shrink_to_width, shrink_to_height)

    content = content._replace(bar=bar_of(battlemap, composite, scale / shrink))
    if shrink < SMALLEST_SHRINK or content.is_empty:
        return
    pixel = shrink / scale  # of the legend, in map units
    width, height = content.extent
    gap = GAP / scale
    middle_x = left + width * pixel / 2 + gap
    middle_y = bottom - height * pixel / 2 - gap
    yield IconBatch(
        [Legend(pieces, content)],
        np.zeros(1, np.intp),
        np.array([(middle_x, middle_y)]),
        max(width, height) * pixel,
    )


def legend_of_picture(
    battlemap: BattleMap, composite: Composite, overlays: Overlays, *, is_titled: bool = False
) -> LegendOfPicture | None:
    """Return the legend of a picture of the whole map: below a wide map, beside a high one.

    It says the title of the map, unless its page ``is_titled``. None without the overlay, and for a
    map that has nothing to be explained.
    """
    if not overlays.legend:
        return None
    left, top, right, bottom = battlemap.grid.bounds
    width = right - left
    height = bottom - top
    type_size = max(MIN_TYPE_SIZE, math.sqrt(width * height) / LINES_IN_MAP)
    pixel = type_size / TYPE_SIZE
    content = _content(battlemap, composite, overlays)
    content = content._replace(bar=bar_of(battlemap, composite, 1 / pixel))
    if is_titled:
        content = content._replace(title="")
    if content.is_empty:
        return None

    if width >= height:
        min_size = LeastSize(width=width / pixel, height=0.0)
        columns = int((width / pixel - 2 * PADDING) / content.column_width)
        content = content._replace(min_size=min_size, columns=_used_columns(content, columns))
        return LegendOfPicture(content, left, bottom + MARGIN, pixel)
    min_size = LeastSize(width=0.0, height=height / pixel)
    most_in_column = int((height / pixel - content.height_without_rows) / ROW_HEIGHT)
    columns = math.ceil(len(content.rows) / max(1, most_in_column))
    content = content._replace(min_size=min_size, columns=_used_columns(content, columns))
    return LegendOfPicture(content, right + MARGIN, top, pixel)


def _used_columns(content: Content, columns: int) -> int:
    """Return how many of so many columns have rows, if all but the last one are equally long."""
    row_count = len(content.rows)
    columns = max(1, min(columns, row_count))
    if not row_count:
        return columns
    rows_in_column = math.ceil(row_count / columns)
    return math.ceil(row_count / rows_in_column)


def _content(battlemap: BattleMap, composite: Composite, overlays: Overlays) -> Content:
    """Return what the legend of a map with these overlays says, in columns, without a bar."""
    rows = rows_of(battlemap, composite, overlays)
    columns = max(1, math.ceil(len(rows) / MAX_ROWS_IN_COLUMN))
    title = battlemap.system.map_title(composite.properties)
    return Content(title, tuple(rows), bar=None, columns=columns)
