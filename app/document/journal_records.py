"""Open maps and their undo steps as what a journal stores, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.document.open_map import GameSource, OpenMap
from app.document.undo_history import RollState, UndoStep
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.storage.disk.known_file import KnownFile
from randomizer.storage.journal.journal import DAMAGE, WORK, StepRecord
from randomizer.storage.records.codec import Raw, read
from randomizer.storage.records.encoding import encode_edit

_ROLL_STATES = tuple[RollState, RollState] | None
"""The kind of ``UndoStep.roll_states`` in a journal."""


def encode_step(step: UndoStep) -> StepRecord:
    """Return the step encoded for the journal.

    At once, since later edits change layers that it holds.
    """
    assert step.edit is not None
    texts: dict[str, str] = {}
    data = encode_edit(step.edit, texts)
    return StepRecord(step.text, step.active, json.dumps(step.roll_states), data, texts)


def roll_states_of(record: StepRecord) -> tuple[RollState, RollState] | None:
    """Return ``UndoStep.roll_states`` of a record: the roll states before and after.

    None if it has none, or others than there are.
    """
    data = json.loads(record.extras)
    try:
        states: tuple[RollState, RollState] | None = read(_ROLL_STATES, data, "")
    except ValueError:
        return None
    return states


def about(open_map: OpenMap, name: str) -> dict[str, str]:
    """Return what a journal stores of a map beside its content: ``name``, ``path`` and (JSON)
    ``kept``.

    A map that is worked on has no ``DAMAGE`` any more: its user was told.
    """
    source = open_map.source
    known_file = open_map.known_file
    state = {
        "source": source and [str(source.game_dir), source.group, source.slot, source.is_export],
        "known": known_file
        and [str(known_file.path), known_file.size, known_file.mtime_ns, known_file.digest.hex()],
        "flat": open_map.flat,
        "key": open_map.key,
    }
    if open_map.path is None:
        path = ""
    else:
        path = str(open_map.path.absolute())
    work = "1" if open_map.rolled else ""
    return {"name": name, "path": path, "kept": json.dumps(state), DAMAGE: "", WORK: work}


def place(about: Mapping[str, str]) -> tuple[Path | None, GameSource | None]:
    """Return the file of the map and its place in a game, as ``about`` has stored them.

    None for what is missing or damaged, here as in ``put_file``: the map itself is whole.
    """
    path = about.get("path", "")
    source = _kept(about, "source", tuple[str, str, str, bool] | None)
    file = Path(path) if path and "\0" not in path else None
    return file, source and GameSource(Path(source[0]), *source[1:])


def put_file(open_map: OpenMap, about: Mapping[str, str]) -> None:
    """Restore ``rolled``, ``flat``, ``known_file`` and ``key`` from what ``about`` stored."""
    open_map.rolled = bool(about.get(WORK))
    open_map.flat = _kept(about, "flat", bool | None)
    open_map.key = _kept(about, "key", str) or open_map.key
    known_file = _kept(about, "known", tuple[str, int, int, str] | None)
    if known_file is not None:
        path, size, mtime_ns, digest = known_file
        with suppress(ValueError):
            open_map.known_file = KnownFile(Path(path), size, mtime_ns, bytes.fromhex(digest))


def _kept(about: Mapping[str, str], name: str, kind: Any) -> Any:
    """Return one of the values that ``about`` holds as ``kept``; None for one of another kind."""
    with suppress(ValueError):
        state = parse_json(about.get("kept", "{}").encode(), largest=LARGEST_DATA)
        return read(kind, read(Mapping[str, Raw], state, "").get(name), "")
    return None
