"""Maps of Worldographer: the corpus by an independent reader, and what a sample of ours becomes."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_checked
from randomizer.formats.results import ReadResult
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.notes import notes_of
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.players_view import players_view
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map
from randomizer.systems.free.things import LABEL, NOTE
from tests.randomizer.systems.interchange.readers import wxx
from tests.randomizer.systems.interchange.samples import WXX, WXX_TEXT, packed
from tests.randomizer.systems.interchange.test_corpus import CORPUS

REAL = sorted((CORPUS / "wxx").glob("*.wxx")) if CORPUS else []
FILES = [pytest.param(file, id=file.name) for file in REAL]
NONE = [pytest.param(Path(), marks=pytest.mark.skip("the corpus is not there"))]


def read(data: bytes) -> ReadResult:
    """The result of reading a file."""
    return read_checked(format_named("wxx"), data, "a.wxx")


def opened(text: str = WXX_TEXT) -> BattleMap:
    """The map of a file of this text."""
    battlemap = read(packed(text)).battlemap
    assert battlemap is not None
    return battlemap


def codes(battlemap: BattleMap, layer: Layer) -> list[str]:
    """The codes of the cells of a layer, "" where it sets none."""
    names = [terrain.code for terrain in battlemap.terrain_set.terrains]
    return [names[at] if at != 0xFFFF else "" for at in layer.planes["terrain"].flat]


def layer_of(battlemap: BattleMap, name: str) -> Layer:
    """The layer of a name."""
    return next(layer for layer in battlemap.layers if layer.name == name)


@pytest.mark.parametrize("file", FILES or NONE)
def test_a_real_file_has_its_terrains_things_and_elevations(file: Path) -> None:
    data = file.read_bytes()
    assert format_for(data, "a").name == "wxx"
    result = read(data)
    battlemap = result.battlemap
    grid = result.battlemap.grid
    size, cells, things = wxx(data)
    assert (grid.width, grid.height) == size
    ground = battlemap.layers[0]
    plain = [code.partition(" #")[0].removesuffix(", icy") for code in codes(battlemap, ground)]
    assert plain == [name for name, _feet in cells]
    step = int(next(p.message for p in result.problems if "step" in p.message).split()[-2])
    feet = np.array([feet for _name, feet in cells])
    assert np.abs(ground.planes["elevation"].ravel() * step - feet).max() <= step / 2
    shown: dict[str, list[object]] = {"feature": [], "label": [], "note": []}
    for visible_thing in battlemap.visible_things():
        group = visible_thing.kind if visible_thing.kind in (LABEL, NOTE) else "feature"
        name = visible_thing.state["feature"] if group == "feature" else visible_thing.label
        x, y = grid.xy(grid.cell_at(visible_thing.x, visible_thing.y))
        assert (visible_thing.x, visible_thing.y) == pytest.approx(grid.centre(grid.cell(x, y)))
        shown[group].append((name, x, y))
    assert {name: sorted(each) for name, each in shown.items()} == {
        name: sorted(thing) for name, thing in things.items()
    }
    again = read_project(write_project(battlemap)).battlemap
    assert again.composite().same_as(battlemap.composite())


def test_tiles_are_columns_and_terrains_go_by_their_numbers() -> None:
    battlemap = opened()
    deep = "Classic/Water Sea Deep"
    woods = "Classic/Hills Forest Evergreen"
    shown = codes(battlemap, battlemap.layers[0])
    assert shown == [woods, f"{deep}, icy", "Blank #ff8000", deep, "Blank", "Blank"]
    looks = {
        terrain.code: (terrain.picture, terrain.colour)
        for terrain in battlemap.terrain_set.terrains
    }
    assert looks[woods][0] == "Conifers"
    assert [looks[code][0] for code in (deep, f"{deep}, icy")] == ["Deep sea", "Ice"]
    assert looks["Blank #ff8000"] == ("", "#ff8000")


def test_elevations_are_steps_of_feet() -> None:
    result = read(WXX)
    assert result.battlemap.layers[0].planes["elevation"].tolist() == [[5, -2, 0], [-1, 0, 0]]
    assert [problem.message for problem in result.problems] == [
        "Elevations are in feet: a step here is 200 feet",
        "Not kept: other levels (1), entries about the world (2), cells' resources (3), "
        "looks of symbols (1), things of other levels (1), fills of areas (1), "
        "shapes of other levels or without a line (1)",
    ]


def test_what_is_for_the_gm_only_is_secret() -> None:
    battlemap = opened()
    covered = codes(battlemap, layer_of(battlemap, "GM only: Terrain"))
    assert covered == ["", "", "", "", "Classic/Hills Forest Evergreen", ""]
    shown = players_view(battlemap)
    names = ["Map", "Above Terrain", "Features", "Labels", "Notes"]
    assert [layer.name for layer in shown.layers] == names
    assert [len(layer_of(each, "Features").things) for each in (battlemap, shown)] == [1, 0]
    assert codes(shown, shown.layers[0])[4] == "Blank"


def test_what_is_for_the_gm_only_is_secret_beside_a_public_layer_of_that_name() -> None:
    layer = '<maplayer name="GM only: Terrain" isVisible="true"/>'
    battlemap = opened(WXX_TEXT.replace("<maplayer ", f"{layer}<maplayer ", 1))
    covered = [layer for layer in battlemap.layers if layer.name == "GM only: Terrain"]
    assert [layer.secret for layer in covered] == [True]


def test_layers_are_as_in_the_file_and_the_topmost_is_never_secret() -> None:
    layers = opened().layers
    assert [(layer.name, layer.visible, layer.opacity) for layer in layers] == [
        ("Map", True, 1.0),
        ("GM only: Terrain", True, 1.0),
        ("GM only: Above Terrain", True, 1.0),
        ("Above Terrain", True, 1.0),
        ("Features", False, 1.0),
        ("Labels", True, 0.5),
        ("Notes", True, 1.0),
    ]


def test_features_labels_and_notes_are_things() -> None:
    battlemap = opened()
    tower, bay, mill = (thing for layer in battlemap.layers for thing in layer.things.values())
    assert (tower.kind, tower.label, tower.angle) == ("tower", "Keep of R&D", 330.0)
    assert (tower.x, tower.y) == pytest.approx(battlemap.grid.centre(1))
    assert dict(tower.state) == {
        "colour": "#ff0000",
        "feature": "Classic/Building Wizard Tower",
        "italic": True,
        "secret": True,
        "size": 0.5,
    }
    assert (bay.kind, bay.label, bay.angle) == ("label", "Bay", 90.0)
    assert dict(bay.state) == {"colour": "#000000", "halo": "#ffffff", "size": 0.8}
    (note,) = notes_of(battlemap)
    assert (note.thing, note.thing.label) == (mill, "The <mill>")
    assert note.lines == ["Old & damp.", "Rats"]
    assert battlemap.grid.cell_at(mill.x, mill.y) == 5


def test_lines_along_sides_are_hexsides_and_others_ways() -> None:
    battlemap = opened()
    names = [(way.name, way.style, way.colour) for way in battlemap.terrain_set.ways]
    assert names == [("River", "water", "#0000ff"), ("Road", "road", "#804c00")]
    above = layer_of(battlemap, "Above Terrain")
    sides = np.argwhere(above.planes["hexside"] == 1).tolist()
    twins = [battlemap.grid.twin(y * 3 + x, side) for y, x, side in sides]
    assert len(sides) == 2
    edges = [{(y * 3 + x, side), twin} for (y, x, side), twin in zip(sides, twins, strict=True)]
    assert {(0, 3), (3, 0)} in edges  # between the first two of column 0
    assert {(0, 2), (1, 5)} in edges
    river = above.planes["way1"].ravel()
    assert river.tolist().count(PRESENT) == 1  # from a corner to the centre of this cell
    assert river[1] == PRESENT
    secret = layer_of(battlemap, "GM only: Above Terrain")
    road = secret.planes["way2"].ravel()
    assert secret.secret
    assert (road[0] & SIDES, road[3] & SIDES) == (1 << 3, 1 << 0)
    assert [cell for cell in range(6) if road[cell] & PRESENT] == [0, 2, 3, 4, 5]
    assert [road[cell] & SIDES for cell in (2, 5, 4)] == [1 << 3, 1 << 0 | 1 << 4, 1 << 1]
    assert codes(battlemap, above)[0] == "Classic/Flat Beach"


@pytest.mark.parametrize(
    ("code", "picture"),
    [
        ("Flat Forest Deciduous Heavy", "Woods"),
        ("Classic/Mountains Forest Evergreen", "Mountains"),
        ("Mountain Snowcapped", "High mountains"),
        ("Mountains Glacier", "High mountains"),
        ("Mountain Volcano Dormant", "Volcano"),
        ("Hills Forest Jungle", "Jungle"),
        ("Hills Grassland", "Hills"),
        ("Flat Farmland Cultivated", "Crops"),
        ("Flat Grazing Land", "Grassland"),
        ("Flat Desert Rocky", "Desert"),
        ("Flat Shrubland", "Heath"),
        ("Flat Savanna", "Plains"),
        ("Flat Snowfields", "Snow"),
        ("Flat Wetlands", "Swamp"),
        ("Underdark Broken Lands", "Stone"),
        ("Other Badlands", "Badlands"),
        ("Water Ocean", "Deep sea"),
        ("Water Sea", "Sea"),
        ("Water Shoals", "Shallows"),
        ("Flat Grassland #dead00", "Grassland"),
    ],
)
def test_terrains_have_the_nearest_picture(code: str, picture: str) -> None:
    battlemap = opened(WXX_TEXT.replace("Classic/Hills Forest Evergreen", code))
    terrains = {terrain.code: terrain.picture for terrain in battlemap.terrain_set.terrains}
    assert terrains[code] == picture


@pytest.mark.parametrize(
    ("orientation", "centre"), [("ROWS", (4, (0, 1))), ("SQUARE", (1, (1, 0)))]
)
def test_other_grids_have_their_own_cells(orientation: str, centre: tuple[int, object]) -> None:
    battlemap = opened(WXX_TEXT.replace("COLUMNS", orientation))
    size = battlemap.grid.width, battlemap.grid.height
    assert size == ((2, 3) if orientation == "ROWS" else (3, 2))
    layout = {"ROWS": "pointy", "SQUARE": "square"}[orientation]
    assert battlemap.grid.layout.name == layout


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-8"])
def test_other_encodings_are_read(encoding: str) -> None:
    text = WXX_TEXT.replace("utf-16", encoding.removesuffix("-le"))
    assert read(packed(text, encoding)).battlemap.composite().same_as(opened().composite())


@pytest.mark.parametrize(
    ("column", "row", "order", "separator", "name"),
    [
        ("0", "0", "COL_ROW", ".", "01.00"),
        ("1", "1", "COL_ROW", "", "0201"),
        ("0", "1", "COL_ROW", ".", "0201"),
        ("0", "0", "ROW_COL", ".", "0201"),
    ],
)
def test_cells_are_numbered_as_in_the_file(column, row, order, separator, name) -> None:
    looks = f'numberFirstCol="{column}" numberFirstRow="{row}" numberOrder="{order}"'
    numbering = f'<gridandnumbering {looks} numberSeparator="{separator}"/><terrainmap>'
    battlemap = opened(WXX_TEXT.replace("<terrainmap>", numbering))
    assert battlemap.system.cell_name(battlemap.grid, 1) == name


def test_it_is_read_only() -> None:
    known = format_named("wxx")
    assert not known.writable
    battlemap = opened()
    assert known.check(battlemap) == ()
    assert not battlemap.records
    with pytest.raises(ProblemError, match="nothing was written"):
        write_checked(known, battlemap)


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ('hexOrientation="COLUMNS"', 'hexOrientation="X"', 2, "hexOrientation of COLUMNS"),
        ('tilesWide="3"', 'tilesWide="999999"', 7, "cells"),
        ('tilesWide="3"', 'tilesWide="4"', 7, "no 4 rows of 2 tiles"),
        ("</tilerow>\n<tilerow>\n12\t-300", "12\t-300", 7, "no 3 rows of 2 tiles"),
        ("Z\n12\t-120", "Z\n</tilerow><tilerow>\n12\t-120", 7, "no 3 rows of 2 tiles"),
        ('tilesWide="3"', 'tilesWide="nan"', 7, "no number"),
        ("0\t1000\t0", "7\t1000\t0", 9, "a known terrain"),
        ("0\t1000\t0", "0\tinf\t0", 9, "no number"),
        ('x="375.0"', 'x="1e30"', 24, "no number"),
        ("Classic/Hills Forest", "\u200b", 9, "cannot be a terrain"),
        ("<notes>", "<notes>&bomb;", 44, "entity"),
        ("</notes>", "", 50, "<notes>"),
        ('x="225.0" y="300"', 'x="9999999" y="9999999"', 1, "too long"),
    ],
)
def test_a_damaged_or_lying_file_is_one_located_problem(before, after, line, message) -> None:
    assert before in WXX_TEXT
    (problem,) = read(packed(WXX_TEXT.replace(before, after))).problems
    assert message in problem.message
    assert (problem.path, problem.line) == ("a.wxx", line)


@pytest.mark.parametrize(
    "data",
    [WXX[:-9], WXX[:60] + b"\0\0\0" + WXX[63:], gzip.compress(bytes(97 * 2**20), 1)],
    ids=["cut", "damaged", "bomb"],
)
def test_a_damaged_or_huge_container_is_refused(data: bytes) -> None:
    (problem,) = read(data).problems
    assert "gzip file" in problem.message


def test_more_layers_than_a_map_can_have_are_refused(monkeypatch) -> None:
    label = WXX_TEXT[WXX_TEXT.index("<label map") : WXX_TEXT.index("</labels>")]
    labels = "".join(label.replace('"Labels"', f'"{number}"') for number in range(501))
    text = WXX_TEXT.replace("</labels>", f"{labels}</labels>")
    assert "layers, 500 are the most" in read(packed(text)).problems[0].message
    # Layers beyond the real limit take 100 MB.
    monkeypatch.setattr("randomizer.systems.interchange.worldographer.file_layers.MAX_VALUES", 11)
    assert "too many layers for so many cells" in read(WXX).problems[0].message


def test_of_too_many_background_colours_none_is_kept() -> None:
    row = "".join(f"3\t0\t0\t0\t0\tZ\t{n / 300},1.0,0.0,1.0\n" for n in range(300))
    text = WXX_TEXT.replace('tilesWide="3" tilesHigh="2"', 'tilesWide="1" tilesHigh="300"')
    start = text.index("<tilerow>") + 9
    end = text.rindex("</tilerow>")
    result = read(packed(f"{text[:start]}\n{row}{text[end:]}"))
    assert len(result.battlemap.terrain_set.terrains) < 5
    assert "background colours (300)" in result.problems[-1].message


def test_a_terrain_called_blank_is_written_for_text_mapper_and_comes_back() -> None:
    battlemap = read_checked(format_named("wxx"), WXX).battlemap
    assert "Blank" in [terrain.name for terrain in battlemap.terrain_set.terrains]
    known = format_named("textmapper")
    data = write_checked(known, battlemap)
    again = read_checked(known, data).battlemap
    codes = again.values("terrain").ravel()[again.grid.cells].tolist()
    shown = {again.terrain_set.terrains[code].code for code in codes}
    assert "blank" in shown
    assert write_checked(known, again) == data


@pytest.mark.parametrize("names", [("Hill", "hill", "HILL"), ("Blank", "blank"), ("?", "!", "-")])
def test_terrains_that_text_mapper_would_call_alike_stay_apart(names) -> None:
    terrains = tuple(Terrain(name, "#808080") for name in names)
    battlemap = free_map(FLAT, len(names), 1, terrain_set=TerrainSet("Mine", terrains))
    cells = np.arange(len(names))
    battlemap.layers[0].planes["terrain"] = cells.astype(np.uint16).reshape(1, -1)
    known = format_named("textmapper")
    again = read_checked(known, write_checked(known, battlemap)).battlemap
    codes = [again.terrain_set.terrains[code].code for code in again.values("terrain").ravel()]
    assert len(set(codes)) == len(names)
