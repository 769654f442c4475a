"""The common parts of the readers and writers of other programs' maps: codes, original, losses.

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
"""The name, without its ending, of a file that has no name yet."""

Node = tuple[int, int]
"""A point through which lines are drawn, as whole numbers (x, y)."""

WIDEST_ELEVATIONS = 200
"""The largest difference of elevations for which all elevations in between can be painted, too.

With a larger one the list of elevations gets long; a map of heights in feet would have thousands.
"""

_MOST_ELEVATIONS = 1000
"""The largest number of elevations of a terrain set."""


def fault(message: str, line: int, column: int = 1) -> ProblemError:
    """Return the error that a file cannot be read for what stands at a line and column."""
    return ProblemError(Problem(Severity.ERROR, "foreign-map", message, None, line, column))


def warning(message: str, line: int | None = None) -> Problem:
    """Return the warning of a reader about a file that it reads nevertheless."""
    return Problem(Severity.WARNING, "foreign-map", message, None, line, line and 1)


# --- pictures and codes --------------------------------------------------------------------------


class Picture(NamedTuple):
    """A picture of ours for codes of other programs: a row of ``pictures.tsv``."""

    name: str
    colour: str
    water: bool
    codes: Mapping[str, str]
    """The codes that it is written as, by program."""
    words: frozenset[str]
    """The words in codes that it stands for."""


def table_rows(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table in this folder."""
    text = files("randomizer.systems.interchange").joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@registered(count=1, bytes_each=30 * KB)
@cache
def pictures() -> tuple[Picture, ...]:
    """Return all pictures for codes, in the order in which they are preferred."""
    result = list[Picture]()
    for name, colour, water, board, wesnoth, words in table_rows("pictures.tsv"):
        codes = {"MegaMek": board, "Wesnoth": wesnoth}
        result.append(Picture(name, colour, bool(water), codes, frozenset(words.split())))
    return tuple(result)


def nearest_picture(words: Iterable[str]) -> Picture | None:
    """Return the first picture that one of ``words``, or a part of one, names; None if none does.

    A part is what stands between other characters than letters: "fir-forest" has "forest".
    """
    parts = set[str]()
    for word in words:
        parts.update((word, *re.split(r"[^a-z]+", word)))
    parts |= {part.removesuffix("s") for part in parts}
    parts.discard("")
    for picture in pictures():
        if not parts.isdisjoint(picture.words):
            return picture
    return None


def picture_of(terrain: Terrain) -> Picture | None:
    """Return the picture of a terrain, or the nearest to its names; None if there is none."""
    name = terrain.picture or terrain.name
    for picture in pictures():
        if picture.name == name:
            return picture
    words = f"{terrain.name} {terrain.picture} {' '.join(terrain.aliases)}"
    return nearest_picture(words.lower().split())


WordsOf = Callable[[str], list[str]]
"""Returns the words of a code by which it gets its picture."""


def is_code(code: str) -> bool:
    """Return whether a terrain can have a code."""
    return code.isprintable() and code == code.strip() and 0 < len(code) <= LONGEST_CODE


def _look_unknown(_code: str) -> Terrain | None:
    """Return None: a code gets its picture by its words."""
    return None


class Codes:
    """The codes of a foreign map, numbered in the order in which they come.

    A reader collects them while it reads cells, and then has terrains made of them:

        codes = Codes()
        numbers = np.array([codes.number(word) for word in words])
        terrains, terrain_plane = codes.terrains(str.split, numbers)
    """

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
        """Return the terrains, the most frequent first, and ``cells`` as indices of them.

        ``cells`` are numbers of codes, in any shape. ``look_of(code)`` is the terrain that a code
        is; a code for which it is None gets a picture by ``words_of(code)``.
        """
        counts = np.bincount(cells.ravel(), minlength=len(self.numbers))
        codes = list(self.numbers)
        numbers_in_order = sorted(
            range(len(codes)), key=lambda number: (-counts[number], codes[number])
        )
        # argsort turns "the number at each position" into "the position of each number".
        positions = np.argsort(np.array(numbers_in_order, np.int64), kind="stable")
        terrains = list[Terrain]()
        names = set[str]()
        for position, number in enumerate(numbers_in_order):
            code = codes[number]
            terrain = look_of(code)
            if terrain is None:
                terrain = _terrain(code, position, words_of)
            else:
                name = _distinct_name(terrain.name, code, position, names)
                terrain = replace(terrain, name=name, code=code, order=position)
            names.add(terrain.name)
            terrains.append(terrain)
        return tuple(terrains), positions.astype(np.uint16)[cells]


