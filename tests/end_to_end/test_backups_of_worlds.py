"""A backup of a world of Xconq opens with its period, as both were before they were saved over."""

from __future__ import annotations

import pytest

from app.features.files.backups_dialog import BackupsDialog
from app.features.files.tab_bar import MapTabs
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import open_scenario, scenario_text
from tests.randomizer.systems.xconq.tiny_period import TEXT

DRIVEN_DIALOGS = (BackupsDialog,)

SCENARIO = scenario_text("Meadows", ("9+",) * 9, ("@ * 4,4 0",))


@pytest.mark.parametrize("is_edited", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_a_backup_opens_with_its_period(window, qtbot, hand, tmp_path, is_edited):
    open_scenario(qtbot, window, tmp_path, SCENARIO)
    desk = window.desk
    if is_edited:
        desk.scripts.map_script.change_text(f"{TEXT}; mine\n", "Type")
        settle(qtbot, window)
    else:
        (town,) = desk.document.battlemap.visible_things()
        desk.document.pick([town.id])
        desk.commands.run("edit.delete")
    if is_edited:
        hand.expect("Replace what is beside the map?").press("Replace it")
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not desk.document.current_map.unsaved)
    message = window.statusBar().currentMessage
    if is_edited:
        qtbot.waitUntil(lambda: message() == "Saved scenario.scn and tiny.per")
    else:
        qtbot.waitUntil(lambda: message() == "Saved scenario.scn")
    assert ("; mine" in (tmp_path / "tiny.per").read_text("latin-1")) == is_edited

    desk.commands.run("file.backups-of-this-map")
    (dialog,) = window.findChildren(BackupsDialog)
    count = len(desk.document.maps)
    dialog.accept()
    qtbot.waitUntil(lambda: len(desk.document.maps) == count + 1)
    settle(qtbot, window)
    assert desk.document.path is None
    assert message() == "The backup of scenario.scn is open: save it under a name."
    battlemap = desk.document.battlemap
    assert battlemap.records["period"].text == TEXT
    assert [thing.kind for thing in battlemap.visible_things()] == ["town"]


@pytest.mark.deep
def test_a_backup_opens_with_the_map_that_it_includes_and_is_called_after_its_file(
    window, qtbot, hand, tmp_path
):
    (tmp_path / "land.map").write_text("Xconq 0 --+--- Land\nMap 9 9 0 1 0\n" + "9+\n" * 9)
    text = (
        "Xconq 2 ----++ War\ntiny.per\nland.map\nSides 2 1 0\nAnn\nBob\nUnits 1 1 0\n@ Rome 4,4 0\n"
    )
    open_scenario(qtbot, window, tmp_path, text)
    desk = window.desk
    (town,) = desk.document.battlemap.visible_things()
    desk.document.pick([town.id])
    desk.commands.run("edit.delete")
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not desk.document.current_map.unsaved)

    desk.commands.run("file.backups-of-this-map")
    (dialog,) = window.findChildren(BackupsDialog)
    count = len(desk.document.maps)
    dialog.accept()
    qtbot.waitUntil(lambda: len(desk.document.maps) == count + 1)
    settle(qtbot, window)
    battlemap = desk.document.battlemap
    assert battlemap.grid.width == 9
    assert [thing.label for thing in battlemap.visible_things()] == ["Rome"]
    tabs = window.findChild(MapTabs)
    assert tabs.tabText(tabs.currentIndex()) == "Backup of scenario.scn"
    assert window.windowTitle().startswith("Backup of scenario.scn")
    offered = hand.expect("Save map as").escape()
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: offered.has_come)
    assert offered.text.startswith("scenario\n")


@pytest.mark.deep
def test_a_map_that_a_scenario_includes_can_be_found_elsewhere(window, qtbot, hand, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "land.map").write_text("Xconq 0 --+--- Land\nMap 9 9 0 1 0\n" + "9+\n" * 9)
    text = "Xconq 2 -----+ War\ntiny.per\nland.map\nUnits 1 1 0\n@ Rome 4,4 0\n"
    question = hand.expect("A file is missing").press("Find file...")
    hand.expect("Find file land.map").type_path(elsewhere / "land.map")
    open_scenario(qtbot, window, tmp_path, text)
    assert "Without it the map could not be read." in question.text
    assert window.desk.document.battlemap.grid.width == 9
