"""The entries of a unit's state (``Thing.state``)."""

from __future__ import annotations

from randomizer.model.thing_state import NO_STATE, State

HP = "hp"
"""Hit points that are left; absent where it has all."""

QUALITY = "quality"
"""How much better than new it fights; absent for 0."""

TRANSPORT = "transport"
"""The id of the unit that carries it; absent where none does."""

MORE = "more"
"""What files say of it and the desk does not edit."""


def supply_entry(resource: str) -> str:
    """The entry with its supply of a resource; absent where it is full."""
    return f"supply {resource}"


def more_of(state: State) -> State:
    """The entries of ``MORE``, none where a state has something else there."""
    found = state.get(MORE)
    return found if isinstance(found, State) else NO_STATE
