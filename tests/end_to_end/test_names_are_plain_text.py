"""Names that look like HTML are shown letter by letter, wherever the desk shows them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QListView,
    QMessageBox,
    QTabBar,
    QWidget,
)

from app.features.preferences.dialog import SettingsDialog
from app.features.replace.dialog import ReplaceDialog
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.map.regions import MapRegion, record_of
from randomizer.storage.files.project import write_project
from randomizer.systems.free.system import free_map

DRIVEN_DIALOGS = (SettingsDialog, ReplaceDialog)

LAYER = "<img src=x>"
FILE = "<h1>x<b>.battlemap"
REGION = "<i>Moor"
NAMES = (LAYER, FILE, REGION)


def labels_taken_for_html() -> list[str]:
    labels = [each for each in QApplication.allWidgets() if isinstance(each, QLabel)]
    return [
        label.text()
        for label in labels
        if label.textFormat() != Qt.TextFormat.PlainText
        and any(name in label.text() for name in NAMES)
    ]


def tips() -> Iterator[str]:
    """Yield all tool tips: of widgets, actions, tabs and rows."""
    for widget in QApplication.allWidgets():
        yield widget.toolTip()
        for action in widget.actions():
            yield action.toolTip()
        if isinstance(widget, QTabBar):
            for index in range(widget.count()):
                yield widget.tabToolTip(index)
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            yield from tips_of_rows(widget)
        if isinstance(widget, QComboBox):
            for index in range(widget.count()):
                yield str(widget.itemData(index, Qt.ItemDataRole.ToolTipRole) or "")


def tips_of_rows(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None:
        return
    columns = 1 if isinstance(view, QListView) else model.columnCount(view.rootIndex())
    for row in range(model.rowCount(view.rootIndex())):
        for column in range(columns):
            index = model.index(row, column, view.rootIndex())
            yield str(index.data(Qt.ItemDataRole.ToolTipRole) or "")


@pytest.fixture
def named(window, tmp_path, qtbot):
    """The window with a map in whose file, layers and regions names look like HTML."""
    battlemap = free_map(FLAT, 8, 6)
    LayerInsert(1, Layer(2, LAYER)).apply(battlemap)
    set_record(battlemap, REGIONS, record_of([None, MapRegion(REGION, "#ff0000")])).apply(battlemap)
    path = tmp_path / FILE
    path.write_bytes(write_project(battlemap))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    return window


def test_no_label_or_tip_takes_a_name_for_html(named, qtbot):
    desk = named.desk
    for name in desk.commands.ids_at("panel.*"):
        if name in desk.commands.offered():
            desk.docks.show(name.removeprefix("panel."))
    desk.commands.run("edit.preferences")
    desk.commands.run("edit.find-and-replace")
    QApplication.processEvents()
    assert labels_taken_for_html() == []
    tips_with_names = [tip for tip in tips() if "img" in tip or "h1" in tip or "Moor" in tip]
    assert len(tips_with_names) > 1
    assert not [
        tip for tip in tips_with_names if Qt.mightBeRichText(tip) and any(n in tip for n in NAMES)
    ]
    assert desk.document.path.name == FILE


@pytest.mark.deep
def test_a_question_shows_the_name_of_a_file_letter_by_letter(named, hand, qtbot, tmp_path):
    texts = []

    def look(dialog: QWidget) -> None:
        assert isinstance(dialog, QMessageBox)
        for label in dialog.findChildren(QLabel):
            texts.append(shown_letters(label))

    other = tmp_path / "<b>y.battlemap"
    other.write_bytes(b"")
    hand.expect("Save map as").type_path(other.with_suffix(""), "Map project")
    hand.expect("Replace the file?").do(look).press("No")
    second = hand.expect("Save map as").press("Cancel")
    named.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: second.has_come)
    assert any("<b>y.battlemap" in text for text in texts)


def shown_letters(label: QLabel) -> str:
    """Return the letters that a label shows."""
    text = label.text()
    if label.textFormat() == Qt.TextFormat.PlainText or not Qt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()
