"""0 A.D. plays a map: as a random map script in the user mod of a scratch folder."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.game_run import write_plan
from randomizer.games import Launch, Player
from randomizer.model.battlemap import BattleMap
from randomizer.model.plurals import counted
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_exports
from randomizer.systems.zeroad.game.mods import Mods
from randomizer.systems.zeroad.installation.installations import user_mod
from randomizer.systems.zeroad.map.record_fields import PLAYERS
from randomizer.systems.zeroad.map.records import settings_of_map

NAME = "play_here"
ENGINE = "pyrogenesis"
_FOLDERS = "/usr/games", "/usr/local/games"
"""Of games on Linux; not on the path of every desktop."""


class ZeroadPlayer(Player):
    """The player is the first one of the map, the game's AI plays the others."""

    def why_not(self, _path: Path | None) -> str:
        """Return that there is no game, or that it cannot be kept out of the player's folders."""
        if sys.platform in ("win32", "darwin"):
            return "On this system 0 A.D. always writes into your own folders: export the map."
        if _engine() is None:
            return f"0 A.D. is not installed: there is no program {ENGINE} on the path."
        return ""

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        homes = {kind: scratch / kind.lower() for kind in ("DATA", "CONFIG", "CACHE")}
        game, data = Mods(homes["DATA"] / "0ad" / "mods"), write_checked(FORMAT, battlemap)
        write_plan(plan_exports(game, {NAME: data}, user_mod().name, versions()[0]))
        owners = {thing.owner for thing in battlemap.visible_things() if thing.owner > 0}
        listed = settings_of_map(battlemap).get(PLAYERS)
        count = max(2, *owners, len(listed) - 1 if isinstance(listed, list) else 0)
        others = [f"-autostart-ai={number}:petra" for number in range(2, count + 1)]
        command = [_engine() or ENGINE, f"-autostart=random/{NAME}", *others, "-mod=public"]
        command += ["-mod=user", f"-autostart-players={count}"]
        if len(owners) < 2:  # with a victory to be had it would end at once
            command.append("-autostart-victory=endless")
        return Launch(
            tuple(command),
            command[0],
            f"A match of {counted(count, 'player')} on this map: you are the first one, the "
            "game's AI plays the others.",
            {f"XDG_{kind}_HOME": str(home) for kind, home in homes.items()},
        )


def _engine() -> str | None:
    return shutil.which(ENGINE, path=os.pathsep.join((os.environ.get("PATH", ""), *_FOLDERS)))


PLAYER = ZeroadPlayer()
