"""Throws of Cordery's dice: what is chosen for each map's table, and how the table is laid.

A *table* is a map that was made by the rules of Cordery's page. The page has seven *parts*, such as
hills, water and roads; each part is laid by its own dice and becomes one layer of the map. What a
person fixes by hand is either a *decision* ("hills = 2"), which holds for all later tables, too, or
a *fixed die* ("hill 1 die = 6"), which belongs to one table.

``Throwing`` is between the dice panel and ``Rolling``, which rolls maps of all kinds. It remembers
for each open map what the user chose (``TableChoices``) and gives ``Rolling`` the setup of a roll
made of that. ``LaidTable`` reads what lies on the map, and how it came about. A typical round::

    throwing.choose(relief="hilly")     # nothing is thrown yet
    rolling.roll()                      # asks ``setup``; the table is laid
    throwing.fix({"hills": "2"})        # a decision, for this table and later ones
    throwing.lay_from("hills")          # hills and all that follows are laid again

If a person throws real dice, ``Rolling`` does not roll the table. Instead ``dice_wanted`` (for a
new table) and ``entry_wanted`` (for a changed one) make ``DiceEntry`` ask for each die.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import Enum, auto
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.roll_setup import AsksForRoll, RollSetup
from app.rolling.rolling import Rolling
from app.systems.cordery.laid_table import LaidTable
from app.systems.cordery.table_choices import (
    SETTINGS_OF_DICE,
    SETTINGS_OF_PLAYER,
    TableChoices,
    choices_of,
    decisions_without_dice,
    fixed_text,
)
from randomizer.generator import MapGenerator
from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import TYPED, Choices
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.dice.scores import read_scores
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice, read_entered_dice
from randomizer.systems.cordery.page_parts import PARTS, part_of_die

OWN_DICE = "Lay the table by your own dice"
"""The text of the undo step of a table whose dice were entered."""

THROWN_REST = "Throw the rest of the dice"
"""The text of the undo step of such a table if the program threw the last dice of it."""

ENTERING = "Dice are being entered in the panel Dice: enter them all, or stop entering, first."
"""The reason why nothing is thrown while dice are asked for."""

BY_HAND = (
    "The dice of this table are entered by hand. To have them thrown, choose Thrown by the program "
    "in the panel Dice."
)
"""The reason why the program throws nothing for such a table."""


class DiceUse(Enum):
    """Which dice lay a part of a table again, and where its features and those after it stand."""

    SAME_DICE = auto()
    """Every part has the dice that it had, and its features stand where they stood."""

    SAME_DICE_NEW_AREAS = auto()
    """Every part has the dice that it had, and they alone place the features.

    Features that stayed in their areas when an earlier part was thrown again are placed anew, too.
    """

    NEW_DICE = auto()
    """The first part is thrown again; features of later parts stay in those areas that are free."""


class LayingResult(Enum):
    """What has come of a choice that lays a table again."""

    NOTHING = auto()
    """No table is laid: none lies, or it cannot be rolled, which ``Rolling`` has told."""

    LAYING = auto()
    """The table is being laid, or will be when the roll under way has ended."""

    ASKING = auto()
    """Its dice are entered by hand: ``DiceEntry`` asks for those that are lacking."""


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
        self._last_choices = TableChoices()
        """The choices of the table that is current, or was current last."""
        self._previous_choices: dict[str, object] | None = None
        """The choices with which the table was laid, while another is laid with new choices.

        ``restore_previous_choices`` goes back to them if no table can be laid with the new ones.
        None while the table that lies has the current choices.
        """
        self._late_part = ""
        """The first part for which something was chosen while a roll was under way; "" for none."""
        self.entering = False
        """True while dice are being asked for; see ``set_entering``."""
        self.table = LaidTable(document, rolling, self)
        """The table that lies on the current map."""
        connect(rolling.layers_changed, self._on_layers)
        connect(rolling.finished, self._lay_late_part)
        connect(rolling.failed, self.restore_previous_choices)
        connect(document.map_replaced, self._on_map)
        connect(self.choices_changed, self.setup_changed)
        rolling.add_provider(self)
        self._on_layers()

    # --- the choices of the current map -----------------------------------------------------

    def _current_choices(self) -> TableChoices:
        """Return the choices of the current map; they are made when first used."""
        current = self._document.current_map
        if current not in self._choices_by_map:
            self._choices_by_map[current] = self._begin_choices()
        return self._choices_by_map[current]

    def _begin_choices(self) -> TableChoices:
        """Return the choices that a map begins with, and give ``Rolling`` the key of its roll.

        They are those of its record of entered dice, else those of its roll. A bare map begins with
        the defaults, and takes over the settings of the player from the table before it.
        """
        roll = self.table.last_roll()
        if roll is not None:
            self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))
        entered = self.entered_dice()
        if entered is not None:
            return TableChoices(dict(entered.choices), roll)
        if roll is not None:
            return TableChoices(choices_of(roll), roll)
        last_values = self._last_choices.values
        return TableChoices(
            {name: last_values[name] for name in SETTINGS_OF_PLAYER if name in last_values}
        )

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

    # --- following the map ------------------------------------------------------------------

    def _on_map(self) -> None:
        """Use the choices of the map that is current now, and work out its log."""
        self._previous_choices = None
        self._late_part = ""
        self.table.forget_log()
        self._on_layers()
        self.choices_changed.emit()

    def _on_layers(self) -> None:
        """Use the choices of a table that was laid or undone, and work out its log anew."""
        if self.serves_map():
            map_choices = self._current_choices()
            self._last_choices = map_choices
            self._follow_table(map_choices)
        self.table.renew_log()
        self.parts_changed.emit()

    def _follow_table(self, map_choices: TableChoices) -> None:
        """Set a map's choices to those of the roll that lies on it, if that roll is another one.

        The fixed dice of the roll, and how often its parts were thrown again, are noted for a step
        back to it.
        """
        roll = self.table.last_roll()
        if roll == map_choices.roll:
            return
        map_choices.roll = roll
        if roll is not None:
            key = DrawKey(roll.seed, roll.number)
            map_choices.dice_by_key[key] = self.table.repeats()
            for name in SETTINGS_OF_DICE:
                if roll.settings.get(name):
                    map_choices.dice_by_key[key][name] = roll.settings[name]
        if self._late_part:
            return  # something else was chosen meanwhile, and is laid next
        if roll is None:
            # The roll was undone. Its fixed dice were of that table only; decisions stay.
            map_choices.values["fixed"] = fixed_text(decisions_without_dice(map_choices.values))
            map_choices.values["program_dice"] = ""
        else:
            map_choices.values = choices_of(roll)
            self._rolling.key_choice.set_displayed(DrawKey(roll.seed, roll.number))
        self.choices_changed.emit()

    # --- choices ----------------------------------------------------------------------------
    # Read them as ``choices`` (a ``Choices``), ``chosen`` (by name, without defaults) or ``fixed``
    # (decisions and fixed dice only). Change them by ``choose``, ``replace_choices`` and ``fix``.

    @property
    def choices(self) -> Choices:
        """The choices for the current map."""
        return Choices.of(self.chosen)

    @property
    def chosen(self) -> Mapping[str, object]:
        """The choices for the current map by the settings' names, without defaults."""
        return self._current_choices().values

    def choose(self, **values: object) -> None:
        """Change some choices, given by the settings' names; nothing is thrown."""
        self._current_choices().values |= values
        self.choices_changed.emit()

    def replace_choices(self, values: Mapping[str, object]) -> None:
        """Replace all choices, as by those of a saved campaign square; nothing is thrown."""
        self._current_choices().values = dict(values)
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
            values["fixed"] = fixed_text(decisions_without_dice(values))
        if values.get("program_dice"):
            values["program_dice"] = ""
        values.pop("previous_areas", None)
        return values

    def fixed_without(self, names: Collection[str]) -> str:
        """Return the decisions without these, as the setting ``fixed`` holds them; no dice."""
        decisions = decisions_without_dice(self.chosen)
        return fixed_text({name: value for name, value in decisions.items() if name not in names})

    def fix(self, values: Mapping[str, str]) -> None:
        """Fix decisions or dice by name, such as {"hills": "2"}; the value "" frees one.

        Nothing is thrown.
        """
        fixed = {**self.fixed, **values}
        self.choose(fixed=fixed_text({name: value for name, value in fixed.items() if value}))

    # --- the dice of the table that lies ----------------------------------------------------

    def known_dice(self, *, except_part: str = "") -> dict[str, tuple[int, ...]]:
        """Return the scores of all known throws by name: {"hills die": (4,)}.

        Those of ``except_part``, a part of the page, are left out; "" leaves none out. The
        dice that are fixed by hand are known even if the log has no scores.
        """
        scores_by_name: dict[str, tuple[int, ...]] = {}
        for name, value in self.fixed.items():
            scores = read_scores(value)
            if is_die(name) and scores is not None:
                scores_by_name[name] = scores
        for entry in self.table.log:
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

    # --- choices for the table that lies ----------------------------------------------------

    @property
    def lays_choices_at_once(self) -> bool:
        """True if the table that lies is laid again when something is chosen.

        A table that the program threw is not laid again while dice are entered by hand: those are
        for the next table.
        """
        if not self.table.parts():
            return False
        return self.choices.dice != TYPED or self.table.is_laid_by_hand

    def lay_with(
        self, part: str, decisions: Mapping[str, str], values: Mapping[str, object]
    ) -> LayingResult:
        """Choose decisions and values of settings, and lay a part of the table and all that follow.

        "" frees a decision. If no table lies, nothing is laid. While a roll is under way this waits
        for its end. If no table can be laid so, the previous choices hold again.
        """
        if self.table.parts():
            self._note_previous_choices()
        self.choose(**values)
        if decisions:
            self.fix(decisions)
        if not self.table.parts():
            return LayingResult.NOTHING
        if self._rolling.busy:
            # All that was chosen meanwhile is laid at once, from the first part concerned.
            if not self._late_part or PARTS.index(part) < PARTS.index(self._late_part):
                self._late_part = part
            return LayingResult.LAYING
        dice_use = DiceUse.SAME_DICE
        if "chains" in values:
            # The rule of chains places features: those that stay in their areas would not show it.
            dice_use = DiceUse.SAME_DICE_NEW_AREAS
        self.lay_from(part, dice_use)
        return self._result_of_laying()

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
        self.lay_from(part, DiceUse.NEW_DICE)
        self._result_of_laying()
        return bool(dropped_dice)

    def _result_of_laying(self) -> LayingResult:
        """Return what has come of ``lay_from``; the previous choices hold again after NOTHING."""
        if self.why_not():
            return LayingResult.ASKING
        if self._rolling.busy:
            return LayingResult.LAYING
        self.restore_previous_choices()
        return LayingResult.NOTHING

    def _note_previous_choices(self) -> None:
        """Note the choices with which the table was laid, before they change.

        If several choices follow each other before the table is laid, those before the first count.
        """
        if self._previous_choices is None:
            self._previous_choices = dict(self.chosen)

    def _lay_late_part(self) -> None:
        """Lay the table again with what was chosen during the roll that has just finished."""
        part = self._late_part
        roll = self.table.last_roll()
        self._late_part = ""
        self._previous_choices = None
        if part and roll is not None:
            self._previous_choices = choices_of(roll)
            self.lay_from(part)

    def restore_previous_choices(self) -> None:
        """Go back to the choices of the last table, as none was laid with the later ones."""
        previous_choices = self._previous_choices
        self._previous_choices = None
        self._late_part = ""
        if previous_choices is not None:
            self.replace_choices(previous_choices)

    def pop_previous_choices(self) -> Mapping[str, object]:
        """Return the choices of the table that lies, and leave it to the caller to restore them."""
        previous_choices = self._previous_choices
        self._previous_choices = None
        if previous_choices is None:
            return dict(self.chosen)
        return previous_choices

    # --- what ``Rolling`` asks a provider ---------------------------------------------------

    def serves_map(self) -> bool:
        """Return whether the current map is a table that dice lay."""
        return self.table.generator is not None

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a throw of the whole table. Raises LookupError on maps without dice.

        Fixed dice and parts that were thrown again belong to the current table: for any ``key`` but
        its own they are left out.
        """
        roll = self._current_choices().roll
        if roll is not None and key == DrawKey(roll.seed, roll.number):
            return self._setup(self.chosen, **self.table.repeats())
        return self._setup(self.choices_without_dice)

    def setup_of_step(self, key: DrawKey) -> RollSetup:
        """Return the setup of the table of a key, with the dice that it had if it was shown before.

        Raises LookupError on maps without dice.
        """
        settings = self.choices_without_dice
        dice = self._current_choices().dice_by_key.get(key)
        if dice is not None:
            for name in SETTINGS_OF_DICE:
                settings.pop(name, None)
            settings.update(dice)
        return self._setup(settings)

    def asker(self) -> AsksForRoll | None:
        """Return the function that asks for the dice of a new table if they are entered by hand.

        None if the program throws them, or while they are being asked for already.
        """
        is_typed = self.choices.dice == TYPED
        if is_typed and not self.entering:
            return self._ask_for_dice
        return None

    def _ask_for_dice(self) -> None:
        self.dice_wanted.emit()

    def loading(self) -> bool:
        """Return False: tables have no script."""
        return False

    def set_entering(self, entering: bool) -> None:
        """Set whether ``DiceEntry`` is asking for dice; the program throws none meanwhile."""
        if entering != self.entering:
            self.entering = entering
            self.setup_changed.emit()

    def why_not(self) -> str:
        """Return the reason why the program throws no dice now, "" if it does."""
        if self.entering:
            return ENTERING
        if self.choices.dice == TYPED:
            return BY_HAND
        return ""

    def _setup(self, settings: Mapping[str, object], **further_settings: object) -> RollSetup:
        """Return a setup with these settings. Raises LookupError on maps without dice."""
        generator = self.table.generator
        if generator is None:
            raise LookupError("dice lay no such map")

        def make_generator() -> MapGenerator:
            return generator  # it exists already: there is no script to load

        all_settings = {**settings, **further_settings}
        return RollSetup("", make_generator, all_settings, replaces=True)

    # --- laying -----------------------------------------------------------------------------

    def lay_from(self, part: str, dice_use: DiceUse = DiceUse.SAME_DICE) -> None:
        """Lay a part of the page and all that follow again, with the current choices.

        Nothing happens where no table lies. If a person throws the dice, ``entry_wanted`` is
        emitted instead.
        """
        parts = self.table.parts()
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
                self._lay_all()
                return
            part = parts_before[-1]
            layer = parts[part]
        assert layer.roll is not None
        counts = self.table.repeats()
        match dice_use:
            case DiceUse.SAME_DICE:
                pass  # the table has these counts and areas already
            case DiceUse.SAME_DICE_NEW_AREAS:
                counts["previous_areas"] = ""
            case DiceUse.NEW_DICE:
                counts[f"{part}_again"] = counts.get(f"{part}_again", 0) + 1
                counts["previous_areas"] = self.table.areas_after(part)
        key = DrawKey(layer.roll.seed, layer.roll.number)
        self._rolling.take_part(layer, key, self._setup(self.chosen, first=part, **counts))

    def _lay_all(self) -> None:
        """Lay the whole table with the dice of ``key``, in place of the current one."""
        if self.serves_map():
            self._rolling.take(self.key)

    def lay_entered(
        self, settings: Mapping[str, object], change: MapChange, title: str = OWN_DICE
    ) -> None:
        """Lay a table whose dice were entered, as one undo step named ``title`` with ``change``."""
        destination = self._rolling.next_destination(replace(change, title=title))
        self._rolling.take(self.key, self._setup(settings), destination)

    @property
    def key(self) -> DrawKey:
        """The seed and number of the dice that the panel shows."""
        return self._rolling.key_choice.key

    def show_part(self, part: str, visible: bool) -> None:
        """Show or hide the layer of a part, as an undo step."""
        layer = self.table.parts().get(part)
        if layer is None:
            return
        edit = set_visible(self._document.battlemap, layer.id, visible=visible)
        if edit is None:
            return
        if visible:
            self._document.push(edit, f"Show {layer.name}")
        else:
            self._document.push(edit, f"Hide {layer.name}")
