"""What a command wants to roll, and how it is chosen from the map and the script as they are.

choices = RollChoices(document, next_roll)
chosen_roll = choices.next_map()             # or map_of_key(key), same_map(layer), ...
chosen_roll.request(document.battlemap)      # a ``RollRequest``, once nothing prevents the roll
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from app.document.document import MapDocument
from app.document.undo_history import MergeKey
from app.rolling.destination import AboveLayer, Destination, InPlaceOf
from app.rolling.map_change import MapChange
from app.rolling.next_roll import NextRoll
from app.rolling.roll_history import key_of
from app.rolling.roll_request import RollRequest
from app.rolling.roll_setup import RollSetup
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base

FOLLOWED_AT_S = 0.0
"""The time that all undo steps have which follow a typed text, in seconds.

Steps are merged if they are close in time. With the same time for all none is too late, however
long a person thinks between two words.
"""


class ChosenSetting(NamedTuple):
    """A setting that a person has chosen for the map on display."""

    name: str

    text: str
    """The setting and its value, as the undo step names them: "Symmetry: two-fold turn"."""


@dataclass(frozen=True)
class ChosenRoll:
    """What a command wants to roll: the fields of a ``RollRequest``, mostly without the base.

    The base shows the map as it is when the roll begins. That is later than the command if the user
    has to unlock a layer for it.
    """

    destination: Destination
    setup: RollSetup
    key: DrawKey

    verb: str = "Roll"
    """The first word of the text of the undo step."""

    step_back_from: DrawKey | None = None
    """For a step back the key of the map on display, else None."""

    restored_roll: Roll | None = None
    """For a step to a map that was seen before, its roll, else None."""

    restored_grid: Grid | None = None
    """For a step to a map that was seen on another grid than that of now, that grid, else None."""

    forced: bool = False
    """True to roll without regard to locks, and then put back what is locked."""

    base_of_recipe: Base | None = None
    """The base of a pasted recipe, with the locks of the recipe; None for that of the map."""

    def request(self, battlemap: BattleMap) -> RollRequest:
        """Return the request that rolls this onto ``battlemap``, the current map, as it is now."""
        base = self.base_of_recipe
        if base is None:
            base = self.setup.base_with_binding_locks(self.destination.base(battlemap))
        return RollRequest(
            self.setup,
            self.key,
            base,
            self.destination,
            verb=self.verb,
            step_back_from=self.step_back_from,
            restored_roll=self.restored_roll,
            restored_grid=self.restored_grid,
            forced=self.forced,
            has_base_of_recipe=self.base_of_recipe is not None,
        )


def forced_roll_of(request: RollRequest) -> ChosenRoll:
    """Return the roll of a request that failed for its locks, to be rolled without regard to them.

    It starts from the map as it is now, which may have been painted since. A recipe still rolls
    onto the base that it says itself.
    """
    base_of_recipe: Base | None = None
    if request.has_base_of_recipe:
        base_of_recipe = request.base
    return ChosenRoll(
        request.destination,
        request.setup,
        request.key,
        verb="Force",
        step_back_from=request.step_back_from,
        restored_roll=request.restored_roll,
        restored_grid=request.restored_grid,
        forced=True,
        base_of_recipe=base_of_recipe,
    )


class RollChoices:
    """The rolls that commands can choose onto the current map."""

    def __init__(self, document: MapDocument, next_roll: NextRoll) -> None:
        self._document = document
        self._next_roll = next_roll

    def next_map(self) -> ChosenRoll:
        """Return the roll of the next map, in place of the rolled layer if there is one."""
        return self.map_of_key(self._next_roll.key())

    def map_of_key(self, key: DrawKey) -> ChosenRoll:
        """Return the roll of the map with this key, where ``next_map`` would go."""
        return ChosenRoll(self._next_roll.destination(), self._next_roll.setup(key), key)

    def next_map_on_new_layer(self) -> ChosenRoll:
        """Return the roll of the next map as a new layer above the active one."""
        key = self._next_roll.key()
        destination = AboveLayer(self._document.active_layer_id)
        return ChosenRoll(destination, self._next_roll.setup(key), key)

    def same_map(
        self, layer: Layer, *, is_typed: bool, setting: ChosenSetting | None = None
    ) -> ChosenRoll:
        """Return the roll of a rolled layer's own map, from its script as it is now.

        All rolls that follow a text while it ``is_typed`` are one undo step, however long a person
        thinks between two words. Those that follow the choice of a ``setting`` are only while its
        values follow each other closely, as in a field with arrows.
        """
        key = key_of(layer)
        setup = self._next_roll.setup(key)
        destination = InPlaceOf(layer.id)
        if is_typed and setting is not None:
            merge = MergeKey(f"follow {layer.id} {setting.name}", time.monotonic())
            change = MapChange(merge=merge, title=setting.text)
            destination = InPlaceOf(layer.id, change, is_typed=True)
        elif is_typed:
            merge = MergeKey(f"follow {layer.id}", FOLLOWED_AT_S)
            change = MapChange(merge=merge, title=f"Follow {setup.script_name}")
            destination = InPlaceOf(layer.id, change, is_typed=True)
        return ChosenRoll(destination, setup, key, verb="Follow")
