"""The format ``wxx``: maps of Worldographer of both families, 2017 and 2025. It is only read.

A file is XML in UTF-16, packed by gzip. Reading begins at ``_Reader.battlemap``; the other modules
of this room read tiles, numbers and looks. Points of a file are those of ideal cells of 300 x 300:

    x = 150 + 225 * column, y = 150 + 300 * row (+ 150 in odd columns)      # COLUMNS: flat-top

ROWS (pointy-top) have x and y exchanged; SQUARE have 300 for both. A layer of the file that has
features, labels or shapes is a layer. Of a shape, what runs from corner to corner of a side is a
hexside, all else a way through the cells that it crosses. A *cover* is a terrain that lies above
the tile of a cell, in a layer of its own.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import NOT_KEPT
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, ROOT3, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.notes import NOTE_TEXT, TEXT
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.model.players_view import SECRET
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.terrain.terrain import Hexside, Terrain, Way
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.reading.xml_tree import Element, parse_xml
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL, NOTE
from randomizer.systems.interchange.foreign.codec import Codec
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.new_map import check_size, foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.texts import plain_text, symbol_named
from randomizer.systems.interchange.foreign.ways import link_cells, points_on_line
from randomizer.systems.interchange.worldographer.looks import (
    LINE_KINDS,
    line_name,
    own_colour,
    step_of,
    words_of,
)
from randomizer.systems.interchange.worldographer.tiles import TileReader
from randomizer.systems.interchange.worldographer.values import (
    colour_of,
    lettering,
    naming_of,
    number_of,
    value_of,
)

MOST_BYTES = 96 * 2**20
"""The largest size of the unpacked XML."""

MOST_ELEMENTS = 200_000
"""The largest number of elements of the XML. Cells are lines of text, not elements."""

MOST_STEPS = 1_000_000
"""The largest number of points (``LINE_STEP`` apart) by which all lines are followed."""

MOST_VALUES = 50_000_000
"""The largest number of values in all planes of the file's layers; a value has up to two bytes."""

MOST_COLOURS = 200
"""The largest number of different background colours of cells; if there are more, none is kept.

Each terrain is there once for each of its backgrounds, and a photograph has thousands of colours.
"""

BLANK = "Blank"
"""The code of cells whose terrain is for the GM only."""

GM_ONLY = "GM only"
"""The beginning of the names of layers with what is for the GM only."""

CELL_SIZE = 300
"""The width and the height of a cell of the file, in its units."""


class _Orientation(NamedTuple):
    """The cells of a file, as its attribute ``hexOrientation`` says."""

    layout: Layout

    cell_width: float
    """The width of our cells, whose sides have the length 1, in map units."""

    cell_height: float
    """The height of our cells, in map units."""


_ORIENTATIONS = {
    "COLUMNS": _Orientation(FLAT, cell_width=2, cell_height=ROOT3),
    "ROWS": _Orientation(POINTY, cell_width=ROOT3, cell_height=2),
    "SQUARE": _Orientation(SQUARE, cell_width=1, cell_height=1),
}
"""All orientations by their names in files."""

_NEAR_CORNER = 0.03
"""The distance, in sides of a cell, up to which a point of a line counts as a corner.

The file snaps lines to corners, and writes their coordinates rounded.
"""

_LENGTH_TOLERANCE = 0.1
"""A line whose length differs more from 1, that of a side, is not looked at as a side."""

_BESIDE_SIDE = 0.05
"""The distance from a side, in sides of a cell, at which the grid is asked for the nearest side."""


