"""The earlier rolls of the current map, through which a person steps back and forward.

    history.note_roll(layer.id, previous_roll, roll)     # it was rolled again
    history.previous_roll(layer)                         # the one that it had before
    history.following_roll(layer)                        # None: it was not stepped back

A ``Roll`` is all that is needed to roll a map again: the script or generator, settings, seed and
number. So a step brings back the map that was seen, also after other settings were chosen, and
whether a script made it or it is a variation that was taken from the gallery. Beyond the rolls that
were seen, one steps number by number through the maps of a seed.

``RollPlacement`` notes every roll that it puts into the map. ``RollSteps`` steps through them.

A roll can fail: no map of that seed and number keeps the locks, or the script has an error in it.
The map stays as it is then, so that the next step would ask for the same roll again and never come
past it. So the rolls that failed are passed over, until something is rolled or the script changes.
"""

from __future__ import annotations

from typing import NamedTuple

from app.document.document import MapDocument
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.composite import Composite
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.rolled_layers import rolled_layer

_MapName = tuple[str, DrawKey]
"""What names a rolled map: its script or generator, and its key."""


def key_of(layer: Layer) -> DrawKey:
    """Return seed and number of a rolled layer."""
    return _key_of(_roll_of(layer))


class RemovedVariation(NamedTuple):
    """The layer of a variation that a step back has taken off the map, for the step forward."""

    layer: Layer

    layer_id_below: int
    """The id of the layer above which it was."""

    grid: Grid
    """The grid of the map at that time."""

    original: Composite
    """What the layers below it showed: that of which it is a variation."""

    @classmethod
    def from_map(cls, battlemap: BattleMap, variation: Layer) -> RemovedVariation:
        """Return what is noted of a layer that is about to be taken off a map; one lies below."""
        position = battlemap.index_of(variation.id)
        layer_below = battlemap.layers[position - 1]
        return cls(variation, layer_below.id, battlemap.grid, battlemap.composite(position))

    def fits(self, battlemap: BattleMap) -> bool:
        """Return whether the layer can be put back, onto the map of which it is a variation.

        It would hide what was painted there meanwhile.
        """
        layer_ids = {layer.id for layer in battlemap.layers}
        if self.layer.id in layer_ids or self.layer_id_below not in layer_ids:
            return False
        if self.grid is not battlemap.grid:
            return False
        position = battlemap.index_of(self.layer_id_below) + 1
        return self.original.same_as(battlemap.composite(position))


