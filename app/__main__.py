"""Starts the program: ``battlelands [FILE ...]``, also ``python -m app``.

It opens the *desk*, which is the main window with its maps and panels.

Begin with ``main``. If the first argument is one of ``VERBS`` no window opens, and the module of
that verb in ``app.cli`` runs instead. Modules are imported where they are used, since each import
before the first paint of the window delays that.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from randomizer.model.basics.plurals import many

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QApplication

    from app.settings import Settings

USAGE = """usage: battlelands [FILE ...]
       battlelands picture MAP OUT [OPTIONS]
       battlelands tables WHAT OUT.pdf [OPTIONS]
       battlelands trace PICTURE --layout L --size WxH --out MAP [OPTIONS]"""

HELP = f"""{USAGE}

Opens the desk, with the maps and scripts that are named; or makes a
picture of a map without the desk: battlelands picture --help; or rolls maps into
a PDF: battlelands tables --help; or takes a map from a picture: battlelands trace
--help"""

VERBS = {
    "picture": "make a picture of a map",
    "tables": "roll maps into a PDF",
    "trace": "take a map from a picture",
}
"""The commands that need no window; ``app.cli`` has a module of each name.

The summaries stand in the program's manual page (packaging/make_desktop.py)."""


def main(arguments: list[str] | None = None) -> int:
    """Open the desk, or run a command without a window; return the exit code of the process.

    The arguments are those of the process if they are None. The code is 0 for success, 1 for a
    failure, 2 for wrong arguments.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments and arguments[0] in VERBS:
        verb = import_module(f"app.cli.{arguments[0]}")
        code: int = verb.main(arguments[1:])
        return code
    if arguments and arguments[0] in ("-h", "--help"):
        print(HELP)
        return 0
    if any(argument.startswith("-") for argument in arguments):
        print(USAGE, file=sys.stderr)
        return 2

    # Importing makes many objects and no garbage: to look for it would cost a sixth of the start.
    # ``_start_garbage_collection`` begins to collect it.
    gc.disable()
    if _is_for_x11():
        missing_libraries = _missing_libraries()
        if missing_libraries:
            print(_about_missing(missing_libraries), file=sys.stderr)
            return 1
    return _run_desk([Path(argument) for argument in arguments])


def _run_desk(paths: Sequence[Path]) -> int:
    """Open the window, and these files in it; return the exit code when it is closed."""
    from app.desk.fault_dialogs import Faults
    from app.document.document import MapDocument
    from app.document.sample import sample_map
    from app.qt_guard import connect
    from app.settings import Settings
    from app.window import MainWindow
    from randomizer.storage.disk.backups import Backups

    settings = Settings()
    application = _new_application(settings)
    data = _data_folder()  # after ``_new_application``: Qt names the folder after the application
    backups = Backups(data / "backups")
    window = MainWindow(MapDocument(sample_map()), settings, data / "journals", backups)
    desk = window.desk
    faults = Faults(window, desk.say)
    faults.install()

    # After the first paint, in this order.
    connect(desk.ready, lambda: _start_garbage_collection(application))
    if not settings.tour_seen:
        connect(desk.ready, lambda: desk.commands.run("help.tour"))
    if paths:
        connect(desk.ready, lambda: desk.files.open_paths(paths))
    # Ctrl+C in a terminal ends the program at once, as it does others; the journals hold all work.
    # Python's own handler would raise an exception, which ends only the slot that happens to run.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    window.show()
    code = application.exec()

    from app.background.jobs import Job
    from app.features.selection import clipboard

    clipboard.release()
    have_jobs_ended = Job.finish_all()
    faults.remove()
    if not have_jobs_ended:
        _end_process(code)
    return code


def _end_process(code: int) -> NoReturn:
    """End the process while work goes on that does not heed that it is cancelled.

    Otherwise Qt would wait for the thread of that work, perhaps for ever, while no window is there
    any more. Nothing is lost: the maps are in their files and journals.
    """
    from randomizer.processes.pool import roll_pool

    roll_pool().close()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # the bundle on Windows has none
            stream.flush()
    os._exit(code)


def _new_application(settings: Settings) -> QApplication:
    """Return Qt's application with the scale and the theme of the settings."""
    from PySide6.QtWidgets import QApplication

    from app.appearance.scheme import apply_scheme, show_outlines

    if settings.scale:
        os.environ["QT_SCALE_FACTOR"] = str(settings.scale / 100)  # Qt reads it once, here
    application = QApplication([sys.argv[0]])
    application.setApplicationName("Battlelands Builder")
    application.setDesktopFileName("battlelands-builder")
    if settings.theme == "system":
        show_outlines()
    else:
        apply_scheme(settings.theme)
    return application


X11_PACKAGES = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
"""The libraries that Qt needs on X11 and a fresh Linux may lack: the packages with each of them.

The first is the package of Debian and Ubuntu, the second that of Fedora.
"""


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

    Without them Qt would end the program, with the advice to install Qt again, which does not help.
    The result is empty if the plugin can be loaded, or if it cannot for another reason.
    """
    from PySide6.QtCore import QLibrary, QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    folder_of_user = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "")
    if folder_of_user:
        folder = Path(folder_of_user)
    plugin = QLibrary(str(folder / "libqxcb.so"))
    if not Path(plugin.fileName()).exists() or plugin.load():
        return []
    # The linker stops at the first library that it misses, and names no other: so all libraries of
    # the table are tried.
    match = re.search(r"(\S+\.so[.0-9]*): cannot open shared object file", plugin.errorString())
    if match is None:
        return []
    missing_libraries = [match[1]]
    for library in X11_PACKAGES:
        if library not in missing_libraries and _is_missing(library):
            missing_libraries.append(library)
    return missing_libraries


def _is_missing(library: str) -> bool:
    """Return whether the system cannot load a library; it is loaded for that."""
    from ctypes import CDLL

    try:
        CDLL(library)
    except OSError:
        return True
    return False


def _about_missing(libraries: Sequence[str]) -> str:
    """Return the message about missing libraries, with the commands that install them."""
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
    """Return the folder of journals and backups: the system's, or that of ``BATTLELANDS_DATA``."""
    from PySide6.QtCore import QStandardPaths

    folder = os.environ.get("BATTLELANDS_DATA", "")
    if not folder:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(folder)


def _start_garbage_collection(application: QObject) -> None:
    """Collect garbage on the UI thread from now on, except among the objects of the start.

    ``UiGarbage`` does it by a timer in place of ``gc.enable``; it lives as a child of the
    application.
    """
    from app.background.garbage import UiGarbage, limit_heaps

    limit_heaps()
    gc.freeze()
    UiGarbage(application)


if __name__ == "__main__":
    raise SystemExit(main())
