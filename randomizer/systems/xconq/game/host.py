"""Xconq as a game into which maps are exported, and which can be started with a map.

Xconq reads its maps (*mapfiles*) from a folder, its *library*, which has a menu of them. The
catalogue of games has ``HOST``, and ``PLAYER`` starts the game. The period language is imported
when something is exported: a desk for other games needs none of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from randomizer.formats.checked import write_checked
from randomizer.games.export_plan import ExportPlan
from randomizer.games.host import GameHost
from randomizer.games.player import Launch, Player
from randomizer.games.slots import MapGroup, MapSlot, SlotLevel
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.xconq.game.folder import Library, open_game
from randomizer.systems.xconq.mapfile.mapfile_format import LIBRARY_FORMAT as FORMAT

_TRIAL_NAME = "play_here"
"""The name of the mapfile, without its suffix, with which the game is started."""


class XconqHost(GameHost):
    """Exports maps into Xconq's library: a mapfile, and its line in the menu.

    ``GameHost`` documents the attributes.
    """

    system = "xconq"
    title = "Xconq"
    directory = "the library directory of Xconq, with its periods and the menu “mapfiles”"
    levels = (SlotLevel("mapfile", "world.scn", "A file of this name is made; a suffix is added"),)
    map_noun = "mapfile"
    format = FORMAT
    player = "randomizer.systems.xconq.game.host:PLAYER"

    def open_game(self, path: str | Path) -> Library:
        """Return the library at a path. Raises ProblemError if there is none."""
        return open_game(path)

    def origin(self, _group: MapGroup, slot: MapSlot) -> str:
        """Return the name of a mapfile's file, by which a map that came from there is called."""
        return slot.name

    def plan_exports(
        self, game: Library, maps: Mapping[str, bytes], group: str, _version: str = ""
    ) -> ExportPlan:
        """Return the plan of an export; ``maps`` are the mapfiles by their names."""
        from randomizer.systems.xconq.game.export import plan_exports

        return plan_exports(game, maps, group)


class XconqPlayer(Player):
    """Starts the program ``xconq`` of the system, which saves into the folder where it starts."""

    def why_not(self, _path: Path | None) -> str:
        """Return why the game cannot be started, as a sentence; "" if it can."""
        if shutil.which("xconq"):
            return ""
        return "Xconq is not installed: there is no program xconq on the path."

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        """Export a map into the folder ``scratch``, and return how the game is started there."""
        files = {_TRIAL_NAME: write_checked(FORMAT, battlemap)}
        plan = HOST.plan_exports(Library(scratch), files, "")
        commit_export(plan)
        # ``why_not`` has found the program; if it went away since, starting it tells so.
        program = shutil.which("xconq") or "xconq"
        mapfile = plan.slots[0]  # the name with its suffix
        command = (program, mapfile)
        return Launch(command, program, f"A game with the mapfile {mapfile}.")


PLAYER = XconqPlayer()
"""The player that the host names."""

HOST = XconqHost()
"""The host of the catalogue."""
