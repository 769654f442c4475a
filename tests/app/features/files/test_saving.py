"""Opening, saving and closing maps: nobody's work is lost or overwritten."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.document.map_writing import write_map
from app.document.open_map import FlatFile
from app.features.files.backups_dialog import BackupsDialog
from app.features.files.disk_watch import DiskWatch
from app.render.viewport import Viewport
from app.widgets.dialogs.choice import choose
from app.widgets.dialogs.problem_dialog import ProblemDialog
from app.widgets.dialogs.text_dialog import TextDialog
from randomizer.catalog.map_formats import format_named
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.records.map_records import MapRecord
from randomizer.model.terrain.terrain import Terrain
from randomizer.storage.disk.backups import Backups
from randomizer.storage.files.project import PROJECT, read_project, write_project
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from randomizer.systems.interchange.tile_pictures import read_pixels
from tests.app.saves import finished, left, saved
from tests.randomizer.systems.interchange.samples import WXX
from tests.ui_work import UiWork

SAVE_AS = "Save map as"
EXPORT = "Export map as"
FLAT_OR_PROJECT = "What should Save write?"
LOSSES = "Not everything can be kept"
CHANGED = "File changed meanwhile"
BESIDE = "Replace what is beside the map?"
UNSAVED = "Unsaved changes"
PROBLEMS = "Battlelands Builder"


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("files",)


@pytest.fixture
def files(window):
    return window.desk.files


@pytest.fixture
def saving(files):
    return files.saving


@pytest.fixture
def moor(tmp_path) -> Path:
    xml = format_named("xml")
    path = tmp_path / "Moor.xml"
    path.write_bytes(
        xml.write(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground", properties={"title": "Moor"})]))
    )
    return path


def opened(qtbot, window, path):
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)


def paint(window, terrain=3):
    document = window.desk.document
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [15], terrain)
    assert document.push(edit, "Paint")


def another_program_writes(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    os.utime(path, ns=(1, 1))


def problems_said(window) -> str:
    (dialog,) = window.findChildren(ProblemDialog)
    words = dialog.text.toPlainText()
    dialog.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return words


# --- which file -----------------------------------------------------------------------------------


def test_a_map_without_a_title_is_called_like_the_script_of_its_roll(window, saving, hand):
    battlemap = free_map(SQUARE, 4, 4)
    roll = Roll("", "river_valley.js", "", {}, 1, 0)
    battlemap.layers[0].roll = roll
    battlemap.source = battlemap.layers[0].id
    window.desk.document.open_map(battlemap)
    dialog = hand.expect(SAVE_AS).press("Cancel")
    assert not saved(saving.save_as)
    assert dialog.text.startswith("river_valley\n")


def test_a_new_map_is_saved_as_a_project_with_everything(qtbot, window, saving, hand, tmp_path):
    document = window.desk.document
    document.push(LayerInsert(1, Layer(9, "Ideas", opacity=0.5)), "Add", active=9)
    paint(window)
    document.push(set_locks(document.battlemap, [15], True), "Lock")
    window.desk.canvas.show_viewport(Viewport(40.0, 12.0, -7.0))
    dialog = hand.expect(SAVE_AS).type_path(tmp_path / "Marsh", "Map project")
    assert saved(saving.save)
    assert dialog.text.startswith("Mountains\n")
    path = tmp_path / "Marsh.battlemap"
    assert document.path == path
    assert not document.modified
    before = document.battlemap
    document.open_map(free_map(SQUARE, 3, 3))
    document.close_map(document.maps[0])
    opened(qtbot, window, path)
    again = document.battlemap
    assert [layer.name for layer in again.layers] == [layer.name for layer in before.layers]
    assert again.layers[0].roll == before.layers[0].roll
    assert again.locked_cells.flat[15]
    assert (
        document.current_map.viewport == window.desk.canvas.viewport == Viewport(40.0, 12.0, -7.0)
    )


def test_a_map_from_xml_asks_once_what_save_should_write(qtbot, window, saving, hand, moor):
    opened(qtbot, window, moor)
    paint(window)
    assert saved(saving.save), "a flat file holds all that the map has"
    window.desk.document.push(LayerInsert(1, Layer(9, "Ideas")), "Add")
    hand.expect(FLAT_OR_PROJECT).press("Cancel")
    assert not saved(saving.save)
    assert window.desk.document.modified
    hand.expect(FLAT_OR_PROJECT).press("Write Moor.xml")
    assert saved(saving.save)
    paint(window, 4)
    assert saved(saving.save)
    assert window.desk.document.path == moor
    assert not window.desk.document.modified
    read = format_named("xml").read(moor.read_bytes()).battlemap
    assert read.composite().planes["terrain"].flat[15] == 4


def test_a_map_from_xml_becomes_a_project_and_stays_one(qtbot, window, saving, hand, moor):
    original = moor.read_bytes()
    opened(qtbot, window, moor)
    window.desk.document.push(LayerInsert(1, Layer(9, "Ideas")), "Add")
    hand.expect(FLAT_OR_PROJECT).press("Make a project...")
    dialog = hand.expect(SAVE_AS).type_path(moor.with_suffix(".battlemap"))
    assert saved(saving.save)
    assert dialog.text.startswith("Moor\n")
    assert moor.read_bytes() == original
    paint(window)
    assert saved(saving.save)
    read = PROJECT.read(window.desk.document.path.read_bytes()).battlemap
    assert [layer.name for layer in read.layers] == ["Moor", "Ideas"]


def test_save_as_offers_both_and_remembers_which(window, saving, hand, tmp_path):
    dialog = hand.expect(SAVE_AS).type_path(tmp_path / "Marsh.xml")
    hand.expect(FLAT_OR_PROJECT).press("Write Marsh.xml")
    assert saved(saving.save_as)
    assert "*.battlemap" in dialog.text
    assert "*.xml" in dialog.text
    paint(window)
    assert saved(saving.save)


def test_a_suffix_that_is_added_does_not_replace_a_file_unasked(saving, hand, moor):
    original = moor.read_bytes()
    for answer, is_written in (("No", False), ("Yes", True)):
        hand.expect(SAVE_AS).type_path(moor.with_suffix(""), "Colossus battleland")
        question = hand.expect("Replace the file?").press(answer)
        if not is_written:
            hand.expect(SAVE_AS).escape()  # another name may be given
        else:
            hand.expect(FLAT_OR_PROJECT).press("Write Moor.xml")
        assert saved(saving.save_as) is is_written
        assert question.text == "Moor.xml is there already. Replace it?"
        assert (moor.read_bytes() != original) is is_written


@pytest.mark.parametrize("name", ["Moor.xml", "Same.xml"])
def test_no_map_is_written_over_that_of_another_tab(qtbot, window, saving, hand, moor, name):
    opened(qtbot, window, moor)
    (moor.parent / "Same.xml").symlink_to(moor)
    original = moor.read_bytes()
    document = window.desk.document
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    for title, write in ((SAVE_AS, saving.save_as), (EXPORT, saving.export_as)):
        hand.expect(title).type_path(moor.parent / name)
        question = hand.expect("Replace the file?").press("Yes")
        assert not saved(write)
        assert question.text == f"{name} is there already. Replace it?"
        assert "open in another tab" in window.statusBar().currentMessage()
    assert moor.read_bytes() == original
    assert document.path is None


def test_an_export_leaves_the_map_its_file_and_its_changes(window, saving, hand, tmp_path):
    paint(window)
    for name in ("a.xml", "a.json", "a.txt"):
        dialog = hand.expect(EXPORT).type_path(tmp_path / name)
        assert saved(saving.export_as)
        assert (tmp_path / name).stat().st_size > 0
        assert "*.battlemap" not in dialog.text
    assert window.desk.document.path is None
    assert window.desk.document.modified


def test_a_map_of_no_game_is_saved_as_a_project_or_for_another_program(
    qtbot, window, saving, hand, tmp_path
):
    window.desk.document.open_map(free_map(SQUARE, 4, 3))
    dialog = hand.expect(EXPORT).type_path(tmp_path / "free.txt")
    hand.expect(LOSSES).press("Write free.txt")
    assert saved(saving.export_as)
    assert dialog.text.startswith("Free map\n")
    assert (tmp_path / "free.txt").read_text("utf-8").startswith("0101 ")
    dialog = hand.expect(SAVE_AS).type_path(tmp_path / "free")
    assert saved(saving.save)
    assert dialog.text.splitlines()[1:] == [
        "Map project (*.battlemap)",
        "MegaMek board (*.board)",
        "Wesnoth map (*.map *.mask)",
        "Text Mapper map (*.txt)",
        "Tiled map (*.tmx)",
        "Tiled map (JSON) (*.tmj)",
    ]
    hand.expect(SAVE_AS).type_path(tmp_path / "free.xml")
    problems = hand.expect(PROBLEMS).press("Close")
    assert not saved(saving.save_as)
    qtbot.waitUntil(lambda: "cannot hold a Free map" in problems.text)
    assert not (tmp_path / "free.xml").exists()


def test_a_map_for_tiled_has_a_tileset_with_our_pictures_beside_it(
    qtbot, window, saving, hand, tmp_path
):
    battlemap = free_map(SQUARE, 2, 1)
    battlemap.layers[0].planes["terrain"] = np.array([[3, 5]], np.uint16)
    window.desk.document.open_map(battlemap)
    folder = tmp_path / "maps"
    folder.mkdir()
    hand.expect(EXPORT).type_path(folder / "free.tmx")
    assert saved(saving.export_as)
    names = {"free.tmx", "free-terrains.tsx", "free-terrains.png"}
    assert {each.name for each in folder.iterdir()} == names
    pixels = read_pixels((folder / "free-terrains.png").read_bytes())
    terrain = pixels[:96, 3 * 96 : 4 * 96]
    assert len(np.unique(terrain.reshape(-1, 4), axis=0)) > 100  # a drawing, not one colour
    opened(qtbot, window, folder / "free.tmx")
    again = window.desk.document.battlemap
    assert again is not battlemap
    assert again.values("terrain").tolist() == [[3, 5]]
    assert again.terrain_set == battlemap.terrain_set


def test_the_question_has_verbs_for_answers(window, hand):
    for text, number in (("Overwrite", 0), ("Save as...", 1), ("Cancel", None)):
        hand.expect("Changed").press(text)
        question = choose(window, "Changed", "What now?", "", ("Overwrite", "Save as..."))
        assert finished(question) == number


# --- another program ------------------------------------------------------------------------------


def test_what_another_program_wrote_is_not_overwritten_unasked(qtbot, window, saving, hand, moor):
    opened(qtbot, window, moor)
    paint(window)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    another_program_writes(moor, b"theirs")
    question = hand.expect(CHANGED).press("Cancel")
    assert not saved(saving.save)
    assert "changed Moor.xml" in question.text
    assert moor.read_bytes() == b"theirs"
    hand.expect(CHANGED).press("Save as...")
    hand.expect(SAVE_AS).type_path(moor.with_name("Mine.xml"))
    assert saved(saving.save)
    assert moor.read_bytes() == b"theirs"
    assert window.desk.document.path.name == "Mine.xml"


def test_overwriting_what_another_program_wrote_keeps_it(
    qtbot, window, saving, hand, moor, tmp_path
):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    paint(window)
    assert saved(saving.save)
    another_program_writes(moor, b"theirs")
    paint(window, 4)
    hand.expect(CHANGED).press("Overwrite")
    assert saved(saving.save)
    kept = Backups(tmp_path / "data" / "backups").backups_of(moor)
    assert kept[0].path.read_bytes() == b"theirs"
    paint(window, 5)
    assert saved(saving.save)


def test_a_file_that_was_only_touched_did_not_change(qtbot, window, saving, hand, moor):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    os.utime(moor, ns=(5, 5))
    assert saved(saving.save)


def test_a_file_that_is_gone_is_written_again(qtbot, window, saving, hand, moor):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    moor.unlink()
    assert saved(saving.save)
    assert moor.exists()


def test_a_map_whose_file_is_not_known_asks(window, saving, hand, moor):
    """A map that was recovered after a crash: the file may be newer."""
    window.desk.document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]), moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    hand.expect(CHANGED).press("Cancel")
    assert not saved(saving.save)


def test_coming_back_to_the_window_tells_and_offers_to_reload(qtbot, window, moor):
    opened(qtbot, window, moor)
    paint(window)
    hills = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground", properties={"title": "Hills"})])
    another_program_writes(moor, format_named("xml").write(hills))
    watch = window.findChild(DiskWatch)
    assert not watch.banner.isVisible()
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(watch.banner.isVisible)
    assert watch.banner.label.text() == "Another program has changed Moor.xml."
    watch.banner.button.click()
    qtbot.waitUntil(lambda: window.desk.document.composite.properties.get("title") == "Hills")
    assert not window.desk.document.modified
    qtbot.waitUntil(lambda: not watch.banner.isVisible())
    window.desk.document.undo()
    assert window.desk.document.composite.properties.get("title") == "Moor"
    assert window.desk.document.composite.planes["terrain"].flat[15] == 3
    assert window.desk.document.modified


def test_what_is_reloaded_has_its_own_terrains_and_records(qtbot, window, tmp_path):
    path = tmp_path / "Isle.battlemap"
    battlemap = free_map(SQUARE, 4, 4)
    path.write_bytes(write_project(battlemap, {}))
    opened(qtbot, window, path)
    document = window.desk.document
    former_set = document.battlemap.terrain_set

    newer = free_map(SQUARE, 4, 4)
    salt = Terrain("Salt", colour="#ffffff")
    newer_set = replace(newer.terrain_set, terrains=(salt, *newer.terrain_set.terrains[:2]))
    newer.terrain_set = newer_set
    newer.layers[0].planes["terrain"] = newer.system.terrain.allocate(newer.grid)
    newer.layers[0].planes["terrain"][:] = 2
    newer.records["period"] = MapRecord("Of salt")
    another_program_writes(path, write_project(newer, {}))
    watch = window.findChild(DiskWatch)
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(watch.banner.isVisible)
    watch.banner.button.click()
    qtbot.waitUntil(lambda: bool(document.history.steps))
    assert document.battlemap.terrain_set == newer_set
    assert (document.composite.planes["terrain"] == 2).all()
    assert document.battlemap.records == newer.records
    document.undo()
    assert document.battlemap.terrain_set == former_set
    assert document.battlemap.records == battlemap.records
    document.redo()
    document.history.mark_clean()


def test_a_file_that_is_gone_is_told_without_an_offer(qtbot, window, moor):
    opened(qtbot, window, moor)
    moor.unlink()
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    banner = window.findChild(DiskWatch).banner
    qtbot.waitUntil(banner.isVisible)
    assert "is not there any more" in banner.label.text()
    assert not banner.button.isVisible()
    window.desk.document.open_map(free_map(SQUARE, 3, 3))
    assert not banner.isVisible()


def edit(scripts) -> None:
    scripts.text.replace(scripts.text.text() + "# mine\n")
    scripts.text.setModified(True)


def test_a_script_that_another_program_changed_is_not_overwritten_unasked(window, hand, tmp_path):
    path = tmp_path / "Bog.rnd"
    path.write_text("TOWER\n")
    scripts = window.desk.scripts
    assert finished(scripts.opening.open(path))
    edit(scripts)  # a text without edits follows its file
    another_program_writes(path, b"theirs")
    question = hand.expect(CHANGED).press("Cancel")
    assert not finished(scripts.files.save())
    assert "changed Bog.rnd" in question.text
    assert path.read_bytes() == b"theirs"
    hand.expect(CHANGED).press("Save as...")
    hand.expect("Save script").type_path(tmp_path / "Fen.rnd")
    assert finished(scripts.files.save())
    assert (tmp_path / "Fen.rnd").read_text() == "TOWER\n# mine\n"
    assert path.read_bytes() == b"theirs"
    edit(scripts)
    another_program_writes(tmp_path / "Fen.rnd", b"theirs")
    hand.expect(CHANGED).press("Overwrite")
    assert finished(scripts.files.save())
    assert (tmp_path / "Fen.rnd").read_text() == "TOWER\n# mine\n# mine\n"


def test_overwriting_writes_the_text_that_was_asked_about(window, hand, tmp_path):
    path = tmp_path / "Bog.rnd"
    path.write_text("TOWER\n")
    scripts = window.desk.scripts
    assert finished(scripts.opening.open(path))
    edit(scripts)
    another_program_writes(path, b"theirs")

    def read_again_and_overwrite(box) -> None:
        """Answer after the file was read again behind the question."""
        scripts.text.replace("theirs")
        next(button for button in box.buttons() if "Overwrite" in button.text()).click()

    hand.expect(CHANGED).do(read_again_and_overwrite)
    assert finished(scripts.files.save())
    assert path.read_text() == "TOWER\n# mine\n"
    assert scripts.text.text() == "TOWER\n# mine\n"
    assert finished(scripts.files.save())


# --- backups --------------------------------------------------------------------------------------


def test_the_older_file_is_kept_and_can_be_opened(qtbot, window, saving, moor):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    paint(window)
    assert saved(saving.save)
    paint(window, 4)
    assert saved(saving.save)
    saving.show_backups()
    (dialog,) = window.findChildren(BackupsDialog)
    assert dialog.list.count() == 1, "saved twice within ten minutes"
    count = len(window.desk.document.maps)
    dialog.accept()
    qtbot.waitUntil(lambda: len(window.desk.document.maps) == count + 1)
    assert window.desk.document.path is None
    assert window.desk.document.display_name == "Backup of Moor.xml"
    assert window.desk.document.composite.planes["terrain"].flat[15] == 0
    assert list(moor.parent.glob("Moor*")) == [moor], "nothing beside the user's file"


def test_a_map_without_a_file_has_no_backups(window, saving):
    saving.show_backups()
    assert window.findChildren(BackupsDialog) == []
    assert "no file yet" in window.statusBar().currentMessage()


def test_a_backup_that_cannot_be_kept_stops_nobody(qtbot, window, saving, moor, tmp_path):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    (tmp_path / "data").write_text("in the way")
    paint(window)
    assert saved(saving.save)
    assert "No backup of the older file" in window.statusBar().currentMessage()
    assert not window.desk.document.modified


# --- what the disk refuses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "number", "words"),
    [
        ("fsync", errno.ENOSPC, "the disk is full"),
        ("replace", errno.EIO, "could not be written"),
        ("open", errno.EACCES, "permission is denied"),
        ("open", errno.EROFS, "the disk can only be read"),
    ],
)
def test_what_cannot_be_written_is_told_and_the_old_file_is_whole(
    qtbot, window, saving, moor, monkeypatch, call, number, words
):
    opened(qtbot, window, moor)
    window.desk.document.current_map.flat_file = FlatFile.ACCEPTED
    before = moor.read_bytes()
    paint(window)
    present = getattr(os, call)

    def refuse(*arguments, **options):
        target = Path(str(arguments[0])) if call != "fsync" else moor
        if target.parent == moor.parent:
            raise OSError(number, os.strerror(number))
        return present(*arguments, **options)

    with monkeypatch.context() as patched:
        # The disk of the system, whichever of its functions is called.
        patched.setattr(os, call, refuse)
        assert not saved(saving.save)
    assert words in problems_said(window)
    assert moor.read_bytes() == before
    assert window.desk.document.modified
    assert [path.name for path in moor.parent.iterdir() if "tmp" in path.name] == []
    assert saved(saving.save)


# --- tabs -----------------------------------------------------------------------------------------


def test_maps_open_in_tabs_and_an_untouched_one_makes_way(qtbot, window, moor, tmp_path):
    document = window.desk.document
    opened(qtbot, window, moor)
    assert len(document.maps) == 1
    fen = tmp_path / "Fen.xml"
    fen.write_bytes(moor.read_bytes())
    opened(qtbot, window, fen)
    assert [open_map.path for open_map in document.maps] == [moor, fen]
    window.desk.files.open_path(moor)
    assert document.path == moor
    assert len(document.maps) == 2, "it is open already"


def test_a_touched_map_makes_no_way(qtbot, window, moor):
    paint(window)
    opened(qtbot, window, moor)
    assert len(window.desk.document.maps) == 2


def test_closing_asks_once_for_all_modified_maps(qtbot, window, files, hand, moor, tmp_path):
    document = window.desk.document
    paint(window)
    question = hand.expect(UNSAVED).press("Cancel")
    assert not left(files)
    assert question.text == "Mountains has changes that are not saved."
    opened(qtbot, window, moor)
    paint(window)
    first, second = document.maps
    question = hand.expect(UNSAVED).press("Cancel")
    assert not left(files)
    assert question.text == "2 maps have changes that are not saved: Mountains and Moor.xml."
    hand.expect(UNSAVED).press("Discard")
    assert left(files)
    second.flat = True
    hand.expect(UNSAVED).press("Save All")
    hand.expect(SAVE_AS).press("Cancel")
    assert not left(files), "the first map got no name"
    hand.expect(UNSAVED).press("Save All")
    hand.expect(SAVE_AS).type_path(tmp_path / "First.battlemap")
    assert left(files)
    assert (first.path.name, first.history.is_clean) == ("First.battlemap", True)
    assert second.history.is_clean
    assert left(files)
    paint(window, 4)
    second.flat = True
    hand.expect(UNSAVED).press("Save")
    files.closing.close(second)
    qtbot.waitUntil(lambda: document.maps == (first,))
    paint(window, 5)
    hand.expect(UNSAVED).press("Discard")
    files.closing.close_current()
    qtbot.waitUntil(lambda: not document.modified)
    assert len(document.maps) == 1
    assert document.display_name == "Untitled"


def test_a_damaged_project_is_named_and_nothing_is_opened(qtbot, window, tmp_path):
    path = tmp_path / "Fen.battlemap"
    path.write_bytes(PROJECT.write(free_map(SQUARE, 3, 3))[:-9])
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: bool(window.findChildren(ProblemDialog)))
    assert "this map file is damaged" in problems_said(window)
    assert window.desk.document.path is None


def test_a_large_map_is_written_off_the_ui_thread(window, saving, tmp_path):
    window.desk.document.open_map(free_map(SQUARE, 512, 512))
    with UiWork() as work:
        assert saved(saving.save_to, tmp_path / "large.battlemap")
    assert work.where(write_map) == {"job"}


# --- files beside the map -------------------------------------------------------------------------


def write_map_with_period(folder: Path) -> Path:
    """Write a map of Xconq and its period, p.per, into a folder; return the path of the map."""
    (folder / "p.per").write_text(
        "Xconq 0 -+---- p\nPeriod 0\n"
        '"i" "walker" "walks" utype\n"." "sea" "blue" ttype\n1 i speed 1 i hp\nend\n'
    )
    path = folder / "a.map"
    path.write_text("Xconq 1 --+--- m\np.per\nMap 3 3 0 1 0\n3.\n3.\n3.\n")
    return path


def test_a_period_that_changed_is_written_beside_the_map_and_another_one_asked_about(
    qtbot, window, saving, hand, tmp_path
):
    from randomizer.model.edits.record_edits import change_record
    from randomizer.systems.xconq.records import PERIOD

    path = write_map_with_period(tmp_path)
    beside = tmp_path / "p.per"
    period = beside.read_text()
    opened(qtbot, window, path)
    document = window.desk.document
    document.current_map.flat_file = FlatFile.ACCEPTED
    assert saved(saving.save)
    assert beside.read_text() == period
    document.push(change_record(document.battlemap, PERIOD, f"{period}; mine\n"), "Change")
    question = hand.expect(BESIDE).press("Cancel")
    assert not saved(saving.save)
    assert beside.read_text() == period
    assert "p.per, beside a.map, does not hold what this map needs now" in question.text
    hand.expect(BESIDE).press("Replace it")
    assert saved(saving.save)
    assert beside.read_text() == f"{period}; mine\n"
    document.push(change_record(document.battlemap, PERIOD, f"{period}; ours\n"), "Change")
    assert saved(saving.save)
    assert beside.read_text() == f"{period}; ours\n"


def test_a_period_with_errors_is_asked_about_and_its_text_comes_back(
    qtbot, window, saving, hand, tmp_path
):
    from randomizer.model.edits.record_edits import change_record
    from randomizer.systems.xconq.records import PERIOD

    path = write_map_with_period(tmp_path)
    beside = tmp_path / "p.per"
    period = beside.read_text()
    opened(qtbot, window, path)
    document = window.desk.document
    document.current_map.flat_file = FlatFile.ACCEPTED
    broken = period.replace("1 i speed", "1 i sped")
    document.push(change_record(document.battlemap, PERIOD, broken), "Change")
    question = hand.expect("Not everything can be kept").press("Cancel")
    assert not saved(saving.save)
    assert "The period has 1 error" in question.text
    assert beside.read_text() == period
    hand.expect("Not everything can be kept").press("Write a.map")
    hand.expect(BESIDE).press("Replace it")
    assert saved(saving.save)
    assert beside.read_text() == broken

    window.desk.document.open_map(free_map(SQUARE, 4, 3))
    opened(qtbot, window, path)
    battlemap = document.battlemap
    assert battlemap.records[PERIOD].text == broken, "it can be mended where it was typed"
    assert window.desk.scripts.script.name == "p.per"
    assert [terrain.name for terrain in battlemap.terrain_set.terrains] == ["sea"]


def test_a_mapfile_in_latin_1_is_shown_as_text(qtbot, window, tmp_path):
    path = tmp_path / "a.map"
    path.write_bytes("Xconq 0 --+--- Köln\nMap 3 3 0 1 0\n3.\n3.\n3.\n".encode("latin-1"))
    opened(qtbot, window, path)
    window.desk.files.show_text()
    (dialog,) = window.findChildren(TextDialog)
    assert "Köln" in dialog.text.toPlainText()


def test_a_recent_map_that_is_gone_leaves_the_list_and_one_that_is_broken_stays(
    window, qtbot, settings, tmp_path
):
    gone = tmp_path / "gone.xml"
    torn = tmp_path / "torn.xml"
    torn.write_text("<battlemap", "utf-8")
    for path in (gone, torn):
        settings.add_recent("maps", path)
        window.desk.files.open_path(path)
        qtbot.waitUntil(lambda: bool(window.findChildren(ProblemDialog)))
        problems_said(window)
    assert settings.recent("maps") == [torn]


def test_wrong_files_are_told_in_words_and_leave_the_map_alone(qtbot, window, tmp_path):
    before = window.desk.document.composite.copy()
    (tmp_path / "torn.xml").write_text("<battlemap tower='True'><battlehex", "utf-8")
    (tmp_path / "noise.xml").write_bytes(bytes(range(256)))
    for name in ("torn.xml", "noise.xml", "absent.xml"):
        window.desk.files.open_path(tmp_path / name)
        qtbot.waitUntil(lambda: bool(window.findChildren(ProblemDialog)))
        assert "error" in problems_said(window)
    assert window.desk.document.composite.same_as(before)


def test_the_map_as_text_is_the_file_that_saving_would_write(qtbot, window):
    window.desk.files.show_text()
    (dialog,) = window.findChildren(TextDialog)
    text = dialog.text.toPlainText()
    assert text.startswith("<?xml")
    assert 'terrain="Mountains"' in text
    dialog.close()


def test_a_map_of_a_program_whose_files_are_only_read_is_saved_as_a_project(
    window, files, saving, hand, qtbot, tmp_path
) -> None:
    path = tmp_path / "isle.wxx"
    document = window.desk.document
    path.write_bytes(WXX)
    hints = hand.expect(PROBLEMS).press("Close")
    files.open_path(path)
    qtbot.waitUntil(lambda: document.battlemap.terrain_set.name == "Worldographer")
    assert not document.modified
    qtbot.waitUntil(lambda: "Not kept: other levels (1)" in hints.text)
    dialog = hand.expect(SAVE_AS).type_path(tmp_path / "isle.battlemap")
    assert saved(saving.save)
    assert dialog.text.startswith("isle\n")
    again = read_project((tmp_path / "isle.battlemap").read_bytes()).battlemap
    assert [layer.name for layer in again.layers][::6] == ["Map", "Notes"]
    assert not window.desk.document.active_layer.secret
    assert path.read_bytes() == WXX
