"""The owner of new things on 0 A.D. maps: always a player whom the map has."""

from __future__ import annotations

import pytest

from app.features.new_map.dialog import NewMapDialog
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import write_project
from tests.app.conftest import new_map_dialog
from tests.end_to_end.worlds import map_problems
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def desk(qtbot, window, monkeypatch, tmp_path):
    """The desk with an open country for two players."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    new_map_dialog(window, "0 A.D. map", "Open country").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "zeroad")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.docks.show("randomize")
    return window.desk


@pytest.mark.deep
def test_an_owner_of_one_map_is_not_one_of_another(desk, qtbot):
    desk.commands.run("map.setup")
    players = desk.docks.panel("setup").players
    players.buttons["Add"].click()
    players.buttons["Add"].click()
    desk.docks.show("palette")
    desk.tools.choose("things")
    palette = desk.docks.panel("palette")
    qtbot.waitUntil(lambda: palette.things is not None)
    page = palette.things
    qtbot.waitUntil(lambda: page.kinds.count() > 1)
    page.choose_kind("structures/athen/barracks")
    box = desk.tools.bar.owner.box
    box.setCurrentIndex(box.findData(4))
    box.activated.emit(box.currentIndex())
    assert desk.tools.options.thing.owner == 4

    former_map = desk.document.current_map
    new_map_dialog(desk.frame, "0 A.D. map", "Islands").make_button.click()
    qtbot.waitUntil(lambda: desk.document.current_map is not former_map)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert box.currentData() in (0, 1, 2)
    assert desk.tools.options.thing.owner == box.currentData()


@pytest.mark.deep
def test_a_thing_of_a_player_who_is_not_there_is_a_problem(desk, qtbot, tmp_path):
    battlemap = desk.document.battlemap
    x, y = battlemap.grid.centre(battlemap.grid.size // 2)
    thing = Thing(0, "structures/athen/barracks", x, y, 0.0, 4)
    desk.document.push(add_things(battlemap, desk.document.active_layer_id, [thing]), "Add")
    path = tmp_path / "stranger.battlemap"
    path.write_bytes(write_project(battlemap))
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.path == path)
    problems = map_problems(desk.frame)
    words = "1 thing belongs to players that this map does not have"
    qtbot.waitUntil(lambda: words in [problem.message for problem in problems.problems])
