"""Two maps are compared side by side."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from app.document.sample import sample_map
from app.features.compare.feature import MENU_COMMANDS
from app.features.compare.window import CompareWindow
from randomizer.catalog.map_formats import formats
from randomizer.model.comparison.comparison import DifferenceKind, ShownMap, compare
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_property, set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from tests.app.conftest import cell, turn_wheel
from tests.ui_work import UiWork


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("compare",)


def paint(document, label):
    tree = SYSTEM.terrain_set.terrain_code("Tree")
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [cell(label)], tree)
    assert document.push(edit, "Paint terrain")


@pytest.fixture
def compared(active, qtbot):
    """The sample in a second tab with three changes, compared with the untouched first one."""
    window = active
    document = active.desk.document
    first = document.current_map
    document.open_map(sample_map())
    for label in ("D4", "A1"):
        paint(document, label)
    document.push(
        set_property(document.battlemap, document.active_layer_id, "startlist", ("E5",)), "Start"
    )
    opened = window.desk.compare.show(first, "the first")
    qtbot.waitUntil(lambda: opened.comparison is not None)
    yield opened
    if isValid(opened):
        opened.close()


def rows(window: CompareWindow) -> list[str]:
    return [window.list.item(row).text() for row in range(window.list.count())]


def test_differences_are_listed_marked_and_gone_through(compared, qtbot):
    listed = rows(compared)
    assert [text.partition(":")[0] for text in listed] == ["start list", "D4", "A1"]
    assert "| Volcano" in listed[1]
    assert compared.message.text() == "3 differences"
    assert compared.list.currentRow() == 0
    QTest.keyClick(compared, Qt.Key.Key_F7)
    assert compared.list.currentRow() == 1
    assert compared.left.overlays.flash == compared.right.overlays.flash == (cell("D4"), None)
    QTest.keyClick(compared, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(compared, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert compared.list.currentRow() == 2  # around the end
    # The mark of D4 is in both pictures.
    for canvas in (compared.left, compared.right):
        grid = canvas.document.battlemap.grid
        x, y = grid.centre(cell("D4"))
        corner = canvas.viewport.to_screen(x + 0.9, y)
        seen = canvas.grab().toImage().pixelColor(corner.toPoint())
        ring = canvas.renderer.theme.problem_ring
        assert abs(seen.red() - ring.red()) + abs(seen.green() - ring.green()) < 120


def test_the_maps_can_be_looked_at_without_marks(compared):
    canvas = compared.left
    marked = canvas.grab().toImage()
    compared.marks.click()
    plain = canvas.grab().toImage()
    assert plain != marked
    compared.marks.click()
    assert canvas.grab().toImage() == marked


def test_where_nearly_all_differs_nothing_is_marked_at_first(active, qtbot):
    bog = sample_map()
    codes = SYSTEM.terrain.allocate(bog.grid)
    codes[:] = SYSTEM.terrain_set.terrain_code("Bog")
    bog.layers[-1].planes["terrain"] = codes
    opened = active.desk.compare.show(bog, "a bog")
    qtbot.waitUntil(lambda: opened.comparison is not None)
    assert not opened.marks.isChecked()
    opened.close()


def test_escape_closes_the_window_wherever_the_keyboard_is(compared, qtbot):
    compared.left.setFocus()
    QTest.keyClick(compared.left, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not isValid(compared))


def test_both_maps_move_together(compared):
    left = compared.left
    right = compared.right
    turn_wheel(left, 2)
    assert not left.fitted
    assert right.viewport == left.viewport
    right.pan(13, -7)
    assert left.viewport == right.viewport
    right.fit()
    assert left.fitted
    assert left.viewport == right.viewport


def test_maps_of_different_grids_are_each_shown_whole(active, qtbot):
    window = active
    document = active.desk.document
    document.open_map(free_map(FLAT, 30, 4))
    wide = document.current_map
    document.open_map(free_map(FLAT, 4, 30))
    opened = window.desk.compare.show(wide, "the wide one")
    qtbot.waitUntil(lambda: "grids differ" in opened.message.text())
    opened.resize(1000, 800)
    for canvas in (opened.left, opened.right):
        qtbot.waitUntil(lambda canvas=canvas: canvas.width() > 400)
        grid = canvas.document.battlemap.grid
        corners = [canvas.viewport.to_screen(*grid.centre(i)).toPoint() for i in (0, 119)]
        assert all(canvas.rect().contains(corner) for corner in corners)
    before = opened.right.viewport
    opened.left.zoom(2.0)
    assert opened.right.viewport == before
    opened.close()


def test_one_difference_is_taken_over_and_undone(compared, active, qtbot):
    document = active.desk.document
    count = len(document.history.steps)
    compared.list.setCurrentRow(1)
    QTest.keyClick(compared, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: len(rows(compared)) == 2)
    assert document.history.next_undo.text == "Take over D4"
    assert len(document.history.steps) == count + 1
    document.undo()
    qtbot.waitUntil(lambda: len(rows(compared)) == 3)


def test_the_key_does_nothing_until_the_maps_are_compared_again(compared, active, qtbot):
    document = active.desk.document
    compared.list.setCurrentRow(1)
    for _press in range(2):
        QTest.keyClick(compared, Qt.Key.Key_F8)
    steps = [step.text for step in document.history.steps]
    assert steps.count("Take over D4") == 1
    qtbot.waitUntil(lambda: not compared.busy)
    QTest.keyClick(compared, Qt.Key.Key_F8)
    assert document.history.next_undo.text == "Take over A1"


def test_everything_is_taken_over_in_one_step(compared, active, qtbot):
    document = active.desk.document
    compared.take_all_button.click()
    qtbot.waitUntil(lambda: compared.message.text() == "Both maps show the same.")
    first, second = document.maps
    faces = [ShownMap.of(each.battlemap) for each in (first, second)]
    assert compare(*faces).count == 0
    assert document.history.next_undo.text == "Take over all differences"
    assert not compared.take_button.isEnabled()


def test_the_other_map_may_change_and_close(compared, active, qtbot):
    document = active.desk.document
    first, second = document.maps
    document.make_current(first)
    paint(document, "A1")
    qtbot.waitUntil(lambda: len(rows(compared)) == 2)
    first.history.mark_clean()
    document.close_map(first)
    assert compared.isVisible()
    assert document.current_map is second


def test_a_locked_layer_keeps_its_values_and_says_so(compared, active, qtbot):
    document = active.desk.document
    layer = document.active_layer
    document.push(LayerField(layer.id, "locked", False, True), "Lock")
    qtbot.waitUntil(lambda: not compared.busy)
    compared.list.setCurrentRow(1)
    compared.copy_difference()
    assert "is locked" in compared.message.text()
    assert len(rows(compared)) == 3


def test_the_menu_offers_other_tabs_and_files(active, qtbot, hand, tmp_path):
    window = active
    document = active.desk.document
    path = tmp_path / "Moor.xml"
    path.write_bytes(formats()[0].write(sample_map()))
    paint(document, "D4")
    document.open_map(sample_map())
    rows = window.desk.compare.make_commands()
    assert [row.text for row in rows] == ["Mountains", "A &file..."]
    hand.hold(CompareWindow)
    hand.expect("Compare with").type_path(path)
    window.desk.commands.fill(MENU_COMMANDS)
    window.desk.commands.run("map.compare-with.a-file")
    qtbot.waitUntil(lambda: window.findChildren(CompareWindow) != [])
    (opened,) = window.findChildren(CompareWindow)
    qtbot.waitUntil(lambda: opened.message.text() == "Both maps show the same.")
    opened.close()


def test_maps_of_other_kinds_are_refused(active, qtbot):
    opened = active.desk.compare.show(free_map(FLAT, 5, 5), "a free map")
    qtbot.waitUntil(lambda: "cannot be compared" in opened.message.text())
    assert not opened.take_all_button.isEnabled()
    opened.close()


def test_above_a_long_list_stands_which_terrains_differ_the_most_frequent_first(active, qtbot):
    document = active.desk.document
    ours = free_map(FLAT, 20, 20)
    theirs = free_map(FLAT, 20, 20)
    set_values(ours, 1, "terrain", np.arange(400), 3).apply(ours)
    set_values(theirs, 1, "terrain", np.arange(400), 3).apply(theirs)
    for code, cells in ((5, 30), (6, 20), (7, 10), (8, 4), (9, 1)):
        first = 40 * code
        set_values(theirs, 1, "terrain", np.arange(first, first + cells), code).apply(theirs)
    document.open_map(ours)
    opened = active.desk.compare.show(theirs, "the other")
    qtbot.waitUntil(lambda: opened.comparison is not None)
    terrains = [terrain.name for terrain in ours.terrain_set.terrains]
    assert opened.message.text() == (
        f"65 differences. {terrains[3]} to {terrains[5]} in 30 hexes, "
        f"{terrains[3]} to {terrains[6]} in 20, {terrains[3]} to {terrains[7]} in 10, "
        f"{terrains[3]} to {terrains[8]} in 4 and others."
    )
    opened.close()


def test_a_million_hexes_are_compared_without_a_freeze(active, qtbot):
    document = active.desk.document
    ours = free_map(FLAT, 1000, 1000)
    theirs = free_map(FLAT, 1000, 1000)
    every = np.arange(0, 1_000_000, 400)
    for battlemap in (ours, theirs):
        set_values(battlemap, 1, "terrain", np.arange(1_000_000), 3).apply(battlemap)
    set_values(theirs, 1, "terrain", every, 5).apply(theirs)
    document.open_map(ours)
    opened = active.desk.compare.show(theirs, "the other")
    qtbot.waitUntil(lambda: opened.comparison is not None)
    counts, changes = opened.message.text().split(". ")
    assert counts == "2,500 differences, the first 1,000 are listed"
    assert changes == "Shallows to Farmland in 2,500 hexes."
    with UiWork() as work:
        opened.go(1)
        opened.compare()
        qtbot.waitUntil(lambda: not opened.busy)
    assert work.where(compare) == {"job"}
    assert work.max_calls < 100_000, "nothing is done for each hex"
    assert len(opened.comparison.indices[DifferenceKind.CELL]) == 2500
    opened.close()
