"""Mapfiles of Xconq that hold units and sides but no map, opened and merged in the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.document.map_files import new_map
from app.features.files.open_dialog import OpenDialog
from app.features.game.game_chooser import GameChooser
from app.features.game.open_dialog import OpenGameDialog
from app.features.start.feature import EmptyMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.systems.xconq.records import sides_of
from randomizer.systems.xconq.system import SYSTEM
from tests.app.conftest import choose_files
from tests.end_to_end.test_map_script_desk import settle
from tests.randomizer.systems.xconq.worlds import ISLANDS

DRIVEN_DIALOGS = (OpenGameDialog, OpenDialog)

WORLD = "Xconq 0 --+--- A small world\nMap 12 9 100 1 0\n" + "12+\n" * 9
TOWNS = "Xconq 0 -----+ Towns\nUnits 2 1 0\n@ Rome 4,2 -1\n* Ostia 3,2 -1\n"
SIDES = "Xconq 0 ----++ Sides\nSides 2 1 0\nRome\nCarthage\nUnits 1 1 0\n@ Carthage 7,5 1\n"
LARGER = "Xconq 0 -----+ Far away\nUnits 1 1 0\n@ Thule 40,20 -1\n"

QUESTION = "A mapfile without a map"
PROBLEMS = "Battlelands Builder"


@pytest.fixture
def document(window):
    return window.desk.document


@pytest.fixture
def files(tmp_path):
    """Write mapfiles; call it with texts by name."""

    def write(**texts: str):
        paths = []
        for name, text in texts.items():
            paths.append(tmp_path / f"{name}.map")
            paths[-1].write_text(text, "latin-1")
        return paths

    return write


def open_file(qtbot, window, path) -> None:
    before = window.desk.document.battlemap
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.battlemap is not before)


def labels(battlemap) -> dict[str, tuple[int, int]]:
    grid = battlemap.grid
    return {
        visible_thing.label: grid.xy(grid.cell_at(visible_thing.x, visible_thing.y))
        for visible_thing in battlemap.visible_things()
    }


def test_units_without_a_map_stand_on_a_rolled_world_that_can_be_rolled_again(
    qtbot, window, document, files, hand
):
    told = hand.expect(PROBLEMS).press("Close")
    open_file(qtbot, window, *files(far=LARGER))
    battlemap = document.battlemap
    qtbot.waitUntil(lambda: told.has_come)
    assert "has no map" in told.text
    assert len(np.unique(document.composite.planes["terrain"])) > 3
    assert not window.findChild(EmptyMap).isVisible()
    assert labels(battlemap) == {"Thule": (40, 20)}
    world = document.composite.planes["terrain"].copy()
    window.desk.docks.show("randomize")
    window.desk.docks.panel("randomize").roll_action.trigger()
    qtbot.waitUntil(lambda: (document.composite.planes["terrain"] != world).any())
    settle(qtbot, window)
    assert "Thule" in labels(battlemap)


def test_a_file_without_a_map_is_put_onto_the_current_world_as_one_step(
    qtbot, window, document, files, hand
):
    world, sides = files(world=WORLD, sides=SIDES)
    open_file(qtbot, window, world)
    battlemap = document.battlemap
    question = hand.expect(QUESTION).press("Put onto this map")
    window.desk.files.open_path(sides)
    qtbot.waitUntil(lambda: bool(document.history.steps))
    assert question.text.startswith("sides.map has units or sides, but no map.")
    assert document.battlemap is battlemap
    assert labels(battlemap) == {"Carthage": (7, 5)}
    assert [side.name for side in sides_of(battlemap).sides] == ["Rome", "Carthage"]
    assert [visible_thing.owner for visible_thing in battlemap.visible_things()] == [2]
    document.undo()
    assert labels(battlemap) == {}
    assert not sides_of(battlemap).sides
    assert document.history.index == 0


def test_the_user_may_want_a_rolled_world_or_nothing(qtbot, window, document, files, hand):
    world, towns = files(world=WORLD, towns=TOWNS)
    open_file(qtbot, window, world)
    battlemap = document.battlemap
    question = hand.expect(QUESTION).press("Cancel")
    window.desk.files.open_path(towns)
    qtbot.waitUntil(lambda: question.has_come)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert (document.battlemap, document.history.steps) == (battlemap, [])
    hand.expect(QUESTION).press("Open on a rolled world")
    hand.expect(PROBLEMS).press("Close")
    open_file(qtbot, window, towns)
    assert set(labels(document.battlemap)) == {"Rome", "Ostia"}
    assert document.battlemap.grid.width == 60


@pytest.mark.parametrize(
    ("text", "has_map"),
    [
        pytest.param(LARGER, False, marks=pytest.mark.deep),
        pytest.param(TOWNS.replace("@ Rome", "Q Rome"), False, marks=pytest.mark.deep),
        (WORLD.replace("12+", "12."), True),
    ],
)
def test_what_does_not_fit_the_current_world_opens_as_a_map_without_a_question(
    qtbot, window, document, files, hand, text, has_map
):
    world, other = files(world=WORLD, other=text)
    open_file(qtbot, window, world)
    if has_map:
        open_file(qtbot, window, other)
    else:
        told = hand.expect(PROBLEMS).press("Close")
        open_file(qtbot, window, other)
        qtbot.waitUntil(lambda: told.has_come)
    assert len(document.maps) == 2


def test_several_files_without_a_map_are_merged_as_one_step(qtbot, window, document, files, hand):
    world, *others = files(world=WORLD, towns=TOWNS, sides=SIDES)
    open_file(qtbot, window, world)
    window.desk.commands.run("file.merge-map")
    choose_files(window, qtbot, *others)
    qtbot.waitUntil(lambda: bool(document.history.steps))
    battlemap = document.battlemap
    assert labels(battlemap) == {"Rome": (4, 2), "Ostia": (3, 2), "Carthage": (7, 5)}
    assert [layer.name for layer in battlemap.layers] == ["World", "towns", "sides"]
    assert [step.text for step in document.history.steps] == ["Merge 2 files"]
    document.undo()
    assert [layer.name for layer in battlemap.layers] == ["World"]


@pytest.mark.deep
def test_merging_units_that_lie_outside_the_world_is_refused(qtbot, window, document, files, hand):
    world, far = files(world=WORLD, far=LARGER)
    open_file(qtbot, window, world)
    told = hand.expect(PROBLEMS).press("Close")
    window.desk.files.merge_paths([far])
    qtbot.waitUntil(lambda: told.has_come)
    assert told.text
    assert not document.history.steps


@pytest.mark.deep
def test_cities_of_a_real_file_come_onto_the_map_it_is_made_for(
    qtbot, window, document, shared, tmp_path
):
    for name in ("eastmed.map", "greece.map"):
        (tmp_path / name).write_bytes((shared / "corpus" / "xconq" / name).read_bytes())
    open_file(qtbot, window, tmp_path / "eastmed.map")
    window.desk.files.merge_paths([tmp_path / "greece.map"])
    qtbot.waitUntil(lambda: bool(document.history.steps))
    cities = labels(document.battlemap)
    assert len(list(document.battlemap.visible_things())) == 150
    assert cities["Byzantium"] == (70, 78)


@pytest.mark.deep
def test_a_period_that_is_opened_over_an_empty_world_rolls_it(qtbot, window, document, tmp_path):
    document.show_map(new_map(SYSTEM, Grid(OBLIQUE, 30, 20, wrap=True)))
    battlemap = document.battlemap
    path = tmp_path / "islands.per"
    path.write_text(f"{ISLANDS}end\n")
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: battlemap.source_layer is not None)
    settle(qtbot, window)
    assert document.battlemap is battlemap
    assert battlemap.composite().terrain_set.has_terrain("hills")
    assert len(np.unique(document.composite.planes["terrain"])) > 1
    assert battlemap.records["period"].text == f"{ISLANDS}end\n"


@pytest.mark.deep
def test_mapfiles_of_any_suffix_and_periods_of_a_library_are_counted(
    qtbot, window, document, tmp_path
):
    document.show_map(new_map(SYSTEM))
    (tmp_path / "plain.per").write_text("Xconq 0 -+---- Plain\nPeriod 0\nend\n")
    for name in ("isle", "isle.map", "coast.scn"):
        (tmp_path / name).write_text(WORLD)
    window.desk.commands.run("file.open-from-game")
    qtbot.waitUntil(lambda: window.findChild(GameChooser) is not None)
    chooser = window.findChild(GameChooser)
    chooser.line.setText(str(tmp_path))
    QTest.keyClick(chooser.line, Qt.Key.Key_Return)
    text = (
        "Xconq is there, with 3 mapfiles and 1 script. "
        "On maps of Xconq, Randomize > Roll with lists the scripts."
    )
    qtbot.waitUntil(lambda: text in chooser.status.text)
