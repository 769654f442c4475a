"""What ``Rolling`` rolls for a wargame table: the generator of tables, with what was chosen.

``TableSetups`` is the ``RollProvider`` of Cordery's tables (app/rolling/roll_provider.py)::

    setups.setup()                      # a new table: what was chosen, without fixed dice
    setups.setup(DrawKey(17, 3))        # with the dice that were fixed if no. 3 lies on the map
    setups.setup_of_step(DrawKey(17, 3), roll)  # as it lay, also after another table was thrown

Fixed dice, and the throws of parts that were thrown again, belong to one table (seed and number).
What else is chosen holds for all tables that are thrown later.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from app.rolling.roll_provider import AskForInput
from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.systems.cordery.laid_table import LaidTable
from app.systems.cordery.map_choices import MapChoices
from randomizer.generator import MapGenerator
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.choices import TYPED

ENTERING = "Dice are being entered in the panel Dice: enter them all, or stop entering, first."
"""The reason why nothing is thrown while dice are asked for."""

BY_HAND = (
    "The dice of this table are entered by hand. To have them thrown, choose Thrown by the program "
    "in the panel Dice."
)
"""The reason why the program throws nothing for such a table."""


class TableSetups(QObject):
    """Provides the setups of rolls for the current map, if it is a table that dice lay."""

    setup_changed = Signal()
    """The setup of a roll changed, as ``Rolling`` expects of a provider."""

    dice_wanted = Signal()
    """A new table is to be thrown, and its dice are entered by hand."""

    def __init__(self, table: LaidTable, map_choices: MapChoices, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._map_choices = map_choices
        self.entering = False
        """True while dice are being asked for; see ``set_entering``."""
        connect(map_choices.changed, self.setup_changed)

    def serves_map(self) -> bool:
        """Return whether the current map is a table that dice lay."""
        return self._table.generator is not None

    # --- setups -----------------------------------------------------------------------------

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a throw of the whole table. Raises LookupError on maps without dice.

        Fixed dice and parts that were thrown again belong to the current table: for any ``key`` but
        its own they are left out.
        """
        if key is not None and self._map_choices.are_of_table(key):
            repeats = self._table.repeats()
            return self.setup_with({**self._map_choices.values, **repeats.as_settings()})
        return self.setup_with(self._map_choices.values_without_dice)

    def setup_of_step(self, key: DrawKey, _roll: Roll | None) -> RollSetup:
        """Return the setup of the table of a key, as it lay last if it was shown before.

        Its parts can have rolls with other choices each, so that none of them tells them all.
        Raises LookupError on maps without dice.
        """
        return self.setup_with(self._map_choices.values_for_step(key))

    def setup_with(self, settings: Mapping[str, object]) -> RollSetup:
        """Return a setup with these settings. Raises LookupError on maps without dice."""
        generator = self._table.generator
        if generator is None:
            raise LookupError("dice lay no such map")

        def make_generator() -> MapGenerator:
            return generator  # it exists already: there is no script to load

        return RollSetup(
            "",
            make_generator,
            dict(settings),
            generator_name=generator.name,
            behaviour=RollBehaviour(only_replaces_layer=True),
        )

    # --- whether the program throws the dice ------------------------------------------------

    def asker(self) -> AskForInput | None:
        """Return the function that asks for the dice of a new table if they are entered by hand.

        None if the program throws them, or while they are being asked for already.
        """
        is_typed = self._map_choices.choices.dice == TYPED
        if is_typed and not self.entering:
            return self._ask_for_dice
        return None

    def _ask_for_dice(self) -> None:
        self.dice_wanted.emit()

    def set_entering(self, entering: bool) -> None:
        """Set whether ``DiceEntry`` is asking for dice; the program throws none meanwhile."""
        if entering != self.entering:
            self.entering = entering
            self.setup_changed.emit()

    def why_not(self) -> str:
        """Return the reason why the program throws no dice now, "" if it does."""
        if self.entering:
            return ENTERING
        if self._map_choices.choices.dice == TYPED:
            return BY_HAND
        return ""

    def loading(self) -> bool:
        """Return False: tables have no script."""
        return False
