"""A chosen item of a list of pictures is marked as a whole, and its picture is as it was."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QListView, QListWidget, QListWidgetItem

from app.widgets.lists.picture_items import PictureItems


def test_a_chosen_item_is_marked_around_its_picture_which_keeps_its_colours(qtbot):
    rows = QListWidget()
    qtbot.addWidget(rows)
    rows.setViewMode(QListView.ViewMode.IconMode)
    rows.setIconSize(QSize(60, 60))
    rows.setGridSize(QSize(90, 90))
    rows.setItemDelegate(PictureItems(rows))
    picture = QPixmap(60, 60)
    picture.fill(Qt.GlobalColor.green)
    for name in ("Beach", "Hills"):
        item = QListWidgetItem(QIcon(picture), name)
        item.setSizeHint(rows.gridSize())
        rows.addItem(item)
    rows.setCurrentRow(0)
    rows.resize(300, 200)
    rows.show()
    shown = rows.viewport().grab().toImage()
    palette = rows.palette()
    marks = [
        palette.color(group, QPalette.ColorRole.Highlight).rgb()
        for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive)
    ]
    box = rows.visualItemRect(rows.item(0))
    assert shown.pixel(box.left() + 3, box.top() + 3) in marks
    assert shown.pixelColor(box.center().x(), box.top() + 30) == Qt.GlobalColor.green
    box = rows.visualItemRect(rows.item(1))
    assert shown.pixel(box.left() + 3, box.top() + 3) not in marks
