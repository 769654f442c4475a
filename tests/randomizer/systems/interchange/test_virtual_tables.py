"""Scenes of Foundry and Universal VTT: where cells lie, what is kept, what players do not get."""

from __future__ import annotations

import io
import json
import math
import zipfile
from base64 import b64decode, b64encode
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.catalog.systems import system_named, systems
from randomizer.formats.checked import read_checked, write_checked
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.map_picture import picture_of
from randomizer.model.planes.routes import PRESENT
from randomizer.model.players_view import SECRET, players_map
from randomizer.model.records.assets import asset_digest, picture_size
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.free.things import LABEL, NOTE
from randomizer.systems.interchange import universal_vtt
from randomizer.systems.interchange.foundry import foundry
from randomizer.systems.interchange.virtual_table.frame import Frame
from randomizer.systems.interchange.virtual_table.sight_walls import sight_lines
from randomizer.systems.interchange.virtual_table.table_format import Export
from tests.randomizer.own_terrains import PNG
from tests.randomizer.systems.interchange.readers import foundry_centres, scene, universal
from tests.randomizer.systems.interchange.samples import SCENE, UNIVERSAL
from tests.randomizer.systems.interchange.test_corpus import CORPUS

CODECS = {"foundry": foundry.CODEC, "uvtt": universal_vtt.CODEC}
GIVEN = {"a.webp": PNG}
"""The picture of the samples, under the name that they call it by."""

HEDGE = 2
"""The code of a hexside of Battlefield that blocks sight; of terrains Woods (1) do."""


def battlefield(layout=FLAT, width=5, height=4, mask=None) -> BattleMap:
    """A map of Battlefield without anything."""
    grid = Grid(layout, width, height, mask)
    return BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")], packaged_set("Battlefield"))


def without_first(layout, width, height) -> np.ndarray:
    """The mask of a map without its first column (pointy: its first row)."""
    mask = np.ones((height, width), np.bool_)
    mask[:, 0 if layout is FLAT else slice(None)] = layout is not FLAT
    mask[0, :] &= layout is FLAT
    return mask


def file_of(name: str, battlemap: BattleMap, **export) -> dict:
    """The JSON of an export."""
    codec = CODECS[name]
    files = codec.export(battlemap, "moor", Export(**export)).files
    return json.loads(files[f"moor{codec.suffix}"])


def read_json(name: str, document: dict) -> BattleMap:
    """The map of a file."""
    data = json.dumps(document).encode()
    result = read_checked(format_named(name), data, None, GIVEN)
    assert result.problems == ()
    return result.battlemap


def change(battlemap: BattleMap, edit) -> None:
    assert edit is not None
    edit.apply(battlemap)


# --- where cells lie ---


@pytest.mark.parametrize("pixels", [50, 99, 100])
@pytest.mark.parametrize(
    ("layout", "is_masked", "kinds"),
    [
        (FLAT, False, {5}),
        (FLAT, True, {4}),
        (POINTY, False, {3}),
        (POINTY, True, {2}),
        (OBLIQUE, False, {2, 3}),
        (SQUARE, False, {1}),
    ],
)
def test_centres_of_cells_are_those_of_foundry(layout, is_masked, kinds, pixels) -> None:
    for width, height in product((6, 7), (4, 5)):
        mask = without_first(layout, width, height) if is_masked else None
        battlemap = battlefield(layout, width, height, mask)
        document = file_of("foundry", battlemap, pixels=pixels)
        assert document["padding"] == 0
        assert document["grid"]["type"] in kinds
        unit = pixels if layout is SQUARE else pixels / math.sqrt(3)
        left, top = battlemap.grid.bounds[:2]
        ours = (battlemap.grid.centres_of(battlemap.grid.cells) - (left, top)) * unit
        theirs = np.array(foundry_centres(document))
        apart = np.hypot(*(ours[:, None] - theirs[None]).T).min(axis=0)
        assert apart.max() < 0.5


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 5),
    st.integers(20, 60),
    st.integers(150, 400),
    st.integers(150, 400),
    st.sampled_from([0, 0.1, 0.25]),
    st.integers(-30, 30),
)
def test_the_cells_of_a_scene_are_those_whose_centres_are_on_it(
    kind, size, width, height, padding, shift
) -> None:
    document = {
        "width": width,
        "height": height,
        "padding": padding,
        "grid": {"type": kind, "size": size},
        "background": {"offsetX": shift, "offsetY": -shift},
        "walls": [],
        "notes": [{"_id": "a", "x": 0, "y": 0}],
    }
    battlemap = read_json("foundry", document)
    grid = battlemap.grid
    (note,) = battlemap.visible_things()
    unit = size if kind < 2 else size / math.sqrt(3)
    ours = (grid.centres_of(grid.cells) - (note.x, note.y)) * unit
    theirs = np.array(foundry_centres(document))
    ours, theirs = (sorted(map(tuple, (at + 0.3).round().tolist())) for at in (ours, theirs))
    assert ours == theirs


