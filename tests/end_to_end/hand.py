"""A hand that answers the program's own dialogs, as a person does: it replaces none of them.

What the hand shall do is armed *before* the action that brings the dialog, because a dialog that is
executed does not return until it is answered:

    hand.expect("Save map as").type_path(path)
    question = hand.expect("Not everything can be kept").press("Write x.map")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(path.exists)
    assert "will lose this" in question.text

Dialogs that are executed and dialogs that are opened are answered alike. A dialog that nobody
expected is closed and fails the test: at the next ``qtbot.waitUntil``, or at the test's end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Self

from PySide6.QtCore import QEvent, QItemSelectionModel, QMetaObject, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFileSystemModel,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMessageBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

LOOK_MS = 10
"""How often the hand looks for a dialog. Timers run in the loop of an executed dialog, too."""

LOOKS_UNTIL_STUCK = 500
"""A dialog that stays for so many looks after its answer is closed, and fails the test: if it were
left, a test would wait forever in the loop of an executed dialog."""

_LOOKS = "hand_looks"
"""The property of an answered dialog that counts the looks since its answer."""

_EARLIER = "hand_was_not_there"
"""The property of a dialog that was open before this hand was: the test drives it, or left it."""

Move = Callable[[QDialog], None]


class ExpectedDialog:
    """A dialog that shall come, and the moves to make in it, in this order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.text = ""
        """What stood in the dialog when it came; empty until then."""
        self.has_come = False
        self._moves: list[Move] = []

    def press(self, text: str) -> Self:
        """Press the button with this text (without the ``&`` of its key)."""
        return self.do(lambda dialog: _press(_button(dialog, text)))

    def tick(self, text: str) -> Self:
        """Tick the box with this text, or the radio button."""
        return self.do(lambda dialog: _tick(_button(dialog, text)))

    def fill(self, label: str, value: object) -> Self:
        """Fill the field with this label: a text, a number, or the text of a row of a list."""
        return self.do(lambda dialog: _fill(_field(dialog, label), value))

    def type_path(self, path: Path | str, file_filter: str = "") -> Self:
        """Type a path into a file dialog and accept it.

        ``file_filter`` is the beginning of the line of the chosen file type; empty leaves it.
        """
        return self.do(lambda dialog: _type_path(dialog, str(path), file_filter))

    def escape(self) -> Self:
        """Press Escape."""
        return self.do(lambda dialog: _press_key(dialog, Qt.Key.Key_Escape))

    def enter(self) -> Self:
        """Press Enter: the button that a dialog has chosen already."""
        return self.do(lambda dialog: _press_key(dialog, Qt.Key.Key_Return))

    def close(self) -> Self:
        """Close the dialog by the cross of its window."""
        return self.do(_close_by_cross)

    def do(self, move: Move) -> Self:
        """Make any other move. An exception in it closes the dialog and fails the test."""
        self._moves.append(move)
        return self

    def answer(self, dialog: QDialog) -> None:
        """Make the moves."""
        self.has_come = True
        self.text = text_of(dialog)
        for move in self._moves:
            move(dialog)


