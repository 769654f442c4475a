"""The terrains of a map of Tiled: those of a map that we wrote, and one for each tile of others.

    terrains = collect_terrains(tiled, tiled.marks_of_gids(), saved_terrains)
    terrains.terrain_set.terrains[1].code            # "Desert:29", the name of a tile

A tile has a *gid*, its number in the cells of Tiled. A *code* is the text by which a terrain knows
its tile, so that the map can be written again. Cells of ours hold the *index* of a terrain in the
terrain set. A terrain shows the picture of its tile.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted, many
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.records.assets import LARGEST_ASSETS, asset_digest
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.tiled.tiled_map import EMPTY
from randomizer.systems.interchange.tiled.tiled_marks import key_of
from randomizer.systems.interchange.tiled.tiled_nodes import text
from randomizer.systems.interchange.tiled.tiled_pictures import Pictures, write_png

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.storage.files.terrain_files import OwnTerrains
    from randomizer.systems.interchange.tile_pictures import Pixels
    from randomizer.systems.interchange.tiled.tiled_map import TiledMap
    from randomizer.systems.interchange.tiled.tiled_marks import Mark

_HALF_ALPHA = 127
"""A pixel with a larger alpha than this hides more than it lets through."""

_OPAQUE_SHARE = 0.7
"""The share of a picture's pixels from which on it hides what lies below it.

