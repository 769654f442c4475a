"""A field for a text of several lines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.widgets.forms.committed_form import CommittedForm
from randomizer.model.settings.setting import Setting

TEXTS = (
    Setting("text", str, "", "", title="Text", lines=3, maximum=7),
    Setting("name", str, "", "", title="Name"),
)


def test_a_text_is_committed_once_when_its_field_is_left_and_is_never_too_long(qtbot):
    form = CommittedForm()
    qtbot.addWidget(form)
    form.set_settings(TEXTS, {"text": "ab\nc"})
    form.show()
    committed = []
    form.committed.connect(committed.append)
    field = form.field("text")
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert form.values()["text"] == "ab\nc"
    field.moveCursor(field.textCursor().MoveOperation.End)
    QTest.keyClicks(field, "d")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "efgh")
    assert committed == []
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert form.field("name").hasFocus()
    assert committed == ["text"]
    assert form.values()["text"] == "ab\ncd\ne"
    form.show_values({})
    assert form.values()["text"] == ""
    assert committed == ["text"]
