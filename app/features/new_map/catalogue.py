"""The catalogue of scripts as the New map dialog shows it, read on another thread.

An *entry* is a script that makes maps. The dialog's ``EntryList`` has a ``Catalogue``, which holds
the entries; the functions below it say in texts and items of lists what an entry is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidgetItem

from app.appearance.quotes import with_quotes
from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from app.settings import Settings
from app.widgets.layout.builders import plain_text
from randomizer.catalog import script_catalog
from randomizer.catalog.catalog_entry import PACKAGED, CatalogEntry
from randomizer.catalog.systems import systems
from randomizer.model.problems import Problem
from randomizer.model.system.system import System
from randomizer.scripts import script_folders
from randomizer.scripts.script_folders import choose_folders

ENTRIES_AT_ONCE = 10
"""So many entries are shown together while further ones are read.

With fewer the list would be made anew all the time, with more it would stay empty for long.
"""


EMPTY = "Empty map"
"""The name of the empty map in the list."""

ABOUT_EMPTY_MAP = "Nothing is on it: paint it by hand."
"""The description of the empty map."""


class CatalogueContent(NamedTuple):
    """The entries that were found in the folders of the user and of games."""

    entries: tuple[CatalogEntry, ...] = ()

    problems: tuple[Problem, ...] = ()
    """The problems of files that cannot be read."""

    missing_games: Mapping[str, str] = MappingProxyType({})
    """For each system, by its name, the sentence that its game was not found; "" if it was.

    Empty until all entries were read.
    """


class Catalogue(QObject):
    """The entries of each kind of maps: at once the packaged ones, others as they are read."""

    changed = Signal()
    """Further entries were read."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.content = CatalogueContent()
        """All that was read so far; packaged entries are not in it."""
        # What was read is out of date once other folders are looked into.
        self._background_content = BackgroundValue(script_folders.folders, _read, self)
        connect(self._background_content.computed, self.set_content)
        self._background_content.watch()

    @property
    def busy(self) -> bool:
        """True if further entries are being read."""
        return self._background_content.busy

    def read_again(self) -> None:
        """Read everything again, since the user has added or removed folders."""
        self._background_content.forget()
        self._background_content.renew()

    def entries_of(self, system: System) -> tuple[CatalogEntry, ...]:
        """Return the visible entries of a system, the packaged ones and a new script first."""
        found_entries = [entry for entry in self.content.entries if entry.system is system]
        entries = (
            *script_catalog.packaged_entries(system),
            *script_catalog.skeleton_entries(system),
            *found_entries,
        )
        return tuple(entry for entry in entries if not entry.hidden)

    def set_content(self, content: CatalogueContent) -> None:
        """Replace the content: a job has read more."""
        self.content = content
        self.changed.emit()


def _read(
    _folders: object, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[CatalogueContent]:
    """Yield all that was found so far, again after each few entries; runs on a job's thread.

    ``script_catalog`` looks into the folders that ``script_folders`` knows.
    """
    entries: list[CatalogEntry] = []
    problems: list[Problem] = []
    for found_entry in script_catalog.found_entries():
        if cancelled():
            return
        if isinstance(found_entry, Problem):
            problems.append(found_entry)
        else:
            entries.append(found_entry)
            if len(entries) % ENTRIES_AT_ONCE == 0:
                yield CatalogueContent(tuple(entries), tuple(problems))
    missing_games = {
        system.name: script_catalog.reason_without_scripts(system) for system in systems()
    }
    yield CatalogueContent(tuple(entries), tuple(problems), missing_games)


def entry_item(entry: CatalogEntry | None) -> QListWidgetItem:
    """Return the list item of an entry, which is its user data; None stands for the empty map."""
    if entry is None:
        item = QListWidgetItem(EMPTY)
        item.setToolTip(ABOUT_EMPTY_MAP)
    else:
        item = QListWidgetItem(entry.metadata.name)
        item.setToolTip(plain_text(entry.metadata.description))
        # A screen reader tells scripts of the same name apart by their origin.
        name = entry.metadata.name
        if entry.origin != PACKAGED:
            name = f"{name}, from {entry.origin}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, name)
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.metadata.description)
    item.setData(Qt.ItemDataRole.UserRole, entry)
    item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    return item


def describe_entry(entry: CatalogEntry) -> str:
    """Return the description, the keywords and the origin of an entry, as sentences."""
    sentences = [entry.metadata.description]
    if entry.metadata.keywords:
        sentences.append(f"Keywords: {', '.join(entry.metadata.keywords)}.")
    if entry.origin != PACKAGED:
        sentences.append(f"From {entry.origin}.")
    return " ".join(sentences)


def describe_problem(problem: Problem) -> str:
    """Return the text of a problem, with the name of its file and the line if they are known."""
    if problem.path is None:
        return with_quotes(problem.message)
    place = Path(problem.path).name
    if problem.line is not None:
        place = f"{place}, line {problem.line}"
    return f"{place}: {with_quotes(problem.message)}"


def use_folders(settings: Settings) -> None:
    """Let the catalogue look into the folders that the user added."""
    # Those of now: the list in the settings may be changed while a job reads them.
    folders = settings.script_folders
    choose_folders(lambda: folders)
