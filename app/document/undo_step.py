"""One undo step of an open map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from PySide6.QtGui import QUndoCommand

from app.qt_guard import guarded
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.open_map import OpenMap
    from randomizer.model.edit import Edit


MERGE_S = 1.0
"""Actions of one kind that follow each other within so many seconds are one undo step."""


class MergeKey(NamedTuple):
    """Says which actions become one undo step: those of one ``kind`` within ``MERGE_S``.

    ``at_s`` is when the user acted, of a monotonic clock.
    """

    kind: str
    at_s: float

    def follows(self, other: MergeKey | None) -> bool:
        """Whether this action goes on with ``other``."""
        if other is None or self.kind != other.kind:
            return False
        return self.at_s - other.at_s < MERGE_S


class StepTarget(Protocol):
    """What does the edits of undo steps: ``MapDocument``."""

    def apply_step(self, open_map: OpenMap, edit: Edit, active: int, extra: Any) -> None:
        """Apply ``edit`` to the map, make layer ``active`` the active one, report ``extra``."""

    def refuse(self, why: str) -> None:
        """Tell the user why nothing is done."""


class UndoStep(QUndoCommand):
    """An ``edit``, the ids of the ``active`` layer before and after, the ``extras`` likewise.

    ``applied``: the edit is done already when the step is pushed (a stroke). ``edit`` may be None
    where ``fetch`` is set: that is called whenever the edit is needed, with whether the step is
    done now, and raises ProblemError if the edit cannot be had. ``merge`` is set for a step that
    the next action may go on with.
    """

    def __init__(
        self,
        target: StepTarget,
        open_map: OpenMap,
        edit: Edit | None,
        text: str,
        active: tuple[int, int],
        extras: tuple[Any, Any] | None = None,
        *,
        applied: bool = False,
    ) -> None:
        super().__init__(text)
        self._target = target
        self._open_map = open_map
        self.edit = edit
        self.fetch: Callable[[bool], Edit] | None = None
        self.active = active
        self.extras = extras
        self.merge: MergeKey | None = None
        self._applied = applied

    @guarded
    def redo(self) -> None:
        """Apply the edit, unless the step was pushed as applied."""
        if not self._applied:
            self._do(done=False)
        self._applied = False

    @guarded
    def undo(self) -> None:
        """Apply the inverse of the edit."""
        self._do(done=True)

    def _do(self, *, done: bool) -> None:
        """Undo the step if it is ``done``, else do it again.

        Where that cannot be done the map stays as it is, the user is told, and the stack is marked
        as stuck here: Qt has passed over the step and has to come back.
        """
        if self._open_map.stuck_at is not None:
            return
        after = not done
        why = f"“{self.text()}” cannot be {'undone' if done else 'redone'}"
        try:
            edit = self.found_edit(done)
            if done:
                edit = edit.inverse()
            self._target.apply_step(self._open_map, edit, self.active[after], self._extra(after))
        except ProblemError as reason:
            self._stick(done)
            self._target.refuse(f"{why}: {reason.problems[0].message}.")
        except Exception as fault:
            self._stick(done)
            self._target.refuse(f"{why}.")
            fault.add_note(why)
            raise  # to the guard

    def _stick(self, done: bool) -> None:
        stack = self._open_map.undo_stack
        place = next(at for at in range(stack.count()) if stack.command(at) is self)
        self._open_map.stuck_at = place + done

    def found_edit(self, done: bool) -> Edit:
        """The edit of the step, which is ``done`` or not.

        Raises ProblemError if it cannot be fetched.
        """
        if self.edit is not None:
            return self.edit
        assert self.fetch is not None
        return self.fetch(done)

    def _extra(self, which: int) -> Any:
        return None if self.extras is None else self.extras[which]
