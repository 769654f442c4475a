"""The sizes of placed things on a screen, for whoever draws them or finds something at them.

All things of usual kinds are equally wide on a map at one scale: ``diameter``. A kind may be some
times as wide (``ThingKind.size``). A *scale* is the number of logical pixels in a map unit,
which is the radius of a hex and the side of a square. Results are logical pixels.
"""

from __future__ import annotations

from app.render.scene.icons import reach_of
from app.render.scene.things.looks import LETTERED_FROM, SHAPED_FROM, TIP
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.things.thing_kind import ThingKind

LARGEST_DISC = 26.0
"""The largest diameter of a disc, in logical pixels."""

LARGEST_ICON = 64.0
"""The largest width of a pictogram, in logical pixels."""

MIN_IN_CELL = 5.0
"""The least width of things that stand in cells, in logical pixels."""

MIN_FREE = 3.0
"""The least width of things that stand anywhere, in logical pixels."""

SHARE_OF_HEX = 0.9
"""The diameter of discs between the least and the largest one, in hex radii."""

SHARE_OF_SQUARE = 0.7
"""The diameter of discs on squares, in sides of a square: they have less room than hexes."""

ICON_SHARE = 1.75
"""How much larger pictograms are than discs."""

ICON_ROOM = 1.1
"""An icon is shown on covered ground that is so many times as wide."""

RING_WIDTH = 4.0
"""The width of the ring around a picked thing, in logical pixels."""

CANOPY_WIDTH = 2.6
"""How wide the shade of the leaves around a tree is, in map units: those of a wood run together."""


def diameter(battlemap: BattleMap, scale: float) -> float:
    """Return the diameter of things of usual kinds on a map, in logical pixels.

    It is larger on maps that have pictograms.
    """
    share = SHARE_OF_SQUARE
    if battlemap.grid.degree == 6:
        share = SHARE_OF_HEX
    smallest = MIN_FREE
    if battlemap.system.thing_rules.in_cells:
        smallest = MIN_IN_CELL
    if any(kind.icon for kind in battlemap.system.thing_kinds(battlemap)):
        return min(LARGEST_ICON, max(smallest, scale * share * ICON_SHARE))
    return min(LARGEST_DISC, max(smallest, scale * share))


def largest_size(battlemap: BattleMap) -> float:
    """Return the size (``ThingKind.size``) of the largest kind of a map, at least 1."""
    return max([1.0, *(kind.size for kind in battlemap.system.thing_kinds(battlemap))])


def widest_share(battlemap: BattleMap, size: float) -> float:
    """Return how far icons reach from their points, in radii of icons of usual kinds.

    ``size`` is how many pixels usual kinds are wide: discs that are large enough for a symbol have
    a tip, which reaches out of the disc.
    """
    tip = 1.0
    if size >= LETTERED_FROM:
        tip = TIP
    return max(largest_size(battlemap), tip)


def ring_radius(battlemap: BattleMap, scale: float) -> float:
    """Return the radius of the ring around a picked thing, in logical pixels.

    The ring lies outside the tip of the largest disc, so that it is the same for all things.
    """
    size = diameter(battlemap, scale)
    return size / 2 * widest_share(battlemap, size) + RING_WIDTH / 2


def thing_reach_px(battlemap: BattleMap, scale: float) -> float:
    """Return how far from its point a thing with its ring may be seen, in logical pixels."""
    covered = reach_of(battlemap.system.thing_kinds(battlemap)) * scale + RING_WIDTH
    return max(icon_reach_px(battlemap, scale), covered)


def icon_reach_px(battlemap: BattleMap, scale: float) -> float:
    """Return how far from its point a thing's icon, ring and leaves may be seen."""
    reach = ring_radius(battlemap, scale) + RING_WIDTH / 2
    if any(has_canopy(kind) for kind in battlemap.system.thing_kinds(battlemap)):
        reach = max(reach, CANOPY_WIDTH / 2 * scale)
    return reach + 1  # for smooth edges


def has_canopy(kind: ThingKind) -> bool:
    """Return whether leaves are drawn around things of a kind: it is a tree."""
    return kind.icon == "tree"


def shows_icon(kind: ThingKind | None, scale: float, size: float) -> bool:
    """Return whether a kind shows its icon where usual ones are ``size`` logical pixels wide.

    A kind that covers ground shows its icon only where the ground is wide enough for it, and never
    a dot: the ground shows that something is there. Unknown kinds (None) have a disc, inscriptions
    nothing.
    """
    if kind is None:
        return True
    if kind.footprint is None:
        return not kind.inscription
    scaled_size = size * kind.size
    ground_size = min(kind.footprint.width, kind.footprint.depth) * scale
    return scaled_size >= SHAPED_FROM and ground_size >= scaled_size * ICON_ROOM
