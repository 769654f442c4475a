"""Atomic writes: a crash, a full disk or a failure leaves the whole old file or the whole new one.

The new content is written to a temporary file beside the old one, forced to the disk, and renamed
to its path, which replaces the old file in one step::

    write_atomically(path, data)                       # one file
    change_together([Change(path, old_data, new_data), ...])   # several files, all or none

Of several files all are written before the first rename, so a full disk is noticed in time, and if
a rename fails, those before it are undone. ``AtomicFile`` takes a content piece by piece.
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
from typing import IO, NamedTuple

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.basics.limits import LARGEST_FILE
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.problems import error as problem_error
from randomizer.reading.files import read_file
from randomizer.storage.disk.disk import current_disk

ABANDONED_S = 3600
"""Temporary files that are older than this, in seconds, were left by a program that was killed.

A folder is searched for such files at most once in as many seconds.
"""

_TEMPORARY_NAME = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
"""The names of temporary files (``temporary_file``)."""

_ANY_PERMISSIONS = 0o666
"""The permissions of a new file, less those that the system's umask takes away."""

_PRIVATE = 0o600
"""The permissions of a file that only its owner can read."""


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
    """Turn an OSError into a ProblemError: ``path`` could not be ``done`` ("written")."""
    try:
        yield
    except OSError as failed:
        reason = words_of(failed)
        if isinstance(failed, FileNotFoundError) and path.parent.is_dir():
            reason = "this folder takes no new files"  # such as /proc
        message = f"{path.name} could not be {done}: {reason}"
        raise problem_error(code, message, path=str(path)) from failed


def _write_beside(path: Path, data: bytes, key: str = "") -> Path:
    """Write ``data`` to a temporary file, and return its path.

    It is on the disk then, and has the permissions of the file at ``path``. Raises OSError, and
    then it is removed.
    """
    beside, file, permissions = _open_beside(path, key)
    try:
        with file:
            file.write(data)
            _force(file, beside, permissions)
    except BaseException:
        _drop(beside)
        raise
    return beside


class AtomicFile:
    """A new content of the file ``path`` that is written piece by piece.

    ``commit`` replaces the file in one step; until then, and after ``discard``, it is as it was.
    Raises ProblemError as ``write_atomically`` does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with _as_problem(path, "not-written", "written"):
            self._target = Path(os.path.realpath(path))
            """The file that is replaced: that to which links lead."""
            # The temporary file with the content so far, and the permissions that it gets.
            self._beside, self._file, self._permissions = _open_beside(self._target)

    def write(self, data: bytes) -> None:
        """Add to the new content. Raises ProblemError."""
        with _as_problem(self._path, "not-written", "written"):
            self._file.write(data)

    def commit(self) -> None:
        """Replace the file by the new content. Raises ProblemError, then the old one stays."""
        with _as_problem(self._path, "not-written", "written"):
            try:
                with self._file:
                    _force(self._file, self._beside, self._permissions)
            except BaseException:
                _drop(self._beside)
                raise
            _put_in_place(self._beside, self._target)

    def discard(self) -> None:
        """Throw the new content away; the file is as it was."""
        with contextlib.suppress(OSError):  # the content that cannot be flushed goes anyway
            self._file.close()
        _drop(self._beside)


def temporary_file(path: Path, key: str = "") -> Path:
    """Return the path of a temporary file for ``path``, in the same folder.

    With a key it is the same one each time, so that it can be found after the program was killed;
    else it is another one each time.
    """
    if key:
        digest = hashlib.sha256(f"{key}/{path.name}".encode("utf-8", "surrogatepass"))
        return path.with_name(f".battlelands-{digest.hexdigest()[:16]}.tmp")
    return path.with_name(f".battlelands-{secrets.token_hex(8)}.tmp")


def _open_beside(path: Path, key: str = "") -> tuple[Path, IO[bytes], int | None]:
    """Open a temporary file for ``path``; return its path, itself, and the permissions at ``path``.

    The permissions are None if there is no file at ``path``. Raises OSError, too, if the file at
    ``path`` cannot be replaced.
    """
    old_permissions = None
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        old_permissions = stat.S_IMODE(mode)
    if old_permissions is not None and not current_disk().may_write(path):
        # A rename would circumvent the write protection of the file.
        raise PermissionError(errno.EACCES, "write-protected")
    _sweep(path.parent)
    beside = temporary_file(path, key)
    # Private until it is whole and has the permissions of the old file, which may be private, too.
    permissions = _ANY_PERMISSIONS if old_permissions is None else _PRIVATE
    return beside, current_disk().open_new(beside, permissions), old_permissions


def _force(file: IO[bytes], beside: Path, permissions: int | None) -> None:
    """Force a temporary file to the disk, with its permissions; None leaves them as they are."""
    if permissions is not None:
        beside.chmod(permissions)
    current_disk().sync(file)


def _put_in_place(beside: Path, path: Path) -> None:
    """Rename a temporary file to ``path``. Raises OSError, and then it is removed."""
    try:
        current_disk().rename(beside, path)
    except BaseException:
        _drop(beside)
        raise
    sync_folder(path.parent)


def _drop(beside: Path) -> None:
    """Remove a temporary file; errors are ignored, ``_sweep`` finds it later."""
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
                _TEMPORARY_NAME.fullmatch(entry.name)
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
    """One file of several that change together."""

    path: Path

    before: bytes | None
    """What the file must hold now; None if there must be no file."""

    after: bytes | None
    """What it is to hold; None to remove it."""


def current_bytes(path: Path) -> bytes | None:
    """Return the content of a file, None if there is none.

    Raises ProblemError for a file that cannot be read, or is larger than any that is kept
    (``LARGEST_FILE``), and for what is no file.
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
    """Make all changes or none; return the folders that were made, outermost first.

    Nothing is changed if a file is not as its ``before`` says. Raises ProblemError, which includes
    any file that could not be restored. ``key`` names the temporary files (``temporary_file``), so
    that those of a program that was killed can be found by ``drop_temporary``.
    """
    for change in changes:
        _expect(change)
    folders: list[Path] = []
    prepared: list[_Prepared] = []
    begun_changes: list[Change] = []
    try:
        # Write everything first: a full disk is noticed while all old files are in their places.
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
            prepared.append(_Prepared(change, target, beside))

        for change, target, beside in prepared:
            # Noted before it is made: one that fails may have been made all the same.
            begun_changes.append(change)
            if beside is None:
                _remove(change.path)
            else:
                with _as_problem(change.path, "not-written", "written"):
                    _put_in_place(beside, target)
    except BaseException as failed:
        for _change, _target, beside in prepared:
            if beside is not None:
                _drop(beside)
        problems = _put_back(begun_changes, folders)
        if isinstance(failed, ProblemError) and problems:
            raise ProblemError((*failed.problems, *problems)) from failed
        raise
    return tuple(folders)


