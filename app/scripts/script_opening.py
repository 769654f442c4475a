"""Opens scripts: reads them, chooses the map that each is shown with, and rolls it where asked to.

``Scripts.opening`` is the one ``ScriptOpening``. A script is opened in one of two ways: for the
current map, or *beside* it, which then stays as it is. Some systems have *maps that hold their
script*, such as the worlds of Xconq their period. By that a map is chosen (``_MapChoice``)::

    the script               opened for the current map     opened beside it
    held, for this system    into the current map           into it if it is untouched, else a new
    held, for another one    into a new map                 into a new map
    not held                 with the current map, or with an empty one:
                             if that holds its script       and if it is a finished map

The new map for a held script is rolled from it at once. A finished map holds work, but no roll: a
roll would not replace that work, but cover it. A new script, which has no file yet, never takes the
place of a script whose map holds work (``open_new``).

A person who would lose unsaved edits of the script shown is asked first.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app.background.actions import run
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.rolled_new_maps import RolledNewMaps
from app.scripts.script import Script, script_of_draft, script_of_generator, with_lf
from app.scripts.shown_script import ShownScript
from randomizer.generator import MapGenerator
from randomizer.languages.language import SourceText
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.settings.metadata import GROUND_SETTINGS
from randomizer.storage.journal.drafts import Draft


class _MapChoice(Enum):
    """The map with which an opened script is shown."""

    INTO_CURRENT_MAP = auto()
    """The current map holds its script: this one takes its place, and the map is rolled from it."""

    INTO_NEW_MAP = auto()
    """A new map that holds the script, rolled from it."""

    WITH_CURRENT_MAP = auto()
    """The current map, which holds no script."""

    WITH_EMPTY_MAP = auto()
    """An empty map; the current one stays with its script."""


@dataclass(frozen=True)
class _HowToOpen:
    """What a person wants of a script that is opened."""

    own: bool
    """True for a script of the user's, False for a packaged one."""

    roll: bool
    """True if it is rolled, too, in place of the roll of the current map."""

    beside: bool
    """True if the current map stays as it is where the script, or its roll, would change it."""


