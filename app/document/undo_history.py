"""The undo steps of an open map: a list, and how many of them are done.

This is data without Qt, and applies nothing: ``MapDocument`` does (``push``, ``undo``, ``redo``).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from randomizer.model.edits.edit import Edit
from randomizer.model.rolls.draw_key import DrawKey


class RollKeys(NamedTuple):
    """The keys that the roll bar shows at the two ends of an undo step that is a roll."""

    before: DrawKey
    """Shown when the step is undone: the key of the map that was rolled before."""

    after: DrawKey
    """Shown when the step is done or redone: the key of the map that it rolled."""


class ActiveLayers(NamedTuple):
    """The ids of the layers that tools paint into, at the two ends of an undo step."""

    old_id: int
    """Before the step is done, and after it is undone."""

    new_id: int
    """After the step is done."""


MERGE_S = 1.0
"""Actions of one kind that follow each other within so many seconds are one undo step."""


class MergeKey(NamedTuple):
    """Tells which actions become one undo step: those of one ``kind`` within ``MERGE_S``."""

    kind: str
    """What the action changes; the name of a form's field, say."""

    at_s: float
    """The time of the action, in seconds of a monotonic clock."""

    def follows(self, last_merge: MergeKey | None) -> bool:
        """Return whether this action becomes part of the step with the key ``last_merge``.

        That is None for a step that nothing can become part of.
        """
        if last_merge is None or self.kind != last_merge.kind:
            return False
        return self.at_s - last_merge.at_s < MERGE_S


_step_numbers = count()
"""The numbers of the steps of all open maps, see ``UndoStep.number``."""


@dataclass(eq=False)
class UndoStep:
    """One step of undo and redo of a map: an edit, and what else changes with it."""

    text: str
    """What was done, as the Edit menu and the History panel name it."""

    edit: Edit | None
    """The change; None while only a journal has it (``Recorder.fetch``)."""

    active: ActiveLayers
    """The active layers before and after the step."""

    roll_keys: RollKeys | None = None
    """The keys that the roll bar shows before and after it; None if it is no roll."""

    merge: MergeKey | None = None
    """The key by which the next action can become part of this step; None if it cannot."""

    is_preparation: bool = False
    """True if the step only prepares for work: a saved map is not unsaved by it alone."""

    size: int = 0
    """About how many bytes ``edit`` takes in memory; 0 while it has none, or was not measured."""

    edit_count: int = 1
    """How many edits it has had so far: grows when the next action becomes part of it."""

    number: int = field(default_factory=lambda: next(_step_numbers), init=False)
    """Grows from each step to the one made after it, over all open maps."""


class UndoHistory:
    """The undo steps of an open map, those that are done before those that were undone."""

    def __init__(self, steps: list[UndoStep] | None = None, clean_index: int | None = 0) -> None:
        """Make a history in which all of ``steps`` are done."""
        if steps is None:
            steps = []
        self.steps: list[UndoStep] = steps
        """The steps, the oldest first."""
        self.index = len(self.steps)
        """The number of steps that are done: those before this index. The others can be redone."""
        self.clean_index = clean_index
        """The value of ``index`` when the map was opened or saved.

        None if undo and redo do not lead back to that state.
        """
        self.fetches_layers = False
        """True if steps that put other layers in the place of some have dropped their edits.

        ``bound_memory`` drops them; they are fetched from the journal.
        """

    @property
    def next_undo(self) -> UndoStep | None:
        """The last step that is done, None if none is."""
        if self.index > 0:
            return self.steps[self.index - 1]
        return None

    @property
    def next_redo(self) -> UndoStep | None:
        """The first step that is not done, None if all are."""
        if self.index < len(self.steps):
            return self.steps[self.index]
        return None

    @property
    def is_clean(self) -> bool:
        """True if the map is as it was opened or saved, but for preparations."""
        if self.clean_index is None:
            return False
        first = min(self.index, self.clean_index)
        last = max(self.index, self.clean_index)
        return all(step.is_preparation for step in self.steps[first:last])

    def is_done(self, step: UndoStep) -> bool:
        """Return whether a step is done: it was neither undone nor dropped since."""
        # The numbers of the steps ascend.
        index = bisect_left(self.steps, step.number, hi=self.index, key=attrgetter("number"))
        return index < self.index and self.steps[index] is step

    def mark_clean(self) -> None:
        """Note that the map was saved as it is now."""
        self.clean_index = self.index

    def append(self, step: UndoStep) -> None:
        """Add a step that is done, in place of those that could be redone."""
        if self.clean_index is not None and self.clean_index > self.index:
            self.clean_index = None  # the saved state is after one of the steps that are dropped
        self.steps[self.index :] = [step]
        self.index += 1

    def remove_last(self) -> None:
        """Remove the last step, whose edit was taken back; none may be waiting for redo."""
        assert self.index == len(self.steps), "the last step is done"
        self.steps.pop()
        self.index = len(self.steps)

    def step_to_merge_into(self, merge: MergeKey) -> UndoStep | None:
        """Return the last step if an action with ``merge`` becomes part of it, else None.

        It does not if the map was saved since: the saved state must stay a step of its own. Nor
        does it if a step can be redone.
        """
        last = self.next_undo
        if last is None or self.next_redo is not None or self.is_clean:
            return None
        if not merge.follows(last.merge):
            return None
        return last

    def end_merging(self) -> None:
        """Make the next action an undo step of its own: the map is being saved as it is now."""
        if self.next_undo is not None:
            self.next_undo.merge = None
