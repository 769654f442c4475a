"""Older contents of the user's files, kept in a folder of the desk's own before they are replaced.

Each file has a folder, called by its name and a number that its whole path gives; in it are the
last ten contents, called by the time at which they were replaced.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from randomizer.model.problems import error, words_of

KEPT = 10
PAUSE_S = 600.0
"""A file that is saved again and again is kept once in so many seconds."""

_TIME = "%Y%m%d-%H%M%S-%f"


@dataclass(frozen=True, slots=True)
class Backup:
    """Older contents of a file: where they are, when they were replaced, their size in bytes."""

    path: Path
    replaced: datetime
    size: int


@contextmanager
def _as_problems(path: Path) -> Iterator[None]:
    """Raise what the system says as a ProblemError."""
    try:
        yield
    except OSError as failed:
        text = f"the backups of {path.name} cannot be got at: {words_of(failed)}"
        raise error("no-backup", text, path=str(path)) from failed


class Backups:
    """The backups in ``folder``, for one session: its first overwriting of a file keeps always."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._clock = clock
        self._kept: dict[Path, float] = {}

    def keep(self, path: Path, *, always: bool = False) -> Path | None:
        """Before ``path`` is overwritten: keep what it holds; None if there is no need.

        ``always``: even if contents were kept a moment ago. Raises ProblemError if it cannot be.
        """
        from randomizer.storage.atomic import current_bytes, make_folders, write_atomically

        now, home = self._clock(), path.absolute()
        if not always and 0 <= now - self._kept.get(home, float("-inf")) < PAUSE_S:
            return None
        with _as_problems(path):
            data = current_bytes(path)
        if data is None:
            return None
        folder = self._folder_of(home)
        make_folders(folder)
        moment = datetime.fromtimestamp(now, UTC)
        kept = folder / f"{moment.strftime(_TIME)}{path.suffix}"
        write_atomically(kept, data)
        self._kept[home] = now
        with _as_problems(path):
            for older in self.of(path)[KEPT:]:
                if older.path != kept:  # after the clock was put back it is none of the latest
                    older.path.unlink(missing_ok=True)
        return kept

    def of(self, path: Path) -> list[Backup]:
        """The backups of a file, the latest first. Raises ProblemError."""
        found = []
        folder = self._folder_of(path.absolute())
        with _as_problems(path):
            for entry in folder.iterdir() if folder.is_dir() else ():
                try:
                    replaced = datetime.strptime(entry.stem, _TIME).replace(tzinfo=UTC)
                except ValueError:
                    continue  # not ours
                found.append(Backup(entry, replaced, entry.stat().st_size))
        return sorted(found, key=lambda backup: backup.path.name, reverse=True)

    def _folder_of(self, home: Path) -> Path:
        from hashlib import sha256  # before the desk's first picture nobody needs it

        readable = re.sub(r"[^\w.-]", "_", home.name)[:60]
        return (
            self.folder
            / f"{readable}-{sha256(str(home).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        )
