"""Commands on the whole map, and the words for what is under the mouse."""

import numpy as np
import pytest
from PySide6.QtTest import QTest

from app.canvas.hover_text import explain
from app.document.document import MapDocument
from app.document.map_files import new_map, read_map
from app.document.map_merging import merge_in
from app.document.map_writing import write_map
from app.document.stored_viewport import stored_viewport, viewport_of
from app.features.cell_menu.hex_menu import cell_menu, edge_menu
from app.features.map.edge_fills import edges_to_fill
from app.features.map.erase import erase_map
from app.features.map.panel import PropertiesPanel
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from app.widgets.lists.picture_choice import PictureChoice
from randomizer.catalog.systems import system_named
from randomizer.formats.results import ReadResult
from randomizer.model.edits.layer_edits import insert_layer
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.grid import Hit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.system import ORIGIN, SYSTEM, TERRAIN
from randomizer.systems.free.system import free_map
from tests.app.conftest import cell
from tests.randomizer.model.map.test_regions import map_with_regions, names_of_regions
from tests.randomizer.own_terrains import PICTURES

CLIFF = 2
SLOPE = 3


RENDERER = Renderer(theme("light"))


def every_action(menu):
    """The entries of a menu, with those that are pictures."""
    for action in menu.actions():
        yield from action.choices if isinstance(action, PictureChoice) else [action]


def actions(menu):
    return {action.text(): action for action in every_action(menu) if action.text()}


def test_erase_map_leaves_one_empty_layer_and_undo_brings_all_back(document):
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    document.push(set_property(document.battlemap, 1, "title", "Hills"), "Title")
    document.push(set_locks(document.battlemap, [15], True), "Lock")
    before = document.composite.copy()
    assert erase_map(document)
    assert not np.any(document.composite.planes["terrain"])
    assert document.composite.properties.get("title") == "Hills"
    assert not document.battlemap.locked_cells.any()
    assert document.active_layer.name == "Ground"
    document.undo()
    assert document.composite.same_as(before)
    assert document.battlemap.locked_cells.flat[15]


def fill_edges(document, fill) -> int:
    edit, count, _kept = edges_to_fill(document, fill)
    document.push(edit, fill.title)
    return count


def test_fills_put_hexsides_on_the_higher_hex(document):
    document.push(
        set_values(document.battlemap, 1, "elevation", [cell("D4"), cell("C4")], [2, 1]), "High"
    )
    slopes, cliffs, _dunes = SYSTEM.edge_fills
    assert fill_edges(document, slopes) > 0
    assert fill_edges(document, cliffs) == 5
    hexside = document.composite.planes["hexside"]
    assert hexside.flat[cell("D4") * 6 + 5] == SLOPE
    assert hexside.flat[cell("D4") * 6] == CLIFF
    assert fill_edges(document, slopes) == 0
    assert len(document.history.steps) == 3


