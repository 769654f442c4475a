"""The New map dialog: kind of map, script of the catalogue or none, and settings.

From left to right and down: the kinds (``kinds``), the scripts of the chosen kind (``entries``),
the text about the chosen script (``about``), the form with its settings (``form``) and the sentence
that says what will be made (``status``). A choice in one of them changes all that follow::

    a kind is chosen      _show_kind
    an entry is chosen      _show_entry
    its script was read       _on_generator_read (at once if it needs no reading)
    an answer has changed       _update_status_and_button
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.background.background_value import BackgroundValue
from app.document.map_files import new_map
from app.features.new_map.catalogue import ABOUT_EMPTY_MAP, describe_entry
from app.features.new_map.entry_list import EntryList
from app.features.new_map.map_form import NewMapForm
from app.features.new_map.terrain_choice import ChoiceState
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.systems import systems
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.system import System

SMALLEST = QSize(760, 470)
"""The size of the dialog on the smallest screens, in logical pixels."""

LARGEST = QSize(1120, 780)
"""The size of the dialog on large screens, in logical pixels: a whole game's scripts have room."""

SHARE_OF_SCREEN = 0.9
"""The share of the screen that the dialog takes, between ``SMALLEST`` and ``LARGEST``."""

MANY_ENTRIES = 30
"""With more entries, as those of a whole game, the list of entries is higher than the form."""

ABOUT_LINES = 2
"""The text about a script has at least this height: a shorter one would move the form below it."""

FRAME_OF_KINDS_PX = 24
"""The room beside the longest title in the list of kinds, in logical pixels."""


class NewRoll(NamedTuple):
    """A map that is to be rolled."""

    battlemap: BattleMap
    """The empty map onto which it is rolled."""

    generator: MapGenerator

    settings: Mapping[str, object]
    """The values of the generator's settings that were chosen, by name."""

    script_file: Path | None
    """The script, if it is a file of the user's, else None."""


