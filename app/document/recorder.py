"""What the document reports to whoever keeps the open maps safe from a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.document.undo_step import UndoStep


class Recorder:
    """Called by ``MapDocument`` on the UI thread; what a call reports is safe when it returns.

    This one keeps nothing. ``app.document.autosave`` has the one that writes journals.
    """

    def opened(self, open_map: OpenMap) -> None:
        """A map was opened, or took another's place."""

    def pushed(self, open_map: OpenMap, step: UndoStep) -> None:
        """An undo step was done; steps that could have been redone are gone."""

    def replaced(self, open_map: OpenMap, step: UndoStep) -> None:
        """The last undo step, which is done, holds another edit than when it was pushed."""

    def removed(self, open_map: OpenMap, step: UndoStep) -> None:
        """The last undo step is gone: what it did was taken back by the action after it."""

    def moved(self, open_map: OpenMap, index: int) -> None:
        """Undo or redo: the first ``index`` steps of the stack are done now."""

    def saved(self, open_map: OpenMap) -> None:
        """The map as it is now stands in its file."""

    def closed(self, open_map: OpenMap) -> None:
        """The map was closed, as its user wished."""
