"""Maps of other programs on the desk: what a file loses is said before it is written; what it
refers to is asked for; what is wrong with several files is told together.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeView

from app.background.actions import Stopped
from app.document.map_writing import save_format
from app.features.files import missing_files
from app.features.files.name_filters import name_filters
from app.features.files.open_dialog import OpenDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.catalog.map_formats import format_named
from randomizer.formats.format import Format
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.terrain_entries import EntryList, change_entry
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import ORIGINAL
from randomizer.model.terrain.terrain import Terrain
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.conftest import choose_files, opened
from tests.app.saves import finished, saved
from tests.randomizer.systems.interchange.samples import BOARD, TMJ, WESNOTH


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("files", "terrains")


LOSSES = "Not everything can be kept"
SAVE_AS = "Save map as"


@pytest.fixture
def isle(window, qtbot, tmp_path) -> Path:
    """A map of Wesnoth that is open, with an elevation, which Wesnoth has not."""
    path = tmp_path / "isle.map"
    path.write_bytes(WESNOTH)
    document = window.desk.document
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: ORIGINAL in document.battlemap.records)
    edit = set_values(document.battlemap, document.active_layer_id, "elevation", [1, 2], 3)
    assert document.push(edit, "Raise")
    return path


def test_what_a_file_loses_is_said_before_it_is_written(window, hand, isle):
    save = window.desk.files.saving.save
    question = hand.expect(LOSSES).press("Cancel")
    assert not saved(save)
    assert isle.read_bytes() == WESNOTH
    assert question.text == (
        "isle.map, a Wesnoth map, will lose this:\n• 2 elevations: Wesnoth has none"
    )
    hand.expect(LOSSES).tick("Do not ask again for this map").press("Write isle.map")
    assert saved(save)
    assert saved(save)  # it is not asked again
    assert isle.read_bytes() == WESNOTH, "in Wesnoth's words nothing changed"
    assert not window.desk.document.modified


def test_the_article_is_that_of_the_format_which_loses_something(window, hand, tmp_path):
    battlemap = BattleMap.new(ZEROAD, layers=[Layer(1, "Ground"), Layer(2, "Ideas")])
    window.desk.document.show_map(battlemap)
    path = tmp_path / "isle.xml"
    hand.expect(SAVE_AS).type_path(path)
    question = hand.expect(LOSSES).press("Cancel")
    assert not saved(window.desk.files.saving.save_as)
    assert question.text.startswith("isle.xml, an Atlas scenario for 0 A.D., will lose this:")


def test_layers_that_become_one_are_a_loss_too(window, hand, isle):
    window.desk.document.undo()
    window.desk.document.push(LayerInsert(1, Layer(9, "Ideas")), "Add")
    question = hand.expect(LOSSES).press("Cancel")
    assert not saved(window.desk.files.saving.save)
    assert question.text.endswith("\n• 2 layers: they become one")


@pytest.mark.usefixtures("hand", "isle")
def test_a_map_that_loses_nothing_is_saved_without_a_question(window):
    window.desk.document.undo()
    assert saved(window.desk.files.saving.save)


def chosen_type(types: list[str]):
    """A move in a file dialog that adds the type that is chosen when it comes."""
    return lambda dialog: types.append(dialog.selectedNameFilter())


def test_one_answer_is_a_project(window, hand, isle, tmp_path):
    target = tmp_path / "isle.battlemap"
    types: list[str] = []
    hand.expect(LOSSES).press("Make a project...")
    hand.expect(SAVE_AS).do(chosen_type(types)).type_path(target)
    assert saved(window.desk.files.saving.save)
    assert window.desk.document.path == target
    assert isle.read_bytes() == WESNOTH
    assert types == ["Map project (*.battlemap)"]


def test_save_as_begins_with_the_program_of_the_file_and_says_losses_of_others(
    window, hand, isle, tmp_path
):
    target = tmp_path / "isle"
    types: list[str] = []
    hand.expect(SAVE_AS).do(chosen_type(types)).type_path(target, "MegaMek board")
    question = hand.expect(LOSSES).press("Write isle.board")
    assert saved(window.desk.files.saving.save_as)
    assert types == ["Wesnoth map (*.map *.mask)"]
    assert window.desk.document.path == target.with_suffix(".board")
    assert "MegaMek has no such, the nearest is written" in question.text


def test_of_formats_with_one_suffix_the_chosen_one_is_written(tmp_path):
    scripts = [format_named(f"script-0.{number}", ZEROAD) for number in (26, 27, 28)]
    path = tmp_path / "a.js"
    assert [save_format(path, ZEROAD, known) for known in scripts] == scripts
    path = tmp_path / "a.txt"
    assert save_format(path, FREE, scripts[0]).name == "textmapper"


def test_a_file_with_a_suffix_of_another_program_stays_in_its_own_format(tmp_path):
    for name, data, own in (("a.json", TMJ, "tmj"), ("a.board", WESNOTH, "wesnoth")):
        path = tmp_path / name
        path.write_bytes(data)
        assert save_format(path, FREE).name == own
    assert save_format(path, FREE, format_named("board")).name == "board"


def test_there_is_a_line_for_each_program():
    lines = name_filters()
    assert lines[0].startswith("Maps, scripts and terrain sets (")
    assert {"MegaMek board (*.board)", "Text Mapper map (*.txt)"} < set(lines)
    assert len(lines) == len(set(lines))


class TiledMap(Format):
    """As much of a format as the question needs."""

    nouns_beside: ClassVar = {".tsx": "tileset"}


def test_a_missing_file_is_asked_for_and_brings_those_beside_it(window, hand, tmp_path):
    path = Path("hill.tmx")
    known = TiledMap()
    names = ["../sets/a.tsx", r"..\sets\b.tsx", "c.tsx"]
    for name in ("A new name.tsx", "b.tsx"):
        (tmp_path / name).write_text("")
    missing = "A tileset is missing"
    question = hand.expect(missing).press("Find tileset...")
    hand.expect("Find tileset a.tsx").escape()
    hand.expect(missing).press("Find tileset...")
    hand.expect("Find tileset a.tsx").type_path(tmp_path / "A new name.tsx")
    assert finished(missing_files.ask_for_missing_files(window.desk, path, known, names)) == {
        names[0]: tmp_path / "A new name.tsx",
        names[1]: tmp_path / "b.tsx",
    }
    sentence = "hill.tmx needs the tileset ../sets/a.tsx, which was not found."
    assert question.text.startswith(sentence)
    assert "2 more files" in question.text
    hand.expect(missing).press("Go on without it")
    assert finished(missing_files.ask_for_missing_files(window.desk, path, known, names)) == {}
    hand.expect(missing).press("Cancel")
    with pytest.raises(Stopped):
        finished(missing_files.ask_for_missing_files(window.desk, path, known, names))


def test_what_is_wrong_with_several_files_is_told_together(window, qtbot, tmp_path):
    names = ("a.board", "b.map", "bad.board", "bad.terrains", "c.xml")
    paths = [tmp_path / name for name in names]
    bad = BOARD.replace(b"size 4 3", b"size 4000 3000")
    for path, data in zip(paths, (BOARD, WESNOTH, bad, b"[]", b"<variant/>"), strict=True):
        path.write_bytes(data)
    window.desk.files.open_paths(paths)
    dialog = opened(window, qtbot, ProblemDialog)
    assert dialog.heading.text() == "Problems in 4 files"
    text = dialog.text.toPlainText()
    assert [str(path) in text for path in paths] == [True, False, True, True, True]
    assert [each.path for each in window.desk.document.maps][-2:] == paths[:2]
    dialog.close()


def test_a_saved_terrain_set_is_that_of_the_next_map_of_the_program_until_it_is_forgotten(
    window, qtbot, hand, isle, tmp_path
):
    desk = window.desk
    document = window.desk.document
    sets = tmp_path / "mine.terrains"
    look = tmp_path / "next.map"
    look.write_bytes(b"Gg, Gg\nGg, 1 Kh\n")
    hand.expect("Save the terrain set").type_path(sets)

    def grass(path: Path) -> Terrain:
        desk.files.open_path(path)
        qtbot.waitUntil(lambda: document.path == path)
        return next(
            terrain for terrain in document.battlemap.terrain_set.terrains if terrain.code == "Gg"
        )

    number = [terrain.code for terrain in document.battlemap.terrain_set.terrains].index("Gg")
    own = change_entry(
        document.battlemap, EntryList.TERRAINS, number, name="Lawn", colour="#00ff00"
    )
    assert document.push(own, "Rename")
    assert not desk.commands.action("terrains.forget").isVisible()
    desk.commands.run("terrains.save-as")
    qtbot.waitUntil(sets.exists)
    message = desk.frame.statusBar().currentMessage
    qtbot.waitUntil(lambda: message().endswith("The next Wesnoth map looks like this one."))
    lawn = grass(look)
    assert (lawn.name, lawn.colour) == ("Lawn", "#00ff00")
    assert message().startswith("The terrains look as saved in mine.terrains")
    board = tmp_path / "a.board"
    board.write_bytes(BOARD)
    problems = hand.expect("Battlelands Builder").press("Close")
    desk.files.open_path(board)
    qtbot.waitUntil(lambda: document.path == board and problems.has_come)
    assert not document.battlemap.terrain_set.has_terrain("Lawn"), "another program"
    document.make_current(document.maps[-2])
    sets.write_text("no set")
    again = tmp_path / "again.map"
    again.write_bytes(WESNOTH)
    problems = hand.expect("Battlelands Builder").press("Close")
    assert grass(again).name == "Green grass"
    qtbot.waitUntil(lambda: problems.has_come)
    assert "JSON" in problems.text
    desk.commands.run("terrains.forget")
    assert message() == "The next Wesnoth map has its usual looks again."
    assert desk.settings.program_terrains == {}


def test_the_kind_of_files_that_is_chosen_in_the_dialog_says_who_reads_a_file(
    window, qtbot, tmp_path
):
    path = tmp_path / "odd.map"
    path.write_bytes(b"Hello\n")
    for kind, message in (
        ("Maps, scripts and terrain sets", "none of the files that end in .map"),
        ("Wesnoth map", "'Hello' is no terrain such as Gg^Fp"),
        ("Xconq mapfile", "A mapfile begins with the word"),
    ):
        window.desk.commands.run("file.open")
        dialog = opened(window, qtbot, OpenDialog)
        (name_filter,) = (each for each in dialog.nameFilters() if each.startswith(f"{kind} ("))
        dialog.selectNameFilter(name_filter)
        dialog.filterSelected.emit(name_filter)
        dialog.currentChanged.emit(str(path))
        qtbot.waitUntil(lambda shown=message, asked=dialog: shown in asked.status.text)
        choose_files(window, qtbot, path)
        problems = opened(window, qtbot, ProblemDialog)
        assert message in problems.text.toPlainText()
        problems.close()
        problems.deleteLater()
        qtbot.waitUntil(lambda: not window.findChildren(ProblemDialog))


def test_the_dialog_shows_the_map_in_a_file_or_what_is_wrong_with_it(window, qtbot, tmp_path):
    files = {"a.map": WESNOTH, "bad.board": b"size 0 3\nhex 0101 0", "s.rnd": b"TOWER\n"}
    files["own.terrains"] = write_terrains(packaged_set(TITAN_HAZARDS))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    window.desk.commands.run("file.open")
    dialog = opened(window, qtbot, OpenDialog)
    table = dialog.findChild(QTreeView)
    titles = [table.model().headerData(column, Qt.Orientation.Horizontal) for column in range(4)]
    hidden = [title for column, title in enumerate(titles) if table.isColumnHidden(column)]
    assert hidden == ["Type"], "the system calls a project a Zip archive"

    def shown(name: str) -> str:
        dialog.currentChanged.emit(str(tmp_path / name))
        # When the picture is drawn nobody is told.
        qtbot.waitUntil(lambda: not (dialog._background_preview.busy or dialog.status.busy))
        return dialog.status.text

    assert shown("a.map") == "Wesnoth map: 16 cells"
    qtbot.waitUntil(lambda: not dialog.picture.pixmap().isNull())
    image = dialog.picture.pixmap().toImage()
    assert len({image.pixel(x, image.height() // 2) for x in range(image.width())}) > 10
    assert "a map has 1 to" in shown("bad.board")
    assert dialog.picture.pixmap().isNull()
    assert shown("s.rnd") == "Randomizer script"
    assert shown("own.terrains").startswith("Terrain set Titan hazards: ")
    assert shown("") == ""
    choose_files(window, qtbot, tmp_path / "a.map")
    qtbot.waitUntil(lambda: window.desk.document.path == tmp_path / "a.map")
