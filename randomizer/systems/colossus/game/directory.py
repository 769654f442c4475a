"""The directory of the game Colossus, read only: its variants, battlelands, pictures and scripts.

A *variant* is a folder ``Name`` with a *Var file* ``NameVar.xml``; its *Ter file* lists its
terrains, each of which has a battleland. Variants lie in the directory from which the game is
started, and in jars there::

    colossus/
        Colossus.jar                       holds Default/Battlelands/Plains.xml and more
        Badlands/BadlandsVar.xml           a variant outside the jar
        Badlands/Battlelands/Plains.xml    hides the one of Default for this variant
        Default/Battlelands/Swamp.xml      hides the one in the jar

The game looks for a file in the folder of the variant, then in those of the variants that it
depends on, then in ``Default``; each time first on the disk, then in the jars. Source: the
project's fact sheet on Colossus.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from randomizer.games.game import Game
from randomizer.games.slots import FileLocation, MapGroup, MapSlot
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import read_file, user_path
from randomizer.reading.xml_tree import MAX_BYTES
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.systems.colossus.game.jar import GameJar
from randomizer.systems.colossus.game.script_search import scripts_below
from randomizer.systems.colossus.game.variant import (
    DEFAULT,
    DEFAULT_TERRAINS,
    TerFile,
    VarFile,
    battleland_file_name,
    read_ter_file,
    read_var_file,
)

BATTLELANDS = "Battlelands"
"""The folder of a variant that has its battlelands."""

IMAGES = "images"
"""The folder of a variant that has its pictures."""

JAR_FOLDERS = ("lib", "libs")
"""Folders of the game's directory in which jars lie, besides itself."""

MAX_PICTURE_BYTES = 5_000_000
"""The size of the largest picture that is read; those of the game have a few thousand bytes."""

MAX_FOLDERS = 2_000
"""The most files and folders of the directory among which variants are looked for, by name.

A user can choose a directory that is no game's; if it is larger, such a one takes longer. Jars are
looked for among all.
"""

MAX_JARS = 100
"""The most jars that are opened."""


@dataclass(frozen=True, slots=True)
class Variant(MapGroup):
    """A variant of the game; its slots are its terrains. It is listed even with errors."""

    search_folders: tuple[str, ...] = ()
    """The folders in which the game looks for its files: its own, others, ``Default``."""

    var_file: FileLocation | None = None
    """Its Var file; None for a Default of which only battlelands exist."""

    def terrain(self, name: str) -> MapSlot | None:
        """Return the terrain of that name (exact spelling), None if the variant has none."""
        for terrain in self.slots:
            if terrain.name == name:
                return terrain
        return None


@dataclass(frozen=True, slots=True)
class _FoundVarFile:
    """The Var file of a variant, as the game finds it."""

    location: FileLocation | None
    """Where it is; None if the variant has none."""

    contents: VarFile
    """What it says; what the game assumes if there is none, or it cannot be read."""

    search_folders: tuple[str, ...]
    """As ``Variant.search_folders``."""


