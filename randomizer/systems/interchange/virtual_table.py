"""The common parts of files for virtual tables: a picture under the table's grid, walls, the map.

    export = Export(pixels=100, path="worlds/moor/map.png", picture=png)
    files = codec.export(players_map(battlemap), "moor", export).files    # bytes by file name

A table shows the picture; the map itself is in the file, as a project, under the name ``OWN``, so
that it comes back whole. What a file has that we have no place for stays when it is written anew.
Pixels count from the corner of the picture. Cells are measured from flat to flat.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import place_in_json
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.fixtures import RECORD as FIXTURES
from randomizer.model.fixtures import Fixtures, fixtures_of, record_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3, ROOT3
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map_picture import MapPicture, set_picture
from randomizer.model.notes import key_in_markdown, notes_of
from randomizer.model.planes.composite import Composite
from randomizer.model.players_view import BLANK_NAME, secret_things
from randomizer.model.problems import Problem, error, place_of
from randomizer.model.records.assets import asset_digest, check_asset, picture_size
from randomizer.model.records.map_records import ORIGINAL
from randomizer.model.terrain.sight import blocks_sight
from randomizer.storage.files.project import PROJECT, read_project
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.ways import chains

OWN = "battlelands"
"""The name of what is ours in a file: the ``map``, and whether we ``drew`` its picture."""

NO_HEXES = "Universal VTT knows no hexes: tables lay squares over the picture"
GRIDS = (
    "Gridless",
    "Square",
    "Hexagonal Rows - Odd",
    "Hexagonal Rows - Even",
    "Hexagonal Columns - Odd",
    "Hexagonal Columns - Even",
)
"""The names of the types of grids in Foundry, by number."""

LEAST_PIXELS = 20
"""The smallest size of a cell in pixels; Foundry refuses smaller ones."""

USUAL_PIXELS = 100
MOST_PIXELS = 500
"""The largest size of a cell in pixels."""

DEEPEST = 100
"""The largest depth of nested lists and objects in a file."""

MOST_WALLS = 50_000
"""The largest number of sides that become walls: tables compute sight from each of them."""

FARTHEST = 1e7
"""The largest coordinate in pixels."""

PICTURES = (".png", ".jpg", ".jpeg", ".webp")

Line = list[tuple[float, float]]
Box = tuple[float, ...]
"""Left, top, width and height in the pixels of a frame."""


class Export(NamedTuple):
    """The options of an export."""

    pixels: int = USUAL_PIXELS
    """The size of a cell in pixels."""
    path: str = ""
    """The path of the picture as the table knows it."""
    picture: bytes = b""
    """A PNG of the map."""
    walls: bool = True
    """Whether walls are made where terrains and hexsides block sight."""


class Exported(NamedTuple):
    """The result of an export."""

    files: dict[str, bytes]
    """The files by name."""
    summary: str
    """A sentence, without its stop, on the content of the table's file."""
    losses: tuple[str, ...]
    """Sentences, without their stops, on what that file has no place for."""


class Frame(NamedTuple):
    """The place of a map in a picture or scene."""

    unit: float
    """The pixels of a map unit."""
    left: float
    """The x coordinate in pixels of the origin of map units."""
    top: float
    """The y coordinate in pixels of the origin of map units."""

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a position of the map."""
        return x * self.unit + self.left, y * self.unit + self.top

    def position(self, x: float, y: float) -> tuple[float, float]:
        """Return the position on the map of pixels."""
        return (x - self.left) / self.unit, (y - self.top) / self.unit


def frame_of(grid: Grid, pixels: float) -> tuple[Frame, int, int]:
    """Return the frame of a map that fills its picture, and the picture's size in pixels."""
    if not len(grid.cells):
        raise error("no-cells", "a map without cells has no picture: nothing was written")
    flat_to_flat = ROOT3 if grid.degree == 6 else 1.0  # of a cell, in map units
    unit = pixels / flat_to_flat
    left, top, right, bottom = grid.bounds
    # Less a little: an error of rounding must not add a row of pixels.
    width = math.ceil((right - left) * unit - 1e-6)
    height = math.ceil((bottom - top) * unit - 1e-6)
    return Frame(unit, -left * unit, -top * unit), width, height


