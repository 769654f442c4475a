"""Older contents of the user's files, kept in a folder of the desk before they are overwritten.

Whoever saves a file calls ``back_up`` first; the dialog of backups shows ``backups_of``::

    backups = Backups(folder)
    backups.back_up(path)              # copies what ``path`` holds now
    latest = backups.backups_of(path)[0]    # a ``Backup``

Each file has a folder of its own, named by the file's name and a hash of its path. It holds the
last ten contents, named by the time at which they were replaced (``time_names``)::

    vale.battlemap-3f9a0c41d27b/20260214-093005-000125.battlemap
"""

from __future__ import annotations

import math
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

MAX_BACKUPS = 10
"""The number of backups of a file that stay; older ones are deleted."""

PAUSE_S = 600.0
"""The time in seconds after a backup in which further saves of the file are not backed up."""

_LONGEST_NAME = 60
"""The most characters of a file's name with which the name of its folder begins."""

_HASH_DIGITS = 12
"""The digits of the hash in the name of a folder: they tell files of one name apart."""


@dataclass(frozen=True, slots=True)
class Backup:
    """An older content of a file."""

    path: Path
    """The file of the backup."""
    replaced: datetime
    """The time at which the content was replaced."""
    size: int
    """In bytes."""


class Backups:
    """The backups in ``folder`` during one session.

    A file's first overwriting of a session is always backed up.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        """The folder with the folders of all files."""
        self._clock = clock
        """Returns the time in seconds since 1970."""
        self._last_backup: dict[Path, float] = {}
        """The time of the last backup of each file in this session, by its absolute path."""

    def back_up(self, path: Path, *, always: bool = False) -> Path | None:
        """Back up the content of ``path`` before it is overwritten; return the backup's path.

        None if there is no such file, or if it was backed up less than ``PAUSE_S`` ago; with
        ``always`` it is backed up all the same. Raises ProblemError.
        """
        # Imported here: it imports hashlib, which is not needed before the first paint.
        from randomizer.storage.disk.atomic import current_bytes, make_folders, write_atomically

        # Is it time for a backup, and is there anything to back up?
        now = self._clock()
        absolute_path = path.absolute()
        # A clock that was set back makes the time since then negative: it counts as long ago.
        seconds_since_backup = now - self._last_backup.get(absolute_path, -math.inf)
        if not always and 0 <= seconds_since_backup < PAUSE_S:
            return None
        data = current_bytes(path)
        if data is None:
            return None

        # Write the backup, and delete the oldest ones.
        folder = self._folder_of(absolute_path)
        make_folders(folder)
        names_in_use = (backup.path.stem for backup in self.backups_of(path))
        name = next_name(names_in_use, datetime.fromtimestamp(now, UTC))
        target = folder / f"{name}{path.suffix}"
        write_atomically(target, data)
        self._last_backup[absolute_path] = now
        with _as_problems(path):
            for old_backup in self.backups_of(path)[MAX_BACKUPS:]:
                old_backup.path.unlink(missing_ok=True)
        return target

    def backups_of(self, path: Path) -> list[Backup]:
        """Return the backups of a file, the latest first. Raises ProblemError."""
        result = []
        folder = self._folder_of(path.absolute())
        with _as_problems(path):
            if not folder.is_dir():
                return []
            for entry in folder.iterdir():
                # Whatever has another name, or is no file, was not put there by this program.
                replaced = time_of_name(entry.stem)
                if replaced is not None and not is_blocked(entry):
                    result.append(Backup(entry, replaced, entry.stat().st_size))
        return sorted(result, key=lambda backup: backup.path.name, reverse=True)

    def content_at(self, path: Path, moment: datetime) -> Path:
        """Return the file with what ``path`` held at a time: a backup, or ``path`` itself.

        If that content was not backed up, it is the oldest later one that there is. Raises
        ProblemError.
        """
        # The content at that time was replaced later: by the earliest of the later backups.
        later_backups = [backup for backup in self.backups_of(path) if backup.replaced >= moment]
        if later_backups:
            return later_backups[-1].path  # the latest comes first in the list
        return path

    def _folder_of(self, absolute_path: Path) -> Path:
        """Return the folder with the backups of a file."""
        from hashlib import sha256  # imported here: not needed before the first paint

        readable_name = re.sub(r"[^\w.-]", "_", absolute_path.name)[:_LONGEST_NAME]
        # A path can have bytes that are no text, which Python holds as surrogates.
        path_bytes = str(absolute_path).encode("utf-8", "surrogatepass")
        digits = sha256(path_bytes).hexdigest()[:_HASH_DIGITS]
        return self.folder / f"{readable_name}-{digits}"


@contextmanager
def _as_problems(path: Path) -> Iterator[None]:
    """Turn an OSError into a ProblemError about the backups of the file ``path``."""
    try:
        yield
    except OSError as failed:
        text = f"the backups of {path.name} cannot be got at: {words_of(failed)}"
        raise error("no-backup", text, path=str(path)) from failed
