"""Atomic writes: a crash, a full disk or a failure leaves the whole old file or the whole new one.

A file is written beside its place, forced to the disk and renamed into place. Several files can be
changed together: all are written before the first rename, so a full disk is noticed in time, and if
a rename fails, those before it are undone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import math
import os
import re
import secrets
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.basics.limits import LARGEST_FILE
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import read_file
from randomizer.storage.disk.disk import current_disk

ABANDONED_S = 3600
_OURS = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
"""The names of temporary files."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to the file ``path``, replacing its contents in one step.

    The file's permissions are kept; a symbolic link stays and its target is replaced. The folder
    must exist. Raises ProblemError, and then the old file is unchanged; a failure to force the
    folder to the disk after the rename is ignored.
    """
    with _as_problem(path, "not-written", "written"):
        target = Path(os.path.realpath(path))  # stat() reports loops of links
        _put_in_place(_write_beside(target, data), target)


@contextlib.contextmanager
def _as_problem(path: Path, code: str, done: str) -> Iterator[None]:
    """Turns an OSError into a ProblemError that says what could not be done."""
    try:
        yield
    except OSError as failed:
        words = words_of(failed)
        if isinstance(failed, FileNotFoundError) and path.parent.is_dir():
            words = "this folder takes no new files"  # such as /proc
        raise problem_error(
            code, f"{path.name} could not be {done}: {words}", path=str(path)
        ) from failed


def _write_beside(path: Path, data: bytes, key: str = "") -> Path:
    """Write ``data`` to a new file beside ``path``, on the disk, with its permissions."""
    beside, file, mode = _open_beside(path, key)
    try:
        with file:
            file.write(data)
            _force(file, beside, mode)
    except BaseException:
        _drop(beside)
        raise
    return beside


class AtomicFile:
    """A new content of the file ``path`` that is written piece by piece.

    The file is replaced in one step, by ``keep``; until then, and after ``drop``, it is as it was.
    Raises ProblemError as ``write_atomically`` does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with _as_problem(path, "not-written", "written"):
            self._place = Path(os.path.realpath(path))
            self._beside, self._file, self._mode = _open_beside(self._place)

    def write(self, data: bytes) -> None:
        """Add to the new content. Raises ProblemError."""
        with _as_problem(self._path, "not-written", "written"):
            self._file.write(data)

    def keep(self) -> None:
        """Put the new content in its place. Raises ProblemError, then the old one is kept."""
        with _as_problem(self._path, "not-written", "written"):
            try:
                with self._file:
                    _force(self._file, self._beside, self._mode)
            except BaseException:
                _drop(self._beside)
                raise
            _put_in_place(self._beside, self._place)

    def drop(self) -> None:
        """Leave the file as it was."""
        with contextlib.suppress(OSError):  # what cannot be flushed is not wanted
            self._file.close()
        _drop(self._beside)


def temporary_file(path: Path, key: str = "") -> Path:
    """Return the place of a temporary file for ``path``; with a key the same one each time."""
    if key:
        digest = hashlib.sha256(f"{key}/{path.name}".encode("utf-8", "surrogatepass"))
        return path.with_name(f".battlelands-{digest.hexdigest()[:16]}.tmp")
    return path.with_name(f".battlelands-{secrets.token_hex(8)}.tmp")


def _open_beside(path: Path, key: str = "") -> tuple[Path, IO[bytes], int | None]:
    """Return a new file beside ``path``: its path, the file, and the permissions of the one at
    ``path``.

    These are None if there is none. Raises OSError if that could not be replaced.
    """
    try:
        before: os.stat_result | None = path.stat()
    except FileNotFoundError:
        before = None
    if before is not None:
        if stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        if not current_disk().may_write(path):
            # A rename would circumvent the write protection of the file.
            raise PermissionError(errno.EACCES, "write-protected")
    _sweep(path.parent)
    beside = temporary_file(path, key)
    if before is None:
        mode = None
    else:
        mode = stat.S_IMODE(before.st_mode)
    permissions = 0o666 if mode is None else 0o600  # private until it is whole
    return beside, current_disk().open_new(beside, permissions), mode


def _force(file: IO[bytes], beside: Path, mode: int | None) -> None:
    """Force a new file to the disk, with its permissions."""
    if mode is not None:
        beside.chmod(mode)
    current_disk().sync(file)


def _put_in_place(beside: Path, path: Path) -> None:
    try:
        current_disk().rename(beside, path)
    except BaseException:
        _drop(beside)
        raise
    sync_folder(path.parent)


def _drop(beside: Path) -> None:
    with contextlib.suppress(OSError):
        current_disk().remove(beside)


_swept: dict[Path, float] = {}
"""When this program last swept a folder (``time.monotonic``): it can hold many thousand files."""


