"""What a person does leaves no command with a state of before: all are as if asked again."""

from __future__ import annotations

import pytest

from app.commands.commands import WHY
from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from tests.daily import deep_but


def states(window) -> dict[str, tuple[bool, bool, bool, str]]:
    commands = window.desk.commands
    result = {}
    for name in commands.ids():
        action = commands.action(name)
        why = action.property(WHY) or ""
        result[name] = (action.isEnabled(), action.isVisible(), action.isChecked(), why)
    return result


def assert_up_to_date(window) -> None:
    before = states(window)
    window.desk.commands.refresh()
    after = states(window)
    assert {name for name in after if after[name] != before[name]} == set()


@pytest.mark.parametrize(
    "kind", deep_but(["colossus", "free", "cordery", "xconq", "zeroad"], "colossus", "xconq")
)
def test_another_map_and_work_on_it_leave_no_old_state(window, qtbot, kind):
    desk = window.desk
    desk.document.open_map(new_map(system_named(kind)))
    assert_up_to_date(window)
    for name in (
        "select.all",
        "select.lock",
        "layer.new-layer",
        "layer.lock-layer",
        "layer.choose-layer-below",
        "layer.merge-down",
        "edit.undo",
        "tool.eraser",
        "view.grid-lines",
        "select.nothing",
        "map.erase-map",
        "edit.undo",
        "view.side-panels",
    ):
        desk.commands.run(name)
        assert_up_to_date(window)
    desk.commands.run("view.next-map")
    assert_up_to_date(window)


def test_a_roll_and_its_undo_leave_no_old_state(window, qtbot):
    desk = window.desk
    before = desk.document.history.index
    desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: desk.document.history.index > before and not desk.rolling.busy)
    assert_up_to_date(window)
    desk.commands.run("edit.undo")
    assert_up_to_date(window)
