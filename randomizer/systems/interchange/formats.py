"""The formats of other programs for the catalogue: what tells their files from others.

Every command asks each format whether it recognises a file: what reads and writes one (``foreign``
and a module a program) is imported where it is used.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.formats import NO_FILES, Format, Provenance, ReadResult, TilePainter
from randomizer.installed import load

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.problems import Problem
    from randomizer.systems.interchange.foreign import Codec

_LOOKED_AT = 65536
"""So many bytes of the start of a file are looked at."""


class ForeignFormat(Format):
    """The format of a program; ``codec`` of a module (``CODEC`` of its own) does the work."""

    foreign = True
    largest = 16 * 2**20  # that of an asset
    encoding = "utf-8"
    nouns_beside = MappingProxyType(
        dict.fromkeys((".tsx", ".tsj"), "tileset")
        | dict.fromkeys((".png", ".jpg", ".jpeg", ".webp"), "picture")
        | {".pmp": "terrain", ".xml": "scenario"}
    )

    def __init__(
        self,
        name: str,
        title: str,
        suffixes: tuple[str, ...],
        recognises: Callable[[bytes], bool],
        system: str = "free",  # "" for maps of all
        codec: str = "",
        *,
        writable: bool = True,
    ) -> None:
        self.name, self.title, self.suffixes = name, title, suffixes
        self._codec = codec or f"{name}:CODEC"
        self.writable = writable
        self.systems = (system,) if system else ()
        self._recognises = recognises

    @property
    def codec(self) -> Codec:
        """What reads and writes the files."""
        codec: Codec = load(f"randomizer.systems.interchange.{self._codec}")
        return codec

    def recognises(self, data: bytes) -> bool:
        return self._recognises(data[:_LOOKED_AT])

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        return self.codec.read(self, data, path, NO_FILES)

    def read_with(self, data: bytes, path: str | None, given: Mapping[str, bytes]) -> ReadResult:
        return self.codec.read(self, data, path, given)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """The file as it was if nothing changed that it says, else anew. Raises ProblemError."""
        return next(iter(self.codec.write(self, battlemap).values()))

    def write_files(
        self, battlemap: BattleMap, name: str, _provenance: Provenance | None = None
    ) -> Mapping[str, bytes]:
        return self.codec.write(self, battlemap, name)

    def write_painted(
        self, battlemap: BattleMap, name: str, painter: TilePainter
    ) -> Mapping[str, bytes]:
        return self.codec.write(self, battlemap, name, painter)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        return self.codec.check(self, battlemap)


# --- MegaMek: a size and a hex -------------------------------------------------------------------

_SIZE = re.compile(rb"^[ \t]*size[ \t]+\d+[ \t]+\d", re.MULTILINE | re.IGNORECASE)
_HEX = re.compile(rb"^[ \t]*hex[ \t]+\d", re.MULTILINE | re.IGNORECASE)


def _is_board(data: bytes) -> bool:
    return _SIZE.search(data) is not None and _HEX.search(data) is not None


# --- Wesnoth: two rows of as many codes between commas -------------------------------------------

_CODE = rb"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
_ROW = re.compile(rb"[ \t]*(?:\w+ )?%b[ \t]*(?:,[ \t]*(?:\w+ )?%b[ \t]*)+" % (_CODE, _CODE))


def _is_wesnoth(data: bytes) -> bool:
    lines = [line for line in data.splitlines()[:20] if line.strip() and b"=" not in line]
    rows = lines[:2]
    return len(rows) == 2 and all(
        _ROW.fullmatch(row) and row.count(b",") == rows[0].count(b",") for row in rows
    )


# --- Text Mapper: nothing but statements, one of a hex -------------------------------------------

_POINT = rb"(?:-?\d\d-?\d\d(?:\d\d)?|-?\d{2,7}\.-?\d{2,7}(?:\.\d{2,7})?)"
_REGION = re.compile(rb"%b(?:-%b)*\s+.*" % (_POINT, _POINT))
_OTHER = re.compile(
    rb"\s*|\s*#.*|<.*|\S+\s+(?:attributes|lib|xml|path)\s.*"
    rb"|(?:text|label|glow|license|other|url|include)\s.*"
)


def _is_textmapper(data: bytes) -> bool:
    start = data[:4096]
    lines = start.splitlines()[: 40 if len(data) == len(start) else -1][:40]
    hexes = sum(_REGION.fullmatch(line) is not None for line in lines)
    return 0 < hexes == sum(_OTHER.fullmatch(line) is None for line in lines)


# --- Worldographer: packed XML of a map of hexes --------------------------------------------------


def _is_wxx(data: bytes) -> bool:
    try:
        start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, 8192).replace(b"\0", b"")
    except zlib.error:
        return False
    return b"<map " in start and b"hexOrientation=" in start


# --- 0 A.D.: a terrain, or the scenario beside one ------------------------------------------------

_BEFORE_ROOT = rb"\s|<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->"
_SCENARIO = re.compile(rb"(?:\xef\xbb\xbf)?(?:%b)*+<Scenario[\s>]" % _BEFORE_ROOT)


def _is_scenario(data: bytes) -> bool:
    return data.startswith(b"PSMP") or _SCENARIO.match(data) is not None


# --- Tiled: the map element, or the lists of its JSON --------------------------------------------

_TMJ = re.compile(rb'"(?:tiledversion|infinite|tilewidth|orientation)"\s*:')
_TMJ_LAYERS = re.compile(rb'"(?:layers|tilesets)"\s*:\s*\[')


def _is_tmx(data: bytes) -> bool:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = data.decode("utf-16", "replace").encode("utf-8", "replace")
    _before, tag, more = start.partition(b"<map")
    return start[:1] == b"<" and bool(tag) and b"orientation" in more.partition(b">")[0]


def _is_tmj(data: bytes) -> bool:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return start == b"{" and _TMJ.search(data) is not None and _TMJ_LAYERS.search(data) is not None


# --- virtual tables: JSON with the names that each has -------------------------------------------


def _is_foundry(data: bytes) -> bool:
    names = (b'"padding"', b'"width"', b'"height"', b'"grid"')
    others = (b'"tokenVision"', b'"gridType"', b'"backgroundColor"', b'"walls"')
    is_object = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return is_object and all(each in data for each in names) and any(map(data.__contains__, others))


def _is_uvtt(data: bytes) -> bool:
    return b'"pixels_per_grid"' in data and b'"map_size"' in data


BOARD = ForeignFormat("board", "MegaMek board", (".board",), _is_board)
WESNOTH = ForeignFormat("wesnoth", "Wesnoth map", (".map", ".mask"), _is_wesnoth)
TEXTMAPPER = ForeignFormat("textmapper", "Text Mapper map", (".txt",), _is_textmapper)
WXX = ForeignFormat("wxx", "Worldographer map", (".wxx",), _is_wxx, writable=False)
PMP = ForeignFormat("pmp", "0 A.D. scenario", (".pmp", ".xml"), _is_scenario, "zeroad")
TMX = ForeignFormat("tmx", "Tiled map", (".tmx",), _is_tmx, codec="tiled:TMX")
TMJ = ForeignFormat("tmj", "Tiled map (JSON)", (".tmj",), _is_tmj, codec="tiled:TMJ")
FOUNDRY = ForeignFormat("foundry", "Foundry scene", (".json",), _is_foundry, "")
UVTT = ForeignFormat("uvtt", "Universal VTT", (".uvtt", ".dd2vtt", ".df2vtt"), _is_uvtt, "")
"""The formats of the catalogue."""
