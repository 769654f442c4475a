"""The panel "Randomize from file": a script's text, its problems, its seed, and rolling it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.commands.commands import WHY
from app.document.document import MapDocument
from app.document.roll_state import RollState
from app.features.script.actions import RandomizeActions
from app.features.script.editor import ScriptEditor
from app.features.script.editor_actions import ScriptActions
from app.features.script.files import ScriptFiles
from app.features.script.following import ScriptFollowing
from app.features.script.hexes import ScriptHexes
from app.features.script.lock_banner import LockBanner
from app.features.script.problems import ScriptProblems
from app.features.script.roll_actions import RollActions
from app.rolling.roll_bar import RollBar
from app.rolling.roll_request import Recipe, RollRequest
from app.rolling.rolling import Rolling
from app.scripts.checking import ScriptChecker, ToCheck
from app.scripts.shown_script import (
    NO_SCRIPT,
    ShownScript,
    script_of_generator,
    script_of_roll,
)
from app.settings import Settings
from app.widgets.banner import Banner
from app.widgets.elided_label import ElidedLabel
from app.widgets.folded_form import FoldedForm
from randomizer.batches.batch import RollsMany
from randomizer.catalog import generator_for_script, script_host
from randomizer.generator import MapGenerator
from randomizer.model.battlemap import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.setting import Setting
from randomizer.storage.known_file import KnownFile


class RandomizePanel(QWidget):
    """Shows one script and provides it for rolls: always the text as shown.

    ``message(str)``: something to say in passing. ``script_changed()``: another script is shown, or
    it lives elsewhere now. ``recipe_changed()``: its text, its settings or the script is another.
    ``cells_pointed(frozenset)``: the cells that the text at the cursor is about, none when the
    editor has lost the keyboard. The actions are for menus too.
    """

    message = Signal(str)
    script_changed = Signal()
    recipe_changed = Signal()
    cells_pointed = Signal(object)

    def __init__(
        self, document: MapDocument, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.rolling = Rolling(document, self)
        self.editor = ScriptEditor()
        self.files = ScriptFiles(self.editor, settings, self)
        self.checker = ScriptChecker(self._to_check, self)
        self.problems = ScriptProblems(
            self.editor, self.checker, lambda: self.script.problems, self.message.emit
        )
        self.problem_list = self.problems.list
        self.hexes = ScriptHexes(document, self.editor, self.checker, self._other_map)
        self.ground = FoldedForm("Ground", "What lies under everything before the script starts")
        self.banner = Banner("Show it", "Show the script of the active layer, its seed and number")
        self.lock_banner = LockBanner(document, self.rolling)
        self.rolling.add_provider(self)
        self._actions = RandomizeActions(self)
        self._roll_actions = RollActions(self.rolling, self)
        self.script_actions = ScriptActions(self.editor)
        self.open_action = self._actions.open
        self.save_action = self._actions.save
        self.save_as_action = self._actions.save_as
        self.roll_action = self._roll_actions.roll
        self.reroll_action = self._roll_actions.reroll
        self.previous_action = self._roll_actions.previous
        self.next_action = self._roll_actions.next
        self.insert_action = self._actions.insert
        self.follow_action = self._actions.follow
        self.follow_action.setChecked(settings.follow_script)
        self.following = ScriptFollowing(self, settings)
        self.editor.addAction(self.insert_action)
        self.roll_bar = RollBar(
            self.rolling,
            (self.roll_action, self.previous_action, self.reroll_action, self.next_action),
        )
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.set_colours()
        layer = self.rolling.target()
        if layer is None or not self.show_roll(layer):
            self._show(NO_SCRIPT)

    # --- construction -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._title.setAccessibleName("Script shown")
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(self._title, 1)
        for action in (
            self.follow_action,
            self.open_action,
            self.save_action,
            self.save_as_action,
        ):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            button.setAccessibleName(action.text().replace("&", "").rstrip("."))
            head.addWidget(button)
        self.editor.setPlaceholderText(
            "Open a randomizer script, drop one here, or choose one under Randomize as."
        )
        self.editor.setMinimumHeight(self.editor.fontMetrics().height() * 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.following.banner)
        column.addWidget(self.banner)
        column.addWidget(self.lock_banner)
        column.addWidget(self.problems.view, 1)
        column.addWidget(self.ground)
        column.addWidget(self.roll_bar)

    def _connect(self) -> None:
        for action, do in (
            (self.open_action, self.ask_open),
            (self.save_action, self.files.save),
            (self.save_as_action, self.files.save_as),
            (self.insert_action, self.hexes.insert_selected),
        ):
            action.triggered.connect(lambda _checked=False, do=do: do())
        self.editor.edited.connect(self._on_edited)
        self.editor.document().modificationChanged.connect(lambda _modified: self._show_title())
        self.editor.save_requested.connect(self.files.save)
        self.editor.said.connect(self.message)
        self.files.message.connect(self.message)
        self.files.saved.connect(self._on_saved)
        self.hexes.pointed.connect(self.cells_pointed)
        self.rolling.started.connect(self._on_roll_started)
        self.rolling.reported.connect(self.problems.report)
        self.lock_banner.ended.connect(lambda: self.problems.report(()))
        self.rolling.message.connect(self.message)
        self.rolling.layers_changed.connect(self._update_banner)
        self.banner.accepted.connect(self._show_layers_script)
        self._document.active_layer_changed.connect(self._on_active_layer)
        self._document.selection_changed.connect(self._enable_insert)
        self._document.map_replaced.connect(self._enable_insert)
        self.ground.changed.connect(self.recipe_changed)
        self.script_changed.connect(self.recipe_changed)

    def start(self) -> None:
        """The window has been painted: texts may be checked now."""
        self.checker.start()

    def set_colours(self) -> None:
        """Draw icons and texts in the colours of the present palette."""
        self._actions.draw_icons()
        self._roll_actions.draw_icons()
        self.editor.set_colours()
        self.problem_list.set_colours()

    # --- which script -----------------------------------------------------------------------

    def open_script(self, path: Path) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept."""
        script = self.files.open(path)
        if script is None:
            return False
        self._show(script)
        return True

    def load_generator(self, generator: MapGenerator) -> bool:
        """Show a script of the catalogue; False if unsaved edits are to be kept."""
        if not self.files.may_replace():
            return False
        self._show(script_of_generator(generator))
        return True

    def show_roll(self, layer: Layer) -> bool:
        """Show the script, seed and number that a layer was rolled from.

        With unsaved edits a banner offers it instead, and False is returned.
        """
        roll = layer.roll
        if roll is None:
            return False
        if not roll.script:
            self.rolling.set_state(RollState(roll.seed, roll.number))
            return True
        if self._shows(layer):
            self.ground.set_settings(self._known_settings(), script_of_roll(roll).settings)
        elif self.has_unsaved_edits:
            self._update_banner()
            return False
        else:
            script = script_of_roll(roll)
            self._show(self.files.at_home(script), script.settings)
        self.rolling.set_state(RollState(roll.seed, roll.number))
        self._update_banner()
        return True

    def _shows(self, layer: Layer) -> bool:
        """Whether the script shown, edits and all, is the one that a layer was rolled from."""
        if layer.roll is None:
            return False
        script = script_of_roll(layer.roll)
        return (script.name, script.text) == (self.script.name, self.editor.text())

    def _show(self, script: ShownScript, settings: Mapping[str, object] | None = None) -> None:
        self.files.set_script(script)
        self.following.forget()
        self.lock_banner.clear()
        self.problems.begin()
        self.editor.show_text(script.text)
        try:
            host = script_host(script.name)
        except ProblemError:
            self.editor.set_language(None)
        else:
            self.editor.set_language(host)
        chosen = script.settings if settings is None else settings
        self.ground.set_settings(self._known_settings(), chosen)
        self.checker.text_changed(at_once=True)
        self._update_banner()
        self._show_title()
        self._enable_insert()
        self.script_changed.emit()

    def _shown_generator(self) -> MapGenerator | None:
        """The generator of the script as it was opened; None for a file that is no script."""
        if self.script.packaged is not None:
            return self.script.packaged
        try:
            return generator_for_script("", self.script.name)
        except ProblemError:
            return None

    def _known_settings(self) -> tuple[Setting, ...]:
        generator = self._shown_generator()
        return () if generator is None else generator.settings

    def _on_active_layer(self, _layer_id: int) -> None:
        if not self.rolling.applying:
            self.show_roll(self._document.active_layer)

    def _update_banner(self) -> None:
        layer = self._document.active_layer
        words = ""
        if layer.roll is not None and layer.roll.script and not self._shows(layer):
            name = layer.roll.script_name or "a script"
            if layer.roll.script_name == self.script.name:
                name = f"another text of {name}"
            words = f"The active layer was rolled from {name}."
        self.banner.say(words)

    def _show_layers_script(self) -> None:
        if self.files.may_replace():
            self.editor.document().setModified(False)
            self.show_roll(self._document.active_layer)

    def _show_title(self) -> None:
        edited = self.has_unsaved_edits
        self._title.setText(f"{self.script.name}{' *' if edited else ''}")
        where = "not saved in a file" if self.script.path is None else str(self.script.path)
        self._title.setToolTip(f"{where}{', with unsaved edits' if edited else ''}")
        self.save_action.setEnabled(edited or self.script.path is None)
        in_file = self.script.path is not None
        self.follow_action.setEnabled(in_file)
        self.follow_action.setProperty(WHY, "" if in_file else "The script is in no file.")

    # --- files ------------------------------------------------------------------------------

    @property
    def script(self) -> ShownScript:
        """The script shown, as it was opened or saved."""
        return self.files.script

    @property
    def has_unsaved_edits(self) -> bool:
        """Whether the text was edited since it was opened or saved."""
        return self.files.unsaved

    def ask_to_close(self) -> bool:
        """Whether the panel may go; asks what to do with unsaved edits."""
        if not self.files.may_replace():
            return False
        self.rolling.cancel()
        return True

    def ask_open(self) -> None:
        """Let the user choose a script file, and show it."""
        path = self.files.ask_open()
        if path is not None:
            self.open_script(path)

    def read_again(self, script: ShownScript, known: KnownFile | None) -> None:
        """Show what the file of the script shown holds now; the text's Undo takes it back."""
        self.files.take_over(script, known)
        if script.text != self.editor.text():
            self.editor.replace_text(script.text)
        self._on_saved()

    def follow(self) -> bool:
        """Roll the same map of the text as shown; False if its layer is not there."""
        return self.rolling.follow()

    def changeEvent(self, event: QEvent) -> None:
        """The window is used again: look at the file, disks elsewhere tell nothing."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.files.watch.look()

    def _on_saved(self) -> None:
        self.checker.text_changed(at_once=True)
        self._update_banner()
        self._show_title()
        self.script_changed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Scripts may be dropped here; other files are the window's."""
        if self.files.dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Show a dropped script."""
        path = self.files.dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open_script(path)

    # --- problems ---------------------------------------------------------------------------

    def _to_check(self) -> ToCheck:
        return ToCheck(self.editor.text(), self.script.name, self.script.place)

    def _on_edited(self) -> None:
        self.problems.forget_roll()
        self.lock_banner.clear()
        self.checker.text_changed()
        self.recipe_changed.emit()

    def _on_roll_started(self, request: RollRequest) -> None:
        self.problems.rolling(request.recipe.text)

    # --- rolling ----------------------------------------------------------------------------

    def _enable_insert(self) -> None:
        why_not_insert = self.hexes.why_not_insert()
        self.insert_action.setProperty(WHY, why_not_insert)
        self.insert_action.setEnabled(not why_not_insert)

    def serves_map(self) -> bool:
        """True: a map that nobody else rolls is rolled by a script, or ``why_not()`` says why."""
        return True

    def why_not(self) -> str:
        """Why the script shown cannot roll the map in front, in words; "" if it can."""
        return self._other_map() if self.editor.text().strip() else "There is no script."

    def _other_map(self) -> str:
        """Why the script shown is not one for the map in front, in words; "" if it is."""
        try:
            makes = generator_for_script("", self.script.name).system
        except ProblemError:
            return ""  # the roll says what is wrong
        map_is = self._document.battlemap.system
        name = self.script.name
        return "" if makes is map_is else f"{name} makes a {makes.title}; this is a {map_is.title}."

    def recipe(self) -> Recipe:
        """The script with its text and settings as shown."""
        searches = isinstance(self._shown_generator(), RollsMany)
        return self.script.recipe(self.editor.text(), self.ground.values(), searches=searches)
