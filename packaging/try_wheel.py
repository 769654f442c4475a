"""Try the built package as a user would: ``python3 packaging/try_wheel.py``.

Makes a source distribution of a copy of the sources, builds the wheel from that, installs it into a
fresh environment, runs the command line and opens the desk for a moment without a screen. Nothing
of the checkout is used or changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from setup_environment import (
    ON_WINDOWS,
    PYTHON,
    ROOT,
    OfflineError,
    base_python,
    pip,
    stop_in_words,
)
from system_libraries import SetupError, say

PACKAGES = {"app": "app", "randomizer": "randomizer", "docs/manual": "app/manual"}
"""Folders of the checkout, and where their files are in the wheel."""

SOURCES = ("app", "randomizer", "docs", "packaging", "tests")
"""The folders of the checkout that the source distribution has."""

MAKE_SOURCES = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"

SHOWN_MS = 1500

# Runs in the fresh environment: the desk's own entry point, looked at while its window is up.
OPEN_THE_DESK = f"""
import sys
from importlib.metadata import entry_points
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QTextBrowser

seen, failures = [], []

def note_failure(kind, reason, trace):
    failures.append(reason)
    sys.__excepthook__(kind, reason, trace)

def look():
    windows = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    actions = [action for window in windows for action in window.findChildren(QAction)]
    manual = next((action for action in actions if action.text() == "Man&ual"), None)
    if manual is None:
        QTimer.singleShot({SHOWN_MS}, look)  # the menus come after the first picture
        return
    pictures = [window.grab().toImage() for window in windows]
    seen.extend(picture for picture in pictures if not picture.isNull())
    manual.trigger()
    pages = [w.toPlainText() for w in QApplication.allWidgets() if isinstance(w, QTextBrowser)]
    if not any("The first five minutes" in page for page in pages):
        failures.append("the manual has no pages")
    QApplication.quit()

def look_then_quit(*_, run=QApplication.exec):
    QTimer.singleShot({SHOWN_MS}, look)
    return run()

sys.excepthook = note_failure  # Qt goes on after an exception in a slot
QApplication.exec = look_then_quit
sys.argv = ["battlelands"]
(entry,) = entry_points(group="gui_scripts", name="battlelands")
try:
    status = entry.load()()
except SystemExit as stop:
    status = stop.code
if status or failures or not seen:
    found = f"status {{status}}, failures {{failures}}, {{len(seen)}} visible windows"
    sys.exit(f"the desk ended with {{found}}")
