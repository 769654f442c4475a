"""A new world on the desk: rolled at once, and what is offered where countries find no place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.features.new_map.dialog import NewMapDialog


@pytest.fixture
def world(qtbot, window):
    """The window with a new world in front, as a user makes one."""
    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    (row,) = dialog.kinds.findItems("Xconq world", Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)
    dialog.make_button.click()
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not window.desk.rolling.busy and bool(sides_of_units(window)))
    return window


def sides_of_units(window) -> set[int]:
    layers = window.desk.document.battlemap.layers
    return {thing.owner for layer in layers for thing in layer.things.values()}


def test_a_new_world_has_two_countries_and_a_seed_of_the_real_program(qtbot, world):
    document, rolling = world.desk.document, world.desk.rolling
    assert sides_of_units(world) == {0, 1, 2}
    assert (document.battlemap.grid.width, document.battlemap.grid.height) == (60, 30)
    rolling._choose_seed = lambda: 134_456 * 3 + 5
    with qtbot.waitSignal(document.changed):
        world.desk.docks.panel("randomize").roll_action.trigger()
    assert rolling.state.seed == 5


@pytest.mark.parametrize("way", [1, 3])
def test_the_ways_out_are_one_click_each(qtbot, world, way):
    desk = world.desk
    panel = desk.docks.panel("randomize")
    desk.scripts.set_settings({"countries": 20})
    with qtbot.waitSignal(desk.document.changed):
        panel.reroll_action.trigger()
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert sides_of_units(world) == set()
    problems = panel.problems.list
    hints = [problem for problem in problems.problems if problem.code == "countries"]
    key = (desk.rolling.state.seed, desk.rolling.state.number)
    problems.choose(hints[way])
    problems.fix_button.click()
    qtbot.waitUntil(lambda: bool(sides_of_units(world)) and not desk.rolling.busy)
    assert (desk.rolling.state.seed, desk.rolling.state.number) == key
    countries = dict(hints[way].fix.settings).get("countries", 20)
    assert sides_of_units(world) == set(range(countries + 1))
