"""The kinds of things on free maps: names, symbols such as towns, notes and starting positions.

A *name* is a text on the map and nothing else, such as that of a sea. A *symbol* is a small picture
such as a town or a ruin, which can have a label. ``KINDS``, which ``FreeSystem`` offers in its
lists, has all of them and the two kinds that are neither.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from randomizer.model.notes import NOTE_TEXT
from randomizer.model.players_view import SECRET_THING
from randomizer.model.things.lettering import LETTERING, Lettering
from randomizer.model.things.thing_kind import ThingKind

# The names of the kinds that other modules use.
LABEL = "label"
TOWN = "town"
CITY = "city"
RIVER = "river"
MOUNTAINS = "mountains"
WATER = "water"
NOTE = "note"
START = "start"


def settlement_kind(*, is_city: bool) -> str:
    """Return the name of the kind of a settlement."""
    if is_city:
        return CITY
    return TOWN


# --- names ----------------------------------------------------------------------------------------


class NameKind(NamedTuple):
    """A kind of things that are only a text on the map."""

    name: str
    """The name of the kind, which files hold."""

    title: str
    """Its name as lists show it."""

    colour: str
    """The colour of its things (#rrggbb), which belong to nobody."""

    importance: int
    """From 1 to 9: of two texts that overlap the less important one is left out.

    Symbols have an importance on the same scale.
    """

    lettering: Lettering
    """The size, colours and slant of its text."""

    @property
    def kind(self) -> ThingKind:
        """The ``ThingKind`` that this row describes."""
        return ThingKind(
            self.name,
            self.title,
            self.colour,
            symbol="Aa",
            settings=LETTERING,
            size=0.5,
            group="Names",
            naming=self.importance,
            lettering=self.lettering,
            inscription=True,
            is_place=True,
        )


NAMES = (
    NameKind(LABEL, "Label", "#f4efe4", importance=9, lettering=Lettering()),
    NameKind(
        WATER,
        "Sea or lake",
        "#4179ad",
        importance=6,
        lettering=Lettering(size=0.55, colour="#eaf4fb", halo="#153a5c", italic=True, spaced=True),
    ),
    NameKind(
        MOUNTAINS,
        "Mountains",
        "#8f8478",
        importance=5,
        lettering=Lettering(size=0.42, colour="#3d2a18", halo="#f3e9d8", spaced=True),
    ),
    NameKind(
        RIVER,
        "River",
        "#4f8fc4",
        importance=2,
        lettering=Lettering(size=0.28, colour="#eaf4fb", halo="#153a5c", italic=True),
    ),
)
"""The kinds of names without a symbol."""


# --- symbols --------------------------------------------------------------------------------------


class Symbol(NamedTuple):
    """A kind of things that are drawn as a symbol."""

    group: str
    """The heading under which the kind is listed."""

    name: str
    """The name of the kind, which files hold. Its icon is "symbol-" with this name."""

    title: str
    """Its name as lists show it."""

    colour: str
    """The colour of its things (#rrggbb), which belong to nobody."""

    importance: int
    """The importance of its labels, as in ``NameKind``."""

    @property
    def kind(self) -> ThingKind:
        """The kind of things with this symbol."""
        return ThingKind(
            self.name,
            self.title,
            self.colour,
            settings=LETTERING,
            icon=f"symbol-{self.name}",
            size=_SIZES.get(self.name, _USUAL_SIZE),
            group=self.group,
            naming=self.importance,
            is_place=True,
        )


_SIZES = {CITY: 0.8}
"""The sizes of symbols that are not of the usual size, by name of kind (``ThingKind.size``)."""

_USUAL_SIZE = 0.62
"""The size of all other symbols. If it is larger, symbols hide more of the terrain."""

_SYMBOLS_BY_GROUP: dict[str, tuple[tuple[str, str, str, int], ...]] = {
    "Settlements": (
        (CITY, "City", "#f2d58a", 8),
        (TOWN, "Town", "#f2e3c6", 7),
        ("village", "Village", "#f2e3c6", 3),
        ("farm", "Farm", "#e2c48c", 1),
        ("inn", "Inn", "#e2b07a", 1),
        ("camp", "Camp", "#e9dcb9", 2),
        ("tent", "Tent", "#e9dcb9", 1),
    ),
    "Buildings": (
        ("castle", "Castle", "#c9c3b8", 5),
        ("fort", "Fort", "#c7a678", 3),
        ("tower", "Tower", "#c9c3b8", 2),
        ("temple", "Temple", "#f1ead9", 3),
        ("shrine", "Shrine", "#e6d9ec", 1),
        ("mill", "Mill", "#e2c48c", 1),
        ("mine", "Mine", "#b9a18a", 2),
        ("gate", "Gate", "#c9c3b8", 2),
        ("bridge", "Bridge", "#c9b8a0", 1),
        ("well", "Well", "#b7cbd8", 1),
        ("graveyard", "Graveyard", "#c8c9c4", 1),
        ("ruin", "Ruin", "#c4b7a2", 2),
    ),
    "Land": (
        ("peak", "Peak", "#d9dce0", 3),
        ("volcano", "Volcano", "#d9704a", 3),
        ("pass", "Pass", "#cdbfa6", 2),
        ("cave", "Cave", "#a89a8a", 2),
        ("spring", "Spring", "#8fc3e6", 1),
        ("oasis", "Oasis", "#8cc07a", 2),
        ("ford", "Ford", "#8fc3e6", 1),
        ("tree", "Great tree", "#7fae5e", 1),
        ("stones", "Standing stones", "#b9bcbb", 2),
    ),
    "Sea": (
        ("port", "Port", "#9fc2dd", 3),
        ("lighthouse", "Lighthouse", "#f0e0d0", 2),
        ("ship", "Ship", "#e8d6b4", 2),
        ("wreck", "Wreck", "#b99b78", 2),
        ("whirlpool", "Whirlpool", "#8fc3e6", 2),
    ),
    "Adventure": (
        ("battle", "Battle", "#e08a7a", 3),
        ("monster", "Monster", "#a5c48a", 2),
        ("dragon", "Dragon", "#d97a5f", 3),
        ("skull", "Skull", "#efe9dc", 2),
        ("lair", "Lair", "#b39ab8", 2),
        ("treasure", "Treasure", "#e8c15a", 2),
        ("portal", "Portal", "#b49be0", 2),
        ("flag", "Flag", "#e08a7a", 2),
    ),
}
"""The symbols by the heading of their list: name, title, colour and importance of each."""


def _symbols() -> tuple[Symbol, ...]:
    """Return the symbols, group by group."""
    symbols = []
    for group, rows in _SYMBOLS_BY_GROUP.items():
        for name, title, colour, importance in rows:
            symbols.append(Symbol(group, name, title, colour, importance))
    return tuple(symbols)


SYMBOLS = _symbols()
"""The symbols, group by group."""


# --- all kinds ------------------------------------------------------------------------------------

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
    kinds = [row.kind for row in NAMES]
    kinds += [symbol.kind for symbol in SYMBOLS]
    kinds += [_NOTE_KIND, _START_KIND]
    return tuple(replace(kind, settings=(*kind.settings, SECRET_THING)) for kind in kinds)


KINDS = _all_kinds()
"""All kinds; a thing of any of them can be left out of what players get (``SECRET_THING``)."""
