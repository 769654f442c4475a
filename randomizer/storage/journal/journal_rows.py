"""Writes the rows of a journal's database: undo steps, bases, and which steps are done.

A journal has the undo steps of an open map. A *base* is the whole map at some step, from which the
steps behind it lead to the map now. Each step has a *digest*, which depends on those before it
(``journal_digests``), so that damage is noticed.

``Journal`` calls these functions within a transaction. Reading the rows, with all the damage that
a file can have, is the subject of ``journal_reading.py``; its ``TABLES`` have the columns.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.model.map.layer import NO_TEXTS
from randomizer.storage.journal.journal_digests import StepRow, digest_of, state_digest
from randomizer.storage.journal.journal_reading import BaseFile, decode_about


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One undo step as a journal holds it."""

    text: str
    """Its name in the list of steps."""

    old_active: int
    """The id of the layer that was active before the step."""

    new_active: int
    """The id of the layer that was active after it."""

    extras: str
    """Further data of the desk, as JSON."""

    edit: bytes
    """The edit from ``encode_edit``, at the time of the step: later edits change its layers."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The long texts of the edit by their digests, from ``encode_edit``, too."""


class State(NamedTuple):
    """The row of the table ``done``, without its digest; its fields are those of ``Journal``."""

    position: int
    """How many steps are done."""
    step_count: int
    """How many steps there are."""
    saved: int
    """How many were done when the map was last saved, or -1."""
    changed: float
    """The ``time.time()`` of the last step."""
    writes: int
    """How often ``Journal.write`` was called."""


def insert_steps(
    database: sqlite3.Connection, digests: Sequence[bytes], steps: Iterable[StepRecord]
) -> list[bytes]:
    """Insert steps and their texts behind those with ``digests``; return the digests of all.

    There is one digest more than there are steps: the first is that of the state before them.
    """
    chain = list(digests)
    for number, step in enumerate(steps, len(chain)):
        text = json.dumps(step.text)
        content = (text, step.old_active, step.new_active, step.extras, step.edit)
        chain.append(digest_of(chain[-1], *content))
        row = (number, *content, chain[-1])
        database.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        database.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", step.texts.items())
    return chain


def record_of(row: StepRow) -> StepRecord:
    """Return the record of a row, without the texts of its edit."""
    return StepRecord(json.loads(row.text), row.old_active, row.new_active, row.extras, row.edit)


def insert_base(database: sqlite3.Connection, base: BaseFile, digests: Sequence[bytes]) -> BaseFile:
    """Insert a base, and return it with the digest of the last step that it includes."""
    base = base._replace(last_step=digests[base.position])
    database.execute("INSERT INTO base VALUES (?, ?, ?, ?)", base)
    return base


def write_state(database: sqlite3.Connection, state: State, about: Mapping[str, str]) -> None:
    """Write the row of the table ``done``, and descriptions of the map into the table ``about``.

    ``about`` has the descriptions that are new or changed, by name. The digest in the row is that
    of the row and of all descriptions, old ones too.
    """
    # In JSON, like the steps' texts: sqlite cannot store file names that are not UTF-8.
    rows = ((name, json.dumps(value)) for name, value in about.items())
    database.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)
    all_about = decode_about(database.execute("SELECT name, value FROM about"))
    database.execute("DELETE FROM done")  # the table has one row only
    row = (*state, state_digest(state, all_about))
    database.execute("INSERT INTO done VALUES (?, ?, ?, ?, ?, ?)", row)
