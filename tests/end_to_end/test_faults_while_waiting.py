"""A fault at any wait of an action is told once; afterwards maps are saved, and the program quits.

(Saving and quitting: ``test_faults_while_saving``.)
"""

from __future__ import annotations

import pytest

from app.background.actions import any_running
from app.fault_log import LOG
from app.features.compare.window import CompareWindow
from app.features.fairness.balance_dialog import BalanceDialog
from app.features.fairness.fight_dialog import FightDialog
from app.features.game.export_dialog import ExportDialog
from app.features.game.game_chooser import ChooseGameDialog
from app.features.game.group.window import GroupWindow
from app.features.game.plan_dialog import GroupExportDialog
from app.features.game.take_back_dialog import TakeBackDialog
from app.features.new_map.dialog import NewMapDialog
from app.features.pictures.picture_dialog import PictureDialog
from app.features.terrains.fields import OWN_PICTURE
from app.systems.colossus.learn_dialog import LearnDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.formats.checked import write_checked
from randomizer.model.edits.terrain_entries import EntryList
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.records import Side, Sides
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.conftest import new_map_dialog, opened, wait_for_actions
from tests.app.made_up_game import make_game, small_map
from tests.daily import deep_but, deep_but_last
from tests.randomizer.own_terrains import PNG
from tests.randomizer.systems.colossus.few_battles import balance_few, fight_few
from tests.randomizer.systems.xconq.tiny_period import TEXT, unit, world

DRIVEN_DIALOGS = (
    BalanceDialog,
    ChooseGameDialog,
    CompareWindow,
    ExportDialog,
    FightDialog,
    GroupExportDialog,
    GroupWindow,
    LearnDialog,
    NewMapDialog,
    PictureDialog,
    ProblemDialog,
    TakeBackDialog,
)

pytestmark = pytest.mark.usefixtures("told_faults")


@pytest.fixture
def game(tmp_path, settings):
    game = make_game(tmp_path / "game")
    settings.set_game_dir("colossus", game)
    return game


@pytest.fixture
def land(window):
    """The window with a free map, in which something is painted, as the current one."""
    document = window.desk.document
    document.open_map(free_map(FLAT, 12, 9))
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [8], 3)
    assert document.push(edit, "Paint")
    return window


@pytest.fixture
def fail_in(window, qtbot, break_once):
    """Does something in which a step fails, and waits until that is told."""

    def fail(step: str, act) -> None:
        break_once(step)
        act()
        told = opened(window, qtbot, ProblemDialog)
        wait_for_actions(qtbot)
        assert [fault.count for fault in LOG.faults] == [1]
        assert told.text.toPlainText().count("ForcedError") == 1
        told.reject()

    return fail


@pytest.fixture
def leave(window, qtbot, hand, tmp_path):
    """Saves the current map to a new file, and closes the window."""

    def save_and_quit() -> None:
        document = window.desk.document
        path = tmp_path / "after.battlemap"
        hand.expect("Save map as").type_path(path)
        window.desk.commands.run("file.save-as")
        qtbot.waitUntil(lambda: path.exists() and not document.modified)
        window.close()
        qtbot.waitUntil(lambda: not window.isVisible())
        assert not any_running()

    return save_and_quit


# --- games ---------------------------------------------------------------------------------------

EXPORTING = "app.features.game.exporting"


def ready_to_export(window, qtbot) -> ExportDialog:
    window.desk.commands.run("file.export-to-game")
    dialog = opened(window, qtbot, ExportDialog)
    qtbot.waitUntil(lambda: dialog.form.group_choice.box.findText("Default") >= 0)
    dialog.form.group_choice.box.setCurrentText("Default")
    dialog.form.slot_choice.box.setCurrentText("Plains")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    return dialog


def can_be_left(dialog) -> bool:
    return dialog.buttons.isEnabled() and dialog.chooser.isEnabled()


