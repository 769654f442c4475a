"""Writes the rows of a journal's database: undo steps, bases, and which steps are done.

A journal has the undo steps of an open map. A *base* is the whole map at some step, from which the
steps behind it lead to the map now. Each step has a *digest*, which depends on those before it
(``journal_digests.py``), so that damage is noticed.

``Journal`` calls these functions within a transaction. The tables are in ``journal_tables.py``.
Reading the rows, with all the damage that a file can have, is the subject of
``journal_reading.py``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from randomizer.model.map.layer import NO_TEXTS
from randomizer.storage.journal.journal_bases import BaseFile
from randomizer.storage.journal.journal_content import Content
from randomizer.storage.journal.journal_digests import (
    StepChain,
    StepRow,
    state_digest,
    step_digest,
)
from randomizer.storage.journal.journal_table_reading import decode_about

_NOT_SAVED = -1
"""The value of the column ``saved`` for ``Content.saved`` None, since the column is NOT NULL."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One undo step, as the desk gives it to a journal; its row is a ``StepRow``."""

    text: str
    """Its name in the list of steps. (The row has it as JSON.)"""

    old_active: int
    """The id of the layer that was active before the step."""

    new_active: int
    """The id of the layer that was active after it."""

    extras: str
    """Further data of the desk, as JSON."""

    edit: bytes
    """The edit from ``encode_edit_for_journal``, encoded when the step was made."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The long texts of the edit by their digests, from ``encode_edit_for_journal``, too."""


def insert_steps(
    database: sqlite3.Connection, chain: StepChain, steps: Iterable[StepRecord]
) -> StepChain:
    """Insert steps and their texts behind those of ``chain``; return the chain with them."""
    digests = list(chain.digests)
    for number, step in enumerate(steps, chain.end + 1):
        text = json.dumps(step.text)
        digest = step_digest(
            digests[-1], text, step.old_active, step.new_active, step.extras, step.edit
        )
        digests.append(digest)
        row = StepRow(
            number=number,
            text=text,
            old_active=step.old_active,
            new_active=step.new_active,
            extras=step.extras,
            edit=step.edit,
            digest=digest,
        )
        database.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", step.texts.items())
    return StepChain(chain.start, tuple(digests))


def record_of(row: StepRow) -> StepRecord:
    """Return the record of a row, without the texts of its edit."""
    return StepRecord(json.loads(row.text), row.old_active, row.new_active, row.extras, row.edit)


def insert_base(database: sqlite3.Connection, base: BaseFile, chain: StepChain) -> BaseFile:
    """Insert a base, and return it with the digest of the last step that it includes."""
    base = base._replace(last_step=chain.digest_after(base.position))
    database.execute("INSERT INTO base VALUES (?, ?, ?, ?)", base)
    return base


def write_state(
    database: sqlite3.Connection, content: Content, changed_about: Mapping[str, str]
) -> None:
    """Write the row of the table ``done``, and descriptions of the map into the table ``about``.

    ``changed_about`` has those entries of ``content.about`` that are new or changed.
    """
    # In JSON, like the steps' texts: sqlite cannot store file names that are not UTF-8.
    about_rows = ((name, json.dumps(value)) for name, value in changed_about.items())
    database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about_rows)

    saved = content.saved
    if saved is None:
        saved = _NOT_SAVED
    state = (content.position, content.count, saved, content.changed, content.writes)
    # The digest covers all descriptions as a reader will find them in the table.
    all_about = decode_about(database.execute("SELECT name, value FROM about"))
    row = (*state, state_digest(state, all_about))
    database.execute("DELETE FROM done")  # the table has one row only
    database.execute("INSERT INTO done VALUES (?, ?, ?, ?, ?, ?)", row)
