"""How much memory undo steps take: beyond a limit the oldest leave their edits to the journal."""

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

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.document.open_map import OpenMap
    from app.document.undo_step import UndoStep
    from randomizer.model.battlemap import Layer

LIMIT = 512 * 1024 * 1024
"""Bytes, of all open maps together."""

THING_BYTES = 200
"""About what one placed thing takes in an edit."""


class HistoryMemory:
    """Counts the edits of steps that can fetch them again, and frees them.

    Steps that exchange layers hold the same objects as the map and as each other, and undo changes
    these in place, but what is fetched has layers of its own. So of one map either all such steps
    have their edits in memory, or none has (``fetch_layers``).
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.total = 0
        self._sizes: dict[UndoStep, tuple[OpenMap, int]] = {}  # the oldest first
        self._fetched: set[OpenMap] = set()

    def fetch_layers(self, open_map: OpenMap) -> None:
        """From now on no step of this map that exchanges layers keeps its edit."""
        self._fetched.add(open_map)
        for step, (owner, _size) in list(self._sizes.items()):
            if owner is open_map and exchanged_layers(step.edit):
                self._leave(step)

    def add(self, open_map: OpenMap, step: UndoStep) -> None:
        """The step has its edit in memory and can fetch it from now on."""
        self._sizes[step] = open_map, size_of(step.edit)
        self.total += self._sizes[step][1]
        if open_map in self._fetched and exchanged_layers(step.edit):
            self._leave(step)
        while self.total > self.limit:
            oldest, (owner, _size) = next(iter(self._sizes.items()))
            if exchanged_layers(oldest.edit):
                self.fetch_layers(owner)
            else:
                self._leave(oldest)

    def _leave(self, step: UndoStep) -> None:
        step.edit = None
        self.forget((step,))

    def forget(self, steps: Iterable[UndoStep]) -> None:
        """These steps are gone."""
        for step in steps:
            self.total -= self._sizes.pop(step, (None, 0))[1]

    def close(self, open_map: OpenMap) -> None:
        """All steps of this map are gone."""
        self._fetched.discard(open_map)
        self.forget([step for step, (owner, _) in self._sizes.items() if owner is open_map])


def exchanged_layers(edit: Edit | None) -> tuple[Layer, ...]:
    """The layers that an edit holds, those of before and of after."""
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
    total = sum(plane.nbytes for layer in exchanged_layers(edit) for plane in layer.planes.values())
    for part in () if edit is None else parts(edit):
        if isinstance(part, PlaneEdit | LockEdit):
            total += part.index.nbytes + part.before.nbytes + part.after.nbytes
        elif isinstance(part, ThingsEdit):
            total += THING_BYTES * (len(part.before) + len(part.after))
    return total
