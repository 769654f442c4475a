"""Take back an export: what was replaced is restored, what was new is removed."""

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
from app.features.game.places import GamePlaces
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import ExportReceipt, place_words
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.exports.export_backups import receipts

RECEIPT = Qt.ItemDataRole.UserRole

NAMED = 4
"""So many slots or files are told by name in a row; all are in its tooltip."""


class TakeBackDialog(QDialog):
    """The exports into a game, the newest first."""

    reported = Signal(str)
    """A message for the window's status bar."""

    def __init__(self, places: GamePlaces, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Take back an export to {places.host.title}")
        self._places = places
        self._list_job = LatestJob(self)
        self.game_export = GameExport(places)
        self.chooser = GameChooser(places)
        self.exports = described(QTreeWidget(), "Exports, the newest first")
        self.exports.setHeaderLabels(["When", "Map", "Files", "State"])
        self.exports.setRootIsDecorated(False)
        self.exports.setAlternatingRowColors(True)
        self.exports.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.exports.header().setStretchLastSection(True)
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
        lay_out_dialog(self, self.chooser, (self.exports, 1), foot=foot, size=QSize(760, 420))
        self._show_nothing()
        places.show_in(self._list, self._show_nothing)

    @property
    def receipt(self) -> ExportReceipt | None:
        """The chosen export."""
        item = self.exports.currentItem()
        receipt: ExportReceipt | None = None if item is None else item.data(0, RECEIPT)
        return receipt

    def _show_nothing(self) -> None:
        self._list_job.cancel()
        self.exports.clear()
        self.status.say("")
        self.take_back_button.setEnabled(False)

    def _list(self) -> None:
        self.status.work("Looking for exports...")
        game = self._places.game
        assert game is not None
        self._list_job.run(lambda *_: receipts(game), self._show_exports, self._complain)

    def _place(self, receipt: ExportReceipt) -> str:
        several = _several(receipt.slots, f"{self._places.slot_level.name}s")
        return place_words(receipt.group, several)

    def _show_exports(self, receipts: Sequence[ExportReceipt]) -> None:
        chosen = self.receipt
        self.exports.clear()
        items = [self._item(receipt) for receipt in receipts]
        self.exports.addTopLevelItems(items)
        self.status.say("" if receipts else "Nothing was exported into this game yet.")
        if items:
            # The one chosen before, not the next one: Enter twice must not take back two.
            rows = (
                row
                for row, receipt in enumerate(receipts)
                if (receipt.path == chosen.path if chosen else receipt.reversible)
            )
            self.exports.setCurrentItem(items[next(rows, 0)])
            self.exports.setFocus()
        self._describe()

    def _item(self, receipt: ExportReceipt) -> QTreeWidgetItem:
        texts = [
            _when(receipt.time) or receipt.path.parent.name,
            self._place(receipt) if receipt.files else "",
            _several([file.place.rpartition("/")[2] for file in receipt.files], "files"),
            _state(receipt),
        ]
        item = QTreeWidgetItem(texts)
        item.setData(0, RECEIPT, receipt)
        item.setToolTip(1, plain_text("\n".join(receipt.slots)))
        item.setToolTip(2, plain_text("\n".join(file.place for file in receipt.files)))
        return item

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
            back = [file.place for file in receipt.files if file.backup is not None]
            gone = [file.place for file in receipt.files if file.backup is None]
            parts = [f"restores {', '.join(back)}"] if back else []
            parts += [f"removes {', '.join(gone)}"] if gone else []
            self.status.say(f"Taking it back {' and '.join(parts)}.")

    async def _take_back(self) -> None:
        """Undo the chosen export; then the list is read again."""
        chosen = self.receipt
        assert chosen is not None  # else the button cannot be pressed
        self.take_back_button.setEnabled(False)
        self.status.work(TAKING_BACK)
        try:
            receipt = await self.game_export.take_back(chosen)
        except ProblemError as reason:
            self._complain(reason.problems)
        except Exception:
            self._describe()
            raise
        else:
            self.reported.emit(f"The export to {self._place(receipt)} was taken back")

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self._describe()
        self.status.complain(problems)

    @guarded
    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self.game_export.writing:
            super().done(result)


def _when(time: str) -> str:
    """Return a receipt's time as people here write it; "" for one that is not known."""
    moment = QDateTime.fromString(time, Qt.DateFormat.ISODate)
    if not moment.isValid():
        return ""
    return QLocale().toString(moment.toLocalTime(), QLocale.FormatType.ShortFormat)


def _several(names: Sequence[str], kind: str) -> str:
    """Return the names, or how many there are where that is too long for a row."""
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{len(names)} {kind}"


def _state(receipt: ExportReceipt) -> str:
    if receipt.problem is not None:
        return "cannot be read"
    return "taken back" if receipt.taken_back else ""