def grid_type(grid: Grid) -> int:
    """Return the type of Foundry's grid (``GRIDS``) that fits a map's picture without an offset.

    Foundry's grid begins with a whole hex if its type is even, with half of one if it is odd. So
    the type follows from whether the first column (or row) of the map's cells is pushed.
    """
    if grid.degree == 4:
        return 1
    has_columns = grid.layout.shear == "columns"
    xs, ys = grid.centres_of(grid.cells).T
    across = xs if has_columns else ys
    along = ys if has_columns else xs
    first_along = along[across < across.min() + 0.1][0]
    is_pushed = round(float(first_along - along.min()) / HALF3) % 2
    even_type = 5 if has_columns else 3
    return even_type - is_pushed


# --- walls ---------------------------------------------------------------------------------------


def sight_sides(battlemap: BattleMap, shown: Composite) -> NDArray[np.bool_]:
    """Return a mask of the sides that block sight, (cells, degree).

    These are the sides between a terrain that blocks it and one that does not, and those with
    hexsides that block it.
    """
    system = battlemap.system
    grid = battlemap.grid
    terrain_set = battlemap.terrain_set
    neighbours = grid.neighbour_table
    walls = np.zeros(neighbours.shape, np.bool_)
    terrain = shown.plane(system.terrain)
    hexsides = shown.plane(system.hexside)
    if terrain is not None:
        is_opaque = np.array([blocks_sight(terrain) for terrain in terrain_set.terrains])
        cell_blocks = is_opaque[terrain.reshape(-1)]
        walls |= (neighbours >= 0) & (cell_blocks[:, None] != cell_blocks[neighbours])
    if hexsides is not None:
        barriers = np.array([False, *(blocks_sight(hexside) for hexside in terrain_set.hexsides)])
        walls |= barriers[hexsides.reshape(walls.shape)]
    if grid.mask is not None:
        walls[~grid.mask.ravel()] = False
    return walls


def sight_lines(battlemap: BattleMap, shown: Composite, frame: Frame) -> list[Line]:
    """Return the lines that block sight, in pixels; none if there are more than a table takes."""
    walls = sight_sides(battlemap, shown)
    if np.count_nonzero(walls) > MOST_WALLS:
        return []
    lines = _lines(battlemap.grid, walls)
    return [[frame.pixel(x, y) for x, y in line] for line in lines]


def _lines(grid: Grid, walls: NDArray[np.bool_]) -> Iterator[Line]:
    """Yield lines in map units along all sides of a mask (cells, degree), each side once.

    A side is in the mask of both of its cells, whose corners differ by rounding; so corners are
    compared as whole numbers.
    """
    corners = dict[tuple[int, int], tuple[float, float]]()
    edges = set[tuple[tuple[int, int], ...]]()
    for cell, side in np.argwhere(walls).tolist():
        ends = (grid.corner(cell, side), grid.corner(cell, side + 1))
        nodes = {(round(x * 1024), round(y * 1024)): (x, y) for x, y in ends}
        corners |= nodes
        edges.add(tuple(sorted(nodes)))
    for chain in chains((start, end) for start, end in edges):
        yield _without_straight_corners([corners[node] for node in chain])


def _without_straight_corners(points: Line) -> Line:
    """Return a line without the points between which it goes straight on."""
    line = points[:1]
    for (x, y), (next_x, next_y) in pairwise(points[1:]):
        previous_x, previous_y = line[-1]
        # The cross product of the two directions: 0 if they are the same.
        turn = (x - previous_x) * (next_y - previous_y) - (y - previous_y) * (next_x - previous_x)
        if abs(turn) > 1e-6:
            line.append((x, y))
    return [*line, points[-1]]


# --- JSON ----------------------------------------------------------------------------------------


