"""What the New map dialog asks about a map, and what the answers make: ``MapQuestions``.

    questions = MapQuestions(system, generator)
    form.set_settings(questions.settings(files), ...)    # a form has a row for each setting
    questions.grid(form.values())                        # what the person has answered

Some scripts decide the size of their map by settings of their own, such as "Size" of those of
0 A.D. Only other maps are asked about their grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.features.new_map.grid_settings import (
    TERRAINS,
    answers_from_form,
    answers_from_grid,
    checked_grid,
    grid_settings,
    terrains_setting,
)
from app.scripts.script import ground_of
from randomizer.generator import MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.grid_settings import WIDTH
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.cell_width import EXAMPLE, SCALE, why_no_width
from randomizer.model.system.system import System

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

SIZE_SETTINGS = frozenset({"Size", WIDTH})
"""The names of the settings by which a script decides the size of its map.

Scripts of 0 A.D. have the first, others the second.
"""


@dataclass(frozen=True)
class MapQuestions:
    """The questions about a new map of one kind that is made by one script.

    ``values`` in its methods are those that a form with ``settings`` shows, by the names of the
    settings; what is unset is left out.
    """

    system: System
    """The kind of map."""

    generator: MapGenerator | None
    """The generator of the script; None for the empty map."""

    # --- what is asked ----------------------------------------------------------------------

    @property
    def asks_for_grid(self) -> bool:
        """True if the size and the layout of the map are asked for."""
        return not self.system.fixed_grid and not self._script_decides_size

    @property
    def _script_decides_size(self) -> bool:
        """True if a setting of the script that the form shows decides the size of the map."""
        if self.generator is None:
            return False
        names_in_form = {setting.name for setting in self.generator.settings if setting.title}
        if names_in_form.isdisjoint(SIZE_SETTINGS):
            return False
        return self.generator.grid({}) is not None

    @property
    def _asks_for_scale(self) -> bool:
        """True if maps of the kind have a scale, and no setting of the script says it."""
        if not any(prop.name == SCALE for prop in self.system.properties):
            return False
        if self.generator is None:
            return True
        return not any(setting.name == SCALE for setting in self.generator.settings)

    def settings(self, terrain_files: Iterable[Path]) -> list[Setting]:
        """Return the settings that are asked for, those about the map itself first.

        ``terrain_files`` are offered beside the terrain sets that come with the program.
        """
        settings: list[Setting] = []
        if self.asks_for_grid:
            settings += grid_settings(self.system)
        if self.generator is not None:
            for setting in self.generator.new_map_settings:
                if setting.title:
                    settings.append(setting.filled(self.system.new_grid().layout))
        if self._asks_for_scale:
            settings.append(SCALE_SETTING)
        if self.system.users_edit_terrain_sets:
            settings.append(terrains_setting(self.system, terrain_files))
        return _with_map_first(settings)

    def values_of_script(self) -> dict[str, object]:
        """Return the values of settings that the script itself sets: its first terrain, say."""
        if self.generator is None:
            return {}
        return dict(ground_of(self.generator))

    def usual_values(self, settings: Iterable[Setting]) -> dict[str, object]:
        """Return what a form of ``settings`` shows before anything is answered.

        It is the default of each setting, unless the kind of map or the script says otherwise.
        """
        values: dict[str, object] = {setting.name: setting.default for setting in settings}
        if self.asks_for_grid:
            values.update(answers_from_grid(self.system.new_grid())._asdict())
        values.update(self.values_of_script())
        if self.system.users_edit_terrain_sets:
            values[TERRAINS] = self.system.terrain_set.name
        return values

    # --- what the answers make --------------------------------------------------------------

    def grid(self, values: Mapping[str, object]) -> Grid:
        """Return the grid of the map.

        Raises ValueError or ProblemError, with a message for the user, if it is impossible.
        """
        if self.asks_for_grid:
            return checked_grid(self.system, answers_from_form(values))
        if self.generator is not None and self._script_decides_size:
            grid = self.generator.grid(self.settings_of_roll(values))
            assert grid is not None, "it has one with the default settings"
            return grid
        return self.system.new_grid()

    def settings_of_roll(self, values: Mapping[str, object]) -> dict[str, object]:
        """Return the values of the script's settings, by name, that are not the defaults.

        Those that the script itself sets are always among them, as it sets them or as the user has
        changed them. Raises ProblemError for a value that the script refuses.
        """
        if self.generator is None:
            return {}
        values_of_roll = self.values_of_script()
        for setting in self.generator.new_map_settings:
            if setting.name not in values:
                continue
            value = values[setting.name]
            value_of_script = values_of_roll.get(setting.name, setting.default)
            if value != value_of_script:
                values_of_roll[setting.name] = _checked_value(setting, value)
        return values_of_roll

    def scale(self, values: Mapping[str, object]) -> str:
        """Return the width of a cell as text, such as "5 miles"; "" if it is not asked for.

        Raises ValueError, with a message for the user, for a text that is no width.
        """
        if not self._asks_for_scale:
            return ""
        text = str(values.get(SCALE, "")).strip()
        if why_not := why_no_width(text):
            raise ValueError(why_not)
        return text


def _with_map_first(settings: Sequence[Setting]) -> list[Setting]:
    """Return the settings with those about the map itself first, under one heading.

    These are the ones without a group, and those in the group of the first setting, which is about
    the size: of the grid, or of a script that decides it. So size and layout have the same position
    for every kind of map and script.
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


def _checked_value(setting: Setting, value: object) -> object:
    """Return a value in the type of its setting.

    Raises ProblemError if it does not fit; the message names the setting as the form does.
    """
    title = setting.title.replace("&", "") or setting.name
    titled_setting = replace(setting, name=title)
    return checked_settings((titled_setting,), {title: value})[title]
