"""One undo step of an open map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtGui import QUndoCommand

from app.qt_guard import guarded
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.open_map import OpenMap
    from randomizer.model.edit import Edit


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
    done now, and raises ProblemError if the edit cannot be had.
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
        self._applied = applied

    @guarded
    def redo(self) -> None:
        """Apply the edit, unless the step was pushed as applied."""
        if not self._applied:
            edit = self._found_edit(done=False)
            if edit is not None:
                self._target.apply_step(self._open_map, edit, self.active[1], self._extra(1))
        self._applied = False

    @guarded
    def undo(self) -> None:
        """Apply the inverse of the edit."""
        edit = self._found_edit(done=True)
        if edit is not None:
            inverse = edit.inverse()
            self._target.apply_step(self._open_map, inverse, self.active[0], self._extra(0))

    def _found_edit(self, *, done: bool) -> Edit | None:
        """The edit; None, and the stack is marked as stuck here, if it cannot be fetched."""
        if self._open_map.stuck_at is not None:
            return None
        if self.edit is not None:
            return self.edit
        assert self.fetch is not None
        try:
            return self.fetch(done)
        except ProblemError as reason:
            stack = self._open_map.undo_stack
            place = next(at for at in range(stack.count()) if stack.command(at) is self)
            self._open_map.stuck_at = place + done
            way = "undone" if done else "redone"
            self._target.refuse(f"“{self.text()}” cannot be {way}: {reason.problems[0].message}.")
            return None

    def _extra(self, which: int) -> Any:
        return None if self.extras is None else self.extras[which]
