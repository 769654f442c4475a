"""The ground of terrains that run into one another: at each edge the higher one over the lower.

That is as 0 A.D. does it: of two neighbouring tiles the one with the higher priority, or of equal
ones the one with the later texture, is drawn over the edge, and fades out in the tile of the other.
Here the tiles around a pixel have shares in it by a spline, so that no edge or corner shows.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.cell_geometry import map_box
from app.render.cell_values.cell_colours import mix_colours
from app.render.cell_values.opacity_passes import OpacityPass
from app.render.pictures.ground_phase import COUNTS, Phase
from app.render.scene.batch import PixelBox, SurfaceBatch
from app.render.scene.landscape.ground_traits import traits_of
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.surface.lattice import spline_weights, window
from randomizer.model.grid.layouts import Shear
from randomizer.model.planes.planes import PlaneSpec

PERIOD = float(COUNTS[Shear.NONE][0])
"""Grounds repeat after so many map units."""

FINEST = 128.0
"""Grounds have at most so many pixels a map unit; at larger scales they are shown enlarged."""

FADES_FROM = 0.08
"""With this share in a pixel a terrain begins to cover the lower ones. At a straight edge between
two tiles its share is a half: the lower this is, the farther it reaches into the lower tile."""

FADES_TO = 0.52
"""With this share in a pixel a terrain covers the lower ones fully; it works as ``FADES_FROM``."""

RAGGEDNESS = 2.2
"""How far noise moves an edge: 0 is a straight soft edge; with more single tiles get holes."""

NOISE = ((1, 1.0), (2, 0.5), (5, 0.35))
"""The noise is a sum: so many values a map unit, and their weight. The first bends edges, so that
no stairs of tiles are seen, the last one frays them."""


class GroundTextures:
    """The grounds of the terrains of a scene and the noise of their edges, at one scale."""

    def __init__(self, pieces: Pieces, unit: float) -> None:
        self._pieces = pieces
        self.side = max(1, round(PERIOD * min(unit, FINEST)))
        """The number of pixels of a period, across and down."""
        self._grounds: dict[int, NDArray[np.uint32]] = {}
        """The periods that were painted, by terrain codes."""
        self._noise: NDArray[np.float32] | None = None
        """A period of noise, None until it is asked for."""

    @property
    def bytes(self) -> int:
        """The memory that they take, in bytes."""
        total = sum(ground.nbytes for ground in self._grounds.values())
        if self._noise is not None:
            total += self._noise.nbytes
        return total

    def texels_at(self, box: PixelBox) -> NDArray[np.intp]:
        """Return the index of each pixel of a box in ``ground`` and ``noise``: (height, width)."""
        pixel = self.side / PERIOD
        columns = np.floor(box.xs * pixel).astype(np.intp) % self.side
        rows = np.floor(box.ys * pixel).astype(np.intp) % self.side
        return np.asarray(rows[:, None] * self.side + columns)

    def ground(self, terrain: int) -> NDArray[np.uint32]:
        """Return a period of a ground, row by row: (side * side,), 0xffRRGGBB."""
        result = self._grounds.get(terrain)
        if result is None:
            result = self._grounds[terrain] = self._painted(terrain)
        return result

    def _painted(self, terrain: int) -> NDArray[np.uint32]:
        """Paint a period of a ground, whose mean colour is that of the terrain."""
        half = PERIOD / 2
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        period = Phase(half, half, PERIOD, PERIOD, corners)
        terrains = self._pieces.terrain_set.terrains
        image = QImage(self.side, self.side, QImage.Format.Format_RGB32)
        image.fill(self._pieces.ground_colour(terrain, 0))
        with painting(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self.side / PERIOD, self.side / PERIOD)
            painter.translate(half, half)
            self._pieces.pictures.ground(painter, terrains[terrain], period)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4).astype(np.float32)
        # What stands on the ground is not drawn here, so that the ground alone has the colour.
        colour = QColor(terrains[terrain].colour)
        mean = np.array((colour.blue(), colour.green(), colour.red(), 255), np.float32)
        pixels += mean - pixels.mean(axis=0)
        return np.rint(np.clip(pixels, 0, 255)).astype(np.uint8).view(np.uint32).reshape(-1)

    @property
    def noise(self) -> NDArray[np.float32]:
        """A period of noise in the strength of ``RAGGEDNESS``, row by row: (side * side,)."""
        if self._noise is None:
            self._noise = _noise(self.side) * np.float32(RAGGEDNESS)
        return self._noise


def _noise(side: int) -> NDArray[np.float32]:
    """Return smooth noise that repeats, of so many rows and columns."""
    result = np.zeros((side, side), np.float32)
    rng = np.random.default_rng(7)  # any seed: all maps have the same noise
    for steps, weight in NOISE:
        count = round(PERIOD) * steps
        values = rng.uniform(-1, 1, (count, count)).astype(np.float32)
        points = (np.arange(side) + 0.5) * count / side
        first, end = window(points)
        repeated = np.arange(first, end) % count  # beyond an end the noise goes on at the other
        weights = spline_weights(points, first, end)
        result += weight * (weights @ values[np.ix_(repeated, repeated)] @ weights.T)
    return np.asarray(np.clip(result, -1, 1).reshape(-1), np.float32)


_textures: WeakKeyDictionary[Pieces, GroundTextures] = WeakKeyDictionary()
"""The grounds of each scene, at the scale at which it was drawn last."""


def textures_of(pieces: Pieces, unit: float) -> GroundTextures:
    """Return the grounds of a scene at a scale; those of the last scale are stored."""
    textures = _textures.get(pieces)
    if textures is None or textures.side != max(1, round(PERIOD * min(unit, FINEST))):
        textures = _textures[pieces] = GroundTextures(pieces, unit)
    return textures


def texture_bytes(pieces: Pieces) -> int:
    """Return the memory that the stored grounds of a scene take, in bytes."""
    textures = _textures.get(pieces)
    if textures is None:
        return 0
    return textures.bytes


def ground_batch(
    pieces: Pieces, part: ScenePart, opacity_pass: OpacityPass, specs: tuple[PlaneSpec, ...]
) -> SurfaceBatch:
    """Return the ground of the cells that a pass draws, as far as the planes ``specs`` go."""

    def pixels(box: PixelBox) -> NDArray[np.uint32]:
        return _pixels(pieces, part, opacity_pass, specs, box)

    return SurfaceBatch(pixels, map_box(part.grid), opacity_pass.opacity)


class _Tiles(NamedTuple):
    """The tiles of some rows and columns, and the order in which they are drawn over others."""

    ranks: NDArray[np.int64]
    """The rank of each tile, (rows, columns): higher ones are drawn over lower ones; -1 for tiles
    that are not drawn."""

    terrain_of_rank: dict[int, int]
    """The terrain code of each rank that occurs, in no order."""

    is_drawn: NDArray[np.bool_] | None
    """Which tiles are drawn, (rows, columns); None for all of them."""


def _pixels(
    pieces: Pieces,
    part: ScenePart,
    opacity_pass: OpacityPass,
    specs: tuple[PlaneSpec, ...],
    box: PixelBox,
) -> NDArray[np.uint32]:
    """Return the ground at the pixels of a box (height, width), 0xffRRGGBB.

    It is 0 where it is not drawn. Terrains are laid over one another from the lowest rank to the
    highest: each has a share of each pixel, which is a smooth spline through the tiles (1 where its
    tile is, 0 elsewhere), and the noise makes the edge uneven.
    """
    columns = window(box.xs)
    rows = window(box.ys)
    tiles = _tiles(part, opacity_pass, specs, rows, columns)
    textures = textures_of(pieces, box.unit)
    texels = textures.texels_at(box)
    ranks = sorted(tiles.terrain_of_rank)
    if not ranks:
        return np.zeros((box.height, box.width), np.uint32)

    # The lowest terrain covers all, and the others are laid over it.
    result = textures.ground(tiles.terrain_of_rank[ranks[0]])[texels]
    if len(ranks) > 1:
        down = spline_weights(box.ys, *rows)
        across = spline_weights(box.xs, *columns).T
        noise = textures.noise[texels]
        total = down @ (tiles.ranks == ranks[0]).astype(np.float32) @ across
        for rank in ranks[1:]:
            share = down @ (tiles.ranks == rank).astype(np.float32) @ across
            total += share
            # Of the terrains so far: where no lower one lies the ground is this one's alone.
            share /= np.maximum(total, np.float32(1e-6))
            opacity = np.rint(_opacity_of_share(share, noise) * 256).astype(np.uint32)
            ground = textures.ground(tiles.terrain_of_rank[rank])
            result = mix_colours(result, ground[texels], opacity)

    if tiles.is_drawn is not None:
        # The tile in which the middle of each pixel lies; the middles of tiles are whole numbers.
        tile_rows = np.floor(box.ys + 0.5).astype(np.intp) - rows[0]
        tile_columns = np.floor(box.xs + 0.5).astype(np.intp) - columns[0]
        result[~tiles.is_drawn[np.ix_(tile_rows, tile_columns)]] = 0
    return result


def _opacity_of_share(
    share: NDArray[np.float32], noise: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how strongly a terrain of such a share in pixels covers those below it, 0 to 1.

    ``share`` is overwritten. Noise moves only what is neither 0 nor 1, so that nothing jumps.
    """
    share += noise * share * (1 - share)
    share -= np.float32(FADES_FROM)
    share *= np.float32(1 / (FADES_TO - FADES_FROM))
    np.clip(share, 0, 1, out=share)
    share *= share * (3 - 2 * share)  # smooth at both ends
    return share


