"""The properties of terrains that decide how their grounds meet in landscapes.

A *ground* is the picture of a terrain below what stands on it, such as the meadow below a wood. Its
*ground code* is the code of the first terrain of the set that has it. Of two grounds that meet, the
one of higher *priority* reaches into the cells of the other; but those of one *family*, such as all
waters, fade into each other.

``traits_of`` returns the traits of all terrains of a set; reading begins there. ``transitions``,
``fading_grounds`` and the surfaces of ``surface.ground`` use them. The tables above it are about
the names of our pictures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.picture_library import ground_picture_name
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain, TerrainSet

ORDER = (
    ("Void", "Chasm"),
    ("Deep sea",),
    ("Open sea", "Sea"),
    ("Lake", "River"),
    ("Shallows",),
    ("TarPit",),
    ("Spring",),
    ("Marsh",),
    ("Mist",),
    ("Beach",),
    ("Sand", "Desert"),
    ("Cave floor", "Rocky cave"),
    ("Dirt",),
    ("Cobbles",),
    ("Farmland", "Crops"),
    ("Plains", "Grassland"),
    ("Field",),
    ("Heath", "Rough"),
    ("Brambles", "Vineyard", "Orchard", "Olive grove", "Fruit trees"),
    ("Swamp", "Bog"),
    ("Tree", "Woods", "Deciduous trees", "Palm trees", "Jungle"),
    ("Conifers", "Coniferous trees"),
    ("Badlands",),
    ("Hills", "Snowy hills"),
    ("Stone", "Cliff", "Mountains", "Mountain"),
    ("High mountains",),
    ("Drift", "Ice"),
    ("Snow",),
    ("Volcano", "Lava"),
    ("Earthworks",),
    ("Wooden floor",),
    ("Pavement", "Tower", "Houses", "Settlement", "Village", "Town", "City"),
    ("Country town", "Streets"),
)
"""Pictures from the lowest terrain to the highest; a higher one reaches into a lower one's cell.

Pictures in one row are ordered by the terrain set, and so are unknown ones, above the plains. The
last two rows are those of towns.
"""

BUILT_UP = frozenset((*ORDER[-2], *ORDER[-1]))
"""The pictures of towns."""


def _ranks() -> dict[str, int]:
    """Return the row of each picture in ``ORDER``."""
    ranks = {}
    for rank, row in enumerate(ORDER):
        for picture in row:
            ranks[picture] = rank
    return ranks


_RANKS = _ranks()
"""The row of each picture in ``ORDER``."""

UNKNOWN_LAND = _RANKS["Plains"] + 0.5
"""The rank of land whose picture is not in ``ORDER``: right above the plains."""

UNKNOWN_WATER = 0.5
"""The rank of water whose picture is not in ``ORDER``: right above void and chasm."""


class WallKind(IntEnum):
    """The walls around a ground; 0 stands for no walls. One wall goes around all of one kind."""

    BUILT = 1
    """Straight walls with towers, of castles and camps."""
    ROCK = 2
    """The rock of caves, which bends where its cells meet, and has no towers."""
    PIT = 3
    """The bent walls of holes: they go down, and around the cells of bridges too."""


WALLED = {
    **dict.fromkeys(("Castle", "Keep", "Encampment", "Chief's camp"), WallKind.BUILT),
    "Cave wall": WallKind.ROCK,
    "Chasm": WallKind.PIT,
}
"""The pictures of ground with walls around it."""

BENT_WALLS = frozenset({WallKind.ROCK, WallKind.PIT})
"""The walls that bend where cells meet, and have no towers."""

CRISP_PICTURES = frozenset(
    {
        *("Void", "Mist", "Ice", "Cliff", "Pavement", "Tower", "Field", "Vineyard"),
        *("Earthworks", "Chasm", "Wooden floor"),
    }
)
"""Pictures with a narrow rim in the cells of other land, as the rim of all land is in water
(``transitions.CRISP``): what people made, and what ends at once."""

FIELDS = frozenset({"Farmland", "Crops"})
"""Pictures of fields, which end in grass before water and walls."""

MEADOWS = ("Grassland", "Plains")
"""The pictures of that grass, the better one first."""

NO_SHORE = frozenset({"Ice", "Swamp", "Bog", "Marsh"})
"""The pictures of land without a beach: it meets water as other land does land."""

MAX_FADING = 64
"""No more terrains of a set fade into others: the codes of their grounds would be too large.

