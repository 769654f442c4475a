"""Harnesses of the formats of other programs: maps are read, and written unchanged and changed.

``foreign_harness`` is that of a format that is read and written; the functions ``run_*`` are for
formats that are only read, for files beside a map, and for the original that a project keeps.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from functools import partial
from random import Random

import numpy as np

from randomizer.formats.checked import read_checked
from randomizer.installed import load
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import free_map
from randomizer.systems.interchange.formats import (
    AZGAAR,
    BOARD,
    FOUNDRY,
    TEXTMAPPER,
    TMJ,
    TMX,
    UVTT,
    WESNOTH,
    WXX,
    ForeignFormat,
)
from tests.fuzz.harness import Harness, check_problems, check_read_map, expect, refused
from tests.fuzz.maps import check_written
from tests.fuzz.mutators import Mutator, gzip_mutator, mutate_json, text_mutator, xml_mutator
from tests.randomizer.systems.interchange import samples
from tests.randomizer.systems.interchange.samples import SAMPLES

ROAD = re.compile("(road|bridge):")
"""A road or bridge in a code of MegaMek."""


def visible_codes(battlemap: BattleMap) -> list[str]:
    """Return the codes of the terrains of all cells that exist."""
    terrains = battlemap.terrain_set.terrains
    values = battlemap.values("terrain").flat[battlemap.grid.cells]
    return [terrains[value].code for value in values]


def foreign_harness(name: str, *words: str, mutate: Mutator | None = None) -> Harness:
    """Return the harness of the format ``name``; ``words`` are those of its files if they are text.

    ``mutate`` is the mutator, that of texts by default.
    """
    entry = f"randomizer.systems.interchange.formats:{name.upper()}"
    map_format: ForeignFormat = load(entry)
    if mutate is None:
        mutate = text_mutator(*words)
    return Harness(
        name,
        partial(_run_foreign, map_format),
        lambda: [*SAMPLES[name], *_own_files(map_format)],
        mutate,
        covers=(entry,),
        tries=150,
    )


def _run_foreign(map_format: ForeignFormat, data: bytes) -> object:
    """Read a map, write it unchanged, change three cells, write and read it again."""
    map_format.recognises(data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = None
    result = read_checked(map_format, data)
    battlemap = result.battlemap
    if battlemap is None:
        if text and text[0] == "\ufeff":
            text = None  # columns are counted without a byte order mark
        return refused(result.problems, text)
    codes = check_problems(result.problems, text)
    check_read_map(battlemap)
    expect(map_format.write(battlemap) == data, "an unchanged map is written as another file")

    _change_cells(battlemap)
    try:
        files = map_format.write_files(battlemap, "map")
        reread = read_checked(map_format, files["map"], None, files)
    except ProblemError as failed:
        return refused(failed.problems)
    expect(reread.battlemap is not None, f"what was changed is not read: {reread.problems}")
    assert reread.battlemap is not None
    expect(visible_codes(reread.battlemap) == visible_codes(battlemap), "a change is lost")
    del battlemap.records[ORIGINAL]
    return (*codes, *check_written(map_format, battlemap))


def _change_cells(battlemap: BattleMap) -> None:
    """Give three cells another terrain, if the map has cells whose terrains can be changed.

    Where a code names a road or bridge, the way decides what is written, not the terrain.
    """
    plane = np.zeros(battlemap.grid.size, np.uint16)
    for layer in battlemap.layers:
        if "terrain" in layer.planes:
            plane = layer.planes["terrain"]
            break
    plain_terrains = []
    for number, terrain in enumerate(battlemap.terrain_set.terrains):
        if terrain.code and not ROAD.search(terrain.code):
            plain_terrains.append(number)
    cells = [cell for cell in battlemap.grid.cells.tolist() if plane.flat[cell] in plain_terrains]
    plane.flat[cells[:3]] = max(plain_terrains, default=0)


def _own_files(map_format: ForeignFormat) -> list[bytes]:
    """Return a file of a virtual table that this program wrote; none for other formats."""
    if map_format.name not in ("foundry", "uvtt"):
        return []
    battlemap = free_map(FLAT, 4, 3, terrain_set=packaged_set("Battlefield"))
    battlemap.layers[0].planes["terrain"] = np.eye(3, 4, dtype=np.uint16)
    return [map_format.write(battlemap)]


def run_wxx(data: bytes) -> object:
    """Read a map of Worldographer."""
    return _check_project_of(WXX, data)


def run_azgaar(data: bytes) -> object:
    """Read a world of Azgaar's generator."""
    return _check_project_of(AZGAAR, data)


