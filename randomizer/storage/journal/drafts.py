"""Unsaved edits of a script on the disk, so that a crash loses no more than a second of typing.

A draft is a folder of its own: ``script.json``, and ``lock``, held as long as the program that
writes the draft runs. ``app/scripts/script_drafts.py`` writes them while a person types; after a
crash ``leftover_drafts`` finds them::

    file = DraftFile.begin(journals / DRAFTS)
    file.write(draft)        # again after each pause of typing
    file.delete()            # once the script is saved
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Annotated, NamedTuple

from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.basics.error_reasons import reason_of, words_of
from randomizer.model.basics.limits import LONGEST_TEXT
from randomizer.model.basics.texts import fault_in_characters, fault_in_line, fault_in_text
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Problem, ProblemError, error
from randomizer.storage.disk.atomic import make_folders, write_atomically
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.disk.regular_files import read_regular
from randomizer.storage.journal.journal_faults import DAMAGED, DISK_FAULT, as_problems
from randomizer.storage.journal.quarantine import quarantine
from randomizer.storage.records.codec import Raw, Record, plain, read

DRAFTS = "scripts"
"""The folder of drafts, among the journals."""

_FILE = "script.json"
"""The name of the file with the draft."""
_LOCK = "lock"
"""The name of the file that is locked as long as the program runs."""
_VERSION = 1
"""The version of the form of ``script.json``; other versions are not read."""
_LARGEST = 16 * LONGEST_TEXT
"""The most bytes of ``script.json``: three texts of the script, and those of its further files."""

Text = Annotated[str, fault_in_text]
"""The text of a file of a script."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A script with unsaved edits. The names of the fields are those in ``script.json``.

    When it is read, ``codec.read`` calls the functions that the annotations name (``fault_in_line``
    and their like), and refuses what has a fault.
    """

    name: Annotated[str, fault_in_line]
    """The name of the script."""

    path: Annotated[str, fault_in_characters]
    """Its file; "" if it has none."""

    text: Text
    """The text as edited, with LF line ends."""

    opened: Text
    """The text as it was opened or last saved, with LF line ends."""

    original: Text
    """What the file held then, with its own line ends."""

    settings: Annotated[Mapping[str, object], fault_in_data]
    """The settings with which it is rolled."""

    texts: Mapping[str, Text] = field(default_factory=lambda: NO_TEXTS)
    """The texts of its further files, by name."""

    changed: float = 0.0
    """The ``time.time()`` of the last edit."""

    maps: tuple[str, ...] = ()
    """The keys of the open maps that have the script (``OpenMap.key``)."""


class LeftoverDraft(NamedTuple):
    """A draft of a program that no longer runs."""

    file: DraftFile
    """Its file, which is locked."""

    draft: Draft


class DraftFile:
    """One draft on the disk, locked. Calls can come from any thread, one at a time."""

    def __init__(self, folder: Path, lock: IO[bytes]) -> None:
        self.folder = folder
        """The folder of this draft."""
        self._lock = lock
        """The open file that locks the draft; closing it unlocks."""

    @classmethod
    def begin(cls, drafts: Path) -> DraftFile:
        """Return a new draft in the folder ``drafts``. Raises ProblemError."""
        # The time and the process are for people; the random digits make the name unique.
        folder = drafts / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(4)}"
        make_folders(folder)
        try:
            lock = lock_file(folder / _LOCK)
        except OSError as failed:
            with suppress(OSError):
                folder.rmdir()
            message = f"the edits of the script could not be kept: {words_of(failed)}"
            raise error("draft-not-kept", message, path=str(folder)) from failed
        assert lock is not None, "its name is new, so nobody else has it locked"
        return cls(folder, lock)

    def is_gone(self) -> bool:
        """Return whether its folder was deleted or moved, by another program."""
        return not (self.folder / _LOCK).exists()

    def write(self, draft: Draft) -> None:
        """Write the draft; it is on the disk when this returns. Raises ProblemError."""
        record = {"version": _VERSION, **plain(draft)}
        record["digest"] = _digest_of(record)
        write_atomically(self.folder / _FILE, json.dumps(record).encode())

    def read(self) -> Draft:
        """Return the draft. Raises ProblemError if it is damaged or cannot be read."""
        path = self.folder / _FILE
        try:
            data = read_regular(path, _LARGEST)
            return _draft(parse_json(data, largest=_LARGEST))
        except OSError as reason:
            message = f"the kept edits of a script cannot be read: {words_of(reason)}"
            raise error(DISK_FAULT, message, path=str(path)) from reason
        except ValueError as reason:
            message = f"the kept edits of a script are damaged: {reason_of(reason)}"
            raise error(DAMAGED, message, path=str(path)) from reason

    def close(self) -> None:
        """Unlock the draft, whose files stay: the next start of the program offers it again."""
        self._lock.close()

    def delete(self) -> None:
        """Delete the draft; what cannot be deleted stays, and is no draft any more."""
        # The file first: a folder without it is no draft, even if the rest cannot be deleted.
        with suppress(OSError):
            (self.folder / _FILE).unlink(missing_ok=True)
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _digest_of(record: Record) -> str:
    """Return the SHA-256 of a record."""
    return sha256(json.dumps(record).encode()).hexdigest()


def _draft(record: object) -> Draft:
    """Return the draft of a parsed ``script.json``. Raises ValueError if it is damaged."""
    # Beside the fields of the draft the record has a version, and a digest of both.
    fields = dict(read(Mapping[str, Raw], record, "the draft"))
    if fields.pop("digest", None) != _digest_of(fields):
        raise ValueError("they are not what was written")
    if fields.pop("version", None) != _VERSION:
        raise ValueError("it is of another version of this program")
    draft: Draft = read(Draft, fields, "the draft")
    return draft


def leftover_drafts(drafts: Path) -> tuple[list[LeftoverDraft], list[Problem]]:
    """Return the drafts of programs that no longer run, the latest first, and problems.

    The caller closes or deletes their files. Damaged drafts are moved to the quarantine of the
    journals, with a problem each. Raises ProblemError if the folder ``drafts`` cannot be read.
    """
    leftovers: list[LeftoverDraft] = []
    problems: list[Problem] = []
    folders: list[Path] = []
    with as_problems(drafts):
        if drafts.is_dir():
            folders = sorted(drafts.iterdir())
    for folder in folders:
        try:
            leftover = _lock_leftover(folder)
            if leftover is not None:
                leftovers.append(leftover)
        except ProblemError as reason:
            try:
                problems += quarantine(folder, reason, drafts.parent)
            except ProblemError as not_moved:
                problems += not_moved.problems
    leftovers.sort(key=lambda leftover: leftover.draft.changed, reverse=True)
    return leftovers, problems


def _lock_leftover(folder: Path) -> LeftoverDraft | None:
    """Return the draft in a folder, locked; None if it holds none, or its program still runs.

    Raises ProblemError if it is damaged; then it is not locked.
    """
    with as_problems(folder):
        if not os.path.lexists(folder / _FILE):
            return None
        lock = lock_file(folder / _LOCK)
    if lock is None:
        return None
    file = DraftFile(folder, lock)
    try:
        return LeftoverDraft(file, file.read())
    except ProblemError:
        file.close()
        raise
