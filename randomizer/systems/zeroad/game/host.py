"""0 A.D. as a game host."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.games import ExportPlan, GameHost, Launch, MapGroup, MapSlot, PlaceLevel, Player
from randomizer.languages.language import SourceText
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_exports, plan_script_export
from randomizer.systems.zeroad.game.mods import SCENARIOS, Mods, find_game, open_game, usual_place
from randomizer.systems.zeroad.installation.installations import program_folders, user_mod
from randomizer.systems.zeroad.map.map_data import MOST_PLAYERS
from randomizer.systems.zeroad.map.records import PLAYERS, settings_of_map


class ZeroadHost(GameHost):
    """0 A.D.: its mods, and their scripts of finished maps."""

    system = "zeroad"
    title = "0 A.D."
    place = "the folder “mods” with your own mods of 0 A.D."
    found_place = "The folder of 0 A.D.’s mods"
    levels = (
        PlaceLevel("mod"),
        PlaceLevel("script", "my_map", "Letters without accents, digits, _ and -"),
    )
    map_noun = "map"
    format = FORMAT
    player = "randomizer.systems.zeroad.game.host:PLAYER"
    rolls_scripts = True
    further_files = "A scenario for the game's editor Atlas is written by Export as."

    def open_game(self, path: str | Path) -> Mods:
        return open_game(path)

    def find_game(self, path: str | Path) -> Path:
        return find_game(path)

    def usual_place(self) -> Path:
        return usual_place()

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
        """Return the folder with the scenarios of a mod, or the nearest above it that exists."""
        scenarios = game.root / group / SCENARIOS[0]
        for folder in (scenarios, *scenarios.parents):
            if folder.is_dir():
                return folder
            if folder == game.root:
                break
        return None

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Name the mod and the file of a map."""
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


ENGINE = "pyrogenesis"
"""The name of the game's program."""


class ZeroadPlayer(Player):
    """The player is the first one of the map, the game's AI plays the others."""

    def why_not(self, _path: Path | None) -> str:
        if sys.platform in ("win32", "darwin"):
            return "On this system 0 A.D. always writes into your own folders: export the map."
        if _engine() is None:
            return f"0 A.D. is not installed: there is no program {ENGINE} on the path."
        return ""

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        # The game gets folders of its own, in which the map is the only one of the user.
        homes = {kind: scratch / kind.lower() for kind in ("DATA", "CONFIG", "CACHE")}
        game = Mods(homes["DATA"] / "0ad" / "mods")
        data = write_checked(FORMAT, battlemap)
        game.root.mkdir(parents=True)
        commit_export(HOST.plan_exports(game, {"play_here": data}, user_mod().name))

        owners = {thing.owner for thing in battlemap.visible_things() if thing.owner > 0}
        count = _player_count(battlemap, owners)
        command = [_engine() or ENGINE, "-autostart=random/play_here"]
        for number in range(2, count + 1):
            command.append(f"-autostart-ai={number}:petra")
        command += ["-mod=public", "-mod=user", f"-autostart-players={count}"]
        if len(owners) < 2:  # with a victory to be had it would end at once
            command.append("-autostart-victory=endless")
        return Launch(
            tuple(command),
            command[0],
            f"A match of {counted(count, 'player')} on this map: you are the first one, the "
            "game's AI plays the others.",
            {f"XDG_{kind}_HOME": str(home) for kind, home in homes.items()},
        )


def _player_count(battlemap: BattleMap, owners: Set[int]) -> int:
    """Return the number of players of a match: as many as the map lists or its things have.

    There are two at least. ``owners`` are the players that own something.
    """
    count = max(2, *owners)
    players = settings_of_map(battlemap).get(PLAYERS)
    if isinstance(players, list):
        count = max(count, len(players) - 1)  # without Gaia, the first
    return min(count, MOST_PLAYERS)


def _engine() -> str | None:
    """Return the path of the game's program, None if it is not installed."""
    folders = (os.environ.get("PATH", ""), *program_folders())
    return shutil.which(ENGINE, path=os.pathsep.join(folders))


PLAYER = ZeroadPlayer()
HOST = ZeroadHost()
