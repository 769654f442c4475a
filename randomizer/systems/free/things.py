"""The kinds of things on free maps: settlements, and names of rivers, mountains and waters."""

from __future__ import annotations

from randomizer.model.things.thing_kind import ThingKind

TOWN, CITY, RIVER, MOUNTAINS, WATER = "town", "city", "river", "mountains", "water"

SETTLEMENTS = (TOWN, CITY)
"""The kind of a settlement by whether it is a city."""

KINDS = (
    ThingKind(TOWN, "Town", "#f2e3c6", icon="town", size=0.6),
    ThingKind(CITY, "City", "#f2d58a", icon="town", size=0.8),
    ThingKind(RIVER, "River", "#4f8fc4", size=0.3),
    ThingKind(MOUNTAINS, "Mountains", "#8f8478", size=0.3),
    ThingKind(WATER, "Sea or lake", "#4179ad", size=0.3),
)
