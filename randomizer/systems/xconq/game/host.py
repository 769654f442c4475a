"""Xconq's library as a game host.

The period language is imported when something is exported: a desk for other games needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from randomizer.games import ExportPlan, GameHost, MapGroup, MapSlot, PlaceLevel
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
    player = "randomizer.systems.xconq.game.play:PLAYER"

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


HOST = XconqHost()
