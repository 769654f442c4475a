"""Harnesses of the files of installed games: pictures, heights, templates, mods, jars."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from randomizer.model.problems import ProblemError
from randomizer.model.settings.metadata import Metadata
from randomizer.systems.colossus.game.directory import GameDirectory, GameJar
from randomizer.systems.zeroad.engine.messages import Message, receive, send
from randomizer.systems.zeroad.generators.map_settings import settings_of
from randomizer.systems.zeroad.generators.resources import template_amounts
from randomizer.systems.zeroad.installation.game_data import BIOMES, CIVS, SETTINGS, game_data
from randomizer.systems.zeroad.installation.height_files import (
    grey_of_png,
    heights_of_picture,
    terrain_of_pmp,
)
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.preview_picture import (
    colour_png,
    pixels_of_dds,
    preview_of,
)
from randomizer.systems.zeroad.installation.script_data import ScriptData
from randomizer.systems.zeroad.installation.templates import Templates
from tests.fuzz.harness import Harness, check_problems, expect, refused
from tests.fuzz.mutators import mutate_bytes, mutate_json, mutate_zip, xml_mutator
from tests.fuzz.samples import sample_maps
from tests.fuzz.storage import own_folder

_NUMBERS = count()


def new_file(data: bytes, suffix: str) -> Path:
    """A file of another name each time: what is known of a file is kept by name and time."""
    path = own_folder() / f"{next(_NUMBERS)}{suffix}"
    path.write_bytes(data)
    return path


# --- pictures and heights -------------------------------------------------------------------------


def run_png(data: bytes) -> object:
    """A PNG picture as brightness and as heights."""
    grey = grey_of_png(data)
    heights = heights_of_picture(data)
    if grey is None:
        expect(heights is None, "heights of what is no picture")
        return None
    expect(grey.ndim == 2 and grey.dtype == np.uint8, "brightness is a byte a pixel")
    expect(heights is None or len(heights) == round(len(heights) ** 0.5) ** 2, "not a square")
    return grey.shape[0] < 100


def png(width: int, height: int, kind: int, depth: int, rows: bytes) -> bytes:
    """A PNG picture whose filtered rows are ``rows``."""

    def chunk(name: bytes, content: bytes) -> bytes:
        crc = zlib.crc32(name + content)
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", crc)

    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _png_seeds() -> Iterator[bytes]:
    for kind, depth, channels in ((0, 8, 1), (2, 8, 3), (4, 8, 2), (6, 8, 4), (0, 16, 2)):
        rows = b"".join(bytes([row % 5]) + bytes(range(channels)) * 17 for row in range(18))
        yield png(17, 18, kind, depth, rows)
    yield colour_png(np.zeros((4, 4, 3), np.uint8))


def _mutate_png(data: bytes, draw: Random, others: Any) -> bytes:
    """Changes of the header and of the rows, with right checksums."""
    try:
        width, height, depth, kind, *_rest = struct.unpack_from(">IIBBBBB", data, 16)
        start = data.index(b"IDAT")
        (length,) = struct.unpack_from(">I", data, start - 4)
        rows = zlib.decompressobj().decompress(data[start + 4 : start + 4 + length], 100_000)
    except (ValueError, struct.error, zlib.error):
        return mutate_bytes(data, draw, others)
    match draw.randrange(6):
        case 0:
            return mutate_bytes(data, draw, others)
        case 1:
            width = draw.choice((0, 1, 7, 16, 8192, 8193, 2**31))
        case 2:
            height = draw.choice((0, 1, 7, 16, 8192, 8193, 2**31))
        case 3:
            depth = draw.choice((1, 2, 4, 8, 16))
            kind = draw.choice((0, 2, 3, 4, 6, 5))
        case _:
            rows = mutate_bytes(rows, draw, ())
    return png(width % 2**32, height % 2**32, kind, depth, rows)


def run_pmp(data: bytes) -> object:
    """A terrain of a finished map of the game."""
    found = terrain_of_pmp(data)
    if found is None:
        return None
    side = round(len(found["height"]) ** 0.5)
    expect(len(found["height"]) == side**2, "heights are no square")
    expect(len(found["textureIDs"]) == (side - 1) ** 2, "a tile has no texture")
    return len(found["textureNames"])


def _pmp_seeds() -> Iterator[bytes]:
    tile = struct.pack("<HHI", 0, 0xFFFF, 0)
    for patches in (1, 2):
        side = patches * 16
        names = struct.pack("<I", 2) + b"".join(struct.pack("<I", 5) + b"grass" for _ in range(2))
        yield (
            struct.pack("<4sIII", b"PSMP", 7, 0, patches)
            + bytes(2 * (side + 1) ** 2)
            + names
            + tile * side**2
        )


def run_dds(data: bytes) -> object:
    """The preview of a script, as a texture of the game."""
    pixels = pixels_of_dds(data)
    for name in ("a.png", "a.png.cached.dds"):
        picture = preview_of(lambda path, name=name: data if path.endswith(name) else None, "a.png")
        expect(picture is None or picture.startswith(b"\x89PNG"), "a preview is a PNG file")
    return None if pixels is None else pixels.shape[0] < 100


def _dds_seeds() -> Iterator[bytes]:
    for kind, size in ((b"DXT1", 8), (b"DXT3", 16), (b"DXT5", 16)):
        head = bytearray(128)
        head[:4] = b"DDS "
        head[84:88] = kind
        head[12:20] = struct.pack("<II", 8, 12)
        yield bytes(head) + bytes(range(size)) * 6


# --- templates, mods, jars ------------------------------------------------------------------------


def run_template(data: bytes) -> object:
    """A template, its parent, and both laid over each other: the files are parted by NUL."""
    files = dict(zip(("own", "base", "special/filter/own"), data.split(b"\0"), strict=False))
    templates = Templates(files.get)
    found = [templates.get(name) for name in ("own", "base", "own|base", "actor|own", "own|own")]
    for each in found:
        if isinstance(each, dict):
            template_amounts(each)
    return tuple(type(each).__name__ for each in found)


_TEMPLATES = (
    b'<?xml version="1.0"?>\n<Entity parent="base"><ResourceSupply><Type>wood.tree</Type>'
    b'<Max op="mul">2.5</Max></ResourceSupply><Classes datatype="tokens">A -B C</Classes>'
    b'<X replace=""><Y/></X><Z disable=""/></Entity>\0'
    b"<Entity><ResourceSupply><Max>200</Max><Type>food.fruit</Type></ResourceSupply>"
    b'<Classes datatype="tokens">B D</Classes><X><W>1</W></X><Z>q</Z></Entity>\0'
    b'<Entity filtered=""><X merge=""/><ResourceSupply op="add"/></Entity>',
)


def run_mod(data: bytes) -> object:
    """A mod in a zip file: its files, and the choices that it offers."""
    path = new_file(data, ".zip")
    try:
        mod = ModFiles(path)
        listed = mod.list("maps") + mod.list("simulation") + mod.list("art")
        for name in listed[:20]:
            expect(mod.exists(name), f"{name} is listed and not there")
            mod.read(name)
        found = ScriptData([mod])
        for name in found.find_templates("", recurse=True)[:5]:
            found.template(name)
        settings = settings_of(Metadata("Own", "own.js", ""), game_data((mod,)))
        expect(settings, "there is nothing to choose")
        return len(listed), len(settings)
    finally:
        path.unlink()


def _zip(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _mod_seeds() -> Iterator[bytes]:
    sizes = b'{"Data": [{"Name": "Tiny", "Tiles": 128, "Default": true}, {"Tiles": 192}]}'
    yield _zip(
        {
            "mod.json": b'{"name": "own", "label": "Own", "version": "1"}',
            f"{SETTINGS}map_sizes.json": sizes,
            f"{SETTINGS}starting_resources.json": b'{"Data": [{"Resources": 5, "Default": true}]}',
            f"{SETTINGS}player_defaults.json": b'{"PlayerData": [{"Civ": "gaia"}, {"Name": "A", '
            b'"Civ": "athen", "Color": {"r": 1, "g": 2, "b": 3}}]}',
            f"{CIVS}athen.json": b'{"Code": "athen", "SelectableInGameSetup": true}',
            f"{BIOMES}generic/own.json": b'{"Description": {"Title": "Own"}}',
            "simulation/templates/special/players/athen.xml": b"<Entity><Identity><GenericName>A"
            b"</GenericName></Identity></Entity>",
            "maps/random/own.js": b"export function* generateMap() {}",
        }
    )


def run_jar(data: bytes) -> object:
    """A jar of Colossus: its variants, their terrains and maps."""
    path = new_file(data, ".jar")
    try:
        jar = GameJar(path)
        for name in list(jar.entries)[:20]:
            try:
                jar.read(name, 100_000)
            except ProblemError as failed:
                refused(failed.problems)
        game = GameDirectory.open(path)
        said: list[object] = []
        for variant in game.variants()[:5]:
            said.append(len(variant.slots))
            check_problems(variant.problems)
            for terrain in variant.slots[:5]:
                game.picture(terrain.name, variant.name)
                try:
                    game.read_map(variant.name, terrain.name)
                except ProblemError as failed:
                    said += refused(failed.problems)
        return tuple(said)
    except ProblemError as failed:
        return refused(failed.problems)
    finally:
        path.unlink()


def _jar_seeds() -> Iterator[bytes]:
    from randomizer.catalog.catalog import preferred_format

    battlemap = sample_maps()["colossus"]
    xml = preferred_format(battlemap.system).write(battlemap)
    yield _zip(
        {
            "Default/DefaultVar.xml": b'<variant name="Default"/>',
            "Default/DefaultTer.xml": b'<terrains><terrain name="Brush"/></terrains>',
            "Default/Battlelands/Brush.xml": xml,
            "Own/OwnVar.xml": b'<variant><terrains files="OwnTer.xml"/></variant>',
            "Own/OwnTer.xml": b'<terrains><terrain name="Hills"/></terrains>',
            "Own/Battlelands/Hills.xml": xml,
            "net/sf/colossus/server/GameServerSide.class": b"x",
        }
    )


def run_message(data: bytes) -> object:
    """A message between the desk and the process of an engine."""
    try:
        message = receive(io.BytesIO(data))
    except ValueError as failed:
        expect(str(failed), "no reason is given")
        return "refused"
    if message is None:
        return "end"
    out = io.BytesIO()
    send(out, message)
    again = receive(io.BytesIO(out.getvalue()))
    expect(again is not None and list(again.blocks) == list(message.blocks), "another message")
    return len(message.blocks)


def _message_seeds() -> Iterator[bytes]:
    for message in (Message({"a": 1}), Message({"b": [1, "x"]}, [b"abc", b""])):
        out = io.BytesIO()
        send(out, message)
        yield out.getvalue()


def _mutate_message(data: bytes, draw: Random, others: Any) -> bytes:
    head = 8
    if draw.random() < 0.4 or len(data) < head:
        return mutate_bytes(data, draw, others)
    length, blocks = struct.unpack("<II", data[:head])
    text = mutate_json(data[head : head + length], draw, ())
    return struct.pack("<II", len(text), blocks) + text + data[head + length :]


_Read = Callable[[bytes], object]


@cache
def _xml() -> Any:
    return xml_mutator(
        *(
            "Entity",
            "parent",
            "own",
            "base",
            "disable",
            "replace",
            "merge",
            "filtered",
            "op",
            "add",
        ),
        *("mul", "mul_round", "datatype", "tokens", "ResourceSupply", "Max", "Type", "wood", "\0"),
    )


def _mutate_template(data: bytes, draw: Random, others: Any) -> bytes:
    return _xml()(data, draw, others)  # type: ignore[no-any-return]


HARNESSES = (
    Harness("grey-png", run_png, _png_seeds, _mutate_png, tries=450),
    Harness("pmp", run_pmp, _pmp_seeds, mutate_bytes, tries=450),
    Harness("dds", run_dds, _dds_seeds, mutate_bytes, tries=450),
    Harness("template-xml", run_template, lambda: _TEMPLATES, _mutate_template, tries=600),
    Harness("mod-zip", run_mod, _mod_seeds, mutate_zip, tries=120),
    Harness("game-jar", run_jar, _jar_seeds, mutate_zip, tries=120),
    Harness("engine-message", run_message, _message_seeds, _mutate_message, tries=600),
)
