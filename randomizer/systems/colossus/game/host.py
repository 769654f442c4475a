"""Colossus as a game host: what the desk asks about an installed game, and exports into it.

The game has variants, each with terrains; each terrain has one battleland. ``GameHost`` documents
the methods. ``directory`` reads the game, ``export`` plans what is written into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from randomizer.games.export_plan import ExportPlan
from randomizer.games.host import GameHost
from randomizer.games.slots import MapGroup, MapSlot, SlotLevel
from randomizer.systems.colossus.battleland.xml_format import XML
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.export import plan_exports
from randomizer.systems.colossus.game.finding import find_game


class ColossusHost(GameHost):
    """Colossus: its variants, and their terrains."""

    system = "colossus"
    title = "Colossus"
    directory = "the directory that Colossus is started from, or its jar"
    directory_example = (
        "that directory holds Colossus.jar, or a folder such as Default with DefaultVar.xml in it"
    )
    levels = (
        SlotLevel("variant", "MyLands", "A folder of this name is made; it must not have blanks"),
        SlotLevel("terrain"),
    )
    map_noun = "battleland"
    format = XML
    has_pictures = True
    # By name, so that it is imported only when a battle is started.
    player = "randomizer.systems.colossus.battle.play:PLAYER"

    def open_game(self, path: str | Path) -> GameDirectory:
        return GameDirectory.open(path)

    def find_game(self, path: str | Path) -> Path:
        return find_game(path)

    def fault_of_game(self, game: GameDirectory) -> str:
        """Tell of an empty Var file: the game makes no variant of it."""
        names = game.names_of_empty_variants()
        if not names:
            return ""
        return game.why_no_variant(names[0])

    def why_no_group(self, game: GameDirectory, folder: str) -> str:
        return game.why_no_variant(folder) or (
            f"The folder “{folder}” is no variant: it has no file {folder}Var.xml."
        )

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Return where the battleland of a terrain comes from, as the list of terrains shows it.

        For instance "from a file" or "from Default, in the jar".
        """
        file = slot.file
        if file is None:
            return "no battleland"
        if file.inside is None:
            folder = file.path.parent.parent.name  # the file is VARIANT/Battlelands/NAME.xml
            if folder == group.name:
                return "from a file"
            return f"from a file of {folder}"
        folder = file.inside.partition("/")[0]
        if folder == group.name:
            return "in the jar"
        return f"from {folder}, in the jar"

    def plan_exports(
        self, game: GameDirectory, maps: Mapping[str, bytes], group: str, _version: str = ""
    ) -> ExportPlan:
        """Return the plan for battlelands of a variant; games of other systems have versions."""
        return plan_exports(game, maps, group)


HOST = ColossusHost()
