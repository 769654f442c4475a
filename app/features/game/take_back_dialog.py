"""The dialog that takes back an export: replaced files are restored, new ones are removed.

Each export into a game leaves a *receipt* in the game's folder: which files it wrote, and where the
files are backed up that it replaced. The dialog lists the receipts (``_load_receipts``), says of
the chosen one what taking it back would do (``_describe``), and does it (``_take_back``).
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.features.game.exporting import TAKING_BACK, GameExport
from app.features.game.game_chooser import GameChooser
from app.features.game.game_folder import GameFolder
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games.receipt import ExportReceipt
from randomizer.games.slots import slot_words
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.exports.export_backups import receipts as read_receipts

RECEIPT_ROLE = Qt.ItemDataRole.UserRole
"""The role of an item's ``ExportReceipt``."""

MAX_NAMES = 4
"""The most slots or files whose names stand in a row; its tooltip has all names."""

DIALOG_SIZE = QSize(760, 420)
"""The size of the dialog at first, in logical pixels."""


class TakeBackDialog(QDialog):
    """Lists the exports into a game, the newest first, and takes the chosen one back."""

    reported = Signal(str)
    """A message for the window's status bar."""

    def __init__(self, game_folder: GameFolder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Take back an export to {game_folder.host.title}")
        self._game_folder = game_folder
        self._list_job = LatestJob(self)
        """Reads the receipts."""
        self.game_export = GameExport(game_folder)
        self.chooser = GameChooser(game_folder)
        self.exports = _export_list()
        connect(self.exports.currentItemChanged, lambda _item: self._describe())
        self.status = DialogStatus("What taking it back does")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.take_back_button: QPushButton = self.buttons.addButton(
            "&Take back", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        connect(self.take_back_button.clicked, self._take_back)
        connect(self.buttons.rejected, self.reject)
        foot = (self.status, self.buttons)
        lay_out_dialog(self, self.chooser, (self.exports, 1), foot=foot, size=DIALOG_SIZE)
        self._failure: tuple[Problem, ...] = ()
        """Why the chosen export was not taken back; () once the list was read again.

        Also () when the folder is closed: the reason is of no other game.
        """
        self._show_nothing()
        game_folder.follow(self._load_receipts, self._show_nothing)

    @property
    def receipt(self) -> ExportReceipt | None:
        """The receipt of the chosen export, None if none is chosen."""
        item = self.exports.currentItem()
        if item is None:
            return None
        receipt: ExportReceipt = item.data(0, RECEIPT_ROLE)
        return receipt

    # --- the list ---------------------------------------------------------------------------

    def _show_nothing(self) -> None:
        """Show an empty list, as long as no folder of the game is open."""
        self._list_job.cancel()
        self._failure = ()
        self.exports.clear()
        self.status.say("")
        self.take_back_button.setEnabled(False)

    def _load_receipts(self) -> None:
        """Let a job read the receipts of the game, and show them."""
        self.status.show_working("Looking for exports...")
        game = self._game_folder.game
        assert game is not None, "the list is read when a folder was opened"
        self._list_job.run(lambda *_: read_receipts(game), self._show_exports, self._show_failure)

    def _show_exports(self, receipts: Sequence[ExportReceipt]) -> None:
        """List the exports, and choose one of them (``_row_to_choose``)."""
        chosen_receipt = self.receipt
        self.exports.clear()
        if not receipts:
            self.status.say("Nothing was exported into this game yet.")
            self._describe()
            return
        self.status.say("")
        items = [self._row_item(receipt) for receipt in receipts]
        self.exports.addTopLevelItems(items)
        self.exports.setCurrentItem(items[_row_to_choose(receipts, chosen_receipt)])
        self.exports.setFocus()
        # Also after a failure the list is read again, which must not hide the reason.
        if self._failure:
            self.status.complain(self._failure)
            self._failure = ()

    def _row_item(self, receipt: ExportReceipt) -> QTreeWidgetItem:
        """Return the row of an export; that of a damaged receipt has no files."""
        time = _local_time(receipt.time)
        if not time:
            time = receipt.path.parent.name  # the folder is named for the time, too
        target = ""
        if receipt.files:
            target = self._target_text(receipt)
        file_names = [file.place.rpartition("/")[2] for file in receipt.files]  # without folders
        texts = [time, target, _names_or_count(file_names, "files"), _state(receipt)]
        item = QTreeWidgetItem(texts)
        item.setData(0, RECEIPT_ROLE, receipt)
        item.setToolTip(1, plain_text("\n".join(receipt.slots)))
        item.setToolTip(2, plain_text("\n".join(file.place for file in receipt.files)))
        return item

    def _target_text(self, receipt: ExportReceipt) -> str:
        """Return the group and the slots of an export as text."""
        slots = _names_or_count(receipt.slots, f"{self._game_folder.slot_level.name}s")
        return slot_words(receipt.group, slots)

    # --- the chosen export ------------------------------------------------------------------

    def _describe(self) -> None:
        """Say what taking the chosen export back would do."""
        receipt = self.receipt
        self.take_back_button.setEnabled(receipt is not None and receipt.reversible)
        self.take_back_button.setDefault(self.take_back_button.isEnabled())
        if receipt is None:
            return
        if receipt.problem is not None:
            self.status.say(f"{receipt.problem.message} ({receipt.path})", Severity.ERROR)
        elif receipt.taken_back:
            self.status.say(
                "This export has been taken back: what it wrote is not in the game any more."
            )
        else:
            self.status.say(f"Taking it back {_effects_text(receipt)}.")

    async def _take_back(self) -> None:
        """Take the chosen export back.

        ``GameExport.take_back`` opens the folder of the game again, which reads the list anew.
        """
        chosen = self.receipt
        assert chosen is not None, "without a chosen export the button is disabled"
        self.take_back_button.setEnabled(False)
        self.status.show_working(TAKING_BACK)
        try:
            receipt = await self.game_export.take_back(chosen)
        except ProblemError as reason:
            self._failure = reason.problems
            self._show_failure(reason.problems)
        except Exception:
            # After a fault of the program the button and the message would stay as they are while
            # an export is taken back.
            self._describe()
            raise
        else:
            self.reported.emit(f"The export to {self._target_text(receipt)} was taken back")

    def _show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Show why the list cannot be read, or why the chosen export was not taken back."""
        self._describe()
        self.status.complain(problems)

    @guarded
    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self.game_export.writing:
            super().done(result)


def _export_list() -> QTreeWidget:
    """Return the empty list of exports."""
    exports = described(QTreeWidget(), "Exports, the newest first")
    exports.setHeaderLabels(["When", "Map", "Files", "State"])
    exports.setRootIsDecorated(False)
    exports.setAlternatingRowColors(True)
    exports.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    exports.header().setStretchLastSection(True)
    return exports


def _row_to_choose(receipts: Sequence[ExportReceipt], chosen: ExportReceipt | None) -> int:
    """Return the row of the export to choose.

    If one was chosen before it is that one, or the first if it is gone. Else it is the newest that
    can be taken back, or the first if none can.
    """
    if chosen is not None:
        # An export that was just taken back stays chosen: if it were the next one, pressing Enter
        # twice would take back two.
        paths = [receipt.path for receipt in receipts]
        if chosen.path in paths:
            return paths.index(chosen.path)
        return 0
    for row, receipt in enumerate(receipts):
        if receipt.reversible:
            return row
    return 0


def _effects_text(receipt: ExportReceipt) -> str:
    """Return what taking an export back does, such as "restores a.map and removes b.map"."""
    replaced_files = [file.place for file in receipt.files if file.backup is not None]
    new_files = [file.place for file in receipt.files if file.backup is None]
    effects = []
    if replaced_files:
        effects.append(f"restores {', '.join(replaced_files)}")
    if new_files:
        effects.append(f"removes {', '.join(new_files)}")
    return " and ".join(effects)


def _local_time(time: str) -> str:
    """Return the time of a receipt (ISO 8601) in the local form, "" if it cannot be read."""
    moment = QDateTime.fromString(time, Qt.DateFormat.ISODate)
    if not moment.isValid():
        return ""
    return QLocale().toString(moment.toLocalTime(), QLocale.FormatType.ShortFormat)


def _names_or_count(names: Sequence[str], kind: str) -> str:
    """Return the names as text, or "12 files" if they are too many; ``kind`` is in the plural."""
    if len(names) <= MAX_NAMES:
        return ", ".join(names)
    return f"{len(names)} {kind}"


def _state(receipt: ExportReceipt) -> str:
    """Return the text of the column State, "" for an export that can be taken back."""
    if receipt.problem is not None:
        return "cannot be read"
    if receipt.taken_back:
        return "taken back"
    return ""
