"""A wargame table stays in sight, keeps its width, and begins with the choices of the page."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.system import SYSTEM, table_grid
from tests.app.systems.cordery.conftest import Wargamer


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def choose_dice(player, way: str) -> None:
    dice = player.panel.dice_form.field("dice")
    dice.setCurrentIndex(dice.findData(way))
    dice.activated.emit(dice.currentIndex())


def problems_of_map(window):
    source = next(source for source in window.desk.problems.all if source.title == "Map")
    return source.problems.problems


def test_the_old_table_stays_in_sight_until_the_first_die_and_escape_gives_it_back(player, qtbot):
    player.throw(relief="hilly")
    canvas = player.window.desk.canvas
    table = player.document.composite
    choose_dice(player, "typed")
    player.panel.enter_button.click()
    strip = player.panel.strip
    qtbot.waitUntil(strip.isVisible)
    assert canvas.composite is table
    assert strip.old_table.isVisible()
    assert strip.old_table.text().startswith("The old table stays until the last die.")
    QTest.keyClick(strip, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert canvas.composite is not table
    assert strip.old_table.isVisible()
    QTest.keyClick(strip, Qt.Key.Key_Escape)
    qtbot.waitUntil(strip.isHidden)
    assert canvas.composite is table


@pytest.mark.deep
def test_nothing_is_told_of_an_old_table_where_none_lies(player, qtbot):
    choose_dice(player, "typed")
    player.panel.enter_button.click()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert player.panel.strip.old_table.isHidden()


def test_a_new_table_begins_with_the_choices_of_the_page_and_the_box_of_the_player(player):
    player.throw(relief="hilly", rivers=3, box="2 hills")
    assert player.panel.form.values()["rivers"] == 3
    grid = table_grid("square", 8, 8)
    player.document.open_map(BattleMap.new(SYSTEM, grid, [Layer(1, "Other")]))
    assert player.panel.form.values()["rivers"] == Choices().rivers
    assert player.panel.form.values()["relief"] == Choices().relief
    assert player.panel.dice_form.values()["box"] == "2 hills"


@pytest.mark.deep
def test_the_panel_keeps_its_width_when_the_log_is_shown(player, qtbot):
    player.throw(relief="hilly")
    dock = player.window.desk.docks["dice"]
    width = dock.width()
    bar = player.panel.tabs.tabBar()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert player.panel.log.isVisible()
    player.window.grab()
    assert dock.width() == width


@pytest.mark.deep
def test_a_road_that_ends_in_a_lake_is_a_problem_with_its_area(player, qtbot):
    desk = player.window.desk
    grid = player.document.battlemap.grid
    desk.tools.choose("route")
    desk.tools.options.choose(route=1)
    canvas = desk.canvas
    end = grid.cell(5, 2)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=player.point(grid.cell(2, 2)))
    qtbot.mouseMove(canvas, player.point(end))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=player.point(end))
    assert np.count_nonzero(player.document.composite.planes["road"]) == 4
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=SYSTEM.terrain_set.terrain_code("Lake"))
    for cell in (end, grid.cell(4, 2)):
        qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    qtbot.waitUntil(lambda: bool(problems_of_map(player.window)))
    (problem,) = problems_of_map(player.window)
    assert problem.message == "Road ends in water (Lake) at 0603."
    assert problem.cell == end
