"""A fault at any step of opening or merging a file is told once; afterwards the file opens, and the
map is saved and left.
"""

from __future__ import annotations

import pytest

from randomizer.model.grid.layouts import FLAT
from randomizer.storage.files.project import PROJECT
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.free.system import free_map
from tests.daily import deep_but_last
from tests.end_to_end.test_faults_while_saving import FAULT, wait_for_fault

pytestmark = pytest.mark.usefixtures("told_faults")

FILES = "app.features.files.controller"
READER = "app.features.files.map_reader"
MISSING_FILES = "app.features.files.missing_files"
OPEN = "Open"
MERGE = "Merge maps"
MISSING = "A tileset is missing"

TMX = """<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="16"
 tileheight="16"><tileset firstgid="1" source="a.tsx"/><layer id="1" name="g" width="2" height="2">
<data encoding="csv">1,1,1,1</data></layer></map>"""

STEPS_OF_OPENING = {
    "app.features.files.open_dialog.OpenDialog": (),
    f"{FILES}.answer": (),
    f"{FILES}.FilesController._open_each": (OPEN,),
    f"{FILES}.look_at_file": (OPEN,),
    f"{FILES}.entry_of_file": (OPEN,),
    f"{READER}.MapReader.read": (OPEN,),
    f"{READER}.Job": (OPEN,),
    "app.desk.questions.Questions.completed": (OPEN,),
    f"{READER}.ask_for_missing_files": (OPEN,),
    f"{MISSING_FILES}.choose": (OPEN,),
    f"{FILES}.FilesController._show": (OPEN, MISSING),
    "app.document.document.MapDocument.show_map": (OPEN, MISSING),
}
"""The steps of opening a map that refers to a missing file, with the dialogs before each."""

STEPS_OF_MERGING = {
    f"{FILES}.FilesController._ask": (),
    f"{FILES}.FilesController._merge": (MERGE,),
    f"{READER}.MapReader.read": (MERGE,),
    f"{FILES}.read_onto": (MERGE,),
    f"{FILES}.merge_in": (MERGE,),
}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.tmx"
    path.write_text(TMX)
    return path


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "b.battlemap"
    path.write_bytes(PROJECT.write(free_map(FLAT, 3, 3)))
    return path


def expect(hand, titles, path) -> None:
    for title in titles:
        dialog = hand.expect(title)
        if title == MISSING:
            dialog.press("Go on without it")
        else:
            dialog.type_path(path)


def save_and_quit(qtbot, window, hand, path) -> None:
    """Save the map as a project and quit, by the commands of the program."""
    hand.expect("Save map as").type_path(path)
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())


@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_OPENING))
def test_after_a_fault_while_a_map_opens_it_is_opened_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, path, step
):
    document = window.desk.document
    maps = len(document.maps)
    expect(hand, STEPS_OF_OPENING[step], path)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.run("file.open")
    wait_for_fault(qtbot, window, told)
    assert len(document.maps) == maps
    expect(hand, (OPEN, MISSING), path)
    problems = hand.expect(FAULT).press("Close")
    window.desk.commands.run("file.open")
    qtbot.waitUntil(lambda: document.path == path and problems.has_come)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.deep
def test_after_a_fault_in_noting_that_a_map_was_opened_another_opens_and_both_are_left(
    window, qtbot, hand, break_once, tmp_path, project
):
    document = window.desk.document
    other = tmp_path / "c.battlemap"
    other.write_bytes(PROJECT.write(free_map(FLAT, 3, 3)))
    hand.expect(OPEN).type_path(project)
    told = hand.expect(FAULT).press("Close")
    break_once("app.settings.Settings.add_recent")
    window.desk.commands.run("file.open")
    wait_for_fault(qtbot, window, told)
    assert document.path == project, "it is open all the same"
    hand.expect(OPEN).type_path(other)
    window.desk.commands.run("file.open")
    qtbot.waitUntil(lambda: document.path == other)
    document.make_current(document.maps[0])
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.deep
@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_MERGING))
def test_after_a_fault_while_a_map_is_merged_it_is_merged_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, project, step
):
    document = window.desk.document
    document.open_map(free_map(FLAT, 3, 3))
    expect(hand, STEPS_OF_MERGING[step], project)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.run("file.merge-map")
    wait_for_fault(qtbot, window, told)
    assert document.history.steps == []
    expect(hand, (MERGE,), project)
    window.desk.commands.run("file.merge-map")
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


@pytest.mark.deep
@pytest.mark.parametrize(
    "step", deep_but_last(["TerrainSets.open_or_raise", "Job", "TerrainSets.use_set"])
)
def test_after_a_fault_in_a_terrain_set_the_others_open(
    window, qtbot, hand, break_once, tmp_path, project, step
):
    terrains = tmp_path / "a.terrains"
    battlemap = free_map(FLAT, 3, 3)
    terrains.write_bytes(write_terrains(battlemap.terrain_set, {}))
    document = window.desk.document
    document.open_map(battlemap)
    told = hand.expect(FAULT).press("Close")
    break_once(f"app.features.terrains.controller.{step}")
    window.desk.files.open_paths([terrains, project])
    wait_for_fault(qtbot, window, told)
    qtbot.waitUntil(lambda: document.path == project)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")


def test_files_that_are_asked_for_while_another_one_asks_come_behind_it(
    window, qtbot, hand, path, project
):
    """One queue: each file opens, in the order in which they were asked for."""
    document = window.desk.document
    question = hand.expect(MISSING)
    question.do(lambda _dialog: window.desk.files.open_path(project)).press("Go on without it")
    hand.expect(FAULT).press("Close")
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == project)
    assert [open_map.path for open_map in document.maps][-2:] == [path, project]


@pytest.mark.deep
def test_nothing_is_merged_onto_a_map_that_is_closed_meanwhile(window, qtbot, hand, project):
    document = window.desk.document
    document.open_map(free_map(FLAT, 3, 3))
    onto = document.current_map
    hand.expect(MERGE).do(lambda _dialog: document.close_map(onto)).type_path(project)
    window.desk.commands.run("file.merge-map")
    qtbot.waitUntil(lambda: onto not in document.maps)
    window.desk.files.open_path(project)
    qtbot.waitUntil(lambda: document.path == project)
    assert document.history.steps == []
