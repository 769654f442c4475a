"""The steps to the maps before and after the one on display: ``RollSteps``.

    steps = rolling.steps
    steps.why_not_back()       # "There is no roll before this one."
    steps.earlier_map()        # a ``ChosenRoll``, which ``Rolling`` carries out

A step goes to the first of these that there is::

    back                                          forward
    the roll that the layer had before            the roll that the layer had after this one
    the map without the variation that lies on it the variation that a step back took off the map
    the number before                             the next number

Rolls that the layer had (``RollHistory``) are rolled as they were, whatever was chosen since. By
number one steps through the maps of the script shown, with the settings of now.
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.document.undo_history import RollKeys
from app.rolling.chosen_roll import ChosenRoll
from app.rolling.destination import InPlaceOf
from app.rolling.next_roll import NextRoll
from app.rolling.roll_history import RemovedVariation, RollHistory, key_of
from app.rolling.roll_setup import RollSetup
from app.rolling.variations import is_variation, setup_of_variation
from randomizer.model.edits.layer_edits import remove
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey

NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."
NO_LATER_VARIATION = "Nothing was rolled after this variation: Map > Variations offers others."


class RollSteps:
    """Works out the steps to the maps before and after the one on display."""

    def __init__(self, document: MapDocument, next_roll: NextRoll, history: RollHistory) -> None:
        self._document = document
        self._next_roll = next_roll
        self._history = history

    # --- back -------------------------------------------------------------------------------

    def why_not_back(self) -> str:
        """Return why one cannot step back to an earlier map, as text; "" if one can."""
        if self.variation_to_remove() is not None:
            return ""
        layer = self._next_roll.target()
        if layer is not None and self._is_of_variation(self._history.previous_roll(layer)):
            return ""
        why = self._next_roll.why_not()
        if why:
            return why
        if layer is None:
            return NO_EARLIER
        if self._history.previous_roll(layer) is not None:
            return ""
        if self._is_of_variation(layer.roll):
            return NO_EARLIER
        if self._history.previous_key(layer, self._next_roll.setup().text) is None:
            return NO_EARLIER
        return ""

    def earlier_map(self) -> ChosenRoll | None:
        """Return the roll of the map that the rolled layer showed before, or of the number before.

        None if no layer is rolled, if no map comes before it, or if ``variation_to_remove`` is what
        the step takes away.
        """
        layer = self._next_roll.target()
        if layer is None:
            return None
        previous_roll = self._history.previous_roll(layer)
        if previous_roll is not None:
            key = DrawKey(previous_roll.seed, previous_roll.number)
        elif self._is_of_variation(layer.roll):
            return None
        else:
            number_before = self._history.previous_key(layer, self._next_roll.setup().text)
            if number_before is None:
                return None
            key = number_before
        return ChosenRoll(
            InPlaceOf(layer.id),
            self._setup_of_step(key, previous_roll),
            key,
            verb="Step back to",
            step_back_from=key_of(layer),
            restored_roll=previous_roll,
            restored_grid=self._restored_grid(layer, previous_roll),
        )

    def variation_to_remove(self) -> Layer | None:
        """Return the layer of the variation that a step back takes off the map, None for none."""
        layer = self._next_roll.target()
        if layer is None or not self._is_of_variation(layer.roll):
            return None
        is_lowest = self._document.battlemap.index_of(layer.id) == 0
        if is_lowest or self._history.previous_roll(layer) is not None:
            return None
        return layer

    def remove_variation(self, variation: Layer) -> None:
        """Take the layer of a variation off the map: one undo step.

        If the layer is locked, the document tells why it stays.
        """
        document = self._document
        battlemap = document.battlemap
        removed = RemovedVariation.from_map(battlemap, variation)
        layer_below = battlemap.layer(removed.layer_id_below)
        keys: RollKeys | None = None
        if layer_below.roll is not None:
            keys = RollKeys(key_of(variation), key_of(layer_below))
        title = f"Step back from {variation.name}"
        edit = remove(battlemap, variation.id)
        # Before the push, which tells the commands that a step forward may be possible now.
        self._history.removed_variation = removed
        if not document.push(edit, title, active=layer_below.id, roll_keys=keys):
            self._history.removed_variation = None

    # --- forward ----------------------------------------------------------------------------

    def why_not_forward(self) -> str:
        """Return why one cannot step forward to the next map, as text; "" if one can."""
        layer = self._next_roll.target()
        following_roll: Roll | None = None
        if layer is not None:
            following_roll = self._history.following_roll(layer)
        if self._is_of_variation(following_roll) or self.variation_to_restore() is not None:
            return ""
        if layer is not None and following_roll is None and self._is_of_variation(layer.roll):
            return NO_LATER_VARIATION
        why = self._next_roll.why_not()
        if why:
            return why
        if layer is None:
            return NO_ROLL
        return ""

    def later_map(self) -> ChosenRoll | None:
        """Return the roll of the map that the rolled layer showed after this one, or of the next.

        None if no layer is rolled, if nothing was rolled after a variation, or if
        ``variation_to_restore`` is what the step brings back.
        """
        layer = self._next_roll.target()
        if layer is None:
            return None
        following_roll = self._history.following_roll(layer)
        if following_roll is not None:
            key = DrawKey(following_roll.seed, following_roll.number)
        elif self._is_of_variation(layer.roll) or self.variation_to_restore() is not None:
            return None
        else:
            key = self._history.next_key(layer, self._next_roll.setup().text)
        return ChosenRoll(
            InPlaceOf(layer.id),
            self._setup_of_step(key, following_roll),
            key,
            verb="Step on to",
            restored_roll=following_roll,
            restored_grid=self._restored_grid(layer, following_roll),
        )

    def variation_to_restore(self) -> RemovedVariation | None:
        """Return the variation that a step forward brings back, None for none."""
        removed = self._history.removed_variation
        if removed is None or not removed.fits(self._document.battlemap):
            return None
        layer = self._next_roll.target()
        if layer is not None and self._history.following_roll(layer) is not None:
            return None
        return removed

    def restore_variation(self, removed: RemovedVariation) -> None:
        """Put a variation back into the map that a step back took off it: one undo step."""
        document = self._document
        battlemap = document.battlemap
        position = battlemap.index_of(removed.layer_id_below) + 1
        layer_below = battlemap.layer(removed.layer_id_below)
        keys: RollKeys | None = None
        if layer_below.roll is not None:
            keys = RollKeys(key_of(layer_below), key_of(removed.layer))
        title = f"Step on to {removed.layer.name}"
        edit = LayerInsert(position, removed.layer)
        document.push(edit, title, active=removed.layer.id, roll_keys=keys)

    # --- both -------------------------------------------------------------------------------

    def _is_of_variation(self, roll: Roll | None) -> bool:
        """Return whether a roll is that of a variation; False for None."""
        return roll is not None and is_variation(self._document.battlemap.system, roll)

    def _restored_grid(self, layer: Layer, roll: Roll | None) -> Grid | None:
        """Return the grid that the map had with ``roll`` if it has another one now, else None."""
        if roll is None:
            return None
        grid = self._history.grid_of(layer, roll)
        if grid is None or grid.same_as(self._document.battlemap.grid):
            return None
        return grid

    def _setup_of_step(self, key: DrawKey, roll: Roll | None) -> RollSetup:
        """Return the setup of a step to a map; ``roll`` is None if that was not seen yet."""
        if roll is not None and self._is_of_variation(roll):
            return setup_of_variation(self._document.battlemap.system, roll)
        return self._next_roll.provider().setup_of_step(key, roll)
