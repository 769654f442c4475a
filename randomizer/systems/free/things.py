"""The kinds of things on free maps: names, symbols such as towns, notes and starting positions.

``NAMES`` and ``SYMBOLS`` are tables with a row for each kind. ``KINDS``, which ``FreeSystem``
offers in its lists, are made from the rows. The constants are the names of kinds that other modules
use.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from randomizer.model.notes import NOTE_TEXT
from randomizer.model.players_view import SECRET_THING
from randomizer.model.things.thing_kind import LETTERING, Lettering, ThingKind

# The names of the kinds that other modules use.
LABEL = "label"
TOWN = "town"
CITY = "city"
RIVER = "river"
MOUNTAINS = "mountains"
WATER = "water"
NOTE = "note"
START = "start"

SETTLEMENTS = (TOWN, CITY)
"""The kind of a settlement by whether it is a city: ``SETTLEMENTS[town.is_city]``."""


class NameKind(NamedTuple):
    """A kind of things that are only a text on the map."""

    name: str
    """The name of the kind, which files hold."""
    title: str
    """Its name as lists show it."""
    colour: str
    """The colour of its things (#rrggbb), which belong to nobody."""
    importance: int
    """Of two texts that overlap the less important one is left out (``ThingKind.naming``)."""
    lettering: Lettering
    """The size, colours and slant of its text."""


class Symbol(NamedTuple):
    """A kind of things that are drawn as a symbol, the icon "symbol-" with the name of the kind."""

    group: str
    """The heading under which the kind is listed."""
    name: str
    """The name of the kind, as in ``NameKind``; also that of its icon."""
    title: str
    """Its name as lists show it."""
    colour: str
    """The colour of its things (#rrggbb), which belong to nobody."""
    importance: int
    """The importance of its labels, as in ``NameKind``."""


NAMES = (
    NameKind(LABEL, "Label", "#f4efe4", 9, Lettering()),
    NameKind(
        WATER,
        "Sea or lake",
        "#4179ad",
        6,
        Lettering(size=0.55, colour="#eaf4fb", halo="#153a5c", italic=True, spaced=True),
    ),
    NameKind(
        MOUNTAINS,
        "Mountains",
        "#8f8478",
        5,
        Lettering(size=0.42, colour="#3d2a18", halo="#f3e9d8", spaced=True),
    ),
    NameKind(
        RIVER,
        "River",
        "#4f8fc4",
        2,
        Lettering(size=0.28, colour="#eaf4fb", halo="#153a5c", italic=True),
    ),
)
"""The kinds of names without a symbol."""

SYMBOLS = (
    Symbol("Settlements", CITY, "City", "#f2d58a", 8),
    Symbol("Settlements", TOWN, "Town", "#f2e3c6", 7),
    Symbol("Settlements", "village", "Village", "#f2e3c6", 3),
    Symbol("Settlements", "farm", "Farm", "#e2c48c", 1),
    Symbol("Settlements", "inn", "Inn", "#e2b07a", 1),
    Symbol("Settlements", "camp", "Camp", "#e9dcb9", 2),
    Symbol("Settlements", "tent", "Tent", "#e9dcb9", 1),
    Symbol("Buildings", "castle", "Castle", "#c9c3b8", 5),
    Symbol("Buildings", "fort", "Fort", "#c7a678", 3),
    Symbol("Buildings", "tower", "Tower", "#c9c3b8", 2),
    Symbol("Buildings", "temple", "Temple", "#f1ead9", 3),
    Symbol("Buildings", "shrine", "Shrine", "#e6d9ec", 1),
    Symbol("Buildings", "mill", "Mill", "#e2c48c", 1),
    Symbol("Buildings", "mine", "Mine", "#b9a18a", 2),
    Symbol("Buildings", "gate", "Gate", "#c9c3b8", 2),
    Symbol("Buildings", "bridge", "Bridge", "#c9b8a0", 1),
    Symbol("Buildings", "well", "Well", "#b7cbd8", 1),
    Symbol("Buildings", "graveyard", "Graveyard", "#c8c9c4", 1),
    Symbol("Buildings", "ruin", "Ruin", "#c4b7a2", 2),
    Symbol("Land", "peak", "Peak", "#d9dce0", 3),
    Symbol("Land", "volcano", "Volcano", "#d9704a", 3),
    Symbol("Land", "pass", "Pass", "#cdbfa6", 2),
    Symbol("Land", "cave", "Cave", "#a89a8a", 2),
    Symbol("Land", "spring", "Spring", "#8fc3e6", 1),
    Symbol("Land", "oasis", "Oasis", "#8cc07a", 2),
    Symbol("Land", "ford", "Ford", "#8fc3e6", 1),
    Symbol("Land", "tree", "Great tree", "#7fae5e", 1),
    Symbol("Land", "stones", "Standing stones", "#b9bcbb", 2),
    Symbol("Sea", "port", "Port", "#9fc2dd", 3),
    Symbol("Sea", "lighthouse", "Lighthouse", "#f0e0d0", 2),
    Symbol("Sea", "ship", "Ship", "#e8d6b4", 2),
    Symbol("Sea", "wreck", "Wreck", "#b99b78", 2),
    Symbol("Sea", "whirlpool", "Whirlpool", "#8fc3e6", 2),
    Symbol("Adventure", "battle", "Battle", "#e08a7a", 3),
    Symbol("Adventure", "monster", "Monster", "#a5c48a", 2),
    Symbol("Adventure", "dragon", "Dragon", "#d97a5f", 3),
    Symbol("Adventure", "skull", "Skull", "#efe9dc", 2),
    Symbol("Adventure", "lair", "Lair", "#b39ab8", 2),
    Symbol("Adventure", "treasure", "Treasure", "#e8c15a", 2),
    Symbol("Adventure", "portal", "Portal", "#b49be0", 2),
    Symbol("Adventure", "flag", "Flag", "#e08a7a", 2),
)
"""The symbols, group by group."""

SIZES = {CITY: 0.8}
"""The sizes of symbols that are not of the usual size, by name of kind (``ThingKind.size``)."""

USUAL_SIZE = 0.62
"""The size of all other symbols."""


def _name_kind(row: NameKind) -> ThingKind:
    """Return the kind of things that are names."""
    return ThingKind(
        row.name,
        row.title,
        row.colour,
        symbol="Aa",
        settings=LETTERING,
        size=0.5,
        group="Names",
        naming=row.importance,
        lettering=row.lettering,
        inscription=True,
        is_place=True,
    )


def _symbol_kind(row: Symbol) -> ThingKind:
    """Return the kind of things with this symbol."""
    return ThingKind(
        row.name,
        row.title,
        row.colour,
        settings=LETTERING,
        icon=f"symbol-{row.name}",
        size=SIZES.get(row.name, USUAL_SIZE),
        group=row.group,
        naming=row.importance,
        is_place=True,
    )


_NOTE_KIND = ThingKind(
    NOTE,
    "Note",
    "#e8c33c",
    icon="pin",
    size=0.7,
    settings=(NOTE_TEXT,),
    naming=1,
    numbered=True,
    is_place=True,
)

_START_KIND = ThingKind(START, "Start", "#e8d8a0", icon="base", size=0.7, naming=5)


def _all_kinds() -> tuple[ThingKind, ...]:
    """Return all kinds, each with the setting that hides a thing from players."""
    kinds = [_name_kind(row) for row in NAMES]
    kinds += [_symbol_kind(row) for row in SYMBOLS]
    kinds += [_NOTE_KIND, _START_KIND]
    return tuple(replace(kind, settings=(*kind.settings, SECRET_THING)) for kind in kinds)


KINDS = _all_kinds()
"""All kinds; a thing of any of them can be left out of what players get (``SECRET_THING``)."""
