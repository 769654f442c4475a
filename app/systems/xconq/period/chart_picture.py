"""Draws the percentile chart: terrain types as boxes over altitude and moisture.

``ChartPicture.paint`` draws from the bottom up: the boxes, gaps and overlaps, the cells of the
world as dots, edges, names, and a disc at the percentages of one cell. Positions in the chart are
in percentages (``rect_of_box``, ``ends_of_edge``); a ``QTransform`` maps them to logical pixels, in
which everything is drawn. So lines and names keep their size when the chart is enlarged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyqtgraph import GraphicsObject
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPalette, QPen, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from app.appearance.painting import saved_state
from app.appearance.text_colours import inks
from app.qt_guard import guarded
from randomizer.systems.xconq.world.coverage import Box, Coverage, coverage
from randomizer.systems.xconq.world.relief import PERCENTS
from randomizer.systems.xconq.world.shared_edges import Edge

FILL_OPACITY = 0.5
"""The opacity of the boxes, 0 to 1."""

CHOSEN_FILL_OPACITY = 0.8
"""The opacity of the box of the chosen type, 0 to 1."""

FULL_DENSITY = 0.98
"""The quantile of the densities above which all pairs of percentages are equally opaque.

If it is larger, a few pairs with very many cells make all others faint.
"""

MAX_ALPHA = 120
"""The opacity of the densest pairs, 0 to 255; if it is larger, they hide the boxes below."""

# The least margins between a name and the edges of its box, in logical pixels. Those of an upright
# name are narrower, since it stands only in boxes that are too narrow for a level one.

LEVEL_END_MARGIN_PX = 3
"""The margin before and after a level name."""

UPRIGHT_END_MARGIN_PX = 1
"""The margin before and after an upright name: above and below it."""

UPRIGHT_SIDE_MARGIN_PX = 2
"""The margin at the long sides of an upright name."""

BASELINE_LIFT_PX = 1
"""How far the line on which letters stand is above the lower edge of a name's rectangle.

The rectangle is as high as the ascent of the font: this brings capitals, which are lower, into its
middle.
"""

EDGE_OPACITY = 0.45
"""The opacity of the outlines of boxes, 0 to 1."""

EDGE_PX = 1
"""The width of the outlines of boxes, in logical pixels."""

CHOSEN_EDGE_PX = 2
"""The width of the outline of the chosen type."""

MARKED_EDGE_PX = 3
"""The width of an edge that a drag or a key would move."""

RIM_OPACITY = 0.6
"""The opacity of the rim around the letters of names, 0 to 1."""

POINT_RADIUS_PX = 5
"""The radius of the disc at the percentages of a cell, in logical pixels."""

POINT_OUTLINE_PX = 1.5
"""The width of the outline of that disc."""


@dataclass(frozen=True)
class ChartType:
    """A terrain type in the chart."""

    name: str

    colour: str
    """``#rrggbb``."""


class _WonArea(NamedTuple):
    """The points (pairs of an altitude and a moisture) that a type wins.

    They are those in its box, without those that earlier types win.
    """

    box: Box
    """The smallest box around them."""

    middle: QPointF
    """The mean of the points, in the chart."""


