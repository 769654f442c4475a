"""The list of what a cell can become, with a bar for each chance.

    Marsh, elevation 1      66.7 ±1.2 %
    ===================-----------
        line 3: ...              60.0 %
        the map below             6.7 %

``OddsRowList`` is a tree: the states and hexsides of ``rows`` with a bar each, and the reasons of a
state below it. A click on a reason goes to its statement in the script, and the menu of a state
shows such maps in the gallery.
"""

from __future__ import annotations

from collections.abc import Sequence

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

from app.features.odds.rows import Chance, HexsideRow, ReasonRow, StateRow
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text

ROW_ROLE = Qt.ItemDataRole.UserRole
"""The row of an item of the tree: a ``StateRow``, ``HexsideRow`` or ``ReasonRow``."""

_BAR_HEIGHT = 5
"""The height of a bar, in logical pixels."""

_GAP = 3
"""The gap around a row and between its texts, in logical pixels."""

_MIN_WIDTH = 80
"""The width that a row asks for, in logical pixels; it gets that of the list."""

_TRACK_OPACITY = 0.15
"""The opacity of the part of a bar beyond its chance, in the colour of texts."""

Index = QModelIndex | QPersistentModelIndex


class OddsRowList(QTreeWidget):
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

    def set_rows(self, rows: Sequence[StateRow | HexsideRow]) -> None:
        """Show these rows; the view stays scrolled as it was."""
        scroll_value = self.verticalScrollBar().value()
        self.clear()
        for row in rows:
            item = _make_item(row)
            if isinstance(row, StateRow):
                item.addChildren([_make_item(reason) for reason in row.reasons])
            self.addTopLevelItem(item)
        self.expandAll()
        self.verticalScrollBar().setValue(scroll_value)

    def gallery_menu(self, item: QTreeWidgetItem) -> QMenu | None:
        """Return the menu that shows the maps of a state in the gallery; None for other rows."""
        row = item.data(0, ROW_ROLE)
        if not isinstance(row, StateRow):
            return None
        filter_text = row.filter
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        action = menu.addAction("Show such maps in the &gallery")
        action.setToolTip(plain_text(filter_text))
        connect(action.triggered, lambda _checked=False: self.maps_wanted.emit(filter_text))
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
        row = item.data(0, ROW_ROLE)
        if isinstance(row, ReasonRow) and row.line is not None:
            self.line_wanted.emit(row.line)


def _make_item(row: StateRow | HexsideRow | ReasonRow) -> QTreeWidgetItem:
    """Return the item of the tree that shows a row."""
    text = f"{row.label}: {row.chance.text}"
    item = QTreeWidgetItem([row.label])
    item.setData(0, ROW_ROLE, row)
    item.setData(0, Qt.ItemDataRole.AccessibleTextRole, text)
    tip = text
    if isinstance(row, ReasonRow) and row.line is not None:
        tip = f"Go to line {row.line}"
    item.setToolTip(0, plain_text(tip))
    return item


class _RowPainter(QStyledItemDelegate):
    """Draws the rows: the label at the left, the chance at the right, a bar below.

    Reasons have no bar.
    """

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row."""
        height = option.fontMetrics.height() + _GAP
        if not isinstance(index.data(ROW_ROLE), ReasonRow):
            height += _BAR_HEIGHT + _GAP
        return QSize(_MIN_WIDTH, height)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row on the background of the list."""
        row: StateRow | HexsideRow | ReasonRow = index.data(ROW_ROLE)
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
            if isinstance(row, ReasonRow) and row.line is not None:
                label_colour = palette.color(QPalette.ColorRole.Link)  # a click goes to the line

        box: QRect = option.rect.adjusted(_GAP, 1, -_GAP, 0)
        metrics = option.fontMetrics
        caption = QRect(box.left(), box.top(), box.width(), metrics.height())
        chance_text = row.chance.text
        painter.setPen(text_colour)
        painter.drawText(caption, Qt.AlignmentFlag.AlignRight, chance_text)
        label_width = box.width() - metrics.horizontalAdvance(chance_text) - 2 * _GAP
        label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, label_width)
        painter.setPen(label_colour)
        painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, label)

        if not isinstance(row, ReasonRow):
            bar = QRectF(box.left(), caption.bottom() + 2, box.width(), _BAR_HEIGHT)
            _paint_bar(painter, bar, row.chance, text_colour, bar_colour)


def _paint_bar(
    painter: QPainter, bar: QRectF, chance: Chance, text_colour: QColor, bar_colour: QColor
) -> None:
    """Draw the bar of a chance: the whole width stands for 100 %."""
    track_colour = QColor(text_colour)
    track_colour.setAlphaF(_TRACK_OPACITY)
    painter.fillRect(bar, track_colour)
    filled_bar = QRectF(bar.left(), bar.top(), bar.width() * chance.value, bar.height())
    painter.fillRect(filled_bar, bar_colour)
    if chance.has_error:
        _paint_whisker(painter, bar, chance, QPen(text_colour))


def _paint_whisker(painter: QPainter, bar: QRectF, chance: Chance, pen: QPen) -> None:
    """Draw a whisker over a bar: from one standard error below its chance to one above it."""
    min_chance = max(chance.value - chance.error, 0.0)
    max_chance = min(chance.value + chance.error, 1.0)
    left = round(bar.left() + bar.width() * min_chance)
    right = round(bar.left() + bar.width() * max_chance)
    middle = round(bar.center().y())
    painter.setPen(pen)
    painter.drawLine(left, middle, right, middle)
    for x in (left, right):
        painter.drawLine(x, round(bar.top()) - 1, x, round(bar.bottom()))
