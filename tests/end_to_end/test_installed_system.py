"""A system of another package, worked with through the real window like any other."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.map_files import read_map
from app.document.open_map import GameSource
from app.features.game.export_dialog import ExportDialog
from app.features.game.open_dialog import OpenGameDialog
from app.features.game.take_back_dialog import TakeBackDialog
from app.features.new_map.dialog import NewMapDialog
from app.features.recovery.dialog import RecoveryDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer import installed
from randomizer.catalog.generators import generator_named
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.storage.files.project import read_project, write_project
from tests.app.conftest import new_map_dialog, wait_for_actions
from tests.app.saves import finished, saved
from tests.test_system.installing import environment, on_path, register
from tests.test_system.map_file import TILES
from tests.test_system.system import HEIGHT, SYSTEM, TERRAIN

DRIVEN_DIALOGS = (
    ExportDialog,
    NewMapDialog,
    OpenGameDialog,
    ProblemDialog,
    RecoveryDialog,
    TakeBackDialog,
)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(testsys, window):
    """The desk, started when the package was installed already."""
    return window


def new_map(qtbot, window) -> None:
    """A new map of the kind, as a user makes one."""
    new_map_dialog(window, "Test land").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "testsys")


def at(window, cell: int) -> QPoint:
    x, y = window.desk.document.battlemap.grid.centre(cell)
    return window.desk.canvas.viewport.to_screen(x, y).toPoint()


def paint(window, terrain: str, cell: int) -> None:
    window.desk.tools.choose("terrain")
    code = window.desk.document.battlemap.terrain_set.terrain_code(terrain)
    window.desk.tools.options.choose(terrain=code)
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, cell))


def place(window, kind: str, cell: int) -> None:
    """Place a thing of a kind that is chosen in the palette."""
    window.desk.tools.choose("things")
    kinds = window.desk.docks.panel("palette").things.kinds
    (row,) = (kinds.item(at) for at in range(kinds.count()) if kinds.item(at).text() == kind)
    QTest.mouseClick(kinds.viewport(), LEFT, pos=kinds.visualItemRect(row).center())
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, cell))


def press(qtbot, window, action) -> None:
    """Trigger a roll and wait until its undo step is there."""
    count = window.desk.document.history.index
    action.trigger()
    qtbot.waitUntil(lambda: window.desk.document.history.index != count)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def roll_moor(qtbot, window, name: str = "moor") -> None:
    window.desk.commands.fill("randomize.roll-with.script.*")
    press(qtbot, window, window.desk.commands.action(f"randomize.roll-with.script.{name}"))


def shown(window, plane: PlaneSpec) -> np.ndarray:
    return window.desk.document.composite.planes[plane.name]


def test_painted_levelled_rolled_touched_up_undone_saved_and_opened_again(qtbot, window, tmp_path):
    new_map(qtbot, window)
    document = window.desk.document
    desk = window.desk
    empty = document.composite.copy()

    paint(window, "Scree", 30)
    assert shown(window, TERRAIN).flat[30] == 2
    desk.tools.choose("height")
    QTest.mouseClick(desk.canvas, LEFT, pos=at(window, 30))
    assert shown(window, HEIGHT).max() > 0
    place(window, "Cairn", 50)
    (cairn,) = document.active_layer.things.values()
    assert cairn.kind == "cairn"

    qtbot.waitUntil(lambda: desk.docks.find_panel("testsys") is not None)
    panel = desk.docks.panel("testsys")
    assert desk.docks["testsys"].isVisible()
    panel.form.field("level").setValue(7)
    panel.level_button.click()
    assert (shown(window, HEIGHT) == 7).all()
    assert "7" in panel.words.text()

    roll_moor(qtbot, window)
    rolled = document.active_layer
    assert rolled.roll is not None
    assert rolled.roll.script_name == "moor.tll"
    assert (
        sorted(thing.kind for thing in rolled.things.values()) == ["sheep"] * 6 + ["shepherd"] * 2
    )
    assert "9 things" in panel.words.text()
    first = document.composite.copy()
    paint(window, "Scree", 41)
    randomize = desk.docks.panel("randomize")
    press(qtbot, window, randomize.roll_action)
    assert not document.composite.same_as(first)
    assert shown(window, TERRAIN).flat[41] == 2
    assert [layer.name for layer in document.battlemap.layers][-1] == TOUCH_UPS

    path = tmp_path / "Land.battlemap"
    document.current_map.path = path
    assert saved(desk.files.saving.save)
    again = read_map(path).battlemap
    assert again is not None
    assert again.system is document.battlemap.system
    assert again.composite().same_as(document.composite)

    document.go_to(0)
    assert document.composite.same_as(empty)
    assert len(document.battlemap.layers) == 1
    assert not document.active_layer.things
    document.go_to(len(document.history.steps))
    assert again.composite().same_as(document.composite)


@pytest.mark.deep
def test_the_script_panel_hides_what_the_language_does_not_offer(qtbot, window):
    panel = window.desk.docks.panel("randomize")
    at_cursor = panel.script_actions
    actions = (at_cursor.complete, at_cursor.definition, at_cursor.rename, panel.insert_action)
    assert all(action.isVisible() for action in actions)
    new_map(qtbot, window)
    roll_moor(qtbot, window)
    assert not any(action.isVisible() for action in actions)
    assert not any(action.isEnabled() for action in actions[:3])


@pytest.mark.deep
def test_a_script_brings_its_terrain_set_and_records_and_undo_takes_them_back(
    qtbot, window, tmp_path
):
    new_map(qtbot, window)
    document = window.desk.document
    desk = window.desk
    battlemap = document.battlemap
    paint(window, "Pond", 30)
    roll_moor(qtbot, window, "heath")
    names = [terrain.name for terrain in battlemap.terrain_set.terrains]
    assert names[:3] == ["Heather", "Bracken", "Meadow"]
    assert battlemap.terrain_set.terrains[names.index("Pond")].missing, "it is painted below"
    assert battlemap.records["story"].text == "A dry summer.\n"
    assert battlemap.source_layer is document.active_layer
    paint(window, "Bracken", 41)
    press(qtbot, window, desk.docks.panel("randomize").roll_action)
    assert shown(window, TERRAIN).flat[41] == battlemap.terrain_set.terrain_code("Bracken")

    path = tmp_path / "Heath.battlemap"
    document.current_map.path = path
    assert saved(desk.files.saving.save)
    again = read_map(path).battlemap
    assert again is not None
    assert again.terrain_set == battlemap.terrain_set
    assert again.records == battlemap.records
    assert again.composite().same_as(document.composite)

    document.go_to(1)
    assert battlemap.terrain_set is SYSTEM.terrain_set
    assert battlemap.records == {}
    assert shown(window, TERRAIN).flat[30] == SYSTEM.terrain_set.terrain_code("Pond")


@pytest.mark.deep
def test_odds_speak_of_the_terrains_that_a_script_would_bring(qtbot, window):
    new_map(qtbot, window)
    heath = generator_named("Heath")
    assert heath is not None
    finished(window.desk.scripts.opening.open_generator(heath))
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("testsys") is not None)
    window.desk.docks.show("odds")
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("odds") is not None)
    combo = window.desk.docks.panel("odds").combo
    names = {"Heather", "Bracken"}
    qtbot.waitUntil(lambda: names <= {combo.itemText(at) for at in range(combo.count())})


CRASHING = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from app.document.autosave import Autosave
from app.document.document import MapDocument
from randomizer.catalog.generators import generator_named
from randomizer.catalog.systems import system_named
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.generator_run import run
from randomizer.roll_base import Base
from randomizer.catalog.generators import generator_named
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.put_roll import put_roll
application = QApplication([])
land = system_named("testsys")
document = MapDocument(BattleMap.new(land, layers=[Layer(1, "Ground")]))
autosave = Autosave(document, Path(sys.argv[1]))
for name in ("Moor", "Heath"):
    base = Base.under(document.battlemap, len(document.battlemap.layers))
    made = run(generator_named(name), {}, DrawKey(4, 2), base)
    step = put_roll(document.battlemap, 1, made, replaces=False)
    assert document.push(step.edit, f"Roll {name}", active=step.layer_id)
os.write(1, b"done")
os._exit(1)
"""


