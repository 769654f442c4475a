"""The game's directory and jar, read only: variants, terrains, battlelands, pictures, scripts.

The game looks for a file in the variant's directory, then in those of the variants that it depends
on, then in ``Default``; each time first below the directory from which it is started, then inside
its jar. Source: the project's fact sheet on Colossus.
"""

from __future__ import annotations

import os
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from randomizer.catalog.catalog import SCRIPT_LIMIT
from randomizer.games import FileLocation, Game, MapGroup, MapSlot
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.problems import error as problem_error
from randomizer.reading.archives import archive_entries, entry_bytes
from randomizer.reading.files import read_file, user_path
from randomizer.reading.xml_tree import MAX_BYTES
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.systems.colossus.game.variant import (
    DEFAULT,
    DEFAULT_TERRAINS,
    TerFile,
    VarFile,
    battleland_file_name,
    read_ter_file,
    read_var_file,
)


class GameJar:
    """A jar on the disk. The index of its entries is built when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def entries(self) -> dict[str, zipfile.ZipInfo]:
        """Files by their name in the jar. Raises ProblemError if it is not a jar."""
        names = ((info.filename, info) for info in archive_entries(self.path))
        return {name: info for name, info in names if name and not name.endswith("/")}

    def read(self, name: str, limit: int) -> bytes:
        """Return one entry. Raises ProblemError if it is missing, damaged or above ``limit``
        bytes.
        """
        info = self.entries.get(name)
        if info is None:
            where = f"{self.path}!{name}"
            raise problem_error("not-in-jar", f"{name} is not in {self.path.name}", path=where)
        return entry_bytes(self.path, info, limit)


BATTLELANDS = "Battlelands"
JAR_FOLDERS = ("lib", "libs")
"""Folders of the game's directory in which jars lie, besides itself."""

IMAGES = "images"
MAX_PICTURE_BYTES = 5_000_000
MAX_FOLDERS = 2_000
MAX_JARS = 100
MAX_SCRIPTS = 300
MAX_DEPTH = 4
"""The number of folder levels below the game's directory that are searched for scripts."""


@dataclass(frozen=True, slots=True)
class Variant(MapGroup):
    """A variant of the game; its slots are its terrains. It is listed even with errors.

    ``order`` are the directories in which the game looks, its own first. ``var_file`` is None for a
    Default of which only battlelands exist.
    """

    order: tuple[str, ...] = ()
    var_file: FileLocation | None = None

    def terrain(self, name: str) -> MapSlot | None:
        """Return the terrain of that name (exact spelling), None if the variant has none."""
        return next((terrain for terrain in self.slots if terrain.name == name), None)


