"""The commands that make new maps: *New map*, with its dialog, and one for each kind of map.

``make`` adds the commands to the desk. A kind whose usual map needs no questions, such as a
battleland, gets one at once; for the others the dialog opens with that kind chosen.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.new_map.catalogue import use_folders
from app.qt_guard import connect
from randomizer.catalog.systems import system_named, systems
from randomizer.installed import problems as problems_of_packages
from randomizer.model.grid.cell_words import escaped
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.features.new_map.dialog import NewRoll

WORDS = "create blank empty start begin"
"""Words by which the command palette finds the commands of kinds."""


def make(desk: Desk) -> None:
    """Add the commands."""
    new_maps = NewMaps(desk)
    use_folders(desk.settings)
    desk.commands.add_source("file.new.*", new_maps.commands_of_kinds)
    desk.commands.add(
        [
            Command(
                "file.new-map",
                "&New map...",
                new_maps.open_dialog,
                tip="Start a new map: which kind and by which script is asked",
                keys=QKeySequence.StandardKey.New,
                icon="new",
                button_text="New",
                words="create blank start size begin landscape world table battleland",
            )
        ]
    )


class NewMaps:
    """Asks what new map is wanted, makes it and shows it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands_of_kinds(self) -> list[Command]:
        """Return a command for each kind of map that is installed."""
        return [self._command_of_kind(system) for system in systems()]

    def _command_of_kind(self, system: System) -> Command:
        """Return the command that makes a map of a kind.

        If its terrains or its script have to be chosen, it opens the dialog with that kind.
        """
        name = f"file.new.{system.name}"
        text = escaped(system.title_in_lists or system.title)
        if system.users_edit_terrain_sets or system.begins_rolled:
            tip = "A new map: its script, its size and more are asked"
            return Command(name, f"{text}...", partial(self.open_dialog, system), tip, words=WORDS)
        tip = "A new map of the usual size, or of the size of the last one"
        return Command(name, text, partial(self._make_usual_map, system), tip, words=WORDS)

    def open_dialog(self, system: System | None = None) -> None:
        """Open the dialog with a kind of map chosen; None stands for the likely one."""
        from app.features.new_map.dialog import NewMapDialog

        desk = self._desk
        thumbnail_folder = desk.data_path("thumbnails")
        if system is None:
            system = self._likely_system()
        dialog = NewMapDialog(desk.settings, desk.frame, desk.renderer, thumbnail_folder, system)
        package_problems = problems_of_packages()
        if package_problems:
            # The kinds of maps of other packages are missing in the list.
            desk.say(package_problems[0].message)
        connect(dialog.chosen, self._show_map)
        connect(dialog.roll_chosen, self._roll)
        connect(dialog.accepted, self._focus_map)
        dialog.open()

    def _likely_system(self) -> System:
        """Return the kind of map that a person probably wants: one like the current map.

        A map that nobody has touched, as at the start, says nothing of what its user makes: then it
        is the kind of the last new map.
        """
        desk = self._desk
        current_system = desk.document.battlemap.system
        if not desk.document.current_map.untouched:
            return current_system
        last_system = system_named(desk.settings.last_kind)
        if last_system is None:
            return current_system
        return last_system

    def _make_usual_map(self, system: System) -> None:
        """Make and show a map of a kind, with its usual grid."""
        from app.document.map_files import new_map
        from app.features.new_map.grid_settings import usual_grid

        self._show_map(new_map(system, usual_grid(system, self._desk.settings)))
        self._focus_map()

    async def _roll(self, new_roll: NewRoll) -> None:
        """Roll onto a new map and show it, with the panel of the script if that is wanted."""
        battlemap = new_roll.battlemap
        await self._desk.scripts.opening.roll_new(
            battlemap, new_roll.generator, new_roll.settings, new_roll.script_file
        )
        # Where users have terrain sets of their own, the panel of terrains is in front of the one
        # with the settings of the roll: that is brought to the front. So is a new script, which is
        # there to be changed.
        is_new_script = self._desk.scripts.script.is_new
        if battlemap.system.users_edit_terrain_sets or is_new_script:
            self._desk.docks.show("randomize")

    def _show_map(self, battlemap: BattleMap) -> None:
        """Show a new map, and the panel of dice for a table.

        It replaces the current map if nobody has touched that.
        """
        self._desk.document.show_map(battlemap, replaces=True)
        # A wargamer's table is laid with dice: their panel shows even in a narrow window.
        if self._desk.docks.suits_map("dice"):
            self._desk.docks.show("dice")

    def _focus_map(self) -> None:
        """Give the map the keyboard."""
        self._desk.canvas.setFocus()
