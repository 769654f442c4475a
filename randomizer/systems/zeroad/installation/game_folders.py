"""The folders of this computer in which games of 0 A.D. and the user's own mod may be.

    for folder in candidate_folders():     # /usr/share/games/0ad, /opt/0ad-27, ...
        ...                                # ``installations`` looks for a game or a mod in it
    user_mod()                             # ~/.local/share/0ad/mods/user

Every system has its usual folders (``GameFolders``). Tests set others (``look_in``).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from randomizer.reading.files import user_path
from randomizer.scripts import script_folders

VARIABLE = "ZEROAD_DATA"
"""The variable of the environment that names an installation, a mod's folder or a public.zip."""


def candidate_folders() -> Iterator[Path]:
    """Yield all folders and files that may be a game or a mod, the preferred ones first.

    They are those that the user chose, then that of ``VARIABLE``, then where systems install games.
    They need not exist.
    """
    yield from script_folders.folders()
    named = os.environ.get(VARIABLE, "")
    if named:
        yield user_path(named)
    yield from _game_folders.games()


def user_mod() -> Path:
    """Return the folder of the user's own mod, which the game always loads; it need not exist."""
    return _game_folders.user_mod()


def program_folders() -> tuple[str, ...]:
    """Return the folders besides the path in which the game's program may be."""
    return _game_folders.program_folders()


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


_game_folders = GameFolders()
"""The folders of this process; tests exchange them (``look_in``)."""


def look_in(game_folders: GameFolders | None = None) -> None:
    """Look for games in these folders from now on; None stands for where they usually are."""
    global _game_folders
    _game_folders = game_folders or GameFolders()


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
