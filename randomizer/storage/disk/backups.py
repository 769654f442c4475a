"""Older contents of the user's files, kept in a folder of the desk before they are overwritten.

Each file has a folder, named by the file's name and a hash of its path; it holds the last ten
contents, named by the time at which they were replaced (``time_names``).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error
from randomizer.storage.disk.regular_files import is_blocked
from randomizer.storage.disk.time_names import next_name, time_of_name

KEPT = 10
PAUSE_S = 600.0
"""A file that is saved repeatedly is backed up once in this time, in seconds."""


@dataclass(frozen=True, slots=True)
class Backup:
    """Older contents of a file: path, time of replacement, size in bytes."""

    path: Path
    replaced: datetime
    size: int


@contextmanager
def _as_problems(path: Path) -> Iterator[None]:
    """Turns an OSError into a ProblemError."""
    try:
        yield
    except OSError as failed:
        text = f"the backups of {path.name} cannot be got at: {words_of(failed)}"
        raise error("no-backup", text, path=str(path)) from failed


class Backups:
    """The backups in ``folder`` during one session.

    A file's first overwriting of a session is always backed up.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._clock = clock
        self._kept: dict[Path, float] = {}

    def keep(self, path: Path, *, always: bool = False) -> Path | None:
        """Back up the contents of ``path`` before it is overwritten; None if there is no need.

        ``always``: even if a backup was made a moment ago. Raises ProblemError.
        """
        from randomizer.storage.disk.atomic import current_bytes, make_folders, write_atomically

        now = self._clock()
        home = path.absolute()
        if not always and 0 <= now - self._kept.get(home, float("-inf")) < PAUSE_S:
            return None
        data = current_bytes(path)
        if data is None:
            return None
        folder = self._folder_of(home)
        make_folders(folder)
        before = (backup.path.stem for backup in self.of(path))
        name = next_name(before, datetime.fromtimestamp(now, UTC))
        target = folder / f"{name}{path.suffix}"
        write_atomically(target, data)
        self._kept[home] = now
        with _as_problems(path):
            for older in self.of(path)[KEPT:]:
                older.path.unlink(missing_ok=True)
        return target

    def of(self, path: Path) -> list[Backup]:
        """Return the backups of a file, the latest first. Raises ProblemError."""
        result = []
        folder = self._folder_of(path.absolute())
        with _as_problems(path):
            for entry in folder.iterdir() if folder.is_dir() else ():
                replaced = time_of_name(entry.stem)
                if replaced is not None and not is_blocked(entry):  # else it is not ours
                    result.append(Backup(entry, replaced, entry.stat().st_size))
        return sorted(result, key=lambda backup: backup.path.name, reverse=True)

    def _folder_of(self, home: Path) -> Path:
        from hashlib import sha256  # imported here: not needed before the first paint

        readable = re.sub(r"[^\w.-]", "_", home.name)[:60]
        return (
            self.folder
            / f"{readable}-{sha256(str(home).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        )
