"""What the tests of the desk share: maps, a document, a canvas with real mouse events."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer, QPoint, QPointF
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.background.actions import any_running
from app.canvas.canvas import MapCanvas
from app.desk.desk import Desk
from app.desk.dock_commands import dock_commands
from app.desk.feature import Dock, Feature
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.feature_list import FEATURES
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from app.tools import TOOLS, ToolOptions
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.storage.disk.backups import Backups
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import free_map


def cell(label: str) -> int:
    """The grid cell of a hex label."""
    return CELL_OF_HEX[HEX_OF_LABEL[label]]


def wait_for_actions(qtbot) -> None:
    """Wait until every action is over: its dialogs are answered, its jobs have ended."""
    qtbot.waitUntil(lambda: not any_running())


def complete_form(panel):
    """Return the form of a script's settings in the panel Script, once it has all of its rows."""
    form = panel.settings_form
    deadline = QDeadlineTimer(5000)
    while form.is_outdated and not deadline.hasExpired():
        QTest.qWait(1)
    assert not form.is_outdated
    return form


class CanvasDriver:
    """A canvas on a document, driven by labels instead of pixels."""

    def __init__(self, qtbot, document: MapDocument) -> None:
        self.qtbot = qtbot
        self.document = document
        self.options = ToolOptions()
        self.tools = {kind.name: kind(self.options) for kind in TOOLS}
        self.canvas = MapCanvas(document, Renderer(theme("light")))
        qtbot.addWidget(self.canvas)
        self.canvas.resize(800, 760)
        self.canvas.show()
        qtbot.waitExposed(self.canvas)

    def use(self, name: str) -> None:
        self.canvas.set_tool(self.tools[name])

    def point(self, label: str, side: int | None = None, depth: float = 0.9) -> QPoint:
        """The middle of a hex, or a point near one of its sides."""
        grid = self.document.battlemap.grid
        x, y = grid.centre(cell(label))
        if side is not None:
            ax, ay = grid.corner(cell(label), side)
            bx, by = grid.corner(cell(label), side + 1)
            x = x + ((ax + bx) / 2 - x) * depth
            y = y + ((ay + by) / 2 - y) * depth
        return self.canvas.viewport.to_screen(x, y).toPoint()

    def shown(self, plane: str, label: str) -> int:
        return int(self.document.composite.planes[plane].flat[cell(label)])

    def side(self, label: str, side: int) -> int:
        return int(self.document.composite.planes["hexside"].flat[cell(label) * 6 + side])


def finished_picture(canvas, qtbot) -> QImage:
    """The canvas when no picture on it is a draft any more, however slow the machine is."""
    canvas.grab()
    qtbot.waitUntil(lambda: canvas.is_sharp)
    return canvas.grab().toImage()


def mouse(canvas, kind, point, button, buttons, modifiers=None):
    """Send one real mouse event."""
    from PySide6.QtCore import QEvent, Qt
    from PySide6.QtGui import QMouseEvent

    event = QMouseEvent(
        getattr(QEvent.Type, kind),
        QPointF(point),
        QPointF(canvas.mapToGlobal(point)),
        button,
        buttons,
        modifiers or Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(canvas, event)


def turn_wheel(widget, notches: int = 1, *, point=None, pixels=(0, 0), modifiers=None) -> None:
    """Turn the wheel over a point of a widget (its middle): away from the hand, or back.

    ``pixels``: what a touchpad tells beside.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QWheelEvent

    point = QPointF(widget.rect().center() if point is None else point)
    event = QWheelEvent(
        point,
        widget.mapToGlobal(point),
        QPoint(*pixels),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers or Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def right_click(canvas, point: QPoint):
    """The menu that a right click on the canvas opens, None if none does."""
    from PySide6.QtGui import QContextMenuEvent

    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, point, canvas.mapToGlobal(point)))
    return QApplication.activePopupWidget()


def new_map_dialog(window, kind: str, script: str = ""):
    """The dialog New map, with a kind of map and a script of its catalogue chosen by title."""
    from PySide6.QtCore import Qt

    from app.features.new_map.dialog import NewMapDialog

    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    (row,) = dialog.kinds.findItems(kind, Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)
    if script:
        dialog.choose(script)
    return dialog


def opened(window, qtbot, kind):
    """The dialog of a kind that is open now."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(kind)))
    return next(each for each in window.findChildren(kind) if each.isVisible())


def choose_files(window, qtbot, *paths: Path) -> None:
    """Choose files in the dialog that asks for them."""
    from PySide6.QtWidgets import QLineEdit

    from app.features.files.open_dialog import OpenDialog

    dialog = opened(window, qtbot, OpenDialog)
    dialog.findChild(QLineEdit).setText(" ".join(f'"{path}"' for path in paths))
    dialog.accept()


@pytest.fixture
def document(qapp) -> MapDocument:
    return MapDocument(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))