class WxxCodec(Codec):
    """Reads maps of Worldographer."""

    program = "Worldographer"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; lines in problems are those of its XML. Raises ProblemError."""
        document = parse_xml(
            _unpacked(source.data), most_bytes=MOST_BYTES, most_elements=MOST_ELEMENTS
        )
        if document.root is None:
            raise ProblemError(tuple(document.problems))
        reader = _Reader(document.root)
        reader.lost["entries about the world"] += document.source.count(b"<information ")
        battlemap = reader.battlemap()
        hints = list(reader.hints)
        lost = [f"{word} ({count:,})" for word, count in reader.lost.items() if count]
        if lost:
            hints.append(f"Not kept: {', '.join(lost)}")
        problems += [Problem(Severity.HINT, NOT_KEPT, hint) for hint in hints]
        return battlemap


def _unpacked(data: bytes) -> bytes:
    """Return the XML of a file. Raises ProblemError for no gzip, and for too much of it."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = inflate.decompress(data, MOST_BYTES + 1)
    except zlib.error as failed:
        raise fault("the gzip file is damaged", 1) from failed
    if len(text) > MOST_BYTES or not inflate.eof:
        raise fault(f"the gzip file is cut off, or has more than {MOST_BYTES:,} bytes", 1)
    return text


class _Reader:
    """Makes the map of one document; ``battlemap`` is called once and says in which steps.

    What has no place on a map is counted in ``lost``.
    """

    def __init__(self, root: Element) -> None:
        orientation = root.attributes.get("hexOrientation", "")
        tiles = list(root.elements("tiles"))
        if root.name != "map" or orientation not in _ORIENTATIONS or not tiles:
            message = f"a map has tiles, and a hexOrientation of {', '.join(_ORIENTATIONS)}"
            raise fault(message, root.line, root.column)
        self.root = root
        """The element ``map`` of the file."""
        self.lost = Counter[str]()
        """The numbers of what is lost, by nouns."""
        self.hints = list[str]()
        """Sentences on the map that was read."""
        self.by_rows = orientation == "ROWS"
        """True if the file lists its tiles row by row, False if column by column."""
        layout, cell_width, cell_height = _ORIENTATIONS[orientation]
        self.units = (cell_width / CELL_SIZE, cell_height / CELL_SIZE)
        """The map units of a unit of the file, across and down."""
        # A file has a map for each level (world, kingdom ...); the one seen last is read.
        last_level = root.attributes.get("lastViewLevel")
        levels = [element.attributes.get("viewLevel") for element in tiles]
        self.tiles = tiles[0]
        """The tiles of the level that is read."""
        if last_level in levels:
            self.tiles = tiles[levels.index(last_level)]
        self.level = self.tiles.attributes.get("viewLevel")
        """The name of that level."""
        self.lost["other levels"] += len(tiles) - 1
        row_count = int(number_of(self.tiles, "tilesWide"))
        row_length = int(number_of(self.tiles, "tilesHigh"))
        check_size(row_count, row_length, self.tiles.line, self.tiles.column)
        self.tile_shape = (row_count, row_length)
        """The tiles as the file lists them: by rows if ``by_rows``, else column by column."""
        if self.by_rows:
            self.grid = Grid(layout, row_length, row_count, naming=naming_of(root))
        else:
            self.grid = Grid(layout, row_count, row_length, naming=naming_of(root))
        self.codes = Codes()
        """The codes of all terrains, of cells and covers."""
        self.covers = list[_Cover]()
        """The terrains above the ground. They wait here until all codes have their terrains."""
        self.things: dict[str, list[Thing]] = defaultdict(list)
        """The things of each layer, by its name."""
        self.layers: dict[str, Layer] = {}
        """The layers by name, the lowest first."""
        self.lines: dict[str, str] = {}
        """The colour of each kind of lines, in the order of their hexsides and ways."""
        self.steps = 0
        """The number of points on lines so far (``MOST_STEPS``)."""
        self.values = 0
        """The number of values in planes so far (``MOST_VALUES``)."""
        self.last_id = 0
        """The id of the thing read last."""

    def battlemap(self) -> BattleMap:
        """Return the map. Raises ProblemError."""
        # Read all of the file.
        self._read_layers()
        cells, heights = self._read_cells()
        self._read_extra_terrain()
        self._read_things()
        for shape in self._elements("shapes", "shape"):
            self._read_shape(shape)

        # Choose the step of elevations, of the cells and what covers them.
        heights_of_covers = [cover.height for cover in self.covers]
        step = step_of(np.concatenate([heights.ravel(), np.array(heights_of_covers)]))
        if heights.any():
            self.hints.append(f"Elevations are in feet: a step here is {step:,} feet")

        # Make the map; its terrains are known now.
        terrains, terrain_plane = self.codes.terrains(words_of, cells)
        self._put_covers(terrains, step)
        elevations = np.rint(heights / step).astype(np.int16)
        lines = self.lines.items()
        battlemap = foreign_map(
            WxxCodec.program,
            self.grid,
            [replace(terrain, colour=own_colour(terrain)) for terrain in terrains],
            {"terrain": terrain_plane, "elevation": elevations},
            hexsides=[Hexside(name, LINE_KINDS[name].letter, colour) for name, colour in lines],
            ways=[Way(name, LINE_KINDS[name].style, colour) for name, colour in lines],
        )
        self._add_layers(battlemap)
        return battlemap

    def _read_layers(self) -> None:
        """Read the names of the layers, which the file lists from the top."""
        for element in reversed(list(self.root.elements("maplayer"))):
            layer = self._layer(element.attributes.get("name", ""))
            layer.visible = element.attributes.get("isVisible") != "false"
            layer.opacity = min(1.0, max(0.0, number_of(element, "opacity", 1)))

    def _put_covers(self, terrains: Sequence[Terrain], step: int) -> None:
        """Put terrains and heights of layers above the ground into their planes."""
        index = {terrain.code: number for number, terrain in enumerate(terrains)}
        codes = list(self.codes.numbers)
        for cover in self.covers:
            code = codes[cover.code_number]
            self._plane(cover.layer, SYSTEM.terrain).flat[cover.cell] = index[code]
            self._plane(cover.layer, SYSTEM.height).flat[cover.cell] = round(cover.height / step)

    def _add_layers(self, battlemap: BattleMap) -> None:
        """Add the layers with a content to the map, the secret ones below all others.

        When a map is opened, hands paint into the topmost layer: that must not be a secret one.
        """
        for layer in sorted(self.layers.values(), key=lambda layer: not layer.secret):
            layer.things = Things(self.things[layer.name])
            if layer.planes or layer.things:
                layer.id = battlemap.free_layer_id()
                battlemap.layers.append(layer)
        battlemap.note_ids(range(1, self.last_id + 1))

    def _elements(self, parent: str, name: str) -> Iterator[Element]:
        """Yield the elements of a name in all elements ``parent`` of the file."""
        for element in self.root.elements(parent):
            yield from element.elements(name)

    def _layer(self, name: str, secret: bool = False) -> Layer:
        """Return the layer of a name; what is for the GM only has one of its own."""
        name = clean_line(name) or "Map"
        layer = self.layers.setdefault(name, Layer(0, name))
        if secret:
            name = clean_line(f"{GM_ONLY}: {name}")
            layer = self.layers.setdefault(name, Layer(0, name, layer.visible, secret=True))
        return layer

    def _plane(self, layer: Layer, spec: PlaneSpec) -> Plane:
        """Return the plane of a layer, a new one if needed. Raises ProblemError."""
        if spec.name not in layer.planes:
            self.values += self.grid.size
            if self.values > MOST_VALUES:
                raise fault("these are too many layers for so many cells", self.root.line)
            layer.planes[spec.name] = spec.allocate(self.grid)
        return layer.planes[spec.name]

    def _point(self, x: float, y: float) -> NDArray[np.float64]:
        """Return a point of the file in map units, whose origin is the centre of the first cell."""
        return (np.array((x, y)) - CELL_SIZE / 2) * self.units

    # --- cells ---

    def _read_cells(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the numbers of the cells' codes, and their heights in feet, (height, width) each.

        A cell for the GM only is blank there; its terrain becomes a cover in a secret layer. Raises
        ProblemError.
        """
        reader = TileReader(self.root, self.tiles, self.tile_shape)
        tiles = reader.read()
        self.lost["cells' resources"] += reader.count_with_resources
        shows_colours = len({tile.colour for tile in tiles}) <= MOST_COLOURS
        if not shows_colours:
            self.lost["background colours"] += sum(bool(tile.colour) for tile in tiles)
        numbers = list[int]()
        for tile in tiles:
            code = tile.code
            if tile.colour and shows_colours:
                code += f" {tile.colour}"
            numbers.append(self.codes.number(code, tile.line))
        cells = self._as_plane(np.array(numbers, np.int64))
        heights = self._as_plane(np.array([tile.height for tile in tiles]))
        is_secret = self._as_plane(np.array([tile.is_secret for tile in tiles]))
        for cell in np.flatnonzero(is_secret).tolist():
            layer = self._layer("Terrain", secret=True)
            self.covers.append(
                _Cover(layer, cell, int(cells.flat[cell]), float(heights.flat[cell]))
            )
        if is_secret.any():
            cells[is_secret] = self.codes.number(BLANK)
            heights[is_secret] = 0
        return cells, heights

    def _as_plane(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the tiles in the file's order as an array (height, width)."""
        listed = values.reshape(self.tile_shape)
        if self.by_rows:
            return listed
        return listed.T.copy()

    def _read_extra_terrain(self) -> None:
        """Read the terrains that a file lays over its tiles, at points instead of cells."""
        for group in self._elements("extraTerrain", "mapLayer"):
            for element in group.elements("terrainAndLocation"):
                x, _, y = element.attributes.get("location", "").partition(",")
                point = self._point(value_of(x, element.line), value_of(y, element.line))
                number = self.codes.number(element.attributes.get("name", ""), element.line)
                is_secret = element.attributes.get("gmOnly") == "true"
                layer = self._layer(group.attributes.get("name", ""), is_secret)
                cell = self.grid.cell_at(*point.tolist())
                if cell >= 0:
                    height = number_of(element, "elevation", 0)
                    self.covers.append(_Cover(layer, cell, number, height))

    # --- things ---

    def _read_things(self) -> None:
        """Place features, labels and notes."""
        for element in self._elements("features", "feature"):
            self._read_feature(element)
        for element in self._elements("labels", "label"):
            self._place(element, LABEL, element.text, lettering(element))
        for element in self._elements("notes", "note"):
            text = plain_text("".join(part.text for part in element.elements("notetext")))
            longest = int(NOTE_TEXT.maximum or 0)
            self.lost["ends of notes"] += len(text) > longest
            title = element.attributes.get("title", "")
            self._place(element, NOTE, title, {TEXT: text[:longest]})

    def _read_feature(self, element: Element) -> None:
        """Read a symbol of the map, which may have a label."""
        attributes = element.attributes
        feature = clean_line(attributes.get("type", ""))
        text = ""
        state: dict[str, object] = {}
        label = next(element.elements("label"), None)
        if label is not None:
            text = label.text
            if text.strip():
                state = lettering(label)
        self._place(element, symbol_named(feature), text, {**state, "feature": feature})
        is_flipped = "true" in (
            attributes.get("isFlipHorizontal"),
            attributes.get("isFlipVertical"),
        )
        has_usual_scale = attributes.get("scale", "-1.0") == "-1.0"
        has_usual_colour = attributes.get("color") in (None, "null")
        if is_flipped or not has_usual_scale or not has_usual_colour:
            self.lost["looks of symbols"] += 1

    def _place(self, element: Element, kind: str, label: str, state: dict[str, object]) -> None:
        """Put a thing where an element has its location, if that is on the level that is read."""
        location = next(element.elements("location"), element)
        if location.attributes.get("viewLevel", self.level) != self.level:
            self.lost["things of other levels"] += 1
            return
        x, y = self._point(number_of(location, "x"), number_of(location, "y")).tolist()
        if element.attributes.get("isGMOnly") == "true":
            state = {**state, SECRET: True}
        self.last_id += 1
        angle = number_of(element, "rotate", 0) % 360
        text = clean_line(" ".join(label.split()))
        layer = self._layer(element.attributes.get("mapLayer", "Notes"))
        thing = Thing(self.last_id, kind, x, y, angle, label=text, state=State(state))
        self.things[layer.name].append(thing)

    # --- lines ---

    def _read_shape(self, shape: Element) -> None:
        """Draw the line of a shape; its kind follows from its tags and colour."""
        looks = shape.attributes
        stroke = colour_of(looks.get("strokeColor", ""), "#000000")
        fill = looks.get("fillTexture") or colour_of(looks.get("fillColor", ""), "black")
        self.lost["fills of areas"] += bool(fill)
        has_line = stroke or looks.get("strokeTexture")
        if not has_line or looks.get("currentShapeViewLevel", self.level) != self.level:
            self.lost["shapes of other levels or without a line"] += 1
            return
        name = line_name(looks.get("tags", ""), stroke)
        self.lines.setdefault(name, stroke or LINE_KINDS[name].colour)
        number = list(self.lines).index(name)
        layer = self._layer(looks.get("mapLayer", ""), looks.get("isGMOnly") == "true")
        for path in self._paths(shape):
            self._draw(layer, number, path)

    def _paths(self, shape: Element) -> list[list[NDArray[np.float64]]]:
        """Return the lines of a shape, each as its points; a curve is two straight parts.

        They meet in the middle of the curve: for a cubic Bézier curve from p to q with the controls
        c and d this is (p + 3c + 3d + q) / 8.
        """
        paths: list[list[NDArray[np.float64]]] = []
        for element in shape.elements("p"):
            end = self._point(number_of(element, "x"), number_of(element, "y"))
            if not paths or element.attributes.get("type") == "m":
                paths.append([])
            elif "cx1" in element.attributes:
                start = paths[-1][-1]
                # 3c + 3d is six times the mean of both controls, which is one point to convert.
                mean_control_x = (number_of(element, "cx1") + number_of(element, "cx2")) / 2
                mean_control_y = (number_of(element, "cy1") + number_of(element, "cy2")) / 2
                middle = (start + 6 * self._point(mean_control_x, mean_control_y) + end) / 8
                paths[-1].append(middle)
            paths[-1].append(end)
        if shape.attributes.get("type") == "Polygon":
            paths = [[*path, path[0]] for path in paths]
        return paths

    def _draw(self, layer: Layer, number: int, path: list[NDArray[np.float64]]) -> None:
        """Put a line into a layer: its parts along sides as hexsides, the others as a way.

        ``number`` is that of its kind in ``lines``.
        """
        previous_cell = -1
        for start, end in pairwise(path):
            side = self._side_between(start, end)
            if side is not None:
                sides = self._plane(layer, SYSTEM.hexside)
                sides.reshape(self.grid.size, -1)[side] = number + 1
                previous_cell = -1  # a way that goes on behind the hexside begins anew
                continue
            points = points_on_line(start, end, MOST_STEPS - self.steps)
            self.steps += len(points)
            plane = self._plane(layer, SYSTEM.ways[number]).reshape(-1)
            cells = self.grid.cells_at(points).tolist()
            previous_cell = link_cells(self.grid, plane, cells, previous_cell)

    def _side_between(
        self, start: NDArray[np.float64], end: NDArray[np.float64]
    ) -> tuple[int, int] | None:
        """Return the side (cell, number) whose corners two points are; None if they are not.

        The grid is asked for the side nearest to a point beside the middle of the line. At the edge
        of the map there is a cell on one hand of it only, so both hands are tried.
        """
        if abs(math.dist(start, end) - 1) >= _LENGTH_TOLERANCE:
            return None
        dx, dy = end - start
        across = np.array((dy, -dx))
        for distance in (_BESIDE_SIDE, -_BESIDE_SIDE):
            point = (start + end) / 2 + distance * across
            hit = self.grid.hit(*point.tolist())
            if not hit:
                continue
            corners = [self.grid.corner(hit.cell, hit.side + offset) for offset in (0, 1)]
            distances = [
                min(math.dist(corner, start), math.dist(corner, end)) for corner in corners
            ]
            if max(distances) < _NEAR_CORNER:
                return hit.cell, hit.side
        return None


class _Cover(NamedTuple):
    """A terrain that covers a cell in a layer above the ground."""

    layer: Layer
    cell: int
    code_number: int
    """The number of its code (``Codes``)."""
    height: float
    """In feet."""


CODEC = WxxCodec()
