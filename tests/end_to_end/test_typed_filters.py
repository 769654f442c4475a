"""A filter of the gallery is applied a moment after the last key; half a filter is no mistake."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.appearance.text_colours import inks
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.end_to_end.test_keyboard_focus import type_text


def test_maps_are_looked_for_while_a_filter_is_typed(qtbot, active):
    desk = active.desk
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    field = gallery.form.filter.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    type_text(active, "D4 = ")
    field.completion.close()
    error_ink = inks(field.palette()).error
    qtbot.waitUntil(lambda: field.palette().text().color() == error_ink)
    assert gallery.status.message.text() == "A terrain is wanted here, such as TarPit"
    assert gallery.form.condition == ""

    type_text(active, "Volcano")
    qtbot.waitUntil(lambda: gallery.form.condition == "d4 = volcano")
    qtbot.waitUntil(lambda: settled(gallery))
    assert "map in" in gallery.status.message.text()
    assert field.hasFocus()
    assert field.text() == "d4 = volcano"


def type_filter(qtbot, active, text: str):
    """Type a filter into the empty line of the gallery, and press Enter; return the gallery."""
    desk = active.desk
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    field = gallery.form.filter.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    type_text(active, text)
    field.completion.close()
    QTest.keyClick(field, Qt.Key.Key_Return)
    return gallery


def test_the_fix_of_a_filter_is_told_in_quotes_and_applied_by_a_button(qtbot, active):
    gallery = type_filter(qtbot, active, "c4 = bog and lake")
    message = gallery.status.message
    qtbot.waitUntil(lambda: "(Write “count(Lake) >= 1”)" in message.text())
    assert "`" not in message.text()
    button = gallery.status.fix_button
    assert button.toolTip() == "Apply: Write “count(Lake) >= 1” (Alt+Return)"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    field = gallery.form.filter.field
    assert field.text() == "c4 = bog and count(Lake) >= 1"
    assert gallery.form.condition == field.text()
    assert field.hasFocus()
    assert not button.isVisible()


@pytest.mark.deep
def test_the_fix_of_a_filter_is_applied_by_alt_return_and_can_be_undone(qtbot, active):
    gallery = type_filter(qtbot, active, "c4 is not bog")
    field = gallery.form.filter.field
    qtbot.waitUntil(gallery.status.fix_button.isVisible)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert field.text() == "c4 != bog"
    assert gallery.form.condition == "c4 != bog"
    field.undo()
    assert field.text() == "c4 is not bog"
