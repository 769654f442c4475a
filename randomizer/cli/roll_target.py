"""Where the maps of ``randomizer roll`` go: standard output, one file, or a file for each map."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from types import TracebackType
from typing import TYPE_CHECKING

from randomizer.cli.files import make_folder, open_output, write_map_files
from randomizer.cli.output import Console, UsageError
from randomizer.formats import Format, Provenance, write_checked, write_files_checked
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap

if TYPE_CHECKING:
    from randomizer.cli.files import Device
    from randomizer.storage.disk.atomic import AtomicFile


class Target:
    """Takes maps one after the other; a context manager around all of them.

    A file of several maps is written while they are made, and is in its place when all of them
    are. If one cannot be made it is not written; Ctrl-C leaves those made so far in it. Where the
    format has one map a file, seed and number are put into the file's name: map-17-0.json.

    Raises UsageError if there are several maps and only room for one, and ProblemError for what
    cannot be written.
    """

    def __init__(self, out: str | None, count: int, map_format: Format, console: Console) -> None:
        """Prepare for ``count`` maps; ``out`` is the option ``--out``, None for none."""
        self._console = console
        self.format = map_format
        self._has_several = count > 1
        self._maps_taken = 0

        # Maps go into a folder, or into one file; without either to standard output.
        self._folder: Path | None = None
        self._file_name = ""
        """The name that those in the folder are formed after; "" for that of the script."""
        self._file: Path | None = None
        self._stream: AtomicFile | Device | None = None
        """The open ``_file``, once it gets the first of several maps."""
        needs_file_each = self._has_several and map_format.joint is None
        if out is None:
            if needs_file_each:
                text = f"--count {count}: as {map_format.name}, each map needs a file: --out DIR/"
                raise UsageError(text)
            return
        if not out:
            raise UsageError("--out: an empty name names no file")
        if names_folder(out):
            self._folder = Path(out)
        elif needs_file_each:
            self._folder = Path(out)
            if self._folder.suffix:  # a folder “maps.xml” is not what was meant
                self._file_name = self._folder.name
                self._folder = self._folder.parent
        else:
            self._file = Path(out)

    def take(self, battlemap: BattleMap, provenance: Provenance, stem: str, number: int) -> None:
        """Write one map; in a folder its file is called STEM-SEED-NUMBER."""
        if self.format.foreign:
            self._console.report(self.format.check(battlemap))
        if self._folder is not None:
            name = PurePath(self._file_name or f"{stem}{self.format.suffixes[0]}")
            path = self._folder / f"{name.stem}-{provenance.seed}-{number}{name.suffix}"
            files = write_files_checked(self.format, battlemap, path.name, provenance)
            if not self._maps_taken:
                make_folder(self._folder)
            write_map_files(path, files, self._console)
            self._maps_taken += 1
        elif self._file is not None and not self._has_several:
            files = write_files_checked(self.format, battlemap, self._file.name, provenance)
            write_map_files(self._file, files, self._console)
        else:
            self.put(write_checked(self.format, battlemap, provenance), 1)

    def put(self, data: bytes, count: int) -> None:
        """Write ``count`` maps, as the format joins them, behind those before."""
        if self._maps_taken:
            data = (self.format.joint or b"") + data
        if self._file is None:
            self._console.put(data)
        else:
            if self._stream is None:
                self._stream = open_output(self._file)
            self._stream.write(data)
        self._maps_taken += count

    @property
    def is_joint(self) -> bool:
        """True if several maps go to one file, or to standard output: ``put`` takes them."""
        return self._has_several and self._folder is None

    def __enter__(self) -> Target:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _value: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        """Put a file of several maps in its place, or drop it."""
        if self._stream is None:
            return
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self._stream.keep()
            if kind is not None:
                maps = counted(self._maps_taken, "map")
                self._console.say(f"interrupted: {self._file} has {maps}")
        else:
            self._stream.drop()


def names_folder(out: str) -> bool:
    """Return whether ``--out`` names a folder, be it there or not."""
    return out.endswith(("/", os.sep)) or os.path.isdir(out)  # noqa: PTH112
