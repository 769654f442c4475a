"""Opens and saves the current script, with the questions about its edits and its file.

``Scripts`` has one ``ScriptFiles``; begin with ``ask_about_edits``, ``read`` and ``save``. Methods
that ask the user are coroutines, run by ``background.actions``.
"""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.background.actions import Stopped
from app.document.document import MapDocument
from app.scripts.script import (
    ReadScript,
    Script,
    known_file_of,
    read_script_file,
)
from app.scripts.script_document import ScriptDocument
from app.scripts.script_saving import save_script
from app.scripts.shown_documents import ShownDocuments
from app.settings import Settings
from app.widgets.dialogs.choice import ChangeAnswer, ask, choose_about_change
from app.widgets.dialogs.files import choose_file, choose_file_to_write
from app.widgets.layout.builders import plain_text
from randomizer.catalog.file_kinds import is_script_file
from randomizer.catalog.script_files import encoded_script
from randomizer.catalog.scripts import script_host, script_suffixes
from randomizer.model.problems import ProblemError
from randomizer.reading.files import suffix_of
from randomizer.storage.disk.known_file import FileChange, KnownFile

Answer = QMessageBox.StandardButton
T = TypeVar("T")


class ScriptFiles(QObject):
    """Reads script files, and saves the current document of ``documents``.

    A question about a document raises Stopped if no map shows it any more after the answer.
    ``window`` is the parent of dialogs.
    """

    message = Signal(str)
    """A message for the status bar."""
    saved = Signal()
    """The text was written into its file."""

    def __init__(
        self,
        document: MapDocument,
        documents: ShownDocuments,
        settings: Settings,
        parent: QObject,
        window: QWidget | None,
    ) -> None:
        super().__init__(parent)
        self._map_document = document
        self._documents = documents
        self._window = window
        self._settings = settings
        self._scripts_with_files: dict[tuple[str, str], Script] = {}
        """The scripts of ``note_file``, by their names and texts."""
        self.known_files = documents.known_files
        """What is known of each file since the desk last read or wrote it."""

    def note_file(self, script: Script) -> None:
        """Note the file of a script, if it has one, for ``with_file``."""
        if script.path is not None:
            self._scripts_with_files[script.name, script.text] = script

    def note_read(self, script: Script) -> None:
        """Note what is known of a script's file that another part of the program has read."""
        if script.path is not None:
            self.known_files[script.path] = known_file_of(script.path)

    def note_opened(self, path: Path, read: ReadScript) -> None:
        """Note that a person has opened a script file: what is known of it, and as a recent one."""
        self.known_files[path] = read.known_file
        self.remember(path)

    def with_file(self, script: Script, map_file: Path | None) -> Script:
        """Return a script with its file: one that was noted, one beside the map, or a recent one.

        ``map_file`` is the file of the map that was rolled from the script, None if it has none.
        The recent files count whatever their names are, as a script can be saved under another name
        after the roll. If none of these has the same text, return the script itself.
        """
        noted_script = self._scripts_with_files.get((script.name, script.text))
        if noted_script is not None:
            return noted_script
        if script.packaged is not None:
            return script
        script_of_file: Script | None = None
        if map_file is not None:
            script_of_file = self.beside(map_file, script.name)
        if script_of_file is None or script_of_file.text != script.text:
            script_of_file = self._recent_script(script)
        if script_of_file is None:
            return script
        return replace(script_of_file, settings=script.settings)

    def _recent_script(self, script: Script) -> Script | None:
        """Return the recent script file that has the text of a script, None if there is none."""
        for path in self._settings.recent("scripts"):
            if suffix_of(path.name) != suffix_of(script.name) or not path.is_file():
                continue
            recent_script = self._read_quietly(path)
            if recent_script is not None and recent_script.text == script.text:
                return recent_script
        return None

    def beside(self, map_file: Path, name: str) -> Script | None:
        """Return the script of a file name in the folder of a map's file, None if none is there.

        What is known of its file is noted.
        """
        path = map_file.parent / name
        # A name from a map file can lead to another folder: only the map's own folder is read.
        is_beside = path.parent == map_file.parent and path.is_file()
        if not is_beside or not is_script_file(path):
            return None
        return self._read_quietly(path)

    def _read_quietly(self, path: Path) -> Script | None:
        """Return the script in a file, None if it cannot be read; what is known of it is noted."""
        try:
            read = read_script_file(path)
        except ProblemError:
            return None
        self.known_files[path] = read.known_file
        return read.script

    async def ask_about_edits(self) -> bool:
        """Return whether the current script may be replaced; the user is asked about its edits.

        If the user answers so, they are saved first.
        """
        document = self._documents.current
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
        """Return what is awaited; raise Stopped if no open map shows the document after that."""
        value = await waiting
        if document not in self._documents:
            raise Stopped
        return value

    # --- opening ----------------------------------------------------------------------------

    def read(self, path: Path) -> ReadScript | None:
        """Return the script in a file.

        If it cannot be read, ``message`` is emitted and the result is None; a missing file is no
        longer listed among the recent ones.
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
        """Return the first script file among dropped files, None if there is none."""
        for url in data.urls():
            path = Path(url.toLocalFile())
            if url.isLocalFile() and is_script_file(path):
                return path
        return None

    # --- saving -----------------------------------------------------------------------------

    async def save(self) -> bool:
        """Save the text in its file; return whether it was saved.

        The user is asked for a file if it has none, or if that is in the library of its game.
        """
        return await self._save(self._documents.current)

    async def save_as(self) -> bool:
        """Ask for a file and save the text there; return whether it was saved."""
        return await self._save_as(self._documents.current)

    async def _save(self, document: ScriptDocument) -> bool:
        """Save a document as ``save``; ask first if another program has changed its file."""
        path = document.script.path
        if path is None or _in_library(path):
            return await self._save_as(document)
        file = self.known_files.get(path)
        if path.is_file() and (file is None or file.change_since() is not FileChange.UNCHANGED):
            text = document.text.text()
            question = choose_about_change(self._window, path.name)
            answer = await self._while_shown(document, question)
            if answer is None:
                return False
            if document.text.text() != text:
                # Meanwhile the file was read again. The answer was about the text before that: this
                # one is to be saved, and nothing of the person's work is lost.
                document.text.replace(text)
                document.text.setModified(True)  # it is unsaved until ``_save_to`` has written it
            if answer is ChangeAnswer.SAVE_ELSEWHERE:
                return await self._save_as(document)
        return self._save_to(path, document)

    async def _save_as(self, document: ScriptDocument) -> bool:
        """Ask for a file and save a document there; return whether it was saved."""
        script = document.script
        start = script.path
        if start is None:
            start = Path(self._settings.last_directory) / script.name

        def suffix_of(_name_filter: str) -> str:
            """Return the suffix for a name that the user types without one, by any filter."""
            return Path(script.name).suffix

        answer = choose_file_to_write(
            self._window, "Save script", start, self._filter(), suffix_of=suffix_of
        )
        chosen = await self._while_shown(document, answer)
        return chosen is not None and self._save_to(chosen.path, document)

    def _save_to(self, path: Path, document: ScriptDocument) -> bool:
        """Write a document to a file, which is its own from now on; return whether it was written.

        ``message`` tells the outcome.
        """
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
        if self._map_document.modified:  # who saves the script may think that the map is saved, too
            message += "; the map itself is not saved yet"
        self.message.emit(message)
        document.source_changed.emit()
        self.saved.emit()
        return True

    def remember(self, path: Path) -> None:
        """List a file among the recent ones, and begin the next file dialog in its folder."""
        self._settings.add_recent("scripts", path)
        self._settings.last_directory = str(path.parent)

    def _filter(self) -> str:
        """Return the name filter of file dialogs: "Scripts (*.rnd *.js)"."""
        patterns = " ".join(f"*{suffix}" for suffix in script_suffixes())
        return f"Scripts ({patterns})"


def _in_library(path: Path) -> bool:
    """Return whether a script file is in its game's library; False for an unknown suffix."""
    try:
        host = script_host(path.name, str(path))
    except ProblemError:
        return False
    return host.in_library(path)
