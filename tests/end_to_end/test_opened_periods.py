"""An opened period is a world of its own; the world in front gets one by a command alone."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction

from app.features.new_map.dialog import NewMapDialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import new_world
from tests.randomizer.systems.xconq.worlds import ISLANDS

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def world(window, qtbot):
    """The window with a new world of the period *Modern*."""
    new_world(qtbot, window, "Modern")
    return window


@pytest.fixture
def islands(tmp_path):
    path = tmp_path / "islands.per"
    path.write_text(f"{ISLANDS}end\n")
    return path


def open_as_user(qtbot, window, hand, path):
    hand.expect("Open").type_path(path)
    window.desk.commands.run("file.open")
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == path)
    settle(qtbot, window)


def test_a_period_opens_as_a_world_of_its_own(qtbot, world, hand, islands):
    document = world.desk.document
    first_map = document.current_map
    text = first_map.battlemap.records["period"].text
    maps = len(document.maps)
    open_as_user(qtbot, world, hand, islands)
    assert len(document.maps) == maps + 1
    assert document.battlemap.terrain_set.has_terrain("hills")
    assert document.battlemap.source_layer is not None
    assert first_map.battlemap.records["period"].text == text
    assert not first_map.history.steps

    # Once more: the world that is open already comes to the front.
    document.make_current(first_map)
    open_as_user(qtbot, world, hand, islands)
    assert len(document.maps) == maps + 1
    assert document.current_map is not first_map
    assert world.statusBar().currentMessage() == "islands.per is open already."


def test_the_panel_gives_the_world_in_front_another_period_in_one_step(qtbot, world, hand, islands):
    document = world.desk.document
    world.desk.docks.show("randomize")
    panel = world.desk.docks.panel("randomize")
    text = document.battlemap.records["period"].text
    action: QAction = panel.open_action
    assert action.text() == "&Open a period for this map..."
    assert "File > Open makes a new map of it" in action.toolTip()
    maps = len(document.maps)
    hand.expect("Open a period for this map").type_path(islands)
    action.trigger()
    qtbot.waitUntil(lambda: world.desk.scripts.script.path == islands)
    settle(qtbot, world)
    assert len(document.maps) == maps
    assert document.battlemap.terrain_set.has_terrain("hills")
    assert [step.text for step in document.history.steps] == ["Open islands.per"]
    document.undo()
    assert document.battlemap.records["period"].text == text
    assert not document.battlemap.terrain_set.has_terrain("hills")
