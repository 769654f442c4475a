"""The map with rulers at the upper and the left edge of the view: columns and rows by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.appearance.painting import painting
from app.canvas.canvas import MapCanvas
from app.qt_guard import connect, guarded
from app.render.scene.icons import font, text_width
from app.render.scene.rim_names import (
    Axis,
    AxisView,
    columns_of,
    first_column,
    first_row,
    rows_of,
)
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Hit
from randomizer.model.map.battlemap import BattleMap

TYPE_SIZE = 11.0
"""The size of the names, in logical pixels."""

THICKNESS = 18
"""The height of the upper ruler, and the least width of the left one, in logical pixels."""

PADDING = 4.0
"""The room at either side of a name, in logical pixels."""

TICKS_FROM = 5.0
"""Each column or row has a tick if it is at least so many logical pixels wide."""

TICK = 3.0
"""The length of a tick; those with a name are twice as long."""


class Ruler(QWidget):
    """A strip along one edge of the canvas that names the columns, or the rows, of the view.

    What is pointed at stands out. Rows of hexes are shifted against each other: columns are marked
    where the uppermost row in the view has them, rows where the leftmost column has them.
    """

    def __init__(self, canvas: MapCanvas, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._is_across = orientation is Qt.Orientation.Horizontal
        self._pointed_cell: int | None = None
        along = QSizePolicy.Policy.Ignored
        fixed = QSizePolicy.Policy.Fixed
        if self._is_across:
            self.setSizePolicy(along, fixed)
            self.setAccessibleName("Ruler of columns")
        else:
            self.setSizePolicy(fixed, along)
            self.setAccessibleName("Ruler of rows")
        connect(canvas.viewport_changed, self.update)
        connect(canvas.hovered, self._on_hovered)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size as high as a line of text and as wide as the longest name of a row."""
        if self._is_across:
            return QSize(0, THICKNESS)
        grid = self._battlemap.grid
        widest = 0.0
        for y in (0, grid.height - 1):
            coordinates = self._battlemap.system.coordinates(grid, 0, y)
            if coordinates is not None:
                widest = max(widest, text_width(coordinates[1], TYPE_SIZE))
        return QSize(max(THICKNESS, round(widest + 2 * PADDING + 2 * TICK)), 0)

    @property
    def _battlemap(self) -> BattleMap:
        return self._canvas.document.battlemap

    def _on_hovered(self, hit: Hit | None) -> None:
        cell = None if hit is None else hit.cell
        if cell != self._pointed_cell:
            self._pointed_cell = cell
            self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._battlemap.system.coordinates(self._battlemap.grid, 0, 0) is None:
            return  # another map came a moment ago, and the ruler goes
        with painting(self) as painter:
            painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Window))
            painter.setFont(font(TYPE_SIZE))
            self._paint_axis(painter)
            self._paint_pointed(painter)
            painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
            painter.drawLine(self._edge(0.0, self._length()))

    def axis(self) -> Axis:
        """Return the columns of the uppermost row in the view, or the rows of the first column."""
        battlemap = self._battlemap
        viewport = self._canvas.viewport
        left, top = viewport.to_map(QPointF(0, 0))
        right, bottom = viewport.to_map(QPointF(self.width(), self.height()))
        if self._is_across:
            view = AxisView(left, right, viewport.scale, TYPE_SIZE)
            return columns_of(battlemap, first_row(battlemap, top), view)
        view = AxisView(top, bottom, viewport.scale, TYPE_SIZE)
        return rows_of(battlemap, first_column(battlemap, left), view)

    def _paint_axis(self, painter: QPainter) -> None:
        """Draw names and ticks; a name that the one pointed at would cover in part is left out."""
        axis = self.axis()
        pointed = self._pointed()
        if pointed is None:
            pointed_box = QRectF()
        else:
            pointed_box = self._name_box(*pointed)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        for name, position in zip(axis.names, self._along(axis.positions), strict=True):
            painter.drawLine(self._tick(position, 2 * TICK))
            if not pointed_box.intersects(self._name_box(name, position)):
                self._write(painter, name, position)
        ticks = self._along(axis.ticks)
        if len(ticks) > 1 and abs(ticks[1] - ticks[0]) >= TICKS_FROM:
            for position in ticks:
                painter.drawLine(self._tick(position, TICK))

    def _along(self, positions: NDArray[np.float64]) -> list[float]:
        """Return positions (map units) in logical pixels along the ruler."""
        viewport = self._canvas.viewport
        start = viewport.dx if self._is_across else viewport.dy
        along: list[float] = (positions * viewport.scale + start).tolist()
        return along

    def _paint_pointed(self, painter: QPainter) -> None:
        """Write the name of the column or row that is pointed at, in the colours of a selection."""
        pointed = self._pointed()
        if pointed is not None:
            painter.fillRect(self._name_box(*pointed), self.palette().highlight())
            painter.setPen(self.palette().color(QPalette.ColorRole.HighlightedText))
            self._write(painter, *pointed)

    def _pointed(self) -> tuple[str, float] | None:
        """Return the name of the column or row that is pointed at, and its position."""
        battlemap = self._battlemap
        cell = self._pointed_cell
        if cell is None or not battlemap.grid.exists(cell):
            return None
        coordinates = battlemap.system.coordinates(battlemap.grid, *battlemap.grid.xy(cell))
        if coordinates is None:
            return None
        point = self._canvas.viewport.to_screen(*battlemap.grid.centre(cell))
        if self._is_across:
            return coordinates[0], point.x()
        return coordinates[1], point.y()

    # --- places on the strip, ``position`` in logical pixels along it -----------------------

    def _length(self) -> float:
        return float(self.width() if self._is_across else self.height())

    def _edge(self, start: float, end: float) -> QLineF:
        """Return a part of the line between the ruler and the map."""
        if self._is_across:
            return QLineF(start, self.height() - 0.5, end, self.height() - 0.5)
        return QLineF(self.width() - 0.5, start, self.width() - 0.5, end)

    def _tick(self, position: float, length: float) -> QLineF:
        if self._is_across:
            return QLineF(position, self.height() - length, position, self.height())
        return QLineF(self.width() - length, position, self.width(), position)

    def _name_box(self, name: str, position: float) -> QRectF:
        if not self._is_across:
            return QRectF(0, position - TYPE_SIZE * 0.75, self.width(), TYPE_SIZE * 1.5)
        width = text_width(name, TYPE_SIZE) + 2 * PADDING
        return QRectF(position - width / 2, 0, width, self.height())

    def _write(self, painter: QPainter, name: str, position: float) -> None:
        box = self._name_box(name, position)
        if self._is_across:
            box.setBottom(box.bottom() - 2 * TICK + 2)
        else:
            box.setRight(box.right() - 2 * TICK)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)


