"""The window of a whole group: a row for each of its slots, rolled and exported together.

The rows are the ``board``. The window chooses their group, remembers in the settings what was
chosen for them, and exports their maps. What happens from a choice to the export::

    choice.changed -> _show_group        the board gets a row for each slot; the maps are read
    board.choices_changed -> _remember   a script, seed or lock was chosen
    board.rows_changed -> _show_state    a map was made, or is to be made again
    export_button -> export              a plan, a dialog that shows it, the files of the game

A group that the game does not have yet is *new*: it is chosen by the entry "New ..." of the list,
gets the slots of the game's first group, and has a name as soon as it is exported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

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
from app.features.game.game_chooser import GameChooser, offer_manual
from app.features.game.game_folder import GameFolder
from app.features.game.group.board import GroupBoard
from app.features.game.group.rolls import choices_of_text, text_of_choices
from app.features.game.group.rows import DRAWN_SIZE
from app.features.game.level_choice import GroupChoice
from app.features.game.plan_dialog import GroupExportDialog
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import ExportPlan, MapGroup
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity

BUSY_AFTER_MS = 120
"""Rolls that take longer, in milliseconds, show their progress; most are over before."""

MIN_GROUP_LETTERS = 18
"""The list of the groups is at least so many letters wide."""

WINDOW_SIZE = QSize(1120, 860)
"""The size of the window when it is first opened, in logical pixels."""


class ShownGroup(NamedTuple):
    """The group for which the board has rows."""

    entry: str
    """The entry of the list of groups: the name of the group, or "New ..."."""

    slots: tuple[str, ...]
    """The names of its slots."""


class GroupWindow(QDialog):
    """A window beside the desk; closing it only hides it.

    ``thumbnails`` gives those of a size, as the desk draws maps now and for the present screen.
    """

    def __init__(
        self, desk: Desk, game_folder: GameFolder, thumbnails: Callable[[QSize], MapThumbnails]
    ) -> None:
        super().__init__(desk.frame)
        self._desk = desk
        self._thumbnails_for_screen = thumbnails
        self._game_folder = game_folder
        self._level = game_folder.group_level
        self._system = game_folder.host.system
        self.setWindowTitle(f"Whole {self._level.name} of {game_folder.host.title}")
        self._settings = desk.settings
        self._shown_group: ShownGroup | None = None
        """The group for which the board has rows; None until a group was shown."""
        self._is_working = False
        """True while an export is planned or taken back (``_working``)."""
        self._export_message = ""
        """The result of the last export, "" once anything was chosen after it."""
        self.dialog: GroupExportDialog | None = None
        """The dialog that shows the plan of an export, once one was opened."""
        self.game_export = GameExport(game_folder)
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        """Runs from the beginning of rolls until their progress is shown."""
        self.chooser = GameChooser(game_folder)
        self._make_head()
        self.board = GroupBoard(
            game_folder, self.choice, desk.settings, desk.document, thumbnails(DRAWN_SIZE)
        )
        self._make_foot()
        offer_manual(self, desk.commands)
        self._connect()

    # --- construction -----------------------------------------------------------------------

    def _make_head(self) -> None:
        """Make the list of groups, and the field for the name of a new one."""
        tip = f"Whose {self._game_folder.host.map_noun}s are rolled"
        self.choice = GroupChoice(self._game_folder, tip, self)
        self.group = self.choice.box
        self.name = self.choice.name
        self.group.setMinimumContentsLength(MIN_GROUP_LETTERS)

    def _make_foot(self) -> None:
        """Make the status, the progress and the buttons, and lay out the whole window."""
        self.status = DialogStatus("What goes on")
        self.progress = described(QProgressBar(), "Progress of the rolls")
        self.cancel_button = self._button("&Cancel", self.board.stop_rolling, "Stop rolling")
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
        choice_widgets: list[QWidget] = []
        for labelled_field in self.choice.labelled_fields:
            choice_widgets += [labelled_field.label, labelled_field.field]
        head = lay_out(QHBoxLayout(), *choice_widgets, STRETCH, self.roll_button)
        buttons = (self.take_back_button, self.export_button, self.close_button)
        foot = lay_out(QHBoxLayout(), (self.status, 1), self.rolling, *buttons)
        middle = (self.chooser, head, (self.board, 1))
        lay_out_dialog(self, *middle, foot=(foot,), size=WINDOW_SIZE)

    def _button(self, text: str, call: Callable[[], object], tip: str = "") -> QPushButton:
        """Return a button that calls ``call``; if that is a coroutine function it is run."""
        button = described(QPushButton(text, autoDefault=False), tip=tip)
        connect(button.clicked, lambda _checked=False: call())
        return button

    def _connect(self) -> None:
        """Follow the game's folder, the choice of the group, the board and the theme."""
        connect(self._game_folder.opened, self._show_groups)
        connect(self._game_folder.lost, self._show_nothing)
        connect(self._game_folder.maps_read, self._show_maps)
        connect(self.choice.changed, self._show_group)
        connect(self.name.textChanged, lambda _name: self._show_state())
        connect(self.board.job.progressed, self.progress.setValue)
        connect(self.board.job.busy_changed, self._show_busy)
        connect(self.board.choices_changed, self._remember)
        connect(self.board.rows_changed, self._show_state)
        connect(self.board.edit_requested, self._make_current)
        connect(self._desk.theme.changed, self._redraw)
        connect(QShortcut(QKeySequence("Ctrl+R"), self).activated, self.board.roll_all)
        self._show_nothing()

    # --- the game and its groups ----------------------------------------------------------

    def _show_nothing(self) -> None:
        """Disable the board as long as no folder of the game is open."""
        self.board.setEnabled(False)
        self._update_buttons()

    def _show_groups(self) -> None:
        """Offer the groups of the game, of which the one of the last time is chosen.

        If the user has named the folder of a group, that one is.
        """
        if self.isVisible():
            self.board.setEnabled(True)
            groups = (self._game_folder.named_folder, self._settings.map_group(self._system))
            self.choice.show_groups(*filter(None, groups))

    def _show_group(self) -> None:
        """Fill the board for the chosen group unless it has its rows already; read its maps."""
        group = self.choice.shown
        if group is None:
            return
        entry = self.group.currentText()
        shown_group = ShownGroup(entry, tuple(slot.name for slot in group.slots))
        if shown_group != self._shown_group:
            self._shown_group = shown_group
            self._settings.set_map_group(self._system, entry)
            remembered = self._settings.group_choices(self._system, entry)
            self.board.fill(group.slots, choices_of_text(remembered))
            # The keyboard leaves the path of the game, which needs no more typing.
            if self.focusWidget() in (None, self.chooser.line) and self.board.rows:
                self.board.rows[0].source_box.setFocus()
        self.status.show_working(
            f"Reading the {self._game_folder.host.map_noun}s of {group.name}..."
        )
        self._game_folder.read_maps(group)

    def _show_maps(self, name: str) -> None:
        """Show the maps that were read of a group, if it is the one that is shown."""
        group = self.choice.shown
        maps = self._game_folder.maps(name)
        if self.isVisible() and group and group.name == name and maps is not None:
            self.board.show_maps(maps)
            self._show_state()

    def _remember(self) -> None:
        """Remember the choices and seeds of the group for the next time."""
        self._export_message = ""
        choices = text_of_choices(self.board.choices_to_remember())
        self._settings.set_group_choices(self._system, self.group.currentText(), choices)

    # --- state ------------------------------------------------------------------------------

    def _show_busy(self, busy: bool) -> None:
        """Show the progress of rolls that take long, and hide it at their end."""
        self.progress.setValue(0)
        if busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self.rolling.hide()

    def _show_state(self) -> None:
        """Enable the buttons, and say what can be exported once all maps are read and made."""
        self._update_buttons()
        group = self.choice.shown
        if group is None or self.board.has_pending_rows:
            return
        if self._game_folder.maps(group.name) is not None:
            self._say_what_can_be_exported(group)

    def _say_what_can_be_exported(self, group: MapGroup) -> None:
        """Say for which slots something else must be chosen, else how many maps can be exported."""
        faulty_slots = self.board.faulty_slots()
        if faulty_slots:
            text = f"{', '.join(faulty_slots)}: choose something else, or leave it as it is."
            self.status.say(text, Severity.ERROR)
            return
        # After an export its result stands there until something else is chosen.
        text = self._export_message
        if not text:
            map_count = len(self.board.new_maps())
            text = f"{counted(map_count, 'map')} to export to {self.choice.title}."
        # What is wrong with the files of the group comes after it.
        if group.problems:
            problem = group.problems[0]
            self.status.say(f"{text} {problem.message}.", problem.severity)
        else:
            self.status.say(text)

    def _update_buttons(self) -> None:
        """Enable the buttons for what can be done now."""
        self.export_button.setEnabled(self._can_export and not self._is_working)
        faulty_slots = self.board.faulty_slots()
        if faulty_slots:
            export_tip = f"First choose something else for {', '.join(faulty_slots)}"
        else:
            export_tip = "Show what would be written, then do it in one go"
        self.export_button.setToolTip(plain_text(export_tip))
        self.roll_button.setEnabled(self.board.can_roll)

    @property
    def _can_export(self) -> bool:
        """True if all rows have what was chosen for them, and there is a map to export."""
        is_busy = (
            self.board.has_pending_rows or self.game_export.planning or self.game_export.writing
        )
        has_target = self._game_folder.game is not None
        has_maps = bool(self.board.new_maps())
        return has_target and has_maps and not self.board.faulty_slots() and not is_busy

    def _show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Show why an export cannot be planned or taken back."""
        self.status.complain(problems)
        self._update_buttons()

    def _make_current(self, open_map: OpenMap) -> None:
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

    # --- exporting and taking back ----------------------------------------------------------

    async def export(self) -> None:
        """Plan the export of all maps and show the plan in a dialog, whose button carries it out.

        Nothing happens while nothing can be exported, or while something is under way.
        """
        if self._is_working or not self._can_export:
            return
        game_export = self.game_export
        self._desk.document.cancel_stroke()
        game_export.is_for_players = self._desk.renderer.overlays.players
        with self._working("Planning the export..."):
            await game_export.make_plan(self.choice.title, self.board.new_maps())
        plan = game_export.plan
        if plan is None:
            self._show_failure(game_export.problems)
            return
        if self.choice.is_new:
            self._remember_under_name(plan.group)
        self.dialog = GroupExportDialog(game_export, plan, self)
        try:
            code = await answer(self.dialog)
            if code == QDialog.DialogCode.Accepted:
                self._show_export(plan)
        finally:
            if isValid(self):
                self._update_buttons()

    def _remember_under_name(self, name: str) -> None:
        """Remember the choices of the entry "New ..." also under the name of the group.

        When the group is written, the folder of the game is read again and lists it by that name
        (``_show_groups``). The next time it is shown, these are its choices.
        """
        choices = self._settings.group_choices(self._system, self.group.currentText())
        self._settings.set_group_choices(self._system, name, choices)

    @contextmanager
    def _working(self, text: str) -> Iterator[None]:
        """Say ``text`` while the block runs, in which nothing can be exported.

        Raises Stopped at the end of the block if this window has been destroyed.
        """
        self.status.show_working(text)
        self._is_working = True
        self._update_buttons()
        try:
            yield
        finally:
            self._is_working = False
            if isValid(self):
                self.status.say("")
                self._show_state()
        if not isValid(self):
            raise Stopped

    def _show_export(self, plan: ExportPlan) -> None:
        """Say that the maps were exported; the rows are those of the group that now has them."""
        if self.choice.is_new:
            # The folder of the game is being read again. It will list the group by its name, which
            # is chosen then (``_show_group``): these rows are its rows already, and stay.
            slots = tuple(row.slot for row in self.board.rows)
            self._shown_group = ShownGroup(plan.group, slots)
            self._settings.set_map_group(self._system, plan.group)
        text = f"Exported {counted(len(plan.slots), 'map')} to {plan.group}"
        self._note_result(f"{text} (File > Bring back > Take back an export undoes it).")

    async def _take_back(self) -> None:
        """Undo the export that was done here last."""
        receipt = self.game_export.receipt
        assert receipt is not None, "without a receipt the button is hidden"
        try:
            with self._working(TAKING_BACK):
                await self.game_export.take_back(receipt)
        except ProblemError as reason:
            self._show_failure(reason.problems)
        else:
            self._note_result(TAKEN_BACK)

    def _note_result(self, text: str) -> None:
        """Tell of an export that was done or taken back, here and in the desk's status bar."""
        self.take_back_button.setVisible(self.game_export.receipt is not None)
        self._export_message = text
        self._show_state()
        self._desk.say(text)

    # --- showing the window -----------------------------------------------------------------

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Show maps and colours as they are now: they may have changed meanwhile."""
        super().showEvent(event)
        self._redraw()
        self._game_folder.forget_named_folder()
        if self._game_folder.game is not None:
            self._show_groups()
        self._game_folder.refresh()

    def _redraw(self) -> None:
        """Draw all rows again, in the present theme and for the present screen."""
        if self.isVisible():
            self._thumbnails_for_screen(DRAWN_SIZE)  # the board draws with the same object
            self.board.redraw()

    def bring_up(self) -> None:
        """Show this window as it was when it was closed, above the others."""
        self.show()
        self.raise_()
        self.activateWindow()