class Document:
    """The JSON object of a file, and our entries in it.

    Raises ProblemError for a file that holds no JSON object.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._text = source.text
        try:
            value = parse_json(source.data, largest=len(source.data), deepest=DEEPEST)
        except (ValueError, RecursionError) as failed:
            place = place_of(self._text, getattr(failed, "pos", 0))
            raise fault(
                f"this is no JSON that can be read: {reason_of(failed)}", *place
            ) from failed
        if not isinstance(value, dict):
            raise fault("this is no JSON object", 1)
        self.value: dict[str, Any] = value
        own_entries = self.at("flags", OWN) or self.at(OWN)
        if not isinstance(own_entries, dict):
            own_entries = {}
        self.own: Mapping[str, Any] = own_entries
        """Our entries, {} in the file of another program."""
        self.drew = bool(self.own.get("drew"))
        """True if the picture in the file, or beside it, is one of ours."""

    def at(self, *path: str) -> Any:
        """Return the value that a path of names leads to, None where there is nothing."""
        value: Any = self.value
        for name in path:
            if not isinstance(value, dict):
                return None
            value = value.get(name)
        return value

    def items(self, name: str) -> list[dict[str, Any]]:
        """Return the objects in the list of this name; [] where it is no list."""
        value = self.value.get(name)
        if isinstance(value, list):
            return [entry for entry in value if isinstance(entry, dict)]
        return []

    def number(self, *path: str, least: float, most: float, usual: float | None = None) -> float:
        """Return the number at a path, ``usual`` where nothing is there. Raises ProblemError."""
        value = self.at(*path)
        if value is None and usual is not None:
            return usual
        if not is_number(value) or not least <= value <= most:
            place = place_of(self._text, place_in_json(self._text, path)[0])
            raise fault(f"“{path[-1]}” should be a number from {least:g} to {most:g}", *place)
        return float(value)

    def battlemap(self, problems: list[Problem]) -> BattleMap | None:
        """Return the map that is in the file, None for none. Raises ProblemError."""
        if "map" not in self.own:
            return None
        try:
            result = read_project(b64decode(self.own["map"], validate=True))
        except (ValueError, TypeError) as failed:
            raise fault("the map in this file is damaged", 1) from failed
        if result.battlemap is None:
            raise fault(f"the map in this file: {result.problems[0].message}", 1)
        problems += (problem for problem in result.problems if problem.code != "assets-lost")
        return result.battlemap


class Output(NamedTuple):
    """A file to be written."""

    before: Document | None
    """The file that is written again, None for a new one."""
    frame: Frame
    """The place of the map in the file."""
    own: dict[str, Any]
    """What is ours in it, beside the map."""
    export: Export
    fixtures: Fixtures | None
    """The fixtures to write; None if those of ``before`` stay."""

    def walls_of_ground(self, battlemap: BattleMap) -> list[Line]:
        """Return the lines that block sight, in pixels; none if the export wants no walls."""
        if not self.export.walls:
            return []
        return sight_lines(battlemap, battlemap.composite(), self.frame)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value of JSON is a number that a coordinate can be."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FARTHEST


# --- the codec -----------------------------------------------------------------------------------


class TableCodec(Codec):
    """Reads and writes the files of a kind of table, which end in ``suffix``.

    ``pixels`` is the path of the pixels of a cell in them, ``steps`` says what to do with them.
    """

    suffix: str
    pixels: tuple[str, ...]
    steps: str
    knows_hexes = True
    holds_picture = False
    flat_only = False

    def grid_of(self, document: Document) -> tuple[Grid, Frame, Box]:
        """Return the grid of a file that is not ours, its frame, and the box of its picture.

        Raises ProblemError.
        """
        raise NotImplementedError

    def picture_in(self, document: Document, problems: list[Problem]) -> tuple[str, bytes] | None:
        """Return the name and bytes of the picture of a file that is not ours, None without one."""
        raise NotImplementedError

    def written(self, battlemap: BattleMap, output: Output) -> dict[str, Any]:
        """Return the JSON object of a file. Raises ProblemError."""
        raise NotImplementedError

    def fixtures_in(self, document: Document, frame: Frame) -> tuple[Fixtures, int]:
        """Return the fixtures of a file that are not ours, and the number of those that cannot be
        read.
        """
        raise NotImplementedError

    def fixture_losses(self, _fixtures: Fixtures) -> list[str]:
        """Return what the fixtures lose where they are written into another file, as sentences."""
        return []

    def fixtures_written(self, value: dict[str, Any]) -> Counter[str]:
        """Return the numbers of walls (each a single one), doors and lights in the JSON object."""
        raise NotImplementedError

    def add_things(self, document: Document, battlemap: BattleMap, frame: Frame) -> None:
        """Place things of the file, such as notes, that the map lacks."""

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        document = Document(source)
        battlemap = document.battlemap(problems)
        is_new = battlemap is None
        if battlemap is None:
            battlemap = BattleMap.new(SYSTEM, self.grid_of(document)[0], [Layer(1, BLANK_NAME)])
        if not document.drew:
            self._lay_picture(document, battlemap, problems, is_new=is_new)
        frame = self._frame(document, battlemap.grid)
        self.add_things(document, battlemap, frame)
        self._set_fixtures(document, battlemap, frame, problems)
        return battlemap

    def _set_fixtures(
        self, document: Document, battlemap: BattleMap, frame: Frame, problems: list[Problem]
    ) -> None:
        """Give a map the fixtures of its file."""
        fixtures, unreadable = self.fixtures_in(document, frame)
        record, left_out = record_of(fixtures)
        battlemap.records.pop(FIXTURES, None)
        if record is not None:
            battlemap.records[FIXTURES] = record
        if unreadable:
            items = counted(unreadable, "wall, door or light", "walls, doors and lights")
            problems.append(warning(f"Of this file {items} cannot be read: they stay in the file"))
        if left_out:
            items = counted(left_out, "wall, door or light", "walls, doors and lights")
            problems.append(warning(f"{items} are too many for a map: they stay in this file only"))

    def _lay_picture(
        self, document: Document, battlemap: BattleMap, problems: list[Problem], *, is_new: bool
    ) -> None:
        """Give a map the picture of its file, and lay it below a new one."""
        picture = self.picture_in(document, problems)
        if picture is None:
            return
        name, data = picture
        digest = asset_digest(data)
        try:
            check_asset(data)
            battlemap.assets[digest] = data
            size = picture_size(data)
            if is_new and size is not None:
                placement = self._placement(document, size)
                edit = set_picture(battlemap, MapPicture(digest, name, size, placement))
                assert edit is not None, "a new map has no picture"
                edit.apply(battlemap)
        except ValueError as failed:
            problems.append(warning(f"the picture of the map is not shown: it {failed}"))

    def _placement(
        self, document: Document, size: tuple[int, int]
    ) -> tuple[float, float, float, float, float, float]:
        """Return the transform from map units to pixels of a picture with this size.

        The picture fills the box of its scene, whose pixels can be others than the picture's. The
        six numbers are those of ``MapPicture.placement``.
        """
        _grid, frame, (left, top, width, height) = self.grid_of(document)
        picture_width, picture_height = size
        scale_x = picture_width / width
        scale_y = picture_height / height
        origin_x = (frame.left - left) * scale_x
        origin_y = (frame.top - top) * scale_y
        return (frame.unit * scale_x, 0.0, 0.0, frame.unit * scale_y, origin_x, origin_y)

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Return a file with the picture that it had, if any."""
        hints = list[str]()
        document = Document(original) if original.data else None
        if document is None:
            hints.append("The picture is not written: export the map for a virtual table for that")
        elif not document.drew and not self.grid_of(document)[0].same_as(battlemap.grid):
            # Another's picture cannot be drawn anew, so a new file without it is written.
            hints.append("The map has another grid now: the picture of the file does not stay")
            document = None
        if document is None:
            hints += self.losses_of(battlemap)
        else:
            hints += _walls_left_out(battlemap)
        if secret_things(battlemap) or any(layer.secret for layer in battlemap.layers):
            hints.append("What is secret is in the file, too: players could read it there")
        if battlemap.grid.degree == 6 and not self.knows_hexes:
            hints.append(NO_HEXES)
        value = self._value(battlemap, document, Export(path=f"{stem}.png"))
        return Written(_encoded(value), {}, tuple(hints), remarks=(self.summary_of(value),))

    def losses_of(self, battlemap: BattleMap) -> list[str]:
        """Return sentences on the walls, doors and lights of a map that a new file loses."""
        fixtures = fixtures_of(battlemap.records)
        sentences = [*_walls_left_out(battlemap), *self.fixture_losses(fixtures)]
        for noun, count in fixtures.others:
            sentences.append(f"{counted(count, noun)} of the other table's file: not written")
        return sentences

    def summary_of(self, value: dict[str, Any]) -> str:
        """Return a sentence on the walls, doors and lights in the JSON object of a file."""
        counts = self.fixtures_written(value)
        words = [counted(counts[noun], noun) for noun in ("wall", "door", "light")]
        return f"{listed(words)} are in the file"

    def export(self, battlemap: BattleMap, stem: str, export: Export) -> Exported:
        """Return all files of an export, that of the table first. Raises ProblemError."""
        grid = battlemap.grid
        name = f"{stem}{self.suffix}"
        _frame, width, height = frame_of(grid, export.pixels)
        value = self._value(battlemap, None, export)
        summary = self.summary_of(value)
        lines = [self.steps.format(stem=stem, path=export.path)]
        if grid.degree == 6 and not self.knows_hexes:
            lines.append(f"{NO_HEXES}.\n")
        lines += [
            f"Grid type: {GRIDS[grid_type(grid)]}",
            f"Grid size: {export.pixels} pixels",
            f"Picture and scene: {width} x {height} pixels, offset 0, padding 0",
            f"{summary}.",
        ]
        losses = self.losses_of(battlemap)
        lines += [f"{loss}." for loss in losses]
        if notes_of(battlemap):
            lines += ["", key_in_markdown(battlemap)]
        text = "".join(f"{line}\n" for line in lines).encode()
        files = {name: _encoded(value), f"{name}.txt": text}
        if not self.holds_picture:
            files[f"{stem}.png"] = export.picture
        return Exported(files, summary, tuple(losses))

    def _frame(self, document: Document, grid: Grid) -> Frame:
        """Return the frame of a map in the file that it comes from. Raises ProblemError."""
        if document.drew:
            frame, _width, _height = frame_of(grid, self._pixels(document))
            return frame
        _grid, frame, _box = self.grid_of(document)
        return frame

    def _pixels(self, document: Document) -> int:
        """Return the pixels of a cell in a file of ours. Raises ProblemError."""
        return int(document.number(*self.pixels, least=LEAST_PIXELS, most=MOST_PIXELS))

    def _value(
        self, battlemap: BattleMap, document: Document | None, export: Export
    ) -> dict[str, Any]:
        """Return the JSON object of a file. Raises ProblemError.

        ``document`` is the file that is written again, None for a new one.
        """
        if document is None:
            drew = True
            frame, _width, _height = frame_of(battlemap.grid, export.pixels)
        else:
            drew = document.drew
            frame = self._frame(document, battlemap.grid)
            if drew:
                export = export._replace(pixels=self._pixels(document))
        own = {"map": self._project(battlemap, document), "drew": drew}
        fixtures: Fixtures | None = fixtures_of(battlemap.records)
        if document is not None:
            fixtures_in_file, _unreadable = self.fixtures_in(document, frame)
            record, _left_out = record_of(fixtures_in_file)
            if record == battlemap.records.get(FIXTURES):
                fixtures = None  # nothing changed: those of the file stay as they are written there
        return self.written(battlemap, Output(document, frame, own, export, fixtures))

    def _project(self, battlemap: BattleMap, document: Document | None) -> str:
        """Return the map as a project in base64, without what the file holds anyway.

        That is its original, its fixtures, and the picture of another program.
        """
        records = {
            name: record
            for name, record in battlemap.records.items()
            if name not in (ORIGINAL, FIXTURES)
        }
        assets = dict(battlemap.assets)
        if document is not None and not document.drew:
            picture = self.picture_in(document, [])
            if picture is not None:
                _name, data = picture
                assets.pop(asset_digest(data), None)
        return b64encode(PROJECT.write(replace(battlemap, records=records, assets=assets))).decode()


def _walls_left_out(battlemap: BattleMap) -> list[str]:
    """Say that a map has more sides that block sight than a table takes; [] if it has not."""
    count = int(np.count_nonzero(sight_sides(battlemap, battlemap.composite())))
    if count <= MOST_WALLS:
        return []
    return [
        f"{count:,} sides block sight, a virtual table takes {MOST_WALLS:,}: no walls are made of "
        "them; let fewer terrains block it"
    ]


def _encoded(value: dict[str, Any]) -> bytes:
    """Return the bytes of a file. Raises ProblemError."""
    try:
        return json.dumps(value, allow_nan=False).encode()
    except ValueError as failed:
        raise fault("a number is too large", 1) from failed
