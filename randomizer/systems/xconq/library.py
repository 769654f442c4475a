"""The library directory of Xconq: where included files are sought after those beside a file."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "XCONQLIB"
"""The variable of the environment that names the directory."""

STANDARD = "standard.per"
"""The period of a library for mapfiles that name none."""


class _Chosen:
    folder: Path | None = None


def choose_library(folder: Path | None) -> None:
    """Use this directory from now on; None: the one that the environment names."""
    _Chosen.folder = folder


def library_folder() -> Path | None:
    """The library directory, None if none is known or it is not there."""
    named = os.environ.get(VARIABLE, "")
    folder = _Chosen.folder or (Path(named).expanduser() if named else None)
    return folder if folder is not None and folder.is_dir() else None
