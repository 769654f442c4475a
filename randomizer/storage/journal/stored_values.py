"""The long texts and the assets (pictures) of a journal, each kept once under its digest.

Many steps can name the same text or picture: a script stays the same over a hundred rolls. So the
edits of steps have digests only, and a text is looked up when an edit is decoded::

    edit = decode_edit(data, battlemap, done=False, texts=StoredTexts(database))

Whatever a damaged file gives that does not fit its digest counts as missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress

from randomizer.model.records.assets import checked_asset
from randomizer.storage.journal.journal_database import JournalDatabase
from randomizer.storage.records.parts import digest_of


class StoredTexts(Mapping[str, str]):
    """The texts of a journal by digest, each read when it is asked for.

    Raises KeyError for one that is missing or damaged.
    """

    def __init__(self, database: JournalDatabase) -> None:
        self._database = database

    def __getitem__(self, digest: str) -> str:
        rows = self._database.fetch_all("SELECT text FROM texts WHERE digest = ?", digest)
        if not rows:
            raise KeyError(digest)
        text = rows[0][0]
        if not isinstance(text, str) or digest_of(text) != digest:
            raise KeyError(digest)
        return text

    def __iter__(self) -> Iterator[str]:
        return (digest for (digest,) in self._database.fetch_all("SELECT digest FROM texts"))

    def __len__(self) -> int:
        return len(self._database.fetch_all("SELECT digest FROM texts"))


def whole_texts(database: JournalDatabase) -> Iterator[tuple[str, str]]:
    """Yield the digests and texts of a journal, up to a row that cannot be read.

    A step whose text is missing says so when its edit is decoded.
    """
    with suppress(sqlite3.DatabaseError):
        for digest, text in database.iterate("SELECT digest, text FROM texts"):
            if isinstance(text, str) and digest_of(text) == digest:
                yield digest, text


def whole_assets(database: JournalDatabase) -> dict[str, bytes]:
    """Return the assets of a journal by digest, up to a row that cannot be read."""
    assets: dict[str, bytes] = {}
    with suppress(sqlite3.DatabaseError):
        for digest, data in database.iterate("SELECT digest, data FROM assets"):
            with suppress(ValueError):
                if isinstance(data, bytes):
                    assets[digest] = checked_asset(digest, data)
    return assets
