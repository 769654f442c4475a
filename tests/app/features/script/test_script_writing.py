"""Writing a script: words that fit, ways out, definitions, other names, hexes of the map."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.features.script.editor import ScriptEditor
from app.features.script.editor_actions import ScriptActions
from app.features.script.editor_keys import STILL_HERE
from app.features.script.find_bar import FindBar
from app.features.script.line_bar import LineBar
from app.features.script.rename_line import RenameLine
from app.scripts.script_text import ScriptText
from randomizer.catalog.scripts import script_host
from randomizer.languages.language import PLAIN_TEXT
from randomizer.systems.colossus.script.lint import check_script

KEY = Qt.Key
TEXT = "LABEL shore = D4\nAREA (shore) HAZARDS Bog\n# (shore)\nAREA (inside) HAZARDS Lake\n"


@pytest.fixture
def editor(qtbot) -> ScriptEditor:
    editor = ScriptEditor(ScriptText())
    qtbot.addWidget(editor)
    editor.resize(420, 300)
    editor.set_language(script_host("Some.rnd").language)
    editor.show()
    qtbot.waitExposed(editor)
    editor.setFocus()
    return editor


@pytest.fixture
def actions(editor, qtbot) -> ScriptActions:
    bars = FindBar(editor), LineBar(editor)
    for bar in bars:
        qtbot.addWidget(bar)
    return ScriptActions(editor, *bars)


@pytest.fixture
def said(editor) -> list[str]:
    words: list[str] = []
    editor.reported.connect(words.append)
    return words


def type_(editor, text: str) -> None:
    QTest.keyClicks(editor, text)


def offered(editor) -> list[str]:
    return editor.completer.list.texts if editor.completer.open else []


def test_a_name_of_a_period_is_renamed_where_it_is_used(editor, actions, qtbot):
    editor.set_language(script_host("Some.per").language)
    editor.script_text.show('Period 0\n5 "five" define\nfive country-size\nend\n')
    editor.go_to(3, 2)
    actions.go_to_definition()
    assert editor.cursor_place()[0] == 2
    actions.begin_rename()
    field = editor.viewport().findChild(RenameLine)
    field.setText("cinq")
    QTest.keyClick(field, KEY.Key_Return)
    assert editor.text() == 'Period 0\n5 "cinq" define\ncinq country-size\nend\n'


# --- words that fit ---------------------------------------------------------------------------


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Tab])
def test_two_letters_bring_words_and_enter_or_tab_takes_one(editor, key):
    type_(editor, "A")
    assert offered(editor) == []
    type_(editor, "R")
    assert offered(editor) == ["AREA"]
    QTest.keyClick(editor, key)
    type_(editor, "in")
    assert offered(editor) == ["inside"]
    QTest.keyClick(editor, key)
    type_(editor, " HAZ")
    QTest.keyClick(editor, key)
    type_(editor, "br")
    QTest.keyClick(editor, key)
    assert editor.text() == "AREA (inside) HAZARDS Brambles"
    assert offered(editor) == []
    assert editor.hasFocus()


def test_words_with_hyphens_are_offered_while_they_are_typed(editor):
    editor.set_language(script_host("Some.per").language)
    editor.script_text.show("Period 0\n")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    type_(editor, "30 alt")
    assert offered(editor)[0] == "alt-roughness"
    type_(editor, "-r")
    assert offered(editor) == ["alt-roughness"]
    QTest.keyClick(editor, KEY.Key_Tab)
    assert editor.text() == "Period 0\n30 alt-roughness "


@pytest.mark.parametrize(
    "line", ["TOWER", "AREA (inside) HAZARDS Bog", "TITLE Lakes", "# a comment ar", "LABEL in"]
)
def test_enter_ends_a_line_whose_words_are_complete(editor, line):
    type_(editor, line)
    assert offered(editor) == []
    QTest.keyClick(editor, KEY.Key_Return)
    assert editor.text() == line + "\n"


def test_arrows_choose_and_escape_closes(editor):
    type_(editor, "AREA D4 HAZARDS St")
    QTest.keyClick(editor, KEY.Key_Backspace)
    assert offered(editor) == []  # one letter is no reason to offer anything unasked
    QTest.keyClick(editor, KEY.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert offered(editor) == []  # the key is the action's, see below
    editor.completer.offer_all()
    assert offered(editor)[:3] == ["Sand", "Stone", "Spring"]
    QTest.keyClick(editor, KEY.Key_Down)
    QTest.keyClick(editor, KEY.Key_Down)
    QTest.keyClick(editor, KEY.Key_Up)
    assert editor.completer.list.current.word == "Stone"
    QTest.keyClick(editor, KEY.Key_Escape)
    assert offered(editor) == []
    assert editor.text() == "AREA D4 HAZARDS S"
    QTest.keyClick(editor, KEY.Key_Down)
    assert editor.textCursor().atEnd()


def test_ctrl_space_offers_all_that_fits_or_says_that_nothing_does(editor, actions, said):
    actions.complete.trigger()
    assert offered(editor)[:2] == ["AREA", "LABEL"]
    type_(editor, "TI")
    assert offered(editor) == ["TITLE", "SUBTITLE"]
    editor.script_text.show("TITLE ")
    editor.go_to(1, 7)
    actions.complete.trigger()
    assert said == ["No word is known to fit here"]


def test_moving_away_closes_the_list(editor):
    type_(editor, "AREA in")
    assert offered(editor)
    QTest.keyClick(editor, KEY.Key_Left)
    assert offered(editor) == []
    type_(editor, "s")
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 8))
    assert offered(editor) == []


def test_a_word_is_taken_in_one_step_of_undo(editor):
    type_(editor, "AREA (insi")
    QTest.keyClick(editor, KEY.Key_Tab)
    assert editor.text() == "AREA (inside)"
    editor.undo()
    assert editor.text() == "AREA (insi"


def test_a_click_takes_a_word_and_blanks_are_not_doubled(editor):
    editor.script_text.show("AR (inside)")
    editor.go_to(1, 3)
    editor.completer.offer_all()
    item = editor.completer.list.rows.item(0)
    editor.completer.list.rows.itemClicked.emit(item)
    assert editor.text() == "AREA (inside)"


def test_the_list_explains_the_chosen_word(editor):
    type_(editor, "AREA D4 HAZARDS ")
    editor.completer.offer_all()
    QTest.keyClick(editor, KEY.Key_Down)
    # The help beside the list has no name of its own.
    assert editor.completer.list._help.text() == ("Hazard. Ground creatures enter only as natives.")


def test_the_keys_of_the_actions_reach_them(editor, actions, qtbot):
    editor.script_text.show(TEXT)
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)
    ctrl = Qt.KeyboardModifier.ControlModifier
    alt = Qt.KeyboardModifier.AltModifier
    plain = Qt.KeyboardModifier.NoModifier
    for key, modifier, action in (
        (KEY.Key_Space, ctrl, actions.complete),
        (KEY.Key_Period, ctrl, actions.fix),
        (KEY.Key_Return, alt, actions.fix),
        (KEY.Key_F12, plain, actions.definition),
        (KEY.Key_F2, plain, actions.rename),
    ):
        with qtbot.waitSignal(action.triggered):
            QTest.keyClick(editor, key, modifier)
    assert editor.text() == TEXT


# --- ways out ---------------------------------------------------------------------------------


def menu_of(editor) -> QMenu:
    (menu,) = [menu for menu in editor.findChildren(QMenu) if menu.isVisible()]
    return menu


def test_ways_out_are_offered_where_the_text_is_underlined(editor, actions, said, qtbot):
    editor.script_text.show("AREA D4 HAZARDS Brush\nTOWER\n")
    problems = check_script(editor.text())
    editor.set_problems(problems)
    editor.go_to(2)
    actions.offer_fixes()
    assert said == ["No problem is here"]
    for column in (18, 2):  # on it, and elsewhere in its line
        editor.go_to(1, column)
        actions.offer_fixes()
        menu = menu_of(editor)
        assert [action.text() for action in menu.actions()] == ["Write “Brambles”"]
        assert menu.activeAction() is menu.actions()[0]
        with qtbot.waitSignal(editor.fix_requested) as asked:
            menu.actions()[0].trigger()
        assert asked.args == [problems[0], problems[0].fix]
        menu.close()
        qtbot.waitUntil(lambda: not editor.findChildren(QMenu))


def test_a_bulb_beside_a_line_with_a_way_out_opens_it_by_click(editor, actions, qtbot):
    text = "AREA (anywhere) HAZARDS Bog\nAREA (anywhere) HAZARD Bog\nnonsense\n"
    editor.script_text.show(text)
    editor.set_problems(check_script(text))
    assert [bool(editor.overlays.fixes_of_line(line)) for line in (1, 2, 3)] == [False, True, False]
    asked = []
    editor.fix_requested.connect(lambda problem, fix: asked.append(fix.title))
    height = editor.fontMetrics().height()

    def bulb(line):
        return QPoint(9, 4 + (line - 1) * height + height // 2)

    plain, lit = (editor.numbers.grab(QRect(3, bulb(n).y() - 7, 14, 14)).toImage() for n in (1, 2))
    assert plain != lit
    QTest.mousePress(editor.numbers, Qt.MouseButton.LeftButton, pos=bulb(1))
    assert not editor.findChildren(QMenu)
    QTest.mousePress(editor.numbers, Qt.MouseButton.LeftButton, pos=bulb(2))
    qtbot.waitUntil(lambda: bool(editor.findChildren(QMenu)))
    (menu,) = editor.findChildren(QMenu)
    assert editor.textCursor().blockNumber() == 1
    QTest.keyClick(menu, KEY.Key_Return)
    assert asked == ["Write `HAZARDS`"]


def test_a_problem_without_a_way_out_says_so(editor, actions, said):
    editor.script_text.show("nonsense\n")
    editor.show_text(editor.script_text)
    editor.set_problems(check_script(editor.text()))
    actions.offer_fixes()
    assert said == ["No way out is known here"]


# --- labels -----------------------------------------------------------------------------------


def test_a_label_leads_to_its_definition(editor, actions, said):
    editor.script_text.show(TEXT)
    editor.go_to(2, 8)
    actions.definition.trigger()
    assert editor.selected_range() == ((1, 7), (1, 12))
    editor.go_to(4, 8)
    actions.definition.trigger()
    editor.go_to(1, 2)
    actions.definition.trigger()
    assert ["not on the rim" in said[0], said[1]] == [True, "No label or name stands here"]


def test_ctrl_and_a_click_lead_there_too(editor, actions):
    editor.script_text.show(TEXT)
    point = editor.cursorRect(editor.script_text.selection(2, 9)).center()
    click = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(editor.viewport(), *click, pos=point)
    assert editor.selected_range() == ((1, 7), (1, 12))


def test_a_label_is_renamed_over_the_text_in_one_step_of_undo(editor, actions, qtbot):
    editor.script_text.show(TEXT)
    editor.go_to(2, 8)
    actions.rename.trigger()
    (field,) = editor.findChildren(RenameLine)
    assert (field.text(), field.selectedText()) == ("shore", "shore")
    type_(field, "inside")
    QTest.keyClick(field, KEY.Key_Return)
    assert field.isVisible()  # that name is taken
    field.selectAll()
    type_(field, "beach")
    QTest.keyClick(field, KEY.Key_Return)
    assert editor.text() == TEXT.replace("shore", "beach").replace("# (beach", "# (shore")
    qtbot.waitUntil(lambda: not editor.findChildren(RenameLine))
    editor.undo()
    assert editor.text() == TEXT


def test_escape_leaves_the_name(editor, actions, qtbot):
    editor.script_text.show(TEXT)
    editor.go_to(1, 8)
    actions.rename.trigger()
    (field,) = editor.findChildren(RenameLine)
    type_(field, "beach")
    QTest.keyClick(field, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not editor.findChildren(RenameLine))
    assert editor.text() == TEXT
    qtbot.waitUntil(lambda: QApplication.focusWidget() is editor)


def test_what_is_no_label_of_the_script_keeps_its_name(editor, actions, said):
    editor.script_text.show(TEXT)
    for place in ((4, 8), (1, 2)):
        editor.go_to(*place)
        actions.rename.trigger()
    assert said == [
        "Not renamed: inside is a label of the language and keeps its name",
        "Not renamed: no name that the script defines stands here",
    ]
    assert editor.findChildren(RenameLine) == []


# --- lists ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("AREA | HAZARDS", "AREA (0,2-4) HAZARDS"),
        ("AREA D4| HAZARDS", "AREA D4 (0,2-4) HAZARDS"),
        ("AREA |HAZARDS", "AREA (0,2-4) HAZARDS"),
        ("LABEL x =|", "LABEL x =(0,2-4)"),
        ("AREA SOMEOF(2,|)", "AREA SOMEOF(2,(0,2-4))"),
    ],
)
def test_a_list_is_written_at_the_cursor_parted_from_other_words(editor, before, after):
    editor.script_text.show(before.replace("|", ""))
    editor.go_to(1, before.index("|") + 1)
    editor.insert_list("(0,2-4)")
    assert editor.text() == after
    editor.undo()
    assert editor.text() == before.replace("|", "")


def test_a_list_takes_the_place_of_the_selected_text(editor):
    editor.script_text.show("AREA D4 C3 HAZARDS Bog\n")
    editor.go_to(1, 6, 1, 11)
    editor.insert_list("A1")
    assert editor.text() == "AREA A1 HAZARDS Bog\n"


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("AREA D4 C3\nX D5HAZARDS Bog\n", (1, 5), (2, 5), "AREA A1 HAZARDS Bog\n"),
        ("AREA D4\nTOWER D5 C3 HAZARDS\n", (1, 6), (2, 12), "AREA A1 HAZARDS\n"),
        ("# \U0001f600\U0001f600x D4\n", (1, 5), (1, 6), "# \U0001f600\U0001f600 A1 D4\n"),
    ],
)
def test_a_list_over_several_lines_is_parted_from_what_stands_around_them(
    editor, text, start, end, expected
):
    editor.script_text.show(text)
    editor.go_to(*start, *end)
    editor.insert_list("A1")
    assert editor.text() == expected


@pytest.mark.parametrize(
    ("new", "place"),
    [
        ("# new\n" + TEXT, (3, 7)),
        (TEXT + "TOWER\n", (2, 7)),
        (TEXT.replace("D4", "\U0001f600 D5 D5"), (2, 7)),
        (TEXT, (2, 7)),
        ("", (1, 1)),
    ],
)
def test_another_text_of_the_file_keeps_the_cursor_and_can_be_taken_back(editor, new, place):
    editor.script_text.show(TEXT)
    editor.go_to(2, 7)
    editor.script_text.replace(new)
    assert editor.text() == new
    assert editor.cursor_place() == place
    assert not editor.document().isModified()
    editor.undo()
    assert editor.text() == TEXT


def test_plain_text_has_no_help_and_no_words(editor, actions, said):
    editor.set_language(PLAIN_TEXT)
    type_(editor, "AREA (in")
    for action in (actions.definition, actions.rename):
        action.trigger()
    assert offered(editor) == said == []
    assert editor.help_at(1) == ""


def test_escape_after_a_copy_is_not_held_back(editor, said):
    # Such a key event has a control character as its text.
    control = Qt.KeyboardModifier.ControlModifier
    QApplication.sendEvent(
        editor, QKeyEvent(QEvent.Type.KeyPress, KEY.Key_C.value, control, "\x03")
    )
    QTest.keyClick(editor, KEY.Key_Escape)
    assert said == []
    type_(editor, "AR")
    editor.completer.list.hide()
    QTest.keyClick(editor, KEY.Key_Escape)
    assert said == [STILL_HERE]