class TestKilled:
    @pytest.fixture
    def journals(self, tmp_path) -> Path:
        return tmp_path / "journals"

    @pytest.fixture
    def settings(self, tmp_path, journals, testsys, settings):
        """Those of a desk that starts after another one was killed."""
        other = subprocess.run(
            [sys.executable, "-c", CRASHING, str(journals)],
            env=environment(tmp_path / "installed"),
            stdout=subprocess.PIPE,
            check=False,
            timeout=120,
        )
        assert other.stdout == b"done"
        return settings

    @pytest.mark.deep  # it starts a process, which is killed
    def test_what_was_rolled_before_a_kill_is_recovered_with_its_steps(self, qtbot, window):
        qtbot.waitUntil(lambda: window.findChild(RecoveryDialog) is not None)
        dialog = window.findChild(RecoveryDialog)
        qtbot.waitUntil(lambda: not dialog.busy)
        dialog.restore_button.click()
        document = window.desk.document
        assert document.battlemap.system is SYSTEM
        assert document.battlemap.records["story"].text == "A dry summer.\n"
        rolled = [layer.roll for layer in document.battlemap.layers if layer.roll]
        assert [set(roll.texts) for roll in rolled] == [{"heath.json"}, {"moor.json"}]
        assert sum(len(layer.things) for layer in document.battlemap.layers) == 11
        document.go_to(1)
        assert document.battlemap.terrain_set == SYSTEM.terrain_set
        document.go_to(0)
        assert len(document.battlemap.layers) == 1


@pytest.fixture
def game(tmp_path) -> Path:
    """The test system's game, with one map."""
    root = tmp_path / "game"
    (root / "maps").mkdir(parents=True)
    (root / "testland.cfg").touch()
    land = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    (root / "maps" / "Fen.tiles").write_bytes(TILES.write(land))
    return root


