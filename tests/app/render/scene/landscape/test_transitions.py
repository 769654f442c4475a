"""Transitions: from the higher terrain into the lower one's cell, on landscapes only."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.render.cell_geometry import cell_outline, neighbour_centres, side_ends
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.overlay_options import Overlays
from app.render.pictures.ground_phase import MARGIN
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.landscape.edge_masks import EdgeMask, region
from app.render.scene.landscape.fade_opacities import fade_opacities
from app.render.scene.landscape.ground_traits import families, priorities
from app.render.scene.landscape.mask_rims import reach_over_sides
from app.render.scene.landscape.stored_lines import LEVELS
from app.render.scene.landscape.strays import VARIANTS
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.scene import Scene
from app.render.style import BOARD, LANDSCAPE, style_of
from app.render.theme import theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.xconq.system import SYSTEM as XCONQ


def land(layout, seed, width=7, height=6, kinds=12, mask=None):
    """A free map of random terrains without elevations."""
    rng = np.random.default_rng(seed)
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = rng.integers(0, kinds, (height, width)).astype("u2")
    return BattleMap.new(FREE, Grid(layout, width, height, mask), [layer])


def laid(battlemap, *, style=None, colours="pictures", coarse=False):
    """The keys of the pieces of every cell."""
    system = battlemap.system
    pieces = Pieces(
        battlemap.grid.layout,
        battlemap.terrain_set,
        style or style_of(system),
        Pictures(),
        theme("light", colours),
        1 / 24,
        0.02,
        coarse=coarse,
    )
    cells = battlemap.grid.cells
    part = ScenePart(battlemap, battlemap.composite(), Overlays(), cells)
    found = {int(cell): [] for cell in cells}
    scene = Scene(pieces)
    for batch in chain(scene.land(part, SINGLE_PASS), scene.over_land(part, SINGLE_PASS)):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            found[int(cells[place])].append(pieces[number].key)
    return found


def kinds_of(found):
    return {key[0] if isinstance(key, tuple) else key for keys in found.values() for key in keys}


@given(st.sampled_from(LAYOUTS), st.integers(0, 10**6), st.booleans())
@settings(max_examples=30)
def test_a_transition_comes_from_every_higher_neighbour_and_from_no_other(layout, seed, holes):
    mask = np.random.default_rng(seed).random((6, 7)) > 0.2 if holes else None
    if mask is not None:
        mask[0, 0] = True
    battlemap = land(layout, seed, mask=mask)
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    plane = battlemap.layers[0].planes["terrain"]
    # Fields end in a meadow before water.
    plane[plane == terrain_set.terrain_code("Farmland")] = terrain_set.terrain_code("Heath")
    terrain = battlemap.composite().planes["terrain"].ravel()
    rank = priorities(battlemap.terrain_set)
    water = np.array([each.water for each in battlemap.terrain_set.terrains])
    for cell, keys in laid(battlemap).items():
        masks = {key[1]: key[2] for key in keys if key[0] == "transition"}
        around = [grid.neighbour(cell, side) for side in range(grid.degree)]
        higher = [
            int(terrain[other])
            if other >= 0
            and rank[terrain[other]] > rank[terrain[cell]]
            and not (water[terrain[other]] and water[terrain[cell]])  # these fade
            else -1
            for other in around
        ]
        sides = [
            {side for side in range(grid.degree) if each >> side & 1} for each in masks.values()
        ]
        reaching = dict(zip(masks, sides, strict=True))
        for code, side_set in reaching.items():
            own_sides = {side for side, terrain_code in enumerate(higher) if terrain_code == code}
            assert own_sides <= side_set
            assert bool(own_sides) == bool(side_set)
            # It goes on below higher ones.
            assert all(rank[higher[side]] > rank[code] for side in side_set - own_sides)
        assert {code for code in reaching if reaching[code]} == {
            code for code in higher if code >= 0
        }
        ranks = [rank[code] for code in masks]
        assert ranks == sorted(ranks), "higher terrains lie above lower ones"


def test_land_has_a_narrow_rim_on_a_mere_colour_and_a_soft_one_on_other_land():
    battlemap = land(FLAT, 0, 3, 3, kinds=1)
    old = battlemap.terrain_set
    off_map = Terrain("Off the map", "#1f1d1b", priority=-1.0)
    battlemap.terrain_set = TerrainSet(old.name, (*old.terrains, off_map))
    plane = battlemap.layers[0].planes["terrain"]
    middle = 4

    def is_crisp(code):
        plane[1, 1] = code
        return {key[-1] for key in laid(battlemap)[middle] if key[0] == "transition"}

    plane[:] = old.terrain_code("Hills")
    assert is_crisp(len(old.terrains)) == {1}
    assert is_crisp(old.terrain_code("Grassland")) == {0}


def test_of_two_lands_at_a_corner_of_water_the_lower_one_fills_the_bay():
    battlemap = land(FLAT, 0, 3, 3, kinds=1)
    terrain_set = battlemap.terrain_set
    plane = battlemap.layers[0].planes["terrain"]
    plane[:] = terrain_set.terrain_code("Sea")
    middle = 4
    hills = terrain_set.terrain_code("Hills")
    plane.ravel()[battlemap.grid.neighbour(middle, 0)] = terrain_set.terrain_code("Grassland")
    plane.ravel()[battlemap.grid.neighbour(middle, 1)] = hills
    assert transitions_of(battlemap, middle) == {"Grassland": 0b11, "Hills": 0b10}


def test_a_square_that_meets_a_higher_terrain_at_a_corner_alone_has_its_corner():
    battlemap = land(SQUARE, 0, 3, 3, kinds=1)
    wood = battlemap.terrain_set.terrain_code("Wood")
    battlemap.layers[0].planes["terrain"][0, 2] = wood
    found = laid(battlemap)
    masks = {
        cell: [key[2] for key in keys if key[0] == "transition"] for cell, keys in found.items()
    }
    assert masks[4] == [1 << 4 + 1]  # the middle: beyond its upper right corner
    assert masks[1] == [1 << 1]
    assert masks[5] == [1 << 0]
    assert not masks[3]


def transitions_of(battlemap, cell):
    """The name of the terrain of each transition in a cell, with the mask of its sides."""
    terrains = battlemap.terrain_set.terrains
    return {
        terrains[key[1]].name: key[2] for key in laid(battlemap)[cell] if key[0] == "transition"
    }


def test_fields_end_in_a_meadow_before_water():
    battlemap = land(FLAT, 0, 5, 5, kinds=1)
    code = battlemap.terrain_set.terrain_code
    plane = battlemap.layers[0].planes["terrain"]
    plane[:] = code("Farmland")
    plane[2, 2] = code("Sea")
    field = 1 * 5 + 2
    assert battlemap.grid.neighbour(field, 3) == 12  # the sea lies in the south
    assert transitions_of(battlemap, 12) == {"Grassland": 0b111111}
    assert transitions_of(battlemap, field) == {"Grassland": 1 << 3}


@pytest.mark.parametrize("scale", [9.0, 18.0, 72.0])
def test_a_transition_covers_all_of_its_cell_at_the_side_of_the_higher_one(scale):
    """Cells are drawn larger than they are: else a line of the lower ground would be left."""
    pixel = 1 / scale
    pieces = Pieces(FLAT, FREE.terrain_set, LANDSCAPE, Pictures(), theme("light"), pixel, pixel)
    covered = region(EdgeMask(FLAT, 0b111111, 0, reach_over_sides(pieces)), LEVELS - 1)
    ground = pieces.outline.boundingRect()
    assert covered.boundingRect().contains(ground)


def test_what_lies_beside_rock_goes_on_below_its_faces():
    battlemap = land(FLAT, 0, 5, 5, kinds=1)
    rock = Terrain("Rock", "#4b433b", picture="Cave wall")
    keep = Terrain("Keep", "#808080", picture="Keep")
    old = battlemap.terrain_set
    battlemap.terrain_set = TerrainSet(old.name, (*old.terrains, rock, keep))
    plane = battlemap.layers[0].planes["terrain"]
    plane[2, 2] = len(old.terrains)
    plane[1, 2] = len(old.terrains) + 1
    plane[3, 2] = old.terrain_code("Sea")
    first = old.terrains[0].name
    south = 1 << 3
    assert transitions_of(battlemap, 12) == {"Sea": south, first: 0b110110}


@pytest.mark.parametrize(("name", "is_marsh"), [("Swamp", True), ("Grassland", False)])
def test_a_marsh_goes_over_into_water_with_a_soft_rim_and_no_beach(name, is_marsh):
    terrain_set = TerrainSet(
        "Marsh", (Terrain(name, "#7f9b66", picture=name), Terrain("Lake", "#5590b8", water=True))
    )
    battlemap = land(FLAT, 1, kinds=1)
    battlemap.terrain_set = terrain_set
    battlemap.layers[0].planes["terrain"][3, 3] = 1
    keys = laid(battlemap, style=LANDSCAPE)[3 * 7 + 3]
    (transition,) = [key for key in keys if key[0] == "transition"]
    is_crisp = bool(transition[-1])
    assert is_crisp is not is_marsh
    assert any(key[0] == "shore" for key in keys) is not is_marsh


def test_a_marsh_lies_over_a_meadow_and_below_woods():
    names = ("Woods", "Swamp", "Grassland")
    terrains = tuple(Terrain(name, "#7f9b66", picture=name) for name in names)
    woods, marsh, meadow = priorities(TerrainSet("Wet", terrains)).tolist()
    assert meadow < marsh < woods


def test_water_has_a_shore_where_land_lies_beside_it():
    battlemap = land(FLAT, 0, 5, 5, kinds=1)
    lake = battlemap.terrain_set.terrain_code("Sea")
    battlemap.layers[0].planes["terrain"][1:4, 1:4] = lake
    found = laid(battlemap)
    shores = {cell for cell, keys in found.items() if any(key[0] == "shore" for key in keys)}
    assert shores == {y * 5 + x for y in range(1, 4) for x in range(1, 4)} - {12}
    planes = battlemap.layers[0].planes
    planes["terrain"][0] = battlemap.terrain_set.terrain_code("Ice")  # no beach
    frozen = {cell for cell, keys in laid(battlemap).items() if "shore" in kinds_of({0: keys})}
    assert frozen == shores - {7}, "only where grass lies beside the water"
    everywhere = land(FLAT, 0, 5, 5, kinds=1)
    everywhere.layers[0].planes["terrain"][:] = lake
    assert "shore" not in kinds_of(laid(everywhere))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_waters_fade_into_each_other_without_an_edge(layout):
    """At both sides of an edge the same colour is seen, whatever lies around the two cells."""
    rng = np.random.default_rng(5)
    grid = Grid(layout, 8, 8)
    centres = [(0.0, 0.0), *neighbour_centres(layout)]
    box = cell_outline(layout, 1 + MARGIN).boundingRect()

    def share(cell, water, dry, x, y):
        """How much of the higher water (of two, 0 and 1) is seen at a point of a cell."""
        found = grid.cells_at(np.array(centres) + grid.centres_of(np.array([cell])))
        around = found[1:]
        other = 1 - water[cell]
        bits = 1 << np.arange(len(around))
        masks = int(bits @ ((water[around] == other) & ~dry[around])), int(bits @ dry[around])
        low, high = fade_opacities(layout, masks[0], 0, masks[1])
        assert not high.any()
        count = len(low)
        column = (x - box.left()) / box.width() * count - 0.5
        row = (y - box.top()) / box.height() * count - 0.5
        x0 = min(max(int(column), 0), count - 2)
        y0 = min(max(int(row), 0), count - 2)
        u = column - x0
        v = row - y0
        upper = low[y0, x0] * (1 - u) + low[y0, x0 + 1] * u
        lower = low[y0 + 1, x0] * (1 - u) + low[y0 + 1, x0 + 1] * u
        opacity = upper * (1 - v) + lower * v
        return opacity if other == 1 else 1 - opacity

    cell = grid.cell(4, 4)
    for _ in range(20):
        water = rng.integers(0, 2, grid.size)
        dry = rng.random(grid.size) < 0.3
        dry[cell] = False
        for side in range(layout.degree):
            beyond = grid.neighbour(cell, side)
            dry[beyond] = False
            (ax, ay), (bx, by) = side_ends(layout, side)
            away_x, away_y = neighbour_centres(layout)[side]
            for along in (0.1, 0.5, 0.8):
                x = ax + (bx - ax) * along
                y = ay + (by - ay) * along
                here = share(cell, water, dry, x, y)
                there = share(beyond, water, dry, x - away_x, y - away_y)
                assert here == pytest.approx(there, abs=0.02)


def test_water_beside_other_water_has_a_ground_that_fades_and_no_transition():
    battlemap = land(FLAT, 0, 5, 5, kinds=1)
    code = battlemap.terrain_set.terrain_code
    planes = battlemap.layers[0].planes
    planes["terrain"][:] = code("Deep sea")
    planes["terrain"][2, 2] = code("Sea")
    kinds = {cell: kinds_of({0: keys}) for cell, keys in laid(battlemap).items()}
    grid = battlemap.grid
    faded = {12, *(grid.neighbour(12, side) for side in range(6))}
    assert {cell for cell, found in kinds.items() if "fading" in found} == faded
    assert {cell for cell, found in kinds.items() if "ground" in found} == set(range(25)) - faded
    assert all("transition" not in found for found in kinds.values())


def test_waters_that_fade_alike_share_their_pieces_on_maps_seen_from_afar():
    battlemap = land(FLAT, 0, 12, 7, kinds=1)
    code = battlemap.terrain_set.terrain_code
    planes = battlemap.layers[0].planes
    planes["terrain"][:] = code("Deep sea")
    planes["terrain"][3, [2, 7]] = code("Sea")  # they show other sections of the ground's pattern
    first = 3 * 12 + 2
    second = 3 * 12 + 7
    near = laid(battlemap)
    assert near[first][0] != near[second][0]
    afar = laid(battlemap, coarse=True)
    assert afar[first][0] == afar[second][0]


def test_land_runs_sharply_into_water_and_softly_into_land():
    battlemap = land(FLAT, 0, 3, 3, kinds=1)
    code = battlemap.terrain_set.terrain_code
    planes = battlemap.layers[0].planes
    planes["terrain"][1, 1] = code("Wood")
    planes["terrain"][2, 1] = code("Sea")
    found = laid(battlemap)
    wood = code("Wood")
    crisp = {
        cell: {key[-1] for key in keys if key[0] == "transition" and key[1] == wood}
        for cell, keys in found.items()
    }
    assert crisp[7] == {1}, "the sea"
    assert crisp[1] == {0}, "grass"


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_single_trees_stray_from_woods_over_open_land_alone(layout):
    """Around lone woods lies grass, sea, or another wood."""
    strays = {}
    for name in ("Grassland", "Sea", "Jungle"):
        battlemap = land(layout, 0, 24, 24, kinds=1)
        code = battlemap.terrain_set.terrain_code
        terrain = battlemap.layers[0].planes["terrain"]
        terrain[:] = code(name)
        terrain[2::5, 2::5] = code("Wood")
        woods = set(np.flatnonzero(terrain.ravel() == code("Wood")).tolist())
        found = {
            cell: [key[1] // VARIANTS % layout.degree for key in keys if key[0] == "stray"]
            for cell, keys in laid(battlemap).items()
        }
        strays[name] = {cell: sides for cell, sides in found.items() if cell in woods and sides}
        if name == "Grassland":
            assert set(strays[name]) == woods
    assert all(
        (first - second) % layout.degree == layout.degree // 2
        for first, second in strays["Grassland"].values()
    )
    assert len({min(sides) for sides in strays["Grassland"].values()}) > 1, "not all alike"
    assert not strays["Sea"]
    assert not strays["Jungle"]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_floes_drift_beyond_those_sides_of_ice_where_water_lies(layout):
    battlemap = land(layout, 3, 14, 14)
    code = battlemap.terrain_set.terrain_code
    grid = battlemap.grid
    rng = np.random.default_rng(3)
    terrain = rng.choice([code("Ice"), code("Sea"), code("Grassland")], grid.size)
    battlemap.layers[0].planes["terrain"][:] = terrain.reshape(grid.height, grid.width)
    variants = set()
    for cell, keys in laid(battlemap).items():
        if terrain[cell] != code("Ice"):
            continue
        strays = [key[1] for key in keys if key[0] == "stray"]
        at_water = set()
        for side in range(layout.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour >= 0 and terrain[neighbour] == code("Sea"):
                at_water.add(side)
        assert {stray // VARIANTS % layout.degree for stray in strays} == at_water
        variants |= {stray % VARIANTS for stray in strays}
    assert variants == {0, 1}, "not all alike"


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_boards_and_plain_colour_sets_have_outlined_cells_and_no_transitions(layout):
    joined = {"transition", "ground", "grid"}
    assert joined <= kinds_of(laid(land(layout, 1)))
    for found in (
        laid(land(layout, 1), style=BOARD),
        laid(land(layout, 1), colours="colour-blind"),
        laid(land(layout, 1), colours="print"),
    ):
        assert joined.isdisjoint(kinds_of(found))
        assert "cell" in kinds_of(found)


def test_which_systems_have_landscapes():
    assert style_of(COLOSSUS) is BOARD
    assert {style_of(FREE), style_of(XCONQ)} == {LANDSCAPE}


@given(st.permutations(range(8)))
@settings(max_examples=20)
def test_priorities_follow_the_pictures_and_are_all_different(order):
    names = ("Lake", "Sand", "Plains", "Tree", "Stone", "Drift", "Volcano", "Tower")
    terrains = tuple(Terrain(names[i], "#000000") for i in order)
    found = priorities(TerrainSet("set", terrains))
    assert [terrains[i].name for i in np.argsort(found)] == list(names)
    unknown = TerrainSet(
        "set",
        (
            Terrain("Slag", "#000000"),
            Terrain("Brine", "#000000", water=True),
            *(Terrain("Lake", "#000000"), Terrain("Mud", "#000000")),
        ),
    )
    assert priorities(unknown).tolist() == [2, 0, 1, 3]


def test_a_priority_of_ones_own_is_a_row_of_the_order():
    terrains = (Terrain("Tree", "#000000", priority=-5), *map(terrain, ("Lake", "Plains", "Tower")))
    assert priorities(TerrainSet("set", terrains)).tolist() == [0, 1, 2, 3]
    terrains = (Terrain("Lake", "#000000", priority=99), *map(terrain, ("Plains", "Tower")))
    assert priorities(TerrainSet("set", terrains)).tolist() == [2, 0, 1]


def terrain(name):
    return Terrain(name, "#000000")


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_nothing_runs_into_foreign_pictures_nor_out_of_them(seed):
    foreign = Terrain("Own", "#808080", asset="0" * 64, priority=9)
    terrains = (foreign, *map(terrain, ("Lake", "Plains", "Tower")))
    battlemap = land(FLAT, seed, kinds=4)
    battlemap.terrain_set = TerrainSet("set", terrains)
    shown = battlemap.composite().planes["terrain"].ravel()
    for cell, keys in laid(battlemap).items():
        into = [key[1] for key in keys if key[0] == "transition"]
        assert 0 not in into
        assert not into or shown[cell] != 0


def test_grounds_of_one_picture_in_two_colours_fade_and_others_run_over():
    terrains = (
        Terrain("Green grass", "#93ad60", picture="Grassland"),
        Terrain("Dry grass", "#bdab6d", picture="Grassland"),
        Terrain("Wood", "#bdab6d", picture="Woods", ground="Grassland"),
        Terrain("Sand", "#dfc98c", picture="Desert"),
    )
    green, dry, wood, sand = families(TerrainSet("set", terrains)).tolist()
    assert green == dry > 0 == wood == sand
    battlemap = land(FLAT, 3, kinds=3)
    battlemap.terrain_set = TerrainSet("set", terrains)
    assert "transition" not in kinds_of(laid(battlemap))
    assert "fading" in kinds_of(laid(battlemap))
    battlemap = land(FLAT, 3, kinds=4)
    battlemap.terrain_set = TerrainSet("set", terrains)
    assert {
        key[1] for keys in laid(battlemap).values() for key in keys if key[0] == "transition"
    } <= {0, 1}


def test_a_third_ground_beside_a_cell_fades_as_the_one_of_the_nearest_colour():
    colours = {"Green": "#70b050", "Light": "#80b858", "Dry": "#c0a060", "Own": "#202020"}
    grasses = [Terrain(name, colour, picture="Grassland") for name, colour in colours.items()]
    green, light, dry, middle = range(4)
    grid = Grid(FLAT, 5, 5)
    plane = np.full(grid.size, middle)
    centre = grid.cell(2, 2)
    for side, grass in ((0, green), (2, dry), (4, light)):
        plane[grid.neighbour(centre, side)] = grass
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = plane.reshape(5, 5).astype("u2")
    battlemap = BattleMap.new(FREE, grid, [layer], TerrainSet("Grasses", tuple(grasses)))
    (key,) = [key for key in laid(battlemap)[centre] if key[0] == "fading"]
    _kind, _lowest, low_mask, _highest, high_mask, *_rest = key
    assert {low_mask, high_mask} == {1 << 0 | 1 << 4, 1 << 2}, "light grass goes with the green"


def test_a_cell_whose_only_other_ground_lies_over_a_step_is_drawn_beside_one_of_three():
    colours = {"Green": "#70b050", "Light": "#80b858", "Dry": "#c0a060", "Own": "#202020"}
    grasses = [Terrain(name, colour, picture="Grassland") for name, colour in colours.items()]
    grid = Grid(FLAT, 9, 5)
    terrain = np.full(grid.size, 3)
    for side, grass in ((0, 0), (2, 2), (4, 1)):
        terrain[grid.neighbour(grid.cell(2, 2), side)] = grass
    high_cell = grid.cell(7, 2)
    terrain[high_cell] = 0
    elevation = np.zeros(grid.size)
    elevation[high_cell] = 1
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = terrain.reshape(5, 9).astype("u2")
    layer.planes["elevation"] = elevation.reshape(5, 9).astype("i2")
    battlemap = BattleMap.new(FREE, grid, [layer], TerrainSet("Grasses", tuple(grasses)))
    beside_step = grid.neighbour(high_cell, 0)
    assert "fading" not in kinds_of({0: laid(battlemap)[beside_step]})
