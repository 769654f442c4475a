"""What a newcomer doubted who made a battleland by hand: what the desk says of it is true and whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest

from app.desk import docks
from app.document.map_files import new_map
from randomizer.catalog.catalog import system_named
from tests.end_to_end.test_sides_of_the_window import resize

ALT = Qt.KeyboardModifier.AltModifier

NARROW = docks.NARROW


@pytest.fixture
def small(window, qtbot, monkeypatch):
    """A small window with the panels at the right, the script in front."""
    # The narrow windows of users.
    monkeypatch.setattr(docks, "NARROW", NARROW)
    resize(window, qtbot, QSize(1280, 860))
    resize(window, qtbot, QSize(800, 500))
    window.desk.docks.bring_back()
    window.desk.docks.show("randomize")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("randomize") is not None)
    qtbot.wait(50)
    return window


def roll_bar(window):
    return window.desk.docks.panel("randomize").roll_bar


def test_a_seed_of_ten_digits_is_read_whole_in_a_small_window(small, qtbot):
    window = small
    seed = roll_bar(window).seed
    window.desk.rolling.choose_seed = lambda: 4294967295
    window.desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: seed.value == 4294967295)
    assert seed.text() == "4294967295"
    needed = seed.fontMetrics().horizontalAdvance(seed.text())
    frame = 2 * 6  # what a field needs beside its text
    assert seed.isVisible()
    assert seed.width() >= needed + frame
    panel = window.desk.docks["randomize"]
    right = seed.mapTo(panel, seed.rect().topRight()).x()
    assert right <= panel.width()
    assert seed.cursorPosition() == 0, "a still narrower field shows the beginning"


def test_an_empty_map_has_no_seed_until_it_is_rolled(window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    qtbot.waitUntil(lambda: desk.docks.find_panel("randomize") is not None)
    bar = roll_bar(window)
    assert bar.seed.text(), "the sample was rolled"
    desk.document.open_map(new_map(system_named("colossus")))
    assert bar.seed.text() == ""
    assert bar.number.text() == ""
    assert bar.seed.placeholderText() == "not rolled"
    bar.seed.setFocus()
    bar.number.setFocus()
    assert bar.seed.text() == "", "a field that was visited is still empty"
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: bar.seed.text() == "17")
    assert bar.number.text() == "0"
    desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: bar.seed.text() == "")


def test_a_seed_is_typed_into_the_empty_field(window, qtbot):
    desk = window.desk
    desk.document.open_map(new_map(system_named("colossus")))
    desk.docks.show("randomize")
    qtbot.waitUntil(lambda: desk.docks.find_panel("randomize") is not None)
    bar = roll_bar(window)
    bar.seed.setFocus()
    QTest.keyClicks(bar.seed, "0")
    assert (bar.seed.text(), bar.number.text()) == ("0", "0")
    with qtbot.waitSignal(desk.rolling.finished):
        QTest.keyClick(bar.seed, Qt.Key.Key_Return)
    assert desk.document.active_layer.roll.seed == 0
