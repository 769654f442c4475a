"""What the document reports to whoever keeps the open maps safe from a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edits.edit import Edit
from randomizer.model.problems import error

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.document.undo_history import UndoStep


class Recorder:
    """Called by ``MapDocument`` on the UI thread; what a call reports is safe when it returns.

    This one keeps nothing. ``app.document.autosave`` has the one that writes journals.
    """

    def opened(self, open_map: OpenMap) -> None:
        """Note that a map was opened, or took another's place."""

    def pushed(self, open_map: OpenMap) -> None:
        """Note that the last undo step is new or holds another edit; none is left to redo."""

    def moved(self, open_map: OpenMap) -> None:
        """Note that steps were undone or redone, or the last one was removed and taken back."""

    def saved(self, open_map: OpenMap) -> None:
        """Note that the map as it is now stands in its file."""

    def closed(self, open_map: OpenMap) -> None:
        """Note that the map was closed, as its user wished."""

    def fetch(self, open_map: OpenMap, step: UndoStep, *, done: bool) -> Edit:
        """Return the edit of a step that has dropped it, ``done`` or not. Raises ProblemError."""
        raise error("journal-not-kept", "there is no journal")
