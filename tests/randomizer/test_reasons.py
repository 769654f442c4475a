"""No message says in Python's words why a file cannot be read."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode

import pytest

from randomizer.catalog.map_formats import formats
from randomizer.formats.checked import read_checked
from randomizer.formats.format import Format
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.problems import ProblemError
from randomizer.storage.files.terrain_files import read_terrains
from randomizer.systems.free.system import free_map

PYTHON = re.compile(
    r"""invalid\ literal | could\ not\ convert | codec | \(char\ \d | Expecting | NoneType
    | unpack | Error\b | [Pp]adding | decompress | sys\. | Exceeds | delimiter | buffer""",
    re.VERBOSE,
)
"""Parts of what Python and its libraries say."""

CSV = '<data encoding="csv">\n1,1,\n1,1\n</data>'
TMX = (
    '<map version="1.10" orientation="orthogonal" width="2" height="2" tilewidth="8" '
    'tileheight="8"><tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" '
    f'columns="1"/><layer id="1" name="L" width="2" height="2">{CSV}</layer></map>'
)


def packed(data: bytes, compression: str = "") -> str:
    text = b64encode(data).decode()
    return f'<data encoding="base64" compression="{compression}">{text}</data>'


def format_named(name: str) -> Format:
    return next(each for each in formats() if each.name == name)


def messages(map_format: Format, data: bytes) -> list[str]:
    return [problem.message for problem in read_checked(map_format, data, "map").problems]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (CSV.replace("1,1,", "1,x,"), "a whole number is not written as one"),
        (CSV.replace("1,1,", "1,,"), "a whole number is not written as one"),
        (CSV.replace("1,1,", f"1,{'9' * 5000},"), "a number has too many digits"),
        ('<data encoding="base64">AQAAA</data>', "it is not packed as base64"),
        ('<data encoding="base64">~~</data>', "it is not packed as base64"),
        (packed(zlib.compress(bytes(16))[:-1] + b"x", "zlib"), "its bytes are damaged"),
        (packed(b"no zstandard", "zstd"), "its bytes are damaged"),
    ],
)
def test_damaged_cells_of_a_map_of_tiled_are_told_of_in_plain_words(data, reason):
    (message,) = messages(format_named("tmx"), TMX.replace(CSV, data).encode())
    assert message.endswith(reason)


JSON_FORMATS = [
    each for each in formats() if {".json", ".tmj", ".uvtt"}.intersection(each.suffixes)
]


@pytest.mark.parametrize("map_format", JSON_FORMATS, ids=lambda each: each.title)
@pytest.mark.parametrize(
    "damage",
    [
        b'{"a" 1}',
        b'{"a": 1 "b": 2}',
        b'{"a": }',
        b"{a: 1}",
        b'{"a": "b',
        b'{"a": "\\x"}',
        b'{"a": "\\u12"}',
        b'{"a": "\n"}',
        b'{"a": 1},',
        b'{"a": "\xff"}',
        b'{"a": %s}' % (b"9" * 5000),
        b'{"a": NaN}',
        b'{"a": %s}' % (b"[" * 5000),
    ],
)
def test_broken_json_is_told_of_in_plain_words(map_format, damage):
    texts = messages(map_format, damage)
    assert texts
    assert not [text for text in texts if PYTHON.search(text)]


def test_a_damaged_project_is_told_of_in_plain_words():
    project = format_named("project")
    data = project.write(free_map(SQUARE, 30, 30))
    seen = set()
    for at in range(60, len(data) - 60, max(1, len(data) // 300)):
        texts = messages(project, data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        seen.update(texts)
    assert len(seen) > 1
    assert not [text for text in seen if PYTHON.search(text)]


@pytest.mark.parametrize("data", [b'{"a" 1}', b"\xff", b"[" * 5000, b'{"a": %s}' % (b"9" * 5000)])
def test_a_damaged_terrain_set_is_told_of_in_plain_words(data):
    with pytest.raises(ProblemError) as raised:
        read_terrains(data, "own.terrains")
    assert not PYTHON.search(raised.value.problems[0].message)


def test_our_own_reasons_stay_as_they_are():
    assert reason_of(ValueError("it has no record")) == "it has no record"
    with pytest.raises(json.JSONDecodeError) as raised:
        json.loads("[1 2]")
    assert reason_of(raised.value) == "a comma is missing"
