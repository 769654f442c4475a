"""The interface by which ``MapDocument`` reports every change of the open maps.

``app.document.autosave.Autosave`` implements it with a journal on the disk for each map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edits.edit import Edit
from randomizer.model.problems import error

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.document.undo_history import UndoStep


class Recorder:
    """Gets the changes of the open maps, on the UI thread; this one stores nothing.

    A recorder that stores changes has stored the one that a call reports when the call returns.
    """

    def opened(self, open_map: OpenMap) -> None:
        """Note that a map was opened, perhaps in place of another one."""

    def pushed(self, open_map: OpenMap) -> None:
        """Note that the last undo step is new, or has another edit; no step can be redone."""

    def moved(self, open_map: OpenMap) -> None:
        """Note that steps were undone or redone, or that the last one was removed."""

    def saved(self, open_map: OpenMap) -> None:
        """Note that the map was written to its file as it is now."""

    def closed(self, open_map: OpenMap) -> None:
        """Note that the map was closed, as its user wished."""

    def fetch(self, open_map: OpenMap, step: UndoStep, *, done: bool) -> Edit:
        """Return the stored edit of a step whose ``edit`` is None. Raises ProblemError.

        ``done`` says whether the step is done now, or undone.
        """
        raise error("journal-not-kept", "there is no journal")
