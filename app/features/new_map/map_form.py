"""The form of the New map dialog: grid and terrain set of the map, settings of its script.

The dialog calls ``NewMapForm.show_settings_of`` for each script that is chosen, then reads the
answers from ``chosen_grid``, ``chosen_settings`` and ``chosen_scale``::

    MapQuestions    what is asked, and what the answers make      map_questions.py
    MapAnswers      the answers, also for the next script         map_answers.py
    TerrainChoice   the terrain set that the form names           terrain_choice.py
"""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.background.actions import run
from app.features.new_map.grid_settings import (
    FROM_FILE,
    TERRAINS,
    GridSize,
    answers_from_form,
    usual_size,
)
from app.features.new_map.map_answers import MapAnswers
from app.features.new_map.map_questions import MapQuestions
from app.features.new_map.terrain_choice import TerrainChoice
from app.qt_guard import connect
from app.settings import NewMapChoices, Settings
from app.widgets.dialogs.files import choose_file
from app.widgets.forms.settings_form import SettingsForm
from randomizer.generator import MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.grid_settings import HEIGHT, LAYOUT, WIDTH
from randomizer.model.system.system import System
from randomizer.storage.files.terrain_files import SUFFIX

LABEL_CHARACTERS = 21
"""Labels are at least so many average characters wide: with fewer the fields would begin elsewhere
for kinds with long labels, with more they would be cut in the narrowest dialog."""


class NewMapForm(SettingsForm):
    """Asks for the grid of a new map and for the settings of its script.

    ``SettingsForm`` makes the rows (``set_settings``), shows values in them (``show_values``), and
    returns what they show (``values``). It emits ``changed`` if the user has changed one.
    """

    answered = Signal()
    """An answer has changed, or the terrain set of an answer was read."""

    def __init__(self, stored: Settings) -> None:
        super().__init__(title_end=":")
        self.label_width = self.fontMetrics().averageCharWidth() * LABEL_CHARACTERS
        self._stored = stored
        self._shown_questions: MapQuestions | None = None
        """The questions that the form shows; None before ``show_settings_of``."""
        self._answers = MapAnswers({})
        """The answers about this kind of map, for the script that is asked about."""
        self._usual_size: GridSize | None = None
        """The usual size of the chosen kind and layout; None if it has none."""
        self.terrain_choice = TerrainChoice(stored, self)
        connect(self.changed, self._on_setting_changed)
        connect(self.terrain_choice.read, self.answered)

    # --- what is asked ----------------------------------------------------------------------

    @property
    def _questions(self) -> MapQuestions:
        """The questions that the form shows."""
        assert self._shown_questions is not None, "``show_settings_of`` was called first"
        return self._shown_questions

    def show_settings_of(self, system: System, generator: MapGenerator | None) -> None:
        """Ask for the settings of a script, and for a grid unless the script chooses it.

        What was typed for another script of the same kind of map stays: its size, for instance.
        """
        self._answers = self._answers_about_kind(system)
        questions = MapQuestions(system, generator)
        self._shown_questions = questions

        settings = questions.settings(self._stored.recent("terrains"))
        usual_values = questions.usual_values(settings)
        self._answers = self._answers.for_script(usual_values, questions.values_of_script())
        self.set_settings(settings, self._answers.values_to_show(settings))
        self._choose_terrains()
        self.setVisible(bool(settings))
        if questions.asks_for_grid:
            self.field(LAYOUT).setAccessibleName("Layout of the cells")
            self._usual_size = self._usual_size_of_layout()

    def _answers_about_kind(self, system: System) -> MapAnswers:
        """Return the answers about a kind of map: those of the form, or else the stored ones."""
        shown = self._shown_questions
        if shown is not None and shown.system is system:
            self._answers.note(self.values())
            return self._answers
        return MapAnswers(self._stored.new_map_choices(system.name).values)

    # --- answers ----------------------------------------------------------------------------

    def chosen_grid(self) -> Grid:
        """Return the chosen grid.

        Raises ValueError or ProblemError, with a message for the user, if it is impossible.
        """
        return self._questions.grid(self.values())

    def chosen_settings(self) -> dict[str, object]:
        """Return the values of settings for the roll, by name, as far as they are not the defaults.

        Raises ProblemError for a value that the script refuses.
        """
        return self._questions.settings_of_roll(self.values())

    def chosen_scale(self) -> str:
        """Return the width of a cell as text, such as "5 miles"; "" where the form has none.

        Raises ValueError, with a message for the user, for a text that is no width.
        """
        return self._questions.scale(self.values())

    # --- answers for the next map -----------------------------------------------------------

    def forget_answers(self, system: System) -> None:
        """Forget what was chosen for this kind of map, in the form and in the stored settings."""
        self._stored.set_new_map_choices(system.name, NewMapChoices())
        self._answers.forget()
        self.show_values(self._answers.usual_values)

    def store_answers(self, script: tuple[str, ...] | None) -> None:
        """Store the kind of map, the key of its script and the answers that are not usual.

        ``script`` is None for the empty map.
        """
        self._answers.note(self.values())
        name_of_kind = self._questions.system.name
        choices = NewMapChoices(script, self._answers.to_store())
        self._stored.set_new_map_choices(name_of_kind, choices)
        self._stored.last_kind = name_of_kind

    # --- answers on which others depend -----------------------------------------------------

    def _on_setting_changed(self, name: str) -> None:
        """Let other answers follow that of a setting, and emit ``answered``."""
        if name == TERRAINS and self.values()[TERRAINS] == FROM_FILE:
            run(self._ask_terrains())  # it emits ``answered`` when a file was chosen
            return
        if name == TERRAINS:
            self._choose_terrains()
        if name == LAYOUT and self._questions.asks_for_grid:
            self._show_size_of_layout()
        self.answered.emit()

    def _show_size_of_layout(self) -> None:
        """Show the usual size of the chosen layout, if that of the previous one was shown."""
        previous_size = self._usual_size
        self._usual_size = self._usual_size_of_layout()
        answers = answers_from_form(self.values())
        shown_size = GridSize(answers.width, answers.height)
        if self._usual_size is not None and shown_size == previous_size:
            size = {WIDTH: self._usual_size.columns, HEIGHT: self._usual_size.rows}
            self.show_values({**self.values(), **size})

    def _usual_size_of_layout(self) -> GridSize | None:
        """Return the usual size of the layout that the form shows; None if it has none."""
        layout = answers_from_form(self.values()).layout
        return usual_size(self._questions.system, layout)

    def _choose_terrains(self) -> None:
        """Use the terrain set that the form shows."""
        name = str(self.values().get(TERRAINS, ""))
        self.terrain_choice.choose(self._questions.system, name)

    async def _ask_terrains(self) -> None:
        """Ask for the file of a terrain set; without an answer the previous set stays."""
        start = self._stored.last_directory
        filters = f"Terrain sets (*{SUFFIX});;All files (*)"
        path = await choose_file(self, "Terrains of the new map", start, filters)
        values = self.values()
        name = self.terrain_choice.name
        if path is not None:
            name = str(path.absolute())
            self._stored.add_recent("terrains", path)
            self._stored.last_directory = str(path.parent)
            # The new file becomes one of the choices.
            settings = self._questions.settings(self._stored.recent("terrains"))
            self.set_settings(settings, values)
        self.show_values({**values, TERRAINS: name})
        self._choose_terrains()
        self.answered.emit()
