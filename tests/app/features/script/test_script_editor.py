"""The editor of scripts: places, underlines, fixes, help, colours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QKeySequence, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit, QToolTip

from app.appearance.text_colours import inks
from app.features.script.editor import ScriptEditor
from app.features.script.editor_context import EditorContext
from app.scripts.script_text import ScriptText
from randomizer.catalog.scripts import script_host
from randomizer.languages.language import PLAIN_TEXT
from randomizer.model.problems import Fix, Problem, Severity, TextEdit, apply_fix

TEXT = '# a comment\nAREA (inside) HAZARDS Bog,50.\nTITLE "The Bog"\n'
LANGUAGE = script_host("Some.rnd").language


class TellingContext(EditorContext):
    def cell_help(self, line: int, column: int) -> str:
        return f"About {line}, {column}"


def problem(line, column, end_column, severity=Severity.ERROR, fix=None, words="wrong"):
    return Problem(severity, "code", words, None, line, column, line, end_column, fix)


@pytest.fixture
def editor(qtbot) -> ScriptEditor:
    editor = ScriptEditor(ScriptText())
    qtbot.addWidget(editor)
    editor.resize(400, 300)
    editor.show()
    qtbot.waitExposed(editor)
    editor.script_text.show(TEXT)
    editor.show_text(editor.script_text)
    return editor


def waves(editor) -> list[tuple[str, QColor]]:
    """The underlined pieces of the text with their colours."""
    return [
        (selection.cursor.selectedText(), selection.format.underlineColor())
        for selection in editor.extraSelections()
        if selection.format.underlineStyle() == selection.format.UnderlineStyle.WaveUnderline
    ]


def test_the_text_is_given_back_as_it_was_shown(editor):
    for text in ("", "a\n\nb", "AREA\u00a0(inside)\n", "tab\there \U0001f600 \u2028 x\n"):
        editor.script_text.show(text)
        assert editor.text() == text
        assert not editor.document().isModified()
        assert not editor.document().isUndoAvailable()


def test_a_place_is_selected_by_line_and_column(editor):
    editor.go_to(2, 15, 2, 22)
    assert editor.textCursor().selectedText() == "HAZARDS"
    assert editor.hasFocus() or QApplication.focusWidget() is editor
    editor.go_to(3)
    assert editor.textCursor().blockNumber() == 2
    editor.go_to(2, 6, 3, 6)
    assert editor.textCursor().selectedText() == "(inside) HAZARDS Bog,50.\u2029TITLE"
    editor.go_to(99, 5)
    assert editor.textCursor().atEnd()


def test_columns_count_characters_that_qt_counts_twice(editor):
    editor.script_text.show("# \U0001f600\U0001f600 D4\n")
    editor.go_to(1, 6, 1, 8)
    assert editor.textCursor().selectedText() == "D4"


def test_problems_are_underlined_in_the_colour_of_their_severity(editor):
    colours = inks(editor.palette())
    editor.set_problems(
        [
            problem(2, 23, 26),
            problem(1, 3, 4, Severity.HINT),
            problem(3, 1, 6, Severity.WARNING),
            Problem(Severity.ERROR, "nowhere", "no place"),
        ]
    )
    assert waves(editor) == [
        ("a", colours.hint),
        ("TITLE", colours.warning),
        ("Bog", colours.error),
    ]
    assert editor.overlays.colours_of_lines() == {
        1: colours.hint,
        2: colours.error,
        3: colours.warning,
    }
    editor.set_problems([])
    assert waves(editor) == []


def test_an_empty_place_still_shows(editor):
    editor.set_problems([problem(2, 1, 1), problem(2, 30, 30), problem(4, 1, 1)])
    assert [text for text, _colour in waves(editor)] == ["A", ".", ""]


def test_underlines_move_with_the_text(editor):
    wrong = problem(2, 23, 26)
    editor.set_problems([wrong])
    editor.go_to(1)
    QTest.keyClicks(editor, "xyz")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    editor.show_problem(wrong)
    assert editor.textCursor().selectedText() == "Bog"
    assert editor.textCursor().blockNumber() == 2


def test_a_problem_that_is_not_underlined_is_shown_by_its_place(editor):
    editor.show_problem(problem(3, 1, 6))
    assert editor.textCursor().selectedText() == "TITLE"
    editor.show_problem(Problem(Severity.ERROR, "nowhere", "no place"))
    assert editor.textCursor().selectedText() == "TITLE"


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_the_colours_are_readable_on_their_background(palette):
    base = QColor("#ffffff" if palette == "light" else "#2b2b2b")
    look = QPalette()
    look.setColor(QPalette.ColorRole.Base, base)
    found = inks(look)

    def luminance(colour: QColor) -> float:
        parts = [colour.redF(), colour.greenF(), colour.blueF()]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for name in ("error", "warning", "hint", "keyword", "comment", "quoted", "number"):
        low, high = sorted([luminance(base), luminance(getattr(found, name))])
        assert (high + 0.05) / (low + 0.05) >= 4.5, name


def test_a_fix_is_one_step_of_the_texts_own_undo(editor, qtbot):
    fix = Fix("Both", (TextEdit(2, 23, 2, 26, "Lake"), TextEdit(2, 30, 3, 1, "\n\n")))
    with qtbot.waitSignal(editor.script_text.edited):
        editor.script_text.apply_fix(fix)
    assert editor.text() == apply_fix(TEXT, fix)
    editor.undo()
    assert editor.text() == TEXT
    assert not editor.document().isModified()


def test_editing_is_told_once_and_colouring_is_not_editing(editor, qtbot):
    heard: list[str] = []
    editor.script_text.edited.connect(lambda: heard.append(editor.text()))
    editor.set_colours()
    editor.set_language(LANGUAGE)
    assert heard == []
    QTest.keyClicks(editor, "x")
    assert heard == ["x" + TEXT]


def test_undo_in_the_editor_is_the_texts(editor):
    QTest.keyClicks(editor, "x")
    QTest.keySequence(editor, QKeySequence(QKeySequence.StandardKey.Undo))
    assert editor.text() == TEXT


def test_another_text_is_shown_from_its_start_with_looks_and_undo_of_its_own(editor, qtbot):
    editor.set_language(LANGUAGE)
    editor.set_problems([problem(2, 15, 18)])
    editor.mark_lines(2, 2)
    QTest.keyClicks(editor, "x")
    first = editor.script_text
    font = editor.font()
    tab = editor.tabStopDistance()
    other = ScriptText(editor)
    other.show("TITLE y" + "\n" * 1200)
    editor.show_text(other)
    assert waves(editor) == []
    assert len(editor.extraSelections()) == 1, "the cursor's line"
    assert editor.cursor_place() == (1, 1)
    assert (other.defaultFont(), editor.tabStopDistance()) == (font, tab)
    assert editor.viewportMargins().left() == editor.numbers.width_needed()
    QTest.keyClicks(editor, "#")
    assert editor.text().startswith("#TITLE y\n")
    qtbot.waitUntil(lambda: set(coloured(editor, 0)) == {"#TITLE y"})
    editor.show_text(first)
    assert editor.text() == "x" + TEXT
    QTest.keySequence(editor, QKeySequence(QKeySequence.StandardKey.Undo))
    assert editor.text() == TEXT


def test_hovering_tells_problems_worst_first_and_their_ways_out(editor):
    fix = Fix("Write `<Lake>`")
    editor.set_problems(
        [
            problem(2, 23, 26, Severity.HINT, words="a hint"),
            problem(2, 23, 26, fix=fix, words="no <b>hazard"),
        ]
    )
    position = editor.document().findBlockByNumber(1).position() + 23
    assert editor.help_at(position) == (
        "<p>no &lt;b&gt;hazard<br><i>Way out: Write “&lt;Lake&gt;”</i></p><p>a hint</p>"
    )
    assert editor.help_at(2) == ""


def at(editor, line: int, column: int) -> int:
    """The position in Qt's document of a line and column."""
    return editor.script_text.selection(line, column).position()


