"""Throws of Cordery's dice: how a table is laid from what was chosen for its map.

A *table* is a map that was made by the rules of Cordery's page. The page has seven *parts*, such as
hills, water and roads; each part is laid by its own dice and becomes one layer of the map. What a
person fixes by hand is either a *decision* ("hills = 2"), which holds for all later tables, too, or
a *fixed die* ("hill 1 die = 6"), which belongs to one table.

``Throwing`` is between the dice panel and ``Rolling``, which rolls maps of all kinds. Three objects
of it know the current map: ``MapChoices`` what is chosen for it, ``LaidTable`` what lies on it and
how that came about, ``EntryRecord`` the dice that were entered for it and are not laid yet. These
are the ways to lay a table::

    rolling.roll()                          a new table; it asks ``setup`` for the choices
    throwing.lay_with("hills", values=...)  the same dice with another choice: hills and all after
    throwing.throw_again("hills")           new dice for hills; what comes after follows
    throwing.lay_entered(settings, ...)     the dice that a person has entered (``DiceEntry``)

If a person throws real dice, none but the last lays a table. Instead ``dice_wanted`` (for a new
table) and ``entry_wanted`` (for a changed one) make ``DiceEntry`` ask for each die.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.roll_provider import AskForInput
from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.rolling.rolling import Rolling
from app.systems.cordery.entry_record import EntryRecord
from app.systems.cordery.laid_table import LaidTable
from app.systems.cordery.map_choices import MapChoices
from app.systems.cordery.table_choices import choices_of
from randomizer.generator import MapGenerator
from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.dice.scores import read_scores
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


NONE_CHOSEN: Mapping[str, Any] = MappingProxyType({})
"""Stands for no decisions, or no values of settings."""


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


@dataclass(frozen=True)
class _WaitingLaying:
    """The table is to be laid again with newer choices, once the roll under way has ended."""

    part: str
    """The first part that one of the choices concerns."""

    dice_use: DiceUse

    def joined_with(self, part: str, dice_use: DiceUse) -> _WaitingLaying:
        """Return one laying for this and a further choice, which concerns the table from a part."""
        first_part = min(part, self.part, key=PARTS.index)
        if self.dice_use is not DiceUse.SAME_DICE:
            dice_use = self.dice_use
        return _WaitingLaying(first_part, dice_use)


@dataclass
class _NewChoices:
    """Choices with which the table that lies was not laid yet.

    It exists from the first such choice until the table is laid with it, or the choice is given up.
    """

    previous_choices: Mapping[str, object]
    """The choices of the table that lies: they hold again if none can be laid with the new ones.

    If several choices follow each other before the table is laid, those before the first count.
    """

    waiting: _WaitingLaying | None = None
    """What is laid after the roll under way; None if that roll itself has the new choices."""


class Throwing(QObject):
    """Lays Cordery's tables, and provides their setups for ``Rolling``.

    Each open map has its own choices. Dice that are fixed hold for the table (seed and number) in
    which they were fixed, decisions for all that are thrown after it.
    """

    setup_changed = Signal()
    """The setup of a roll changed, as ``Rolling`` expects of a provider."""

    parts_changed = Signal()
    """The layers of the table changed."""

    entry_wanted = Signal(object)
    """The table is to be laid again with new choices, and its dice are entered by hand.

    The argument are the choices with which it was laid, a Mapping of values by name: they hold
    again if the dice are not entered.
    """

    dice_wanted = Signal()
    """A new table is to be thrown, and its dice are entered by hand."""

    def __init__(self, document: MapDocument, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self.entering = False
        """True while dice are being asked for; see ``set_entering``."""
        self._new_choices: _NewChoices | None = None
        """The choices with which the table is being laid; None while it has the current ones."""
        self.table = LaidTable(document, rolling, self)
        """The table that lies on the current map."""
        self.entry_record = EntryRecord(document, self)
        """The dice that were entered for a table of the current map which is not laid yet."""
        self.map_choices = MapChoices(document, rolling, self.table, self.entry_record, self)
        """The choices for the table of the current map."""
        connect(rolling.layers_changed, self._on_layers)
        connect(rolling.finished, self._on_laid)
        connect(rolling.failed, self._restore_previous_choices)
        connect(document.map_replaced, self._on_map)
        connect(self.map_choices.changed, self.setup_changed)
        rolling.add_provider(self)
        self._on_layers()

    # --- following the map ------------------------------------------------------------------

    def _on_map(self) -> None:
        """Use the choices of the map that is current now, and work out its log."""
        self._new_choices = None
        self.table.forget_log()
        self._on_layers()
        self.map_choices.tell_other_map()

    def _on_layers(self) -> None:
        """Use the choices of a table that was laid or undone, and work out its log anew."""
        if self.serves_map():
            new_choices = self._new_choices
            is_laid_again = new_choices is not None and new_choices.waiting is not None
            self.map_choices.follow_table(keeps_values=is_laid_again)
        self.table.renew_log()
        self.parts_changed.emit()

    # --- the dice of the table that lies ----------------------------------------------------

    def known_dice(self, *, except_part: str = "") -> dict[str, tuple[int, ...]]:
        """Return the scores of all known throws by name: {"hills die": (4,)}.

        Those of ``except_part``, a part of the page, are left out; "" leaves none out. The
        dice that are fixed by hand are known even if the log has no scores.
        """
        scores_by_name: dict[str, tuple[int, ...]] = {}
        for name, value in self.map_choices.fixed.items():
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

    # --- new choices for the table that lies ------------------------------------------------

    @property
    def lays_choices_at_once(self) -> bool:
        """True if the table that lies is laid again when something is chosen.

        A table that the program threw is not laid again while dice are entered by hand: those are
        for the next table.
        """
        if not self.table.parts():
            return False
        return self.map_choices.choices.dice != TYPED or self.table.is_laid_by_hand

    def lay_with(
        self,
        part: str,
        *,
        decisions: Mapping[str, str] = NONE_CHOSEN,
        values: Mapping[str, object] = NONE_CHOSEN,
    ) -> LayingResult:
        """Choose decisions and values of settings, and lay a part of the table and all that follow.

        Both are given by name; "" frees a decision. If no table lies, nothing is laid. While a roll
        is under way this waits for its end. If no table can be laid so, the previous choices hold
        again.
        """
        has_table = bool(self.table.parts())
        if has_table:
            self._note_previous_choices()
        self.map_choices.choose(**values)
        if decisions:
            self.map_choices.fix(decisions)
        if not has_table:
            return LayingResult.NOTHING
        dice_use = DiceUse.SAME_DICE
        if "chains" in values:
            # The rule of chains places features: those that stay in their areas would not show it.
            dice_use = DiceUse.SAME_DICE_NEW_AREAS
        if self._rolling.busy:
            self._lay_after_roll(part, dice_use)
            return LayingResult.LAYING
        return self._lay_or_restore(part, dice_use)

    def throw_again(self, part: str) -> bool:
        """Throw the dice of a part again; what later parts have laid stays where it still can.

        The dice of that part that are fixed by hand are freed, as they would lay the same again;
        decisions stay. Return whether there were such dice. If no table can be laid so, the
        previous choices hold again.
        """
        self._note_previous_choices()
        dropped_dice = self.map_choices.fixed_dice_of(part)
        if dropped_dice:
            self.map_choices.fix(dict.fromkeys(dropped_dice, ""))
        self._lay_or_restore(part, DiceUse.NEW_DICE)
        return bool(dropped_dice)

    def _note_previous_choices(self) -> None:
        """Note the choices with which the table was laid, before they change."""
        if self._new_choices is None:
            self._new_choices = _NewChoices(dict(self.map_choices.values))

    def _lay_after_roll(self, part: str, dice_use: DiceUse) -> None:
        """Lay the table with the new choices when the roll under way has ended.

        All that is chosen meanwhile is laid at once, from the first part concerned.
        """
        assert self._new_choices is not None
        waiting = _WaitingLaying(part, dice_use)
        if self._new_choices.waiting is not None:
            waiting = self._new_choices.waiting.joined_with(part, dice_use)
        self._new_choices.waiting = waiting

    def _lay_or_restore(self, part: str, dice_use: DiceUse) -> LayingResult:
        """Lay the table with the new choices; if none can be laid, restore the previous ones."""
        result = self._lay_from(part, dice_use)
        if result is LayingResult.NOTHING:
            self._restore_previous_choices()
        return result

    def _on_laid(self) -> None:
        """The table has the new choices; lay it again if more was chosen during that roll."""
        new_choices = self._new_choices
        roll = self.table.last_roll()
        self._new_choices = None
        if new_choices is not None and new_choices.waiting is not None and roll is not None:
            waiting = new_choices.waiting
            self._new_choices = _NewChoices(choices_of(roll))
            self._lay_or_restore(waiting.part, waiting.dice_use)

    def _restore_previous_choices(self) -> None:
        """Go back to the choices of the last table, as none was laid with the later ones."""
        new_choices = self._new_choices
        self._new_choices = None
        if new_choices is not None:
            self.map_choices.replace(new_choices.previous_choices)

    # --- laying -----------------------------------------------------------------------------

    def _lay_from(self, part: str, dice_use: DiceUse) -> LayingResult:
        """Lay a part of the page and all that follow again, with the current choices.

        If a person throws the dice, ``entry_wanted`` is emitted instead.
        """
        parts = self.table.parts()
        if not parts:
            return LayingResult.NOTHING
        if self.why_not():
            self._want_entry()
            return LayingResult.ASKING
        layer = parts.get(part)
        if layer is None or layer.roll is None:
            # The part has no layer: the last one before it with one is laid, and all that follow.
            part_number = PARTS.index(part)
            parts_before = [name for name in parts if PARTS.index(name) < part_number]
            if not parts_before:
                self._rolling.roll_chosen(self.key)  # the whole table, by the dice of its key
                return self._result_of_request()
            part = parts_before[-1]
            layer = parts[part]
        assert layer.roll is not None
        repeat_settings = self.table.repeats()
        match dice_use:
            case DiceUse.SAME_DICE:
                pass  # the table has these counts and areas already
            case DiceUse.SAME_DICE_NEW_AREAS:
                repeat_settings["previous_areas"] = ""
            case DiceUse.NEW_DICE:
                count = repeat_settings.get(f"{part}_again", 0)
                repeat_settings[f"{part}_again"] = count + 1
                repeat_settings["previous_areas"] = self.table.previous_areas_for(part)
        key = DrawKey(layer.roll.seed, layer.roll.number)
        setup = self._setup(self.map_choices.values, first=part, **repeat_settings)
        self._rolling.roll_part(layer, key, setup)
        return self._result_of_request()

    def _want_entry(self) -> None:
        """Let the dice of the table be entered; ``DiceEntry`` has the previous choices then."""
        previous_choices: Mapping[str, object] = dict(self.map_choices.values)
        if self._new_choices is not None:
            previous_choices = self._new_choices.previous_choices
        self._new_choices = None
        self.entry_wanted.emit(previous_choices)

    def _result_of_request(self) -> LayingResult:
        """Return whether ``Rolling`` rolls what it was just asked for; else it has told why not."""
        if self._rolling.busy:
            return LayingResult.LAYING
        return LayingResult.NOTHING

    def lay_entered(
        self, settings: Mapping[str, object], change: MapChange, title: str = OWN_DICE
    ) -> None:
        """Lay a table whose dice were entered, as one undo step named ``title`` with ``change``."""
        destination = self._rolling.next_roll.destination(replace(change, title=title))
        self._rolling.roll_chosen(self.key, self._setup(settings), destination)

    @property
    def key(self) -> DrawKey:
        """The seed and number of the dice that the panel shows."""
        return self._rolling.key_choice.key

    # --- what ``Rolling`` asks a provider ---------------------------------------------------

    def serves_map(self) -> bool:
        """Return whether the current map is a table that dice lay."""
        return self.table.generator is not None

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a throw of the whole table. Raises LookupError on maps without dice.

        Fixed dice and parts that were thrown again belong to the current table: for any ``key`` but
        its own they are left out.
        """
        if key is not None and self.map_choices.are_of_table(key):
            return self._setup(self.map_choices.values, **self.table.repeats())
        return self._setup(self.map_choices.values_without_dice)

    def setup_of_step(self, key: DrawKey) -> RollSetup:
        """Return the setup of the table of a key, with the dice that it had if it was shown before.

        Raises LookupError on maps without dice.
        """
        return self._setup(self.map_choices.values_for_step(key))

    def asker(self) -> AskForInput | None:
        """Return the function that asks for the dice of a new table if they are entered by hand.

        None if the program throws them, or while they are being asked for already.
        """
        is_typed = self.map_choices.choices.dice == TYPED
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
        if self.map_choices.choices.dice == TYPED:
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
        return RollSetup(
            "",
            make_generator,
            all_settings,
            generator_name=generator.name,
            behaviour=RollBehaviour(only_replaces_layer=True),
        )

    # --- its layers ---------------------------------------------------------------------------

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
