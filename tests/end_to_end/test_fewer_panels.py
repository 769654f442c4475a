"""How much stands on the desk at once: what applies to the current map, in one place each."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabBar

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from tests.daily import deep_but

COMMON = ["layers"]
AT_THE_SIDE = {
    "colossus": ["randomize", *COMMON],
    "free": ["randomize", "terrains", *COMMON],
    "cordery": ["dice", *COMMON],
    "xconq": ["randomize", "period", "scenario", *COMMON],
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


@pytest.mark.parametrize("kind", deep_but(AT_THE_SIDE, "colossus", "xconq"))
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
        pytest.param(
            "free", {"fairness", "dice", "period", "scenario", "setup"}, marks=pytest.mark.deep
        ),
        pytest.param(
            "cordery",
            {"randomize", "fairness", "period", "scenario", "setup", "terrains", "regions"},
            marks=pytest.mark.deep,
        ),
        ("xconq", {"fairness", "dice", "setup", "terrains", "regions"}),
        pytest.param(
            "colossus",
            {"dice", "period", "scenario", "setup", "terrains", "regions", "picture"},
            marks=pytest.mark.deep,
        ),
    ],
)
def test_menus_do_not_name_a_panel_that_is_for_other_maps(window, kind, missing):
    show_map(window, kind)
    offered = set(window.desk.commands.offered())
    named = {name for name in window.desk.commands.ids_at("panel.*") if name not in offered}
    assert named == {f"panel.{name}" for name in missing}
    assert "randomize.fairness" not in offered or kind == "colossus"


def test_a_panel_that_was_closed_stays_closed_and_the_one_in_front_comes_back(window, qtbot):
    docks = window.desk.docks
    document = window.desk.document
    docks.show("history")
    docks["properties"].close()
    document.open_map(new_map(system_named("cordery")))
    qtbot.waitUntil(
        lambda: docks.find_panel("dice") is not None and docks.find_panel("dice").isVisible()
    )
    docks["dice"].close()
    document.make_current(document.maps[0])
    assert docks.room.right_docks.current_name() == "history"
    document.make_current(document.maps[1])
    assert docks["dice"].isHidden()
    assert docks["properties"].isHidden()
    assert docks["randomize"].isHidden()


def started_again(window, qtbot, settings) -> MainWindow:
    """The window of the next start with the same settings, its maps not asked about."""
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False
    window.close()
    again = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.desk.ready):
        again.show()
    return again


def test_panels_of_other_kinds_are_there_again_after_the_next_start(window, qtbot, settings):
    show_map(window, "cordery")
    assert window.desk.docks["randomize"].isHidden()
    again = started_again(window, qtbot, settings)
    assert at_the_side(again) == AT_THE_SIDE["colossus"]
    again.desk.document.show_map(new_map(system_named("xconq")))
    assert at_the_side(again) == AT_THE_SIDE["xconq"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("scenario", marks=pytest.mark.deep),
        pytest.param("randomize", marks=pytest.mark.deep),
        "period",
    ],
)
def test_the_panel_in_front_of_a_world_is_there_again_after_the_next_start(
    window, qtbot, settings, name
):
    show_map(window, "xconq")
    window.desk.docks.open(name)
    again = started_again(window, qtbot, settings)
    assert again.desk.docks.room.right_docks.current_name() == "randomize"
    again.desk.document.show_map(new_map(system_named("xconq")))
    assert again.desk.docks.room.right_docks.current_name() == name


@pytest.mark.deep
def test_odds_that_were_left_open_do_not_colour_the_first_map(window, qtbot, settings):
    window.desk.docks.open("odds")
    qtbot.waitUntil(lambda: window.desk.heat.owner == "odds")
    again = started_again(window, qtbot, settings)
    qtbot.waitUntil(lambda: again.desk.docks.find_panel("odds") is not None)
    panel = again.desk.docks.panel("odds")
    qtbot.waitUntil(panel.isVisible)
    QApplication.processEvents()
    assert again.desk.heat.owner == ""
    assert not panel.map_box.isChecked()
    panel.map_box.click()
    assert again.desk.heat.owner == "odds"


@pytest.mark.deep
def test_the_script_has_the_height_of_the_side_and_the_gallery_takes_none_of_it(window, qtbot):
    window.resize(1280, 800)
    editor = window.desk.docks.panel("randomize").editor
    qtbot.waitUntil(lambda: editor.height() > 350)
    height = editor.height()
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("gallery") is not None)
    qtbot.waitUntil(lambda: window.desk.docks.panel("gallery").maps.view.height() > 350)
    assert editor.height() == height


@pytest.mark.parametrize(
    ("kind", "absent", "there"),
    [
        (
            "colossus",
            ["view.lean-as-in-the-file", "view.seam"],
            ["view.relief", "view.passability", "view.pictures-of-the-game"],
        ),
        pytest.param(
            "free",
            [
                *("view.seam", "view.pictures-of-the-game", "view.water-depth"),
                *("view.contour-lines.5", "view.drawn-as-a-plan"),
            ],
            ["view.passability"],
            marks=pytest.mark.deep,
        ),
        pytest.param(
            "cordery",
            ["view.pictures-of-the-game", "view.passability"],
            ["view.relief", "view.drawn-as-a-plan"],
            marks=pytest.mark.deep,
        ),
        pytest.param(
            "zeroad",
            [
                *("view.relief", "view.pictures-of-the-game"),
                "map.fill-low-edges-with-slope",
            ],
            [
                *("view.elevation", "view.passability", "view.water-depth"),
                *("view.heights-as-colours", "view.contour-lines.5"),
            ],
            marks=pytest.mark.deep,
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
