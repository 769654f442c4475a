"""``ThingKind``: the description of a kind of thing that can be placed on a map.

Systems make them (``System.thing_kinds``) from the data of their games; palettes list them, tools
place things of them, and the canvas draws a thing as its kind says::

    ThingKind("archer", "Archer", colour="#7a9e3f", icon="foot", owners=((1, "Red"), (2, "Blue")))
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.things.lettering import USUAL, Lettering

if TYPE_CHECKING:
    from randomizer.model.settings.setting import Setting
    from randomizer.model.things.things import Thing

ICONS = (
    "",
    "foot",
    "horse",
    "vehicle",
    "ship",
    "aircraft",
    "dragon",
    "town",
    "base",
    "tree",
    "stone",
    "metal",
    "hunt",
    "fowl",
    "fish",
    "berries",
    "unit",
    "building",
    "treasure",
    "tuft",
    "centre",
    "tower",
    "wall",
    "gate",
    "dock",
    "field",
    "farmstead",
    "storehouse",
    "barracks",
    "temple",
    "market",
    "wonder",
    "pin",
)
"""The shapes of icons; "" is a disc with a tip that points in the direction of the thing.

The symbols in the desk's ``resources/symbols.txt`` are shapes, too.
"""

SCATTERED = ("tree", "tuft")
"""The shapes of things that cover whole areas, where the user rarely means a single one.

For instance a drag that begins on a tree of a wood does not move that tree.
"""

UNKNOWN_COLOUR = "#f2efe6"
"""The colour of a kind that the game does not know."""


class Footprint(NamedTuple):
    """The ground that a thing covers, in map units around its point, turned by its angle."""

    width: float
    """From west to east, where the angle is 0."""

    depth: float
    """From north to south, where the angle is 0."""

    round: bool = False
    """True for an ellipse, False for a rectangle."""


class NewOwner(Enum):
    """The owner of a new thing, before its form gives it another one."""

    CHOSEN = "chosen"
    """The one that the user has chosen for new things; nobody if none is chosen."""

    CHOSEN_OR_FIRST = "chosen or first"
    """The one that the user has chosen; the first player if none is chosen: it must have one."""

    NOBODY = "nobody"
    """Nobody, whoever is chosen for other things: a tree of a wood belongs to no player."""


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind of thing."""

    name: str
    """The value of ``Thing.kind`` of its things."""

    title: str
    """Its name on the screen."""

    colour: str = UNKNOWN_COLOUR
    """The colour (#rrggbb) of things that belong to nobody."""

    symbol: str = ""
    """One or two letters that are drawn on its things."""

    settings: tuple[Setting, ...] = ()
    """The entries of ``Thing.state`` that a user can change."""

    owners: tuple[tuple[int, str], ...] = ()
    """The possible owners as (number, label); empty means any number."""

    icon: str = ""
    """The shape of its things, one of ``ICONS``."""

    size: float = 1.0
    """The size of the icon, as a multiple of the usual one; 2 at most."""

    owner_colours: tuple[str, ...] = ()
    """The colours of things of owner 1, 2 and so on: ``owner_colours[0]`` is that of owner 1.

    Empty means the usual ones.
    """

    group: str = ""
    """The heading under which lists show the kind."""

    naming: int = 0
    """The priority of the labels of its things: where two overlap, the lower one gives way.

    0: labels are not shown on the map.
    """

    family: str = ""
    """A second heading, under which a search finds it."""

    keywords: str = ""
    """Further words by which a search finds it."""

    footprint: Footprint | None = None
    """The ground that one of its things covers; None if it has only a point.

    Things are drawn as that shape, with their icon in it if it is large enough.
    """

    lettering: Lettering = USUAL
    """The lettering of labels where the state of a thing does not say otherwise."""

    inscription: bool = False
    """True for a text on the map: the label is drawn as the thing, turned by its angle."""

    numbered: bool = False
    """True if its things are notes (``model/notes.py``)."""

    origin: str = ""
    """The civilisation or folder that lists show behind the title, if several kinds share a title.

    "" if the title is enough.
    """

    new_owner: NewOwner = NewOwner.CHOSEN
    """Whom a new thing belongs to."""

    is_place: bool = False
    """True for what can never have an owner, such as a town or a note: its form asks for none.

    (``NewOwner.NOBODY`` is for what can have one, but begins without.)
    """

    sign: int = 0
    """The width, in logical pixels, of the mark for one of its things on a map seen from afar.

    The more important, the wider. 0: they are not seen there.
    """

    @property
    def is_labelled(self) -> bool:
        """True if the labels of its things are seen on the map."""
        return self.naming > 0 or self.inscription or self.numbered

    def lettering_of(self, thing: Thing) -> Lettering:
        """Return the lettering of the label of a thing of this kind."""
        if thing.state:
            return self.lettering.with_state(thing.state)
        return self.lettering


def initial(kind: str) -> str:
    """Return the symbol for a kind that the system does not know: "O" for ``gaia/tree/oak``.

    It is the first letter behind the last slash or bar of the name, in upper case.
    """
    words = kind.replace("|", "/").rstrip("/").rsplit("/", 1)
    return words[-1][:1].upper()
