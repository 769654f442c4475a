"""The groups of the pictures of terrains: which parts of a picture there are for which cells.

A picture is an SVG file whose groups have names: the layout, what the group is for, with a side of
the cell if that matters, and the number of the variant from 1 on::

    flat-cell-2       the second variant of what stands on a single cell (flat-topped hexes)
    flat-side3-1      goes with it over the side 3 if the cell beyond shows the same (a wood)
    flat-pair3-1      stands on two cells (``SpanKind.name``)
    flat-rim-1        stands at the rim of a range of hills
    flat-stray0-1     trees that have strayed from a wood over the side 0
    flat-way1-1       a bridge from the side 1 to the opposite one
    flat-wall2-1      the wall of a castle on the side 2
    flat-tower2-1     its tower on the corner 2

``packaging/pictures/compose.py`` draws them.

``PictureGroups`` counts them for all terrains of a set, as arrays; ``features`` and ``walls``
choose from them for each cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.ranges import RANGES
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_pictures import VARIANTS, Pictures
from app.render.scene.landscape.ground_traits import WALLED, WallKind, ground_codes, picture_of
from app.render.scene.landscape.spans import kinds_of
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

MAX_VARIANTS = 8
"""Pictures have at most so many variants of what stands on a single cell.

If a picture has as many, the first half stands in some patches of the map, the other half in the
others. Of ranges the first half stands within, and the numbers of the other half are used for the
variants of their rim.
"""

FIRST_RIM_VARIANT = MAX_VARIANTS // 2
"""The first variant of the rims of ranges: those below are of cells within them."""

FLOATING = "Ice"
"""The picture whose strays drift in water."""

HEIGHTS = {**RANGES, "Cave wall": max(RANGES.values()) + 1}
"""Pictures with a rim, each with a number that is larger the higher the land is.

They are those of ranges, and the rock of caves, which is higher than all of them.
"""

WAY_SIDES = 3
"""Ways through a cell lead to two opposite sides, of which the first is one of these: 0 to 2."""

OPEN_LAND = frozenset(
    {
        "Plains",
        "Grassland",
        "Beach",
        "Sand",
        "Desert",
        "Heath",
        "Rough",
        "Hills",
        "Swamp",
        "Bog",
        "Badlands",
        "Country town",
        "Dirt",
        "Cobbles",
        "Cave floor",
        "Flowers",
    }
)
"""The pictures of land on which single trees may stand that stray from a wood beside it."""


class PictureGroups(NamedTuple):
    """The groups that the pictures of a terrain set have for one layout.

    Arrays have a value for each terrain, shape (terrains,); some have one value more, the last,
    which the code -1 finds: that of a neighbour where the map has no cell.
    """

    prefix: str
    """The first word of the names of groups: the name of the layout whose groups are used."""

    sides: tuple[int, ...]
    """The sides over which a cell closes up, three of hexes and two of squares: over the opposite
    ones the neighbours do."""

    variants: NDArray[np.intp]
    """The number of variants of what stands on a single cell."""

    closes_up: NDArray[np.bool_]
    """True if something stands on the sides between two cells with the same picture (a wood)."""

    has_spans: NDArray[np.bool_]
    """True if there are pictures that stand on two or three cells."""

    has_strays: NDArray[np.bool_]
    """True if trees stray from it into other land."""

    is_open: NDArray[np.bool_]
    """True for land into which trees stray; has a value for -1, False."""

    drifts: NDArray[np.bool_]
    """True for what strays into water instead of open land (the floes of ice)."""

    is_water: NDArray[np.bool_]
    """True for water, into which floes drift; has a value for -1, False."""

    rims: NDArray[np.intp]
    """The number of variants of cells at the rim of a range, 0 for what makes no range."""

    height: NDArray[np.intp]
    """The number of ``HEIGHTS``, 0 for all else; has a value for -1, the highest, so that ranges
    seem to go on beyond the map."""

    first_with_picture: NDArray[np.intp]
    """The first terrain of the set that has the same picture; has a value for -1, which is -1."""

    walled: NDArray[np.intp]
    """The number of ``WALLED``, 0 for what has no walls."""

    wall_terrain: NDArray[np.intp]
    """The terrain whose picture has the walls: of a bridge over a chasm the chasm, else itself."""

    way_side: NDArray[np.intp]
    """The first of the two opposite sides to which a way through the cell leads (a bridge), -1 for
    what has no way; has a value for -1, which is -1."""


def group_prefix(layout: Layout) -> str:
    """Return the word with which the names of a layout's groups begin in pictures."""
    if layout.name == "oblique":  # its cells have the shape of pointy hexes
        return "pointy"
    return layout.name