class _Prepared(NamedTuple):
    """A change whose new content is on the disk already."""

    change: Change
    target: Path
    """The file that is replaced or removed: that to which links lead."""
    beside: Path | None
    """The temporary file with the new content; None if the file is to be removed."""


def drop_temporary(paths: Iterable[Path], key: str) -> None:
    """Remove the temporary files that a killed ``change_together`` with this key has left."""
    for path in paths:
        with contextlib.suppress(OSError, RuntimeError):
            _drop(temporary_file(Path(os.path.realpath(path)), key))


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and its parents; return those that were made, outermost first.

    Raises ProblemError, and then no new folder is left.
    """
    missing_folders: list[Path] = []
    made_folders: list[Path] = []
    try:
        while not folder.is_dir() and folder != folder.parent:
            missing_folders.insert(0, folder)
            folder = folder.parent
        for folder in missing_folders:
            current_disk().make_folder(folder)
            made_folders.append(folder)
            sync_folder(folder.parent)
    except OSError as failed:
        remove_folders(made_folders)
        message = f"The folder {folder.name} could not be made: {words_of(failed)}"
        raise problem_error("not-written", message, path=str(folder)) from failed
    return made_folders


def remove_folders(folders: Sequence[Path]) -> None:
    """Remove those of the folders that are empty, the last one first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _expect(change: Change) -> None:
    """Raise ProblemError if the file of a change does not hold ``before``."""
    if current_bytes(change.path) != change.before:
        raise problem_error(
            "changed-meanwhile",
            f"{change.path.name} is not as it was any more; nothing was changed",
            path=str(change.path),
        )


def _remove(path: Path) -> None:
    """Remove a file. Raises ProblemError."""
    with _as_problem(path, "not-removed", "removed"):
        current_disk().remove(path)
        sync_folder(path.parent)


def _put_back(begun_changes: Sequence[Change], folders: Sequence[Path]) -> list[Problem]:
    """Undo changes, the last first, and remove the folders that were made for them.

    Returns a problem for every file that could not be restored.
    """
    problems: list[Problem] = []
    for change in reversed(begun_changes):
        try:
            if current_bytes(change.path) != change.before:
                if change.before is None:
                    _remove(change.path)
                else:
                    write_atomically(change.path, change.before)
        except (ProblemError, OSError):
            message = f"{change.path.name} could not be put back to what it was"
            problem = Problem(Severity.ERROR, "not-put-back", message, str(change.path))
            problems.append(problem)
    remove_folders(folders)
    return problems