@pytest.fixture
def driver(qtbot, document) -> CanvasDriver:
    return CanvasDriver(qtbot, document)


def _alone(features: list[Feature]) -> list[Feature]:
    """Features whose docks share no place with the dock of a feature that is not there."""
    names = {feature.dock.name for feature in features if feature.dock is not None}

    def stands(dock: Dock) -> Dock:
        tabbed_with = dock.tabbed_with if dock.tabbed_with in names else ""
        return replace(
            dock, tabbed_with=tabbed_with, below=dock.below if dock.below in names else ""
        )

    return [replace(feature, dock=feature.dock and stands(feature.dock)) for feature in features]


class SmallWindow(QMainWindow):
    """A frame with the canvas and a desk that has some features and nothing else: no menus, no
    panel of another feature. Made in a fraction of the time of ``MainWindow``.
    """

    def __init__(
        self,
        document: MapDocument,
        settings: Settings,
        folders: tuple[str, ...],
        backups: Backups,
        journals: Path | None = None,
    ) -> None:
        """``folders``: those of the features, as ``selection`` in ``app/features``. ``journals``:
        where every step is kept (None: nowhere).
        """
        super().__init__()
        features = _alone([each for each in FEATURES if each.module.split(".")[2] in folders])
        document.setParent(self)
        self.desk = Desk(self, document, settings, features, journals, backups)
        self.desk.start_autosave()
        self.desk.make_shortcuts()
        self.desk.scripts  # noqa: B018 - they say what is rolled where no feature does
        middle = QWidget()
        middle.setLayout(self.desk.map_column)
        self.setCentralWidget(middle)
        self.desk.commands.add(dock_commands(self.desk.docks, self.desk.docks.names))
        if "tools" in folders:
            self.addToolBar(self.desk.tools.bar)
        for feature in features:
            panel = self.desk.make_feature(feature)
            if feature.dock is not None:
                self.desk.docks.fill(feature.dock.name, panel)
        self.desk.docks.start_loading()
        commands = self.desk.commands
        self.addActions([commands.action(name) for name in commands.ids()])  # keys are heard
        self.resize(1280, 860)
        self.desk.ready.emit()


@pytest.fixture
def features() -> tuple[str, ...]:
    """The folders of the features that the window has: each module of tests names its own."""
    return ()


@pytest.fixture
def journals() -> Path | None:
    """Where the window keeps its journals: nowhere, unless a test says otherwise."""
    return None


@contextmanager
def drawn_before(canvas: MapCanvas, sprites_file: Path) -> Iterator[None]:
    """Paint with the sprites of the file meanwhile, or write it: as the program does at its start.

    They are those of one scale. A renderer that has a file of its own keeps it.
    """
    sprite_sets = canvas.renderer.sprite_sets
    if sprite_sets.file is not None:
        yield
        return
    sprite_sets.file = sprites_file
    yield
    if sprites_file.exists():
        sprite_sets.file = None
        return
    sprites = sprite_sets.pack()
    if sprites is not None:
        sprites_file.write_bytes(sprites)


def _close_journals(window: SmallWindow) -> None:
    if window.desk.autosave is not None:
        window.desk.autosave.end()


@pytest.fixture
def window(qtbot, settings, features, journals, tmp_path, sprites_file) -> SmallWindow:
    document = MapDocument(sample_map())
    backups = Backups(tmp_path / "data" / "backups")
    window = SmallWindow(document, settings, features, backups, journals)
    qtbot.addWidget(window, before_close_func=_close_journals)
    # Beside other docks the map has another size, and sprites are those of one size.
    file_of_size = sprites_file.with_name("-".join(["small", *features]))
    with drawn_before(window.desk.canvas, file_of_size):
        window.show()
        QApplication.processEvents()  # docks get their places, and the map its size
    window.desk.rolling.key_choice.choose_seed = lambda: 17  # the same maps in every run
    return window


@pytest.fixture
def free(window) -> SmallWindow:
    """The window with a free map of 16 x 12 hexes, with Titan's hazards, as the current one."""
    titan = packaged_set(TITAN_HAZARDS)
    window.desk.document.open_map(free_map(FLAT, 16, 12, terrain_set=titan))
    window.desk.canvas.fit()
    return window


@pytest.fixture
def active(window, qtbot) -> SmallWindow:
    """The window, with the keyboard on its map."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.desk.canvas.setFocus()
    return window


@pytest.fixture
def report_faults_to(monkeypatch) -> Callable[[Callable[[BaseException], object]], None]:
    """Sends each fault that is reported to a function, not to pytest-qt: it fails the test."""

    def report(listener: Callable[[BaseException], object]) -> None:
        # pytest-qt's own would fail the test.
        monkeypatch.setattr(sys, "excepthook", lambda _kind, fault, _trace: listener(fault))

    return report