class MapFrame(QWidget):
    """Holds the canvas, with the rulers at its edges while the overlay ``rulers`` is shown."""

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self.columns = Ruler(canvas, Qt.Orientation.Horizontal, self)
        self.rows = Ruler(canvas, Qt.Orientation.Vertical, self)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.columns, 0, 1)
        self._layout.addWidget(self.rows, 1, 0)
        self._layout.addWidget(canvas, 1, 1)
        connect(canvas.document.map_replaced, self.show_rulers)
        connect(canvas.document.changed, self._on_changed)
        self.show_rulers()

    def add_line(self, line: QWidget) -> None:
        """Put a line of text below the canvas, whose picture stays where it is."""
        self._layout.addWidget(line, self._layout.rowCount(), 0, 1, 2)

    def show_rulers(self) -> None:
        """Show the rulers, or hide them, as the overlays of the current map say."""
        battlemap = self._canvas.document.battlemap
        has_names = battlemap.system.coordinates(battlemap.grid, 0, 0) is not None
        is_shown = self._canvas.renderer.overlays.rulers and has_names
        for ruler in (self.columns, self.rows):
            ruler.setVisible(is_shown)
            ruler.updateGeometry()
            ruler.update()

    def _on_changed(self, region: Region) -> None:
        if region.everything or region.reshaped:  # other names of cells, or another grid
            self.show_rulers()
