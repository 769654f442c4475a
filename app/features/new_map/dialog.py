"""The New map dialog: which kind, which script of the catalogue or none, and its settings."""

from __future__ import annotations

from pathlib import Path

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
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.catalog.catalog import systems
from randomizer.catalog.script_catalog import CatalogEntry
from randomizer.generator import MapGenerator
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.system import System

SMALLEST = QSize(760, 470)
LARGEST = QSize(1120, 780)
"""The dialog at first, in logical pixels: on the smallest screens, and where there is room for
the scripts of a whole game."""

ABOUT_LINES = 2
"""The text about a script has at least this height: a shorter one would move the form below it."""

SHARE = 0.9
"""Of a screen between these it takes so much."""


class NewMapDialog(QDialog):
    """Asks for the kind of map, for a script of the catalogue or none, and for the settings.

    The kind ``system`` (None: the first) and its first entry are chosen at the start. ``entries``
    are what can be chosen, ``form`` is what is asked, and ``status`` says what will be made.

    ``chosen(BattleMap)``: an empty map; ``roll_chosen(BattleMap, MapGenerator, settings, Path |
    None)``: one that is to be rolled, and the script's file if it is the user's. They are emitted
    after the dialog has closed. What is chosen is stored in the settings, by kind. Thumbnails are
    drawn like those of ``renderer`` and stored in the folder ``stored``.
    """

    chosen = Signal(object)
    roll_chosen = Signal(object, object, object, object)

    def __init__(
        self,
        settings: Settings,
        parent: QWidget | None = None,
        renderer: Renderer | None = None,
        stored: Path | None = None,
        system: System | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("New map")
        self._systems = systems()
        self._shown_system: System | None = None
        self._generator: MapGenerator | None = None
        self.kinds = described(QListWidget(), "Kinds of maps")
        self.kinds.addItems([system.title_in_lists or system.title for system in self._systems])
        self.entries = EntryList(settings, renderer or Renderer(theme("light")), stored)
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
        self._reading.watch(True)
        self._lay_out()
        self._connect()
        self.kinds.setCurrentRow(0 if system is None else self._systems.index(system))
        self.kinds.setFocus()

    def _lay_out(self) -> None:
        self.below = described(QScrollArea(), "Settings of the new map")
        self.below.setWidgetResizable(True)
        self.below.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it
        self.below.setFrameShape(QFrame.Shape.NoFrame)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.about, self.form, 1, margins=(0, 0, 6, 0))
        self.below.setWidget(body)
        right = lay_out(QVBoxLayout(), (self.entries, 3), (self.below, 2))
        self.kinds.setFixedWidth(self.kinds.sizeHintForColumn(0) + 24)
        line = lay_out(QHBoxLayout(), self.kinds, (right, 1))
        room = self.screen().availableSize() * SHARE
        size = room.boundedTo(LARGEST).expandedTo(SMALLEST)
        lay_out_dialog(self, (line, 1), foot=(self.status, self.buttons), size=size)

    def _connect(self) -> None:
        connect(self.kinds.currentRowChanged, lambda _row: self._show_kind())
        connect(self.entries.picked, self._show_entry)
        connect(self.entries.activated, self.make)
        connect(self._reading.computed, self._take_generator)
        connect(self._reading.failed, self._refuse_script)
        connect(self.form.answered, self._show_choice)
        connect(self.form.terrain_choice.failed, self._refuse)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        connect(application.focusChanged, self._show_focused)
        connect(self.defaults_button.clicked, self.show_defaults)
        connect(self.buttons.accepted, self.make)
        connect(self.buttons.rejected, self.reject)

    # --- kind and script --------------------------------------------------------------------

    @property
    def _system(self) -> System:
        return self._systems[max(self.kinds.currentRow(), 0)]

    @property
    def entry(self) -> CatalogEntry | None:
        """The chosen entry, None for an empty map."""
        return self.entries.entry

    def choose(self, name: str) -> None:
        """Choose the entry of this name."""
        self.entries.choose(name)

    def _show_kind(self) -> None:
        """Show the entries of the chosen kind."""
        system = self._system
        if system is not self._shown_system:
            self._shown_system = system
            self._draw_empty_map(system.new_grid())
        self.entries.show_kind(system)

    def show_defaults(self) -> None:
        """Forget what was chosen for maps of this kind, and show what is usual."""
        self.form.forget_answers(self._system)
        self._shown_system = None
        self.entries.forget_choice()
        self._show_kind()

    def _draw_empty_map(self, grid: Grid) -> None:
        own_terrains = self.form.terrain_choice.terrains
        if own_terrains is None:
            terrain_set = self._system.terrain_set
        else:
            terrain_set = own_terrains.terrain_set
        self.entries.draw_empty_map(grid, terrain_set.terrains[0].colour)

    def _show_entry(self) -> None:
        """Show what the chosen entry is and asks for. That of a file is read in the background."""
        entry = self.entry
        self._generator = None
        self.about.setText(ABOUT_EMPTY_MAP if entry is None else describe_entry(entry))
        self._reading.forget()
        if self.entries.is_empty:
            self.below.hide()
            self.make_button.setEnabled(False)
            self.status.say("No script is chosen.")
        elif entry is None:
            self._show_form()
        elif entry.path or not entry.generator().settings_read:
            self.form.hide()
            self.make_button.setEnabled(False)
            self.status.work(f"Reading {entry.metadata.name} ...")
            self._reading.renew()
        else:
            self._take_generator(entry.generator())

    def _entry_to_read(self) -> CatalogEntry | str:
        """Return the entry whose script is read, or why there is nothing to read."""
        return self.entry or "An empty map has no script."

    def _take_generator(self, generator: MapGenerator) -> None:
        self._generator = generator
        self._show_form()

    def _show_form(self) -> None:
        """Ask for what the script and the kind of map leave open."""
        self.form.ask(self._system, self._generator)
        self.below.setVisible(not self.form.isHidden() or self.entry is not None)
        self.entries.scroll_to_choice()
        self._show_choice()

    def _show_focused(self, _previous: object, focused: QWidget | None) -> None:
        """Scroll to a field that the keyboard entered from outside; Qt does it only from inside."""
        if focused is None or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # what is pressed stays under the mouse
        if self.below.isAncestorOf(focused):
            self.below.ensureWidgetVisible(focused)

    # --- the status -------------------------------------------------------------------------

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        """Say why no map can be made."""
        self.make_button.setEnabled(False)
        self.status.say(problems[0].message, Severity.ERROR)

    def _refuse_script(self, problems: tuple[Problem, ...]) -> None:
        self.form.hide()
        self._refuse(problems)

    def _why_not(self) -> str:
        """Return why no map can be made of the answers; "" if one can."""
        try:
            self.form.grid()
            self.form.chosen_settings()
            self.form.scale()
        except ProblemError as refusal:
            return refusal.problems[0].message
        except ValueError as refusal:
            return str(refusal)
        if self._generator is None:
            return ""
        return self._generator.why_not()

    def _show_choice(self) -> None:
        """Say what will be made, or why it cannot be."""
        entry = self.entry
        if entry is not None and self._generator is None:
            return  # it is being read
        terrain_choice = self.form.terrain_choice
        if not terrain_choice.is_read:
            self.make_button.setEnabled(False)
            self.status.work(f"Reading {Path(terrain_choice.name).name} ...")
            return
        why_not = self._why_not()
        self.make_button.setEnabled(not why_not)
        if why_not:
            self.status.say(why_not, Severity.ERROR)
            return
        grid = self.form.grid()
        if entry is None:
            self._draw_empty_map(grid)
            self.entries.show_thumbnails()
        self.status.say(self._describe(grid, entry))

    def _describe(self, grid: Grid, entry: CatalogEntry | None) -> str:
        """Return what will be made, in a sentence."""
        system = self._system
        if grid.mask is None:
            count = grid.size
        else:
            count = int(grid.mask.sum())
        words = cell_words(grid.layout)
        cells = counted(count, words.cell, words.cells)
        if system.fixed_grid:
            fixed = ", the board of the game"
        else:
            fixed = ""
        if entry is None:
            by = ""
        else:
            by = f", rolled by {entry.metadata.name}"
        return f"{system.title}: {cells}{fixed}{by}."

    # --- the map ----------------------------------------------------------------------------

    def make(self) -> None:
        """Close, store the choice and emit an empty map, or one that is to be rolled."""
        if not self.make_button.isEnabled():
            return
        system = self._system
        generator = self._generator
        entry = self.entry
        grid = self.form.grid()
        settings = self.form.chosen_settings()
        scale = self.form.scale()
        self.form.store_answers(None if entry is None else entry.key)
        if system.own_terrain_sets:
            own_terrains = self.form.terrain_choice.terrains
        else:
            own_terrains = None
        self.accept()
        battlemap = new_map(system, grid, own_terrains)
        if scale:
            battlemap.layers[0].properties[SCALE] = scale
        if generator is None:
            self.chosen.emit(battlemap)
        else:
            path = None if entry is None else entry.script
            self.roll_chosen.emit(battlemap, generator, settings, path)

    @guarded
    def done(self, result: int) -> None:
        """Delete the dialog when it is closed: the next one is a new one."""
        super().done(result)
        self.deleteLater()


def _read_generator(entry: CatalogEntry, _progress: object, _cancelled: object) -> MapGenerator:
    """Return the generator of an entry with its settings, on a job's thread."""
    generator = entry.generator()
    tuple(generator.settings)  # they are read now
    return generator
