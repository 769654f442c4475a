"""The signs by which files of other programs are told apart, without reading them.

    BOARD.recognises(data)       # True: it is certain, and opened without a question
    BOARD.resemblance(data)      # 0.9: nothing recognises it; its faults are those of a board

Every command that opens a file asks the signs of each format, so they are quick: they look at the
first bytes only (``beginning``), and import no reader.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable
from typing import NamedTuple

from randomizer.formats.json_resemblance import share_of_names
from randomizer.systems.interchange.textmapper_lines import Lines, lines_of_map

_LOOKED_AT = 65536
"""The bytes at the start of a file that are looked at.

If it is smaller, a scenario whose map comes late is not recognised.
"""

_FIRST_LINES = 40
"""The lines of a text that are looked at, of rows of cells half as many: a row is long."""


class Signs(NamedTuple):
    """How the files of one format are told; both functions get the ``beginning`` of a file."""

    recognises: Callable[[bytes], bool]
    """Returns whether it is certain that a file has the format."""

    resemblance: Callable[[bytes], float]
    """Returns how much a file resembles the format, a share from 0 to 1.

    It is asked for files that nothing recognises: the format that a file resembles most says what
    is wrong with it.
    """


def beginning(data: bytes) -> bytes:
    """Return the first bytes of a file, without a byte order mark of UTF-8."""
    return data[:_LOOKED_AT].removeprefix(BOM_UTF8)


def _like_nothing(_data: bytes) -> float:
    """Return 0: files of a binary format are certain, or damaged."""
    return 0.0


# --- MegaMek: a size and a hex --------------------------------------------------------------------

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
    if not lines:
        return 0.0  # more blank lines than are looked at
    return sum(line.startswith(_BOARD_WORDS) for line in lines) / len(lines)


BOARD = Signs(_is_board, _like_board)


# --- Wesnoth: two rows of as many codes between commas --------------------------------------------

_CODE = rb"[A-Z_][^\s,^=]{0,3}(?:\^[^\s,^=]{1,4})?"
"""A terrain code, such as Gg^Fet."""

_CELL = re.compile(rb"(?:\w+ )?%b" % _CODE)
"""A code with the start of a player before it, if there is one."""

_ROW = re.compile(rb"[ \t]*(?:\w+ )?%b[ \t]*(?:,[ \t]*(?:\w+ )?%b[ \t]*)+" % (_CODE, _CODE))
"""A row of at least two cells."""

MAP_LINE = re.compile(rb"^[ \t]*map_(?:data|file)[ \t]*=", re.MULTILINE)
"""The line of a scenario that names the file of its map."""

_ROWS_OF_SCENARIO = re.compile(rb'^[ \t]*map_data[ \t]*=[ \t]*_?[ \t]*"(?!\{)', re.MULTILINE)
"""The text before the rows in a scenario that holds them itself."""


def _is_wesnoth(data: bytes) -> bool:
    """Return whether the data are a scenario with rows of cells in it, or begin with two rows."""
    if _ROWS_OF_SCENARIO.search(data) is not None:
        return True
    if MAP_LINE.search(data) is not None:
        return False  # a scenario whose map is another file: see ``unread_files``
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


WESNOTH = Signs(_is_wesnoth, _like_wesnoth)


# --- Text Mapper: nothing but statements, one of a hex --------------------------------------------


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
    return lines.statement_count > 0 and not lines.prose


def _like_textmapper(data: bytes) -> float:
    """Return the share of statements about hexes among these and prose."""
    lines = _textmapper_lines(data)
    if lines.statement_count:
        return lines.statement_count / (lines.statement_count + len(lines.prose))
    return 0.0


TEXTMAPPER = Signs(_is_textmapper, _like_textmapper)


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


WXX = Signs(_is_wxx, _like_nothing)


# --- 0 A.D.: a terrain, or the scenario beside one ------------------------------------------------

_PROLOG = rb"\s|<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->"
"""A blank, an instruction or a comment before the root of XML."""

_SCENARIO = re.compile(rb"(?:\xef\xbb\xbf)?(?:%b)*+<Scenario[\s>]" % _PROLOG)


def _is_scenario(data: bytes) -> bool:
    """Return whether the data are a terrain ("PSMP") or XML whose root is a Scenario."""
    return data.startswith(b"PSMP") or _SCENARIO.match(data) is not None


SCENARIO = Signs(_is_scenario, _like_nothing)


# --- Tiled: the map element, or the lists of its JSON ---------------------------------------------

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


TMX = Signs(_is_tmx, _like_tmx)
TMJ = Signs(_is_tmj, _like_tmj)


# --- JSON with the names that each program has ----------------------------------------------------


def _is_foundry(data: bytes) -> bool:
    """Return whether the data are JSON with the names of a scene of any version of Foundry."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    # All scenes have the first four; of the others those of one version have some.
    needed_names = (b'"padding"', b'"width"', b'"height"', b'"grid"')
    further_names = (b'"tokenVision"', b'"gridType"', b'"backgroundColor"', b'"walls"')
    has_needed = all(name in data for name in needed_names)
    return has_needed and any(name in data for name in further_names)


def _like_foundry(data: bytes) -> float:
    names = ("padding", "width", "height", "grid", "walls", "tokens", "lights", "notes")
    return share_of_names(data, names)


FOUNDRY = Signs(_is_foundry, _like_foundry)


def _is_uvtt(data: bytes) -> bool:
    """Return whether the data have both names that every Universal VTT has."""
    return b'"pixels_per_grid"' in data and b'"map_size"' in data


def _like_uvtt(data: bytes) -> float:
    return share_of_names(data, ("resolution", "pixels_per_grid", "map_size", "line_of_sight"))


UVTT = Signs(_is_uvtt, _like_uvtt)


_AZGAAR_EXPORT = b"Azgaar's Fantasy Map Generator output"
"""A text in every JSON export of that program."""


def _is_azgaar(data: bytes) -> bool:
    """Return whether the data are a JSON export of Azgaar's generator."""
    return data.lstrip(b" \t\r\n").startswith(b"{") and _AZGAAR_EXPORT in data


def _like_azgaar(data: bytes) -> float:
    return share_of_names(data, ("info", "settings", "mapCoordinates", "pack", "biome"))


AZGAAR = Signs(_is_azgaar, _like_azgaar)