class Hand(QObject):
    """Answers dialogs in the order in which they are expected."""

    def __init__(self) -> None:
        super().__init__()
        self._expected: list[ExpectedDialog] = []
        self._held_kinds: tuple[type[QDialog], ...] = ()
        self._faults: list[str] = []
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog) and widget.isVisible():
                widget.setProperty(_EARLIER, True)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def expect(self, title: str) -> ExpectedDialog:
        """Expect a dialog with this title, after those that are expected already."""
        dialog = ExpectedDialog(title)
        self._expected.append(dialog)
        return dialog

    def hold(self, *kinds: type[QDialog]) -> None:
        """Leave dialogs of these kinds to the test, which finds and drives them itself."""
        self._held_kinds += kinds

    @property
    def expects(self) -> bool:
        """True if a dialog is expected that has not come."""
        return bool(self._expected)

    def check(self) -> None:
        """Raise an AssertionError, once, if a dialog came unexpectedly or was not answered."""
        faults = "\n".join(self._faults)
        self._faults.clear()
        assert not faults, faults

    def rest(self) -> None:
        """Stop looking, and raise an AssertionError if an expected dialog has not come."""
        self._timer.stop()
        self.check()
        titles = [dialog.title for dialog in self._expected]
        self._expected.clear()
        assert not titles, f"these dialogs have not come: {titles}"

    def _look(self) -> None:
        dialog = self._uppermost_dialog()
        if dialog is None:
            return
        if self._expected and self._expected[0].title == dialog.windowTitle():
            self._answer(dialog, self._expected.pop(0))
            return
        looks = dialog.property(_LOOKS)
        if looks is None:
            next_title = self._expected[0].title if self._expected else "no dialog"
            self._refuse(dialog, f"came unexpectedly ({next_title} was expected)")
        elif looks < LOOKS_UNTIL_STUCK:
            dialog.setProperty(_LOOKS, looks + 1)
        else:
            self._refuse(dialog, "stayed open after it was answered")

    def _answer(self, dialog: QDialog, expected: ExpectedDialog) -> None:
        dialog.setProperty(_LOOKS, 0)
        try:
            expected.answer(dialog)
        except Exception as fault:  # noqa: BLE001 - raised here a modal dialog would stay
            self._refuse(dialog, str(fault) or repr(fault))

    def _refuse(self, dialog: QDialog, fault: str) -> None:
        try:
            text = text_of(dialog)
        except Exception as second_fault:  # noqa: BLE001 - the dialog is closed all the same
            text = repr(second_fault)
        self._faults.append(f"The dialog {dialog.windowTitle()!r} {fault}:\n{text}")
        dialog.close()
        if dialog.isVisible():  # it has no way out, or asks something before
            dialog.reject()

    def _uppermost_dialog(self) -> QDialog | None:
        """Return the dialog that a person would answer now, None if there is none.

        One that is modal hides the others; of the others the answered ones come last.
        """
        modal = QApplication.activeModalWidget()
        if modal is not None:
            return self._dialog_to_answer(modal)
        dialogs = [self._dialog_to_answer(widget) for widget in QApplication.topLevelWidgets()]
        visible = [dialog for dialog in dialogs if dialog is not None]
        visible.sort(key=lambda dialog: dialog.property(_LOOKS) is not None)
        return visible[0] if visible else None

    def _dialog_to_answer(self, widget: QWidget) -> QDialog | None:
        if not isinstance(widget, QDialog) or not widget.isVisible():
            return None
        if widget.property(_EARLIER):
            return None
        return None if isinstance(widget, self._held_kinds) else widget


def text_of(dialog: QDialog) -> str:
    """Return what a person reads in a dialog, line by line.

    Of a file dialog that is the name that is offered, and the file types.
    """
    if isinstance(dialog, QFileDialog):
        return "\n".join([_file_name_line(dialog).text(), *dialog.nameFilters()])
    if isinstance(dialog, QMessageBox):
        return f"{dialog.text()}\n{dialog.informativeText()}".strip()
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    for kind in (QPlainTextEdit, QTextEdit):
        texts += [edit.toPlainText() for edit in dialog.findChildren(kind) if edit.isVisible()]
    for view in dialog.findChildren(QAbstractItemView):
        if view.isVisible():
            texts += _rows(view)
    return "\n".join(texts)


def _file_name_line(dialog: QFileDialog) -> QLineEdit:
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    assert line is not None, "is not drawn by Qt"
    return line


def _rows(view: QAbstractItemView) -> list[str]:
    """Return the texts of a list or table, a row each; of a tree the uppermost rows."""
    model = view.model()
    root = view.rootIndex()
    columns = 1 if isinstance(view, QListView) else model.columnCount(root)
    rows = []
    for row in range(model.rowCount(root)):
        cells = [model.index(row, column, root).data() for column in range(columns)]
        rows.append(" ".join(str(cell) for cell in cells if cell is not None))
    return rows


def _plain(text: str) -> str:
    """Return the text of a button or label without the mark of its key and the colon."""
    return text.replace("&", "").rstrip(":")


def _button(dialog: QDialog, text: str) -> QAbstractButton:
    """Return the visible button with a text; two of the same text are a fault, as for a person."""
    visible = [button for button in dialog.findChildren(QAbstractButton) if button.isVisible()]
    matching = [button for button in visible if _plain(button.text()) == text]
    texts = [_plain(button.text()) for button in visible if button.text()]
    assert matching, f"has no button {text!r} among {texts}"
    assert len(matching) == 1, f"has {len(matching)} buttons {text!r}"
    return matching[0]


