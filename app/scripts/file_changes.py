"""What happens when another program has written the file of the current script."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.qt_guard import later
from app.scripts.script import Script
from app.scripts.script_document import ScriptDocument
from app.scripts.text_follower import TextFollower
from randomizer.model.problems import Problem


class FileChanges(QObject):
    """Reads the file again while the text is followed and has no unsaved edits; else offers it.

    ``give_map`` gives a new text to the map that holds the script, and rolls it.
    ``offered(str, bool)``: a message about what has happened to the file ("": nothing), and whether
    ``reload`` can read it again. ``message(str)``: something to say in passing.
    """

    offered = Signal(str, bool)
    message = Signal(str)

    def __init__(
        self,
        current: Callable[[], ScriptDocument],
        follower: TextFollower,
        give_map: Callable[[Script], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._give_map = give_map
        self._follower = follower

    def set_enabled(self, enabled: bool) -> None:
        """Follow text and file from now on, or only offer to read the file again."""
        self._follower.set_enabled(enabled)
        self._follow()

    def look(self) -> None:
        """Another document is current, or something has happened to its file."""
        document = self._current()
        offer = ""
        if document.watch.gone:
            offer = f"{document.script.name} is not there any more: Save writes it again."
        elif document.watch.newer is not None:
            newer = document.watch.newer[0]
            if (newer.text, newer.texts) == (document.text.text(), document.script.texts):
                document.read_again(document.take_newer())
            elif self._follower.enabled and not document.unsaved:
                later(self, self._follow)  # another map may just become the current one
            else:
                offer = f"Another program has changed {newer.name}."
        self.offered.emit(offer, not document.watch.gone)

    def report(self, problems: tuple[Problem, ...]) -> None:
        """Say that the file cannot be read any more."""
        self.message.emit(f"Not read again: {problems[0].message}")

    def _follow(self) -> None:
        if self._follower.enabled and not self._current().unsaved:
            self.reload()

    def reload(self) -> None:
        """Read the file again; undo of the text brings back what was there."""
        document = self._current()
        if document.watch.newer is None:
            return
        script = document.take_newer()
        self.look()
        if document.in_map:
            self._give_map(script)
        else:
            document.read_again(script)
            name = script.name
            self._follower.follow_read(f"{name} was read again: nothing was rolled from it")
