"""A script that open maps show: one object however many maps show it.

``Scripts`` makes and finds the documents; the editor shows ``ScriptDocument.text``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.undo_history import UndoHistory, UndoStep
from app.scripts.script import Script
from app.scripts.script_text import ScriptText
from app.scripts.script_watch import ScriptWatch
from randomizer.generator import MapGenerator
from randomizer.model.problems import ProblemError
from randomizer.storage.disk.known_file import KnownFile

KnownFiles = dict[Path, KnownFile | None]
"""What is known of each script file that was read or written, to notice changes."""


class ScriptDocument(QObject):
    """A script with its edits, and the file or map in which it is stored.

    Most are stored in a file, or in none yet: such a text has its own undo, its file is watched and
    its unsaved edits are drafts (``ScriptDrafts``). With ``in_map`` it is stored in a record of the
    one map that shows it: the map has the undo steps, its journal the edits. The settings with
    which it is rolled belong to the maps that show it (``Scripts.settings``).
    """

    source_changed = Signal()
    """The script is stored elsewhere now, or was read again."""

    script: Script
    """The script as it was opened or saved."""

    def __init__(
        self, script: Script, known_files: KnownFiles, parent: QObject, *, in_map: bool = False
    ) -> None:
        super().__init__(parent)
        self.in_map = in_map
        """True if it is stored in a map."""
        self._known_files = known_files
        self._generator: tuple[Script, MapGenerator | None] | None = None
        """The script that ``generator`` was asked for last, and its generator."""
        self.names: set[str] = set()
        """All names that the script had here: a layer may have been rolled from it under any."""
        self._first_origin = script
        """The script that the text comes from before the first of ``_origins``."""
        self._origins: WeakKeyDictionary[UndoStep, Script] = WeakKeyDictionary()
        """The scripts that the text comes from after these undo steps of its map."""
        self.watch = ScriptWatch(self)
        self.text = ScriptText(self)
        """The text as it is now."""
        self.text.setUndoRedoEnabled(not in_map)
        self.text.show(script.text)
        self.set_script(script)

    @property
    def unsaved(self) -> bool:
        """True if the text was edited since it was opened or saved."""
        if self.in_map:
            # Qt takes colours for edits where a text has no undo of its own.
            return self.text.text() != self.script.text
        return self.text.isModified()

    @property
    def has_edits(self) -> bool:
        """True if it has another text than its file: one in a map is stored with the map."""
        is_edited = self.unsaved and not self.in_map
        return is_edited and self.text.text() != self.script.text

    @property
    def generator(self) -> MapGenerator | None:
        """The generator of the script as it was opened; None if no system has its suffix."""
        if self._generator is None or self._generator[0] is not self.script:
            try:
                self._generator = self.script, self.script.empty_generator()
            except ProblemError:
                self._generator = self.script, None
        return self._generator[1]

    @property
    def file(self) -> Path | None:
        """The absolute path of the file that it is stored in, None for none."""
        if self.in_map or self.script.path is None:
            return None
        return self.script.path.absolute()

    # --- its file ---------------------------------------------------------------------------

    def set_script(self, script: Script) -> None:
        """Note that the script was opened or saved as this one: its file is watched from now on.

        ``text`` stays as it is; who opens another text shows it there.
        """
        self.script = script
        self.names.add(script.name)
        known_file = None
        if script.path is not None:
            known_file = self._known_files.get(script.path)
        self.watch.watch(script, known_file)

    def read_again(self, script: Script) -> None:
        """Take what the file holds now; the text's undo takes it back."""
        self.set_script(replace(script, settings=self.script.settings))
        self.text.replace(script.text)
        self.source_changed.emit()

    def take_newer(self) -> Script:
        """Return the script that the file holds now, which is no news from now on."""
        assert self.watch.newer is not None
        script, known_file = self.watch.newer
        assert script.path is not None
        self._known_files[script.path] = known_file
        self.watch.newer = None
        return script

    # --- a script in a map ------------------------------------------------------------------

    def note_origin(self, history: UndoHistory, script: Script) -> None:
        """Note that the text comes from this script since the last undo step that is done."""
        if history.next_undo is None:
            self._first_origin = script
        else:
            self._origins[history.next_undo] = script

    def origin(self, history: UndoHistory) -> Script:
        """Return the script that the text comes from after the undo steps that are done."""
        done_steps = history.steps[: history.index]
        for step in reversed(done_steps):
            if step in self._origins:
                return self._origins[step]
        return self._first_origin
