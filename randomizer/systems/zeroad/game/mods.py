"""Reads the folder ``mods`` of 0 A.D.: which mods, finished maps and scripts are in it.

    game = open_game("/home/ann/.local/share/0ad/mods")     # ProblemError for another folder
    for group in game.groups():                             # a mod
        for slot in group.slots:                            # a finished map in it
            data, location = game.read_map(group.name, slot.name)

A *finished map* is a script that we wrote, which always makes the same map. It is at
maps/random/NAME.js in the folder of a mod, with metadata beside it. The scenarios of installed
games are offered in groups of their own, for opening only. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from randomizer.formats.results import NO_FILES
from randomizer.games.game import Game
from randomizer.games.slots import FileLocation, MapGroup, MapSlot
from randomizer.model.problems import ProblemError, Severity, error
from randomizer.reading.files import read_file, read_start, user_path
from randomizer.systems.zeroad.export.fixed_script import is_fixed_script
from randomizer.systems.zeroad.export.styles import LARGEST_SCRIPT
from randomizer.systems.zeroad.installation.game_folders import user_mod
from randomizer.systems.zeroad.installation.installations import Installation, find_installations

SCRIPTS = ("maps", "random")
"""The folders below a mod with its scripts and their metadata."""

PREVIEWS = ("art", "textures", "ui", "session", "icons", "mappreview")
"""The folders below a mod with the pictures of its maps."""

SCENARIOS = ("maps/scenarios", "maps/skirmishes")
"""The folders of an installed game with scenarios of its editor."""

MAX_SCRIPTS = 2_000
"""The largest number of scripts of a mod that are read."""

_BYTES_OF_START = 200
"""The bytes at the start of a script that are read: enough to tell a finished map."""


class Mods(Game):
    """The folder ``root``, which has a folder for each mod; it need not exist yet.

    A group is a mod. A slot is a finished map, with the name of its file without the suffix.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def groups(self) -> tuple[MapGroup, ...]:
        """Return the mods, then the scenarios of installed games.

        The user's own mod is the first, even if it does not exist yet.
        """
        usual = user_mod().name
        mods_by_name = {usual: self._mod(usual)}
        for folder in _entries(self.root):
            is_mod = (folder / "mod.json").is_file() or folder.joinpath(*SCRIPTS).is_dir()
            if is_mod and not folder.name.startswith("."):
                mods_by_name[folder.name] = self._mod(folder.name)
        return (*mods_by_name.values(), *_scenarios())

    def _mod(self, name: str) -> MapGroup:
        """Return the finished maps of a mod; scripts that cannot be read become warnings."""
        slots = []
        problems = []
        for path in self._scripts_of(name):
            try:
                is_finished_map = is_fixed_script(read_start(path, _BYTES_OF_START))
            except ProblemError as failed:
                for problem in failed.problems:
                    problems.append(replace(problem, severity=Severity.WARNING))
                continue
            if is_finished_map:
                slots.append(MapSlot(name=path.stem, shown_name=path.stem, file=FileLocation(path)))
        return MapGroup(name, tuple(slots), tuple(problems))

    def _scripts_of(self, mod: str) -> Iterator[Path]:
        """Yield the script files of a mod that have metadata beside them.

        Of more than ``MAX_SCRIPTS`` the last ones, by name, are not read.
        """
        entries = _entries(self.root.joinpath(mod, *SCRIPTS))
        scripts = [entry for entry in entries if entry.suffix == ".js"]
        for path in scripts[:MAX_SCRIPTS]:
            if path.is_file() and path.with_suffix(".json").is_file():
                yield path

    def read_map(self, group: str, slot: str) -> tuple[bytes, FileLocation]:
        """Return the script of a finished map. Raises ProblemError if it cannot be read."""
        if group in _scenario_folders():
            scenario = _scenario_file(group, f"{slot}.xml")
            if scenario is None:
                raise error("no-map", f"{group} has no map “{slot}”", path=str(self.root))
            return scenario
        for path in self._scripts_of(group):
            if path.stem == slot:
                return read_file(path, LARGEST_SCRIPT), FileLocation(path)
        raise error("no-map", f"the mod {group} has no map “{slot}”", path=str(self.root))

    def files_beside(self, group: str, slot: str) -> Mapping[str, bytes]:
        """Return the terrain of a scenario, a file of the same name; nothing for scripts."""
        name = f"{slot}.pmp"
        terrain = _scenario_file(group, name)
        if terrain is None:
            return NO_FILES
        data, _location = terrain
        return {name: data}

    def scripts(self) -> tuple[Path, ...]:
        """Return the scripts that are no finished maps, in the order of the mods."""
        scripts = list[Path]()
        for mod in self.groups():
            finished_maps = {slot.file for slot in mod.slots}
            for path in self._scripts_of(mod.name):
                if FileLocation(path) not in finished_maps:
                    scripts.append(path)
        return tuple(scripts)


