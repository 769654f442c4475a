"""Shows what a script can make of one cell, as a list with bars:

    Marsh, elevation 1      66.7 ±1.2 %
    ===================-----------
        line 3: ...              60.0 %
        the map below             6.7 %

A row is a *state* that the cell can have, a terrain at an elevation. The rows below it are its
*reasons*: the statements of the script that give the cell this state. ``rows_of`` makes the rows
from an ``OddsTable``; ``OddsRows`` is the widget that shows them in the panel of odds. The chances
of the reasons add up to that of their state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from randomizer.batches.filters.tokens import quoted
from randomizer.batches.odds_table import OddsTable
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

_ROW_ROLE = Qt.ItemDataRole.UserRole
"""The ``Row`` of an item of the tree."""

_BAR_HEIGHT = 5
"""The height of a bar, in logical pixels."""

_GAP = 3
"""The gap around a row and between its texts, in logical pixels."""

_MIN_WIDTH = 80
"""The width that a row asks for, in logical pixels; it gets that of the list."""

_TRACK_OPACITY = 0.15
"""The opacity of the part of a bar beyond its chance, in the colour of texts."""

_MIN_SHARE = 0.0005
"""A statement responsible for less than this is not worth a line."""

MIN_ERROR = 0.0005
"""A smaller standard error does not show: chances have one digit behind the point."""

Index = QModelIndex | QPersistentModelIndex


class Row(NamedTuple):
    """A state of a cell with its chance, or a reason with its share of this chance."""

    label: str
    """The text at the left."""
    chance: float
    """The chance of a state, or the share of a reason in it, from 0 to 1."""
    error: float = 0.0
    """The standard error of the chance, as it is counted on a sample of maps; 0 if it is exact."""
    line: int | None = None
    """The line of the statement in the script, from 1; None for a row that is not a statement."""
    condition: str = ""
    """The filter of the gallery for maps on which the cell has this state: "C3 = Marsh/1".

    "" for a reason and for a hexside, for which no filter is offered.
    """

    @property
    def has_error(self) -> bool:
        """True if the error is large enough to change the digits that are shown."""
        return self.error >= MIN_ERROR

    @property
    def number(self) -> str:
        """The chance in per cent, with its error."""
        chance = f"{self.chance * 100:.1f}"
        if not self.has_error:
            return f"{chance} %"
        return f"{chance} \N{PLUS-MINUS SIGN}{self.error * 100:.1f} %"


class StateRow(NamedTuple):
    """A row of the list, with the rows below it."""

    row: Row

    reasons: Sequence[Row] = ()
    """Its reasons, the greatest share first; none for a hexside, and none before the last stage."""


def rows_of_finished_map(
    table: OddsTable, cell: int, system: System, terrain_set: TerrainSet, grid: Grid
) -> list[StateRow]:
    """Return the rows of a cell after the whole script: its states, then hexsides on its sides.

    States come by their chance, the likeliest first, each with its reasons; hexsides by side.
    """
    rows = []
    for column, row in _rows_of_states(table, table.chances[cell], cell, system, terrain_set, grid):
        rows.append(StateRow(row, _reasons(table, cell, column)))
    rows += [StateRow(row) for row in _hexside_rows(table, cell, terrain_set, grid)]
    return rows


def rows_of_stage(
    table: OddsTable,
    stage: int,
    cell: int,
    system: System,
    terrain_set: TerrainSet,
    grid: Grid,
) -> list[StateRow]:
    """Return the rows of a cell after a statement of the script, the likeliest state first.

    ``stage`` is the index of the statement. Reasons and hexsides are counted for finished maps
    only.
    """
    chances = table.stages[stage].chances[cell]
    rows = _rows_of_states(table, chances, cell, system, terrain_set, grid)
    return [StateRow(row) for _column, row in rows]


def _rows_of_states(
    table: OddsTable,
    chances: NDArray[np.float64],
    cell: int,
    system: System,
    terrain_set: TerrainSet,
    grid: Grid,
) -> Iterator[tuple[int, Row]]:
    """Yield each state of a cell that has a chance, the likeliest first: its column and its row.

    ``chances`` (states,) are those of the cell.
    """
    cell_name = system.cell_name(grid, cell)
    for column in np.argsort(-chances, kind="stable").tolist():
        chance = float(chances[column])
        if not chance:
            continue
        terrain, elevation = table.states[column]
        terrain_name = terrain_set.terrains[terrain].name
        text = f"{terrain_name}, {system.elevation_text(elevation)}"
        condition = f"{cell_name} = {quoted(terrain_name)}"
        if system.elevation is not None:
            condition += f"/{elevation}"
        yield column, Row(text, chance, table.error(chance, cell), condition=condition)


def _hexside_rows(table: OddsTable, cell: int, terrain_set: TerrainSet, grid: Grid) -> list[Row]:
    """Return a row for each hexside that a side of the cell can have, side by side.

    Empty if the table was counted without hexsides.
    """
    if table.sides is None:
        return []
    rows = []
    for side, side_name in enumerate(grid.layout.side_names):
        chances_of_side = table.sides.get((cell, side), {})
        for code, chance in sorted(chances_of_side.items()):
            hexside = terrain_set.hexsides[code - 1]  # code 0 is a side without a hexside
            text = f"{hexside.name} on the {side_name}"
            # Without a cell: sides have the error of any chance of the table.
            rows.append(Row(text, chance, table.error(chance)))
    return rows


def _reasons(table: OddsTable, cell: int, column: int) -> list[Row]:
    """Return the reasons why a cell has the state of a column, the one with most of it first.

    Empty if the table was counted without them.
    """
    if table.sources is None:
        return []
    # One share for each statement, then that of the map that was there before the script.
    *shares, share_of_map_below = table.sources[cell, column].tolist()
    rows = []
    for origin, share in zip(table.origins, shares, strict=True):
        if share >= _MIN_SHARE:
            text = f"line {origin.line}: {origin.text}"
            rows.append(Row(text, share, table.error(share, cell), line=origin.line))
    if share_of_map_below >= _MIN_SHARE:
        error = table.error(share_of_map_below, cell)
        rows.append(Row("the map below", share_of_map_below, error))
    return sorted(rows, key=lambda row: -row.chance)


class OddsRows(QTreeWidget):
    """The list of a cell's states with a bar for each, and the reasons of a state below it."""

    line_wanted = Signal(int)
    """A statement was clicked or entered: the editor should go to this line."""
    maps_wanted = Signal(str)
    """The gallery should show the maps that pass this filter."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setRootIsDecorated(False)
        self.setItemDelegate(_RowPainter(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("What can be there")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        connect(self.customContextMenuRequested, self._open_menu)
        connect(self.itemClicked, self._request_line)
        connect(self.itemActivated, self._request_line)

    def set_rows(self, rows: Sequence[StateRow]) -> None:
        """Show these rows of ``rows_of``; the view stays scrolled as it was."""
        scroll_value = self.verticalScrollBar().value()
        self.clear()
        for row, reasons in rows:
            item = _make_item(row)
            item.addChildren([_make_item(reason) for reason in reasons])
            self.addTopLevelItem(item)
        self.expandAll()
        self.verticalScrollBar().setValue(scroll_value)

    def gallery_menu(self, item: QTreeWidgetItem) -> QMenu | None:
        """Return the menu that shows the maps of a state in the gallery; None without a filter."""
        row: Row = item.data(0, _ROW_ROLE)
        if not row.condition:
            return None
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        action = menu.addAction("Show such maps in the &gallery")
        action.setToolTip(plain_text(row.condition))
        connect(action.triggered, lambda _checked=False: self.maps_wanted.emit(row.condition))
        return menu

    def _open_menu(self, point: QPoint) -> None:
        """Show the menu of the row at a point of the list, if it has one."""
        item = self.itemAt(point)
        if item is None:
            return
        menu = self.gallery_menu(item)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport().mapToGlobal(point))

    def _request_line(self, item: QTreeWidgetItem) -> None:
        """Emit ``line_wanted`` for a row that is a statement; other rows do nothing."""
        row: Row = item.data(0, _ROW_ROLE)
        if row.line is not None:
            self.line_wanted.emit(row.line)


def _make_item(row: Row) -> QTreeWidgetItem:
    """Return the item of the tree that shows a row."""
    text = f"{row.label}: {row.number}"
    item = QTreeWidgetItem([row.label])
    item.setData(0, _ROW_ROLE, row)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, text)
    if row.line is None:
        tip = text
    else:
        tip = f"Go to line {row.line}"
    item.setToolTip(0, plain_text(tip))
    return item


class _RowPainter(QStyledItemDelegate):
    """Draws the rows: the label at the left, the number at the right, a bar below a state."""

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row."""
        height = option.fontMetrics.height() + _GAP
        if _is_state(index):
            height += _BAR_HEIGHT + _GAP
        return QSize(_MIN_WIDTH, height)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row on the background of the list."""
        row: Row = index.data(_ROW_ROLE)
        palette = option.palette
        view = option.widget
        view.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view
        )
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_selected:
            text_colour = palette.color(QPalette.ColorRole.HighlightedText)
            label_colour = text_colour
            bar_colour = text_colour
        else:
            text_colour = palette.color(QPalette.ColorRole.Text)
            label_colour = text_colour
            bar_colour = palette.color(QPalette.ColorRole.Highlight)
            if row.line is not None:
                label_colour = palette.color(QPalette.ColorRole.Link)  # a click goes to the line

        box: QRect = option.rect.adjusted(_GAP, 1, -_GAP, 0)
        metrics = option.fontMetrics
        caption = QRect(box.left(), box.top(), box.width(), metrics.height())
        painter.setPen(text_colour)
        painter.drawText(caption, Qt.AlignmentFlag.AlignRight, row.number)
        label_width = box.width() - metrics.horizontalAdvance(row.number) - 2 * _GAP
        label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, label_width)
        painter.setPen(label_colour)
        painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, label)

        if _is_state(index):
            bar = QRectF(box.left(), caption.bottom() + 2, box.width(), _BAR_HEIGHT)
            _paint_bar(painter, bar, row, text_colour, bar_colour)


def _is_state(index: Index) -> bool:
    """Return whether a row is a state, not a reason: reasons are the children of their state."""
    return not index.parent().isValid()


def _paint_bar(
    painter: QPainter, bar: QRectF, row: Row, text_colour: QColor, bar_colour: QColor
) -> None:
    """Draw the bar of a chance: the whole width stands for 100 %."""
    track_colour = QColor(text_colour)
    track_colour.setAlphaF(_TRACK_OPACITY)
    painter.fillRect(bar, track_colour)
    filled_bar = QRectF(bar.left(), bar.top(), bar.width() * row.chance, bar.height())
    painter.fillRect(filled_bar, bar_colour)
    if row.has_error:
        _paint_whisker(painter, bar, row, QPen(text_colour))


def _paint_whisker(painter: QPainter, bar: QRectF, row: Row, pen: QPen) -> None:
    """Draw a whisker over a bar: from one standard error below its chance to one above it."""
    min_chance = max(row.chance - row.error, 0.0)
    greatest_chance = min(row.chance + row.error, 1.0)
    left = round(bar.left() + bar.width() * min_chance)
    right = round(bar.left() + bar.width() * greatest_chance)
    middle = round(bar.center().y())
    painter.setPen(pen)
    painter.drawLine(left, middle, right, middle)
    for x in (left, right):
        painter.drawLine(x, round(bar.top()) - 1, x, round(bar.bottom()))
