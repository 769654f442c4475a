"""The formats of other programs for the catalogue, and the signs by which their files are told.

Every command asks each format whether it recognises a file. So this module has only the quick
signs; what reads and writes a file (the module of the program, its ``CODEC``) is imported when it
is used. For each program there are two functions:

- ``_is_board(data)`` is certain: the file can be opened without a question.
- ``_like_board(data)`` is a share from 0 to 1, for files that nothing recognises: the format that a
  file resembles most says what is wrong with it.

The formats are at the end, and below them what is said of files that are known and not read.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.formats import (
    NO_FILES,
    Format,
    Provenance,
    Purpose,
    ReadResult,
    TilePainter,
    share_of_names,
)
from randomizer.installed import load
from randomizer.model.problems import Problem, Severity
from randomizer.model.records.assets import LARGEST_ASSETS, LARGEST_PICTURE
from randomizer.systems.interchange.textmapper_lines import Lines, lines_of_map

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.systems.interchange.foreign.codec import Codec

_LOOKED_AT = 65536
"""The bytes at the start of a file that are looked at."""

_FIRST_LINES = 40
"""The lines of a text that are looked at, of rows of cells half as many: a row is long."""


class ForeignFormat(Format):
    """The format of a program; its codec, in a module of its own, does the work."""

    foreign = True
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
        resemblance: Callable[[bytes], float],
        system: str = "free",
        codec: str = "",
        *,
        writable: bool = True,
        purpose: Purpose = Purpose.PROGRAM,
        largest: int = LARGEST_PICTURE,
        location: str = "",
    ) -> None:
        """Describe the format.

        ``recognises`` and ``resemblance`` get the first bytes of a file, without a byte order mark.
        ``system`` is the one whose maps it holds, "" for all. ``codec`` is ``module:object`` in
        this package, "" for ``CODEC`` of the module called as the format. ``largest`` is the most
        bytes of a file, ``location`` that of ``Format``.
        """
        self.name = name
        self.title = title
        self.suffixes = suffixes
        self._codec = codec or f"{name}:CODEC"
        self.writable = writable
        self.purpose = purpose
        self.largest = largest
        self.location = location
        self.systems = (system,) if system else ()
        self._recognises = recognises
        self._resemblance = resemblance

    @property
    def codec(self) -> Codec:
        """Return the object that reads and writes the files."""
        codec: Codec = load(f"randomizer.systems.interchange.{self._codec}")
        return codec

    def recognises(self, data: bytes) -> bool:
        return self._recognises(data[:_LOOKED_AT].removeprefix(BOM_UTF8))

    def resemblance(self, data: bytes) -> float:
        return self._resemblance(data[:_LOOKED_AT].removeprefix(BOM_UTF8))

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        return self.codec.read(self, data, path, NO_FILES)

    def read_with(self, data: bytes, path: str | None, files: Mapping[str, bytes]) -> ReadResult:
        return self.codec.read(self, data, path, files)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the file as it was if nothing in it changed, else a new one.

        Raises ProblemError.
        """
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

_BOARD_WORDS = (b"size ", b"hex ", b"option ", b"tag ", b"note ", b"end", b"#")
"""What the lines of a board begin with."""


def _is_board(data: bytes) -> bool:
    """Return whether there are a line with a size and one with a hex."""
    return _SIZE.search(data) is not None and _HEX.search(data) is not None


def _like_board(data: bytes) -> float:
    """Return the share of lines that begin with a word of boards, if one is a size or a hex."""
    if _SIZE.search(data) is None and _HEX.search(data) is None:
        return 0.0
    lines = [line.strip().lower() for line in data.splitlines()[:_FIRST_LINES] if line.strip()]
    return sum(line.startswith(_BOARD_WORDS) for line in lines) / len(lines)


# --- Wesnoth: two rows of as many codes between commas -------------------------------------------

_CODE = rb"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
"""A terrain code, such as Gg^Fet."""