class ChartPicture(GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Draws the chart; x is the altitude, y the moisture, percentage p from p to p + 1."""

    def __init__(self) -> None:
        super().__init__()
        self.types: tuple[ChartType, ...] = ()
        """The types in the order of definition."""
        self.boxes: tuple[Box, ...] = ()
        """The limits of the types."""
        self.coverage: Coverage = coverage(())
        """The gaps and overlaps of the boxes, worked out whenever these change."""
        self.chosen: int | None = None
        """The index of the chosen type; None for none."""
        self.marked: tuple[Edge, ...] = ()
        """The edges that a drag or a key would move."""
        self.point: tuple[int, int] | None = None
        """The altitude and the moisture at which the disc is; None without a disc."""
        self._density: NDArray[np.int64] | None = None
        """The number of cells of the world with each pair of percentages, (101, 101).

        The altitude comes first. None if it is not known.
        """
        self._density_image: QImage | None = None
        """The density as an image; None if it has to be drawn again."""
        self.palette = QPalette()
        """The colours to draw with."""

    def show_types(self, types: tuple[ChartType, ...], boxes: tuple[Box, ...]) -> None:
        """Show the types of a period with their limits; the index of the chosen type stays."""
        self.types = types
        self.show_boxes(boxes)
        if self.chosen is not None and self.chosen >= len(types):
            self.chosen = None

    def show_boxes(self, boxes: tuple[Box, ...]) -> None:
        """Show other limits of the same types."""
        self.boxes = boxes
        self.coverage = coverage(boxes)
        self.marked = tuple(edge for edge in self.marked if edge.terrain < len(boxes))
        self.update()

    def show_point(self, point: tuple[int, int] | None) -> None:
        """Show the disc at a point (altitude, moisture); None: no disc."""
        self.point = point
        self.update()

    def mark(self, edges: tuple[Edge, ...]) -> None:
        """Mark these edges, and draw the chosen type."""
        self.marked = edges
        self.update()

    def show_density(self, density: NDArray[np.int64] | None) -> None:
        """Show how many cells of the world have which percentages: (101, 101), altitude first."""
        self._density = density
        self._density_image = None
        self.update()

    def set_palette(self, palette: QPalette) -> None:
        """Draw with the colours of this palette."""
        self.palette = palette
        self._density_image = None
        self.update()

    # --- painting ---------------------------------------------------------------------------

    @guarded(default=QRectF())
    def boundingRect(self) -> QRectF:
        """Return the whole chart, in percentages."""
        return QRectF(0, 0, PERCENTS, PERCENTS)

    @guarded
    def paint(
        self,
        painter: QPainter,
        _option: QStyleOptionGraphicsItem,
        _widget: QWidget | None = None,
    ) -> None:
        """Draw everything, in logical pixels."""
        transform = painter.worldTransform()
        with saved_state(painter):
            painter.setWorldTransform(QTransform())
            self._paint_boxes(painter, transform)
            self._paint_faults(painter, transform)
            self._paint_density(painter, transform)
            self._paint_edges(painter, transform)
            self._paint_names(painter, transform)
            self._paint_point(painter, transform)

    def _paint_boxes(self, painter: QPainter, transform: QTransform) -> None:
        """Fill the boxes; an earlier type, which wins its percentages, lies above a later one."""
        base = self.palette.color(QPalette.ColorRole.Base)
        for index in reversed(range(len(self.types))):
            rect = transform.mapRect(rect_of_box(self.boxes[index]))
            if rect.isEmpty():
                continue
            colour = QColor(self.types[index].colour)
            opacity = FILL_OPACITY
            if index == self.chosen:
                opacity = CHOSEN_FILL_OPACITY
            painter.fillRect(rect, _mixed(colour, base, opacity))

    def _paint_faults(self, painter: QPainter, transform: QTransform) -> None:
        """Hatch the gaps, and all overlaps but those that are one percentage wide."""
        colours = inks(self.palette)
        with saved_state(painter):
            for gap in self.coverage.gaps:
                rect = transform.mapRect(rect_of_box(gap))
                painter.fillRect(rect, QBrush(colours.error, Qt.BrushStyle.BDiagPattern))
            for overlap in self.coverage.overlaps:
                if not overlap.is_seam:
                    rect = transform.mapRect(rect_of_box(overlap.box))
                    painter.fillRect(rect, QBrush(colours.warning, Qt.BrushStyle.FDiagPattern))

    def _paint_density(self, painter: QPainter, transform: QTransform) -> None:
        """Draw the cells of the world over the boxes, as dots."""
        if self._density is None:
            return
        if self._density_image is None:
            self._density_image = self._draw_density(self._density)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(transform.mapRect(self.boundingRect()), self._density_image)

    def _draw_density(self, density: NDArray[np.int64]) -> QImage:
        """Return the density as an image in the colour of text, more opaque for more cells."""
        ink = self.palette.color(QPalette.ColorRole.Text)
        # A few pairs of percentages have many times the cells of all others: they do not set the
        # scale, and the square root keeps single cells visible beside them.
        full_density = max(1.0, float(np.quantile(density, FULL_DENSITY)))
        alpha = np.sqrt(np.minimum(density / full_density, 1)) * MAX_ALPHA
        # A pixel of the format ARGB32 is blue, green, red, alpha in memory.
        pixels = np.empty((PERCENTS, PERCENTS, 4), np.uint8)
        pixels[...] = (ink.blue(), ink.green(), ink.red(), 0)
        # Transposed and reversed: a row of the image is a moisture, the greatest at the top.
        pixels[..., 3] = alpha.T[::-1]
        image = QImage(pixels.data, PERCENTS, PERCENTS, PERCENTS * 4, QImage.Format.Format_ARGB32)
        return image.copy()  # the image uses the memory of ``pixels``, which ends here

    def _paint_edges(self, painter: QPainter, transform: QTransform) -> None:
        """Outline all boxes, then the chosen one, then the edges that would be moved."""
        ink = self.palette.color(QPalette.ColorRole.Text)
        outline = QColor(ink)
        outline.setAlphaF(EDGE_OPACITY)
        with saved_state(painter):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(outline, EDGE_PX))
            for box in self.boxes:
                rect = transform.mapRect(rect_of_box(box))
                if not rect.isEmpty():
                    painter.drawRect(rect)
            if self.chosen is not None and self.boxes[self.chosen].size:
                painter.setPen(QPen(ink, CHOSEN_EDGE_PX))
                painter.drawRect(transform.mapRect(rect_of_box(self.boxes[self.chosen])))
            mark = self.palette.color(QPalette.ColorRole.Highlight)
            solid = Qt.PenStyle.SolidLine
            painter.setPen(QPen(mark, MARKED_EDGE_PX, solid, Qt.PenCapStyle.FlatCap))
            for edge in self.marked:
                start, end = ends_of_edge(self.boxes, edge)
                painter.drawLine(transform.map(start), transform.map(end))

    def _paint_names(self, painter: QPainter, transform: QTransform) -> None:
        """Write the names of the types, each in the middle of the percentages that its type takes.

        A name is upright in a box that is too narrow. It is left out where it does not fit in
        either direction, and where the name of an earlier type is in its way.
        """
        metrics = painter.fontMetrics()
        name_rects: list[QRectF] = []
        for index, terrain in enumerate(self.types):
            won_area = self._won_area(index)
            if won_area is None:
                continue
            rect = transform.mapRect(rect_of_box(won_area.box))
            text_width = metrics.horizontalAdvance(terrain.name)
            text_height = metrics.ascent()
            level_width = text_width + 2 * LEVEL_END_MARGIN_PX
            upright_width = text_height + 2 * UPRIGHT_SIDE_MARGIN_PX
            upright_height = text_width + 2 * UPRIGHT_END_MARGIN_PX
            fits_level = rect.width() >= level_width and rect.height() >= text_height
            fits_upright = rect.width() >= upright_width and rect.height() >= upright_height
            if fits_level:
                name_rect = QRectF(0, 0, text_width, text_height)
            elif fits_upright:
                name_rect = QRectF(0, 0, text_height, text_width)
            else:
                continue
            name_rect.moveCenter(transform.map(won_area.middle))
            if any(name_rect.intersects(other_rect) for other_rect in name_rects):
                continue
            name_rects.append(name_rect)
            with saved_state(painter):
                painter.translate(name_rect.center())
                if not fits_level:
                    painter.rotate(-90)
                baseline = QPointF(-text_width / 2, text_height / 2 - BASELINE_LIFT_PX)
                self._paint_name(painter, baseline, terrain.name)

    def _won_area(self, index: int) -> _WonArea | None:
        """Return the area of the percentages that a type takes; None if it takes none."""
        points = np.argwhere(self.coverage.winners == index)
        if not len(points):
            return None
        min_alt, min_wet = points.min(axis=0).tolist()
        max_alt, max_wet = points.max(axis=0).tolist()
        # Percentage p goes from p to p + 1.
        middle_alt, middle_wet = (points.mean(axis=0) + 0.5).tolist()
        return _WonArea(Box(min_alt, max_alt, min_wet, max_wet), QPointF(middle_alt, middle_wet))

    def _paint_name(self, painter: QPainter, baseline: QPointF, name: str) -> None:
        """Write a name with a rim in the background's colour, so that it is read on any colour.

        ``baseline`` is the left end of the line on which the letters stand.
        """
        rim = self.palette.color(QPalette.ColorRole.Base)
        rim.setAlphaF(RIM_OPACITY)
        painter.setPen(rim)
        for x in (-1, 0, 1):
            for y in (-1, 0, 1):
                painter.drawText(baseline + QPointF(x, y), name)
        painter.setPen(self.palette.color(QPalette.ColorRole.Text))
        painter.drawText(baseline, name)

    def _paint_point(self, painter: QPainter, transform: QTransform) -> None:
        """Draw the disc at the percentages of a cell of the map."""
        if self.point is None:
            return
        altitude, moisture = self.point
        middle = transform.map(QPointF(altitude + 0.5, moisture + 0.5))
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(self.palette.color(QPalette.ColorRole.Highlight))
            outline = self.palette.color(QPalette.ColorRole.Base)
            painter.setPen(QPen(outline, POINT_OUTLINE_PX))
            painter.drawEllipse(middle, POINT_RADIUS_PX, POINT_RADIUS_PX)


def rect_of_box(box: Box) -> QRectF:
    """Return the rectangle of a box in the chart, empty if a minimum is above its maximum."""
    if not box.size:
        return QRectF()
    clipped_box = box.clipped()
    # The limits are inclusive: a box from 5 to 5 is one percentage wide.
    width = clipped_box.max_alt - clipped_box.min_alt + 1
    height = clipped_box.max_wet - clipped_box.min_wet + 1
    return QRectF(clipped_box.min_alt, clipped_box.min_wet, width, height)


def ends_of_edge(boxes: tuple[Box, ...], edge: Edge) -> tuple[QPointF, QPointF]:
    """Return the two ends of an edge in the chart."""
    rect = rect_of_box(boxes[edge.terrain])
    # The chart's y goes up, that of a QRectF down.
    south_west = rect.topLeft()
    south_east = rect.topRight()
    north_west = rect.bottomLeft()
    north_east = rect.bottomRight()
    ends_by_limit = (
        (south_west, north_west),  # the least altitude
        (south_east, north_east),  # the greatest
        (south_west, south_east),  # the least moisture
        (north_west, north_east),  # the greatest
    )
    return ends_by_limit[edge.limit]


def _mixed(colour: QColor, background: QColor, share: float) -> QColor:
    """Return a colour of which ``share`` is ``colour`` and the rest the background.

    An opaque colour, so that boxes that overlap do not shine through each other.
    """
    red = colour.red() * share + background.red() * (1 - share)
    green = colour.green() * share + background.green() * (1 - share)
    blue = colour.blue() * share + background.blue() * (1 - share)
    return QColor(round(red), round(green), round(blue))