class GameDirectory(Game):
    """The directory from which the game is started, and its jars.

    The files of the directory are looked for anew each time; only what is in the jars is kept.
    """

    def __init__(self, root: Path, jars: tuple[GameJar, ...]) -> None:
        self.root = root
        self.jars = jars
        """The jars that hold variants, in the order in which the game looks into them."""

    @classmethod
    def open(cls, path: str | Path) -> GameDirectory:
        """Return the game at ``path``: its start directory, or its jar.

        Raises ProblemError if there is neither a variant nor a jar with variants.
        """
        path = user_path(path).absolute()
        if is_file(path):
            jar = GameJar(path)
            if not jar.variant_names():
                message = f"{path.name} is not the jar of the game"
                raise problem_error("no-game", message, path=str(path))
            return cls(path.parent, (jar,))

        game = cls(path, _game_jars_of(path))
        if not game.jars and not game.has_variants and not (path / DEFAULT).is_dir():
            message = (
                "This is not the game's directory: it holds neither the game's jar nor any variant "
                "(a directory Name with a file NameVar.xml)"
            )
            raise problem_error("no-game", message, path=str(path))
        return game

    # --- variants ---------------------------------------------------------------------------

    def variants(self) -> tuple[Variant, ...]:
        """Return all variants, Default first, then by name; none whose Var file is empty."""
        names = sorted(self._variant_names() - {DEFAULT}, key=lambda name: (name.casefold(), name))
        # An empty file hides that of a jar, too.
        empty_names = self.names_of_empty_variants()
        return tuple(self._variant(name) for name in (DEFAULT, *names) if name not in empty_names)

    groups = variants
    """As ``games.Game`` calls them."""

    def variant(self, name: str) -> Variant:
        """Return one variant. Raises ProblemError if there is none of that name."""
        self._require_variant(name)
        return self._variant(name)

    @property
    def has_variants(self) -> bool:
        """True if there are variants outside the jars."""
        return bool(self._variant_names_on_disk())

    def names_of_empty_variants(self) -> list[str]:
        """Return the names of the folders whose Var file is empty, ascending."""
        names = []
        for folder in self._entries_of_root():
            var_file = folder / f"{folder.name}Var.xml"
            if is_file(var_file) and not _has_content(var_file):
                names.append(folder.name)
        return names

    def why_no_variant(self, name: str) -> str:
        """Return why a folder of this name makes no variant, in sentences; "" if it may."""
        if name not in self.names_of_empty_variants():
            return ""
        return (
            f"{name}Var.xml in the folder {name} is empty: Colossus reads no variant from it. "
            "Put the game's own file there, or remove the empty one."
        )

    def _require_variant(self, name: str) -> None:
        """Raise ProblemError if there is no variant of this name."""
        if name not in self._variant_names():
            raise problem_error("no-variant", f"The game has no variant “{name}”")

    def _variant_names(self) -> set[str]:
        """Return the names of all variants; Default is always one."""
        return {DEFAULT, *self._variant_names_on_disk(), *self._variant_names_in_jars}

    @cached_property
    def _variant_names_in_jars(self) -> frozenset[str]:
        """The names of the variants in the jars, which are taken not to change."""
        names: set[str] = set()
        for jar in self.jars:
            names |= jar.variant_names()
        return frozenset(names)

    def _variant_names_on_disk(self) -> set[str]:
        """Return the names of the variants outside the jars, as they are now."""
        names = set()
        for folder in self._entries_of_root():
            name = folder.name
            if fault_in_name(name) is None and _has_content(folder / f"{name}Var.xml"):
                names.add(name)
        return names

    def _entries_of_root(self) -> list[Path]:
        """Return the files and folders of the directory, sorted; none if it is gone by now."""
        try:
            return sorted(self.root.iterdir())[:MAX_FOLDERS]
        except OSError:
            return []

    def _variant(self, name: str) -> Variant:
        """Return a variant with the terrains that the game would show, and their battlelands."""
        var_file = self._var_file(name)
        ter_file = self._ter_file(var_file.search_folders, var_file.contents.ter_file)
        slots = []
        for terrain, shown_name in ter_file.terrains:
            battleland = self.find(
                var_file.search_folders, battleland_file_name(terrain), BATTLELANDS
            )
            slots.append(MapSlot(terrain, shown_name, battleland))
        return Variant(
            name=name,
            slots=tuple(slots),
            problems=(*var_file.contents.problems, *ter_file.problems),
            search_folders=var_file.search_folders,
            var_file=var_file.location,
        )

    def _var_file(self, name: str) -> _FoundVarFile:
        """Return the Var file of a variant."""
        location = self.find((name,), f"{name}Var.xml")
        contents = VarFile()
        if location is not None:
            try:
                contents = read_var_file(self.read(location), location.text)
            except ProblemError as failed:
                contents.problems += failed.problems
        # A variant can name itself or Default among those that it depends on.
        search_folders = tuple(dict.fromkeys((name, *contents.depends, DEFAULT)))
        return _FoundVarFile(location, contents, search_folders)

    def _ter_file(self, search_folders: Sequence[str], name: str) -> TerFile:
        """Return the contents of the Ter file that the game would find.

        Its terrains are those of Default if there is none, or it names none.
        """
        location = self.find(search_folders, name)
        contents = TerFile()
        if location is not None:
            try:
                contents = read_ter_file(self.read(location), location.text)
            except ProblemError as failed:
                contents.problems += failed.problems
        elif self.jars:
            # Without a jar it is no wonder: the Ter file of Default is in the jar.
            message = f"The file {name} is nowhere"
            contents.problems.append(Problem(Severity.WARNING, "no-ter-file", message))
        if not contents.terrains:
            contents.terrains = tuple((terrain, terrain) for terrain in DEFAULT_TERRAINS)
        return contents

    # --- files ------------------------------------------------------------------------------

    def find(
        self, search_folders: Sequence[str], name: str, folder: str | None = None
    ) -> FileLocation | None:
        """Return where the game finds the file ``name``; None if it does not.

        It looks in the variants of ``search_folders``, one after the other: in ``folder`` of each,
        or in the variant itself if that is None. All names are single components of a path.
        """
        for variant in search_folders:
            path_in_game = f"{variant}/{name}"
            if folder is not None:
                path_in_game = f"{variant}/{folder}/{name}"
            path = self.root / path_in_game
            if is_file(path):
                return FileLocation(path)
            for jar in self.jars:
                if path_in_game in jar.entries:
                    return FileLocation(jar.path, path_in_game)
        return None

    def read(self, file: FileLocation, limit: int = MAX_BYTES) -> bytes:
        """Return the bytes of a file found.

        Raises ProblemError, also for more than ``limit`` bytes.
        """
        if file.inside is None:
            return read_file(file.path, limit)
        for jar in self.jars:
            if jar.path == file.path:
                return jar.read(file.inside, limit)
        return GameJar(file.path).read(file.inside, limit)

    def read_map(self, variant: str, terrain: str) -> tuple[bytes, FileLocation]:
        """Return the battleland file that the game would load, and its location.

        Raises ProblemError if there is none, or no such variant.
        """
        for name in (variant, terrain):
            fault = fault_in_name(name)
            if fault is not None:
                raise problem_error("bad-name", fault)
        self._require_variant(variant)
        search_folders = self._var_file(variant).search_folders
        file = self.find(search_folders, battleland_file_name(terrain), BATTLELANDS)
        if file is None:
            message = f"{variant} has no battleland for “{terrain}”, nor has Default"
            raise problem_error("no-battleland", message)
        return self.read(file), file

    def picture(self, name: str, variant: str = DEFAULT) -> bytes | None:
        """Return the game's own picture (PNG or GIF) of a hazard or hexside (``Bog``, ``Slope``).

        None if there is none. Raises ProblemError for a picture that cannot be read, and for an
        unknown variant.
        """
        if fault_in_name(name) is not None:
            return None
        self._require_variant(variant)
        for folder in self._var_file(variant).search_folders:
            for suffix in ("png", "gif"):
                file = self.find((folder,), f"{name}_Hazard.{suffix}", IMAGES)
                if file is not None:
                    return self.read(file, MAX_PICTURE_BYTES)
        return None

    def scripts(self) -> tuple[Path, ...]:
        """Return the randomizer scripts below the directory (``scripts_below``)."""
        return scripts_below(self.root)