def test_hexes_of_old_scenes_are_measured_from_corner_to_corner() -> None:
    old = json.loads(SCENE[0]) | {"padding": 0}
    grid = read_json("foundry", old).grid
    assert grid.layout is POINTY
    # 300 pixels high, 40 a hex: rows are 30 apart, the first one at 20.
    assert (grid.height, read_json("foundry", {**old, "gridType": 0}).grid.layout) == (10, SQUARE)


def test_the_picture_of_a_file_lies_below_its_cells() -> None:
    battlemap = read_json("uvtt", json.loads(UNIVERSAL))
    picture = picture_of(battlemap.records)
    (width, height) = picture_size(PNG)
    grid = battlemap.grid
    corners = np.array([grid.corner(0, 0), grid.corner(grid.size - 1, 2)])
    pixels = np.column_stack([corners, (1, 1)]) @ picture.matrix
    assert pixels.ravel().tolist() == pytest.approx([0, 0, width, height])
    battlemap = read_json("foundry", json.loads(SCENE[1]))
    picture = picture_of(battlemap.records)
    notes = {thing.label: thing for thing in battlemap.visible_things()}
    # The scene begins at (50 - 3, 50): 0.1 of 400 and of 300, in whole hexes.
    left, top = np.array([notes[""].x, notes[""].y, 1]) @ picture.matrix
    assert (left, top) == pytest.approx(((90 - 47) * width / 400, (70 - 50) * height / 300))


def test_players_do_not_get_the_picture_below_the_cells() -> None:
    battlemap = read_json("uvtt", json.loads(UNIVERSAL))
    for seen, count in ((battlemap, 1), (players_map(battlemap), 0)):
        assert (
            all_bytes(foundry.CODEC.export(seen, "a", Export()).files["a.json"]).count(PNG) == count
        )


def test_a_picture_that_is_not_there_is_asked_for_and_a_broken_one_is_said() -> None:
    result = read_checked(format_named("foundry"), SCENE[0])
    assert result.missing == ("a.webp",)
    assert PICTURE not in result.battlemap.records
    for image, message in (("?", "is damaged"), ("UE5H", "is no picture")):
        data = json.dumps(json.loads(UNIVERSAL) | {"image": image}).encode()
        (problem,) = read_checked(format_named("uvtt"), data).problems
        assert message in problem.message


def test_gridless_scenes_stay_gridless() -> None:
    document = json.loads(SCENE[1]) | {"grid": {"type": 0, "size": 50, "color": "#123456"}}
    battlemap = read_json("foundry", document)
    change(battlemap, set_values(battlemap, 1, "terrain", [0], 1))
    after = scene(write_checked(format_named("foundry"), battlemap).decode())
    assert after["grid"] == document["grid"]


# --- what is kept ---


