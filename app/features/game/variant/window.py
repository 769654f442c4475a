"""A whole variant at once: a row for each of its terrains, rolled, re-rolled, exported together."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QSize, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.document.document import MapDocument
from app.document.open_map import GameSource
from app.features.game.game_chooser import GameChooser
from app.features.game.game_reading import OpenedGame, taking_back
from app.features.game.variant.board import VariantBoard
from app.features.game.variant.export import VariantExportDialog
from app.features.game.variant.rolls import Found, as_text, looking, of_text, planning_all
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from app.widgets.dialog_status import DialogStatus
from randomizer.games import ExportPlan, ExportReceipt, GameHost, GameVariant
from randomizer.model.battlemap import BattleMap, System
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity

BUSY_AFTER_MS = 120
"""Rolls that take longer show their progress; most are over before."""

NEW = "New variant..."


class VariantWindow(QDialog):
    """Beside the desk; closing it only hides it.

    ``said(str)``: words for the desk's status bar. ``edit_wanted(BattleMap, GameSource, str)``: a
    map is to be opened as a tab, for the terrain named; ``tab_wanted(OpenMap)`` is open already.
    ``colours_changed()``: maps are to be drawn otherwise (``board.redraw``).
    """

    said = Signal(str)
    edit_wanted = Signal(object, object, str)
    tab_wanted = Signal(object)
    colours_changed = Signal()

    def __init__(
        self,
        host: GameHost,
        system: System,
        settings: Settings,
        document: MapDocument,
        thumbnails: MapThumbnails,
        parent: QWidget | None = None,
        *,
        choose_seed: Callable[[], int] = lambda: secrets.randbelow(SEED_LIMIT),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Whole variant of {host.TITLE}")
        self._host = host
        self._settings, self._document = settings, document
        self._shown: tuple[str, tuple[str, ...]] | None = None
        self._receipt: ExportReceipt | None = None
        self._news = ""
        self.dialog: VariantExportDialog | None = None
        self._look_job, self._plan_job = LatestJob(self), LatestJob(self)
        self._back_job = LatestJob(self)
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._busy_timer.timeout.connect(partial(self._show_progress, True))
        self.board = VariantBoard(system, settings, document, thumbnails, choose_seed)
        self.chooser = GameChooser(host, settings)
        self._make_head()
        self._make_foot()
        self._connect()
        self.resize(QSize(1120, 860))
        self.chooser.start()

    # --- construction -----------------------------------------------------------------------

    def _make_head(self) -> None:
        self.variant = QComboBox()
        self.variant.setAccessibleName("Variant")
        self.variant.setToolTip("Whose battlelands are rolled")
        self.variant.setMinimumContentsLength(18)
        self.name = QLineEdit("MyLands")
        self.name.setAccessibleName("Name of the new variant")
        self.name.setToolTip("A folder of this name is made; it must not have blanks")
        self._name_label = QLabel("&Name:")
        self._name_label.setBuddy(self.name)

    def _make_foot(self) -> None:
        self.status = DialogStatus("What goes on")
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress of the rolls")
        self.progress.hide()
        self.cancel_button = self._button("&Cancel", self.board.cancel, "Stop rolling")
        self.cancel_button.hide()
        self.reroll_button = self._button(
            "&Re-roll all",
            self.board.reroll_all,
            "The next map of each row that is not locked (Ctrl+R)",
        )
        self.take_back_button = self._button(
            "&Take this export back", self.take_back, "The game is as it was before"
        )
        self.take_back_button.hide()
        self.export_button = self._button(
            "&Export all...", self.export, "Show what would be written, then do it in one go"
        )
        self.close_button = self._button("Close", self.close, "Choices and seeds are remembered")
        head = QHBoxLayout()
        label = QLabel("&Variant:")
        label.setBuddy(self.variant)
        for widget in (label, self.variant, self._name_label, self.name):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.reroll_button)
        foot = QHBoxLayout()
        foot.addWidget(self.status, 1)
        foot.addWidget(self.progress)
        for button in (
            self.cancel_button,
            self.take_back_button,
            self.export_button,
            self.close_button,
        ):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.addWidget(self.chooser)
        column.addLayout(head)
        column.addWidget(self.board, 1)
        column.addLayout(foot)

    def _button(self, text: str, do: Callable[[], object], tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(tip)
        button.clicked.connect(lambda _checked=False: do())
        return button

    def _connect(self) -> None:
        self.chooser.opened.connect(self._show_variants)
        self.chooser.lost.connect(self._show_nothing)
        self.variant.currentIndexChanged.connect(lambda _row: self._show_variant())
        self.name.textChanged.connect(lambda _name: self._say_ready())
        self.board.job.progressed.connect(self.progress.setValue)
        self.board.job.busy_changed.connect(self._show_busy)
        self.board.filled.connect(self._go_to_rows)
        self.board.choices_changed.connect(self._remember)
        self.board.maps_changed.connect(self._say_ready)
        self.board.edit_wanted.connect(self._edit)
        self.board.tab_wanted.connect(self.tab_wanted)
        QShortcut(QKeySequence("Ctrl+R"), self).activated.connect(self.board.reroll_all)
        self._show_nothing()

    # --- the game and its variants ----------------------------------------------------------

    @property
    def new_variant(self) -> bool:
        """Whether a variant of one's own is to be made."""
        return self.variant.currentText() == NEW

    @property
    def variant_name(self) -> str:
        """The variant that gets the maps."""
        return self.name.text() if self.new_variant else self.variant.currentText()

    def _model(self) -> GameVariant | None:
        """The variant whose terrains and maps are shown; the first for a new one."""
        opened = self.chooser.current
        if opened is None or not self.variant.count():
            return None
        found = opened.variant(self.variant.currentText())
        return found or opened.variants[0]

    def _show_nothing(self) -> None:
        self.variant.setEnabled(False)
        self.board.setEnabled(False)
        self._enable()

    def _show_variants(self, opened: OpenedGame) -> None:
        keep = self.variant_name if self.variant.count() else self._settings.variant
        self.variant.blockSignals(True)
        self.variant.clear()
        self.variant.addItems([variant.name for variant in opened.variants])
        self.variant.insertSeparator(self.variant.count())
        self.variant.addItem(NEW)
        index = self.variant.findText(keep) if keep else 0
        if index < 0 and self._shown is not None and keep == self.name.text():
            index = self.variant.count() - 1  # the new variant was taken back
        self.variant.setCurrentIndex(max(0, index))
        self.variant.blockSignals(False)
        self.variant.setEnabled(True)
        self.board.setEnabled(True)
        self._show_variant()

    def _show_variant(self) -> None:
        variant, opened = self._model(), self.chooser.current
        if variant is None or opened is None:
            return
        for widget in (self.name, self._name_label):
            widget.setVisible(self.new_variant)
        shown = (self.variant.currentText(), tuple(each.name for each in variant.terrains))
        if shown != self._shown:
            self._shown = shown
            self._settings.variant = shown[0]
            known = of_text(self._settings.variant_choices(shown[0]))
            self.board.fill(variant.terrains, known)
        self.status.work(f"Reading the battlelands of {variant.name}...")
        work = looking(self._host, opened.game, variant)
        self._look_job.run(work, self._looked, self._complain)

    def _go_to_rows(self) -> None:
        if self.chooser.line.hasFocus():
            self.board.rows[0].script.setFocus()

    def _looked(self, found: Found) -> None:
        self.board.show_found(found)
        self._say_ready()

    def _remember(self) -> None:
        """Choices and seeds come back the next time."""
        self._news = ""
        choices = as_text(self.board.choices())
        self._settings.set_variant_choices(self.variant.currentText(), choices)

    # --- how things stand -------------------------------------------------------------------

    def _show_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        if busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self._show_progress(False)

    def _show_progress(self, shown: bool) -> None:
        for widget in (self.progress, self.cancel_button):
            widget.setVisible(shown)

    def _say_ready(self) -> None:
        """What would be exported, or what keeps it from that."""
        self._enable()
        variant = self._model()
        if variant is None or self._look_job.busy or self.board.waiting:
            return
        faulty, count = self.board.faulty(), len(self.board.maps())
        if faulty:
            words = f"{', '.join(faulty)}: choose something else, or leave it as it is."
            self.status.say(words, Severity.ERROR)
            return
        words = f"{counted(count, 'map')} to export to {self.variant_name}."
        words = self._news or words
        problem = next(iter(variant.problems), None)
        if problem is None:
            self.status.say(words)
        else:
            self.status.say(f"{words} {problem.message}.", problem.severity)

    def _enable(self) -> None:
        faulty = self.board.faulty()
        busy = self.board.waiting or self._plan_job.busy or self._back_job.busy
        ready = self.chooser.current is not None and not busy and bool(self.board.maps())
        self.export_button.setEnabled(ready and not faulty)
        self.export_button.setToolTip(
            f"First choose something else for {', '.join(faulty)}"
            if faulty
            else "Show what would be written, then do it in one go"
        )
        self.reroll_button.setEnabled(self.board.can_reroll)

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self.status.say("\n".join(problem.message for problem in problems), Severity.ERROR)
        self._enable()

    def _edit(self, battlemap: BattleMap, terrain: str) -> None:
        opened = self.chooser.current
        if opened is not None:
            source = GameSource(opened.path, self.variant_name, terrain)
            self.edit_wanted.emit(battlemap, source, terrain)

    # --- there and back ---------------------------------------------------------------------

    def export(self) -> None:
        """Show the plan for all maps; its button does it."""
        opened = self.chooser.current
        if opened is None or not self.export_button.isEnabled():
            return
        self._document.cancel_stroke()
        maps = {terrain: each.snapshot() for terrain, each in self.board.maps().items()}
        self.status.work("Planning the export...")
        work = planning_all(self._host, opened.game, self.variant_name, maps)
        self._plan_job.run(work, self._show_plan, self._complain)
        self._enable()

    def _show_plan(self, planned: tuple[ExportPlan, tuple[Problem, ...]]) -> None:
        self._say_ready()
        self.dialog = VariantExportDialog(self._host, *planned, self)
        self.dialog.exported.connect(self._exported)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def _exported(self, receipt: ExportReceipt) -> None:
        self._receipt = receipt
        if self.new_variant:
            self._settings.set_variant_choices(receipt.variant, self._settings.variant_choices(NEW))
            self._shown = (receipt.variant, tuple(row.terrain for row in self.board.rows))
        count = len(receipt.terrains)
        words = f"Exported {counted(count, 'map')} to {receipt.variant}"
        self._written(f"{words} (File > Take back an export undoes it).")

    def take_back(self) -> None:
        """Undo the export that this window did last."""
        if self._receipt is None or self._back_job.busy:
            return
        self.status.work("Taking the export back...")
        work = taking_back(self._host, self._receipt.path)
        self._back_job.run(work, self._taken_back, self._complain)
        self._enable()

    def _taken_back(self, _receipt: ExportReceipt) -> None:
        self._receipt = None
        self._written("The export was taken back: the game is as it was before.")

    def _written(self, words: str) -> None:
        self.take_back_button.setVisible(self._receipt is not None)
        self._news = words
        self.said.emit(words)
        self.chooser.reload()

    # --- the window's life ------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Maps may have been opened or changed meanwhile."""
        super().showEvent(event)
        self.board.redraw()

    def changeEvent(self, event: QEvent) -> None:
        """The colours of the system are others."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.board.draw_icons()
            self.colours_changed.emit()
