"""The game of Test land: a folder with ``testland.cfg``, and its maps in the folder ``maps``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from randomizer.games.export_plan import ExportPlan
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.games.slots import FileLocation, MapGroup, MapSlot, SlotLevel
from randomizer.model.problems import error
from randomizer.storage.exports.export_planning import ExportPlanner
from tests.test_system.map_file import TILES


class Folder(Game):
    """The game in its folder: one level of places."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def groups(self) -> tuple[MapGroup, ...]:
        files = sorted((self.root / "maps").glob("*.tiles"))
        slots = (MapSlot(file.stem, file.stem, FileLocation(file)) for file in files)
        return (MapGroup("", tuple(slots)),)

    def read_map(self, _group: str, slot: str) -> tuple[bytes, FileLocation]:
        path = self.root / "maps" / f"{slot}.tiles"
        try:
            return path.read_bytes(), FileLocation(path)
        except OSError as failed:
            raise error("no-map", f"the game has no map “{slot}”") from failed

    def scripts(self) -> tuple[Path, ...]:
        return tuple(sorted(self.root.glob("*.tll")))


class LandHost(GameHost):
    """What the catalogue knows of it."""

    system = "testsys"
    title = "Test game"
    directory = "the folder with testland.cfg"
    levels = (SlotLevel("map", "my_land", "A file of this name is made"),)
    map_noun = "land"
    format = TILES

    def open_game(self, path: str | Path) -> Folder:
        root = Path(path).expanduser().absolute()
        if not (root / "testland.cfg").is_file():
            raise error("no-game", f"{root.name} has no testland.cfg", path=str(root))
        return Folder(root)

    def origin(self, _group: MapGroup, _slot: MapSlot) -> str:
        return "own file"

    def plan_exports(
        self, game: Folder, maps: Mapping[str, bytes], _group: str, _version: str = ""
    ) -> ExportPlan:
        planner = ExportPlanner(game.root)
        if planner.check_names(("map", name) for name in maps):
            for name, data in maps.items():
                planner.add(game.root / "maps" / f"{name}.tiles", data, f"the land {name}")
        return planner.plan("", maps)


HOST = LandHost()
