"""The list of the New map dialog: the scripts of the catalogue for one kind of map, as pictures.

The dialog calls ``EntryList.show_kind``, and reads ``entry`` when the signal ``picked`` comes. An
*entry* is a script of the catalogue; the empty map, which needs none, is listed as None. Entries
are read, and their pictures drawn, one after the other while the list is shown already.

The list is filled anew for another kind of map (``show_kind``), when further entries were read
(``_on_catalogue_changed``), and when the user searches (``_list_again``). The entry that a person
has picked is remembered by its key, and chosen again whenever it is listed.
"""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from app.features.new_map.catalogue import Catalogue, describe_problem, entry_item
from app.features.new_map.grid_picture import grid_picture
from app.features.new_map.listed_entries import (
    NO_ENTRY,
    EntryKey,
    Search,
    key_of,
    matching_entries,
    row_to_choose,
)
from app.features.new_map.script_folders import FoldersButton
from app.features.new_map.thumbnails import EntryThumbnails
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import Severity
from randomizer.model.system.system import System

THUMBNAIL = QSize(104, 78)
"""The size of the picture of a script, in logical pixels."""

GAP_PX = 22
"""The least gap between the pictures of two scripts, in logical pixels."""

LINES_OF_NAME = 2
"""The name of a script below its picture has room for so many lines."""

