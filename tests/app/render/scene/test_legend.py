"""The legend names what a map shows, and nothing else; the bar of its scale is true."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene import legend
from app.render.scene.legend_content import LONGEST_BAR, Content, largest_round_number
from app.render.scene.legend_rows import TerrainCode
from app.render.scene.pieces import Pieces
from app.render.style import style_of
from app.render.theme import theme
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_property, set_values
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.planes.routes import PRESENT
from randomizer.model.things.things import Thing
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import free_map

ALL = Overlays(legend=True)


@pytest.fixture(autouse=True)
def _application(qapp):
    """Fonts have sizes."""


def pieces_of(battlemap) -> Pieces:
    style = style_of(battlemap.system)
    drawn_with = (style, Pictures(), theme("light"), 0.05, 0.0)
    return Pieces(battlemap.grid.layout, battlemap.terrain_set, *drawn_with)


def shown(battlemap, scale=20.0, overlays=ALL) -> Content | None:
    """Return what the legend on a screen says, None if there is none."""
    pieces = pieces_of(battlemap)
    batches = [*legend.batches(pieces, battlemap, battlemap.composite(), overlays, scale)]
    return batches[0].icons[0].content if batches else None


def texts(battlemap, overlays=ALL) -> list[str]:
    return [row.text for row in shown(battlemap, overlays=overlays).rows]


def test_it_names_the_terrains_ways_and_symbols_of_the_map():
    battlemap = free_map(FLAT, 60, 40)
    first = battlemap.terrain_set.terrains[0].name
    assert texts(battlemap) == [first]
    code = battlemap.terrain_set.terrain_code("Swamp")
    set_values(battlemap, 1, "terrain", [7], code).apply(battlemap)
    set_values(battlemap, 1, "way1", [8], PRESENT | 0b1001).apply(battlemap)
    things = (Thing(1, "castle", 5.0, 5.0), Thing(2, "label", 9.0, 9.0, label="Here"))
    ThingsEdit(1, (), things).apply(battlemap)
    assert texts(battlemap) == [first, "Swamp", battlemap.terrain_set.ways[0].name, "Castle"]
    no_things = Overlays(legend=True, things=False)
    assert texts(battlemap, no_things) == [first, "Swamp", battlemap.terrain_set.ways[0].name]
    battlemap.layers[0].visible = False
    assert texts(battlemap) == [first]


def test_it_names_the_hexsides_of_a_map():
    titan = packaged_set("Titan hazards")
    battlemap = free_map(SQUARE, 60, 40, terrain_set=titan)
    plain = texts(battlemap)
    edges = battlemap.layers[0].planes["hexside"] = battlemap.system.hexside.allocate(
        battlemap.grid
    )
    names = [hexside.name for hexside in titan.hexsides]
    edges[4, 5, 2] = names.index("Wall") + 1
    edges[9, 7, 0] = names.index("Dune") + 1
    assert sorted(texts(battlemap)) == sorted([*plain, "Wall", "Dune"])
    assert texts(battlemap, Overlays(legend=True, hexsides=False)) == plain
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    with painting(image) as painter:
        shown(battlemap).draw(painter, pieces_of(battlemap))


@pytest.mark.parametrize(("layout", "cell"), [(FLAT, 3**0.5), (SQUARE, 1.0)])
@pytest.mark.parametrize(
    ("text", "bar"),
    [
        ("6 miles", (6, "miles")),
        ("2.5 km", (2.5, "km")),
        ("100", (100, "")),
        ("far", None),
        ("0", None),
    ],
)
def test_the_bar_is_as_long_as_its_cells(layout, cell, text, bar):
    battlemap = free_map(layout, 60, 60)
    set_property(battlemap, 1, "scale", text).apply(battlemap)
    found = shown(battlemap).bar
    if bar is None:
        assert found is None
        return
    unit, number, name = found
    assert (round(unit, 6), name) == (round(20.0 * cell / bar[0], 6), bar[1])
    assert 60 < unit * number <= LONGEST_BAR
    assert str(number).strip("0.") in "125"


def test_it_hides_no_small_map_and_is_asked_for():
    assert shown(free_map(FLAT, 3, 3)) is None
    assert not Overlays().legend


@pytest.mark.parametrize("size", [(3, 3), (60, 20), (20, 60), (200, 3)])
@pytest.mark.parametrize("kinds", [1, 25])
def test_in_pictures_it_lies_outside_the_map_and_no_row_is_lost(size, kinds):
    battlemap = free_map(FLAT, *size)
    plane = battlemap.layers[0].planes["terrain"] = battlemap.system.terrain.allocate(
        battlemap.grid
    )
    plane.reshape(-1)[:] = np.arange(plane.size) % min(kinds, len(battlemap.terrain_set.terrains))
    set_property(battlemap, 1, "scale", "6 miles").apply(battlemap)
    composite = battlemap.composite()
    placed = legend.legend_of_picture(battlemap, composite, ALL)
    left, top, right, bottom = battlemap.grid.bounds
    assert not placed.box.intersects(QRectF(left, top, right - left, bottom - top))
    content = placed.content
    assert len(content.rows) == len(np.unique(plane))
    assert content.columns * content.rows_in_column >= len(content.rows)
    assert (content.columns - 1) * content.rows_in_column < len(content.rows)
    assert content.bar.unit == "miles"
    unit = content.bar.unit_pixels * placed.pixel  # a mile, in map units
    assert unit * 6 == pytest.approx(battlemap.grid.layout.neighbour_distance)
    assert legend.legend_of_picture(battlemap, composite, Overlays()) is None


def test_a_symbol_called_like_a_terrain_of_the_map_has_one_row_with_it():
    battlemap = free_map(FLAT, 60, 40)
    volcano = battlemap.terrain_set.terrain_code("Volcano")
    set_values(battlemap, 1, "terrain", [7], volcano).apply(battlemap)
    ThingsEdit(1, (), (Thing(1, "volcano", 5.0, 5.0), Thing(2, "castle", 9.0, 5.0))).apply(
        battlemap
    )
    rows = [row for row in shown(battlemap).rows if row.text == "Volcano"]
    assert len(rows) == 1
    assert rows[0].subject == TerrainCode(volcano)
    assert rows[0].symbol is not None
    assert texts(battlemap)[-1] == "Castle"


def test_a_settlement_and_its_ground_have_different_names_in_the_legend():
    battlemap = free_map(FLAT, 60, 40)
    kinds = battlemap.system.thing_kinds(battlemap)
    titles = {kind.title for kind in kinds if kind.group == "Settlements"}
    assert {"Town", "City"} <= titles
    assert not titles & {terrain.name for terrain in battlemap.terrain_set.terrains}
    code = battlemap.terrain_set.terrain_code("Built-up area")
    set_values(battlemap, 1, "terrain", [7], code).apply(battlemap)
    ThingsEdit(1, (), (Thing(1, "town", 5.0, 5.0),)).apply(battlemap)
    assert {"Built-up area", "Town"} <= set(texts(battlemap))


def test_a_limit_a_hair_below_a_power_of_ten_has_a_round_number():
    assert largest_round_number(999.9999999999999) == 1000.0
    assert largest_round_number(1000.0) == 1000.0
    assert largest_round_number(7.0) == 5.0