class ScriptOpening(QObject):
    """Shows scripts that are opened, with the map that each belongs to."""

    def __init__(self, scripts: ShownScript, document: MapDocument, rolling: Rolling) -> None:
        super().__init__(scripts)
        self._scripts = scripts
        self._document = document
        self._rolling = rolling
        self._files = scripts.files
        self._documents = scripts.documents
        self._unsaved = scripts.unsaved
        self._new_maps = RolledNewMaps(scripts, document, rolling)
        self._coming_script: Script | None = None
        """The script that is on its way into the current map, None if none is."""
        connect(scripts.file_changes.map_text_read, self._give_file_to_map)

    # --- what a person opens -----------------------------------------------------------------

    async def ask_open(self) -> None:
        """Let a person choose a script file, and show it."""
        open_map = self._document.current_map
        title = "Open script"
        if self._scripts.current.in_map:
            title = f"Open {with_article(self._scripts.map_script.noun)} for this map"
        path = await self._document.while_open(open_map, self._files.ask_open(title))
        if path is not None:
            self._document.make_current(open_map)
            await self.open(path)

    async def open(self, path: Path, *, roll: bool = False, beside: bool = False) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept.

        With ``roll`` it is rolled, too, in place of the roll of the current map. With ``beside``
        the current map is kept as it is where the script, or its roll, would change it: the script
        gets another map. Raises ProblemError if it gets one and no system has its suffix.
        """
        # It is read before the question: a file that cannot be read needs none.
        read = self._files.read(path)
        if read is None:
            return False
        if not self._keeps_current_map(read.script, beside=beside):
            had_edits = self._scripts.current.unsaved
            if not await self._unsaved.may_replace(self._documents.of_file(path)):
                return False
            if had_edits:
                # The answer may have been to save the edits, into this very file.
                newer = self._files.read(path)
                if newer is not None:
                    read = newer
        self._files.known_files[path] = read.known_file
        self._files.remember(path)
        await self._show_opened(read.script, _HowToOpen(own=True, roll=roll, beside=beside))
        return True

    async def open_generator(
        self,
        generator: MapGenerator,
        path: Path | None = None,
        *,
        own: bool = False,
        roll: bool = False,
        beside: bool = False,
    ) -> bool:
        """Show, or roll, a script of the catalogue; False if unsaved edits are to be kept.

        ``path`` is the script's file if the user may change it. ``own`` is True for a script of the
        user's. For ``roll`` and ``beside`` see ``open``.
        """
        script = script_of_generator(generator, path)
        replaces_script = not self._keeps_current_map(script, beside=beside)
        document = self._documents.of_file(path)
        if replaces_script and not await self._unsaved.may_replace(document):
            return False
        self._files.note_read(script)
        await self._show_opened(script, _HowToOpen(own=own, roll=roll, beside=beside))
        return True

    async def open_new(self, source: SourceText) -> None:
        """Show a new script, which has no file yet.

        It uses the current map only if that is of its kind and holds no work. Any other current map
        stays with its script, and a map of its own becomes the current one: a rolled map if maps of
        that kind hold their script, else an empty one.
        """
        script = Script(source.name, with_lf(source.text), texts=source.texts)
        system = script.empty_generator().system
        previous_map = self._document.current_map
        previous_name = self._document.name_of(previous_map)
        map_holds_work = previous_map.holds_work
        if not map_holds_work and not await self._unsaved.may_replace():
            return

        if system.script_record:
            is_rolled = await self._new_maps.open(new_map(system), script)
            if not is_rolled:  # which was told
                self._scripts.new_shown.emit()
                return
        elif map_holds_work:
            self._open_empty_map(script)
            self._scripts.show_script(script)
        elif system is not previous_map.battlemap.system:
            self._document.show_map(new_map(system))  # in place of a map that holds nothing
            self._scripts.show_script(script)
        else:
            settings = {**self._scripts.settings_of_map(), **self._scripts.settings.values}
            self._scripts.show_script(replace(script, settings=settings))
        self._scripts.new_shown.emit()

        if previous_map in self._document.maps and previous_map is not self._document.current_map:
            self._scripts.message.emit(
                f"{script.name} is new and has a map of its own; {previous_name} stays in its tab"
            )
        else:
            self._scripts.message.emit(f"{script.name} is new, and not saved in a file yet")

    async def show_draft(self, draft: Draft) -> bool:
        """Show a script with edits that another session left; False if edits are to be kept.

        It is given to its maps, the first of which becomes the current one. If none of them is open
        it is given to the current map, or to a new one where that has another script to keep.
        """
        script = script_of_draft(draft)
        maps = [open_map for open_map in self._document.maps if open_map.key in draft.maps]
        if maps:
            self._document.make_current(maps[0])
            if not await self._unsaved.may_replace():
                return False
        else:
            self._make_room_for(script)
        document = self._scripts.new_document(script, in_map=self._scripts.map_script.in_map)
        for open_map in maps:
            self._documents.show(open_map, document)
        self._scripts.show_document(document, script.settings)
        document.text.replace(draft.text)
        document.text.setModified(True)
        return True

    def _give_file_to_map(self, script: Script) -> None:
        """Give the current map, which holds its script, the text that the script's file has now.

        Does nothing if a script of another file is on its way into the map, which takes its place.
        """
        coming_script = self._coming_script
        if coming_script is not None and coming_script.path != script.path:
            return
        script = replace(script, settings=self._scripts.script.settings)
        if self._choose_map(script, beside=False) is _MapChoice.INTO_CURRENT_MAP:
            run(self._load_and_note_origin(script, own=True))

    # --- the map of an opened script ---------------------------------------------------------

    def _choose_map(self, script: Script, *, beside: bool) -> _MapChoice:
        """Return the map for a script that is opened; see the table at the top."""
        current_map = self._document.current_map
        if script.is_held_by_maps:
            is_for_map = script.empty_generator().system is current_map.battlemap.system
            may_change_map = current_map.untouched or not beside
            if is_for_map and may_change_map:
                return _MapChoice.INTO_CURRENT_MAP
            return _MapChoice.INTO_NEW_MAP
        if self._scripts.current.in_map or (beside and self._is_finished_map()):
            return _MapChoice.WITH_EMPTY_MAP
        return _MapChoice.WITH_CURRENT_MAP

    def _is_finished_map(self) -> bool:
        """Return whether the current map holds work, but no roll that another one would replace."""
        current_map = self._document.current_map
        is_rolled = any(layer.roll is not None for layer in current_map.battlemap.layers)
        return current_map.holds_work and not is_rolled

    def _keeps_current_map(self, script: Script, *, beside: bool) -> bool:
        """Return whether a script is opened beside the current map, which keeps its script.

        Then unsaved edits of that script are not lost, and need no question.
        """
        new_maps = (_MapChoice.INTO_NEW_MAP, _MapChoice.WITH_EMPTY_MAP)
        return beside and self._choose_map(script, beside=True) in new_maps

    async def _show_opened(self, script: Script, how: _HowToOpen) -> None:
        """Show a script with the map that is chosen for it, and roll it if that is wanted.

        Raises ProblemError if no system has the suffix of the script and it needs an empty map, and
        Stopped if the roll of a new map is dropped.
        """
        match self._choose_map(script, beside=how.beside):
            case _MapChoice.INTO_NEW_MAP:
                await self._open_new_map(script, how)
                return  # it is rolled by that
            case _MapChoice.INTO_CURRENT_MAP:
                run(self._load_and_note_origin(script, own=how.own))
                if self._rolling.loading and self._document.battlemap.is_blank():
                    # With the text its map is rolled again; a blank one has no roll to do so with,
                    # and needs a first one. It waits until the text is there.
                    self._rolling.roll()
            case _MapChoice.WITH_EMPTY_MAP:
                self._show_with_empty_map(script)
            case _MapChoice.WITH_CURRENT_MAP:
                self._show_with_current_map(script)
        if how.roll:
            self._roll_shown_script()

    async def _open_new_map(self, script: Script, how: _HowToOpen) -> None:
        """Open a script that maps hold as a map of its own, and roll that.

        Beside a map, a map that was opened from the same file before becomes the current one
        instead, unless it was saved: then a person may want another one.
        """
        battlemap = new_map(script.empty_generator().system)
        if not how.beside:
            run(self._new_maps.open(battlemap, script))
            return
        for open_map in self._document.maps:
            document = self._documents.of_map(open_map)
            if document is None or not document.in_map or open_map.path is not None:
                continue
            if script.path is not None and document.script.path == script.path:
                self._document.make_current(open_map)
                self._scripts.message.emit(f"{script.name} is open already.")
                return
        await self._new_maps.open(battlemap, script)

    def _show_with_empty_map(self, script: Script) -> None:
        """Show a script with an empty map of its own; the current map stays with its script.

        Raises ProblemError if no system has the suffix of the script.
        """
        previous_name = self._document.name_of(self._document.current_map)
        self._open_empty_map(script)
        self._scripts.show_script(script)
        if self._scripts.fits_map:
            settings_of_map = self._scripts.settings_of_map()
            self._scripts.settings.set({**self._scripts.settings.values, **settings_of_map})
        self._scripts.message.emit(
            f"{script.name} has a map of its own; {previous_name} stays in its tab"
        )

    def _show_with_current_map(self, script: Script) -> None:
        """Show a script that no map holds with the current map, which may be of another system.

        It takes over settings from the script shown until now if both can roll the current map.
        """
        former_settings: Mapping[str, object] = {}
        chosen_settings: Mapping[str, object] = {}
        if self._scripts.fits_map:
            former_settings = _without_ground(self._scripts.settings.values)
            chosen_settings = _without_ground(self._scripts.settings.chosen_values)
        self._scripts.show_script(script)
        if self._scripts.fits_map:
            # Size, players and the like are the map's, whichever script is shown beside it, unless
            # the user has just chosen others.
            settings = {
                **former_settings,
                **self._scripts.settings.values,
                **self._scripts.settings_of_map(),
                **chosen_settings,
            }
            self._scripts.settings.set(settings)

    def _make_room_for(self, script: Script) -> None:
        """Open a new map for a script where the current one has another script to keep."""
        system = self._document.battlemap.system
        with suppress(ProblemError):  # no system has its suffix: the roll says so
            system = script.empty_generator().system
        is_other_system = system is not self._document.battlemap.system
        if is_other_system or self._scripts.current.unsaved or self._scripts.current.in_map:
            self._document.open_map(new_map(system))

    def _open_empty_map(self, script: Script) -> None:
        """Open an empty map of the system of a script."""
        self._document.open_map(new_map(script.empty_generator().system))

    def _roll_shown_script(self) -> None:
        """Roll the script shown; one that comes into the map is being rolled already.

        Where the current map is of another system it is rolled on a new map.
        """
        if self._rolling.loading:
            return
        if not self._scripts.fits_map:
            self._open_empty_map(self._scripts.script)
        why = self._scripts.why_not()
        if why:
            self._scripts.message.emit(f"Not rolled: {why}")
            return
        self._rolling.cancel()  # it was asked for earlier
        self._rolling.roll()

    # --- maps that hold their script ---------------------------------------------------------

    async def _load_and_note_origin(self, script: Script, *, own: bool) -> None:
        """Give a script to the current map, which holds its script, and roll that map from it.

        The undo step that brings the text says from which file it comes, its *origin*: undo and
        redo then change the file that is saved to, too.
        """
        document = self._scripts.current
        history = self._document.history
        self._coming_script = script
        try:
            await self._load(script, own=own)
        finally:
            if self._coming_script is script:
                self._coming_script = None
        document.note_origin(history, script)
        self._scripts.follow_origin()

    async def _load(self, script: Script, *, own: bool) -> None:
        """Give a script to the current map, and wait until it is there. Raises Stopped."""
        if not self._scripts.map_script.holds(script.text, script.texts, touched=own):
            title = f"Open {script.name}"
            setup_of = partial(self._scripts.setups.of_script, script)
            file_name = ""
            if script.path is not None:
                file_name = script.path.name
            self._scripts.map_script.set_script(
                script.text, script.texts, title, setup_of, touched=own, file_name=file_name
            )
        await self._scripts.map_script.wait_until_held(script.text)

    # --- new maps that are rolled ------------------------------------------------------------

    async def roll_new(
        self,
        battlemap: BattleMap,
        generator: MapGenerator,
        settings: Mapping[str, object] | None = None,
        path: Path | None = None,
    ) -> None:
        """Roll a script of the catalogue onto an empty map, and open that as a new map.

        It takes the place of the current map if that is as it was rolled. With None as ``settings``
        it has the usual ones. ``path`` is the script's file if it is the user's.
        """
        script = script_of_generator(generator, path)
        if settings is not None:
            script = replace(script, settings=settings)
        self._files.note_read(script)
        self._files.note_file(script)
        await self._new_maps.open(battlemap, script, replaces=True)


def _without_ground(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a script that another script can take over.

    The ground on which a script rolls is its own: a swamp after a beach is not on sand.
    """
    return {name: value for name, value in settings.items() if name not in GROUND_SETTINGS}