_CELL = re.compile(rb"(?:\w+ )?%b" % _CODE)
"""A code with the start of a player before it, if there is one."""

_ROW = re.compile(rb"[ \t]*(?:\w+ )?%b[ \t]*(?:,[ \t]*(?:\w+ )?%b[ \t]*)+" % (_CODE, _CODE))
"""A row of at least two cells."""

_MAP_DATA = re.compile(rb"^[ \t]*map_(?:data|file)[ \t]*=", re.MULTILINE)
"""The line of a scenario that names the file of its map."""

_ROWS_OF_SCENARIO = re.compile(rb'^[ \t]*map_data[ \t]*=[ \t]*_?[ \t]*"(?!\{)', re.MULTILINE)
"""The text before the rows in a scenario that holds them itself."""


def _is_wesnoth(data: bytes) -> bool:
    """Return whether the data are a scenario with rows of cells in it, or begin with two rows."""
    if _ROWS_OF_SCENARIO.search(data) is not None:
        return True
    if _MAP_DATA.search(data) is not None:
        return False  # a scenario whose map is another file: see ``why_not_read``
    rows = _rows_of_wesnoth(data)[:2]
    if len(rows) < 2 or rows[0].count(b",") != rows[1].count(b","):
        return False
    return all(_ROW.fullmatch(row) for row in rows)


def _like_wesnoth(data: bytes) -> float:
    """Return the share of codes among all texts between commas."""
    rows = _rows_of_wesnoth(data)
    cells: list[bytes] = []
    for row in rows:
        cells += [cell.strip() for cell in row.split(b",")]
    has_commas = len(cells) > len(rows)
    if not has_commas:
        return 0.0
    return sum(_CELL.fullmatch(cell) is not None for cell in cells) / len(cells)


