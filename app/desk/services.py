"""Services of features for other features.

The feature of files, for instance, sets ``Desk.files`` to an object that does as ``Files`` says.
Others open a file by it, and do not import that feature::

    desk.files.open_path(path)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.storage.disk.backups import Backup

if TYPE_CHECKING:
    from app.document.open_map import GameSource, OpenMap


class Files(Protocol):
    """The services of the feature of files for other features."""

    def open_path(self, path: Path, *, roll: bool = False) -> None:
        """Open a map, or a script in its panel, by what the file is; ``roll``: roll the script."""

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open files one after the other, in this order."""

    def open_copy(self, path: Path) -> None:
        """Open what a file holds as a map that has no file."""

    def open_backup(self, path: Path, backup: Backup) -> None:
        """Open a backup of the file ``path`` as a map that has no file."""

    def open_game_map(self, result: ReadResult, source: GameSource, where: str) -> None:
        """Show a map that was read from a game; ``where`` names its file if it has problems."""


class TerrainSets(Protocol):
    """The services of the feature of terrain sets for other features."""

    async def open_or_raise(self, path: Path) -> None:
        """Give the current map the terrain set of a file. Raises ProblemError if it cannot."""


class ComparedCandidate(NamedTuple):
    """A map that is not open, such as a candidate of the gallery, to be compared with another."""

    battlemap: BattleMap

    name: str
    """Its name above the map."""

    take: Callable[[], object]
    """Makes it the rolled layer of the current map; the button *Take* above it calls this."""


class Compare(Protocol):
    """The services of the feature that compares maps for other features."""

    def show(
        self,
        theirs: OpenMap | BattleMap,
        name: str,
        *,
        take_theirs: Callable[[], object] | None = None,
    ) -> object:
        """Compare the current map with ``theirs``, which is called ``name``.

        A button *Take* above their map calls ``take_theirs``; without it there is no such button.
        """

    def show_two(self, ours: ComparedCandidate, theirs: ComparedCandidate) -> object:
        """Compare two maps that are not open."""


class Games(Protocol):
    """The services of the feature of games for other features."""

    def scripts(self) -> list[Path]:
        """Return the scripts that were found in the game's directory."""

    def group_title(self) -> str:
        """Return what a whole group is called in the game of the map, such as "Whole variant"."""
