"""Games that load maps from a directory: their slots, pictures, scripts and exports.

A system whose maps a game loads has a ``GameHost`` (``catalog.GAME_HOSTS``). Methods that read can
be slow: the desk calls them off the UI thread. Its attributes are available at once.

A game has *slots* for one map each, and they stand in *groups*. What both are called is said by the
host's ``levels``: variant and terrain (Colossus), library and map, mod and script. The slots of a
game with one level stand in a single group without a name::

    the game's directory (Game.root)
        Default             a group (variant)
            Swamp           a slot (terrain)
            Plains

(``PlaceLevel`` and ``place_words`` are about groups and slots. ``GameHost.place`` and what is named
like it are about the directory itself.)

An export is planned (``ExportPlan``), shown to a person, carried out, and kept as a receipt
(``ExportReceipt``), by which it can be taken back. A ``Player`` starts the game on one map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from randomizer.formats import NO_FILES, Format
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class PlaceLevel:
    """The words for one level of a game's places: for its groups, or for the slots in a group."""

    name: str
    """The game's word for one, singular, lower case."""
    new: str = ""
    """A suggested name for a new one; "" if only those can be chosen that the game has."""
    new_help: str = ""
    """A sentence on what such a name must be, and what comes of it."""

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
    def text(self) -> str:
        """The location as text: a path, or an entry and its archive."""
        if self.inside is None:
            return str(self.path)
        return f"{self.inside} in {self.path.name}"


@dataclass(frozen=True, slots=True)
class MapSlot:
    """A place for one map in a game."""

    name: str
    """The name of the slot in the game's files."""
    shown_name: str
    """The name of the slot as players see it."""
    file: FileLocation | None
    """The map file that the game would load, None if it has none."""


@dataclass(frozen=True, slots=True)
class MapGroup:
    """Slots whose maps are used together."""

    name: str
    """One component of a path; "" in a game with one level."""
    slots: tuple[MapSlot, ...]
    """In the game's order."""
    problems: tuple[Problem, ...] = ()
    """The problems of their files."""
    format: str = field(default="", kw_only=True)
    """The name of the format of its maps if it is not that of the game, else "".

    Maps in another format are opened one by one, and no map can be written into the group.
    """


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
    """Return the words for slots of a group: "Variant / Plains, Swamp"; "Plains" without group."""
    parts = (group, ", ".join(slots))
    return " / ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that an export would write."""

    path: Path
    data: bytes
    old: bytes | None
    """The present contents of the file, None for a new file."""
    noun: str
    """A noun for the file, such as "the map"."""

    @property
    def overwrites(self) -> bool:
        """True if different contents are replaced (and backed up)."""
        return self.old is not None and self.old != self.data

    @property
    def action(self) -> str:
        """What the export does with the file, as a verb: "replaces", "keeps" or "writes"."""
        if self.overwrites:
            return "replaces"
        if self.old is None:
            return "writes"
        return "keeps"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """The plan of an export, which a person sees before anything is written."""

    root: Path
    """The game's directory."""
    group: str
    slots: tuple[str, ...]
    new_group: bool
    """True if the game does not have the group yet."""
    files: tuple[PlannedFile, ...]
    notes: tuple[str, ...]
    """Sentences on what will happen."""
    problems: tuple[Problem, ...]
    """Those of the map and of the export. A plan with an error is never carried out."""
    how_to_play: str
    """A sentence on how the player gets to see the map in the game; "" if that needs nothing."""

    @property
    def target(self) -> str:
        """The target of the export as text: its slot, or of several slots their group."""
        if len(self.slots) == 1:
            return place_words(self.group, *self.slots)
        return self.group

    @property
    def changes_anything(self) -> bool:
        """True if the export would change any file."""
        return any(file.old != file.data for file in self.files)

    def sentences(self) -> tuple[str, ...]:
        """Return the plan in sentences, without its problems: one for each file, then the notes."""
        lines = []
        for file in self.files:
            size = f"{len(file.data):,} bytes"
            lines.append(f"{file.action} {file.path} ({file.noun}, {size})")
        return (*lines, *self.notes)


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    """One exported file, and the backup of the file that it replaced."""

    place: str
    """The path of the file relative to the game's directory, with ``/`` between the folders. It
    has this name in the files of receipts."""
    backup: str | None
    """The name of the backup in the receipt's folder, None if no file was replaced."""
    old_sha256: str | None
    """The digest of the replaced contents."""
    new_sha256: str
    """The digest of the exported contents."""


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """The record of an export, by which it can be taken back."""

    path: Path
    """The path of its receipt.json."""
    time: str = ""
    """The time of the export, ISO 8601 in UTC."""
    group: str = ""
    slots: tuple[str, ...] = ()
    files: tuple[ReceiptFile, ...] = ()
    folders: tuple[str, ...] = ()
    """The folders that were made for it, outermost first."""
    taken_back: bool = False
    problem: Problem | None = None
    """Set if the receipt cannot be read; such a receipt can only be shown."""

    @property
    def root(self) -> Path:
        """The game's directory, above the folder of all receipts and the one of this receipt."""
        folder = self.path.parent
        all_receipts = folder.parent
        return all_receipts.parent

    @property
    def reversible(self) -> bool:
        """True if the export can be taken back: its receipt can be read, and it was not yet."""
        return self.problem is None and not self.taken_back


