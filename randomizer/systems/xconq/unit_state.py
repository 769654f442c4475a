"""The entries of ``Thing.state`` that a unit has; each is absent where the unit is as a new one."""

from __future__ import annotations

HP = "hp"
QUALITY = "quality"
TRANSPORT = "transport"
"""The id of the unit that carries it."""
MORE = "more"
"""What files say of it and the desk does not edit (``mapfile.unit_things``)."""


def supply_entry(resource: str) -> str:
    """The entry with the supply of a resource."""
    return f"supply {resource}"
