"""The format ``wxx``: maps of Worldographer of both families, 2017 and 2025. It is only read.

A file is XML in UTF-16, packed by gzip::

    <map hexOrientation="COLUMNS" lastViewLevel="WORLD" ...>
      <maplayer name="Features" isVisible="true"/>      layers, the uppermost first
      <tiles viewLevel="WORLD" tilesWide="9" ...>       the cells of a level
      <extraTerrain> <features> <labels> <notes>        what lies on the cells
      <shapes>                                          lines
    </map>

Reading begins at ``_Reader.battlemap``; the other modules of this package read the level and its
geometry, tiles, shapes, numbers and looks. A *cover* is a terrain that lies above the tile of a
cell, in a layer of its own.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats.losses import NOT_KEPT
from randomizer.model.basics.texts import clean_line
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.notes import NOTE_TEXT, TEXT
from randomizer.model.players_view import SECRET
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.terrain.terrain import Terrain
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.reading.xml_tree import Element, parse_xml
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL, NOTE
from randomizer.systems.interchange.foreign.codec import Codec
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.texts import plain_text, symbol_named
from randomizer.systems.interchange.worldographer.file_layers import FileLayers
from randomizer.systems.interchange.worldographer.level import level_of
from randomizer.systems.interchange.worldographer.looks import own_colour, step_of, words_of
from randomizer.systems.interchange.worldographer.shapes import ShapeReader
from randomizer.systems.interchange.worldographer.tiles import read_tiles
from randomizer.systems.interchange.worldographer.values import lettering, number_of, value_of

MAX_BYTES = 96 * 2**20
"""The largest size of the unpacked XML."""

MAX_ELEMENTS = 200_000
"""The largest number of elements of the XML. Cells are lines of text, not elements."""

MAX_COLOURS = 200
"""The largest number of different background colours of cells; if there are more, none is kept.

Each terrain is there once for each of its backgrounds, and a photograph has thousands of colours.
"""

BLANK = "Blank"
"""The code of cells whose terrain is for the GM only."""

_USUAL_SCALE = "-1.0"
"""The scale of a symbol that has none of its own."""


class WxxCodec(Codec):
    """Reads maps of Worldographer."""

    program = "Worldographer"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; lines in problems are those of its XML. Raises ProblemError."""
        document = parse_xml(_unpacked(source.data), max_bytes=MAX_BYTES, max_elements=MAX_ELEMENTS)
        if document.root is None:
            raise ProblemError(tuple(document.problems))
        reader = _Reader(document.root)
        # Of bytes, since they can be nested in one another.
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
        text = inflate.decompress(data, MAX_BYTES + 1)
    except zlib.error as failed:
        raise fault("the gzip file is damaged", 1) from failed
    if len(text) > MAX_BYTES or not inflate.eof:
        raise fault(f"the gzip file is cut off, or has more than {MAX_BYTES:,} bytes", 1)
    return text