def groups_of(layout: Layout, terrain_set: TerrainSet, pictures: Pictures) -> PictureGroups:
    """Count the groups of the pictures of a set's terrains for a layout."""
    terrains = terrain_set.terrains
    prefix = group_prefix(layout)
    groups_of_terrains = [
        _GroupCounts(pictures.picture_of_groups(terrain), prefix) for terrain in terrains
    ]
    # A pair of cells has its picture over the first of its two sides.
    sides = tuple(kind.sides[0] for kind in kinds_of(layout) if kind.name.startswith("pair"))
    # Woods are drawn for all sides or for none, so one side tells of all.
    closes_up = _has_group(groups_of_terrains, f"side{sides[0]}")
    has_spans = _has_group(groups_of_terrains, f"pair{sides[0]}")
    has_strays = _has_group(groups_of_terrains, "stray0")
    variants = []
    for terrain_groups in groups_of_terrains:
        # A picture without groups for cells is the same as on boards.
        cell_variants = terrain_groups.number_of("cell") or VARIANTS
        variants.append(min(MAX_VARIANTS, cell_variants))

    drifts = [picture_of(terrain) == FLOATING for terrain in terrains]
    rims = [
        min(terrain_groups.number_of("rim"), FIRST_RIM_VARIANT)
        for terrain_groups in groups_of_terrains
    ]

    # These have one value more, for the code -1: that of a neighbour where the map has no cell.
    is_open = _open_land(terrain_set, closes_up)
    is_open.append(False)
    is_water = [terrain.water for terrain in terrains]
    is_water.append(False)
    heights = [HEIGHTS.get(picture_of(terrain), 0) for terrain in terrains]
    heights.append(max(heights, default=0))  # the highest of this set
    way_sides = [terrain_groups.way_side() for terrain_groups in groups_of_terrains]
    way_sides.append(-1)

    walled, wall_terrain = _walls(terrain_set, groups_of_terrains)
    return PictureGroups(
        prefix=prefix,
        sides=sides,
        variants=np.array(variants, np.intp),
        closes_up=closes_up,
        has_spans=has_spans,
        has_strays=has_strays,
        is_open=np.array(is_open, np.bool_),
        drifts=np.array(drifts, np.bool_),
        is_water=np.array(is_water, np.bool_),
        rims=np.array(rims, np.intp),
        height=np.array(heights, np.intp),
        first_with_picture=_first_with_picture(terrain_set),
        walled=walled,
        wall_terrain=wall_terrain,
        way_side=np.array(way_sides, np.intp),
    )


def _has_group(groups_of_terrains: list[_GroupCounts], kind: str) -> NDArray[np.bool_]:
    """Return which terrains have pictures with groups of a kind, (terrains,)."""
    has_group = [terrain_groups.number_of(kind) > 0 for terrain_groups in groups_of_terrains]
    return np.array(has_group, np.bool_)


def _open_land(terrain_set: TerrainSet, closes_up: NDArray[np.bool_]) -> list[bool]:
    """Return for each terrain whether trees from a wood beside it may stand on it."""
    is_open = []
    for terrain, is_wood in zip(terrain_set.terrains, closes_up.tolist(), strict=True):
        is_open_picture = picture_of(terrain) in OPEN_LAND
        # A picture of the user's own (asset) is shown as it is.
        is_land_of_ours = not terrain.water and not terrain.asset
        is_open.append(is_open_picture and is_land_of_ours and not is_wood)
    return is_open


def _walls(
    terrain_set: TerrainSet, groups_of_terrains: list[_GroupCounts]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return ``PictureGroups.walled`` and ``wall_terrain`` for the terrains of a set."""
    walled = np.zeros(len(groups_of_terrains), np.intp)
    for code, terrain_groups in enumerate(groups_of_terrains):
        if terrain_groups.is_drawn:
            walled[code] = WALLED.get(picture_of(terrain_set.terrains[code]), 0)

    # A bridge over a chasm looks like the chasm: the walls of the chasm go on below it.
    wall_terrain = np.arange(len(groups_of_terrains), dtype=np.intp)
    for code, ground_code in enumerate(ground_codes(terrain_set).tolist()):
        if walled[ground_code] == WallKind.PIT:
            walled[code] = WallKind.PIT
            wall_terrain[code] = ground_code
    return walled, wall_terrain


class _GroupCounts(NamedTuple):
    """Counts the groups of a picture for one layout; without a picture there are none."""

    picture: SvgPicture | None
    """The picture of what stands on a terrain; None if nothing does."""

    prefix: str
    """The first word of the names of groups, see ``group_prefix``."""

    @property
    def is_drawn(self) -> bool:
        """True if there is a picture."""
        return self.picture is not None

    def number_of(self, kind: str) -> int:
        """Return how many groups of a kind there are, such as ``cell``."""
        if self.picture is None:
            return 0
        return self.picture.count(f"{self.prefix}-{kind}")

    def way_side(self) -> int:
        """Return the first side to which the way in the picture leads, -1 if there is none."""
        for side in range(WAY_SIDES):
            if self.number_of(f"way{side}"):
                return side
        return -1


def _first_with_picture(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return ``PictureGroups.first_with_picture`` of the terrains of a set, (terrains + 1,)."""
    code_of_picture: dict[str, int] = {}
    codes = []
    for code, terrain in enumerate(terrain_set.terrains):
        codes.append(code_of_picture.setdefault(picture_of(terrain), code))
    codes.append(-1)
    return np.array(codes, np.intp)
