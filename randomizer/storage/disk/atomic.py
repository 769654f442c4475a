"""Atomic writes: a crash, a full disk or a failure leaves the whole old file or the whole new one.

The new content is written to a temporary file beside the old one, forced to the disk, and renamed
to its path, which replaces the old file in one step::

    write_atomically(path, data)                       # one file
    change_together([Change(path, old_data, new_data), ...])   # several files, all or none

Of several files all are written before the first rename, so a full disk is noticed in time, and if
a rename fails, those before it are undone. ``AtomicFile`` takes a content piece by piece.

In this module a *target* is the file that is replaced: ``path`` itself, or if that is a symbolic
link, the file to which it leads. Only a removal removes the link itself.
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


# --- one file -----------------------------------------------------------------------------------


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to the file ``path``, replacing its contents in one step.

    The file's permissions are kept; a symbolic link stays and its target is replaced. The folder
    must exist. Raises ProblemError, and then the old file is unchanged; a failure to force the
    folder to the disk after the rename is ignored.
    """
    with _as_problem(path, "not-written", "written"):
        target = Path(os.path.realpath(path))  # stat() reports loops of links
        temporary = _write_temporary(target, data)
        _move_into_place(temporary, target)


@contextlib.contextmanager
def _as_problem(path: Path, code: str, participle: str) -> Iterator[None]:
    """Turn an OSError into a ProblemError: "a.xml could not be written", with that participle."""
    try:
        yield
    except OSError as failed:
        reason = words_of(failed)
        if isinstance(failed, FileNotFoundError) and path.parent.is_dir():
            reason = "this folder takes no new files"  # such as /proc
        message = f"{path.name} could not be {participle}: {reason}"
        raise problem_error(code, message, path=str(path)) from failed


def _write_temporary(target: Path, data: bytes, key: str = "") -> Path:
    """Write ``data`` to a temporary file, and return its path.

    It is on the disk then, and has the permissions of the target. Raises OSError, and then it is
    removed.
    """
    temporary = _open_temporary(target, key)
    try:
        with temporary.file as file:
            file.write(data)
            _finish(temporary)
    except BaseException:
        _remove_temporary(temporary.path)
        raise
    return temporary.path


class AtomicFile:
    """A new content of the file ``path`` that is written piece by piece.

    ``commit`` replaces the file in one step; until then, and after ``discard``, it is as it was.
    Raises ProblemError as ``write_atomically`` does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with _as_problem(path, "not-written", "written"):
            self._target = Path(os.path.realpath(path))
            self._temporary = _open_temporary(self._target)
            """The file with the new content so far."""

    def write(self, data: bytes) -> None:
        """Add to the new content. Raises ProblemError."""
        with _as_problem(self._path, "not-written", "written"):
            self._temporary.file.write(data)

    def commit(self) -> None:
        """Replace the file by the new content. Raises ProblemError, then the old one stays."""
        with _as_problem(self._path, "not-written", "written"):
            try:
                with self._temporary.file:
                    _finish(self._temporary)
            except BaseException:
                _remove_temporary(self._temporary.path)
                raise
            _move_into_place(self._temporary.path, self._target)

    def discard(self) -> None:
        """Throw the new content away; the file is as it was."""
        with contextlib.suppress(OSError):  # the content that cannot be flushed goes anyway
            self._temporary.file.close()
        _remove_temporary(self._temporary.path)


# --- temporary files ----------------------------------------------------------------------------


class _TemporaryFile(NamedTuple):
    """An open temporary file, which will take the place of a target."""

    path: Path
    """Its path, in the folder of the target."""

    file: IO[bytes]

    old_permissions: int | None
    """The permissions of the target, which it gets in the end; None if there is no such file."""


def temporary_file(path: Path, key: str = "") -> Path:
    """Return the path of a temporary file for ``path``, in the same folder.

    With a ``key`` it is the same one each time, so that it can be found after the program was
    killed; with "" it is another, random one each time.
    """
    if key:
        digest = hashlib.sha256(f"{key}/{path.name}".encode("utf-8", "surrogatepass"))
        return path.with_name(f".battlelands-{digest.hexdigest()[:16]}.tmp")
    return path.with_name(f".battlelands-{secrets.token_hex(8)}.tmp")


def _open_temporary(target: Path, key: str = "") -> _TemporaryFile:
    """Open a new temporary file for a target.

    Raises OSError, too, if the target cannot be replaced.
    """
    old_permissions = None
    with contextlib.suppress(FileNotFoundError):
        mode = target.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        old_permissions = stat.S_IMODE(mode)
    if old_permissions is not None and not current_disk().may_write(target):
        # A rename would circumvent the write protection of the file.
        raise PermissionError(errno.EACCES, "write-protected")
    _remove_abandoned_files(target.parent)
    path = temporary_file(target, key)
    # Private until it is whole and has the permissions of the old file, which may be private, too.
    permissions = _ANY_PERMISSIONS if old_permissions is None else _PRIVATE
    file = current_disk().open_new(path, permissions)
    return _TemporaryFile(path, file, old_permissions)


def _finish(temporary: _TemporaryFile) -> None:
    """Give a temporary file the permissions of its target, and force it to the disk."""
    if temporary.old_permissions is not None:
        temporary.path.chmod(temporary.old_permissions)
    current_disk().sync(temporary.file)


def _move_into_place(temporary: Path, target: Path) -> None:
    """Rename a temporary file to its target. Raises OSError, and then it is removed."""
    try:
        current_disk().rename(temporary, target)
    except BaseException:
        _remove_temporary(temporary)
        raise
    sync_folder(target.parent)


def _remove_temporary(temporary: Path) -> None:
    """Remove a temporary file; if that fails, ``_remove_abandoned_files`` finds it later."""
    with contextlib.suppress(OSError):
        current_disk().remove(temporary)


_last_search: dict[Path, float] = {}
"""The time (``time.monotonic``) of the last search of each folder.

