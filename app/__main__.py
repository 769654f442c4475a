"""Starts the desk: ``battlelands [FILE ...]``, also ``python -m app``; and what needs no window."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import many

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

USAGE = "usage: battlelands [FILE ...]\n       battlelands picture MAP OUT [OPTIONS]\n\
       battlelands tables WHAT OUT.pdf [OPTIONS]\n\
       battlelands trace PICTURE --layout L --size WxH --out MAP [OPTIONS]"


VERBS = {
    "picture": "make a picture of a map",
    "tables": "roll maps into a PDF",
    "trace": "take a map from a picture",
}
"""What needs no window, each in its module of ``app.cli``."""


def main(arguments: list[str] | None = None) -> int:
    """Open the window and run until it is closed; the exit code."""
    argv = sys.argv[1:] if arguments is None else arguments
    if argv and argv[0] in VERBS:
        code: int = import_module(f"app.cli.{argv[0]}").main(argv[1:])
        return code
    if argv and argv[0] in ("-h", "--help"):
        print(
            f"{USAGE}\n\nOpens the desk, with the maps and scripts that are named; or makes a\n"
            "picture of a map without the desk: battlelands picture --help; or rolls maps into\n"
            "a PDF: battlelands tables --help; or takes a map from a picture: battlelands trace\n"
            "--help"
        )
        return 0
    if any(word.startswith("-") for word in argv):
        print(USAGE, file=sys.stderr)
        return 2

    # Importing makes many objects and no garbage: looking for it costs a sixth of the start.
    gc.disable()
    from PySide6.QtWidgets import QApplication

    missing_libraries = _missing_libraries() if _is_for_x11() else []
    if missing_libraries:
        print(_about_missing(missing_libraries), file=sys.stderr)
        return 1
    from app.appearance.scheme import apply_scheme, show_outlines
    from app.desk.fault_dialogs import Faults
    from app.document.document import MapDocument
    from app.document.sample import sample_map
    from app.qt_guard import connect
    from app.settings import Settings
    from app.window import MainWindow
    from randomizer.storage.disk.backups import Backups

    settings = Settings()
    if settings.scale:
        os.environ["QT_SCALE_FACTOR"] = str(settings.scale / 100)  # Qt reads it once, here
    application = QApplication([sys.argv[0]])
    application.setApplicationName("Battlelands Builder")
    application.setDesktopFileName("battlelands-builder")
    if settings.theme == "system":
        show_outlines()
    else:
        apply_scheme(settings.theme)
    data = _data_folder()
    backups = Backups(data / "backups")
    window = MainWindow(MapDocument(sample_map()), settings, data / "journals", backups)
    desk = window.desk
    faults = Faults(window, desk.say)
    faults.install()
    connect(desk.ready, lambda: _collect_from_here_on(application))
    if not settings.tour_seen:
        connect(desk.ready, lambda: desk.commands.run("help.tour"))
    if argv:
        connect(desk.ready, lambda: desk.files.open_paths(map(Path, argv)))
    window.show()
    code = application.exec()
    from app.background.jobs import Job
    from app.features.selection import clipboard

    clipboard.release()
    Job.finish_all()
    faults.remove()
    return code


X11_PACKAGES = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
"""The packages of Debian and of Fedora that have what a fresh Linux may lack of what Qt needs."""


def _is_for_x11() -> bool:
    """Return whether Qt will draw on an X server, as it decides from the environment."""
    if sys.platform != "linux":
        return False
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform:
        return platform.startswith("xcb")
    on_wayland = os.environ.get("XDG_SESSION_TYPE") == "wayland" or "WAYLAND_DISPLAY" in os.environ
    return "DISPLAY" in os.environ and not on_wayland


def _missing_libraries() -> list[str]:
    """Return the file names of the libraries that Qt's plugin for X11 lacks here.

    Without them Qt ends the program and advises to install Qt again, which does not help. The
    linker names the first alone, so the others that a fresh Linux may lack are looked for.
    """
    from PySide6.QtCore import QLibrary, QLibraryInfo

    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    folder = Path(os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH") or plugins)
    plugin = QLibrary(str(folder / "libqxcb.so"))
    if not Path(plugin.fileName()).exists() or plugin.load():
        return []
    name = re.search(r"(\S+\.so[.0-9]*): cannot open shared object file", plugin.errorString())
    if name is None:
        return []
    first_library = name[1]
    others = [library for library in X11_PACKAGES if library != first_library]
    return [first_library, *filter(_is_missing, others)]


def _is_missing(library: str) -> bool:
    from ctypes import CDLL

    try:
        CDLL(library)
    except OSError:
        return True
    return False


def _about_missing(libraries: Sequence[str]) -> str:
    """Return what to do about libraries that are missing."""
    names = ", ".join(libraries)
    are = many(len(libraries), "is", "are")
    message = f"The window cannot be opened: {names} {are} not installed, which Qt needs on X11."
    packages = [X11_PACKAGES[library] for library in libraries if library in X11_PACKAGES]
    if not packages:
        return message
    debian = " ".join(debian_package for debian_package, _ in packages)
    fedora = " ".join(fedora_package for _, fedora_package in packages)
    return (
        f"{message}\n  Debian, Ubuntu: sudo apt install {debian}\n"
        f"  Fedora: sudo dnf install {fedora}\n"
        f"Other systems have packages of like names."
    )


def _data_folder() -> Path:
    """Return where the desk keeps what is the user's and yet no file of theirs."""
    from PySide6.QtCore import QStandardPaths

    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(os.environ.get("BATTLELANDS_DATA") or folder)


def _collect_from_here_on(application: QObject) -> None:
    """Look for garbage from now on, on this thread, and not among what the start has made."""
    from app.background.garbage import UiGarbage, limit_heaps

    limit_heaps()
    gc.freeze()
    UiGarbage(application)


if __name__ == "__main__":
    raise SystemExit(main())
