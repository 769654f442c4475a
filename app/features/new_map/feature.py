"""A new map: of a kind at once, or as the dialog is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.new_map.catalogue import use_folders
from app.qt_guard import connect
from randomizer.catalog.catalog import system_named
from randomizer.generator import MapGenerator
from randomizer.installed import problems
from randomizer.model.grid.cell_words import escaped
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System


def make(desk: Desk) -> None:
    """Add the command that asks which kind of map, and opens an empty one."""

    def show(battlemap: BattleMap) -> None:
        """Show a new map; a table comes with its dice, in a narrow window, too."""
        desk.document.show_map(battlemap, replaces=True)
        if desk.docks.suits_map("dice"):
            desk.docks.show("dice")

    def focus_map() -> None:
        desk.canvas.setFocus()

    def ask(system: System | None = None) -> None:
        """Ask for a map of a system; None: one like the current map, or the last one made."""
        from app.features.new_map.dialog import NewMapDialog

        if desk.journals is None:
            stored = None
        else:
            stored = desk.journals.parent / "thumbnails"
        if system is None:
            system = desk.document.battlemap.system
            if desk.document.current_map.untouched:  # it says nothing of what its user makes
                system = system_named(desk.settings.last_kind) or system
        dialog = NewMapDialog(desk.settings, desk.frame, desk.renderer, stored, system)
        if problems():  # of other packages, whose kinds of maps are missing in the list
            desk.say(problems()[0].message)
        connect(dialog.chosen, show)
        connect(dialog.roll_chosen, roll)
        connect(dialog.accepted, focus_map)
        dialog.open()

    async def roll(
        battlemap: BattleMap,
        generator: MapGenerator,
        settings: Mapping[str, object] | None,
        path: Path | None,
    ) -> None:
        """Roll a new map; what it was rolled with comes first where else terrains would."""
        await desk.scripts.roll_new(battlemap, generator, settings, path)
        if battlemap.system.own_terrain_sets:
            desk.docks.show("randomize")

    def make_at_once(system: System) -> None:
        from app.document.map_files import new_map
        from app.features.new_map.grid_settings import usual_grid

        show(new_map(system, usual_grid(system, desk.settings)))
        focus_map()

    def kinds() -> list[Command]:
        from randomizer.catalog.catalog import systems

        return [kind(system) for system in systems()]

    def kind(system: System) -> Command:
        """Return what makes a map of a kind, or asks for one whose terrains or script are to be
        chosen.
        """
        name = f"file.new.{system.name}"
        text = escaped(system.title_in_lists or system.title)
        words = "create blank empty start begin"
        if not (system.own_terrain_sets or system.begins_rolled):
            tip = "A new map of the usual size, or of the size of the last one"
            return Command(name, text, partial(make_at_once, system), tip, words=words)
        tip = "A new map: its script, its size and more are asked"
        return Command(name, f"{text}...", partial(ask, system), tip, words=words)

    desk.commands.add_source("file.new.*", kinds)
    use_folders(desk.settings)
    desk.commands.add(
        [
            Command(
                "file.new-map",
                "&New map...",
                ask,
                "Start a new map: which kind and by which script is asked",
                QKeySequence.StandardKey.New,
                "new",
                button_text="New",
                words="create blank start size begin landscape world table battleland",
            )
        ]
    )