def is_file(path: Path) -> bool:
    """Return whether there is a file at ``path``; False if that cannot be known."""
    try:
        return path.is_file()
    except OSError:
        return False


def _has_content(file: Path) -> bool:
    """Return whether there is a file that is not empty: an empty Var file makes no variant."""
    try:
        return is_file(file) and file.stat().st_size > 0
    except OSError:
        return False


def _game_jars_of(directory: Path) -> tuple[GameJar, ...]:
    """Return the jars with variants in a directory and in its ``JAR_FOLDERS``.

    Raises ProblemError if the directory cannot be opened.
    """
    try:
        files = sorted(directory.iterdir())
    except OSError as failed:
        message = f"The game's directory cannot be opened: {words_of(failed)}"
        raise problem_error("no-game", message, path=str(directory)) from failed
    for folder in JAR_FOLDERS:
        with suppress(OSError):  # there is no such folder, or it may not be read
            files += sorted((directory / folder).iterdir())
    paths = [file for file in files if file.suffix.lower() == ".jar"]
    jars = [GameJar(path) for path in paths[:MAX_JARS]]
    return tuple(jar for jar in jars if is_file(jar.path) and _has_variants(jar))


def _has_variants(jar: GameJar) -> bool:
    """Return whether a jar holds variants; one that cannot be read does not."""
    try:
        return bool(jar.variant_names())
    except ProblemError:
        return False
