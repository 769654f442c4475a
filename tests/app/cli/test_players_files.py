"""Every file for players, by the commands: of what they do not see there is not a byte in it."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, is_zipfile

import pytest

from app.__main__ import main as battlelands
from randomizer.__main__ import main as randomizer
from randomizer.catalog.map_formats import formats
from randomizer.catalog.systems import system_named, systems
from randomizer.formats.held_systems import can_write
from randomizer.model.fixtures import Door, Fixtures, Wall
from randomizer.model.fixtures_record import RECORD as FIXTURES
from randomizer.model.fixtures_record import record_of
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.map_picture import MapPicture, set_picture
from randomizer.model.planes.routes import PRESENT
from randomizer.model.players_view import SECRET, players_map
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.model.terrain.terrain import Hexside, Terrain, Way
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.free.system import free_map
from randomizer.systems.free.things import LABEL, NOTE
from tests.randomizer.own_terrains import PNG

MARK = "Xyzzy"
"""Every word that begins so is hidden from players in one way or another."""

OPEN = "Plughinn"
"""A word that players see."""


def all_in(data: bytes) -> Iterator[bytes]:
    """Yield a file and all that is packed in it, in whatever way."""
    yield data
    if is_zipfile(BytesIO(data)):
        archive = ZipFile(BytesIO(data))
        for name in archive.namelist():
            yield name.encode()
            yield from all_in(archive.read(name))
    for match in re.finditer(rb"x[\x01\x5e\x9c\xda]", data):  # zlib: parts of PNG and PDF
        try:
            unpacked = zlib.decompressobj().decompress(data[match.start() :])
        except zlib.error:
            continue
        if unpacked:
            yield unpacked
    for match in re.finditer(rb"[A-Za-z0-9+/]{40,}={0,2}", data):
        try:
            yield from all_in(b64decode(match[0]))
        except Base64Error:
            continue


def words_in(path: Path) -> set[str]:
    """Return the hidden words that are in a file, in UTF-8 or UTF-16."""
    words: set[str] = set()
    for data in all_in(path.read_bytes()):
        for text in (data.decode("latin-1"), data.replace(b"\0", b"").decode("latin-1")):
            words |= set(re.findall(rf"{MARK}\w*", text))
    return words


def asset(battlemap: BattleMap, word: str) -> str:
    """Give a map a picture with a word behind its end; its digest."""
    data = PNG + f"{MARK}{word}".encode()
    battlemap.assets[asset_digest(data)] = data
    return asset_digest(data)


def with_hidden_layers(battlemap: BattleMap) -> BattleMap:
    """Give a map of any kind what players do not see, beside the layer that they do see."""
    system = battlemap.system
    roll = Roll(
        f"{MARK}generator",
        f"{MARK}script.rnd",
        f"TITLE {MARK}text",
        {f"{MARK}setting": f"{MARK}value"},
        1,
        2,
        origins=(f"{MARK}origin",),
        texts={f"{MARK}file.inc": f"{MARK}further"},
        libraries={f"{MARK}library": "0" * 64},
    )
    ground = battlemap.layers[0]
    ground.name = f"{MARK}name"
    ground.extras = {f"{MARK}extra": [f"{MARK}kept"]}
    secret = Layer(ground.id + 1, f"{MARK}secretlayer", secret=True, roll=roll)
    unseen = Layer(ground.id + 2, f"{MARK}hiddenlayer", visible=False, roll=roll)
    above = Layer(ground.id + 3, f"{MARK}layerabove", roll=roll)
    above.removed_keys = frozenset({f"{MARK}removed"})
    battlemap.layers += [secret, unseen, above]
    battlemap.source = above.id
    for number, known in enumerate(system.properties):
        if known.kind.value != "text":
            continue
        secret.properties[known.name] = f"{MARK}secretproperty{number}"
        unseen.properties[known.name] = f"{MARK}hiddenproperty{number}"
        ground.properties[known.name] = f"{MARK}coveredproperty{number}"
        above.properties[known.name] = OPEN
    if system.terrain is not None:
        for layer in (secret, unseen):
            layer.planes[system.terrain.name] = system.terrain.allocate(battlemap.grid)
            layer.planes[system.terrain.name].flat[battlemap.grid.cells[0]] = 1
    battlemap.records[f"{MARK}record"] = MapRecord(f"{MARK}recordtext")
    data = f"{MARK}original".encode()
    battlemap.assets[asset_digest(data)] = data
    original = {"format": "tmx", "asset": asset_digest(data), "files": {f"{MARK}beside": {}}}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(original), is_json=True)
    asset(battlemap, "orphan")
    walls = (Wall((0, 0, 1, 1), door=Door.SECRET), Wall((0, 0, 1, 1)))
    record, _left_out = record_of(Fixtures(walls, (), ((f"{MARK}token", 3),)))
    assert record is not None
    battlemap.records[FIXTURES] = record
    battlemap.locked_cells.flat[battlemap.grid.cells[0]] = True
    return battlemap


def secret_map() -> BattleMap:
    """Return a free map with a hidden word wherever a map can have one."""
    battlemap = with_hidden_layers(free_map(FLAT, 6, 5))
    ground, secret, unseen, above = battlemap.layers
    before = battlemap.terrain_set
    looks = {
        "description": f"{MARK}description",
        "aliases": (f"{MARK}alias",),
        "code": f"{MARK}code",
        "pattern": f"{MARK}pattern",
    }
    terrains = [
        Terrain(f"{MARK}terrain{where}", "#102030", asset=asset(battlemap, where), **looks)
        for where in ("secret", "unseen", "covered", "unused")
    ]
    open_sides = Hexside(OPEN, "1", "#102030", ground=terrains[0].name, beside=terrains[1].name)
    hexsides = [
        Hexside(f"{MARK}hexside{where}", letter, "#102030", description=f"{MARK}side{where}")
        for where, letter in (("secret", "2"), ("unused", "3"))
    ]
    ways = [
        Way(f"{MARK}waysecret", "road", "#102030", description=f"{MARK}way"),
        Way(f"{OPEN} way", "road", "#102030"),
        Way(f"{MARK}wayunused", "rail", "#102030"),
    ]
    battlemap.terrain_set = replace(
        before,
        terrains=(*before.terrains, *terrains),
        hexsides=(open_sides, *hexsides),
        ways=tuple(ways),
    )

    def paint(layer: Layer, plane: str, place: int, value: int) -> None:
        spec = FREE.plane(plane)
        values = layer.planes.setdefault(plane, spec.allocate(battlemap.grid))
        values.flat[place] = value

    for layer, code in ((secret, 0), (unseen, 1), (ground, 2)):
        paint(layer, "terrain", 2, len(before.terrains) + code)
    paint(above, "terrain", 2, 1)
    paint(above, "hexside", 0, 1)
    paint(secret, "hexside", 0, 2)
    paint(secret, FREE.ways[0].name, 3, PRESENT | 1)
    paint(above, FREE.ways[1].name, 3, PRESENT | 2)
    for number, layer in enumerate((secret, unseen, ground, above)):
        paint(layer, "region", 4, number)
    names = [f"{MARK}secretregion", f"{MARK}unseenregion", f"{MARK}coveredregion", OPEN]
    regions = [{"name": name, "colour": "#112233"} for name in (*names, f"{MARK}unusedregion")]
    battlemap.records[REGIONS] = MapRecord(json.dumps(regions), is_json=True)
    kind = "town"
    inside = {"text": f"{MARK}secrettext", SECRET: True}
    above.things = Things(
        [
            Thing(1, NOTE, 1, 1, label=OPEN, state={"text": OPEN}, key=f"{MARK}key"),
            Thing(2, NOTE, 2, 1, label=f"{MARK}secretnote", state=inside),
            Thing(3, kind, 3, 1, label=f"{MARK}secrettown", state=inside, key=f"{MARK}townkey"),
        ]
    )
    for number, layer in enumerate((secret, unseen), 4):
        layer.things = Things([Thing(number, LABEL, 1, 2, label=f"{MARK}label{number}")])
    battlemap.note_ids([9])
    digest = asset(battlemap, "plan")
    edit = set_picture(
        battlemap, MapPicture(digest, f"{MARK}plan.png", (8, 6), (1, 0.0, 0.0, 1, 0.0, 0.0))
    )
    assert edit is not None
    edit.apply(battlemap)
    return battlemap


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "moor.battlemap"
    path.write_bytes(write_project(secret_map()))
    hidden = words_in(path)
    assert len(hidden) > 60  # the file has them all, and they are found in it
    return path


FORMATS = [known for known in formats() if can_write(known, free_map(FLAT, 2, 2))]


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_a_converted_file_has_only_what_players_see(secret_file: Path, known, capfd) -> None:
    folder = secret_file.parent / "out"
    folder.mkdir()
    target = folder / f"map{known.suffixes[0]}"
    code = randomizer(["convert", "--players", str(secret_file), str(target), "--to", known.name])
    assert code == 0
    for path in folder.iterdir():
        assert words_in(path) == set(), path.name
    assert MARK not in capfd.readouterr().err


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".json", ".uvtt"])
def test_a_picture_has_only_what_players_see(qapp, secret_file: Path, suffix: str) -> None:
    folder = secret_file.parent / "out"
    folder.mkdir()
    target = folder / f"map{suffix}"
    assert battlelands(["picture", str(secret_file), str(target), "--players"]) == 0
    for path in folder.iterdir():
        assert words_in(path) == set(), path.name


def test_a_shown_map_has_only_what_players_see(secret_file: Path, capfd) -> None:
    assert randomizer(["show", "--players", str(secret_file)]) == 0
    text = capfd.readouterr().out
    assert OPEN in text
    assert MARK not in text


def test_players_see_all_that_is_shown(secret_file: Path) -> None:
    target = secret_file.parent / "open.battlemap"
    assert randomizer(["convert", "--players", str(secret_file), str(target)]) == 0
    battlemap = read_project(secret_file.read_bytes()).battlemap
    players = read_project(target.read_bytes()).battlemap
    assert battlemap is not None
    assert players is not None
    battlemap.layers = [layer for layer in battlemap.layers if not layer.secret and layer.visible]
    wanted = battlemap.composite()
    shown = players.composite()
    assert shown.properties == wanted.properties
    codes = (wanted.planes["terrain"], shown.planes["terrain"])
    sets = (battlemap.terrain_set, players.terrain_set)
    names = [
        [terrain_set.terrains[code].name for code in plane.ravel().tolist()]
        for terrain_set, plane in zip(sets, codes, strict=True)
    ]
    assert names[0] == names[1]
    assert players.terrain_set.hexsides == (Hexside(OPEN, "1", "#102030"),)
    assert [way.name for way in players.terrain_set.ways] == [f"{OPEN} way"]
    assert players.values(FREE.ways[0].name).flat[3] == PRESENT | 2
    assert [thing.label for thing in players.visible_things()] == [OPEN]
    assert players.records.keys() == {REGIONS, FIXTURES}
    assert not players.locked_cells.any()


@pytest.mark.parametrize("name", [system.name for system in systems()])
def test_no_format_of_any_system_gives_away_what_is_hidden(tmp_path: Path, name: str) -> None:
    system = system_named(name)
    assert system is not None
    battlemap = with_hidden_layers(BattleMap.new(system, None, [Layer(1, "All")]))
    path = tmp_path / "map.battlemap"
    path.write_bytes(write_project(battlemap))
    assert words_in(path)
    for known in formats():
        if not can_write(known, battlemap):
            continue
        folder = tmp_path / known.name
        folder.mkdir(exist_ok=True)
        target = folder / f"map{known.suffixes[0]}"
        code = randomizer(["convert", "--players", str(path), str(target), "--to", known.name])
        assert code == 0 or not target.exists()
        for file in folder.iterdir():
            assert words_in(file) == set(), file.name
    assert players_map(battlemap).source is None
