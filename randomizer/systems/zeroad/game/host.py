"""0 A.D. as a game into which maps are exported, and in which they are played.

``ZeroadHost`` tells the dialogs of the program how the game keeps maps: a *group* is a mod, and a
*slot* in it a script that is a finished map (``mods``, ``export``). ``ZeroadPlayer`` starts the
game with a map that need not be exported.
"""

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
    """Tells the dialogs how 0 A.D. keeps maps, and plans exports into its mods."""

    system = "zeroad"
    title = "0 A.D."
    place = "the folder “mods” with your own mods of 0 A.D."
    found_place = "The folder of 0 A.D.’s mods"
    levels = (
        PlaceLevel("mod", "my_maps", "A folder of this name is made in the folder of the mods"),
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
        """Return the folder of a mod's scenarios, or the nearest folder above it that exists.

        It is not looked for above the folder of the mods; None if that does not exist either.
        """
        scenarios = game.root / group / SCENARIOS[0]
        for folder in (scenarios, *scenarios.parents):
            if folder.is_dir():
                return folder
            if folder == game.root:
                break
        return None

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Return the file of a map and its mod in words; "" for a scenario of an installed game."""
        is_scenario = bool(group.format)
        if is_scenario:
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
    """Starts the game with a map: the user is the first player, the game's AI plays the others."""

    def why_not(self, _path: Path | None) -> str:
        if sys.platform in ("win32", "darwin"):
            return "On this system 0 A.D. always writes into your own folders: export the map."
        if _path_of_engine() is None:
            return f"0 A.D. is not installed: there is no program {ENGINE} on the path."
        return ""

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        """Return how to start the game with a map, which is written into the folder ``scratch``.

        The game is told by its environment to keep all of its folders in there. So the map is the
        only one of the user, and nothing of the match stays. Raises ProblemError for a map that
        cannot be written.
        """
        homes = {kind: scratch / kind.lower() for kind in ("DATA", "CONFIG", "CACHE")}
        environment = {f"XDG_{kind}_HOME": str(home) for kind, home in homes.items()}
        game = Mods(homes["DATA"] / "0ad" / "mods")
        data = write_checked(FORMAT, battlemap)
        game.root.mkdir(parents=True)
        commit_export(HOST.plan_exports(game, {_PLAYED_MAP: data}, user_mod().name))

        owners = {thing.owner for thing in battlemap.visible_things() if thing.owner > 0}
        count = _player_count(battlemap, owners)
        command = _match_command(count, has_opponents=len(owners) > 1)
        summary = (
            f"A match of {counted(count, 'player')} on this map: you are the first one, the "
            "game's AI plays the others."
        )
        return Launch(
            command=tuple(command), program=command[0], summary=summary, environment=environment
        )


_PLAYED_MAP = "play_here"
"""The name of the script of the map that is played."""


def _match_command(player_count: int, *, has_opponents: bool) -> list[str]:
    """Return the command that starts a match on the map; players from the second on are AIs.

    ``has_opponents`` is False if at most one player owns something on the map. The match would end
    at once by the victory of that player, so such a match is without victory.
    """
    command = [_path_of_engine() or ENGINE, f"-autostart=random/{_PLAYED_MAP}"]
    for number in range(2, player_count + 1):
        command.append(f"-autostart-ai={number}:petra")
    command += ["-mod=public", "-mod=user", f"-autostart-players={player_count}"]
    if not has_opponents:
        command.append("-autostart-victory=endless")
    return command


def _player_count(battlemap: BattleMap, owners: Set[int]) -> int:
    """Return the number of players of a match, at least two.

    It is the number of players that the map lists, or the highest of ``owners``, the players that
    own something, if that is more.
    """
    count = max(2, max(owners, default=0))
    players = settings_of_map(battlemap).get(PLAYERS)
    if isinstance(players, list):
        count = max(count, len(players) - 1)  # without Gaia, the first
    return min(count, MOST_PLAYERS)


def _path_of_engine() -> str | None:
    """Return the path of the game's program, None if it is not installed."""
    folders = (os.environ.get("PATH", ""), *program_folders())
    return shutil.which(ENGINE, path=os.pathsep.join(folders))


PLAYER = ZeroadPlayer()
HOST = ZeroadHost()
