"""The script that the desk shows: a service for every feature that reads, checks or rolls it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.open_map import OpenMap
from app.document.roll_state import RollState
from app.qt_guard import connect, later
from app.rolling.recipe import Recipe
from app.rolling.roll_request import RollRequest
from app.rolling.rolling import Rolling
from app.scripts.checking import ScriptChecker
from app.scripts.following import ScriptFollowing
from app.scripts.kept_script import KeptScript
from app.scripts.map_script import MapScript
from app.scripts.script_files import ScriptFiles
from app.scripts.script_text import ScriptText
from app.scripts.shown_script import (
    NO_SCRIPT,
    ShownScript,
    script_of_draft,
    script_of_generator,
    script_of_map,
    script_of_roll,
    untitled,
    with_lf,
)
from app.settings import Settings
from randomizer.batches.batch import RollsMany
from randomizer.catalog import script_host
from randomizer.generator import MapGenerator, settings_read, usual_seeds_of
from randomizer.languages.language import PLAIN_TEXT, Language, SourceText
from randomizer.model.battlemap import BattleMap
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.layer import Layer, Roll
from randomizer.model.map_records import MapRecord
from randomizer.model.plurals import with_article
from randomizer.model.problems import ProblemError
from randomizer.model.setting import Setting, fitting_settings
from randomizer.model.system import Ability
from randomizer.script_catalog import CatalogEntry
from randomizer.storage.drafts import Draft


class Scripts(QObject):
    """One script is shown: its text, its file, its problems and its settings (the ground below).

    It provides recipes for all maps that no other provider serves: always the text as shown. The
    script panel is a view of it. Each open map has its own script (``KeptScript``): the one that
    was shown when the map was left; a map that came with none gets the one shown if that rolls such
    maps, else the first of its system's. Of a system with a ``script_record`` the map itself holds
    the text: it is shown, and what is typed goes there (``map_script``).

    ``leaving()``: another map may come to the front. ``forgotten(KeptScript)``: no open map has
    that script any more. ``shown()``: another script is shown. ``script_changed()``: that, or it
    lives elsewhere now. ``settings_changed()``. ``recipe_changed()``: the script, its text or its
    settings changed. ``line_wanted(int)``: an editor should go to this line (from 1).
    ``statement_marked(object)``: an editor should shade these lines (first, last), or none (None).
    ``message(str)``: something to say in passing.
    """

    leaving = Signal()
    forgotten = Signal(object)
    shown = Signal()
    script_changed = Signal()
    settings_changed = Signal()
    recipe_changed = Signal()
    line_wanted = Signal(int)
    statement_marked = Signal(object)
    message = Signal(str)

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        settings: Settings,
        window: QWidget | None = None,
    ) -> None:
        """``window`` is the parent of dialogs."""
        super().__init__(window)
        self._document, self._rolling = document, rolling
        self._settings: dict[str, object] = {}
        self._made: tuple[ShownScript, MapGenerator | None] | None = None
        self._reading = BackgroundValue(self._to_read, _read_settings, self)
        connect(self._reading.found, self._take_known)
        self._reading.watch(True)
        self._kept = KeptScript(NO_SCRIPT, "")
        self._known = {self._kept}
        self._kept_by: WeakKeyDictionary[OpenMap, KeptScript] = WeakKeyDictionary()
        self._front: OpenMap | None = None
        self._showing = False
        self._arriving = False
        self._opening: ShownScript | None = None
        self._opening_new: ShownScript | None = None
        self._new_map: RollRequest | None = None
        self.text = ScriptText(self)
        self.files = ScriptFiles(self.text, settings, self, window)
        self.checker = ScriptChecker(self._to_check, self)
        self.map_script = MapScript(document, rolling, self._recipe_of, self)
        self.following = ScriptFollowing(self.files, rolling, settings, self._take_from_file)
        connect(self.text.edited, self._on_edited)
        connect(self.text.edited, self.checker.text_changed)
        connect(self.text.edited, self.recipe_changed)
        connect(self.settings_changed, self.recipe_changed)
        connect(self.script_changed, self.recipe_changed)
        connect(self.files.changed, self._on_file_changed)
        connect(self.files.message, self.message)
        connect(self.following.message, self.message)
        connect(self.map_script.changed, self._follow_record)
        connect(document.steps_changed, self._follow_home)  # the record came before
        rolling.add_provider(self)
        connect(rolling.finished, self._on_finished)
        connect(rolling.failed, self._on_failed)
        connect(rolling.about_to_roll, self._follow_home)  # the text has just come into the map
        connect(document.map_leaving, self._follow_home)
        connect(document.map_leaving, self.leaving)
        connect(document.map_replaced, self._on_map_replaced)
        connect(document.maps_changed, self._forget_unused)
        connect(document.active_layer_changed, self._on_active_layer)
        self._on_map_replaced()
        self._arriving = False

    # --- which script -----------------------------------------------------------------------

    @property
    def script(self) -> ShownScript:
        """The script shown, as it was opened or saved."""
        return self.files.script

    def open(self, path: Path) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept."""
        script = self.files.open(path)
        if script is None:
            return False
        if not self._take(script, own=True):
            self._make_room(script)
            self._show(script)
        return True

    def open_entry(self, entry: CatalogEntry) -> bool:
        """Show the script that a metadata file names; False if unsaved edits are to be kept.

        Raises ProblemError if it cannot be read.
        """
        script = script_of_generator(entry.generator(), entry.script)
        if not self.files.may_replace():
            return False
        self.files.note_home(script)
        if not self._take(script, own=True):
            self._make_room(script)
            self._show(script)
        return True

    def ask_open(self) -> None:
        """Let a person choose a script file, and show it."""
        path = self.files.ask_open()
        if path is not None:
            self.open(path)

    def show_draft(self, draft: Draft) -> bool:
        """Show a script with edits that another session left; False if edits are to be kept.

        It is given to its maps, the first of which becomes the current one. If none of them is open
        it is given to the current map, or to a new one where that has another script to keep.
        """
        script, front = script_of_draft(draft), self._document.battlemap.system
        maps = [each for each in self._document.maps if each.key in draft.maps]
        if maps:
            self._document.bring_to_front(maps[0])
            if not self.files.may_replace():
                return False
        else:
            with suppress(ProblemError):  # no system has its suffix: the roll says so
                front = script.empty_generator().system
            if (
                self.files.unsaved
                or front is not self._document.battlemap.system
                or (self.map_script.in_map)
            ):
                self._document.open_map(new_map(front))
        self._show(script, draft.settings)
        self.text.replace(draft.text)
        self.text.setModified(True)
        self._kept_by.update(dict.fromkeys(maps, self._kept))
        return True

    def load_generator(self, generator: MapGenerator) -> bool:
        """Show a script of the catalogue; False if unsaved edits are to be kept."""
        if not self.files.may_replace():
            return False
        if not self._take(script_of_generator(generator), own=False):
            self._show(script_of_generator(generator))
        return True

    def roll_file(self, path: Path) -> None:
        """Show a script file and roll it in place of the roll of the map in front."""
        if self.open(path):
            self._randomize()

    def roll_entry(self, entry: CatalogEntry) -> None:
        """Show the script that a metadata file names, and roll it as ``roll_file`` does.

        Raises ProblemError if it cannot be read.
        """
        if self.open_entry(entry):
            self._randomize()

    def roll_generator(self, generator: MapGenerator) -> None:
        """Show a script of the catalogue and roll it in place of the roll of the map in front."""
        if self.load_generator(generator):
            self._randomize()

    def _randomize(self) -> None:
        """Roll the script shown; one that comes into the map is being rolled already.

        Where the map in front is of another system it is rolled on a new map.
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
        self._rolling.randomize_as()

    def roll_new(
        self,
        battlemap: BattleMap,
        generator: MapGenerator,
        settings: Mapping[str, object] | None = None,
        path: Path | None = None,
    ) -> None:
        """Roll a script of the catalogue onto an empty map, and open that as a new map.

        It takes the place of the map in front if that is as it was rolled. ``settings``: None are
        the usual ones. ``path`` is the script's file if it is the user's.
        """
        script = script_of_generator(generator, path)
        if settings is not None:
            script = replace(script, settings=settings)
        if path is not None:
            self.files.note_home(script)
        self._roll_new(battlemap, script, replaces=True)

    def _roll_new(
        self, battlemap: BattleMap, script: ShownScript, *, replaces: bool = False
    ) -> None:
        self._opening_new = script
        self.message.emit(f"Rolling a new {battlemap.system.noun} by {script.name} ...")
        recipe = script.recipe(script.text, script.settings)
        seeds = usual_seeds_of(script.empty_generator())
        recipe = replace(recipe, seeds=seeds)
        self._new_map = self._rolling.roll_new(battlemap, recipe, in_place=replaces)

    def ask_to_close(self) -> bool:
        """Whether the desk may close; asks what to do with unsaved edits of all scripts."""
        asked: set[KeptScript] = set()
        for open_map in self._document.maps:
            kept = self._kept_by.get(open_map)
            if kept is not None and kept not in asked:
                asked.add(kept)
                if not self._may_leave(open_map):
                    return False
        self._rolling.cancel()
        return True

    def may_close(self, open_map: OpenMap) -> bool:
        """Whether one of several maps may close; asks about its script if no other map has it."""
        kept = self._kept_by.get(open_map)
        others = (self._kept_by.get(each) for each in self._document.maps if each is not open_map)
        return kept in others or self._may_leave(open_map)

    def _may_leave(self, open_map: OpenMap) -> bool:
        """Whether edits of the script of a map may be lost; if there are any the user is asked."""
        self._keep()
        kept = self._kept_by.get(open_map)
        if kept is None or not kept.modified or open_map.battlemap.system.script_record:
            return True
        self._document.bring_to_front(open_map)
        return self.files.may_replace()

    def _make_room(self, script: ShownScript) -> None:
        """Open an empty map for a script if the one in front holds its own."""
        if self.map_script.in_map:
            self._make_map(script)

    def _make_map(self, script: ShownScript) -> None:
        """Open an empty map of the system of a script."""
        self._document.open_map(new_map(script.empty_generator().system))

    def _show(self, script: ShownScript, settings: Mapping[str, object] | None = None) -> None:
        """Show another script as that of the map in front."""
        given = script.settings if settings is None else settings
        self._show_kept(KeptScript(script, script.text, settings=given))

    def _show_kept(self, kept: KeptScript) -> None:
        self._kept = self._kept_by[self._document.front] = kept
        self._known.add(kept)
        self.files.in_map = self.map_script.in_map
        self.files.set_script(kept.script)
        self.following.forget()
        self._showing = True
        try:
            self.text.setUndoRedoEnabled(not self.files.in_map)  # the map's undo steps have it
            self.text.show(kept.text)
            self.text.setModified(kept.modified)
        finally:
            self._showing = False
        self.set_settings(kept.settings)
        self.checker.text_changed(at_once=True)
        self._forget_unused()
        self.shown.emit()
        self.script_changed.emit()

    # --- the script of each map -------------------------------------------------------------

    def _keep(self) -> None:
        """Note what was done to the script shown."""
        kept = self._kept
        kept.script, kept.text = self.script, self.text.text()
        kept.modified, kept.settings = self.text.isModified(), dict(self._settings)

    @property
    def kept(self) -> KeptScript:
        """The script shown; its values are those of when it was shown."""
        return self._kept

    def map_keys(self) -> tuple[str, ...]:
        """The keys of the open maps that have the script shown."""
        maps = self._document.maps
        return tuple(each.key for each in maps if self._kept_by.get(each) is self._kept)

    @property
    def showing(self) -> bool:
        """Whether the text changes because another script is shown."""
        return self._showing

    def _forget_unused(self) -> None:
        """Tell of the scripts that no open map has any more."""
        used = {self._kept, *map(self._kept_by.get, self._document.maps)}
        for kept in self._known - used:
            self._known.remove(kept)
            self.forgotten.emit(kept)

    def _on_map_replaced(self) -> None:
        front = self._document.front
        if front is self._front:
            return
        self._keep()
        self._front = front
        self._opening = None
        self._arriving = True
        kept = self._kept_by.get(front)
        if self.map_script.in_map:
            self._show_map_script(kept)
        elif kept is None:
            self._show_first()
        elif kept is not self._kept:
            self._show_kept(kept)

    def _show_first(self) -> None:
        """A map has come that had no script yet."""
        layer, battlemap = self._rolling.target(), self._document.battlemap
        if layer is not None and layer.roll is not None and self._has_script(layer.roll):
            if not self._shows(layer):
                script = self.files.at_home(script_of_roll(layer.roll))
                self._show(script, script_of_roll(layer.roll).settings)
            self._rolling.set_state(RollState(layer.roll.seed, layer.roll.number))
        elif self.script is NO_SCRIPT:
            self._show(ShownScript(untitled(battlemap.system)))
        elif self.why_other_map():
            own = script_of_map(battlemap)
            if own.text or self.files.in_map:  # what another map holds is not for this one
                self._show(own)
        self.files.in_map = False
        self._kept_by[self._document.front] = self._kept

    def _has_script(self, roll: Roll) -> bool:
        """Whether a roll is of a script that is shown: a text, or a packaged generator without one.

        Generators of systems without scripts have panels of their own.
        """
        scripts = Ability.SCRIPTS in self._document.battlemap.system.abilities
        return bool(roll.script) or (scripts and script_of_roll(roll).built_in)

    def _show_map_script(self, kept: KeptScript | None) -> None:
        """Show what the map in front holds."""
        if kept is None:
            front = self._document.front
            kept = KeptScript(script_of_map(front.battlemap, front.path), "")
            kept.settings = kept.script.settings
            layer = self._document.battlemap.source_layer
            if layer is not None and layer.roll is not None:
                self._rolling.set_state(RollState(layer.roll.seed, layer.roll.number))
        kept.script = kept.home_now(self._document.history)
        kept.text = self._text_of_map(kept.script)
        kept.modified = kept.text != kept.script.text
        self._show_kept(kept)

    def _text_of_map(self, script: ShownScript) -> str:
        held = self.map_script.text
        return script.text if held is None else with_lf(held)

    def _on_edited(self) -> None:
        """The user has typed, if it is not another text that is shown."""
        if self.files.in_map and not self._showing:
            self.map_script.type_text(self.text.text())
            self.text.setModified(self.text.text() != self.script.text)

    def _follow_record(self) -> None:
        """The map holds another text, of undo, another panel or another file."""
        if self.files.in_map and not self.map_script.pending:
            self._replace_text(self._text_of_map(self.script))
            later(self, self._follow_home)  # undo steps are counted when they are done

    def _replace_text(self, text: str) -> None:
        self._showing = True
        try:
            if text != self.text.text():
                self.text.replace(text)
            self.text.setModified(text != self.script.text)
        finally:
            self._showing = False

    def _follow_home(self) -> None:
        """Find out from which file the text comes now."""
        if not self.files.in_map or self.map_script.pending:
            return
        history, opening = self._document.history, self._opening
        if opening is not None and self.text.text() == opening.text:
            self._opening = None
            self._kept.move_home(history, opening)
        home = self._kept.home_now(history)
        if home is not self.script:
            self.files.set_script(home)
            self.following.forget()
            self.text.setModified(self.text.text() != home.text)
        self.script_changed.emit()

    def _take(self, script: ShownScript, *, own: bool) -> bool:
        """Give a script to the map that holds its script, and roll it; False for other systems.

        A map of another system in front stays: the script gets a new map. ``own``: the script is
        the user's, not a packaged one.
        """
        try:
            system = script.empty_generator().system
        except ProblemError:
            return False
        if not system.script_record:
            return False
        if system is self._document.battlemap.system:
            if self._arrives(script) or self._is_there(script, own=own):
                return True
            self._opening = script
            title = f"Open {script.name}"
            self.map_script.set_script(script.text, script.texts, title, own=own)
        else:
            self._roll_new(new_map(system), script)
        return True

    def _arrives(self, script: ShownScript) -> bool:
        """Whether that script is on its way into the map already: a file can be told of twice."""
        coming = self._opening if self.map_script.pending else None
        return coming is not None and (coming.path, coming.text, coming.texts) == (
            script.path,
            script.text,
            script.texts,
        )

    def _is_there(self, script: ShownScript, *, own: bool) -> bool:
        """Whether the map holds that script already, and no other is on its way.

        Then that is where its text comes from now.
        """
        system, records = self._document.battlemap.system, self._document.battlemap.records
        held = records.get(system.script_record)
        if held is None or (own and not held.touched) or self.map_script.pending:
            return False
        if (with_lf(held.text), self.map_script.texts) != (script.text, script.texts):
            return False
        if script != self.script:
            self._opening = script
            self._follow_home()
        return True

    def _take_from_file(self, script: ShownScript) -> bool:
        """The file of the script shown holds another text now; False if the map holds no script."""
        return self.files.in_map and self._take(
            replace(script, settings=self.script.settings), own=True
        )

    def _on_finished(self, request: RollRequest) -> None:
        """A roll was opened as a new map: its script may have come from a file."""
        if request is not self._new_map:
            return
        self._follow_home_of_new()
        noun = self._document.battlemap.system.noun
        self.message.emit(f"A new {noun}, seed {self._rolling.state.seed}")

    def _on_failed(self, request: RollRequest, _problems: object) -> None:
        """A map could not be rolled from its script: show the script, with an empty map."""
        if request is not self._new_map:
            return
        battlemap, script = new_map(request.base.system, request.base.grid), self._opening_new
        if battlemap.system.script_record and request.recipe.text:
            record = MapRecord(request.recipe.text, touched=True)
            battlemap.records[battlemap.system.script_record] = record
        self._document.show_map(battlemap)
        if not self.files.in_map and script is not None:
            self._show(script)
        self._follow_home_of_new()

    def _follow_home_of_new(self) -> None:
        """A new map is in front: find out from which file its script comes."""
        if self.files.in_map and self._opening_new is not None:
            self._opening = self._opening_new
            self._follow_home()
        self._opening_new = None

    def _on_file_changed(self) -> None:
        if self.files.in_map:
            self._kept.move_home(self._document.history, self.script)
        self.checker.text_changed(at_once=True)
        self.script_changed.emit()

    def _to_check(self) -> SourceText | str:
        if self.script.built_in:
            return f"{self.script.name} has no text."
        text, script = self.text.text(), self.script
        return SourceText(text, script.name, self.further_texts, script.place)

    # --- the script of a layer --------------------------------------------------------------

    def show_roll(self, layer: Layer) -> bool:
        """Show the script, settings, seed and number that a layer was rolled from.

        False, and nothing is shown, if it was not rolled or if there are unsaved edits.
        """
        roll = layer.roll
        if roll is None:
            return False
        has_script = self._has_script(roll)
        if self.files.in_map or (has_script and self._shows(layer)):
            self.set_settings(script_of_roll(roll).settings)
        elif has_script:
            if self.files.unsaved:
                return False
            script = script_of_roll(roll)
            self._show(self.files.at_home(script), script.settings)
        self._rolling.set_state(RollState(roll.seed, roll.number))
        return True

    def show_active_layer(self) -> None:
        """Show the script of the active layer; unsaved edits are asked about."""
        if self.files.may_replace():
            self.text.setModified(False)
            self.show_roll(self._document.active_layer)

    def about_active_layer(self) -> str:
        """From which script the active layer was rolled, in words; "" if it is the one shown."""
        layer = self._document.active_layer
        if self.files.in_map or layer.roll is None or not self._has_script(layer.roll):
            return ""
        if self._shows(layer):
            return ""
        name = layer.roll.script_name or "a script"
        if layer.roll.script_name == self.script.name:
            name = f"another text of {name}"
        return f"The active layer was rolled from {name}."

    def _shows(self, layer: Layer) -> bool:
        """Whether the script shown, edits and all, is the one that a layer was rolled from."""
        if layer.roll is None:
            return False
        script = script_of_roll(layer.roll)
        shown = (self.script.name, self.text.text(), self.script.texts)
        return (script.name, script.text, script.texts) == shown

    def _on_active_layer(self, _layer_id: int) -> None:
        layer = self._document.active_layer
        if self._arriving:  # another map is in front: it shows its own script
            self._arriving = False
        elif not self._rolling.applying:
            self.show_roll(layer)

    # --- generator, language, settings ------------------------------------------------------

    def language(self) -> Language:
        """The language of the script; one that knows nothing if no system has its suffix."""
        try:
            return script_host(self.script.name, None, self.script.text).language
        except ProblemError:
            return PLAIN_TEXT

    def _generator(self) -> MapGenerator | None:
        """The generator of the script as it was opened; None if no system has its suffix."""
        if self._made is None or self._made[0] is not self.script:
            try:
                self._made = self.script, self.script.empty_generator()
            except ProblemError:
                self._made = self.script, None
        return self._made[1]

    def known_settings(self) -> tuple[Setting, ...]:
        """The settings that the script's generator has, in the words for the map in front.

        There are none while they are read from a game; then ``settings_changed`` follows.
        """
        generator, layout = self._generator(), self._document.battlemap.grid.layout
        known = () if generator is None or not settings_read(generator) else generator.settings
        return tuple(setting.filled(layout) for setting in known)

    def _to_read(self) -> MapGenerator | str:
        generator = self._generator()
        if generator is None or settings_read(generator):
            return "The settings are known."
        return generator

    def _take_known(self, generator: object) -> None:
        """The settings of a generator were read."""
        if generator is self._generator():
            self.set_settings(self._settings)
            self.settings_changed.emit()

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings that the script is rolled with, by name, without those that are not set."""
        return self._settings

    def set_settings(self, values: Mapping[str, object]) -> None:
        """Roll with these settings; those that the generator has not are left out."""
        generator = self._generator()
        if generator is not None and not settings_read(generator):
            fitting = dict(values)  # they are looked at when the generator's own are read
            self._reading.renew()
        else:
            fitting = fitting_settings(self.known_settings(), values)  # another edition had others
        if fitting != self._settings:
            self._settings = fitting
            self.settings_changed.emit()

    # --- what an editor should show ---------------------------------------------------------

    def go_to(self, line: int) -> None:
        """Let the editor go to a line (from 1)."""
        self.line_wanted.emit(line)

    def mark_statement(self, lines: tuple[int, int] | None) -> None:
        """Let the editor shade a statement, from its first line to its last; None: none."""
        self.statement_marked.emit(lines)

    # --- a provider of recipes --------------------------------------------------------------

    def serves_map(self) -> bool:
        """True: a map that nobody else rolls is rolled by a script, or ``why_not()`` says why."""
        return True

    def recipe(self) -> Recipe:
        """The script with its text and settings as shown."""
        return self._recipe_of(self.text.text(), self.further_texts)

    @property
    def further_texts(self) -> Mapping[str, str]:
        """The further files of the script shown, by name."""
        return self.map_script.texts if self.files.in_map else self.script.texts

    def loading(self) -> bool:
        """Whether another script is on its way into the map."""
        return self.map_script.loading

    def _recipe_of(self, text: str, texts: Mapping[str, str]) -> Recipe:
        generator = self._generator()
        searches = isinstance(generator, RollsMany)
        seeds = SEED_LIMIT if generator is None else usual_seeds_of(generator)
        script, opening = self.script, self._opening
        if opening is not None and opening.text == text:
            script = opening  # it is rolled before it is shown
        if texts != script.texts:
            script = replace(script, texts=texts)
        recipe = script.recipe(text, dict(self._settings), searches=searches)
        return replace(recipe, replaces=self.files.in_map, seeds=seeds)

    def why_not(self) -> str:
        """Why the script shown cannot roll the map in front, in words; "" if it can."""
        there = self.script.built_in or self.text.text().strip()
        return self.why_other_map() if there else "There is no script."

    def why_other_map(self) -> str:
        """Why the script shown is not one for the map in front, in words; "" if it is."""
        generator = self._generator()
        if generator is None:
            return ""  # the roll says what is wrong
        makes = generator.system
        map_is = self._document.battlemap.system
        name = self.script.name
        return (
            ""
            if makes is map_is
            else f"{name} makes {with_article(makes.title)}; this is {with_article(map_is.title)}."
        )


def _read_settings(generator: MapGenerator, _progress: object, _cancelled: object) -> MapGenerator:
    """The generator, its settings read, on a job's thread."""
    tuple(generator.settings)
    return generator