@dataclass(frozen=True, slots=True)
class Launch:
    """A game that is about to play a map."""

    command: tuple[str, ...]
    """The command that is run in the scratch folder."""
    program: str
    """The name of the program that is started, for people."""
    summary: str
    """A sentence on what the player will see."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that replace those of this program's environment."""


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
    """The base class of games that load maps, of which the catalogue lists one object each.

    A host has no state: it opens a ``Game``, which belongs to the caller. The parameter ``game`` of
    its methods is always one that it has opened itself, of its own subclass of ``Game``: therefore
    their type is Any.

        game = host.open_game(host.find_game(chosen_path))
        plan = host.plan_exports(game, {"Plains": data}, "My variant")
    """

    # --- what every host gives --------------------------------------------------------------

    system: str
    """The name of the system whose maps the game plays."""
    title: str
    """The game's name."""
    place: str
    """The words for the directory that a person has to choose: "the directory of Colossus"."""
    levels: tuple[PlaceLevel, ...]
    """The levels of its places: one (slots) or two (groups, slots)."""
    map_noun: str
    """The game's word for a map, singular, lower case."""
    format: Format
    """The format of its map files."""

    # --- what a host may give ---------------------------------------------------------------

    place_example = ""
    """What such a directory holds, as the end of a sentence; "" if ``place`` says enough."""
    found_place = ""
    """What the directory is called if it need not be that of the game, but for instance the user's
    folder of mods; "" if it is the game's own."""
    has_pictures = False
    """True if its games have a ``Game.picture``."""
    player = ""
    """Its ``Player`` as ``module:name``, which is imported only when it is used; "" if the game
    cannot be started."""
    rolls_scripts = False
    """True if its games roll maps by scripts, which ``plan_script_export`` puts there."""
    further_files = ""
    """A sentence about files of the game that only *Export as* writes; "" for none."""

    # --- its game on the disk ---------------------------------------------------------------

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

    def fault_of_game(self, _game: Any) -> str:
        """Return what is wrong with a game that was found, as a sentence; "" if nothing is."""
        return ""

    def why_no_group(self, _game: Any, folder: str) -> str:
        """Return why a folder of its game, of this name, is none of the groups, as a sentence.

        It is asked only for folders that are none; a game without groups is never asked.
        """
        return f"The folder “{folder}” is no {self.levels[0].name} of {self.title}."

    def missing_folder(self, _game: Any) -> str:
        """Return a sentence about a folder of its game that an export has yet to make.

        "" if all folders are there.
        """
        return ""

    # --- exports ----------------------------------------------------------------------------

    def versions(self) -> Sequence[str]:
        """Return the versions of the game for which exports differ, the likeliest first."""
        return ()

    def name_of_new_slot(self, _stem: str) -> str:
        """Return a valid name of a new slot for a map whose file has this name, without suffix.

        "" leaves the usual name (``PlaceLevel.new``).
        """
        return ""

    def folder_of_further_files(self, _game: Any, _group: str) -> Path | None:
        """Return the folder in which *Export as* begins for ``further_files`` of a group.

        None is the folder of the last file.
        """
        return None

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Say in a few words where a slot's map comes from."""
        raise NotImplementedError

    def plan_exports(
        self, game: Any, maps: Mapping[str, bytes], group: str, version: str = ""
    ) -> ExportPlan:
        """Plan what exporting map files (by slot) to a group of its game would do, and problems.

        ``version`` is one of ``versions``, "" the likeliest. Every host has this method.
        """
        raise NotImplementedError

    def plan_script_export(
        self, game: Any, source: SourceText, slot: str, group: str
    ) -> ExportPlan:
        """Plan what exporting a script to a slot of its game would do, and problems.

        ``source`` has its text as it is now and its further texts. Only for a host that
        ``rolls_scripts``.
        """
        raise NotImplementedError
