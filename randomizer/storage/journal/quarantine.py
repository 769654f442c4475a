"""Moves damaged journals and drafts into the *quarantine*, a folder that a person can look through.

A journal is a folder with the undo steps of an open map, a draft one with the unsaved text of a
script. What cannot be read of them is never deleted: it keeps its name in the quarantine, beside
the journals, and a problem tells its path::

    problems = quarantine(folder, reason, journals)
"""

from __future__ import annotations

import secrets
from pathlib import Path

from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.disk.atomic import sync_folder
from randomizer.storage.journal.journal_faults import DISK_FAULT, as_problems

QUARANTINE = "quarantine"
"""The name of the folder, among the journals, for those that could not be read or were not whole.

If a file has the name, the folder is "quarantine 2", and so on.
"""

_RANDOM_BYTES = 4
"""The bytes of a random ending, which tells two things of one name apart: eight digits."""


def quarantine_path(journals: Path, name: str) -> Path:
    """Return a free path in the quarantine for a folder or file called ``name``.

    The quarantine is made if it does not exist. Raises ProblemError.
    """
    with as_problems(journals):
        folder = journals / QUARANTINE
        number = 1
        while not folder.is_dir():
            try:
                folder.mkdir()
            except FileExistsError:  # a file or a broken link has that name
                number += 1
                folder = journals / f"{QUARANTINE} {number}"
        target = folder / name
        while target.is_symlink() or target.exists():  # ``exists`` is False for a broken link
            target = folder / f"{name}-{secrets.token_hex(_RANDOM_BYTES)}"
    return target


def quarantine(folder: Path, reason: ProblemError, journals: Path) -> tuple[Problem, ...]:
    """Move a damaged journal or draft into the quarantine; return the problems to show.

    ``reason`` is why it cannot be read. If that is a fault of the disk, the folder stays where it
    is, since it may be readable again later. Raises ProblemError if it cannot be moved.
    """
    if any(problem.code == DISK_FAULT for problem in reason.problems):
        return reason.problems
    target = quarantine_path(journals, folder.name)
    move_to_quarantine(folder, target)
    return tuple(problem.at_path(str(target)) for problem in reason.problems)


def move_to_quarantine(folder: Path, target: Path) -> None:
    """Move a folder or file to a path from ``quarantine_path``. Raises ProblemError.

    The move is on the disk when this returns.
    """
    with as_problems(folder):
        folder.rename(target)
        sync_folder(target.parent)
