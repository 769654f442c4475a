"""A game on the disk, whose maps are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from randomizer.formats.results import NO_FILES
from randomizer.games.slots import FileLocation, MapGroup


class Game:
    """A game found on the disk; exports are written below ``root``.

    Safe to read from several threads.
    """

    root: Path

    def groups(self) -> Sequence[MapGroup]:
        """Return all groups; a new group has the slots of the first."""
        raise NotImplementedError

    def read_map(self, group: str, slot: str) -> tuple[bytes, FileLocation]:
        """Read the map file that the game would load. Raises ProblemError if there is none."""
        raise NotImplementedError

    def files_beside(self, group: str, slot: str) -> Mapping[str, bytes]:
        """Return the files beside a map file that it refers to, by name."""
        return NO_FILES

    def scripts(self) -> Sequence[Path]:
        """Return the randomizer scripts in the game's directory."""
        return ()

    def picture(self, name: str) -> bytes | None:
        """Read the game's picture (PNG or GIF) of a terrain, None without. Raises ProblemError."""
        return None