class NewMapDialog(QDialog):
    """Asks for the kind of map, for a script of the catalogue or none, and for the settings.

    One of its two signals is emitted after the dialog has closed. What was chosen is stored in the
    settings, for each kind, and shown by the next dialog.
    """

    chosen = Signal(object)
    """An empty map is to be opened: this ``BattleMap``."""

    roll_chosen = Signal(object)
    """A map is to be rolled: this ``NewRoll``."""

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        renderer: Renderer | None = None,
        thumbnail_folder: Path | None = None,
        system: System | None = None,
    ) -> None:
        """Make the dialog with the kind ``system`` chosen; with None it is the first kind.

        Thumbnails are drawn like the maps of ``renderer``; without one they have light colours.
        They are stored in ``thumbnail_folder``; with None they are not stored.
        """
        super().__init__(parent)
        self.setWindowTitle("New map")
        self._systems = systems()
        """The kinds of maps, in the order of the list."""
        self._generator: MapGenerator | None = None
        """The generator of the chosen entry; None for an empty map, and while it is read."""
        self.kinds = described(QListWidget(), "Kinds of maps")
        self.kinds.addItems([system.title_in_lists or system.title for system in self._systems])
        if renderer is None:
            renderer = Renderer(theme("light"))
        self.entries = EntryList(settings, renderer, thumbnail_folder)
        self.about = described(plain_label(wordWrap=True), "About the script")
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.about.setMinimumHeight(ABOUT_LINES * self.about.fontMetrics().lineSpacing())
        self.form = NewMapForm(settings)
        self.status = DialogStatus("What will be made")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.make_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.make_button.setText("&Make the map")
        self.defaults_button = self.buttons.addButton(
            "De&faults", QDialogButtonBox.ButtonRole.ResetRole
        )
        described(self.defaults_button, tip="Forget what was chosen for the last maps of this kind")
        self._reading = BackgroundValue(self._entry_to_read, _read_generator, self)
        self._reading.watch()
        self._lay_out()
        self._connect()
        row = 0
        if system is not None:
            row = self._systems.index(system)
        self.kinds.setCurrentRow(row)
        self.kinds.setFocus()

    def _lay_out(self) -> None:
        """Put the kinds at the left, entries above text and form at the right, status below."""
        self.below = described(QScrollArea(), "Settings of the new map")
        self.below.setWidgetResizable(True)
        self.below.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.below.setFrameShape(QFrame.Shape.NoFrame)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.about, self.form, 1, margins=(0, 0, 6, 0))
        self.below.setWidget(body)
        self._right_side = lay_out(QVBoxLayout(), self.entries, self.below)
        self._share_height()
        self.kinds.setFixedWidth(self.kinds.sizeHintForColumn(0) + FRAME_OF_KINDS_PX)
        line = lay_out(QHBoxLayout(), self.kinds, (self._right_side, 1))
        share_of_screen = self.screen().availableSize() * SHARE_OF_SCREEN
        size = share_of_screen.boundedTo(LARGEST).expandedTo(SMALLEST)
        lay_out_dialog(self, (line, 1), foot=(self.status, self.buttons), size=size)

    def _share_height(self) -> None:
        """Share the height between the entries and the form.

        With equal shares the form shows the rows of four players. Many entries get more.
        """
        share_of_entries = 1
        share_of_form = 1
        if len(self.entries.catalogue.entries_of(self._system)) > MANY_ENTRIES:
            share_of_entries = 3
            share_of_form = 2
        self._right_side.setStretchFactor(self.entries, share_of_entries)
        self._right_side.setStretchFactor(self.below, share_of_form)

    def _connect(self) -> None:
        """Let a choice in one part of the dialog change all parts that follow."""
        connect(self.kinds.currentRowChanged, lambda _row: self._show_kind())
        connect(self.entries.catalogue.changed, self._share_height)
        connect(self.entries.picked, self._show_entry)
        connect(self.entries.activated, self.make)
        connect(self._reading.computed, self._on_generator_read)
        connect(self._reading.failed, self._on_generator_failed)
        connect(self.form.answered, self._update_status_and_button)
        connect(self.form.terrain_choice.failed, self._update_status_and_button)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        connect(application.focusChanged, self._scroll_to_focused)
        connect(self.defaults_button.clicked, self.show_defaults)
        connect(self.buttons.accepted, self.make)
        connect(self.buttons.rejected, self.reject)

    # --- kind and script --------------------------------------------------------------------

    @property
    def _system(self) -> System:
        """The chosen kind."""
        return self._systems[max(self.kinds.currentRow(), 0)]

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry, None for an empty map."""
        return self.entries.entry

    @property
    def _is_reading_script(self) -> bool:
        """True while the script of the chosen entry is read, and if it could not be read."""
        return self.entry is not None and self._generator is None

    def choose(self, name: str) -> None:
        """Choose the entry of this name."""
        self.entries.choose(name)

    def _show_kind(self) -> None:
        """Show the entries of the chosen kind, and choose the one of its last map."""
        self._draw_empty_map(self._system.new_grid())
        self.entries.show_kind(self._system)  # emits ``picked``: the entry is shown
        self._share_height()

    def show_defaults(self) -> None:
        """Forget what was chosen for maps of the chosen kind, and show the usual choices."""
        self.form.forget_answers(self._system)
        self.entries.filter.words.clear()
        self._show_kind()

    def _draw_empty_map(self, grid: Grid) -> None:
        """Draw the picture of the empty map, in the colour of its first terrain."""
        terrain_set = self._system.terrain_set
        chosen_terrains = self.form.terrain_choice.terrains
        if chosen_terrains is not None:
            terrain_set = chosen_terrains.terrain_set
        self.entries.draw_empty_map(grid, terrain_set.terrains[0].colour)

    def _show_entry(self) -> None:
        """Show the text about the chosen entry, and its form."""
        entry = self.entry
        self._generator = None
        if entry is None:
            self.about.setText(ABOUT_EMPTY_MAP)
        else:
            self.about.setText(describe_entry(entry))
        self._reading.forget()
        if self.entries.is_empty:
            self._set_below_visible(is_shown=False)
            self.make_button.setEnabled(False)
            self.status.say("No script is chosen.")
        elif entry is None:
            self._show_form()
        elif entry.path or not entry.generator().settings_read:
            # A script in a file, or one that reads files for its settings, is read by a job. The
            # form shows when it was read.
            self.form.hide()
            self.make_button.setEnabled(False)
            self.status.show_working(f"Reading {entry.metadata.name} ...")
            self._reading.renew()
        else:
            self._on_generator_read(entry.generator())

    def _entry_to_read(self) -> CatalogEntry | str:
        """Return the entry whose script is to be read, or a sentence on why there is none."""
        if self.entry is None:
            return "An empty map has no script."
        return self.entry

    def _on_generator_read(self, generator: MapGenerator) -> None:
        """Show the form of a script that was read."""
        self._generator = generator
        self._show_form()

    def _show_form(self) -> None:
        """Ask for all that the script and the kind of map leave to the user."""
        self.form.show_settings_of(self._system, self._generator)
        # The empty map of a kind without settings has neither a text worth its room nor a form.
        has_form = not self.form.isHidden()
        self._set_below_visible(is_shown=has_form or self.entry is not None)
        self.entries.scroll_to_choice()
        self._update_status_and_button()

    def _set_below_visible(self, *, is_shown: bool) -> None:
        """Show the text and the form below the entries, or give the entries all the height."""
        self.below.setVisible(is_shown)
        self.entries.show_above_form(has_form=is_shown and not self.form.isHidden())

    def _scroll_to_focused(self, _previous: object, focused: QWidget | None) -> None:
        """Scroll to a field that the keyboard entered from outside; Qt does it only from inside."""
        if focused is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # what is pressed stays under the mouse
        if self.below.isAncestorOf(focused):
            self.below.ensureWidgetVisible(focused)

    # --- the status -------------------------------------------------------------------------

    def _show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Show the problem for which no map can be made."""
        self.make_button.setEnabled(False)
        self.status.say(problems[0].message, Severity.ERROR)

    def _on_generator_failed(self, problems: tuple[Problem, ...]) -> None:
        """Show the problem for which a script cannot be read."""
        self.form.hide()
        self._show_failure(problems)

    def _why_not(self) -> str:
        """Return the reason why no map can be made of the answers; "" if one can."""
        try:
            # Each of them raises an exception for answers that are impossible.
            self.form.chosen_grid()
            self.form.chosen_settings()
            self.form.chosen_scale()
        except ProblemError as refusal:
            return refusal.problems[0].message
        except ValueError as refusal:
            return str(refusal)
        if self._generator is None:
            return ""
        return self._generator.why_not()

    def _update_status_and_button(self) -> None:
        """Say in the status what will be made, or why it cannot be, and enable the button.

        The picture of the empty map follows the answers, too.
        """
        entry = self.entry
        if self._is_reading_script:
            return
        terrain_choice = self.form.terrain_choice
        if terrain_choice.state is ChoiceState.FAILED:
            self._show_failure(terrain_choice.problems)
            return
        if terrain_choice.state is ChoiceState.READING:
            self.make_button.setEnabled(False)
            self.status.show_working(f"Reading {Path(terrain_choice.name).name} ...")
            return
        why_not = self._why_not()
        self.make_button.setEnabled(not why_not)
        if why_not:
            self.status.say(why_not, Severity.ERROR)
            return
        grid = self.form.chosen_grid()
        if entry is None:
            self._draw_empty_map(grid)
        self.status.say(self._describe(grid, entry))

    def _describe(self, grid: Grid, entry: CatalogEntry | None) -> str:
        """Return a sentence on the map that will be made, such as "Free map: 600 hexes."."""
        words = cell_words(grid.layout)
        text = f"{self._system.title}: {counted(len(grid.cells), words.cell, words.cells)}"
        if self._system.fixed_grid:
            text += ", the board of the game"
        if entry is not None:
            text += f", rolled by {entry.metadata.name}"
        return f"{text}."

    # --- the map ----------------------------------------------------------------------------

    def make(self) -> None:
        """Close, store the choice and emit an empty map, or one that is to be rolled."""
        if not self.make_button.isEnabled():
            return
        system = self._system
        generator = self._generator
        entry = self.entry
        grid = self.form.chosen_grid()
        settings = self.form.chosen_settings()
        scale = self.form.chosen_scale()
        script_key = None
        script_file = None
        if entry is not None:
            script_key = entry.key
            script_file = entry.script
        self.form.store_answers(script_key)
        own_terrains = None
        if system.users_edit_terrain_sets:
            own_terrains = self.form.terrain_choice.terrains
        self.accept()

        battlemap = new_map(system, grid, own_terrains)
        if scale:
            battlemap.layers[0].properties[SCALE] = scale
        if generator is None:
            self.chosen.emit(battlemap)
        else:
            self.roll_chosen.emit(NewRoll(battlemap, generator, settings, script_file))

    @guarded
    def done(self, result: int) -> None:
        """Delete the dialog when it is closed: the next one is a new one."""
        super().done(result)
        self.deleteLater()


def _read_generator(entry: CatalogEntry, _progress: object, _cancelled: object) -> MapGenerator:
    """Return the generator of an entry, which knows its settings: the work of a job."""
    generator = entry.generator()
    # A generator may read files when its settings are first asked for: that is done here, and not
    # on the window's thread.
    tuple(generator.settings)
    return generator
