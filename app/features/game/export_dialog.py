"""The dialog *Export to game*: it writes the current map where the game loads it.

``ExportForm`` asks what is exported, and to where. Each choice makes a new plan
(``_schedule_plan``, then ``make_plan``), which says what will be written and replaced. The button
of ``PlanDialog`` carries it out, and another one takes it back.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.document.document import MapDocument
from app.document.open_map import GameSource, MapState
from app.features.game.captioned_thumbnail import CaptionedThumbnail
from app.features.game.export_form import ExportForm
from app.features.game.exporting import TAKEN_BACK, TAKING_BACK, GameExport
from app.features.game.game_chooser import GameChooser
from app.features.game.game_folder import GameFolder
from app.features.game.game_maps import SlotMap
from app.features.game.plan_dialog import PlanDialog
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.layout.builders import described, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games.export_plan import ExportPlan
from randomizer.languages.language import SourceText
from randomizer.model.problems import Problem, ProblemError

PLAN_DELAY_MS = 120
"""The milliseconds between the last letter of a name and the new plan."""

NO_PLAN = "What the export will write appears here."
"""What the place of the plan says while there is no plan."""

PLANNING = "Working out what the export will do ..."
"""What it says while a plan is made: a large map of 0 A.D. takes seconds."""


class ExportDialog(PlanDialog):
    """Shows the plan of an export while it is chosen; nothing is written before the button.

    It exports the map that is current when it is made, whichever is current later, or the script
    that this map shows.

    ``PlanDialog`` has the view of the plan and the buttons, and calls these methods of this class:
    ``show_export`` when the plan was carried out, ``show_failure`` when it could not be, and
    ``set_writing`` at the beginning and the end of writing. This class gives it plans
    (``show_plan``).
    """

    reported = Signal(str)
    """A message for the status bar of the desk."""

    export_as_asked = Signal()
    """The map should be written to a file of another format instead."""

    def __init__(
        self,
        game_folder: GameFolder,
        document: MapDocument,
        thumbnails: MapThumbnails,
        parent: QWidget | None = None,
        script: SourceText | None = None,
    ) -> None:
        """``script`` is that of the current map, None if the game rolls no such scripts."""
        close = QDialogButtonBox.StandardButton.Close
        super().__init__(GameExport(game_folder), "&Export", close, parent)
        self.setWindowTitle(f"Export to {game_folder.host.title}")
        self.game_folder = game_folder
        self.document = document
        self._exported_map = document.current_map
        self._thumbnails = thumbnails
        self._source_before: GameSource | None = None
        """The source that the map had before its export, which taking back gives it again."""
        self._exported_state_before: MapState | None = None
        """Its ``OpenMap.exported_state`` before the export, likewise."""
        self._plan_timer = QTimer(self, singleShot=True)
        """Makes a new plan when nothing was chosen or typed for a while."""
        connect(self._plan_timer.timeout, self.make_plan)
        self.chooser = GameChooser(game_folder, for_export=True)
        self.form = ExportForm(game_folder, self._exported_map, script)
        self.map_in_game = CaptionedThumbnail(
            thumbnails, "The map in the game now", "In the game now"
        )
        self.exported_map = CaptionedThumbnail(thumbnails, "The map to be exported", "This map")
        self.take_back_button = self._make_take_back_button()
        tip = "Close this and choose the format and the file"
        self.export_as_button = described(QPushButton("Export as...", autoDefault=False), tip=tip)
        self._lay_out()
        connect(game_folder.maps_read, self._show_maps)
        connect(self.form.changed, self._on_changed)
        connect(self.form.name_typed, lambda: self._schedule_plan(PLAN_DELAY_MS))
        connect(self.take_back_button.clicked, self.take_back)
        connect(self.export_as_button.clicked, self.export_as_asked)
        self._show_nothing()
        game_folder.follow(self._show_groups, self._show_nothing)

    @property
    def folder_of_further_files(self) -> Path | None:
        """The folder in which *Export as* begins; None for the one of the last file."""
        game = self.game_folder.game
        if game is None:
            return None
        return self.game_folder.host.folder_of_further_files(game, self.form.group_choice.title)

    # --- construction -----------------------------------------------------------------------

    def _make_take_back_button(self) -> QPushButton:
        """Return the button that is shown once something was exported."""
        button: QPushButton = self.buttons.addButton(
            "&Take this export back", QDialogButtonBox.ButtonRole.ResetRole
        )
        button.setAutoDefault(False)
        button.setToolTip("Restore what the export replaced, remove what was new")
        button.hide()
        return button

    def _lay_out(self) -> None:
        """Put the form and the plan left of the pictures, the problems and buttons below."""
        self.plan_view.setPlaceholderText(NO_PLAN)
        self.plan_view.setMinimumHeight(110)
        self.problem_list.setMaximumHeight(130)

        # Between plan and foot, for games of which Export as writes further files.
        further_text = self.game_folder.host.further_files
        further_files = plain_label(further_text, wordWrap=True)
        further_row = lay_out(QHBoxLayout(), (further_files, 1), self.export_as_button, margins=0)
        for widget in (further_files, self.export_as_button):
            widget.setVisible(bool(further_text))

        left = lay_out(QVBoxLayout(), self.form, (self.plan_view, 1), further_row)
        pictures = lay_out(QHBoxLayout(), self.map_in_game, self.exported_map)
        pictures.setContentsMargins(6, 0, 0, 0)
        middle = lay_out(QHBoxLayout(), (left, 1), pictures)
        foot = (self.status, self.buttons)
        size = QSize(940, 520)
        lay_out_dialog(self, self.chooser, (middle, 1), self.problem_list, foot=foot, size=size)

    # --- the folder of the game -------------------------------------------------------------

    def _show_nothing(self) -> None:
        """Show no plan and no maps, as long as no folder of the game is open."""
        self._cancel_plan()
        self.form.show_nothing()
        self.plan_view.clear()
        self.show_plan(())
        self.map_in_game.show_nothing()
        self.exported_map.show_nothing()

    def _show_groups(self) -> None:
        """Offer the groups of the game that was opened."""
        self.form.show_groups()
        # Whoever types the path of a game goes on typing; else the keys choose a slot.
        was_path_typed = self.chooser.was_path_entered
        if not was_path_typed and self.focusWidget() in (None, self.chooser.line):
            self.form.slot_choice.box.setFocus()

    def _on_changed(self) -> None:
        """Plan the export again; only a map has pictures."""
        is_map = not self.form.exports_script
        self.map_in_game.setVisible(is_map)
        self.exported_map.setVisible(is_map)
        self._schedule_plan(0)

    # --- the plan ---------------------------------------------------------------------------

    def _cancel_plan(self) -> None:
        """Drop the plan, also one that is being made: it would be one for earlier choices."""
        self._plan_timer.stop()
        self.game_export.drop_plan()
        self.export_button.setEnabled(False)

    def _schedule_plan(self, delay_ms: int) -> None:
        """Make a new plan after some milliseconds, unless something else is chosen meanwhile.

        The old plan goes at once: it would name files that will not be written.
        """
        self._cancel_plan()
        self.plan_view.setPlaceholderText(PLANNING)
        self.plan_view.clear()
        self.problem_list.setEnabled(False)
        self._plan_timer.start(delay_ms)

    async def make_plan(self) -> None:
        """Plan the export into the group and slot that are chosen now, and show the plan."""
        self._plan_timer.stop()
        form = self.form
        slot = form.slot_choice.title
        group = form.group_choice.shown
        if group is None or not slot:
            self._display_plan()
            return
        self.game_export.version = form.version.currentText()
        script = form.script_to_export
        if script is None:
            self.game_folder.read_maps(group)
            maps = {slot: self._exported_map.battlemap}
            await self.game_export.make_plan(form.group_choice.title, maps)
        else:
            await self.game_export.make_script_plan(form.group_choice.title, slot, script)
        if isValid(self):  # else the dialog was destroyed with its window
            self._display_plan()

    def _display_plan(self) -> None:
        """Show the plan; faults of a new name stand below the fields, not in the list."""
        self.plan_view.setPlaceholderText(NO_PLAN)
        self.problem_list.setEnabled(True)
        problems = self.game_export.problems
        name_faults = []
        if self.form.has_new_name:
            name_faults = [problem for problem in problems if problem.code == "bad-name"]
        if name_faults:
            self.form.show_name_fault(name_faults[0].message)
        else:
            self.form.show_name_fault("")
        self.show_plan(problem for problem in problems if problem not in name_faults)

    # --- the pictures -----------------------------------------------------------------------

    def _show_maps(self, group_name: str) -> None:
        """Show the map that the game has in the slot now, beside the new one."""
        form = self.form
        group = form.group_choice.shown
        maps = self.game_folder.maps(group_name)
        if group is None or group.name != group_name or maps is None:
            return
        game_map = SlotMap()  # none
        if not form.has_new_empty_group:
            game_map = maps.get(form.slot_choice.title, game_map)
        text_without_map = "no map yet"
        if game_map.digest:
            text_without_map = "a map that cannot be shown"
        self.map_in_game.picture.show_map(game_map.digest, game_map.battlemap, text_without_map)
        self.exported_map.picture.show_tab(self.document, self._exported_map)

        self.map_in_game.caption.setText(f"In {self._location_of_map(group_name)} now")
        self.map_in_game.caption.show()
        self.exported_map.caption.show()

    def _location_of_map(self, group_name: str) -> str:
        """Return where the map that the game has now is, whose group is shown.

        A new group has no maps yet: those of the game's first group are shown, and that is said.
        """
        is_chosen_group = group_name == self.form.group_choice.title
        if is_chosen_group or self.form.has_new_empty_group or not group_name:
            return "the game"
        return group_name

    # --- exporting and taking back ----------------------------------------------------------

    def set_writing(self, is_writing: bool) -> None:
        """Let nothing be pressed, and no other game be chosen, while files are being written."""
        super().set_writing(is_writing)
        self.chooser.setEnabled(not is_writing)

    def show_export(self, plan: ExportPlan) -> None:
        """Tell what was exported; the source of the map is the slot of the game from now on."""
        path = self.game_folder.path
        assert path is not None
        self._source_before = self._exported_map.source
        self._exported_state_before = self._exported_map.exported_state
        if not self.form.exports_script:
            is_new_to_the_game = self._source_before is None or self._source_before.is_export
            source = GameSource(path, plan.group, plan.slots[0], is_export=is_new_to_the_game)
            self.document.set_source(source, self._exported_map)
            self._exported_map.exported_state = self._exported_map.state
        undo = "File > Bring back > Take back an export undoes it"
        self.reported.emit(f"Exported to {plan.target} ({undo})")
        self._show_result(f"Exported to {plan.target}. {plan.how_to_play}".strip())

    async def take_back(self) -> None:
        """Undo the export that was done here."""
        receipt = self.game_export.receipt
        assert receipt is not None  # else the button is hidden
        try:
            with self.writing(TAKING_BACK):
                await self.game_export.take_back(receipt)
        except ProblemError as reason:
            self.show_failure(reason.problems)
            return
        self.document.set_source(self._source_before, self._exported_map)
        self._exported_map.exported_state = self._exported_state_before
        self.reported.emit(TAKEN_BACK)
        self._show_result(TAKEN_BACK)

    def _show_result(self, text: str) -> None:
        """Say what was done to the game's files; an export can be taken back then."""
        can_take_back = self.game_export.receipt is not None
        self.status.say(text)
        self.take_back_button.setVisible(can_take_back)
        if can_take_back:
            self.close_button.setFocus()

    def show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Say why nothing was written, and plan again."""
        super().show_failure(problems)
        self._schedule_plan(0)

    @guarded
    def done(self, result: int) -> None:
        """Close; while files are being written ``PlanDialog`` refuses to."""
        if not self.game_export.writing:
            self._cancel_plan()
            self._thumbnails.forget_requests()
        super().done(result)
