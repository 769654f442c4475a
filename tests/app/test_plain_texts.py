"""What files, layers and terrains are called is shown letter by letter: no text is taken for HTML.

Labels are made by ``plain_label``, and the texts of tool tips and message boxes by ``plain_text``,
unless they stand in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from app.background.actions import end_all, run
from app.widgets.dialogs.choice import choose
from app.widgets.layout.builders import plain_label, plain_text
from tests.sources import sources_with

APP = Path(__file__).resolve().parents[2] / "app"

TEXT_ARGUMENTS = {
    "setToolTip": -1,
    "setTabToolTip": 1,
    "showText": 1,
    "question": 2,
    "warning": 2,
    "information": 2,
    "critical": 2,
    "setInformativeText": 0,
}
"""Methods of Qt that take what looks like HTML for it, and which argument that is."""

OF_MESSAGE_BOXES = ("question", "warning", "information", "critical")

OWN_HTML = {"app/features/script/editor.py", "app/features/help/help_dialogs.py"}
"""Files that make HTML of texts that they have escaped."""


def stands_in_the_source(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return stands_in_the_source(node.body) and stands_in_the_source(node.orelse)
    is_constant = isinstance(node, ast.Name) and node.id.isupper()
    return is_constant or isinstance(node, ast.Constant)


def is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "plain_text"
    return stands_in_the_source(node)


def faults(source: str) -> Iterator[int]:
    """Yield the lines in which a text may be taken for HTML."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "QLabel":
            yield node.lineno
        if isinstance(node.func, ast.Name) and node.func.id == "QMessageBox":
            texts = node.args[2:3]
            if texts and not is_plain(texts[0]):
                yield node.lineno
        if isinstance(node.func, ast.Attribute) and node.func.attr in TEXT_ARGUMENTS:
            receiver = node.func.value
            is_box = isinstance(receiver, ast.Name) and receiver.id == "QMessageBox"
            if node.func.attr in OF_MESSAGE_BOXES and not is_box:
                continue
            position = TEXT_ARGUMENTS[node.func.attr]
            if position < len(node.args) and not is_plain(node.args[position]):
                yield node.lineno


def test_no_text_of_the_desk_can_be_taken_for_html():
    places = []
    for path, text in sources_with(["QLabel", "QMessageBox", *TEXT_ARGUMENTS], APP):
        name = path.relative_to(APP.parent).as_posix()
        if name not in OWN_HTML and name != "app/widgets/layout/builders.py":
            places += [f"{name}:{line}" for line in faults(text)]
    assert not places, places


@pytest.mark.parametrize(
    "line",
    [
        "QLabel(name)",
        "QLabel('Seed')",
        "box.setToolTip(name)",
        "tabs.setTabToolTip(0, f'{name} is saved')",
        "QMessageBox.question(parent, 'Save', name)",
        "QMessageBox(icon, 'Save', name)",
        "box.setToolTip('Seed' if there else name)",
    ],
)
def test_a_text_that_can_be_taken_for_html_is_noticed(line):
    assert list(faults(line)) == [1]


def test_a_label_shows_html_letter_by_letter(qtbot):
    label = plain_label("<h1>x</h1>", wordWrap=True)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.wordWrap()


def test_texts_without_html_stay_as_they_are():
    assert plain_text("Moor & Fen\n1 < 2") == "Moor & Fen\n1 < 2"
    assert not Qt.mightBeRichText("Moor & Fen\n1 < 2")


def test_a_message_box_shows_html_letter_by_letter(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    run(choose(parent, "Replace", "<h1>x</h1>", "<img src=x>", ("Replace",)))
    box = parent.findChild(QMessageBox)
    assert box.text() == "<p>&lt;h1&gt;x&lt;/h1&gt;</p>"
    assert box.informativeText() == "<p>&lt;img src=x&gt;</p>"
    end_all()