def test_exported_to_the_one_folder_of_its_game_opened_from_it_and_taken_back(
    qtbot, window, game, settings
):
    settings.set_game_dir("testsys", game)
    new_map(qtbot, window)
    document = window.desk.document
    games = window.desk.games
    roll_moor(qtbot, window)
    games.export()
    dialog = games.dialog
    qtbot.waitUntil(lambda: dialog.form.slot_choice.box.count() > 1)
    assert not dialog.form.group_choice.box.isVisible()
    assert dialog.form.slot_choice.is_new
    dialog.form.slot_choice.name.setText("con/bog")
    qtbot.waitUntil(lambda: dialog.form.name_fault.isVisible())
    dialog.form.slot_choice.name.setText("Bog")
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert dialog.form.name_fault.isHidden()
    dialog.export_button.click()
    wait_for_actions(qtbot)
    assert (game / "maps" / "Bog.tiles").read_bytes() == TILES.write(document.battlemap)
    assert document.display_name == "Untitled"  # an export does not name a map
    assert document.source == GameSource(game, "", "Bog", is_export=True)
    dialog.close()

    games.open_from_game()
    dialog = games.dialog
    assert not dialog.groups.isVisible()
    qtbot.waitUntil(lambda: dialog.slots.count() == 2 and dialog.chosen_slot_name is not None)
    assert dialog.chosen_slot_name == "Bog"
    with qtbot.waitSignal(document.map_replaced):
        dialog.open_button.click()
    qtbot.waitUntil(lambda: len(document.maps) == 2)
    assert document.composite.same_as(document.maps[0].battlemap.composite())

    games.take_back()
    dialog = games.dialog
    qtbot.waitUntil(dialog.take_back_button.isEnabled)
    assert dialog.exports.topLevelItem(0).text(1) == "Bog"
    dialog.take_back_button.click()
    wait_for_actions(qtbot)
    assert [path.name for path in (game / "maps").iterdir()] == ["Fen.tiles"]
    dialog.close()
    assert not window.desk.commands.action("file.whole-variant").isEnabled()


@pytest.mark.deep
def test_with_several_games_one_chooses_from_which_to_open(qtbot, window, game, settings):
    settings.set_game_dir("testsys", game)
    games = window.desk.games
    games.open_from_game()
    first = games.dialog
    offered = first.chooser.games
    assert [offered.itemText(row) for row in (0, offered.count() - 1)] == ["Colossus", "Test game"]
    offered.setCurrentIndex(offered.count() - 1)
    offered.activated.emit(offered.count() - 1)
    dialog = games.dialog
    assert dialog is not first
    assert dialog.chooser.games.currentText() == "Test game"
    qtbot.waitUntil(lambda: dialog.slots.count() == 1)
    dialog.close()


@pytest.fixture
def looks(monkeypatch) -> list[str]:
    """Every look for installed packages."""
    found: list[str] = []

    def entry_points(**names: str) -> list[object]:
        found.append(str(names))
        return []

    # A package that is installed while nothing is written.
    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return found


class TestLooking:
    @pytest.fixture
    def window(self, looks, window, qtbot):
        """A desk whose job has looked for packages; what it found is forgotten."""
        qtbot.waitUntil(lambda: len(looks) == 1)  # on another thread, maybe a little later
        installed.forget()
        return window

    def test_a_desk_looks_once_for_packages_and_not_for_a_roll(self, qtbot, window, looks):
        qtbot.waitUntil(lambda: window.desk.games.ready)
        before = len(looks)
        press(qtbot, window, window.desk.docks.panel("randomize").roll_action)
        assert len(looks) == before
        window.desk.commands.run("file.new-map")
        assert len(looks) == before + 1, "all kinds of maps are listed there; forgotten above"


def test_a_package_that_is_broken_as_a_whole_is_said_where_its_maps_are_missing(window, tmp_path):
    data = write_project(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    with on_path(register(tmp_path / "gone", "testsys", "no_such_module")):
        window.desk.commands.run("file.new-map")
        assert "“testsys”" in window.statusBar().currentMessage()
        window.findChild(NewMapDialog).close()
        (problem,) = read_project(data).problems
        assert "maps of 'testsys' are not known here" in problem.message
        assert "No module named 'no_such_module'" in problem.message


class TestHalfAPackage:
    @pytest.fixture
    def testsys(self, tmp_path):
        """A package one of whose two features cannot be imported."""
        broken = register(tmp_path / "broken", "testsys", "half_a_package")
        names = '("tests.test_system.system:SYSTEM",)'
        features = '("tests.test_system.desk.features:PANEL", "no_such_module:PANEL")'
        text = f"PROTOCOL = 2\nSYSTEMS = {names}\nFEATURES = {features}\n"
        (broken / "half_a_package.py").write_text(text, "utf-8")
        with on_path(broken):
            yield

    def test_what_it_cannot_bring_is_said_and_the_rest_works(self, qtbot, window):
        qtbot.waitUntil(lambda: window.findChild(ProblemDialog) is not None)
        window.findChild(ProblemDialog).close()
        (problem,) = installed.problems()
        assert "no_such_module" in problem.message
        new_map(qtbot, window)
        qtbot.waitUntil(lambda: window.desk.docks.find_panel("testsys") is not None)
