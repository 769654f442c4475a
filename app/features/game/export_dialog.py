"""The dialog *Export to game*: it writes the current map where the game loads it.

The group and the slot are chosen at the top; each choice makes a new plan (``_plan_soon``, then
``make_plan``), which says what will be written and replaced. The button of ``PlanDialog`` carries
it out, and another one takes it back.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.document.document import MapDocument
from app.document.map_names import title_of
from app.document.open_map import GameSource
from app.features.game.exporting import TAKEN_BACK, TAKING_BACK, GameExport
from app.features.game.game_chooser import GameChooser
from app.features.game.game_folder import GameFolder
from app.features.game.game_maps import SlotMap
from app.features.game.level_choice import GroupChoice, LevelChoice
from app.features.game.plan_dialog import PlanDialog
from app.features.game.thumbnail_label import ThumbnailLabel
from app.qt_guard import connect, guarded
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.scripts.script import UNTITLED
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import ExportPlan
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity

SCRIPT_ROW = 1
"""The row of the script in the list of what can be exported; the first one is the map."""

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
        self._script = script
        self._thumbnails = thumbnails
        self._source_before: GameSource | None = None
        """The source that the map had before its export, which taking back gives it again."""
        self._plan_timer = QTimer(self, singleShot=True, interval=PLAN_DELAY_MS)
        connect(self._plan_timer.timeout, self.make_plan)
        self.chooser = GameChooser(game_folder, for_export=True)
        self._make_choices()
        self._make_pictures()
        self._lay_out()
        self._connect()
        self._show_nothing()
        game_folder.show_in(self._show_groups, self._show_nothing)

    @property
    def folder_of_further_files(self) -> Path | None:
        """The folder in which *Export as* begins; None for the one of the last file."""
        game = self.game_folder.game
        if game is None:
            return None
        return self.game_folder.host.folder_of_further_files(game, self.choice.title)

    @property
    def _script_to_export(self) -> SourceText | None:
        """The script, if that is chosen to be exported; None if the map is."""
        if self.content.currentIndex() == SCRIPT_ROW:
            return self._script
        return None

    # --- construction -----------------------------------------------------------------------

    def _make_choices(self) -> None:
        """Make the lists and fields: what is exported, and into which group and slot."""
        game_folder = self.game_folder
        tip = "The map as you see it, or the script by which the game makes a new map each time"
        self.content = described(pass_wheel_on(QComboBox()), "What to export", tip)
        # The name of a script can be long: the pictures beside the list keep their place.
        self.content.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.content.addItem(f"This {game_folder.host.map_noun}, always the same")
        if self._script is not None:
            self.content.addItem(f"The script {self._script.name}: a new map in each match")
        tip = (
            f"Which {game_folder.group_level.name} of the game gets the {game_folder.host.map_noun}"
        )
        self.choice = GroupChoice(game_folder, tip, self)
        self.group = self.choice.box
        self.name = self.choice.name
        tip = (
            f"The {game_folder.slot_level.name} whose {game_folder.host.map_noun} this map becomes"
        )
        # The label of a group's name is "&Name:", whose letter is taken in this dialog.
        self.slot_choice = LevelChoice(
            game_folder.slot_level, tip, self, "Na&me:", prefers_new=True
        )
        self.slot = self.slot_choice.box
        self.slot_name = self.slot_choice.name
        self._suggest_name()
        self.name_fault = DialogStatus("What is wrong with the name")
        tip = "The version of the game that you play; it says in which form the files are written"
        self.version = described(pass_wheel_on(QComboBox()), "Version", tip)

    def _suggest_name(self) -> None:
        """Begin the name of a new slot with that of the map's file or of the script, if it has one.

        A script without a name gets that of the map's file. A name that was typed stays.
        """
        if self.slot_name.isModified():
            return
        stem = ""
        path = self._exported_map.path
        if path is not None:
            stem = path.stem
        script = self._script_to_export
        if script is not None:
            stem_of_script = PurePath(script.name).stem
            if stem_of_script != UNTITLED:
                stem = stem_of_script
        suggested_name = ""
        if stem != UNTITLED:
            suggested_name = self.game_folder.host.name_of_new_slot(stem)
        self.slot_name.setText(suggested_name or self.game_folder.slot_level.new)

    def _make_pictures(self) -> None:
        """Make the pictures of both maps with their captions, and the further buttons."""
        size = self._thumbnails.size
        self.pictures = {
            "now": ThumbnailLabel(self._thumbnails, size, "The map in the game now"),
            "new": ThumbnailLabel(self._thumbnails, size, "The map to be exported"),
        }
        self.captions = {"now": plain_label("In the game now"), "new": plain_label("This map")}
        for caption in self.captions.values():
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            caption.setWordWrap(True)
        self.take_back_button: QPushButton = self.buttons.addButton(
            "&Take this export back", QDialogButtonBox.ButtonRole.ResetRole
        )
        self.take_back_button.setAutoDefault(False)
        self.take_back_button.setToolTip("Restore what the export replaced, remove what was new")
        self.take_back_button.hide()
        tip = "Close this and choose the format and the file"
        self.export_as_button = described(QPushButton("Export as...", autoDefault=False), tip=tip)

    def _lay_out(self) -> None:
        """Put the form and the plan left of the pictures, the problems and buttons below."""
        self.plan_view.setPlaceholderText(NO_PLAN)
        self.plan_view.setMinimumHeight(110)
        self.problem_list.setMaximumHeight(130)
        self._lay_out_form()

        # Between plan and foot, for games of which Export as writes further files.
        further_text = self.game_folder.host.further_files
        further_files = plain_label(further_text, wordWrap=True)
        further_row = lay_out(QHBoxLayout(), (further_files, 1), self.export_as_button, margins=0)
        for widget in (further_files, self.export_as_button):
            widget.setVisible(bool(further_text))

        left = lay_out(QVBoxLayout(), self._form, (self.plan_view, 1), further_row)
        pictures = QHBoxLayout()
        for key in ("now", "new"):
            column = lay_out(QVBoxLayout(), self.pictures[key], self.captions[key], STRETCH)
            pictures.addLayout(column)
        pictures.setContentsMargins(6, 0, 0, 0)
        middle = lay_out(QHBoxLayout(), (left, 1), pictures)
        foot = (self.status, self.buttons)
        size = QSize(940, 520)
        lay_out_dialog(self, self.chooser, (middle, 1), self.problem_list, foot=foot, size=size)

    def _lay_out_form(self) -> None:
        """Make the form: what is exported, if that can be chosen, the group and its name, if the
        game has groups, then the slot and its name, and below all fields what is wrong with a name.
        """
        choices: list[LevelChoice] = [self.slot_choice]
        if self.game_folder.grouped:
            choices.insert(0, self.choice)
        self._form = QFormLayout()
        self._form.addRow("&What:", self.content)
        self._form.setRowVisible(self.content, self._script is not None)
        for choice in choices:
            for label, field in choice.fields:
                self._form.addRow(label, field)
        self._form.addRow("&Version:", self.version)
        self._form.setRowVisible(self.version, False)
        # The last row: no field moves under the hand that types a name.
        self._form.addRow("", self.name_fault)

    def _connect(self) -> None:
        """Follow the folder of the game and the choices, and connect the buttons."""
        connect(self.game_folder.maps_read, self._show_maps)
        connect(self.content.currentIndexChanged, lambda _row: self._content_changed())
        connect(self.choice.changed, self._group_changed)
        connect(self.slot_choice.changed, lambda: self._plan_soon(0))
        for name in (self.name, self.slot_name):
            connect(name.textChanged, lambda _text: self._plan_soon(PLAN_DELAY_MS))
        connect(self.version.activated, self._version_changed)
        connect(self.take_back_button.clicked, self.take_back)
        connect(self.export_as_button.clicked, self.export_as_asked)

    # --- choosing the group and the slot ----------------------------------------------------

    def _show_nothing(self) -> None:
        """Show no plan and no maps, as long as no folder of the game is open."""
        self._drop_plan()
        self.slot_choice.show_nothing()
        self._form.setRowVisible(self.name_fault, False)
        self.plan_view.clear()
        self.show_plan(())
        for key, picture in self.pictures.items():
            picture.show_map("", None, "")
            self.captions[key].hide()

    def _show_groups(self) -> None:
        """Offer the groups of the game, of which that of the map is chosen."""
        self._offer_versions()
        source = self._exported_map.source
        self.choice.show_groups(source.group if source else "")
        was_path_typed = self.chooser.is_typed_into
        if not was_path_typed and self.focusWidget() in (None, self.chooser.line):
            self.slot.setFocus()

    def _content_changed(self) -> None:
        """Offer what the map or the script needs: only a map has a picture and a version."""
        is_map = self._script_to_export is None
        for key, picture in self.pictures.items():
            picture.setVisible(is_map)
            self.captions[key].setVisible(is_map)
        self._form.setRowVisible(self.slot, is_map)
        self._show_versions()
        self._suggest_name()
        self._group_changed()

    @property
    def _is_group_empty(self) -> bool:
        """True if a new group is chosen, and the game lets people name the slots of its groups.

        In other games a new group has the slots of the first one.
        """
        is_known = self.game_folder.group(self.choice.title) is not None
        return self.choice.is_new and not is_known and bool(self.game_folder.slot_level.new)

    def _group_changed(self) -> None:
        """Offer the slots of the group; a new one is empty or has those of the first."""
        group = self.choice.shown
        if group is None:
            return
        if self._script_to_export is not None:
            self.slot_choice.show_names(())  # a script never takes the place of a map
        elif self._is_group_empty:
            self.slot_choice.show_names(())
        else:
            source = self._exported_map.source
            source_slot = source.slot if source else ""
            title = title_of(self._exported_map)
            preferred = [source_slot, title, *_script_names(self._exported_map.battlemap)]
            self.slot_choice.show_names([slot.name for slot in group.slots], preferred)
        if self.choice.is_new and not self.slot.hasFocus():
            self.name.setFocus()
            self.name.selectAll()

    def _offer_versions(self) -> None:
        """Offer the versions of the game; the chosen one stays, else it is the likeliest."""
        chosen = self.version.currentText()
        versions = self.game_folder.versions
        self.version.clear()
        self.version.addItems(list(versions))
        if chosen in versions:
            self.version.setCurrentIndex(versions.index(chosen))
        self.game_export.version = self.version.currentText()
        self._show_versions()

    def _show_versions(self) -> None:
        """Show the versions, if there are any and if it is not the script that tells which."""
        has_versions = self.version.count() > 0
        self._form.setRowVisible(self.version, has_versions and self._script_to_export is None)

    def _version_changed(self, _row: int) -> None:
        """Plan the export for another version of the game."""
        self.game_export.version = self.version.currentText()
        self._plan_soon(0)

    # --- the plan ---------------------------------------------------------------------------

    def _drop_plan(self) -> None:
        """Drop the plan, also one that is being made: it would be one for earlier choices."""
        self._plan_timer.stop()
        self.game_export.drop_plan()
        self.export_button.setEnabled(False)

    def _plan_soon(self, delay_ms: int) -> None:
        """Make a new plan after some milliseconds, unless something else is chosen meanwhile.

        The old plan goes at once: it would name files that will not be written.
        """
        self._drop_plan()
        self.plan_view.setPlaceholderText(PLANNING)
        self.plan_view.clear()
        self.problem_list.setEnabled(False)
        self._plan_timer.start(delay_ms)

    async def make_plan(self) -> None:
        """Plan the export into the group and slot that are chosen now, and show the plan."""
        self._plan_timer.stop()
        slot = self.slot_choice.title
        group = self.choice.shown
        if group is None or not slot:
            self._show_plan()
            return
        script = self._script_to_export
        if script is None:
            self.game_folder.read_maps(group)
            maps = {slot: self._exported_map.battlemap}
            await self.game_export.make_plan(self.choice.title, maps)
        else:
            await self.game_export.make_script_plan(self.choice.title, slot, script)
        if isValid(self):  # else the dialog was destroyed with its window
            self._show_plan()

    def _show_plan(self) -> None:
        """Show the plan; faults of a new name stand below the fields, not in the list."""
        self.plan_view.setPlaceholderText(NO_PLAN)
        self.problem_list.setEnabled(True)
        problems = self.game_export.problems
        name_faults = []
        if self.choice.is_new or self.slot_choice.is_new:
            name_faults = [problem for problem in problems if problem.code == "bad-name"]
        self.name_fault.say(name_faults[0].message if name_faults else "", Severity.ERROR)
        self._form.setRowVisible(self.name_fault, bool(name_faults))
        self.show_plan(problem for problem in problems if problem not in name_faults)

    def _show_maps(self, group_name: str) -> None:
        """Show the map that the game has in the slot now, beside the new one."""
        group = self.choice.shown
        maps = self.game_folder.maps(group_name)
        if group is None or group.name != group_name or maps is None:
            return
        game_map = SlotMap()
        if not self._is_group_empty:
            game_map = maps.get(self.slot_choice.title, game_map)
        has_file = bool(game_map.digest)
        if has_file:
            text_without_map = "a map that cannot be shown"
        else:
            text_without_map = "no map yet"
        self.pictures["now"].show_map(game_map.digest, game_map.battlemap, text_without_map)
        self.pictures["new"].show_tab(self.document, self._exported_map)

        # A new group has no maps yet: those of the first group are shown, and that is said.
        is_of_another_group = group_name != self.choice.title and not self._is_group_empty
        if is_of_another_group and group_name:
            location = group_name
        else:
            location = "the game"
        self.captions["now"].setText(f"In {location} now")
        for caption in self.captions.values():
            caption.setVisible(self._script_to_export is None)

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
        if self._script_to_export is None:
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
        self._exported_map.exported_state = None
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
        self._plan_soon(0)

    @guarded
    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self.game_export.writing:
            self._drop_plan()
            self._thumbnails.forget_requests()
        super().done(result)


def _script_names(battlemap: BattleMap) -> list[str]:
    """Return the names of the scripts that rolled what a map shows, that of the topmost first."""
    rolls = [layer.roll for layer in reversed(battlemap.layers) if layer.visible]
    return [PurePath(roll.script_name).stem for roll in rolls if roll is not None]
