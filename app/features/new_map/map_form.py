"""The form of the New map dialog: grid and terrain set of the map, settings of its script.

The dialog calls ``NewMapForm.show_settings_of`` for each script that is chosen, then reads the
answers from ``chosen_grid``, ``chosen_settings`` and ``chosen_scale``. Of each setting there are::

    default         what the setting itself says
    usual value     what the form shows at first: a special value for some, else the default
    answer          what the user has chosen in place of the usual value; it is carried from script
                    to script, and to the next new map of the same kind
    set by script   what the script itself says (``ground_of``), such as its first terrain: the form
                    shows it, and it is no answer
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal

from app.background.actions import run
from app.features.new_map.grid_settings import (
    FROM_FILE,
    GridAnswers,
    answers_from_form,
    answers_from_grid,
    checked_grid,
    grid_settings,
    terrains_setting,
)
from app.features.new_map.terrain_choice import TerrainChoice
from app.qt_guard import connect
from app.scripts.script import ground_of
from app.settings import NewMapChoices, Settings
from app.widgets.dialogs.files import choose_file
from app.widgets.forms.settings_form import SettingsForm
from randomizer.generator import MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.grid_settings import WIDTH
from randomizer.model.settings.setting import Setting, checked_settings, fitting_settings
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
        self._usual_size: tuple[int, int] | None = None
        """The usual columns and rows of the chosen kind and layout; None if it has none."""
        self._usual_values: dict[str, object] = {}
        """The values that the form has, by name, before anybody chooses others."""
        self._answers: dict[str, object] = {}
        """The answers about this kind of map that are not the usual ones, by names of settings.

        They come from the settings, where those of the last map are stored, and from the scripts
        that this form has asked about so far.
        """
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
            self._note_answers()
        else:
            self._answers = dict(self._stored.new_map_choices(system.name).values)
        self._system = system
        self._generator = generator

        asks_for_grid = not system.fixed_grid and not determines_size(generator)
        settings = self._settings_to_ask(system, generator, asks_for_grid=asks_for_grid)
        defaults = {setting.name: setting.default for setting in settings}
        special_values = _special_values(system, generator, asks_for_grid=asks_for_grid)
        self._usual_values = defaults | special_values

        # Answers of the user replace the usual values, except for settings that the script itself
        # sets.
        answers = {}
        for name, answer in self._answers.items():
            if name not in self._names_set_by_script:
                answers[name] = answer
        self.set_settings(settings, special_values | fitting_settings(settings, answers))
        self._choose_terrains()
        self.setVisible(bool(settings))
        if asks_for_grid:
            self.field("layout").setAccessibleName("Layout of the cells")
            self._usual_size = self._find_usual_size()

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
        if system.own_terrain_sets:
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

        Those that the script itself sets are always among them. Raises ProblemError for a value
        that the script refuses.
        """
        if self._generator is None:
            return {}
        settings = {setting.name: setting for setting in self._generator.new_map_settings}
        set_by_script = ground_of(self._generator)
        chosen: dict[str, object] = {}
        for name, value in self.values().items():
            if name in settings and value != set_by_script.get(name, settings[name].default):
                chosen[name] = _checked_value(settings[name], value)
        return {**set_by_script, **chosen}

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

    @property
    def _names_set_by_script(self) -> frozenset[str]:
        """The names of the settings that the script itself sets, which are not remembered."""
        if self._generator is None:
            return frozenset()
        return frozenset(ground_of(self._generator))

    def forget_answers(self, system: System) -> None:
        """Forget what was chosen for this kind of map, in the form and in the stored settings."""
        self._stored.set_new_map_choices(system.name, NewMapChoices())
        self._answers.clear()
        self.show_values(self._usual_values)

    def _note_answers(self) -> None:
        """Note in ``_answers`` what the form shows, except for what the script itself sets."""
        for name, value in self.values().items():
            if name in self._names_set_by_script:
                continue
            if value == self._usual_values.get(name):
                self._answers.pop(name, None)
            else:
                self._answers[name] = value

    def store_answers(self, script: tuple[str, ...] | None) -> None:
        """Store the kind of map, the key of its script and the answers that are not usual.

        ``script`` is None for the empty map.
        """
        self._note_answers()
        name_of_kind = self._asked_system.name
        answers = dict(self._answers)
        self._stored.set_new_map_choices(name_of_kind, NewMapChoices(script, answers))
        self._stored.last_kind = name_of_kind

    # --- answers on which others depend -----------------------------------------------------

    def _on_setting_changed(self, name: str) -> None:
        """Let other answers follow that of a setting, and emit ``answered``."""
        if name == "terrains":
            if self.values()[name] == FROM_FILE:
                # ``answered`` is emitted when a file was chosen.
                run(self._ask_terrains())
                return
            self._choose_terrains()
        if name == "layout" and not determines_size(self._generator):
            self._show_size_of_layout()
        self.answered.emit()

    def _show_size_of_layout(self) -> None:
        """Show the usual size of the chosen layout, if that of the previous one was shown."""
        previous_size = self._usual_size
        self._usual_size = self._find_usual_size()
        answers = self._grid_answers
        if self._usual_size is not None and (answers.width, answers.height) == previous_size:
            width, height = self._usual_size
            self.show_values({**self.values(), "width": width, "height": height})

    def _find_usual_size(self) -> tuple[int, int] | None:
        """Return the usual columns and rows of the chosen layout; None if it has none."""
        system = self._asked_system
        # Usual sizes belong to the layouts in their order; systems without them have ().
        sizes = dict(zip(system.layouts, system.usual_sizes, strict=False))
        return sizes.get(self._grid_answers.layout)

    def _choose_terrains(self) -> None:
        """Use the terrain set that the form shows."""
        self.terrain_choice.choose(self._asked_system, str(self.values().get("terrains", "")))

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
            settings = [setting for setting in self.settings if setting.name != "terrains"]
            files = self._stored.recent("terrains")
            settings.append(terrains_setting(self._asked_system, files))
            self.set_settings(_with_map_first(settings), values)
        self.show_values({**values, "terrains": name})
        self._choose_terrains()
        self.answered.emit()


def _special_values(
    system: System, generator: MapGenerator | None, *, asks_for_grid: bool
) -> dict[str, object]:
    """Return the usual values, by name, of settings whose usual value is not their default."""
    values: dict[str, object] = {}
    if asks_for_grid:
        values.update(answers_from_grid(system.new_grid())._asdict())
    if generator is not None:
        values.update(ground_of(generator))
    if system.own_terrain_sets:
        values["terrains"] = system.terrain_set.name
    return values


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
