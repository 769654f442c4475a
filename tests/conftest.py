"""What every test stands on: no screen, a home of its own, the recorded data if it is there."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from pytestqt.qtbot import QtBot

from randomizer.model.system.system import System
from randomizer.systems.zeroad.installation.game_folders import look_in
from tests.randomizer.systems.zeroad.given_places import GivenPlaces

if TYPE_CHECKING:
    from app.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
HOME = Path(tempfile.mkdtemp(prefix="battlelands-home-"))


def _leave_the_developers_home() -> None:
    """Point everything that programs call the user's folders into HOME, and fix the surroundings.

    At import, before Qt: it reads these variables once.
    """
    folders = {
        "HOME": HOME,
        "USERPROFILE": HOME,
        "APPDATA": HOME / "AppData",
        "LOCALAPPDATA": HOME / "AppData",
        "XDG_CONFIG_HOME": HOME / ".config",
        "XDG_DATA_HOME": HOME / ".local" / "share",
        "XDG_STATE_HOME": HOME / ".local" / "state",
        "XDG_CACHE_HOME": HOME / ".cache",
        "XDG_RUNTIME_DIR": HOME / "runtime",
    }
    for name, folder in folders.items():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ[name] = str(folder)
    for name in [name for name in os.environ if name.startswith("QT_")]:
        del os.environ[name]
    os.environ.update(QT_QPA_PLATFORM="offscreen", QT_SCALE_FACTOR="1", LC_ALL="C.UTF-8")


_leave_the_developers_home()


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse what leaves this machine, in every test: the program has no access to any network.

    A hook of ``sys.audit``. Sockets in the file system and pairs are free, and so is a port of this
    machine, which a game of the user's is told (``game_launch``); nothing connects to it.
    """
    if not event.startswith("socket."):  # most of some thousand events of each window
        return
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        raise PermissionError(f"no name of a host is looked up: {arguments}")
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        local = address is None or isinstance(address, str | bytes)
        if not local and (event, address) != ("socket.bind", ("127.0.0.1", 0)):
            raise PermissionError(f"there is no network: {event} {address}")


sys.addaudithook(_refuse_network)

