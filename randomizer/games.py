"""The protocol of games that load maps from a directory: their places, pictures, scripts, exports.

A system whose maps a game loads has a module with the names of ``GameHost``
(``catalog.GAME_HOSTS``). Functions that read or write can be slow: the desk calls them off the UI
thread. The attributes of ``GameHost`` are available at once.

A game has *slots* for one map each, and they stand in *groups*. What both are called is said by the
host's ``LEVELS``: variant and terrain (Colossus), library and map, mod and script. The slots of a
game with one level stand in a single group without a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from randomizer.formats import Format
from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class PlaceLevel:
    """A level of a game's places. ``name`` is what the game calls one, singular, lower case.

    ``new`` suggests the name of one that the game does not have; "": only those that it has can be
    chosen. ``new_help`` says what such a name must be and what comes of it.
    """

    name: str
    new: str = ""
    new_help: str = ""

    @property
    def title(self) -> str:
        """The name as a label."""
        return self.name.capitalize()


class FileLocation(Protocol):
    """The location of a file of the game; hashable."""

    @property
    def words(self) -> str:
        """The location in words."""


class MapSlot(Protocol):
    """A place for one map; ``file`` is None if the game has no map for it."""

    @property
    def name(self) -> str:
        """The name in the game's files."""

    @property
    def shown_name(self) -> str:
        """The name shown to players."""

    @property
    def file(self) -> FileLocation | None:
        """The map file that the game would load."""


class MapGroup(Protocol):
    """Slots whose maps are used together, and the problems of their files."""

    @property
    def name(self) -> str:
        """Its name, one path component; "" in a game with one level."""

    @property
    def slots(self) -> Sequence[MapSlot]:
        """Its slots in the game's order."""

    @property
    def problems(self) -> Sequence[Problem]:
        """The problems of its files."""


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A ``FileLocation``: a file on the disk."""

    path: Path

    @property
    def words(self) -> str:
        """Its path."""
        return str(self.path)


@dataclass(frozen=True, slots=True)
class FileSlot:
    """A ``MapSlot`` that is called in the game as its file is in the list."""

    name: str
    file: DiskFile

    @property
    def shown_name(self) -> str:
        """The name."""
        return self.name


@dataclass(frozen=True, slots=True)
class FileGroup:
    """A ``MapGroup`` of files."""

    name: str
    slots: tuple[FileSlot, ...]
    problems: tuple[Problem, ...] = ()


class Game(Protocol):
    """A game found on the disk. Safe to read from several threads."""

    @property
    def root(self) -> Path:
        """The directory below which exports are written."""

    def groups(self) -> Sequence[MapGroup]:
        """All groups; a new group has the slots of the first."""

    def read_map(self, group: str, slot: str) -> tuple[bytes, FileLocation]:
        """The map file that the game would load. Raises ProblemError if there is none."""

    def scripts(self) -> Sequence[Path]:
        """The randomizer scripts in the game's directory."""


@runtime_checkable
class HasPictures(Protocol):
    """A game with pictures of terrains that the desk can draw maps with."""

    def picture(self, name: str) -> bytes | None:
        """The game's picture (PNG or GIF) of a terrain, None without. Raises ProblemError."""


