"""Turns open maps and their undo steps into the records of a journal, and back.

``Autosave`` writes a journal for each open map: ``encode_step`` returns the record of an undo step,
``texts_about`` the attributes of the map, as texts by name::

    {"name": "Swamp.xml", "path": "/home/ada/Swamp.xml", DAMAGE: "", WORK: "",
     "kept": '{"source": null, "known": ["/home/ada/Swamp.xml", 4096, 17, "0af3"],
               "flat": null, "key": "5be1"}'}

The text ``kept`` is JSON: a ``_StoredSource``, a ``_StoredFile``, the value of ``FlatFile`` and
``OpenMap.key``. When a journal is restored after a crash, ``roll_keys_of``, ``file_and_source`` and
``restore_attributes`` read all of it back. A damaged value is left out: it is no reason to lose the
map.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from app.document.open_map import FlatFile, GameSource, OpenMap
from app.document.undo_history import RollKeys, UndoStep
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.journal.journal import DAMAGE, WORK
from randomizer.storage.journal.journal_rows import StepRecord
from randomizer.storage.records.codec import Raw, read
from randomizer.storage.records.encoding import encode_edit_for_journal

_ROLL_KEYS = RollKeys | None
"""The type of ``UndoStep.roll_keys``, by which a stored value is checked."""

Stored = TypeVar("Stored")
"""The type of one of the values in ``kept``."""


class _StoredSource(NamedTuple):
    """``GameSource`` as it is stored, a list of JSON."""

    game_dir: str
    group: str
    slot: str
    is_export: bool


class _StoredFile(NamedTuple):
    """``KnownFile`` as it is stored, a list of JSON."""

    path: str

    size: int
    """In bytes."""

    mtime_ns: int
    """When it was changed, in nanoseconds."""

    digest: str
    """Its digest as hexadecimal digits."""


def encode_step(step: UndoStep) -> StepRecord:
    """Return a step encoded for the journal.

    It must be called when the step is made: later edits change layers that the step shares.
    """
    assert step.edit is not None, "a new step has its edit in memory"
    block = encode_edit_for_journal(step.edit)
    return StepRecord(
        text=step.text,
        old_active=step.active.old_id,
        new_active=step.active.new_id,
        extras=json.dumps(step.roll_keys),
        edit=block.data,
        texts=block.texts,
    )


def roll_keys_of(record: StepRecord) -> RollKeys | None:
    """Return ``UndoStep.roll_keys`` of a record: the keys on display before and after the step.

    None if it has none, or a value of another kind.
    """
    try:
        data = parse_json(record.extras.encode(), largest=LARGEST_DATA)
        keys: RollKeys | None = read(_ROLL_KEYS, data, "")
    except ValueError:
        return None
    return keys


def texts_about(open_map: OpenMap, name: str) -> dict[str, str]:
    """Return texts about a map that its journal stores beside its content.

    They are its ``name``, its ``path``, whether it is an unsaved roll (``WORK``: "1" or ""), and in
    ``kept`` the values that are no texts, as JSON. ``DAMAGE`` is empty, since the user of an open
    map was told what was damaged.
    """
    stored_source = None
    source = open_map.source
    if source is not None:
        stored_source = _StoredSource(
            str(source.game_dir), source.group, source.slot, source.is_export
        )
    stored_file = None
    known_file = open_map.known_file
    if known_file is not None:
        stored_file = _StoredFile(
            str(known_file.path), known_file.size, known_file.mtime_ns, known_file.digest.hex()
        )
    kept_values = {
        "source": stored_source,
        "known": stored_file,
        "flat": open_map.flat_file.value,
        "key": open_map.key,
    }
    path = ""
    if open_map.path is not None:
        path = str(open_map.path.absolute())
    work = ""
    if open_map.rolled:
        work = "1"
    return {"name": name, "path": path, "kept": json.dumps(kept_values), DAMAGE: "", WORK: work}


def file_and_source(about: Mapping[str, str]) -> tuple[Path | None, GameSource | None]:
    """Return the file of the map and its slot in a game, as ``texts_about`` has stored them.

    None for what the map does not have, or what is damaged.
    """
    path = None
    path_text = about.get("path", "")
    if path_text and _is_path(path_text):
        path = Path(path_text)
    source = None
    stored = _stored_value(about, "source", _StoredSource)
    if stored is not None and _is_path(stored.game_dir):
        source = GameSource(Path(stored.game_dir), stored.group, stored.slot, stored.is_export)
    return path, source


def restore_attributes(open_map: OpenMap, about: Mapping[str, str]) -> None:
    """Give a restored map its ``rolled``, ``flat_file``, ``known_file`` and ``key`` back."""
    open_map.rolled = bool(about.get(WORK))
    open_map.flat_file = FlatFile(_stored_value(about, "flat", bool))
    key = _stored_value(about, "key", str)
    if key:
        open_map.key = key
    stored = _stored_value(about, "known", _StoredFile)
    if stored is not None and _is_path(stored.path):
        with suppress(ValueError):  # from ``fromhex``
            digest = bytes.fromhex(stored.digest)
            open_map.known_file = KnownFile(Path(stored.path), stored.size, stored.mtime_ns, digest)


def _is_path(text: str) -> bool:
    """Return whether a text can be the path of a file; one with a zero character cannot."""
    return "\0" not in text


def _stored_value(about: Mapping[str, str], name: str, kind: type[Stored]) -> Stored | None:
    """Return one of the values in ``kept``; None if it is null, of another type, or damaged."""
    with suppress(ValueError):
        json_value = parse_json(about.get("kept", "{}").encode(), largest=LARGEST_DATA)
        kept_values = read(Mapping[str, Raw], json_value, "")
        value: Stored = read(kind, kept_values.get(name), "")
        return value
    return None
