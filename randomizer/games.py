"""What a game's own directory offers the desk: variants, terrains, pictures, scripts, exports.

A system whose maps a game loads from its directory has a module with the names of ``GameHost``
(``catalog.GAME_HOSTS``). Everything here that reads or writes may take its time: the desk calls it
off the UI thread. Only ``GameHost.SYSTEM``, ``TITLE``, ``PLACE``, ``FORMAT`` and the words that
are attributes are at hand at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from randomizer.formats import Format
from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """What a game calls its places, in the singular and lower case.

    ``variant``: a set of maps that are played together; ``terrain``: a place for one map in it;
    ``battleland``: the map in that place.
    """

    variant: str
    terrain: str
    battleland: str


class FileLocation(Protocol):
    """Where something of the game lies; hashable."""

    @property
    def words(self) -> str:
        """The place for people."""


class GameTerrain(Protocol):
    """A terrain of a variant; ``battleland`` is None where the game has none for it."""

    @property
    def name(self) -> str:
        """The name that the game's files use."""

    @property
    def shown_name(self) -> str:
        """The name that players see."""

    @property
    def battleland(self) -> FileLocation | None:
        """The map file that the game would load."""


class GameVariant(Protocol):
    """A variant of the game and what is wrong with its files."""

    @property
    def name(self) -> str:
        """Its name, one path component."""

    @property
    def terrains(self) -> Sequence[GameTerrain]:
        """Its terrains in the game's order."""

    @property
    def problems(self) -> Sequence[Problem]:
        """What is wrong with its files."""


class Game(Protocol):
    """A game found on the disk. Safe to read from several threads."""

    @property
    def root(self) -> Path:
        """The directory below which an export lands."""

    def variants(self) -> Sequence[GameVariant]:
        """All variants; a new variant has the terrains of the first."""

    def read_battleland(self, variant: str, terrain: str) -> tuple[bytes, FileLocation]:
        """The map file that the game would load. Raises ProblemError where there is none."""

    def picture(self, name: str) -> bytes | None:
        """The game's picture (PNG or GIF) of a terrain, None without. Raises ProblemError."""

    def scripts(self) -> Sequence[Path]:
        """The randomizer scripts that lie in the game's directory."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that an export would write: ``old`` is what stands there now, None if it is new.

    ``words`` say what the file is.
    """

    path: Path
    data: bytes
    old: bytes | None
    words: str

    @property
    def overwrites(self) -> bool:
        """Whether another content is replaced (and kept as a backup)."""
        return self.old is not None and self.old != self.data


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What an export would do; with an error among ``problems`` it cannot be committed.

    ``root`` is the game's directory; ``new_variant``: the game does not have that variant yet.
    ``notes`` say what will happen, ``how_to_play`` what the player does to see the map in the game
    ("" if nothing special). ``problems`` hold the map's own errors, too.
    """

    root: Path
    variant: str
    terrains: tuple[str, ...]
    new_variant: bool
    files: tuple[PlannedFile, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    how_to_play: str

    @property
    def changes(self) -> bool:
        """Whether anything in the game would be another than it is now."""
        return any(file.old != file.data for file in self.files)

    def words(self) -> tuple[str, ...]:
        """The plan in sentences: a line for each file, then the notes. Problems are not in it."""
        lines = []
        for file in self.files:
            done = "replaces" if file.overwrites else "keeps" if file.old is not None else "writes"
            size = f"{len(file.data):,} bytes"
            lines.append(f"{done} {file.path} ({file.words}, {size})")
        return (*lines, *self.notes)


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """One exported file: its place below the game's directory, the backup of what was there.

    ``place`` has ``/`` between the folders. ``backup`` is a file name in the receipt's folder, None
    where nothing was there. The digests are SHA-256 of the old and the new content.
    """

    place: str
    backup: str | None
    old_digest: str | None
    new_digest: str


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """What an export did. ``path`` is its receipt.json; ``time`` ISO 8601 in UTC.

    ``folders`` were made for it, outermost first. ``problem`` is set where the receipt cannot be
    read; such a one can only be shown.
    """

    path: Path
    time: str = ""
    variant: str = ""
    terrains: tuple[str, ...] = ()
    files: tuple[ReceiptFile, ...] = ()
    folders: tuple[str, ...] = ()
    taken_back: bool = False
    problem: Problem | None = None

    @property
    def root(self) -> Path:
        """The game's directory."""
        return self.path.parent.parent.parent


class GameHost(Protocol):
    """What a module of ``catalog.GAME_HOSTS`` offers.

    ``SYSTEM`` is the name of the system whose maps the game plays; ``TITLE`` the game's name;
    ``PLACE`` says which directory is meant; ``NAMES`` what the game calls variants, terrains and
    battlelands; ``BACKUPS`` is the folder, below the game's directory, that keeps what exports
    replaced; ``FORMAT`` is the kind of its map files.
    """

    SYSTEM: str
    TITLE: str
    PLACE: str
    NAMES: PlaceNames
    BACKUPS: str
    FORMAT: Format

    def open_game(self, path: str | Path) -> Game:
        """The game at ``path``. Raises ProblemError where there is none."""

    def origin(self, variant: GameVariant, terrain: GameTerrain) -> str:
        """In a few words, where the battleland of a terrain comes from."""

    def plan_exports(
        self, game: Game, battlelands: Mapping[str, bytes], variant: str
    ) -> ExportPlan:
        """What exporting map files (by terrain) would do; problems tell what is wrong."""

    def commit_export(self, plan: ExportPlan) -> ExportReceipt:
        """Do it, all or nothing, with a backup. Raises ProblemError."""

    def receipts(self, game: Game) -> Sequence[ExportReceipt]:
        """All exports into a game, the newest first. Raises ProblemError."""

    def take_back(self, which: Path) -> ExportReceipt:
        """Undo the export with this receipt, or change nothing and raise ProblemError."""
