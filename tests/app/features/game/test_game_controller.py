"""The commands of the window that deal with the game: there and back, its scripts, its pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor

from app.document.open_map import GameSource
from app.features.game.export_dialog import ExportDialog
from app.features.game.game_chooser import ChooseGameDialog
from app.features.game.open_dialog import OpenGameDialog
from app.features.game.take_back_dialog import TakeBackDialog
from app.render.overlay_options import Overlays
from app.render.pictures.pictures_of_game import GamePictures
from app.render.pictures.terrain_pictures import Pictures
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import SmallWindow, cell, opened, wait_for_actions
from tests.app.features.game.test_export_dialog import settle
from tests.app.made_up_game import make_game, png, settings_in
from tests.randomizer.systems.colossus.game_on_disk import make_files

PURPLE = "#a000a0"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    pictures = {"Default/images/Bog_Hazard.gif": b"", "Default/images/Bog_Hazard.png": png(PURPLE)}
    return make_game(tmp_path / "game", **pictures)


def middle_of_bog(window: SmallWindow) -> QColor:
    """The colour in the middle of the board after a Bog was painted there."""
    document = window.desk.document
    slots = window.desk.document.battlemap.system.terrain_set
    bog = slots.terrain_code("Bog")
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [cell("D4")], bog)
    document.push(edit, "Bog")
    window.desk.renderer.overlays = Overlays(labels=False, elevation=False)
    image = window.desk.renderer.picture(document.battlemap, document.composite, 600, 620, 0.5)
    grid = document.battlemap.grid
    left, top, right, bottom = grid.bounds
    x, y = grid.centre(cell("D4"))
    scale = min(600 / (right - left + 1), 620 / (bottom - top + 1))
    return image.pixelColor(
        round(300 + (x - (left + right) / 2) * scale), round(310 + (y - (top + bottom) / 2) * scale)
    )


# --- there and back -----------------------------------------------------------------------------


def open_plains(window: SmallWindow, qtbot, *, merge: bool = False) -> None:
    games = window.desk.games
    games.open_from_game()
    dialog = games.dialog
    assert isinstance(dialog, OpenGameDialog)
    qtbot.waitUntil(lambda: dialog.slots.count() == 3 and not dialog.status.busy)
    dialog.slots.setCurrentRow(1)
    dialog.merge.setChecked(merge)
    with qtbot.waitSignal(dialog.chosen):
        dialog.open_button.click()
    assert games.dialog is None


def test_what_was_opened_from_the_game_goes_back_to_the_same_place(
    window: SmallWindow, game: Path, qtbot
) -> None:
    open_plains(window, qtbot)
    document = window.desk.document
    assert document.composite.properties.get("subtitle") == "with a volcano"
    assert document.source == GameSource(game, "Default", "Plains")
    assert document.display_name == "Default / Plains"
    middle_of_bog(window)  # paints
    window.desk.games.export()
    dialog = window.desk.games.dialog
    assert isinstance(dialog, ExportDialog)
    settle(qtbot, dialog)
    assert dialog.form.group_choice.title == "Default"
    assert dialog.form.slot_choice.box.currentText() == "Plains"
    dialog.export_button.click()
    settle(qtbot, dialog)
    assert b"Bog" in (game / "Default/Battlelands/Plains.xml").read_bytes()
    assert "Exported to Default / Plains" in window.statusBar().currentMessage()
    dialog.reject()
    window.desk.games.take_back()
    dialog = window.desk.games.dialog
    assert isinstance(dialog, TakeBackDialog)
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: "taken back" in window.statusBar().currentMessage())
    assert b"Volcano" in (game / "Default/Battlelands/Plains.xml").read_bytes()
    dialog.reject()
    document.history.mark_clean()


def test_merging_from_the_game_makes_a_layer(window: SmallWindow, qtbot) -> None:
    open_plains(window, qtbot, merge=True)
    document = window.desk.document
    assert [layer.name for layer in document.battlemap.layers] == ["Ground", "Default / Plains"]
    assert document.source is None
    document.undo()
    assert len(document.battlemap.layers) == 1


# --- scripts ------------------------------------------------------------------------------------


def test_the_scripts_of_the_game_are_found_in_the_background(
    window: SmallWindow, game: Path, qtbot
) -> None:
    games = window.desk.games
    assert games.scripts() == []
    script = make_files(game, {"scripts/Dunes.rnd": ""}) / "scripts" / "Dunes.rnd"
    games.scripts()
    qtbot.waitUntil(lambda: games.scripts() == [script])


def test_another_game_has_other_scripts(
    window: SmallWindow, game: Path, tmp_path: Path, qtbot
) -> None:
    other = make_files(make_game(tmp_path / "other"), {"Other.rnd": ""})
    games = window.desk.games
    games.export()
    games.game_folder().choose(other)
    qtbot.waitUntil(lambda: games.scripts() == [other / "Other.rnd"])
    games.dialog.reject()


def test_without_a_game_there_are_no_scripts(windows, tmp_path: Path) -> None:
    assert windows(settings_in(tmp_path, None)).desk.games.scripts() == []


# --- pictures -----------------------------------------------------------------------------------


def test_the_games_pictures_are_used_and_given_up(window: SmallWindow, qtbot) -> None:
    own = middle_of_bog(window)
    action = window.desk.commands.action("view.pictures-of-the-game")
    action.trigger()
    qtbot.waitUntil(lambda: isinstance(window.desk.renderer.pictures, GamePictures))
    assert isinstance(window.desk.renderer.pictures, GamePictures)
    assert window.desk.settings.game_pictures
    assert middle_of_bog(window) == QColor(PURPLE)
    action.trigger()
    assert type(window.desk.renderer.pictures) is Pictures
    assert not window.desk.settings.game_pictures
    assert middle_of_bog(window) == own
    window.desk.document.history.mark_clean()
    window.desk.document.current_map.rolled = False


def test_the_games_pictures_are_there_again_at_the_next_start(
    windows, game: Path, tmp_path: Path, qtbot
) -> None:
    settings = settings_in(tmp_path, game)
    settings.game_pictures = True
    window = windows(settings)
    qtbot.waitUntil(lambda: isinstance(window.desk.renderer.pictures, GamePictures))
    assert window.desk.commands.action("view.pictures-of-the-game").isChecked()


def test_a_game_that_has_gone_leaves_our_pictures_and_a_word(
    windows, tmp_path: Path, qtbot
) -> None:
    settings = settings_in(tmp_path, tmp_path / "gone")
    settings.game_pictures = True
    window = windows(settings)
    qtbot.waitUntil(lambda: "pictures cannot be used" in window.statusBar().currentMessage())
    assert type(window.desk.renderer.pictures) is Pictures
    assert not window.desk.commands.action("view.pictures-of-the-game").isChecked()


def test_asking_for_pictures_of_a_game_that_has_gone_gives_one_dialog(
    windows, tmp_path: Path, qtbot
) -> None:
    window = windows(settings_in(tmp_path, tmp_path / "gone"))
    window.desk.commands.action("view.pictures-of-the-game").trigger()
    qtbot.waitUntil(lambda: len(window.findChildren(ProblemDialog)) == 1)
    assert "cannot be used" in window.findChild(ProblemDialog).heading.text()
    assert not window.desk.commands.action("view.pictures-of-the-game").isChecked()


def test_a_game_without_pictures_leaves_ours(windows, tmp_path: Path, qtbot) -> None:
    bare = make_files(tmp_path / "bare", {"Default/Battlelands/Plains.xml": "<battlemap/>"})
    window = windows(settings_in(tmp_path, bare))
    window.desk.commands.action("view.pictures-of-the-game").trigger()
    qtbot.waitUntil(lambda: "no pictures of hazards" in window.statusBar().currentMessage())
    assert type(window.desk.renderer.pictures) is Pictures
    assert not window.desk.commands.action("view.pictures-of-the-game").isChecked()


def test_a_picture_that_cannot_be_shown_is_told_and_the_others_are_used(
    windows, game: Path, tmp_path: Path, qtbot
) -> None:
    make_files(game, {"Default/images/Tree_Hazard.gif": b"no picture"})
    window = windows(settings_in(tmp_path, game))
    window.desk.commands.action("view.pictures-of-the-game").trigger()
    qtbot.waitUntil(lambda: "1 could not be shown" in window.statusBar().currentMessage())
    assert isinstance(window.desk.renderer.pictures, GamePictures)


def test_without_a_game_it_is_asked_for(windows, game: Path, tmp_path: Path, qtbot) -> None:
    window = windows(settings_in(tmp_path, None))
    action = window.desk.commands.action("view.pictures-of-the-game")
    action.trigger()
    opened(window, qtbot, ChooseGameDialog).reject()
    wait_for_actions(qtbot)
    assert not action.isChecked()
    action.trigger()
    dialog = opened(window, qtbot, ChooseGameDialog)
    assert not dialog.ok_button.isEnabled()
    window.desk.games.game_folder().choose(game)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    dialog.ok_button.click()
    qtbot.waitUntil(lambda: isinstance(window.desk.renderer.pictures, GamePictures))
    assert window.desk.settings.game_dir("colossus") == game
    assert action.isChecked()


def test_a_script_of_the_game_has_one_row_however_often_it_lies_there_and_was_opened(
    window: SmallWindow, game: Path, qtbot
) -> None:
    texts = {"one/Beach.rnd": "TOWER", "two/Beach.rnd": "TOWER", "three/Beach.rnd": ""}
    make_files(game, texts)
    commands = window.desk.commands
    window.desk.settings.add_recent("scripts", game / "one" / "Beach.rnd")

    def rows() -> list[str]:
        found = commands.offered(fill=True)
        return [commands.path(name) for name in found if "beach" in name and "script." not in name]

    qtbot.waitUntil(
        lambda: (
            rows()
            == [
                "File > Open recent > Beach.rnd",
                "Randomize > Roll with > From the game directory > Beach (one)",
                "Randomize > Roll with > From the game directory > Beach (three)",
            ]
        )
    )
