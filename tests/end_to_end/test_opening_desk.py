"""Opening files in the real window: what a failed opening leaves as it was, and Redo by any key."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeView

from app.features.files.open_dialog import OpenDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.map_formats import format_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import choose_files, opened
from tests.daily import deep_but
from tests.randomizer.systems.xconq.worlds import ISLANDS

DRIVEN_DIALOGS = (ProblemDialog, OpenDialog)


def open_by_dialog(qtbot, window, path):
    window.desk.commands.run("file.open")
    choose_files(window, qtbot, path)


@pytest.mark.parametrize("name", deep_but(["DefaultVar.xml", "Broken.rnd"], "DefaultVar.xml"))
def test_a_failed_opening_does_not_change_the_save_folder(qtbot, window, tmp_path, name):
    before = window.desk.settings.last_directory
    path = tmp_path / "elsewhere" / name
    path.parent.mkdir()
    if path.suffix == ".xml":
        path.write_text('<variant name="Default"/>')
    window.desk.files.open_paths([path])
    if path.suffix == ".xml":
        qtbot.waitUntil(lambda: window.findChild(ProblemDialog) is not None)
        dialog = window.findChild(ProblemDialog)
        assert "This is a variant file, not a map" in dialog.text.toPlainText()
        dialog.close()
    assert window.desk.settings.last_directory == before


def test_an_opened_map_changes_the_save_folder(qtbot, window, tmp_path):
    path = tmp_path / "Moor.xml"
    path.write_bytes(format_named("xml").write(BattleMap.new(SYSTEM)))
    open_by_dialog(qtbot, window, path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    assert window.desk.settings.last_directory == str(tmp_path)


@pytest.mark.deep
def test_the_place_of_the_picture_says_so_until_a_map_is_chosen(qtbot, window, tmp_path):
    path = tmp_path / "Moor.xml"
    path.write_bytes(format_named("xml").write(BattleMap.new(SYSTEM)))
    window.desk.settings.last_directory = str(tmp_path)
    window.desk.commands.run("file.open")
    dialog = opened(window, qtbot, OpenDialog)
    assert dialog.picture.text() == "Preview"
    table = dialog.findChild(QTreeView)
    qtbot.waitUntil(lambda: table.model().rowCount(table.rootIndex()) == 1)
    dates = table.model().columnCount() - 1
    assert table.columnWidth(dates) >= table.sizeHintForColumn(dates), "no date is cut off"
    assert table.header().length() <= table.viewport().width(), "nothing is beyond the right edge"
    row = table.visualRect(table.model().index(0, 0, table.rootIndex()))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    qtbot.waitUntil(lambda: not dialog.picture.pixmap().isNull())
    assert dialog.picture.text() == ""
    dialog.reject()


@pytest.fixture
def platform_with_one_key(monkeypatch):
    """A platform like most of Linux, where only Ctrl+Shift+Z is a key of Redo."""
    usual = QKeySequence.keyBindings

    def bindings(standard):
        if standard == QKeySequence.StandardKey.Redo:
            return [QKeySequence("Ctrl+Shift+Z")]
        return usual(standard)

    # The keys of another platform.
    monkeypatch.setattr(QKeySequence, "keyBindings", bindings)


@pytest.mark.parametrize(
    ("key", "shift"),
    deep_but([(Qt.Key.Key_Y, False), (Qt.Key.Key_Z, True)], (Qt.Key.Key_Y, False)),
    ids=["Ctrl+Y", "Ctrl+Shift+Z"],
)
def test_both_usual_keys_redo(qtbot, platform_with_one_key, window, key, shift):
    document = window.desk.document
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [15], 3)
    assert document.push(edit, "Paint")
    held = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window.desk.canvas, Qt.Key.Key_Z, held)
    assert document.current_map.history.next_redo is not None
    qtbot.keyClick(
        window.desk.canvas, key, held | Qt.KeyboardModifier.ShiftModifier if shift else held
    )
    assert document.current_map.history.next_redo is None
    assert document.composite.planes["terrain"].flat[15] == 3


@pytest.fixture
def many(tmp_path):
    """Maps, a period, a script and what is neither, in this order."""
    paths = [tmp_path / name for name in ("A.xml", "Wrong.xml", "B.per", "C.xml", "D.rnd")]
    map_text = format_named("xml").write(BattleMap.new(SYSTEM))
    for path, data in zip(
        paths,
        (map_text, b"<variant/>", f"{ISLANDS}end\n".encode(), map_text, b"TOWER\n"),
        strict=True,
    ):
        path.write_bytes(data)
    return paths


def opened_in_order(qtbot, window, many) -> None:
    """Check that each file became what it holds, and of the wrong one it was told."""
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == many[-1])
    document = window.desk.document
    assert [each.path for each in document.maps][-3:] == [many[0], None, many[3]]
    assert [each.battlemap.system.name for each in document.maps][-3:] == [
        *("colossus", "xconq", "colossus"),
    ]
    assert document.current_map is document.maps[-1]
    assert window.desk.scripts.text.text() == "TOWER\n"
    (dialog,) = window.findChildren(ProblemDialog)
    assert dialog.heading.text() == "Cannot open Wrong.xml"
    dialog.close()


def test_many_files_chosen_at_once_open_in_order(qtbot, window, many):
    window.desk.commands.run("file.open")
    choose_files(window, qtbot, *many)
    opened_in_order(qtbot, window, many)


@pytest.mark.deep
def test_many_files_dropped_at_once_open_in_order_and_roll_nothing(qtbot, window, many):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in many])
    kind = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    window.dropEvent(QDropEvent(QPoint(5, 5), *kind, Qt.KeyboardModifier.NoModifier))
    opened_in_order(qtbot, window, many)
    assert not window.desk.rolling.busy
    assert window.desk.document.maps[-1].history.steps == []


@pytest.mark.deep  # a window in another process
def test_many_files_of_the_command_line_open_in_order(many, tmp_path):
    """In a process of its own, as a person starts it."""
    run = subprocess.run(
        [sys.executable, "-c", STARTED, *map(str, many)],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "BATTLELANDS_DATA": str(tmp_path / "data"),
            "XDG_CONFIG_HOME": str(tmp_path / "settings"),
        },
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["A.xml", "None", "C.xml", "D.rnd"]


STARTED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import app.window
from app.__main__ import main

class Window(app.window.MainWindow):
    def __init__(self, *words):
        super().__init__(*words)
        self.desk.settings.tour_seen = True
        self.look = QTimer(self, interval=20)
        self.look.timeout.connect(self.end)
        self.look.start()

    def end(self):
        desk = self.desk
        path = desk.scripts.script.path if desk.document.maps[1:] else None
        if path is not None and path.name == "D.rnd":
            maps = desk.document.maps[-3:]
            print(*(each.path and each.path.name for each in maps), path.name, flush=True)
            QApplication.exit(0)

app.window.MainWindow = Window
sys.exit(main(sys.argv[1:]))
"""
