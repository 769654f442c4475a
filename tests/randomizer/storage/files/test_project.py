"""The project file keeps everything, and rejects what is not a map."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.systems import systems
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.things.thing_state import LARGEST_STATE
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files import project
from randomizer.storage.files.project import PROJECT, read_project, write_project
from randomizer.storage.records.npy import npy_bytes
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import TOY, battlemaps, contents

Parts = dict[str, bytes]


pytestmark = pytest.mark.usefixtures("toys_are_known")


def table() -> BattleMap:
    """Two layers, one of them rolled, some locks, a town."""
    roll = Roll("", "Bog.rnd", "AREA inside HAZARDS Bog", {"BaseHeight": 1}, 17, 3, ("line 1",))
    layers = [Layer(1, "Ground"), Layer(5, "Rolled", roll=roll, opacity=0.5)]
    layers[1].things = Things([Thing(4, "town", 0.1, -2.5, 90.0, 2, "Ur", {"men": 20}, "gate")])
    battlemap = BattleMap.new(TOY, Grid(SQUARE, 3, 2), layers)
    layers[1].planes["terrain"] = np.array([[0, 1, 2], [1, 1, 0xFFFF]], "u2")
    battlemap.locked_sides = np.zeros((2, 3, 4), np.bool_)
    battlemap.locked_sides[1, 1, 2] = True
    return battlemap


def unpacked(data: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Parts, **about: Any) -> bytes:
    """A file of these parts; ``about`` are other values in ``map.json``."""
    if about:
        parts = {**parts, "map.json": json.dumps(json.loads(parts["map.json"]) | about).encode()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def refused(data: bytes) -> str:
    """What is said of data that are not read, of the file and without anything half-read."""
    result = read_project(data, "Moor.battlemap")
    assert result.battlemap is None
    (problem,) = result.problems
    assert problem.severity is Severity.ERROR
    assert problem.path == "Moor.battlemap"
    return problem.message


# --- there and back -------------------------------------------------------------------------------


@given(battlemaps())
def test_saved_and_loaded_is_the_same_map(battlemap: BattleMap) -> None:
    data = write_project(battlemap)
    result = read_project(data)
    assert result.problems == ()
    assert result.battlemap is not None
    assert contents(result.battlemap) == contents(battlemap)
    assert write_project(result.battlemap) == data


def test_every_system_and_every_layout_can_be_saved() -> None:
    for system in systems():
        named = {system.title_property: "Moor"} if system.title_property else {}
        battlemap = BattleMap.new(system, layers=[Layer(1, "Ground", properties=named)])
        result = PROJECT.read(PROJECT.write(battlemap))
        assert result.battlemap is not None
        assert result.battlemap.system is system
        assert contents(result.battlemap) == contents(battlemap)
    world = free_map(OBLIQUE, 60, 20, wrap=True)
    again = PROJECT.read(PROJECT.write(world)).battlemap
    assert again is not None
    assert (again.grid.layout, again.grid.width, again.grid.wrap) == (OBLIQUE, 60, True)


def test_the_view_is_kept() -> None:
    result = read_project(write_project(table(), {"scale": 21.5, "dx": -3, "overlays": ["grid"]}))
    assert result.view == {"scale": 21.5, "dx": -3, "overlays": ("grid",)}


def test_a_file_can_be_looked_into_with_any_zip_program() -> None:
    parts = unpacked(write_project(table()))
    about = json.loads(parts["map.json"])
    script = f"texts/{about['layers'][1]['roll']['script']}.txt"
    assert list(parts)[:3] == ["map.json", "planes/5/terrain.npy", script]
    assert {"locks/cells.npy", "locks/sides.npy"} >= set(list(parts)[3:])
    assert (about["format"], about["version"], about["system"]) == (
        project.WORD,
        project.VERSION,
        "toy",
    )
    assert [layer["name"] for layer in about["layers"]] == ["Ground", "Rolled"]
    assert parts[script] == b"AREA inside HAZARDS Bog"
    values = np.load(io.BytesIO(parts["planes/5/terrain.npy"]), allow_pickle=False)
    assert values.tolist() == [[0, 1, 2], [1, 1, 0xFFFF]]


def test_a_text_is_stored_once_however_many_layers_were_rolled_from_it() -> None:
    battlemap = table()
    roll = replace(battlemap.layers[1].roll, texts={"a.inc": "# a", "b.inc": "# a", "c.inc": ""})
    battlemap.layers += [Layer(number, "Again", roll=roll) for number in (6, 7)]
    data = write_project(battlemap)
    assert len([name for name in unpacked(data) if name.startswith("texts/")]) == 2
    result = read_project(data)
    assert result.battlemap is not None
    assert contents(result.battlemap) == contents(battlemap)


def test_a_text_that_was_exchanged_is_told() -> None:
    parts = unpacked(write_project(table()))
    (name,) = (name for name in parts if name.startswith("texts/"))
    assert "a text is not what was written" in refused(packed({**parts, name: b"AREA"}))
    del parts[name]
    assert "a text is missing" in refused(packed(parts))


def test_a_file_that_another_program_packed_again_is_read() -> None:
    result = read_project(packed(unpacked(write_project(table()))))
    assert result.battlemap is not None
    assert contents(result.battlemap) == contents(table())


def test_a_map_that_could_not_be_read_back_is_not_written() -> None:
    with pytest.raises(ProblemError, match="too large for a file"):
        write_project(table(), largest=1000)


def test_a_file_that_was_packed_wrongly_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    # A fault of the writer itself: no map is known that brings one.
    monkeypatch.setattr(project, "npy_bytes", lambda array: npy_bytes(array)[:-1])
    with pytest.raises(ProblemError, match="this map file is damaged"):
        write_project(table())


# --- versions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "age"), [(6, "a newer"), (4, "an older"), (1, "an older")])
def test_another_version_is_named_and_not_read_at_all(version: int, age: str) -> None:
    parts = unpacked(write_project(table()))
    words = refused(packed(parts, version=version, layers="as nobody knows"))
    assert words.startswith(f"this file was made by {age} Battlelands Builder")
    assert f"version is {version}, this program reads 5" in words


@pytest.mark.parametrize("version", ["1", None, True, 1.0, [], {}])
def test_no_other_version_is_taken_for_ours(version: object) -> None:
    assert "damaged" in refused(packed(unpacked(write_project(table())), version=version))


def test_a_field_that_this_program_does_not_know_is_not_lost_without_a_word() -> None:
    data = packed(unpacked(write_project(table())), weather="rain")
    assert "'weather', which is not known here" in refused(data)


# --- damage ---------------------------------------------------------------------------------------


@given(st.data())
def test_damage_anywhere_is_told_or_harmless(data: st.DataObject) -> None:
    block = bytearray(write_project(table()))
    if data.draw(st.booleans()):
        block = block[: data.draw(st.integers(0, len(block) - 1))]
    for _ in range(data.draw(st.integers(0, 3))):
        if block:
            block[data.draw(st.integers(0, len(block) - 1))] = data.draw(st.integers(0, 255))
    result = read_project(bytes(block))
    # A zip says some things twice and others for nobody: what is read all the same is whole.
    if result.battlemap is not None:
        assert contents(result.battlemap) == contents(table())


junk = st.sampled_from([None, True, -1, 2**70, 1e999, "x", "map.json", [], [[]], {}])


@given(st.data())
def test_a_forged_description_is_read_or_told(data: st.DataObject) -> None:
    parts = unpacked(write_project(table()))
    about = json.loads(parts["map.json"])
    place: Any = about
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else [0, -1]))
        inner = place[key]
        if not inner or not isinstance(inner, dict | list) or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(junk)
    result = read_project(packed(parts, **about))
    assert result.battlemap is not None or result.problems


@pytest.mark.parametrize("data", [b"PK\x05\x06" + bytes(18), b"PK\x03\x04map.json", bytes(99)])
def test_what_is_no_zip_is_told(data: bytes) -> None:
    assert "damaged" in refused(data)


def test_an_empty_file_is_told() -> None:
    assert "empty" in refused(b"")


# --- hostile files --------------------------------------------------------------------------------


def with_plane(data: bytes) -> bytes:
    parts = unpacked(write_project(table()))
    return packed(parts | {"planes/5/terrain.npy": data})


def test_pickled_arrays_are_never_opened() -> None:
    opened = []

    class Trap:
        def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
            return opened.append, (1,)

    file = io.BytesIO()
    np.save(file, np.array([Trap()], object), allow_pickle=True)
    assert "damaged" in refused(with_plane(file.getvalue()))
    assert "damaged" in refused(with_plane(pickle.dumps(Trap())))
    assert opened == []


@pytest.mark.parametrize(
    "plane",
    [
        np.zeros((3, 2), "u2"),
        np.zeros((2, 3), "u4"),
        np.zeros((2, 3), ">u2"),
        np.zeros((2, 3), "f2"),
        np.zeros(6, "u2"),
    ],
)
def test_a_plane_that_does_not_fit_the_map_is_told(plane: np.ndarray[Any, Any]) -> None:
    assert "damaged" in refused(with_plane(npy_bytes(plane)))


@pytest.mark.parametrize("header", [b"{'descr': '<u2'", b"(" * 80, b"x = 1", b"\\"])
def test_a_plane_whose_header_makes_no_sense_is_told(header: bytes) -> None:
    data = npy_bytes(np.zeros((2, 3), "u2"))
    assert "damaged" in refused(with_plane(data[:10] + header.ljust(117) + b"\n" + data[128:]))


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), 1e300, 10**400], ids=["nan", "inf", "far", "huge"]
)
def test_numbers_beyond_all_maps_are_refused(number: float) -> None:
    assert refused(with_things(x=f"{number} 0"))


@pytest.mark.parametrize(
    "field",
    [
        {"id": "4 2"},
        {"id": "1 1"},
        {"id": "-1 2"},
        {"id": "1 9"},
        {"id": "1"},
        {"id": "1 2 3"},
        {"id": "one 2"},
        {"id": "9" * 5000 + " 2"},
        {"id": [1, 2]},
        {"kind": ["tower", 1]},
        {"kind": "tower fort"},
        {"owner": f"1 {2**63}"},
        {"x": "nan 0"},
        {"x": "1e300 0"},
        {"label": ["\ud800", ""]},
        {"label": ["x" * 1001, ""]},
        {"key": ["x" * 1001, ""]},
        {"state": [json.dumps({"men": "x" * LARGEST_STATE}), ""]},
        {"state": [json.dumps({"men": 2**64}), ""]},
        {"state": ['{"men": NaN}', ""]},
        {"state": ["[1]", ""]},
        {"state": ["{", ""]},
        {"state": [{}, {}]},
        {"touched": "0 2"},
        {"colour": "1 2"},
    ],
    ids=lambda field: str(field)[:30],
)
def test_things_that_no_map_can_have_are_refused(field: dict[str, Any]) -> None:
    assert read_project(with_things()).battlemap is not None
    assert refused(with_things(**field))


def with_things(**changed: Any) -> bytes:
    """The file of a table with two more things in the first layer; 9 is the next id."""
    parts = unpacked(write_project(table()))
    layers = json.loads(parts["map.json"])["layers"]
    layers[0]["things"] = {"id": "1 2", "kind": ["tower", "fort"], "x": "0 1", "y": "0 1"} | changed
    return packed(parts, layers=layers, next_thing_id=9)


def test_an_id_that_was_undone_is_not_used_again_after_reading() -> None:
    battlemap = table()
    edit = add_things(battlemap, 1, [Thing(0, "tent", 0, 0)] * 3)
    assert edit is not None
    edit.apply(battlemap)
    edit.inverse().apply(battlemap)
    again = read_project(write_project(battlemap)).battlemap
    assert again is not None
    assert contents(again) == contents(table())
    assert again.next_thing_id == battlemap.next_thing_id == 8


@pytest.mark.parametrize("layer_id", [-1, 2**63])
def test_ids_that_no_journal_could_keep_are_refused(layer_id: int) -> None:
    parts = unpacked(write_project(table()))
    layers = json.loads(parts["map.json"])["layers"]
    layers[0]["id"] = layer_id
    assert f"the id {layer_id}" in refused(packed(parts, layers=layers))


def test_a_plane_that_announces_more_than_it_has_takes_no_memory() -> None:
    data = npy_bytes(np.zeros((2, 3), "u2")).replace(b"(2, 3), }        ", b"(999999999, 3), }")
    assert "damaged" in refused(with_plane(data))
    huge = npy_bytes(np.zeros((2, 3), "u2"))[:128] + bytes(50_000_000)
    assert "has not the size of the map" in refused(with_plane(huge))


def test_a_zip_bomb_is_refused_by_what_it_announces() -> None:
    parts = unpacked(write_project(table()))
    bomb = bytearray(packed(parts | {"planes/9/a.npy": bytes(100)}))
    listed = bomb.rindex(b"planes/9/a.npy")
    bomb[listed - 22 : listed - 18] = (576 * 2**20).to_bytes(4, "little")
    assert "unfolds to more than any map" in refused(bytes(bomb))
    long = b'{"format": "' + b" " * (40 * 2**20) + b'"}'
    assert "beyond all size" in refused(packed({"map.json": long}))


def test_a_zip_bomb_is_refused_by_what_it_does() -> None:
    parts = unpacked(write_project(table()))
    data = bytearray(packed(parts | {"planes/5/terrain.npy": bytes(30_000_000)}))
    # The listing says that the part has the right length.
    listed = data.rindex(b"planes/5/terrain.npy")
    assert data[listed - 46 : listed - 42] == b"PK\x01\x02"
    data[listed - 22 : listed - 18] = (140).to_bytes(4, "little")
    assert "damaged" in refused(bytes(data))


def test_a_listing_of_endless_parts_is_not_even_read() -> None:
    data = packed({f"planes/{number}/a.npy": b"" for number in range(30_000)})
    assert "too many parts" in refused(data)


@pytest.mark.parametrize(
    "name", ["../planes.npy", "/etc/a.npy", "planes\\a.npy", "a//b.npy", "A.npy", "note.txt", "a/"]
)
def test_parts_with_odd_names_are_refused(name: str) -> None:
    assert "not known here" in refused(packed(unpacked(write_project(table())) | {name: b""}))


def test_a_part_that_nothing_speaks_of_is_refused() -> None:
    assert "nothing belongs to its part 'planes/9/a.npy'" in refused(
        packed(unpacked(write_project(table())) | {"planes/9/a.npy": b""})
    )


def test_two_parts_of_one_name_are_refused() -> None:
    file = io.BytesIO(write_project(table()))
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("planes/5/terrain.npy", b"")
    assert "two parts" in refused(file.getvalue())


def test_one_part_is_not_used_for_two_planes() -> None:
    parts = unpacked(write_project(table()))
    about = json.loads(parts["map.json"])
    about["layers"][0]["planes"] = about["layers"][1]["planes"]
    assert "used twice" in refused(packed(parts, **about))


def test_an_encrypted_part_is_refused() -> None:
    data = bytearray(write_project(table()))
    listed = data.index(b"PK\x01\x02")
    data[listed + 8] |= 1
    assert "encrypted" in refused(bytes(data))


def test_a_map_of_an_unknown_system_is_named() -> None:
    data = packed(unpacked(write_project(table())), system="chess")
    assert "maps of 'chess' are not known here" in refused(data)


def test_json_nested_beyond_all_depth_is_told() -> None:
    assert "damaged" in refused(packed({"map.json": b"[" * 1_000_000}))