class RollHistory:
    """The rolls that the rolled layers of the current map had.

    It belongs to ``Rolling``, which clears it when another map becomes current.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._rolls: dict[int, list[Roll]] = {}
        """The rolls that each layer had, by its id, in the order of steps.

        Of the rolls of one map (``_map_of``) there is the one that was seen last: it may have been
        rolled again with other settings.
        """
        self._grids: dict[tuple[int, _MapName], Grid] = {}
        """The grids that the map had with these rolls, by the id of the layer and ``_map_of``."""
        self._failed_rolls: set[_FailedRoll] = set()
        """The rolls that failed since something was rolled."""
        self.removed_variation: RemovedVariation | None = None
        """The variation that the last step back took off the map; None if others came since."""

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._rolls.clear()
        self._grids.clear()
        self._failed_rolls.clear()
        self.removed_variation = None

    def rolled_layer(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    # --- the rolls that were seen -----------------------------------------------------------

    def has_previous_roll(self, layer: Layer) -> bool:
        """Return whether a roll is noted that the layer had before its own.

        False for a roll that was read from a file.
        """
        return bool(self._rolls_before(layer))

    def previous_roll(self, layer: Layer) -> Roll | None:
        """Return the roll that the layer had before its own; None if none is noted, or all fail."""
        for roll in reversed(self._rolls_before(layer)):
            if not self._has_failed(layer, roll):
                return roll
        return None

    def following_roll(self, layer: Layer) -> Roll | None:
        """Return the roll that the layer had after its own; None if none is noted, or all fail."""
        rolls = self._rolls.get(layer.id, [])
        position = _position(rolls, _roll_of(layer))
        if position is None:
            return None
        for roll in rolls[position + 1 :]:
            if not self._has_failed(layer, roll):
                return roll
        return None

    def grid_of(self, layer: Layer, roll: Roll) -> Grid | None:
        """Return the grid that the map had with a roll of a layer, None if that is not noted."""
        return self._grids.get((layer.id, _map_of(roll)))

    def _rolls_before(self, layer: Layer) -> list[Roll]:
        """Return the rolls that the layer had before its own, the first one first."""
        rolls = self._rolls.get(layer.id, [])
        position = _position(rolls, _roll_of(layer))
        if position is None:
            return []
        return rolls[:position]

    def _has_failed(self, layer: Layer, roll: Roll) -> bool:
        return _failed_roll(layer.id, roll) in self._failed_rolls

    # --- number by number -------------------------------------------------------------------

    def previous_key(self, layer: Layer, text: str) -> DrawKey | None:
        """Return the key with the last number before the first roll that is noted.

        ``text`` is that of the script: only what failed with it is passed over. None if there is no
        number before, as before number 0.
        """
        failed_keys = self._failed_keys(layer, text)
        first_key = key_of(layer)
        rolls_before = self._rolls_before(layer)
        if rolls_before:
            first_key = _key_of(rolls_before[0])
        for number in range(first_key.number - 1, -1, -1):
            key = first_key._replace(number=number)
            if key not in failed_keys:
                return key
        return None

    def next_key(self, layer: Layer, text: str) -> DrawKey:
        """Return the key with the next number of the seed, whatever rolls are noted.

        If later numbers have failed with this text of the script, it is the one after the last of
        them. A search under locks fails after all numbers that it has tried: to begin it again
        between them would be in vain.
        """
        current_key = key_of(layer)
        last_number = current_key.number
        for key in self._failed_keys(layer, text):
            if key.seed == current_key.seed:
                last_number = max(last_number, key.number)
        return current_key._replace(number=last_number + 1)

    def _failed_keys(self, layer: Layer, text: str) -> set[DrawKey]:
        """Return the keys that failed for a layer with this text since something was rolled."""
        return {
            failed.key
            for failed in self._failed_rolls
            if failed.layer_id == layer.id and failed.text == text
        }

    # --- what happens to the map ------------------------------------------------------------

    def note_failure(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that a layer could not be rolled as ``key`` of this text of the script."""
        self._failed_rolls.add(_FailedRoll(layer_id, text, key))

    def note_grid(self, layer_id: int, roll: Roll, grid: Grid) -> None:
        """Note the grid that the map has with a roll of a layer."""
        self._grids[layer_id, _map_of(roll)] = grid

    def note_new_layer(self, layer_id: int, roll: Roll) -> None:
        """Note the roll of a new layer."""
        self._failed_rolls.clear()
        self._rolls[layer_id] = [roll]
        self.removed_variation = None

    def note_roll(
        self,
        layer_id: int,
        previous_roll: Roll,
        roll: Roll,
        *,
        requested: DrawKey | None = None,
        restored: Roll | None = None,
        is_step_back: bool = False,
    ) -> None:
        """Note that a layer has ``roll`` now, and had ``previous_roll`` until now.

        A new roll replaces all that followed on the previous one, as a new page does in a browser;
        ``is_step_back`` puts it before the previous one::

            17.3  17.4*  17.5      the layer has seed 17 no. 4 (*)
            17.3  17.4   20.0*     another one is rolled
            17.2* 17.3   17.5      from 17.3, a step back goes to a map that was not noted yet

        Under locks it can have another key than the ``requested`` one (None: it is the same): the
        search goes on from there, number by number, until a map keeps the locks. The maps between
        the two break the locks, so that their rolls are removed. For a step to a roll that is
        noted, that one is ``restored``: if another one came of it, that takes its place.
        """
        failed_rolls = self._failed_rolls.copy()
        self._failed_rolls.clear()
        rolls = self._rolls.setdefault(layer_id, [])
        # Undo and redo bring back rolls that were never noted: from there on the steps begin anew.
        # They also bring back former settings of one that is noted.
        position = _position(rolls, previous_roll)
        if position is None:
            rolls[:] = [previous_roll]
        else:
            rolls[position] = previous_roll
        key = _key_of(roll)
        if requested is not None and requested.seed == key.seed:
            _remove_broken_rolls(rolls, requested, key, kept_roll=previous_roll)

        noted_position = _position(rolls, roll)
        if noted_position is None and restored is not None:
            noted_position = _position(rolls, restored)
        if noted_position is not None:
            rolls[noted_position] = roll
            return
        position = rolls.index(previous_roll)
        if is_step_back:
            # The step has passed over noted rolls that failed: it lies before those, too.
            while position and _failed_roll(layer_id, rolls[position - 1]) in failed_rolls:
                position -= 1
            rolls.insert(position, roll)
        else:
            rolls[position + 1 :] = [roll]
            self.removed_variation = None


def _roll_of(layer: Layer) -> Roll:
    """Return the roll of a rolled layer."""
    assert layer.roll is not None
    return layer.roll


def _key_of(roll: Roll) -> DrawKey:
    return DrawKey(roll.seed, roll.number)


def _map_of(roll: Roll) -> _MapName:
    """Return which map a roll is of, with whatever settings: its script or generator, and key."""
    return roll.script_name or roll.generator, _key_of(roll)


def _position(rolls: list[Roll], roll: Roll) -> int | None:
    """Return the position of the roll of the same map, None if there is none."""
    for position, noted_roll in enumerate(rolls):
        if _map_of(noted_roll) == _map_of(roll):
            return position
    return None


def _remove_broken_rolls(
    rolls: list[Roll], requested: DrawKey, key: DrawKey, *, kept_roll: Roll
) -> None:
    """Remove the rolls of maps that break the locks: from ``requested`` on, before ``key``.

    Both have the same seed. ``kept_roll`` stays in any case.
    """
    broken_numbers = range(requested.number, key.number)
    for roll in rolls.copy():
        is_broken = roll.seed == key.seed and roll.number in broken_numbers
        if is_broken and roll != kept_roll:
            rolls.remove(roll)


class _FailedRoll(NamedTuple):
    """A roll that failed."""

    layer_id: int
    """The id of the layer that it would have replaced."""

    text: str
    """The text of the script."""

    key: DrawKey


def _failed_roll(layer_id: int, roll: Roll) -> _FailedRoll:
    """Return what is noted of a roll if it fails for a layer."""
    return _FailedRoll(layer_id, roll.script, _key_of(roll))
