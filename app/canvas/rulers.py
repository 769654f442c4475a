"""The rulers at the upper and the left edge of the map, which name its columns and rows.

``MapFrame`` holds the canvas and both rulers, and shows these while their overlay is on. A
``Ruler`` draws itself along one *axis*: from left to right for columns, downwards for rows. The
lower half of the class turns positions along that axis into lines and boxes of the widget.
"""

from __future__ import annotations

from typing import NamedTuple

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
"""The space at either side of a name, in logical pixels."""

TICKS_FROM = 5.0
"""Each column or row has a tick if it is at least so many logical pixels wide."""

TICK = 3.0
"""The length of a tick without a name, in logical pixels."""

NAME_TICK = 2 * TICK
"""The length of a tick with a name, in logical pixels."""

TICK_OVERLAP = 2.0
"""How far the box in which a column's name is centred reaches over its tick, in logical pixels.

Without it a line of text would not fit above the tick. The overlap lies below the baseline, where
numbers and capitals have nothing."""

NAME_HEIGHT = 1.5 * TYPE_SIZE
"""The height of the box of a name of a row, in logical pixels."""


class _Label(NamedTuple):
    """The name of a column or row, and where it stands."""

    name: str
    """The name."""

    position: float
    """Where the middle of the column or row is, in logical pixels along the ruler."""


