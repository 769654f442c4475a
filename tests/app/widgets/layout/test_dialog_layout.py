"""Dialogs that grow stay on the screen, with their buttons."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from app.widgets.layout.dialog_layout import lay_out_dialog, resize_on_screen


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
