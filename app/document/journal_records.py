"""Open maps and their undo steps as journals keep them, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.document.open_map import GameSource, OpenMap
from app.document.undo_step import UndoStep
from randomizer.storage.encoding import encode_edit
from randomizer.storage.journal import StepRecord
from randomizer.storage.known_file import KnownFile

if TYPE_CHECKING:
    from collections.abc import Mapping


def steps_of(open_map: OpenMap, start: int = 0) -> list[UndoStep]:
    """The undo steps of a map from ``start`` on, those that can be redone as well."""
    stack = open_map.undo_stack
    return [cast(UndoStep, stack.command(index)) for index in range(start, stack.count())]


def recorded(step: UndoStep) -> StepRecord:
    """The step for the journal, as it is now: later edits change the layers in it."""
    extras = None
    if step.extras is not None:
        from app.rolling.rolling import RollState

        if all(isinstance(each, RollState) for each in step.extras):
            extras = step.extras
    assert step.edit is not None
    return StepRecord(step.text(), step.active, json.dumps(extras), encode_edit(step.edit))


def extras_of(record: StepRecord) -> tuple[Any, Any] | None:
    """What the step carried besides its edit: the roll panel's state before and after."""
    from app.rolling.rolling import RollState

    states = json.loads(record.extras)
    return states and (RollState(*states[0]), RollState(*states[1]))


def about(open_map: OpenMap, name: str) -> dict[str, str]:
    """What a journal says of the map: its ``name``, its ``path``, and what else is to come back."""
    source, known = open_map.source, open_map.known
    kept = {
        "source": source and [str(source.game_dir), source.variant, source.terrain],
        "known": known and [str(known.path), known.size, known.mtime_ns, known.digest.hex()],
        "flat": open_map.flat,
    }
    path = "" if open_map.path is None else str(open_map.path.absolute())
    return {"name": name, "path": path, "kept": json.dumps(kept)}


def place(about: Mapping[str, str]) -> tuple[Path | None, GameSource | None]:
    """The file that the map lived in, and its place in a game."""
    path, source = about["path"], json.loads(about["kept"])["source"]
    return Path(path) if path else None, source and GameSource(Path(source[0]), *source[1:])


def put_file(open_map: OpenMap, about: Mapping[str, str]) -> None:
    """Tell the map how its file was, and what Save writes."""
    kept = json.loads(about["kept"])
    open_map.flat = kept["flat"]
    if kept["known"] is not None:
        path, size, mtime_ns, digest = kept["known"]
        open_map.known = KnownFile(Path(path), size, mtime_ns, bytes.fromhex(digest))
