"""A dialog about what a crashed session left: restore maps and scripts, delete them, or later."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, QThreadPool
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
from app.render.thumbnails.thumbnail_queue import MapThumbnails
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

_LAST_MOMENT = 2**36
"""In seconds: a later time is a damaged one, which no calendar can show."""

WORDS = (
    "The last session ended unexpectedly while this was open. Nothing is lost: every finished "
    "stroke was kept, a restored map has all its undo steps, a script its unsaved edits."
)

DAMAGED_WORDS = (
    "The last session ended unexpectedly while this was open. What was kept of some maps is "
    "damaged: they are shown as far as they are whole."
)


class RecoveryDialog(QDialog):
    """Reads left-over journals (locked by this process) one by one and offers their maps.

    ``drafts`` are unsaved edits of scripts; ``show_draft`` goes on with
    one, or returns False. ``damaged``: something was left over that cannot be offered.
    """

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
        """The maps that can be restored, in the order of their rows, as far as they are read."""
        self._rows: dict[Journal, QTreeWidgetItem] = {}
        self._show_draft = show_draft
        self._drafts = dict(drafts)
        self._draft_rows: dict[DraftFile, QTreeWidgetItem] = {}
        self._unread = list(journals)
        self._job: Job | None = None
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)  # a journal is closed only after it was read
        self.thumbnails = MapThumbnails(THUMBNAIL, renderer, self)
        connect(self.thumbnails.drawn, self._show_picture)
        damaged = damaged or any(journal.problems for journal in journals)
        heading = plain_label(DAMAGED_WORDS if damaged else WORDS, wordWrap=True)
        self.maps = described(QTreeWidget(), "Maps that can be restored")
        self.maps.setHeaderLabels(["Map", "Last change", "Undo steps", "File"])
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
        connect(self.maps.itemSelectionChanged, self._show_state)
        self._read_next()

    def _add_row(self, journal: Journal) -> None:
        state = "" if journal.position != journal.saved else " (saved)"
        row = QTreeWidgetItem(
            [
                _name(journal) + (" (damaged)" if journal.problems else state),
                _moment(journal.changed),
                str(journal.count),
                journal.about.get("path") or "never saved",
            ]
        )
        row.setIcon(0, QIcon(self.thumbnails.blank()))
        self._rows[journal] = row
        self.maps.addTopLevelItem(row)

    def _add_draft(self, file: DraftFile, draft: Draft) -> None:
        path = draft.path or "never saved"
        row = QTreeWidgetItem([f"{draft.name} (script)", _moment(draft.changed), "", path])
        row.setIcon(0, QIcon(self.thumbnails.blank()))
        self._draft_rows[file] = row
        self.maps.addTopLevelItem(row)

    def _chosen_drafts(self) -> list[DraftFile]:
        return [file for file, row in self._draft_rows.items() if row.isSelected()]

    def _chosen(self) -> list[Journal]:
        return [journal for journal, row in self._rows.items() if row.isSelected()]

    def _show_state(self) -> None:
        chosen = self._chosen()
        drafts = self._chosen_drafts()
        read = all(entry in self.battlemaps for entry in chosen)
        self.restore_button.setEnabled(bool(chosen or drafts) and read)
        self.delete_button.setEnabled(bool(chosen or drafts) and not self._unread)

    @property
    def busy(self) -> bool:
        """True if maps are still being read: not all of them can be restored or deleted yet."""
        return bool(self._unread)

    def wait_for_readers(self) -> None:
        """Wait until no thread reads a journal any more."""
        self._pool.waitForDone()

    # --- reading ----------------------------------------------------------------------------

    def _read_next(self) -> None:
        if self._unread:
            self.status.work(f"Reading {_name(self._unread[0])}...")
            self._job = Job(partial(_reading, self._unread[0]))
            connect(self._job.finished, self._keep_map)
            connect(self._job.failed, self._quarantine)
            self._job.start(self._pool)
        elif self.status.busy:
            self.status.say("")
        self._show_state()

    def _keep_map(self, maps: tuple[BattleMap, BattleMap]) -> None:
        battlemap, shown_map = maps
        journal = self._unread.pop(0)
        self.battlemaps[journal] = battlemap
        row = self._rows[journal]
        if row.text(2) != str(journal.count):  # some could not be done, see Journal.battlemap
            row.setText(2, str(journal.count))
            self.status.say(
                "\n".join(problem.message for problem in journal.problems), Severity.WARNING
            )
        self.thumbnails.request(journal.folder.name, shown_map)
        self._read_next()

    def _quarantine(self, problems: tuple[Problem, ...]) -> None:
        journal = self._unread.pop(0)
        row = self._rows.pop(journal)
        row.setText(3, "cannot be restored")
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
        for journal, row in self._rows.items():
            if journal.folder.name == key:
                icon = QIcon(picture)
                icon.addPixmap(picture, QIcon.Mode.Selected)  # else Qt tints it
                row.setIcon(0, icon)

    # --- what is done with them -------------------------------------------------------------

    async def restore(self) -> None:
        """Open the chosen maps with their undo steps, then the chosen scripts on their maps.

        The others stay left over.
        """
        refused = []
        for journal in reversed(self._chosen()):  # the latest is opened last: it is current
            try:
                self._autosave.restore(journal, self.battlemaps[journal])
            except ProblemError as reason:
                refused += [f"{_name(journal)}: {problem.message}" for problem in reason.problems]
                continue
            row = self._rows.pop(journal)
            self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(row))
        for file in reversed(self._chosen_drafts()):
            if await self._show_draft(file, self._drafts[file]):
                row = self._draft_rows.pop(file)
                self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(row))
        if refused:
            self.status.say("\n".join(refused), Severity.ERROR)
        else:
            self.accept()

    async def delete(self) -> None:
        """Delete the chosen journals, after a question."""
        chosen = self._chosen()
        drafts = self._chosen_drafts()
        names = ", ".join(
            [_name(journal) for journal in chosen] + [self._drafts[file].name for file in drafts]
        )
        buttons = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Delete for good",
            plain_text(
                f"Throw away what was kept of {names}? Files that you saved stay as they are."
            ),
            buttons.Yes | buttons.Cancel,
            self,
        )
        box.setDefaultButton(buttons.Cancel)
        code = await ask(box)
        if code != buttons.Yes.value:
            return
        for journal in chosen:
            journal.delete()
            row = self._rows.pop(journal)
            self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(row))
        for file in drafts:
            file.delete()
            row = self._draft_rows.pop(file)
            self.maps.takeTopLevelItem(self.maps.indexOfTopLevelItem(row))
        if not (self._rows or self._draft_rows):
            self.accept()

    @guarded
    def done(self, result: int) -> None:
        """Close the journals that were neither restored nor deleted: they stay left over."""
        if self._job is not None:
            self._job.cancel()
        for file in self._draft_rows:
            file.close()
        Job(partial(_closing, list(self._rows))).start(self._pool)
        super().done(result)


def _name(journal: Journal) -> str:
    return journal.about.get("name", "a map")


def _moment(seconds: float) -> str:
    moment = QDateTime.fromSecsSinceEpoch(int(min(max(seconds, 0), _LAST_MOMENT)))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _reading(
    journal: Journal, _progress: Callable[[int], None], cancelled: Callable[[], bool]
) -> tuple[BattleMap, BattleMap] | None:
    """Return the map with all steps done, and as it will be restored."""
    if cancelled():
        return None
    battlemap = journal.battlemap()
    return battlemap, journal.map_to_show(battlemap)


def _closing(
    journals: list[Journal], _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> None:
    for journal in journals:
        journal.close()
