"""Where what cannot be read goes: a folder that a person finds, under the name that it has."""

from __future__ import annotations

import secrets
from pathlib import Path

from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.disk.atomic import sync_folder
from randomizer.storage.journal.journal_faults import DISK_FAULT, as_problems

QUARANTINE = "quarantine"
"""The folder, among the journals, of those that could not be read or were not whole."""


def quarantine_path(journals: Path, name: str) -> Path:
    """Return a free place for what is called ``name``. Raises ProblemError."""
    with as_problems(journals):
        folder = journals / QUARANTINE
        number = 1
        while not folder.is_dir():  # a file or a broken link can have that name
            try:
                folder.mkdir()
            except FileExistsError:
                number += 1
                folder = journals / f"{QUARANTINE} {number}"
        target = folder / name
        while target.is_symlink() or target.exists():
            target = folder / f"{name}-{secrets.token_hex(4)}"
    return target


def quarantine(folder: Path, reason: ProblemError, journals: Path) -> tuple[Problem, ...]:
    """Move what can never be read out of the way; returns the problems to show.

    It stays where it is if the disk is at fault and not the journal.
    """
    if any(problem.code == DISK_FAULT for problem in reason.problems):
        return reason.problems
    target = quarantine_path(journals, folder.name)
    move_to_quarantine(folder, target)
    return tuple(problem.at_path(str(target)) for problem in reason.problems)


def move_to_quarantine(folder: Path, target: Path) -> None:
    """Move it to a place of ``quarantine_path``. Raises ProblemError."""
    with as_problems(folder):
        folder.rename(target)
        sync_folder(target.parent)
