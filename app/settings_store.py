"""The file in which Qt keeps the settings, looked at before Qt reads it.

Qt reads it whole, waits for a pipe, and makes what a stored binary value says it is, whatever its
size. This program stores texts, lists of texts and arrays of bytes only. A file with anything else
is set aside under its own name with ``.damaged``; nothing is deleted.
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
"""In bytes: pins of the gallery have whole scripts."""

BINARY = (b"@Variant(", b"@DateTime(")
"""How values that Qt made of bytes begin; its own words for texts, lists and arrays are others."""


def open_store() -> tuple[QSettings, list[str]]:
    """Return the settings of the desk, and what was set aside, in words."""
    messages: list[str] = []
    path = _path()
    if path is not None and os.path.lexists(path):
        fault = _fault(path)
        if fault:
            aside = path.with_name(f"{path.name}.damaged")
            try:
                path.replace(aside)
            except OSError as failed:
                reason = words_of(failed)
                messages.append(f"{path.name}: {fault}; it cannot be set aside: {reason}")
                return QSettings(os.devnull, QSettings.Format.IniFormat), messages
            messages.append(f"{path.name}: {fault}; it is {aside.name} now")
    return QSettings(ORGANIZATION, APPLICATION), messages


def _path() -> Path | None:
    """Return the file of the settings; None where they are in no file (Windows, macOS).

    A name of its own is asked for: Qt opens the file of the name that it is given.
    """
    like = QSettings(ORGANIZATION, f"{APPLICATION} of no name")
    if like.format() != QSettings.Format.IniFormat and os.name == "nt":
        return None
    result = Path(like.fileName())
    if result.suffix not in (".conf", ".ini"):
        return None
    return result.with_name(f"{APPLICATION}{result.suffix}")


def _fault(path: Path) -> str:
    """Return why Qt cannot be given a file, "" if it can."""
    try:
        data = read_file(path, LARGEST)
    except ProblemError as failed:
        return failed.problems[0].message
    marker = next((word for word in BINARY if word in data), None)
    if marker is None:
        return ""
    return f"it has a value of the kind {marker.decode()}...)"
