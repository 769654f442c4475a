"""The journal of an open map: every undo step on the disk, so that a crash loses nothing.

A journal is a folder of its own. It holds the undo *steps* of a map, how many of them are done (the
others are undone), and *bases*: the whole map as it was after some step. The map is restored from
the last base that is whole and the steps behind it::

    base            base
    0 ---1---2---3---4---5---6---7      ``count`` is 7; ``position`` is 6: step 7 is undone

The newest ``MAX_BASES`` bases are kept. When steps are discarded for others, the bases behind them
go, too; if none is left, the map as it is then becomes one.

The life of a journal::

    journal = Journal.begin(journals, about, encode_map(battlemap))
    journal.write(keep=0, steps=[record], position=1)         # with each undo step
    base = journal.write_base(data, position=300)             # now and then, on another thread ...
    journal.use_base(base)                                    # ... while further steps are written
    journal.delete()                                          # the map is closed

    journal = Journal.open(folder)                            # after a crash
    battlemap = journal.restore_map()
    journal.write(...)                                        # it goes on

Of a journal that was opened and is not whole (``losses``) a new one is made (``renewed``), and the
damaged one is kept as it was.

The files of a journal, and the modules about them:

- ``steps.sqlite`` has the steps (journal_tables.py, journal_database.py, journal_rows.py,
  journal_reading.py). They are chained by digests, so that a lost or exchanged one is noticed
  (journal_digests.py);
- ``steps.sqlite-wal`` is SQLite's log, which is read past damage (journal_log.py);
- ``base-...`` is the map of a base (journal_bases.py);
- ``head`` tells how often the journal was written, so that a lost end is noticed (journal_head.py);
- ``lock`` is locked as long as the program that writes the journal runs.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import counted
from randomizer.model.gate.gate import check_map
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.storage.disk.atomic import make_folders, sync_folder, write_atomically
from randomizer.storage.disk.disk import current_disk
from randomizer.storage.disk.file_lock import lock_file
from randomizer.storage.disk.regular_files import is_blocked
from randomizer.storage.journal.journal_bases import BaseFile, bases_in, without_damaged_end
from randomizer.storage.journal.journal_content import Content
from randomizer.storage.journal.journal_database import LOG, JournalDatabase
from randomizer.storage.journal.journal_digests import StepRow
from randomizer.storage.journal.journal_faults import DAMAGED, DISK_FAULT, as_problems
from randomizer.storage.journal.journal_head import HEAD, write_head
from randomizer.storage.journal.journal_opening import (
    LOCK,
    open_to_read,
    quarantine_irregular_files,
)
from randomizer.storage.journal.journal_rows import (
    StepRecord,
    insert_base,
    insert_steps,
    record_of,
    write_state,
)
from randomizer.storage.journal.journal_tables import (
    KEEPING,
    LARGEST_VALUE,
    TABLES,
    VERSION,
    VERSION_FIELDS,
)
from randomizer.storage.journal.quarantine import quarantine_path
from randomizer.storage.journal.stored_values import StoredTexts, whole_assets, whole_texts
from randomizer.storage.records.encoding import decode_edit, decode_map, encode_map

if TYPE_CHECKING:
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap

MAX_BASES = 2
"""How many bases are kept: if one is damaged, there is the one before it."""

# Entries of ``Journal.about`` that are not shown to the user as they are, but decide something.
# They stand among the names and paths there since these are all that a journal keeps beside its
# steps.

DAMAGE = "damage"
"""The entry of ``Journal.about`` that says what is lost of a journal that was not whole.

It is "" or missing if nothing is lost, or the user has gone on with the map since.
"""

QUARANTINED = "quarantined"
"""The entry of ``Journal.about`` that says where that journal is kept."""

WORK = "work"
"""The entry of ``Journal.about`` that is not "" if the map was rolled and never saved.

