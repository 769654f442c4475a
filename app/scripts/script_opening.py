"""Opens scripts: reads them, chooses the map that each is shown with, and rolls it where asked to.

``Scripts.opening`` is the one ``ScriptOpening``. Which map that is depends on the script and on the
current map:

- Of a system whose maps hold their script, it comes into the current map if that is of the system,
  else into a new one. Opened *beside* the current map, it gets a new one unless that is untouched.
- Any other script is shown with the current map. Opened beside a map that holds work but no roll,
  it gets a new one: a roll would not replace that work, but cover it.
- A new script, which has no file yet, never takes the place of a script whose map holds work.

A person who would lose unsaved edits of the script shown is asked first.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from app.background.actions import run
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.qt_guard import connect
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.script import Script, script_of_draft, script_of_generator, with_lf
from app.scripts.shown_script import ShownScript
from randomizer.generator import MapGenerator
from randomizer.languages.language import SourceText
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.model.settings.metadata import GROUND_SETTINGS
from randomizer.storage.journal.drafts import Draft


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
        gets another map.
        """
        # It is read before the question: a file that cannot be read needs none.
        read = self._files.read(path)
        if read is None:
            return False
        needs_own_map = beside and self._needs_another_map(read.script)
        if not needs_own_map:
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
        if needs_own_map:
            await self._open_with_another_map(read.script, roll=roll)
        else:
            self._show_with_its_map(read.script, own=True, roll=roll)
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
        if beside and self._needs_another_map(script):
            self._files.note_read(script)
            await self._open_with_another_map(script, roll=roll)
            return True
        if not await self._unsaved.may_replace(self._documents.of_file(path)):
            return False
        self._files.note_read(script)
        self._show_with_its_map(script, own=own, roll=roll)
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
            if not await self._roll_new(new_map(system), script):
                self._scripts.new_shown.emit()
                return
        else:
            if map_holds_work:
                self._open_empty_map(script)
            elif system is not previous_map.battlemap.system:
                self._document.show_map(new_map(system))
            else:
                settings = {**self._scripts.settings_of_map(), **self._scripts.settings.values}
                script = replace(script, settings=settings)
            self._scripts.show_script(script)
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
        self._give_to_map(replace(script, settings=self._scripts.script.settings), own=True)

    # --- the map of an opened script ---------------------------------------------------------

    def _show_with_its_map(self, script: Script, *, own: bool, roll: bool) -> None:
        """Show a script with the current map, or with a new one if that has another script.

        A script that maps hold goes into the map. ``own`` is True for a script of the user's, False
        for a packaged one. With ``roll`` the map is rolled from it.
        """
        if not self._give_to_map(script, own=own):
            self._show_with_unrelated_map(script)
        elif self._rolling.loading and self._document.battlemap.is_blank():
            # The script is on its way into the map already: ``roll`` waits for that.
            self._rolling.roll()
        if roll:
            self._roll_shown_script()

    def _show_with_unrelated_map(self, script: Script) -> None:
        """Show a script that no map holds with the current map, or a new one if that holds its own.

        It takes over settings from the script shown until now if both can roll the current map.
        """
        former_settings: Mapping[str, object] = {}
        chosen_settings: Mapping[str, object] = {}
        if self._scripts.current.in_map:
            self._open_empty_map(script)
        elif self._scripts.fits_map:
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

    def _needs_another_map(self, script: Script) -> bool:
        """Return whether a script that is opened beside the current map gets another map.

        That is a map which holds the script, or an empty one beside a finished map.
        """
        return self._needs_map_that_holds(script) or self._is_finished_map()

    async def _open_with_another_map(self, script: Script, *, roll: bool) -> None:
        """Open a script that ``_needs_another_map``. Raises Stopped if its roll is dropped."""
        if self._needs_map_that_holds(script):
            await self._open_map_that_holds(script)
        else:
            self._open_with_empty_map(script, roll=roll)

    def _is_finished_map(self) -> bool:
        """Return whether the current map holds work, but no roll that another one would replace."""
        current_map = self._document.current_map
        is_rolled = any(layer.roll is not None for layer in current_map.battlemap.layers)
        return current_map.holds_work and not is_rolled

    def _open_with_empty_map(self, script: Script, *, roll: bool) -> None:
        """Show a script with an empty map of its own; the current map stays with its script.

        Raises ProblemError if no system has the suffix of the script.
        """
        previous_name = self._document.name_of(self._document.current_map)
        self._open_empty_map(script)
        self._scripts.show_script(script)
        self._scripts.message.emit(
            f"{script.name} has a map of its own; {previous_name} stays in its tab"
        )
        if roll:
            self._roll_shown_script()

    def _needs_map_that_holds(self, script: Script) -> bool:
        """Return whether a script that is opened beside the current map gets one that holds it.

        One that maps hold does, unless the current map is an untouched one for it.
        """
        if not script.is_held_by_maps:
            return False
        current_map = self._document.current_map
        is_other_system = script.empty_generator().system is not current_map.battlemap.system
        return is_other_system or not current_map.untouched

    async def _open_map_that_holds(self, script: Script) -> None:
        """Open a script that maps hold as a map of its own, and roll that.

        The map that was opened from its file before becomes the current one instead, unless it was
        saved: then a person may want another one. Raises Stopped if the roll is dropped.
        """
        for open_map in self._document.maps:
            document = self._documents.of_map(open_map)
            if document is None or not document.in_map or open_map.path is not None:
                continue
            if script.path is not None and document.script.path == script.path:
                self._document.make_current(open_map)
                self._scripts.message.emit(f"{script.name} is open already.")
                return
        await self._roll_new(new_map(script.empty_generator().system), script)

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

    def _give_to_map(self, script: Script, *, own: bool) -> bool:
        """Give a script to the current map, or a new one, if maps of its system hold their script.

        Return False, and do nothing, for other systems. The map is rolled from it. A current map of
        another system stays: then the map is a new one. ``own`` is True for the user's script,
        False for a packaged one.
        """
        if not script.is_held_by_maps:
            return False
        system = script.empty_generator().system
        if system is not self._document.battlemap.system:
            run(self._roll_new(new_map(system), script))
        else:
            run(self._load_and_note_origin(script, own=own))
        return True

    async def _load_and_note_origin(self, script: Script, *, own: bool) -> None:
        """Give a script to the current map, which holds its script, and roll that map from it.

        The step that brings the text says from which file it comes.
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
        if not self._scripts.map_script.holds(script.text, script.texts, own=own):
            title = f"Open {script.name}"
            setup_of = partial(self._scripts.setup_of_script, script)
            file_name = ""
            if script.path is not None:
                file_name = script.path.name
            self._scripts.map_script.set_script(
                script.text, script.texts, title, setup_of, own=own, file_name=file_name
            )
        await self._scripts.map_script.wait_until_held(script.text)

    def _follow_origin_of(self, script: Script) -> None:
        """Note that the map that was just opened holds the text of this script, if it does."""
        if self._scripts.current.in_map and self._scripts.text.text() == script.text:
            self._scripts.current.note_origin(self._document.history, script)
            self._scripts.follow_origin()

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
        await self._roll_new(battlemap, script, replaces=True)

    async def _roll_new(
        self, battlemap: BattleMap, script: Script, *, replaces: bool = False
    ) -> bool:
        """Roll a script onto an empty map, and open that as a new map; see ``roll_new``.

        Returns False if the roll has failed: an empty map is opened with the script, and the
        failure is told. True is returned, and an empty map opened, also where nothing is to be
        rolled. Raises Stopped if the roll is dropped.
        """
        generator = script.empty_generator()
        setup = script.setup(script.text, script.settings)
        setup = replace(setup, seeds=generator.usual_seeds)

        # With these settings a person goes on by hand (dice typed in, say): nothing is rolled.
        records = generator.records_of_unrolled_map(setup.settings)
        if records:
            self._document.show_map(replace(battlemap, records=dict(records)), replaces=replaces)
            return True

        noun = battlemap.system.noun
        self._scripts.message.emit(f"Rolling a new {noun} by {script.name} ...")
        request = self._rolling.request_new_map(battlemap, setup, replaces_map=replaces)
        self._rolling.cancel()
        try:
            await self._rolling.carry_out(request)
        except ProblemError as reason:
            self._show_unrolled(request, script)
            self._rolling.tell_failure(request, reason)
            return False
        self._follow_origin_of(script)
        seed = self._rolling.key_choice.key.seed
        self._scripts.message.emit(f"A new {noun} by {script.name}, seed {seed}")
        return True

    def _show_unrolled(self, request: RollRequest, script: Script) -> None:
        """Show a script from which a new map could not be rolled, with an empty map."""
        battlemap = new_map(request.base.system, request.base.grid)
        if battlemap.system.script_record and request.setup.text:
            record = MapRecord(request.setup.text, touched=True)
            battlemap.records[battlemap.system.script_record] = record
        self._document.show_map(battlemap)
        if self._scripts.current.in_map:
            self._follow_origin_of(script)
        else:
            self._scripts.show_script(script)


def _without_ground(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a script that another script can take over.

    The ground on which a script rolls is its own: a swamp after a beach is not on sand.
    """
    return {name: value for name, value in settings.items() if name not in GROUND_SETTINGS}
