"""A backup of a world of Xconq opens with its period, as both were before they were saved over."""

from __future__ import annotations

import pytest

from app.features.files.backups_dialog import BackupsDialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import open_scenario, scenario_text
from tests.randomizer.systems.xconq.tiny_period import TEXT

DRIVEN_DIALOGS = (BackupsDialog,)

SCENARIO = scenario_text("Meadows", ("9+",) * 9, ("@ * 4,4 0",))


@pytest.mark.parametrize("is_edited", [True, False])
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