@pytest.mark.parametrize("data", [*SCENE, UNIVERSAL], ids=["9", "11", "14", "uvtt"])
def test_a_foreign_file_stays_and_a_change_adds_only_what_is_ours(data) -> None:
    name = format_for(data, "a").name
    known = format_named(name)
    read = scene if name == "foundry" else universal
    result = read_checked(known, data, None, GIVEN)
    battlemap = result.battlemap
    assert (result.problems, write_checked(known, battlemap)) == ((), data)
    change(battlemap, set_values(battlemap, 1, "terrain", [0, 1], 3))
    written = write_checked(known, battlemap)
    assert read(written.decode()) == read(data.decode())
    again = read_checked(known, written, None, GIVEN).battlemap
    assert (again.named_assets, again.records[PICTURE]) == (
        {**again.named_assets, asset_digest(PNG): PNG},
        battlemap.records[PICTURE],
    )
    assert PNG not in all_bytes(written)  # it is in the file or beside it already
    assert again.composite().same_as(battlemap.composite())
    assert list(again.visible_things()) == list(battlemap.visible_things())


@pytest.mark.skipif(CORPUS is None, reason="the corpus is not there")
def test_real_files_come_back_both_ways() -> None:
    for name, read in (("foundry", scene), ("uvtt", universal)):
        for file in (CORPUS / name).glob("*.*"):
            if file.name == "SOURCE.txt":
                continue
            data = file.read_bytes()
            known = format_for(file.read_bytes(), file.name)
            battlemap = read_checked(known, data).battlemap
            assert (known.name, write_checked(known, battlemap)) == (name, data)
            cell = int(battlemap.grid.cells[3])
            change(battlemap, set_values(battlemap, 1, "terrain", [cell], 2))
            assert read(write_checked(known, battlemap).decode()) == read(data.decode())


