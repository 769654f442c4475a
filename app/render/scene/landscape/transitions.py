"""The grounds of landscapes: that of a higher terrain reaches into the cells of lower ones.

Water has a shore: where land reaches into its cells the water is shallow, with a rim of sand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from app.render.cell_geometry import cell_box
from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.pictures.ground_phase import PHASES, hash_cells, phase_of
from app.render.piece import Mask, Piece
from app.render.scene.batch import Batch
from app.render.scene.landscape.edge_masks import LEVELS, VARIANTS, lines, region
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain, TerrainSet

ORDER = (
    ("Void",),
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
    ("Plains", "Grassland"),
    ("Farmland", "Field", "Crops"),
    ("Heath", "Rough"),
    ("Brambles", "Vineyard", "Orchard", "Olive grove", "Fruit trees"),
    ("Tree", "Woods", "Deciduous trees", "Palm trees", "Jungle"),
    ("Conifers", "Coniferous trees"),
    ("Badlands",),
    ("Hills",),
    ("Stone", "Cliff", "Mountains", "Mountain"),
    ("High mountains",),
    ("Drift", "Ice"),
    ("Snow",),
    ("Volcano",),
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

RIM = ((3, 0.3), (4, 0.5))
"""The soft rim of a transition: levels of its mask in the colour of the ground, with opacities."""

DEPTHS = ((0, 0.14), (1, 0.2), (2, 0.28), (3, 0.38), (4, 0.5))
"""As ``RIM``, where water runs over deeper water."""

SHALLOWS = ((0, 0.22), (1, 0.3))
"""The shallow water of a shore, as ``RIM``."""

SHALLOW = QColor("#d8eef2")

BEACH = ((2, 0.5), (3, 0.75))
"""The sand of a shore, as ``RIM``."""

SAND = QColor("#dcc68c")

FOAM = ((1, 0.018, 0.4, (9.0, 8.0, 4.0, 6.0)), (2, 0.03, 0.6, (14.0, 2.0, 6.0, 2.5, 9.0, 3.0)))
"""The foam of a shore: levels of its mask with widths (map units), opacities and dashes (widths).
"""

NO_SHORE = "Ice"
"""The picture of land without a beach: it meets water as other land does land."""

WASH = 16
"""So many rows and columns of opacities has a wash."""

STRONGEST_WASH = 0.85

MASKS = 256
"""More than the number of masks."""


def ground_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the ground of every cell, in the tint of its elevation."""

    def make(code: int) -> Piece:
        picture, level = divmod(code, TINTS)
        terrain, phase = divmod(picture, PHASES)
        return ground(pieces, terrain, phase, level + DEEPEST)

    places = np.arange(len(part.cells), dtype=np.intp)
    phase = phase_of(part.grid, part.cells)
    codes = (part.terrain * PHASES + phase) * TINTS + part.elevation - DEEPEST
    yield Batch(pieces.numbers("ground", codes, make), places)


def ground(pieces: Pieces, terrain: int, phase: int, elevation: int) -> Piece:
    """Return the ground of a cell, in the tint of its elevation."""

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)

    colour = pieces.ground_colour(terrain, elevation)
    outline = pieces.outline
    key = ("ground", terrain, phase, elevation)
    return Piece(key, outline.boundingRect(), draw, outline, colour, terrain=terrain)


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Shores, then the transitions from the lowest terrain to the highest."""
    degree = pieces.layout.degree
    own = part.terrain
    rank = priorities(pieces.terrain_set)
    rank_of = np.append(rank, -1)  # the last one is that of "no cell"
    around = part.terrain_around
    if degree == 4:
        around = np.concatenate([around, part.terrain_at_corners])
    above = rank_of[around] > rank[own]
    foreign = np.array([bool(terrain.asset) for terrain in pieces.terrain_set.terrains])
    if foreign.any():  # a picture of one's own is shown as it is
        above &= ~(foreign[own] | np.append(foreign, False)[around])
    places = np.flatnonzero(above.any(axis=0))
    if not len(places):
        return
    level = part.rises[:, places] == 0  # a step is an edge by itself
    beyond = np.where(above[:, places], around[:, places], -1)
    variants = hash_cells(part.cells[places], 4) % VARIANTS
    phases = phase_of(part.grid, part.cells[places])
    if pieces.coarse:
        variants = np.zeros_like(variants)
        phases = np.zeros_like(phases)
    terrains = pieces.terrain_set.terrains
    water = np.array([terrain.water for terrain in terrains])
    beaches = [not (each.water or picture_of(each) == NO_SHORE) for each in terrains]
    wet = water[own[places]]
    if wet.any():
        land = (beyond >= 0) & np.array([*beaches, False])[beyond] & wet
        masks = _masks(land, degree)
        cells = np.flatnonzero(masks)
        codes = masks[cells] * VARIANTS + variants[cells]
        numbers = pieces.numbers("shore", codes, partial(_shore, pieces))
        yield Batch(numbers, places[cells])
    tint = part.elevation[places] - DEEPEST
    beyond[~level] = -1
    soft = part.system.corner_heights is not None
    laid: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    present = np.flatnonzero(np.bincount(beyond.ravel() + 1)[1:])
    for terrain in present[np.argsort(rank[present])].tolist():
        masks = _masks(beyond == terrain, degree)
        cells = np.flatnonzero(masks)
        if soft:
            washes = (terrain * MASKS + masks[cells]) * TINTS + tint[cells]
            yield Batch(pieces.numbers("wash", washes, partial(_wash, pieces)), places[cells])
        codes = (terrain * MASKS + masks[cells]) * VARIANTS + variants[cells]
        codes = codes * PHASES + phases[cells]
        laid.append((codes * TINTS + tint[cells], places[cells]))
    if not laid:
        return
    codes, cells = (np.concatenate(each) for each in zip(*laid, strict=True))
    yield Batch(pieces.numbers("transition", codes, partial(_transition, pieces)), cells)


@registered(bytes_each=150 * KB)
@lru_cache(4)
def priorities(terrain_set: TerrainSet) -> NDArray[np.intp]:
    """Return the priority of each terrain of a set, all different: shape (terrains,).

    That is by ``Terrain.priority``, a row of ``ORDER``, or else by the meaning of its picture.
    """
    ranks = [
        _RANKS.get(picture_of(terrain), 0.5 if terrain.water else UNKNOWN)
        if terrain.priority is None
        else terrain.priority
        for terrain in terrain_set.terrains
    ]
    result = np.empty(len(ranks), np.intp)
    result[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return result


@registered(bytes_each=2 * KB)
@lru_cache(4)
def built_up(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return which terrains of a set have houses, by their pictures: shape (terrains,)."""
    return np.array([picture_of(terrain) in BUILT_UP for terrain in terrain_set.terrains])


