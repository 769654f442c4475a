"""What the maps of all neighbouring programs share: codes, the original, losses.

    class Board(Codec):
        program = "MegaMek"

        def parse(self, text, problems):       # text to a map, or ProblemError with a place
            codes = Codes()
            cells = [codes.number(word) for word in text.split()]
            ...

        def compose(self, battlemap, original):  # a map to Written(text, losses)

A foreign map is a free map. Each code of its cells is a terrain with that ``code``; ``Codes`` gives
it the nearest of our pictures (``pictures.tsv``). The bytes of the file are an asset. The record
``ORIGINAL`` names it (``asset``) with the digest of the text that the map would be written as when
it was read (``content``): as long as that stays so, the bytes themselves are written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import Format, ReadResult, refuse_other_systems
from randomizer.model.assets import asset_digest
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.layer import Layer, Planes
from randomizer.model.map_records import ORIGINAL, MapRecord
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.regions import NO_REGION
from randomizer.model.routes import PRESENT
from randomizer.model.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain_check import LONGEST_CODE, LONGEST_WORD, MOST_TERRAINS
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import MOST_CELLS, SYSTEM
from randomizer.systems.free.things import LABEL, START

WIDEST_ELEVATIONS = 200
"""Of no more elevations all between the lowest and the highest can be painted."""


def fault(message: str, line: int, column: int = 1) -> ProblemError:
    """The error that a file cannot be read for what stands at a line and column."""
    return ProblemError(Problem(Severity.ERROR, "foreign-map", message, None, line, column))


def warning(message: str, line: int | None = None) -> Problem:
    """What a reader says of a file that it reads nevertheless."""
    return Problem(Severity.WARNING, "foreign-map", message, None, line, line and 1)


# --- pictures and codes --------------------------------------------------------------------------


class Picture(NamedTuple):
    """A picture of ours for codes of other programs, and codes of theirs for it."""

    name: str
    colour: str
    water: bool
    codes: Mapping[str, str]
    words: frozenset[str]


def table_rows(name: str) -> Iterator[list[str]]:
    """The rows of a table in this folder."""
    text = files("randomizer.systems.interchange").joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@cache
def pictures() -> tuple[Picture, ...]:
    """All pictures for codes, the weightiest first."""
    return tuple(
        Picture(name, colour, bool(water), codes, frozenset(words.split()))
        for name, colour, water, board, wesnoth, words in table_rows("pictures.tsv")
        for codes in ({"MegaMek": board, "Wesnoth": wesnoth},)
    )


def nearest_picture(words: Iterable[str]) -> Picture | None:
    """The weightiest picture that one of ``words``, or a part of one, names; None if none does."""
    parts = {part for word in words for part in (word, *re.split(r"[^a-z]+", word)) if part}
    parts |= {part.removesuffix("s") for part in parts}
    return next((each for each in pictures() if not parts.isdisjoint(each.words)), None)


def picture_of(terrain: Terrain) -> Picture | None:
    """The picture of a terrain, or the nearest to its names; None if there is none."""
    picture = terrain.picture or terrain.name
    same = next((each for each in pictures() if each.name == picture), None)
    words = f"{terrain.name} {terrain.picture} {' '.join(terrain.aliases)}".lower().split()
    return same or nearest_picture(words)


WordsOf = Callable[[str], list[str]]
"""The words of a code, by which it gets its picture."""


class Codes:
    """The codes of a foreign map and their numbers, in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, code: str, line: int = 1, column: int = 1) -> int:
        """The number of a code, a new one if needed. Raises ProblemError."""
        number = self.numbers.setdefault(code, len(self.numbers))
        if number == len(self.numbers) - 1:
            if not code.isprintable() or code != code.strip() or not 0 < len(code) <= LONGEST_CODE:
                raise fault(f"{code!r:.60} cannot be a terrain", line, column)
            if number >= MOST_TERRAINS:
                raise fault(f"a map has at most {MOST_TERRAINS:,} terrains", line, column)
        return number

    def terrains(
        self, words_of: WordsOf, cells: NDArray[Any]
    ) -> tuple[tuple[Terrain, ...], NDArray[np.uint16]]:
        """The terrains, the most frequent first, and ``cells`` (of numbers) as indices of them.

        ``words_of(code)`` are the words by which it gets its picture.
        """
        counts = np.bincount(cells.ravel(), minlength=len(self.numbers))
        codes = list(self.numbers)
        order = sorted(range(len(codes)), key=lambda at: (-counts[at], codes[at]))
        index = np.argsort(np.array(order, np.int64), kind="stable").astype(np.uint16)
        terrains = [_terrain(codes[at], number, words_of) for number, at in enumerate(order)]
        return tuple(terrains), index[cells]


