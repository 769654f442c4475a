"""The settings with which the open maps are rolled from their scripts.

A script declares settings, such as the size of the map; each open map has values for them. They
come from two sides:

- The program sets them all with ``set``: when a script is opened, or to those of a roll that is
  shown. Nothing is rolled then.
- A person changes one in the form of the script panel, which calls ``choose``. Then the map can be
  rolled again, and ``chosen_values`` tells later what a person wanted.

``ShownScript`` has one ``ScriptSettings``; the form shows ``declared`` and ``values``.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.chosen_roll import ChosenSetting
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import MapGenerator
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.settings.setting import Setting, fitting_settings
from randomizer.symmetric_rolls import settings_for


class ScriptSettings(QObject):
    """The values of settings for each open map: maps that show one script have their own each.

    A map that follows a text while it is typed follows a chosen setting, too, by ``follower``.
    """

    changed = Signal()
    """``values`` or ``declared`` of the current map have changed."""

    chosen = Signal(object)
    """The user has chosen a setting: the values of all settings, by name.

    It is emitted before ``values`` changes: a map that stores the setting itself is changed first.
    """

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        document: MapDocument,
        documents: ShownDocuments,
        follower: TextFollower,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._documents = documents
        self._follower = follower
        self._values: WeakKeyDictionary[OpenMap, Mapping[str, object]] = WeakKeyDictionary()
        """The values of settings of each open map for which ``set`` was called."""
        self._chosen_names: WeakKeyDictionary[OpenMap, set[str]] = WeakKeyDictionary()
        """The names of the settings that the user has chosen for each open map."""
        # Some generators read files of their game before they know their settings.
        self._reading = BackgroundValue(self._generator_to_read, _read_settings, self)
        connect(self._reading.computed, self._on_declared_read)
        self._reading.watch()

    @property
    def values(self) -> Mapping[str, object]:
        """The values of settings of the current map, by name; others have their defaults."""
        return self.values_of(self._document.current_map, {})

    def values_of(self, open_map: OpenMap, default: Mapping[str, object]) -> Mapping[str, object]:
        """Return the values of settings of an open map, or ``default`` if none were ever set."""
        return self._values.get(open_map, default)

    @property
    def chosen_values(self) -> dict[str, object]:
        """The values that the settings chosen by the user have for the current map, by name."""
        names = self._chosen_names.get(self._document.current_map, set())
        return {name: value for name, value in self.values.items() if name in names}

    @property
    def has_values(self) -> bool:
        """True if ``set`` was ever called for the current map."""
        return self._document.current_map in self._values

    def report_other_map(self) -> None:
        """Report that another map is the current one, which has values of its own."""
        self.changed.emit()

    def declared(self) -> tuple[Setting, ...]:
        """Return the settings that the script's generator has, in words for the current map.

        () while they are being read from the files of a game; ``changed`` is emitted after that.
        """
        generator = self._documents.current.generator
        grid = self._document.battlemap.grid
        if generator is None or not generator.settings_read:
            return ()
        return tuple(setting.filled(grid.layout) for setting in settings_for(generator, grid))

    def set(self, values: Mapping[str, object]) -> None:
        """Set the values for the current map; those that the generator cannot have are left out.

        A map of another version of the program can have such ones.
        """
        generator = self._documents.current.generator
        if generator is not None and not generator.settings_read:
            fitting = dict(values)  # they are checked when the generator's settings are read
            self._reading.renew()
        else:
            fitting = fitting_settings(self.declared(), values)
        is_changed = fitting != self.values
        self._values[self._document.current_map] = fitting
        if is_changed:
            self.changed.emit()

    def choose(self, values: Mapping[str, object], name: str) -> None:
        """Set the values for the current map, after the user has changed the setting ``name``.

        ``values`` lack a setting that has its default. The map is rolled again if it follows the
        text, else the next roll has them; ``message`` says which. If the setting cannot have its
        value, nothing is set, and ``message`` says why. ``name`` must be one of ``declared``.
        """
        setting = next(setting for setting in self.declared() if setting.name == name)
        if name in values and not fitting_settings((setting,), {name: values[name]}):
            title = setting.title.replace("&", "")
            if not title:
                title = name
            self.message.emit(f"{title} cannot be “{values[name]}” (expected: {setting.expected})")
            return

        # First the map is changed if it stores the setting itself (``chosen``), then the values.
        # The follower rolls after a pause, with the values that are set by then.
        self._chosen_names.setdefault(self._document.current_map, set()).add(name)
        self.chosen.emit(values)
        text_of_value = setting.text_of(values.get(name))
        self._follower.follow_chosen_setting(ChosenSetting(name, text_of_value))
        self.set(values)
        self.message.emit(self._text_about_choice(setting, values.get(name)))

    def _text_about_choice(self, setting: Setting, value: object) -> str:
        """Return when the map will have the value that was chosen, as sentences."""
        text_of_value = setting.text_of(value)
        if self._follower.has_chosen_settings:
            text = f"{text_of_value}. The map has it already."
        elif self._follower.will_roll_chosen_setting:
            text = f"{text_of_value}. The map is rolled again with it."
        else:
            text = f"{text_of_value}. The next roll has it; the map stays as it is until then."
        about_locks = self.about_locked_cells()
        if about_locks:
            text = f"{text} {about_locks}"
        return text

    def about_locked_cells(self) -> str:
        """Return the remark that settings do not change locked cells; "" if it does not apply.

        That is so if nothing is locked, or if the generator searches among many maps for one that
        has the locked ground by itself: then all of the map is as the settings are.
        """
        battlemap = self._document.battlemap
        generator = self._documents.current.generator
        if generator is None or rolls_many(generator) or not battlemap.locked_cells.any():
            return ""
        template = (
            "Locked {cells} keep their ground, whatever is chosen: another climate or biome begins "
            "beside them."
        )
        return cell_text(template, battlemap.grid.layout)

    # --- a generator whose settings are slow to read ----------------------------------------

    def _generator_to_read(self) -> MapGenerator | str:
        """Return the generator whose settings are to be read, or as a str why none are to be."""
        generator = self._documents.current.generator
        if generator is None or generator.settings_read:
            return "The settings are known."
        return generator

    def _on_declared_read(self, generator: object) -> None:
        """Set the values again now that the settings of a generator are read: they are checked."""
        if generator is self._documents.current.generator:
            self.set(self.values)
            self.changed.emit()


def _read_settings(generator: MapGenerator, _progress: object, _cancelled: object) -> MapGenerator:
    """Read the settings of a generator, on a job's thread, and return the generator."""
    tuple(generator.settings)  # they are read when they are first asked for
    return generator