def _rows_of_wesnoth(data: bytes) -> list[bytes]:
    """Return the first lines that may be rows of cells; the header of old maps has "=" in it."""
    lines = data.splitlines()[: _FIRST_LINES // 2]
    return [line for line in lines if line.strip() and b"=" not in line]


# --- Text Mapper: nothing but statements, one of a hex -------------------------------------------


def _textmapper_lines(data: bytes) -> Lines:
    """Return the first lines of a map in a text, without one that is cut off."""
    lines = data.decode("utf-8", "replace").splitlines()
    # Data of the full length, but for a byte order mark that was removed, can end within a line.
    may_be_cut_off = len(data) >= _LOOKED_AT - len(BOM_UTF8)
    if may_be_cut_off:
        lines = lines[:-1]
    map_range = lines_of_map(lines)
    return Lines(lines[map_range.start : map_range.stop][:_FIRST_LINES])


def _is_textmapper(data: bytes) -> bool:
    """Return whether all lines are statements of Text Mapper, at least one of them of a hex."""
    lines = _textmapper_lines(data)
    return lines.hexes > 0 and not lines.prose


def _like_textmapper(data: bytes) -> float:
    """Return the share of statements about hexes among these and prose."""
    lines = _textmapper_lines(data)
    if lines.hexes:
        return lines.hexes / (lines.hexes + len(lines.prose))
    return 0.0


# --- Worldographer: packed XML of a map of hexes --------------------------------------------------

_GZIP = zlib.MAX_WBITS | 16
"""The window of a decompressor for data with the header of gzip."""

_UNPACKED = 8192
"""The bytes of an unpacked file that are looked at."""


def _is_wxx(data: bytes) -> bool:
    """Return whether the data are packed XML that begins with a map of hexes."""
    try:
        start = zlib.decompressobj(_GZIP).decompress(data, _UNPACKED)
    except zlib.error:
        return False
    start = start.replace(b"\0", b"")  # it is UTF-16: the names are ASCII, with zeros between
    return b"<map " in start and b"hexOrientation=" in start


def _like_nothing(_data: bytes) -> float:
    """Return 0: packed files are certain, or damaged."""
    return 0.0


# --- 0 A.D.: a terrain, or the scenario beside one ------------------------------------------------

_PROLOG = rb"\s|<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->"
"""A blank, an instruction or a comment before the root of XML."""

_SCENARIO = re.compile(rb"(?:\xef\xbb\xbf)?(?:%b)*+<Scenario[\s>]" % _PROLOG)


def _is_scenario(data: bytes) -> bool:
    """Return whether the data are a terrain ("PSMP") or XML whose root is a Scenario."""
    return data.startswith(b"PSMP") or _SCENARIO.match(data) is not None


# --- Tiled: the map element, or the lists of its JSON --------------------------------------------

_TMJ = re.compile(rb'"(?:tiledversion|infinite|tilewidth|orientation)"\s*:')
_TMJ_LAYERS = re.compile(rb'"(?:layers|tilesets)"\s*:\s*\[')

_MAP_ELEMENT_ALONE = 0.6
"""The resemblance of XML with an element "map", which maps of other programs have, too."""


def _is_tmx(data: bytes) -> bool:
    """Return whether the data are XML with an element "map" that has an orientation."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        start = data.decode("utf-16", "replace").encode("utf-8", "replace")
    if not start.startswith(b"<"):
        return False
    _prolog, _tag, text_behind_tag = start.partition(b"<map")
    attributes = text_behind_tag.partition(b">")[0]
    return b"orientation" in attributes


def _is_tmj(data: bytes) -> bool:
    """Return whether the data are JSON with a name that only Tiled has, and a list of layers."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return start == b"{" and _TMJ.search(data) is not None and _TMJ_LAYERS.search(data) is not None


def _like_tmx(data: bytes) -> float:
    """Return ``_MAP_ELEMENT_ALONE`` for XML with an element "map", else 0."""
    if data.lstrip().startswith(b"<") and re.search(rb"<map[\s>]", data):
        return _MAP_ELEMENT_ALONE
    return 0.0


def _like_tmj(data: bytes) -> float:
    """Return the share of names that JSON maps of Tiled have."""
    names = ("layers", "tilesets", "tilewidth", "tileheight", "orientation")
    return share_of_names(data, names)


# --- virtual tables: JSON with the names that each has -------------------------------------------


def _is_foundry(data: bytes) -> bool:
    """Return whether the data are JSON with the names of a scene of any version of Foundry."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    # All scenes have the first four; of the others those of one version have some.
    needed_names = (b'"padding"', b'"width"', b'"height"', b'"grid"')
    further_names = (b'"tokenVision"', b'"gridType"', b'"backgroundColor"', b'"walls"')
    has_needed = all(name in data for name in needed_names)
    return has_needed and any(name in data for name in further_names)


def _is_uvtt(data: bytes) -> bool:
    """Return whether the data have both names that every Universal VTT has."""
    return b'"pixels_per_grid"' in data and b'"map_size"' in data


_AZGAAR_EXPORT = b"Azgaar's Fantasy Map Generator output"
"""A text in every JSON export of that program."""


def _is_azgaar(data: bytes) -> bool:
    """Return whether the data are a JSON export of Azgaar's generator."""
    return data.lstrip(b" \t\r\n").startswith(b"{") and _AZGAAR_EXPORT in data


def _like_azgaar(data: bytes) -> float:
    return share_of_names(data, ("info", "settings", "mapCoordinates", "pack", "biome"))


def _like_foundry(data: bytes) -> float:
    names = ("padding", "width", "height", "grid", "walls", "tokens", "lights", "notes")
    return share_of_names(data, names)


def _like_uvtt(data: bytes) -> float:
    return share_of_names(data, ("resolution", "pixels_per_grid", "map_size", "line_of_sight"))


# --- the formats of the catalogue ----------------------------------------------------------------

BOARD = ForeignFormat(
    "board", "MegaMek board", (".board",), _is_board, _like_board, codec="megamek.megamek:CODEC"
)
WESNOTH = ForeignFormat("wesnoth", "Wesnoth map", (".map", ".mask"), _is_wesnoth, _like_wesnoth)
TEXTMAPPER = ForeignFormat(
    "textmapper", "Text Mapper map", (".txt",), _is_textmapper, _like_textmapper
)
WXX = ForeignFormat(
    "wxx",
    "Worldographer map",
    (".wxx",),
    _is_wxx,
    _like_nothing,
    codec="worldographer.worldographer:CODEC",
    writable=False,
)
PMP = ForeignFormat(
    "pmp",
    "Atlas scenario for 0 A.D.",
    (".pmp", ".xml"),
    _is_scenario,
    _like_nothing,
    "zeroad",
    codec="atlas:CODEC",
    purpose=Purpose.GAME,
    location="The game looks for them in the folder maps/scenarios of a mod.",
)
TMX = ForeignFormat("tmx", "Tiled map", (".tmx",), _is_tmx, _like_tmx, codec="tiled.tiled:TMX")
TMJ = ForeignFormat(
    "tmj", "Tiled map (JSON)", (".tmj",), _is_tmj, _like_tmj, codec="tiled.tiled:TMJ"
)
FOUNDRY = ForeignFormat(
    "foundry",
    "Foundry scene",
    (".json",),
    _is_foundry,
    _like_foundry,
    "",
    codec="foundry.foundry:CODEC",
    purpose=Purpose.TABLE,
)
UVTT = ForeignFormat(
    "uvtt",
    "Universal VTT",
    (".uvtt", ".dd2vtt", ".df2vtt"),
    _is_uvtt,
    _like_uvtt,
    "",
    codec="universal_vtt:CODEC",
    largest=LARGEST_ASSETS // 2,  # with its picture, which is three quarters of it
    purpose=Purpose.TABLE,
)
AZGAAR = ForeignFormat(
    "azgaar",
    "Azgaar's generator (full JSON)",
    (".json",),
    _is_azgaar,
    _like_azgaar,
    codec="azgaar.azgaar:CODEC",
    writable=False,
    largest=LARGEST_ASSETS // 2,
)


# --- files that are known, and not read ----------------------------------------------------------

_AZGAAR = re.compile(rb"[\d.]+\|[^\n|]*azgaar", re.IGNORECASE)
"""The beginning of a map of Azgaar's generator in its own format: a version and its name."""

_GEOJSON = re.compile(rb'\s*\{\s*"type"\s*:\s*"FeatureCollection"')

_GAME_OF_XCONQ_7 = re.compile(rb"(?:[ \t\r\n]+|;[^\n]*+)*+\(game-module\b")
"""The beginning of games, maps and scenarios of Xconq 7: Lisp, with comments."""


def why_not_read(data: bytes) -> Problem | None:
    """Return the problem of a file of a kind that is known and not read here; None for others."""
    if _AZGAAR.match(data):
        return _not_read(
            "this is a map of Azgaar's Fantasy Map Generator, and such files lack the points of "
            "its cells: load it there, choose Export, “Export to JSON” and “full”, and open that "
            "file here; or lay a picture of it below a map as a plan"
        )
    if _GAME_OF_XCONQ_7.match(data):
        return _not_read(
            "this is a game or map of Xconq 7, which is not read here: periods (.per) and maps "
            "(.map, .scn) of Xconq 5 are"
        )
    if _GEOJSON.match(data):
        return _not_read(
            "this is GeoJSON, which is not read here: of a world of Azgaar's generator open its "
            "“full” export to JSON"
        )
    map_line = _MAP_DATA.search(data)
    if map_line is not None:
        return _not_read(
            "this is a scenario of Wesnoth whose map is a file of its own: open the one that this "
            "line names",
            line=data.count(b"\n", 0, map_line.start()) + 1,
        )
    return None


def _not_read(message: str, *, line: int = 1) -> Problem:
    """Return the error for a file that is not read, at a line (from 1) of its text."""
    return Problem(Severity.ERROR, "format-unknown", message, path=None, line=line, column=1)
