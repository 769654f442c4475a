"""Every dialog fits a screen of 1440 x 900 pixels at 200 %, with its buttons in sight.

A new dialog needs a row in ``OPENERS``, unless it is only a base of others.
"""

from __future__ import annotations

import json
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QScrollArea,
)

import app
from app.commands.quick_list import QuickList
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.command_palette.dialog import CommandPalette
from app.features.compare.window import CompareWindow
from app.features.fairness.balance_dialog import BalanceDialog
from app.features.fairness.fight_dialog import FightDialog
from app.features.files.backups_dialog import BackupsDialog
from app.features.files.open_dialog import OpenDialog
from app.features.files.text_fixes import FixDialog
from app.features.game.export_dialog import ExportDialog
from app.features.game.game_chooser import ChooseGameDialog
from app.features.game.group.window import GroupWindow
from app.features.game.open_dialog import OpenGameDialog
from app.features.game.plan_dialog import GroupExportDialog, PlanDialog
from app.features.game.take_back_dialog import TakeBackDialog
from app.features.go_to.dialog import GoToDialog
from app.features.help.manual_dialog import ManualDialog
from app.features.map.transform_dialogs import ResizeDialog, ShiftDialog
from app.features.new_map.dialog import NewMapDialog
from app.features.palette.terrain_dialog import TerrainDialog
from app.features.pictures.picture_dialog import PictureDialog
from app.features.pictures.tables_dialog import TablesDialog
from app.features.preferences.dialog import SettingsDialog
from app.features.recovery.dialog import RecoveryDialog
from app.features.replace.dialog import ReplaceDialog
from app.systems.colossus.learn_dialog import LearnDialog
from app.systems.cordery.box_dialog import BoxDialog
from app.systems.xconq.map.save_dialog import SaveDialog
from app.widgets.dialogs.problem_dialog import ProblemDialog, show_problems
from app.widgets.dialogs.text_dialog import TextDialog
from app.widgets.forms.form_dialog import FormDialog
from app.widgets.layout.dialog_layout import FRAME
from app.window import MainWindow
from randomizer.catalog.systems import systems
from randomizer.model.problems import Problem, Severity
from randomizer.storage.disk.backups import Backup
from randomizer.systems.cordery.table.pieces import PIECES
from tests.app.conftest import opened
from tests.app.made_up_game import make_game

SCREEN = QSize(720, 450)
"""1440 x 900 pixels at 200 %."""

DRIVEN_DIALOGS = (QDialog,)

Opener = Callable[[MainWindow, Path], object]
"""Opens a dialog of a window; files that it needs may be written into the folder."""

FAULTY = """Xconq 1 --+--+ A map with a fault;
notes that never end
tiny.per
Map 5 4 100 1 0
5.
5+
5+
5.
"""


def run(command: str, system_name: str = "") -> Opener:
    """Return an opener that runs a command, on a new map of a system if one is named."""

    def open_dialog(window: MainWindow, _folder: Path) -> None:
        if system_name:
            system = next(system for system in systems() if system.name == system_name)
            window.desk.document.open_map(new_map(system))
        window.desk.commands.run(command)

    return open_dialog


def open_terrains(window: MainWindow, _folder: Path) -> None:
    TerrainDialog(window.desk, lambda: None).open()


def open_box(window: MainWindow, _folder: Path) -> None:
    pieces = dict.fromkeys(PIECES[:9], 40)
    BoxDialog("Attic", "hill = 1", pieces, window.desk.frame, new_name="").open()


def open_backups(window: MainWindow, folder: Path) -> None:
    backups = [Backup(folder / str(day), datetime(2026, 5, day), 999) for day in range(1, 29)]
    BackupsDialog(folder / "Moor.battlemap", backups, window.desk.frame).open()


def open_fixes(window: MainWindow, folder: Path) -> None:
    path = folder / "faulty.map"
    path.write_text(FAULTY)
    window.desk.files.open_path(path)


def open_recovery(window: MainWindow, _folder: Path) -> None:
    desk = window.desk
    arguments = ([], [], desk.autosave, desk.renderer, lambda *_: True)
    RecoveryDialog(*arguments, desk.frame, damaged=True).open()


def open_comparison(window: MainWindow, _folder: Path) -> None:
    window.desk.compare.show(sample_map(), "another")


def open_problems(window: MainWindow, _folder: Path) -> None:
    problems = [
        Problem(Severity.ERROR, "made-up", f"Problem number {number}") for number in range(40)
    ]
    show_problems(window.desk.frame, "A heading", problems)


def open_game_question(window: MainWindow, _folder: Path) -> None:
    window.desk.settings.set_game_dir("colossus", None)
    window.desk.commands.run("view.pictures-of-the-game")


def export_group(window: MainWindow, _folder: Path) -> None:
    window.desk.commands.run("file.whole-variant")
    group = window.findChild(GroupWindow)
    deadline = QDeadlineTimer(60_000)
    while not group.export_button.isEnabled() and not deadline.hasExpired():
        QTest.qWait(10)
    group.export_button.click()


