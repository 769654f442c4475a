"""The window of a whole group: a row for each of its slots, rolled and exported together.

The rows are the ``board``. The window chooses their group, remembers in the settings what was
chosen for them, and exports their maps (``exporter``). From a choice to the export::

    choice.changed -> _show_group           the board gets a row for each slot; the maps are read
    board.choices_changed -> _remember      a script, seed or lock was chosen
    board.rows_changed -> _update_state     a map was made, or is to be made again
    export_button -> export                 a plan, and a dialog that shows it
    exporter.exported -> _on_exported       the dialog has written the files of the game

A group that the game does not have yet is *new*: it is chosen by the entry "New ..." of the list,
gets the slots of the game's first group, and has a name as soon as it is exported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QWidget
from shiboken6 import isValid

from app.desk.desk import Desk
from app.document.open_map import OpenMap
from app.features.game.exporting import TAKEN_BACK
from app.features.game.game_chooser import GameChooser, offer_manual
from app.features.game.game_folder import GameFolder
from app.features.game.group.board import GroupBoard
from app.features.game.group.group_export import GroupExporter
from app.features.game.group.rolls import choices_of_text, text_of_choices
from app.features.game.group.rows import DRAWN_SIZE
from app.features.game.level_choice import GroupChoice
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games.export_plan import ExportPlan
from randomizer.games.slots import MapGroup
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, Severity

BUSY_AFTER_MS = 120
"""Rolls that take longer, in milliseconds, show their progress; most are over before."""

MIN_GROUP_LETTERS = 18
"""The list of the groups is at least so many letters wide."""

WINDOW_SIZE = QSize(1120, 860)
"""The size of the window when it is first opened, in logical pixels."""


class ShownGroup(NamedTuple):
    """The group for which the board has rows."""

    key: str
    """The name of the group in the settings: its own, or for a new one the entry "New ..."."""

    slots: tuple[str, ...]
    """The names of its slots."""


class GroupWindow(QDialog):
    """A window beside the desk; closing it only hides it."""

    def __init__(self, desk: Desk, game_folder: GameFolder, thumbnails: MapThumbnails) -> None:
        """Make the window for the groups of a game; ``thumbnails`` are of ``DRAWN_SIZE``."""
        super().__init__(desk.frame)
        self._desk = desk
        self._thumbnails = thumbnails
        self._game_folder = game_folder
        self._level = game_folder.group_level
        self._system = game_folder.host.system
        self._settings = desk.settings
        self._shown_group: ShownGroup | None = None
        """The group for which the board has rows; None until a group was shown."""
        self._export_message = ""
        """The result of the last export, "" once anything was chosen after it."""
        self.setWindowTitle(f"Whole {self._level.name} of {game_folder.host.title}")
        self.exporter = GroupExporter(game_folder, self)
        self._make_widgets()
        self._make_buttons()
        self._lay_out()
        self._connect()
        offer_manual(self, desk.commands)
        self._disable_board()

    # --- construction -----------------------------------------------------------------------

    def _make_widgets(self) -> None:
        """Make the choice of the game and of the group, the board, the status and the progress."""
        self.chooser = GameChooser(self._game_folder)
        tip = f"Whose {self._game_folder.host.map_noun}s are rolled"
        self.choice = GroupChoice(self._game_folder, tip, self)
        self.choice.box.setMinimumContentsLength(MIN_GROUP_LETTERS)
        self.board = GroupBoard(
            self._game_folder,
            self.choice,
            self._settings,
            self._desk.document,
            self._thumbnails,
        )
        self.status = DialogStatus("What goes on")
        self.progress = described(QProgressBar(), "Progress of the rolls")
        self.cancel_button = self._button("&Cancel", self.board.stop_rolling, "Stop rolling")
        self.rolling = QWidget()
        """The progress and its button, shown while rolls take long."""
        lay_out(QHBoxLayout(self.rolling), self.progress, self.cancel_button, margins=0)
        self.rolling.hide()
        self._busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        """Runs from the beginning of rolls until their progress is shown."""

    def _make_buttons(self) -> None:
        """Make the buttons of the whole group."""
        tip_on_rolling = "The next map of each row that is not locked (Ctrl+R)"
        self.roll_button = self._button("&Roll all", self.board.roll_all, tip_on_rolling)
        self.take_back_button = self._button(
            "&Take this export back", self._take_back, "The game is as it was before"
        )
        self.take_back_button.hide()
        self.export_button = self._button("&Export all...", self.export)
        self.close_button = self._button("Close", self.close, "Choices and seeds are remembered")

    def _button(self, text: str, call: Callable[[], object], tip: str = "") -> QPushButton:
        """Return a button that calls ``call``; if that is a coroutine function it is run."""
        button = described(QPushButton(text, autoDefault=False), tip=tip)
        connect(button.clicked, lambda _checked=False: call())
        return button

    def _lay_out(self) -> None:
        """Lay out the game and the group above the board, the status and the buttons below it."""
        choice_widgets: list[QWidget] = []
        for labelled_field in self.choice.labelled_fields:
            choice_widgets += [labelled_field.label, labelled_field.field]
        head = lay_out(QHBoxLayout(), *choice_widgets, STRETCH, self.roll_button)
        buttons = (self.take_back_button, self.export_button, self.close_button)
        foot = lay_out(QHBoxLayout(), (self.status, 1), self.rolling, *buttons)
        middle = (self.chooser, head, (self.board, 1))
        lay_out_dialog(self, *middle, foot=(foot,), size=WINDOW_SIZE)

    def _connect(self) -> None:
        """Connect the game's folder, the group, the board, the exporter and the theme."""
        connect(self._game_folder.opened, self._list_groups)
        connect(self._game_folder.lost, self._disable_board)
        connect(self._game_folder.maps_read, self._show_maps_of_game)
        connect(self.choice.changed, self._show_group)
        connect(self.choice.name.textChanged, lambda _name: self._update_state())
        connect(self.board.choices_changed, self._remember)
        connect(self.board.rows_changed, self._update_state)
        connect(self.board.edit_requested, self._edit_map)
        connect(self.board.job.progressed, self.progress.setValue)
        connect(self.board.job.busy_changed, self._on_rolling)
        connect(self._busy_timer.timeout, self.rolling.show)
        connect(self.exporter.work_began, self._on_export_work_began)
        connect(self.exporter.work_ended, self._on_export_work_ended)
        connect(self.exporter.exported, self._on_exported)
        connect(self._desk.theme.changed, self._redraw)
        connect(QShortcut(QKeySequence("Ctrl+R"), self).activated, self.board.roll_all)

    # --- the game and its groups ----------------------------------------------------------

    def _disable_board(self) -> None:
        """Disable the board as long as no folder of the game is open."""
        self.board.setEnabled(False)
        self._update_buttons()

    def _list_groups(self) -> None:
        """Offer the groups of the game, of which the one of the last time is chosen.

        If the user has named the folder of a group, that one is.
        """
        if self.isVisible():
            self.board.setEnabled(True)
            groups = (self._game_folder.named_folder, self._settings.map_group(self._system))
            self.choice.show_groups(*filter(None, groups))

    def _show_group(self) -> None:
        """Show rows for the chosen group, and read the maps that the game has for it."""
        group = self.choice.shown
        if group is None:
            return
        slots = tuple(slot.name for slot in group.slots)
        chosen_group = ShownGroup(self.choice.box.currentText(), slots)
        if chosen_group != self._shown_group:
            self._fill_board(chosen_group, group)
        self.status.show_working(
            f"Reading the {self._game_folder.host.map_noun}s of {group.name}..."
        )
        self._game_folder.read_maps(group)

    def _fill_board(self, chosen_group: ShownGroup, group: MapGroup) -> None:
        """Make the rows of another group, with the choices that were remembered for it."""
        self._shown_group = chosen_group
        self._settings.set_map_group(self._system, chosen_group.key)
        remembered = self._settings.group_choices(self._system, chosen_group.key)
        self.board.fill(group.slots, choices_of_text(remembered))
        # The keyboard leaves the path of the game, which needs no more typing.
        if self.focusWidget() in (None, self.chooser.line) and self.board.rows:
            self.board.rows[0].source_box.setFocus()

    def _show_maps_of_game(self, group_name: str) -> None:
        """Show the maps of a group that were read from the game, if that group is shown."""
        group = self.choice.shown
        maps = self._game_folder.maps(group_name)
        if self.isVisible() and group and group.name == group_name and maps is not None:
            self.board.show_maps(maps)
            self._update_state()

    def _remember(self) -> None:
        """Remember the choices and seeds of the group for the next time."""
        self._export_message = ""
        if self._shown_group is not None:
            self._store_choices(self._shown_group.key)

    def _store_choices(self, key: str) -> None:
        """Store the choices and seeds of the rows in the settings, as those of a group."""
        choices = text_of_choices(self.board.choices_to_remember())
        self._settings.set_group_choices(self._system, key, choices)

    # --- state ------------------------------------------------------------------------------

    def _on_rolling(self, is_busy: bool) -> None:
        """Show the progress of rolls that take long, and hide it at their end."""
        self.progress.setValue(0)
        if is_busy:
            self._busy_timer.start()
        else:
            self._busy_timer.stop()
            self.rolling.hide()

    def _update_state(self) -> None:
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
        self.export_button.setEnabled(self._can_export)
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
        if self._game_folder.game is None:
            return False
        if self.board.has_pending_rows or self.exporter.is_busy:
            return False
        return bool(self.board.new_maps()) and not self.board.faulty_slots()

    # --- exporting and taking back ----------------------------------------------------------

    async def export(self) -> None:
        """Plan the export of all maps and show the plan in a dialog, whose button carries it out.

        Nothing happens while nothing can be exported, or while something is under way.
        """
        if not self._can_export:
            return
        self._desk.document.cancel_stroke()
        try:
            plan = await self.exporter.make_plan(
                self.choice.title,
                self.board.new_maps(),
                is_for_players=self._desk.renderer.overlays.players,
            )
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        try:
            await self.exporter.show_plan(plan)
        finally:
            if isValid(self):
                self._update_buttons()

    async def _take_back(self) -> None:
        """Undo the last export; its button is hidden if there is none."""
        try:
            await self.exporter.take_back()
        except ProblemError as reason:
            self.status.complain(reason.problems)
        else:
            self._report_result(TAKEN_BACK)

    def _on_export_work_began(self, text: str) -> None:
        """Say that an export is planned or taken back."""
        self.status.show_working(text)
        self._update_buttons()

    def _on_export_work_ended(self) -> None:
        """Say again what can be exported."""
        self.status.say("")
        self._update_state()

    def _on_exported(self, plan: ExportPlan) -> None:
        """Say that the maps were exported; a new group has a name now."""
        if self.choice.is_new:
            self._name_new_group(plan.group)
        text = f"Exported {counted(len(plan.slots), 'map')} to {plan.group}"
        self._report_result(f"{text} (File > Bring back > Take back an export undoes it).")

    def _name_new_group(self, name: str) -> None:
        """Let the rows and choices of the entry "New ..." be those of the group of this name.

        The folder of the game is being read again. When the group is listed, it is chosen, and its
        rows stay as they are: ``_show_group`` finds them shown already.
        """
        assert self._shown_group is not None, "what was exported is shown"
        self._shown_group = self._shown_group._replace(key=name)
        self._settings.set_map_group(self._system, name)
        self._store_choices(name)

    def _report_result(self, text: str) -> None:
        """Tell of an export that was done or taken back, here and in the desk's status bar."""
        self.take_back_button.setVisible(self.exporter.can_take_back)
        self._export_message = text
        self._update_state()
        self._desk.say(text)

    # --- showing and leaving the window -----------------------------------------------------

    def bring_up(self) -> None:
        """Show this window as it was when it was closed, above the others."""
        self.show()
        self.raise_()
        self.activateWindow()

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Show maps and colours as they are now: they may have changed meanwhile."""
        super().showEvent(event)
        self._redraw()
        self._game_folder.forget_named_folder()
        if self._game_folder.game is not None:
            self._list_groups()
        self._game_folder.refresh()

    def _redraw(self) -> None:
        """Draw all rows again, in the present theme and for the present screen."""
        if self.isVisible():
            self._thumbnails.set_size(DRAWN_SIZE, self._desk.frame.devicePixelRatioF())
            self.board.redraw()

    def _edit_map(self, open_map: OpenMap) -> None:
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
