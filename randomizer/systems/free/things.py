"""The kinds of things on free maps: settlements, names of rivers, mountains and waters, notes."""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.notes import NOTE_TEXT
from randomizer.model.players_view import SECRET_THING
from randomizer.model.things.thing_kind import ThingKind

TOWN, CITY, RIVER, MOUNTAINS, WATER = "town", "city", "river", "mountains", "water"
NOTE = "note"

SETTLEMENTS = (TOWN, CITY)
"""The kind of a settlement by whether it is a city."""

_KINDS = (
    ThingKind(TOWN, "Town", "#f2e3c6", icon="town", size=0.6),
    ThingKind(CITY, "City", "#f2d58a", icon="town", size=0.8),
    ThingKind(RIVER, "River", "#4f8fc4", size=0.3),
    ThingKind(MOUNTAINS, "Mountains", "#8f8478", size=0.3),
    ThingKind(WATER, "Sea or lake", "#4179ad", size=0.3),
    ThingKind(
        NOTE,
        "Note",
        "#e8c33c",
        icon="pin",
        size=0.7,
        settings=(NOTE_TEXT,),
        naming=1,
        numbered=True,
    ),
)
KINDS = tuple(replace(kind, settings=(*kind.settings, SECRET_THING)) for kind in _KINDS)
"""Each can be left out of what players get."""
