"""A map gets another terrain set: what is painted keeps its name, undo restores every value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.edit_gate import check_edit
from randomizer.model.edits.terrain_edits import TerrainSetEdit, change_terrain_set
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import MAX_TERRAINS, check_terrain_set
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.records.encoding import decode_edit, decode_map, encode_edit, encode_map
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS_SYSTEM
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import TOY, battlemaps, contents, terrain_sets

pytestmark = pytest.mark.usefixtures("toys_are_known")


def name_of(known: TerrainSet, spec: PlaneSpec, code: int) -> str:
    """The name of a value of the terrain or hexside plane."""
    if code == spec.unset:
        return "unset"
    if spec == TOY.terrain:
        return known.terrains[code].name
    return known.hexsides[code - 1].name if code else "none"


def painted(battlemap: BattleMap) -> list[list[str]]:
    """The names of all that the layers set, hidden ones too."""
    found = []
    for layer in battlemap.layers:
        for spec in (TOY.terrain, TOY.hexside):
            assert spec is not None
            values = layer.planes.get(spec.name, spec.allocate(battlemap.grid))
            known = battlemap.terrain_set
            found.append([name_of(known, spec, code) for code in values.ravel().tolist()])
    return found


@settings(max_examples=20)
@given(battlemaps(), st.lists(terrain_sets(), min_size=1, max_size=3))
def test_what_is_painted_keeps_its_name(battlemap: BattleMap, wanted: list[TerrainSet]) -> None:
    names = painted(battlemap)
    before = contents(battlemap)
    done = []
    for each in wanted:
        revision = battlemap.terrain_revision
        edit = change_terrain_set(battlemap, each)
        if edit is None:
            continue
        data = encode_edit(edit)
        elsewhere = decode_map(encode_map(battlemap))
        decode_edit(data, elsewhere).apply(elsewhere)
        edit.apply(battlemap)
        assert contents(elsewhere) == contents(battlemap)
        assert battlemap.terrain_revision > revision
        assert battlemap.composite().terrain_set == battlemap.terrain_set
        assert painted(battlemap) == names
        count = len(each.terrains)
        assert battlemap.terrain_set.terrains[:count] == each.terrains
        assert all(terrain.missing for terrain in battlemap.terrain_set.terrains[count:])
        check_terrain_set(battlemap.terrain_set)
        reread = read_project(write_project(battlemap)).battlemap
        assert reread is not None
        assert contents(reread) == contents(battlemap)
        done.append(edit)
    for edit in reversed(done):
        edit.inverse().apply(battlemap)
    assert contents(battlemap) == before


def map_with(terrain: int, hexside: int) -> BattleMap:
    """One cell painted in a hidden layer."""
    layer = Layer(1, "Hidden", visible=False)
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 2, 2), [Layer(2, "Ground"), layer])
    layer.planes["terrain"] = np.full((2, 2), 0xFFFF, "u2")
    layer.planes["terrain"][0, 0] = terrain
    layer.planes["hexside"] = np.full((2, 2, 4), 0xFF, "u1")
    layer.planes["hexside"][1, 1, 0] = hexside
    return battlemap


SMALL = TerrainSet("Small", (Terrain("Ash", "#111111"),), (Hexside("Bank", "w", "#222222"),))


def test_what_is_gone_and_painted_stays_as_missing_even_where_it_is_hidden() -> None:
    battlemap = map_with(2, 1)
    edit = change_terrain_set(battlemap, SMALL)
    assert edit is not None
    edit.apply(battlemap)
    known = battlemap.terrain_set
    assert [(terrain.name, terrain.missing) for terrain in known.terrains] == [
        ("Ash", False),
        ("Sand", True),
    ]
    # "w" is the letter of Bank now.
    hexsides = [(hexside.name, hexside.missing) for hexside in known.hexsides]
    assert hexsides == [("Bank", False), (TOY.terrain_set.hexsides[0].name, True)]
    assert len({hexside.letter for hexside in known.hexsides}) == 2
    assert battlemap.layers[1].planes["terrain"][0, 0] == 1
    assert battlemap.layers[1].planes["hexside"][1, 1, 0] == 2


def test_a_missing_terrain_that_comes_back_or_is_painted_no_longer_is_not_kept() -> None:
    battlemap = map_with(2, 0)
    for wanted in (SMALL, TOY.terrain_set):
        edit = change_terrain_set(battlemap, wanted)
        assert edit is not None
        edit.apply(battlemap)
    assert battlemap.terrain_set == TOY.terrain_set
    assert change_terrain_set(battlemap, TOY.terrain_set) is None
    battlemap.layers[1].planes["terrain"][0, 0] = 0xFFFF
    edit = change_terrain_set(battlemap, SMALL)
    assert edit is not None
    assert edit.new_set == SMALL


def test_a_system_may_have_one_terrain_set_only() -> None:
    battlemap = BattleMap.new(COLOSSUS_SYSTEM, layers=[Layer(1, "Ground")])
    with pytest.raises(ValueError, match="cannot have another"):
        change_terrain_set(battlemap, SMALL)


def test_an_edit_of_another_set_is_refused() -> None:
    battlemap = map_with(1, 1)
    edit = change_terrain_set(battlemap, SMALL)
    assert edit is not None
    edit.apply(battlemap)
    before = contents(battlemap)
    with pytest.raises(ValueError, match="another terrain set"):
        edit.apply(battlemap)
    assert contents(battlemap) == before


GRASS = Terrain("Grass", "#80c080")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (replace(SMALL, terrains=()), "1 to 16,000 terrains"),
        (replace(SMALL, terrains=(GRASS, GRASS)), "same name"),
        (replace(SMALL, terrains=(Terrain("Grass", "green"),)), "no colour"),
        (replace(SMALL, terrains=(Terrain("", "#80c080"),)), "cannot be ''"),
        (replace(SMALL, terrains=(Terrain("a\nb", "#80c080"),)), "cannot be"),
        (replace(SMALL, terrains=(Terrain("x" * 101, "#80c080"),)), "cannot be"),
        (replace(SMALL, terrains=(replace(GRASS, hinders="flies"),)), "hinders"),
        (
            replace(SMALL, terrains=(replace(GRASS, picture="a\nb"),)),
            "the picture of Grass",
        ),
        (replace(SMALL, terrains=(replace(GRASS, description="x" * 3000),)), "2,000 are the most"),
        (
            replace(
                SMALL, terrains=tuple(Terrain(str(n), "#808080") for n in range(MAX_TERRAINS + 1))
            ),
            "1 to 16,000 terrains",
        ),
        (replace(SMALL, hexsides=(Hexside("Wall", "", "#404040"),)), "a letter of its own"),
        (replace(SMALL, hexsides=(Hexside("Wall", " ", "#404040"),)), "a letter of its own"),
        (replace(SMALL, hexsides=(Hexside("Dune", "d", "#404040", ground="Sand"),)), "no terrain"),
        (replace(SMALL, elevations=()), "elevations"),
        (replace(SMALL, elevations=(-0x8000,)), "out of range"),
        (replace(SMALL, name=""), "the name of the terrain set"),
    ],
)
def test_sets_that_no_map_can_have_are_refused(wrong: TerrainSet, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_terrain_set(wrong)
    with pytest.raises(ValueError, match=words):
        change_terrain_set(map_with(1, 1), wrong)


def test_equal_sets_are_one_key() -> None:
    again = replace(SMALL)
    assert again is not SMALL
    assert {SMALL: "kept"}[again] == "kept"
    assert replace(SMALL, name="Other") not in {SMALL: "kept"}


def test_the_set_of_the_system_is_stored_by_its_name() -> None:
    own = BattleMap.new(TOY, Grid(SQUARE, 2, 2), [Layer(1, "Ground")])
    other = BattleMap.new(TOY, Grid(SQUARE, 2, 2), [Layer(1, "Ground")], SMALL)
    assert b"#80c080" not in encode_record(own)
    assert b"#111111" in encode_record(other)


def encode_record(battlemap: BattleMap) -> bytes:
    """The JSON of a map file."""
    import io
    import zipfile

    return zipfile.ZipFile(io.BytesIO(write_project(battlemap))).read("map.json")


def test_where_the_codes_of_one_layer_do_not_fit_nothing_is_changed() -> None:
    spec = TOY.terrain
    assert spec is not None
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 3, 2), [Layer(1, "A"), Layer(2, "B")])
    for layer in battlemap.layers:
        layer.planes[spec.name] = spec.allocate(battlemap.grid)
    before = contents(battlemap)
    one = np.ones(1, spec.dtype)
    unset = np.full(1, spec.unset, spec.dtype)
    edits = tuple(PlaneEdit(at, spec.name, np.array([99 * (at - 1)]), unset, one) for at in (1, 2))
    wanted = replace(battlemap.terrain_set, name="Other")
    with pytest.raises(IndexError):
        TerrainSetEdit(battlemap.terrain_set, wanted, edits).apply(battlemap)
    assert contents(battlemap) == before
    assert battlemap.terrain_set != wanted


# --- ways, each of which has a plane of its own -------------------------------------------------

WAYS = tuple(Way(name, "road", "#806040") for name in ("Road", "Track", "Railway", "River"))


def ways_on(battlemap: BattleMap) -> dict[str, list[list[int]]]:
    """What the layers set of each way, hidden and touched values too, by its name."""
    found: dict[str, list[list[int]]] = {}
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        for name in (spec.name, f"touched:{spec.name}"):
            of = battlemap.system.plane(name)
            planes = [
                layer.planes.get(name, of.blank(battlemap.grid)) for layer in battlemap.layers
            ]
            values = [np.where(plane == of.unset, 0, plane).ravel().tolist() for plane in planes]
            if any(map(any, values)):
                found[f"{name[:7] * (of.name != spec.name)}{way.name}"] = values
    return found


@given(st.data())
def test_a_painted_way_stays_where_it_is_whatever_becomes_of_its_set(data: st.DataObject) -> None:
    battlemap = free_map(SQUARE, 2, 2)
    battlemap.layers.append(Layer(2, "Rolled", visible=False, roll=Roll("", "", "", {}, 1, 1)))
    battlemap.terrain_set = replace(battlemap.terrain_set, ways=WAYS)
    for layer in battlemap.layers:
        for number in data.draw(st.sets(st.integers(1, 4))):
            values = data.draw(st.lists(st.sampled_from([0x80, 0, 0x42, 0x4F]), min_size=4))[:4]
            layer.planes[f"way{number}"] = np.array(values, "u1").reshape(2, 2)
            if layer.roll is not None:
                touched = (layer.planes[f"way{number}"] == 0x42).astype("u1")
                layer.planes[f"touched:way{number}"] = touched
    before = contents(battlemap)
    ways = ways_on(battlemap)
    done = []
    for _ in range(2):
        some = data.draw(st.permutations(WAYS))[: data.draw(st.integers(0, 4))]
        edit = change_terrain_set(battlemap, replace(battlemap.terrain_set, ways=tuple(some)))
        if edit is None:
            continue
        elsewhere = decode_map(encode_map(battlemap))
        check_edit(battlemap, edit)
        edit.apply(battlemap)
        decode_edit(encode_edit(edit), elsewhere).apply(elsewhere)
        assert contents(elsewhere) == contents(battlemap)
        assert battlemap.terrain_set.ways[: len(some)] == tuple(some)
        gone = battlemap.terrain_set.ways[len(some) :]
        assert all(way.missing and way.name in ways for way in gone)
        assert ways_on(battlemap) == ways
        assert read_project(write_project(battlemap)).battlemap is not None
        done.append(edit)
    for edit in reversed(done):
        edit.inverse().apply(battlemap)
    assert contents(battlemap) == before


def test_a_renamed_way_keeps_its_plane() -> None:
    battlemap = free_map(SQUARE, 1, 1)
    battlemap.terrain_set = replace(battlemap.terrain_set, ways=WAYS)
    battlemap.layers[0].planes["way2"] = np.array([[0x41]], "u1")
    ways = (WAYS[0], replace(WAYS[1], name="Pine track"), *WAYS[2:])
    wanted = replace(battlemap.terrain_set, ways=(*ways[1:], ways[0]))
    called = replace(battlemap.terrain_set, ways=ways)
    edit = change_terrain_set(battlemap, wanted, called)
    assert edit is not None
    edit.apply(battlemap)
    assert battlemap.terrain_set == wanted
    assert ways_on(battlemap) == {"Pine track": [[0x41]]}
