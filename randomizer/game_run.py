"""A player's own game, started on a map in a scratch folder, apart from this program.

run = GameRun()
run.start(player.prepare(battlemap, path, run.folder))
while run.poll():  # asked now and then; when the game has ended its folder goes
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

from randomizer.file_reading import read_start
from randomizer.games import ExportPlan, Launch
from randomizer.model.problems import ProblemError, error, has_errors, words_of
from randomizer.storage.file_lock import lock_file
from randomizer.storage.regular_files import NotAFileError

PREFIX = "battlelands-play-"
"""How the names of scratch folders begin."""

_LOCK, _LOG = "lock", "log.txt"
_MOST_LOG = 200_000
"""So many bytes of what a game has printed are looked through for the reason of its end."""


class GameRun:
    """A game with its scratch folder ``folder``. It lives on when this program ends.

    A lock in the folder, which the game's process inherits, says that the folder is in use; a new
    run removes the folders that are not. Raises OSError if no folder can be made.
    """

    def __init__(self) -> None:
        for old in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            _remove_unused(old)
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = lock_file(self.folder / _LOCK)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, launch: Launch) -> None:
        """Start the game, detached. Raises ProblemError, the folder removed, if that fails."""
        try:
            if sys.platform == "linux" and not any(map(os.environ.get, _DISPLAYS)):
                raise error("no-display", "There is no display on which the game could be seen")
            with (self.folder / _LOG).open("wb") as log:
                self._process = subprocess.Popen(
                    launch.command,
                    cwd=self.folder,
                    env={**os.environ, **launch.environment},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    **self._detached(),
                )
        except OSError as failed:
            self.remove()
            message = f"The game cannot be started: {words_of(failed)}"
            raise error("game-failed", message, path=launch.command[0]) from failed
        except ProblemError:
            self.remove()
            raise

    def _detached(self) -> dict[str, Any]:
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
            return {"creationflags": flags}
        assert self._lock is not None
        return {"start_new_session": True, "pass_fds": (self._lock.fileno(),)}

    def poll(self) -> bool:
        """Return whether the game runs; if not its folder goes. Raises ProblemError if it failed."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            return self._process is not None
        log = read_start(self.folder / _LOG, _MOST_LOG).decode("utf-8", "replace")
        self.remove()
        if status:
            raise error("game-failed", f"The game ended with an error: {_reason(log, status)}")
        return False

    def remove(self) -> None:
        """Remove the folder of a game that does not run."""
        if self._lock is not None:
            self._lock.close()
        _remove(self.folder)


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def _reason(log: str, status: int) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    faults = [line for line in lines if "Exception" in line or "error" in line.casefold()]
    return (faults or lines[-1:] or [f"its status was {status}"])[0][:200]


def _remove_unused(folder: Path) -> None:
    try:
        lock = lock_file(folder / _LOCK)
    except (OSError, NotAFileError):  # another user's
        return
    if lock is not None:
        lock.close()
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder; what is still held open, as Windows does, waits for the next run."""
    with suppress(OSError):
        shutil.rmtree(folder.rename(folder.with_suffix(".old")), ignore_errors=True)


def write_plan(plan: ExportPlan) -> None:
    """Write the files of an export into a scratch folder. Raises ProblemError, OSError."""
    if has_errors(plan.problems):
        raise ProblemError(plan.problems)
    for file in plan.files:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_bytes(file.data)