class _ScenarioFolder(NamedTuple):
    """A folder of an installed game with scenarios."""

    game: Installation
    folder: str
    """Its path in a mod, one of ``SCENARIOS``."""


def _scenario_folders() -> Mapping[str, _ScenarioFolder]:
    """Return the folders with scenarios of installed games, by the names of their groups.

    A name is such as "0 A.D. 0.27: skirmishes".
    """
    folders: dict[str, _ScenarioFolder] = {}
    for game in find_installations():
        for folder in SCENARIOS:
            group_name = f"{game.name}: {PurePosixPath(folder).name}"
            folders[group_name] = _ScenarioFolder(game, folder)
    return folders


def _scenarios() -> Iterator[MapGroup]:
    """Yield a group for each folder with scenarios of the installed games."""
    for name, (game, folder) in _scenario_folders().items():
        mod = game.mods[-1]  # the last one, which replaces files of the others
        files: dict[str, FileLocation] = {}
        for path in mod.list(folder, recursive=False):
            if path.endswith(".xml"):
                files[PurePosixPath(path).stem] = FileLocation(mod.path, path)
        if files:
            slots = [MapSlot(name=stem, shown_name=stem, file=file) for stem, file in files.items()]
            yield MapGroup(name, tuple(slots), format="pmp")


def _scenario_file(group: str, name: str) -> tuple[bytes, FileLocation] | None:
    """Return the content and the location of a file of a scenario.

    None if ``group`` is no folder of scenarios, or has no such file.
    """
    folders = _scenario_folders()
    if group not in folders:
        return None
    game, folder = folders[group]
    data = game.read(f"{folder}/{name}")
    if data is None:
        return None
    return data, FileLocation(game.mods[-1].path, f"{folder}/{name}")


def _entries(folder: Path) -> list[Path]:
    """Return the files and folders in a folder, by name; none if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def default_mods_folder() -> Path:
    """Return the folder with the mods of this user."""
    return user_mod().parent


def find_mods_folder(path: str | Path) -> Path:
    """Return the folder of the mods near a path that a user chose.

    The path may be that folder, anything in it, or the folder that it is in. Raises ProblemError
    for another one, and for one that does not exist: an export must not go where nobody has
    pointed. Only the usual folder need not exist.
    """
    chosen = user_path(path).absolute()
    if chosen == default_mods_folder():
        return chosen
    mods = _mods_near(chosen)
    if not chosen.exists():
        raise _no_folder(chosen, mods)
    if mods is None:
        raise _no_mods(chosen)
    return mods


def open_game(path: str | Path) -> Mods:
    """Return the mods at ``path``. Raises ProblemError if it is no folder of mods.

    The user's own need not be there: a game that was never started has none.
    """
    root = user_path(path).absolute()
    is_mods_folder = root.is_dir() and root.name == default_mods_folder().name
    if root != default_mods_folder() and not is_mods_folder:
        raise _no_mods(root)
    return Mods(root)


def _mods_near(path: Path) -> Path | None:
    """Return the nearest folder of mods: a path, one of its parents, or a child of any of these."""
    usual_name = default_mods_folder().name
    for folder in (path, *path.parents):
        if folder.name == usual_name and folder.is_dir():
            return folder
        if (folder / usual_name).is_dir():
            return folder / usual_name
    return None


def _no_folder(path: Path, mods: Path | None) -> ProblemError:
    """Return the error of a path that does not exist; ``mods`` is the folder that was meant."""
    message = f"There is no folder {path}"
    if mods is not None:
        message += f"; did you mean {mods}?"
    return error("no-game", message, path=str(path))


def _no_mods(path: Path) -> ProblemError:
    """Return the error of a path that is not near the mods of the game."""
    message = f"{path.name or path} is not the folder “mods” of 0 A.D., nor above or below one"
    return error("no-game", message, path=str(path))
