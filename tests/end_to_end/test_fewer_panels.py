"""How much stands on the desk at once: what applies to the map in front, in one place each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.problems.place import ProblemsPlace
from app.window import MainWindow
from randomizer.catalog import system_named
from randomizer.model.edit_making import set_values
from randomizer.model.problems import Problem, Severity
from tests.app.conftest import cell

COMMON = ["layers", "history", "properties"]
AT_THE_SIDE = {
    "colossus": ["randomize", *COMMON],
    "free": COMMON,
    "cordery": ["dice", *COMMON],
    "xconq": ["randomize", "period", *COMMON, "scenario"],
}
"""By the kind of map: the panels at the right at a first start."""


def show_map(window, kind):
    window.desk.document.show_map(new_map(system_named(kind)))


def at_the_side(window):
    right = Qt.DockWidgetArea.RightDockWidgetArea
    docks = window.desk.docks.all()
    return [
        dock.objectName()
        for dock in docks
        if not dock.isHidden() and window.dockWidgetArea(dock) == right
    ]


def tab_bars(window):
    found = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in found if bar.isVisible() and bar.count() > 1]


@pytest.fixture
def place(window) -> ProblemsPlace:
    (found,) = window.findChildren(ProblemsPlace)
    return found


def source(window, title):
    return next(each.problems for each in window.desk.problems.all if each.title == title)


@pytest.mark.parametrize("kind", AT_THE_SIDE)
def test_a_kind_of_map_has_the_panels_that_apply_to_it_in_one_row_of_tabs(window, qtbot, kind):
    show_map(window, kind)
    assert at_the_side(window) == AT_THE_SIDE[kind]
    qtbot.waitUntil(lambda: [bar.count() for bar in tab_bars(window)] == [len(AT_THE_SIDE[kind])])
    assert not any(
        window.dockWidgetArea(dock) == Qt.DockWidgetArea.BottomDockWidgetArea
        for dock in window.desk.docks.all()
        if not dock.isHidden()
    )


@pytest.mark.parametrize(
    ("kind", "missing"),
    [
        ("free", {"randomize", "odds", "gallery", "fairness", "dice", "period", "scenario"}),
        ("cordery", {"randomize", "fairness", "period", "scenario"}),
        ("xconq", {"fairness", "dice"}),
        ("colossus", {"dice", "period", "scenario"}),
    ],
)
def test_menus_do_not_name_a_panel_that_is_for_other_maps(window, kind, missing):
    show_map(window, kind)
    offered = set(window.desk.commands.offered())
    named = {name for name in window.desk.commands.at("panel.*") if name not in offered}
    assert named == {f"panel.{name}" for name in missing}
    assert "randomize.fairness" not in offered or kind == "colossus"


def test_a_panel_that_was_closed_stays_closed_and_the_one_in_front_comes_back(window, qtbot):
    docks, document = window.desk.docks, window.desk.document
    docks.show("history")
    docks["properties"].close()
    document.open_map(new_map(system_named("cordery")))
    qtbot.waitUntil(lambda: docks.made("dice") is not None and docks.made("dice").isVisible())
    docks["dice"].close()
    document.bring_to_front(document.maps[0])
    assert docks._in_front() == "history"
    document.bring_to_front(document.maps[1])
    assert docks["dice"].isHidden()
    assert docks["properties"].isHidden()
    assert docks["randomize"].isHidden()


def test_panels_of_other_kinds_are_there_again_after_the_next_start(window, qtbot, settings):
    show_map(window, "free")
    assert window.desk.docks["randomize"].isHidden()
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False
    window.close()
    again = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.desk.ready):
        again.show()
    assert at_the_side(again) == AT_THE_SIDE["colossus"]
    again.desk.document.show_map(new_map(system_named("cordery")))
    assert at_the_side(again) == AT_THE_SIDE["cordery"]


def test_the_script_has_the_height_of_the_side_and_a_closed_gallery_gives_its_height_back(
    window, qtbot
):
    window.resize(1280, 800)
    editor = window.desk.docks.panel("randomize").editor
    qtbot.waitUntil(lambda: editor.height() > 350)
    before = window.desk.canvas.height()
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: window.desk.docks.made("gallery") is not None)
    qtbot.waitUntil(lambda: window.desk.canvas.height() < before - 100)
    window.desk.docks["gallery"].close()
    qtbot.waitUntil(lambda: window.desk.canvas.height() == before)


# --- problems ---------------------------------------------------------------------------------


def spoil_the_map(window, qtbot):
    document = window.desk.document
    document.replace_map(new_map(document.battlemap.system))
    document.push(
        set_values(document.battlemap, document.active_layer_id, "hexside", [cell("D4") * 6], 3),
        "Slope",
    )
    qtbot.waitUntil(lambda: len(source(window, "Map").problems) == 1)


def test_problems_are_one_line_that_opens_when_there_are_some(window, qtbot, place):
    assert place.words.text() == "No problems"
    line = place.height()
    assert line < 2 * window.fontMetrics().height() + 8
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert not place.is_open
    spoil_the_map(window, qtbot)
    assert place.height() == line, "nothing moves under the mouse while one paints"
    assert place.words.text().startswith("Map: 1 warning - ")
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert place.is_open
    qtbot.waitUntil(source(window, "Map").rows.isVisible)
    qtbot.waitUntil(lambda: place.height() == line + place.area.height() > 2 * line)
    height, scale = place.height(), window.desk.canvas.viewport.scale
    window.desk.document.undo()
    qtbot.waitUntil(lambda: place.words.text() == "No problems")
    assert place.height() == height, "it was opened by hand: the map keeps its size"
    assert window.desk.canvas.viewport.scale == scale
    QTest.mouseClick(place.line, Qt.MouseButton.LeftButton)
    assert not place.is_open
    qtbot.waitUntil(lambda: place.height() == line)


def test_problems_of_script_and_map_stand_in_one_place_and_never_contradict(window, qtbot, place):
    spoil_the_map(window, qtbot)
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    assert [title for title, _problems in place.found] == ["Script", "Map"]
    assert place.words.text().startswith("Script: 1 error; Map: 1 warning - ")
    window.desk.commands.run("view.problems")
    for title in ("Script", "Map"):
        qtbot.waitUntil(source(window, title).rows.isVisible)
    panel = window.desk.docks.panel("randomize")
    assert not panel.isAncestorOf(source(window, "Script"))
    assert QApplication.focusWidget() is not source(window, "Script").rows


def test_a_roll_that_fails_opens_the_problems_and_a_click_goes_to_the_line(window, qtbot, place):
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    window.desk.docks.show("layers")
    panel = window.desk.docks.panel("randomize")
    qtbot.waitUntil(lambda: window.desk.scripts.checker.fresh)
    panel.problems._report(source(window, "Script").problems)
    assert place.is_open
    qtbot.waitUntil(lambda: place.height() == place.line.height() + place.area.height())
    height = place.height()
    panel.problems._report(())  # the next roll begins
    window.desk.scripts.text.replace("PLAINS\n")
    panel.problems._report((Problem(Severity.HINT, "roll-hint", "a hint"),))
    assert place.height() == height, "lists that opened by themselves stay for the next roll"
    place.open(False)
    panel.problems._report((Problem(Severity.HINT, "roll-hint", "a hint"),))
    assert not place.is_open, "hints open nothing"
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    panel.problems._report(source(window, "Script").problems)
    source(window, "Script").activated.emit(source(window, "Script").problems[0])
    qtbot.waitUntil(panel.editor.isVisible)
    assert panel.editor.textCursor().selectedText() == "Lkae"


def test_open_lists_follow_the_window_and_no_roll_changes_the_size_of_the_map(window, qtbot, place):
    canvas, panel = window.desk.canvas, window.desk.docks.panel("randomize")
    spoil_the_map(window, qtbot)
    window.desk.commands.run("view.problems")
    for height in (900, 640, 780):
        window.resize(1280, height)
        qtbot.waitUntil(lambda height=height: window.height() == height)
        qtbot.wait(50)
        size = canvas.size()
        for problems in ((), (Problem(Severity.HINT, "roll-hint", "a hint"),)):
            panel.problems._report(problems)
            qtbot.wait(20)
            assert canvas.size() == size


def test_lists_that_a_failed_roll_opened_stay_while_the_next_one_is_rolled(
    window, qtbot, place, monkeypatch
):
    qtbot.waitUntil(lambda: window.desk.scripts.checker.fresh)
    problems = window.desk.docks.panel("randomize").problems
    problems._report((Problem(Severity.ERROR, "roll", "it failed while it ran"),))
    assert place.is_open
    monkeypatch.setattr(type(window.desk.rolling), "busy", True)
    problems._report(())
    place._close_timer.timeout.emit()
    assert place.is_open, "the roll may fail again"
    monkeypatch.undo()
    place._close_timer.timeout.emit()
    assert not place.is_open


def test_problems_of_the_map_before_are_gone_as_soon_as_another_one_is_shown(window, qtbot, place):
    document = window.desk.document
    spoil_the_map(window, qtbot)
    problems = window.desk.docks.panel("randomize").problems
    problems._report((Problem(Severity.ERROR, "roll", "it failed while it ran"),))
    document.open_map(new_map(document.battlemap.system))
    assert place.found == []
    document.bring_to_front(document.maps[0])
    qtbot.waitUntil(lambda: [title for title, _problems in place.found] == ["Map"])


def test_on_a_map_without_scripts_no_problem_of_a_script_is_listed(window, qtbot, place):
    window.desk.scripts.text.replace("AREA D4 HAZARDS Lkae\n")
    qtbot.waitUntil(lambda: len(source(window, "Script").problems) == 1)
    show_map(window, "free")
    assert place.found == []


@pytest.mark.parametrize("floats", [True, False])
@pytest.mark.parametrize("name", ["layers", "history", "properties"])
def test_after_a_panel_is_closed_the_tab_that_was_current_before_is_current(
    qtbot, window, name, floats
):
    docks = window.desk.docks
    docks.show("randomize")
    qtbot.waitUntil(lambda: docks._in_front() == "randomize")
    docks.show(name)
    qtbot.waitUntil(lambda: docks._in_front() == name)
    docks[name].setFloating(floats)
    docks[name].close()
    qtbot.waitUntil(lambda: docks._in_front() == "randomize")


def test_a_floating_panel_that_is_closed_leaves_the_tab_that_was_chosen_meanwhile(qtbot, window):
    docks = window.desk.docks
    docks.open("odds")
    window.tabifyDockWidget(docks["layers"], docks["odds"])
    docks.show("odds")
    qtbot.waitUntil(lambda: docks._in_front() == "odds")
    docks["odds"].setFloating(True)
    docks.show("layers")
    qtbot.waitUntil(lambda: docks._in_front() == "layers")
    docks.toggle("odds")
    assert docks["odds"].isHidden()
    qtbot.wait(50)
    assert docks._in_front() == "layers"


@pytest.mark.parametrize(
    ("kind", "absent", "there"),
    [
        (
            "colossus",
            ["view.lean-as-in-the-file", "view.seam"],
            ["view.relief", "view.passability", "view.pictures-of-the-game"],
        ),
        ("free", ["view.seam"], ["view.passability", "view.pictures-of-the-game"]),
        ("cordery", ["view.pictures-of-the-game", "view.passability"], ["view.relief"]),
        (
            "zeroad",
            [
                *("view.relief", "view.passability", "view.pictures-of-the-game"),
                "map.fill-low-edges-with-slope",
            ],
            ["view.elevation"],
        ),
        (
            "xconq",
            [
                *("map.fill-low-edges-with-slope", "view.passability"),
                "view.pictures-of-the-game",
            ],
            ["view.placed-things"],
        ),
    ],
)
def test_the_menus_have_only_what_the_kind_of_map_has(window, kind, absent, there):
    show_map(window, kind)
    commands = window.desk.commands
    assert [name for name in absent if commands.action(name).isVisible()] == []
    assert [name for name in there if not commands.action(name).isVisible()] == []
