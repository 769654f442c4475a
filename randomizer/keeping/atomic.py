"""Writing files so that a crash, a full disk or a failure leaves the old file or the new, whole.

A file is written beside its place, forced to the disk and then put in place by one rename. Several
files can be changed together: if one fails, those before it are put back.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from randomizer.problems import Problem, ProblemError, Severity
from randomizer.problems import error as problem_error

_WORDS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the disk can only be read",
    errno.ENOENT: "the folder is not there",
    errno.ENOTDIR: "what should be a folder is a file",
    errno.EISDIR: "there is a folder of that name",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EFBIG: "the file would be too large for the disk",
}


ABANDONED_S = 3600
_OURS = re.compile(r"\.battlelands-[0-9a-f]{16}\.tmp")
"""What a file is called until it is put in its place."""


def words_of(failed: OSError) -> str:
    """What went wrong, as the end of a sentence."""
    fallback = failed.strerror or "the system gives no reason"
    return _WORDS.get(failed.errno or 0, fallback[:1].lower() + fallback[1:])


def write_atomically(path: Path, data: bytes) -> None:
    """Put ``data`` into the file ``path``, replacing what is there in one step.

    The file's permissions are kept; a symbolic link stays and its target is replaced. The folder
    must exist. Raises ProblemError, and then the old file is as it was: a failure to force the
    folder to the disk after the rename is no failure.
    """
    try:
        _replace(Path(os.path.realpath(path)), data)  # of a loop of links stat() tells
    except OSError as failed:
        raise problem_error(
            "not-written", f"{path.name} could not be written: {words_of(failed)}", path=str(path)
        ) from failed


def _replace(path: Path, data: bytes) -> None:
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
        os.replace(beside, path)  # noqa: PTH105 - tests make this very call fail
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


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
    begun: list[Change] = []
    try:
        for change in changes:
            if change.before == change.after:
                continue
            begun.append(change)
            if change.after is not None:
                made += make_folders(change.path.parent)
            _put(change.path, change.after)
    except BaseException as failed:
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
    path = str(change.path)
    try:
        now = current_bytes(change.path)
    except OSError as failed:
        raise problem_error(
            "not-read", f"{change.path.name} could not be read: {words_of(failed)}", path=path
        ) from failed
    if now != change.before:
        raise problem_error(
            "changed-meanwhile",
            f"{change.path.name} is not as it was any more; nothing was changed",
            path=path,
        )


def _put(path: Path, data: bytes | None) -> None:
    if data is not None:
        write_atomically(path, data)
        return
    try:
        path.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as failed:
        raise problem_error(
            "not-removed", f"{path.name} could not be removed: {words_of(failed)}", path=str(path)
        ) from failed


def _put_back(begun: Sequence[Change], made: Sequence[Path]) -> list[Problem]:
    """Undo what was begun; a problem for every file with which even that fails."""
    stuck: list[Problem] = []
    for change in reversed(begun):
        try:
            if current_bytes(change.path) != change.before:
                _put(change.path, change.before)
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
