"""What happens when another program has written the file of the current script."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect, later
from app.rolling.rolling import Rolling
from app.scripts.script import Script
from app.scripts.script_document import ScriptDocument
from app.settings import Settings
from randomizer.model.problems import Problem


class FileChanges(QObject):
    """Reads the file again while that is enabled and the text has no unsaved edits; else offers it.

    To follow is to show the new text and to roll the layer that was rolled from the script again:
    the same map of the same seed, so that one sees what the edit does. Nothing is rolled where
    nothing of the script was. ``give_map`` gives a new text to the map that holds the script, and
    rolls it. ``offered(str, bool)``: a message about what has happened to the
    file ("": nothing), and whether ``reload`` can read it again. ``message(str)``: something to say
    in passing.
    """

    offered = Signal(str, bool)
    message = Signal(str)

    def __init__(
        self,
        current: Callable[[], ScriptDocument],
        rolling: Rolling,
        settings: Settings,
        give_map: Callable[[Script], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._give_map = give_map
        self._rolling = rolling
        self._settings = settings
        self._waiting: ScriptDocument | None = None
        self._follows = False
        connect(rolling.busy_changed, self._on_busy)

    @property
    def enabled(self) -> bool:
        """Whether the file is followed."""
        return self._settings.follow_script

    def set_enabled(self, enabled: bool) -> None:
        """Follow the file from now on, or only offer to read it again."""
        self._settings.follow_script = enabled
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
            elif self.enabled and not document.unsaved:
                later(self, self._follow)  # another map may just become the current one
            else:
                offer = f"Another program has changed {newer.name}."
        self.offered.emit(offer, not document.watch.gone)

    def report(self, problems: tuple[Problem, ...]) -> None:
        """Say that the file cannot be read any more."""
        self.message.emit(f"Not read again: {problems[0].message}")

    def _follow(self) -> None:
        if self.enabled and not self._current().unsaved:
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
            if self.enabled:
                self._roll()

    def _roll(self) -> None:
        if self._follows:
            self._rolling.cancel()  # it rolls what the file held before
        self._waiting = None
        if self._rolling.busy:  # one roll at a time: this one when that one has ended
            self._waiting = self._current()
            return
        followed = self._rolling.follow()
        self._follows = followed and self._rolling.busy
        if not followed:
            name = self._current().script.name
            self.message.emit(f"{name} was read again: nothing was rolled from it")

    def _on_busy(self, busy: bool) -> None:
        if not busy:
            self._follows = False
            if self._waiting is not None:
                later(self, self._roll_waiting)  # what was rolled comes into the map first

    def _roll_waiting(self) -> None:
        waiting = self._waiting
        self._waiting = None
        if waiting is self._current():
            self._roll()
