"""Where games of 0 A.D. are installed, and where the user's own mod is."""

from __future__ import annotations

import os
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

_BELOW = ("", "data", "binaries/data", "Contents/Resources/data")
"""Where below a folder of a game its ``mods`` are: Debian's form, others, the vendor's, macOS."""


@dataclass(frozen=True)
class Installation:
    """A game, or a mod over one: the mods, each one going over those before it.

    The last one is what was found, a game is that alone; then come those of ``use_mods``.
    """

    name: str
    mods: tuple[ModFiles, ...]

    def read(self, path: str) -> bytes | None:
        """Return a file of the last mod that has it, None if none has."""
        contents = (mod.read(path) for mod in reversed(self.mods))
        return next((data for data in contents if data is not None), None)


def find() -> tuple[Installation, ...]:
    """Games and mods: in the user's folders, that of the environment, then the usual places.

    A mod that is no game goes over the first game. The mods of ``script_folders.use_mods`` go over
    each; without any game they are one.
    """
    mods_by_path: dict[Path, Path] = {}
    for folder in _folders():
        mod = mod_at(folder)
        if mod is not None:
            mods_by_path.setdefault(mod.resolve(), mod)
    games = [mod for mod in mods_by_path.values() if _is_game(mod)]
    further = [mod.path for mod in named_mods()]
    named = list(mods_by_path.values()) or further[:1]
    below = {mod: [mod] if mod in games else [*games[:1], mod] for mod in named}
    return tuple(Installation(_name(mod), _files([*below[mod], *further])) for mod in named)


def named_mods() -> tuple[ModFiles, ...]:
    """Return the mods of ``script_folders.use_mods``."""
    return tuple(ModFiles(mod) for mod in map(mod_at, mods()) if mod is not None)


def _files(paths: Iterable[Path]) -> tuple[ModFiles, ...]:
    """Return the files of mods, each mod once."""
    return tuple(ModFiles(mod) for mod in {mod.resolve(): mod for mod in paths}.values())


def mod_at(folder: Path) -> Path | None:
    """Return the mod that a folder or file of the user's means: a game's ``public``, or a mod
    itself.
    """
    try:
        if folder.is_file():
            beside = folder.parent / "mod.json"
            in_mod = folder.name == f"{folder.parent.name}.zip" and beside.is_file()
            if in_mod:
                return folder.parent
            if folder.suffix == ".zip":
                return folder
            return None
        for below in _BELOW:
            public = folder / below / "mods" / "public"
            if public.is_dir():
                return public
        if (folder / "public" / "mod.json").is_file():
            return folder / "public"
        is_mod = any((folder / name).exists() for name in ("mod.json", "maps", "simulation"))
        return folder if is_mod else None
    except OSError:
        return None


class Places:
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
            named = os.environ.get("XDG_DATA_HOME", "")
            data = (Path(named) if Path(named).is_absolute() else home / ".local" / "share") / "0ad"
        return data / "mods" / "user"

    def program_folders(self) -> tuple[str, ...]:
        """Return the folders of games on Linux, which are not on the path of every desktop."""
        return ("/usr/games", "/usr/local/games")


class _Chosen:
    places = Places()


def look_in(places: Places | None = None) -> None:
    """Look for games in ``places`` from now on; None: where they usually are."""
    _Chosen.places = places or Places()


def program_folders() -> tuple[str, ...]:
    """Return the folders besides the path in which the game's program may be."""
    return _Chosen.places.program_folders()


def user_mod() -> Path:
    """Return the folder of the user's own mod, which the game always loads; it need not exist."""
    return _Chosen.places.user_mod()


def _folders() -> Iterator[Path]:
    yield from folders()
    named = os.environ.get(VARIABLE, "")
    if named:
        yield user_path(named)
    yield from _Chosen.places.games()


def _newest_first(folder: Path, pattern: str) -> list[Path]:
    """Return the folders in ``folder`` of a name, the higher names first."""
    try:
        return sorted((path for path in folder.glob(pattern) if path.is_dir()), reverse=True)
    except OSError:
        return []


def _is_game(mod: Path) -> bool:
    """Return whether a mod is the game itself, on which other mods build."""
    return mod.stem == "public" or _said(mod).get("name") == "0ad"


def _name(mod: Path) -> str:
    """Return what the mod's own mod.json calls it; of the game: "0 A.D." and its version."""
    description = _said(mod)
    if _is_game(mod):
        name = "0 A.D."
    else:
        name = str(description.get("label") or description.get("name") or mod.stem)
    version = description.get("version")
    if version:
        return f"{name} {version}"
    return name


def _said(mod: Path) -> Mapping[str, Any]:
    try:
        description = parse_json(ModFiles(mod).read("mod.json") or b"", largest=LARGEST_METADATA)
    except (ValueError, RecursionError):
        return {}
    return description if isinstance(description, dict) else {}
