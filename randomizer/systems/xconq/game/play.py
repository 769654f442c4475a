"""Xconq plays a mapfile in a scratch folder, with its period inside."""

from __future__ import annotations

import shutil
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.game_run import write_plan
from randomizer.games import Launch, Player
from randomizer.model.battlemap import BattleMap
from randomizer.systems.xconq.game.export import plan_exports
from randomizer.systems.xconq.game.folder import Library
from randomizer.systems.xconq.mapfile.mapfile_format import LIBRARY_FORMAT

NAME, PROGRAM = "play_here", "xconq"


class XconqPlayer(Player):
    """Starts the program on the path; what it saves goes into the folder that it is started in."""

    def why_not(self, _path: Path | None) -> str:
        """Return that the program is missing."""
        if shutil.which(PROGRAM) is None:
            return f"Xconq is not installed: there is no program {PROGRAM} on the path."
        return ""

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        plan = plan_exports(Library(scratch), {NAME: write_checked(LIBRARY_FORMAT, battlemap)}, "")
        write_plan(plan)
        command = (shutil.which(PROGRAM) or PROGRAM, plan.slots[0])
        return Launch(command, command[0], f"A game with the mapfile {plan.slots[0]}.")


PLAYER = XconqPlayer()
