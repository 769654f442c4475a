"""Starts 0 A.D. with a map that need not be exported: a match of the user against the game's AI.

    launch = PLAYER.prepare(battlemap, None, Path("/tmp/an_empty_folder"))
    launch.command      # pyrogenesis -autostart=random/play_here -autostart-ai=2:petra ...

The map is written as a script into an empty folder, in which the game keeps its own files, too.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Set
from pathlib import Path

from randomizer.formats.checked import write_checked
from randomizer.games.player import Launch, Player
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_exports
from randomizer.systems.zeroad.game.mods import Mods
from randomizer.systems.zeroad.installation.game_folders import program_folders, user_mod
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS
from randomizer.systems.zeroad.map.records import PLAYERS, settings_of_map

ENGINE = "pyrogenesis"
"""The name of the game's program."""

_PLAYED_MAP = "play_here"
"""The name of the script of the map that is played."""


class ZeroadPlayer(Player):
    """Starts the game with a map: the user is the first player, the game's AI plays the others."""

    def why_not(self, _path: Path | None) -> str:
        if sys.platform in ("win32", "darwin"):
            return "On this system 0 A.D. always writes into your own folders: export the map."
        if _path_of_engine() is None:
            return f"0 A.D. is not installed: there is no program {ENGINE} on the path."
        return ""

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        """Return how to start the game with a map, which is written into ``scratch``, empty so far.

        The game is told by its environment to keep all of its folders in there. So the map is the
        only one of the user, and nothing of the match stays. Raises ProblemError for a map that
        cannot be written.
        """
        homes = {kind: scratch / kind.lower() for kind in ("DATA", "CONFIG", "CACHE")}
        environment = {f"XDG_{kind}_HOME": str(home) for kind, home in homes.items()}
        game = Mods(homes["DATA"] / "0ad" / "mods")
        data = write_checked(FORMAT, battlemap)
        game.root.mkdir(parents=True)
        plan = plan_exports(game, {_PLAYED_MAP: data}, user_mod().name, versions()[0])
        commit_export(plan)

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
    return min(count, MAX_PLAYERS)


def _path_of_engine() -> str | None:
    """Return the path of the game's program, None if it is not installed."""
    folders = (os.environ.get("PATH", ""), *program_folders())
    return shutil.which(ENGINE, path=os.pathsep.join(folders))


PLAYER = ZeroadPlayer()
