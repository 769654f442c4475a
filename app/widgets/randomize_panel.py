"""The panel "Randomize from file": a script's text, its problems, its seed, and rolling it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMessageBox,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.checking import ScriptChecker, ToCheck
from app.document import MapDocument
from app.drawing.icons import icon
from app.rolling import Rolling, RollState, Wish
from app.scripts import (
    NO_SCRIPT,
    ShownScript,
    save_script,
    script_of_file,
    script_of_generator,
    script_of_roll,
)
from app.settings import Settings
from app.widgets.banner import Banner
from app.widgets.elided_label import ElidedLabel
from app.widgets.problem_list import ProblemList
from app.widgets.roll_bar import RollBar
from app.widgets.script_editor import ScriptEditor
from app.widgets.settings_form import SettingsForm
from randomizer.battlemap import Layer
from randomizer.catalog import generator_for_script, script_host, script_suffixes
from randomizer.generator import MapGenerator, Setting
from randomizer.problems import Problem, ProblemError

Answer = QMessageBox.StandardButton


class RandomizePanel(QWidget):
    """Shows one script and rolls it: always the text as shown.

    ``message(str)``: something to say in passing. ``script_changed()``: another script is shown,
    or it lives elsewhere now. The actions are for menus too.
    """

    message = Signal(str)
    script_changed = Signal()

    def __init__(
        self, document: MapDocument, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = settings
        self.script = NO_SCRIPT
        self._homes: dict[tuple[str, str], ShownScript] = {}
        self._roll_problems: tuple[Problem, ...] = ()
        self._rolled_text = ""
        self.rolling = Rolling(document, self)
        self.editor = ScriptEditor()
        self.checker = ScriptChecker(self._to_check, self)
        self.problem_list = ProblemList()
        self.ground = SettingsForm("Ground")
        self.banner = Banner("Show it", "Show the script of the active layer, its seed and number")
        self._icons: dict[QAction, str] = {}
        self._make_actions()
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

    def _make_actions(self) -> None:
        make = self._action
        self.open_action = make("open", "&Open script...", "Open a script file", self.ask_open)
        self.save_action = make("save", "&Save script", "Save the script's text", self.save)
        self.save_as_action = make(
            "save-as", "Save script &as...", "Save the script's text in another file", self.save_as
        )
        self.roll_action = make(
            "roll", "&Roll", "Roll the script into a new layer above the active one", self.roll
        )
        self.reroll_action = make(
            "reroll",
            "Re-ro&ll",
            "Roll the layer again: the next map of its seed; what you painted on it is kept",
            self.reroll,
        )
        self.previous_action = make(
            "previous", "&Previous roll", "Go back to the roll before this one", self.step_back
        )
        self.next_action = make(
            "next", "&Next roll", "Go on to the roll after this one", self.step_forward
        )
        for action, keys in (
            (self.roll_action, "Ctrl+Shift+R"),
            (self.reroll_action, "Ctrl+R"),
            (self.previous_action, "Alt+Left"),
            (self.next_action, "Alt+Right"),
        ):
            action.setShortcut(QKeySequence(keys))
            shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{action.toolTip()} ({shown})")

    def _action(self, picture: str, text: str, tip: str, do: Callable[[], object]) -> QAction:
        action = QAction(text, self)
        action.setToolTip(tip)
        action.setStatusTip(tip)
        action.triggered.connect(lambda _checked=False: do())
        self._icons[action] = picture
        return action

    def _lay_out(self) -> None:
        self._title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self._title.setAccessibleName("Script shown")
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(self._title, 1)
        for action in (self.open_action, self.save_action, self.save_as_action):
            button = QToolButton()
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            button.setAccessibleName(action.text().replace("&", "").rstrip("."))
            head.addWidget(button)
        self.editor.setPlaceholderText(
            "Open a randomizer script, drop one here, or choose one under Randomize as."
        )
        self.editor.setMinimumHeight(self.editor.fontMetrics().height() * 4)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.editor)
        split.addWidget(self.problem_list)
        split.setStretchFactor(0, 1)
        split.setSizes([320, 110])
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.banner)
        column.addWidget(split, 1)
        column.addWidget(self.ground)
        column.addWidget(self.roll_bar)

    def _connect(self) -> None:
        self.editor.edited.connect(self._on_edited)
        self.editor.document().modificationChanged.connect(lambda _modified: self._show_title())
        self.editor.save_requested.connect(self.save)
        self.editor.fix_requested.connect(self.fix)
        self.problem_list.activated.connect(self.editor.show_problem)
        self.problem_list.fix_requested.connect(self.fix)
        self.checker.checked.connect(self._show_problems)
        self.rolling.reported.connect(self._on_reported)
        self.rolling.message.connect(self.message)
        self.rolling.layers_changed.connect(self._on_layers_changed)
        self.roll_bar.busy_shown.connect(lambda _shown: self._enable())
        self.banner.accepted.connect(self._show_layers_script)
        self._document.active_layer_changed.connect(self._on_active_layer)

    def start(self) -> None:
        """The window has been painted: texts may be checked now."""
        self.checker.start()

    def set_colours(self) -> None:
        """Draw icons and texts in the colours of the present palette."""
        for action, picture in self._icons.items():
            action.setIcon(icon(picture))
        self.editor.set_colours()
        self.problem_list.set_colours()

    # --- which script -----------------------------------------------------------------------

    def open_script(self, path: Path) -> bool:
        """Show a script file; False if it cannot be read or unsaved edits are to be kept."""
        try:
            script = script_of_file(path)
        except ProblemError as reason:
            if not path.exists():
                self._settings.drop_recent("scripts", path)
            self.message.emit(f"Not opened: {reason.problems[0].message}")
            return False
        if not self._may_replace():
            return False
        self._settings.add_recent("scripts", path)
        self._settings.last_directory = str(path.parent)
        self._show(script)
        return True

    def load_generator(self, generator: MapGenerator) -> bool:
        """Show a script of the catalogue; False if unsaved edits are to be kept."""
        if not self._may_replace():
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
        if self._shows(layer):
            self.ground.set_settings(self._known_settings(), script_of_roll(roll).settings)
        elif self.has_unsaved_edits:
            self._update_banner()
            return False
        else:
            script = script_of_roll(roll)
            self._show(self._homes.get((script.name, script.text), script), script.settings)
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
        self.script = script
        self._roll_problems = ()
        if script.path is not None:
            self._homes[script.name, script.text] = script
        self.editor.show_text(script.text)
        try:
            host = script_host(script.name)
        except ProblemError:
            self.editor.set_language((), lambda _word: None)
        else:
            self.editor.set_language(host.KEYWORDS, host.word_help)
        chosen = script.settings if settings is None else settings
        self.ground.set_settings(self._known_settings(), chosen)
        self.checker.text_changed(at_once=True)
        self._update_banner()
        self._show_title()
        self._enable()
        self.script_changed.emit()

    def _known_settings(self) -> tuple[Setting, ...]:
        if self.script.packaged is not None:
            return self.script.packaged.settings
        try:
            return generator_for_script("", self.script.name).settings
        except ProblemError:
            return ()

    def _on_active_layer(self, _layer_id: int) -> None:
        if not self.rolling.applying:
            self.show_roll(self._document.active_layer)

    def _on_layers_changed(self) -> None:
        if not self.rolling.applying:
            self._update_banner()
        self._enable()

    def _update_banner(self) -> None:
        layer = self._document.active_layer
        words = ""
        if layer.roll is not None and not self._shows(layer):
            name = layer.roll.script_name or "a script"
            if layer.roll.script_name == self.script.name:
                name = f"another text of {name}"
            words = f"The active layer was rolled from {name}."
        self.banner.say(words)

    def _show_layers_script(self) -> None:
        if self._may_replace():
            self.editor.document().setModified(False)
            self.show_roll(self._document.active_layer)

    def _show_title(self) -> None:
        edited = self.has_unsaved_edits
        self._title.setText(f"{self.script.name}{' *' if edited else ''}")
        where = "not saved in a file" if self.script.path is None else str(self.script.path)
        self._title.setToolTip(f"{where}{', with unsaved edits' if edited else ''}")
        self.save_action.setEnabled(edited or self.script.path is None)

    # --- files ------------------------------------------------------------------------------

    @property
    def has_unsaved_edits(self) -> bool:
        """Whether the text was edited since it was opened or saved."""
        return self.editor.document().isModified()

    def ask_to_close(self) -> bool:
        """Whether the panel may go; asks what to do with unsaved edits."""
        if not self._may_replace():
            return False
        self.rolling.cancel()
        return True

    def _may_replace(self) -> bool:
        """Whether the text may be replaced by another; unsaved edits are asked about."""
        if not self.has_unsaved_edits:
            return True
        answer = QMessageBox.question(
            self,
            "Unsaved script",
            f"Save the edits of {self.script.name}?",
            Answer.Save | Answer.Discard | Answer.Cancel,
            Answer.Save,
        )
        if answer == Answer.Save:
            return self.save()
        return answer == Answer.Discard

    def _filter(self) -> str:
        return f"Scripts ({' '.join('*' + suffix for suffix in script_suffixes())})"

    def ask_open(self) -> None:
        """Let the user choose a script file, and show it."""
        name, _ = QFileDialog.getOpenFileName(
            self, "Open script", self._settings.last_directory, self._filter()
        )
        if name:
            self.open_script(Path(name))

    def save(self) -> bool:
        """Save the text in its file, or ask for one; False if it was not saved."""
        if self.script.path is None:
            return self.save_as()
        return self._save_to(self.script.path)

    def save_as(self) -> bool:
        """Ask for a file and save the text there; False if it was not saved."""
        start = self.script.path or Path(self._settings.last_directory) / self.script.name
        name, _ = QFileDialog.getSaveFileName(self, "Save script", str(start), self._filter())
        if not name:
            return False
        path = Path(name)
        if not path.suffix:
            path = path.with_suffix(Path(self.script.name).suffix)
        return self._save_to(path)

    def _save_to(self, path: Path) -> bool:
        try:
            self.script = save_script(self.script, self.editor.text(), path)
        except ProblemError as reason:
            self.message.emit(f"Not saved: {reason.problems[0].message}")
            return False
        self._homes[self.script.name, self.script.text] = self.script
        self._settings.add_recent("scripts", path)
        self._settings.last_directory = str(path.parent)
        self.editor.document().setModified(False)
        self.checker.text_changed(at_once=True)
        self._update_banner()
        self._show_title()
        self.message.emit(f"Saved {path.name}")
        self.script_changed.emit()
        return True

    def _dropped_script(self, data: QMimeData) -> Path | None:
        for url in data.urls():
            path = Path(url.toLocalFile())
            if url.isLocalFile() and path.suffix.lower() in script_suffixes():
                return path
        return None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Scripts may be dropped here; other files are the window's."""
        if self._dropped_script(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Show a dropped script."""
        path = self._dropped_script(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open_script(path)

    # --- problems ---------------------------------------------------------------------------

    def _to_check(self) -> ToCheck:
        return ToCheck(self.editor.text(), self.script.name, self.script.place)

    def _on_edited(self) -> None:
        self._roll_problems = ()
        self.checker.text_changed()
        self._enable()

    def _on_reported(self, problems: tuple[Problem, ...]) -> None:
        self._roll_problems = problems
        self._show_problems()
        if problems:
            self.problem_list.choose(problems[0])

    def _show_problems(self) -> None:
        """List and underline what is known; a problem found twice is shown once."""
        found = (*self._roll_problems, *self.script.problems, *self.checker.problems)
        problems = tuple(dict.fromkeys(found))
        self.problem_list.set_problems(problems)
        if self.checker.fresh or self._roll_problems:
            self.editor.set_problems(problems)

    def fix(self, problem: Problem) -> None:
        """Apply the fix of a problem, if it was said of the text as it is now."""
        if problem.fix is None:
            return
        of_check = self.checker.fresh and problem in self.checker.problems
        of_roll = problem in self._roll_problems and self._rolled_text == self.editor.text()
        if of_check or of_roll:
            self.editor.apply_fix(problem.fix)
        else:
            self.message.emit("The text has changed since; its problems are being looked for")

    # --- rolling ----------------------------------------------------------------------------

    def _enable(self) -> None:
        ready = bool(self.editor.text().strip()) and not self.roll_bar.progress_shown
        target = self.rolling.target()
        self.roll_action.setEnabled(ready)
        self.reroll_action.setEnabled(ready)
        self.previous_action.setEnabled(ready and self.rolling.can_step_back())
        self.next_action.setEnabled(ready and target is not None)

    def _wish(self) -> Wish:
        script, text, settings = self.script, self.editor.text(), self.ground.values()
        self._rolled_text = text
        return Wish(text, lambda: script.generator(text, settings), settings)

    def roll(self) -> None:
        """Roll the text as shown into a new layer above the active one."""
        self.rolling.roll(self._wish(), new_seed=self.roll_bar.new_seed.isChecked())

    def reroll(self) -> None:
        """Roll the text as shown into the rolled layer, in place of what it holds."""
        self.rolling.reroll(self._wish(), new_seed=self.roll_bar.new_seed.isChecked())

    def step_back(self) -> None:
        """Show the roll before this one again."""
        self.rolling.step_back(self._wish())

    def step_forward(self) -> None:
        """Show the roll after this one."""
        self.rolling.step_forward(self._wish())
