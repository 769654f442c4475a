"""The panels at the right, which the button *Panels* hides and shows."""

from __future__ import annotations

from app.widgets.layout.dock_visibility import can_be_seen


def test_panels_at_the_right_that_were_all_closed_are_opened_by_their_command(window, qtbot):
    docks = window.desk.docks
    command = window.desk.commands.action("view.side-panels")
    assert command.isChecked()
    for name in ("layers", "randomize"):
        docks[name].close()
    qtbot.waitUntil(lambda: not command.isChecked())
    command.trigger()
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "randomize")
    assert command.isChecked()
    assert not docks["layers"].isHidden()
    command.trigger()
    assert not command.isChecked()
    assert docks["randomize"].isHidden()


def test_a_map_without_odds_has_none_when_the_panels_are_hidden_and_shown(window, qtbot):
    desk = window.desk
    command = desk.commands.action("view.side-panels")
    desk.docks.open("odds")
    qtbot.waitUntil(lambda: desk.heat.owner == "odds")
    panel = desk.docks.panel("odds")
    panel.map_box.click()
    assert desk.heat.owner == ""
    for is_open in (False, True):
        command.trigger()
        qtbot.waitUntil(lambda is_open=is_open: can_be_seen(desk.docks["odds"]) == is_open)
        qtbot.wait(20)
    assert not panel.map_box.isChecked()
    assert desk.heat.owner == ""

    panel.map_box.click()
    assert desk.heat.owner == "odds"
    for is_open in (False, True):
        command.trigger()
        qtbot.waitUntil(lambda is_open=is_open: (desk.heat.owner == "odds") == is_open)
    assert panel.map_box.isChecked()