class _Reader:
    """Makes the map of one document; ``battlemap`` is called once and says in which steps."""

    def __init__(self, root: Element) -> None:
        """Begin with a file. Raises ProblemError for one that is no map."""
        self.root = root
        """The element ``map`` of the file."""
        self.level = level_of(root)
        """The level that is read, and where its cells are."""
        self.lost = Counter[str]()
        """The numbers of what a map has no place for, by nouns."""
        self.lost["other levels"] += self.level.other_levels
        self.hints = list[str]()
        """Sentences on the map that was read."""
        self.layers = FileLayers(root, self.level.grid)
        """The layers of our map above the ground."""
        self.codes = Codes()
        """The codes of all terrains, of cells and covers."""
        self.covers = list[_Cover]()
        """The terrains above the ground. They wait here until all codes have their terrains."""
        self.last_id = 0
        """The id of the thing read last."""

    def battlemap(self) -> BattleMap:
        """Return the map. Raises ProblemError."""
        # Read all of the file.
        cells = self._read_cells()
        self._read_extra_terrain()
        self._read_things()
        shapes = ShapeReader(self.level, self.layers, self.lost)
        for shape in self._elements("shapes", "shape"):
            shapes.read(shape)

        # Choose the step of elevations, of the cells and what covers them.
        heights_of_covers = [cover.height for cover in self.covers]
        step = step_of(np.concatenate([cells.heights.ravel(), np.array(heights_of_covers)]))
        if cells.heights.any():
            self.hints.append(f"Elevations are in feet: a step here is {step:,} feet")

        # Make the map; its terrains are known now.
        terrains, terrain_plane = self.codes.terrains(words_of, cells.code_numbers)
        self._put_covers(terrains, step)
        elevations = np.rint(cells.heights / step).astype(np.int16)
        battlemap = foreign_map(
            WxxCodec.program,
            self.level.grid,
            [replace(terrain, colour=own_colour(terrain)) for terrain in terrains],
            {"terrain": terrain_plane, "elevation": elevations},
            hexsides=shapes.hexsides(),
            ways=shapes.ways(),
        )
        for layer in self.layers.collect_layers():
            layer.id = battlemap.free_layer_id()
            battlemap.layers.append(layer)
        battlemap.note_ids(range(1, self.last_id + 1))
        return battlemap

    def _put_covers(self, terrains: Sequence[Terrain], step: int) -> None:
        """Put terrains and heights of layers above the ground into their planes."""
        index = {terrain.code: number for number, terrain in enumerate(terrains)}
        codes = list(self.codes.numbers)
        for cover in self.covers:
            code = codes[cover.code_number]
            terrain_plane = self.layers.plane(cover.layer, SYSTEM.terrain)
            terrain_plane.flat[cover.cell] = index[code]
            height_plane = self.layers.plane(cover.layer, SYSTEM.height)
            height_plane.flat[cover.cell] = round(cover.height / step)

    def _elements(self, parent: str, name: str) -> Iterator[Element]:
        """Yield the elements of a name in all elements ``parent`` of the file."""
        for element in self.root.elements(parent):
            yield from element.elements(name)

    # --- cells ---

    def _read_cells(self) -> _Cells:
        """Return the ground of all cells. Raises ProblemError.

        A cell for the GM only is blank there; its terrain becomes a cover in a secret layer.
        """
        tiles = read_tiles(self.root, self.level.tiles, self.level.tile_shape)
        self.lost["cells' resources"] += sum(tile.has_resources for tile in tiles)

        # A terrain with a background colour has a code of its own.
        shows_colours = len({tile.colour for tile in tiles}) <= MAX_COLOURS
        if not shows_colours:
            self.lost["background colours"] += sum(bool(tile.colour) for tile in tiles)
        numbers = list[int]()
        for tile in tiles:
            code = tile.code
            if tile.colour and shows_colours:
                code += f" {tile.colour}"
            numbers.append(self.codes.number(code, tile.line))
        code_numbers = self.level.as_plane(np.array(numbers, np.int64))
        heights = self.level.as_plane(np.array([tile.height for tile in tiles]))

        # What is for the GM only is moved into the secret layer.
        is_secret = self.level.as_plane(np.array([tile.is_secret for tile in tiles]))
        for cell in np.flatnonzero(is_secret).tolist():
            layer = self.layers.get_or_add("Terrain", is_secret=True)
            code_number = int(code_numbers.flat[cell])
            self.covers.append(_Cover(layer, cell, code_number, float(heights.flat[cell])))
        if is_secret.any():
            code_numbers[is_secret] = self.codes.number(BLANK)
            heights[is_secret] = 0
        return _Cells(code_numbers, heights)

    def _read_extra_terrain(self) -> None:
        """Read the terrains that a file lays over its tiles, at points instead of cells."""
        for group in self._elements("extraTerrain", "mapLayer"):
            for element in group.elements("terrainAndLocation"):
                x, _, y = element.attributes.get("location", "").partition(",")
                point = self.level.point(value_of(x, element.line), value_of(y, element.line))
                number = self.codes.number(element.attributes.get("name", ""), element.line)
                is_secret = element.attributes.get("gmOnly") == "true"
                layer_name = group.attributes.get("name", "")
                layer = self.layers.get_or_add(layer_name, is_secret=is_secret)
                cell = self.level.grid.cell_at(*point.tolist())
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
            if len(text) > longest:
                self.lost["ends of notes"] += 1
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
        has_usual_scale = attributes.get("scale", _USUAL_SCALE) == _USUAL_SCALE
        has_usual_colour = attributes.get("color") in (None, "null")
        if is_flipped or not has_usual_scale or not has_usual_colour:
            self.lost["looks of symbols"] += 1

    def _place(self, element: Element, kind: str, label: str, state: dict[str, object]) -> None:
        """Put a thing where an element has its location, if that is on the level that is read."""
        location = next(element.elements("location"), element)
        if not self.level.has(location.attributes.get("viewLevel")):
            self.lost["things of other levels"] += 1
            return
        x, y = self.level.point(number_of(location, "x"), number_of(location, "y")).tolist()
        if element.attributes.get("isGMOnly") == "true":
            state = {**state, SECRET: True}
        self.last_id += 1
        angle = number_of(element, "rotate", 0) % 360
        text = clean_line(" ".join(label.split()))
        layer = self.layers.get_or_add(element.attributes.get("mapLayer", "Notes"))
        thing = Thing(self.last_id, kind, x, y, angle, label=text, state=State(state))
        self.layers.add_thing(layer, thing)


class _Cells(NamedTuple):
    """The ground of all cells, (height, width) each."""

    code_numbers: NDArray[np.int64]
    """The numbers of the codes of terrains (``Codes``)."""

    heights: NDArray[np.float64]
    """In feet."""


class _Cover(NamedTuple):
    """A terrain that covers a cell in a layer above the ground."""

    layer: Layer
    """The layer of our map that it is in."""

    cell: int

    code_number: int
    """The number of its code (``Codes``)."""

    height: float
    """In feet."""


CODEC = WxxCodec()
