"""The description of a kind of thing that can be placed on a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from randomizer.model.setting import Setting

ICONS = (
    "",
    *("foot", "vehicle", "ship", "aircraft", "town", "base"),
    *("tree", "stone", "metal", "hunt", "fish", "berries", "unit", "building", "treasure", "tuft"),
    *("centre", "tower", "wall", "gate", "dock", "field", "farmstead", "storehouse", "barracks"),
    *("temple", "market", "wonder", "pin"),
)
"""The shapes of things; "" is a disc with a tip that shows where the thing heads."""

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
    0: they are not shown. ``numbered``: its things are notes (``randomizer.model.notes``). One with
    a ``footprint`` is drawn as the ground that it covers, with its icon where that has room.
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
    numbered: bool = False


def initial(kind: str) -> str:
    """The symbol of an unknown kind: the first letter of its last word (``gaia/tree/oak``: O)."""
    words = kind.replace("|", "/").rstrip("/").rsplit("/", 1)
    return words[-1][:1].upper()
