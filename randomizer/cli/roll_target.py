"""Where the maps of ``randomizer roll`` go: each kind of target is a class of its own.

    with target_of("maps/", count=3, map_format=map_format, console=console) as target:
        target.write_map(battlemap, provenance, stem="Swamp", number=0)    # maps/Swamp-17-0.xml

- ``SeparateFiles``: several maps, or ``--out DIR/``: each map gets a file in a folder.
- ``SingleFile``: ``--out`` names the file of one map.
- ``JointFile``: ``--out`` names the file of several maps, whose format joins them.
- ``StandardOutput``: without ``--out``.

The last two are ``JointTarget``s, which take whole batches of maps as well. Every target raises
ProblemError for a map that cannot be written.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path, PurePath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from randomizer.cli.output import Console, UsageError
from randomizer.cli.output_files import make_folder, open_output, write_map_files
from randomizer.formats.checked import write_checked, write_files_checked
from randomizer.formats.format import Format
from randomizer.formats.provenance import Provenance
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap

if TYPE_CHECKING:
    from randomizer.cli.output_files import OutputFile


def target_of(out: str | None, count: int, map_format: Format, console: Console) -> Target:
    """Return the target of ``count`` maps; ``out`` is the option ``--out``, None without it.

    Raises UsageError if there are several maps and room for one, or if ``out`` is empty.
    """
    needs_separate_files = count > 1 and map_format.joint is None
    if out is None:
        if needs_separate_files:
            text = f"--count {count}: as {map_format.name}, each map needs a file: --out DIR/"
            raise UsageError(text)
        return StandardOutput(map_format, console)
    if not out:
        raise UsageError("--out: an empty name names no file")
    path = Path(out)
    if names_folder(out):
        return SeparateFiles(map_format, console, path)
    if needs_separate_files:
        if path.suffix:
            # "--out maps.xml" does not mean a folder of that name: make maps-17-0.xml and so on.
            return SeparateFiles(map_format, console, path.parent, name_pattern=path.name)
        return SeparateFiles(map_format, console, path)
    if count > 1:
        return JointFile(map_format, console, path)
    return SingleFile(map_format, console, path)


def names_folder(out: str) -> bool:
    """Return whether ``--out`` names a folder: by a slash at its end, or because it is one."""
    return out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112


class Target(ABC):
    """Takes maps one after the other; a context manager around all of them."""

    def __init__(self, map_format: Format, console: Console) -> None:
        self.format = map_format
        self._console = console

    def write_map(
        self, battlemap: BattleMap, provenance: Provenance, stem: str, number: int
    ) -> None:
        """Write one map, and report what a file of another program loses of it.

        ``stem`` (of the script) and ``number`` are for targets that name a file for each map.
        """
        if self.format.foreign:
            self._console.report(self.format.check(battlemap))
        self._write_one(battlemap, provenance, stem, number)

    @abstractmethod
    def _write_one(
        self, battlemap: BattleMap, provenance: Provenance, stem: str, number: int
    ) -> None:
        """Write one map as ``write_map``, without a report. Raises ProblemError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(  # noqa: B027 - only a target that holds a file open has something to end
        self,
        kind: type[BaseException] | None,
        _value: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Do nothing: most targets are complete after each map."""


class SeparateFiles(Target):
    """Writes each map into a file of a folder: STEM-SEED-NUMBER, as in ``Swamp-17-0.xml``.

    The stem and the suffix are those of ``name_pattern`` if the user named a file, else the stem of
    the script and the suffix of the format.
    """

    def __init__(
        self, map_format: Format, console: Console, folder: Path, name_pattern: str | None = None
    ) -> None:
        super().__init__(map_format, console)
        self._folder = folder
        self._name_pattern = name_pattern
        self._has_folder = False
        """True once the folder was made, which waits for the first map that can be written."""

    def _write_one(
        self, battlemap: BattleMap, provenance: Provenance, stem: str, number: int
    ) -> None:
        pattern = PurePath(self._name_pattern or f"{stem}{self.format.suffixes[0]}")
        path = self._folder / f"{pattern.stem}-{provenance.seed}-{number}{pattern.suffix}"
        files = write_files_checked(self.format, battlemap, path.name, provenance)
        if not self._has_folder:
            make_folder(self._folder)
            self._has_folder = True
        write_map_files(path, files, self._console)


class SingleFile(Target):
    """Writes one map into the file that the user named, and beside it what belongs to the map."""

    def __init__(self, map_format: Format, console: Console, path: Path) -> None:
        super().__init__(map_format, console)
        self._path = path

    def _write_one(
        self, battlemap: BattleMap, provenance: Provenance, _stem: str, _number: int
    ) -> None:
        files = write_files_checked(self.format, battlemap, self._path.name, provenance)
        write_map_files(self._path, files, self._console)


class JointTarget(Target):
    """Writes all maps behind one another, with what the format puts between two (``joint``)."""

    def __init__(self, map_format: Format, console: Console) -> None:
        super().__init__(map_format, console)
        self._maps_written = 0
        """The number of maps so far."""

    def _write_one(
        self, battlemap: BattleMap, provenance: Provenance, _stem: str, _number: int
    ) -> None:
        self.write_joined(write_checked(self.format, battlemap, provenance), count=1)

    def write_joined(self, data: bytes, count: int) -> None:
        """Write the bytes of ``count`` maps, which the format has joined, behind those before."""
        if self._maps_written:
            data = (self.format.joint or b"") + data
        self._write_bytes(data)
        self._maps_written += count

    @abstractmethod
    def _write_bytes(self, data: bytes) -> None:
        """Write the bytes of some maps behind those before."""


class StandardOutput(JointTarget):
    """Writes maps to standard output: one, or several if the format joins them."""

    def _write_bytes(self, data: bytes) -> None:
        self._console.put(data)


class JointFile(JointTarget):
    """Writes several maps into one file, which is in its place only when all of them are made.

    If a map cannot be made the file is not written; Ctrl-C leaves those made so far in it (in the
    moment in which one is written, perhaps the start of that one, too).
    """

    def __init__(self, map_format: Format, console: Console, path: Path) -> None:
        super().__init__(map_format, console)
        self._path = path
        self._stream: OutputFile | None = None
        """The open file; None until the first map, so that a script that fails opens nothing."""

    def _write_bytes(self, data: bytes) -> None:
        if self._stream is None:
            self._stream = open_output(self._path)
        self._stream.write(data)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _value: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Put the file in its place, or discard it if a map could not be made."""
        if self._stream is None:
            return
        is_interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        if kind is not None and not is_interrupted:
            self._stream.discard()
            return
        self._stream.commit()
        if is_interrupted:
            maps = counted(self._maps_written, "map")
            self._console.say(f"interrupted: {self._path} has {maps}")
