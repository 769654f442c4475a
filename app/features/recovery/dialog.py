"""The dialog about the work that a crashed session has left: maps and edits of scripts.

The user restores or deletes it, or leaves it for later. The journals of maps are read one after the
other on another thread (``_read_next``); a map can be restored once its journal is read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, QThreadPool, Signal
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

from app.background.jobs import Job
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
    from randomizer.storage.journal.drafts import Draft, DraftFile
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
        drafts: list[tuple[DraftFile, Draft]],
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
        self.battlemaps: dict[Journal, BattleMap] = {}
        """The maps of the journals that are read, in the order of their rows."""
        self._rows: dict[Journal, QTreeWidgetItem] = {}
        """The rows of journals that are neither restored, nor deleted, nor damaged."""
        self._show_draft = show_draft
        self._drafts = dict(drafts)
        self._draft_rows: dict[DraftFile, QTreeWidgetItem] = {}
        """The rows of drafts that are neither restored nor deleted."""
        self._unread = list(journals)
        """The journals that are not read yet; the first one is being read."""
        self._job: Job | None = None
        """The job that reads or has read the last journal."""
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)  # a journal is closed only after it was read
        self.thumbnails = MapThumbnails(THUMBNAIL, renderer, self)
        connect(self.thumbnails.drawn, self._show_picture)
        text = WORDS
        if damaged or any(journal.problems for journal in journals):
            text = DAMAGED_WORDS
        heading = plain_label(text, wordWrap=True)
        self.maps = described(QTreeWidget(), "Maps that can be restored")
        self.maps.setHeaderLabels(TITLES)
        self.maps.setRootIsDecorated(False)
        self.maps.setIconSize(THUMBNAIL)
        self.maps.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.maps.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.status = DialogStatus("How far the maps have been read")
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
        foot = (self.status, self.buttons)
        lay_out_dialog(self, heading, (self.maps, 1), foot=foot, size=QSize(700, 380))
        for journal in journals:
            self._add_row(journal)
        for file, draft in drafts:
            self._add_draft(file, draft)
        self.maps.selectAll()
        connect(self.maps.itemSelectionChanged, self._enable_buttons)
        self._read_next()

    def _add_row(self, journal: Journal) -> None:
        """Add the row of a map."""
        name = _name(journal)
        if journal.problems:
            name += " (damaged)"
        elif journal.position == journal.saved:
            name += " (saved)"
        texts = [name, _time_text(journal.changed), str(journal.count)]
        texts.append(_path_text(journal.about.get("path", "")))
        row = QTreeWidgetItem(texts)
        row.setIcon(NAME, QIcon(self.thumbnails.blank()))
        self._rows[journal] = row
        self.maps.addTopLevelItem(row)

    def _add_draft(self, file: DraftFile, draft: Draft) -> None:
        """Add the row of a script; it has no undo steps."""
        name = f"{draft.name} (script)"
        texts = [name, _time_text(draft.changed), "", _path_text(draft.path)]
        row = QTreeWidgetItem(texts)
        row.setIcon(NAME, QIcon(self.thumbnails.blank()))
        self._draft_rows[file] = row
        self.maps.addTopLevelItem(row)

    def _remove_row(self, row: QTreeWidgetItem) -> None:
        self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(row))

    def _selected_drafts(self) -> list[DraftFile]:
        return [file for file, row in self._draft_rows.items() if row.isSelected()]

    def _selected_journals(self) -> list[Journal]:
        return [journal for journal, row in self._rows.items() if row.isSelected()]

    def _enable_buttons(self) -> None:
        """Enable Restore if all selected maps are read, Delete if no journal is being read."""
        journals = self._selected_journals()
        has_selection = bool(journals or self._selected_drafts())
        is_read = all(journal in self.battlemaps for journal in journals)
        self.restore_button.setEnabled(has_selection and is_read)
        self.delete_button.setEnabled(has_selection and not self._unread)

    @property
    def busy(self) -> bool:
        """True while journals are being read: not all maps can be restored or deleted yet."""
        return bool(self._unread)

    def wait_for_readers(self) -> None:
        """Wait until no thread reads a journal any more."""
        self._pool.waitForDone()

    # --- reading ----------------------------------------------------------------------------

    def _read_next(self) -> None:
        """Read the next journal on another thread; ``_take_map`` or ``_quarantine`` follows."""
        if self._unread:
            self.status.work(f"Reading {_name(self._unread[0])}...")
            self._job = Job(partial(_read_maps, self._unread[0]))
            connect(self._job.finished, self._take_map)
            connect(self._job.failed, self._quarantine)
            self._job.start(self._pool)
        elif self.status.busy:
            self.status.say("")
        self._enable_buttons()

    def _take_map(self, maps: tuple[BattleMap, BattleMap]) -> None:
        """Take the map of the first unread journal, and the map of its picture; read the next."""
        battlemap, shown_map = maps
        journal = self._unread.pop(0)
        self.battlemaps[journal] = battlemap
        row = self._rows[journal]
        if row.text(UNDO_STEPS) != str(journal.count):
            # Some steps could not be done, and are left out (``Journal.restore_map``).
            row.setText(UNDO_STEPS, str(journal.count))
            text = "\n".join(problem.message for problem in journal.problems)
            self.status.say(text, Severity.WARNING)
        self.thumbnails.request(journal.folder.name, shown_map)
        self._read_next()

    def _quarantine(self, problems: tuple[Problem, ...]) -> None:
        """Set the first unread journal aside, which cannot be read, and tell why; read the next."""
        journal = self._unread.pop(0)
        row = self._rows.pop(journal)
        row.setText(FILE, "cannot be restored")
        row.setDisabled(True)
        row.setSelected(False)
        journal.close()
        try:
            problems = quarantine(journal.folder, ProblemError(problems), self._autosave.journals)
        except ProblemError as reason:
            problems += reason.problems
        self._read_next()
        text = "\n".join(f"{problem.message} ({problem.path})" for problem in problems)
        self.status.say(f"{_name(journal)}: {text}", Severity.ERROR)

    def _show_picture(self, key: str, picture: QPixmap) -> None:
        """Show a picture in the row of the journal whose folder has the name ``key``."""
        for journal, row in self._rows.items():
            if journal.folder.name == key:
                icon = QIcon(picture)
                icon.addPixmap(picture, QIcon.Mode.Selected)  # else Qt tints it
                row.setIcon(NAME, icon)

    # --- restoring and deleting -------------------------------------------------------------

    async def restore(self) -> None:
        """Open the selected maps with their undo steps, then the selected scripts on their maps.

        Rows that are not selected, or cannot be restored, stay.
        """
        refused = []
        open_maps = []
        # The first row is opened last, so that it is current: it is the latest one.
        for journal in reversed(self._selected_journals()):
            try:
                open_map = self._autosave.restore(journal, self.battlemaps[journal])
            except ProblemError as reason:
                refused += [f"{_name(journal)}: {problem.message}" for problem in reason.problems]
                continue
            open_maps.append(open_map)
            self._remove_row(self._rows.pop(journal))
        if open_maps:
            self.restored.emit(open_maps)
        for file in reversed(self._selected_drafts()):
            if await self._show_draft(file, self._drafts[file]):
                self._remove_row(self._draft_rows.pop(file))
        if refused:
            self.status.say("\n".join(refused), Severity.ERROR)
        else:
            self.accept()

    async def delete(self) -> None:
        """Ask whether to delete the selected journals and drafts, and do so."""
        journals = self._selected_journals()
        drafts = self._selected_drafts()
        names = [_name(journal) for journal in journals]
        names += [self._drafts[file].name for file in drafts]
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
        for journal in journals:
            journal.delete()
            self._remove_row(self._rows.pop(journal))
        for file in drafts:
            file.delete()
            self._remove_row(self._draft_rows.pop(file))
        if not (self._rows or self._draft_rows):
            self.accept()

    @guarded
    def done(self, result: int) -> None:
        """Close the journals and drafts that were neither restored nor deleted: they stay there."""
        if self._job is not None:
            self._job.cancel()
        for file in self._draft_rows:
            file.close()
        Job(partial(_close_journals, list(self._rows))).start(self._pool)
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


def _read_maps(
    journal: Journal, _progress: Callable[[int], None], cancelled: Callable[[], bool]
) -> tuple[BattleMap, BattleMap] | None:
    """Return the map of a journal with all steps done, and as it will be restored.

    None if the job is cancelled.
    """
    if cancelled():
        return None
    battlemap = journal.restore_map()
    return battlemap, journal.map_to_show(battlemap)


def _close_journals(
    journals: list[Journal], _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> None:
    """Close journals, on the thread that reads them: none is read any more by then."""
    for journal in journals:
        journal.close()
