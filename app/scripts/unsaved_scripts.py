"""Questions about edits of scripts that would be lost: a map closes, or gets another script.

``ShownScript`` has one ``UnsavedScripts``, which is called before a map closes
(``ask_before_closing``), before the program ends (``ask_before_quitting``) and before a map gets
another script (``ask_before_replacing``). *Edits* are those that the script's file lacks. About an
untouched map it does not ask: if its script has edits, it stays open beside the next one.

Several maps can show the same script; their edits are lost only when the last of them closes.
Edits are not lost either if the map holds its script itself, or if its saved project has the text
(``ProjectTexts``).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress

from app.background.actions import Stopped
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.rolling.rolling import Rolling
from app.scripts.project_texts import ProjectTexts
from app.scripts.script_document import ScriptDocument
from app.scripts.script_files import ScriptFiles
from app.scripts.text_follower import TextFollower


class UnsavedScripts:
    """Finds scripts with edits that no file holds, and asks the user what to do with them."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        files: ScriptFiles,
        follower: TextFollower,
        project_texts: ProjectTexts,
        document_of: Callable[[OpenMap], ScriptDocument | None],
    ) -> None:
        """``document_of`` returns the script that an open map shows, None if it shows none yet."""
        self._document = document
        self._rolling = rolling
        self._files = files
        self._follower = follower
        self._project_texts = project_texts
        self._document_of = document_of
        document.reasons_to_stay.append(self._are_edits_lost_with)

    # --- maps that close --------------------------------------------------------------------

    async def ask_before_quitting(self) -> bool:
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
                with suppress(Stopped):  # the map was closed meanwhile, which has asked about it
                    if not await self._ask_before_leaving(open_map):
                        return False

    async def ask_before_closing(self, open_map: OpenMap) -> bool:
        """Return whether one of several maps may close.

        The user is asked about its script if no other map shows it. Raises Stopped if the map is
        closed during the question.
        """
        with self._follower.paused():
            return self.is_shared(open_map) or await self._ask_before_leaving(open_map)

    def _map_with_edits(self, excluded: Set[ScriptDocument]) -> OpenMap | None:
        """Return the first map whose script has edits that would be lost, None if there is none.

        The documents ``excluded`` do not count.
        """
        for open_map in self._document.maps:
            document = self._document_of(open_map)
            if document is None or document in excluded:
                continue
            # It is enough if one of the maps that show the script has its text in its project.
            if document.has_edits and not self._project_texts.any_holds(document):
                return open_map
        return None

    def _are_edits_lost_with(self, open_map: OpenMap, next_map: OpenMap) -> bool:
        """Return whether edits of a map's script are lost if another map takes its place."""
        document = self._document_of(open_map)
        if document is None or not document.has_edits or self.is_shared(open_map):
            return False
        return not _will_show(next_map, document, open_map)

    async def _ask_before_leaving(self, open_map: OpenMap) -> bool:
        """Return whether the edits of a map's script may be lost; if there are any, ask the user.

        The map is made the current one for that, and the roll under way is cancelled. Raises
        Stopped if the map is closed during the question.
        """
        document = self._document_of(open_map)
        if document is None or not document.has_edits:
            return True
        if self._project_texts.holds(open_map, document):
            return True
        self._document.make_current(open_map)
        self._rolling.cancel()  # the map itself was asked about before
        return await self._document.while_open(open_map, self._files.ask_about_edits())

    # --- another script ---------------------------------------------------------------------

    async def ask_before_replacing(self, next_document: ScriptDocument | None = None) -> bool:
        """Return whether the current map may show another script; the user is asked if it matters.

        ``next_document`` is the document of the file to be read, None if no map shows that. The
        question is about unsaved edits. It comes if no other map shows them, or if they are of that
        very file, which is read again. After a yes the map is the current one again.
        """
        open_map = self._document.current_map
        is_read_again = next_document is not None and next_document is self._document_of(open_map)
        if self.is_shared(open_map) and not is_read_again:
            return True
        is_agreed = await self._document.while_open(open_map, self._files.ask_about_edits())
        if is_agreed:
            self._document.make_current(open_map)
        return is_agreed

    def is_shared(self, open_map: OpenMap) -> bool:
        """Return whether another map shows the script of a map, too."""
        document = self._document_of(open_map)
        if document is None:
            return False
        for other_map in self._document.maps:
            if other_map is not open_map and self._document_of(other_map) is document:
                return True
        return False


def _will_show(next_map: OpenMap, document: ScriptDocument, shown_by: OpenMap) -> bool:
    """Return whether a map that was just opened will show a script, as the map before it does.

    It will if it was rolled from the very text; and if it was not rolled, names no script itself
    and is of the same system. (False where that is not certain.)
    """
    rolls = [layer.roll for layer in next_map.battlemap.layers if layer.roll is not None]
    if rolls:
        return any(roll.script == document.text.text() for roll in rolls)
    system = next_map.battlemap.system
    return system is shown_by.battlemap.system and not system.script_file(next_map.battlemap)