def _press(button: QAbstractButton) -> None:
    """Press a button when the event loop is reached again.

    What it does may bring the next dialog, and while the slot of a timer runs, the timer is silent.
    """
    assert button.isEnabled(), f"has {_plain(button.text())!r} greyed out"
    QMetaObject.invokeMethod(button, "click", Qt.ConnectionType.QueuedConnection)


def _tick(button: QAbstractButton) -> None:
    assert button.isEnabled(), f"has {_plain(button.text())!r} greyed out"
    assert not button.isChecked(), f"has {_plain(button.text())!r} ticked already"
    button.click()


def _press_key(dialog: QDialog, key: Qt.Key) -> None:
    """Press a key when the event loop is reached again (see ``_press``)."""
    none = Qt.KeyboardModifier.NoModifier
    QApplication.postEvent(dialog, QKeyEvent(QEvent.Type.KeyPress, key, none))


def _close_by_cross(dialog: QDialog) -> None:
    """Close a dialog when the event loop is reached again (see ``_press``)."""
    QMetaObject.invokeMethod(dialog, "close", Qt.ConnectionType.QueuedConnection)


def _type_path(dialog: QDialog, path: str, file_filter: str) -> None:
    assert isinstance(dialog, QFileDialog), "is no file dialog"
    if file_filter:
        chosen = [line for line in dialog.nameFilters() if line.startswith(file_filter)]
        assert chosen, f"has no file type {file_filter!r} among {dialog.nameFilters()}"
        types = dialog.findChild(QComboBox, "fileTypeCombo")
        types.setCurrentIndex(dialog.nameFilters().index(chosen[0]))
        types.activated.emit(types.currentIndex())  # as when a person chooses it
    # As when a person types: what was offered is not chosen any more. Qt sees to that only where
    # the line has the focus, which it has not yet.
    chosen_files = dialog.findChild(QListView, "listView").selectionModel()
    chosen_files.clearSelection()
    _file_name_line(dialog).setText(path)
    chosen_files.blockSignals(True)  # a signal would put another name into the line
    for index in chosen_files.selectedRows():
        if index.data(QFileSystemModel.Roles.FilePathRole) != path:
            flags = QItemSelectionModel.SelectionFlag
            chosen_files.select(index, flags.Deselect | flags.Rows)
    chosen_files.blockSignals(False)
    accepting = {QDialogButtonBox.ButtonRole.AcceptRole, QDialogButtonBox.ButtonRole.YesRole}
    box = dialog.findChild(QDialogButtonBox)
    buttons = [button for button in box.buttons() if box.buttonRole(button) in accepting]
    assert len(buttons) == 1, "has no single button that accepts"
    _press(buttons[0])


def _field(dialog: QDialog, text: str) -> QWidget:
    """Return the field with a label: its buddy, its row of a form, or its accessible name."""
    texts = []
    for label in dialog.findChildren(QLabel):
        texts.append(_plain(label.text()))
        if texts[-1] == text and label.buddy() is not None:
            return label.buddy()
    for form in dialog.findChildren(QFormLayout):
        for row in range(form.rowCount()):
            label_item = form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            field_item = form.itemAt(row, QFormLayout.ItemRole.FieldRole)
            if label_item is None or field_item is None:
                continue
            label = label_item.widget()
            if isinstance(label, QLabel) and _plain(label.text()) == text:
                return field_item.widget()
    for widget in dialog.findChildren(QWidget):
        if widget.isVisible() and widget.accessibleName() == text:
            return widget
    raise AssertionError(f"has no field {text!r} among {texts}")


def _fill(field: QWidget, value: object) -> None:
    assert field.isVisible(), "does not show that field"
    assert field.isEnabled(), "has that field greyed out"
    if isinstance(field, QLineEdit):
        field.setText(str(value))
        field.textEdited.emit(str(value))  # as when a person types
    elif isinstance(field, QComboBox):
        index = field.findText(str(value))
        assert index >= 0, f"has no {value!r} in that list"
        field.setCurrentIndex(index)
        field.activated.emit(index)
    elif isinstance(field, QAbstractSpinBox):
        line = field.findChild(QLineEdit)
        line.setText(str(value))
        field.interpretText()
    elif isinstance(field, QPlainTextEdit | QTextEdit):
        field.setPlainText(str(value))
    else:
        raise AssertionError(f"has a field that the hand cannot fill: {field}")
