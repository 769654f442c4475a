"""The file in which Qt stores the settings: it is checked before Qt reads it.

``Settings`` calls ``open_store``. Qt would read a file of any size, wait for ever for a pipe, and
make any object that a stored binary value describes. This program stores only texts, lists of
texts and arrays of bytes. A file with anything else is renamed, with ``.damaged`` at the end of its
name (``.damaged2`` if there is such a file already); nothing is deleted.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QSettings

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import ProblemError
from randomizer.reading.files import read_file

ORGANIZATION = APPLICATION = "Battlelands Builder"

LARGEST = 64 * 2**20
"""The largest size of the file in bytes: pins of the gallery have whole scripts."""

BINARY = (b"@Variant(", b"@DateTime(")
"""The beginnings of binary values of Qt; texts, lists and arrays of bytes begin otherwise.

They are looked for everywhere in the file: a text that holds one counts as damaged, too. No script
has such a text for a reason of its own.
"""

PROBE_APPLICATION = f"{APPLICATION} of no name"
"""The name of a program that does not exist, which has no settings."""


def open_store() -> tuple[QSettings, list[str]]:
    """Return the settings of the desk, and messages about a file that was renamed.

    If a damaged file cannot be renamed, the settings are empty and are not stored.
    """
    path = _path()
    if path is None or not os.path.lexists(path):
        return QSettings(ORGANIZATION, APPLICATION), []
    fault = _fault_of(path)
    if not fault:
        return QSettings(ORGANIZATION, APPLICATION), []

    renamed_path = _free_path_for(path)
    try:
        path.rename(renamed_path)
    except OSError as failed:
        message = f"{path.name}: {fault}; it cannot be renamed: {words_of(failed)}"
        return QSettings(os.devnull, QSettings.Format.IniFormat), [message]
    message = f"{path.name}: {fault}; it is {renamed_path.name} now"
    return QSettings(ORGANIZATION, APPLICATION), [message]


def _free_path_for(path: Path) -> Path:
    """Return the new path for a damaged file: the first of ``.damaged``, ``.damaged2`` ... free."""
    renamed_path = path.with_name(f"{path.name}.damaged")
    number = 1
    while os.path.lexists(renamed_path):
        number += 1
        renamed_path = path.with_name(f"{path.name}.damaged{number}")
    return renamed_path


def _path() -> Path | None:
    """Return the file of the settings; None where they are in no file that can be checked.

    On Windows they are in the registry, on macOS in a list of properties.
    """
    # QSettings reads the file of the names that it is made with: the path is worked out from the
    # file that another program would have, so that ours is not read before it is checked.
    probe = QSettings(ORGANIZATION, PROBE_APPLICATION)
    path_of_probe = Path(probe.fileName())  # on Windows a key of the registry
    if path_of_probe.suffix not in (".conf", ".ini"):
        return None
    return path_of_probe.with_name(f"{APPLICATION}{path_of_probe.suffix}")


def _fault_of(path: Path) -> str:
    """Return the reason why Qt must not read a file, "" if it can."""
    try:
        data = read_file(path, LARGEST)
    except ProblemError as failed:
        return failed.problems[0].message
    for marker in BINARY:
        if marker in data:
            return f"it has a value of the kind {marker.decode()}...)"
    return ""
