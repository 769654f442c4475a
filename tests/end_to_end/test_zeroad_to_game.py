"""A map of 0 A.D. goes to the game, where nothing of the game is there yet, or to Atlas."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.background.actions import run
from app.document.map_files import new_map
from app.features.command_palette.dialog import CommandPalette
from app.features.game.export_dialog import NO_PLAN, PLANNING, ExportDialog
from app.features.game.game_chooser import TYPING
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import system_named
from randomizer.formats.checked import write_checked
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.installation.game_folders import VARIABLE, look_in
from randomizer.systems.zeroad.map_format.map_json import map_of
from tests.end_to_end.hand import text_of
from tests.end_to_end.test_new_scripts import find
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map
from tests.randomizer.systems.zeroad.given_places import GivenPlaces

CTRL = Qt.KeyboardModifier.ControlModifier

DRIVEN_DIALOGS = (CommandPalette, ExportDialog)


@pytest.fixture
def mods(window, tmp_path, monkeypatch):
    """The folder of the mods, which does not exist yet; a map of 0 A.D. is the current one."""
    folder = tmp_path / "0ad" / "mods"
    monkeypatch.delenv(VARIABLE, raising=False)
    look_in(GivenPlaces(user_mod=folder / "user"))
    window.desk.document.open_map(new_map(system_named("zeroad")))
    return folder


def open_dialog(window, qtbot) -> ExportDialog:
    qtbot.waitUntil(lambda: window.desk.games.ready)
    window.desk.commands.run("file.export-to-game")
    dialog = window.desk.games.dialog
    qtbot.waitUntil(dialog.export_button.isEnabled)
    return dialog


def test_a_folder_that_does_not_exist_is_said_to_be_made_by_the_export(window, qtbot, mods):
    dialog = open_dialog(window, qtbot)
    status = dialog.chooser.status
    assert "The folder “mods” does not exist yet" in status.label.text()
    assert "an export from here makes it" in status.label.text()
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert (mods / "user" / "maps" / "random").is_dir()
    dialog.game_folder.refresh()
    text = "The folder of 0 A.D.’s mods is there, with 1 mod and 1 map."
    qtbot.waitUntil(lambda: status.label.text() == text)
    dialog.close()


def test_a_path_that_does_not_exist_is_said_and_never_replaced_without_a_word(
    window, qtbot, mods, tmp_path
):
    mods.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    line = dialog.chooser.line
    status = dialog.chooser.status
    missing = mods.parent / "nowhere" / "abc"
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(missing))
    assert status.label.text() == TYPING
    assert not dialog.form.group_choice.box.isEnabled()
    assert not dialog.export_button.isEnabled()
    QTest.keyClick(line, Qt.Key.Key_Tab)
    meant = f"There is no folder {missing}; did you mean {mods}?"
    qtbot.waitUntil(lambda: status.label.text() == meant)
    assert line.text() == str(missing)
    assert not dialog.export_button.isEnabled()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(mods.parent))
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert line.text() == str(mods)
    dialog.close()


@pytest.mark.deep
def test_the_name_of_the_map_file_is_suggested_and_its_fault_moves_no_field(
    window, qtbot, hand, mods, tmp_path
):
    hand.expect("Save map as").type_path(tmp_path / "My Hill.battlemap")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: window.desk.document.current_map.path is not None)
    dialog = open_dialog(window, qtbot)
    assert dialog.form.slot_choice.name.text() == "My_Hill"
    y = dialog.form.slot_choice.name.y()
    dialog.form.slot_choice.name.selectAll()
    QTest.keyClicks(dialog.form.slot_choice.name, "My Hill/1")
    qtbot.waitUntil(dialog.form.name_fault.isVisible)
    qtbot.waitUntil(lambda: "leave out the /" in dialog.form.name_fault.text)
    assert dialog.form.slot_choice.name.y() == y
    assert dialog.form.name_fault.y() > dialog.form.version.y()
    dialog.close()


@pytest.mark.deep
def test_a_plan_that_takes_time_is_said_to_be_made(window, qtbot, mods):
    qtbot.waitUntil(lambda: window.desk.games.ready)
    window.desk.commands.run("file.export-to-game")
    dialog = window.desk.games.dialog
    qtbot.waitUntil(lambda: dialog.plan_view.placeholderText() == PLANNING)
    assert not dialog.export_button.isEnabled()
    assert dialog.plan_view.toPlainText() == ""
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert "my_map.js" in dialog.plan_view.toPlainText()
    assert dialog.plan_view.placeholderText() != PLANNING
    dialog.close()


def test_a_plan_goes_as_soon_as_another_name_is_typed(window, qtbot, mods):
    dialog = open_dialog(window, qtbot)
    plan_view = dialog.plan_view
    assert "my_map.js" in plan_view.toPlainText()
    dialog.form.slot_choice.name.setFocus()
    QTest.keyClicks(dialog.form.slot_choice.name, "s")
    assert plan_view.toPlainText() == ""
    assert plan_view.placeholderText() == PLANNING
    assert not dialog.export_button.isEnabled()
    QTest.keyClick(dialog.form.slot_choice.name, Qt.Key.Key_Return)
    assert not mods.exists(), "the old plan is never carried out"
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert "my_maps.js" in plan_view.toPlainText()
    QTest.keyClick(dialog.form.slot_choice.name, Qt.Key.Key_A, CTRL)
    QTest.keyClick(dialog.form.slot_choice.name, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: plan_view.placeholderText() == NO_PLAN)
    dialog.close()


@pytest.fixture
def hills(qtbot, window, mods):
    """The desk with a map that was rolled by a new script, which is in no file yet."""
    pytest.importorskip("py_mini_racer")
    desk = window.desk
    find(qtbot, window, "new map script", "Randomize > New 0 A.D. map script")
    qtbot.waitUntil(lambda: desk.scripts.script.name == "Untitled.js")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")
    return desk


def choose_script(dialog) -> None:
    """Choose the script in the list of what to export, by its key."""
    dialog.form.content.setFocus()
    QTest.keyClick(dialog.form.content, Qt.Key.Key_Down)
    assert dialog.form.content.currentText().startswith("The script ")


@pytest.mark.deep
def test_a_map_and_a_script_in_the_game_are_both_counted_and_the_script_is_named(
    window, qtbot, mods, hills
):
    dialog = open_dialog(window, qtbot)
    choose_script(dialog)
    dialog.form.slot_choice.name.selectAll()
    QTest.keyClicks(dialog.form.slot_choice.name, "two_hills")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert "the map “Two hills” in the game" in text_of(dialog)
    dialog.close()
    dialog = open_dialog(window, qtbot)
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    dialog.game_folder.refresh()
    text = "The folder of 0 A.D.’s mods is there, with 1 mod, 1 map and 1 script."
    qtbot.waitUntil(lambda: dialog.chooser.status.label.text() == text)
    dialog.close()


def test_the_script_of_a_map_goes_to_the_game_as_a_random_map(window, qtbot, mods, hills):
    dialog = open_dialog(window, qtbot)
    choose_script(dialog)
    assert dialog.form.slot_choice.name.text() == "my_map"
    assert not dialog.form.version.isVisible()
    assert not dialog.exported_map.picture.isVisible()
    dialog.form.slot_choice.name.selectAll()
    QTest.keyClicks(dialog.form.slot_choice.name, "two_hills")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    folder = mods / "user" / "maps" / "random"
    assert {path.name for path in folder.iterdir()} == {"two_hills.js", "two_hills.json"}
    assert (folder / "two_hills.js").read_text("utf-8") == hills.scripts.text.text()
    settings = json.loads((folder / "two_hills.json").read_text("utf-8"))["settings"]
    assert settings["Name"] == "Two hills"
    assert settings["Script"] == "two_hills.js"
    assert hills.document.current_map.source is None, "the map itself is not in the game"

    # Once more, edited: what was exported from here is replaced.
    dialog.close()
    hills.scripts.text.replace(hills.scripts.text.text().replace("23 * 92", "24 * 92"))
    dialog = open_dialog(window, qtbot)
    choose_script(dialog)
    dialog.form.slot_choice.name.selectAll()
    QTest.keyClicks(dialog.form.slot_choice.name, "two_hills")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert "Replaces maps/random/two_hills.js" in dialog.plan_view.toPlainText().replace(
        "user/", ""
    )
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert "24 * 92" in (folder / "two_hills.js").read_text("utf-8")
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: not dialog.take_back_button.isVisible())
    assert "23 * 92" in (folder / "two_hills.js").read_text("utf-8")
    dialog.close()


def test_a_script_with_a_mistake_is_not_exported_and_its_line_is_told(window, qtbot, mods, hills):
    text = hills.scripts.text.text()
    line = 1 + text[: text.index("yield 80")].count("\n")
    hills.scripts.text.replace(text.replace("yield 80", "yield ) 80"))
    dialog = open_dialog(window, qtbot)
    choose_script(dialog)
    qtbot.waitUntil(lambda: dialog.problem_list.isVisible() and dialog.problem_list.isEnabled())
    assert dialog.problem_list.problems[0].line == line
    assert not dialog.export_button.isEnabled()
    assert not mods.exists()
    dialog.close()


@pytest.mark.deep
def test_a_bracket_that_is_typed_and_not_closed_is_a_problem_of_its_own_line(window, qtbot, hills):
    panel = hills.docks.panel("randomize")
    panel.editor.setFocus()
    cursor = panel.editor.textCursor()
    cursor.setPosition(panel.editor.text().index("yield 80"))
    panel.editor.setTextCursor(cursor)
    line = cursor.blockNumber() + 1
    QTest.keyClicks(panel.editor, "zzz(")
    QTest.keyClick(panel.editor, Qt.Key.Key_Delete)  # the ")" that the editor adds, or a letter
    qtbot.waitUntil(lambda: len(panel.problem_list.problems) == 1)
    assert panel.problem_list.problems[0].message == 'this "(" is never closed'
    assert panel.problem_list.problems[0].line == line


@pytest.mark.deep
def test_a_packaged_script_brings_its_libraries_and_its_picture(window, qtbot, mods):
    pytest.importorskip("py_mini_racer")
    desk = window.desk
    generator = generator_named("Hill country")
    run(desk.scripts.opening.open_generator(generator, roll=True))
    qtbot.waitUntil(lambda: desk.rolling.target() is not None and not desk.rolling.busy)
    dialog = open_dialog(window, qtbot)
    choose_script(dialog)
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    folder = mods / "user" / "maps" / "random"
    assert (folder / "hill_country" / "hill_country.js").is_file()
    assert (folder / "battlelands" / "biomes.json").is_file()
    pictures = mods / "user" / "art" / "textures" / "ui" / "session" / "icons" / "mappreview"
    assert (pictures / "hill_country.png").is_file()
    dialog.close()

    # What was exported is a script that rolls by itself: nothing of it is missing.
    run(desk.scripts.opening.open(folder / "hill_country.js", roll=True))
    qtbot.waitUntil(lambda: desk.scripts.script.path == folder / "hill_country.js")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert desk.rolling.target().roll.script_name == "hill_country.js"


@pytest.mark.deep
def test_a_map_that_no_script_made_offers_no_script(window, qtbot, mods, tmp_path):
    path = tmp_path / "my_hill.js"
    path.write_bytes(write_checked(FORMAT, map_of(finished_map(16))))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.current_map.path == path)
    dialog = open_dialog(window, qtbot)
    assert not dialog.form.content.isVisible()
    dialog.close()


@pytest.mark.deep
def test_a_folder_of_mods_without_the_users_own_is_not_counted_as_one(window, qtbot, mods):
    mods.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    assert "Your own mod “user” does not exist yet" in dialog.chooser.status.label.text()
    dialog.close()


@pytest.mark.deep
def test_the_scenario_for_atlas_begins_in_the_folder_of_the_chosen_mod(window, qtbot, hand, mods):
    scenarios = mods / "user" / "maps" / "scenarios"
    scenarios.mkdir(parents=True)
    dialog = open_dialog(window, qtbot)
    hand.expect("Export map as").type_path("Moor")
    dialog.export_as_button.click()
    qtbot.waitUntil((scenarios / "Moor.xml").exists)
    qtbot.waitUntil(lambda: "Exported" in window.statusBar().currentMessage())


def test_a_button_leads_on_to_the_scenario_for_atlas(window, qtbot, hand, mods, tmp_path):
    dialog = open_dialog(window, qtbot)
    assert dialog.export_as_button.isVisible()
    hand.expect("Export map as").type_path(tmp_path / "Moor")
    dialog.export_as_button.click()
    qtbot.waitUntil(lambda: "Exported" in window.statusBar().currentMessage())
    assert "in the folder maps/scenarios of a mod." in window.statusBar().currentMessage()
    assert {path.name for path in tmp_path.glob("Moor*")} == {"Moor.pmp", "Moor.xml"}


@pytest.mark.deep
def test_a_finished_map_says_that_no_script_made_it_and_what_roll_does(window, qtbot, tmp_path):
    path = tmp_path / "my_hill.js"
    path.write_bytes(write_checked(FORMAT, map_of(finished_map(16))))
    desk = window.desk
    desk.docks.show("randomize")
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.current_map.path == path)
    head = desk.docks.panel("randomize").head
    qtbot.waitUntil(head.about_map.isVisible)
    script_name = desk.scripts.script.name
    assert head.about_map.text() == f"No script made this map. Roll adds a layer by {script_name}."
    desk.document.open_map(new_map(system_named("zeroad")))
    assert not head.about_map.isVisible()


@pytest.mark.deep
def test_a_script_that_is_opened_beside_a_finished_map_has_a_map_of_its_own(
    window, qtbot, hand, tmp_path
):
    path = tmp_path / "my_hill.js"
    path.write_bytes(write_checked(FORMAT, map_of(finished_map(16))))
    script = tmp_path / "own.js"
    script.write_text("export function* generateMap(settings)\n{\n\treturn null;\n}\n")
    desk = window.desk
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.current_map.path == path)
    finished = desk.document.current_map
    script_name = desk.scripts.script.name
    hand.expect("Open").type_path(script)
    desk.commands.run("file.open")
    qtbot.waitUntil(lambda: desk.scripts.script.path == script)
    assert desk.document.current_map is not finished
    assert desk.document.battlemap.is_blank()
    assert desk.document.battlemap.system.name == "zeroad"
    message = window.statusBar().currentMessage()
    assert message == "own.js has a map of its own; my_hill.js stays in its tab"
    desk.document.make_current(finished)
    assert desk.scripts.script.name == script_name


@pytest.mark.deep
def test_a_finished_map_shows_the_script_beside_it_by_which_it_was_rolled(
    window, qtbot, hand, mods, hills
):
    folder = mods / "user" / "maps" / "random"
    folder.mkdir(parents=True)
    hand.expect("Save script").type_path(folder / "hills.js")
    hills.commands.run("script.save")
    qtbot.waitUntil((folder / "hills.json").exists)
    with qtbot.waitSignal(hills.rolling.rolled):
        hills.commands.run("script.roll")
    dialog = open_dialog(window, qtbot)
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    dialog.close()
    text = hills.scripts.text.text()

    # Another map with another script is shown, then the finished map is opened.
    hills.document.open_map(new_map(system_named("zeroad")))
    run(hills.scripts.opening.open_generator(generator_named("Lakeside")))
    qtbot.waitUntil(lambda: hills.scripts.script.name == "lakeside.js")
    hills.docks.show("randomize")
    hills.files.open_path(folder / "my_map.js")
    qtbot.waitUntil(lambda: hills.document.path == folder / "my_map.js")
    assert hills.scripts.script.path == folder / "hills.js"
    assert hills.scripts.text.text() == text
    head = hills.docks.panel("randomize").head
    qtbot.waitUntil(head.about_map.isVisible)
    assert head.about_map.text() == "hills.js made this map. Roll adds a layer by it."


@pytest.mark.deep
def test_a_finished_map_of_a_packaged_script_shows_that(window, qtbot, tmp_path):
    pytest.importorskip("py_mini_racer")
    desk = window.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    run(desk.scripts.opening.open_generator(generator_named("Lakeside"), roll=True))
    qtbot.waitUntil(lambda: desk.rolling.target() is not None and not desk.rolling.busy)
    path = tmp_path / "my_lake.js"
    path.write_bytes(write_checked(FORMAT, desk.document.battlemap))
    run(desk.scripts.opening.open_generator(generator_named("Hill country")))
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.path == path)
    assert desk.scripts.script.name == "lakeside.js"
    assert (
        desk.scripts.layer_sentences.about_map()
        == "lakeside.js made this map. Roll adds a layer by it."
    )


@pytest.mark.deep
def test_a_map_goes_into_a_mod_whose_name_is_typed(window, qtbot, mods):
    older_map = mods / "user" / "maps" / "random"
    older_map.mkdir(parents=True)
    (older_map / "older.js").write_bytes(write_checked(FORMAT, map_of(finished_map(16))))
    (older_map / "older.json").write_text("{}", "utf-8")
    dialog = open_dialog(window, qtbot)
    assert not dialog.form.group_choice.name.isVisible()
    assert dialog.form.slot_choice.box.findText("older") >= 0
    dialog.form.group_choice.box.setCurrentText("New mod...")
    assert dialog.form.group_choice.name.isVisible()
    assert dialog.form.slot_choice.box.findText("older") < 0, "a new mod has no maps yet"
    dialog.form.group_choice.name.selectAll()
    QTest.keyClicks(dialog.form.group_choice.name, "my/maps")
    qtbot.waitUntil(dialog.form.name_fault.isVisible)
    assert "cannot be the name of a mod" in dialog.form.name_fault.text
    dialog.form.group_choice.name.selectAll()
    QTest.keyClicks(dialog.form.group_choice.name, "rivers")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert "The mod rivers is new: its folder is made." in dialog.plan_view.toPlainText()
    assert "Settings > Mod Selection" in dialog.plan_view.toPlainText()
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert (mods / "rivers" / "mod.json").is_file()
    assert (mods / "rivers" / "maps" / "random" / "my_map.js").is_file()
    dialog.close()


@pytest.mark.deep
def test_the_script_beside_a_map_puts_no_number_into_the_maps_name(
    window, qtbot, hand, hills, tmp_path
):
    hand.expect("Save script").type_path(tmp_path / "ring.js")
    hills.commands.run("script.save")
    qtbot.waitUntil(lambda: hills.scripts.script.path == tmp_path / "ring.js")
    assert (tmp_path / "ring.json").exists()
    saving = hand.expect("Save map as").press("Cancel")
    hills.commands.run("file.save-as")
    qtbot.waitUntil(lambda: saving.has_come)
    assert saving.text.splitlines()[0].split(".")[0] == "ring"


@pytest.mark.deep
def test_a_script_without_a_name_is_offered_the_name_of_the_map(
    window, qtbot, mods, hand, hills, tmp_path
):
    """The name of the map's file became "my_map" when its script was to be exported instead."""
    hand.expect("Save map as").type_path(tmp_path / "own.battlemap")
    hills.commands.run("file.save-as")
    qtbot.waitUntil(lambda: hills.document.path is not None)
    dialog = open_dialog(window, qtbot)
    assert dialog.form.slot_choice.name.text() == "own"
    choose_script(dialog)
    assert dialog.form.slot_choice.name.text() == "own"
    qtbot.waitUntil(dialog.export_button.isEnabled)
    plan = dialog.plan_view.toPlainText()
    assert "own.js" in plan
    assert "The script has no picture: the game's list shows none." in plan
    dialog.close()