A family that has no room among them does not fade at all; a smaller one after it may have room.
"""


NO_GROUND = -1
"""The ground code where there is no ground, as beyond the rim of the map.

As an index it finds the last entry of an array, which those of ``GroundTraits`` have for it.
"""


NO_FAMILY = 0
"""The family of a ground that fades into no other."""


class GroundTraits(NamedTuple):
    """The properties of all terrains of a set by which their grounds meet.

    All but ``meadow`` are arrays of shape (terrains + 1,), by the code of the terrain: the last
    entry is that of ``NO_GROUND``.
    """

    ground_code: NDArray[np.intp]
    """The first terrain that has the same ground; ``NO_GROUND`` where no cell is."""

    priority: NDArray[np.intp]
    """As in ``priorities``; -1 where no cell is."""

    is_water: NDArray[np.bool_]
    """True if the terrain is water."""

    is_foreign: NDArray[np.bool_]
    """True if the terrain has a picture of the user's own."""

    has_beach: NDArray[np.bool_]
    """True if shores of the terrain have sand."""

    is_crisp: NDArray[np.bool_]
    """True if the terrain is one of ``CRISP_PICTURES`` or a mere colour."""

    is_flat: NDArray[np.bool_]
    """True if the terrain is a mere colour: a soft rim and patches would show on it as on paper."""

    is_walled: NDArray[np.bool_]
    """True if walls go around the terrain."""

    is_rock: NDArray[np.bool_]
    """True if the terrain is rock with bent walls: whatever lies beside it reaches below these."""

    is_field: NDArray[np.bool_]
    """True if the terrain is one of ``FIELDS``."""

    meadow: int
    """The ground code of the terrain of ``MEADOWS`` in which fields end.

    It is ``NO_GROUND`` if the set has none. This alone is no array.
    """

    family: NDArray[np.intp]
    """As in ``families``; ``NO_FAMILY`` where no cell is."""

    fade_number: NDArray[np.intp]
    """The terrain's index in ``fading_terrains``, -1 if it is not there."""


@registered(bytes_each=700 * KB)
@lru_cache(2)
def traits_of(terrain_set: TerrainSet) -> GroundTraits:
    """Return the traits of a terrain set."""
    terrains = terrain_set.terrains
    has_beach = []
    is_crisp = []
    is_flat = []
    is_rock = []
    is_field = []
    for terrain in terrains:
        name = ground_picture_name(terrain)
        has_beach.append(not terrain.water and name not in NO_SHORE)
        is_mere_colour = not (terrain.asset or terrain.picture or name in _RANKS)
        is_flat.append(is_mere_colour)
        is_crisp.append(name in CRISP_PICTURES or is_mere_colour)
        is_rock.append(WALLED.get(picture_of(terrain)) in BENT_WALLS)
        is_field.append(name in FIELDS and not terrain.asset)
    fading = fading_terrains(terrain_set)
    fade_number = np.full(len(terrains) + 1, -1)
    fade_number[fading] = np.arange(len(fading))
    return GroundTraits(
        ground_code=np.append(ground_codes(terrain_set), NO_GROUND),
        priority=np.append(priorities(terrain_set), -1),
        is_water=_with_no_cell([terrain.water for terrain in terrains]),
        is_foreign=_with_no_cell([bool(terrain.asset) for terrain in terrains]),
        has_beach=_with_no_cell(has_beach),
        is_crisp=_with_no_cell(is_crisp),
        is_flat=_with_no_cell(is_flat),
        is_walled=np.append(is_walled(terrain_set), False),
        is_rock=_with_no_cell(is_rock),
        is_field=_with_no_cell(is_field),
        meadow=_meadow(terrain_set),
        family=np.append(families(terrain_set), NO_FAMILY),
        fade_number=fade_number,
    )


