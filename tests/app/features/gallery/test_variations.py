"""Variations of the open map: asked for in the menu, shown in the gallery, taken and undone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.things.things import Thing
from randomizer.variations.settings import KEEP
from tests.app.buttons import press_ok
from tests.app.conftest import cell
from tests.randomizer.variations.few_moves import make_few_moves


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("gallery", "map")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    make_few_moves(monkeypatch)


def ask(qtbot, window, **values: object):
    """Ask for variations in the dialog of the menu Map; the gallery when it shows them."""
    desk = window.desk
    desk.commands.run("map.variations")
    dialog = window.findChild(FormDialog)
    # The same form with other values.
    dialog.form.set_settings(dialog.form._settings, values)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    QTest.mouseClick(ok, Qt.MouseButton.LeftButton)
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: gallery.form.end_variations_button.isVisible() and settled(gallery))
    return gallery


def settled(gallery) -> bool:
    busy = gallery.finder.busy
    return not busy and gallery.finder.has_ended


def test_variations_of_the_open_map_are_shown_taken_and_undone(qtbot, window):
    document = window.desk.document
    before = document.composite.planes
    document.push(set_locks(document.battlemap, np.array([cell("D4")]), True), "Lock")
    gallery = ask(qtbot, window, share=10, number=2)
    assert len(gallery.maps.model.candidates) == 2
    assert not gallery.status.more.isEnabled()
    names = [layer.name for layer in document.battlemap.layers]

    gallery.maps.view.setCurrentIndex(gallery.maps.model.index(1))
    with qtbot.waitSignal(window.desk.rolling.rolled):
        QTest.keyClick(gallery.maps.view, Qt.Key.Key_Return)
    assert [layer.name for layer in document.battlemap.layers[:-1]] == names
    shown = document.composite.planes["terrain"]
    assert sorted(shown.flat) == sorted(before["terrain"].flat)
    assert shown.flat[cell("D4")] == before["terrain"].flat[cell("D4")]
    taken = gallery.maps.model.candidates[1].batch.planes(0)
    assert np.array_equal(shown, taken["terrain"])

    # The next one takes its place: both are of what was there before.
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: settled(gallery))
    gallery.maps.view.setCurrentIndex(gallery.maps.model.index(0))
    with qtbot.waitSignal(window.desk.rolling.rolled):
        QTest.keyClick(gallery.maps.view, Qt.Key.Key_Return)
    assert len(document.battlemap.layers) == len(names) + 1

    document.undo()
    document.undo()
    assert [layer.name for layer in document.battlemap.layers] == names
    assert all(np.array_equal(document.composite.planes[n], before[n]) for n in before)

    window.desk.docks.show("gallery")
    QTest.mouseClick(gallery.form.end_variations_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 48)
    assert not gallery.form.end_variations_button.isVisible()


def test_variations_keep_what_stands_on_the_map_now(window):
    desk = window.desk
    battlemap = desk.document.battlemap
    desk.rolling.variations.begin({})
    setup, _place = desk.rolling.variations.offer()
    assert not setup.settings[KEEP]
    x, y = battlemap.grid.centre(cell("D4"))
    castle = Thing(1, "castle", x, y)
    desk.document.push(add_things(battlemap, battlemap.layers[0].id, [castle]), "Place")
    recipe, _place = desk.rolling.variations.offer()
    assert recipe.settings[KEEP] == "D4"


def test_the_gallery_says_why_there_are_no_more(qtbot, window):
    grid = window.desk.document.battlemap.grid
    document = window.desk.document
    document.push(set_locks(document.battlemap, grid.cells, True), "Lock")
    window.desk.commands.run("map.variations")
    press_ok(window.findChild(FormDialog))
    gallery = window.desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: "0 are free" in gallery.status.message.text())
