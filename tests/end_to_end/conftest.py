"""A real main window, with settings of its own, ready to be used."""

from __future__ import annotations

import inspect
import pkgutil

import pytest
from PySide6.QtCore import QSettings, SignalInstance
from PySide6.QtWidgets import QApplication, QDialog

from app.background.actions import end_all
from app.desk.fault_dialogs import Faults
from app.desk.toolbox import FIRST
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.fault_log import LOG
from app.settings import Settings
from app.tools.options import OPTIONS, ToolOptions
from app.window import MainWindow
from randomizer.storage.disk.backups import Backups
from tests.app.conftest import (
    active,  # noqa: F401 - a fixture, with the window of these tests
    drawn_before,
)
from tests.conftest import PatientBot


def close_without_asking(window):
    end_all()  # a question that is still open would keep the window from closing
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False
    for script in window.desk.scripts.documents:
        script.text.setModified(False)


@pytest.fixture(autouse=True)
def _no_dialog_is_replaced(hand, request):
    """The hand is there in each of these tests: a dialog that nobody expected fails the test.

    A file of tests that opens and drives dialogs itself, as real dialogs, names their classes in
    ``DRIVEN_DIALOGS``.
    """
    hand.hold(*getattr(request.module, "DRIVEN_DIALOGS", ()))


@pytest.fixture
def journals():
    """Where the window keeps its journals: nowhere, unless a test says otherwise."""


@pytest.fixture
def window(own_window):
    return own_window


@pytest.fixture
def own_window(qtbot, settings, journals, tmp_path, sprites_file):
    backups = Backups(tmp_path / "data" / "backups")
    window = MainWindow(MapDocument(sample_map()), settings, journals, backups)
    qtbot.addWidget(window, before_close_func=close_without_asking)
    show_until_ready(window, qtbot, sprites_file)
    return window


@pytest.fixture(scope="module")
def _window_of_module(request, qapp, tmp_path_factory, sprites_file):
    folder = tmp_path_factory.mktemp("window")
    stored = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    backups = Backups(folder / "data" / "backups")
    document = MapDocument(sample_map())
    window = MainWindow(document, Settings(stored), folder / "journals", backups)
    show_until_ready(window, PatientBot(request), sprites_file)
    yield window
    close_without_asking(window)
    window.close()
    window.deleteLater()


@pytest.fixture(scope="module")
def _first_options(_window_of_module) -> dict[str, object]:
    return options_by_name(_window_of_module.desk.tools.options)


def options_by_name(options: ToolOptions) -> dict[str, object]:
    """Return the options of the tools as they are now, those without a field in their bar, too."""
    values = {setting.name: getattr(options, setting.name) for setting in OPTIONS}
    for name, value in vars(options).items():
        if not name.startswith("_") and not isinstance(value, SignalInstance):
            values[name] = value
    return values


@pytest.fixture
def shared_window(_window_of_module, _first_options, qtbot):
    """The one window of a file of tests, with a battleland, its panels where they are at first.

    The tool in use and the options of tools are those of a new window, too.

    It saves half a second of CPU time a test, where nothing depends on choices and settings that
    another test has left. A file whose tests all use it has a fixture ``window`` that returns it.
    """
    window = _window_of_module
    desk = window.desk
    size = window.size()
    state = window.saveState()
    desk.document.open_map(sample_map())
    for open_map in desk.document.maps:
        if open_map is not desk.document.current_map:
            desk.document.close_map(open_map)
    desk.tools.choose(FIRST)
    desk.tools.options.choose(**_first_options)  # last: a tool brings a radius along
    yield window
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.close()
    close_without_asking(window)
    window.resize(size)
    window.restoreState(state)


def show_until_ready(window, qtbot, sprites_file):
    """Show a window and wait until all of it is made; it rolls the same maps in every run."""
    canvas = window.desk.canvas
    # A small window is fitted once. Otherwise all sprites would be drawn at a new scale for each
    # bar and panel that takes some of the map's height.
    canvas.keeps_scale = True
    with (
        qtbot.waitSignal(window.desk.ready),
        drawn_before(canvas, sprites_file.with_name("first")),
    ):
        window.show()
        QApplication.processEvents()  # the first paint
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    canvas.keeps_scale = False
    if canvas.fitted and canvas.isVisible():
        with drawn_before(canvas, sprites_file):
            canvas.fit()
            qtbot.waitUntil(lambda: canvas.is_sharp)
    window.desk.rolling.key_choice.choose_seed = lambda: 17


class ForcedError(Exception):
    """What ``break_once`` raises."""


@pytest.fixture
def break_once(monkeypatch):
    """Force a fault: a function, by its dotted name, raises ForcedError once and then works again.

    The only way in which these tests put something in the place of the program's own code.
    """

    def arm(name: str) -> None:
        owner_name, _, attribute = name.rpartition(".")
        owner = pkgutil.resolve_name(owner_name)
        original = inspect.getattr_static(owner, attribute)

        def fail(*_arguments, **_options):
            # As before the fault that was forced.
            monkeypatch.setattr(owner, attribute, original)
            raise ForcedError(name)

        # A forced fault: no input is known that brings it.
        monkeypatch.setattr(owner, attribute, fail)

    return arm


@pytest.fixture
def told_faults(window):
    """Tell of faults by a dialog, as the program does. (pytest-qt would fail the test.)"""
    LOG.clear()
    faults = Faults(window, window.desk.say)
    faults.install()
    yield faults
    faults.remove()
    LOG.clear()
