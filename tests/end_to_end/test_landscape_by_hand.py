"""What a newcomer met who made a landscape by hand: each through the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from app.features.new_map.dialog import NewMapDialog
from app.features.problems.problems_bar import ProblemsBar
from randomizer.model.grid.layouts import FLAT
from randomizer.model.problems import Problem, Severity
from randomizer.systems.free.system import free_map
from tests.app.conftest import new_map_dialog

DRIVEN_DIALOGS = (NewMapDialog,)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(active):
    active.desk.document.open_map(free_map(FLAT, 40, 30))
    return active.desk


def test_the_palette_shows_what_the_tool_in_hand_paints(active, desk, qtbot):
    active.resize(1000, 600)
    desk.docks.show("palette")
    palette = desk.docks.panel("palette").ground
    qtbot.waitUntil(lambda: palette.drawn)
    palette.verticalScrollBar().setValue(0)
    chosen = next(
        button
        for button in palette.findChildren(QToolButton)
        if button.accessibleName().startswith("Route ")
    )
    assert chosen.visibleRegion().isEmpty(), "it is below the fold"
    desk.tools.choose("route")
    assert chosen.isChecked()
    assert not chosen.visibleRegion().isEmpty()


@pytest.mark.parametrize(("zoom", "sides"), [(8.0, 0), (40.0, 1)])
def test_a_drag_of_the_lock_over_small_hexes_locks_hexes(desk, qtbot, zoom, sides):
    canvas = desk.canvas
    battlemap = desk.document.battlemap
    desk.tools.choose("lock")
    canvas.zoom(zoom / canvas.viewport.scale)
    ax, ay = battlemap.grid.corner(battlemap.grid.cell(20, 15), 0)
    bx, by = battlemap.grid.corner(battlemap.grid.cell(20, 15), 1)
    middle = canvas.viewport.to_screen((ax + bx) / 2, (ay + by) / 2).toPoint()
    QTest.mouseClick(canvas, LEFT, pos=middle)
    assert bool(battlemap.locked_sides.any()) == bool(sides)
    assert bool(battlemap.locked_cells.any()) != bool(sides)


def test_a_new_free_map_from_the_menu_is_asked_for(active, desk, qtbot):
    maps = len(desk.document.maps)
    desk.commands.fill("file.new.*")
    desk.commands.run("file.new.free")
    dialog = active.findChild(NewMapDialog)
    assert dialog.isVisible()
    assert dialog.kinds.currentItem().text() == "Landscape or free map"
    assert len(desk.document.maps) == maps
    dialog.make_button.click()
    qtbot.waitUntil(lambda: not dialog.isVisible())


def test_the_list_of_problems_folds_when_it_is_empty(active, desk, qtbot):
    bar = active.findChild(ProblemsBar)
    shown = next(source.problems for source in desk.problems.all if source.title == "Map")
    shown.set_problems((Problem(Severity.WARNING, "x", "a thing is wrong"),))
    qtbot.mouseClick(bar.button, LEFT)
    qtbot.waitUntil(lambda: bar.height() > 70)
    shown.set_problems(())
    qtbot.waitUntil(lambda: bar.area.isHidden())
    shown.set_problems((Problem(Severity.WARNING, "x", "a thing is wrong"),))
    qtbot.waitUntil(lambda: not bar.area.isHidden())


def test_after_a_new_landscape_the_settings_of_its_roll_come_first(active, desk, qtbot):
    before = desk.document.battlemap
    new_map_dialog(active, "Landscape or free map", "Landscape").make_button.click()
    qtbot.waitUntil(lambda: desk.document.battlemap is not before and not desk.rolling.busy)
    qtbot.waitUntil(lambda: not desk.docks["randomize"].visibleRegion().isEmpty())
    assert desk.docks["terrains"].visibleRegion().isEmpty()


def test_a_hill_is_told_though_a_landscape_shows_no_elevations(active, desk, qtbot):
    battlemap = desk.document.battlemap
    desk.tools.choose("elevation")
    desk.tools.options.choose(elevation=3)
    first, second = (
        desk.canvas.viewport.to_screen(*battlemap.grid.centre(battlemap.grid.cell(column, 15)))
        for column in (20, 22)
    )
    QTest.mouseClick(desk.canvas, LEFT, pos=first.toPoint())
    assert active.statusBar().currentMessage() == "2116 is at elevation 3 now"
    desk.tools.options.choose(height_mode="raise", radius=1)
    QTest.mouseClick(desk.canvas, LEFT, pos=first.toPoint())
    assert active.statusBar().currentMessage() == "7 hexes are at elevations 1 to 4 now"
    desk.tools.options.choose(height_mode="set", radius=0, elevation=2)
    QTest.mousePress(desk.canvas, LEFT, pos=first.toPoint())
    QTest.mouseMove(desk.canvas, second.toPoint())
    QTest.mouseRelease(desk.canvas, LEFT, pos=second.toPoint())
    assert active.statusBar().currentMessage() == "3 hexes are at elevation 2 now"
