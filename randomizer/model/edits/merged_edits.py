"""Merges the edits of a stroke, so that one undo step has few of them.

A stroke of a brush makes an edit each time that the pointer moves. What counts in the end is each
cell before the first of them and after the last::

    edit 1      cell 5: 0 -> 4,  cell 6: 0 -> 4
    edit 2      cell 6: 4 -> 2,  cell 7: 0 -> 2
    merged      cell 5: 0 -> 4,  cell 6: 0 -> 2,  cell 7: 0 -> 2
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.edits.edit import Edit, LockEdit, PlaneEdit, ThingsEdit
from randomizer.model.edits.record_edits import RecordSet
from randomizer.model.edits.value_edits import compound, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.things.things import Thing


def squash(edits: Iterable[Edit]) -> Edit | None:
    """Return one edit with the effect of all, in order; None if they change nothing.

    The many small edits of a stroke become few: edits of one plane, of one array of locks, or of
    one layer's things are merged. Each element, thing or record keeps its first value before and
    its last value after; one that ends as it began is dropped. Of one record those are merged that
    follow one another.
    """
    merger = _Merger()
    for edit in edits:
        for simple_edit in parts(edit):
            merger.add(simple_edit)
    merger.end_run()
    return compound(merger.merged_edits)


class _Merger:
    """Merges simple edits, given one after the other.

    Edits of different planes, locks and things commute, so they can be gathered whatever order
    they come in: that is a *run*. Any other edit ends a run, such as one of the layer stack, and so
    does a thing that changes its layer.
    """

    def __init__(self) -> None:
        self.merged_edits: list[Edit] = []
        """What became of the edits of all runs that have ended, in order."""
        # The edits of the present run, by what they change:
        self._plane_edits: dict[tuple[int, str], list[PlaneEdit]] = {}
        """Those of each plane, by the layer's id and the plane's name."""
        self._lock_edits: dict[bool, list[LockEdit]] = {}
        """Those of locks, by whether they are of sides."""
        self._thing_changes: dict[int, _ThingChanges] = {}
        """What changed in the things of each layer, by the layer's id."""
        self._layer_of_things: dict[int, int] = {}
        """The id of the layer of each thing in ``_thing_changes``, by the thing's id."""

    def add(self, edit: Edit) -> None:
        """Add the next simple edit."""
        if isinstance(edit, PlaneEdit):
            self._plane_edits.setdefault((edit.layer_id, edit.plane), []).append(edit)
        elif isinstance(edit, LockEdit):
            self._lock_edits.setdefault(edit.sides, []).append(edit)
        elif isinstance(edit, ThingsEdit):
            self._add_things(edit)
        elif isinstance(edit, RecordSet):
            self._add_record(edit)
        else:
            self.end_run()
            self.merged_edits.append(edit)

    def _add_things(self, edit: ThingsEdit) -> None:
        """Gather an edit of things; first end the run if one of them came from another layer."""
        thing_ids = {thing.id for thing in (*edit.old_things, *edit.new_things)}
        layer_ids = {self._layer_of_things.get(thing_id, edit.layer_id) for thing_id in thing_ids}
        if layer_ids - {edit.layer_id}:
            self.end_run()
        for thing_id in thing_ids:
            self._layer_of_things[thing_id] = edit.layer_id
        self._thing_changes.setdefault(edit.layer_id, _ThingChanges()).add(edit)

    def _add_record(self, edit: RecordSet) -> None:
        """Merge with the last merged edit if that is of the same record; it ends no run.

        It is placed before the edits of the present run, some of which came earlier. That makes no
        difference, since records and what a run holds do not depend on each other.
        """
        old_record = edit.old_record
        if self.merged_edits:
            last_edit = self.merged_edits[-1]
            if isinstance(last_edit, RecordSet) and last_edit.name == edit.name:
                old_record = last_edit.old_record
                self.merged_edits.pop()
        if old_record != edit.new_record:
            self.merged_edits.append(RecordSet(edit.name, old_record, edit.new_record))

    def end_run(self) -> None:
        """Merge the edits of the present run, and begin the next."""
        groups: list[Sequence[PlaneEdit] | Sequence[LockEdit]] = []
        groups += self._plane_edits.values()
        groups += self._lock_edits.values()
        for group in groups:
            merged_edit = _merge_array_edits(group)
            if merged_edit is not None:
                self.merged_edits.append(merged_edit)
        for layer_id, changes in self._thing_changes.items():
            things_edit = changes.merged_edit(layer_id)
            if things_edit is not None:
                self.merged_edits.append(things_edit)
        self._plane_edits.clear()
        self._lock_edits.clear()
        self._thing_changes.clear()
        self._layer_of_things.clear()


class _ThingChanges:
    """Edits of one layer's things, merged: each thing as it was first and as it is last."""

    def __init__(self) -> None:
        self._first: dict[int, Thing | None] = {}
        """Each thing before the first edit of it, by id; None if it was not there."""
        self._last: dict[int, Thing | None] = {}
        """Each thing after the last edit of it; None if it is not there any more."""

    def add(self, edit: ThingsEdit) -> None:
        """Add the next edit."""
        for thing in edit.old_things:
            self._first.setdefault(thing.id, thing)
            self._last[thing.id] = None
        for thing in edit.new_things:
            self._first.setdefault(thing.id, None)
            self._last[thing.id] = thing

    def merged_edit(self, layer_id: int) -> ThingsEdit | None:
        """Return the edit with the effect of all; None if nothing is changed in the end."""
        old_things = []
        new_things = []
        for thing_id, old_thing in self._first.items():
            new_thing = self._last[thing_id]
            if new_thing == old_thing:
                continue
            if old_thing is not None:
                old_things.append(old_thing)
            if new_thing is not None:
                new_things.append(new_thing)
        if old_things or new_things:
            return ThingsEdit(layer_id, tuple(old_things), tuple(new_things))
        return None


def _merge_array_edits(
    group: Sequence[PlaneEdit] | Sequence[LockEdit],
) -> PlaneEdit | LockEdit | None:
    """Return one edit with the effect of several of one plane, or of one array of locks.

    Elements that end as they began are left out; None if all do.
    """
    edits = [edit for edit in group if len(edit.index)]
    if not edits:
        return None
    if len(edits) == 1:
        return edits[0]
    # Arrays with an entry for each element from the first to the last that changes: writing there
    # is quicker than sorting the elements of all edits. Most entries are never written or read.
    first = min(int(edit.index.min()) for edit in edits)
    last = max(int(edit.index.max()) for edit in edits)
    entry_count = last - first + 1
    dtypes: list[np.dtype[Any]] = []
    for edit in edits:
        dtypes += [edit.old_values.dtype, edit.new_values.dtype]
    dtype = np.result_type(*dtypes)
    is_changed = np.zeros(entry_count, np.bool_)
    old_values = np.empty(entry_count, dtype)
    new_values = np.empty(entry_count, dtype)

    # Of the values after each edit the last one written stays.
    for edit in edits:
        is_changed[edit.index - first] = True
        new_values[edit.index - first] = edit.new_values
    # Backwards, so that the value before the first edit of an element is written last.
    for edit in reversed(edits):
        old_values[edit.index - first] = edit.old_values

    entries = np.flatnonzero(is_changed)
    entries = entries[old_values[entries] != new_values[entries]]
    if not len(entries):
        return None
    return replace(
        edits[0],
        index=entries + first,
        old_values=old_values[entries],
        new_values=new_values[entries],
    )
