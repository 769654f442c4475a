"""Lays the table of the current map by dice: ``Throwing``.

A *table* is a map that was made by the rules of Cordery's page. The page has seven *parts*, such as
hills, water and roads; each part has its own dice, and becomes one layer of the map. To *lay* a
table is to roll these layers; it *lies* on the map then. What a person fixes by hand is either a
*decision* ("hills = 2"), which holds for all later tables, too, or a *fixed die* ("hill 1 die =
6"), which belongs to one table.

``Throwing`` owns four objects about the current map::

    table           what lies on it, and how that came about     ``LaidTable``
    map_choices     what is chosen for it                        ``MapChoices``
    entry_record    dice that were entered and are not laid yet  ``EntryRecord``
    setups          what ``Rolling`` rolls for a new table       ``TableSetups``

These are the ways to lay a table::

    rolling.roll()                          a new table
    throwing.lay_with("hills", values=...)  the same dice with another choice: hills and all after
    throwing.throw_again("hills")           new dice for hills; what comes after follows
    throwing.lay_entered(settings, ...)     the dice that a person has entered (``DiceEntry``)

If a person throws real dice, none but the last lays a table. Instead ``setups.dice_wanted`` (for a
new table) and ``entry_wanted`` (for a changed one) make ``DiceEntry`` ask for each die.

``lay_with`` and ``throw_again`` change the choices first. They hold if the table can be laid with
them; if not, those before hold again. What is known of that meanwhile is a ``_Change``::

    no change --lay_with------------------------> rolling --laid--> no change
    another roll is under way --lay_with--------> waiting for its end --laid--> rolling
    rolling, waiting --no table can be laid-----> no change; the previous choices hold again
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.map_change import MapChange
from app.rolling.rolling import Rolling
from app.systems.cordery.entry_record import EntryRecord
from app.systems.cordery.laid_table import LaidTable
from app.systems.cordery.map_choices import MapChoices
from app.systems.cordery.table_choices import FIRST, choices_of
from app.systems.cordery.table_setups import TableSetups
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import TYPED
from randomizer.systems.cordery.page_parts import PARTS

OWN_DICE = "Lay the table by your own dice"
"""The text of the undo step of a table whose dice were entered."""

THROWN_REST = "Throw the rest of the dice"
"""The text of the undo step of such a table if the program threw the last dice of it."""

NONE_CHOSEN: Mapping[str, Any] = MappingProxyType({})
"""Stands for no decisions, or no values of settings."""

CHAINS = "chains"
"""The setting whether features may stand in chains."""


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


class PartThrow(NamedTuple):
    """What has come of throwing a part again."""

    is_laying: bool
    """True if the table is being laid; False if it cannot be, which ``Rolling`` has told."""

    drops_dice: bool
    """True if dice of the part that were fixed by hand are freed for that."""


@dataclass(frozen=True)
class _Rolling:
    """The roll under way lays the table with the new choices."""

    previous_choices: Mapping[str, object]
    """The choices of the table that lies."""


@dataclass(frozen=True)
class _WaitingForRoll:
    """A roll is under way; when it ends the table is laid with the new choices."""

    previous_choices: Mapping[str, object]
    """The choices of the table that lies."""

    part: str
    """The first part that one of the choices concerns."""

    dice_use: DiceUse
    """Not NEW_DICE: no part is thrown again while a roll is under way."""

    def with_further_choice(self, part: str, dice_use: DiceUse) -> _WaitingForRoll:
        """Return this with one more choice, which concerns the table from a part on."""
        first_part = min(part, self.part, key=PARTS.index)
        if DiceUse.SAME_DICE_NEW_AREAS in (dice_use, self.dice_use):
            dice_use = DiceUse.SAME_DICE_NEW_AREAS
        return replace(self, part=first_part, dice_use=dice_use)


_Change = _Rolling | _WaitingForRoll
"""New choices with which the table that lies was not laid yet."""


class Throwing(QObject):
    """Lays the table of the current map, and lays it again with other choices."""

    parts_changed = Signal()
    """The layers of the table changed."""

    entry_wanted = Signal(object)
    """The table is to be laid again with new choices, and its dice are entered by hand.

    The argument are the choices with which it was laid, a Mapping of values by name: they hold
    again if the dice are not entered.
    """

    choices_laid = Signal()
    """A roll with new choices has ended, and no other follows it.

    The table has all that was chosen, unless what was chosen last needs dice that are asked for
    now, or cannot be rolled, which ``Rolling`` has told.
    """

    def __init__(self, document: MapDocument, rolling: Rolling, parent: QObject) -> None:
        super().__init__(parent)
        self._rolling = rolling
        self._change: _Change | None = None
        """The new choices with which the table is being laid; None while it has the current ones.

        If several choices follow each other, ``previous_choices`` are those before the first.
        """
        self.table = LaidTable(document, rolling, self)
        """The table that lies on the current map."""
        self.entry_record = EntryRecord(document, self)
        """The dice that were entered for a table of the current map which is not laid yet."""
        self.map_choices = MapChoices(document, rolling, self.table, self.entry_record, self)
        """The choices for the table of the current map."""
        self.setups = TableSetups(self.table, self.map_choices, self)
        """The setups that ``Rolling`` rolls."""
        connect(rolling.layers_changed, self._on_layers)
        connect(rolling.finished, self._on_laid)
        connect(rolling.failed, self._restore_previous_choices)
        connect(document.map_replaced, self._on_map)
        rolling.add_provider(self.setups)
        self.map_choices.show_key_of_new_map()
        self._on_layers()

    # --- following the map ------------------------------------------------------------------

    def _on_map(self) -> None:
        """Use the choices of the map that is current now, and work out its log."""
        self._change = None
        self.table.forget_log()
        self._on_layers()
        self.map_choices.on_map_replaced()

    def _on_layers(self) -> None:
        """Use the choices of a table that was laid or undone, and work out its log anew."""
        if self.setups.serves_map():
            if isinstance(self._change, _WaitingForRoll):
                # This table is laid again at once, with what is chosen already.
                self.map_choices.note_table()
            else:
                self.map_choices.adopt_table()
        self.table.renew_log()
        self.parts_changed.emit()

    @property
    def key(self) -> DrawKey:
        """The seed and number of the dice that the panel shows."""
        return self._rolling.key_choice.key

    # --- lay it again with other choices, or other dice -------------------------------------

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

        Both are given by name; "" frees a decision. If no table lies, they are chosen for the next
        one. While a roll is under way the table is laid after it. If no table can be laid so, the
        previous choices hold again.
        """
        previous_choices = self._previous_choices()
        self.map_choices.choose(**values)
        if decisions:
            self.map_choices.fix(decisions)
        if not self.table.parts():
            return LayingResult.NOTHING
        dice_use = DiceUse.SAME_DICE
        if CHAINS in values:
            # The rule of chains places features: those that stay in their areas would not show it.
            dice_use = DiceUse.SAME_DICE_NEW_AREAS
        if self._rolling.busy:
            self._lay_after_roll(part, dice_use, previous_choices)
            return LayingResult.LAYING
        return self._lay_or_restore(part, dice_use, previous_choices)

    def throw_again(self, part: str) -> PartThrow:
        """Throw the dice of a part again; what later parts have laid stays where it still can.

        The dice of that part that are fixed by hand are freed, as they would lay the same again;
        decisions stay. If no table can be laid so, the previous choices hold again. No roll may be
        under way.
        """
        previous_choices = self._previous_choices()
        dropped_dice = self.map_choices.fixed_dice_of(part)
        if dropped_dice:
            self.map_choices.fix(dict.fromkeys(dropped_dice, ""))
        result = self._lay_or_restore(part, DiceUse.NEW_DICE, previous_choices)
        return PartThrow(result is LayingResult.LAYING, drops_dice=bool(dropped_dice))

    def _previous_choices(self) -> Mapping[str, object]:
        """Return the choices of the table that lies, which are about to be changed, or were so."""
        if self._change is not None:
            return self._change.previous_choices
        return dict(self.map_choices.values)

    def _lay_after_roll(
        self, part: str, dice_use: DiceUse, previous_choices: Mapping[str, object]
    ) -> None:
        """Lay the table with the new choices when the roll under way has ended.

        All that is chosen meanwhile is laid at once, from the first part concerned.
        """
        if isinstance(self._change, _WaitingForRoll):
            self._change = self._change.with_further_choice(part, dice_use)
        else:
            self._change = _WaitingForRoll(previous_choices, part, dice_use)

    def _lay_or_restore(
        self, part: str, dice_use: DiceUse, previous_choices: Mapping[str, object]
    ) -> LayingResult:
        """Lay the table with the new choices; if none can be laid, restore the previous ones.

        If a person throws the dice, ``entry_wanted`` is emitted instead: they are restored by
        ``DiceEntry`` if the dice are not entered.
        """
        if self.setups.why_not():
            self._change = None
            self.entry_wanted.emit(previous_choices)
            return LayingResult.ASKING
        # Before the roll begins: it can fail at once, and then restores the choices.
        self._change = _Rolling(previous_choices)
        self._roll_from(part, dice_use)
        if self._rolling.busy:
            return LayingResult.LAYING
        self._restore_previous_choices()  # ``Rolling`` has told why it rolls nothing
        return LayingResult.NOTHING

    def _on_laid(self) -> None:
        """The table has the new choices; lay it again if more was chosen during that roll."""
        change = self._change
        roll = self.table.last_roll()
        self._change = None
        if isinstance(change, _WaitingForRoll) and roll is not None:
            self._lay_or_restore(change.part, change.dice_use, choices_of(roll))
        is_laid_again = self._rolling.busy
        if change is not None and not is_laid_again:
            self.choices_laid.emit()

    def _restore_previous_choices(self) -> None:
        """Go back to the choices of the last table, as none was laid with the later ones."""
        change = self._change
        self._change = None
        if change is not None:
            self.map_choices.replace(change.previous_choices)

    # --- the rolls --------------------------------------------------------------------------

    def _roll_from(self, part: str, dice_use: DiceUse) -> None:
        """Roll a part of the table and all that follow again, with the current choices."""
        part_and_layer = self._last_part_with_layer(part)
        if part_and_layer is None:
            self._rolling.roll_chosen(self.key)  # the whole table, by the dice of its key
            return
        first_part, layer = part_and_layer
        assert layer.roll is not None
        repeats = self.table.repeats()
        match dice_use:
            case DiceUse.SAME_DICE:
                pass  # the table has these throws and areas already
            case DiceUse.SAME_DICE_NEW_AREAS:
                repeats = replace(repeats, previous_areas="")
            case DiceUse.NEW_DICE:
                areas = self.table.previous_areas_for(first_part)
                repeats = repeats.with_part_again(first_part, areas)
        settings = {
            **self.map_choices.values,
            FIRST: first_part,
            **repeats.as_settings(),
        }
        key = DrawKey(layer.roll.seed, layer.roll.number)
        self._rolling.roll_part(layer, key, self.setups.setup_with(settings))

    def _last_part_with_layer(self, part: str) -> tuple[str, Layer] | None:
        """Return a part with its layer, or the last part before it that has one; None if none has.

        A part without a layer has laid nothing: it is laid with the one before it.
        """
        layers = self.table.parts()
        for name in reversed(PARTS[: PARTS.index(part) + 1]):
            layer = layers.get(name)
            if layer is not None and layer.roll is not None:
                return name, layer
        return None

    def lay_entered(
        self, settings: Mapping[str, object], change: MapChange, title: str = OWN_DICE
    ) -> None:
        """Lay a table whose dice were entered, as one undo step named ``title`` with ``change``."""
        destination = self._rolling.next_roll.destination(replace(change, title=title))
        self._rolling.roll_chosen(self.key, self.setups.setup_with(settings), destination)
