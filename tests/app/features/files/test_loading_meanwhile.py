"""A map that comes while another one is being saved or closed never takes its file or its place."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit

from app.document import map_writing
from app.document.open_map import GameSource
from app.features.game.export_dialog import ExportDialog
from app.features.pictures.picture_dialog import PictureDialog
from app.features.recovery.feature import Recovery
from randomizer.formats.results import ReadResult
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.files.project import PROJECT, read_project
from randomizer.storage.journal.journal import Journal
from randomizer.storage.records.encoding import encode_map
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from tests.app.conftest import opened, wait_for_actions
from tests.app.made_up_game import make_game
from tests.app.saves import finished
from tests.daily import deep_but

PAINTED = 3


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("files", "recovery", "game", "pictures")


@pytest.fixture
def journals(tmp_path) -> Path:
    return tmp_path / "journals"


class Desk:
    """A window with map A, painted; B comes in one of the ways that maps come.

    Files are written when ``gate`` is set, not before.
    """

    def __init__(self, qtbot, window, folder: Path, monkeypatch) -> None:
        self.qtbot = qtbot
        self.window = window
        self.folder = folder
        self.desk = window.desk
        self.document = window.desk.document
        self.a = folder / "A.battlemap"
        self.b = folder / "B.battlemap"
        battleland = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
        for path, battlemap in ((self.a, battleland), (self.b, free_map(SQUARE, 7, 7))):
            path.write_bytes(PROJECT.write(battlemap))
        self.desk.files.open_path(self.a)
        qtbot.waitUntil(lambda: self.document.path == self.a)
        self.ours = self.document.current_map
        self.paint()
        self.gate = threading.Event()
        self.writes = 0
        # Files are written when a test lets them be.
        monkeypatch.setattr("app.features.files.map_writer.write_map", self._write_slowly)

    def paint(self) -> None:
        edit = set_values(self.document.battlemap, 1, "terrain", [3], PAINTED)
        assert self.document.push(edit, "Paint")

    def _write_slowly(self, *arguments, **options) -> object:
        self.writes += 1
        assert self.gate.wait(20)
        return map_writing.write_map(*arguments, **options)

    # --- ways in which B comes --------------------------------------------------------------

    def bring(self, way: str) -> None:
        """Let B come, and wait until it is the current map."""
        getattr(self, way)()
        self.qtbot.waitUntil(lambda: self.document.battlemap.system.name == "free")
        assert self.document.current_map is not self.ours

    def open(self) -> None:
        self.desk.files.open_path(self.b)

    def drop(self) -> None:
        self.desk.files.open_path(self.b, roll=True)

    def recent(self) -> None:
        self.desk.settings.add_recent("maps", self.b)
        (row,) = [each for each in self._recent() if self.b.name in each.text]
        row.do()

    def _recent(self):
        from app.commands.recent import recent_files

        settings = self.desk.settings
        return recent_files("file.open-recent", settings, ("maps",), self.desk.files.open_path)

    def game(self) -> None:
        source = GameSource(self.folder, "Default", "Brush")
        self.desk.files.open_game_map(ReadResult(free_map(SQUARE, 7, 7), ()), source, "Brush")

    def backup(self) -> None:
        self.desk.files.open_copy(self.b)

    def recovery(self) -> None:
        battlemap = free_map(SQUARE, 7, 7)
        folder = self.folder / "left"
        journal = Journal.begin(folder, {"name": "B"}, encode_map(battlemap))
        self.window.findChild(Recovery).autosave.restore(journal, battlemap)

    # --- what is left -----------------------------------------------------------------------

    def written(self, path: Path) -> tuple[str, bool]:
        """The system of the map in a file, and whether it is painted."""
        battlemap = read_project(path.read_bytes()).battlemap
        assert battlemap is not None
        terrain = battlemap.layers[0].planes.get("terrain")
        return battlemap.system.name, terrain is not None and bool((terrain == PAINTED).any())


WAYS = deep_but(["open", "drop", "recent", "game", "backup", "recovery"], "open", "recovery")


@pytest.fixture
def desk(qtbot, window, tmp_path, monkeypatch) -> Desk:
    return Desk(qtbot, window, tmp_path, monkeypatch)


def end(desk: Desk) -> None:
    desk.gate.set()
    finished(desk.desk.files.saving.idle())


@pytest.mark.parametrize("way", WAYS)
def test_a_map_that_comes_while_another_is_saved_keeps_its_name_and_its_file(desk, way):
    desk.desk.commands.run("file.save")
    desk.bring(way)
    theirs = desk.document.current_map
    name = desk.document.display_name
    end(desk)
    assert desk.written(desk.a) == ("colossus", True)
    assert (desk.ours.path, desk.ours.unsaved) == (desk.a, False)
    assert theirs.path in (None, desk.b)
    assert desk.document.display_name == name != "A.battlemap"
    assert desk.written(desk.b) == ("free", False)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", ["file.save-as", "file.export-as"])
def test_a_map_that_comes_while_a_file_is_chosen_is_not_what_is_written(desk, hand, way, command):
    chosen = desk.folder / ("C.battlemap" if command == "file.save-as" else "C.xml")
    title = "Save map as" if command == "file.save-as" else "Export map as"
    asked = hand.expect(title).do(lambda _dialog: desk.bring(way)).type_path(chosen)
    desk.desk.commands.run(command)
    desk.qtbot.waitUntil(lambda: asked.has_come and desk.document.current_map is not desk.ours)
    theirs = desk.document.current_map
    end(desk)
    assert theirs.path in (None, desk.b)
    if command == "file.save-as":
        assert desk.ours.path == chosen
        assert desk.written(chosen) == ("colossus", True)
    else:
        assert desk.ours.path == desk.a
        assert b"Drift" in chosen.read_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_a_map_that_comes_while_an_export_is_planned_does_not_go_into_the_game(desk, way):
    game = make_game(desk.folder / "game")
    desk.desk.settings.set_game_dir("colossus", game)
    desk.desk.commands.run("file.export-to-game")
    dialog = desk.window.findChild(ExportDialog)
    desk.bring(way)
    theirs = desk.document.current_map
    source = theirs.source
    desk.qtbot.waitUntil(lambda: dialog.form.group_choice.box.findText("Default") >= 0)
    dialog.form.group_choice.box.setCurrentText("Default")
    dialog.form.slot_choice.box.setCurrentText("Plains")
    desk.qtbot.waitUntil(lambda: dialog.game_export.ready)
    dialog.export_button.click()
    wait_for_actions(desk.qtbot)
    assert b"Drift" in (game / "Default" / "Battlelands" / "Plains.xml").read_bytes()
    assert desk.ours.source == GameSource(game, "Default", "Plains")
    assert theirs.source is source
    dialog.take_back_button.click()
    wait_for_actions(desk.qtbot)
    assert desk.ours.source is None
    dialog.reject()


@pytest.mark.parametrize("way", WAYS)
def test_a_map_that_comes_while_a_picture_is_chosen_is_not_in_it(desk, hand, way):
    hand.hold(PictureDialog, QFileDialog)
    pictures = []
    for comes in (False, True):
        desk.document.make_current(desk.ours)
        desk.desk.commands.run("file.export-picture")
        dialog = opened(desk.window, desk.qtbot, PictureDialog)
        path = desk.folder / f"{comes}.svg"
        dialog.go_button.click()
        files = opened(desk.window, desk.qtbot, QFileDialog)
        if comes:
            desk.bring(way)
        files.findChild(QLineEdit, "fileNameEdit").setText(str(path))
        files.accept()
        wait_for_actions(desk.qtbot)
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_closed_and_saved_is_the_map_that_was_asked_about(desk, hand, way):
    hand.expect("Unsaved changes").press("Save")
    desk.desk.commands.run("file.close-map")
    desk.qtbot.waitUntil(lambda: desk.writes == 1)
    desk.bring(way)
    theirs = desk.document.current_map
    end(desk)
    desk.qtbot.waitUntil(lambda: desk.ours not in desk.document.maps)
    assert desk.document.maps == (theirs,)
    assert desk.written(desk.a) == ("colossus", True)


@pytest.mark.parametrize("way", WAYS)
def test_a_map_that_comes_while_the_question_is_asked_stays_open(desk, hand, way):
    hand.expect("Unsaved changes").do(lambda _dialog: desk.bring(way)).press("Save")
    desk.gate.set()
    desk.desk.commands.run("file.close-map")
    desk.qtbot.waitUntil(lambda: desk.ours not in desk.document.maps)
    assert len(desk.document.maps) == 1
    assert desk.document.battlemap.system.name == "free"
    assert desk.written(desk.a) == ("colossus", True)


def test_what_is_painted_while_the_file_is_written_is_not_saved_and_said(desk):
    desk.desk.commands.run("file.save")
    edit = set_values(desk.document.battlemap, 1, "terrain", [4], PAINTED)
    assert desk.document.push(edit, "Paint")
    end(desk)
    assert desk.ours.unsaved
    assert "meanwhile" in desk.window.statusBar().currentMessage()
    desk.desk.commands.run("file.save")
    desk.qtbot.waitUntil(lambda: not desk.ours.unsaved)


def test_a_second_save_waits_for_the_first_one_and_so_does_closing(desk):
    desk.desk.commands.run("file.save")
    desk.desk.commands.run("file.save")
    desk.desk.commands.run("file.close-map")
    assert desk.ours in desk.document.maps
    end(desk)
    desk.qtbot.waitUntil(lambda: desk.ours not in desk.document.maps)
    assert desk.writes == 2
    assert desk.written(desk.a) == ("colossus", True)


def test_a_map_that_cannot_be_written_stays_open(desk):
    desk.a.unlink()
    desk.a.mkdir()
    desk.desk.commands.run("file.close-map")
    end(desk)
    assert desk.ours in desk.document.maps
    assert desk.ours.unsaved
