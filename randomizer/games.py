"""Games that load maps from a directory: their places, pictures, scripts, exports.

A system whose maps a game loads has a ``GameHost`` (``catalog.GAME_HOSTS``). Methods that read can
be slow: the desk calls them off the UI thread. Its attributes are available at once.

A game has *slots* for one map each, and they stand in *groups*. What both are called is said by the
host's ``levels``: variant and terrain (Colossus), library and map, mod and script. The slots of a
game with one level stand in a single group without a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from randomizer.formats import NO_FILES, Format
from randomizer.model.map.battlemap import BattleMap
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


@dataclass(frozen=True, slots=True)
class FileLocation:
    """The location of a game's file: on the disk, or the entry ``inside`` the archive ``path``."""

    path: Path
    inside: str | None = None

    @property
    def words(self) -> str:
        """The location as text: a path, or an entry and its archive."""
        if self.inside is None:
            return str(self.path)
        return f"{self.inside} in {self.path.name}"


@dataclass(frozen=True, slots=True)
class MapSlot:
    """A place for one map: its name in the game's files, and the one shown to players.

    ``file`` is the map file that the game would load, None if it has none.
    """

    name: str
    shown_name: str
    file: FileLocation | None


@dataclass(frozen=True, slots=True)
class MapGroup:
    """Slots, in the game's order, whose maps are used together, and the problems of their files.

    ``name`` is one path component; "" in a game with one level. ``format`` is the name of the
    format of its maps if it is not the game's own: they are opened one by one, none is written.
    """

    name: str
    slots: tuple[MapSlot, ...]
    problems: tuple[Problem, ...] = ()
    format: str = field(default="", kw_only=True)


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

    def files_beside(self, _group: str, _slot: str) -> Mapping[str, bytes]:
        """Return the files beside a map file that it refers to, by name."""
        return NO_FILES

    def scripts(self) -> Sequence[Path]:
        """Return the randomizer scripts in the game's directory."""
        return ()

    def picture(self, _name: str) -> bytes | None:
        """Read the game's picture (PNG or GIF) of a terrain, None without. Raises ProblemError."""
        return None


def place_words(group: str, *slots: str) -> str:
    """Return a place in words: its group, if that has a name, and its slots."""
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
        """True if different contents are replaced (and backed up)."""
        return self.old is not None and self.old != self.data

    @property
    def action(self) -> str:
        """The verb for an export and the file: "replaces", "keeps" or "writes"."""
        if self.overwrites:
            return "replaces"
        if self.old is None:
            return "writes"
        return "keeps"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """The plan of an export; with an error among ``problems`` it cannot be committed.

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
        """The target of the export as text: a slot, or the group of several."""
        if len(self.slots) == 1:
            return place_words(self.group, *self.slots)
        return self.group

    @property
    def changes(self) -> bool:
        """True if the export would change any file."""
        return any(file.old != file.data for file in self.files)

    def words(self) -> tuple[str, ...]:
        """Return the plan in sentences: a line for each file, then the notes; without the
        problems.
        """
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
        """True if the export can be taken back: its receipt can be read, and it was not yet."""
        return self.problem is None and not self.taken_back


@dataclass(frozen=True, slots=True)
class Launch:
    """A game that is about to play a map: ``command`` is run in its scratch folder.

    ``program`` is shown as what is started; ``summary`` says what the player will see.
    ``environment`` goes over that of this program.
    """

    command: tuple[str, ...]
    program: str
    summary: str
    environment: Mapping[str, str] = field(default_factory=dict)


class Player:
    """Lets the game of a host play a map; what the game writes goes into a scratch folder.

    ``path`` is always what the player has chosen for ``GameHost.open_game``, None for nothing.
    """

    def why_not(self, path: Path | None) -> str:
        """Return why the game cannot be started, "" if it can; at once."""
        raise NotImplementedError

    def prepare(self, battlemap: BattleMap, path: Path | None, scratch: Path) -> Launch:
        """Write what the game needs into an empty folder. Raises ProblemError."""
        raise NotImplementedError


class GameHost:
    """The defaults of a game; a host overrides what is different in its game.

    ``system`` is the name of the system whose maps the game plays; ``title`` the game's name;
    ``place`` says which directory is meant; ``levels`` are the levels of its places, one (slots) or
    two (groups, slots); ``map_noun`` is what the game calls a map, singular, lower case;
    ``has_pictures``: its games have a ``Game.picture``; ``format`` is the format of its map files;
    ``player`` is ``module:name`` of its ``Player``, "" if it cannot be started; ``further_files``
    is a sentence about files of the game that *Export as* writes, "" if its export writes them all.
    """

    system: str
    title: str
    place: str
    levels: tuple[PlaceLevel, ...]
    map_noun: str
    format: Format
    has_pictures = False
    player = ""
    further_files = ""

    def open_game(self, path: str | Path) -> Game:
        """Open the game at ``path``. Raises ProblemError if there is none."""
        raise NotImplementedError

    def find_game(self, path: str | Path) -> Path:
        """Return what to give to ``open_game`` where a person chose ``path``, or something near.

        Raises ProblemError, which says what to choose, if no game or several are near.
        """
        return Path(path)

    def usual_place(self) -> Path | None:
        """Return what to give to ``open_game`` where nobody has chosen anything."""
        return None

    def missing_folder(self, _game: Any) -> str:
        """Return a sentence about a folder of its game that an export has yet to make, "" if all
        are there.
        """
        return ""

    def versions(self) -> Sequence[str]:
        """Return the versions of the game for which exports differ, the likeliest first."""
        return ()

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Say in a few words where a slot's map comes from."""
        raise NotImplementedError

    def plan_exports(
        self, game: Any, maps: Mapping[str, bytes], group: str, version: str = ""
    ) -> ExportPlan:
        """Plan what exporting map files (by slot) to a group of its game would do, and problems.

        ``version`` is one of ``versions``, "" the likeliest.
        """
        raise NotImplementedError
