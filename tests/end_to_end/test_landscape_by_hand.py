"""What a newcomer met who made a landscape by hand: each through the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from app.features.go_to.dialog import GoToDialog
from app.features.new_map.dialog import NewMapDialog
from app.features.problems.feature import MapProblems
from app.features.problems.problems_bar import ProblemsBar
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.hand.links import half_links
from randomizer.model.planes.routes import SIDES
from randomizer.model.problems import Problem, Severity
from randomizer.model.things.things import Thing
from randomizer.systems.free.packaged_sets import LANDSCAPE, packaged_set
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
    qtbot.waitUntil(lambda: palette.is_fully_drawn)
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


@pytest.mark.parametrize(
    ("zoom", "sides"), [pytest.param(8.0, 0, marks=pytest.mark.deep), (40.0, 1)]
)
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


@pytest.mark.deep
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


@pytest.mark.deep
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


@pytest.fixture
def villages(desk, qtbot):
    """The desk with the Things tool, which places villages."""
    desk.docks.show("palette")
    desk.tools.choose("things")
    page = desk.docks.panel("palette").things
    page.choose_kind("village")
    desk.canvas.zoom(30.0 / desk.canvas.viewport.scale)
    return desk


def click_in(desk, cell: int, x: float, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    """Click beside the middle of a cell: ``x`` map units to the right of it."""
    middle_x, middle_y = desk.document.battlemap.grid.centre(cell)
    point = desk.canvas.viewport.to_screen(middle_x + x, middle_y).toPoint()
    QTest.mouseMove(desk.canvas, point)
    QTest.mouseClick(desk.canvas, LEFT, modifiers, point)


def villages_of(desk) -> list[str]:
    return [thing.label for thing in desk.document.battlemap.visible_things()]


def label_of(desk):
    return desk.docks.panel("palette").things.form.form.field("label")


@pytest.mark.deep
def test_after_a_click_that_places_the_label_has_the_keyboard_and_the_status_says_so(
    active, villages, qtbot
):
    cell = villages.document.battlemap.grid.cell(20, 15)
    click_in(villages, cell, 0.0)
    qtbot.waitUntil(lambda: active.focusWidget() is label_of(villages))
    message = active.statusBar().currentMessage()
    assert message == "Type its label. Enter or Escape returns to the map."
    QTest.keyClicks(label_of(villages), "Alma")
    QTest.keyClick(label_of(villages), Qt.Key.Key_Escape)
    qtbot.waitUntil(villages.canvas.hasFocus)
    qtbot.waitUntil(lambda: villages_of(villages) == ["Alma"])
    assert active.statusBar().currentMessage() != message
    QTest.keyClick(active.windowHandle(), Qt.Key.Key_B)
    assert villages.tools.name != "things", "the map has the keys again"


@pytest.mark.deep
def test_a_second_click_in_a_hex_picks_the_village_that_is_there(active, villages, qtbot):
    cell = villages.document.battlemap.grid.cell(20, 15)
    click_in(villages, cell, 0.0)
    qtbot.waitUntil(lambda: active.focusWidget() is label_of(villages))
    QTest.keyClicks(label_of(villages), "Alma")
    QTest.keyClick(label_of(villages), Qt.Key.Key_Return)
    villages.document.pick(())
    click_in(villages, cell, 0.8)
    assert villages_of(villages) == ["Alma"]
    assert [thing.label for thing in villages.document.picked] == ["Alma"]
    message = active.statusBar().currentMessage()
    expected = "Picked Village “Alma”, which was here already. Alt+click places another."
    assert message == expected
    click_in(villages, cell, 0.8, Qt.KeyboardModifier.AltModifier)
    assert villages_of(villages) == ["Alma", ""]
    villages.docks.panel("palette").things.choose_kind("inn")
    click_in(villages, cell, -0.8)
    kinds = [thing.kind for thing in villages.document.battlemap.visible_things()]
    assert kinds == ["village", "village", "inn"], "another kind finds room beside"


@pytest.mark.deep
def test_a_drawn_road_that_lies_in_water_after_a_roll_is_shown_and_taken_away(active, qtbot):
    """The road stays as drawn where its hexes are land."""
    desk = active.desk
    document = desk.document
    document.open_map(free_map(FLAT, 24, 18, terrain_set=packaged_set(LANDSCAPE)))
    grid = document.battlemap.grid
    desk.commands.fill("randomize.roll-with.script.*")
    desk.rolling.key_choice.choose_seed = lambda: 5
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("randomize.roll-with.script.islands-landscape")
    desk.tools.choose("route")
    desk.tools.options.choose(route=0)
    cells = [grid.cell(column, 9) for column in range(1, 23)]
    points = [desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint() for cell in cells]
    QTest.mousePress(desk.canvas, LEFT, pos=points[0])
    for point in points[1:]:
        QTest.mouseMove(desk.canvas, point)
    QTest.mouseRelease(desk.canvas, LEFT, pos=points[-1])
    desk.rolling.key_choice.choose_seed = lambda: 8
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")

    def is_road() -> np.ndarray:
        return (document.composite.planes["way1"].reshape(-1) & SIDES) > 0

    is_water_by_code = np.array(
        [terrain.water for terrain in document.battlemap.terrain_set.terrains]
    )
    is_water = is_water_by_code[document.composite.planes["terrain"].reshape(-1)]
    road_on_land = is_road() & ~is_water
    assert road_on_land[cells].any()
    assert (is_road() & is_water).sum() > 2
    problems = desk.frame.findChild(MapProblems).list

    def are_of_this_roll() -> bool:
        return all(is_water[problem.cell] for problem in problems.problems)

    qtbot.waitUntil(lambda: bool(problems.problems) and are_of_this_roll())
    assert {problem.code for problem in problems.problems} == {"route-in-water"}
    desk.commands.run("view.problems")
    assert problems.fix_button.toolTip() == "Apply: take the road in the water away"
    while problems.problems:
        count = len(problems.problems)
        QTest.mouseClick(problems.fix_button, LEFT)
        qtbot.waitUntil(lambda count=count: len(problems.problems) < count)
    road_in_water = np.flatnonzero(is_road() & is_water)
    links = document.composite.planes["way1"].reshape(-1) & SIDES
    assert all(int(links[cell]).bit_count() == 2 for cell in road_in_water), "bridges"
    assert is_road()[cells].sum() >= 2
    assert not half_links(grid, document.composite.planes["way1"].ravel(), grid.cells).any()


def test_go_to_says_which_hexes_there_are_where_nothing_has_the_name(active, desk, qtbot):
    desk.commands.run("edit.go-to")
    dialog = active.findChildren(GoToDialog)[-1]
    QTest.keyClicks(dialog.line, "9999")
    assert dialog.list.topLevelItemCount() == 1
    text = dialog.list.topLevelItem(0).text(0)
    assert text == "Nothing is called “9999”. The first hex is 0101, the last 4030."
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert dialog.isVisible(), "there is nowhere to go"
    dialog.line.clear()
    QTest.keyClicks(dialog.line, "4030")
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    last_cell = desk.document.battlemap.grid.cell(39, 29)
    qtbot.waitUntil(lambda: desk.canvas.overlays.flash == (last_cell, None))


@pytest.mark.deep
def test_the_settings_of_a_new_landscape_get_the_height_that_its_pictures_leave(active, qtbot):
    dialog = new_map_dialog(active, "Landscape or free map", "Landscape")
    scripts = dialog.entries.scripts
    qtbot.waitUntil(lambda: dialog.below.height() > 1.3 * scripts.height())
    assert scripts.verticalScrollBar().maximum() == 0, "all pictures are seen"
    width = scripts.viewport().width()
    columns = width // scripts.gridSize().width()
    room_at_the_right = width - columns * scripts.gridSize().width()
    assert room_at_the_right < scripts.gridSize().width() / 3
    (row,) = dialog.kinds.findItems("Colossus battleland", Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)  # its board is fixed: there is nothing to set
    qtbot.waitUntil(lambda: scripts.height() > dialog.kinds.height() / 2)
    dialog.close()


def test_a_piece_that_is_laid_down_twice_on_a_hex_has_its_towns_once(desk, qtbot):
    document = desk.document
    grid = document.battlemap.grid
    town_cell = grid.cell(5, 5)
    x, y = grid.centre(town_cell)
    names = [
        Thing(0, "village", x, y, label="Ys"),
        Thing(0, "label", x + 3.1, y + 2.3, 20, 0, "Moor"),
    ]
    document.push(add_things(document.battlemap, 1, names), "Place")
    document.select(np.array([town_cell]))
    desk.commands.run("edit.copy")
    desk.commands.run("edit.paste")
    target = grid.cell(20, 15)
    click_in(desk, target, 0)
    assert villages_of(desk) == ["Ys", "Moor", "Ys"]
    revision = document.revision
    click_in(desk, target, 0)
    assert villages_of(desk) == ["Ys", "Moor", "Ys"]
    assert document.revision == revision, "nothing changes"
    document.undo()
    assert villages_of(desk) == ["Ys", "Moor"]
    click_in(desk, town_cell, 0)
    assert villages_of(desk) == ["Ys", "Moor"], "where it was copied it stands already"
