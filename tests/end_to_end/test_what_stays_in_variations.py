"""What the dialog *Variations* promises to stay is there, and seen, after *Take*."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desk.desk import Desk
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.app.features.gallery.test_gallery_of_script import settled


def map_of_many_terrains() -> BattleMap:
    """Return a map whose only layer sets each cell."""
    battlemap = free_map(FLAT, 9, 7)
    layer_id = battlemap.layers[0].id
    for cell in battlemap.grid.cells.tolist():
        terrain = 1 + cell * 7 % 3
        set_values(battlemap, layer_id, "terrain", [cell], terrain).apply(battlemap)
    return battlemap


def take_variation(qtbot, desk: Desk, hand, row: int) -> None:
    """Ask for three variations in the dialog, and take one of them in the gallery."""
    hand.expect("Variations").fill("Different", 10).fill("Maps", 3).press("OK")
    desk.commands.run("map.variations")
    qtbot.waitUntil(lambda: desk.docks.panel("gallery") is not None and not hand.expects)
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 3)
    gallery.maps.view.setCurrentIndex(gallery.maps.model.index(row))
    with qtbot.waitSignal(desk.rolling.rolled):
        QTest.keyClick(gallery.maps.view, Qt.Key.Key_Return)


def terrain_counts(desk: Desk) -> list[int]:
    return np.bincount(desk.document.composite.planes["terrain"].ravel()).tolist()


def test_things_stay_in_sight(qtbot, window, hand):
    desk = window.desk
    battlemap = map_of_many_terrains()
    x, y = battlemap.grid.centre(12)
    add_things(battlemap, battlemap.layers[0].id, [Thing(1, "castle", x, y)]).apply(battlemap)
    desk.document.show_map(battlemap)
    before = desk.document.composite.planes["terrain"].copy()
    for row in (1, 2):
        take_variation(qtbot, desk, hand, row)
        assert "hidden" not in window.statusBar().currentMessage()
        assert all(layer.visible for layer in desk.document.battlemap.layers)
        assert [thing.kind for thing in desk.document.battlemap.visible_things()] == ["castle"]
        after = desk.document.composite.planes["terrain"]
        assert after.flat[12] == before.flat[12]
        assert (after != before).any()


@pytest.mark.deep
def test_what_was_painted_on_a_layer_of_its_own_is_arranged_otherwise_too(qtbot, window, hand):
    desk = window.desk
    battlemap = map_of_many_terrains()
    LayerInsert(1, Layer(50, "Paint")).apply(battlemap)
    set_values(battlemap, 50, "terrain", list(range(0, 60, 3)), 4).apply(battlemap)
    desk.document.show_map(battlemap)
    counts_before = terrain_counts(desk)
    take_variation(qtbot, desk, hand, 1)
    gallery = desk.docks.panel("gallery")
    taken = gallery.maps.model.candidates[1].batch.planes(0)["terrain"]
    assert np.array_equal(desk.document.composite.planes["terrain"], taken)
    assert terrain_counts(desk) == counts_before