def _check_project_of(map_format: ForeignFormat, data: bytes) -> object:
    """Read a map of a format that is not written, and save it as a project, which is read again."""
    map_format.recognises(data)
    result = read_checked(map_format, data)
    if result.battlemap is None:
        return refused(result.problems)
    check_read_map(result.battlemap)
    reread = read_project(write_project(result.battlemap)).battlemap
    expect(reread is not None, "its project is not read")
    return check_problems(result.problems)


def run_tileset(data: bytes) -> object:
    """Read a map of Tiled with the file beside it, or with a warning, and write the map."""
    codes = set[str]()
    for tmx in (samples.TMX_BESIDE, samples.TMX_OWN_BESIDE):
        result = read_checked(TMX, tmx, None, {"set.tsx": data, "t.tx": data})
        codes |= set(check_problems(result.problems))
        if result.battlemap is None:
            continue
        check_read_map(result.battlemap)
        result.battlemap.layers[0].planes["terrain"].flat[1] = 0
        try:
            TMX.write_files(result.battlemap, "map.tmx")
        except ProblemError as failed:
            codes |= set(check_problems(failed.problems))
    return tuple(sorted(codes))


def run_original(data: bytes) -> object:
    """Write a map whose project holds any bytes as the original file of the map.

    They are used, or a problem says that they are not.
    """
    formats = (BOARD, WESNOTH, TEXTMAPPER, TMX, TMJ, FOUNDRY, UVTT)
    # The bytes decide, so that the same input is always tried with the same format.
    map_format = formats[zlib.crc32(data) % len(formats)]
    battlemap = read_checked(map_format, SAMPLES[map_format.name][0]).battlemap
    assert battlemap is not None
    battlemap.assets[asset_digest(data)] = data
    record = {"format": map_format.name, "asset": asset_digest(data), "content": ""}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
    codes = check_problems(map_format.check(battlemap))
    files = map_format.write_files(battlemap, "map")
    reread = read_checked(map_format, files["map"], None, files).battlemap
    expect(reread is not None, "what is written is not read")
    return codes


def _original_seeds() -> list[bytes]:
    """Return the samples of all formats that are written."""
    seeds = []
    for name, files in SAMPLES.items():
        if name not in ("wxx", "azgaar"):
            seeds += files
    return seeds


_mutate_tileset_xml = xml_mutator("0", "plane", "value", "id")

_mutate_text = text_mutator("size", "hex", "0101", "forest", "Gg")


def mutate_either(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return changed XML or JSON."""
    if data[:1] == b"<":
        return _mutate_tileset_xml(data, draw, others)
    return mutate_json(data, draw, others)


def mutate_any(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Return changed XML, JSON or text."""
    if data[:1] in (b"<", b"{"):
        return mutate_either(data, draw, others)
    return _mutate_text(data, draw, others)


HARNESSES = (
    Harness("original", run_original, _original_seeds, mutate_any, tries=60),
    Harness("tileset", run_tileset, lambda: samples.BESIDE, mutate_either, tries=100),
    Harness(
        "wxx",
        run_wxx,
        lambda: SAMPLES["wxx"],
        gzip_mutator(
            xml_mutator("WORLD", "ROWS", "SQUARE", "true", "1.0,0.5,0.0,1.0", "Polygon", "150.0"),
            "utf-16-be",
        ),
        ("randomizer.systems.interchange.formats:WXX",),
        tries=150,
    ),
    Harness(
        "azgaar",
        run_azgaar,
        lambda: SAMPLES["azgaar"],
        mutate_json,
        ("randomizer.systems.interchange.formats:AZGAAR",),
        tries=150,
    ),
    foreign_harness("board", "size", "hex", "end", "woods:1", "road:1", "bridge:1:9", '""', "0101"),
    foreign_harness("wesnoth", "Gg", "Gg^Fp", "1 Ke", "Ww^Bw/", ",", "_off^_usr", "usage=map"),
    foreign_harness("textmapper", "0101", "forest", "0101-0103", "cliff2", '"Ur" 30', "-01", "1.1"),
    foreign_harness("tmx", mutate=xml_mutator("0", "1", "base64", "csv", "layer", "tile", "gid")),
    foreign_harness("tmj", mutate=mutate_json),
    foreign_harness("foundry", mutate=mutate_json),
    foreign_harness("uvtt", mutate=mutate_json),
)