def test_the_hex_menu_has_everything_the_builder_had(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    found = actions(cell_menu(document, cell("D4"), panel, RENDERER))
    for text in ("Plains", "TarPit", "Elevation 3", "On the start list"):
        assert text in found
    assert "Clear my hexsides" not in found, "it has none"
    found["Volcano"].trigger()
    found["Elevation 3"].trigger()
    found["On the start list"].trigger()
    found["Locked for rolls"].trigger()
    assert document.composite.planes["terrain"].flat[cell("D4")] == 4
    assert document.composite.planes["elevation"].flat[cell("D4")] == 3
    assert document.composite.properties.get("startlist") == ("D4",)
    assert document.battlemap.locked_cells.flat[cell("D4")]
    assert len(document.history.steps) == 4
    assert actions(cell_menu(document, cell("D4"), panel, RENDERER))["Volcano"].isChecked()


def test_the_hex_menu_clears_hexsides_of_the_hex_and_of_its_neighbours(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    places = [cell("D4") * 6, cell("D5") * 6 + 3]
    document.push(set_values(document.battlemap, 1, "hexside", places, CLIFF), "Cliffs")
    found = actions(cell_menu(document, cell("D4"), panel, RENDERER))
    found["Clear my hexsides"].trigger()
    hexside = document.composite.planes["hexside"]
    assert (hexside.flat[places[0]], hexside.flat[places[1]]) == (0, CLIFF)
    found["Clear my neighbours' hexsides towards me"].trigger()
    assert document.composite.planes["hexside"].flat[places[1]] == 0


def test_the_border_menu_sets_either_side_and_locks_both(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    menu = edge_menu(document, Hit(cell("D4"), 0, 0.95), panel, RENDERER)
    rivers = [action for action in every_action(menu) if action.text() == "River"]
    assert len(rivers) == 2
    rivers[1].trigger()
    assert document.composite.planes["hexside"].flat[cell("D5") * 6 + 3] == 5
    actions(menu)["Locked for rolls"].trigger()
    assert document.battlemap.locked_sides.sum() == 2
    with pytest.raises(ValueError, match="rim"):
        edge_menu(document, Hit(cell("D6"), 0, 0.95), panel, RENDERER)


def test_the_words_under_the_mouse_name_the_line_of_the_script(document):
    layer = Layer(1, "Mountains, seed 17 no. 0", planes={})
    for spec in (TERRAIN, ORIGIN):
        layer.planes[spec.name] = spec.allocate(SYSTEM.new_grid())
    layer.planes["terrain"].flat[cell("D4")] = 4
    layer.planes["origin"].flat[cell("D4")] = 0
    layer.roll = Roll("", "Mountains.rnd", "", {}, 17, 0, ("line 8, AREA (innermost)",))
    document.replace_map(BattleMap.new(SYSTEM, layers=[layer]))
    words = explain(document, Hit(cell("D4"), 0, 0.1))
    assert words == "D4 Volcano, elevation 0 - Mountains.rnd line 8, AREA (innermost)"
    document.push(set_values(document.battlemap, 1, "terrain", [cell("D4")], 5), "Paint")
    assert TOUCHED + "terrain" in layer.planes
    assert "by hand" in explain(document, Hit(cell("D4"), 0, 0.1))
    assert "neither rolled nor painted" in explain(document, Hit(cell("A1"), 0, 0.1))


def test_the_words_under_the_mouse_tell_who_set_elevation_and_start_list(document):
    battlemap = document.battlemap
    here = Hit(cell("A1"), 0, 0.1)
    document.push(set_values(battlemap, 1, "elevation", [cell("A1")], 2), "Elevation")
    hand = f"by hand, layer {battlemap.layer(1).name}"
    assert explain(document, here) == f"A1 Plains, elevation 2 - elevation {hand}"
    document.push(set_property(battlemap, 1, "startlist", ("A1", "A2")), "Start")
    assert explain(document, here).endswith(f"on the start list - elevation {hand}")
    start = Hit(cell("A2"), 0, 0.1)
    words = explain(document, start)
    assert words == f"A2 Plains, elevation 0, on the start list - start list {hand}"
    document.push(set_values(battlemap, 1, "terrain", [cell("A1")], 4), "Terrain")
    assert explain(document, here).endswith(f"on the start list - {hand}"), "all of one source"
    assert explain(document, Hit(cell("D4"), 0, 0.1)).endswith("neither rolled nor painted")


def test_the_words_near_an_edge_name_hexside_owner_and_high_side(document):
    document.push(set_values(document.battlemap, 1, "elevation", [cell("D4")], 1), "Hill")
    document.push(set_values(document.battlemap, 1, "hexside", [cell("D4") * 6], SLOPE), "Slope")
    for hit in (Hit(cell("D4"), 0, 0.95), Hit(cell("D5"), 3, 0.95)):
        words = explain(document, hit)
        assert words.startswith("Slope on the north of D4 (the high side)")
    document.push(set_values(document.battlemap, 1, "elevation", [cell("D5")], 1), "Hill")
    assert explain(document, hit).startswith("Slope on the north of D4 - "), "neither is higher"
    assert explain(document, Hit(cell("D4"), 1, 0.95)).startswith("D4 Plains")


def test_properties_show_what_is_seen_and_undo(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    title, tower, start = (panel.rows[name] for name in ("title", "tower", "startlist"))
    QTest.keyClicks(title.editor, "Hills")
    title.editor.editingFinished.emit()
    tower.editor.click()
    document.push(set_property(document.battlemap, 1, "startlist", ("D4", "D4")), "Start")
    assert start.editor.text() == "D4, D4"
    start.unset_action.trigger()
    assert document.composite.properties.get("startlist") is None
    assert document.composite.properties.get("tower")
    for _ in range(4):
        document.undo()
    assert (title.editor.text(), tower.editor.isChecked()) == ("", False)


def test_a_property_can_be_none_or_not_set(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    document.push(set_property(document.battlemap, 1, "title", "Hills"), "Title")
    document.push(insert_layer(document.battlemap, Layer(2, "Top")), "Layer", active=2)
    title = panel.rows["title"]
    assert (title.editor.text(), title.unset_action.isEnabled()) == ("Hills", False)
    title.none_action.trigger()
    assert document.active_layer.properties == {"title": ""}
    assert document.composite.properties["title"] == ""
    assert (title.editor.text(), title.editor.placeholderText()) == ("", "none")
    assert not title.none_action.isEnabled()
    title.unset_action.trigger()
    assert document.active_layer.properties == {}
    assert (title.editor.text(), title.unset_action.isEnabled()) == ("Hills", False)
    document.set_active_layer(1)
    title.unset_action.trigger()
    assert (title.editor.text(), title.editor.placeholderText()) == ("", "not set")


def test_leaving_an_empty_field_sets_nothing(document, qtbot):
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    panel.rows["title"].editor.editingFinished.emit()
    assert len(document.history.steps) == 0
    assert document.active_layer.properties == {}


def test_save_and_read_back(document, tmp_path):
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    for name in ("map.xml", "map.json", "map.battlemap"):
        write_map(document.battlemap, tmp_path / name, {})
        result = read_map(tmp_path / name)
        assert result.battlemap is not None
        assert result.battlemap.composite().planes["terrain"].flat[15] == 4
    with pytest.raises(ProblemError, match="saved as"):
        write_map(document.battlemap, tmp_path / "map.doc", {})


def test_a_suffix_of_two_kinds_of_maps_is_saved_as_that_of_the_map(tmp_path):
    system = system_named("zeroad")
    battlemap = BattleMap.new(system, system.new_grid(), [Layer(1, "Ground")])
    write_map(battlemap, tmp_path / "map.json", {})
    result = read_map(tmp_path / "map.json")
    assert result.battlemap is not None
    assert result.battlemap.system is system
    assert result.battlemap.grid.same_as(battlemap.grid)


def test_a_project_tells_how_its_map_was_looked_at(document, tmp_path):
    view = Viewport(31.5, -20.0, 4.0)
    write_map(document.battlemap, tmp_path / "map.battlemap", stored_viewport(view))
    assert viewport_of(read_map(tmp_path / "map.battlemap").view) == view


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"scale": 1e9, "dx": 0, "dy": 0},
        {"scale": 20, "dx": float("nan"), "dy": 0},
        {"scale": 20, "dx": 1e300, "dy": 0},
        {"scale": "large", "dx": 0, "dy": 0},
    ],
)
def test_a_view_that_shows_nothing_is_a_fitted_one(words):
    assert viewport_of(words) is None


def test_all_layers_of_a_map_are_merged_in(document):
    loaded = new_map(SYSTEM)
    loaded.layers.append(Layer(2, "Hills"))
    assert merge_in(document, [("Moor", ReadResult(loaded))])
    names = [layer.name for layer in document.battlemap.layers]
    assert names == ["Ground", "Moor: Ground", "Moor: Hills"]
    assert document.active_layer.name == "Moor: Hills"


def test_a_file_without_a_map_does_not_count_among_those_merged_in(document):
    assert merge_in(document, [("Moor", ReadResult(new_map(SYSTEM))), ("Notes", ReadResult(None))])
    assert document.history.steps[-1].text == "Merge Moor"


def test_a_map_that_is_merged_in_brings_its_regions_by_name(qtbot):
    document = MapDocument(map_with_regions(("North", [1, 2])))
    loaded = map_with_regions(("South", [3]), ("North", [4]))
    assert merge_in(document, [("there", ReadResult(loaded))])
    assert names_of_regions(document.battlemap)[1:5] == ["North", "North", "South", "North"]
    document.undo()
    assert names_of_regions(document.battlemap)[1:5] == ["North", "North", "", ""]


@pytest.mark.deep
def test_two_maps_of_more_regions_than_one_map_can_have_are_not_merged(qtbot):
    document = MapDocument(map_with_regions(*((f"North {n}", [1]) for n in range(501))))
    loaded = map_with_regions(*((f"South {n}", [3]) for n in range(500)))
    with pytest.raises(ProblemError, match="more than 1,000 regions"):
        merge_in(document, [("there", ReadResult(loaded))])
    assert len(document.battlemap.layers) == 1


def test_what_is_merged_in_gets_ids_of_this_map_and_stays_linked(document):
    battlemap = document.battlemap
    document.push(add_things(battlemap, 1, [Thing(0, "tent", 0, 0)]), "Place")
    loaded = new_map(SYSTEM)
    loaded.layers[0].things = Things([Thing(1, "tree", 0, 0, key="oak"), Thing(7, "hut", 1, 1)])
    loaded.layers.append(Layer(2, "Touch-ups", touch_ups_of=1))
    loaded.layers.append(Layer(3, "More touch-ups", touch_ups_of=99))
    assert merge_in(document, [("Moor", ReadResult(loaded))])
    _ground, moor, touch_ups, more = battlemap.layers
    assert {i: thing.kind for i, thing in moor.things.items()} == {2: "tree", 3: "hut"}
    assert (touch_ups.touch_ups_of, more.touch_ups_of) == (moor.id, None)
    assert list(loaded.layers[0].things) == [1, 7]


def test_what_is_merged_in_brings_its_own_terrains_and_their_pictures():
    digest, data = next(iter(PICTURES.items()))
    moor = TerrainSet("Moor", (Terrain("Bog", "#556b2f", asset=digest), Terrain("Wood", "#3e7c46")))
    document = MapDocument(free_map(FLAT, 6, 6))
    known = document.battlemap.terrain_set
    loaded = free_map(FLAT, 6, 6, terrain_set=moor, assets={digest: data})
    set_values(loaded, 1, "terrain", [3, 4], [0, 1]).apply(loaded)
    assert merge_in(document, [("Moor", ReadResult(loaded))])
    shown = document.battlemap.terrain_set.terrains
    codes = document.composite.planes["terrain"].flat[3:5]
    wood = known.terrains[known.terrain_code("Wood")]
    assert [shown[code] for code in codes] == [moor.terrains[0], wood]
    assert document.battlemap.assets == {digest: data}
    document.undo()
    assert document.battlemap.terrain_set == known


def test_a_map_of_another_grid_is_not_merged_in(document):
    with pytest.raises(ProblemError, match="of another kind"):
        merge_in(document, [("Moor", ReadResult(free_map(FLAT, 6, 6)))])


def test_reading_what_is_no_map_is_told_in_words(tmp_path):
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    for path in (tmp_path, tmp_path / "absent.xml", tmp_path / "noise.bin"):
        with pytest.raises(ProblemError):
            read_map(path)


def test_merging_leaves_hexes_the_file_does_not_name(document):
    document.push(set_values(document.battlemap, 1, "terrain", [15, 16], 4), "Paint")
    loaded = new_map(SYSTEM)
    loaded.layers[0].planes["terrain"] = TERRAIN.allocate(SYSTEM.new_grid())
    loaded.layers[0].planes["terrain"].flat[16] = 5
    assert merge_in(document, [("swamp", ReadResult(loaded))])
    terrain = document.composite.planes["terrain"].flat
    assert (terrain[15], terrain[16]) == (4, 5)
    assert document.active_layer.name == "swamp"
    document.undo()
    assert document.composite.planes["terrain"].flat[16] == 4
