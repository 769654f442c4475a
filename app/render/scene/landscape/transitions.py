"""The grounds of landscapes: that of a higher terrain reaches into the cells of lower ones.

Three things are drawn in this order: the ground of every cell, into which waters beside it fade
(``ground_batches``); the shores, where land reaches into the cells of water, with shallows and
sand; and the transitions, the ground of higher terrains within a mask with a soft rim (both
``batches``).

What a piece looks like is told by one number, so that ``numpy`` finds the different ones among many
cells: ``_FadeCode`` and ``_TransitionCode`` say what it is made of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from app.render.cell_geometry import cell_outline, neighbour_centres
from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import MARGIN, PHASES, hash_cells
from app.render.pictures.terrain_pictures import ground_picture_name
from app.render.piece import Mask, Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.edge_masks import LEVELS, VARIANTS, lines, region
from app.render.scene.part import ScenePart, bit_masks
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import Terrain, TerrainSet

ORDER = (
    ("Void", "Chasm"),
    ("Deep sea",),
    ("Open sea", "Sea"),
    ("Lake", "River"),
    ("Shallows",),
    ("TarPit",),
    ("Spring",),
    ("Swamp", "Bog", "Marsh"),
    ("Mist",),
    ("Beach",),
    ("Sand", "Desert"),
    ("Cave floor", "Rocky cave"),
    ("Dirt",),
    ("Cobbles",),
    ("Plains", "Grassland"),
    ("Farmland", "Field", "Crops"),
    ("Heath", "Rough"),
    ("Brambles", "Vineyard", "Orchard", "Olive grove", "Fruit trees"),
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
    ("Pavement", "Tower", "Houses", "Settlement", "Village", "Town", "City"),
    ("Country town", "Streets"),
)
"""Pictures from the lowest terrain to the highest; a higher one reaches into a lower one's cell.

Pictures in one row are ordered by the terrain set, and so are unknown ones, above the plains.
"""

BUILT_UP = frozenset((*ORDER[-2], *ORDER[-1]))
"""The pictures of towns."""

_RANKS = {picture: rank for rank, row in enumerate(ORDER) for picture in row}

UNKNOWN = _RANKS["Plains"] + 0.5
"""The rank of pictures without a row in ``ORDER``."""

WALLED = {
    **dict.fromkeys(("Castle", "Keep", "Encampment", "Chief's camp"), 1),
    "Cave wall": 2,
}
"""Pictures of ground with walls around it: one wall goes around all of one number."""

BENT_WALLS = 2
"""The number of ``WALLED`` whose walls bend where its cells meet, and have no towers there."""

CRISP = ((4, 0.3), (5, 0.5))
"""The soft rim of a transition: levels of its mask in the colour of the ground, with opacities.

