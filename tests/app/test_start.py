"""Starting the desk: what is loaded before the first picture, and the words of a wrong start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo, QSettings

# The start on other desktops cannot be made to happen.
from app.__main__ import _about_missing, _is_for_x11, main
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import builtins, os, sys
python_import = builtins.__import__
from app.window import MainWindow

def show(self, shown=MainWindow.show):
    def first_paint():
        parser = "randomizer.systems.colossus.script.parser"
        heavy = {"lark", "pyqtgraph", "sqlite3", "numpy.ma", "app.tools", parser}
        heavy |= {"randomizer.catalog.catalog", "app.features.files.tab_bar", "_hashlib"}
        found = heavy & set(sys.modules)
        rooms = ("period", "world", "countries", "mapfile", "rolling", "terrain")
        of_xconq = tuple(f"randomizer.systems.xconq.{room}" for room in rooms)
        found |= {name for name in sys.modules if name.startswith(of_xconq)}
        if builtins.__import__ is not python_import:
            found.add("the import of PySide, which reads the sources of all modules")
        os.write(1, " ".join(sorted(found)).encode() + b"|painted")
        os._exit(0)
    self.desk.canvas.painted.connect(first_paint)
    shown(self)

MainWindow.show = show
from app.__main__ import _about_missing, _is_for_x11, main
main([])
"""


def test_before_the_first_paint_nothing_heavy_is_loaded_and_no_source_is_read():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.stdout == b"|painted", done.stderr.decode()


UNENDING_WORK = """
from PySide6.QtCore import QTimer
from app.background import jobs
from app.window import MainWindow

def work(_progress, _cancelled):
    print("begun", flush=True)
    while True:
        pass

def show(self, shown=MainWindow.show):
    shown(self)
    jobs.Job(work).start()
    QTimer.singleShot(500, self.close)

MainWindow.show = show
jobs.Job.finish_all.__func__.__defaults__ = (200,)  # the wait for work under way
from app.__main__ import main
raise SystemExit(main([]))
"""


@pytest.mark.deep
def test_the_program_ends_though_work_goes_on_for_ever(tmp_path):
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = {**os.environ, **dict.fromkeys(homes, str(tmp_path))}
    done = subprocess.run(
        [sys.executable, "-c", UNENDING_WORK],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"begun\n"), done.stderr.decode()


def test_the_sprites_of_the_first_picture_are_stored_for_the_next_start(qtbot, tmp_path):
    settings = Settings(QSettings(str(tmp_path / "desk.ini"), QSettings.Format.IniFormat))
    window = MainWindow(MapDocument(sample_map()), settings, tmp_path / "journals")
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: (tmp_path / "sprites").is_file())
    assert window.desk.renderer.sprite_sets.file is None, "from now on sprites are drawn"


def test_help_and_wrong_use_need_no_window(capsys):
    assert main(["--help"]) == 0
    assert "usage: battlelands" in capsys.readouterr().out
    assert main(["one.xml", "--frobnicate"]) == 2
    assert main(["--frobnicate"]) == 2
    assert "usage" in capsys.readouterr().err


TOUR = """
import sys
from PySide6.QtCore import QTimer
from app.window import MainWindow
from app.features.help.tour import Tour

def show(self, shown=MainWindow.show):
    def ready():
        tour = self.findChild(Tour)
        print(tour is not None and tour.isVisible(), flush=True)
        QTimer.singleShot(0, self.close)
    self.desk.ready.connect(lambda: QTimer.singleShot(0, ready))
    shown(self)

MainWindow.show = show
from app.__main__ import _about_missing, _is_for_x11, main
sys.exit(main([]))
"""


