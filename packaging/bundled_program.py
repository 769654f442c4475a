"""Starts a program of the bundle, ``battlelands`` or ``randomizer``, by the name of its file."""

import locale
import os
import sys
from pathlib import Path

from randomizer.processes.children import run_child


def clean_environment() -> None:
    """Take back what the bundle's loader has set: programs that we start are not of the bundle."""
    for name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        os.environ.pop(name, None)
        before = os.environ.pop(f"{name}_ORIG", None)
        if before is not None:
            os.environ[name] = before
    if sys.platform == "linux" and locale.setlocale(locale.LC_CTYPE) in ("C", "POSIX"):
        os.environ["LC_CTYPE"] = "C.UTF-8"  # as Python's own start does; Qt warns without


def main() -> int | None:
    """Run the program; its exit code."""
    clean_environment()
    if run_child(sys.argv[1:]):
        return 0
    if Path(sys.executable).stem == "randomizer":
        from randomizer.__main__ import main as program
    else:
        from app.__main__ import main as program
    return program()


sys.exit(main())
