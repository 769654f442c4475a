"""Xconq's library as a game host.

The period language is imported when something is exported: a desk for other games needs none of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from randomizer.formats import write_checked
from randomizer.games import ExportPlan, GameHost, Launch, MapGroup, MapSlot, PlaceLevel, Player
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.xconq.game.folder import Library, open_game
from randomizer.systems.xconq.mapfile.mapfile_format import LIBRARY_FORMAT as FORMAT


class XconqHost(GameHost):
    """Xconq's library: mapfiles, and their lines in the menu."""

    system = "xconq"
    title = "Xconq"
    place = "the library directory of Xconq, with its periods and the menu “mapfiles”"
    levels = (PlaceLevel("mapfile", "world.scn", "A file of this name is made; a suffix is added"),)
    map_noun = "mapfile"
    format = FORMAT
    player = "randomizer.systems.xconq.game.host:PLAYER"

    def open_game(self, path: str | Path) -> Library:
        return open_game(path)

    def origin(self, _group: MapGroup, slot: MapSlot) -> str:
        """Name the file of a mapfile."""
        return slot.name

    def plan_exports(
        self, game: Library, maps: Mapping[str, bytes], group: str, _version: str = ""
    ) -> ExportPlan:
        from randomizer.systems.xconq.game.export import plan_exports

        return plan_exports(game, maps, group)


class XconqPlayer(Player):
    """Starts the program on the path; what it saves goes into the folder that it is started in."""

    def why_not(self, _path: Path | None) -> str:
        if shutil.which("xconq"):
            return ""
        return "Xconq is not installed: there is no program xconq on the path."

    def prepare(self, battlemap: BattleMap, _path: Path | None, scratch: Path) -> Launch:
        files = {"play_here": write_checked(FORMAT, battlemap)}
        plan = HOST.plan_exports(Library(scratch), files, "")
        commit_export(plan)
        command = (shutil.which("xconq") or "xconq", plan.slots[0])
        return Launch(command, command[0], f"A game with the mapfile {plan.slots[0]}.")


PLAYER = XconqPlayer()
HOST = XconqHost()
