"""Where keys go, how looks change, and a window that is never painted."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.appearance.text_colours import inks
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.window import MainWindow
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import cell, mouse
from tests.end_to_end.test_walking_desk import at


def test_deleting_a_word_of_text_leaves_the_map_alone(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    before = window.desk.document.composite.copy()
    editor = window.desk.docks.panel("randomize").editor
    title = window.desk.docks.panel("properties").rows["title"].editor
    for field in (editor, title):
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(field, Qt.Key.Key_Home)
        QTest.keyClick(field, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert window.desk.document.composite.same_as(before)
    assert title.text() == ""
    assert not editor.text().startswith("#")
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert not np.any(window.desk.document.composite.planes["terrain"])
    editor.document().setModified(False)


@pytest.mark.deep
def test_no_key_beside_export_merges_a_roll(window, qtbot):
    """Ctrl+E did, without a word, and Ctrl+Shift+E exports."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    commands = window.desk.commands
    canvas = window.desk.canvas
    commands.run("layer.new-layer")
    layers = [layer.name for layer in window.desk.document.battlemap.layers]
    canvas.setFocus()
    control = Qt.KeyboardModifier.ControlModifier
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(canvas, Qt.Key.Key_E, control)
    assert [layer.name for layer in window.desk.document.battlemap.layers] == layers
    keys = commands.action("layer.merge-down").shortcut().toString()
    assert keys == "Ctrl+Shift+L"
    others = (each.shortcut().toString() for each in window.findChildren(QAction))
    assert sum(each == keys for each in others) == 1
    QTest.keyClick(canvas, Qt.Key.Key_L, control | shift)
    assert [layer.name for layer in window.desk.document.battlemap.layers] == layers[:-1]
    assert window.statusBar().currentMessage() == (
        f"Merged {layers[-1]} into {layers[-2]}. Undo parts them again."
    )


def test_letters_in_the_script_choose_no_tool(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    editor = window.desk.docks.panel("randomize").editor
    editor.setFocus()
    QTest.keyClicks(editor, "EXK0")
    assert window.desk.canvas.tool.name == "terrain"
    assert not window.desk.tools.options.flipped
    assert editor.text().startswith("EXK0")
    editor.document().setModified(False)


def test_ctrl_picks_like_alt(window):
    point = at(window, "D4")
    ctrl = Qt.KeyboardModifier.ControlModifier
    shown = window.desk.document.composite.planes["terrain"].flat[cell("D4")]
    for kind, buttons in (("MouseButtonPress", 1), ("MouseButtonRelease", 0)):
        mouse(
            window.desk.canvas,
            kind,
            point,
            Qt.MouseButton.LeftButton,
            Qt.MouseButton(buttons),
            ctrl,
        )
    assert window.desk.tools.options.terrain == shown
    assert not window.desk.document.modified


def test_the_script_takes_the_colours_of_the_new_theme(window, qtbot):
    # The colours of a text are told by its highlighter alone.
    highlighter = window.desk.docks.panel("randomize").editor._highlighter
    try:
        for name in ("dark", "light"):
            window.desk.theme.set_theme(name)
            ink = inks(QApplication.palette()).comment
            qtbot.waitUntil(
                # The colours of a text are told by its highlighter alone.
                lambda ink=ink: highlighter._formats["comment"].foreground().color() == ink
            )
    finally:
        window.desk.theme.set_theme("system")


@pytest.mark.deep
def test_a_window_that_starts_minimised_is_filled_all_the_same(qtbot, settings):
    window = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(window)
    window.desk.canvas.painted.disconnect()
    with qtbot.waitSignal(window.desk.ready):
        window.showMinimized()
    assert "help.manual" in window.desk.commands


@pytest.mark.deep
def test_an_empty_box_to_tick_can_be_seen_in_the_dark(window, qtbot):
    try:
        window.desk.theme.set_theme("dark")
        for widget in (
            window.desk.docks.panel("properties").rows["tower"].editor,
            window.desk.docks.panel("layers").list,
        ):
            qtbot.waitUntil(lambda widget=widget: contrast(widget.palette()) > 3)
    finally:
        window.desk.theme.set_theme("system")


def contrast(palette) -> float:
    """Between the outline that Fusion draws and the ground inside it."""
    outline = palette.color(palette.ColorRole.Window).darker(140)
    ground = palette.color(palette.ColorRole.Base)
    light, dark = sorted((luminance(outline), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_panel_that_is_opened_by_a_key_has_the_keyboard_and_escape_gives_it_back(window, qtbot):
    window.desk.canvas.setFocus()
    for name in ("gallery", "odds", "fairness"):
        window.desk.commands.run(f"randomize.{name}")
        panel = window.desk.docks.panel(name)
        qtbot.waitUntil(lambda panel=panel: panel.isAncestorOf(QApplication.focusWidget()))
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is window.desk.canvas
    gallery = window.desk.commands.action("randomize.gallery")
    gallery.trigger()
    assert window.desk.docks.is_in_front("gallery")  # Escape has closed it
    gallery.trigger()
    assert not window.desk.docks.is_in_front("gallery")
    gallery.trigger()
    view = window.desk.docks.panel("gallery").maps.view
    qtbot.waitUntil(lambda: QApplication.focusWidget() is view and view.model().rowCount() == 48)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert len(view.chosen()) == 1  # from here Enter would take it
    window.desk.docks.panel("gallery").form.filter.field.setFocus()
    for focused in (
        view,
        window.desk.canvas,
    ):  # one Escape too many in a wish does not go to the map
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is focused


@pytest.mark.deep
def test_the_lists_of_keys_call_undo_undo_whatever_it_undoes(window):
    document = window.desk.document
    commands = window.desk.commands
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [15], 3)
    assert document.push(edit, "Opacity of Ground")
    undo = commands.action("edit.undo")
    redo = commands.action("edit.redo")
    assert (undo.text(), undo.isEnabled()) == ("&Undo Opacity of Ground", True)
    assert (redo.text(), redo.isEnabled()) == ("&Redo", False)
    assert commands.path("edit.undo") == "Edit > Undo"
    assert commands.path("edit.redo") == "Edit > Redo"
    undo.trigger()
    assert (undo.text(), undo.isEnabled()) == ("&Undo", False)
    assert (redo.text(), redo.isEnabled()) == ("&Redo Opacity of Ground", True)
    document.open_map(sample_map())
    assert (redo.text(), redo.isEnabled()) == ("&Redo", False)