def _sweep(folder: Path) -> None:
    """Remove temporary files that killed programs left in the folder, at most once in an hour.

    Files younger than an hour are kept: another program can still be writing them.
    """
    now = time.monotonic()
    if now - _swept.get(folder, -math.inf) < ABANDONED_S:
        return
    _swept[folder] = now
    with contextlib.suppress(OSError):
        for entry in current_disk().entries(folder):
            if (
                _OURS.fullmatch(entry.name)
                and entry.is_file(follow_symlinks=False)
                and time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED_S
            ):
                os.unlink(entry.path)  # noqa: PTH108 - no Path for each of a large folder


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk, where the system supports that; errors are ignored."""
    with contextlib.suppress(OSError):
        current_disk().sync_folder(folder)


@dataclass(frozen=True, slots=True)
class Change:
    """One file of several that change together; None means "no such file"."""

    path: Path
    before: bytes | None
    after: bytes | None


def current_bytes(path: Path) -> bytes | None:
    """Return the contents of a file, None if there is none. Raises ProblemError.

    It is raised also for what is larger than any file that is kept, and for what is no file.
    """
    try:
        return read_file(path, LARGEST_FILE)
    except ProblemError as failed:
        if isinstance(failed.__cause__, FileNotFoundError):
            return None
        problem = failed.problems[0]
        message = f"{path.name}: {problem.message}"
        raise problem_error(problem.code, message, path=problem.path) from failed.__cause__


def change_together(changes: Sequence[Change], key: str = "") -> tuple[Path, ...]:
    """Make all changes or none; returns the folders that were made, outermost first.

    Nothing is changed if a file is not as its ``before`` says. Raises ProblemError, which includes
    any file that could not be restored. ``key`` names the temporary files (``temporary_file``), so
    that those of a program that was killed can be found by ``drop_temporary``.
    """
    for change in changes:
        _expect(change)
    folders: list[Path] = []
    prepared: list[tuple[Change, Path, Path | None]] = []
    changed: list[Change] = []
    try:
        for change in changes:
            if change.before == change.after:
                continue
            beside = None
            target = change.path
            if change.after is not None:
                folders += make_folders(change.path.parent)
                with _as_problem(change.path, "not-written", "written"):
                    target = Path(os.path.realpath(change.path))
                    beside = _write_beside(target, change.after, key)
            prepared.append((change, target, beside))
        for change, target, beside in prepared:
            changed.append(change)
            if beside is None:
                _remove(change.path)
            else:
                with _as_problem(change.path, "not-written", "written"):
                    _put_in_place(beside, target)
    except BaseException as failed:
        for _, _, beside in prepared:
            if beside is not None:
                _drop(beside)
        stuck = _put_back(changed, folders)
        if isinstance(failed, ProblemError) and stuck:
            raise ProblemError((*failed.problems, *stuck)) from failed
        raise
    return tuple(folders)


def drop_temporary(paths: Iterable[Path], key: str) -> None:
    """Remove what a killed ``change_together`` with this key left beside the files."""
    for path in paths:
        with contextlib.suppress(OSError, RuntimeError):
            _drop(temporary_file(Path(os.path.realpath(path)), key))


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and its parents; returns those that were made, outermost first.

    Raises ProblemError, and then no new folder is left.
    """
    missing: list[Path] = []
    count = 0
    try:
        while not folder.is_dir() and folder != folder.parent:
            missing.insert(0, folder)
            folder = folder.parent
        for folder in missing:
            current_disk().make_folder(folder)
            count += 1
            sync_folder(folder.parent)
    except OSError as failed:
        remove_folders(missing[:count])
        raise problem_error(
            "not-written",
            f"The folder {folder.name} could not be made: {words_of(failed)}",
            path=str(folder),
        ) from failed
    return missing


def remove_folders(folders: Sequence[Path]) -> None:
    """Remove those of the folders that are empty, the last one first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _expect(change: Change) -> None:
    if current_bytes(change.path) != change.before:
        raise problem_error(
            "changed-meanwhile",
            f"{change.path.name} is not as it was any more; nothing was changed",
            path=str(change.path),
        )


def _remove(path: Path) -> None:
    with _as_problem(path, "not-removed", "removed"):
        current_disk().remove(path)
        sync_folder(path.parent)


def _put_back(changed: Sequence[Change], folders: Sequence[Path]) -> list[Problem]:
    """Undo what was begun; returns a problem for every file that could not be restored."""
    stuck: list[Problem] = []
    for change in reversed(changed):
        try:
            if current_bytes(change.path) != change.before:
                if change.before is None:
                    _remove(change.path)
                else:
                    write_atomically(change.path, change.before)
        except (ProblemError, OSError):
            stuck.append(
                Problem(
                    Severity.ERROR,
                    "not-put-back",
                    f"{change.path.name} could not be put back to what it was",
                    str(change.path),
                )
            )
    remove_folders(folders)
    return stuck
