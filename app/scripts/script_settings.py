"""The settings with which the scripts of the open maps roll them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.scripts.script_document import ScriptDocument
from app.scripts.text_follower import TextFollower
from randomizer.batches.batch_generator import rolls_many
from randomizer.generator import MapGenerator, settings_for
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.settings.setting import Setting, fitting_settings


class ScriptSettings(QObject):
    """The settings of each open map, also where several maps show one script.

    ``current`` returns the script document of the current map. A map that follows what is typed
    follows a chosen setting, too, by ``follower``.
    """

    changed = Signal()
    """The current map is rolled with other settings, or the script has others."""
    chosen = Signal(object)
    """The user chooses these settings, by name: a map that holds one of them is to follow."""
    message = Signal(str)
    """Something to say in passing."""

    def __init__(
        self,
        document: MapDocument,
        current: Callable[[], ScriptDocument],
        follower: TextFollower,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._current = current
        self._follower = follower
        self._values: WeakKeyDictionary[OpenMap, Mapping[str, object]] = WeakKeyDictionary()
        self._reading = BackgroundValue(self._to_read, _read_settings, self)
        connect(self._reading.computed, self._take_declared)
        self._reading.watch(True)

    @property
    def values(self) -> Mapping[str, object]:
        """The settings of the current map, by name, without those not set."""
        return self.values_of(self._document.current_map, {})

    def values_of(self, open_map: OpenMap, default: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings of an open map, or ``default`` if it never had any."""
        return self._values.get(open_map, default)

    @property
    def has_values(self) -> bool:
        """True if settings were ever set for the current map."""
        return self._document.current_map in self._values

    def declared(self) -> tuple[Setting, ...]:
        """Return the settings that the script's generator has, in the words for the current map.

        There are none while they are read from a game; then ``changed`` follows.
        """
        generator = self._current().generator
        grid = self._document.battlemap.grid
        if generator is None or not generator.settings_read:
            return ()
        return tuple(setting.filled(grid.layout) for setting in settings_for(generator, grid))

    def set(self, values: Mapping[str, object]) -> None:
        """Roll the current map with these; settings that the generator has not are left out."""
        generator = self._current().generator
        if generator is not None and not generator.settings_read:
            fitting = dict(values)  # they are looked at when the generator's own are read
            self._reading.renew()
        else:
            fitting = fitting_settings(self.declared(), values)  # another edition had others
        is_changed = fitting != self.values
        self._values[self._document.current_map] = fitting
        if is_changed:
            self.changed.emit()

    def choose(self, values: Mapping[str, object], name: str) -> None:
        """Roll the current map with these, of which the user chose the one with this name.

        The map follows them, or the next roll does: that is said. A value that the setting cannot
        have is refused in words; the settings stay as they are.
        """
        setting = next(setting for setting in self.declared() if setting.name == name)
        if name in values and not fitting_settings((setting,), {name: values[name]}):
            title = setting.title.replace("&", "") or name
            self.message.emit(f"{title} cannot be “{values[name]}” (expected: {setting.expected})")
            return
        self.chosen.emit(values)
        self.set(values)
        value = setting.text_of(values.get(name))
        texts = [f"{value}. The next roll has it; the map stays as it is until then."]
        if self._follower.follows_typed:
            texts = [f"{value}. The map is rolled again with it."]
        about_locks = self.about_locked_cells()
        if about_locks:
            texts.append(about_locks)
        self.message.emit(" ".join(texts))
        self._follower.follow_typed()

    def about_locked_cells(self) -> str:
        """Return that settings do not reach what is locked, as text; "" where nothing is.

        A script that searches has to make what is locked itself.
        """
        battlemap = self._document.battlemap
        generator = self._current().generator
        if generator is None or rolls_many(generator) or not battlemap.locked_cells.any():
            return ""
        template = (
            "Locked {cells} keep their ground, whatever is chosen: another climate or biome begins "
            "beside them."
        )
        return cell_text(template, battlemap.grid.layout)

    # --- a generator whose settings are slow to read ----------------------------------------

    def _to_read(self) -> MapGenerator | str:
        generator = self._current().generator
        if generator is None or generator.settings_read:
            return "The settings are known."
        return generator

    def _take_declared(self, generator: object) -> None:
        """The settings of a generator were read."""
        if generator is self._current().generator:
            self.set(self.values)
            self.changed.emit()


def _read_settings(generator: MapGenerator, _progress: object, _cancelled: object) -> MapGenerator:
    """Return the generator, its settings read, on a job's thread."""
    tuple(generator.settings)
    return generator
