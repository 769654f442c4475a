"""Writes the unsaved edits of scripts to the disk as drafts, at most a second after each edit.

After a crash the next session offers the drafts of the last one. The application makes one
``ScriptDrafts``, and calls ``end`` when the program ends.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import emit_from_work
from app.qt_guard import connect, disconnect
from app.scripts.script_document import ScriptDocument
from app.scripts.scripts import Scripts
from randomizer.model.problems import ProblemError
from randomizer.storage.journal.drafts import Draft, DraftFile

DELAY_MS = 400
"""The pause from the first edit that is not on the disk until it is written."""


class ScriptDrafts(QObject):
    """Writes a draft of each document with unsaved edits to the folder ``drafts``.

    A worker thread writes them, so that a slow disk does not hold the window; the methods in the
    last section run there. Scripts that are stored in maps have no drafts: they are in the journals
    of the maps.
    """

    reported = Signal(str)
    """A draft could not be written: a message. It is emitted once until one is written again."""

    _refused = Signal(str)
    """``reported``, emitted on the worker's thread."""

    def __init__(self, scripts: Scripts, drafts: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scripts = scripts
        self._drafts = drafts
        self._written: dict[ScriptDocument, Draft] = {}
        """The drafts on the disk; only the worker uses it."""
        self._files: dict[ScriptDocument, DraftFile] = {}
        """Their files; only the worker uses it."""
        self._failed = False
        """True after a draft could not be written, until one is; only the worker uses it."""
        self._ended = False
        """True once ``end`` was called."""
        self._worker = ThreadPoolExecutor(1, "script drafts")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        connect(self._timer.timeout, self._write_drafts)
        self._connections = (
            (scripts.text_edited, self.write_soon),
            (scripts.settings.changed, self.write_soon),
            (scripts.shown, self.write_soon),
            (scripts.unsaved_changed, self._on_unsaved),
            (scripts.documents.forgotten, self._write_drafts),
        )
        for signal, slot in self._connections:
            connect(signal, slot)
        connect(self._refused, self.reported)

    def write_soon(self) -> None:
        """Write drafts soon: something of a document, or which maps show it, has changed."""
        if not self._timer.isActive():
            self._timer.start()

    def _on_unsaved(self, unsaved: bool) -> None:
        """Write the draft of a script with its first edit soon, delete that of a saved one now."""
        if unsaved:
            self.write_soon()
        else:
            self._write_drafts()

    def _write_drafts(self) -> None:
        """Let the worker write drafts that have changed, and delete those without unsaved edits."""
        self._timer.stop()
        drafts = {}
        for document in self._scripts.documents:
            if document.unsaved and not document.in_map:  # maps have journals
                drafts[document] = self._draft(document)
        self._worker.submit(self._write, drafts)

    def _draft(self, document: ScriptDocument) -> Draft:
        """Return the draft of a document as it is now."""
        script = document.script
        path = ""
        if script.path is not None:
            path = str(script.path.absolute())
        # Characters that UTF-8 cannot hold are replaced, as when the script is saved.
        text = document.text.text().encode("utf-8", "replace").decode()
        return Draft(
            name=script.name,
            path=path,
            text=text,
            opened=script.text,
            original=script.original,
            settings=dict(self._scripts.settings_of(document)),
            texts=dict(script.texts),
            maps=self._scripts.map_keys(document),
        )

    def adopt(self, file: DraftFile) -> None:
        """Take over the draft of another session for the current script, which came from it."""
        self._worker.submit(self._add_file, self._scripts.current, file)

    def end(self) -> None:
        """Delete the drafts: the program ends as its user wished. A second call does nothing."""
        if self._ended:
            return
        self._ended = True
        self._timer.stop()
        # Maps and texts that close emit these signals, too: they must write no drafts.
        for signal, slot in self._connections:
            disconnect(signal, slot)
        self._worker.submit(self._write, {})
        self._worker.shutdown()

    # --- on the worker's thread -----------------------------------------------------------------

    def _add_file(self, document: ScriptDocument, file: DraftFile) -> None:
        """Write the drafts of a document into this file from now on."""
        self._files[document] = file

    def _write(self, drafts: dict[ScriptDocument, Draft]) -> None:
        """Write those of these drafts that have changed, and delete all others."""
        for document in self._files.keys() - drafts.keys():
            self._written.pop(document, None)
            self._files.pop(document).delete()
        for document, draft in drafts.items():
            file = self._files.get(document)
            needs_file = file is None or file.is_gone()
            if draft == self._written.get(document) and not needs_file:
                continue
            try:
                if file is None or needs_file:
                    file = DraftFile.begin(self._drafts)
                    self._files[document] = file
                file.write(replace(draft, changed=time.time()))
                self._written[document] = draft
                self._failed = False
            except ProblemError as reason:
                self._report(draft.name, reason)

    def _report(self, name: str, reason: ProblemError) -> None:
        """Tell, once, that the draft of a script cannot be written."""
        if self._failed:
            return
        self._failed = True
        message = (
            f"The edits of {name} are not being kept for a crash: {reason.problems[0].message}. "
            "Save the script soon."
        )
        emit_from_work(self, self._refused, message)