class GameDirectory(Game):
    """The directory from which the game is started, and its jars. Read only."""

    def __init__(self, root: Path, jars: tuple[GameJar, ...]) -> None:
        self.root = root
        self.jars = jars

    @classmethod
    def open(cls, path: str | Path) -> GameDirectory:
        """Return the game at ``path``: its start directory, or its jar.

        Raises ProblemError if there is neither a variant nor a jar with variants.
        """
        path = user_path(path).absolute()
        if is_file(path):
            jar = GameJar(path)
            if not _variants_in(jar):
                raise problem_error(
                    "no-game", f"{path.name} is not the jar of the game", path=str(path)
                )
            return cls(path.parent, (jar,))
        try:
            inside = sorted(path.iterdir())
        except OSError as failed:
            raise problem_error(
                "no-game",
                f"The game's directory cannot be opened: {words_of(failed)}",
                path=str(path),
            ) from failed
        for folder in JAR_FOLDERS:
            with suppress(OSError):  # there is none, or it may not be read
                inside += sorted((path / folder).iterdir())
        jars = [GameJar(file) for file in inside if file.suffix.lower() == ".jar"][:MAX_JARS]
        jars = [jar for jar in jars if is_file(jar.path) and _is_game_jar(jar)]
        game = cls(path, tuple(jars))
        if not jars and not game.has_variants and not (path / DEFAULT).is_dir():
            raise problem_error(
                "no-game",
                "This is not the game's directory: it holds neither the game's jar nor any variant "
                "(a directory Name with a file NameVar.xml)",
                path=str(path),
            )
        return game

    # --- variants ---------------------------------------------------------------------------

    def variants(self) -> tuple[Variant, ...]:
        """Return all variants, Default first, then by name."""
        names = {DEFAULT, *self._names_on_disk(), *self._names_in_jars}
        ordered = sorted(names, key=lambda name: (name != DEFAULT, name.casefold(), name))
        return tuple(self._variant(name) for name in ordered)

    groups = variants
    """As ``games.Game`` calls them."""

    def variant(self, name: str) -> Variant:
        """Return one variant. Raises ProblemError if there is none of that name."""
        self._expect(name)
        return self._variant(name)

    def _expect(self, name: str) -> None:
        if name not in {DEFAULT, *self._names_in_jars, *self._names_on_disk()}:
            raise problem_error("no-variant", f"The game has no variant “{name}”")

    @cached_property
    def _names_in_jars(self) -> frozenset[str]:
        return frozenset(name for jar in self.jars for name in _variants_in(jar))

    @property
    def has_variants(self) -> bool:
        """True if there are variants outside the jars."""
        return bool(self._names_on_disk())

    def _names_on_disk(self) -> set[str]:
        try:
            folders = sorted(self.root.iterdir())[:MAX_FOLDERS]
        except OSError:
            return set()  # ``open`` found it: the folder has been deleted since
        return {
            folder.name
            for folder in folders
            if fault_in_name(folder.name) is None and _has_content(folder / f"{folder.name}Var.xml")
        }

    def names_of_empty_variants(self) -> list[str]:
        """Return the names of the folders whose Var file is empty, ascending."""
        try:
            folders = sorted(self.root.iterdir())[:MAX_FOLDERS]
        except OSError:
            return []
        names = []
        for folder in folders:
            var_file = folder / f"{folder.name}Var.xml"
            if is_file(var_file) and not _has_content(var_file):
                names.append(folder.name)
        return names

    def _var_file(self, name: str) -> tuple[FileLocation | None, VarFile, tuple[str, ...]]:
        """Return a variant's Var file, its contents, and the directories in which the game
        looks.
        """
        problems: list[Problem] = []
        file = self.find((name,), f"{name}Var.xml")
        if file is None:
            data = None
        else:
            data = self._try_read(file, problems)
        var = VarFile(problems=problems)
        if file is not None and data is not None:
            var = read_var_file(data, file.words)
        return file, var, tuple(dict.fromkeys((name, *var.depends, DEFAULT)))

    def _variant(self, name: str) -> Variant:
        file, var, order = self._var_file(name)
        terrains, ter_problems = self._terrains(order, var.ter_file)
        return Variant(
            name,
            tuple(
                MapSlot(
                    terrain,
                    display_name,
                    self.find(order, battleland_file_name(terrain), BATTLELANDS),
                )
                for terrain, display_name in terrains
            ),
            (*var.problems, *ter_problems),
            order,
            file,
        )

    def _terrains(
        self, order: tuple[str, ...], ter_file: str
    ) -> tuple[tuple[tuple[str, str], ...], list[Problem]]:
        """Return the terrains of the Ter file that the game would find, else those of Default."""
        problems: list[Problem] = []
        ter = TerFile()
        file = self.find(order, ter_file)
        if file is not None:
            data = self._try_read(file, problems)
            if data is not None:
                ter = read_ter_file(data, file.words)
        elif self.jars:
            problems.append(
                Problem(Severity.WARNING, "no-ter-file", f"The file {ter_file} is nowhere")
            )
        default = tuple((name, name) for name in DEFAULT_TERRAINS)
        return ter.terrains or default, [*problems, *ter.problems]

    # --- files ------------------------------------------------------------------------------

    def find(
        self, order: tuple[str, ...], name: str, folder: str | None = None
    ) -> FileLocation | None:
        """Return the location of the file ``name`` (in each variant's ``folder``), None if not
        found.

        All names are single path components.
        """
        for variant in order:
            parts = (variant, name) if folder is None else (variant, folder, name)
            path = self.root.joinpath(*parts)
            if is_file(path):
                return FileLocation(path)
            inside = "/".join(parts)
            for jar in self.jars:
                if inside in jar.entries:
                    return FileLocation(jar.path, inside)
        return None

    def read(self, file: FileLocation, limit: int = MAX_BYTES) -> bytes:
        """Return the bytes of a file found.

        Raises ProblemError, also for more than ``limit`` bytes.
        """
        if file.inside is not None:
            jars = [jar for jar in self.jars if jar.path == file.path]
            return (jars or [GameJar(file.path)])[0].read(file.inside, limit)
        return read_file(file.path, limit)

    def _try_read(self, file: FileLocation, problems: list[Problem]) -> bytes | None:
        try:
            return self.read(file)
        except ProblemError as failed:
            problems += failed.problems
            return None

    def read_map(self, variant: str, terrain: str) -> tuple[bytes, FileLocation]:
        """Return the battleland file that the game would load, and its location.

        Raises ProblemError if there is none, or no such variant.
        """
        for name in (variant, terrain):
            fault = fault_in_name(name)
            if fault is not None:
                raise problem_error("bad-name", fault)
        self._expect(variant)
        _, _, order = self._var_file(variant)
        file = self.find(order, battleland_file_name(terrain), BATTLELANDS)
        if file is None:
            raise problem_error(
                "no-battleland", f"{variant} has no battleland for “{terrain}”, nor has Default"
            )
        return self.read(file), file

    def picture(self, name: str, variant: str = DEFAULT) -> bytes | None:
        """Return the game's own picture (PNG or GIF) of a hazard or hexside (``Bog``, ``Slope``).

        None if there is none. Raises ProblemError for a picture that cannot be read.
        """
        if fault_in_name(name) is not None:
            return None
        self._expect(variant)
        for directory in self._var_file(variant)[2]:
            for suffix in ("png", "gif"):
                file = self.find((directory,), f"{name}_Hazard.{suffix}", IMAGES)
                if file is not None:
                    return self.read(file, MAX_PICTURE_BYTES)
        return None

    def scripts(self) -> tuple[Path, ...]:
        """Return the randomizer scripts (``.rnd``) below the directory, by path; links are not
        followed.

        At most ``MAX_SCRIPTS``, at most ``MAX_DEPTH`` folders deep; of copies, which have the same
        name and content, only the first.
        """
        result: list[Path] = []
        waiting = [(self.root, 0)]
        visited = 0
        while waiting and visited < MAX_FOLDERS and len(result) < MAX_SCRIPTS:
            folder, depth = waiting.pop()
            visited += 1
            try:
                with os.scandir(folder) as entries:
                    inside = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue  # folders without permission are skipped
            for entry in inside:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                    waiting.append((Path(entry.path), depth + 1))
                elif entry.name.lower().endswith(".rnd") and entry.is_file():
                    result.append(Path(entry.path))
        return tuple(_without_copies(sorted(result)[:MAX_SCRIPTS]))


