"""The kinds of things on free maps: names of what is large, symbols, notes and starts."""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.notes import NOTE_TEXT
from randomizer.model.players_view import SECRET_THING
from randomizer.model.things.thing_kind import LETTERING, Lettering, ThingKind

LABEL = "label"
TOWN = "town"
CITY = "city"
RIVER = "river"
MOUNTAINS = "mountains"
WATER = "water"
NOTE = "note"
START = "start"

SETTLEMENTS = (TOWN, CITY)
"""The kind of a settlement by whether it is a city."""

NAMES = (
    (LABEL, "Label", "#f4efe4", 9, Lettering()),
    (WATER, "Sea or lake", "#4179ad", 7, Lettering(0.55, "#eaf4fb", "#153a5c", True, True)),
    (MOUNTAINS, "Mountains", "#8f8478", 6, Lettering(0.42, "#3d2a18", "#f3e9d8", False, True)),
    (RIVER, "River", "#4f8fc4", 2, Lettering(0.28, "#eaf4fb", "#153a5c", True)),
)
"""Names without a symbol: name, title, colour, importance and lettering."""

SYMBOLS = (
    ("Settlements", CITY, "City", "#f2d58a", 8),
    ("Settlements", TOWN, "Town", "#f2e3c6", 4),
    ("Settlements", "village", "Village", "#f2e3c6", 3),
    ("Settlements", "farm", "Farm", "#e2c48c", 1),
    ("Settlements", "inn", "Inn", "#e2b07a", 1),
    ("Settlements", "camp", "Camp", "#e9dcb9", 2),
    ("Settlements", "tent", "Tent", "#e9dcb9", 1),
    ("Buildings", "castle", "Castle", "#c9c3b8", 5),
    ("Buildings", "fort", "Fort", "#c7a678", 3),
    ("Buildings", "tower", "Tower", "#c9c3b8", 2),
    ("Buildings", "temple", "Temple", "#f1ead9", 3),
    ("Buildings", "shrine", "Shrine", "#e6d9ec", 1),
    ("Buildings", "mill", "Mill", "#e2c48c", 1),
    ("Buildings", "mine", "Mine", "#b9a18a", 2),
    ("Buildings", "gate", "Gate", "#c9c3b8", 2),
    ("Buildings", "bridge", "Bridge", "#c9b8a0", 1),
    ("Buildings", "well", "Well", "#b7cbd8", 1),
    ("Buildings", "graveyard", "Graveyard", "#c8c9c4", 1),
    ("Buildings", "ruin", "Ruin", "#c4b7a2", 2),
    ("Land", "peak", "Peak", "#d9dce0", 3),
    ("Land", "volcano", "Volcano", "#d9704a", 3),
    ("Land", "pass", "Pass", "#cdbfa6", 2),
    ("Land", "cave", "Cave", "#a89a8a", 2),
    ("Land", "spring", "Spring", "#8fc3e6", 1),
    ("Land", "oasis", "Oasis", "#8cc07a", 2),
    ("Land", "ford", "Ford", "#8fc3e6", 1),
    ("Land", "tree", "Great tree", "#7fae5e", 1),
    ("Land", "stones", "Standing stones", "#b9bcbb", 2),
    ("Sea", "port", "Port", "#9fc2dd", 3),
    ("Sea", "lighthouse", "Lighthouse", "#f0e0d0", 2),
    ("Sea", "ship", "Ship", "#e8d6b4", 2),
    ("Sea", "wreck", "Wreck", "#b99b78", 2),
    ("Sea", "whirlpool", "Whirlpool", "#8fc3e6", 2),
    ("Adventure", "battle", "Battle", "#e08a7a", 3),
    ("Adventure", "monster", "Monster", "#a5c48a", 2),
    ("Adventure", "dragon", "Dragon", "#d97a5f", 3),
    ("Adventure", "skull", "Skull", "#efe9dc", 2),
    ("Adventure", "lair", "Lair", "#b39ab8", 2),
    ("Adventure", "treasure", "Treasure", "#e8c15a", 2),
    ("Adventure", "portal", "Portal", "#b49be0", 2),
    ("Adventure", "flag", "Flag", "#e08a7a", 2),
)
"""Symbols: group, name, title, colour and importance. The desk draws the symbol of that name."""

SIZES = {CITY: 0.8}
"""How large symbols are drawn if not as most."""

USUAL_SIZE = 0.62

_KINDS = (
    *(
        ThingKind(
            name,
            title,
            colour,
            symbol="Aa",
            settings=LETTERING,
            size=0.5,
            group="Names",
            naming=naming,
            lettering=lettering,
            inscription=True,
        )
        for name, title, colour, naming, lettering in NAMES
    ),
    *(
        ThingKind(
            name,
            title,
            colour,
            settings=LETTERING,
            icon=f"symbol-{name}",
            size=SIZES.get(name, USUAL_SIZE),
            group=group,
            naming=naming,
        )
        for group, name, title, colour, naming in SYMBOLS
    ),
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
    ThingKind(START, "Start", "#e8d8a0", icon="base", size=0.7, naming=5),
)
KINDS = tuple(replace(kind, settings=(*kind.settings, SECRET_THING)) for kind in _KINDS)
"""Each can be left out of what players get."""
