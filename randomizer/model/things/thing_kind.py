"""The description of a kind of thing that can be placed on a map."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.settings.setting import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.things.things import Thing

ICONS = (
    "",
    *("foot", "horse", "vehicle", "ship", "aircraft", "dragon", "town", "base"),
    *("tree", "stone", "metal", "hunt", "fish", "berries", "unit", "building", "treasure", "tuft"),
    *("centre", "tower", "wall", "gate", "dock", "field", "farmstead", "storehouse", "barracks"),
    *("temple", "market", "wonder", "pin"),
)
"""The shapes of things; "" is a disc with a tip that shows where the thing heads. The symbols in
the desk's ``resources/symbols.txt`` are shapes, too.
"""

SCATTERED = ("tree", "tuft")
"""The shapes of what covers whole areas: a drag across a wood is not meant for one tree."""

UNKNOWN_COLOUR = "#f2efe6"
"""The colour of a kind that the game does not know."""


class Footprint(NamedTuple):
    """The ground that a thing covers, in map units around its point, turned by its angle.

    At angle 0 ``width`` runs from west to east, ``depth`` from north to south. ``round``: an
    ellipse, not a rectangle.
    """

    width: float
    depth: float
    round: bool = False


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
        least=0,
        most=LARGEST_TEXT,
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


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind of thing: ``name`` is the value of ``Thing.kind``, ``title`` its name on the screen.

    ``colour`` ("#rrggbb") is that of things that belong to nobody, ``owner_colours`` those of owner
    1, 2 ... (empty: the usual ones). ``symbol`` is drawn on them, one or two letters. ``icon`` is
    their shape, one of ``ICONS``, ``size`` how large it is drawn (1: usual, at most 2).
    ``settings`` describe the entries of ``Thing.state``. ``owners`` are the possible owners as
    (number, label); empty: any number. Kinds of one ``group`` stand under that heading; ``family``
    is a second one under which they are searched, ``keywords`` are further words for that.
    ``naming``: how important the labels of its things are on the map, the least ones give way;
    0: they are not shown. One with a ``footprint`` is drawn as the ground that it covers, with its
    icon where that has room. ``lettering``: how labels look where a thing's state does not say.
    Things of an ``inscription`` have no shape: their label stands in their place, turned by their
    angle.
    ``numbered``: its things are notes (``randomizer.model.notes``). ``origin`` tells kinds with the
    same title apart in lists: a civilisation, or a folder; "" where the title is enough. Things of
    an ``unowned`` kind belong to nobody unless a hand gives them an owner. New ones of a kind that
    ``needs_owner`` get the first owner beside nobody until a hand has chosen one. ``sign``:
    the width, in logical pixels, of the sign of its things where a map is seen from afar, wider for
    the more important ones; 0: they have none there.
    """

    name: str
    title: str
    colour: str = UNKNOWN_COLOUR
    symbol: str = ""
    settings: tuple[Setting, ...] = ()
    owners: tuple[tuple[int, str], ...] = ()
    icon: str = ""
    size: float = 1.0
    owner_colours: tuple[str, ...] = ()
    group: str = ""
    naming: int = 0
    family: str = ""
    keywords: str = ""
    footprint: Footprint | None = None
    lettering: Lettering = USUAL
    inscription: bool = False
    numbered: bool = False
    origin: str = ""
    unowned: bool = False
    needs_owner: bool = False
    sign: int = 0

    @property
    def is_labelled(self) -> bool:
        """True if the labels of its things are seen on the map."""
        return self.naming > 0 or self.inscription or self.numbered

    def lettering_of(self, thing: Thing) -> Lettering:
        """Return how the label of a thing of this kind is written."""
        if thing.state:
            return _written(self.lettering, thing.state)
        return self.lettering


def _written(usual: Lettering, state: Mapping[str, object]) -> Lettering:
    """Return ``usual`` with what a state says; what no label can have is left out."""
    size = state.get("size")
    colours = {name: state.get(name) for name in ("colour", "halo")}
    changes: dict[str, object] = {
        name: colour
        for name, colour in colours.items()
        if isinstance(colour, str) and re.fullmatch("#[0-9a-fA-F]{6}", colour)
    }
    if isinstance(size, int | float) and math.isfinite(size) and 0 <= size <= LARGEST_TEXT:
        changes["size"] = float(size)
    switches = {name: state.get(name) for name in ("italic", "spaced")}
    changes |= {name: value for name, value in switches.items() if isinstance(value, bool)}
    return usual._replace(**changes)  # type: ignore[arg-type] # checked above


def initial(kind: str) -> str:
    """Return the symbol of an unknown kind: the first letter of its last word (``gaia/tree/oak``:
    O).
    """
    words = kind.replace("|", "/").rstrip("/").rsplit("/", 1)
    return words[-1][:1].upper()
