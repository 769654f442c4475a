"""Finds the journals of programs that ended, or crashed, before their maps were closed.

A journal is a folder with the undo steps of an open map. The desk calls ``leftovers`` when it
starts, and offers the maps to the user. Each journal is read on its own, so that a damaged one does
not hide the others. What becomes of a folder (``_recover``):

- It is whole and has work of the user: it is returned.
- It is whole and has none: it is deleted.
- A part of it is damaged: what is whole goes into a new journal (``_renew``, ``_salvage_map``), and
  the damaged one into the *quarantine*, a folder beside the journals.
- Nothing can be read: it goes into the quarantine, and a problem says so.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import closing
from pathlib import Path

from randomizer.model.problems import Problem, ProblemError, error
from randomizer.storage.disk.regular_files import read_regular
from randomizer.storage.journal.drafts import DRAFTS
from randomizer.storage.journal.journal import DAMAGE, QUARANTINED, Journal, JournalInUseError
from randomizer.storage.journal.journal_bases import bases_in
from randomizer.storage.journal.journal_database import STEPS
from randomizer.storage.journal.journal_faults import DAMAGED, DISK_FAULT, as_problems
from randomizer.storage.journal.journal_head import HEAD
from randomizer.storage.journal.journal_opening import LOCK
from randomizer.storage.journal.journal_tables import LARGEST_VALUE
from randomizer.storage.journal.quarantine import (
    QUARANTINE,
    move_to_quarantine,
    quarantine,
    quarantine_path,
)
from randomizer.storage.records.encoding import decode_map

FORGOTTEN_S = 24 * 3600
"""The age in seconds from which an empty folder is removed: a day.

