"""Keeps the unsaved edits of scripts on the disk, at most a second behind.

After a crash the next session offers the drafts that are there. The application makes one
``ScriptDrafts`` and ends it when the program ends.
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
"""From the first edit that is not on the disk until it is being written."""


class ScriptDrafts(QObject):
    """Writes a draft to the folder ``drafts`` of each document with unsaved edits.

    They are written on a worker thread; what a map holds is in the map's journal.
    """

    reported = Signal(str)
    """The disk refused a draft: a message, once until writing succeeds again."""

    _refused = Signal(str)
    """The same, emitted on the worker's thread."""

    def __init__(self, scripts: Scripts, drafts: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scripts = scripts
        self._drafts = drafts
        self._written: dict[ScriptDocument, Draft] = {}
        """The drafts that are on the disk; used by the worker alone."""
        self._files: dict[ScriptDocument, DraftFile] = {}
        """Their files; used by the worker alone."""
        self._failed = False
        """True from a refusal of the disk on, until writing succeeds; used by the worker alone."""
        self._ended = False
        self._worker = ThreadPoolExecutor(1, "script drafts")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        connect(self._timer.timeout, self._keep)
        self._connections = (
            (scripts.text_edited, self.keep_soon),
            (scripts.settings.changed, self.keep_soon),
            (scripts.shown, self.keep_soon),
            (scripts.unsaved_changed, self._on_unsaved),
            (scripts.forgotten, self._keep),
        )
        for signal, slot in self._connections:
            connect(signal, slot)
        connect(self._refused, self.reported)

    def keep_soon(self) -> None:
        """Write drafts soon: something of a document, or which maps show it, has changed."""
        if not self._timer.isActive():
            self._timer.start()

    def _on_unsaved(self, unsaved: bool) -> None:
        """Edits begin; or it was saved, or they were undone: nothing is left to keep."""
        if unsaved:
            self.keep_soon()
        else:
            self._keep()

    def _keep(self) -> None:
        """Write the drafts that have changed, delete those of what has no unsaved edits."""
        self._timer.stop()
        drafts = {}
        for document in self._scripts.documents:
            if document.unsaved and not document.in_map:  # maps have journals
                drafts[document] = self._draft(document)
        self._worker.submit(self._write, drafts)

    def _draft(self, document: ScriptDocument) -> Draft:
        """Return the draft of a document as it is now."""
        script = document.script
        # As saving does: what UTF-8 cannot hold is replaced.
        text = document.text.text().encode("utf-8", "replace").decode()
        return Draft(
            script.name,
            "" if script.path is None else str(script.path.absolute()),
            text,
            script.text,
            script.original,
            dict(self._scripts.settings_of(document)),
            dict(script.texts),
            maps=self._scripts.map_keys(document),
        )

    def adopt(self, file: DraftFile) -> None:
        """Go on writing the draft of another session, whose script is the current one."""
        self._worker.submit(self._files.__setitem__, self._scripts.current, file)

    def end(self) -> None:
        """Delete the drafts: the program ends as its user wished. A second call does nothing."""
        if self._ended:
            return
        self._ended = True
        self._timer.stop()
        for signal, slot in self._connections:  # closing maps and texts are changed, too
            disconnect(signal, slot)
        self._worker.submit(self._write, {})
        self._worker.shutdown()

    # --- on the worker's thread -----------------------------------------------------------------

    def _write(self, drafts: dict[ScriptDocument, Draft]) -> None:
        """Write these drafts where they have changed, and delete the others."""
        for document in self._files.keys() - drafts.keys():
            self._written.pop(document, None)
            self._files.pop(document).delete()
        for document, draft in drafts.items():
            file = self._files.get(document)
            if draft == self._written.get(document) and file is not None and not file.is_gone():
                continue
            try:
                if file is None or file.is_gone():
                    file = self._files[document] = DraftFile.begin(self._drafts)
                file.write(replace(draft, changed=time.time()))
                self._written[document] = draft
                self._failed = False
            except ProblemError as reason:
                self._report(draft.name, reason)

    def _report(self, name: str, reason: ProblemError) -> None:
        if not self._failed:
            self._failed = True
            emit_from_work(
                self,
                self._refused,
                f"The edits of {name} are not being kept for a crash: "
                f"{reason.problems[0].message}. Save the script soon.",
            )
