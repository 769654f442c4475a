"""Questions about edits of scripts that would be lost: a map closes, or gets another script.

``Scripts`` has one ``UnsavedScripts``, and asks it before a map closes (``may_close``), before the
program ends (``may_close_all``) and before a map gets another script (``may_replace``).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress
from weakref import WeakKeyDictionary

from app.background.actions import Stopped
from app.document.document import MapDocument
from app.document.map_files import PROJECT_SUFFIX
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.script_document import ScriptDocument
from app.scripts.script_files import ScriptFiles
from app.scripts.text_follower import TextFollower


class UnsavedScripts:
    """Finds scripts with edits that no file holds, and asks the user what to do with them.

    Edits are not lost of a script that is stored in a map, nor of a text that was rolled into a
    map whose project is saved: the project holds it. ``document_of`` returns the document that an
    open map shows, None if it shows none yet.
    """

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        files: ScriptFiles,
        follower: TextFollower,
        document_of: Callable[[OpenMap], ScriptDocument | None],
    ) -> None:
        self._document = document
        self._rolling = rolling
        self._files = files
        self._follower = follower
        self._document_of = document_of
        self._stored_texts: WeakKeyDictionary[OpenMap, tuple[str, ...]] = WeakKeyDictionary()
        """The script texts of the rolls in the project of each map, as it was last saved or read.
        """
        connect(document.map_replaced, self._note_stored_texts)
        connect(document.modified_changed, self._note_stored_texts)
        connect(document.maps_changed, self._note_stored_texts)
        self._note_stored_texts()

    # --- maps that close --------------------------------------------------------------------

    async def may_close_all(self) -> bool:
        """Ask what to do with unsaved edits of all scripts; return whether the program may end.

        Scripts of maps that are opened while it asks are asked about, too. A script that is saved
        for this is not rolled again: the user has decided about the maps before.
        """
        documents_asked_about: set[ScriptDocument] = set()
        with self._follower.paused():
            while True:
                open_map = self._map_with_edits(documents_asked_about)
                if open_map is None:
                    self._rolling.cancel()
                    return True
                document = self._document_of(open_map)
                assert document is not None, "it has edits"
                documents_asked_about.add(document)
                # Stopped: the map was closed during the question, which asked about its script.
                with suppress(Stopped):
                    if not await self._may_leave(open_map):
                        return False

    async def may_close(self, open_map: OpenMap) -> bool:
        """Return whether one of several maps may close.

        The user is asked about its script if no other map shows it.
        """
        with self._follower.paused():
            return self.is_shared(open_map) or await self._may_leave(open_map)

    def _map_with_edits(self, excluded: Set[ScriptDocument]) -> OpenMap | None:
        """Return the first map whose script has edits that would be lost, None if there is none.

        The documents ``excluded`` do not count.
        """
        for open_map in self._document.maps:
            document = self._document_of(open_map)
            if document is None or document in excluded:
                continue
            if document.has_edits and not self._is_in_any_project(document):
                return open_map
        return None

    async def _may_leave(self, open_map: OpenMap) -> bool:
        """Return whether the edits of a map's script may be lost; if there are any, ask the user.

        The map is made the current one for that, and the roll under way is cancelled.
        """
        document = self._document_of(open_map)
        if document is None or not document.has_edits or self._is_in_project(open_map, document):
            return True
        self._document.make_current(open_map)
        self._rolling.cancel()  # the map itself was asked about before
        return await self._document.while_open(open_map, self._files.may_replace())

    # --- another script ---------------------------------------------------------------------

    async def may_replace(self, next_document: ScriptDocument | None = None) -> bool:
        """Return whether the current map may show another script.

        ``next_document`` is the document of the file to be read, None if no map shows that. The
        user is asked about unsaved edits if no other map shows them, or if they are of that very
        file, which is read again. After a yes the map is the current one again.
        """
        open_map = self._document.current_map
        is_read_again = next_document is not None and next_document is self._document_of(open_map)
        if self.is_shared(open_map) and not is_read_again:
            return True
        may_replace = await self._document.while_open(open_map, self._files.may_replace())
        if may_replace:
            self._document.make_current(open_map)
        return may_replace

    # --- edits in projects ------------------------------------------------------------------

    def is_shared(self, open_map: OpenMap) -> bool:
        """Return whether another map shows the script of a map, too."""
        document = self._document_of(open_map)
        for other_map in self._document.maps:
            if other_map is not open_map and self._document_of(other_map) is document:
                return True
        return False

    def edits_in_project(self, open_map: OpenMap) -> str:
        """Return the name of the map's script if only the saved project holds its edits, else "".

        "" also for a script without edits, or without a file.
        """
        document = self._document_of(open_map)
        if document is None or document.script.path is None or not document.has_edits:
            return ""
        if not self._is_in_project(open_map, document):
            return ""
        return document.script.name

    def edits_beside_project(self, open_map: OpenMap) -> str:
        """Return the name of the map's script if its edits would not be in the project, else "".

        "" also for a map without a project, and for a script without edits or a file.
        """
        document = self._document_of(open_map)
        if document is None or document.script.path is None or not document.has_edits:
            return ""
        if not _has_project(open_map) or _is_rolled(open_map, document):
            return ""
        return document.script.name

    def text_in_project(self) -> str:
        """Return the note that only the saved project holds the text of the current script.

        "" if that is not so: a file holds the text, too, it came with the program, or nothing has
        saved it.
        """
        open_map = self._document.current_map
        document = self._document_of(open_map)
        if document is None or document.in_map or not self._is_in_project(open_map, document):
            return ""
        if document.script.path is not None and document.has_edits:
            return "edits in the project only"
        is_packaged_text = document.script.packaged is not None and not document.has_edits
        if document.script.path is None and not is_packaged_text:
            return "in the project only"
        return ""

    def is_in_project(self) -> bool:
        """Return whether the saved project of the current map holds the text of its script."""
        open_map = self._document.current_map
        document = self._document_of(open_map)
        return document is not None and self._is_in_project(open_map, document)

    def _note_stored_texts(self) -> None:
        """Note which texts the projects of maps hold that are as they were saved.

        What was changed of a map since then does not matter. This must not be asked for during a
        change: the layers have changed then, and the history does not know it yet.
        """
        for open_map in self._document.maps:
            if not open_map.unsaved:
                rolls = (layer.roll for layer in open_map.battlemap.layers)
                texts = tuple(roll.script for roll in rolls if roll is not None)
                self._stored_texts[open_map] = texts

    def _is_in_project(self, open_map: OpenMap, document: ScriptDocument) -> bool:
        """Return whether the file of a map's project holds the text of a document as it is now."""
        if not _has_project(open_map):
            return False
        return document.text.text() in self._stored_texts.get(open_map, ())

    def _is_in_any_project(self, document: ScriptDocument) -> bool:
        """Return whether the saved project of any map that shows a document holds its text."""
        for open_map in self._document.maps:
            if self._document_of(open_map) is document and self._is_in_project(open_map, document):
                return True
        return False


def _has_project(open_map: OpenMap) -> bool:
    """Return whether a map is stored in a project."""
    return open_map.path is not None and open_map.path.suffix == PROJECT_SUFFIX


def _is_rolled(open_map: OpenMap, document: ScriptDocument) -> bool:
    """Return whether a layer of a map was rolled from the text of a document as it is now."""
    text = document.text.text()
    rolls = (layer.roll for layer in open_map.battlemap.layers)
    return any(roll is not None and roll.script == text for roll in rolls)
