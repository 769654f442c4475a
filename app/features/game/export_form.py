"""The fields of *Export to game*: what is exported, and to which group and slot of the game.

A game has *slots*, each for one map, often in *groups*; see level_choice.py. ``ExportForm`` offers
those of the installed game and tells by ``changed`` that something else is chosen::

    form = ExportForm(game_folder, open_map, script)
    form.show_groups()                     # when the folder of the game was opened
    form.group_choice.title, form.slot_choice.title     # where the export goes
    form.script_to_export                  # the script; None to export the map
"""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from app.document.map_names import title_of
from app.document.open_map import OpenMap
from app.features.game.game_folder import GameFolder
from app.features.game.level_choice import GroupChoice, LevelChoice
from app.qt_guard import connect
from app.scripts.script import UNTITLED
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Severity

SCRIPT_ROW = 1
"""The row of the script in the list of what can be exported; the first one is the map."""


class ExportForm(QWidget):
    """The fields of an export of one map, or of the script that it shows."""

    changed = Signal()
    """Something else is to be exported, or to another slot, or for another version."""

    name_typed = Signal()
    """The name of a new group or slot was changed by a letter: further ones will follow."""

    def __init__(
        self, game_folder: GameFolder, open_map: OpenMap, script: SourceText | None
    ) -> None:
        """``script`` is that of the map, None if the game rolls no such scripts."""
        super().__init__()
        self._game_folder = game_folder
        self._open_map = open_map
        self._script = script
        self.content = self._make_content()
        """The list of what can be exported: the map, and the script if there is one."""
        self.group_choice = self._make_group_choice()
        self.slot_choice = self._make_slot_choice()
        self.version = self._make_version()
        """The list of the versions of the game; empty if exports are the same for all."""
        self.name_fault = DialogStatus("What is wrong with the name")
        self._rows = QFormLayout(self)
        self._lay_out()
        self._suggest_name()
        connect(self.content.currentIndexChanged, lambda _row: self._on_content_changed())
        connect(self.group_choice.changed, self._offer_slots)
        connect(self.slot_choice.changed, self.changed)
        connect(self.version.activated, lambda _row: self.changed.emit())
        for choice in (self.group_choice, self.slot_choice):
            connect(choice.name.textChanged, lambda _text: self.name_typed.emit())

    @property
    def exports_script(self) -> bool:
        """True if the script is exported, and not the map."""
        return self.script_to_export is not None

    @property
    def script_to_export(self) -> SourceText | None:
        """The script, if that is chosen to be exported; None if the map is."""
        if self.content.currentIndex() == SCRIPT_ROW:
            return self._script
        return None

    @property
    def has_new_empty_group(self) -> bool:
        """True if a new group is chosen, and the game lets people name the slots of its groups.

        In other games a new group has the slots of the first one.
        """
        choice = self.group_choice
        is_known = self._game_folder.group(choice.title) is not None
        return choice.is_new and not is_known and bool(self._game_folder.slot_level.new)

    @property
    def has_new_name(self) -> bool:
        """True if a group or slot is to be made whose name the user gives."""
        return self.group_choice.is_new or self.slot_choice.is_new

    # --- construction -----------------------------------------------------------------------

    def _make_content(self) -> QComboBox:
        """Return the list of what can be exported."""
        tip = "The map as you see it, or the script by which the game makes a new map each time"
        content = described(pass_wheel_on(QComboBox()), "What to export", tip)
        # The name of a script can be long: the pictures beside the list keep their place.
        content.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        content.addItem(f"This {self._game_folder.host.map_noun}, always the same")
        if self._script is not None:
            content.addItem(f"The script {self._script.name}: a new map in each match")
        return content

    def _make_group_choice(self) -> GroupChoice:
        """Return the choice of the group, which dialogs of games without groups do not show."""
        map_noun = self._game_folder.host.map_noun
        tip = f"Which {self._game_folder.group_level.name} of the game gets the {map_noun}"
        return GroupChoice(self._game_folder, tip, self)

    def _make_slot_choice(self) -> LevelChoice:
        """Return the choice of the slot."""
        level = self._game_folder.slot_level
        tip = f"The {level.name} whose {self._game_folder.host.map_noun} this map becomes"
        # The label of a group's name is "&Name:", whose letter is taken in this dialog.
        return LevelChoice(level, tip, self, "Na&me:", prefers_new=True)

    def _make_version(self) -> QComboBox:
        """Return the list of the versions of the game."""
        tip = "The version of the game that you play; it says in which form the files are written"
        return described(pass_wheel_on(QComboBox()), "Version", tip)

    def _lay_out(self) -> None:
        """Put the fields below each other; those without a choice are hidden."""
        self._rows.setContentsMargins(0, 0, 0, 0)
        choices: list[LevelChoice] = [self.slot_choice]
        if self._game_folder.grouped:
            choices.insert(0, self.group_choice)
        self._rows.addRow("&What:", self.content)
        self._rows.setRowVisible(self.content, self._script is not None)
        for choice in choices:
            for labelled_field in choice.labelled_fields:
                self._rows.addRow(labelled_field.label, labelled_field.field)
        self._rows.addRow("&Version:", self.version)
        self._rows.setRowVisible(self.version, False)
        # The last row: no field moves under the hand that types a name.
        self._rows.addRow("", self.name_fault)

    # --- what is offered --------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Offer no slots, as long as no folder of the game is open."""
        self.slot_choice.show_nothing()
        self.show_name_fault("")

    def show_groups(self) -> None:
        """Offer the groups of the game; slots follow.

        The one whose folder the user has named is chosen, else that of the map.
        """
        self._offer_versions()
        source = self._open_map.source
        preferred_groups = [self._game_folder.named_folder]
        if source is not None:
            preferred_groups.append(source.group)
        self.group_choice.show_groups(*filter(None, preferred_groups))

    def show_name_fault(self, text: str) -> None:
        """Say what is wrong with the new name below the fields; "" for nothing."""
        self.name_fault.say(text, Severity.ERROR)
        self._rows.setRowVisible(self.name_fault, bool(text))

    def _offer_versions(self) -> None:
        """Offer the versions of the game; the chosen one stays, else the likeliest is chosen."""
        chosen = self.version.currentText()
        versions = self._game_folder.versions
        self.version.clear()
        self.version.addItems(list(versions))
        row = 0  # the likeliest is the first; of no versions there is no row
        if chosen in versions:
            row = versions.index(chosen)
        self.version.setCurrentIndex(row)
        self._show_versions()

    def _show_versions(self) -> None:
        """Show the versions, if there are any and if it is not the script that tells which."""
        has_versions = self.version.count() > 0
        self._rows.setRowVisible(self.version, has_versions and not self.exports_script)

    def _on_content_changed(self) -> None:
        """Offer what the map or the script needs."""
        # A script never takes the place of a map: it gets a name of its own.
        self._rows.setRowVisible(self.slot_choice.box, not self.exports_script)
        self._show_versions()
        self._suggest_name()
        self._offer_slots()

    def _offer_slots(self) -> None:
        """Offer the slots of the group; ``changed`` follows.

        A new group is empty, or has the slots of the first one.
        """
        group = self.group_choice.shown
        if group is None:
            return
        if self.exports_script or self.has_new_empty_group:
            self.slot_choice.show_names(())
        else:
            slots = [slot.name for slot in group.slots]
            self.slot_choice.show_names(slots, self._preferred_slots())
        self._focus_new_name()

    def _focus_new_name(self) -> None:
        """Let the user type the name of a new group at once, unless they choose a slot."""
        if self.group_choice.is_new and not self.slot_choice.box.hasFocus():
            self.group_choice.name.setFocus()
            self.group_choice.name.selectAll()

    def _preferred_slots(self) -> list[str]:
        """Return the slots into which the map belongs most likely, as far as they exist.

        First the one that it came from, then the one that is called like the map, then those called
        like the scripts that rolled it.
        """
        names = [title_of(self._open_map), *_script_names(self._open_map.battlemap)]
        if self._open_map.source is not None:
            names.insert(0, self._open_map.source.slot)
        return names

    def _suggest_name(self) -> None:
        """Begin the name of a new slot with that of the script, or of the map's file.

        A name that was typed stays.
        """
        field = self.slot_choice.name
        if field.isModified():
            return
        stem = self._stem_of_content()
        suggested_name = ""
        if stem != UNTITLED:
            suggested_name = self._game_folder.host.name_of_new_slot(stem)
        usual_name = self._game_folder.slot_level.new
        field.setText(suggested_name or usual_name)

    def _stem_of_content(self) -> str:
        """Return the name of the script that is exported, without its suffix, if it has one.

        Else that of the map's file; "" for a map without a file.
        """
        script = self.script_to_export
        if script is not None:
            stem_of_script = PurePath(script.name).stem
            if stem_of_script != UNTITLED:
                return stem_of_script
        path = self._open_map.path
        if path is not None:
            return path.stem
        return ""


def _script_names(battlemap: BattleMap) -> list[str]:
    """Return the names of the scripts that rolled what a map shows, that of the topmost first."""
    rolls = [layer.roll for layer in reversed(battlemap.layers) if layer.visible]
    return [PurePath(roll.script_name).stem for roll in rolls if roll is not None]
