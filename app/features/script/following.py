"""What happens when another program has written the script that the panel shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.scripts.shown_script import ShownScript
from app.settings import Settings
from app.widgets.banner import Banner
from randomizer.model.problems import Problem
from randomizer.storage.known_file import KnownFile

if TYPE_CHECKING:
    from app.features.script.panel import RandomizePanel


class ScriptFollowing(QObject):
    """Follows the file while the action is ticked and nobody writes in the panel; else it asks.

    To follow is to show the new text and to roll the layer that was rolled from the script again:
    the same map of the same seed, so that one sees what the edit does. Nothing is rolled where
    nothing of the script was.
    """

    def __init__(self, panel: RandomizePanel, settings: Settings) -> None:
        super().__init__(panel)
        self._panel, self._settings = panel, settings
        self._newer: tuple[ShownScript, KnownFile | None] | None = None
        self._waits = False
        self.banner = Banner("Reload", "Read the file again; Undo brings back what is here now")
        self.banner.setAccessibleName("The script's file on disk")
        self.banner.accepted.connect(self._reload)
        panel.follow_action.toggled.connect(self._remember)
        watch = panel.files.watch
        watch.changed.connect(self._on_changed)
        watch.gone.connect(self._on_gone)
        watch.failed.connect(self._on_failed)
        panel.files.saved.connect(self.forget)
        panel.rolling.busy_changed.connect(self._on_busy)

    def forget(self) -> None:
        """The file holds what is shown, or another one counts now."""
        self._newer = None
        self._waits = False
        self.banner.say("")

    def _remember(self, wanted: bool) -> None:
        self._settings.follow_script = wanted
        if wanted and self._newer is not None and not self._panel.has_unsaved_edits:
            self._reload()

    def _on_changed(self, script: ShownScript, known: KnownFile | None) -> None:
        panel = self._panel
        self._newer = (script, known)
        if script.text == panel.editor.text():
            panel.read_again(script, known)
            self.forget()
        elif panel.follow_action.isChecked() and not panel.has_unsaved_edits:
            self._reload()
        else:
            self.banner.button.show()
            self.banner.say(f"Another program has changed {script.name}.")

    def _reload(self) -> None:
        if self._newer is not None:
            script, known = self._newer
            self._panel.read_again(script, known)
            self.forget()
            if self._panel.follow_action.isChecked():
                self._roll()

    def _roll(self) -> None:
        panel = self._panel
        self._waits = panel.rolling.busy  # one roll at a time: this one when that one has ended
        if not self._waits and not panel.follow():
            panel.message.emit(f"{panel.script.name} was read again: nothing was rolled from it")

    def _on_busy(self, busy: bool) -> None:
        if not busy and self._waits:
            QTimer.singleShot(0, self, self._roll)  # what was rolled is laid into the map first

    def _on_gone(self) -> None:
        self._newer = None
        self.banner.button.hide()
        self.banner.say(f"{self._panel.script.name} is not there any more: Save writes it anew.")

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        self._panel.message.emit(f"Not read again: {problems[0].message}")