def _with_no_cell(values: Sequence[bool]) -> NDArray[np.bool_]:
    """Return values of terrains as an array with one entry more: False, where no cell is."""
    return np.array([*values, False], np.bool_)


def _meadow(terrain_set: TerrainSet) -> int:
    """Return the first terrain of a set whose ground is the best of ``MEADOWS``.

    It is ``NO_GROUND`` if the set has none of them.
    """
    for meadow in MEADOWS:
        for code, terrain in enumerate(terrain_set.terrains):
            # A picture of the user's own (asset) may be called a meadow and look otherwise.
            if ground_picture_name(terrain) == meadow and not terrain.asset:
                return int(ground_codes(terrain_set)[code])
    return NO_GROUND


def priorities(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the priority of each terrain of a set, all different: shape (terrains,).

    The order is that of ``_rank``; of equal ranks the terrain that comes later in the set is the
    higher one.
    """
    ranks = [_rank(terrain) for terrain in terrain_set.terrains]
    result = np.empty(len(ranks), np.intp)
    result[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return result


def _rank(terrain: Terrain) -> float:
    """Return the row of ``ORDER`` in which a terrain counts.

    That is its own (``Terrain.priority``), or else that of the picture of its ground.
    """
    if terrain.priority is not None:
        return terrain.priority
    unknown_rank = UNKNOWN_LAND
    if terrain.water:
        unknown_rank = UNKNOWN_WATER
    return _RANKS.get(ground_picture_name(terrain), unknown_rank)


def ground_codes(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return for each terrain of a set the first one that has the same ground: shape (terrains,).

    Between terrains of one ground there is no transition: a wood that stands on the meadow has the
    meadow's ground.
    """
    first_with_ground: dict[object, int] = {}
    result = []
    for code, terrain in enumerate(terrain_set.terrains):
        picture = terrain.ground or terrain.picture
        ground: object = code
        if picture and not terrain.asset:
            ground = (picture, terrain.colour, terrain.priority, terrain.water)
        result.append(first_with_ground.setdefault(ground, code))
    return np.array(result, np.intp)


def families(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the family of each terrain of a set, or ``NO_FAMILY``: shape (terrains,).

    Terrains of one family fade into each other. Waters are one. The ground of one picture in
    several colours is another, such as dry and green grass. Of several terrains of one ground only
    the first has a family, and stands for all.
    """
    waters: list[int] = []
    members_of_picture: dict[str, list[int]] = defaultdict(list)
    ground_code = ground_codes(terrain_set)
    walled = is_walled(terrain_set)
    for code, terrain in enumerate(terrain_set.terrains):
        if terrain.asset or walled[code] or ground_code[code] != code:
            continue
        if terrain.water:
            waters.append(code)
        elif terrain.ground or terrain.picture:
            members_of_picture[ground_picture_name(terrain)].append(code)

    result = np.full(len(terrain_set.terrains), NO_FAMILY, np.intp)
    fading_left = MAX_FADING
    # Waters come first, so that no other family takes their room.
    pictures = sorted(members_of_picture)
    families_in_order = [waters, *(members_of_picture[picture] for picture in pictures)]
    for number, codes in enumerate(families_in_order, 1):
        if 1 < len(codes) <= fading_left:
            result[codes] = number
            fading_left -= len(codes)
    return result


@registered(bytes_each=2 * KB)
@lru_cache(4)
def fading_terrains(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the terrains of a set that have a family, by their priority, the lowest first."""
    order = np.argsort(priorities(terrain_set))
    return np.asarray(order[families(terrain_set)[order] != NO_FAMILY])


def is_walled(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which terrains of a set have walls around them: shape (terrains,).

    A picture of the user's own (asset) counts by its name, too: no ground reaches into it anyway.
    """
    return np.array([picture_of(terrain) in WALLED for terrain in terrain_set.terrains])


@registered(bytes_each=2 * KB)
@lru_cache(4)
def built_up(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which terrains of a set have houses, by their pictures: shape (terrains,)."""
    return np.array([picture_of(terrain) in BUILT_UP for terrain in terrain_set.terrains])


def picture_of(terrain: Terrain) -> str:
    """Return the name of the picture of a terrain, even if there is no picture of that name."""
    return terrain.picture or terrain.name
