"""The journals of programs that ended before their maps were closed."""

from __future__ import annotations

import secrets
import shutil
import time
from pathlib import Path

from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.drafts import DRAFTS
from randomizer.storage.journal import SET_ASIDE, STEPS, Journal, JournalInUseError
from randomizer.storage.journal_faults import DISK_FAULT, as_problems

FORGOTTEN_S = 24 * 3600
"""The age in seconds from which a folder without steps is removed; a younger one is being made."""


def leftovers(journals: Path) -> tuple[list[Journal], list[Problem]]:
    """The journals with steps whose programs no longer run, the latest first.

    They are locked; the caller closes or deletes them. Unreadable ones are moved into a folder
    beside them, with a problem that says so, as those say it that are not whole; journals without
    steps are removed.
    """
    found: list[Journal] = []
    problems: list[Problem] = []
    for folder in list(journals.iterdir()) if journals.is_dir() else []:
        if not (folder / STEPS).exists():
            kept = folder.name in (SET_ASIDE, DRAFTS)
            if not kept and time.time() - folder.stat().st_mtime > FORGOTTEN_S:
                shutil.rmtree(folder, ignore_errors=True)
            continue
        try:
            journal = Journal.open(folder)
        except JournalInUseError:
            continue
        except ProblemError as reason:
            try:
                problems += set_aside(folder, reason)
            except ProblemError as stays:
                problems += stays.problems
            continue
        problems += journal.problems
        if journal.count or journal.problems:
            found.append(journal)
        else:
            journal.delete()
    return sorted(found, key=lambda journal: -journal.changed), problems


def set_aside(folder: Path, reason: ProblemError) -> tuple[Problem, ...]:
    """Move a journal that can never be read out of the way; returns the problem to show.

    It stays where it is if the disk is at fault and not the journal.
    """
    if any(problem.code == DISK_FAULT for problem in reason.problems):
        return reason.problems
    place = folder.parent / SET_ASIDE / folder.name
    with as_problems(folder):
        place.parent.mkdir(exist_ok=True)
        if place.exists():  # mended before, and kept there as it was
            place = place.with_name(f"{folder.name}-{secrets.token_hex(4)}")
        folder.rename(place)
    return tuple(problem.at_path(str(place)) for problem in reason.problems)
