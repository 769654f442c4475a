"""The hand of these tests answers real dialogs, and fails a test whose dialogs are not expected."""

import pytest
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QSpinBox,
)

from tests.end_to_end.hand import Hand


@pytest.fixture
def frame(qtbot):
    frame = QDialog()
    qtbot.addWidget(frame)
    return frame


def ask(frame) -> QMessageBox.StandardButton:
    return QMessageBox.question(frame, "Leave?", "There is work.")


def form(frame) -> QDialog:
    dialog = QDialog(frame)
    dialog.setWindowTitle("A form")
    layout = QFormLayout(dialog)
    layout.addRow("&Name:", QLineEdit())
    layout.addRow("&Width:", QSpinBox())
    layout.addRow(QCheckBox("&Round"))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok)
    buttons.accepted.connect(dialog.accept)
    layout.addRow(buttons)
    return dialog


@pytest.mark.parametrize("button", ["Yes", "No"])
def test_a_button_is_pressed_in_a_question_that_is_executed(frame, hand, button):
    question = hand.expect("Leave?").press(button)
    assert ask(frame) == QMessageBox.StandardButton[button]
    assert question.text == "There is work."


def test_escape_refuses_a_question(frame, hand):
    hand.expect("Leave?").escape()
    assert ask(frame) == QMessageBox.StandardButton.No


def test_a_form_that_is_opened_is_filled(frame, hand, qtbot):
    dialog = form(frame)
    hand.expect("A form").fill("Name", "Vale").fill("Width", 12).tick("Round").press("OK")
    dialog.open()
    qtbot.waitUntil(lambda: dialog.result() == QDialog.DialogCode.Accepted)
    assert dialog.findChild(QLineEdit).text() == "Vale"
    assert dialog.findChild(QSpinBox).value() == 12
    assert dialog.findChild(QCheckBox).isChecked()


def test_a_path_is_typed_into_the_real_file_dialog(frame, hand, tmp_path):
    hand.expect("Save map as").type_path(tmp_path / "x.map", "Pictures")
    filters = "Maps (*.map);;Pictures (*.png)"
    answer = QFileDialog.getSaveFileName(frame, "Save map as", str(tmp_path), filters)
    assert answer == (str(tmp_path / "x.map"), "Pictures (*.png)")


def test_the_question_of_a_file_dialog_is_answered_within_it(frame, hand, tmp_path):
    old_file = tmp_path / "x.map"
    old_file.write_text("old")
    hand.expect("Save map as").type_path(old_file)
    replace = hand.expect("Save map as").press("No")
    hand.expect("Save map as").press("Cancel")
    assert QFileDialog.getSaveFileName(frame, "Save map as", str(tmp_path))[0] == ""
    assert "already exists" in replace.text


def test_a_folder_is_typed_into_the_real_file_dialog(frame, hand, tmp_path):
    hand.expect("A folder").type_path(tmp_path)
    assert QFileDialog.getExistingDirectory(frame, "A folder", "/") == str(tmp_path)


@pytest.fixture
def faulty_hand(qtbot):
    """A hand whose faults are the subject of a test."""
    hand = Hand()
    yield hand
    hand._timer.stop()


def test_a_dialog_that_nobody_expected_is_closed_and_fails_the_test(frame, faulty_hand):
    assert ask(frame) == QMessageBox.StandardButton.No  # as by the window's cross
    with pytest.raises(AssertionError, match=r"'Leave\?' came unexpectedly[^$]*There is work\."):
        faulty_hand.check()


def test_waiting_ends_at_once_if_a_dialog_came_unexpectedly(frame, faulty_hand, qtbot):
    qtbot.check_meanwhile = faulty_hand.check
    dialog = form(frame)
    dialog.open()
    with pytest.raises(AssertionError, match="came unexpectedly"):
        qtbot.waitUntil(lambda: False)
    assert not dialog.isVisible()


def test_a_button_that_is_missing_fails_the_test(frame, faulty_hand):
    faulty_hand.expect("Leave?").press("Perhaps")
    assert ask(frame) == QMessageBox.StandardButton.No
    with pytest.raises(AssertionError, match=r"no button 'Perhaps' among \['Yes', 'No'\]"):
        faulty_hand.rest()


def test_a_dialog_that_does_not_come_fails_the_test(faulty_hand):
    faulty_hand.expect("Leave?").press("Yes")
    with pytest.raises(AssertionError, match="have not come"):
        faulty_hand.rest()
