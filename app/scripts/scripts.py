"""The scripts of the open maps: a service for every feature that reads, checks or rolls them.

Each open map shows one ``ScriptDocument``, which other maps may show, too; ``Scripts`` knows which,
and changes it when a person opens a script (``open`` ...), when another map becomes the current one
(``_on_map_replaced``) and when another layer becomes active (``_on_active_layer``). Where a system
keeps the script in its maps, the sections "a script that its map holds" tell what is different.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.background.actions import run
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.open_map import OpenMap
from app.document.undo_history import RollState
from app.qt_guard import connect, later
from app.rolling.roll_request import RollRequest
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from app.scripts.file_changes import FileChanges
from app.scripts.map_script import MapScript
from app.scripts.script import (
    NO_SCRIPT,
    Script,
    has_same_text,
    script_of_draft,
    script_of_generator,
    script_of_map,
    script_of_roll,
    untitled_name,
    with_lf,
)
from app.scripts.script_checker import ScriptChecker
from app.scripts.script_document import ScriptDocument
from app.scripts.script_files import ScriptFiles
from app.scripts.script_settings import ScriptSettings
from app.scripts.script_text import ScriptText
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from app.scripts.unsaved_scripts import UnsavedScripts
from app.settings import Settings
from randomizer.batches.batch_generator import rolls_many
from randomizer.catalog.catalog import generators_of, listed_generators, script_host
from randomizer.generator import DrawKey, MapGenerator
from randomizer.languages.language import PLAIN_TEXT, Language, SourceText
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import Fix, ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.journal.drafts import Draft


def _no_help(_line: int) -> str:
    return ""


class Scripts(QObject):
    """The script documents of the open maps, and the one of the current map (``current``).

    It provides setups for all maps that no other provider serves: always the current document's
    text as it is now. The script panel is a view of it. Each open map shows one document: a map
    that came with no script shows the current one if that rolls such maps, else the first of its
    system's. Of a system with a ``script_record`` the map itself holds the text: its document shows
    it, and what is typed goes there (``map_script``).

    All signals are about the current document.
    """

    shown = Signal()
    """Another document is current."""

    new_shown = Signal()
    """A script that ``open_new`` has made is current: its text should be shown."""

    text_edited = Signal()
    """The text has changed."""

    unsaved_changed = Signal(bool)
    """The text has unsaved edits now (True), or none any more (False)."""

    script_changed = Signal()
    """Another document is current, or the file of the current one was saved or read again."""

    setup_changed = Signal()
    """The script, its text or its settings have changed."""

    line_wanted = Signal(int)
    """An editor should go to this line (from 1)."""

    statement_marked = Signal(object)
    """An editor should shade these lines, a tuple (first, last); None: no line."""

    caret_moved = Signal(int)
    """The caret of an editor stands in this line (from 1)."""

    message = Signal(str)
    """A message to show in passing."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        settings: Settings,
        window: QWidget | None = None,
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._document = document
        self._rolling = rolling
        self.line_help: Callable[[int], str] = _no_help
        """Returns the tip of a line (from 1), "" for none. A panel may replace it."""
        self._current_map: OpenMap | None = None
        """The map whose document is current: ``map_replaced`` comes also for changes of a map."""
        self._arriving = False
        """True from ``map_replaced`` to the change of the active layer that comes with it."""
        self._target_id: int | None = None
        """The layer that a roll replaces, as it was when its settings were last shown."""
        self._target_roll: Roll | None = None
        """The roll of that layer."""
        self.documents = ShownDocuments(document, self)
        """The documents that open maps show, and the current one."""

        # The services take the current document by a function, since it does not exist yet.
        self.files = ScriptFiles(
            lambda: self.current,
            self.documents,
            lambda: self._document.modified,
            settings,
            self,
            window,
        )
        self.checker = ScriptChecker(self._to_check, self)
        self.follower = TextFollower(lambda: self.current, rolling, self.checker, settings, self)
        self.settings = ScriptSettings(document, lambda: self.current, self.follower, self)
        self.file_changes = FileChanges(
            lambda: self.current, self.follower, self._give_file_to_map, self
        )
        self.unsaved = UnsavedScripts(
            document,
            rolling,
            self.files,
            self.follower,
            self.documents.of_map,
        )
        self.current = self._new_document(NO_SCRIPT)
        """The document that the current map shows."""
        self.map_script = MapScript(document, rolling, self._setup_of, self)
        self._connect_services()
        self._connect_maps()
        self._on_map_replaced()
        self._arriving = False  # no change of the active layer follows this call

    def _connect_services(self) -> None:
        """Pass on the signals of the services of scripts, and let them follow the text."""
        connect(self.text_edited, self.checker.text_changed)
        connect(self.text_edited, self.setup_changed)
        connect(self.settings.changed, self.setup_changed)
        connect(self.settings.message, self.message)
        connect(self.script_changed, self.setup_changed)
        connect(self.files.message, self.message)
        connect(self.files.saved, self.follower.follow_saved)
        connect(self.follower.message, self.message)
        connect(self.file_changes.message, self.message)
        connect(self.map_script.changed, self._follow_record)

    def _connect_maps(self) -> None:
        """Follow the open maps, their layers and their rolls."""
        document = self._document
        connect(document.steps_changed, self._follow_origin)  # the record came before
        self._rolling.add_provider(self)
        # The text has just come into the map.
        connect(self._rolling.about_to_roll, self._follow_origin)
        connect(document.map_leaving, self._follow_origin)
        connect(document.map_replaced, self._on_map_replaced)
        connect(document.maps_changed, self._forget_unused)
        connect(document.active_layer_changed, self._on_active_layer)
        connect(document.changed, self._on_changed)

    # --- which script -----------------------------------------------------------------------

    @property
    def script(self) -> Script:
        """The current script, as it was opened or saved."""
        return self.current.script

    @property
    def text(self) -> ScriptText:
        """The text of the current script as it is now."""
        return self.current.text

    async def open(self, path: Path, *, roll: bool = False, beside: bool = False) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept.

        ``roll``: roll it, too, in place of the roll of the current map. ``beside``: where maps hold
        their script, the current map keeps its own, see ``_open_beside``; a finished map stays as
        it is, see ``_open_on_new_map``.
        """
        # It is read before the question: what cannot be read needs none.
        read = self.files.read(path)
        if beside and read is not None and self._must_leave_map(read[0]):
            script, known_file = read
            self.files.known_files[path] = known_file
            self.files.remember(path)
            await self._open_on_own_map(script, roll=roll)
            return True
        had_edits = self.current.unsaved
        if read is None or not await self.unsaved.may_replace(self.documents.of_file(path)):
            return False
        if had_edits:
            # The answer may have been to save the edits, into this very file.
            newer = self.files.read(path)
            if newer is not None:
                read = newer
        script, known_file = read
        self.files.known_files[path] = known_file
        self.files.remember(path)
        self._open(script, own=True, roll=roll)
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

        ``path`` is the script's file if the user may change it; ``own``: it is the user's.
        ``beside``: see ``open``.
        """
        script = script_of_generator(generator, path)
        if beside and self._must_leave_map(script):
            self.files.note_read(script)
            await self._open_on_own_map(script, roll=roll)
            return True
        if not await self.unsaved.may_replace(self.documents.of_file(path)):
            return False
        self.files.note_read(script)
        self._open(script, own=own, roll=roll)
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
        if not map_holds_work and not await self.unsaved.may_replace():
            return

        if system.script_record:
            if not await self._roll_new(new_map(system), script):
                self.new_shown.emit()
                return
        else:
            if map_holds_work:
                self._make_map(script)
            elif system is not previous_map.battlemap.system:
                self._document.show_map(new_map(system))
            else:
                settings = {**self._settings_of_map(), **self.settings.values}
                script = replace(script, settings=settings)
            self._show(script)
        self.new_shown.emit()

        if previous_map in self._document.maps and previous_map is not self._document.current_map:
            self.message.emit(
                f"{script.name} is new and has a map of its own; {previous_name} stays in its tab"
            )
        else:
            self.message.emit(f"{script.name} is new, and not saved in a file yet")

    def _open(self, script: Script, *, own: bool, roll: bool) -> None:
        """Show a script: in the current map, or in a new one if that has its own.

        ``own``: it is the user's, not a packaged one.
        """
        if not self._give_to_map_with_script(script, own=own):
            if self.current.in_map:
                self._make_map(script)
            self._show(script)
            if not self.why_other_map():
                # Size, players and the like are the map's, whichever script is shown beside it.
                self.settings.set({**self.settings.values, **self._settings_of_map()})
        elif self._rolling.loading and self._document.battlemap.is_blank():
            self._rolling.roll()  # as soon as the script has come into the map
        if roll:
            self._randomize()

    def _must_leave_map(self, script: Script) -> bool:
        """Return whether a script that is opened beside the current map is not for that map."""
        return self._wants_own_map(script) or self._is_finished_map()

    async def _open_on_own_map(self, script: Script, *, roll: bool) -> None:
        """Open a script that ``_must_leave_map``. Raises Stopped if its roll is dropped."""
        if self._wants_own_map(script):
            await self._open_beside(script)
        else:
            self._open_on_new_map(script, roll=roll)

    def _is_finished_map(self) -> bool:
        """Return whether the current map holds work, but no roll that another one would replace."""
        current_map = self._document.current_map
        is_rolled = any(layer.roll is not None for layer in current_map.battlemap.layers)
        return current_map.holds_work and not is_rolled

    def _open_on_new_map(self, script: Script, *, roll: bool) -> None:
        """Show a script with an empty map of its own; the current map stays with its script.

        Raises ProblemError if no system has the suffix of the script.
        """
        previous_name = self._document.name_of(self._document.current_map)
        self._make_map(script)
        self._show(script)
        self.message.emit(f"{script.name} has a map of its own; {previous_name} stays in its tab")
        if roll:
            self._randomize()

    def _wants_own_map(self, script: Script) -> bool:
        """Return whether a script that is opened beside the current map gets a map of its own.

        One that maps hold does, unless the current map is an untouched one for it.
        """
        if not _is_held_by_maps(script):
            return False
        current_map = self._document.current_map
        is_other_system = script.empty_generator().system is not current_map.battlemap.system
        return is_other_system or not current_map.untouched

    async def _open_beside(self, script: Script) -> None:
        """Open a script that maps hold as a map of its own, and roll that.

        The map that was opened from its file before becomes the current one instead, unless it was
        saved: then a person may want another one. Raises Stopped if the roll is dropped.
        """
        for open_map in self._document.maps:
            document = self.documents.of_map(open_map)
            if document is None or not document.in_map or open_map.path is not None:
                continue
            if script.path is not None and document.script.path == script.path:
                self._document.make_current(open_map)
                self.message.emit(f"{script.name} is open already.")
                return
        await self._roll_new(new_map(script.empty_generator().system), script)

    async def ask_open(self) -> None:
        """Let a person choose a script file, and show it."""
        open_map = self._document.current_map
        title = "Open script"
        if self.current.in_map:
            title = f"Open {with_article(self.map_script.noun)} for this map"
        path = await self._document.while_open(open_map, self.files.ask_open(title))
        if path is not None:
            self._document.make_current(open_map)
            await self.open(path)

    async def show_draft(self, draft: Draft) -> bool:
        """Show a script with edits that another session left; False if edits are to be kept.

        It is given to its maps, the first of which becomes the current one. If none of them is open
        it is given to the current map, or to a new one where that has another script to keep.
        """
        script = script_of_draft(draft)
        maps = [open_map for open_map in self._document.maps if open_map.key in draft.maps]
        if maps:
            self._document.make_current(maps[0])
            if not await self.unsaved.may_replace():
                return False
        else:
            self._make_room_for(script)
        document = self._new_document(script, in_map=self.map_script.in_map)
        for open_map in maps:
            self.documents.show(open_map, document)
        self._show_document(document, script.settings)
        document.text.replace(draft.text)
        document.text.setModified(True)
        return True

    def _make_room_for(self, script: Script) -> None:
        """Open a new map for a script where the current one has another script to keep."""
        system = self._document.battlemap.system
        with suppress(ProblemError):  # no system has its suffix: the roll says so
            system = script.empty_generator().system
        is_other_system = system is not self._document.battlemap.system
        if is_other_system or self.current.unsaved or self.current.in_map:
            self._document.open_map(new_map(system))

    def _randomize(self) -> None:
        """Roll the script shown; one that comes into the map is being rolled already.

        Where the current map is of another system it is rolled on a new map.
        """
        if self._rolling.loading:
            return
        if self.why_other_map():
            self._make_map(self.script)
        why = self.why_not()
        if why:
            self.message.emit(f"Not rolled: {why}")
            return
        self._rolling.cancel()  # it was asked for earlier
        self._rolling.roll()

    async def roll_new(
        self,
        battlemap: BattleMap,
        generator: MapGenerator,
        settings: Mapping[str, object] | None = None,
        path: Path | None = None,
    ) -> None:
        """Roll a script of the catalogue onto an empty map, and open that as a new map.

        It takes the place of the current map if that is as it was rolled. ``settings``: None are
        the usual ones. ``path`` is the script's file if it is the user's.
        """
        script = script_of_generator(generator, path)
        if settings is not None:
            script = replace(script, settings=settings)
        self.files.note_read(script)
        self.files.note_file(script)
        await self._roll_new(battlemap, script, replaces=True)

    async def _roll_new(
        self, battlemap: BattleMap, script: Script, *, replaces: bool = False
    ) -> bool:
        """Roll a script onto an empty map, and open that as a new map; see ``roll_new``.

        Returns False if it cannot be rolled: an empty map is opened with the script, and the
        failure is told. Raises Stopped if the roll is dropped.
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
        self.message.emit(f"Rolling a new {noun} by {script.name} ...")
        request = self._rolling.request_new_map(battlemap, setup, replaces_map=replaces)
        self._rolling.cancel()
        try:
            await self._rolling.carry_out(request)
        except ProblemError as reason:
            self._show_unrolled(request, script)
            self._rolling.tell_failure(request, reason)
            return False
        self._follow_origin_of(script)
        seed = self._rolling.state.seed
        self.message.emit(f"A new {noun} by {script.name}, seed {seed}")
        return True

    def _show_unrolled(self, request: RollRequest, script: Script) -> None:
        """Show a script from which a new map could not be rolled, with an empty map."""
        battlemap = new_map(request.base.system, request.base.grid)
        if battlemap.system.script_record and request.setup.text:
            record = MapRecord(request.setup.text, touched=True)
            battlemap.records[battlemap.system.script_record] = record
        self._document.show_map(battlemap)
        if self.current.in_map:
            self._follow_origin_of(script)
        else:
            self._show(script)

    def _make_map(self, script: Script) -> None:
        """Open an empty map of the system of a script."""
        self._document.open_map(new_map(script.empty_generator().system))

    # --- the documents ----------------------------------------------------------------------

    def _new_document(self, script: Script, *, in_map: bool = False) -> ScriptDocument:
        """Return a document of a script whose signals are passed on while it is the current one.

        ``in_map``: the current map holds its text.
        """
        document = ScriptDocument(script, self.files.known_files, self, in_map=in_map)
        self.documents.add(document)
        for signal, listener in (
            (document.text.edited, self._on_edited),
            (document.text.typed, self._on_typed),
            (document.text.modificationChanged, self.unsaved_changed.emit),
            (document.watch.changed, self.file_changes.look),
            (document.watch.failed, self.file_changes.report),
            (document.source_changed, self._on_source_changed),
        ):
            connect(signal, partial(self._tell_of_current, document, listener))
        return document

    def _tell_of_current(
        self, document: ScriptDocument, listener: Callable[..., object], *args: object
    ) -> None:
        """Call ``listener`` with what a signal of a document carried, if that one is current."""
        if document is self.current:
            listener(*args)

    def _show(self, script: Script) -> None:
        """Show a script as that of the current map.

        Edits of a file that another map shows stay.
        """
        document = self.documents.of_file(script.path)
        if document is None:
            document = self._new_document(script)
        elif document is self.current or not document.unsaved:
            document.read_again(script)
        self._show_document(document, script.settings)

    def _show_document(
        self, document: ScriptDocument, settings: Mapping[str, object] | None = None
    ) -> None:
        """Show a document as that of the current map.

        ``settings``: None are those that the map was shown with before, or the usual ones.
        """
        self.current = document
        self.documents.show(self._document.current_map, document)
        self.files.note_file(document.script)
        self.file_changes.look()
        if settings is None:
            current_map = self._document.current_map
            settings = self.settings.values_of(current_map, document.script.settings)
        self.settings.set(settings)
        self.checker.text_changed(at_once=True)
        self._forget_unused()
        self.shown.emit()
        self.script_changed.emit()

    def settings_of(self, document: ScriptDocument) -> Mapping[str, object]:
        """Return the settings of the first open map that shows a document."""
        maps = self.documents.maps_of(document)
        if maps:
            open_map = maps[0]
        else:
            open_map = self._document.current_map
        return self.settings.values_of(open_map, {})

    def map_keys(self, document: ScriptDocument) -> tuple[str, ...]:
        """Return the keys of the open maps that show a document."""
        return tuple(open_map.key for open_map in self.documents.maps_of(document))

    def _forget_unused(self) -> None:
        """Let go of the documents that no open map shows any more."""
        self.documents.forget_unused(self.current)

    def _on_map_replaced(self) -> None:
        """Show the document of the map that has become the current one."""
        current = self._document.current_map
        if current is self._current_map:
            return
        self._current_map = current
        self.follower.stop()
        self._arriving = True
        document = self.documents.of_map(current)
        if self.map_script.in_map:
            self._show_map_script(document)
        elif document is None:
            self._show_first()
        elif document is not self.current:
            self._show_document(document)
        self.settings.changed.emit()  # each map has its own

    def _show_first(self) -> None:
        """Choose the document that the current map, which has not shown any yet, shows.

        That is the script that it was rolled from, or that the map names. Otherwise the document of
        the map before it stays where that script rolls such maps; else it is the first script of
        its system.
        """
        layer = self._rolling.target()
        battlemap = self._document.battlemap
        named_script = self._script_named_by_map()
        if layer is not None and layer.roll is not None and self._has_script(layer.roll):
            if self._shows(layer):
                self.settings.set(script_of_roll(layer.roll).settings)
            else:
                self._show_rolled(layer.roll)
            self._rolling.set_state(RollState(layer.roll.seed, layer.roll.number))
        elif named_script is not None:
            self._show(named_script)
        elif self.script is NO_SCRIPT:
            self._show(Script(untitled_name(battlemap.system)))
        elif self.why_other_map():
            system_script = script_of_map(battlemap)
            has_content = system_script.text or system_script.built_in
            # A document that another map holds is not for this one, so any other is better.
            if has_content or self.current.in_map:
                self._show(system_script)
        self.documents.show(self._document.current_map, self.current)
        settings_of_map: Mapping[str, object] = {}
        if layer is None or layer.roll is None:  # else the roll has the settings
            settings_of_map = self._settings_of_map()
        if settings_of_map or not self.settings.has_values:
            self.settings.set({**self.script.settings, **settings_of_map})

    def _script_named_by_map(self) -> Script | None:
        """Return the script that the current map names: beside its file, or one of the program's.

        None if there is none, and for a map that holds its script.
        """
        system = self._document.battlemap.system
        name = system.script_file(self._document.battlemap)
        map_file = self._document.path
        if not name or system.script_record:
            return None
        if map_file is not None:
            script_beside = self.files.beside(map_file, name)
            if script_beside is not None:
                return script_beside
        for generator in generators_of(system):
            if generator.metadata.script == name:
                return script_of_generator(generator)
        return None

    def _settings_of_map(self) -> Mapping[str, object]:
        """Return the settings, by name, that the current map has, whatever its script's are."""
        battlemap = self._document.battlemap
        return battlemap.system.roll_settings_of(battlemap)

    def _show_rolled(self, roll: Roll) -> None:
        """Show the script that a layer was rolled from.

        Its file is the one that it was opened from here, or one beside the map's. If another map
        shows that file with another text, the script is shown as one without a file: one file has
        one text.
        """
        rolled_script = script_of_roll(roll)
        script = self.files.with_file(rolled_script, self._document.path)
        document = self.documents.of_file(script.path)
        is_shared = self.unsaved.is_shared(self._document.current_map)
        if document is None or (document is self.current and not is_shared):
            document = self._new_document(script)
        elif document.unsaved or document.script.text != script.text:
            document = self._new_document(rolled_script)
        self._show_document(document, rolled_script.settings)

    def _has_script(self, roll: Roll) -> bool:
        """Return whether a roll is of a script that is shown: a text, or a listed generator
        without one.

        Generators of systems without scripts have panels of their own, and variations no script.
        """
        system = self._document.battlemap.system
        if roll.script or not system.has_script_panel:
            return bool(roll.script)
        return script_of_roll(roll).packaged in listed_generators(system)

    # --- a script that its map holds --------------------------------------------------------

    def _show_map_script(self, document: ScriptDocument | None) -> None:
        """Show the script that the current map holds.

        ``document`` is the one that the map showed before, None if it is shown for the first time.
        """
        settings: Mapping[str, object] | None = None
        if document is None:
            current = self._document.current_map
            script = script_of_map(current.battlemap, current.path)
            document = self._new_document(script, in_map=True)
            layer = self._document.battlemap.source_layer
            if layer is not None and layer.roll is not None:
                self._rolling.set_state(RollState(layer.roll.seed, layer.roll.number))
            else:
                settings = {**script.settings, **self._settings_of_map()}
        document.set_script(document.origin(self._document.history))
        document.text.show(self._text_of_map(document.script))
        self._show_document(document, settings)

    def _text_of_map(self, script: Script) -> str:
        text = self.map_script.text
        if text is None:
            return script.text
        return with_lf(text)

    def _follow_record(self) -> None:
        """Show the text that the map holds now: undo, a panel or a file has changed it."""
        if self.current.in_map and not self.map_script.pending:
            self.text.replace(self._text_of_map(self.script))
            later(self, self._follow_origin)  # undo steps are counted when they are done

    def _follow_origin(self) -> None:
        """Note from which file the text of a script in a map comes now: undo changes that, too."""
        document = self.current
        if not document.in_map or self.map_script.pending:
            return
        origin = document.origin(self._document.history)
        if origin is not document.script:
            document.set_script(origin)
            self.file_changes.look()
        self.script_changed.emit()

    def _give_to_map_with_script(self, script: Script, *, own: bool) -> bool:
        """Give a script to the current map, or a new one, if maps of its system hold their script.

        Return False, and do nothing, for other systems. The map is rolled from it. A current map of
        another system stays: then the map is a new one. ``own`` is True for the user's script,
        False for a packaged one.
        """
        if not _is_held_by_maps(script):
            return False
        system = script.empty_generator().system
        if system is not self._document.battlemap.system:
            run(self._roll_new(new_map(system), script))
        else:
            run(self._load(script, own=own))
        return True

    async def _load(self, script: Script, *, own: bool) -> None:
        """Give a script to the current map, which holds its script, and roll that map from it.

        The step that brings the text says from which file it comes.
        """
        document = self.current
        history = self._document.history
        if not self.map_script.holds(script.text, script.texts, own=own):
            title = f"Open {script.name}"
            setup_of = partial(self._setup_of_script, script)
            file_name = ""
            if script.path is not None:
                file_name = script.path.name
            self.map_script.set_script(
                script.text, script.texts, title, setup_of, own=own, file_name=file_name
            )
        await self.map_script.arrival(script.text)
        document.note_origin(history, script)
        self._follow_origin()

    def _give_file_to_map(self, script: Script) -> None:
        """Give the current map, which holds its script, the text that the script's file has now."""
        self._give_to_map_with_script(replace(script, settings=self.script.settings), own=True)

    def _follow_origin_of(self, script: Script) -> None:
        """Note that the map that was just opened holds the text of this script, if it does."""
        if self.current.in_map and self.text.text() == script.text:
            self.current.note_origin(self._document.history, script)
            self._follow_origin()

    # --- what happens to the current document -----------------------------------------------

    def _on_edited(self) -> None:
        """Store an edited text in the map that holds it, and tell of the edit.

        Where the text is the map's already the map itself has changed it: nothing is to be stored.
        """
        text = self.text.text()
        if self.current.in_map and (
            self.map_script.pending or text != self._text_of_map(self.script)
        ):
            self.map_script.type_text(text)
        self.text_edited.emit()

    def _on_typed(self) -> None:
        """Let the roll follow what was typed."""
        if not self.current.in_map:  # the map follows a text that it holds by itself
            self.follower.follow_typed()

    def _on_source_changed(self) -> None:
        """Follow a script that was saved in another file, or read again from its file."""
        self.files.note_file(self.script)
        self.file_changes.look()
        if self.current.in_map:
            script = self.script
            self._name_file_of_map_script(script)
            # A step has perhaps brought the script back that the text came from before.
            self.current.note_origin(self._document.history, script)
            self._follow_origin()
        self.checker.text_changed(at_once=True)
        self.script_changed.emit()

    def _name_file_of_map_script(self, script: Script) -> None:
        """Let the map know in which file its script was saved: files of the map can name it."""
        if script.path is not None:
            battlemap = self._document.battlemap
            edit = battlemap.system.name_script_file(battlemap, script.path.name)
            self._document.push(edit, f"Save {script.path.name}")

    @property
    def source(self) -> SourceText:
        """The current script with its text as it is now, which is "" for a built-in one."""
        script = self.script
        return SourceText(self.text.text(), script.name, self.further_texts, script.place)

    def _to_check(self) -> SourceText | str:
        """Return the source that the checker checks, or a message why there is nothing to check."""
        if self.script.built_in:
            return f"{self.script.name} has no text."
        return self.source

    # --- the script of a layer --------------------------------------------------------------

    def show_roll(self, layer: Layer, *, discard: bool = False) -> bool:
        """Show the script, settings, seed and number that a layer was rolled from.

        False, and nothing is shown, if it was not rolled or if there are unsaved edits, unless the
        user wants to ``discard`` them.
        """
        roll = layer.roll
        if roll is None:
            return False
        has_script = self._has_script(roll)
        if self.current.in_map or (has_script and self._shows(layer)):
            self.settings.set(script_of_roll(roll).settings)
        elif has_script:
            if self.current.unsaved and not discard:
                return False
            self._show_rolled(roll)
        self._rolling.set_state(RollState(roll.seed, roll.number))
        return True

    async def show_active_layer(self) -> None:
        """Show the script of the active layer; unsaved edits are asked about."""
        if await self.unsaved.may_replace():
            self.show_roll(self._document.active_layer, discard=True)

    def about_active_layer(self) -> str:
        """Return a sentence with the script of the active layer; "" if that is the current one."""
        layer = self._document.active_layer
        if self.current.in_map or layer.roll is None or not self._has_script(layer.roll):
            return ""
        if self._shows(layer):
            return ""
        name = layer.roll.script_name or "a script"
        if layer.roll.script_name == self.script.name:
            name = f"another text of {name}"
        return f"The active layer was rolled from {name}."

    def about_map(self) -> str:
        """Return a sentence about a map from a file that has no rolled layer; "" for any other map.

        A roll does not take the place of such a map, whether or not the script shown has made it.
        """
        open_map = self._document.current_map
        battlemap = open_map.battlemap
        is_from_file = open_map.path is not None or open_map.source is not None
        if not is_from_file or self.current.in_map or battlemap.is_blank():
            return ""
        if any(layer.roll is not None for layer in battlemap.layers) or self.why_not():
            return ""
        file_name = battlemap.system.script_file(battlemap)
        maker = file_name
        for generator in generators_of(battlemap.system):
            if generator.metadata.script == file_name:
                maker = script_of_generator(generator).name
        if not maker:
            return f"No script made this map. Roll adds a layer by {self.script.name}."
        if maker == self.script.name:
            return f"{maker} made this map. Roll adds a layer by it."
        return f"{maker} made this map. Roll adds a layer by {self.script.name}."

    def _shows(self, layer: Layer) -> bool:
        """Return whether the script shown, edits and all, is the one that a layer was rolled
        from.

        A generator without a text is told by its name.
        """
        roll = layer.roll
        if roll is None:
            return False
        text = self.text.text()
        if not text and script_of_roll(roll).name != self.script.name:
            return False
        return has_same_text(roll, self.script.name, text, self.script.texts)

    def _on_active_layer(self, _layer_id: int) -> None:
        """Show the script of the layer that has become active, if it was rolled."""
        if self._arriving:  # another map is current: it shows its own script
            self._arriving = False
            self._note_target()
            return
        if not self._rolling.applying and self._document.active_layer.roll is not None:
            self.show_roll(self._document.active_layer)
        self._follow_target()

    def _on_changed(self, region: Region) -> None:
        if region.structure and not self._arriving:
            self._follow_target()  # a layer was hidden, moved, deleted

    def _follow_target(self) -> None:
        """Show the settings of the roll that the next one replaces, if that is another one now.

        While no rolled layer is active that is the topmost one. One that was rolled from another
        script than the one shown gets that one: its settings do not matter.
        """
        target = self._rolling.target()
        is_rolled_now = self._rolling.applying  # then the settings shown are those of the roll
        if target is not None and not is_rolled_now and self._shows(target):
            is_active_layer_rolled = self._document.active_layer.roll is not None
            is_other_layer = target.id != self._target_id
            is_other_roll = target.roll is not self._target_roll
            if is_other_layer and not is_active_layer_rolled:
                self.show_roll(target)
            elif is_other_roll and target.roll is not None:  # Undo or Redo has brought it
                self.settings.set(script_of_roll(target.roll).settings)
        self._note_target()

    def _note_target(self) -> None:
        """Remember the layer that the next roll replaces, to notice when it is another one."""
        target = self._rolling.target()
        if target is None:
            self._target_id = None
            self._target_roll = None
        else:
            self._target_id = target.id
            self._target_roll = target.roll

    # --- the language -----------------------------------------------------------------------

    def language(self) -> Language:
        """Return the language of the script; one that knows nothing if no system has its suffix."""
        try:
            return script_host(self.script.name, None, self.script.text).language
        except ProblemError:
            return PLAIN_TEXT

    # --- what an editor should show ---------------------------------------------------------

    def apply_fix(self, fix: Fix) -> None:
        """Make the edits of a fix in the text: one step of undo, of the map if that holds it."""
        if not self.current.in_map:
            self.text.apply_fix(fix)
            return
        self.map_script.commit()  # what was typed before is a step of its own
        self.text.apply_fix(fix)
        self.map_script.replace_text(self.text.text(), fix.title)

    def go_to(self, line: int) -> None:
        """Let the editor go to a line (from 1)."""
        self.line_wanted.emit(line)

    def mark_statement(self, lines: tuple[int, int] | None) -> None:
        """Let the editor shade a statement, from its first line to its last; None: none."""
        self.statement_marked.emit(lines)

    # --- a provider of setups --------------------------------------------------------------

    def serves_map(self) -> bool:
        """Return True: what nobody else rolls a script rolls, or ``why_not()`` says why."""
        return True

    def setup(self, _key: DrawKey | None = None) -> RollSetup:
        """Return the script with its text and settings as shown."""
        return self._setup_of(self.text.text(), self.further_texts)

    @property
    def further_texts(self) -> Mapping[str, str]:
        """The further files of the script shown, by name."""
        if self.current.in_map:
            return self.map_script.texts
        return self.script.texts

    def asker(self) -> None:
        """Return None: scripts roll without questions."""

    def loading(self) -> bool:
        """Return whether another script is on its way into the map."""
        return self.map_script.loading

    def _setup_of(self, text: str, texts: Mapping[str, str]) -> RollSetup:
        """Return the setup of another text, with further files, of the script shown."""
        return self._setup_of_script(self.script, text, texts)

    def _setup_of_script(self, script: Script, text: str, texts: Mapping[str, str]) -> RollSetup:
        """Return the setup of another text of a script of the current map."""
        generator = self.current.generator
        searches = generator is not None and rolls_many(generator)
        seeds = SEED_LIMIT
        if generator is not None:
            seeds = generator.usual_seeds
        if texts != script.texts:
            script = replace(script, texts=texts)
        setup = script.setup(text, dict(self.settings.values), searches=searches)
        check = partial(script.check, text)
        return replace(setup, replaces=self.current.in_map, seeds=seeds, check=check)

    def why_not(self) -> str:
        """Return why the script shown cannot roll the current map, in words; "" if it can."""
        has_text = self.script.built_in or self.text.text().strip()
        if has_text:
            return self.why_other_map()
        return "There is no script."

    def why_other_map(self) -> str:
        """Return why the script shown is not one for the current map, in words; "" if it is."""
        generator = self.current.generator
        if generator is None:
            return ""  # the roll says what is wrong
        script_system = generator.system
        map_system = self._document.battlemap.system
        if script_system is map_system:
            return ""
        rolled_kind = with_article(script_system.title)
        map_kind = with_article(map_system.title)
        return f"{self.script.name} makes {rolled_kind}; this is {map_kind}."


def _is_held_by_maps(script: Script) -> bool:
    """Return whether a script is of a system whose maps hold their script."""
    try:
        return bool(script.empty_generator().system.script_record)
    except ProblemError:
        return False
