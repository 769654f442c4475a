"""``FinishedRoll``: a request for a roll, with the map that came of it."""

from __future__ import annotations

from typing import NamedTuple

from app.document.undo_history import RollKeys
from app.rolling.roll_request import RollRequest
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import roll_name
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import new_map


class FinishedRoll(NamedTuple):
    """A request with its result; ``RollPlacement`` puts it into the map."""

    request: RollRequest

    generated: Generated
    """The result."""

    displayed_key: DrawKey
    """The seed and number on display before the roll, for undo."""

    opens_map: bool = False
    """True if it is opened as a new map although it was rolled for the current one."""

    @property
    def key(self) -> DrawKey:
        """Seed and number of the map that was rolled."""
        return DrawKey(self.request.key.seed, self.generated.number)

    @property
    def name(self) -> str:
        """The name of the roll, such as "Swamp, seed 17 no. 3"."""
        return roll_name(self.generated.layers[0])

    @property
    def keys(self) -> RollKeys:
        """Seed and number for undo and for redo of the roll; the undo step stores them."""
        return RollKeys(self.displayed_key, self.key)

    def as_map(self) -> BattleMap:
        """Return the roll as a map of its own."""
        base = self.request.base
        return new_map(base.system, base.grid, base.terrain_set, self.generated, base.assets)
