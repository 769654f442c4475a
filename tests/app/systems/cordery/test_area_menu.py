"""What is decided about an area in its menu on the map."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from randomizer.systems.cordery.table.table_words import area_words


def menu_at(player, name: str) -> dict[str, QAction]:
    """What the dice add to the menu of an area: paths of titles -> actions."""
    battlemap = player.document.battlemap
    whole = QMenu(player.panel)
    cell = battlemap.system.cell_of_name(battlemap.grid, name)
    player.window.desk.cell_menu_made.emit(whole, cell)
    found: dict[str, QAction] = {}

    def walk(menu: QMenu, path: str) -> None:
        for action in menu.actions():
            if action.menu() is not None:
                walk(action.menu(), f"{path}{action.text()} > ")
            else:
                found[path + action.text()] = action

    walk(whole, "")
    return found


def area_of(player, start: str) -> str:
    """The area that a line of the log is about."""
    (cell,) = player.desk.throwing.table.log[player.row(start)].line.cells
    return player.document.battlemap.system.cell_name(player.document.battlemap.grid, cell)


def bare_area(player, *, rim: bool = False) -> str:
    """The last area (of the rim) on which nothing lies."""
    battlemap = player.document.battlemap
    bare = [
        c
        for c in battlemap.grid.cells
        if not area_words(battlemap.grid, player.document.composite.planes, int(c))
        and (not rim or len(battlemap.grid.neighbours(int(c))) < battlemap.grid.degree)
    ]
    return battlemap.system.cell_name(battlemap.grid, int(bare[-1]))


def test_1_2_a_hill_is_fixed_where_it_stands_and_freed_from_the_menu_of_its_area(player):
    player.throw(relief="hilly")
    before = player.log()
    steps = len(player.document.history.steps)
    place = area_of(player, "1.3 Hill 2")
    menu_at(player, place)["Hill 2 > Here"].trigger()
    player.wait()
    assert player.desk.throwing.map_choices.fixed == {"hill 2 at": place}
    assert len(player.document.history.steps) == steps + 1
    again = menu_at(player, place)
    assert again["Hill 2 > Here"].isChecked()
    again["Hill 2 > Let the dice decide again"].trigger()
    player.wait()
    assert player.log() == before
    player.document.undo()
    assert player.desk.throwing.map_choices.fixed == {"hill 2 at": place}


def test_1_2_a_hill_is_put_elsewhere_with_the_arrow_keys(player, qtbot):
    player.throw(relief="hilly")
    there = bare_area(player)
    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    assert "Hill 2 at: click its area" in player.window.statusBar().currentMessage()
    canvas = player.window.desk.canvas
    battlemap = player.document.battlemap
    canvas.keyboard_cursor.cell = battlemap.system.cell_of_name(battlemap.grid, there) - 1
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    steps = len(player.document.history.steps)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    player.wait()
    assert player.log()[player.row("1.3 Hill 2")] == f"1.3 Hill 2: put there by hand: {there}"
    assert len(player.document.history.steps) == steps + 1
    menu_at(player, there)["Hill 2 > Elsewhere..."].trigger()
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert len(player.document.history.steps) == steps + 1


@pytest.mark.parametrize("relief", ["hilly", "open"])
def test_1_1_one_more_hill_stands_where_the_menu_was_opened_and_has_the_height_chosen(
    player, relief
):
    player.throw(relief=relief)
    hills = np.count_nonzero(player.document.composite.planes["elevation"])
    there = bare_area(player)
    menu_at(player, there)["One more here > Hill"].trigger()
    player.wait()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == hills + 1
    menu_at(player, there)[f"Hill {hills + 1} > Height > 2"].trigger()
    player.wait()
    battlemap = player.document.battlemap
    cell = battlemap.system.cell_of_name(battlemap.grid, there)
    assert player.document.composite.planes["elevation"].flat[cell] == 2
    assert menu_at(player, there)[f"Hill {hills + 1} > Height > 2"].isChecked()


def test_2_1_the_river_enters_and_runs_where_the_menu_was_opened(player):
    player.throw(relief="open")
    inside = menu_at(player, "0404")
    assert not any("entry" in path for path in inside if path.startswith("Put here"))
    entry = next(each for each in ("0101", "0108", "0801") if f"at {each}" not in str(player.log()))
    path = next(
        p for p in menu_at(player, entry) if p.startswith("Put here > River > River 1 entry")
    )
    menu_at(player, entry)[path].trigger()
    player.wait()
    assert (
        player.log()[player.row("2.1 River 1 entry")] == f"2.1 River 1 entry: {entry}, as decided"
    )
    through = bare_area(player)
    menu_at(player, through)["Put here > River > River 1 through"].trigger()
    player.wait()
    assert through in player.log()[player.row("2.1 River 1 runs")]
    menu_at(player, entry)["River 1 > Width > 2"].trigger()
    player.wait()
    assert player.desk.throwing.map_choices.fixed["river 1 width"] == "2"


@pytest.mark.parametrize(
    ("words", "setting", "entry"),
    [
        ("Another river enters here", "rivers", "2.1 River 2 entry"),
        ("Another road enters here", "roads", "3.1 Road 2 entry"),
        ("A railway enters here", "railways", "6.1 Railway 1 entry"),
    ],
)
def test_one_more_route_enters_where_the_menu_was_opened(player, words, setting, entry):
    player.throw(relief="open")
    before = player.log()
    count = getattr(player.desk.throwing.map_choices.choices, setting)
    place = bare_area(player, rim=True)
    assert words not in menu_at(player, "0404")
    steps = len(player.document.history.steps)
    menu_at(player, place)[words].trigger()
    player.wait()
    assert player.log()[player.row(entry)] == f"{entry}: {place}, as decided"
    assert getattr(player.desk.throwing.map_choices.choices, setting) == count + 1
    assert len(player.document.history.steps) == steps + 1
    player.document.undo()
    player.wait()
    assert player.log() == before
    assert getattr(player.desk.throwing.map_choices.choices, setting) == count


def test_a_route_that_cannot_enter_there_is_not_chosen_either(player):
    player.throw(relief="hilly")
    grid = player.document.battlemap.grid
    high = player.document.composite.planes["elevation"].ravel() > 0
    rim = next(c for c in np.flatnonzero(high).tolist() if len(grid.neighbours(c)) < 4)
    before = player.log()
    menu_at(player, player.document.battlemap.system.cell_name(grid, rim))[
        "Another road enters here"
    ].trigger()
    player.wait()
    assert player.log() == before
    assert player.desk.throwing.map_choices.choices.roads == 1
    assert player.desk.throwing.map_choices.fixed == {}
    assert player.window.statusBar().currentMessage()


def test_what_cannot_stand_in_an_area_is_not_fixed_there(player):
    player.throw(relief="hilly")
    first = area_of(player, "1.2 Hill 1")
    path = next(p for p in menu_at(player, first) if p.startswith("Put here > Hill > Hill 2 "))
    before = player.log()
    menu_at(player, first)[path].trigger()
    player.wait()
    assert "not free" in player.window.statusBar().currentMessage()
    assert player.log() == before
    assert player.desk.throwing.map_choices.fixed == {}


def test_a_map_without_dice_has_no_dice_in_its_menus(player):
    assert not any("here" in path for path in menu_at(player, "0404"))


def test_moving_a_feature_of_a_table_asks_for_no_die_that_is_known(player, qtbot):
    player.throw(relief="hilly")
    before = player.log()
    player.enter_dice_by_hand()
    there = bare_area(player)
    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    battlemap = player.document.battlemap
    canvas = player.window.desk.canvas
    cell = battlemap.system.cell_of_name(battlemap.grid, there)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()
    assert canvas.instead is None, "the table stays in sight"
    if player.panel.strip.isVisible():  # what follows may need a die that was never thrown
        asked = player.panel.strip.label.text()
        assert not any(name in asked for name in ("Hills:", "Hill 1", "Hill 2"))
        return
    assert player.log()[player.row("1.3 Hill 2")] == f"1.3 Hill 2: put there by hand: {there}"
    assert player.log()[:2] == before[:2]


def test_one_more_hill_asks_for_its_own_dice_only_and_keeps_the_table_in_sight(player, qtbot):
    player.throw(relief="hilly", trees=False, habitation=False, fields=False, rivers=0, roads=0)
    player.enter_dice_by_hand()
    canvas = player.window.desk.canvas
    strip = player.panel.strip
    hills = np.count_nonzero(player.document.composite.planes["elevation"])
    log = player.log()
    menu_at(player, bare_area(player))["One more here > Hill"].trigger()
    qtbot.waitUntil(strip.isVisible)
    assert strip.label.text() == f"1.1 Hill {hills + 1} height: throw a D6"
    assert canvas.instead is None, "the table stays in sight"
    assert canvas.composite is player.document.composite
    strip.end_button.click()
    assert player.desk.throwing.map_choices.fixed == {}, "a stopped entry fixes nothing"
    assert not player.panel.fixed_list.title.isVisible()
    assert player.log() == log
    menu_at(player, bare_area(player))["One more here > Hill"].trigger()
    player.enter(6)
    player.wait()
    assert strip.isHidden()
    assert np.count_nonzero(player.document.composite.planes["elevation"]) == hills + 1
    assert player.log()[-1].endswith("D6 = 6: two contours")


def test_an_area_picked_for_the_menu_is_none_for_the_form(player, qtbot):
    player.throw(relief="hilly")
    there = bare_area(player)
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    form.pick_button.click()

    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    assert not form.pick_button.isChecked()
    assert "Hill 2 at: click its area" in player.window.statusBar().currentMessage()

    battlemap = player.document.battlemap
    cell = battlemap.system.cell_of_name(battlemap.grid, there)
    qtbot.mouseClick(player.window.desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    player.wait()
    assert player.log()[player.row("1.3 Hill 2")] == f"1.3 Hill 2: put there by hand: {there}"
    assert form.changed_values() == {}


def test_all_kinds_of_features_that_a_hill_put_elsewhere_moves_are_told(player, qtbot):
    player.throw(relief="hilly")
    player.throw_again()
    areas_before = player.desk.throwing.table.areas_of_features()
    there = bare_area(player)
    menu_at(player, area_of(player, "1.3 Hill 2"))["Hill 2 > Elsewhere..."].trigger()
    canvas = player.window.desk.canvas
    battlemap = player.document.battlemap
    canvas.keyboard_cursor.cell = battlemap.system.cell_of_name(battlemap.grid, there) - 1
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    player.wait()
    qtbot.waitUntil(lambda: "moved, too" in player.window.statusBar().currentMessage())

    moved = Counter()
    for feature, area in player.desk.throwing.table.areas_of_features().items():
        if feature != "hill 2" and area.cell != areas_before[feature].cell:
            moved[feature.rstrip(" 0123456789")] += 1
    assert moved == {"hill": 3, "trees": 6, "field": 5}
    assert (
        player.window.statusBar()
        .currentMessage()
        .startswith("3 hills, 6 groups of trees and 5 fields moved, too; roads run anew.")
    )
