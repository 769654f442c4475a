"""The game of Test land: a folder with ``testland.cfg``, and its maps in the folder ``maps``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from randomizer.games import ExportPlan, PlaceLevel
from randomizer.model.problems import Problem, error
from randomizer.storage.export_planning import ExportPlanner
from randomizer.storage.export_receipts import BACKUPS, commit_export, receipts, take_back
from tests.test_system.map_file import TILES as FORMAT

__all__ = ["BACKUPS", "FORMAT", "commit_export", "receipts", "take_back"]

SYSTEM = "testsys"
TITLE = "Test game"
PLACE = "the folder with testland.cfg"
LEVELS = (PlaceLevel("map", "my_land", "A file of this name is made"),)
MAP = "land"
HAS_PICTURES = False


@dataclass(frozen=True)
class Location:
    """A map file."""

    path: Path

    @property
    def words(self) -> str:
        return str(self.path)


@dataclass(frozen=True)
class Slot:
    """A map of the game; it is shown under its own name."""

    name: str
    file: Location

    @property
    def shown_name(self) -> str:
        return self.name


@dataclass(frozen=True)
class Maps:
    """All maps: the game has one level."""

    slots: tuple[Slot, ...]
    name: str = ""
    problems: tuple[Problem, ...] = ()


class Folder:
    """The game in its folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def groups(self) -> tuple[Maps, ...]:
        files = sorted((self.root / "maps").glob("*.tiles"))
        return (Maps(tuple(Slot(file.stem, Location(file)) for file in files)),)

    def read_map(self, _group: str, slot: str) -> tuple[bytes, Location]:
        path = self.root / "maps" / f"{slot}.tiles"
        try:
            return path.read_bytes(), Location(path)
        except OSError as failed:
            raise error("no-map", f"the game has no map “{slot}”") from failed

    def scripts(self) -> tuple[Path, ...]:
        return tuple(sorted(self.root.glob("*.tll")))


def open_game(path: str | Path) -> Folder:
    """The game in a folder. Raises ProblemError if there is none."""
    root = Path(path).expanduser().absolute()
    if not (root / "testland.cfg").is_file():
        raise error("no-game", f"{root.name} has no testland.cfg", path=str(root))
    return Folder(root)


def origin(_group: Maps, _slot: Slot) -> str:
    """Every map is a file of its own."""
    return "own file"


def plan_exports(game: Folder, maps: Mapping[str, bytes], _group: str) -> ExportPlan:
    """One file a map."""
    planner = ExportPlanner(game.root)
    if planner.check_names(("map", name) for name in maps):
        for name, data in maps.items():
            planner.add(game.root / "maps" / f"{name}.tiles", data, f"the land {name}")
    return planner.plan("", maps)
