"""Find, replace and go to a line of a script, by the keys of the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.appearance.text_colours import inks
from app.features.script.text_search import MAX_HITS
from tests.app.saves import finished
from tests.end_to_end.test_xconq_period_desk import ISLANDS, settle

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

LAKES = """# lake, Lake and lakes
AREA (inside) HAZARDS Lake Lake,50.
LABEL lake2 = (inside)
"""


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key where the keyboard is."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def write(text):
    """Write over what the field that has the keyboard holds."""
    QApplication.focusWidget().selectAll()
    QTest.keyClicks(QApplication.focusWidget(), text)


@pytest.fixture
def panel(window, tmp_path, qtbot):
    """The panel of scripts with the keyboard in its editor, at the start of a script."""
    path = tmp_path / "Lakes.rnd"
    path.write_text(LAKES)
    window.desk.files.open_path(path)
    panel = window.desk.docks["randomize"].widget()
    assert panel.editor.text() == LAKES
    window.activateWindow()
    panel.editor.setFocus()
    qtbot.waitUntil(panel.editor.hasFocus)
    return panel


def marked(editor):
    """Where the marked hits begin."""
    colour = inks(editor.palette()).hit
    return [
        editor.script_text.line_and_column(each.cursor.selectionStart())
        for each in editor.extraSelections()
        if each.format.background().color() == colour
    ]


def selected(editor):
    return editor.script_text.line_and_column(editor.textCursor().selectionStart())


def test_the_selected_word_is_found_marked_and_counted(panel, qtbot):
    editor = panel.editor
    bar = panel.find_bar
    editor.go_to(2, 23, 2, 27)
    press(KEY.Key_F, CTRL)
    assert bar.isVisible()
    assert bar.field.hasFocus()
    assert bar.field.text() == "Lake"
    places = [(1, 3), (1, 9), (1, 18), (2, 23), (2, 28), (3, 7)]
    assert marked(editor) == places
    assert bar.count.text() == "4 of 6"
    seen = []
    for key, modifiers in (
        (KEY.Key_F3, Qt.KeyboardModifier.NoModifier),
        (KEY.Key_Return, Qt.KeyboardModifier.NoModifier),
        (KEY.Key_Return, Qt.KeyboardModifier.NoModifier),
        (KEY.Key_Return, SHIFT),
        (KEY.Key_F3, SHIFT),
    ):
        press(key, modifiers)
        seen.append((selected(editor), bar.count.text()))
    assert seen == [
        ((2, 28), "5 of 6"),
        ((3, 7), "6 of 6"),
        ((1, 3), "1 of 6"),
        ((3, 7), "6 of 6"),
        ((2, 28), "5 of 6"),
    ]
    press(KEY.Key_Escape)
    assert not bar.isVisible()
    assert editor.hasFocus()
    assert marked(editor) == []
    press(KEY.Key_F3)
    assert selected(editor) == (3, 7)
    assert editor.hasFocus(), "F3 in the editor goes on with what was looked for last"
    assert marked(editor) == places


def test_options_narrow_what_is_found(panel):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_F, CTRL)
    write("lake")
    assert selected(editor) == (1, 3), "the first hit is shown while one writes"
    assert bar.count.text() == "1 of 6"
    bar.match_case.click()
    assert marked(editor) == [(1, 3), (1, 18), (3, 7)]
    bar.whole_words.click()
    assert marked(editor) == [(1, 3)]
    bar.match_case.click()
    bar.regular.click()
    write("lake[s2]|HAZ.*S")
    assert marked(editor) == [(1, 18), (2, 15), (3, 7)]
    write("sea")
    assert bar.count.text() == "0 hits"
    assert not bar.next_button.isEnabled()


@pytest.mark.deep
def test_a_wrong_a_slow_and_an_endless_search_are_each_told_once(panel):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_F, CTRL)
    bar.regular.click()
    write("(lake")
    assert bar.message.text() == (
        "Not a regular expression: missing closing parenthesis, at letter 6"
    )
    assert (bar.count.text(), marked(editor)) == ("", [])
    editor.script_text.show(f"AREA\n{'a' * 60}!\n")
    write("(a+)+$")
    assert bar.message.text() == "This expression takes too long in line 2: make it simpler"
    editor.script_text.show("a" * (MAX_HITS + 1))
    write("a")
    assert bar.message.text() == "More than 10,000 hits: search for more letters"
    write("a+")
    assert bar.message.isHidden()
    assert bar.count.text() == "1 of 1"


def test_hits_follow_the_text_and_another_script(panel, hand, tmp_path):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_F, CTRL)
    write("lake")
    editor.setFocus()
    editor.go_to(2)
    editor.insertPlainText("\U0001f600 lake ")
    assert bar.count.text() == "7 hits"
    assert marked(editor)[3] == (2, 3)
    press(KEY.Key_A, CTRL)
    press(KEY.Key_Delete)
    assert bar.count.text() == "0 hits"
    editor.undo()
    assert bar.count.text() == "7 hits"
    other = tmp_path / "Other.rnd"
    other.write_text("TITLE lake\n")
    hand.expect("Unsaved script").press("Discard")
    finished(panel.scripts.opening.open(other))
    assert marked(editor) == [(1, 7)]


def test_hits_are_replaced_one_by_one_or_all_in_one_step(panel, window):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_H, CTRL)
    write("lake")
    bar.replacement.setFocus()
    write("lake and Bog")
    press(KEY.Key_Return)
    assert editor.text() == LAKES.replace("lake", "lake and Bog", 1)
    assert selected(editor) == (1, 17), "what was put in is not found again"
    editor.undo()
    assert editor.text() == LAKES
    bar.whole_words.click()
    bar.replace_all_button.click()
    assert editor.text() == LAKES.replace("lake,", "lake and Bog,").replace(
        "Lake ", "lake and Bog "
    ).replace("Lake,", "lake and Bog,")
    assert window.statusBar().currentMessage() == "Replaced 4 hits"
    editor.undo()
    assert editor.text() == LAKES


def test_a_replacement_names_groups_of_the_expression(panel):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_H, CTRL)
    bar.regular.click()
    write(r"(\w+) = \((\w+)\)")
    bar.replacement.setFocus()
    write(r"\1\n\t= \\\2\9 # \0")
    bar.replace_all_button.click()
    assert editor.text() == LAKES.replace(
        "lake2 = (inside)", "lake2\n\t= \\inside # lake2 = (inside)"
    )
    editor.undo()
    bar.regular.click()
    bar.field.setText("AREA")
    bar.field.textEdited.emit("AREA")
    bar.replace_all_button.click()
    assert r"\1\n\t= \\\2\9 # \0 (inside)" in editor.text(), "as it was written"


@pytest.mark.deep
def test_a_text_that_cannot_be_edited_is_searched_and_stays(panel):
    editor = panel.editor
    bar = panel.find_bar
    press(KEY.Key_H, CTRL)
    write("lake")
    editor.setReadOnly(True)
    editor.set_language(editor.language)
    assert not bar.replacement.isVisible()
    assert not panel.script_actions.replace.isEnabled()
    bar.replace_all()
    bar.replace_current()
    assert editor.text() == LAKES
    assert bar.count.text() == "2 of 6"


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("3", (3, 1)),
        pytest.param(" 2:6 ", (2, 6), marks=pytest.mark.deep),
        pytest.param("2:99", (2, 36), marks=pytest.mark.deep),
        pytest.param("2:0", (2, 1), marks=pytest.mark.deep),
    ],
)
def test_ctrl_g_goes_to_a_line_and_column(panel, window, typed, place):
    grid = window.desk.renderer.overlays.grid_lines
    press(KEY.Key_G, CTRL)
    assert panel.line_bar.field.text() == "1"
    write(typed)
    press(KEY.Key_Return)
    assert panel.editor.cursor_place() == place
    assert panel.editor.hasFocus()
    assert not panel.line_bar.isVisible()
    assert window.desk.renderer.overlays.grid_lines == grid


@pytest.mark.deep
def test_a_line_that_is_not_there_is_told(panel):
    press(KEY.Key_G, CTRL)
    for typed, message in (
        ("5", "The text has 4 lines"),
        ("0", "The text has 4 lines"),
        ("lake", "This is no line: write 12, or 12:5 for a column, too"),
    ):
        write(typed)
        press(KEY.Key_Return)
        assert panel.line_bar.message.text() == message
    write("4")
    assert panel.line_bar.message.isHidden()
    press(KEY.Key_Escape)
    assert panel.editor.hasFocus()
    assert panel.editor.cursor_place() == (1, 1)


@pytest.mark.deep
def test_in_a_period_replace_all_is_one_step_of_the_map(window, qtbot, tmp_path):
    path = tmp_path / "islands.per"
    period = f"{ISLANDS}end\n"
    path.write_text(period)
    desk = window.desk
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    settle(qtbot, window)
    panel = desk.docks["randomize"].widget()
    window.activateWindow()
    panel.editor.setFocus()
    steps = len(desk.document.history.steps)
    panel.editor.go_to(1, 20)
    QTest.keyClicks(panel.editor, "X")
    press(KEY.Key_H, CTRL)
    write("sea")
    count = period.count("sea")
    assert count > 1
    panel.find_bar.replacement.setFocus()
    write("ocean")
    typed = panel.editor.text()
    panel.find_bar.replace_all_button.click()
    settle(qtbot, window)
    after = typed.replace("sea", "ocean")
    assert panel.editor.text() == desk.document.battlemap.records["period"].text == after
    assert len(desk.document.history.steps) == steps + 2, "what was typed, then what was replaced"
    panel.editor.setFocus()
    press(KEY.Key_Z, CTRL)
    settle(qtbot, window)
    assert panel.editor.text() == typed