OPENERS: dict[str, tuple[type[QDialog], Opener]] = {
    "new map": (NewMapDialog, run("file.new-map")),
    "open": (OpenDialog, run("file.open")),
    "open from game": (OpenGameDialog, run("file.open-from-game")),
    "export to game": (ExportDialog, run("file.export-to-game")),
    "take back": (TakeBackDialog, run("file.take-back-an-export")),
    "whole variant": (GroupWindow, run("file.whole-variant")),
    "export of a variant": (GroupExportDialog, export_group),
    "where is the game": (ChooseGameDialog, open_game_question),
    "text": (TextDialog, run("file.show-as-text")),
    "picture": (PictureDialog, run("file.export-picture")),
    "virtual table": (PictureDialog, run("file.export-for-a-virtual-table")),
    "print": (PictureDialog, run("file.print")),
    "tables": (TablesDialog, run("file.tables-for-a-campaign")),
    "backups": (BackupsDialog, open_backups),
    "fixes": (FixDialog, open_fixes),
    "problems": (ProblemDialog, open_problems),
    "recovery": (RecoveryDialog, open_recovery),
    "replace": (ReplaceDialog, run("edit.find-and-replace")),
    "find a command": (CommandPalette, run("edit.find-a-command")),
    "go to": (GoToDialog, run("edit.go-to")),
    "preferences": (SettingsDialog, run("edit.preferences")),
    "compare": (CompareWindow, open_comparison),
    "add a terrain": (TerrainDialog, open_terrains),
    "resize": (ResizeDialog, run("map.resize", "free")),
    "shift": (ShiftDialog, run("map.shift")),
    "names of hexes": (FormDialog, run("map.cell-names", "free")),
    "variations": (FormDialog, run("map.variations")),
    "what is saved": (SaveDialog, run("map.what-is-saved", "xconq")),
    "script from maps": (LearnDialog, run("randomize.script-from-maps")),
    "terrain box": (BoxDialog, open_box),
    "fight": (FightDialog, run("fairness.fight")),
    "balance": (BalanceDialog, run("fairness.balance")),
    "manual": (ManualDialog, run("help.manual")),
    "mouse and keys": (QDialog, run("help.mouse-and-keys")),
    "folders": (QDialog, run("help.folders")),
    "about": (QDialog, run("help.about-battlelands-builder")),
}

BASES = {PlanDialog, QuickList}
"""What is opened only as one of its subclasses."""


def dialog_classes() -> set[type[QDialog]]:
    """Return the dialogs that are defined in the program, also those that nothing imports yet."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    classes: set[type[QDialog]] = set()
    bases = [QDialog]
    while bases:
        for kind in bases.pop().__subclasses__():
            bases.append(kind)
            if kind.__module__.startswith("app.") and not kind.__name__.startswith("_"):
                classes.add(kind)
    return classes


def test_each_dialog_of_the_program_is_opened_here():
    opened_classes = {kind for kind, _opener in OPENERS.values()} - {QDialog}
    assert dialog_classes() == opened_classes | BASES


@pytest.fixture
def window(shared_window, tmp_path):
    """A window with a game."""
    shared_window.desk.settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    return shared_window


def buttons_of(dialog: QDialog) -> list[QAbstractButton]:
    """Return the buttons that a person has to reach, wherever the middle is scrolled to."""
    buttons: list[QAbstractButton] = []
    for button in dialog.findChildren(QPushButton):
        in_box = isinstance(button.parentWidget(), QDialogButtonBox)
        if button.isVisible() and (in_box or button.parentWidget() is dialog):
            buttons.append(button)
    return buttons


@pytest.mark.parametrize("name", OPENERS)
def test_a_dialog_fits_a_small_screen_with_its_buttons(window, qtbot, tmp_path, name):
    kind, open_dialog = OPENERS[name]
    open_dialog(window, tmp_path)
    dialog = opened(window, qtbot, kind)
    screen = dialog.screen().availableSize() - FRAME
    assert dialog.size().boundedTo(screen) == dialog.size(), "it opens larger than the screen"

    dialog.resize(SCREEN - FRAME)
    QApplication.processEvents()
    assert dialog.size().boundedTo(SCREEN - FRAME) == dialog.size()
    for button in buttons_of(dialog):
        assert button.visibleRegion().boundingRect() == button.rect(), button.text()
    for area in dialog.findChildren(QScrollArea):
        assert area.horizontalScrollBar().maximum() == 0 or not area.isVisible(), "wider"
    dialog.close()


SESSION = """
import os, sys
from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication, QDialog
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
application = QApplication([])
settings = Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))
window = MainWindow(MapDocument(sample_map()), settings)
loop = QEventLoop()
window.desk.ready.connect(loop.quit)
window.show()
loop.exec()
for command in sys.argv[2:]:
    window.desk.commands.run(command)
    (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    print(command, dialog.width(), dialog.height(), flush=True)
    dialog.close()
    application.processEvents()
os._exit(0)
"""

LARGE = (
    "file.new-map",
    "file.print",
    "file.tables-for-a-campaign",
    "file.open-from-game",
    "file.export-to-game",
    "file.show-as-text",
    "edit.preferences",
    "help.manual",
)
"""Commands whose dialogs would like to be larger than the small screen."""


@pytest.mark.deep  # a window in another process
def test_dialogs_open_within_a_small_screen(tmp_path):
    screen = {"name": "small", "x": 0, "y": 0, "width": SCREEN.width(), "height": SCREEN.height()}
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": [{**screen, "logicalDpi": 96, "dpr": 1}]}))
    session = subprocess.run(
        [sys.executable, "-c", SESSION, str(tmp_path / "settings.ini"), *LARGE],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}"},
        capture_output=True,
        text=True,
        check=True,
    )
    sizes = dict(line.split(" ", 1) for line in session.stdout.splitlines())
    assert set(sizes) == set(LARGE)
    for command, size in sizes.items():
        width, height = (int(number) for number in size.split())
        assert width <= SCREEN.width() - FRAME.width(), command
        assert height == SCREEN.height() - FRAME.height(), command