def colour_for(name: str) -> str:
    """Return a light colour, always the same for a name."""
    digits = asset_digest(name.encode())[:6]
    return f"#{int(digits, 16) | 0x606060:06x}"  # red, green and blue are 0x60 at least


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
    """Return a map of one layer, whose values are ``planes``, with a terrain set of its own."""
    elevations = _elevations_to_paint(planes.get("elevation"))
    terrain_set = TerrainSet(
        program, tuple(terrains), tuple(hexsides), elevations, tuple(ways), tactical
    )
    layer = Layer(1, "Map", planes=planes, things=Things(things))
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set)


def _elevations_to_paint(plane: Plane | None) -> tuple[int, ...]:
    """Return the elevations of a terrain set: those of a plane, all between them, and 0 to 9.

    If they are too far apart, those of the plane alone.
    """
    elevations = {0}
    if plane is not None:
        is_set = plane > -0x8000
        elevations = set(np.unique(plane[is_set]).tolist())
    lowest = min(elevations, default=0)
    highest = max(elevations, default=0)
    if highest - lowest <= WIDEST_ELEVATIONS:
        elevations |= set(range(min(lowest, 0), max(highest, 9) + 1))
    return tuple(sorted(elevations)[:_MOST_ELEVATIONS])


def way_planes(grid: Grid, links: Mapping[int, Mapping[int, int]]) -> Planes:
    """Return the planes of ways; ``links`` are the sides (bits) by which they leave cells.

    They are given as {number of the way: {cell: sides}}.
    """
    planes: Planes = {}
    for number, sides_of_cell in links.items():
        spec = SYSTEM.ways[number]
        plane = spec.allocate(grid)
        planes[spec.name] = plane
        for cell, sides in sides_of_cell.items():
            plane.flat[cell] = PRESENT | sides
    return planes


def shown_ways(battlemap: BattleMap, shown: Composite) -> Iterator[tuple[Way, NDArray[Any]]]:
    """Yield each way of a map that is somewhere, and its plane, flat."""
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        plane = shown.planes[spec.name].reshape(-1)
        if plane.any():
            yield way, plane


def chains(edges: Iterable[tuple[Node, Node]]) -> Iterator[list[Node]]:
    """Yield lines through all edges, each edge once, as long as they can be without forks.

    A line runs from an end or fork to the next one. Rings without either come last. Of several
    nodes the uppermost is taken first, of these the leftmost, so that the lines are always the
    same.
    """
    neighbours: dict[Node, set[Node]] = defaultdict(set)  # by edges that are in no line yet
    by_row = itemgetter(1, 0)
    for start, end in edges:
        neighbours[start].add(end)
        neighbours[end].add(start)
    nodes = sorted(neighbours, key=by_row)
    ends_and_forks = [node for node in nodes if len(neighbours[node]) != 2]
    stops = set(ends_and_forks)
    for start in (*ends_and_forks, *nodes):
        while neighbours[start]:
            path = [start]
            node = start
            while neighbours[node] and (len(path) == 1 or node not in stops):
                following = min(neighbours[node], key=by_row)
                neighbours[node].discard(following)
                neighbours[following].discard(node)
                path.append(following)
                node = following
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
    """Return the kinds of our things by words for them: their names and synonyms of these."""
    rows = [(name, name) for _group, name, *_rest in SYMBOLS]
    rows += [(kind, words) for kind, words in table_rows("wxx_symbols.tsv")]
    kinds = dict[str, str]()
    for kind, words in rows:
        for word in words.split():
            kinds[word] = kind
    return kinds


def symbol_named(name: str, missing: str = "flag") -> str:
    """Return the kind of thing that a word of a name means; ``missing`` if none does."""
    words = words_in(name)
    for word, kind in symbols().items():
        if word in words:
            return kind
    return missing


