"""Shows scripts that no file holds: new ones, and edits that another session left as a *draft*.

``Scripts.new_scripts`` is the one ``NewScripts``. Neither kind ever takes the place of a script
that somebody needs: where the current map has one to keep, another map becomes the current one.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.scripts.new_maps import NewMapResult, NewMaps
from app.scripts.script import Script, script_of_draft, with_lf
from app.scripts.shown_script import ShownScript
from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError
from randomizer.storage.journal.drafts import Draft


class _NewScriptMap(Enum):
    """The map with which a new script is shown."""

    ROLLED_MAP = auto()
    """A new map that holds the script, rolled from it."""

    EMPTY_MAP = auto()
    """A new map; the current one holds work, and stays with its script."""

    IN_PLACE = auto()
    """An empty map in place of the current one, which is of another system and holds nothing."""

    CURRENT_MAP = auto()
    """The current map, which holds nothing."""


class NewScripts:
    """Shows new scripts and drafts, each with a map that has room for it."""

    def __init__(self, scripts: ShownScript, document: MapDocument, new_maps: NewMaps) -> None:
        self._scripts = scripts
        self._document = document
        self._new_maps = new_maps

    # --- new scripts -------------------------------------------------------------------------

    async def open_new(self, source: SourceText) -> None:
        """Show a new script, which has no file yet.

        It uses the current map only if that is of its kind and holds no work. Any other current map
        stays with its script, and a map of its own becomes the current one: a rolled map if maps of
        that kind hold their script, else an empty one.
        """
        script = Script(source.name, with_lf(source.text), texts=source.texts)
        previous_map = self._document.current_map
        previous_name = self._document.name_of(previous_map)
        if not previous_map.holds_work and not await self._scripts.unsaved.ask_before_replacing():
            return

        is_rolled = await self._show_new(script)
        self._scripts.new_shown.emit()
        if not is_rolled:
            return  # why is told already

        has_other_map = previous_map is not self._document.current_map
        if has_other_map and previous_map in self._document.maps:
            text = (
                f"{script.name} is new and has a map of its own; {previous_name} stays in its tab"
            )
        else:
            text = f"{script.name} is new, and not saved in a file yet"
        self._scripts.message.emit(text)

    async def _show_new(self, script: Script) -> bool:
        """Show a new script with its map; return False if that had to be rolled, and failed."""
        system = script.empty_generator().system
        match self._map_for_new(script):
            case _NewScriptMap.ROLLED_MAP:
                result = await self._new_maps.roll(new_map(system), script)
                return result is not NewMapResult.FAILED
            case _NewScriptMap.EMPTY_MAP:
                self._new_maps.open_empty(script)
                self._scripts.show_script(script)
            case _NewScriptMap.IN_PLACE:
                self._document.show_map(new_map(system))
                self._scripts.show_script(script)
            case _NewScriptMap.CURRENT_MAP:
                settings = {**self._scripts.settings_of_map(), **self._scripts.settings.values}
                self._scripts.show_script(replace(script, settings=settings))
        return True

    def _map_for_new(self, script: Script) -> _NewScriptMap:
        """Return the map with which a new script is shown."""
        system = script.empty_generator().system
        current_map = self._document.current_map
        if system.script_record:
            return _NewScriptMap.ROLLED_MAP
        if current_map.holds_work:
            return _NewScriptMap.EMPTY_MAP
        if system is not current_map.battlemap.system:
            return _NewScriptMap.IN_PLACE
        return _NewScriptMap.CURRENT_MAP

    # --- drafts ------------------------------------------------------------------------------

    async def show_draft(self, draft: Draft) -> bool:
        """Show a script with edits that another session left; False if edits are to be kept.

        It is given to its maps, the first of which becomes the current one. If none of them is open
        it is given to the current map, or to a new one where that has another script to keep.
        """
        script = script_of_draft(draft)
        maps = [open_map for open_map in self._document.maps if open_map.key in draft.maps]
        if maps:
            self._document.make_current(maps[0])
            if not await self._scripts.unsaved.ask_before_replacing():
                return False
        else:
            self._make_room_for(script)
        document = self._scripts.new_document(script, in_map=self._scripts.map_script.in_map)
        for open_map in maps:
            self._scripts.documents.show(open_map, document)
        self._scripts.show_document(document, script.settings)
        document.text.replace(draft.text)
        document.text.setModified(True)
        # The maps were compared with the script as it was opened: they may be of the edited text.
        self._scripts.script_changed.emit()
        return True

    def _make_room_for(self, script: Script) -> None:
        """Open a new map for a script where the current one has another script to keep."""
        system = self._document.battlemap.system
        with suppress(ProblemError):  # no system has its suffix: the roll says so
            system = script.empty_generator().system
        is_other_system = system is not self._document.battlemap.system
        if is_other_system or self._scripts.current.unsaved or self._scripts.current.in_map:
            self._document.open_map(new_map(system))
