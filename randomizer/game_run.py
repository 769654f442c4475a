"""A player's own game, started on a map in a scratch folder, apart from this program.

run = GameRun()
run.start(player.prepare(battlemap, path, run.folder))
while run.poll():  # now and then; when the game has ended its folder goes
    ...
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

from randomizer.games import Launch
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error
from randomizer.reading.files import read_start
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.disk.regular_files import NotAFileError

PREFIX = "battlelands-play-"
"""How the names of scratch folders begin."""

_LOCK = "lock"
_LOG = "log.txt"
_MOST_LOG = 200_000
"""So many bytes of what a game has printed are looked through for the reason of its end."""


class GameRun:
    """A game with its scratch folder ``folder``. It lives on when this program ends.

    A lock in the folder, which the game's process inherits, says that it is in use; a new run
    removes the folders that are not. Raises OSError if no folder can be made.
    """

    def __init__(self) -> None:
        for old in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            with suppress(OSError, NotAFileError):  # another user's
                lock = lock_file(old / _LOCK)
                if lock is not None:
                    lock.close()
                    _remove(old)
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = lock_file(self.folder / _LOCK)
        self.process: subprocess.Popen[bytes] | None = None
        """The game, None before it was started."""

    def start(self, launch: Launch) -> None:
        """Start the game, detached. Raises ProblemError; then the folder is still there."""
        if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
            raise error("no-display", "There is no display on which the game could be seen")
        detached: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            detached["creationflags"] = subprocess.DETACHED_PROCESS
        elif self._lock is not None:
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
        """Return whether the game runs; if not, its folder goes.

        Raises ProblemError if it has failed.
        """
        if self.process is None or (status := self.process.poll()) is None:
            return self.process is not None
        log = read_start(self.folder / _LOG, _MOST_LOG).decode("utf-8", "replace")
        self.remove()
        if status:
            lines = [line.strip() for line in log.splitlines() if line.strip()]
            faults = [each for each in lines if "Exception" in each or "error" in each.casefold()]
            reason = (faults or lines[-1:] or [f"its status was {status}"])[0]
            raise error("game-failed", f"The game ended with an error: {reason:.200}")
        return False

    def remove(self) -> None:
        """Remove the folder of a game that does not run."""
        if self._lock is not None:
            self._lock.close()
        _remove(self.folder)


def _remove(folder: Path) -> None:
    """Remove a folder; where something in it is held open (Windows) the next run does it."""
    with suppress(OSError):
        shutil.rmtree(folder.rename(folder.with_suffix(".old")), ignore_errors=True)
