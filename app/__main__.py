"""Starts the desk: ``battlelands [FILE ...]``, also ``python -m app``; and what needs no window."""

from __future__ import annotations

import gc
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

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

    library = _missing_library() if _is_for_x11() else ""
    if library:
        print(_about_missing(library), file=sys.stderr)
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


def _missing_library() -> str:
    """Return the file name of a library that Qt's plugin for X11 lacks here; "" if it lacks none.

    Without it Qt ends the program and advises to install Qt again, which does not help.
    """
    from PySide6.QtCore import QLibrary, QLibraryInfo

    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    folder = Path(os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH") or plugins)
    plugin = QLibrary(str(folder / "libqxcb.so"))
    if not Path(plugin.fileName()).exists() or plugin.load():
        return ""
    name = re.search(r"(\S+\.so[.0-9]*): cannot open shared object file", plugin.errorString())
    if name is None:
        return ""
    return name[1]


def _about_missing(library: str) -> str:
    """Return what to do about a library that is missing."""
    message = f"The window cannot be opened: {library} is not installed, which Qt needs on X11."
    if library not in X11_PACKAGES:
        return message
    debian, fedora = X11_PACKAGES[library]
    return (
        f"{message}\n  Debian, Ubuntu: sudo apt install {debian}\n"
        f"  Fedora: sudo dnf install {fedora}\n"
        f"Other systems have a package of a like name."
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