def test_hovering_tells_what_is_behind_a_problem(editor):
    editor.set_language(LANGUAGE)
    found = Problem(Severity.ERROR, "label-never-used", "idle", None, 2, 23, 2, 26, Fix("Go"))
    editor.set_problems([replace(found, other_fixes=(Fix("Stay"),))])
    assert editor.help_at(at(editor, 2, 24)) == (
        "<p>idle<br>A label changes nothing by itself."
        "<br><i>Way out: Go</i><br><i>Way out: Stay</i></p><p>"
        "Bog: Natives only; fliers pass over.</p>"
    )


def test_hovering_over_a_word_of_the_language_explains_it(editor):
    editor.set_language(LANGUAGE)
    assert "Places hazards" in editor.help_at(at(editor, 2, 2))
    assert "not on the rim" in editor.help_at(at(editor, 2, 8))
    assert "fliers pass over" in editor.help_at(at(editor, 2, 24))
    assert editor.help_at(at(editor, 2, 29)) == ""
    editor.context = TellingContext()
    assert editor.help_at(at(editor, 2, 29)) == "<p>About 2, 29</p>"


def test_the_tooltip_comes_where_the_mouse_is(editor):
    editor.set_problems([problem(1, 1, 12, words="about the comment")])
    for point, words in ((QPoint(8, 8), "about the comment"), (QPoint(200, 200), "")):
        event = QHelpEvent(QEvent.Type.ToolTip, point, editor.viewport().mapToGlobal(point))
        QApplication.sendEvent(editor.viewport(), event)
        assert words in QToolTip.text()
    QToolTip.hideText()


