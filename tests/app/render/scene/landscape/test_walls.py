"""Walls around castles and the rock of caves; what stands on the ends of a map keeps within it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.cell_geometry import cell_outline
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.pictures.picture_library import picture
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.scene.landscape import features, ground_traits, transitions
from app.render.scene.landscape.picture_groups import groups_of
from app.render.scene.landscape.walls import DRAWINGS_OF_SIDE, TOWER
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.style import LANDSCAPE
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM
from tests.daily import deep_but

SET = TerrainSet(
    "Walled",
    (
        Terrain("Grassland", "#90b060"),
        Terrain("Castle", "#b0a797"),
        Terrain("Yard", "#b0a797", picture="Keep"),
        Terrain("Cave wall", "#4b433b"),
        Terrain("Wood", "#90b060", picture="Conifers", ground="Grassland"),
        Terrain("Mountains", "#98785a"),
    ),
)
GRASS, CASTLE, KEEP, ROCK, WOOD, MOUNTAINS = range(6)


def map_of(grid: Grid, terrain: NDArray[np.int64]) -> BattleMap:
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = terrain.reshape(grid.height, grid.width).astype("u2")
    return BattleMap.new(SYSTEM, grid, [layer], SET)


def part_of(battlemap: BattleMap) -> ScenePart:
    return ScenePart(battlemap, battlemap.composite(), Overlays(), battlemap.grid.cells)


def pieces_of(layout: Layout) -> Pieces:
    return Pieces(layout, SET, LANDSCAPE, Pictures(), theme("light"), 0.02, 0.0)


def walls_of(grid: Grid, terrain: NDArray[np.int64]) -> Counter[tuple[int, int, int]]:
    """Count the walls of a map: (cell, side or corner, kind), the kind 0 to 7 or ``TOWER``."""
    pieces = pieces_of(grid.layout)
    result: Counter[tuple[int, int, int]] = Counter()
    for batch in features.batches(pieces, part_of(map_of(grid, terrain))):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            key = pieces[number].key
            if key[0] == "wall":
                side, bends = divmod(key[-1], DRAWINGS_OF_SIDE)
                result[int(grid.cells[place]), side % grid.degree, bends] += 1
    return result


@given(st.sampled_from(LAYOUTS), st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_one_wall_goes_around_the_cells_of_a_castle_and_its_keep(qapp, layout, seed):
    grid = Grid(layout, 8, 7)
    terrain = np.random.default_rng(seed).choice([GRASS, GRASS, CASTLE, CASTLE, KEEP], grid.size)
    walls = walls_of(grid, terrain)
    sides = {(cell, side) for cell, side, kind in walls if kind != TOWER}
    for cell in grid.cells.tolist():
        within = terrain[cell] != GRASS
        for side in range(grid.degree):
            other = grid.neighbour(cell, side)
            ends = other >= 0 and terrain[other] == GRASS
            assert ((cell, side) in sides) == (within and ends)
    assert set(walls.values()) <= {1}


@given(st.sampled_from([FLAT, POINTY]), st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_a_corner_where_walls_meet_has_one_tower(qapp, layout, seed):
    grid = Grid(layout, 8, 7)
    terrain = np.random.default_rng(seed).choice([GRASS, CASTLE], grid.size)
    walls = walls_of(grid, terrain)
    towers: Counter[tuple[float, float]] = Counter()
    for (cell, corner, kind), count in walls.items():
        if kind == TOWER:
            x, y = grid.centre(cell)
            corner_x, corner_y = layout.corners[corner]
            towers[round(x + corner_x, 3), round(y + corner_y, 3)] += count
    for cell in grid.cells.tolist():
        for corner in range(6):
            others = [grid.neighbour(cell, (corner - 1) % 6), grid.neighbour(cell, corner)]
            if -1 in others:
                continue
            around = [terrain[each] for each in (cell, *others)]
            x, y = grid.centre(cell)
            corner_x, corner_y = layout.corners[corner]
            count = towers[round(x + corner_x, 3), round(y + corner_y, 3)]
            assert count == (GRASS in around and CASTLE in around)


@given(
    seed=st.integers(0, 2**32 - 1),
    cell=st.integers(0, 98),
    code=st.sampled_from([GRASS, CASTLE, KEEP, ROCK]),
)
@settings(max_examples=20, deadline=None)
def test_an_edit_changes_the_walls_of_its_neighbours_only(qapp, seed, cell, code):
    grid = Grid(FLAT, 11, 9)
    terrain = np.random.default_rng(seed).choice([GRASS, CASTLE, KEEP, ROCK, ROCK], grid.size)
    old_walls = walls_of(grid, terrain)
    terrain[cell] = code
    new_walls = walls_of(grid, terrain)
    changed = {wall[0] for wall in old_walls.keys() ^ new_walls.keys()}
    assert changed <= {cell, *grid.neighbours(cell)}


def test_walls_have_few_pictures(qapp):
    grid = Grid(FLAT, 60, 60)
    terrain = np.random.default_rng(5).choice([GRASS, CASTLE, ROCK], grid.size)
    walls = walls_of(grid, terrain)
    of_castle = {wall[1:] for wall in walls if terrain[wall[0]] == CASTLE}
    of_rock = {wall[1:] for wall in walls if terrain[wall[0]] == ROCK}
    assert len(of_castle) == 6 + 6, "a wall of each side and a tower on each corner"
    assert len(of_rock) == 4 * 2 * 6, "two shapes of each side, by whether rock goes on beside it"


def test_along_an_edge_of_rock_its_shape_changes(qapp):
    grid = Grid(FLAT, 12, 8)
    terrain = np.full(grid.size, GRASS).reshape(grid.height, grid.width)
    terrain[:4] = ROCK
    walls = walls_of(grid, terrain.ravel())
    kinds_in_south = {kind for _cell, side, kind in walls if side == 3}
    assert {kind // 4 for kind in kinds_in_south} == {0, 1}


@pytest.mark.parametrize("name", list(ground_traits.WALLED))
def test_a_walled_picture_has_its_walls_in_every_layout(name):
    drawn = picture(name)
    assert drawn is not None
    is_bent = ground_traits.WALLED[name] in ground_traits.BENT_WALLS
    for prefix, degree in (("flat", 6), ("pointy", 6), ("square", 4)):
        for side in range(degree):
            assert drawn.count(f"{prefix}-wall{side}") == (8 if is_bent else 1)
            assert drawn.count(f"{prefix}-tower{side}") == (0 if is_bent else 1)


def test_the_walls_of_a_chasm_go_around_the_bridges_over_it(qapp):
    chasm = Terrain("Chasm", "#2a2520", picture="Chasm")
    bridge = Terrain("Bridge", "#2a2520", picture="Stone bridge north", ground="Chasm")
    terrain_set = TerrainSet("Chasms", (SET.terrains[GRASS], chasm, bridge))
    groups = groups_of(FLAT, terrain_set, Pictures())
    assert groups.walled.tolist() == [0, ground_traits.WallKind.PIT, ground_traits.WallKind.PIT]
    assert groups.wall_terrain.tolist() == [0, 1, 1]


def test_nothing_runs_over_between_terrains_of_one_ground(qapp):
    grid = Grid(FLAT, 8, 7)
    terrain = np.random.default_rng(1).choice([GRASS, WOOD], grid.size)
    pieces = Pieces(
        FLAT,
        TerrainSet(
            "One ground", (Terrain("Meadow", "#90b060", picture="Grassland"), SET.terrains[WOOD])
        ),
        LANDSCAPE,
        Pictures(),
        theme("light"),
        0.02,
        0.0,
    )
    battlemap = map_of(grid, np.where(terrain == WOOD, 1, 0))
    assert not list(transitions.batches(pieces, part_of(battlemap)))


WHITE = 0xFFFFFFFF


def words(image: QImage) -> NDArray[np.uint32]:
    """Return the pixels (height, width) of an RGB32 picture: 0xFF000000 is black."""
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())


@pytest.mark.parametrize(
    "terrain", deep_but([[MOUNTAINS], [GRASS, ROCK], [GRASS, CASTLE]], [GRASS, CASTLE])
)
@pytest.mark.parametrize(
    ("layout", "wrap"),
    deep_but([(FLAT, False), (POINTY, False), (POINTY, True)], (FLAT, False), (POINTY, True)),
)
def test_nothing_stands_out_over_the_ends_of_a_map(qapp, layout, wrap, terrain):
    grid = Grid(layout, 6, 6, wrap=wrap)
    battlemap = map_of(grid, np.random.default_rng(3).choice(terrain, grid.size))
    renderer = Renderer(theme("light"))
    renderer.overlays = Overlays(**dict.fromkeys(Overlays.__slots__, False))
    scale = 24.0
    image = QImage(480, 480, QImage.Format.Format_RGB32)
    view = Viewport(scale, 100, 100)
    with painting(image) as painter:
        area = QRectF(0, 0, 480, 480)
        renderer.paint(painter, MapView(battlemap, battlemap.composite(), view), area)
    background = renderer.theme.background.rgb()

    cells = QImage(image.size(), QImage.Format.Format_RGB32)
    cells.fill(Qt.GlobalColor.white)
    with painting(cells) as painter:
        painter.translate(view.to_screen(0, 0))
        painter.scale(scale, scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.GlobalColor.black)
        for cell in grid.cells.tolist():
            painter.drawPolygon(cell_outline(layout, 1.12).translated(*grid.centre(cell)))
    is_beside = words(cells) == WHITE
    assert is_beside.any()
    assert (words(image)[is_beside] == background).all()