MARGIN_OF_NAME_PX = 10
"""The margin around the name, in logical pixels."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""

MARGIN_OF_LIST_PX = 24
"""The list has at least the height of one picture with its name, and this, in logical pixels."""


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
        self._remembered_key = NO_ENTRY
        """The entry that was picked for this map, or else for the last one of its kind."""
        self._entries: tuple[CatalogEntry, ...] = ()
        """The entries of the kind when it was shown last: more may have been read."""
        self._has_form = True
        """True if the dialog shows the form of a new map below the list."""
        self._blank = QPixmap(THUMBNAIL)
        """The picture of an entry that has none yet."""
        self._blank.fill(Qt.GlobalColor.transparent)
        self._empty_map_picture = self._blank
        """The picture of the empty map (``draw_empty_map``)."""
        self.catalogue = Catalogue(self)
        self.thumbnails = EntryThumbnails(THUMBNAIL, renderer, thumbnail_folder, self)
        self._make_widgets(settings)
        self._lay_out()
        self._connect()

    def _make_widgets(self, settings: Settings) -> None:
        """Make the line that narrows the entries down, the list, and the messages around it."""
        self.search = described(QLineEdit(), "Search for a script", "Words of its name or text")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.keywords = described(
            pass_wheel_on(QComboBox()), "Keyword", "Only scripts with this keyword"
        )
        self.add_button = FoldersButton(settings)
        self.missing_game_banner = Banner(
            "Find the game...", "Choose the folder in which the game is installed"
        )
        """Shows if the game of a kind was not found."""
        self.scripts = self._make_list()
        self.problem_status = DialogStatus("Files that cannot be read")
        self.problem_status.hide()

    def _lay_out(self) -> None:
        """Put the widgets below each other; the list gets no more height than its rows need."""
        filters = lay_out(QHBoxLayout(), (self.search, 1), self.keywords, self.add_button)
        column = lay_out(
            QVBoxLayout(self),
            filters,
            self.missing_game_banner,
            (self.scripts, 1),
            self.problem_status,
        )
        column.setContentsMargins(0, 0, 0, 0)
        # The list is no higher than its rows, and the form below has what is left.
        for widget in (self.missing_game_banner, self.problem_status):
            policy = widget.sizePolicy()
            policy.setVerticalPolicy(QSizePolicy.Policy.Maximum)
            widget.setSizePolicy(policy)
        column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)

    def _connect(self) -> None:
        """Follow the search, the choice, the catalogue and the pictures."""
        connect(self.search.textChanged, self._list_again)
        connect(self.keywords.currentIndexChanged, self._list_again)
        connect(self.scripts.currentItemChanged, lambda _new, _old: self._on_picked())
        connect(self.scripts.itemDoubleClicked, lambda _item: self.activated.emit())
        connect(self.add_button.folders_changed, self.catalogue.read_again)
        connect(self.missing_game_banner.accepted, self.add_button.begin_to_ask)
        connect(self.catalogue.changed, self._on_catalogue_changed)
        connect(self.thumbnails.drawn, self._show_thumbnail)

    def _make_list(self) -> QListWidget:
        """Return the empty list, which shows its items as pictures with names below them."""
        scripts = described(QListWidget(), "Scripts")
        scripts.setViewMode(QListView.ViewMode.IconMode)
        scripts.setResizeMode(QListView.ResizeMode.Adjust)
        scripts.setMovement(QListView.Movement.Static)
        scripts.setIconSize(THUMBNAIL)
        scripts.setItemDelegate(PictureItems(scripts))
        name_height = LINES_OF_NAME * self.fontMetrics().height()
        scripts.setGridSize(THUMBNAIL + QSize(GAP_PX, name_height + MARGIN_OF_NAME_PX))
        scripts.setWordWrap(True)
        scripts.setMinimumHeight(THUMBNAIL.height() + name_height + MARGIN_OF_LIST_PX)
        # While the banner with its wrapped text is visible, Qt would take the height that the list
        # asks for as its least height, and the form below would move.
        scripts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        EmptyState(scripts, "No script has these words and this keyword.")
        return scripts

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures to another width."""
        super().resizeEvent(event)
        self._fit_grid_and_height()

    def show_above_form(self, *, has_form: bool) -> None:
        """Make the list no higher than its rows if a form is below it, else fill the height."""
        if has_form != self._has_form:
            self._has_form = has_form
            self._fit_grid_and_height()

    def _fit_grid_and_height(self) -> None:
        """Spread the pictures over the width, and make the list no higher than they need."""
        scroll_bar_width = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        frame = 2 * self.scripts.frameWidth()
        width = self.width() - scroll_bar_width - frame
        columns = max(1, width // (THUMBNAIL.width() + GAP_PX))
        grid_size = QSize(width // columns, self.scripts.gridSize().height())
        if grid_size != self.scripts.gridSize():
            self.scripts.setGridSize(grid_size)
            for row in range(self.scripts.count()):
                self.scripts.item(row).setSizeHint(grid_size)
        # All entries of the kind count, not those that are listed: the form below would move at
        # each letter of a search.
        # And the empty map is listed beside them.
        row_count = math.ceil((len(self._entries) + 1) / columns)
        height = row_count * grid_size.height() + frame
        if not self._has_form:
            height = QWIDGETSIZE_MAX
        self.scripts.setMaximumHeight(max(height, self.scripts.minimumHeight()))

    # --- the choice -------------------------------------------------------------------------

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry; None for the empty map, and if nothing is chosen."""
        if self.scripts.currentRow() < 0:
            return None
        entry: CatalogEntry | None = self.scripts.currentItem().data(Qt.ItemDataRole.UserRole)
        return entry

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
        self._remembered_key = self._current_key
        self.picked.emit()

    # --- the entries of a kind --------------------------------------------------------------

    def show_kind(self, system: System) -> None:
        """Show the entries of a kind of map, and choose that of its last map, or else the first.

        ``picked`` is emitted in any case.
        """
        self._system = system
        self._remembered_key = self._settings.new_map_choices(system.name).script
        self._show_catalogue(system)
        self._fill_list(system, scroll_position=0)
        if self._remembered_key == NO_ENTRY:
            self._remembered_key = self._current_key
        self.picked.emit()

    def _show_catalogue(self, system: System) -> None:
        """Show what the catalogue has for a kind, except for the list: keywords, messages."""
        entries = self.catalogue.entries_of(system)
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
        self.missing_game_banner.say(self._text_of_missing_game(system))
        self.thumbnails.show(entries)
        self._entries = entries
        self._fit_grid_and_height()

    def _text_of_missing_game(self, system: System) -> str:
        """Return the sentence that the game of a kind was not found; "" if it was."""
        return self.catalogue.content.missing_games.get(system.name, "")

    def _on_catalogue_changed(self) -> None:
        """Show what was read, if it concerns the kind that is shown."""
        system = self._system
        if system is None:
            return
        self._show_problems()
        keys = [entry.key for entry in self.catalogue.entries_of(system)]
        has_other_entries = keys != [entry.key for entry in self._entries]
        has_other_banner = (
            self._text_of_missing_game(system) != self.missing_game_banner.label.text()
        )
        if has_other_entries or has_other_banner:
            self._show_catalogue(system)
            self._list_again()

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

    def _current_search(self) -> Search:
        """Return what the user searches for now."""
        keyword = ""
        if self.keywords.currentIndex() > 0:  # 0 stands for all keywords
            keyword = self.keywords.currentText()
        return Search(self.search.text().strip(), keyword)

    def _list_again(self) -> None:
        """List the entries that fit now, at the same scroll position, and choose one of them.

        ``picked`` is emitted if another one is chosen then, or none.
        """
        if self._system is None:
            return
        previous_key = self._current_key
        scroll_position = self.scripts.verticalScrollBar().value()
        self._fill_list(self._system, scroll_position=scroll_position)
        if self.is_empty or self._current_key != previous_key:
            self.picked.emit()

    def _fill_list(self, system: System, *, scroll_position: int) -> None:
        """List the entries that fit, and choose one of them, without a signal."""
        search = self._current_search()
        entries = matching_entries(
            self.catalogue.entries_of(system), search, begins_rolled=system.begins_rolled
        )
        with QSignalBlocker(self.scripts):
            self.scripts.clear()
            for entry in entries:
                item = entry_item(entry)
                item.setSizeHint(self.scripts.gridSize())
                self.scripts.addItem(item)
            self.scripts.setCurrentRow(row_to_choose(entries, self._remembered_key, search.text))
            self.scripts.verticalScrollBar().setValue(scroll_position)
        self.show_thumbnails()

    # --- pictures ---------------------------------------------------------------------------

    def draw_empty_map(self, grid: Grid, ground: str) -> None:
        """Draw the picture of the empty map, its cells in the colour ``ground``."""
        ratio = self.devicePixelRatioF()
        self._empty_map_picture = grid_picture(grid, ground, THUMBNAIL, self.palette(), ratio)

    def show_thumbnails(self) -> None:
        """Show the pictures that there are by now; the others come one by one."""
        for row in range(self.scripts.count()):
            self._show_picture(self.scripts.item(row))

    def _show_thumbnail(self, key: object) -> None:
        """Show the picture of the entry with a key, which has just been drawn."""
        for row in range(self.scripts.count()):
            item = self.scripts.item(row)
            entry = item.data(Qt.ItemDataRole.UserRole)
            if entry is not None and entry.key == key:
                self._show_picture(item)

    def _show_picture(self, item: QListWidgetItem) -> None:
        """Show the picture of an item's entry or of the empty map; nothing while there is none."""
        entry = item.data(Qt.ItemDataRole.UserRole)
        if entry is None:
            picture: QPixmap | None = self._empty_map_picture
        else:
            picture = self.thumbnails.of(entry)
        item.setIcon(QIcon(picture or self._blank))

    def scroll_to_choice(self) -> None:
        """Bring the chosen entry into view."""
        item = self.scripts.currentItem()
        if item is not None:
            self.scripts.scrollToItem(item)
