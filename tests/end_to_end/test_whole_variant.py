"""A whole variant from the first roll to the game and back, as a person does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.game.variant.rolls import CATALOGUE, Choice, as_text
from app.features.game.variant.window import VariantWindow
from app.window import MainWindow
from randomizer.model.edit_making import set_values
from randomizer.systems.colossus.battleland.xml_reader import XML
from tests.app.conftest import cell
from tests.app.made_up_game import make_game, settings_in, small_map
from tests.randomizer.systems.colossus.game_on_disk import make_files

NEW = "New variant..."
BAD = "AREA D4 HAZARD Bog\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return make_game(tmp_path / "game")


@pytest.fixture
def window(qtbot, tmp_path: Path, game: Path) -> MainWindow:
    found = MainWindow(small_map(), settings_in(tmp_path, game))
    qtbot.addWidget(found)
    with qtbot.waitSignal(found.desk.ready):
        found.show()
    return found


def settle(qtbot, variant: VariantWindow) -> None:
    """Wait until nothing is under way any more."""
    board, export, places = variant.board, variant.game_export, variant._places

    def idle() -> bool:
        shown = variant.choice.shown
        return not (
            places.busy
            or (shown is not None and places.maps(shown.name) is None)
            or board.waiting
            or board._draw_timer.isActive()
            or export.planning
            or export.writing
        )

    qtbot.waitUntil(idle)


@pytest.fixture
def variant(qtbot, window: MainWindow) -> VariantWindow:
    window.desk.commands.action("file.whole-variant").trigger()
    found = window.findChild(VariantWindow)
    settle(qtbot, found)
    return found


def row_of(variant: VariantWindow, terrain: str):
    return next(row for row in variant.board.rows if row.terrain == terrain)


def shown(battlemap) -> list[list[int]]:
    planes = battlemap.composite().planes
    return [planes[name].tolist() for name in ("terrain", "elevation", "hexside")]


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".battlelands-backups" not in path.parts
    }


def export(qtbot, variant: VariantWindow) -> None:
    variant.export_button.click()
    qtbot.waitUntil(lambda: variant.dialog is not None and variant.dialog.isVisible())
    dialog = variant.dialog
    with qtbot.waitSignal(variant.game_export.exported):
        QTest.keyClick(dialog.export_button, Qt.Key.Key_Return)
    settle(qtbot, variant)


def test_every_terrain_is_rolled_one_is_locked_all_are_exported_and_taken_back(
    qtbot, variant: VariantWindow, game: Path
):
    board, before = variant.board, files(game)
    assert [row.terrain for row in board.rows] == ["Brush", "Plains", "Tower"]
    assert [row.script.currentText() for row in board.rows] == ["Brush", "Plains", "Tower"]
    first = {row.terrain: shown(row.battlemap) for row in board.rows}

    row_of(variant, "Plains").lock.click()
    assert not row_of(variant, "Plains").reroll.isEnabled()
    variant.reroll_button.click()
    settle(qtbot, variant)
    rolled = {row.terrain: shown(row.battlemap) for row in board.rows}
    assert {name for name in rolled if rolled[name] != first[name]} == {"Brush", "Tower"}
    row_of(variant, "Tower").reroll.click()
    settle(qtbot, variant)
    rolled = {row.terrain: shown(row.battlemap) for row in board.rows}
    assert [row.number.text() for row in board.rows] == ["1", "0", "2"]

    export(qtbot, variant)
    assert "Exported 3 maps to Default" in variant.status.text
    for terrain, planes in rolled.items():
        data = (game / "Default" / "Battlelands" / f"{terrain}.xml").read_bytes()
        assert shown(XML.read(data).battlemap) == planes
    assert shown(board._maps["Brush"].battlemap) == rolled["Brush"]

    variant.take_back_button.click()
    settle(qtbot, variant)
    assert files(game) == before
    assert not variant.take_back_button.isVisible()


def test_the_plan_is_shown_and_nothing_is_written_without_its_button(
    qtbot, variant: VariantWindow, game: Path
):
    before = files(game)
    variant.export_button.click()
    qtbot.waitUntil(lambda: variant.dialog is not None)
    text = variant.dialog.plan_view.toPlainText()
    assert "Replaces Default/Battlelands/Plains.xml" in text
    assert "Writes Default/Battlelands/Tower.xml" in text
    variant.dialog.reject()
    assert files(game) == before


def test_a_new_variant_gets_all_maps_and_is_gone_when_taken_back(
    qtbot, variant: VariantWindow, game: Path
):
    before = files(game)
    variant.variant.setCurrentText(NEW)
    settle(qtbot, variant)
    variant.name.setText("Fens")
    row_of(variant, "Tower").script.setCurrentIndex(0)
    row_of(variant, "Tower").source_chosen.emit("")
    settle(qtbot, variant)
    seeds = [row.choice.seed for row in variant.board.rows]
    export(qtbot, variant)
    new = {name for name in files(game) if name not in before}
    assert new == {
        "Fens/FensVar.xml",
        "Fens/Battlelands/Brush.xml",
        "Fens/Battlelands/Plains.xml",
    }
    assert variant.variant.currentText() == "Fens"
    assert [row.choice.seed for row in variant.board.rows] == seeds
    variant.take_back_button.click()
    settle(qtbot, variant)
    assert files(game) == before
    assert (variant.variant.currentText(), variant.name.text()) == (NEW, "Fens")
    assert [row.choice.seed for row in variant.board.rows] == seeds


def test_a_row_is_edited_as_a_tab_and_exported_as_edited(
    qtbot, window: MainWindow, variant: VariantWindow, game: Path
):
    row, document = row_of(variant, "Plains"), window.desk.document
    row.edit.click()
    assert variant.isHidden()
    assert document.display_name == "Default / Plains"
    bog = document.battlemap.system.terrain_set.terrain_code("Bog")
    top = document.active_layer_id
    document.push(set_values(document.battlemap, top, "terrain", [cell("D4")], bog), "Bog")
    window.desk.commands.action("file.whole-variant").trigger()
    settle(qtbot, variant)
    assert variant.isVisible()
    assert row.words.text() == "an open map, as edited"
    assert not row.reroll.isEnabled()
    export(qtbot, variant)
    data = (game / "Default" / "Battlelands" / "Plains.xml").read_bytes()
    assert XML.read(data).battlemap.composite().planes["terrain"].flat[cell("D4")] == bog

    row.edit.click()  # it is open already
    assert len(document.maps) == 1
    document.open_map(small_map("Other").battlemap)
    document.close_map(row.tab)
    settle(qtbot, variant)
    assert row.tab is None
    assert row.script.currentText() == "Plains"
    assert row.battlemap is not None


def test_any_open_map_can_be_a_terrain(qtbot, window: MainWindow, variant: VariantWindow):
    row = row_of(variant, "Brush")
    index = row.script.findText("Open map: Untitled")
    row.script.setCurrentIndex(index)
    row.source_chosen.emit(row.script.itemData(index))
    assert row.battlemap is window.desk.document.battlemap
    assert row.script.currentIndex() == index


def test_a_script_with_an_error_keeps_from_exporting_until_something_else_is_chosen(
    qtbot, variant: VariantWindow, tmp_path: Path
):
    make_files(tmp_path, {"bad.rnd": BAD})
    row = row_of(variant, "Brush")
    variant.board.choose_file(row, tmp_path / "bad.rnd")
    settle(qtbot, variant)
    assert row.words.toolTip().startswith("line 1, column 9: `HAZARD` is no word")
    assert row.pictures["new"].text() == "no map"
    assert not variant.export_button.isEnabled()
    assert "Brush" in variant.status.text
    row.source_chosen.emit("")
    settle(qtbot, variant)
    assert row.words.text() == "stays as it is"
    assert variant.export_button.isEnabled()


def test_a_typed_seed_is_rolled_when_the_keys_rest(qtbot, variant: VariantWindow):
    row = row_of(variant, "Brush")
    row.seed.selectAll()
    QTest.keyClicks(row.seed, "17")
    settle(qtbot, variant)
    wanted = Choice(CATALOGUE + "Brush", 17, 0)
    assert row.choice == wanted
    assert row.made is not None
    assert row.made.battlemap.layers[-1].roll.seed == 17


def test_seeds_and_scripts_come_back_the_next_time(qtbot, tmp_path: Path, game: Path):
    settings = settings_in(tmp_path, game)
    settings.variant = "Badlands"
    choices = {"Fort": Choice(CATALOGUE + "Tower", 5, 7, True)}
    settings.set_variant_choices("Badlands", as_text(choices))
    window = MainWindow(small_map(), settings)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    window.desk.games.whole_variant()
    variant = window.findChild(VariantWindow)
    settle(qtbot, variant)
    assert variant.variant.currentText() == "Badlands"
    row = row_of(variant, "Fort")
    assert row.choice == choices["Fort"]
    assert row.lock.isChecked()
    assert (row.seed.text(), row.number.text()) == ("5", "7")


def test_stopped_rolls_say_so_and_can_be_rolled_again(qtbot, variant: VariantWindow):
    variant.board.reroll_all()
    variant.board.cancel()
    assert variant.board.faulty() == ["Brush", "Plains", "Tower"]
    assert not variant.export_button.isEnabled()
    variant.board.reroll_all()
    settle(qtbot, variant)
    assert variant.board.faulty() == []


def test_the_window_is_used_with_the_keyboard_alone(qtbot, variant: VariantWindow):
    variant.activateWindow()
    row = variant.board.rows[0]
    row.script.setFocus()
    seen = []
    for _ in range(6):
        seen.append(variant.focusWidget())
        QTest.keyClick(variant.focusWidget(), Qt.Key.Key_Tab)
    assert seen == [row.script, row.seed, row.number, row.lock, row.reroll, row.edit]
    assert variant.focusWidget() is variant.board.rows[1].script
    for widget in seen:
        assert row.terrain in widget.accessibleName()


def test_the_pictures_follow_the_colours_of_the_desk(qtbot, window, variant: VariantWindow):
    picture = row_of(variant, "Brush").pictures["new"]
    qtbot.waitUntil(lambda: not picture.pixmap().isNull())

    def corner() -> int:
        return picture.pixmap().toImage().pixelColor(1, 1).lightness()

    assert corner() > 128
    window.desk.theme.set_theme("dark")
    qtbot.waitUntil(lambda: corner() < 128)
    window.desk.theme.set_theme("system")
    qtbot.waitUntil(lambda: corner() > 128)


def test_rows_are_alike_and_the_name_typed_is_the_one_said(qtbot, variant: VariantWindow):
    variant.resize(1000, 900)
    qtbot.waitUntil(lambda: variant.width() == 1000)
    qtbot.waitUntil(lambda: len({row.height() for row in variant.board.rows}) == 1)
    assert variant.board.rows[0].height() < 150
    variant.variant.setCurrentIndex(variant.variant.findText(NEW))
    settle(qtbot, variant)
    variant.name.setText("Moorlands")
    assert variant.status.text == "3 maps to export to Moorlands."
