"""The library directory of Xconq: included files are looked for there and beside their file.

It is the one that the user chose, for which ``set_library_source`` gets a function, else the one of
the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file, user_path

VARIABLE = "XCONQLIB"
"""The variable of the environment that names the directory."""

STANDARD_PERIOD = "standard.per"
"""The period of a library for mapfiles that name none."""

_NAMES_OF_PERIODS = """
    Heinz Uwe autest beirut conquist empire fantasy flattop future hill hobbit machine monster money
    napol navywar rome simplest standard standard2 standardl stealth test wizard
"""
OWN_PERIODS = frozenset(f"{name}.per" for name in _NAMES_OF_PERIODS.split())
"""The periods in the library of Xconq 5.5."""


Choice = Callable[[], Path | None]
"""Returns the directory that was chosen, or a file in it; None if none was."""


def _no_choice() -> None:
    """Return None: the user has chosen no directory."""
    return


class _LibrarySource:
    """Where the directory comes from; there is one for the whole process."""

    choice: Choice = staticmethod(_no_choice)
    """Asked each time, since the user may choose another directory (static: it gets no self)."""


def set_library_source(choice: Choice = _no_choice) -> None:
    """Ask ``choice`` for the directory from now on; it goes before the one of the environment.

    Without an argument only the environment is asked.
    """
    _LibrarySource.choice = staticmethod(choice)


def library_folder() -> Path | None:
    """Return the library directory, None if none is known or it does not exist."""
    folder = _LibrarySource.choice()
    if folder is None:
        path_in_environment = os.environ.get(VARIABLE, "")
        if not path_in_environment:
            return None
        folder = user_path(path_in_environment)
    if folder.is_file():
        folder = folder.parent
    if not folder.is_dir():
        return None
    return folder


def has_another(name: str, data: bytes) -> bool:
    """Return whether the library has a file of this name with other contents.

    Xconq would take that one. If no directory is known the library has ``OWN_PERIODS``, all with
    other contents.
    """
    folder = library_folder()
    if folder is None:
        return name in OWN_PERIODS
    path = folder / name
    if not path.exists():
        return False
    try:
        return read_file(path, len(data)) != data
    except ProblemError:
        # It is larger than these contents, or cannot be read.
        return True
