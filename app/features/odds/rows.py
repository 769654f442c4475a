"""What one cell can become: bars with percentages, and below each bar the lines responsible.

``rows_of`` makes the rows of a cell from a table of odds; ``OddsRows`` is the widget for them.
"""

from __future__ import annotations

from typing import NamedTuple

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
from PySide6.QtGui import QPainter, QPalette, QPen
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

_ROW = Qt.ItemDataRole.UserRole
"""The ``Row`` of an item of the tree."""

_BAR = 5
"""The height of a bar, in logical pixels."""

_PAD = 3
"""The gap around a row and between its texts, in logical pixels."""

_LEAST_SHARE = 0.0005
"""A statement responsible for less than this is not worth a line."""

LEAST_ERROR = 0.0005
"""A smaller standard error does not show: chances have one digit behind the point."""

Index = QModelIndex | QPersistentModelIndex


class Row(NamedTuple):
    """One chance of a cell, or the part of a chance that one statement is responsible for."""

    label: str
    """The text at the left."""
    chance: float
    """From 0 to 1."""
    error: float = 0.0
    """The standard error of the chance; 0 if the chance is certain."""
    line: int | None = None
    """The line of the script to go to, None if there is none."""
    condition: str = ""
    """The filter that finds the maps on which the cell is so; "" where no filter can."""

    @property
    def has_error(self) -> bool:
        """True if the error is large enough to change the digits that are shown."""
        return self.error >= LEAST_ERROR

    @property
    def number(self) -> str:
        """The chance in per cent, with its error."""
        chance = f"{self.chance * 100:.1f}"
        if not self.has_error:
            return f"{chance} %"
        return f"{chance} \N{PLUS-MINUS SIGN}{self.error * 100:.1f} %"


def rows_of(
    table: OddsTable,
    stage: int | None,
    cell: int,
    system: System,
    terrain_set: TerrainSet,
    grid: Grid,
) -> list[tuple[Row, list[Row]]]:
    """Return the chances of a cell, the likeliest first, each with the statements responsible.

    ``stage`` is the number of a statement after which they hold, None for the finished maps.
    """
    if stage is None:
        chances = table.chances[cell]
    else:
        chances = table.stages[stage].chances[cell]

    result: list[tuple[Row, list[Row]]] = []
    for column in sorted(range(len(chances)), key=lambda column: -chances[column]):
        chance = float(chances[column])
        if not chance:
            continue
        terrain, elevation = table.states[column]
        terrain_name = terrain_set.terrains[terrain].name
        text = f"{terrain_name}, {system.elevation_text(elevation)}"
        condition = f"{system.cell_name(grid, cell)} = {quoted(terrain_name)}"
        if system.elevation is not None:
            condition += f"/{elevation}"
        row = Row(text, chance, table.error(chance, cell), condition=condition)
        reasons = _reasons(table, cell, column) if stage is None else []
        result.append((row, reasons))

    # Reasons and hexsides are counted for the finished maps only.
    if stage is not None:
        return result
    for side, name in enumerate(grid.layout.side_names):
        for code, chance in sorted((table.sides or {}).get((cell, side), {}).items()):
            text = f"{terrain_set.hexsides[code - 1].name} on the {name}"
            result.append((Row(text, chance, table.error(chance)), []))
    return result


def _reasons(table: OddsTable, cell: int, column: int) -> list[Row]:
    """Return the statements that make a cell what the column says, the one with most of it first.

    The last share of a cell is that of no statement: the map that was there before the script.
    """
    if table.sources is None:
        return []
    shares = table.sources[cell, column].tolist()
    rows = []
    for origin, share in zip(table.origins, shares, strict=False):
        if share >= _LEAST_SHARE:
            text = f"line {origin.line}: {origin.text}"
            rows.append(Row(text, share, table.error(share, cell), line=origin.line))
    if shares[-1] >= _LEAST_SHARE:
        rows.append(Row("the map below", shares[-1], table.error(shares[-1], cell)))
    return sorted(rows, key=lambda row: -row.chance)


