"""Harnesses of the formats of other programs: read, unchanged, changed and written anew."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from random import Random

import numpy as np

from randomizer.formats import read_checked
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


def shown_codes(battlemap: BattleMap) -> list[str]:
    """The codes of all cells that exist."""
    terrains = battlemap.terrain_set.terrains
    return [terrains[at].code for at in battlemap.values("terrain").flat[battlemap.grid.cells]]


def foreign_harness(name: str, *words: str, mutate: Mutator | None = None) -> Harness:
    """The harness of the format ``name``; ``words`` are those of its files, if they are text."""
    entry = f"randomizer.systems.interchange.formats:{name.upper()}"
    known: ForeignFormat = load(entry)

    def run(data: bytes) -> object:
        known.recognises(data)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = None
        result = read_checked(known, data)
        battlemap = result.battlemap
        if battlemap is None:
            return refused(result.problems, text if not text or text[0] != "\ufeff" else None)
        codes = check_problems(result.problems, text)
        check_read_map(battlemap)
        expect(known.write(battlemap) == data, "an unchanged map is written as another file")
        planes = [
            layer.planes["terrain"] for layer in battlemap.layers if "terrain" in layer.planes
        ]
        plane = planes[0] if planes else np.zeros(battlemap.grid.size, np.uint16)
        # Where a code names a road or bridge, the way is what counts.
        known_codes = [terrain.code for terrain in battlemap.terrain_set.terrains]
        plain = [at for at, code in enumerate(known_codes) if code and not ROAD.search(code)]
        cells = [at for at in battlemap.grid.cells.tolist() if plane.flat[at] in plain][:3]
        plane.flat[cells] = max(plain, default=0)
        try:
            files = known.write_files(battlemap, "map")
            again = read_checked(known, files["map"], None, files)
        except ProblemError as failed:
            return refused(failed.problems)
        expect(again.battlemap is not None, f"what was changed is not read: {again.problems}")
        assert again.battlemap is not None
        expect(shown_codes(again.battlemap) == shown_codes(battlemap), "a change is lost")
        del battlemap.records[ORIGINAL]
        return (*codes, *check_written(known, battlemap))

    mutate = mutate or text_mutator(*words)
    return Harness(name, run, lambda: [*SAMPLES[name], *_own_files(known)], mutate, (entry,), 150)


def _own_files(known: ForeignFormat) -> list[bytes]:
    """Files of a virtual table in which a map of ours is."""
    if known.name not in ("foundry", "uvtt"):
        return []
    battlemap = free_map(FLAT, 4, 3, terrain_set=packaged_set("Battlefield"))
    battlemap.layers[0].planes["terrain"] = np.eye(3, 4, dtype=np.uint16)
    return [known.write(battlemap)]


def run_wxx(data: bytes) -> object:
    """A map of Worldographer is read as one that a project keeps."""
    return _check_kept(WXX, data)


def run_azgaar(data: bytes) -> object:
    """A world of Azgaar's generator is read as one that a project keeps."""
    return _check_kept(AZGAAR, data)


def _check_kept(known: ForeignFormat, data: bytes) -> object:
    known.recognises(data)
    result = read_checked(known, data)
    if result.battlemap is None:
        return refused(result.problems)
    check_read_map(result.battlemap)
    again = read_project(write_project(result.battlemap)).battlemap
    expect(again is not None, "its project is not read")
    return check_problems(result.problems)


def run_tileset(data: bytes) -> object:
    """A file beside a map of Tiled is read or is a warning; the map is written either way."""
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
    """Bytes as the original of a map of a program are used, or it is said that they are not."""
    formats = (BOARD, WESNOTH, TEXTMAPPER, TMX, TMJ, FOUNDRY, UVTT)
    known = formats[zlib.crc32(data) % len(formats)]
    battlemap = read_checked(known, SAMPLES[known.name][0]).battlemap
    assert battlemap is not None
    battlemap.assets[asset_digest(data)] = data
    about = {"format": known.name, "asset": asset_digest(data), "content": ""}
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(about), is_json=True)
    codes = check_problems(known.check(battlemap))
    files = known.write_files(battlemap, "map")
    again = read_checked(known, files["map"], None, files).battlemap
    expect(again is not None, "what is written is not read")
    return codes


def mutate_either(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Change XML or JSON."""
    mutate = xml_mutator("0", "plane", "value", "id") if data[:1] == b"<" else mutate_json
    return mutate(data, draw, others)


def mutate_any(data: bytes, draw: Random, others: Sequence[bytes]) -> bytes:
    """Change XML, JSON or text."""
    if data[:1] in (b"<", b"{"):
        return mutate_either(data, draw, others)
    return text_mutator("size", "hex", "0101", "forest", "Gg")(data, draw, others)


HARNESSES = (
    Harness(
        "original",
        run_original,
        lambda: [
            data
            for name, files in SAMPLES.items()
            if name not in ("wxx", "azgaar")
            for data in files
        ],
        mutate_any,
        (),
        60,
    ),
    Harness("tileset", run_tileset, lambda: samples.BESIDE, mutate_either, (), 100),
    Harness(
        "wxx",
        run_wxx,
        lambda: SAMPLES["wxx"],
        gzip_mutator(
            xml_mutator("WORLD", "ROWS", "SQUARE", "true", "1.0,0.5,0.0,1.0", "Polygon", "150.0"),
            "utf-16-be",
        ),
        ("randomizer.systems.interchange.formats:WXX",),
        150,
    ),
    Harness(
        "azgaar",
        run_azgaar,
        lambda: SAMPLES["azgaar"],
        mutate_json,
        ("randomizer.systems.interchange.formats:AZGAAR",),
        150,
    ),
    foreign_harness("board", "size", "hex", "end", "woods:1", "road:1", "bridge:1:9", '""', "0101"),
    foreign_harness("wesnoth", "Gg", "Gg^Fp", "1 Ke", "Ww^Bw/", ",", "_off^_usr", "usage=map"),
    foreign_harness("textmapper", "0101", "forest", "0101-0103", "cliff2", '"Ur" 30', "-01", "1.1"),
    foreign_harness("tmx", mutate=xml_mutator("0", "1", "base64", "csv", "layer", "tile", "gid")),
    foreign_harness("tmj", mutate=mutate_json),
    foreign_harness("foundry", mutate=mutate_json),
    foreign_harness("uvtt", mutate=mutate_json),
)
