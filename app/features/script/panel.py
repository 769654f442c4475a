"""The panel "Script": a view of the script shown, and the bar that rolls it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.background.actions import run
from app.document.document import MapDocument
from app.features.script.cells_of_text import CellsOfText
from app.features.script.console import Console
from app.features.script.editor import ScriptEditor
from app.features.script.editor_actions import ScriptActions
from app.features.script.file_actions import FileActions
from app.features.script.find_bar import FindBar, LineBar
from app.features.script.lock_banner import LockBanner, LockedLayerBanner
from app.features.script.problems import ScriptProblems
from app.features.script.roll_actions import RollActions
from app.qt_guard import connect, guarded
from app.rolling.roll_bar import RollBar
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.forms.folded_form import FoldedForm
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.edits.edit import Region
from randomizer.model.problems import has_errors
from randomizer.model.settings.setting import Setting

NO_SCRIPT = (
    "Open a randomizer script, drop one here, choose one under Roll with, or begin with New script."
)
BUILT_IN = "This generator is part of the program and has no text: choose its settings below."


class RandomizePanel(QWidget):
    """Shows the script and its settings, and the request that is rolled.

    ``message(str)``: something to say in passing. ``cells_pointed(frozenset)``: the cells that the
    text at the cursor is about, none when the editor has lost the keyboard focus. The actions are
    for menus too.
    """

    message = Signal(str)
    cells_pointed = Signal(object)

    def __init__(self, document: MapDocument, rolling: Rolling, scripts: Scripts) -> None:
        super().__init__()
        self.document = document
        self.rolling = rolling
        self.scripts = scripts
        self.editor = ScriptEditor(scripts.text)
        self.editor.further_texts = lambda: scripts.further_texts
        self.editor.line_help = lambda line: scripts.line_help(line)
        self.problems = ScriptProblems(self.editor, scripts, rolling)
        self.problem_list = self.problems.list
        self.hexes = CellsOfText(document, self.editor, scripts)
        self.settings_form = FoldedForm()
        self.locks_note = plain_label(wordWrap=True)
        self._known: tuple[Setting, ...] = ()
        self.console = Console()
        self.file_banner = Banner(
            "Reload", "Read the file again; Undo brings back what is here now"
        )
        self.file_banner.setAccessibleName("The script's file on disk")
        self.banner = Banner("Show it", "Show the script of the active layer, its seed and number")
        self.behind_banner = Banner("Roll", "Roll the map from this text, same seed and number")
        self.lock_banner = LockBanner(document, rolling)
        self.layer_banner = LockedLayerBanner(document, rolling)
        self._file_actions = FileActions(scripts, self)
        self._roll_actions = RollActions(rolling, self)
        self.find_bar = FindBar(self.editor)
        self.line_bar = LineBar(self.editor)
        self.script_actions = ScriptActions(self.editor, self.find_bar, self.line_bar)
        self.open_action = self._file_actions.open
        self.save_action = self._file_actions.save
        self.save_as_action = self._file_actions.save_as
        self.follow_action = self._file_actions.follow
        self.roll_action = self._roll_actions.roll
        self.again_action = self._roll_actions.again
        self.new_layer_action = self._roll_actions.new_layer
        self.previous_action = self._roll_actions.previous
        self.next_action = self._roll_actions.next
        self.insert_action = self.hexes.insert_action
        self.roll_bar = RollBar(rolling, (self.roll_action, self.previous_action, self.next_action))
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.editor)
        self.setAcceptDrops(True)
        self.set_colours()
        self._show_script()
        self._show_title()
        self._update_banner()

    # --- construction -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.title_label = described(ElidedLabel(mode=Qt.TextElideMode.ElideMiddle), "Script shown")
        head = lay_out(QHBoxLayout(), (self.title_label, 1), spacing=0)
        for action in (
            self.follow_action,
            self.open_action,
            self.save_action,
            self.save_as_action,
        ):
            button = described(QToolButton(), action.text().replace("&", "").rstrip("."))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            head.addWidget(button)
        self.strips = lay_out(QVBoxLayout(), margins=0)
        self.editor.setMinimumHeight(self.editor.fontMetrics().height() * 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 6)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.file_banner)
        column.addWidget(self.banner)
        column.addWidget(self.behind_banner)
        column.addWidget(self.lock_banner)
        column.addWidget(self.layer_banner)
        column.addWidget(self.editor, 1)
        column.addLayout(self.strips)
        column.addWidget(self.find_bar)
        column.addWidget(self.line_bar)
        column.addWidget(self.console)
        column.addWidget(self.settings_form)
        column.addWidget(self.locks_note)
        column.addWidget(self.roll_bar)

    def _connect(self) -> None:
        scripts = self.scripts
        connect(scripts.shown, self._show_script)
        connect(scripts.script_changed, self._show_title)
        connect(scripts.script_changed, self._update_banner)
        connect(scripts.settings_changed, self._on_settings)
        connect(self.document.map_replaced, self._show_settings)
        connect(self.document.changed, self._on_changed)
        connect(scripts.map_script.changed, self._update_behind)
        connect(scripts.map_script.failed, self._update_behind)
        connect(scripts.script_changed, self._update_behind)
        connect(scripts.checker.checked, self._update_behind)
        connect(self.editor.focus_changed, self._on_focus)
        connect(self.editor.map_undo_wanted, scripts.map_script.commit)
        connect(self.behind_banner.accepted, scripts.map_script.roll_again)
        connect(scripts.line_wanted, self.editor.go_to)
        connect(scripts.statement_marked, self.editor.mark_lines)
        connect(scripts.file_changes.offered, self._offer_reload)
        connect(scripts.unsaved_changed, self._show_title)
        connect(scripts.text_edited, self._show_title)
        connect(scripts.text_edited, self.lock_banner.clear)
        connect(self.rolling.layers_changed, self._update_banner)
        connect(self.file_banner.accepted, scripts.file_changes.reload)
        connect(self.banner.accepted, scripts.show_active_layer)
        connect(self.lock_banner.ended, self.problems.forget_roll)
        connect(
            self.settings_form.changed,
            lambda name: scripts.choose_settings(self.settings_form.values(), name),
        )
        connect(
            self.editor.cursorPositionChanged,
            lambda: scripts.caret_moved.emit(self.editor.place()[0]),
        )
        connect(self.editor.save_requested, scripts.files.save)
        connect(self.find_bar.fix_wanted, scripts.apply_fix)
        connect(self.editor.reported, self.message)
        connect(self.problems.refused, self.message)
        connect(self.hexes.pointed, self.cells_pointed)
        connect(self.rolling.logged, self.console.set_lines)
        connect(self.console.place_wanted, self.problems.go_to)
        connect(self.document.map_replaced, lambda: self.console.set_lines(()))

    def set_colours(self) -> None:
        """Draw icons and texts in the colours of the present palette."""
        self._file_actions.draw_icons()
        self._roll_actions.draw_icons()
        self.hexes.draw_icons()
        self.editor.set_colours()
        self.problem_list.set_colours()
        self.console.set_colours()

    # --- what is shown ----------------------------------------------------------------------

    def _show_script(self) -> None:
        """Another script is current."""
        self.editor.show_text(self.scripts.text)
        self.lock_banner.clear()
        self.console.set_lines(())
        built_in = self.scripts.script.built_in
        self.editor.setReadOnly(built_in)
        self.editor.setPlaceholderText(BUILT_IN if built_in else NO_SCRIPT)
        self.editor.set_language(self.scripts.language())
        self._show_settings()
        if built_in:
            self.settings_form.unfold(True)  # there is no text to look at

    def _on_settings(self) -> None:
        other = self.scripts.known_settings() != self._known
        if other or self.scripts.settings != self.settings_form.values():  # else of the form
            self._show_settings()

    def _show_settings(self) -> None:
        self._known = self.scripts.known_settings()
        self.settings_form.set_settings(self._known, self.scripts.settings)
        self._show_locks_note()

    def _on_changed(self, region: Region) -> None:
        if region.locks or region.everything:
            self._show_locks_note()

    def _show_locks_note(self) -> None:
        """Say above Roll that what is locked stays as it is, where settings could change it."""
        text = self.scripts.about_locked_cells() if self._known else ""
        self.locks_note.setText(text)
        self.locks_note.setVisible(bool(text))

    def _show_title(self) -> None:
        script = self.scripts.script
        edited = self.scripts.current.unsaved
        self.title_label.setText(f"{script.name}{' *' if edited else ''}")
        where = "not saved in a file" if script.path is None else str(script.path)
        edits = ", with unsaved edits" if edited else ""
        if self.scripts.current.in_map:
            edits = "; what you change is kept in the map, and saved with it"
        self.title_label.setToolTip(plain_text(f"{where}{edits}"))
        self.save_action.setEnabled(edited or script.path is None)

    def _update_banner(self) -> None:
        self.banner.say(self.scripts.about_active_layer())

    def _update_behind(self) -> None:
        """Say whether the map is still that of an earlier text."""
        text = ""
        wrong = has_errors(self.scripts.checker.result.problems)
        if self.scripts.map_script.behind:
            text = "The map was rolled from another text than this one."
            if wrong:
                text = "This text has errors: the map stays as it was rolled last."
        self.behind_banner.button.setVisible(not wrong)
        self.behind_banner.say(text)

    def _on_focus(self) -> None:
        """What was typed is in the map when something else is used."""
        if not self.editor.hasFocus():
            self.scripts.map_script.commit()

    def _offer_reload(self, text: str, can_reload: bool) -> None:
        self.file_banner.button.setVisible(can_reload)
        self.file_banner.say(text)

    # --- files from outside -----------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """The window is used again: look at the file, since disks elsewhere notify of nothing."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.scripts.current.watch.look()

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a script; other files are the window's."""
        if self.scripts.files.first_dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        """Show a dropped script."""
        path = self.scripts.files.first_dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            run(self.scripts.open(path))
