"""Tabs: one for each open map, with what is to be known of it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.features.files.tab_bar import MIN_WIDTH, MapTabs
from app.rolling.rolling import Rolling
from app.widgets.layout.views import MiddleViews
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.colossus.system import SYSTEM


def another():
    return BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])


@pytest.fixture
def tabs(qtbot, document):
    views = MiddleViews(QWidget())
    qtbot.addWidget(views)
    tabs = MapTabs(document, views, lambda: None)
    qtbot.addWidget(tabs)
    tabs.resize(500, 32)
    return tabs


def texts(tabs):
    return [tabs.tabText(index) for index in range(tabs.count())]


def test_one_map_needs_no_tab(tabs, document):
    assert tabs.isHidden()
    opened = document.open_map(another(), Path("Moor & Fen.xml"))
    assert not tabs.isHidden()
    assert texts(tabs) == ["Untitled", "Moor && Fen.xml"]
    assert tabs.currentIndex() == 1
    document.close_map(opened)
    assert tabs.isHidden()


def test_a_tab_says_where_its_map_lives_and_whether_it_is_saved(tabs, document):
    document.open_map(another(), Path("maps/Moor.xml"))
    document.push(set_values(document.battlemap, 1, "terrain", [15], 2), "Paint")
    assert texts(tabs)[1] == "\N{BULLET} Moor.xml"
    assert str(Path("maps/Moor.xml")) in tabs.tabToolTip(1)
    assert "not saved" in tabs.tabToolTip(1)
    document.set_path(Path("maps/Moor.xml"))
    assert texts(tabs)[1] == "Moor.xml"


def test_a_tab_brings_its_map_with_view_layer_and_selection(tabs, document):
    first = document.current_map
    document.select([3, 4])
    second = document.open_map(another())
    tabs.setCurrentIndex(0)
    assert document.current_map is first
    assert document.selection.cells.tolist() == [3, 4]
    tabs.setCurrentIndex(1)
    assert document.current_map is second
    assert len(document.selection) == 0


def test_tabs_can_be_moved_and_closed_by_the_middle_button(tabs, document, qtbot):
    first = document.current_map
    second = document.open_map(another())
    third = document.open_map(another())
    tabs.show()
    tabs.moveTab(2, 0)
    assert document.maps == (third, first, second)
    assert document.current_map is third
    with qtbot.waitSignal(tabs.close_requested) as wanted:
        qtbot.mouseClick(tabs, Qt.MouseButton.MiddleButton, pos=tabs.tabRect(1).center())
    assert wanted.args == [first]


def test_many_tabs_in_little_room_keep_their_names_and_are_scrolled(tabs, document):
    for _ in range(9):
        document.open_map(another())
    tabs.resize(300, 32)
    tabs.show()
    whole = tabs.tabSizeHint(9).width()
    assert tabs.tabRect(9).width() >= min(whole, MIN_WIDTH) > whole / 2


def test_each_map_keeps_its_seed_and_number(document):
    rolling = Rolling(document)
    first = document.current_map
    rolling.key_choice.set_displayed(DrawKey(7, 0))
    document.open_map(another())
    rolling.key_choice.set_displayed(DrawKey(9, 4))
    document.make_current(first)
    assert rolling.key_choice.key == DrawKey(7, 0)
