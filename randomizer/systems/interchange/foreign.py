"""What the maps of all neighbouring programs share: codes, the original, losses.

    class Board(Codec):
        program = "MegaMek"

        def parse(self, source, problems):     # a file to a map, or ProblemError with a place
            codes = Codes()
            cells = [codes.number(word) for word in source.text.split()]
            ...

        def compose(self, battlemap, original, stem):  # a map to Written(bytes, losses)

A foreign map is a free map. Each code of its cells is a terrain with that ``code``; ``Codes`` gives
it the nearest of our pictures (``pictures.tsv``). The bytes of the file are an asset. The record
``ORIGINAL`` names it (``asset``) and those that it refers to (``files``), with the digest of the
map as it was read (``content``): as long as the map is that, the bytes themselves are written.
``compose`` uses the bytes of all that would be written alike, so that files differ where maps did.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import (
    IN_FILE,
    NO_FILES,
    NOT_KEPT,
    Format,
    ReadResult,
    TilePainter,
    refuse_other_systems,
)
from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import counted
from randomizer.model.fixtures import fixtures_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.map.regions import NO_REGION
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, ProblemError, Severity, error, line_starts
from randomizer.model.records.assets import LARGEST_ASSETS, LARGEST_PICTURE, asset_digest
from randomizer.model.records.map_records import ORIGINAL, MapRecord
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.terrain.terrain_check import LONGEST_CODE, LONGEST_WORD, MOST_TERRAINS
from randomizer.model.things.things import Thing, Things
from randomizer.reading.files import read_within
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.storage.records.parts import digest_of
from randomizer.storage.records.records import map_record
from randomizer.systems.free.system import MOST_CELLS, SYSTEM
from randomizer.systems.free.things import LABEL, START, SYMBOLS

STEM = "map"
"""The name of a file without one."""

Node = tuple[int, int]

WIDEST_ELEVATIONS = 200
"""Of no more elevations all between the lowest and the highest can be painted."""


def fault(message: str, line: int, column: int = 1) -> ProblemError:
    """Return the error that a file cannot be read for what stands at a line and column."""
    return ProblemError(Problem(Severity.ERROR, "foreign-map", message, None, line, column))


def warning(message: str, line: int | None = None) -> Problem:
    """Return what a reader says of a file that it reads nevertheless."""
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
    """Yield the rows of a table in this folder."""
    text = files("randomizer.systems.interchange").joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@registered(count=1, bytes_each=30 * KB)
@cache
def pictures() -> tuple[Picture, ...]:
    """Return all pictures for codes, the weightiest first."""
    return tuple(
        Picture(name, colour, bool(water), codes, frozenset(words.split()))
        for name, colour, water, board, wesnoth, words in table_rows("pictures.tsv")
        for codes in ({"MegaMek": board, "Wesnoth": wesnoth},)
    )


def nearest_picture(words: Iterable[str]) -> Picture | None:
    """Return the weightiest picture that one of ``words``, or a part of one, names; None if none
    does.
    """
    parts = {part for word in words for part in (word, *re.split(r"[^a-z]+", word)) if part}
    parts |= {part.removesuffix("s") for part in parts}
    return next((picture for picture in pictures() if not parts.isdisjoint(picture.words)), None)


def picture_of(terrain: Terrain) -> Picture | None:
    """Return the picture of a terrain, or the nearest to its names; None if there is none."""
    picture = terrain.picture or terrain.name
    same = next((each for each in pictures() if each.name == picture), None)
    words = f"{terrain.name} {terrain.picture} {' '.join(terrain.aliases)}".lower().split()
    return same or nearest_picture(words)


WordsOf = Callable[[str], list[str]]
"""The words of a code, by which it gets its picture."""


def is_code(code: str) -> bool:
    """Return whether a terrain can have a code."""
    return code.isprintable() and code == code.strip() and 0 < len(code) <= LONGEST_CODE


def _look_unknown(_code: str) -> Terrain | None:
    """Return None: a code gets its picture by its words."""
    return None


class Codes:
    """The codes of a foreign map and their numbers, in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, code: str, line: int = 1, column: int = 1) -> int:
        """Return the number of a code, a new one if needed. Raises ProblemError."""
        number = self.numbers.setdefault(code, len(self.numbers))
        if number == len(self.numbers) - 1:
            if not is_code(code):
                raise fault(f"{code!r:.60} cannot be a terrain", line, column)
            if number >= MOST_TERRAINS:
                raise fault(f"a map has at most {MOST_TERRAINS:,} terrains", line, column)
        return number

    def terrains(
        self,
        words_of: WordsOf,
        cells: NDArray[Any],
        look_of: Callable[[str], Terrain | None] = _look_unknown,
    ) -> tuple[tuple[Terrain, ...], NDArray[np.uint16]]:
        """Return the terrains, the most frequent first, and ``cells`` (of numbers) as indices of
        them.

        ``look_of(code)`` is the terrain that a code is; of codes for which it is None
        ``words_of(code)`` are the words by which it gets its picture.
        """
        counts = np.bincount(cells.ravel(), minlength=len(self.numbers))
        codes = list(self.numbers)
        order = sorted(range(len(codes)), key=lambda at: (-counts[at], codes[at]))
        index = np.argsort(np.array(order, np.int64), kind="stable").astype(np.uint16)
        terrains = list[Terrain]()
        names = set[str]()
        for number, at in enumerate(order):
            terrain = look_of(codes[at])
            if terrain is None:
                terrain = _terrain(codes[at], number, words_of)
            else:
                name = _distinct_name(terrain.name, codes[at], number, names)
                terrain = replace(terrain, name=name, code=codes[at], order=number)
            names.add(terrain.name)
            terrains.append(terrain)
        return tuple(terrains), index[cells]


