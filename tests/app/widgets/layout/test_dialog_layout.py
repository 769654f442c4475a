"""Dialogs that grow stay on the screen, with their buttons."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QWidget

from app.widgets.forms.form_dialog import FormDialog
from app.widgets.layout.dialog_layout import lay_out_dialog, resize_on_screen
from randomizer.model.settings.setting import Setting


def make_dialog(qtbot, *middle: QWidget) -> tuple[QDialog, QDialogButtonBox]:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    lay_out_dialog(dialog, *middle, foot=(buttons,), size=QSize(300, 200))
    dialog.show()
    return dialog, buttons


def foot_is_seen(dialog: QDialog, buttons: QDialogButtonBox) -> bool:
    screen = dialog.screen().availableGeometry()
    return screen.contains(buttons.mapToGlobal(buttons.rect().bottomRight()))


def put_at_foot_of_screen(dialog: QDialog) -> None:
    screen = dialog.screen().availableGeometry()
    dialog.move(screen.left() + 20, screen.bottom() - dialog.frameGeometry().height())


def test_a_dialog_that_grows_at_the_foot_of_the_screen_moves_up(qtbot):
    results = QLabel("Results")
    results.setMinimumHeight(300)
    results.hide()
    dialog, buttons = make_dialog(qtbot, QLabel("Question"), results)
    put_at_foot_of_screen(dialog)
    assert foot_is_seen(dialog, buttons)
    height = dialog.height()
    results.show()
    qtbot.waitUntil(lambda: dialog.height() > height)
    qtbot.waitUntil(lambda: foot_is_seen(dialog, buttons))


def test_a_dialog_that_is_made_larger_moves_up_but_not_off_the_top(qtbot):
    dialog, buttons = make_dialog(qtbot, QLabel("Question"))
    put_at_foot_of_screen(dialog)
    resize_on_screen(dialog, QSize(300, 20_000))
    qtbot.waitUntil(lambda: foot_is_seen(dialog, buttons))
    assert dialog.frameGeometry().top() >= dialog.screen().availableGeometry().top()


def test_a_dialog_that_has_room_stays_where_it_is(qtbot):
    dialog, _buttons = make_dialog(qtbot, QLabel("Question"))
    dialog.move(QPoint(30, 40))
    resize_on_screen(dialog, QSize(400, 300))
    assert dialog.pos() == QPoint(30, 40)
    assert dialog.size() == QSize(400, 300)


def test_rows_that_wrap_beside_a_scroll_bar_do_not_bring_it_about(qtbot):
    """Two long choices are as wide as the dialog: a scroll bar, once there, made them wrap."""
    part = "The part in the middle of the north, with what stands there"
    choices = tuple((str(number), part) for number in range(3))
    parent = QWidget()
    qtbot.addWidget(parent)
    settings = [
        Setting("kind", str, "", "0", choices, title="Symmetry"),
        Setting("direction", str, "", "0", choices, title="Copy the part in the"),
    ]
    dialog = FormDialog("Make symmetric", "One part is copied.", settings, {}, print, parent)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(dialog.isVisible)
    middle = dialog.findChild(QScrollArea)
    dialog.resize(dialog.width() - 60, dialog.height())
    qtbot.waitUntil(middle.verticalScrollBar().isVisible)
    dialog.resize(dialog.width() + 60, dialog.height())
    qtbot.waitUntil(lambda: not middle.verticalScrollBar().isVisible())
