"""The document of a script that open maps show: one object, however many maps show the script.

``Scripts`` makes and finds the documents; the editor shows ``ScriptDocument.text``.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
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
"""What is known of each script file that was read or written, to notice changes.

None for a file that could not be read for that.
"""


class _ReadGenerator(NamedTuple):
    """The generator of a script, which is read once for each script that a document has."""

    script: Script

    generator: MapGenerator | None
    """None if no system has the suffix of the script."""


class ScriptDocument(QObject):
    """A script with its edits, and the file or map in which it is stored.

    Most are stored in a file, or in none yet: such a text has its own undo, its file is watched and
    its unsaved edits are drafts (``ScriptDrafts``). With ``in_map`` it is stored in a record of the
    one map that shows it: the map has the undo steps, its journal the edits. The settings with
    which it is rolled belong to the maps that show it (``Scripts.settings``).
    """

    source_changed = Signal()
    """The script was saved under another path, or its file was read again."""

    script: Script
    """The script as it was opened or saved."""

    def __init__(
        self, script: Script, known_files: KnownFiles, parent: QObject, *, in_map: bool = False
    ) -> None:
        super().__init__(parent)
        self.in_map = in_map
        """True if it is stored in a map."""
        self._known_files = known_files
        self._read_generator: _ReadGenerator | None = None
        """The generator that was read last, None for none."""
        self.names: set[str] = set()
        """All names that the script has had: a layer may have been rolled from it under any."""
        self._first_origin = script
        """The script that the text of a map comes from at first.

        If step 3 brings the text of another file, that one is in ``_origins`` for step 3, and Undo
        of the step makes this one count again.
        """
        self._origins: WeakKeyDictionary[UndoStep, Script] = WeakKeyDictionary()
        """The scripts that the text comes from since these undo steps of its map."""
        self.watch = ScriptWatch(self)
        self.text = ScriptText(self)
        """The text as it is now."""
        self.text.setUndoRedoEnabled(not in_map)
        self.text.show(script.text)
        self.set_script(script)

    @property
    def unsaved(self) -> bool:
        """True if the text was edited since it was opened or saved, or differs from that in a map.

        An edit that was typed and then taken back by hand counts as well, but in a map.
        """
        if self.in_map:
            # Qt takes colours for edits where a text has no undo of its own.
            return self.text.text() != self.script.text
        return self.text.isModified()

    @property
    def has_edits(self) -> bool:
        """True if its text is not that of its file; False in a map, which stores any text."""
        is_edited = self.unsaved and not self.in_map
        return is_edited and self.text.text() != self.script.text

    @property
    def generator(self) -> MapGenerator | None:
        """The generator of the script as it was opened; None if no system has its suffix."""
        read = self._read_generator
        if read is None or read.script is not self.script:
            generator: MapGenerator | None = None
            with suppress(ProblemError):
                generator = self.script.empty_generator()
            read = _ReadGenerator(self.script, generator)
            self._read_generator = read
        return read.generator

    @property
    def file(self) -> Path | None:
        """The absolute path of the file that it is stored in, None for none."""
        if self.in_map or self.script.path is None:
            return None
        return self.script.path.absolute()

    # --- its file ---------------------------------------------------------------------------

    def set_script(self, script: Script) -> None:
        """Set ``script`` to one that was opened or saved, and watch its file from now on.

        ``text`` stays as it is; a caller that opens another text calls ``text.show``.
        """
        self.script = script
        self.names.add(script.name)
        known_file = None
        if script.path is not None:
            known_file = self._known_files.get(script.path)
        self.watch.watch(script, known_file)

    def show_reread(self, script: Script) -> None:
        """Show a script that was read from the file again, as a step of undo; its settings stay."""
        self.set_script(replace(script, settings=self.script.settings))
        self.text.replace(script.text)
        self.source_changed.emit()

    def accept_newer(self) -> Script:
        """Note that the file holds the newer script, which is not newer any more; return that.

        ``watch.newer`` must not be None.
        """
        assert self.watch.newer is not None
        script, known_file = self.watch.newer
        assert script.path is not None
        self._known_files[script.path] = known_file
        self.watch.newer = None
        return script

    # --- a script in a map ------------------------------------------------------------------

    def note_origin(self, history: UndoHistory, script: Script) -> None:
        """Note that the text comes from this script since the last undo step of its map."""
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
