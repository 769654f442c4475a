"""The library directory of Xconq, in which included files are looked for, too.

It is the one that the user chose, for which ``choose_library`` gets a function, else the one of the
environment.
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

_OWN = """
    Heinz Uwe autest beirut conquist empire fantasy flattop future hill hobbit machine monster money
    napol navywar rome simplest standard standard2 standardl stealth test wizard
"""
OWN_PERIODS = frozenset(f"{name}.per" for name in _OWN.split())
"""The periods in the library of Xconq 5.5."""


Choice = Callable[[], Path | None]
"""Returns the directory that was chosen, or a file in it; None if none was."""

_NO_CHOICE: Choice = lambda: None  # noqa: E731


class _Chosen:
    choice: Choice = staticmethod(_NO_CHOICE)


def choose_library(choice: Choice = _NO_CHOICE) -> None:
    """Ask ``choice`` for the directory from now on; it goes before the one of the environment."""
    _Chosen.choice = staticmethod(choice)


def library_folder() -> Path | None:
    """Return the library directory, None if none is known or it does not exist."""
    folder = _Chosen.choice()
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
    try:
        return (folder / name).exists() and read_file(folder / name, len(data)) != data
    except ProblemError:
        # It is larger than these contents, or cannot be read.
        return True
