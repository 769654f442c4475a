"""One map that is open on the desk, with all that belongs to having it open, and its undo steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QUndoCommand, QUndoStack

from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.document.document import MapDocument
    from app.document.selection import Selection
    from app.render.viewport import View
    from randomizer.model.battlemap import BattleMap, Composite
    from randomizer.model.edit import Edit
    from randomizer.storage.known_file import KnownFile


@dataclass(frozen=True, slots=True)
class GameSource:
    """Which battleland of a game directory the map came from: export goes back there."""

    game_dir: Path
    variant: str
    terrain: str


@dataclass(eq=False)
class OpenMap:
    """A map, where it lives, its undo stack, and how a person left it: layer, selection, view.

    ``view`` is None until the canvas has shown the map otherwise than fitted. ``composite`` is None
    until asked for (``MapDocument.composite``). ``shown_before_solo`` are the layers (ids) that one
    of them, shown alone, made way for. ``known`` is the file at ``path`` as it was when it
    was read or written last; ``flat`` says whether Save writes what such a file holds and no more,
    None until that was asked. ``stuck_at`` is set while a step cannot be had that the undo stack
    goes over: so many steps are done, whatever the stack says.
    """

    battlemap: BattleMap
    undo_stack: QUndoStack
    active_layer_id: int
    path: Path | None = None
    source: GameSource | None = None
    view: View | None = None
    selection: Selection | None = None
    composite: Composite | None = field(default=None, repr=False)
    shown_before_solo: frozenset[int] = frozenset()
    known: KnownFile | None = None
    flat: bool | None = None
    stuck_at: int | None = None

    @property
    def untouched(self) -> bool:
        """Whether nobody has named or changed it: it makes way for another map."""
        return self.path is None and self.source is None and not self.undo_stack.count()


class Recorder:
    """Who is told of everything that must survive a crash; each call returns when it is safe.

    This one keeps nothing.
    """

    def opened(self, open_map: OpenMap) -> None:
        """A map was opened, or took another's place."""

    def pushed(self, open_map: OpenMap, step: EditCommand) -> None:
        """An undo step was done; steps that could have been redone are gone."""

    def moved(self, open_map: OpenMap, index: int) -> None:
        """Undo or redo: ``index`` steps of the stack are done now."""

    def saved(self, open_map: OpenMap) -> None:
        """The map as it is now stands in its file."""

    def closed(self, open_map: OpenMap) -> None:
        """The map was closed, as its user wished."""


class EditCommand(QUndoCommand):
    """One undo step: its ``edit``, the ``active`` layer before and after, the ``extras``.

    ``applied``: the edit is done when the step is pushed (a stroke). Where ``edit`` is None,
    ``fetch`` brings it each time: it is told whether the step is done now; raises ProblemError.
    """

    def __init__(
        self,
        document: MapDocument,
        open_map: OpenMap,
        edit: Edit | None,
        text: str,
        active: tuple[int, int],
        extras: tuple[Any, Any] | None = None,
        *,
        applied: bool = False,
    ) -> None:
        super().__init__(text)
        self._document = document
        self._open_map = open_map
        self.edit = edit
        self.fetch: Callable[[bool], Edit] | None = None
        self.active = active
        self.extras = extras
        self._applied = applied

    def redo(self) -> None:
        """Apply the edit (a stroke is applied already when it is pushed)."""
        if not self._applied:
            edit = self._found_edit(done=False)
            if edit is not None:
                self._document.apply_step(self._open_map, edit, self.active[1], self._extra(1))
        self._applied = False

    def undo(self) -> None:
        """Apply the inverse."""
        edit = self._found_edit(done=True)
        if edit is not None:
            inverse = edit.inverse()
            self._document.apply_step(self._open_map, inverse, self.active[0], self._extra(0))

    def _found_edit(self, *, done: bool) -> Edit | None:
        """None, and the stack is stuck here, if the step cannot be had."""
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
            self._document.work_refused.emit(
                f"“{self.text()}” cannot be {way}: {reason.problems[0].message}."
            )
            return None

    def _extra(self, which: int) -> Any:
        return None if self.extras is None else self.extras[which]