Then it is somebody's work even without a step.
"""


class JournalInUseError(Exception):
    """The program that writes this journal is still running."""


class Journal:
    """One journal, locked.

    Methods raise ProblemError, and then the journal is unchanged.

    The caller sees to it that two calls never overlap, on whatever threads they are: they share
    ``content`` and one connection to the database. Only ``write_base`` and ``checkpoint`` may run
    beside another call, since they use neither.
    """

    def __init__(self, folder: Path) -> None:
        """Lock the journal in ``folder``; ``begin`` and ``open`` give it its content.

        Raises JournalInUseError, OSError or NotAFileError.
        """
        self.folder = folder
        """The folder of this journal."""
        self.content = Content()
        """What is on the disk. Each write exchanges it as a whole, once it has succeeded."""
        self.losses: tuple[str, ...] = ()
        """What ``open`` found not to be whole, in words; empty if all is.

        If it is not empty, the journal is only read, to make a new one of it (``renewed``).
        """
        self._lost_pictures = ""
        """Which pictures the last ``restore_map`` did not find, in words; "" for none."""
        self._stored_assets: set[str] = set()
        """The digests of the assets that are known to be in the database."""
        lock = lock_file(folder / LOCK)
        if lock is None:
            raise JournalInUseError(folder.name)
        self._lock = lock
        """The open file that locks the journal; closing it unlocks."""
        self._database = JournalDatabase(folder)

    @classmethod
    def begin(
        cls,
        journals: Path,
        about: Mapping[str, str],
        base: bytes,
        *,
        base_position: int = 0,
        steps: Iterable[StepRecord] = (),
        position: int = 0,
        texts: Iterable[tuple[str, str]] = (),
        assets: Assets = NO_ASSETS,
        changed: float | None = None,
    ) -> Journal:
        """Return a new journal in the folder ``journals``.

        ``base`` is the map (``encode_map``) after ``base_position`` of ``steps``, of which
        ``position`` are done now. ``texts`` are those that steps have beside their own, by digest.
        ``changed`` is the ``time.time()`` when the last step was done, None for now.
        """
        if changed is None:
            changed = time.time()
        # The time and the process are for people; the random digits make the name unique.
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(4)}"
        make_folders(journals / name)
        with as_problems(journals / name):
            journal = cls(journals / name)
        try:
            # Tables without rows first: a journal that is cut off here keeps nothing yet.
            with journal._database.transaction(creates_database=True) as database:
                for table in TABLES.values():
                    database.execute(table)
                for version_field in VERSION_FIELDS:
                    database.execute(f"PRAGMA {version_field} = {VERSION}")

            base_file = journal.write_base(base, base_position)
            with journal._database.transaction() as database:
                chain = insert_steps(database, journal.content.chain, steps)
                base_file = insert_base(database, base_file, chain)
                database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", texts)
                journal._insert_assets(database, assets)
                content = Content(
                    bases=(base_file,),
                    chain=chain,
                    position=position,
                    changed=changed,
                    about=dict(about),
                )
                write_state(database, content, about)
            journal.content = content
            journal._stored_assets = set(assets)
            # What is in the log only is lost if the log is damaged.
            journal._database.fetch_all("PRAGMA wal_checkpoint(TRUNCATE)")
            write_head(journal.folder, 0)
            sync_folder(journals)
        except BaseException:
            journal.delete()
            raise
        return journal

    @classmethod
    def open(cls, folder: Path) -> Journal:
        """Return the journal that a program left. Its files stay as they are until it is written.

        Raises JournalInUseError, or ProblemError if it is damaged or newer than this program.
        """
        blocked_names = quarantine_irregular_files(folder)
        with as_problems(folder):
            journal = cls(folder)
        try:
            with as_problems(folder):
                is_log_lost = LOG in blocked_names
                read = open_to_read(folder, journal._database, is_log_lost=is_log_lost)
        except BaseException:
            journal.close()
            raise
        if read is not None:
            journal.content = read.content
            journal.losses = read.losses
        return journal

    def renewed(self, quarantined: Path) -> Journal:
        """Return a new journal with what is whole of this one, which will be at ``quarantined``.

        Raises ProblemError if there is no map to begin with.
        """
        battlemap = self._map_of_base()
        damage = {DAMAGE: self._losses_in_words(), QUARANTINED: str(quarantined)}
        # Steps at the beginning that are not whole are left out: the others count from 0 again.
        lost_steps = self.content.chain.start
        return Journal.begin(
            self.folder.parent,
            {**self.about, **damage},
            encode_map(battlemap),
            base_position=self.base_position - lost_steps,
            steps=self.records(lost_steps),
            position=self.position - lost_steps,
            texts=self.texts(),
            assets=self.assets(),
            changed=self.changed,
        )

    # --- what is in the journal -------------------------------------------------------------

    @property
    def about(self) -> Mapping[str, str]:
        """What describes the map for the user: its name, and so on.

        The entries ``DAMAGE``, ``QUARANTINED`` and ``WORK`` are not shown; see there.
        """
        return self.content.about

    @property
    def count(self) -> int:
        """The number of steps."""
        return self.content.count

    @property
    def position(self) -> int:
        """The number of steps that are done; those behind them are undone."""
        return self.content.position

    @property
    def saved(self) -> int | None:
        """The number of steps that were done when the map was last saved.

        None if it never was, or the steps of that state were discarded.
        """
        return self.content.saved

    @property
    def changed(self) -> float:
        """The ``time.time()`` when a step was last done, undone or redone."""
        return self.content.changed

    @property
    def base_position(self) -> int:
        """The number of steps that the last base includes.

        Raises ProblemError if the journal keeps nothing.
        """
        return self._last_base().position

    @property
    def is_work(self) -> bool:
        """True if there is anything to restore: steps, or damage that may have taken some."""
        keeps_map = bool(self.content.bases)
        return keeps_map and bool(self.count or self.problems or self.about.get(WORK))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The damage of the journal, or of the one that it was made from: one problem, or none."""
        damage = self._worst_damage()
        if not damage:
            return ()
        message = f"the journal of {self.about.get('name', 'a map')} is damaged: {damage}"
        damaged_folder = self.about.get(QUARANTINED) or str(self.folder)
        return (Problem(Severity.WARNING, DAMAGED, message, damaged_folder),)

    def _worst_damage(self) -> str:
        """Return what is lost, in words; "" for nothing. If there are several losses, the worst."""
        # The files of this journal are damaged: it has to be renewed before all else.
        if self.losses:
            return self._losses_in_words()
        # Steps were lost before: ``renewed`` left them out, or ``restore_map`` dropped them.
        if self.about.get(DAMAGE):
            return self.about[DAMAGE]
        # The map and its steps are whole but for some pictures.
        return self._lost_pictures

    def _losses_in_words(self) -> str:
        """Return ``losses`` as one text."""
        return ", and ".join(self.losses)

    def is_gone(self) -> bool:
        """Return whether its files were deleted or moved: what is written would be lost."""
        return self._database.is_gone()

    # --- writing ----------------------------------------------------------------------------

    def write(
        self,
        keep: int,
        steps: Sequence[StepRecord],
        position: int,
        about: Mapping[str, str] | None = None,
        encode_base: Callable[[], bytes] | None = None,
        assets: Assets = NO_ASSETS,
        *,
        changed: float | None = None,
    ) -> None:
        """Replace all steps after the first ``keep`` by ``steps``.

        Of all steps then, the first ``position`` are done. All of it is on the disk when this
        returns, and so are all ``assets``. ``about`` are the entries of ``Journal.about`` that are
        set; the others stay. ``encode_base`` returns the map (``encode_map``) after ``position``
        steps, which becomes the base if no other one is left: it is seldom needed and takes time.
        It may be None if the first base stays. ``changed`` is the new ``Journal.changed``, None
        for now.
        """
        content = self.content
        bases = self._bases_up_to(keep)
        new_base: BaseFile | None = None
        if not bases:
            assert encode_base is not None, "no base is left"
            new_base = self.write_base(encode_base(), position)

        # The saved state is gone with the steps that led to it.
        saved = content.saved
        if saved is not None and saved > keep:
            saved = None
        if changed is None:
            changed = time.time()
        # The number begins again if it could not be read (None).
        writes = (content.writes or 0) + 1
        changed_about: dict[str, str] = {}
        if about is not None:
            changed_about = dict(about.items() - content.about.items())

        # One transaction: a crash leaves all of the old steps, or all of the new ones.
        with self._database.transaction() as database:
            database.execute("DELETE FROM base WHERE position > ?", (keep,))
            database.execute("DELETE FROM steps WHERE number > ?", (keep,))
            chain = insert_steps(database, content.chain.up_to(keep), steps)
            self._insert_assets(database, assets)
            if new_base is not None:
                bases = (insert_base(database, new_base, chain),)
            new_content = Content(
                bases=bases,
                chain=chain,
                position=position,
                saved=saved,
                changed=changed,
                writes=writes,
                about={**content.about, **changed_about},
            )
            write_state(database, new_content, changed_about)
        # Only now: if the transaction fails, the journal is unchanged.
        self.content = new_content
        self._stored_assets.update(assets)
        write_head(self.folder, writes)

    def _bases_up_to(self, keep: int) -> tuple[BaseFile, ...]:
        """Return the bases that include only steps up to number ``keep``; the last one is whole."""
        bases = self.content.bases
        if self._last_base().position <= keep:
            return bases
        with as_problems(self.folder):
            remaining = tuple(base for base in bases if base.position <= keep)
            return without_damaged_end(remaining, self.folder)

    def note_saved(self, about: Mapping[str, str]) -> None:
        """Record that the map has been saved as it is now.

        ``about`` are the entries of ``Journal.about`` that are set; the others stay.
        """
        all_about = {**self.about, **about}
        content = replace(self.content, saved=self.position, about=all_about)
        with self._database.transaction() as database:
            write_state(database, content, about)
        self.content = content

    def write_base(self, data: bytes, position: int) -> BaseFile:
        """Write a base to the disk; the journal does not use it until ``use_base``.

        ``data`` is the map (``encode_map``) after ``position`` steps; it is decoded first, to prove
        that it can be read.
        """
        if len(data) > LARGEST_VALUE:
            raise error(DISK_FAULT, "the map is too large to be kept", path=str(self.folder))
        decode_map(data)
        base = BaseFile(f"base-{secrets.token_hex(4)}", position, sha256(data).digest())
        write_atomically(self.folder / base.file, data)
        return base

    def use_base(self, base: BaseFile) -> None:
        """Use a base that was written; the steps before its position must not have changed.

        The files of all bases that are not kept are removed: no other base may be being written.
        """
        base = base._replace(last_step=self.content.chain.digest_after(base.position))
        bases = sorted((*self.content.bases, base), key=lambda any_base: any_base.position)
        newest_bases = tuple(bases[-MAX_BASES:])
        with self._database.transaction() as database:
            database.execute("DELETE FROM base")
            database.executemany("INSERT INTO base VALUES (?, ?, ?, ?)", newest_bases)
        self.content = replace(self.content, bases=newest_bases)

        used_names = {used_base.file for used_base in newest_bases}
        with suppress(OSError):  # files that stay only take space
            for file in bases_in(self.folder):
                if file.name not in used_names:
                    file.unlink()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database, so that the log starts again."""
        self._database.checkpoint()

    def _insert_assets(self, database: sqlite3.Connection, assets: Assets) -> None:
        """Insert those assets that are not in the journal yet; nothing is read of the others."""
        rows = [(digest, assets[digest]) for digest in assets.keys() - self._stored_assets]
        database.executemany("INSERT OR REPLACE INTO assets VALUES (?, ?)", rows)

    # --- reading ----------------------------------------------------------------------------

    def encoded_edit(self, number: int) -> bytes:
        """Return the encoded edit of a step, counted from 1.

        Raises ProblemError if it is not what was written.
        """
        rows = self._database.fetch_all("SELECT * FROM steps WHERE number = ?", number)
        chain = self.content.chain
        previous_digest = chain.digest_after(number - 1)
        for values in rows:  # none, or the one with that number
            row = StepRow._make(values)
            if row.follows(previous_digest) and row.digest == chain.digest_after(number):
                return row.edit
        raise error(
            DAMAGED,
            f"the journal is damaged: change {number} is not what was written",
            path=str(self.folder),
        )

    def edit(self, number: int, battlemap: BattleMap, *, done: bool) -> Edit:
        """Return the edit of a step, counted from 1.

        ``battlemap`` is the map before the step, or after it if ``done``.
        """
        texts = StoredTexts(self._database)
        return decode_edit(self.encoded_edit(number), battlemap, done=done, texts=texts)

    def steps_without_edits(self) -> list[StepRecord]:
        """Return all steps; the field ``edit`` of each is empty."""
        rows = self._database.fetch_all(
            "SELECT text, old_active, new_active, extras FROM steps ORDER BY number"
        )
        records = []
        with as_problems(self.folder):
            for text, old_active, new_active, extras in rows:
                record = StepRecord(json.loads(text), old_active, new_active, extras, edit=b"")
                records.append(record)
        return records

    def records(self, start: int = 0) -> Iterator[StepRecord]:
        """Yield the steps after the first ``start``, one by one and with their edits.

        The texts that the edits name are in ``texts``.
        """
        query = "SELECT * FROM steps WHERE number > ? AND number <= ? ORDER BY number"
        for number, row in enumerate(self._database.iterate(query, start, self.count), start + 1):
            step = StepRow._make(row)
            if step.number != number:  # a damaged file can give a row that was not asked for
                return
            yield record_of(step)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the digests and texts that the steps name, those that can be read."""
        return whole_texts(self._database)

    def assets(self) -> Assets:
        """Return the whole assets by digest."""
        assets = whole_assets(self._database)
        self._stored_assets.update(assets)  # they need not be written again
        return assets

    # --- restoring the map ------------------------------------------------------------------

    def restore_map(self) -> BattleMap:
        """Drop the steps that cannot be done, and return the map after the last one that is left.

        The map has all steps of the journal, also those that are undone, and all its assets. What
        is lost, ``problems`` says from then on. If steps have to be dropped, a copy of the journal
        as it was goes into quarantine before; a whole journal stays as it is.

        Raises ProblemError if a file cannot be read or the base is damaged.
        """
        battlemap = self._map_of_base()
        last_step = self._do_steps_after_base(battlemap)
        if last_step < self.count:
            self._drop_steps_after(last_step)

        battlemap.assets = dict(self.assets())
        check_map(battlemap)
        self._lost_pictures = _lost_pictures_in_words(battlemap)
        return battlemap

    def _do_steps_after_base(self, battlemap: BattleMap) -> int:
        """Do the steps after the last base on its map, up to the first that cannot be done.

        Return the number of the step that was done last. Raises ProblemError if the disk fails.
        """
        for number in range(self.base_position + 1, self.count + 1):
            try:
                _apply(self.edit(number, battlemap, done=False), battlemap)
            except ProblemError as reason:
                # A step that cannot be read now may be whole: it is not to be dropped.
                if any(problem.code == DISK_FAULT for problem in reason.problems):
                    raise
                return number - 1
        return self.count

    def map_to_show(self, battlemap: BattleMap) -> BattleMap:
        """Return a copy of ``battlemap`` after its last done step, as the user will get it back.

        ``battlemap`` is what ``restore_map`` has returned: the map after its last step, which can
        be undone.
        """
        snapshot = battlemap.snapshot()
        # A step that cannot be undone here cannot be undone when the map is restored, either.
        with suppress(ProblemError):
            for number in range(self.count, self.position, -1):
                _apply(self.edit(number, snapshot, done=True).inverse(), snapshot)
        return snapshot

    def _map_of_base(self) -> BattleMap:
        """Return the map of the last base. Raises ProblemError if there is none."""
        base = self._last_base()
        with as_problems(self.folder):
            data = base.read(self.folder)
        return decode_map(data)

    def _last_base(self) -> BaseFile:
        """Return the base from which the map is restored. Raises ProblemError if there is none."""
        if not self.content.bases:
            raise error(DAMAGED, "the journal keeps no map", path=str(self.folder))
        return self.content.bases[-1]

    def _drop_steps_after(self, keep: int) -> None:
        """Drop all but the first ``keep`` steps, after a copy has gone into the quarantine."""
        copy = quarantine_path(self.folder.parent, self.folder.name)
        with as_problems(self.folder):
            copy.mkdir()
            for file in self.folder.iterdir():
                if file.name != LOCK and not is_blocked(file):
                    shutil.copyfile(file, copy / file.name)
        damage = f"its changes from number {keep + 1} of {self.count} on are lost"
        about = {DAMAGE: damage, QUARANTINED: str(copy)}
        # The user has not changed the map now: it keeps the time at which it was last changed.
        self.write(keep, [], min(self.position, keep), about, changed=self.changed)

    # --- the end ----------------------------------------------------------------------------

    def close(self) -> None:
        """Release the journal and keep its files: it will be offered again."""
        self._database.close()
        self._lock.close()

    def delete(self) -> None:
        """Delete the journal.

        First its tables say that it keeps nothing: if the program is killed while it deletes, the
        rest of the journal is not offered.
        """
        with suppress(ProblemError), self._database.transaction() as database:
            for table in KEEPING:
                database.execute(f"DELETE FROM {table}")
        self._database.close()
        with suppress(OSError):
            for file in (*bases_in(self.folder), self.folder / HEAD, self._database.file):
                current_disk().remove(file)
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _lost_pictures_in_words(battlemap: BattleMap) -> str:
    """Return how many pictures a map names but does not have, in words; "" for none."""
    lost_digests = battlemap.asset_digests - battlemap.assets.keys()
    if not lost_digests:
        return ""
    return f"{counted(len(lost_digests), 'picture')} of its own terrains are lost"


def _apply(edit: Edit, battlemap: BattleMap) -> None:
    """Apply an edit of a journal. Raises ProblemError if it does not fit the map.

    The map is unchanged then: each edit that fails undoes what it has done so far.
    """
    try:
        edit.apply(battlemap)
    except (KeyError, IndexError, ValueError, AttributeError) as reason:
        raise error(DAMAGED, "the steps in this journal do not fit its map") from reason