This is the narrow one, of coasts and of what people made."""

SOFT = ((0, 0.1), (1, 0.14), (2, 0.2), (3, 0.27), (4, 0.36), (5, 0.5))
"""The wide rim of land in the cells of other land: one fades into the other."""

CRISP_PICTURES = frozenset(
    {
        *("Void", "Mist", "Ice", "Cliff", "Pavement", "Streets", "Tower", "Farmland", "Field"),
        *("Crops", "Vineyard", "Earthworks", "Cobbles", "Cave floor", "Rocky cave", "Chasm"),
        *("Lava",),
    }
)
"""Pictures with a ``CRISP`` rim in the cells of other land, too."""

FADE_PIXELS = 24
"""The image in which one water fades out over a cell of another has so many rows and columns."""

FADE_CURVE = 2.5
"""With a larger exponent waters keep their own colour for longer before they fade."""

MOST_WATERS = 64
"""No more terrains of a set fade: the codes of their grounds would be too large."""

SHALLOWS = ((0, 0.08), (1, 0.11), (2, 0.14), (3, 0.18))
"""The shallow water of a shore, as ``CRISP``."""

SHALLOW = QColor("#d8eef2")
"""The colour of the shallow water of a shore."""

BEACH = ((4, 0.5), (5, 0.7))
"""The sand of a shore, as ``CRISP``."""

SAND = QColor("#dcc68c")
"""The colour of the sand of a shore."""

FOAM = ((3, 0.018, 0.22, (14.0, 9.0, 6.0, 16.0, 9.0, 12.0)),)
"""The foam of a shore: levels of its mask with widths (map units), opacities and dashes (widths).
"""

NO_SHORE = "Ice"
"""The picture of land without a beach: it meets water as other land does land."""

MASKS = 256
"""Masks are below this: the sides and, of squares, the corners are 8 bits at most."""


class _FadeCode(NamedTuple):
    """The waters that fade into a cell: numbers, or arrays (n,) of those of several cells.

    The waters are told by their places among ``_waters_of`` a terrain set.
    """

    lowest: Any
    """The lowest of the other waters around the cell, 0 if ``low_mask`` is 0."""
    low_mask: Any
    """Where the lowest one lies: a bit mask of the sides, then of the corners."""
    highest: Any
    """The highest of the other waters, 0 if ``high_mask`` is 0."""
    high_mask: Any
    """Where the highest one lies; 0 if there is only one other."""
    dry_mask: Any
    """Where no water lies."""

    def joined(self, water_count: int) -> Any:
        """Return the code as one number, or one array."""
        low = self.lowest * MASKS + self.low_mask
        high = (low * water_count + self.highest) * MASKS + self.high_mask
        return high * MASKS + self.dry_mask

    @classmethod
    def split(cls, number: int, water_count: int) -> _FadeCode:
        """Return the code of a number of ``joined``."""
        remainder, dry_mask = divmod(number, MASKS)
        remainder, high_mask = divmod(remainder, MASKS)
        remainder, highest = divmod(remainder, water_count)
        lowest, low_mask = divmod(remainder, MASKS)
        return cls(lowest, low_mask, highest, high_mask, dry_mask)


class _TransitionCode(NamedTuple):
    """A transition: numbers, or arrays (n,) of those of several."""

    terrain: Any
    """The terrain whose ground reaches into the cell."""
    mask: Any
    """From where it does: a bit mask of the sides, then of the corners."""
    variant: Any
    """Which of the ``VARIANTS`` of the mask is used."""
    phase: Any
    """The phase of the ground's picture."""
    is_crisp: Any
    """1 for a ``CRISP`` rim, 0 for a ``SOFT`` one."""
    tint: Any
    """The elevation, from ``DEEPEST`` on."""

    def joined(self) -> Any:
        """Return the code as one number, or one array."""
        shape = (self.terrain * MASKS + self.mask) * VARIANTS + self.variant
        return ((shape * PHASES + self.phase) * 2 + self.is_crisp) * TINTS + self.tint

    @classmethod
    def split(cls, number: int) -> _TransitionCode:
        """Return the code of a number of ``joined``."""
        remainder, tint = divmod(number, TINTS)
        remainder, is_crisp = divmod(remainder, 2)
        remainder, phase = divmod(remainder, PHASES)
        remainder, variant = divmod(remainder, VARIANTS)
        terrain, mask = divmod(remainder, MASKS)
        return cls(terrain, mask, variant, phase, is_crisp, tint)


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the ground of every cell, in the tint of its elevation; waters fade into others."""
    rows = np.arange(len(part.cells), dtype=np.intp)
    terrain = traits_of(pieces.terrain_set).look[part.terrain]
    codes = (terrain * PHASES + part.phases) * TINTS + part.elevation - DEEPEST
    make_whole = partial(_ground_of_code, pieces)
    fading_rows, fades = _fades(pieces, part)
    if not len(fading_rows):
        yield Batch(pieces.numbers("ground", codes, make_whole), rows)
        return

    numbers = np.empty(len(rows), np.intp)
    is_whole = np.ones(len(rows), np.bool_)
    is_whole[fading_rows] = False
    numbers[is_whole] = pieces.numbers("ground", codes[is_whole], make_whole)
    fading_codes = fades * _ground_code_count(pieces) + codes[fading_rows]
    make_fading = partial(_fading_ground, pieces)
    numbers[fading_rows] = pieces.numbers("fading", fading_codes, make_fading)
    yield Batch(numbers, rows)


def _ground_code_count(pieces: Pieces) -> int:
    """Return the number of codes of grounds: terrain, phase and tint."""
    return len(pieces.terrain_set.terrains) * PHASES * TINTS


def _ground_of_code(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a cell by its code: terrain, phase and tint."""
    terrain_and_phase, tint = divmod(code, TINTS)
    terrain, phase = divmod(terrain_and_phase, PHASES)
    return ground(pieces, terrain, phase, tint + DEEPEST)


