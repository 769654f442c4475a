"""How an entry of the catalogue is shown in a list, and what is said of it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidgetItem

from randomizer.model.problems import Problem
from randomizer.script_catalog import PACKAGED, CatalogEntry

EMPTY = "Empty map"


def entry_item(entry: CatalogEntry | None) -> QListWidgetItem:
    """The item of an entry, None: of the empty map. Its user data are the entry."""
    if entry is None:
        item = QListWidgetItem(EMPTY)
        item.setToolTip("Nothing is on it: paint it by hand")
    else:
        item = QListWidgetItem(entry.metadata.name)
        item.setToolTip(entry.metadata.description)
        text = "" if entry.origin == PACKAGED else f", from {entry.origin}"
        name = f"{entry.metadata.name}{text}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, name)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.metadata.description)
    item.setData(Qt.ItemDataRole.UserRole, entry)
    item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    return item


def describe_entry(entry: CatalogEntry) -> str:
    """What is said of an entry: description, keywords, origin."""
    said = entry.metadata.keywords
    keywords = f" Keywords: {', '.join(said)}." if said else ""
    origin = "" if entry.origin == PACKAGED else f" From {entry.origin}."
    return f"{entry.metadata.description}{keywords}{origin}"


def describe_problem(problem: Problem) -> str:
    """A problem with the name of its file and its line."""
    line = "" if problem.line is None else f", line {problem.line}"
    return f"{Path(problem.path or '').name}{line}: {problem.message}"
