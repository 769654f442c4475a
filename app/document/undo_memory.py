"""Limits the memory of undo steps: the oldest drop their edits, and fetch them from a journal.

``Autosave`` calls ``bound_memory`` after each step, which by then is in the journal.

Most steps can be dropped one by one. Those that *exchange layers* (insert, remove or replace whole
layers) share the layer objects with the map and with each other, and undo changes these in place.
An edit that was fetched from a journal has copies of the layers instead. So of one map either all
such steps keep their edits in memory or none does (``UndoHistory.fetches_layers``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.edits.edit import Edit, LockEdit, PlaneEdit, ThingsEdit
from randomizer.model.edits.record_edits import RecordEdit, RecordSet
from randomizer.model.edits.reshape import Reshape
from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove, LayerReplace
from randomizer.model.edits.terrain_edits import TerrainSetEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from app.document.undo_history import UndoHistory, UndoStep

LIMIT = 512 * 1024 * 1024
"""The usual limit for the edits of all open maps together, in bytes."""

THING_BYTES = 200
"""About how many bytes one placed thing takes in an edit."""


class _Candidate(NamedTuple):
    """A step whose edit can be dropped."""

    step: UndoStep
    history: UndoHistory


def bound_memory(pushed: UndoHistory, histories: Sequence[UndoHistory], limit: int) -> None:
    """Drop the edits of the oldest steps, until those of all ``histories`` take ``limit`` bytes.

    ``pushed`` is the history that has just got a step, which is measured here (``UndoStep.size``).
    The steps of all histories can be fetched from a journal. A history that drops a step of those
    that exchange layers notes it (``fetches_layers``).
    """
    newest = pushed.steps[-1]
    newest.size = size_of(newest.edit)
    if pushed.fetches_layers and exchanged_layers(newest.edit):
        _drop([newest])

    total = 0
    for history in histories:
        total += sum(step.size for step in history.steps)
    if total <= limit:
        return
    # The steps of all maps that have their edits in memory, the oldest first.
    candidates: list[_Candidate] = []
    for history in histories:
        candidates += [_Candidate(step, history) for step in history.steps if step.size > 0]
    candidates.sort(key=lambda candidate: candidate.step.number)
    for step, history in candidates:
        if total <= limit:
            return
        if step.edit is None:
            continue  # dropped just now, with others that exchange layers
        steps_to_drop = [step]
        if exchanged_layers(step.edit):
            history.fetches_layers = True
            steps_to_drop = [other for other in history.steps if exchanged_layers(other.edit)]
        total -= _drop(steps_to_drop)


def _drop(steps: Sequence[UndoStep]) -> int:
    """Drop the edits of these steps. Return how many bytes they took."""
    size = sum(step.size for step in steps)
    for step in steps:
        step.edit = None
        step.size = 0
    return size


def exchanged_layers(edit: Edit | None) -> tuple[Layer, ...]:
    """Return the whole layers that an edit inserts, removes or replaces, before and after it.

    () for an edit that changes values within layers only.
    """
    if edit is None:
        return ()
    result: list[Layer] = []
    for part in parts(edit):
        if isinstance(part, LayerInsert | LayerRemove):
            result.append(part.layer)
        elif isinstance(part, LayerReplace):
            result += [part.old_layer, part.new_layer]
        elif isinstance(part, Reshape):
            result += [*part.old_shape.layers, *part.new_shape.layers]
    return tuple(result)


def size_of(edit: Edit | None) -> int:
    """Return about how many bytes an edit takes; a layer that several edits share counts in each.

    Kinds of edits that are not named here hold a few values only.
    """
    if edit is None:
        return 0
    layers = exchanged_layers(edit)
    total = 0
    for layer in layers:
        total += sum(plane.nbytes for plane in layer.planes.values())
        total += THING_BYTES * len(layer.things)
    for part in parts(edit):
        if isinstance(part, PlaneEdit | LockEdit):
            total += part.index.nbytes + part.old_values.nbytes + part.new_values.nbytes
        elif isinstance(part, ThingsEdit):
            total += THING_BYTES * (len(part.old_things) + len(part.new_things))
        elif isinstance(part, TerrainSetEdit):
            total += sum(size_of(plane_edit) for plane_edit in part.planes)
        elif isinstance(part, RecordEdit):
            total += len(part.old_text) + len(part.new_text)
        elif isinstance(part, RecordSet):
            for record in (part.old_record, part.new_record):
                if record is not None:
                    total += len(record.text)
    return total
