"""``ThingKind``: the description of a kind of thing that can be placed on a map.

Systems make them (``System.thing_kinds``) from the data of their games; palettes list them, tools
place things of them, and the canvas draws a thing as its kind says.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.settings.setting import COLOUR, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

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


LARGEST_TEXT = 20
"""The largest size of letters, in cells."""

INKS = (
    ("#1d1a17", "Black"),
    ("#ffffff", "White"),
    ("#5b3a1e", "Brown"),
    ("#8c1c13", "Red"),
    ("#14406b", "Blue"),
    ("#1f4d2b", "Green"),
    ("#53306b", "Purple"),
    ("#6a6f75", "Grey"),
    ("#e8c15a", "Gold"),
)
"""The colours of letters that forms offer; any "#rrggbb" is shown."""

LETTERING = (
    Setting(
        "size",
        float,
        "How high the letters are, in cells; usual: as small as is read at every scale",
        minimum=0,
        maximum=LARGEST_TEXT,
        title="Text size",
        unset="usual",
        decimals=1,
        unit="cells",
    ),
    Setting("colour", str, "The colour of the letters", None, INKS, title="Colour", unset="usual"),
    Setting("halo", str, "The colour around the letters", None, INKS, title="Halo", unset="usual"),
    Setting("italic", bool, "Whether the letters are slanted", title="Italic", unset="as usual"),
    Setting("spaced", bool, "Whether the letters stand apart", title="Spaced", unset="as usual"),
)
"""The settings, for ``ThingKind.settings``, of kinds whose things say how their labels look."""


class Lettering(NamedTuple):
    """The lettering of a label; fields are as in ``LETTERING``, 0 and "" are the usual ones."""

    size: float = 0.0
    colour: str = ""
    halo: str = ""
    italic: bool = False
    spaced: bool = False


USUAL = Lettering()
"""The lettering of a label for which nothing was chosen."""


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
    """The colours of things of owner 1, 2 and so on; empty means the usual ones."""

    group: str = ""
    """The heading under which lists show the kind."""

    naming: int = 0
    """The importance of the labels of its things: where two overlap, the lower one gives way.

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

    unowned: bool = False
    """True if a new thing belongs to nobody unless the user chooses an owner."""

    is_place: bool = False
    """True for what belongs to no side, such as a town or a note: its form asks for no owner."""

    needs_owner: bool = False
    """True if a new thing belongs to the first owner, not nobody, unless the user chooses one."""

    sign: int = 0
    """The width, in logical pixels, of the sign of its things on a map that is seen from afar.

    The more important, the wider. 0: they have no sign there.
    """

    @property
    def is_labelled(self) -> bool:
        """True if the labels of its things are seen on the map."""
        return self.naming > 0 or self.inscription or self.numbered

    def lettering_of(self, thing: Thing) -> Lettering:
        """Return the lettering of the label of a thing of this kind."""
        if thing.state:
            return _with_state(self.lettering, thing.state)
        return self.lettering


def _with_state(lettering: Lettering, state: Mapping[str, object]) -> Lettering:
    """Return the lettering, changed by those entries of a state that are valid for a label.

    A state can come from a file with anything in it: each entry is checked, others are ignored.
    """
    changes: dict[str, Any] = {}
    size = state.get("size")
    if isinstance(size, int | float) and math.isfinite(size) and 0 <= size <= LARGEST_TEXT:
        changes["size"] = float(size)
    for name in ("colour", "halo"):
        colour = state.get(name)
        if isinstance(colour, str) and re.fullmatch(COLOUR, colour):
            changes[name] = colour
    for name in ("italic", "spaced"):
        switch = state.get(name)
        if isinstance(switch, bool):
            changes[name] = switch
    return lettering._replace(**changes)


def initial(kind: str) -> str:
    """Return the symbol for a kind that the system does not know: "O" for ``gaia/tree/oak``.

    It is the first letter behind the last slash or bar of the name, in upper case.
    """
    words = kind.replace("|", "/").rstrip("/").rsplit("/", 1)
    return words[-1][:1].upper()
