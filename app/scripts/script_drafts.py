"""Keeps the unsaved edits of the script shown on the disk, at most a second behind."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import emit_from_work
from app.qt_guard import connect, disconnect
from app.scripts.kept_script import KeptScript
from app.scripts.scripts import Scripts
from randomizer.model.problems import ProblemError
from randomizer.storage.drafts import Draft, DraftFile

DELAY_MS = 400
"""From the first edit that is not on the disk until it is being written."""


class ScriptDrafts(QObject):
    """Writes a draft to the folder ``drafts`` of each script with unsaved edits that a map has.

    They are written on a worker thread. ``said(str)``: the disk refused it, once until it succeeds
    again.
    """

    said = Signal(str)
    _refused = Signal(str)

    def __init__(self, scripts: Scripts, drafts: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scripts, self._drafts = scripts, drafts
        self._files: dict[KeptScript, DraftFile] = {}
        self._failed = False
        self._worker = ThreadPoolExecutor(1, "script drafts")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        connect(self._timer.timeout, self._keep)
        self._connections = (
            (scripts.text.edited, self.keep_soon),
            (scripts.text.modificationChanged, self._on_modified),
            (scripts.settings_changed, self.keep_soon),
            (scripts.leaving, self._keep_now),
            (scripts.forgotten, self._forget),
        )
        for signal, slot in self._connections:
            connect(signal, slot)
        connect(self._refused, self.said)

    def keep_soon(self) -> None:
        """Write the draft of the script shown, if it is edited: it, or who has it, has changed."""
        if not self._timer.isActive():
            self._timer.start()

    def _on_modified(self, modified: bool) -> None:
        """Saved or undone: nothing is left to keep. Or edits begin, or another script is shown."""
        if modified:
            self.keep_soon()
        elif not self._scripts.showing:
            self._timer.stop()
            self._forget(self._scripts.kept)

    def _forget(self, kept: KeptScript) -> None:
        self._worker.submit(partial(self._drop, kept))

    def _keep_now(self) -> None:
        """Another map comes to the front: what is to be kept is kept now."""
        if self._timer.isActive():
            self._timer.stop()
            self._keep()

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
            self._scripts.map_keys(),
        )
        self._worker.submit(partial(self._write, self._scripts.kept, draft))

    def adopt(self, file: DraftFile) -> None:
        """Go on writing the draft of another session, whose script is shown now."""
        self._worker.submit(partial(self._adopt, self._scripts.kept, file))

    def end(self) -> None:
        """Delete the drafts: the program ends as its user wished."""
        self._timer.stop()
        for signal, slot in self._connections:  # closing maps and texts are changed, too
            disconnect(signal, slot)
        self._worker.submit(self._drop_all)
        self._worker.shutdown()

    # --- on the worker's thread -----------------------------------------------------------------

    def _write(self, kept: KeptScript, draft: Draft) -> None:
        try:
            if kept not in self._files or self._files[kept].is_gone():
                self._files[kept] = DraftFile.begin(self._drafts)
            self._files[kept].write(draft)
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

    def _adopt(self, kept: KeptScript, file: DraftFile) -> None:
        self._drop(kept)
        self._files[kept] = file

    def _drop(self, kept: KeptScript) -> None:
        file = self._files.pop(kept, None)
        if file is not None:
            file.delete()

    def _drop_all(self) -> None:
        for kept in tuple(self._files):
            self._drop(kept)
