"""A player's own game, started on a map in a scratch folder, apart from this program.

    run = GameRun()
    run.start(player.prepare(battlemap, path, run.folder))
    while run.poll():  # now and then; when the game has ended its folder goes
        ...

The desk polls by a timer, the command line in a loop.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from randomizer.games.player import Launch
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error
from randomizer.reading.files import read_start
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.disk.regular_files import NotAFileError

PREFIX = "battlelands-play-"
"""The beginning of the names of all scratch folders, by which later runs know them."""

_LOCK = "lock"
"""The file in a scratch folder that is locked as long as the game runs."""

_LOG = "log.txt"
"""The file with what the game prints."""

_LOG_LIMIT = 200_000
"""The number of bytes at the start of a game's log in which its error is searched.

More takes longer to search, and a game that prints without end writes a log of gigabytes.
"""


class GameRun:
    """A game with its scratch folder ``folder``. It lives on when this program ends.

    A lock in the folder, which the game's process inherits, says that it is in use; a new run
    removes the folders that are not. Raises OSError if no folder can be made.
    """

    def __init__(self) -> None:
        _remove_unused_folders()
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        """The scratch folder."""
        self._lock = lock_file(self.folder / _LOCK)
        """The open file that locks the folder; closing it unlocks, unless the game has it too."""
        self.process: subprocess.Popen[bytes] | None = None
        """The game, None before it was started and once ``poll`` has seen its end."""

    def start(self, launch: Launch) -> None:
        """Start the game, detached from this program.

        Raises ProblemError if it cannot be started; the folder stays until ``remove``.
        """
        if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
            # Java would say so with the trace of a HeadlessException.
            raise error("no-display", "There is no display on which the game could be seen")
        # In a session of its own the game outlives Ctrl-C and the closed terminal of this program.
        detached: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            detached["creationflags"] = subprocess.DETACHED_PROCESS
        elif self._lock is not None:
            # The game inherits the lock, so that the folder is in use as long as the game lives.
            detached["pass_fds"] = (self._lock.fileno(),)
        try:
            with (self.folder / _LOG).open("wb") as log:
                self.process = subprocess.Popen(
                    launch.command,
                    cwd=self.folder,
                    env={**os.environ, **launch.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    **detached,
                )
        except OSError as failed:
            message = f"The game cannot be started: {words_of(failed)}"
            raise error("game-failed", message, path=launch.command[0]) from failed

    def poll(self) -> bool:
        """Return whether the game runs. The folder of a game that has ended is removed.

        Raises ProblemError if the game ended with an error.
        """
        if self.process is None:
            return False
        status = self.process.poll()
        if status is None:
            return True
        log = read_start(self.folder / _LOG, _LOG_LIMIT).decode("utf-8", "replace")
        self.process = None  # asked again, it does not run, and its folder is gone
        self.remove()
        if status:
            reason = _reason_in_log(log) or f"its status was {status}"
            raise error("game-failed", f"The game ended with an error: {reason:.200}")
        return False

    def remove(self) -> None:
        """Remove the folder of a game that does not run."""
        if self._lock is not None:
            self._lock.close()
        _remove(self.folder)


def _reason_in_log(log: str) -> str:
    """Return the first line that tells of an error, else the last line; "" for an empty log."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for line in lines:
        if "Exception" in line or "error" in line.casefold():
            return line
    if lines:
        return lines[-1]
    return ""


def _remove_unused_folders() -> None:
    """Remove the scratch folders of games that have ended while this program did not run."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, NotAFileError):  # another user's folder cannot be locked
            lock = lock_file(folder / _LOCK)
            if lock is not None:
                lock.close()
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder. If a file in it is held open (Windows), the next run removes it."""
    # Renamed first: a folder with open files cannot be, so that it is removed whole or not at all.
    with suppress(OSError):
        renamed_folder = folder.rename(folder.with_suffix(".old"))
        shutil.rmtree(renamed_folder, ignore_errors=True)
