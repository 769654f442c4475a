"""The form of the New map dialog: grid and terrain set of the map, settings of its script.

The dialog calls ``NewMapForm.show_settings_of`` for each script that is chosen, then reads the
answers from ``chosen_grid``, ``chosen_settings`` and ``chosen_scale``. What the form shows at
first, and what of it is carried to the next script and the next map, is said by map_answers.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal

from app.background.actions import run
from app.features.new_map.grid_settings import (
    FROM_FILE,
    TERRAINS,
    GridAnswers,
    GridSize,
    answers_from_form,
    answers_from_grid,
    checked_grid,
    grid_settings,
    terrains_setting,
    usual_size,
)
from app.features.new_map.map_answers import MapAnswers
from app.features.new_map.terrain_choice import TerrainChoice
from app.qt_guard import connect
from app.scripts.script import ground_of
from app.settings import NewMapChoices, Settings
from app.widgets.dialogs.files import choose_file
from app.widgets.forms.settings_form import SettingsForm
from randomizer.generator import MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.grid_settings import HEIGHT, LAYOUT, WIDTH
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.cell_width import EXAMPLE, SCALE, why_no_width
from randomizer.model.system.system import System
from randomizer.storage.files.terrain_files import SUFFIX

SCALE_SETTING = Setting(
    SCALE,
    str,
    f"How wide a cell is, such as {EXAMPLE}: for distances, the scale bar and prints",
    "",
    title="S&cale per cell",
    unset=f"not said; such as {EXAMPLE}",
)
"""The setting of the width of a cell, such as "5 miles"."""

MAP_HEADING = "Map"
"""The heading of what all kinds of maps ask for."""

LABEL_CHARACTERS = 21
"""Labels are at least so many average characters wide: with fewer the fields would begin elsewhere
for kinds with long labels, with more they would be cut in the narrowest dialog."""

SIZE_SETTINGS = frozenset({"Size", WIDTH})
"""The names of the settings by which a script decides the size of its map.