@pytest.mark.parametrize(
    "step",
    deep_but_last(
        [
            f"{EXPORTING}.Job",
            f"{EXPORTING}.GameExport.commit",
            f"{EXPORTING}.GameExport._write",
            "app.features.game.game_folder.GameFolder.refresh",
            "app.features.game.export_dialog.ExportDialog.show_export",
            "app.document.document.MapDocument.set_source",
        ]
    ),
)
def test_while_a_map_is_exported(window, qtbot, game, fail_in, leave, step):
    dialog = ready_to_export(window, qtbot)
    fail_in(step, dialog.export_button.click)
    assert can_be_left(dialog)
    dialog.form.slot_choice.box.setCurrentText("Tower")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.export_button.click()
    qtbot.waitUntil((game / "Default" / "Battlelands" / "Tower.xml").exists)
    wait_for_actions(qtbot)
    dialog.close()
    assert not dialog.isVisible()
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    "step",
    deep_but_last(
        [f"{EXPORTING}.Job", "app.features.game.export_dialog.ExportDialog._display_plan"]
    ),
)
def test_while_an_export_is_planned(window, qtbot, game, fail_in, leave, step):
    dialog = ready_to_export(window, qtbot)
    fail_in(step, lambda: dialog.form.slot_choice.box.setCurrentText("Brush"))
    dialog.form.slot_choice.box.setCurrentText("Tower")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    dialog.close()
    assert not dialog.isVisible()
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    "step", deep_but_last([f"{EXPORTING}.Job", "app.document.document.MapDocument.set_source"])
)
def test_while_an_export_is_taken_back_where_it_was_made(window, qtbot, game, fail_in, leave, step):
    dialog = ready_to_export(window, qtbot)
    dialog.export_button.click()
    wait_for_actions(qtbot)
    fail_in(step, dialog.take_back_button.click)
    assert can_be_left(dialog)
    dialog.close()
    assert not dialog.isVisible()
    leave()


@pytest.mark.parametrize(
    "step",
    deep_but_last(
        [f"{EXPORTING}.Job", "app.features.game.take_back_dialog.TakeBackDialog._target_text"]
    ),
)
def test_while_an_export_is_taken_back(window, qtbot, game, fail_in, leave, step):
    dialog = ready_to_export(window, qtbot)
    dialog.export_button.click()
    wait_for_actions(qtbot)
    dialog.close()
    window.desk.commands.run("file.take-back-an-export")
    dialog = opened(window, qtbot, TakeBackDialog)
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    fail_in(step, dialog.take_back_button.click)
    qtbot.waitUntil(lambda: not dialog.status.busy)
    dialog.close()
    assert not dialog.isVisible()
    leave()


GROUP = "app.features.game.group.group_export"
GROUP_WINDOW = "app.features.game.group.window.GroupWindow"


@pytest.mark.deep
@pytest.mark.parametrize(
    "step",
    deep_but_last([f"{EXPORTING}.Job", f"{GROUP}.GroupExportDialog", f"{GROUP}.answer"]),
)
def test_while_a_whole_group_is_planned(window, qtbot, game, fail_in, leave, step):
    group = whole_group(window, qtbot)
    fail_in(step, group.export_button.click)
    assert group.export_button.isEnabled()
    assert not group.status.busy
    group.close()
    leave()


@pytest.mark.deep
def test_while_a_whole_group_is_written(window, qtbot, game, break_once, leave):
    group = whole_group(window, qtbot)
    group.export_button.click()
    dialog = opened(window, qtbot, GroupExportDialog)
    break_once(f"{EXPORTING}.Job")
    dialog.export_button.click()
    opened(window, qtbot, ProblemDialog).reject()
    assert dialog.buttons.isEnabled()
    dialog.reject()
    wait_for_actions(qtbot)
    qtbot.waitUntil(group.export_button.isEnabled)
    group.close()
    leave()


@pytest.mark.deep
def test_while_the_export_of_a_whole_group_is_told(window, qtbot, game, fail_in, leave):
    group = whole_group(window, qtbot)
    group.export_button.click()
    dialog = opened(window, qtbot, GroupExportDialog)
    fail_in(f"{GROUP_WINDOW}._report_result", dialog.export_button.click)
    qtbot.waitUntil(group.export_button.isEnabled)
    group.close()
    leave()


def whole_group(window, qtbot) -> GroupWindow:
    window.desk.commands.run("file.whole-variant")
    group = opened(window, qtbot, GroupWindow)
    qtbot.waitUntil(group.export_button.isEnabled)
    return group


def test_while_the_game_of_the_pictures_is_asked_for(window, qtbot, fail_in, leave):
    fail_in(
        "app.features.game.game_pictures.answer",
        lambda: window.desk.commands.run("view.pictures-of-the-game"),
    )
    leave()


