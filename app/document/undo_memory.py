"""A limit on the memory of undo steps: the oldest drop their edits and fetch them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edit import (
    Edit,
    LayerInsert,
    LayerRemove,
    LayerReplace,
    LockEdit,
    PlaneEdit,
    Reshape,
    ThingsEdit,
)
from randomizer.model.edit_making import parts
from randomizer.model.record_edits import RecordEdit, RecordSet
from randomizer.model.terrain_edits import TerrainSetEdit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.document.open_map import OpenMap
    from app.document.undo_step import UndoStep
    from randomizer.model.layer import Layer

LIMIT = 512 * 1024 * 1024
"""Bytes, for all open maps together."""

THING_BYTES = 200
"""About how many bytes one placed thing takes in an edit."""


class HistoryMemory:
    """Counts the bytes of edits whose steps can fetch them from a journal, and drops edits.

    Steps that insert, remove or replace layers share layer objects with the map and with each
    other, and undo changes these in place; an edit that was fetched has copies. So for one map
    either all such steps keep their edits in memory or none does (``fetch_layers``).
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.total = 0
        self._sizes: dict[UndoStep, tuple[OpenMap, int]] = {}  # the oldest first
        self._fetched: set[OpenMap] = set()

    def fetch_layers(self, open_map: OpenMap) -> None:
        """Keep in memory no edit of this map that exchanges layers, from now on."""
        self._fetched.add(open_map)
        for step, (owner, _size) in list(self._sizes.items()):
            if owner is open_map and exchanged_layers(step.edit):
                self._drop(step)

    def add(self, open_map: OpenMap, step: UndoStep) -> None:
        """Count a step that has its edit in memory and can fetch it."""
        self.forget((step,))
        self._sizes[step] = open_map, size_of(step.edit)
        self.total += self._sizes[step][1]
        if open_map in self._fetched and exchanged_layers(step.edit):
            self._drop(step)
        while self.total > self.limit:
            oldest, (owner, _size) = next(iter(self._sizes.items()))
            if exchanged_layers(oldest.edit):
                self.fetch_layers(owner)
            else:
                self._drop(oldest)

    def _drop(self, step: UndoStep) -> None:
        step.edit = None
        self.forget((step,))

    def forget(self, steps: Iterable[UndoStep]) -> None:
        """Stop counting steps that are gone or have dropped their edits."""
        for step in steps:
            self.total -= self._sizes.pop(step, (None, 0))[1]

    def close(self, open_map: OpenMap) -> None:
        """Forget a map and all its steps."""
        self._fetched.discard(open_map)
        self.forget([step for step, (owner, _) in self._sizes.items() if owner is open_map])


def exchanged_layers(edit: Edit | None) -> tuple[Layer, ...]:
    """The whole layers that an edit holds, those of before and those of after."""
    found: list[Layer] = []
    for part in () if edit is None else parts(edit):
        if isinstance(part, LayerInsert | LayerRemove):
            found.append(part.layer)
        elif isinstance(part, LayerReplace):
            found += part.before, part.after
        elif isinstance(part, Reshape):
            found += *part.before.layers, *part.after.layers
    return tuple(found)


def size_of(edit: Edit | None) -> int:
    """About how many bytes an edit takes; layers count wherever they are held."""
    layers = exchanged_layers(edit)
    total = sum(plane.nbytes for layer in layers for plane in layer.planes.values())
    total += THING_BYTES * sum(len(layer.things) for layer in layers)
    for part in () if edit is None else parts(edit):
        if isinstance(part, PlaneEdit | LockEdit):
            total += part.index.nbytes + part.before.nbytes + part.after.nbytes
        elif isinstance(part, ThingsEdit):
            total += THING_BYTES * (len(part.before) + len(part.after))
        elif isinstance(part, TerrainSetEdit):
            total += sum(size_of(plane) for plane in part.planes)
        elif isinstance(part, RecordEdit):
            total += len(part.before) + len(part.after)
        elif isinstance(part, RecordSet):
            total += sum(len(record.text) for record in (part.before, part.after) if record)
    return total
