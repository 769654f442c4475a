"""Export to game and take back: the plan as shown, what is written, what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QThreadPool
from PySide6.QtTest import QTest
from shiboken6 import isValid

from app.background.actions import run
from app.document.document import MapDocument
from app.document.open_map import GameSource
from app.features.game.export_dialog import ExportDialog
from app.features.game.take_back_dialog import TakeBackDialog
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.layer import Roll
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.colossus.battleland.xml_format import XML
from tests.app.conftest import cell
from tests.app.made_up_game import (
    VOLCANO,
    host,
    make_game,
    only_to_be_read,
    places,
    small_map,
    thumbnails,
)
from tests.randomizer.systems.colossus.game_on_disk import battleland

TERRAIN = XML.read(VOLCANO.encode()).battlemap.system.terrain_set


@pytest.fixture
def exporting(qtbot, tmp_path: Path):
    """Opens the dialog for a map and waits for its plan."""

    def open_dialog(game_dir: Path | None, document: MapDocument | None = None) -> ExportDialog:
        dialog = ExportDialog(places(tmp_path, game_dir), document or small_map(), thumbnails())
        qtbot.addWidget(dialog)
        dialog.open()
        settle(qtbot, dialog)
        return dialog

    return open_dialog


@pytest.fixture
def taking_back(qtbot, tmp_path: Path):
    """Opens the dialog with the exports of a game."""

    def open_dialog(game_dir: Path) -> TakeBackDialog:
        dialog = TakeBackDialog(places(tmp_path, game_dir))
        qtbot.addWidget(dialog)
        dialog.open()
        qtbot.waitUntil(lambda: not dialog.chooser.status.busy and not dialog.status.busy)
        return dialog

    return open_dialog


def settle(qtbot, dialog: ExportDialog) -> None:
    """Wait until nothing is under way any more."""

    def idle() -> bool:
        export = dialog.game_export
        busy = export.planning or export.writing or dialog.game_folder.busy
        # Whether a plan is still to be made nobody is told.
        return not busy and not dialog._plan_timer.isActive()

    qtbot.waitUntil(idle)


def choose(qtbot, dialog: ExportDialog, group: str, slot: str) -> None:
    dialog.form.group_choice.box.setCurrentText(group)
    dialog.form.slot_choice.box.setCurrentText(slot)
    settle(qtbot, dialog)


def new_group(qtbot, dialog: ExportDialog, name: str) -> None:
    dialog.form.group_choice.box.setCurrentText("New variant...")
    dialog.form.group_choice.name.setText(name)
    settle(qtbot, dialog)


def items(combo) -> list[str]:
    return [combo.itemText(row) for row in range(combo.count()) if combo.itemText(row)]


def plan(dialog: ExportDialog) -> str:
    return dialog.plan_view.toPlainText()


# --- where to -----------------------------------------------------------------------------------


def test_variants_and_their_terrains_are_offered(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    assert items(dialog.form.group_choice.box) == [
        "Default",
        "Badlands",
        "BadlandsJDG",
        "New variant...",
    ]
    assert items(dialog.form.slot_choice.box) == ["Brush", "Plains", "Tower"]
    choose(qtbot, dialog, "Badlands", "Fort")
    assert items(dialog.form.slot_choice.box) == ["Plains", "Fort", "Dry Hills"]
    new_group(qtbot, dialog, "MyLands")
    assert items(dialog.form.slot_choice.box) == ["Brush", "Plains", "Tower"]


def test_the_terrain_of_the_maps_title_is_chosen(exporting, game: Path) -> None:
    assert exporting(game, small_map("plains")).form.slot_choice.box.currentText() == "Plains"
    assert exporting(game, small_map("Randomized!")).form.slot_choice.box.currentText() == "Brush"


def test_without_one_the_terrain_of_the_script_is_chosen_that_rolled_the_map(
    exporting, game: Path
) -> None:
    document = small_map("The level ground")
    document.active_layer.roll = Roll("", "Plains.rnd", "", {}, 17, 0)
    assert exporting(game, document).form.slot_choice.box.currentText() == "Plains"
    document = small_map("Tower")
    document.active_layer.roll = Roll("", "Plains.rnd", "", {}, 17, 0)
    assert exporting(game, document).form.slot_choice.box.currentText() == "Tower", (
        "its own title comes first"
    )


def test_the_place_that_the_map_came_from_is_chosen(exporting, game: Path) -> None:
    document = small_map("Plains")
    document.set_source(GameSource(game, "Badlands", "Dry Hills"))
    dialog = exporting(game, document)
    assert dialog.form.group_choice.title == "Badlands"
    assert dialog.form.slot_choice.box.currentText() == "Dry Hills"


def test_a_terrain_stays_chosen_where_the_other_variant_has_it(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    dialog.form.group_choice.box.setCurrentText("BadlandsJDG")
    assert dialog.form.slot_choice.box.currentText() == "Plains"


# --- the plan -----------------------------------------------------------------------------------


def test_the_plan_says_what_is_replaced_and_where_the_backup_goes(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    assert "Replaces Default/Battlelands/Plains.xml" in plan(dialog)
    old_size = len((game / "Default/Battlelands/Plains.xml").read_bytes())
    assert f"the battleland of Plains, {old_size:,} bytes now, " in plan(dialog)
    assert ".battlelands-backups" in plan(dialog)
    assert dialog.export_button.isEnabled()
    assert (game / "Default/Battlelands/Plains.xml").read_text() == VOLCANO


def test_the_plan_of_a_new_file_backs_nothing_up(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Badlands", "Dry Hills")
    assert "Writes Badlands/Battlelands/Dry_Hills.xml" in plan(dialog)
    assert "Backs up" not in plan(dialog)


def test_both_maps_are_shown(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    labels = (dialog.map_in_game.picture, dialog.exported_map.picture)
    qtbot.waitUntil(lambda: all(not label.pixmap().isNull() for label in labels))
    now, new = (label.pixmap().toImage() for label in labels)
    assert now != new
    assert dialog.map_in_game.caption.text() == "In the game now"


def test_a_terrain_without_a_map_in_the_game_shows_only_the_new_one(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Tower")
    qtbot.waitUntil(lambda: not dialog.exported_map.picture.pixmap().isNull())
    assert dialog.map_in_game.picture.text() == "no map yet"


def test_the_problems_of_the_map_are_told_but_warnings_do_not_stop_it(
    exporting, game: Path, qtbot
) -> None:
    document = small_map()
    wall = TERRAIN.hexside_code("w")
    edit = set_values(document.battlemap, 1, "hexside", [cell("D4") * 6], wall)
    document.push(edit, "Wall")
    dialog = exporting(game, document)
    assert any("a wall stands on Plains" in p.message for p in dialog.problem_list.problems)
    assert dialog.problem_list.isVisible()
    assert dialog.export_button.isEnabled()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "must not be empty"),
        ("a/b", "leave out the /"),
        ("..", "must not begin with a dot"),
        ("My Lands", "must not have blanks"),
        ("badlands", "spell it like that variant"),
    ],
)
def test_a_bad_name_is_told_while_it_is_typed(
    exporting, game: Path, qtbot, name: str, words: str
) -> None:
    dialog = exporting(game)
    new_group(qtbot, dialog, name)
    assert words in dialog.form.name_fault.text
    assert dialog.form.name_fault.isVisible()
    assert not dialog.export_button.isEnabled()
    new_group(qtbot, dialog, "MyLands")
    assert not dialog.form.name_fault.isVisible()
    assert dialog.export_button.isEnabled()


def test_the_button_waits_for_the_plan_of_what_is_chosen(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    assert dialog.export_button.isEnabled()
    dialog.form.slot_choice.box.setCurrentText("Plains")
    assert not dialog.export_button.isEnabled()
    settle(qtbot, dialog)
    assert dialog.export_button.isEnabled()


def test_a_plan_for_another_terrain_that_comes_late_is_not_taken(exporting, game: Path, qtbot):
    """The plan is finished on its thread, but not told yet, when another slot is chosen."""
    dialog = exporting(game)
    dialog.form.slot_choice.box.setCurrentText("Brush")
    run(dialog.make_plan())
    QThreadPool.globalInstance().waitForDone()
    dialog.form.slot_choice.box.setCurrentText("Plains")
    QCoreApplication.sendPostedEvents()
    assert not dialog.export_button.isEnabled()
    settle(qtbot, dialog)
    found = dialog.game_export.plan
    assert found is not None
    assert [file.path.name for file in found.files] == ["Plains.xml"]


# --- doing it -----------------------------------------------------------------------------------


def test_exporting_over_a_terrain_writes_it_and_the_map_belongs_there(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game, small_map("Mine"))
    choose(qtbot, dialog, "Default", "Plains")
    with qtbot.waitSignal(dialog.reported) as said:
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    settle(qtbot, dialog)
    written = XML.read((game / "Default/Battlelands/Plains.xml").read_bytes()).battlemap
    assert written.composite().same_as(dialog.document.composite)
    assert dialog.document.source == GameSource(game, "Default", "Plains")
    assert dialog.status.text == "Exported to Default / Plains."
    assert "Take back" in said.args[0]
    assert "Nothing would change: the game has this map already." in plan(dialog)
    assert not dialog.export_button.isEnabled()


def test_what_was_exported_can_be_taken_back_at_once(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    assert not dialog.take_back_button.isVisible()
    dialog.export_button.click()
    settle(qtbot, dialog)
    dialog.take_back_button.click()
    settle(qtbot, dialog)
    assert (game / "Default/Battlelands/Plains.xml").read_text() == VOLCANO
    assert dialog.document.source is None
    assert "taken back" in dialog.status.text
    assert not dialog.take_back_button.isVisible()
    assert dialog.export_button.isEnabled()


def test_an_export_that_is_taken_back_leaves_the_map_exported_as_before(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game)
    open_map = dialog.document.current_map
    choose(qtbot, dialog, "Default", "Plains")
    other = next(name for name in items(dialog.form.slot_choice.box) if name != "Plains")
    for terrain in ("Plains", other):
        choose(qtbot, dialog, "Default", terrain)
        assert dialog.export_button.isEnabled()
        dialog.export_button.click()
        settle(qtbot, dialog)
    dialog.take_back_button.click()
    settle(qtbot, dialog)
    assert open_map.is_exported, "Plains is still there"


def test_a_new_variant_is_made_and_the_player_is_told_how_to_open_it(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game, small_map("Brush"))
    new_group(qtbot, dialog, "MyLands")
    assert "Writes MyLands/MyLandsVar.xml" in plan(dialog)
    assert "Writes MyLands/Battlelands/Brush.xml" in plan(dialog)
    assert dialog.map_in_game.caption.text() == "In Default now"
    dialog.export_button.click()
    settle(qtbot, dialog)
    assert (game / "MyLands/MyLandsVar.xml").is_file()
    assert "Load External Variant" in dialog.status.text
    assert "-v MyLands" in dialog.status.text
    assert dialog.form.group_choice.box.currentText() == "MyLands"
    assert dialog.document.source == GameSource(game, "MyLands", "Brush")
    dialog.take_back_button.click()
    settle(qtbot, dialog)
    assert not (game / "MyLands").exists()
    assert dialog.form.group_choice.box.currentText() == "New variant..."
    assert dialog.form.group_choice.name.text() == "MyLands"


def test_a_file_that_changes_behind_the_plan_is_not_overwritten(
    exporting, game: Path, qtbot
) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    path = game / "Default/Battlelands/Plains.xml"
    path.write_text(battleland("someone else's"))
    dialog.export_button.click()
    settle(qtbot, dialog)
    assert path.read_text() == battleland("someone else's")
    assert "Plains.xml" in dialog.status.text
    assert dialog.document.source is None
    assert dialog.export_button.isEnabled()  # a new plan has been made


def test_a_place_that_cannot_be_written_gives_words(exporting, game: Path, qtbot) -> None:
    (game / ".battlelands-backups").write_text("a file where the backups should go")
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    dialog.export_button.click()
    settle(qtbot, dialog)
    assert dialog.status.text
    assert (game / "Default/Battlelands/Plains.xml").read_text() == VOLCANO
    assert not dialog.take_back_button.isVisible()


def test_a_directory_that_may_only_be_read_gives_words(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    only_to_be_read(game)
    try:
        dialog.export_button.click()
        settle(qtbot, dialog)
    finally:
        game.chmod(0o755)
    assert "permission is denied" in dialog.status.text


def test_a_directory_that_is_not_the_games_gives_words(exporting, tmp_path: Path) -> None:
    folder = tmp_path / "holiday"
    folder.mkdir()
    dialog = exporting(folder)
    assert "not the game's directory" in dialog.chooser.status.text
    assert not dialog.form.group_choice.box.isEnabled()
    assert not dialog.export_button.isEnabled()
    assert plan(dialog) == ""


def test_a_refused_directory_takes_the_pictures_away(
    exporting, game: Path, tmp_path: Path, qtbot
) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Volcano")
    pictures = (dialog.map_in_game.picture, dialog.exported_map.picture)
    qtbot.waitUntil(lambda: all(not picture.pixmap().isNull() for picture in pictures))
    folder = tmp_path / "holiday"
    folder.mkdir()
    dialog.chooser.line.setText(str(folder))
    QTest.keyClick(dialog.chooser.line, Qt.Key.Key_Return)
    settle(qtbot, dialog)
    assert "not the game's directory" in dialog.chooser.status.text
    assert all(picture.pixmap().isNull() for picture in pictures)
    assert plan(dialog) == ""


def test_another_directory_gives_its_own_variants(exporting, game: Path, tmp_path, qtbot) -> None:
    other = make_game(tmp_path / "other", **{"Extra/ExtraVar.xml": "<variant name='Extra'/>"})
    dialog = exporting(game)
    dialog.game_folder.choose(other)
    settle(qtbot, dialog)
    assert "Extra" in items(dialog.form.group_choice.box)


def test_escape_closes_without_writing(exporting, game: Path, qtbot) -> None:
    dialog = exporting(game)
    choose(qtbot, dialog, "Default", "Plains")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert (game / "Default/Battlelands/Plains.xml").read_text() == VOLCANO


# --- take back ----------------------------------------------------------------------------------


def export_twice(qtbot, dialog: ExportDialog) -> None:
    choose(qtbot, dialog, "Default", "Plains")
    dialog.export_button.click()
    settle(qtbot, dialog)
    new_group(qtbot, dialog, "MyLands")
    dialog.export_button.click()
    settle(qtbot, dialog)
    dialog.reject()


def test_exports_are_listed_newest_first_and_can_be_taken_back(
    exporting, taking_back, game: Path, qtbot
) -> None:
    export_twice(qtbot, exporting(game))
    dialog = taking_back(game)
    rows = [dialog.exports.topLevelItem(row) for row in range(2)]
    assert [row.text(1) for row in rows] == ["MyLands / Plains", "Default / Plains"]
    assert [row.text(2) for row in rows] == ["MyLandsVar.xml, Plains.xml", "Plains.xml"]
    assert all(row.text(0) for row in rows)
    assert "removes MyLands/MyLandsVar.xml" in dialog.status.text
    dialog.exports.setCurrentItem(rows[1])
    assert dialog.status.text == "Taking it back restores Default/Battlelands/Plains.xml."
    with qtbot.waitSignal(dialog.reported):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.exports.topLevelItem(1).text(3) == "taken back")
    assert (game / "Default/Battlelands/Plains.xml").read_text() == VOLCANO
    assert not dialog.take_back_button.isEnabled()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.wait(50)
    assert (game / "MyLands").is_dir()


def test_what_was_changed_since_is_not_taken_back(
    exporting, taking_back, game: Path, qtbot
) -> None:
    export_twice(qtbot, exporting(game))
    (game / "MyLands/Battlelands/Plains.xml").write_text(battleland("by hand"))
    dialog = taking_back(game)
    listed = dialog.exports.topLevelItem(0)
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: not isValid(listed))  # the list is read again after the failure
    qtbot.waitUntil(lambda: not dialog.status.busy)
    assert "has been changed since" in dialog.status.text
    assert (game / "MyLands/Battlelands/Plains.xml").read_text() == battleland("by hand")


def test_a_game_without_exports_says_so(taking_back, game: Path) -> None:
    dialog = taking_back(game)
    assert "Nothing was exported" in dialog.status.text
    assert not dialog.take_back_button.isEnabled()


def test_a_damaged_receipt_is_shown_but_not_used(exporting, taking_back, game: Path, qtbot) -> None:
    export_twice(qtbot, exporting(game))
    newest = sorted((game / ".battlelands-backups").iterdir())[-1]
    (newest / "receipt.json").write_text("{")
    dialog = taking_back(game)
    assert dialog.exports.topLevelItem(0).text(3) == "cannot be read"
    dialog.exports.setCurrentItem(dialog.exports.topLevelItem(0))
    assert "damaged" in dialog.status.text
    assert not dialog.take_back_button.isEnabled()


def test_an_export_of_many_terrains_is_one_short_row(taking_back, game: Path) -> None:
    plains = battleland("mine").encode()
    slots = ("Brush", "Plains", "Tower", "Hills", "Marsh")
    plan = host().plan_exports(host().open_game(game), dict.fromkeys(slots, plains), "Default")
    commit_export(plan)
    dialog = taking_back(game)
    item = dialog.exports.topLevelItem(0)
    assert (item.text(1), item.text(2)) == ("Default / 5 terrains", "5 files")
    assert item.toolTip(1) == "\n".join(slots)
    assert dialog.receipt.slots == slots
