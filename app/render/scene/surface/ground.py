"""The ground of terrains that run into one another: at each edge the higher one over the lower.

The tiles around a pixel have *shares* in it by a spline (``lattice``), so that no edge or corner
shows, and noise frays the edges. The ground is worked out pixel by pixel, for boxes of pixels that
a painter asks for (``ground_batch``).

Which ground is the higher one is as in 0 A.D.: that of the tile with the higher priority or, if
these are equal, with the later texture.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_geometry import map_box
from app.render.cell_values.cell_colours import mix_colours
from app.render.cell_values.opacity_passes import OpacityPass
from app.render.scene.batch import PixelBox, SurfaceBatch
from app.render.scene.landscape.ground_traits import traits_of
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.surface.ground_textures import textures_of
from app.render.scene.surface.lattice import Window, spline_weights, window_of
from randomizer.model.planes.planes import PlaneSpec

FADES_FROM = 0.08
"""With this share in a pixel a terrain begins to cover the lower ones. At a straight edge between
two tiles its share is a half: the lower this is, the farther it reaches into the lower tile."""

FADES_TO = 0.52
"""With this share in a pixel a terrain covers the lower ones fully; it works as ``FADES_FROM``."""

MIN_TOTAL = np.float32(1e-6)
"""Shares are divided by at least this: where no terrain has any, theirs are 0."""

NOT_DRAWN = -1
"""The rank of tiles that are not drawn."""


def ground_batch(
    pieces: Pieces, part: ScenePart, opacity_pass: OpacityPass, specs: tuple[PlaneSpec, ...]
) -> SurfaceBatch:
    """Return the ground of the cells that a pass draws, as far as the planes ``specs`` go."""

    def pixels(box: PixelBox) -> NDArray[np.uint32]:
        columns = window_of(box.xs)
        rows = window_of(box.ys)
        tiles = _tiles(part, opacity_pass, specs, rows, columns)
        return _ground_of_tiles(pieces, tiles, box)

    return SurfaceBatch(pixels, map_box(part.grid), opacity_pass.opacity)


class _Tiles(NamedTuple):
    """The tiles of some rows and columns, and the order in which they are drawn over others."""

    rows: Window
    columns: Window

    ranks: NDArray[np.int64]
    """The rank of each tile, (rows, columns): higher ones are drawn over lower ones; ``NOT_DRAWN``
    for tiles that are not drawn."""

    terrain_of_rank: dict[int, int]
    """The terrain code of each rank that occurs, in no order."""

    is_drawn: NDArray[np.bool_] | None
    """Which tiles are drawn, (rows, columns); None for all of them."""


def _ground_of_tiles(pieces: Pieces, tiles: _Tiles, box: PixelBox) -> NDArray[np.uint32]:
    """Return the ground at the pixels of a box (height, width), 0xffRRGGBB; 0 where none is drawn.

    Terrains are laid over one another from the lowest rank to the highest: each has a share of each
    pixel, which is a smooth spline through the tiles (1 where its tile is, 0 elsewhere), and the
    noise makes the edge uneven.
    """
    ranks = sorted(tiles.terrain_of_rank)
    if not ranks:
        return np.zeros((box.height, box.width), np.uint32)
    textures = textures_of(pieces, box.unit)
    texels = textures.texels_at(box)

    # The lowest terrain covers all, and the others are laid over it.
    result = textures.ground(tiles.terrain_of_rank[ranks[0]])[texels]
    if len(ranks) > 1:
        down = spline_weights(box.ys, tiles.rows)
        across = spline_weights(box.xs, tiles.columns).T
        noise = textures.noise[texels]
        total = down @ (tiles.ranks == ranks[0]).astype(np.float32) @ across
        for rank in ranks[1:]:
            share = down @ (tiles.ranks == rank).astype(np.float32) @ across
            total += share
            # The share among the terrains up to this rank.
            share /= np.maximum(total, MIN_TOTAL)
            opacity = np.rint(_turn_share_into_opacity(share, noise) * 256).astype(np.uint32)
            ground = textures.ground(tiles.terrain_of_rank[rank])
            result = mix_colours(result, ground[texels], opacity)

    if tiles.is_drawn is not None:
        # The tile in which the middle of each pixel lies; the middles of tiles are whole numbers.
        tile_rows = np.floor(box.ys + 0.5).astype(np.intp) - tiles.rows.first
        tile_columns = np.floor(box.xs + 0.5).astype(np.intp) - tiles.columns.first
        result[~tiles.is_drawn[np.ix_(tile_rows, tile_columns)]] = 0
    return result


def _turn_share_into_opacity(
    share: NDArray[np.float32], noise: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how strongly a terrain of such a share in pixels covers those below it, 0 to 1.

    ``share`` is overwritten with the result. Noise moves only what is neither 0 nor 1, so that
    nothing jumps.
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
    rows: Window,
    columns: Window,
) -> _Tiles:
    """Return the tiles of some rows and columns. Beyond the map lies what lies at its edge."""
    grid = part.grid
    ys = np.clip(rows.numbers, 0, grid.height - 1)
    xs = np.clip(columns.numbers, 0, grid.width - 1)
    cells = (ys[:, None] * grid.width + xs).reshape(-1)
    shape = (len(ys), len(xs))

    terrain = _terrain_of(part, opacity_pass, cells)
    ranks = _ranks_of(part, opacity_pass, cells, terrain)
    is_drawn = opacity_pass.draws(specs, cells)
    if grid.mask is not None:
        exists = grid.mask.reshape(-1)[cells]
        if is_drawn is None:
            is_drawn = exists
        else:
            is_drawn = is_drawn & exists
    if is_drawn is not None:
        ranks[~is_drawn] = NOT_DRAWN
        is_drawn = is_drawn.reshape(shape)

    # The first tile of each rank has its terrain.
    terrain_of_rank: dict[int, int] = {}
    ranks_that_occur, first_tiles = np.unique(ranks, return_index=True)
    for rank, tile in zip(ranks_that_occur.tolist(), first_tiles.tolist(), strict=True):
        if rank != NOT_DRAWN:
            terrain_of_rank[rank] = int(terrain[tile])
    return _Tiles(rows, columns, ranks.reshape(shape), terrain_of_rank, is_drawn)


def _terrain_of(
    part: ScenePart, opacity_pass: OpacityPass, cells: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the terrain codes of cells (n,); codes beyond the terrain set count as its last."""
    assert part.system.terrain is not None
    terrain = opacity_pass.values(part.composite, part.system.terrain, cells).astype(np.int64)
    return np.minimum(terrain, len(part.composite.terrain_set.terrains) - 1)


def _ranks_of(
    part: ScenePart,
    opacity_pass: OpacityPass,
    cells: NDArray[np.intp],
    terrain: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the ranks of cells (n,), from 0 on: by which ground is drawn over which other.

    They are those of the terrains (n,) or, on maps on which each tile has a priority, of these.
    """
    terrain_set = part.composite.terrain_set
    priority_plane = part.system.terrain_priority
    if priority_plane is None:
        return traits_of(terrain_set).priority[terrain].astype(np.int64)
    priority = opacity_pass.values(part.composite, priority_plane, cells).astype(np.int64)
    # Terrains of equal priority are drawn in the order of their codes.
    return priority * len(terrain_set.terrains) + terrain