Scripts of 0 A.D. have the first, others the second.
"""


class NewMapForm(SettingsForm):
    """Asks for the grid of a new map and for the settings of its script."""

    answered = Signal()
    """An answer has changed, or the terrain set of an answer was read."""

    def __init__(self, stored: Settings) -> None:
        super().__init__(title_end=":")
        self.label_width = self.fontMetrics().averageCharWidth() * LABEL_CHARACTERS
        self._stored = stored
        self._system: System | None = None
        """The kind of map that is asked about; None before ``show_settings_of``."""
        self._generator: MapGenerator | None = None
        """The generator of the chosen script; None for an empty map."""
        self._usual_size: GridSize | None = None
        """The usual size of the chosen kind and layout; None if it has none."""
        self._answers = MapAnswers({})
        """The answers about this kind of map, for the script that is asked about."""
        self.terrain_choice = TerrainChoice(stored, self)
        connect(self.changed, self._on_setting_changed)
        connect(self.terrain_choice.read, self.answered)

    # --- what is asked ----------------------------------------------------------------------

    def show_settings_of(self, system: System, generator: MapGenerator | None) -> None:
        """Ask for the settings of a script, and for a grid unless the script chooses it.

        What was typed for another script of the same kind of map stays: its size, for instance.
        """
        if system is self._system:
            # Before the generator is replaced: what its script sets is no answer.
            self._answers.note(self.values())
        else:
            self._answers = MapAnswers(self._stored.new_map_choices(system.name).values)
        self._system = system
        self._generator = generator

        asks_for_grid = not system.fixed_grid and not determines_size(generator)
        settings = self._settings_to_ask(system, generator, asks_for_grid=asks_for_grid)
        usual_values = _usual_values(settings, system, generator, asks_for_grid=asks_for_grid)
        self._answers = self._answers.about(usual_values, _values_set_by(generator))

        self.set_settings(settings, self._answers.values_to_show(settings))
        self._choose_terrains()
        self.setVisible(bool(settings))
        if asks_for_grid:
            self.field(LAYOUT).setAccessibleName("Layout of the cells")
            self._usual_size = self._usual_size_of_layout()

    def _settings_to_ask(
        self, system: System, generator: MapGenerator | None, *, asks_for_grid: bool
    ) -> list[Setting]:
        """Return the settings of the form, those about the map itself first."""
        settings: list[Setting] = []
        if asks_for_grid:
            settings += grid_settings(system)
        if generator is not None:
            for setting in generator.new_map_settings:
                if setting.title:
                    settings.append(setting.filled(system.new_grid().layout))
        if self._asks_for_scale:
            settings.append(SCALE_SETTING)
        if system.users_edit_terrain_sets:
            settings.append(terrains_setting(system, self._stored.recent("terrains")))
        return _with_map_first(settings)

    @property
    def _asked_system(self) -> System:
        """The kind of map that is asked about."""
        assert self._system is not None, "``show_settings_of`` was called first"
        return self._system

    @property
    def _asks_for_scale(self) -> bool:
        """True if maps of the kind have a scale, and no setting of the script says it."""
        if not any(prop.name == SCALE for prop in self._asked_system.properties):
            return False
        if self._generator is None:
            return True
        return not any(setting.name == SCALE for setting in self._generator.settings)

    # --- answers ----------------------------------------------------------------------------

    def chosen_scale(self) -> str:
        """Return the width of a cell as text, such as "5 miles"; "" where the form has none.

        Raises ValueError, with a message for the user, for a text that is no width.
        """
        if not self._asks_for_scale:
            return ""
        text = str(self.values().get(SCALE, "")).strip()
        if why_not := why_no_width(text):
            raise ValueError(why_not)
        return text

    @property
    def _grid_answers(self) -> GridAnswers:
        """The answers about the grid that the form shows."""
        return answers_from_form(self.values())

    def chosen_settings(self) -> dict[str, object]:
        """Return the values of settings for the roll, by name, as far as they are not the defaults.

        Those that the script itself sets are always among them, as it sets them or as the user has
        changed them. Raises ProblemError for a value that the script refuses.
        """
        if self._generator is None:
            return {}
        chosen = _values_set_by(self._generator)
        shown_values = self.values()
        for setting in self._generator.new_map_settings:
            if setting.name not in shown_values:
                continue
            value = shown_values[setting.name]
            value_of_script = chosen.get(setting.name, setting.default)
            if value != value_of_script:
                chosen[setting.name] = _checked_value(setting, value)
        return chosen

    def chosen_grid(self) -> Grid:
        """Return the chosen grid.

        Raises ValueError or ProblemError, with a message for the user, if it is impossible.
        """
        system = self._asked_system
        if self._generator is not None and determines_size(self._generator):
            grid = self._generator.grid(self.chosen_settings())
            assert grid is not None, "it determines one with its default settings"
            return grid
        if system.fixed_grid:
            return system.new_grid()
        return checked_grid(system, self._grid_answers)

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
        name_of_kind = self._asked_system.name
        choices = NewMapChoices(script, self._answers.to_store())
        self._stored.set_new_map_choices(name_of_kind, choices)
        self._stored.last_kind = name_of_kind

    # --- answers on which others depend -----------------------------------------------------

    def _on_setting_changed(self, name: str) -> None:
        """Let other answers follow that of a setting, and emit ``answered``."""
        if name == TERRAINS:
            if self.values()[name] == FROM_FILE:
                # ``answered`` is emitted when a file was chosen.
                run(self._ask_terrains())
                return
            self._choose_terrains()
        if name == LAYOUT and not determines_size(self._generator):
            self._show_size_of_layout()
        self.answered.emit()

    def _show_size_of_layout(self) -> None:
        """Show the usual size of the chosen layout, if that of the previous one was shown."""
        previous_size = self._usual_size
        self._usual_size = self._usual_size_of_layout()
        answers = self._grid_answers
        shown_size = GridSize(answers.width, answers.height)
        if self._usual_size is not None and shown_size == previous_size:
            size = {WIDTH: self._usual_size.columns, HEIGHT: self._usual_size.rows}
            self.show_values({**self.values(), **size})

    def _usual_size_of_layout(self) -> GridSize | None:
        """Return the usual size of the layout that the form shows; None if it has none."""
        return usual_size(self._asked_system, self._grid_answers.layout)

    def _choose_terrains(self) -> None:
        """Use the terrain set that the form shows."""
        self.terrain_choice.choose(self._asked_system, str(self.values().get(TERRAINS, "")))

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
            settings = [setting for setting in self.settings if setting.name != TERRAINS]
            files = self._stored.recent("terrains")
            settings.append(terrains_setting(self._asked_system, files))
            self.set_settings(_with_map_first(settings), values)
        self.show_values({**values, TERRAINS: name})
        self._choose_terrains()
        self.answered.emit()


def _usual_values(
    settings: Sequence[Setting],
    system: System,
    generator: MapGenerator | None,
    *,
    asks_for_grid: bool,
) -> dict[str, object]:
    """Return what the form shows at first, by name.

    It is the default of each setting, unless the kind of map or the script says otherwise.
    """
    values: dict[str, object] = {setting.name: setting.default for setting in settings}
    if asks_for_grid:
        values.update(answers_from_grid(system.new_grid())._asdict())
    values.update(_values_set_by(generator))
    if system.users_edit_terrain_sets:
        values[TERRAINS] = system.terrain_set.name
    return values


def _values_set_by(generator: MapGenerator | None) -> dict[str, object]:
    """Return the values of settings that a script itself sets, by name: its first terrain, say."""
    if generator is None:
        return {}
    return ground_of(generator)


def _with_map_first(settings: list[Setting]) -> list[Setting]:
    """Return the settings with those about the map itself first, under one heading.

    These are the ones without a group, and those in the group of the first setting. So size and
    layout have the same position for every kind of map and script.
    """
    if not settings:
        return []
    first_group = settings[0].group or MAP_HEADING
    map_settings = []
    further_settings = []
    for setting in settings:
        if setting.group in ("", first_group):
            map_settings.append(replace(setting, group=first_group))
        else:
            further_settings.append(setting)
    return map_settings + further_settings


def determines_size(generator: MapGenerator | None) -> bool:
    """Return whether a setting that a form shows decides the size of the map."""
    if generator is None:
        return False
    names_in_form = {setting.name for setting in generator.settings if setting.title}
    if names_in_form.isdisjoint(SIZE_SETTINGS):
        return False
    return generator.grid({}) is not None


def _checked_value(setting: Setting, value: object) -> object:
    """Return a value in the type of its setting.

    Raises ProblemError if it does not fit; the message names the setting as the form does.
    """
    title = setting.title.replace("&", "") or setting.name
    titled_setting = replace(setting, name=title)
    return checked_settings((titled_setting,), {title: value})[title]