def ground(pieces: Pieces, terrain: int, phase: int, elevation: int) -> Piece:
    """Return the ground of a cell, in the tint of its elevation."""

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)

    colour = pieces.ground_colour(terrain, elevation)
    outline = pieces.outline
    key = ("ground", terrain, phase, elevation)
    return Piece(key, outline.boundingRect(), draw, outline, colour, terrain=terrain)


def _fades(pieces: Pieces, part: ScenePart) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which cells have others beside them that fade into them, and what these are.

    That is their places (n,) among the cells of the part, and the numbers (n,) of ``_FadeCode``.
    All terrains that fade are called waters here, as most of them are. A third water around a cell
    counts as that of the other two and the cell's own whose colour is nearest to its colour.
    """
    nothing = np.zeros(0, np.intp)
    traits = traits_of(pieces.terrain_set)
    family = _families_in(traits, part)
    look = traits.look[part.terrain]
    can_fade = family[look] > 0
    if not can_fade.any():
        return nothing, nothing
    look_around = traits.look[_terrains_around(part)]
    is_water = (family[look_around] == family[look]) & can_fade
    rows = np.flatnonzero((is_water & (look_around != look)).any(axis=0))
    if not len(rows):
        return nothing, nothing

    # From here on only the cells with another water beside them; a step is an edge by itself.
    is_water = is_water[:, rows] & (part.rises[:, rows] == 0)
    is_other = is_water & (look_around[:, rows] != look[rows])
    water_count = len(_waters_by_priority(pieces))
    number = traits.water_number[look_around[:, rows]]
    lowest = np.where(is_other, number, water_count).min(axis=0)
    highest = np.where(is_other, number, -1).max(axis=0)
    has_two = highest != lowest
    number = _without_thirds(
        pieces.terrain_set, is_other, number, lowest, highest, traits.water_number[look[rows]]
    )

    low_mask = bit_masks(is_other & (number == lowest))
    high_mask = bit_masks(is_other & (number == highest) & has_two)
    code = _FadeCode(
        lowest=np.where(low_mask > 0, lowest, 0),
        low_mask=low_mask,
        highest=np.where(high_mask > 0, highest, 0),
        high_mask=high_mask,
        dry_mask=bit_masks(~is_water),
    )
    return rows, code.joined(water_count)


def _without_thirds(
    terrain_set: TerrainSet,
    is_other: NDArray[np.bool_],
    number: NDArray[np.intp],
    lowest: NDArray[np.intp],
    highest: NDArray[np.intp],
    own_number: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Return the numbers (sides, n) of the waters around cells, with at most two others a cell.

    ``is_other`` says where another water than the cell's lies. One that is neither the ``lowest``
    nor the ``highest`` (n,) of them gets the number of that of these two whose colour is nearer,
    if it is nearer than that of the cell's own water (``own_number``).
    """
    is_third = is_other & (number != lowest) & (number != highest)
    if not is_third.any():
        return number
    distances = _colour_distances(terrain_set)
    to_lowest = distances[number, lowest]
    to_highest = distances[number, highest]
    to_own = distances[number, own_number]
    like_lowest = is_third & (to_lowest <= to_highest) & (to_lowest < to_own)
    like_highest = is_third & (to_highest < to_lowest) & (to_highest < to_own)
    return np.where(like_lowest, lowest, np.where(like_highest, highest, number))


