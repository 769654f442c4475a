"""Reads the library of Xconq, a folder with *mapfiles* (maps) and *periods* (rules of games).

    library = open_game("~/xconq/lib")
    library.groups()                        # its mapfiles, for the list of the game's maps
    library.read_map("", "islands.map")

The desk lists the maps of all games in groups with slots; a library is one group, and a slot is a
mapfile. Nothing is written here: ``export`` plans that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from randomizer.games.game import Game
from randomizer.games.slots import FileLocation, MapGroup, MapSlot
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import ProblemError, error
from randomizer.reading.files import read_file, read_start, user_path
from randomizer.systems.xconq.game.menu import NAME as MENU
from randomizer.systems.xconq.header import PERIOD_ALONE, PERIOD_SUFFIX, sections_of
from randomizer.systems.xconq.mapfile.includes import LARGEST_INCLUDE

MAX_FILES = 2_000
"""The most files of a library that are listed; with more of them a list takes longer."""

_START = 1000
"""The number of bytes at the start of a file that are read to see which sections it has."""


class Library(Game):
    """The library in its directory."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def groups(self) -> tuple[MapGroup, ...]:
        """Return the one group; its slots are the mapfiles, by the names of their files.

        A file is a mapfile by its first line, whatever its suffix. One with nothing but a period is
        none.
        """
        slots = []
        for path in self._files():
            sections = sections_of(_start(path))
            if sections is not None and sections != PERIOD_ALONE:
                slots.append(MapSlot(path.name, path.name, FileLocation(path)))
        return (MapGroup("", tuple(slots)),)

    def read_map(self, _group: str, slot: str) -> tuple[bytes, FileLocation]:
        """Return a mapfile. Raises ProblemError if it does not exist or cannot be read.

        Only files of the list are read: a name cannot lead out of the library.
        """
        for path in self._files():
            if path.name == slot:
                return read_file(path, LARGEST_INCLUDE), FileLocation(path)
        raise error("no-map", f"the library has no mapfile “{slot}”", path=str(self.root))

    def scripts(self) -> tuple[Path, ...]:
        """Return the periods of the library."""
        return tuple(self._files(PERIOD_SUFFIX))

    def _files(self, suffix: str = "") -> Iterator[Path]:
        """Yield the files whose names end with ``suffix`` ("": all), by name.

        Raises ProblemError if the directory cannot be read.
        """
        try:
            entries = sorted(self.root.iterdir())
        except OSError as failed:
            message = f"The library cannot be read: {words_of(failed)}"
            raise error("no-game", message, path=str(self.root)) from failed
        chosen = [path for path in entries if path.name.endswith(suffix) and path.is_file()]
        yield from chosen[:MAX_FILES]


def _start(path: Path) -> bytes:
    """Return the first bytes of a file; b"" if it cannot be read: it counts as no mapfile."""
    try:
        return read_start(path, _START)
    except ProblemError:
        return b""


def open_game(path: str | Path) -> Library:
    """Return the library at ``path``, a directory or a file in it.

    Raises ProblemError if it is none: a library has a menu, or at least one period.
    """
    root = user_path(path).absolute()
    if root.is_file():
        root = root.parent
    library = Library(root)
    if not root.is_dir():
        raise error("no-game", f"{root.name} is no directory", path=str(root))
    has_period = any(sections_of(_start(script)) == PERIOD_ALONE for script in library.scripts())
    if not has_period and not (root / MENU).is_file():
        message = f"{root.name} is no library of Xconq: it has neither periods nor a menu “{MENU}”"
        raise error("no-game", message, path=str(root))
    return library