def enter_path(dialog, path) -> None:
    line = dialog.chooser.line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, str(path))
    QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.deep
def test_the_mod_whose_folder_is_named_gets_the_map(window, qtbot, mods):
    """The user's own mod was chosen without a word, whichever folder was named."""
    for name in ("rivers", "user"):
        (mods / name / "maps" / "random").mkdir(parents=True)
    (mods / "notes").mkdir()
    dialog = open_dialog(window, qtbot)
    group = dialog.form.group_choice
    assert group.title == "user"
    status = dialog.chooser.status
    for named in ("rivers", "user", "rivers/maps/random"):
        enter_path(dialog, mods / named)
        qtbot.waitUntil(dialog.export_button.isEnabled)
        assert group.title == named.partition("/")[0]
        assert dialog.chooser.line.text() == str(mods)
        assert f"Writes {group.title}/maps/random/" in dialog.plan_view.toPlainText()
    enter_path(dialog, mods / "notes")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert status.text == (
        "The folder “notes” is no mod: it has neither a file mod.json nor a folder maps/random."
    )
    dialog.close()

    # The next dialog begins with the usual mod again.
    dialog = open_dialog(window, qtbot)
    qtbot.waitUntil(lambda: "with 2 mods" in dialog.chooser.status.text)
    assert dialog.form.group_choice.title == "user"
    dialog.close()
