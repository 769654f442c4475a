"""Writing a map's file together with those beside it that it refers to: all of them or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from randomizer.model.problems import error, words_of
from randomizer.storage.atomic import Change, change_together, current_bytes


def plan_files(path: Path, files: Mapping[str, bytes]) -> tuple[Change, ...]:
    """The changes that write the files of a map at ``path``, by plain file name, into its folder.

    A file beside it that differs in nothing but line ends stays as it is. Raises ProblemError for
    a file that cannot be read.
    """
    changes = []
    for name, data in files.items():
        target = path if name == path.name else path.with_name(name)
        try:
            before = current_bytes(target)
        except OSError as failed:
            message = f"{name} could not be read: {words_of(failed)}"
            raise error("not-read", message, path=str(target)) from failed
        same = before is not None and before.replace(b"\r\n", b"\n") == data
        if target == path or not same:
            changes.append(Change(target, before, data))
    return tuple(changes)


def replaced_beside(path: Path, changes: Iterable[Change]) -> tuple[str, ...]:
    """The names of the files beside ``path`` whose contents the changes replace by others."""
    return tuple(
        change.path.name for change in changes if change.path != path and change.before is not None
    )


def write_files(changes: Sequence[Change]) -> None:
    """Make all changes or none. Raises ProblemError."""
    change_together(changes)
