"""The texts of scripts in the saved projects of maps, beside or in place of script files.

A project holds the text of each script that a layer of its map was rolled from. So edits of a
script that no script file has are not lost once they were rolled and the project was saved::

    if project_texts.holds(open_map, script_document):
        ...  # closing the map loses nothing of the script

``ShownScript`` has one ``ProjectTexts``. Before scripts close ``UnsavedScripts`` asks it, the
head of the script panel shows its note, and the message after *Save* tells ``edits_in_project``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from weakref import WeakKeyDictionary

from app.document.document import MapDocument
from app.document.map_files import PROJECT_SUFFIX
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.scripts.script_document import ScriptDocument


class EditsInProject(Enum):
    """Where the edits of a script are stored that the script's own file lacks."""

    SAVED = auto()
    """The file of the project has them."""

    NEXT_SAVE = auto()
    """The map was rolled with them, so the next *Save* of the project writes them."""

    LEFT_OUT = auto()
    """The map was not rolled with them, so no *Save* of the project writes them."""


class ProjectTexts:
    """Knows the script texts in the project files of all open maps."""

    def __init__(
        self, document: MapDocument, document_of: Callable[[OpenMap], ScriptDocument | None]
    ) -> None:
        """``document_of`` returns the script that an open map shows, None if it shows none yet."""
        self._document = document
        self._script_of = document_of
        self._saved_texts: WeakKeyDictionary[OpenMap, tuple[str, ...]] = WeakKeyDictionary()
        """The texts in the file of each map, as it was last saved or read."""
        connect(document.map_replaced, self._note_saved_texts)
        connect(document.modified_changed, self._note_saved_texts)
        connect(document.maps_changed, self._note_saved_texts)
        self._note_saved_texts()

    def holds(self, open_map: OpenMap, script_document: ScriptDocument) -> bool:
        """Return whether the file of a map's project has the text of a script as it is now."""
        if not _has_project(open_map):
            return False
        return script_document.text.text() in self._saved_texts.get(open_map, ())

    def any_holds(self, script_document: ScriptDocument) -> bool:
        """Return whether the project of some map that shows a script has its text as it is now."""
        for open_map in self._document.maps:
            is_shown = self._script_of(open_map) is script_document
            if is_shown and self.holds(open_map, script_document):
                return True
        return False

    def holds_current(self) -> bool:
        """Return whether the project of the current map has the text of the script it shows."""
        open_map = self._document.current_map
        script_document = self._script_of(open_map)
        return script_document is not None and self.holds(open_map, script_document)

    def edits_in_project(self, open_map: OpenMap) -> EditsInProject | None:
        """Return where the edits of a map's script are.

        None if the script has no file or no edits, or if the map is in no project.
        """
        script_document = self._script_of(open_map)
        if script_document is None or script_document.script.path is None:
            return None
        if not script_document.has_edits or not _has_project(open_map):
            return None
        if self.holds(open_map, script_document):
            return EditsInProject.SAVED
        if script_document.text.text() in _rolled_texts(open_map):
            return EditsInProject.NEXT_SAVE
        return EditsInProject.LEFT_OUT

    def storage_note(self) -> str:
        """Return the note that the text of the current script is in the saved project only.

        "" if it is elsewhere, too: in a file, in the map itself, or in the program, as packaged
        scripts are; also if no project holds it.
        """
        script_document = self._script_of(self._document.current_map)
        if script_document is None or script_document.in_map or not self.holds_current():
            return ""
        script = script_document.script
        if script.path is not None:
            if script_document.has_edits:
                return "edits in the project only"
            return ""
        is_packaged = script.packaged is not None and not script_document.has_edits
        if is_packaged:
            return ""
        return "in the project only"

    def _note_saved_texts(self) -> None:
        """Note the texts of maps that are as they were saved; of others the former ones stay.

        This must not be called during a change of a map: its layers have changed then, but it does
        not count as unsaved yet. The signals that call it come after the changes.
        """
        for open_map in self._document.maps:
            if not open_map.unsaved:
                self._saved_texts[open_map] = _rolled_texts(open_map)


def _has_project(open_map: OpenMap) -> bool:
    """Return whether the file of a map is a project."""
    return open_map.path is not None and open_map.path.suffix == PROJECT_SUFFIX


def _rolled_texts(open_map: OpenMap) -> tuple[str, ...]:
    """Return the texts of the scripts that the layers of a map were rolled from."""
    texts = []
    for layer in open_map.battlemap.layers:
        if layer.roll is not None:
            texts.append(layer.roll.script)
    return tuple(texts)
