"""What the percentile chart shows: terrain types as boxes over altitude and moisture."""

from __future__ import annotations

from dataclasses import dataclass

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

FILL = 0.5
FILL_CHOSEN = 0.8
"""How opaque the boxes are."""

MARGIN = 3
"""Logical pixels between a name and the edges of its box."""


@dataclass(frozen=True)
class ChartType:
    """A terrain type: its name and its colour (``#rrggbb``)."""

    name: str
    colour: str


class ChartPicture(GraphicsObject):  # type: ignore[misc] # pyqtgraph has no types
    """Draws the chart; x is the altitude, y the moisture, percentage p from p to p + 1.

    ``boxes`` are the limits of ``types``, in the order of definition. ``chosen`` is the index of
    the chosen type, ``marked`` are the edges that would be moved. ``point`` is the pair
    (altitude, moisture) of a cell of the map.
    """

    def __init__(self) -> None:
        super().__init__()
        self.types: tuple[ChartType, ...] = ()
        self.boxes: tuple[Box, ...] = ()
        self.coverage: Coverage = coverage(())
        self.chosen: int | None = None
        self.marked: tuple[Edge, ...] = ()
        self.point: tuple[int, int] | None = None
        self._density: NDArray[np.int64] | None = None
        self._dots: QImage | None = None
        self.palette = QPalette()

    def show_types(self, types: tuple[ChartType, ...], boxes: tuple[Box, ...]) -> None:
        """Show these types."""
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

    def show_density(self, density: NDArray[np.int64] | None) -> None:
        """Show how many cells of the world have which percentages: (101, 101), altitude first."""
        self._density = density
        self._dots = None
        self.update()

    def set_palette(self, palette: QPalette) -> None:
        """Draw with the colours of this palette."""
        self.palette = palette
        self._dots = None
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
        """The type that is defined first and so gets the percentages lies on top."""
        base = self.palette.color(QPalette.ColorRole.Base)
        for index in reversed(range(len(self.types))):
            rect = transform.mapRect(area(self.boxes[index]))
            if rect.isEmpty():
                continue
            colour = QColor(self.types[index].colour)
            opaque = FILL_CHOSEN if index == self.chosen else FILL
            painter.fillRect(rect, _mixed(colour, base, opaque))

    def _paint_faults(self, painter: QPainter, transform: QTransform) -> None:
        """Hatch the gaps, and the overlaps that are wider than a common limit."""
        colours = inks(self.palette)
        with saved_state(painter):
            for gap in self.coverage.gaps:
                rect = transform.mapRect(area(gap))
                painter.fillRect(rect, QBrush(colours.error, Qt.BrushStyle.BDiagPattern))
            for overlap in self.coverage.overlaps:
                if not overlap.is_seam:
                    rect = transform.mapRect(area(overlap.box))
                    painter.fillRect(rect, QBrush(colours.warning, Qt.BrushStyle.FDiagPattern))

    def _paint_density(self, painter: QPainter, transform: QTransform) -> None:
        if self._density is None:
            return
        if self._dots is None:
            self._dots = self._drawn_density(self._density)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(transform.mapRect(self.boundingRect()), self._dots)

    def _drawn_density(self, density: NDArray[np.int64]) -> QImage:
        """Return the density as an image in the colour of text, more opaque where more cells
        are.
        """
        ink = self.palette.color(QPalette.ColorRole.Text)
        most = max(1.0, float(np.quantile(density, 0.98)))
        alpha = np.sqrt(np.minimum(density / most, 1)) * 120
        pixels = np.empty((PERCENTS, PERCENTS, 4), np.uint8)
        pixels[...] = (ink.blue(), ink.green(), ink.red(), 0)
        pixels[..., 3] = alpha.T[::-1]  # the rows of an image begin at the top
        image = QImage(pixels.data, PERCENTS, PERCENTS, PERCENTS * 4, QImage.Format.Format_ARGB32)
        return image.copy()  # the pixels are not kept

    def _paint_edges(self, painter: QPainter, transform: QTransform) -> None:
        ink = self.palette.color(QPalette.ColorRole.Text)
        line = QColor(ink)
        line.setAlphaF(0.45)
        with saved_state(painter):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(line, 1))
            for box in self.boxes:
                rect = transform.mapRect(area(box))
                if not rect.isEmpty():
                    painter.drawRect(rect)
            if self.chosen is not None and self.boxes[self.chosen].size:
                painter.setPen(QPen(ink, 2))
                painter.drawRect(transform.mapRect(area(self.boxes[self.chosen])))
            mark = self.palette.color(QPalette.ColorRole.Highlight)
            painter.setPen(QPen(mark, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            for edge in self.marked:
                painter.drawLine(*(transform.map(end) for end in ends(self.boxes, edge)))

    def _paint_names(self, painter: QPainter, transform: QTransform) -> None:
        """The names of the types, upright in boxes that are too narrow; none where no room is."""
        metrics = painter.fontMetrics()
        name_rects: list[QRectF] = []
        for index, terrain in enumerate(self.types):
            taken_box, middle = self._won(index)
            rect = transform.mapRect(area(taken_box)).adjusted(MARGIN, 0, -MARGIN, 0)
            wide = metrics.horizontalAdvance(terrain.name)
            high = metrics.ascent()
            along = rect.width() >= wide and rect.height() >= high
            if not along and not (rect.height() >= wide + 2 and rect.width() + 2 >= high):
                continue
            size = (wide, high) if along else (high, wide)
            at = QRectF(0, 0, *size)
            at.moveCenter(transform.map(middle))
            if any(at.intersects(rect) for rect in name_rects):
                continue
            name_rects.append(at)
            with saved_state(painter):
                painter.translate(at.center())
                if not along:
                    painter.rotate(-90)
                self._paint_name(painter, QPointF(-wide / 2, high / 2 - 1), terrain.name)

    def _won(self, index: int) -> tuple[Box, QPointF]:
        """Return the box around what a type takes, and the middle of that; an empty box for
        nothing.
        """
        points = np.argwhere(self.coverage.winners == index)
        if not len(points):
            return Box(0, -1, 0, -1), QPointF()
        (min_alt, min_wet) = points.min(axis=0).tolist()
        (max_alt, max_wet) = points.max(axis=0).tolist()
        return Box(min_alt, max_alt, min_wet, max_wet), QPointF(
            *(points.mean(axis=0) + 0.5).tolist()
        )

    def _paint_name(self, painter: QPainter, at: QPointF, name: str) -> None:
        """A name on a rim of the background's colour, to be read on any colour."""
        rim = self.palette.color(QPalette.ColorRole.Base)
        rim.setAlphaF(0.6)
        painter.setPen(rim)
        for x in (-1, 0, 1):
            for y in (-1, 0, 1):
                painter.drawText(at + QPointF(x, y), name)
        painter.setPen(self.palette.color(QPalette.ColorRole.Text))
        painter.drawText(at, name)

    def _paint_point(self, painter: QPainter, transform: QTransform) -> None:
        if self.point is None:
            return
        middle = transform.map(QPointF(self.point[0] + 0.5, self.point[1] + 0.5))
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(self.palette.color(QPalette.ColorRole.Highlight))
            painter.setPen(QPen(self.palette.color(QPalette.ColorRole.Base), 1.5))
            painter.drawEllipse(middle, 5, 5)


def area(box: Box) -> QRectF:
    """Return the part of the chart that a box takes.

    Empty for limits that are the other way round.
    """
    if not box.size:
        return QRectF()
    clipped_box = box.clipped()
    wide = clipped_box.max_alt - clipped_box.min_alt + 1
    high = clipped_box.max_wet - clipped_box.min_wet + 1
    return QRectF(clipped_box.min_alt, clipped_box.min_wet, wide, high)


def ends(boxes: tuple[Box, ...], edge: Edge) -> tuple[QPointF, QPointF]:
    """Return the two ends of an edge in the chart."""
    rect = area(boxes[edge.terrain])
    left = rect.left()
    bottom = rect.top()
    right = rect.right()
    top = rect.bottom()
    return (
        (QPointF(left, bottom), QPointF(left, top)),
        (QPointF(right, bottom), QPointF(right, top)),
        (QPointF(left, bottom), QPointF(right, bottom)),
        (QPointF(left, top), QPointF(right, top)),
    )[edge.limit]


def _mixed(colour: QColor, ground: QColor, part: float) -> QColor:
    """``part`` of a colour, the rest of the ground: boxes that overlap do not shine through."""
    ours = colour.toRgb()
    theirs = ground.toRgb()
    pairs = (
        (ours.red(), theirs.red()),
        (ours.green(), theirs.green()),
        (ours.blue(), theirs.blue()),
    )
    return QColor(*(round(first * part + second * (1 - part)) for first, second in pairs))
