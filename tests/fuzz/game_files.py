"""Harnesses of the files of installed games: pictures, heights, templates, mods, jars.

For each reader there is a function ``run_*``, which reads an input and checks what is read, and the
*seeds*: valid files that the fuzzing changes. ``HARNESSES`` at the end puts them together.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from randomizer.model.problems import ProblemError
from randomizer.model.settings.metadata import Metadata
from randomizer.systems.colossus.game.directory import GameDirectory
from randomizer.systems.colossus.game.jar import GameJar
from randomizer.systems.zeroad.engine.messages import Message, receive, send
from randomizer.systems.zeroad.generators.map_settings import settings_of
from randomizer.systems.zeroad.generators.resource_amounts import template_amounts
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
"""The numbers of files, which are their names."""


def new_file(data: bytes, suffix: str) -> Path:
    """Return a file of another name each time, as readers cache files by name and time."""
    path = own_folder() / f"{next(_NUMBERS)}{suffix}"
    path.write_bytes(data)
    return path


# --- pictures and heights -------------------------------------------------------------------------


def run_png(data: bytes) -> object:
    """Read a PNG as brightness and as heights, which are a square of them."""
    grey = grey_of_png(data)
    heights = heights_of_picture(data)
    if grey is None:
        expect(heights is None, "heights of what is no picture")
        return None
    expect(grey.ndim == 2 and grey.dtype == np.uint8, "brightness is a byte a pixel")
    expect(heights is None or len(heights) == round(len(heights) ** 0.5) ** 2, "not a square")
    return grey.shape[0] < 100


def png(width: int, height: int, kind: int, depth: int, rows: bytes) -> bytes:
    """Return a PNG with these values in its header.

    ``kind`` is its colour type, ``depth`` the bits of a channel, ``rows`` the filtered rows.
    """
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    parts = (
        _png_chunk(b"IHDR", head),
        _png_chunk(b"IDAT", zlib.compress(rows)),
        _png_chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _png_chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk of a PNG: length, name, content and checksum."""
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


_PNG_KINDS = ((0, 8, 1), (2, 8, 3), (4, 8, 2), (6, 8, 4), (0, 16, 2))
"""Colour type, bits of a channel, and bytes of a pixel: grey, colours, both with alpha, 16 bits."""


def _png_seeds() -> Iterator[bytes]:
    """Yield a PNG of each kind, whose rows have all five filters."""
    for kind, depth, bytes_of_pixel in _PNG_KINDS:
        rows = b""
        for row in range(18):
            rows += bytes([row % 5]) + bytes(range(bytes_of_pixel)) * 17
        yield png(17, 18, kind, depth, rows)
    yield colour_png(np.zeros((4, 4, 3), np.uint8))


def _mutate_png(data: bytes, draw: Random, others: Any) -> bytes:
    """Return a PNG with a change of its header or of its rows, with right checksums."""
    # The header's values begin at byte 16; the length of a chunk is before its name.
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
    """Read the terrain of a finished map of the game."""
    terrain = terrain_of_pmp(data)
    if terrain is None:
        return None
    corners = round(len(terrain["height"]) ** 0.5)
    expect(len(terrain["height"]) == corners**2, "heights are no square")
    expect(len(terrain["textureIDs"]) == (corners - 1) ** 2, "a tile has no texture")
    return len(terrain["textureNames"])


def _pmp_seeds() -> Iterator[bytes]:
    """Yield a flat terrain of one patch, and one of two by two patches, of 16 x 16 tiles each."""
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
    """Read a texture of the game, and a preview of a script that is such a texture, or a PNG."""
    pixels = pixels_of_dds(data)
    for file_name in ("a.png", "a.png.cached.dds"):
        # The only file that there is.
        files = {file_name: data}
        picture = preview_of(lambda path, files=files: files.get(Path(path).name), "a.png")
        expect(picture is None or picture.startswith(b"\x89PNG"), "a preview is a PNG file")
    if pixels is None:
        return None
    return pixels.shape[0] < 100


def _dds_seeds() -> Iterator[bytes]:
    """Yield a texture of 12 x 8 pixels in each compression: six blocks of 4 x 4 pixels."""
    for compression, bytes_of_block in ((b"DXT1", 8), (b"DXT3", 16), (b"DXT5", 16)):
        head = bytearray(128)
        head[:4] = b"DDS "
        head[84:88] = compression
        head[12:20] = struct.pack("<II", 8, 12)  # height and width
        yield bytes(head) + bytes(range(bytes_of_block)) * 6


# --- templates, mods, jars ------------------------------------------------------------------------


def run_template(data: bytes) -> object:
    """Read a template, its parent, and both laid over each other; NUL is between the files."""
    files = dict(zip(("own", "base", "special/filter/own"), data.split(b"\0"), strict=False))
    templates = Templates(files.get)
    types = []
    for name in ("own", "base", "own|base", "actor|own", "own|own"):
        template = templates.get(name)
        if isinstance(template, dict):
            template_amounts(template)
        types.append(type(template).__name__)
    return tuple(types)