class OddsRows(QTreeWidget):
    """Shows the chances of a cell as bars, and below each the statements responsible."""

    line_wanted = Signal(int)
    """A statement was chosen, by click or with Enter: its line."""
    maps_wanted = Signal(str)
    """The gallery is to show the maps that pass this filter."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setRootIsDecorated(False)
        self.setItemDelegate(_Bars(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("What can be there")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        connect(self.customContextMenuRequested, self._open_menu)
        connect(self.itemClicked, self._go)
        connect(self.itemActivated, self._go)

    def set_rows(self, rows: list[tuple[Row, list[Row]]]) -> None:
        """Show other rows, each with those of its reasons; the view stays scrolled as it was."""
        scroll_value = self.verticalScrollBar().value()
        self.clear()
        for row, reasons in rows:
            item = _item(row)
            item.addChildren([_item(reason) for reason in reasons])
            self.addTopLevelItem(item)
        self.expandAll()
        self.verticalScrollBar().setValue(scroll_value)

    def menu_of(self, item: QTreeWidgetItem) -> QMenu | None:
        """Return the menu of a row, None if it has none."""
        row: Row = item.data(0, _ROW)
        if not row.condition:
            return None
        menu = QMenu(self)
        action = menu.addAction("Show such maps in the &gallery")
        action.setToolTip(plain_text(row.condition))
        connect(action.triggered, lambda _checked=False: self.maps_wanted.emit(row.condition))
        return menu

    def _open_menu(self, point: QPoint) -> None:
        item = self.itemAt(point)
        menu = None if item is None else self.menu_of(item)
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport().mapToGlobal(point))

    def _go(self, item: QTreeWidgetItem) -> None:
        row: Row = item.data(0, _ROW)
        if row.line is not None:
            self.line_wanted.emit(row.line)


def _item(row: Row) -> QTreeWidgetItem:
    item = QTreeWidgetItem([row.label])
    item.setData(0, _ROW, row)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{row.label}: {row.number}")
    tip = f"{row.label}: {row.number}"
    if row.line:
        tip = f"Go to line {row.line}"
    item.setToolTip(0, plain_text(tip))
    return item


class _Bars(QStyledItemDelegate):
    """Draws the label and the number of a row.

    Below those of what the cell can become stands a bar from 0 to 100 %.
    """

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row; a statement responsible has no bar."""
        bar = 0 if index.parent().isValid() else _BAR + _PAD
        return QSize(80, option.fontMetrics.height() + bar + _PAD)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row: Row = index.data(_ROW)
        palette = option.palette
        metrics = option.fontMetrics
        view = option.widget
        view.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, view
        )
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            text = QPalette.ColorRole.HighlightedText
        else:
            text = QPalette.ColorRole.Text
        box: QRect = option.rect.adjusted(_PAD, 1, -_PAD, 0)
        caption = QRect(box.left(), box.top(), box.width(), metrics.height())
        painter.setPen(palette.color(text))
        painter.drawText(caption, Qt.AlignmentFlag.AlignRight, row.number)
        if row.line is not None and not chosen:
            painter.setPen(palette.color(QPalette.ColorRole.Link))
        room = box.width() - metrics.horizontalAdvance(row.number) - 2 * _PAD
        painter.drawText(
            caption,
            Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, room),
        )
        if not index.parent().isValid():
            bar = QRectF(box.left(), caption.bottom() + 2, box.width(), _BAR)
            track = palette.color(text)
            track.setAlphaF(0.15)
            painter.fillRect(bar, track)
            fill = text if chosen else QPalette.ColorRole.Highlight
            done = QRectF(bar.left(), bar.top(), bar.width() * row.chance, bar.height())
            painter.fillRect(done, palette.color(fill))
            if row.has_error:
                _paint_error(painter, bar, row, QPen(palette.color(text)))


def _paint_error(painter: QPainter, bar: QRectF, row: Row, pen: QPen) -> None:
    """Draw a whisker from one standard error below a bar's end to one above it."""
    least_chance = max(row.chance - row.error, 0.0)
    greatest_chance = min(row.chance + row.error, 1.0)
    ends = [bar.left() + bar.width() * chance for chance in (least_chance, greatest_chance)]
    painter.setPen(pen)
    middle = bar.center().y()
    painter.drawLine(round(ends[0]), round(middle), round(ends[1]), round(middle))
    for x in ends:
        painter.drawLine(round(x), round(bar.top()) - 1, round(x), round(bar.bottom()))
