"""The text of a script that its map holds, in the editor and in the map: ``MapText``.

Maps of some systems hold their script themselves, such as worlds of Xconq their period. Then the
editor (``ScriptDocument.text``) and the map both have the text, and ``MapText`` keeps them equal::

    editor -> map    put_edited_text     after each edit of the editor
    map -> editor    _show_text          when Undo, a panel or a file has changed the map's text

Neither way answers the other: while a text is on its way into the map (``MapScript.pending``)
nothing goes back into the editor, and a text that the map holds already is not put there.

The text also has an *origin*: the script, with its file, that it was opened from or saved to last.
Each undo step can have another one, so Undo changes the file that is saved to, too.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.qt_guard import connect, later
from app.scripts.file_changes import FileChanges
from app.scripts.map_script import MapScript
from app.scripts.script import Script, with_lf
from app.scripts.shown_documents import ShownDocuments


class MapText(QObject):
    """Keeps the text of the current document equal to the one that the current map holds.

    Nothing happens while the current map holds no script (``ScriptDocument.in_map``).
    """

    origin_followed = Signal()
    """The text may come from another file now, or is another text of the same file."""

    def __init__(
        self,
        document: MapDocument,
        documents: ShownDocuments,
        map_script: MapScript,
        file_changes: FileChanges,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._documents = documents
        self._map_script = map_script
        self._file_changes = file_changes
        connect(map_script.changed, self._show_text)
        # With each of these the text can come from another file.
        connect(map_script.committed, self.follow_origin)
        connect(document.steps_changed, self.follow_origin)

    # --- the text ---------------------------------------------------------------------------

    def of(self, script: Script) -> str:
        """Return the text that the current map holds; that of ``script`` if it holds none."""
        text = self._map_script.text
        if text is None:
            return script.text
        return with_lf(text)

    def put_edited_text(self) -> None:
        """Put the text of the editor into the map, if the map holds the text."""
        current = self._documents.current
        if not current.in_map:
            return
        text = current.text.text()
        is_in_map_already = text == self.of(current.script)
        # A text on its way is replaced even by the one that the map has: it was edited back.
        if self._map_script.pending or not is_in_map_already:
            self._map_script.type_text(text)

    def _show_text(self) -> None:
        """Show in the editor the text that the map holds now."""
        current = self._documents.current
        if current.in_map and not self._map_script.pending:
            current.text.replace(self.of(current.script))
            later(self, self.follow_origin)  # undo steps are counted when they are done

    # --- its origin -------------------------------------------------------------------------

    def follow_origin(self) -> None:
        """Let the current document have the file that its text comes from now."""
        if not self._documents.current.in_map or self._map_script.pending:
            return
        self._set_script_of_origin()
        self.origin_followed.emit()

    def note_origin(self, script: Script) -> None:
        """Note that the text comes from a script since the last undo step, and follow that."""
        self._documents.current.note_origin(self._document.history, script)
        self.follow_origin()

    def note_saved_file(self) -> None:
        """Note the file that the text was saved in, also in the map if maps can name it."""
        script = self._documents.current.script
        if script.path is not None:
            battlemap = self._document.battlemap
            edit = battlemap.system.name_script_file(battlemap, script.path.name)
            # This can be an undo step, which has no origin yet: ``follow_origin`` then goes back to
            # the earlier file, until the file is noted for the step, too.
            self._document.push(edit, f"Save {script.path.name}")
        self.note_origin(script)

    def _set_script_of_origin(self) -> None:
        """Set the script of the current document to its origin, and watch the file of that."""
        current = self._documents.current
        origin = current.origin(self._document.history)
        if origin is not current.script:
            current.set_script(origin)
            self._file_changes.follow_or_offer()