# --- files that are asked for --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.compare.feature.choose_file", False),
            ("app.features.compare.feature.Job", True),
            ("app.features.compare.feature.CompareController.show", True),
        ]
    ),
)
def test_while_a_file_is_compared(window, hand, fail_in, leave, tmp_path, step, is_asked):
    path = tmp_path / "Moor.xml"
    path.write_bytes(write_checked(XML, small_map("Moor").battlemap))
    window.desk.commands.fill("map.compare-with.*")
    if is_asked:
        hand.expect("Compare with").type_path(path)
    fail_in(step, lambda: window.desk.commands.run("map.compare-with.a-file"))
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.map_picture.feature.choose_file", False),
            ("app.features.map_picture.feature.Job", True),
            ("app.features.map_picture.feature.MapPictures._lay_picture", True),
        ]
    ),
)
def test_while_a_picture_is_laid_under_the_map(
    land, hand, fail_in, leave, tmp_path, step, is_asked
):
    path = tmp_path / "land.png"
    path.write_bytes(PNG)
    land.desk.commands.run("map.picture")
    if is_asked:
        hand.expect("A picture under the map").type_path(path)
    fail_in(step, land.desk.docks.panel("picture").open_button.click)
    leave()


TERRAINS = "app.features.terrains.controller"


@pytest.mark.parametrize(
    ("command", "title", "step"),
    deep_but_last(
        [
            ("terrains.open", "", f"{TERRAINS}.choose_file"),
            ("terrains.open", "Open a terrain set", f"{TERRAINS}.Job"),
            ("terrains.merge", "Merge a terrain set", f"{TERRAINS}.TerrainSets.use_set"),
            ("terrains.save-as", "", f"{TERRAINS}.choose_file_to_write"),
            ("terrains.save-as", "Save the terrain set", f"{TERRAINS}.Job"),
            ("terrains.save-as", "Save the terrain set", "app.settings.Settings.add_recent"),
            ("terrains.sheet", "", f"{TERRAINS}.choose_file"),
            ("terrains.sheet", "A sheet of terrains", f"{TERRAINS}.FormDialog"),
        ]
    ),
)
def test_while_a_terrain_set_is_read_or_written(
    land, hand, fail_in, leave, tmp_path, command, title, step
):
    path = tmp_path / "own.terrains"
    if command != "terrains.save-as":
        path.write_bytes(write_terrains(land.desk.document.battlemap.terrain_set))
    if title:
        hand.expect(title).type_path(path)
    fail_in(step, lambda: land.desk.commands.run(command))
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            (f"{TERRAINS}.choose_file", False),
            (f"{TERRAINS}.Job", True),
            (f"{TERRAINS}.asset_digest", True),
        ]
    ),
)
def test_while_a_terrain_gets_a_picture(land, hand, fail_in, leave, tmp_path, step, is_asked):
    path = tmp_path / "own.png"
    path.write_bytes(PNG)
    land.desk.docks.open("terrains")
    editor = land.desk.docks.panel("terrains").lists[EntryList.TERRAINS]
    editor.choose(2)
    name = land.desk.document.battlemap.terrain_set.terrains[2].name
    if is_asked:
        hand.expect(f"Picture of {name}").type_path(path)
    pictures = editor.form.field("picture")
    fail_in(step, lambda: pictures.setCurrentIndex(pictures.findData(OWN_PICTURE)))
    leave()


@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.script.feature.choose_file", False),
            ("app.scripts.script_opening.ScriptOpening.open", True),
        ]
    ),
)
def test_while_a_script_is_asked_for(window, hand, fail_in, leave, tmp_path, step, is_asked):
    path = tmp_path / "Lakes.rnd"
    path.write_text("TOWER\n")
    if is_asked:
        hand.expect("Roll with a file").type_path(path)
    fail_in(step, lambda: window.desk.commands.run("randomize.roll-with-file"))
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.new_map.script_folders.choose_folder", False),
            ("app.features.new_map.script_folders.use_folders", True),
        ]
    ),
)
def test_while_a_folder_of_scripts_is_added(window, hand, fail_in, leave, tmp_path, step, is_asked):
    dialog = new_map_dialog(window, "Landscape or free map")
    if is_asked:
        hand.expect("Add a folder of scripts or a game").type_path(tmp_path)
    fail_in(step, dialog.entries.filter.folders_button.click)
    dialog.reject()
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.new_map.map_form.choose_file", False),
            ("app.settings.Settings.add_recent", True),
        ]
    ),
)
def test_while_the_terrains_of_a_new_map_are_asked_for(
    window, hand, fail_in, leave, tmp_path, step, is_asked
):
    path = tmp_path / "own.terrains"
    path.write_bytes(write_terrains(free_map(FLAT, 3, 3).terrain_set))
    dialog = new_map_dialog(window, "Landscape or free map")
    field = dialog.form.field("terrains")
    if is_asked:
        hand.expect("Terrains of the new map").type_path(path)
    fail_in(step, lambda: field.setCurrentIndex(field.findText("From a file...")))
    dialog.reject()
    leave()


