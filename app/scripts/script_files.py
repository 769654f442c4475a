"""Opening and saving the current script, and asking about unsaved edits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.background.actions import Stopped
from app.scripts.script import Script, known_file_of, read_script_file, save_script
from app.scripts.script_document import KnownFiles, ScriptDocument
from app.settings import Settings
from app.widgets.dialogs.choice import ask, choose_about_change
from app.widgets.dialogs.files import choose_file, choose_file_to_write
from app.widgets.layout.builders import plain_text
from randomizer.catalog.catalog import (
    encoded_script,
    script_host,
    script_suffixes,
)
from randomizer.catalog.file_kinds import is_script_file
from randomizer.model.problems import ProblemError
from randomizer.storage.disk.known_file import FileChange, KnownFile

Answer = QMessageBox.StandardButton
T = TypeVar("T")


class ScriptFiles(QObject):
    """Reads script files, and saves the document that ``current`` gives.

    What asks about a document raises Stopped when no open map shows it any more: then it is none of
    ``documents``. ``is_map_unsaved`` tells whether the current map has changes that are in no file:
    who saves a script may take that for the map. ``window`` is the parent of dialogs.
    """

    message = Signal(str)
    """A message for the status bar."""
    saved = Signal()
    """The text was written into its file."""

    def __init__(
        self,
        current: Callable[[], ScriptDocument],
        documents: Collection[ScriptDocument],
        is_map_unsaved: Callable[[], bool],
        settings: Settings,
        parent: QObject,
        window: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self._documents = documents
        self._is_map_unsaved = is_map_unsaved
        self._window = window
        self._settings = settings
        self._homes: dict[tuple[str, str], Script] = {}
        self.known_files: KnownFiles = {}
        """Each file as the desk last read or wrote it."""

    def note_home(self, script: Script) -> None:
        """Remember in which file a script is, for ``at_home``."""
        if script.path is not None:
            self._homes[script.name, script.text] = script

    def note_read(self, script: Script) -> None:
        """Note that a script was read from its file by somebody else."""
        if script.path is not None:
            self.known_files[script.path] = known_file_of(script.path)

    def at_home(self, script: Script, map_file: Path | None) -> Script:
        """Return the same script with its file: where it was found earlier, or beside the map.

        ``map_file`` is the file of the map that was rolled from it, None if it has none. The script
        stays without a file if none of its name there has the same text.
        """
        home = self._homes.get((script.name, script.text))
        if home is not None or script.packaged is not None or map_file is None:
            return home or script
        path = map_file.parent / script.name
        is_beside = path.parent == map_file.parent and path.is_file()
        if not is_beside or not is_script_file(path):
            return script
        with suppress(ProblemError):
            beside, known_file = read_script_file(path)
            if beside.text == script.text:
                self.known_files[path] = known_file
                return replace(beside, settings=script.settings)
        return script

    async def may_replace(self) -> bool:
        """Return whether the current script may be replaced; unsaved edits are asked about."""
        document = self._current()
        if not document.has_edits:
            return True
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Unsaved script",
            plain_text(f"Save the edits of {document.script.name}?"),
            Answer.Save | Answer.Discard | Answer.Cancel,
            self._window,
        )
        box.setDefaultButton(Answer.Save)
        code = await self._while_shown(document, ask(box))
        if code == Answer.Save.value:
            return await self._save(document)
        return code == Answer.Discard.value

    async def _while_shown(self, document: ScriptDocument, waiting: Awaitable[T]) -> T:
        """Wait for something; raises Stopped if no open map shows the document any more."""
        value = await waiting
        if document not in self._documents:
            raise Stopped
        return value

    # --- opening ----------------------------------------------------------------------------

    def read(self, path: Path) -> tuple[Script, KnownFile | None] | None:
        """Return the script in a file, and what is known of it.

        None, with a message, if unreadable.
        """
        try:
            return read_script_file(path)
        except ProblemError as reason:
            if not path.exists():
                self._settings.drop_recent("scripts", path)
            self.message.emit(f"Not opened: {reason.problems[0].message}")
            return None

    async def ask_open(self, title: str) -> Path | None:
        """Let a person choose a script file; None if none is chosen.

        ``title`` is that of the dialog.
        """
        folder = self._settings.last_directory
        return await choose_file(self._window, title, folder, self._filter())

    def first_dropped(self, data: QMimeData) -> Path | None:
        """Return the first script among dropped files."""
        for url in data.urls():
            path = Path(url.toLocalFile())
            if url.isLocalFile() and is_script_file(path):
                return path
        return None

    # --- saving -----------------------------------------------------------------------------

    async def save(self) -> bool:
        """Save the text in its file, or ask for one; False if it was not saved.

        A file of the game's library is not written.
        """
        return await self._save(self._current())

    async def save_as(self) -> bool:
        """Ask for a file and save the text there; False if it was not saved."""
        return await self._save_as(self._current())

    async def _save(self, document: ScriptDocument) -> bool:
        path = document.script.path
        if path is None or _in_library(path):
            return await self._save_as(document)
        file = self.known_files.get(path)
        if path.is_file() and (file is None or file.change() is not FileChange.NOTHING):
            text = document.text.text()
            answer = choose_about_change(self._window, path.name)
            index = await self._while_shown(document, answer)
            if index is None:
                return False
            if document.text.text() != text:
                # The file was read again behind the question, which was about this text.
                document.text.replace(text)
            if index == 1:
                return await self._save_as(document)
        return self._save_to(path, document)

    async def _save_as(self, document: ScriptDocument) -> bool:
        script = document.script
        answer = choose_file_to_write(
            self._window,
            "Save script",
            script.path or Path(self._settings.last_directory) / script.name,
            self._filter(),
            suffix_of=lambda _name_filter: Path(script.name).suffix,
        )
        chosen = await self._while_shown(document, answer)
        return chosen is not None and self._save_to(chosen.path, document)

    def _save_to(self, path: Path, document: ScriptDocument) -> bool:
        if _in_library(path):
            self.message.emit(f"Not saved: {path.name} there is the game's. Choose another folder.")
            return False
        try:
            script = save_script(document.script, document.text.text(), path)
        except ProblemError as reason:
            self.message.emit(f"Not saved: {reason.problems[0].message}")
            return False
        with suppress(OSError):
            self.known_files[path] = KnownFile.of(path, encoded_script(script.original, path.name))
        document.set_script(script)
        document.text.setModified(False)
        self.remember(path)
        message = f"Saved the script {path.name}"
        if self._is_map_unsaved():
            message += "; Ctrl+S once more saves the map"
        self.message.emit(message)
        document.source_changed.emit()
        self.saved.emit()
        return True

    def remember(self, path: Path) -> None:
        """List a file among those opened lately."""
        self._settings.add_recent("scripts", path)
        self._settings.last_directory = str(path.parent)

    def _filter(self) -> str:
        return f"Scripts ({' '.join('*' + suffix for suffix in script_suffixes())})"


def _in_library(path: Path) -> bool:
    """Return whether a script file is one of its game's; False for a suffix that no system has."""
    try:
        host = script_host(path.name, str(path))
    except ProblemError:
        return False
    return host.in_library(path)
