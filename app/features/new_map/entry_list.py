"""What can be chosen for a new map: the scripts of the catalogue, or an empty map."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.features.new_map.catalogue import Catalogue, describe_problem, entry_item
from app.features.new_map.grid_picture import grid_picture
from app.features.new_map.script_folders import FoldersButton
from app.features.new_map.thumbnails import EntryThumbnails
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.catalog.script_catalog import CatalogEntry
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Severity, format_problem
from randomizer.model.system.system import System

THUMBNAIL = QSize(104, 78)
"""The picture of a script, in logical pixels."""

GAP = 22
"""Between the pictures of two scripts, in logical pixels."""


class EntryList(QWidget):
    """The scripts of one kind of maps as pictures, with what narrows them down and adds to them.

    ``picked()``: another entry, or none, is chosen. ``activated()``: an entry was double-clicked.
    """

    picked = Signal()
    activated = Signal()

    def __init__(self, settings: Settings, renderer: Renderer, stored: Path | None) -> None:
        """Thumbnails look as those of ``renderer``; they are stored in a folder, None: nowhere."""
        super().__init__()
        self._settings = settings
        self._system: System | None = None
        self._listed_system: System | None = None
        """The kind of maps whose entries are listed."""
        self._picked_key: tuple[str, ...] | None = ()
        """The entry that was picked, now or for the last map; None: the empty map, (): no entry."""
        self._entry_count = 0
        self._blank = QPixmap(THUMBNAIL)
        self._blank.fill(Qt.GlobalColor.transparent)
        self._empty_map_picture = self._blank
        self.search = described(QLineEdit(), "Search for a script", "Words of its name or text")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.keywords = described(
            pass_wheel_on(QComboBox()), "Keyword", "Only scripts with this keyword"
        )
        self.add_button = FoldersButton(settings)
        self.card = Banner("Find the game...", "Choose the folder in which the game is installed")
        self.scripts = self._make_list()
        self.faults = DialogStatus("Files that cannot be read")
        self.faults.hide()
        filters = lay_out(QHBoxLayout(), (self.search, 1), self.keywords, self.add_button)
        column = lay_out(QVBoxLayout(self), filters, self.card, (self.scripts, 1), self.faults)
        column.setContentsMargins(0, 0, 0, 0)
        self.catalogue = Catalogue(self)
        self.thumbnails = EntryThumbnails(THUMBNAIL, renderer, stored, self)
        connect(self.search.textChanged, self._list_entries)
        connect(self.keywords.currentIndexChanged, self._list_entries)
        connect(self.scripts.currentItemChanged, lambda _new, _old: self._on_picked())
        connect(self.scripts.itemDoubleClicked, lambda _item: self.activated.emit())
        connect(self.add_button.folders_changed, self.catalogue.read_again)
        connect(self.card.accepted, self.add_button.begin_to_ask)
        connect(self.catalogue.changed, self._on_catalogue_changed)
        connect(self.thumbnails.drawn, self._show_thumbnail)

    def _make_list(self) -> QListWidget:
        scripts = described(QListWidget(), "Scripts")
        scripts.setViewMode(QListView.ViewMode.IconMode)
        scripts.setResizeMode(QListView.ResizeMode.Adjust)
        scripts.setMovement(QListView.Movement.Static)
        scripts.setIconSize(THUMBNAIL)
        scripts.setItemDelegate(PictureItems(scripts))
        two_lines = 2 * self.fontMetrics().height()
        scripts.setGridSize(THUMBNAIL + QSize(GAP, two_lines + 10))
        scripts.setWordWrap(True)
        scripts.setMinimumHeight(THUMBNAIL.height() + two_lines + 24)
        # Else Qt takes the height that a list would like for the least height of all, where a
        # banner that wraps stands above it: the form below would move.
        scripts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        EmptyState(scripts, "No script has these words and this keyword.")
        return scripts

    # --- the choice -------------------------------------------------------------------------

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry, None for an empty map."""
        item = self.scripts.currentItem()
        entry = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        return entry if isinstance(entry, CatalogEntry) else None

    @property
    def is_empty(self) -> bool:
        """True if nothing can be chosen: no entry has what was searched for."""
        return not self.scripts.count()

    def choose(self, name: str) -> None:
        """Choose the entry of this name. Raises IndexError if there is none."""
        self.scripts.setCurrentItem(self.scripts.findItems(name, Qt.MatchFlag.MatchExactly)[0])

    def _on_picked(self) -> None:
        self._picked_key = _key(self.entry)
        self.picked.emit()

    def forget_choice(self) -> None:
        """Search for nothing; the first entry is chosen when the kind is shown again."""
        self._listed_system = None
        self.search.clear()

    # --- the entries of a kind --------------------------------------------------------------

    def show_kind(self, system: System) -> None:
        """Show the entries of this kind, and what can narrow them down."""
        self._system = system
        entries = self.catalogue.of(system)
        keywords: set[str] = set()
        for entry in entries:
            keywords.update(entry.metadata.keywords)
        with QSignalBlocker(self.keywords):
            chosen_keyword = self.keywords.currentText()
            self.keywords.clear()
            self.keywords.addItems(["All keywords", *sorted(keywords)])
            self.keywords.setCurrentText(chosen_keyword)
        for widget in (self.search, self.keywords, self.add_button):
            widget.setVisible(bool(entries))
        self.card.say(self._why_incomplete())
        self._list_entries()
        self.thumbnails.show(entries)
        self._entry_count = len(entries)

    def _why_incomplete(self) -> str:
        """Return what the catalogue says of a game that is not found; "" where nothing lacks."""
        assert self._system is not None, "a kind is shown before the catalogue says anything"
        return self.catalogue.content.lacks.get(self._system.name, "")

    def _on_catalogue_changed(self) -> None:
        """Show further entries of the kind that is shown."""
        if self._system is None:
            return
        self._show_faults()
        entry_count = len(self.catalogue.of(self._system))
        if entry_count != self._entry_count or self._why_incomplete() != self.card.label.text():
            self.show_kind(self._system)

    def _show_faults(self) -> None:
        """Say which files cannot be read; the tool tip names them all."""
        problems = self.catalogue.content.problems
        text = ""
        if problems:
            text = describe_problem(problems[0])
        if len(problems) > 1:
            text = f"{text} And {counted(len(problems) - 1, 'more problem')}."
        self.faults.say(text, Severity.WARNING)
        self.faults.setToolTip(
            plain_text("\n".join(format_problem(problem) for problem in problems))
        )
        self.faults.setVisible(bool(text))

    def _matching_entries(self, system: System) -> list[CatalogEntry | None]:
        """Return the entries that fit the search, those whose name does first; None: empty map."""
        search_text = self.search.text()
        if self.keywords.currentIndex() > 0:
            keyword = self.keywords.currentText()
        else:
            keyword = ""
        matches: list[CatalogEntry | None] = []
        further_matches: list[CatalogEntry | None] = []
        for entry in self.catalogue.of(system):
            if not entry.matches(search_text):
                continue
            if keyword and keyword not in entry.metadata.keywords:
                continue
            if entry.is_called(search_text):
                matches.append(entry)
            else:
                further_matches.append(entry)
        entries = matches + further_matches
        if not keyword and not search_text.strip():
            entries.insert(len(entries) if system.begins_rolled else 0, None)
        return entries

    def _row_to_choose(self, entries: list[CatalogEntry | None]) -> int:
        """Return the row of the entry that a person picked, else the first one.

        It is the first one, too, where only names of others fit the search.
        """
        search_text = self.search.text()
        keys = [_key(entry) for entry in entries]
        if self._picked_key in keys:
            row = keys.index(self._picked_key)
        else:
            row = 0
        is_called = [entry is None or entry.is_called(search_text) for entry in entries]
        if search_text and any(is_called) and not is_called[row]:
            return 0
        return row

    def _list_entries(self) -> None:
        """List the entries that fit."""
        system = self._system
        if system is None:
            return
        is_another_kind = system is not self._listed_system
        previous_entry = self.entry
        entries = self._matching_entries(system)
        if is_another_kind:
            self._picked_key = self._settings.new_map_choices(system.name).script
        with QSignalBlocker(self.scripts):
            if is_another_kind:
                top = 0
            else:
                top = self.scripts.verticalScrollBar().value()
            self.scripts.clear()
            for listed in entries:
                item = entry_item(listed)
                item.setSizeHint(self.scripts.gridSize())
                self.scripts.addItem(item)
            self.scripts.setCurrentRow(self._row_to_choose(entries))
            self.scripts.verticalScrollBar().setValue(top)
        self._listed_system = system
        self.show_thumbnails()
        entry = self.entry
        if is_another_kind and self._picked_key == ():
            self._picked_key = _key(entry)
        if is_another_kind or not entries or _key(entry) != _key(previous_entry):
            self.picked.emit()

    # --- pictures ---------------------------------------------------------------------------

    def draw_empty_map(self, grid: Grid, ground: str) -> None:
        """Draw the picture of the empty map, its cells in the colour ``ground``."""
        ratio = self.devicePixelRatioF()
        self._empty_map_picture = grid_picture(grid, ground, THUMBNAIL, self.palette(), ratio)

    def show_thumbnails(self) -> None:
        """Show the pictures that there are by now."""
        for row in range(self.scripts.count()):
            item = self.scripts.item(row)
            entry = item.data(Qt.ItemDataRole.UserRole)
            picture = self._empty_map_picture if entry is None else self.thumbnails.of(entry)
            item.setIcon(QIcon(picture or self._blank))

    def _show_thumbnail(self, key: object) -> None:
        """Show the picture of one entry."""
        for row in range(self.scripts.count()):
            item = self.scripts.item(row)
            entry = item.data(Qt.ItemDataRole.UserRole)
            if entry is not None and entry.key == key:
                item.setIcon(QIcon(self.thumbnails.of(entry) or self._blank))

    def scroll_to_choice(self) -> None:
        """Bring the chosen entry into view."""
        item = self.scripts.currentItem()
        if item is not None:
            self.scripts.scrollToItem(item)


def _key(entry: CatalogEntry | None) -> tuple[str, ...] | None:
    return None if entry is None else entry.key
