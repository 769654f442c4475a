"""What happens when another program has written the file of the script shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect, later
from app.rolling.rolling import Rolling
from app.scripts.script_files import ScriptFiles
from app.scripts.shown_script import ShownScript
from app.settings import Settings
from randomizer.model.problems import Problem
from randomizer.storage.known_file import KnownFile


class ScriptFollowing(QObject):
    """Reads the file again while that is wanted and the text has no unsaved edits; else offers it.

    To follow is to show the new text and to roll the layer that was rolled from the script again:
    the same map of the same seed, so that one sees what the edit does. Nothing is rolled where
    nothing of the script was. ``take`` gives the text to a map that holds its script, which rolls
    it too; False for other maps. ``offered(str, bool)``: what has happened to the file, in words
    ("": nothing), and whether ``reload`` can read it again. ``message(str)``: something to say in
    passing.
    """

    offered = Signal(str, bool)
    message = Signal(str)

    def __init__(
        self,
        files: ScriptFiles,
        rolling: Rolling,
        settings: Settings,
        take: Callable[[ShownScript], bool],
    ) -> None:
        super().__init__(files)
        self._files, self._rolling, self._settings = files, rolling, settings
        self._take = take
        self._newer: tuple[ShownScript, KnownFile | None] | None = None
        self._waits = False
        self._follows = False
        connect(files.watch.changed, self._on_changed)
        connect(files.watch.gone, self._on_gone)
        connect(files.watch.failed, self._on_failed)
        connect(files.changed, self.forget)
        connect(rolling.busy_changed, self._on_busy)

    @property
    def wanted(self) -> bool:
        """Whether the file is followed."""
        return self._settings.follow_script

    def set_wanted(self, wanted: bool) -> None:
        """Follow the file from now on, or only offer to read it again."""
        self._settings.follow_script = wanted
        if wanted and self._newer is not None and not self._files.unsaved:
            self.reload()

    def forget(self) -> None:
        """The file holds what is shown, or another script is shown."""
        self._newer = None
        self._waits = False
        self.offered.emit("", False)

    def _on_changed(self, script: ShownScript, known: KnownFile | None) -> None:
        self._newer = (script, known)
        shown = (self._files.text.text(), self._files.script.texts)
        if (script.text, script.texts) == shown:
            self._files.read_again(script, known)
        elif self.wanted and not self._files.unsaved:
            self.reload()
        else:
            self.offered.emit(f"Another program has changed {script.name}.", True)

    def reload(self) -> None:
        """Read the file again; undo of the text brings back what was there."""
        if self._newer is None:
            return
        self._files.note_read(*self._newer)
        if not self._take(self._newer[0]):
            self._files.read_again(*self._newer)
            if self.wanted:
                self._roll()

    def _roll(self) -> None:
        if self._follows:
            self._rolling.cancel()  # it rolls what the file held before
        self._waits = self._rolling.busy  # one roll at a time: this one when that one has ended
        if self._waits:
            return
        followed = self._rolling.follow()
        self._follows = followed and self._rolling.busy
        if not followed:
            name = self._files.script.name
            self.message.emit(f"{name} was read again: nothing was rolled from it")

    def _on_busy(self, busy: bool) -> None:
        if busy:
            return
        self._follows = False
        if self._waits:
            later(self, self._roll)  # what was rolled comes into the map first

    def _on_gone(self) -> None:
        self._newer = None
        name = self._files.script.name
        self.offered.emit(f"{name} is not there any more: Save writes it again.", False)

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        self.message.emit(f"Not read again: {problems[0].message}")
