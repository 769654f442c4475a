"""A battleland made by hand: what the desk says of its file, script and seed is true and whole."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from app.desk import dock_room
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.help.tour import Tour
from app.features.help.tour_steps import STEPS
from app.features.start.feature import LastMap
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from tests.app.conftest import wait_for_actions
from tests.end_to_end.test_leaving_edited_scripts import Author
from tests.end_to_end.test_sides_of_the_window import resize

ALT = Qt.KeyboardModifier.AltModifier

ROOMY = dock_room.ROOMY


@pytest.fixture
def small(window, qtbot, monkeypatch):
    """A small window with the panels at the right, the script in front."""
    # The narrow windows of users.
    monkeypatch.setattr(dock_room, "ROOMY", ROOMY)
    resize(window, qtbot, QSize(1280, 860))
    resize(window, qtbot, QSize(800, 500))
    window.desk.docks.room.bring_back()
    window.desk.docks.show("randomize")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("randomize") is not None)
    qtbot.wait(50)
    return window


def roll_bar(window):
    return window.desk.docks.panel("randomize").roll_bar


@pytest.mark.deep
def test_a_seed_of_ten_digits_is_read_whole_in_a_small_window(small, qtbot):
    window = small
    seed = roll_bar(window).seed
    window.desk.rolling.key_choice.choose_seed = lambda: 4294967295
    window.desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: seed.value == 4294967295)
    assert seed.text() == "4294967295"
    needed = seed.fontMetrics().horizontalAdvance(seed.text())
    frame = 2 * 6  # what a field needs beside its text
    assert seed.isVisible()
    assert seed.width() >= needed + frame
    panel = window.desk.docks["randomize"]
    right = seed.mapTo(panel, seed.rect().topRight()).x()
    assert right <= panel.width()
    assert seed.cursorPosition() == 0, "a still narrower field shows the beginning"


def test_an_empty_map_has_no_seed_until_it_is_rolled(window, qtbot):
    desk = window.desk
    desk.docks.show("randomize")
    qtbot.waitUntil(lambda: desk.docks.find_panel("randomize") is not None)
    bar = roll_bar(window)
    assert bar.seed.text(), "the sample was rolled"
    desk.document.open_map(new_map(system_named("colossus")))
    assert bar.seed.text() == ""
    assert bar.number.text() == ""
    assert bar.seed.placeholderText() == "not rolled"
    bar.seed.setFocus()
    bar.number.setFocus()
    assert bar.seed.text() == "", "a field that was visited is still empty"
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: bar.seed.text() == "17")
    assert bar.number.text() == "0"
    desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: bar.seed.text() == "")


def test_a_seed_is_typed_into_the_empty_field(window, qtbot):
    desk = window.desk
    desk.document.open_map(new_map(system_named("colossus")))
    desk.docks.show("randomize")
    qtbot.waitUntil(lambda: desk.docks.find_panel("randomize") is not None)
    bar = roll_bar(window)
    bar.seed.setFocus()
    QTest.keyClicks(bar.seed, "0")
    assert (bar.seed.text(), bar.number.text()) == ("0", "0")
    with qtbot.waitSignal(desk.rolling.finished):
        QTest.keyClick(bar.seed, Qt.Key.Key_Return)
    assert desk.document.active_layer.roll.seed == 0


def paint(window):
    """Paint a cell of the map, so that there is something to save."""
    canvas = window.desk.canvas
    window.desk.tools.choose("terrain")
    middle = canvas.rect().center()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle)


def press_letter(box, text: str) -> None:
    """Press Alt and the letter that the button with this text marks."""
    (button,) = [each for each in box.buttons() if each.text().replace("&", "") == text]
    letter = button.text()[button.text().index("&") + 1]
    box.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(box, Qt.Key(ord(letter.upper())), ALT)


@pytest.mark.parametrize("text", ["Discard", "Cancel"])
def test_alt_and_a_letter_answer_the_question_about_unsaved_changes(window, qtbot, hand, text):
    desk = window.desk
    desk.document.open_map(new_map(system_named("colossus")))
    paint(window)
    qtbot.waitUntil(lambda: desk.document.current_map.unsaved)
    painted = desk.document.current_map
    question = hand.expect("Unsaved changes").do(lambda box: press_letter(box, text))
    desk.commands.run("file.close-map")
    wait_for_actions(qtbot)
    assert question.has_come
    assert (painted in desk.document.maps) == (text == "Cancel")


def test_every_button_of_a_question_has_a_letter_of_its_own(window, qtbot, hand):
    letters = []

    def look(box: QMessageBox) -> None:
        for button in box.buttons():
            text = button.text()
            letters.append(text[text.index("&") + 1].lower())
        press_letter(box, "Cancel")

    desk = window.desk
    desk.document.open_map(new_map(system_named("colossus")))
    paint(window)
    qtbot.waitUntil(lambda: desk.document.current_map.unsaved)
    question = hand.expect("Unsaved changes").do(look)
    desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come and QApplication.activeModalWidget() is None)
    assert len(letters) == 3
    assert len(set(letters)) == 3


@pytest.mark.deep
def test_saving_and_the_head_say_where_edits_of_the_script_are_kept(window, qtbot, hand, tmp_path):
    author = Author(qtbot, window, hand, tmp_path)
    bar = window.statusBar()
    head = window.desk.docks.panel("randomize").head
    line = head.project_note
    assert line.text() == ""
    author.type_edit()
    author.roll()
    assert line.text() == "", "no project keeps them yet"
    author.save_map()
    assert bar.currentMessage() == "Saved Moor.battlemap, with your edits of Bogs.rnd"
    assert line.text() == " (edits in the project only)"
    assert line.isVisible()
    assert head.title.text() == "Bogs.rnd", "nothing of it is unsaved"
    top = author.editor.y()
    paint(window)
    qtbot.waitUntil(lambda: window.desk.document.current_map.unsaved)
    assert line.text() == " (edits in the project only)", "the paint is no edit of the text"
    assert head.title.text() == "Bogs.rnd"
    author.type_edit()
    assert line.text() == "", "the last edit is not in it"
    assert author.editor.y() == top, "the text stays where it is"
    assert head.title.text() == "Bogs.rnd *"
    author.save_map()
    text = "Saved Moor.battlemap, without your last edits of Bogs.rnd: roll or save the script"
    qtbot.waitUntil(lambda: bar.currentMessage() == text)


def test_a_project_that_is_opened_by_another_session_says_that_it_keeps_the_script(
    window, qtbot, hand, tmp_path, settings
):
    author = Author(qtbot, window, hand, tmp_path)
    author.type_edit()
    author.roll()
    author.save_map()
    author.quit()
    again = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.desk.ready):
        again.show()
    card = again.findChild(LastMap)
    assert card.isVisible()
    assert card.button.text() == "Continue with Moor.battlemap"
    QTest.mouseClick(card.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: again.desk.document.path == author.project)
    assert card.isHidden()
    again.desk.docks.show("randomize")
    qtbot.waitUntil(lambda: again.desk.docks.find_panel("randomize") is not None)
    head = again.desk.docks.panel("randomize").head
    qtbot.waitUntil(lambda: head.title.text() == "Bogs.rnd")
    assert head.project_note.text() == " (in the project only)"


@pytest.mark.deep
def test_a_script_that_lies_beside_the_project_is_found_again(
    window, qtbot, hand, tmp_path, settings
):
    author = Author(qtbot, window, hand, tmp_path)
    author.roll()
    author.save_map()
    (script,) = tmp_path.glob("**/Bogs.rnd")
    script.rename(author.project.with_name("Bogs.rnd"))
    author.quit()
    again = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.desk.ready):
        again.show()
    again.desk.files.open_path(author.project)
    qtbot.waitUntil(lambda: again.desk.document.path == author.project)
    qtbot.waitUntil(lambda: again.desk.scripts.script.name == "Bogs.rnd")
    assert again.desk.scripts.script.path == author.project.with_name("Bogs.rnd")
    assert not again.desk.scripts.current.unsaved


@pytest.mark.deep
def test_the_sample_offers_no_map_to_somebody_who_has_none(window):
    assert window.findChild(LastMap) is None


@pytest.mark.deep
def test_the_hint_of_a_tool_ends_with_a_sentence_in_a_small_window(small, qtbot):
    small.desk.tools.choose("lock")
    qtbot.wait(50)
    tip = small.desk.tools.bar.tip
    assert tip.is_cut
    image_text = " ".join(tip.shown_lines)
    assert image_text.endswith(". …")
    assert tip.text().startswith(image_text.removesuffix(" …"))


@pytest.mark.deep
def test_repeated_clicks_on_next_go_through_the_whole_tour(window, qtbot):
    resize(window, qtbot, QSize(1272, 760))
    window.desk.commands.run("help.tour")
    (tour,) = window.findChildren(Tour)
    qtbot.waitUntil(tour.isVisible)
    corner = tour.card.pos()
    place = tour.card.next_button.mapTo(window, tour.card.next_button.rect().center())
    corners = []
    for _ in range(len(STEPS) - 1):
        below = window.childAt(place)
        QTest.mouseClick(below, Qt.MouseButton.LeftButton, pos=below.mapFrom(window, place))
        corners.append(tour.card.pos())
    assert tour.step is STEPS[-1]
    assert len(set(corners)) == 2, "it stands aside while it would hide what it speaks of"
    assert corners[-1] == corner