def _tiles(
    part: ScenePart,
    opacity_pass: OpacityPass,
    specs: tuple[PlaneSpec, ...],
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> _Tiles:
    """Return the tiles of some rows and columns, each given by its first one and its end.

    Beyond the map lies what lies at its edge.
    """
    grid = part.grid
    system = part.system
    assert system.terrain is not None
    ys = np.clip(np.arange(*rows), 0, grid.height - 1)
    xs = np.clip(np.arange(*columns), 0, grid.width - 1)
    cells = (ys[:, None] * grid.width + xs).reshape(-1)
    shape = (len(ys), len(xs))

    # Terrains of equal priority are drawn in the order of their codes.
    terrain_count = len(part.composite.terrain_set.terrains)
    terrain = opacity_pass.values(part.composite, system.terrain, cells).astype(np.int64)
    np.minimum(terrain, terrain_count - 1, out=terrain)
    if system.terrain_priority is None:
        ranks = traits_of(part.composite.terrain_set).priority[terrain].astype(np.int64)
    else:
        priority = opacity_pass.values(part.composite, system.terrain_priority, cells).astype(
            np.int64
        )
        ranks = priority * terrain_count + terrain

    is_drawn = opacity_pass.draws(specs, cells)
    if grid.mask is not None:
        exists = grid.mask.reshape(-1)[cells]
        if is_drawn is None:
            is_drawn = exists
        else:
            is_drawn = is_drawn & exists
    if is_drawn is not None:
        ranks[~is_drawn] = -1
        is_drawn = is_drawn.reshape(shape)

    # The first tile of each rank has its terrain; the rank -1, of tiles not drawn, is left out.
    terrain_of_rank: dict[int, int] = {}
    in_order = np.argsort(ranks, kind="stable")
    is_first = np.diff(ranks[in_order], prepend=-1) != 0
    for index in in_order[is_first].tolist():
        terrain_of_rank[int(ranks[index])] = int(terrain[index])
    return _Tiles(ranks.reshape(shape), terrain_of_rank, is_drawn)