"""


def main() -> int:
    """Build, install, try; raises SetupError with the output of what failed.

    ``--wheels FOLDER`` takes what is needed from a folder of wheels, which ``pip download`` fills,
    and asks no package index. Where an index cannot be reached and no folder is named, the package
    is tried with the libraries of .venv, and what was not tried is said.
    """
    if "--wheels" in sys.argv[1:-1]:  # pip and the pip that it starts to build read these
        wheels = Path(sys.argv[sys.argv.index("--wheels") + 1]).resolve()
        os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels))
    with tempfile.TemporaryDirectory(prefix="battlelands-wheel-") as name:
        folder = Path(name)
        scripts = folder / "environment" / ("Scripts" if ON_WINDOWS else "bin")
        python = scripts / ("python.exe" if ON_WINDOWS else "python")
        call("make an environment", [base_python(), "-m", "venv", folder / "environment"])
        try:
            wheel = build(python, folder)
            pip(python, "install", str(wheel), cwd=folder)
        except OfflineError as error:
            say(f"{error}\n")
            wheel = install_offline(python, folder / "offline")
        check_contents(wheel)
        say(f"Installed {wheel.name} ({wheel.stat().st_size / 1000:.0f} kB)")

        home = folder / "home"
        home.mkdir()
        environment = at_home(home)
        listed = call("randomizer list", [scripts / "randomizer", "list"], home, environment)
        rolled = call(
            "randomizer roll",
            [scripts / "randomizer", "roll", "Swamp", "--seed", "17", "--number", "4"],
            home,
            environment,
        )
        root = ElementTree.fromstring(rolled)
        if "Swamp" not in listed or len(root) == 0:
            raise SetupError(f"the installed randomizer does not roll a Swamp:\n{listed}\n{rolled}")
        call("the desk", [python, "-c", OPEN_THE_DESK], home, environment)
        say("The command line rolls and the desk opens.")
    return 0


def install_offline(python: Path, folder: Path) -> Path:
    """Build and install the wheel alone, with the libraries of .venv; say what was not tried."""
    if not PYTHON.exists():
        raise SetupError("There is no .venv whose libraries could be used instead.")
    script = "import sysconfig; print(sysconfig.get_path('platlib'))"
    ours, theirs = (
        Path(call("its folder", [each, "-I", "-c", script]).strip()) for each in (python, PYTHON)
    )
    pip(python, "uninstall", "--yes", "setuptools")  # Python 3.11 brings one, which would be first
    # By a .pth file it comes last, and its own .pth files, one of them the checkout's, are unread.
    (ours / "offline.pth").write_text(f"{theirs}\n", "utf-8")
    os.environ["PIP_NO_BUILD_ISOLATION"] = "0"  # pip's way to say yes
    folder.mkdir()
    wheel = build(python, folder)
    pip(python, "install", "--no-deps", "--ignore-installed", str(wheel), cwd=folder)
    say("The libraries are those of .venv. Not tried: whether pip finds and installs them.\n")
    return wheel


def build(python: Path, folder: Path) -> Path:
    """Build the wheel from the source distribution, both in ``folder``; raise SetupError.

    The source distribution is made of a copy, so that no stale build/ gets into it.
    """
    source = folder / "source"
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in SOURCES:
        shutil.copytree(ROOT / name, source / name, ignore=unwanted)
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copy2(file, source)
    with (ROOT / "pyproject.toml").open("rb") as project:
        pip(python, "install", *tomllib.load(project)["build-system"]["requires"], cwd=folder)
    call("make a source distribution", [python, "-c", MAKE_SOURCES, folder], source)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    check_files(names, {name: name for name in SOURCES}, "source distribution (MANIFEST.in)")
    options = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(folder))
    pip(python, "wheel", *options, str(archive), cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """Raise SetupError unless every file of the packages, and the licence, is in ``wheel``."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    check_files(names, PACKAGES, "wheel (package-data in pyproject.toml)")
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        raise SetupError("the wheel has no licence")


def check_files(names: set[str], folders: dict[str, str], what: str) -> None:
    """Raise SetupError unless ``names`` has every file of the folders, as they are called there."""
    missing = [
        name
        for folder, place in folders.items()
        for file in sorted((ROOT / folder).rglob("*"))
        if file.is_file()
        and "__pycache__" not in file.parts
        and not file.name.startswith(".")
        and (name := f"{place}/{file.relative_to(ROOT / folder).as_posix()}") not in names
    ]
    if missing:
        raise SetupError(f"not in the {what}:\n" + "\n".join(missing))


def at_home(home: Path) -> dict[str, str]:
    """The environment variables of a user who has nothing but ``home``, and no screen."""
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))
    }
    own = {"HOME": home, "APPDATA": home, "LOCALAPPDATA": home, "XDG_RUNTIME_DIR": runtime}
    return {
        **kept,
        **{name: str(path) for name, path in own.items()},
        "QT_QPA_PLATFORM": "offscreen",
    }


def call(
    what: str,
    command: list[str | Path],
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
) -> str:
    """Run ``command`` and return its standard output; raise SetupError if it fails or hangs."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=environment, timeout=120
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{what}: no end after {error.timeout:.0f} s") from error
    if done.returncode != 0:
        raise SetupError(f"{what}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    stop_in_words(main)
