"""The catalogue of scripts as the New map dialog shows it, read on another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidgetItem

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from app.settings import Settings
from app.widgets.layout.builders import plain_text
from randomizer.catalog import script_catalog
from randomizer.catalog.catalog import systems
from randomizer.catalog.script_catalog import PACKAGED, CatalogEntry
from randomizer.model.problems import Problem
from randomizer.model.system.system import System
from randomizer.scripts import script_folders
from randomizer.scripts.script_folders import choose_folders

PART = 10
"""So many entries are shown together while further ones are read."""


class CatalogueContent(NamedTuple):
    """Scripts of the user and of games, what cannot be read, and by system why a game lacks."""

    entries: tuple[CatalogEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
    lacks: Mapping[str, str] = {}


class Catalogue(QObject):
    """The entries of each kind of maps. The packaged ones are there at once, the others come.

    ``changed()``: further entries were read.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.content = CatalogueContent()
        self._value = BackgroundValue(script_folders.folders, _read, self)
        connect(self._value.computed, self.show)
        self._value.watch(True)

    @property
    def busy(self) -> bool:
        """True if further entries are being read."""
        return self._value.busy

    def read_again(self) -> None:
        """Read everything again: the folders of the user are others."""
        self._value.forget()
        self._value.renew()

    def of(self, system: System) -> tuple[CatalogEntry, ...]:
        """Return the visible entries of a system, the packaged ones first."""
        entries_of_system = (entry for entry in self.content.entries if entry.system is system)
        entries = (*script_catalog.packaged_entries(system), *entries_of_system)
        return tuple(entry for entry in entries if not entry.hidden)

    def show(self, result: CatalogueContent) -> None:
        """Show this content from now on."""
        self.content = result
        self.changed.emit()


def _read(
    _folders: object, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[CatalogueContent]:
    """Yield what was found so far, again and again."""
    entries: list[CatalogEntry] = []
    problems: list[Problem] = []
    for found_entry in script_catalog.found_entries():
        if cancelled():
            return
        if isinstance(found_entry, Problem):
            problems.append(found_entry)
        else:
            entries.append(found_entry)
            if not len(entries) % PART:
                yield CatalogueContent(tuple(entries), tuple(problems))
    lacks = {system.name: script_catalog.lacks(system) for system in systems()}
    yield CatalogueContent(tuple(entries), tuple(problems), lacks)


EMPTY = "Empty map"

ABOUT_EMPTY_MAP = "Nothing is on it: paint it by hand."
"""What is said of the empty map."""


def entry_item(entry: CatalogEntry | None) -> QListWidgetItem:
    """Return the item of an entry, None: of the empty map. Its user data are the entry."""
    if entry is None:
        item = QListWidgetItem(EMPTY)
        item.setToolTip(ABOUT_EMPTY_MAP)
    else:
        item = QListWidgetItem(entry.metadata.name)
        item.setToolTip(plain_text(entry.metadata.description))
        if entry.origin == PACKAGED:
            text = ""
        else:
            text = f", from {entry.origin}"
        name = f"{entry.metadata.name}{text}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, name)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.metadata.description)
    item.setData(Qt.ItemDataRole.UserRole, entry)
    item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    return item


def describe_entry(entry: CatalogEntry) -> str:
    """Return what is said of an entry: description, keywords, origin."""
    words_of_entry = entry.metadata.keywords
    if words_of_entry:
        keywords = f" Keywords: {', '.join(words_of_entry)}."
    else:
        keywords = ""
    if entry.origin == PACKAGED:
        origin = ""
    else:
        origin = f" From {entry.origin}."
    return f"{entry.metadata.description}{keywords}{origin}"


def describe_problem(problem: Problem) -> str:
    """Return a problem with the name of its file and its line."""
    if problem.line is None:
        line = ""
    else:
        line = f", line {problem.line}"
    return f"{Path(problem.path or '').name}{line}: {problem.message}"


def use_folders(settings: Settings) -> None:
    """Let the catalogue look into the folders that the user added."""
    folders = settings.script_folders
    choose_folders(lambda: folders)
