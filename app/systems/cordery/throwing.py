"""The dice of the current wargame table: its choices, throws of its parts, and their log.

``Throwing`` is between the dice panel and ``Rolling``, which rolls maps of all kinds: it remembers
for each open map what the user chose, gives ``Rolling`` the setup of a roll made of that, and works
out the log of the dice from the rolls of the table's layers. Choices are values of settings
(``choices.SETTINGS``) by name; one of them, ``fixed``, holds all decisions and dice that are fixed
by hand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.document.undo_history import RollState
from app.qt_guard import connect
from app.rolling.destination import MapChange
from app.rolling.roll_setup import AsksForRoll, RollSetup
from app.rolling.rolling import Rolling
from randomizer.catalog.catalog import generator_without_script
from randomizer.generator import DrawKey, MapGenerator
from randomizer.model.edits.layer_edits import show
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.systems.cordery.choices import PARTS, Choices, part_of_die
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.dice.scores import read_scores
from randomizer.systems.cordery.dice_log import LogEntry, TableRoll, log_entries, table_rolls
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice, read_entered_dice
from randomizer.systems.cordery.table.feature_places import (
    PreviousArea,
    read_previous_areas,
    write_previous_areas,
)

OWN_DICE = "Lay the table by your own dice"
"""The text of the undo step of a table whose dice were entered."""

THROWN_REST = "Throw the rest of the dice"
"""The text of the undo step of such a table if the program threw the last dice of it."""

LOG_MS = 30
"""The pause after a change of the map before its log is worked out again, in milliseconds."""

ENTERING = "Dice are being entered in the panel Dice: enter them all, or stop entering, first."
"""The reason why nothing is thrown while dice are asked for."""

BY_HAND = (
    "The dice of this table are entered by hand. To have them thrown, choose Thrown by the program "
    "in the panel Dice."
)
"""The reason why the program throws nothing for such a table."""

SETTINGS_OF_ONE_ROLL = ("first", "previous_areas", *(f"{part}_again" for part in PARTS))
"""The settings of a roll that tell how it was made, and are no choices of the user.

``first`` is the part from which it was laid, ``hills_again`` how often that part was thrown again,
``previous_areas`` where the features after that part were then.
"""

SETTINGS_OF_DICE = ("fixed", "program_dice")
"""The settings with dice and decisions that are fixed by hand, and which the program threw."""

SETTINGS_OF_PLAYER = ("dice", "box")
"""The settings of the player, not of the country: who throws, and which pieces there are.

