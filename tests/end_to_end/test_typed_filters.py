"""A filter of the gallery is applied a moment after the last key; half a filter is no mistake."""

from __future__ import annotations

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
