"""What a person has chosen for the table of the current map.

    map_choices.choose(relief="hilly")      # a value of a setting
    map_choices.fix({"hills": "2"})         # a decision, for this table and later ones
    map_choices.fix({"hill 1 die": "6"})    # a fixed die, for this table only
    map_choices.values                      # {"relief": "hilly", "fixed": "hills = 2; hill 1 ..."}

Nothing is laid by that: ``Throwing`` does it. Each open map has choices of its own
(``TableChoices``). They begin as those of the table that lies on the map. When a table is laid, or
undo takes one back, they become those of that table (``adopt_table``); who throws the dice stays as
chosen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from weakref import WeakKeyDictionary, WeakSet

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.rolling.rolling import Rolling
from app.systems.cordery.entry_record import EntryRecord
from app.systems.cordery.laid_table import LaidTable
from app.systems.cordery.table_choices import (
    PREVIOUS_AREAS,
    SETTINGS_OF_PLAYER,
    WHO_THROWS,
    TableChoices,
    choices_of,
)
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import (
    Choices,
    decisions_without_dice,
    fixed_text,
    settings_without_dice,
)
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.dice.scores import read_scores
from randomizer.systems.cordery.page_parts import part_of_die


class MapChoices(QObject):
    """The choices for the table of the current map, whichever map is current."""

    changed = Signal()
    """The choices of the current map changed, or another map is current."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        table: LaidTable,
        entry_record: EntryRecord,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._table = table
        self._entry_record = entry_record
        self._choices_by_map: WeakKeyDictionary[OpenMap, TableChoices] = WeakKeyDictionary()
        """The choices of each open map for which they were asked."""
        self._seen_maps: WeakSet[OpenMap] = WeakSet()
        """The maps that were current once, so that their keys were shown."""
        self._last_choices = TableChoices()
        """The choices of the table that was followed last; a bare map takes over some of them."""

    # --- read them --------------------------------------------------------------------------

    @property
    def values(self) -> Mapping[str, object]:
        """The values of settings by name; a setting that is left out has its default."""
        return self._table_choices().values

    @property
    def choices(self) -> Choices:
        """The values of all settings, with the defaults of those that are left out."""
        return Choices.of(self.values)

    @property
    def fixed(self) -> dict[str, str]:
        """The decisions and dice that are fixed by hand, by name: {"hills": "2"}."""
        return self.choices.decisions()

    def fixed_text_without(self, names: Collection[str]) -> str:
        """Return the decisions but those of these names, as the setting ``fixed`` holds them.

        Dice that are fixed by hand are left out.
        """
        decisions = decisions_without_dice(self.values)
        return fixed_text({name: value for name, value in decisions.items() if name not in names})

    def fixed_dice_of(self, part: str) -> dict[str, str]:
        """Return the dice of one part of the page that are fixed by hand, by name."""
        return {
            name: value
            for name, value in self.fixed.items()
            if is_die(name) and part_of_die(name) == part
        }

    def fixed_scores(self) -> dict[str, tuple[int, ...]]:
        """Return the scores of the dice that are fixed by hand: {"hill 2 steps": (3, 4, 1)}."""
        scores_by_name: dict[str, tuple[int, ...]] = {}
        for name, value in self.fixed.items():
            scores = read_scores(value)
            if is_die(name) and scores is not None:
                scores_by_name[name] = scores
        return scores_by_name

    @property
    def values_without_dice(self) -> dict[str, object]:
        """The values that hold for all tables: fixed dice belong to one of them only."""
        values = settings_without_dice(self.values)
        # The record of a changed table has this setting among its choices, for that table alone.
        values.pop(PREVIOUS_AREAS, None)
        return values

    def values_for_step(self, key: DrawKey) -> dict[str, object]:
        """Return the values for a step to the table of a key.

        If the map has shown that table before, they are those with which it lay last.
        """
        settings = self._table_choices().settings_by_key.get(key)
        if settings is None:
            return self.values_without_dice
        return self._with_who_throws(settings)

    def are_of_table(self, key: DrawKey) -> bool:
        """Return whether they were chosen for the table of this key, which lies on the map."""
        roll = self._table_choices().roll
        return roll is not None and key == DrawKey(roll.seed, roll.number)

    # --- change them ------------------------------------------------------------------------

    def choose(self, **values: object) -> None:
        """Change some values, given by the settings' names."""
        self._table_choices().values |= values
        self.changed.emit()

    def replace(self, values: Mapping[str, object]) -> None:
        """Replace all values, as by those of a saved campaign square."""
        self._table_choices().values = dict(values)
        self.changed.emit()

    def fix(self, values: Mapping[str, str]) -> None:
        """Fix decisions or dice by name, such as {"hills": "2"}; the value "" frees one."""
        fixed = {**self.fixed, **values}
        self.choose(fixed=fixed_text({name: value for name, value in fixed.items() if value}))

    # --- follow the table that lies ---------------------------------------------------------

    def note_table(self) -> None:
        """Note the table that lies on the map now, and its settings for a step back to it.

        What is chosen stays.
        """
        table_choices = self._table_choices()
        self._last_choices = table_choices
        roll = self._table.last_roll()
        is_other_table = roll != table_choices.roll
        table_choices.roll = roll
        if roll is not None and is_other_table:
            key = DrawKey(roll.seed, roll.number)
            repeats = self._table.repeats()
            table_choices.settings_by_key[key] = {**choices_of(roll), **repeats.as_settings()}

    def adopt_table(self) -> None:
        """Note the table that lies on the map now, and if it is another one, use its choices."""
        table_choices = self._table_choices()
        previous_roll = table_choices.roll
        self.note_table()
        roll = table_choices.roll
        if roll == previous_roll:
            return
        if roll is None:
            # The roll was undone. Its fixed dice were of that table only; decisions stay.
            decisions = decisions_without_dice(table_choices.values)
            table_choices.values["fixed"] = fixed_text(decisions)
            table_choices.values["program_dice"] = ""
        else:
            table_choices.values = self._with_who_throws(choices_of(roll))
            self._show_key_of(roll)
        self.changed.emit()

    def _with_who_throws(self, settings: Mapping[str, object]) -> dict[str, object]:
        """Return settings of a table, but with the one who throws the dice as it is chosen now.

        That is chosen for the dice to come, and is no part of a table.
        """
        values = dict(settings)
        values.pop(WHO_THROWS, None)
        chosen_values = self._table_choices().values
        if WHO_THROWS in chosen_values:
            values[WHO_THROWS] = chosen_values[WHO_THROWS]
        return values

    def on_map_replaced(self) -> None:
        """Report that another map is current, which has other choices."""
        self.show_key_of_new_map()
        self.changed.emit()

    def show_key_of_new_map(self) -> None:
        """Let the panel show the key of the table of a map that is current for the first time."""
        current_map = self._document.current_map
        if current_map in self._seen_maps:
            return
        self._seen_maps.add(current_map)
        roll = self._table.last_roll()
        if roll is not None:
            self._show_key_of(roll)

    # --- the choices of the current map -----------------------------------------------------

    def _table_choices(self) -> TableChoices:
        """Return the choices of the current map.

        They are made when they are first asked for, since others may ask before this object is told
        that another map is current.
        """
        current_map = self._document.current_map
        if current_map not in self._choices_by_map:
            self._choices_by_map[current_map] = self._initial_choices()
        return self._choices_by_map[current_map]

    def _initial_choices(self) -> TableChoices:
        """Return the choices that a map begins with.

        They are those of its record of entered dice, else those of the roll of its table. A bare
        map begins with the defaults, and takes over the settings of the player from the table
        before it.
        """
        roll = self._table.last_roll()
        entered_dice = self._entry_record.read()
        if entered_dice is not None:
            return TableChoices(dict(entered_dice.choices), roll)
        if roll is not None:
            return TableChoices(choices_of(roll), roll)
        last_values = self._last_choices.values
        return TableChoices(
            {name: last_values[name] for name in SETTINGS_OF_PLAYER if name in last_values}
        )

    def _show_key_of(self, roll: Roll) -> None:
        self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))
