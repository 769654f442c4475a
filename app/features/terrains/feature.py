"""The commands for terrain sets of the user's own.

A terrain set lists the terrains, hexsides and routes that a map can have. On free maps it is the
user's: these commands open, merge, save and extend it. ``make`` is called once for a desk, by the
list of features; ``TerrainSets`` does what the commands say.
"""

from __future__ import annotations

from functools import partial

from app.commands.commands import Change, Command
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.terrains.controller import TerrainSets
from randomizer.model.grid.cell_words import escaped

USE_SET_ID = "terrains.set"
"""The beginning of the ids of all commands that give the map another terrain set."""

FOLLOWS = Change.MAP | Change.DESK
"""These commands are offered again after a change of the map, or of what the desk remembers."""


def make(desk: Desk) -> None:
    """Offer terrain sets to other features as ``desk.terrain_sets``, and add the commands."""
    sets = TerrainSets(desk)
    desk.terrain_sets = sets
    desk.commands.add(_menu_commands(sets))
    desk.commands.add([_forget_command(sets)])
    # Asked again whenever the menu opens: other files may have been opened.
    desk.commands.add_source(f"{USE_SET_ID}.*", lambda: _commands_to_use_sets(desk, sets))


def _menu_commands(sets: TerrainSets) -> tuple[Command, ...]:
    """Return the commands that every map has whose terrain set is its user's."""

    def is_offered() -> bool:
        return sets.has_own_set

    return (
        Command(
            "terrains.open",
            "&Open...",
            sets.ask_open,
            tip="Give the map the terrain set of a file",
            offered=is_offered,
            words="load import terrains",
            follows=FOLLOWS,
        ),
        Command(
            "terrains.merge",
            "&Merge...",
            partial(sets.ask_open, merges=True),
            tip="Add what the terrain set of a file has and this one has not",
            offered=is_offered,
            words="combine join import terrains",
            follows=FOLLOWS,
        ),
        Command(
            "terrains.save-as",
            "&Save as...",
            sets.ask_save,
            tip="Write the terrain set to a file",
            offered=is_offered,
            words="export terrains share",
            follows=FOLLOWS,
        ),
        Command(
            "terrains.sheet",
            "Terrains from a s&heet...",
            sets.ask_sheet,
            tip="Cut a picture into terrains of the user's own",
            offered=is_offered,
            words="tileset tiles sprites import image",
            follows=FOLLOWS,
        ),
        Command(
            "terrains.sort",
            "Sort by &name",
            sets.sort,
            tip="Show the terrains by their names in lists",
            offered=is_offered,
            words="order alphabet terrains",
            follows=FOLLOWS,
        ),
    )


def _forget_command(sets: TerrainSets) -> Command:
    """Return the command that forgets the terrain set remembered for the program of the map."""
    return Command(
        "terrains.forget",
        "&Forget for this program",
        sets.forget_saved_looks,
        tip="Let the next file of the program of this map look as usual again",
        offered=lambda: sets.has_saved_looks,
        words="reset colours remembered",
        follows=FOLLOWS,
    )


def _commands_to_use_sets(desk: Desk, sets: TerrainSets) -> list[Command]:
    """Return a command for each set that comes with the system, then for each file opened lately.

    The result is empty for a map of a system with one terrain set for all maps.
    """
    if not sets.has_own_set:
        return []
    commands = []
    for number, name in enumerate(desk.document.battlemap.system.packaged_terrains):
        command = Command(
            f"{USE_SET_ID}.packaged.{number}",
            escaped(name),
            partial(sets.use_packaged, name),
            tip="Give the map this terrain set",
        )
        commands.append(command)
    if desk.settings.recent("terrains"):
        commands += recent_files(
            f"{USE_SET_ID}.recent", desk.settings, ("terrains",), sets.open_and_report
        )
    return commands