def test_the_tour_comes_at_the_first_start_and_no_other(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for expected in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", TOUR],
            cwd=ROOT,
            capture_output=True,
            timeout=60,
            check=False,
            text=True,
        )
        assert done.stdout.split() == [expected], done.stderr


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Windows sends no signals")
def test_ctrl_c_in_a_terminal_ends_the_program_without_a_traceback(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    program = TOUR.replace("self.close", "lambda: os.kill(os.getpid(), signal.SIGINT)")
    ended = subprocess.run(
        [sys.executable, "-c", f"import os, signal\n{program}"],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
        text=True,
    )
    assert ended.returncode == -signal.SIGINT
    assert "Traceback" not in ended.stderr


COPIES = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from app.features.selection.clipboard import copied_stamp
from app.window import MainWindow

def show(self, shown=MainWindow.show):
    def ready():
        self.desk.document.select([9, 10])
        self.findChild(QAction, "edit.copy").trigger()
        print(len(copied_stamp().offsets), flush=True)
        QTimer.singleShot(0, self.close)
    self.desk.settings.tour_seen = True
    self.desk.ready.connect(lambda: QTimer.singleShot(0, ready))
    shown(self)

MainWindow.show = show
from app.__main__ import _about_missing, _is_for_x11, main
sys.exit(main([]))
"""


@pytest.mark.deep
def test_a_copied_piece_does_not_end_the_program_badly(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", COPIES], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, [b"2"]), done.stderr.decode()


FAULTS = """
import sys
from PySide6.QtCore import QTimer
from app.canvas.canvas import MapCanvas
from app.qt_guard import later
from app.widgets.dialogs.problem_dialog import ProblemDialog
from app.window import MainWindow
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import set_values

def fail(*_args, **_names):
    raise ValueError("injected")

def show(self, shown=MainWindow.show):
    def broken():
        document = self.desk.document
        document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
        MapCanvas.paint_overlays = fail
        PlaneEdit.apply = fail
        document.undo()
        for _ in range(20):
            self.desk.canvas.repaint()
        QTimer.singleShot(200, ended)
    def ended():
        (dialog,) = self.findChildren(ProblemDialog)
        print(dialog.isVisible(), dialog.text.toPlainText().count("injected"))
        print(self.desk.document.history.index)
        self.desk.document.history.mark_clean()
        self.desk.document.current_map.rolled = False
        self.close()
    self.desk.ready.connect(lambda: later(self, broken))
    shown(self)

MainWindow.show = show
from app.__main__ import _about_missing, _is_for_x11, main
sys.exit(main([]))
"""


def test_faults_do_not_end_the_program_and_are_told_once_each(tmp_path, monkeypatch):
    monkeypatch.setenv("BATTLELANDS_DATA", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", FAULTS],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
        text=True,
    )
    assert done.stdout.splitlines() == ["True 2", "1"], done.stderr
    assert done.returncode == 0
    assert done.stderr.count("ValueError: injected") == 2


@pytest.fixture
def plugins_without_cursors(tmp_path):
    """A folder with Qt's plugin for X11, which looks there for a library that is nowhere."""
    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    if not (plugins / "libqxcb.so").exists():
        pytest.skip("Qt has no plugin for X11 here")
    data = (plugins / "libqxcb.so").read_bytes()
    assert data.count(b"libxcb-cursor.so.0\0") == 1
    data = data.replace(b"libxcb-cursor.so.0\0", b"libxcb-cursor.so.7\0")
    (tmp_path / "libqxcb.so").write_bytes(data)
    return tmp_path


def test_a_missing_library_is_named_with_its_package(plugins_without_cursors):
    libraries = QLibraryInfo.path(QLibraryInfo.LibraryPath.LibrariesPath)
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "xcb",
        "QT_QPA_PLATFORM_PLUGIN_PATH": str(plugins_without_cursors),
        "LD_LIBRARY_PATH": libraries,  # the plugin finds them by its place else
    }
    done = subprocess.run(
        [sys.executable, "-m", "app"],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
        env=environment,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    # This machine may lack others, too: all are named at once.
    assert done.stderr.startswith("The window cannot be opened: libxcb-cursor.so.7")
    assert "not installed, which Qt needs on X11." in done.stderr


def test_the_packages_of_all_missing_libraries_are_named_at_once():
    lines = _about_missing(["libxcb-cursor.so.0", "libxcb-icccm.so.4"]).splitlines()
    assert lines[0].startswith(
        "The window cannot be opened: libxcb-cursor.so.0, libxcb-icccm.so.4 are not installed"
    )
    assert lines[1:3] == [
        "  Debian, Ubuntu: sudo apt install libxcb-cursor0 libxcb-icccm4",
        "  Fedora: sudo dnf install xcb-util-cursor xcb-util-wm",
    ]


@pytest.mark.parametrize(
    ("environment", "is_for_x11"),
    [
        ({"QT_QPA_PLATFORM": "xcb"}, True),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, False),
        ({"DISPLAY": ":0"}, True),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, False),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, False),
        ({}, False),
    ],
)
def test_libraries_of_x11_are_looked_for_where_qt_uses_them(monkeypatch, environment, is_for_x11):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    # Each asks this of Python.
    monkeypatch.setattr(sys, "platform", "linux")
    assert _is_for_x11() is is_for_x11


def test_the_desk_multiplies_matrices_on_one_thread():
    """Those of a picture are small: several threads waited for one another at each of them."""
    environment = {name: value for name, value in os.environ.items() if "OPENBLAS" not in name}
    code = "import app, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, env=environment
    )
    assert ended.stdout.strip() == b"1"