def colour_for(name: str) -> str:
    """Return a light colour, always the same for a name."""
    return f"#{int(asset_digest(name.encode())[:6], 16) | 0x606060:06x}"


def _distinct_name(name: str, code: str, number: int, names: Collection[str]) -> str:
    """Return a name that is none of ``names`` and no longer than a name may be."""
    for candidate in (name, f"{name} ({code})"):
        if candidate not in names and len(candidate) <= LONGEST_WORD:
            return candidate
    end = f"… {number}"
    return f"{name[: LONGEST_WORD - len(end)]}{end}"


def _terrain(code: str, number: int, words_of: WordsOf) -> Terrain:
    if len(code) <= LONGEST_WORD:
        name = code
    else:
        name = f"{code[: LONGEST_WORD - 8]}… {number}"
    picture = nearest_picture(words_of(code))
    if picture is None:
        return Terrain(name, colour_for(code), code=code, order=number)
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
    tactical: bool = False,
) -> BattleMap:
    """Return a map of one layer with a terrain set of its own; what is set of ``planes`` is
    painted.
    """
    heights = planes.get("elevation")
    if heights is None:
        used = {0}
    else:
        used = set(np.unique(heights[heights > -0x8000]).tolist())
    lowest = min(used, default=0)
    highest = max(used, default=0)
    if highest - lowest <= WIDEST_ELEVATIONS:
        used |= set(range(min(lowest, 0), max(highest, 9) + 1))
    elevations = tuple(sorted(used)[:1000])
    terrain_set = TerrainSet(
        program, tuple(terrains), tuple(hexsides), elevations, tuple(ways), tactical
    )
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
    """Yield each way of a map that is somewhere, and its plane, flat."""
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        plane = shown.planes[spec.name].reshape(-1)
        if plane.any():
            yield way, plane


def chains(edges: Iterable[tuple[Node, Node]]) -> Iterator[list[Node]]:
    """Lines through all edges, each edge once: from ends and forks first, then the rings.

    Nodes are (x, y); they are taken row by row.
    """
    around: dict[Node, set[Node]] = defaultdict(set)
    by_row = itemgetter(1, 0)
    for one, other in edges:
        around[one].add(other)
        around[other].add(one)
    ordered = sorted(around, key=by_row)
    forks = {node: None for node in ordered if len(around[node]) != 2}
    for start in (*forks, *ordered):
        while around[start]:
            path = [start]
            while around[path[-1]] and (len(path) == 1 or path[-1] not in forks):
                following = min(around[path[-1]], key=by_row)
                around[path[-1]].discard(following)
                around[following].discard(path[-1])
                path.append(following)
            yield path


