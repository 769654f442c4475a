"""0 A.D. as a game into which maps are exported.

``ZeroadHost`` tells the dialogs of the program how the game keeps maps: a *group* is a mod, and a
*slot* in it a script that is a finished map (``mods``, ``export``). Its attributes are explained at
``GameHost``; ``match`` starts the game with a map that need not be exported.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from randomizer.games.export_plan import ExportPlan
from randomizer.games.host import GameHost
from randomizer.games.slots import MapGroup, MapSlot, SlotLevel
from randomizer.languages.language import SourceText
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_exports, plan_script_export
from randomizer.systems.zeroad.game.mods import (
    SCENARIOS,
    Mods,
    default_mods_folder,
    find_mods_folder,
    open_game,
)
from randomizer.systems.zeroad.installation.game_folders import user_mod


class ZeroadHost(GameHost):
    """Tells the dialogs how 0 A.D. keeps maps, and plans exports into its mods."""

    system = "zeroad"
    title = "0 A.D."
    directory = "the folder “mods” with your own mods of 0 A.D."
    found_directory = "The folder of 0 A.D.’s mods"
    levels = (
        SlotLevel("mod", "my_maps", "A folder of this name is made in the folder of the mods"),
        SlotLevel("script", "my_map", "Letters without accents, digits, _ and -"),
    )
    map_noun = "map"
    format = FORMAT
    player = "randomizer.systems.zeroad.game.match:PLAYER"
    rolls_scripts = True
    further_files = "A scenario for the game's editor Atlas is written by Export as."

    def open_game(self, path: str | Path) -> Mods:
        return open_game(path)

    def find_game(self, path: str | Path) -> Path:
        return find_mods_folder(path)

    def usual_directory(self) -> Path:
        return default_mods_folder()

    def why_no_group(self, _game: Mods, folder: str) -> str:
        return (
            f"The folder “{folder}” is no mod: it has neither a file mod.json nor a folder "
            "maps/random."
        )

    def missing_folder(self, game: Mods) -> str:
        """Return a sentence about the folder of the mods, or about the user's own mod in it."""
        if not game.root.is_dir():
            return (
                f"The folder “{game.root.name}” does not exist yet: 0 A.D. makes it when it is "
                "first started, and an export from here makes it, too."
            )
        own_mod = user_mod().name
        if not (game.root / own_mod).is_dir():
            return f"Your own mod “{own_mod}” does not exist yet: an export from here makes it."
        return ""

    def versions(self) -> Sequence[str]:
        return versions()

    def name_of_new_slot(self, stem: str) -> str:
        """Return the name with letters without accents and with _ for all other signs."""
        plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
        return re.sub(r"[^A-Za-z0-9_-]+", "_", plain).strip("_-")

    def folder_of_further_files(self, game: Mods, group: str) -> Path | None:
        """Return the folder of a mod's scenarios, or the nearest folder above it that exists.

        It is not looked for above the folder of the mods; None if that does not exist either.
        """
        scenarios_of_editor, _skirmishes = SCENARIOS
        scenarios = game.root / group / scenarios_of_editor
        for folder in (scenarios, *scenarios.parents):
            if folder.is_dir():
                return folder
            if folder == game.root:
                break
        return None

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Return the file of a map and its mod in words; "" for a scenario of an installed game."""
        # Only groups of scenarios have a format of their own.
        if group.format:
            return ""
        return f"{slot.name}.js of the mod {group.name}"

    def plan_exports(
        self, game: Mods, maps: Mapping[str, bytes], group: str, version: str = ""
    ) -> ExportPlan:
        return plan_exports(game, maps, group, version or versions()[0])

    def plan_script_export(
        self, game: Mods, source: SourceText, slot: str, group: str
    ) -> ExportPlan:
        return plan_script_export(game, source, slot, group)


HOST = ZeroadHost()
