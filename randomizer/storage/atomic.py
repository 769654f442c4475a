"""Writing files so that a crash, a full disk or a failure leaves the old file or the new, whole.

A file is written beside its place, forced to the disk and then put in place by one rename. Several
files can be changed together: all are beside their places before the first is renamed, so a full
disk is noticed in time, and if a rename fails, those before it are put back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from randomizer.model.problems import Problem, ProblemError, Severity, words_of
from randomizer.model.problems import error as problem_error

ABANDONED_S = 3600
_OURS = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
"""What a file is called until it is put in its place."""


def write_atomically(path: Path, data: bytes) -> None:
    """Put ``data`` into the file ``path``, replacing what is there in one step.

    The file's permissions are kept; a symbolic link stays and its target is replaced. The folder
    must exist. Raises ProblemError, and then the old file is as it was: a failure to force the
    folder to the disk after the rename is no failure.
    """
    with _as_problem(path, "not-written", "written"):
        place = Path(os.path.realpath(path))  # of a loop of links stat() tells
        _put_in_place(_write_beside(place, data), place)


@contextlib.contextmanager
def _as_problem(path: Path, code: str, done: str) -> Iterator[None]:
    """Says of an OSError what could not be done; it becomes a ProblemError."""
    try:
        yield
    except OSError as failed:
        raise problem_error(
            code, f"{path.name} could not be {done}: {words_of(failed)}", path=str(path)
        ) from failed


def _write_beside(path: Path, data: bytes) -> Path:
    """``data`` in a new file beside ``path``, on the disk, with its permissions."""
    try:
        before: os.stat_result | None = path.stat()
    except FileNotFoundError:
        before = None
    if before is not None:
        if stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        if not os.access(path, os.W_OK):
            # A rename would get round the write protection of the file; that is not ours to do.
            raise PermissionError(errno.EACCES, "write-protected")
    _sweep(path.parent)
    beside = path.with_name(f".battlelands-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(beside, flags, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if before is not None:
                beside.chmod(stat.S_IMODE(before.st_mode))
            os.fsync(file.fileno())
    except BaseException:
        _drop(beside)
        raise
    return beside


def _put_in_place(beside: Path, path: Path) -> None:
    try:
        os.replace(beside, path)  # noqa: PTH105 - tests make this very call fail
    except BaseException:
        _drop(beside)
        raise
    sync_folder(path.parent)


def _drop(beside: Path) -> None:
    with contextlib.suppress(OSError):
        beside.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove what a program that was killed while it wrote left in the folder.

    What is younger than an hour may be another program's that is still writing.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                _OURS.fullmatch(entry.name)
                and entry.is_file(follow_symlinks=False)
                and time.time() - entry.stat(follow_symlinks=False).st_mtime > ABANDONED_S
            ):
                os.unlink(entry.path)  # noqa: PTH108 - no Path for each of a large folder


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk, where the system can do that.

    What was changed is changed by then; some file systems know no such thing, and that is all.
    """
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@dataclass(frozen=True, slots=True)
class Change:
    """One file of several that change together; None is "no such file"."""

    path: Path
    before: bytes | None
    after: bytes | None


def current_bytes(path: Path) -> bytes | None:
    """What stands in a file, None if there is none. Raises OSError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def change_together(changes: Sequence[Change]) -> tuple[Path, ...]:
    """Make all changes or none; the folders that had to be made, outermost first.

    Nothing is touched if a file is not as its ``before`` says. Raises ProblemError; what it says
    includes any file that could not be put back.
    """
    for change in changes:
        _expect(change)
    made: list[Path] = []
    ready: list[tuple[Change, Path, Path | None]] = []
    begun: list[Change] = []
    try:
        for change in changes:
            if change.before == change.after:
                continue
            beside, place = None, change.path
            if change.after is not None:
                made += make_folders(change.path.parent)
                with _as_problem(change.path, "not-written", "written"):
                    place = Path(os.path.realpath(change.path))
                    beside = _write_beside(place, change.after)
            ready.append((change, place, beside))
        for change, place, beside in ready:
            begun.append(change)
            if beside is None:
                _remove(change.path)
            else:
                with _as_problem(change.path, "not-written", "written"):
                    _put_in_place(beside, place)
    except BaseException as failed:
        for _, _, beside in ready:
            if beside is not None:
                _drop(beside)
        stuck = _put_back(begun, made)
        if isinstance(failed, ProblemError) and stuck:
            raise ProblemError((*failed.problems, *stuck)) from failed
        raise
    return tuple(made)


def make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; the ones that were not there, outermost first.

    Raises ProblemError, and then nothing new is left behind.
    """
    missing: list[Path] = []
    made = 0
    try:
        while not folder.is_dir() and folder != folder.parent:
            missing.insert(0, folder)
            folder = folder.parent
        for folder in missing:
            folder.mkdir()
            made += 1
            sync_folder(folder.parent)
    except OSError as failed:
        remove_folders(missing[:made])
        raise problem_error(
            "not-written",
            f"The folder {folder.name} could not be made: {words_of(failed)}",
            path=str(folder),
        ) from failed
    return missing


def remove_folders(folders: Sequence[Path]) -> None:
    """Remove those folders that are empty, the last one first; the others stay."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _expect(change: Change) -> None:
    with _as_problem(change.path, "not-read", "read"):
        now = current_bytes(change.path)
    if now != change.before:
        raise problem_error(
            "changed-meanwhile",
            f"{change.path.name} is not as it was any more; nothing was changed",
            path=str(change.path),
        )


def _remove(path: Path) -> None:
    with _as_problem(path, "not-removed", "removed"):
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def _put_back(begun: Sequence[Change], made: Sequence[Path]) -> list[Problem]:
    """Undo what was begun; a problem for every file with which even that fails."""
    stuck: list[Problem] = []
    for change in reversed(begun):
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
    remove_folders(made)
    return stuck