def picture_of(terrain: Terrain) -> str:
    """Return the name of the picture of a terrain."""
    return terrain.picture or terrain.name


def _masks(beyond: NDArray[np.bool_], degree: int) -> NDArray[np.intp]:
    """The masks (n,) of cells beyond some of whose sides and corners a terrain lies.

    ``beyond`` (sides, or sides and corners, n). Corners count where neither side beside them does.
    """
    if len(beyond) > degree:
        sides = beyond[:degree]
        corners = beyond[degree:]
        beyond = np.concatenate([sides, corners & ~sides & ~np.roll(sides, 1, axis=0)])
    return (1 << np.arange(len(beyond))) @ beyond


def _transition(pieces: Pieces, code: int) -> Piece:
    """The ground of a terrain within a mask, with a soft rim."""
    picture, tint = divmod(code, TINTS)
    drawn, phase = divmod(picture, PHASES)
    place, variant = divmod(drawn, VARIANTS)
    terrain, mask = divmod(place, MASKS)
    elevation = tint + DEEPEST
    whole = ground(pieces, terrain, phase, elevation)
    covered = partial(region, pieces.layout, mask, variant)
    rim = DEPTHS if pieces.terrain_set.terrains[terrain].water else RIM

    def under(painter: QPainter) -> None:
        colour = pieces.ground_colour(terrain, elevation)
        _fill_levels(painter, pieces, mask, variant, colour, rim)

    def draw_mask(painter: QPainter) -> None:
        levels = (*rim, (LEVELS - 1, 1.0))
        _fill_levels(painter, pieces, mask, variant, QColor("#000000"), levels)

    return Piece(
        ("transition", terrain, mask, variant, phase, elevation),
        _box(covered(rim[0][0])),
        whole.draw,
        covered(LEVELS - 1),
        whole.draft,
        under,
        whole,
        terrain,
        Mask((mask, variant, rim), draw_mask),
    )


def _wash(pieces: Pieces, code: int) -> Piece:
    """The colour of a terrain that fades out over a whole square, from where the terrain lies."""
    place, tint = divmod(code, TINTS)
    terrain, mask = divmod(place, MASKS)
    colour = QColor(pieces.ground_colour(terrain, tint + DEEPEST))
    image = QImage(WASH, WASH, QImage.Format.Format_ARGB32)
    for (row, column), share in np.ndenumerate(wash_opacity(mask)):
        colour.setAlphaF(float(share))
        image.setPixelColor(column, row, colour)
    box = cell_box(pieces.layout)

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, image)

    return Piece(("wash", terrain, mask, tint), box, draw)


def wash_opacity(mask: int) -> NDArray[np.float64]:
    """Return how strong a wash is in a square, from 0 to 1, in ``WASH`` rows and columns.

    At a side between two squares without the terrain it is the same in both.
    """
    sides = np.array([mask >> side & 1 for side in range(4)])
    alone = np.array([mask >> 4 + corner & 1 for corner in range(4)])
    a, b, c, d = (alone | sides | np.roll(sides, 1)).tolist()
    top, right, bottom, left = sides.tolist()
    nodes = np.array([[a, top, b], [left, min(0.35 * sides.sum(), 0.7), right], [d, bottom, c]])
    halves = np.linspace(0.0, 2.0, WASH)
    part = halves - np.minimum(np.floor(halves), 1.0)
    at = np.minimum(np.floor(halves), 1.0) + part * part * (3 - 2 * part)
    weights = np.maximum(0.0, 1.0 - np.abs(at[:, None] - np.arange(3)))
    return np.asarray(STRONGEST_WASH * (weights @ nodes @ weights.T))


def _shore(pieces: Pieces, code: int) -> Piece:
    """Shallow water and sand along a mask."""
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
    for level, opacity in levels:
        shade = QColor(colour)
        shade.setAlphaF(opacity)
        path = QPainterPath()
        path.addPolygon(region(pieces.layout, mask, variant, level))
        painter.fillPath(path, shade)


def _box(covered: QPolygonF) -> QRectF:
    return covered.boundingRect().adjusted(-0.02, -0.02, 0.02, 0.02)