# --- words, symbols and lines -------------------------------------------------------------------


def words_in(name: str) -> set[str]:
    """Return the words of a name without its folder, and each without an s or es at the end."""
    words = re.findall("[a-z]+", name.rpartition("/")[2].lower())
    singulars = {word.removesuffix(end) for word in words for end in ("s", "es")}
    return {*words, *singulars}


@registered(count=1, bytes_each=20 * KB)
@cache
def symbols() -> Mapping[str, str]:
    """Return the kinds of our things by words for them: their names, and what means the same."""
    rows = [(name, name) for _group, name, *_rest in SYMBOLS] + [*table_rows("wxx_symbols.tsv")]
    return {word: kind for kind, words in rows for word in words.split()}


def symbol_named(name: str, missing: str = "flag") -> str:
    """Return the kind of thing that a word of a name means; ``missing`` if none does."""
    words = words_in(name)
    return next((kind for word, kind in symbols().items() if word in words), missing)


def plain_text(markup: str) -> str:
    """Return the text of HTML, line by line."""
    text = re.sub(r"\s+", " ", markup)
    text = re.sub(r"(?i)<br\b[^<>]*>|</(?:p|div|li|tr|h\d)>", "\n", text)
    lines = html.unescape(re.sub("<[^<>]*>", "", text)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


LINE_STEP = 1 / 6
"""The length, in sides of a cell, by which lines are followed: less in a cell is not seen."""


def points_on_line(
    start: NDArray[np.float64], end: NDArray[np.float64], most: int
) -> NDArray[np.float64]:
    """Return points along a straight line of the map, (n, 2), one at least.

    Raises ProblemError for more than ``most``.
    """
    count = max(1, math.ceil(math.dist(start, end) / LINE_STEP))
    if count > most:
        raise fault("the lines of this map are too long", 1)
    shares = (np.arange(count)[:, None] + 0.5) / count
    points: NDArray[np.float64] = start + shares * (end - start)
    return points


def link_cells(grid: Grid, plane: Plane, cells: Iterable[int], previous: int = -1) -> int:
    """Draw a way through cells in their order, and return the last one.

    ``plane`` is that of the way, flat. A cell of -1 is off the map; ``previous`` is the cell from
    which the way comes. Cells that are no neighbours are not linked.
    """
    for cell in cells:
        if cell not in (-1, previous):
            plane[cell] = PRESENT | plane[cell] & SIDES
            neighbours = grid.neighbour_table[cell].tolist()
            if previous >= 0 and previous in neighbours:
                side = neighbours.index(previous)
                plane[cell] |= 1 << side
                plane[previous] |= 1 << grid.opposite(side)
        previous = cell
    return previous


# --- what is lost --------------------------------------------------------------------------------

_NOUNS = {
    "hexside": ("hexside or exit", "hexsides or exits"),
    "property": ("property", "properties"),
}


def _content(battlemap: BattleMap, shown: Composite) -> Counter[str]:
    """Return what a map shows beside its terrains, counted by the words of ``losses``."""
    count = Counter(
        elevation=int(np.count_nonzero(shown.planes["elevation"])),
        hexside=int(np.count_nonzero(shown.planes["hexside"])),
        line=sum(int(np.count_nonzero(plane)) for _way, plane in shown_ways(battlemap, shown)),
        property=sum(bool(value) for value in shown.properties.values()),
        picture=sum(bool(terrain.asset) for terrain in battlemap.terrain_set.terrains)
        + (PICTURE in battlemap.records),
        region=len(set(np.unique(shown.planes["region"]).tolist()) - {NO_REGION}),
        setting=int(battlemap.grid.wrap),
    )
    count.update(fixtures_of(battlemap.records).numbers())
    words = {LABEL: "label", START: "start", "note": "note"}
    count.update(words.get(thing.kind, "object") for thing in battlemap.visible_things())
    return count


def losses(battlemap: BattleMap, shown: Composite, **own: int) -> Counter[str]:
    """Return what a format loses of a map, by words: all, but ``own`` of what it has a place
    for.
    """
    return Counter({**_content(battlemap, shown), **own})


def _loss_problems(program: str, lost: Mapping[str, int]) -> Iterator[Problem]:
    for word, count in sorted(lost.items()):
        if word == "terrain" and count:
            message = f"{counted(count, word)}: {program} has no such, the nearest is written"
        else:
            message = f"{counted(count, *_NOUNS.get(word, (word,)))}: {program} has none"
        if count:
            yield Problem(Severity.HINT, NOT_KEPT, message)


# --- files ---------------------------------------------------------------------------------------


class Source:
    """The bytes of a file of another program, and of those that it refers to, as it names them.

    ``path`` says where it is, None for nowhere; then only ``files`` are there. Those that were
    looked for in vain are in ``missing``.
    """

    def __init__(
        self, data: bytes = b"", path: str | None = None, files: Mapping[str, bytes] = NO_FILES
    ) -> None:
        self.data = data
        self.path = path
        self.files = dict(files)
        self.missing = dict[str, None]()

    @property
    def text(self) -> str:
        """The file as text. Raises ProblemError."""
        return decoded(self.data)

    def lines(self) -> list[str]:
        """Return the lines of the file with their ends. Raises ProblemError."""
        return lines_of(self.text)

    def encoded(self, text: str) -> bytes:
        """Return a text as a file that begins as this one does, with or without a mark."""
        mark = BOM_UTF8 if self.data.startswith(BOM_UTF8) else b""
        return mark + text.encode()

    def beside(self, name: str, suffixes: Collection[str], problems: list[Problem]) -> bytes | None:
        """Return the file that is called ``name`` from this one; None, with a problem, without it.

        It is sought from the folder of this file, at most two above, through no link that leads
        further, and has one of ``suffixes`` (lower case, with the dot).
        """
        if name in self.files:
            return self.files[name]
        if name in self.missing:
            return None
        try:
            self.files[name] = self._read_beside(name, suffixes)
        except ProblemError as failed:
            self.missing[name] = None
            problems.append(warning(f"{name!r:.80} is not used: {failed.problems[0].message}"))
            return None
        return self.files[name]

    def _read_beside(self, name: str, suffixes: Collection[str]) -> bytes:
        reference = PurePosixPath(name.replace("\\", "/"))
        if reference.suffix.lower() not in suffixes:
            raise fault(f"only {', '.join(sorted(suffixes))} are read", 1)
        if ":" in name or "\0" in name or reference.is_absolute():
            raise fault("it is no file beside this one", 1)
        if self.path is None:
            raise fault("it is not known where it is", 1)
        left = LARGEST_ASSETS - len(self.data) - sum(map(len, self.files.values()))
        folder = Path(self.path).absolute().parent
        top = [folder, *folder.parents][:3][-1]
        path = Path(os.path.normpath(folder / reference))
        return read_within(top, path, max(0, min(LARGEST_PICTURE, left)))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends."""
    starts = line_starts(text)
    return [text[start:end] for start, end in pairwise([*starts, len(text)]) if start < end]


NO_SOURCE = Source()
"""That of a map that does not come from a file of the program."""


def _paint_nothing(_painter: TilePainter | None) -> Mapping[str, bytes]:
    return NO_FILES


class Written(NamedTuple):
    """A map as a file; what is lost in it, by words; what else is to be said; files beside it.

    ``hints`` are further losses, ``remarks`` say what is in the file. ``pictures`` paints the
    pictures that belong beside it, too, by name, with a painter (None: as the core can). How they
    are painted is no part of what the map is.
    """

    data: bytes
    lost: Mapping[str, int]
    hints: tuple[str, ...] = ()
    files: Mapping[str, bytes] = NO_FILES
    pictures: Callable[[TilePainter | None], Mapping[str, bytes]] = _paint_nothing
    remarks: tuple[str, ...] = ()


class Codec:
    """The reader and writer of another program's files: ``parse`` and ``compose`` are its own."""

    program: str
    code: re.Pattern[str]
    """Of the codes of the program, for ``shown_codes``."""
    flat_only = True
    """Whether its maps have flat-top hexes only."""
    kin: tuple[str, ...] = ()
    """Formats of the same program, whose files ``compose`` takes as originals, too."""

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; what is said of it goes to ``problems``. Raises ProblemError."""
        raise NotImplementedError

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Write a map anew as a file called ``stem`` with a suffix.

        ``original`` is the file that it comes from, ``NO_SOURCE`` for maps of other origin. Raises
        ProblemError.
        """
        raise NotImplementedError

    def read(
        self, map_format: Format, data: bytes, path: str | None, given: Mapping[str, bytes]
    ) -> ReadResult:
        """``Format.read_with``."""
        problems: list[Problem] = []
        source = Source(data, path, given)
        try:
            if len(data) > map_format.largest:
                raise error("foreign-map", f"a file has at most {map_format.largest:,} bytes")
            battlemap = self.parse(source, problems)
            if not map_format.writable:
                return ReadResult(battlemap, tuple(problem.at_path(path) for problem in problems))
        except ProblemError as failed:
            located = tuple(_at_path(problem, path) for problem in failed.problems)
            return ReadResult(None, located, missing=tuple(source.missing))
        assets = {asset_digest(each): each for each in (data, *source.files.values())}
        files = {name: {"asset": asset_digest(file)} for name, file in source.files.items()}
        content = map_digest(battlemap)
        about = {"format": map_format.name, "asset": asset_digest(data), "content": content}
        record = {**about, "files": files} if files else about
        battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
        battlemap.assets.update(assets)
        located = tuple(_at_path(problem, path) for problem in problems)
        return ReadResult(battlemap, located, missing=tuple(source.missing))

    def write(
        self,
        map_format: Format,
        battlemap: BattleMap,
        name: str = STEM,
        painter: TilePainter | None = None,
    ) -> dict[str, bytes]:
        """Return the file ``name``, then those that belong beside it. Raises ProblemError.

        ``painter`` paints the pictures among them; None: as the core can.
        """
        refuse_other_systems(map_format, battlemap)
        if self.flat_only and battlemap.grid.layout is not FLAT:
            message = f"{self.program} has flat-top hexes only: nothing was written"
            raise error("other-layout", message)
        original = self._unchanged_original(map_format, battlemap)
        if original is not None:
            beside = {at: data for at, data in original.files.items() if fault_in_name(at) is None}
            return {name: original.data, **beside}
        written, _problems = self._composed(map_format, battlemap, PurePosixPath(name).stem)
        return {name: written.data, **written.files, **written.pictures(painter)}

    def check(self, map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """``Format.check``."""
        if not map_format.writable or (self.flat_only and battlemap.grid.layout is not FLAT):
            return ()  # it is not written
        written, problems = self._composed(map_format, battlemap, STEM)
        hints = (Problem(Severity.HINT, NOT_KEPT, hint) for hint in written.hints)
        remarks = [Problem(Severity.HINT, IN_FILE, remark) for remark in written.remarks]
        losses = _loss_problems(self.program, written.lost)
        return (*problems, *losses, *hints, *remarks)

    def _composed(
        self, map_format: Format, battlemap: BattleMap, stem: str
    ) -> tuple[Written, tuple[Problem, ...]]:
        """Return a map as a file, written anew, and what is wrong with the one that it comes from.

        The record and the file can be damaged, since they stand in a project: the map is written
        without them then. Raises ProblemError for a map that cannot be written either way.
        """
        try:
            original = original_of(battlemap, map_format, self.kin)[1]
            return self.compose(battlemap, original, stem), ()
        except ProblemError as failed:
            written = self.compose(battlemap, NO_SOURCE, stem)
            reason = failed.problems[0].message
            message = (
                f"the {self.program} file that this map was opened from cannot be used ({reason}): "
                "what only that file has is not kept"
            )
            problem = Problem(Severity.WARNING, NOT_KEPT, message)
            return written, (problem,)

    def _unchanged_original(self, map_format: Format, battlemap: BattleMap) -> Source | None:
        """Return the file that a map was read from, if the map is as it was then; None for any
        other.
        """
        try:
            record, original = original_of(battlemap, map_format)
        except ProblemError:
            return None
        is_same = bool(original.data) and record.get("content") == map_digest(battlemap)
        return original if is_same else None

    def _code_of(self, terrain: Terrain) -> tuple[str, bool]:
        """Return the code of a terrain, and whether it is its own: else it is that of its
        picture.
        """
        if self.code.fullmatch(terrain.code):
            return terrain.code, True
        picture = picture_of(terrain)
        return (picture or pictures()[-1]).codes[self.program], False

    def shown_codes(self, battlemap: BattleMap, shown: Composite) -> tuple[list[str], int]:
        """Return the code of each cell, and how many have that of a picture."""
        codes = [self._code_of(terrain) for terrain in battlemap.terrain_set.terrains]
        cells = shown.planes["terrain"].reshape(-1)
        nearest = np.array([not own for _code, own in codes])[cells[battlemap.grid.cells]]
        return [codes[number][0] for number in cells.tolist()], int(nearest.sum())


def original_of(
    battlemap: BattleMap, map_format: Format, kin: Sequence[str] = ()
) -> tuple[Mapping[str, Any], Source]:
    """Return the record of a map of a format and the file it comes from; {}, none for other maps.

    ``kin`` are further formats whose files are read as well. Raises ProblemError for a record that
    no reader here writes, or that names bytes that the map does not have.
    """
    record = battlemap.records.get(ORIGINAL)
    if record is not None and record.is_json:
        about = json.loads(record.text)
    else:
        about = None
    if not isinstance(about, dict) or about.get("format") not in (map_format.name, *kin):
        return {}, NO_SOURCE
    entries = about.get("files", {})
    if not isinstance(entries, dict):
        raise _damaged_original("its files are no object")
    files = {name: _original_bytes(battlemap, entry) for name, entry in entries.items()}
    return about, Source(_original_bytes(battlemap, about), None, files)


def _original_bytes(battlemap: BattleMap, entry: object) -> bytes:
    """Return the bytes that an entry of the record ``ORIGINAL`` names. Raises ProblemError."""
    if isinstance(entry, dict):
        digest = entry.get("asset")
    else:
        digest = None
    if not isinstance(digest, str):
        raise _damaged_original("a file has no asset")
    if digest not in battlemap.assets:
        raise _damaged_original(f"the asset {digest:.12} is not in the map")
    return battlemap.assets[digest]


def _damaged_original(reason: str) -> ProblemError:
    return error("foreign-map", f"the record “{ORIGINAL}” is damaged: {reason}")


def _at_path(problem: Problem, path: str | None) -> Problem:
    """Return a problem of the file at ``path`` if it is of none yet."""
    if problem.path:
        return problem
    return problem.at_path(path)


class _Digests:
    """Takes the arrays and texts of a map, of which a record then has the digests alone."""

    def array(self, _name: str, array: Plane) -> str:
        return asset_digest(f"{array.dtype} {array.shape} ".encode() + array.tobytes())

    def text(self, text: str) -> str:
        return digest_of(text)


def map_digest(battlemap: BattleMap) -> str:
    """Return the digest of all that a map is, but where it comes from and which ids are free."""
    record = map_record(battlemap, _Digests())
    del record["next_thing_id"]
    for layer in record["layers"]:
        layer.pop("from_file", None)
    record["records"].pop(ORIGINAL, None)
    return asset_digest(json.dumps(record, sort_keys=True).encode())


def decoded(data: bytes) -> str:
    """Return the text of a file. Raises ProblemError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as failed:
        line = data.count(b"\n", 0, failed.start) + 1
        raise fault("this is no UTF-8 text", line) from failed