It is kept for the whole program, since a folder can hold many thousand files, and any writer may be
the next to come there.
"""


def _remove_abandoned_files(folder: Path) -> None:
    """Remove temporary files that killed programs left in the folder, at most once in an hour.

    Files younger than an hour are kept: another program can still be writing them.
    """
    now = time.monotonic()
    if now - _last_search.get(folder, -math.inf) < ABANDONED_S:
        return
    _last_search[folder] = now
    with contextlib.suppress(OSError):
        for entry in current_disk().entries(folder):
            if (
                _TEMPORARY_NAME.fullmatch(entry.name)
                and entry.is_file(follow_symlinks=False)
                and time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED_S
            ):
                os.unlink(entry.path)  # noqa: PTH108 - no Path for each of a large folder


# --- several files ------------------------------------------------------------------------------


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
        _require_unchanged(change)
    folders: list[Path] = []
    prepared_changes: list[_PreparedChange] = []
    begun_changes: list[_PreparedChange] = []
    try:
        # Write everything first: a full disk is noticed while all old files are in their places.
        for change in changes:
            if change.before == change.after:
                continue
            if change.after is not None:
                folders += make_folders(change.path.parent)
            prepared_changes.append(_prepare(change, key))

        for prepared_change in prepared_changes:
            # Recorded before it is made: one that fails may have been made all the same.
            begun_changes.append(prepared_change)
            _make(prepared_change)
    except BaseException as failed:
        for prepared_change in prepared_changes:
            if prepared_change.temporary is not None:
                _remove_temporary(prepared_change.temporary)
        problems = _undo(begun_changes)
        remove_folders(folders)
        if problems:
            # Told after an interrupt, too: the files are then in a state that nobody wants.
            first_problems = failed.problems if isinstance(failed, ProblemError) else ()
            raise ProblemError((*first_problems, *problems)) from failed
        raise
    return tuple(folders)


class _PreparedChange(NamedTuple):
    """A change whose new content is on the disk already."""

    change: Change
    target: Path
    """The file that is replaced; of a removal ``change.path`` itself, even if that is a link."""
    temporary: Path | None
    """The temporary file with the new content; None if the target is to be removed."""


def _require_unchanged(change: Change) -> None:
    """Raise ProblemError if the file of a change does not hold ``before``."""
    if current_bytes(change.path) != change.before:
        raise problem_error(
            "changed-meanwhile",
            f"{change.path.name} is not as it was any more; nothing was changed",
            path=str(change.path),
        )


def _prepare(change: Change, key: str) -> _PreparedChange:
    """Write the new content of a change to a temporary file. Raises ProblemError."""
    if change.after is None:
        return _PreparedChange(change, target=change.path, temporary=None)
    with _as_problem(change.path, "not-written", "written"):
        target = Path(os.path.realpath(change.path))
        temporary = _write_temporary(target, change.after, key)
    return _PreparedChange(change, target, temporary)


def _make(prepared_change: _PreparedChange) -> None:
    """Replace or remove the file of a change. Raises ProblemError."""
    path = prepared_change.change.path
    if prepared_change.temporary is None:
        _remove(path)
        return
    with _as_problem(path, "not-written", "written"):
        _move_into_place(prepared_change.temporary, prepared_change.target)


def _remove(path: Path) -> None:
    """Remove a file. Raises ProblemError."""
    with _as_problem(path, "not-removed", "removed"):
        current_disk().remove(path)
        sync_folder(path.parent)


def _undo(begun_changes: Sequence[_PreparedChange]) -> list[Problem]:
    """Undo changes, the last first; return a problem for every file that could not be restored."""
    problems: list[Problem] = []
    for prepared_change in reversed(begun_changes):
        change = prepared_change.change
        try:
            if current_bytes(change.path) != change.before:
                if change.before is None:
                    # The new file goes; a link at its path, which led nowhere, stays.
                    _remove(prepared_change.target)
                else:
                    write_atomically(change.path, change.before)
        except (ProblemError, OSError):
            message = f"{change.path.name} could not be put back to what it was"
            problem = Problem(Severity.ERROR, "not-put-back", message, str(change.path))
            problems.append(problem)
    return problems


def drop_temporary(paths: Iterable[Path], key: str) -> None:
    """Remove the temporary files that a killed ``change_together`` with this key has left."""
    for path in paths:
        with contextlib.suppress(OSError, RuntimeError):
            target = Path(os.path.realpath(path))
            _remove_temporary(temporary_file(target, key))


# --- folders ------------------------------------------------------------------------------------


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
        for folder in missing_folders:  # the error below names the one that could not be made
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


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk, where the system supports that; errors are ignored."""
    with contextlib.suppress(OSError):
        current_disk().sync_folder(folder)
