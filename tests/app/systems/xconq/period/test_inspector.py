"""The inspector of a period: words, meanings, values, and what can be typed over."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest

from app.systems.xconq.period.inspector import Inspector
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.slots import Slot

TEXT = """Xconq 0 -+---- A test
Period 0
"i" "infantry" "walks" utype
"*" "town" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
9 i speed
70 land min-alt
5 u* hp
[ 1 0 ] t* i moves
true * neutral
sea edge-terrain
end
"""
SHOWN = Qt.ItemDataRole.DisplayRole


@pytest.fixture
def inspector(qtbot):
    inspector = Inspector()
    qtbot.addWidget(inspector)
    inspector.resize(300, 600)
    inspector.show_period(read_period(TEXT).period)
    inspector.show()
    return inspector


def shown(inspector) -> list[list[str]]:
    """The table as words."""
    model = inspector.word_view.model
    return [
        [model.index(row, column).data(SHOWN) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def headers(inspector, way) -> list[str]:
    model = inspector.word_view.model
    count = model.rowCount() if way is Qt.Orientation.Vertical else model.columnCount()
    return [model.headerData(at, way) for at in range(count)]


@pytest.mark.parametrize(
    ("word", "down", "across", "values"),
    [
        ("min-alt", ["sea", "land"], ["Value"], [["0"], ["70"]]),
        ("moves", ["infantry", "town"], ["sea", "land"], [["1", "0"], ["-1", "-1"]]),
        ("hit", ["infantry", "town"], ["infantry", "town"], [["0", "0"], ["0", "0"]]),
        ("neutral", ["infantry", "town"], ["Value"], [["no"], ["yes"]]),
        ("edge-terrain", [None], ["Value"], [["sea"]]),
        ("first-unit", [None], ["Value"], [["nothing"]]),
        ("destroy-message", ["infantry", "town"], ["Value"], [["destroys"], ["destroys"]]),
        ("period-name", [None], ["Value"], [["unspecified"]]),
    ],
)
def test_a_word_is_shown_as_a_table_of_its_types(inspector, word, down, across, values):
    inspector.choose(word)
    assert headers(inspector, Qt.Orientation.Vertical) == down
    assert headers(inspector, Qt.Orientation.Horizontal) == across
    assert shown(inspector) == values
    assert inspector.word_view.title.text()


def test_defaults_are_dimmed(inspector):
    inspector.choose("min-alt")
    colours = [
        inspector.word_view.model.index(row, 0).data(Qt.ItemDataRole.ForegroundRole)
        for row in (0, 1)
    ]
    assert colours[0] is not None
    assert colours[1] is None


def test_the_search_finds_words_by_their_meaning(inspector):
    inspector.word_tree.search.setText("altitude lowest")
    assert inspector.word.name == "min-alt"
    inspector.word_tree.search.setText("no such thing")
    assert all(group.isHidden() for group in inspector.word_tree.groups.values())
    inspector.word_tree.search.clear()
    assert not any(group.isHidden() for group in inspector.word_tree.groups.values())


def test_a_plain_value_is_typed_over(inspector, qtbot):
    inspector.choose("min-alt")
    index = inspector.word_view.model.index(1, 0)
    inspector.word_view.table.setCurrentIndex(index)
    with qtbot.waitSignal(inspector.typed) as typed:
        QTest.keyClick(inspector.word_view.table, Qt.Key.Key_6)
        editor = inspector.word_view.table.focusWidget()
        QTest.keyClicks(editor, "5")
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert typed.args == [Slot("min-alt", 1), 65]
    assert shown(inspector) == [["0"], ["70"]]  # until the text has changed


@pytest.mark.parametrize(
    ("word", "row", "text", "value"),
    [
        ("neutral", 1, "no", 0),
        ("edge-terrain", 0, "land", 1),
        ("first-unit", 0, "*", 1),
        ("moves", 0, "-1", -1),
        ("speed", 1, "3", 3),
        ("period-name", 0, "War", "War"),
        ("min-alt", 1, "65%", 65),
        ("min-alt", 1, " 00065 % ", 65),
    ],
)
def test_what_is_typed_is_read_as_the_word_wants_it(inspector, qtbot, word, row, text, value):
    inspector.choose(word)
    index = inspector.word_view.model.index(row, 0)
    with qtbot.waitSignal(inspector.typed) as typed:
        inspector.word_view.model.setData(index, text)
    assert typed.args == [inspector.word_view.model.slot(index), value]


def test_a_type_can_be_typed_by_the_character_of_a_percent_sign(inspector, qtbot):
    inspector.show_period(
        read_period(TEXT.replace('"*"', '"%"').replace("true * neutral", "")).period
    )
    inspector.choose("first-unit")
    with qtbot.waitSignal(inspector.typed) as typed:
        inspector.word_view.model.setData(inspector.word_view.model.index(0, 0), "%")
    assert typed.args == [Slot("first-unit"), 1]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("speed", "fast"),
        ("speed", "-"),
        ("speed", "²"),
        ("neutral", "2x"),
        ("neutral", "7"),
        ("edge-terrain", "wood"),
    ],
)
def test_what_is_no_value_is_refused_with_words(inspector, qtbot, word, text):
    inspector.choose(word)
    with qtbot.waitSignal(inspector.refused) as refused:
        inspector.word_view.model.setData(inspector.word_view.model.index(0, 0), text)
    assert text in refused.args[0]


@pytest.mark.parametrize("text", ["32768", "-32769", "123456", "9" * 5000])
def test_a_number_out_of_range_is_refused_with_the_range(inspector, qtbot, text):
    inspector.choose("speed")
    with qtbot.waitSignal(inspector.refused) as refused:
        inspector.word_view.model.setData(inspector.word_view.model.index(0, 0), text)
    assert "-32768 to 32767" in refused.args[0]


def test_a_value_set_together_with_others_leads_to_its_line(inspector, qtbot):
    inspector.choose("hp")
    index = inspector.word_view.model.index(0, 0)
    assert not inspector.word_view.model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert "Line 10" in inspector.word_view.where_label.text()
    with qtbot.waitSignal(inspector.line_wanted) as wanted:
        inspector.word_view.table.doubleClicked.emit(index)
    assert wanted.args == [Slot("hp", 0)]
    with qtbot.waitSignal(inspector.own_line_wanted) as wanted:
        inspector.word_view.own_line_button.click()
    assert wanted.args == [Slot("hp", 0), 5]


def test_an_unset_value_has_no_line(inspector):
    inspector.choose("alt-roughness")
    assert not inspector.word_view.go_to_line_button.isEnabled()
    assert inspector.word_view.own_line_button.isHidden()


def test_the_cell_stays_when_the_period_changes(inspector):
    inspector.choose("moves")
    inspector.word_view.table.setCurrentIndex(inspector.word_view.model.index(1, 1))
    inspector.show_period(read_period(TEXT.replace("9 i", "8 i")).period)
    assert inspector.word_view.table.currentIndex() == inspector.word_view.model.index(1, 1)
    inspector.show_period(None)
    assert inspector.word_view.model.rowCount() == 0
    assert inspector.word_view.table.currentIndex() == QModelIndex()


def test_values_stand_beside_the_words_where_there_is_room(inspector, qtbot):
    inspector.resize(800, 600)
    qtbot.waitUntil(lambda: inspector.splitter.orientation() == Qt.Orientation.Horizontal)


def test_a_small_panel_shows_the_words_or_the_values(inspector, qtbot):
    inspector.resize(300, 320)
    qtbot.waitUntil(lambda: inspector.word_view.isHidden())
    inspector.choose("moves")
    inspector.word_tree.tree.itemClicked.emit(inspector.word_tree.tree.currentItem(), 0)
    assert inspector.word_tree.isHidden()
    assert inspector.word_view.table.isVisible()
    inspector.word_view.back_button.click()
    assert inspector.word_view.isHidden()
    inspector.resize(300, 600)
    qtbot.waitUntil(lambda: inspector.word_view.isVisible() and inspector.word_tree.isVisible())
    assert inspector.word_view.back_button.isHidden()


def test_no_terrain_type_that_is_shown_can_be_confirmed(inspector):
    inspector.show_period(read_period(TEXT.replace("sea edge-terrain\n", "")).period)
    inspector.choose("edge-terrain")
    index = inspector.word_view.model.index(0, 0)
    refused = []
    inspector.refused.connect(refused.append)
    inspector.word_view.model.setData(index, index.data(SHOWN))
    assert not refused