_TEMPLATES = (
    b'<?xml version="1.0"?>\n<Entity parent="base"><ResourceSupply><Type>wood.tree</Type>'
    b'<Max op="mul">2.5</Max></ResourceSupply><Classes datatype="tokens">A -B C</Classes>'
    b'<X replace=""><Y/></X><Z disable=""/></Entity>\0'
    b"<Entity><ResourceSupply><Max>200</Max><Type>food.fruit</Type></ResourceSupply>"
    b'<Classes datatype="tokens">B D</Classes><X><W>1</W></X><Z>q</Z></Entity>\0'
    b'<Entity filtered=""><X merge=""/><ResourceSupply op="add"/></Entity>',
)


def run_mod(data: bytes) -> object:
    """Read a mod in a zip file: its files, and the choices that it offers."""
    path = new_file(data, ".zip")
    try:
        mod = ModFiles(path)
        names = mod.list("maps") + mod.list("simulation") + mod.list("art")
        for name in names[:20]:
            expect(mod.exists(name), f"{name} is listed and not there")
            mod.read(name)
        script_data = ScriptData([mod])
        for name in script_data.find_templates("", recurse=True)[:5]:
            script_data.template(name)
        settings = settings_of(Metadata("Own", "own.js", ""), game_data((mod,)))
        expect(settings, "there is nothing to choose")
        return len(names), len(settings)
    finally:
        path.unlink()


def _zip(files: dict[str, bytes]) -> bytes:
    """Return a zip file of these files, with a fixed time: the same for the same files."""
    archive_file = io.BytesIO()
    with zipfile.ZipFile(archive_file, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return archive_file.getvalue()


def _mod_seeds() -> Iterator[bytes]:
    """Yield a mod with one map size, one civilisation, one biome and one script."""
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
    """Read a jar of Colossus: its files, its variants, their terrains and maps."""
    path = new_file(data, ".jar")
    try:
        jar = GameJar(path)
        for name in list(jar.entries)[:20]:
            try:
                jar.read(name, 100_000)
            except ProblemError as failed:
                refused(failed.problems)
        game = GameDirectory.open(path)
        answers: list[object] = []
        for variant in game.variants()[:5]:
            answers.append(len(variant.slots))
            check_problems(variant.problems)
            for terrain in variant.slots[:5]:
                game.picture(terrain.name, variant.name)
                try:
                    game.read_map(variant.name, terrain.name)
                except ProblemError as failed:
                    answers += refused(failed.problems)
        return tuple(answers)
    except ProblemError as failed:
        return refused(failed.problems)
    finally:
        path.unlink()


def _jar_seeds() -> Iterator[bytes]:
    """Yield a jar with the variant of the game and one of a user's own, a map each."""
    from randomizer.catalog.map_formats import preferred_format

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
    """Read a message between the desk and the process of an engine, and send it again."""
    try:
        message = receive(io.BytesIO(data))
    except ValueError as failed:
        expect(str(failed), "no reason is given")
        return "refused"
    if message is None:
        return "end"
    sent_again = receive(io.BytesIO(_sent(message)))
    is_same = sent_again is not None and list(sent_again.blocks) == list(message.blocks)
    expect(is_same, "another message")
    return len(message.blocks)


def _sent(message: Message) -> bytes:
    """Return the bytes as which a message is sent."""
    pipe = io.BytesIO()
    send(pipe, message)
    return pipe.getvalue()


def _message_seeds() -> Iterator[bytes]:
    """Yield a message without blocks of bytes, and one with two."""
    yield _sent(Message({"a": 1}))
    yield _sent(Message({"b": [1, "x"]}, [b"abc", b""]))


def _mutate_message(data: bytes, draw: Random, others: Any) -> bytes:
    """Return a message with another JSON text, whose length is right, or with other bytes."""
    # The length of the text and the number of blocks come first, in 4 bytes each.
    head = 8
    if draw.random() < 0.4 or len(data) < head:
        return mutate_bytes(data, draw, others)
    length, blocks = struct.unpack("<II", data[:head])
    text = mutate_json(data[head : head + length], draw, ())
    return struct.pack("<II", len(text), blocks) + text + data[head + length :]


_mutate_template = xml_mutator(
    *("Entity", "parent", "own", "base", "disable", "replace", "merge", "filtered", "op", "add"),
    *("mul", "mul_round", "datatype", "tokens", "ResourceSupply", "Max", "Type", "wood", "\0"),
)


HARNESSES = (
    Harness("grey-png", run_png, _png_seeds, _mutate_png, tries=450),
    Harness("pmp", run_pmp, _pmp_seeds, mutate_bytes, tries=450),
    Harness("dds", run_dds, _dds_seeds, mutate_bytes, tries=450),
    Harness("template-xml", run_template, lambda: _TEMPLATES, _mutate_template, tries=600),
    Harness("mod-zip", run_mod, _mod_seeds, mutate_zip, tries=120),
    Harness("game-jar", run_jar, _jar_seeds, mutate_zip, tries=120),
    Harness("engine-message", run_message, _message_seeds, _mutate_message, tries=600),
)
