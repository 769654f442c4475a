"""The script that the desk shows: a service for every feature that reads, checks or rolls it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.document.document import MapDocument
from app.document.roll_state import RollState
from app.qt_guard import connect
from app.rolling.roll_request import Recipe
from app.rolling.rolling import Rolling
from app.scripts.checking import ScriptChecker, ToCheck
from app.scripts.following import ScriptFollowing
from app.scripts.script_files import ScriptFiles
from app.scripts.script_text import ScriptText
from app.scripts.shown_script import (
    NO_SCRIPT,
    ShownScript,
    script_of_draft,
    script_of_generator,
    script_of_roll,
)
from app.settings import Settings
from randomizer.batches.batch import RollsMany
from randomizer.catalog import generator_for_script, script_host
from randomizer.generator import MapGenerator, usual_seeds_of
from randomizer.model.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.setting import Setting, checked_settings
from randomizer.script_hosts import ScriptHost
from randomizer.storage.drafts import Draft


class Scripts(QObject):
    """One script is shown: its text, its file, its problems and its settings (the ground below).

    It provides recipes for all maps that no other provider serves: always the text as shown. The
    script panel is a view of it.

    ``shown()``: another script is shown. ``script_changed()``: that, or it lives elsewhere now.
    ``settings_changed()``. ``recipe_changed()``: the script, its text or its settings changed.
    ``line_wanted(int)``: an editor should go to this line (from 1). ``statement_marked(object)``:
    an editor should shade these lines (first, last), or none (None). ``message(str)``: something
    to say in passing.
    """

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
        self.text = ScriptText(self)
        self.files = ScriptFiles(self.text, settings, self, window)
        self.checker = ScriptChecker(self._to_check, self)
        self.following = ScriptFollowing(self.files, rolling, settings)
        connect(self.text.edited, self.checker.text_changed)
        connect(self.text.edited, self.recipe_changed)
        connect(self.settings_changed, self.recipe_changed)
        connect(self.script_changed, self.recipe_changed)
        connect(self.files.changed, self._on_file_changed)
        connect(self.files.message, self.message)
        connect(self.following.message, self.message)
        rolling.add_provider(self)
        connect(document.active_layer_changed, self._on_active_layer)
        layer = rolling.target()
        if layer is None or not self.show_roll(layer):
            self._show(NO_SCRIPT)

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
        self._show(script)
        return True

    def ask_open(self) -> None:
        """Let a person choose a script file, and show it."""
        path = self.files.ask_open()
        if path is not None:
            self.open(path)

    def show_draft(self, draft: Draft) -> bool:
        """Show a script with edits that another session left; False if edits are to be kept."""
        if not self.files.may_replace():
            return False
        self._show(script_of_draft(draft), draft.settings)
        self.text.replace(draft.text)
        self.text.setModified(True)
        return True

    def load_generator(self, generator: MapGenerator) -> bool:
        """Show a script of the catalogue; False if unsaved edits are to be kept."""
        if not self.files.may_replace():
            return False
        self._show(script_of_generator(generator))
        return True

    def ask_to_close(self) -> bool:
        """Whether the desk may close; asks what to do with unsaved edits."""
        if not self.files.may_replace():
            return False
        self._rolling.cancel()
        return True

    def _show(self, script: ShownScript, settings: Mapping[str, object] | None = None) -> None:
        self.files.set_script(script)
        self.following.forget()
        self.text.show(script.text)
        self.set_settings(script.settings if settings is None else settings)
        self.checker.text_changed(at_once=True)
        self.shown.emit()
        self.script_changed.emit()

    def _on_file_changed(self) -> None:
        self.checker.text_changed(at_once=True)
        self.script_changed.emit()

    def _to_check(self) -> ToCheck:
        return ToCheck(self.text.text(), self.script.name, self.script.place)

    # --- the script of a layer --------------------------------------------------------------

    def show_roll(self, layer: Layer) -> bool:
        """Show the script, settings, seed and number that a layer was rolled from.

        False, and nothing is shown, if it was not rolled or if there are unsaved edits.
        """
        roll = layer.roll
        if roll is None:
            return False
        if roll.script and self._shows(layer):
            self.set_settings(script_of_roll(roll).settings)
        elif roll.script:
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
        if layer.roll is None or not layer.roll.script or self._shows(layer):
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
        if not self._rolling.applying:
            self.show_roll(self._document.active_layer)

    # --- generator, language, settings ------------------------------------------------------

    def language(self) -> ScriptHost | None:
        """The language of the script; None if no system has its suffix."""
        try:
            return script_host(self.script.name)
        except ProblemError:
            return None

    def _generator(self) -> MapGenerator | None:
        """The generator of the script as it was opened; None if no system has its suffix."""
        if self.script.packaged is not None:
            return self.script.packaged
        try:
            return generator_for_script("", self.script.name)
        except ProblemError:
            return None

    def known_settings(self) -> tuple[Setting, ...]:
        """The settings that the script's generator has, in the words for the map in front."""
        generator, layout = self._generator(), self._document.battlemap.grid.layout
        known = () if generator is None else generator.settings
        return tuple(setting.filled(layout) for setting in known)

    @property
    def settings(self) -> Mapping[str, object]:
        """The settings that the script is rolled with, by name, without those that are not set."""
        return self._settings

    def set_settings(self, values: Mapping[str, object]) -> None:
        """Roll with these settings; those that the generator has not are left out."""
        fitting: dict[str, object] = {}
        for setting in self.known_settings():
            if setting.name in values:
                with suppress(ProblemError):  # a roll of another edition had other choices
                    chosen = {setting.name: values[setting.name]}
                    fitting |= checked_settings((setting,), chosen)
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
        generator, text = self._generator(), self.text.text()
        searches = isinstance(generator, RollsMany)
        recipe = self.script.recipe(text, dict(self._settings), searches=searches)
        return recipe if generator is None else replace(recipe, seeds=usual_seeds_of(generator))

    def why_not(self) -> str:
        """Why the script shown cannot roll the map in front, in words; "" if it can."""
        return self.why_other_map() if self.text.text().strip() else "There is no script."

    def why_other_map(self) -> str:
        """Why the script shown is not one for the map in front, in words; "" if it is."""
        try:
            makes = generator_for_script("", self.script.name).system
        except ProblemError:
            return ""  # the roll says what is wrong
        map_is = self._document.battlemap.system
        name = self.script.name
        return "" if makes is map_is else f"{name} makes a {makes.title}; this is a {map_is.title}."
