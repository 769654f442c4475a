"""A whole variant from the first roll to the game and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtTest import QTest

from app.features.game.group.rolls import CATALOGUE, Choice, text_of_choices
from app.features.game.group.window import GroupWindow
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.colossus.battleland.xml_format import XML
from tests.app.conftest import cell, wait_for_actions
from tests.app.made_up_game import settings_in, small_map
from tests.counting import watched_calls
from tests.randomizer.systems.colossus.game_on_disk import make_files

NEW = "New variant..."
BAD = "AREA D4 HAZARD Bog\n"


def settle(qtbot, group: GroupWindow) -> None:
    """Wait until nothing is under way any more."""
    board = group.board
    export = group.exporter.game_export
    # The places that the window reads for itself.
    places = group._game_folder

    def idle() -> bool:
        shown = group.choice.shown
        return not (
            places.busy
            or (shown is not None and places.maps(shown.name) is None)
            or board.has_pending_rows
            # When the pictures are drawn nobody is told.
            or board._draw_timer.isActive()
            or export.planning
            or export.writing
        )

    qtbot.waitUntil(idle)


@pytest.fixture
def group(qtbot, window) -> GroupWindow:
    window.desk.commands.action("file.whole-variant").trigger()
    found = window.findChild(GroupWindow)
    settle(qtbot, found)
    return found


def row_of(group: GroupWindow, slot: str):
    return next(row for row in group.board.rows if row.slot == slot)


def shown(battlemap) -> list[list[int]]:
    planes = battlemap.composite().planes
    return [planes[name].tolist() for name in ("terrain", "elevation", "hexside")]


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".battlelands-backups" not in path.parts
    }


def export(qtbot, group: GroupWindow) -> None:
    group.export_button.click()
    qtbot.waitUntil(lambda: group.exporter.dialog is not None and group.exporter.dialog.isVisible())
    dialog = group.exporter.dialog
    QTest.keyClick(dialog.export_button, Qt.Key.Key_Return)
    wait_for_actions(qtbot)
    settle(qtbot, group)


def test_every_terrain_is_rolled_one_is_locked_all_are_exported_and_taken_back(
    qtbot, group: GroupWindow, game: Path
):
    board = group.board
    before = files(game)
    assert [row.slot for row in board.rows] == ["Brush", "Plains", "Tower"]
    assert [row.source_box.currentText() for row in board.rows] == ["Brush", "Plains", "Tower"]
    first = {row.slot: shown(row.content.battlemap) for row in board.rows}

    row_of(group, "Plains").lock_button.click()
    assert not row_of(group, "Plains").roll_button.isEnabled()
    group.roll_button.click()
    settle(qtbot, group)
    rolled = {row.slot: shown(row.content.battlemap) for row in board.rows}
    assert {name for name in rolled if rolled[name] != first[name]} == {"Brush", "Tower"}
    row_of(group, "Tower").roll_button.click()
    settle(qtbot, group)
    rolled = {row.slot: shown(row.content.battlemap) for row in board.rows}
    assert [row.number.text() for row in board.rows] == ["1", "0", "2"]

    export(qtbot, group)
    assert "Exported 3 maps to Default" in group.status.text
    for slot, planes in rolled.items():
        data = (game / "Default" / "Battlelands" / f"{slot}.xml").read_bytes()
        assert shown(XML.read(data).battlemap) == planes
    # What the preview of a slot shows, without its pixels.
    assert shown(board._game_maps["Brush"].battlemap) == rolled["Brush"]

    group.take_back_button.click()
    settle(qtbot, group)
    assert files(game) == before
    assert not group.take_back_button.isVisible()


def test_the_plan_is_shown_and_nothing_is_written_without_its_button(
    qtbot, group: GroupWindow, game: Path
):
    before = files(game)
    group.export_button.click()
    qtbot.waitUntil(lambda: group.exporter.dialog is not None)
    text = group.exporter.dialog.plan_view.toPlainText()
    assert "Replaces Default/Battlelands/Plains.xml" in text
    assert "Writes Default/Battlelands/Tower.xml" in text
    group.exporter.dialog.reject()
    assert files(game) == before


def test_a_new_variant_that_was_not_written_leaves_no_choices_under_its_name(
    qtbot, window, group: GroupWindow
):
    group.choice.box.setCurrentText(NEW)
    settle(qtbot, group)
    group.choice.name.setText("Fens")
    group.export_button.click()
    qtbot.waitUntil(lambda: group.exporter.dialog is not None)
    group.exporter.dialog.reject()
    wait_for_actions(qtbot)
    assert window.desk.settings.group_choices("colossus", "Fens") == ""


def test_a_new_variant_gets_all_maps_and_is_gone_when_taken_back(
    qtbot, window, group: GroupWindow, game: Path
):
    before = files(game)
    group.choice.box.setCurrentText(NEW)
    settle(qtbot, group)
    group.choice.name.setText("Fens")
    row_of(group, "Tower").source_box.setCurrentIndex(0)
    row_of(group, "Tower").source_chosen.emit("")
    settle(qtbot, group)
    seeds = [row.content.choice.seed for row in group.board.rows]
    export(qtbot, group)
    new = {name for name in files(game) if name not in before}
    assert new == {
        "Fens/FensVar.xml",
        "Fens/Battlelands/Brush.xml",
        "Fens/Battlelands/Plains.xml",
    }
    assert group.choice.box.currentText() == "Fens"
    assert window.desk.settings.map_group("colossus") == "Fens"
    assert [row.content.choice.seed for row in group.board.rows] == seeds
    group.take_back_button.click()
    settle(qtbot, group)
    assert files(game) == before
    assert (group.choice.box.currentText(), group.choice.name.text()) == (NEW, "Fens")
    assert [row.content.choice.seed for row in group.board.rows] == seeds


def test_a_row_is_edited_as_a_tab_and_exported_as_edited(
    qtbot, window, group: GroupWindow, game: Path
):
    row = row_of(group, "Plains")
    document = window.desk.document
    row.edit_button.click()
    assert group.isHidden()
    assert document.display_name == "Default / Plains"
    bog = document.battlemap.system.terrain_set.terrain_code("Bog")
    top = document.active_layer_id
    document.push(set_values(document.battlemap, top, "terrain", [cell("D4")], bog), "Bog")
    window.desk.commands.action("file.whole-variant").trigger()
    settle(qtbot, group)
    assert group.isVisible()
    assert row.message.text() == "an open map, as edited"
    assert not row.roll_button.isEnabled()
    export(qtbot, group)
    data = (game / "Default" / "Battlelands" / "Plains.xml").read_bytes()
    assert XML.read(data).battlemap.composite().planes["terrain"].flat[cell("D4")] == bog

    row.edit_button.click()  # it is open already
    assert len(document.maps) == 1
    document.open_map(small_map("Other").battlemap)
    document.close_map(row.content.tab)
    settle(qtbot, group)
    assert row.content.tab is None
    assert row.source_box.currentText() == "Plains"
    assert row.content.battlemap is not None


def test_any_open_map_can_be_a_terrain(qtbot, window, group: GroupWindow):
    row = row_of(group, "Brush")
    index = row.source_box.findText(f"Open map: {window.desk.document.display_name}")
    row.source_box.setCurrentIndex(index)
    row.source_chosen.emit(row.source_box.itemData(index))
    assert row.content.battlemap is window.desk.document.battlemap
    assert row.source_box.currentIndex() == index


def test_a_script_with_an_error_keeps_from_exporting_until_something_else_is_chosen(
    qtbot, group: GroupWindow, tmp_path: Path
):
    make_files(tmp_path, {"bad.rnd": BAD})
    row = row_of(group, "Brush")
    group.board.choose_file(row, tmp_path / "bad.rnd")
    settle(qtbot, group)
    assert row.message.toolTip().startswith("line 1, column 9: “HAZARD” is no word")
    assert row.picture_to_export.text() == "no map"
    assert not group.export_button.isEnabled()
    assert "Brush" in group.status.text
    row.source_chosen.emit("")
    settle(qtbot, group)
    assert row.message.text() == "stays as it is"
    assert group.export_button.isEnabled()


def test_a_typed_seed_is_rolled_when_the_keys_rest(qtbot, group: GroupWindow):
    row = row_of(group, "Brush")
    row.seed.selectAll()
    QTest.keyClicks(row.seed, "17")
    settle(qtbot, group)
    wanted = Choice(CATALOGUE + "Brush", 17, 0)
    assert row.content.choice == wanted
    assert row.content.made_map is not None
    assert row.content.made_map.result.battlemap.layers[-1].roll.seed == 17


def test_a_row_that_gets_something_else_while_it_is_rolled_keeps_that(qtbot, group: GroupWindow):
    row = row_of(group, "Brush")
    group.board.roll([row])
    row.source_chosen.emit("")
    QThreadPool.globalInstance().waitForDone()
    settle(qtbot, group)
    assert row.message.text() == "stays as it is"
    assert row.content.battlemap is None


def test_maps_are_not_drawn_again_when_the_window_comes_back(qtbot, group: GroupWindow):
    # The pictures of the board, which nothing else draws.
    thumbnails = group.board._thumbnails
    qtbot.waitUntil(lambda: not thumbnails.waiting)
    with watched_calls(thumbnails.renderer.picture) as drawn:
        group.hide()
        group.show()
        settle(qtbot, group)
        qtbot.waitUntil(lambda: not thumbnails.waiting)
    assert not drawn


def test_while_a_typed_seed_waits_the_map_before_is_not_exported(qtbot, group: GroupWindow):
    assert group.export_button.isEnabled()
    row_of(group, "Brush").seed.selectAll()
    QTest.keyClicks(row_of(group, "Brush").seed, "17")
    assert not group.export_button.isEnabled()
    settle(qtbot, group)
    assert group.export_button.isEnabled()


def test_seeds_and_scripts_come_back_the_next_time(qtbot, windows, tmp_path: Path, game: Path):
    settings = settings_in(tmp_path, game)
    settings.set_map_group("colossus", "Badlands")
    choices = {"Fort": Choice(CATALOGUE + "Tower", 5, 7, True)}
    settings.set_group_choices("colossus", "Badlands", text_of_choices(choices))
    window = windows(settings)
    window.desk.games.show_group_window()
    group = window.findChild(GroupWindow)
    settle(qtbot, group)
    assert group.choice.box.currentText() == "Badlands"
    row = row_of(group, "Fort")
    assert row.content.choice == choices["Fort"]
    assert row.lock_button.isChecked()
    assert (row.seed.text(), row.number.text()) == ("5", "7")


def test_stopped_rolls_say_so_and_can_be_rolled_again(qtbot, group: GroupWindow):
    group.board.roll_all()
    group.board.stop_rolling()
    assert group.board.faulty_slots() == ["Brush", "Plains", "Tower"]
    assert not group.export_button.isEnabled()
    group.board.roll_all()
    settle(qtbot, group)
    assert group.board.faulty_slots() == []


def test_the_window_is_used_with_the_keyboard_alone(qtbot, group: GroupWindow):
    group.activateWindow()
    row = group.board.rows[0]
    qtbot.waitUntil(lambda: group.focusWidget() is row.source_box)  # at first
    seen = []
    for _ in range(6):
        seen.append(group.focusWidget())
        QTest.keyClick(group.focusWidget(), Qt.Key.Key_Tab)
    assert seen == [
        row.source_box,
        row.seed,
        row.number,
        row.lock_button,
        row.roll_button,
        row.edit_button,
    ]
    assert group.focusWidget() is group.board.rows[1].source_box
    for widget in seen:
        assert row.slot in widget.accessibleName()


def test_the_pictures_follow_the_colours_of_the_desk(qtbot, window, group: GroupWindow):
    picture = row_of(group, "Brush").picture_to_export
    qtbot.waitUntil(lambda: not picture.pixmap().isNull())

    def corner() -> int:
        return picture.pixmap().toImage().pixelColor(1, 1).lightness()

    assert corner() > 128
    window.desk.theme.set_theme("dark")
    qtbot.waitUntil(lambda: corner() < 128)
    window.desk.theme.set_theme("system")
    qtbot.waitUntil(lambda: corner() > 128)


def test_rows_are_alike_and_the_name_typed_is_the_one_said(qtbot, group: GroupWindow):
    group.resize(1000, 900)
    qtbot.waitUntil(lambda: group.width() == 1000)
    qtbot.waitUntil(lambda: len({row.height() for row in group.board.rows}) == 1)
    assert group.board.rows[0].height() < 150
    group.choice.box.setCurrentIndex(group.choice.box.findText(NEW))
    settle(qtbot, group)
    group.choice.name.setText("Moorlands")
    assert group.status.text == "3 maps to export to Moorlands."
