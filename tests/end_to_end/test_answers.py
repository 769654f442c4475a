"""Each answer of the questions about files does what it says, and saving goes on working."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.model.edits.record_edits import change_record
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.files.project import PROJECT
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.xconq.records import PERIOD
from tests.app.conftest import wait_for_actions
from tests.app.saves import finished, saved

CHANGED = "File changed meanwhile"
UNSAVED = "Unsaved changes"


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture
def saving(window):
    return window.desk.files.saving


@pytest.fixture
def project(window, qtbot, tmp_path):
    return opened_project(window, qtbot, tmp_path)


def opened_project(window, qtbot, tmp_path):
    """Open a project, paint into its map, and return its path."""
    path = tmp_path / "a.battlemap"
    path.write_bytes(PROJECT.write(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    paint(window)
    return path


def paint(window, value: int = 3) -> None:
    document = window.desk.document
    layer = document.active_layer_id
    assert document.push(set_values(document.battlemap, layer, "terrain", [3], value), "Paint")


def change_by_another_program(path) -> bytes:
    other = BattleMap.new(SYSTEM, layers=[Layer(1, "Another program's")])
    path.write_bytes(PROJECT.write(other))
    return path.read_bytes()


def test_a_file_changed_meanwhile_is_overwritten(window, hand, saving, project):
    theirs = change_by_another_program(project)
    question = hand.expect(CHANGED).press("Overwrite")
    assert saved(saving.save)
    assert "a.battlemap" in question.text
    assert project.read_bytes() != theirs
    paint(window, 2)
    assert saved(saving.save)


def test_a_file_changed_meanwhile_is_left_and_another_written(window, hand, saving, project):
    theirs = change_by_another_program(project)
    other = project.with_name("b.battlemap")
    hand.expect(CHANGED).press("Save as...")
    hand.expect("Save map as").type_path(other)
    assert saved(saving.save)
    assert project.read_bytes() == theirs
    assert window.desk.document.path == other
    paint(window, 2)
    assert saved(saving.save)


@pytest.mark.parametrize("close", ["Cancel", "Escape"])
def test_a_file_changed_meanwhile_is_left_as_it_is(window, hand, saving, project, close):
    theirs = change_by_another_program(project)
    question = hand.expect(CHANGED)
    if close == "Escape":
        question.escape()
    else:
        question.press("Cancel")
    assert not saved(saving.save)
    assert project.read_bytes() == theirs
    assert window.desk.document.modified
    hand.expect(CHANGED).press("Overwrite")
    assert saved(saving.save)


def test_a_changed_file_is_read_again_by_the_offer_in_the_window(window, qtbot, project):
    from app.features.files.disk_watch import DiskWatch

    document = window.desk.document
    (watch,) = window.desk.findChildren(DiskWatch) or window.findChildren(DiskWatch)
    change_by_another_program(project)
    watch.check_file()
    qtbot.waitUntil(watch.banner.button.isVisible)
    watch.banner.button.click()
    qtbot.waitUntil(lambda: document.battlemap.layers[0].name == "Another program's")
    document.undo()
    assert document.battlemap.layers[0].name == "Ground"


@pytest.mark.parametrize("answer", ["Save", "Discard", "Cancel"])
def test_a_map_with_unsaved_work_is_closed(window, qtbot, hand, project, answer):
    document = window.desk.document
    open_map = document.current_map
    unchanged = project.read_bytes()
    hand.expect(UNSAVED).press(answer)
    window.desk.commands.run("file.close-map")
    wait_for_actions(qtbot)
    assert (open_map in document.maps) == (answer == "Cancel")
    assert document.modified == (answer == "Cancel")
    assert (project.read_bytes() != unchanged) == (answer == "Save")


@pytest.mark.parametrize(
    "answer",
    [
        "Save All",
        pytest.param("Discard", marks=pytest.mark.deep),
        pytest.param("Cancel", marks=pytest.mark.deep),
    ],
)
def test_a_window_with_several_unsaved_maps_is_left(own_window, qtbot, hand, tmp_path, answer):
    window = own_window
    project = opened_project(window, qtbot, tmp_path)
    document = window.desk.document
    second = project.with_name("second.battlemap")
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Second")]))
    paint(window)
    unchanged = project.read_bytes()
    question = hand.expect(UNSAVED).press(answer)
    if answer == "Save All":
        hand.expect("Save map as").type_path(second)
    window.close()
    wait_for_actions(qtbot)
    assert window.isVisible() == (answer == "Cancel")
    assert question.text.startswith("2 maps have changes")
    assert (project.read_bytes() != unchanged) == (answer == "Save All")
    assert second.exists() == (answer == "Save All")


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_a_file_whose_suffix_is_added_is_replaced_only_if_wanted(hand, saving, project, answer):
    other = project.with_name("b.battlemap")
    other.write_bytes(b"of somebody else")
    hand.expect("Save map as").type_path(project.with_name("b"))
    question = hand.expect("Replace the file?").press(answer)
    if answer == "No":
        hand.expect("Save map as").escape()  # another name may be given
    assert saved(saving.save_as) == (answer == "Yes")
    assert "b.battlemap is there already" in question.text
    assert (other.read_bytes() == b"of somebody else") == (answer == "No")
    assert saved(saving.save)


def test_a_new_map_is_offered_a_name_that_no_file_has(window, hand, saving, tmp_path):
    window.desk.settings.last_directory = str(tmp_path)
    layer = Layer(1, "Ground", properties={"title": "Marsh"})
    window.desk.document.open_map(BattleMap.new(SYSTEM, layers=[layer]))
    (tmp_path / "Marsh.battlemap").write_bytes(b"of another map")
    (tmp_path / "Marsh 2.battlemap").write_bytes(b"of another map")
    offered_names = []
    dialog = hand.expect("Save map as")
    dialog.do(lambda box: offered_names.append(box.findChild(QLineEdit).text())).escape()
    assert not saved(saving.save_as)
    assert offered_names == ["Marsh 3"]


@pytest.mark.parametrize("answer", ["Write plain.xml", "Make a project...", "Cancel"])
def test_what_save_writes_is_asked_once(window, qtbot, hand, saving, tmp_path, answer):
    battleland = tmp_path / "plain.xml"
    assert saved(saving.save_to, battleland)
    window.desk.files.closing.close_current()
    window.desk.files.open_path(battleland)
    qtbot.waitUntil(lambda: window.desk.document.path == battleland)
    window.desk.document.current_map.flat = None  # as a file that was opened
    paint(window, 2)
    window.desk.commands.run("layer.new-layer")
    unchanged = battleland.read_bytes()
    hand.expect("What should Save write?").press(answer)
    if answer == "Make a project...":
        hand.expect("Save map as").type_path(tmp_path / "plain.battlemap")
    assert saved(saving.save) == (answer != "Cancel")
    assert (battleland.read_bytes() != unchanged) == answer.startswith("Write")
    assert (tmp_path / "plain.battlemap").exists() == answer.startswith("Make")


def test_save_of_a_battleland_names_the_layer_that_is_hidden(window, qtbot, hand, saving, tmp_path):
    battleland = tmp_path / "plain.xml"
    paint(window, 2)
    assert saved(saving.save_to, battleland)
    window.desk.files.closing.close_current()
    window.desk.files.open_path(battleland)
    qtbot.waitUntil(lambda: window.desk.document.path == battleland)
    window.desk.commands.run("layer.new-layer")
    document = window.desk.document
    opened_layer = document.battlemap.layers[0]
    window.desk.commands.run("layer.solo-layer")
    assert not opened_layer.visible
    document.current_map.flat = None  # as a file that was opened
    unchanged = battleland.read_bytes()
    question = hand.expect("What should Save write?").enter()
    hand.expect("Save map as").escape()
    assert not saved(saving.save)
    assert f"The layer {opened_layer.name} is hidden: it is not written." in question.text
    assert battleland.read_bytes() == unchanged


@pytest.mark.parametrize("answer", ["Save", "Discard", "Cancel"])
def test_edits_of_a_script_are_asked_about(window, qtbot, hand, tmp_path, answer):
    path = tmp_path / "Lakes.rnd"
    path.write_text("TITLE Lakes\n")
    window.desk.files.open_path(path)
    scripts = window.desk.scripts
    qtbot.waitUntil(lambda: scripts.text.text() == "TITLE Lakes\n")
    scripts.text.replace("TITLE Swamps\n")
    scripts.text.setModified(True)
    hand.expect("Unsaved script").press(answer)
    other = tmp_path / "Other.rnd"
    other.write_text("TITLE Other\n")
    finished(scripts.opening.open(other))
    assert (path.read_text() == "TITLE Swamps\n") == (answer == "Save")
    assert (scripts.text.text() == "TITLE Swamps\n") == (answer == "Cancel")


PERIOD_TEXT = (
    "Xconq 0 -+---- p\nPeriod 0\n"
    '"i" "walker" "walks" utype\n"." "sea" "blue" ttype\n1 i speed 1 i hp\nend\n'
)


@pytest.mark.parametrize("answer", ["Replace it", "Cancel"])
def test_a_file_beside_the_map_is_replaced_only_if_wanted(
    window, qtbot, hand, saving, tmp_path, answer
):
    beside = tmp_path / "p.per"
    beside.write_text(PERIOD_TEXT)
    path = tmp_path / "a.map"
    path.write_text("Xconq 1 --+--- m\np.per\nMap 3 3 0 1 0\n3.\n3.\n3.\n")
    document = window.desk.document
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    document.current_map.flat = True
    mine = f"{PERIOD_TEXT}; mine\n"
    document.push(change_record(document.battlemap, PERIOD, mine), "Change")
    question = hand.expect("Replace what is beside the map?").press(answer)
    assert saved(saving.save) == (answer == "Replace it")
    assert "p.per" in question.text
    assert beside.read_text() == (mine if answer == "Replace it" else PERIOD_TEXT)


def open_tiled_map(window, folder):
    path = folder / "a.tmx"
    path.write_text(
        '<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16"'
        ' tileheight="16"><tileset firstgid="1" source="land.tsx"/>'
        '<layer id="1" name="Ground" width="2" height="1">'
        '<data encoding="csv">1,2</data></layer></map>'
    )
    window.desk.files.open_path(path)
    return path


@pytest.mark.parametrize(
    "answer",
    [
        "Find tileset...",
        pytest.param("Go on without it", marks=pytest.mark.deep),
        pytest.param("Cancel", marks=pytest.mark.deep),
    ],
)
def test_a_missing_tileset_is_asked_for(window, qtbot, hand, tmp_path, answer):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "land.tsx").write_text(
        '<tileset name="Land" tilewidth="16" tileheight="16" tilecount="2" columns="2">'
        '<tile id="0" type="Moor"/><tile id="1" type="Fen"/></tileset>'
    )
    document = window.desk.document
    maps = document.maps
    question = hand.expect("A tileset is missing").press(answer)
    if answer == "Find tileset...":
        hand.expect("Find tileset land.tsx").type_path(elsewhere / "land.tsx")
    hand.hold(ProblemDialog)
    path = open_tiled_map(window, tmp_path)
    qtbot.waitUntil(lambda: question.has_come)
    assert "a.tmx needs the tileset land.tsx" in question.text
    if answer == "Cancel":
        qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
        assert document.maps == maps
    else:
        qtbot.waitUntil(lambda: document.path == path)
        names = {terrain.name for terrain in document.battlemap.terrain_set.terrains}
        assert ("Land:0" in names) == (answer == "Find tileset...")