def test_the_context_menu_offers_the_fix_of_the_place(editor, qtbot):
    wrong = problem(1, 1, 12, fix=Fix("Take it out"))
    editor.set_problems([wrong])
    point = QPoint(8, 8)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, point, editor.viewport().mapToGlobal(point)
    )
    QApplication.sendEvent(editor.viewport(), event)
    (menu,) = [m for m in editor.findChildren(QMenu) if m.isVisible()]
    with qtbot.waitSignal(editor.fix_requested) as asked:
        menu.actions()[0].trigger()
    assert asked.args == [wrong, wrong.fix]
    menu.close()


def test_ctrl_s_asks_to_save_the_script(editor, qtbot):
    with qtbot.waitSignal(editor.save_requested):
        QTest.keySequence(editor, QKeySequence(QKeySequence.StandardKey.Save))


def test_shift_enter_ends_a_line_like_enter(editor):
    editor.script_text.show("")
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "\n"


def test_files_are_not_pasted_as_text(editor):
    data = QMimeData()
    data.setText("AREA")
    assert editor.canInsertFromMimeData(data)
    data.setUrls([QUrl.fromLocalFile("Swamp.rnd")])
    assert not editor.canInsertFromMimeData(data)


def test_a_click_on_a_line_number_goes_to_the_line(editor):
    numbers = editor.numbers
    height = editor.fontMetrics().height()
    QTest.mousePress(numbers, Qt.MouseButton.LeftButton, pos=QPoint(5, 4 + 2 * height))
    assert editor.textCursor().blockNumber() == 2
    assert numbers.width() >= numbers.width_needed()
    before = numbers.width_needed()
    editor.script_text.show("\n" * 1200)
    assert numbers.width_needed() > before


def coloured(editor, line: int) -> dict[str, QColor]:
    block = editor.document().findBlockByNumber(line)
    return {
        block.text()[piece.start : piece.start + piece.length]: piece.format.foreground().color()
        for piece in block.layout().formats()
    }


def test_each_language_has_its_own_comments_and_words(editor):
    editor.script_text.show('5 u* hp ; all\nbegin{notes}\nhp 5 # "\nend{notes}\n1 # min-alt\n"a"')
    editor.set_language(script_host("Some.per").language)
    colours = inks(editor.palette())
    word = colours.keyword
    number = colours.number
    assert coloured(editor, 0) == {"5": number, "u*": word, "hp": word, "; all": colours.comment}
    assert coloured(editor, 1) == {"begin{notes}": word}
    assert coloured(editor, 2) == {'hp 5 # "': colours.comment}
    assert coloured(editor, 4) == {"1": number, "min-alt": word}
    editor.set_language(PLAIN_TEXT)
    assert coloured(editor, 0) == {}


def test_keywords_comments_quotes_and_numbers_are_coloured(editor):
    editor.set_language(LANGUAGE)
    colours = inks(editor.palette())
    assert coloured(editor, 0) == {"# a comment": colours.comment}
    assert coloured(editor, 1) == {
        "AREA": colours.keyword,
        "HAZARDS": colours.keyword,
        "50.": colours.number,
    }
    assert coloured(editor, 2) == {"TITLE": colours.keyword, '"The Bog"': colours.quoted}


def test_the_margin_and_the_text_are_painted_in_any_palette(editor):
    editor.set_problems([problem(2, 23, 26)])
    images = []
    for base in ("#ffffff", "#202020"):
        palette = editor.palette()
        palette.setColor(QPalette.ColorRole.Base, QColor(base))
        editor.setPalette(palette)
        editor.set_colours()
        images.append(editor.grab().toImage())
    assert images[0] != images[1]
    assert isinstance(editor.extraSelections()[0], QTextEdit.ExtraSelection)
