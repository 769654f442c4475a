"""Keeps the unsaved edits of the script shown on the disk, at most a second behind."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import emit_from_work
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from randomizer.model.problems import ProblemError
from randomizer.storage.drafts import Draft, DraftFile

DELAY_MS = 400
"""From the first edit that is not on the disk until it is being written."""


class ScriptDrafts(QObject):
    """Writes a draft to the folder ``drafts`` while the script shown has unsaved edits.

    It is written on a worker thread. ``said(str)``: the disk refused it, once until it succeeds
    again.
    """

    said = Signal(str)
    _refused = Signal(str)

    def __init__(self, scripts: Scripts, drafts: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scripts, self._drafts = scripts, drafts
        self._file: DraftFile | None = None
        self._failed = False
        self._worker = ThreadPoolExecutor(1, "script drafts")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        connect(self._timer.timeout, self._keep)
        connect(scripts.text.edited, self._on_edited)
        connect(scripts.text.modificationChanged, self._on_modified)
        connect(scripts.settings_changed, self._on_edited)
        connect(self._refused, self.said)

    def _on_edited(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _on_modified(self, modified: bool) -> None:
        """Saved, discarded, undone: nothing is left to keep. Or edits begin."""
        if modified:
            self._on_edited()
        else:
            self._timer.stop()
            self._worker.submit(self._drop)

    def _keep(self) -> None:
        if not self._scripts.text.isModified() or self._scripts.files.in_map:
            return  # what a map holds is in the map's journal
        script = self._scripts.script
        # As saving does: what UTF-8 cannot hold is replaced.
        text = self._scripts.text.text().encode("utf-8", "replace").decode()
        draft = Draft(
            script.name,
            "" if script.path is None else str(script.path.absolute()),
            text,
            script.text,
            script.original,
            dict(self._scripts.settings),
            dict(script.texts),
            time.time(),
        )
        self._worker.submit(partial(self._write, draft))

    def adopt(self, file: DraftFile) -> None:
        """Go on writing the draft of another session, whose script is shown now."""
        self._worker.submit(partial(self._adopt, file))

    def end(self) -> None:
        """Delete the draft: the program ends as its user wished."""
        self._timer.stop()
        self._worker.submit(self._drop)
        self._worker.shutdown()

    # --- on the worker's thread -----------------------------------------------------------------

    def _write(self, draft: Draft) -> None:
        try:
            if self._file is None:
                self._file = DraftFile.begin(self._drafts)
            self._file.write(draft)
            self._failed = False
        except ProblemError as reason:
            if not self._failed:
                self._failed = True
                emit_from_work(
                    self,
                    self._refused,
                    f"The edits of {draft.name} are not being kept for a crash: "
                    f"{reason.problems[0].message}. Save the script soon.",
                )

    def _adopt(self, file: DraftFile) -> None:
        self._drop()
        self._file = file

    def _drop(self) -> None:
        if self._file is not None:
            self._file.delete()
            self._file = None
