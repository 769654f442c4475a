"""The panel "Script": the current script with its settings, and the bar that rolls it.

``ScriptPanel`` makes the widgets and lays them out one below the other (``_lay_out``): the head,
banners, the editor, the bars that find text, the console, the form of the settings, and the roll
bar. What they show is kept by ``Scripts`` and ``Rolling``, which the panel only connects them to.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.background.actions import run
from app.document.document import MapDocument
from app.features.script.cells_of_text import CellsOfText
from app.features.script.console import Console
from app.features.script.editor import ScriptEditor
from app.features.script.editor_actions import ScriptActions
from app.features.script.file_actions import FileActions
from app.features.script.find_bar import FindBar
from app.features.script.head import ScriptHead
from app.features.script.line_bar import LineBar
from app.features.script.notices import ScriptNotices
from app.features.script.problems import ScriptProblems
from app.features.script.roll_actions import RollActions
from app.features.script.script_context import ScriptContext
from app.features.script.script_form import ScriptForm
from app.qt_guard import connect, guarded
from app.rolling.roll_bar import RollBar
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.layout.builders import lay_out

NO_SCRIPT_TEXT = (
    "Open a randomizer script, drop one here, choose one under Roll with, or begin with "
    "New Colossus script."
)
"""The text in the empty editor while no script is current."""

BUILT_IN_TEXT = "This generator is part of the program and has no text: choose its settings below."
"""The text in the editor for a generator that is part of the program."""

NOTHING_TO_SAVE = "{name} has no changes to save. File > Save saves the map."
"""The answer to Ctrl+S in a text as it was opened or saved."""

MIN_LINES = 4
"""The least height of the editor, in lines."""


class ScriptPanel(QWidget):
    """Shows a script, its settings, and what is rolled next; its actions are for menus, too.

    The name of its dock, by which the layout of the window is stored, is "randomize".
    """

    message = Signal(str)
    """A message for the status bar."""

    cells_pointed = Signal(object, object)
    """The cells that the text at the cursor is about, and has set: see ``CellsOfText.pointed``."""

    def __init__(self, document: MapDocument, rolling: Rolling, scripts: Scripts) -> None:
        super().__init__()
        self.document = document
        self.rolling = rolling
        self.scripts = scripts
        self.editor = ScriptEditor(scripts.text)
        self.problems = ScriptProblems(self.editor, scripts, rolling)
        self.problem_list = self.problems.list
        self.cells_of_text = CellsOfText(document, self.editor, scripts)
        self.editor.context = ScriptContext(scripts, self.cells_of_text)
        self.settings_form = ScriptForm(document, scripts)
        self.console = Console()
        self.notices = ScriptNotices(document, rolling, scripts)
        self._file_actions = FileActions(scripts, self)
        self.head = ScriptHead(document, rolling, scripts, self._file_actions)
        self._roll_actions = RollActions(rolling, self)
        self.find_bar = FindBar(self.editor)
        self.line_bar = LineBar(self.editor)
        self.script_actions = ScriptActions(self.editor, self.find_bar, self.line_bar)
        self._name_actions()  # the bar of rolls has some of them
        self.roll_bar = RollBar(rolling, (self.roll_action, self.previous_action, self.next_action))
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.editor)
        self.setAcceptDrops(True)
        self.set_colours()
        self._show_script()

    # --- construction -----------------------------------------------------------------------

    def _name_actions(self) -> None:
        """Make the actions fields of the panel, where the feature finds those for menus."""
        self.open_action = self._file_actions.open
        self.save_action = self._file_actions.save
        self.save_as_action = self._file_actions.save_as
        self.follow_action = self._file_actions.follow
        self.roll_action = self._roll_actions.roll
        self.again_action = self._roll_actions.again
        self.new_layer_action = self._roll_actions.new_layer
        self.previous_action = self._roll_actions.previous
        self.next_action = self._roll_actions.next
        self.insert_action = self.cells_of_text.insert_action

    def _lay_out(self) -> None:
        """Put the widgets below each other, and leave room for those of other features."""
        self.strips = lay_out(QVBoxLayout(), margins=0)
        """Further widgets below the editor, which other features put here."""
        self.editor.setMinimumHeight(self.editor.fontMetrics().height() * MIN_LINES)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 4, 6, 6)
        column.setSpacing(4)
        column.addWidget(self.head)
        column.addWidget(self.editor, 1)
        # Below the text, whose lines keep their positions when a notice comes.
        column.addWidget(self.notices)
        column.addLayout(self.strips)
        column.addWidget(self.find_bar)
        column.addWidget(self.line_bar)
        column.addWidget(self.console)
        column.addWidget(self.settings_form)
        column.addWidget(self.settings_form.locks_note)
        column.addWidget(self.roll_bar)

    def _connect(self) -> None:
        """Connect the scripts, the editor, the bars and the console with each other."""
        editor = self.editor
        scripts = self.scripts

        # From the scripts to the editor.
        connect(scripts.shown, self._show_script)
        connect(scripts.editor_link.line_wanted, editor.go_to)
        connect(scripts.editor_link.statement_marked, editor.mark_lines)
        connect(scripts.editor_link.statement_unmarked, editor.unmark_lines)
        connect(self.rolling.about_to_roll, editor.end_undo_step)

        # From the editor to the scripts.
        connect(editor.focus_changed, self._on_focus)
        connect(editor.cursorPositionChanged, self._tell_line)
        connect(editor.save_requested, self._save)
        connect(editor.text_undone, scripts.outdated_map.report_undone_edit)
        connect(editor.commit_requested, scripts.map_script.commit)
        connect(self.find_bar.fix_requested, scripts.apply_fix)

        # The console.
        connect(self.rolling.logged, self.console.set_lines)
        connect(self.console.line_requested, self.problems.go_to)
        connect(self.document.map_replaced, self.console.clear)

        # Problems of a roll that has failed for locks.
        connect(self.notices.lock_banner.problems_outdated, self.problems.forget_roll)

        # To the desk.
        connect(editor.reported, self.message)
        connect(self.problems.refused, self.message)
        connect(self.cells_of_text.pointed, self.cells_pointed)

    def _tell_line(self) -> None:
        """Tell the scripts in which line the cursor is."""
        line, _column = self.editor.cursor_place()
        self.scripts.editor_link.report_caret(line)

    async def _save(self) -> None:
        """Save the script, or say that there is nothing to save.

        The map is never saved by Ctrl+S in the text: its user would be asked now for the file of
        the script, and now for that of the map.
        """
        script = self.scripts.script
        is_stored = script.path is not None or script.packaged is not None or script.built_in
        if self.scripts.current.unsaved or not is_stored:
            await self.scripts.files.save()
        else:
            self.message.emit(NOTHING_TO_SAVE.format(name=script.name))

    def set_colours(self) -> None:
        """Draw icons and texts in the colours of the present palette."""
        self._file_actions.draw_icons()
        self._roll_actions.draw_icons()
        self.cells_of_text.draw_icons()
        self.editor.set_colours()
        self.problem_list.update_colours()
        self.console.set_colours()

    # --- what is shown ----------------------------------------------------------------------

    def _show_script(self) -> None:
        """Show the current script, which is another one now."""
        self.editor.show_text(self.scripts.text)
        self.console.clear()
        is_built_in = self.scripts.script.built_in
        # Before ``set_language``: the find bar and the actions look at both when that is changed.
        self.editor.setReadOnly(is_built_in)
        if is_built_in:
            self.editor.setPlaceholderText(BUILT_IN_TEXT)
        else:
            self.editor.setPlaceholderText(NO_SCRIPT_TEXT)
        self.editor.set_language(self.scripts.language())
        self.settings_form.show_settings()
        if is_built_in:
            self.settings_form.set_unfolded(is_unfolded=True)  # there is no text to read

    def _on_focus(self) -> None:
        """Put what was typed into the map when the keyboard leaves the editor."""
        if not self.editor.hasFocus():
            self.scripts.map_script.commit()

    # --- files from outside -----------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Look at the script's file when the window is used again.

        Network disks do not notify of files that change.
        """
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.scripts.current.watch.look()

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a script; the window opens other files."""
        if self.scripts.files.first_dropped(event.mimeData()) is not None:
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        """Show a dropped script."""
        path = self.scripts.files.first_dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            run(self.scripts.opening.open(path))