PICTURES = "app.features.pictures.picture_dialog"


@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            (f"{PICTURES}.choose_file_to_write", False),
            ("app.features.pictures.picture_maker.export_work", True),
            (f"{PICTURES}.PictureDialog._show_making", True),
            (f"{PICTURES}.result", True),
            (f"{PICTURES}.PictureDialog.accept", True),
        ]
    ),
)
def test_while_a_picture_is_exported(window, qtbot, hand, fail_in, leave, tmp_path, step, is_asked):
    window.desk.commands.run("file.export-picture")
    dialog = opened(window, qtbot, PictureDialog)
    path = tmp_path / "map.png"
    if is_asked:
        hand.expect(dialog.windowTitle()).type_path(path)
    fail_in(step, dialog.go_button.click)
    assert dialog.form.isEnabled()
    assert dialog.go_button.isEnabled()
    assert dialog.close_button.text().replace("&", "") == "Close"
    dialog.close_button.click()
    assert not dialog.isVisible()
    leave()


# --- questions -----------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.features.map.transforms.cell_words", False),
            ("app.features.map.transforms.choose", False),
            ("app.document.document.MapDocument.push", True),
        ]
    ),
)
def test_while_a_map_is_made_smaller(land, hand, fail_in, leave, step, is_asked):
    hand.expect("Resize map").fill("Columns", 4).press("OK")
    if is_asked:
        hand.expect("Resize").press("Resize")
    fail_in(step, lambda: land.desk.commands.run("map.resize"))
    assert land.desk.document.battlemap.grid.width == 12
    leave()


@pytest.mark.parametrize(
    ("step", "is_asked"),
    deep_but_last(
        [
            ("app.systems.xconq.scenario.sides_page.choose", False),
            ("app.systems.xconq.scenario.sides_page.remove_side", True),
        ]
    ),
)
def test_while_a_side_is_removed(window, qtbot, hand, fail_in, leave, step, is_asked):
    battlemap = world(12, 8, unit(1, "men", 3, 3, 1), unit(2, "town", 5, 5, 2))
    battlemap.records["period"] = MapRecord(TEXT)
    change_value(battlemap, "sides", Sides((Side("Ann"), Side("Bob")))).apply(battlemap)
    window.desk.document.open_map(battlemap)
    window.desk.commands.run("map.scenario")
    sides = window.desk.docks.panel("scenario").sides
    qtbot.waitUntil(lambda: sides.model.rowCount() == 2)
    sides.choose(0)
    if is_asked:
        hand.expect("Remove the side?").press("Remove")
    fail_in(step, sides.buttons["Remove"].click)
    assert sides.model.rowCount() == 2
    leave()


# --- work on many cells ---------------------------------------------------------------------------

PIECES = "app.features.selection.cut_copy_paste"
PUSH = "app.document.document.MapDocument.push"


@pytest.mark.parametrize(
    ("command", "step"),
    deep_but(
        [
            ("edit.copy", f"{PIECES}.cut"),
            ("edit.copy", "app.features.selection.clipboard.copy_stamp"),
            ("edit.cut", f"{PIECES}.cut"),
            ("edit.cut", f"{PIECES}.erase_cells"),
            ("edit.cut", PUSH),
            ("edit.cut", "app.features.selection.clipboard.copy_stamp"),
            ("edit.delete", PUSH),
            ("select.fill-with-terrain", PUSH),
            ("edit.copy-as-picture", "app.background.latest_job.LatestJob.result"),
        ],
        ("edit.cut", "app.features.selection.clipboard.copy_stamp"),
        ("edit.delete", PUSH),
        ("edit.copy-as-picture", "app.background.latest_job.LatestJob.result"),
    ),
)
def test_while_selected_cells_are_worked_on(land, qtbot, fail_in, leave, command, step):
    commands = land.desk.commands
    commands.run("select.all")
    fail_in(step, lambda: commands.run(command))
    commands.run("select.all")
    commands.run("edit.delete")
    wait_for_actions(qtbot)
    terrain = land.desk.document.composite.planes["terrain"]
    assert (terrain == terrain.flat[0]).all(), "the painted cell was erased"
    leave()