# "ci" finds the same examples every time; "search" looks for new ones: HYPOTHESIS_PROFILE=search.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40)
hypothesis.settings.register_profile("search", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


# As in the desk (app/background/garbage.py): what holds Qt objects must not be collected on a
# job's thread.
gc.disable()


@pytest.fixture(scope="session", autouse=True)
def _no_games_of_the_developer(tmp_path_factory: pytest.TempPathFactory) -> GivenPlaces:
    """Installed games of 0 A.D. are not found; ZEROAD_DATA names one for the tests of it."""
    nothing = GivenPlaces(user_mod=tmp_path_factory.getbasetemp() / "0ad" / "mods" / "user")
    look_in(nothing)
    return nothing


@pytest.fixture(autouse=True)
def _games_of_a_test_go_with_it(_no_games_of_the_developer: GivenPlaces) -> Iterator[None]:
    """What a test has installed is not found by the next one."""
    yield
    look_in(_no_games_of_the_developer)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the conformance of map scripts, each of which starts processes of its own, as deep."""
    from randomizer.generator import MapGenerator

    for item in items:
        generator = getattr(item, "callspec", None) and item.callspec.params.get("generator")
        if isinstance(generator, MapGenerator) and generator.rolls_outside:
            item.add_marker("deep")


def pytest_collection_finish() -> None:
    """Keep the modules and the thousands of tests out of each collection of garbage."""
    gc.freeze()


def pytest_runtest_teardown() -> None:
    """Collect garbage here, between tests, on the main thread."""
    counts = gc.get_count()
    thresholds = gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return


def pytest_unconfigure() -> None:
    """Remove the home of this run; no job, no piece may be left when the interpreter ends."""
    from PySide6.QtGui import QGuiApplication

    clipboard = sys.modules.get("app.features.selection.clipboard")
    if clipboard is not None and QGuiApplication.instance() is not None:
        clipboard.leave_only_text()
    jobs = sys.modules.get("app.background.jobs")
    if jobs is not None:
        jobs.Job.finish_all()
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def settings_of_this_run() -> None:
    """Keep QSettings in files below HOME, on systems too that have a registry for them."""
    from PySide6.QtCore import QSettings

    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for scope in QSettings.Scope:
        for kind in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(kind, scope, str(HOME / ".config"))


FIRST_PAUSES_MS = (1, 2, 4)
"""The pauses before a test looks again for what it waits for; most comes within milliseconds."""


class PatientBot(QtBot):
    """Waits a minute for what takes 20 ms on a quiet machine: a busy one is slow, not wrong."""

    check_meanwhile = staticmethod(lambda: None)
    """Called while a test waits. An AssertionError in it ends the waiting and fails the test."""

    def waitUntil(self, callback):  # noqa: N802 - pytest-qt's name
        """As in QtBot, which looks every 10 ms; here the first looks come sooner."""
        faults = []

        def is_over():
            try:
                self.check_meanwhile()
            except AssertionError as fault:
                faults.append(fault)
                return True
            return callback()

        for pause_ms in FIRST_PAUSES_MS:
            with contextlib.suppress(AssertionError):
                if is_over() in (None, True):
                    break
            self.wait(pause_ms)
        else:
            super().waitUntil(is_over, timeout=60_000)
        if faults:
            raise faults[0]

    def waitSignal(self, signal, **options):  # noqa: N802
        """As in QtBot."""
        return super().waitSignal(signal, timeout=60_000, **options)

    def waitSignals(self, signals, **options):  # noqa: N802
        """As in QtBot."""
        return super().waitSignals(signals, timeout=60_000, **options)


@pytest.fixture
def qtbot(qapp, request) -> Iterator[QtBot]:
    """pytest-qt's, more patient. What a test leaves pressed or dark is not so for the next one."""
    yield PatientBot(request)
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget

    for button in QApplication.mouseButtons():
        QTest.mouseRelease(QWidget(), button)
    if QApplication.palette().window().color().lightness() < 128:
        from app.appearance.scheme import apply_scheme

        apply_scheme("system")


@pytest.fixture
def hand(qtbot):
    """What answers the dialogs of the program; one that nobody expected fails the test."""
    from PySide6.QtCore import QCoreApplication, Qt

    from tests.end_to_end.hand import Hand

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    hand = Hand()
    qtbot.check_meanwhile = hand.check
    yield hand
    with contextlib.suppress(qtbot.TimeoutError):  # ``rest`` says which dialog has not come
        QtBot.waitUntil(qtbot, lambda: not hand.expects)
    hand.rest()


@pytest.fixture
def settings(tmp_path) -> Settings:
    """Settings of this test alone."""
    from PySide6.QtCore import QSettings

    from app.settings import Settings

    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture(scope="session")
def sprites_file(tmp_path_factory) -> Path:
    """Where the sprites of the first window are for all that follow: they need not be drawn."""
    return tmp_path_factory.mktemp("sprites") / "sprites"


@pytest.fixture
def temporary_folder(tmp_path, monkeypatch) -> Path:
    """Where temporary files of this process are made while a test runs."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))  # its documented use; asked for only once
    return folder


@pytest.fixture
def frozen(monkeypatch) -> None:
    """The process is that of the bundle, which needs no Python."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)  # set by who makes bundles only


@pytest.fixture
def testsys(tmp_path) -> Iterator[System]:
    """The test system, while it is an installed package."""
    from tests.test_system.installing import on_path, register
    from tests.test_system.system import SYSTEM

    with on_path(register(tmp_path / "installed")):
        yield SYSTEM


@pytest.fixture
def recsys(tmp_path) -> Iterator[System]:
    """The test system whose maps hold their script, while it is an installed package."""
    from tests.test_system.installing import on_path, register
    from tests.test_system.recorded import SYSTEM

    with on_path(register(tmp_path / "recorded", "recsys", "tests.test_system.recorded")):
        yield SYSTEM


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with recorded originals and real files beside the checkout; skips without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the recorded originals (../shared) are not on this machine")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _panels_in_narrow_windows() -> Iterator[None]:
    """The screen of the tests is narrow; panels stay beside the map but in tests about that."""
    from PySide6.QtCore import QSize

    from app.desk import dock_room

    with pytest.MonkeyPatch.context() as patch:
        # Qt's screen of the tests cannot be widened.
        patch.setattr(dock_room, "ROOMY", QSize(0, 0))
        yield