A hexagon covers three quarters of its box, so the share of its tile cannot be larger. With a
smaller share tiles with holes, such as trees, would count as ground.
"""

_DEFAULT_BACKGROUND = "#808080"
"""The colour behind all tiles where the map does not say one, as in Tiled."""


@dataclass(frozen=True)
class TiledTerrains:
    """The terrains of a map, and their pictures."""

    terrain_set: TerrainSet

    assets: Mapping[str, bytes]
    """The pictures of the terrains as PNG, by digest."""

    transparent_indices: frozenset[int]
    """The indices of the terrains through which one sees what lies below."""


def collect_terrains(
    tiled: TiledMap, marks: Mapping[int, Mark], saved: OwnTerrains
) -> TiledTerrains:
    """Return the saved terrains, and one more for each tile that they lack.

    ``marks`` says what each gid stands for. ``saved`` is the terrain set of a map that we wrote;
    those of others have none, and begin with a terrain for the cells without a tile. Pictures that
    cannot be used become problems of ``tiled``.
    """
    terrains = list(saved.terrain_set.terrains)
    transparent_indices = set[int]()
    if not terrains:
        # A new map begins with the first terrain, so this is the one of cells without a tile.
        terrains.append(Terrain("Empty", _background_colour(tiled), code=EMPTY, pattern="plain"))
        transparent_indices.add(0)

    # Names are distinct in a terrain set: a tile's terrain may be called like a saved one.
    assets = dict(saved.assets)
    saved_keys = {key_of(terrain) for terrain in terrains}
    names = {terrain.name for terrain in terrains}
    for tile_terrain in _terrains_of_tiles(tiled, marks, saved_keys):
        terrain = tile_terrain.terrain
        name = terrain.name
        while name in names:
            name += "'"
        names.add(name)
        if tile_terrain.picture:
            assets[terrain.asset] = tile_terrain.picture
        if not tile_terrain.is_opaque:
            transparent_indices.add(len(terrains))
        terrains.append(replace(terrain, name=name))

    terrain_set = replace(saved.terrain_set, terrains=tuple(terrains))
    return TiledTerrains(terrain_set, assets, frozenset(transparent_indices))


def _background_colour(tiled: TiledMap) -> str:
    """Return the colour of the map without tiles, such as "#aabbcc"."""
    colour = text(tiled.root, "backgroundcolor")[-6:]  # Tiled may put an alpha before it
    if len(colour) == 6 and all(digit in "0123456789abcdefABCDEF" for digit in colour):
        return f"#{colour.lower()}"
    return _DEFAULT_BACKGROUND


class _TileTerrain(NamedTuple):
    """The terrain of a tile."""

    terrain: Terrain

    picture: bytes = b""
    """The picture of the tile as PNG; empty if it has none that can be used."""

    is_opaque: bool = False
    """True if the picture hides what lies below the tile."""


def _terrains_of_tiles(
    tiled: TiledMap, marks: Mapping[int, Mark], saved_keys: set[str]
) -> Iterator[_TileTerrain]:
    """Yield the terrains of the tiles that stand for one, those of the most frequent tiles first.

    Tiles whose terrain is among the saved ones (by ``key_of``) are left out.
    """
    code_of_gid: dict[int, str] = {}
    gid_of_code: dict[str, int] = {}
    for gid, mark in marks.items():
        if mark.plane == "terrain":
            code_of_gid[gid] = mark.name
            gid_of_code.setdefault(mark.name, gid)  # of several tiles the first gives the picture
    if not code_of_gid:
        return

    # A terrain for each code.
    codes = Codes()
    numbers = [codes.number(code) for code in code_of_gid.values()]
    # ``Codes.terrains`` counts how often each code occurs: it wants the number of each cell's code,
    # in any order.
    counts = _cell_counts(tiled)
    numbers_of_cells = np.repeat(numbers, [counts[gid] for gid in code_of_gid])
    words_of_code = {code: _words_of(tiled, gid) for code, gid in gid_of_code.items()}
    terrains, _indices = codes.terrains(words_of_code.__getitem__, numbers_of_cells)

    # Its picture.
    pictures = Pictures(
        tiled.source,
        tiled.problems,
        tiled.geometry.size,
        is_hexagonal=tiled.geometry.layout is not SQUARE,
    )
    # Half of what a map may hold: the other half is for the user's own pictures.
    bytes_left = LARGEST_ASSETS // 2
    pictures_left_out = 0
    for terrain in terrains:
        if terrain.code in saved_keys:
            continue
        pixels = _pixels_of(tiled, pictures, gid_of_code[terrain.code])
        data = b""
        if pixels is not None:
            data = write_png(pixels)
        if pixels is None:
            yield _TileTerrain(terrain)
            continue
        if len(data) > bytes_left:
            pictures_left_out += 1
            yield _TileTerrain(terrain)
            continue
        bytes_left -= len(data)
        yield _with_picture(terrain, pixels, data)
    if pictures_left_out:
        pictures_words = counted(pictures_left_out, "picture")
        verb = many(pictures_left_out, "is", "are")
        message = (
            f"{pictures_words} of tiles {verb} not used: all together have more than"
            f" {LARGEST_ASSETS // 2:,} bytes"
        )
        tiled.problems.append(warning(message))


def _cell_counts(tiled: TiledMap) -> Counter[int]:
    """Return the number of cells of each gid in all layers."""
    counts = Counter[int]()
    for cells in tiled.tile_cells():
        gids, gid_counts = np.unique(cells, return_counts=True)
        counts.update(dict(zip(gids.tolist(), gid_counts.tolist(), strict=True)))
    return counts


def _words_of(tiled: TiledMap, gid: int) -> list[str]:
    """Return what the map says of a tile, by which its terrain is guessed."""
    tileset, number, _flips = tiled.tile(gid)
    if tileset is None:
        return []
    return tileset.words(number)


def _pixels_of(tiled: TiledMap, pictures: Pictures, gid: int) -> Pixels | None:
    """Return the picture of a tile, None if it has none that can be used."""
    tileset, number, flips = tiled.tile(gid)
    if tileset is None:
        return None
    return pictures.of(tileset, number, flips)


def _with_picture(terrain: Terrain, pixels: Pixels, data: bytes) -> _TileTerrain:
    """Return a terrain with the picture ``data`` of its tile, in the picture's mean colour."""
    alphas = pixels[:, :, 3].astype(np.int64)
    # Weighted by alpha: the colour of a pixel that is not seen means nothing.
    weighted_sum = (pixels[:, :, :3] * alphas[:, :, None]).sum(axis=(0, 1))
    mean = weighted_sum // max(1, int(alphas.sum()))
    colour = f"#{bytes(mean.tolist()).hex()}"
    pictured = replace(terrain, colour=colour, asset=asset_digest(data), picture="", body=False)
    opaque_share = (alphas > _HALF_ALPHA).mean()
    return _TileTerrain(pictured, data, is_opaque=bool(opaque_share > _OPAQUE_SHARE))
