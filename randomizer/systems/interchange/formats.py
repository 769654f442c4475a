"""The formats of other programs, for the catalogue.

A format is asked often, but used seldom: every command asks each of them whether it recognises a
file. So a ``ForeignFormat`` has only the quick signs of its files (file_signs.py); what reads and
writes them, the *codec* of the program, is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from randomizer.formats.format import Format, Purpose
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.formats.tile_looks import TilePainter
from randomizer.installed import load
from randomizer.model.problems import Problem
from randomizer.model.records.assets import LARGEST_ASSETS, LARGEST_PICTURE
from randomizer.systems.interchange import file_signs
from randomizer.systems.interchange.file_signs import Signs, beginning

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.systems.interchange.foreign.codec import Codec

LARGEST_WITH_PICTURE = LARGEST_ASSETS // 2
"""The most bytes of a JSON file, which may have a picture in it.

The picture is written in base64, with four bytes of text for three of its own.
"""


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
        signs: Signs,
        *,
        codec: str,
        system: str | None = "free",
        writable: bool = True,
        purpose: Purpose = Purpose.PROGRAM,
        largest: int = LARGEST_PICTURE,
        location: str = "",
    ) -> None:
        """Describe the format.

        ``codec`` is the object that reads and writes the files, as ``module:name`` in this package.
        ``system`` is the one whose maps it holds, None for all. ``largest`` is the most bytes of a
        file, ``location`` that of ``Format``.
        """
        self.name = name
        self.title = title
        self.suffixes = suffixes
        self._signs = signs
        self._codec = codec
        self.systems = ()
        if system is not None:
            self.systems = (system,)
        self.writable = writable
        self.purpose = purpose
        self.largest = largest
        self.location = location

    @property
    def codec(self) -> Codec:
        """The object that reads and writes the files, imported when it is needed first."""
        codec: Codec = load(f"randomizer.systems.interchange.{self._codec}")
        return codec

    def recognises(self, data: bytes) -> bool:
        return self._signs.recognises(beginning(data))

    def resemblance(self, data: bytes) -> float:
        return self._signs.resemblance(beginning(data))

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        return self.codec.read(self, data, path, NO_FILES)

    def read_with(self, data: bytes, path: str | None, files: Mapping[str, bytes]) -> ReadResult:
        return self.codec.read(self, data, path, files)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the file as it was if nothing in it changed, else a new one.

        Raises ProblemError.
        """
        # The first value is the file itself, the others are those beside it.
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


BOARD = ForeignFormat(
    "board", "MegaMek board", (".board",), file_signs.BOARD, codec="megamek.megamek:CODEC"
)

WESNOTH = ForeignFormat(
    "wesnoth", "Wesnoth map", (".map", ".mask"), file_signs.WESNOTH, codec="wesnoth:CODEC"
)

TEXTMAPPER = ForeignFormat(
    "textmapper", "Text Mapper map", (".txt",), file_signs.TEXTMAPPER, codec="textmapper:CODEC"
)

WXX = ForeignFormat(
    "wxx",
    "Worldographer map",
    (".wxx",),
    file_signs.WXX,
    codec="worldographer.worldographer:CODEC",
    writable=False,
)

PMP = ForeignFormat(
    "pmp",
    "Atlas scenario for 0 A.D.",
    (".pmp", ".xml"),
    file_signs.SCENARIO,
    codec="atlas:CODEC",
    system="zeroad",
    purpose=Purpose.GAME,
    location="The game looks for them in the folder maps/scenarios of a mod.",
)

TMX = ForeignFormat("tmx", "Tiled map", (".tmx",), file_signs.TMX, codec="tiled.tiled:TMX")

TMJ = ForeignFormat("tmj", "Tiled map (JSON)", (".tmj",), file_signs.TMJ, codec="tiled.tiled:TMJ")

FOUNDRY = ForeignFormat(
    "foundry",
    "Foundry scene",
    (".json",),
    file_signs.FOUNDRY,
    codec="foundry.foundry:CODEC",
    system=None,
    purpose=Purpose.TABLE,
)

UVTT = ForeignFormat(
    "uvtt",
    "Universal VTT",
    (".uvtt", ".dd2vtt", ".df2vtt"),
    file_signs.UVTT,
    codec="universal_vtt:CODEC",
    system=None,
    purpose=Purpose.TABLE,
    largest=LARGEST_WITH_PICTURE,
)

AZGAAR = ForeignFormat(
    "azgaar",
    "Azgaar's generator (full JSON)",
    (".json",),
    file_signs.AZGAAR,
    codec="azgaar.azgaar:CODEC",
    writable=False,
    largest=LARGEST_WITH_PICTURE,
)
