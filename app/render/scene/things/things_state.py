"""The state of the things that a map shows, by which one tells whether they have changed.

Names, signs and the like are worked out from all things of a map, and kept until these change::

    state = ThingsState(battlemap)
    if state != state_of_names:
        names = names_of(battlemap)
        state_of_names = state
"""

from __future__ import annotations

from randomizer.model.map.battlemap import BattleMap


class ThingsState:
    """The things on the visible layers of a map, as they are when this object is made.

    Two states are equal if nothing has happened to the things between them. Then they have the same
    ``Things`` objects at the same revisions; the things themselves, perhaps a million, are not
    compared. A state keeps its objects alive, so that no other ones can be taken for them.
    """

    def __init__(self, battlemap: BattleMap) -> None:
        layers = [layer for layer in battlemap.layers if layer.visible and layer.things]
        self._things = tuple(layer.things for layer in layers)
        """Those of each visible layer that has any, from the bottom up."""
        self._revisions = tuple(things.revision for things in self._things)
        """The revision of each of them at this time."""

    @property
    def has_things(self) -> bool:
        """True if the map shows any thing."""
        return bool(self._things)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ThingsState):
            return NotImplemented
        if self._revisions != other._revisions:
            return False
        pairs = zip(self._things, other._things, strict=True)
        return all(things is other_things for things, other_things in pairs)