In a younger one a program may be just about to make its journal.
"""

_NAME = re.compile(r"\d{8}-\d{6}-\d+-[0-9a-f]{8}")
"""The name of the folder of a journal: date, time, process and random digits."""

_FILE = re.compile(rf"{re.escape(STEPS)}.*|base-[0-9a-f]{{8}}")
"""The name of a file with content: the database, what SQLite puts beside it, or a base."""


def leftovers(journals: Path) -> tuple[list[Journal], list[Problem]]:
    """Return the journals whose programs no longer run, the latest first, and problems.

    Only journals with work of the user are returned (``Journal.is_work``). They are locked, and the
    caller closes or deletes them. The problems tell which journals could not be read, and what was
    lost of others. Raises ProblemError if the folder ``journals`` cannot be read.
    """
    result: list[Journal] = []
    problems: list[Problem] = []
    folders: list[Path] = []
    with as_problems(journals):
        if journals.is_dir():
            folders = sorted(journals.iterdir())
    for folder in folders:
        if folder.name == DRAFTS or folder.name.startswith(QUARANTINE):
            continue
        try:
            journal = _recover(folder)
        except JournalInUseError:
            continue
        except ProblemError as reason:
            # A program that ends deletes its journal, perhaps while it is read here: no problem.
            has_vanished = not os.path.lexists(folder)
            is_disk_fault = reason.problems[0].code == DISK_FAULT
            if not (has_vanished and is_disk_fault):
                problems += reason.problems
            continue
        except Exception as fault:  # noqa: BLE001 - reported; the others are offered
            words = f"the journal {folder.name} cannot be read: {type(fault).__name__}: {fault}"
            problems += error(DAMAGED, words, path=str(folder)).problems
            continue
        if journal is not None:
            problems += journal.problems
            result.append(journal)
    result.sort(key=lambda journal: journal.changed, reverse=True)
    return result, problems


def _recover(folder: Path) -> Journal | None:
    """Return the journal in a folder, or a new one with all that is whole in it.

    None if the folder holds no journal, or one without work. Raises JournalInUseError if its
    program still runs, and ProblemError if nothing of it can be read.
    """
    if not _has_file_of_journal(folder):
        if _NAME.fullmatch(folder.name):
            _clear_away_folder_without_journal(folder)
        return None  # a folder of another name is not ours, and stays
    try:
        journal = Journal.open(folder)
    except ProblemError as reason:
        return _salvage_map(folder, reason)
    if journal.losses:
        return _renew(journal)
    if not journal.is_work:
        journal.delete()
        return None
    return journal


def _has_file_of_journal(folder: Path) -> bool:
    """Return whether a folder holds a file with the content of a journal."""
    with as_problems(folder):
        return folder.is_dir() and any(_FILE.fullmatch(file.name) for file in folder.iterdir())


def _clear_away_folder_without_journal(folder: Path) -> None:
    """Remove the folder of a journal that was never written, if it is old.

    What is no folder, or holds other files, is moved to the quarantine instead; then ProblemError
    is raised.
    """
    with as_problems(folder):
        if not os.path.lexists(folder):
            return  # its program has removed it meanwhile
        files: list[Path] = []
        if folder.is_dir():
            files = list(folder.iterdir())
        if not folder.is_dir() or any(file.name not in (LOCK, HEAD) for file in files):
            reason = error(DAMAGED, "there is no journal where one should be")
            problems = quarantine(folder, reason, folder.parent)
            raise ProblemError(problems)
        age_s = time.time() - folder.stat().st_mtime
        if age_s > FORGOTTEN_S:
            for file in files:
                file.unlink(missing_ok=True)
            folder.rmdir()


def _renew(journal: Journal) -> Journal:
    """Return a new journal with the whole steps of a damaged one; move that to the quarantine.

    Raises ProblemError if no new one can be made.
    """
    try:
        with closing(journal):  # its folder is moved now, in either case
            target = quarantine_path(journal.folder.parent, journal.folder.name)
            new_journal = journal.renewed(target)
    except ProblemError as reason:
        return _salvage_map(journal.folder, reason)
    _set_aside(journal.folder, target, new_journal)
    return new_journal


def _set_aside(folder: Path, target: Path, new_journal: Journal) -> None:
    """Move a damaged journal to its path in the quarantine; ``new_journal`` replaces it.

    If that fails the new one is deleted, or each start of the program would make another one.
    Raises ProblemError.
    """
    try:
        move_to_quarantine(folder, target)
    except BaseException:
        new_journal.delete()
        raise


def _salvage_map(folder: Path, reason: ProblemError) -> Journal:
    """Return a new journal with the map, but no steps, of one whose steps cannot be read.

    The map is the latest *base* that is whole: a journal writes its map anew from time to time. The
    old journal goes to the quarantine. Raises ProblemError if no base is whole, or if the disk is
    at fault.
    """
    is_damaged = all(problem.code == DAMAGED for problem in reason.problems)
    if not is_damaged:
        # ``quarantine`` leaves it where it is if the disk is at fault, and moves one of another
        # version of this program.
        raise ProblemError(quarantine(folder, reason, folder.parent))
    target = quarantine_path(folder.parent, folder.name)
    with as_problems(folder):
        bases = sorted(bases_in(folder), key=lambda file: file.lstat().st_mtime, reverse=True)
    for base in bases:
        try:
            with as_problems(folder):
                data = read_regular(base, LARGEST_VALUE)
                written_at_s = base.stat().st_mtime
            decode_map(data)
        except ProblemError:
            continue  # the next one may be whole
        time_of_map = _local_time(written_at_s)
        damage = f"its changes cannot be read, the map is as it was at {time_of_map}"
        about = {"name": "a map", DAMAGE: damage, QUARANTINED: str(target)}
        journal = Journal.begin(folder.parent, about, data, changed=written_at_s)
        _set_aside(folder, target, journal)
        return journal
    raise ProblemError(quarantine(folder, reason, folder.parent))


def _local_time(seconds: float) -> str:
    """Return a ``time.time()`` as a date and a time of day for the user, in local time."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "an unknown time"