def _terrain(code: str, number: int, words_of: WordsOf) -> Terrain:
    name = code if len(code) <= LONGEST_WORD else f"{code[: LONGEST_WORD - 8]}… {number}"
    picture = nearest_picture(words_of(code))
    if picture is None:
        colour = f"#{int(asset_digest(code.encode())[:6], 16) | 0x606060:06x}"
        return Terrain(name, colour, code=code, order=number)
    return Terrain(
        name,
        picture.colour,
        code=code,
        order=number,
        picture=picture.name,
        water=picture.water,
        body=picture.water,
    )


# --- maps ----------------------------------------------------------------------------------------


def check_size(width: int, height: int, line: int = 1, column: int = 1) -> None:
    """Raise ProblemError, before memory is taken, for a size that no map has."""
    if width < 1 or height < 1 or width * height > MOST_CELLS:
        message = f"a map has 1 to {MOST_CELLS:,} cells, not {width} x {height}"
        raise fault(message, line, column)


def foreign_map(
    program: str,
    grid: Grid,
    terrains: Sequence[Terrain],
    planes: Planes,
    *,
    hexsides: Sequence[Hexside] = (),
    ways: Sequence[Way] = (),
    things: Iterable[Thing] = (),
) -> BattleMap:
    """A map of one layer with a terrain set of its own; what is set of ``planes`` is painted."""
    heights = planes.get("elevation")
    used = {0} if heights is None else set(np.unique(heights[heights > -0x8000]).tolist())
    lowest, highest = min(used, default=0), max(used, default=0)
    if highest - lowest <= WIDEST_ELEVATIONS:
        used |= set(range(min(lowest, 0), max(highest, 9) + 1))
    elevations = tuple(sorted(used)[:1000])
    terrain_set = TerrainSet(program, tuple(terrains), tuple(hexsides), elevations, tuple(ways))
    layer = Layer(1, "Map", planes=planes, things=Things(things))
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set)


def way_planes(grid: Grid, links: Mapping[int, Mapping[int, int]]) -> Planes:
    """Planes of ways from the sides (bits) by which each leaves cells: {way: {cell: sides}}."""
    planes: Planes = {}
    for number, cells in links.items():
        spec = SYSTEM.ways[number]
        plane = planes[spec.name] = spec.allocate(grid)
        for cell, sides in cells.items():
            plane.flat[cell] = PRESENT | sides
    return planes


def shown_ways(battlemap: BattleMap, shown: Composite) -> Iterator[tuple[Way, NDArray[Any]]]:
    """Each way of a map that is somewhere, and its plane, flat."""
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        plane = shown.planes[spec.name].reshape(-1)
        if plane.any():
            yield way, plane


def cell_of(battlemap: BattleMap, thing: Thing) -> int:
    """The cell under a thing, -1 for none."""
    return battlemap.grid.cell_at(thing.x, thing.y)


# --- what is lost --------------------------------------------------------------------------------

_NOUNS = {
    "hexside": ("hexside or exit", "hexsides or exits"),
    "property": ("property", "properties"),
}


def _content(battlemap: BattleMap, shown: Composite) -> Counter[str]:
    """What a map shows beside its terrains, counted by the words of ``losses``."""
    count = Counter(
        elevation=int(np.count_nonzero(shown.planes["elevation"])),
        hexside=int(np.count_nonzero(shown.planes["hexside"])),
        line=sum(int(np.count_nonzero(plane)) for _way, plane in shown_ways(battlemap, shown)),
        property=sum(bool(value) for value in shown.properties.values()),
        picture=sum(bool(terrain.asset) for terrain in battlemap.terrain_set.terrains),
        region=len(set(np.unique(shown.planes["region"]).tolist()) - {NO_REGION}),
        setting=int(battlemap.grid.wrap),
    )
    words = {LABEL: "label", START: "start", "note": "note"}
    count.update(words.get(thing.kind, "object") for thing in battlemap.visible_things())
    return count


def losses(battlemap: BattleMap, shown: Composite, **own: int) -> Counter[str]:
    """What a format loses of a map, by words: all, but ``own`` of what it has a place for."""
    return Counter({**_content(battlemap, shown), **own})


