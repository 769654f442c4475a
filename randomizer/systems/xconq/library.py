"""The library directory of Xconq, in which the periods and maps of the game stand.

A mapfile names other files that it includes; those that are not beside it are in the library::

    LIBRARY.use_folder_of(settings_of_the_user)     # once, where there are such settings
    LIBRARY.folder()                                 # Path("/usr/share/xconq"), or None

A file beside a mapfile must not be called like one in the library: Xconq takes that of the library.
So names of new files are checked by ``Library.has_different_file``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file, user_path

ENVIRONMENT_VARIABLE = "XCONQLIB"
"""The variable of the environment that names the directory, as for the game itself."""

STANDARD_PERIOD = "standard.per"
"""The period of a library for mapfiles that name none."""

_NAMES_OF_PERIODS = """
    Heinz Uwe autest beirut conquist empire fantasy flattop future hill hobbit machine monster money
    napol navywar rome simplest standard standard2 standardl stealth test wizard
"""
PERIODS_OF_XCONQ_5_5 = frozenset(f"{name}.per" for name in _NAMES_OF_PERIODS.split())
"""The periods in the library of Xconq 5.5."""

FolderFunction = Callable[[], Path | None]
"""Returns the directory that a user has chosen, or a file in it; None if none was chosen."""


class Library:
    """The library directory; there is one for the whole process, ``LIBRARY``."""

    def __init__(self) -> None:
        self._chosen_folder: FolderFunction | None = None
        """Called each time, since the user may choose another directory; None if there is none."""

    def use_folder_of(self, chosen_folder: FolderFunction | None) -> None:
        """From now on call a function for the directory that the user has chosen.

        That directory has priority over the one in the environment. None: only the environment
        counts.
        """
        self._chosen_folder = chosen_folder

    def folder(self) -> Path | None:
        """Return the directory, None if none is known or it does not exist."""
        folder = None
        if self._chosen_folder is not None:
            folder = self._chosen_folder()
        if folder is None:
            path_in_environment = os.environ.get(ENVIRONMENT_VARIABLE, "")
            if not path_in_environment:
                return None
            folder = user_path(path_in_environment)
        if folder.is_file():
            folder = folder.parent
        if not folder.is_dir():
            return None
        return folder

    def has_different_file(self, name: str, data: bytes) -> bool:
        """Return whether the library has a file of this name whose contents are not ``data``.

        If no directory is known, there may be one where the map is played: it is taken to have
        ``PERIODS_OF_XCONQ_5_5``, whose contents are not known here.
        """
        folder = self.folder()
        if folder is None:
            return name in PERIODS_OF_XCONQ_5_5
        path = folder / name
        if not path.exists():
            return False
        try:
            data_in_library = read_file(path, max_bytes=len(data))
        except ProblemError:
            # It is larger than these contents, or cannot be read.
            return True
        return data_in_library != data


LIBRARY = Library()
"""The library of this process."""
