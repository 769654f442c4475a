"""The commands for terrain sets of one's own."""

from __future__ import annotations

from functools import partial

from app.commands.commands import Change, Command
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.terrains.controller import TerrainSets
from randomizer.model.grid.cell_words import escaped

SETS = "terrains.set"


def make(desk: Desk) -> None:
    """Offer terrain sets to other features, and add the commands."""
    desk.terrain_sets = sets = TerrainSets(desk)
    rows = (
        (
            "open",
            "&Open...",
            sets.ask_open,
            "Give the map the terrain set of a file",
            "load import terrains",
        ),
        (
            "merge",
            "&Merge...",
            partial(sets.ask_open, merges=True),
            "Add what the terrain set of a file has and this one has not",
            "combine join import terrains",
        ),
        (
            "save-as",
            "&Save as...",
            sets.ask_save,
            "Write the terrain set to a file",
            "export terrains share",
        ),
        (
            "sheet",
            "Terrains from a s&heet...",
            sets.ask_sheet,
            "Cut a picture into terrains of the user's own",
            "tileset tiles sprites import image",
        ),
        (
            "sort",
            "Sort by &name",
            sets.sort,
            "Show the terrains by their names in lists",
            "order alphabet terrains",
        ),
    )
    forget = (
        "forget",
        "&Forget for this program",
        sets.forget,
        "Let the next file of the program of this map look as usual again",
        "reset colours remembered",
    )
    desk.commands.add(
        Command(
            f"terrains.{name}",
            text,
            do,
            tip,
            offered=offered,
            words=words,
            follows=Change.MAP | Change.DESK,
        )
        for offered, listed in (
            (lambda: sets.offered, rows),
            (lambda: sets.remembered, (forget,)),
        )
        for name, text, do, tip, words in listed
    )

    def offered_sets() -> list[Command]:
        packaged = [
            Command(
                f"{SETS}.packaged.{number}",
                escaped(name),
                partial(sets.use_packaged, name),
                "Give the map this terrain set",
            )
            for number, name in enumerate(desk.document.battlemap.system.packaged_terrains)
        ]
        recent = recent_files(f"{SETS}.recent", desk.settings, "terrains", sets.open_path)
        if not sets.offered:
            return []
        return [*packaged, *(recent if desk.settings.recent("terrains") else ())]

    desk.commands.add_source(f"{SETS}.*", offered_sets)