@pytest.mark.deep
def test_while_all_differences_are_taken_over(land, qtbot, fail_in, leave):
    document = land.desk.document
    painted = document.current_map
    painted.history.mark_clean()  # only the other map is saved at the end
    document.open_map(free_map(FLAT, 12, 9))
    compared = land.desk.compare.show(painted, "the painted one")
    qtbot.waitUntil(compared.take_all_button.isEnabled)
    fail_in(PUSH, compared.take_all_button.click)
    compared.take_all_button.click()
    qtbot.waitUntil(lambda: document.modified)
    compared.close()
    leave()


# --- learning ------------------------------------------------------------------------------------

LEARN = "app.systems.colossus.learn_dialog"


@pytest.mark.deep
@pytest.mark.parametrize(
    "step", deep_but_last([f"{LEARN}.choose_files", f"{LEARN}.LearnDialog.add_files"])
)
def test_while_maps_to_learn_from_are_asked_for(
    window, qtbot, hand, fail_in, leave, tmp_path, step
):
    path = tmp_path / "Moor.xml"
    path.write_bytes(write_checked(XML, small_map("Moor").battlemap))
    window.desk.commands.run("randomize.script-from-maps")
    dialog = opened(window, qtbot, LearnDialog)
    if step.endswith("add_files"):
        hand.expect("Battlelands").type_path(path)
    fail_in(step, dialog.files_button.click)
    dialog.reject()
    leave()


@pytest.mark.parametrize(
    "step", deep_but_last([f"{LEARN}.LearningWork", f"{LEARN}.Job", f"{LEARN}.result"])
)
def test_while_a_script_is_learned(window, qtbot, fail_in, leave, tmp_path, step):
    path = tmp_path / "Moor.xml"
    path.write_bytes(write_checked(XML, small_map("Moor").battlemap))
    window.desk.commands.run("randomize.script-from-maps")
    dialog = opened(window, qtbot, LearnDialog)
    dialog.add_files([path])
    fail_in(step, dialog.learn_button.click)
    dialog.reject()
    assert not dialog.isVisible()
    leave()


# --- battles -------------------------------------------------------------------------------------

FIGHT = "app.features.fairness.fight_dialog"
BALANCE = "app.features.fairness.balance_dialog"


@pytest.fixture
def fairness(window, qtbot, monkeypatch):
    """The panel of a blank battleland, on which few battles are fought."""
    fight_few(monkeypatch)
    balance_few(monkeypatch)
    window.desk.document.show_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    window.desk.docks.show("fairness")
    panel = window.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.isVisible() and panel.measures.rowCount() > 0)
    return panel


@pytest.mark.parametrize(
    "step",
    deep_but_last(
        [f"{FIGHT}.ValueJob", "app.background.actions.result", f"{FIGHT}.FittedTable.fill"]
    ),
)
def test_while_armies_fight(window, qtbot, fairness, fail_in, leave, step):
    fairness.fight_button.click()
    dialog = opened(window, qtbot, FightDialog)
    dialog.form.field("attacker").setText("2 Lion")
    dialog.form.field("defender").setText("2 Ogre")
    dialog.form.show_values({**dialog.form.values(), "battles": 6})
    fail_in(step, dialog.fight_button.click)
    assert dialog.fight_button.isEnabled()
    assert not dialog.stop_button.isEnabled()
    dialog.reject()
    leave()


@pytest.mark.deep
@pytest.mark.parametrize(
    "step",
    deep_but_last(
        [
            f"{BALANCE}.ValueJob",
            "app.background.actions.result",
            f"{BALANCE}.BalanceDialog._fill_table",
        ]
    ),
)
def test_while_balance_is_searched(window, qtbot, fairness, fail_in, leave, step):
    qtbot.waitUntil(lambda: fairness.balance_button.isVisibleTo(fairness))
    fairness.balance_button.click()
    dialog = opened(window, qtbot, BalanceDialog)
    fail_in(step, dialog.search_button.click)
    assert dialog.search_button.isEnabled()
    assert not dialog.progress.isVisible()
    dialog.reject()
    leave()
