"""0 A.D. as a game host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from randomizer.games import ExportPlan, GameHost, MapGroup, MapSlot, PlaceLevel
from randomizer.systems.zeroad.export.script_format import FORMAT
from randomizer.systems.zeroad.export.styles import versions
from randomizer.systems.zeroad.game.export import plan_exports
from randomizer.systems.zeroad.game.mods import Mods, find_game, open_game, usual_place


class ZeroadHost(GameHost):
    """0 A.D.: its mods, and their scripts of finished maps."""

    system = "zeroad"
    title = "0 A.D."
    place = "the folder “mods” with your own mods of 0 A.D."
    levels = (
        PlaceLevel("mod"),
        PlaceLevel("script", "my_map", "Letters without accents, digits, _ and -"),
    )
    map_noun = "map"
    format = FORMAT
    player = "randomizer.systems.zeroad.game.play:PLAYER"

    def open_game(self, path: str | Path) -> Mods:
        return open_game(path)

    def find_game(self, path: str | Path) -> Path:
        return find_game(path)

    def usual_place(self) -> Path:
        return usual_place()

    def versions(self) -> Sequence[str]:
        return versions()

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Name the mod and the file of a map."""
        return "" if group.format else f"{slot.name}.js of the mod {group.name}"

    def plan_exports(
        self, game: Mods, maps: Mapping[str, bytes], group: str, version: str = ""
    ) -> ExportPlan:
        return plan_exports(game, maps, group, version or versions()[0])


HOST = ZeroadHost()
