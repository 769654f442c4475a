"""Opening and saving the script shown, and asking about unsaved edits."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.scripts.script_text import ScriptText
from app.scripts.script_watch import ScriptWatch
from app.scripts.shown_script import NO_SCRIPT, ShownScript, read_known, save_script
from app.settings import Settings
from app.widgets.choice import choose_about_change
from randomizer.catalog import (
    SCRIPT_LIMIT,
    encoded_script,
    is_script_file,
    script_host,
    script_suffixes,
)
from randomizer.file_reading import read_file
from randomizer.model.problems import ProblemError
from randomizer.storage.known_file import FileChange, KnownFile

Answer = QMessageBox.StandardButton


class ScriptFiles(QObject):
    """Knows which script ``text`` shows, and its file.

    ``changed()``: the same script lives elsewhere now, or its file holds something else.
    ``message(str)``: something to say in passing. What is opened is returned, not shown.
    ``watch`` tells when another program has written the file. ``window`` is the parent of dialogs.
    With ``in_map`` the map in front holds the text, edits and all: nothing is lost without a file.
    """

    changed = Signal()
    message = Signal(str)

    def __init__(
        self, text: ScriptText, settings: Settings, parent: QObject, window: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.text = text
        self._window = window
        self._settings = settings
        self._homes: dict[tuple[str, str], ShownScript] = {}
        self._known: dict[Path, KnownFile | None] = {}
        self.script = NO_SCRIPT
        self.in_map = False
        self.watch = ScriptWatch(self)

    def set_script(self, script: ShownScript) -> None:
        """Another script is shown now."""
        self.script = script
        if script.path is not None:
            self._homes[script.name, script.text] = script
        self.watch.watch(script, None if script.path is None else self._known.get(script.path))

    def read_again(self, script: ShownScript, known: KnownFile | None) -> None:
        """Show what the file of the script shown holds now; the text's undo takes it back."""
        self.note_read(script, known)
        self.set_script(replace(script, settings=self.script.settings))
        self.text.replace(script.text)
        self.changed.emit()

    def note_read(self, script: ShownScript, known: KnownFile | None) -> None:
        """The file of a script was read again; ``known`` is what is known of it."""
        assert script.path is not None
        self._known[script.path] = known

    def note_home(self, script: ShownScript) -> None:
        """A script was read from its file by somebody else."""
        self._homes[script.name, script.text] = script
        if script.path is not None:
            with suppress(OSError, ProblemError):  # gone already: whoever saves is asked then
                data = read_file(script.path, SCRIPT_LIMIT)
                self._known[script.path] = KnownFile.of(script.path, data)

    def at_home(self, script: ShownScript) -> ShownScript:
        """The same script with the file in which it was found earlier, if it was."""
        return self._homes.get((script.name, script.text), script)

    @property
    def unsaved(self) -> bool:
        """Whether the text was edited since it was opened or saved.

        Qt takes colours for edits where a text has no undo of its own, as in a map.
        """
        return self.text.text() != self.script.text if self.in_map else self.text.isModified()

    def may_replace(self) -> bool:
        """Whether the text may be replaced by another; unsaved edits are asked about."""
        if self.in_map or not self.unsaved:
            return True
        answer = QMessageBox.question(
            self._window,
            "Unsaved script",
            f"Save the edits of {self.script.name}?",
            Answer.Save | Answer.Discard | Answer.Cancel,
            Answer.Save,
        )
        if answer == Answer.Save:
            return self.save()
        return answer == Answer.Discard

    # --- opening ----------------------------------------------------------------------------

    def open(self, path: Path) -> ShownScript | None:
        """The script in a file; None, with words, if it cannot be read."""
        try:
            script, known = read_known(path)
        except ProblemError as reason:
            if not path.exists():
                self._settings.drop_recent("scripts", path)
            self.message.emit(f"Not opened: {reason.problems[0].message}")
            return None
        if not self.may_replace():
            return None
        self._known[path] = known
        self._remember(path)
        return script

    def ask_open(self) -> Path | None:
        """Let a person choose a script file; None if none is chosen."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Open script", self._settings.last_directory, self._filter()
        )
        return Path(name) if name else None

    def dropped(self, data: QMimeData) -> Path | None:
        """The first script among dropped files."""
        for url in data.urls():
            path = Path(url.toLocalFile())
            if url.isLocalFile() and is_script_file(path):
                return path
        return None

    # --- saving -----------------------------------------------------------------------------

    def save(self) -> bool:
        """Save the text in its file, or ask for one; False if it was not saved.

        A file of the game's library is not written.
        """
        if self.script.path is None or _in_library(self.script.path):
            return self.save_as()
        path = self.script.path
        known = self._known.get(path)
        if path.is_file() and (known is None or known.change() is not FileChange.NOTHING):
            answer = choose_about_change(self._window, path.name)
            if answer != 0:
                return answer == 1 and self.save_as()
        return self._save_to(path)

    def save_as(self) -> bool:
        """Ask for a file and save the text there; False if it was not saved."""
        start = self.script.path or Path(self._settings.last_directory) / self.script.name
        name, _ = QFileDialog.getSaveFileName(
            self._window, "Save script", str(start), self._filter()
        )
        if not name:
            return False
        path = Path(name)
        if not path.suffix:
            path = path.with_suffix(Path(self.script.name).suffix)
        return self._save_to(path)

    def _save_to(self, path: Path) -> bool:
        if _in_library(path):
            self.message.emit(f"Not saved: {path.name} there is the game's. Choose another folder.")
            return False
        try:
            script = save_script(self.script, self.text.text(), path)
        except ProblemError as reason:
            self.message.emit(f"Not saved: {reason.problems[0].message}")
            return False
        with suppress(OSError):
            self._known[path] = KnownFile.of(path, encoded_script(script.original, path.name))
        self.set_script(script)
        self._remember(path)
        self.text.setModified(False)
        self.message.emit(f"Saved {path.name}")
        self.changed.emit()
        return True

    def _remember(self, path: Path) -> None:
        self._settings.add_recent("scripts", path)
        self._settings.last_directory = str(path.parent)

    def _filter(self) -> str:
        return f"Scripts ({' '.join('*' + suffix for suffix in script_suffixes())})"


def _in_library(path: Path) -> bool:
    """Whether a script file is one of its game's; False for a suffix that no system has."""
    try:
        host = script_host(path.name, str(path))
    except ProblemError:
        return False
    return host.in_library(path)
