"""A whole group at once: a row for each of its slots, rolled and exported together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QWidget,
)
from shiboken6 import isValid

from app.background.actions import Stopped, answer
from app.desk.desk import Desk
from app.document.open_map import OpenMap
from app.features.game.exporting import TAKEN_BACK, TAKING_BACK, GameExport
from app.features.game.game_chooser import GameChooser
from app.features.game.group.board import GroupBoard
from app.features.game.group.rolls import as_text, of_text
from app.features.game.group.rows import DRAWN
from app.features.game.level_choice import GroupChoice
from app.features.game.places import GamePlaces
from app.features.game.plan_dialog import GroupExportDialog
from app.qt_guard import connect, guarded
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import ExportPlan
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity

BUSY_AFTER_MS = 120
"""Rolls that take longer show their progress; most are over before."""


class GroupWindow(QDialog):
    """Beside the desk; closing it only hides it.

    ``thumbnails`` gives those of a size, as the desk draws maps now.
    """

    def __init__(
        self, desk: Desk, places: GamePlaces, thumbnails: Callable[[QSize], MapThumbnails]
    ) -> None:
        super().__init__(desk.frame)
        self._desk = desk
        self._thumbnails = thumbnails
        self._places = places
        self._level = places.group_level
        self._system = places.host.system
        self.setWindowTitle(f"Whole {self._level.name} of {places.host.title}")
        self._settings = desk.settings
        self._shown: tuple[str, tuple[str, ...]] | None = None
        self._news = ""
        self.dialog: GroupExportDialog | None = None
        self.game_export = GameExport(places)
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self.chooser = GameChooser(places)
        self._make_head()
        self.board = GroupBoard(
            places, self.choice, desk.settings, desk.document, thumbnails(DRAWN)
        )
        self._make_foot()
        self._connect()

    # --- construction -----------------------------------------------------------------------

    def _make_head(self) -> None:
        tip = f"Whose {self._places.host.map_noun}s are rolled"
        self.choice = GroupChoice(self._places, tip, self)
        self.group = self.choice.box
        self.name = self.choice.name
        self.group.setMinimumContentsLength(18)

    def _make_foot(self) -> None:
        self.status = DialogStatus("What goes on")
        self.progress = described(QProgressBar(), "Progress of the rolls")
        self.cancel_button = self._button("&Cancel", self.board.cancel, "Stop rolling")
        self.rolling = QWidget()
        lay_out(QHBoxLayout(self.rolling), self.progress, self.cancel_button, margins=0)
        self.rolling.hide()
        connect(self._busy_timer.timeout, self.rolling.show)
        self.roll_button = self._button(
            "&Roll all",
            self.board.roll_all,
            "The next map of each row that is not locked (Ctrl+R)",
        )
        self.take_back_button = self._button(
            "&Take this export back", self._take_back, "The game is as it was before"
        )
        self.take_back_button.hide()
        self.export_button = self._button("&Export all...", self.export)
        self.close_button = self._button("Close", self.close, "Choices and seeds are remembered")
        named = (widget for field in self.choice.fields for widget in field)
        head = lay_out(QHBoxLayout(), *named, STRETCH, self.roll_button)
        buttons = (self.take_back_button, self.export_button, self.close_button)
        foot = lay_out(QHBoxLayout(), (self.status, 1), self.rolling, *buttons)
        middle = (self.chooser, head, (self.board, 1))
        lay_out_dialog(self, *middle, foot=(foot,), size=QSize(1120, 860))

    def _button(self, text: str, do: Callable[[], object], tip: str = "") -> QPushButton:
        button = described(QPushButton(text, autoDefault=False), tip=tip)
        connect(button.clicked, lambda _checked=False: do())  # a coroutine is run
        return button

    def _connect(self) -> None:
        connect(self._places.opened, self._show_groups)
        connect(self._places.lost, self._show_nothing)
        connect(self._places.maps_read, self._show_maps)
        connect(self.choice.changed, self._show_group)
        connect(self.name.textChanged, lambda _name: self._say_ready())
        connect(self.board.job.progressed, self.progress.setValue)
        connect(self.board.job.busy_changed, self._show_busy)
        connect(self.board.choices_changed, self._remember)
        connect(self.board.maps_changed, self._say_ready)
        connect(self.board.edit_requested, self._go_to)
        connect(self._desk.theme.changed, self._redraw)
        connect(QShortcut(QKeySequence("Ctrl+R"), self).activated, self.board.roll_all)
        self._show_nothing()

    # --- the game and its groups ----------------------------------------------------------

    def _show_nothing(self) -> None:
        self.board.setEnabled(False)
        self._enable()

    def _show_groups(self) -> None:
        if self.isVisible():
            self.board.setEnabled(True)
            self.choice.show_groups(self._settings.group(self._system))

    def _show_group(self) -> None:
        group = self.choice.shown
        if group is None:
            return
        group_and_slots = (self.group.currentText(), tuple(slot.name for slot in group.slots))
        if group_and_slots != self._shown:
            self._shown = group_and_slots
            self._settings.set_group(self._system, group_and_slots[0])
            choices = of_text(self._settings.group_choices(self._system, group_and_slots[0]))
            self.board.fill(group.slots, choices)
            if self.focusWidget() in (None, self.chooser.line) and self.board.rows:
                self.board.rows[0].script.setFocus()
        self.status.work(f"Reading the {self._places.host.map_noun}s of {group.name}...")
        self._places.read_maps(group)

    def _show_maps(self, name: str) -> None:
        group = self.choice.shown
        maps = self._places.maps(name)
        if self.isVisible() and group and group.name == name and maps is not None:
            self.board.show_maps(maps)
            self._say_ready()

    def _remember(self) -> None:
        """Choices and seeds come back the next time."""
        self._news = ""
        choices = as_text(self.board.choices())
        self._settings.set_group_choices(self._system, self.group.currentText(), choices)

    # --- how things stand -------------------------------------------------------------------

    def _show_busy(self, busy: bool) -> None:
        self.progress.setValue(0)
        if busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self.rolling.hide()

    def _say_ready(self) -> None:
        """Say what would be exported, or what keeps it from that."""
        self._enable()
        group = self.choice.shown
        if group is None or self._places.maps(group.name) is None or self.board.waiting:
            return
        faulty = self.board.faulty()
        count = len(self.board.maps())
        if faulty:
            text = f"{', '.join(faulty)}: choose something else, or leave it as it is."
            self.status.say(text, Severity.ERROR)
            return
        text = self._news or f"{counted(count, 'map')} to export to {self.choice.title}."
        problem = next(iter(group.problems), None)
        if problem is None:
            self.status.say(text)
        else:
            self.status.say(f"{text} {problem.message}.", problem.severity)

    def _enable(self) -> None:
        faulty = self.board.faulty()
        busy = self.board.waiting or self.game_export.planning or self.game_export.writing
        can_export = self._places.game is not None and not busy and bool(self.board.maps())
        self.export_button.setEnabled(can_export and not faulty)
        self.export_button.setToolTip(
            plain_text(
                f"First choose something else for {', '.join(faulty)}"
                if faulty
                else "Show what would be written, then do it in one go"
            )
        )
        self.roll_button.setEnabled(self.board.can_roll)

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self.status.complain(problems)
        self._enable()

    def _go_to(self, open_map: OpenMap) -> None:
        """Make a map the current one; this window makes way if it lies over the desk."""
        desk = self._desk
        desk.document.make_current(open_map)
        if self.frameGeometry().intersects(desk.frame.frameGeometry()):
            self.hide()
            name = desk.document.name_of(open_map)
            desk.say(
                f"Edit {name} here; File > {desk.games.group_title()}... goes back and exports it"
            )
        desk.frame.activateWindow()

    # --- there and back ---------------------------------------------------------------------

    async def export(self) -> None:
        """Show the plan for all maps; its button does it."""
        if not self.export_button.isEnabled():
            return
        game_export = self.game_export
        self._desk.document.cancel_stroke()
        game_export.players = self._desk.renderer.overlays.players
        with self._working("Planning the export..."):
            await game_export.make_plan(self.choice.title, self.board.maps())
        plan = game_export.plan
        if plan is None:
            self._complain(game_export.problems)
            return
        if self.choice.is_new:  # it is listed, and filled, as soon as it is written
            new = self.group.currentText()
            choices = self._settings.group_choices(self._system, new)
            self._settings.set_group_choices(self._system, plan.group, choices)
        self.dialog = GroupExportDialog(game_export, plan, self)
        try:
            code = await answer(self.dialog)
            if code == QDialog.DialogCode.Accepted:
                self._show_export(plan)
        finally:
            if isValid(self):
                self._enable()

    @contextmanager
    def _working(self, text: str) -> Iterator[None]:
        """Say what is done in the block; meanwhile nothing can be exported."""
        self.status.work(text)
        self.export_button.setEnabled(False)
        try:
            yield
        finally:
            if isValid(self):
                self.status.say("")
                self._say_ready()
        if not isValid(self):
            raise Stopped

    def _show_export(self, plan: ExportPlan) -> None:
        if self.choice.is_new:
            self._shown = (plan.group, tuple(row.slot for row in self.board.rows))
        text = f"Exported {counted(len(plan.slots), 'map')} to {plan.group}"
        self._written(f"{text} (File > Bring back > Take back an export undoes it).")

    async def _take_back(self) -> None:
        """Undo the export that was done here last."""
        receipt = self.game_export.receipt
        assert receipt is not None  # else the button is hidden
        try:
            with self._working(TAKING_BACK):
                await self.game_export.take_back(receipt)
        except ProblemError as reason:
            self._complain(reason.problems)
        else:
            self._written(TAKEN_BACK)

    def _written(self, text: str) -> None:
        self.take_back_button.setVisible(self.game_export.receipt is not None)
        self._news = text
        self._desk.say(text)

    # --- the window's life ------------------------------------------------------------------

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Show maps and colours as they are now: they may have changed meanwhile."""
        super().showEvent(event)
        self._redraw()
        if self._places.game is not None:
            self._show_groups()
        self._places.refresh()

    def _redraw(self) -> None:
        if self.isVisible():
            self._thumbnails(DRAWN)  # at the ratio of the screen that the window is on now
            self.board.redraw()

    def come(self) -> None:
        """Show this window as it was left, above the others."""
        self.show()
        self.raise_()
        self.activateWindow()