def place_words(group: str, *slots: str) -> str:
    """A place in words: its group, if that has a name, and its slots."""
    return " / ".join(word for word in (group, ", ".join(slots)) if word)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that an export would write; ``old`` is its present contents, None if it is new.

    ``words`` describe the file.
    """

    path: Path
    data: bytes
    old: bytes | None
    words: str

    @property
    def overwrites(self) -> bool:
        """Whether different contents are replaced (and backed up)."""
        return self.old is not None and self.old != self.data

    @property
    def action(self) -> str:
        """What an export does with the file: "replaces", "keeps" or "writes" it."""
        return "replaces" if self.overwrites else "writes" if self.old is None else "keeps"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What an export would do; with an error among ``problems`` it cannot be committed.

    ``root`` is the game's directory; ``new_group``: the game does not have that group yet.
    ``notes`` say what will happen, ``how_to_play`` what the player does to see the map in the game
    ("" if nothing special). ``problems`` include the map's own errors.
    """

    root: Path
    group: str
    slots: tuple[str, ...]
    new_group: bool
    files: tuple[PlannedFile, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    how_to_play: str

    @property
    def target(self) -> str:
        """Where the export goes, as text: a slot, or the group of several."""
        return place_words(self.group, *self.slots) if len(self.slots) == 1 else self.group

    @property
    def changes(self) -> bool:
        """Whether the export would change any file."""
        return any(file.old != file.data for file in self.files)

    def words(self) -> tuple[str, ...]:
        """The plan in sentences: a line for each file, then the notes; without the problems."""
        lines = []
        for file in self.files:
            size = f"{len(file.data):,} bytes"
            lines.append(f"{file.action} {file.path} ({file.words}, {size})")
        return (*lines, *self.notes)


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """One exported file: its path below the game's directory, and the backup of the old one.

    ``place`` has ``/`` between the folders. ``backup`` is a file name in the receipt's folder, None
    if there was no file. The digests are those of the old and the new contents.
    """

    place: str
    backup: str | None
    old_sha256: str | None
    new_sha256: str


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """The record of an export. ``path`` is its receipt.json; ``time`` ISO 8601 in UTC.

    ``folders`` were made for it, outermost first. ``problem`` is set if the receipt cannot be read;
    such a receipt can only be shown.
    """

    path: Path
    time: str = ""
    group: str = ""
    slots: tuple[str, ...] = ()
    files: tuple[ReceiptFile, ...] = ()
    folders: tuple[str, ...] = ()
    taken_back: bool = False
    problem: Problem | None = None

    @property
    def root(self) -> Path:
        """The game's directory."""
        return self.path.parent.parent.parent

    @property
    def reversible(self) -> bool:
        """Whether the export can be taken back: its receipt can be read, and it was not yet."""
        return self.problem is None and not self.taken_back


class GameHost(Protocol):
    """The names of a module of ``catalog.GAME_HOSTS``.

    ``SYSTEM`` is the name of the system whose maps the game plays; ``TITLE`` the game's name;
    ``PLACE`` says which directory is meant; ``LEVELS`` are the levels of its places, one (slots) or
    two (groups, slots); ``MAP`` is what the game calls a map, singular, lower case;
    ``HAS_PICTURES``: its game is one that ``HasPictures``; ``BACKUPS`` is the folder, below the
    game's directory, of the backups of exports; ``FORMAT`` is the format of its map files.
    """

    SYSTEM: str
    TITLE: str
    PLACE: str
    LEVELS: tuple[PlaceLevel, ...]
    MAP: str
    HAS_PICTURES: bool
    BACKUPS: str
    FORMAT: Format

    def open_game(self, path: str | Path) -> Game:
        """The game at ``path``. Raises ProblemError if there is none."""

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """The origin of a slot's map in a few words."""

    def plan_exports(self, game: Game, maps: Mapping[str, bytes], group: str) -> ExportPlan:
        """What exporting map files (by slot) to a group would do, with the problems."""

    def commit_export(self, plan: ExportPlan) -> ExportReceipt:
        """Carry out a plan, all or nothing, with a backup. Raises ProblemError."""

    def receipts(self, game: Game) -> Sequence[ExportReceipt]:
        """All exports into a game, the newest first. Raises ProblemError."""

    def take_back(self, which: Path) -> ExportReceipt:
        """Undo the export with this receipt, or change nothing and raise ProblemError."""


@runtime_checkable
class FindsGame(Protocol):
    """A host that finds its game also where a folder or file near it was chosen."""

    def find_game(self, path: str | Path) -> Path:
        """The directory or file for ``open_game``.

        Raises ProblemError, which says what to choose, if no game or several are near.
        """


@runtime_checkable
class HasUsualPlace(Protocol):
    """A host whose maps are usually in the same place of a user's disk."""

    def usual_place(self) -> Path:
        """What to give to ``open_game`` where nobody has chosen anything."""


@runtime_checkable
class HasVersions(Protocol):
    """A host whose exports are different for the versions of the game."""

    def versions(self) -> Sequence[str]:
        """All versions, the likeliest first: ``GameHost.plan_exports`` plans for that one."""

    def plan_for_version(
        self, game: Game, maps: Mapping[str, bytes], group: str, version: str
    ) -> ExportPlan:
        """As ``GameHost.plan_exports``, for one of ``versions``."""


def plan_exports(
    host: GameHost, game: Game, maps: Mapping[str, bytes], group: str, version: str = ""
) -> ExportPlan:
    """``host.plan_exports``, for a version of the game if one is named."""
    if version and isinstance(host, HasVersions):
        return host.plan_for_version(game, maps, group, version)
    return host.plan_exports(game, maps, group)


def game_place(host: GameHost, path: Path) -> Path:
    """What to give to ``open_game`` where a person chose ``path``. Raises ProblemError."""
    return host.find_game(path) if isinstance(host, FindsGame) else path
