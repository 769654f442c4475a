"""Finds installed games of 0 A.D. and mods for them.

    game = find_installations()[0]
    game.read("maps/random/mainland.js")     # the bytes of a file of the first game

A *mod* is a folder or a .zip with files of the game; the game itself is the mod "public". The game
loads several mods: files of a later one replace those of the same path in earlier ones. A *named*
mod is one that the user named for this run of the program, such as ``--mod balance.zip``; it is
loaded after all others. With a game, a mod "Delenda" and the named mod "Balance", the result is::

    find_installations()     Installation("0 A.D. 27", public, balance)
               Installation("Delenda", public, delenda, balance)

Where mods are looked for stands in ``game_folders``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.settings.metadata import LARGEST_METADATA
from randomizer.scripts import script_folders
from randomizer.systems.zeroad.installation.game_folders import candidate_folders
from randomizer.systems.zeroad.installation.mod_files import ModFiles

_FOLDERS_OF_DATA = ("", "data", "binaries/data", "Contents/Resources/data")
"""The folders, below that of a game, that can hold its ``mods``.

They are those of Debian's package, of other packages, of a build of the sources, and of macOS.
"""

_SIGNS_OF_MOD = ("mod.json", "maps", "simulation")
"""Files and folders of which a mod has at least one; any other folder is taken for no mod."""


@dataclass(frozen=True)
class Installation:
    """A game, or a game with a mod."""

    name: str
    """The name of the game or mod, with its version."""
    own_mod: ModFiles
    """The mod of this name, such as that of "Delenda" without the game that it is loaded after."""
    mods: tuple[ModFiles, ...]
    """All its mods in the order of loading: the game, its mod if there is one, then named mods.

    Files of later mods replace those of earlier ones.
    """

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, from the last mod that has it; None if none has it."""
        for mod in reversed(self.mods):
            data = mod.read(path)
            if data is not None:
                return data
        return None


def find_installations() -> tuple[Installation, ...]:
    """Return an installation for each game and each mod that is found, in the order of looking.

    A mod that is no game is loaded after the first game. The named mods (``named_mods``) are part
    of all installations. If no game or mod is found, the first named mod is an installation itself.
    """
    found_mods = _mods_in(candidate_folders())
    games = [mod for mod in found_mods if _is_game(mod)]
    paths_of_named_mods = [mod.path for mod in named_mods()]
    if not found_mods:
        # ``_distinct_mods`` drops it from the named mods that are added below.
        found_mods = paths_of_named_mods[:1]

    installations = list[Installation]()
    for mod in found_mods:
        paths = [mod]
        if games and mod not in games:
            paths.insert(0, games[0])
        paths += paths_of_named_mods
        installations.append(Installation(_name(mod), ModFiles(mod), _distinct_mods(paths)))
    return tuple(installations)


def named_mods() -> tuple[ModFiles, ...]:
    """Return the mods that the user named for this run, by ``script_folders.use_mods``."""
    paths = [mod_at(folder) for folder in script_folders.mods()]
    return tuple(ModFiles(path) for path in paths if path is not None)


def _mods_in(folders: Iterable[Path]) -> list[Path]:
    """Return the paths of the games and mods at these folders, each once."""
    mods_by_target: dict[Path, Path] = {}
    for folder in folders:
        mod = mod_at(folder)
        if mod is not None:
            mods_by_target.setdefault(mod.resolve(), mod)  # a link to a mod is the same mod
    return list(mods_by_target.values())


def _distinct_mods(paths: Iterable[Path]) -> tuple[ModFiles, ...]:
    """Return the mods at these paths, each once; two paths can be links to the same mod."""
    path_by_target = {path.resolve(): path for path in paths}
    return tuple(ModFiles(path) for path in path_by_target.values())


def mod_at(chosen: Path) -> Path | None:
    """Return the path of the mod that a folder or file of the user's choice stands for.

    The mod of a game is its folder ``public``, which lies below the chosen one; any other mod is
    the folder or .zip itself. None if there is no mod, or if it cannot be read.
    """
    try:
        if chosen.is_file():
            return _mod_of_file(chosen)
        public = _public_folder(chosen)
        if public is not None:
            return public
        if any((chosen / name).exists() for name in _SIGNS_OF_MOD):
            return chosen
        return None
    except OSError:
        return None


def _mod_of_file(file: Path) -> Path | None:
    """Return the mod that a file stands for, None if it is no .zip. Raises OSError."""
    # The game installs a mod as a folder with a mod.json and a .zip, both of the folder's name:
    # delenda/mod.json and delenda/delenda.zip. A user can choose the .zip and means both.
    is_in_folder_of_mod = file.name == f"{file.parent.name}.zip"
    if is_in_folder_of_mod and (file.parent / "mod.json").is_file():
        return file.parent
    if file.suffix == ".zip":
        return file
    return None


def _public_folder(chosen: Path) -> Path | None:
    """Return the folder ``public`` of a game, None if the chosen folder is none of a game.

    Both the folder of the game and its folder ``mods`` can be chosen. Raises OSError.
    """
    for folder_of_data in _FOLDERS_OF_DATA:
        public = chosen / folder_of_data / "mods" / "public"
        if public.is_dir():
            return public
    public = chosen / "public"
    if (public / "mod.json").is_file():
        return public
    return None


def _is_game(mod: Path) -> bool:
    """Return whether a mod is the game itself, on which other mods build."""
    return mod.stem == "public" or _description(mod).get("name") == "0ad"


def _name(mod: Path) -> str:
    """Return the name that a mod has in its mod.json, with its version; "0 A.D." for the game."""
    description = _description(mod)
    if _is_game(mod):
        name = "0 A.D."
    else:
        name = str(description.get("label") or description.get("name") or mod.stem)
    version = description.get("version")
    if version:
        return f"{name} {version}"
    return name


def _description(mod: Path) -> Mapping[str, Any]:
    """Return the object in the mod.json of a mod, an empty one if it cannot be read."""
    data = ModFiles(mod).read("mod.json") or b""
    try:
        description = parse_json(data, largest=LARGEST_METADATA)
    except (ValueError, RecursionError):
        return {}
    if isinstance(description, dict):
        return description
    return {}
