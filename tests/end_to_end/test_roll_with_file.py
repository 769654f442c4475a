"""A script of the user's is rolled at once, in the real window: by the menu and by dropping it."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.map_format.map_schema import plain_data
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD

LAKES = "AREA D4 C3 HAZARDS Lake Lake\n"


@pytest.fixture
def lakes(tmp_path):
    path = tmp_path / "Lakes.rnd"
    path.write_text(LAKES, "utf-8")
    return path


def choose(window, hand, path) -> None:
    hand.expect("Roll with a file").type_path(path)
    window.desk.commands.run("randomize.roll-with-file")


def drop(window, path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons = Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))


def lakes_on(document) -> int:
    shown = document.composite
    return int((shown.planes["terrain"] == shown.terrain_set.terrain_code("Lake")).sum())


@pytest.mark.parametrize("way", ["menu", "drop"])
def test_a_script_file_is_rolled_in_place_of_the_roll_as_one_step(qtbot, window, lakes, hand, way):
    document = window.desk.document
    layers = len(document.battlemap.layers)
    before = document.composite.planes["terrain"].copy()
    if way == "menu":
        choose(window, hand, lakes)
    else:
        drop(window, lakes)
    qtbot.waitUntil(lambda: lakes_on(document) == 2)
    assert window.desk.scripts.text.text() == LAKES
    assert len(document.battlemap.layers) == layers
    assert len(document.history.steps) == 1
    document.undo()
    assert (document.composite.planes["terrain"] == before).all()


@pytest.mark.deep
def test_a_dropped_json_map_is_opened(qtbot, window, tmp_path):
    document = window.desk.document
    data = plain_data(map_data_of(BattleMap.new(ZEROAD, Grid(SQUARE, 16, 16), [Layer(1, "Map")])))
    (tmp_path / "flat.json").write_text(json.dumps(data), "utf-8")
    drop(window, tmp_path / "flat.json")
    qtbot.waitUntil(lambda: document.path == tmp_path / "flat.json")
    assert document.battlemap.system is ZEROAD


@pytest.mark.deep
def test_a_dropped_random_map_script_is_rolled_on_a_map_of_its_own(qtbot, window, tmp_path):
    document = window.desk.document
    data = plain_data(map_data_of(BattleMap.new(ZEROAD, Grid(SQUARE, 16, 16), [Layer(1, "Map")])))
    script = f"export function* generateMap(settings) {{ yield 50; return {json.dumps(data)}; }}"
    (tmp_path / "flat.js").write_text(script, "utf-8")
    drop(window, tmp_path / "flat.js")
    qtbot.waitUntil(lambda: document.battlemap.source_layer is not None)
    assert document.battlemap.system is ZEROAD
    assert document.battlemap.source_layer.roll.script_name == "flat.js"


@pytest.mark.deep
def test_on_a_map_of_another_kind_it_gets_a_new_map(qtbot, window, lakes, hand):
    document = window.desk.document
    document.open_map(free_map(FLAT, 8, 6))
    free = document.current_map
    choose(window, hand, lakes)
    qtbot.waitUntil(lambda: document.current_map is not free and lakes_on(document) == 2)
    assert len(free.history.steps) == 0


def test_a_script_with_errors_is_shown_and_changes_nothing(qtbot, window, tmp_path, hand):
    path = tmp_path / "Broken.rnd"
    path.write_text("AREA D4 HAZARDS Lkae\n", "utf-8")
    choose(window, hand, path)
    qtbot.waitUntil(lambda: "Not rolled" in window.statusBar().currentMessage())
    assert window.desk.scripts.script.name == "Broken.rnd"
    assert len(window.desk.document.history.steps) == 0
