"""The format ``wxx``: maps of Worldographer of both families, 2017 and 2025. It is only read.

A file is XML in UTF-16, packed by gzip. Points are those of ideal cells of 300 x 300:

    x = 150 + 225 * column, y = 150 + 300 * row (+ 150 in odd columns)      # COLUMNS: flat-top

ROWS (pointy-top) have x and y exchanged; SQUARE have 300 for both. A layer of the file that has
features, labels or shapes is a layer. Of a shape, what runs from corner to corner of a side is a
hexside, all else a way through the cells that it crosses.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import NOT_KEPT
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, ROOT3, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.notes import NOTE_TEXT, TEXT
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.model.players_view import SECRET
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.terrain.terrain import Hexside, Terrain, Way
from randomizer.model.things.thing_kind import LARGEST_TEXT
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.reading.xml_tree import Element, parse_xml
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL, NOTE
from randomizer.systems.interchange.foreign import (
    Codec,
    Codes,
    Source,
    check_size,
    fault,
    foreign_map,
    link_cells,
    plain_text,
    points_on_line,
    symbol_named,
    words_in,
)

# of the XML
MOST_BYTES = 96 * 2**20
MOST_ELEMENTS = 200_000
MOST_STEPS = 1_000_000
"""Of all lines together."""

FARTHEST = 1e7
"""Of a coordinate, and of a height in feet."""

MOST_VALUES = 50_000_000
"""Of all planes of the file's layers."""

MOST_COLOURS = 200
"""Of the backgrounds of cells; of more none is kept."""

BLANK = "Blank"
GM_ONLY = "GM only"
PAPER = "#efe9dc"

_UNITS = {
    "COLUMNS": (FLAT, (1 / 150, ROOT3 / 300)),
    "ROWS": (POINTY, (ROOT3 / 300, 1 / 150)),
    "SQUARE": (SQUARE, (1 / 300, 1 / 300)),
}
"""By orientation the layout, and what the ideal unit across and down is in ours."""

_LINES = {
    "River": ("r", "water", "#3f86bd", "river stream creek canal water"),
    "Road": ("d", "road", "#8d7a5c", "road highway street"),
    "Trail": ("t", "track", "#8a6d45", "trail path track"),
    "Railway": ("y", "rail", "#4a4540", "rail railway railroad"),
    "Coast": ("c", "track", "#3d6f96", "coast shore"),
    "Border": ("b", "track", "#a8322d", "border boundary"),
    "Wall": ("w", "track", "#6f6a64", "wall fence hedge"),
    "Line": ("l", "track", "#7d5a3c", ""),
}
"""Letter of the hexside, style and colour of the way, and the tags of shapes for it."""

_PLANTS = frozenset(("forest", "evergreen", "deciduous", "jungle", "dead", "palm"))


