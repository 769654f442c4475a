"""The panels at the right, which the button *Panels* hides and shows."""

from __future__ import annotations


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