A new map takes them over from the table that was current before; the country it does not.
"""


@dataclass
class TableChoices:
    """The choices for one open map."""

    values: dict[str, object] = field(default_factory=dict)
    """The values of settings by name; a setting that is left out has its default."""
    roll: Roll | None = None
    """The roll of the table for which they were chosen, None while no table lies."""
    dice_by_key: dict[DrawKey, dict[str, object]] = field(default_factory=dict)
    """By seed and number: what a table that the map has shown has of its own.

    That are settings: dice and decisions that were fixed, and how often parts were thrown again. A
    step back to such a table lays it as it was.
    """


class Throwing(QObject):
    """Provides throws of the dice for rolls of Cordery's tables.

    Each open map has its own choices. Dice that are fixed hold for the table (seed and number) in
    which they were fixed, decisions for all that are thrown after it.
    """

    choices_changed = Signal()
    """The choices of the current map changed, or another map is current."""
    setup_changed = Signal()
    """The setup of a roll changed, as ``Rolling`` expects of a provider."""
    parts_changed = Signal()
    """The layers of the table changed."""
    log_changed = Signal()
    """``log`` changed."""
    entry_wanted = Signal()
    """The table is to be laid again, and its dice are entered by hand."""
    dice_wanted = Signal()
    """A new table is to be thrown, and its dice are entered by hand."""
    unreadable = Signal(str)
    """The record of a map's entered dice cannot be used, for this reason."""

    def __init__(self, document: MapDocument, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._choices_by_map: WeakKeyDictionary[OpenMap, TableChoices] = WeakKeyDictionary()
        self._last_table: TableChoices = TableChoices()
        """The choices of the table that was current last."""
        self._previous_choices: dict[str, object] | None = None
        """The choices that ``withdraw`` restores if no table can be laid with the new ones.

        None while no such choice was made.
        """
        self._late_part = ""
        """The first part for which something was chosen while a roll was under way; "" for none."""
        self.entering = False
        """True while dice are being asked for; see ``set_entering``."""
        self.log: tuple[LogEntry, ...] = ()
        """The log of the dice of the current table, from the first throw to the last."""
        self._log_value = BackgroundValue(self._table_rolls, _log_of, self, delay_ms=LOG_MS)
        connect(self._log_value.computed, self._set_log)
        connect(rolling.layers_changed, self._on_layers)
        connect(rolling.finished, self._lay_late_part)
        connect(rolling.failed, self.withdraw)
        connect(document.changed, self._log_value.renew)
        connect(document.map_replaced, self._on_map)
        connect(self.choices_changed, self.setup_changed)
        rolling.add_provider(self)
        self._on_layers()
        self._log_value.watch(True)

    # --- the current table -------------------------------------------------------------------

    @property
    def has_fresh_log(self) -> bool:
        """True if ``log`` is that of the tables that the map has now."""
        return self._log_value.fresh

    @property
    def generator(self) -> MapGenerator | None:
        """The generator that lays tables like the current one; None for other maps."""
        system = self._document.battlemap.system
        if system.name == "cordery":
            return generator_without_script(system)
        return None

    def parts(self) -> dict[str, Layer]:
        """Return the layers of the current table, by the part of the page."""
        lowest = self._rolling.target()
        battlemap = self._document.battlemap
        if lowest is None or self.generator is None:
            return {}
        layers = [battlemap.layers[position] for position in parts_from(battlemap, lowest.id)]
        return {layer.roll.part: layer for layer in layers if layer.roll is not None}

    def _on_map(self) -> None:
        """Take the choices of another map, and work out its log."""
        self._previous_choices = None
        self._late_part = ""
        self._log_value.forget()
        self._set_log(())
        self._on_layers()
        self.choices_changed.emit()

    def _on_layers(self) -> None:
        """Take the choices of a table that was laid or undone, and work out its log anew."""
        if self.serves_map():
            self._follow_table(self._current_table())
        self._log_value.renew()
        self.parts_changed.emit()

    def _follow_table(self, table: TableChoices) -> None:
        """Take the choices of the roll that lies on the map now, unless ``table`` has that roll."""
        roll = self._last_roll()
        if roll == table.roll:
            return
        table.roll = roll
        if roll is not None:
            key = DrawKey(roll.seed, roll.number)
            table.dice_by_key[key] = self._repeats()
            for name in SETTINGS_OF_DICE:
                if roll.settings.get(name):
                    table.dice_by_key[key][name] = roll.settings[name]
        if self._late_part:
            return  # something else was chosen meanwhile, and is laid next
        if roll is None:
            # The roll was undone. Its fixed dice were of that table only; decisions stay.
            table.values["fixed"] = fixed_text(_decisions(table.values))
            table.values["program_dice"] = ""
        else:
            table.values = _choices_of(roll)
            self._rolling.set_state(RollState(roll.seed, roll.number))
        self.choices_changed.emit()

    def _current_table(self) -> TableChoices:
        """Return the choices of the current map, which it gets when it is asked for first.

        Those of a table are noted as the last ones, from which a new map takes the player's.
        """
        current = self._document.current_map
        if current not in self._choices_by_map:
            self._choices_by_map[current] = self._begin_choices()
        table = self._choices_by_map[current]
        if self.serves_map():
            self._last_table = table
        return table

    def _begin_choices(self) -> TableChoices:
        """Return the choices that a map begins with, and give ``Rolling`` the key of its roll.

        They are those of its record of entered dice, else those of its roll. A bare map begins with
        the defaults, and takes over the settings of the player from the table before it.
        """
        roll = self._last_roll()
        if roll is not None:
            self._rolling.set_state(RollState(roll.seed, roll.number))
        entered = self.entered_dice()
        if entered is not None:
            return TableChoices(dict(entered.choices), roll)
        if roll is not None:
            return TableChoices(_choices_of(roll), roll)
        last_values = self._last_table.values
        return TableChoices(
            {name: last_values[name] for name in SETTINGS_OF_PLAYER if name in last_values}
        )

    def _last_roll(self) -> Roll | None:
        """Return the roll of the topmost part of the table, None if no table lies on the map."""
        rolls = [layer.roll for layer in self.parts().values() if layer.roll is not None]
        if rolls:
            return rolls[-1]
        return None

    def entered_dice(self) -> EnteredDice | None:
        """Return the dice that were entered for a table of this map which is not laid yet.

        None if there are none, or if their record cannot be read; then ``unreadable`` tells why.
        """
        record = self._document.battlemap.records.get(RECORD)
        if record is None or not self.serves_map():
            return None
        try:
            return read_entered_dice(record)
        except ProblemError as wrong:
            self.unreadable.emit(wrong.problems[0].message)
            return None

    # --- choices ----------------------------------------------------------------------------

    @property
    def choices(self) -> Choices:
        """The choices for the current map."""
        return Choices.of(self.chosen)

    @property
    def chosen(self) -> Mapping[str, object]:
        """The choices for the current map by the settings' names, without defaults."""
        return self._current_table().values

    def choose(self, **values: object) -> None:
        """Change some choices, given by the settings' names; nothing is thrown."""
        self._current_table().values |= values
        self.choices_changed.emit()

    def take_choices(self, values: Mapping[str, object]) -> None:
        """Replace all choices, as by those of a saved campaign square; nothing is thrown."""
        self._current_table().values = dict(values)
        self.choices_changed.emit()

    @property
    def fixed(self) -> dict[str, str]:
        """The decisions made by hand by name, fixed dice included."""
        return self.choices.decisions()

    @property
    def choices_without_dice(self) -> dict[str, object]:
        """The choices that hold for all tables: fixed dice belong to one of them only."""
        values = dict(self.chosen)
        if values.get("fixed"):
            values["fixed"] = fixed_text(_decisions(values))
        if values.get("program_dice"):
            values["program_dice"] = ""
        values.pop("previous_areas", None)
        return values

    def fixed_without(self, names: Collection[str]) -> str:
        """Return the decisions without these, as the setting ``fixed`` holds them; no dice."""
        decisions = _decisions(self.chosen)
        return fixed_text({name: value for name, value in decisions.items() if name not in names})

    def fix(self, values: Mapping[str, str]) -> None:
        """Fix decisions or dice by name; "" frees one. Nothing is thrown."""
        fixed = {**self.fixed, **values}
        self.choose(fixed=fixed_text({name: value for name, value in fixed.items() if value}))

    # --- the dice of the table that lies ----------------------------------------------------

    def known_dice(self, *, except_part: str = "") -> dict[str, tuple[int, ...]]:
        """Return the scores of all known throws by name, without those of one part of the page.

        The dice that are fixed by hand are known even if the log has no scores.
        """
        scores_by_name: dict[str, tuple[int, ...]] = {}
        for name, value in self.fixed.items():
            scores = read_scores(value)
            if is_die(name) and scores is not None:
                scores_by_name[name] = scores
        for entry in self.log:
            scores_by_name.update(entry.scores)
        if not except_part:
            return scores_by_name
        return {
            name: scores
            for name, scores in scores_by_name.items()
            if part_of_die(name) != except_part
        }

    def fixed_dice_of(self, part: str) -> dict[str, str]:
        """Return the dice of one part of the page that are fixed by hand, by name."""
        return {
            name: value
            for name, value in self.fixed.items()
            if is_die(name) and part_of_die(name) == part
        }

    def cells_of_features(self) -> dict[str, PreviousArea]:
        """Return where the dice or a person have put the features of the table, by their names.

        Features of hidden parts are not in the log, and are left out.
        """
        areas = {}
        for entry in self.log:
            for decision in entry.line.decisions:
                if decision.name == f"{decision.feature} at" and entry.line.cells:
                    cell = entry.line.cells[0]
                    areas[decision.feature] = PreviousArea(cell, decision.is_chained)
        return areas

    def areas_after(self, part: str) -> str:
        """Return the setting ``previous_areas`` for a part that is thrown again.

        It names the areas of all features of later parts. What was noted when another part was
        thrown again, of hidden features say, still holds, but not for the part itself.
        """
        battlemap = self._document.battlemap
        name_of = partial(battlemap.system.cell_name, battlemap.grid)
        areas = {}
        for feature, area in read_previous_areas(
            self.previous_areas, battlemap.grid, name_of
        ).items():
            if part_of_die(f"{feature} at") != part:
                areas[feature] = area
        later_parts = PARTS[PARTS.index(part) + 1 :]
        for feature, area in self.cells_of_features().items():
            if part_of_die(f"{feature} at") in later_parts:
                areas[feature] = area
        return write_previous_areas(areas, name_of)

    @property
    def previous_areas(self) -> str:
        """The setting ``previous_areas`` of the table that lies; "" if no part was thrown again."""
        return str(self._repeats().get("previous_areas", ""))

    # --- choices for the table that lies ----------------------------------------------------

    @property
    def is_laid_by_hand(self) -> bool:
        """True if the table that lies was laid by dice that a person entered."""
        roll = self._last_roll()
        return roll is not None and roll.settings.get("dice") == "typed"

    @property
    def lays_choices_at_once(self) -> bool:
        """True if the table that lies is laid again when something is chosen.

        The table that the program threw is not if one's own dice are to lay the next one.
        """
        return bool(self.parts()) and (self.choices.dice != "typed" or self.is_laid_by_hand)

    def lay_with(
        self, part: str, decisions: Mapping[str, str], values: Mapping[str, object]
    ) -> None:
        """Choose decisions and values of settings, and lay a part of the table and all that follow.

        "" frees a decision. If no table lies, nothing is laid. While a roll is under way this waits
        for its end. If no table can be laid so, the previous choices hold again.
        """
        if self.parts():
            self._note_previous_choices()
        self.choose(**values)
        if decisions:
            self.fix(decisions)
        if not self.parts():
            return
        if self._rolling.busy:
            # All that was chosen meanwhile is laid at once, from the first part concerned.
            if not self._late_part or PARTS.index(part) < PARTS.index(self._late_part):
                self._late_part = part
            return
        # Whether features stand in chains is seen only where the dice place them.
        self.lay_from(part, keeps_areas="chains" not in values)
        if not self._rolling.busy and not self.why_not():
            self.withdraw()  # the layer cannot be rolled, and ``Rolling`` has told the reason

    def throw_again(self, part: str) -> bool:
        """Throw the dice of a part again; what later parts have laid stays where it still can.

        The dice of that part that are fixed by hand are freed, as they would lay the same again;
        decisions stay. Return whether there were such dice. If no table can be laid so, the
        previous choices hold again.
        """
        self._note_previous_choices()
        dropped_dice = self.fixed_dice_of(part)
        if dropped_dice:
            self.fix(dict.fromkeys(dropped_dice, ""))
        self.lay_from(part, again=True)
        if not self._rolling.busy:
            self.withdraw()  # as in ``lay_with``
        return bool(dropped_dice)

    def _note_previous_choices(self) -> None:
        """Note the choices for ``withdraw``, unless those of an earlier choice are noted still."""
        if self._previous_choices is None:
            self._previous_choices = dict(self.chosen)

    def _lay_late_part(self) -> None:
        """Lay the table again with what was chosen during the roll that has just finished."""
        part = self._late_part
        roll = self._last_roll()
        self._late_part = ""
        self._previous_choices = None
        if part and roll is not None:
            self._previous_choices = _choices_of(roll)
            self.lay_from(part)

    def withdraw(self) -> None:
        """Take back the choices since the last table, as none was laid with them."""
        previous_choices = self._previous_choices
        self._previous_choices = None
        self._late_part = ""
        if previous_choices is not None:
            self.take_choices(previous_choices)

    def take_previous_choices(self) -> Mapping[str, object]:
        """Return the choices before ``lay_with``, and forget them for ``withdraw``."""
        previous_choices = self._previous_choices
        self._previous_choices = None
        if previous_choices is None:
            return dict(self.chosen)
        return previous_choices

    # --- throwing ---------------------------------------------------------------------------

    def serves_map(self) -> bool:
        """Return whether the current map is a table that dice lay."""
        return self.generator is not None

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a throw of the whole table. Raises LookupError on maps without dice.

        Fixed dice and parts that were thrown again belong to the current table: for any ``key`` but
        its own they are left out.
        """
        roll = self._current_table().roll
        if roll is not None and key == (roll.seed, roll.number):
            return self._setup(self.chosen, **self._repeats())
        return self._setup(self.choices_without_dice)

    def setup_of_step(self, key: DrawKey) -> RollSetup:
        """Return the setup of the table of a key, with the dice that it had if it was shown before.

        Raises LookupError on maps without dice.
        """
        settings = self.choices_without_dice
        dice = self._current_table().dice_by_key.get(key)
        if dice is not None:
            for name in SETTINGS_OF_DICE:
                settings.pop(name, None)
            settings.update(dice)
        return self._setup(settings)

    def asker(self) -> AsksForRoll | None:
        """Return the function that asks for the dice of a new table if they are entered by hand.

        None if the program throws them, or while they are being asked for already.
        """
        is_typed = self.choices.dice == "typed"
        if is_typed and not self.entering:
            return self._ask_for_dice
        return None

    def _ask_for_dice(self) -> None:
        self.dice_wanted.emit()

    def loading(self) -> bool:
        """Return False: tables have no script."""
        return False

    def set_entering(self, entering: bool) -> None:
        """Set whether dice are being asked for, one after the other: nothing is thrown then."""
        if entering != self.entering:
            self.entering = entering
            self.setup_changed.emit()

    def why_not(self) -> str:
        """Return the reason why the program throws no dice now, "" if it does."""
        if self.entering:
            return ENTERING
        if self.choices.dice == "typed":
            return BY_HAND
        return ""

    def _setup(self, settings: Mapping[str, object], **further_settings: object) -> RollSetup:
        """Return a setup with these settings. Raises LookupError on maps without dice."""
        generator = self.generator
        if generator is None:
            raise LookupError("dice lay no such map")

        def make_generator() -> MapGenerator:
            return generator  # it exists already: there is no script to load

        all_settings = {**settings, **further_settings}
        return RollSetup("", make_generator, all_settings, replaces=True)

    def lay_from(self, part: str, *, again: bool = False, keeps_areas: bool = True) -> None:
        """Lay a part of the page and all that follow again, with the current choices.

        All parts have the same dice as before; with ``again`` those of the first one are thrown
        anew, and the features of later parts stay in their areas where these are free. Without
        ``keeps_areas`` the dice place those, too, that stayed so before. Nothing happens where no
        table lies. Dice that are entered by hand are asked for.
        """
        parts = self.parts()
        if not parts:
            return
        if self.why_not():
            self.entry_wanted.emit()
            return
        layer = parts.get(part)
        if layer is None or layer.roll is None:
            # The part has no layer: the last one before it with one is laid, and all that follow.
            part_number = PARTS.index(part)
            parts_before = [name for name in parts if PARTS.index(name) < part_number]
            if not parts_before:
                self.take()
                return
            part = parts_before[-1]
            layer = parts[part]
        assert layer.roll is not None
        counts = self._repeats()
        if again:
            counts[f"{part}_again"] = counts.get(f"{part}_again", 0) + 1
            counts["previous_areas"] = self.areas_after(part)
        elif not keeps_areas:
            counts["previous_areas"] = ""
        key = DrawKey(layer.roll.seed, layer.roll.number)
        self._rolling.take_part(layer, key, self._setup(self.chosen, first=part, **counts))

    def _repeats(self) -> dict[str, Any]:
        """Return how often the parts of the table were thrown again: "hills_again" and so on.

        With them is ``previous_areas``, which belongs to the same throws. The roll of a part has
        the counts of itself and of the parts before it, so that those of a later layer are the
        newer ones.
        """
        counts: dict[str, Any] = {}
        for layer in self.parts().values():
            if layer.roll is None:
                continue
            for name, value in layer.roll.settings.items():
                if name.endswith("_again") or name == "previous_areas":
                    counts[name] = value
        return counts

    def take(self) -> None:
        """Lay the whole table with the dice of ``key``, in place of the current one."""
        if self.serves_map():
            self._rolling.take(self.key)

    def take_entered(
        self, settings: Mapping[str, object], change: MapChange, title: str = OWN_DICE
    ) -> None:
        """Lay a table whose dice were entered, as one undo step named ``title`` with ``change``."""
        named_change = replace(change, title=title)
        destination = replace(self._rolling.next_destination(), change=named_change)
        self._rolling.take(self.key, self._setup(settings), destination)

    @property
    def key(self) -> DrawKey:
        """The seed and number of the dice that the panel shows."""
        return self._rolling.key

    def show_part(self, part: str, visible: bool) -> None:
        """Show or hide the layer of a part, as an undo step."""
        layer = self.parts().get(part)
        if layer is None:
            return
        edit = show(self._document.battlemap, layer.id, visible)
        if edit is None:
            return
        if visible:
            self._document.push(edit, f"Show {layer.name}")
        else:
            self._document.push(edit, f"Hide {layer.name}")

    # --- the log of the dice ----------------------------------------------------------------

    def _table_rolls(self) -> tuple[TableRoll, ...]:
        """Return the rolls from which the log is worked out; () if no table lies on the map."""
        lowest = self._rolling.target()
        if lowest is None or self.generator is None:
            return ()
        return table_rolls(self._document.battlemap, lowest.id)

    def _set_log(self, log: tuple[LogEntry, ...]) -> None:
        self.log = log
        self.log_changed.emit()


def _log_of(
    rolls: tuple[TableRoll, ...], _progress: object, _cancelled: object
) -> tuple[LogEntry, ...]:
    return log_entries(rolls)


def _choices_of(roll: Roll) -> dict[str, object]:
    """Return the choices of the user among the settings of a roll."""
    return {
        name: value for name, value in roll.settings.items() if name not in SETTINGS_OF_ONE_ROLL
    }


def _decisions(values: Mapping[str, object]) -> dict[str, str]:
    """Return the decisions that ``fixed`` of these settings holds, without dice."""
    fixed = Choices.of(values).decisions()
    return {name: value for name, value in fixed.items() if not is_die(name)}


def fixed_text(fixed: Mapping[str, str]) -> str:
    """Return decisions and dice as ``read_fixed`` reads them: "hills = 2; hill 1 die = 6"."""
    return "; ".join(f"{name} = {value}" for name, value in fixed.items())