class WxxCodec(Codec):
    """Reads maps of Worldographer."""

    program = "Worldographer"

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Read a file; lines in problems are those of its XML. Raises ProblemError."""
        document = parse_xml(_unpacked(source.data), None, MOST_BYTES, MOST_ELEMENTS)
        if document.root is None:
            raise ProblemError(tuple(document.problems))
        reader = _Reader(document.root)
        reader.lost["entries about the world"] += document.source.count(b"<information ")
        battlemap = reader.battlemap()
        lost = ", ".join(f"{word} ({count:,})" for word, count in reader.lost.items() if count)
        hints = [*reader.hints, *([f"Not kept: {lost}"] if lost else [])]
        problems += [Problem(Severity.HINT, NOT_KEPT, hint) for hint in hints]
        return battlemap


def _unpacked(data: bytes) -> bytes:
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        text = inflate.decompress(data, MOST_BYTES + 1)
    except zlib.error as failed:
        raise fault("the gzip file is damaged", 1) from failed
    if len(text) > MOST_BYTES or not inflate.eof:
        raise fault(f"the gzip file is cut off, or has more than {MOST_BYTES:,} bytes", 1)
    return text


class _Reader:
    """Makes the map of a document; what has no place in it is counted in ``lost``."""

    def __init__(self, root: Element) -> None:
        orientation = root.attributes.get("hexOrientation", "")
        tiles = list(root.elements("tiles"))
        if root.name != "map" or orientation not in _UNITS or not tiles:
            message = f"a map has tiles, and a hexOrientation of {', '.join(_UNITS)}"
            raise fault(message, root.line, root.column)
        self.root = root
        self.lost = Counter[str]()
        self.hints = list[str]()
        self.by_rows = orientation == "ROWS"
        layout, self.units = _UNITS[orientation]
        shown = root.attributes.get("lastViewLevel")
        levels = [tile.attributes.get("viewLevel") for tile in tiles]
        self.tiles = tiles[levels.index(shown) if shown in levels else 0]
        self.level = self.tiles.attributes.get("viewLevel")
        self.lost["other levels"] += len(tiles) - 1
        wide, high = (int(_number(self.tiles, name)) for name in ("tilesWide", "tilesHigh"))
        check_size(wide, high, self.tiles.line, self.tiles.column)
        size = (high, wide) if self.by_rows else (wide, high)
        self.grid = Grid(layout, *size, naming=_naming(root))
        self.codes = Codes()
        self.covers: list[tuple[Layer, int, int, float]] = []
        self.things: dict[str, list[Thing]] = defaultdict(list)
        self.layers: dict[str, Layer] = {}
        self.lines: dict[str, str] = {}
        self.steps = self.values = self.last_id = 0

    def battlemap(self) -> BattleMap:
        """Return the map. Raises ProblemError."""
        for element in list(self.root.elements("maplayer"))[::-1]:
            layer = self._layer(element.attributes.get("name", ""))
            layer.visible = element.attributes.get("isVisible") != "false"
            layer.opacity = min(1.0, max(0.0, _number(element, "opacity", 1)))
        cells, heights = self._cells()
        self._read_extra_terrain()
        self._read_things()
        for shape in self._elements("shapes", "shape"):
            self._read_shape(shape)
        covers = np.array([height for *_where, height in self.covers])
        step = _step(np.concatenate([heights.ravel(), covers]))
        levels = np.rint(heights / step).astype(np.int16)
        if heights.any():
            self.hints.append(f"Elevations are in feet: a step here is {step:,} feet")
        terrains, ground = self.codes.terrains(_words_of, cells)
        index = {terrain.code: number for number, terrain in enumerate(terrains)}
        codes = list(self.codes.numbers)
        for layer, cell, number, height in self.covers:
            self._plane(layer, SYSTEM.terrain).flat[cell] = index[codes[number]]
            self._plane(layer, SYSTEM.height).flat[cell] = round(height / step)
        lines = self.lines.items()
        battlemap = foreign_map(
            WxxCodec.program,
            self.grid,
            [replace(each, colour=_own_colour(each)) for each in terrains],
            {"terrain": ground, "elevation": levels},
            hexsides=[Hexside(name, _LINES[name][0], colour) for name, colour in lines],
            ways=[Way(name, _LINES[name][1], colour) for name, colour in lines],
        )
        # Hands paint into the topmost layer when a map is opened: never into a secret one.
        for layer in sorted(self.layers.values(), key=lambda layer: not layer.secret):
            layer.things = Things(self.things[layer.name])
            if layer.planes or layer.things:
                layer.id = battlemap.free_layer_id()
                battlemap.layers.append(layer)
        battlemap.note_ids(range(1, self.last_id + 1))
        return battlemap

    def _elements(self, parent: str, name: str) -> Iterator[Element]:
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
        """Return an ideal point in our units."""
        return (np.array((x, y)) - 150) * self.units

    # --- cells ---

    def _cells(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the numbers of terrains, and heights in feet; what is for the GM only covers
        them.
        """
        rows = [
            [(row.line + at, line.split("\t")) for at, line in enumerate(lines) if line.strip()]
            for row in self.tiles.elements("tilerow")
            for lines in [row.text.split("\n")]
        ]
        shape = (self.grid.height, self.grid.width)[:: 1 if self.by_rows else -1]
        if [len(row) for row in rows] != [shape[1]] * shape[0]:
            message = f"these are no {shape[0]:,} rows of {shape[1]:,} tiles"
            raise fault(message, self.tiles.line, self.tiles.column)
        tiles = [tile for row in rows for tile in row]
        names: dict[str, str] = {}
        for element in self.root.elements("terrainmap"):
            words = [word.strip() for word in element.text.split("\t")]
            names |= dict(zip(words[1::2], words[::2], strict=False))
        colours = [_colour(parts[-1]) if len(parts) in (7, 12) else "" for _line, parts in tiles]
        shows_colours = len(set(colours)) <= MOST_COLOURS
        self.lost["background colours"] += 0 if shows_colours else sum(map(bool, colours))
        numbers = []
        heights = []
        secret = []
        for (line, parts), colour in zip(tiles, colours, strict=True):
            if len(parts) not in (6, 7, 11, 12) or parts[0] not in names:
                raise fault("a tile is a known terrain, an elevation and 4, 5, 9 or 10 more", line)
            code = names[parts[0]] + (", icy" if parts[2] == "1" else "")
            code += f" {colour}" if colour and shows_colours else ""
            resources = [part for part in parts[4:11] if part not in "0Z" and "," not in part]
            self.lost["cells' resources"] += bool(resources)
            numbers.append(self.codes.number(code, line))
            heights.append(_value(parts[1], line))
            secret.append(parts[3] == "1")
        arrays = [np.array(each).reshape(shape) for each in (numbers, heights, secret)]
        cells, feet, hidden = arrays if self.by_rows else [array.T.copy() for array in arrays]
        for cell in np.flatnonzero(hidden).tolist():
            layer = self._layer("Terrain", secret=True)
            self.covers.append((layer, cell, int(cells.flat[cell]), float(feet.flat[cell])))
        if hidden.any():
            cells[hidden] = self.codes.number(BLANK)
            feet[hidden] = 0
        return cells, feet

    def _read_extra_terrain(self) -> None:
        for group in self._elements("extraTerrain", "mapLayer"):
            for element in group.elements("terrainAndLocation"):
                x, _, y = element.attributes.get("location", "").partition(",")
                at = self._point(_value(x, element.line), _value(y, element.line))
                number = self.codes.number(element.attributes.get("name", ""), element.line)
                is_secret = element.attributes.get("gmOnly") == "true"
                layer = self._layer(group.attributes.get("name", ""), is_secret)
                if (cell := self.grid.cell_at(*at.tolist())) >= 0:
                    self.covers.append((layer, cell, number, _number(element, "elevation", 0)))

    # --- things ---

    def _read_things(self) -> None:
        for element in self._elements("features", "feature"):
            looks = element.attributes
            feature = clean_line(looks.get("type", ""))
            kind = symbol_named(feature)
            label = next(element.elements("label"), None)
            if label and label.text.strip():
                state = _lettering(label)
            else:
                state = {}
            self._place(element, kind, label.text if label else "", {**state, "feature": feature})
            flips = looks.get("isFlipHorizontal"), looks.get("isFlipVertical")
            is_plain = looks.get("scale", "-1.0") == "-1.0" and looks.get("color") in (None, "null")
            self.lost["looks of symbols"] += "true" in flips or not is_plain
        for element in self._elements("labels", "label"):
            self._place(element, LABEL, element.text, _lettering(element))
        for element in self._elements("notes", "note"):
            text = plain_text("".join(part.text for part in element.elements("notetext")))
            most = int(NOTE_TEXT.most or 0)
            self.lost["ends of notes"] += len(text) > most
            self._place(element, NOTE, element.attributes.get("title", ""), {TEXT: text[:most]})

    def _place(self, each: Element, kind: str, label: str, state: dict[str, object]) -> None:
        """Put a thing where an element has its location, if that is on the level shown."""
        at = next(each.elements("location"), each)
        if at.attributes.get("viewLevel", self.level) != self.level:
            self.lost["things of other levels"] += 1
            return
        x, y = self._point(_number(at, "x"), _number(at, "y")).tolist()
        if each.attributes.get("isGMOnly") == "true":
            secret = {SECRET: True}
        else:
            secret = {}
        self.last_id += 1
        angle = _number(each, "rotate", 0) % 360
        text = clean_line(" ".join(label.split()))
        layer = self._layer(each.attributes.get("mapLayer", "Notes"))
        thing = Thing(self.last_id, kind, x, y, angle, label=text, state=State({**state, **secret}))
        self.things[layer.name].append(thing)

    # --- lines ---

    def _read_shape(self, shape: Element) -> None:
        looks = shape.attributes
        stroke = _colour(looks.get("strokeColor", ""), "#000000")
        fill = looks.get("fillTexture") or _colour(looks.get("fillColor", ""), "black")
        self.lost["fills of areas"] += bool(fill)
        has_line = stroke or looks.get("strokeTexture")
        if not has_line or looks.get("currentShapeViewLevel", self.level) != self.level:
            self.lost["shapes of other levels or without a line"] += 1
            return
        name = _line_name(looks.get("tags", ""), stroke)
        self.lines.setdefault(name, stroke or _LINES[name][2])
        number = [*self.lines].index(name)
        layer = self._layer(looks.get("mapLayer", ""), looks.get("isGMOnly") == "true")
        for path in self._paths(shape):
            self._draw(layer, number, path)

    def _paths(self, shape: Element) -> list[list[NDArray[np.float64]]]:
        """Return the lines of a shape; a curve is two straight parts."""
        paths: list[list[NDArray[np.float64]]] = []
        for element in shape.elements("p"):
            to = self._point(_number(element, "x"), _number(element, "y"))
            if not paths or element.attributes.get("type") == "m":
                paths.append([])
            elif "cx1" in element.attributes:
                x, y = (_number(element, f"c{at}1") + _number(element, f"c{at}2") for at in "xy")
                paths[-1].append((paths[-1][-1] + 6 * self._point(x / 2, y / 2) + to) / 8)
            paths[-1].append(to)
        if shape.attributes.get("type") == "Polygon":
            paths = [[*path, path[0]] for path in paths]
        return paths

    def _draw(self, layer: Layer, number: int, path: list[NDArray[np.float64]]) -> None:
        """Put a line into a layer: its parts along sides as hexsides, the others as a way."""
        before = -1
        for one, other in pairwise(path):
            if (side := self._side(one, other)) is not None:
                sides = self._plane(layer, SYSTEM.hexside)
                sides.reshape(self.grid.size, -1)[side] = number + 1
                before = -1
                continue
            points = points_on_line(one, other, MOST_STEPS - self.steps)
            self.steps += len(points)
            plane = self._plane(layer, SYSTEM.ways[number]).reshape(-1)
            before = link_cells(self.grid, plane, self.grid.cells_at(points).tolist(), before)

    def _side(self, one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[int, int] | None:
        """Return the side (cell, number) whose corners two points are; None if they are none."""
        if not 0.9 < math.dist(one, other) < 1.1:
            return None
        x, y = other - one
        for across in (0.05, -0.05):
            hit = self.grid.hit(*((one + other) / 2 + across * np.array((y, -x))).tolist())
            if hit:
                ends = [self.grid.corner(hit.cell, hit.side + at) for at in (0, 1)]
            else:
                ends = []
            far = [min(math.dist(end, one), math.dist(end, other)) for end in ends]
            if hit and max(far) < 0.03:
                return hit.cell, hit.side
        return None


# --- words and values ---


def _naming(root: Element) -> CellNaming:
    """Return how the file numbers cells, if maps here can; else the usual way."""
    looks = next((element.attributes for element in root.elements("gridandnumbering")), {})
    first = {looks.get("numberFirstCol"), looks.get("numberFirstRow")}
    if looks.get("numberOrder") != "COL_ROW" or first not in ({"0"}, {"1"}):
        return NEUTRAL
    style = "dotted" if looks.get("numberSeparator") == "." else "joined"
    return CellNaming(style, int(first == {"1"}))


def _words_of(code: str) -> list[str]:
    """Return the words of a terrain for its picture: mountains count more than what grows on
    them.
    """
    words = words_in(code.partition(" #")[0])
    if "mountain" in words:
        words -= _PLANTS
        words |= {"peak"} if words & {"glacier", "icy", "snow"} else set()
    elif "icy" in words and not words & _PLANTS:
        if words & {"water", "sea", "ocean"}:
            words = {"ice"}
        else:
            words = {"snow"}
    if {"sea", "deep"} <= words:
        return [*words, "ocean"]
    return [*words]


def _own_colour(terrain: Terrain) -> str:
    """Return the colour of the background of a terrain, else that of its picture, else paper."""
    own = re.search(r" (#[0-9a-f]{6})$", terrain.code)
    is_blank = not terrain.picture and {"Blank", "Border"} & set(terrain.code.split())
    if own:
        return own[1]
    if is_blank:
        return PAPER
    return terrain.colour


def _line_name(tags: str, colour: str) -> str:
    """Return the name of a line by its tags, else by its colour: a river or any line."""
    red, green, blue = bytes.fromhex(colour[1:] or "000000")
    usual = "River" if blue > max(red, green) else "Line"
    words = words_in(tags)
    return next((name for name, row in _LINES.items() if words & set(row[3].split())), usual)


def _lettering(label: Element) -> dict[str, object]:
    """Return the size, colours and slant of a label, as the state of a thing."""
    looks = label.attributes
    at = next(label.elements("location"), label)
    size = round(min(max(0.0, _number(at, "scale", 0) / 100), LARGEST_TEXT), 2)
    has_halo = _number(label, "outlineSize", 0) > 0
    state = {
        "size": size,
        "colour": _colour(looks.get("color", ""), "#000000"),
        "halo": _colour(looks.get("outlineColor", "")) if has_halo else "",
        "italic": looks.get("isItalic") == "true",
    }
    return {name: value for name, value in state.items() if value}


def _colour(text: str, black: str = "") -> str:
    """Return the "#rrggbb" of "r,g,b,a" (0 to 1); "" for none, ``black`` for black."""
    try:
        values = [round(255 * min(1.0, max(0.0, float(part)))) for part in text.split(",")]
    except ValueError:  # null
        return ""
    colour = "#" + bytes(values[:3]).hex()
    return black if colour == "#000000" else colour if len(values) > 2 else ""


def _step(heights: NDArray[np.float64]) -> int:
    """Return the feet of a step: 10, 20, 50, 100 ..., so that there are at most 20 steps."""
    low = float(heights.min())
    high = float(heights.max())
    steps = [int(factor * 10**power) for power in range(1, 8) for factor in (1, 2, 5)]
    return next(s for s in steps if high - low <= 20 * s and max(high, -low) <= 1000 * s)


def _number(each: Element, name: str, missing: float | None = None) -> float:
    """Return the number of an attribute. Raises ProblemError."""
    text = each.attributes.get(name)
    if text is None and missing is not None:
        return missing
    return _value(text or "", each.line, each.column)


def _value(text: str, line: int, column: int = 1) -> float:
    """Return a number. Raises ProblemError for what is none, and for one beyond ``FARTHEST``."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) <= FARTHEST:
        raise fault(f"{text!r:.40} is no number that a map can have", line, column)
    return number


CODEC = WxxCodec()