def _without_copies(paths: list[Path]) -> Iterator[Path]:
    """Yield the files that do not have the name and the content of one before them."""
    paths_by_name = defaultdict[str, list[Path]](list)
    for path in paths:
        if not any(_same_content(path, earlier) for earlier in paths_by_name[path.name]):
            paths_by_name[path.name].append(path)
            yield path


def _same_content(first: Path, second: Path) -> bool:
    """Return whether two scripts hold the same bytes; False if one of them cannot be read."""
    try:
        if first.stat().st_size != second.stat().st_size:
            return False
        return read_file(first, SCRIPT_LIMIT) == read_file(second, SCRIPT_LIMIT)
    except (OSError, ProblemError):
        return False


def _variants_in(jar: GameJar) -> set[str]:
    """Return the names of the variants in a jar. Raises ProblemError for a bad jar."""
    names = set()
    for entry in jar.entries:
        folder, slash, file = entry.partition("/")
        if slash and file == f"{folder}Var.xml" and fault_in_name(folder) is None:
            names.add(folder)
    return names


def _has_content(file: Path) -> bool:
    """Return whether there is a file that is not empty: an empty one makes no variant."""
    try:
        return is_file(file) and file.stat().st_size > 0
    except OSError:
        return False


def _is_game_jar(jar: GameJar) -> bool:
    """Return whether a jar holds variants; one that cannot be read does not."""
    try:
        return bool(_variants_in(jar))
    except ProblemError:
        return False


def is_file(path: Path) -> bool:
    """Return whether there is a file that can be read."""
    try:
        return path.is_file()
    except OSError:
        return False
