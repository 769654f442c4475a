"""The library directory of Xconq: where included files are sought after those beside a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from randomizer.file_reading import user_path

VARIABLE = "XCONQLIB"
"""The variable of the environment that names the directory."""

STANDARD_PERIOD = "standard.per"
"""The period of a library for mapfiles that name none."""


Choice = Callable[[], Path | None]
"""Gives the directory that was chosen, or a file in it; None if none was."""

_NO_CHOICE: Choice = lambda: None  # noqa: E731


class _Chosen:
    choice: Choice = staticmethod(_NO_CHOICE)


def choose_library(choice: Choice = _NO_CHOICE) -> None:
    """Ask ``choice`` for the directory from now on; it goes before the one of the environment."""
    _Chosen.choice = staticmethod(choice)


def library_folder() -> Path | None:
    """The library directory, None if none is known or it is not there."""
    named = os.environ.get(VARIABLE, "")
    folder = _Chosen.choice() or (user_path(named) if named else None)
    if folder is not None and folder.is_file():
        folder = folder.parent
    return folder if folder is not None and folder.is_dir() else None