def _fading_ground(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a water into which other waters fade from the sides.

    ``code`` is that of the fades, times the number of codes of grounds, plus that of the ground.
    """
    fades, ground_code = divmod(code, _ground_code_count(pieces))
    whole = _ground_of_code(pieces, ground_code)
    elevation = ground_code % TINTS + DEEPEST

    waters = _waters_by_priority(pieces)
    fade = _FadeCode.split(fades, len(waters))
    opacities = fade_opacities(pieces.layout, fade.low_mask, fade.high_mask, fade.dry_mask)
    images = []
    for water, opacity in zip((fade.lowest, fade.highest), opacities, strict=True):
        if opacity.any():
            colour = pieces.ground_colour(int(waters[water]), elevation)
            images.append(_fade_image(opacity, colour))
    box = _fade_box(pieces.layout)

    def over(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image in images:
            painter.drawImage(box, image)

    return Piece(
        ("fading", fades, ground_code),
        whole.box,
        whole.draw,
        whole.clip,
        whole.draft,
        part_of=whole,
        over=over,
    )


def _fade_box(layout: Layout) -> QRectF:
    """Return the box of a fade: a little larger than a cell, as grounds are."""
    return cell_outline(layout, 1 + MARGIN).boundingRect()


def _fade_image(opacity: NDArray[np.float64], colour: QColor) -> QImage:
    """Return a colour in these opacities."""
    alpha = np.rint(opacity * 255).astype(np.uint32)
    pixels = np.ascontiguousarray(alpha << 24 | np.uint32(colour.rgb() & 0xFFFFFF))
    size = FADE_PIXELS
    return QImage(pixels.tobytes(), size, size, QImage.Format.Format_ARGB32).copy()


def fade_opacities(
    layout: Layout, low_mask: int, high_mask: int, dry: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how strongly two other waters show in the box of a cell, the second over the first.

    Each has ``FADE_PIXELS`` rows and columns. At every point the waters around have their share by
    ``_nearness``; where no water lies (``dry``) is left out. Cells beside each other agree along
    their side.
    """
    nearness = _nearness(layout)
    bits = np.arange(len(nearness) - 1)
    is_low = low_mask >> bits & 1
    is_high = high_mask >> bits & 1
    is_own = 1 - is_low - is_high - (dry >> bits & 1)
    low = np.tensordot(is_low, nearness[1:], 1)
    high = np.tensordot(is_high, nearness[1:], 1)
    own_water = nearness[0] + np.tensordot(is_own, nearness[1:], 1)
    return low / (low + own_water), high / (low + own_water + high)


@registered(count=6, bytes_each=45 * KB)
@cache
def _nearness(layout: Layout) -> NDArray[np.float64]:
    """Return how near points in the box of a cell are to its centre and to those of its neighbours.

    Shape (1 + neighbours, ``FADE_PIXELS``, ``FADE_PIXELS``). It is 0 from the distance on that no
    centre beyond the neighbours comes nearer to the cell: so the cells around agree.
    """
    reach = 1.5 if layout.degree == 4 else 2.0
    box = _fade_box(layout)
    steps = (np.arange(FADE_PIXELS) + 0.5) / FADE_PIXELS
    x = (box.left() + steps * box.width())[None, :]
    y = (box.top() + steps * box.height())[:, None]
    result = []
    for centre_x, centre_y in [(0.0, 0.0), *neighbour_centres(layout)]:
        distance = np.hypot(x - centre_x, y - centre_y) / reach
        result.append(np.maximum(1 - distance * distance, 0.0) ** FADE_CURVE)
    return np.array(result)


@registered(bytes_each=2 * KB)
@lru_cache(4)
def _waters_of(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the terrains of a set that fade into others, by their priority."""
    order = np.argsort(priorities(terrain_set))
    return np.asarray(order[families(terrain_set)[order] > 0])


@registered(bytes_each=40 * KB)
@lru_cache(4)
def _colour_distances(terrain_set: TerrainSet) -> NDArray[np.float64]:
    """Return how far the colours of ``_waters_of`` a set are apart: shape (waters, waters)."""
    colours = []
    for terrain in _waters_of(terrain_set).tolist():
        colour = QColor(terrain_set.terrains[terrain].colour)
        colours.append((colour.red(), colour.green(), colour.blue()))
    rgb = np.array(colours, np.float64).reshape(-1, 3)
    return np.asarray(np.linalg.norm(rgb[:, None] - rgb[None], axis=-1), np.float64)


def families(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return which terrains of a set fade into each other: shape (terrains,), those with the same
    number, 0 for none.

    Waters are one family. The ground of one picture in several colours is another, such as dry and
    green grass. Of several terrains of one look the first stands for all.
    """
    members: dict[str, list[int]] = defaultdict(list)
    look = looks(terrain_set)
    walled = is_walled(terrain_set)
    for code, terrain in enumerate(terrain_set.terrains):
        if terrain.asset or walled[code] or look[code] != code:
            continue
        if terrain.water:
            members[""].append(code)
        elif terrain.ground or terrain.picture:
            members[ground_picture_name(terrain)].append(code)
    result = np.zeros(len(terrain_set.terrains), np.intp)
    room = MOST_WATERS
    for number, name in enumerate(sorted(members), 1):
        codes = members[name]
        if 1 < len(codes) <= room:
            result[codes] = number
            room -= len(codes)
    return result


def _families_in(traits: GroundTraits, part: ScenePart) -> NDArray[np.intp]:
    """Return the families of the terrains as in ``traits``; of waters alone where corners have
    heights.

    There the land is drawn as a surface.
    """
    if part.system.corner_heights is not None:
        return np.where(traits.is_water, traits.family, 0)
    return traits.family


def _waters_by_priority(pieces: Pieces) -> NDArray[np.intp]:
    return _waters_of(pieces.terrain_set)


def _terrains_around(part: ScenePart) -> NDArray[np.intp]:
    """Return the terrains beyond the sides, and beyond the corners of squares; -1 where no cell
    is.
    """
    if part.grid.degree == 4:
        return np.concatenate([part.terrain_around, part.terrain_at_corners])
    return part.terrain_around


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield shores, then the transitions from the lowest terrain to the highest."""
    traits = traits_of(pieces.terrain_set)
    look = traits.look[part.terrain]
    look_around = traits.look[_terrains_around(part)]
    reaches_in = _reaches_in(traits, _families_in(traits, part), look, look_around)
    rows = np.flatnonzero(reaches_in.any(axis=0))
    if not len(rows):
        return

    # From here on only the cells into which another ground reaches.
    beyond = np.where(reaches_in[:, rows], look_around[:, rows], -1)
    if pieces.coarse:  # fewer different pieces, for tiles of a map seen from afar
        variants = np.zeros(len(rows), np.intp)
        phases = variants
    else:
        variants = hash_cells(part.cells[rows], 4) % VARIANTS
        phases = part.phases[rows]

    is_water = traits.is_water[look[rows]]
    if is_water.any():
        masks = _joined_masks(bit_masks(traits.has_beach[beyond] & is_water), part.grid.degree)
        at_shore = np.flatnonzero(masks)
        codes = masks[at_shore] * VARIANTS + variants[at_shore]
        numbers = pieces.numbers("shore", codes, partial(_shore, pieces))
        yield Batch(numbers, rows[at_shore])

    beyond[part.rises[:, rows] != 0] = -1  # a step is an edge by itself
    reaching = _terrains_beyond(beyond, traits.priority, part.grid.degree)
    columns = reaching.columns
    if not len(columns):
        return
    code = _TransitionCode(
        terrain=reaching.terrains,
        mask=reaching.masks,
        variant=variants[columns],
        phase=phases[columns],
        is_crisp=traits.is_crisp[reaching.terrains] | is_water[columns],
        tint=part.elevation[rows[columns]] - DEEPEST,
    )
    numbers = pieces.numbers("transition", code.joined(), partial(_transition, pieces))
    yield Batch(numbers, rows[columns])


def _reaches_in(
    traits: GroundTraits,
    family: NDArray[np.intp],
    look: NDArray[np.intp],
    look_around: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Return beyond which sides and corners a ground lies that reaches into the cell, (sides, n).

    ``look`` (n,) are the grounds of the cells and ``look_around`` (sides, n) those around them.
    """
    result: NDArray[np.bool_] = traits.priority[look_around] > traits.priority[look]
    # A picture of the user's own is shown as it is, and walls stand where their ground ends.
    result &= ~(traits.is_foreign[look] | traits.is_foreign[look_around])
    result &= ~(traits.is_walled[look] | traits.is_walled[look_around])
    # Terrains of one family fade into each other (``_fades``).
    result &= (family[look] == 0) | (family[look_around] != family[look])
    return result


class _TerrainsBeyond(NamedTuple):
    """The terrains around cells, one entry for each terrain around each cell: arrays (k,)."""

    terrains: NDArray[np.intp]
    columns: NDArray[np.intp]
    """The places of the cells."""
    masks: NDArray[np.intp]
    """Where the terrain lies: bit masks of the sides, then of the corners."""


def _terrains_beyond(
    beyond: NDArray[np.intp], priority: NDArray[np.intp], degree: int
) -> _TerrainsBeyond:
    """Return the terrains around cells, ordered by their ``priority`` and then by cells.

    ``beyond`` (sides, or sides and corners, n) are terrains, -1 for what does not count.
    """
    sides, columns = np.nonzero(beyond >= 0)
    terrains = beyond[sides, columns]
    # All the sides of one cell beyond which one terrain lies have the same key.
    keys = priority[terrains] * beyond.shape[1] + columns
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(is_first)
    if not len(starts):  # ``reduceat`` needs one; all three arrays are empty
        return _TerrainsBeyond(terrains, columns, sides)
    masks = _joined_masks(np.bitwise_or.reduceat(1 << sides[order], starts), degree)
    firsts = order[starts]
    return _TerrainsBeyond(terrains[firsts], columns[firsts], masks)


def _joined_masks(masks: NDArray[np.intp], degree: int) -> NDArray[np.intp]:
    """Return masks (n,) of sides and corners without the corners at a side of the mask.

    What reaches in over a side covers both corners at it. Only masks of squares have corners: bits
    4 to 7, of which corner ``n`` lies between the sides ``n - 1`` and ``n``.
    """
    if degree == 6:
        return masks
    sides = masks & 15
    sides_turned = sides << 1 & 15 | sides >> 3  # each side as the next one
    corners_at_sides = sides | sides_turned
    return masks & ~(corners_at_sides << 4)


class GroundTraits(NamedTuple):
    """The properties of terrains by which the grounds of a terrain set meet.

    All are of shape (terrains + 1,): the last entry is that of -1, where no cell is.
    """

    look: NDArray[np.intp]
    """The first terrain that has the same ground (``looks``); -1 where no cell is."""
    priority: NDArray[np.intp]
    is_water: NDArray[np.bool_]
    is_foreign: NDArray[np.bool_]
    """It has a picture of the user's own."""
    has_beach: NDArray[np.bool_]
    is_crisp: NDArray[np.bool_]
    """It has a narrow rim in the cells of other land, too."""
    is_walled: NDArray[np.bool_]
    """It has walls around it."""
    family: NDArray[np.intp]
    """As in ``families``."""
    water_number: NDArray[np.intp]
    """Its place among the terrains that fade into others, -1 for all else."""


@registered(bytes_each=700 * KB)
@lru_cache(2)
def traits_of(terrain_set: TerrainSet) -> GroundTraits:
    """Return the traits of a terrain set."""
    terrains = terrain_set.terrains
    names = [ground_picture_name(terrain) for terrain in terrains]
    has_beach = [
        not terrain.water and name != NO_SHORE
        for terrain, name in zip(terrains, names, strict=True)
    ]
    waters = _waters_of(terrain_set)
    water_number = np.full(len(terrains) + 1, -1)
    water_number[waters] = np.arange(len(waters))
    return GroundTraits(
        np.append(looks(terrain_set), -1),
        np.append(priorities(terrain_set), -1),
        np.array([*(terrain.water for terrain in terrains), False]),
        np.array([*(bool(terrain.asset) for terrain in terrains), False]),
        np.array([*has_beach, False]),
        np.array([*(name in CRISP_PICTURES for name in names), False]),
        np.append(is_walled(terrain_set), False),
        np.append(families(terrain_set), 0),
        water_number,
    )


def priorities(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the priority of each terrain of a set, all different: shape (terrains,).

    That is by ``Terrain.priority``, a row of ``ORDER``, or else by the meaning of its ground.
    """
    ranks = [
        _RANKS.get(ground_picture_name(terrain), 0.5 if terrain.water else UNKNOWN)
        if terrain.priority is None
        else terrain.priority
        for terrain in terrain_set.terrains
    ]
    result = np.empty(len(ranks), np.intp)
    result[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return result


def looks(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return for each terrain of a set the first one that has the same ground: shape (terrains,).

    Between these nothing runs over: a wood that stands on the meadow has the meadow's ground.
    """
    first_of: dict[object, int] = {}
    result = []
    for code, terrain in enumerate(terrain_set.terrains):
        if terrain.ground and not terrain.asset:
            look: object = (terrain.ground, terrain.colour, terrain.priority, terrain.water)
        elif terrain.picture and not terrain.asset:
            look = (terrain.picture, terrain.colour, terrain.priority, terrain.water)
        else:
            look = code
        result.append(first_of.setdefault(look, code))
    return np.array(result, np.intp)


def is_walled(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which terrains of a set have walls around them: shape (terrains,)."""
    return np.array([picture_of(terrain) in WALLED for terrain in terrain_set.terrains])


@registered(bytes_each=2 * KB)
@lru_cache(4)
def built_up(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which terrains of a set have houses, by their pictures: shape (terrains,)."""
    return np.array([picture_of(terrain) in BUILT_UP for terrain in terrain_set.terrains])


def picture_of(terrain: Terrain) -> str:
    """Return the name of the picture of a terrain."""
    return terrain.picture or terrain.name


def _transition(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a terrain within a mask, with a soft rim, by its ``_TransitionCode``."""
    terrain, mask, variant, phase, is_crisp, tint = _TransitionCode.split(code)
    elevation = tint + DEEPEST
    whole = ground(pieces, terrain, phase, elevation)
    covered = partial(region, pieces.layout, mask, variant)
    rim = CRISP if is_crisp else SOFT

    def under(painter: QPainter) -> None:
        colour = pieces.ground_colour(terrain, elevation)
        _fill_levels(painter, pieces, mask, variant, colour, rim)

    def draw_mask(painter: QPainter) -> None:
        levels = (*rim, (LEVELS - 1, 1.0))
        _fill_levels(painter, pieces, mask, variant, QColor("#000000"), levels)

    return Piece(
        ("transition", terrain, mask, variant, phase, elevation, is_crisp),
        _box(covered(rim[0][0])),
        whole.draw,
        covered(LEVELS - 1),
        whole.draft,
        under,
        whole,
        terrain,
        Mask((mask, variant, rim), draw_mask),
    )


def _shore(pieces: Pieces, code: int) -> Piece:
    """Return the shallow water, sand and foam along a mask."""
    mask, variant = divmod(code, VARIANTS)

    def draw(painter: QPainter) -> None:
        _fill_levels(painter, pieces, mask, variant, SHALLOW, SHALLOWS)
        _fill_levels(painter, pieces, mask, variant, SAND, BEACH)
        for level, width, opacity, dashes in FOAM:
            pen = QPen(QColor.fromRgbF(1, 1, 1, opacity), width)
            pen.setDashPattern(dashes)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            for line in lines(pieces.layout, mask, variant, level):
                painter.drawPolyline(line)

    # Within the cell: beyond its edge no ground of a transition would cover the sand.
    box = _box(region(pieces.layout, mask, variant, 0))
    return Piece(("shore", mask, variant), box, draw, pieces.outline)


def _fill_levels(
    painter: QPainter,
    pieces: Pieces,
    mask: int,
    variant: int,
    colour: QColor,
    levels: tuple[tuple[int, float], ...],
) -> None:
    """Fill the levels of a mask, with their opacities, in a colour."""
    for level, opacity in levels:
        shade = QColor(colour)
        shade.setAlphaF(opacity)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # the parts of a mask may overlap
        path.addPolygon(region(pieces.layout, mask, variant, level))
        painter.fillPath(path, shade)


def _box(covered: QPolygonF) -> QRectF:
    return covered.boundingRect().adjusted(-0.02, -0.02, 0.02, 0.02)
