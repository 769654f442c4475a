"""A script is learned from maps through the window: chosen, learned, looked at, changed, rolled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.background.actions import any_running
from app.document.map_files import new_map
from app.systems.colossus import learning_work
from app.systems.colossus.learn_dialog import LearnDialog
from app.systems.colossus.learned_strip import NO_REASON, LearnedStrip
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.__main__ import main
from randomizer.systems.colossus.board import HEX_OF_LABEL
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell, opened, wait_for_actions


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("script", "colossus", "gallery")


FOLDER_DIALOG = "A folder of battlelands"


def roll_maps(folder: Path, count: int) -> list[Path]:
    """Maps of a packaged script in a folder, by the command line."""
    assert main(f"roll Plains --seed 7 --count {count} --out {folder}/".split()) == 0
    return sorted(folder.iterdir())


def ask(window, qtbot) -> LearnDialog:
    window.desk.commands.run("randomize.script-from-maps")
    return opened(window, qtbot, LearnDialog)


def add_folder(dialog, hand, folder: Path) -> None:
    hand.hold(LearnDialog, ProblemDialog)
    hand.expect(FOLDER_DIALOG).type_path(folder)
    dialog.folder_button.click()
    while any_running():
        QTest.qWait(5)


def rows(dialog) -> dict[str, bool]:
    """The names of the listed maps, and whether they are ticked."""
    items = [dialog.source_list.item(row) for row in range(dialog.source_list.count())]
    return {item.text(): item.checkState() is Qt.CheckState.Checked for item in items}


def heat(window):
    return window.desk.renderer.heat


def test_a_script_is_learned_seen_changed_and_rolled(window, qtbot, hand, tmp_path):
    paths = roll_maps(tmp_path / "Steppe", 6)
    desk = window.desk
    scripts = window.desk.scripts
    own = desk.document.current_map
    desk.docks.panel("randomize").editor.insertPlainText("# not saved\n")
    script_before = scripts.current
    dialog = ask(window, qtbot)
    assert not dialog.learn_button.isEnabled()
    add_folder(dialog, hand, tmp_path / "Steppe")
    listed = rows(dialog)
    assert listed.pop(desk.document.display_name) is False
    assert listed == {path.name: True for path in paths}
    QTest.keyClick(dialog.name_field, Qt.Key.Key_Return)
    work = dialog.work
    qtbot.waitUntil(lambda: bool(work.best) and len(work.best.versions) > 1)
    assert "at a distance of" in dialog.status.text
    dialog.learn_button.click()  # take the best so far

    assert scripts.current is not script_before
    assert len(desk.document.maps) == 2  # it belongs to no map: it has one of its own
    assert desk.document.current_map is not own
    assert script_before.text.text().startswith("# not saved")
    learned = work.best
    texts = [version.text for version in learned.versions]
    assert scripts.script.name == "Steppe.rnd"
    assert scripts.script.path is None
    assert scripts.current.unsaved
    assert scripts.text.text() == texts[learned.proposed_index]
    strip = window.findChild(LearnedStrip)
    assert strip.isVisible()
    bits = learned.version.fit
    assert f"distance of {bits.total:.1f}" in strip.fit_label.text()
    assert "6 maps" in strip.fit_label.text()
    assert strip.heat_map_box.isChecked()
    assert heat(window)[cell("D4")] == bits.hex_bits[HEX_OF_LABEL["D4"]]

    # Why this line: at the caret, and under the mouse.
    editor = desk.docks.panel("randomize").editor
    line, reason = next(iter(learned.version.reasons.items()))
    editor.go_to(line)
    assert strip.reason_label.text() == reason.text
    assert reason.text in editor.help_at(editor.textCursor().position())
    editor.go_to(1)
    assert strip.reason_label.text() != reason.text

    # The slider: one undo step each.
    other = (learned.proposed_index + 1) % 2
    editor.go_to(line)
    strip.slider.setValue(other)
    caret_line, _column = editor.cursor_place()
    reasons = learned.versions[other].reasons
    assert strip.reason_label.text() == (
        reasons[caret_line].text if caret_line in reasons else NO_REASON
    )
    assert scripts.text.text() == texts[other]
    assert scripts.current.unsaved
    scripts.text.undo()
    assert scripts.text.text() == texts[learned.proposed_index]
    assert strip.slider.value() == learned.proposed_index
    editor.go_to(1)
    editor.insertPlainText("# by hand\n")
    assert not strip.slider.isEnabled()
    assert "by hand" in strip.fit_label.text()
    editor.go_to(line + 1)  # the edit has moved it
    assert strip.reason_label.text() == reason.text
    while not strip.slider.isEnabled():
        scripts.text.undo()
    assert scripts.text.text() == texts[learned.proposed_index]

    # A roll is seen without the colours, and undone.
    qtbot.waitUntil(lambda: scripts.checker.fresh)
    desk.rolling.roll()
    qtbot.waitUntil(lambda: not desk.document.battlemap.is_blank())
    assert heat(window) is None
    assert not strip.heat_map_box.isChecked()
    desk.document.undo()
    assert desk.document.battlemap.is_blank()
    strip.heat_map_box.click()
    assert heat(window) is not None

    # On the map that was current before nothing of it is seen.
    desk.document.make_current(own)
    assert scripts.current is script_before
    assert not strip.isVisible()
    assert heat(window) is None


def test_broken_maps_and_those_of_other_games_are_left_out_and_named(
    window, qtbot, monkeypatch, tmp_path
):
    # Learning goes on for a minute otherwise.
    monkeypatch.setattr(learning_work, "MAX_SECONDS", 0.0)
    first, second = roll_maps(tmp_path, 2)
    (tmp_path / "Broken.xml").write_text(first.read_text()[:200])
    lost = first.read_text().replace("<battlemap", '<!DOCTYPE battlemap SYSTEM "x.dtd"><battlemap')
    (tmp_path / "Lost in the game.xml").write_text(lost)
    (tmp_path / "Notes.json").write_text('{"version": 1}')
    assert main(f"roll Landscape --seed 1 --out {tmp_path / 'Free.battlemap'}".split()) == 0
    dialog = ask(window, qtbot)
    dialog.add_files(sorted(tmp_path.glob("*.*")))
    dialog.name_field.setText("../Two")
    dialog.learn_button.click()
    problems = opened(window, qtbot, ProblemDialog)
    text = problems.text.toPlainText()
    for name in ("Broken.xml", "Lost in the game.xml", "Notes.json", "Free.battlemap"):
        assert name in text
    assert first.name not in text
    assert second.name not in text
    assert window.desk.scripts.script.name == "Two.rnd"
    assert len(window.desk.document.maps) == 2
    assert "2 maps" in window.findChild(LearnedStrip).fit_label.text()


def test_an_empty_folder_is_said_at_once(window, qtbot, hand, tmp_path):
    dialog = ask(window, qtbot)
    add_folder(dialog, hand, tmp_path)
    assert "no map in this folder" in dialog.status.text
    assert not dialog.learn_button.isEnabled()
    hand.expect(FOLDER_DIALOG).escape()
    dialog.folder_button.click()
    wait_for_actions(qtbot)
    assert not dialog.learn_button.isEnabled()


def test_where_no_map_is_left_nothing_is_learned(window, qtbot, tmp_path):
    (tmp_path / "Broken.xml").write_text("<Battleland")
    script = window.desk.scripts.current
    dialog = ask(window, qtbot)
    dialog.add_files([tmp_path / "Broken.xml"])
    dialog.learn_button.click()
    problems = opened(dialog, qtbot, ProblemDialog)
    assert "Broken.xml" in problems.text.toPlainText()
    assert "no battleland" in dialog.status.text
    assert dialog.isVisible()
    assert window.desk.scripts.current is script
    dialog.reject()


def test_a_closed_dialog_learns_nothing(window, qtbot, tmp_path):
    paths = roll_maps(tmp_path, 2)
    script = window.desk.scripts.current
    dialog = ask(window, qtbot)
    dialog.add_files(paths)
    dialog.learn_button.click()
    assert any_running()
    dialog.reject()
    wait_for_actions(qtbot)
    assert window.desk.scripts.current is script


def test_picked_rolls_of_the_gallery_are_ticked(window, qtbot):
    desk = window.desk
    desk.docks.panel("randomize").editor.insertPlainText("AREA D4 HAZARDS Tree,50.\n")
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: len(gallery.maps.model.candidates) == 48)
    gallery.maps.view.selectAll()
    picked = [each.name for each in gallery.maps.view.chosen()]
    # The menu is asked for where a map lies; it has no key.
    gallery.maps.map_actions._show_menu(QPoint(1, 1))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    (action,) = [each for each in menu.actions() if "picked maps" in each.text()]
    menu.close()
    action.trigger()
    dialog = opened(window, qtbot, LearnDialog)
    assert [name for name, ticked in rows(dialog).items() if ticked] == picked
    assert desk.document.display_name in rows(dialog)


def test_maps_of_other_systems_do_not_offer_it(free):
    action = free.desk.commands.action("randomize.script-from-maps")
    assert not action.isVisible()
    free.desk.document.open_map(new_map(SYSTEM))
    assert action.isVisible()
