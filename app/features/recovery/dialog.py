"""The dialog about the work that a crashed session has left: maps and edits of scripts.

The user restores or deletes it, or leaves it for later. A map is left as a *journal*, an edited
script as a *draft*. The life of the row of a map::

    _add_map               its journal waits to be read (``JournalReader``)
    _on_journal_read       its map can be restored now, and has a picture
    _on_journal_damaged    or it is set aside, and the row is disabled
    restore, delete        it goes
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.features.recovery.journal_reader import JournalReader, ReadMaps
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.choice import ask
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, plain_label, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.journal.quarantine import quarantine

if TYPE_CHECKING:
    from app.document.autosave import Autosave
    from randomizer.storage.journal.drafts import Draft, DraftFile, LeftoverDraft
    from randomizer.storage.journal.journal import Journal

THUMBNAIL = QSize(96, 72)
"""The size of the picture of a map, in logical pixels."""

NAME, LAST_CHANGE, UNDO_STEPS, FILE = range(4)
"""The columns of the list."""

TITLES = ("Map", "Last change", "Undo steps", "File")
"""The titles of the columns."""

_LATEST_TIME = 2**36
"""The latest time of a change, in seconds: a later one is damaged, which no calendar can show."""

WORDS = (
    "The last session ended unexpectedly while this was open. Nothing is lost: every finished "
    "stroke was kept, a restored map has all its undo steps, a script its unsaved edits."
)

DAMAGED_WORDS = (
    "The last session ended unexpectedly while this was open. What was kept of some maps is "
    "damaged: they are shown as far as they are whole."
)


@dataclass(eq=False)
class _MapRow:
    """A map that can be restored or deleted."""

    journal: Journal

    item: QTreeWidgetItem
    """Its row in the list."""

    battlemap: BattleMap | None = None
    """The map with all steps done; None until the journal is read."""


@dataclass(eq=False)
class _DraftRow:
    """An edited script that can be restored or deleted."""

    file: DraftFile

    draft: Draft
    """The content of the file."""

    item: QTreeWidgetItem
    """Its row in the list."""


class _Note(NamedTuple):
    """What there is to say of a journal that was read, or could not be."""

    severity: Severity

    text: str


class RecoveryDialog(QDialog):
    """Lists left-over journals and drafts, and restores or deletes the selected ones.

    ``journals`` are locked by this process. ``show_draft`` shows a draft of a script and returns
    True, or False if the user keeps another script. ``damaged`` is True if there is work that
    cannot be offered.
    """

    restored = Signal(object)
    """list[OpenMap]: the maps that were opened; the current one is the last."""

    def __init__(
        self,
        journals: list[Journal],
        drafts: list[LeftoverDraft],
        autosave: Autosave,
        renderer: Renderer,
        show_draft: Callable[[DraftFile, Draft], Awaitable[bool]],
        parent: QWidget,
        *,
        damaged: bool,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Recover maps")
        self._autosave = autosave
        self._show_draft = show_draft
        self.map_rows: list[_MapRow] = []
        """The maps that are neither restored, nor deleted, nor damaged."""
        self.draft_rows: list[_DraftRow] = []
        """The drafts that are neither restored nor deleted."""
        self._reader = JournalReader(self)
        connect(self._reader.read, self._on_journal_read)
        connect(self._reader.failed, self._on_journal_damaged)
        connect(self._reader.advanced, self._on_reader_advanced)
        self._reading_notes: list[_Note] = []
        """The notes on the journals so far; they are shown once all journals are read."""
        self.thumbnails = MapThumbnails(THUMBNAIL, renderer, self)
        connect(self.thumbnails.drawn, self._show_picture)
        text = WORDS
        if damaged or any(journal.problems for journal in journals):
            text = DAMAGED_WORDS
        heading = plain_label(text, wordWrap=True)
        self._make_list()
        self.status = DialogStatus("How far the maps have been read")
        self._make_buttons()
        foot = (self.status, self.buttons)
        lay_out_dialog(self, heading, (self.maps, 1), foot=foot, size=QSize(700, 380))
        for journal in journals:
            self._add_map(journal)
        for file, draft in drafts:
            self._add_draft(file, draft)
        self.maps.selectAll()
        connect(self.maps.itemSelectionChanged, self._enable_buttons)
        self._reader.start()

    def _make_list(self) -> None:
        """Make the list of maps and scripts, without rows yet."""
        self.maps = described(QTreeWidget(), "Maps that can be restored")
        self.maps.setHeaderLabels(TITLES)
        self.maps.setRootIsDecorated(False)
        self.maps.setIconSize(THUMBNAIL)
        self.maps.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.maps.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def _make_buttons(self) -> None:
        """Make the buttons Restore, Delete and Later."""
        self.buttons = QDialogButtonBox()
        add = self.buttons.addButton
        role = QDialogButtonBox.ButtonRole
        self.restore_button = add("&Restore", role.AcceptRole)
        self.delete_button = add("&Delete...", role.DestructiveRole)
        self.later_button = add("&Later", role.RejectRole)
        self.later_button.setToolTip("File > Bring back > Recover maps... brings you back here")
        connect(self.restore_button.clicked, self.restore)
        connect(self.delete_button.clicked, self.delete)
        connect(self.buttons.rejected, self.reject)

    def _add_map(self, journal: Journal) -> None:
        """Add the row of a map, whose journal is still to be read."""
        name = _name(journal)
        if journal.problems:
            name += " (damaged)"
        elif journal.position == journal.saved:
            name += " (saved)"
        texts = [name, _time_text(journal.changed), str(journal.count)]
        texts.append(_path_text(journal.about.get("path", "")))
        map_row = _MapRow(journal, self._new_item(texts))
        self.map_rows.append(map_row)
        self._reader.add(journal)

    def _add_draft(self, file: DraftFile, draft: Draft) -> None:
        """Add the row of a script; it has no undo steps."""
        name = f"{draft.name} (script)"
        texts = [name, _time_text(draft.changed), "", _path_text(draft.path)]
        self.draft_rows.append(_DraftRow(file, draft, self._new_item(texts)))

    def _new_item(self, texts: list[str]) -> QTreeWidgetItem:
        """Return a new row at the end of the list, without a picture yet."""
        item = QTreeWidgetItem(texts)
        item.setIcon(NAME, QIcon(self.thumbnails.blank()))
        self.maps.addTopLevelItem(item)
        return item

    def _remove_item(self, item: QTreeWidgetItem) -> None:
        self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(item))

    def _selected_drafts(self) -> list[_DraftRow]:
        return [row for row in self.draft_rows if row.item.isSelected()]

    def _selected_maps(self) -> list[_MapRow]:
        return [row for row in self.map_rows if row.item.isSelected()]

    def _enable_buttons(self) -> None:
        """Enable Restore if all selected maps are read, Delete if no journal is being read."""
        map_rows = self._selected_maps()
        has_selection = bool(map_rows or self._selected_drafts())
        is_read = all(row.battlemap is not None for row in map_rows)
        self.restore_button.setEnabled(has_selection and is_read)
        self.delete_button.setEnabled(has_selection and not self.busy)

    @property
    def busy(self) -> bool:
        """True while journals are being read: not all maps can be restored or deleted yet."""
        return self._reader.reading is not None

    def wait_for_readers(self) -> None:
        """Wait until no thread reads a journal any more."""
        self._reader.wait()

    # --- reading ----------------------------------------------------------------------------

    def _on_reader_advanced(self) -> None:
        """Show which journal is being read, or what there is to say of all that were read."""
        journal = self._reader.reading
        if journal is not None:
            self.status.work(f"Reading {_name(journal)}...")
        elif self._reading_notes:
            text = "\n".join(note.text for note in self._reading_notes)
            severity = Severity.WARNING
            if any(note.severity is Severity.ERROR for note in self._reading_notes):
                severity = Severity.ERROR
            self.status.say(text, severity)
        elif self.status.busy:
            self.status.say("")
        self._enable_buttons()

    def _row_of(self, journal: Journal) -> _MapRow:
        """Return the row of a journal that is in the list."""
        return next(map_row for map_row in self.map_rows if map_row.journal is journal)

    def _on_journal_read(self, journal: Journal, maps: ReadMaps) -> None:
        """Note the map of a journal, which can be restored now, and have its picture drawn."""
        map_row = self._row_of(journal)
        map_row.battlemap = maps.battlemap
        if map_row.item.text(UNDO_STEPS) != str(journal.count):
            # Some steps could not be done, and are left out (``Journal.restore_map``).
            map_row.item.setText(UNDO_STEPS, str(journal.count))
            text = "\n".join(problem.message for problem in journal.problems)
            self._reading_notes.append(_Note(Severity.WARNING, f"{_name(journal)}: {text}"))
        self.thumbnails.request(journal.folder.name, maps.shown_map)

    def _on_journal_damaged(self, journal: Journal, problems: tuple[Problem, ...]) -> None:
        """Set a journal aside that cannot be read, disable its row, and note why."""
        map_row = self._row_of(journal)
        self.map_rows.remove(map_row)
        map_row.item.setText(FILE, "cannot be restored")
        map_row.item.setDisabled(True)
        map_row.item.setSelected(False)
        journal.close()
        try:
            problems = quarantine(journal.folder, ProblemError(problems), self._autosave.journals)
        except ProblemError as reason:
            problems += reason.problems
        text = "\n".join(f"{problem.message} ({problem.path})" for problem in problems)
        self._reading_notes.append(_Note(Severity.ERROR, f"{_name(journal)}: {text}"))

    def _show_picture(self, key: str, picture: QPixmap) -> None:
        """Show a picture in the row of the journal whose folder has the name ``key``."""
        for map_row in self.map_rows:
            if map_row.journal.folder.name == key:
                icon = QIcon(picture)
                icon.addPixmap(picture, QIcon.Mode.Selected)  # else Qt tints it
                map_row.item.setIcon(NAME, icon)

    # --- restoring and deleting -------------------------------------------------------------

    async def restore(self) -> None:
        """Open the selected maps with their undo steps, then the selected scripts on their maps.

        What is not selected, or cannot be restored, stays on the disk for the next time. The dialog
        closes unless something could not be restored.
        """
        refused = []
        open_maps = []
        # The first row is opened last, so that it is current: it is the latest one.
        for map_row in reversed(self._selected_maps()):
            assert map_row.battlemap is not None, "the button is enabled for maps that are read"
            try:
                open_map = self._autosave.restore(map_row.journal, map_row.battlemap)
            except ProblemError as reason:
                name = _name(map_row.journal)
                refused += [f"{name}: {problem.message}" for problem in reason.problems]
                continue
            open_maps.append(open_map)
            self._remove_map(map_row)
        if open_maps:
            self.restored.emit(open_maps)
        # While it is asked whether to show a script, in front of this dialog, no button can be
        # used.
        for draft_row in reversed(self._selected_drafts()):
            if await self._show_draft(draft_row.file, draft_row.draft):
                self._remove_draft(draft_row)
        if refused:
            self.status.say("\n".join(refused), Severity.ERROR)
        else:
            self.accept()

    async def delete(self) -> None:
        """Ask whether to delete the selected journals and drafts, and do so."""
        map_rows = self._selected_maps()
        draft_rows = self._selected_drafts()
        names = [_name(map_row.journal) for map_row in map_rows]
        names += [draft_row.draft.name for draft_row in draft_rows]
        question = (
            f"Throw away what was kept of {', '.join(names)}? Files that you saved stay as they "
            "are."
        )
        buttons = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Delete for good",
            plain_text(question),
            buttons.Yes | buttons.Cancel,
            self,
        )
        box.setDefaultButton(buttons.Cancel)
        code = await ask(box)
        if code != buttons.Yes.value:
            return
        for map_row in map_rows:
            map_row.journal.delete()
            self._remove_map(map_row)
        for draft_row in draft_rows:
            draft_row.file.delete()
            self._remove_draft(draft_row)
        if not (self.map_rows or self.draft_rows):
            self.accept()

    def _remove_map(self, map_row: _MapRow) -> None:
        self.map_rows.remove(map_row)
        self._remove_item(map_row.item)

    def _remove_draft(self, draft_row: _DraftRow) -> None:
        self.draft_rows.remove(draft_row)
        self._remove_item(draft_row.item)

    @guarded
    def done(self, result: int) -> None:
        """Close the journals and drafts that were neither restored nor deleted: they stay there."""
        for draft_row in self.draft_rows:
            draft_row.file.close()
        self._reader.close([map_row.journal for map_row in self.map_rows])
        super().done(result)


def _name(journal: Journal) -> str:
    """Return the name of the map of a journal."""
    return journal.about.get("name", "a map")


def _path_text(path: str) -> str:
    """Return the path of a file as text; ``path`` is "" for none."""
    if not path:
        return "never saved"
    return path


def _time_text(seconds: float) -> str:
    """Return a time, in seconds since 1970, as the user's language writes it."""
    time = QDateTime.fromSecsSinceEpoch(int(min(max(seconds, 0), _LATEST_TIME)))
    return QLocale().toString(time, QLocale.FormatType.ShortFormat)
