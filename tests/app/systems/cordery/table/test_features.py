"""Wargame tables look right: on the canvas, in the overview, as shapes, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.canvas.hover_text import accessible_text, explain_cell
from app.document.document import MapDocument
from app.render.cell_values.cell_colours import CellColours
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.map_view import MapView
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.scene.routes.rounded_areas import area_part, join_masks, joined_sides
from app.render.theme import theme
from app.render.vector.piece_painter import ShapePiecePainter
from app.render.vector.vector_map import VectorMap
from app.render.viewport import fitting
from app.systems.cordery.table.features import HILLS
from randomizer.model.edits.value_edits import set_values
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import ROUTES, TERRAINS
from randomizer.systems.cordery.table.table_words import area_words
from tests.app.cordery_tables import bare_table, is_colour, rolled_table, table_with
from tests.app.render.drawing import give_each_frame
from tests.app.render.vector.test_vector_map import pixels

SIZE = 400
NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False) | {"elevation": True, "plan": True})
CODE = TERRAINS.terrain_code
KINDS = ("square", "hex")


def rgb(colour: str) -> tuple[int, int, int]:
    return QColor(colour).getRgb()[:3]


CONTOUR, CONTOUR_2 = (rgb(colour) for _, colour in HILLS)
COLOURS = {route.name: rgb(route.colour) for route in ROUTES}


def picture(
    battlemap, size: int = SIZE, colours: str = "pictures", overlays: Overlays = NOTHING
) -> np.ndarray:
    renderer = Renderer(theme("light", colours), Pictures())
    renderer.overlays = overlays
    return pixels(renderer.picture(battlemap, battlemap.composite(), size, size, 0.2))


def around(battlemap, found: np.ndarray, x: float, y: float, radius: int = 3) -> np.ndarray:
    """The part of a picture around a point of the map."""
    viewport = fitting(battlemap.grid, QRectF(0, 0, SIZE, SIZE).size(), 0.2)
    point = viewport.to_screen(x, y).toPoint()
    rows = slice(max(0, point.y() - radius), point.y() + radius + 1)
    return found[rows, max(0, point.x() - radius) : point.x() + radius + 1]


def side_middle(battlemap, cell: int, side: int) -> tuple[float, float]:
    (ax, ay), (bx, by) = (battlemap.grid.corner(cell, side + end) for end in (0, 1))
    return (ax + bx) / 2, (ay + by) / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("plane", "mark", "name"),
    [("river", 0x40, "River"), ("road", 0x40, "Road"), ("rail", 0x40, "Railway")],
)
def test_a_route_goes_on_across_a_shared_side_and_off_the_table(qapp, kind, plane, mark, name):
    east, west = (1, 3) if kind == "square" else (1, 4)
    through = mark | 1 << east | 1 << west
    battlemap = table_with(kind, {plane: {(x, 2): through for x in range(5)}})
    found = picture(battlemap)
    for x in range(5):
        cell = battlemap.grid.cell(x, 2)
        for side in (east, west):
            there = around(battlemap, found, *side_middle(battlemap, cell, side))
            assert is_colour(there, COLOURS[name], 40).any(), (x, side)
    for y in (1, 3):  # and nowhere else
        x, y = battlemap.grid.centre(battlemap.grid.cell(2, y))
        assert not is_colour(around(battlemap, found, x, y, 8), COLOURS[name], 20).any()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "what", ["Deciduous trees", "Coniferous trees", "Palm trees", "Settlement"]
)
def test_a_hill_stays_visible_under_what_stands_on_it(qapp, kind, what):
    bare = table_with(kind, {"elevation": {(2, 2): 1}})
    covered = table_with(kind, {"elevation": {(2, 2): 1}, "terrain": {(2, 2): CODE(what)}})
    empty, bare, covered = (picture(each) for each in (table_with(kind, {}), bare, covered))
    hill = np.abs(bare - empty).max(axis=2) > 6
    left = hill & (np.abs(covered - bare).max(axis=2) <= 4)
    assert hill.sum() > 2000
    assert 0.25 * hill.sum() < left.sum() < 0.85 * hill.sum()


@pytest.mark.parametrize(
    "planes",
    [
        {"elevation": dict.fromkeys(((1, 2), (2, 2)), 1)},
        {"terrain": dict.fromkeys(((1, 2), (2, 2)), CODE("Lake"))},
        {
            "river": {(x, y): 0x45 for x in (1, 2) for y in range(5)}
        },  # two rows, from north to south
    ],
)
def test_areas_can_be_counted_on_what_lies_over_several_where_grid_lines_are_on(qapp, planes):
    battlemap = table_with("square", planes)
    lined = replace(NOTHING, grid_lines=True)
    side = side_middle(battlemap, battlemap.grid.cell(1, 2), 1)
    without = around(battlemap, picture(battlemap), *side).astype(int)
    seam = around(battlemap, picture(battlemap, overlays=lined), *side).astype(int)
    darker = (without - seam).sum(axis=2) > 20
    assert darker.any(axis=1).all(), "a line runs through from top to bottom"
    assert not darker[:, [0, -1]].any(), "and is thin"


@pytest.mark.parametrize("kind", KINDS)
def test_neighbouring_hills_are_one_and_two_contours_are_two_colours(qapp, kind):
    battlemap = table_with(kind, {"elevation": {(1, 2): 1, (2, 2): 2, (4, 2): 1}})
    found = picture(battlemap)
    middle = battlemap.grid.cell(2, 2)
    east, west = (1, 3) if kind == "square" else (1, 4)
    joined = around(battlemap, found, *side_middle(battlemap, middle, west))
    assert is_colour(joined, CONTOUR, 6).all()
    alone = around(battlemap, found, *side_middle(battlemap, middle, east))
    assert not is_colour(alone, CONTOUR, 6).any()
    top = around(battlemap, found, *battlemap.grid.centre(middle))
    assert is_colour(top, CONTOUR_2, 6).all()


@pytest.mark.parametrize("kind", KINDS)
def test_areas_of_river_side_by_side_are_one_broad_river(qapp, kind):
    east, west = (1, 3) if kind == "square" else (1, 4)
    through = PRESENT | 1 << east | 1 << west
    battlemap = table_with(kind, {"river": {(x, y): through for x in range(5) for y in (2, 3)}})
    found = is_colour(picture(battlemap), COLOURS["River"], 6)
    (x, y), (_, below) = (battlemap.grid.centre(battlemap.grid.cell(2, y)) for y in (2, 3))
    assert around(battlemap, found[..., None], x, (y + below) / 2, 12).all()
    narrow = table_with(kind, {"river": {(x, 2): through for x in range(5)}})
    assert found.sum() > 4 * is_colour(picture(narrow), COLOURS["River"], 6).sum()


@pytest.mark.parametrize("kind", KINDS)
def test_what_goes_on_all_around_leaves_no_hole(kind):
    battlemap = table_with(kind, {})
    masks = join_masks(battlemap.grid, joined_sides(battlemap.grid, np.ones(25, np.bool_)))
    inner = area_part(battlemap.grid.layout, HILLS[0][0], int(masks[12]))
    assert inner.outline.isEmpty()
    assert all(inner.fill.contains(QRectF(x, y, 0.01, 0.01)) for x, y in ((0, 0), (0.3, 0.3)))


def test_fords_bridges_and_level_crossings_are_drawn(qapp):
    across = PRESENT | 0b1010
    down = PRESENT | 0b0101
    plain = {"river": {(1, 1): down}, "road": {(1, 1): across}}
    pictures = [picture(table_with("square", plain | {"crossing": {(1, 1): n}})) for n in (0, 1, 2)]
    rails = {"rail": {(1, 1): across}}
    pictures += [
        picture(table_with("square", rails)),
        picture(table_with("square", rails | {"river": {(1, 1): down}})),
        picture(table_with("square", rails | {"road": {(1, 1): down}})),
    ]
    assert len({each.tobytes() for each in pictures}) == len(pictures)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_as_shapes_has_its_lines_and_looks_as_on_the_desk(qapp, kind):
    battlemap = rolled_table(kind, relief="hilly", railways=1, lakes=True)
    drawn_in = theme("light")
    size = QRectF(0, 0, SIZE, SIZE)
    viewport = fitting(battlemap.grid, size.size(), 0.2)

    def draw(device, pieces):
        painter = QPainter(device)
        painter.translate(viewport.dx, viewport.dy)
        painter.scale(viewport.scale, viewport.scale)
        shapes = VectorMap(
            battlemap,
            battlemap.composite(),
            drawn_in,
            Pictures(),
            NOTHING,
            pieces,
            drawn_in.background,
        )
        for _ in shapes.draw_in_steps(
            painter, painter.transform().inverted()[0].mapRect(size), viewport.scale
        ):
            pass
        painter.end()

    renderer = Renderer(drawn_in, Pictures())
    renderer.overlays = NOTHING
    desk = renderer.picture(battlemap, battlemap.composite(), SIZE, SIZE, 0.2)
    shapes = desk.copy()
    shapes.fill(drawn_in.background)
    draw(shapes, ShapePiecePainter())
    assert np.abs(pixels(shapes) - pixels(desk)).mean() < 4

    buffer = QBuffer()
    svg = QSvgGenerator()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    svg.setOutputDevice(buffer)
    svg.setViewBox(size)
    draw(svg, ShapePiecePainter())
    text = bytes(buffer.data().data()).decode()
    planes = battlemap.composite().planes
    shown = [route for route in ROUTES if route.runs(planes[route.plane]).any()]
    assert len(shown) > 1
    assert all(route.colour in text for route in shown)


@pytest.mark.parametrize("colours", ["colour-blind", "print"])
def test_colour_sets_show_tables_with_the_same_pieces(qapp, colours):
    battlemap = rolled_table(relief="hilly")
    usual = picture(battlemap)
    other = picture(battlemap, colours=colours)
    assert (usual != other).any()
    ground = rgb(theme("light", colours).terrain_colour(TERRAINS.terrains[0]).name())
    assert is_colour(other, ground, 0).mean() > 0.2


def test_routes_and_hills_show_where_cells_are_but_pixels(qapp):
    battlemap = table_with(
        "square",
        {
            "elevation": {(0, 0): 1, (1, 0): 2, (2, 0): 1},
            "terrain": {(2, 0): CODE("Palm trees")},
            "river": {(3, 0): PRESENT | 1},
        },
    )
    drawn_in = theme("light")
    colours = CellColours(battlemap, SINGLE_PASS, drawn_in, Overlays(plan=True), None)
    cells = np.arange(5)
    nowhere = np.zeros(0, np.intp)
    found = [QColor(int(c)).name() for c in colours.of(battlemap.composite(), cells, nowhere)]
    terrain = {terrain.name: terrain.colour for terrain in TERRAINS.terrains}
    river = QColor(*COLOURS["River"]).name()
    assert found == [
        *(colour for _, colour in HILLS),
        terrain["Palm trees"],
        river,
        terrain["Open"],
    ]


def test_an_edit_repaints_what_goes_on_into_other_areas(qapp):
    battlemap = table_with("square", {"elevation": {(2, 2): 1}})
    document = MapDocument(battlemap)
    regions = []
    document.changed.connect(regions.append)
    document.push(set_values(battlemap, 1, "elevation", [11], 1), "Hill")
    renderer = Renderer(theme("light"), Pictures())
    assert {11, 12, 10, 6, 7, 13} <= set(renderer.ground.spread(battlemap, regions[-1]).tolist())


def test_a_translucent_layer_shines_through(qapp):
    battlemap = rolled_table(relief="hilly")
    renderer = Renderer(theme("light"), Pictures())
    renderer.overlays = NOTHING
    renderer.cells.translucent = True
    before = pixels(renderer.picture(battlemap, battlemap.composite(), SIZE, SIZE, 0.2))
    assert (before == picture(battlemap)).all()
    for layer in battlemap.layers[1:]:
        layer.opacity = 0.4
    after = pixels(renderer.picture(battlemap, battlemap.composite(), SIZE, SIZE, 0.2))
    assert is_colour(after, CONTOUR, 4).sum() < is_colour(before, CONTOUR, 4).sum() / 4


def test_words_say_all_that_is_in_an_area_and_which_throws_put_it_there(qapp):
    document = MapDocument(rolled_table(seed=8, relief="hilly"))
    grid = document.battlemap.grid
    planes = document.composite.planes
    wooded = np.flatnonzero((planes["elevation"].ravel() > 0) & (planes["terrain"].ravel() == 4))
    cell = int(wooded[0])
    text = explain_cell(document, cell)
    assert area_words(grid, planes, cell) in text
    reasons = text.split(" - ")[1:]
    assert [reason.split()[:2] for reason in reasons] == [["Cordery's", "dice"]] * 2
    assert any(" 4." in reason for reason in reasons)
    assert accessible_text(document, cell).endswith(area_words(grid, planes, cell))
    bare = next(int(c) for c in grid.cells if not area_words(grid, planes, int(c)))
    assert explain_cell(document, bare) == f"{SYSTEM.cell_name(grid, bare)} Open"


def test_a_progressive_frame_is_completed_bit_by_bit(qapp, monkeypatch):
    give_each_frame(monkeypatch, -1)
    battlemap = rolled_table(relief="hilly")
    composite = battlemap.composite()
    area = QRectF(0, 0, SIZE, SIZE)
    renderer = Renderer(theme("light"), Pictures())
    viewport = fitting(battlemap.grid, area.size(), 0)
    renderer.overlays = NOTHING
    image = QImage(SIZE, SIZE, QImage.Format.Format_RGB32)

    view = MapView(battlemap, composite, viewport)

    def frame() -> np.ndarray:
        painter = QPainter(image)
        drafts.append(renderer.paint(painter, view, area, progressive=True).is_draft)
        painter.end()
        return pixels(image)

    drafts = []
    assert is_colour(frame(), CONTOUR, 4).sum() < 50
    assert drafts == [True]
    ready = [renderer.prepare(view, area, 2) for _ in range(200)]
    assert ready[0] is False
    assert ready[-1] is True
    assert is_colour(frame(), CONTOUR, 4).sum() > 500


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["Settlement", "Village", "Town", "City"])
def test_names_of_areas_are_written_above_their_houses(qapp, kind, name):
    battlemap = bare_table(kind)
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, CODE(name)).apply(battlemap)
    unnamed = picture(battlemap, 1200).astype(int)
    named = picture(battlemap, 1200, overlays=replace(NOTHING, labels=True)).astype(int)
    written = (named != unnamed).any(axis=-1)
    walls = is_colour(unnamed, rgb("#4a2a1f"), 12)
    assert written.any()
    assert walls.any()
    assert not (written & walls).any()