def _loss_problems(program: str, lost: Mapping[str, int]) -> Iterator[Problem]:
    for word, count in sorted(lost.items()):
        if word == "terrain" and count:
            message = f"{counted(count, word)}: {program} has no such, the nearest is written"
        else:
            message = f"{counted(count, *_NOUNS.get(word, (word,)))}: {program} has none"
        if count:
            yield Problem(Severity.HINT, "not-kept", message)


# --- files ---------------------------------------------------------------------------------------


class Written(NamedTuple):
    """A map as the text of a file; what is lost in it, by words; what else is to be said."""

    text: str
    lost: Mapping[str, int]
    hints: tuple[str, ...] = ()


class Codec:
    """What reads and writes the texts of another program: ``parse`` and ``compose`` are its own."""

    program: str
    flat_only = True
    """Whether its maps have flat-top hexes only."""

    def parse(self, text: str, problems: list[Problem]) -> BattleMap:
        """Read a text; what is said of it goes to ``problems``. Raises ProblemError."""
        raise NotImplementedError

    def compose(self, battlemap: BattleMap, original: str) -> Written:
        """Write a map anew; ``original`` is the text of its file, "" for maps of other origin."""
        raise NotImplementedError

    def read(self, known: Format, data: bytes, path: str | None) -> ReadResult:
        """``Format.read``."""
        problems: list[Problem] = []
        try:
            if len(data) > known.largest:
                raise error("foreign-map", f"a file has at most {known.largest:,} bytes")
            text = _decoded(data)
            battlemap = self.parse(text, problems)
            content = asset_digest(self.compose(battlemap, text).text.encode())
        except ProblemError as failed:
            return ReadResult(None, tuple(each.at_path(path) for each in failed.problems))
        digest = asset_digest(data)
        record = {"format": known.name, "asset": digest, "content": content}
        battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
        battlemap.assets[digest] = data
        return ReadResult(battlemap, tuple(each.at_path(path) for each in problems))

    def write(self, known: Format, battlemap: BattleMap) -> bytes:
        """``Format.write``."""
        refuse_other_systems(known, battlemap)
        if self.flat_only and battlemap.grid.layout is not FLAT:
            message = f"{self.program} has flat-top hexes only: nothing was written"
            raise error("other-layout", message)
        record, original = original_of(battlemap, known)
        written = self.compose(battlemap, _decoded(original)).text.encode()
        unchanged = original and record.get("content") == asset_digest(written)
        return original if unchanged else written

    def check(self, known: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """``Format.check``."""
        if self.flat_only and battlemap.grid.layout is not FLAT:
            return ()  # it is not written
        written = self.compose(battlemap, _decoded(original_of(battlemap, known)[1]))
        hints = (Problem(Severity.HINT, "not-kept", hint) for hint in written.hints)
        return (*_loss_problems(self.program, written.lost), *hints)

    def code_of(self, terrain: Terrain) -> tuple[str, bool]:
        """The code of a terrain, and whether it is its own: else it is that of its picture."""
        if self.is_code(terrain.code):
            return terrain.code, True
        picture = picture_of(terrain)
        return (picture or pictures()[-1]).codes[self.program], False

    def is_code(self, code: str) -> bool:
        """Whether a code can be one of this program's."""
        raise NotImplementedError

    def shown_codes(self, battlemap: BattleMap, shown: Composite) -> tuple[list[str], int]:
        """The code of each cell, and how many have that of a picture."""
        codes = [self.code_of(terrain) for terrain in battlemap.terrain_set.terrains]
        cells = shown.planes["terrain"].reshape(-1)
        nearest = np.array([not own for _code, own in codes])[cells[battlemap.grid.cells]]
        return [codes[number][0] for number in cells.tolist()], int(nearest.sum())


def original_of(battlemap: BattleMap, known: Format) -> tuple[Mapping[str, Any], bytes]:
    """The record of a map of a format and the bytes of its file, {} and b"" for other maps."""
    record = battlemap.records.get(ORIGINAL)
    about = json.loads(record.text) if record and record.is_json else None
    if not isinstance(about, dict) or about.get("format") != known.name:
        return {}, b""
    return about, battlemap.assets.get(str(about.get("asset")), b"")


def _decoded(data: bytes) -> str:
    """The text of a file. Raises ProblemError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failed:
        line = data.count(b"\n", 0, failed.start) + 1
        raise fault("this is no UTF-8 text", line) from failed
