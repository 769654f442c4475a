"""The list of the New map dialog: the scripts of the catalogue for one kind of map, as pictures.

The dialog calls ``EntryList.show_kind``, and reads ``entry`` when the signal ``picked`` comes. An
*entry* is a script of the catalogue; the empty map, which needs none, is listed as None. Entries
are read, and their pictures drawn, one after the other while the list is shown already.

    EntryFilter    words, keyword, folders        entry_filter.py
    EntryGrid      the pictures                   entry_grid.py

The list is filled anew for another kind of map, when further entries were read, and when the user
searches: all of that ends in ``_refresh``. The entry that a person has picked is remembered by its
key, and chosen again whenever it is listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QVBoxLayout, QWidget

from app.features.new_map.catalogue import Catalogue, describe_problem
from app.features.new_map.entry_filter import EntryFilter
from app.features.new_map.entry_grid import THUMBNAIL, EntryGrid
from app.features.new_map.grid_picture import grid_picture
from app.features.new_map.listed_entries import (
    NO_ENTRY,
    EntryKey,
    key_of,
    matching_entries,
    row_to_choose,
)
from app.features.new_map.thumbnails import EntryThumbnails
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import lay_out, plain_text
from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import Severity
from randomizer.model.system.system import System


class EntryList(QWidget):
    """The scripts of one kind of map, with a search, keywords and a button to add folders."""

    picked = Signal()
    """Another entry, or none, is chosen."""

    activated = Signal()
    """An entry was double-clicked."""

    def __init__(
        self, settings: Settings, renderer: Renderer, thumbnail_folder: Path | None
    ) -> None:
        """Make an empty list.

        Thumbnails are drawn like the maps of ``renderer``. They are stored in ``thumbnail_folder``;
        with None they are not stored.
        """
        super().__init__()
        self._settings = settings
        self._system: System | None = None
        """The kind of map that is shown; None before ``show_kind``."""
        self._preferred_key = NO_ENTRY
        """The entry that is chosen if it is listed: at first that of the last map of the kind, from
        the first click on the one that the user has picked."""
        self._entries: tuple[CatalogEntry, ...] = ()
        """The entries of the kind when it was shown last: more may have been read."""
        self._missing_game = ""
        """The sentence that the game of the kind was not found, as it is shown; "" if it was."""
        self._has_form = True
        """True if the dialog shows the form of a new map below the list."""
        self._blank = QPixmap(THUMBNAIL)
        """The picture of an entry that has none yet."""
        self._blank.fill(Qt.GlobalColor.transparent)
        self._empty_map_picture = self._blank
        """The picture of the empty map (``draw_empty_map``)."""
        self.catalogue = Catalogue(self)
        self.thumbnails = EntryThumbnails(THUMBNAIL, renderer, thumbnail_folder, self)
        self.filter = EntryFilter(settings)
        self.missing_game_banner = Banner(
            "Find the game...", "Choose the folder in which the game is installed"
        )
        """Shows if the game of a kind was not found."""
        self.scripts = EntryGrid()
        self.problem_status = DialogStatus("Files that cannot be read")
        self.problem_status.hide()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        """Put the widgets below each other; the list gets no more height than its rows need."""
        column = lay_out(
            QVBoxLayout(self),
            self.filter,
            self.missing_game_banner,
            (self.scripts, 1),
            self.problem_status,
            margins=0,
        )
        # The list is no higher than its rows (``EntryGrid.fit_to_width``): the layout passes that
        # limit on to this widget, and the form below has what is left.
        for widget in (self.filter, self.missing_game_banner, self.problem_status):
            policy = widget.sizePolicy()
            policy.setVerticalPolicy(QSizePolicy.Policy.Maximum)
            widget.setSizePolicy(policy)
        column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)

    def _connect(self) -> None:
        """Follow the search, the choice, the catalogue and the pictures."""
        connect(self.filter.search_changed, self._refresh)
        connect(self.scripts.currentItemChanged, lambda _new, _old: self._on_picked())
        connect(self.scripts.itemDoubleClicked, lambda _item: self.activated.emit())
        connect(self.filter.folders_button.folders_changed, self.catalogue.read_again)
        connect(self.missing_game_banner.accepted, self.filter.folders_button.begin_to_ask)
        connect(self.catalogue.changed, self._on_catalogue_changed)
        connect(self.thumbnails.drawn, self._on_thumbnail_drawn)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures to another width."""
        super().resizeEvent(event)
        self._fit_grid()

    def show_above_form(self, *, has_form: bool) -> None:
        """Make the list no higher than its rows if a form is below it, else fill the height."""
        if has_form != self._has_form:
            self._has_form = has_form
            self._fit_grid()

    def _fit_grid(self) -> None:
        """Spread the pictures over the width, and make the list no higher than they need."""
        entry_count: int | None = None
        if self._has_form:
            # All entries of the kind count, not those that are listed: the form below would move
            # at each letter of a search. The empty map is one more.
            entry_count = len(self._entries) + 1
        self.scripts.fit_to_width(self.width(), entry_count)

    # --- the choice -------------------------------------------------------------------------

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry; None for the empty map, and if nothing is chosen."""
        if self.scripts.currentRow() < 0:
            return None
        return self.scripts.entry_of(self.scripts.currentRow())

    @property
    def is_empty(self) -> bool:
        """True if nothing can be chosen: no entry has what was searched for."""
        return not self.scripts.count()

    @property
    def _current_key(self) -> EntryKey:
        """The key of the chosen entry, or of the empty map; ``NO_ENTRY`` if nothing is chosen."""
        if self.scripts.currentRow() < 0:
            return NO_ENTRY
        return key_of(self.entry)

    def choose(self, name: str) -> None:
        """Choose the entry of this name. Raises IndexError if there is none."""
        self.scripts.setCurrentItem(self.scripts.findItems(name, Qt.MatchFlag.MatchExactly)[0])

    def _on_picked(self) -> None:
        """Remember the entry that the user has chosen, and tell of it."""
        self._preferred_key = self._current_key
        self.picked.emit()

    # --- the entries of a kind --------------------------------------------------------------

    def show_kind(self, system: System) -> None:
        """Show the entries of a kind of map, and choose that of its last map, or else the first.

        ``picked`` is emitted in any case.
        """
        self._system = system
        self._preferred_key = self._settings.new_map_choices(system.name).script
        self._update_from_catalogue(system)
        self._refresh(is_other_kind=True)
        if self._preferred_key == NO_ENTRY:  # no map of this kind was made before
            self._preferred_key = self._current_key

    def _update_from_catalogue(self, system: System) -> None:
        """Use the entries of a kind for keywords, banner and pictures; the list comes later."""
        entries = self.catalogue.entries_of(system)
        self.filter.offer_keywords_of(entries)
        self.filter.setVisible(bool(entries))
        self._missing_game = self._text_of_missing_game(system)
        self.missing_game_banner.say(self._missing_game)
        self.thumbnails.show(entries)
        self._entries = entries
        self._fit_grid()

    def _text_of_missing_game(self, system: System) -> str:
        """Return the sentence that the game of a kind was not found; "" if it was."""
        return self.catalogue.content.missing_games.get(system.name, "")

    def _on_catalogue_changed(self) -> None:
        """Show what was read, if it concerns the kind that is shown."""
        system = self._system
        if system is None:
            return
        self._show_problems()
        entries = self.catalogue.entries_of(system)
        has_other_entries = not _are_listed_alike(entries, self._entries)
        has_other_banner = self._text_of_missing_game(system) != self._missing_game
        if has_other_entries or has_other_banner:
            self._update_from_catalogue(system)
            self._refresh()

    def _show_problems(self) -> None:
        """Tell the first file that cannot be read, and how many there are; a tool tip tells all."""
        problems = self.catalogue.content.problems
        text = ""
        if problems:
            text = describe_problem(problems[0])
        if len(problems) > 1:
            text = f"{text} And {counted(len(problems) - 1, 'more problem')}."
        self.problem_status.say(text, Severity.WARNING)
        lines = [format_problem(problem) for problem in problems]
        self.problem_status.setToolTip(plain_text("\n".join(lines)))
        self.problem_status.setVisible(bool(text))

    def _refresh(self, *, is_other_kind: bool = False) -> None:
        """List the entries that fit now, and choose one of them.

        ``picked`` is emitted if another one is chosen than before, or none, if the file of the
        chosen one tells something else now, and in any case for another kind of map. The list is
        scrolled to its start for another kind, else it stays.
        """
        system = self._system
        if system is None:
            return
        previous_key = self._current_key
        previous_entry = self.entry
        scroll_position = self.scripts.verticalScrollBar().value()
        if is_other_kind:
            scroll_position = 0

        search = self.filter.search
        entries = matching_entries(
            self.catalogue.entries_of(system), search, begins_rolled=system.begins_rolled
        )
        row = row_to_choose(entries, self._preferred_key, search.text)
        # This does not count as picked by the user: the list blocks its signals meanwhile.
        self.scripts.show_entries(entries, row, scroll_position)
        self.scripts.update_icons(self._icon_of)

        has_other_key = self._current_key != previous_key
        has_other_text = not _are_listed_alike((self.entry,), (previous_entry,))
        if is_other_kind or self.is_empty or has_other_key or has_other_text:
            self.picked.emit()

    # --- pictures ---------------------------------------------------------------------------

    def draw_empty_map(self, grid: Grid, ground: str) -> None:
        """Draw the picture of the empty map, its cells in the colour ``ground``."""
        ratio = self.devicePixelRatioF()
        self._empty_map_picture = grid_picture(grid, ground, THUMBNAIL, self.palette(), ratio)
        self.scripts.update_icons(self._icon_of)

    def _on_thumbnail_drawn(self, key: object) -> None:
        """Show the picture of the entry with a key, which has just been drawn."""
        for entry in self._entries:
            if entry.key == key:
                self.scripts.set_icon(key, self._icon_of(entry))

    def _icon_of(self, entry: CatalogEntry | None) -> QIcon:
        """Return the picture of an entry or of the empty map; a blank one while there is none."""
        if entry is None:
            return QIcon(self._empty_map_picture)
        return QIcon(self.thumbnails.of(entry) or self._blank)

    def scroll_to_choice(self) -> None:
        """Bring the chosen entry into view."""
        item = self.scripts.currentItem()
        if item is not None:
            self.scripts.scrollToItem(item)


def _are_listed_alike(
    entries: Sequence[CatalogEntry | None], previous_entries: Sequence[CatalogEntry | None]
) -> bool:
    """Return whether entries are those before, and their metadata tell the same of them.

    Each reading of a folder makes new objects; in between a person can have edited the files.
    """
    if len(entries) != len(previous_entries):
        return False
    for entry, previous_entry in zip(entries, previous_entries, strict=True):
        if key_of(entry) != key_of(previous_entry):
            return False
        if entry is None or previous_entry is None:
            continue  # both are the empty map
        if entry.metadata != previous_entry.metadata:
            return False
    return True
