"""Finds installed games of 0 A.D., mods for them, and the user's own mod.

    find()[0].read("maps/random/mainland.js")     # the bytes of a file of the first game

A *mod* is a folder or a .zip with files of the game; the game itself is the mod "public". The game
loads several mods: files of a later one replace those of the same path in earlier ones. ``find``
looks into the folders that a user chose, then into that of the variable ``ZEROAD_DATA``, then where
systems install games (``GameFolders``). Tests let it look elsewhere (``look_in``).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.settings.metadata import LARGEST_METADATA
from randomizer.reading.files import user_path
from randomizer.scripts.script_folders import folders, mods
from randomizer.systems.zeroad.installation.mod_files import ModFiles

VARIABLE = "ZEROAD_DATA"
"""The variable of the environment that names an installation, a mod's folder or a public.zip."""

_FOLDERS_OF_DATA = ("", "data", "binaries/data", "Contents/Resources/data")
"""The folders, below that of a game, that can hold its ``mods``.

They are those of Debian's package, of other packages, of a build of the sources, and of macOS.
"""


@dataclass(frozen=True)
class Installation:
    """A game, or a game with a mod."""

    name: str
    """The name of the game or mod, with its version."""
    mods: tuple[ModFiles, ...]
    """The mods in the order of loading: the game, its mod if there is one, then named mods.

    Files of later mods replace those of earlier ones.
    """

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, from the last mod that has it; None if none has it."""
        for mod in reversed(self.mods):
            data = mod.read(path)
            if data is not None:
                return data
        return None


def find() -> tuple[Installation, ...]:
    """Return an installation for each game and each mod that is found, in the order of looking.

    A mod that is no game is loaded after the first game. The named mods (``named_mods``) are part
    of all installations. If nothing is found, the first of them is an installation itself.
    """
    mods_by_path: dict[Path, Path] = {}
    for folder in _folders():
        mod = mod_at(folder)
        if mod is not None:
            mods_by_path.setdefault(mod.resolve(), mod)  # a link to a mod is the same mod
    games = [mod for mod in mods_by_path.values() if _is_game(mod)]
    mods_in_use = [mod.path for mod in named_mods()]

    installations = list[Installation]()
    for mod in list(mods_by_path.values()) or mods_in_use[:1]:
        loaded_mods = [mod]
        if mod not in games:
            loaded_mods = [*games[:1], mod]
        mod_files = _distinct_mods([*loaded_mods, *mods_in_use])
        installations.append(Installation(_name(mod), mod_files))
    return tuple(installations)


def named_mods() -> tuple[ModFiles, ...]:
    """Return the mods that the user named for this run, by ``script_folders.use_mods``."""
    return tuple(ModFiles(mod) for mod in map(mod_at, mods()) if mod is not None)


def _distinct_mods(paths: Iterable[Path]) -> tuple[ModFiles, ...]:
    """Return the mods at these paths, each once; two paths can be links to the same mod."""
    path_by_target = {path.resolve(): path for path in paths}
    return tuple(ModFiles(path) for path in path_by_target.values())


def mod_at(folder: Path) -> Path | None:
    """Return the mod at a folder or file that a user chose, None if there is none.

    The mod of a game is its folder ``public``; any other mod is the folder or .zip itself.
    """
    try:
        if folder.is_file():
            # An installed mod is a folder with mod.json and a .zip of the folder's name: the .zip
            # stands for the folder.
            description = folder.parent / "mod.json"
            is_zip_of_mod = folder.name == f"{folder.parent.name}.zip" and description.is_file()
            if is_zip_of_mod:
                return folder.parent
            if folder.suffix == ".zip":
                return folder
            return None
        for folder_of_data in _FOLDERS_OF_DATA:
            public = folder / folder_of_data / "mods" / "public"
            if public.is_dir():
                return public
        if (folder / "public" / "mod.json").is_file():
            return folder / "public"
        is_mod = any((folder / name).exists() for name in ("mod.json", "maps", "simulation"))
        if is_mod:
            return folder
        return None
    except OSError:
        return None


class GameFolders:
    """The folders where this computer may have games of 0 A.D. and the user's own mod."""

    def games(self) -> Iterator[Path]:
        """Yield the folders that games are usually in, the newest first; they need not exist."""
        if sys.platform == "win32":
            for variable in ("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"):
                named = os.environ.get(variable, "")
                if named:
                    yield from _newest_first(Path(named), "0 A.D*")
        elif sys.platform == "darwin":
            for programs in (Path("/Applications"), Path.home() / "Applications"):
                yield from _newest_first(programs, "0*A*D*.app")
        else:
            yield from map(Path, ("/usr/share/games/0ad", "/usr/share/0ad", "/usr/local/share/0ad"))
            yield from _newest_first(Path("/opt"), "0ad*")
            yield from _newest_first(Path.home(), "0ad*")

    def user_mod(self) -> Path:
        """Return the folder of the user's own mod; it need not exist."""
        home = Path.home()
        if sys.platform == "win32":
            data = home / "Documents" / "My Games" / "0ad"
        elif sys.platform == "darwin":
            data = home / "Library" / "Application Support" / "0ad"
        else:
            data_home = Path(os.environ.get("XDG_DATA_HOME", ""))
            if not data_home.is_absolute():  # not set; and relative paths do not count
                data_home = home / ".local" / "share"
            data = data_home / "0ad"
        return data / "mods" / "user"

    def program_folders(self) -> tuple[str, ...]:
        """Return the folders of games on Linux, which are not on the path of every desktop."""
        return ("/usr/games", "/usr/local/games")


class _Search:
    """The search for games, of which there is one in a process."""

    folders = GameFolders()
    """The folders in which it looks; tests set others (``look_in``)."""


def look_in(game_folders: GameFolders | None = None) -> None:
    """Look for games in these folders from now on; None stands for where they usually are."""
    _Search.folders = game_folders or GameFolders()


def program_folders() -> tuple[str, ...]:
    """Return the folders besides the path in which the game's program may be."""
    return _Search.folders.program_folders()


def user_mod() -> Path:
    """Return the folder of the user's own mod, which the game always loads; it need not exist."""
    return _Search.folders.user_mod()


def _folders() -> Iterator[Path]:
    """Yield all folders and files that may be a game or mod, in the order of preference."""
    yield from folders()
    named = os.environ.get(VARIABLE, "")
    if named:
        yield user_path(named)
    yield from _Search.folders.games()


def _newest_first(folder: Path, pattern: str) -> list[Path]:
    """Return the folders in ``folder`` of a name, those of higher versions first."""
    try:
        folders = [path for path in folder.glob(pattern) if path.is_dir()]
    except OSError:
        return []
    return sorted(folders, key=_version_order, reverse=True)


def _version_order(folder: Path) -> tuple[list[int], str]:
    """Return the key that sorts folders by the numbers in their names: 0ad-9 before 0ad-10."""
    numbers = [int(digits) for digits in re.findall(r"[0-9]+", folder.name)]
    return numbers, folder.name


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