def plain_text(markup: str) -> str:
    """Return the text of HTML, line by line."""
    text = re.sub(r"\s+", " ", markup)
    text = re.sub(r"(?i)<br\b[^<>]*>|</(?:p|div|li|tr|h\d)>", "\n", text)
    lines = html.unescape(re.sub("<[^<>]*>", "", text)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


LINE_STEP = 1 / 6
"""The distance, in sides of a cell, of the points by which lines are followed.

A line may miss a cell in which it is shorter than that. A smaller step takes more time.
"""


def points_on_line(
    start: NDArray[np.float64], end: NDArray[np.float64], most_points: int
) -> NDArray[np.float64]:
    """Return points along a straight line of the map, (n, 2), one at least.

    Raises ProblemError for more than ``most_points``.
    """
    count = max(1, math.ceil(math.dist(start, end) / LINE_STEP))
    if count > most_points:
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
"""Singular and plural of the words of ``losses`` that have other ones than an "s"."""


def _content(battlemap: BattleMap, shown: Composite) -> Counter[str]:
    """Return the numbers of what a map shows beside its terrains, by the words of ``losses``."""
    terrains = battlemap.terrain_set.terrains
    pictures_of_terrains = sum(bool(terrain.asset) for terrain in terrains)
    has_picture_below = PICTURE in battlemap.records
    ways = shown_ways(battlemap, shown)
    regions = set(np.unique(shown.planes["region"]).tolist()) - {NO_REGION}
    numbers = Counter(
        elevation=int(np.count_nonzero(shown.planes["elevation"])),
        hexside=int(np.count_nonzero(shown.planes["hexside"])),
        line=sum(int(np.count_nonzero(plane)) for _way, plane in ways),
        property=sum(bool(value) for value in shown.properties.values()),
        picture=pictures_of_terrains + has_picture_below,
        region=len(regions),
        setting=int(battlemap.grid.wrap),
    )
    numbers.update(fixtures_of(battlemap.records).numbers())
    words = {LABEL: "label", START: "start", "note": "note"}
    numbers.update(words.get(thing.kind, "object") for thing in battlemap.visible_things())
    return numbers


def losses(battlemap: BattleMap, shown: Composite, **lost_counts: int) -> Counter[str]:
    """Return the numbers of what a format loses of a map, by words such as "hexside" or "label".

    ``lost_counts`` are those of what the format has a place for, 0 if it loses none of it; all else
    that the map has is lost.
    """
    return Counter({**_content(battlemap, shown), **lost_counts})


def _loss_problems(program: str, lost: Mapping[str, int]) -> Iterator[Problem]:
    for word, count in sorted(lost.items()):
        if not count:
            continue
        if word == "terrain":
            message = f"{counted(count, word)}: {program} has no such, the nearest is written"
        else:
            nouns = _NOUNS.get(word, (word,))
            message = f"{counted(count, *nouns)}: {program} has none"
        yield Problem(Severity.HINT, NOT_KEPT, message)


# --- files ---------------------------------------------------------------------------------------


class Source:
    """A file of another program with those that it refers to, for as long as it is read."""

    def __init__(
        self, data: bytes = b"", path: str | None = None, files: Mapping[str, bytes] = NO_FILES
    ) -> None:
        self.data = data
        self.path = path
        """The path of the file, None if it is in no folder: then it has no files but ``files``."""
        self.files = dict(files)
        """The files that it refers to, as it names them: those given, and those read so far."""
        self.missing = dict[str, None]()
        """The names of files that were looked for in vain, in their order."""

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
        # A map keeps all of these files as assets, whose sum is limited.
        bytes_left = LARGEST_ASSETS - len(self.data) - sum(map(len, self.files.values()))
        folder = Path(self.path).absolute().parent
        highest_folder = [folder, *folder.parents][:3][-1]
        path = Path(os.path.normpath(folder / reference))
        return read_within(highest_folder, path, max(0, min(LARGEST_PICTURE, bytes_left)))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends."""
    starts = line_starts(text)
    return [text[start:end] for start, end in pairwise([*starts, len(text)]) if start < end]


NO_SOURCE = Source()
"""The source of a map that does not come from a file of the program."""


def _paint_nothing(_painter: TilePainter | None) -> Mapping[str, bytes]:
    return NO_FILES


class Written(NamedTuple):
    """A map as a file, with what is lost in it."""

    data: bytes
    lost: Mapping[str, int]
    """The result of ``losses``."""
    hints: tuple[str, ...] = ()
    """Sentences on further losses."""
    files: Mapping[str, bytes] = NO_FILES
    """The files beside it, by name."""
    pictures: Callable[[TilePainter | None], Mapping[str, bytes]] = _paint_nothing
    """Paints the pictures that belong beside it, by name, with a painter (None: as the core can).

    They are painted last, and only if they are written.
    """
    remarks: tuple[str, ...] = ()
    """Sentences on the content of the file."""


class Codec:
    """The base class of readers and writers of other programs' files, one object a format.

    A codec overrides ``parse`` and ``compose``; it has no state.
    """

    program: str
    code: re.Pattern[str]
    """Matches the codes of the program, for ``shown_codes``."""
    flat_only = True
    """True if its maps have flat-top hexes only."""
    kin: tuple[str, ...] = ()
    """Formats of the same program, whose files ``compose`` takes as originals, too."""

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; warnings and hints go to ``problems``. Raises ProblemError."""
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
        _note_original(battlemap, map_format, source)
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
            # A file in another folder is read, but never written.
            files_beside = {
                file_name: data
                for file_name, data in original.files.items()
                if fault_in_name(file_name) is None
            }
            return {name: original.data, **files_beside}
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
        """Return the file that a map was read from; None if the map has changed since, or has no
        such file.
        """
        try:
            record, original = original_of(battlemap, map_format)
        except ProblemError:
            return None  # ``_composed`` tells what is wrong with it
        if original.data and record.get("content") == map_digest(battlemap):
            return original
        return None

    def _code_of(self, terrain: Terrain) -> tuple[str, bool]:
        """Return the code of a terrain, and whether the terrain has it itself.

        A terrain without a code of the program gets that of the picture nearest to it; the last
        picture is the one of all others.
        """
        if self.code.fullmatch(terrain.code):
            return terrain.code, True
        picture = picture_of(terrain) or pictures()[-1]
        return picture.codes[self.program], False

    def shown_codes(self, battlemap: BattleMap, shown: Composite) -> tuple[list[str], int]:
        """Return the code of each cell, and the number of cells whose code is that of a picture."""
        codes = list[str]()
        is_nearest = list[bool]()
        for terrain in battlemap.terrain_set.terrains:
            code, has_code = self._code_of(terrain)
            codes.append(code)
            is_nearest.append(not has_code)
        terrain_plane = shown.planes["terrain"].reshape(-1)
        cells_with_nearest = np.array(is_nearest)[terrain_plane[battlemap.grid.cells]]
        codes_of_cells = [codes[number] for number in terrain_plane.tolist()]
        return codes_of_cells, int(cells_with_nearest.sum())


def _note_original(battlemap: BattleMap, map_format: Format, source: Source) -> None:
    """Keep a file, and those that it refers to, as the original of the map read from it."""
    files = {name: {"asset": asset_digest(data)} for name, data in source.files.items()}
    record: dict[str, object] = {
        "format": map_format.name,
        "asset": asset_digest(source.data),
        "content": map_digest(battlemap),
    }
    if files:
        record["files"] = files
    battlemap.records[ORIGINAL] = MapRecord(json.dumps(record), is_json=True)
    for data in (source.data, *source.files.values()):
        battlemap.assets[asset_digest(data)] = data


def original_of(
    battlemap: BattleMap, map_format: Format, kin: Sequence[str] = ()
) -> tuple[Mapping[str, Any], Source]:
    """Return the record ``ORIGINAL`` of a map and the file that it comes from.

    For a map that is not from a file of the format they are {} and ``NO_SOURCE``. ``kin`` are
    further formats that count as this one. Raises ProblemError for a record that no reader here
    writes, or that names bytes that the map does not have.
    """
    record = battlemap.records.get(ORIGINAL)
    if record is None or not record.is_json:
        return {}, NO_SOURCE
    values = json.loads(record.text)
    if not isinstance(values, dict) or values.get("format") not in (map_format.name, *kin):
        return {}, NO_SOURCE
    entries = values.get("files", {})
    if not isinstance(entries, dict):
        raise _damaged_original("its files are no object")
    files = {name: _original_bytes(battlemap, entry) for name, entry in entries.items()}
    return values, Source(_original_bytes(battlemap, values), None, files)


def _original_bytes(battlemap: BattleMap, entry: object) -> bytes:
    """Return the bytes that an entry of the record ``ORIGINAL`` names. Raises ProblemError."""
    digest = None
    if isinstance(entry, dict):
        digest = entry.get("asset")
    if not isinstance(digest, str):
        raise _damaged_original("a file has no asset")
    if digest not in battlemap.assets:
        raise _damaged_original(f"the asset {digest:.12} is not in the map")
    return battlemap.assets[digest]


def _damaged_original(reason: str) -> ProblemError:
    return error("foreign-map", f"the record “{ORIGINAL}” is damaged: {reason}")


def _at_path(problem: Problem, path: str | None) -> Problem:
    """Return a problem with ``path`` as its file, unless it names another file already."""
    if problem.path:
        return problem
    return problem.at_path(path)


class _Digests:
    """Stands in for the store of a map's arrays and texts: a record then has their digests alone.

    ``map_record`` calls it for each array and text.
    """

    def array(self, _name: str, array: Plane) -> str:
        return asset_digest(f"{array.dtype} {array.shape} ".encode() + array.tobytes())

    def text(self, text: str) -> str:
        return digest_of(text)


def map_digest(battlemap: BattleMap) -> str:
    """Return the digest of the content of a map, without its origin and the counters of free ids.

    Undo does not take the counters back, and the map is the same nevertheless.
    """
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