class Ruler(QWidget):
    """A strip along one edge of the canvas that names the columns, or the rows, of the view.

    The column or row that is pointed at stands out. Rows of hexes are shifted against each other:
    columns are marked where the uppermost row in the view has them, rows where the leftmost column
    has them.
    """

    def __init__(self, canvas: MapCanvas, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._is_across = orientation is Qt.Orientation.Horizontal
        """True for the ruler of columns, False for that of rows."""
        self._pointed_cell: int | None = None
        """The cell whose column or row stands out, None for none."""
        as_long_as_the_map = QSizePolicy.Policy.Ignored
        as_thick_as_the_hint = QSizePolicy.Policy.Fixed
        if self._is_across:
            self.setSizePolicy(as_long_as_the_map, as_thick_as_the_hint)
            self.setAccessibleName("Ruler of columns")
        else:
            self.setSizePolicy(as_thick_as_the_hint, as_long_as_the_map)
            self.setAccessibleName("Ruler of rows")
        connect(canvas.viewport_changed, self.update)
        connect(canvas.hovered, self._on_hovered)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size as thick as a line of text, or as wide as the longest name of a row."""
        if self._is_across:
            return QSize(0, THICKNESS)
        grid = self._battlemap.grid
        longest_name = 0.0
        # ``System.coordinates`` counts up or down the rows: one of both ends has the longest name.
        for y in (0, grid.height - 1):
            coordinates = self._battlemap.system.coordinates(grid, 0, y)
            if coordinates is not None:
                _column_name, row_name = coordinates
                longest_name = max(longest_name, text_width(row_name, TYPE_SIZE))
        width = round(longest_name + 2 * PADDING + NAME_TICK)
        return QSize(max(THICKNESS, width), 0)

    @property
    def _battlemap(self) -> BattleMap:
        """The current map."""
        return self._canvas.document.battlemap

    def _on_hovered(self, hit: Hit | None) -> None:
        """Make the column or row stand out that the mouse points at."""
        cell = None
        if hit is not None:
            cell = hit.cell
        if cell != self._pointed_cell:
            self._pointed_cell = cell
            self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._battlemap.system.coordinates(self._battlemap.grid, 0, 0) is None:
            return  # a map without names came a moment ago, and the ruler is about to be hidden
        with painting(self) as painter:
            painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Window))
            painter.setFont(font(TYPE_SIZE))
            self._paint_axis(painter)
            self._paint_pointed(painter)
            painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
            painter.drawLine(self._edge(0.0, self._length()))

    def axis(self) -> Axis:
        """Return names and positions of the columns, or rows, that are in the view."""
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
        """Draw names and ticks; names that overlap the one of what is pointed at are left out."""
        axis = self.axis()
        pointed_label = self._pointed_label()
        pointed_box = QRectF()
        if pointed_label is not None:
            pointed_box = self._name_box(pointed_label)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        for name, position in zip(axis.names, self._to_ruler_pixels(axis.positions), strict=True):
            label = _Label(name, position)
            painter.drawLine(self._tick(position, NAME_TICK))
            if not pointed_box.intersects(self._name_box(label)):
                self._write(painter, label)
        # Columns or rows of which only one is in view are so wide that they need no ticks.
        ticks = self._to_ruler_pixels(axis.ticks)
        if len(ticks) > 1 and abs(ticks[1] - ticks[0]) >= TICKS_FROM:
            for position in ticks:
                painter.drawLine(self._tick(position, TICK))

    def _to_ruler_pixels(self, positions: NDArray[np.float64]) -> list[float]:
        """Return positions (map units) in logical pixels along the ruler."""
        viewport = self._canvas.viewport
        start = viewport.dy
        if self._is_across:
            start = viewport.dx
        pixels: list[float] = (positions * viewport.scale + start).tolist()
        return pixels

    def _paint_pointed(self, painter: QPainter) -> None:
        """Write the name of the column or row that is pointed at, in the colours of a selection."""
        label = self._pointed_label()
        if label is not None:
            painter.fillRect(self._name_box(label), self.palette().highlight())
            painter.setPen(self.palette().color(QPalette.ColorRole.HighlightedText))
            self._write(painter, label)

    def _pointed_label(self) -> _Label | None:
        """Return the label of the column or row that is pointed at.

        None if none is, or if it has no name.
        """
        battlemap = self._battlemap
        cell = self._pointed_cell
        if cell is None or not battlemap.grid.exists(cell):
            return None
        coordinates = battlemap.system.coordinates(battlemap.grid, *battlemap.grid.xy(cell))
        if coordinates is None:
            return None
        column_name, row_name = coordinates
        centre = self._canvas.viewport.to_screen(*battlemap.grid.centre(cell))
        if self._is_across:
            return _Label(column_name, centre.x())
        return _Label(row_name, centre.y())

    # --- lines and boxes of the widget; ``position`` is in logical pixels along the ruler ----

    def _length(self) -> float:
        """Return the length of the ruler in logical pixels."""
        if self._is_across:
            return float(self.width())
        return float(self.height())

    def _edge(self, start: float, end: float) -> QLineF:
        """Return the line between the ruler and the map from one position to another.

        It runs through the middle of the last row, or column, of pixels.
        """
        if self._is_across:
            return QLineF(start, self.height() - 0.5, end, self.height() - 0.5)
        return QLineF(self.width() - 0.5, start, self.width() - 0.5, end)

    def _tick(self, position: float, length: float) -> QLineF:
        """Return the line of a tick, which ends at the edge of the map."""
        if self._is_across:
            return QLineF(position, self.height() - length, position, self.height())
        return QLineF(self.width() - length, position, self.width(), position)

    def _name_box(self, label: _Label) -> QRectF:
        """Return the box that a name takes with the space around it, as thick as the ruler."""
        if not self._is_across:
            return QRectF(0, label.position - NAME_HEIGHT / 2, self.width(), NAME_HEIGHT)
        width = text_width(label.name, TYPE_SIZE) + 2 * PADDING
        return QRectF(label.position - width / 2, 0, width, self.height())

    def _write(self, painter: QPainter, label: _Label) -> None:
        """Write a name beside its tick."""
        box = self._name_box(label)
        if self._is_across:
            box.setBottom(box.bottom() - NAME_TICK + TICK_OVERLAP)
        else:
            box.setRight(box.right() - NAME_TICK)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label.name)


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
        """Put a line of text below the canvas; showing it does not move the map's picture."""
        row = self._layout.rowCount()
        self._layout.addWidget(line, row, 0, 1, 2)  # one row high, two columns wide

    def show_rulers(self) -> None:
        """Show the rulers while their overlay is on, on maps whose columns and rows have names."""
        battlemap = self._canvas.document.battlemap
        has_names = battlemap.system.coordinates(battlemap.grid, 0, 0) is not None
        is_shown = self._canvas.renderer.overlays.rulers and has_names
        for ruler in (self.columns, self.rows):
            ruler.setVisible(is_shown)
            ruler.updateGeometry()
            ruler.update()

    def _on_changed(self, region: Region) -> None:
        """Measure and draw the rulers again if an edit may have changed what they name."""
        if region.everything or region.reshaped:  # other names of cells, or another grid
            self.show_rulers()