@pytest.mark.parametrize("name", CODECS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_our_own_maps_come_back_whole(name, layout) -> None:
    battlemap = free_map(layout, 4, 3)
    battlemap.layers.append(Layer(2, "Hidden", visible=False, secret=True))
    change(battlemap, set_values(battlemap, 1, "elevation", [2, 3], 4))
    change(battlemap, set_values(battlemap, 1, "hexside", [5], 1))
    change(battlemap, set_values(battlemap, 2, SYSTEM.ways[0].name, [1], PRESENT | 2))
    note = Thing(1, NOTE, 0.5, 0.5, label="The mill", state={"text": "Old."})
    change(battlemap, add_things(battlemap, 1, (note,)))
    again = read_json(name, file_of(name, battlemap))
    assert again.composite().same_as(battlemap.composite())
    assert [(layer.name, layer.visible, layer.secret) for layer in again.layers] == [
        ("Ground", True, False),
        ("Hidden", False, True),
    ]
    assert list(again.visible_things()) == [note]
    del again.records[ORIGINAL]
    for layer in again.layers:
        layer.from_file = False  # the only difference: a new roll covers what came with a file
    assert write_checked(format_named(name), again) == write_checked(format_named(name), battlemap)


@pytest.mark.parametrize("name", CODECS)
def test_maps_of_every_system_can_be_exported(name) -> None:
    for system in systems():
        battlemap = BattleMap.new(system, None, [Layer(1, "All")])
        for seen in (battlemap, players_map(battlemap)):
            again = read_json(name, file_of(name, seen))
            assert again.system is system
            assert again.composite().same_as(seen.composite())


def test_the_pin_of_a_note_without_a_label_begins_as_its_text() -> None:
    battlemap = battlefield()
    text = "Bandits camp here at night.\nThey sleep by day."
    long_text = "word " * 40
    notes = (
        Thing(1, NOTE, 1.5, 1.0, state=State({"text": text})),
        Thing(2, NOTE, 3.0, 1.0, state=State({"text": long_text})),
    )
    change(battlemap, add_things(battlemap, 1, notes))
    document = file_of("foundry", battlemap, pixels=70, path="worlds/moor.png")
    first, second = (pin["text"] for pin in document["notes"])
    assert first == "Bandits camp here at night."
    assert second.endswith("word…")
    assert len(second) <= 60


def test_a_scene_of_ours_that_was_worked_on_keeps_the_walls_and_pins_of_both() -> None:
    battlemap = battlefield()
    change(battlemap, set_values(battlemap, 1, "terrain", [6], 1))
    change(battlemap, add_things(battlemap, 1, (Thing(1, NOTE, 1.5, 1.0, label="Mill"),)))
    document = file_of("foundry", battlemap, pixels=70, path="worlds/moor.png")
    assert [wall["door"] for wall in document["walls"]] == [0] * 6
    door = {"_id": "w", "c": [1, 2, 3, 4], "door": 1}
    document["walls"].append(door)
    document["notes"].append({"_id": "n", "x": 100, "y": 90, "text": "Ford", "iconSize": 9})
    document["lights"].append({"_id": "l", "x": 1, "y": 2})
    battlemap = read_json("foundry", document)
    mill, ford = battlemap.visible_things()
    assert (mill.label, ford.label) == ("Mill", "Ford")
    change(battlemap, set_values(battlemap, 1, "terrain", [6], 0))
    change(battlemap, change_things(battlemap, [replace(ford, x=2.0, label="Weir")]))
    after = json.loads(write_checked(format_named("foundry"), battlemap))
    assert (after["walls"], after["lights"]) == ([door], document["lights"])
    assert after["background"] == document["background"]
    assert after["grid"] == document["grid"]
    weir = next(pin for pin in after["notes"] if pin["_id"] == "n")
    unit = 70 / math.sqrt(3)
    assert (weir["text"], weir["iconSize"], weir["x"]) == ("Weir", 9, round(3 * unit))
    assert len(after["notes"]) == 2


@pytest.mark.parametrize("name", ["\0\x07\u202e", "\ud800", [1], {"a": 1}, 7, None, "", "x" * 5000])
def test_pins_of_odd_ids_are_read_and_stay_as_they_are(name) -> None:
    document = json.loads(SCENE[0])
    document["notes"] = [
        {"_id": name, "x": 120.5, "y": 99, "text": "The mill"},
        {"_id": name, "x": 150, "y": 99, "text": "\0Ford\ud800"},
        {"_id": name, "x": "?", "y": 99},
    ]
    battlemap = read_json("foundry", document)
    assert [thing.label for thing in battlemap.visible_things()] == ["The mill", "\ufffdFord\ufffd"]
    change(battlemap, set_values(battlemap, 1, "terrain", [0], 1))
    after = json.loads(write_checked(format_named("foundry"), battlemap))
    by_place = sorted(document["notes"], key=lambda pin: str(pin["x"]))
    assert sorted(after["notes"], key=lambda pin: str(pin["x"])) == by_place


def test_pins_on_maps_of_games_stay_in_the_scene() -> None:
    battlemap = BattleMap.new(system_named("colossus"), None, [Layer(1, "All")])
    document = file_of("foundry", battlemap)
    document["notes"].append({"_id": "n", "x": 100, "y": 90, "text": "Ford"})
    battlemap = read_json("foundry", document)
    assert list(battlemap.visible_things()) == []
    change(battlemap, set_values(battlemap, 1, "elevation", [20], 1))
    after = json.loads(write_checked(format_named("foundry"), battlemap))
    assert after["notes"] == document["notes"]


def test_a_scene_whose_map_has_another_size_is_written_without_what_would_not_fit() -> None:
    battlemap = read_json("foundry", json.loads(SCENE[1]))
    bigger = free_map(FLAT, 30, 20)
    bigger.records = battlemap.records
    bigger.assets = battlemap.assets
    known = format_named("foundry")
    assert [problem.message for problem in known.check(bigger)] == [
        "The map has another grid now: the picture of the file does not stay",
        "0 walls, 1 door and 1 light are in the file",
    ]
    after = json.loads(write_checked(known, bigger))
    assert "other" not in after["flags"]
    assert after["walls"][0]["door"] == 1


# --- walls ---


def test_walls_stand_around_what_blocks_sight_and_along_hexsides_that_do() -> None:
    battlemap = battlefield(SQUARE)
    change(battlemap, set_values(battlemap, 1, "terrain", [0, 1, 6], 1))
    change(battlemap, set_values(battlemap, 1, "hexside", [4 * 13 + 2], HEDGE))
    lines = sight_lines(battlemap, battlemap.composite(), Frame(1, 0, 0))
    assert sorted(map(sorted, lines)) == sorted(
        [
            # Around the woods, but not at the edge of the map, and not between two cells of them.
            sorted([(1.5, -0.5), (1.5, 1.5), (0.5, 1.5), (0.5, 0.5), (-0.5, 0.5)]),
            sorted([(3.5, 2.5), (2.5, 2.5)]),
        ]
    )
    document = file_of("uvtt", battlemap, pixels=64)
    assert document["portals"] == document["lights"] == []
    points = [[(at["x"], at["y"]) for at in line] for line in document["line_of_sight"]]
    assert sorted(map(sorted, points)) == sorted(
        sorted((x + 0.5, y + 0.5) for x, y in line) for line in lines
    )


@pytest.mark.parametrize("name", ["uvtt", "foundry"])
def test_walls_of_the_ground_are_left_out_if_nobody_wants_them(name) -> None:
    battlemap = battlefield(SQUARE)
    change(battlemap, set_values(battlemap, 1, "terrain", [0, 1, 6], 1))
    key = {"uvtt": "line_of_sight", "foundry": "walls"}[name]
    assert file_of(name, battlemap)[key]
    assert not file_of(name, battlemap, walls=False)[key]


def test_a_new_note_takes_no_pin_of_the_scene_and_copies_of_a_note_get_their_own() -> None:
    document = file_of("foundry", battlefield(), pixels=70, path="worlds/moor.png")
    document["notes"] = [{"_id": "None", "x": 100, "y": 90, "text": "Ford"}]
    battlemap = read_json("foundry", document)
    (ford,) = battlemap.visible_things()
    next_id = battlemap.next_thing_id
    copy_of_ford = replace(ford, id=next_id, x=2.0)
    mill = Thing(next_id + 1, NOTE, 1.5, 1.0, label="Mill")
    change(battlemap, add_things(battlemap, battlemap.layers[0].id, (copy_of_ford, mill)))
    after = json.loads(write_checked(format_named("foundry"), battlemap))
    assert sorted(pin["text"] for pin in after["notes"]) == ["Ford", "Ford", "Mill"]
    assert len({pin["_id"] for pin in after["notes"]}) == 3


def test_a_hedge_between_two_hexes_is_one_wall_whoever_owns_it() -> None:
    battlemap = battlefield()
    change(battlemap, set_values(battlemap, 1, "hexside", [6 * 6 + 0, 6 * 1 + 3], HEDGE))
    (wall,) = file_of("foundry", battlemap, pixels=100)["walls"]
    (x0, y0, x1, y1) = wall["c"]
    unit = 100 / math.sqrt(3)
    assert sorted([x0, x1]) == [round(2 * unit), round(3 * unit)]
    assert (y0, y1) == (150, 150)
    assert (wall["sight"], wall["light"], wall["move"], wall["sound"]) == (20, 20, 0, 0)


def test_a_map_whose_set_says_nothing_of_sight_has_walls_where_walls_stand() -> None:
    terrains = (Terrain("Floor", "#808080"), Terrain("Rock wall", "#404040"))
    own = TerrainSet("Dungeon", terrains, (Hexside("Wall", "w", "#404040"),))
    battlemap = free_map(SQUARE, 3, 3, terrain_set=own)
    assert file_of("uvtt", battlemap)["line_of_sight"] == []
    change(battlemap, set_values(battlemap, 1, "hexside", [4 * 4], 1))
    assert len(file_of("uvtt", battlemap)["line_of_sight"]) == 1
    change(battlemap, set_values(battlemap, 1, "terrain", [0], 1))
    assert len(file_of("foundry", battlemap)["walls"]) == 2 + 1
    hints = [problem.message for problem in format_named("uvtt").check(battlemap)]
    assert hints[-1] == "3 walls, 0 doors and 0 lights are in the file"


def chequered_map(length: int) -> BattleMap:
    """A map of squares of which every second one blocks sight."""
    battlemap = free_map(SQUARE, length, length, terrain_set=packaged_set("Battlefield"))
    chequers = np.flatnonzero(np.indices((length, length)).sum(axis=0) % 2)
    change(battlemap, set_values(battlemap, 1, "terrain", chequers, 1))
    return battlemap


def test_more_walls_than_a_table_takes_are_left_out_and_counted() -> None:
    battlemap = chequered_map(200)
    assert file_of("foundry", battlemap)["walls"] == []
    messages = [problem.message for problem in format_named("foundry").check(battlemap)]
    assert "79,600 sides block sight, a virtual table takes 50,000" in " ".join(messages)
    without_walls = CODECS["foundry"].export(battlemap, "a", Export(walls=False))
    assert not any("block sight" in loss for loss in without_walls.losses), "none were wanted"
    assert file_of("foundry", chequered_map(150))["walls"], "44,700 sides, each of two cells"


# --- what players do not get ---


def all_bytes(data: bytes) -> bytes:
    """A file with all that is packed in it."""
    document = json.loads(data)
    own = document.get("flags", document)["battlelands"]
    with zipfile.ZipFile(io.BytesIO(b64decode(own["map"]))) as archive:
        return data + b"".join(name.encode() + archive.read(name) for name in archive.namelist())


@pytest.mark.parametrize("name", CODECS)
def test_nothing_secret_or_hidden_is_in_the_players_file(name) -> None:
    battlemap = battlefield()
    spec = SYSTEM.terrain
    change(battlemap, set_values(battlemap, 1, "terrain", [0, 1], 6))
    battlemap.layers[0].things = Things(
        [
            Thing(1, NOTE, 0, 0, label="Inn", state={"text": "Beer."}),
            Thing(2, NOTE, 1.5, 0.8, label="Vault", state={"text": "Gold.", SECRET: True}),
        ]
    )
    covering = Layer(2, "Cover", planes={"terrain": spec.allocate(battlemap.grid)})
    covering.planes["terrain"].flat[1] = 2
    masked = Layer(3, "Masked", visible=False, things=Things([Thing(3, LABEL, 0, 0, label="Lair")]))
    buried = Layer(4, "Buried", secret=True, things=Things([Thing(4, LABEL, 0, 0, label="Tomb")]))
    battlemap.layers += [covering, masked, buried]
    battlemap.assets["0" * 64] = b"Plan"
    battlemap.records[ORIGINAL] = MapRecord(f'{{"asset": "{"0" * 64}"}}', is_json=True)
    codec = CODECS[name]
    seen = players_map(battlemap)
    files = codec.export(seen, "moor", Export()).files
    everything = all_bytes(files[f"moor{codec.suffix}"]) + files[f"moor{codec.suffix}.txt"]
    for text in (b"Vault", b"Gold", b"Masked", b"Lair", b"Buried", b"Tomb", b"Plan", b"Cover"):
        assert text not in everything
    assert b"Inn" in everything
    assert b"Beer" in everything
    again = read_json(name, json.loads(files[f"moor{codec.suffix}"]))
    terrains = battlemap.terrain_set.terrains
    assert again.terrain_set.terrains == (terrains[0], terrains[2], terrains[6])
    assert again.values("terrain").flat[:3].tolist() == [2, 1, 0]
    (layer,) = again.layers
    assert set(layer.planes["terrain"].flat) == {2, 1, spec.unset}
    whole = all_bytes(codec.export(battlemap, "moor", Export()).files[f"moor{codec.suffix}"])
    assert b"Vault" in whole
    assert "What is secret is in the file" in " ".join(
        each.message for each in format_named(name).check(battlemap)
    )


# --- what is said, and refused ---


def test_the_text_beside_says_where_the_picture_goes_and_what_to_set() -> None:
    battlemap = battlefield()
    change(battlemap, add_things(battlemap, 1, (Thing(1, NOTE, 0, 0, label="Mill"),)))
    export = Export(80, "worlds/moor.png", b"PNG")
    files = foundry.CODEC.export(battlemap, "moor", export).files
    assert list(files) == ["moor.json", "moor.png", "moor.json.txt"]
    text = files["moor.json.txt"].decode()
    for line in ("as: worlds/moor.png", "Hexagonal Columns - Even", "80 pixels", "370 x 360"):
        assert line in text
    assert "Mill" in text
    text = universal_vtt.CODEC.export(battlemap, "moor", export).files["moor.uvtt.txt"].decode()
    assert "knows no hexes" in text
    hints = [problem.message for problem in format_named("uvtt").check(battlemap)]
    assert [hint[:24] for hint in hints] == [
        "The picture is not writt",
        "Universal VTT knows no h",
        "0 walls, 0 doors and 0 l",
    ]


def test_the_scale_is_the_distance_of_a_cell() -> None:
    battlemap = free_map(FLAT, 4, 3)
    battlemap.layers[0].properties["scale"] = "6 miles"
    grid = file_of("foundry", battlemap)["grid"]
    assert (grid["distance"], grid["units"]) == (6, "miles")


@pytest.mark.parametrize(
    ("name", "text", "message", "place"),
    [
        ("foundry", "[1]", "this is no JSON object", (1, 1)),
        ("foundry", '{\n "width": 1,,', "this is no JSON that", (2, 13)),
        ("foundry", '{"grid": {\n "type": 9, "size": 50}}', "“type” should be a number", (2, 2)),
        (
            "foundry",
            '{"gridType": 1, "grid": 1, "width": 1e6, "height": 1e6}',
            "1,000,000 c",
            (1, 1),
        ),
        ("foundry", '{"gridType": 1, "grid": 9, "width": 1, "height": 1}', "not 0 x 0", (1, 1)),
        ("foundry", '{"flags": {"battlelands": {"map": "UEsD"}}}', "the map in this file", (1, 1)),
        ("foundry", f'{{"x": {"[" * 200}{"]" * 200}}}', "nested more than", (1, 1)),
        ("uvtt", '{"resolution": {"map_size": {"x": 2}}}', "“y” should be a number", (1, 17)),
        ("uvtt", '{"resolution": {"map_size": {"x": 9e5, "y": 9e5}}}', "1,000,000 cells", (1, 1)),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(name, text, message, place) -> None:
    (problem,) = read_checked(format_named(name), text.encode()).problems
    assert message in problem.message
    assert (problem.line, problem.column) == place


def table_file(picture: bytes) -> bytes:
    resolution = {"map_size": {"x": 4, "y": 3}, "pixels_per_grid": 70}
    return json.dumps(
        {"format": 0.3, "resolution": resolution, "image": b64encode(picture).decode()}
    ).encode()


@pytest.mark.deep
def test_a_file_with_a_large_picture_opens_and_goes_through_a_project() -> None:
    data = table_file(PNG + bytes(17 * 2**20))
    map_format = format_named("uvtt")
    battlemap = read_checked(map_format, data, "cave.dd2vtt").battlemap
    assert battlemap is not None
    again = read_project(write_project(battlemap)).battlemap
    assert again is not None
    assert picture_of(again.records).asset in again.assets
    assert write_checked(map_format, again) == data


def test_a_file_beyond_the_limit_says_how_many_bytes_it_may_have() -> None:
    map_format = format_named("uvtt")
    result = read_checked(map_format, b"[" + b" " * map_format.largest, "cave.uvtt")
    assert result.battlemap is None
    assert result.problems[0].message == "a file has at most 134,217,728 bytes"
